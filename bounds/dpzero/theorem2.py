"""Theorem 2: DPGD-0th on a loss of low effective rank; error of order d sqrt(r).

Setting   f(.; xi) L-Lipschitz and ell-smooth, -H <= Hessian of F_S <= H, ||H|| <= ell, Tr(H) <= r ||H|| (Assumption 3.5).
Method    as in Theorem 1: x_{t+1} = x_t - alpha (mean of clip_C(g_i) + z_t),  z_t ~ N(0, sigma^2 I_d).
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0, ..., T - 1.
Source    DPZero, Theorem 2, equations (5), (13), (14), (15); proof in Appendix D.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero import shared
from bounds.dpzero.common import ASSUMPTION_3_5, ONE_STEP, PAPER, below_trivial, proved, scheduled
from bounds.dpzero.smoothing import along, slope_signed
from bounds.dpzero.sphere import FOURTH_MOMENT, UNCHANGED_BY_ROTATIONS
from bounds.lines import line, times
from bounds.meanings import ENDS
from bounds.symbols import A, C, F_next, F_now, L, T, alpha, d, ell, epsilon, gap, grad_sq, introduce, lam, n, r, sigma, symbols, trace
from bounds.theorem import AtIntegerT

w_1, smooth_sq, grad_H, G_H, u_H, z_H, grad_G, grad_z = symbols("w_1 smooth_sq grad_H G_H u_H z_H grad_G grad_z")
along_H = introduce("along_H", r"\mathbb{E}(u^{\top}\nabla F_S)^2u^{\top}Hu", "mean of (u'grad F_S)^2 u'Hu", 0, 1e9, "step")

rate = sp.sqrt(r * A) / (n * epsilon)

# lemma: E G'HG, then one step, for every step size (equation (15))
curvature = 2 * ell * (r + 2) * grad_sq + ell**3 / 2 * lam**2 * d**2 * r
one_step = F_now - alpha / 2 * (1 - 2 * (r + 2) * ell * alpha) * grad_sq + ell**2 * alpha * lam**2 * d**2 * (d + 2 * r * ell * alpha) / 8
one_step += ell * alpha**2 * r * sigma**2 / 2
per_step = 4 / alpha * (F_now - F_next) + ell**2 * lam**2 * d**2 * (d + 2 * r * ell * alpha) / 2 + 2 * ell * alpha * r * sigma**2

# any schedule with alpha <= 1/(4 ell (r + 2)) and C >= L d: the average, with what is left of the lam term and without
noise = 64 * ell * C**2 * alpha * T * r * A / (n**2 * epsilon**2)
kept = 4 * gap / (alpha * T) + ell**2 * lam**2 * d**2 * (d + 2 * r * ell * alpha) / 2 + noise
before = 4 * gap / (alpha * T) + ell**2 * lam**2 * d**3 + noise

# its best schedule
largest_alpha = 1 / (4 * ell * (r + 2))
best_T = n * (r + 2) * epsilon / (d * sp.sqrt(r * A))
largest_lam = 4 * L / (ell * d) * sp.sqrt(rate)
bound = 16 * (ell * gap + 2 * L**2) * d * rate

THEOREM = scheduled(
    "theorem2",
    "Theorem 2 (DPGD-0th, low effective rank)",
    "Theorem 2, equation (5)",
    method="dpgd_0th",
    assumptions=ASSUMPTION_3_5,
    schedule={"alpha": largest_alpha, "T": best_T, "C": L * d, "lam": largest_lam},
    bound=bound,
    any_schedule=before,
    asks=(sp.Ge(C, L * d),),
    per_step=per_step,
    at_integer_T=AtIntegerT(kept, trivial=L**2),
    conditions=(ONE_STEP, below_trivial(bound)),
    in_letters=(shared.LIPSCHITZ, *shared.LOW_RANK),
)

spread = ell**2 / 2 * lam**2 * d**2  # what (14) adds


def proof() -> Derivation:
    """Write the proof out."""
    facts = (
        *shared.NEVER_CLIPS,
        *shared.within(largest_alpha, largest_lam),
        *shared.IN_NORM_OF_H,
        line("taylor", F_next, "<=", F_now - alpha * (grad_G + grad_z) + alpha**2 / 2 * (G_H + 2 * shared.G_Hz + z_H))
        .says("along x_{t+1} - x_t = -alpha (G + z_t), which nothing clips; the Hessian of F_S is at most H")
        .cited("Taylor's theorem with Lagrange's remainder", using=("never_clipped",)),
        *shared.NOISE_IN_NORM_OF_H,
        # what is taken on E G'HG
        line("equation_14", slope_signed**2, "<=", 2 * along**2 + spread)
        .says("(14) for F_S and one direction, Lemma C.2")
        .shown("dpzero.lemma_c2", "square"),
        line("times_u_H", G_H, "<=", 2 * along_H + spread * u_H)
        .says("(14) times u'Hu >= 0 in expectation; G is the two-point difference of F_S times u")
        .reasoned("the expectation of what holds for every u", using=("equation_14",)),
        FOURTH_MOMENT,
        line("weighted", along_H, "=", w_1 / 3 * (2 * grad_H + grad_sq * trace))
        .says("Lemma C.1 (iv) for every d, d = 1 and a gradient of 0 included: E (u'a)^2 uu' is a multiple of 2 aa' + ||a||^2 I")
        .certified(UNCHANGED_BY_ROTATIONS),
        *shared.DIRECTION_IN_NORM_OF_H,
        *shared.SMOOTHED,
        *ENDS,
    )
    quarter = (
        line("quarter", (1 + 2 * r * ell * alpha / d) / 2, "<=", sp.Rational(3, 4))
        .says("alpha and d leave at least a quarter of the lam term unused", "2 r ell alpha <= r / (2 (r + 2)) < 1/2 and d >= 1")
        .by((1 / (4 * d), "d >= 1"), 1 / (2 * d * (r + 2)), (r * ell / d, "step_size"))
    )
    steps = (
        shared.NEVER_CLIPPED,
        line("curvature", G_H, "<=", curvature)
        .says("E G'HG, the two-point gradient in the norm of H, by (14) times u'Hu >= 0 and Lemma C.1 (iv)")
        .because("d/(d + 2) <= 1, ||H|| <= ell, Tr(H) <= r ell")
        .by(
            "times_u_H",
            (4 * d / (d + 2), "largest_eigenvalue"),
            (2 * d / (d + 2) * grad_sq, "effective_rank"),
            4 / (d + 2) * ell * (r + 2) * grad_sq,
            (spread, "effective_rank"),
            modulo=(
                (-2, "weighted"),
                (-sp.Rational(2, 3) * (2 * grad_H + grad_sq * trace), "fourth_moment"),
                (-spread, "mean_u_H"),
                (-spread * trace, "coordinate"),
            ),
        ),
        # the steps to (15) and to what it says of one gradient
        line("noise_averaged", F_next, "<=", F_now - alpha * grad_G + alpha**2 / 2 * G_H + alpha**2 * sigma**2 / 2 * trace)
        .says("(13): the loss F_next in expectation over z_t", "Taylor's theorem, with the moments of the noise")
        .by("taylor", modulo=((alpha, "noise_and_gradient"), (-(alpha**2), "noise_and_step"), (-(alpha**2) / 2, "noise_length"))),
        line("one_step", F_next, "<=", one_step)
        .says("(15): F_S(x_{t+1}) in expectation over the step, in F_now and the squared norm of the gradient")
        .because("polarisation; drop the smoothed gradient, insert the bias of Lemma C.2 (ii), E G'HG and Tr(H) <= r ell")
        .by(
            "noise_averaged",
            *times(alpha / 2, smooth_sq, "bias"),
            (alpha**2 / 2, "curvature"),
            (alpha**2 * sigma**2 / 2, "effective_rank"),
            modulo=((alpha, "polarised"),),
        ),
        line("per_step", grad_sq, "<=", per_step)
        .says("so the squared norm of the gradient at x_t is at most")
        .because("4/alpha times (15); alpha <= 1/(4 ell (r + 2)) leaves at least half of the gradient term")
        .by((4 / alpha, "one_step"), (4 * (r + 2) * ell * grad_sq, "step_size")),
        # the steps to the bound before the schedule is chosen
        *shared.for_any_schedule(per_step, 2 * ell * alpha * r * sigma**2, noise, kept, before, quarter),
        # the steps to (5)
        line("alpha_T", alpha * T, "=", 1 / (4 * ell * d * rate)).says("the printed alpha and T", "insert them").inserting("alpha", "T"),
        line("first_term", 4 * gap / (alpha * T), "=", 16 * ell * gap * d * rate)
        .says("the term of gap, with the printed alpha and T", "alpha T = 1/(4 ell d rate)")
        .identity((-16 * ell * gap * d * rate / (alpha * T), "alpha_T")),
        *shared.last_steps("(5)", noise, rate, bound, largest_lam),
    )
    return proved(THEOREM, "DPGD-0th under Assumption 3.5", f"{PAPER}, Appendix D", facts, steps)
