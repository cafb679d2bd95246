"""What a sweep makes of the runs that it is told of: ends of runs that diverged, counts, intervals, rows and words, on made-up runs."""

import argparse
import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from theory_lab.methods.record import Told
from theory_lab.sweeps import cells as of_cells
from theory_lab.sweeps import results as of_results
from theory_lab.sweeps.file import Sweep


def told(steps, T, **more):
    """What `simulate` tells of replicates that ended after so many finite steps of T."""
    rows = [
        {"replicate": r, "loss_start": 1.0, "loss_end": 10.0 + r, "grad_norm_end": 5.0 + r, "clipped": 0.5, "finite_steps": one,
         "stage_loss": [1.0, 2.0]}
        for r, one in enumerate(steps)
    ]  # fmt: skip
    return Told({"settings": {"T": T}, "replicates": rows} | more, [])


@pytest.fixture
def simulated(monkeypatch):
    """Give what a cell returns where the run tells this."""

    def of(found, **options):
        seen = []
        option = SimpleNamespace(name="lam", default=0.25, many=False)
        record = SimpleNamespace(
            name="made_up", options=(option,), simulated=lambda arguments: seen.append(arguments) or found, kind=None, runner=None
        )
        monkeypatch.setattr("theory_lab.methods.METHODS", {"made_up": record})
        arrays = of_cells.simulate_cell(method="made_up", options=options, more={"w": 0.5})
        assert isinstance(seen[0], argparse.Namespace)
        assert (seen[0].method, seen[0].more) == ("made_up", ["w=0.5"])
        assert seen[0].lam == options.get("lam", 0.25)
        return arrays

    return of


@pytest.mark.parametrize(("T", "whole"), [(3, 3), ((1, 2), 3)])
def test_the_end_of_a_run_that_left_the_finite_numbers_is_infinite_whenever_it_did(T, whole, simulated):
    found = simulated(told([0, 1, whole - 1, whole], T))
    for name, first in (("loss_end", 10.0), ("grad_norm_end", 5.0)):
        assert found[name].tolist() == [math.inf] * 3 + [first + 3]
    assert found["loss_start"].tolist() == [1.0] * 4
    assert found["clipped"].tolist() == [0.5] * 4
    assert found["finite_steps"].tolist() == [0, 1, whole - 1, whole]
    assert "stage_loss" not in found  # no column of numbers
    assert "replicate" not in found


def test_the_range_of_a_column_is_that_of_what_it_counts():
    for name in ("grad_norm_end", "chosen_grad_norm", "finite_steps", "steps", "samples", "fresh_calls", "rounds", "escapes"):
        assert of_results.column_range(name) == (0.0, math.inf)
    assert of_results.column_range("clipped") == (0.0, 1.0)
    assert of_results.column_range("loss_end") == (-math.inf, math.inf)
    assert of_results.mean_columns("escapes", np.array([[0.0], [1.0]]), False)["escapes_low"] == 0.0
    assert of_results.mean_columns("loss_end", np.array([[0.0], [1.0]]), False)["loss_end_low"] == pytest.approx(0.5 - 6.3531, abs=1e-3)


@pytest.mark.parametrize(
    ("more", "options", "said"),
    [
        ({}, {}, None),
        ({"remarks": ("a", "b")}, {}, None),  # of a run that no plan is asked for
        ({"remarks": ("a", "b")}, {"plan": "sharp"}, "a b"),  # of a plan that does not vouch for the run
        ({"remarks": ("a", "b"), "plan": {"column": "sharp"}}, {"plan": "sharp"}, None),  # and of one that does
        ({"unaccounted": "no budget"}, {}, "no budget"),
        ({"unaccounted": "no budget", "remarks": ("a",)}, {"plan": "sharp"}, "no budget a"),
    ],
)
def test_what_speaks_against_a_run_is_in_every_row_of_it(more, options, said, simulated):
    found = simulated(told([3, 3], 3, **more), **options)
    assert found.get("remarks", np.array([])).tolist() == ([said] * 2 if said else [])


def interval(means):
    half = stats.t.ppf(0.975, len(means) - 1) * np.std(means, ddof=1) / np.sqrt(len(means))
    return [np.mean(means) - half, np.mean(means), np.mean(means) + half]


