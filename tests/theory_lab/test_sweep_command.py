"""`theory-lab sweep`: its runs are those of `simulate`, its intervals those of a plain loop, and its errors name a line."""

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from bounds import accounting, privacy
from tests.tex import faults, packages
from theory_lab import sweeping
from theory_lab.cli import main

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
PLAIN = """
name = "plain"
method = ["dpzero", "dp_gd", "mezo"]
spectrum = "inverse"
d = [3, 5, 9]
n = 20
alpha = 0.2
T = 4
C = [0.5, 2.0]
lam = 0.1
replicates = 3
seed = [0, 7]

[privacy]
epsilon = 2
delta = 1e-4

[plot]
x = "d"
"""


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """The rows, replicates and provenance of PLAIN, and the folder."""
    folder = tmp_path_factory.mktemp("swept")
    (folder / "plain.toml").write_text(PLAIN, encoding="utf-8")
    assert main(called(folder)) == 0
    rows, single = (table(folder / "out" / f"plain{end}.csv") for end in ("", "-replicates"))
    return rows, single, json.loads((folder / "out/plain.json").read_text(encoding="utf-8")), folder


def called(folder, *more, name="plain"):
    return [
        "sweep",
        str(folder / f"{name}.toml"),
        "--out",
        str(folder / "out"),
        "--store",
        str(folder / "s.sqlite"),
        "--workers",
        "1",
        *more,
    ]


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_there_is_a_row_for_each_setting_that_a_method_has(swept):
    rows, single, _, _ = swept
    assert len(rows) == 2 * 2 * 3 + 3  # mezo has no C
    assert len(single) == 2 * 3 * len(rows)
    assert {row["method"] for row in rows} == {"dpzero", "dp_gd", "mezo"}


@pytest.mark.parametrize("method", ["dpzero", "dp_gd"])
def test_a_replicate_is_that_of_simulate_with_the_noise_of_the_accountant(method, swept, capsys):
    sigma = accounting.sigma(2.0, 1e-4, 4, 20, None, 2.0)
    argv = ["simulate", method, "--d", "5", "--n", "20", "--alpha", "0.2", "--T", "4", "--C", "2.0", "--replicates", "3", "--seed", "7"]
    assert main([*argv, "--sigma", repr(sigma), *(["--lam", "0.1"] if method == "dpzero" else []), "--json"]) == 0
    expected = json.loads(capsys.readouterr().out)["replicates"]
    found = [one for one in swept[1] if (one["method"], one["d"], one["C"], one["seed"]) == (method, "5", "2.0", "7")]
    assert [int(one["replicate"]) for one in found] == [0, 1, 2]
    for one, other in zip(found, expected, strict=True):
        assert {name: float(one[name]) for name in other} == other
    assert {float(row["sigma"]) for row in swept[0] if (row["method"], row["C"]) == (method, "2.0")} == {sigma}


def test_a_method_without_privacy_has_no_noise(swept):
    assert {row["sigma"] for row in swept[0] if row["method"] == "mezo"} == {""}


def test_intervals_are_over_the_means_of_the_seeds(swept):
    rows, single, _, _ = swept
    for row in rows:
        here = [one for one in single if all(one[name] == row[name] for name in ("method", "d", "C"))]
        means = [np.mean([float(one["grad_norm_end"]) for one in here if one["seed"] == seed]) for seed in ("0", "7")]
        half = stats.t.ppf(0.975, 1) * np.std(means, ddof=1) / np.sqrt(2)
        ends = [float(row[f"grad_norm_end{end}"]) for end in ("_low", "", "_high")]
        np.testing.assert_allclose(ends, np.mean(means) + np.array([-half, 0, half]), rtol=1e-12, atol=1e-15)


