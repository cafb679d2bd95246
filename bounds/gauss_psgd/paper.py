"""The paper's letters as SymPy symbols, and its parameter block (5), (6) in them.

Source    Tao, Zhang, Yu, Cheng, Dressler, Wang, "Second-Order Convergence in Private Stochastic Non-Convex Optimization", (5), (6), (79).

On the pages a name is the paper's letter: alpha is the accuracy, mu the logarithmic factor, r the added noise per coordinate, sigma the
sampling error, G and M the Lipschitz and smoothness constants, R the distance of an escape, Phi its claimed decrease, kappa the limit of
the drift. "log" is the natural logarithm unless a step says otherwise. The formulas of the block are those of `bounds.gauss_psgd.block`.
"""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import sympy as sp

from bounds.gauss_psgd import block
from bounds.symbols import GLOSSARY, Max, paper_symbols

letters = paper_symbols("gauss_psgd")

n, d, m, epsilon, delta, G, M, rho, U, omega, alpha, mu, r = letters("n d m epsilon delta G M rho U omega alpha mu r")
psi, eta, chi, Gamma, Q, R, Phi, T, s, iota, C, c = letters("psi eta chi Gamma Q R Phi T s iota C c")

# ------------------------------------------------------------------ the parameter block

SYMBOLS = block.Functions(sp.sqrt, sp.log, sp.Integer, Max)
power = SYMBOLS.power
ALL = SimpleNamespace(**{name: letter.symbol for name, letter in GLOSSARY.items()})
NEXT = block.increment_counts(ALL)
PRINTED = {GLOSSARY[name].symbol: formula(ALL, SYMBOLS) for name, formula in block.PRINTED.items()}  # (5), as printed
REPAIRED = {GLOSSARY[name].symbol: formula(ALL, SYMBOLS) for name, formula in block.REPAIRED.items()}  # ours
ESCAPES = block.escape_argument(ALL, SYMBOLS)
T_EFF = block.single_round_steps(ALL)
Q_PRINTED, Q_REPAIRED = (block.rounds_formula(ALL, SYMBOLS, version) for version in ("printed", "repaired"))
T_OF_Q, T_REPAIRED = (block.steps_formula(ALL, version) for version in ("printed", "repaired"))
T_PRINTED = T_OF_Q.xreplace({Q: Q_PRINTED})
root, half, quarter = sp.sqrt(rho * alpha), sp.Rational(1, 2), sp.Rational(1, 4)


def lower_bounds_on_mu(version: str = "printed", base: str = "e") -> tuple[Any, ...]:
    """Return the entries of (6) as SymPy expressions: mu must be at least each of them."""
    v = NEXT if version == "repaired" else ALL
    last = (block.escape_entry(v, SYMBOLS, base), sp.Integer(1)) if version == "repaired" else (sp.Integer(1),)
    first, second = block.union_entry(v, SYMBOLS, version, base), block.growth_entry(v, SYMBOLS, version, base)
    return first, second, block.event_entry(v, SYMBOLS, base), *last


ENTRIES_OF_MU = lower_bounds_on_mu()


def resolve_definitions(values: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return {symbol: value} in which every value has the defined symbols substituted, until none of them is left."""
    values = dict(values)
    while any(value.free_symbols & set(values) for value in values.values()):
        values = {letter: sp.powsimp(value.xreplace(values)) for letter, value in values.items()}
    return values


CLOSED = resolve_definitions(PRINTED)  # in psi, s, mu, C, M, rho
IN_ALPHA = {  # the same with the accuracy in place of psi
    **resolve_definitions({letter: value for letter, value in PRINTED.items() if letter not in (chi, alpha)}),
    chi: alpha / 4,
    psi: alpha / (16 * sp.sqrt(C) * s * mu**2),
}
REPAIRED_IN_ALPHA = resolve_definitions(
    {**{letter: value for letter, value in REPAIRED.items() if letter != alpha}, chi: alpha / 4}
)  # in alpha, s, mu, M, rho
