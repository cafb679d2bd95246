"""Theorem 2: DPGD-0th on a loss of low effective rank; error of order d sqrt(r).

Setting   f(.; xi) L-Lipschitz and ell-smooth, -H <= Hessian of F_S <= H, ||H|| <= ell, Tr(H) <= r ||H|| (Assumption 3.5).
Method    as in Theorem 1: x_{t+1} = x_t - alpha (mean of clip_C(g_i) + z_t),  z_t ~ N(0, sigma^2 I_d).
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0, ..., T - 1.
Source    DPZero, Theorem 2, equations (5), (13), (14), (15); proof in Appendix D.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import GIVENS, Cited, Derivation, Identity, NonNegative, Reasoned, Shown, Step, Substitution, fact, line
from bounds.dpzero.common import (
    ASSUMPTION_3_5,
    LOG_TERM,
    ONE_STEP,
    PAPER,
    PRIVATE,
    REAL_T,
    RESOLVED_DOUBLE,
    RESOLVED_SINGLE,
    SIGMA,
    below_trivial,
)
from bounds.dpzero.shared import (
    BIASED,
    DIRECTION_IN_NORM_OF_H,
    IN_NORM_OF_H,
    LIPSCHITZ,
    LOW_RANK,
    NEVER_CLIPS,
    NOISE_IN_NORM_OF_H,
    POLARISED,
    G_Hz,
    averaged,
    largest_step,
    never_clipped,
    smoothing_radius,
)
from bounds.dpzero.smoothing import along, slope_signed
from bounds.dpzero.sphere import FOURTH_I
from bounds.meanings import GAP, LAST_ABOVE_LEAST
from bounds.symbols import A, C, L, Letter, T, alpha, d, ell, epsilon, gap, introduce, lam, n, r, sigma, symbols, trace
from bounds.theorem import Part, Theorem

F_now, F_next, F_first, F_last, mean_grad_sq, w_1 = symbols("F_now F_next F_first F_last mean_grad_sq w_1")
grad_sq, smooth_sq, grad_H, G_H, u_H, z_H, grad_G, grad_z = symbols("grad_sq smooth_sq grad_H G_H u_H z_H grad_G grad_z")
along_H = introduce(Letter("along_H", r"\mathbb{E}(u^{\top}\nabla F_S)^2u^{\top}Hu", "mean of (u'grad F_S)^2 u'Hu", 0, 1e9, "step"))

rate = sp.sqrt(r * A) / (n * epsilon)

# lemma: E G'HG, then one step, for every step size (equation (15))
curvature = 2 * ell * (r + 2) * grad_sq + ell**3 / 2 * lam**2 * d**2 * r
one_step = F_now - alpha / 2 * (1 - 2 * (r + 2) * ell * alpha) * grad_sq + ell**2 * alpha * lam**2 * d**2 * (d + 2 * r * ell * alpha) / 8
one_step += ell * alpha**2 * r * sigma**2 / 2

# any schedule with alpha <= 1/(4 ell (r + 2)) and C >= L d: the average, with what is left of the lam term and without
noise = 64 * ell * C**2 * alpha * T * r * A / (n**2 * epsilon**2)
kept = 4 * gap / (alpha * T) + ell**2 * lam**2 * d**2 * (d + 2 * r * ell * alpha) / 2 + noise
before = 4 * gap / (alpha * T) + ell**2 * lam**2 * d**3 + noise

# its best schedule
largest_alpha = 1 / (4 * ell * (r + 2))
best_T = n * (r + 2) * epsilon / (d * sp.sqrt(r * A))
largest_lam = 4 * L / (ell * d) * sp.sqrt(rate)
bound = 16 * (ell * gap + 2 * L**2) * d * rate

THEOREM = Theorem(
    key="dpzero.theorem2",
    title="Theorem 2 (DPGD-0th, low effective rank)",
    source=f"{PAPER}, Theorem 2, equation (5)",
    claim="upper",
    measure="E ||grad F_S(x_tau)||^2",
    method="dpgd_0th",
    assumptions=ASSUMPTION_3_5,
    definitions={"A": LOG_TERM},
    schedule={"alpha": largest_alpha, "T": best_T, "C": L * d, "lam": largest_lam, "sigma": SIGMA},
    bound=bound,
    any_schedule=before,
    valid_if=(alpha <= largest_alpha, sp.Ge(C, L * d)),
    parts=(Part("count", "two-point gradients n T", "=", n * T),),
    conditions=(PRIVATE, ONE_STEP, below_trivial(bound), RESOLVED_SINGLE, RESOLVED_DOUBLE),
    notes=(REAL_T,),
    measured=mean_grad_sq,
    in_letters=(LIPSCHITZ, *LOW_RANK),
)

per_step = 4 / alpha * (F_now - F_next) + ell**2 * lam**2 * d**2 * (d + 2 * r * ell * alpha) / 2 + 2 * ell * alpha * r * sigma**2
per_run = per_step - 4 / alpha * (F_now - F_next) + 4 / (alpha * T) * (F_first - F_last)
spread = ell**2 / 2 * lam**2 * d**2  # what (14) adds


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.theorem2",
        title="DPGD-0th under Assumption 3.5",
        source=f"{PAPER}, Appendix D",
        proves=THEOREM,
        facts=(
            *NEVER_CLIPS,
            largest_step(largest_alpha),
            smoothing_radius(largest_lam),
            *IN_NORM_OF_H,
            fact(
                "taylor",
                "along x_{t+1} - x_t = -alpha (G + z_t), which nothing clips; the Hessian of F_S is at most H",
                F_next,
                "<=",
                F_now - alpha * (grad_G + grad_z) + alpha**2 / 2 * (G_H + 2 * G_Hz + z_H),
                Cited("Taylor's theorem with Lagrange's remainder", using=("never_clipped",)),
            ),
            *NOISE_IN_NORM_OF_H,
            *_curvature_facts(),
            POLARISED,
            BIASED,
            LAST_ABOVE_LEAST,
            GAP,
        ),
        steps=(never_clipped(), _curvature(), *_one_step(), *_any_schedule(), *_printed_schedule()),
    )


def _curvature_facts() -> tuple[Step, ...]:
    """Return what is taken on E G'HG."""
    return (
        fact(
            "equation_14",
            "(14) for F_S and one direction, Lemma C.2",
            slope_signed**2,
            "<=",
            2 * along**2 + spread,
            Shown("dpzero.lemma_c2", "square"),
        ),
        fact(
            "times_u_H",
            "(14) times u'Hu >= 0 in expectation; G is the two-point difference of F_S times u",
            G_H,
            "<=",
            2 * along_H + spread * u_H,
            Reasoned("the expectation of what holds for every u", using=("equation_14",)),
        ),
        fact("fourth_moment", "Lemma C.1, in the proof of (iii)", w_1, "=", FOURTH_I, Shown("dpzero.lemma_c1", "fourth_moment")),
        fact(
            "weighted",
            "Lemma C.1 (iv) for every d, d = 1 and a gradient of 0 included: E (u'a)^2 uu' is a multiple of 2 aa' + ||a||^2 I",
            along_H,
            "=",
            w_1 / 3 * (2 * grad_H + grad_sq * trace),
            Reasoned("fourth moments are symmetric and unchanged by rotations; for a = e_1 the first entry, 3 times the multiple, is w_1"),
        ),
        *DIRECTION_IN_NORM_OF_H,
    )


