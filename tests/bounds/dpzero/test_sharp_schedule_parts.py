"""What the choice of a schedule is made of, piece by piece: the printed number of steps, x_0 itself, and the judgements on a plan."""

import math
from dataclasses import fields, replace

import pytest

import bounds
from bounds import privacy
from bounds.dpzero import sharp_schedule
from bounds.dpzero.recommend import METHODS, PRINTED, recommend
from bounds.dpzero.sharp_numbers import START

NOISY = {"n": 30.0, "d": 50.0, "r": 7.0, "epsilon": 0.01, "delta": 1e-5}  # nothing is proved to beat x_0 here
PROBLEMS = [
    {"n": 10_000.0, "d": 2_000.0, "r": 8.18, "epsilon": 2.0, "delta": 1e-6},
    {"n": 300.0, "d": 40.0, "r": 40.0, "epsilon": 0.7, "delta": 1e-3},
    {"n": 10**8, "d": 10**9, "r": 31.0, "epsilon": 5.0, "delta": 1e-12},
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_printed_number_of_steps_is_that_of_the_theorem(method, problem):
    theorem = bounds.THEOREMS[PRINTED[method]]
    T = theorem.evaluate(**problem, L=1.0, ell=1.0, gap=1.0, B=1.0).schedule["T"]
    found = sharp_schedule.printed_steps(method, **problem)
    assert found == max(1, math.floor(T))
    n, d, r, epsilon = (problem[name] for name in ("n", "d", "r", "epsilon"))
    budget = n * epsilon / math.sqrt(r * math.log(math.e + epsilon / problem["delta"]))
    assert found == max(1, math.floor({"dpzero": (r + 2) * budget / 4, "dpgd_0th": (r + 2) * budget / d, "dp_gd": budget}[method]))


def test_the_printed_number_of_steps_is_one_where_the_theorem_has_less():
    for method in METHODS:
        assert sharp_schedule.printed_steps(method, n=1.0, d=1e6, r=1.0, epsilon=0.01, delta=0.1) == 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("L", "ell", "gap", "attained"),
    [(1.5, 0.3, 9.0, 2.25), (2.0, 3.0, 0.125, 0.75)],  # L^2 is the smaller, 2 ell gap is
)
def test_the_plan_that_publishes_x_0_says_what_its_theorem_certifies(method, L, ell, gap, attained):
    plan = sharp_schedule.sharp_plan(method, **NOISY, L=L, ell=ell, gap=gap)
    assert (plan.theorem, plan.T, plan.sigma_path) == (START, 1, plan.sigma)
    schedule = {one.name: getattr(plan, one.name) for one in fields(plan) if one.name in sharp_schedule.LETTERS}
    exact = sharp_schedule.certified_bound_at(START, **schedule, d=NOISY["d"], r=NOISY["r"], L=L, ell=ell, gap=gap)
    assert attained < exact <= plan.bound <= attained * (1 + 2.0**-48)
    spent = privacy.delta_gaussian(epsilon=NOISY["epsilon"], sigma=plan.sigma, T=1, sensitivity=2 * plan.C / NOISY["n"])
    assert 0.999e-5 <= spent <= 1e-5  # not used, and private all the same
    assert "publish x_0" in plan.caveats[0]


def twice(constant, problem):
    return {**problem, constant: 2 * problem[constant]}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("constant", ["L", "ell", "r"])
def test_a_misjudged_constant_is_judged_by_both_theorems_at_twice_its_value(method, constant):
    problem = {"n": 10**6, "d": 300.0, "r": 3.0, "epsilon": 4.0, "delta": 1e-8, "L": 1.5, "ell": 0.4, "gap": 0.7, "B": 2.0}
    plan = recommend(method, **problem)
    (found,) = (one for one in plan.misjudged if one.constant == constant)
    true = twice(constant, problem)
    theorem = bounds.THEOREMS[plan.printed.theorem]
    printed = {name: getattr(plan.printed, name) for name in ("alpha", "T", "C") + (("lam",) if method != "dp_gd" else ())}
    used = {name: true[name] for name in theorem.parameters if name in true}
    expected = theorem.bound_at(**(used | {"d": true["d"], "r": true["r"]} if method != "dp_gd" else used), **printed)
    assert found.printed == min(expected, true["L"] ** 2)
    sharp = {name: getattr(plan.sharp, name) for name in ("alpha", "T", "C", "sigma")}
    lam = 0.0 if method == "dp_gd" else plan.sharp.lam
    certified = sharp_schedule.certified_bound_at(
        plan.sharp.theorem, **sharp, lam=lam, **{name: true[name] for name in ("d", "r", "L", "ell", "gap")}
    )
    assert found.sharp == min(certified, true["L"] ** 2)
    assert found.sharp > plan.sharp.certified


def test_a_misjudged_Lipschitz_constant_leaves_the_true_trivial_bound_where_a_threshold_clips():
    """With the threshold at the assumed L, gradients of twice that length are clipped, and only (2 L)^2 is left."""
    plan = recommend("dp_gd", n=10**5, d=300.0, r=3.0, epsilon=4.0, delta=1e-8, L=1.5, ell=0.4, gap=0.7)
    by_name = {one.constant: one for one in plan.misjudged}
    assert (by_name["L"].printed, by_name["L"].sharp) == (9.0, 9.0)
    assert by_name["ell"].printed == 2.25


