"""What a person at a terminal sees: tables, progress, which options must be given; and what a signal or git does behind it."""

import argparse
import io
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from bounds import origin
from figures import style
from paper_checks.verdict import Claim, Finding, Kind, Outcome, Verdict
from synthetic.sweeps.sweep import Progress
from synthetic.sweeps.workers import WorkerDied
from tests.papers import joined
from tests.theory_lab.test_options import leaves
from theory_lab import cli, progress, tables
from theory_lab.cli import build_parser, main
from theory_lab.commands import check as checking
from theory_lab.commands import list as listing
from theory_lab.interrupts import signals_as_interrupts
from theory_lab.methods import all_methods, figures_by_name
from theory_lab.methods import gauss_psgd as sosp
from theory_lab.methods.record import SADDLE, SUM, whole


class Terminal(io.StringIO):
    """A stream that says it is a terminal, and remembers whether all that was written to it was also flushed."""

    flushed = True

    def isatty(self):
        return True

    def write(self, text):
        self.flushed = False
        return super().write(text)

    def flush(self):
        self.flushed = True


def words(text):
    """The words of a table, without its lines."""
    return " ".join("".join(" " if "\u2500" <= sign <= "\u257f" else sign for sign in text).split())


# --- tables -----------------------------------------------------------------------------------------------------------------------------
def test_a_table_has_its_headings_and_its_numbers_with_as_many_digits_as_asked(capsys):
    rows = [{"grad_norm": 0.123456789, "steps": 12_345, "word": "a_b", "none": float("nan")}]
    tables.print_rows("the title", rows)
    assert words(capsys.readouterr().out) == "the title grad norm steps word none 0.12346 12,345 a_b -"
    tables.print_rows("the title", rows, digits=3)
    assert "0.123 " in words(capsys.readouterr().out)
    tables.print_rows("wide", [{f"some_very_long_name_{k}": 1.23456e-9 for k in range(10)}])
    assert words(capsys.readouterr().out).count("1.2346e-09") == 10  # headings break, numbers do not


def test_csv_has_a_head_and_all_digits():
    assert style.csv_text([{"a": 1, "b": 0.1 + 0.2}, {"a": 2, "b": ""}]) == "a,b\n1,0.30000000000000004\n2,\n"


def test_a_table_of_verdicts_marks_what_the_ledger_does_not_expect(capsys):
    claim = Claim("p.one", "line 1", "it holds", Kind.SCOPE, Outcome.CONSISTENT, "so", lambda: None)
    found = [Finding(Outcome.CONSISTENT, "it was so"), Finding(Outcome.REFUTED, "it was not", {}, {"x": 1})]
    tables.print_verdicts("verdicts", [Verdict(claim, one, 1.0) for one in found], evidence=False)
    assert words(capsys.readouterr().out) == (
        "verdicts claim outcome result p.one CONSISTENT it was so p.one REFUTED (expected CONSISTENT) it was not"
    )


def test_a_plan_is_printed_with_its_problem_and_caveats_and_large_integers_as_powers(capsys):
    groups = [[("", "printed", "sharp")], [("T", 9_999_999, 12_345_678), ("C", 0.125, float("nan"))], [("theorem", "one", "two")]]
    tables.print_plan(SimpleNamespace(method="dpzero", problem={"n": 1e4, "delta": 1e-6}, rows=lambda: groups, caveats=["C is 5 or x_0"]))
    out = capsys.readouterr().out
    assert words(out) == "dpzero: n = 10000, delta = 1e-06 printed sharp T 9,999,999 1.2346e+07 C 0.125 - theorem one two - C is 5 or x_0"
    assert out.splitlines()[-1] == "- C is 5 or x_0"


