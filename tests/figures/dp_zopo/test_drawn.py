"""The figures of DP-ZOPO show what their records hold, and their tables too. The records are made up here, so that all values differ."""

import math
from dataclasses import replace

import numpy as np
import pytest

from figures.dp_zopo import digits, pruning, stages, theory
from figures.parts import Record
from paper_checks.dp_zopo.tables import paper_tables
from tests.figures.dp_grape.test_drawn import assert_table, has_curve, interval, shown
from tests.figures.shown import bars, entries, lines


def error_record():
    e = theory.ErrorExperiment(d=5, batches=(1, 4), several=(1, 2, 4), many=(1, 10), slopes=(0.1, 10.0), radii=(0.01, 1.0), replicates=9)
    points = [p | {"printed": 0.9 + k, "true": 1.7 + k, "value": interval(1.1 + k / 3)} for k, p in enumerate(e.point_settings())]
    return Record(e, tuple(points), {})


def test_errors_are_drawn_with_what_is_printed_and_what_holds():
    record = error_record()
    panels = theory.draw_error(record).axes
    for ax, name, x in zip(panels, ("batch", "directions", "slope", "radius"), ("m", "P", "L", "beta"), strict=True):
        for P in (1, 2, 4) if name == "batch" else (None,):
            rows = [p for p in record.points_with(panel=name) if P is None or p["P"] == P]
            assert len(rows) == 2
            at = [p[x] for p in rows]
            shown(ax, at, [p["value"] for p in rows], "run" if P is None else f"$P = {P}$")
            for of in ("printed", "true"):
                assert has_curve(ax, at, [p[of] for p in rows])
        assert ("(27), as printed" in entries(ax)) == (name == "radius")
    np.testing.assert_allclose(next(y for label, (_, y) in lines(panels[1]).items() if "bias" in label), 0.15729920705028513**2)
    assert_table(theory.LEMMA_4, record)


def floor_record():
    e = theory.FloorExperiment(ratios=(0.9, 2.0), rounds=3, samples=(1e3, 1e4), several=4)
    points = [{"panel": "definition", "ratio": r, "T_over_T_prime": 10 * r, "rounds": 3} for r in e.ratios]
    names = ("as printed", "masks", "together", "together with masks")
    points += [
        {"panel": "floor", "P": P, "n": n, "of": of, "mu_alpha_priv": (1 + k) * P / n}
        for P in (1, 4) for n in e.samples for k, of in enumerate(names)
    ]  # fmt: skip
    return Record(e, tuple(points), {r: (np.arange(4), r * np.array([100.0, 50.0, 20.0, 7.0])) for r in e.ratios})


def test_the_floor_is_drawn_from_its_points():
    record = floor_record()
    left, right = theory.draw_floor(record).axes
    for ratio in (0.9, 2.0):
        assert has_curve(left, *record.laws[ratio])
    curves = {"as printed, $P = 4$": ("as printed", 4), "as printed, $P = 1$": ("as printed", 1)}
    curves |= {"directions counted together, $P = 4$": ("together", 4), "as printed, $r_S = 0.01$, $P = 1$": ("masks", 1)}
    for label, (of, P) in curves.items():
        rows = record.points_with(panel="floor", of=of, P=P)
        np.testing.assert_allclose(lines(right)[label], [[p["n"] for p in rows], [p["mu_alpha_priv"] for p in rows]])


def stages_record():
    e = stages.Experiment(stages=3, ratios=(math.sqrt(2), 2.0, 7.3 / stages.L), replicates=4)
    points = [
        {"panel": "stages", "C_over_L": r, "stage": s, "alpha_s": 0.05 / 2**s, "stalled": 0.01 / r, "value": interval(0.02 / r / s)}
        for r in e.ratios for s in (1, 2, 3)
    ]  # fmt: skip
    points += [{"panel": "steps", "setting": name, "value": interval(0.01 * (k + 1))} for k, name in enumerate(stages.SETTINGS)]
    return Record(e, tuple(points), {"stalled": (np.array([1.4, 2.0, 6.6]), np.array([0.01, 0.003, 1e-5]))})


