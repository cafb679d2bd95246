"""Theorem 3 along the paper's own chain, with any lam and C = C_0, the sharp tail and no bound B (S1, S4, S6 of `sharp`).

Setting   f(.; xi) L-Lipschitz, -H <= Hessian of F_S <= H, d >= 4.  Q_t: step t clips nothing;  Q: no step does;  bars: complements.
Method    Algorithm 2 with alpha <= 1 / (4 ell (r + 2)) and any T, C, lam, sigma.
Measure   E ||grad F_S(x_tau)||^2
Lemma     P(a sample is clipped at a step) <= P(|N| > C sqrt((d - 3)/d) / L) =: q_1  for every lam (dpzero.sharp_tail_lipschitz)
Theorem   4 gap / (alpha T) + 2 ell alpha r sigma^2 + ell^2 d^3 lam^2 + (4 L^2 d + 4 L sqrt(d) (C + sigma sqrt(2/pi))) n T q_1
Source    ours; DPZero, Appendix E, Eqs. (17) to (23).

It is here to show what each change buys: `sharp_clip_bias` is smaller, because n T q_1 must be small here and P(|N| > C/L) there.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero.common import ON_F_S, below_trivial, proved, stated
from bounds.dpzero.meanings import ON_THE_SPHERE
from bounds.dpzero.shared import IS_LIPSCHITZ, LIPSCHITZ, SMOOTHED, largest_step
from bounds.dpzero.sharp_common import H_IN_LETTERS, ON_H, lead_unit
from bounds.dpzero.sharp_descent import LEADING
from bounds.dpzero.sharp_tail import DIMENSIONS, ENOUGH_DIMENSIONS, LIPSCHITZ_TAIL, tail_h
from bounds.dpzero.smoothing import BIAS, along, slope_signed
from bounds.lines import line, times
from bounds.meanings import introduce_run
from bounds.symbols import C, L, T, alpha, d, ell, gap, introduce, lam, n, r, sigma, symbols, trace
from bounds.theorem import Condition

q, q_t, grad_sq, mean_grad_sq, smooth_sq, grad_G, G_H, u_norm = symbols("q q_t grad_sq mean_grad_sq smooth_sq grad_G G_H u_norm")
drop_on = introduce("drop_on_Q_t", r"\mathbb{E}[(F_S(x_t)-F_S(x_{t+1}))1_{Q_t}]", "decrease of the loss, counted on Q_t", -1e3, 1e3, "step")
along_on = introduce("along_on_Q_t", r"\mathbb{E}[hp1_{Q_t}]", "gradient times two-point gradient, counted on Q_t", -1e6, 1e6, "step")
along_lost = introduce(
    "along_lost", r"\mathbb{E}[|hp|1_{\bar Q_t}]", "size of gradient times two-point gradient, counted off Q_t", 0, 1e6, "step"
)
length_on = introduce("length_on_Q_t", r"\mathbb{E}[h^2w1_{Q_t}]", "two-point gradient in the norm of H, counted on Q_t", 0, 1e6, "step")
noise_on = introduce("noise_on_Q_t", r"\mathbb{E}[z_t^2w1_{Q_t}]", "noise in the norm of H, counted on Q_t", 0, 1e6, "step")
FQ_now = introduce("FQ_now", r"\mathbb{E}[F_S(x_t)1_Q]", "expected loss at step t, counted on Q", -1e3, 1e3, "step")
FQ_next = introduce("FQ_next", r"\mathbb{E}[F_S(x_{t+1})1_Q]", "expected loss at step t + 1, counted on Q", -1e3, 1e3, "step")
FQ_first = introduce("FQ_first", r"\mathbb{E}[F_S(x_0)1_Q]", "loss at the start, counted on Q", -1e3, 1e3, "proof")
FQ_last = introduce("FQ_last", r"\mathbb{E}[F_S(x_T)1_Q]", "expected loss at the end, counted on Q", -1e3, 1e3, "proof")
introduce_run(FQ_now, FQ_next, FQ_first, FQ_last)
moved = introduce("moved_off_Q", r"\mathbb{E}[|F_S(x_t)-F_S(x_{t+1})|1_{\bar Q}]", "change of the loss, counted off Q", 0, 1e6, "step")
noise_off = introduce("noise_off_Q", r"\mathbb{E}[|z_t|1_{\bar Q}]", "size of the noise, counted off Q", 0, 1e3, "step")

LARGEST_ALPHA = 1 / (4 * ell * (r + 2))
CLIPPED_STEP = 4 * L**2 * d + 4 * L * sp.sqrt(d) * (C + sigma * sp.sqrt(2 / sp.pi))  # what a clipped run costs, times its probability
FAILURE = n * T * LIPSCHITZ_TAIL
BOUND = 4 * gap / (alpha * T) + 2 * ell * alpha * r * sigma**2 + ell**2 * d**3 * lam**2 + CLIPPED_STEP * FAILURE

THEOREM = stated(
    "sharp_event",
    "Theorem 3 without B and without per-sample smoothness, by conditioning",
    "ours; DPZero, Appendix E, changed at Eqs. (16) and (23)",
    measure="E ||grad F_S(x_tau)||^2, tau uniform on 0..T-1",
    assumptions=("f(.; xi) is L-Lipschitz for every xi", *ON_F_S),
    bound=BOUND,
    any_schedule=BOUND,
    valid_if=(alpha <= LARGEST_ALPHA, ENOUGH_DIMENSIONS.relation),
    method="dpzero",
    conditions=(
        ENOUGH_DIMENSIONS,
        Condition(alpha <= LARGEST_ALPHA, "alpha = {value} is above 1 / (4 ell (r + 2)) = {limit}: the descent step needs it"),
        below_trivial(BOUND),
    ),
    notes=("sigma need only make x_tau private, where nothing else is published (bounds.mixture)",),
    measured=mean_grad_sq,
    in_letters=(*H_IN_LETTERS, LIPSCHITZ),
)

SMOOTHING = ell**2 * lam**2 * d**2 * (d + 2 * ell * alpha * r) / 2  # what the smoothing radius adds, before it is rounded up
NOISE = 2 * ell * alpha * r * sigma**2


def proof() -> Derivation:
    """Write the proof out."""
    kept = alpha / 2 * (1 - 2 * (r + 2) * ell * alpha) * grad_sq  # what a step keeps of the gradient term
    failing = 4 * L**2 * d + 4 * L * sp.sqrt(d) * C
    rest = NOISE + ell**2 * d**3 * lam**2 + CLIPPED_STEP * n * T * tail_h
    facts = (
        *ON_H,
        IS_LIPSCHITZ,
        ON_THE_SPHERE,
        DIMENSIONS,
        largest_step(LARGEST_ALPHA),
        # what is taken of the probability of clipping
        line("clipped", tail_h, "<=", LIPSCHITZ_TAIL)
        .says("one sample is clipped at one step with probability at most q_1, whatever happened before and whatever lam is")
        .shown("dpzero.sharp_tail_lipschitz", "bound"),
        line("union", q, "<=", n * T * tail_h)
        .says("P(not Q): n samples, T steps")
        .reasoned("union bound; u_t is independent of the past", using=("clipped",)),
        line("step_or_any", q_t, "<=", q).says("Q is contained in Q_t").reasoned("a step that clips is one that clips"),
        line("noise_off_Q", noise_off, "<=", sigma * sp.sqrt(2 / sp.pi) * n * T * tail_h)
        .says("E |z_t| off Q, with E |z_t| = sigma sqrt(2 / pi)")
        .reasoned(
            "union bound, one (step, sample) at a time: of a clipping at a step up to t, z_t is independent; at a later step its "
            "probability given the past is at most q_1",
            using=("clipped",),
        ),
        # what is taken of one step on Q_t, where m is the mean h of the unclipped differences
        line("taylor", drop_on, ">=", alpha * along_on - alpha**2 / 2 * (length_on + noise_on))
        .says("along minus alpha (h + z_t) u_t on Q_t; the Hessian of F_S is at most H")
        .reasoned("Taylor's theorem; z_t is independent of the past, of u_t and so of Q_t, and E z_t = 0"),
        line("along_split", along_on, ">=", grad_G - along_lost).says("E h p, over Q_t and its complement").reasoned("total probability"),
        line("along_lost", along_lost, "<=", (L * u_norm) ** 2 * q_t)
        .says("|h| and |p| are at most L ||u_t||")
        .reasoned("f(.; xi) is L-Lipschitz, so is F_S", using=("lipschitz",)),
        line("length_split", length_on, "<=", G_H).says("E h^2 w on Q_t is at most that everywhere").reasoned("h^2 w is not negative"),
        line("equation_14", slope_signed**2, "<=", 2 * along**2 + ell**2 / 2 * lam**2 * d**2)
        .says("(14) for F_S and one direction, Lemma C.2")
        .shown("dpzero.lemma_c2", "square"),
        line("times_w", G_H, "<=", 2 * grad_sq * lead_unit + ell**2 / 2 * lam**2 * d**2 * trace)
        .says("(14) times w in expectation")
        .reasoned("the expectation of what holds for every u; E w = Tr(H)", using=("equation_14",)),
        LEADING,
        line("noise_length", noise_on, "<=", sigma**2 * trace)
        .says("E z_t^2 w on Q_t")
        .reasoned("z_t is independent of u_t and of Q_t, whose probability is at most 1; E w = Tr(H)"),
        *SMOOTHED,
        # what is taken of the decreases
        line("decrease", drop_on, "<=", FQ_now - FQ_next + moved)
        .says("Q is contained in Q_t, and what is on Q_t but off Q counts at most by its size")
        .reasoned("total probability"),
        line("movement", moved, "<=", L * alpha * u_norm * (C * q + noise_off))
        .says("one step changes F_S by at most L alpha (C + |z_t|) ||u_t||: the clipped mean is at most C")
        .reasoned("F_S is L-Lipschitz"),
        line("ends", FQ_first - FQ_last, "<=", gap)
        .says("F_S(x_T) >= F_S^*, and F_S(x_0) is a number")
        .reasoned("the decrease on Q is at most gap times P(Q)"),
    )
    steps = (
        # the steps to Eq. (22), with neither B nor the smoothness of one sample
        line("direction", along_on, ">=", (grad_sq - BIAS**2) / 2 - L**2 * d * q)
        .says("gradient times two-point gradient on Q_t, in the squared norm of the gradient and the probability q")
        .because("polarisation; drop the smoothed gradient, insert Lemma C.2 (ii)")
        .by(
            "along_split",
            "along_lost",
            (L**2 * d, "step_or_any"),
            smooth_sq / 2,
            (sp.Rational(1, 2), "bias"),
            at=("on_the_sphere",),
            modulo=((1, "polarised"),),
        ),
        line("curvature", G_H, "<=", 2 * ell * (r + 2) * grad_sq + ell**3 / 2 * lam**2 * d**2 * r)
        .says("E h^2 w, the two-point gradient in the norm of H", "R2 <= r + 2, Tr(H) <= r ell")
        .by("times_w", (2 * grad_sq, "leading"), 4 * ell * (r + 2) / (d + 2) * grad_sq, (ell**2 / 2 * lam**2 * d**2, "effective_rank")),
        line("one_step", kept, "<=", drop_on + alpha / 4 * (NOISE + SMOOTHING) + alpha * L**2 * d * q)
        .says("Eq. (22) times P(Q_t), for the squared norm of the gradient", "Taylor's theorem with direction, curvature and noise")
        .by(
            "taylor",
            (alpha, "direction"),
            *times(alpha**2 / 2, "length_split", "curvature", "noise_length"),
            (alpha**2 / 2 * sigma**2, "effective_rank"),
        ),
        line("per_step", grad_sq, "<=", 4 / alpha * drop_on + NOISE + SMOOTHING + 4 * L**2 * d * q)
        .says("so the squared norm of the gradient at x_t is at most", "4 / alpha times that, and 2 (r + 2) ell alpha <= 1/2")
        .by((4 / alpha, "one_step"), (4 * ell * (r + 2) * grad_sq, "step_size")),
        # the steps from one gradient to the bound
        line("smoothing", 2 * ell * alpha * r, "<=", sp.Rational(1, 2))
        .says("in the smoothing term, 2 ell alpha r is at most 1/2", "r / (2 (r + 2)) is")
        .by((2 * ell * r, "step_size"), 1 / (r + 2)),
        line("per_step_on_Q", grad_sq, "<=", 4 / alpha * (FQ_now - FQ_next) + rest)
        .says("the squared norm of the gradient at x_t, by the decrease on Q")
        .because("one step of a run that clips moves by L alpha sqrt(d) (C + |z_t|)")
        .by(
            "per_step",
            *times(4 / alpha, "decrease", "movement"),
            (4 * L * sp.sqrt(d), "noise_off_Q"),
            (failing, "union"),
            *times(ell**2 * lam**2 * d**2 / 2, "smoothing", "d >= 1"),
            ell**2 * lam**2 * d**2 / 4,
            at=("on_the_sphere",),
        ),
        line("averaged", mean_grad_sq, "<=", 4 / (alpha * T) * (FQ_first - FQ_last) + rest)
        .says("averaged over t = 0, ..., T - 1, the decreases on Q telescope")
        .because("the line holds at every t, and tau is uniform and independent of the run")
        .averaging("per_step_on_Q"),
        line("any_schedule", mean_grad_sq, "<=", BOUND)
        .says("the average of the squared gradient norms", "insert the ends and q_1")
        .by("averaged", (4 / (alpha * T), "ends"), (CLIPPED_STEP * n * T, "clipped")),
    )
    return proved(THEOREM, "the paper's chain without B", THEOREM.source, facts, steps)
