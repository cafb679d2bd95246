"""Objectives with the constants of methods in stages: Lipschitz losses with a known spread of the samples, on a ball, with kinks, sparse.

They are called as those of `synthetic.objectives`, with a spectrum, d, n and a seed. What lies on a ball has its `radius` among its
constants, and these are true there only. `u` below is the unit vector of entries sqrt(spectrum_j / sum), along which slopes of samples lie.
"""

from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
from scipy.special import ndtr, ndtri

from synthetic.draws import FloatArray, data_generator
from synthetic.kernels import losses, stage_losses
from synthetic.memory import room_for
from synthetic.objectives import Objective, Spectrum, _word, spectrum_values
from synthetic.space import matrices
from synthetic.validate import array_of, non_negative, one_of, positive, positive_integer, seed_integer, strict_door

Slopes = Literal["equal", "opposite", "two"]
SHARES = {"equal": 1.0, "opposite": 0.5, "two": 0.3}  # of the samples that have the slope 1; the others make the mean 0
MINIMUM = float(ndtri(2 / 3))  # of max(x, -2x) smoothed with radius 1


@strict_door
def linear_slopes(spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, slopes: Slopes, steep: float = 1.0) -> Objective:
    """Return f(x; i) = steep s_i u'x: s_i = 1 of all ("equal"), +-1 ("opposite"), or 1 of 30 % and -3/7 of the rest ("two").

    With slopes that are not equal F = 0 everywhere; where they are, F has no minimum, and gap = inf. A share of n that is no integer is
    rounded, and the other slope is what makes the mean 0. L is that of the steepest sample.
    """
    u, s = _slopes(spectrum, d, n, seed, slopes)
    positive(steep=steep)
    equal = slopes == "equal"
    data = steep * np.outer(s, u)
    mean = steep * u if equal else np.zeros(d)
    known = {"ell": 0.0, "gap": np.inf if equal else 0.0, "B": np.inf if equal else 0.0, "mu": 0.0, "growth_mu": 0.0}
    known |= {"L": steep * _largest(s), "sample_spread": 0.0 if equal else steep * float(np.sqrt(np.mean(s**2)))}
    name = f"linear, {slopes} slopes, {_word(spectrum)} spectrum, d = {d}"
    return _made(name, data, (np.zeros(d), mean), stage_losses.TILTED, np.zeros(d), np.zeros(d), known)


@strict_door
def ball_quadratic(
    spectrum: Spectrum | FloatArray,
    d: int,
    n: int,
    seed: int,
    *,
    radius: float = 1.0,
    spread: float = 0.0,
    slopes: Slopes = "opposite",
    x0: FloatArray | None = None,
) -> Objective:
    """Return f(x; i) = x' A x / 2 + a_i'x on the ball |x| <= radius, A = diag(spectrum), mean of a_i 0, root mean |a_i|^2 = spread.

    F = x' A x / 2: 0 is its minimiser, and that of every smoothed F; growth_mu = lambda_min / 4. The a_i lie along u, one of them of length
    a, L = lambda_max radius + a. The start is radius u unless given. spectrum = [0.1], d = 1, n a multiple of 10, radius = 1,
    spread = sqrt(3/7) and slopes = "two" is the problem of slopes 1 and -3/7 on [-1, 1], with L = 1.1.
    """
    u, s = _slopes(spectrum, d, n, seed, slopes)
    positive(radius=radius)
    non_negative(spread=spread)
    if spread and slopes == "equal":
        raise ValueError(f"slopes = {slopes!r}: equal slopes have the mean 0 for spread = 0 only; opposite or two is needed")
    size = spread / float(np.sqrt(np.mean(s**2)))
    a = spectrum_values(spectrum, d)
    start = radius * u if x0 is None else array_of((d,), x0=x0)
    if float(start @ start) > radius**2 * (1 + 1e-12):
        raise ValueError(f"x0: a point of the ball is needed, |x0| at most radius = {radius!r}")
    ell, least = float(a.max()), float(a.min())
    known = {"ell": ell, "gap": float(a @ start**2) / 2, "B": ell * radius**2 / 2, "mu": least, "growth_mu": least / 4}
    known |= {"r": float(a.sum()) / ell, "L": ell * radius + size * _largest(s), "sample_spread": spread, "radius": radius}
    name = f"quadratic on a ball, {_word(spectrum)} spectrum, d = {d}"
    return _made(name, size * np.outer(s, u), (a, np.zeros(d)), stage_losses.TILTED, start, np.zeros(d), known)


