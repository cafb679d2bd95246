"""How much F falls in the steps of a round, and in a round that succeeds: Lemma 3, Corollary 2, and Lemma 4 as far as its proof goes.

Setting   F M-smooth, eta <= 1/M, g_hat_t = grad F(x_{t-1}) + nu_t.
Source    Gauss-PSGD, Lemmas 3 and 4, Corollary 2, (7), (8); Appendices B.3 to B.5, (54) to (72).

Lemma 4 as printed is false: (71) gives R^2/(4 eta Gamma) a factor iota too much. A slope g x_1 with g a little above R/(eta Gamma)
passes the drift test and falls by only 9.6 Phi/iota.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd import paper
from bounds.gauss_psgd.meanings import CHANGE, PSI, SUM_ERR, SUM_GRAD
from bounds.gauss_psgd.paper import ABSOLUTE, ORACLE, SMALL_STEP, by_block, half, letters, proved, root, stated, tail
from bounds.lines import Cited, Reasoned, Step, line
from bounds.meanings import introduce_average
from bounds.pages import chance
from bounds.symbols import introduce
from bounds.theorem import Condition, Part

a_i, a_j, alpha, c, C, change, d, err_norm, eta, F_first, F_last = letters("a_i a_j alpha c C change d err_norm eta F_first F_last")
F_next, F_now, Gamma, grad_est, grad_norm, iota, M, mean_err = letters("F_next F_now Gamma grad_est grad_norm iota M mean_err")
mean_grad, moved_sq, mu, Phi, psi, R, r, rho, s, sigma, sum_err = letters("mean_grad moved_sq mu Phi psi R r rho s sigma sum_err")
sum_grad, t, T, tau, zeta = letters("sum_grad t T tau zeta")

p_sum = chance("p_sum", r"(8)\text{ fails}", "the contrary of (8)")
MEASURE = "F(x_{t_0+t}) - F(x_{t_0})"
STEP_BELOW_1_OVER_M = Condition(sp.Le(eta, 1 / M), "eta = {value} is above 1/ell = {limit}, where the descent lemma is of no use")
LEMMA_3 = stated(
    "Lemma 3 (descent)",
    "(7)",
    measure=MEASURE,
    assumptions=("F is ell-smooth",),
    bound=-eta / 2 * sum_grad + eta / 2 * sum_err,
    measured=change,
    conditions=(STEP_BELOW_1_OVER_M,),
    notes=("gradients are taken at x_{t_0}, ..., x_{t_0+t-1}, the errors are nu_{t_0+1}, ..., nu_{t_0+t}; it holds for every noise",),
)
COROLLARY_2 = stated(
    "Corollary 2 (descent with noise bounded)",
    "(8)",
    measure=MEASURE,
    assumptions=("F is ell-smooth", *ORACLE),
    bound=-eta / 2 * sum_grad + c * eta * psi**2 * (t + iota),
    measured=change,
    parts=(Part("failure", "probability of the contrary", "<=", 2 * tail, p_sum),),
    conditions=(STEP_BELOW_1_OVER_M,),
    in_letters=(sp.Ge(c, 8 * C),),
    notes=("for a fixed t; c_abs is at least 8 times the constant of Lemma 13", ABSOLUTE),
)
sq_grad = introduce("sq_grad", r"\|\nabla F(x_{t-1})\|^2", "squared norm of the gradient of F", 0, 1e6, "step")
sq_est = introduce("sq_est", r"\|\hat g_t\|^2", "squared norm of the private estimate", 0, 1e6, "step")
sq_err = introduce("sq_err", r"\|\nu_t\|^2", "squared norm of the error of the estimate", 0, 1e6, "step")
introduce_average(sq_grad, mean_grad)
introduce_average(sq_err, mean_err)
p_zeta = chance("p_zeta", r"(61)\text{ fails}", "the sampling errors are larger")
p_xi = chance("p_xi", r"(62)\text{ fails}", "the added noises are larger")
p_round = chance("p_round", r"\text{(65) fails}", "that (65) fails in one round")
sum_zeta = introduce("sum_zeta", r"\sum\|\zeta_t\|^2", "squared sampling errors, summed over the steps", 0, 1e9, "proof")
sum_xi = introduce("sum_xi", r"\sum\|\xi_t\|^2", "squared added noises, summed over the steps", 0, 1e9, "proof")
BY_LEMMA_3 = line("lemma_3", change, "<=", -eta / 2 * sum_grad + eta / 2 * sum_err).says("Lemma 3").shown("gauss_psgd.lemma3", "bound")


def lemma3() -> Derivation:
    """Smoothness and the law of cosines for one step, summed over a round."""
    return proved(
        "lemma3",
        "descent with an error in the gradient",
        "Lemma 3, (54) to (59), with g_hat_t where (55) to (57) have g_hat_{t-1}",
        proves=LEMMA_3,
        instances=({sq_grad: grad_norm**2, sq_err: err_norm**2},),
        facts=(
            SMALL_STEP,
            line("smooth", F_next, "<=", F_now - eta * grad_est + M / 2 * eta**2 * sq_est)
            .says("(54), (55): F(x_t) <= F(x_{t-1}) + <grad F, x_t - x_{t-1}> + (M/2) ||x_t - x_{t-1}||^2, and the step is -eta g_hat_t")
            .reasoned("Taylor's theorem, F is M-smooth"),
            line("polarised", grad_est, "=", (sq_grad + sq_est - sq_err) / 2)
            .says("(57): the law of cosines for g_hat_t - grad F = nu_t")
            .reasoned("coordinate by coordinate", using=("cosines",)),
            CHANGE,
            SUM_GRAD,
            SUM_ERR,
        ),
        steps=(
            line("cosines", -a_i * (a_i + a_j), "=", half * (a_j**2 - a_i**2 - (a_i + a_j) ** 2))
            .says("(57), a coordinate a_i of the gradient and a_j of the error: the law of cosines", "multiply out")
            .identity(),
            line("after_a_step", F_next, "<=", F_now - eta * grad_est + eta / 2 * sq_est)
            .says("(56): the loss after the step -eta g_hat_t", "eta M <= 1")
            .by("smooth", (M * eta / 2 * sq_est, "small_step")),
            line("one_step", F_next, "<=", F_now - eta / 2 * sq_grad + eta / 2 * sq_err)
            .says("(58): the squares of g_hat_t cancel, so the loss after the step is at most", "the law of cosines")
            .by("after_a_step", modulo=((eta, "polarised"),)),
            line("averaged", eta / 2 * mean_grad, "<=", (F_first - F_last) / T + eta / 2 * mean_err)
            .says("(59): averaged over the steps, the decreases of F telescope", "the line holds at every step")
            .averaging("one_step"),
            line("bound", change, "<=", -eta / 2 * sum_grad + eta / 2 * sum_err)
            .says("(7): summed over the steps, the change of F", "a sum is its mean times the number of steps")
            .by((T, "averaged"), modulo=((-1, "change"), (-eta / 2, "sum_grad"), (eta / 2, "sum_err"))),
        ),
    )


def corollary2() -> Derivation:
    """Lemma 3, and Lemma 13 for each of the two parts of the errors."""
    number = t + iota
    lemma_13 = Cited("Jin, Netrapalli, Ge, Kakade, Jordan (2021), J. ACM 68(2), Lemma C.7; Lemma 13 of the paper")
    constant = 2 * sp.sqrt(2) * r * sp.sqrt(d)
    return proved(
        "corollary2",
        "descent with noise of size psi",
        "Corollary 2, (60) to (62); t fixed, errors that are martingale differences",
        proves=COROLLARY_2,
        shows={"failure": "failure"},
        instances=({p_sum: p_round},),
        facts=(
            SMALL_STEP,
            BY_LEMMA_3,
            line("split", sum_err, "<=", 2 * sum_zeta + 2 * sum_xi)
            .says("(60): nu = zeta + xi")
            .reasoned("in every step and coordinate", using=("twice",)),
            line("sampling_errors", sum_zeta, "<=", C * sigma**2 * number).says("(61) by Lemma 13: sum ||zeta||^2").certified(lemma_13),
            line("lemma_10", zeta, "=", constant)
            .says("xi is norm-subGaussian with this constant")
            .cited("the same authors (2019), arXiv:1902.03736, Lemma 1; Lemma 10 of the paper"),
            line("lemma_13", sum_xi, "<=", C * zeta**2 * number).says("Lemma 13: sum ||xi||^2").certified(lemma_13),
            line("may_fail", p_zeta, "<=", tail).says("with this failure").certified(lemma_13),
            line("may_fail_2", p_xi, "<=", tail).says("with this failure").certified(lemma_13),
            line("union", p_sum, "<=", p_zeta + p_xi).says("one of the two fails").reasoned("union bound"),
            line("c_abs", c, ">=", 8 * C).says("c of (8) is large enough").assumed(),
            PSI,
        ),
        steps=(
            line("twice", (a_i + a_j) ** 2, "<=", 2 * a_i**2 + 2 * a_j**2)
            .says("(60), a coordinate a_i of zeta and a_j of xi: ||zeta + xi||^2 <= 2 ||zeta||^2 + 2 ||xi||^2", "(a - b)^2 >= 0")
            .by((a_i - a_j) ** 2),
            line("added_noises", sum_xi, "<=", 8 * C * r**2 * d * number)
            .says("(62): so the sum of the squared added noises ||xi||^2 is at most", "Lemma 13 with the constant of Lemma 10")
            .by("lemma_13", modulo=((-C * number * (zeta + constant), "lemma_10"),)),
            line("failure", p_sum, "<=", 2 * tail)
            .says("the probability of the contrary", "Lemma 13, twice")
            .by("union", "may_fail", "may_fail_2"),
            line("bound", change, "<=", -eta / 2 * sum_grad + c * eta * psi**2 * number)
            .says("(8) with c >= 8 C: the change of F", "psi^2 = sigma^2 + r^2 d")
            .by(
                "lemma_3",
                (eta / 2, "split"),
                (eta, "sampling_errors"),
                (eta, "added_noises"),
                (7 * C * eta * sigma**2, number),
                (eta * psi**2 * number, "c_abs"),
                at=("psi",),
            ),
        ),
    )


proved_change = -(R**2) / (4 * eta * Gamma) + c * eta * psi**2 * (Gamma + iota)  # (70)
ENOUGH_DECREASE = Condition(
    sp.Le(proved_change, -Phi), "the proof gives a change of F of at most {value}, not {limit} = -decrease: (71) does not follow"
)
LEMMA_4 = stated(
    "Lemma 4 (decrease by an escape)",
    measure="F(x_{t_0+tau}) - F(x_{t_0})",
    assumptions=(*paper.ASSUMPTION_1, *paper.ORACLE, "a round from x_{t_0} is the radius away after tau <= Gamma steps"),
    **paper.AT_BLOCK,
    bound=-Phi,
    measured=change,
    parts=(
        Part("failure", "probability of the contrary", "<=", 2 * tail),
        Part("proof", "what the proof gives, up to (70)", "<=", proved_change),
    ),
    conditions=(paper.STANDING, STEP_BELOW_1_OVER_M, ENOUGH_DECREASE),
    notes=("as printed it is false by a factor iota; the proof does not count a union over tau", paper.GIVEN_MU, paper.ABSOLUTE),
)
SUCCEEDS = Reasoned("that is what it is to succeed")
OF_A_ROUND = (  # what is taken about a round that succeeds; `small_step`, and `errors_of_the_round` on its errors, come with the block
    BY_LEMMA_3,
    line("moved", moved_sq, "<=", 2 * eta**2 * tau * (sum_grad + sum_err))
    .says("(63), (64): ||x_tau - x_0||^2 <= eta^2 tau sum ||g_hat||^2 <= 2 eta^2 tau (sum ||grad F||^2 + sum ||nu||^2)")
    .reasoned("Cauchy-Schwarz, then ||a + b||^2 <= 2 ||a||^2 + 2 ||b||^2"),
    line("succeeds", moved_sq, ">=", R**2).says("the round ends at the distance R at least").certified(SUCCEEDS),
    line("in_time", tau, "<=", Gamma).says("after at most Gamma steps").certified(SUCCEEDS),
)


def a_round(count: sp.Expr) -> tuple[Step, ...]:
    """Return the steps to (68), where the squared errors sum to c psi^2 times this count."""
    return (
        line("gradients", sum_grad, "<=", -2 / eta * change + sum_err)
        .says("(66): Lemma 3 solved for the gradients, summed over the steps", "divide by eta/2")
        .by((2 / eta, "lemma_3")),
        line("covered", moved_sq, "<=", -4 * eta * tau * change + 4 * eta**2 * tau * c * psi**2 * count)
        .says("(67): so the squared distance that the round covers", "(66), (65)")
        .by("moved", (2 * eta**2 * tau, "gradients"), (4 * eta**2 * tau, "errors_of_the_round")),
        line("change_after_tau", -change, ">=", R**2 / (4 * eta * tau) - eta * c * psi**2 * count)
        .says("(68): solved for the change of F", "||x_tau - x_0|| >= R")
        .by((1 / (4 * eta * tau), "covered"), (1 / (4 * eta * tau), "succeeds")),
    )


def lemma4() -> Derivation:
    """Lemma 3 and Cauchy-Schwarz up to (70); what is left of it is less than (71) says."""
    noise = c * psi**2
    small, large = rho * alpha / (M**2 * s * mu**2), iota * M**2 / (rho * alpha)
    return proved(
        "lemma4",
        "how much the loss falls in a round that succeeds, as far as the proof goes",
        "Lemma 4, (63) to (70)",
        facts=(
            *paper.PRINTED_LINES,
            paper.ALPHA_SMALL,
            paper.SMALL_STEP_BY_5,
            *OF_A_ROUND,
            line("errors_of_the_round", sum_err, "<=", noise * (tau + iota))
            .says("(65): sum ||nu||^2, with c = 16 times the constant of Lemma 13; for a fixed tau, the paper has no union over tau")
            .cited("Lemmas 10 and 13 of the paper, as in Corollary 2"),
        ),
        steps=(
            *a_round(tau + iota),
            line("change_of_the_round", -change, ">=", R**2 / (4 * eta * Gamma) - eta * noise * (Gamma + iota))
            .says("(69), (70): for tau <= Gamma, the change of F", "both terms are smallest at tau = Gamma")
            .by("change_after_tau", (R**2 / (4 * eta * tau * Gamma), "in_time"), (eta * noise, "in_time")),
            by_block("comparison", "the number that compares iota with Gamma: s eta sqrt(rho alpha)", s * eta * root, small),
            line("two_Gamma", Gamma + iota, "<=", 2 * Gamma)
            .says("so Gamma + iota <= 2 Gamma", "Gamma = iota / (s eta sqrt(rho alpha)), rho alpha <= M^2, s >= 1 and mu >= 1")
            .by((large * mu**2, "s >= 1"), (large * (mu + 1), "log_factor >= 1"), (iota / alpha, "standing"), at=("Gamma", "eta", "iota")),
            by_block(
                "first_term",
                "the first term of (70): iota^4 where (71) prints iota^3, see printed_71",
                R**2 / (4 * eta * Gamma),
                2 * Phi / iota,
            ),
            by_block("second_term", "the second, with c over 16 C", 2 * eta * noise * Gamma, c / (16 * C) * Phi),
            line("left", -change, ">=", (2 / iota - c / (16 * C)) * Phi)
            .says("which leaves a decrease of (2/iota - c/(16 C)) Phi, not Phi; it is not even positive once iota >= 32 C / c")
            .because("Gamma + iota <= 2 Gamma")
            .by("change_of_the_round", (eta * noise, "two_Gamma"), modulo=((1, "first_term"), (-1, "second_term"))),
        ),
    )
