"""The figures of the second-order paper, at tiny sizes: the same numbers again, from the store, and in the tables."""

import importlib
import json
from dataclasses import replace

import numpy as np
import pytest

from figures import experiments as shared
from figures.gauss_psgd import digits as psgd_digits
from figures.gauss_psgd import distributed as psgd_distributed
from figures.gauss_psgd import escape as psgd_escape
from figures.gauss_psgd import experiments
from figures.gauss_psgd import rate as psgd_rate
from figures.gauss_psgd import selection as psgd_selection
from synthetic.objectives.separable_saddles import random_phase_cosines
from synthetic.sweeps import sweep
from synthetic.sweeps.store import Store
from tests.figures import crates
from tests.figures.shown import seeds_asked
from theory_lab.cli import main
from theory_lab.methods.gauss_psgd import MODULES as PSGD

TINY = {
    psgd_escape: psgd_escape.Experiment(log_factors=(4, 5), replicates=30, path_log_factor=4, path_replicates=20, points=10),
    psgd_rate: psgd_rate.Experiment(
        large_n=(10_000, 20_000, 40_000), small=0.5, small_n=(10_000, 20_000), n=20_000, epsilons=(0.5, 2.0), fit_epsilon=1.0, replicates=3
    ),
    psgd_distributed: psgd_distributed.Experiment(d=2, n=10_000, clients=(1, 2, 4), replicates=3),
    psgd_selection: psgd_selection.Experiment(dimensions=(3, 5), n=2000, T=60, replicates=3),
    psgd_digits: psgd_digits.Experiment(epsilons=(2.0,), clients=(1, 2), epochs=2, replicates=2),
}


class Here:
    """An executor that computes in this process, and counts."""

    def __init__(self):
        self.cells = 0

    def submit(self, function, *arguments):
        from concurrent.futures import Future

        self.cells += 1
        future = Future()
        future.set_result(function(*arguments))
        return future


@pytest.fixture
def here(monkeypatch):
    executor = Here()
    whole = sweep.run
    monkeypatch.setattr(shared, "run", lambda cells, store, pool=None, **how: whole(cells, store, executor, **how))
    return executor


def test_the_command_knows_every_module():
    assert {module.NAME for module in TINY} == set(PSGD)
    assert {name: importlib.import_module(path).NAME for name, path in PSGD.items()} == {name: name for name in PSGD}


@pytest.mark.sample(1)
@pytest.mark.parametrize("module", TINY, ids=lambda module: module.NAME)
def test_data_resume_from_the_store_and_do_not_change(module, here, tmp_path):
    with Store(tmp_path / "a.sqlite") as store:
        first = module.table(module.data(TINY[module], store))
        computed = here.cells
        again = module.table(module.data(TINY[module], store))
    assert computed == here.cells > 0
    with Store(tmp_path / "b.sqlite") as store:
        fresh = module.table(module.data(TINY[module], store))
    assert here.cells == 2 * computed
    assert repr(first) == repr(again) == repr(fresh)  # nan compared by its name


@pytest.mark.parametrize("module", TINY, ids=lambda module: module.NAME)
def test_another_seed_is_another_experiment(module, here, tmp_path):
    small = {name: 2 for name in ("replicates", "path_replicates") if hasattr(TINY[module], name)}
    with Store(tmp_path / "a.sqlite") as store:
        rows = [module.table(module.data(replace(TINY[module], seed=seed, **small), store)) for seed in (0, 1)]
    assert repr(rows[0]) != repr(rows[1])


def test_the_drawing_shows_the_numbers_of_the_tables(here, tmp_path):
    """Each curve that the drawing has for a table's column is that column."""

    def lines(figure):
        return [np.column_stack([np.asarray(v, dtype=float) for v in line.get_data()]) for ax in figure.axes for line in ax.get_lines()]

    def shown(figure, x, y):
        wanted = np.column_stack([x, y]).astype(float)
        return any(line.shape == wanted.shape and np.allclose(line, wanted, rtol=1e-12) for line in lines(figure))

    with Store(tmp_path / "a.sqlite") as store:
        records = {module: module.data(e, store) for module, e in TINY.items()}
    tables = {module: module.table(record) for module, record in records.items()}
    drawn = {module: module.draw(record) for module, record in records.items()}

    escape = tables[psgd_escape]
    for panel in ("distance", "drop", "apart"):
        rows = [row for row in escape if row["panel"] == panel]
        assert shown(drawn[psgd_escape], [row["x"] for row in rows], [row["q50"] for row in rows])
    rows = [row for row in escape if row["panel"] == "escaped"]
    assert shown(drawn[psgd_escape], [row["x"] for row in rows], [row["value"] for row in rows])
    for panel in psgd_rate.PANELS:
        rows = [row for row in tables[psgd_rate] if row["panel"] == panel]
        x = [row["epsilon" if panel == "epsilon" else "n"] for row in rows]
        assert shown(drawn[psgd_rate], x, [row["alpha"] for row in rows])
    rows = [row for row in tables[psgd_distributed] if row["panel"] == "fixed"]
    assert shown(drawn[psgd_distributed], [row["m"] for row in rows], [row["rms"] for row in rows])
    for c in records[psgd_digits].curves:
        rows = [row for row in tables[psgd_digits] if (row["variant"], row["m"]) == (c.variant, c.m)]
        assert shown(drawn[psgd_digits], [row["epoch"] for row in rows], [row["accuracy"] for row in rows])
    heights = {
        round(float(v), 12)
        for ax in drawn[psgd_selection].axes[:1]
        for line in ax.get_lines()
        for v in np.asarray(line.get_ydata()).ravel()
    }
    assert {round(row["selected"], 12) for row in tables[psgd_selection]} <= heights


