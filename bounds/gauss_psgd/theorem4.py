"""Theorem 4 and Remark 4: what private selection among iterates adds to the accuracy.

Setting   Algorithm 4 on m clients with n held-out samples each; one of T iterates is an accuracy-stationary point.
Measure   the accuracy of the selected iterate, and how large d may be for it to be of the same order.
Source    Gauss-PSGD, Algorithm 4, Theorem 4, (123) to (143), Remark 4.

Thresholds and noise with the constants that make the statement true are in `bounds.gauss_psgd.selection`.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.gauss_psgd.common import ASSUMPTION_1, CLASSICAL, PAPER, TILDE, accuracy, m, omega
from bounds.symbols import L as G
from bounds.symbols import Min, T, d, delta, epsilon, n, rho
from bounds.symbols import ell as M
from bounds.theorem import Condition, Part, Theorem

reach = sp.sqrt(m) * n * epsilon
unit = sp.sqrt(T * sp.log(1 / delta)) / reach
GRADIENT = G * sp.log(8 * d / omega) / sp.sqrt(m * n) + G * sp.sqrt(d * sp.log(16 / omega)) * unit
HESSIAN = M * sp.sqrt(sp.log(8 * d / omega) / (m * n)) + M * d * sp.sqrt(sp.log(32 / omega)) * unit


def power(numerator: int, denominator: int) -> Any:
    """Return accuracy to that power."""
    return accuracy ** sp.Rational(numerator, denominator)


def selected(cross: Any) -> Any:
    """Return (143) with a given cross term of accuracy and sampling."""
    noise = sp.sqrt(d) / (reach * power(5, 4)) + d / (reach * power(3, 4)) + d**2 / (reach**2 * power(5, 2))
    return accuracy + 1 / (m * n) + 1 / sp.sqrt(m * n) + cross + noise


# the square of the Hessian test with T = accuracy^(-5/2), which is where the cross terms come from
HESSIAN_SQUARED = sp.expand((sp.sqrt(accuracy) + 1 / sp.sqrt(m * n) + d / (reach * power(5, 4))) ** 2)

THEOREM_4 = Theorem(
    key="gauss_psgd.theorem4",
    title="Theorem 4 (private selection)",
    source=f"{PAPER}, Theorem 4, (143)",
    claim="rate",
    measure="accuracy of the selected iterate",
    method="gauss_psgd",
    assumptions=(*ASSUMPTION_1, "one of the T iterates is an accuracy-stationary point", "T is of the order of accuracy^(-5/2)"),
    bound=selected(accuracy / sp.sqrt(m * n)),
    parts=(
        Part("cross term", "the same with the cross term that the square gives", "O", selected(sp.sqrt(accuracy / (m * n)))),
        Part("gradient", "largest noisy gradient norm that passes", "=", accuracy + GRADIENT),
        Part("hessian", "least eigenvalue of a noisy Hessian that passes", "=", -sp.sqrt(rho * accuracy) - HESSIAN),
    ),
    conditions=(
        CLASSICAL,
        Condition(
            sp.Ge(m * n, sp.Rational(4, 9) * sp.log(8 * d / omega)),
            "m n = {value} is below (4/9) log(8 d/omega) = {limit} of (125)",
        ),
    ),
    notes=(
        TILDE,
        "by Lemma 16, which the paper cites, c_1 and c_2 grow with T and 1/delta; by zCDP or exact accounting they do not grow with T",
        "the printed thresholds have no constants, so that a true stationary point need not pass",
        "the concentration is for one iterate; for the selected one it must hold for all T",
    ),
)
REMARK_4 = Theorem(
    key="gauss_psgd.remark4",
    title="Remark 4 (dimensions for which selection is free)",
    source=f"{PAPER}, Remark 4",
    claim="upper",
    measure="d",
    method="gauss_psgd",
    assumptions=("accuracy = (sqrt(d)/(sqrt(m) n epsilon))^(2/5), its privacy part alone",),
    bound=Min(reach**2, reach ** sp.Rational(6, 13)),
    parts=(
        Part("term 5", "d for which the fifth term of (143) is at most the accuracy", "<=", reach**2),
        Part("terms 6, 7", "d for which the sixth and the seventh are", "<=", reach ** sp.Rational(6, 13)),
    ),
    notes=(TILDE, "the smaller of the two is the second wherever sqrt(m) n epsilon >= 1"),
)