def test_a_terminal_gives_the_width_and_numbers_have_no_colour_of_their_own(monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert tables.console().width == 50
    tables.console().print("x = 5 at 'words'")
    assert sys.stdout.getvalue() == "x = 5 at 'words'\n"
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert tables.console().width == 140
    with pytest.raises(BrokenPipeError):
        tables.console().on_broken_pipe()


# --- progress ---------------------------------------------------------------------------------------------------------------------------
def test_a_line_of_progress_says_how_fast_and_how_long():
    assert [progress.format_duration(s) for s in (0, 59.4, 59.6, 61, 3599.6, 3600, 7325)] == [
        "0:00", "0:59", "1:00", "1:01", "1:00:00", "1:00:00", "2:02:05",
    ]  # fmt: skip
    assert progress.progress_line("a", Progress(0, 4, 0, 0.0, None, "")) == "a: 0/4 cells, 0.0 per minute, 0:00 elapsed, ? left  "
    assert progress.progress_line("a", Progress(3, 4, 0, 30.0, 10.0, "x")) == "a: 3/4 cells, 6.0 per minute, 0:30 elapsed, 0:10 left  x"


def test_progress_of_cells_is_lines_in_a_file_and_a_bar_on_a_terminal(monkeypatch):
    steps = [("grid", Progress(1, 4, 0, 30.0, 90.0, "d = 5")), ("fresh", Progress(2, 2, 1, 60.0, 0.0, "d = 7"))]
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    with progress.open_reporter() as report:
        for stage, p in steps:
            report(stage, p)
    assert file.getvalue() == "".join(f"{progress.progress_line(stage, p)}\n" for stage, p in steps)  # each is the first of its stage
    screen = Terminal()
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys, "stderr", screen)
    with progress.open_reporter() as report:
        for stage, p in [*steps, ("grid", Progress(4, 4, 0, 60.0, 0.0, "d = 6"))]:
            report(stage, p)
    last = [line.rpartition("\033[2K")[2] for line in screen.getvalue().split("\n")[-3:-1]]
    assert [line.split()[0] for line in last] == ["grid", "fresh"]  # a bar for each stage, in the order of their coming
    assert "grid:" not in last[0]
    assert "4/4 cells, 4.0 per minute, 1:00 elapsed, 0:00 left" in last[0]
    assert "d = 6" in last[0]
    assert "2/2 cells, 1 from the store" in last[1]


def test_without_a_terminal_lines_are_ten_seconds_apart_but_for_the_first_and_the_last(monkeypatch):
    """A cell every second for half a minute."""
    file, clock = io.StringIO(), [0.0]
    monkeypatch.setattr(sys, "stderr", file)
    with progress.open_reporter(lambda: clock[0]) as report:
        for done in range(32):
            clock[0] = float(done)
            report("grid", Progress(done, 31, 0, float(done), 31.0 - done, ""))
    assert [int(line.split()[1].partition("/")[0]) for line in file.getvalue().splitlines()] == [0, 10, 20, 30, 31]


def test_the_last_line_says_what_was_done_how_long_it_took_and_where_it_is(monkeypatch):
    """Two stages, and one of them again for a second figure: everything is in the store then."""
    clock = [5.0]
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress.open_reporter(lambda: clock[0]) as report:
        for done in (1, 2, 3):
            report("grid", Progress(done, 3, 1, float(done), 0.0, "x"))
        report("fresh", Progress(4, 4, 0, 2.0, 0.0, ""))
        report("grid", Progress(3, 3, 3, 0.0, 0.0, ""))
        clock[0] = 95.0
        said = report.summary("s.sqlite", "out/figures")
    assert said == "6 cells computed and 4 taken from the store in 1:30; the cells are kept in s.sqlite, the files are in out/figures"


def test_a_stage_says_that_the_time_left_is_its_own():
    one = progress.progress_line("search (stage 1 of 2)", Progress(3, 4, 0, 30.0, 10.0, "x"))
    assert one == "search (stage 1 of 2): 3/4 cells, 6.0 per minute, 0:30 elapsed, 0:10 left of this stage  x"


def test_progress_of_claims_is_lines_in_a_file_and_one_line_on_a_terminal(monkeypatch):
    claim = Claim("p." + "long" * 40, "line 1", "it holds", Kind.SCOPE, Outcome.CONSISTENT, "so", lambda: None)
    good, bad = (Verdict(claim, Finding(outcome, "so"), 1.26) for outcome in (Outcome.CONSISTENT, Outcome.INCONCLUSIVE))
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    show = checking.verdict_progress()
    show(1, 3, good)
    show(2, 3, good)  # in less than ten seconds
    show(3, 3, bad)
    assert file.getvalue().splitlines() == [
        f"1/3  {claim.key}: CONSISTENT, 1.3 s", f"3/3  {claim.key}: INCONCLUSIVE (expected CONSISTENT), 1.3 s",
    ]  # fmt: skip
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    show = checking.verdict_progress()
    show(1, 2, good)
    assert screen.flushed
    assert (
        screen.getvalue() == "\r\033[K" + f"[##########          ]  1/2  {claim.key}"[:110]
    )  # no line of a terminal is longer, and it is written over
    show(2, 2, bad)
    assert screen.getvalue().endswith("\n")
    assert screen.getvalue().count("\n") == 1


