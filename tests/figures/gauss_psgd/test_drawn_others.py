"""Escape, selection and digits: what is drawn, and what stands in the tables, is what the records hold."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bounds import privacy
from bounds.gauss_psgd import selection as theory
from bounds.gauss_psgd.fixed_point import Problem
from figures.gauss_psgd import digits as psgd_digits
from figures.gauss_psgd import escape as psgd_escape
from figures.gauss_psgd import experiments
from figures.gauss_psgd import selection as psgd_selection
from synthetic.estimate import Interval, clustered_mean, proportion, quantile
from synthetic.objectives import digits
from synthetic.objectives.separable_saddles import random_phase_cosines
from tests.figures.shown import bars, lines, plain

BLUE, INK, GREY, RED, GREEN = "#0072B2", "#000000", "#777777", "#D55E00", "#009E73"


def interval(value, low=0.9, high=1.2):
    return Interval(value, low * value, high * value, 0.95)


# Escape


def escape_record():
    e = psgd_escape.Experiment(d=3, log_factors=(5.0, 6.0, 8.0), path_log_factor=6.0, replicates=70, path_replicates=30)
    shown = experiments.hardest_saddle(d=3, accuracy=0.25, log_factor=6.0)
    times = np.array([1.0, 4.0, 9.0])
    rows = np.arange(1.0, 6.0)[:, None] * times  # quantiles rise
    return psgd_escape.Record(
        experiment=e, shown=shown, times=times, distance=rows, drop=1.1 * rows**1.1, apart=1.3 * rows**1.2, linear=1.5 * rows**1.3,
        pairs_at_gamma=Interval(1.02, 0.97, 1.08, 0.95), shares=tuple(proportion(k, 70) for k in (7, 30, 65)),
        gaussian=np.array([0.1, 0.6, 0.9]), gaussian_mu=np.array([4.5, 6.5, 13.0]), marks=(6.1, 7.2, 9.3),
    )  # fmt: skip


def test_each_panel_of_the_escape_shows_its_own_numbers():
    record = escape_record()
    h = record.shown
    figure = psgd_escape.draw(record)
    panels = [
        ("(a) distance", record.distance, "median", h.R), ("(b) drop", record.drop, "median", h.decrease),
        ("(c) coupled pairs", record.apart, "median of pairs", None),
    ]  # fmt: skip
    for ax, (title, values, label, level) in zip(figure.axes[:3], panels, strict=True):
        assert ax.get_title().startswith(title)
        assert ax.get_xlabel() == "step $t$"
        np.testing.assert_allclose(lines(ax)[label], [record.times, values[2]])
        for band, (low, high) in zip(ax.collections, ((0, 4), (1, 3)), strict=True):
            corners = {(round(x, 9), round(y, 9)) for x, y in band.get_paths()[0].vertices}
            assert {(round(t, 9), round(values[k, i], 9)) for k in (low, high) for i, t in enumerate(record.times)} <= corners
        assert [b.get_label() for b in ax.collections] == ["5 to 95 %", "25 to 75 %"]
        assert [float(x[0]) for x, _ in plain(ax, GREY, ":")] == [h.Gamma]
        assert [float(y[0]) for _, y in plain(ax, RED, "--")] == ([level] if level else [])
    third = figure.axes[2]
    np.testing.assert_allclose([y for _, y in plain(third, BLUE, ":")], record.linear[[0, 4]])
    np.testing.assert_allclose(plain(third, BLUE, "--")[0][1], record.linear[2])
    assert any("1.020 [0.970, 1.080]" in t.get_text() for t in third.texts)
    fourth = figure.axes[3]
    (one,) = bars(fourth)
    np.testing.assert_allclose([one.x, one.y], [[5, 6, 8], [7 / 70, 30 / 70, 65 / 70]])
    np.testing.assert_allclose([one.low, one.high], [[s.low for s in record.shares], [s.high for s in record.shares]])
    np.testing.assert_allclose(plain(fourth, BLUE, "-")[0], [record.gaussian_mu, record.gaussian])
    assert [y[0] for _, y in plain(fourth, RED, "--")] == [1 / 8]
    assert [float(x[0]) for x, _ in plain(fourth, GREY, ":")] == [6.1, 7.2, 9.3]
    assert [t.get_text() for t in fourth.texts] == ["printed, ln: 6.1", r"printed, log$_2$: 7.2", "corrected: 9.3"]
    title = figure.get_suptitle()
    assert all(word in title for word in ("$d = 3$", r"$\alpha = 0.25$", r"$\mu = 6$, 30 runs", "(d): 70 runs"))


def test_the_table_of_the_escape():
    record = escape_record()
    rows = psgd_escape.table(record)
    panels = {"distance": record.distance, "drop": record.drop, "apart": record.apart, "apart_linear": record.linear}
    wanted = [(name, t, *values[:, k]) for name, values in panels.items() for k, t in enumerate(record.times)]
    assert [(row["panel"], row["x"], *(row[f"q{q}"] for q in (5, 25, 50, 75, 95))) for row in rows[:12]] == wanted
    assert [(r["panel"], r["x"], r["value"], r["low"], r["high"]) for r in rows[12:]] == [
        ("escaped", mu, s.value, s.low, s.high) for mu, s in zip((5.0, 6.0, 8.0), record.shares, strict=True)
    ]
    assert psgd_escape.provenance(record)["second entry of (6) equals mu at"] == {
        "printed, ln": 6.1,
        "printed, log2": 7.2,
        "corrected": 9.3,
    }


def test_the_record_of_the_escape_holds_what_the_cells_returned(monkeypatch):
    rng = np.random.default_rng(0)
    e = psgd_escape.Experiment(d=3, log_factors=(5.0, 6.0), path_log_factor=5.0, replicates=40, path_replicates=20, points=7)
    found = {mu: {"escaped": np.arange(40) < k} for mu, k in ((5.0, 4), (6.0, 31))}
    asked = {}

    def compute(stage, cells, store, *, workers=None, progress=None):
        asked.update(cells)
        count = len(cells["paths"][0].arguments["times"])
        found["paths"] = {name: rng.exponential(k, (20, count)) for k, name in enumerate(("distance", "drop", "apart"), 1)}
        return found

    monkeypatch.setattr(experiments, "compute_groups", compute)
    record = psgd_escape.data(e, None)
    h = experiments.hardest_saddle(d=3, accuracy=0.25, log_factor=5.0)
    assert record.shown == h
    assert (record.times[0], record.times[-1]) == (1, 2 * h.Gamma)
    assert h.Gamma in record.times
    assert [cell.arguments["landscape"] for group in asked.values() for cell in group] == [h.landscape] * 3
    assert [asked[mu][0].arguments["Gamma"] for mu in (5.0, 6.0)] == [
        experiments.hardest_saddle(d=3, accuracy=0.25, log_factor=m).Gamma for m in (5, 6)
    ]
    for name in ("distance", "drop", "apart"):
        ordered = np.sort(found["paths"][name], axis=0)
        np.testing.assert_array_equal(getattr(record, name), ordered[[0, 4, 9, 14, 18]])  # of 20: the 1st, 5th, 10th, 15th and 19th
    assert record.shares == (proportion(4, 40), proportion(31, 40))
    growth = np.array([math.sqrt(sum((1 + h.eta * h.curvature) ** (2 * (t - i)) for i in range(1, int(t) + 1))) for t in record.times])
    np.testing.assert_allclose(record.linear[2], 0.6744897501960817 * 2 * h.eta * h.sigma * growth, rtol=1e-9)
    np.testing.assert_allclose(record.linear[4], 1.959963984540054 * 2 * h.eta * h.sigma * growth, rtol=1e-9)
    at = list(record.times).index(h.Gamma)
    z = found["paths"]["apart"][:, at] / (2 * h.eta * h.sigma * growth[at])
    assert record.pairs_at_gamma.value == pytest.approx(math.sqrt(np.mean(z**2)))
    assert record.pairs_at_gamma.low == pytest.approx(math.sqrt(np.sum(z**2) / 34.16960690283833))  # 2.5 % points of chi-square, 20 degrees
    assert record.pairs_at_gamma.high == pytest.approx(math.sqrt(np.sum(z**2) / 9.590777392264867))
    assert len(record.gaussian) == len(record.gaussian_mu)
    assert record.marks[0] != record.marks[1] != record.marks[2]


def test_the_gaussian_curve_is_the_tail_beyond_the_radius():
    e = psgd_escape.Experiment(d=4)
    for mu in (5.0, 7.0):
        h = experiments.hardest_saddle(d=4, accuracy=0.25, log_factor=mu)
        variance = (
            h.eta**2 * (h.sigma**2 + h.zeta**2 / 4) * sum((1 + h.eta * h.curvature) ** (2 * (h.Gamma - i)) for i in range(1, h.Gamma + 1))
        )
        assert psgd_escape.escape_probability(e, mu) == pytest.approx(math.erfc(h.R / math.sqrt(2 * variance)), rel=1e-9, abs=0)


# Selection

RULES = {
    "printed": ("Algorithm 4, printed", RED, "s"), "proved": ("Algorithm 4, repaired constants", BLUE, "o"),
    "above_threshold": ("AboveThreshold", GREEN, "^"), "own": ("the run's own output", INK, "D"),
}  # fmt: skip


def selection_record():
    e = psgd_selection.Experiment(dimensions=(4, 9), n=700, T=33, replicates=12, omega=0.2)
    points = []
    for r, rule in enumerate(RULES):
        for k, d in enumerate((4, 9)):
            v = 0.1 + 0.2 * r + 0.05 * k
            error = math.inf if (rule, d) in (("printed", 9), ("own", 4)) else v
            ratio = (math.nan,) * 3 if r > 1 else (v, 2 * v, 3 * v)
            points.append(
                psgd_selection.Point(
                    rule, d, proportion(12 - r - k, 12), Interval(error, 0.8 * v, error * 1.5, 0.95), interval(0.7 * v), ratio,
                    tuple(5 * one for one in ratio),
                )
            )  # fmt: skip
    rules = {
        d: {"printed": {"sigma_gradient": 0.1 * d, "sigma_hessian": 0.2 * d, "gradient_limit": 0.3 * d, "curvature_limit": 0.4 * d}}
        for d in (4, 9)
    }
    return psgd_selection.Record(e, tuple(points), rules, 17.3)


def test_each_panel_of_the_selection_shows_its_own_numbers():
    record = selection_record()
    figure = psgd_selection.draw(record)
    selected, errors, ratios = figure.axes
    assert [ax.get_title()[:3] for ax in figure.axes] == ["(a)", "(b)", "(c)"]
    for ax in figure.axes:
        assert [float(line[0][0]) for line in plain(ax, GREY, ":")] == [17.3]
        assert ax.get_xlabel() == "dimension $d$"
    curves = {rule: [p for p in record.points if p.rule == rule] for rule in RULES}
    for ax, name in ((selected, "selected"), (errors, "error")):
        for k, (one, (rule, (label, color, marker))) in enumerate(zip(bars(ax), RULES.items(), strict=True)):
            assert (one.label, one.color, one.marker) == (label, color, marker)
            shown = [(p.d * 1.05 ** (k - 1.5), getattr(p, name)) for p in curves[rule] if math.isfinite(getattr(p, name).value)]
            np.testing.assert_allclose(one.x, [d for d, _ in shown])
            np.testing.assert_allclose(one.y, [v.value for _, v in shown])
            np.testing.assert_allclose(one.low, [v.low for _, v in shown])
            np.testing.assert_allclose(one.high, [v.high for _, v in shown])
    crosses = [line for line in errors.get_lines() if line.get_marker() == "x"]
    assert [line.get_color() for line in crosses] == [RED, INK]
    assert [float(line.get_xdata()[0]) for line in crosses] == pytest.approx([9 * 1.05**-1.5, 4 * 1.05**1.5])
    assert all(0.85 < line.get_ydata()[0] < 1.0 and line.get_transform() == errors.get_xaxis_transform() for line in crosses)
    assert [float(y[0]) for _, y in plain(errors, GREY, "-")] == [0.3]
    assert [float(y[0]) for _, y in plain(ratios, GREY, "-")] == [1.0]
    wanted = [(rule, name) for rule in ("printed", "proved") for name in ("gradient_ratio", "hessian_ratio")]
    for one, (rule, name) in zip(bars(ratios), wanted, strict=True):
        three = np.array([getattr(p, name) for p in curves[rule]])
        assert one.label == f"{RULES[rule][0]}: {'gradient' if name == 'gradient_ratio' else 'Hessian'}"
        np.testing.assert_allclose([one.low, one.y, one.high], three.T)
        assert (one.filled, one.dash) == ((True, "-") if name == "gradient_ratio" else (False, ":"))
    title = figure.get_suptitle()
    assert all(w in title for w in ("at most 33 iterates", "700 held-out", r"\omega' = 0.2", r"\alpha = 0.3", "12 runs"))


def test_the_table_of_the_selection():
    record = selection_record()
    for row, p in zip(psgd_selection.table(record), record.points, strict=True):
        assert (row["rule"], row["d"]) == (p.rule, p.d)
        for name in ("selected", "error", "middle"):
            one = getattr(p, name)
            assert (row[name], row[f"{name}_low"], row[f"{name}_high"]) == (one.value, one.low, one.high)
        for name in ("gradient_ratio", "hessian_ratio"):
            np.testing.assert_array_equal([row[f"{name}_q{q}"] for q in (5, 50, 95)], getattr(p, name))
        for k, name in enumerate(("sigma_gradient", "sigma_hessian", "gradient_limit", "curvature_limit"), 1):
            assert row[name] == (pytest.approx(0.1 * k * p.d) if p.rule == "printed" else "")
    assert psgd_selection.provenance(record)["Remark 4: largest d, N^(6/13)"] == 17.3


def test_a_point_of_the_selection_is_the_summary_of_its_cells():
    noise = np.arange(1.0, 6.0)
    found = {"proved/error": np.array([0.5, np.inf, 0.1, 0.3, 0.2]), "proved/gradient_noise": noise, "proved/hessian_noise": 2 * noise}
    p = psgd_selection.rule_point("proved", 7, found, (2.0, 5.0))
    assert p.selected == proportion(4, 5)
    assert p.error == quantile(found["proved/error"], 0.75)
    assert (p.error.value, p.middle.value) == (0.5, 0.3)
    np.testing.assert_allclose(p.gradient_ratio, [0.6, 1.5, 2.4])
    np.testing.assert_allclose(p.hessian_ratio, [2.4 / 5, 6 / 5, 9.6 / 5])
    assert np.all(np.isnan(psgd_selection.rule_point("proved", 7, found, None).gradient_ratio))


def test_the_cells_of_the_selection_are_the_runs_that_its_head_describes():
    """Steps, radius and Gamma of alpha = 0.3 with rho = ell = 1; psi = alpha/8, half of its square on a sphere, half Gaussian."""
    e = psgd_selection.Experiment(replicates=12, T=70, n=900, Q=3)
    made = psgd_selection.selection_cells(e, 20, {"printed": {}}, seed=4)
    assert [cell.arguments["replicates"] for cell in made] == [5, 5, 2]
    assert len({cell.arguments["seed"] for cell in made}) == 3
    for cell in made:
        a = cell.arguments
        assert (a["landscape"], a["T"], a["n"], a["rules"]) == ({"d": 20}, 70, 900, {"printed": {}})
        run = dict(a["run"])
        assert run.pop("oracle") == "exact"
        assert run == pytest.approx({
            "eta": 0.3**0.5, "chi": 0.075, "R": 0.6 * 0.3**0.5, "Gamma": 20, "Q": 3, "zeta": 0.0375 / 2**0.5, "sigma_1": 0.0375 / 40**0.5,
        })  # fmt: skip


def test_the_rules_of_the_selection_are_those_of_the_theory():
    e = psgd_selection.Experiment(n=6000, T=50, omega=0.2)
    rules, allowed = psgd_selection.rule_settings(e, 6)
    constants = random_phase_cosines(6).constants
    L, ell, rho = (constants[name] for name in ("L", "ell", "rho"))
    problem = Problem(n=6000, d=6, epsilon=1.0, delta=1e-5, L=L, ell=ell, rho=rho, U=1.0, omega=0.2)
    for kind in ("printed", "proved"):
        s = theory.selection_tests(kind, problem, T=50, accuracy=0.3)
        assert rules[kind] == {
            "sigma_gradient": s.sigma_gradient, "sigma_hessian": s.sigma_hessian,
            "gradient_limit": s.gradient, "curvature_limit": s.hessian,
        }  # fmt: skip
    gradient, curvature = theory.above_threshold_limits(problem, T=50, accuracy=0.3)
    assert rules["above_threshold"] == {"epsilon": 1.0, "gradient_limit": gradient, "curvature_limit": curvature}
    # What is allowed for noise alone, as Algorithm 4 prints it, and as four events of probability omega/(4 T) each give it.
    unit, p = math.sqrt(50 * math.log(1e5)) / 6000, 0.2 / 200
    assert allowed["printed"] == pytest.approx((L * math.sqrt(6 * math.log(80)) * unit, ell * 6 * math.sqrt(math.log(160)) * unit))
    sigma, sigma_hessian = rules["proved"]["sigma_gradient"], rules["proved"]["sigma_hessian"]
    assert allowed["proved"] == pytest.approx(
        (sigma * (6**0.5 + math.sqrt(2 * math.log(1 / p))), sigma_hessian * 2 * (6**0.5 + math.sqrt(math.log(1 / p))))
    )
    assert set(allowed) == {"printed", "proved"}


# Digits


def digits_record():
    e = psgd_digits.Experiment(epsilons=(0.5, 2.0), clients=(1, 2), epochs=2, replicates=4)
    curves = []
    for v, variant in enumerate(("gauss", "frozen", "unmoved")):
        for epsilon in e.epsilons:
            for m in e.clients:
                at = 0.1 * (1 + v) + 0.2 * epsilon + 0.03 * m
                scores = {
                    name: tuple(interval((k + 1) * at + 0.01 * j) for k in range(3)) for j, name in enumerate(("accuracy", "loss", "train"))
                }
                curves.append(psgd_digits.Curve(variant, epsilon, m, scores, 1 + at, 2 + at, 3 + at, 4 if epsilon == 0.5 else 1, 2))
    return psgd_digits.Record(e, tuple(curves), {})


def test_each_panel_of_the_digits_shows_its_own_measure_and_epsilon():
    record = digits_record()
    figure = psgd_digits.draw(record)
    panels = [(measure, epsilon) for measure in ("accuracy", "loss") for epsilon in (0.5, 2.0)]
    for place, (ax, (measure, epsilon)) in enumerate(zip(figure.axes, panels, strict=True)):
        assert ax.get_ylabel() == ({"accuracy": "test accuracy", "loss": "test loss"}[measure] if epsilon == 0.5 else "")
        assert ax.get_title() == (rf"$\varepsilon = {epsilon:g}$" if place < 2 else "")
        assert ax.get_xlabel() == ("epoch" if place > 1 else "")
        shown = lines(ax)
        assert shown["chance"][1][0] == (0.1 if measure == "accuracy" else math.log(10))
        for c in (c for c in record.curves if c.epsilon == epsilon):
            both = "both" if epsilon == 0.5 else "Gauss-PSGD"
            words = {"gauss": "Gauss-PSGD", "frozen": "earlier method", "unmoved": rf"{both}, paper's $\chi = 0.01$"}[c.variant]
            np.testing.assert_allclose(shown[f"{words}, $m = {c.m}$"], [[0, 1, 2], [v.value for v in c.scores[measure]]])
            (line,) = (line for line in ax.get_lines() if line.get_label() == f"{words}, $m = {c.m}$")
            color, marker = {1: (INK, "o"), 2: (RED, "s")}[c.m]  # one of each for a number of clients, a dash and a filling for a variant
            assert (line.get_color(), line.get_linestyle()) == (color, {"gauss": "-", "frozen": "--", "unmoved": ":"}[c.variant])
            assert line.get_marker() == ("" if c.variant == "unmoved" else marker)
            assert line.get_markerfacecolor() == {"gauss": color, "frozen": "white", "unmoved": "none"}[c.variant]
        ends = [tuple(line.get_ydata()) for line in ax.get_lines() if len(line.get_xdata()) == 2 and line.get_xdata()[0] > 2]
        wanted = [
            (c.scores[measure][-1].low, c.scores[measure][-1].high)
            for c in record.curves
            if c.epsilon == epsilon and c.variant != "unmoved"
        ]
        np.testing.assert_allclose(sorted(ends), sorted(wanted))
        at = [line.get_xdata()[0] for line in ax.get_lines() if len(line.get_xdata()) == 2 and line.get_xdata()[0] > 2]
        assert len(set(at)) == 4  # moved apart
        assert max(at) < 2.6
    assert len(figure.legends) == 1


def test_the_table_and_the_cells_of_the_digits(monkeypatch):
    record = digits_record()
    rows = psgd_digits.table(record)
    places = [(c, epoch) for c in record.curves for epoch in range(3)]
    for row, (c, epoch) in zip(rows, places, strict=True):
        assert (row["variant"], row["epsilon"], row["m"], row["epoch"]) == (c.variant, c.epsilon, c.m, epoch)
        for name in ("accuracy", "loss", "train"):
            one = c.scores[name][epoch]
            assert (row[name], row[f"{name}_low"], row[f"{name}_high"]) == (one.value, one.low, one.high)
        assert (row["phases_mean"], row["fresh_mean"], row["steps_mean"]) == (c.phases, c.fresh, c.steps)
        assert (row["untriggered"], row["returned"]) == (c.untriggered, 2)
    e = record.experiment
    for m in (1, 2):
        k = e.numbers(2.0, m)
        gauss, frozen, unmoved = (psgd_digits.curve_cell(e, v, 2.0, m).arguments for v in ("gauss", "frozen", "unmoved"))
        assert gauss["run"]["chi"] == pytest.approx(k["noise"] / 3)
        assert unmoved["run"]["chi"] == 0.01
        assert frozen["run"]["threshold"] == pytest.approx(k["noise"])
        assert frozen["run"]["extra"] == pytest.approx(k["sigma_1"] / math.sqrt(m))
        assert (gauss["method"], frozen["method"], unmoved["method"]) == ("gauss_psgd", "frozen_psgd", "gauss_psgd")
        assert gauss["seed"] == frozen["seed"] == unmoved["seed"] == experiments.child_seed(0, m)
        assert {name: gauss["run"][name] for name in ("b_1", "b_2", "sigma_1", "sigma_2")} == {
            "b_1": k["b"], "b_2": k["b"], "sigma_1": k["sigma_1"], "sigma_2": k["sigma_2"],
        }  # fmt: skip
        assert (gauss["run"]["R"], gauss["run"]["Gamma"], gauss["run"]["Q"], frozen["run"]["frozen_steps"]) == (0.5, 10, 3, 10)
        assert k["b"] == math.floor(0.5 * 1400 / m)


@pytest.mark.parametrize(("epsilon", "m"), [(0.5, 1), (2.0, 5)])
def test_the_batches_and_the_noise_of_the_digits(epsilon, m):
    """Half of a client's 1400 records; ten releases, each of sensitivity 2 clip/b or 2 ell/b, that a record is in; and what they cost."""
    found = psgd_digits.PAPER.numbers(epsilon, m)
    assert found["b"] == 700 // m
    for sigma, sensitivity in (
        (found["sigma_1"], 2 * 1.0 / found["b"]),
        (found["sigma_2"], 2 * digits.smoothness_constants(2.0)["ell"] / found["b"]),
    ):
        spent = privacy.epsilon_gaussian(sigma=sigma, delta=1e-5, T=10, sensitivity=sensitivity)
        assert spent == pytest.approx(epsilon, rel=1e-6)
    coordinates = digits.digits_objective(clients=1, beta=2.0, clip=1.0).landscape.d
    assert found["noise"] == pytest.approx(found["sigma_1"] * math.sqrt(coordinates / m))


