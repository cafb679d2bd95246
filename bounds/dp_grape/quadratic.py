"""Exact expectations of DP-GRAPE on matrix quadratics without clipping, and the best number of steps at a privacy budget.

Setting   F(W) = 1/2 tr(K E'H E), E = W - W^*, H (m, m) and K (n, n) symmetric with eigenvalues h_i, k_j >= 0; full batches, no clipping.
Method    E+ = E - alpha (P P'G + P Z), G = H E K, Z of std sigma: Algorithm 1 with F = 1 and SGD, "left" or "orthonormal"; Algorithm 6,
          "flattened", on vec(E); DP-SGD, "none". P is fresh in every step, see `bounds.dp_grape.moments`.
Measure   E F(W_t) = 1/2 sum h_i k_j M_ij and E ||grad F(W_t)||_F^2 = sum h_i^2 k_j^2 M_ij, with M_ij = E E_ij^2 in the eigenbases.
Lemma     With E PP'HPP' = own H + shared Tr(H) I and l_ij = h_i k_j,
          M_ij+ = (1 - 2 alpha l_ij + alpha^2 own l_ij^2) M_ij + alpha^2 shared sum_i' l_i'j^2 M_i'j + alpha^2 sigma^2;
          "flattened" the sum runs over all entries. Where all l_ij are h this is, summed up, with the stretch of the projection,
          M+ = (1 - 2 alpha h + alpha^2 h^2 stretch) M + alpha^2 sigma^2 d:
          mean-square stable for alpha h < 2/stretch, with the floor alpha sigma^2 d/(h (2 - alpha h stretch)).
Source    ours.
"""

from dataclasses import dataclass
from math import exp, inf, isfinite, sqrt
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from bounds.dp_grape.moments import Projection, moment_coefficients
from bounds.memory import check_memory
from bounds.validate import float_array, fraction, non_negative, one_of, positive, positive_integer, short_repr, validated

Array = npt.NDArray[np.float64]
Given = npt.ArrayLike
Measure = Literal["gap", "grad_norm_sq"]
MEASURES = get_args(Measure)


@validated
def expected_error(
    method: Projection, *, rows: Given, columns: Given, start: Given, r: int, alpha: float, T: int, sigma: float, measure: Measure = "gap"
) -> Array:
    """Return E F(W_t) - F^* ("gap") or E ||grad F(W_t)||_F^2 of unclipped DP-GRAPE on a matrix quadratic, t = 0..T, as (T+1,).

    method      "left", "flattened", "orthonormal" or "none" (DP-SGD), as in `moments.stretch`
    rows (m,)   eigenvalues of H;   columns (n,)   those of K: ones where F has none
    start       W_0 - W^* in the eigenbases, (m, n), or (layers, m, n) for equal layers, each with a projection of its own
    sigma       noise per coordinate on the mean over the batch, in the projected space
    A step takes O(distinct h_i times distinct k_j), and no loop where all l_ij are equal. Values beyond float64 are inf.
    """
    one_of(MEASURES, measure=measure)
    positive(alpha=alpha)
    positive_integer(T=T)
    non_negative(sigma=sigma)
    check_memory(8 * (T + 1), T=T)
    rate, second, count, share = _group_entries(method, rows, columns, start)
    own, shared = map(float, moment_coefficients(method, rows=np.size(rows), columns=np.size(columns), r=r))
    values = np.full(T + 1, inf)
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        weight = rate / 2 if measure == "gap" else rate**2
        drop, couple, gain = alpha * rate * (2 - alpha * own * rate), alpha**2 * shared * share, (alpha * sigma) ** 2 * count
        if rate.size == 1:  # geometric: a step multiplies by 1 - lost
            lost, t = min(1.0, float(drop[0, 0] - couple[0, 0] * rate[0, 0] ** 2)), np.arange(T + 1)
            summed = t / 1.0 if lost == 0 else np.where(t == 0, 0.0, -np.expm1(t * np.log1p(-lost)) / lost)
            values = weight[0, 0] * (second[0, 0] * (1 - lost) ** t + gain[0, 0] * summed)
        for step in range(T + 1 if rate.size > 1 else 0):
            values[step] = (weight * second).sum()
            if not isfinite(values[step]):
                break
            second = second - drop * second + couple * (rate**2 * second).sum(axis=0) + gain
    return np.where(np.maximum.accumulate(~np.isfinite(values)), inf, values)


@validated
def effective_stretch(method: Projection, *, rows: Given, columns: Given, r: int) -> float:
    """Return own + shared Tr(H)/||H||: the stretch with the effective rank of the projected side instead of its size."""
    h, k = _check_eigenvalues("rows", rows), _check_eigenvalues("columns", columns)
    own, shared = moment_coefficients(method, rows=h.size, columns=k.size, r=r)
    rank = h.sum() / h.max() * (k.sum() / k.max() if method == "flattened" else 1)
    return float(own) + float(shared) * float(rank)


@dataclass(frozen=True)
class BestT:
    """The best T at a step size alpha; `value` is the average of E ||grad F||^2 over t < T, with the noise `sigma` of T steps."""

    method: str
    alpha: float
    T: int
    sigma: float
    value: float


