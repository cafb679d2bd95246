"""What the concentration lemmas give where the paper's own text errs: Corollary 3 with log(2 d).

Source    Gauss-PSGD, Definition 7 (11), Lemma 11 (13), Corollary 3 and its proof; the chain below is ours, natural logarithms.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import GIVENS, Case, Cited, Defined, Derivation, NonNegative, Reasoned, Step, Substitution, fact, line, words
from bounds.gauss_psgd.proofs_block import PAPER, SPELLED, C, G, above_one, d, iota
from bounds.inequalities import Instance
from bounds.symbols import Letter, introduce, symbols

sum_sq, zeta = symbols("sum_sq zeta")
log_2d = introduce(Letter("log_2d", r"\Lambda_d", "logarithm of 2 d", 0.69314718056, 26, "abbreviation"))
sum_constant = introduce(Letter("sum_constant", r"\zeta_+", "norm-subGaussian constant of the sum", 1e-9, 1e9, "proof"))
p_long = introduce(Letter("p_long", r"\mathbb{P}(\text{the sum is longer})", "that the sum is longer", 0, 1, "probability"))

LENGTH = C * sp.sqrt(sum_sq * iota)
CONSTANT = C * sp.sqrt(log_2d * sum_sq)  # of the sum, as repaired
switch = 2 * sp.log(2) * log_2d
exponent = iota / (2 * log_2d)


def corollary3() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="gauss_psgd.corollary3",
        title="a sum of norm-subGaussian errors is norm-subGaussian, with log(2 d)",
        source=f"{PAPER}, Corollary 3; our proof",
        spelled=SPELLED,
        facts=(
            fact("log_2d", "log(2 d)", log_2d, "=", sp.log(2 * d), Defined(signs=("two_d",))),
            fact("zeta", "the constant of an error of norm at most G", zeta, "=", G / sp.sqrt(2 * sp.log(2)), Defined()),
            fact("sum_constant", "the constant that is claimed for the sum", sum_constant, "=", CONSTANT, Defined()),
            fact(
                "thirteen",
                "(13): the sum is longer than C sqrt(sum zeta_i^2 iota)",
                p_long,
                "<=",
                2 * d * sp.exp(-iota),
                Cited("Jin, Netrapalli, Ge, Kakade, Jordan (2019), arXiv:1902.03736, Corollary 7; Lemma 11 of the paper"),
            ),
            fact("short", "the length is small", iota, "<=", switch, Case()),
            fact("long", "the length is large", iota, ">=", switch, Case()),
        ),
        steps=(
            line(
                "one_error",
                "an error of norm at most G is norm-subGaussian with zeta = G / sqrt(2 log 2): (11) is 1 at the length G, above 1 below it",
                G**2 / (2 * zeta**2),
                "=",
                sp.log(2),
                "insert the constant",
                Substitution(("zeta",)),
            ),
            line(
                "exponent",
                "(11) with the constant C sqrt(log(2 d) sum zeta_i^2) of the sum, at this length: its exponent",
                LENGTH**2 / (2 * sum_constant**2),
                "=",
                exponent,
                "insert the constant",
                Substitution(("sum_constant",)),
            ),
            above_one("two_d", "2 d is above 1", 2 * d, "d >= 1", (2, "d >= 1"), (1,)),
            line(
                "above_half",
                "the logarithm of 2 d is above 1/2",
                log_2d,
                ">=",
                sp.Rational(1, 2),
                "log(d) >= 0 and log(2) > 1/2",
                NonNegative(
                    ((Instance("exponential", -sp.log(d)),), (1 / d, "d >= 1"), (sp.log(2) - sp.Rational(1, 2),)), modulo=((1, "log_2d"),)
                ),
                where=GIVENS,
            ),
            *_cases(),
            words(
                "both_cases",
                "so the sum has the constant C sqrt(log(2 d) sum zeta_i^2); with log(d) it would be 0 at d = 1 (printed_corollary3)",
                "both cases",
                Reasoned("Definition 7, for every length t >= 0", using=("small_length", "large_length", "exponent")),
            ),
        ),
    )


def _cases() -> tuple[Step, ...]:
    """Return (11) for the sum, for small and for large lengths."""
    return (
        line(
            "small_length",
            "for iota <= 2 log(2) log(2 d) the right side of (11) is at least 1, and no probability is larger",
            p_long,
            "<=",
            2 * sp.exp(-exponent),
            "the exponent is at most log(2)",
            NonNegative((("p_long <= 1",), (2 * sp.exp(-exponent), Instance("decay", (1 / (2 * log_2d), "short"))))),
            where=GIVENS,
        ),
        line(
            "larger",
            "for a larger iota it is above 2 d exp(-iota): here the logarithms of both over 2",
            sp.log(d) - iota,
            "<=",
            -exponent,
            "2 log(2) >= 1",
            NonNegative(
                (("long", "above_half", 1 / log_2d), (log_2d, 2 * sp.log(2) - 1)),
                modulo=((1, "log_2d"),),
            ),
            where=GIVENS,
        ),
        line(
            "large_length",
            "so (11) holds there too, and the sum is longer with at most this probability",
            p_long,
            "<=",
            2 * sp.exp(-exponent),
            "(13)",
            NonNegative((("thirteen",), (2 * sp.exp(-exponent), Instance("decay", ("larger",))))),
            where=GIVENS,
        ),
    )