@strict_door
def kinks(spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, spread: float = 0.0, x0: FloatArray | None = None) -> Objective:
    """Return f(x; i) = sum_j h_j max(x_j, -2 x_j) +- spread u'x, h the spectrum: convex, Lipschitz, not smooth; the start is 1 everywhere.

    max(x, -2x) = (3 |x| - x) / 2 has the steepest slope -2, so L = 2 |h| + spread, to which an odd n adds a little.
    """
    u, s = _slopes(spectrum, d, n, seed, "opposite")
    non_negative(spread=spread)
    h = spectrum_values(spectrum, d)
    size = spread / float(np.sqrt(np.mean(s**2)))
    start = np.ones(d) if x0 is None else array_of((d,), x0=x0)
    known = {"ell": np.inf, "gap": float(h @ np.maximum(start, -2 * start)), "B": np.inf, "mu": 0.0, "growth_mu": 0.0}
    known |= {"L": 2 * float(np.sqrt(h @ h)) + size * _largest(s), "sample_spread": spread}
    name = f"kinks, {_word(spectrum)} spectrum, d = {d}"
    return _made(name, size * np.outer(s, u), (h, np.zeros(d)), stage_losses.KINKS, start, np.zeros(d), known)


@strict_door
def smoothed_kinks(spectrum: Spectrum | FloatArray, x: FloatArray, lam: float) -> tuple[float, FloatArray]:
    """Return E F(x + lam v), v ~ N(0, I), of the kinks, and its gradient (d,); it is least where all entries are MINIMUM lam."""
    point = array_of((None,), x=x)
    positive(lam=lam)
    h, t = spectrum_values(spectrum, len(point)), point / lam
    density = np.exp(-(t**2) / 2) / np.sqrt(2 * np.pi)
    value = 1.5 * lam * (2 * density + t * (2 * ndtr(t) - 1)) - 0.5 * point
    return float(h @ value), np.asarray(h * (1.5 * (2 * ndtr(t) - 1) - 0.5))


@strict_door
def smooth_glm(spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, x0: FloatArray | None = None) -> Objective:
    """Return f(x; a, b) = sqrt(1 + (a'x - b)^2), |a| = 1, b = a'x*, entries of x* independent N(0, 1), of a before it is scaled N(0, A).

    With u = a'x - b the gradient is u / sqrt(1 + u^2) a and the Hessian (1 + u^2)^(-3/2) a a', so L = ell = 1, F^* = 1 at x*, and the
    spread of the samples is at most 1. The Hessian of F is at most M, the mean of a a', of trace 1 and largest eigenvalue m; raised to 1 in
    its first direction it has trace 2 - m, so r = 2 - m.
    """
    positive_integer(d=d, n=n)
    seed_integer(seed=seed)
    room_for(24 * n * (d + 1) + 32 * min(d, n) ** 2, n=n, d=d)
    rng = data_generator(seed)
    a = rng.standard_normal((n, d)) * np.sqrt(spectrum_values(spectrum, d))
    a /= np.linalg.norm(a, axis=1, keepdims=True)
    target = rng.standard_normal(d)
    data = np.column_stack([a, a @ target])
    start = np.zeros(d) if x0 is None else array_of((d,), x0=x0)
    largest = float(np.linalg.eigvalsh(a.T @ a if d <= n else a @ a.T)[-1]) / n
    gap = float(np.mean(np.sqrt(1 + (a @ start - data[:, -1]) ** 2))) - 1
    known = {"r": max(1.0, 2 - largest), "L": 1.0, "ell": 1.0, "gap": gap, "B": np.inf, "mu": 0.0, "growth_mu": 0.0, "sample_spread": 1.0}
    return _made(f"smooth GLM, {_word(spectrum)} spectrum, d = {d}", data, (0.0,), stage_losses.ROOT, start, target, known)


@strict_door
def sparse_quadratic(
    spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, support: int, spread: float = 0.0, x0: FloatArray | None = None
) -> Objective:
    """Return f(x; x_i) = (x - x_i)' A (x - x_i) / 2, x_i around a truth that is +-1 on `support` coordinates, which are drawn, 0 elsewhere.

    The mean of x_i is the truth, the minimiser of F, and root mean |A (x_i - truth)|^2 = spread. It is not Lipschitz.
    """
    truth = _truth(d, seed, support)
    return _around(truth, spectrum, n, seed, spread, np.zeros(d) if x0 is None else array_of((d,), x0=x0))


@strict_door
def drifting(
    spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, support: int, stages: int, moved: int, spread: float = 0.0
) -> list[Objective]:
    """Return sparse quadratics by stage: from one to the next `moved` coordinates leave the support, for as many that were not in it."""
    truth = _truth(d, seed, support)
    positive_integer(stages=stages)
    if not 0 <= moved <= min(support, d - support):
        raise ValueError(f"moved = {moved!r}: from 0 to {min(support, d - support)} is needed, which support and d leave")
    rng, found = data_generator(seed + 2**40), list[Objective]()
    for _ in range(stages):
        found.append(_around(truth, spectrum, n, seed, spread, np.zeros(d)))
        away, to = (rng.choice(np.flatnonzero(one), moved, replace=False) for one in (truth != 0, truth == 0))
        truth = truth.copy()
        truth[to], truth[away] = truth[away], 0.0
    return found


