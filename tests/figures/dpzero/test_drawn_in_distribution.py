"""The figures dpzero-scale and dpzero-tuned show what their records hold, each method, spectrum and dimension in its own place."""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from mpmath import mp

from figures.dpzero import scale, tuned
from figures.dpzero.synthetic import LOOKS
from figures.parts import Record
from synthetic.estimate import Interval
from tests.figures.dp_grape.test_drawn import assert_table, has_curve, interval
from tests.figures.shown import bars, lines, plain

SPECTRA = ("flat", "inverse_sqrt", "inverse")
COLUMNS = {**dict.fromkeys(("alpha", "T", "C", "sigma"), 0), "values": slice(None)}  # of made-up settings
METHODS = ("dpgd_0th", "dpzero", "dp_gd")


def scale_record():
    e = scale.ScaleExperiment(dimensions=(200, 20, 10**9, 10**12), samples=(10**6, 10**3), wide=10**9, n=10**4, data=(20, 200))
    points = []
    for (m, method), (s, spectrum) in product(enumerate(METHODS), enumerate(SPECTRA)):
        for d, n in [(200, 10**4), (20, 10**4), (10**9, 10**4), (10**12, 10**4), (10**9, 10**6), (10**9, 10**3)]:
            value = (1 + m + 3 * s) * d ** (0.01 * (1 + m)) / n**0.1
            row = {"method": method, "spectrum": spectrum, "d": d, "n": n, "alpha": 0.1, "T": 7, "C": 1.0, "sigma": 0.2}
            points.append(row | {"kind": "law", "runs": 64, "value": interval(value)})
            if d in e.data:
                points.append(row | {"kind": "data", "runs": 4, "value": interval(1.01 * value)})
    return Record(e, tuple(points), {})


@pytest.mark.parametrize(("column", "spectrum"), list(enumerate(SPECTRA)))
def test_scale_is_drawn_by_dimension_and_by_samples(column, spectrum):
    record = scale_record()
    axes = np.array(scale.draw(record).axes).reshape(3, 3)[:, column]
    d, n = [20, 200, 10**9, 10**12], [10**3, 10**4, 10**6]
    for m, method in enumerate(METHODS):
        law = {(p["d"], p["n"]): p["value"].value for p in record.points_with(kind="law", method=method, spectrum=spectrum)}
        np.testing.assert_allclose(lines(axes[0])[LOOKS[method].label], [d, [law[one, 10**4] for one in d]])
        np.testing.assert_allclose(lines(axes[2])[LOOKS[method].label], [n, [law[10**9, one] for one in n]])
        (points,) = (b for b in bars(axes[0]) if b.color == LOOKS[method].color)
        np.testing.assert_allclose([points.x, points.y], [[200, 20], [1.01 * law[one, 10**4] for one in (200, 20)]])
        assert has_curve(axes[1], [math.sqrt(a * b) for a, b in pairwise(d)], [0.01 * (1 + m)] * 3)
    assert [ax.get_xlabel() for ax in axes] == ["", "dimension $d$", "samples $n$, at $d = 10^{9}$"]
    squares = {"flat": lambda d: d, "inverse_sqrt": mp.harmonic, "inverse": lambda d: mp.zeta(2) - mp.zeta(2, d + 1)}[spectrum]
    ((x, start),) = plain(axes[0], "#888888", ":")
    np.testing.assert_allclose(start, [math.sqrt(squares(int(one))) for one in x], rtol=1e-7)
    ((_, log),) = plain(axes[1], "#888888", ":")
    np.testing.assert_allclose(log[0], math.log(math.log(200) / math.log(20)) / math.log(10))
    assert bars(axes[2]) == []


def test_the_rows_of_scale_are_its_points():
    assert_table(scale.SCALE, scale_record())


def tuned_record():
    e = tuned.TunedExperiment(dimensions=(20, 200))
    points = []
    for (m, method), (s, spectrum), d in product(enumerate(METHODS), enumerate(SPECTRA), (200, 20)):
        value = 0.7 + 0.05 * m + 0.1 * s + d / 2000
        one = {"method": method, "spectrum": spectrum, "d": d, "value": Interval(value, 0.98 * value, 1.03 * value, 0.95), "datasets": 6}
        one |= {f"{plan}_predicted": 0.1 * (1 + m) / (1 + k) ** (1 + s) for k, plan in enumerate(("lemma", "exact", "free"))}
        points.append(one | {f"{plan}_T": 10 for plan in ("lemma", "exact", "free")})
    return Record(e, tuple(points), {})


