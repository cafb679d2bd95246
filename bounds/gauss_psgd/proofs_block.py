"""What the proofs of Gauss-PSGD share: the paper's letters, its parameter block (5), its logarithmic factor (6), and how a step is written.

Source    Tao, Zhang, Yu, Cheng, Dressler, Wang, "Second-Order Convergence in Private Stochastic Non-Convex Optimization", (5), (6), (79).

In the proofs a name is the paper's letter: alpha is the accuracy, mu the logarithmic factor, r the added noise per coordinate, sigma the
sampling error, G and M the Lipschitz and smoothness constants, R the distance of an escape, Phi its claimed decrease, kappa the limit of
the drift. "log" is the natural logarithm unless a step says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sympy as sp

from bounds.derivation import Derivation, Given, Step, Substitution
from bounds.symbols import symbols

PAPER = "Gauss-PSGD"

n, d, m, epsilon, delta, G, M, rho, U, omega = symbols("n d m epsilon delta L ell rho U omega")
alpha, mu, r, sigma, psi, gamma = symbols("accuracy log_factor added_noise sampling_error psi curvature")
eta, chi, Gamma, Q, R, Phi, kappa, b_1, b_2, T = symbols("eta chi Gamma Q radius decrease drift_limit b_1 b_2 T")
s, iota, C, c = symbols("s iota C_abs c_abs")

BLOCK = {  # (5), as printed
    iota: s * mu,
    chi: 4 * sp.sqrt(C) * s * mu**2 * psi,
    alpha: 4 * chi,
    Gamma: iota / (s * eta * sp.sqrt(rho * alpha)),
    R: iota ** sp.Rational(-3, 2) * sp.sqrt(alpha / rho),
    Phi: s / (8 * iota**3) * sp.sqrt(alpha**3 / rho),
    eta: sp.sqrt(rho * alpha) / (M**2 * iota**2),
}

MU_ENTRIES = (  # (6), as printed: mu is the largest of the four, and T that of (79)
    sp.log(
        9
        * d
        * sp.log(4 * C ** sp.Rational(1, 4) / (s * eta * r) * sp.sqrt(psi / rho))
        / (C ** sp.Rational(1, 4) * eta * sp.sqrt(s * rho * psi))
    )
    / s,
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

STRICT = Given(M**2 - rho * alpha, "M >= sqrt(rho alpha), the standing assumption after Definition 2")
SMALL_ALPHA = {alpha: (M**2 / rho / 10**9, M**2 / rho)}  # the range in which the standing assumption holds


def line(statement: str, lhs: Any, relation: str, rhs: Any, reason: str, certificate: Any, **more: Any) -> Step:
    """Return a step that `chain` will number."""
    return Step(0, statement, sp.sympify(lhs), relation, sp.sympify(rhs), reason, certificate, **more)


def words(statement: str, reason: str, certificate: Any) -> Step:
    """Return a step without a formula."""
    return Step(0, statement, None, "", None, reason, certificate)


def by_block(statement: str, lhs: Any, rhs: Any, block: Mapping[Any, Any] = IN_ALPHA, reason: str = "insert (5)") -> Step:
    """Return the step that two expressions are equal once the parameter block is inserted."""
    used = sp.sympify(lhs).free_symbols | sp.sympify(rhs).free_symbols
    return line(statement, lhs, "=", rhs, reason, Substitution({letter: value for letter, value in block.items() if letter in used}))


def chain(key: str, title: str, source: str, *steps: Step, proves: str = "") -> Derivation:
    """Return the derivation with its steps numbered from 1."""
    numbered = tuple(replace(step, number=i) for i, step in enumerate(steps, start=1))
    return Derivation(key=f"gauss_psgd.{key}", title=title, source=source, steps=numbered, proves=proves)
