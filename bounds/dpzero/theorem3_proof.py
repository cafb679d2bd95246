"""The proof of Theorem 3: clipping is rare, one step given that it clips nothing, the sum over steps, the printed schedule.

Source    DPZero, Appendix E; (16) to (23) are `theorem3_step`.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import GIVENS, Defined, Derivation, Identity, NonNegative, Reasoned, Shown, Step, Substitution, fact, line
from bounds.dpzero import theorem3_step
from bounds.dpzero.common import PAPER
from bounds.dpzero.shared import X_above_one, at_threshold, averaged, inverse_of_X, lam_rule
from bounds.dpzero.sphere import tail, worst
from bounds.dpzero.theorem2 import rate
from bounds.dpzero.theorem3 import (
    C_0,
    HYPOTHESES,
    THEOREM,
    F_Q_next,
    F_Q_now,
    bound,
    clip_one,
    cost,
    failure,
    kept,
    kept_at_threshold,
    lam_for_bias,
    lam_for_clipping,
    largest_C_0,
    mean_grad_sq,
    noise,
    per_run,
    q,
    tail_0,
    tail_L,
    threshold,
)
from bounds.meanings import ESTIMATE, FIRST_ABOVE_LEAST, GAP, ON_THE_SPHERE, Q_LAST_ABOVE_LEAST
from bounds.symbols import B, C, L, L_tilde, T, X, alpha, d, ell, gap, lam, n, r, sigma


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.theorem3",
        title="DPZero under Assumption 3.5",
        source=f"{PAPER}, Appendix E",
        proves=THEOREM,
        signs={"L_tilde": ("X_larger_than_1",)},
        facts=(
            *HYPOTHESES,
            *lam_rule(lam_for_clipping, lam_for_bias),
            *X_above_one(),
            *_clipping_facts(),
            *theorem3_step.facts(),
            Q_LAST_ABOVE_LEAST,
            FIRST_ABOVE_LEAST,
            GAP,
        ),
        steps=(
            *_rarely_clipped(),
            *theorem3_step.steps(),
            *_any_schedule(),
            *_at_threshold(),
            *_printed_schedule(),
        ),
    )


def _clipping_facts() -> tuple[Step, ...]:
    """Return what is taken on how rarely a step clips."""
    return (
        ON_THE_SPHERE,
        ESTIMATE,
        fact(
            "remainder",
            "(16): how far the two-point difference is beyond |u'grad f|",
            worst,
            "<=",
            ell * lam * d / 2,
            Shown("dpzero.section4_tail", "remainder"),
        ),
        fact(
            "tail",
            "Section 4, for any threshold above 0; u_t is independent of x_t",
            tail,
            "<=",
            tail_L.xreplace({C_0: threshold}),
            Shown("dpzero.section4_tail", "bound", {C: threshold}),
        ),
        fact("C_0", "what the curvature leaves of the threshold C", C_0, "=", largest_C_0, Defined()),
        fact("part_of_C", "the larger of two numbers", C_0, ">=", C - ell * lam * d / 2, Reasoned("a maximum", using=("C_0",))),
        fact(
            "tail_0",
            "Section 4 at C_0",
            tail_0,
            "<=",
            tail_L,
            Reasoned("the tail; where C_0 = 0, the right side is above 1", using=("tail",)),
        ),
        fact(
            "inclusion",
            "a difference above C makes |u'grad f| at least C - ell lam d/2, and it is at least 0",
            clip_one,
            "<=",
            tail_0,
            Reasoned("inclusion of events", using=("remainder", "C_0")),
        ),
        fact("union", "n samples, T steps", q, "<=", n * T * clip_one, Reasoned("the union bound")),
    )


def _rarely_clipped() -> tuple[Step, ...]:
    """Return the steps to the probability that some step clips."""
    return (
        line(
            "clips",
            "the largest probability that a step clips a sample, where C >= C_0 + ell lam d/2",
            clip_one,
            "<=",
            tail_L,
            "(16), and the tail at C_0",
            NonNegative((("inclusion",), ("tail_0",))),
            where=GIVENS,
        ),
        line(
            "failure",
            "so the probability P(not Q) that some step clips is at most",
            q,
            "<=",
            failure,
            "n samples, T steps",
            NonNegative((("union",), (n * T, "clips"))),
            where=GIVENS,
        ),
    )


def _any_schedule() -> tuple[Step, ...]:
    """Return the steps to the bound before the schedule is chosen."""
    return (
        averaged("kept_per_step", per_run, F_Q_now, F_Q_next),
        line(
            "noise_term",
            "the noise that the schedule prescribes, sigma inserted",
            2 * ell * alpha * r * sigma**2,
            "=",
            noise,
            "insert sigma",
            Substitution(("sigma",)),
        ),
        line(
            "kept",
            "the average of the squared gradient norms for any schedule, with what is left of the lam term",
            mean_grad_sq,
            "<=",
            kept,
            "F_S(x_T) >= F_S^* and F_S(x_0) >= F_S^*, and the probability that some step clips",
            NonNegative(
                (
                    ("averaged",),
                    (4 / (alpha * T), "q <= 1", "Q_last_above_least"),
                    (4 / (alpha * T), q, "first_above_least"),
                    (4 * L**2 * d + 8 * B / alpha, "failure"),
                ),
                modulo=((4 / (alpha * T), "gap"), (-1, "noise_term")),
            ),
            where=GIVENS,
        ),
        line(
            "any_schedule",
            "the average of the squared gradient norms for any schedule",
            mean_grad_sq,
            "<=",
            THEOREM.any_schedule,
            "with the whole lam term, and C_0 inserted",
            NonNegative((("kept",), (ell**2 * lam**2 * d**3, "quarter"), (ell**2 * lam**2 * d**3 / 4,)), at=("C_0",)),
            where=GIVENS,
        ),
    )


def _at_threshold() -> tuple[Step, ...]:
    """Return the steps to the bound at the printed threshold, for every lam up to the printed one."""
    return (
        *at_threshold(2 * sp.sqrt(2), 1),
        line(
            "kept_at_threshold",
            "the average of the squared gradient norms at the printed threshold, for any T",
            mean_grad_sq,
            "<=",
            kept_at_threshold,
            "insert the line before",
            NonNegative((("kept",), (cost, "exponential"))),
            where=GIVENS,
        ),
    )


def _printed_schedule() -> tuple[Step, ...]:
    """Return the steps to (7)."""
    return (
        line("alpha_T", "the printed alpha and T", alpha * T, "=", 1 / (16 * ell * rate), "insert them", Substitution(("alpha", "T"))),
        line(
            "first_term",
            "the term of gap, with the printed alpha and T",
            4 * gap / (alpha * T),
            "=",
            64 * ell * gap * rate,
            "alpha T = 1/(16 ell rate)",
            Identity(modulo=((-64 * ell * gap * rate / (alpha * T), "alpha_T"),)),
            where=GIVENS,
        ),
        line(
            "noise_at_schedule",
            "the noise term with the printed alpha, T and C",
            noise,
            "=",
            64 * L_tilde**2 * rate,
            "insert them",
            Substitution(("alpha", "T", "C")),
        ),
        *inverse_of_X(1),
        line(
            "clipping_at_schedule",
            "the clipping term with the printed alpha, T and X",
            cost / X,
            "=",
            L**2 * rate,
            "8 B/alpha = 32 ell B (r + 2)",
            Substitution(("alpha", "T", "X")),
        ),
        line(
            "bound",
            "(7): the average of the squared gradient norms at the printed schedule, for every lam up to the printed one",
            mean_grad_sq,
            "<=",
            bound,
            "the sum of the four terms",
            NonNegative(
                (
                    ("any_schedule",),
                    (cost, "exponential"),
                    (cost, "one_over_X"),
                    (ell**2 * d**3, "lam_for_bias", lam_for_bias + lam),
                ),
                at=("C_0",),
                modulo=((-1, "first_term"), (-1, "noise_at_schedule"), (-1, "clipping_at_schedule")),
            ),
            where=GIVENS,
        ),
    )
