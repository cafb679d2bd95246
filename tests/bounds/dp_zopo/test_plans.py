"""Plans of DP-ZOSO and DP-ZOPO: their bounds in other arithmetic, their noise by the accountant, and what they refuse."""

import math
from dataclasses import replace

import mpmath as mp
import numpy as np
import pytest

from bounds.dp_zopo.recommend import Problem, certified_bound, recommend, split_steps
from bounds.plans.plan import ObjectiveFacts
from bounds.privacy import accounting
from synthetic.methods.dp_zopo import DP_ZOO, DP_ZOPO, DP_ZOSO
from synthetic.objectives.stages import ball_quadratic
from synthetic.runs.simulate import simulate

ASKED = {"n": 10**5, "d": 50, "epsilon": 1.0, "delta": 1e-6, "L": 1.0, "growth_mu": 0.25, "radius": 1.0, "gap": 0.5, "T_max": 10**6}
PLANS = {
    "plain": recommend("dp_zoso", **ASKED),
    "three": recommend("dp_zoso", **ASKED, P=3, stages=3, weak=0.05),
    "batches": recommend("dp_zoso", **ASKED | {"n": 1000, "T_max": 300}, batch_size=100),
    "one": recommend("dp_zoo", **ASKED),
    "masked": recommend("dp_zopo", **ASKED, rates=0.1),
}
NAMES = pytest.mark.parametrize("name", PLANS)


AVERAGED = {  # stages of the mean of all iterates, which are many
    "many": Problem(10**5, 50, 1.0, 1e-6, 1.0, 0.25, 0.0, 1.0, 2.0, 0.5, 1, 10**5),
    "weak": Problem(10**5, 50, 1.0, 1e-6, 1.0, 0.25, 0.05, 1.0, 2.0, 0.5, 3, 10**5),
}


@pytest.mark.parametrize("name", AVERAGED)
def test_the_sharp_bound_is_the_recursion_in_exact_arithmetic(name):
    """Each stage once more from what the theorem says in words, over a fine grid of shares."""
    at, steps, C, sigma = AVERAGED[name], 10**6, 3.2, 0.4
    S = at.best_stages(steps, None, np.array([C]), sigma / C / math.sqrt(steps))[1]
    certified_gap, run = at.bound_after(split_steps(steps, S), C, sigma)
    assert S > 3
    with mp.workdps(30):
        L, mu, rho, P, d = (mp.mpf(one) for one in (at.L, at.mu, at.rho, at.P, at.d))
        lost, bias, gap = rho / (4 * mu), L * mp.erfc(mp.mpf(C) / (mp.sqrt(2) * L)), mp.mpf(at.gap)
        V = (L**2 * (d + 2 * mp.sqrt(d)) + d * mp.mpf(sigma) ** 2) / P + (1 - 1 / P) * L**2
        for T, (eta, beta) in zip(split_steps(steps, S), run, strict=True):
            each = float(eta) * V / 2 + L * float(beta) * mp.sqrt(d) + rho * float(beta) ** 2 * d / 2
            first = min(gap / (2 * mu), mp.mpf(at.D) ** 2) / (2 * mp.mpf(float(eta)) * T)
            taus = (mp.mpf(k) / 800 * (1 - lost) for k in range(1, 800))
            found = min((1 + lost) * (first + (1 + mp.mpf(1) / T) * (each + bias**2 / (8 * mu * tau))) / (1 - lost - tau) for tau in taus)
            gap = min(found, L * at.D)
        assert float(gap) == pytest.approx(float(certified_gap), rel=1e-3)


