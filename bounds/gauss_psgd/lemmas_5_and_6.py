"""How rarely an error of an estimate is long, how many steps a run takes, and what its failure leaves out: Lemmas 5 and 6.

Source    Gauss-PSGD, Lemmas 5 and 6; Appendices B.6 and B.7, (73) to (79).
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd import paper
from bounds.gauss_psgd.lemma1 import p_none, rounds_2
from bounds.gauss_psgd.lemmas_3_and_4 import ENOUGH_DECREASE, sq_err, sq_grad
from bounds.gauss_psgd.meanings import BELOW_ONE
from bounds.gauss_psgd.paper import by_block, letters, proved, stated
from bounds.inequalities import Instance
from bounds.lines import line
from bounds.pages import chance
from bounds.symbols import introduce
from bounds.theorem import Condition, Part

alpha, C, chi, escapes, eta, F_next, F_now, Gamma, iota, M, mu = letters("alpha C chi escapes eta F_next F_now Gamma iota M mu")
omega, omega_0, Phi, psi, Q, R, rho, s, T, U, err, est, grad = letters("omega omega_0 Phi psi Q R rho s T U err_norm est_norm grad_norm")

p_any = chance("p_any", r"\max_t\|\nu_t\|>\ell_\nu", "that some error is longer")
log_T = introduce("log_T", r"\Lambda_T", "logarithm of 4 T over the probability of failure", 1e-3, 100, "abbreviation")
LEMMA_5 = stated(
    "Lemma 5 (error of all gradients)",
    measure="||nu_t|| for all t <= T",
    method="gauss_psgd",
    assumptions=paper.ORACLE,
    definitions={"log_T": sp.log(4 * T / omega)},
    schedule={"chi": paper.PRINTED[chi]},
    bound=C * sp.sqrt(2 * sp.log(4 * T / omega)) * psi,
    measured=err,
    parts=(Part("failure", "probability of the contrary", "<=", omega / 2, p_any),),
    conditions=(
        paper.EVENT,
        Condition(
            sp.Le(C * sp.sqrt(2 * sp.log(4 * T / omega)) * psi, chi * (1 + sp.Rational(1, 10**12))),
            "the bound {value} is above chi = {limit}",  # equal where the third entry of (6) is the largest, hence the 1e-12
        ),
    ),
    notes=(paper.GIVEN_MU, paper.ABSOLUTE),
)
err_length = introduce("err_length", r"\ell_\nu", "the length that an error of an estimate rarely exceeds", 1e-9, 1e9, "proof")
p_longer = chance("p_longer", r"\|\nu_t\|>\ell_\nu", "that an error is longer")
LENGTH = C * sp.sqrt(2 * log_T) * psi  # (73)
third = (C * log_T) ** sp.Rational(1, 4) / (2 ** sp.Rational(3, 4) * sp.sqrt(s))  # of (6)
third_entry = line("third_entry", mu, ">=", third).says("the third entry of (6)").assumed()
LOG_T = line("log_T", log_T, "=", sp.log(4 * T / omega)).says("log_T = log(4 T / omega)").defined(signs=(paper.ENOUGH_TRIES.name,))


def lemma5() -> Derivation:
    """Take the tail (11) at the length of (73), a union over T estimates, and (6) for the length."""
    exponent = err_length**2 / (2 * (C * psi) ** 2)
    return proved(
        "lemma5",
        "every estimate is within chi of its gradient",
        "Lemma 5, (73)",
        proves=LEMMA_5,
        shows={"failure": "failure"},
        signs={"log_T": (paper.ENOUGH_TRIES.name,)},
        facts=(
            third_entry,
            BELOW_ONE["omega"],
            line("err_length", err_length, "=", LENGTH).says("the length of (73)").defined("(73)"),
            line("longer", p_longer, "<=", 2 * sp.exp(-exponent))
            .says("(11): nu_t = zeta_t + xi_t is norm-subGaussian with a constant C psi")
            .cited(
                "Definition 7; each of the two is by (1) and by Lemma 10 of the paper, Corollary 3 would add a root of a logarithm of d"
            ),
            line("union", p_any, "<=", T * p_longer)
            .says("T estimates, although (79) counts T steps, and step 4 asks for one more in every escape phase")
            .reasoned("union bound"),
            line("event", err, "<=", err_length).says("otherwise no error is longer").reasoned("outside an event of that probability"),
            line("largest", mu, "=", third).says("the third entry of (6) is the largest").case(),
        ),
        steps=(
            paper.ENOUGH_TRIES,
            line("exponent", exponent, ">=", sp.log(4 * T / omega))
            .says("(11) at the length of (73): its exponent is the logarithm of 4 T / omega", "insert the length")
            .identity(((err_length + LENGTH) / (2 * (C * psi) ** 2), "err_length"), (1, "log_T")),
            line("one", p_longer, "<=", omega / (2 * T))
            .says("so an error is longer with probability at most omega / (2 T)", "2 exp(-log(4 T / omega))")
            .by("longer", (omega / (2 * T), Instance("decay", ("exponent",)))),
            line("failure", p_any, "<=", omega / 2).says("T times that is omega / 2").because("union bound").by("union", (T, "one")),
            line("equal", 4 * sp.sqrt(C) * s * mu**2 * psi, "=", LENGTH)
            .says("(73): when the third entry of (6) is the largest, chi is this length: its value by (5), with that mu", "insert mu")
            .inserting("largest"),
            line("covers", chi, ">=", LENGTH)
            .says("and otherwise chi is longer", "mu is at least its third entry")
            .by((4 * sp.sqrt(C) * s * psi, "third_entry", mu + third), modulo=((1, "chi"),)),
            line("within_chi", err, "<=", chi)
            .says("so every error is at most chi", "it is at most the length of (73)")
            .by("event", "covers", modulo=((-1, "err_length"),)),
            line("bound", err, "<=", LENGTH)
            .says("(73): every error is at most", "the length written out")
            .by("event", modulo=((-1, "err_length"),)),
        ),
    )


ALL_CONDITIONS = (*paper.ESCAPE_CONDITIONS, paper.EVENT, ENOUGH_DECREASE)
ONE_ROUND = Condition(Q >= 1, "Q = {value} is below 1: one round is needed, and T of (79) counts for nothing")
LEMMA_6 = stated(
    "Lemma 6 (number of steps)",
    "(76) to (79)",
    measure="steps until Algorithm 1 returns",
    **paper.OF_A_RUN,
    schedule={**paper.SCHEDULE, "Q": paper.Q_PRINTED},
    bound=paper.T_OF_Q,
    parts=(
        Part("once", "steps if every escape phase needed one round, (76)", "<=", paper.T_EFF),
        Part("saddles", "escapes, from which the failure of each is set", "<=", paper.ESCAPES * omega / 2),
        Part("last", "steps with the failed phase at the end, which (79) leaves out", "<=", Q * (paper.T_EFF + Gamma)),
    ),
    conditions=(*ALL_CONDITIONS, ONE_ROUND),
    notes=("Lemma 4, on which it rests, is false as printed", paper.BASE, paper.GIVEN_MU, paper.ABSOLUTE),
)
grad_end = introduce("grad_end", r"\|\nabla F(\tilde x)\|", "norm of the gradient where an escape phase starts", 0, 1e3, "proof")
est_end = introduce("est_end", r"\|\hat g(\tilde x)\|", "norm of the estimate where an escape phase starts", 0, 1e3, "proof")
p_phases = chance("p_phases", r"\text{a phase fails}", "that some escape phase fails")
LEMMA_2 = "gauss_psgd.lemma2"
per_step = 2 * chi**2 * eta / (s**2 * mu**4)  # (74)
# what is taken about the point where an escape phase starts, and about a step outside these; `error` and `small_step` come with the block
OF_A_PHASE = (
    line("gradient_is_near", grad_end, "<=", est_end + err).says("g_hat = grad F + nu").reasoned("triangle inequality"),
    line("enters", est_end, "<=", 3 * chi).says("an escape phase is entered").reasoned("that is when it is"),
)
OF_A_NORMAL_STEP = (
    line("estimate_is_near", est, "<=", grad + err).says("g_hat = grad F + nu").reasoned("triangle inequality"),
    line("passes", est, ">=", 3 * chi).says("no escape phase is entered").reasoned("that is what a normal step is"),
    line("lemma_3_once", F_next, "<=", F_now - eta / 2 * grad**2 + eta / 2 * err**2)
    .says("Lemma 3 for one step")
    .shown("gauss_psgd.lemma3", "one_step", {sq_grad: grad**2, sq_err: err**2}),
)
BOTH_CASES = (  # the gradient where a phase starts, and (75) with the error
    line("small_gradient", grad_end, "<=", 4 * chi)
    .says("an estimate of at most 3 chi: the gradient is at most alpha = 4 chi", "the error is at most chi")
    .by("gradient_is_near", "enters", "error"),
    line("large_gradient", grad, ">=", 2 * chi)
    .says("an estimate above 3 chi: the gradient is at least 2 chi", "the error is at most chi")
    .by("estimate_is_near", "passes", "error"),
    line("normal_step", eta / 2 * (grad**2 - err**2), ">=", sp.Rational(3, 2) * eta * chi**2)
    .says("(75) with the error, which the paper leaves out (printed_75): a normal step decreases F by this much, in the gradient")
    .because("||grad F|| >= 2 chi, ||nu|| <= chi")
    .by((eta / 2, grad + 2 * chi, "large_gradient"), (eta / 2, chi + err, "error")),
    line("falls", F_now - F_next, ">=", sp.Rational(3, 2) * eta * chi**2)
    .says("so the loss falls by", "Lemma 3")
    .by("lemma_3_once", "normal_step"),
)


def lemma6() -> Derivation:
    """Go through the two cases of a step, then count (76) to (79), and what they leave out."""
    each, small = omega / (2 * escapes), {"omega_0 < 1": "each_below_one"}
    base_2 = sp.Rational(26, 5) / sp.log(2) * sp.log(1 / each)
    share = sp.Rational(3, 2) * eta * chi**2 / (s**2 * mu**4)
    return proved(
        "lemma6",
        "the number of steps, with the decrease of Lemma 4 taken as printed",
        "Lemma 6, (74) to (79), and Theorem 1",
        facts=(
            *paper.PRINTED_LINES,
            paper.ALPHA_SMALL,
            third_entry,
            LOG_T,
            line("error", err, "<=", chi).says("Lemma 5: every error is at most chi").shown("gauss_psgd.lemma5", "within_chi"),
            *OF_A_PHASE,
            paper.SMALL_STEP_BY_5,
            *OF_A_NORMAL_STEP,
            line("large_s", s, ">=", 2).says("s is large enough").assumed(),
            line("some", escapes, ">=", 1).says("there is a phase").assumed(),
            BELOW_ONE["omega"],
            line("rounds_2", rounds_2, "=", base_2).says("(78) with N and the logarithm to base 2").defined("(78)", signs=("many_phases",)),
            line("enough_rounds", sp.Rational(7, 8) ** rounds_2, "<=", each)
            .says("Lemma 2")
            .shown(LEMMA_2, "base_2_is_enough", {omega_0: each}, small),
            line("phase", p_none, "<=", each).says("Lemma 2").shown(LEMMA_2, "bound", {omega_0: each, Q: rounds_2}),
            line("union", p_phases, "<=", escapes * p_none).says("some of N phases fails").reasoned("union bound"),
            line("Q", Q, "=", paper.Q_PRINTED).says("(78), as printed").defined("(78)", signs=("many_escapes",)),
            line("many_escapes", paper.ESCAPES, ">", 1).says("the logarithm of (78) is positive").assumed(),
        ),
        steps=(
            paper.ENOUGH_TRIES,
            *BOTH_CASES,
            by_block("per_step", "(74): the claimed decrease Phi over Gamma", Phi / Gamma, s**2 * alpha**2 * eta / (8 * iota**4)),
            by_block("per_step_in_chi", "the same in chi", Phi / Gamma, per_step),
            line("more", sp.Rational(3, 2) * eta * chi**2, ">=", per_step)
            .says("which is more than (74), in chi and eta, when s^2 mu^4 >= 4/3", "s is large")
            .by(
                (share * mu**4 * (s + 2), "large_s"), (4 * share * (mu**3 + mu**2 + mu + 1), "log_factor >= 1"), (share, sp.Rational(8, 3))
            ),
            line("steps", U * Gamma / Phi, "=", paper.T_EFF)
            .says("(76): U over (74), a number of rounds times Gamma", "divide")
            .identity((-U * Gamma / (Phi * per_step), "per_step_in_chi")),
            by_block(
                "escapes",
                "(77): the number of escapes, U over Phi, with alpha^3 where it prints chi^3 (printed_77)",
                U / Phi,
                8 * iota**3 * U / s * sp.sqrt(rho / alpha**3),
            ),
            by_block(
                "escapes_in_chi", "which is an eighth of the printed number, in chi", U / Phi, iota**3 * U / s * sp.sqrt(rho / chi**3)
            ),
            line("each_below_one", omega / (2 * escapes), "<", 1)
            .says("(78) with that number N: omega / (2 N) for each phase, below 1", "omega < 1 <= N")
            .by((1 / (2 * escapes), "omega < 1"), (1 / escapes, "some"), 1 / (2 * escapes)),
            line("many_phases", 2 * escapes / omega, ">", 1)
            .says("2 N / omega is above 1", "omega < 1 <= N")
            .by((1 / omega, "omega < 1"), (2 / omega, "some"), 1 / omega),
            line("all_phases", p_phases, "<=", omega / 2)
            .says("so some escape phase fails with probability at most omega / 2, when the logarithm is to base 2")
            .because("union bound over N phases")
            .by("union", (escapes, "phase")),
            line("steps_of_all_tries", paper.T_EFF * Q, "=", paper.T_PRINTED)
            .says("(79), with Q of (78)", "each step is repeated at most Q times")
            .identity((paper.T_EFF, "Q")),
            line("last_phase")
            .says("(79) leaves out the phase that ends the run: the count is at most Q (T_eff + Gamma), see printed_79")
            .because("a phase that fails takes Q Gamma steps and decreases nothing")
            .reasoned("counting"),
            by_block("exponent", "the exponent of the accuracy: -5/2", paper.T_EFF, paper.T_EFF_IN_ALPHA),
            line("left_out")
            .says("Lemma 6 spends omega/2 and omega/2, and leaves out 2 exp(-iota) for each round of each escape phase, see printed_union")
            .because("Lemma 4 holds with probability 1 - 2 exp(-iota) only, and which of Q rounds succeeds depends on its noise")
            .reasoned("counting; gauss_psgd.repaired_block has the union"),
            by_block(
                "returned",
                "the point that the algorithm returns is up to R away from the saddle: M R over alpha",
                M * R / alpha,
                M / (iota ** sp.Rational(3, 2) * sp.sqrt(rho * alpha)),
            ),
        ),
    )
