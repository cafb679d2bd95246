"""Masks of tuned coordinates with weights: the diagonal of the importance matrix, computed from scores.

Source    Liu, Lou and others (arXiv:2402.07818), Algorithm 4, as its text means it: the parameters with high scores are kept, weights are
          standard deviations and fall with the rank, an incremental mask contains the one before.
"""

import math
from functools import partial

import numpy as np

from synthetic.draws import FloatArray
from synthetic.validate import array_of, is_real, make_check, one_of, positive, validated

WEIGHTS = ("pruning", "rank")
check_rate = make_check("a number above 0 and at most 1", lambda value: is_real(value) and 0 < float(value) <= 1)
check_weights = partial(one_of, WEIGHTS)


def kept_count(rate: float, d: int) -> int:
    """Return how many of d coordinates a mask of this rate keeps, at least 1: rate d, rounded up.

    It is not rounded up where rate d exceeds an integer by no more than the rounding of the float rate.
    """
    return max(1, math.ceil(rate * d * (1 - 1e-12)))


@validated
def importance_weights(
    scores: FloatArray, rate: float, *, before: FloatArray | None = None, weights: str = "pruning", upper: float = 1.2, lower: float = 0.8
) -> FloatArray:
    """Return the weights (d,) of the coordinates from scores (d,): the share `rate` with the largest scores, 0 elsewhere.

    Of equal scores the first are kept.
    before    the weights of the stage before, whose coordinates are kept whatever their scores: an incremental mask
    weights   "pruning": 1; "rank": from upper, of the largest score kept, in steps of (upper - lower) / (number kept)
    """
    given = array_of((None,), scores=scores)
    check_rate(rate=rate)
    check_weights(weights=weights)
    positive(upper=upper, lower=lower)
    if lower > upper:
        raise ValueError(f"upper = {upper}, lower = {lower}: an upper weight of at least the lower one is needed")
    k, forced = kept_count(rate, len(given)), given.copy()
    if before is not None:
        forced[array_of(given.shape, before=before) != 0] = np.inf
    if (there := int(np.isinf(forced).sum())) > k:
        raise ValueError(
            f"rate = {rate}: it keeps {k} coordinates, and the mask before has {there}; a rate that does not decrease is needed"
        )
    kept = np.argsort(-forced, kind="stable")[:k]
    found = np.zeros(len(given))
    if weights == "pruning":
        found[kept] = 1.0
    else:
        kept = np.sort(kept)
        found[kept[np.argsort(-given[kept], kind="stable")]] = upper - (upper - lower) * np.arange(k) / k
    return found
