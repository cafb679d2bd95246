"""How long it takes and how often it fails: Lemma 6, and what it leaves out for Theorem 1.

Source    Gauss-PSGD, Appendix B.7, (74) to (79).
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import (
    GIVENS,
    Assumed,
    Defined,
    Derivation,
    Identity,
    NonNegative,
    Reasoned,
    Shown,
    Step,
    fact,
    line,
    words,
)
from bounds.gauss_psgd.descent import log_T
from bounds.gauss_psgd.escape import p_none
from bounds.gauss_psgd.proofs_block import (
    ENOUGH_TRIES,
    FIVE,
    PAPER,
    Q_PRINTED,
    SPELLED,
    STANDING,
    T_EFF,
    T_PRINTED,
    C,
    Gamma,
    M,
    Phi,
    Q,
    R,
    T,
    U,
    above_one,
    alpha,
    by_block,
    chi,
    eta,
    iota,
    mu,
    omega,
    psi,
    rho,
    s,
)
from bounds.gauss_psgd.proofs_descent import sq_err, sq_grad
from bounds.gauss_psgd.proofs_rounds import rounds_2
from bounds.meanings import BELOW_ONE
from bounds.symbols import Letter, introduce, symbols

grad, est, err, escapes, omega_0, F_now, F_next = symbols("grad_norm est_norm err_norm escapes omega_0 F_now F_next")
err_length = introduce(Letter("err_length", r"\ell_\nu", "the length that an error of an estimate rarely exceeds", 1e-9, 1e9, "proof"))
p_longer = introduce(Letter("p_longer", r"\mathbb{P}(\|\nu_t\|>\ell_\nu)", "that an error is longer", 0, 1, "probability"))
grad_end = introduce(Letter("grad_end", r"\|\nabla F(\tilde x)\|", "norm of the gradient where an escape phase starts", 0, 1e3, "proof"))
est_end = introduce(Letter("est_end", r"\|\hat g(\tilde x)\|", "norm of the estimate where an escape phase starts", 0, 1e3, "proof"))
p_phases = introduce(Letter("p_phases", r"\mathbb{P}(\text{a phase fails})", "that some escape phase fails", 0, 1, "probability"))

LENGTH = C * sp.sqrt(2 * log_T) * psi  # (73)
third = (C * log_T) ** sp.Rational(1, 4) / (2 ** sp.Rational(3, 4) * sp.sqrt(s))  # of (6)
third_entry = fact("third_entry", "the third entry of (6)", mu, ">=", third, Assumed())
LEMMA_2 = "gauss_psgd.lemma2"
per_step = 2 * chi**2 * eta / (s**2 * mu**4)  # (74)


def lemma6() -> Derivation:
    """Write out what holds of the proof."""
    each, small = omega / (2 * escapes), {"omega_0 < 1": "each_below_one"}
    base_2 = sp.Rational(26, 5) / sp.log(2) * sp.log(1 / each)
    return Derivation(
        key="gauss_psgd.lemma6",
        title="the number of steps, with the decrease of Lemma 4 taken as printed",
        source=f"{PAPER}, Lemma 6, (74) to (79), and Theorem 1",
        spelled=SPELLED,
        facts=(
            *FIVE,
            STANDING,
            third_entry,
            fact("log_T", "log_T = log(4 T / omega)", log_T, "=", sp.log(4 * T / omega), Defined(signs=(ENOUGH_TRIES.name,))),
            fact("error", "Lemma 5: every error is at most chi", err, "<=", chi, Shown("gauss_psgd.lemma5", "within_chi")),
            *of_a_phase(),
            fact("small_step", "eta <= 1/M by (5)", eta, "<=", 1 / M, Shown("gauss_psgd.parameter_block", "small_step")),
            *of_a_normal_step(),
            fact("large_s", "s is large enough", s, ">=", 2, Assumed()),
            fact("some", "there is a phase", escapes, ">=", 1, Assumed()),
            BELOW_ONE["omega"],
            fact("rounds_2", "(78) with N and the logarithm to base 2", rounds_2, "=", base_2, Defined("(78)", signs=("many_phases",))),
            fact(
                "enough_rounds",
                "Lemma 2",
                sp.Rational(7, 8) ** rounds_2,
                "<=",
                each,
                Shown(LEMMA_2, "base_2_is_enough", {omega_0: each}, small),
            ),
            fact("phase", "Lemma 2", p_none, "<=", each, Shown(LEMMA_2, "bound", {omega_0: each, Q: rounds_2})),
            fact("union", "some of N phases fails", p_phases, "<=", escapes * p_none, Reasoned("union bound")),
            fact("Q", "(78), as printed", Q, "=", Q_PRINTED, Defined("(78)", signs=("many_escapes",))),
            fact("many_escapes", "the logarithm of (78) is positive", Q_PRINTED.args[-1].args[0], ">", 1, Assumed()),
        ),
        steps=(ENOUGH_TRIES, *_cases(), *_numbers()),
    )


def _cases() -> tuple[Step, ...]:
    """Return the two cases of a step, (74) and (75)."""
    share = sp.Rational(3, 2) * eta * chi**2 / (s**2 * mu**4)
    return (
        small_gradient(),
        *a_normal_step(),
        by_block("per_step", "(74): the claimed decrease Phi over Gamma", Phi / Gamma, s**2 * alpha**2 * eta / (8 * iota**4)),
        by_block("per_step_in_chi", "the same in chi", Phi / Gamma, per_step),
        line(
            "more",
            "which is more than (74), in chi and eta, when s^2 mu^4 >= 4/3",
            sp.Rational(3, 2) * eta * chi**2,
            ">=",
            per_step,
            "s is large",
            NonNegative(
                (
                    (share * mu**4 * (s + 2), "large_s"),
                    (4 * share * (mu**3 + mu**2 + mu + 1), "log_factor >= 1"),
                    (share, sp.Rational(8, 3)),
                )
            ),
            where=GIVENS,
        ),
    )


def of_a_phase() -> tuple[Step, ...]:
    """Return what is taken about the point where an escape phase starts; `error` comes with the block."""
    return (
        fact("gradient_is_near", "g_hat = grad F + nu", grad_end, "<=", est_end + err, Reasoned("triangle inequality")),
        fact("enters", "an escape phase is entered", est_end, "<=", 3 * chi, Reasoned("that is when it is")),
    )


def small_gradient() -> Step:
    """Return the step that the gradient is small where an escape phase starts."""
    return line(
        "small_gradient",
        "an estimate of at most 3 chi: the gradient is at most alpha = 4 chi",
        grad_end,
        "<=",
        4 * chi,
        "the error is at most chi",
        NonNegative((("gradient_is_near",), ("enters",), ("error",))),
        where=GIVENS,
    )


def of_a_normal_step() -> tuple[Step, ...]:
    """Return what is taken about a step outside the escape phases; `error` and `small_step` come with the block."""
    return (
        fact("estimate_is_near", "g_hat = grad F + nu", est, "<=", grad + err, Reasoned("triangle inequality")),
        fact("passes", "no escape phase is entered", est, ">=", 3 * chi, Reasoned("that is what a normal step is")),
        fact(
            "lemma_3_once",
            "Lemma 3 for one step",
            F_next,
            "<=",
            F_now - eta / 2 * grad**2 + eta / 2 * err**2,
            Shown("gauss_psgd.lemma3", "one_step", {sq_grad: grad**2, sq_err: err**2}),
        ),
    )


def a_normal_step() -> tuple[Step, ...]:
    """Return (75) with the error."""
    return (
        line(
            "large_gradient",
            "an estimate above 3 chi: the gradient is at least 2 chi",
            grad,
            ">=",
            2 * chi,
            "the error is at most chi",
            NonNegative((("estimate_is_near",), ("passes",), ("error",))),
            where=GIVENS,
        ),
        line(
            "normal_step",
            "(75) with the error, which the paper leaves out (printed_75): a normal step decreases F by this much, in the gradient",
            eta / 2 * (grad**2 - err**2),
            ">=",
            sp.Rational(3, 2) * eta * chi**2,
            "||grad F|| >= 2 chi, ||nu|| <= chi",
            NonNegative(((eta / 2, grad + 2 * chi, "large_gradient"), (eta / 2, chi + err, "error"))),
            where=GIVENS,
        ),
        line(
            "falls",
            "so the loss falls by",
            F_now - F_next,
            ">=",
            sp.Rational(3, 2) * eta * chi**2,
            "Lemma 3",
            NonNegative((("lemma_3_once",), ("normal_step",))),
            where=GIVENS,
        ),
    )


def _numbers() -> tuple[Step, ...]:
    """Return the numbers of steps and of escapes, (76) to (79), and what they leave out."""
    return (
        line(
            "steps",
            "(76): U over (74), a number of rounds times Gamma",
            U * Gamma / Phi,
            "=",
            T_EFF,
            "divide",
            Identity(modulo=((-U * Gamma / (Phi * per_step), "per_step_in_chi"),)),
            where=GIVENS,
        ),
        by_block(
            "escapes",
            "(77): the number of escapes, U over Phi, with alpha^3 where it prints chi^3 (printed_77)",
            U / Phi,
            8 * iota**3 * U / s * sp.sqrt(rho / alpha**3),
        ),
        by_block("escapes_in_chi", "which is an eighth of the printed number, in chi", U / Phi, iota**3 * U / s * sp.sqrt(rho / chi**3)),
        line(
            "each_below_one",
            "(78) with that number N: omega / (2 N) for each phase, below 1",
            omega / (2 * escapes),
            "<",
            1,
            "omega < 1 <= N",
            NonNegative(((1 / (2 * escapes), "omega < 1"), (1 / escapes, "some"), (1 / (2 * escapes),))),
            where=GIVENS,
        ),
        above_one(
            "many_phases",
            "2 N / omega is above 1",
            2 * escapes / omega,
            "omega < 1 <= N",
            (1 / omega, "omega < 1"),
            (2 / omega, "some"),
            (1 / omega,),
        ),
        line(
            "all_phases",
            "so some escape phase fails with probability at most omega / 2, when the logarithm is to base 2",
            p_phases,
            "<=",
            omega / 2,
            "union bound over N phases",
            NonNegative((("union",), (escapes, "phase"))),
            where=GIVENS,
        ),
        line(
            "seventy_nine",
            "(79), with Q of (78)",
            T_EFF * Q,
            "=",
            T_PRINTED,
            "each step is repeated at most Q times",
            Identity(modulo=((T_EFF, "Q"),)),
            where=GIVENS,
        ),
        words(
            "last_phase",
            "(79) leaves out the phase that ends the run: the count is at most Q (T_eff + Gamma), see printed_79",
            "a phase that fails takes Q Gamma steps and decreases nothing",
            Reasoned("counting"),
        ),
        by_block(
            "exponent",
            "the exponent of the accuracy: -5/2",
            T_EFF,
            8 * U * M**2 * s**4 * mu**6 / (sp.sqrt(rho) * alpha ** sp.Rational(5, 2)),
        ),
        words(
            "left_out",
            "Lemma 6 spends omega/2 and omega/2, and leaves out 2 exp(-iota) for each round of each escape phase, see printed_union",
            "Lemma 4 holds with probability 1 - 2 exp(-iota) only, and which of Q rounds succeeds depends on its noise",
            Reasoned("counting; gauss_psgd.repaired_block has the union"),
        ),
        by_block(
            "returned",
            "the point that the algorithm returns is up to R away from the saddle: M R over alpha",
            M * R / alpha,
            M / (iota ** sp.Rational(3, 2) * sp.sqrt(rho * alpha)),
        ),
    )
