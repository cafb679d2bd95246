"""The plan with knobs and what beside it is rounded, counted or said: by hand, at numbers that are not 1."""

import math
from dataclasses import asdict, replace

import numpy as np
import pytest
from scipy.optimize import brentq

from bounds import privacy
from bounds.gauss_psgd.columns import OF_BATCHES
from bounds.gauss_psgd.fixed_point import Problem, printed_drift_limit
from bounds.gauss_psgd.rates import largest_dimension, rates_at
from bounds.gauss_psgd.recommend import recommend
from bounds.gauss_psgd.scaled import Knobs, count_calls, has_enough_samples, scaled_plan, smallest_scaled_plan

GIVEN = dict(n=3e5, d=12, epsilon=1.7, delta=1e-6, L=2.0, ell=1.3, rho=0.8, U=5.0, m=3)
PROBLEM = Problem(**GIVEN)
OTHER = Knobs(k_eta=0.7, k_R=0.4, k_Gamma=5.0, Q=6, K=5.0, k_T=0.05, extra_fresh=4)


def squared(at, kappa, b_1, b_2):
    """m psi^2: sampling and noise of a fresh gradient, and of the differences that add up to kappa since."""
    mu = privacy.mu_gaussian(at.epsilon, at.delta)
    fresh, difference = 2 * at.L / b_1 / mu, 2 * at.ell / b_2 / mu  # sigma = sensitivity / mu
    return at.L**2 / b_1 + at.ell**2 * kappa / b_2 + at.d * (fresh**2 + difference**2 * kappa)


