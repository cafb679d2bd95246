"""Objectives for methods in stages, with their constants: Lipschitz losses with known variation of samples, on a ball, with kinks, sparse.

They are called like those of `synthetic.objectives`, with a spectrum, d, n and a seed. An objective on a ball has its `radius` among its
constants, and these hold there only: a difference of a quadratic is the slope at its middle, so this L is enough for it. Constants with
`tuned` beside them also hold for the loss as a function of a part of the coordinates, the others fixed; `tuned` is the least share of
them. Slopes of samples lie along the unit vector u of entries sqrt(spectrum_j / sum). The first samples, all of them ("equal"), a half
("opposite") or 30 % ("two"), rounded, have slope 1. The others, if any, have the slope that makes the mean 0, -1 or -3/7.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from scipy.special import ndtr, ndtri

from synthetic.draws import FloatArray, data_generator
from synthetic.losses import matrices, stages, sums
from synthetic.memory import check_memory
from synthetic.objectives.space import Space
from synthetic.objectives.sums import Objective, Spectrum, spectrum_title, spectrum_values
from synthetic.validate import array_of, non_negative, one_of, positive, positive_integer, seed_integer, validated_strictly

Slopes = Literal["equal", "opposite", "two"]
SHARES = {"equal": 1.0, "opposite": 0.5, "two": 0.3}
MINIMUM = float(ndtri(2 / 3))  # where max(x, -2x), smoothed with radius 1, is least


@validated_strictly
def linear_slopes(spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, slopes: Slopes, steep: float = 1.0) -> Objective:
    """Make linear losses f(x; i) = steep s_i u'x, whose slopes s_i are equal, opposite, or of two sizes.

    The unit vector u has the entries sqrt(spectrum_j / sum of the spectrum).

    Parameters
    ----------
    spectrum
        Squared entries of u up to a factor, by name or as an array (d,), as in `quadratic`.
    d, n, seed
        Dimension of x, number of samples (at least 2, unless the slopes are equal), and a seed without effect: nothing is random.
    slopes
        "equal": all slopes are 1. "opposite": half of the slopes are 1, the others -1. "two": 30 % are 1, the others -3/7. Where n gives no
        such half or share, the number is rounded, and the other slopes are what makes the mean 0.
    steep
        Factor of all slopes, above 0.

    Returns
    -------
    Objective
        The objective, with start 0.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    With equal slopes F_S has no minimum, so gap = B = inf. Otherwise F_S is 0 everywhere, so gap = B = 0.

    Examples
    --------
    >>> train = lab.linear_slopes("flat", d=4, n=10, seed=0, slopes="two")
    >>> train.constants["L"], train.constants["gap"]
    (1.0, 0.0)
    """
    positive(steep=steep)
    one_of(tuple(SHARES), slopes=slopes)
    none = np.inf if slopes == "equal" else 0.0
    known = {"L": 0.0, "ell": 0.0, "gap": none, "B": none, "mu": 0.0, "growth_mu": 0.0}
    return _make_sloped_objective(f"linear, {slopes} slopes", spectrum, d, n, seed, slopes, known, steep=steep)


@validated_strictly
def ball_quadratic(
    spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, radius: float = 1.0, spread: float = 0.0, slopes: Slopes = "opposite",
    x0: FloatArray | None = None,
) -> Objective:  # fmt: skip
    """Make a quadratic f(x; i) = x' A x / 2 + s_i u'x on the ball |x| <= radius, with slopes s_i of mean 0.

    A = diag(spectrum), and the unit vector u has the entries sqrt(spectrum_j / sum of the spectrum). So F_S = x' A x / 2.

    Parameters
    ----------
    spectrum
        Eigenvalues of A, by name or as an array (d,), as in `quadratic`.
    d, n, seed
        Dimension of x, number of samples (at least 2), and a seed without effect: nothing is random.
    radius
        Radius of the ball. The constants hold on the ball only.
    spread
        Root mean square of the slopes, at least 0.
    slopes
        "opposite" or "two", as in `linear_slopes`.
    x0
        Start, an array (d,) of the ball. By default radius u.

    Returns
    -------
    Objective
        The objective, with ``radius`` among its constants.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name, such as a start outside the ball.

    Notes
    -----
    F_S and every smoothed F_S have their minimum at 0. The constants are L = (largest eigenvalue) radius + max |s_i|, growth_mu = (smallest
    eigenvalue) / 4, and tuned = 1/d: the others also hold if only a share of at least 1/d of the coordinates is tuned. A difference of a
    quadratic is the slope at its middle, so this L also bounds two-point differences between points of the ball.

    Examples
    --------
    >>> train = lab.ball_quadratic([0.1], d=1, n=10, seed=0, spread=(3 / 7) ** 0.5, slopes="two")  # slopes 1 and -3/7 on [-1, 1]
    >>> round(train.constants["L"], 12)
    1.1
    """
    positive(radius=radius)
    a = spectrum_values(spectrum, d)
    ell, least = float(a.max()), float(a.min())
    known = {"r": float(a.sum()) / ell, "L": ell * radius, "ell": ell, "B": ell * radius**2 / 2, "mu": least, "growth_mu": least / 4}
    start = radius * np.sqrt(a / a.sum()) if x0 is None else array_of((d,), x0=x0)
    if float(start @ start) > radius**2 * (1 + 1e-12):
        raise ValueError(f"x0: a point of the ball is needed, |x0| at most radius = {radius!r}")
    known |= {"gap": float(a @ start**2) / 2, "radius": radius, "tuned": 1 / d}
    return _make_sloped_objective("quadratic on a ball", spectrum, d, n, seed, slopes, known, spread=spread, a=a, x0=start)


@validated_strictly
def kinks(spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, spread: float = 0.0, x0: FloatArray | None = None) -> Objective:
    """Make a convex loss with kinks, f(x; i) = sum_j h_j max(x_j, -2 x_j) + s_i u'x, where h is the spectrum.

    The unit vector u has the entries sqrt(spectrum_j / sum of the spectrum). Half of the slopes s_i are positive, and their mean is 0.

    Parameters
    ----------
    spectrum
        The numbers h_j, by name or as an array (d,), as in `quadratic`.
    d, n, seed
        Dimension of x, number of samples (at least 2), and a seed without effect: nothing is random.
    spread
        Root mean square of the slopes, at least 0.
    x0
        Start, an array (d,). By default 1 in every coordinate.

    Returns
    -------
    Objective
        The objective; its minimum is 0, at 0.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    It is Lipschitz, L = 2 |h| + max |s_i|, and not smooth (ell = inf), since max(x, -2x) = (3 |x| - x) / 2.

    Examples
    --------
    >>> train = lab.kinks("flat", d=4, n=10, seed=0, spread=0.5)
    >>> train.constants["L"], train.constants["ell"]
    (4.5, inf)
    """
    _data_generator(seed, lambda: 3 * n * d, d=d, n=n)
    h = spectrum_values(spectrum, d)
    start = np.ones(d) if x0 is None else array_of((d,), x0=x0)
    gap = float(h @ np.maximum(start, -2 * start))
    known = {"L": 2 * float(np.sqrt(h @ h)), "ell": np.inf, "gap": gap, "B": np.inf, "mu": 0.0, "growth_mu": 0.0}
    return _make_sloped_objective("kinks", spectrum, d, n, seed, "opposite", known, spread=spread, h=h, x0=start)


@validated_strictly
def smoothed_kinks(spectrum: Spectrum | FloatArray, x: FloatArray, lam: float) -> tuple[float, FloatArray]:
    """Return the Gaussian smoothing E F(x + lam v), v ~ N(0, I), of the objective `kinks` at x (d,), and its gradient (d,).

    It is least where all entries of x are MINIMUM lam.
    """
    point = array_of((None,), x=x)
    positive(lam=lam)
    h, t = spectrum_values(spectrum, len(point)), point / lam
    folded = 2 * np.exp(-(t**2) / 2) / np.sqrt(2 * np.pi) + t * (2 * ndtr(t) - 1)  # E |t + v|
    return float(h @ (1.5 * lam * folded - 0.5 * point)), np.asarray(h * (1.5 * (2 * ndtr(t) - 1) - 0.5))


@validated_strictly
def smooth_glm(spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, x0: FloatArray | None = None) -> Objective:
    """Make a generalised linear model with the smooth loss f(x; a, b) = sqrt(1 + (a'x - b)^2), where |a| = 1 and b = a'x*.

    The entries of x* are independent N(0, 1). Before a is scaled to length 1 it is N(0, diag(spectrum)).

    Parameters
    ----------
    spectrum
        Variances of the entries of a, by name or as an array (d,), as in `quadratic`.
    d, n, seed
        Dimension of x, number of samples, seed of a and x*.
    x0
        Start, an array (d,). By default 0.

    Returns
    -------
    Objective
        The objective; its ``optimum`` is x*, where F_S = 1.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    With u = a'x - b the gradient is u / sqrt(1 + u^2) a and the Hessian (1 + u^2)^(-3/2) a a'. So L = ell = 1, and sample_spread is at most
    1. The Hessian of F_S is at most M, the mean of a a', which has trace 1 and largest eigenvalue m. Raised to 1 in its first direction it
    has trace 2 - m, so r = 2 - m.

    Examples
    --------
    >>> train = lab.smooth_glm("flat", d=4, n=10, seed=0)
    >>> train.value_and_gradient(train.optimum)[0], train.constants["L"]
    (1.0, 1.0)
    """
    rng = _data_generator(seed, lambda: 3 * n * (d + 1) + 4 * min(d, n) ** 2, d=d, n=n)
    a = rng.standard_normal((n, d)) * np.sqrt(spectrum_values(spectrum, d))
    a /= np.linalg.norm(a, axis=1, keepdims=True)
    target = rng.standard_normal(d)
    data = np.column_stack([a, a @ target])
    start = np.zeros(d) if x0 is None else array_of((d,), x0=x0)
    largest = float(np.linalg.eigvalsh(a.T @ a if d <= n else a @ a.T)[-1]) / n
    gap = float(np.mean(np.sqrt(1 + (a @ start - data[:, -1]) ** 2))) - 1
    known = {"r": max(1.0, 2 - largest), "L": 1.0, "ell": 1.0, "gap": gap, "B": np.inf, "mu": 0.0, "growth_mu": 0.0, "sample_spread": 1.0}
    return _make_objective(f"smooth GLM, {spectrum_title(spectrum)} spectrum", data, (0.0,), stages.ROOT, start, target, known)


@validated_strictly
def sparse_quadratic(
    spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, support: int, spread: float = 0.0, x0: FloatArray | None = None
) -> Objective:
    """Make a quadratic f(x; x_i) = (x - x_i)' A (x - x_i) / 2 with a sparse minimiser, whose entries are 1, -1 and 0.

    A = diag(spectrum). The mean of the samples x_i is the minimiser.

    Parameters
    ----------
    spectrum
        Eigenvalues of A, by name or as an array (d,), as in `quadratic`.
    d, n, seed
        Dimension of x, number of samples, seed of the minimiser and the samples.
    support
        Number of entries of the minimiser that are 1 or -1, at most d. Which these are, and their signs, is random.
    spread
        Root mean square of |A (x_i - minimiser)|, at least 0. Above 0 it needs n >= 2.
    x0
        Start, an array (d,). By default 0.

    Returns
    -------
    Objective
        The objective. It is not Lipschitz (L = inf).

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Examples
    --------
    >>> train = lab.sparse_quadratic("flat", d=8, n=10, seed=0, support=2, spread=0.5)
    >>> np.flatnonzero(train.optimum).size
    2
    """
    return drifting_quadratics(spectrum, d, n, seed, support=support, stages=1, moved=0, spread=spread, x0=x0)[0]


@validated_strictly
def drifting_quadratics(
    spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, support: int, stages: int, moved: int, spread: float = 0.0,
    x0: FloatArray | None = None,
) -> list[Objective]:  # fmt: skip
    """Return sparse quadratics, one for each stage; between stages `moved` entries of the minimiser move to new coordinates."""
    rng = _data_generator(seed, lambda: 3 * n * d, d=d, n=n, support=support, stages=stages)
    non_negative(spread=spread)
    if support > d or (spread and n == 1) or not 0 <= moved <= min(support, d - support):
        needed = f"support of at most d = {d}, moved of at most support and d - support, and n of at least 2 for a spread above 0"
        raise ValueError(f"support = {support}, moved = {moved}, n = {n}: {needed} are needed")
    a, truth, found = spectrum_values(spectrum, d), np.zeros(d), list[Objective]()
    truth[rng.choice(d, support, replace=False)] = rng.choice([-1.0, 1.0], support)
    away = rng.standard_normal((n, d)) if spread else np.zeros((n, d))
    away -= away.mean(axis=0)
    away *= spread / float(np.sqrt(np.mean(away**2 @ a**2))) if spread else 0.0
    start, ell, least = np.zeros(d) if x0 is None else array_of((d,), x0=x0), float(a.max()), float(a.min())
    known = {"r": float(a.sum()) / ell, "L": np.inf, "ell": ell, "B": np.inf, "mu": least, "growth_mu": least / 4}
    known |= {"sample_spread": spread, "tuned": 1 / d}
    for _ in range(stages):
        name, params = (
            f"sparse quadratic, {spectrum_title(spectrum)} spectrum, {support} of {d}",
            (a, truth, float(np.mean(away**2 @ a)) / 2),
        )
        gap = {"gap": float(a @ (start - truth) ** 2) / 2}
        found.append(replace(_make_objective(name, truth + away, params, sums.QUADRATIC, start, truth, known | gap), eigenvalues=a))
        old, new = (rng.choice(np.flatnonzero(one), moved, replace=False) for one in (truth != 0, truth == 0))
        truth = truth.copy()
        truth[new], truth[old] = truth[old], 0.0
    return found


@validated_strictly
def perceptron(spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, hidden: int, x0: FloatArray | None = None) -> Objective:
    """Make the cross-entropy loss -log softmax(V tanh(W a + b) + c)_y of a network with one hidden layer and two classes.

    The parameters are W (hidden, p), b, V (2, hidden) and c, so d = hidden (p + 3) + 2. Features a are independent N(0, spectrum_j). The
    class y is the one that another network, with random weights and without biases, gives to a.

    Parameters
    ----------
    spectrum
        Variances of the features, by name or as an array (p,), as in `quadratic`.
    d
        Number of parameters, hidden (p + 3) + 2 for some p of at least 1, which fixes p.
    n, seed
        Number of samples, seed of samples and start.
    hidden
        Number of hidden units.
    x0
        Start, an array (d,). By default W is N(0, 1/p), V is N(0, 1/hidden), and the biases b and c are 0.

    Returns
    -------
    Objective
        The objective. L and ell are inf: no constants are known.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name, such as a d that does not fit.

    Notes
    -----
    The minimiser is not known: ``optimum`` is the start, and gap is F_S there, an upper bound because F_S >= 0.

    Examples
    --------
    >>> train = lab.perceptron("flat", d=26, n=10, seed=0, hidden=4)
    >>> train.shape.shapes
    ((4, 3), (4,), (2, 4), (2,))
    """
    rng = _data_generator(seed, lambda: 3 * n * (d // hidden) + 4 * d, d=d, n=n, hidden=hidden)
    p = (d - 2) // hidden - 3
    if p < 1 or hidden * (p + 3) + 2 != d:
        raise ValueError(f"d = {d}: hidden (p + 3) + 2 is needed, p an integer from 1, such as {hidden * (max(p, 1) + 3) + 2}")
    shape = Space(((hidden, p), (hidden,), (2, hidden), (2,)))
    a = rng.standard_normal((n, p)) * np.sqrt(spectrum_values(spectrum, p))
    (W, V), (M, N) = ((rng.standard_normal((hidden, p)) / p**0.5, rng.standard_normal((2, hidden)) / hidden**0.5) for _ in range(2))
    data = np.column_stack([a, (np.tanh(a @ M.T) @ N.T).argmax(axis=1)])
    start = shape.flat([W, np.zeros(hidden), V, np.zeros(2)]) if x0 is None else array_of((d,), x0=x0)
    gap = float(matrices.network_value_gradient(start, data, (hidden, 2), np.empty(d)))
    known = {"L": np.inf, "ell": np.inf, "gap": gap, "B": np.inf, "mu": 0.0, "layers": 2}
    name = f"perceptron, {spectrum_title(spectrum)} spectrum, {hidden} hidden units"
    return replace(_make_objective(name, data, (hidden, 2), matrices.NETWORK, start, start, known), shape=shape)


def _data_generator(seed: int, floats: Callable[[], int], **sizes: int) -> np.random.Generator:
    """Return the random generator of the data; raise ValueError for sizes that are not allowed or data too large for memory."""
    positive_integer(**sizes)
    seed_integer(seed=seed)
    check_memory(8 * floats(), **sizes)
    return data_generator(seed)


def _make_sloped_objective(
    name: str, spectrum: Any, d: int, n: int, seed: int, slopes: str, known: dict[str, float], *, steep: float | None = None,
    spread: float = 0.0, a: FloatArray | None = None, h: FloatArray | None = None, x0: FloatArray | None = None,
) -> Objective:  # fmt: skip
    """Return the objective sum_j (a_j x_j^2 / 2 + h_j max(x_j, -2 x_j)) + steep s_i u'x of n samples i; a and h are 0 by default.

    The slopes s_i and u are those of the module's docstring, of root mean square `spread` without `steep`. `known`: without slopes.
    """
    _data_generator(seed, lambda: 3 * n * d, d=d, n=n)
    one_of(tuple(SHARES) if steep is not None else ("opposite", "two"), slopes=slopes)  # equal slopes have no mean of 0
    non_negative(spread=spread)
    values, ones = spectrum_values(spectrum, d), max(1, round(SHARES[slopes] * n))
    if slopes != "equal" and ones == n:
        raise ValueError(f"n = {n}: slopes = {slopes!r} needs at least 2 samples")
    u, s = np.sqrt(values / values.sum()), np.where(np.arange(n) < ones, 1.0, -ones / max(n - ones, 1))
    size, zero = spread / float(np.sqrt(np.mean(s**2))) if steep is None else steep, np.zeros(d)
    params = tuple(zero if one is None else one for one in (a, h, size * u if ones == n else None))
    known |= {"L": known["L"] + size * float(np.abs(s).max()), "sample_spread": float(size * np.std(s))}
    title = f"{name}, {spectrum_title(spectrum)} spectrum"
    return _make_objective(title, size * np.outer(s, u), params, stages.TILTED, zero if x0 is None else x0, zero, known)


def _make_objective(
    name: str, data: FloatArray, params: tuple[Any, ...], three: tuple[Any, Any, Any], start: FloatArray, best: FloatArray, known: Any
) -> Objective:
    """Return an objective of the functions (loss, gradient, value_gradient), with n, d and, if convex, weak = 0 among its constants."""
    constants = {"n": len(data), "d": len(start)} | ({"weak": 0.0} if "growth_mu" in known else {}) | known
    return Objective(f"{name}, d = {len(start)}", data, params, *three, x0=start, optimum=best, constants=constants)
