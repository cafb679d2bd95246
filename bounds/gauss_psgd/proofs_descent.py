"""How much the loss falls: Lemma 3, Corollary 2, Lemma 4.

Setting   F M-smooth, eta <= 1/M, g_hat_t = grad F(x_{t-1}) + nu_t.
Source    Gauss-PSGD, Appendices B.3 to B.5, (54) to (72).

The chain of Lemma 4 ends below the printed claim: (71) has one iota too few.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import (
    GIVENS,
    Assumed,
    Cited,
    Derivation,
    Identity,
    NonNegative,
    Reasoned,
    Shown,
    Step,
    Telescoped,
    fact,
    line,
)
from bounds.gauss_psgd.descent import COROLLARY_2, LEMMA_3, p_sum
from bounds.gauss_psgd.proofs_block import (
    FIVE,
    PAPER,
    SPELLED,
    STANDING,
    C,
    Gamma,
    M,
    Phi,
    R,
    alpha,
    by_block,
    c,
    d,
    eta,
    iota,
    mu,
    psi,
    r,
    rho,
    s,
    sigma,
    t,
)
from bounds.meanings import CHANGE, PSI, SUM_ERR, SUM_GRAD, introduce_average
from bounds.symbols import Letter, T, introduce, symbols

F_now, F_next, F_first, F_last, grad_est, grad_norm, err_norm, a_i, a_j = symbols(
    "F_now F_next F_first F_last grad_est grad_norm err_norm a_i a_j"
)
sum_grad, sum_err, mean_grad, mean_err, change, moved_sq, tau, zeta = symbols(
    "sum_grad sum_err mean_grad mean_err change moved_sq tau zeta"
)
sq_grad = introduce(Letter("sq_grad", r"\|\nabla F(x_{t-1})\|^2", "squared norm of the gradient of F", 0, 1e6, "step"))
sq_est = introduce(Letter("sq_est", r"\|\hat g_t\|^2", "squared norm of the private estimate", 0, 1e6, "step"))
sq_err = introduce(Letter("sq_err", r"\|\nu_t\|^2", "squared norm of the error of the estimate", 0, 1e6, "step"))
introduce_average(sq_grad, mean_grad)
introduce_average(sq_err, mean_err)
sum_zeta = introduce(Letter("sum_zeta", r"\sum\|\zeta_t\|^2", "squared sampling errors, summed over the steps", 0, 1e9, "proof"))
sum_xi = introduce(Letter("sum_xi", r"\sum\|\xi_t\|^2", "squared added noises, summed over the steps", 0, 1e9, "proof"))
p_zeta = introduce(Letter("p_zeta", r"\mathbb{P}((61)\text{ fails})", "the sampling errors are larger", 0, 1, "probability"))
p_xi = introduce(Letter("p_xi", r"\mathbb{P}((62)\text{ fails})", "the added noises are larger", 0, 1, "probability"))
p_round = introduce(Letter("p_round", r"\mathbb{P}(\text{(65) fails})", "that (65) fails in one round", 0, 1, "probability"))

half = sp.Rational(1, 2)
small_step = fact("small_step", "eta <= 1/M", eta, "<=", 1 / M, Assumed())


def lemma3() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="gauss_psgd.lemma3",
        title="descent with an error in the gradient",
        source=f"{PAPER}, Lemma 3, (54) to (59), with g_hat_t where (55) to (57) have g_hat_{{t-1}}",
        proves=LEMMA_3,
        instances=({sq_grad: grad_norm**2, sq_err: err_norm**2},),
        spelled=SPELLED,
        facts=(
            small_step,
            fact(
                "smooth",
                "(54), (55): F(x_t) <= F(x_{t-1}) + <grad F, x_t - x_{t-1}> + (M/2) ||x_t - x_{t-1}||^2, and the step is -eta g_hat_t",
                F_next,
                "<=",
                F_now - eta * grad_est + M / 2 * eta**2 * sq_est,
                Reasoned("Taylor's theorem, F is M-smooth"),
            ),
            fact(
                "polarised",
                "(57): the law of cosines for g_hat_t - grad F = nu_t",
                grad_est,
                "=",
                (sq_grad + sq_est - sq_err) / 2,
                Reasoned("coordinate by coordinate", using=("cosines",)),
            ),
            CHANGE,
            SUM_GRAD,
            SUM_ERR,
        ),
        steps=(
            line(
                "cosines",
                "(57), a coordinate a_i of the gradient and a_j of the error: the law of cosines",
                -a_i * (a_i + a_j),
                "=",
                half * (a_j**2 - a_i**2 - (a_i + a_j) ** 2),
                "multiply out",
                Identity(),
            ),
            line(
                "fifty_six",
                "(56): the loss after the step -eta g_hat_t",
                F_next,
                "<=",
                F_now - eta * grad_est + eta / 2 * sq_est,
                "eta M <= 1",
                NonNegative((("smooth",), (M * eta / 2 * sq_est, "small_step"))),
                where=GIVENS,
            ),
            line(
                "one_step",
                "(58): the squares of g_hat_t cancel, so the loss after the step is at most",
                F_next,
                "<=",
                F_now - eta / 2 * sq_grad + eta / 2 * sq_err,
                "the law of cosines",
                NonNegative((("fifty_six",),), modulo=((eta, "polarised"),)),
                where=GIVENS,
            ),
            line(
                "averaged",
                "(59): averaged over the steps, the decreases of F telescope",
                eta / 2 * mean_grad,
                "<=",
                (F_first - F_last) / T + eta / 2 * mean_err,
                "the line holds at every step",
                Telescoped("one_step"),
                where=GIVENS,
            ),
            line(
                "bound",
                "(7): summed over the steps, the change of F",
                change,
                "<=",
                -eta / 2 * sum_grad + eta / 2 * sum_err,
                "a sum is its mean times the number of steps",
                NonNegative(((T, "averaged"),), modulo=((-1, "change"), (-eta / 2, "sum_grad"), (eta / 2, "sum_err"))),
                where=GIVENS,
            ),
        ),
    )


def corollary2() -> Derivation:
    """Write the proof out."""
    tail, number = sp.exp(-iota), t + iota
    lemma_13 = Cited("Jin, Netrapalli, Ge, Kakade, Jordan (2021), J. ACM 68(2), Lemma C.7; Lemma 13 of the paper")
    constant = 2 * sp.sqrt(2) * r * sp.sqrt(d)
    return Derivation(
        key="gauss_psgd.corollary2",
        title="descent with noise of size psi",
        source=f"{PAPER}, Corollary 2, (60) to (62); t fixed, errors that are martingale differences",
        proves=COROLLARY_2,
        shows={"failure": "failure"},
        instances=({p_sum: p_round},),
        spelled=SPELLED,
        facts=(
            small_step,
            fact("lemma_3", "Lemma 3", change, "<=", -eta / 2 * sum_grad + eta / 2 * sum_err, Shown("gauss_psgd.lemma3", "bound")),
            fact(
                "split",
                "(60): nu = zeta + xi",
                sum_err,
                "<=",
                2 * sum_zeta + 2 * sum_xi,
                Reasoned("in every step and coordinate", using=("twice",)),
            ),
            fact("sixty_one", "(61) by Lemma 13: sum ||zeta||^2", sum_zeta, "<=", C * sigma**2 * number, lemma_13),
            fact(
                "lemma_10",
                "xi is norm-subGaussian with this constant",
                zeta,
                "=",
                constant,
                Cited("the same authors (2019), arXiv:1902.03736, Lemma 1; Lemma 10 of the paper"),
            ),
            fact("lemma_13", "Lemma 13: sum ||xi||^2", sum_xi, "<=", C * zeta**2 * number, lemma_13),
            fact("may_fail", "with this failure", p_zeta, "<=", tail, lemma_13),
            fact("may_fail_2", "with this failure", p_xi, "<=", tail, lemma_13),
            fact("union", "one of the two fails", p_sum, "<=", p_zeta + p_xi, Reasoned("union bound")),
            fact("c_abs", "c of (8) is large enough", c, ">=", 8 * C, Assumed()),
            PSI,
        ),
        steps=(
            line(
                "twice",
                "(60), a coordinate a_i of zeta and a_j of xi: ||zeta + xi||^2 <= 2 ||zeta||^2 + 2 ||xi||^2",
                (a_i + a_j) ** 2,
                "<=",
                2 * a_i**2 + 2 * a_j**2,
                "(a - b)^2 >= 0",
                NonNegative((((a_i - a_j) ** 2,),)),
            ),
            line(
                "sixty_two",
                "(62): so the sum of the squared added noises ||xi||^2 is at most",
                sum_xi,
                "<=",
                8 * C * r**2 * d * number,
                "Lemma 13 with the constant of Lemma 10",
                NonNegative((("lemma_13",),), modulo=((-C * number * (zeta + constant), "lemma_10"),)),
                where=GIVENS,
            ),
            line(
                "failure",
                "the probability of the contrary",
                p_sum,
                "<=",
                2 * tail,
                "Lemma 13, twice",
                NonNegative((("union",), ("may_fail",), ("may_fail_2",))),
                where=GIVENS,
            ),
            line(
                "bound",
                "(8) with c >= 8 C: the change of F",
                change,
                "<=",
                -eta / 2 * sum_grad + c * eta * psi**2 * number,
                "psi^2 = sigma^2 + r^2 d",
                NonNegative(
                    (
                        ("lemma_3",),
                        (eta / 2, "split"),
                        (eta, "sixty_one"),
                        (eta, "sixty_two"),
                        (7 * C * eta * sigma**2, number),
                        (eta * psi**2 * number, "c_abs"),
                    ),
                    at=("psi",),
                ),
                where=GIVENS,
            ),
        ),
    )


def lemma4() -> Derivation:
    """Write out what holds of the proof."""
    noise = c * psi**2
    root = sp.sqrt(rho * alpha)
    small = rho * alpha / (M**2 * s * mu**2)
    return Derivation(
        key="gauss_psgd.lemma4",
        title="how much the loss falls in a round that succeeds, as far as the proof goes",
        source=f"{PAPER}, Lemma 4, (63) to (70)",
        spelled=SPELLED,
        facts=(
            *FIVE,
            STANDING,
            fact("small_step", "eta <= 1/M by (5)", eta, "<=", 1 / M, Shown("gauss_psgd.parameter_block", "small_step")),
            *of_a_round(),
            fact(
                "sixty_five",
                "(65): sum ||nu||^2, with c = 16 times the constant of Lemma 13; for a fixed tau, the paper has no union over tau",
                sum_err,
                "<=",
                noise * (tau + iota),
                Cited("Lemmas 10 and 13 of the paper, as in Corollary 2"),
            ),
        ),
        steps=(
            *a_round(tau + iota),
            line(
                "seventy",
                "(69), (70): for tau <= Gamma, the change of F",
                -change,
                ">=",
                R**2 / (4 * eta * Gamma) - eta * noise * (Gamma + iota),
                "both terms are smallest at tau = Gamma",
                NonNegative((("sixty_eight",), (R**2 / (4 * eta * tau * Gamma), "in_time"), (eta * noise, "in_time"))),
                where=GIVENS,
            ),
            by_block("comparison", "the number that compares iota with Gamma: s eta sqrt(rho alpha)", s * eta * root, small),
            line(
                "two_Gamma",
                "so Gamma + iota <= 2 Gamma",
                Gamma + iota,
                "<=",
                2 * Gamma,
                "Gamma = iota / (s eta sqrt(rho alpha)), rho alpha <= M^2, s >= 1 and mu >= 1",
                NonNegative(
                    (
                        (iota * M**2 * mu**2 / (rho * alpha), "s >= 1"),
                        (iota * M**2 * (mu + 1) / (rho * alpha), "log_factor >= 1"),
                        (iota / alpha, "standing"),
                    ),
                    at=("Gamma", "eta", "iota"),
                ),
                where=GIVENS,
            ),
            by_block(
                "first_term",
                "the first term of (70): iota^4 where (71) prints iota^3, see printed_71",
                R**2 / (4 * eta * Gamma),
                2 * Phi / iota,
            ),
            by_block("second_term", "the second, with c over 16 C", 2 * eta * noise * Gamma, c / (16 * C) * Phi),
            line(
                "left",
                "which leaves a decrease of (2/iota - c/(16 C)) Phi, not Phi; it is not even positive once iota >= 32 C / c",
                -change,
                ">=",
                (2 / iota - c / (16 * C)) * Phi,
                "Gamma + iota <= 2 Gamma",
                NonNegative((("seventy",), (eta * noise, "two_Gamma")), modulo=((1, "first_term"), (-1, "second_term"))),
                where=GIVENS,
            ),
        ),
    )


def of_a_round() -> tuple[Step, ...]:
    """Return what is taken about a round that succeeds; `small_step`, and `sixty_five` on its errors, come with the block."""
    succeeds = Reasoned("that is what it is to succeed")
    return (
        fact("lemma_3", "Lemma 3", change, "<=", -eta / 2 * sum_grad + eta / 2 * sum_err, Shown("gauss_psgd.lemma3", "bound")),
        fact(
            "moved",
            "(63), (64): ||x_tau - x_0||^2 <= eta^2 tau sum ||g_hat||^2 <= 2 eta^2 tau (sum ||grad F||^2 + sum ||nu||^2)",
            moved_sq,
            "<=",
            2 * eta**2 * tau * (sum_grad + sum_err),
            Reasoned("Cauchy-Schwarz, then ||a + b||^2 <= 2 ||a||^2 + 2 ||b||^2"),
        ),
        fact("succeeds", "the round ends at the distance R at least", moved_sq, ">=", R**2, succeeds),
        fact("in_time", "after at most Gamma steps", tau, "<=", Gamma, succeeds),
    )


def a_round(count: sp.Expr) -> tuple[Step, ...]:
    """Return the steps to (68), where the squared errors sum to c psi^2 times this count."""
    return (
        line(
            "gradients",
            "(66): Lemma 3 solved for the gradients, summed over the steps",
            sum_grad,
            "<=",
            -2 / eta * change + sum_err,
            "divide by eta/2",
            NonNegative(((2 / eta, "lemma_3"),)),
            where=GIVENS,
        ),
        line(
            "covered",
            "(67): so the squared distance that the round covers",
            moved_sq,
            "<=",
            -4 * eta * tau * change + 4 * eta**2 * tau * c * psi**2 * count,
            "(66), (65)",
            NonNegative((("moved",), (2 * eta**2 * tau, "gradients"), (4 * eta**2 * tau, "sixty_five"))),
            where=GIVENS,
        ),
        line(
            "sixty_eight",
            "(68): solved for the change of F",
            -change,
            ">=",
            R**2 / (4 * eta * tau) - eta * c * psi**2 * count,
            "||x_tau - x_0|| >= R",
            NonNegative(((1 / (4 * eta * tau), "covered"), (1 / (4 * eta * tau), "succeeds"))),
            where=GIVENS,
        ),
    )
