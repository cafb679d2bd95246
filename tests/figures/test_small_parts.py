"""The small parts that all figures share, against what is written out here: intervals, units, exponents, seeds, joints, words, bars."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import stats

from figures import experiments, parts, style
from figures.gauss_psgd import experiments as psgd
from synthetic.estimate import Interval
from synthetic.sweeps.sweep import Cell
from tests.figures.shown import bars


def ends(one):
    return (one.low, one.value, one.high)


def test_a_mean_has_the_interval_of_independent_values_and_of_fewer_than_two_none():
    values = [1.0, 2.0, 4.0, 9.0]
    half = stats.t.ppf(0.975, 3) * np.std(values, ddof=1) / 2
    assert ends(parts.mean_interval(values)) == pytest.approx((4 - half, 4, 4 + half))
    one, none = parts.mean_interval([3.0]), parts.mean_interval([])
    assert (one.value, math.isnan(one.low), math.isnan(one.high)) == (3.0, True, True)
    assert all(map(math.isnan, ends(none)))
    assert ends(parts.scale_interval(Interval(2.0, 1.0, 4.0, 0.9), 100.0)) == (100.0, 200.0, 400.0)
    assert parts.scale_interval(Interval(2.0, 1.0, 4.0, 0.9), 0.5).coverage == 0.9


def test_points_are_found_by_all_their_values_and_a_table_leaves_empty_what_a_point_has_not():
    points = (
        {"panel": "a", "n": 1, "value": Interval(2.0, 1.0, 4.0, 0.95)},
        {"panel": "b", "n": 1, "r": 3, "value": Interval(5.0, 4.0, 7.0, 0.95)},
    )
    record = parts.Record(None, points, {})
    assert record.points_with(panel="b", n=1) == [points[1]]
    assert record.points_with(n=1) == list(points)
    assert record.points_with(panel="b", n=2) == []
    assert [list(row.items()) for row in parts.table(record)] == [
        [("panel", "a"), ("n", 1), ("value", 2.0), ("value_low", 1.0), ("value_high", 4.0), ("r", "")],
        [("panel", "b"), ("n", 1), ("value", 5.0), ("value_low", 4.0), ("value_high", 7.0), ("r", 3)],
    ]


@pytest.mark.parametrize(("low", "wanted"), [(0.0, (0.1, 1.0)), (0.3, (0.6, 1.5))])
def test_bars_end_where_the_interval_does_or_at_a_share_of_the_value(low, wanted):
    ax = Figure().subplots()
    rows = [{"n": 1, "value": Interval(2.0, 0.1, 4.0, 0.95)}, {"n": 3, "value": Interval(5.0, 1.0, 7.0, 0.95)}]
    parts.draw_points(ax, rows, "n", parts.LOOKS[1], "words", ([1, 3], [2.5, 5.5]), low=low)
    (one,) = bars(ax)
    assert (one.x.tolist(), one.y.tolist(), one.high.tolist()) == ([1, 3], [2, 5], [4, 7])
    assert one.low.tolist() == pytest.approx(wanted)
    assert (one.color, one.marker, one.label, one.filled) == (parts.LOOKS[1][0], "s", "words", False)
    law = ax.get_lines()[0]
    assert (law.get_xdata().tolist(), law.get_ydata().tolist(), law.get_color()) == ([1, 3], [2.5, 5.5], parts.LOOKS[1][0])


def test_what_is_not_finite_is_a_cross_and_an_end_without_limit_stops_at_the_top():
    ax = Figure().subplots()
    values = [Interval(2.0, 1.0, math.inf, 0.95), Interval(math.inf, 1.0, math.inf, 0.95), Interval(3.0, 2.0, 9.0, 0.95)]
    style.draw_error_bars(ax, [1, 2, 3], values, 10.0, 0.9, color="#000000", marker="o")
    (one,) = bars(ax)
    assert (one.x.tolist(), one.low.tolist(), one.high.tolist()) == ([1, 3], [1, 2], [20, 9])
    (cross,) = [line for line in ax.get_lines() if line.get_marker() == "x"]
    assert (list(cross.get_xdata()), list(cross.get_ydata())) == ([2], [0.9])
    assert cross.get_transform() == ax.get_xaxis_transform()  # of the height, not of the values


def test_quantiles_count_what_left_the_numbers_as_infinite():
    samples = np.column_stack([np.arange(1.0, 21), np.append(np.arange(1.0, 15), [np.nan] * 6)])
    found = style.sample_quantiles(samples)
    assert found[:, 0].tolist() == [1, 5, 10, 15, 19]
    assert found[:, 1].tolist() == [1, 5, 10, math.inf, math.inf]


@pytest.mark.parametrize(
    ("x", "y", "slope"),
    [
        ([1, 2, 4], [3.0, 6.0, 12.0], 1.0), ([1, 2, 4, 8], [8.0, 4.0, 2.0, math.inf], -1.0), ([1, 2, 4, 8], [1.0, 4.0, 16.0, 0.0], 2.0),
        ([1, 2, 4], [1.0, 2.0, math.nan], None), ([1, 2], [1.0, 2.0], None), ([1, 2, 4], [1.0, -2.0, 4.0], None),
    ],
)  # fmt: skip
def test_an_exponent_is_fitted_to_three_points_or_more_that_are_finite_and_above_0(x, y, slope):
    found = experiments.fit_exponent(x, y)
    assert (found is None) is (slope is None)
    if found:
        assert found.value == pytest.approx(slope)
        assert experiments.json_interval(found) == [found.value, found.low, found.high]
        assert style.exponent_text(found) == f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}]"
    else:
        assert experiments.json_interval(None) is None
        assert style.exponent_text(None) == "too few points"


def test_what_cells_of_a_group_give_is_joined_in_their_order(monkeypatch):
    """Each group's own, cell after cell, whatever the order in which they end."""
    cells = {name: [Cell("a.b:c", {"name": name, "k": k}) for k in range(3)] for name in ("one", "two")}

    def run(everything, store, pool, *, workers, progress):
        assert (store, pool, workers) == ("store", "pool", 3)
        progress("how far")
        return {
            cell.key: {"x": np.array([10.0 * cell.arguments["k"] + len(cell.arguments["name"]), 0.5])}
            for cell in reversed(list(everything))
        }

    told = []
    monkeypatch.setattr(experiments, "run", run)
    monkeypatch.setattr("synthetic.sweeps.sweep.code_version", lambda task: "one")
    found = experiments.compute_groups("stage", cells, "store", workers=3, progress=lambda *given: told.append(given), pool="pool")
    assert {name: one["x"].tolist() for name, one in found.items()} == {key: [3, 0.5, 13, 0.5, 23, 0.5] for key in cells}
    assert told == [("stage", "how far")]