def test_the_command_writes_every_file(tmp_path, capsys, here, monkeypatch):
    monkeypatch.setattr(psgd_escape, "PREVIEW", TINY[psgd_escape])
    argv = ["figure", "psgd-escape", "--preview", "--out", str(tmp_path), "--store", str(tmp_path / "s.sqlite"), "--seed", "3", "--json"]
    assert main(argv) == 0
    found = json.loads(capsys.readouterr().out)["psgd-escape"]
    assert {path.rpartition(".")[2] for path in found["files"]} == {"png", "svg", "pdf", "csv", "json"}
    assert crates.facts(tmp_path / f"psgd-escape-preview{crates.END}")["experiment"]["seed"] == 3


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["psgd-escape", "--n", "5"], "n = 5: the figures psgd-escape"),
        (["psgd-escape", "dpzero-1"], "only figures of a single paper can be drawn together"),
        (["psgd-escape", "--workers", "0"], "workers = 0"),
        (["psgd-rate", "--seed", "-1"], "seed = -1: an integer of at least 0"),
    ],
)
def test_a_wrong_call_is_one_line(argv, sentence, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(experiments, "compute_groups", None)  # before anything is computed
    assert main(["figure", *argv, "--store", str(tmp_path / "s.sqlite"), "--out", str(tmp_path)]) == 2
    assert sentence in capsys.readouterr().err


def test_the_error_is_the_least_alpha_of_which_the_point_is_an_sosp():
    place = random_phase_cosines(3)
    rng = np.random.default_rng(0)
    for x in rng.uniform(-3, 3, (20, 3)):
        alpha = place.sosp_error(x)
        assert place.certify_sosp(x, alpha * (1 + 1e-9)).sosp
        assert not place.certify_sosp(x, alpha * (1 - 1e-6)).sosp


def test_clients_of_even_number_share_one_landscape():
    few, many = (random_phase_cosines(4, phases=experiments.alternating_phases(m, 0.5)) for m in (2, 6))
    x = np.random.default_rng(1).uniform(-2, 2, 4)
    assert few.value_and_gradient(x)[0] == pytest.approx(many.value_and_gradient(x)[0], rel=1e-12)
    with pytest.raises(ValueError, match="m = 3: 1 or an even number"):
        experiments.alternating_phases(3, 0.5)


def test_the_hardest_saddle_is_a_saddle_of_the_curvature_that_lemma_1_asks_for():
    h = experiments.hardest_saddle(d=5, accuracy=0.25, log_factor=8)
    place = random_phase_cosines(**h.landscape)
    assert place.constants["curvature"] == pytest.approx(0.5, rel=1e-9)
    assert place.certify_sosp(place.saddle, 0.2499).saddle
    a = [np.sqrt(sum((1 + h.eta * 0.5) ** (2 * (t - i)) for i in range(1, t + 1))) for t in (1, 7, 40)]
    np.testing.assert_allclose(experiments.noise_growth(0.5, h.eta, np.array([1.0, 7.0, 40.0])), a, rtol=1e-12)


def test_the_record_of_the_selection_holds_the_points_of_its_rules_in_their_order(monkeypatch):
    """The arrays are made up here; the vertical line is Remark 4's (n epsilon)^(6/13)."""
    e = psgd_selection.Experiment(dimensions=(4, 9), n=900, T=50, replicates=7, epsilon=2.0)
    rng, asked = np.random.default_rng(0), {}
    names = ("error", "gradient_noise", "hessian_noise")
    arrays = {d: {f"{rule}/{name}": rng.random(7) for rule in (*psgd_selection.RULES, "own") for name in names} for d in e.dimensions}

    def compute(stage, cells, store, *, workers=None, progress=None):
        asked.update(cells)
        return arrays

    monkeypatch.setattr(experiments, "compute_groups", compute)
    record = psgd_selection.data(e, None)
    assert [(p.rule, p.d) for p in record.points] == [(r, d) for r in ("printed", "proved", "above_threshold", "own") for d in (4, 9)]
    assert [[cell.arguments["replicates"] for cell in group] for group in asked.values()] == [[5, 2], [5, 2]]
    for d in e.dimensions:
        rules, allowed = psgd_selection.rule_settings(e, d)
        assert record.rules[d] == rules
        assert all(cell.arguments["rules"] == rules and cell.arguments["landscape"] == {"d": d} for cell in asked[d])
        seeds = [cell.arguments["seed"] for cell in asked[d]]
        assert seeds == [experiments.child_seed(experiments.child_seed(e.seed, d), k) for k in range(2)]
        for p in (p for p in record.points if p.d == d):
            assert p == psgd_selection.rule_point(p.rule, d, arrays[d], allowed.get(p.rule)) or p.rule in ("above_threshold", "own")
            assert p.middle.value == np.sort(arrays[d][f"{p.rule}/error"])[3]
    assert record.largest == pytest.approx(1800 ** (6 / 13))


@pytest.mark.parametrize("module", [psgd_escape, psgd_rate, psgd_distributed, psgd_selection], ids=lambda one: one.__name__)
def test_no_two_cells_of_a_figure_share_a_seed(module, monkeypatch):
    seeds = seeds_asked(monkeypatch, experiments, module, replace(module.PREVIEW, replicates=12))
    assert len(seeds) == len(set(seeds)) > 2
