"""What a method on sums releases in two worlds that differ in one record, and how well the worst observer tells them apart.

Worlds     two data sets of linear losses, f(x; row) = <row, x>, that differ in one row: what a record contributes does not depend on x, so
           that one long run holds many short ones, of T steps each.
Observer   sees every iterate and every public draw, such as directions and projections, and knows both data sets. So it knows what each
           step would add to x without noise, in either world, and where noise can move it: both are seen by running the kernel itself
           again, without noise and with one number of it at a time. What is left of a run is B z with B known and z standard normal:
           the best score is w'(seen - midpoint), w = (B B')^-1 (difference of the worlds), and it is normal in both worlds.
Not seen   what noise does to an iterate that is no affine function of it (Adam's update of a private mean, which no observer needs: it is
           made of the mean alone): such a kernel is refused. Batches that are secret: the batch is all samples.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from synthetic.draws import NOISE, FloatArray, generator
from synthetic.kernels import worlds as kernels
from synthetic.memory import room_for
from synthetic.record import Draw, Kernel
from synthetic.simulate import rows_of
from synthetic.space import Space
from synthetic.validate import array_of, door, positive_integer, seed_integer, shown

PUBLIC = 2  # of three streams the one that both worlds have in common; 0 and 1 are those of the noise of each
STEPS = 2**16  # of one call: x is a random walk, and must stay short beside its steps
ROUNDING = 1e-6
HIDDEN = 1e-6  # of the difference of the worlds and of all noise: what moves an iterate by less is rounding, and hides nothing


@dataclass(frozen=True, eq=False)
class Seen:
    """Scores of runs in two worlds, large where they speak for the first.

    one, two   (runs,) scores in each world
    normal     whether both are normal with the same variance, whatever the noise that was added
    """

    one: FloatArray
    two: FloatArray
    normal: bool = True

    def __repr__(self) -> str:
        return f"Seen({len(self.one)} and {len(self.two)} runs, means {self.one.mean():.4g} and {self.two.mean():.4g})"


def apart(d: int, n: int, length: float) -> tuple[FloatArray, FloatArray]:
    """Return gradients (n, d) in two worlds: the first record's is `length` long in opposite directions, all others are 0."""
    one, two = np.zeros((n, d)), np.zeros((n, d))
    one[0], two[0] = length / math.sqrt(d), -length / math.sqrt(d)
    return one, two


@door
def worlds(
    method: Kernel, one: FloatArray, two: FloatArray, *, T: int, runs: int, seed: int = 0, space: Space | None = None, **settings: Any
) -> Seen:
    """Return what an observer of ``runs`` runs of T steps of a private method sees in each of two worlds.

    one, two   (n, d) gradients of the n records in each world
    space      how x is read, a vector (d,) unless given;   settings   those of the method without T; sigma is on the mean over all n
    Raises ValueError where the iterates are no affine function of the noise.
    """
    positive_integer(T=T, runs=runs)
    seed_integer(seed=seed)
    one, two = array_of((None, None), one=one), array_of(np.shape(one), two=two)
    space, most = space or Space(((one.shape[1],),)), max(1, STEPS // T)
    parts = [_part(method, (one, two), space, T, min(most, runs - done), seed, done // most, settings) for done in range(0, runs, most)]
    one, two = map(np.concatenate, zip(*parts, strict=True))
    return Seen(one, two)


def _part(
    method: Kernel, gradients: tuple[FloatArray, FloatArray], space: Space, T: int, runs: int, seed: int, number: int, given: dict[str, Any]
) -> tuple[FloatArray, FloatArray]:
    """Return the scores of the runs that one call of the kernel makes, in both worlds; `number` says which of their streams is theirs."""
    steps = T * runs
    settings = {each.name: each.checked((given | {"T": steps}).get(each.name, each.default)) for each in method.all_settings}
    known = settings | {name: table(space, settings) for name, table in method.tables.items()}
    if method.stages:
        start = generator(seed, 3 * number + PUBLIC, method.stages.stream)
        known |= method.stages.begin(space, settings, 0, np.zeros(space.d), {}, start)
    noise = next(draw for draw in method.draws if draw.stream == NOISE)
    shape = noise.shape(space, known)
    width = math.prod(shape)
    room_for(8 * steps * space.d * (T * width + T * space.d + 6), T=T)

    def drawn(draw: Draw, replicate: int) -> FloatArray:
        stream = generator(seed, 3 * number + replicate, draw.stream)
        return rows_of(draw, stream, draw.shape(space, known), known, 0, steps, None)

    public = {draw.name: drawn(draw, PUBLIC) for draw in method.draws if draw is not noise}

    def added(world: int, z: FloatArray) -> FloatArray:
        given = known | public | {noise.name: z.reshape(steps, *shape)}
        return _added(method, space, gradients[world], given, steps).reshape(runs, T * space.d)

    quiet = [added(world, np.zeros(steps * width)) for world in (0, 1)]
    where = np.empty((runs, T * space.d, T * width))
    for j in range(T * width):
        unit = np.zeros((runs, T * width))
        unit[:, j] = 1.0
        where[:, :, j] = added(0, unit) - quiet[0]
    between = quiet[0] - quiet[1]
    scale = np.sum(between**2, axis=1)
    if not np.all(np.isfinite(where)) or not np.all(scale > 0):
        raise ValueError("one, two: finite gradients that the method tells apart in every run are needed")
    hidden = HIDDEN**2 * (scale + np.sum(where**2, axis=(1, 2)))
    spread = where @ np.swapaxes(where, 1, 2) + hidden[:, None, None] * np.eye(T * space.d)
    weight = np.linalg.solve(spread, between[:, :, None])[:, :, 0]
    weight /= np.sqrt(np.sum(weight * between, axis=1))[:, None]

    def scores(world: int) -> FloatArray:
        z = drawn(noise, world).reshape(runs, T * width)
        seen, predicted = added(world, z), quiet[world] + np.einsum("rij,rj->ri", where, z)
        if not np.max(np.abs(seen - predicted)) <= ROUNDING * (np.abs(where).max() * np.abs(z).max() + np.abs(quiet).max()):
            raise ValueError(f"method = {shown(method.name)}: iterates that are affine in the noise of their run are needed, as of SGD")
        found: FloatArray = np.sum(weight * (seen - (quiet[0] + quiet[1]) / 2), axis=1)
        return found

    return scores(0), scores(1)


def _added(method: Kernel, space: Space, gradients: FloatArray, known: Mapping[str, Any], steps: int) -> FloatArray:
    """Return what each step adds to x, (steps, d), from the kernel itself."""
    path, asked, n = np.zeros((steps + 1, space.d)), np.ones(1, dtype=np.int64), len(gradients)
    known = {
        **{"loss": kernels.linear_loss, "gradient": kernels.linear_gradient, "value_gradient": kernels.remember, "data": gradients},
        **{"params": (path, asked), "x": np.zeros(space.d), "shapes": np.array([(*shape, 1)[:2] for shape in space.shapes])},
        **{"batch": np.arange(n)[None, :], "nominal": n, "value": np.empty(steps), "grad_norm_sq": np.empty(steps)},
        **{"clipped": np.empty(steps), "tau": -1, "x_tau": np.empty(space.d), "t0": 0},
        **{"centre": np.zeros(space.d), "handed": np.zeros(space.d)},
        **{name: np.zeros(shape(space, known)) for name, shape in method.state.items()},
        **known,
    }
    method.function(*(known[name] for name in method.takes))
    return np.diff(path, axis=0)
