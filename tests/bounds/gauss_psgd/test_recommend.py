"""Recommendations for Gauss-PSGD: within the samples, private, consistent in units, and quick to import."""

import json
import math
import re
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from bounds import privacy
from bounds.gauss_psgd import scaled
from bounds.gauss_psgd.block import Constants
from bounds.gauss_psgd.columns import Schedule
from bounds.gauss_psgd.fixed_point import Problem, solve_fixed_point
from bounds.gauss_psgd.recommend import Knobs, exact_constant, recommend
from bounds.gauss_psgd.scaled import has_enough_samples, scaled_plan, smallest_scaled_plan
from bounds.strategies import log_uniform

COSINES = dict(n=1e6, d=10, epsilon=8.0, delta=1e-5, L=math.sqrt(10), ell=1.0, rho=1.0, U=20 * math.sin(1))  # random-phase cosines
PROBLEM = Problem(**COSINES)


def test_the_pilot_is_found_again():
    """Random-phase cosines, d = 10, n = 1e6, epsilon = 8, accuracy 0.3: eta = 0.548, radius 0.164, Gamma 20, kappa 0.5, b_1 = n/40."""
    plan = recommend("gauss_psgd", **COSINES, alpha=0.3).scaled
    assert (plan.Gamma, plan.Q) == (20, 8)  # 6 / 0.3 in floats is above 20, which must not give 21
    assert plan.eta == pytest.approx(0.548, abs=5e-4)
    assert plan.radius == pytest.approx(0.164, abs=5e-4)
    assert plan.chi == 0.075
    assert 0.4 < plan.drift_limit < 0.6
    assert 0.9 < plan.b_1 / (1e6 / 40) < 1.2
    assert 0.9 < plan.b_2 / (1e6 / 600) < 1.2
    assert plan.T >= 286  # the longest of 70 runs


@settings(max_examples=40)
@given(
    n=st.integers(2_000, 10**9), d=log_uniform(1, 1e4), epsilon=log_uniform(0.1, 16), delta=log_uniform(1e-9, 1e-3),
    L=log_uniform(0.1, 10), ell=log_uniform(0.1, 10), rho=log_uniform(0.1, 10), U=log_uniform(0.1, 10), m=st.sampled_from((1, 5)),
    accuracy=log_uniform(0.05, 1),
)  # fmt: skip
def test_scaled_plans_fit_and_are_private(n, d, epsilon, delta, L, ell, rho, U, m, accuracy):
    problem = Problem(n=n, d=d, epsilon=epsilon, delta=delta, L=L, ell=ell, rho=rho, U=U, m=m)
    try:
        plan = scaled_plan(problem, accuracy, Knobs())
    except ValueError as error:
        event(str(error).split(":")[0])  # too few samples
        return
    assert all(isinstance(getattr(plan, name), int) for name in ("Gamma", "Q", "b_1", "b_2", "T", "fresh", "calls", "samples"))
    assert plan.samples == plan.b_1 * plan.fresh + plan.b_2 * plan.T <= n
    assert plan.runnable
    assert plan.calls >= plan.T
    for sensitivity, sigma in ((2 * L / plan.b_1, plan.sigma_fresh), (2 * ell / plan.b_2, plan.sigma_difference)):
        spent = privacy.log_delta(epsilon=epsilon, mu=sensitivity / sigma) - math.log(delta)
        assert -1e-6 < spent <= 1e-9
    mean_square = L**2 / plan.b_1 + ell**2 * plan.drift_limit / plan.b_2
    mean_square += d * (plan.sigma_fresh**2 + plan.sigma_difference**2 * plan.drift_limit)
    assert plan.psi == pytest.approx(math.sqrt(mean_square / m), rel=1e-12)


@settings(max_examples=25)
@given(n=st.integers(10**4, 10**8), d=log_uniform(1, 1e3), epsilon=log_uniform(0.5, 8), K=log_uniform(2, 20))
def test_the_smallest_accuracy_meets_its_criterion_and_less_does_not(n, d, epsilon, K):
    problem, knobs = replace(PROBLEM, n=n, d=d, epsilon=epsilon, L=math.sqrt(d)), Knobs(K=K)
    plan = smallest_scaled_plan(problem, knobs)
    assert plan.psi <= plan.accuracy / K
    try:
        less = scaled_plan(problem, 0.9 * plan.accuracy, knobs)
    except ValueError:
        return
    assert less.psi > less.accuracy / K


