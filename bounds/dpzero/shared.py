"""Lines that the proofs of DPZero share: what is drawn, what clipping does not touch, Lemma C.2 as it is used, and the sum over steps."""

from typing import Any

import sympy as sp

from bounds.dpzero.common import SIGMA
from bounds.dpzero.meanings import ESTIMATE, ON_THE_SPHERE
from bounds.dpzero.smoothing import BIAS, g_sq, grad_f_sq, second_moment
from bounds.dpzero.sphere import coordinate_sq
from bounds.inequalities import Instance
from bounds.lines import Step, line
from bounds.symbols import A, C, L, L_tilde, T, X, alpha, d, delta, ell, epsilon, introduce, lam, r, sigma, symbols, trace

F_first, F_last, F_now, F_next = symbols("F_first F_last F_now F_next")
grad_sq, smooth_sq, bias_sq, grad_G, grad_z, G_z, z_sq, G_sq = symbols("grad_sq smooth_sq bias_sq grad_G grad_z G_z z_sq G_sq")
u_norm, slope, estimate_norm, mean_grad_sq = symbols("u_norm slope estimate_norm mean_grad_sq")
grad_H, u_H, z_H, C_0, T_star, a_T, b_T = symbols("grad_H u_H z_H C_0 T_star a_T b_T")
X_over = introduce("X_over", "X-1", "how far X is above 1", 0.01, 1e60, "proof")
G_Hz = introduce("G_Hz", r"\langle G_\lambda,Hz_t\rangle", "inner product of two-point gradient and H z", -1e6, 1e6, "step")

LIPSCHITZ = sp.Le(slope, L * u_norm)  # f(.; xi) is L-Lipschitz, for a two-point difference
LOW_RANK = (sp.Le(trace, r * ell), sp.Le(grad_H, ell * grad_sq))  # Tr(H) <= r ||H||, ||H|| <= ell

IS_LIPSCHITZ = line("lipschitz", slope, "<=", L * u_norm).says("f(.; xi) is L-Lipschitz, so is its slope along u_t").assumed()
NEVER_CLIPS = (IS_LIPSCHITZ, line("threshold", C, ">=", L * d).says("C >= L d").assumed(), ON_THE_SPHERE, ESTIMATE)
NOISE_AND_GRADIENT = (
    line("noise_and_gradient", grad_z, "=", 0).says("z_t is independent of x_t and has mean 0").reasoned("E z_t = 0 given the past")
)
NOISE = (
    NOISE_AND_GRADIENT,
    line("noise_and_step", G_z, "=", 0).says("z_t is independent of u_t as well").reasoned("E z_t = 0 given the past and u_t"),
    line("noise_length", z_sq, "=", d * sigma**2).says("E ||z_t||^2 adds up over the coordinates").reasoned("d independent coordinates"),
)
IN_NORM_OF_H = (
    line("effective_rank", trace, "<=", r * ell).says("Tr(H) <= r ||H|| <= r ell").assumed(),
    line("largest_eigenvalue", grad_H, "<=", ell * grad_sq).says("||H|| <= ell, also along the gradient").assumed(),
)
NOISE_LENGTH_IN_H = line("noise_length", z_H, "=", sigma**2 * trace).says("E z_t' H z_t = sigma^2 Tr(H)").reasoned("E z_t z_t' = sigma^2 I")
NOISE_IN_NORM_OF_H = (
    NOISE_AND_GRADIENT,
    line("noise_and_step", G_Hz, "=", 0).says("z_t is independent of u_t as well").reasoned("E z_t = 0 given the past and u_t"),
    NOISE_LENGTH_IN_H,
)
DIRECTION_IN_NORM_OF_H = (
    line("coordinate", coordinate_sq, "=", 1).says("Lemma C.1 (i)").shown("dpzero.lemma_c1", "variance_of_a_coordinate"),
    line("mean_u_H", u_H, "=", coordinate_sq * trace).says("E uu' is a multiple of I").reasoned("E u_i u_j = 0, equal mean squares"),
)
POLARISED = (
    line("polarised", grad_G, "=", (grad_sq + smooth_sq - bias_sq) / 2)
    .says("E <grad F_S, G> is that of the smoothed gradient (Lemma C.2 (i)), and 2 a'b = ||a||^2 + ||b||^2 - ||a - b||^2")
    .reasoned("E G = grad F_lam given the past, because u_t is independent of x_t")
)
CALIBRATED = line("sigma", sigma, "=", SIGMA).says("the noise that Lemma 2.2 asks for").defined("Lemma 2.2")
WHOLE_T = (
    line("ceiling", T, ">=", T_star).says("T the ceiling of T*").case(),
    line("ceiling_below", T, "<=", T_star + 1).says("T the ceiling of T*").case(),
    line("floor", T, "<=", T_star).says("T the floor of T*").case(),
    line("floor_above", T, ">=", T_star - 1).says("T the floor of T*").case(),
)
LARGER_TERM = (
    line("first_larger", a_T, ">=", b_T * T_star**2).says("the first term is the larger one at T*").case(),
    line("first_smaller", a_T, "<=", b_T * T_star**2).says("the first term is the smaller one at T*").case(),
)
BIASED = line("bias", bias_sq, "<=", BIAS**2).says("Lemma C.2 (ii), squared").shown("dpzero.lemma_c2", "bias_squared")
SMOOTHED = (POLARISED, BIASED)  # the two-point gradient against the gradient
SECOND_MOMENT = (
    line("second_moment", G_sq, "<=", second_moment(grad_sq))
    .says("Lemma C.2 (ii) and Jensen's inequality over the samples")
    .shown("dpzero.lemma_c2", "second_moment", {g_sq: G_sq, grad_f_sq: grad_sq})
)


