"""Algorithm 4, the private selection of an iterate by its gradient and Hessian: thresholds and noise, as printed and as proved.

Setting   m clients, client j with n held-out samples; gradients of norm at most L, Hessians of norm at most ell (the paper's G, M).
          Neighbours differ in one replaced record of one client; all 2 T releases of that client count (Definition 4).
Method    each client adds N(0, c_1 L^2 T log(1/delta)/(n epsilon)^2 I) to its mean gradient and a symmetric matrix with entries
          N(0, c_2 ell^2 d T log(1/delta)/(n epsilon)^2) on and above the diagonal to its mean Hessian; the server averages.
Measure   the allowances that are added to accuracy and sqrt(rho accuracy) in the two tests.
Source    Gauss-PSGD, Algorithm 4, Theorem 4, (123) to (126); constants where the paper has none: see `proved`.

Sensitivities: 2 L/n for the mean gradient; 2 ell sqrt(d)/n for the mean Hessian in Frobenius norm (2 ell/n in operator norm), which is
at least the Euclidean norm of the entries on and above the diagonal. So c_1 = c_2 for any accounting.
"""

import math
from dataclasses import dataclass
from typing import Any

from bounds import privacy
from bounds.gauss_psgd.block import FLOATS, Functions
from bounds.gauss_psgd.fixed_point import Problem, gaussian_constant
from bounds.validate import fraction, inside_unit, make_check, one_of, positive, positive_integer, validated

ACCOUNTANTS = ("printed", "lemma16", "zcdp", "exact")
check_problem = make_check("a Problem(n=..., d=..., epsilon=..., ...)", lambda value: isinstance(value, Problem))


@dataclass(frozen=True)
class Selection:
    """Noise and tests of Algorithm 4.

    sigma_gradient, sigma_hessian   standard deviation per entry of each client's noise, before averaging
    gradient, hessian               an iterate passes if its noisy gradient norm is at most `gradient` and the least eigenvalue of its
                                    noisy Hessian is at least -`hessian`
    constant                        the c_1 = c_2 of this noise
    """

    sigma_gradient: float
    sigma_hessian: float
    gradient: float
    hessian: float
    constant: float


@validated
def noise_constant(accountant: str, *, epsilon: float, delta: float, T: int) -> float:
    """Return the c_1 = c_2 of Algorithm 4 with which an accountant makes a client's 2 T releases (epsilon, delta)-DP.

    accountant  "printed": 8 log(1.25/delta)/log(1/delta), Definition 8 for one release, T times its variance: need not be private
                "lemma16": what the paper cites, Lemma 16 with Definition 8 for each of 2 T releases; it grows with T
                "zcdp": epsilon = z + 2 sqrt(z log(1/delta)) (Bun, Steinke 2016, Prop. 1.3) with z spread over 2 T releases
                "exact": the Gaussian trade-off of all 2 T releases (`bounds.privacy`), the least that is private
    """
    one_of(ACCOUNTANTS, accountant=accountant)
    positive(epsilon=epsilon)
    inside_unit(delta=delta)
    positive_integer(T=T)
    log = -math.log(delta)  # 1 / delta leaves floating point below 1e-308
    if accountant == "printed":
        return gaussian_constant(delta)
    if accountant == "lemma16":  # epsilon_0 = epsilon/(2 sqrt(4 T log(2/delta))), delta_0 = delta/(4 T)
        return 128 * (math.log(2) + log) * (math.log(5 * T) + log) / log
    if accountant == "zcdp":
        z = (epsilon / (math.sqrt(log + epsilon) + math.sqrt(log))) ** 2
        return 4 * epsilon**2 / (z * log)
    return 8 * epsilon**2 / (privacy.mu_gaussian(epsilon, delta) ** 2 * log)


def noise_scales(*, n: Any, d: Any, epsilon: Any, delta: Any, L: Any, ell: Any, T: Any, constant: Any) -> tuple[float, float]:
    """Return the noise deviations (gradient, Hessian) per entry of a client's mean gradient and mean Hessian."""
    unit = math.sqrt(constant * T * -math.log(delta)) / (n * epsilon)
    return unit * L, unit * ell * math.sqrt(d)


def printed_allowances(
    *, n: Any, d: Any, epsilon: Any, delta: Any, L: Any, ell: Any, T: Any, m: Any, omega: Any, functions: Functions = FLOATS
) -> tuple[Any, Any]:
    """Return the printed allowances (gradient, Hessian) for sampling and noise in the two tests of Algorithm 4."""
    sqrt, log = functions.sqrt, functions.log
    unit = sqrt(T * log(1 / delta)) / (sqrt(m) * n * epsilon)
    gradient = L * log(8 * d / omega) / sqrt(m * n) + L * sqrt(d * log(16 / omega)) * unit
    return gradient, ell * sqrt(log(8 * d / omega) / (m * n)) + ell * d * sqrt(log(32 / omega)) * unit