def test_stages_are_drawn_beside_what_is_claimed():
    record = stages_record()
    left, middle, right = stages.draw(record).axes
    for ratio, words in ((math.sqrt(2), r"\sqrt{2}"), (7.3 / stages.L, f"{7.3 / stages.L:.3g}")):
        shown(left, [1, 2, 3], [p["value"] for p in record.points_with(panel="stages", C_over_L=ratio)], f"run, $C = {words}L$", low=0.1)
    np.testing.assert_allclose(lines(left)[r"$\alpha_s$, which is claimed"], [[1, 2, 3], [0.025, 0.0125, 0.00625]])
    last = record.points_with(panel="stages", stage=3)
    shown(middle, [p["C_over_L"] for p in last], [p["value"] for p in last], "run, after stage 3", low=0.1)
    np.testing.assert_allclose(lines(middle)["where the clipped mean slope is 0"], record.laws["stalled"])
    names = [t.get_text() for t in right.get_yticklabels()]
    assert names == list(stages.SETTINGS)[::-1]
    for k, container in enumerate(right.containers):
        line, _, (ends,) = container.lines
        v = record.points_with(panel="steps", setting=names[k])[0]["value"]
        assert (float(line.get_xdata()[0]), float(line.get_ydata()[0])) == (v.value, k)
        np.testing.assert_allclose(ends.get_segments()[0], [[v.low, k], [v.high, k]])
        assert (line.get_markerfacecolor() == "white") == (not names[k].startswith("stages"))
    assert_table(stages, record)


def masks_record():
    e = pruning.MaskExperiment(d=40, support=4, snrs=(1.0, 3.0), replicates=5)
    points = [
        {"truth": truth, "strategy": strategy, "snr": snr, "of": of, "value": interval((0.9 - 0.1 * i - 0.07 * j) / (1 + snr) / (1 + k))}
        for i, truth in enumerate(pruning.TRUTHS) for j, strategy in enumerate((*pruning.STRATEGIES, "all"))
        for snr in ((0.0, 1.0, 3.0) if strategy != "all" else (0.0,)) for k, of in enumerate(("gap", "caught"))
    ]  # fmt: skip
    return Record(e, tuple(points), {})


def test_masks_are_drawn_for_each_truth_beside_no_mask():
    record = masks_record()
    *panels, last = pruning.draw_masks(record).axes
    for ax, truth, of in (*((ax, truth, "gap") for ax, truth in zip(panels, pruning.TRUTHS, strict=True)), (last, "moving", "caught")):
        for strategy in pruning.STRATEGIES:
            shown(ax, [0, 1, 3], [p["value"] for p in record.points_with(truth=truth, strategy=strategy, of=of)], strategy)
        if of == "gap":
            (whole,) = record.points_with(truth=truth, strategy="all", of="gap")
            np.testing.assert_allclose(lines(ax)["no mask, DP-ZOSO"][1], whole["value"].value)
    np.testing.assert_allclose(lines(last)["random mask, 10 % of the coordinates"][1], 0.1)
    assert_table(pruning.PRUNING, record)


def scores_record():
    e = pruning.ScoreExperiment(several=(1, 16, 256), replicates=3)
    points = [
        {"panel": name, "P": P, "rate": 0.01, "value": interval(0.1 * (k + 1) + 0.001 * P)}
        for k, name in enumerate(("exact", "again")) for P in e.several
    ]  # fmt: skip
    points += [{"panel": name, "rate": 0.01, "value": interval(0.3 + 0.2 * k)} for k, name in enumerate(("noise", "size"))]
    points += [{"panel": "rates", "rate": rate, "value": interval(0.1 / rate)} for rate in pruning.RATES]
    return Record(e, tuple(points), {})


def test_scores_are_drawn_beside_their_controls_and_the_printed_overlaps():
    record = scores_record()
    left, right = pruning.draw_scores(record).axes
    for name, words in (("exact", "with the best by exact scores"), ("again", "of two draws")):
        shown(left, [1, 16, 256], [p["value"] for p in record.points_with(panel=name)], words)
    for name, words in (
        ("noise", "control: pure noise times the parameters, with exact"),
        ("size", "control: sizes of the parameters, with exact"),
    ):
        np.testing.assert_allclose(lines(left)[words][1], record.points_with(panel=name)[0]["value"].value)
    shown(right, pruning.RATES, [p["value"] for p in record.points_with(panel="rates")], bars(right)[0].label, low=0.3)
    x, y = next(found for label, found in lines(right).items() if "Table VI" in label)
    cells = paper_tables()["VI"].rows["1-2-4"][0]
    assert {(0.02, round(cells[0] / 2, 12)), (0.04, round(cells[1] / 4, 12))} <= {(a, round(b, 12)) for a, b in zip(x, y, strict=True)}
    assert len(x) == 16
    assert_table(pruning.SCORES, record)