def swept(seeds, replicates):
    """Two runs of a sweep, and their arrays by run and seed."""
    runs = tuple(("dp_gd", {"n": 5, "sigma": 0.1 * (k + 1)}, {}, {"method": "dp_gd", "C": 1.0 + k}) for k in range(2))
    rng = np.random.default_rng(len(seeds) + 10 * replicates)
    arrays = {
        (k, seed): {"loss_end": rng.random(replicates) + 3 * seed, "word": np.array(["x"] * replicates)} for k in range(2) for seed in seeds
    }
    return Sweep("made_up", runs, ("C",), seeds, {}), arrays


@pytest.mark.parametrize(("seeds", "replicates"), [((4, 7, 9), 3), ((4, 7), 1), ((4,), 5)])
def test_intervals_are_over_seeds_and_with_one_seed_over_its_replicates(seeds, replicates):
    """Replicates of a seed share their data: only the means of the seeds are independent."""
    sweep, arrays = swept(seeds, replicates)
    rows = of_results.summary_rows(sweep, arrays)
    for k, row in enumerate(rows):
        of = [arrays[k, seed]["loss_end"] for seed in seeds]
        means = [one.mean() for one in of] if len(seeds) > 1 else of[0]
        assert [row["loss_end_low"], row["loss_end"], row["loss_end_high"]] == pytest.approx(interval(means), rel=1e-12)
        assert list(row) == ["method", "C", "sigma", "seeds", "replicates", "not_finite", "loss_end", "loss_end_low", "loss_end_high"]
        wanted = {"method": "dp_gd", "C": 1.0 + k, "sigma": 0.1 * (k + 1), "seeds": len(seeds), "replicates": replicates, "not_finite": 0}
        assert {name: row[name] for name in wanted} == wanted
    single = of_results.replicate_rows(sweep, arrays)
    assert [(row["C"], row["seed"], row["replicate"], row["loss_end"], row["word"]) for row in single] == [
        (1.0 + k, seed, r, arrays[k, seed]["loss_end"][r], "x") for k in range(2) for seed in seeds for r in range(replicates)
    ]
    words = f"{len(seeds)} seeds" if len(seeds) > 1 else f"{replicates} replicates on the data of one seed"
    assert of_results.interval_basis(sweep, arrays) == words


def test_one_number_has_no_interval_and_one_that_is_not_finite_makes_the_mean_infinite():
    sweep, arrays = swept((4,), 1)
    (row, _) = of_results.summary_rows(sweep, arrays)
    assert row["loss_end"] == arrays[0, 4]["loss_end"][0]
    assert math.isnan(row["loss_end_low"])
    assert math.isnan(row["loss_end_high"])
    assert of_results.interval_basis(sweep, arrays) == "one run, which has none"
    sweep, arrays = swept((4, 7), 3)
    arrays[0, 4]["loss_end"][:2] = math.inf, math.nan
    arrays[0, 7]["other"] = np.zeros(3)
    arrays[0, 4]["other"] = np.array([0.0, math.inf, 1.0])
    first, second = of_results.summary_rows(sweep, arrays)
    assert [first[f"loss_end{end}"] for end in ("", "_low", "_high")] == [math.inf] * 3
    assert (first["not_finite"], second["not_finite"]) == (2, 0)  # of the column that has most
    assert first["other"] == math.inf
    assert second["other"] == ""


def test_what_differs_in_its_number_of_replicates_is_said():
    sweep, arrays = swept((4,), 3)
    arrays[1, 4] = {"loss_end": np.ones(1), "word": np.array(["x"])}
    assert of_results.interval_basis(sweep, arrays) == "1 to 3 replicates on the data of one seed"


def test_intervals_of_norms_and_shares_stay_within_their_range_and_those_of_losses_need_not():
    spread = np.array([[0.01], [0.02], [0.9]])
    ends = {name: of_results.mean_columns(name, spread, False) for name in ("grad_norm_end", "grad_norm_tau", "clipped", "loss_end")}
    assert {name: one[f"{name}_low"] < 0 for name, one in ends.items()} == {
        "grad_norm_end": False, "grad_norm_tau": False, "clipped": False, "loss_end": True,
    }  # fmt: skip
    assert ends["clipped"]["clipped_high"] <= 1
