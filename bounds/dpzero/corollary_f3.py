"""Corollary F.3: DPGD-0th under the PL inequality and low effective rank, last iterate; error of order r d^2.

Setting   that of Theorem 2, and ||grad F_S(x)||^2 >= 2 mu (F_S(x) - F_S^*) for every x.
Method    DPGD-0th, as in Theorems 1 and 2.
Measure   E F_S(x_T) - F_S^*.
Source    DPZero, Corollary F.3; proof in Appendix F, whose first line drops the gradient sign in ||grad F_S(x_t)||^2.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Derivation, Given, NonNegative, Step, Substitution
from bounds.dpzero.common import (
    ASSUMPTION_3_5,
    ASSUMPTION_F_1,
    GAP_UNDER_PL,
    LOG_TERM,
    LOG_Y,
    ONE_STEP_PL,
    PAPER,
    PL_IS_VACUOUS,
    PRIVATE,
    REAL_T,
    RESOLVED_DOUBLE,
    RESOLVED_SINGLE,
    SIGMA,
    WELL_CONDITIONED,
    below_trivial_gap,
)
from bounds.dpzero.pl import contracted, resolved
from bounds.dpzero.theorem2 import ALPHA_RULE, F_now, any_alpha, below, grad_sq, largest_alpha, one_step
from bounds.symbols import A, C, L, T, Y, alpha, d, ell, epsilon, gap, kappa, lam, mu, n, r, sigma
from bounds.theorem import Part, Theorem

rate = r * d**2 * A / (mu * n**2 * epsilon**2)

# any schedule with alpha <= 1/(4 ell (r + 2)) and C >= L d: after T steps
added = alpha / 4 * ell**2 * lam**2 * d**3 + ell / 2 * alpha**2 * r * sigma**2
noise = 32 * ell * C**2 * alpha * T * r * A / (mu * n**2 * epsilon**2)
before = sp.exp(-mu * alpha * T / 2) * gap + ell**2 * lam**2 * d**3 / (2 * mu) + noise

# its best schedule
log_argument = n**2 * epsilon**2 / (kappa * r * d**2 * A)
best_T = 8 * kappa * (r + 2) * sp.log(Y)
largest_lam = 2 * L / (ell * sp.sqrt(d)) * sp.sqrt(r * A) / (n * epsilon)
bound = (ell * gap + 64 * L**2 * kappa * sp.log(Y) + 2 * L**2) * rate

THEOREM = Theorem(
    key="dpzero.corollary_f3",
    title="Corollary F.3 (DPGD-0th under PL, low effective rank, last iterate)",
    source=f"{PAPER}, Corollary F.3",
    claim="upper",
    measure="E F_S(x_T) - F_S^*",
    method="dpgd_0th",
    assumptions=(*ASSUMPTION_3_5, ASSUMPTION_F_1),
    definitions={"A": LOG_TERM, "kappa": ell / mu, "Y": log_argument},
    schedule={"alpha": largest_alpha, "T": best_T, "C": L * d, "lam": largest_lam, "sigma": SIGMA},
    bound=bound,
    any_schedule=before,
    valid_if=(alpha <= largest_alpha, sp.Ge(C, L * d), mu <= ell),
    parts=(Part("count", "two-point gradients n T", "=", n * T),),
    conditions=(
        PRIVATE,
        LOG_Y,
        ONE_STEP_PL,
        WELL_CONDITIONED,
        GAP_UNDER_PL,
        below_trivial_gap(bound),
        RESOLVED_SINGLE,
        RESOLVED_DOUBLE,
    ),
    notes=(REAL_T, PL_IS_VACUOUS),
)

at_schedule = {alpha: largest_alpha, T: 8 * ell / mu * (r + 2) * sp.log(Y), C: L * d, kappa: ell / mu}
with_Y = {alpha: largest_alpha, T: 8 * ell / mu * (r + 2) * sp.log(log_argument.subs(kappa, ell / mu))}


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.corollary_f3",
        title="DPGD-0th under the PL inequality and low effective rank",
        source=f"{PAPER}, Appendix F",
        proves="dpzero.corollary_f3",
        steps=(
            Step(
                1,
                "(15) of Theorem 2 for alpha <= 1/(4 ell (r + 2))",
                one_step,
                "<=",
                F_now - alpha / 4 * grad_sq + added,
                "(d + 2 r ell alpha)/8 <= d/4",
                NonNegative(
                    (
                        (alpha * ell**2 * lam**2 * d**2 / 8, d - 1),
                        (alpha * ell**2 * lam**2 * d**2 / 8 * (r + 4) / (2 * (r + 2)),),
                        (alpha * ell * (r + 2) * grad_sq + alpha * ell**3 * lam**2 * d**2 * r / 4, below),
                    ),
                    given=(Given(d - 1, "d >= 1"), ALPHA_RULE),
                ),
                ranges=any_alpha,
            ),
            contracted(2, added, grad_sq),
            *resolved(3, added, ell**2 * lam**2 * d**3 / (2 * mu) + ell * alpha * r * sigma**2 / mu),
            Step(
                7,
                "the noise of Lemma 2.2",
                ell * alpha * r * sigma**2 / mu,
                "=",
                noise,
                "insert sigma",
                Substitution({sigma: SIGMA}),
            ),
            Step(
                8,
                "the printed T makes alpha T = (2/mu) log(Y)",
                alpha * T,
                "=",
                2 / mu * sp.log(Y),
                "insert alpha and T",
                Substitution(at_schedule),
            ),
            Step(
                9,
                "the first term",
                sp.exp(-mu * alpha * T / 2) * gap,
                "=",
                ell * gap * rate,
                "exp(-mu alpha T/2) = 1/Y",
                Substitution(with_Y),
            ),
            Step(
                10,
                "the noise term",
                noise,
                "=",
                64 * L**2 * kappa * sp.log(Y) * rate,
                "insert alpha, T and C",
                Substitution(at_schedule),
            ),
            Step(
                11,
                "the lam term, for every lam up to the printed one",
                ell**2 * lam**2 * d**3 / (2 * mu),
                "<=",
                2 * L**2 * rate,
                "lam is at most its printed value",
                NonNegative(
                    ((ell**2 * d**3 / (2 * mu), largest_lam - lam, largest_lam + lam),),
                    given=(Given(largest_lam - lam, "the rule for lam"),),
                ),
                ranges={lam: (largest_lam / 10**9, largest_lam)},
            ),
            Step(
                12,
                "the sum (the paper writes an equality, true when lam is at its largest)",
                ell * gap * rate + 64 * L**2 * kappa * sp.log(Y) * rate + ell**2 * lam**2 * d**3 / (2 * mu),
                "<=",
                bound,
                "steps 9 to 11",
                NonNegative(
                    ((ell**2 * d**3 / (2 * mu), largest_lam - lam, largest_lam + lam),),
                    given=(Given(largest_lam - lam, "the rule for lam"),),
                ),
                ranges={lam: (largest_lam / 10**9, largest_lam)},
            ),
        ),
    )
