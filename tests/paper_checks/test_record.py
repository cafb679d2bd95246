"""The record of a check: its outcome follows from what was recorded, and no check types one in."""

import ast
import math
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from mpmath import mp

from paper_checks.record import Record
from paper_checks.verdict import Finding, Outcome, Plot

CHECKS = Path(__file__).parents[2] / "paper_checks"
PLOT = Plot((1.0,), {"a": (2.0,)}, "x", "y")


@pytest.mark.parametrize(("end", "outcome"), [("conclude", Outcome.CONSISTENT), ("prove", Outcome.PROVED)])
def test_nothing_against_a_claim_lets_it_hold(end, outcome):
    record = Record({"tried": 3}, seed=4, false_alarm=1e-9, plot=PLOT)
    record.note({"largest": 0.5})
    found = getattr(record, end)("at most half")
    assert found == Finding(outcome, "at most half", {"tried": 3, "largest": 0.5}, {}, 1e-9, 4, PLOT)
    assert list(found.numbers) == ["tried", "largest"]


@pytest.mark.parametrize("end", ["conclude", "prove"])
def test_a_witness_refutes_whatever_is_said_at_the_end(end):
    record = Record({"tried": 3}, seed=4, false_alarm=1e-9)
    witness = {"x": 2}
    assert record.refute("twice as much", witness) == Finding(Outcome.REFUTED, "twice as much", {"tried": 3}, {"x": 2}, 1e-9, 4)
    witness["x"] = 3
    record.note({"seen later": True})
    found = getattr(record, end)("at most once")
    assert found == Finding(Outcome.REFUTED, "twice as much", {"tried": 3, "seen later": True}, {"x": 2}, 1e-9, 4)


@pytest.mark.parametrize("end", ["conclude", "prove"])
def test_what_is_open_decides_nothing(end):
    record = Record({"tried": 0})
    assert record.leave_open("more runs would settle it") == getattr(record, end)("never seen")
    assert record.conclude("never seen") == Finding(Outcome.INCONCLUSIVE, "more runs would settle it", {"tried": 0})


def test_the_first_thing_against_a_claim_decides():
    record, other = Record(), Record()
    record.refute("first", {"x": 1})
    assert record.refute("second", {"x": 2}) == record.leave_open("open") == record.conclude("holds")
    assert (record.conclude("holds").sentence, record.conclude("holds").witness) == ("first", {"x": 1})
    other.leave_open("open")
    assert other.refute("second", {"x": 2}).outcome is Outcome.INCONCLUSIVE


@pytest.mark.parametrize("value", [math.nan, np.float64("nan"), mp.nan, sp.nan, [1.0, math.nan], np.array([1, math.nan]), ((1.0, mp.nan),)])
@pytest.mark.parametrize("end", ["conclude", "prove"])
def test_evidence_that_is_nan_decides_nothing(end, value):
    record = Record({"first": 1.0, "second": value, "text": "nan", "none": None}, seed=4)
    found = getattr(record, end)("holds")
    assert (found.outcome, found.seed) == (Outcome.INCONCLUSIVE, 4)
    assert found.sentence == "second is nan, so nothing is decided: a check that gives a number would settle it"
    refuted = Record({"second": value})
    refuted.refute("false", {"x": 1})
    assert getattr(refuted, end)("holds").outcome is Outcome.REFUTED


@pytest.mark.parametrize("value", [math.inf, 1, True, "nan", None, (), {}, np.ones(2), sp.oo, [{"undefined at a point": math.nan}]])
def test_evidence_that_is_no_nan_does_not_keep_a_claim_from_holding(value):
    assert Record({"first": value}).conclude("holds").outcome is Outcome.CONSISTENT


def test_a_refutation_needs_a_witness_and_records_share_nothing():
    with pytest.raises(ValueError, match="a witness is needed for REFUTED"):
        Record().refute("false", {})
    numbers = {"tried": 1}
    one, other = Record(numbers), Record(numbers)
    one.note({"more": 2})
    assert (other.numbers, numbers) == ({"tried": 1}, {"tried": 1})
    assert other.conclude("holds").outcome is Outcome.CONSISTENT


def test_no_check_types_in_its_outcome():
    """Findings are built by the record; those of a store are read back, and a claim that is not tested says so."""
    built = []
    for file in sorted(CHECKS.rglob("*.py")):
        if file.name in ("verdict.py", "record.py", "verdict_store.py"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if name in ("Finding", "proved", "consistent", "refuted", "inconclusive"):
                built.append(f"{file.relative_to(CHECKS).as_posix()}:{node.lineno}")
    assert built == []
