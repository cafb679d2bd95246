"""What is chosen is chosen on its own runs, by the measure that the figure says, and judged on others: data, seeds, pairs and intervals.

The cells are made up (`tests.figures.made_up`), so that every number of a table can be traced to the cells that it must come from.
"""

import numpy as np
import pytest
from scipy import stats

from figures.style import interval_columns
from synthetic.grids.settings import Measures
from tests.figures.made_up import SMALL, arrays, conducted
from tests.figures.test_every_field import MODULES

DIGITS = ("grape-digits", "zopo-digits")
GRIDS = {"dpzero-1": ("grad_norm_test",), "dpzero-2": ("grad_norm_train",), "dpzero-3": ("loss_train", "loss_test")}


@pytest.fixture(scope="module")
def run():
    """Give record, rows and cells of a figure; computed once."""
    patch, kept = pytest.MonkeyPatch(), {}

    def of(name):
        if name not in kept:
            record, cells = conducted(MODULES[name], SMALL[name], patch)
            kept[name] = record, MODULES[name].table(record), cells
        return kept[name]

    yield of
    patch.undo()


def seeds(cells):
    return {seed for _, a in cells for seed in a.get("seeds", [a.get("seed")])}


def interval(values):
    """The t-interval of independent numbers, by hand."""
    half = stats.t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values))
    return [np.mean(values) - half, np.mean(values), np.mean(values) + half]


@pytest.mark.parametrize("name", [*GRIDS, "dpzero-tuned", "dpzero-scale"])
def test_settings_are_judged_on_data_and_draws_that_chose_none(name, run):
    cells = run(name)[2]
    chose = [one for one in cells if one[0].split(":")[1] in ("grid_cell", "tune_cell")]
    judged = [one for one in cells if one[0].split(":")[1] in ("replay_cell", "coupled_cell")]
    assert chose
    assert judged
    assert not seeds(chose) & seeds(judged)
    assert not {a.get("dataset") for _, a in chose} & {a["dataset"] for _, a in judged}
    for d in {a["d"] for _, a in judged}:  # of one size and task no two share data or draws
        for task in {task for task, _ in judged}:
            mine = [a for other, a in judged if (other, a["d"]) == (task, d)]
            assert len({a["dataset"] for a in mine}) == len(mine)
            assert len({a["seed"] for a in mine}) == len(mine)
    if name == "dpzero-tuned":  # pairs: what is coupled has the data and the draws of what is on data
        pairs = [
            {(a["d"], a["dataset"], a["seed"]) for task, a in judged if task.endswith(kind)} for kind in ("replay_cell", "coupled_cell")
        ]
        assert pairs[0] == pairs[1]


@pytest.mark.parametrize("name", DIGITS)
def test_step_sizes_are_chosen_on_images_held_out_and_what_is_chosen_is_run_afresh(name, run):
    record, rows, cells = run(name)
    few = min(a["n"] for _, a in cells)
    searched, fresh = ([one for one in cells if (one[1]["n"] == few) is first] for first in (True, False))
    assert {a["n"] for _, a in fresh} == {1400}
    assert few == 1120
    assert not seeds(searched) & seeds(fresh)
    e = record.experiment
    assert {len(a["seeds"]) for _, a in searched} == {e.search_replicates}
    assert {len(a["seeds"]) for _, a in fresh} == {e.replicates}
    assert len({tuple(a["seeds"]) for _, a in fresh}) == 1  # all methods on the same orders and starts, so that they can be paired
    for method in e.METHODS:
        mine = {(a["run"]["C"], a["run"]["alpha"]): arrays(task, a)["held_out"] for task, a in searched if a["method"] == method}
        assert set(mine) == {(C, alpha) for C in e.Cs for alpha in e.alphas}
        best = max(mine, key=lambda at: mine[at].mean())
        chosen = [(row["C"], row["alpha"]) for row in rows if row["panel"] == "search" and row["method"] == method and row["chosen"]]
        assert chosen == [best]
        for epsilon in e.epsilons:
            (row,) = [r for r in rows if (r["panel"], r["method"], r["epsilon"]) == ("accuracy", method, epsilon)]
            assert (row["C"], row["alpha"]) == best
            tests = {m: values for m in (method, e.BASE) for values in [of(fresh, m, rows, epsilon)["test"]]}
            assert [row[f"value{end}"] for end in ("_low", "", "_high")] == pytest.approx(interval(tests[method]), rel=1e-12)
            if method != e.BASE:
                (row,) = [r for r in rows if (r["panel"], r["method"], r["epsilon"]) == ("difference", method, epsilon)]
                paired = interval(tests[method] - tests[e.BASE])
                assert [row[f"value{end}"] for end in ("_low", "", "_high")] == pytest.approx(paired, rel=1e-12)
    free = [a for _, a in fresh if a["run"]["sigma"] == 0]
    assert [(a["method"], a["run"]["C"] > 1e50) for a in free] == [(e.BASE, True)]


