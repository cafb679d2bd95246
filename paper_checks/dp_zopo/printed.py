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
GRADIENT_ERROR = r"\frac{dc_2^2C^2PT\log(P/\delta)}{\epsilon^2n^2} + \frac{8dC^2}{ePm} + \frac{64d\beta^2L^4}{Pm} + \frac{\gamma^2}{Pm}"
RIGHT |= {
    "printed_21": (mean**2 + given) / P,  # P terms over P^2
    "printed_26": EQUATION_26,
    "printed_27": EQUATION_27,
    **dict.fromkeys(("printed_shared", "printed_floor", "printed_sampling"), sum(ERROR_TERMS)),
    "printed_31": EQUATION_31,
    "printed_36": ERROR_TERMS[0],
}
# privacy: Lemmas 1 and 2, (5) to (7), Theorems 1 and 3, (13), and the last term of (17)
n, d, C, T, epsilon, delta, m, P = symbols("n d C T epsilon delta minibatch directions")
c_2, mu, alpha = symbols("c_noise growth_mu target")
THEOREM_1 = {"squared": c_2**2 * P**2 * m**2 * T * sp.log(P / delta) / (epsilon**2 * n**2)}
PRIVACY: dict[str, tuple[Any, dict[str, Any]]] = {  # bound, None where it is a part, and parts by name
    "lemma1": (c_2 * m / n * sp.sqrt(T * sp.log(1 / delta)) / epsilon, {}),
    "lemma2": (sp.log(1 + m / n * (sp.exp(epsilon) - 1)), {"delta": m / n * delta}),
    "theorem1": (None, THEOREM_1),
    "theorem3": (None, THEOREM_1),
}
COMPLEXITY_OF_NOISE = d * C**2 * P**2 * m * sp.log(P / delta) / (epsilon**2 * n**2) / (mu * alpha)  # of (17), in the O
ENTRY_OF_NOISE = epsilon**2 * n**2 / (7 * d * c_2**2 * C**2 * P * T * sp.log(P / delta))  # of (16), in the minimum
