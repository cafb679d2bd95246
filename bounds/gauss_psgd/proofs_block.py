"""What the proofs of Gauss-PSGD share: the paper's letters, its parameter block (5) as lines, and its logarithmic factor (6).

Source    Tao, Zhang, Yu, Cheng, Dressler, Wang, "Second-Order Convergence in Private Stochastic Non-Convex Optimization", (5), (6), (79).

In the proofs a name is the paper's letter: alpha is the accuracy, mu the logarithmic factor, r the added noise per coordinate, sigma the
sampling error, G and M the Lipschitz and smoothness constants, R the distance of an escape, Phi its claimed decrease, kappa the limit of
the drift. "log" is the natural logarithm unless a step says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from bounds.derivation import GIVENS, Assumed, Defined, NonNegative, Step, Substitution, fact, line
from bounds.symbols import symbols

PAPER = "Gauss-PSGD"

n, d, m, epsilon, delta, G, M, rho, U, omega = symbols("n d m epsilon delta L ell rho U omega")
alpha, mu, r, sigma, psi, gamma = symbols("accuracy log_factor added_noise sampling_error psi curvature")
eta, chi, Gamma, Q, R, Phi, kappa, b_1, b_2, T = symbols("eta chi Gamma Q radius decrease drift_limit b_1 b_2 T")
s, iota, C, c, t = symbols("s iota C_abs c_abs t_count")

BLOCK = {  # (5), as printed
    iota: s * mu,
    chi: 4 * sp.sqrt(C) * s * mu**2 * psi,
    alpha: 4 * chi,
    Gamma: iota / (s * eta * sp.sqrt(rho * alpha)),
    R: iota ** sp.Rational(-3, 2) * sp.sqrt(alpha / rho),
    Phi: s / (8 * iota**3) * sp.sqrt(alpha**3 / rho),
    eta: sp.sqrt(rho * alpha) / (M**2 * iota**2),
}

INNER = sp.log(4 * C ** sp.Rational(1, 4) / (s * eta * r) * sp.sqrt(psi / rho))
MU_ENTRIES = (  # (6), as printed: mu is the largest of the four, and T that of (79)
    sp.log(9 * d * INNER / (C ** sp.Rational(1, 4) * eta * sp.sqrt(s * rho * psi))) / s,
    sp.log(160 * sp.sqrt(2) * C ** sp.Rational(1, 4) / (s * sp.sqrt(eta * r)) * sp.sqrt(psi / rho)),
    (C * sp.log(4 * T / omega)) ** sp.Rational(1, 4) / (2 ** sp.Rational(3, 4) * sp.sqrt(s)),
    sp.Integer(1),
)

Q_PRINTED = sp.Rational(26, 5) * sp.log(16 * iota**3 * U / (s * omega) * sp.sqrt(rho / chi**3))  # (78)
T_EFF = U * s**2 * mu**4 / (2 * chi**2 * eta)  # (76)
T_PRINTED = 13 * U * s**2 * mu**4 / (5 * chi**2 * eta) * sp.log(16 * iota**3 * U / (s * omega) * sp.sqrt(rho / chi**3))  # (79)


def resolved(block: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the block with every letter it defines inserted into every value."""
    values = dict(block)
    while any(value.free_symbols & set(values) for value in values.values()):
        values = {letter: sp.powsimp(value.xreplace(values)) for letter, value in values.items()}
    return values


CLOSED = resolved(BLOCK)  # in psi, s, mu, C, M, rho
PSI_OF_ALPHA = alpha / (16 * sp.sqrt(C) * s * mu**2)
IN_ALPHA = {  # the same with the accuracy in place of psi
    **resolved({letter: value for letter, value in BLOCK.items() if letter not in (chi, alpha)}),
    chi: alpha / 4,
    psi: PSI_OF_ALPHA,
}

REPAIRED = {  # ours: (5) with one more iota in the step size and in the decrease
    iota: s * mu,
    chi: alpha / 4,
    eta: sp.sqrt(rho * alpha) / (M**2 * iota**3),
    Gamma: iota / (s * eta * sp.sqrt(rho * alpha)),
    R: iota ** sp.Rational(-3, 2) * sp.sqrt(alpha / rho),
    Phi: s / (8 * iota**4) * sp.sqrt(alpha**3 / rho),
}
MENDED = resolved(REPAIRED)

# what a text in the paper's letters means by them; t is the number of steps so far
SPELLED = dict(alpha=alpha, mu=mu, r=r, sigma=sigma, gamma=gamma, R=R, Phi=Phi, kappa=kappa, G=G, M=M, C=C, c=c, t=t)


def block_lines(block: Mapping[Any, Any], source: str) -> tuple[Step, ...]:
    """Return what each letter of a block is, as lines under the names of the letters."""
    return tuple(fact(letter.name, f"{letter.name}, of {source}", letter, "=", value, Defined(source)) for letter, value in block.items())


FIVE = block_lines(BLOCK, "(5)")
STANDING = fact("standing", "M >= sqrt(rho alpha), the standing assumption after Definition 2", alpha, "<=", M**2 / rho, Assumed())


def above_one(name: str, statement: str, value: Any, reason: str, *terms: tuple[Any, ...], at: tuple[str, ...] = ()) -> Step:
    """Return the step that the argument of a logarithm is above 1, so that the logarithm is positive."""
    return line(name, statement, value, ">", 1, reason, NonNegative(terms, at=at), where=GIVENS)


IOTA_AT_LEAST_1 = line(
    "iota_at_least_1",
    "iota is at least 1",
    iota,
    ">=",
    1,
    "s and mu are",
    NonNegative(((s, "log_factor >= 1"), ("s >= 1",)), modulo=((1, "iota"),)),
    where=GIVENS,
)
ENOUGH_TRIES = above_one(
    "enough_tries",
    "4 T / omega is above 1",
    4 * T / omega,
    "T >= 1 > omega",
    (4 / omega, "T >= 1"),
    (1 / omega, "omega < 1"),
    (3 / omega,),
)


def by_block(name: str, statement: str, lhs: Any, rhs: Any, block: Mapping[Any, Any] = BLOCK, reason: str = "insert (5)") -> Step:
    """Return the step that two expressions are equal once the lines of a block are inserted, chi only where psi occurs."""
    letters = sp.sympify(lhs).free_symbols | sp.sympify(rhs).free_symbols
    known = {letter: value for letter, value in block.items() if letter != chi or psi in letters}
    for _ in known:
        letters |= set().union(*(value.free_symbols for letter, value in known.items() if letter in letters))
    return line(name, statement, lhs, "=", rhs, reason, Substitution(tuple(letter.name for letter in known if letter in letters)))
