"""What is said to hold in place of a printed line is what the chain that it names proves, where both speak of the same quantity."""

import importlib
from pathlib import Path

import pytest

import bounds
from bounds.inequalities import is_zero

PAGES = sorted(page.parent.name for page in Path(bounds.__file__).parent.glob("*/false_lines.py"))
LINES = [one for paper in PAGES for one in importlib.import_module(f"bounds.{paper}.false_lines").PRINTED_FALSE if one.instead]
STEPS = {
    one.key: bounds.DERIVATIONS[one.instead.partition(":")[0]].lines[one.instead.partition(":")[2]] for one in LINES if ":" in one.instead
}
SAME = [one for one in LINES if one.key in STEPS and STEPS[one.key].lhs == one.lhs and STEPS[one.key].relation == one.true_relation]


@pytest.mark.parametrize("one", SAME, ids=lambda one: one.key)
def test_what_holds_instead_is_what_is_proved(one):
    assert is_zero(one.true_rhs - STEPS[one.key].rhs)


def test_some_lines_are_of_this_kind():
    assert len(SAME) >= 9
