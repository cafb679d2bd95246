"""More lines that are false as printed: concentration, privacy, the sample budget, the rates of Theorems 2 and 3, the selection.

Source    Gauss-PSGD; the line is named in `where`, the number of the erratum is ours. Written as in `proofs_printed`.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.gauss_psgd.proofs_block import (
    T_PRINTED,
    C,
    G,
    M,
    T,
    U,
    alpha,
    b_1,
    b_2,
    chi,
    d,
    delta,
    epsilon,
    eta,
    iota,
    kappa,
    m,
    mu,
    n,
    omega,
    rho,
    s,
)
from bounds.gauss_psgd.proofs_printed import ESCAPE, PrintedFalse
from bounds.gauss_psgd.proofs_rates import B_RATE, KAPPA_1, KAPPA_2, LEFT, MANY, RATE_1, RATE_2, power, shares
from bounds.gauss_psgd.proofs_selection import COMPOSED, EVENT, SHARE
from bounds.symbols import symbols

sum_sq, deviation = symbols("sum_sq deviation")

ONES = {G: 1, M: 1, rho: 1, U: 1}
A_RATE = power(n, -1, 3)
LATE = LEFT["privacy, difference"] ** sp.Rational(1, 7)  # the fourth part of (103)
LATE_VALUE = power(4, 1, 7) * power(B_RATE, 5, 7) * power(A_RATE, 3, 14)
GDP = epsilon / sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta))  # sensitivity over the deviation of Definition 8


def normal_tail(value: Any) -> Any:
    """Return P(Z >= value) for a standard normal Z."""
    return sp.erfc(value / sp.sqrt(2)) / 2


SPENT = normal_tail(epsilon / GDP - GDP / 2) - sp.exp(epsilon) * normal_tail(epsilon / GDP + GDP / 2)  # the exact delta of Definition 8

MORE = [
    PrintedFalse(
        "printed_definition7",
        "E29",
        "(11), Definition 7, for all real t",
        "P(||v - E v|| >= t) <= 2 exp(-t^2 / (2 zeta^2)) at t = -x zeta, where the probability is 1",
        sp.Integer(1),
        "<=",
        2 * sp.exp(-(deviation**2) / 2),
        "<=",
        sp.Integer(2),
        {deviation: 2},
    ),
    PrintedFalse(
        "printed_definition8",
        "E34",
        "Definition 8, for every epsilon",
        "the Gaussian mechanism with the printed deviation is (epsilon, delta)-private: its exact delta is at most delta",
        SPENT,
        "<=",
        delta,
        "=",
        SPENT,
        {epsilon: 8, delta: sp.Rational(1, 1000)},
    ),
    PrintedFalse(
        "printed_definition8_far",
        "E34",
        "Definition 8, for every epsilon",
        "the same at another point",
        SPENT,
        "<=",
        delta,
        "=",
        SPENT,
        {epsilon: 16, delta: sp.Rational(1, 10**5)},
    ),
    PrintedFalse(
        "printed_lemma14",
        "E40",
        "(16), Lemma 14",
        "P(||sum M_i|| >= t) <= d exp(-t^2 / (2 (sigma^2 + B t/3))); one matrix, the number +1 or -1, t = 1",
        sp.Integer(1),
        "<=",
        d * sp.exp(-sp.Rational(3, 8)),
        "<=",
        2 * d * sp.exp(-sp.Rational(3, 8)),
        {d: 1},
        instead="gauss_psgd.theorem4:an_eighth",
    ),
    PrintedFalse(
        "printed_corollary3",
        "E28",
        "proof of Corollary 3",
        "log(2 d/omega) / log(2/omega) <= 2 log(d) for every omega in (0, 1), natural logarithms",
        sp.log(2 * d / omega) / sp.log(2 / omega),
        "<=",
        2 * sp.log(d),
        "<=",
        sp.log(2 * d) / sp.log(2),
        {d: 2, omega: sp.Rational(9, 10)},
        instead="gauss_psgd.corollary3:larger",
    ),
    PrintedFalse(
        "printed_corollary3_d1",
        "E28",
        "Corollary 3 in one dimension",
        "the sum has the constant C sqrt(log(d) sum zeta_i^2), so a second moment of at most 4 times its square; here signs times zeta_i",
        sum_sq,
        "<=",
        4 * C**2 * sp.log(d) * sum_sq,
        "<=",
        4 * C**2 * sp.log(2 * d) * sum_sq,
        {d: 1, C: 1, sum_sq: 1},
        instead="gauss_psgd.corollary3:both_cases",
    ),
    PrintedFalse(
        "printed_lemma7_d1",
        "E28",
        "Lemma 7 in one dimension",
        "the squared sampling error is a constant C times (G^2/b_1 + kappa M^2/b_2) log(d)^2; here fresh errors are +G or -G",
        G**2 / b_1,
        "<=",
        C * (G**2 / b_1 + M**2 / b_2 * kappa) * sp.log(d) ** 2,
        "<=",
        C * (G**2 / b_1 + M**2 / b_2 * kappa) * sp.log(2 * d) ** 2,
        {d: 1, C: 4, G: 1, M: 1, b_1: 10, b_2: 10, kappa: sp.Rational(1, 10)},
        instead="gauss_psgd.lemma7:sampling",
    ),
    PrintedFalse(
        "printed_98",
        "E6",
        "(98), proof of Theorem 2",
        "b_2 T is within the n samples, each of which is used once",
        b_2 * T,
        "<=",
        n,
        "=",
        sp.Rational(13, 10) * s**2 * mu**4 * sp.log(16 * iota**3 * U / (s * omega) * sp.sqrt(rho / chi**3)) * n,
        {n: 1000, s: 1, mu: 1, iota: 1, eta: sp.Rational(1, 100), chi: 1, rho: 1, U: 1, omega: sp.Rational(1, 10)},
        at={b_2: shares(n)[b_2], T: T_PRINTED},
        premises=(sp.Eq(iota, s * mu),),
        instead="gauss_psgd.theorem2:difference_calls",
    ),
    PrintedFalse(
        "printed_105",
        "E5",
        "(105), proof of Theorem 2",
        "the fourth part of (103) at kappa = KAPPA_1, the larger of (104), is at most (105); the ratio grows like n^(1/42) along B = A",
        LATE,
        "<=",
        RATE_1 + RATE_2,
        "=",
        LATE_VALUE,
        {**ONES, n: sp.Integer(10) ** 84, d: sp.Integer(10) ** 28, epsilon: 1},
        at={kappa: KAPPA_1},
        premises=(sp.Ge(KAPPA_1, KAPPA_2),),
        instead="gauss_psgd.exponents:fourth_against_B",
    ),
    PrintedFalse(
        "printed_105_any_kappa",
        "E5",
        "(103), (105), for the best kappa",
        "some kappa makes all parts of (103) at most (105); every kappa makes the first or the fourth at least lhs, constants left out",
        power(A_RATE, 6, 17) * power(B_RATE, 10, 17),
        "<=",
        RATE_1 + RATE_2,
        "=",
        power(sp.sqrt(d) / (power(n, 3, 2) * epsilon), 4, 17),
        {**ONES, n: sp.Integer(10) ** 102, d: sp.Integer(10) ** 34, epsilon: 1},
        instead="gauss_psgd.exponents:first_and_fourth",
    ),
    PrintedFalse(
        "printed_121",
        "E5",
        "(121), proof of Theorem 3",
        "the fourth part at the larger limit is at most (121), with m clients",
        LATE.xreplace(MANY),
        "<=",
        (RATE_1 + RATE_2).xreplace(MANY),
        "=",
        LATE_VALUE.xreplace(MANY),
        {**ONES, m: sp.Integer(10) ** 6, n: sp.Integer(10) ** 78, d: sp.Integer(10) ** 22, epsilon: 1},
        at={kappa: KAPPA_1.xreplace(MANY)},
        premises=(sp.Ge(KAPPA_1.xreplace(MANY), KAPPA_2.xreplace(MANY)),),
        instead="gauss_psgd.exponents:fourth_against_B",
    ),
    PrintedFalse(
        "printed_contribution_3",
        "E16",
        "Introduction, contribution 3",
        "the private term of Theorem 3 is at most (sqrt(d) / (epsilon m n))^(2/5)",
        B_RATE.xreplace(MANY),
        "<=",
        power(sp.sqrt(d) / (epsilon * m * n), 2, 5),
        "=",
        power(sp.sqrt(d) / (sp.sqrt(m) * n * epsilon), 2, 5),
        {m: 4, n: 1000, d: 100, epsilon: 1},
        instead="gauss_psgd.theorem3:private_part",
    ),
    PrintedFalse(
        "printed_contribution_2",
        "E17",
        "Introduction, contribution 2",
        "the bound of exponent 3/7 is suboptimal: at least the new one of exponent 2/5",
        power(sp.sqrt(d) / (n * epsilon), 3, 7),
        ">=",
        B_RATE,
        "<=",
        B_RATE,
        {n: 1000, d: 100, epsilon: 1},
        premises=(sp.Le(sp.sqrt(d), n * epsilon),),
    ),
    PrintedFalse(
        "printed_bernstein",
        "E18",
        "the test of Algorithm 4 for the Hessian",
        "the exponent of matrix Bernstein at M sqrt(log/(m n)), constant 1, is at least the logarithm",
        (m * n) ** 2 * (M * SHARE) ** 2 / (2 * (4 * m * n * M**2 + 2 * M * m * n * M * SHARE / 3)),
        ">=",
        EVENT,
        "=",
        EVENT / (8 + sp.Rational(4, 3) * SHARE),
        {m: 1, n: 1000, d: 10, omega: sp.Rational(1, 10), M: 1},
        premises=(sp.Ge(m * n, sp.Rational(4, 9) * EVENT),),
        instead="gauss_psgd.theorem4:large_exponent",
    ),
    PrintedFalse(
        "printed_composition",
        "E20",
        "Theorem 4, its noise by Lemma 16 and Definition 8",
        "c_1 is a constant: what 10^5 steps need is at most what ten need",
        COMPOSED,
        "<=",
        COMPOSED.xreplace({T: sp.Integer(10)}),
        "=",
        128 * sp.log(2 / delta) * (sp.log(5 / delta) + sp.log(T)) / sp.log(1 / delta),
        {T: 10**5, delta: sp.Rational(1, 10**5)},
        instead="gauss_psgd.theorem4:composed",
    ),
    PrintedFalse(
        "printed_143",
        "E19",
        "(143), Theorem 4",
        "the cross term of sqrt(alpha) and 1/sqrt(m n) is twice alpha / sqrt(m n)",
        2 * sp.sqrt(alpha) / sp.sqrt(m * n),
        "=",
        2 * alpha / sp.sqrt(m * n),
        "=",
        2 * sp.sqrt(alpha / (m * n)),
        {alpha: sp.Rational(1, 100), m: 1, n: 10**4},
        instead="gauss_psgd.theorem4:squared",
    ),
]

PRINTED_FALSE = [*ESCAPE, *MORE]
