"""How far the coupled runs are apart at the end of a round: b(Gamma) eta r / 40, and at the smallest curvature 2^mu times a unit.

Source    Gauss-PSGD, Appendix B.1, (48) to (53), without the last inequality of (53).

The steps hold for every block with eta Gamma sqrt(rho alpha) = mu and eta <= 1/M: Lemma 1 uses them with (5), the repaired block with
its own parameters.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import GIVENS, Defined, NonNegative, Reasoned, Shown, Step, Substitution, fact, line
from bounds.gauss_psgd.escape import noise_part
from bounds.gauss_psgd.proofs_block import Gamma, M, R, alpha, eta, gamma, mu, r, rho, t
from bounds.gauss_psgd.proofs_escape import GROWTH, noise_last
from bounds.gauss_psgd.proofs_escape import b as b_t
from bounds.gauss_psgd.proofs_escape import b_Gamma as b
from bounds.symbols import Letter, introduce, symbols

x, p_noise = symbols("growth p_noise")
rest_last = introduce(
    Letter("rest_last", r"\|\mathscr{P}_h(\Gamma)+\mathscr{P}_{sg}(\Gamma)\|", "size of the others at the end of a round", 0, 1e6, "proof")
)
farther = introduce(
    Letter(
        "farther", r"\max\{\|x_\Gamma-\tilde x\|,\|x_\Gamma'-\tilde x\|\}", "larger distance of two runs from the saddle", 0, 1e6, "proof"
    )
)

AT_GAMMA, B_GAMMA = {t: Gamma, b_t: b, noise_part: noise_last}, {"b_frak": "b_Gamma"}
quarter, half = sp.Rational(1, 4), sp.Rational(1, 2)
root = sp.sqrt(rho * alpha)
PER_MU = sp.sqrt(eta) * r / (40 * sp.sqrt(2) * (rho * alpha) ** quarter)  # b(Gamma) eta r / 40 over the growth, at gamma = sqrt(rho alpha)
NEEDED = 40 * sp.sqrt(2) * R * (rho * alpha) ** quarter / (sp.sqrt(eta) * r)  # what the growth must be for a distance of R


def along_the_saddle() -> tuple[Step, ...]:
    """Return the facts on the unstable direction at t = Gamma; the lines `growth`, `small_step` and `rest` come with the block."""
    return (
        fact(
            "saddle",
            "the least eigenvalue is at most -sqrt(rho alpha)",
            gamma,
            ">=",
            root,
            Reasoned("Definition 2: that is a strict saddle"),
        ),
        fact("smooth", "F is M-smooth", gamma, "<=", M, Reasoned("no eigenvalue is beyond M")),
        fact("b_Gamma", "b(Gamma) of (30)", b, "=", GROWTH.xreplace(AT_GAMMA), Defined("(30)")),
        fact("likely", "Lemma 19 (32)", p_noise, ">=", sp.Rational(2, 3), Shown("gauss_psgd.lemma19", "likely", AT_GAMMA, B_GAMMA)),
        fact("noise", "Lemma 19 (32)", noise_last, ">=", b * eta * r / 10, Shown("gauss_psgd.lemma19", "enough_noise", AT_GAMMA, B_GAMMA)),
        fact("triangle", "(51)", farther, ">=", (noise_last - rest_last) / 2, Reasoned("triangle inequality, twice")),
        fact(
            "increasing",
            "the distance grows with gamma, so it is smallest at gamma = sqrt(rho alpha); not printed but needed",
            (1 + eta * gamma) ** Gamma / sp.sqrt(gamma),
            ">=",
            (1 + eta * root) ** Gamma / (rho * alpha) ** quarter,
            Reasoned("the slope of its logarithm is not negative between the two", using=("slope", "saddle")),
        ),
        fact(
            "doubling",
            "there (1 + x)^Gamma >= 2^(x Gamma) = 2^mu with x = eta sqrt(rho alpha)",
            (1 + eta * root) ** Gamma,
            ">=",
            2**mu,
            Reasoned("the chord, to the power Gamma", using=("chord", "growth", "grows_slowly")),
        ),
    )


def reach() -> tuple[Step, ...]:
    """Return the steps to the distance b(Gamma) eta r / 40, and from there to what it is at the smallest curvature."""
    return (
        line(
            "half",
            "(50), (51): then one of the runs is at distance b(Gamma) eta r / 40, the farther one",
            farther,
            ">=",
            b * eta * r / 40,
            "the larger of two is at least half of the difference",
            NonNegative((("triangle",), (half, "noise"), (half, "rest"))),
            where=GIVENS,
        ),
        line(
            "written_out",
            "b(Gamma) eta r / 40 is, by (30): not what (52) prints, see printed_52",
            b * eta * r / 40,
            "=",
            (1 + eta * gamma) ** Gamma * sp.sqrt(eta) * r / (40 * sp.sqrt(2 * gamma)),
            "insert b(Gamma)",
            Substitution(("b_Gamma",)),
            ranges={Gamma: (1, 10**6)},
        ),
        line(
            "long_enough",
            "a round is long enough: eta Gamma gamma >= 1",
            Gamma * eta * gamma,
            ">=",
            1,
            "eta Gamma sqrt(rho alpha) = mu >= 1",
            NonNegative(((Gamma * eta, "saddle"), ("log_factor >= 1",)), modulo=((1, "growth"),)),
            where=GIVENS,
        ),
        line(
            "grows_slowly",
            "the growth of a step is at most 1: eta gamma",
            eta * gamma,
            "<=",
            1,
            "eta gamma <= eta M <= 1",
            NonNegative(((eta, "smooth"), (M, "small_step"))),
            where=GIVENS,
        ),
        line(
            "slope",
            "not printed but needed: the distance grows with gamma, here the slope of the logarithm",
            Gamma * eta / (1 + eta * gamma),
            ">=",
            1 / (2 * gamma),
            "2 Gamma eta gamma >= 2 >= 1 + eta gamma",
            NonNegative(
                (
                    (1 / (gamma * (1 + eta * gamma)), "long_enough"),
                    (1 / (2 * gamma * (1 + eta * gamma)), "grows_slowly"),
                )
            ),
            where=GIVENS,
        ),
        line(
            "chord",
            "the growth of a step: 1 + x >= 2^x for x up to 1, with equality at x = 1, where the paper has >",
            1 + x,
            ">=",
            2**x,
            "x = eta sqrt(rho alpha) <= 1",
            Reasoned("a concave function is above its chord from 0 to 1"),
        ),
        line(
            "at_smallest",
            "the distance of the farther run is smallest at gamma = sqrt(rho alpha): at least",
            farther,
            ">=",
            2**mu * PER_MU,
            "(1 + x)^Gamma >= 2^mu",
            NonNegative(
                (
                    ("half",),
                    (sp.sqrt(eta) * r / (40 * sp.sqrt(2)), "increasing"),
                    (PER_MU, "doubling"),
                ),
                modulo=((1, "written_out"),),
            ),
            where=GIVENS,
        ),
    )