def proved_allowances(*, n: Any, d: Any, L: Any, ell: Any, T: Any, m: Any, omega: Any, sigmas: tuple[Any, Any]) -> tuple[float, float]:
    """Return allowances (gradient, Hessian) that each of T iterates fixed before selection meets with probability 1 - omega.

    Four events, each with probability p = omega/(4 T), so that they hold for all T iterates:
    sampling of gradients   2 L sqrt(2 log(2/p)/(m n)): Pinelis (1994), Theorem 3.5, for terms of norm at most 2 L
    noise on gradients      sigma (sqrt(d) + sqrt(2 log(1/p)))/sqrt(m): a Gaussian norm is 1-Lipschitz with mean at most sqrt(d)
    sampling of Hessians    4 ell sqrt(log(2 d/p)/(m n)) if m n >= (4/9) log(2 d/p): Lemma 14 with 2 d in front and B = 2 ell
    noise on Hessians       sigma (2 sqrt(d) + 2 sqrt(log(1/p)))/sqrt(m) for the largest eigenvalue: E is at most that of a GOE matrix,
                            2 sqrt(d) (Davidson, Szarek 2001, Theorem 2.11), and it is sqrt(2)-Lipschitz in the free entries
    Every accuracy-stationary point then passes the test on the Hessian, of which only the upper side is used.
    """
    sqrt, log = math.sqrt, math.log
    p = omega / (4 * T)
    gradient = 2 * L * sqrt(2 * log(2 / p) / (m * n)) + sigmas[0] * (sqrt(d) + sqrt(2 * log(1 / p))) / sqrt(m)
    return gradient, 4 * ell * sqrt(log(2 * d / p) / (m * n)) + sigmas[1] * 2 * (sqrt(d) + sqrt(log(1 / p))) / sqrt(m)


@validated
def above_threshold_limits(problem: Problem, *, T: int, accuracy: float) -> tuple[float, float]:
    """Return the limits on gradient norm and curvature at which AboveThreshold accepts a stationary point, for one client.

    Sampling as in `proved_allowances`; 8 (log T + log(2/omega)) times the sensitivity over epsilon for its noise (Dwork, Roth 2014,
    Theorem 3.24), where the sensitivity of its query is 2/n in units of L and ell. Nothing here grows with d but a logarithm.
    """
    check_problem(problem=problem)
    if problem.m != 1:
        raise ValueError(f"m = {problem.m!r}: AboveThreshold is for a single client; m = 1 is needed")
    positive_integer(T=T)
    positive(accuracy=accuracy)
    sizes = {"n": problem.n, "d": problem.d, "L": problem.L, "ell": problem.ell}
    gradient, hessian = proved_allowances(**sizes, T=T, m=1, omega=problem.omega, sigmas=(0.0, 0.0))
    slack = 16 * math.log(2 * T / problem.omega) / (problem.n * problem.epsilon)
    return accuracy + gradient + slack * problem.L, math.sqrt(problem.rho * accuracy) + hessian + slack * problem.ell


@validated
def least_samples(*, d: float, T: int, omega: float, proved: bool) -> float:
    """Return the least m n: (4/9) log(8 d/omega) in Theorem 4, or proved (4/9) log(8 d T/omega), for T iterates."""
    positive(d=d)
    positive_integer(T=T)
    fraction(omega=omega)
    return 4 / 9 * math.log(8 * d * (T if proved else 1) / omega)


@validated
def selection_tests(kind: str, problem: Problem, *, T: int, accuracy: float, accountant: str | None = None) -> Selection:
    """Return Algorithm 4's noise and tests for a problem whose n counts the held-out samples; its U is not used.

    kind        "printed": the paper's allowances, which contain neither c_1, c_2 nor any other constant, so that a true second-order
                stationary point need not pass; "proved": `proved_allowances`
    accountant  of `noise_constant`; None: "printed" for the printed kind, "exact" for the proved one
    Raises ValueError for values that are not allowed, and if m n is below `least_samples`.
    """
    one_of(("printed", "proved"), kind=kind)
    check_problem(problem=problem)
    positive(accuracy=accuracy)
    least = least_samples(d=problem.d, T=T, omega=problem.omega, proved=kind == "proved")
    if problem.m * problem.n < least:
        raise ValueError(f"n = {problem.n!r}: m n of at least {least:.4g} is needed")
    sizes: dict[str, Any] = {"n": problem.n, "d": problem.d, "L": problem.L, "ell": problem.ell, "T": T}
    over: dict[str, Any] = {"m": problem.m, "omega": problem.omega}
    private: dict[str, Any] = {"epsilon": problem.epsilon, "delta": problem.delta}
    constant = noise_constant(accountant or ("printed" if kind == "printed" else "exact"), **private, T=T)
    sigmas = noise_scales(**sizes, **private, constant=constant)
    if kind == "printed":
        gradient, hessian = printed_allowances(**sizes, **private, **over)
    else:
        gradient, hessian = proved_allowances(**sizes, **over, sigmas=sigmas)
    return Selection(*sigmas, accuracy + gradient, math.sqrt(problem.rho * accuracy) + hessian, constant)