def test_knobs_do_what_they_say():
    plan = scaled_plan(PROBLEM, 0.3, Knobs(k_eta=0.5, k_R=0.6, k_Gamma=3.0, Q=4, drift_limit=0.1, extra_fresh=8))
    base = scaled_plan(PROBLEM, 0.3, Knobs())
    assert plan.eta == pytest.approx(base.eta / 2)
    assert plan.radius == pytest.approx(2 * base.radius)
    assert (plan.Gamma, plan.Q, plan.drift_limit) == (20, 4, 0.1)
    assert plan.fresh == 9 + math.ceil(PROBLEM.U * plan.eta / 0.1)


@pytest.mark.parametrize(("value", "length"), [(10.0, 1.0), (1.0, 0.1), (3.0, 7.0)])
def test_other_units_give_the_same_plan(value, length):
    scaled = dict(COSINES, L=COSINES["L"] * value / length, ell=value / length**2, rho=value / length**3, U=COSINES["U"] * value)
    one, two = recommend("gauss_psgd", **COSINES), recommend("gauss_psgd", **scaled)
    assert two.scaled.accuracy == pytest.approx(one.scaled.accuracy * value / length, rel=1e-5)
    assert (two.scaled.Gamma, two.scaled.T, two.scaled.fresh) == (one.scaled.Gamma, one.scaled.T, one.scaled.fresh)
    assert two.scaled.drift_limit == pytest.approx(one.scaled.drift_limit * length**2, rel=1e-5)
    assert two.repaired_promise.first_n == pytest.approx(one.repaired_promise.first_n, rel=1e-6)


def test_the_caveats_say_what_the_numbers_do_not():
    plan = recommend("gauss_psgd", **COSINES)
    text = " ".join(plan.caveats)
    assert all(caveat.endswith(".") and caveat[0].isupper() for caveat in plan.caveats)
    assert f"the accuracy {plan.printed.accuracy:.4g} is above min(L, ell^2/rho) = 1, so nothing is promised" in text
    assert f"The printed parameters promise something from n = {plan.printed_promise.first_n:.3g} samples on" in text
    assert "times the available samples may be needed" in text
    assert "have the exponents of (5), not its constants" in text
    assert f"T = {plan.scaled.T:,} steps are planned from pilot runs. No proof says that they are enough" in text
    assert f"until its samples are used up ({plan.scaled.calls:,} calls of the oracle, if {plan.scaled.fresh:,} of them are fresh)" in text
    assert not plan.printed.runnable
    assert plan.scaled.runnable
    assert plan.printed_within_budget > plan.printed_promise.first_n
    noisy = recommend("gauss_psgd", **dict(COSINES, epsilon=16.0), alpha=0.05)
    assert any("is not private" in caveat for caveat in noisy.caveats)
    assert any("more noise than in the pilot runs" in caveat for caveat in noisy.caveats)
    assert exact_constant(16.0, 1e-5) > exact_constant(1.0, 1e-5)
    far = recommend("gauss_psgd", **dict(COSINES, n=1e7), s=1.0, C_abs=1e-4)
    assert far.printed_promise.vacuous == (far.printed.accuracy >= 1)
    window = Problem(n=1e6, d=50, epsilon=1.0, delta=1e-5, L=1.0, ell=1.0, rho=1.0, U=1.0)
    for epsilon, inside in ((1.0, True), (8.0, False)):
        found = recommend("gauss_psgd", **{**asdict(window), "epsilon": epsilon})
        assert any("does not follow from its proof" in caveat for caveat in found.caveats) == inside
    vacuous = recommend("gauss_psgd", **dict(COSINES, n=1_000, epsilon=0.5))
    assert any("even a run that" in caveat for caveat in vacuous.caveats)
    assert "theorem3" in recommend("gauss_psgd", **COSINES, m=5).printed.theorem


@pytest.mark.parametrize("epsilon", [50.0, 200.0])
def test_the_noise_of_definition_8_times_the_factor_of_the_caveat_is_private_and_no_more(epsilon):
    text = " ".join(recommend("gauss_psgd", **dict(COSINES, epsilon=epsilon), alpha=0.3).caveats)
    (factor,) = re.findall(r"It must be (\S+) times as large", text)
    definition = math.sqrt(2 * math.log(1.25 / 1e-5)) / epsilon
    exact = privacy.sigma_gaussian(epsilon=epsilon, delta=1e-5, T=1, sensitivity=1.0)
    assert float(factor) * definition == pytest.approx(exact, rel=1e-3)


