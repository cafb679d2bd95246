"""Theorem 3 along the paper's own chain, with the strengthenings S1 (any lam, C = C_0), S4 (sharp tail) and S6 (no bound B).

Setting   f(.; xi) L-Lipschitz, -H <= Hessian of F_S <= H, d >= 4.  Q_t: step t clips nothing;  Q: no step does;  bars: complements.
Method    Algorithm 2 with alpha <= 1 / (4 ell (r + 2)) and any T, C, lam, sigma.
Measure   E ||grad F_S(x_tau)||^2
Lemma     P(a sample is clipped at a step) <= P(|N| > C sqrt((d - 3)/d) / L) =: q_1  for every lam (dpzero.sharp_tail_lipschitz)
Theorem   4 gap / (alpha T) + 2 ell alpha r sigma^2 + ell^2 d^3 lam^2 + (4 L^2 d + 4 L sqrt(d) (C + sigma sqrt(2/pi))) n T q_1
Source    ours; DPZero, Appendix E, Eqs. (17) to (23).

It is here to show what each change buys: `sharp_clip_bias` is smaller, because n T q_1 must be small here and P(|N| > C/L) there.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Derivation, Given, Identity, NonNegative, Reasoned, Substitution
from bounds.dpzero.common import ASSUMPTION_3_5, below_trivial
from bounds.dpzero.sharp_common import line, numbered, words
from bounds.dpzero.sharp_tail import ENOUGH_DIMENSIONS, LIPSCHITZ_TAIL
from bounds.symbols import C, L, T, alpha, d, ell, gap, lam, n, r, sigma, symbols
from bounds.theorem import Condition, Theorem

(q,) = symbols("q")

CLIPPED_STEP = 4 * L**2 * d + 4 * L * sp.sqrt(d) * (C + sigma * sp.sqrt(2 / sp.pi))  # what a clipped run costs, times its probability
FAILURE = n * T * LIPSCHITZ_TAIL
BOUND = 4 * gap / (alpha * T) + 2 * ell * alpha * r * sigma**2 + ell**2 * d**3 * lam**2 + CLIPPED_STEP * FAILURE

THEOREM = Theorem(
    key="dpzero.sharp_event",
    title="Theorem 3 without B and without per-sample smoothness, by conditioning",
    source="ours; DPZero, Appendix E, changed at Eqs. (16) and (23)",
    claim="upper",
    measure="E ||grad F_S(x_tau)||^2, tau uniform on 0..T-1",
    assumptions=("f(.; xi) is L-Lipschitz for every xi", *ASSUMPTION_3_5[1:]),
    bound=BOUND,
    any_schedule=BOUND,
    valid_if=(alpha <= 1 / (4 * ell * (r + 2)), ENOUGH_DIMENSIONS.relation),
    method="dpzero",
    conditions=(
        ENOUGH_DIMENSIONS,
        Condition(alpha <= 1 / (4 * ell * (r + 2)), "alpha = {value} is above 1 / (4 ell (r + 2)) = {limit}: the descent step needs it"),
        below_trivial(BOUND),
    ),
    notes=("sigma need only cover the T - 1 releases that x_tau depends on",),
)

noise = ell * alpha**2 * r * sigma**2 / 2
smoothing = ell**2 * alpha * (d + 2 * ell * alpha * r) * lam**2 * d**2 / 8
smaller_step = 1 / (4 * ell * (r + 2)) - alpha


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.sharp_event",
        title="the paper's chain without B",
        source="ours",
        proves="dpzero.sharp_event",
        steps=numbered(
            words(
                "S1, S4: one sample is clipped at one step with probability at most q_1, whatever happened before and whatever lam is",
                "dpzero.sharp_tail_lipschitz, conditionally on x_t",
                Reasoned("u_t is independent of the past"),
            ),
            words("P(not Q) <= n T q_1, and P(not Q_t) <= P(not Q)", "n samples, T steps", Reasoned("union bound")),
            words(
                "Eq. (22) times P(Q_t), with drop = E[F_S(x_t) - F_S(x_{t+1}) | Q_t] P(Q_t): "
                "alpha/2 (1 - 2 (r + 2) ell alpha) E ||grad F_S(x_t)||^2 <= drop + ell alpha^2 r sigma^2 / 2 "
                "+ ell^2 alpha (d + 2 ell alpha r) lam^2 d^2 / 8 + alpha L^2 d P(not Q_t)",
                "steps (17) to (22) of the paper use neither B nor the smoothness of one sample",
                Reasoned("E[W | Q_t] P(Q_t) <= E W for W >= 0, total probability, Lemmas C.1 and C.2"),
            ),
            line(
                "times 4 / alpha, and 2 (r + 2) ell alpha <= 1/2",
                4 / alpha * alpha / 2 * (1 - 2 * (r + 2) * ell * alpha),
                ">=",
                1,
                "alpha <= 1 / (4 ell (r + 2))",
                NonNegative(((4 * (r + 2) * ell, smaller_step),), given=(Given(smaller_step, "alpha <= 1 / (4 ell (r + 2))"),)),
                ranges={alpha: (0, 1 / (4 * ell * (r + 2)))},
            ),
            line(
                "the smoothing term",
                4 / alpha * smoothing,
                "<=",
                ell**2 * d**3 * lam**2,
                "2 ell alpha r <= 1/2 <= d",
                NonNegative(
                    ((ell**2 * d**2 * lam**2 / 2, d - 2 * ell * alpha * r),),
                    given=(Given(d - 2 * ell * alpha * r, "alpha <= 1 / (4 ell (r + 2)), d >= 1"),),
                ),
                ranges={alpha: (0, 1 / (4 * ell * (r + 2)))},
            ),
            line("the noise term", 4 / alpha * noise, "=", 2 * ell * alpha * r * sigma**2, "cancel", Identity()),
            words(
                "S6: drop <= E (F_S(x_t) - F_S(x_{t+1})) 1_Q + E |F_S(x_t) - F_S(x_{t+1})| 1_{not Q}, and one step changes F_S by at most "
                "L alpha sqrt(d) (C + |z_t|)",
                "Q is contained in Q_t; the clipped mean is at most C, and ||u|| = sqrt(d)",
                Reasoned("total probability, Lipschitz property"),
            ),
            words(
                "E (C + |z_t|) 1_{not Q} <= (C + E |z_t|) n T q_1",
                "for a clipping at a step up to t, z_t is independent of it; at a later step its probability given the past is at most q_1",
                Reasoned("union bound, one (step, sample) at a time"),
            ),
            line(
                "E |z_t| = sigma sqrt(2 / pi); together with 4 L^2 d P(not Q_t)",
                4 * L**2 * d * q + 4 / alpha * L * alpha * sp.sqrt(d) * (C + sigma * sp.sqrt(2 / sp.pi)) * q,
                "=",
                CLIPPED_STEP * q,
                "collect the factor of q = n T q_1",
                Identity(),
            ),
            words(
                "average over t: the first part of the drops adds up to E (F_S(x_0) - F_S(x_T)) 1_Q <= gap",
                "F_S(x_T) >= F_S^*, F_S(x_0) is a number",
                Reasoned("telescoping on one event"),
            ),
            line(
                "the bound",
                4 * gap / (alpha * T) + 2 * ell * alpha * r * sigma**2 + ell**2 * d**3 * lam**2 + CLIPPED_STEP * q,
                "=",
                BOUND,
                "insert q = n T q_1",
                Substitution({q: FAILURE}),
                ranges={d: (4, 1e11)},
            ),
        ),
    )
