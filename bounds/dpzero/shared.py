"""Lines that the proofs of DPZero share: what is drawn, what clipping does not touch, Lemma C.2 as it is used, and the sum over steps."""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.derivation import GIVENS, Assumed, Case, Defined, NonNegative, Reasoned, Shown, Step, Substitution, Telescoped, fact, line
from bounds.dpzero.common import SIGMA
from bounds.dpzero.smoothing import BIAS, g_sq, grad_f_sq, second_moment
from bounds.dpzero.sphere import coordinate_sq
from bounds.inequalities import Instance
from bounds.meanings import ESTIMATE, ON_THE_SPHERE
from bounds.symbols import A, C, L, L_tilde, Letter, T, X, alpha, d, delta, ell, epsilon, introduce, lam, r, sigma, symbols, trace

F_first, F_last, F_now, F_next = symbols("F_first F_last F_now F_next")
grad_sq, smooth_sq, bias_sq, grad_G, grad_z, G_z, z_sq, G_sq = symbols("grad_sq smooth_sq bias_sq grad_G grad_z G_z z_sq G_sq")
u_norm, slope, estimate_norm, mean_grad_sq = symbols("u_norm slope estimate_norm mean_grad_sq")
grad_H, u_H, z_H, C_0, T_star = symbols("grad_H u_H z_H C_0 T_star")
X_over = introduce(Letter("X_over", "X-1", "how far X is above 1", 0.01, 1e60, "proof"))
G_Hz = introduce(Letter("G_Hz", r"\langle G_\lambda,Hz_t\rangle", "inner product of two-point gradient and H z", -1e6, 1e6, "step"))

LIPSCHITZ = sp.Le(slope, L * u_norm)  # f(.; xi) is L-Lipschitz, for a two-point difference
LOW_RANK = (sp.Le(trace, r * ell), sp.Le(grad_H, ell * grad_sq))  # Tr(H) <= r ||H||, ||H|| <= ell

IS_LIPSCHITZ = fact("lipschitz", "f(.; xi) is L-Lipschitz, so is its slope along u_t", slope, "<=", L * u_norm, Assumed())
NEVER_CLIPS = (
    IS_LIPSCHITZ,
    fact("threshold", "C >= L d", C, ">=", L * d, Assumed()),
    ON_THE_SPHERE,
    ESTIMATE,
)
NOISE = (
    fact("noise_and_gradient", "z_t is independent of x_t and has mean 0", grad_z, "=", 0, Reasoned("E z_t = 0 given the past")),
    fact("noise_and_step", "z_t is independent of u_t as well", G_z, "=", 0, Reasoned("E z_t = 0 given the past and u_t")),
    fact("noise_length", "E ||z_t||^2 adds up over the coordinates", z_sq, "=", d * sigma**2, Reasoned("d independent coordinates")),
)
IN_NORM_OF_H = (
    fact("effective_rank", "Tr(H) <= r ||H|| <= r ell", trace, "<=", r * ell, Assumed()),
    fact("largest_eigenvalue", "||H|| <= ell, also along the gradient", grad_H, "<=", ell * grad_sq, Assumed()),
)
NOISE_IN_NORM_OF_H = (
    NOISE[0],
    fact("noise_and_step", "z_t is independent of u_t as well", G_Hz, "=", 0, Reasoned("E z_t = 0 given the past and u_t")),
    fact("noise_length", "E z_t' H z_t = sigma^2 Tr(H)", z_H, "=", sigma**2 * trace, Reasoned("E z_t z_t' = sigma^2 I")),
)
DIRECTION_IN_NORM_OF_H = (
    fact("coordinate", "Lemma C.1 (i)", coordinate_sq, "=", 1, Shown("dpzero.lemma_c1", "variance_of_a_coordinate")),
    fact("mean_u_H", "E uu' is a multiple of I", u_H, "=", coordinate_sq * trace, Reasoned("E u_i u_j = 0, equal mean squares")),
)
POLARISED = fact(
    "polarised",
    "E <grad F_S, G> is that of the smoothed gradient (Lemma C.2 (i)), and 2 a'b = ||a||^2 + ||b||^2 - ||a - b||^2",
    grad_G,
    "=",
    (grad_sq + smooth_sq - bias_sq) / 2,
    Reasoned("E G = grad F_lam given the past, because u_t is independent of x_t"),
)
CALIBRATED = fact("sigma", "the noise that Lemma 2.2 asks for", sigma, "=", SIGMA, Defined("Lemma 2.2"))
CEILING = (
    fact("ceiling", "T the ceiling of T*", T, ">=", T_star, Case()),
    fact("ceiling_below", "T the ceiling of T*", T, "<=", T_star + 1, Case()),
)
FLOOR = (
    fact("floor", "T the floor of T*", T, "<=", T_star, Case()),
    fact("floor_above", "T the floor of T*", T, ">=", T_star - 1, Case()),
)
BIASED = fact("bias", "Lemma C.2 (ii), squared", bias_sq, "<=", BIAS**2, Shown("dpzero.lemma_c2", "bias_squared"))
SECOND_MOMENT = fact(
    "second_moment",
    "Lemma C.2 (ii) and Jensen's inequality over the samples",
    G_sq,
    "<=",
    second_moment(grad_sq),
    Shown("dpzero.lemma_c2", "second_moment", {g_sq: G_sq, grad_f_sq: grad_sq}),
)


