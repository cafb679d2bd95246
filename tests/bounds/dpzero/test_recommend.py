"""Recommendations: consistent with the theorems that they quote, private, and honest about their limits."""

import math

import pytest
from hypothesis import given, settings

import bounds
from bounds import privacy
from bounds.dpzero.recommend import METHODS, recommend
from bounds.privacy import random_iterate
from bounds.strategies import problems

PROBLEM = {"n": 10_000, "d": 2_000, "r": 8.18, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0}


def test_the_reference_problem():
    plan = recommend("dpzero", **PROBLEM, B=1.0)
    assert plan.printed.bound == pytest.approx(1.2843, abs=5e-4)  # trivial: above L^2
    assert plan.printed.certified == 1.0
    assert plan.printed.T == 4672
    assert plan.sharp.T <= 4672
    assert plan.sharp.certified <= 0.055
    assert "The bound 1.284 is not below L^2 = 1, which every point satisfies." in plan.caveats
    free = recommend("dpzero", **PROBLEM, B=1.0, T_max=None)
    assert free.sharp.certified <= 0.035


@pytest.mark.parametrize("method", METHODS)
def test_both_plans_are_private_by_the_exact_curve(method):
    plan = recommend(method, **PROBLEM, B=1.0)
    sensitivity = 2 * plan.printed.C / PROBLEM["n"]
    assert privacy.delta_gaussian(epsilon=2.0, sigma=plan.printed.sigma, T=plan.printed.T, sensitivity=sensitivity) <= 1e-6
    sensitivity, T = 2 * plan.sharp.C / PROBLEM["n"], plan.sharp.T
    spent = privacy.delta_gaussian if T == 1 else random_iterate.delta_uniform  # x_0 needs no noise, and has that of one release
    delta = spent(epsilon=2.0, sigma=plan.sharp.sigma, T=T, sensitivity=sensitivity)
    assert 0.999e-6 <= delta <= 1e-6
    lie = spent(epsilon=2.0, sigma=plan.sharp.sigma, T=T, sensitivity=2 * sensitivity)
    assert lie > 1e-6  # a sensitivity of C/n instead of 2C/n would be caught


@pytest.mark.parametrize("method", METHODS)
def test_the_printed_plan_quotes_its_theorem(method):
    plan = recommend(method, **PROBLEM, B=1.0)
    theorem = bounds.THEOREMS[plan.printed.theorem]
    found = theorem.evaluate(**{k: v for k, v in plan.problem.items() if k in theorem.parameters})
    assert plan.printed.bound == found.bound
    assert (plan.printed.alpha, plan.printed.C) == pytest.approx((found.schedule["alpha"], found.schedule["C"]), rel=1e-15)
    assert plan.printed.certified <= plan.printed.bound
    assert abs(plan.printed.T - found.schedule["T"]) < 1
    assert math.isnan(plan.sharp.lam) == (method == "dp_gd")


def test_an_unknown_rank_is_d_and_uses_theorem_1():
    unknown = {**PROBLEM, "r": None}
    assert recommend("dpgd_0th", **unknown).printed.theorem == "dpzero.theorem1"
    assert recommend("dpzero", **unknown, B=1.0).problem["r"] == 2000


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"epsilon": 200.0}, "noise of Lemma 2.2 is not private"),
        ({"epsilon": 1e-3, "n": 10, "d": 10, "r": 2.0, "gap": 0.01, "B": 0.01}, "X = 0.01497 is not above 1"),
        ({"epsilon": 0.01, "n": 10}, "is below 1"),
        ({"B": None}, "no finite B was given"),
        ({"d": 10}, "is above L sqrt(d)"),
        ({"d": 10_000_000_000}, "even in double precision"),
        ({"mu": 0.1}, "force F_S to be constant"),
    ],
)
def test_caveats_are_full_sentences(change, words):
    plan = recommend("dpzero", **{**PROBLEM, "B": 1.0, **change})
    said = [caveat for caveat in plan.caveats if words in caveat]
    assert said, plan.caveats
    assert all(caveat.endswith(".") for caveat in plan.caveats)


def test_a_small_epsilon_gets_no_false_alarm_about_privacy():
    assert not [c for c in recommend("dpzero", **PROBLEM, B=1.0).caveats if "not private" in c]


@pytest.mark.parametrize(("epsilon", "said"), [(150.0, 0), (200.0, 1)])
def test_whether_the_printed_noise_is_enough_is_computed_and_said_once(epsilon, said):
    """Lemma 2.2 is proved up to epsilon = 134; up to 169 its noise is private all the same, so its condition alone warns of nothing."""
    about = [one for one in recommend("dpzero", **{**PROBLEM, "epsilon": epsilon, "delta": 1e-5}, B=1.0).caveats if "Lemma 2.2" in one]
    assert len(about) == said


def test_misjudged_constants_cost_what_the_theorem_says():
    plan = recommend("dp_gd", **PROBLEM)
    by_name = {one.constant: one for one in plan.misjudged}
    assert set(by_name) == {"L", "ell", "r"}
    again = bounds.THEOREMS["dpzero.dp_gd"].bound_at(
        **{k: v for k, v in PROBLEM.items() if k != "d"} | {"r": 2 * 8.18}, alpha=1.0, T=plan.printed.T, C=1.0
    )
    assert by_name["r"].printed == again
    assert again > plan.printed.certified
    assert by_name["r"].sharp > plan.sharp.certified
    assert by_name["ell"].printed == 1.0  # alpha = 1/ell would be too large: only the trivial bound is left


