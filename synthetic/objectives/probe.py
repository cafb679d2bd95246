"""What can be seen of the constants of an objective from its values and gradients: at its start, along a descent, and around.

Places    x_0; points of a descent from x_0 by L-BFGS and the best that it and one from a point at random find; in low dimension one off
          the best along the least curvature there; random points within `radius` of these; points that are given
L         longest gradient of a sample;   B, spread, U   largest |F|, and largest F minus smallest
ell       largest |D v| of the Hessian of F and of samples, weak minus the smallest v'D v (`synthetic.objectives.curvature`), rho of second
          differences
trace     a lower bound of Tr H over all H with -H <= Hessian <= H at every place; in high dimension the largest Tr |Hessian| of three
r         what Tr H / |H| is at least for every such H with |H| <= ell (`effective_rank`)
gap       F(x_0) minus the smallest F that is seen
mu        least |grad F|^2 / (2 (F - smallest F));   growth_mu   least (F - smallest F) / (2 |x - best|^2)

Everything is a maximum or minimum over the places: a constant that holds everywhere is no better. It is an estimate, never a bound that a
guarantee could rest on.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize

from synthetic.compiled import compiling, told
from synthetic.draws import DATA, FloatArray, generator
from synthetic.estimate import Interval, clustered_mean
from synthetic.memory import room_for
from synthetic.objectives import curvature
from synthetic.objectives.saddles import Landscape
from synthetic.objectives.sums import Objective
from synthetic.validate import array_of, door, positive, positive_integer, seed_integer, shown

Side = Literal["at least", "at most", "near"]
STEPS = 200  # of a descent
PATH = 6  # points of a descent that are looked at
WHOLE = 100  # up to this dimension the whole Hessian is made
CURVED = 50  # samples whose curvature is looked at, at each place
VECTORS = 12  # random ones for the trace, where the whole Hessian is not made
COVERAGE = 0.95
SAMPLES, CENTRES, STARTS, TRACES = range(4, 8)  # roles of the draws
FLATTEST = 0.1  # of the radius, from the best point along the least curvature there, where growth is least
KINDS = {
    "x0": "x_0",
    "path": "on the descent",
    "best": "the best point found",
    "flattest": "along the least curvature",
    "random": "at random",
    "given": "given",
}


@dataclass(frozen=True)
class Constant:
    """A constant as far as it was seen.

    side        where the true one lies, that of every x: "at least" this, "at most", or "near", where neither is known
    seen, at    what the value is, and at which place
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
class Place:
    """What was seen at a place.

    value, grad_norm          F and |grad F|;   steepest, sample_spread   of the samples' gradients
    norm, curved, weak, bend  |Hessian| of F, and of F and samples; minus the smallest curvature; second differences of gradients
    trace, ends               Tr |Hessian| of F and the ends of its spectrum, at places where they are computed
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
        """Tr |Hessian| without the largest eigenvalue above 0 and the smallest below."""
        assert self.trace is not None
        return self.trace.value - max(0.0, self.ends[1]) + min(0.0, self.ends[0])


@dataclass(frozen=True)
class Probe:
    """What was seen of an objective: `constants` by name, and the `places`; `settings` is what was asked for, `left_out` places too far."""

    constants: dict[str, Constant]
    places: tuple[Place, ...]
    settings: dict[str, Any]
    left_out: int


@dataclass(frozen=True)
class Loss:
    """The functions of an objective or a landscape that are looked at: F with its gradient, and the gradient of sample i."""

    value_and_gradient: Callable[[FloatArray], tuple[float, FloatArray]]
    sample: Callable[[FloatArray, int], FloatArray]
    count: int
    exact_mean: bool

    def gradient(self, x: FloatArray) -> FloatArray:
        """Return the gradient of F."""
        return self.value_and_gradient(x)[1]


@door
def probe(
    objective: Objective | Landscape,
    *,
    radius: float | None = None,
    places: int = 8,
    samples: int = 10_000,
    n: int | None = None,
    points: ArrayLike | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Probe:
    """Look at an objective, or at a landscape, at some places, and return what its constants are there.

    radius      of the random points around the descent; None: the distance from x_0 to the best point found, 1 where that is 0
    places      number of random points;   points (k, d)   more places, such as iterates of a run
    samples     at most so many samples are looked at, at random where there are more
    n           samples that are drawn of each client of a landscape, which an objective has already; None: 1000
    progress(done, total)   is told of the places
    What lies outside the ball on which an objective is posed is moved to its rim. Places where F, a gradient or a Hessian is not finite are
    left out. Raises ValueError where x_0 is one of these, and for what an argument cannot be.
    """
    if not isinstance(objective, Objective | Landscape):
        raise ValueError(f"objective = {shown(objective)}: an objective is needed, such as lab.cosine('inverse', d=20, n=100, seed=0)")
    positive_integer(places=places, samples=samples)
    seed_integer(seed=seed)
    told(progress)
    if radius is not None:
        positive(radius=radius)
    if n is not None and isinstance(objective, Objective):
        raise ValueError(f"n = {shown(n)}: {objective.name!r} has its samples already; leave n out")
    more = np.empty((0, objective.d)) if points is None else array_of((None, objective.d), points=points)
    room_for(8 * (PATH + places + len(more) + 4) * min(objective.d, WHOLE) * objective.d, d=objective.d, places=places)
    with compiling(objective.name), np.errstate(all="ignore"):
        loss = _loss(objective, samples, 1000 if n is None else n, seed)
        ball = float(objective.constants.get("radius", math.inf)) if isinstance(objective, Objective) else math.inf
        where, radius = _places(loss, objective.x0, radius, places, seed, ball)
        where += [("given", _inside(x, ball)) for x in more]
        found, rng = [], generator(seed, DATA, STARTS)
        for k, (kind, x) in enumerate(where):
            found.append(_seen(loss, kind, x, rng))
            if progress:
                progress(k + 1, len(where))
        if found[0] is None:
            raise ValueError(f"objective = {objective.name!r}: its value, a gradient or its Hessian is not finite at x_0")
        kept = _traced(loss, [one for one in found if one], seed)
    settings = {"radius": radius, "places": places, "samples": loss.count, "seed": seed, "given": len(more)}
    named = {one.name: one for one in _constants(kept, objective.d, isinstance(objective, Landscape), loss)}
    return Probe(named, tuple(kept), settings, len(found) - len(kept))


def _loss(objective: Objective | Landscape, samples: int, n: int, seed: int) -> Loss:
    """Return its functions, on at most so many samples."""
    rng = generator(seed, DATA, SAMPLES)
    if isinstance(objective, Landscape):
        positive_integer(n=n)
        room_for(32 * n * objective.d * objective.clients, n=n, d=objective.d)
        rows = np.concatenate([objective.draw(rng, n, client) for client in range(objective.clients)])
    else:
        rows = objective.data
    if len(rows) > samples:
        rows = rows[np.sort(rng.choice(len(rows), samples, replace=False))]

    def sample(x: FloatArray, i: int) -> FloatArray:
        out = np.empty(objective.d)
        if isinstance(objective, Landscape):
            objective.batch_gradient(x, rows[i : i + 1], objective.params, out)
        else:
            objective.gradient(x, rows[i], objective.params, out)
        return out

    def value_and_gradient(x: FloatArray) -> tuple[float, FloatArray]:
        out = np.empty(objective.d)
        if isinstance(objective, Landscape):
            return float(objective.value_gradient(x, objective.params, out)), out
        return float(objective.value_gradient(x, objective.data, objective.params, out)), out

    return Loss(value_and_gradient, sample, len(rows), isinstance(objective, Objective) and len(rows) == objective.n)


def _inside(x: FloatArray, ball: float) -> FloatArray:
    """Return x, or the nearest point of the ball around 0."""
    length = float(np.linalg.norm(x))
    return x if length <= ball else x * (ball / length)


def _places(
    loss: Loss, x0: FloatArray, radius: float | None, count: int, seed: int, ball: float
) -> tuple[list[tuple[str, FloatArray]], float]:
    """Return the places, each with its kind, and the radius."""
    rng = generator(seed, DATA, CENTRES)
    path = _descent(loss, x0, ball)
    if radius is None:
        radius = float(np.linalg.norm(path[-1] - x0)) or 1.0
    other = _descent(loss, _inside(x0 + radius * _unit(rng, len(x0)), ball), ball)
    best = min((path[-1], other[-1]), key=lambda x: loss.value_and_gradient(x)[0])
    middle = [path[k] for k in np.unique(np.geomspace(1, len(path) - 2, PATH).astype(int))] if len(path) > 2 else []
    centres = [x0, *middle, best]
    around = [_inside(centres[k % len(centres)] + radius * (k + 1) / count * _unit(rng, len(x0)), ball) for k in range(count)]
    kinds = {"x0": [x0], "path": middle, "best": [best], "flattest": _flattest(loss, best, radius, ball), "random": around}
    return [(kind, x) for kind, some in kinds.items() for x in some], radius


def _flattest(loss: Loss, best: FloatArray, radius: float, ball: float) -> list[FloatArray]:
    """Return a point off the best one along the least curvature, none in high dimension or where the Hessian is not finite."""
    hessian = curvature.whole(loss.gradient, best) if len(best) <= WHOLE else np.full((1, 1), np.nan)
    return [_inside(best + FLATTEST * radius * np.linalg.eigh(hessian)[1][:, 0], ball)] if np.all(np.isfinite(hessian)) else []


def _unit(rng: np.random.Generator, d: int) -> FloatArray:
    v = rng.standard_normal(d)
    return v / float(np.linalg.norm(v))


def _descent(loss: Loss, start: FloatArray, ball: float) -> list[FloatArray]:
    """Return the points of a descent from the start, the best last."""
    path = [start]
    if not np.isfinite(loss.value_and_gradient(start)[0]):
        return path
    how = {"maxiter": STEPS, "ftol": 1e-15, "gtol": 1e-10}
    done = minimize(
        loss.value_and_gradient, start, jac=True, method="L-BFGS-B", callback=lambda x: path.append(_inside(x, ball)), options=how
    )
    found = [*path, _inside(done.x, ball)]
    values = [loss.value_and_gradient(x)[0] for x in found]
    least = int(np.nanargmin(values))
    return found[: least + 1]


def _seen(loss: Loss, kind: str, x: FloatArray, rng: np.random.Generator) -> Place | None:
    """Return what is seen at a place, without the trace in high dimension; None where something is not finite."""
    d = len(x)
    value, slope = loss.value_and_gradient(x)
    lengths, away = np.empty(loss.count), 0.0
    for i in range(loss.count):
        one = loss.sample(x, i)
        lengths[i] = np.linalg.norm(one)
        away += float(np.sum((one - slope) ** 2)) / loss.count
    start, some = _unit(rng, d), rng.permutation(loss.count)[:CURVED]
    hessian = curvature.whole(loss.gradient, x) if d <= WHOLE else None
    if not np.all(np.isfinite([value, *slope, *lengths])) or (hessian is not None and not np.all(np.isfinite(hessian))):
        return None
    trace, ends = None, (math.nan, math.nan)
    if hessian is None:
        directions = [curvature.largest(loss.gradient, x, start)]
    else:
        eigenvalues, vectors = np.linalg.eigh(hessian)
        directions, ends = [vectors[:, 0], vectors[:, -1]], (float(eigenvalues[0]), float(eigenvalues[-1]))
        trace = Interval(float(np.abs(eigenvalues).sum()), math.nan, math.nan, COVERAGE)
    norm = curved = bent = 0.0
    least = math.inf
    for v in directions:
        w = curvature.along(loss.gradient, x, v)
        norm, least = max(norm, float(np.linalg.norm(w))), min(least, float(v @ w))
    bent = max(curvature.bend(loss.gradient, x, v) for v in (*directions, start))
    for i in some:

        def gradient(y: FloatArray, i: int = i) -> FloatArray:
            return loss.sample(y, i)

        own = gradient(x)
        size = float(np.linalg.norm(own))
        of_norm, of_least = curvature.power(gradient, x, own / size + start / 10 if size > 0 else start)
        curved, least = max(curved, of_norm), min(least, of_least)
        bent = max(bent, curvature.bend(gradient, x, own / size + start / 10 if size > 0 else start))
    if not np.all(np.isfinite([norm, curved, least, bent])):
        return None
    size = float(np.linalg.norm(slope))
    of_samples = {"steepest": float(lengths.max()), "sample_spread": math.sqrt(away), "curved": max(norm, curved)}
    return Place(kind, x, value, size, **of_samples, norm=norm, weak=max(0.0, -least), bend=bent, trace=trace, ends=ends, hessian=hessian)


def _traced(loss: Loss, found: list[Place], seed: int) -> list[Place]:
    """Return the places with Tr |Hessian|, in high dimension estimated at x_0, at the best point and where the Hessian is largest."""
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


def _constants(found: list[Place], d: int, saddle: bool, loss: Loss) -> Iterator[Constant]:
    """Give the constants as far as they are seen."""
    values = np.array([one.value for one in found])
    best = found[int(values.argmin())]

    def top(name: str, key: str, words: str) -> Constant:
        one = max(found, key=lambda place: float(getattr(place, key)))
        return Constant(name, float(getattr(one, key)), "at least", words, KINDS[one.kind])

    yield top("L", "steepest", "longest gradient of a sample")
    ell = top("ell", "curved", "largest |Hessian| of F and of samples")
    yield ell
    yield from _ranks(found, d, ell.value)
    yield Constant("gap", float(values[0] - values.min()), "at least", "F(x_0) minus the smallest F", KINDS[best.kind])
    highest = KINDS[found[int(values.argmax())].kind]
    spread = float(values.max() - values.min())
    if saddle:
        yield Constant("U", spread, "at least", "largest F minus the smallest", highest)
        yield top("rho", "bend", "largest second difference of gradients, of F and of samples")
        return
    furthest = found[int(np.abs(values).argmax())]
    yield Constant("B", float(np.abs(values).max()), "at least", "largest |F|", KINDS[furthest.kind])
    yield Constant("spread", spread, "at least", "largest F minus the smallest", highest)
    words = "root mean squared distance of a sample's gradient from the mean one"
    spread_of = top("sample_spread", "sample_spread", words if loss.exact_mean else f"{words}, over {loss.count} samples")
    yield spread_of if loss.exact_mean else replace(spread_of, side="near")
    yield top("weak", "weak", "minus the smallest curvature of F and of samples")
    floor = 1e-9 * (1 + abs(best.value))
    higher = [one for one in found if one.value - best.value > floor]
    if higher:
        ratios = [one.grad_norm**2 / (2 * (one.value - best.value)) for one in higher]
        at = KINDS[higher[int(np.argmin(ratios))].kind]
        yield Constant("mu", float(min(ratios)), "at most", "least |grad F|^2 / (2 (F - smallest F))", at)
        grown = [(one.value - best.value) / (2 * float(np.sum((one.x - best.x) ** 2))) for one in higher]
        at = KINDS[higher[int(np.argmin(grown))].kind]
        yield Constant("growth_mu", float(min(grown)), "near", "least (F - smallest F) / (2 |x - best|^2)", at)


def _ranks(found: list[Place], d: int, ell: float) -> Iterator[Constant]:
    """Give trace and effective rank of the smallest H that the places allow, where there is curvature."""
    traced = [one for one in found if one.trace]
    if not traced or ell <= 0:
        return
    most = max(traced, key=lambda one: one.trace.value if one.trace else 0.0)
    assert most.trace is not None
    hessians = [one.hessian for one in found if one.hessian is not None]
    if hessians:
        trace = Constant("trace", curvature.least_trace(hessians), "at least", "least Tr H over H that bound every Hessian seen", "all")
    else:
        words = f"largest Tr |Hessian| of {len(traced)} places, by {VECTORS} random vectors"
        trace = Constant("trace", most.trace.value, "near", words, KINDS[most.kind], most.trace.low, most.trace.high)
    rest = max(one.rest for one in traced)
    wide = most.trace.half_width  # nan where nothing is drawn

    def rank(extra: float) -> float:
        return effective_rank(trace.value + extra, rest + extra, ell, d)

    ends = (math.nan, math.nan) if math.isnan(wide) else (rank(-wide), rank(wide))
    yield Constant("r", rank(0.0), "near", "least Tr H / |H| of such an H with |H| <= ell", trace.at, *ends)
    yield trace


def effective_rank(trace: float, rest: float, ell: float, d: int) -> float:
    """Return a lower bound of Tr H / |H| for H with |H| <= ell and -H <= Hessian <= H, from 1 to d.

    trace   a lower bound of Tr H, so that the ratio is at least trace / ell
    rest    Tr |A| of a Hessian A without its largest eigenvalue above 0 and its smallest below. Off the first eigenvector of H both of
            H - A and H + A are at least 0, so Tr H - |H| is at least Tr |A| there, and that at least the rest, by Cauchy's interlacing
    """
    return float(min(d, max(1.0, trace / ell, 1 + rest / ell)))
