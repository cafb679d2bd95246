"""Audit of methods on finite sums: simulate the iterates on two neighbouring data sets, compute the optimal test between them.

Data       two data sets of linear losses that differ in one row: what a record contributes does not depend on x. In step t its gradient is
           turn_t row, with a public diagonal matrix turn_t drawn anew: what a kernel lets steps have in common by mistake, such as their
           noise, then shows. A composition theorem allows losses that change from step to step; of one data set, they are losses whose
           gradient turns quickly with x.
Observer   sees every iterate and every public draw, such as directions and projections, and knows both data sets. So it knows what each
           step would add to x without noise, on either data set, and where noise can move it: both are found by running the kernel itself
           again, without noise and with one number of it at a time. The remainder of a run is B z with B known and z standard normal:
           the best score is w'(seen - midpoint), w = (B B')^-1 (difference of the data sets), and it is normal on both data sets. B has the
           effect of a step's noise on later steps too, through a momentum buffer or a memory. What such a buffer keeps of a gradient adds
           up where the gradient is the same in all steps of a run, and a difference of gradients is 0 there: `mean_squared_distance`
           says which losses tell more.
Published  Where the record of the method names a state that it publishes, the observer sees this state after each step in place of the
           iterate: Adam's update of a private mean is no affine function of the noise, but the mean is. `check_published` tests that the
           iterates are computed from it.
Public     is every draw but that of the role NOISE, which all noise has to be made of.
Not seen   what noise does to a release that is no affine function of it: that is attacked by `events`, which is weaker. Differences of
           losses (not of gradients) along the path. Batches that are secret: the batch is all samples. What steps share in the distribution
           from which their noise is drawn.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from synthetic.audits.replay import (
    HIDDEN,
    NotAffineError,
    Replay,
    check_equal_distances,
    matches_prediction,
    noise_covariance,
    prepare_replay,
)
from synthetic.draws import FloatArray
from synthetic.memory import check_memory
from synthetic.methods.record import Kernel, normal
from synthetic.objectives.space import Space
from synthetic.validate import array_of, positive_integer, seed_integer, short_repr, validated

STEPS = 2**16  # of one call: x is a random walk, whose length must not swamp the digits of a step
CHECKED = 50  # runs of the checks beside the audited ones
CHECK_PART = 2**24  # number of their replay, which no part of the audited runs has
PROCESSED = 1e-6  # of an iterate's steps: what rounding may make of it where the iterates are computed from the same published values
STILL = (
    "The record's gradients have opposite signs, and the same direction in all steps of a run, which tells more of what the method keeps."
)
AFFINE = "an audit needs iterates that are affine in the noise of their run, in the same way on both data sets. Iterates of Adam are not, "
AFFINE += "nor are those with noise that runs share, that depends on the data or that the loop draws itself. A step that is clipped or "
AFFINE += "normalised can be audited where it is not: with a small C, such as 1e-4, the noise is as small"


@dataclass(frozen=True, eq=False)
class AuditScores:
    """Scores of audited runs on two neighbouring data sets, large where they indicate the first.

    one, two   (runs,) scores on the first and on the second data set
    normal     whether both are normal with the same variance, and the distance of their means is the same in every run
    remark     a sentence about how they were found, where that is not the optimal test; else ""
    """

    one: FloatArray
    two: FloatArray
    normal: bool = True
    remark: str = ""

    def __repr__(self) -> str:
        return f"AuditScores({len(self.one)} and {len(self.two)} runs, means {self.one.mean():.4g} and {self.two.mean():.4g})"


def worst_case_rows(d: int, n: int, length: float) -> tuple[FloatArray, FloatArray]:
    """Return two neighbouring data sets, each (n, d): opposite first rows of norm `length`, all other rows zero.

    The rows are gradients; only the first record's differ.
    """
    one, two = np.zeros((n, d)), np.zeros((n, d))
    one[0], two[0] = length / math.sqrt(d), -length / math.sqrt(d)
    return one, two


@validated
def neighbour_scores(
    method: Kernel, one: FloatArray, two: FloatArray, *, T: int, runs: int, seed: int = 0, space: Space | None = None,
    still: bool = False, **settings: Any,
) -> AuditScores:  # fmt: skip
    """Audit a private method: run it ``runs`` times for T steps on two neighbouring data sets (n, d); return the optimal scores.

    one, two   rows of the n records of each data set: their gradients, up to the factors turn_t
    still      whether these factors are the same in all steps of a run; else each step has its own
    space      how x is read, a vector (d,) unless given;   settings   those of the method without T; sigma is on the mean over all n
    Raises NotAffineError, a ValueError, where what is released is no affine function of the noise; ValueError where the record publishes a
    state from which the iterates are not computed, and where runs share the start of a stage on which they depend.
    """
    positive_integer(T=T, runs=runs)
    seed_integer(seed=seed)
    one, two = array_of((None, None), one=one), array_of(np.shape(one), two=two)
    check_memory(24 * runs, T=T, runs=runs)
    space, most, separate = space or Space(((one.shape[1],),)), max(1, STEPS // T), False

    def of_part(number: int, count: int) -> tuple[Replay, tuple[FloatArray, FloatArray, FloatArray]]:
        replay = prepare_replay(method, space, settings, T, count, seed, part=number, together=T, separate=separate, still=still)
        return replay, _call_scores((one, two), T, replay)

    parts = []
    for number, done in enumerate(range(0, runs, most)):
        count = min(most, runs - done)
        try:
            replay, found = of_part(number, count)
        except NotAffineError:
            if separate:
                raise
            separate = True  # runs of a chain may depend on each other
            replay, found = of_part(number, count)
        separate = replay.separate
        parts.append(found)
    if method.publishes != "x":
        check_published(method, [(each, {}) for each in (one, two, np.zeros_like(one))], T=T, seed=seed, space=space, **settings)
    mu = np.concatenate([part[2] for part in parts])
    alike = check_equal_distances(mu, replay)
    one, two = (np.concatenate([part[world] for part in parts]) * (1.0 if alike else mu) for world in (0, 1))
    return AuditScores(one, two, normal=alike and replay.noise.law is normal and not replay.noise.every, remark=STILL if still else "")


@validated
def check_published(
    method: Kernel, cases: Sequence[tuple[FloatArray, Mapping[str, Any]]], *, T: int, seed: int, space: Space, **settings: Any
) -> None:
    """Raise ValueError where the iterates of a method are not computed from the state that its record publishes and from public draws.

    The method is replayed on each case with the noise with which it publishes what it did on the first, if there is one: the iterates must
    be the same.
    cases   (gradients, batches): a data set (n, d), and the arguments `batch` and `nominal` of the kernel, {} for all records
    """
    replay = prepare_replay(method, space, settings, T, min(CHECKED, max(1, STEPS // T)), seed, part=CHECK_PART, together=T, separate=True)
    z, (first, *others) = replay.draw_noise(0), cases
    added, published = replay.run(first[0], z, **first[1])
    for gradients, batches in others:
        quiet = replay.step_increments(gradients, replay.zero_noise, **batches).reshape(replay.runs, -1)
        where = replay.noise_effects(gradients, quiet, T, **batches)
        missing = (published - replay.step_increments(gradients, z, **batches)).reshape(replay.runs, -1, 1)
        moved = z + (np.linalg.pinv(where, rcond=HIDDEN) @ missing).reshape(z.shape)
        again, same = replay.run(gradients, moved, **batches)
        reached = matches_prediction(same, published, float(np.abs(where).max()), z)
        if reached and not np.max(np.abs(again - added)) <= PROCESSED * np.max(np.abs(added)):
            raise ValueError(
                f"{replay.describe}: publishes = {short_repr(method.publishes)}: the iterates differ between data sets for which it is the "
                "same, so they are not computed from it and from public draws alone; publishes = 'x' is needed"
            )


@validated
def has_same_noise(method: Kernel, one: FloatArray, other: FloatArray, *, T: int, seed: int, space: Space, **settings: Any) -> bool:
    """Return whether what a method releases is the same affine function of the noise on two data sets, up to its value without noise.

    Where it is not, noise that depends on the data may tell them apart, though it tells no two data sets apart that are mirror images.
    """
    replay = prepare_replay(method, space, settings, T, min(CHECKED, max(1, STEPS // T)), seed, part=CHECK_PART, together=T, separate=True)
    quiet = [replay.step_increments(each, replay.zero_noise).reshape(replay.runs, -1) for each in (one, other)]
    where = [replay.noise_effects(each, found, T) for each, found in zip((one, other), quiet, strict=True)]
    z = replay.draw_noise(1)
    seen = replay.step_increments(other, z).reshape(replay.runs, -1)
    predicted = quiet[1] + (where[0] @ z.reshape(replay.runs, -1, 1))[:, :, 0]
    size = max(float(np.abs(each).max()) for each in (*where, quiet[0] - quiet[1]))
    return matches_prediction(where[1], where[0], size, np.ones(1)) and matches_prediction(seen, predicted, size, z)


@validated
def mean_squared_distance(
    method: Kernel, one: FloatArray, two: FloatArray, *, T: int, seed: int, space: Space, still: bool, **settings: Any
) -> float:
    """Return the mean over a few runs of mu^2, mu the distance of two data sets for the optimal test of the runs of a method.

    The runs are not those of `neighbour_scores`, so that what suits them may be chosen by this.
    """
    replay = prepare_replay(
        method, space, settings, T, min(CHECKED, max(1, STEPS // T)), seed, part=CHECK_PART, together=T, separate=True, still=still
    )
    quiet = [replay.step_increments(each, replay.zero_noise).reshape(replay.runs, -1) for each in (one, two)]
    where, between = replay.noise_effects(one, quiet[0], T), quiet[0] - quiet[1]
    weight = np.linalg.solve(noise_covariance(where, np.sum(between**2, axis=1)), between[:, :, None])[:, :, 0]
    return float(np.mean(np.sum(weight * between, axis=1)))


def _call_scores(pair: tuple[FloatArray, FloatArray], T: int, replay: Replay) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Run the kernel on both data sets in one replay; return the scores on each, of variance 1, and the distance mu, (runs,) each.

    Log likelihood ratios are mu times the scores.
    """
    one, two = pair
    runs = replay.runs
    size, width = replay.released_size, replay.noise_size

    def added(gradients: FloatArray, z: FloatArray) -> FloatArray:
        return replay.step_increments(gradients, z).reshape(runs, T * size)

    quiet = added(one, replay.zero_noise), added(two, replay.zero_noise)
    where = replay.noise_effects(one, quiet[0], T)
    between = quiet[0] - quiet[1]
    scale = np.sum(between**2, axis=1)
    if not np.all(np.isfinite(where)) or not np.all(scale > 0):
        raise ValueError("one and two: finite gradients that make a difference in every run are needed")
    try:
        weight = np.linalg.solve(noise_covariance(where, scale), between[:, :, None])[:, :, 0]
    except np.linalg.LinAlgError:
        raise NotAffineError(f"{replay.describe}: {AFFINE}") from None
    mu = np.sqrt(np.sum(weight * between, axis=1))
    weight /= mu[:, None]
    scores = []
    for world, gradients in enumerate((one, two)):
        z = replay.draw_noise(world)
        seen = added(gradients, z)
        predicted = quiet[world] + (where @ z.reshape(runs, T * width, 1))[:, :, 0]
        if not matches_prediction(seen, predicted, np.abs(where).max() + math.sqrt(scale.max()), z):
            raise NotAffineError(f"{replay.describe}: {AFFINE}")
        if not replay.separate and not replay.is_shift_invariant(gradients, z, seen.reshape(replay.steps, size)):
            raise NotAffineError(f"{replay.describe}: {AFFINE}")  # affine in the noise of a run only where each begins anew
        scores.append(np.sum(weight * (seen - (quiet[0] + quiet[1]) / 2), axis=1))
    return scores[0], scores[1], mu
