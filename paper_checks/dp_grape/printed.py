"""The formulas of DP-GRAPE as its text prints them: the one foreign transcription, from the paper and not from `bounds`.

Only the letters are shared with the theory. The paper's Gamma, lambda, eta, L, r, B and D are the glossary's L, ell, alpha, layers,
subspace, batch and spread; V and K of its proof are standard normal and C/(sqrt(L) Gamma).
"""

from collections.abc import Mapping
from typing import Any

import sympy as sp

from bounds.symbols import symbols
from paper_checks.examine.letters import Spelling

n, d, epsilon, delta, Gamma, lambda_, eta, T, C, sigma = symbols("n d epsilon delta L ell alpha T C sigma")
L, r, B, D, a_sq, K, sd, Delta, c_2 = symbols("layers subspace batch spread a_sq cutoff normal_sd sensitivity c_noise")
beyond, q, grad_sq, each_sq, mean, p_t, above, partial = symbols("beyond q grad_sq each_sq W p_t mean_above partial")

logs = sp.log(1 / delta)
GAUSSIAN = Delta * sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta)) / epsilon  # Theorem 2.1
RATE = sp.sqrt(L * d * logs) / (n * epsilon)  # Theorem 4.1
TAIL_OF_X = sp.erfc(K / (sd * sp.sqrt(2))) / 2  # P(X >= K)
LEMMAS: Mapping[str, Any] = {
    "lemma_d4": mean / p_t,
    "lemma_d5": sd**2 * (1 + 1 / (TAIL_OF_X * sp.sqrt(2 * sp.pi)) * sp.exp(-(K**2) / (2 * sd**2))),
    "lemma_d6": above,
    "lemma_d7": (n - B) / ((n - 1) * B) * each_sq,
    "lemma_d8": d * a_sq,
    "lemma_d9": c_2 * B * Delta * sp.sqrt(T * logs) / (n * epsilon),
}
FACTOR = 2 * sp.sqrt(2 * L * d) * n**2 * epsilon / sp.sqrt(logs)
D10: Mapping[str, Any] = {
    "eta": r / (4 * d * lambda_),
    "T": 2 * sp.sqrt(2 * d) * n * epsilon / (r * sp.sqrt(L * logs)),
    "eta T": n * epsilon / (lambda_ * sp.sqrt(2 * L * d * logs)),
    "C": Gamma * sp.sqrt(2 * L * sp.log((5 * r / (4 * d * lambda_) * Gamma**2 + 64 * d * D * lambda_ / r) * FACTOR)),
    "B, first": sp.sqrt(r / (8 * n)) * (L * logs / (2 * d)) ** sp.Rational(1, 4),
    "B, second": n * epsilon / (2 * sp.sqrt(2 * d * logs)),  # the print has log(1 delta)
    "sigma": 2 * C * sp.sqrt(T * logs) / (n * epsilon),
    "bound": (lambda_ * sp.sqrt(L) * D + (2 + 2 * sp.sqrt(L) * sp.log((5 * Gamma**2 + 64 * d * D * lambda_ / r) * FACTOR)) * Gamma**2)
    * (4 * sp.sqrt(2 * d * logs) / (n * epsilon)),
    "first": 4 * D / (eta * T),  # (19), its expectation at most D
    "noise": 8 * lambda_ * eta * T * d * logs / (n**2 * epsilon**2) * C**2,
    "sampling": 16 * d * eta * partial * Gamma**2 * lambda_ / (B * r),
    "tail": (4 * (2 + 1 / sp.sqrt(2 * sp.pi)) * eta * Gamma**2 + 16 * D / eta) * T * L * n * r * sp.exp(-(C**2) / (2 * L * Gamma**2)),
}

SPELLING = Spelling(
    {
        "L": "Gamma", "ell": "lambda", "alpha": "eta", "layers": "L", "subspace": "r", "batch": "B", "spread": "D", "block": "k",
        "cutoff": "K", "normal_sd": "sigma", "a_sq": "||a||^2", "p_t": "P(Q_t)", "q_t": "P(not Q_t)", "q": "P(not Q)",
        "beyond": "E[V^2 | |V| >= K]", "partial": "1_{B<n}", "grad_sq": "||grad_l F||^2", "sample_grad_sq": "mean of ||grad_l f_j||^2",
        "deviation_sq": "mean of ||grad_l f_j - grad_l F||^2", "sampling_sq": "E ||grad_l f(w; X_t) - grad_l F||^2",
    },
    in_text=("Gamma", "lambda", "eta"),
)  # fmt: skip
# the right-hand sides of lines that are false, in the letters of the entries of that name
RIGHT: Mapping[str, Any] = {
    "printed_d5": LEMMAS["lemma_d5"],
    "printed_star": 1 + 1 / (sp.erfc(K / sp.sqrt(2)) * sp.sqrt(2 * sp.pi)) * sp.exp(-(K**2) / 2),  # P(|V| >= K) is erfc(K/sqrt(2))
    "printed_d8": d * a_sq,
    "printed_columns": (d + r - 1) / r * a_sq,
    "printed_2d": 2 * d / r,
    "printed_variance": 2 * d * grad_sq * partial / (r * B),
    "printed_jensen": grad_sq,
    "printed_17": 4 * eta * Gamma**2 * beyond * q,
    "printed_no_d": 16 * eta * partial * Gamma**2 * lambda_ / (B * r),
    "printed_entries": sigma**2 * d,
    "printed_five": 5 * eta * Gamma**2,
    "printed_bound": D10["bound"],
    "printed_exact_tail": D10["bound"],
}
