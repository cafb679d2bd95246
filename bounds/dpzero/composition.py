"""Lemma 2.2: Gaussian noise that keeps T adaptive releases (epsilon, delta)-private.

Setting   A releases a vector whose sensitivity is Delta = sup over neighbours S, S' of ||A(S) - A(S')||; neighbours differ in
          one replaced record.
Method    each of the T releases gets noise N(0, sigma^2 I).
Measure   the sigma that is enough.
Source    DPZero, Lemma 2.2, there attributed to Kairouz, Oh, Viswanath (2015), Theorem 4.3, and stated for any epsilon > 0.

It is false for large epsilon: T releases are exactly m-GDP with m = sqrt(T) Delta / sigma, and sigma of the lemma makes
m = epsilon / sqrt(8 A), which at epsilon = 200, delta = 1e-5 spends delta = 1.2e-3. The proof below, which is not the paper's,
covers epsilon <= 8 A, hence every delta when epsilon <= 27.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Cited, Derivation, Given, Identity, NonNegative, Reasoned, Step, Substitution
from bounds.dpzero.common import LOG_TERM, PAPER, PRIVATE, SIGMA
from bounds.symbols import A, C, T, delta, epsilon, n, sensitivity, sigma, symbols
from bounds.theorem import Part, Theorem

(deviation,) = symbols("deviation")

ENOUGH = 2 * sensitivity * sp.sqrt(2 * T * A) / epsilon

LEMMA_2_2 = Theorem(
    key="dpzero.lemma_2_2",
    title="Lemma 2.2 (advanced composition)",
    source=f"{PAPER}, Lemma 2.2",
    claim="privacy",
    measure="sigma for (epsilon, delta)-DP of T adaptive releases",
    assumptions=("replacing one record moves the released vector by at most the sensitivity",),
    definitions={"A": LOG_TERM},
    schedule={"sigma": ENOUGH},
    bound=ENOUGH,
    parts=(Part("clipped mean", "sigma when the sensitivity is 2 C / n", "=", SIGMA),),
    conditions=(PRIVATE,),
    notes=("the noise is calibrated for T releases; the algorithms call this standard deviation the variance",),
)

m = epsilon / sp.sqrt(8 * A)  # the GDP parameter of all T releases together


def normal_tail(x: sp.Expr) -> sp.Expr:
    """Return P(Z >= x) for a standard normal Z."""
    return sp.erfc(x / sp.sqrt(2)) / 2


def density(x: sp.Expr) -> sp.Expr:
    """Return the density of a standard normal at x."""
    return sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)


x = sp.sqrt(8 * A) * (1 - epsilon / (16 * A))  # epsilon / m - m / 2
spent = normal_tail(x) - sp.exp(epsilon) * normal_tail(epsilon / m + m / 2)  # delta(epsilon), exactly
in_e = delta / (sp.E * delta + epsilon)  # exp(-A)
nearly_4 = sp.Rational(31, 32) ** 2 * 4  # x^2 / 2 >= nearly_4 A when epsilon <= 1/2
front = 1 / (sp.sqrt(8) * sp.sqrt(2 * sp.pi) * 2 * nearly_4)


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.lemma_2_2",
        title="the noise of Lemma 2.2 is enough when epsilon <= 8 log(e + epsilon/delta)",
        source="our proof",
        proves="dpzero.lemma_2_2",
        steps=(
            Step(
                1,
                "per-sample clipping at C makes the sensitivity of the mean 2 C / n, so sigma = 4 C sqrt(2 T A) / (n epsilon)",
                ENOUGH,
                "=",
                SIGMA,
                "insert the sensitivity",
                Substitution({sensitivity: 2 * C / n}),
            ),
            Step(
                2,
                "T adaptive Gaussian releases are together m-GDP with m = sqrt(T) sensitivity / sigma, and no better",
                None,
                "=",
                None,
                "composition of Gaussian mechanisms is Gaussian",
                Cited("Dong, Roth, Su (2022), Gaussian Differential Privacy, Theorem 2.7 and Corollary 3.3"),
            ),
            Step(
                3,
                "with the sigma of the lemma, m = epsilon / sqrt(8 A): T and the sensitivity cancel",
                sp.sqrt(T) * sensitivity / sigma,
                "=",
                m,
                "insert sigma",
                Substitution({sigma: ENOUGH}),
            ),
            Step(
                4,
                "m-GDP spends exactly delta(epsilon) = P(Z >= epsilon/m - m/2) - e^epsilon P(Z >= epsilon/m + m/2), Z standard normal",
                None,
                "=",
                None,
                "the privacy curve of a Gaussian mechanism",
                Cited("Balle, Wang (2018), Theorem 8; Dong, Roth, Su (2022), Corollary 2.13"),
            ),
            Step(5, "write x = epsilon/m - m/2", epsilon / m - m / 2, "=", x, "insert m", Identity()),
            Step(
                6,
                "x is at least sqrt(2 A) in the region",
                x,
                ">=",
                sp.sqrt(2 * A),
                "half of the bracket is left when epsilon <= 8 A",
                NonNegative(((sp.sqrt(8) / (16 * sp.sqrt(A)), 8 * A - epsilon),), given=(Given(8 * A - epsilon, "epsilon <= 8 A"),)),
                ranges={epsilon: (sp.Rational(1, 1000), 8 * A)},
            ),
            Step(
                7,
                "a normal tail is at most half of exp(-x^2/2)",
                normal_tail(deviation),
                "<=",
                sp.exp(-(deviation**2) / 2) / 2,
                "P(|Z| >= x) is at most P(Z^2 + Z'^2 >= x^2) for an independent standard normal Z'",
                Reasoned("a set is contained in another; the second has probability exp(-x^2/2)"),
            ),
            Step(
                8,
                "so delta(epsilon) <= exp(-A)/2, and exp(-A) = delta / (e delta + epsilon)",
                sp.exp(-A),
                "=",
                in_e,
                "insert A",
                Substitution({A: LOG_TERM}),
            ),
            Step(
                9,
                "epsilon >= 1/2: half of exp(-A) is at most delta",
                in_e / 2,
                "<=",
                delta,
                "2 (e delta + epsilon) >= 1",
                NonNegative(((in_e, sp.E * delta), (in_e / 2, 2 * epsilon - 1)), given=(Given(2 * epsilon - 1, "epsilon >= 1/2"),)),
                ranges={epsilon: (sp.Rational(1, 2), 1000)},
            ),
            Step(
                10,
                "epsilon <= 1/2: delta(epsilon) <= E (V - epsilon)_+ = m (density(x) - x P(Z >= x)) <= m density(x) / x^2",
                spent,
                "<=",
                m * density(x) / x**2,
                "V ~ N(m^2/2, m^2) is the privacy loss, 1 - e^-y <= y, and P(Z >= x) >= density(x) (1/x - 1/x^3)",
                Reasoned("the mean of a truncated normal and Gordon's lower bound on its tail"),
                ranges={epsilon: (sp.Rational(1, 1000), sp.Rational(1, 2))},
            ),
            Step(
                11,
                "there x^2 >= 8 A (31/32)^2",
                x**2,
                ">=",
                2 * nearly_4 * A,
                "epsilon / (16 A) <= 1/32",
                NonNegative(
                    (
                        (8 * A, sp.Rational(1, 32) - epsilon / (16 * A), sp.Rational(1, 32) - epsilon / (16 * A)),
                        (8 * A, 2 * sp.Rational(31, 32), sp.Rational(1, 32) - epsilon / (16 * A)),
                    ),
                    given=(Given(sp.Rational(1, 32) - epsilon / (16 * A), "epsilon <= 1/2 <= A/2"),),
                ),
                ranges={epsilon: (sp.Rational(1, 1000), sp.Rational(1, 2))},
            ),
            Step(
                12,
                "hence m density(x) / x^2 <= 0.0012 epsilon exp(-A); here are the logarithms of both sides over epsilon",
                sp.log(front) - sp.Rational(3, 2) * sp.log(A) - nearly_4 * A,
                "<=",
                sp.log(sp.Rational(12, 10000)) - A,
                "true at A = 1, and the left side falls faster",
                NonNegative(
                    (
                        (sp.log(sp.Rational(12, 10000)) - sp.log(front) + nearly_4 - 1,),
                        (nearly_4 - 1, A - 1),
                        (sp.Rational(3, 2), sp.log(A)),
                    ),
                    given=(Given(A - 1, "A = log(e + epsilon/delta) >= 1"), Given(sp.log(A), "A >= 1")),
                ),
            ),
            Step(
                13,
                "and epsilon exp(-A) <= delta",
                epsilon * in_e,
                "<=",
                delta,
                "epsilon <= e delta + epsilon",
                NonNegative(((in_e, sp.E * delta),)),
            ),
            Step(
                14,
                "every epsilon <= 27 is in the region, whatever delta: A >= log(e + epsilon)",
                epsilon,
                "<=",
                8 * sp.log(sp.E + epsilon),
                "log(e + epsilon) is concave in epsilon, and the inequality holds at 0 and at 27",
                Reasoned("a concave function is above its chord"),
                ranges={epsilon: (sp.Rational(1, 1000), 27)},
            ),
        ),
    )
