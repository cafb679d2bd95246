"""The paper's symbols, its printed formulas with (5) inserted, and numbers computed from them.

The formulas stand on the pages of claims, in the paper's symbols: its G, M, alpha, mu, kappa, r, sigma and C are the glossary's L, ell,
accuracy, log_factor, drift_limit, added_noise, sampling_error and C_abs.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import sympy as sp

from paper_checks.pages.as_printed import printed
from paper_checks.shared.formulas import compile_expression, monomial_exponents, substitute_fully
from paper_checks.shared.symbols import Spelling

FORMULAS = printed("gauss_psgd")
n, d, m, epsilon, delta, G, M, rho, U, omega, T = FORMULAS.symbols("n d m epsilon delta G M rho U omega T")
alpha, mu, r, sigma, psi = FORMULAS.symbols("alpha mu r sigma psi")
eta, chi, Gamma, Q, R, Phi, kappa, b_1, b_2 = FORMULAS.symbols("eta chi Gamma Q R Phi kappa b_1 b_2")
s, iota, C = FORMULAS.symbols("s iota C")
FIVE: Mapping[Any, Any] = FORMULAS.by_symbol("parameter_block")
SIX, KAPPA, KAPPA_3, LEMMA_7 = (
    tuple(FORMULAS.of(name).values()) for name in ("entries_of_mu", "drift_limits", "drift_limits_3", "parts_of_lemma7")
)
RATE, RATE_3 = ((FORMULAS[f"{name}_1"], FORMULAS[f"{name}_2"]) for name in ("rate", "rate_3"))


def rational_power(base: Any, top: int, bottom: int = 1) -> Any:
    """Return base^(top/bottom) as a SymPy expression with an exact rational exponent."""
    return base ** sp.Rational(top, bottom)


@cache
def express_in_psi(expression: Any) -> Any:
    """Return the expression in psi, s, mu, C, M and rho, with the parameter block (5) substituted for its symbols."""
    return substitute_fully(expression, FIVE)


def express_in_alpha(expression: Any) -> Any:
    """Return the expression in alpha, s, mu, C, M and rho: the parameter block (5) substituted, then psi in terms of alpha."""
    kept = {letter: value for letter, value in FIVE.items() if letter not in (chi, alpha)}
    return substitute_fully(expression, {**kept, chi: alpha / 4, psi: alpha / (16 * sp.sqrt(C) * s * mu**2)})


def substitute_batches(part: Any, exact_gradients: bool = False) -> Any:
    """Return an error term of psi^2 with the printed batch sizes and step size substituted, for sampled or exact gradients.

    Constants and logarithms are left out, as in (102) and (103).
    """
    step = 1 / M if exact_gradients else sp.sqrt(rho * alpha) / M**2
    return part.xreplace({b_1: FORMULAS["batch_1"], b_2: FORMULAS["batch_2"]}).xreplace({eta: step, chi: alpha})


def accuracy_of_term(part: Any, exact_gradients: bool = False) -> Any:
    """Return the alpha that one error term of psi^2 allows alone, the root of alpha^2 = term, at the printed batch sizes."""
    whole = substitute_batches(part, exact_gradients)
    (power,) = monomial_exponents(whole, alpha)
    return (whole / alpha**power) ** (1 / (2 - power))


def formula_value(expression: Any, at: Mapping[Any, float]) -> float:
    """Return the value of a formula as a float: the parameter block (5) is substituted, then the numbers `at` of its other symbols."""
    letters, function = compile_expression(express_in_psi(expression), "math")
    return float(function(*(at[letter] for letter in letters)))


def problem_values(**values: float) -> dict[Any, float]:
    """Return {symbol: number} for values given by the paper's names; defaults: delta = 1e-5, omega = 0.1, all others 1."""
    named = {"n": n, "d": d, "epsilon": epsilon, "delta": delta, "G": G, "M": M, "rho": rho, "U": U, "m": m, "omega": omega, "s": s, "C": C}
    if strange := values.keys() - named:
        raise ValueError(f"{', '.join(sorted(strange))}: one of {', '.join(named)} is needed")
    return {letter: {"delta": 1e-5, "omega": 0.1, **values}.get(name, 1.0) for name, letter in named.items()}


WRITTEN = {  # names on pages and in the glossary, and how sentences write them
    "b_frak": "b(Gamma)",
    "growth": "eta gamma",
    "log_ratio": "log(R/(eta r))",
    "steps_taken": "t",
    "grad_norm": "||grad F||",
    "err_norm": "||nu||",
    "deviation_t": "-t / zeta",
    "beta_exp": "beta",
    "k_exp": "k",
    "A_rate": "A",
    "sum_sq": "sum zeta_i^2",
    "t_count": "O_2 calls",
    "moved_sq": "||x_{t-1} - x_{t-2}||^2",
    "drift": "sum of ||x_{i-1} - x_{i-2}||^2",
}
OTHERS = ("G", "M", "alpha", "mu", "kappa", "r", "sigma", "C", "c", "R", "Phi", "gamma")  # symbols that have other names in the glossary
LETTERS = {FORMULAS.letters[name].known_as: name for name in OTHERS} | WRITTEN
SPELLING = Spelling(LETTERS, in_text=("mu", "alpha", "kappa", "sigma", "Phi", "gamma"))
letter, told = SPELLING.paper_symbol, SPELLING.spell_text
spell_keys, written = SPELLING.spell_keys, SPELLING.expression_text
