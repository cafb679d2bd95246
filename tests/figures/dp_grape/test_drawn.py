"""The figures of DP-GRAPE show what their records hold, and their tables too. The records are made up here, so that all values differ."""

import math
from dataclasses import replace

import numpy as np
import pytest

from figures import experiments
from figures.dp_grape import digits, projection, rate
from figures.parts import Record
from synthetic.estimate import Interval
from tests.figures.shown import bars, entries, lines, plain

GREY = "#777777"


def interval(value, low=0.9, high=1.2):
    return Interval(value, low * value, high * value, 0.95)


def shown(ax, x, values, label, low=0.0):
    """The panel has these points with these intervals under this label."""
    (one,) = (b for b in bars(ax) if b.label == label)
    np.testing.assert_allclose(one.x, x)
    np.testing.assert_allclose(one.y, [v.value for v in values])
    np.testing.assert_allclose(one.low, [max(v.low, low * v.value) if low else v.low for v in values])
    np.testing.assert_allclose(one.high, [v.high for v in values])
    return one


def has_curve(ax, x, y):
    """The panel has a line without a label through these points."""
    return any(
        len(line.get_xdata()) == len(x) and np.allclose(line.get_xdata(), x) and np.allclose(line.get_ydata(), y) for line in ax.get_lines()
    )


def assert_table(part, record):
    rows = part.table(record)
    assert len(rows) == len(record.points)
    for row, p in zip(rows, record.points, strict=True):
        v = p["value"]
        np.testing.assert_equal([row["value"], row["value_low"], row["value_high"]], [v.value, v.low, v.high])
        assert all(row[name] is one or row[name] == one for name, one in p.items() if name != "value")
    assert len({tuple(row) for row in rows}) == 1


# --- rate -------------------------------------------------------------------------------------------------------------------------------
def rate_record():
    e = rate.RateExperiment(dimensions=(16, 64, 256), d=64, budgets=(500.0, 1000.0, 2000.0), budget=1000.0)
    points, k = [], 0
    for panel, d, budget in e.point_settings():
        for projection_, r in rate.METHODS:
            k += 1
            kappa, T = (1 + 2 * k % 7) * d / r, 10 * k
            value = (
                Interval(*[math.nan] * 3, 0.95)
                if d == 256 and projection_ == "flattened"
                else interval(0.01 * d**0.6 / (1 + budget) + 0.001 * k)
            )
            place = {"panel": panel, "projection": projection_, "r": r, "d": d, "n_epsilon": budget, "kappa": kappa, "alpha": 0.1 / kappa}
            exact = {"T": T, "sigma": 0.1 * k, "exact": 0.02 * d**0.45 / budget**0.9 * (1 + 0.01 * k), "law": 0.02 * d**0.5 / budget}
            points.append(place | exact | {"law_T": 5.0 * kappa, "value": value})
    return Record(e, tuple(points), {})


def test_each_panel_of_the_rate_shows_its_own_points():
    record = rate_record()
    figure = rate.draw_rate(record)
    a, b, c, d = figure.axes
    assert [ax.get_title()[:3] for ax in figure.axes] == ["(a)", "(b)", "(c)", "(d)"]
    for ax, panel, x, claimed in ((a, "d", "d", "1/2"), (b, "budget", "n_epsilon", "-1")):
        assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
        whole = record.points_with(panel=panel, projection="none")
        at = [p[x] for p in whole]
        np.testing.assert_allclose(lines(ax)[f"law, slope {claimed}"], [at, [p["law"] for p in whole]])
        power = np.polyfit(np.log(at), np.log([p["exact"] for p in whole]), 1)[0]
        (label,) = (one for one in lines(ax) if one.startswith(f"exact, DP-SGD, slope {power:.2f} ["))
        np.testing.assert_allclose(lines(ax)[label], [at, [p["exact"] for p in whole]])
    for k, ((kind, r), words) in enumerate(rate.METHODS.items()):
        rows = record.points_with(panel="d", projection=kind, r=r)
        ran = [p for p in rows if p["d"] < 256 or kind != "flattened"]
        assert len(ran) == (2 if kind == "flattened" else 3)
        shown(a, [p["d"] for p in ran], [p["value"] for p in ran], words)
        over = [Interval(v.value / q, v.low / q, v.high / q, 0.95) for v, q in ((p["value"], p["exact"]) for p in ran)]
        shown(c, [p["d"] * 1.07 ** (k - 2) for p in ran], over, words)
        np.testing.assert_allclose(lines(d)[words], [[p["kappa"] for p in rows], [p["T"] for p in rows]])
    assert len(plain(d, GREY, ":")) == 3
    assert [t.get_text() for t in d.texts] == ["$d = 16$", "$d = 64$", "$d = 256$"]
    assert "16 runs a point" in figure.get_suptitle()
    assert_table(rate.RATE, record)
    said = rate.RATE.provenance(record)["exponents"]
    assert said["exact in budget"]["DP-SGD"][0] == pytest.approx(float(entries(b)[1].split("slope ")[1].split(" ")[0]), abs=0.006)
    assert said["value in d"]["flattened, r = 4"] is None


