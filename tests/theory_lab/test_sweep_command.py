"""`theory-lab sweep`: its runs are those of `simulate`, its intervals those of a plain loop, and its errors name a line."""

import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from bounds import privacy
from bounds.privacy import accounting
from tests.figures import crates
from tests.tex import latex_faults, named_packages
from tests.theory_lab.sweeps import ONE, called, in_this_process, run, table
from theory_lab.cli import main
from theory_lab.commands import sweep as sweeping
from theory_lab.sweeps import results as of_results

PAGE = (Path(__file__).parents[2] / "docs" / "howto" / "sweep.md").read_text(encoding="utf-8")
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
    return rows, single, crates.facts(folder / "out" / f"plain{crates.END}"), folder


@pytest.fixture(autouse=True)
def here(monkeypatch):
    monkeypatch.setattr(sweeping, "open_workers", in_this_process)


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
        np.testing.assert_allclose(ends, np.maximum(np.mean(means) + np.array([-half, 0, half]), 0), rtol=1e-12, atol=1e-15)


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
    monkeypatch.setattr("synthetic.sweeps.sweep.execute", None)
    assert main(called(swept[3], "--json")) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["rows"]) == len(swept[0])
    ends = (".png", ".svg", ".pdf", ".csv", "-replicates.csv", crates.END)
    assert [Path(file).name for file in told["files"]] == [f"plain{end}" for end in ends]
    assert crates.wrong(Path(told["files"][-1])) == []


def test_the_table_for_a_paper_says_in_its_caption_what_all_runs_have_alike_and_where_it_is_from(swept, capsys):
    assert main(called(swept[3], "--latex")) == 0
    latex = capsys.readouterr().out
    assert latex_faults(latex, named_packages(latex)) == []
    caption = latex.partition(r"\caption{")[2].partition("\n")[0]
    for alike in ("$n = 20$", "$\\varepsilon = 2$", "$\\delta = 0.0001$", "inverse"):
        assert alike in caption, caption
    assert caption.startswith("gradient norm end, mean and 95 ")
    assert r"\nabla" not in latex  # of grad_norm_end, which is a word
    assert "$d = " not in caption  # of which there are three
    assert latex.count(r" \\") == 1 + len(swept[0])
    assert r"\label{tab:sweep-plain}" in latex
    assert r"about DPZero~\cite{zhang2024dpzero}" in latex


def test_one_setting_of_one_replicate_has_no_interval_and_no_picture(tmp_path, capsys):
    assert run(ONE + "sigma = 0.1\n", tmp_path) == 0
    assert "one: grad_norm_end, mean and 95 % interval over one run, which has none" in " ".join(capsys.readouterr().out.split())
    (row,) = table(tmp_path / "out/one.csv")
    assert (row["grad_norm_end_low"], row["seeds"], row["replicates"]) == ("nan", "1", "1")
    assert not (tmp_path / "out/one.png").exists()
    (told,) = (tmp_path / "out").glob("*.json")
    assert crates.wrong(told) == []
    assert crates.facts(told)["file"] == ONE + "sigma = 0.1\n"


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
    assert float(table(tmp_path / "out/one.csv")[0]["sigma"]) == pytest.approx(accounting.sigma(2.0, 1e-4, 6, 9, None, 1.0), rel=1e-15)
    assert run(text + 'batch_size = 3\nsampling = "poisson"\n[privacy]\nepsilon = 2\ndelta = 1e-4\n', tmp_path) == 0
    assert float(table(tmp_path / "out/one-2.csv")[0]["sigma"]) == accounting.sigma(2.0, 1e-4, 2, 9, 3, 1.0, "poisson")
    both = text + 'batch_size = 3\nP = 4\nsampling = "poisson"\n[privacy]\nepsilon = 2\ndelta = 1e-4\n'
    assert run(both, tmp_path) == 0  # four numbers of a secret batch: one release, of twice the length
    assert float(table(tmp_path / "out/one-3.csv")[0]["sigma"]) == accounting.sigma(2.0, 1e-4, 2, 9, 3, 2.0, "poisson")


