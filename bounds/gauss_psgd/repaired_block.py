"""A parameter block with which the steps that fail in Lemmas 1, 4, 20 and Theorem 1 go through, over a whole run.

Block     `WHOLE`, for every integer Gamma of at least `LEAST_ROUND`; what chi, mu, s, Q and T must be at least is what the proof assumes.
          c_31 is the c of (31), N = 1 + U / Phi the escape phases, T the gradient estimates.
Source    ours, after Gauss-PSGD, Sections 4 and 5.

Against (5): one more iota under the step size and under the decrease. The powers of alpha, rho, M and psi are those of the paper. c is the
constant of (65). The errors are still martingale differences with fresh Gaussian noise in every step, as in Theorem 1: this repairs nothing
for the oracle of Algorithms 2 and 3, and it proves none of Lemmas 10 to 13 again.

Q, N, Gamma, eta and T depend on mu, and mu must be at least entries that depend on them. The proof takes any mu that is; that there is
one, and how one is found, is said in `bounds.gauss_psgd.fixed_point`. `theorem1` has the entries for the block that is rounded.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd import paper
from bounds.gauss_psgd.lemma1 import ALONG_THE_SADDLE, PER_MU, REACH, farther, p_none, rest_last
from bounds.gauss_psgd.lemmas_3_and_4 import OF_A_ROUND, a_round, p_round, p_sum
from bounds.gauss_psgd.lemmas_5_and_6 import BOTH_CASES, LENGTH, LOG_T, OF_A_NORMAL_STEP, OF_A_PHASE, p_any, p_phases, third, third_entry
from bounds.gauss_psgd.lemmas_18_to_20 import DISTANCES, b_Gamma, c_31, hessian_part, hessian_step, sampling_part, scale, size, stays_close
from bounds.gauss_psgd.meanings import BELOW_ONE
from bounds.gauss_psgd.paper import letters, root, tail
from bounds.lines import Step, line
from bounds.pages import chance, defined_by
from bounds.symbols import introduce

alpha, C, c, change, chi, d, err_norm, escapes, eta, F_next, F_now = letters("alpha C c change chi d err_norm escapes eta F_next F_now")
Gamma, Gamma_whole, iota, M, mu, omega, p_fail, p_noise, p_one = letters("Gamma Gamma_whole iota M mu omega p_fail p_noise p_one")
p_pair, phases, Phi, psi, Q, Q_whole, R, r, rho, s, scale_high = letters("p_pair phases Phi psi Q Q_whole R r rho s scale_high")
scale_low, sum_err, sum_sq, T, tau, U, a_sq, normal = letters("scale_low sum_err sum_sq T tau U a_t_sq normal_steps")

eta_whole = introduce("eta_whole", r"\eta'", "step size that goes with the whole number of steps", 1e-15, 1e2, "proof")
ROUNDED_UP = {eta: eta_whole, Gamma: Gamma_whole, Q: Q_whole}
log_far = introduce(
    "log_far", r"\Lambda_{\mathcal{R}}", "logarithm of twice the distance of an escape over the noise of a step", 1e-3, 60, "proof"
)
rest_next = size("rest_next", r"\|\mathscr{P}_h(t+1)+\mathscr{P}_{sg}(t+1)\|", "size of the others together, one step later")
p_step = chance("p_step", r"\text{a step of (34) fails}", "that one step of (34) fails")
p_total = chance("p_total", r"\text{the run fails}", "that anything of this fails")
p_rounds = chance("p_rounds", r"\text{(65) ever fails}", "that (65) fails in some round")
noise = c * psi**2
power = s ** sp.Rational(3, 2) * mu ** sp.Rational(5, 2)
per_normal_step = sp.Rational(3, 2) * eta * chi**2
LEAST_ROUND = paper.MENDED[Gamma]  # M^2 s^3 mu^4 / (rho alpha)
WHOLE = {  # Gamma is any number of at least LEAST_ROUND, eta smaller by the factor by which it is longer
    iota: paper.REPAIRED[iota],
    alpha: 4 * chi,
    eta: mu / (Gamma * root),
    R: paper.REPAIRED[R],
    Phi: paper.REPAIRED[Phi],
}
FOUR_PARTS = 4 * Q * escapes / omega
INSERT = "insert the block"


def repaired_block() -> Derivation:
    """Lemmas 20, 1, 4, 5, 6 and 2 for this block, and the union of all that may fail."""
    count = 8 * U * M**2 * s**6 * mu**8 / (sp.sqrt(rho) * alpha ** sp.Rational(5, 2))

    def equal(name: str, statement: str, lhs: sp.Expr, rhs: sp.Expr, at: str) -> Step:
        return line(name, lhs, "=", rhs).says(statement).because(INSERT).inserting(*at.split())

    share = 4 * c_31 * C * scale
    least, root_s, twice, first = 160 * c_31 * C, sp.sqrt(s), 2 * Gamma * tail, (6 * d * Gamma * log_far, "first_entry")
    R_over_reach = (R / PER_MU).xreplace({eta: mu / (LEAST_ROUND * root)})
    fits = "normal steps decrease F by Phi / Gamma at least, phases but the last by Phi, and nothing raises it"
    return Derivation(
        key="gauss_psgd.repaired_block",
        title="a parameter block that repairs Lemmas 1, 4, 20 and the union of Theorem 1",
        source="ours; after Lemma 1, Corollary 1, Lemma 2, Lemma 4, Lemma 5, Lemma 20 and Theorem 1 of Gauss-PSGD",
        spelled={**paper.SPELLED, "P_h": hessian_part, "P_sg": sampling_part},
        instances=(ROUNDED_UP,),
        facts=(
            *defined_by(WHOLE, "the repaired block"),
            paper.ALPHA_SMALL,
            line("long", Gamma, ">=", LEAST_ROUND).says("Gamma is rounded up").assumed(),
            line("large_s", s, ">=", 80 * c_31).says("s is large enough").assumed(),
            line("larger_s", s, ">=", least**2).says("s is large enough").assumed(),
            line("log_far", log_far, "=", sp.log(2 * R / (eta * r))).says("the logarithm of the first entry").defined(signs=("far",)),
            line("far", sp.log(2 * R / (eta * r)), ">=", 1).says("2 R >= e eta r").assumed(),
            line("first_entry", tail, "<=", 1 / (36 * d * Gamma * log_far)).says("iota >= log(36 d Gamma log(2 R / (eta r)))").assumed(),
            line("second_entry", 2**mu, ">=", paper.NEEDED).says("the second entry of mu").assumed(),
            line("fourth_entry", tail, "<=", 1 / FOUR_PARTS).says("iota >= log(4 Q N / omega)").assumed(),
            *stays_close(c_31, sp.Integer(2)),
            *ALONG_THE_SADDLE,
            line("scale_high", scale_high, "=", 16 * a_sq * eta**2 * M**2 * R**2)
            .says("B of Lemma 12: no difference is above 2 R")
            .defined(),
            line("scale_low", scale_low, "=", 4 * a_sq * eta**2 * M**2 * eta**2 * r**2).says("b of Lemma 12").defined(),
            line("others", rest_next, "<=", hessian_part + sampling_part).says("the two parts at t + 1").reasoned("triangle inequality"),
            line("rest", rest_last, "<=", b_Gamma * eta * r / 20)
            .says("(34) at t = Gamma")
            .reasoned("induction: at t = 0 and 1 the two parts are 0, from t to t + 1 it holds, and b grows with t", using=("at_next",)),
            line("step_fails", p_step, "<=", 4 * d * log_far * tail + 2 * tail)
            .says("(34) fails from t to t + 1: Lemma 12 with log(B/b) = 2 log(2 R / (eta r)), and (31)")
            .cited("Lemma 12 and Lemma 19 (31) of the paper", using=("scales",)),
            line("union", p_fail, "<=", Gamma * p_step).says("at most Gamma steps").reasoned("union bound"),
            line("one_escapes", p_pair, ">=", 1 - (p_fail + (1 - p_noise)))
            .says("a run of two escapes unless P_h + P_sg is too large at some t, or P_p(Gamma) too small")
            .reasoned("intersection of events; nothing is conditioned on the future", using=("escapes",)),
            line("single_run", p_pair, "<=", 2 * p_one)
            .says("Corollary 1: P(one of two escapes) <= 2 P(one run escapes)")
            .reasoned("union bound"),
            line("chi_1", chi, ">=", 4 * sp.sqrt(C) * s * mu**2 * psi).says("chi covers the errors").assumed(),
            line("chi_2", chi, ">=", sp.sqrt(c) * power * psi).says("chi covers the noise of a round").assumed(),
            third_entry,
            BELOW_ONE["omega"],
            LOG_T,
            line("N", escapes, "=", paper.NUMBER).says("N = 1 + U / Phi").defined(),
            line("rounds", sp.Rational(8, 7) ** (-Q), "<=", omega / (2 * escapes)).says("Q is large enough").assumed(),
            line("enough_T", T, ">=", escapes * (Q * Gamma + 1)).says("T covers all estimates").assumed(),
            *OF_A_ROUND,
            line("errors_of_the_round", sum_err, "<=", noise * (Gamma + iota))
            .says("(65) at tau = Gamma: the squared errors of the tau <= Gamma steps of a round, for every tau at once")
            .cited("Lemmas 10 and 13 of the paper; the sum grows with tau, and errors that are not drawn are 0"),
            line("length", err_norm, "<=", LENGTH).says("(73) by Lemma 5").shown("gauss_psgd.lemma5", "bound"),
            *OF_A_PHASE,
            *OF_A_NORMAL_STEP,
            line("paid", normal * Phi / Gamma + (phases - 1) * Phi, "<=", U)
            .says("U pays for all of them")
            .reasoned(fits, using=("pays", "decreases")),
            line("round_fails", p_round, "<=", 2 * tail)
            .says("(65), each round")
            .shown("gauss_psgd.corollary2", "failure", {p_sum: p_round}),
            line("some_round", p_rounds, "<=", Q * escapes * p_round)
            .says(
                "every one of Q rounds of N phases: which round succeeds depends on its noise, and that no more than U / Phi phases "
                "succeed has to hold in the next one too"
            )
            .reasoned("union bound"),
            line("all_fail", p_none, "<=", sp.Rational(8, 7) ** (-Q)).says("Lemma 2").reasoned("independent rounds", using=("one_run",)),
            line("some_phase", p_phases, "<=", escapes * p_none).says("N phases").reasoned("union bound"),
            line("some_error", p_any, "<=", omega / 2)
            .says("Lemma 5, whose union is over T estimates")
            .shown("gauss_psgd.lemma5", "failure"),
            line("total", p_total, "<=", p_any + p_rounds + p_phases)
            .says("Lemma 4, the phases or the estimates")
            .reasoned("union bound; the estimates are at most T", using=("estimates", "enough_T")),
        ),
        steps=(
            equal("growth", "the growth of a round of Gamma steps is mu still", eta * Gamma * root, mu, "eta"),
            equal("factor_h", "the factor of P_h, with R and Gamma", eta * rho * R * Gamma * sp.sqrt(iota), 1 / s, "eta radius iota"),
            line("factor_sg", eta * M * sp.sqrt(Gamma) * iota, "<=", 1 / sp.sqrt(s))
            .says("the factor of P_sg, with both roots of iota", "Gamma is at least M^2 iota^3 mu / (rho alpha)")
            .by(
                (1 / (sp.sqrt(s * Gamma) * (sp.sqrt(Gamma) + sp.sqrt(LEAST_ROUND))), "long"),
                at=("iota",),
                modulo=((-M * sp.sqrt(Gamma) * iota, "eta"),),
            ),
            equal("worth", "what the distance R of an escape is worth", R**2 / (4 * eta * Gamma), 2 * Phi, "eta radius decrease iota"),
            equal("over_iota", "the least Gamma over iota", LEAST_ROUND / iota, M**2 * s**2 * mu**3 / (rho * alpha), "iota"),
            line("few", Gamma, ">=", iota)
            .says("so Gamma >= iota", "rho alpha <= M^2, s >= 1, mu >= 1")
            .by(
                "long",
                (iota * M**2 * (s + 1) * mu**3 / (rho * alpha), "s >= 1"),
                (iota * M**2 * (mu**2 + mu + 1) / (rho * alpha), "log_factor >= 1"),
                (iota / alpha, "standing"),
                modulo=((iota, "over_iota"),),
            ),
            equal("count", "the count of steps that decrease F, at the least Gamma, in Phi", U * LEAST_ROUND / Phi, count, "decrease iota"),
            equal(
                "share",
                "a step of a round that succeeds decreases F by less than a normal step, Phi / Gamma over that",
                Phi / Gamma / per_normal_step,
                sp.Rational(4, 3) / (s**3 * mu**5),
                "decrease eta iota accuracy",
            ),
            line("small_step", eta, "<=", 1 / M)
            .says("eta <= 1/M, which the descent lemma needs", "Gamma is long enough, M >= sqrt(rho alpha)")
            .by(
                (1 / (M * Gamma), "long"),
                (mu * M * mu**3 * (s**2 + s + 1) / (Gamma * rho * alpha), "s >= 1"),
                (mu * M * (mu**2 + mu + 1) / (Gamma * rho * alpha), "log_factor >= 1"),
                (mu / (Gamma * alpha * (M + root)), "standing"),
                modulo=((-1, "eta"),),
            ),
            *DISTANCES,
            hessian_step(c_31),
            line("twice_smooth")
            .says("a sampling error is norm-subGaussian with 2 M ||x_hat||; ||x_hat|| <= 2 c b eta r sqrt(iota), and <= 2 R on E")
            .because("M-smoothness of every sample and of F")
            .reasoned("so Lemma 12 applies with B and b as above", using=("distance",)),
            line("scales", scale_high, "=", scale_low * (2 * R / (eta * r)) ** 2)
            .says("B over b of Lemma 12, the scales of its sum, is the square of 2 R / (eta r)", "insert both")
            .inserting("scale_high", "scale_low"),
            line("two_roots", sp.sqrt(sum_sq * iota), "=", 4 * c_31 * eta * M * sp.sqrt(Gamma) * iota * scale)
            .says("Lemma 12: one root of iota from the distance, one from the lemma (constant C of the lemma apart)")
            .because("insert the squared constants")
            .inserting("sum_sq", "most_apart"),
            line("sampling_part", sampling_part, "<=", scale / 40)
            .says("so the part P_sg of sampling is at most b eta r / 40", "s >= (160 c C)^2")
            .by("lemma_12", (share, "factor_sg"), (scale / (40 * root_s * (root_s + least)), "larger_s"), modulo=((-C, "two_roots"),)),
            line("at_next", rest_next, "<=", scale / 20)
            .says("(34) at t + 1: the two others together are at most b eta r / 20", "both parts")
            .by("others", "hessian_part", "sampling_part"),
            line("failure_of_lemma_20", p_fail, "<=", sp.Rational(1, 6))
            .says("the failure of Lemma 20 in a round", "the first entry of mu; 4 d log + 2 <= 6 d log")
            .by("union", (Gamma, "step_fails"), (twice * log_far, "d >= 1"), (twice, "far"), first, modulo=((twice, "log_far"),)),
            *REACH,
            line("in_units_of_R", R_over_reach, "=", 40 * sp.sqrt(2) * M * sp.sqrt(alpha) / (sp.sqrt(rho) * r))
            .says("R over that reach, at the least Gamma")
            .because(INSERT)
            .inserting("radius", "iota"),
            line("escapes", farther, ">=", R)
            .says("so the farther run is at least at R", "the second entry of mu")
            .by("at_smallest", (PER_MU, "second_entry")),
            line("one_of_two", p_pair, ">=", sp.Rational(1, 2))
            .says("hence one of the two runs escapes with probability at least 1/2", "Lemma 20, and Lemma 19 (32) at t = Gamma")
            .by("one_escapes", "failure_of_lemma_20", "likely"),
            line("one_run", p_one, ">=", sp.Rational(1, 8))
            .says("Corollary 1: one run escapes with probability at least 1/8, twice of which Lemma 1 claims for a run of two")
            .because("half of a half is more")
            .by((sp.Rational(1, 2), "single_run"), (sp.Rational(1, 2), "one_of_two"), sp.Rational(1, 8)),
            paper.ENOUGH_TRIES,
            *a_round(Gamma + iota),
            line("change_of_the_round", -change, ">=", R**2 / (4 * eta * Gamma) - eta * noise * (Gamma + iota))
            .says("Lemma 4, (70): the change of F", "tau <= Gamma")
            .by("change_after_tau", (R**2 / (4 * eta * tau * Gamma), "in_time")),
            line("noise_term", 2 * noise * eta * Gamma, "<=", Phi)
            .says("the noise term of (70) is at most Phi, psi that of the errors", "sqrt(c) psi is at most alpha / (4 s^(3/2) mu^(5/2))")
            .by(
                (2 * mu / root / power, chi / power + sp.sqrt(c) * psi, "chi_2"),
                at=("accuracy", "iota", "decrease"),
                modulo=((-2 * noise / root, "growth"),),
            ),
            line("decreases", -change, ">=", Phi)
            .says("so a round that succeeds decreases F by Phi", "the first term is 2 Phi, and iota <= Gamma")
            .by("change_of_the_round", "noise_term", (eta * noise, "few"), modulo=((1, "worth"),)),
            line("covers", chi, ">=", LENGTH)
            .says("Lemma 5: chi covers every error", "chi >= 4 sqrt(C) s mu^2 psi, and mu is at least the third entry of (6)")
            .by("chi_1", (4 * sp.sqrt(C) * s * psi, mu + third, "third_entry")),
            line("error", err_norm, "<=", chi).says("so every error is at most chi").because("Lemma 5").by("length", "covers"),
            *BOTH_CASES,
            line("s_above_2", s, ">=", 2)
            .says("s is at least 2", "80 c >= 160 sqrt(2)")
            .by("large_s", (80, "constant"), 160 * sp.sqrt(2) - 2),
            line("pays", F_now - F_next, ">=", Phi / Gamma)
            .says("a normal step decreases the loss by more than Phi / Gamma", "s^3 mu^5 >= 4/3")
            .by(
                "falls",
                (per_normal_step / s**3 * (s**2 + 2 * s + 4), "s_above_2"),
                (8 * per_normal_step / (s**3 * mu**5) * (mu**4 + mu**3 + mu**2 + mu + 1), "log_factor >= 1"),
                (per_normal_step / (s**3 * mu**5), sp.Rational(20, 3)),
                modulo=((-per_normal_step, "share"),),
            ),
            line("phases", phases, "<=", escapes)
            .says("phases that a run enters", "phases that succeed decrease F by Phi each")
            .by((1 / Phi, "paid"), normal / Gamma, modulo=((1, "N"),)),
            line("estimates", normal + phases * (Q * Gamma + 1), "<=", escapes * (Q * Gamma + 1))
            .says("estimates in all: one in step 4 and Gamma in each of Q rounds of a phase, and those of normal steps")
            .because("at most (N - phases) Gamma normal steps fit beside the phases")
            .by((Gamma / Phi, "paid"), (Gamma, "Q >= 1", "phases"), "phases", modulo=((Gamma, "N"),)),
            line("rounds_fail", p_rounds, "<=", omega / 2)
            .says("Theorem 1: Lemma 4 fails in some round", "the fourth entry of mu")
            .by("some_round", (Q * escapes, "round_fails"), (2 * Q * escapes, "fourth_entry")),
            line("phase_fails", p_none, "<=", omega / (2 * escapes))
            .says("Lemma 2: none of Q rounds escapes with probability at most omega / (2 N)", "(8/7)^Q >= 2 N / omega")
            .by("all_fail", "rounds"),
            line("phases_fail", p_phases, "<=", omega / 2)
            .says("so some of N phases fails with omega / 2", "union bound")
            .by("some_phase", (escapes, "phase_fails")),
            line("failure", p_total, "<=", 3 * omega / 2)
            .says("with Lemma 5 that is 3 omega / 2 in all: run with two thirds of omega")
            .because("omega/2 each for Lemma 4, for the phases and for the estimates")
            .by("total", "some_error", "rounds_fail", "phases_fail"),
            line("returned")
            .says("the phase that ends the run returns the saddle it started from, not its last iterate")
            .because("only there do Lemma 5 and the test hold")
            .reasoned("a change of step 20 of Algorithm 1"),
        ),
    )
