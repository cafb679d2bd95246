"""Noise and privacy of T steps of clipped means: full batches, Poisson batches, batches of fixed size.

Setting   as in `bounds.privacy.release`: n and a batch size B fix the rate B/n and the divisor B, which are public constants, the same on
          both of two neighbouring data sets
Sampling  "full" is exact, by the curve of the Gaussian mechanism; "poisson" composes privacy losses, within 0.1 % of the least sigma;
          "without_replacement" is an upper bound that one step attains, and the full batch's at B = n
"""

from math import inf, nan, sqrt

from bounds.privacy.release import Neighbours, Release, Sampling
from bounds.validate import one_of, positive, positive_integer, short_repr, validated

RESOLVED = 10**7  # steps of batches, up to which the accountant is within 0.1 % of the least noise


@validated
def of_means(
    n: int, batch_size: int | None, C: float, T: int = 1,
    sampling: Sampling = "full", neighbours: Neighbours = "replace_one", sigma: float | None = None, P: int = 1,
) -> Release:  # fmt: skip
    """Return the `Release` of T noisy means of clipped vectors, over full or random batches of batch_size of n records.

    sigma   noise on the mean; None if it is to be computed
    P       number of directions: P scalars of a record, each clipped to C, form a vector of norm at most sqrt(P) C, the C of the release
    n and the batch size fix the sampling rate and the divisor. Raises ValueError for values that are not allowed.
    """
    one_of(("full", "poisson", "without_replacement"), sampling=sampling)
    one_of(("add_or_remove_one", "replace_one"), neighbours=neighbours)
    positive_integer(n=n, T=T, P=P)
    B = n if batch_size is None else batch_size
    positive_integer(batch_size=B)
    positive(C=C)
    C *= sqrt(P)
    removed = neighbours == "add_or_remove_one"
    if B > n or (sampling == "full" and B < n):
        needed = "exactly" if sampling == "full" else "at most"
        raise ValueError(f"batch_size = {B}: {needed} n = {n} is needed with sampling = {sampling!r}")
    if sampling == "without_replacement" and removed and B == n:
        raise ValueError(f"batch_size = {B}: fewer than n = {n} are needed without replacement, because a record may be removed")
    moved = (1 if removed and sampling != "without_replacement" else 2) * C / B
    if not 0 < moved < inf:
        raise ValueError(f"C = {short_repr(C)}: the sensitivity overflows or underflows; a less extreme number is needed")
    if sigma is not None:
        positive(sigma=sigma)
    return Release(neighbours, sampling, B / n, B, C, moved, T, nan if sigma is None else sigma)


@validated
def sensitivity(n: int, batch_size: int | None, C: float, sampling: Sampling, neighbours: Neighbours) -> float:
    """Return the L2 sensitivity of the clipped mean over a batch that contains the differing record (all n if batch_size is None)."""
    return of_means(n, batch_size, C, 1, sampling, neighbours).sensitivity


@validated
def sigma(
    epsilon: float, delta: float, T: int, n: int, batch_size: int | None, C: float,
    sampling: Sampling = "full", neighbours: Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return a sufficient standard deviation of the noise on the mean for (epsilon, delta)-DP of T steps.

    It is 0 if a record is so rarely drawn that no noise is needed. All noisy means are released, hence all iterates.
    """
    return of_means(n, batch_size, C, T, sampling, neighbours).calibrate_noise(epsilon, delta).sigma


@validated
def noise_multiplier(
    epsilon: float, delta: float, T: int, n: int, batch_size: int | None,
    sampling: Sampling = "full", neighbours: Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return a sufficient noise multiplier, B sigma / C, for (epsilon, delta)-DP of T steps."""
    return of_means(n, batch_size, 1.0, T, sampling, neighbours).calibrate_noise(epsilon, delta).multiplier


@validated
def epsilon(
    sigma: float, delta: float, T: int, n: int, batch_size: int | None, C: float,
    sampling: Sampling = "full", neighbours: Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return an upper bound on the epsilon of T steps at this delta, given the noise sigma on the mean."""
    return of_means(n, batch_size, C, T, sampling, neighbours, sigma).epsilon(delta)
