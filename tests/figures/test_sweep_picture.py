"""The picture of a user's sweep: its scales, ticks, labels, intervals, legend and exponents, for numbers of every kind."""

import math

import numpy as np
import pytest
from scipy import stats

from figures.sweep import MAX_LINES, draw_sweep, group_rows
from tests.figures.shown import bars, entries


def rows(x, y, name="d", **more):
    """Return rows whose intervals reach down by a fifth and up by more and more, point by point."""
    found = []
    for k, (a, b) in enumerate(zip(x, y, strict=True)):
        low, high = (b - 0.2 * abs(b), b + 0.3 * (k + 1) * abs(b)) if math.isfinite(b) else (b, b)
        found.append({name: a, "loss_end": b, "loss_end_low": low, "loss_end_high": high, **more})
    return found


def panel(*given):
    figure, exponents = draw_sweep(*given)
    (ax,) = figure.axes
    assert not ax.get_xaxis().get_inverted()
    assert not ax.get_yaxis().get_inverted()
    return ax, exponents


@pytest.mark.parametrize(
    ("x", "y", "scales", "exponents"),
    [
        ([1, 10, 100], [1.0, 2.0, 4.0], ("log", "log"), True),
        ([1, 10], [1.0, 2.0], ("log", "log"), False),  # two points are no fit
        ([0, 10, 100], [1.0, 2.0, 4.0], ("linear", "log"), False),
        ([-1, 10, 100], [1.0, 2.0, 4.0], ("linear", "log"), False),
        ([1, 10, 100], [0.0, 2.0, 4.0], ("log", "linear"), False),
        ([1, 10, 100], [-1.0, 2.0, 4.0], ("log", "linear"), False),
        ([0, 10, 100], [-1.0, 2.0, 4.0], ("linear", "linear"), False),
        ([1, 10, 100, 1000], [1.0, 2.0, 4.0, math.inf], ("log", "log"), True),  # what diverged is a cross
        ([1, 10, 100], [1.0, 2.0, math.inf], ("log", "log"), False),
    ],
)
def test_an_axis_is_logarithmic_where_all_is_above_0_and_there_alone_is_an_exponent(x, y, scales, exponents):
    ax, found = panel("t", rows(x, y), "d", "loss_end", [])
    assert (ax.get_xscale(), ax.get_yscale()) == scales
    assert (found[""] is not None) is exponents
    title = ax.get_legend().get_title().get_text()
    assert title == ("mean, 95 % interval: exponent" if exponents else "")
    crosses = [one for one in ax.get_lines() if one.get_marker() == "x"]
    assert len(crosses) == sum(not math.isfinite(one) for one in y)


@pytest.mark.parametrize("values", [[3, 5, 9], [0.5, 1.0, 4.0]])
def test_ticks_are_the_values_on_the_axis_as_long_as_they_are_few(values):
    ax, _ = panel("t", rows(values, [1.0, 2.0, 3.0]), "d", "loss_end", [])
    assert [text.get_text() for text in ax.get_xticklabels()] == [str(one) for one in values]
    assert list(ax.get_xticks()) == values
    many = list(range(1, 10))
    ax, _ = panel("t", rows(many, np.sqrt(many)), "d", "loss_end", [])
    assert list(ax.get_xticks()) != many
    eight, _ = panel("t", rows(many[:8], np.sqrt(many[:8])), "d", "loss_end", [])
    assert list(eight.get_xticks()) == many[:8]


def test_every_line_has_its_own_points_in_order_its_own_interval_and_its_own_exponent():
    """Three lines with powers 0.5, 1 and -1.5, rows in no order, intervals that differ above and below."""
    x, powers = [100, 1, 10, 1000], {"dpzero": 0.5, "dp_gd": 1.0, "mezo": -1.5}
    noise = dict(zip(x, (1.1, 0.9, 1.0, 1.2), strict=True))
    every = [row for m, p in powers.items() for row in rows(x, [noise[v] * 3 * v**p for v in x], method=m, C=2.0 if m != "mezo" else "")]
    order = np.random.default_rng(0).permutation(len(every))
    ax, found = panel("the title", [every[k] for k in order], "d", "loss_end", ["method", "C"])
    assert ax.figure.get_suptitle() == "the title"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("d", "loss end")
    names = {"dpzero": "dpzero, C = 2.0", "dp_gd": "dp_gd, C = 2.0", "mezo": "mezo"}
    assert set(found) == set(names.values())
    shown = {one.label.strip().rpartition(": ")[0]: one for one in bars(ax)}
    assert len({(one.color, one.marker) for one in shown.values()}) == 3
    for method, power in powers.items():
        one, at = shown[names[method]], sorted(x)
        y = np.array([noise[v] * 3 * v**power for v in at])
        np.testing.assert_array_equal(one.x, at)
        np.testing.assert_allclose(one.y, y, rtol=1e-12)
        np.testing.assert_allclose(one.low, 0.8 * y, rtol=1e-9)
        np.testing.assert_allclose(one.high, [(1.3 + 0.3 * x.index(v)) * b for v, b in zip(at, y, strict=True)], rtol=1e-9)
        fit = stats.linregress(np.log(at), np.log(y))
        half = stats.t.ppf(0.975, 2) * fit.stderr
        assert found[names[method]] == pytest.approx([fit.slope, fit.slope - half, fit.slope + half], rel=1e-9)
        assert one.label == f" {names[method]}: {fit.slope:.2f} [{fit.slope - half:.2f}, {fit.slope + half:.2f}]"
    assert entries(ax) == [one.label for one in bars(ax)]


def test_lines_are_told_by_what_is_swept_and_one_that_would_have_two_points_at_a_place_is_refused():
    every = [row | {"T": T, "C": C} for T in (1, 2) for C in (0.5, 1.0) for row in rows([3, 5], [1.0, 2.0])]
    assert {name: len(points) for name, points in group_rows(every, "d", ["T", "C"]).items()} == {
        f"T = {T}, C = {C}": 2 for T in (1, 2) for C in (0.5, 1.0)
    }
    with pytest.raises(ValueError, match=r"the line 'T = 1' has several points at one d; add to by the key"):
        group_rows(every, "d", ["T"])
    some = [row | {"T": T} for T in range(MAX_LINES) for row in rows([3], [1.0])]
    assert len(group_rows(some, "d", ["T"])) == MAX_LINES
    with pytest.raises(ValueError, match=f"{MAX_LINES + 1} lines"):
        group_rows([*some, {**some[0], "T": -1}], "d", ["T"])
    _, found = panel("t", some, "d", "loss_end", ["T"])
    looks = {(line.color, line.marker, line.dash) for line in bars(_)}
    assert len(found) == len(looks) == MAX_LINES  # no two lines look alike
