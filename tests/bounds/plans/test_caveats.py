"""Every caveat of a plan that has a condition: it stands on one side of it and not on the other, next to the limit where that is known."""

import math

import pytest

from bounds import privacy
from bounds.dp_grape.recommend import recommend as grape
from bounds.dp_zopo.recommend import recommend as growth
from bounds.dpzero.recommend import recommend as smooth
from bounds.dpzero.sharp_schedule import ROUNDING, least_radius
from bounds.gauss_psgd.block import least_s
from bounds.gauss_psgd.feasibility import first_n
from bounds.gauss_psgd.fixed_point import Problem, gaussian_constant
from bounds.gauss_psgd.rates import rates_at
from bounds.gauss_psgd.recommend import exact_constant, is_private
from bounds.gauss_psgd.recommend import recommend as saddles
from bounds.gauss_psgd.scaled import Knobs

NEAR = 1e-9
BUDGET = {"epsilon": 2.0, "delta": 1e-6}
SMOOTH = {"method": "dpzero", "n": 1e4, "d": 1000, "r": 5.0, "L": 1.0, "ell": 1.0, "gap": 1.0, "B": 1.0, **BUDGET}
GRAPE = {"method": "dp_grape", "n": 1000, "d": 1e4, "r": 20, "L": 1.0, "ell": 1.0, "gap": 1.0, "spread": 1.0, "block": 50, **BUDGET}
GRAPE |= {"T_max": 2}
BLOCKS = GRAPE | {"method": "dp_grape_blocks"}
GROWTH = {"method": "dp_zoso", "n": 1e4, "d": 100, "L": 1.0, "growth_mu": 0.25, "radius": 1.0, "gap": 1.0, "T_max": 500, **BUDGET}
EASY = GROWTH | {"d": 2, "n": 1e5, "epsilon": 50.0, "target": 0.25, "T_max": None}
SADDLES = {"method": "gauss_psgd", "n": 1e6, "d": 10, "epsilon": 8.0, "delta": 1e-5, "L": 3.0, "ell": 1.0, "rho": 1.0, "U": 16.0}
CRITICAL = privacy.lemma_2_2_critical_epsilon(1e-6)
LEAKS = next(e for e in (0.5 * 1.1**k for k in range(100)) if not is_private(e, 1e-5))  # Definition 8 is for small epsilon
S = least_s("printed", 1.0)
S_REPAIRED = least_s("repaired", 1.0)
DIAMETER = "dp_zopo.sharp_growth certifies nothing here: its bound is not below the trivial bound, L times the diameter"
RATE = "the rate of Theorem 2 or 3 does not follow from its proof"

ROWS = {  # a call without the caveat, what of it is other with the caveat, and words of it
    "PL": (smooth, SMOOTH, {"mu": 0.1}, "The PL corollaries bound"),
    "no B": (smooth, SMOOTH, {"B": None}, "asks for |F_S| <= B on all of R^d, and no finite B was given"),
    "infinite B": (smooth, SMOOTH, {"B": math.inf}, "no finite B was given"),
    "Lemma 2.2": (smooth, SMOOTH | {"epsilon": CRITICAL}, {"epsilon": CRITICAL * (1 + NEAR)}, "the noise of Lemma 2.2 is not private"),
    "delta": (smooth, SMOOTH | {"delta": 1e-5 * (1 - NEAR)}, {"delta": 1e-5 * (1 + NEAR)}, "not well below 1/n"),
    "printed trivial": (smooth, SMOOTH | {"n": 1e5}, {"n": 1e3}, "is not below L^2 = 1, which every point satisfies"),
    "smaller trivial bound": (smooth, SMOOTH | {"n": 1e5}, {"n": 1e3}, "the trivial bound is smaller than what the theorem proves there"),
    "delta of dp_grape": (grape, GRAPE | {"delta": 1e-4 * (1 - NEAR)}, {"delta": 1e-4 * (1 + NEAR)}, "not well below 1/n"),
    "block": (grape, GRAPE, {"block": None}, "The largest layer is assumed to have 100 rows, the root of d"),
    "entries": (grape, BLOCKS, {"block": None}, "All blocks are assumed to have at most 10000 entries"),
    "no spread": (grape, GRAPE, {"spread": None}, "no D (spread) was given"),
    "printed bound": (grape, GRAPE | {"n": 1e5, "T_max": 20_000}, {"n": 100}, "The printed bound is"),
    "repaired bound": (grape, GRAPE | {"n": 1e5, "T_max": 20_000}, {"n": 100}, "The repaired bound is"),
    "sharp bound": (grape, GRAPE | {"n": 1e5, "T_max": 20_000}, {"n": 100}, "The sharp bound is"),
    "no printed C": (grape, GRAPE, {"n": 2, "epsilon": 1e-3, "L": 1e-3, "gap": 1e-12, "spread": 1e-12}, "and no printed schedule"),
    "mask": (growth, GROWTH, {"method": "dp_zopo", "rates": 0.5}, "on the coordinates of one static 0/1 mask"),
    "delta of dp_zoso": (growth, GROWTH | {"delta": 1e-5 * (1 - NEAR)}, {"delta": 1e-5 * (1 + NEAR)}, "not well below 1/n"),
    "DPZero": (growth, GROWTH, {"ell": 1.0, "r": 2.0}, "For comparison, if the loss is convex"),
    "half": (growth, GROWTH | {"n": 300}, {"n": 1e5}, "in the sharp variant of their last half"),
    "diameter": (growth, GROWTH | {"n": 1e5}, {"n": 10}, DIAMETER),
    "no printed T": (growth, GROWTH | {"n": 1e5}, {"n": 100}, "of its own formula, and here no T satisfies it: the noise does"),
    "no repaired T": (growth, EASY, {"T_max": 50}, "Theorem 2 corrected has no schedule of at most 50 steps"),
    "growth pays": (growth, EASY | {"weak": 0.0625 * (1 - NEAR)}, {"weak": 0.0625 * (1 + NEAR)}, "or rho is above mu/4"),
    "batches": (growth, GROWTH | {"T_max": 5}, {"batch_size": 9999}, "samples are drawn without replacement, afresh in each step"),
    "printed s": (saddles, SADDLES | {"s": S_REPAIRED * 2}, {"s": S / 2}, "Printed parameters: s = "),
    "repaired s": (saddles, SADDLES | {"s": S_REPAIRED}, {"s": S_REPAIRED * (1 - NEAR)}, "Repaired parameters: s = "),
    "printed promise": (saddles, SADDLES | {"n": 1e40}, {"n": 1e6}, "The printed parameters promise something from n = "),
    "repaired promise": (saddles, SADDLES | {"n": 1e80}, {"n": 1e6}, "The repaired parameters promise something from n = "),
    "per client": (saddles, SADDLES, {"m": 2}, "samples per client on."),
    "no batch": (saddles, SADDLES | {"n": 1e80}, {"n": 1e6}, "are too few to give each batch one sample"),
    "one dimension": (saddles, SADDLES | {"d": 2}, {"d": 1}, "Lemma 7 as printed has sigma = 0 at d = 1"),
    "budget": (saddles, SADDLES | {"s": S / 2}, {"s": None}, "the printed parameters would promise something from"),
    "Definition 8": (saddles, SADDLES | {"epsilon": LEAKS / 1.1}, {"epsilon": LEAKS}, "the noise of Definition 8"),
    "delta of m n": (saddles, SADDLES | {"m": 2, "delta": 5e-8 * (1 - NEAR)}, {"delta": 5e-8 * (1 + NEAR)}, "not well below 1/n = 5e-07"),
    "accuracy": (saddles, SADDLES | {"alpha": 1 - NEAR}, {"alpha": 1.0}, "So even a run that reaches it shows nothing"),
    "psi": (saddles, SADDLES, {"alpha": 0.2}, "more noise than in the pilot runs from which the knobs were chosen"),
    "step": (saddles, SADDLES | {"alpha": 1 - NEAR}, {"alpha": 1 + NEAR}, ", where Lemma 3 no longer holds"),
}  # fmt: skip
MADE = {}


