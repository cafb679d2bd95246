"""What a file of one's own adds, and what is refused in one sentence."""

import json
from types import SimpleNamespace

import pytest

import theory_lab as lab
from theory_lab.cli import main
from theory_lab.own import user_entries

OBJECTIVE = """
import numpy as np
import theory_lab as lab

def loss(x, row):
    return 0.5 * np.sum((x - row) ** 2)

def gradient(x, row):
    return x - row

def bowl(spectrum, d, n, seed):
    data = np.random.default_rng(seed).standard_normal((n, d))
    return lab.objective(data, loss, gradient, x0=np.zeros(d), constants={"L": 9.0, "ell": 1.0, "gap": float(d)}, name="bowl")

def hill(d, w=0.5):
    return lab.random_phase_cosines(d, w=w)

OBJECTIVES = {"bowl": bowl}
LANDSCAPES = {"hill": hill}
"""
METHOD = """
from theory_lab.methods.record import Figures, Method, Option
METHOD = Method(name="mine", paper="mine", words="w", described="d", simulated="x:y", options=({options}), figures={figures})
"""
CLAIM = """
from paper_checks.verdict import Claim, Finding, Kind, Outcome

def examine():
    return Finding(Outcome.CONSISTENT, "it holds", {{}})

CLAIMS = (Claim({key!r}, "line 1", "it holds", Kind.SCOPE, Outcome.CONSISTENT, "seen", examine),)
"""


def refused(capsys, *argv):
    """Return the one line that a call is refused with."""
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


@pytest.mark.verify
def test_a_file_adds_objectives_to_the_methods_that_run_on_them(written, capsys):
    file = written(OBJECTIVE)
    run = ["simulate", "dpzero", "--objective", "bowl", "--d", "3", "--n", "20", "--json"]
    assert main(["--module", file, *run, "--alpha", "0.1", "--T", "5", "--C", "1", "--sigma", "0"]) == 0
    assert json.loads(capsys.readouterr().out)["objective"] == "bowl"
    assert main([*run, "--plan", "sharp", "--epsilon", "2", "--delta", "1e-5", f"--module={file}"]) == 0
    assert json.loads(capsys.readouterr().out)["plan"]["column"] == "sharp"
    problem = "--objective hill --d 2 --n 3000 --epsilon 8 --delta 1e-5 --oracle exact --with w=0.7 --json"
    assert main(["--module", file, "simulate", "gauss_psgd", *problem.split()]) == 0
    assert json.loads(capsys.readouterr().out)["objective"] == lab.random_phase_cosines(2, w=0.7).name
    assert main(["list", "--module", file, "--json"]) == 0
    assert {"bowl", "hill", "quadratic"} <= set(json.loads(capsys.readouterr().out)["objectives"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("THEOREM = 4", "THEOREM in {file}: a bounds.theorem.Theorem is needed"),
        ("THEOREMS = 4", "THEOREMS in {file}: a dictionary is needed, with a theorem for each name"),
        ("DERIVATIONS = {'mine.a': 3}", "DERIVATIONS in {file}: a bounds.proofs.derivation.Derivation is needed"),
        ("CLAIMS = 3", "its CLAIMS must be a tuple of claims"),
        ("OBJECTIVES = {'bowl': 1}", "OBJECTIVES in {file}: a function is needed"),
        ("OBJECTIVES = {'quadratic': print}", "OBJECTIVES in {file}: the lab already has an objective 'quadratic'"),
        (
            "from bounds import THEOREMS as T\nTHEOREM = T['dpzero.theorem3']",
            "THEOREM in {file}: the lab already has a theorem 'dpzero.theorem3'",
        ),
        ("from theory_lab.methods import METHODS as M\nMETHOD = M['dpzero']", "METHOD in {file}: the lab already has a method 'dpzero'"),
        ("raise SystemExit('no')", "module = '{file}': it cannot be imported (SystemExit: no)"),
        (METHOD.format(options="Option('json', 'x'),", figures=None), "the command line uses --json itself; another name is needed"),
        (METHOD.format(options="Option('a', 'x'), Option('a', 'y')", figures=None), "options of mine: 'a' occurs twice"),
        (METHOD.format(options="", figures="Figures(('psgd-rate',), 'x:y')"), "the lab already has a figure 'psgd-rate'"),
    ],
)
def test_what_is_no_part_of_a_paper_or_has_a_name_of_the_lab_is_refused(text, said, written, capsys):
    file = written(text)
    assert said.format(file=file) in refused(capsys, "--module", file, "list")


def test_a_module_without_a_file_is_refused(capsys):
    assert "the name of a Python file is needed" in refused(capsys, "list", "--module")
    assert "the name of a Python file is needed" in refused(capsys, "--module=", "list")


def test_the_same_file_twice_counts_once(written, capsys):
    file = written(CLAIM.format(key="mine.a"))
    assert main(["--module", file, "check", "--module", file, "--workers", "1", "--json"]) == 0
    assert [one["key"] for one in json.loads(capsys.readouterr().out)] == ["mine.a"]


def test_a_selection_chooses_among_the_claims_of_the_lab_and_of_the_file(written, capsys):
    file = written(CLAIM.format(key="mine.a"))
    assert main(["check", "mine", "dpzero.table1_dpzero.without", "--module", file, "--quick", "--workers", "1", "--json"]) == 0
    assert {one["key"] for one in json.loads(capsys.readouterr().out)} == {"mine.a", "dpzero.table1_dpzero.without"}
    shadow = written(CLAIM.format(key="dpzero.table1_dpzero.without"))
    for command in (["check", "mine"], ["check"], ["report", "--html", "page.html"], ["list"]):
        assert "there is already a claim 'dpzero.table1_dpzero.without'" in refused(capsys, *command, "--module", shadow)


def test_an_abbreviation_of_module_is_not_passed_over(written, capsys):
    assert "write the option --module in full" in refused(capsys, "check", "--modul", written(CLAIM.format(key="mine.a")))


def test_two_files_with_one_name_are_refused():
    files = [SimpleNamespace(__file__=name, OBJECTIVES={"bowl": print}) for name in ("a.py", "b.py")]
    assert list(user_entries(files[:1], "OBJECTIVES")) == ["bowl"]
    with pytest.raises(ValueError, match=r"^OBJECTIVES in b\.py: another of your files already has an objective 'bowl'"):
        user_entries(files, "OBJECTIVES")