# --- subspace ---------------------------------------------------------------------------------------------------------------------------
def subspace_record():
    e = rate.SubspaceExperiment(stays=(1, 4, 8), ranks=(1, 2, 8), subspaces=(1, 3), stay=5, wide=16)
    points = [
        {"panel": "stay", "m": 16, "r": 4, "F": F, "steps": t, "value": interval(0.9 / (1 + t) / F**0.1), "floor": 0.1 / (1 + t)}
        for F in e.stays for t in (0, 4, 8)
    ] + [
        {"panel": "rank", "m": 16, "r": r, "F": 5, "steps": 5 * k, "value": interval(0.8 / (r + k), low=0.1), "floor": 0.1 / r}
        for r in e.ranks for k in e.subspaces
    ]  # fmt: skip
    points[8]["value"] = interval(1e-6)  # below the panel
    every, fine = np.arange(9), np.array([1 / 16, 0.25, 0.5])
    laws = {("floor", F): (every, 0.9 ** (every / F)) for F in e.stays} | {"exact": (every, 0.2**every)}
    return Record(e, tuple(points), laws | {("left", k): (fine, (1 - fine) ** k) for k in e.subspaces})


def test_the_subspaces_are_drawn_with_their_floors():
    record = subspace_record()
    left, right = rate.draw_subspace(record).axes
    for F, words in ((1, "$F = 1$"), (4, "$F = 4$"), (8, "$F = T = 8$")):
        rows = [p for p in record.points_with(panel="stay", F=F) if p["value"].low >= 1e-5]
        assert len(rows) == (2 if F == 8 else 3)
        shown(left, [p["steps"] for p in rows], [p["value"] for p in rows], words)
        x, law = record.laws["exact"] if F == 1 else record.laws["floor", F]
        assert has_curve(left, x[law >= 1e-5], law[law >= 1e-5])
    assert sum(line.get_drawstyle() == "steps-pre" for line in left.get_lines()) == 2
    for k in (1, 3):
        rows = record.points_with(panel="rank", steps=5 * k)
        shown(right, [p["r"] / 16 for p in rows], [p["value"] for p in rows], f"$T/F = {k}$", low=0.3)
        assert has_curve(right, *record.laws["left", k])
    assert [t.get_text() for t in right.get_xticklabels()] == ["1/16", "2/16", "8/16"]
    assert_table(rate.SUBSPACE, record)