def test_the_second_paper_s_method_is_swept_too(tmp_path):
    """Its own options are its privacy; words such as its status are in the replicates only."""
    text = 'method = "gauss_psgd"\nd = [3, 4]\nn = 1e6\nreplicates = 2\n[privacy]\nepsilon = 1\ndelta = 1e-6\n'
    assert run(text, tmp_path) == 0
    rows, single = (table(tmp_path / f"out/one{end}.csv") for end in ("", "-replicates"))
    assert [row["d"] for row in rows] == ["3", "4"]
    assert float(rows[0]["grad_norm"]) > 0
    assert {"status", "point"} <= single[0].keys()
    assert "status" not in rows[0]


PRIVATE = "[privacy]\nepsilon = [1, 2]\ndelta = 1e-4\n"


def test_a_method_without_noise_has_no_epsilon(tmp_path):
    """Nor one row for each of them; a picture against epsilon that it would stand in is refused."""
    text = ONE.replace('"dp_gd"', '["dp_gd", "mezo"]')
    assert run(text + PRIVATE, tmp_path) == 0
    rows = table(tmp_path / "out/one.csv")
    assert [(row["method"], row["epsilon"], row["sigma"] > "") for row in rows] == [
        ("dp_gd", "1", True), ("dp_gd", "2", True), ("mezo", "", False)
    ]  # fmt: skip
    assert run(f'{text}{PRIVATE}[plot]\nx = "epsilon"\n', tmp_path) == 2


def test_what_speaks_against_the_privacy_of_a_run_is_told(tmp_path, capsys):
    plan = 'method = "dpzero"\nobjective = "cosine"\nd = 3\nn = 2000\nplan = "sharp"\nT = [2, 3]\n'
    said = "No (epsilon, delta) is promised for this run: T not taken from the plan."
    assert run(plan + "[privacy]\nepsilon = 1\ndelta = 1e-5\n", tmp_path) == 0
    assert f"- {said}" in capsys.readouterr().out.splitlines()
    assert crates.facts(tmp_path / f"out/one{crates.END}")["remarks"] == [sweeping.PLANNED, said]
    assert {one["remarks"] for one in table(tmp_path / "out/one-replicates.csv")} == {said}
    text = 'method = "gauss_psgd"\nd = 3\nn = 1e6\noracle = ["exact", "ada_dp_spider"]\n[privacy]\nepsilon = 1\ndelta = 1e-8\n'
    assert run(text, tmp_path, "--json") == 0
    assert json.loads(capsys.readouterr().out)["remarks"][0].startswith("Not private: the exact oracle uses the population risk")
    assert [one["remarks"][:11] for one in table(tmp_path / "out/one-2-replicates.csv")] == ["Not private", ""]


def test_a_plan_that_vouches_for_a_run_has_no_remarks(tmp_path, capsys):
    text = 'method = "dpzero"\nobjective = "cosine"\nd = 3\nn = 2000\nplan = "sharp"\n[privacy]\nepsilon = 1\ndelta = 1e-5\n'
    assert run(text, tmp_path) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("- ")]
    assert told == [f"- {sweeping.PLANNED}"]  # the sharp noise is for x_tau, and a sweep tells of the end too
    assert "remarks" not in table(tmp_path / "out/one-replicates.csv")[0]


def test_stages_have_numbers_of_their_own_and_the_noise_of_all_their_steps(tmp_path):
    text = ONE.replace("dp_gd", "dp_zoso").replace("T = 2", 'T = "2,5"').replace("0.1", '"0.2,0.1"') + "stages = 2\n"
    assert run(text + "[privacy]\nepsilon = 2\ndelta = 1e-4\n", tmp_path) == 0
    (row,) = table(tmp_path / "out/one.csv")
    assert float(row["sigma"]) == accounting.sigma(2.0, 1e-4, 7, 9, None, 1.0)
    assert row["not_finite"] == "0"


