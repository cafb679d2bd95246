"""The statements of the DPZero paper: constants, hypotheses, orders, and floats far out."""

import itertools
import math
import random
from dataclasses import replace
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

import bounds
from bounds import dpzero
from bounds.growth import Growth
from bounds.proofs.attack import attack
from bounds.proofs.certificates import Standing, verify
from bounds.proofs.inequalities import is_zero
from bounds.symbols import B, L, L_tilde, d, ell, gap, lam, mu, symbols
from tests.papers.dpzero.bounds import by_print

THEOREMS = {key: theorem for key, theorem in dpzero.THEOREMS.items() if ".sharp_" not in key and key != "dpzero.random_directions"}
PAPER = dict(n=10_000, d=2_000, r=8.18, epsilon=2.0, delta=1e-6, L=1.0, ell=1.0, gap=1.0, B=1.0, mu=0.5)
HUGE = dict(n=1e9, d=1e11, r=50.0, epsilon=2.0, delta=1e-15, L=3.0, ell=0.2, gap=5.0, B=7.0, mu=0.01)
KEYS = {
    *("dpzero.lemma_2_2", "dpzero.lemma_c1", "dpzero.lemma_c2", "dpzero.section4_tail", "dpzero.theorem1", "dpzero.theorem2"),
    *("dpzero.theorem3", "dpzero.corollary_f2", "dpzero.corollary_f3", "dpzero.corollary_f4", "dpzero.corollary_f4_as_printed"),
    *("dpzero.remark_f5", "dpzero.dp_gd", "dpzero.table1_dpgd_0th", "dpzero.table1_dpzero", "dpzero.table1_dp_gd"),
}


FORMULAS = [key for key, theorem in THEOREMS.items() if theorem.schedule and key not in ("dpzero.lemma_2_2", "dpzero.remark_f5")]


def test_every_statement_is_there_under_its_key():
    assert set(THEOREMS) == KEYS
    assert set(THEOREMS) <= set(bounds.THEOREMS)
    assert all(key == theorem.key for key, theorem in THEOREMS.items())
    assert all(theorem.source and theorem.measure for theorem in THEOREMS.values())


@pytest.mark.parametrize("key", FORMULAS)
@pytest.mark.parametrize("values", [PAPER, HUGE, {**PAPER, "n": 10**7, "d": 10, "r": 3.0, "mu": 0.9}])
def test_floats_agree_with_the_paper_in_50_digits(key, values):
    got = THEOREMS[key].evaluate(**values)
    with mp.workdps(50):
        exact = by_print(key.removeprefix("dpzero."), values)
        if exact["T"] > 0:
            assert abs(got.bound / exact["bound"] - 1) < 1e-12
            assert all(abs(got.schedule[name] / exact[name] - 1) < 1e-12 for name in got.schedule)
        else:
            assert not got.holds


def test_the_contract_of_theorem_3():
    got = bounds.THEOREMS["dpzero.theorem3"].evaluate(**PAPER)
    assert set(got.schedule) == {"alpha", "T", "C", "lam", "sigma"}
    assert got.parts["count"] == pytest.approx(PAPER["n"] * got.schedule["T"])
    assert got.holds


def test_what_a_method_counts_is_said():
    counted = {key: part.words for key, theorem in THEOREMS.items() for part in theorem.parts if part.name == "count"}
    assert {key for key, words in counted.items() if words == "gradients n T"} == {"dpzero.dp_gd"}
    assert {words for key, words in counted.items() if key != "dpzero.dp_gd"} == {"two-point gradients n T"}


@pytest.mark.parametrize(
    ("name", "left", "printed"),
    [
        *((name, "", None) for name in ("theorem1", "theorem2", "dp_gd", "corollary_f2", "corollary_f3")),
        ("theorem3", "left_of_C", 2 * sp.sqrt(2) * L_tilde),
        ("corollary_f4", "largest_C_0", L_tilde / (2 * sp.sqrt(2))),
    ],
)
def test_the_printed_schedule_turns_the_bound_for_any_schedule_into_the_printed_one(name, left, printed):
    """`left` is what the curvature leaves of the threshold, for which `printed` is inserted, together with the printed lam."""
    page, theorem = bounds.page(f"dpzero.{name}"), THEOREMS[f"dpzero.{name}"]
    before = theorem.any_schedule
    if left:
        assert before.has(page.formula(left))
        before = before.xreplace({page.formula(left): printed}).subs(lam, page.formula("lam_for_bias"))
    inserted = theorem.in_constants(before)
    assert is_zero(inserted - theorem.in_constants(theorem.bound))
    assert not is_zero(inserted - theorem.in_constants(theorem.bound.subs(gap, 2 * gap)))