def _curvature() -> Step:
    """Return the step that bounds E G'HG, which Theorem 3 uses too."""
    return line(
        "curvature",
        "E G'HG, the two-point gradient in the norm of H, by (14) times u'Hu >= 0 and Lemma C.1 (iv)",
        G_H,
        "<=",
        curvature,
        "d/(d + 2) <= 1, ||H|| <= ell, Tr(H) <= r ell",
        NonNegative(
            (
                ("times_u_H",),
                (4 * d / (d + 2), "largest_eigenvalue"),
                (2 * d / (d + 2) * grad_sq, "effective_rank"),
                (4 / (d + 2) * ell * (r + 2) * grad_sq,),
                (spread, "effective_rank"),
            ),
            modulo=(
                (-2, "weighted"),
                (-sp.Rational(2, 3) * (2 * grad_H + grad_sq * trace), "fourth_moment"),
                (-spread, "mean_u_H"),
                (-spread * trace, "coordinate"),
            ),
        ),
        where=GIVENS,
    )


def _one_step() -> tuple[Step, ...]:
    """Return the steps to (15) and to what it says of one gradient."""
    return (
        line(
            "noise_averaged",
            "(13): the loss F_next in expectation over z_t",
            F_next,
            "<=",
            F_now - alpha * grad_G + alpha**2 / 2 * G_H + alpha**2 * sigma**2 / 2 * trace,
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
            "(15): F_S(x_{t+1}) in expectation over the step, in F_now and the squared norm of the gradient",
            F_next,
            "<=",
            one_step,
            "polarisation; drop the smoothed gradient, insert the bias of Lemma C.2 (ii), E G'HG and Tr(H) <= r ell",
            NonNegative(
                (
                    ("noise_averaged",),
                    (alpha / 2, smooth_sq),
                    (alpha / 2, "bias"),
                    (alpha**2 / 2, "curvature"),
                    (alpha**2 * sigma**2 / 2, "effective_rank"),
                ),
                modulo=((alpha, "polarised"),),
            ),
            where=GIVENS,
        ),
        line(
            "per_step",
            "so the squared norm of the gradient at x_t is at most",
            grad_sq,
            "<=",
            per_step,
            "4/alpha times (15); alpha <= 1/(4 ell (r + 2)) leaves at least half of the gradient term",
            NonNegative(((4 / alpha, "one_step"), (4 * (r + 2) * ell * grad_sq, "step_size"))),
            where=GIVENS,
        ),
    )


