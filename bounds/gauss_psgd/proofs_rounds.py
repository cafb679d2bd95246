"""How often a saddle is left: Corollary 1 and Lemma 2.

Source    Gauss-PSGD, Section 4; Appendix B.2.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import GIVENS, Assumed, Cited, Defined, Derivation, NonNegative, Reasoned, Step, fact, line
from bounds.gauss_psgd.common import ALL_FAIL, omega_0
from bounds.gauss_psgd.escape import COROLLARY_1, LEMMA_2, p_none, p_stays
from bounds.gauss_psgd.proofs_block import PAPER, SPELLED
from bounds.inequalities import Instance
from bounds.meanings import BELOW_ONE
from bounds.symbols import Letter, introduce, symbols

escapes, omega, p_one, p_pair, Q = symbols("escapes omega p_one p_pair Q")
rounds_2 = introduce(Letter("rounds_2", "Q_2", "rounds with the logarithm to base 2", 1, 1e4, "proof"))
rounds_e = introduce(Letter("rounds_e", "Q_e", "rounds with the natural logarithm", 1, 1e4, "proof"))

quarter, half = sp.Rational(1, 4), sp.Rational(1, 2)
per_round = -sp.log(sp.Rational(7, 8))


def corollary1() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="gauss_psgd.corollary1",
        title="a single run escapes half as often as one of two",
        source=f"{PAPER}, Corollary 1; rests on Lemma 1",
        proves=COROLLARY_1,
        spelled=SPELLED,
        facts=(
            fact(
                "union",
                "P(one of two escapes) <= 2 P(one run escapes): each of the two coupled runs has the law of a single run",
                p_pair,
                "<=",
                2 * p_one,
                Reasoned("flipping a sign keeps a normal law; union bound"),
            ),
            fact(
                "lemma_1",
                "Lemma 1: one of two escapes with probability 1/4",
                p_pair,
                ">=",
                quarter,
                Cited("Lemma 1 of the paper; gauss_psgd.lemma1 goes as far as its proof, and (6) as printed is not enough for it"),
            ),
            fact("complement", "a run that does not escape stays", p_stays, "=", 1 - p_one, Reasoned("the contrary")),
        ),
        steps=(
            line(
                "one_run",
                "one run escapes with probability at least 1/8",
                p_one,
                ">=",
                sp.Rational(1, 8),
                "half of Lemma 1",
                NonNegative(((half, "union"), (half, "lemma_1"))),
                where=GIVENS,
            ),
            line(
                "bound",
                "so a run stays near the saddle with probability at most 7/8",
                p_stays,
                "<=",
                sp.Rational(7, 8),
                "the contrary",
                NonNegative((("one_run",),), modulo=((-1, "complement"),)),
                where=GIVENS,
            ),
        ),
    )


def _rounds(name: str, letter: str, text: str, number: sp.Symbol, factor: sp.Expr, reason: str) -> tuple[Step, ...]:
    """Return the steps that this number of rounds, a factor times log(1/omega_0), is enough."""
    spare = factor * per_round - 1
    return (
        line(
            name,
            f"{text} rounds are enough: in logarithms, omega_0",
            per_round * number,
            ">=",
            -sp.log(omega_0),
            f"the factor times log(8/7) is at least 1: {reason}",
            NonNegative(((spare, Instance("exponential", sp.log(omega_0))), (spare, "omega_0 < 1")), modulo=((per_round, letter),)),
            where=GIVENS,
        ),
        line(
            f"{name}_is_enough",
            f"so with {text} rounds all fail with probability at most omega_0",
            sp.Rational(7, 8) ** number,
            "<=",
            omega_0,
            "the exponential is increasing",
            NonNegative(((omega_0, Instance("decay", (name,))),)),
            where=GIVENS,
        ),
    )


def lemma2() -> Derivation:
    """Write the proof out."""
    nats = sp.log(1 / omega_0)
    return Derivation(
        key="gauss_psgd.lemma2",
        title="Q independent rounds, with the logarithm to base 2",
        source=f"{PAPER}, Lemma 2",
        proves=LEMMA_2,
        shows={"exactly": "all_fail"},
        signs={"Q": ("omega_0 < 1",)},
        instances=({omega_0: omega / (2 * escapes), Q: rounds_2},),  # the Q_2 rounds of each of N phases
        spelled=SPELLED,
        facts=(
            fact(
                "all_fail",
                "each round fails with probability at most 7/8 by Corollary 1, and the rounds are independent",
                p_none,
                "<=",
                ALL_FAIL,
                Reasoned("product of probabilities"),
            ),
            fact("enough_rounds", "Q is large enough", ALL_FAIL, "<=", omega_0, Assumed()),
            BELOW_ONE["omega_0"],
            fact(
                "rounds_2", "Q as printed, to base 2", rounds_2, "=", sp.Rational(26, 5) / sp.log(2) * nats, Defined(signs=("omega_0 < 1",))
            ),
            fact("rounds_e", "Q with the natural logarithm", rounds_e, "=", sp.Rational(749, 100) * nats, Defined(signs=("omega_0 < 1",))),
        ),
        steps=(
            *_rounds(
                "base_2", "rounds_2", "(26/5) log_2(1/omega_0)", rounds_2, sp.Rational(26, 5) / sp.log(2), "(26/5) log_2(8/7) = 1.0018"
            ),
            *_rounds("natural", "rounds_e", "7.49 log(1/omega_0)", rounds_e, sp.Rational(749, 100), "log(8/7) = 0.13353"),
            line(
                "bound",
                "so none of the rounds escapes with probability omega_0 at most; 26/5 natural logarithms are too few, see printed_lemma2",
                p_none,
                "<=",
                omega_0,
                "Q is large enough",
                NonNegative((("all_fail",), ("enough_rounds",))),
                where=GIVENS,
            ),
        ),
    )
