"""theory-lab check and report: selection, status, files of one's own, bad input."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import theory_lab as lab
from paper_checks.verdict import Outcome
from tests.calls import exit_status
from theory_lab.cli import main

ROOT = Path(__file__).parents[2]
QUICK = ("dpzero.lemma_2_2.up_to_83", "dpzero.lemma_2_2.any_epsilon")
OWN = """
from paper_checks.verdict import Claim, Finding, Kind, Outcome

def examine():
    return Finding(Outcome.REFUTED, "at x = 2 it is false", {}, {"x": 2})

CLAIMS = (
    Claim("mine.wrong", "line 1", "x < 2", Kind.INEQUALITY, Outcome.CONSISTENT, "I believed it", examine),
)
"""


HANDED = """
from dataclasses import replace

from paper_checks.shared.steps import check_steps
from theory_lab.examples import own_paper as true

line = true.PROOF["bound"]
PROOF = true.PROOF.with_line(replace(line, rhs=line.rhs / {factor}))
CLAIMS = (replace(true.CLAIMS[0], examine=check_steps, arguments={{"derivation": PROOF, "samples": 50}}),)
"""

ASKED = """
from pathlib import Path

from paper_checks.verdict_store import Journal
from paper_checks.papers import load
from paper_checks.verdict import Finding, Outcome, Verdict
from synthetic.sweeps.store import Store

(claim,) = load(Path({file!r})).CLAIMS
with Store({store!r}) as store:
    journal = Journal(store, full=False)
    print(len(journal.kept([claim])))
    journal.keep(Verdict(claim, Finding(Outcome.CONSISTENT, "yes"), 1.0))
"""

FALSE = """
from dataclasses import replace

from theory_lab.examples import own_paper as true

THEOREM = replace(true.THEOREM, bound=true.rate / 5, any_schedule=true.any_step / 5)
PROOF = replace(true.PROOF, proves=THEOREM)
DERIVATIONS = {PROOF.key: PROOF}


def check_proof(*, samples):
    return true.check_steps(PROOF, samples=samples)


def check_bound(**arguments):
    return true.check_bound(**arguments, factor=0.2)


CLAIMS = tuple(replace(claim, examine=globals()[claim.examine.__name__]) for claim in true.CLAIMS)
"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Verdicts of unfinished runs are kept below the folder of the call."""
    monkeypatch.chdir(tmp_path)


def test_verdicts_are_printed_and_all_is_as_expected(capsys):
    assert main(["check", *QUICK, "--quick", "--workers", "1"]) == 0
    out, err = capsys.readouterr()
    assert "REFUTED" in out
    assert "2 claims: 1 CONSISTENT, 1 REFUTED; none different from the recorded verdict" in out
    assert "2/2" in err