def test_delta_is_compared_with_the_records_of_all_clients():
    one, many = (" ".join(recommend("gauss_psgd", **dict(COSINES, n=5_000), m=m).caveats) for m in (1, 8))
    assert "With delta" not in one
    assert "of the 40,000 records" in many


@pytest.mark.parametrize(("s", "C_abs"), [(1.0, 1.0), (1.0, 1 / 256), (None, 1.0)])
def test_the_repaired_rounds_are_whole_and_the_step_goes_with_them(s, C_abs):
    """eta Gamma sqrt(rho alpha) is mu: with the step of the real Gamma it would be more, and (42) and Lemma 4 fail at the least s."""
    plan = recommend("gauss_psgd", **COSINES, s=s, C_abs=C_abs).repaired
    assert plan.Gamma == int(plan.Gamma) >= 1
    assert plan.eta * plan.Gamma * math.sqrt(COSINES["rho"] * plan.accuracy) == pytest.approx(plan.log_factor, rel=1e-12)


@pytest.mark.parametrize("n", [1e13, 1e16, 1e38])
def test_the_repaired_accuracy_is_that_of_its_own_whole_batches(n):
    """At n = 1e16 a batch of O2 has 5.55 samples, rounded down to 5: its noise is larger than that of the real number."""
    found = recommend("gauss_psgd", **dict(COSINES, n=n))
    plan = found.repaired
    assert plan.runnable
    sampling = math.log(2 * COSINES["d"]) ** 2 * (COSINES["L"] ** 2 / plan.b_1 + COSINES["ell"] ** 2 * plan.drift_limit / plan.b_2)
    privacy_part = COSINES["d"] * (plan.sigma_fresh**2 + plan.sigma_difference**2 * plan.drift_limit)
    assert plan.psi == pytest.approx(math.sqrt(sampling + privacy_part), rel=1e-9)
    s, mu = 204_800, plan.log_factor
    assert plan.accuracy == pytest.approx(4 * max(4 * s * mu**2, math.sqrt(16 * s**3 * mu**5)) * plan.psi, rel=1e-9)
    assert found.repaired_promise.accuracy == plan.accuracy
    assert n > 1e16 or plan.b_2 <= 5


@pytest.mark.parametrize(("C_abs", "least", "printed"), [(1.0, 204_800.0, 51_200.0), (0.01, 226.28, 51_200.0)])
def test_an_s_that_the_proof_does_not_allow_promises_nothing_at_any_n(C_abs, least, printed):
    for s in (least, 0.999 * least):
        plan = recommend("gauss_psgd", **dict(COSINES, n=1e66), s=s, C_abs=C_abs)
        assert plan.repaired_promise.vacuous == (s < least)
        assert math.isfinite(plan.repaired_promise.first_n) == (s == least)
        assert any(f"Repaired parameters: s = {s:g} is below {least:g}" in caveat for caveat in plan.caveats) == (s < least)
        small = s < printed
        assert math.isinf(plan.printed_promise.first_n) == math.isinf(plan.printed_within_budget) == small
        assert any("Printed parameters: s = " in caveat for caveat in plan.caveats) == small
        assert any("printed parameters would promise something" in caveat for caveat in plan.caveats) != small
        assert any("an order of magnitude and no guarantee" in caveat and f"C = {C_abs:g} and 1" in caveat for caveat in plan.caveats)


def test_what_is_planned_can_be_run_only_where_the_samples_cover_it(monkeypatch):
    assert has_enough_samples(100.0, 1, 1, 100)
    assert not has_enough_samples(99.9, 1, 1, 100)
    assert not has_enough_samples(100.0, 0, 1, 50)
    assert not has_enough_samples(100.0, 1, 0, 50)
    monkeypatch.setattr(scaled, "has_enough_samples", lambda *plan: False)
    assert not scaled_plan(Problem(n=1e5, d=2, epsilon=1.0, delta=1e-5, L=1.0, ell=1.0, rho=1.0, U=1.0), 0.5, Knobs()).runnable