def test_the_noise_of_batches_is_that_of_their_sampling_and_by_default_without_replacement(tmp_path):
    assert run(f"{ONE}batch_size = 3\n[privacy]\nepsilon = 2\ndelta = 1e-4\n", tmp_path) == 0
    assert float(table(tmp_path / "out/one.csv")[0]["sigma"]) == accounting.sigma(2.0, 1e-4, 2, 9, 3, 1.0, "without_replacement")
    assert run(f'{ONE}batch_size = 3\nsampling = "poisson"\n[privacy]\nepsilon = 2\ndelta = 1e-4\n', tmp_path) == 0
    assert float(table(tmp_path / "out/one-2.csv")[0]["sigma"]) == accounting.sigma(2.0, 1e-4, 2, 9, 3, 1.0, "poisson")


POISSON = (
    "Each step takes every record with probability q = {q}, independently of the others, "
    "and divides the sum of their clipped vectors by {B}."
)
OF_ANY = "n and the batch size B of a run determine the rate B/n and the divisor B of its batches"
PRIVACY = "[privacy]\nepsilon = 2\ndelta = 1e-4\n"


@pytest.mark.parametrize(
    ("more", "said", "unsaid"),
    [
        (
            "batch_size = 3\n" + PRIVACY,
            ["Each step draws 3 records afresh, without replacement, at rate q = 0.333333", "at most 2 C/3"],
            [OF_ANY],
        ),
        (
            f'batch_size = [2, 3]\nsampling = "poisson"\n{PRIVACY}',
            [POISSON.format(q=0.222222, B=2), POISSON.format(q=0.333333, B=3)],
            [OF_ANY],
        ),
        (f"batch_size = [2, 3, 4, 5]\n{PRIVACY}", [OF_ANY], ["Each step"]),
        (PRIVACY, [], ["Each step", OF_ANY]),
        ("batch_size = 3\nsigma = 0.1\n", [], ["Each step", OF_ANY]),
    ],
)
def test_a_sweep_says_which_constants_fix_the_noise_of_its_batches(more, said, unsaid, tmp_path, capsys):
    """Only where the accountant gives the noise; a sentence for each kind of batches, one for all where they are many."""
    assert run(ONE + more, tmp_path) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert [one in told for one in said] == [True] * len(said), told
    assert [one in told for one in unsaid] == [False] * len(unsaid), told
    remarks = " ".join(crates.facts(tmp_path / f"out/one{crates.END}").get("remarks", []))
    assert [one in remarks for one in said] == [True] * len(said), remarks


def test_a_method_without_noise_has_no_constants_that_fix_it(tmp_path, capsys):
    assert run(f'method = "mezo"\nd = 3\nn = 9\nalpha = 0.1\nT = 2\nbatch_size = 3\n{PRIVACY}', tmp_path) == 0
    assert "Each step" not in capsys.readouterr().out


def test_an_axis_with_a_zero_is_drawn_without_exponents(tmp_path):
    assert run(ONE + "sigma = [0, 0.1, 0.2]\n", tmp_path) == 0
    assert crates.facts(tmp_path / f"out/one{crates.END}")["exponents"] == {"": None}


def test_more_lines_than_a_picture_holds_are_swept_without_one(tmp_path, capsys):
    text = f"{ONE.replace('C = 1.0', f'C = {[k / 8 for k in range(1, 32)]}')}sigma = 0.1\nlam = [0.1, 0.2]\n".replace("dp_gd", "dpzero")
    text = text.replace("T = 2", "T = [1, 2]").replace("lam = [0.1, 0.2]", "lam = 0.1")
    assert run(text, tmp_path) == 0
    assert "theory-lab: no picture of 62 settings is drawn, because at most 30 lines are distinguishable" in capsys.readouterr().err
    assert (len(table(tmp_path / "out/one.csv")), (tmp_path / "out/one.png").exists()) == (62, False)
    assert run(f'{text}[plot]\nx = "T"\n', tmp_path) == 2
    assert "plot: 31 lines, at most 30 can be told apart" in capsys.readouterr().err


def test_what_intervals_are_over_where_the_numbers_of_replicates_differ(tmp_path, capsys):
    assert run(ONE + "sigma = 0.1\nreplicates = [1, 3]\n", tmp_path) == 0
    assert "over 1 to 3 replicates on the data of one seed" in " ".join(capsys.readouterr().out.split())


