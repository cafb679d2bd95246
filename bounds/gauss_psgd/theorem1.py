"""Theorem 1 as printed, which is not proved, and with a block for which its steps hold, rounded up.

Setting   x_t = x_{t-1} - eta (grad F(x_{t-1}) + nu_t); the block (5) and the repaired one of `bounds.gauss_psgd.block`.
Measure   the accuracy of the point that is returned.
Source    Gauss-PSGD, Theorem 1, (5), (6). The repaired statement and its proof are ours; the steps are those of `repaired_block`, for the
          whole numbers of steps and of rounds, with the entries of mu at Gamma + 1 and Q + 1.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd import paper
from bounds.gauss_psgd.lemmas_3_and_4 import ENOUGH_DECREASE
from bounds.gauss_psgd.lemmas_5_and_6 import ALL_CONDITIONS, ONE_ROUND, grad_end, third_entry
from bounds.gauss_psgd.lemmas_18_to_20 import c_31
from bounds.gauss_psgd.meanings import BELOW_ONE, ROUNDED
from bounds.gauss_psgd.paper import at_least, entries_of_mu, keyed, letters, root, stated, tail
from bounds.gauss_psgd.repaired_block import LEAST_ROUND, ROUNDED_UP, eta_whole, log_far, p_total, power
from bounds.inequalities import Instance
from bounds.lines import Reasoned, line
from bounds.symbols import introduce
from bounds.theorem import Condition, Part

alpha, C, c, chi, d, escapes, eta, Gamma, Gamma_whole, iota, M, mu = letters("alpha C c chi d escapes eta Gamma Gamma_whole iota M mu")
omega, phases, Phi, psi, Q, Q_whole, R, r, rho, s, T = letters("omega phases Phi psi Q Q_whole R r rho s T")

reached = introduce("reached", r"\alpha_{\mathrm{end}}", "accuracy of the point that is returned", 0, 1e6, "proof")
THEOREM_1 = stated(
    "Theorem 1 (Gauss-PSGD)",
    "(5), (6)",
    measure="accuracy of the returned second-order stationary point",
    **paper.OF_A_RUN,
    schedule={**paper.SCHEDULE, "Q": paper.Q_PRINTED, "T": paper.T_OF_Q},
    bound=alpha,
    parts=(
        Part("failure", "probability of the contrary", "<=", omega),
        Part("curvature", "-lambda_min of the Hessian there", "<=", sp.sqrt(rho * alpha)),
    ),
    conditions=(*ALL_CONDITIONS, ONE_ROUND, paper.BELOW_TRIVIAL),
    notes=(
        "the returned point must be the start of the failed rounds; for the last iterate, which Algorithm 1 returns, it is not proved",
        "the failure 2 exp(-iota) of Lemma 4 at every escape is not counted",
        paper.BASE,
        paper.GIVEN_MU,
        paper.ABSOLUTE,
    ),
)
REPAIRED_BLOCK = {letter.name: paper.REPAIRED[letter] for letter in (chi, alpha, eta, Gamma, R, Phi)}
UNION_REPAIRED, GROWTH_REPAIRED, EVENT_REPAIRED, ESCAPE_REPAIRED, _ = entries_of_mu("repaired")
LEAST_S = Condition(sp.Ge(s, 204800 * C**2), "s = {value} is below (160 c C)^2 = {limit} with c = 2 sqrt(2) of (31), which Lemma 20 needs")
THEOREM_1_REPAIRED = keyed(
    "repaired",
    "Theorem 1 with a repaired block",
    "our repair of (5), (6) and Lemma 6",
    measure="accuracy of the returned second-order stationary point",
    method="gauss_psgd",
    assumptions=(*paper.ASSUMPTION_1, *paper.ASSUMPTION_2, *paper.ORACLE, "Algorithm 1 returns the start of its failed rounds"),
    definitions={"iota": paper.REPAIRED[iota], "log_T": sp.log(4 * T / omega)},
    schedule={**REPAIRED_BLOCK, "Q": paper.Q_REPAIRED, "T": paper.T_REPAIRED},
    bound=alpha,
    measured=reached,
    parts=(
        Part("failure", "probability of the contrary", "<=", 3 * omega / 2, p_total),
        Part("phases", "escape phases, the last of which fails", "<=", paper.NUMBER, phases),
    ),
    conditions=(
        paper.STANDING,
        Condition(
            sp.Ge(sp.log(2 * R / (eta * r)), 1),
            "log(2 radius/(eta added_noise)) = {value} is below 1: a step of noise is not short against the distance of an escape",
        ),
        at_least(UNION_REPAIRED, "which the union over the steps of a round needs"),
        at_least(GROWTH_REPAIRED, "which the growth of the unstable direction needs"),
        at_least(EVENT_REPAIRED, "which the event of Lemma 5 needs"),
        at_least(ESCAPE_REPAIRED, "which the union over all rounds of all escapes needs"),
        LEAST_S,
        paper.HESSIAN_PART_SMALL,
        Condition(
            eta * M * sp.sqrt(Gamma) * iota * 320 * sp.sqrt(2) * C <= 1 + sp.Rational(1, 10**12),
            "320 sqrt(2) C_abs eta ell sqrt(Gamma) iota = {value} is above 1, its limit with the factor 2 of the per-sample smoothness, "
            "C_abs of Lemma 12 and c = 2 sqrt(2) of (31): (42) of Lemma 20 does not follow",  # 1 up to rounding at the least s, hence 1e-12
        ),
        ENOUGH_DECREASE,
        paper.BELOW_TRIVIAL,
    ),
    notes=(
        "for errors that are independent from step to step; Ada-DP-SPIDER's are not",
        "mends the steps that fail with (5); the concentration lemmas are taken as they are",
        "round Gamma and Q up, and make eta smaller by the factor by which Gamma grows: the entries and T are for any such whole numbers",
        "T counts gradient estimates, those of step 4 among them",
        paper.GIVEN_MU,
        paper.ABSOLUTE,
    ),
)
which = introduce("which", "w", "1 where the gradient decides the accuracy, 0 where the curvature does", 0, 1, "probability")
gamma_end = introduce("gamma_end", r"\gamma_{\mathrm{end}}", "curvature where the run ends, 0 for a convex one", 0, 1e3, "proof")
ENTRIES = {name: f"{name}_whole" for name in ("first_entry", "second_entry", "fourth_entry")}
CARRIED = ROUNDED_UP, {"eta": "eta_is", **ENTRIES, "Q >= 1": "Q_whole >= 1", "far": "far_whole"}
BLOCK_PROOF = "gauss_psgd.repaired_block"
LONGER = sp.log(2 * R * (Gamma + 1) / (Gamma * r * eta))  # the inner logarithm of the first entry
LARGER = paper.NEEDED * sp.sqrt(Gamma + 1) / sp.sqrt(Gamma)  # exp of the second entry times log(2)
doubled, rate = sp.log(2), sp.log(sp.Rational(8, 7))


def repaired() -> Derivation:
    """Carry the lines of the block over to whole numbers, for which its entries have room."""
    larger = Reasoned("chi is the larger of two", using=("chi",))
    least_s, hessian_part_small = LEAST_S.relation, paper.HESSIAN_PART_SMALL.relation
    N = paper.NUMBER
    number = 160 * sp.sqrt(2)
    up, each = Gamma + 1, omega / (4 * (Q + 1) * N)
    roots, far_whole = sp.sqrt(up) + sp.sqrt(Gamma_whole), sp.log(2 * R / (eta_whole * r))
    return Derivation(
        key="gauss_psgd.repaired",
        title="Theorem 1 with the repaired block, rounded up",
        source="ours; after Theorem 1 of Gauss-PSGD",
        spelled=paper.SPELLED,
        proves=THEOREM_1_REPAIRED,
        signs={"log_T": (paper.ENOUGH_TRIES.name,), "Q": ("many_phases",)},
        shows={"failure": "failure", "phases": "phases"},
        facts=(
            *ROUNDED,
            line("eta_whole", eta_whole, "=", eta * Gamma / Gamma_whole).says("eta shrinks as Gamma grows").defined(),
            paper.ALPHA_SMALL,
            line("union_entry", mu, ">=", UNION_REPAIRED).says("the first entry of mu").assumed(),
            line("growth_entry", mu, ">=", GROWTH_REPAIRED).says("the second entry of mu").assumed(),
            third_entry,
            line("escape_entry", mu, ">=", ESCAPE_REPAIRED).says("the fourth entry of mu").assumed(),
            line("least_s", least_s.lhs, ">=", least_s.rhs).says("s >= (160 c C)^2 with c = 2 sqrt(2)").assumed(),
            line("hessian_part_small", hessian_part_small.lhs, "<=", hessian_part_small.rhs).says("(41) with c = 2 sqrt(2)").assumed(),
            line("c_31", c_31, "=", 2 * sp.sqrt(2)).says("the least constant of (31)").defined(),
            line("log_far", log_far, "=", far_whole).says("the logarithm of the first entry").defined(signs=("far_whole",)),
            line("far", sp.log(2 * R / (eta * r)), ">=", 1).says("a step of noise is short").assumed(),
            BELOW_ONE["omega"],
            line("chi_1", chi, ">=", 4 * sp.sqrt(C) * s * mu**2 * psi).says("chi covers the errors").certified(larger),
            line("chi_2", chi, ">=", sp.sqrt(c) * power * psi).says("chi covers the noise of a round").certified(larger),
            line("N", escapes, "=", N).says("N = 1 + U / Phi").defined(),
            line("gradient", grad_end, "<=", 4 * chi).says("where the last phase starts").shown(BLOCK_PROOF, "small_gradient", *CARRIED),
            line("entered", phases, "<=", escapes).says("the phases that succeed are paid for").shown(BLOCK_PROOF, "phases", *CARRIED),
            line("failure", p_total, "<=", 3 * omega / 2).says("all that may fail").shown(BLOCK_PROOF, "failure", *CARRIED),
            line("no_saddle", gamma_end, "<=", root)
            .says("the last phase does not start at a strict saddle")
            .reasoned("else a round of it would have escaped, unless one of the things happened that may fail", using=("failure",)),
            line("accuracy_of_a_point", reached, "=", which * grad_end + (1 - which) * gamma_end**2 / rho)
            .says("the least accuracy that the point has: its gradient, or the square of its curvature over rho")
            .reasoned("Definition 2: the larger of the two is one of them"),
        ),
        steps=(
            line("many_phases", 2 * N / omega, ">", 1)
            .says("2 N / omega, with the decrease of a phase and U, is above 1", "omega < 1 <= N")
            .by(2 * (N - 1) / omega, (1 / omega, "omega < 1"), 1 / omega),
            line("enough_tries", 4 * T / omega, ">", 1)
            .says("4 T / omega is above 1", "omega < 1 <= T")
            .by(4 * (N * (Gamma + 1) * (Q + 1) + N - 1) / omega, (1 / omega, "omega < 1"), 3 / omega, at=("T",)),
            line("least", Gamma, "=", LEAST_ROUND).says("Gamma before it is rounded", "insert the block").inserting("Gamma", "eta", "iota"),
            line("long", Gamma_whole, ">=", LEAST_ROUND)
            .says("Gamma_whole is at least that", "Gamma is rounded up")
            .by("Gamma_up", modulo=((1, "least"),)),
            line("eta_is", eta_whole, "=", mu / (Gamma_whole * root))
            .says("the growth of a round is mu still: eta_whole", "insert the block")
            .inserting("eta_whole", "eta", "Gamma", "iota"),
            line("enough_T", T, ">=", escapes * (Q_whole * Gamma_whole + 1))
            .says("T covers all estimates of the rounds", "(Q + 1) (Gamma + 1) is at least the product of the whole numbers")
            .by((N * (Gamma + 1), "Q_next"), (N * Q_whole, "Gamma_next"), at=("N",), modulo=((1, "T"),)),
            line("constant", c_31, ">=", 2 * sp.sqrt(2)).says("c_31 is at least 2 sqrt(2)").because("it is that").identity((1, "c_31")),
            line("factor_h", eta * rho * R * Gamma * sp.sqrt(iota), "=", 1 / s)
            .says("(41): the factor of the part of the Hessian, with Gamma and R", "insert the block")
            .inserting("eta", "Gamma", "radius", "iota"),
            line("large_s", s, ">=", 80 * c_31)
            .says("s is at least 80 c_31", "(41)")
            .by((number * s, "hessian_part_small"), modulo=((number * s, "factor_h"), (-80, "c_31"))),
            line("larger_s", s, ">=", (160 * c_31 * C) ** 2)
            .says("s is at least (160 c_31 C)^2", "c_31 = 2 sqrt(2)")
            .by("least_s", modulo=((-((160 * C) ** 2) * (c_31 + 2 * sp.sqrt(2)), "c_31"),)),
            line("far_whole", far_whole, ">=", 1)
            .says("a step of noise is short with eta_whole too, which is no larger", "Gamma is rounded up")
            .by("far", Instance("exponential", sp.log(Gamma / Gamma_whole)), (1 / Gamma_whole, "Gamma_up"), at=("eta_whole",)),
            line("longer_log", log_far, "<=", LONGER)
            .says("the inner logarithm of the first entry is at least that for the whole number of steps")
            .because("Gamma_whole is at most Gamma + 1")
            .by(Instance("exponential", sp.log(Gamma_whole / up)), (1 / up, "Gamma_next"), at=("eta_whole",), modulo=((-1, "log_far"),)),
            line("first_entry_whole", tail, "<=", 1 / (36 * d * Gamma_whole * log_far))
            .says("so iota is at least the first entry for the whole number of steps", "the first entry of mu")
            .by(
                (1 / (36 * d * Gamma_whole * log_far), Instance("decay", (s, "union_entry"))),
                (tail * up / (Gamma_whole * log_far), "longer_log"),
                (tail / Gamma_whole, "Gamma_next"),
                at=("iota",),
            ),
            line("second_entry_whole", 2**mu, ">=", paper.NEEDED.xreplace(ROUNDED_UP))
            .says("2^mu is at least what the distance R needs with eta_whole", "the second entry of mu, Gamma_whole is at most Gamma + 1")
            .by(
                (LARGER, Instance("exponential", mu * doubled - sp.log(LARGER))),
                (LARGER * doubled, "growth_entry"),
                (LARGER / sp.sqrt(up) / roots, "Gamma_next"),
                at=("eta_whole",),
            ),
            line("rounds_in_logarithms", Q_whole * rate, ">=", sp.log(2 * N / omega))
            .says("the whole number of rounds is enough: in logarithms", "Q is rounded up")
            .by((rate, "Q_up"), modulo=((rate, "Q"),)),
            line("rounds", sp.Rational(8, 7) ** (-Q_whole), "<=", omega / (2 * escapes))
            .says("so that the rounds of a phase fail together with omega / (2 N) at most", "the exponential is increasing")
            .by((omega / (2 * N), Instance("decay", ("rounds_in_logarithms",))), at=("N",)),
            line("fourth_entry_whole", tail, "<=", omega / (4 * Q_whole * escapes))
            .says("iota is at least the fourth entry for the whole number of rounds", "the fourth entry of mu, Q_whole is at most Q + 1")
            .by((each, Instance("decay", (s, "escape_entry"))), (omega / (4 * N * Q_whole * (Q + 1)), "Q_next"), at=("iota", "N")),
            line("phases", phases, "<=", N).says("escape phases that a run enters", "N = 1 + U / Phi").by("entered", modulo=((-1, "N"),)),
            line("bound", reached, "<=", alpha)
            .says("the accuracy of the point that is returned")
            .because("its gradient is at most 4 chi = alpha, its curvature at most sqrt(rho alpha)")
            .by(
                (which, "gradient"),
                ("which <= 1", (root + gamma_end) / rho, "no_saddle"),
                modulo=((which, "accuracy"), (-1, "accuracy_of_a_point")),
            ),
        ),
    )