@pytest.mark.parametrize("knobs", [Knobs(), OTHER], ids=["default", "other"])
@pytest.mark.parametrize("accuracy", [0.31, 0.6])
def test_a_scaled_plan_by_hand(accuracy, knobs):
    plan, root = scaled_plan(PROBLEM, accuracy, knobs), math.sqrt(0.8 * accuracy)
    eta = knobs.k_eta * root / 1.3**2
    Gamma = math.ceil(knobs.k_Gamma / (eta * root))
    T = knobs.Q * Gamma + math.ceil(knobs.k_T * 5.0 / (eta * (accuracy / 4) ** 2))
    path, first, b_2 = 5.0 * eta, 1 + knobs.extra_fresh, int(3e5 // (2 * T))
    assert (plan.theorem, plan.accuracy, plan.chi, plan.Q) == ("none: knobs", accuracy, accuracy / 4, knobs.Q)
    assert (plan.eta, plan.radius) == (pytest.approx(eta), pytest.approx(knobs.k_R * math.sqrt(accuracy / 0.8)))
    assert (plan.Gamma, plan.T, plan.b_2) == (Gamma, T, b_2)
    kappas = [path / k for k in range(1, 400)]  # a whole number of fresh gradients
    real = [squared(PROBLEM, kappa, 3e5 / (2 * (first + path / kappa)), b_2) for kappa in kappas]
    best = int(np.argmin(real))
    assert plan.drift_limit in (pytest.approx(kappas[best]), pytest.approx(kappas[best + 1]), pytest.approx(kappas[best - 1]))
    assert plan.fresh == first + round(path / plan.drift_limit)
    assert plan.b_1 == int(3e5 // (2 * plan.fresh))
    mu = privacy.mu_gaussian(1.7, 1e-6)
    assert plan.sigma_fresh == pytest.approx(2 * 2.0 / plan.b_1 / mu, rel=1e-9)
    assert plan.sigma_difference == pytest.approx(2 * 1.3 / plan.b_2 / mu, rel=1e-9)
    assert plan.psi == pytest.approx(math.sqrt(squared(PROBLEM, plan.drift_limit, plan.b_1, plan.b_2) / 3), rel=1e-9)
    assert plan.samples == plan.b_1 * plan.fresh + plan.b_2 * plan.T
    assert math.isnan(plan.log_factor)
    assert plan.runnable


@pytest.mark.parametrize("epsilon", [1.7, 0.1, 0.05])  # sampling decides, the noise of fresh gradients does
def test_the_drift_limit_of_a_plan_is_the_best_real_one_cut_to_a_whole_number_of_fresh_gradients(epsilon):
    problem = replace(PROBLEM, epsilon=epsilon)
    for knobs in (Knobs(), OTHER, Knobs(extra_fresh=40)):
        plan = scaled_plan(problem, 0.4, knobs)
        path, first = 5.0 * plan.eta, 1 + knobs.extra_fresh
        real = np.geomspace(path / 4_000, 10 * path, 20_000)
        psi = [squared(problem, kappa, 3e5 / (2 * (first + path / kappa)), plan.b_2) for kappa in real]
        # first fresh gradients count once in the sampling, and in the noise to first order
        best = path / math.ceil(path / real[int(np.argmin(psi))])
        assert plan.drift_limit / best == pytest.approx(1, abs=0.12)


def test_given_limits_are_taken():
    plan = scaled_plan(PROBLEM, 0.4, replace(OTHER, drift_limit=0.25))
    assert plan.drift_limit == 0.25
    assert plan.fresh == 5 + math.ceil(5.0 * plan.eta / 0.25)
    exact = scaled_plan(PROBLEM, 0.4, Knobs(drift_limit=5.0 * plan.eta / 0.7 / 7))
    assert exact.fresh == 1 + 7  # a quotient that is 7 up to rounding is not 8


def test_the_least_number_of_samples_is_two_for_every_step():
    T = scaled_plan(PROBLEM, 0.5, Knobs(drift_limit=50.0)).T
    assert scaled_plan(replace(PROBLEM, n=2 * T), 0.5, Knobs(drift_limit=50.0)).b_2 == 1
    with pytest.raises(ValueError, match=rf"n = .*: accuracy 0\.5 needs at least 2 T = {2 * T} samples"):
        scaled_plan(replace(PROBLEM, n=2 * T - 1), 0.5, Knobs(drift_limit=50.0))


def test_the_least_number_of_samples_is_two_for_every_fresh_gradient():
    tight = Knobs(drift_limit=1e-4)
    fresh = scaled_plan(PROBLEM, 0.5, tight).fresh
    assert scaled_plan(replace(PROBLEM, n=2 * fresh), 0.5, tight).b_1 == 1
    with pytest.raises(ValueError, match=rf"{fresh} fresh gradients need at least {2 * fresh} samples"):
        scaled_plan(replace(PROBLEM, n=2 * fresh - 1), 0.5, tight)


@pytest.mark.parametrize(
    ("n", "b_1", "b_2", "fresh", "calls"),
    [
        (100, 10, 3, 4, 4 + 20),
        (101.9, 10, 3, 4, 4 + 20),
        (35, 10, 3, 4, 3 + 1),  # only three fresh ones fit
        (40, 10, 3, 4, 4),
        (9, 10, 3, 4, 3),
        (100, 0, 3, 4, 0),
        (100, 10, 0, 4, 0),
        (5, 1, 1, 2, 5),
    ],
)
def test_how_many_calls_the_samples_last_for(n, b_1, b_2, fresh, calls):
    assert count_calls(n, b_1, b_2, fresh) == calls


def test_what_is_covered_has_samples_for_all_and_one_in_each_batch():
    assert has_enough_samples(100.0, 1, 1, 100)
    assert has_enough_samples(100.0, 2, 1, 99)
    assert not [at for at in ((100.0, 1, 1, 101), (100.0, 0, 1, 50), (100.0, 1, 0, 50), (100.0, 0, 0, 0)) if has_enough_samples(*at)]


@pytest.mark.parametrize("knobs", [Knobs(), replace(OTHER, K=3.0)])
def test_the_smallest_accuracy_is_found_to_a_millionth(knobs):
    problem = replace(PROBLEM, n=40_000)
    plan = smallest_scaled_plan(problem, knobs)
    assert plan.psi <= plan.accuracy / knobs.K
    for factor in (1 - 2e-6, 0.99, 0.9, 0.7):
        try:
            less = scaled_plan(problem, factor * plan.accuracy, knobs)
        except ValueError:
            continue
        assert less.psi > less.accuracy / knobs.K
    assert plan.accuracy < problem.ceiling


def test_an_accuracy_above_the_ceiling_is_found_too():
    problem = replace(PROBLEM, n=600, epsilon=0.3)
    plan = smallest_scaled_plan(problem, Knobs())
    assert plan.accuracy > 2 * problem.ceiling
    with pytest.raises(ValueError, match="too few samples for any scaled plan with psi <= alpha/8"):
        smallest_scaled_plan(replace(PROBLEM, n=2), Knobs())


def test_the_knobs_left_alone():
    assert asdict(Knobs()) == dict(k_eta=1.0, k_R=0.3, k_Gamma=6.0, Q=8, K=8.0, k_T=0.025, extra_fresh=0, drift_limit=None)


@pytest.mark.parametrize(("b_1", "b_2", "there"), [(1, 1, True), (1, 0, False), (0, 1, False), (7, 9, True)])
def test_what_exists_of_a_plan_with_so_large_batches(b_1, b_2, there):
    plan = replace(scaled_plan(PROBLEM, 0.5, Knobs()), b_1=b_1, b_2=b_2)
    found = plan.record()
    assert [found[name] is not None for name in OF_BATCHES] == [there] * 7
    assert {name: value for name, value in found.items() if name not in OF_BATCHES and name != "log_factor"} == {
        name: value for name, value in asdict(plan).items() if name not in OF_BATCHES and name != "log_factor"
    }


def test_rows_have_a_number_or_the_word_none():
    plan = recommend("gauss_psgd", **GIVEN)
    head, numbers, rest = plan.rows()
    assert head == [("", "as printed", "repaired", "scaled")]
    for name, *values in numbers:
        for value, one in zip(values, (plan.printed, plan.repaired, plan.scaled), strict=True):
            assert value == ("none" if name in OF_BATCHES and min(one.b_1, one.b_2) < 1 else getattr(one, name))
    assert any("none" in row for row in numbers)
    assert [row[0] for row in rest] == ["theorem", "smallest n with a promise", "can be run"]
    assert rest[0][1:] == ("gauss_psgd.theorem3", "gauss_psgd.repaired", "none: knobs")
    assert rest[1][1:3] == (plan.printed_promise.first_n, plan.repaired_promise.first_n)
    assert rest[1][3] == "none"
    assert rest[2][1:] == ("no", "no", "yes")


def test_what_is_left_out_of_a_recommendation():
    said = dict(m=1, omega=0.1, alpha=None, knobs=Knobs(), s=None, C_abs=1.0, base="e")
    given = {name: value for name, value in GIVEN.items() if name != "m"}
    assert recommend("gauss_psgd", **given).json() == recommend("gauss_psgd", **given, **said).json()


SCALED = {  # of the problem and the plan, what each sentence about a scaled plan asks
    "even a run that": lambda p, plan, K: plan.accuracy >= p.ceiling,
    "more noise than in the pilot runs": lambda p, plan, K: plan.psi > plan.accuracy / K,
    "where Lemma 3 no longer holds": lambda p, plan, K: plan.eta * p.ell > 1,
}


@pytest.mark.parametrize("alpha", [0.3, 0.5, 0.9, 1.9, 2.0, 3.5])
@pytest.mark.parametrize("n", [4e3, 3e5])
def test_sentences_about_a_scaled_plan(alpha, n):
    given = {**GIVEN, "n": n}
    plan = recommend("gauss_psgd", **given, alpha=alpha, knobs=Knobs(k_eta=1.2))
    text = " ".join(plan.caveats)
    for words, asked in SCALED.items():
        assert (words in text) == asked(Problem(**given), plan.scaled, 8.0), words


def test_the_ceiling_itself_says_nothing():
    plan = recommend("gauss_psgd", **GIVEN, alpha=2.0)
    assert Problem(**GIVEN).ceiling == 2.0
    assert "the accuracy 2 is not below min(L, ell^2/rho) = 2" in " ".join(plan.caveats)


def test_a_step_of_exactly_one_over_ell_is_allowed():
    """eta = k_eta sqrt(rho alpha) / ell^2."""
    given = {**GIVEN, "ell": 1.0, "rho": 1.0}
    said = [" ".join(recommend("gauss_psgd", **given, alpha=0.25, knobs=Knobs(k_eta=k)).caveats) for k in (2.0, 2.01)]
    assert ["where Lemma 3 no longer holds" in one for one in said] == [False, True]


@pytest.mark.parametrize("N", [0.05, 0.9, 1.0, 1.2, 3.0, 1e4])
def test_up_to_which_dimension_selection_does_not_spoil_the_rate(N):
    """N = sqrt(m) n epsilon: the smaller of N^2 and N^(6/13), which cross at 1."""
    problem = replace(PROBLEM, n=10, m=4, epsilon=N / 20)
    assert largest_dimension(problem) == pytest.approx(N**2 if N < 1 else N ** (6 / 13), rel=1e-12)


def test_whether_the_printed_drift_limit_fails_by_the_fourth_term():
    """alpha^2 = M^2 kappa (privacy U / (eta alpha^2))^2 with eta = sqrt(rho alpha)/M^2 has the root that is compared."""
    outcomes = []
    for power in np.linspace(0, 5, 60):
        for n in (1e4, 1e8):
            at = replace(PROBLEM, d=10**power, n=n)
            privacy_size, kappa = math.sqrt(at.d) / (math.sqrt(at.m) * at.n * at.epsilon), printed_drift_limit(at)

            def excess(alpha, at=at, size=privacy_size, kappa=kappa):
                eta = math.sqrt(at.rho * alpha) / at.ell**2
                return 2 * math.log(alpha) - math.log(at.ell**2 * kappa * (at.U / (eta * alpha**2) * size) ** 2)

            root = math.exp(brentq(lambda t, f=excess: f(math.exp(t)), -60, 60, xtol=1e-14))
            sampling = (at.L * at.U * at.ell / (at.m * at.n)) ** (1 / 3)
            private = at.L ** (2 / 15) * at.U**0.4 * at.ell ** (8 / 15) / at.rho ** (1 / 15) * privacy_size**0.4
            found = rates_at(at)
            assert found.theorem == pytest.approx(sampling + private, rel=1e-12)
            ratio = root / max(sampling, private)
            if abs(ratio - 1) > 1e-9:
                assert found.printed_fails == (ratio > 1)
                outcomes.append(ratio > 1)
            else:
                assert not found.printed_fails
    assert set(outcomes) == {True, False}
