"""Where an inequality is strict, for every ingredient of a certificate: both checkers, each relation, sums and products."""

import json
from dataclasses import replace
from itertools import combinations_with_replacement

import pytest
import sympy as sp

import bounds
from bounds.proofs.certificates import Standing, verify
from bounds.proofs.export import export_proofs
from bounds.proofs.inequalities import Instance
from bounds.proofs.lines import GIVENS, Assumed, Identity, Inverse, NonNegative, line
from bounds.proofs.signs import has_declared_sign, is_non_negative, is_positive
from bounds.proofs.support import missing_link
from bounds.symbols import alpha, d, gap, n, r, symbols
from paper_checks import recheck_export
from tests.bounds.proofs.toy import a_i, chain, step

(a_j,) = symbols("a_j")
SHORT = line("short", alpha, "<", 1).says("alpha is below 1").assumed()
ABOVE = line("above", n, ">", r).says("n is above r").assumed()
RANKED = line("ranked", r, "<=", d / 2).says("r is at most half of d").assumed()
LARGE = line("large", n, ">=", d).says("n is at least d").assumed()
FACTS = (SHORT, ABOVE, RANKED, LARGE)
INGREDIENTS = {  # a factor of a term, what it is, and whether it is known to be positive and not only non-negative
    "number": (2, sp.Integer(2), True),
    "positive letter": (n, n, True),
    "root": (sp.sqrt(d), sp.sqrt(d), True),
    "letter that may be 0": (gap, gap, False),
    "square": (a_i**2, a_i**2, False),
    "square and one": (a_i**2 + 1, a_i**2 + 1, True),
    "below": ("short", 1 - alpha, True),
    "greater": ("above", n - r, True),
    "at most": ("ranked", d / 2 - r, False),
    "at least": ("large", n - d, False),
    "one over": (Inverse("short"), 1 / (1 - alpha), True),
    "instance": (Instance("exponential", a_j), sp.exp(a_j) - 1 - a_j, False),
}
SLACK = (a_i**2 * a_j**2,)  # beside every term, so that no line that is taken implies the step alone
PAIRS = [*((one,) for one in INGREDIENTS), *combinations_with_replacement(INGREDIENTS, 2)]


def both(proof, *names):
    """What each checker says of lines: pairs of whether it accepts them."""
    second = recheck_export.check(json.loads(json.dumps(export_proofs([proof]))))[proof.key]
    return {name: (verify(proof, name).outcome in (Standing.CERTIFIED, Standing.TAKEN), not second[name]) for name in names}


def claimed(name, terms, relation, strict_side):
    """A step that the sum of the terms proves, were it strict enough: on one side of it or on the other."""
    total = a_i**2 * a_j**2 + sum(sp.prod([INGREDIENTS[one][1] for one in term]) for term in terms)
    sides = (d, d + total) if strict_side == "<" else (d + total, d)
    certificate = NonNegative((SLACK, *(tuple(INGREDIENTS[one][0] for one in term) for term in terms)))
    return step(sides[0], relation, sides[1], certificate, name=name, where=GIVENS)


@pytest.mark.parametrize("side", ["<", ">"])
def test_a_product_is_strict_where_every_factor_is_and_a_sum_where_one_term_is(side):
    rows = [(term,) for term in PAIRS] + [(("square",), ("number", one)) for one in INGREDIENTS]
    expected, steps = {}, []
    for k, terms in enumerate(rows):
        strict = any(all(INGREDIENTS[one][2] for one in term) for term in terms)
        for relation, holds in ((side, strict), (f"{side}=", True)):
            steps.append(claimed(name := f"claim{k}{'strict' if relation == side else 'weak'}", terms, relation, side))
            expected[name] = (holds, holds)
    assert both(chain(*steps, facts=FACTS), *expected) == expected


