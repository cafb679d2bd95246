"""The error of the mean of m clients: Lemma 9.

Source    Gauss-PSGD, Appendix C, (106) to (117).
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import GIVENS, Derivation, Identity, NonNegative, Reasoned, Shown, fact, line, words
from bounds.gauss_psgd.proofs_block import PAPER, SPELLED, G, M, b_1, b_2, c, delta, epsilon, m, r, sigma
from bounds.gauss_psgd.proofs_spider import ADDED_SQ, SAMPLING_SQ, add_up, below_limit, client_noise, drift, mean_noise, privacy
from bounds.inequalities import Instance
from bounds.meanings import BELOW_ONE


def lemma9() -> Derivation:
    """Write the proof out."""
    fresh = c * G**2 * privacy / (b_1**2 * epsilon**2)
    share = c * M**2 / (m * b_2**2 * epsilon**2)
    return Derivation(
        key="gauss_psgd.lemma9",
        title="the error of the mean of m clients",
        source=f"{PAPER}, Lemma 9, (106) to (117)",
        spelled=SPELLED,
        facts=(
            below_limit,
            BELOW_ONE["delta"],
            fact("client_noise", "Lemma 7: the noise of one client at a fresh gradient", client_noise, "=", fresh, Reasoned("Algorithm 3")),
            fact("mean_noise", "the mean of m independent noises", mean_noise, "=", client_noise / m, add_up),
            fact(
                "sampling",
                "Lemma 7 with m b for b",
                sigma**2,
                "<=",
                SAMPLING_SQ.xreplace({b_1: m * b_1, b_2: m * b_2}),
                Shown("gauss_psgd.lemma7", "sampling", {b_1: m * b_1, b_2: m * b_2}),
            ),
            fact(
                "noises",
                "(108): the variances of the clients' noises, over m",
                r**2,
                "<=",
                (fresh + c * M**2 * privacy / (b_2**2 * epsilon**2) * drift) / m,
                add_up,
            ),
        ),
        steps=(
            line(
                "fresh_noise",
                "(107): the mean of m independent noises has a variance m times smaller, r^2 that of one client",
                mean_noise,
                "=",
                c * G**2 * privacy / (m * b_1**2 * epsilon**2),
                "variances add up; a fresh gradient",
                Identity(modulo=((1, "mean_noise"), (1 / m, "client_noise"))),
                where=GIVENS,
            ),
            words(
                "means_of_means",
                "the mean over clients of means over b samples is a mean over m b independent samples, of laws that may differ",
                "each error has mean 0 for its own client",
                Reasoned("Corollary 3 needs no equal laws"),
            ),
            line(
                "sampling_of_the_mean",
                "sigma^2 of the mean is that of Lemma 7 over m",
                sigma**2,
                "<=",
                SAMPLING_SQ / m,
                "Lemma 7 with m b for b",
                NonNegative((("sampling",),)),
                where=GIVENS,
            ),
            line(
                "added",
                "r^2: Lemma 7 over m",
                r**2,
                "<=",
                ADDED_SQ / m,
                "the drift is at most kappa, and delta at most 1",
                NonNegative(
                    (
                        ("noises",),
                        (share, Instance("exponential", sp.log(delta)), "below_limit"),
                        (share, "delta < 1", "below_limit"),
                    )
                ),
                where=GIVENS,
            ),
        ),
    )
