"""The two other parts of the difference of the coupled runs, which the Hessian and sampling make: Lemma 20, as far as its proof goes.

Source    Gauss-PSGD, Lemma 20, Appendix B.1, (33) to (45).

The chain stops at (42), which drops a root of iota. The repaired step is in `repaired_block`.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd import paper
from bounds.gauss_psgd.lemma18 import GROWTH, growth_at_t, noise_part, scale, x
from bounds.gauss_psgd.paper import by_block, letters, proved, stated
from bounds.lines import Reasoned, Step, line
from bounds.symbols import introduce
from bounds.theorem import Part

away, away_2, b_frak, c, C, d, eta, Gamma, iota, log_ratio, M, mu, r = letters("away away_2 b_frak c C d eta Gamma iota log_ratio M mu r")
R, rho, s, sum_sq, t = letters("R rho s sum_sq t")

LEMMA_20 = stated(
    "Lemma 20 (curvature and sampling parts)",
    "(33)",
    measure="||P_h(t) + P_sg(t)||",
    assumptions=(*paper.ASSUMPTION_1, *paper.ORACLE, "both runs stay within the radius up to step Gamma"),
    **paper.AT_BLOCK,
    bound=GROWTH * eta * r / 20,
    parts=(Part("failure", "probability of the contrary", "<=", 6 * d * Gamma * sp.log(R / (eta * r)) * sp.exp(-iota)),),
    conditions=(paper.STANDING, paper.HESSIAN_PART_SMALL, paper.SAMPLING_PART_SMALL),
    notes=(
        "conditions on a future event; the bad events should be intersected instead",
        "with the printed eta, (42) does not follow from Lemma 12, whatever s is: eta ell sqrt(Gamma) iota = sqrt(log_factor)",
    ),
)


def size(name: str, latex: str, text: str) -> sp.Symbol:
    """Return the letter for a length."""
    return introduce(name, latex, text, 0, 1e6, "proof", changes=True)


rest_part = size("rest_part", r"\|\mathscr{P}_h(t)+\mathscr{P}_{sg}(t)\|", "size of the two other parts of the difference together")
hessian_part = size("hessian_part", r"\|\mathscr{P}_h(t)\|", "size of the part that the change of the Hessian makes")
sampling_part = size("sampling_part", r"\|\mathscr{P}_{sg}(t)\|", "size of the part that sampling makes")
apart = size("apart", r"\|\hat x_t\|", "distance of the coupled iterates")
most_apart = introduce("most_apart", r"\max\|\hat x_t\|", "largest distance of the coupled iterates", 1e-9, 1e9, "proof")
Delta_norm = introduce("Delta_norm", r"\|\Delta_t\|", "size of the change of the Hessian", 0, 1e6, "proof")
b_i = introduce("b_i", r"\mathfrak{b}(i)", "(1 + eta gamma)^i over the root of 2 eta gamma", 1e-3, 1e30, "proof")
earlier = introduce("earlier", "i", "a step before step t", 0, 1e9, "proof", changes=True)
p_now = introduce("p_up_to", r"p_t", "probability that the claim (34) fails up to step t", 0, 1, "probability", changes=True)
p_next = introduce("p_up_to_next", r"p_{t+1}", "probability that the claim (34) fails up to step t + 1", 0, 1, "probability", changes=True)
tail = sp.exp(-iota)


def stays_close(constant: sp.Expr, per_term: sp.Expr) -> tuple[Step, ...]:
    """Return the facts about runs that stay within R: their distance, the sum of the Hessian's part, the lemma for the sampling part.

    `constant` is that of (31), `per_term` the norm-subGaussian constant of a sampling error over M ||x_hat||. Parts are at t or t + 1.
    """
    hypothesis, on_the_event = Reasoned("the induction hypothesis"), Reasoned("on the event E")
    return (
        growth_at_t,
        line("constant", constant, ">=", 2 * sp.sqrt(2)).says("c >= 2 sqrt(2), which the paper does not say").assumed(),
        line("noise_at_t", noise_part, "<=", constant * scale * sp.sqrt(iota))
        .says("Lemma 19 (31)")
        .shown("gauss_psgd.lemma19", "size", {c: constant}),
        line("at_t", rest_part, "<=", scale / 20).says("(34) at t").certified(hypothesis),
        line("three_parts", apart, "<=", noise_part + rest_part)
        .says("x_hat is the sum of the three parts")
        .reasoned("the triangle inequality on Lemma 18 (22)"),
        line("most_apart", most_apart, "=", 2 * constant * scale * sp.sqrt(iota)).says("(37): what the distance is at most").defined(),
        line("stays", away, "<=", R).says("the first run stays within R").certified(on_the_event),
        line("stays_2", away_2, "<=", R).says("the coupled run does too").certified(on_the_event),
        line("lipschitz", Delta_norm, "<=", rho * (away / 2 + away_2 / 2))
        .says("(38) with the missing -H: Delta is the mean over y in [0, 1] of the Hessian at y x + (1 - y) x', minus that at the saddle")
        .reasoned("the Hessian is rho-Lipschitz; the norm of a mean is at most the mean of the norms, and y and 1 - y are 1/2 on average"),
        line("b_i", b_i, "=", (1 + x) ** earlier / sp.sqrt(2 * x)).says("b(i) of (30)").defined("(30)"),
        line("sum_of_terms", hessian_part, "<=", eta * Gamma * rho * R * most_apart)
        .says("(40): at most Gamma terms, each at most eta (1 + eta gamma)^(t-i) rho R times the distance 2 c b(i) eta r sqrt(iota)")
        .reasoned("the triangle inequality", using=("distance", "change", "same_terms")),
        line("sum_sq", sum_sq, "=", Gamma * (eta * per_term * M * most_apart) ** 2)
        .says("at most Gamma terms, each with the constant that the distance allows")
        .defined(),
        line("lemma_12", sampling_part, "<=", C * sp.sqrt(sum_sq * iota))
        .says("Lemma 12: a martingale with squared constants V in all is at most C sqrt(V iota), with failure 2 d log(B/b) exp(-iota)")
        .cited("Jin, Netrapalli, Ge, Kakade, Jordan (2021), J. ACM 68(2), Lemma C.6; Lemma 12 of the paper", using=("distance",)),
    )


def distance_and_change(c: sp.Expr) -> tuple[Step, ...]:
    """Return the steps to the distance of the runs and the change of the Hessian."""
    return (
        paper.IOTA_AT_LEAST_1,
        line("distance", apart, "<=", most_apart)
        .says("(35) to (37): the distance of the runs is at most 2 c b eta r sqrt(iota)", "c sqrt(iota) >= 1/20")
        .by(
            "three_parts",
            "noise_at_t",
            "at_t",
            (scale * sp.sqrt(iota), "constant"),
            (2 * sp.sqrt(2) * scale / (sp.sqrt(iota) + 1), "iota_at_least_1"),
            (scale, 2 * sp.sqrt(2) - sp.Rational(1, 20)),
            at=("most_apart",),
        ),
        line("change", Delta_norm, "<=", rho * R)
        .says("(39): on E both runs stay within R, so the change of the Hessian is at most rho R", "(38); the means of y and 1 - y are 1/2")
        .by("lipschitz", (rho / 2, "stays"), (rho / 2, "stays_2")),
        line("same_terms", (1 + x) ** (t - earlier) * b_i, "=", b_frak)
        .says("(40): each term of the sum is the same, (1 + eta gamma)^(t-i) b(i) = b(t)", "add the exponents")
        .inserting("b_i", "b_frak")
        .within({earlier: (1, 1000), t: (earlier, 2000)}),
    )


def hessian_step(c: sp.Expr, factor: str) -> Step:
    """Return the step that bounds the part of the Hessian, from the line that the factor of its sum is 1/s."""
    return (
        line("hessian_part", hessian_part, "<=", scale / 40)
        .says("so the part P_h of the Hessian is at most b eta r / 40 when s >= 80 c", "(40), (41)")
        .by("sum_of_terms", (scale / (40 * s), "large_s"), modulo=((-2 * c * scale, factor), (-eta * Gamma * rho * R, "most_apart")))
    )


def lemma20() -> Derivation:
    """Induction over t up to (42), which drops a root of iota; what both roots give is too large."""
    factor = eta * M * sp.sqrt(Gamma) * iota
    return proved(
        "lemma20",
        "the two other parts, as far as the proof goes",
        "Lemma 20, (34) to (44); (34) with >=",
        spelled={"P_h": hessian_part, "P_sg": sampling_part},
        facts=(
            *paper.PRINTED_LINES,
            *stays_close(c, sp.Integer(1)),
            line("large_s", s, ">=", 80 * c).says("s is large enough").assumed(),
            line("before", p_now, "<=", 6 * d * t * log_ratio * tail).says("(34) at t: its failure up to step t").case(),
            line("union", p_next, "<=", p_now + 4 * d * log_ratio * tail + 2 * tail)
            .says("Lemma 12 and (31) may fail at t + 1 too")
            .reasoned("union bound; (42) is taken for what Lemma 12 says"),
            line("far", log_ratio, ">=", 1).says("R >= e eta r").assumed(),
        ),
        steps=(
            line("start")
            .says("(34) by induction on t; at t = 0 and t = 1 the two parts are 0")
            .because("both runs start at the same point, so the first sampling errors agree")
            .reasoned("the coupling shares the sampling randomness"),
            *distance_and_change(c),
            by_block("factor_h", "(41), with the root of iota that the text after it drops", eta * rho * R * Gamma * sp.sqrt(iota), 1 / s),
            hessian_step(c, "factor_h"),
            line("two_roots", sp.sqrt(sum_sq * iota), "=", 2 * c * eta * M * sp.sqrt(Gamma) * iota * scale)
            .says("what Lemma 12 gives: one root of iota from the distance, one from the lemma (constant C of the lemma apart)")
            .because("insert the squared constants")
            .inserting("sum_sq", "most_apart"),
            by_block("one_root", "(42) has only one root of iota: that would be small", eta * M * sp.sqrt(Gamma * iota), 1 / sp.sqrt(s)),
            by_block("both_roots", "but with both roots of iota it is not", factor, sp.sqrt(mu)),
            line("sampling_part", sampling_part, "<=", 2 * c * C * sp.sqrt(mu) * scale)
            .says("with the step size of (5) the bound on the sampling part P_sg is this, not b eta r / 40")
            .because("Lemma 12 with both roots of iota")
            .by("lemma_12", modulo=((-C, "two_roots"), (-2 * c * C * scale, "both_roots"))),
            line("stops")
            .says("here the printed proof stops: the bound on P_sg is too large by a factor 80 c C sqrt(mu)")
            .because("see printed_42 and printed_both_roots; gauss_psgd.repaired_block has a step size with which it goes through")
            .reasoned("a bound that is too large proves nothing; that the lemma is false is not shown"),
            line("probabilities", p_next, "<=", 6 * d * (t + 1) * log_ratio * tail)
            .says("the probability of a failure, had (43) held: (34) at t, Lemma 12 and (31) add up to (34) at t + 1")
            .because("d log(R/(eta r)) >= 1")
            .by("union", "before", (2 * tail * log_ratio, "d >= 1"), (2 * tail, "far")),
        ),
    )