def test_json_is_an_array_of_objects_with_the_agreed_names(capsys):
    assert main(["check", QUICK[1], "--quick", "--workers", "1"]) == 0
    assert "\n1 claim: 1 REFUTED; none" in capsys.readouterr().out
    assert main(["check", QUICK[1], "--quick", "--workers", "1", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found.keys() >= {"key", "outcome", "expected", "source", "evidence"}
    assert found["evidence"]["witness"]["delta attained"] > found["evidence"]["witness"]["delta"]


def test_the_witness_of_lemma_2_2_is_what_a_stranger_would_compute():
    """The claimed epsilon and delta of the witness in 40 digits, by the formula of Balle and Wang."""
    from mpmath import erfc, log, mp, mpf, sqrt
    from mpmath import exp as e_to

    (verdict,) = lab.check(QUICK[1], quick=True)
    assert verdict.outcome is Outcome.REFUTED
    with mp.workdps(40):
        epsilon, delta = (mpf(str(verdict.finding.witness[name])) for name in ("epsilon", "delta"))
        mu = epsilon / sqrt(8 * log(mp.e + epsilon / delta))
        phi = lambda x: erfc(-x / sqrt(2)) / 2
        attained = phi(mu / 2 - epsilon / mu) - e_to(epsilon) * phi(-mu / 2 - epsilon / mu)
        assert attained > delta
        assert float(attained) == pytest.approx(verdict.finding.witness["delta attained"], rel=1e-9)


def test_a_verdict_that_differs_gives_status_1(capsys, tmp_path):
    (tmp_path / "my_wrong_paper.py").write_text(OWN, encoding="utf-8")
    assert main(["check", "--module", str(tmp_path / "my_wrong_paper.py"), "--workers", "1"]) == 1
    out = capsys.readouterr().out
    assert "(expected CONSISTENT)" in out
    assert "1 different from the recorded verdict" in out


def test_a_file_that_is_given_twice_counts_once(capsys, tmp_path):
    file = tmp_path / "my_twice_given_paper.py"
    file.write_text(OWN, encoding="utf-8")
    twice = ["--module", str(file), "--module", str(file.parent / "." / file.name)]
    assert main(["check", *twice, "--workers", "1"]) == 1
    assert main([*twice, "check", "--module", str(file), "--workers", "1"]) == 1
    assert capsys.readouterr().out.count("1 claim: ") == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "dpzero.nothing"], "select = 'dpzero.nothing'"),
        (["check", "dpzero", "--workers", "0"], "workers = 0"),
        (["check", "--module", "absent.py"], "module = 'absent.py': an existing Python file is needed"),
        (["report", "--html", "/proc/none/report.html"], "html = '/proc/none/report.html': it cannot be written"),
        (["report"], "--html"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(arguments, words, capsys):
    status = exit_status(arguments)
    out, err = capsys.readouterr()
    assert status == 2
    assert words in err
    assert err.count("\n") == 1
    assert out == ""


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("empty_paper.py", "", "it defines nothing that the lab uses; at least one of CLAIMS"),
        ("three_claims.py", "CLAIMS = 3", "its CLAIMS must be a tuple of claims"),
        ("words_for_claims.py", "CLAIMS = ('a', 'b')", "its CLAIMS must be a tuple of claims"),
        ("words_for_errata.py", "ERRATA = ('E1',)", "its ERRATA must be a tuple of errata"),
        ("broken_paper.py", "1 / 0", "it cannot be imported (ZeroDivisionError"),
        ("leaving_paper.py", "raise SystemExit('no')", "it cannot be imported (SystemExit: no)"),
        ("json.py", OWN, "another module is called 'json'"),
        ("not-a-name.py", OWN, "a file name that is a Python identifier is needed, such as my_theorem.py"),
    ],
)
def test_a_file_that_registers_nothing_is_refused(name, text, words, capsys, tmp_path):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["check", "--module", str(tmp_path / name)]) == 2
    assert words in capsys.readouterr().err


def test_the_report_is_written(tmp_path, capsys):
    file = tmp_path / "folder" / "report.html"
    assert main(["report", *QUICK, "--quick", "--workers", "1", "--html", str(file)]) == 0
    assert "1 CONSISTENT, 1 REFUTED" in capsys.readouterr().out
    assert "Errata" in file.read_text(encoding="utf-8")


INTERRUPTED = """
from pathlib import Path

from paper_checks.verdict import Claim, Finding, Kind, Outcome

SEEN = Path({seen!r})


def one(*, number):
    with SEEN.open("a") as file:
        file.write(f"{{number}}\\n")
    if number == 2 and SEEN.read_text().count("2") == 1:
        raise KeyboardInterrupt
    if number == 3 and SEEN.read_text().count("3") == 1:
        raise OSError("no room")
    return Finding(Outcome.CONSISTENT, f"{{number}} holds", {{"infinite": float("inf"), "pair": (1, 2.5)}})


CLAIMS = tuple(
    Claim(f"mine.{{k}}", "line 1", "it holds", Kind.SCOPE, Outcome.CONSISTENT, "seen", one, {{"number": k}}) for k in (1, 2, 3)
)
"""


