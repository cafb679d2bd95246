"""How the free constants are searched: the grid that closes in, the number of steps, the radius, and the digits of the certificate."""

import itertools
import math

import mpmath as mp
import numpy as np
import pytest

from bounds.dpzero import sharp_schedule
from bounds.dpzero.sharp_noise import ClipNoise
from bounds.dpzero.sharp_numbers import START
from bounds.dpzero.sharp_schedule import CANDIDATES, Candidate, certified_bound, certified_bound_at, sharp_plan
from bounds.privacy.budget import Budget
from bounds.privacy.random_iterate import delta_uniform
from tests.bounds.dpzero import sharper

GIVEN = dict(n=20_000, d=300, r=6.0, epsilon=2.0, delta=1e-6, L=1.5, ell=0.4, gap=0.7)
EVERY = [one for each in CANDIDATES.values() for one in each]
CLIP, LIPSCHITZ, NEVER = CANDIDATES["dpzero"]


def problem(**changes):
    at = {**GIVEN, **changes}
    numbers = (float(at[name]) for name in ("n", "d", "r", "L", "ell", "gap"))
    return sharp_schedule._Problem(*numbers, ClipNoise(float(at["n"]), Budget(at["epsilon"], at["delta"])))


@pytest.mark.parametrize("candidate", EVERY, ids=lambda one: one.key)
def test_the_thresholds_of_a_theorem(candidate):
    """From a tenth of L d^power to sqrt(d), at most 40, times it; one that never clips has one C, not below L d^power."""
    for d, most in ((300.0, math.sqrt(300)), (1e9, 40.0)):
        power = {"dpgd_0th": 0.5, "never_clip": 0.5, "dpgd_0th_never_clip": 1.0}.get(candidate.key.removeprefix("dpzero.sharp_"), 0.0)
        unit = 1.5 * d**power
        low, high = candidate.threshold_range(d=d, L=1.5)
        if "never_clip" in candidate.key or candidate.key.endswith("dp_gd"):
            assert unit <= low == high <= unit * (1 + 1e-14)
        else:
            assert (low, high) == (pytest.approx(unit / 10), pytest.approx(most * unit))
    assert [one.key for one in EVERY if one.least_d == 4] == ["dpzero.sharp_lipschitz"]


def test_a_candidate_clips_in_any_dimension_unless_it_says_otherwise():
    assert (Candidate("dpzero.sharp_clip_bias", 0.0).clips, Candidate("dpzero.sharp_clip_bias", 0.0).least_d) == (True, 1)


def grids(monkeypatch, candidate, T=500.0, lam=0.0, **changes):
    """The grids of alpha and C that `best` asks for, the least value of each, and what it returns."""
    seen, real = [], sharp_schedule._Problem.bound_values

    def values(self, candidate, *, alpha, T, C, lam):
        table = real(self, candidate, alpha=alpha, T=T, C=C, lam=lam)
        seen.append((alpha.ravel(), C.ravel(), float(table.min())))
        return table

    with monkeypatch.context() as patch:
        patch.setattr(sharp_schedule._Problem, "bound_values", values)
        return seen, problem(**changes).best_at_steps(candidate, T, lam)


@pytest.mark.parametrize("candidate", EVERY, ids=lambda one: one.key)
def test_the_grid_closes_in_on_what_it_found(candidate, monkeypatch):
    """Every grid has the best of the one before among its points, so that nothing is lost on the way."""
    seen, (bound, alpha, C) = grids(monkeypatch, candidate)
    low, high = candidate.threshold_range(d=300.0, L=1.5)
    assert {len(alphas) for alphas, _, _ in seen} == {33}
    assert {len(Cs) for _, Cs, _ in seen} == {1 if low == high else 33}
    least = [value for _, _, value in seen]
    assert all(after <= before * (1 + 1e-12) for before, after in itertools.pairwise(least))
    widths = [math.log(alphas[-1] / alphas[0]) for alphas, _, _ in seen]
    assert all(after <= 0.401 * before for before, after in itertools.pairwise(widths[1:]))
    assert widths[-1] < 1e-3
    assert bound == least[-1]
    assert seen[-1][0][0] <= alpha <= seen[-1][0][-1]
    assert low <= C <= high
    p = problem()
    for a in (0.98, 1.02):
        for c in (0.98, 1.02) if low < high else (1.0,):
            assert p.bound_values(candidate, alpha=a * alpha, T=500.0, C=c * C, lam=0.0) >= bound