def test_how_T_was_found_is_a_sentence():
    for epsilon in (2.0, 1e-5):
        plan = recommend("dpzero", **{**PROBLEM, "epsilon": epsilon, "B": 1.0})
        (said,) = [caveat for caveat in plan.caveats if "T*" in caveat and caveat.startswith("T = ")]
        assert said.startswith(f"T = {plan.printed.T}, {'the better of floor and ceiling of' if epsilon == 2 else 'because'} T* = ")
        assert not any("T is T*" in caveat for caveat in plan.caveats)


@pytest.mark.parametrize(("delta", "said"), [(1e-6, False), (1e-5, False), (2e-5, True), (0.4, True)])
def test_a_delta_that_is_not_well_below_one_over_n_draws_a_remark(delta, said):
    plan = recommend("dp_gd", **{**PROBLEM, "delta": delta})
    found = [caveat for caveat in plan.caveats if f"With delta = {delta:.3g}, not well below 1/n = 0.0001" in caveat]
    assert len(found) == said
    if delta == 0.4:
        assert "show 4,000 of the 10,000 records on average" in found[0]


def test_latex_and_bad_input():
    text = recommend("dp_gd", **PROBLEM).latex()
    assert text.count(r" \\") == 13
    assert r"$\lambda$ & none & none \\" in text
    for change, words in (
        ({"r": 0.5}, "r = 0.5"),
        ({"n": -1}, "n = -1"),
        ({"delta": 1.0}, "delta"),
        ({"mu": 0.0}, "mu"),
        ({"B": -1.0}, "B"),
    ):
        with pytest.raises(ValueError, match=words):
            recommend("dpzero", **{**PROBLEM, "B": 1.0, **change})
    with pytest.raises(ValueError, match="method = 'sgd'"):
        recommend("sgd", **PROBLEM)
    with pytest.raises(ValueError, match="no PL corollary for dp_gd"):
        recommend("dp_gd", **PROBLEM, mu=0.1)


@given(problem=problems())
@settings(max_examples=12)
def test_any_problem_gets_a_plan_that_is_never_worse_than_the_printed_one(problem):
    for method in METHODS:
        plan = recommend(method, **problem)
        assert plan.sharp.certified > 0
        assert plan.sharp.certified <= problem["L"] ** 2 * (1 + 1e-12)
        assert plan.sharp.certified <= plan.printed.certified * (1 + 1e-9)
        assert max(1, plan.printed.T) >= plan.sharp.T


def test_a_column_has_its_own_caveats_and_those_of_both():
    plan = recommend("dpzero", **{**PROBLEM, "epsilon": 200.0})
    where = {
        "Lemma 2.2 is not private": (True, False),
        "no finite B": (True, False),
        "publish x_tau": (False, True),
        "public upper bounds": (True, True),
    }
    for words, (printed, sharp) in where.items():
        found = [any(words in said for said in one) for one in (plan.caveats, plan.printed.caveats, plan.sharp.caveats)]
        assert found == [True, printed, sharp], words


@pytest.mark.parametrize(("method", "key"), [("dpzero", "dpzero.corollary_f4"), ("dpgd_0th", "dpzero.corollary_f3")])
def test_under_PL_the_printed_plan_is_that_of_the_corollary_of_its_theorem(method, key):
    assert recommend(method, **PROBLEM, B=1.0, mu=0.1).printed.theorem == key


def test_where_no_printed_schedule_exists_a_wrong_constant_leaves_the_trivial_bound():
    plan = recommend("dpzero", n=8, d=60, epsilon=3e-4, delta=5e-3, L=0.9, ell=2.7e-6, gap=4e5)
    assert math.isnan(plan.printed.C)
    assert [one.printed for one in plan.misjudged] == [4 * 0.9**2, 0.9**2, 0.9**2]
    assert all(math.isfinite(one.sharp) for one in plan.misjudged)


def test_with_a_guessed_B_only_what_every_point_satisfies_is_certified():
    easy = {**PROBLEM, "n": 10**9, "L": 1.5}
    assert recommend("dpzero", **easy, B=1.0).printed.certified < 0.1
    assert recommend("dpzero", **easy).printed.certified == 1.5**2
    known, guessed = recommend("dpzero", **easy, mu=0.1, B=1.0), recommend("dpzero", **easy, mu=0.1)
    assert known.printed.certified < 0.1 < known.misjudged[0].printed < math.inf  # twice L
    assert guessed.printed.certified == math.inf
    assert [one.printed for one in guessed.misjudged] == [math.inf] * 3


@pytest.mark.parametrize(("B", "size"), [({}, "0.5"), ({"B": 300.0}, "300")])
def test_what_a_precision_resolves_depends_on_the_size_of_the_losses(B, size):
    said = [text for text in recommend("dpzero", **PROBLEM, **B, lam=1e-15).caveats if "two-point difference needs" in text]
    assert len(said) == 2
    assert all(f"With losses of size {size} a two-point" in text for text in said)
