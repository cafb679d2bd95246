"""Exact privacy of full-batch Gaussian releases whose noise or sensitivity changes from step to step.

Setting   as in `gaussian`, but release t adds N(0, sigma_t^2 I) to a query that moves by at most s_t between neighbours
Measure   the releases together are mu-GDP with mu^2 = sum_t (s_t / sigma_t)^2, and no smaller mu holds for all such queries
Source    Dong, Roth, Su (2022), arXiv:1905.02383, Corollary 3.3
A mean of n records clipped to C_t has s_t = 2 C_t / n. The schedules are public: they must not depend on the data.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bounds.privacy.budget import Budget
from bounds.privacy.gaussian import delta_of_mu, epsilon_of_mu, largest_mu, require_full_precision
from bounds.validate import inside_unit, non_negative, positive, short_repr, validated

UNIT = 2.0**-53
Steps = float | Sequence[float] | npt.NDArray[np.float64]  # one number, or one for each step


@validated
def mu_of_steps(*, sigma: Steps, sensitivity: Steps) -> float:
    """Return the least mu for which Gaussian releases of changing noise and sensitivity together are mu-GDP.

    Parameters
    ----------
    sigma
        Standard deviation of the noise of each release, above 0: an array (T,), or one number for all.
    sensitivity
        How far the query of each release moves between neighbouring data sets, above 0: likewise. One of the two must be an array.

    Returns
    -------
    float
        The root of the sum of (sensitivity / sigma)^2 over the releases, rounded up.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name, and for arrays of different lengths.

    Notes
    -----
    Every record is in every release: full batches. The schedules must not depend on the data.

    Examples
    --------
    >>> round(lab.privacy.mu_of_steps(sigma=[1.0, 2.0, 2.0], sensitivity=0.4), 4)
    0.4899
    """
    moved, noise = _steps(sensitivity=sensitivity, sigma=sigma)
    with np.errstate(over="ignore", under="ignore"):  # the result is checked
        ratios = moved / noise
    return require_full_precision(math.hypot(*ratios) * (1 + 8 * UNIT))  # a division and hypot err by less than 3 units


@validated
def epsilon_of_steps(*, delta: float, sigma: Steps, sensitivity: Steps) -> float:
    """Return the least epsilon for which Gaussian releases of changing noise and sensitivity together are (epsilon, delta)-DP.

    Parameters
    ----------
    delta
        Above 0 and below 1.
    sigma, sensitivity
        As in `mu_of_steps`.

    Returns
    -------
    float
        The epsilon, rounded up; inf where it overflows.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Examples
    --------
    >>> C = np.linspace(2.0, 1.0, 100)  # a threshold that falls from step to step, n = 1000 records
    >>> round(lab.privacy.epsilon_of_steps(delta=1e-6, sigma=0.05, sensitivity=2 * C / 1000), 3)
    2.813
    """
    inside_unit(delta=delta)
    return epsilon_of_mu(mu_of_steps(sigma=sigma, sensitivity=sensitivity), delta)


@validated
def delta_of_steps(*, epsilon: float, sigma: Steps, sensitivity: Steps) -> float:
    """Return the least delta for which Gaussian releases of changing noise and sensitivity together are (epsilon, delta)-DP.

    Parameters
    ----------
    epsilon
        At least 0.
    sigma, sensitivity
        As in `mu_of_steps`.

    Returns
    -------
    float
        The delta, rounded up.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Examples
    --------
    >>> lab.privacy.delta_of_steps(epsilon=2.0, sigma=[1.0, 2.0], sensitivity=0.4) < 1e-6
    True
    """
    non_negative(epsilon=epsilon)
    return delta_of_mu(mu_of_steps(sigma=sigma, sensitivity=sensitivity), epsilon)


@validated
def sigma_of_steps(*, epsilon: float, delta: float, profile: Steps, sensitivity: Steps) -> npt.NDArray[np.float64]:
    """Return the least noise of a given profile over the steps for which all releases together are (epsilon, delta)-DP.

    Parameters
    ----------
    epsilon, delta
        Required privacy: epsilon > 0 and 0 < delta < 1.
    profile
        Relative noise of each release, above 0: an array (T,), or one number for all.
    sensitivity
        As in `mu_of_steps`.

    Returns
    -------
    array (T,)
        The least multiple of the profile, rounded up.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Examples
    --------
    >>> sigma = lab.privacy.sigma_of_steps(epsilon=2.0, delta=1e-6, profile=[1.0, 1.0, 2.0], sensitivity=0.01)
    >>> sigma.round(4)
    array([0.0335, 0.0335, 0.0669])
    >>> lab.privacy.epsilon_of_steps(delta=1e-6, sigma=sigma, sensitivity=0.01) <= 2.0
    True
    """
    moved, relative = _steps(sensitivity=sensitivity, profile=profile)
    mu = largest_mu(Budget(epsilon, delta))
    factor = mu_of_steps(sigma=relative, sensitivity=moved) / mu * (1 + 32 * UNIT)  # so that `mu_of_steps` of the result is at most mu
    sigma = factor * relative
    for one in (float(sigma.min()), float(sigma.max())):
        require_full_precision(one)
    return sigma


def _steps(**given: Steps) -> list[npt.NDArray[np.float64]]:
    """Return two schedules as arrays (T,) of one length; raise ValueError unless all numbers are finite and above 0."""
    arrays = {name: np.asarray(value, dtype=object) for name, value in given.items()}
    for name, array in arrays.items():
        if array.ndim > 1 or not array.size:
            raise ValueError(f"{name} has shape {array.shape}: a number, or an array (T,) with one for each step, is needed")
        for t, one in enumerate(array.ravel()):
            positive(**{f"{name}[{t}]" if array.ndim else name: one})
    lengths = {name: array.size for name, array in arrays.items() if array.ndim}
    if len({*lengths.values()}) != 1:
        said = " and ".join(f"{name} has {size} entries" for name, size in lengths.items()) or ", ".join(
            f"{name} = {short_repr(value)}" for name, value in given.items()
        )
        raise ValueError(f"{said}: arrays of one length are needed, or one array and a number")
    T = next(iter(lengths.values()))
    return [np.broadcast_to(array.astype(np.float64), (T,)) for array in arrays.values()]