@pytest.mark.sample(1)
@pytest.mark.parametrize("method", ["dp_zoo", "dp_zoso"])
@pytest.mark.parametrize("changed", [{}, {"weak": 0.1, "P": 3}, {"epsilon": 8.0}, {"d": 5, "L": 3.0, "radius": 0.4}])
def test_the_sharp_bound_of_last_halves_is_a_recursion_step_by_step(method, changed):
    """The squared distance after each step up to where the mean begins, in exact arithmetic, over a grid of shares."""
    plan = recommend(method, **ASKED | {"T_max": 5000} | changed)
    at, one = plan.problem, plan.sharp
    assert (one.theorem, one.output) == ("dp_zopo.sharp_suffix", "suffix")
    with mp.workdps(30):
        L, mu, rho, d, P, gap = (mp.mpf(at[key]) for key in ("L", "growth_mu", "weak", "d", "directions", "gap"))
        lost, bias = rho / (4 * mu), L * mp.erfc(mp.mpf(one.C) / (mp.sqrt(2) * L))
        V = (L**2 * (d + 2 * mp.sqrt(d)) + d * mp.mpf(one.sigma) ** 2) / P + (1 - 1 / P) * L**2
        for steps, alpha, lam in zip(split_steps(one.T, one.stages), one.alpha, one.lam, strict=True):
            found, T, eta, beta = [], max(1, round(steps / 2)), mp.mpf(alpha), mp.mpf(lam)
            for tau in ((mp.mpf(k) / 150) ** 4 * (1 - lost) for k in range(1, 150)):
                each = eta * V / 2 + L * beta * mp.sqrt(d) + rho * beta**2 * d / 2 + bias**2 / (8 * mu * tau)
                rate, first = 1 - tau - lost, min(gap / (2 * mu), (2 * mp.mpf(at["radius"])) ** 2)
                for _ in range(steps - T + 1):
                    first = first - 2 * eta * rate * 2 * mu * first + 2 * eta * each
                found.append((1 + lost) * (first / (2 * eta * T) + each) / rate)
            gap = min(found)
    assert float(gap) == pytest.approx(one.certified, rel=4e-3)
    assert one.certified <= float(gap) * (1 + 1e-3)


@pytest.mark.parametrize("weak", [1.0 - 1e-12, 1.0, 1.01, 50.0])
def test_weak_convexity_that_growth_does_not_pay_for_leaves_what_every_point_has(weak):
    assert recommend("dp_zoso", **ASKED, weak=weak).sharp.certified == 2.0


@NAMES
def test_the_noise_is_enough_and_not_much_more(name):
    at = PLANS[name].problem
    for one in (PLANS[name].repaired, PLANS[name].sharp):
        if math.isnan(one.sigma):
            continue
        known = (at["delta"], one.T, one.n, one.batch_size, one.C * math.sqrt(one.P), one.sampling)
        assert accounting.epsilon(one.sigma * (1 + 1e-9), *known) <= at["epsilon"] * (1 + 1e-3)
        assert accounting.epsilon(one.sigma * 0.98, *known) > at["epsilon"]
        assert one.noise_ratio == pytest.approx(one.batch_size * one.sigma / one.C)
        assert one.private


@pytest.mark.parametrize("changed", [{}, {"P": 4}, {"d": 5, "T_max": 10**8}, {"weak": 0.05}, {"target": 0.1, "T_max": 10**9}])
def test_the_repaired_schedule_meets_the_corrected_theorem(changed):
    """Every stage ends below its accuracy, by the recursion of R5 typed here, with the noise of its own T."""
    asked = ASKED | {"T_max": 10**7} | changed
    one = recommend("dp_zoso", **asked).repaired
    d, P, mu, rho, gap = asked["d"], asked.get("P", 1), asked["growth_mu"], asked.get("weak", 0.0), asked["gap"]
    bias = math.erfc(one.C / math.sqrt(2))
    error = d / P * (one.C**2 + one.sigma**2) + (2 + 2 * bias**2) / one.n + bias**2
    for s, (T, eta, beta) in enumerate(zip(split_steps(one.T, one.stages), one.alpha, one.lam, strict=True), 1):
        assert eta <= math.sqrt(math.pi / 2) * beta * (1 + 1e-9)
        carried = ((1 / eta + rho) / T + 1 / one.anchor) * gap / (4 * mu)
        gap = carried + eta * error + 2 * bias * asked["radius"] + 2 * beta * math.sqrt(d)
        assert gap <= one.bound * 2.0 ** (one.stages - s) * (1 + 1e-9)
    assert gap <= one.certified * (1 + 1e-6)
    assert one.bound == asked.get("target", one.bound)


def test_no_schedule_of_as_many_steps_is_better_than_the_sharp_one():
    one = PLANS["plain"].sharp
    at = Problem(10**5, 50, 1.0, 1e-6, 1.0, 0.25, 0.0, 1.0, 2.0, 0.5, 1, 10**5, suffix=one.output == "suffix")
    rng, rate = np.random.default_rng(2), one.sigma / one.C
    run = {"alpha": one.alpha, "lam": one.lam, "T": one.T, "stages": one.stages, "C": one.C, "sigma": one.sigma}
    assert certified_bound(at, **run) == one.certified
    for _ in range(200):
        C = one.C * math.exp(rng.uniform(-0.4, 0.4))
        other = run | {"C": C, "sigma": rate * C, "alpha": tuple(np.array(one.alpha) * np.exp(rng.uniform(-0.7, 0.7, one.stages)))}
        assert certified_bound(at, **other) > one.certified * 0.985