A_AT_LEAST_1 = (
    line("A_at_least_1", A, ">=", 1)
    .says("A is the logarithm of e and more", "exp(y) >= 1 + y at y = 1 - A")
    .by(Instance("exponential", 1 - sp.log(sp.E + (epsilon / delta))), (epsilon / delta) / (sp.E + (epsilon / delta)), modulo=((1, "A"),))
)


X_LARGER_THAN_1 = line("X_larger_than_1", X, ">", 1).says("X > 1, so its logarithm is positive").assumed()
X_ABOVE_ONE = (
    X_LARGER_THAN_1,
    line("X_above_1", X, "=", 1 + X_over).says("write X as 1 and more").reasoned("X - 1 is positive", using=("X_larger_than_1",)),
)


def largest_step(largest: Any) -> Step:
    """Return the hypothesis that alpha is at most the largest step size that is allowed."""
    return line("step_size", alpha, "<=", largest).says("alpha is at most the largest that is allowed").assumed()


def within(largest_alpha: Any, largest_lam: Any) -> tuple[Step, Step]:
    """Return the hypotheses that alpha and lam are at most their largest values."""
    return (
        largest_step(largest_alpha),
        line("smoothing_radius", lam, "<=", largest_lam).says("lam is at most its printed value").assumed(),
    )


def lam_relations(for_clipping: Any, for_bias: Any) -> tuple[Any, Any]:
    """Return what `lam_rule` says, as a theorem has it."""
    return sp.Le(lam, for_clipping), sp.Le(lam, for_bias)


def lam_rule(for_clipping: Any, for_bias: Any) -> tuple[Step, Step]:
    """Return the hypotheses that lam is at most each end of the printed rule, which is the smaller of the two."""
    return (
        line("lam_for_clipping", lam, "<=", for_clipping).says("lam is at most the first end of its rule").assumed(),
        line("lam_for_bias", lam, "<=", for_bias).says("lam is at most the second end of its rule").assumed(),
    )


def at_threshold(factor: Any, scale: int) -> tuple[Step, ...]:
    """Return the steps that C_0 is at least `factor` times L_tilde, so its exponential at most exp(-L_tilde^2 / (scale L)^2).

    The printed threshold is sqrt(2) factor L_tilde, and lam for clipping leaves that; factor^2 scale^2 = 8.
    """
    return (
        line("enough_threshold", C_0, ">=", factor * L_tilde)
        .says("the printed C leaves C_0 at least C/sqrt(2), in L_tilde, for every lam up to the first end of the rule")
        .because("ell lam d/2 <= (1 - 1/sqrt(2)) C")
        .by("part_of_C", (ell * d / 2, "lam_for_clipping"), modulo=((1, "C"),)),
        line("square_at_threshold", C_0**2, ">=", factor**2 * L_tilde**2)
        .says("so the square of C_0 is at least", "both are non-negative")
        .by(("enough_threshold", C_0 + factor * L_tilde)),
        line("exponential", sp.exp(-(C_0**2) / (8 * L**2)), "<=", sp.exp(-(L_tilde**2) / (scale * L) ** 2))
        .says("the exponential of C_0 is no larger than that of L_tilde", "the exponential is increasing")
        .by((sp.exp(-(L_tilde**2) / (scale * L) ** 2), Instance("decay", (1 / (8 * L**2), "square_at_threshold")))),
    )