def test_a_corollary_on_F_has_no_trivial_bound_to_fall_back_on():
    """With mu the printed bound is one on F - F^*, of which |grad F| <= L says nothing: where it fails, nothing is left."""
    plan = recommend("dpzero", n=1e6, d=200, r=5.9, epsilon=2, delta=1e-6, L=1, ell=1, gap=1, B=1, mu=0.1)
    by_name = {one.constant: one.printed for one in plan.misjudged}
    assert by_name["ell"] == by_name["r"] == math.inf
    assert 4.0 < by_name["L"] < math.inf


def test_a_misjudged_Lipschitz_constant_can_cost_less_than_everything():
    """DPZero clips at a few L: with twice the L it clips more, which its theorem counts; neither entry is that of another constant."""
    plan = recommend("dpzero", n=10**6, d=300.0, r=3.0, epsilon=4.0, delta=1e-8, L=1.0, ell=1.0, gap=1.0, B=1.0)
    by_name = {one.constant: one.sharp for one in plan.misjudged}
    assert plan.sharp.certified < by_name["L"] < 4.0
    assert len({*by_name.values()}) == 3


ROUNDED = {"n": 10_000, "d": 2_000, "r": 8.18, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0, "B": 3.0}


def unresolved(lam):
    """Return C of the sharp plan, and the least radius that each precision said to be too coarse for lam needs."""
    plan = recommend("dpzero", **ROUNDED, lam=lam)
    said = [caveat for caveat in plan.caveats if "two-point difference needs" in caveat]
    limits = {}
    for one in said:
        name, needed = one.partition(" precision")[0].split()[-1], one.partition("lambda of at least ")[2].split()[0]
        assert f"Give lam={needed} to see" in one
        limits[name] = float(needed)
    return plan.sharp.C, limits


def test_a_radius_that_a_precision_does_not_resolve_names_that_precision_and_no_other():
    C, limits = unresolved(1e-16)
    assert list(limits) == ["double", "single"]
    exact = 2.0**-53 * ROUNDED["B"] / (0.01 * C)  # one rounding of a loss of size B moves the difference by this over lam
    assert 0.99 * exact < limits["double"] < 2.01 * exact
    assert limits["single"] / limits["double"] == pytest.approx(2.0**29, rel=0.01)
    assert list(unresolved(1.1 * limits["double"])[1]) == ["single"]
    assert list(unresolved(0.9 * limits["single"])[1]) == ["single"]
    assert list(unresolved(0.9 * limits["double"])[1]) == ["double", "single"]
    assert list(unresolved(1.5 * limits["single"])[1]) == []  # a wide radius takes a larger C: the limit falls


@pytest.mark.parametrize("B", [None, math.inf])
def test_without_a_bound_on_the_loss_the_least_that_the_gap_allows_is_used_and_said(B):
    problem = {**{name: ROUNDED[name] for name in ("n", "delta", "ell")}, "d": 20, "r": 2.0, "epsilon": 20.0, "L": 2.0, "gap": 0.8}
    plan = recommend("dpzero", **problem, B=B)
    assert plan.problem["B"] == 0.4
    (said,) = [caveat for caveat in plan.caveats if "no finite B was given" in caveat]
    assert "gap / 2 = 0.4, the smallest B that the gap allows" in said
    given = recommend("dpzero", **problem, B=0.4)
    assert said not in given.caveats
    assert given.printed.certified < problem["L"] ** 2
    assert plan.printed == replace(given.printed, certified=problem["L"] ** 2, caveats=(said, *given.printed.caveats))
    assert [one.printed for one in plan.misjudged] == [(2 * problem["L"]) ** 2, problem["L"] ** 2, problem["L"] ** 2]
    assert all(one.printed >= two.printed for one, two in zip(plan.misjudged, given.misjudged, strict=True))


def test_without_a_bound_on_the_loss_nothing_is_certified_under_PL():
    problem = {name: ROUNDED[name] for name in ("n", "d", "r", "epsilon", "delta", "L", "ell", "gap")}
    plan = recommend("dpzero", **problem, mu=0.15)
    assert plan.printed.certified == math.inf
    assert [one.printed for one in plan.misjudged] == [math.inf] * 3
    (said,) = [caveat for caveat in plan.caveats if "no finite B was given" in caveat]
    assert "nothing is certified" in said


def test_the_sharp_plan_divided_by_twice_mu_is_what_a_caveat_offers_under_PL():
    problem = {name: ROUNDED[name] for name in ("n", "d", "r", "epsilon", "delta", "L", "ell", "gap", "B")}
    plan = recommend("dpzero", **problem, mu=0.15)
    assert plan.printed.theorem == "dpzero.corollary_f4"
    assert plan.problem["mu"] == 0.15
    (said,) = [caveat for caveat in plan.caveats if "divided by 2 mu" in caveat]
    assert "2 mu = 0.3," in said
