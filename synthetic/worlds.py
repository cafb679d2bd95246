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
from synthetic.record import Kernel
from synthetic.simulate import rows_of
from synthetic.space import Space
from synthetic.validate import array_of, door, positive_integer, seed_integer, shown

PUBLIC = 2  # replicate of the draws that both worlds have in common; 0 and 1 are those of the noise of each
HIDDEN = 1e-6  # of the difference of the worlds: noise that moves a step by less cannot hide it
ROUNDING = 1e-12  # of the noise of all steps, as a variance: without it that of a kernel that moves x along one direction has no inverse


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
    space, steps = space or Space(((one.shape[1],),)), T * runs
    if missing := [each.name for each in method.all_settings if each.needed and each.name not in {"T", *settings}]:
        raise ValueError(f"{missing[0]} is missing: {method.name} needs {', '.join(missing)}")
    settings = {each.name: each.checked((settings | {"T": steps}).get(each.name, each.default)) for each in method.all_settings}
    known = settings | {name: table(space, settings) for name, table in method.tables.items()}
    if method.stages:
        known |= method.stages.begin(space, settings, 0, np.zeros(space.d), {}, generator(seed, PUBLIC, method.stages.stream))
    noise = next(draw for draw in method.draws if draw.stream == NOISE)
    width = math.prod(noise.shape(space, known))
    room_for(8 * steps * space.d * (T * width + T * space.d + 6), T=T, runs=runs)

    def drawn(draw: Any, replicate: int) -> FloatArray:
        return rows_of(draw, generator(seed, replicate, draw.stream), draw.shape(space, known), known, 0, steps, None)

    public = {draw.name: drawn(draw, PUBLIC) for draw in method.draws if draw is not noise}
    none = np.zeros((steps, *noise.shape(space, known)))

    def added(gradients: FloatArray, z: FloatArray) -> FloatArray:
        return _added(method, space, gradients, known | public | {noise.name: z}, steps).reshape(runs, T * space.d)

    quiet = added(one, none), added(two, none)
    where = np.empty((runs, T * space.d, T * width))
    for t in range(T):
        for j in range(width):
            unit = none.reshape(runs, T, width).copy()
            unit[:, t, j] = 1.0
            where[:, :, t * width + j] = added(one, unit.reshape(none.shape)) - quiet[0]
    between = quiet[0] - quiet[1]
    scale = np.sum(between**2, axis=1)
    if not np.all(np.isfinite(where)) or not np.all(scale > 0):
        raise ValueError("one and two: finite gradients that the method tells apart in every run are needed")
    spread = where @ np.swapaxes(where, 1, 2)
    least = HIDDEN**2 * scale + ROUNDING * np.trace(spread, axis1=1, axis2=2)
    spread += least[:, None, None] * np.eye(T * space.d)
    weight = np.linalg.solve(spread, between[:, :, None])[:, :, 0]
    weight /= np.sqrt(np.sum(weight * between, axis=1))[:, None]
    scores = []
    for world, gradients in enumerate((one, two)):
        z = drawn(noise, world)
        seen = added(gradients, z)
        predicted = quiet[world] + (where @ z.reshape(runs, T * width, 1))[:, :, 0]
        size = np.abs(where).max() + np.sqrt(scale.max())
        if not np.max(np.abs(seen - predicted)) <= 1e-6 * size * max(1.0, float(np.abs(z).max())):
            needed = "steps that are affine in the noise of their own run are needed, as of update='sgd' and without momentum"
            raise ValueError(f"method = {shown(method.name)}: {needed}")
        scores.append(np.sum(weight * (seen - (quiet[0] + quiet[1]) / 2), axis=1))
    return Seen(*scores)


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
