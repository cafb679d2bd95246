"""Theorem 3: DPZero, a private two-point method with scalar noise; error of order log(d) sqrt(r).

Setting   Assumption 3.5 (f(.; xi) L-Lipschitz and ell-smooth, Hessian of F_S between -H and H, Tr(H) <= r ell), |F_S(x_t)| <= B.
Method    x_{t+1} = x_t - alpha (mean of clip_C(s_i) + z_t) u_t,  s_i finite difference along u_t,  z_t ~ N(0, sigma^2) a scalar.
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0, ..., T - 1.
Source    DPZero, Theorem 3, equations (7) and (16) to (23); proof in Appendix E.

Q_t is the event that step t clips no sample, Q that no step does. The threshold splits as C >= C_0 + ell lam d / 2: C_0 for the
linear part of the finite difference, which has a Gaussian-like tail, the rest for its curvature.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero import common, shared
from bounds.dpzero.common import ASSUMPTION_3_5, ONE_STEP, PAPER, below_trivial, proved, scheduled
from bounds.dpzero.meanings import CLIPPED_OR_NOT, ESTIMATE, NO_STEP_CLIPS, ON_THE_SPHERE, Q_LAST_ABOVE_LEAST
from bounds.dpzero.sphere import tail, worst
from bounds.dpzero.theorem2 import curvature, rate
from bounds.lines import line, times
from bounds.meanings import FIRST_ABOVE_LEAST, GAP
from bounds.symbols import A, B, C, L, Max, Min, T, X, alpha, d, ell, epsilon, gap, introduce, lam, n, r, sigma, symbols, trace
from bounds.theorem import AtIntegerT

F_first, mean_grad_sq, a_sq, C_0, L_tilde = symbols("F_first mean_grad_sq a_sq C_0 L_tilde")
F_Q_now, F_Q_next, F_Q_last = symbols("F_Q_now F_Q_next F_Q_last")
F_now, F_next, grad_z, z_H, G_H, grad_sq, smooth_sq = symbols("F_now F_next grad_z z_H G_H grad_sq smooth_sq")
estimate_norm, W, W_clear, W_clipped = symbols("estimate_norm W W_clear W_clipped")
grad_G_clear, grad_G_clipped, G_H_clear, G_H_clipped = symbols("grad_G_clear grad_G_clipped G_H_clear G_H_clipped")
p_t, q_t, q, s_t, drop_t, drop_Q, drop_late, u_H_clear, u_H_clipped = symbols("p_t q_t q s_t drop_t drop_Q drop_late u_H_clear u_H_clipped")
threshold = introduce("threshold", "c", "a threshold for |u'grad f|", 1e-3, 1e6, "proof")
tail_0 = introduce("tail_0", r"\mathbb{P}(|u^{\top}\nabla f|\ge C_0)", "probability of |u'grad f| >= C_0", 0, 1, "probability")
clip_one = introduce("clip_one", r"\max\mathbb{P}(\text{clip})", "largest probability that a step clips a sample", 0, 1, "probability")

# probability that some sample is clipped at some step
failure = 2 * sp.sqrt(2 * sp.pi) * n * T * sp.exp(-(C_0**2) / (8 * L**2))

# lemma: one step given that it clips nothing, for every step size (equation (22))
smoothing = ell**2 * alpha * (d + 2 * ell * alpha * r) * lam**2 * d**2 / 8
one_step = F_now - alpha / 2 * (1 - 2 * (r + 2) * ell * alpha) * grad_sq / p_t + ell * alpha**2 * r * sigma**2 / (2 * p_t)
one_step += smoothing / p_t + alpha * L**2 * d * q_t / p_t
kept_lam = ell**2 * lam**2 * d**2 * (d + 2 * ell * alpha * r) / 2
per_step = 4 / alpha * drop_t * p_t + 2 * ell * alpha * r * sigma**2 + kept_lam + 4 * L**2 * d * q

# any schedule with alpha <= 1/(4 ell (r + 2)) and C >= C_0 + ell lam d / 2
noise = 64 * ell * C**2 * alpha * T * r * A / (n**2 * epsilon**2)
clipping = (4 * L**2 * d + 8 * B / alpha) * failure
kept = 4 * gap / (alpha * T) + noise + ell**2 * lam**2 * d**2 * (d + 2 * ell * alpha * r) / 2 + clipping
before = 4 * gap / (alpha * T) + noise + ell**2 * d**3 * lam**2 + clipping
largest_C_0 = Max(0, C - ell * lam * d / 2)
kept_at_threshold = kept.xreplace({C_0: 2 * sp.sqrt(2) * L_tilde})  # C = sqrt(2) C_0, as printed

# its best schedule
log_argument = 2 * sp.sqrt(2 * sp.pi) * n**3 * epsilon**2 * (r + 2) * (d + 8 * ell * B * (r + 2) / L**2) / (r * A)
largest_alpha = 1 / (4 * ell * (r + 2))
best_T = n * (r + 2) * epsilon / (4 * sp.sqrt(r * A))
lam_for_clipping = 4 * (2 - sp.sqrt(2)) * L_tilde / (ell * d)
lam_for_bias = L / (ell * d ** sp.Rational(3, 2)) * sp.sqrt(rate)
bound = (64 * (ell * gap + L_tilde**2) + 2 * L**2) * rate

IN_LETTERS = (shared.LIPSCHITZ, *shared.LOW_RANK, sp.Le(a_sq, L**2), sp.Le(drop_late, 2 * B))  # what it assumes of the loss
THEOREM = scheduled(
    "theorem3",
    "Theorem 3 (DPZero)",
    "Theorem 3, equation (7)",
    method="dpzero",
    assumptions=(*ASSUMPTION_3_5, "|F_S(x_t)| <= B for t = 0, ..., T"),
    definitions={"X": log_argument, "L_tilde": L * sp.sqrt(sp.log(X))},
    schedule={"alpha": largest_alpha, "T": best_T, "C": 4 * L_tilde, "lam": Min(lam_for_clipping, lam_for_bias)},
    bound=bound,
    any_schedule=before.xreplace({C_0: largest_C_0}),
    per_step=per_step,
    at_integer_T=AtIntegerT(kept_at_threshold, trivial=L**2),
    conditions=(common.LOG_X, common.GLOBAL_B, ONE_STEP, below_trivial(bound), common.BELOW_WORST_CASE),
    notes=(common.B_IS_GLOBAL,),
    in_letters=(*IN_LETTERS, *shared.lam_relations(lam_for_clipping, lam_for_bias)),
)

inner_product = grad_sq / (2 * p_t) - ell**2 * lam**2 * d**3 / (8 * p_t) - L**2 * d * q_t / p_t  # (21)
tail_L = 2 * sp.sqrt(2 * sp.pi) * sp.exp(-(C_0**2) / (8 * L**2))  # Section 4 at C_0
kept_per_step = 4 / alpha * (1 - q) * (F_Q_now - F_Q_next) + 2 * ell * alpha * r * sigma**2 + kept_lam + (4 * L**2 * d + 8 * B / alpha) * q
given_Q = 4 / alpha * drop_Q * (1 - q) + 2 * ell * alpha * r * sigma**2 + ell**2 * d**3 * lam**2 + (4 * L**2 * d + 8 * B / alpha) * q
cost = 2 * sp.sqrt(2 * sp.pi) * n * T * (4 * L**2 * d + 8 * B / alpha)  # times exp(-C_0^2/(8 L^2)) it is the clipping term

ON_THE_LOSS = (  # the hypotheses of Theorem 3 but for the step size, in the letters of the proof
    shared.IS_LIPSCHITZ,
    line("gradient", a_sq, "<=", L**2).says("f(.; xi) is L-Lipschitz, so is its gradient a = grad f(x_t; xi) at most L long").assumed(),
    *shared.IN_NORM_OF_H,
    line("loss_bound", drop_late, "<=", 2 * B).says("|F_S| <= B, so no decrease of the loss is above 2 B").assumed(),
)
LEFT_OF_C = line("C_0", C_0, "=", largest_C_0).says("what the curvature leaves of the threshold C").defined()
HYPOTHESES = (*ON_THE_LOSS, shared.largest_step(largest_alpha))


def proof() -> Derivation:
    """Write the proof out."""
    once, many = 1 / p_t, 4 * p_t / alpha  # what a line given Q_t, and one of a step, is multiplied by
    scattered = alpha**2 * sigma**2 / 2  # by the noise, where the Hessian is one
    facts = (
        *HYPOTHESES,
        *shared.lam_rule(lam_for_clipping, lam_for_bias),
        *shared.X_ABOVE_ONE,
        # what is taken on how rarely a step clips
        ON_THE_SPHERE,
        ESTIMATE,
        line("remainder", worst, "<=", ell * lam * d / 2)
        .says("(16): how far the two-point difference is beyond |u'grad f|")
        .shown("dpzero.section4_tail", "remainder"),
        line("tail", tail, "<=", tail_L.xreplace({C_0: threshold}))
        .says("Section 4, for any threshold above 0; u_t is independent of x_t")
        .shown("dpzero.section4_tail", "bound", {C: threshold}),
        LEFT_OF_C,
        line("part_of_C", C_0, ">=", C - ell * lam * d / 2).says("the larger of two numbers").reasoned("a maximum", using=("C_0",)),
        line("tail_0", tail_0, "<=", tail_L)
        .says("Section 4 at C_0")
        .reasoned("the tail; where C_0 = 0, the right side is above 1", using=("tail",)),
        line("inclusion", clip_one, "<=", tail_0)
        .says("a difference above C makes |u'grad f| at least C - ell lam d/2, and it is at least 0")
        .reasoned("inclusion of events", using=("remainder", "C_0")),
        line("union", q, "<=", n * T * clip_one).says("n samples, T steps").reasoned("the union bound"),
        # a step given that it clips nothing, or that no step does
        line("taylor", F_next, "<=", F_now - alpha * (grad_G_clear + grad_z) + alpha**2 / 2 * (G_H_clear + 2 * shared.G_Hz + z_H))
        .says("given Q_t, along x_{t+1} - x_t = -alpha (G + z_t u_t); z stands for z_t u_t, and the Hessian of F_S is at most H")
        .cited("Taylor's theorem with Lagrange's remainder"),
        line("noise_and_gradient", grad_z, "=", 0)
        .says("z_t is independent of x_t, u_t and Q_t, its mean is 0")
        .reasoned("E z_t = 0 given these"),
        line("noise_and_step", shared.G_Hz, "=", 0).says("the same for G' H u_t z_t").reasoned("E z_t = 0 given x_t, u_t and Q_t"),
        line("noise_length", z_H, "=", sigma**2 * u_H_clear)
        .says("z_t is independent of u_t and Q_t")
        .reasoned("E z_t^2 = sigma^2 given these"),
        *CLIPPED_OR_NOT,
        line("curvature", G_H, "<=", curvature).says("E G'HG, as in the proof of Theorem 2").shown("dpzero.theorem2", "curvature"),
        *shared.DIRECTION_IN_NORM_OF_H,
        line("longest", grad_G_clipped, "<=", L * estimate_norm)
        .says("F_S is L-Lipschitz, and the mean of the two-point gradients is no longer than the longest")
        .reasoned("Cauchy and Schwarz"),
        *shared.SMOOTHED,
        line("quarter", (1 + 2 * r * ell * alpha / d) / 2, "<=", sp.Rational(3, 4))
        .says("as in Theorem 2")
        .shown("dpzero.theorem2", "quarter"),
        line("drop_t", drop_t, "=", F_now - F_next).says("what a step takes off the loss, given Q_t").defined(),
        line("drop_Q", drop_Q, "=", F_Q_now - F_Q_next).says("the same given Q").defined(),
        *NO_STEP_CLIPS,
        Q_LAST_ABOVE_LEAST,
        FIRST_ABOVE_LEAST,
        GAP,
    )
    steps = (
        # the steps to the probability that some step clips
        line("clips", clip_one, "<=", tail_L)
        .says("the largest probability that a step clips a sample, where C >= C_0 + ell lam d/2", "(16), and the tail at C_0")
        .by("inclusion", "tail_0"),
        line("failure", q, "<=", failure)
        .says("so the probability P(not Q) that some step clips is at most", "n samples, T steps")
        .by("union", (n * T, "clips")),
        # (18) to (21): what conditioning on Q_t does to each mean
        line("conditioned", W_clear, "<=", W / p_t)
        .says("(18): a variable W >= 0 has E[W | Q_t] <= E[W] / P(Q_t)", "total probability")
        .by((q_t / p_t, W_clipped), modulo=((1 / p_t, "total_mean"),)),
        line("curvature_given_Q_t", G_H_clear, "<=", curvature / p_t)
        .says("(19): G_H_clear, which is G'HG given Q_t", "as in (18), with E G'HG as in the proof of Theorem 2")
        .by((1 / p_t, "curvature"), (q_t / p_t, G_H_clipped), modulo=((1 / p_t, "total_G_H"),)),
        line("direction_given_Q_t", u_H_clear, "<=", r * ell / p_t)
        .says("(20): u_H_clear, which is u'Hu given Q_t", "as in (18), with E u'Hu = Tr(H) <= r ell")
        .by(
            (1 / p_t, "effective_rank"),
            (q_t / p_t, u_H_clipped),
            modulo=((-trace / p_t, "coordinate"), (-1 / p_t, "mean_u_H"), (1 / p_t, "total_u_H")),
        ),
        line("estimate_at_most", estimate_norm, "<=", L * d)
        .says("the length of a two-point gradient, on every event", "||g_i|| <= L ||u_t||^2")
        .by((sp.sqrt(d), "lipschitz"), at=("on_the_sphere",), modulo=((-1, "estimate"),)),
        line("worst_case", grad_G_clipped, "<=", L**2 * d)
        .says("the inner product grad_G_clipped where step t clips", "F_S is L-Lipschitz")
        .by("longest", (L, "estimate_at_most")),
        line("inner_product", grad_G_clear, ">=", inner_product)
        .says("(21): grad_G_clear, the inner product given Q_t")
        .because("total probability, E G = grad F_lam, polarisation, the bias of Lemma C.2 (ii)")
        .by(once * smooth_sq / 2, (once / 2, "bias"), (q_t / p_t, "worst_case"), modulo=((-once, "total_grad_G"), (once, "polarised"))),
        # (17) and (22), and what (22) says of one gradient
        line("noise_averaged", F_next, "<=", F_now - alpha * grad_G_clear + alpha**2 / 2 * G_H_clear + scattered * u_H_clear)
        .says("(17): the loss F_next given Q_t, in expectation over z_t", "Taylor's theorem, with the moments of the noise")
        .by("taylor", modulo=((alpha, "noise_and_gradient"), (-(alpha**2), "noise_and_step"), (-(alpha**2) / 2, "noise_length"))),
        line("one_step", F_next, "<=", one_step)
        .says("(22): F_S(x_{t+1}) given Q_t, in F_now and the squared norm of the gradient", "(19), (20) and (21) in (17)")
        .by("noise_averaged", (alpha, "inner_product"), (alpha**2 / 2, "curvature_given_Q_t"), (scattered, "direction_given_Q_t")),
        line("per_step", grad_sq, "<=", per_step)
        .says("so the expected squared norm of the gradient at x_t is at most")
        .because(
            "4 P(Q_t)/alpha times (22); alpha <= 1/(4 ell (r + 2)) leaves at least half of the gradient term, and P(not Q_t) <= P(not Q)"
        )
        .by((many, "one_step"), (4 * (r + 2) * ell * grad_sq, "step_size"), (4 * L**2 * d, "step_or_any"), modulo=((many, "drop_t"),)),
        # the steps to (23)
        line("split", p_t * drop_t, "<=", (1 - q) * drop_Q + 2 * B * q)
        .says("the decrease drop_t given Q_t, split by Q: E[F_S(x_t) - F_S(x_{t+1}) | Q_t] P(Q_t)")
        .because("s_t = P(Q_t and not Q) <= P(not Q), |F_S| <= B")
        .by((2 * B, "other_or_any"), (s_t, "loss_bound"), modulo=((-1, "total_drop"),)),
        line("kept_per_step", grad_sq, "<=", kept_per_step)
        .says("the squared norm of the gradient through decreases given Q, with what is left of the lam term")
        .because("4/alpha times the line before")
        .by("per_step", (4 / alpha, "split"), modulo=((-4 / alpha * (1 - q), "drop_Q"),)),
        line("given_Q", grad_sq, "<=", given_Q)
        .says("(23): the squared norm of the gradient, with the whole lam term", "(d + 2 ell alpha r)/2 <= d")
        .by("kept_per_step", (ell**2 * lam**2 * d**3, "quarter"), ell**2 * lam**2 * d**3 / 4, modulo=((4 / alpha * (1 - q), "drop_Q"),)),
        # the steps to the bound before the schedule is chosen
        shared.averaged("kept_per_step", kept_per_step, 4 / alpha * (1 - q), (F_Q_now, F_Q_next, F_first, F_Q_last)),
        shared.noise_term(2 * ell * alpha * r * sigma**2, noise),
        line("kept", mean_grad_sq, "<=", kept)
        .says("the average of the squared gradient norms for any schedule, with what is left of the lam term")
        .because("F_S(x_T) >= F_S^* and F_S(x_0) >= F_S^*, and the probability that some step clips")
        .by(
            "averaged",
            *times(4 / (alpha * T), ("q <= 1", "Q_last_above_least"), (q, "first_above_least")),
            (4 * L**2 * d + 8 * B / alpha, "failure"),
            modulo=((4 / (alpha * T), "gap"), (-1, "noise_term")),
        ),
        line("any_schedule", mean_grad_sq, "<=", THEOREM.any_schedule)
        .says("the average of the squared gradient norms for any schedule", "with the whole lam term, and C_0 inserted")
        .by("kept", (ell**2 * lam**2 * d**3, "quarter"), ell**2 * lam**2 * d**3 / 4, at=("C_0",)),
        # the steps to the bound at the printed threshold, for every lam up to the printed one
        *shared.at_threshold(2 * sp.sqrt(2), 1),
        line("kept_at_threshold", mean_grad_sq, "<=", kept_at_threshold)
        .says("the average of the squared gradient norms at the printed threshold, for any T", "insert the line before")
        .by("kept", (cost, "exponential")),
        # the steps to (7)
        line("alpha_T", alpha * T, "=", 1 / (16 * ell * rate)).says("the printed alpha and T", "insert them").inserting("alpha", "T"),
        line("first_term", 4 * gap / (alpha * T), "=", 64 * ell * gap * rate)
        .says("the term of gap, with the printed alpha and T", "alpha T = 1/(16 ell rate)")
        .identity((-64 * ell * gap * rate / (alpha * T), "alpha_T")),
        line("noise_at_schedule", noise, "=", 64 * L_tilde**2 * rate)
        .says("the noise term with the printed alpha, T and C", "insert them")
        .inserting("alpha", "T", "C"),
        *shared.inverse_of_X(1),
        line("clipping_at_schedule", cost / X, "=", L**2 * rate)
        .says("the clipping term with the printed alpha, T and X", "8 B/alpha = 32 ell B (r + 2)")
        .inserting("alpha", "T", "X"),
        line("bound", mean_grad_sq, "<=", bound)
        .says("(7): the average of the squared gradient norms at the printed schedule, for every lam up to the printed one")
        .because("the sum of the four terms")
        .by(
            "any_schedule",
            *times(cost, "exponential", "one_over_X"),
            (ell**2 * d**3, "lam_for_bias", lam_for_bias + lam),
            at=("C_0",),
            modulo=times(-1, "first_term", "noise_at_schedule", "clipping_at_schedule"),
        ),
    )
    signs = {"L_tilde": ("X_larger_than_1",)}
    return proved(THEOREM, "DPZero under Assumption 3.5", f"{PAPER}, Appendix E", facts, steps, signs=signs)
