"""The parameter block (5), (6) of Gauss-PSGD in symbols: as printed, in closed form, and repaired.

Setting   psi = sqrt(sampling_error^2 + d added_noise^2) bounds the error of a gradient; s, C_abs are absolute constants.
Method    (5) in the order in which it can be inserted; (6) as lower bounds on log_factor, the paper's mu.
Measure   accuracy, the paper's alpha.
Source    Gauss-PSGD, (5), (6), Lemma 6, (76), (79); the other two versions are ours.

A run has whole Gamma and Q. The repaired block is for a Gamma that is rounded up with an eta that is smaller by the same factor, so that
eta Gamma sqrt(rho accuracy) = mu as before and no constant of the proof is lost; its entries and its T are those of Gamma + 1 and Q + 1,
which are no less than the whole numbers. `bounds.gauss_psgd.block_numbers.whole` rounds.

`bounds.gauss_psgd.block_numbers` has the same as functions of numbers.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.gauss_psgd.common import (
    C_abs,
    Gamma,
    Q,
    U,
    accuracy,
    added_noise,
    c_abs,
    chi,
    decrease,
    eta,
    iota,
    log_factor,
    omega,
    psi,
    radius,
    s,
)
from bounds.symbols import Max, T, d, rho
from bounds.symbols import ell as M

mu = log_factor
root = sp.sqrt(rho * accuracy)

FIVE: dict[str, Any] = {
    "iota": s * mu,
    "chi": 4 * sp.sqrt(C_abs) * s * mu**2 * psi,
    "accuracy": 4 * chi,
    "eta": root / (M**2 * iota**2),
    "Gamma": iota / (s * eta * root),
    "radius": sp.sqrt(accuracy / rho) / iota ** sp.Rational(3, 2),
    "decrease": s * sp.sqrt(accuracy**3 / rho) / (8 * iota**3),
}
REPAIRED: dict[str, Any] = {
    "iota": s * mu,
    "chi": Max(4 * sp.sqrt(C_abs) * s * mu**2 * psi, sp.sqrt(c_abs * s**3 * mu**5) * psi),
    "accuracy": 4 * chi,
    "eta": root / (M**2 * iota**3),
    "Gamma": iota / (s * eta * root),
    "radius": sp.sqrt(accuracy / rho) / iota ** sp.Rational(3, 2),
    "decrease": s * sp.sqrt(accuracy**3 / rho) / (8 * iota**4),
}
BLOCKS = {"printed": FIVE, "corrected": FIVE, "repaired": REPAIRED}

quarter = C_abs ** sp.Rational(1, 4)
noise_root = sp.sqrt(psi / rho)

# (5) in the letters psi, s, mu, C_abs, ell, rho alone
CLOSED: dict[str, Any] = {
    "iota": s * mu,
    "chi": 4 * sp.sqrt(C_abs) * s * mu**2 * psi,
    "accuracy": 16 * sp.sqrt(C_abs) * s * mu**2 * psi,
    "eta": 4 * quarter * sp.sqrt(rho * psi) / (M**2 * s ** sp.Rational(3, 2) * mu),
    "Gamma": M**2 * mu * s / (16 * sp.sqrt(C_abs) * rho * psi),
    "radius": 4 * quarter * noise_root / (s * sp.sqrt(mu)),
    "decrease": 8 * C_abs ** sp.Rational(3, 4) * psi ** sp.Rational(3, 2) / sp.sqrt(s * rho),
}
# the repaired block in the letters accuracy, s, mu, ell, rho
CLOSED_REPAIRED: dict[str, Any] = {
    "iota": s * mu,
    "chi": accuracy / 4,
    "eta": root / (M**2 * s**3 * mu**3),
    "Gamma": M**2 * s**3 * mu**4 / (rho * accuracy),
    "radius": sp.sqrt(accuracy / rho) / (s * mu) ** sp.Rational(3, 2),
    "decrease": sp.sqrt(accuracy**3 / rho) / (8 * s**3 * mu**4),
}

# escapes, rounds and steps
ESCAPES = 16 * iota**3 * U / (s * omega) * sp.sqrt(rho / chi**3)  # the argument of the logarithm in Lemma 6
T_EFF = U * s**2 * mu**4 / (2 * chi**2 * eta)  # (76)
T_EFF_CLOSED = {  # (76) and the same for the repaired block: U Gamma / decrease
    "printed": 8 * U * M**2 * s**4 * mu**6 / (sp.sqrt(rho) * accuracy ** sp.Rational(5, 2)),
    "repaired": 8 * U * M**2 * s**6 * mu**8 / (sp.sqrt(rho) * accuracy ** sp.Rational(5, 2)),
}
NUMBER = 1 + U / decrease  # escape phases, the last of which fails
T_PRINTED = Q * T_EFF  # (79)
T_REPAIRED = ((Q + 1) * (Gamma + 1) + 1) * NUMBER  # gradient estimates: in each phase the one of step 4 and those of the rounds
ROUNDED = {eta: eta * Gamma / (Gamma + 1), Gamma: Gamma + 1, Q: Q + 1}  # eta at least, Gamma and Q at most this, once they are rounded


def log(x: Any, base: str) -> Any:
    """Return the logarithm to base "e" or "2"."""
    return sp.log(x) / sp.log(2) if base == "2" else sp.log(x)


def rounds(version: str = "printed", base: str = "e") -> Any:
    """Return Q: of Lemma 6, or repaired (an exact base 8/7, and all escapes counted), without the least value of 1."""
    if version == "repaired":
        return sp.log(2 * NUMBER / omega) / sp.log(sp.Rational(8, 7))
    return sp.Rational(26, 5) * log(ESCAPES, base)


def union_entry(version: str = "printed", base: str = "e") -> Any:
    """Return the first entry of (6), which makes the failure of Lemma 20 small."""
    if version == "repaired":
        return (log(36 * d * Gamma * log(2 * radius / (eta * added_noise), base), base) / s).xreplace(ROUNDED)
    inner = log(4 * quarter / (s * eta * added_noise) * noise_root, base)
    return log(9 * d * inner / (quarter * eta * sp.sqrt(s * rho * psi)), base) / s


def growth_entry(version: str = "printed", base: str = "e") -> Any:
    """Return the second entry of (6), which makes the unstable direction outgrow the radius.

    "corrected" is what (52) gives when its identity is right: log2 of 40 sqrt(2) radius (rho accuracy)^(1/4)/(sqrt(eta) added_noise).
    """
    if version == "printed":
        return log(160 * sp.sqrt(2) * quarter / (s * sp.sqrt(eta * added_noise)) * noise_root, base)
    needed = log(40 * sp.sqrt(2) * radius * sp.sqrt(root) / (sp.sqrt(eta) * added_noise), "2")
    return needed.xreplace(ROUNDED) if version == "repaired" else needed


def event_entry(base: str = "e") -> Any:
    """Return the third entry of (6), from which Lemma 5 follows."""
    return (C_abs * log(4 * T / omega, base)) ** sp.Rational(1, 4) / (2 ** sp.Rational(3, 4) * sp.sqrt(s))


def escape_entry(base: str = "e") -> Any:
    """Return the entry that only the repaired block has: Lemma 4 fails in none of the Q rounds of any of the 1 + U/decrease phases.

    Every round is counted, because which of them succeeds depends on its noise. The number of steps that it takes does too, but
    needs no union: the squared errors of fewer steps sum to no more than those of Gamma.
    """
    return (log(4 * Q * NUMBER / omega, base) / s).xreplace(ROUNDED)


def six(version: str = "printed", base: str = "e") -> tuple[Any, ...]:
    """Return the entries of (6): log_factor must be at least each of them."""
    last = (escape_entry(base), sp.Integer(1)) if version == "repaired" else (sp.Integer(1),)
    return union_entry(version, base), growth_entry(version, base), event_entry(base), *last


def inserted(expression: Any, version: str = "printed") -> Any:
    """Return the expression with (5), or the repaired block, inserted, so that psi, s, mu and the problem's constants are left."""
    for name, meaning in reversed(BLOCKS[version].items()):
        expression = expression.xreplace({LETTERS[name]: meaning})
    return expression


LETTERS = {"iota": iota, "chi": chi, "accuracy": accuracy, "eta": eta, "Gamma": Gamma, "radius": radius, "decrease": decrease}
