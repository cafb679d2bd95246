"""The command line, in this process."""

import csv
import json
import re
from argparse import ArgumentTypeError
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

import theory_lab as lab
from bounds.dpzero.looseness import against_quadratic
from bounds.strict_json import strict_json
from paper_checks import papers, recheck_export
from tests.calls import exit_status
from tests.figures import crates
from tests.synthetic.objectives.saddle_cases import SADDLES
from theory_lab import progress
from theory_lab.cli import build_parser, main
from theory_lab.methods import METHODS
from theory_lab.methods.record import whole

PROBLEM = ["--n", "10000", "--d", "2000", "--epsilon", "2", "--delta", "1e-6", "--L", "1", "--ell", "1", "--gap", "1"]
TINY = ["--dimensions", "3,4,5", "--n", "60", "--horizons", "3,10", "--workers", "1"]


def status(argv, capsys):
    return exit_status(argv), capsys.readouterr()


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["figure", "dpzero-9"], "invalid choice: 'dpzero-9'"),
        (["figure", "dpzero-1", "--n", "0"], "n = 0: an integer of at least 1 is needed"),
        (["figure", "dpzero-1", "--delta", "1"], "delta = 1.0: a number strictly between 0 and 1 is needed"),
        (["figure", "dpzero-1", "--epsilon", "nan"], "epsilon = nan: a finite number above 0 is needed"),
        (["figure", "dpzero-1", "--dimensions", "20,x"], "'20,x': integers joined by commas are needed"),
        (["figure", "dpzero-1", "--dimensions", "20,0"], "dimensions has the entry 0.0: integers of at least 1 are needed"),
        (["figure", "dpzero-1", "--spectra", "flat,steep"], "'steep': flat, inverse_sqrt, inverse or power:P"),
        (["figure", "dpzero-1", "--workers", "0"], "workers = 0: an integer of at least 1 is needed"),
        (["figure", "dpzero-1", "--seed", "-3"], "seed = -3: an integer of at least 0 is needed"),
        (["simulate", "dpzero", "--d", "3", "--n", "5", "--alpha", "0.1", "--T", "3"], "dpzero needs both"),
        (["simulate", "dpzero", "--d", "3", "--n", "5", "--alpha", "inf", "--T", "3", "--C", "1", "--sigma", "0"], "alpha = inf"),
        (["simulate", "dpzero", "--d", "x"], "'x': a whole number is needed, such as 100 or 1e2"),
        (["recommend", "dpzero", "--n", "100"], "required: --d, --epsilon, --delta, --L, --ell, --gap"),
        (["recommend", "dp_gd", *PROBLEM, "--r", "0.5"], "r = 0.5: a number from 1 to d"),
        (["recommend", "dp_gd", *PROBLEM, "--T-max", "many"], "'many': an integer of at least 1, printed or free is needed"),
        (["show", "dpzero.theorem9"], "key = 'dpzero.theorem9': no such key; the nearest are dpzero.theorem"),
        (["show", "dpzero.lemma_c1", "--loose", "quadratic"], "theorem = 'dpzero.lemma_c1': one of dpzero.theorem1"),
        (
            ["show", "gauss_psgd.theorem2", "--loose", "problems"],
            "loose = 'problems': the lab has no comparison for gauss_psgd.theorem2; leave",
        ),
        (["show", "dpzero.E5", "--latex"], "key = 'dpzero.E5': it is one of the errata, and this option needs one of the theorems"),
        (["show", "dpzero.E99"], "key = 'dpzero.E99': no such key; the nearest are dpzero.E9"),
        (["show", "dpzero.theorem3", "--csv"], "csv: only the tables of --loose are printed as CSV; give --loose too, or leave --csv out"),
        (["show", "dpzero.theorem3", "--loose", "problems", "--proof"], "proof: --loose prints a table instead of the statement"),
        (["show", "dpzero.theorem3", "--latex", "--json"], "argument --json: not allowed with argument --latex"),
        (["recommend", "dpzero", "--json", "--latex"], "argument --latex: not allowed with argument --json"),
        (["recommend", "gauss_psgd", "--json", "--latex"], "argument --latex: not allowed with argument --json"),
        ([], "COMMAND"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(argv, sentence, capsys):
    code, out = status(argv, capsys)
    assert code == 2
    assert sentence in out.err
    assert out.err.count("\n") == 1
    assert out.err.startswith("theory-lab: ")


def test_every_command_has_help(capsys):
    commands = next(a for a in build_parser()._actions if hasattr(a, "choices") and a.choices).choices
    methods = {"simulate": tuple(METHODS), "recommend": tuple(name for name, one in METHODS.items() if one.plans)}
    methods["predict"] = tuple(name for name, one in METHODS.items() if one.law)
    calls = [[command, *one] for command in commands for one in ([[name] for name in methods.get(command, ())] or [[]])]
    for call in calls:
        code, out = status([*call, "--help"], capsys)
        assert code == 0
        assert "--json" in out.out
    assert len(calls) > len(commands)
    for command, names in methods.items():
        code, out = status([command, "--help"], capsys)
        assert code == 0
        assert all(name in out.out for name in names)


def test_figure_writes_every_file_and_resumes(tmp_path, capsys):
    argv = ["figure", "dpzero-1", "dpzero-3", *TINY, "--json", "--out", str(tmp_path / "out"), "--store", str(tmp_path / "s.sqlite")]
    code, out = status(argv, capsys)
    assert code == 0
    assert (total := re.search(r"grid, fresh runs: (\d+)/\1 cells, [^,]* per minute", out.err))
    found = json.loads(out.out)
    for name in ("dpzero-1", "dpzero-3"):
        written = [tmp_path / "out" / f"{name}-preview{end}" for end in (".png", ".svg", ".pdf", ".csv", crates.END)]
        assert found[name]["files"] == [str(path) for path in written]
        assert all(path.stat().st_size > 500 for path in written)
        assert crates.wrong(written[-1]) == []
    with (tmp_path / "out" / "dpzero-1-preview.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * 3 * 3
    assert all(float(row["fresh_low"]) <= float(row["fresh_mean"]) <= float(row["fresh_high"]) for row in rows)
    record = crates.facts(tmp_path / "out" / f"dpzero-1-preview{crates.END}")
    assert record["experiment"]["accountant"] == "lemma"
    assert record["versions"]["numpy"] == np.__version__
    picture = (tmp_path / "out" / "dpzero-1-preview.svg").read_bytes()
    code, out = status(argv, capsys)
    assert f"{total[1]}/{total[1]} cells, {total[1]} from the store" in out.err
    assert (tmp_path / "out" / "dpzero-1-preview.svg").read_bytes() == picture


def test_a_foreign_store_is_one_line_and_status_2(tmp_path, capsys):
    (tmp_path / "s.sqlite").write_text("not a database " * 100, encoding="utf-8")
    code, out = status(["figure", "dpzero-1", *TINY, "--store", str(tmp_path / "s.sqlite"), "--out", str(tmp_path)], capsys)
    assert code == 2
    assert "cannot be opened as a file of results" in out.err


def test_an_interrupt_says_how_to_resume(tmp_path, capsys, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("paper_checks.dpzero.experiments.figure_runs.run_experiment", interrupt)
    code, out = status(["figure", "dpzero-1", "--store", str(tmp_path / "s.sqlite"), "--out", str(tmp_path)], capsys)
    assert code == 130
    assert "the same command resumes" in out.err


def test_simulate_prints_what_the_api_computes(capsys):
    argv = ["simulate", "dpzero", "--spectrum", "flat", "--d", "4", "--n", "20", "--alpha", "0.1", "--T", "5", "--C", "1", "--sigma", "0.1",
            "--replicates", "2", "--seed", "7"]  # fmt: skip
    code, out = status([*argv, "--json"], capsys)
    assert code == 0
    run = lab.simulate("dpzero", lab.quadratic("flat", 4, 20, 7), alpha=0.1, T=5, C=1.0, sigma=0.1, replicates=2, seed=7)
    assert [r["loss_end"] for r in json.loads(out.out)["replicates"]] == run.loss[:, -1].tolist()
    code, out = status(argv, capsys)
    assert "grad norm end" in out.out


def test_list_names_what_there_is(capsys):
    code, out = status(["list", "--json"], capsys)
    assert code == 0
    assert "dpzero-1" in json.loads(out.out)["figures"]
    assert set(SADDLES) < set(json.loads(out.out)["objectives"])
    assert all(getattr(lab, name) is constructor for name, constructor in SADDLES.items())


def test_recommend_prints_both_plans(capsys):
    code, out = status(["recommend", "dp_gd", *PROBLEM, "--r", "8.18", "--json"], capsys)
    assert code == 0
    plan = json.loads(out.out)
    expected = lab.recommend("dp_gd", n=10_000, d=2_000, r=8.18, epsilon=2.0, delta=1e-6, L=1.0, ell=1.0, gap=1.0)
    assert plan["sharp"]["certified"] == expected.sharp.certified
    assert plan["printed"]["lam"] is None  # JSON has no nan
    code, out = status(["recommend", "dp_gd", *PROBLEM, "--r", "8.18"], capsys)
    assert "if the true L is twice as large" in out.out
    assert "publish x_tau alone" in " ".join(out.out.split())
    code, out = status(["recommend", "dp_gd", *PROBLEM, "--r", "8.18", "--latex", "--T-max", "100"], capsys)
    assert r"\toprule" in out.out


@pytest.mark.parametrize("key", ["dpzero.theorem1", "dpzero.sharp_descent"])
def test_a_proof_is_printed_for_the_second_checker(key, capsys):
    """What show --proof --json prints is what the program reads; a derivation that proves no theorem has a proof too."""
    code, out = status(["show", key, "--proof", "--json"], capsys)
    export = json.loads(out.out)
    assert code == 0
    assert key in export["derivations"]
    assert not any(why for lines in recheck_export.check(export).values() for why in lines.values())
    assert key in status(["show", key, "--proof"], capsys)[1].out
    assert r"\begin{align*}" in status(["show", key, "--proof", "--latex"], capsys)[1].out


def test_a_proof_that_is_not_there_is_named(capsys):
    for argv in (["show", "dpzero.table1_dpzero", "--proof", "--json"], ["show", "dpzero.sharp_descent"], ["show", "nothing", "--proof"]):
        code, out = status(argv, capsys)
        assert code == 2
        assert f"key = '{argv[1]}': " in out.err
    said = "there is no derivation of dpzero.table1_dpzero; the nearest are dpzero."
    assert said in status(["show", "dpzero.table1_dpzero", "--proof"], capsys)[1].out
    assert said in status(["show", "dpzero.table1_dpzero", "--proof", "--json"], capsys)[1].err


def test_show_prints_a_theorem_and_its_proof(capsys):
    code, out = status(["show", "dpzero.theorem3", "--proof"], capsys)
    assert code == 0
    assert "Theorem 3" in out.out
    assert "(23): the squared norm of the gradient" in out.out
    code, out = status(["show", "dpzero.sharp_clip_bias", "--latex"], capsys)
    assert r"\alpha" in out.out
    code, out = status(["show", "dpzero.theorem3", "--json"], capsys)
    assert json.loads(out.out)["key"] == "dpzero.theorem3"


def test_show_tells_a_claim_and_an_erratum(capsys):
    (claim,) = [one for one in papers.claims() if one.key == "dpzero.theorem3.any_epsilon"]
    code, out = status(["show", claim.key], capsys)
    assert code == 0
    assert [line.split(maxsplit=1)[0] for line in out.out.splitlines()][:5] == ["claim", "states", "formula", "source", "text"]
    assert f"verdict      REFUTED: {claim.why}\n" in out.out
    assert f"repaired by  {claim.repaired_by}\n" in out.out
    assert out.out.endswith(f"check again  theory-lab check {claim.key}\n")
    file, line, name = re.search(r"checked by   (.*):(\d+) (\w+)$", out.out, re.M).groups()
    assert (Path(lab.__file__).parents[1] / file).read_text(encoding="utf-8").splitlines()[int(line) - 1].startswith(f"def {name}(")
    (erratum,) = [one for one in papers.errata("dpzero") if one.number == "E5"]
    code, out = status(["show", "dpzero.E5", "--json"], capsys)
    shown = json.loads(out.out)
    assert shown.pop("text read").startswith("the ICML text")
    assert shown == {
        "erratum": "dpzero.E5",
        "states": erratum.words,
        "weight": "text",
        "mark": "harmless",
        "claims": "dpzero.theorem3.missing_bar",
        "paper": "DPZero: Private Fine-Tuning of Language Models without Backpropagation (ICML 2024; arXiv:2310.09639)",
        "link": "figures/gallery/dpzero-report.html#erratum-dpzero-E5",
        "page": "reference/dpzero.html#erratum-dpzero-e5 of the documentation",
        "cite as": f"dpzero.E5, DP Theory Lab {version('dp-theory-lab')}",
    }


def test_show_says_how_loose_a_theorem_is(capsys):
    argv = ["show", "dpzero.dp_gd", "--loose", "quadratic"]
    tables = {form: status([*argv, *form.split()], capsys) for form in ("", "--json", "--csv", "--latex")}
    assert {code for code, _ in tables.values()} == {0}
    found = json.loads(tables["--json"][1].out)
    rows = [asdict(row) for row in against_quadratic("dpzero.dp_gd")]
    assert found["rows"] == json.loads(strict_json(rows))
    read = list(csv.DictReader(tables["--csv"][1].out.splitlines()))
    assert [float(row["exact"]) for row in read] == [row["exact"] for row in rows]
    for form, (_, out) in tables.items():  # whatever the form, the reader learns that a quadratic is not Lipschitz
        said = r"not Lipschitz ($L = \infty$)" if form == "--latex" else "not Lipschitz (L = inf)"
        assert said in " ".join((out.err if form == "--csv" else out.out).split()).replace(r"$(L = \infty)$", r"($L = \infty$)"), form
    assert len([line for line in tables["--latex"][1].out.splitlines() if line.endswith(r" \\")]) == len(rows) + 1
    assert "inverse_sqrt" in tables[""][1].out


def test_show_says_how_close_the_worst_instance_is(capsys, monkeypatch):
    from paper_checks.dpzero.experiments import worst

    small = partial(worst.measure_tightness, spectra=["flat"], dimensions=[20], T_max=200, runs=20)
    monkeypatch.setattr(worst, "measure_tightness", small)
    argv = ["show", "dpzero.theorem3", "--loose", "worst"]
    tables = {form: status([*argv, *form.split()], capsys) for form in ("", "--json", "--csv", "--latex")}
    assert {code for code, _ in tables.values()} == {0}
    found = json.loads(tables["--json"][1].out)
    assert found["rows"] == json.loads(strict_json([asdict(row) for row in small()]))
    assert found["notes"] == list(worst.NOTES)
    assert len(list(csv.DictReader(tables["--csv"][1].out.splitlines()))) == 1
    assert "arXiv:2206.00846" in tables[""][1].out
    code, out = status(["show", "dpzero.dp_gd", "--loose", "worst"], capsys)
    assert code == 2
    assert "theorem = 'dpzero.dp_gd': " in out.err


@pytest.mark.verify
def test_show_compares_the_printed_bound_with_ours_on_the_whole_grid(capsys):
    code, out = status(["show", "dpzero.theorem3", "--loose", "problems", "--json"], capsys)
    ratios = [row["ratio"] for row in json.loads(out.out)["rows"]]
    assert (code, len(ratios)) == (0, 20)
    assert 121 < min(ratios) < max(ratios) < 238  # README


def test_simulate_takes_any_objective(capsys):
    argv = ["simulate", "mezo", "--objective", "cosine", "--d", "4", "--n", "20", "--alpha", "0.01", "--T", "5"]
    code, out = status([*argv, "--json"], capsys)
    assert code == 0
    assert json.loads(out.out)["objective"].startswith("cosine")


def test_progress_lines():
    from synthetic.sweeps.sweep import Progress

    assert progress.format_duration(7.2) == "0:07"
    assert progress.format_duration(3905) == "1:05:05"
    assert progress.format_duration(None) == "?"
    assert (
        progress.progress_line("grid", Progress(3, 9, 1, 60.0, 180.0, "x"))
        == "grid: 3/9 cells, 1 from the store, 2.0 per minute, 1:00 elapsed, 3:00 left  x"
    )


def test_a_diverged_run_is_told_at_its_last_finite_step(capsys):
    argv = ["simulate", "dp_gd", "--d", "4", "--n", "20", "--alpha", "1e60", "--T", "9", "--C", "1e300", "--sigma", "0", "--json"]
    assert main(argv) == 0
    told = json.loads(capsys.readouterr().out)
    (row,) = told["replicates"]
    assert told["remarks"] == [f"1 of 1 runs diverged to values that are not finite, the first in step {row['finite_steps'] + 1}."]
    run = lab.simulate("dp_gd", lab.quadratic("inverse", 4, 20, 0), alpha=1e60, T=9, C=1e300, sigma=0.0)
    last = run.steps[0]
    assert 0 < row["finite_steps"] == last < 9
    assert row["loss_end"] == run.loss[0, last]
    assert row["grad_norm_end"] == pytest.approx(run.grad_norm_sq[0, last] ** 0.5)


@pytest.mark.parametrize("text", ["1.5", "1e-1", "100.01"])
def test_a_number_with_a_fraction_is_no_whole_one(text):
    with pytest.raises(ArgumentTypeError, match="a whole number is needed"):
        whole(text)