@pytest.mark.parametrize("T", [20.0, 5e4])
@pytest.mark.parametrize("candidate", EVERY, ids=lambda one: one.key)
def test_the_first_grid_spans_all_that_can_be_best(candidate, T, monkeypatch):
    """From a 30th to 30 times the step at which gap / (alpha T) is the term of the noise, below the 2 / ell at which a is 1."""
    p, (low, high) = problem(), candidate.threshold_range(d=300.0, L=1.5)
    (alphas, Cs, _), *_ = grids(monkeypatch, candidate, T)[0]

    def balanced(C):
        """gap / (alpha T) = alpha ell r sigma^2 / 2."""
        return math.sqrt(2 * 0.7 / (0.4 * 6.0 * T)) / p.noise.approximate_sigma(T, C)

    assert alphas[0] == pytest.approx(min(5.0, balanced(high)) / 30, rel=1e-9)
    assert alphas[-1] == pytest.approx(min(5.0, 30 * balanced(low)), rel=1e-9)
    assert (Cs[0], Cs[-1]) == (pytest.approx(low), pytest.approx(high))


def test_a_bound_that_means_nothing_is_infinite():
    p = problem()
    found = p.bound_values(CLIP, alpha=np.array([0.1, 4.9, 5.1, 50.0]), T=500.0, C=3.0, lam=0.0)
    assert math.isfinite(found[0])
    assert np.all(np.isinf(found[2:]))
    sigma = p.noise.approximate_sigma(500.0, 3.0)
    exact = certified_bound_at(CLIP.key, alpha=0.1, T=500.0, C=3.0, lam=0.0, sigma=sigma, d=300.0, r=6.0, L=1.5, ell=0.4, gap=0.7)
    assert found[0] == pytest.approx(exact, rel=1e-9)
    assert delta_uniform(epsilon=2.0, sigma=sigma, T=500, sensitivity=2 * 3.0 / 20_000) == pytest.approx(1e-6, rel=2e-3)


@pytest.mark.parametrize("candidate", [CLIP, CANDIDATES["dpgd_0th"][1]], ids=lambda one: one.key)
def test_with_any_number_of_steps_the_least_that_is_nearly_as_good_as_infinitely_many(candidate):
    p = problem()
    T = p.best_steps(candidate, None, 0.0)
    limit = p.best_at_steps(candidate, 1e30, 0.0)[0]
    assert p.best_at_steps(candidate, float(T), 0.0)[0] <= 1.01 * limit
    assert p.best_at_steps(candidate, 0.96 * T, 0.0)[0] > 1.01 * limit


def test_with_a_limit_the_best_of_a_coarse_grid_up_to_it():
    p = problem()
    for most in (1, 2, 7, 5_000):
        T = p.best_steps(CLIP, most, 0.0)
        assert most == T  # more and smaller steps help here
        tried = sorted({int(T) for T in np.geomspace(min(2, most), most, 12)} | {most})
        assert p.best_at_steps(CLIP, float(T), 0.0)[0] == min(p.best_at_steps(CLIP, float(one), 0.0)[0] for one in tried)
    loud = problem(epsilon=0.05, n=1_000)
    first = CANDIDATES["dp_gd"][0]
    best = loud.best_steps(first, 10**6, 0.0)
    for T in (10, 1_000, 10**6):
        assert loud.best_at_steps(first, float(best), 0.0)[0] <= loud.best_at_steps(first, float(T), 0.0)[0]


@pytest.mark.parametrize("candidate", [CLIP, LIPSCHITZ, NEVER], ids=lambda one: one.key)
def test_the_largest_radius_that_costs_a_hundredth(candidate):
    p = problem()
    bound, alpha, C = p.best_at_steps(candidate, 500.0, 0.0)
    lam = p.largest_radius(candidate, alpha=alpha, T=500, C=C)

    def cost(lam):
        return float(p.bound_values(candidate, alpha=alpha, T=500.0, C=C, lam=lam)) / bound - 1

    assert 0.0095 < cost(lam) <= 0.01 + 1e-9
    assert cost(1.011 * lam) > 0.01