def test_the_laws_of_the_subspaces_are_those_of_their_experiment(monkeypatch):
    e = rate.SubspaceExperiment(stays=(1, 3, 6), ranks=(2, 4), subspaces=(1, 2), stay=4, wide=8, replicates=5, wide_replicates=4)
    asked = {}

    def compute(stage, cells, store, **_):
        asked.update(cells)
        rng = np.random.default_rng(0)
        return {key: {"at": rng.random((5, len(group[0].arguments["times"])))} for key, group in cells.items()}

    monkeypatch.setattr(experiments, "compute_groups", compute)
    record = rate.subspace_data(e, None)
    run = asked["stay", 3][0].arguments["run"]
    assert (run["F"], run["r"], run["T"], run["sigma"], run["side"]) == (3, 4, 6, 0.0, "left")
    kappa = (16 + 4 + 1) / 4
    assert run["alpha"] == pytest.approx(0.5 / kappa)
    np.testing.assert_allclose(record.laws["exact"][1], (1 - 2 * run["alpha"] + run["alpha"] ** 2 * kappa) ** np.arange(7))
    np.testing.assert_allclose(record.laws["floor", 3][1], [1, 0.75, 0.75, 0.75, 0.75**2, 0.75**2, 0.75**2])
    assert {p["floor"] for p in record.points_with(panel="rank", r=4)} == {0.5, 0.25}
    assert asked["rank", 4][0].arguments["times"] == [4, 8]


# --- spectrum and direction -------------------------------------------------------------------------------------------------------------
def spectrum_record():
    e = projection.SpectrumExperiment(m=12, rank=2, shown=3, factors=(0.5, 2.0), replicates=2)
    points = []
    for k, (C, multiplier) in enumerate(projection.SETTINGS, start=1):
        for j in range(3):
            one = {"panel": "values", "C": C or math.inf, "multiplier": multiplier, "index": j + 1, "value": interval(k / (1 + j))}
            points.append(one | {"law": 0.9 * k / (1 + j), "edge": 0.41 * k, "threshold": 0.32 * k})
    for side, k in (("left", 0.4), ("right", 0.3)):
        points += [{"panel": side, "factor": f, "value": interval(k * f), "law": 0.9 * k * f} for f in e.factors]
    fine = np.array([0.5, 1.0, 2.0])
    return Record(e, tuple(points), {"left": (fine, 0.4 * fine), "right": (fine, 0.3 * fine)})


def test_the_spectra_are_drawn_with_their_laws_edges_and_thresholds():
    record = spectrum_record()
    left, right = projection.draw_spectrum(record).axes
    for (C, multiplier), words in projection.SETTINGS.items():
        rows = record.points_with(panel="values", C=C or math.inf, multiplier=multiplier)
        shown(left, [1, 2, 3], [p["value"] for p in rows], words)
        assert has_curve(left, [1, 2, 3], [p["law"] for p in rows])
        assert has_curve(left, [0, 1], [rows[0]["edge"]] * 2) == has_curve(left, [0, 1], [rows[0]["threshold"]] * 2) == (multiplier > 0)
    for side in ("left", "right"):
        rows = record.points_with(panel=side)
        shown(right, [0.5, 2.0], [p["value"] for p in rows], f"{side} vector")
        np.testing.assert_allclose(lines(right)[f"{side} vector, law"], record.laws[side])
    assert_table(projection.SPECTRUM, record)


def test_the_law_of_a_noised_mean_has_its_outliers_first():
    e = projection.SpectrumExperiment()
    values, edge, threshold = e.predicted_values(1.0, 2.0, 0.44, 0.2)
    sd = math.sqrt((2 / 1000) ** 2 + 0.2 * 4 / (1000 * 768**2))
    assert (edge, threshold) == pytest.approx((2 * sd * math.sqrt(768), sd * math.sqrt(768)))
    s = 0.44 * e.signal
    seen = s[s > threshold]
    np.testing.assert_allclose(values[: len(seen)], (seen**2 + sd**2 * 768) / seen)  # sqrt((s^2 + m sd^2)(s^2 + n sd^2)) / s, m = n
    assert np.all(np.diff(values) < 0)
    assert np.all(values[len(seen) :] < edge)
    assert np.isnan(e.predicted_values(0.0, 0.0, 1.1, 1.5)[0][e.rank :]).all()