def A_at_least_1() -> Step:
    """Return the step that A = log(e + epsilon/delta) is at least 1."""
    over = epsilon / delta
    return line(
        "A_at_least_1",
        "A is the logarithm of e and more",
        A,
        ">=",
        1,
        "exp(y) >= 1 + y at y = 1 - A",
        NonNegative(((Instance("exponential", 1 - sp.log(sp.E + over)),), (over / (sp.E + over),)), modulo=((1, "A"),)),
        where=GIVENS,
    )


def X_above_one() -> tuple[Step, Step]:
    """Return the hypothesis that X is above 1, and how far it is above, so that its logarithm is seen to be positive."""
    return (
        fact("X_larger_than_1", "X > 1, so its logarithm is positive", X, ">", 1, Assumed()),
        fact("X_above_1", "write X as 1 and more", X, "=", 1 + X_over, Reasoned("X - 1 is positive", using=("X_larger_than_1",))),
    )


def largest_step(largest: Any) -> Step:
    """Return the hypothesis that alpha is at most the largest step size that is allowed."""
    return fact("step_size", "alpha is at most the largest that is allowed", alpha, "<=", largest, Assumed())


def smoothing_radius(largest: Any) -> Step:
    """Return the hypothesis that lam is at most the printed smoothing radius."""
    return fact("smoothing_radius", "lam is at most its printed value", lam, "<=", largest, Assumed())


def lam_rule(for_clipping: Any, for_bias: Any) -> tuple[Step, Step]:
    """Return the hypotheses that lam is at most each end of the printed rule, which is the smaller of the two."""
    return (
        fact("lam_for_clipping", "lam is at most the first end of its rule", lam, "<=", for_clipping, Assumed()),
        fact("lam_for_bias", "lam is at most the second end of its rule", lam, "<=", for_bias, Assumed()),
    )


def at_threshold(factor: Any, scale: int) -> tuple[Step, ...]:
    """Return the steps that C_0 is at least `factor` times L_tilde, so its exponential at most exp(-L_tilde^2 / (scale L)^2).

    The printed threshold is sqrt(2) factor L_tilde, and lam for clipping leaves that; factor^2 scale^2 = 8.
    """
    return (
        line(
            "enough_threshold",
            "the printed C leaves C_0 at least C/sqrt(2), in L_tilde, for every lam up to the first end of the rule",
            C_0,
            ">=",
            factor * L_tilde,
            "ell lam d/2 <= (1 - 1/sqrt(2)) C",
            NonNegative((("part_of_C",), (ell * d / 2, "lam_for_clipping")), modulo=((1, "C"),)),
            where=GIVENS,
        ),
        line(
            "square_at_threshold",
            "so the square of C_0 is at least",
            C_0**2,
            ">=",
            factor**2 * L_tilde**2,
            "both are non-negative",
            NonNegative((("enough_threshold", C_0 + factor * L_tilde),)),
            where=GIVENS,
        ),
        line(
            "exponential",
            "the exponential of C_0 is no larger than that of L_tilde",
            sp.exp(-(C_0**2) / (8 * L**2)),
            "<=",
            sp.exp(-(L_tilde**2) / (scale * L) ** 2),
            "the exponential is increasing",
            NonNegative(((sp.exp(-(L_tilde**2) / (scale * L) ** 2), Instance("decay", (1 / (8 * L**2), "square_at_threshold"))),)),
            where=GIVENS,
        ),
    )


def inverse_of_X(scale: int) -> tuple[Step, ...]:
    """Return the steps that exp(-L_tilde^2 / (scale L)^2) is at most 1/X, as L_tilde is scale L times the root of log(X)."""
    return (
        line(
            "L_tilde_squared",
            "the square of L_tilde",
            L_tilde**2,
            "=",
            scale**2 * L**2 * sp.log(X),
            "insert L_tilde",
            Substitution(("L_tilde", "X_above_1")),
        ),
        line(
            "L_tilde_at_least",
            "what is used of the square of L_tilde",
            L_tilde**2,
            ">=",
            scale**2 * L**2 * sp.log(X),
            "the two sides are equal",
            NonNegative((), modulo=((1, "L_tilde_squared"),)),
            where=GIVENS,
        ),
        line(
            "one_over_X",
            "so L_tilde makes the exponential at most the inverse of X",
            sp.exp(-(L_tilde**2) / (scale * L) ** 2),
            "<=",
            1 / X,
            "the exponential is increasing",
            NonNegative(((1 / X, Instance("decay", (1 / (scale * L) ** 2, "L_tilde_at_least"))),)),
            where=GIVENS,
        ),
    )


def never_clipped() -> Step:
    """Return the step that a two-point gradient is no longer than C, from the facts NEVER_CLIPS."""
    return line(
        "never_clipped",
        "nothing is clipped: the length of a two-point gradient is at most C",
        estimate_norm,
        "<=",
        C,
        "||g_i|| <= L ||u_t||^2 = L d",
        NonNegative((("threshold",), (sp.sqrt(d), "lipschitz")), at=("on_the_sphere",), modulo=((-1, "estimate"),)),
        where=GIVENS,
    )


def averaged(source: str, bound: Any, now: Any = F_now, after: Any = F_next) -> Step:
    """Return the step that averages a line grad_sq <= rate (now - after) + ... over the steps."""
    return line(
        "averaged",
        "averaged over t = 0, ..., T - 1, the decreases of F_S telescope",
        mean_grad_sq,
        "<=",
        bound,
        "the line holds at every t, and tau is uniform and independent of the run",
        Telescoped(source),
        where=GIVENS,
    )
