"""The repaired block over a whole run: what a round and a normal step decrease, how many estimates are asked for, how often it fails.

Source    ours, after Gauss-PSGD, Lemmas 2, 4, 5, 6 and Theorem 1; the block is that of `proofs_repaired`.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import GIVENS, Assumed, Cited, Defined, NonNegative, Reasoned, Shown, Step, fact, line, words
from bounds.gauss_psgd.descent import log_T, p_any, p_sum, p_total
from bounds.gauss_psgd.escape import p_none
from bounds.gauss_psgd.proofs_block import ENOUGH_TRIES, C, Gamma, Phi, Q, R, T, U, alpha, c, chi, eta, iota, mu, omega, psi, rho, s
from bounds.gauss_psgd.proofs_counts import LENGTH as ERROR
from bounds.gauss_psgd.proofs_counts import (
    F_next,
    F_now,
    a_normal_step,
    err,
    of_a_normal_step,
    of_a_phase,
    p_phases,
    small_gradient,
    third,
    third_entry,
)
from bounds.gauss_psgd.proofs_descent import a_round, change, of_a_round, p_round, sum_err, tau
from bounds.meanings import BELOW_ONE
from bounds.symbols import Letter, introduce, symbols

escapes, phases, normal = symbols("escapes phases normal_steps")
p_rounds = introduce(Letter("p_rounds", r"\mathbb{P}(\text{(65) ever fails})", "that (65) fails in some round", 0, 1, "probability"))

noise, root, tail = c * psi**2, sp.sqrt(rho * alpha), sp.exp(-iota)
power = s ** sp.Rational(3, 2) * mu ** sp.Rational(5, 2)


def run_facts() -> tuple[Step, ...]:
    """Return what is taken about rounds, normal steps, phases and their failure."""
    fits = "normal steps decrease F by Phi / Gamma at least, phases but the last by Phi, and nothing raises it"
    return (
        fact("chi_1", "chi covers the errors", chi, ">=", 4 * sp.sqrt(C) * s * mu**2 * psi, Assumed()),
        fact("chi_2", "chi covers the noise of a round", chi, ">=", sp.sqrt(c) * power * psi, Assumed()),
        third_entry,
        BELOW_ONE["omega"],
        fact("log_T", "log_T = log(4 T / omega)", log_T, "=", sp.log(4 * T / omega), Defined(signs=(ENOUGH_TRIES.name,))),
        fact("N", "N = 1 + U / Phi", escapes, "=", 1 + U / Phi, Defined()),
        fact("rounds", "Q is large enough", sp.Rational(8, 7) ** (-Q), "<=", omega / (2 * escapes), Assumed()),
        fact("enough_T", "T covers all estimates", T, ">=", escapes * (Q * Gamma + 1), Assumed()),
        *of_a_round(),
        fact(
            "sixty_five",
            "(65) at tau = Gamma: the squared errors of the tau <= Gamma steps of a round, for every tau at once",
            sum_err,
            "<=",
            noise * (Gamma + iota),
            Cited("Lemmas 10 and 13 of the paper; the sum grows with tau, and errors that are not drawn are 0"),
        ),
        fact("length", "(73) by Lemma 5", err, "<=", ERROR, Shown("gauss_psgd.lemma5", "bound")),
        *of_a_phase(),
        *of_a_normal_step(),
        fact(
            "paid",
            "U pays for all of them",
            normal * Phi / Gamma + (phases - 1) * Phi,
            "<=",
            U,
            Reasoned(fits, using=("pays", "decreases")),
        ),
        fact("round_fails", "(65), each round", p_round, "<=", 2 * tail, Shown("gauss_psgd.corollary2", "failure", {p_sum: p_round})),
        fact(
            "some_round",
            "every one of Q rounds of N phases: which round succeeds depends on its noise, and that no more than U / Phi phases succeed "
            "has to hold in the next one too",
            p_rounds,
            "<=",
            Q * escapes * p_round,
            Reasoned("union bound"),
        ),
        fact("all_fail", "Lemma 2", p_none, "<=", sp.Rational(8, 7) ** (-Q), Reasoned("independent rounds", using=("one_run",))),
        fact("some_phase", "N phases", p_phases, "<=", escapes * p_none, Reasoned("union bound")),
        fact("some_error", "Lemma 5, whose union is over T estimates", p_any, "<=", omega / 2, Shown("gauss_psgd.lemma5", "failure")),
        fact(
            "total",
            "Lemma 4, the phases or the estimates",
            p_total,
            "<=",
            p_any + p_rounds + p_phases,
            Reasoned("union bound; the estimates are at most T", using=("estimates", "enough_T")),
        ),
    )


def run_steps(per_normal_step: sp.Expr) -> tuple[Step, ...]:
    """Return the steps of Lemmas 4, 5 and 6 and the union of all failures."""
    return (ENOUGH_TRIES, *_round(), *_errors(per_normal_step), *_estimates(), *_failures())


def _round() -> tuple[Step, ...]:
    """Return what a round that succeeds decreases."""
    return (
        *a_round(Gamma + iota),
        line(
            "seventy",
            "Lemma 4, (70): the change of F",
            -change,
            ">=",
            R**2 / (4 * eta * Gamma) - eta * noise * (Gamma + iota),
            "tau <= Gamma",
            NonNegative((("sixty_eight",), (R**2 / (4 * eta * tau * Gamma), "in_time"))),
            where=GIVENS,
        ),
        line(
            "noise_term",
            "the noise term of (70) is at most Phi, psi that of the errors",
            2 * noise * eta * Gamma,
            "<=",
            Phi,
            "sqrt(c) psi is at most alpha / (4 s^(3/2) mu^(5/2))",
            NonNegative(
                ((2 * mu / root / power, chi / power + sp.sqrt(c) * psi, "chi_2"),),
                at=("accuracy", "iota", "decrease"),
                modulo=((-2 * noise / root, "growth"),),
            ),
            where=GIVENS,
        ),
        line(
            "decreases",
            "so a round that succeeds decreases F by Phi",
            -change,
            ">=",
            Phi,
            "the first term is 2 Phi, and iota <= Gamma",
            NonNegative((("seventy",), ("noise_term",), (eta * noise, "few")), modulo=((1, "worth"),)),
            where=GIVENS,
        ),
    )


def _errors(per_normal_step: sp.Expr) -> tuple[Step, ...]:
    """Return that chi covers every error, and what follows for the start of a phase and for a normal step."""
    return (
        line(
            "covers",
            "Lemma 5: chi covers every error",
            chi,
            ">=",
            ERROR,
            "chi >= 4 sqrt(C) s mu^2 psi, and mu is at least the third entry of (6)",
            NonNegative((("chi_1",), (4 * sp.sqrt(C) * s * psi, mu + third, "third_entry"))),
            where=GIVENS,
        ),
        line("error", "so every error is at most chi", err, "<=", chi, "Lemma 5", NonNegative((("length",), ("covers",))), where=GIVENS),
        small_gradient(),
        *a_normal_step(),
        line(
            "s_above_2",
            "s is at least 2",
            s,
            ">=",
            2,
            "80 c >= 160 sqrt(2)",
            NonNegative((("large_s",), (80, "constant"), (160 * sp.sqrt(2) - 2,))),
            where=GIVENS,
        ),
        line(
            "pays",
            "a normal step decreases the loss by more than Phi / Gamma",
            F_now - F_next,
            ">=",
            Phi / Gamma,
            "s^3 mu^5 >= 4/3",
            NonNegative(
                (
                    ("falls",),
                    (per_normal_step / s**3 * (s**2 + 2 * s + 4), "s_above_2"),
                    (8 * per_normal_step / (s**3 * mu**5) * (mu**4 + mu**3 + mu**2 + mu + 1), "log_factor >= 1"),
                    (per_normal_step / (s**3 * mu**5), sp.Rational(20, 3)),
                ),
                modulo=((-per_normal_step, "share"),),
            ),
            where=GIVENS,
        ),
    )


def _estimates() -> tuple[Step, ...]:
    """Return how many phases and estimates there are."""
    return (
        line(
            "phases",
            "phases that a run enters",
            phases,
            "<=",
            escapes,
            "phases that succeed decrease F by Phi each",
            NonNegative(((1 / Phi, "paid"), (normal / Gamma,)), modulo=((1, "N"),)),
            where=GIVENS,
        ),
        line(
            "estimates",
            "estimates in all: one in step 4 and Gamma in each of Q rounds of a phase, and those of normal steps",
            normal + phases * (Q * Gamma + 1),
            "<=",
            escapes * (Q * Gamma + 1),
            "at most (N - phases) Gamma normal steps fit beside the phases",
            NonNegative(
                ((Gamma / Phi, "paid"), (Gamma, "Q >= 1", "phases"), ("phases",)),
                modulo=((Gamma, "N"),),
            ),
            where=GIVENS,
        ),
    )


def _failures() -> tuple[Step, ...]:
    """Return the sum of all probabilities of failure."""
    return (
        line(
            "rounds_fail",
            "Theorem 1: Lemma 4 fails in some round",
            p_rounds,
            "<=",
            omega / 2,
            "the fourth entry of mu",
            NonNegative((("some_round",), (Q * escapes, "round_fails"), (2 * Q * escapes, "fourth_entry"))),
            where=GIVENS,
        ),
        line(
            "phase_fails",
            "Lemma 2: none of Q rounds escapes with probability at most omega / (2 N)",
            p_none,
            "<=",
            omega / (2 * escapes),
            "(8/7)^Q >= 2 N / omega",
            NonNegative((("all_fail",), ("rounds",))),
            where=GIVENS,
        ),
        line(
            "phases_fail",
            "so some of N phases fails with omega / 2",
            p_phases,
            "<=",
            omega / 2,
            "union bound",
            NonNegative((("some_phase",), (escapes, "phase_fails"))),
            where=GIVENS,
        ),
        line(
            "failure",
            "with Lemma 5 that is 3 omega / 2 in all: run with two thirds of omega",
            p_total,
            "<=",
            3 * omega / 2,
            "omega/2 each for Lemma 4, for the phases and for the estimates",
            NonNegative((("total",), ("some_error",), ("rounds_fail",), ("phases_fail",))),
            where=GIVENS,
        ),
        words(
            "returned",
            "the phase that ends the run returns the saddle it started from, not its last iterate",
            "only there do Lemma 5 and the test hold",
            Reasoned("a change of step 20 of Algorithm 1"),
        ),
    )