def test_the_record_of_the_digits_holds_the_means_over_the_runs(monkeypatch):
    e = psgd_digits.Experiment(epsilons=(2.0,), clients=(1, 2), epochs=2, replicates=3)
    rng = np.random.default_rng(0)
    arrays = {}

    def compute(stage, cells, store, *, workers=None, progress=None):
        for key in cells:
            arrays[key] = {name: rng.random((3, 3)) for name in ("accuracy", "loss", "train")} | {
                "phases": rng.integers(0, 2, 3), "fresh_calls": rng.integers(1, 9, 3), "steps": rng.integers(1, 9, 3),
                "returned": rng.random(3) < 0.5,
            }  # fmt: skip
        return arrays

    monkeypatch.setattr(experiments, "compute_groups", compute)
    record = psgd_digits.data(e, None)
    assert [(c.variant, c.epsilon, c.m) for c in record.curves] == list(arrays)
    for c in record.curves:
        one = arrays[c.variant, c.epsilon, c.m]
        for name in ("accuracy", "loss", "train"):
            assert [v.value for v in c.scores[name]] == pytest.approx(list(one[name].mean(axis=0)))
            assert c.scores[name][1] == clustered_mean(one[name][:, 1][:, None])
        assert (c.phases, c.fresh, c.steps) == (one["phases"].mean(), one["fresh_calls"].mean(), one["steps"].mean())
        assert (c.untriggered, c.returned) == (int(np.sum(one["phases"] == 0)), int(np.sum(one["returned"])))
    assert set(record.numbers) == {"epsilon = 2, m = 1", "epsilon = 2, m = 2"}


def test_the_noise_of_the_digits_is_that_of_as_many_releases_as_epochs():
    e = replace(psgd_digits.PAPER, epochs=4)
    k = e.numbers(2.0, 1)
    found = privacy.epsilon_gaussian(sigma=k["sigma_1"], delta=1e-5, T=4, sensitivity=2 * e.clip / k["b"])
    assert found == pytest.approx(2.0, rel=1e-6)