def test_an_error_of_a_cluster_is_not_one_of_the_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("synthetic.sweeps.cluster.PATIENCE", 0.2)
    (tmp_path / "one.toml").write_text(ONE + "sigma = 0.1\n", encoding="utf-8")
    argv = called(tmp_path, name="one")
    assert main([*argv[: argv.index("--workers")], "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("theory-lab: scheduler = 'tcp://127.0.0.1:1': no Dask scheduler answers")


def test_noise_is_computed_once_for_the_runs_that_share_it(tmp_path, monkeypatch):
    from paper_checks.shared import audit
    from theory_lab.sweeps.file import cached_sigma

    asked = []
    monkeypatch.setattr(audit, "calibrated_sigma", lambda *given: asked.append(given) or 0.1)
    cached_sigma.cache_clear()
    assert run(f"{ONE.replace('d = 3', 'd = [3, 4, 5]').replace('0.1', '[0.1, 0.2]')}{PRIVATE}", tmp_path) == 0
    cached_sigma.cache_clear()
    assert len(asked) == 2


def test_a_full_disk_at_the_end_is_a_sentence(tmp_path, monkeypatch, capsys):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sweeping, "write_results", full)
    assert run(ONE + "sigma = 0.1\n", tmp_path) == 2
    assert f"theory-lab: out = {str(tmp_path / 'out')!r}: it cannot be written (No space left on device)" in capsys.readouterr().err


def test_parquet_is_whole_and_takes_words_beside_numbers(tmp_path, monkeypatch):
    made = {}

    def from_pydict(columns):
        assert all(len({type(one) for one in column if one is not None}) <= 1 for column in columns.values())
        made.update(columns)
        return "table"

    def write_table(table, path):
        assert str(path) != str(tmp_path / "a.parquet")
        Path(path).write_text(table, encoding="utf-8")

    monkeypatch.setitem(sys.modules, "pyarrow", SimpleNamespace(Table=SimpleNamespace(from_pydict=from_pydict)))
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", SimpleNamespace(write_table=write_table))
    rows = [{"alpha": 0.1, "C": 1.0, "word": ""}, {"alpha": "0.2,0.1", "C": "", "word": "a"}]
    assert of_results.write_parquet(tmp_path / "a.parquet", rows) == [tmp_path / "a.parquet"]
    assert made == {"alpha": ["0.1", "0.2,0.1"], "C": [1.0, None], "word": [None, "a"]}
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]


def test_settings_that_a_line_does_not_tell_apart_are_refused(tmp_path, capsys):
    text = ONE.replace("d = 3", "d = [3, 4]").replace("T = 2", "T = [2, 3]").replace("C = 1.0", "C = [1.0, 2.0]") + "sigma = 0.1\n"
    assert run(text + '[plot]\nx = "d"\nby = "T"\n', tmp_path) == 2
    assert "by = ['T']: the line 'T = 2' has several points at one d; add to by the key that differs" in capsys.readouterr().err
    assert not (tmp_path / "s.sqlite").exists()  # nothing was computed for it
    assert run(text + '[plot]\nx = "d"\nby = ["T", "C"]\n', tmp_path) == 0


def test_a_process_that_dies_keeps_the_others(tmp_path, monkeypatch, capsys):
    from synthetic.sweeps.workers import WorkerDied

    def dies(*_, **__):
        raise WorkerDied("cell d = 3: its process was killed by SIGKILL, 3 times")

    monkeypatch.setattr("synthetic.sweeps.sweep.run", dies)
    assert run(ONE + "sigma = 0.1\n", tmp_path) == 3
    assert f"3 times; the other cells are kept in {tmp_path / 's.sqlite'}, the same command continues" in capsys.readouterr().err


def test_the_file_of_the_page_is_swept(tmp_path, capsys):
    block = re.search(r"```toml\n(.*?)```", PAGE, re.S)[1]
    assert run(block.replace("replicates = 4", "replicates = 1"), tmp_path) == 0
    told = crates.facts(tmp_path / "out" / f"one{crates.END}")
    assert set(told["exponents"]) == {"dpzero", "dp_gd"}
    assert of_results.FIRST[0] == told["y"]
