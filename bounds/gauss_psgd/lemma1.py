"""How a saddle is left: Lemma 1, Corollary 1, Lemma 2.

Setting   two runs of x_t = x_{t-1} - eta (grad F(x_{t-1}) + nu_t) from the same saddle, their noise mirrored along the eigenvector of
          the least eigenvalue -gamma of the Hessian there (Definition 5).
Measure   the probability that neither leaves a ball of radius R within Gamma steps; that none of Q rounds does.
Source    Gauss-PSGD, Lemma 1, Corollary 1, Lemma 2; (5), (6); Appendices B.1, (29), (46) to (53), and B.2.

Lemma 1 as printed is false: (52) loses sqrt(gamma / r), so that the second entry of (6) depends on the unit of length. The chain stops
there; what the second entry would have to be is its last step. `ALONG_THE_SADDLE` and `REACH` hold for every block with
eta Gamma sqrt(rho alpha) = mu and eta <= 1/M: Lemma 1 uses them with (5), the repaired block with its own parameters.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd import paper
from bounds.gauss_psgd.lemmas_18_to_20 import GROWTH, b_Gamma, noise_last, noise_part
from bounds.gauss_psgd.meanings import BELOW_ONE
from bounds.gauss_psgd.paper import by_block, half, letters, power, proved, quarter, root, stated, tail
from bounds.inequalities import Instance
from bounds.lines import Step, line
from bounds.pages import chance
from bounds.symbols import introduce
from bounds.theorem import Condition, Part

alpha, b_frak, C, d, escapes, eta, Gamma, gamma, iota, log_ratio, M = letters("alpha b_frak C d escapes eta Gamma gamma iota log_ratio M")
mu, omega, omega_0, p_fail, p_noise, p_one, p_pair, p_rest, psi, Q = letters("mu omega omega_0 p_fail p_noise p_one p_pair p_rest psi Q")
r, R, rho, s, t, x = letters("r R rho s t growth")

ALL_FAIL = sp.Rational(7, 8) ** Q  # probability that Q independent rounds fail which escape with probability 1/8 each
p_stays = chance("p_stays", r"\text{the run stays}", "probability that a run stays near the saddle")
p_none = chance("p_none", r"\text{no round escapes}", "probability that none of the rounds escapes")
LEMMA_1 = stated(
    "Lemma 1 (escape from saddle points)",
    measure="P( neither coupled run is the radius away within Gamma steps )",
    assumptions=(*paper.ASSUMPTION_1, *paper.ORACLE, *paper.SADDLE),
    **paper.AT_BLOCK,
    bound=sp.Rational(3, 4),
    conditions=paper.ESCAPE_CONDITIONS,
    notes=("as printed it is false; with the corrected second entry of (6) its proof still needs (42)", paper.BASE, paper.GIVEN_MU),
)
COROLLARY_1 = stated(
    "Corollary 1 (escape of one run)",
    measure="P( the run is not the radius away within Gamma steps )",
    assumptions=LEMMA_1.assumptions,
    **paper.AT_BLOCK,
    bound=sp.Rational(7, 8),
    measured=p_stays,
    conditions=paper.ESCAPE_CONDITIONS,
    notes=("follows from Lemma 1 by symmetry and a union bound; what is said there holds here", paper.BASE, paper.GIVEN_MU),
)
LEMMA_2 = stated(
    "Lemma 2 (amplification by rounds)",
    measure="P( none of Q rounds escapes )",
    method="gauss_psgd",
    assumptions=("rounds are independent given their starting point", "each escapes with probability at least 1/8"),
    schedule={"Q": sp.Rational(26, 5) * sp.log(1 / omega_0)},
    bound=omega_0,
    measured=p_none,
    parts=(
        Part("exactly", "P( none of Q rounds escapes )", "<=", ALL_FAIL, p_none),
        Part("base 2", "Q with the logarithm to base 2", "=", sp.Rational(26, 5) * sp.log(1 / omega_0) / sp.log(2)),
        Part("enough", "the least Q that is enough", "=", sp.log(1 / omega_0) / sp.log(sp.Rational(8, 7))),
    ),
    conditions=(
        Condition(
            sp.Le(ALL_FAIL, omega_0),
            "(7/8)^Q = {value} is above omega_0 = {limit}: with the natural logarithm Q is too small; base 2 is enough",
        ),
    ),
    notes=("rounds that share a fresh gradient of Ada-DP-SPIDER are not independent",),
)
rest_last = introduce(
    "rest_last", r"\|\mathscr{P}_h(\Gamma)+\mathscr{P}_{sg}(\Gamma)\|", "size of the others at the end of a round", 0, 1e6, "proof"
)
farther = introduce(
    "farther", r"\max\{\|x_\Gamma-\tilde x\|,\|x_\Gamma'-\tilde x\|\}", "larger distance of two runs from the saddle", 0, 1e6, "proof"
)
AT_END = {t: Gamma, b_frak: b_Gamma, noise_part: noise_last}, {"b_frak": "b_Gamma"}  # of a round
PER_MU = sp.sqrt(eta) * r / (40 * sp.sqrt(2) * (rho * alpha) ** quarter)  # b(Gamma) eta r / 40 over the growth, at gamma = sqrt(rho alpha)
ALONG_THE_SADDLE = (  # facts on the unstable direction at t = Gamma; the lines `growth`, `small_step` and `rest` come with the block
    line("saddle", gamma, ">=", root)
    .says("the least eigenvalue is at most -sqrt(rho alpha)")
    .reasoned("Definition 2: that is a strict saddle"),
    line("smooth", gamma, "<=", M).says("F is M-smooth").reasoned("no eigenvalue is beyond M"),
    line("b_Gamma", b_Gamma, "=", GROWTH.xreplace(AT_END[0])).says("b(Gamma) of (30)").defined("(30)"),
    line("likely", p_noise, ">=", sp.Rational(2, 3)).says("Lemma 19 (32)").shown("gauss_psgd.lemma19", "likely", *AT_END),
    line("noise", noise_last, ">=", b_Gamma * eta * r / 10).says("Lemma 19 (32)").shown("gauss_psgd.lemma19", "enough_noise", *AT_END),
    line("triangle", farther, ">=", (noise_last - rest_last) / 2).says("(51)").reasoned("triangle inequality, twice"),
    line("increasing", (1 + eta * gamma) ** Gamma / sp.sqrt(gamma), ">=", (1 + eta * root) ** Gamma / (rho * alpha) ** quarter)
    .says("the distance grows with gamma, so it is smallest at gamma = sqrt(rho alpha); not printed but needed")
    .reasoned("the slope of its logarithm is not negative between the two", using=("slope", "saddle")),
    line("doubling", (1 + eta * root) ** Gamma, ">=", 2**mu)
    .says("there (1 + x)^Gamma >= 2^(x Gamma) = 2^mu with x = eta sqrt(rho alpha)")
    .reasoned("the chord, to the power Gamma", using=("chord", "growth", "grows_slowly")),
)
REACH = (  # steps to the distance b(Gamma) eta r / 40, and from there to what it is at the smallest curvature
    line("half", farther, ">=", b_Gamma * eta * r / 40)
    .says("(50), (51): then one of the runs is at distance b(Gamma) eta r / 40, the farther one")
    .because("the larger of two is at least half of the difference")
    .by("triangle", (half, "noise"), (half, "rest")),
    line("written_out", b_Gamma * eta * r / 40, "=", (1 + eta * gamma) ** Gamma * sp.sqrt(eta) * r / (40 * sp.sqrt(2 * gamma)))
    .says("b(Gamma) eta r / 40 is, by (30): not what (52) prints, see printed_52", "insert b(Gamma)")
    .inserting("b_Gamma")
    .within({Gamma: (1, 10**6)}),
    line("long_enough", Gamma * eta * gamma, ">=", 1)
    .says("a round is long enough: eta Gamma gamma >= 1", "eta Gamma sqrt(rho alpha) = mu >= 1")
    .by((Gamma * eta, "saddle"), "log_factor >= 1", modulo=((1, "growth"),)),
    line("grows_slowly", eta * gamma, "<=", 1)
    .says("the growth of a step is at most 1: eta gamma", "eta gamma <= eta M <= 1")
    .by((eta, "smooth"), (M, "small_step")),
    line("slope", Gamma * eta / (1 + eta * gamma), ">=", 1 / (2 * gamma))
    .says("not printed but needed: the distance grows with gamma, here the slope of the logarithm")
    .because("2 Gamma eta gamma >= 2 >= 1 + eta gamma")
    .by((1 / (gamma * (1 + eta * gamma)), "long_enough"), (1 / (2 * gamma * (1 + eta * gamma)), "grows_slowly")),
    line("chord", 1 + x, ">=", 2**x)
    .says("the growth of a step: 1 + x >= 2^x for x up to 1, with equality at x = 1, where the paper has >")
    .because("x = eta sqrt(rho alpha) <= 1")
    .reasoned("a concave function is above its chord from 0 to 1"),
    line("at_smallest", farther, ">=", 2**mu * PER_MU)
    .says("the distance of the farther run is smallest at gamma = sqrt(rho alpha): at least", "(1 + x)^Gamma >= 2^mu")
    .by("half", (sp.sqrt(eta) * r / (40 * sp.sqrt(2)), "increasing"), (PER_MU, "doubling"), modulo=((1, "written_out"),)),
)
log_entry = introduce("log_entry", r"\Lambda_6", "inner logarithm of the first entry of (6)", 1e-3, 100, "proof")
p_both = chance("p_both", r"\text{both}", "probability of a large noise and a small rest")

# exp of the second entry of (6), as it has to be for the last step of Lemma 1
NEEDED_IN_PSI = 320 * sp.sqrt(2) * power(C, 3, 8) * power(psi, 3, 4) / (power(s, 3, 4) * rho**quarter * sp.sqrt(eta) * r)
NEEDED_WITHOUT_UNITS = 40 * sp.sqrt(2) * M * sp.sqrt(alpha) / (sp.sqrt(iota * rho) * r)
BLOCK_PROOF = "gauss_psgd.parameter_block"


def lemma1() -> Derivation:
    """Go as far as (52): how far away the farther run is, and what 2^mu would have to be for that to be R."""
    factor = 9 * d / (C**quarter * eta * sp.sqrt(s * rho * psi))
    return proved(
        "lemma1",
        "leaving a saddle, as far as the proof goes",
        "Lemma 1, (29), (46) to (53)",
        facts=(
            *paper.PRINTED_LINES,
            paper.ALPHA_SMALL,
            line("log_ratio", log_ratio, "=", sp.log(R / (eta * r))).says("the inner logarithm of (46)").defined("(46)", signs=("far",)),
            line("log_entry", log_entry, "=", paper.INNER)
            .says("the inner logarithm of the first entry of (6)")
            .defined("(6)", signs=("far_in_entry",)),
            line("far", R / (eta * r), ">", 1).says("R is further than a step of noise, as the logarithm of (46) needs").assumed(),
            line("first_entry", mu, ">=", paper.ENTRIES_OF_MU[0].xreplace({paper.INNER: log_entry}))
            .says("the first entry of (6)")
            .assumed(),
            line("lemma_20", p_fail, "<=", 6 * d * Gamma * log_ratio * tail)
            .says("Lemma 20, whose printed proof stops before it")
            .cited("Lemma 20 (33) of the paper; gauss_psgd.lemma20 goes as far as its proof"),
            line("intersection", p_rest, ">=", sp.Rational(3, 4) * (1 - p_fail)).says("(29), Lemma 20 given E").reasoned("an intersection"),
            line("union", p_both, ">=", 1 - (1 - p_noise) - (1 - p_rest)).says("the complements of (32) and (49)").reasoned("union bound"),
            *ALONG_THE_SADDLE,
            line("radius_in_psi", R, "=", paper.R_IN_PSI).says("R by (5)").shown(BLOCK_PROOF, "radius_in_psi"),
            line("growth", eta * Gamma * root, "=", mu).says("the exponent of the growth is mu by (5)").shown(BLOCK_PROOF, "growth"),
            paper.SMALL_STEP_BY_5,
            line("rest", rest_last, "<=", b_Gamma * eta * r / 20)
            .says("(50): the event of Lemma 20")
            .cited("Lemma 20 (33) of the paper, as above"),
            line("enough", 2**mu, ">=", paper.NEEDED).says("what the second entry of (6) would have to say").case(),
        ),
        steps=(
            line("contradiction")
            .says("(29): assume that E, both runs stay within R for Gamma steps, has probability at least 3/4", "proof by contradiction")
            .reasoned("the negation of a slightly weaker claim than the lemma's"),
            by_block("first_factor", "the first entry of (6) is (46): the factor of its logarithm, in Gamma", 36 * d * Gamma, factor),
            line("far_in_entry", paper.INNER.args[0], ">", 1)
            .says("the argument of the inner logarithm of (6), in psi and rho", "R times the root of mu is the distance in it")
            .by((sp.sqrt(mu), "far"), (1 / (sp.sqrt(mu) + 1), "log_factor >= 1"), at=("radius_in_psi",)),
            line("inner_logarithm", log_ratio, "<=", log_entry)
            .says("and its inner logarithm is at least log(R/(eta r))", "R times the root of mu is the distance in it, and mu >= 1")
            .by(
                (half, Instance("exponential", -sp.log(mu))),
                (1 / (2 * mu), "log_factor >= 1"),
                at=("radius_in_psi",),
                modulo=((1, "log_entry"), (-1, "log_ratio")),
            ),
            line("tail_of_all_steps", tail, "<=", 1 / (36 * d * Gamma * log_ratio))
            .says("(46): iota is large enough", "the first entry of (6)")
            .by(
                (1 / (factor * log_entry), Instance("decay", (s, "first_entry"))),
                (1 / (36 * d * Gamma * log_ratio * log_entry), "inner_logarithm"),
                at=("iota",),
                modulo=((-1 / (36 * d * Gamma * factor * log_entry), "first_factor"),),
            ),
            line("failure", p_fail, "<=", sp.Rational(1, 6))
            .says("(46), (47): the failure of Lemma 20", "exp(-iota) <= 1 / (36 d Gamma log(R/(eta r)))")
            .by("lemma_20", (6 * d * Gamma * log_ratio, "tail_of_all_steps")),
            line("rounded_up", p_fail, "<=", sp.Rational(2, 9))
            .says("which the paper rounds up: the failure", "1/6 <= 2/9")
            .by("failure", sp.Rational(1, 18)),
            line("rest_is_small", p_rest, ">=", sp.Rational(7, 12))
            .says("(49): with E, the others are small", "probability of an intersection, given Lemma 20")
            .by("intersection", (sp.Rational(3, 4), "rounded_up")),
            line("both", p_both, ">=", quarter)
            .says("both events hold with probability 1/4: the noise is large and the rest is small")
            .because("union of the complements, (32) and (49)")
            .by("union", "likely", "rest_is_small"),
            line("strict", p_both, ">", quarter)
            .says("with 1/6 for 2/9 the probability of both is more than 1/4, which a strict contradiction needs", "7/24 > 6/24")
            .by("union", "intersection", (sp.Rational(3, 4), "failure"), "likely", sp.Rational(1, 24)),
            *REACH,
            by_block("needed_in_psi", "it reaches R when 2^mu is at least this, in psi", paper.NEEDED, NEEDED_IN_PSI),
            by_block("needed", "the same without units: what R needs", paper.NEEDED, NEEDED_WITHOUT_UNITS),
            line("stops")
            .says("here the printed proof stops: the second entry of (6) does not give that, for any s and C")
            .because("see printed_53, a point where it does not; gauss_psgd.repaired_block has an entry that does")
            .reasoned("the entry has the unit of the root of a length, the requirement has none"),
            line("escapes", farther, ">=", R)
            .says("where 2^mu is at least that, the run that is farther away is at least at R", "2^mu is large enough")
            .by("at_smallest", (PER_MU, "enough")),
        ),
    )


rounds_2 = introduce("rounds_2", "Q_2", "rounds with the logarithm to base 2", 1, 1e4, "proof")
rounds_e = introduce("rounds_e", "Q_e", "rounds with the natural logarithm", 1, 1e4, "proof")
per_round = -sp.log(sp.Rational(7, 8))


def corollary1() -> Derivation:
    """Halve Lemma 1: each of the two coupled runs has the law of a single one."""
    return proved(
        "corollary1",
        "a single run escapes half as often as one of two",
        "Corollary 1; rests on Lemma 1",
        proves=COROLLARY_1,
        facts=(
            line("union", p_pair, "<=", 2 * p_one)
            .says("P(one of two escapes) <= 2 P(one run escapes): each of the two coupled runs has the law of a single run")
            .reasoned("flipping a sign keeps a normal law; union bound"),
            line("lemma_1", p_pair, ">=", quarter)
            .says("Lemma 1: one of two escapes with probability 1/4")
            .cited("Lemma 1 of the paper; gauss_psgd.lemma1 goes as far as its proof, and (6) as printed is not enough for it"),
            line("complement", p_stays, "=", 1 - p_one).says("a run that does not escape stays").reasoned("the contrary"),
        ),
        steps=(
            line("one_run", p_one, ">=", sp.Rational(1, 8))
            .says("one run escapes with probability at least 1/8", "half of Lemma 1")
            .by((half, "union"), (half, "lemma_1")),
            line("bound", p_stays, "<=", sp.Rational(7, 8))
            .says("so a run stays near the saddle with probability at most 7/8", "the contrary")
            .by("one_run", modulo=((-1, "complement"),)),
        ),
    )


def _rounds(name: str, letter: str, text: str, number: sp.Symbol, factor: sp.Expr, reason: str) -> tuple[Step, ...]:
    spare = factor * per_round - 1
    return (
        line(name, per_round * number, ">=", -sp.log(omega_0))
        .says(f"{text} rounds are enough: in logarithms, omega_0", f"the factor times log(8/7) is at least 1: {reason}")
        .by((spare, Instance("exponential", sp.log(omega_0))), (spare, "omega_0 < 1"), modulo=((per_round, letter),)),
        line(f"{name}_is_enough", sp.Rational(7, 8) ** number, "<=", omega_0)
        .says(f"so with {text} rounds all fail with probability at most omega_0", "the exponential is increasing")
        .by((omega_0, Instance("decay", (name,)))),
    )


def lemma2() -> Derivation:
    """Two numbers of rounds that are enough, in logarithms; then any Q that is large enough."""
    nats, base_2, natural = sp.log(1 / omega_0), sp.Rational(26, 5) / sp.log(2), sp.Rational(749, 100)
    return proved(
        "lemma2",
        "Q independent rounds, with the logarithm to base 2",
        "Lemma 2",
        proves=LEMMA_2,
        shows={"exactly": "all_fail"},
        signs={"Q": ("omega_0 < 1",)},
        instances=({omega_0: omega / (2 * escapes), Q: rounds_2},),  # the Q_2 rounds of each of N phases
        facts=(
            line("all_fail", p_none, "<=", ALL_FAIL)
            .says("each round fails with probability at most 7/8 by Corollary 1, and the rounds are independent")
            .reasoned("product of probabilities"),
            line("enough_rounds", ALL_FAIL, "<=", omega_0).says("Q is large enough").assumed(),
            BELOW_ONE["omega_0"],
            line("rounds_2", rounds_2, "=", base_2 * nats).says("Q as printed, to base 2").defined(signs=("omega_0 < 1",)),
            line("rounds_e", rounds_e, "=", natural * nats).says("Q with the natural logarithm").defined(signs=("omega_0 < 1",)),
        ),
        steps=(
            *_rounds("base_2", "rounds_2", "(26/5) log_2(1/omega_0)", rounds_2, base_2, "(26/5) log_2(8/7) = 1.0018"),
            *_rounds("natural", "rounds_e", "7.49 log(1/omega_0)", rounds_e, natural, "log(8/7) = 0.13353"),
            line("bound", p_none, "<=", omega_0)
            .says("so none of the rounds escapes with probability omega_0 at most; 26/5 natural logarithms are too few, see printed_lemma2")
            .because("Q is large enough")
            .by("all_fail", "enough_rounds"),
        ),
    )
