"""Exact second moments of the iterates on a quadratic when no sample is clipped, by a recursion over the steps.

Setting   F(x) = (x - mean)' A (x - mean) / 2 + const, A diagonal with eigenvalues a_1..a_d >= 0, e_t = x_t - mean. C clips nothing.
Method    dpzero     e+ = e - alpha (s + z) u,    s = u'A e,   z ~ N(0, sigma^2)
          dpgd_0th   e+ = e - alpha (s u + z),                 z ~ N(0, sigma^2 I)
          dp_gd      e+ = e - alpha (A e + z),                 z ~ N(0, sigma^2 I)
          mezo       dpzero with sigma = 0
          u uniform on the sphere of radius sqrt(d) (c = d / (d + 2) below) or u ~ N(0, I) (c = 1); s is the two-point difference
          of a quadratic, the same for every smoothing radius lambda.
Measure   E ||grad F(x_t)||^2 = sum_j a_j^2 m_j,   E F(x_t) - F* = sum_j a_j m_j / 2,   m_j = E e_j^2 at step t.
Lemma     m_j+ = (1 - 2 alpha a_j + 2 c alpha^2 a_j^2) m_j + alpha^2 (c sum_k a_k^2 m_k + sigma^2)     dpzero, dpgd_0th, mezo
          m_j+ = (1 - alpha a_j)^2 m_j + alpha^2 sigma^2                                               dp_gd
          `derive_recursion` expands the square and takes the expectations. No E e_k e_l with k != l enters, so the d moments close
          by themselves and a step costs O(d). dpzero's z u and dpgd_0th's z have the same covariance: at one and the same sigma
          the two have the same moments; they differ in the sigma that privacy requires.
Source    Zhang, Li, Thekumparampil, Oh, He, "DPZero", Algorithms 1 and 2, Lemma C.1 (iii); the recursion is ours.

The expectation is over directions and noise; the data, and with them `mean`, are fixed. A Gaussian sample is clipped with positive
probability at every finite C (computed in `bounds.moments.clipping`), so there the numbers are those of the unclipped method.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from bounds.memory import check_memory
from bounds.validate import float_array, non_negative, one_of, positive, positive_integer, short_repr, validated

Array = npt.NDArray[np.float64]

Direction = Literal["sphere", "gaussian"]
DIRECTIONS = get_args(Direction)
OUTPUTS = ("last", "uniform")


@dataclass(frozen=True)
class StepRule:
    """The step of a method: random directions with two-point differences, or the gradient; and where noise is added, "" for none."""

    two_point: bool
    noise: str


STEP_RULES = {
    "dpzero": StepRule(two_point=True, noise="along"),
    "dpgd_0th": StepRule(two_point=True, noise="everywhere"),
    "dp_gd": StepRule(two_point=False, noise="everywhere"),
    "mezo": StepRule(two_point=True, noise=""),
}
METHODS = tuple(STEP_RULES)
PRIVATE = tuple(name for name, moves in STEP_RULES.items() if moves.noise)


@validated
def expected_grad_norm_sq(
    method: str,
    *,
    eigenvalues: npt.ArrayLike,
    offset: npt.ArrayLike,
    alpha: float,
    T: int,
    sigma: float,
    direction: Direction = "sphere",
    shift: npt.ArrayLike | None = None,
) -> Array:
    """Return the expected squared gradient norm E |grad F(x_t)|^2 of a run on a quadratic without clipping, for t = 0..T.

    The expectation is over directions and noise. The data are fixed, and no run is simulated: a recursion gives the exact value.

    Parameters
    ----------
    method
        "dpzero", "dpgd_0th", "dp_gd" or "mezo".
    eigenvalues
        Eigenvalues of the Hessian A, an array (d,) of numbers of at least 0.
    offset
        Start minus minimiser, an array (d,) in the basis of the eigenvectors.
    alpha
        Step size, above 0.
    T
        Number of steps.
    sigma
        Standard deviation per coordinate of the noise on the mean over the batch, at least 0; 0 for mezo.
    direction
        Distribution of the directions: "sphere" (radius sqrt(d)) or "gaussian".
    shift
        Minimiser of the training set minus that of a test set, an array (d,). With it, the gradient is that of the test set, which has the
        same Hessian.

    Returns
    -------
    array (T+1,)
        The expectations. From the first one on that is too large for float64, the entries are inf.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    The recursion of the second moments stands in the docstring of `bounds.moments`. It is the lab's own, for Algorithms 1 and 2 of DPZero,
    with Lemma C.1 (iii). The relative rounding error at step t is a few t 2^-53; with a shift, it is relative to the largest term. Clipping
    is not part of it. `bounds.moments.clipping` computes how likely a sample is clipped.

    Examples
    --------
    >>> lab.expected_grad_norm_sq("dpzero", eigenvalues=[1.0, 0.5], offset=[1.0, -1.0], alpha=0.1, T=2, sigma=0.1).round(4)
    array([1.25  , 1.0436, 0.873 ])
    """
    a, e = check_quadratic(eigenvalues=eigenvalues, offset=offset)
    return _expected_path(method, lambda a: a * a, a, e, shift, alpha=alpha, T=T, sigma=sigma, direction=direction)


@validated
def expected_gap(
    method: str,
    *,
    eigenvalues: npt.ArrayLike,
    offset: npt.ArrayLike,
    alpha: float,
    T: int,
    sigma: float,
    direction: Direction = "sphere",
    shift: npt.ArrayLike | None = None,
) -> Array:
    """Return the expected gap E F(x_t) - min F of a run on a quadratic without clipping, for t = 0..T.

    Parameters
    ----------
    method, eigenvalues, offset, alpha, T, sigma, direction, shift
        As for `expected_grad_norm_sq`. With a shift, F is the loss of the test set and min F its minimum.

    Returns
    -------
    array (T+1,)
        The expectations. From the first one on that is too large for float64, the entries are inf.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    As for `expected_grad_norm_sq`.

    Examples
    --------
    >>> lab.expected_gap("dp_gd", eigenvalues=[1.0, 0.5], offset=[1.0, -1.0], alpha=0.1, T=2, sigma=0.1).round(4)
    array([0.75  , 0.6307, 0.5318])
    """
    a, e = check_quadratic(eigenvalues=eigenvalues, offset=offset)
    return _expected_path(method, lambda a: a / 2, a, e, shift, alpha=alpha, T=T, sigma=sigma, direction=direction)


@validated
def second_moments(
    method: str, *, eigenvalues: npt.ArrayLike, offset: npt.ArrayLike, alpha: float, T: int, sigma: float, direction: Direction = "sphere"
) -> Array:
    """Return E (x_T - mean)_j^2 for every coordinate j, (d,), by the recursion of the module docstring, step by step."""
    a, e = check_quadratic(eigenvalues=eigenvalues, offset=offset)
    _check_run(method, alpha=alpha, T=T, sigma=sigma, direction=direction)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        decay, couple = coefficients(method, a, alpha=float(alpha), d=a.size, direction=direction)
        noise, m = (alpha * sigma) * (alpha * sigma), e * e
        for _ in range(T):
            m = (1 - decay) * m + couple * ((a * a) @ m) + noise
    return np.where(np.isfinite(m), m, np.inf)


@validated
def mean_offset(*, eigenvalues: npt.ArrayLike, offset: npt.ArrayLike, alpha: float, t: int) -> Array:
    """Return E x_t - mean = (1 - alpha A)^t (x_0 - mean), (d,), which is the same for all methods."""
    a, e = check_quadratic(eigenvalues=eigenvalues, offset=offset)
    positive(alpha=alpha)
    positive_integer(t=t)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        moved: Array = e * (1 - alpha * a) ** t
    return np.where(e == 0, 0.0, moved)


def at_output(path: npt.ArrayLike, output: str) -> float:
    """Return the value of a path (T+1,) at the output of the algorithm: x_T ("last") or x_tau, tau uniform on 0..T-1 ("uniform").

    path (T+1,)   one value per iterate; the average over x_tau excludes the last.
    """
    one_of(OUTPUTS, output=output)
    values = float_array("path", path)
    if values.ndim != 1 or values.size < 2:
        raise ValueError(f"path has shape {values.shape}: one value for each of x_0..x_T, T at least 1, is needed")
    with np.errstate(over="ignore"):
        return float(values[-1] if output == "last" else np.mean(values[:-1]))


def check_quadratic(*, eigenvalues: npt.ArrayLike, offset: npt.ArrayLike) -> tuple[Array, Array]:
    """Check eigenvalues and offset of a quadratic and return them as float64 vectors (d,); raise ValueError otherwise."""
    a, e = float_array("eigenvalues", eigenvalues), float_array("offset", offset)
    if a.ndim != 1 or a.size == 0 or not np.all(np.isfinite(a)) or np.any(a < 0):
        raise ValueError(f"eigenvalues = {short_repr(eigenvalues)}: a non-empty vector of finite numbers of at least 0 is needed")
    if e.shape != a.shape or not np.all(np.isfinite(e)):
        raise ValueError(f"offset = {short_repr(offset)}: a vector of {a.size} finite numbers, one per eigenvalue, is needed")
    return a, e


def group_eigenvalues(eigenvalues: Array, offset: Array, *others: Array) -> tuple[Array, ...]:
    """Group equal eigenvalues; return the distinct ones above 0, rising, their counts, and the sums of offset_j^2 over each group.

    Each is an array (groups,). For each of `others`, the sums of offset_j times its entries follow.
    """
    felt = eigenvalues > 0
    distinct, group, count = np.unique(eigenvalues[felt], return_inverse=True, return_counts=True)
    return distinct, count.astype(float), *(np.bincount(group, weights=offset[felt] * one[felt]) for one in (offset, *others))


def fourth_moment(direction: Direction, d: int) -> float:
    """Return c = E u_j^2 u_k^2 for j != k, a third of E u_j^4 (Lemma C.1 (iii); 1 for Gaussian directions)."""
    one_of(DIRECTIONS, direction=direction)
    return d / (d + 2) if direction == "sphere" else 1.0


def coefficients(method: str, a: Array, *, alpha: float, d: int, direction: Direction) -> tuple[Array, float]:
    """Return (decay, couple) of m+ = (1 - decay) m + couple sum_k a_k^2 m_k + alpha^2 sigma^2, decay like a."""
    if not STEP_RULES[method].two_point:
        return alpha * a * (2 - alpha * a), 0.0
    c = fourth_moment(direction, d)
    return 2 * alpha * a * (1 - c * alpha * a), c * alpha * alpha


def _check_run(method: str, *, alpha: float, T: int, sigma: float, direction: Direction) -> None:
    """Check that method, direction, alpha, T and sigma are allowed, and sigma is 0 for a method without noise; else ValueError."""
    one_of(METHODS, method=method)
    one_of(DIRECTIONS, direction=direction)
    positive(alpha=alpha)
    positive_integer(T=T)
    check_memory(8 * (T + 1), T=T)
    non_negative(sigma=sigma)
    if sigma != 0 and not STEP_RULES[method].noise:
        raise ValueError(f"sigma = {sigma!r}: {method} adds no noise; sigma = 0 is needed")


def _expected_path(
    method: str, weight: Callable[..., Array], a: Array, e: Array, shift: Any, *, alpha: float, T: int, sigma: float, direction: Direction
) -> Array:
    """Return sum_j weight(a_j) E (e_t + shift)_j^2 for t = 0..T, (T+1,).

    Coordinates of equal eigenvalue are added up first, so a flat spectrum costs one number a step; those with eigenvalue 0 have no effect.
    """
    _check_run(method, alpha=alpha, T=T, sigma=sigma, direction=direction)
    b = np.zeros_like(e) if shift is None else float_array("shift", shift)
    if b.shape != a.shape or not np.all(np.isfinite(b)):
        raise ValueError(f"shift = {shift!r}: a vector of {a.size} finite numbers, one per eigenvalue, is needed")

    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        distinct, size, m, cross = group_eigenvalues(a, e, b)
        if distinct.size == 0:
            return np.zeros(T + 1)
        w = weight(distinct)
        constant = float(weight(a[a > 0]) @ (b[a > 0] * b[a > 0]))
        decay, couple = coefficients(method, distinct, alpha=float(alpha), d=a.size, direction=direction)
        shrink, drift = 1 - decay, 1 - alpha * distinct
        noise = (alpha * sigma) * (alpha * sigma)
        moved = bool(np.any(cross != 0))
        measure_and_norm = np.stack([w, distinct * distinct])

        values = np.full(T + 1, np.inf)
        for t in range(T + 1):
            value, grad_norm_sq = (measure_and_norm @ m).tolist()
            value += constant
            if moved:
                value = max(value + 2 * float(w @ cross), 0.0)  # below 0 only by rounding
                cross *= drift
            if not isfinite(value):
                break  # inf - inf and 0 inf are nan; the true value is beyond float64 as well
            values[t] = value
            m *= shrink
            m += (couple * grad_norm_sq + noise) * size
    return values


@dataclass(frozen=True)
class Recursion:
    """Coefficients of m_j+ = E e_j+^2 as SymPy expressions; k, l are any two other coordinates.

    own     of E e_j^2;   other   of E e_k^2;   crosses   of E e_j e_k and of E e_k e_l;   noise   the constant
    """

    own: Any
    other: Any
    crosses: tuple[Any, Any]
    noise: Any


def direction_moment(powers: Sequence[int], *, d: Any, direction: Direction = "sphere") -> Any:
    """Return E u_1^p_1 u_2^p_2 ... of a random direction for the exponents `powers`, as a SymPy expression in d.

    A Gaussian w has the independent length |w| and direction u = sqrt(d) w / |w|, so with p the sum of the powers
    E prod w_i^p_i = E (|w| / sqrt(d))^p E prod u_i^p_i, where E |w|^p = d (d + 2) ... (d + p - 2).
    """
    import sympy as sp  # here: importing SymPy takes longer than any recursion above

    one_of(DIRECTIONS, direction=direction)
    if any(power % 2 for power in powers):
        return sp.Integer(0)  # by the symmetry u_i -> -u_i
    gaussian = sp.prod([sp.factorial2(power - 1) for power in powers])
    half = sum(powers) // 2
    if direction == "gaussian":
        return gaussian
    return sp.factor(gaussian * d**half / sp.prod([d + 2 * i for i in range(half)]))


def derive_recursion(method: str, *, direction: Direction = "sphere") -> Recursion:
    """Derive the coefficients of the recursion: expand E (e_j - alpha step_j)^2 with SymPy and return them.

    The result is in the glossary's d, alpha, sigma and symbols a_j, a_k, a_l. Three coordinates are the general case, with missing ones at
    0 if d < 3: a term of the square has at most two of the e's, hence at most two coordinates besides j, and u is exchangeable.
    """
    import sympy as sp

    from bounds.symbols import alpha, d, sigma

    one_of(METHODS, method=method)
    one_of(DIRECTIONS, direction=direction)
    u, e, a = sp.symbols("u_j u_k u_l", real=True), sp.symbols("e_j e_k e_l", real=True), sp.symbols("a_j a_k a_l", nonnegative=True)
    z = sp.Symbol("z", real=True)
    s = sum(ui * ai * ei for ui, ai, ei in zip(u, a, e, strict=True))
    moves = STEP_RULES[method]
    step = (s * u[0] if moves.two_point else a[0] * e[0]) + {"along": z * u[0], "everywhere": z, "": 0}[moves.noise]

    moments: dict[tuple[int, ...], Any] = {}
    for powers, coefficient in sp.Poly(sp.expand((e[0] - alpha * step) ** 2), *u, z, *e).terms():
        of_u, of_z, of_e = powers[:3], powers[3], powers[4:]
        noise = 0 if of_z % 2 else sigma**of_z  # z is at most squared
        expectation = direction_moment(of_u, d=d, direction=direction) * noise * coefficient
        moments[of_e] = sp.factor(moments.get(of_e, 0) + expectation)

    asked = ((2, 0, 0), (0, 2, 0), (1, 1, 0), (0, 1, 1), (0, 0, 0))
    own, other, near, far, constant = (moments.get(of_e, sp.Integer(0)) for of_e in asked)
    return Recursion(own, other, (near, far), constant)
