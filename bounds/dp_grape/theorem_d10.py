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

from bounds.dp_grape.lemmas_d4_to_d9 import CITED
from bounds.dp_grape.paper import keyed, letters
from bounds.symbols import Max
from bounds.theorem import SCOPE, Condition, Part

B, C, D, d, delta, epsilon, eta, Gamma, k, K, L, lambda_ = letters("B C D d delta epsilon eta Gamma k cutoff L lambda_")
n, partial, r, sigma, T, X, normal_sd, W, W_clear, W_clipped = letters("n partial r sigma T X normal_sd W W_clear W_clipped")
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


MOST = (4 * (2 + 2 * K / sp.sqrt(2 * sp.pi)) * Gamma**2 + 16 * D / eta) * T * L * n * r / (Gamma**2 * PREF)  # the tail over Gamma^2 PREF
REPAIRED = (lambda_ * sp.sqrt(L) * D + (3 + sp.sqrt(L) * K**2) * Gamma**2) * PREF
