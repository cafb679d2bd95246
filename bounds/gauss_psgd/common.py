"""What the pages of Gauss-PSGD share: the paper's letters under the glossary's names, its assumptions, what it leaves unsaid.

The paper's G, M, alpha, mu, kappa, r, sigma and C are here L, ell, accuracy, log_factor, drift_limit, added_noise, sampling_error and
C_abs: the glossary's bare letters mean something else.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.papers import PAPERS
from bounds.symbols import L as G
from bounds.symbols import delta, epsilon, rho, symbols
from bounds.symbols import ell as M
from bounds.theorem import SCOPE, Condition

PAPER = PAPERS["gauss_psgd"].cited

U, curvature, omega, psi, sampling_error, added_noise = symbols("U curvature omega psi sampling_error added_noise")
accuracy, eta, chi, Gamma, Q, radius, decrease = symbols("accuracy eta chi Gamma Q radius decrease")
drift_limit, b_1, b_2, m = symbols("drift_limit b_1 b_2 m")
s, log_factor, iota, C_abs, c_abs = symbols("s log_factor iota C_abs c_abs")

t_count, deviation_t, scale_low, scale_high, zeta = symbols("t_count deviation_t scale_low scale_high zeta")
matrix_variance, matrix_bound, entry_scale, releases = symbols("matrix_variance matrix_bound entry_scale releases")
omega_0, sum_sq, sum_grad, sum_err, P_h, P_sg, P_p = symbols("omega_0 sum_sq sum_grad sum_err P_h P_sg P_p")

ALL_FAIL = sp.Rational(7, 8) ** Q  # probability that Q independent rounds fail which escape with probability 1/8 each

ASSUMPTION_1 = ("every sample's loss is L-Lipschitz, ell-smooth and rho-Hessian-Lipschitz",)
ASSUMPTION_2 = ("max F - min F <= U",)
ORACLE = (
    "the error nu_t of every gradient has conditional mean 0; its parts are norm-subGaussian with constant sampling_error, "
    "and N(0, added_noise^2 I), independent from step to step; psi^2 = sampling_error^2 + added_noise^2 d",
)
SADDLE = ("||grad F|| <= accuracy and the least eigenvalue of the Hessian is at most -sqrt(rho accuracy) where the round starts",)

TILDE = "a rate: absolute constants and logarithms are 1, so the number is a scale, not a guarantee"
ABSOLUTE = "C_abs and c_abs are absolute constants that the paper leaves open; with 1 the number is a scale, not a guarantee"
BASE = "log is the natural logarithm here; the paper does not say which, and its Lemma 2 and (53) hold for base 2 only"

GIVEN_MU = "log_factor is given; bounds.gauss_psgd.fixed_point finds the one that (6) defines through eta, accuracy and T"

STANDING = Condition(
    sp.Le(accuracy, M**2 / rho),
    "accuracy = {value} is above ell^2/rho = {limit}: the paper's standing assumption ell >= sqrt(rho accuracy) fails",
)
BELOW_TRIVIAL = Condition(accuracy < G, "accuracy = {value} is not below L = {limit}: no gradient is longer than that", SCOPE)
STEP_41 = Condition(
    eta * rho * radius * Gamma * sp.sqrt(iota) <= 1 / (160 * sp.sqrt(2)),
    "eta rho radius Gamma sqrt(iota) = {value} is above 1/(80 c) = {limit} with c = 2 sqrt(2) of (31): (41) of Lemma 20 does not follow",
)
STEP_42 = Condition(
    eta * M * sp.sqrt(Gamma) * iota <= 1 / (160 * sp.sqrt(2)),
    "eta ell sqrt(Gamma) iota = {value} is above 1/(80 c) = {limit} with c = 2 sqrt(2) of (31): (42) of Lemma 20 does not follow",
)
GAUSSIAN_C = 8 * sp.log(sp.Rational(5, 4) / delta) / sp.log(1 / delta)  # c_1 = c_2 of Algorithm 2 by Definition 8
CLASSICAL = Condition(
    epsilon < 1,
    "epsilon = {value} is not below 1: the noise of Definition 8 is proved to be private only there",
)


def at_least(entry: Any, words: str) -> Condition:
    """Return the condition that log_factor is at least an entry of (6)."""
    return Condition(sp.Ge(log_factor, entry), f"log_factor = {{value}} is below {{limit}}, {words}")