def _any_schedule() -> tuple[Step, ...]:
    """Return the steps to the bound before the schedule is chosen."""
    return (
        averaged("per_step", per_run),
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
            "F_S(x_T) >= F_S^*",
            NonNegative((("averaged",), (4 / (alpha * T), "last_above_least")), modulo=((4 / (alpha * T), "gap"), (-1, "noise_term"))),
            where=GIVENS,
        ),
        line(
            "quarter",
            "alpha and d leave at least a quarter of the lam term unused",
            (1 + 2 * r * ell * alpha / d) / 2,
            "<=",
            sp.Rational(3, 4),
            "2 r ell alpha <= r / (2 (r + 2)) < 1/2 and d >= 1",
            NonNegative(((1 / (4 * d), "d >= 1"), (1 / (2 * d * (r + 2)),), (r * ell / d, "step_size"))),
            where=GIVENS,
        ),
        line(
            "any_schedule",
            "the average of the squared gradient norms for any schedule",
            mean_grad_sq,
            "<=",
            before,
            "with the whole lam term",
            NonNegative((("kept",), (ell**2 * lam**2 * d**3, "quarter"), (ell**2 * lam**2 * d**3 / 4,))),
            where=GIVENS,
        ),
    )


def _printed_schedule() -> tuple[Step, ...]:
    """Return the steps to (5)."""
    return (
        line("alpha_T", "the printed alpha and T", alpha * T, "=", 1 / (4 * ell * d * rate), "insert them", Substitution(("alpha", "T"))),
        line(
            "first_term",
            "the term of gap, with the printed alpha and T",
            4 * gap / (alpha * T),
            "=",
            16 * ell * gap * d * rate,
            "alpha T = 1/(4 ell d rate)",
            Identity(modulo=((-16 * ell * gap * d * rate / (alpha * T), "alpha_T"),)),
            where=GIVENS,
        ),
        line(
            "noise_at_schedule",
            "the noise term with the printed alpha, T and C",
            noise,
            "=",
            16 * L**2 * d * rate,
            "insert them",
            Substitution(("alpha", "T", "C")),
        ),
        line(
            "bound",
            "(5): the average of the squared gradient norms at the printed schedule, for every lam up to the printed one",
            mean_grad_sq,
            "<=",
            bound,
            "the sum of the three terms",
            NonNegative(
                (("any_schedule",), (ell**2 * d**3, "smoothing_radius", largest_lam + lam)),
                modulo=((-1, "first_term"), (-1, "noise_at_schedule")),
            ),
            where=GIVENS,
        ),
    )
