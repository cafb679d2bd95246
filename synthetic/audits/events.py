"""Audit by an event of methods whose releases are no affine function of the noise: scores that hold whatever the code does.

Score      Runs with draws of their own, the pilot runs, find what tells the data sets apart: in each step, how far the release lies from
           the midpoint of the two releases without noise, in the direction from one to the other, and the logarithm of its length. Both are
           squeezed by arcsinh, and Fisher's linear discriminant of the pilot runs is the score of the audited runs.
Pairs      of neighbouring data sets are tried on the pilot runs, and the one that is told apart best is audited: opposite long gradients do
           not show what depends on the length of a gradient alone, such as a second moment of gradients without noise. Each pair is
           tried with gradients that turn from step to step, and with gradients that do not.
Valid      The score is fixed before the audited runs, which are separate and therefore independent: an event of the score certifies epsilon
           for any method. It is weaker than the optimal test, since the score is a guess of the likelihood ratio.
Refused    are runs that are not the same when all draws are shifted by a run: a loop that draws noise itself, or keeps something between
           runs; and runs that share the random start of a stage.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from synthetic.audits.replay import Replay, prepare_replay
from synthetic.audits.sums import CHECK_PART, STEPS, AuditScores
from synthetic.draws import FloatArray
from synthetic.memory import check_memory
from synthetic.methods.record import Kernel
from synthetic.objectives.space import Space
from synthetic.validate import array_of, positive_integer, seed_integer, validated

PILOT_RUNS = 2000
EVENT_PART = 2**25  # number of the first replay of the audited runs
RIDGE = 1e-6  # added to the variances of the pilot runs, which are at most of order 1
LEAST, LARGEST = 1e-300, 1e150  # lengths of a release: a shorter one counts as this long, and numbers that are not finite as the largest
REPEATED = "an audit needs runs that are a function of the data and of their own draws; here a run changes when it stands in another place"
WEAKER = "What is released is no affine function of the noise that is the same on all data sets, so no optimal test is known. An event "
WEAKER += "certifies epsilon, of a score that other runs chose: this holds whatever the code does, and is weaker than the optimal test."


@validated
def event_scores(
    method: Kernel, pairs: Sequence[tuple[FloatArray, FloatArray]], *, T: int, runs: int, seed: int = 0, space: Space, **settings: Any
) -> AuditScores:
    """Audit a private method by events: run it ``runs`` times on the pair of data sets that pilot runs tell apart best; return the scores.

    pairs      neighbouring data sets, (n, d) each;   space, settings   as in `synthetic.audits.sums.neighbour_scores`
    Raises ValueError where runs depend on each other or on what is not drawn for them.
    """
    positive_integer(T=T, runs=runs)
    seed_integer(seed=seed)
    pairs = [(array_of((None, space.d), one=one), array_of(np.shape(one), two=two)) for one, two in pairs]
    check_memory(24 * runs, T=T, runs=runs)
    few = min(runs, PILOT_RUNS)
    found = []
    for number, (pair, still) in enumerate(product(pairs, (False, True))):
        part = CHECK_PART + 1 + number
        replay = prepare_replay(method, space, settings, T, few, seed, part=part, together=1, separate=True, still=still)
        if replay.shared:
            raise ValueError(f"{replay.describe}: {replay.shared}, so runs would depend on each other")
        features = _features(replay, pair)
        scale = np.maximum(np.median(np.abs(np.concatenate(features)), axis=0), LEAST)
        found.append((*_discriminant(*(np.arcsinh(each / scale) for each in features)), scale, pair, still))
    _, weight, scale, pair, still = max(found, key=lambda one: one[0])
    most, scores = max(1, STEPS // T), []
    for number, done in enumerate(range(0, runs, most)):
        count = min(most, runs - done)
        part = EVENT_PART + number  # other streams than those of the optimal test, after whose failure this one is made
        replay = prepare_replay(method, space, settings, T, count, seed, part=part, together=1, separate=True, still=still)
        scores.append([np.arcsinh(each / scale) @ weight for each in _features(replay, pair)])
    data = "opposite signs" if np.any(pair[1]) else "their length in the first data set only, and are 0 in the second"
    remark = f"The record's gradients have {data}, with {'the same' if still else 'another'} direction in each step of a run. {WEAKER}"
    one, two = (np.concatenate([part[world] for part in scores]) for world in (0, 1))
    return AuditScores(one, two, normal=False, remark=remark)


def _features(replay: Replay, pair: tuple[FloatArray, FloatArray]) -> list[FloatArray]:
    """Return the features of the runs on both data sets, (runs, 2 T) each: in each step the release along their difference, and its length.

    Numbers that are not finite count as the largest.
    """
    quiet = [_released(replay, gradients, replay.zero_noise) for gradients in pair]
    between = quiet[0] - quiet[1]
    between /= np.maximum(np.linalg.norm(between, axis=1, keepdims=True), LEAST)
    features = []
    for world, gradients in enumerate(pair):
        z = replay.draw_noise(world)
        seen = _released(replay, gradients, z)
        again = _released(replay.shifted_by_a_run(), gradients, np.roll(z, -replay.T, axis=0))
        if not np.array_equal(np.roll(seen, -replay.T, axis=0), again):
            raise ValueError(f"{replay.describe}: {REPEATED}")
        along = np.sum((seen - quiet[0] / 2 - quiet[1] / 2) * between, axis=1)
        length = np.log(np.maximum(np.linalg.norm(seen, axis=1), LEAST))
        features.append(np.concatenate([each.reshape(replay.runs, replay.T) for each in (along, length)], axis=1))
    return features


def _released(replay: Replay, gradients: FloatArray, z: FloatArray) -> FloatArray:
    """Return what each step adds to x and the state that it publishes, (steps, d + size), with finite numbers."""
    seen = np.concatenate(replay.run(gradients, z), axis=1)
    return np.nan_to_num(seen, nan=LARGEST, posinf=LARGEST, neginf=-LARGEST).clip(-LARGEST, LARGEST)


def _discriminant(one: FloatArray, two: FloatArray) -> tuple[float, FloatArray]:
    """Return by how many deviations Fisher's linear discriminant separates two samples (runs, k), squared, and its weights (k,)."""
    apart = one.mean(axis=0) - two.mean(axis=0)
    within = (np.cov(one, rowvar=False) + np.cov(two, rowvar=False)).reshape(len(apart), -1) / 2
    weight = np.linalg.solve(within + RIDGE * np.eye(len(apart)), apart)
    return float(weight @ apart), weight