def direction_record():
    e = projection.DirectionExperiment(ranks=(4, 8), snrs=(0.1, 1.0), replicates=9)
    names = [*projection.UPDATES, "gain"]
    points = [
        {"of": name, "m": 128, "r": r, "snr": snr, "value": interval((k + 1) * snr**0.5 / r**0.5, low=0.1), "law": 0.9 * (k + 1) * snr}
        for k, name in enumerate(names) for r in e.ranks for snr in e.snrs
    ]  # fmt: skip
    fine = np.array([0.1, 0.3, 1.0])
    laws = {(name, r): (fine, np.array([3.0, 0.8 if r == 4 else 1.5, 0.5]) * (1 + k)) for k, name in enumerate(names) for r in e.ranks}
    return Record(e, tuple(points), laws | {("gain", r): (fine, np.array([3.0, 0.8 if r == 4 else 1.5, 0.5])) for r in e.ranks})


def test_the_directions_are_drawn_with_their_laws_and_where_they_cross():
    record = direction_record()
    left, right = projection.draw_direction(record).axes
    for name, words in projection.UPDATES.items():
        rows = record.points_with(of=name, r=8)
        shown(left, [0.1, 1.0], [p["value"] for p in rows], words, low=0.3)
        assert has_curve(left, *record.laws[name, 8])
    np.testing.assert_allclose(lines(left)["naive with SVD overtakes DP-GRAPE"][0], 1.0)
    assert projection.crossing_snr(record)[4] == 0.3
    for r in (4, 8):
        shown(right, [0.1, 1.0], [p["value"] for p in record.points_with(of="gain", r=r)], f"$r/m$ = {r}/128", low=0.3)
        assert has_curve(right, *record.laws["gain", r])
        assert has_curve(right, [0, 1], [math.sqrt(128 / r)] * 2)
    assert left.get_title() == "(a) $r/m$ = 8/128"
    assert_table(projection.DIRECTION, record)


# --- digits -----------------------------------------------------------------------------------------------------------------------------
def digits_record():
    e = digits.Experiment(epsilons=(1.0, 4.0), replicates=5)
    points = []
    for k, m in enumerate(digits.METHODS):
        for C in e.Cs:
            for alpha in e.alphas:
                setting = {"panel": "search", "method": m, "epsilon": 2.0, "C": C, "alpha": alpha, "chosen": (C, alpha) == (1.0, 0.01)}
                points.append(setting | {"value": interval(0.5 + 0.01 * k + 0.1 * C)})
        for epsilon in e.epsilons:
            setting = {"method": m, "epsilon": epsilon, "C": 1.0, "alpha": 0.01, "chosen": True}
            points.append({"panel": "accuracy"} | setting | {"value": interval(0.6 + 0.05 * k + 0.01 * epsilon)})
            if k:
                points.append({"panel": "difference"} | setting | {"value": Interval(0.05 * (k - 1.5), -0.09 * k, 0.06 * (k - 1.1), 0.95)})
    free = {"method": "not private", "epsilon": math.inf, "C": math.inf, "alpha": 0.01, "chosen": True, "value": interval(0.95, 0.99, 1.01)}
    return Record(e, (*points, {"panel": "accuracy"} | free), {})


def test_accuracies_and_differences_are_drawn_in_their_panels():
    record = digits_record()
    figure = digits.draw(record)
    left, right = figure.axes
    for k, (m, words) in enumerate(digits.METHODS.items()):
        rows, x = record.points_with(panel="accuracy", method=m), [epsilon * 1.03 ** (k - 1) for epsilon in (1.0, 4.0)]
        shown(left, x, [p["value"] for p in rows], rf"{words}, $C = 1$, $\eta = 0.01$")
        if k:
            apart = [p["value"] for p in record.points_with(panel="difference", method=m)]
            one = shown(right, x, [Interval(100 * v.value, 100 * v.low, 100 * v.high, 0.95) for v in apart], words)
            assert np.all(one.low < 0)
    np.testing.assert_allclose(lines(left)["Adam, not private"][1], 0.95)
    assert [t.get_text() for t in left.get_xticklabels()] == ["1", "4"]
    assert "5 fresh runs" in figure.get_suptitle()
    assert_table(digits, record)
    assert digits.edge_choices(record) == []
    narrow = replace(record, experiment=replace(record.experiment, Cs=(0.1, 1.0), alphas=(0.01, 0.1)))
    assert digits.edge_choices(narrow) == [f"{words}: C and alpha" for words in digits.METHODS.values()]
