"""The noise that makes T steps of clipped means private: full batches, Poisson batches, batches of fixed size.

Setting   each of T steps releases the mean over a batch of vectors clipped to norm C, plus N(0, sigma^2 I). What is done with the vectors
          before they are clipped, such as a projection with a public seed, does not matter.
Relation  neighbours="replace_one" (n fixed), "add_or_remove_one" (a mean is then a sum divided by the fixed batch size)
Sampling  "full"                  B = n: exact, by the curve of the Gaussian mechanism; sensitivity 2C/n, or C/n
          "poisson"               every record with probability B/n, divided by B: composed privacy losses, tight to some 1e-5
          "without_replacement"   B of n records drawn afresh in each step: an upper bound that one step attains; it is
                                  the full batch's at B = n. Under both relations an exchange of one record of the batch, 2C/B, is what
                                  counts: where one is removed another is drawn. Adding or removing needs B < n.
Measure   sigma, the standard deviation of each coordinate of the noise on the *mean*; B sigma / C is the noise multiplier.
Source    the accountants are those of `bounds.privacy` and `bounds.subsampled`, where they are proved.
"""

from math import inf
from typing import Literal

from bounds.privacy import epsilon_gaussian, sigma_gaussian
from bounds.subsampled import Neighbours, epsilon_subsampled, sigma_subsampled
from bounds.validate import door, one_of, positive, positive_integer, shown

Sampling = Literal["full", "poisson", "without_replacement"]


@door
def sensitivity(n: int, batch_size: int | None, C: float, sampling: Sampling, neighbours: Neighbours) -> float:
    """Return how far a neighbour can move the mean over a batch that its record is in; all n are the batch where none is given."""
    one_of(("full", "poisson", "without_replacement"), sampling=sampling)
    one_of(("add_or_remove_one", "replace_one"), neighbours=neighbours)
    positive_integer(n=n)
    B = n if batch_size is None else batch_size
    positive_integer(batch_size=B)
    positive(C=C)
    removed = neighbours == "add_or_remove_one"
    if B > n or (sampling == "full" and B < n):
        raise ValueError(
            f"batch_size = {B}: {'exactly' if sampling == 'full' else 'at most'} n = {n} is needed with sampling = {sampling!r}"
        )
    if sampling == "without_replacement" and removed and B == n:
        raise ValueError(f"batch_size = {B}: fewer than n = {n} are needed without replacement, since a record may be removed")
    moved = (1 if removed and sampling != "without_replacement" else 2) * C / B
    if not 0 < moved < inf:
        raise ValueError(f"C = {shown(C)}: a less extreme number is needed, the sensitivity leaves floating point")
    return moved


@door
def sigma(
    epsilon: float, delta: float, T: int, n: int, batch_size: int | None, C: float,
    sampling: Sampling = "full", neighbours: Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return a standard deviation of the noise on the mean for which T steps are (epsilon, delta)-DP, from above.

    0 where so few records are ever drawn that none is needed. The release is every noisy mean, hence every iterate.
    """
    moved = sensitivity(n, batch_size, C, sampling, neighbours)
    if sampling == "full" or batch_size in (None, n):
        return sigma_gaussian(epsilon=epsilon, delta=delta, T=T, sensitivity=moved)
    q = (batch_size or n) / n
    return sigma_subsampled(epsilon=epsilon, delta=delta, T=T, q=q, sensitivity=moved, neighbours=neighbours, sampling=sampling)


@door
def noise_multiplier(
    epsilon: float, delta: float, T: int, n: int, batch_size: int | None,
    sampling: Sampling = "full", neighbours: Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return the noise multiplier for which T steps are (epsilon, delta)-DP: B/C times sigma."""
    return sigma(epsilon, delta, T, n, batch_size, 1.0, sampling, neighbours) * (n if batch_size is None else batch_size)


@door
def epsilon(
    sigma: float, delta: float, T: int, n: int, batch_size: int | None, C: float,
    sampling: Sampling = "full", neighbours: Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return an epsilon for which T steps with this noise on the mean are (epsilon, delta)-DP, from above."""
    moved = sensitivity(n, batch_size, C, sampling, neighbours)
    if sampling == "full" or batch_size in (None, n):
        return epsilon_gaussian(delta=delta, sigma=sigma, T=T, sensitivity=moved)
    q = (batch_size or n) / n
    return epsilon_subsampled(delta=delta, sigma=sigma, T=T, q=q, sensitivity=moved, neighbours=neighbours, sampling=sampling)