def test_ratios_and_what_less_noise_gives_are_drawn():
    record = tuned_record()
    axes = np.array(tuned.draw(record).axes).reshape(2, 3)
    assert [ax.get_ylabel() for ax in axes[:, 0]] == ["tuned in law / winner, on data", "predicted, over the paper's noise"]
    for s, spectrum in enumerate(SPECTRA):
        for m, method in enumerate(METHODS):
            (points,) = (b for b in bars(axes[0, s]) if b.label == LOOKS[method].label)
            at = {p["d"]: p["value"] for p in record.points_with(method=method, spectrum=spectrum)}
            np.testing.assert_allclose(points.x, [d * 1.06 ** (m - 1) for d in (20, 200)])
            np.testing.assert_allclose(points.y, [at[d].value for d in (20, 200)])
            np.testing.assert_allclose([points.low, points.high], [[at[d].low for d in (20, 200)], [at[d].high for d in (20, 200)]])
            for dash, less in (("-", 2), (":", 3)):
                assert any(np.allclose(y, less ** -(1 + s)) for x, y in plain(axes[1, s], LOOKS[method].color, dash) if len(x) == 2)
    assert_table(tuned.TUNED, record)


def test_what_is_found_is_counted_by_geometric_means():
    record = tuned_record()
    found = tuned.ratio_summary(record)
    ratios = {m: [p["value"].value for p in record.points_with(method=m)] for m in METHODS}
    for m in METHODS:
        assert found["geometric means"][m] == pytest.approx(math.prod(ratios[m]) ** (1 / 6))
    assert found["geometric means"]["all"] == pytest.approx(math.prod(p["value"].value for p in record.points) ** (1 / 18))
    assert found["worse beyond the interval"] == ["dpzero, inverse, d = 200", "dp_gd, inverse, d = 200"]
    assert found["widest half width"] == pytest.approx(0.025 * max(max(one) for one in ratios.values()))


def test_the_ratio_of_means_has_the_interval_of_the_delta_method():
    """Simulated pairs with a known ratio: 95 % of intervals hold it, within 1.5 % (5 standard errors are 1.1)."""
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(10_000):
        common = rng.normal(1.0, 0.2, (12, 2)) * [1.0, 0.8]
        data = common + rng.normal([0.1, 0.0], 0.02, (12, 2))
        one = tuned.mean_ratio(tuned.PairedErrors(data, common, rng.normal(1.0, 0.2, (100, 2)) * [1.0, 0.8]))
        held += one.low < 0.8 / 1.1 < one.high
    assert abs(held / 10_000 - 0.95) < 0.015
    plain = tuned.mean_ratio(tuned.PairedErrors(data, np.zeros((12, 2)), np.zeros((100, 2))))
    assert plain.value == pytest.approx(data[:, 1].sum() / data[:, 0].sum())
    assert one.high - one.low < 0.5 * (plain.high - plain.low)


def test_cells_stop_by_their_width_and_pairs_keep_their_places(monkeypatch):
    """Made-up measures: a narrow cell gets the first batch, a wide one the most; every pair is its own winner and tuned setting."""
    e = tuned.TunedExperiment(dimensions=(20, 50), narrow=0.03, most=20)
    wide, narrow = ("dpzero", "flat", 20), ("dp_gd", "inverse", 50)
    settings, others = ({place: {"alpha": alpha, "T": 3, "C": 1.0, "sigma": 0.1} for place in (wide, narrow)} for alpha in (0.1, 0.2))
    rng, asked, drawn = np.random.default_rng(1), [], []

    def compute(stage, cells, store, **_):
        if stage == "means in law (stage 3 of 4)":
            assert set(cells) == {wide, narrow}
            assert [cell.arguments["alpha"] for (cell,) in cells.values()] == [[0.1, 0.2]] * 2
            return {(m, s, d): {"values": np.full((9, 4, 2), [d + 7.0, 0.9 * d + 7.0])} for m, s, d in cells}
        asked.append({(task.split(":")[1], d): len(some) for (task, d), some in cells.items()})
        found = {}
        for (task, d), some in cells.items():
            assert {cell.task for cell in some} == {task}
            assert [cell.arguments["alpha"] for cell in some] == [[0.1, 0.2]] * len(some)
            drawn.extend((d, task, cell.arguments["dataset"], cell.arguments["seed"]) for cell in some)
            spread, shift = (0.3 if d == 20 else 0.001) if "replay" in task else 0.0, 0.0 if "replay" in task else 7.0
            measures = np.full((4 * len(some), 1, 2), np.nan)
            measures[tuned.TEST :: 4, 0] = np.array([d, 0.9 * d]) * rng.normal(1.0, spread, (len(some), 2)) + shift
            found[task, d] = {"measures": measures}
        return found

    monkeypatch.setattr(tuned, "compute_groups", compute)
    seen = tuned.run_pairs(e, settings, others, None, {})
    for d, count in ((20, 20), (50, 6)):
        on_data, coupled = ([one[2:] for one in drawn if one[:2] == (d, task)] for task in tuned.TASKS)
        assert on_data == coupled
        assert len(set(next(zip(*on_data, strict=True)))) == len({seed for _, seed in on_data}) == count
    both = ("replay_cell", "coupled_cell")
    assert asked == [{(task, d): 6 for task in both for d in (20, 50)}, {(task, 20): 6 for task in both}, {(task, 20): 8 for task in both}]
    assert seen[narrow].data.shape == seen[narrow].coupled.shape == (6, 2)
    assert seen[wide].data.shape == (20, 2)
    np.testing.assert_allclose(seen[narrow].data, np.tile([50, 45], (6, 1)), rtol=0.01)
    np.testing.assert_allclose(seen[narrow].estimated_means(), [50, 45], rtol=0.01)