@pytest.mark.parametrize("key", [key for key in FORMULAS if THEOREMS[key].any_schedule is not None])
def test_the_printed_bound_is_the_free_one_at_the_printed_schedule_in_floats(key):
    values = {**PAPER, "n": 10**7, "d": 20, "r": 3.0}
    printed = THEOREMS[key].evaluate(**values)
    free = THEOREMS[key].bound_at(**values, **printed.schedule)
    assert free <= printed.bound * (1 + 1e-9)
    assert free >= printed.bound * 0.99
    assert THEOREMS[key].bound_at(**values, alpha=2 * printed.schedule["alpha"]) == math.inf


def test_a_threshold_below_the_curvature_term_gives_no_guarantee_below_the_trivial_one():
    values = {**PAPER, "n": 10**7}
    free = [THEOREMS["dpzero.theorem3"].bound_at(**values, C=C, lam=1e-9) for C in (30.0, 10.0, 1.0, 1e-7)]
    assert free[0] < values["L"] ** 2 < free[2] < free[3]


@pytest.mark.parametrize("key", [key for key in FORMULAS if not key.endswith("printed")])
def test_bounds_scale_with_the_loss_and_schedules_do_not(key):
    theorem, s = THEOREMS[key], sp.Symbol("s", positive=True)
    scaled = {L: s * L, ell: s * ell, gap: s * gap, B: s * B, mu: s * mu}
    degree = 2 if "grad" in theorem.measure else 1
    bound = theorem.in_constants(theorem.bound)
    assert is_zero(bound.subs(scaled, simultaneous=True) - s**degree * bound)
    powers = {"alpha": -1, "T": 0, "C": 1, "lam": 0, "sigma": 1}
    for name, power in powers.items():
        if name in theorem.schedule and not theorem.schedule[name].has(sp.Min):
            entry = theorem.in_constants(symbols(name)[0])
            assert is_zero(entry.subs(scaled, simultaneous=True) - s**power * entry)


def test_the_misprinted_corollary_f4_is_told_from_the_proved_one():
    right, printed = THEOREMS["dpzero.corollary_f4"], THEOREMS["dpzero.corollary_f4_as_printed"]
    assert "parenthesis" in printed.notes[0]
    assert printed.schedule == right.schedule
    proof = bounds.DERIVATIONS["dpzero.corollary_f4"]  # of which the ICML text prints another last line
    misprint = proof.with_line(replace(proof["sum"], rhs=printed.bound))
    assert verify(misprint, "sum").outcome is Standing.FAILED
    assert attack(misprint, "sum", samples=40, digits=40).counterexample is not None
    far = {**PAPER, "n": 1e12}
    assert right.evaluate(**far).bound < 1e-9 < 1e3 < printed.evaluate(**far).bound  # as printed it does not vanish with n
    scaled = {name: 2 * PAPER[name] for name in ("L", "ell", "gap", "B", "mu")}
    ratio = {theorem.key: theorem.evaluate(**{**PAPER, **scaled}).bound / theorem.evaluate(**PAPER).bound for theorem in (right, printed)}
    assert ratio[right.key] == pytest.approx(2.0)
    assert ratio[printed.key] > 4.0


@pytest.mark.parametrize(
    ("values", "sentence", "bound"),
    [
        (dict(n=1, d=1, r=1, epsilon=1e-3, delta=0.5, L=1, ell=1, gap=0, B=0), "X = 1.503e-05 is", -7.09e5),
        (dict(n=10, d=10, r=2, epsilon=1e-3, delta=1e-6, L=1, ell=1, gap=0.01, B=0.01), "X = 0.01497 is", -9.90e4),
    ],
)
def test_theorem_3_says_so_when_its_logarithm_is_negative(values, sentence, bound):
    got = THEOREMS["dpzero.theorem3"].evaluate(**values)
    assert got.bound == pytest.approx(bound, rel=2e-3)
    assert math.isnan(got.schedule["C"])
    assert not got.holds
    assert any(caveat.startswith(sentence) for caveat in got.caveats)


def test_corollary_f2_says_so_when_no_step_is_prescribed():
    got = THEOREMS["dpzero.corollary_f2"].evaluate(n=10, d=10, epsilon=1, delta=1e-5, L=1, ell=1, mu=1, gap=0.1)
    assert got.schedule["T"] == pytest.approx(-379.7, abs=0.05)
    assert got.bound == pytest.approx(-3.5e4, rel=0.02)
    assert any(caveat.startswith("Y = 0.00868") for caveat in got.caveats)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (dict(epsilon=500.0, delta=1e-5), "outside the region"),
        (dict(n=1), "T = "),
        (dict(n=1000), "is not below L^2"),
        (dict(d=1e6), "2^-23"),
        (dict(d=1e12), "2^-52"),
        (dict(d=100), "which no finite difference exceeds"),
        (dict(B=0.1), "2 B"),
    ],
)
def test_unsaid_hypotheses_become_sentences(change, words):
    values = {**PAPER, "n": 10**7, "r": 2.0, "d": 10_000, "ell": 1e-3}
    fine = THEOREMS["dpzero.theorem3"].evaluate(**values)
    assert not any(words in caveat for caveat in fine.caveats)
    assert any(words in caveat for caveat in THEOREMS["dpzero.theorem3"].evaluate(**{**values, **change}).caveats)


