"""The formulas of DP-ZOPO as its text prints them: the one foreign transcription, from the paper and not from `bounds`.

Only the letters are shared with the theory.
"""

from typing import Any

import sympy as sp

from bounds.dp_zopo.paper import LETTERS
from bounds.symbols import symbols
from paper_checks.examine.letters import Spelling

SPELLING = Spelling({known: name.rstrip("_") for name, known in (pair.split() for pair in LETTERS.split(", "))})
RIGHT: dict[str, Any] = {}  # the right-hand sides of lines that are false, in the letters of the entries of that name

# Lemmas 3, 4 and 6
n, d, L, C, epsilon, delta, T, m, P = symbols("n d L C epsilon delta T minibatch directions")
beta, gamma, c_2, sigma, given, mean = symbols("stage_lam sample_spread c_noise noise_ratio given_batch mean_bias")
LEMMA3 = {"bound": sp.sqrt(d) * L / beta, "i": L, "ii": L * beta * sp.sqrt(d)}  # (iii), (i), (ii)
ERROR_TERMS = (  # of (14), (20) and (32)
    d * c_2**2 * C**2 * P * T * sp.log(P / delta) / (epsilon**2 * n**2),
    8 * d * C**2 / (sp.E * P * m),
    64 * d * beta**2 * L**4 / (P * m),
    gamma**2 / (P * m),
)
EQUATION_26, EQUATION_27, EQUATION_31 = 4 * L**4, 64 * d * beta**2 * L**4, 8 * d * C**2 / sp.E
EQUATION_30 = (2 * d * C**2 + 4 * d * L**2) * sp.exp(-(C**2) / (2 * L**2))
right_of_30 = sp.lambdify((d, C, L), EQUATION_30, "math")
RIGHT |= {
    "printed_21": (mean**2 + given) / P,  # P terms over P^2
    "printed_26": EQUATION_26,
    "printed_27": EQUATION_27,
    **dict.fromkeys(("printed_shared", "printed_floor", "printed_sampling"), sum(ERROR_TERMS)),
    "printed_31": EQUATION_31,
    "printed_36": ERROR_TERMS[0],
}

# Lemmas 5, 7 and 8, Theorems 2 and 4
r, mu, away_sq, theta, gap_here, before_gap = symbols("tuned growth_mu away_first from_best gap_here before_gap")
eta_s, T_s, lambda_, beta_S, alpha_s, alpha = symbols("stage_step stage_T anchor last_lam stage_target target")
logs = sp.log(P / delta)
EQUATION_33 = (1 / (2 * eta_s * T_s) + 1 / (2 * T_s * lambda_)) * away_sq + eta_s * sum(ERROR_TERMS)  # in another order
EQUATION_48 = sum(one.xreplace({d: d * r}) for one in ERROR_TERMS)


def entries(dim: Any) -> tuple[Any, ...]:
    """Return the four entries of the minimum in eta_s, d of Theorem 2 or d r_S of Theorem 4."""
    return (
        P * m / (7 * gamma**2),
        P * m * sp.E / (56 * dim * C**2),
        epsilon**2 * n**2 / (7 * dim * c_2**2 * C**2 * P * T * logs),
        P * m / (448 * dim * beta_S**2 * L**4),
    )


def in_order(dim: Any, factor: Any = 1) -> Any:
    """Return what O(.) has in (17), d, in (19) and (54), d r_S, and in (50), the latter times r in three terms."""
    d_terms = dim * C**2 + dim * beta_S**2 * L**4 + dim * C**2 * P**2 * m * logs / (epsilon**2 * n**2)
    return (gamma**2 + factor * d_terms) / (mu * alpha)


LAMBDA = ETA_T = 7 / (2 * mu)
RIGHT |= {
    "printed_33": EQUATION_33,
    "printed_38": sp.Integer(0),
    "printed_12": gap_here / (2 * mu),
    "printed_44": before_gap / (2 * mu),
    "printed_everywhere": L * theta,
    "printed_stages": alpha,
    "printed_mask": alpha,
    "printed_factor": r * in_order(d),
    "printed_50": r * d * r * C**2,
}

# Lemmas 1 and 2, (5) to (7), Theorems 1 and 3, (13), and the last terms of (16) and (17)
THEOREM_1 = {"squared": c_2**2 * P**2 * m**2 * T * logs / (epsilon**2 * n**2)}
PRIVACY: dict[str, tuple[Any, dict[str, Any]]] = {  # bound, None where it is a part, and parts by name
    "lemma1": (c_2 * m / n * sp.sqrt(T * sp.log(1 / delta)) / epsilon, {}),
    "lemma2": (sp.log(1 + m / n * (sp.exp(epsilon) - 1)), {"delta": m / n * delta}),
    "theorem1": (None, THEOREM_1),
    "theorem3": (None, THEOREM_1),
}
COMPLEXITY_OF_NOISE = d * C**2 * P**2 * m * logs / (epsilon**2 * n**2) / (mu * alpha)  # in the O
ENTRY_OF_NOISE = entries(d)[2]