def test_settings_of_scale_are_run_on_data_in_their_own_places(monkeypatch):
    """Made-up settings and measures that tell of whom they are."""
    e, drawn, alphas = scale.ScaleExperiment(dimensions=(20, 200), samples=(1_000,), wide=200, data=(20,), datasets=3), [], {}
    powers = 10.0 ** np.arange(4)

    def compute(stage, cells, store, **_):
        if stage == "settings in law (stage 1 of 2)":
            alphas.update({place: 1.0 + k for k, place in enumerate(cells)})
            columns = {place: dict.fromkeys(("alpha", "T", "C", "sigma"), np.array([alpha])) for place, alpha in alphas.items()}
            return {place: one | {"values": np.outer(np.ones(5), one["alpha"] * powers)} for place, one in columns.items()}
        told = {d: [cell.arguments for cell in some] for d, some in cells.items()}
        for d, a in ((d, a) for d, some in told.items() for a in some):
            drawn.append((a["dataset"], a["seed"]))
            assert a["alpha"] == [alphas[m, s, d, e.n] for m, s in zip(a["method"], a["spectrum"], strict=True)]
        return {d: {"measures": np.concatenate([np.multiply.outer(powers, [a["alpha"]]) for a in some])} for d, some in told.items()}

    monkeypatch.setattr(scale, "compute_groups", compute)
    record = scale.data(e, None)
    assert [len(set(column)) for column in zip(*drawn, strict=True)] == [3, 3]
    assert [len(record.points_with(kind=kind)) for kind in ("law", "data")] == [27, 9]
    for p in record.points:
        assert p["alpha"] == alphas[p["method"], p["spectrum"], p["d"], p["n"]]
        assert p["value"].value == pytest.approx(p["alpha"] * powers[scale.TEST])


@pytest.mark.parametrize("accountant", ["lemma", "exact"])
def test_winners_meet_the_settings_of_their_own_noise_and_directions(monkeypatch, accountant):
    e = tuned.TunedExperiment(
        dimensions=(20,), spectra=("flat",), alphas=(0.1, 0.2), horizons=(10, 20), clips=(1.0, 2.0, 3.0), longer=40, accountant=accountant,
        direction="gaussian",
    )  # fmt: skip
    least, plans = dict(zip(METHODS, ((1, 1, 2), (0, 1, 0), (1, 0, 1)), strict=True)), {"lemma": 1.0, "exact": 2.0, "free": 3.0}
    tables = {f"{m}/grad_norm_test": np.ones((2, 2, 3)) for m in METHODS}
    for m, at in least.items():
        tables[f"{m}/grad_norm_test"][at] = 0.5

    def compute(stage, cells, store, **_):
        asked = {(plan, cell.arguments["T_max"], cell.arguments["accountant"]) for (*_, plan), (cell,) in cells.items()}
        assert {cell.arguments["direction"] for (cell,) in cells.values()} == {"gaussian"}
        assert asked == {("lemma", 20, "lemma"), ("exact", 20, "exact"), ("free", 40, "exact")}
        return {p: {n: np.full((1, 4), plans[p[-1]])[:, column] for n, column in COLUMNS.items()} for p in cells}

    def duels(e, winners, chosen, *_):
        for m, (i, j, k) in least.items():
            assert winners[m, "flat", 20] == {"alpha": e.alphas[i], "T": e.horizons[j], "C": e.clips[k], "sigma": e.sigma()[j, k]}
            assert set(chosen[m, "flat", 20].values()) == {plans[accountant]}
        return {place: tuned.PairedErrors(np.array([[2.0, 1.0]] * 3), np.zeros((3, 2)), np.zeros((3, 2))) for place in winners}

    for name, stub in {
        "run": lambda cells, *_, **__: {cell.key: tables for cell in cells},
        "compute_groups": compute,
        "run_pairs": duels,
    }.items():
        monkeypatch.setattr(tuned, name, stub)
    for p in tuned.data(e, None).points:
        assert [p[f"{plan}_predicted"] for plan in plans] == list(plans.values())
        assert (p["value"].value, p["winner_mean"], p["tuned_mean"]) == (0.5, 2.0, 1.0)


def test_a_setting_that_diverges_on_data_is_worse():
    pairs = tuned.PairedErrors(np.array([[1.0, np.inf], [1.0, 0.5]]), np.ones((2, 2)), np.ones((5, 2)))
    with np.errstate(invalid="ignore"):
        value = tuned.mean_ratio(pairs)
    record = tuned_record()
    first = {**record.points[0], "value": value}
    told = tuned.ratio_summary(Record(record.experiment, (first, *record.points[1:]), {}))
    assert f"{first['method']}, {first['spectrum']}, d = {first['d']}" in told["worse beyond the interval"]