def test_as_json():
    plan = recommend("gauss_psgd", **dict(COSINES, n=1e4), alpha=0.9)
    found = json.loads(plan.json())
    assert found["scaled"]["Gamma"] == plan.scaled.Gamma
    assert found["scaled"]["log_factor"] is None
    assert found["repaired"]["sigma_fresh"] is None or found["repaired"]["b_1"] >= 1


def test_a_plan_whose_batches_are_empty_has_no_batches_and_no_noise():
    """b_1 = 0 and sigma = inf would be read as numbers: to draw no sample and to add infinite noise."""
    plan = recommend("gauss_psgd", **COSINES)
    assert (plan.repaired.b_1, plan.repaired.sigma_fresh) == (0, math.inf)
    found = json.loads(plan.json())
    gone = {"b_1", "b_2", "fresh", "samples", "drift_limit", "sigma_fresh", "sigma_difference"}
    assert {name for name in gone if found["repaired"][name] is None} == gone
    assert not any(found["printed"][name] is None for name in gone)
    rows = {row[0]: row for row in plan.rows()[1]}
    assert {rows[name][2] for name in gone} == {"none"}
    assert rows["b_1"][1] == plan.printed.b_1
    assert "$b_1$ & " in plan.latex()
    assert plan.latex().count("& none &") == len(gone)
    (said,) = [caveat for caveat in plan.caveats if "give each batch one sample" in caveat]
    assert said.endswith("so no batches, no noise and no schedule exist.")


def test_as_a_table():
    plan = recommend("gauss_psgd", **dict(COSINES, n=1e4), alpha=0.9)
    table = plan.latex()
    assert table.count(r" \\") == len(Schedule.ROWS) + 4
    assert all(line.count("&") == 3 for line in table.splitlines() if line.endswith(r"\\"))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"method": "dpzero"}, "method = 'dpzero': one of gauss_psgd"),
        ({"n": 0.5}, "n = 0"),
        ({"n": 20.0}, "n = 20: too few samples for any scaled plan"),
        ({"alpha": 1e-6}, "n = 1000000: accuracy 1e-06 needs at least 2 T"),
        ({"alpha": -1.0}, "alpha = -1.0"),
        ({"delta": 1.0}, "delta = 1.0"),
        ({"rho": 0.0}, "rho = 0.0"),
        ({"base": "10"}, "base = '10'"),
        ({"n": math.inf}, "n = inf"),
    ],
)
def test_what_cannot_be_meant(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        recommend(**{"method": "gauss_psgd", **COSINES, **change})


WRONG_KNOBS = [({"Q": 0}, "Q = 0"), ({"K": -1.0}, "K = -1.0"), ({"extra_fresh": 0.5}, "extra_fresh = 0.5"), ({"drift_limit": 0.0}, "drift")]


@pytest.mark.parametrize(("knobs", "sentence"), WRONG_KNOBS)
def test_knobs_that_cannot_be_meant(knobs, sentence):
    with pytest.raises(ValueError, match=sentence):
        Knobs(**knobs)


def test_numbers_need_no_computer_algebra():
    script = (
        "import sys\nfrom bounds.gauss_psgd.recommend import recommend\n"
        "recommend('gauss_psgd', n=1e6, d=10, epsilon=1.0, delta=1e-5, L=3.0, ell=1.0, rho=1.0, U=10.0).json()\n"
        "heavy = {'sympy', 'numba', 'matplotlib', 'hypothesis'} & set(sys.modules)\nassert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[3], capture_output=True)


def test_the_numbers_of_what_a_proof_allows_are_rounded_to_the_side_that_keeps_it():
    small = {**COSINES, "U": 1.0}
    plan, at = recommend("gauss_psgd", **small, s=4.0), solve_fixed_point(Problem(**small), constants=Constants(s=4.0))
    assert (plan.printed.T, plan.printed.fresh) == (math.floor(at.T), max(1, math.floor(min(at.fresh, at.T))))
    assert (plan.printed.b_1, plan.printed.b_2) == (math.ceil(at.noise.b_1), math.ceil(at.noise.b_2))
    assert (plan.printed.Gamma, plan.printed.Q) == (math.ceil(at.block.Gamma), math.ceil(at.Q))
    assert min(one % 1 for one in (at.T, at.noise.b_1, at.noise.b_2, at.block.Gamma, at.Q)) > 1e-6
