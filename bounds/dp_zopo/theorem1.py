"""Noise and privacy of DP-ZOSO's steps with P directions (Lemmas 1 and 2, Theorem 1), all directions accounted for together.

Setting   a step draws m of n samples and P directions, and releases for every direction the mean over the batch of the samples' difference
          quotients, each clipped to [-C, C], with normal noise. Directions, masks and the regulariser depend on earlier releases only.
Method    the printed sigma is a multiplier: the noise on the clipped sum has the standard deviation sigma C, on the mean sigma C/m.
Measure   a sigma for (epsilon, delta)-DP of all T steps.
Source    DP-ZOPO, Lemmas 1 and 2, Theorem 1 (13) and its proof; `corrected_noise` is ours.

The paper splits the budget: each direction has (epsilon/P, delta/P). But the P releases of a step share the batch, so guarantees
that are amplified by sampling do not compose by addition. Together they are one vector, which a neighbour moves by sqrt(P) times as much as
each of its entries; after a rotation all of that is in one entry. So sqrt(P) times the noise of one direction is enough, which is less than
(13).
"""

from bounds.privacy.accounting import of_means
from bounds.privacy.release import Neighbours, Sampling
from bounds.validate import positive_integer, validated


@validated
def direction_sigma(
    epsilon: float, delta: float, T: int, n: int, batch_size: int | None, C: float, directions: int = 1,
    sampling: Sampling = "without_replacement", neighbours: Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return a sufficient sigma of the noise on the batch mean, along each direction, for (epsilon, delta)-DP of T DP-ZOSO steps.

    The clipped scalars of a sample, one for each direction, are a vector of length at most C sqrt(directions).
    """
    positive_integer(directions=directions)
    return of_means(n, batch_size, C, T, sampling, neighbours, P=directions).calibrate_noise(epsilon, delta).sigma


@validated
def spent_epsilon(
    sigma: float, delta: float, T: int, n: int, batch_size: int | None, C: float, directions: int = 1,
    sampling: Sampling = "without_replacement", neighbours: Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return an upper bound on the epsilon of T DP-ZOSO steps, given sigma of the noise on the batch mean along each direction."""
    positive_integer(directions=directions)
    return of_means(n, batch_size, C, T, sampling, neighbours, sigma, P=directions).epsilon(delta)
