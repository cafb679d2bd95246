"""Choosing among the iterates: Theorem 4, as far as it holds, and Remark 4.

Setting   m clients with n held-out samples each; T gradients and T Hessians are released. omega is the paper's omega'.
Source    Gauss-PSGD, Theorem 4, (122) to (143), Remark 4; Lemmas 14 to 16, Definition 8.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.derivation import (
    GIVENS,
    Assumed,
    Case,
    Cited,
    Defined,
    Derivation,
    Identity,
    NonNegative,
    Reasoned,
    Step,
    Substitution,
    fact,
    line,
    words,
)
from bounds.gauss_psgd.proofs_block import PAPER, SPELLED, G, M, T, above_one, alpha, d, delta, epsilon, m, n, omega
from bounds.inequalities import Instance
from bounds.meanings import BELOW_ONE
from bounds.symbols import Letter, introduce, sensitivity, symbols
from bounds.symbols import sigma as spread

(N,) = symbols("N_private")
log_event = introduce(Letter("log_event", r"\Lambda_\omega", "logarithm of 16 d over omega", 1e-3, 100, "abbreviation"))
log_delta = introduce(Letter("log_delta", r"\Lambda_\delta", "logarithm of 1 over delta", 1e-3, 100, "abbreviation"))
bernstein = introduce(Letter("bernstein", "x", "exponent of the matrix Bernstein inequality", 1e-9, 1e9, "proof"))
p_hessian = introduce(Letter("p_hessian", r"\mathbb{P}(\text{Hessian off})", "that the Hessians deviate more", 0, 1, "probability"))
v = introduce(Letter("per_square", "v", "the twentieth root of d over N^2", 1e-9, 1e3, "proof"))
w = introduce(Letter("per_limit", "w", "the twentieth root of d over N^(6/13)", 1e-9, 1e3, "proof"))

EVENT = sp.log(16 * d / omega)  # the paper has 8 d: Lemma 14 lacks a factor 2 (printed_lemma14)
SHARE = sp.sqrt(EVENT / (m * n))
share = SHARE.xreplace({EVENT: log_event})
DEVIATION = 4 * M * share

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
edge = N ** sp.Rational(6, 13)
FIFTH, SIXTH = sp.sqrt(d) / (N * alpha ** sp.Rational(5, 4)), d / (N * alpha ** sp.Rational(3, 4))  # terms of (143)
SEVENTH = d**2 / (N**2 * alpha ** sp.Rational(5, 2))


def theorem4() -> Derivation:
    """Write out what holds of the proof."""
    off = (m * n * DEVIATION) ** 2 / (2 * (4 * m * n * M**2 + 2 * M * m * n * DEVIATION / 3))
    return Derivation(
        key="gauss_psgd.theorem4",
        title="the accuracy of the point that is selected, as far as the proof goes",
        source=f"{PAPER}, Theorem 4, (122) to (143), Lemma 16",
        spelled=SPELLED,
        facts=(
            fact(
                "log_event", "the logarithm of the events (123) to (126), with 16 d", log_event, "=", EVENT, Defined(signs=("many_events",))
            ),
            BELOW_ONE["omega"],
            BELOW_ONE["delta"],
            fact("log_delta", "log(1/delta)", log_delta, "=", sp.log(1 / delta), Defined(signs=("delta < 1",))),
            fact(
                "bernstein",
                "the exponent for m n Hessians: B = 2 M, sigma^2 <= 4 m n M^2, t = m n times 4 M sqrt(log(16 d/omega) / (m n))",
                bernstein,
                "=",
                off,
                Defined(),
            ),
            fact("enough_samples", "m n >= (4/9) log(16 d / omega)", m * n, ">=", sp.Rational(4, 9) * log_event, Assumed()),
            fact(
                "lemma_14",
                "(125): a sum of independent centred matrices of norm at most B is longer than t with probability at most "
                "2 d exp(-t^2 / (2 (sigma^2 + B t/3)))",
                p_hessian,
                "<=",
                2 * d * sp.exp(-bernstein),
                Cited(
                    "Tropp (2012), User-friendly tail bounds for sums of random matrices, Theorem 1.4; Lemma 14 of the paper lacks the 2"
                ),
            ),
            fact("sensitivity", "one sample of n is replaced", sensitivity, "=", 2 * G / n, Reasoned("gradients are at most G long")),
            fact("sigma", "as printed, c_1 = 1", spread, "=", G * sp.sqrt(T * log_delta) / (n * epsilon), Defined("Algorithm 4")),
            fact("T", "T is of the order of alpha^(-5/2)", T, "=", alpha ** sp.Rational(-5, 2), Defined("Theorem 4")),
        ),
        steps=(*_events(), *_noise(), *_size()),
    )


def _events() -> tuple[Step, ...]:
    """Return what matrix Bernstein gives for the mean Hessian, and that its logarithm is positive."""
    return (
        above_one(
            "many_events",
            "16 d / omega is above 1",
            16 * d / omega,
            "omega < 1 <= d",
            (16 / omega, "d >= 1"),
            (1 / omega, "omega < 1"),
            (15 / omega,),
        ),
        line(
            "exponent",
            "(125): the exponent, multiplied out",
            bernstein,
            "=",
            16 * log_event / (8 + sp.Rational(16, 3) * share),
            "insert",
            Substitution(("bernstein",)),
        ),
        line(
            "large_exponent",
            "is at least the logarithm under the condition of the theorem: the exponent",
            bernstein,
            ">=",
            EVENT,
            "8 >= (16/3) sqrt(log(16 d/omega) / (m n))",
            NonNegative(
                (
                    (
                        log_event / (8 + sp.Rational(16, 3) * share),
                        sp.Rational(16, 3),
                        9 / (4 * m * n * (sp.Rational(3, 2) + share)),
                        "enough_samples",
                    ),
                ),
                modulo=((1, "exponent"), (1, "log_event")),
            ),
            where=GIVENS,
        ),
        line(
            "an_eighth",
            "which leaves an eighth of omega for the Hessians",
            p_hessian,
            "<=",
            omega / 8,
            "2 d exp(-log(16 d / omega))",
            NonNegative((("lemma_14",), (omega / 8, Instance("decay", ("large_exponent",))))),
            where=GIVENS,
        ),
        words(
            "thresholds",
            "Algorithm 4 has 1 for the 4 in front (printed_bernstein), and no constants c_1, c_2 in its allowance for the noise",
            "a true stationary point need not pass the test",
            Reasoned("comparison of the thresholds with the deviations"),
        ),
    )


def _noise() -> tuple[Step, ...]:
    """Return what composition asks of the noise."""
    return (
        line(
            "composed",
            "Lemma 16 for 2 T releases and Definition 8: the noise of a gradient, of sensitivity 2 G / n",
            NOISE_BY_LEMMA_16**2,
            "=",
            COMPOSED * G**2 * T * sp.log(1 / delta) / (n**2 * epsilon**2),
            "insert the sensitivity; c_1 is then no constant (printed_composition)",
            Substitution(("sensitivity",)),
        ),
        line(
            "concentrated",
            "2 T Gaussian releases cost rho = 2 T sensitivity^2 / (2 sigma^2) in zero-concentrated privacy: no T in c_1",
            2 * T * sensitivity**2 / (2 * spread**2),
            "=",
            4 * epsilon**2 / log_delta,
            "insert the printed noise with c_1 = 1; a constant c_1 divides it",
            Substitution(("sensitivity", "sigma")),
        ),
        words(
            "union",
            "(127) to (142): the triangle inequality for the gradient, Weyl's inequality for the smallest eigenvalue",
            "the events (123) to (126) at the selected point, which depends on the samples: a union over the T points is needed",
            Reasoned("each adds logarithms only; the paper has the events at one point"),
        ),
        line(
            "hessian_noise",
            "the noise of a Hessian with T = alpha^(-5/2)",
            d * sp.sqrt(T) / (sp.sqrt(m) * n * epsilon),
            "=",
            HESSIAN_NOISE,
            "insert T",
            Substitution(("T",)),
        ),
    )


def _size() -> tuple[Step, ...]:
    """Return (143) and its cross terms."""
    return (
        line(
            "squared",
            "(143): the curvature that the accuracy allows, squared: the cross term is sqrt(alpha / (m n)), see printed_143",
            (sp.sqrt(alpha) + 1 / sp.sqrt(m * n) + HESSIAN_NOISE) ** 2,
            "=",
            EXPANDED,
            "expand",
            Identity(),
        ),
        line(
            "cross_term",
            "that cross term of alpha is dominated",
            2 * sp.sqrt(alpha / (m * n)),
            "<=",
            alpha + 1 / (m * n),
            "(a - b)^2 >= 0",
            NonNegative((((sp.sqrt(alpha) - 1 / sp.sqrt(m * n)) ** 2,),)),
        ),
        line(
            "last_term",
            "and so is the last one, with m and n",
            2 * HESSIAN_NOISE / sp.sqrt(m * n),
            "<=",
            HESSIAN_NOISE**2 + 1 / (m * n),
            "(a - b)^2 >= 0",
            NonNegative((((HESSIAN_NOISE - 1 / sp.sqrt(m * n)) ** 2,),)),
        ),
    )


def remark4() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="gauss_psgd.remark4",
        title="when selection costs no accuracy, with alpha = (sqrt(d) / N)^(2/5) and N = sqrt(m) n epsilon",
        source=f"{PAPER}, Remark 4",
        spelled={**SPELLED, "N": N, "w": w, "v": v},
        facts=(
            fact("accuracy", "the privacy part of the accuracy alone", alpha, "=", ACCURACY_OF_N, Defined("Remark 4")),
            fact("v", "v^20 = d / N^2", v, "=", (d / N**2) ** sp.Rational(1, 20), Defined()),
            fact("w", "w^20 = d / N^(6/13)", w, "=", (d / edge) ** sp.Rational(1, 20), Defined()),
            fact("few_dimensions", "d <= N^(6/13)", d, "<=", edge, Case()),
            fact("many_samples", "sqrt(m) n epsilon >= 1", N, ">=", 1, Assumed()),
        ),
        steps=(
            line("d_of_v", "d in v", d, "=", N**2 * v**20, "the twentieth power", Substitution(("v",))),
            line("d_of_w", "d in w", d, "=", edge * w**20, "the twentieth power", Substitution(("w",))),
            _over_alpha("fifth", "the fifth term of (143) over alpha: v, at most 1 when d <= N^2", FIFTH, v, "d_of_v"),
            _over_alpha("sixth", "the sixth over alpha, in w: at most 1 when d <= N^(6/13)", SIXTH, w**13, "d_of_w"),
            _over_alpha("seventh", "the seventh over alpha, in w: the same", SEVENTH, w**26, "d_of_w"),
            line(
                "smaller",
                "and N^(6/13) is the smaller of the two",
                d,
                "<=",
                N**2,
                "N >= 1",
                NonNegative((("few_dimensions",), (edge * _quotient(N ** sp.Rational(1, 13), 20, 13), "many_samples"))),
                where=GIVENS,
            ),
            _free("fifth", FIFTH, alpha / N**2 * _quotient(v, 1, 20), "smaller", "d_of_v"),
            _free("sixth", SIXTH, alpha / edge * _quotient(w, 13, 20), "few_dimensions", "d_of_w"),
            _free("seventh", SEVENTH, alpha / edge * _quotient(w, 26, 20), "few_dimensions", "d_of_w"),
        ),
    )


def _quotient(base: Any, top: int, bottom: int) -> Any:
    """Return (1 - base^top) / (1 - base^bottom) as a quotient of positive sums."""
    return sum(base**i for i in range(top)) / sum(base**i for i in range(bottom))


def _over_alpha(name: str, statement: str, term: Any, power: Any, root: str) -> Step:
    """Return the step that a term of (143) over alpha is a power of v or w."""
    return line(name, statement, term / alpha, "=", power, "alpha = (sqrt(d) / N)^(2/5)", Substitution(("accuracy", root)))


def _free(name: str, term: Any, factor: Any, limit: str, root: str) -> Step:
    """Return the step that a term of (143) is at most alpha: one minus a power of v or w is a multiple of one minus the twentieth."""
    certificate = NonNegative(((factor, limit),), modulo=((-alpha, name), (factor, root)))
    return line(f"{name}_is_free", f"so the {name} term is at most alpha", term, "<=", alpha, "its power", certificate, where=GIVENS)
