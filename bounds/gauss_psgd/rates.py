"""Rates in n, d and epsilon: reported earlier, claimed by Theorem 2, and provable.

Setting   N samples in the sampling term, N_p in the privacy term: N = N_p = n for Theorem 2, N = m n and N_p = sqrt(m) n for Theorem 3.
Method    (102) is alpha^2 = a alpha^(1/2)/kappa + b alpha/kappa^2 + c kappa/alpha^(5/2) + d kappa/alpha^5 with every absolute constant
          and logarithm 1; its root for the printed kappa (104) or for the best one. With A = N^(-1/3), B = (sqrt(d)/(N_p epsilon))^(2/5)
          and unit G, M, rho, U the best is max(A, B, A^(6/17) B^(10/17)).
Measure   the accuracy up to constants and logarithms: a scale, not a guarantee. `exponents` are exact local slopes of the root.
Source    Gauss-PSGD, introduction, (101) to (105), (119) to (121), Remark 4; reference [29] there: Liu, Ganesh, Oh, Thakurta.

The third term is above the others exactly for A^(11/10) < B < A^(6/7): there the rate does not follow with any kappa (`exponents`).
"""

import math
from dataclasses import dataclass
from typing import Any

from bounds.gauss_psgd.block import FLOATS, Functions
from bounds.gauss_psgd.fixed_point import Problem, find_root, least_point, printed_drift_limit
from bounds.validate import one_of, positive, real, validated

STEPS = ("printed", "exact_gradients")  # eta = sqrt(rho alpha)/ell^2, or eta = 1/ell as with exact gradients (reference [29])
LIMITS = ("printed", "best")


@dataclass(frozen=True)
class Rates:
    """Rates at a problem, with every constant and logarithm 1 but those of the problem.

    reference_29  N^(-1/3) + (sqrt(d)/(N_p epsilon))^(3/7) with unit constants, reported earlier; the paper says it is wrong
    theorem       (105), (121): (G U M/N)^(1/3) + G^(2/15) U^(2/5) M^(8/15) rho^(-1/15) (sqrt(d)/(N_p epsilon))^(2/5)
    provable      the same plus the third term that the best kappa leaves
    in_window     whether that third term is the largest
    printed_fails whether (104) leaves the fourth term of (103) above both of `theorem`
    """

    reference_29: float
    theorem: float
    provable: float
    in_window: bool
    printed_fails: bool


def rate_terms(v: Any, f: Functions = FLOATS) -> tuple[Any, Any, Any]:
    """Return the two terms of (105) or (121), and the third that the proof needs in addition.

    The third is the value at which the first and the fourth entry of (103) are equal, as functions of kappa.
    """
    power = f.power
    N, privacy = v.m * v.n, f.sqrt(v.d) / (f.sqrt(v.m) * v.n * v.epsilon)
    first = power(v.L * v.U * v.ell / N, 1, 3)
    second = power(v.L, 2, 15) * power(v.U, 2, 5) * power(v.ell, 8, 15) / power(v.rho, 1, 15) * power(privacy, 2, 5)
    sampling, difference = v.L**2 * v.U * f.sqrt(v.rho) / (v.ell**2 * N), v.ell**6 * v.U**2 * privacy**2 / v.rho
    return first, second, power(sampling * difference, 2, 17)  # (sampling/kappa)^(2/3) = (difference kappa)^(1/7)


def rates_at(problem: Problem) -> Rates:
    """Return the `Rates` at a problem: of reference [29], as Theorem 2 or 3 claims, and as provable with the best kappa."""
    first, second, third = rate_terms(problem)
    N, privacy = problem.m * problem.n, math.sqrt(problem.d) / (math.sqrt(problem.m) * problem.n * problem.epsilon)
    fourth = (problem.ell**6 * problem.U**2 * privacy**2 * printed_drift_limit(problem) / problem.rho) ** (1 / 7)
    return Rates(
        reference_29=N ** (-1 / 3) + privacy ** (3 / 7),
        theorem=first + second,
        provable=first + second + third,
        in_window=third > max(first, second),
        printed_fails=fourth > max(first, second) * (1 + 1e-12),  # equal to the second term where kappa is the second entry
    )