def test_exponents_are_those_of_the_rows(swept):
    rows, _, told, folder = swept
    assert told["x"] == "d"
    assert told["y"] == "grad_norm_end"
    assert set(told["exponents"]) == {"mezo", *(f"{method}, C = {C}" for method in ("dpzero", "dp_gd") for C in (0.5, 2.0))}
    line = [row for row in rows if (row["method"], row["C"]) == ("dp_gd", "0.5")]
    x, y = (np.log([float(row[name]) for row in line]) for name in ("d", "grad_norm_end"))
    assert told["exponents"]["dp_gd, C = 0.5"][0] == pytest.approx(np.polyfit(x, y, 1)[0], rel=1e-9)
    assert all((folder / f"out/plain.{kind}").stat().st_size > 1000 for kind in ("png", "svg", "pdf"))


def test_the_same_command_computes_nothing_again(swept, monkeypatch, capsys):
    monkeypatch.setattr("synthetic.sweep.execute", None)
    assert main(called(swept[3], "--json")) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["rows"]) == len(swept[0])
    assert [Path(file).name for file in told["files"]] == [f"plain.{kind}" for kind in ("png", "svg", "pdf", "csv", "json")] + [
        "plain-replicates.csv"
    ]


def test_the_table_for_a_paper_says_in_its_caption_what_all_runs_have_alike_and_where_it_is_from(swept, capsys):
    assert main(called(swept[3], "--latex")) == 0
    latex = capsys.readouterr().out
    assert faults(latex, packages(latex)) == []
    caption = latex.partition(r"\caption{")[2].partition("\n")[0]
    for alike in ("$n = 20$", "$\\varepsilon = 2$", "$\\delta = 0.0001$", "inverse"):
        assert alike in caption, caption
    assert "$d = " not in caption  # of which there are three
    assert latex.count(r" \\") == 1 + len(swept[0])
    assert r"\label{tab:sweep-plain}" in latex
    assert r"about DPZero~\cite{zhang2024dpzero}" in latex


def run(text, folder, *more):
    (folder / "one.toml").write_text(text, encoding="utf-8")
    return main(called(folder, *more, name="one"))


ONE = 'method = "dp_gd"\nd = 3\nn = 9\nalpha = 0.1\nT = 2\nC = 1.0\n'


def test_one_setting_of_one_replicate_has_no_interval_and_no_picture(tmp_path, capsys):
    assert run(ONE + "sigma = 0.1\n", tmp_path) == 0
    assert "one: grad_norm_end, mean and 95 % interval over one run, which has none" in " ".join(capsys.readouterr().out.split())
    (row,) = table(tmp_path / "out/one.csv")
    assert (row["grad_norm_end_low"], row["seeds"], row["replicates"]) == ("nan", "1", "1")
    assert not (tmp_path / "out/one.png").exists()


def test_one_seed_has_intervals_over_its_replicates(tmp_path, capsys):
    assert run(ONE + "sigma = 0.1\nreplicates = 4\n", tmp_path) == 0
    assert "over 4 replicates on the data of one seed" in " ".join(capsys.readouterr().out.split())
    (row,) = table(tmp_path / "out/one.csv")
    values = [float(one["grad_norm_end"]) for one in table(tmp_path / "out/one-replicates.csv")]
    half = stats.t.ppf(0.975, 3) * np.std(values, ddof=1) / 2
    assert float(row["grad_norm_end_high"]) == pytest.approx(np.mean(values) + half)


def test_a_run_that_diverges_is_counted_and_infinite(tmp_path):
    text = ONE.replace("0.1", "1e300").replace("T = 2", "T = 9") + "sigma = 1e300\nreplicates = 2\n"
    assert run(text, tmp_path) == 0
    (row,) = table(tmp_path / "out/one.csv")
    assert (row["grad_norm_end"], row["not_finite"]) == ("inf", "2")


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ('accountant = "lemma"', privacy.sigma_lemma_2_2(epsilon=2.0, delta=1e-4, T=2, sensitivity=2 / 9)),
        ("", accounting.sigma(2.0, 1e-4, 2, 9, None, 1.0)),
    ],
)
def test_both_accountants(more, expected, tmp_path):
    assert run(f"{ONE}[privacy]\nepsilon = 2\ndelta = 1e-4\n{more}\n", tmp_path) == 0
    assert float(table(tmp_path / "out/one.csv")[0]["sigma"]) == expected


