"""Theorem D.10 as printed, its proof as far as it holds, and what its last step would need.

Setting   f(.; xi) Gamma-Lipschitz for every xi, F lambda-smooth, F - F^* at most D.
Method    Algorithm 6: w_{t+1} = w_t - eta P_t (mean over a batch of clip_C(P_t' grad f) + z_t), P_t fresh and flat by blocks.
Measure   E ||grad F(w_tau)||^2, tau uniform on 0, ..., T - 1.
Source    DP-GRAPE, Theorem D.10, equations (3) to (6); proof in Appendix D. Its displays after (6) have no numbers: here (16) is what
          (4) to (6) give in (3), (17) that solved for the gradient, (18) the split by Q, (19) the average over the steps.

Q_t is the event that |V| <= K for every block, column and sample at step t, Q that it is so at every step; V is standard normal, and
K = C/(sqrt(L) Gamma). `theorem_d10` goes to (19), with the constants that follow; `theorem_d10_schedule` inserts the parameters.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dp_grape.lemmas_d4_to_d9 import CITED, MANY
from bounds.dp_grape.meanings import TOTAL_G, TOTAL_INNER, TOTAL_NOISE
from bounds.dp_grape.paper import keyed, letters, proved
from bounds.inequalities import Instance
from bounds.lines import Step, line
from bounds.meanings import DELTA_BELOW_ONE, FIRST_ABOVE_LEAST
from bounds.symbols import Max
from bounds.theorem import SCOPE, Condition, Part

B, C, D, d, delta, epsilon, eta, Gamma, k, K, L, lambda_ = letters("B C D d delta epsilon eta Gamma k cutoff L lambda_")
n, partial, r, sigma, T, X, normal_sd, W, W_clear, W_clipped = letters("n partial r sigma T X normal_sd W W_clear W_clipped")
a_sq, back_sq, kept_sq, batch_grad_sq, beyond, column_sq = letters("a_sq back_sq kept_sq batch_grad_sq beyond column_sq")
deviation_sq, exceeds, mean_Q, mean_above, batch_sq, each_sq = letters("deviation_sq exceeds mean_Q mean_above batch_sq each_sq")
drop_late, drop_Q, drop_t, F_first, F_next, F_now = letters("drop_late drop_Q drop_t F_first F_next F_now")
F_Q_last, F_Q_next, F_Q_now, F_star, grad_noise, grad_sq = letters("F_Q_last F_Q_next F_Q_now F_star grad_noise grad_sq")
G_noise, mapped_sq, mapped_sq_clear, mapped_sq_clipped, V_max, V_sq_clipped = letters(
    "G_noise mapped_sq mapped_sq_clear mapped_sq_clipped V_max V_sq_clipped"
)
inner_G, inner_G_clear, inner_G_clipped, p_t, q, q_t, s_t = letters("inner_G inner_G_clear inner_G_clipped p_t q q_t s_t")
noise_sq, noise_sq_clear, noise_sq_clipped, R_sq, R_sq_layers = letters("noise_sq noise_sq_clear noise_sq_clipped R_sq R_sq_layers")
log_delta, mean_grad_sq, sample_grad_sq, sampling_sq = letters("log_inverse mean_grad_sq sample_grad_sq sampling_sq")
EVENTS = 2 * sp.sqrt(2 * L * d) * n**2 * epsilon / sp.sqrt(log_delta)  # T L n r at the printed T
PREF = 4 * sp.sqrt(2 * d * log_delta) / (n * epsilon)
IN_C = (5 * r / (4 * d * lambda_) * Gamma**2 + 64 * d * D * lambda_ / r) * EVENTS  # what C takes the logarithm of
IN_BOUND = (5 * Gamma**2 + 64 * d * D * lambda_ / r) * EVENTS  # what the bound takes it of
LARGEST_ETA = r / (4 * d * lambda_)
PRINTED_T = 2 * sp.sqrt(2 * d) * n * epsilon / (r * sp.sqrt(L * log_delta))
SIGMA = 2 * C * sp.sqrt(T * log_delta) / (n * epsilon)
LEAST_B = n * epsilon / (2 * sp.sqrt(2 * d * log_delta))  # the second entry
quarter, half = sp.Rational(1, 4), sp.Rational(1, 2)
BATCH = Max(sp.sqrt(r / (8 * n)) * (L * log_delta / (2 * d)) ** quarter, LEAST_B)

# (19), term by term
FIRST = 4 * D / (eta * T)
NOISE = 8 * lambda_ * eta * T * d * log_delta / (n**2 * epsilon**2) * C**2
SAMPLING = 16 * d * eta * partial * Gamma**2 * lambda_ / (B * r)
CONSTANT = 4 * (2 + 1 / sp.sqrt(2 * sp.pi))
PRINTED_TAIL = (CONSTANT * eta * Gamma**2 + 16 * D / eta) * T * L * n * r
TAIL = (4 * (2 + 2 * K / sp.sqrt(2 * sp.pi)) * Gamma**2 + 16 * D / eta) * T * L * n * r * sp.exp(-(K**2) / 2)
BOUND = (lambda_ * sp.sqrt(L) * D + (2 + 2 * sp.sqrt(L) * sp.log(IN_BOUND)) * Gamma**2) * PREF

THEOREM = keyed(
    *("theorem_d10", "Theorem D.10 (DP-GRAPE, flattened blocks)", f"{CITED}, Theorem D.10"),
    method="dp_grape_blocks",
    measure="E ||grad F(w_tau)||^2",
    measured=mean_grad_sq,
    assumptions=("f(.; xi) is Gamma-Lipschitz for every xi", "F is lambda-smooth", "F has a smallest value F^*", "F - F^* <= D"),
    definitions={"log_inverse": sp.log(1 / delta), "X": IN_C},
    schedule={"alpha": LARGEST_ETA, "T": PRINTED_T, "C": Gamma * sp.sqrt(2 * L * sp.log(X)), "batch": BATCH, "sigma": SIGMA},
    bound=BOUND,
    any_schedule=FIRST + NOISE + SAMPLING + PRINTED_TAIL * sp.exp(-(C**2) / (2 * L * Gamma**2)),
    valid_if=(sp.Le(eta, LARGEST_ETA),),
    step_size=sp.Le(eta, LARGEST_ETA),
    parts=(
        Part(
            "three terms", "the first three terms of (19) at the printed parameters", "=", FIRST + NOISE + SAMPLING.xreplace({partial: 1})
        ),
        Part("tail", "the fourth term of (19) there, which is left out", "=", PRINTED_TAIL / X),
    ),
    conditions=(
        Condition(X > 1, "X = {value} is not above 1: its logarithm is not positive, so there is no threshold C"),
        Condition(T >= 1, "T = {value} is below 1: no step can be taken, and the bound is not proved for w_0"),
        Condition(B <= n, "B = {value} is above n = {limit}: a batch has at most all samples"),
        Condition(
            epsilon <= 2 * B**2 * T / n**2,
            "epsilon = {value} is above 2 B^2 T/n^2 = {limit} at this B: outside the range that the proof of privacy asks for",
        ),
        Condition(r + 1 <= d, "r + 1 = {value} is above d = {limit}: the constants of (5) are not proved there"),
        Condition(BOUND < Gamma**2, "the bound {value} is not below Gamma^2 = {limit}, which every point satisfies", SCOPE),
    ),
    notes=(
        "not proved: the fourth term of (19) lies between 1 and 1.92 at these parameters, and is left out",
        "of Algorithm 6, with a fresh projection of the flattened block at every step; not of Algorithm 1, nor of any F above 1",
        "one noisy step reaches every point, so F - F^* <= D must hold on all of R^d: unbounded losses are excluded",
        "B is the least that is printed, with log(1/delta) where the print has log(1 delta); T and B must be whole numbers",
        "in X a term in the units of the loss is added to one in those of a squared gradient: the value of C depends on the units",
    ),
)

ONE_STEP = (  # (16), as the print has it but for the mean of V^2 beyond K
    F_now
    - eta / 2 * (1 - 2 * d * lambda_ * eta / r) * grad_sq / p_t
    + eta * Gamma**2 * q_t / p_t * beyond
    + 4 * d * eta**2 * Gamma**2 * lambda_ * partial / (B * r * p_t)
    + eta**2 * lambda_ * sigma**2 * d / (2 * p_t)
)
SPREADS = 2 * lambda_ * eta * d * sigma**2 + SAMPLING
GIVEN_Q = 4 / eta * (1 - q) * (F_Q_now - F_Q_next) + SPREADS + (4 * Gamma**2 * beyond + 8 * D / eta) * q
DENSITY = sp.exp(-(K**2) / 2) / sp.sqrt(2 * sp.pi)
GROWTH = (k + r + 1) / r

ON_THE_LOSS = (
    line("gradient", sample_grad_sq, "<=", Gamma**2).says("every f(.; xi) is Gamma-Lipschitz: squared norms of gradients").assumed(),
    line("gradient_in_layers", R_sq_layers, "<=", Gamma**2).says("the same, added up over the layers").assumed(),
    line("start", F_first - F_star, "<=", D).says("F - F^* <= D at the start").assumed(),
    line("late", drop_late, "<=", D).says("F(w_t) - F(w_{t+1}) <= F(w_t) - F^* <= D, on any event").assumed(),
    line("room", k + r + 1, "<=", 2 * d).says("a block and r + 1 are together at most 2 d").assumed(),
    MANY,
)
CUTOFF = line("cutoff", K, "=", C / (sp.sqrt(L) * Gamma)).says("K = C/(sqrt(L) Gamma)").defined()
CALIBRATED = line("sigma", sigma, "=", SIGMA).says("the noise of Algorithm 6").defined("Algorithm 6, line 1")
LOG = line("log_inverse", log_delta, "=", sp.log(1 / delta)).says("log(1/delta), positive").defined(signs=("delta < 1",))
STEP_SIZE = line("step_size", eta, "<=", LARGEST_ETA).says("eta is at most r/(4 d lambda)").assumed()
KEEPING = (  # what clips, and how often
    line("blocks_of_R", R_sq, "<=", V_max**2 * R_sq_layers)
    .says("||R_j||^2 is the sum over blocks and columns of ||grad_l f_j||^2 V^2/r")
    .reasoned("p'a is normal with variance ||a||^2/r, so V = sqrt(r) p'a/||a|| is standard normal"),
    line("on_Q_t", V_max, "<=", K).says("Q_t: every |V| is at most K").reasoned("what is said given Q_t"),
    line("union", q, "<=", T * L * n * r * exceeds).says("T steps, L blocks, n samples, r columns").reasoned("the union bound"),
    line("step_or_any", q_t, "<=", q).says("a step that clips is one that clips").meaning(),
    line("chernoff", exceeds, "<=", 2 * sp.exp(-(K**2) / 2)).says("two tails of a standard normal V").cited("Chernoff's bound"),
    line("two_sided", beyond * exceeds, "=", exceeds + 2 * K * DENSITY)
    .says("Lemma D.5, corrected, on both sides")
    .shown("dp_grape.lemma_d5", "two_sided", {normal_sd: 1}),
)
ON_AVERAGE = (  # the three terms of (3)
    line("isometry", kept_sq, "=", a_sq).says("Lemma D.8: E ||P'a||^2 = ||a||^2").shown("dp_grape.lemma_d8", "isometry"),
    line("unbiased", inner_G, "=", grad_sq)
    .says("E <grad F, P P' grad F> = E ||grad F||^2, block by block")
    .reasoned("P_t is independent of w_t", using=("isometry",)),
    TOTAL_INNER,
    line("lemma_d6", V_sq_clipped, "<=", beyond)
    .says("Lemma D.6 for V^2: |V| >= K is inside the event that step t clips")
    .shown("dp_grape.lemma_d6", "bound", {mean_Q: V_sq_clipped, mean_above: beyond}),
    line("jensen", inner_G_clipped, "<=", Gamma**2 * V_sq_clipped)
    .says("||P'grad F||^2 is at most its mean over samples, ||grad_l f_j||^2 V^2 over blocks, and these add up to Gamma^2 at most")
    .reasoned("Jensen's inequality over the samples, w_t fixed", using=("gradient_in_layers",)),
    TOTAL_G,
    line("lemma_d4", mapped_sq_clear, "<=", mapped_sq / p_t)
    .says("Lemma D.4")
    .shown("dp_grape.lemma_d4", "bound", {W: mapped_sq, W_clear: mapped_sq_clear, W_clipped: mapped_sq_clipped}, {"total_mean": "total_G"}),
    line("one_block", back_sq, "=", GROWTH * a_sq).says("Lemma D.8 for a block of k").shown("dp_grape.lemma_d8", "mapped_back", {d: k}),
    line("blocks_of_G", mapped_sq, "<=", GROWTH * batch_grad_sq)
    .says("the blocks are independent, and none is larger than k")
    .reasoned("sum over blocks", using=("one_block",)),
    line("batch", batch_grad_sq, "=", grad_sq + sampling_sq).says("a batch's gradient has the mean grad F").reasoned("its variance"),
    line("lemma_d7", sampling_sq, "<=", partial / B * deviation_sq)
    .says("Lemma D.7 for the deviations grad f_j - grad F, which add up to 0")
    .shown("dp_grape.lemma_d7", "at_most", {batch_sq: sampling_sq, each_sq: deviation_sq}),
    line("deviations", deviation_sq, "=", sample_grad_sq - grad_sq).says("a variance over samples").reasoned("E over a uniform sample"),
    TOTAL_NOISE,
    line("lemma_d4_noise", noise_sq_clear, "<=", noise_sq / p_t)
    .says("Lemma D.4")
    .shown(
        "dp_grape.lemma_d4", "bound", {W: noise_sq, W_clear: noise_sq_clear, W_clipped: noise_sq_clipped}, {"total_mean": "total_noise"}
    ),
    line("column", column_sq, "=", d / r).says("d entries of variance 1/r in a column of P_t").reasoned("variances add up"),
    line("noise_length", noise_sq, "=", sigma**2 * r * column_sq).says("E z z' = sigma^2 I, z of each block on its own").reasoned("Tr P'P"),
)
ONE_RUN = (
    line(
        "taylor",
        F_next,
        "<=",
        F_now - eta * (inner_G_clear + grad_noise) + eta**2 * lambda_ / 2 * (mapped_sq_clear + 2 * G_noise + noise_sq_clear),
    )
    .says("given Q_t, where nothing is clipped, along w_{t+1} - w_t = -eta (G + P z); F is lambda-smooth")
    .cited("the descent lemma", using=("no_clipping",)),
    line("noise_and_gradient", grad_noise, "=", 0).says("z_t is independent of w_t, P_t, X_t and Q_t").reasoned("its mean is 0"),
    line("noise_and_G", G_noise, "=", 0).says("the same for G(w_t; X_t)").reasoned("its mean is 0"),
    line("drop_t", drop_t, "=", F_now - F_next).says("what a step takes off the loss, given Q_t").defined(),
    line("drop_Q", drop_Q, "=", F_Q_now - F_Q_next).says("the same given Q").defined(),
    line("total_drop", p_t * drop_t, "=", (1 - q) * drop_Q + s_t * drop_late).says("over Q and the rest of Q_t").meaning(),
    line("other_or_any", s_t, "<=", q).says("another step that clips is one that clips").meaning(),
    line("Q_last_above_least", F_Q_last, ">=", F_star).says("F^* is the smallest value").meaning(),
    FIRST_ABOVE_LEAST,
)


def proof() -> Derivation:
    """Write the proof out, as far as the printed one holds."""
    once, many, growth, per_T = 1 / p_t, 4 * p_t / eta, GROWTH * partial / B, 4 / (eta * T)
    level = grad_sq + partial * Gamma**2 / B
    steps: tuple[Step, ...] = (
        line("without_root_L", R_sq, "<=", Gamma**2 * V_max**2)
        .says("the squared norm of a projected gradient is at most Gamma^2 V_max^2: with C = Gamma K nothing is clipped, without sqrt(L)")
        .because("||grad_l f_j||^2 adds up to Gamma^2 at most")
        .by("blocks_of_R", (V_max**2, "gradient_in_layers")),
        line("no_clipping", R_sq, "<=", C**2)
        .says("so on Q_t the squared norm of a projected gradient is at most C^2, the more so with the printed C = sqrt(L) Gamma K")
        .because("K = C/(sqrt(L) Gamma), L >= 1")
        .by("without_root_L", (Gamma**2 * V_max**2, "layers >= 1"), (L * Gamma**2, K + V_max, "on_Q_t"), at=("cutoff",)),
        line("where_it_clips", inner_G_clipped, "<=", Gamma**2 * beyond)
        .says("the inner product where step t clips", "Lemma D.6 in the line before (4)")
        .by("jensen", (Gamma**2, "lemma_d6")),
        line("without_half", inner_G_clear, ">=", grad_sq / p_t - Gamma**2 * q_t / p_t * beyond)
        .says("the inner product given Q_t: (4) without the half of its first term", "total probability")
        .by((q_t / p_t, "where_it_clips"), modulo=((-once, "total_inner"), (once, "unbiased"))),
        line("equation_4", inner_G_clear, ">=", grad_sq / (2 * p_t) - Gamma**2 * q_t / p_t * beyond)
        .says("(4): the inner product given Q_t", "half is less")
        .by("without_half", once * grad_sq / 2),
        line("second_moment", mapped_sq, "<=", GROWTH * level)
        .says("the mean squared length of G(w_t; X_t), in that of the gradient and what sampling adds")
        .because("the cross term of gradient and sampling error is 0; Lemma D.7")
        .by(
            *("blocks_of_G", (GROWTH, "lemma_d7"), (growth, "gradient"), growth * grad_sq),
            modulo=((-GROWTH, "batch"), (-growth, "deviations")),
        ),
        line("equation_5", mapped_sq_clear, "<=", 2 * d / (r * p_t) * grad_sq + 8 * d * Gamma**2 * partial / (r * B * p_t))
        .says("(5): the mean squared length of G(w_t; X_t) given Q_t; 2 would do for 8", "k + r + 1 <= 2 d")
        .by("lemma_d4", (once, "second_moment"), (level / (r * p_t), "room"), 6 * d * Gamma**2 * partial / (r * B * p_t)),
        line("equation_6", noise_sq_clear, "<=", sigma**2 * d / p_t)
        .says("(6): the mean squared length of the noise given Q_t", "r columns of d entries of variance 1/r")
        .by("lemma_d4_noise", modulo=((-once, "noise_length"), (-once * sigma**2 * r, "column"))),
        line("equation_3", F_next, "<=", F_now - eta * inner_G_clear + eta**2 * lambda_ / 2 * (mapped_sq_clear + noise_sq_clear))
        .says("(3): the loss F_next given Q_t, in expectation over the noise", "the noise has mean 0")
        .by("taylor", modulo=((eta, "noise_and_gradient"), (-(eta**2) * lambda_, "noise_and_G"))),
        line("one_step", F_next, "<=", ONE_STEP)
        .says("(16): F(w_{t+1}) given Q_t, in F_now and the squared norm of the gradient", "(4), (5) and (6) in (3)")
        .by("equation_3", (eta, "equation_4"), *((eta**2 * lambda_ / 2, f"equation_{i}") for i in (5, 6))),
        line("per_step", grad_sq, "<=", 4 / eta * drop_t * p_t + SPREADS + 4 * Gamma**2 * beyond * q)
        .says("(17) without its factor eta: the squared norm of the gradient at w_t")
        .because("4 P(Q_t)/eta times (16); eta <= r/(4 d lambda), and P(not Q_t) <= P(not Q)")
        .by(
            *((many, "one_step"), (4 * d * lambda_ / r * grad_sq, "step_size"), (4 * Gamma**2 * beyond, "step_or_any")),
            modulo=((many, "drop_t"),),
        ),
        line("split", p_t * drop_t, "<=", (1 - q) * drop_Q + D * q)
        .says("the decrease drop_t given Q_t, split by Q, with D where (18) has 2 D", "F(w_t) - F(w_{t+1}) <= D")
        .by((D, "other_or_any"), (s_t, "late"), modulo=((-1, "total_drop"),)),
        line("step_18", p_t * drop_t, "<=", (1 - q) * drop_Q + 2 * D * q)
        .says("(18): the decrease drop_t given Q_t, split by Q", "D <= 2 D")
        .by("split", D * q),
        line("given_Q", grad_sq, "<=", GIVEN_Q)
        .says("the squared norm of the gradient through decreases given Q", "(18) in (17)")
        .by("per_step", (4 / eta, "step_18"), modulo=((-4 / eta * (1 - q), "drop_Q"),)),
        line("averaged", mean_grad_sq, "<=", GIVEN_Q - 4 / eta * (1 - q) * (F_Q_now - F_Q_next - (F_first - F_Q_last) / T))
        .says("averaged over t = 0, ..., T - 1, the decreases of F telescope")
        .because("the line holds at every t, and tau is uniform and independent of the run")
        .averaging("given_Q"),
        line("noise_term", 2 * lambda_ * eta * d * sigma**2, "=", NOISE)
        .says("the noise term, sigma inserted", "insert")
        .inserting("sigma"),
        line("events", (4 * Gamma**2 * beyond + 8 * D / eta) * q, "<=", TAIL)
        .says("what clipping adds, q times that, in the exponential of K")
        .because("the union bound, Lemma D.5 on both sides, and P(|V| >= K) <= 2 exp(-K^2/2)")
        .by(
            *((4 * Gamma**2 * beyond + 8 * D / eta, "union"), ((4 * Gamma**2 + 8 * D / eta) * T * L * n * r, "chernoff")),
            modulo=((-4 * Gamma**2 * T * L * n * r, "two_sided"),),
        ),
        line("step_19", mean_grad_sq, "<=", FIRST + NOISE + SAMPLING + TAIL)
        .says("(19) as it follows: the average of the squared gradient norms for any schedule", "F(w_0) - F(w_T) <= D")
        .by(
            *("averaged", "events", (per_T, "start"), (per_T, "q <= 1", "Q_last_above_least"), (per_T, q, "first_above_least")),
            modulo=((-1, "noise_term"),),
        ),
    )
    facts = (*ON_THE_LOSS, STEP_SIZE, DELTA_BELOW_ONE, LOG, CUTOFF, CALIBRATED, *KEEPING, *ON_AVERAGE, *ONE_RUN)
    return proved("theorem_d10", "Algorithm 6, as far as the printed proof holds", "Theorem D.10, (3) to (6)", facts=facts, steps=steps)


MOST = (4 * (2 + 2 * K / sp.sqrt(2 * sp.pi)) * Gamma**2 + 16 * D / eta) * T * L * n * r / (Gamma**2 * PREF)  # the tail over Gamma^2 PREF
THREE_TERMS = (lambda_ * sp.sqrt(L) * D + (2 + sp.sqrt(L) * K**2) * Gamma**2) * PREF
REPAIRED = (lambda_ * sp.sqrt(L) * D + (3 + sp.sqrt(L) * K**2) * Gamma**2) * PREF


def schedule() -> Derivation:
    """Insert the printed parameters in (19): what the terms are, that the fourth is above 1, and a threshold with which it is small."""
    source, count = "the parameters of Theorem D.10", T * L * n * r
    facts = (
        *(*ON_THE_LOSS, DELTA_BELOW_ONE, LOG, CUTOFF, CALIBRATED),
        line("alpha", eta, "=", LARGEST_ETA).says("eta as printed").defined(source),
        line("T", T, "=", PRINTED_T).says("T as printed").defined(source),
        line("X", X, "=", IN_C).says("what C takes the logarithm of, as printed").defined(source),
        line("batch_size", B, ">=", LEAST_B).says("B is at least its second entry").assumed(),
        line("threshold", K**2, ">=", 2 * sp.log(MOST)).says("K^2, in place of 2 log(X), is at least").assumed(),
        line("step_19", mean_grad_sq, "<=", FIRST + NOISE + SAMPLING + TAIL).says("(19)").shown("dp_grape.theorem_d10", "step_19"),
    )
    steps = (
        line("step_size", eta, "<=", LARGEST_ETA)
        .says("eta is at most the largest that (17) allows", "it is that")
        .by(modulo=((-1, "alpha"),)),
        line("alpha_T", eta * T, "=", n * epsilon / (lambda_ * sp.sqrt(2 * L * d * log_delta)))
        .says("eta T is what is printed beside eta and T", "insert them")
        .inserting("alpha", "T"),
        line("first_term", FIRST, "=", lambda_ * sp.sqrt(L) * D * PREF).says("the term of D", "insert eta and T").inserting("alpha", "T"),
        line("noise_at_schedule", NOISE, "=", sp.sqrt(L) * Gamma**2 * K**2 * PREF)
        .says("the noise term, C in K", "insert eta, T and K")
        .inserting("alpha", "T", "cutoff"),
        line("sampling_at_schedule", SAMPLING, "=", 4 * Gamma**2 * partial / B)
        .says("the sampling term, in B", "insert eta")
        .inserting("alpha"),
        line("three_terms", FIRST + NOISE + 4 * Gamma**2 / LEAST_B, "=", THREE_TERMS)
        .says("the three terms, at the least B, are the right side of Theorem D.10, with K^2 for 2 log(X)", "insert eta, T and K")
        .inserting("alpha", "T", "cutoff"),
        line("count", count, "=", EVENTS).says("the number of events, steps T and columns r among it", "insert T").inserting("T"),
        line("argument", X, "=", (5 * eta * Gamma**2 + 16 * D / eta) * count)
        .says("X is the factor of the exponential in (19), but with 5 for 4 (2 + 1/sqrt(2 pi))", "insert eta and T")
        .inserting("X", "alpha", "T"),
        line("tail_at_least", PRINTED_TAIL / X, ">=", 1)
        .says("the fourth term of (19) as printed, at the printed C where its exponential is 1/X, is never below 1", "5 < 9.596")
        .by((CONSTANT - 5) * eta * Gamma**2 * count / X, modulo=((-1 / X, "argument"),)),
        line("tail_at_most", PRINTED_TAIL / X, "<=", CONSTANT / 5)
        .says("and the same fourth term, in eta and X, is at most 1.92", "D >= 0")
        .by((CONSTANT / 5 - 1) * 16 * D / eta * count / X, modulo=((CONSTANT / (5 * X), "argument"),)),
        line("tail_small", TAIL, "<=", Gamma**2 * PREF)
        .says("the fourth term as it follows, with a K whose square is at least 2 log of the term over Gamma^2 times the rate")
        .because("the exponential is increasing")
        .by((Gamma**2 * PREF, Instance("decay", (half, "threshold")))),
        line("repaired", mean_grad_sq, "<=", REPAIRED)
        .says("so with that K, and C = sqrt(L) Gamma K, the average of the squared gradient norms at the printed eta and T")
        .because("the sum of the four terms")
        .by(
            *("step_19", "tail_small", (4 * Gamma**2 / (B * LEAST_B), "batch_size"), (4 * Gamma**2 / B, "partial <= 1")),
            modulo=((-1, "first_term"), (-1, "noise_at_schedule"), (-1, "sampling_at_schedule")),
        ),
    )
    return proved("theorem_d10_schedule", "(19) at the printed parameters", "Theorem D.10, its last step", facts=facts, steps=steps)