def test_seeds_of_parts_are_all_different_and_no_neighbours():
    made = [experiments.child_seed(seed, *keys) for seed in (0, 1) for keys in ((), (0,), (1,), (0, 0), (0, 1), (1, 0))]
    assert len(set(made)) == len(made)
    assert min(abs(a - b) for k, a in enumerate(made) for b in made[:k]) > 2**32  # so that seed + 1, + 2, ... of one is none of another's


@pytest.mark.parametrize(("replicates", "chunk", "made"), [(9, 4, [4, 4, 1]), (8, 4, [4, 4]), (3, 4, [3]), (4, 4, [4])])
def test_chunks_have_all_replicates_once_and_seeds_of_their_own(replicates, chunk, made):
    assert psgd.chunk_sizes(replicates, chunk) == list(enumerate(made))
    cells = psgd.split_cells("a.b:c", {"d": 2}, 5.0, "words", replicates=replicates, seed=3, chunk=chunk)
    assert [cell.arguments["replicates"] for cell in cells] == made
    assert [cell.cost for cell in cells] == [5.0 * one for one in made]
    assert len({cell.arguments["seed"] for cell in cells}) == len(cells)
    assert {(cell.arguments["d"], cell.label) for cell in cells} == {(2, "words")}


def test_what_the_runs_of_a_task_came_to():
    """75 % of all runs, those that returned nothing among them; the root of the mean square with the interval of the square."""
    task = SimpleNamespace(problem=SimpleNamespace(n=100.0), plan=SimpleNamespace(accuracy=0.35))
    errors = np.append(np.arange(1, 37) / 100, [np.inf] * 4)
    noise = np.linspace(1.0, 3.0, 40)
    found = psgd.summarise_runs(task, {"noise_sq": noise, "error": errors, "status": np.array([0] * 36 + [1, 2, 1, 2]),
                                "samples": np.arange(40.0), "steps": np.arange(40) * 2})  # fmt: skip
    assert (found.replicates, found.failed, found.beyond) == (40, 4, 1)
    assert (found.error.value, found.middle.value) == (0.30, 0.20)
    assert found.error.low < 0.3 < found.error.high
    half = stats.t.ppf(0.975, 39) * noise.std(ddof=1) / math.sqrt(40)
    assert ends(found.rms) == pytest.approx(tuple(math.sqrt(2 + sign * half) for sign in (-1, 0, 1)))
    assert (found.used, found.steps) == (0.39, 39.0)


def test_slopes_of_the_ends_and_phases_of_the_clients():
    assert psgd.end_exponents([1, 2, 4, 8], [1.0, 2.0, 8.0, 8.0]) == pytest.approx((1.0, 0.0))
    assert all(map(math.isnan, psgd.end_exponents([1], [1.0])))
    assert psgd.alternating_phases(1, 0.5) == [0.0]
    assert psgd.alternating_phases(4, 0.5) == [0.5, -0.5, 0.5, -0.5]
    with pytest.raises(ValueError, match="m = 3: 1 or an even number"):
        psgd.alternating_phases(3, 0.5)


@pytest.mark.parametrize(
    ("value", "text"), [(1e-6, "10^{-6}"), (1000.0, "10^{3}"), (2e-5, "2e-05"), (0.5, "0.5"), (1.0, "10^{0}"), (9.99e-6, "9.99e-06")]
)
def test_a_power_of_ten_is_written_as_one_and_nothing_else_is(value, text):
    assert style.number_latex(value) == text


def test_rows_of_csv_have_all_digits_their_own_columns_and_quotes_where_words_have_commas():
    rows = [{"a": 0.1 + 0.2, "b": 'say "x, y"', "c": ""}, {"a": math.inf, "b": "plain", "c": math.nan}]
    assert style.csv_text(rows) == 'a,b,c\n0.30000000000000004,"say ""x, y""",\ninf,plain,nan\n'
    with pytest.raises(ValueError, match="fields not in fieldnames"):
        style.csv_text([{"a": 1}, {"a": 1, "b": 2}])