def test_directions_and_batches_count_in_the_noise(tmp_path):
    text = ONE.replace("dp_gd", "dp_zoo")
    assert run(text + "[with]\nP = 3\n[privacy]\nepsilon = 2\ndelta = 1e-4\n", tmp_path) == 0
    assert float(table(tmp_path / "out/one.csv")[0]["sigma"]) == accounting.sigma(2.0, 1e-4, 6, 9, None, 1.0)
    assert run(text + 'batch_size = 3\nsampling = "poisson"\n[privacy]\nepsilon = 2\ndelta = 1e-4\n', tmp_path) == 0
    assert float(table(tmp_path / "out/one.csv")[0]["sigma"]) == accounting.sigma(2.0, 1e-4, 2, 9, 3, 1.0, "poisson")


def test_the_second_paper_s_method_is_swept_too(tmp_path):
    """Its own options are its privacy; words such as its status are in the replicates only."""
    text = 'method = "gauss_psgd"\nd = [3, 4]\nn = 1e6\nreplicates = 2\n[privacy]\nepsilon = 1\ndelta = 1e-6\n'
    assert run(text, tmp_path) == 0
    rows, single = (table(tmp_path / f"out/one{end}.csv") for end in ("", "-replicates"))
    assert [row["d"] for row in rows] == ["3", "4"]
    assert float(rows[0]["grad_norm"]) > 0
    assert {"status", "point"} <= single[0].keys()
    assert "status" not in rows[0]


