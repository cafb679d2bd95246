"""The formulas of Gauss-PSGD as its text prints them: the one foreign transcription, from the paper and not from `bounds`.

`bounds.gauss_psgd` holds the same formulas as parts of proofs and of schedules. Two transcriptions by two ways are two witnesses: a
ledger that borrowed its formulas from the theory it examines would agree with every slip of it. Only the letters are shared. Numbers
come from the formulas here.
The paper's G, M, alpha, mu, kappa, r, sigma and C are the glossary's L, ell, accuracy, log_factor, drift_limit, added_noise,
sampling_error and C_abs.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import sympy as sp

import bounds
from bounds.symbols import symbols
from paper_checks.examine.formulas import compiled, inserted
from paper_checks.examine.letters import Spelling

n, d, m, epsilon, delta, G, M, rho, U, omega, T = symbols("n d m epsilon delta L ell rho U omega T")
alpha, mu, r, sigma, psi, gamma = symbols("accuracy log_factor added_noise sampling_error psi curvature")
eta, chi, Gamma, Q, R, Phi, kappa, b_1, b_2 = symbols("eta chi Gamma Q radius decrease drift_limit b_1 b_2")
s, iota, C, c, b_frak, deviation = symbols("s iota C_abs c_abs b_frak deviation")
O_2_CALLS, LAST_MOVE = symbols("t_count moved_sq")


def power(base: Any, top: int, bottom: int = 1) -> Any:
    """Return a rational power."""
    return base ** sp.Rational(top, bottom)


root = sp.sqrt(rho * alpha)
FIVE: Mapping[Any, Any] = {
    iota: s * mu,
    Gamma: iota / (s * eta * root),
    R: sp.sqrt(alpha / rho) / power(iota, 3, 2),
    Phi: s / (8 * iota**3) * sp.sqrt(alpha**3 / rho),
    eta: root / (M**2 * iota**2),
    alpha: 4 * chi,
    chi: 4 * sp.sqrt(C) * s * mu**2 * psi,
}
SIX = (  # what mu is the largest of; logarithms natural
    sp.log(9 * d * sp.log(4 * power(C, 1, 4) / (s * eta * r) * sp.sqrt(psi / rho)) / (power(C, 1, 4) * eta * sp.sqrt(s * rho * psi))) / s,
    sp.log(160 * sp.sqrt(2) * power(C, 1, 4) / (s * sp.sqrt(eta * r)) * sp.sqrt(psi / rho)),
    power(C * sp.log(4 * T / omega), 1, 4) / (power(sp.Integer(2), 3, 4) * sp.sqrt(s)),
    sp.Integer(1),
)
THREE = sp.sqrt(sigma**2 + r**2 * d)  # psi
ESCAPES = 16 * iota**3 * U / (s * omega) * sp.sqrt(rho / chi**3)
ROUNDS = sp.Rational(26, 5) * sp.log(ESCAPES)  # Lemma 6
T_76 = U * s**2 * mu**4 / (2 * chi**2 * eta)
T_79 = 13 * U * s**2 * mu**4 / (5 * chi**2 * eta) * sp.log(ESCAPES)

# Lemma 7 without its logarithms of d and its constants: the four parts of psi^2
LEMMA_7 = (G**2 / b_1, M**2 / b_2 * kappa, d * G**2 / (b_1**2 * epsilon**2), d * M**2 / (b_2**2 * epsilon**2) * kappa)
B_1, B_2 = n * kappa / (2 * U * eta), n * eta * chi**2 / (2 * U)
KAPPA = (
    power(G, 3, 2) * sp.sqrt(U) * sp.sqrt(rho) / (power(M, 5, 2) * sp.sqrt(n)),
    power(G, 14, 15) * power(d, 2, 5) * power(U, 4, 5) * power(rho, 8, 15) / (power(M, 34, 15) * power(n * epsilon, 4, 5)),
)
KAPPA_3 = (  # of Theorem 3
    power(G, 3, 2) * sp.sqrt(U) * sp.sqrt(rho) / (power(M, 5, 2) * sp.sqrt(m * n)),
    power(G, 14, 15) * power(d, 2, 5) * power(U, 4, 5) * power(rho, 8, 15) / (power(M, 34, 15) * power(sp.sqrt(m) * n * epsilon, 4, 5)),
)
RATE = (  # (105)
    power(G * U * M / n, 1, 3),
    power(G, 2, 15) * power(U, 2, 5) * power(M, 8, 15) / power(rho, 1, 15) * power(sp.sqrt(d) / (n * epsilon), 2, 5),
)
RATE_3 = (  # (121)
    power(G * U * M / (m * n), 1, 3),
    power(G, 2, 15) * power(U, 2, 5) * power(M, 8, 15) / power(rho, 1, 15) * power(sp.sqrt(d) / (sp.sqrt(m) * n * epsilon), 2, 5),
)
MN = sp.sqrt(m) * n * epsilon
SELECTED = (  # (143), term by term
    alpha,
    1 / (m * n),
    1 / sp.sqrt(m * n),
    alpha / sp.sqrt(m * n),
    sp.sqrt(d) / (MN * power(alpha, 5, 4)),
    d / (MN * power(alpha, 3, 4)),
    d**2 / (m * n**2 * epsilon**2 * power(alpha, 5, 2)),
)
REMARK_4 = (MN**2, power(MN, 6, 13))


@cache
def in_psi(expression: Any) -> Any:
    """Return the expression with (5) inserted until psi, s, mu, C, M and rho are left."""
    return inserted(expression, FIVE)


def in_alpha(expression: Any) -> Any:
    """Return the expression with (5) inserted and the accuracy kept in place of psi."""
    kept = {letter: value for letter, value in FIVE.items() if letter not in (chi, alpha)}
    return inserted(expression, {**kept, chi: alpha / 4, psi: alpha / (16 * sp.sqrt(C) * s * mu**2)})


def at_batches(part: Any, exact_gradients: bool = False) -> Any:
    """Return a part of psi^2 at the printed batches, with chi = alpha and eta = sqrt(rho alpha)/M^2, or 1/M for exact gradients.

    Constants and logarithms are left out, as in (102) and (103).
    """
    step = 1 / M if exact_gradients else sp.sqrt(rho * alpha) / M**2
    return part.xreplace({b_1: B_1, b_2: B_2}).xreplace({eta: step, chi: alpha})


def number(expression: Any, at: Mapping[Any, float]) -> float:
    """Return a formula, with (5) inserted, at given numbers for the letters that are left."""
    letters, function = compiled(in_psi(expression), "math")
    return float(function(*(at[letter] for letter in letters)))


def problem(**values: float) -> dict[Any, float]:
    """Return numbers for the letters of a problem by their names in the paper: those given, delta = 1e-5, omega = 0.1, and 1 elsewhere."""
    named = {"n": n, "d": d, "epsilon": epsilon, "delta": delta, "G": G, "M": M, "rho": rho, "U": U, "m": m, "omega": omega, "s": s, "C": C}
    return {letter: {"delta": 1e-5, "omega": 0.1, **values}.get(name, 1.0) for name, letter in named.items()}


LETTERS = {  # the paper's letters for the names of the glossary
    "L": "G",
    "ell": "M",
    "accuracy": "alpha",
    "log_factor": "mu",
    "drift_limit": "kappa",
    "added_noise": "r",
    "sampling_error": "sigma",
    "C_abs": "C",
    "c_abs": "c",
    "radius": "R",
    "decrease": "Phi",
    "curvature": "gamma",
    "b_frak": "b(Gamma)",
    "growth": "eta gamma",
    "log_ratio": "log(R/(eta r))",
    "steps_taken": "t",
    "grad_norm": "||grad F||",
    "err_norm": "||nu||",
    "deviation": "-t / zeta",
    "beta_exp": "beta",
    "k_exp": "k",
    "A_rate": "A",
    "sum_sq": "sum zeta_i^2",
    "t_count": "O_2 calls",
    "moved_sq": "||x_{t-1} - x_{t-2}||^2",
    "drift": "sum of ||x_{i-1} - x_{i-2}||^2",
}
SPELLING = Spelling(LETTERS, in_text=("mu", "alpha", "kappa", "sigma", "Phi", "gamma"))
letter, told, lettered, written = SPELLING.letter, SPELLING.told, SPELLING.lettered, SPELLING.written

bernstein = sp.exp(-sp.Rational(1, 2) / (1 + sp.Rational(1, 3)))  # exp(-t^2/(2 (sigma^2 + B t/3))) at t = sigma = B = 1
# the right-hand sides of lines that are false, of some times a constant that an O would hide, in the letters of the entries of that name
RIGHT: Mapping[str, Any] = {
    "printed_after_41": 2 * c / s,
    "printed_42": 2 * c * eta * M * sp.sqrt(Gamma) * b_frak * eta * r * sp.sqrt(iota),
    "printed_52": (1 + eta * gamma) ** Gamma * sp.sqrt(eta * r) / (40 * sp.sqrt(2)),
    "printed_53": R,
    "printed_53_natural": R,
    "printed_71": -s / (4 * iota**3) * sp.sqrt(alpha**3 / rho) + 2 * c * psi**2 * iota / (s * sp.sqrt(rho * alpha)),
    "printed_lemma4": Phi,
    "printed_72": Phi,
    "printed_75": 2 * eta * chi**2,
    "printed_77": 8 * iota**3 * U / s * sp.sqrt(rho / chi**3),
    "printed_79": Q * T_76,
    "printed_union": sp.Integer(0),
    "printed_definition7": 2 * sp.exp(-(deviation**2) / 2),
    "printed_definition8": delta,
    "printed_definition8_far": delta,
    "printed_lemma14": d * bernstein,
    "printed_corollary3": 2 * sp.log(d),
    "printed_zeta": C**2 / 2 * symbols("zeta")[0] ** 2 * sp.log(2 * d / omega) / sp.log(2 / omega),
    "printed_cited": 10 * C * THREE,
    "printed_90": 100 * (G**2 / b_1**2 + O_2_CALLS * M**2 / b_2**2 * LAST_MOVE) * sp.log(1 / delta) / epsilon**2,
    "printed_98": 10 * (B_2 * T_79).xreplace({chi: sp.Integer(1)}),
    "printed_order": 10 * (6 * eta / kappa * (U + 5 * T_79 * eta * chi**2)).xreplace({chi: sp.Integer(1)}),
    "printed_105": RATE[0] + RATE[1],
    "printed_105_any_kappa": RATE[0] + RATE[1],
    "printed_121": RATE_3[0] + RATE_3[1],
    "printed_contribution_3": power(sp.sqrt(d) / (epsilon * m * n), 2, 5),
    "printed_contribution_2": power(sp.sqrt(d) / (epsilon * n), 2, 5),
    "printed_143": 2 * SELECTED[3],
}

omega_0, sum_sq, sum_grad, sum_err, P_p, t, zeta = symbols("omega_0 sum_sq sum_grad sum_err P_p t_count zeta")
P_h, P_sg = map(bounds.page("gauss_psgd.lemma18").symbol, ("P_h", "P_sg"))
x, low, high, variance, bound_B, entry, k = symbols("deviation_t scale_low scale_high matrix_variance matrix_bound entry_scale releases")
log_d, one_privacy = sp.log(d), sp.sqrt(sp.log(1 / delta)) / epsilon
root_sum = sp.sqrt(G**2 / b_1 + M**2 * kappa / b_2)
noise_sum = sp.sqrt(G**2 / b_1**2 + M**2 * kappa / b_2**2)
growth = (1 + eta * gamma) ** t / sp.sqrt(2 * eta * gamma)
tail = d * sp.exp(-(x**2) / (2 * (variance + bound_B * x / 3)))

# statement -> (bound, failure or other part by name), as the paper prints them
STATEMENTS: Mapping[str, tuple[Any, Mapping[str, Any]]] = {
    "lemma1": (1 - sp.Rational(1, 4), {}),
    "corollary1": (1 - sp.Rational(1, 8), {}),
    "lemma2": (omega_0, {}),
    "lemma3": (-eta / 2 * sum_grad + eta / 2 * sum_err, {}),
    "corollary2": (-eta / 2 * sum_grad + c * eta * psi**2 * (t + iota), {"failure": 2 * sp.exp(-iota)}),
    "lemma4": (-Phi, {"failure": 2 * sp.exp(-iota)}),
    "lemma5": (C * sp.sqrt(2 * sp.log(4 * T / omega)) * psi, {"failure": omega / 2}),
    "lemma6": (Q * T_76, {"once": T_76}),
    "theorem1": (alpha, {"failure": omega, "curvature": sp.sqrt(rho * alpha)}),
    "lemma7": (log_d * root_sum, {"r": one_privacy * noise_sum}),
    "lemma8": (6 * eta / kappa * (U + 5 * T * eta * chi**2), {"order": U * eta / kappa}),
    "theorem2": (RATE[0] + RATE[1], {"sampling": RATE[0], "privacy": RATE[1]}),
    "lemma9": (log_d * root_sum / sp.sqrt(m), {"r": one_privacy * noise_sum / sp.sqrt(m)}),
    "theorem3": (RATE_3[0] + RATE_3[1], {"sampling": RATE_3[0], "privacy": RATE_3[1]}),
    "theorem4": (sum(SELECTED), {}),
    "remark4": (None, {"term 5": REMARK_4[0], "terms 6, 7": REMARK_4[1]}),
    "lemma10": (2 * sp.sqrt(2) * r * sp.sqrt(d), {}),
    "lemma11": (C * sp.sqrt(sum_sq * iota), {"failure": 2 * d * sp.exp(-iota)}),
    "corollary3": (C * sp.sqrt(log_d * sum_sq), {}),
    "lemma12": (None, {"failure": 2 * d * sp.log(high / low) * sp.exp(-iota)}),
    "lemma13": (C * zeta**2 * (t + iota), {"failure": sp.exp(-iota)}),
    "lemma14": (tail, {}),
    "lemma15": (C * entry * (sp.sqrt(d) + x), {"failure": 4 * sp.exp(-(x**2))}),
    "lemma16": (epsilon / (2 * sp.sqrt(2 * k * sp.log(2 / delta))), {"delta": delta / (2 * k)}),
    "lemma17": (epsilon, {"delta": delta}),
    "lemma18": (-P_h - P_sg - P_p, {}),
    "lemma19": (c * growth * eta * r * sp.sqrt(iota), {"failure": 2 * sp.exp(-iota), "below": growth * eta * r / 10}),
    "lemma20": (growth * eta * r / 20, {"failure": 6 * d * Gamma * sp.log(R / (eta * r)) * sp.exp(-iota)}),
}