@pytest.mark.parametrize("relation", ["=", ">", ">="])
def test_no_sum_of_terms_proves_the_other_relations(relation):
    steps = [replace(claimed(f"claim{k}", ((one,),), "<=", "<"), relation=relation) for k, one in enumerate(INGREDIENTS)]
    found = both(chain(*steps, facts=FACTS), *(one.name for one in steps))
    assert set(found.values()) == {(False, False)}


def test_one_over_a_line_needs_a_strict_one():
    steps = [
        step(d, "<", d + 1 / one.difference + a_i**2, NonNegative(((Inverse(one.name),), (a_i**2,))), name=f"over_{one.name}", where=GIVENS)
        for one in FACTS
    ]
    found = both(chain(*steps, facts=FACTS), *(one.name for one in steps))
    accepted, refused = (True, True), (False, False)
    assert found == {"over_short": accepted, "over_above": accepted, "over_ranked": refused, "over_large": refused}


def test_an_identity_is_no_strict_inequality_for_either_checker():
    steps = [
        step((n + 1) ** 2, relation, n**2 + 2 * n + 1, Identity(), name=f"claim{k}")
        for k, relation in enumerate(("=", "<=", ">=", "<", ">"))
    ]
    assert [*both(chain(*steps), *(one.name for one in steps)).values()] == [*[(True, True)] * 3, *[(False, False)] * 2]


STRICT_OF = {"dpzero.theorem1": False, "dp_zopo.sharp_suffix": True}  # a proof of each kind: whether some of its hypotheses are strict
TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


@pytest.mark.parametrize("key", STRICT_OF)
def test_a_hypothesis_may_be_weakened_and_not_sharpened(key):
    """A proof may assume less than its theorem does, a <= b where that has a < b, and never more."""
    proof = bounds.DERIVATIONS[key]
    assumed = [one for one in proof.facts if isinstance(one.certificate, Assumed) and one.is_formula]
    strict = [one.relation in ("<", ">") for one in assumed]
    assert assumed
    for one, of_theorem in zip(assumed, strict, strict=True):
        other = proof.with_line(replace(one, relation=TURNED[one.relation]))
        asserted = verify(proof, one.name).outcome, verify(other, one.name).outcome
        assert asserted == (Standing.TAKEN, Standing.TAKEN if of_theorem else Standing.FAILED), one.name


@pytest.mark.parametrize(("relation", "ends"), [("<=", True), ("=", True), ("<", False), (">=", False), (">", False)])
def test_the_last_step_has_a_relation_from_which_the_theorem_follows_as_printed(relation, ends):
    proof = bounds.DERIVATIONS["dpzero.theorem1"]
    last = proof.conclusion
    assert last.relation == "<="
    assert (missing_link(proof.with_line(replace(last, relation=relation))) == "") == ends


@pytest.mark.parametrize(
    ("value", "positive", "non_negative"),
    [
        (n, True, True), (gap, False, True), (gap + 1, True, True), (a_i, False, False), (a_i**2, False, True), (n - 1, False, False),
        (sp.log(n), False, False), (sp.log(n + 1), True, True), (sp.log(gap + 1), False, True), (sp.log(gap + 1) + 1, True, True),
        (sp.erfc(a_i), True, True), (-n, False, False), (-gap, False, False),
    ],
)  # fmt: skip
def test_signs_are_seen_as_they_are(value, positive, non_negative):
    """n is declared positive, gap at least 0 and a_i real."""
    assert (is_positive(value), is_non_negative(value)) == (positive, non_negative)


def test_a_line_gives_its_sign_and_a_strict_one_a_strict_sign():
    apart = n - d
    for strict, positive in ((True, True), (False, False)):
        known = ((apart, strict),)
        assert has_declared_sign(n, apart, known) == positive  # n is declared positive
        assert has_declared_sign(gap, apart, known)  # gap non-negative
        assert has_declared_sign(n, apart + 1, known)
    assert not has_declared_sign(gap, apart)
