"""The worked example runs as the README says, and its lie is caught."""

import json
import runpy
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from paper_checks.papers import load
from paper_checks.steps import examine_steps
from paper_checks.verdict import Outcome
from theory_lab.cli import main

FILE = Path(__file__).with_name("noisy_sgd.py")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Verdicts of unfinished runs are kept below the folder of the call."""
    monkeypatch.chdir(tmp_path)


def test_the_command_line_examines_a_file_of_ones_own(capsys, tmp_path):
    page = tmp_path / "page.html"
    assert main(["check", "--module", str(FILE), "--quick", "--workers", "1", "--json", "--html", str(page)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(v["key"], v["outcome"]) for v in found] == [
        ("noisy_sgd.average.proof", "CONSISTENT"),
        ("noisy_sgd.average.simulation", "CONSISTENT"),
    ]
    assert "<svg" in page.read_text(encoding="utf-8")


def test_processes_can_import_the_file_too(capsys):
    assert main(["check", "noisy_sgd.average.proof", "--module", str(FILE), "--quick", "--workers", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["outcome"] == "CONSISTENT"


def test_its_lies_are_caught():
    """A bound a hundred times too small, and a proof with a lost factor."""
    example = load(FILE)
    lie = example.stays_below(horizons=(100,), noise=0.3, replicates=5000, seed=0, factor=0.01)
    assert lie.outcome is Outcome.REFUTED
    steps = [replace(step, rhs=step.rhs / 2) if step.number == 4 else step for step in example.PROOF.steps]
    assert examine_steps(steps, samples=20).outcome is Outcome.REFUTED


def test_its_figure_is_drawn(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", [str(FILE)])
    runpy.run_path(str(FILE), run_name="__main__")
    assert (tmp_path / "noisy_sgd.png").stat().st_size > 5000
