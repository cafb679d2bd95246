"""check and report --reuse: verdicts of finished runs of the same code, and of no other."""

import json
import re

import pytest

from paper_checks import verdict_store as journal
from theory_lab.cli import main
from theory_lab.commands.check import time_span

COUNTED = """
from pathlib import Path

from paper_checks.verdict import Claim, Finding, Kind, Outcome

SEEN = Path({seen!r})


def one(*, number):
    with SEEN.open("a") as file:
        file.write(f"{{number}} ")
    if number == {broken} and SEEN.read_text().count("3") == 1:
        raise OSError("no room")
    return Finding(Outcome.CONSISTENT, f"{{number}} holds", {{"infinite": float("inf"), "pair": (1, 2.5)}})


CLAIMS = tuple(
    Claim(f"mine.{{k}}", "line 1", "it holds", Kind.SCOPE, Outcome.CONSISTENT, "seen", one, {{"number": k}}) for k in (1, 2, 3)
)
"""
ALL = "1 2 3 "


@pytest.fixture
def counted(tmp_path, monkeypatch, request, capsys):
    """Run a command on a file of three claims, and return the status, what it printed and said, and the claims that it examined."""
    monkeypatch.chdir(tmp_path)
    file, seen = tmp_path / f"counted_{re.sub(r'[^a-z]', '_', request.node.name)}.py", tmp_path / "seen"
    broken = getattr(request, "param", 0)
    file.write_text(COUNTED.format(seen=str(seen), broken=broken), encoding="utf-8")

    def run(*words):
        before = seen.read_text(encoding="utf-8") if seen.exists() else ""
        status = main([*words, "--module", str(file), "--workers", "1"])
        return status, *capsys.readouterr(), seen.read_text(encoding="utf-8").removeprefix(before)

    return run


def test_a_report_takes_what_a_check_has_found_when_it_is_asked_to(counted, tmp_path):
    assert counted("check", "--quick")[3] == ALL
    status, out, err, examined = counted("report", "--quick", "--reuse", "--html", "page.html")
    assert (status, examined) == (0, "")
    words = r"3 of 3 verdicts are reused: the same code found them, \d{4}-\d\d-\d\d \d\d:\d\d( to \S+)? UTC"
    assert re.search(f"theory-lab: {words}, results/checks.sqlite\n", err)
    assert "3 claims: 3 CONSISTENT; none different from the recorded verdict" in out
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert re.search(rf"Quick run, \d+ s\. {words}\.</p>", html)
    assert html.count('class="claim"') == 3
    assert "3 holds" in html


def test_nothing_is_reused_unasked(counted, tmp_path):
    for _ in range(2):
        _, _, err, examined = counted("report", "--html", "page.html")
        assert examined == ALL
        assert "reused" not in err + (tmp_path / "page.html").read_text(encoding="utf-8")


def test_what_is_lacking_is_examined_and_kept_with_the_rest(counted):
    assert counted("check", "mine.2")[3] == "2 "
    _, out, err, examined = counted("check", "--reuse", "--json")
    assert examined == "1 3 "
    assert "1 of 3 verdicts are reused" in err
    assert [one["key"] for one in json.loads(out)] == ["mine.1", "mine.2", "mine.3"]
    _, again, err, examined = counted("check", "--reuse", "--json")
    assert (examined, json.loads(again)) == ("", json.loads(out))
    assert "3 of 3 verdicts are reused" in err


def test_a_quick_verdict_is_none_of_a_full_run_and_the_other_way_round(counted):
    assert counted("check", "--quick")[3] == ALL
    _, _, err, examined = counted("check", "--reuse")
    assert examined == ALL
    assert "0 of 3 verdicts are reused, results/checks.sqlite" in err
    assert counted("check", "--quick", "--reuse")[3] == counted("check", "--reuse")[3] == ""


@pytest.mark.parametrize(
    ("name", "other"),
    [("sources_hash", lambda examine: "of other sources"), ("library_versions", lambda: ("3.11", "numpy 1"))],
    ids=["code", "numpy"],
)
def test_what_other_code_found_is_not_taken(name, other, counted, monkeypatch):
    assert counted("check")[3] == ALL
    with monkeypatch.context() as changed:
        changed.setattr(journal, name, other)
        _, _, err, examined = counted("check", "--reuse")
        assert examined == ALL
        assert "0 of 3 verdicts are reused" in err
        assert counted("check", "--reuse")[3] == ""
    assert counted("check", "--reuse")[3] == ALL  # the code is again what it was, and what it had found was taken out


@pytest.mark.parametrize("counted", [3], indirect=True)
def test_an_examination_that_broke_off_is_not_reused(counted):
    status, _, _, examined = counted("check")
    assert (status, examined) == (1, ALL)
    status, _, err, examined = counted("check", "--reuse")
    assert (status, examined) == (0, "3 ")
    assert "2 of 3 verdicts are from an unfinished run" in err
    assert "0 of 3 verdicts are reused" in err
    assert counted("check", "--reuse")[3] == ""


def test_what_an_unfinished_run_has_found_is_not_counted_as_reused(counted, tmp_path, monkeypatch):
    assert counted("check")[3] == ALL
    with monkeypatch.context() as ended:
        ended.setattr(journal.VerdictStore, "finish", lambda self, claims: True)
        assert counted("check")[3] == ALL  # as if it had been killed at its end
    _, _, err, examined = counted("report", "--reuse", "--html", "page.html")
    assert examined == ""
    assert "3 of 3 verdicts are from an unfinished run" in err
    assert "0 of 3 verdicts are reused" in err
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "reused" not in html
    assert "since it was resumed with 3 verdicts." in html


def test_verdicts_that_are_not_kept_are_told(counted, monkeypatch):
    monkeypatch.setattr(journal.VerdictStore, "finish", lambda self, claims: False)
    assert (
        "theory-lab: the sources of the lab are not files, or were changed during the run, so the verdicts are not kept\n"
        in counted("check")[2]
    )


def test_when_things_were_found():
    assert time_span(["2026-11-27 17:31"] * 2) == "2026-11-27 17:31 UTC"
    assert time_span(["2026-11-27 18:02", "2026-11-27 17:31"]) == "2026-11-27 17:31 to 18:02 UTC"
    assert time_span(["2026-11-27 23:59", "2026-11-28 00:01"]) == "2026-11-27 23:59 to 2026-11-28 00:01 UTC"
