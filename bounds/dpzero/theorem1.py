"""Theorem 1: DPGD-0th, a private two-point method with noise in every coordinate; error of order d^(3/2).

Setting   f(.; xi) L-Lipschitz for every xi, F_S ell-smooth, gap = F_S(x_0) - F_S^* finite (Assumption 3.1).
Method    x_{t+1} = x_t - alpha (mean of clip_C(g_i) + z_t),  g_i two-point gradient along u_t,  z_t ~ N(0, sigma^2 I_d).
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0, ..., T - 1: the points where gradients were taken.
Source    DPZero, Theorem 1, equations (3) and (12); proof in Appendix D.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero.common import ASSUMPTION_3_1, ONE_STEP, PAPER, below_trivial, proved, scheduled
from bounds.dpzero.shared import LIPSCHITZ, NEVER_CLIPPED, NEVER_CLIPS, NOISE, SECOND_MOMENT, SMOOTHED, for_any_schedule, last_steps, within
from bounds.lines import line, times
from bounds.meanings import ENDS
from bounds.symbols import A, C, F_next, F_now, L, T, alpha, d, ell, epsilon, gap, grad_sq, lam, n, sigma, symbols
from bounds.theorem import AtIntegerT

smooth_sq, G_sq, z_sq, grad_G, grad_z, G_z = symbols("smooth_sq G_sq z_sq grad_G grad_z G_z")

rate = sp.sqrt(d * A) / (n * epsilon)

# lemma: one step, for every step size (equation (12))
one_step = F_now - alpha / 2 * (1 - 2 * d * ell * alpha) * grad_sq + ell**2 / 8 * alpha * (1 + 2 * ell * alpha) * lam**2 * d**3
one_step += ell / 2 * alpha**2 * d * sigma**2
per_step = 4 / alpha * (F_now - F_next) + (1 + 2 * ell * alpha) / 2 * ell**2 * lam**2 * d**3 + 2 * ell * alpha * d * sigma**2

# any schedule with alpha <= 1/(4 ell d) and C >= L d: the average over T steps, with what is left of the lam term and without
noise = 64 * ell * C**2 * alpha * T * d * A / (n**2 * epsilon**2)
kept = 4 * gap / (alpha * T) + (1 + 2 * ell * alpha) / 2 * ell**2 * lam**2 * d**3 + noise
before = 4 * gap / (alpha * T) + ell**2 * lam**2 * d**3 + noise

# its best schedule
largest_alpha = 1 / (4 * ell * d)
best_T = n * epsilon / sp.sqrt(d * A)
largest_lam = 4 * L / (ell * d) * sp.sqrt(rate)
bound = 16 * (ell * gap + 2 * L**2) * d * rate

THEOREM = scheduled(
    "theorem1",
    "Theorem 1 (DPGD-0th)",
    "Theorem 1, equation (3)",
    method="dpgd_0th",
    assumptions=ASSUMPTION_3_1,
    schedule={"alpha": largest_alpha, "T": best_T, "C": L * d, "lam": largest_lam},
    bound=bound,
    any_schedule=before,
    asks=(sp.Ge(C, L * d),),
    per_step=per_step,
    at_integer_T=AtIntegerT(kept, trivial=L**2),
    conditions=(ONE_STEP, below_trivial(bound)),
    in_letters=(LIPSCHITZ,),
)


def proof() -> Derivation:
    """Write the proof out."""
    facts = (
        *NEVER_CLIPS,
        *within(largest_alpha, largest_lam),
        line("descent", F_next, "<=", F_now - alpha * (grad_G + grad_z) + ell / 2 * alpha**2 * (G_sq + 2 * G_z + z_sq))
        .says("the descent lemma along x_{t+1} - x_t = -alpha (G + z_t), which nothing clips")
        .cited("Nesterov (2018), Lectures on Convex Optimization, Lemma 1.2.3", using=("never_clipped",)),
        *NOISE,
        *SMOOTHED,
        SECOND_MOMENT,
        *ENDS,
    )
    quarter = (
        line("quarter", (1 + 2 * ell * alpha) / 2, "<=", sp.Rational(3, 4))
        .says("alpha and d leave at least a quarter of the lam term unused", "2 ell alpha <= 1/(2 d) <= 1/2")
        .by((ell, "step_size"), (1 / (4 * d), "d >= 1"))
    )
    steps = (
        NEVER_CLIPPED,
        # the steps to (12) and to what it says of one gradient
        line("noise_averaged", F_next, "<=", F_now - alpha * grad_G + ell / 2 * alpha**2 * (G_sq + d * sigma**2))
        .says("the loss F_next in expectation over z_t", "the descent lemma, with the moments of the noise")
        .by("descent", modulo=((alpha, "noise_and_gradient"), (-ell * alpha**2, "noise_and_step"), (-ell / 2 * alpha**2, "noise_length"))),
        line("one_step", F_next, "<=", one_step)
        .says("(12): F_S(x_{t+1}) in expectation over the step, in F_now and the squared norm of the gradient")
        .because("polarisation; drop the smoothed gradient, insert Lemma C.2 (ii) twice")
        .by("noise_averaged", *times(alpha / 2, smooth_sq, "bias"), (ell / 2 * alpha**2, "second_moment"), modulo=((alpha, "polarised"),)),
        line("per_step", grad_sq, "<=", per_step)
        .says("so the squared norm of the gradient at x_t is at most")
        .because("4/alpha times (12); alpha <= 1/(4 ell d) leaves at least half of the gradient term")
        .by((4 / alpha, "one_step"), (4 * d * ell * grad_sq, "step_size")),
        # the steps to the bound before the schedule is chosen
        *for_any_schedule(per_step, 2 * ell * alpha * d * sigma**2, noise, kept, before, quarter),
        # the steps to (3)
        line("first_term", 4 * gap / (alpha * T), "=", 16 * ell * gap * d * rate)
        .says("the term of gap, with the printed alpha and T", "alpha T = 1/(4 ell d rate)")
        .inserting("alpha", "T"),
        *last_steps("(3)", noise, rate, bound, largest_lam),
    )
    return proved(THEOREM, "DPGD-0th under Assumption 3.1", f"{PAPER}, Appendix D", facts, steps)
