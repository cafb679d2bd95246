"""Checks and figures whose processes die, are interrupted, or cannot write: nothing is lost, nothing false is written."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import theory_lab as lab
from paper_checks.run import BrokenRun
from paper_checks.run import check_claims as examine_claims
from paper_checks.verdict import Claim, Finding, Kind, Outcome
from tests.synthetic.sweeps.test_sweep import default_interrupt
from theory_lab.cli import main

ROOT = Path(__file__).parents[2]
DYING = """
import os
import signal
from pathlib import Path

from paper_checks.verdict import Claim, Finding, Kind, Outcome

SEEN = Path({seen!r})


def one(*, number):
    with (SEEN / str(number)).open("a", encoding="utf-8") as file:
        file.write("x")
    if number == 2 and len((SEEN / "2").read_text(encoding="utf-8")) <= {deaths}:
        os.kill(os.getpid(), signal.SIGKILL)
    return Finding(Outcome.CONSISTENT, f"{{number}} holds")


CLAIMS = tuple(
    Claim(f"mine.{{k}}", "line 1", "it holds", Kind.SCOPE, Outcome.CONSISTENT, "seen", one, {{"number": k}}, together="abc"[k // 2])
    for k in range(6)
)
"""


def dying(tmp_path, deaths):
    """Return the command that checks six claims, of which one kills its process at the first calls; and where its calls are counted."""
    seen, folder = tmp_path / "seen", tmp_path / f"dies_{deaths}"
    seen.mkdir(exist_ok=True)
    folder.mkdir()
    file = folder / f"dying_paper_{deaths}.py"
    file.write_text(DYING.format(seen=str(seen), deaths=deaths), encoding="utf-8")
    argv = [
        "check",
        "--module",
        str(file),
        "--workers",
        "2",
        "--html",
        str(tmp_path / "page.html"),
        "--store",
        str(tmp_path / "s.sqlite"),
        "--json",
    ]
    return argv, lambda: {path.name: len(path.read_text(encoding="utf-8")) for path in seen.iterdir()}


@pytest.mark.verify
def test_the_claims_of_a_dead_process_are_examined_again_and_no_others(tmp_path, capsys):
    argv, calls = dying(tmp_path, 2)
    assert main(argv) == 0
    assert {v["outcome"] for v in json.loads(capsys.readouterr().out)} == {"CONSISTENT"}
    assert calls() == {"0": 1, "1": 1, "2": 3, "3": 1, "4": 1, "5": 1}
    assert "mine.2" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.verify
def test_a_run_whose_process_dies_again_and_again_writes_no_page_and_keeps_its_verdicts(tmp_path, capsys):
    argv, calls = dying(tmp_path, 4)
    assert main(argv) == 3
    out, err = capsys.readouterr()
    assert out == ""
    words = "theory-lab: 2 of 6 claims are not examined (mine.2, mine.3): its process was killed by SIGKILL"
    (told,) = (line for line in err.splitlines() if line.startswith(words))
    assert "the other 4 verdicts are kept in" in told
    assert "INCONCLUSIVE" not in err
    assert not (tmp_path / "page.html").exists()
    assert calls() == {"0": 1, "1": 1, "2": 3, "4": 1, "5": 1}
    assert main(argv) == 0  # it dies once more, then lives
    assert "4 of 6 verdicts are from an unfinished run" in capsys.readouterr().err
    assert calls() == {"0": 1, "1": 1, "2": 5, "3": 1, "4": 1, "5": 1}
    assert (tmp_path / "page.html").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"seen", "dies_4", "page.html", "s.sqlite"}


def unsendable():
    return Finding(Outcome.CONSISTENT, "it holds", {"f": lambda: 1})


def fine():
    return Finding(Outcome.CONSISTENT, "it holds")


def test_python_callers_get_the_other_verdicts_with_the_error():
    claims = [Claim(f"mine.{one.__name__}", "", "", Kind.SCOPE, Outcome.CONSISTENT, "", one) for one in (fine, unsendable)]
    with pytest.raises(BrokenRun, match=r"1 of 2 claims are not examined \(mine.unsendable\)") as broken:
        examine_claims(claims, workers=2)
    assert [verdict.claim.key for verdict in broken.value.verdicts] == ["mine.fine"]


def without_memory():
    raise MemoryError("unable to allocate")


def leaves():
    sys.exit("enough")


@pytest.mark.parametrize("workers", [1, 2])
def test_want_of_memory_says_nothing_about_a_claim_and_an_exit_ends_no_run(workers):
    made = (without_memory, fine, leaves)
    claims = [Claim(f"mine.{one.__name__}", "", "", Kind.SCOPE, Outcome.CONSISTENT, "", one) for one in made]
    with pytest.raises(
        BrokenRun, match=r"1 of 3 claims are not examined \(mine.without_memory\): MemoryError: unable to allocate"
    ) as broken:
        examine_claims(claims, workers=workers)
    found = {verdict.claim.key: verdict.finding.sentence for verdict in broken.value.verdicts}
    where = f"{__file__}:{leaves.__code__.co_firstlineno + 1}"
    assert found == {"mine.fine": "it holds", "mine.leaves": f"the examination broke off: SystemExit: enough ({where})"}


def children(pid):
    """Return the processes whose parent this is, but for the one that tracks resources."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            parent = (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1]
            if parent == str(pid) and "spawn_main" in (process / "cmdline").read_text(encoding="utf-8"):
                found.append(int(process.name))
        except OSError:
            pass
    return found


def spent(pid):
    """Return the seconds of a processor that a process has used: however busy the machine is, it computes when it has begun."""
    told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def default_signals():
    default_interrupt()
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def figure(tmp_path, name="psgd-escape"):
    """Start the preview of a figure, with the handlers of signals that a terminal gives."""
    argv = [sys.executable, "-m", "theory_lab.cli", "figure", name, "--preview", "--workers", "2", "--out", tmp_path / "out", "--store",
            tmp_path / "s.sqlite"]  # fmt: skip
    return subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", start_new_session=True,
                            preexec_fn=default_signals)  # fmt: skip


@pytest.mark.verify
@pytest.mark.skipif(not Path("/proc").exists(), reason="the children of a process are found in /proc")
def test_a_figure_survives_the_death_of_a_worker(tmp_path):
    process = figure(tmp_path)
    deadline = time.monotonic() + 600  # on a machine that does much else, too
    while not (at_work := [one for one in children(process.pid) if spent(one) > 1.5]) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(at_work[0], signal.SIGKILL)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert "Traceback" not in err
    assert "a new one does its work again" in err
    assert (tmp_path / "out" / "psgd-escape.png").stat().st_size > 500


@pytest.mark.sample(1)
@pytest.mark.parametrize(("number", "delay"), [(signal.SIGINT, 0.0), (signal.SIGINT, 1.5), (signal.SIGTERM, 1.0), (signal.SIGHUP, 0.5)])
def test_an_interrupt_of_a_figure_is_one_sentence(number, delay, tmp_path):
    process = figure(tmp_path)
    process.stderr.readline()  # the sweep has begun
    time.sleep(delay)
    process.send_signal(number)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 128 + number, err
    told = [line for line in err.splitlines() if "cells" not in line]
    assert told == [f"theory-lab: interrupted; finished work is kept in {tmp_path / 's.sqlite'}, the same command resumes"]


@pytest.mark.parametrize("bad", ["/proc/none/out", "a file", "below a file"])
@pytest.mark.parametrize("command", ["figure", "report"])
def test_where_nothing_can_be_written_is_told_before_the_work(bad, command, tmp_path, capsys, monkeypatch):
    (tmp_path / "a file").write_text("", encoding="utf-8")
    out = {"a file": tmp_path / "a file", "below a file": tmp_path / "a file" / "below"}.get(bad, Path(bad))
    monkeypatch.setattr("synthetic.sweeps.store.Store.__init__", None)  # not even opened
    argv = {
        "figure": ["figure", "dpzero-1", "--preview", "--out", str(out)],
        "report": ["report", "dpzero.equation_3", "--quick", "--html", str(out / "page.html" if bad != "below a file" else out)],
    }
    assert main(argv[command]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert told.startswith(f"theory-lab: {'out' if command == 'figure' else 'html'} = '{out}")
    assert "it cannot be written" in told


@pytest.mark.verify
def test_lab_check_finds_the_same_with_workers():
    one, two = (lab.check("dpzero.lemma_2_2.any_epsilon", "dpzero.table4", quick=True, workers=workers) for workers in (1, 2))
    assert [(v.claim.key, v.outcome) for v in one] == [(v.claim.key, v.outcome) for v in two]


def test_data_that_do_not_fit_into_memory_are_told_before_the_work(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("paper_checks.dpzero.experiments.figure_runs.run_experiment", None)
    argv = ["figure", "dpzero-1", "--dimensions", "20,1000000000000", "--out", str(tmp_path), "--store", str(tmp_path / "s.sqlite")]
    assert main(argv) == 2
    told = capsys.readouterr().err
    assert told.startswith("theory-lab: n = 10000, dimensions = 1000000000000: 160 PB of memory are needed, and ")
    assert told.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full is needed")
def test_a_full_disk_below_the_output_is_a_sentence():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "theory_lab.cli", "list"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, encoding="utf-8"
        )
    assert (done.returncode, done.stderr) == (2, "theory-lab: [Errno 28] No space left on device\n")