@strict_door
def perceptron(spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, layers: int = 3, x0: FloatArray | None = None) -> Objective:
    """Return |W_L tanh(... tanh(W_1 a)) - y|^2 / (2 m) of square matrices of m rows, d = layers m^2.

    y is what a network W* makes of a. Entries of a are independent N(0, spectrum_j), those of W* and of the start N(0, 1/m). F^* = 0 at W*; neither Lipschitz nor smooth.
    """
    positive_integer(d=d, n=n, layers=layers)
    seed_integer(seed=seed)
    m = round((d / layers) ** 0.5)
    if layers * m * m != d:
        raise ValueError(f"d = {d}: layers m^2 is needed, such as {layers * max(m, 1) ** 2}, for layers = {layers} matrices of m rows")
    room_for(8 * (n * 2 * m + 4 * d), n=n, d=d)
    rng = data_generator(seed)
    a = rng.standard_normal((n, m)) * np.sqrt(spectrum_values(spectrum, m))
    shape = matrices(*[(m, m)] * layers)
    teacher, drawn = rng.standard_normal((2, d)) / np.sqrt(m)
    y = a
    for i, W in enumerate(shape.parts(teacher)):
        y = (np.tanh(y) if i else y) @ W.T
    data, params = np.column_stack([a, y]), (m, layers)
    start = drawn if x0 is None else array_of((d,), x0=x0)
    gap = float(stage_losses.perceptron_value_gradient(start, data, params, np.empty(d)))
    known = {"L": np.inf, "ell": np.inf, "gap": gap, "B": np.inf, "mu": 0.0, "layers": layers}
    name = f"perceptron, {_word(spectrum)} spectrum, {layers} x ({m}, {m})"
    return replace(_made(name, data, params, stage_losses.PERCEPTRON, start, teacher, known), shape=shape)


def _slopes(spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, slopes: Slopes) -> tuple[FloatArray, FloatArray]:
    """Return u (d,), and slopes (n,) whose mean is 0 unless they are equal; raise ValueError for what these cannot be."""
    positive_integer(d=d, n=n)
    seed_integer(seed=seed)
    one_of(get_args(Slopes), slopes=slopes)
    room_for(24 * n * d, n=n, d=d)
    values = spectrum_values(spectrum, d)
    ones = n if slopes == "equal" else max(1, round(SHARES[slopes] * n))
    if slopes != "equal" and ones == n:
        raise ValueError(f"n = {n}: at least 2 samples are needed, whose slopes {slopes!r} cancel")
    return np.sqrt(values / values.sum()), np.where(np.arange(n) < ones, 1.0, -ones / max(n - ones, 1))


def _largest(s: FloatArray) -> float:
    return float(np.abs(s).max())


def _truth(d: int, seed: int, support: int) -> FloatArray:
    """Return the truth (d,), +-1 on so many coordinates."""
    positive_integer(d=d, support=support)
    seed_integer(seed=seed)
    if support > d:
        raise ValueError(f"support = {support}: at most d = {d} is needed")
    rng, truth = data_generator(seed), np.zeros(d)
    truth[rng.choice(d, support, replace=False)] = rng.choice([-1.0, 1.0], support)
    return truth


def _around(truth: FloatArray, spectrum: Spectrum | FloatArray, n: int, seed: int, spread: float, start: FloatArray) -> Objective:
    """Return the quadratic of samples around a truth."""
    positive_integer(n=n)
    non_negative(spread=spread)
    d = len(truth)
    a = spectrum_values(spectrum, d)
    room_for(24 * n * d, n=n, d=d)
    away = np.zeros((n, d))
    if spread:
        if n == 1:
            raise ValueError("n = 1: at least 2 samples are needed for a spread above 0")
        away = data_generator(seed + 2**41).standard_normal((n, d))
        away -= away.mean(axis=0)
        away *= spread / float(np.sqrt(np.mean((away * a) ** 2 @ np.ones(d))))
    ell, gap = float(a.max()), float(a @ (start - truth) ** 2) / 2
    known = {"r": float(a.sum()) / ell, "L": np.inf, "ell": ell, "gap": gap, "B": np.inf, "mu": float(a.min())}
    known |= {"growth_mu": float(a.min()) / 4, "sample_spread": spread}
    mean_loss = float(np.mean(away**2 @ a)) / 2
    name = f"sparse quadratic, {_word(spectrum)} spectrum, {int(np.count_nonzero(truth))} of {d}"
    made = _made(name, truth + away, (a, truth, mean_loss), losses.QUADRATIC, start, truth, known)
    return replace(made, eigenvalues=a)


def _made(name: str, data: FloatArray, params: tuple[Any, ...], three: Any, x0: FloatArray, optimum: FloatArray, known: Any) -> Objective:
    """Return an objective with n, d and, of a convex one, weak = 0 among its constants."""
    sizes = {"n": len(data), "d": len(x0)} | ({"weak": 0.0} if "growth_mu" in known else {})
    return Objective(name, data, params, *three, x0=x0, optimum=optimum, constants=sizes | known)
