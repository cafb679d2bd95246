"""One step of DPZero: (16) to (23) of the proof of Theorem 3, given that the step, or no step at all, clips.

Setting   that of Theorem 3. Q_t is the event that step t clips no sample, Q that no step does.
Source    DPZero, Appendix E.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import GIVENS, Cited, Defined, NonNegative, Reasoned, Shown, Step, fact, line
from bounds.dpzero.shared import BIASED, DIRECTION_IN_NORM_OF_H, POLARISED, G_Hz
from bounds.dpzero.theorem2 import curvature
from bounds.dpzero.theorem3 import F_Q_next, F_Q_now, given_Q, inner_product, kept_per_step, one_step, per_step
from bounds.meanings import CLIPPED_OR_NOT, NO_STEP_CLIPS
from bounds.symbols import B, L, alpha, d, ell, lam, r, sigma, symbols, trace

F_now, F_next, grad_z, z_H, G_H, grad_sq, smooth_sq = symbols("F_now F_next grad_z z_H G_H grad_sq smooth_sq")
estimate_norm, W, W_clear, W_clipped = symbols("estimate_norm W W_clear W_clipped")
grad_G_clear, grad_G_clipped, G_H_clear, G_H_clipped = symbols("grad_G_clear grad_G_clipped G_H_clear G_H_clipped")
u_H_clear, u_H_clipped, p_t, q_t, q, s_t, drop_t, drop_Q = symbols("u_H_clear u_H_clipped p_t q_t q s_t drop_t drop_Q")


def facts() -> tuple[Step, ...]:
    """Return what is taken on a step given that it clips nothing, or that no step does."""
    return (
        fact(
            "taylor",
            "given Q_t, along x_{t+1} - x_t = -alpha (G + z_t u_t); z stands for z_t u_t, and the Hessian of F_S is at most H",
            F_next,
            "<=",
            F_now - alpha * (grad_G_clear + grad_z) + alpha**2 / 2 * (G_H_clear + 2 * G_Hz + z_H),
            Cited("Taylor's theorem with Lagrange's remainder"),
        ),
        fact(
            "noise_and_gradient", "z_t is independent of x_t, u_t and Q_t, its mean is 0", grad_z, "=", 0, Reasoned("E z_t = 0 given these")
        ),
        fact("noise_and_step", "the same for G' H u_t z_t", G_Hz, "=", 0, Reasoned("E z_t = 0 given x_t, u_t and Q_t")),
        fact(
            "noise_length", "z_t is independent of u_t and Q_t", z_H, "=", sigma**2 * u_H_clear, Reasoned("E z_t^2 = sigma^2 given these")
        ),
        *CLIPPED_OR_NOT,
        fact("curvature", "E G'HG, as in the proof of Theorem 2", G_H, "<=", curvature, Shown("dpzero.theorem2", "curvature")),
        *DIRECTION_IN_NORM_OF_H,
        fact(
            "longest",
            "F_S is L-Lipschitz, and the mean of the two-point gradients is no longer than the longest",
            grad_G_clipped,
            "<=",
            L * estimate_norm,
            Reasoned("Cauchy and Schwarz"),
        ),
        POLARISED,
        BIASED,
        fact(
            "quarter",
            "as in Theorem 2",
            (1 + 2 * r * ell * alpha / d) / 2,
            "<=",
            sp.Rational(3, 4),
            Shown("dpzero.theorem2", "quarter"),
        ),
        fact("drop_t", "what a step takes off the loss, given Q_t", drop_t, "=", F_now - F_next, Defined()),
        fact("drop_Q", "the same given Q", drop_Q, "=", F_Q_now - F_Q_next, Defined()),
        *NO_STEP_CLIPS,
    )


def steps() -> tuple[Step, ...]:
    """Return the steps to (23)."""
    return (*_given_no_clipping(), *_one_step(), *_given_that_no_step_clips())


def _given_no_clipping() -> tuple[Step, ...]:
    """Return (18) to (21): what conditioning on Q_t does to each mean."""
    return (
        line(
            "conditioned",
            "(18): a variable W >= 0 has E[W | Q_t] <= E[W] / P(Q_t)",
            W_clear,
            "<=",
            W / p_t,
            "total probability",
            NonNegative(((q_t / p_t, W_clipped),), modulo=((1 / p_t, "total_mean"),)),
            where=GIVENS,
        ),
        line(
            "curvature_given_Q_t",
            "(19): G_H_clear, which is G'HG given Q_t",
            G_H_clear,
            "<=",
            curvature / p_t,
            "as in (18), with E G'HG as in the proof of Theorem 2",
            NonNegative(((1 / p_t, "curvature"), (q_t / p_t, G_H_clipped)), modulo=((1 / p_t, "total_G_H"),)),
            where=GIVENS,
        ),
        line(
            "direction_given_Q_t",
            "(20): u_H_clear, which is u'Hu given Q_t",
            u_H_clear,
            "<=",
            r * ell / p_t,
            "as in (18), with E u'Hu = Tr(H) <= r ell",
            NonNegative(
                ((1 / p_t, "effective_rank"), (q_t / p_t, u_H_clipped)),
                modulo=((-trace / p_t, "coordinate"), (-1 / p_t, "mean_u_H"), (1 / p_t, "total_u_H")),
            ),
            where=GIVENS,
        ),
        line(
            "estimate_at_most",
            "the length of a two-point gradient, on every event",
            estimate_norm,
            "<=",
            L * d,
            "||g_i|| <= L ||u_t||^2",
            NonNegative(((sp.sqrt(d), "lipschitz"),), at=("on_the_sphere",), modulo=((-1, "estimate"),)),
            where=GIVENS,
        ),
        line(
            "worst_case",
            "the inner product grad_G_clipped where step t clips",
            grad_G_clipped,
            "<=",
            L**2 * d,
            "F_S is L-Lipschitz",
            NonNegative((("longest",), (L, "estimate_at_most"))),
            where=GIVENS,
        ),
        line(
            "inner_product",
            "(21): grad_G_clear, the inner product given Q_t",
            grad_G_clear,
            ">=",
            inner_product,
            "total probability, E G = grad F_lam, polarisation, the bias of Lemma C.2 (ii)",
            NonNegative(
                ((smooth_sq / (2 * p_t),), (1 / (2 * p_t), "bias"), (q_t / p_t, "worst_case")),
                modulo=((-1 / p_t, "total_grad_G"), (1 / p_t, "polarised")),
            ),
            where=GIVENS,
        ),
    )


def _one_step() -> tuple[Step, ...]:
    """Return (17) and (22), and what (22) says of one gradient."""
    return (
        line(
            "noise_averaged",
            "(17): the loss F_next given Q_t, in expectation over z_t",
            F_next,
            "<=",
            F_now - alpha * grad_G_clear + alpha**2 / 2 * G_H_clear + alpha**2 * sigma**2 / 2 * u_H_clear,
            "Taylor's theorem, with the moments of the noise",
            NonNegative(
                (("taylor",),),
                modulo=(
                    (alpha, "noise_and_gradient"),
                    (-(alpha**2), "noise_and_step"),
                    (-(alpha**2) / 2, "noise_length"),
                ),
            ),
            where=GIVENS,
        ),
        line(
            "one_step",
            "(22): F_S(x_{t+1}) given Q_t, in F_now and the squared norm of the gradient",
            F_next,
            "<=",
            one_step,
            "(19), (20) and (21) in (17)",
            NonNegative(
                (
                    ("noise_averaged",),
                    (alpha, "inner_product"),
                    (alpha**2 / 2, "curvature_given_Q_t"),
                    (alpha**2 * sigma**2 / 2, "direction_given_Q_t"),
                )
            ),
            where=GIVENS,
        ),
        line(
            "per_step",
            "so the expected squared norm of the gradient at x_t is at most",
            grad_sq,
            "<=",
            per_step,
            "4 P(Q_t)/alpha times (22); alpha <= 1/(4 ell (r + 2)) leaves at least half of the gradient term, and P(not Q_t) <= P(not Q)",
            NonNegative(
                ((4 * p_t / alpha, "one_step"), (4 * (r + 2) * ell * grad_sq, "step_size"), (4 * L**2 * d, "step_or_any")),
                modulo=((4 * p_t / alpha, "drop_t"),),
            ),
            where=GIVENS,
        ),
    )


def _given_that_no_step_clips() -> tuple[Step, ...]:
    """Return the steps to (23)."""
    return (
        line(
            "split",
            "the decrease drop_t given Q_t, split by Q: E[F_S(x_t) - F_S(x_{t+1}) | Q_t] P(Q_t)",
            p_t * drop_t,
            "<=",
            (1 - q) * drop_Q + 2 * B * q,
            "s_t = P(Q_t and not Q) <= P(not Q), |F_S| <= B",
            NonNegative(((2 * B, "other_or_any"), (s_t, "loss_bound")), modulo=((-1, "total_drop"),)),
            where=GIVENS,
        ),
        line(
            "kept_per_step",
            "the squared norm of the gradient through decreases given Q, with what is left of the lam term",
            grad_sq,
            "<=",
            kept_per_step,
            "4/alpha times the line before",
            NonNegative((("per_step",), (4 / alpha, "split")), modulo=((-4 / alpha * (1 - q), "drop_Q"),)),
            where=GIVENS,
        ),
        line(
            "given_Q",
            "(23): the squared norm of the gradient, with the whole lam term",
            grad_sq,
            "<=",
            given_Q,
            "(d + 2 ell alpha r)/2 <= d",
            NonNegative(
                (("kept_per_step",), (ell**2 * lam**2 * d**3, "quarter"), (ell**2 * lam**2 * d**3 / 4,)),
                modulo=((4 / alpha * (1 - q), "drop_Q"),),
            ),
            where=GIVENS,
        ),
    )
