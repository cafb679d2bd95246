"""Every bound, part and schedule of every statement against another formula: no constant of a page may change unnoticed.

What the pages of claims print of a statement is read from them (PRINTED); our own statements and entries are typed once more by hand, in
`tests/papers/PAPER/bounds.py`. A statement or entry that is in no table fails the test of completeness.
"""

import math

import pytest

import bounds
from tests.papers import PAPERS, of
from tests.papers.hand import At, points


def tables(name):
    """The entries of a table of every paper, by the keys of the lab."""
    return {f"{paper}.{key}": one for paper in PAPERS for key, one in of(paper, f"bounds.{name}").items()}


BY_HAND, PRINTED, SCHEDULES, ANY_SCHEDULE = (tables(name) for name in ("STATEMENTS", "PRINTED", "SCHEDULES", "ANY_SCHEDULE"))
STATEMENTS = {key: PRINTED.get(key, {}) | BY_HAND.get(key, {}) for key in BY_HAND | PRINTED}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_statement_and_every_part_is_in_the_table(paper):
    left, parts_left = of(paper, "bounds.ELSEWHERE"), of(paper, "bounds.PARTS_ELSEWHERE")
    for key, theorem in bounds.THEOREMS.items():
        name = key.removeprefix(f"{paper}.")
        if name == key or name.startswith(left):
            continue
        parts = {part.name for part in theorem.parts if not part.name.startswith(parts_left.get(name, ()) or ("\0",))}
        assert set(STATEMENTS[key]) == {"bound", *parts}, key
        assert (key in SCHEDULES) == bool(theorem.schedule), key
        assert (key in ANY_SCHEDULE) == (theorem.any_schedule is not None), key


def test_no_printed_formula_is_typed_again():
    assert {key: both for key in PRINTED if (both := PRINTED[key].keys() & BY_HAND.get(key, {}).keys())} == {}


@pytest.mark.parametrize("key", STATEMENTS)
def test_a_statement_says_what_the_paper_says(key):
    compared = set()
    for v in points(6):
        found = bounds.THEOREMS[key].evaluate(**v)
        for name, formula in STATEMENTS[key].items():
            value = found.bound if name == "bound" else found.parts[name]
            assert value == pytest.approx(formula(v), rel=1e-9, abs=0, nan_ok=True), (key, name)
            compared |= {name} if math.isfinite(value) else set()
    assert compared == set(STATEMENTS[key])


@pytest.mark.parametrize("key", SCHEDULES)
def test_a_schedule_is_the_papers(key):
    """In both cases of its maxima, where it has any."""
    entries, numbers = set(), 0
    for at in points(12):
        for changed in ({}, {"epsilon": 1e-3, "c_abs": 1e-3}):
            v = At(at | changed)
            found, hand = bounds.THEOREMS[key].evaluate(**v).schedule, SCHEDULES[key](v)
            assert found == pytest.approx({name: hand[name] for name in found}, rel=1e-9, abs=0, nan_ok=True)
            numbers += all(math.isfinite(value) for value in found.values())
            entries.add(hand.get("largest"))
    assert numbers
    assert entries in ({None}, {0, 1})


@pytest.mark.parametrize("key", ANY_SCHEDULE)
def test_a_guarantee_for_any_schedule_is_the_sum_of_its_terms(key):
    formula, changed = ANY_SCHEDULE[key]
    for at in points(6):
        v = At(at | changed(at))
        assert bounds.THEOREMS[key].bound_at(**v) == pytest.approx(formula(v), rel=1e-9, abs=0)