def test_a_run_is_watched_once_it_lasts_and_short_ones_say_nothing(monkeypatch):
    def shown(stream, times):
        monkeypatch.setattr(sys, "stderr", stream)
        clock = iter(times)
        show = progress.progress_callback("dpzero", lambda: next(clock))
        show(0, len(times))  # all is checked: compiling, which is before the first step, does not count
        for k in range(len(times)):
            show(k + 1, len(times))
        return stream.getvalue()

    assert shown(io.StringIO(), [60, 61, 62]) == ""
    assert shown(io.StringIO(), [60, 64, 65, 75, 76]).splitlines() == [
        "theory-lab: dpzero: 2 of 5, 0:04 elapsed, 0:12 left",
        "theory-lab: dpzero: 4 of 5, 0:15 elapsed, 0:05 left",
        "theory-lab: dpzero: 5 of 5, 0:16 elapsed, 0:00 left",
    ]
    screen = shown(Terminal(), [60, 64, 64.1, 68])
    assert screen.count("\r\033[K") == 2
    assert screen.endswith(f"[{'#' * 30}]\n")


# --- options ----------------------------------------------------------------------------------------------------------------------------
REQUIRED = joined("commands.REQUIRED") | {
    ("report",): {"html"},
    **{(command,): set() for command in ("figure", "check", "show", "list", "sweep", "explain", "new", "check-method")},
}
REQUIRED["calibrate",] = {"n", "epsilon", "delta"}
REQUIRED["audit",] = {"epsilon", "delta"}
REQUIRED["estimate",] = {"objective", "d", "n"}
LEFT_OUT = joined("commands.LEFT_OUT") | {
    ("figure",): {"preview": False, "out": Path("out/figures"), "json": False},
    ("check",): {"quick": False, "json": False, "reuse": False, "verbose": False},
    ("report",): {"quick": False, "json": False, "reuse": False},
    ("new",): {"json": False},
    ("show",): {"proof": False, "page": False, "tree": False, "script": False, "latex": False, "csv": False, "json": False},
    **{(command,): {"json": False} for command in ("list", "explain")},
    ("calibrate",): {"latex": False, "json": False},
    ("check-method",): {"more": [], "exceptions": [], "json": False},
    ("sweep",): {"out": Path("out/sweeps"), "store": Path("results/sweeps.sqlite"), "latex": False, "json": False},
    ("estimate",): {"more": [], "places": 8, "samples": 10_000, "seed": 0, "factor": 1.0, "given": [], "latex": False, "json": False},
    ("audit",): {"runs": 100_000, "seed": 0, "confidence": 0.99, "more": [], "latex": False, "json": False},
}  # fmt: skip


def test_what_an_option_is_where_it_is_left_out():
    left_out = (None, argparse.SUPPRESS)
    found = {path: {a.dest: a.default for a in one._actions if a.default not in left_out} for path, one in leaves(build_parser())}
    assert found == LEFT_OUT


def test_what_must_be_given_and_nothing_else():
    assert {
        path: {action.dest for action in one._actions if action.required and action.option_strings} for path, one in leaves(build_parser())
    } == REQUIRED


@pytest.mark.parametrize("argv", [[], ["simulate"], ["predict"], ["audit"], ["recommend"], ["figure"], ["show"]])
def test_a_command_without_its_words_is_one_line(argv, capsys):
    with pytest.raises(SystemExit) as ended:
        main(argv)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("theory-lab: the following arguments are required")
    assert said.count("\n") == 1


def test_words_of_the_command_line_are_those_of_the_lab():
    found = dict(leaves(build_parser()))
    choices = {path: {a.dest: tuple(a.choices) for a in one._actions if a.choices} for path, one in found.items()}
    assert choices["simulate", "mezo"] == {
        "objective": tuple(SUM.table), "direction": ("sphere", "gaussian"), "sampling": ("without_replacement", "poisson"),
    }  # fmt: skip
    assert choices["simulate", "frozen_psgd"]["objective"] == tuple(SADDLE.table)
    assert choices["simulate", "gauss_psgd"]["oracle"] == sosp.ORACLES
    assert choices["figure",] == {"names": tuple(figures_by_name(all_methods().values())), "accountant": ("lemma", "exact")}


def test_numbers_are_integers_as_far_as_a_float_counts_exactly():
    for text, value in (("9007199254740991", 2**53 - 1), ("-9007199254740991", 1 - 2**53), ("5e15", 5 * 10**15), ("1e4", 10_000)):
        found = sosp.assigned([f"x={text}"])["x"]
        assert (found, type(found)) == (value, int)
    for text in ("9007199254740992", "1e16", "0.5", "3.0"):
        assert type(sosp.assigned([f"x={text}"])["x"]) is float
    assert [whole(text) for text in ("7", "1e3", "-2", " 5 ", "2.0")] == [7, 1000, -2, 5, 2]