def test_an_interrupted_run_goes_on_and_a_finished_one_begins_again(tmp_path, capsys):
    file, seen = tmp_path / "interrupted_paper.py", tmp_path / "seen"
    file.write_text(INTERRUPTED.format(seen=str(seen)), encoding="utf-8")
    argv = ["check", "--module", str(file), "--workers", "1", "--html", str(tmp_path / "page.html"), "--json"]
    assert main(argv) == 130
    assert "kept in results/checks.sqlite, the same command resumes" in capsys.readouterr().err
    assert main(argv) == 1  # 3 breaks off, which is not kept
    out, err = capsys.readouterr()
    assert "1 of 3 verdicts are from an unfinished run" in err
    assert [v["outcome"] for v in json.loads(out)] == ["CONSISTENT", "CONSISTENT", "INCONCLUSIVE"]
    assert "resumed with 1 verdicts" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert main(argv) == 0  # what broke off was no end either
    out, err = capsys.readouterr()
    assert "2 of 3 verdicts are from an unfinished run" in err
    assert main(argv) == 0
    out, err = capsys.readouterr()
    assert "unfinished" not in err
    assert seen.read_text(encoding="utf-8").split() == ["1", "2", "2", "3", "3", "1", "2", "3"]
    assert {str(v["evidence"]["numbers"]["infinite"]) for v in json.loads(out)} == {"inf"}


def test_a_store_that_is_none_is_one_line(tmp_path, capsys):
    (tmp_path / "text").write_text("not a database", encoding="utf-8")
    assert main(["check", QUICK[1], "--quick", "--store", str(tmp_path / "text")]) == 2
    assert "cannot be opened as a file of results" in capsys.readouterr().err


def test_a_bound_five_times_too_small_is_noticed_from_python(tmp_path):
    """Where the runs stay below even that, the proof that the claim names does not end at it."""
    file = tmp_path / "five_times.py"
    file.write_text(FALSE, encoding="utf-8")
    found = lab.check(module=file, quick=True)
    assert [(v.claim.key, v.outcome) for v in found] == [
        ("noisy_sgd.average.proof", Outcome.INCONCLUSIVE),
        ("noisy_sgd.average.simulation", Outcome.INCONCLUSIVE),
    ]
    assert all("the last step is not the bound of" in v.finding.sentence for v in found)
    (one,) = lab.check("noisy_sgd.average.simulation", module=str(file), quick=True)
    assert not one.as_expected


def test_a_module_that_is_no_path_is_named():
    with pytest.raises(ValueError, match=r"^module = 3: the path of a Python file is needed$"):
        lab.check(module=3)
    with pytest.raises(ValueError, match=r"^module = 'absent.py': an existing Python file is needed$"):
        lab.check(module="absent.py")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_a_file_prints_when_it_is_imported_is_no_result(workers, tmp_path, capfd):
    file = tmp_path / f"loud_paper_{workers}.py"
    file.write_text(f"print('here I am')\n{OWN}", encoding="utf-8")
    assert main(["check", "--module", str(file), "--workers", workers, "--json"]) == 1
    out, err = capfd.readouterr()
    assert json.loads(out)[0]["outcome"] == "REFUTED"
    assert "here I am" in err


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_an_examination_prints_is_no_result(workers, tmp_path, capfd):
    file = tmp_path / f"talking_paper_{workers}.py"
    file.write_text(OWN.replace("    return ", "    print('still here')\n    return ", 1), encoding="utf-8")
    assert main(["check", "--module", str(file), "--workers", workers, "--json"]) == 1
    out, err = capfd.readouterr()
    assert json.loads(out)[0]["outcome"] == "REFUTED"
    assert "still here" in err


def test_an_interrupt_while_a_file_is_imported_ends_without_a_traceback(tmp_path, capsys):
    file = tmp_path / "interrupting_paper.py"
    file.write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    assert main(["check", "--module", str(file)]) == 130
    assert capsys.readouterr() == ("", "theory-lab: interrupted\n")