def inverse_of_X(scale: int) -> tuple[Step, ...]:
    """Return the steps that exp(-L_tilde^2 / (scale L)^2) is at most 1/X, as L_tilde is scale L times the root of log(X)."""
    return (
        line("L_tilde_squared", L_tilde**2, "=", scale**2 * L**2 * sp.log(X))
        .says("the square of L_tilde", "insert L_tilde")
        .inserting("L_tilde", "X_above_1"),
        line("L_tilde_at_least", L_tilde**2, ">=", scale**2 * L**2 * sp.log(X))
        .says("what is used of the square of L_tilde", "the two sides are equal")
        .by(modulo=((1, "L_tilde_squared"),)),
        line("one_over_X", sp.exp(-(L_tilde**2) / (scale * L) ** 2), "<=", 1 / X)
        .says("so L_tilde makes the exponential at most the inverse of X", "the exponential is increasing")
        .by((1 / X, Instance("decay", (1 / (scale * L) ** 2, "L_tilde_at_least")))),
    )


NEVER_CLIPPED = (
    line("never_clipped", estimate_norm, "<=", C)
    .says("nothing is clipped: the length of a two-point gradient is at most C", "||g_i|| <= L ||u_t||^2 = L d")
    .by("threshold", (sp.sqrt(d), "lipschitz"), at=("on_the_sphere",), modulo=((-1, "estimate"),))
)


def noise_term(of_sigma: Any, noise: Any) -> Step:
    """Return the step that inserts sigma into the noise term."""
    words = "the noise that the schedule prescribes, sigma inserted"
    return line("noise_term", of_sigma, "=", noise).says(words).because("insert sigma").inserting("sigma")


def averaged(source: str, per_step: Any, rate: Any, run: tuple[Any, Any, Any, Any] = (F_now, F_next, F_first, F_last)) -> Step:
    """Return the step that averages the line `source`, grad_sq <= per_step, over the steps.

    In it `rate` multiplies the decrease from the first to the second loss of `run`, which telescopes to that from the third to the fourth.
    """
    now, after, first, last = run
    return (
        line("averaged", mean_grad_sq, "<=", per_step - rate * (now - after) + rate / T * (first - last))
        .says("averaged over t = 0, ..., T - 1, the decreases of F_S telescope")
        .because("the line holds at every t, and tau is uniform and independent of the run")
        .averaging(source)
    )


def for_any_schedule(per_step: Any, of_sigma: Any, noise: Any, kept: Any, before: Any, quarter: Step) -> tuple[Step, ...]:
    """Return the steps of DPGD-0th from one gradient to the bound before the schedule is chosen; `quarter` is left of the lam term."""
    return (
        averaged("per_step", per_step, 4 / alpha),
        noise_term(of_sigma, noise),
        line("kept", mean_grad_sq, "<=", kept)
        .says("the average of the squared gradient norms for any schedule, with what is left of the lam term", "F_S(x_T) >= F_S^*")
        .by("averaged", (4 / (alpha * T), "last_above_least"), modulo=((4 / (alpha * T), "gap"), (-1, "noise_term"))),
        quarter,
        line("any_schedule", mean_grad_sq, "<=", before)
        .says("the average of the squared gradient norms for any schedule", "with the whole lam term")
        .by("kept", (ell**2 * lam**2 * d**3, "quarter"), ell**2 * lam**2 * d**3 / 4),
    )


def last_steps(equation: str, noise: Any, rate: Any, bound: Any, largest_lam: Any) -> tuple[Step, ...]:
    """Return the last steps of DPGD-0th, to the printed bound."""
    return (
        line("noise_at_schedule", noise, "=", 16 * L**2 * d * rate)
        .says("the noise term with the printed alpha, T and C", "insert them")
        .inserting("alpha", "T", "C"),
        line("bound", mean_grad_sq, "<=", bound)
        .says(f"{equation}: the average of the squared gradient norms at the printed schedule, for every lam up to the printed one")
        .because("the sum of the three terms")
        .by("any_schedule", (ell**2 * d**3, "smoothing_radius", largest_lam + lam), modulo=((-1, "first_term"), (-1, "noise_at_schedule"))),
    )