def caveats(function, **asked):
    """The caveats of a plan, which is made once."""
    key = (function, tuple(sorted(asked.items())))
    if key not in MADE:
        MADE[key] = function(**asked).caveats
    return MADE[key]


@pytest.mark.parametrize("name", ROWS)
def test_a_caveat_stands_where_its_condition_holds_and_only_there(name):
    function, without, more, words = ROWS[name]
    assert not [text for text in caveats(function, **without) if words in text]
    assert [text for text in caveats(function, **without | more) if words in text]


@pytest.mark.parametrize(("precision", "unit"), ROUNDING.items())
def test_a_radius_below_what_a_precision_resolves_is_named_with_that_precision(precision, unit):
    sharp = smooth(**SMOOTH | {"lam": 1e-9}).sharp
    least = least_radius(size=1.0, C=sharp.C, unit=unit)
    for lam, there in ((least * 1.5, False), (least / 1.5, True)):  # C moves a little with lam
        said = [text for text in smooth(**SMOOTH | {"lam": lam}).caveats if f"is too small for {precision} precision" in text]
        assert bool(said) == there


def test_what_holds_of_both_columns_or_of_one_is_with_that_column_alone():
    plan = smooth(**SMOOTH | {"epsilon": CRITICAL * 2, "B": None, "n": 1e5})
    printed, sharp = plan.printed.caveats, plan.sharp.caveats
    assert {*printed} | {*sharp} == {*plan.caveats}
    for words, of in (("Lemma 2.2", printed), ("<= B", printed), ("lambda", sharp), ("x_tau", sharp)):
        assert [words in " ".join(column) for column in (printed, sharp)] == [of is printed, of is sharp], words


def test_the_limits_that_the_rows_take_are_those_of_the_theory():
    """Written here once more: 0.1/n of delta, mu/4 of rho, Definition 8 against the exact constant."""
    assert exact_constant(LEAKS, 1e-5) > gaussian_constant(1e-5) >= exact_constant(LEAKS / 1.1, 1e-5)
    assert privacy.lemma_2_2_is_private(CRITICAL, 1e-6)
    assert not privacy.lemma_2_2_is_private(CRITICAL * (1 + NEAR), 1e-6)
    problem = {name: value for name, value in SADDLES.items() if name != "method"}
    plan = saddles(**SADDLES)
    assert [one.first_n > 1e6 for one in (plan.printed_promise, plan.repaired_promise)] == [True, True]
    assert plan.printed_within_budget == first_n(Problem(**problem), batches="budget")
    inside = [RATE in " ".join(saddles(**SADDLES | {"n": n}).caveats) for n in (1e4, 1e6, 1e8)]
    assert inside == [rates_at(Problem(**problem | {"n": n})).in_window for n in (1e4, 1e6, 1e8)]


def test_a_knob_for_longer_steps_moves_the_end_of_lemma_3():
    with_it = [
        ", where Lemma 3 no longer holds" in " ".join(saddles(**SADDLES, alpha=0.3, knobs=Knobs(k_eta=k)).caveats) for k in (1.8, 1.9)
    ]
    assert with_it == [False, True]  # eta ell = k_eta sqrt(0.3) is above 1 from k_eta = 1.826 on
