"""`--scheduler`: what `check` and `report` do with it, and what cannot be meant."""

import sys
from contextlib import nullcontext

import pytest

from theory_lab.cli import main

ADDRESS = "tcp://there:8786"


@pytest.mark.parametrize("command", ["check", "report"])
def test_check_and_report_hand_the_scheduler_over(command, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    workers = []
    monkeypatch.setattr("synthetic.sweeps.cluster.cluster", nullcontext)
    monkeypatch.setattr("paper_checks.run.check_claims", lambda claims, **named: workers.append(named["workers"]) or [])
    argv = [command, "dpzero.lemma_2_2", "--scheduler", ADDRESS, "--html", "page.html"]
    assert main(argv) == 0
    assert workers == [ADDRESS]


@pytest.mark.parametrize("command", [["check"], ["report", "--html", "page.html"], ["figure", "dpzero-1"]])
def test_what_a_scheduler_cannot_be_given_with(command, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    file = tmp_path / f"there_for_{command[0]}.py"
    file.write_text("from theory_lab.examples.own_kernel import METHOD\n", encoding="utf-8")
    for more, sentence in (
        (["--workers", "2"], "workers = 2: a scheduler has its own workers; leave --workers or --scheduler out"),
        (
            ["--module", file.name],
            f"scheduler = {ADDRESS!r}: its workers cannot import the file of --module; leave one of the two out",
        ),
    ):
        assert main([*command, "--scheduler", ADDRESS, *more]) == 2
        assert capsys.readouterr().err.splitlines() == [f"theory-lab: {sentence}"]