def test_a_file_that_has_changed_since_it_was_imported_is_refused(tmp_path):
    file = tmp_path / "changing_paper.py"
    file.write_text(OWN, encoding="utf-8")
    assert lab.check(module=file)[0].outcome is Outcome.REFUTED
    file.write_text(OWN.replace("REFUTED", "CONSISTENT"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"changing_paper\.py': it has changed since it was imported; restart Python"):
        lab.check(module=file)
    file.write_text(OWN, encoding="utf-8")
    assert lab.check(module=file)[0].outcome is Outcome.REFUTED


@pytest.mark.verify
def test_an_interrupted_run_does_not_answer_for_a_proof_that_was_changed_since(tmp_path):
    """The claim's function is the lab's, and the proof that the file hands it looks the same in `repr`."""
    file, store = tmp_path / "handed_paper.py", tmp_path / "checks.sqlite"
    keys = []
    for factor in ("1", "2"):
        file.write_text(HANDED.format(factor=factor), encoding="utf-8")
        called = [sys.executable, "-c", ASKED.format(file=str(file), store=str(store))]
        keys.append(subprocess.run(called, capture_output=True, encoding="utf-8", check=True, cwd=ROOT).stdout)
    assert keys == ["0\n", "0\n"]


MANY = """
from paper_checks.verdict import Claim, Finding, Kind, Outcome


def examine(*, number):
    if number == 2:
        return Finding(Outcome.REFUTED, "two is wrong", {}, {"x": 12345})
    return Finding(Outcome.CONSISTENT, f"{number} holds", {})


CLAIMS = tuple(
    Claim(
        f"{'one' if k < 5 else 'two'}.claim.number_{k}", "line 1", "it holds", Kind.SCOPE, Outcome.CONSISTENT, "seen", examine,
        {"number": k}, needs_full=k > 13,
    )
    for k in range(16)
)
"""


def test_of_many_verdicts_each_paper_is_counted_and_those_that_differ_are_printed(tmp_path, capsys):
    file, page = tmp_path / "many_papers.py", tmp_path / "page.html"
    file.write_text(MANY, encoding="utf-8")
    assert main(["check", "--module", str(file), "--workers", "1", "--quick", "--html", str(page)]) == 1
    out = capsys.readouterr().out
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.splitlines() if line.startswith(("│ ", "│  "))]
    papers = {row[0]: row[1:] for row in rows if row[0] in ("one", "two")}
    assert papers == {"one": ["5", "0", "4", "1", "0", "0", "1"], "two": ["9", "0", "9", "0", "0", "0", "0"]}
    assert "one.claim.number_2" in out
    assert "REFUTED (expected CONSISTENT)" in out
    assert "x = 12345" in out
    assert "one.claim.number_3" not in out
    assert "14 claims: 13 CONSISTENT, 1 REFUTED; 1 different from the recorded verdict" in out
    assert "2 more are checked without --quick only" in out
    assert main(["check", "--module", str(file), "--workers", "1", "--html", str(tmp_path / "full.html")]) == 1
    assert "checked without --quick" not in capsys.readouterr().out
    said = [re.search(r"(Quick|Full) run,", one.read_text(encoding="utf-8"))[1] for one in (page, tmp_path / "full.html")]
    assert said == ["Quick", "Full"]


def test_a_claim_that_was_not_examined_gives_status_3_and_no_page(tmp_path, capsys):
    """Status 1 would say that its verdict differs."""
    file, page = tmp_path / "large_papers.py", tmp_path / "page.html"
    file.write_text(
        MANY.replace('return Finding(Outcome.REFUTED, "two is wrong", {}, {"x": 12345})', "raise MemoryError"), encoding="utf-8"
    )
    assert main(["check", "--module", str(file), "--workers", "1", "--quick", "--html", str(page)]) == 3
    out, err = capsys.readouterr()
    assert (out, page.exists()) == ("", False)
    assert "1 of 14 claims are not examined (one.claim.number_2)" in err
    assert "the other 13 verdicts are kept in results/checks.sqlite" in err