def test_a_radius_that_costs_nothing_is_not_larger_than_a_thousand_times_the_scale():
    p = problem()
    first = CANDIDATES["dp_gd"][0]  # has no lam
    assert p.largest_radius(first, alpha=0.1, T=500, C=1.5) == pytest.approx(1e3 * 1.5 / 0.4, rel=0.011)


def test_the_start_is_certified_by_its_theorem_too():
    """Its theorem has no condition, so no step size makes it void."""
    at = dict(alpha=100.0, T=1.0, C=1.0, lam=0.1, sigma=1.0, d=300.0, r=6.0)
    for L, ell, gap, value in ((1.5, 0.4, 0.7, 0.56), (0.5, 0.4, 0.7, 0.25)):
        for found in (
            certified_bound_at(START, **at, L=L, ell=ell, gap=gap),
            certified_bound(sharper.THEOREMS[START], **at, L=L, ell=ell, gap=gap),
        ):
            assert value <= found <= value * (1 + 1e-15)


@pytest.mark.parametrize("method", CANDIDATES)
def test_the_numbers_of_a_plan_that_takes_no_step(method):
    plan = sharp_plan(method, **{**GIVEN, "n": 30, "epsilon": 0.01})
    assert (plan.theorem, plan.T, plan.C) == (START, 1, 1.5)
    assert plan.alpha == pytest.approx(1 / (0.4 * 8.0))
    assert plan.lam == (0.0 if method == "dp_gd" else pytest.approx(1.5 / (0.4 * 300)))
    assert plan.bound == pytest.approx(2 * 0.4 * 0.7)


@pytest.mark.parametrize("c", [1.0, 39.0, 41.0, 1e3])
def test_digits_are_left_after_the_worst_cancellation(c):
    """E (|N| - c)_+^4 loses what c^8 / 24 is of its largest term."""
    digits = sharp_schedule._needed_digits({"C": 1.5 * c, "L": 1.5})
    assert digits >= 60
    with mp.workdps(400):
        x = mp.mpf(c)
        tail, weight = mp.erfc(x / mp.sqrt(2)), mp.sqrt(2 / mp.pi) * mp.exp(-(x**2) / 2)
        exact = (x**4 + 6 * x**2 + 3) * tail - (x**3 + 5 * x) * weight
        lost = mp.log10((x**4 + 6 * x**2 + 3) * tail / exact)
    assert digits - lost >= 48
    assert digits - lost <= 62
    assert sharp_schedule._needed_digits({"C": 0.0, "L": 1.0}) == 60


def test_a_plan_left_to_its_defaults():
    said = sharp_plan(
        "dpzero", **GIVEN, T_max=sharp_schedule.printed_steps("dpzero", **{k: GIVEN[k] for k in ("n", "d", "r", "epsilon", "delta")})
    )
    assert sharp_plan(**GIVEN) == said
    assert said.theorem != START


def test_the_least_radius_and_its_defaults():
    assert sharp_schedule.least_radius(size=3.0, C=2.0) == sharp_schedule.least_radius(size=3.0, C=2.0, share=0.01, unit=2.0**-52)
    assert sharp_schedule.least_radius(size=3.0, C=2.0, share=0.5, unit=2.0**-23) == pytest.approx(3 * 2.0**-23, rel=1e-15)


@pytest.mark.parametrize(("d", "used"), [(3, False), (4, True)])
def test_a_theorem_is_used_from_its_least_dimension_on(d, used, monkeypatch):
    real, seen = sharp_schedule._candidate_plan, []
    monkeypatch.setattr(sharp_schedule, "_candidate_plan", lambda *given: seen.append(given[2].key) or real(*given))
    sharp_plan("dpzero", **{**GIVEN, "d": d, "r": 2.0})
    assert (LIPSCHITZ.key in seen) == used


def test_a_given_radius_is_what_stepsize_and_threshold_are_chosen_for(monkeypatch):
    real, seen = sharp_schedule._Problem.best_at_steps, set()
    monkeypatch.setattr(sharp_schedule._Problem, "best_at_steps", lambda self, one, T, lam: seen.add(lam) or real(self, one, T, lam))
    sharp_plan("dpzero", **GIVEN, lam=0.03)
    assert seen == {0.03}
