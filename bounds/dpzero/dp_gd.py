"""DP-GD, the first-order baseline: error of order sqrt(r), and of order sqrt(d) without low effective rank.

Setting   Assumption 3.5; with r = d it covers every loss that is Lipschitz, smooth and twice differentiable.
Method    x_{t+1} = x_t - alpha (mean of clip_C(grad f(x_t; xi_i)) + z_t),  z_t ~ N(0, sigma^2 I_d).
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0, ..., T - 1.
Source    DPZero gives the update (Section 2.1) and the order (Table 1), but no schedule; the schedule, the constants and the proof
          are ours.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero import shared
from bounds.dpzero.common import ASSUMPTION_3_5, ONE_STEP, SIGMA, below_trivial, proved, scheduled
from bounds.lines import line, times
from bounds.meanings import ENDS
from bounds.symbols import A, C, L, T, alpha, ell, epsilon, gap, introduce, n, r, sigma, symbols, trace
from bounds.theorem import AtIntegerT

F_now, F_next, F_first, F_last, mean_grad_sq = symbols("F_now F_next F_first F_last mean_grad_sq")
grad_sq, grad_H, grad_z, z_H, T_star, a_T, b_T = symbols("grad_sq grad_H grad_z z_H T_star a_T b_T")
grad_Hz = introduce("grad_Hz", r"\langle\nabla F_S,Hz_t\rangle", "inner product of gradient and H z", -1e6, 1e6, "step")
sample_grad = introduce("sample_grad", r"\|\nabla f(x_t;\xi_i)\|", "length of the gradient of a sample", 0, 1e6, "proof", changes=True)

rate = sp.sqrt(r * A) / (n * epsilon)

# lemma: one step, for every step size
one_step = F_now - alpha * (1 - ell * alpha / 2) * grad_sq + ell * alpha**2 * r * sigma**2 / 2
per_step = 2 / alpha * (F_now - F_next) + ell * alpha * r * sigma**2

# any schedule with alpha <= 1/ell and C >= L: the average over T steps
before = 2 * gap / (alpha * T) + 32 * ell * C**2 * alpha * T * r * A / (n**2 * epsilon**2)

# the same with what is left: x_tau never uses the update of step T - 1, so only T - 1 of the T noises count
kept = 2 * gap / (alpha * T) + 32 * ell * C**2 * alpha * (T - 1) * r * A / (n**2 * epsilon**2)

best_T = 1 / rate
bound = (2 * ell * gap + 32 * L**2) * rate

THEOREM = scheduled(
    "dp_gd",
    "DP-GD (first-order baseline)",
    "Section 2.1 and Table 1; schedule and constants ours",
    method="dp_gd",
    assumptions=ASSUMPTION_3_5,
    schedule={"alpha": 1 / ell, "T": best_T, "C": L},
    bound=bound,
    any_schedule=before,
    asks=(sp.Ge(C, L),),
    per_step=per_step,
    at_integer_T=AtIntegerT(kept, trivial=L**2),
    counted="gradients",
    conditions=(ONE_STEP, below_trivial(bound)),
    in_letters=(sp.Le(sample_grad, L), *shared.LOW_RANK),
)

HYPOTHESES = (  # of the theorem, in the letters of the proofs
    line("lipschitz", sample_grad, "<=", L).says("f(.; xi) is L-Lipschitz, so its gradient is no longer than L").assumed(),
    *shared.IN_NORM_OF_H,
)


def proof() -> Derivation:
    """Write the proof out."""
    facts = (
        *HYPOTHESES,
        line("threshold", C, ">=", L).says("C >= L").assumed(),
        shared.largest_step(1 / ell),
        line("taylor", F_next, "<=", F_now - alpha * (grad_sq + grad_z) + alpha**2 / 2 * (grad_H + 2 * grad_Hz + z_H))
        .says("along x_{t+1} - x_t = -alpha (grad F_S + z_t), which nothing clips; the Hessian of F_S is at most H")
        .cited("Taylor's theorem with Lagrange's remainder", using=("never_clipped",)),
        shared.NOISE_AND_GRADIENT,
        line("noise_and_step", grad_Hz, "=", 0).says("z_t is independent of x_t").reasoned("E z_t = 0 given the past"),
        shared.NOISE_LENGTH_IN_H,
        *ENDS,
    )
    steps = (
        # the steps to the lemma and to what it says of one gradient
        line("never_clipped", sample_grad, "<=", C)
        .says("nothing is clipped: the length of the gradient of a sample is at most C", "||grad f(x; xi)|| <= L")
        .by("lipschitz", "threshold"),
        line("noise_averaged", F_next, "<=", F_now - alpha * grad_sq + alpha**2 / 2 * grad_H + alpha**2 * sigma**2 / 2 * trace)
        .says("the loss F_next in expectation over z_t", "Taylor's theorem, with the moments of the noise")
        .by("taylor", modulo=((alpha, "noise_and_gradient"), (-(alpha**2), "noise_and_step"), (-(alpha**2) / 2, "noise_length"))),
        line("one_step", F_next, "<=", one_step)
        .says("F_S(x_{t+1}) in expectation over the step, in F_now and the squared norm of the gradient", "||H|| <= ell and Tr(H) <= r ell")
        .by("noise_averaged", (alpha**2 / 2, "largest_eigenvalue"), (alpha**2 * sigma**2 / 2, "effective_rank")),
        line("per_step", grad_sq, "<=", per_step)
        .says("for alpha <= 1/ell the squared norm of the gradient at x_t is at most")
        .because("2/alpha times the line before, and 1 - ell alpha/2 >= 1/2")
        .by((2 / alpha, "one_step"), (ell * grad_sq, "step_size")),
        # the steps to the bound before the schedule is chosen
        shared.averaged("per_step", per_step, 2 / alpha),
        shared.noise_term(ell * alpha * r * sigma**2, 32 * ell * C**2 * alpha * T * r * A / (n**2 * epsilon**2)),
        line("any_schedule", mean_grad_sq, "<=", before)
        .says("the average of the squared gradient norms for any schedule", "F_S(x_T) >= F_S^*")
        .by("averaged", (2 / (alpha * T), "last_above_least"), modulo=((2 / (alpha * T), "gap"), (-1, "noise_term"))),
        # the steps to the bound at alpha = 1/ell, C = L and T = 1/rate
        line("sum", before, "=", bound)
        .says("the sum at alpha = 1/ell, C = L and T = 1/rate", "insert the schedule")
        .inserting("alpha", "T", "C"),
        line("bound", mean_grad_sq, "<=", bound)
        .says("so the average of the squared gradient norms at that schedule is at most", "the last two lines")
        .by("any_schedule", modulo=((-1, "sum"),)),
    )
    return proved(THEOREM, "DP-GD under Assumption 3.5", "our proof", facts, steps)


certified, printed = a_T / T + b_T * (T - 1), a_T / T_star + b_T * T_star


def integer_t_proof() -> Derivation:
    """Write out why the better of floor and ceiling of T* keeps the printed bound."""
    up, down = T - T_star, T_star - T
    facts = (
        *HYPOTHESES,
        line("alpha", alpha, "=", 1 / ell).says("the step size of the schedule").defined(),
        line("C", C, "=", L).says("the threshold of the schedule").defined(),
        line("sigma", sigma, "=", SIGMA).says("the noise of Lemma 2.2 for T releases").defined(),
        line("T_star", T_star, "=", best_T).says("the T of the schedule").defined(),
        line("a_T", a_T, "=", 2 * ell * gap).says("what is divided by T").defined(),
        line("b_T", b_T, "=", 32 * L**2 / T_star**2).says("what is multiplied by T").defined(),
        line("per_step", grad_sq, "<=", per_step)
        .says("the squared norm of a gradient, as in the proof of DP-GD")
        .shown("dpzero.dp_gd", "per_step", meets={"threshold": "threshold", "step_size": "step_size"}),
        line("averaged", mean_grad_sq, "<=", 2 / (alpha * T) * (F_first - F_last) + (T - 1) * ell * alpha * r * sigma**2 / T)
        .says("z_{T-1} enters x_T alone: x_0, ..., x_{T-1} keep their law when it is 0, and the decreases telescope as before")
        .reasoned("the average is over points that the last update does not reach", using=("per_step",)),
        *ENDS,
        *shared.WHOLE_T,
        *shared.LARGER_TERM,
        line("no_step", T_star, "<=", 1).says("no step is prescribed").case(),
    )
    steps = (
        # the steps to the certified bound and the printed one, as a/T + b (T - 1) and a/T* + b T*
        line("step_size", alpha, "<=", 1 / ell).says("the schedule has the largest alpha").because("it is that").inserting("alpha"),
        line("threshold", C, ">=", L).says("the schedule has the least C").because("it is that").inserting("C"),
        line("noise_term", (T - 1) * ell * alpha * r * sigma**2 / T, "=", 32 * ell * C**2 * alpha * (T - 1) * r * A / (n**2 * epsilon**2))
        .says("the noise terms of T - 1 steps with the sigma for T releases, averaged", "insert sigma")
        .inserting("sigma"),
        line("kept", mean_grad_sq, "<=", kept)
        .says("the average of the squared gradient norms, with one noise less than steps", "F_S(x_T) >= F_S^*")
        .by("averaged", (2 / (alpha * T), "last_above_least"), modulo=((2 / (alpha * T), "gap"), (-1, "noise_term"))),
        line("certified", kept, "=", certified)
        .says("that is a/T + b (T - 1) at the printed alpha and C, with a_T = 2 ell gap and b_T = 32 L^2 / T*^2")
        .because("insert alpha, C, T*, a and b")
        .inserting("alpha", "C", "T_star", "a_T", "b_T"),
        line("printed", bound, "=", printed)
        .says("and the printed bound is a/T* + b T*, with the same a_T and b_T", "insert T*, a and b")
        .inserting("T_star", "a_T", "b_T"),
        # the three cases
        line("up", certified, "<=", printed)
        .says("a >= b T*^2, T the ceiling: a_T/T + b_T (T - 1) is at most a_T/T* + b_T T*")
        .because("a/T + b T exceeds a/T* + b T* by at most b (T - T*)^2 / T <= b")
        .by(
            (1 / (T * T_star), "ceiling", "first_larger"),
            *times(b_T, "ceiling_below", ("ceiling", "ceiling_below")),
            (b_T / T, up**2, "T >= 1"),
        ),
        line("at_ceiling", mean_grad_sq, "<=", bound)
        .says("so the average of the squared gradient norms is at most the printed bound", "the certified bound is at most the printed one")
        .by("kept", "up", modulo=((-1, "certified"), (1, "printed"))),
        line("down", certified, "<=", printed)
        .says("a <= b T*^2, T the floor: a_T/T + b_T (T - 1) is at most a_T/T* + b_T T*")
        .because("a/T + b T exceeds a/T* + b T* by at most b (T* - T)^2 / T <= b")
        .by(
            (1 / (T * T_star), "floor", "first_smaller"), (b_T, "floor_above"), (b_T, "floor", "floor_above"), (b_T / T, down**2, "T >= 1")
        ),
        line("at_floor", mean_grad_sq, "<=", bound)
        .says("so the average of the squared gradient norms is at most the printed bound", "the certified bound is at most the printed one")
        .by("kept", "down", modulo=((-1, "certified"), (1, "printed"))),
        line("no_step_taken", bound, ">", L**2)
        .says("T* <= 1: T = 1, and the printed bound exceeds L^2", "b T* = 32 L^2 / T*")
        .by(a_T / T_star, (32 * L**2 / T_star, "no_step"), 31 * L**2, modulo=((1, "printed"), (T_star, "b_T"))),
    )
    return Derivation("dpzero.integer_t_dp_gd", "the better of floor and ceiling of T* keeps DP-GD", "our proof", steps, facts)