@dataclass(frozen=True)
class Balance:
    """The root of (102), and its slope d log accuracy / d log n for sqrt(d)/epsilon = n^p, all other letters fixed.

    weights are the shares of the four terms of (102) in accuracy^2.
    """

    accuracy: float
    drift_limit: float
    weights: tuple[float, ...]
    slope: float


@validated
def balance_terms(problem: Problem, *, p: float = 0.0, drift_limit: str = "best", step: str = "printed") -> Balance:
    """Return the root of (102) with constants and logarithms 1, and its exact slope in n.

    problem      its d and epsilon are used as they are; p only determines how they change with n in the slope
    drift_limit  "printed": (104), which is for the printed step; "best": the kappa that makes the root least
    step         "printed": eta = sqrt(rho alpha)/ell^2; "exact_gradients": eta = 1/ell
    The slope follows from implicit differentiation: with alpha^2 = sum of t_i, t_i = c_i n^(u_i) alpha^(v_i), it is
    sum t_i u_i / sum t_i (2 - v_i); a best kappa does not enter, since alpha does not change with it to first order.
    """
    one_of(LIMITS, drift_limit=drift_limit)
    one_of(STEPS, step=step)
    real(p=p)
    G, M, rho, U, m = problem.L, problem.ell, problem.rho, problem.U, problem.m
    N, privacy = m * problem.n, math.sqrt(problem.d) / (math.sqrt(m) * problem.n * problem.epsilon)
    positive(privacy=privacy)

    def parts(alpha: float, kappa: float) -> tuple[float, float, float, float]:
        eta = math.sqrt(rho * alpha) / M**2 if step == "printed" else 1 / M
        path, slow = U * eta / kappa, U / (eta * alpha**2)  # |T| and T
        return G**2 * path / N, (G * path * privacy) ** 2, M**2 * kappa * slow / N, M**2 * kappa * (slow * privacy) ** 2

    def limit(alpha: float) -> float:
        if drift_limit == "printed":
            return printed_drift_limit(problem)
        one = parts(alpha, 1.0)
        return least_point(one[0], one[1], one[2] + one[3])

    alpha = find_root(lambda alpha: 2 * math.log(alpha) - math.log(sum(parts(alpha, limit(alpha)))), 1e-3, 1.0)
    kappa = limit(alpha)
    found = parts(alpha, kappa)
    half = 0.5 if step == "printed" else 0.0  # eta = const alpha^half
    in_alpha = (half, 2 * half, -2 - half, -4 - 2 * half)
    in_kappa = (-1, -2, 1, 1)
    in_n = (-1.0, 2 * (p - 1), -1.0, 2 * (p - 1))
    bend = 0.0
    if drift_limit == "printed":
        bend = -0.5 if math.isclose(kappa, G**1.5 * math.sqrt(U * rho / N) / M**2.5, rel_tol=1e-12) else 0.8 * (p - 1)
    up = sum(t * (u + bend * k) for t, u, k in zip(found, in_n, in_kappa, strict=True))
    down = sum(t * (2 - v) for t, v in zip(found, in_alpha, strict=True))
    return Balance(alpha, kappa, tuple(t / sum(found) for t in found), up / down)


def largest_dimension(problem: Problem) -> float:
    """Return N^(6/13), N = sqrt(m) n epsilon: the largest d at which Algorithm 4's selection keeps the rate (Remark 4).

    Uses only the privacy part of the accuracy, (sqrt(d)/N)^(2/5); min(N^2, N^(6/13)) as printed is this for every N >= 1.
    """
    N = math.sqrt(problem.m) * problem.n * problem.epsilon
    return min(N**2, N ** (6 / 13))