def of(fresh, method, rows, epsilon):
    """The arrays of the fresh runs of a method: noise falls with epsilon."""
    epsilons = sorted({row["epsilon"] for row in rows if row["panel"] == "accuracy" and np.isfinite(row["epsilon"])})
    mine = sorted((a["run"]["sigma"], k) for k, (_, a) in enumerate(fresh) if a["method"] == method and a["run"]["sigma"] > 0)
    assert len(mine) == len(epsilons)
    task, a = fresh[mine[::-1][epsilons.index(epsilon)][1]]
    return arrays(task, a)


@pytest.mark.parametrize("name", GRIDS)
def test_winners_are_the_least_of_their_own_measure_and_intervals_are_over_data_sets(name, run):
    record, rows, cells = run(name)
    e = record.experiment
    grids = {(a["spectrum"], a["d"], m): arrays(task, a) for task, a in cells if task.endswith("grid_cell") for m in a["methods"]}
    replays = {
        d: [(a, arrays(task, a)["measures"]) for task, a in cells if task.endswith("replay_cell") and a["d"] == d] for d in e.dimensions
    }
    assert {row["measure"] for row in rows} == set(GRIDS[name])
    for row in rows:
        found = grids[row["spectrum"], row["d"], row["method"]]
        table = found[f"{row['method']}/{row['measure']}"]
        i, j, k = np.argwhere(table == table.min())[0]
        assert (row["alpha"], row["T"], row["C"], row["best_of_grid"]) == (e.alphas[i], e.horizons[j], e.clips[k], table.min())
        assert row["at_x0"] == found[f"start/{row['measure']}"]
        means = []
        for a, measures in replays[row["d"]]:
            at = list(zip(a["spectrum"], a["method"], a["alpha"], a["T"], a["C"], strict=True))
            column = at.index((row["spectrum"], row["method"], row["alpha"], row["T"], row["C"]))
            assert a["sigma"][column] == row["sigma"] == e.sigma()[j, k]
            means.append(measures[Measures.NAMES.index(row["measure"]), :, column].mean())
        assert len(means) == e.fresh_datasets
        low, middle, high = interval(means)
        low = max(low, 0.0)  # neither a norm nor this loss is below 0
        assert [row["fresh_low"], row["fresh_mean"], row["fresh_high"]] == pytest.approx([low, middle, high], rel=1e-12)
        assert row["fresh_runs"] == e.fresh_datasets * e.fresh_replicates


@pytest.mark.parametrize(
    "name", ["zopo-pruning", "zopo-stages", "zopo-lemma4", "zopo-scores", "grape-rate", "grape-subspace", "grape-direction"]
)
def test_every_mean_is_that_of_one_set_of_runs_with_the_interval_of_independent_ones(name, run):
    """Each value of a table is the mean of a column of one group of cells, up to the unit of its panel, and no column stands twice."""
    record, rows, cells = run(name)
    groups = {}
    for task, a in cells:  # replicates of one setting that are several cells differ in their seed alone
        key = repr((task, {k: v for k, v in a.items() if k != "seed"}))
        groups.setdefault(key, []).append(arrays(task, a))
    sets = [np.concatenate([one[field] for one in group]) for group in groups.values() for field in group[0]]
    columns = [column for values in sets for column in (values.T if values.ndim > 1 else [values])]
    units = {"grape-rate": (1.0,), "zopo-scores": (1.0, *(1 / rate for rate in (0.005, 0.01, 0.02, 0.04, 0.08)))}.get(name, (1.0,))
    known = {(round(float(unit * c.mean()), 12)): unit * c for c in columns if len(c) > 1 for unit in units}
    used = []
    for point in record.points:
        if point.get("of") == "gain" or not np.isfinite(point["value"].value):
            continue
        value = point["value"]
        assert round(value.value, 12) in known, point
        assert [value.low, value.value, value.high] == pytest.approx(interval(known[round(value.value, 12)]), rel=1e-9)
        used.append(round(value.value, 12))
        assert interval_columns(value=value).items() <= max(rows, key=lambda row: row["value"] == value.value).items()
    repeated = len(used) - len(set(used))
    assert repeated <= REPEATED.get(name, 0), "one set of runs stands for two points"


REPEATED = {"grape-rate": 5, "zopo-stages": 0}  # the place that both panels of the rates have is run once, for five methods
