"""Coupling of a step on neighbouring data sets: the least shift of the noise that makes the step on one equal to the step on the other.

A step publishes all that goes on to the next one: x and the method's state. Where it only processes a clipped mean with Gaussian noise, the
same step comes out of the neighbouring data set with a noise that is shifted by the difference of the means, in units of sigma. So the step
is as private as the Gaussian mechanism with a shift of that length. A step that moves with the data where no noise moves it has no shift.

The shift is found by Newton's method, least squares with derivatives by central differences: in one iteration where the step is affine in
its noise, in a few where it is smooth, such as Adam's. It starts from what the numbers that are affine in the noise ask for, and from the
difference of the means of clipped gradients. That steps are equal is seen, so a shift that is found is one. That there is no shorter one is
certain only where it follows from the numbers that are affine.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from synthetic.contracts.trial import ContractBroken, DoesNotApply, Point, Trial
from synthetic.draws import FloatArray

CLOSE = 1e-6  # relative to what one unit of noise moves: steps that differ by less are equal
SAME = 1e-11  # relative to the numbers themselves: where no noise moves them
WIDTH = 1e-3  # of the differences, in units of the noise
ITERATIONS = 15
STRAIGHT, FAR = 1e-5, 100.0  # relative: derivatives of an affine number differ by less, near and as many units of noise away
UNSEEN = 1e-7  # singular values below this share of the largest count as 0


@dataclass(frozen=True, eq=False)
class Shift:
    """A shift of the noise of one step, in units of sigma.

    full_rank   whether every number of the noise changes the step in a way of its own
    shortest    whether no shorter shift makes the steps equal; else there may be one
    """

    numbers: FloatArray
    full_rank: bool
    shortest: bool

    @property
    def length(self) -> float:
        """Euclidean length of the shift."""
        return float(np.linalg.norm(self.numbers))


@dataclass(frozen=True, eq=False)
class NoisyStep:
    """A step from a point with fixed public draws, as a function of its records and of its noise (width,)."""

    trial: Trial
    point: Point
    draws: Mapping[str, FloatArray]

    def published(self, records: FloatArray, noise: FloatArray) -> FloatArray:
        """Return all that the step publishes, as one vector."""
        name = self.trial.noise.name
        piece = self.trial.advance(self.point, {**self.draws, name: noise.reshape(self.draws[name].shape)}, data=records)
        return np.concatenate([one.ravel() for one in piece.end.released.values()])

    def derivatives(self, records: FloatArray, noise: FloatArray) -> FloatArray:
        """Return the derivatives of what is published by the numbers of the noise, (published, width)."""
        columns = []
        for unit in WIDTH * np.eye(noise.size):
            columns.append((self.published(records, noise + unit) - self.published(records, noise - unit)) / (2 * WIDTH))
        return np.stack(columns, axis=1)

    def mean_difference(self, one: FloatArray, two: FloatArray) -> FloatArray:
        """Return the difference (d,) of the means of clipped gradients on two data sets, in units of sigma."""
        trial, x = self.trial, self.point.x
        h, size = trial.params
        C, sigma = trial.settings["C"], trial.settings["sigma"]
        total = np.zeros(x.size)
        for sign, records in ((1, one), (-1, two)):
            for row in records:
                g = size * (row[0] * h * (x - row[1 : 1 + x.size]) + row[1 + x.size :])
                with np.errstate(over="ignore", invalid="ignore"):
                    norm = float(np.sqrt(g @ g))
                total += sign * g * (C / max(norm, C)) if np.isfinite(norm) else 0.0
        return total / (len(one) * sigma)

    def per_array(self, numbers: FloatArray) -> FloatArray:
        """Return for each published number the largest absolute value in its array, with the same shape as what is published."""
        sizes = [one.size for one in self.point.released.values()]
        parts = np.split(np.abs(numbers), np.cumsum(sizes)[:-1])
        return np.concatenate([np.full(len(part), part.max(initial=0.0)) for part in parts])

    def name_of(self, index: int) -> str:
        """Return the name of the array, and the index in it, of a published number."""
        for name, one in self.point.released.items():
            if index < one.size:
                return f"{name}[{index}]"
            index -= one.size
        raise IndexError


def noise_shift(step: NoisyStep, one: FloatArray, two: FloatArray, /, **where: object) -> Shift:
    """Return a shift of the noise with which the step on records `two` equals the step on records `one`, each (n, p): the least found.

    Raises ContractBroken where there is none, because something moves with the data and not with noise, or is not finite. Raises
    DoesNotApply where the step is not affine in its noise, and none is found.
    """
    noise = step.draws[step.trial.noise.name].ravel()
    wanted, now = step.published(one, noise), step.published(two, noise)
    for which, seen in (("the first", wanted), ("the second", now)):
        if not np.all(np.isfinite(seen)):
            name = step.name_of(int(np.argmin(np.isfinite(seen))))
            raise ContractBroken(f"{name} is not finite after the step on {which} of two data sets that differ in one record", **where)
    slopes = step.derivatives(two, noise)
    unit = np.maximum(1e-300, step.per_array(np.abs(slopes).max(axis=1, initial=0.0)))
    allowed = CLOSE * unit + SAME * np.maximum(step.per_array(wanted), step.per_array(now))
    affine = np.all(np.abs(step.derivatives(two, -noise) - slopes) <= STRAIGHT * unit[:, None], axis=1)
    for far in (FAR, -FAR):
        bent = step.published(two, noise + far) - now - slopes @ np.full(noise.size, far)
        affine &= np.abs(bent) <= STRAIGHT * FAR * unit  # which the sign of a number is not
    known, rest = (slopes / unit[:, None])[affine], (wanted - now)[affine]
    start = _least_squares(known, rest / unit[affine])
    left = (np.abs(rest - slopes[affine] @ start) - allowed[affine]) / unit[affine]
    if np.max(left, initial=-1.0) > 0:
        name = step.name_of(int(np.flatnonzero(affine)[np.argmax(left)]))
        said = f"{name} moves with one record where no noise moves it: on the neighbouring data set no noise gives the same step"
        raise ContractBroken(said, **where, moves=(wanted - now).tolist())
    starts = [start, *([step.mean_difference(one, two)] if noise.size == step.point.x.size and not np.all(affine) else [])]
    reached = [_newton(step, two, noise, wanted, begin, unit, allowed) for begin in starts]
    found = [shift for shift in reached if shift is not None]
    if not found:
        raise DoesNotApply("the step is not affine in its noise, and no shift of it was found that hides a record")
    least = min(found, key=lambda shift: float(np.linalg.norm(shift)))
    shortest = bool(np.all(affine)) or _has_full_rank(known)
    return Shift(least, _has_full_rank(slopes / unit[:, None]), shortest)


def _least_squares(slopes: FloatArray, wanted: FloatArray) -> FloatArray:
    """Return the shortest shift (width,) for which slopes @ shift is closest to what is wanted."""
    return np.asarray(np.linalg.lstsq(slopes, wanted, rcond=UNSEEN)[0], dtype=float)


def _has_full_rank(slopes: FloatArray) -> bool:
    """Return whether the columns of the derivatives (published, width) are independent."""
    seen = np.linalg.svd(slopes, compute_uv=False) if slopes.size else np.zeros(0)
    return len(seen) == slopes.shape[1] and bool(seen[-1] > UNSEEN * seen[0])


def _newton(
    step: NoisyStep, records: FloatArray, noise: FloatArray, wanted: FloatArray, start: FloatArray, unit: FloatArray, allowed: FloatArray
) -> FloatArray | None:
    """Return a shift (width,) near `start` with which a step publishes what is wanted, up to `allowed`; None where none is found."""
    shift = start
    for _ in range(ITERATIONS):
        rest = wanted - step.published(records, noise + shift)
        if np.all(np.abs(rest) <= allowed):
            return shift
        if not np.all(np.isfinite(rest)):
            return None
        slopes = step.derivatives(records, noise + shift) / unit[:, None]
        shift = _least_squares(slopes, rest / unit + slopes @ shift)
    return None
