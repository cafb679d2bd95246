"""Figures 1 to 3 of DPZero show what their records hold, each measure, method and spectrum in its own place."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

from figures.dpzero import synthetic as module
from figures.dpzero.synthetic import LOOKS
from paper_checks.dpzero.experiments.figure_runs import PAPER, ExperimentResult, Point
from synthetic.estimate import Interval
from tests.figures.shown import bars, entries, plain, slope

SPECTRA = ("flat", "inverse_sqrt", "inverse")
METHODS = ("dpgd_0th", "dpzero", "dp_gd")
MEASURES = ("grad_norm_test", "grad_norm_train", "loss_train", "loss_test")
# What the paper's figures show, written down here a second time.
ROWS = {"dpzero-1": ("grad_norm_test",), "dpzero-2": ("grad_norm_train",), "dpzero-3": ("loss_train", "loss_test")}
WORDS = {
    "grad_norm_test": "test gradient norm",
    "grad_norm_train": "training gradient norm",
    "loss_train": "training loss",
    "loss_test": "test loss",
}
NAMES = {"dpgd_0th": "DPGD-0th", "dpzero": "DPZero", "dp_gd": "DP-GD"}
TRACES = {"flat": "trace $d$", "inverse_sqrt": r"trace $O(\sqrt{d})$", "inverse": r"trace $O(\log d)$"}
E = replace(PAPER, dimensions=(50, 20, 100, 200), epsilon=3.0, delta=1e-5, n=4000)


def made_up() -> ExperimentResult:
    """Values that are all different, with a power of d of their own for each curve, and points in no order."""
    points, start = [], {}
    for m, measure in enumerate(MEASURES):
        for s, spectrum in enumerate(SPECTRA):
            for d in E.dimensions:
                start[spectrum, d, measure] = 100.0 * d**0.1 * (1 + m + 5 * s)
                for k, method in enumerate(METHODS):
                    curve = 1 + k + 3 * s + 9 * m
                    best, fresh = (
                        0.001 * curve * d ** (0.02 * curve),
                        0.0015 * curve * d ** (0.02 * curve + 0.01) * (1.1 if d == 50 else 1.0),
                    )
                    low = fresh / 30 if d == 20 else 0.8 * fresh  # one interval that would reach far down
                    points.append(
                        Point(method, spectrum, d, measure, best, 0.01 * curve, 10 * curve, 0.3 * curve, 1e-3 * curve, 880, k,
                              Interval(fresh, low, 1.3 * fresh, 0.95), 7)
                    )  # fmt: skip
    return ExperimentResult(E, tuple(points), start)


OUTCOME = made_up()


def curve(method, spectrum, measure):
    """The points of one curve, chosen here."""
    return sorted((p for p in OUTCOME.points if (p.method, p.spectrum, p.measure) == (method, spectrum, measure)), key=lambda p: p.d)


@pytest.mark.parametrize("name", ROWS)
def test_every_panel_shows_its_own_measure_and_spectrum(name):
    figure = module.GridFigure(name).draw(OUTCOME)
    panels = [(measure, spectrum) for measure in ROWS[name] for spectrum in SPECTRA]
    assert len(figure.axes) == len(panels)
    for place, (ax, (measure, spectrum)) in enumerate(zip(figure.axes, panels, strict=True)):
        assert ax.get_ylabel().startswith(WORDS[measure] if spectrum == "flat" else "")
        assert bool(ax.get_ylabel()) == (spectrum == "flat")
        assert (TRACES[spectrum] in ax.get_title()) == (place < 3)
        assert ax.get_xlabel() == ("dimension $d$" if measure == ROWS[name][-1] else "")
        assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
        d = [20, 50, 100, 200]
        assert [float(t) for t in ax.get_xticks()] == d
        assert [t.get_text() for t in ax.get_xticklabels()] == [str(v) for v in d]
        ((x, y),) = plain(ax, "#888888", ":")
        np.testing.assert_array_equal(x, d)
        np.testing.assert_array_equal(y, [OUTCOME.start[spectrum, v, measure] for v in d])
        shown = bars(ax)
        assert len(shown) == 3
        for position, (method, one) in enumerate(zip(METHODS, shown, strict=True)):
            points, look = curve(method, spectrum, measure), LOOKS[method]
            assert (one.color, one.marker) == (look.color, look.marker)
            fresh = np.array([p.fresh.value for p in points])
            np.testing.assert_allclose(one.x, np.array(d) * 1.04 ** (position - 1))
            np.testing.assert_allclose(one.y, fresh)
            np.testing.assert_allclose(one.low, np.maximum([p.fresh.low for p in points], fresh / 20))
            np.testing.assert_allclose(one.high, [p.fresh.high for p in points])
            (best,) = plain(ax, look.color, look.dash)
            np.testing.assert_allclose(best[0], one.x)
            np.testing.assert_allclose(best[1], [p.best for p in points])
            fitted = module.curve_exponent(OUTCOME, method, spectrum, measure)
            assert fitted.value == pytest.approx(slope(d, fresh), rel=1e-9)
            assert one.label == rf"{NAMES[method]}: ${slope(d, fresh):.2f} \pm {fitted.high - fitted.value:.2f}$"
        assert entries(ax) == ["value at $x_0$", *(one.label for one in shown)]
        low, high = ax.get_ylim()
        assert [float(t.get_text()) for t in ax.get_yticklabels()] == pytest.approx(list(ax.get_yticks()))
        assert low < min(fresh)
        assert all(low <= t <= high for t in ax.get_yticks())
        assert len(ax.get_yticks()) >= 2


def test_the_title_says_what_was_run():
    title = module.GridFigure("dpzero-2").draw(OUTCOME).get_suptitle()
    assert title.startswith("DPZero, preview of Figure 2: best of 880 settings (lines) and the winner on 10 fresh runs")
    assert "$n = 4,000$" in title
    assert r"= (3, 10^{-5})$" in title
    assert "the paper's noise (Lemma 2.2)" in title
    assert (
        "exact Gaussian accounting"
        in module.GridFigure("dpzero-1").draw(replace(OUTCOME, experiment=replace(E, accountant="exact"))).get_suptitle()
    )


@pytest.mark.parametrize("name", ROWS)
def test_every_number_of_the_csv_is_the_one_that_its_column_names(name):
    rows = module.GridFigure(name).table(OUTCOME)
    keys = [(row["measure"], row["spectrum"], row["method"], row["d"]) for row in rows]
    assert keys == [(m, s, k, d) for m in ROWS[name] for s in SPECTRA for k in METHODS for d in (20, 50, 100, 200)]
    for row in rows:
        points = curve(row["method"], row["spectrum"], row["measure"])
        (p,) = (p for p in points if p.d == row["d"])
        fitted = slope([q.d for q in points], [q.fresh.value for q in points])
        wanted = {
            "best_of_grid": p.best, "alpha": p.alpha, "T": p.T, "C": p.C, "sigma": p.sigma, "settings": p.settings,
            "settings_left_out": p.dropped, "fresh_mean": p.fresh.value, "fresh_low": p.fresh.low, "fresh_high": p.fresh.high,
            "fresh_runs": p.fresh_runs, "at_x0": OUTCOME.start[p.spectrum, p.d, p.measure],
        }  # fmt: skip
        assert {name: row[name] for name in wanted} == wanted
        assert row["exponent"] == pytest.approx(fitted, rel=1e-9)
        assert row["exponent_low"] < row["exponent"] < row["exponent_high"]
        assert row["exponent_high"] - row["exponent"] == pytest.approx(row["exponent"] - row["exponent_low"])
        assert set(row) == {"measure", "spectrum", "method", "d", "exponent", "exponent_low", "exponent_high", *wanted}


def test_two_dimensions_have_no_exponent():
    few = replace(OUTCOME, points=tuple(p for p in OUTCOME.points if p.d < 100), experiment=replace(E, dimensions=(20, 50)))
    assert module.curve_exponent(few, "dpzero", "flat", "loss_test") is None
    assert {row["exponent"] for row in module.GridFigure("dpzero-1").table(few)} == {""}
    titles = [
        [ax.get_legend().get_title().get_text() for ax in module.GridFigure("dpzero-1").draw(outcome).axes] for outcome in (few, OUTCOME)
    ]
    assert titles == [[""] * 3, ["exponent in $d$, 95 %"] * 3]
    assert [one.label for one in bars(module.GridFigure("dpzero-1").draw(few).axes[0])] == ["DPGD-0th", "DPZero", "DP-GD"]


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (1.0, 10.0, "1 2 5 10"), (0.3, 2.4, "0.5 1 2"), (0.011, 3.2, "0.02 0.05 0.1 0.2 0.5 1 2"), (1.0, 299.5, "1 2 5 10 20 50 100 200"),
        (0.9, 280.0, "1 10 100"), (1.0, 300.0, "1 10 100"), (1.0, 1000.0, "1 10 100 1000"), (2e-5, 0.3, "0.0001 0.001 0.01 0.1"),
    ],
)  # fmt: skip
def test_ticks_are_plain_numbers_within_the_limits_and_fewer_over_many_decades(low, high, ticks):
    """From a ratio of 300 on powers of ten alone."""
    ax = Figure().subplots()
    ax.set_yscale("log")
    module._set_y_ticks(ax, (low, high))
    assert [text.get_text() for text in ax.get_yticklabels()] == ticks.split()
    np.testing.assert_allclose(ax.get_yticks(), [float(tick) for tick in ticks.split()])
    assert ax.get_ylim() == (low, high)


@pytest.mark.parametrize("figure", [module.FIGURE_1, module.FIGURE_2, module.FIGURE_3], ids=lambda one: one.name)
def test_each_figure_asks_for_its_own_measures(figure, monkeypatch):
    monkeypatch.setattr("paper_checks.dpzero.experiments.figure_runs.run_experiment", lambda e, store, *, measures, **how: measures)
    assert figure.data(figure.PREVIEW, None) == ROWS[figure.name]
