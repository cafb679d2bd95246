"""A witness refutes as it is printed: from the strings that a reader sees, with nothing but these."""

from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from bounds.proofs.attack import attack
from bounds.proofs.lines import Identity, NonNegative, line
from bounds.symbols import d, gap, n, symbols
from paper_checks import papers
from paper_checks.shared.shrink import distinguishing_texts
from paper_checks.shared.steps import check_steps, exact_float
from paper_checks.shared.witness import check_witness, exact_value, false_lines
from paper_checks.verdict import Outcome, paper_of
from tests.bounds.proofs.toy import chain, step
from theory_lab.report.page import exact_text

(rate,) = symbols("eta")
FALSE_LINES = [claim for claim in papers.claims() if claim.examine is check_witness or "at_witness" in repr(claim.examine)]
COMPARED = {
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
    "=": lambda a, b: a == b,
}


def read(text):
    """A printed number, in 100 digits."""
    return mp.mpf(Fraction(text).numerator) / Fraction(text).denominator if "/" in text else mp.mpf(text)


def sides(step, letters):
    """Both sides of a step with what is printed put in."""
    order = sorted(step.lhs.free_symbols | step.rhs.free_symbols, key=str)
    return sp.lambdify(order, [step.lhs, step.rhs], modules="mpmath")(*(read(letters[one.name]) for one in order))


@pytest.mark.parametrize(
    ("lhs", "relation", "rhs"),
    [
        (d + n, "<=", d + n - 1),
        (d + n * sp.Rational(1, 10**9), "<=", d),
        (d * (1 + sp.Rational(1, 10**14)), "=", d),
        (sp.sqrt(d + 1), "<=", sp.sqrt(d)),
        (1 / (d + n), ">=", 1 / (d + n - sp.Rational(1, 2))),
        (sp.exp(-d), ">=", sp.exp(-d) * (1 + sp.Rational(1, 10**20))),
        (sp.exp(sp.sqrt(2) * d) * (1 + sp.Rational(1, 10**12)), "<=", sp.exp(sp.sqrt(2) * d)),
        (sp.exp(d), "<=", sp.Integer(10) ** 400),  # sides that no float holds
        (d**200, "<=", 10**350 * n),
        (sp.exp(-d), ">=", sp.exp(-d) + sp.Rational(1, 10**400)),
        *((d * (1 + n**10 * sp.Rational(1, 10**k)), "<=", d) for k in (30, 36, 37, 39, 45, 52)),
    ],
)
def test_what_is_printed_of_a_refuted_step_refutes_it(lhs, relation, rhs):
    certificate = Identity() if relation == "=" else NonNegative(((1,),))
    wrong = step(lhs, relation, rhs, certificate)
    finding = check_steps(chain(wrong), samples=40)
    assert finding.outcome is Outcome.REFUTED
    seen = {name: exact_text(value) for name, value in finding.witness.items()}
    with mp.workdps(100):
        left, right = sides(wrong, seen)
        assert not COMPARED[relation](left, right)
        a, b = (read(seen[name]) for name in ("left side", "right side"))
        assert not COMPARED[relation](a, b)
        assert abs(a - left) < abs(left - right) * 10
    assert f"{seen['left side']} {relation} {seen['right side']} is claimed" in finding.sentence


def test_a_letter_that_is_computed_is_printed_with_the_digits_that_it_takes():
    """eta = 1/3 is no decimal number: with six digits of it the two sides would agree."""
    wrong = step(3 * rate * (1 + sp.Rational(1, 10**8)), "<=", sp.Integer(1), NonNegative(((1,),)), where=("third",))
    third = line("third", rate, "=", sp.Rational(1, 3)).says("eta is a third").defined()
    finding = check_steps(chain(wrong, facts=(third,)), samples=20)
    assert finding.outcome is Outcome.REFUTED
    assert len(exact_text(finding.witness["eta"])) > 9
    with mp.workdps(100):
        left, right = sides(wrong, {"eta": exact_text(finding.witness["eta"])})
        assert left > right


@pytest.mark.sample(25)
@pytest.mark.parametrize("claim", FALSE_LINES, ids=lambda claim: claim.key)
def test_what_is_printed_of_a_false_line_refutes_it(claim):
    finding = claim.examine(**claim.arguments)
    one = false_lines(paper_of(claim.arguments["key"]))[claim.arguments["key"]]
    seen = {name: exact_text(value) for name, value in finding.witness.items()}
    with mp.workdps(100):
        a, b = read(seen["left side"]), read(seen["printed right side"])
        assert not COMPARED[one.relation.replace("==", "=")](a, b)
        exact = [value for name, value in finding.witness.items() if name not in ("left side", "printed right side")]
        assert sorted(Fraction(exact_text(value)) for value in exact) == sorted(Fraction(str(sp.Rational(x))) for x in one.witness.values())
    assert f"the left side is {seen['left side']} and the paper's right side {seen['printed right side']}" in finding.sentence


@pytest.mark.parametrize(
    ("left", "relation", "right", "true", "expected"),
    [
        ("5.74643001", "=", "3.37322", False, ("5.74643", "3.37322")),
        ("1.00000000001", "<=", "1", False, ("1.00000000001", "1")),
        ("2", "<", "2", False, ("2", "2")),
        ("1.00000001", ">", "1", True, ("1.00000001", "1")),
        ("1", "<=", "2", False, None),
        ("2", "<=", "1", True, None),
    ],
)
def test_two_numbers_are_printed_in_as_many_digits_as_show_it(left, relation, right, true, expected):
    with mp.workdps(60):
        assert distinguishing_texts(mp.mpf(left), relation, mp.mpf(right), true=true) == expected


def test_a_float_stands_for_a_text_only_where_it_says_the_same():
    assert exact_float("0.1") == 0.1
    assert exact_float("12") == 12.0
    assert exact_float("0.3333333333333333333333333") == "0.3333333333333333333333333"
    assert exact_float("9007199254740993") == "9007199254740993"  # 2^53 + 1, which is no float
    assert exact_float("0.30000000000000004") == 0.1 + 0.2
    beyond = ["1e+400", "-1e+400", "1e-400", f"6.5e-{10**24}", f"6.5e+{10**24}"]
    assert [exact_float(one) for one in beyond] == beyond
    assert exact_float("0") == 0.0
    assert exact_text(exact_float("1e-05")) == "1e-05"
    assert exact_text(0.1 + 0.2) == "0.30000000000000004"
    assert exact_text([1.0, "1/3"]) == "1, 1/3"
    assert exact_text([0.1 + 0.2, {"a": [1 / 3, 2.0]}]) == "0.30000000000000004, a: 0.3333333333333333, 2"


def test_a_rational_number_is_printed_exactly():
    assert [exact_value(sp.Rational(*one)) for one in ((3, 1), (1, 2), (1, 3), (2**53 + 1, 1))] == [3, 0.5, "1/3", 2**53 + 1]
    assert [type(exact_value(sp.Rational(one))) for one in (3, 2**80)] == [int, int]


def test_points_at_which_a_side_does_not_exist_are_counted_over_all_steps():
    one = step(gap * sp.log(gap), "<=", gap * sp.log(gap) + 1, NonNegative(((1,),)), name="one")
    two = step(gap**2 * sp.log(gap), "<=", gap**2 * sp.log(gap) + 1, NonNegative(((1,),)), name="two")
    proof = chain(one, two)
    counts = [attack(proof, name, samples=40).undefined for name in ("one", "two")]
    assert min(counts) > 0
    numbers = check_steps(proof, samples=40).numbers
    assert numbers["points where a side does not exist"] == sum(counts)
