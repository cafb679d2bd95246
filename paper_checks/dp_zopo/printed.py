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
