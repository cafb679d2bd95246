"""The coupled runs at a saddle: what the difference of two runs is made of, and how large each part is (Lemmas 18, 19, 20).

Setting   two runs from the saddle with the same noise but for its sign along the lowest eigenvector; x_hat_t is their difference,
          a(t)^2 = sum over i <= t of (1 + eta gamma)^(2(t-i)), b(t) = (1 + eta gamma)^t / sqrt(2 eta gamma).
Source    Gauss-PSGD, Appendix B.1, (21) to (45).

The chain of Lemma 20 stops at (42), which drops a root of iota. The repaired step is in `proofs_repaired`.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Cited, Derivation, Given, Identity, NonNegative, Reasoned, Substitution
from bounds.gauss_psgd.proofs_block import PAPER, Gamma, M, R, by_block, c, chain, d, eta, iota, line, mu, r, rho, s, words
from bounds.symbols import symbols

h, x_hat, Delta_x, zeta_hat, xi_hat, P_h, P_sg, P_p = symbols("eigenvalue x_hat Delta_x zeta_hat xi_hat P_h P_sg P_p")
x, grown, t, a_sq, b, log_ratio, away, away_2, sum_sq = symbols("growth grown steps_taken a_t_sq b_frak log_ratio away away_2 sum_sq")

FEW_STEPS = {t: (1, 1000)}  # powers of (1 + x) with more than this many steps differ by nothing but size
squared = (1 + x) ** (2 * t)
SUM_OF_SQUARES = (squared - 1) / (2 * x + x**2)
BOUND_OF_SUM = squared / (2 * x)
enough_noise = Given(c * sp.sqrt(iota) - sp.Rational(1, 20), "c sqrt(iota) >= 1/20")


def lemma18() -> Derivation:
    """Write the proof out."""
    return chain(
        "lemma18",
        "the difference of two coupled runs is the sum of three parts",
        f"{PAPER}, Lemma 18, (21) to (28)",
        words(
            "(21), (25): grad F(x) - grad F(x') = (H + Delta) (x - x'), Delta the mean of the Hessian on the segment minus H",
            "the gradient is the integral of the Hessian",
            Reasoned("fundamental theorem of calculus"),
        ),
        line(
            "(24) to (26), a coordinate along an eigenvector of H: the linear part separates",
            x_hat - eta * (h * x_hat + Delta_x + zeta_hat + xi_hat),
            "=",
            (1 - eta * h) * x_hat - eta * (Delta_x + zeta_hat + xi_hat),
            "collect",
            Identity(),
        ),
        words(
            "(22): P(t + 1) = (1 - eta h) P(t) + eta (new term), for each of the three sums",
            "the last term of the sum has the power 0",
            Reasoned("peel off the term i = t + 1"),
        ),
        line(
            "(27), (28): the claim passes from t to t + 1",
            (1 - eta * h) * x_hat - eta * (Delta_x + zeta_hat + xi_hat),
            "=",
            -((1 - eta * h) * P_h + eta * Delta_x) - ((1 - eta * h) * P_sg + eta * zeta_hat) - ((1 - eta * h) * P_p + eta * xi_hat),
            "insert x_hat_t = -P_h - P_sg - P_p",
            Substitution({x_hat: -P_h - P_sg - P_p}),
        ),
        words("it holds at t = 0: both runs start at the saddle, and the sums are empty", "x_hat_0 = 0", Reasoned("induction")),
    )


def lemma19() -> Derivation:
    """Write the proof out."""
    given = (
        Given(grown - 4, "(1 + x)^(2 Gamma) >= (1 + Gamma x)^2 >= 4"),
        Given(1 - x, "eta gamma <= eta M <= 1"),
        Given(1 / (grown - 1), "(1 + x)^(2 Gamma) >= 4"),
    )
    return chain(
        "lemma19",
        "size of the part that the added noise makes",
        f"{PAPER}, Lemma 19, (30) to (32); (32) at t = Gamma only",
        line(
            "a(t)^2 is a geometric sum: the closed form passes from t to t + 1, where x = eta gamma",
            (1 + x) ** 2 * SUM_OF_SQUARES + 1,
            "=",
            (squared * (1 + x) ** 2 - 1) / (2 * x + x**2),
            "a(t + 1)^2 = (1 + x)^2 a(t)^2 + 1",
            Identity(),
            ranges=FEW_STEPS,
        ),
        line("and it starts at a(1)^2 = 1", ((1 + x) ** 2 - 1) / (2 * x + x**2), "=", 1, "t = 1", Identity()),
        line(
            "a(t)^2 <= b(t)^2",
            SUM_OF_SQUARES,
            "<=",
            BOUND_OF_SUM,
            "common denominator",
            NonNegative(((squared, 1 / (2 * (2 + x))), (1 / (x * (2 + x)),))),
            ranges=FEW_STEPS,
        ),
        words(
            "xi_hat_i = 2 (v' xi_i) v, so P_p(t) is normal along v, with variance 4 eta^2 r^2 a(t)^2",
            "the coupling flips the sign along v only; the growth along v is 1 + eta gamma",
            Reasoned("a sum of independent normal variables"),
        ),
        line(
            "a normal tail: P(|Z| >= z) <= exp(-z^2/2), here with z = c sqrt(iota) / 2",
            sp.erfc(c * sp.sqrt(iota) / (2 * sp.sqrt(2))),
            "<=",
            sp.exp(-(c**2) * iota / 8),
            "P(|Z| >= z) <= P(Z^2 + Z'^2 >= z^2) for an independent standard normal Z'",
            Reasoned("a set is contained in another"),
            ranges={c: (sp.Rational(1, 10), 10), iota: (1, 100)},
        ),
        line(
            "(31): with c >= 2 sqrt(2) the exponent is at least iota; a(t) <= b(t) does the rest",
            c**2 * iota / 8,
            ">=",
            iota,
            "c^2 >= 8",
            NonNegative(
                ((iota / 8, c - 2 * sp.sqrt(2), c + 2 * sp.sqrt(2)),),
                given=(Given(c - 2 * sp.sqrt(2), "c >= 2 sqrt(2), which the paper does not say"),),
            ),
            ranges={c: (2.8284272, 1000)},
        ),
        line(
            "(32) at t = Gamma: b(Gamma)^2 / a(Gamma)^2",
            grown / (2 * x) * (2 * x + x**2) / (grown - 1),
            "=",
            (1 + x / 2) / (1 - 1 / grown),
            "insert both",
            Identity(),
            ranges={grown: (2, 1e30)},
        ),
        line(
            "(1 + x)^Gamma >= 1 + Gamma x, which is at least 2",
            (1 + x) ** Gamma,
            ">=",
            1 + Gamma * x,
            "Bernoulli's inequality, Gamma >= 1",
            Reasoned("a convex function is above its tangent"),
            ranges={Gamma: (1, 10**6)},
        ),
        line(
            "so the ratio is at most 2",
            (1 + x / 2) / (1 - 1 / grown),
            "<=",
            2,
            "(1 + x)^(2 Gamma) >= 4",
            NonNegative(((sp.Rational(1, 2), grown - 4, 1 / (grown - 1)), (grown / 2, 1 - x, 1 / (grown - 1))), given=given),
            ranges={grown: (4, 1e30)},
        ),
        line(
            "hence P(|P_p| >= b eta r / 10) >= P(|Z| >= sqrt(2)/20); a density is at most 1/sqrt(2 pi)",
            sp.erfc(sp.Rational(1, 20)),
            ">=",
            1 - 1 / (10 * sp.sqrt(sp.pi)),
            "b eta r / 10 over 2 eta r a is at most sqrt(2)/20",
            Reasoned("P(|Z| < z) <= 2 z / sqrt(2 pi)"),
        ),
        line(
            "which is at least 2/3",
            1 - 1 / (10 * sp.sqrt(sp.pi)),
            ">=",
            sp.Rational(2, 3),
            "a number",
            NonNegative(((sp.Rational(1, 3) - 1 / (10 * sp.sqrt(sp.pi)),),)),
        ),
    )


def lemma20() -> Derivation:
    """Write out what holds of the proof."""
    scale = b * eta * r
    return chain(
        "lemma20",
        "the two other parts, as far as the proof goes",
        f"{PAPER}, Lemma 20, (34) to (44); (34) with >=",
        words(
            "(34) by induction on t; at t = 0 and t = 1 the two parts are 0",
            "both runs start at the same point, so the first sampling errors agree",
            Reasoned("the coupling shares the sampling randomness"),
        ),
        line(
            "(35) to (37): the difference is at most 2 c b eta r sqrt(iota)",
            scale / 20 + c * scale * sp.sqrt(iota),
            "<=",
            2 * c * scale * sp.sqrt(iota),
            "c sqrt(iota) >= 1/20",
            NonNegative(((scale, c * sp.sqrt(iota) - sp.Rational(1, 20)),), given=(enough_noise,)),
            ranges={c: (sp.Rational(1, 20), 1000)},
        ),
        words(
            "(38) with the missing -H: Delta is the mean over y in [0, 1] of the Hessian at y x + (1 - y) x', minus that at the saddle",
            "the Hessian is rho-Lipschitz",
            Reasoned("the norm of a mean is at most the mean of the norms"),
        ),
        line(
            "(39): on E both runs stay within R; the means of y and 1 - y are 1/2",
            rho * (away / 2 + away_2 / 2),
            "<=",
            rho * R,
            "triangle inequality",
            NonNegative(
                ((rho / 2, R - away), (rho / 2, R - away_2)),
                given=(Given(R - away, "the event E"), Given(R - away_2, "the event E")),
            ),
        ),
        line(
            "(40): each term of the sum is the same, (1 + x)^(t-i) b(i) = b(t)",
            (1 + x) ** (Gamma - t) * (1 + x) ** t / sp.sqrt(2 * x),
            "=",
            (1 + x) ** Gamma / sp.sqrt(2 * x),
            "add the exponents",
            Identity(),
            ranges={Gamma: (t, 2000), **FEW_STEPS},
        ),
        by_block("(41), with the root of iota that the text after it drops", eta * rho * R * Gamma * sp.sqrt(iota), 1 / s),
        line(
            "so P_h(t + 1) is at most b eta r / 40 when s >= 80 c",
            2 * c / s * scale,
            "<=",
            scale / 40,
            "s >= 80 c",
            NonNegative(((scale / (40 * s), s - 80 * c),), given=(Given(s - 80 * c, "s is large enough"),)),
            ranges={s: (80 * c, 10**6 * c)},
        ),
        words(
            "Lemma 12: a martingale with squared constants V in all is at most C sqrt(V iota), with failure 2 d log(B/b) exp(-iota)",
            "concentration of norm-subGaussian martingales",
            Cited("Jin, Netrapalli, Ge, Kakade, Jordan (2021), J. ACM 68(2), Lemma C.6; Lemma 12 of the paper"),
        ),
        line(
            "what it gives for P_sg: one root of iota from the difference, one from the lemma (constant C of the lemma apart)",
            sp.sqrt(sum_sq * iota),
            "=",
            2 * c * eta * M * sp.sqrt(Gamma) * iota * scale,
            "at most Gamma terms, each with the constant eta M 2 c b eta r sqrt(iota)",
            Substitution({sum_sq: Gamma * (eta * M * 2 * c * scale * sp.sqrt(iota)) ** 2}),
        ),
        by_block("(42) has only one: that would be small", eta * M * sp.sqrt(Gamma * iota), 1 / sp.sqrt(s)),
        by_block("but with both it is not", eta * M * sp.sqrt(Gamma) * iota, sp.sqrt(mu)),
        words(
            "here the printed proof stops: with the step size of (5) the bound on P_sg is 2 c C sqrt(mu) b eta r, not b eta r / 40",
            "see printed_42 and printed_43; gauss_psgd.repaired_block has a step size with which it goes through",
            Reasoned("a bound that is too large proves nothing; that the lemma is false is not shown"),
        ),
        line(
            "the probabilities, had (43) held: (34) at t, Lemma 12 and (31) add up to (34) at t + 1",
            (6 * d * t * log_ratio + 4 * d * log_ratio + 2) * sp.exp(-iota),
            "<=",
            6 * d * (t + 1) * log_ratio * sp.exp(-iota),
            "d log(R/(eta r)) >= 1",
            NonNegative(((2 * sp.exp(-iota), d * log_ratio - 1),), given=(Given(d * log_ratio - 1, "R >= e eta r"),)),
        ),
    )
