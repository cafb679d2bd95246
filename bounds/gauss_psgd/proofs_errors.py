"""How rarely an error of an estimate is long: Lemma 5.

Source    Gauss-PSGD, Appendix B.6, (73).
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import GIVENS, Case, Cited, Defined, Derivation, Identity, NonNegative, Reasoned, Substitution, fact, line
from bounds.gauss_psgd.descent import LEMMA_5, p_any
from bounds.gauss_psgd.proofs_block import ENOUGH_TRIES, PAPER, SPELLED, C, T, chi, mu, omega, psi, s
from bounds.gauss_psgd.proofs_counts import LENGTH, err, err_length, p_longer, third, third_entry
from bounds.inequalities import Instance
from bounds.meanings import BELOW_ONE


def lemma5() -> Derivation:
    """Write the proof out."""
    exponent = err_length**2 / (2 * (C * psi) ** 2)
    return Derivation(
        key="gauss_psgd.lemma5",
        title="every estimate is within chi of its gradient",
        source=f"{PAPER}, Lemma 5, (73)",
        proves=LEMMA_5,
        shows={"failure": "failure"},
        signs={"log_T": (ENOUGH_TRIES.name,)},
        spelled=SPELLED,
        facts=(
            third_entry,
            BELOW_ONE["omega"],
            fact("err_length", "the length of (73)", err_length, "=", LENGTH, Defined("(73)")),
            fact(
                "longer",
                "(11): nu_t = zeta_t + xi_t is norm-subGaussian with a constant C psi",
                p_longer,
                "<=",
                2 * sp.exp(-exponent),
                Cited(
                    "Definition 7; each of the two is by (1) and by Lemma 10 of the paper, Corollary 3 would add a root of a logarithm of d"
                ),
            ),
            fact(
                "union",
                "T estimates, although (79) counts T steps, and step 4 asks for one more in every escape phase",
                p_any,
                "<=",
                T * p_longer,
                Reasoned("union bound"),
            ),
            fact("event", "otherwise no error is longer", err, "<=", err_length, Reasoned("outside an event of that probability")),
            fact("largest", "the third entry of (6) is the largest", mu, "=", third, Case()),
        ),
        steps=(
            ENOUGH_TRIES,
            line(
                "exponent",
                "(11) at the length of (73): its exponent is the logarithm of 4 T / omega",
                exponent,
                ">=",
                sp.log(4 * T / omega),
                "insert the length",
                Identity(modulo=(((err_length + LENGTH) / (2 * (C * psi) ** 2), "err_length"), (1, "log_T"))),
                where=GIVENS,
            ),
            line(
                "one",
                "so an error is longer with probability at most omega / (2 T)",
                p_longer,
                "<=",
                omega / (2 * T),
                "2 exp(-log(4 T / omega))",
                NonNegative((("longer",), (omega / (2 * T), Instance("decay", ("exponent",))))),
                where=GIVENS,
            ),
            line(
                "failure",
                "T times that is omega / 2",
                p_any,
                "<=",
                omega / 2,
                "union bound",
                NonNegative((("union",), (T, "one"))),
                where=GIVENS,
            ),
            line(
                "equal",
                "(73): when the third entry of (6) is the largest, chi is this length: its value by (5), with that mu",
                4 * sp.sqrt(C) * s * mu**2 * psi,
                "=",
                LENGTH,
                "insert mu",
                Substitution(("largest",)),
            ),
            line(
                "covers",
                "and otherwise chi is longer",
                chi,
                ">=",
                LENGTH,
                "mu is at least its third entry",
                NonNegative(((4 * sp.sqrt(C) * s * psi, "third_entry", mu + third),), modulo=((1, "chi"),)),
                where=GIVENS,
            ),
            line(
                "within_chi",
                "so every error is at most chi",
                err,
                "<=",
                chi,
                "it is at most the length of (73)",
                NonNegative((("event",), ("covers",)), modulo=((-1, "err_length"),)),
                where=GIVENS,
            ),
            line(
                "bound",
                "(73): every error is at most",
                err,
                "<=",
                LENGTH,
                "the length written out",
                NonNegative((("event",),), modulo=((-1, "err_length"),)),
                where=GIVENS,
            ),
        ),
    )
