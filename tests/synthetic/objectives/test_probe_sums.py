"""The constants that places give, on made-up places: which number of which place each one is, where it was seen and on which side."""

import math

import numpy as np
import pytest

from synthetic.estimate import Interval
from synthetic.objectives import probe
from synthetic.objectives.probe import MeasuredLoss, PointMeasurements, effective_rank

NAMES = ("value", "grad_norm", "steepest", "sample_spread", "norm", "curved", "weak", "bend")
PLACES = {  # of each constant another place has the most
    "x0": (5.0, 1.0, 2.0, 0.3, 1.0, 1.5, 0.1, 0.2),
    "path": (2.0, 3.0, 9.0, 0.2, 1.2, 1.6, 0.2, 0.9),
    "best": (-1.0, 0.5, 1.0, 0.8, 1.1, 4.0, 0.3, 0.4),
    "random": (-7.0 + 6.5, 2.0, 3.0, 0.1, 2.0, 2.5, 0.7, 0.1),
    "given": (11.0, 6.0, 4.0, 0.4, 0.5, 0.6, 0.0, 0.3),
}
WHERE = {"x0": (0, 0), "path": (1, 0), "best": (3, 4), "random": (3, 3), "given": (0, 9)}


def places(**more):
    return [
        PointMeasurements(kind, np.array(WHERE[kind], dtype=float), **dict(zip(NAMES, of, strict=True)), **more)
        for kind, of in PLACES.items()
    ]


def constants(found, saddle, exact=True):
    loss = MeasuredLoss(None, None, 7, exact)
    return {one.name: one for one in probe._constant_estimates(found, 2, saddle, loss)}


def test_each_constant_is_the_most_of_its_own_number_and_says_where():
    found = constants(places(), saddle=False)
    wanted = {
        "L": (9.0, "on the descent", "at least"), "ell": (4.0, "the best point found", "at least"),
        "gap": (6.0, "the best point found", "at least"), "B": (11.0, "given", "at least"), "spread": (12.0, "given", "at least"),
        "sample_spread": (0.8, "the best point found", "at least"), "weak": (0.7, "at random", "at least"),
    }  # fmt: skip
    assert {name: (found[name].value, found[name].at, found[name].side) for name in wanted} == wanted
    higher = [kind for kind in PLACES if kind != "best"]
    ratios = {kind: PLACES[kind][1] ** 2 / (2 * (PLACES[kind][0] + 1)) for kind in higher}
    grown = {
        kind: (PLACES[kind][0] + 1) / (2 * sum((a - b) ** 2 for a, b in zip(WHERE[kind], WHERE["best"], strict=True))) for kind in higher
    }
    for name, values, side in (("mu", ratios, "at most"), ("growth_mu", grown, "near")):
        least = min(values, key=values.get)
        assert (found[name].value, found[name].at, found[name].side) == (pytest.approx(values[least]), probe.KINDS[least], side)
    assert set(found) == {*wanted, "mu", "growth_mu"}


def test_a_landscape_has_the_range_and_the_largest_second_difference_besides():
    found = constants(places(), saddle=True)
    assert set(found) == {"L", "ell", "gap", "U", "rho"}
    assert (found["U"].value, found["U"].at) == (12.0, "given")
    assert (found["rho"].value, found["rho"].at) == (0.9, "on the descent")


def test_of_some_samples_the_spread_is_near_and_not_at_least():
    found = constants(places(), saddle=False, exact=False)["sample_spread"]
    assert (found.value, found.side) == (0.8, "near")
    assert found.seen.endswith("over 7 samples")


def test_where_nothing_is_higher_than_the_best_no_curvature_from_below_is_seen():
    flat = [PointMeasurements("x0", np.zeros(2), 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)]
    found = constants(flat, saddle=False)
    assert not {"mu", "growth_mu", "r", "trace"} & found.keys()
    assert (found["gap"].value, found["spread"].value, found["B"].value) == (0.0, 0.0, 1.0)


def test_the_trace_is_that_of_the_place_that_has_most_and_its_interval_goes_into_the_rank():
    """Of three places by random vectors; r = trace / ell, where that is more than what is left without the largest eigenvalue."""
    found = places()
    traces = {"x0": (6.0, 5.0, 7.0), "best": (7.0, 6.5, 7.5), "given": (3.0, 2.0, 4.0)}
    made = [
        PointMeasurements(
            one.kind, one.x, *(getattr(one, name) for name in NAMES), trace=Interval(*traces[one.kind], 0.95), ends=(-0.5, 2.0)
        )
        if one.kind in traces
        else one
        for one in found
    ]
    ranked = {one.name: one for one in probe._rank_estimates(made, 9, 4.0)}
    assert (ranked["trace"].value, ranked["trace"].low, ranked["trace"].high) == (7.0, 6.5, 7.5)
    assert (ranked["trace"].at, ranked["trace"].side) == ("the best point found", "near")
    rest = 7.0 - 2.0 - 0.5
    assert ranked["r"].value == pytest.approx(max(7.0 / 4, 1 + rest / 4))
    assert (ranked["r"].low, ranked["r"].high) == pytest.approx((1 + (rest - 0.5) / 4, 1 + (rest + 0.5) / 4))


@pytest.mark.parametrize(
    ("trace", "rest", "ell", "d", "rank"),
    [(6.0, 1.0, 2.0, 9, 3.0), (6.0, 5.0, 2.0, 9, 3.5), (0.5, 0.0, 2.0, 9, 1.0), (60.0, 1.0, 2.0, 9, 9.0), (2.0, 0.0, 2.0, 1, 1.0)],
)
def test_the_rank_lies_between_one_and_the_dimension(trace, rest, ell, d, rank):
    assert effective_rank(trace, rest, ell, d) == rank


@pytest.mark.parametrize("ball", [math.inf, 1.0])
def test_places_are_those_that_are_asked_for_each_within_its_own_share_of_the_radius(ball):
    """A bowl with its least at 2 in every coordinate: x_0, points of the descent, the best, and 6 at random around these."""

    def value_and_gradient(x):
        return float(np.sum((x - 2.0) ** 2)), 2 * (x - 2.0)

    loss = MeasuredLoss(value_and_gradient, None, 1, True)
    where, radius = probe._choose_points(loss, np.zeros(3), 0.5, 6, 3, ball)
    kinds = [kind for kind, _ in where]
    assert radius == 0.5
    assert kinds[0] == "x0"
    assert (kinds.count("x0"), kinds.count("best"), kinds.count("random")) == (1, 1, 6)
    assert all(np.linalg.norm(x) <= ball * (1 + 1e-12) for _, x in where)
    best = next(x for kind, x in where if kind == "best")
    wanted = np.full(3, 2.0) if math.isinf(ball) else np.full(3, 3**-0.5)
    np.testing.assert_allclose(best, wanted, atol=1e-6 if math.isinf(ball) else 0.4)
    centres = [x for kind, x in where if kind in ("x0", "path", "best")]
    if math.isinf(ball):
        around = [x for kind, x in where if kind == "random"]
        away = [min(abs(np.linalg.norm(x - c) - 0.5 * (k + 1) / 6) for c in centres) for k, x in enumerate(around)]
        assert max(away) < 1e-9
    other = probe._choose_points(loss, np.zeros(3), 0.5, 6, 4, ball)[0]
    assert not any(np.array_equal(a[1], b[1]) for a, b in zip(where[-6:], other[-6:], strict=True)) or math.isfinite(ball)