def test_the_sentences_on_B_and_on_pl_are_notes():
    assert any("all of R^d" in note for note in THEOREMS["dpzero.theorem3"].notes)
    assert all(any("constant" in note for note in THEOREMS[f"dpzero.corollary_f{i}"].notes) for i in (2, 3, 4))


def test_remark_f5_is_theorem_3_with_a_maximum_and_a_minimum():
    few = {**PAPER, "n": 1}
    got, plain = THEOREMS["dpzero.remark_f5"].evaluate(**few), THEOREMS["dpzero.theorem3"].evaluate(**few)
    assert plain.schedule["T"] < 1
    assert got.schedule["T"] == 1.0
    assert got.bound == min(plain.bound, 1.0)
    assert THEOREMS["dpzero.remark_f5"].evaluate(**HUGE).bound == THEOREMS["dpzero.theorem3"].evaluate(**HUGE).bound


def test_lemma_2_2_at_the_sensitivity_of_a_clipped_mean_is_the_noise_of_the_algorithms():
    plan = THEOREMS["dpzero.theorem3"].evaluate(**PAPER).schedule
    lemma = THEOREMS["dpzero.lemma_2_2"].evaluate(
        T=plan["T"], epsilon=PAPER["epsilon"], delta=PAPER["delta"], sensitivity=2 * plan["C"] / PAPER["n"]
    )
    assert lemma.bound == pytest.approx(plan["sigma"], rel=1e-13)
    assert plan["sigma"] / plan["C"] / math.sqrt(plan["T"]) == pytest.approx(1.07735e-3, rel=1e-5)


BEHIND = {  # the theorem behind each entry; the left entries of DPZero and DP-GD are the right ones at r = d
    "dpzero.table1_dpgd_0th": ("dpzero.theorem1", "dpzero.theorem2"),
    "dpzero.table1_dpzero": ("dpzero.theorem3", "dpzero.theorem3"),
    "dpzero.table1_dp_gd": ("dpzero.dp_gd", "dpzero.dp_gd"),
}


@pytest.mark.parametrize("row", [THEOREMS[key] for key in BEHIND], ids=list(BEHIND))
def test_table_1_follows_from_the_theorems(row):
    without, with_rank = (part.value for part in row.parts)
    behind_without, behind_with = (THEOREMS[key] for key in BEHIND[row.key])
    together = {} if behind_without is THEOREMS["dpzero.theorem1"] else {"r": "d"}
    assert behind_without.leading("d", **together) == growth_of(without, "d")
    assert behind_with.leading("d") == growth_of(with_rank, "d")
    assert behind_with.leading("r").power == growth_of(with_rank, "r").power == sp.Rational(1, 2)
    assert behind_with.leading("n").power == -1  # Theorem 3 has a logarithm of n, which the table hides


def growth_of(expression, name):
    from bounds.growth import growth

    return growth(expression, symbols(name)[0])


def test_orders_under_pl_and_their_logarithms():
    assert THEOREMS["dpzero.corollary_f2"].leading("d") == Growth(3, 1)
    assert THEOREMS["dpzero.corollary_f3"].leading("d") == Growth(2, 1)
    assert THEOREMS["dpzero.corollary_f4"].leading("d") == Growth(0, 1)
    assert THEOREMS["dpzero.corollary_f4"].leading("n") == Growth(-2, 2)
    assert THEOREMS["dpzero.theorem3"].leading("epsilon").power == -1


@pytest.mark.parametrize(("key", "d_exponent"), [("theorem1", 1.5), ("theorem2", 1.0), ("dp_gd", 0.0)])
def test_local_exponents_of_pure_powers(key, d_exponent):
    exponents = THEOREMS[f"dpzero.{key}"].exponents(**PAPER)
    assert exponents["d"] == pytest.approx(d_exponent, abs=1e-12)
    assert exponents["n"] == pytest.approx(-1.0, abs=1e-12)
    assert exponents["r"] == pytest.approx(0.0 if key == "theorem1" else 0.5, abs=1e-12)


