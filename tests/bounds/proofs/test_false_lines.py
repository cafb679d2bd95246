"""What is said to hold in place of a printed line is what the chain that it names proves, where both speak of the same quantity."""

import importlib
from pathlib import Path

import pytest

import bounds
from bounds.proofs.inequalities import is_zero

PAGES = sorted(page.parent.name for page in Path(bounds.__file__).parent.glob("*/false_lines.py"))
LINES = [one for paper in PAGES for one in importlib.import_module(f"bounds.{paper}.false_lines").PRINTED_FALSE if one.instead]
PAIRS = [(one, bounds.DERIVATIONS[proof].lines[name]) for one in LINES for proof, _, name in [one.instead.partition(":")] if name]
SAME = [(one, step) for one, step in PAIRS if step.lhs == one.lhs and step.relation == one.true_relation]


@pytest.mark.parametrize(("one", "step"), SAME, ids=[f"{one.instead}, {one.key}" for one, _ in SAME])
def test_what_holds_instead_is_what_is_proved(one, step):
    assert is_zero(one.true_rhs - step.rhs)


def test_some_lines_are_of_this_kind():
    assert len(SAME) >= 10
