"""The parameter block (5) in closed form, and how a saddle is left: Lemma 1.

Source    Gauss-PSGD, Section 4, (5) and (6); Appendix B.1, (29), (46) to (53).

The chain of Lemma 1 stops at (52), whose last "=" is false; what the second entry of (6) would have to be is its last step.
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
    fact,
    line,
    words,
)
from bounds.gauss_psgd.proofs_block import (
    FIVE,
    INNER,
    IOTA_AT_LEAST_1,
    MU_ENTRIES,
    PAPER,
    SPELLED,
    STANDING,
    T_EFF,
    C,
    Gamma,
    M,
    Phi,
    R,
    U,
    above_one,
    alpha,
    by_block,
    chi,
    d,
    eta,
    iota,
    mu,
    psi,
    r,
    rho,
    s,
)
from bounds.gauss_psgd.proofs_growth import NEEDED, PER_MU, along_the_saddle, b, farther, reach, rest_last, root
from bounds.inequalities import Instance
from bounds.symbols import Letter, introduce, symbols

log_ratio, p_fail, p_noise, p_rest = symbols("log_ratio p_fail p_noise p_rest")
log_six = introduce(Letter("log_six", r"\Lambda_6", "inner logarithm of the first entry of (6)", 1e-3, 100, "proof"))
p_both = introduce(Letter("p_both", r"\mathbb{P}(\text{both})", "probability of a large noise and a small rest", 0, 1, "probability"))

BLOCK_PROOF = "gauss_psgd.parameter_block"
quarter, half = sp.Rational(1, 4), sp.Rational(1, 2)
RADIUS = 4 * C**quarter / (s * sp.sqrt(mu)) * sp.sqrt(psi / rho)
# exp of the second entry of (6), as it has to be for the last step of Lemma 1
NEEDED_IN_PSI = (
    320 * sp.sqrt(2) * C ** sp.Rational(3, 8) * psi ** sp.Rational(3, 4) / (s ** sp.Rational(3, 4) * rho**quarter * sp.sqrt(eta) * r)
)
NEEDED_WITHOUT_UNITS = 40 * sp.sqrt(2) * M * sp.sqrt(alpha) / (sp.sqrt(iota * rho) * r)


def parameter_block() -> Derivation:
    """Write the closed forms of (5) out."""
    roots = sp.sqrt(C)
    decrease = 8 * C ** sp.Rational(3, 4) * psi ** sp.Rational(3, 2) / sp.sqrt(s * rho)
    step = 4 * C**quarter * sp.sqrt(rho * psi) / (M**2 * s ** sp.Rational(3, 2) * mu)
    count = 8 * U * M**2 * s**4 * mu**6 / (sp.sqrt(rho) * alpha ** sp.Rational(5, 2))
    return Derivation(
        key="gauss_psgd.parameter_block",
        title="the parameters (5) in psi, s, mu, C, M, rho",
        source=f"{PAPER}, (5), (76)",
        spelled=SPELLED,
        facts=(*FIVE, STANDING),
        steps=(
            by_block("accuracy_in_psi", "the accuracy alpha", alpha, 16 * roots * s * mu**2 * psi),
            by_block("chi_of_alpha", "the error chi that is allowed for", chi, alpha / 4),
            by_block("eta_in_psi", "the step size eta", eta, step),
            by_block("Gamma_in_psi", "the length Gamma of a round", Gamma, M**2 * mu * s / (16 * roots * rho * psi)),
            by_block("Gamma_of_alpha", "the same in the accuracy: Gamma", Gamma, mu * iota**2 * M**2 / (rho * alpha)),
            by_block("growth", "the growth of a round Gamma: the exponent of the escape is mu", eta * Gamma * root, mu),
            by_block("radius_in_psi", "the distance R of an escape", R, RADIUS),
            by_block("decrease_in_psi", "the decrease Phi that is claimed for an escape", Phi, decrease),
            by_block("steps_in_alpha", "(76): the count of steps that decrease F, in the accuracy", T_EFF, count),
            IOTA_AT_LEAST_1,
            line(
                "small_step",
                "eta <= 1/M, which the descent lemma needs",
                eta,
                "<=",
                1 / M,
                "sqrt(rho alpha) <= M and iota >= 1",
                NonNegative(
                    (((iota + 1) / (M * iota**2), "iota_at_least_1"), (rho / (M**2 * iota**2 * (M + root)), "standing")), at=("eta",)
                ),
                where=GIVENS,
            ),
        ),
    )


def lemma1() -> Derivation:
    """Write out what holds of the proof."""
    return Derivation(
        key="gauss_psgd.lemma1",
        title="leaving a saddle, as far as the proof goes",
        source=f"{PAPER}, Lemma 1, (29), (46) to (53)",
        spelled=SPELLED,
        facts=(*FIVE, STANDING, *_of_the_events(), *along_the_saddle(), *_of_the_parts()),
        steps=(
            words(
                "contradiction",
                "(29): assume that E, both runs stay within R for Gamma steps, has probability at least 3/4",
                "proof by contradiction",
                Reasoned("the negation of a slightly weaker claim than the lemma's"),
            ),
            *_failure(),
            *_both(),
            *reach(),
            by_block("needed_in_psi", "it reaches R when 2^mu is at least this, in psi", NEEDED, NEEDED_IN_PSI),
            by_block("needed", "the same without units: what R needs", NEEDED, NEEDED_WITHOUT_UNITS),
            words(
                "stops",
                "here the printed proof stops: the second entry of (6) does not give that, for any s and C",
                "see printed_53, a point where it does not; gauss_psgd.repaired_block has an entry that does",
                Reasoned("the entry has the unit of the root of a length, the requirement has none"),
            ),
            line(
                "escapes",
                "where 2^mu is at least that, the run that is farther away is at least at R",
                farther,
                ">=",
                R,
                "2^mu is large enough",
                NonNegative((("at_smallest",), (PER_MU, "enough"))),
                where=GIVENS,
            ),
        ),
    )


def _of_the_events() -> tuple[Step, ...]:
    """Return what Lemma 1 takes about probabilities."""
    tail = sp.exp(-iota)
    return (
        fact("log_ratio", "the inner logarithm of (46)", log_ratio, "=", sp.log(R / (eta * r)), Defined("(46)", signs=("far",))),
        fact("log_six", "the inner logarithm of the first entry of (6)", log_six, "=", INNER, Defined("(6)", signs=("far_six",))),
        fact("far", "R is further than a step of noise, as the logarithm of (46) needs", R / (eta * r), ">", 1, Assumed()),
        fact("first_entry", "the first entry of (6)", mu, ">=", MU_ENTRIES[0].xreplace({INNER: log_six}), Assumed()),
        fact(
            "lemma_20",
            "Lemma 20, whose printed proof stops before it",
            p_fail,
            "<=",
            6 * d * Gamma * log_ratio * tail,
            Cited("Lemma 20 (33) of the paper; gauss_psgd.lemma20 goes as far as its proof"),
        ),
        fact("intersection", "(29), Lemma 20 given E", p_rest, ">=", sp.Rational(3, 4) * (1 - p_fail), Reasoned("an intersection")),
        fact("union", "the complements of (32) and (49)", p_both, ">=", 1 - (1 - p_noise) - (1 - p_rest), Reasoned("union bound")),
    )


def _of_the_parts() -> tuple[Step, ...]:
    """Return what Lemma 1 takes about the three parts at t = Gamma."""
    return (
        fact(
            "radius_in_psi",
            "R by (5)",
            R,
            "=",
            4 * C**quarter / (s * sp.sqrt(mu)) * sp.sqrt(psi / rho),
            Shown(BLOCK_PROOF, "radius_in_psi"),
        ),
        fact("growth", "the exponent of the growth is mu by (5)", eta * Gamma * root, "=", mu, Shown(BLOCK_PROOF, "growth")),
        fact("small_step", "eta <= 1/M by (5)", eta, "<=", 1 / M, Shown(BLOCK_PROOF, "small_step")),
        fact("rest", "(50): the event of Lemma 20", rest_last, "<=", b * eta * r / 20, Cited("Lemma 20 (33) of the paper, as above")),
        fact("enough", "what the second entry of (6) would have to say", 2**mu, ">=", NEEDED, Case()),
    )


def _failure() -> tuple[Step, ...]:
    """Return the steps to (47)."""
    factor = 9 * d / (C**quarter * eta * sp.sqrt(s * rho * psi))
    return (
        by_block("first_factor", "the first entry of (6) is (46): the factor of its logarithm, in Gamma", 36 * d * Gamma, factor),
        above_one(
            "far_six",
            "the argument of the inner logarithm of (6), in psi and rho",
            INNER.args[0],
            "R times the root of mu is the distance in it",
            (sp.sqrt(mu), "far"),
            (1 / (sp.sqrt(mu) + 1), "log_factor >= 1"),
            at=("radius_in_psi",),
        ),
        line(
            "inner_logarithm",
            "and its inner logarithm is at least log(R/(eta r))",
            log_ratio,
            "<=",
            log_six,
            "R times the root of mu is the distance in it, and mu >= 1",
            NonNegative(
                ((half, Instance("exponential", -sp.log(mu))), (1 / (2 * mu), "log_factor >= 1")),
                at=("radius_in_psi",),
                modulo=((1, "log_six"), (-1, "log_ratio")),
            ),
            where=GIVENS,
        ),
        line(
            "forty_six",
            "(46): iota is large enough",
            sp.exp(-iota),
            "<=",
            1 / (36 * d * Gamma * log_ratio),
            "the first entry of (6)",
            NonNegative(
                (
                    (1 / (factor * log_six), Instance("decay", (s, "first_entry"))),
                    (1 / (36 * d * Gamma * log_ratio * log_six), "inner_logarithm"),
                ),
                at=("iota",),
                modulo=((-1 / (36 * d * Gamma * factor * log_six), "first_factor"),),
            ),
            where=GIVENS,
        ),
        line(
            "failure",
            "(46), (47): the failure of Lemma 20",
            p_fail,
            "<=",
            sp.Rational(1, 6),
            "exp(-iota) <= 1 / (36 d Gamma log(R/(eta r)))",
            NonNegative((("lemma_20",), (6 * d * Gamma * log_ratio, "forty_six"))),
            where=GIVENS,
        ),
        line(
            "rounded_up",
            "which the paper rounds up: the failure",
            p_fail,
            "<=",
            sp.Rational(2, 9),
            "1/6 <= 2/9",
            NonNegative((("failure",), (sp.Rational(1, 18),))),
            where=GIVENS,
        ),
    )


def _both() -> tuple[Step, ...]:
    """Return the steps to the probability that the noise is large and the rest small."""
    strict = ((sp.Rational(3, 4), "failure"), ("likely",), (sp.Rational(1, 24),))
    return (
        line(
            "forty_nine",
            "(49): with E, the others are small",
            p_rest,
            ">=",
            sp.Rational(7, 12),
            "probability of an intersection, given Lemma 20",
            NonNegative((("intersection",), (sp.Rational(3, 4), "rounded_up"))),
            where=GIVENS,
        ),
        line(
            "both",
            "both events hold with probability 1/4: the noise is large and the rest is small",
            p_both,
            ">=",
            quarter,
            "union of the complements, (32) and (49)",
            NonNegative((("union",), ("likely",), ("forty_nine",))),
            where=GIVENS,
        ),
        line(
            "strict",
            "with 1/6 for 2/9 the probability of both is more than 1/4, which a strict contradiction needs",
            p_both,
            ">",
            quarter,
            "7/24 > 6/24",
            NonNegative((("union",), ("intersection",), *strict)),
            where=GIVENS,
        ),
    )
