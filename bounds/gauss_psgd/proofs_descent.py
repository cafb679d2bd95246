"""How much the loss falls: Lemma 3, Corollary 2, Lemma 4.

Setting   F M-smooth, eta <= 1/M, g_hat_t = grad F(x_{t-1}) + nu_t.
Source    Gauss-PSGD, Appendices B.3 to B.5, (54) to (72).

The chain of Lemma 4 ends below the printed claim: (71) has one iota too few.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Cited, Derivation, Given, Identity, NonNegative, Reasoned, Substitution
from bounds.gauss_psgd.proofs_block import (
    IN_ALPHA,
    PAPER,
    SMALL_ALPHA,
    C,
    Gamma,
    M,
    Phi,
    R,
    alpha,
    by_block,
    c,
    chain,
    d,
    eta,
    iota,
    line,
    mu,
    psi,
    r,
    rho,
    s,
    sigma,
    words,
)
from bounds.gauss_psgd.proofs_saddle import small_step
from bounds.symbols import symbols

F_now, F_next, grad, est, err, grad_est = symbols("F_now F_next grad_norm est_norm err_norm grad_est")
sum_grad, sum_err, moved_sq, tau, t, a_i, a_j = symbols("sum_grad sum_err moved_sq tau steps_taken a_i a_j")

half = sp.Rational(1, 2)
smooth = F_now - eta * grad_est + M / 2 * eta**2 * est**2 - F_next
one_step = F_now - eta / 2 * grad**2 + eta / 2 * err**2 - F_next


def lemma3() -> Derivation:
    """Write the proof out."""
    return chain(
        "lemma3",
        "descent with an error in the gradient",
        f"{PAPER}, Lemma 3, (54) to (59), with g_hat_t where (55) to (57) have g_hat_{{t-1}}",
        words(
            "(54): F(x_t) <= F(x_{t-1}) + <grad F, x_t - x_{t-1}> + (M/2) ||x_t - x_{t-1}||^2",
            "F is M-smooth",
            Reasoned("Taylor's theorem"),
        ),
        line(
            "(55), (56): the step is -eta g_hat_t",
            F_next - F_now,
            "<=",
            -eta * grad_est + eta / 2 * est**2,
            "eta M <= 1",
            NonNegative(
                ((smooth,), (eta / 2 * est**2, 1 - eta * M)),
                given=(Given(smooth, "(54) at the step"), Given(1 - eta * M, "eta <= 1/M")),
            ),
            ranges={
                eta: (sp.Integer(10) ** -9 / M, 1 / M),
                F_next: (F_now - eta * grad_est + M / 2 * eta**2 * est**2 - 1000, F_now - eta * grad_est + M / 2 * eta**2 * est**2),
            },
        ),
        line(
            "(57): the law of cosines for g_hat_t - grad F = nu_t, coordinate by coordinate",
            -a_i * (a_i + a_j),
            "=",
            half * (a_j**2 - a_i**2 - (a_i + a_j) ** 2),
            "a_i of the gradient, a_j of the error",
            Identity(),
        ),
        line(
            "(58): the squares of g_hat_t cancel",
            eta / 2 * (err**2 - grad**2 - est**2) + eta / 2 * est**2,
            "=",
            -eta / 2 * grad**2 + eta / 2 * err**2,
            "collect",
            Identity(),
        ),
        words("(7): sum over t steps", "the left side telescopes", Reasoned("a finite sum")),
        small_step(2),
    )


def corollary2() -> Derivation:
    """Write the proof out."""
    return chain(
        "corollary2",
        "descent with noise of size psi",
        f"{PAPER}, Corollary 2, (60) to (62); t fixed, errors that are martingale differences",
        line(
            "(60), coordinate by coordinate: ||zeta + xi||^2 <= 2 ||zeta||^2 + 2 ||xi||^2",
            (a_i + a_j) ** 2,
            "<=",
            2 * a_i**2 + 2 * a_j**2,
            "(a - b)^2 >= 0",
            NonNegative((((a_i - a_j) ** 2,),)),
        ),
        words(
            "(61): sum ||zeta||^2 <= C sigma^2 (t + iota) with probability 1 - exp(-iota)",
            "Lemma 13",
            Cited("Jin, Netrapalli, Ge, Kakade, Jordan (2021), J. ACM 68(2), Lemma C.7; Lemma 13 of the paper"),
        ),
        words(
            "xi is norm-subGaussian with the constant 2 sqrt(2) r sqrt(d)",
            "Lemma 10",
            Cited("the same authors (2019), arXiv:1902.03736, Lemma 1; Lemma 10 of the paper"),
        ),
        line(
            "(62): so sum ||xi||^2 <= 8 C r^2 d (t + iota)",
            C * sigma**2 * (t + iota),
            "=",
            8 * C * r**2 * d * (t + iota),
            "Lemma 13 with this constant for sigma",
            Substitution({sigma: 2 * sp.sqrt(2) * r * sp.sqrt(d)}),
        ),
        line(
            "(8) with c = 8 C",
            eta / 2 * (2 * C * sigma**2 * (t + iota) + 2 * 8 * C * r**2 * d * (t + iota)),
            "<=",
            8 * C * eta * psi**2 * (t + iota),
            "psi^2 = sigma^2 + r^2 d",
            NonNegative(((7 * C * eta * sigma**2, t + iota),), at={psi: sp.sqrt(sigma**2 + r**2 * d)}),
            ranges={psi: (sp.sqrt(sigma**2 + r**2 * d), sp.sqrt(sigma**2 + r**2 * d))},
        ),
    )


def lemma4() -> Derivation:
    """Write out what holds of the proof."""
    drop = F_now - F_next
    noise = c * psi**2
    small = s * eta * sp.sqrt(rho * alpha)
    below_one = Given(1 - rho * alpha / (M**2 * s * mu**2), "rho alpha <= M^2, s >= 1, mu >= 1")
    return chain(
        "lemma4",
        "how much the loss falls in a round that succeeds, as far as the proof goes",
        f"{PAPER}, Lemma 4, (63) to (70)",
        words(
            "(63), (64): ||x_tau - x_0||^2 <= eta^2 tau sum ||g_hat||^2 <= 2 eta^2 tau (sum ||grad F||^2 + sum ||nu||^2)",
            "Cauchy-Schwarz, then ||a + b||^2 <= 2 ||a||^2 + 2 ||b||^2",
            Reasoned("as in Corollary 2, step 1"),
        ),
        line(
            "(66): Lemma 3 solved for the gradients",
            sum_grad,
            "<=",
            2 / eta * drop + sum_err,
            "divide by eta/2",
            NonNegative(
                ((2 / eta, drop - eta / 2 * sum_grad + eta / 2 * sum_err),),
                given=(Given(drop - eta / 2 * sum_grad + eta / 2 * sum_err, "Lemma 3"),),
            ),
            ranges={F_next: (F_now - 1000 - eta / 2 * sum_grad, F_now - eta / 2 * (sum_grad - sum_err))},
        ),
        line(
            "(67): so the distance",
            2 * eta**2 * tau * (2 / eta * drop + 2 * sum_err),
            "<=",
            4 * eta * tau * drop + 4 * eta**2 * tau * noise * (tau + iota),
            "(65): sum ||nu||^2 <= c psi^2 (tau + iota), with c = 16 times the constant of Lemma 13",
            NonNegative(
                ((4 * eta**2 * tau, noise * (tau + iota) - sum_err),),
                given=(Given(noise * (tau + iota) - sum_err, "(65); for a fixed tau, the paper has no union over tau"),),
            ),
            ranges={sum_err: (0, noise * (tau + iota))},
        ),
        line(
            "(68): solved for the decrease",
            drop,
            ">=",
            R**2 / (4 * eta * tau) - eta * noise * (tau + iota),
            "||x_tau - x_0|| >= R",
            NonNegative(
                (
                    (4 * eta * tau * drop + 4 * eta**2 * tau * noise * (tau + iota) - moved_sq, 1 / (4 * eta * tau)),
                    (moved_sq - R**2, 1 / (4 * eta * tau)),
                ),
                given=(
                    Given(4 * eta * tau * drop + 4 * eta**2 * tau * noise * (tau + iota) - moved_sq, "(67)"),
                    Given(moved_sq - R**2, "the round succeeds"),
                ),
            ),
            ranges={
                moved_sq: (R**2, 10**6 * R**2),
                F_next: (
                    F_now - 1000 - moved_sq / (4 * eta * tau),
                    F_now + eta * noise * (tau + iota) - moved_sq / (4 * eta * tau),
                ),
            },
        ),
        line(
            "(69), (70): for tau <= Gamma",
            R**2 / (4 * eta * tau) - eta * noise * (tau + iota),
            ">=",
            R**2 / (4 * eta * Gamma) - eta * noise * (Gamma + iota),
            "both terms are smallest at tau = Gamma",
            NonNegative(
                ((R**2 / (4 * eta * tau * Gamma), Gamma - tau), (eta * noise, Gamma - tau)),
                given=(Given(Gamma - tau, "tau <= Gamma"),),
            ),
        ),
        by_block("the number that compares iota with Gamma", small, rho * alpha / (M**2 * s * mu**2)),
        line(
            "so Gamma + iota <= 2 Gamma",
            Gamma + iota,
            "<=",
            2 * Gamma,
            "Gamma = iota / (s eta sqrt(rho alpha))",
            NonNegative(
                ((IN_ALPHA[Gamma], 1 - rho * alpha / (M**2 * s * mu**2)),),
                given=(below_one,),
                at={Gamma: IN_ALPHA[Gamma], iota: s * mu},
            ),
            ranges={**SMALL_ALPHA, Gamma: (IN_ALPHA[Gamma], IN_ALPHA[Gamma]), iota: (s * mu, s * mu)},
        ),
        by_block("the first term of (70): iota^4 where (71) prints iota^3, see printed_71", R**2 / (4 * eta * Gamma), 2 * Phi / iota),
        by_block("the second, with c over 16 C", 2 * eta * noise * Gamma, c / (16 * C) * Phi),
        line(
            "which leaves a decrease of (2/iota - c/(16 C)) Phi, not Phi; it is not even positive once iota >= 32 C / c",
            R**2 / (4 * eta * Gamma) - eta * noise * (Gamma + iota),
            ">=",
            (2 / iota - c / (16 * C)) * Phi,
            "Gamma + iota <= 2 Gamma",
            NonNegative(
                ((IN_ALPHA[eta] * c * IN_ALPHA[psi] ** 2 * IN_ALPHA[Gamma], 1 - rho * alpha / (M**2 * s * mu**2)),),
                given=(below_one,),
                at={letter: IN_ALPHA[letter] for letter in (R, eta, Gamma, iota, psi, Phi)},
            ),
            ranges={**SMALL_ALPHA, **{letter: (IN_ALPHA[letter], IN_ALPHA[letter]) for letter in (R, eta, Gamma, iota, psi, Phi)}},
        ),
    )