def digits_record():
    e = digits.Experiment(epsilons=(1.0, 4.0), replicates=5)
    points = []
    for k, m in enumerate(e.METHODS):
        for alpha in e.alphas:
            setting = {"panel": "search", "method": m, "epsilon": 2.0, "C": 5.0, "alpha": alpha, "chosen": alpha == 0.03}
            points.append(setting | {"value": interval(0.5 + 0.01 * k)})
        for epsilon in e.epsilons:
            setting = {"method": m, "epsilon": epsilon, "C": 5.0, "alpha": 0.03, "chosen": True}
            points.append({"panel": "accuracy"} | setting | {"value": interval(0.6 + 0.03 * k + 0.01 * epsilon)})
            points += [{"panel": "difference"} | setting | {"value": interval(0.01 * k + 0.1)}] if k else []
    free = {"method": "not private", "epsilon": math.inf, "C": math.inf, "alpha": 0.03, "chosen": True, "value": interval(0.95, 0.99, 1.01)}
    return Record(e, (*points, {"panel": "accuracy"} | free), {})


def test_the_digits_have_the_methods_of_this_figure():
    record = digits_record()
    figure = digits.draw(record)
    left, right = figure.axes
    for k, (m, words) in enumerate(digits.Experiment.METHODS.items()):
        rows, x = record.points_with(panel="accuracy", method=m), [epsilon * 1.03 ** (k - 1) for epsilon in (1.0, 4.0)]
        shown(left, x, [p["value"] for p in rows], rf"{words}, $C = 5$, $\eta = 0.03$")
    assert "DPZero's steps, not private" in lines(left)
    assert right.get_title() == "(b) difference to DPZero with the same seeds"
    assert "2000 steps" in figure.get_suptitle()
    assert_table(digits, record)
    assert digits.provenance(record)["methods"]["dpzero"]["direction"] == "sphere"


def test_what_cannot_be_meant_is_refused():
    for made, more in (
        (theory.ErrorExperiment, {"d": 0}), (theory.FloorExperiment, {"ratios": (0.0,)}), (stages.Experiment, {"ratios": (-1.0,)}),
        (pruning.MaskExperiment, {"support": 501}), (pruning.ScoreExperiment, {"rate": 0.0}), (digits.Experiment, {"q": 1.0}),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=rf"^{next(iter(more))}"):
            replace(made(), **more)


def test_axes_say_what_is_on_them():
    mean, gap = "mean squared error", "last gap over the first"
    labels = {
        theory.draw_error: [("samples of a batch $m$", mean), ("directions $P$", mean), ("Lipschitz constant $L$", mean),
                            (r"smoothing radius $\beta$", mean)],
        theory.draw_floor: [("times that the definition is inserted", "$T$ over the $T'$ of the other terms"),
                            ("samples $n$", r"$\mu\,\alpha_{\mathrm{priv}}$")],
        stages.draw: [("stage", "$F - F^*$ of what it hands on"), ("$C/L$", "$F - F^*$"), ("$F - F^*$ at the end", "")],
        pruning.draw_masks: [("snr of the scores; at 0 the mask is random", one)
                             for one in (gap, gap, gap, r"share of $\|x^*\|^2$ in the last mask")],
        pruning.draw_scores: [("directions $P$ of the score", "overlap of the best 1 %"),
                              ("share of the parameters that is tuned", "overlap over chance")],
    }  # fmt: skip
    for (draw, expected), record in zip(
        labels.items(), (error_record(), floor_record(), stages_record(), masks_record(), scores_record()), strict=True
    ):
        assert [(ax.get_xlabel(), ax.get_ylabel()) for ax in draw(record).axes] == expected
