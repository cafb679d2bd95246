"""The worked example runs as the README says, and its lie is caught."""

import json
import runpy
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from paper_checks.papers import load
from paper_checks.run import examine
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
    assert "data:image/svg+xml;base64," in page.read_text(encoding="utf-8")


def test_processes_can_import_the_file_too(capsys):
    assert main(["check", "noisy_sgd.average.proof", "--module", str(FILE), "--quick", "--workers", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["outcome"] == "CONSISTENT"


def test_a_bound_a_hundred_times_too_small_is_refuted():
    lie = load(FILE).stays_below(horizons=(100,), noise=0.3, replicates=5000, seed=0, factor=0.01)
    assert lie.outcome is Outcome.REFUTED


@pytest.mark.parametrize("claim", ["proof", "simulation"])
def test_a_bound_five_times_too_small_is_not_what_the_proof_ends_at(tmp_path, monkeypatch, claim):
    """The whole file with `bound=rate / 5`: no claim that rests on the proof stands."""
    own = tmp_path / f"five_times_{claim}.py"
    own.write_text(FILE.read_text(encoding="utf-8").replace("bound=rate,", "bound=rate / 5,"), encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))
    (chosen,) = [one for one in load(own).CLAIMS if one.key.endswith(claim)]
    finding, _ = examine(replace(chosen, arguments={**chosen.arguments, **({"replicates": 20} if claim == "simulation" else {})}))
    assert finding.outcome is Outcome.INCONCLUSIVE
    assert "not the bound of averaged noisy gradient descent" in finding.sentence


@pytest.mark.parametrize("missing", ["per_step", "averaged", "any_schedule", "bound", "square", "convex"])
def test_a_proof_with_a_line_missing_is_noticed(missing):
    proof = load(FILE).PROOF
    facts, steps = (tuple(one for one in lines if one.name != missing) for lines in (proof.facts, proof.steps))
    assert examine_steps(replace(proof, facts=facts, steps=steps), samples=10).outcome is Outcome.INCONCLUSIVE


def test_a_lost_factor_is_refuted():
    proof = load(FILE).PROOF
    lie = proof.with_line(replace(proof["bound"], rhs=proof["bound"].rhs / 2))
    assert examine_steps(lie, samples=20).outcome is Outcome.REFUTED


def test_its_figure_is_drawn(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", [str(FILE)])
    runpy.run_path(str(FILE), run_name="__main__")
    assert (tmp_path / "noisy_sgd.png").stat().st_size > 5000