@validated
def best_T(
    method: Projection, *, rows: Given, columns: Given, start: Given, r: int, unit: float, share: float = 0.2, T_max: int = 10**7
) -> BestT:
    """Return the `BestT` of least average E ||grad F||^2 over t < T, if T steps need the noise sigma = unit sqrt(T).

    unit    sensitivity/mu for mu-GDP, exactly; 2 c_2 C sqrt(log(1/delta))/(n epsilon) in the form of Lemma D.9
    share   alpha ||H|| ||K|| times the effective stretch: the step size as a share of the largest useful one
    The minimum is global: the part of the average that is due to noise grows with T, and at the last T tried it exceeds the minimum found;
    otherwise ValueError is raised.
    """
    positive(unit=unit)
    fraction(share=share)
    positive_integer(T_max=T_max)
    top, begun = float(_check_eigenvalues("rows", rows).max() * _check_eigenvalues("columns", columns).max()), float_array("start", start)
    alpha, horizon = share / top / effective_stretch(method, rows=rows, columns=columns, r=r), 1
    known: dict[str, Any] = {"rows": rows, "columns": columns, "r": r, "alpha": alpha, "measure": "grad_norm_sq"}
    while horizon < T_max:
        horizon = min(max(1024, 2 * horizon), T_max)
        steps = np.arange(1, horizon + 1)
        plain, of_one = (
            np.cumsum(expected_error(method, **known, start=one, T=horizon, sigma=std)[:-1]) / steps
            for one, std in ((begun, 0.0), (0 * begun, 1.0))
        )
        noise = unit**2 * steps * of_one
        at = int(np.argmin(plain + noise))
        value = float(plain[at] + noise[at])
        if noise[-1] > value:
            return BestT(method, alpha, at + 1, unit * sqrt(at + 1), value)
    raise ValueError(f"T_max = {short_repr(T_max)}: a larger number is needed, the best T may lie beyond it")


@validated
def small_step_limit(*, rows: Given, columns: Given, start: Given, unit: float) -> tuple[float, float]:
    """Return (tau, value): the least average E ||grad F||^2 over the path as alpha -> 0, and the tau = alpha T that attains it.

    Where alpha -> 0 at one tau, M_ij(s) decays like exp(-2 l_ij s) and gains unit^2 tau per unit of s: own, shared and r drop out.
    """
    positive(unit=unit)
    rate, second, count, _ = (one.ravel() for one in _group_entries("none", rows, columns, start))
    rate, second, count = (one[rate > 0] for one in (rate, second, count))

    def value(log_tau: float) -> float:
        tau = exp(log_tau)
        kept = -np.expm1(-2 * rate * tau) / (2 * rate * tau)
        return float((rate**2 * second) @ kept + unit**2 * tau * ((rate * count / 2) @ (1 - kept)))

    from scipy.optimize import minimize_scalar  # here: nothing else in this module needs it

    middle = np.log(sqrt(float(rate @ second) / float(rate @ count)) / unit)  # where the noise of a path that does not decay balances
    if not isfinite(middle):
        raise ValueError(f"unit = {short_repr(unit)}: a less extreme number is needed, with a start that is not 0 where there is curvature")
    grid = middle + np.linspace(-7, 7, 241)
    at = min(max(int(np.argmin([value(one) for one in grid])), 1), 239)
    found = minimize_scalar(value, bounds=(grid[at - 1], grid[at + 1]), method="bounded", options={"xatol": 1e-8})
    return exp(float(found.x)), float(found.fun)


def _check_eigenvalues(name: str, given: Given) -> Array:
    """Check that eigenvalues are finite, at least 0 and not all 0, and return them as a float64 vector; ValueError otherwise."""
    found = float_array(name, given)
    if found.ndim != 1 or not found.size or not np.all(np.isfinite(found)) or found.min() < 0 or found.max() == 0:
        raise ValueError(f"{name} = {short_repr(given)}: a vector of finite numbers of at least 0, not all of them 0, is needed")
    return found


def _group_entries(method: str, rows: Given, columns: Given, start: Given) -> tuple[Array, Array, Array, Array]:
    """Group equal eigenvalues: return l_ij of distinct h_i and k_j, sums of M_ij over each group, group sizes, and counts of h_i.

    l_ij, sums and sizes are (groups of h, groups of k), the last array is (groups of h, 1). "flattened" has one column, of all h_i k_j.
    """
    h, k, begun = _check_eigenvalues("rows", rows), _check_eigenvalues("columns", columns), float_array("start", start)
    if begun.ndim not in (2, 3) or begun.shape[-2:] != (h.size, k.size) or not begun.size or not np.all(np.isfinite(begun)):
        raise ValueError(f"start has shape {begun.shape}: finite numbers, {(h.size, k.size)} or with one more axis in front, are needed")
    with np.errstate(over="ignore"):  # inf, which values beyond float64 are
        squares, layers = (begun.reshape(-1, h.size, k.size) ** 2).sum(axis=0), begun.size // (h.size * k.size)
    if method == "flattened":
        h, k, squares = np.outer(h, k).ravel(), np.ones(1), squares.reshape(-1, 1)
    (h, i, many), (k, j, wide) = (np.unique(one, return_inverse=True, return_counts=True) for one in (h, k))
    second = np.zeros((h.size, k.size))
    np.add.at(second, (i[:, None], j[None, :]), squares)
    return np.outer(h, k), second, layers * np.outer(many, wide).astype(float), many[:, None].astype(float)
