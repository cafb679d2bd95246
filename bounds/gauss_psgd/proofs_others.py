"""The two other parts of the difference of the coupled runs, which the Hessian and sampling make: Lemma 20, as far as its proof goes.

Source    Gauss-PSGD, Appendix B.1, (33) to (45).

The chain stops at (42), which drops a root of iota. The repaired step is in `proofs_repaired`.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import (
    GIVENS,
    Assumed,
    Case,
    Cited,
    Defined,
    Derivation,
    NonNegative,
    Reasoned,
    Shown,
    Step,
    Substitution,
    fact,
    line,
    words,
)
from bounds.gauss_psgd.escape import noise_part
from bounds.gauss_psgd.proofs_block import FIVE, IOTA_AT_LEAST_1, PAPER, SPELLED, C, Gamma, M, R, by_block, c, d, eta, iota, mu, rho, s, t
from bounds.gauss_psgd.proofs_block import c as c_abs
from bounds.gauss_psgd.proofs_escape import at_30, b, scale, x
from bounds.symbols import Letter, introduce, symbols

log_ratio, away, away_2, sum_sq = symbols("log_ratio away away_2 sum_sq")


def size(name: str, latex: str, text: str) -> sp.Symbol:
    """Return the letter for a length."""
    return introduce(Letter(name, latex, text, 0, 1e6, "proof"))


rest_part = size("rest_part", r"\|\mathscr{P}_h(t)+\mathscr{P}_{sg}(t)\|", "size of the two other parts of the difference together")
hessian_part = size("hessian_part", r"\|\mathscr{P}_h(t)\|", "size of the part that the change of the Hessian makes")
sampling_part = size("sampling_part", r"\|\mathscr{P}_{sg}(t)\|", "size of the part that sampling makes")
apart = size("apart", r"\|\hat x_t\|", "distance of the coupled iterates")
most_apart = introduce(Letter("most_apart", r"\max\|\hat x_t\|", "largest distance of the coupled iterates", 1e-9, 1e9, "proof"))
Delta_norm = size("Delta_norm", r"\|\Delta_t\|", "size of the change of the Hessian")
b_i = introduce(Letter("b_i", r"\mathfrak{b}(i)", "(1 + eta gamma)^i over the root of 2 eta gamma", 1e-3, 1e30, "proof"))
earlier = introduce(Letter("earlier", "i", "a step before step t", 0, 1e9, "proof"))
p_now = introduce(Letter("p_up_to", r"p_t", "probability that the claim (34) fails up to step t", 0, 1, "probability"))
p_next = introduce(Letter("p_up_to_next", r"p_{t+1}", "probability that the claim (34) fails up to step t + 1", 0, 1, "probability"))

tail = sp.exp(-iota)


def stays_close(c: sp.Expr, per_term: sp.Expr) -> tuple[Step, ...]:
    """Return the facts about runs that stay within R: their distance, the sum of the Hessian's part, the lemma for the sampling part.

    `c` is the constant of (31), `per_term` the norm-subGaussian constant of a sampling error over M ||x_hat||. Parts are at t or t + 1.
    """
    hypothesis, on_the_event = Reasoned("the induction hypothesis"), Reasoned("on the event E")
    return (
        at_30,
        fact("constant", "c >= 2 sqrt(2), which the paper does not say", c, ">=", 2 * sp.sqrt(2), Assumed()),
        fact("noise_at_t", "Lemma 19 (31)", noise_part, "<=", c * scale * sp.sqrt(iota), Shown("gauss_psgd.lemma19", "size", {c_abs: c})),
        fact("at_t", "(34) at t", rest_part, "<=", scale / 20, hypothesis),
        fact(
            "three_parts",
            "x_hat is the sum of the three parts",
            apart,
            "<=",
            noise_part + rest_part,
            Reasoned("the triangle inequality on Lemma 18 (22)"),
        ),
        fact("most_apart", "(37): what the distance is at most", most_apart, "=", 2 * c * scale * sp.sqrt(iota), Defined()),
        fact("stays", "the first run stays within R", away, "<=", R, on_the_event),
        fact("stays_2", "the coupled run does too", away_2, "<=", R, on_the_event),
        fact(
            "lipschitz",
            "(38) with the missing -H: Delta is the mean over y in [0, 1] of the Hessian at y x + (1 - y) x', minus that at the saddle",
            Delta_norm,
            "<=",
            rho * (away / 2 + away_2 / 2),
            Reasoned(
                "the Hessian is rho-Lipschitz; the norm of a mean is at most the mean of the norms, and y and 1 - y are 1/2 on average"
            ),
        ),
        fact("b_i", "b(i) of (30)", b_i, "=", (1 + x) ** earlier / sp.sqrt(2 * x), Defined("(30)")),
        fact(
            "sum_of_terms",
            "(40): at most Gamma terms, each at most eta (1 + eta gamma)^(t-i) rho R times the distance 2 c b(i) eta r sqrt(iota)",
            hessian_part,
            "<=",
            eta * Gamma * rho * R * most_apart,
            Reasoned("the triangle inequality", using=("distance", "change", "same_terms")),
        ),
        fact(
            "sum_sq",
            "at most Gamma terms, each with the constant that the distance allows",
            sum_sq,
            "=",
            Gamma * (eta * per_term * M * most_apart) ** 2,
            Defined(),
        ),
        fact(
            "lemma_12",
            "Lemma 12: a martingale with squared constants V in all is at most C sqrt(V iota), with failure 2 d log(B/b) exp(-iota)",
            sampling_part,
            "<=",
            C * sp.sqrt(sum_sq * iota),
            Cited("Jin, Netrapalli, Ge, Kakade, Jordan (2021), J. ACM 68(2), Lemma C.6; Lemma 12 of the paper", using=("distance",)),
        ),
    )


def up_to_41(c: sp.Expr) -> tuple[Step, ...]:
    """Return the steps to the distance of the runs and the change of the Hessian."""
    return (
        IOTA_AT_LEAST_1,
        line(
            "distance",
            "(35) to (37): the distance of the runs is at most 2 c b eta r sqrt(iota)",
            apart,
            "<=",
            most_apart,
            "c sqrt(iota) >= 1/20",
            NonNegative(
                (
                    ("three_parts",),
                    ("noise_at_t",),
                    ("at_t",),
                    (scale * sp.sqrt(iota), "constant"),
                    (2 * sp.sqrt(2) * scale / (sp.sqrt(iota) + 1), "iota_at_least_1"),
                    (scale, 2 * sp.sqrt(2) - sp.Rational(1, 20)),
                ),
                at=("most_apart",),
            ),
            where=GIVENS,
        ),
        line(
            "change",
            "(39): on E both runs stay within R, so the change of the Hessian is at most rho R",
            Delta_norm,
            "<=",
            rho * R,
            "(38); the means of y and 1 - y are 1/2",
            NonNegative((("lipschitz",), (rho / 2, "stays"), (rho / 2, "stays_2"))),
            where=GIVENS,
        ),
        line(
            "same_terms",
            "(40): each term of the sum is the same, (1 + eta gamma)^(t-i) b(i) = b(t)",
            (1 + x) ** (t - earlier) * b_i,
            "=",
            b,
            "add the exponents",
            Substitution(("b_i", "b_frak")),
            ranges={earlier: (1, 1000), t: (earlier, 2000)},
        ),
    )


def hessian_step(c: sp.Expr, factor: str) -> Step:
    """Return the step that bounds the part of the Hessian, from the line that the factor of its sum is 1/s."""
    return line(
        "hessian_part",
        "so the part P_h of the Hessian is at most b eta r / 40 when s >= 80 c",
        hessian_part,
        "<=",
        scale / 40,
        "(40), (41)",
        NonNegative(
            (("sum_of_terms",), (scale / (40 * s), "large_s")),
            modulo=((-2 * c * scale, factor), (-eta * Gamma * rho * R, "most_apart")),
        ),
        where=GIVENS,
    )


def lemma20() -> Derivation:
    """Write out what holds of the proof."""
    factor = eta * M * sp.sqrt(Gamma) * iota
    return Derivation(
        key="gauss_psgd.lemma20",
        title="the two other parts, as far as the proof goes",
        source=f"{PAPER}, Lemma 20, (34) to (44); (34) with >=",
        spelled={**SPELLED, "P_h": hessian_part, "P_sg": sampling_part},
        facts=(
            *FIVE,
            *stays_close(c, sp.Integer(1)),
            fact("large_s", "s is large enough", s, ">=", 80 * c, Assumed()),
            fact("before", "(34) at t: its failure up to step t", p_now, "<=", 6 * d * t * log_ratio * tail, Case()),
            fact(
                "union",
                "Lemma 12 and (31) may fail at t + 1 too",
                p_next,
                "<=",
                p_now + 4 * d * log_ratio * tail + 2 * tail,
                Reasoned("union bound; (42) is taken for what Lemma 12 says"),
            ),
            fact("far", "R >= e eta r", log_ratio, ">=", 1, Assumed()),
        ),
        steps=(
            words(
                "start",
                "(34) by induction on t; at t = 0 and t = 1 the two parts are 0",
                "both runs start at the same point, so the first sampling errors agree",
                Reasoned("the coupling shares the sampling randomness"),
            ),
            *up_to_41(c),
            by_block("forty_one", "(41), with the root of iota that the text after it drops", eta * rho * R * Gamma * sp.sqrt(iota), 1 / s),
            hessian_step(c, "forty_one"),
            line(
                "two_roots",
                "what Lemma 12 gives: one root of iota from the distance, one from the lemma (constant C of the lemma apart)",
                sp.sqrt(sum_sq * iota),
                "=",
                2 * c * eta * M * sp.sqrt(Gamma) * iota * scale,
                "insert the squared constants",
                Substitution(("sum_sq", "most_apart")),
            ),
            by_block("one_root", "(42) has only one root of iota: that would be small", eta * M * sp.sqrt(Gamma * iota), 1 / sp.sqrt(s)),
            by_block("both_roots", "but with both roots of iota it is not", factor, sp.sqrt(mu)),
            line(
                "sampling_part",
                "with the step size of (5) the bound on the sampling part P_sg is this, not b eta r / 40",
                sampling_part,
                "<=",
                2 * c * C * sp.sqrt(mu) * scale,
                "Lemma 12 with both roots of iota",
                NonNegative((("lemma_12",),), modulo=((-C, "two_roots"), (-2 * c * C * scale, "both_roots"))),
                where=GIVENS,
            ),
            words(
                "stops",
                "here the printed proof stops: the bound on P_sg is too large by a factor 80 c C sqrt(mu)",
                "see printed_42 and printed_both_roots; gauss_psgd.repaired_block has a step size with which it goes through",
                Reasoned("a bound that is too large proves nothing; that the lemma is false is not shown"),
            ),
            line(
                "probabilities",
                "the probability of a failure, had (43) held: (34) at t, Lemma 12 and (31) add up to (34) at t + 1",
                p_next,
                "<=",
                6 * d * (t + 1) * log_ratio * tail,
                "d log(R/(eta r)) >= 1",
                NonNegative((("union",), ("before",), (2 * tail * log_ratio, "d >= 1"), (2 * tail, "far"))),
                where=GIVENS,
            ),
        ),
    )