def test_the_dimension_enters_theorem_3_through_a_logarithm():
    exponents = THEOREMS["dpzero.theorem3"].exponents(**HUGE)
    assert 0 < exponents["d"] < 0.05
    assert 0.4 < exponents["r"] < 0.5
    assert -1 < exponents["n"] < -0.9


def sphere_moment(powers):
    """E prod u_i^powers_i for u uniform on the sphere of radius sqrt(d): squares of coordinates over d follow a Dirichlet law."""
    if any(power % 2 for power in powers):
        return Fraction(0)
    dimension, half = len(powers), sum(powers) // 2
    top = math.prod(Fraction(2 * j + 1, 2) for power in powers for j in range(power // 2))
    bottom = math.prod(Fraction(dimension, 2) + j for j in range(half))
    return Fraction(dimension) ** half * top / bottom


@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_the_moments_of_lemma_c1_by_exact_summation(dimension):
    chance = random.Random(dimension)
    a = [chance.randint(-5, 5) for _ in range(dimension)]
    H = [[chance.randint(-5, 5) for _ in range(dimension)] for _ in range(dimension)]
    everywhere = range(dimension)

    def moment(*indices):
        return sphere_moment([indices.count(i) for i in everywhere])

    def weighted(i, j):  # E (u'a)^2 u_i u_j
        return sum(a[k] * a[m] * moment(k, m, i, j) for k, m in itertools.product(everywhere, repeat=2))

    a_sq, a_i, a_j, a_H, trace_H = symbols("a_sq a_i a_j a_H trace_H")
    norm = sum(entry**2 for entry in a)
    trace = sum(H[i][i] for i in everywhere)
    quadratic = sum(a[i] * H[i][j] * a[j] for i, j in itertools.product(everywhere, repeat=2))
    at = {d: dimension, a_sq: norm, a_H: quadratic, trace_H: trace}
    parts = {part.name: part.value for part in THEOREMS["dpzero.lemma_c1"].parts}
    for i, j in itertools.product(everywhere, repeat=2):
        part = parts["iii diagonal"] if i == j else parts["iii off the diagonal"]
        assert weighted(i, j) == part.subs({**at, a_i: a[i], a_j: a[j]})
        assert moment(i, j) == (1 if i == j else 0)
        assert moment(i, i, j, j) == parts["fourth moment" if i == j else "mixed fourth moment"].subs(d, dimension)
    assert sum(H[i][j] * weighted(i, j) for i, j in itertools.product(everywhere, repeat=2)) == parts["iv weighted"].subs(at)
    assert sum(weighted(i, i) for i in everywhere) == parts["iii norm"].subs(at)
    assert sum(H[i][j] * moment(i, j) for i, j in itertools.product(everywhere, repeat=2)) == parts["iv trace"].subs(at)


@pytest.mark.parametrize("dimension", [2, 3, 10, 1_000, 10**5])
def test_the_tail_of_lemma_c1_is_above_the_exact_one(dimension):
    for C_ in (0.1, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0):
        if dimension > C_**2:
            exact = mp.betainc(0.5, (dimension - 1) / 2, C_**2 / dimension, 1, regularized=True)  # u_1^2 / d follows this Beta law
            assert exact <= THEOREMS["dpzero.lemma_c1"].evaluate(C=C_, a_sq=1.0).bound
    assert THEOREMS["dpzero.section4_tail"].evaluate(C=2.0, L=3.0).bound == pytest.approx(
        THEOREMS["dpzero.lemma_c1"].evaluate(C=2.0, a_sq=9.0).bound
    )


def test_lemma_c2_on_a_quadratic_where_both_sides_are_known():
    # f = (ell/2) x_1^2: the two-point gradient is ell x_1 u_1 u, whose second moment is ell^2 x_1^2 d
    ell_, x_1, dimension = 2.0, 0.7, 5
    exact = ell_**2 * x_1**2 * dimension
    got = THEOREMS["dpzero.lemma_c2"].evaluate(ell=ell_, lam=1e-3, d=dimension, a_sq=(ell_ * x_1) ** 2)
    assert exact <= got.parts["ii second moment"] <= 2.001 * exact
    assert got.bound == pytest.approx(ell_ / 2 * 1e-3 * dimension**1.5)
    assert is_zero(THEOREMS["dpzero.lemma_c2"].bound - ell * lam * d ** sp.Rational(3, 2) / 2)


@pytest.mark.parametrize("key", THEOREMS)
def test_every_statement_shows_itself(key, capsys):
    text, formula = THEOREMS[key].show(), THEOREMS[key].latex()
    assert key in text
    assert all(line == line.rstrip() for line in text.splitlines())
    assert formula.count("{") == formula.count("}")
    assert capsys.readouterr().out == ""


def test_importing_the_room_does_not_import_sympy():
    import subprocess
    import sys

    script = "import sys, bounds; sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