@pytest.mark.parametrize(("mu", "T", "D", "gap", "weak"), [(2.3e-8, 2**49, 0.1, 0.01, 3.9)])
def test_the_share_for_clipping_is_computed_where_clipping_is_all_there_is(mu, T, D, gap, weak):
    at = Problem(1000, 1, 1.0, 1e-5, 1.0, mu, weak * mu, 1.0, D, gap, 1, 1000)
    bounds, _ = at.bound_after(split_steps(T, 1), np.geomspace(0.7, 6, 40), 1e-9)
    assert np.all(bounds > 0)
    assert np.all(bounds <= D)


def test_the_printed_schedule_solves_its_own_T_or_there_is_none():
    plan = recommend("dp_zoso", **ASKED | {"epsilon": 8.0}, target=0.02)
    one, d, n, eps, delta = plan.printed, 50, 10**5, 8.0, 1e-6
    eta, C2, m = one.alpha[-1], 2.0, n
    noise = d * 2 * C2 * one.T * math.log(1 / delta) / (eps * n) ** 2
    terms = (noise, 8 * d * C2 / (math.e * m), 64 * d * one.lam[0] ** 2 / m, 1 / m)
    assert eta == pytest.approx(0.5 / 2**one.stages / (7 * max(terms)), rel=1e-4)
    assert one.T == pytest.approx(7 / (2 * 0.25 * eta) * (2 - 2.0 ** (1 - one.stages)), rel=1e-4)
    assert one.alpha[0] <= one.lam[0] / math.sqrt(d) * (1 + 1e-9)
    assert one.sigma == pytest.approx(math.sqrt(2 * one.T * math.log(1 / delta)) * math.sqrt(2) / (eps * n))
    assert one.certified == 2.0
    assert one.bound == 0.02
    below = recommend("dp_zoso", **ASKED, target=1e-5).printed
    assert math.isnan(below.alpha[0])
    assert not below.private
    with pytest.raises(ValueError, match="no schedule"):
        below.arguments("dp_zoso", ObjectiveFacts("any", {"n": 10**6}))


def test_a_mask_is_a_smaller_problem_and_one_stage_is_never_better():
    masked, small = PLANS["masked"].sharp, recommend("dp_zoso", **ASKED | {"d": 5}).sharp
    assert (masked.certified, masked.T, masked.sigma) == (small.certified, small.T, small.sigma)
    assert PLANS["one"].sharp.certified > 1.01 * PLANS["plain"].sharp.certified
    assert PLANS["plain"].sharp.certified < PLANS["plain"].repaired.certified < PLANS["plain"].printed.certified


def test_a_column_says_what_a_run_of_it_is():
    place = ObjectiveFacts(
        "ball", {"n": 10**5, "d": 50, "L": 1.0, "growth_mu": 0.25, "radius": 1.0, "gap": 0.5, "weak": 0.0, "sample_spread": 0.3}
    )
    one, masked, repaired = PLANS["plain"].sharp, PLANS["masked"].sharp, PLANS["plain"].repaired
    run = one.arguments("dp_zoso", place)
    assert (run["alpha"], run["T"], run["output"], run["radius"], run["anchor"]) == (one.alpha, one.T, one.output, 1.0, None)
    assert "batch_size" not in run
    assert masked.arguments("dp_zopo", place)["rates"] == 0.1
    assert "on the coordinates that the mask keeps" in masked.remarks(place, run, {}).against[0]  # max(|x|, |y| + x/1000) grows less there
    separable = replace(place, constants=place.constants | {"tuned": 1 / 50})
    assert not masked.remarks(separable, run, {}).against
    half = PLANS["one"].sharp.arguments("dp_zoo", place)
    assert (half["alpha"], half["output"], half["tail"]) == (PLANS["one"].sharp.alpha[0], "suffix", 0.5)
    assert not PLANS["one"].sharp.remarks(place, half, {}).against
    for name, value in (("output", "average"), ("tail", 0.4)):
        assert name in PLANS["one"].sharp.remarks(place, half | {name: value}, {name: value}).against[0]
    assert PLANS["one"].repaired.arguments("dp_zoo", place)["output"] == "average"
    assert PLANS["batches"].sharp.arguments("dp_zoso", place)["batch_size"] == 100
    assert repaired.arguments("dp_zoso", place)["anchor"] == 16.0
    assert not one.remarks(place, run, {}).against
    for name, worse in (("growth_mu", 0.1), ("radius", 0.5), ("radius", 2.0), ("L", 1.1), ("weak", 0.1)):
        assert name in one.remarks(replace(place, constants=place.constants | {name: worse}), run, {}).against[0]
    assert not one.remarks(replace(place, constants=place.constants | {"growth_mu": 0.3}), run, {}).against
    assert "output" in one.remarks(place, run | {"output": "last"}, {"output": "last"}).against[0]
    assert "epsilon" in one.remarks(place, run | {"P": 2}, {"P": 2}).against[0]
    assert "epsilon" in PLANS["plain"].printed.remarks(place, {}, {}).against[0]
    with pytest.raises(ValueError, match="too small"):
        one.arguments("dp_zoso", replace(place, constants={"n": 10}))
    with pytest.raises(ValueError, match="needs its own plan"):
        one.arguments("dp_zopo", place)


