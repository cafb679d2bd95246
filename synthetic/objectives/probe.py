"""Estimates of an objective's constants from its values and gradients at some points: the start, a descent, and points around.

Points    x_0; points of a descent from x_0 by L-BFGS and the best that it and one from a random point find; in low dimension one near
          the best along the least curvature there; random points within `radius` of these; points that are given
L         longest gradient of a sample;   B, spread, U   largest |F|, and largest F minus smallest
ell       largest |D v| of the Hessian of F and of samples, weak minus the smallest v'D v (`synthetic.objectives.curvature`), rho from
          second differences
trace     a lower bound of Tr H over all H with -H <= Hessian <= H at every point; in high dimension the largest Tr |Hessian| of three
r         a lower bound of Tr H / |H| for every such H with |H| <= ell (`effective_rank`)
gap       F(x_0) minus the smallest F found
mu        least |grad F|^2 / (2 (F - smallest F));   growth_mu   least (F - smallest F) / (2 |x - best|^2)

Everything is a maximum or minimum over these points, so a constant that holds everywhere is no better. It is an estimate, never a bound
that a guarantee could rest on.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize

from synthetic.compiled import check_progress, explain_compile_errors
from synthetic.draws import DATA, FloatArray, generator
from synthetic.estimate import Interval, clustered_mean
from synthetic.memory import check_memory
from synthetic.objectives import curvature
from synthetic.objectives.saddles import SaddleObjective
from synthetic.objectives.sums import Objective
from synthetic.validate import array_of, positive, positive_integer, seed_integer, short_repr, validated

Side = Literal["at least", "at most", "near"]
STEPS = 200  # of a descent
PATH = 6  # points of a descent that are measured
WHOLE = 100  # up to this dimension the full Hessian is computed
CURVED = 50  # samples whose curvature is measured at each point
VECTORS = 12  # random vectors for the trace, where the full Hessian is not computed
COVERAGE = 0.95
SAMPLES, CENTRES, STARTS, TRACES = range(4, 8)  # roles of the draws
FLATTEST = 0.1  # share of the radius: distance from the best point along the least curvature, where growth is least
KINDS = {
    "x0": "x_0",
    "path": "on the descent",
    "best": "the best point found",
    "flattest": "along the least curvature",
    "random": "at random",
    "given": "given",
}


@dataclass(frozen=True)
class ConstantEstimate:
    """An estimate of a constant from the measured points.

    side        where the true constant, that of all x, lies: "at least" the value, "at most", or "near", where neither is known
    seen, at    what the value is, and at which point it was found
    low, high   a 95 % interval for what random vectors estimate, nan where nothing is drawn
    """

    name: str
    value: float
    side: Side
    seen: str
    at: str = ""
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, eq=False)
class PointMeasurements:
    """The measurements of an objective at a point x (d,).

    value, grad_norm          F and |grad F|;   steepest, sample_spread   longest sample gradient, their root mean square spread
    norm, curved, weak, bend  |Hessian| of F, and of F and samples; minus the smallest curvature; second differences of gradients
    trace, ends               Tr |Hessian| of F and the ends of its spectrum, at points where they are computed
    hessian (d, d)            of F, in low dimension
    """

    kind: str
    x: FloatArray
    value: float
    grad_norm: float
    steepest: float
    sample_spread: float
    norm: float
    curved: float
    weak: float
    bend: float
    trace: Interval | None = None
    ends: tuple[float, float] = (math.nan, math.nan)
    hessian: FloatArray | None = None

    @property
    def rest(self) -> float:
        """Tr |Hessian| without the largest positive and the smallest negative eigenvalue."""
        assert self.trace is not None
        return self.trace.value - max(0.0, self.ends[1]) + min(0.0, self.ends[0])


@dataclass(frozen=True)
class ConstantEstimates:
    """Estimates of an objective's constants, by name, with the measured points, the settings, and the number of points left out.

    A point is left out where a value, a gradient or a Hessian is not finite.
    """

    constants: dict[str, ConstantEstimate]
    places: tuple[PointMeasurements, ...]
    settings: dict[str, Any]
    left_out: int


@dataclass(frozen=True)
class MeasuredLoss:
    """The functions of an objective that are measured: F with its gradient, and the gradient of sample i, on `count` samples."""

    value_and_gradient: Callable[[FloatArray], tuple[float, FloatArray]]
    sample: Callable[[FloatArray, int], FloatArray]
    count: int
    exact_mean: bool

    def gradient(self, x: FloatArray) -> FloatArray:
        """Return the gradient (d,) of F at x (d,)."""
        return self.value_and_gradient(x)[1]


@validated
def estimate_constants(
    objective: Objective | SaddleObjective,
    *,
    radius: float | None = None,
    places: int = 8,
    samples: int = 10_000,
    n: int | None = None,
    points: ArrayLike | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> ConstantEstimates:
    """Estimate the constants of an objective from its values and gradients at some points; return them with the measurements.

    radius      of the random points around the descent; None: the distance from x_0 to the best point found, 1 where that is 0
    places      number of random points;   points (k, d)   more points, such as iterates of a run
    samples     at most this many samples are measured, at random where there are more
    n           samples drawn of each client of an objective with saddles, None: 1000; an objective on data has its samples already
    progress    progress(done, total) is called after each point
    Points outside the ball on which an objective is posed are moved to its boundary. Points where F, a gradient or a Hessian is not finite
    are left out. Raises ValueError where x_0 is one of these, and for an argument that is not allowed.
    """
    if not isinstance(objective, Objective | SaddleObjective):
        raise ValueError(f"objective = {short_repr(objective)}: an objective is needed, such as lab.cosine('inverse', d=20, n=100, seed=0)")
    positive_integer(places=places, samples=samples)
    seed_integer(seed=seed)
    check_progress(progress)
    if radius is not None:
        positive(radius=radius)
    if n is not None and isinstance(objective, Objective):
        raise ValueError(f"n = {short_repr(n)}: {objective.name!r} has its samples already; leave n out")
    more = np.empty((0, objective.d)) if points is None else array_of((None, objective.d), points=points)
    check_memory(8 * (PATH + places + len(more) + 4) * min(objective.d, WHOLE) * objective.d, d=objective.d, places=places)
    with explain_compile_errors(objective.name), np.errstate(all="ignore"):
        loss = _measured_loss(objective, samples, 1000 if n is None else n, seed)
        ball = float(objective.constants.get("radius", math.inf)) if isinstance(objective, Objective) else math.inf
        where, radius = _choose_points(loss, objective.x0, radius, places, seed, ball)
        where += [("given", _project_to_ball(x, ball)) for x in more]
        found, rng = [], generator(seed, DATA, STARTS)
        for k, (kind, x) in enumerate(where):
            found.append(_measure_point(loss, kind, x, rng))
            if progress:
                progress(k + 1, len(where))
        if found[0] is None:
            raise ValueError(f"objective = {objective.name!r}: its value, a gradient or its Hessian is not finite at x_0")
        kept = _add_traces(loss, [one for one in found if one], seed)
    settings = {"radius": radius, "places": places, "samples": loss.count, "seed": seed, "given": len(more)}
    named = {one.name: one for one in _constant_estimates(kept, objective.d, isinstance(objective, SaddleObjective), loss)}
    return ConstantEstimates(named, tuple(kept), settings, len(found) - len(kept))


def _measured_loss(objective: Objective | SaddleObjective, samples: int, n: int, seed: int) -> MeasuredLoss:
    """Return the functions of an objective to be measured, on at most `samples` samples, drawn from the seed."""
    rng = generator(seed, DATA, SAMPLES)
    if isinstance(objective, SaddleObjective):
        positive_integer(n=n)
        check_memory(32 * n * objective.d * objective.clients, n=n, d=objective.d)
        rows = np.concatenate([objective.draw(rng, n, client) for client in range(objective.clients)])
    else:
        rows = objective.data
    if len(rows) > samples:
        rows = rows[np.sort(rng.choice(len(rows), samples, replace=False))]

    def sample(x: FloatArray, i: int) -> FloatArray:
        """Return the gradient (d,) of sample i at x."""
        out = np.empty(objective.d)
        if isinstance(objective, SaddleObjective):
            objective.batch_gradient(x, rows[i : i + 1], objective.params, out)
        else:
            objective.gradient(x, rows[i], objective.params, out)
        return out

    def value_and_gradient(x: FloatArray) -> tuple[float, FloatArray]:
        """Return F(x) and its gradient (d,)."""
        out = np.empty(objective.d)
        if isinstance(objective, SaddleObjective):
            return float(objective.value_gradient(x, objective.params, out)), out
        return float(objective.value_gradient(x, objective.data, objective.params, out)), out

    return MeasuredLoss(value_and_gradient, sample, len(rows), isinstance(objective, Objective) and len(rows) == objective.n)


def _project_to_ball(x: FloatArray, ball: float) -> FloatArray:
    """Return x (d,), or its projection on the ball of radius `ball` around 0."""
    length = float(np.linalg.norm(x))
    return x if length <= ball else x * (ball / length)


def _choose_points(
    loss: MeasuredLoss, x0: FloatArray, radius: float | None, count: int, seed: int, ball: float
) -> tuple[list[tuple[str, FloatArray]], float]:
    """Return the points to measure, each with its kind, and the radius of the random points.

    count   number of random points;   ball   radius of the ball on which the objective is posed
    """
    rng = generator(seed, DATA, CENTRES)
    path = _descent_points(loss, x0, ball)
    if radius is None:
        radius = float(np.linalg.norm(path[-1] - x0)) or 1.0
    other = _descent_points(loss, _project_to_ball(x0 + radius * _draw_unit_vector(rng, len(x0)), ball), ball)
    best = min((path[-1], other[-1]), key=lambda x: loss.value_and_gradient(x)[0])
    middle = [path[k] for k in np.unique(np.geomspace(1, len(path) - 2, PATH).astype(int))] if len(path) > 2 else []
    centres = [x0, *middle, best]
    around = [
        _project_to_ball(centres[k % len(centres)] + radius * (k + 1) / count * _draw_unit_vector(rng, len(x0)), ball) for k in range(count)
    ]
    kinds = {"x0": [x0], "path": middle, "best": [best], "flattest": _flattest_point(loss, best, radius, ball), "random": around}
    return [(kind, x) for kind, some in kinds.items() for x in some], radius


def _flattest_point(loss: MeasuredLoss, best: FloatArray, radius: float, ball: float) -> list[FloatArray]:
    """Return a list with a point near the best along the least curvature; empty in high dimension or for a Hessian not finite."""
    hessian = curvature.full_hessian(loss.gradient, best) if len(best) <= WHOLE else np.full((1, 1), np.nan)
    return [_project_to_ball(best + FLATTEST * radius * np.linalg.eigh(hessian)[1][:, 0], ball)] if np.all(np.isfinite(hessian)) else []


def _draw_unit_vector(rng: np.random.Generator, d: int) -> FloatArray:
    """Draw a random unit vector (d,)."""
    v = rng.standard_normal(d)
    return v / float(np.linalg.norm(v))


def _descent_points(loss: MeasuredLoss, start: FloatArray, ball: float) -> list[FloatArray]:
    """Return the points of an L-BFGS descent from the start, projected on the ball, up to the best, which is last."""
    path = [start]
    if not np.isfinite(loss.value_and_gradient(start)[0]):
        return path
    how = {"maxiter": STEPS, "ftol": 1e-15, "gtol": 1e-10}
    done = minimize(
        loss.value_and_gradient, start, jac=True, method="L-BFGS-B", callback=lambda x: path.append(_project_to_ball(x, ball)), options=how
    )
    found = [*path, _project_to_ball(done.x, ball)]
    values = [loss.value_and_gradient(x)[0] for x in found]
    least = int(np.nanargmin(values))
    return found[: least + 1]


def _measure_point(loss: MeasuredLoss, kind: str, x: FloatArray, rng: np.random.Generator) -> PointMeasurements | None:
    """Return the measurements at x (d,), without the trace in high dimension; None where something is not finite."""
    d = len(x)
    value, slope = loss.value_and_gradient(x)
    lengths, away = np.empty(loss.count), 0.0
    for i in range(loss.count):
        one = loss.sample(x, i)
        lengths[i] = np.linalg.norm(one)
        away += float(np.sum((one - slope) ** 2)) / loss.count
    start, some = _draw_unit_vector(rng, d), rng.permutation(loss.count)[:CURVED]
    hessian = curvature.full_hessian(loss.gradient, x) if d <= WHOLE else None
    if not np.all(np.isfinite([value, *slope, *lengths])) or (hessian is not None and not np.all(np.isfinite(hessian))):
        return None
    trace, ends = None, (math.nan, math.nan)
    if hessian is None:
        directions = [curvature.leading_eigenvector(loss.gradient, x, start)]
    else:
        eigenvalues, vectors = np.linalg.eigh(hessian)
        directions, ends = [vectors[:, 0], vectors[:, -1]], (float(eigenvalues[0]), float(eigenvalues[-1]))
        trace = Interval(float(np.abs(eigenvalues).sum()), math.nan, math.nan, COVERAGE)
    norm = curved = bent = 0.0
    least = math.inf
    for v in directions:
        w = curvature.hessian_vector_product(loss.gradient, x, v)
        norm, least = max(norm, float(np.linalg.norm(w))), min(least, float(v @ w))
    bent = max(curvature.third_derivative_norm(loss.gradient, x, v) for v in (*directions, start))
    for i in some:

        def gradient(y: FloatArray, i: int = i) -> FloatArray:
            return loss.sample(y, i)

        own = gradient(x)
        size = float(np.linalg.norm(own))
        of_norm, of_least = curvature.power_iteration(gradient, x, own / size + start / 10 if size > 0 else start)
        curved, least = max(curved, of_norm), min(least, of_least)
        bent = max(bent, curvature.third_derivative_norm(gradient, x, own / size + start / 10 if size > 0 else start))
    if not np.all(np.isfinite([norm, curved, least, bent])):
        return None
    size = float(np.linalg.norm(slope))
    of_samples = {"steepest": float(lengths.max()), "sample_spread": math.sqrt(away), "curved": max(norm, curved)}
    return PointMeasurements(
        kind, x, value, size, **of_samples, norm=norm, weak=max(0.0, -least), bend=bent, trace=trace, ends=ends, hessian=hessian
    )


def _add_traces(loss: MeasuredLoss, found: list[PointMeasurements], seed: int) -> list[PointMeasurements]:
    """Return the measurements with Tr |Hessian|; in high dimension it is estimated at x_0, the best point and the most curved."""
    if found[0].hessian is not None:
        return found
    wanted = {0, next((k for k, one in enumerate(found) if one.kind == "best"), 0), max(range(len(found)), key=lambda k: found[k].norm)}
    probes = generator(seed, DATA, TRACES).choice([-1.0, 1.0], (VECTORS, len(found[0].x)))
    made = list(found)
    for k in wanted:
        values, low, high = curvature.absolute_traces(loss.gradient, found[k].x, probes)
        if np.all(np.isfinite(values)):
            trace, weak = clustered_mean(values[:, None], COVERAGE), max(found[k].weak, -low)
            made[k] = replace(found[k], trace=trace, ends=(low, high), weak=weak)
    return made


def _constant_estimates(found: list[PointMeasurements], d: int, saddle: bool, loss: MeasuredLoss) -> Iterator[ConstantEstimate]:
    """Yield the estimates of all constants from the measured points; `saddle` for an objective with saddles."""
    values = np.array([one.value for one in found])
    best = found[int(values.argmin())]

    def top(name: str, key: str, words: str) -> ConstantEstimate:
        """Return the largest value of a measurement over the points, as an estimate from below."""
        one = max(found, key=lambda place: float(getattr(place, key)))
        return ConstantEstimate(name, float(getattr(one, key)), "at least", words, KINDS[one.kind])

    yield top("L", "steepest", "longest gradient of a sample")
    ell = top("ell", "curved", "largest |Hessian| of F and of samples")
    yield ell
    yield from _rank_estimates(found, d, ell.value)
    yield ConstantEstimate("gap", float(values[0] - values.min()), "at least", "F(x_0) minus the smallest F", KINDS[best.kind])
    highest = KINDS[found[int(values.argmax())].kind]
    spread = float(values.max() - values.min())
    if saddle:
        yield ConstantEstimate("U", spread, "at least", "largest F minus the smallest", highest)
        yield top("rho", "bend", "largest second difference of gradients, of F and of samples")
        return
    furthest = found[int(np.abs(values).argmax())]
    yield ConstantEstimate("B", float(np.abs(values).max()), "at least", "largest |F|", KINDS[furthest.kind])
    yield ConstantEstimate("spread", spread, "at least", "largest F minus the smallest", highest)
    words = "root mean squared distance of a sample's gradient from the mean one"
    spread_of = top("sample_spread", "sample_spread", words if loss.exact_mean else f"{words}, over {loss.count} samples")
    yield spread_of if loss.exact_mean else replace(spread_of, side="near")
    yield top("weak", "weak", "minus the smallest curvature of F and of samples")
    floor = 1e-9 * (1 + abs(best.value))
    higher = [one for one in found if one.value - best.value > floor]
    if higher:
        ratios = [one.grad_norm**2 / (2 * (one.value - best.value)) for one in higher]
        at = KINDS[higher[int(np.argmin(ratios))].kind]
        yield ConstantEstimate("mu", float(min(ratios)), "at most", "least |grad F|^2 / (2 (F - smallest F))", at)
        grown = [(one.value - best.value) / (2 * float(np.sum((one.x - best.x) ** 2))) for one in higher]
        at = KINDS[higher[int(np.argmin(grown))].kind]
        yield ConstantEstimate("growth_mu", float(min(grown)), "near", "least (F - smallest F) / (2 |x - best|^2)", at)


def _rank_estimates(found: list[PointMeasurements], d: int, ell: float) -> Iterator[ConstantEstimate]:
    """Yield effective rank and trace of the smallest H that the points allow, where there is curvature."""
    traced = [one for one in found if one.trace]
    if not traced or ell <= 0:
        return
    most = max(traced, key=lambda one: one.trace.value if one.trace else 0.0)
    assert most.trace is not None
    hessians = [one.hessian for one in found if one.hessian is not None]
    if hessians:
        trace = ConstantEstimate(
            "trace", curvature.trace_lower_bound(hessians), "at least", "least Tr H over H that bound every Hessian seen", "all"
        )
    else:
        words = f"largest Tr |Hessian| of {len(traced)} places, by {VECTORS} random vectors"
        trace = ConstantEstimate("trace", most.trace.value, "near", words, KINDS[most.kind], most.trace.low, most.trace.high)
    rest = max(one.rest for one in traced)
    wide = most.trace.half_width  # nan where nothing is drawn

    def rank(extra: float) -> float:
        """Return the effective rank for traces that are larger by `extra`."""
        return effective_rank(trace.value + extra, rest + extra, ell, d)

    ends = (math.nan, math.nan) if math.isnan(wide) else (rank(-wide), rank(wide))
    yield ConstantEstimate("r", rank(0.0), "near", "least Tr H / |H| of such an H with |H| <= ell", trace.at, *ends)
    yield trace


def effective_rank(trace: float, rest: float, ell: float, d: int) -> float:
    """Return a lower bound of Tr H / |H|, from 1 to d, for H with |H| <= ell and -H <= Hessian <= H.

    trace   a lower bound of Tr H, so that the ratio is at least trace / ell
    rest    Tr |A| of a Hessian A without its largest positive and its smallest negative eigenvalue. Off the first eigenvector of H both
            H - A and H + A are at least 0, so Tr H - |H| is at least Tr |A| there, and that at least the rest, by Cauchy's interlacing
    """
    return float(min(d, max(1.0, trace / ell, 1 + rest / ell)))
