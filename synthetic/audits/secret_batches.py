"""Audit of methods on finite sums whose batches are secret: the optimal test between two neighbouring data sets.

Data       two data sets of linear losses that differ in their first row, as in `synthetic.audits.sums`; the other rows are all the same,
           and 0 under Poisson sampling: so what a batch adds is decided by whether it has the first record, and the best score is known.
Observer   sees every iterate and every public draw, knows both data sets, and the distribution of the batches but not the batches.
           Whether a batch has the first record is a coin with probability q = batch_size / n: on data set w a step releases N(in_w, S) or
           N(out, S). The kernel itself gives these, run again on such batches without noise and with one number of it at a time. With l_w
           the log ratio of the two at what is seen, the log likelihood ratio of the data sets is the sum over steps of
           log(1 - q + q e^(l_1)) - log(1 - q + q e^(l_2)).
Not seen   what other data hide or show under Poisson sampling, where their coins are secret too: there the others are 0, which is the worst
           that they can be. Noise that steps share is refused, since a step is attacked by itself. So is an iterate that depends on earlier
           noise through a state, such as that of momentum, unless the record publishes a state that does not: the noisy mean of the batch.
"""

from typing import Any

import numpy as np

from synthetic.audits.replay import (
    NotAffineError,
    Replay,
    check_equal_distances,
    matches_prediction,
    noise_covariance,
    prepare_replay,
)
from synthetic.audits.sums import AuditScores, check_published
from synthetic.draws import BATCHES, FloatArray, generator
from synthetic.methods.record import Kernel
from synthetic.objectives.space import Space
from synthetic.runs.simulate import batches_of
from synthetic.validate import array_of, positive_integer, seed_integer, short_repr, validated

ALONE = "an audit needs steps that are each affine in noise of their own, in the same way on every batch, also on an empty one"
PUBLISH = "a record that publishes a state with the noisy mean of the batch can be audited"


@validated
def secret_batch_scores(
    method: Kernel, one: FloatArray, two: FloatArray, *, T: int, runs: int, batch_size: int, seed: int = 0, space: Space | None = None,
    **settings: Any,
) -> AuditScores:  # fmt: skip
    """Audit a private method with secret batches: run it ``runs`` times on two neighbouring data sets; return the optimal scores.

    one, two   (n, d) rows of the n records of each data set, as in `synthetic.audits.sums`;   batch_size   records in a batch
    space      how x is read, a vector (d,) unless given
    settings   those of the method without T, `sampling` among them; sigma is on the mean over a batch
    Raises ValueError where the data are not of this kind, where a step releases more than its batch and noise of its own, and where runs
    share the start of a stage on which they depend.
    """
    positive_integer(T=T, runs=runs, batch_size=batch_size)
    seed_integer(seed=seed)
    one, two = array_of((None, None), one=one), array_of(np.shape(one), two=two)
    n, poisson = len(one), settings.get("sampling") == "poisson"
    if batch_size >= n:
        raise ValueError(f"batch_size = {short_repr(batch_size)}: fewer than the n = {n} records are needed, else no batch is secret")
    others = np.concatenate([one[1:], two[1:]])
    if np.any(others != (0.0 if poisson else one[1])):
        needed = "0 under Poisson sampling" if poisson else "equal to each other"
        raise ValueError(f"one and two: all rows after the first must be {needed}")
    space, settings = space or Space(((one.shape[1],),)), {**settings, "batch_size": batch_size}
    try:
        replay = prepare_replay(method, space, settings, T, runs, seed, together=1)
        scores = _batch_scores(replay, one, two, batch_size, poisson)
    except NotAffineError:
        if replay.separate:
            raise
        replay = prepare_replay(method, space, settings, T, runs, seed, together=1, separate=True)
        scores = _batch_scores(replay, one, two, batch_size, poisson)
    if method.publishes != "x":
        first, without = ({"batch": np.array([rows]), "nominal": batch_size} for rows in _batches(batch_size, poisson))
        check_published(method, [(one, first), (two, first), (one, without)], T=T, seed=seed, space=space, **settings)
    return AuditScores(*scores, normal=False)


def _batches(batch_size: int, poisson: bool) -> tuple[list[int], list[int]]:
    """Return the indices of a batch with the first record, and of one without it; under Poisson sampling the second is empty."""
    return ([0], [-1]) if poisson else (list(range(batch_size)), list(range(1, batch_size + 1)))


def _batch_scores(replay: Replay, one: FloatArray, two: FloatArray, batch_size: int, poisson: bool) -> tuple[FloatArray, FloatArray]:
    """Run the kernel on both data sets in one replay; return the log likelihood ratios of the runs on each, (runs,)."""
    none, n = replay.zero_noise, len(one)
    q = batch_size / n

    def added(gradients: FloatArray, z: FloatArray, *rows: Any) -> FloatArray:
        return replay.step_increments(gradients, z, batch=np.array(rows), nominal=batch_size)

    first, without = _batches(batch_size, poisson)
    out, inside = added(one, none, without), [added(gradients, none, first) for gradients in (one, two)]
    where = replay.noise_effects(one, out, batch=np.array([without]), nominal=batch_size)
    between = inside[0] - inside[1]
    scale = np.sum(between**2, axis=1)
    if not np.all(np.isfinite(where)) or not np.all(scale > 0):
        raise ValueError("one and two: finite gradients that make a difference in every step are needed")
    noise = noise_covariance(where, scale)
    shifts = [each - out for each in inside]
    weights = [np.linalg.solve(noise, shift[:, :, None])[:, :, 0] for shift in shifts]
    check_equal_distances(np.sqrt(np.sum(weights[0] * shifts[0], axis=1)), replay)
    size, scores = np.abs(where).max() + max(float(np.abs(shift).max()) for shift in shifts), []
    for world, gradients in enumerate((one, two)):
        z = replay.draw_noise(world)
        batch = batches_of(generator(replay.seed, world, BATCHES), replay.steps, n, batch_size, poisson)
        seen = added(gradients, z, *batch)
        predicted = np.where(np.any(batch == 0, axis=1)[:, None], inside[world], out)
        predicted = predicted + (where @ z.reshape(replay.steps, replay.noise_size, 1))[:, :, 0]
        if not matches_prediction(seen, predicted, size, z):
            raise NotAffineError(f"{replay.describe}: {_reason(replay)}")
        if not replay.separate and not replay.is_shift_invariant(gradients, z, seen, batch=batch, nominal=batch_size):
            raise NotAffineError(f"{replay.describe}: {_reason(replay)}")
        ratio = np.zeros(replay.steps)
        for sign, shift, weight in zip((1, -1), shifts, weights, strict=True):
            ratio += sign * np.logaddexp(np.log1p(-q), np.log(q) + np.sum(weight * (seen - out - shift / 2), axis=1))
        scores.append(np.sum(ratio.reshape(replay.runs, replay.T), axis=1))
    return scores[0], scores[1]


def _reason(replay: Replay) -> str:
    """Return why steps cannot be attacked one by one, as a sentence: what they share, if the record of the method says so."""
    kept = [name for name in replay.method.state if name != replay.method.publishes]
    if not kept or not replay.separate:
        return ALONE
    return f"{ALONE}; a step may depend on earlier noise through {' and '.join(kept)}, which the loop keeps: {PUBLISH}"
