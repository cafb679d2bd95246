"""The algebra of Gauss-PSGD's ledger: its helpers against obvious twins, and that its tables point where they say."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

import bounds
from paper_checks import papers
from paper_checks.gauss_psgd import block, discussion, exponents, printed, rates, theorem4
from paper_checks.gauss_psgd.lemmas import corollary_3_lemmas_10_to_15, lemmas_7_to_9
from paper_checks.shared import formulas, witness
from paper_checks.shared import orders as units
from paper_checks.shared import tails as laws
from paper_checks.shared.proofs import named_lines
from paper_checks.verdict import Outcome

CLAIMS = papers.claims("gauss_psgd")
# what holds instead is examined by other steps than the one the entry names: it is in words, or the repair is another
OTHERWISE = {"both_roots", "53_natural", "79", "composition", "definition7", "contribution_2"}
FALSE = [claim for claim in CLAIMS if claim.examine is witness.check_witness]
INSTEAD = [claim for claim in CLAIMS if claim.examine is witness.check_correction]


def test_every_printed_false_line_has_a_claim_and_a_repair():
    assert {claim.arguments["key"] for claim in FALSE} == set(witness.false_lines("gauss_psgd"))
    keys = {claim.key for claim in CLAIMS}
    for claim in FALSE:
        assert claim.repaired_by in keys


@pytest.mark.parametrize(
    "claim", [one for one in INSTEAD if one.key.rpartition("repaired_")[2] not in OTHERWISE], ids=lambda claim: claim.key
)
def test_the_steps_that_hold_instead_are_those_of_the_entry(claim):
    steps = named_lines("gauss_psgd", claim.arguments["steps"])
    assert witness.false_lines("gauss_psgd")[claim.arguments["key"]].instead in {f"{derivation.key}:{name}" for derivation, name in steps}
    assert all(derivation[name].is_formula for derivation, name in steps)


def test_every_statement_and_derivation_is_reached():
    keys = {".".join(claim.key.split(".")[:2]) for claim in CLAIMS} | {key for claim in CLAIMS for key in claim.derivations}
    ours = {key for key in (*bounds.THEOREMS, *bounds.DERIVATIONS) if key.startswith("gauss_psgd.")}
    assert ours <= keys


@pytest.mark.parametrize(("relation", "left", "right", "found"), [
    ("=", 1, 1, True), ("=", 1, 1.001, False), ("<=", 1, 1, True), ("<", 1, 1, False), (">", 2, 1, True), (">=", 1, 2, False),
])  # fmt: skip
def test_relations_between_numbers(relation, left, right, found):
    assert witness.relation_holds(relation, left, right) is found


@pytest.mark.parametrize("ratio", [0.3, 0.6, 0.75, 0.8, 6 / 7, 0.9, 1.0, 1.05, 1.1, 1.2, 2.0])
def test_the_best_kappa_against_a_grid(ratio):
    rows = np.array(exponents.error_term_exponents(), dtype=float)
    grid = np.arange(0, 12, 1e-4)
    smallest = (rows[:, :1] + rows[:, 1:2] * ratio + rows[:, 2:] * grid).min(axis=0)
    # an exponent changes by at most twice the spacing of the grid between two points
    assert float(exponents.best_exponent(exponents.error_term_exponents(), Fraction(ratio).limit_denominator(1000))) == pytest.approx(
        smallest.max(), abs=2e-3
    )


def test_a_window_that_is_too_narrow_or_too_wide_is_refuted():
    for low, high in (("4/5", "11/10"), ("7/10", "11/10"), ("3/4", "12/10")):
        assert exponents.check_loss_window(limit="printed", clients=False, low=low, high=high).outcome is Outcome.REFUTED


def test_the_slope_is_the_difference_quotient_of_the_root():
    for spread, kappa in ((0.0, "printed"), (1 / 6, "printed"), (1 / 6, "best"), (0.5, "best")):
        (low, _), (at, slope), (high, _) = (rates.accuracy_and_slope(x, spread, kappa) for x in (59.9, 60.0, 60.1))
        assert slope == pytest.approx((high - low) / 0.2, abs=1e-4)
        assert low > at > high


def test_monomials_and_units():
    assert formulas.monomial_exponents(printed.n**2 / sp.sqrt(printed.d), printed.n, printed.d) == (2, -sp.Rational(1, 2))
    with pytest.raises(ValueError, match="a product of powers"):
        formulas.monomial_exponents(1 + printed.n, printed.n)
    assert units.unit_powers(printed.G**2 / printed.M, block.UNITS) == (1, 0)  # a squared gradient over a second derivative is a value
    assert block.STEP == (-1, 2)


def test_the_least_constant_is_where_the_tail_crosses():
    found = laws.least_constant(lambda t: math.exp(-t), math.exp(-6), 2.0)
    assert found == pytest.approx(3.0)
    assert laws.least_constant(lambda t: 0.1, 0.5, 1.0) == 0.0


def test_sums_of_signs_by_enumeration():
    for count in (1, 4, 7):
        sums = [abs(sum(path)) for path in itertools.product((1, -1), repeat=count)]
        for t in (0, 0.5, 1, 3, 7):
            assert laws.sign_sum_tail(count)(t) == pytest.approx(np.mean([one > t for one in sums]))


def test_too_small_a_constant_is_refuted():
    assert corollary_3_lemmas_10_to_15.check_lemma11_constant(counts=(1, 2, 7), iotas=(1.0, 5.0), claimed=0.5).outcome is Outcome.REFUTED
    assert corollary_3_lemmas_10_to_15.check_lemma13_normal(counts=(1, 7), iotas=(1.0, 5.0), claimed=0.5).outcome is Outcome.REFUTED


def test_the_drift_by_hand():
    rows = lemmas_7_to_9.drift_rows([Fraction(1)] * 4, Fraction(2))
    assert [row[3] for row in rows] == [True, False, True, False]
    assert [row[1] for row in rows] == [1, 2, 1, 2]
    assert [row[2] for row in rows] == [0, 1, 0, 1]


def test_a_text_without_the_slip_is_not_refuted():
    assert discussion.check_saddle_definition(eigenvalues=(-2.0, -1.5), alpha=1.0, rho=1.0).outcome is Outcome.CONSISTENT
    assert discussion.check_meanings_of_U(height=1.0, start=0.0).outcome is Outcome.CONSISTENT
    assert theorem4.check_bernstein_condition(claimed="4/9").outcome is Outcome.PROVED
