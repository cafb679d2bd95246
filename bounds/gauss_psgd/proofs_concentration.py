"""What the concentration lemmas give where the paper's own text errs: Corollary 3 with log(2 d).

Source    Gauss-PSGD, Definition 7 (11), Lemma 11 (13), Corollary 3 and its proof; the chain below is ours, natural logarithms.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Cited, Derivation, Given, NonNegative, Reasoned, Substitution
from bounds.gauss_psgd.proofs_block import PAPER, C, G, chain, d, iota, line, sigma, words
from bounds.symbols import symbols

(sum_sq,) = symbols("sum_sq")

LOG_2D = sp.log(2 * d)
LENGTH = C * sp.sqrt(sum_sq * iota)
CONSTANT = C * sp.sqrt(LOG_2D * sum_sq)  # of the sum, as repaired
switch = 2 * sp.log(2) * LOG_2D


def corollary3() -> Derivation:
    """Write the proof out."""
    positive_share = Given(1 - 1 / (2 * LOG_2D), "log(2 d) >= log(2) > 1/2")
    return chain(
        "corollary3",
        "a sum of norm-subGaussian errors is norm-subGaussian, with log(2 d)",
        f"{PAPER}, Corollary 3; our proof",
        line(
            "an error of norm at most G is norm-subGaussian with G / sqrt(2 log 2): (11) is 1 at the length G and above 1 below it",
            2 * sp.exp(-(G**2) / (2 * sigma**2)),
            "=",
            1,
            "insert the constant",
            Substitution({sigma: G / sp.sqrt(2 * sp.log(2))}),
        ),
        words(
            "(13): the sum is longer than C sqrt(sum zeta_i^2 iota) with probability at most 2 d exp(-iota)",
            "Lemma 11",
            Cited("Jin, Netrapalli, Ge, Kakade, Jordan (2019), arXiv:1902.03736, Corollary 7; Lemma 11 of the paper"),
        ),
        line(
            "(11) with the constant C sqrt(log(2 d) sum zeta_i^2) at this length",
            2 * sp.exp(-(LENGTH**2) / (2 * sigma**2)),
            "=",
            2 * sp.exp(-iota / (2 * LOG_2D)),
            "insert the constant",
            Substitution({sigma: CONSTANT}),
            ranges={iota: (1, 100)},
        ),
        line(
            "for iota <= 2 log(2) log(2 d) that is at least 1: the exponent",
            iota / (2 * LOG_2D),
            "<=",
            sp.log(2),
            "no probability is above 1",
            NonNegative(
                ((1 / (2 * LOG_2D), switch - iota),),
                given=(Given(switch - iota, "this case"), Given(1 / (2 * LOG_2D), "d >= 1")),
            ),
            ranges={iota: (sp.log(2) * LOG_2D / 100, switch)},
        ),
        line(
            "for a larger iota it is above 2 d exp(-iota): here the logarithms of both over 2",
            sp.log(d) - iota,
            "<=",
            -iota / (2 * LOG_2D),
            "2 log(2) >= 1",
            NonNegative(
                ((iota - switch, 1 - 1 / (2 * LOG_2D)), (LOG_2D, 2 * sp.log(2) - 1)),
                given=(Given(iota - switch, "this case"), positive_share, Given(LOG_2D, "d >= 1")),
            ),
            ranges={iota: (switch, 100 * switch)},
        ),
        words(
            "so the sum has the constant C sqrt(log(2 d) sum zeta_i^2); with log(d) it would be 0 in one dimension (printed_corollary3)",
            "both cases",
            Reasoned("Definition 7, for every length t >= 0"),
        ),
    )