@pytest.mark.parametrize(
    ("method", "kernel", "more"), [("dp_zoo", DP_ZOO, {}), ("dp_zoso", DP_ZOSO, {}), ("dp_zopo", DP_ZOPO, {"rates": 0.6})]
)
@pytest.mark.parametrize("column", ["printed", "repaired", "sharp"])
def test_a_run_takes_what_a_column_gives(method, kernel, more, column):
    one = ball_quadratic(np.ones(5), 5, 20, 0, spread=0.5)
    known = {name: float(one.constants[name]) for name in ("L", "growth_mu", "radius", "gap")}
    plan = recommend(method, n=20, d=5, epsilon=500.0, delta=1e-3, **known, T_max=600, target=0.24, **more)
    place = ObjectiveFacts("ball", one.constants)
    try:
        run = getattr(plan, column).arguments(method, place)
    except ValueError:  # there is no such schedule
        assert column == "repaired"
        return
    found = simulate(kernel, one, **run | {"T": min(run["T"], 600)}, replicates=2, seed=0)
    assert found.stage_loss.shape == (2, getattr(plan, column).stages)
    assert np.all(np.linalg.norm(found.x, axis=1) <= 1 + 1e-9)


def test_batches_take_as_many_steps_as_help_unless_fewer_are_asked_for():
    """By default none is left out up to the most that the accountant of batches is for; that many certify far less."""
    asked = {**ASKED, "batch_size": 1000}
    del asked["T_max"]
    free, most, few = (recommend("dp_zoso", **asked, **more) for more in ({}, {"T_max": 10**7}, {"T_max": 20_000}))
    assert free.sharp == most.sharp
    assert 8e6 < free.sharp.T <= 10**7
    assert free.sharp.certified < few.sharp.certified / 200
    assert (free.certifies("repaired"), few.certifies("repaired")) == (pytest.approx(0.00639, rel=1e-2), "nothing")
    assert any("At most 10,000,000 steps are taken unless T_max gives another number" in one for one in free.caveats)


def test_what_dpzero_would_certify_is_said_beside():
    beside = recommend("dp_zoso", **ASKED, ell=1.0, r=2.0)
    assert any("DPZero" in text for text in beside.caveats)
    assert beside.sharp.certified == PLANS["plain"].sharp.certified


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"method": "dpzero"}, "method"),
        ({"gap": 3.0}, "gap"),
        ({"rates": 0.5}, "rates"),
        ({"method": "dp_zopo", "rates": 1.5}, "rates"),
        ({"method": "dp_zoo", "stages": 2}, "stages"),
        ({"stages": 30}, "stages"),
        ({"batch_size": 10**6}, "batch_size"),
        ({"batch_size": 0}, "batch_size"),
        ({"P": 0}, "P"),
        ({"weak": -1.0}, "weak"),
        ({"target": 0.0}, "target"),
        ({"ell": 1.0}, "ell"),
        ({"T_max": 0}, "T_max"),
    ],
)
def test_what_cannot_be_meant_is_refused(changed, words):
    asked = {"method": "dp_zoso"} | ASKED | changed
    with pytest.raises(ValueError, match=words):
        recommend(asked.pop("method"), **asked)
