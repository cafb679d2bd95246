"""The parameter block (5) in closed form, and how a saddle is left: Lemma 1, Corollary 1, Lemma 2.

Source    Gauss-PSGD, Section 4, (5) and (6); Appendices B.1 and B.2, (29), (46) to (53).

The chain of Lemma 1 stops at (52), whose last "=" is false; what the second entry of (6) would have to be is its last step.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Derivation, Given, NonNegative, Reasoned, Step, Substitution
from bounds.gauss_psgd.proofs_block import (
    CLOSED,
    PAPER,
    SMALL_ALPHA,
    T_EFF,
    C,
    Gamma,
    M,
    Phi,
    Q,
    R,
    U,
    alpha,
    by_block,
    chain,
    chi,
    d,
    eta,
    gamma,
    iota,
    line,
    mu,
    psi,
    r,
    rho,
    s,
    words,
)
from bounds.symbols import symbols

x, b, log_ratio, p_one, p_pair, omega_0 = symbols("growth b_frak log_ratio p_one p_pair omega_0")
P_p, P_h, P_sg, p_fail, p_noise, p_rest = symbols("P_p P_h P_sg p_fail p_noise p_rest")

quarter, half = sp.Rational(1, 4), sp.Rational(1, 2)
grown_from = Given(Gamma * eta * gamma - 1, "eta Gamma gamma >= eta Gamma sqrt(rho alpha) = mu >= 1")
per_step = Given(1 - eta * gamma, "eta gamma <= eta M <= 1")
# exp of the second entry of (6), as it has to be for step 10 of the proof
NEEDED = 40 * sp.sqrt(2) * R * (rho * alpha) ** quarter / (sp.sqrt(eta) * r)
NEEDED_IN_PSI = (
    320 * sp.sqrt(2) * C ** sp.Rational(3, 8) * psi ** sp.Rational(3, 4) / (s ** sp.Rational(3, 4) * rho**quarter * sp.sqrt(eta) * r)
)
NEEDED_WITHOUT_UNITS = 40 * sp.sqrt(2) * M * sp.sqrt(alpha) / (sp.sqrt(iota * rho) * r)


def small_step(iotas: int) -> Step:
    """Return the step that M eta <= 1 for the step size with this power of iota."""
    at = {eta: sp.sqrt(rho * alpha) / (M**2 * iota**iotas)}
    return line(
        f"eta <= 1/M, which the descent lemma needs (power {iotas} of iota in eta)",
        M * eta,
        "<=",
        1,
        "sqrt(rho alpha) <= M and iota >= 1",
        NonNegative(
            ((1 - iota ** (-iotas),), (iota ** (-iotas) / M, M - sp.sqrt(rho * alpha))),
            given=(
                Given(1 - iota ** (-iotas), "iota = s mu >= 1"),
                Given(M - sp.sqrt(rho * alpha), "M >= sqrt(rho alpha), the standing assumption after Definition 2"),
            ),
            at=at,
        ),
        ranges={**SMALL_ALPHA, eta: (at[eta], at[eta])},
    )


def parameter_block() -> Derivation:
    """Write the closed forms of (5) out."""
    root = sp.sqrt(C)
    return chain(
        "parameter_block",
        "the parameters (5) in psi, s, mu, C, M, rho",
        f"{PAPER}, (5), (76)",
        by_block("the accuracy", alpha, 16 * root * s * mu**2 * psi, CLOSED),
        by_block("the error that is allowed for", chi, alpha / 4, CLOSED),
        by_block("the step size", eta, 4 * C**quarter * sp.sqrt(rho * psi) / (M**2 * s ** sp.Rational(3, 2) * mu), CLOSED),
        by_block("the length of a round", Gamma, M**2 * mu * s / (16 * root * rho * psi), CLOSED),
        by_block("the same in the accuracy", Gamma, mu * iota**2 * M**2 / (rho * alpha)),
        by_block("the growth of a round: the exponent of the escape is mu", eta * Gamma * sp.sqrt(rho * alpha), mu),
        by_block("the distance of an escape", R, 4 * C**quarter / (s * sp.sqrt(mu)) * sp.sqrt(psi / rho), CLOSED),
        by_block(
            "the decrease that is claimed for an escape",
            Phi,
            8 * C ** sp.Rational(3, 4) * psi ** sp.Rational(3, 2) / sp.sqrt(s * rho),
            CLOSED,
        ),
        by_block(
            "(76): the count of steps that decrease F", T_EFF, 8 * U * M**2 * s**4 * mu**6 / (sp.sqrt(rho) * alpha ** sp.Rational(5, 2))
        ),
        small_step(2),
    )


def lemma1() -> Derivation:
    """Write out what holds of the proof."""
    failure = 6 * d * Gamma * log_ratio * sp.exp(-iota)
    return chain(
        "lemma1",
        "leaving a saddle, as far as the proof goes",
        f"{PAPER}, Lemma 1, (29), (46) to (53)",
        words(
            "(29): assume that E, both runs stay within R for Gamma steps, has probability at least 3/4",
            "proof by contradiction",
            Reasoned("the negation of a slightly weaker claim than the lemma's"),
        ),
        by_block(
            "the first entry of (6) is (46): the factor of its logarithm",
            36 * d * Gamma,
            9 * d / (C**quarter * eta * sp.sqrt(s * rho * psi)),
        ),
        line(
            "and the distance in its inner logarithm",
            R,
            "<=",
            4 * C**quarter / s * sp.sqrt(psi / rho),
            "mu >= 1",
            NonNegative(
                ((4 * C**quarter / s * sp.sqrt(psi / rho), 1 - 1 / sp.sqrt(mu)),),
                given=(Given(1 - 1 / sp.sqrt(mu), "the fourth entry of (6)"),),
                at={R: CLOSED[R]},
            ),
            ranges={R: (CLOSED[R], CLOSED[R])},
        ),
        line(
            "(46), (47): the failure of Lemma 20",
            failure,
            "<=",
            sp.Rational(1, 6),
            "exp(-iota) <= 1 / (36 d Gamma log(R/(eta r)))",
            NonNegative(
                ((6 * d * Gamma * log_ratio, 1 / (36 * d * Gamma * log_ratio) - sp.exp(-iota)),),
                given=(Given(1 / (36 * d * Gamma * log_ratio) - sp.exp(-iota), "(46)"),),
            ),
            ranges={iota: (sp.log(36 * d * Gamma * log_ratio), 50 + sp.log(36 * d * Gamma * log_ratio))},
        ),
        line("which the paper rounds up", sp.Rational(1, 6), "<=", sp.Rational(2, 9), "numbers", NonNegative(((sp.Rational(1, 18),),))),
        line(
            "(49): with E",
            sp.Rational(3, 4) * (1 - p_fail),
            "=",
            sp.Rational(7, 12),
            "probability of an intersection, given Lemma 20",
            Substitution({p_fail: sp.Rational(2, 9)}),
        ),
        line(
            "both events hold with probability 1/4",
            1 - (1 - p_noise) - (1 - p_rest),
            "=",
            quarter,
            "union of the complements, (32) and (49)",
            Substitution({p_noise: sp.Rational(2, 3), p_rest: sp.Rational(7, 12)}),
        ),
        line(
            "with 1/6 for 2/9 it is more than 1/4, which a strict contradiction needs",
            1 - (1 - p_noise) - (1 - sp.Rational(3, 4) * (1 - p_fail)),
            ">",
            quarter,
            "7/24 > 6/24",
            NonNegative(
                ((p_noise - sp.Rational(2, 3),), (sp.Rational(3, 4), sp.Rational(1, 6) - p_fail), (sp.Rational(1, 24),)),
                given=(Given(p_noise - sp.Rational(2, 3), "(32)"), Given(sp.Rational(1, 6) - p_fail, "step 4")),
            ),
            ranges={p_noise: (0.66666667, 1), p_fail: (0, 0.16666666)},
        ),
        line(
            "(50), (51): then one of the runs is at distance b(Gamma) eta r / 40; here the letters are norms",
            half * (P_p - (P_h + P_sg)),
            ">=",
            b * eta * r / 40,
            "the larger of two is at least half of the difference",
            NonNegative(
                ((half, P_p - b * eta * r / 10), (half, b * eta * r / 20 - (P_h + P_sg))),
                given=(Given(P_p - b * eta * r / 10, "(32)"), Given(b * eta * r / 20 - (P_h + P_sg), "Lemma 20")),
            ),
            ranges={P_p: (b * eta * r / 10, b * eta * r), P_h: (0, b * eta * r / 40), P_sg: (0, b * eta * r / 40)},
        ),
        line(
            "which is, by (30): not what (52) prints, see printed_52",
            b * eta * r / 40,
            "=",
            (1 + eta * gamma) ** Gamma * sp.sqrt(eta) * r / (40 * sp.sqrt(2 * gamma)),
            "insert b(Gamma)",
            Substitution({b: (1 + eta * gamma) ** Gamma / sp.sqrt(2 * eta * gamma)}),
            ranges={Gamma: (1, 10**6)},
        ),
        line(
            "not printed but needed: it grows with gamma, here the slope of the logarithm",
            Gamma * eta / (1 + eta * gamma),
            ">=",
            1 / (2 * gamma),
            "2 Gamma eta gamma >= 2 >= 1 + eta gamma",
            NonNegative(
                (
                    (Gamma * eta * gamma - 1, 1 / (gamma * (1 + eta * gamma))),
                    (1 - eta * gamma, 1 / (2 * gamma * (1 + eta * gamma))),
                ),
                given=(grown_from, per_step),
            ),
            ranges={eta: (1 / (gamma * Gamma), 1 / gamma)},
        ),
        line(
            "so it is smallest at gamma = sqrt(rho alpha), where (1 + x)^Gamma >= 2^(x Gamma) = 2^mu",
            1 + x,
            ">=",
            2**x,
            "x = eta sqrt(rho alpha) <= 1; with equality at x = 1, where the paper has >",
            Reasoned("a convex function is below its chord from 0 to 1"),
        ),
        by_block("it reaches R when 2^mu is at least this, in psi", NEEDED, NEEDED_IN_PSI),
        by_block("the same without units", NEEDED, NEEDED_WITHOUT_UNITS),
        words(
            "here the printed proof stops: the second entry of (6) does not give that, for any s and C",
            "see printed_53, a point where it does not; gauss_psgd.repaired_block has an entry that does",
            Reasoned("the entry has the unit of the root of a length, the requirement has none"),
        ),
    )


def corollary1() -> Derivation:
    """Write the proof out."""
    return chain(
        "corollary1",
        "a single run escapes half as often as one of two",
        f"{PAPER}, Corollary 1; rests on Lemma 1",
        words("each of the two coupled runs has the law of a single run", "flipping a sign keeps a normal law", Reasoned("symmetry")),
        line(
            "P(one of two escapes) <= 2 P(one run escapes)",
            p_one,
            ">=",
            p_pair / 2,
            "union bound",
            NonNegative(((half, 2 * p_one - p_pair),), given=(Given(2 * p_one - p_pair, "union bound"),)),
            ranges={p_pair: (0, 2 * p_one)},
        ),
        line(
            "with Lemma 1",
            p_pair / 2,
            ">=",
            sp.Rational(1, 8),
            "P(one of two escapes) >= 1/4",
            NonNegative(((half, p_pair - quarter),), given=(Given(p_pair - quarter, "Lemma 1"),)),
            ranges={p_pair: (quarter, 1)},
        ),
    )


def lemma2() -> Derivation:
    """Write the proof out."""
    per_round = sp.log(sp.Rational(8, 7))
    bits = sp.log(1 / omega_0) / sp.log(2)
    nats = Given(sp.log(1 / omega_0), "omega_0 < 1")
    return chain(
        "lemma2",
        "Q independent rounds, with the logarithm to base 2",
        f"{PAPER}, Lemma 2",
        words(
            "each round fails with probability at most 7/8", "Corollary 1; the rounds are independent", Reasoned("product of probabilities")
        ),
        line(
            "so they all fail with probability at most (7/8)^Q",
            (sp.Rational(7, 8)) ** Q,
            "=",
            sp.exp(-per_round * Q),
            "take logarithms",
            Reasoned("log(7/8) = -log(8/7)"),
        ),
        line(
            "Q = (26/5) log_2(1/omega_0) is enough: log(8/7) Q against log(1/omega_0)",
            per_round * Q,
            ">=",
            sp.log(1 / omega_0),
            "(26/5) log_2(8/7) = 1.0018 >= 1",
            NonNegative(
                ((sp.log(1 / omega_0), sp.Rational(26, 5) * per_round / sp.log(2) - 1),),
                given=(nats,),
                at={Q: sp.Rational(26, 5) * bits},
            ),
            ranges={Q: (sp.Rational(26, 5) * bits, sp.Rational(26, 5) * bits)},
        ),
        line(
            "with the natural logarithm 7.49 log(1/omega_0) is enough, and 26/5 of them is not, see printed_lemma2",
            per_round * Q,
            ">=",
            sp.log(1 / omega_0),
            "7.49 log(8/7) = 1.0001 >= 1",
            NonNegative(
                ((sp.log(1 / omega_0), sp.Rational(749, 100) * per_round - 1),),
                given=(nats,),
                at={Q: sp.Rational(749, 100) * sp.log(1 / omega_0)},
            ),
            ranges={Q: (sp.Rational(749, 100) * sp.log(1 / omega_0), sp.Rational(749, 100) * sp.log(1 / omega_0))},
        ),
    )
