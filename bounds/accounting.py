"""The noise that makes T steps of clipped means private: full batches, Poisson batches, batches of fixed size.

Setting   as in `bounds.release`: n and a batch size B fix the rate B/n and the divisor B, which are public constants, the same on both of
          two neighbouring data sets
Sampling  "full" is exact, by the curve of the Gaussian mechanism; "poisson" composes privacy losses, within 0.1 % of the least sigma;
          "without_replacement" is an upper bound that one step attains, and the full batch's at B = n
"""

from bounds.release import Neighbours, Sampling, of_means
from bounds.validate import door


@door
def sensitivity(n: int, batch_size: int | None, C: float, sampling: Sampling, neighbours: Neighbours) -> float:
    """Return how far a neighbour can move the mean over a batch that its record is in; all n are the batch where none is given."""
    return of_means(n, batch_size, C, 1, sampling, neighbours).sensitivity


@door
def sigma(
    epsilon: float, delta: float, T: int, n: int, batch_size: int | None, C: float,
    sampling: Sampling = "full", neighbours: Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return a standard deviation of the noise on the mean for which T steps are (epsilon, delta)-DP, from above.

    0 where so few records are ever drawn that none is needed. The release is every noisy mean, hence every iterate.
    """
    return of_means(n, batch_size, C, T, sampling, neighbours).for_privacy(epsilon, delta).sigma


@door
def noise_multiplier(
    epsilon: float, delta: float, T: int, n: int, batch_size: int | None,
    sampling: Sampling = "full", neighbours: Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return the noise multiplier for which T steps are (epsilon, delta)-DP: B/C times sigma."""
    return of_means(n, batch_size, 1.0, T, sampling, neighbours).for_privacy(epsilon, delta).multiplier


@door
def epsilon(
    sigma: float, delta: float, T: int, n: int, batch_size: int | None, C: float,
    sampling: Sampling = "full", neighbours: Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return an epsilon for which T steps with this noise on the mean are (epsilon, delta)-DP, from above."""
    return of_means(n, batch_size, C, T, sampling, neighbours, sigma).epsilon(delta)
