"""Choosing among the iterates: Theorem 4, as far as it holds, and Remark 4.

Setting   m clients with n held-out samples each; T gradients and T Hessians are released. omega is the paper's omega'.
Source    Gauss-PSGD, Theorem 4, (122) to (143), Remark 4; Lemmas 14 to 16, Definition 8.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Cited, Derivation, Given, Identity, NonNegative, Reasoned, Substitution
from bounds.gauss_psgd.proofs_block import PAPER, G, M, T, alpha, chain, d, delta, epsilon, iota, line, m, n, omega, words
from bounds.symbols import sensitivity, symbols
from bounds.symbols import sigma as spread

(N,) = symbols("N_private")

EVENT = sp.log(16 * d / omega)  # the paper has 8 d: Lemma 14 lacks a factor 2 (printed_lemma14)
DEVIATION = 4 * M * sp.sqrt(EVENT / (m * n))
SHARE = sp.sqrt(EVENT / (m * n))
enough_samples = Given(sp.Rational(3, 2) - SHARE, "m n >= (4/9) log(16 d / omega)")
positive_event = Given(EVENT, "omega < 1")
positive_tail = Given(1 / (8 + sp.Rational(16, 3) * SHARE), "a sum of positive terms")

ONE_EPSILON = epsilon / (2 * sp.sqrt(2 * (2 * T) * sp.log(2 / delta)))  # Lemma 16 for 2 T releases
ONE_DELTA = delta / (2 * (2 * T))
NOISE_BY_LEMMA_16 = sensitivity / ONE_EPSILON * sp.sqrt(2 * sp.log(sp.Rational(5, 4) / ONE_DELTA))
COMPOSED = 128 * sp.log(2 / delta) * sp.log(5 * T / delta) / sp.log(1 / delta)  # the c_1 that Lemma 16 and Definition 8 ask for
HESSIAN_NOISE = d / (sp.sqrt(m) * n * epsilon * alpha ** sp.Rational(5, 4))
EXPANDED = (  # the square of the Hessian's three terms
    alpha
    + 1 / (m * n)
    + d**2 / (m * n**2 * epsilon**2 * alpha ** sp.Rational(5, 2))
    + 2 * sp.sqrt(alpha / (m * n))
    + 2 * d / (sp.sqrt(m) * n * epsilon * alpha ** sp.Rational(3, 4))
    + 2 * d / (m * n ** sp.Rational(3, 2) * epsilon * alpha ** sp.Rational(5, 4))
)
ACCURACY_OF_N = (sp.sqrt(d) / N) ** sp.Rational(2, 5)


def theorem4() -> Derivation:
    """Write out what holds of the proof."""
    return chain(
        "theorem4",
        "the accuracy of the point that is selected, as far as the proof goes",
        f"{PAPER}, Theorem 4, (122) to (143)",
        words(
            "(125): a sum of independent centred matrices of norm at most B is longer than t with probability at most "
            "2 d exp(-t^2 / (2 (sigma^2 + B t/3)))",
            "matrix Bernstein, with the factor 2 of an operator norm",
            Cited("Tropp (2012), User-friendly tail bounds for sums of random matrices, Theorem 1.4; Lemma 14 of the paper lacks the 2"),
        ),
        line(
            "the exponent for m n Hessians: B = 2 M, sigma^2 <= 4 m n M^2, t = m n times 4 M sqrt(log(16 d/omega) / (m n))",
            (m * n * DEVIATION) ** 2 / (2 * (4 * m * n * M**2 + 2 * M * m * n * DEVIATION / 3)),
            "=",
            16 * EVENT / (8 + sp.Rational(16, 3) * SHARE),
            "insert",
            Identity(),
        ),
        line(
            "is at least the logarithm under the condition of the theorem",
            16 * EVENT / (8 + sp.Rational(16, 3) * SHARE),
            ">=",
            EVENT,
            "8 >= (16/3) sqrt(log(16 d/omega) / (m n))",
            NonNegative(
                ((EVENT, sp.Rational(16, 3), sp.Rational(3, 2) - SHARE, 1 / (8 + sp.Rational(16, 3) * SHARE)),),
                given=(enough_samples, positive_event, positive_tail),
            ),
            ranges={n: (sp.Rational(4, 9) * EVENT, 10**9 * EVENT)},
        ),
        line(
            "which leaves an eighth of omega",
            2 * d * sp.exp(-iota),
            "=",
            omega / 8,
            "insert the logarithm for iota",
            Substitution({iota: EVENT}),
        ),
        words(
            "Algorithm 4 has 1 for the 4 in front (printed_bernstein), and no constants c_1, c_2 in its allowance for the noise",
            "a true stationary point need not pass the test",
            Reasoned("comparison of the thresholds with the deviations"),
        ),
        line(
            "Lemma 16 for 2 T releases and Definition 8: the noise of a gradient, of sensitivity 2 G / n",
            NOISE_BY_LEMMA_16**2,
            "=",
            COMPOSED * G**2 * T * sp.log(1 / delta) / (n**2 * epsilon**2),
            "insert the sensitivity; c_1 is then no constant (printed_composition)",
            Substitution({sensitivity: 2 * G / n}),
        ),
        line(
            "2 T Gaussian releases cost rho = 2 T sensitivity^2 / (2 sigma^2) in zero-concentrated privacy: no T in c_1",
            2 * T * sensitivity**2 / (2 * spread**2),
            "=",
            4 * epsilon**2 / sp.log(1 / delta),
            "insert the printed noise with c_1 = 1; a constant c_1 divides it",
            Substitution({sensitivity: 2 * G / n, spread: G * sp.sqrt(T * sp.log(1 / delta)) / (n * epsilon)}),
        ),
        words(
            "(127) to (142): the triangle inequality for the gradient, Weyl's inequality for the smallest eigenvalue",
            "the events (123) to (126) at the selected point, which depends on the samples: a union over the T points is needed",
            Reasoned("each adds logarithms only; the paper has the events at one point"),
        ),
        line(
            "the noise of a Hessian with T = alpha^(-5/2)",
            d * sp.sqrt(T) / (sp.sqrt(m) * n * epsilon),
            "=",
            HESSIAN_NOISE,
            "insert T",
            Substitution({T: alpha ** sp.Rational(-5, 2)}),
        ),
        line(
            "(143): the curvature that is allowed, squared: the cross term is sqrt(alpha / (m n)), see printed_143",
            (sp.sqrt(alpha) + 1 / sp.sqrt(m * n) + HESSIAN_NOISE) ** 2,
            "=",
            EXPANDED,
            "expand",
            Identity(),
        ),
        line(
            "that cross term is dominated",
            2 * sp.sqrt(alpha / (m * n)),
            "<=",
            alpha + 1 / (m * n),
            "(a - b)^2 >= 0",
            NonNegative((((sp.sqrt(alpha) - 1 / sp.sqrt(m * n)) ** 2,),)),
        ),
        line(
            "and so is the last one",
            2 * HESSIAN_NOISE / sp.sqrt(m * n),
            "<=",
            HESSIAN_NOISE**2 + 1 / (m * n),
            "(a - b)^2 >= 0",
            NonNegative((((HESSIAN_NOISE - 1 / sp.sqrt(m * n)) ** 2,),)),
        ),
    )


def remark4() -> Derivation:
    """Write the proof out."""
    at = {alpha: ACCURACY_OF_N}
    edge = N ** sp.Rational(6, 13)

    def part(statement: str, lhs: sp.Expr, rhs: sp.Expr) -> sp.Expr:
        return line(statement, lhs / alpha, "=", rhs, "alpha = (sqrt(d) / N)^(2/5)", Substitution(at))

    return chain(
        "remark4",
        "when selection costs no accuracy, with alpha = (sqrt(d) / N)^(2/5) and N = sqrt(m) n epsilon",
        f"{PAPER}, Remark 4",
        part(
            "the fifth term of (143) over alpha: at most 1 when d <= N^2",
            sp.sqrt(d) / (N * alpha ** sp.Rational(5, 4)),
            (d / N**2) ** sp.Rational(1, 20),
        ),
        part("the sixth: at most 1 when d <= N^(6/13)", d / (N * alpha ** sp.Rational(3, 4)), (d / edge) ** sp.Rational(13, 20)),
        part("the seventh: the same", d**2 / (N**2 * alpha ** sp.Rational(5, 2)), (d / edge) ** sp.Rational(13, 10)),
        line(
            "and N^(6/13) is the smaller of the two",
            edge,
            "<=",
            N**2,
            "N >= 1",
            NonNegative(((edge, N ** sp.Rational(20, 13) - 1),), given=(Given(N ** sp.Rational(20, 13) - 1, "N >= 1"),)),
        ),
    )