# --- signals and git --------------------------------------------------------------------------------------------------------------------
def interrupted(number):
    """Return what came while this process sent itself a signal."""
    try:
        with signals_as_interrupts() as came:
            os.kill(os.getpid(), number)
            time.sleep(5.0)  # it is handled between two steps of Python
    except KeyboardInterrupt:
        return came


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_interrupts_a_command_and_what_it_did_before_comes_back(number):
    before = signal.signal(number, signal.SIG_DFL)
    try:
        came = interrupted(number)
        assert came == [number]
        assert signal.getsignal(number) is signal.SIG_DFL
        signal.signal(number, signal.SIG_IGN)  # as under nohup
        with signals_as_interrupts() as came:
            assert signal.getsignal(number) is signal.SIG_IGN
            os.kill(os.getpid(), number)
        assert came == []
        assert signal.getsignal(number) is signal.SIG_IGN
        signal.signal(number, signal.SIG_DFL)
        seen = []

        def elsewhere():
            with signals_as_interrupts():  # signals are the main thread's
                seen.append(signal.getsignal(number))

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        assert seen == [signal.SIG_DFL]
    finally:
        signal.signal(number, before)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_commit_is_read_from_the_sources_own_repository_whatever_the_environment_names(tmp_path, monkeypatch):
    def git(*arguments):
        who = ["-c", "user.name=one", "-c", "user.email=one@example.org", "-c", "commit.gpgsign=false"]
        return subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True, encoding="utf-8").stdout.strip()

    git("init", "-q")
    (tmp_path / "bounds").mkdir()
    (tmp_path / "bounds" / "__init__.py").write_text("x = 1\n", encoding="utf-8")
    git("add", ".")
    git("commit", "-qm", "one")
    head = git("rev-parse", "HEAD")
    monkeypatch.setattr(origin, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    assert origin.source_commit() == head
    (tmp_path / "README.md").write_text("no source\n", encoding="utf-8")
    (tmp_path / "figures" / "gallery").mkdir(parents=True)
    (tmp_path / "figures" / "gallery" / "one.json").write_text("{}", encoding="utf-8")
    assert origin.source_commit() == head
    (tmp_path / "synthetic").mkdir()
    (tmp_path / "synthetic" / "__init__.py").write_text("x = 2\n", encoding="utf-8")
    assert origin.source_commit() == f"{head}, with changes that are not committed"
    assert origin.run_git("no-such-command") == ""
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert origin.run_git("--version") == ""


def test_a_figure_whose_processes_die_again_and_again_ends_with_status_3(tmp_path, monkeypatch, capsys):
    def dying(arguments, store, report):
        raise WorkerDied("cell d = 5: its process died, 3 times")

    monkeypatch.setattr("theory_lab.commands.figure.draw_figures", dying)
    store = tmp_path / "a.sqlite"
    assert main(["figure", "dpzero-1", "--out", str(tmp_path), "--store", str(store)]) == 3
    assert capsys.readouterr().err == (
        f"theory-lab: cell d = 5: its process died, 3 times; the other cells are kept in {store}, the same command continues\n"
    )


@pytest.mark.parametrize(
    ("error", "status", "said", "left"),
    [
        (BrokenPipeError(), 0, "", 1),  # nobody reads on
        (OSError(28, "No space left"), 2, "theory-lab: [Errno 28] No space left\n", 1),
        (ValueError("n = 0: more is needed"), 2, "theory-lab: n = 0: more is needed\n", 0),
        (KeyboardInterrupt(), 130, "theory-lab: interrupted\n", 0),
    ],
)
def test_how_a_command_ends_is_its_status(error, status, said, left, monkeypatch, capsys):
    def ending(arguments):
        raise error

    ways = []
    monkeypatch.setattr(cli, "discard_stdout", lambda: ways.append("out"))
    monkeypatch.setattr(listing, "run_list", ending)
    monkeypatch.setattr(checking, "run_check", ending)
    assert main(["list"]) == status
    assert capsys.readouterr().err == said
    assert len(ways) == left
    if isinstance(error, BrokenPipeError):
        assert main(["check", "dpzero"]) == 141  # a 0 of check says that every verdict is as expected


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_a_signal_ends_has_the_status_of_that_signal(number, monkeypatch, capsys):
    before = signal.signal(number, signal.SIG_DFL)
    try:

        def ended(arguments):
            os.kill(os.getpid(), number)
            time.sleep(5.0)

        monkeypatch.setattr(listing, "run_list", ended)
        assert main(["list"]) == 128 + number
        assert capsys.readouterr().err == "theory-lab: interrupted\n"
    finally:
        signal.signal(number, before)
