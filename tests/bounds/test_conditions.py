"""The conditions of every statement: both sides by hand, and the sentence just beyond the limit and not just before it."""

import math

import pytest
import sympy as sp

import bounds
from bounds.floats import float_value
from tests.papers import PAPERS, of
from tests.papers.hand import At, points

CONDITIONS = [(paper, key) for paper in PAPERS for key in of(paper, "bounds.CONDITIONS")]
COMMON = {"n": 1e5, "d": 30.0, "epsilon": 0.5, "delta": 1e-6, "L": 1.3, "ell": 0.7}
LIMITS = [(paper, *row) for paper in PAPERS for row in of(paper, "bounds.LIMITS")]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_statement_that_has_conditions_is_here(paper):
    of_paper = {key: one for key, one in bounds.THEOREMS.items() if key.startswith(f"{paper}.")}
    counted = {key: len(one.conditions) for key, one in of_paper.items() if one.conditions}
    assert counted == {f"{paper}.{key}": len(each) for key, each in of(paper, "bounds.CONDITIONS").items()}


@pytest.mark.parametrize(("paper", "key"), CONDITIONS, ids=map(".".join, CONDITIONS))
def test_both_sides_of_every_condition(paper, key):
    theorem, least, changed = bounds.THEOREMS[f"{paper}.{key}"], of(paper, "bounds.AT_LEAST"), of(paper, "bounds.changed")
    compared = set()
    for at in points(5):
        v = At(at | changed(key, at))
        for k, (condition, by_hand) in enumerate(zip(theorem.conditions, of(paper, "bounds.CONDITIONS")[key], strict=True)):
            relation = condition.relation
            found = [float_value(theorem.in_constants(side), v) for side in (relation.lhs, relation.rhs)]
            assert found == [pytest.approx(side, rel=1e-9, abs=1e-300, nan_ok=True) for side in by_hand(v)], relation
            compared |= {k} if all(map(math.isfinite, found)) else set()
            if str(relation.lhs) in least:  # where every entry of a maximum is a lower bound
                assert isinstance(relation, sp.Ge)
    assert compared == set(range(len(theorem.conditions)))


@pytest.mark.parametrize("row", range(len(LIMITS)), ids=[f"{row[0]}.{row[1]}-{row[3]}-{k}" for k, row in enumerate(LIMITS)])
def test_a_condition_ends_at_its_limit(row):
    paper, key, words, letter, limit, at_least = LIMITS[row]
    at = At(next(points(1)) | COMMON | of(paper, "bounds.POINT"))
    end = limit(at)
    for side, met in ((1 + 1e-9, at_least), (1 - 1e-9, not at_least)):
        found = bounds.THEOREMS[f"{paper}.{key}"].evaluate(**(at | {letter: end * side}))
        assert any(words in caveat for caveat in found.caveats) != met