WRONG = {
    "no method": ("d = 3", "one.toml: method is missing: method = "),
    "another": ('method = "dpzer"', "one.toml, line 1: method = 'dpzer': one of dpzero, "),
    "no option": ('method = "dpzero"\nrate = 3', "one.toml, line 2: rate: the options of dpzero are C, T, alpha, "),
    "a word": ('method = "dpzero"\nd = "x"', "one.toml, line 2: d = 'x': a whole number is needed"),
    "a truth": ('method = "dpzero"\nd = true', "one.toml, line 2: d = True: a number or a word is needed"),
    "a choice": ('method = "dpzero"\n# d\nobjective = "ball"', "one.toml, line 3: objective = 'ball': one of quadratic, "),
    "twice": ('method = "dpzero"\nd = [3, 3]', "one.toml, line 2: d = [3, 3]: at least one value, and none twice, is needed"),
    "none": ('method = "dpzero"\nd = []', "one.toml, line 2: d = []: at least one value"),
    "a list of lists": ('method = "dpzero"\nd = [[3]]', "one.toml, line 2: d = [[3]]: numbers or words are needed"),
    "missing": ('method = "dpzero"\nd = 3', "one.toml: n is missing, dpzero needs it: samples"),
    "a table": (ONE + "[plots]\n", "one.toml: [plots]: a table of with, privacy, plot is needed"),
    "a key of privacy": (ONE + "[privacy]\neps = 1", "one.toml, line 8: eps: in [privacy] epsilon, delta, accountant can stand"),
    "half of privacy": (ONE + "[privacy]\nepsilon = 1", "one.toml: delta is missing in [privacy]"),
    "an accountant": (
        ONE + '[privacy]\nepsilon = 1\ndelta = 0.1\naccountant = "rdp"', "one.toml, line 10: accountant = 'rdp': one of exact, lemma"),
    "two noises": (ONE + "sigma = 1\n[privacy]\nepsilon = 1\ndelta = 0.1", "one.toml, line 7: sigma: [privacy] gives the noise"),
    "no threshold": (
        ONE.replace("C = 1.0\n", "") + "[privacy]\nepsilon = 1\ndelta = 0.1", "one.toml: noise of dp_gd: C: it is needed for it"),
    "an impossible epsilon": (ONE + "[privacy]\nepsilon = -1\ndelta = 0.1", "one.toml: noise of dp_gd: epsilon = -1: "),
    "batches": (
        ONE.replace("dp_gd", "dp_zoo") + "batch_size = 3\n[privacy]\nepsilon = 1\ndelta = 0.1", "sampling = ...: without_replacement or"),
    "an axis that is none": (ONE + '[plot]\nx = "d"', "line 8: x = 'd': a key with several values is needed, of which there is none"),
    "a column that is none": (ONE + 'sigma = 0.1\n[plot]\ny = "loss"', "one.toml, line 9: y = 'loss': one of clipped, finite_steps, "),
    "a name": (ONE + 'name = "../x"', "one.toml, line 7: name = '../x': letters, digits, - and _ are needed"),
    "no TOML": ("method = [", "one.toml: it is no TOML: "),
    "a word for x": (ONE.replace('"dp_gd"', '["dp_gd", "dp_zoo"]') + '[plot]\nx = "method"', "x = 'method': its values are no numbers"),
    "no privacy": (
        ONE.replace("dp_gd", "dp_grape_blocks") + 'r = 1\nnoise = "shared"\n[privacy]\nepsilon = 1\ndelta = 0.1', "noise = 'shared': a "),
    "a run": (ONE + "[with]\nr = 3", "one.toml: with = r: quadratic takes x0"),
    "too few names": (
        ONE.replace("d = 3", "d = [3, 4]").replace("T = 2", "T = [2, 3]") + 'sigma = 0.1\n[plot]\nx = "d"\nby = "method"',
        "one.toml, line 10: by = 'method': a key with several values is needed, of d, T"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_a_sentence_with_its_line(name, tmp_path, capsys):
    text, said = WRONG[name]
    assert run(text, tmp_path) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("theory-lab: ")
    assert said in last
    assert last.count(str(tmp_path)) <= 1


def test_settings_that_a_line_does_not_tell_apart_are_refused(tmp_path, capsys):
    text = ONE.replace("d = 3", "d = [3, 4]").replace("T = 2", "T = [2, 3]").replace("C = 1.0", "C = [1.0, 2.0]") + "sigma = 0.1\n"
    assert run(text + '[plot]\nx = "d"\nby = "T"\n', tmp_path) == 2
    assert "by = ['T']: several settings stand at one d of the line 'T = 2'; name what tells them apart" in capsys.readouterr().err
    assert not (tmp_path / "s.sqlite").exists()  # nothing was computed for it
    assert run(text + '[plot]\nx = "d"\nby = ["T", "C"]\n', tmp_path) == 0


def test_what_cannot_be_read_and_what_cannot_be_given(tmp_path, capsys):
    assert main(["sweep", str(tmp_path / "none.toml")]) == 2
    assert "none.toml': it cannot be read (No such file or directory)" in capsys.readouterr().err
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    assert main(["sweep", str(tmp_path / "latin.toml")]) == 2
    assert "latin.toml': it cannot be read (" in capsys.readouterr().err


def test_a_process_that_dies_keeps_the_others(tmp_path, monkeypatch, capsys):
    from synthetic.workers import WorkerDied

    def dies(*_, **__):
        raise WorkerDied("cell d = 3: its process was killed by SIGKILL, 3 times")

    monkeypatch.setattr("synthetic.sweep.run", dies)
    assert run(ONE + "sigma = 0.1\n", tmp_path) == 3
    assert f"3 times; the other cells are kept in {tmp_path / 's.sqlite'}, the same command goes on" in capsys.readouterr().err


def test_the_file_of_the_readme_is_swept(tmp_path, capsys):
    (block,) = re.findall(r"```toml\n(.*?)```", README, re.S)
    assert run(block.replace("replicates = 4", "replicates = 1"), tmp_path) == 0
    told = json.loads((tmp_path / "out/one.json").read_text(encoding="utf-8"))
    assert set(told["exponents"]) == {"dpzero", "dp_gd"}
    assert sweeping.FIRST[0] == told["y"]
