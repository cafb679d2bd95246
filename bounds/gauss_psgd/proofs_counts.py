"""How long it takes and how often it fails: Lemmas 5 and 6, and what they leave out for Theorem 1.

Source    Gauss-PSGD, Appendices B.6 and B.7, (73) to (79).
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Derivation, Given, NonNegative, Reasoned, Substitution
from bounds.gauss_psgd.proofs_block import (
    MU_ENTRIES,
    PAPER,
    Q_PRINTED,
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
    alpha,
    by_block,
    chain,
    chi,
    eta,
    iota,
    line,
    mu,
    omega,
    psi,
    rho,
    s,
    words,
)
from bounds.symbols import symbols

grad, est, err, escapes, omega_0 = symbols("grad_norm est_norm err_norm escapes omega_0")

tail = C * sp.sqrt(2 * sp.log(4 * T / omega)) * psi
third = MU_ENTRIES[2]
good_estimate = Given(chi - err, "Lemma 5")
gradient_is_near = Given(err - (grad - est), "triangle inequality")
estimate_is_near = Given(err - (est - grad), "triangle inequality")
per_step = 2 * chi**2 * eta / (s**2 * mu**4)  # (74)


def lemma5() -> Derivation:
    """Write the proof out."""
    return chain(
        "lemma5",
        "every estimate is within chi of its gradient",
        f"{PAPER}, Lemma 5, (73)",
        words(
            "nu_t = zeta_t + xi_t is norm-subGaussian with a constant C psi",
            "the triangle inequality; Corollary 3 would add a root of a logarithm of d",
            Reasoned("each of the two is, by (1) and by Lemma 10"),
        ),
        line(
            "(11) at the length chi of step 4 leaves omega / (2 T)",
            2 * sp.exp(-(chi**2) / (2 * (C * psi) ** 2)),
            "=",
            omega / (2 * T),
            "insert the length",
            Substitution({chi: tail}),
            ranges={C: (sp.Rational(1, 10), 10)},
        ),
        line("T times that is omega / 2", T * omega_0, "=", omega / 2, "union bound", Substitution({omega_0: omega / (2 * T)})),
        line(
            "(73): when the third entry of (6) is the largest, chi is this length",
            4 * sp.sqrt(C) * s * mu**2 * psi,
            "=",
            tail,
            "insert mu",
            Substitution({mu: third}),
            ranges={C: (sp.Rational(1, 10), 10)},
        ),
        line(
            "and otherwise it is longer",
            4 * sp.sqrt(C) * s * mu**2 * psi,
            ">=",
            tail,
            "mu is at least its third entry",
            NonNegative(
                ((4 * sp.sqrt(C) * s * psi, mu - third, mu + third),),
                given=(Given(mu - third, "(6)"), Given(mu + third, "(6), and mu >= 1")),
            ),
            ranges={mu: (third, 100 * third)},
        ),
    )


def lemma6() -> Derivation:
    """Write out what holds of the proof."""
    return chain(
        "lemma6",
        "the number of steps, with the decrease of Lemma 4 taken as printed",
        f"{PAPER}, Lemma 6, (74) to (79), and Theorem 1",
        line(
            "an estimate of at most 3 chi: the gradient is at most alpha = 4 chi",
            grad,
            "<=",
            4 * chi,
            "the error is at most chi",
            NonNegative(
                ((err - (grad - est),), (3 * chi - est,), (chi - err,)),
                given=(gradient_is_near, Given(3 * chi - est, "the escape phase is entered"), good_estimate),
            ),
            ranges={est: (0, 3 * chi), err: (0, chi), grad: (0, est + err)},
        ),
        line(
            "an estimate above 3 chi: the gradient is at least 2 chi",
            grad,
            ">=",
            2 * chi,
            "the error is at most chi",
            NonNegative(
                ((err - (est - grad),), (est - 3 * chi,), (chi - err,)),
                given=(estimate_is_near, Given(est - 3 * chi, "a normal step"), good_estimate),
            ),
            ranges={est: (3 * chi, 100 * chi), err: (0, chi), grad: (est - err, est + err)},
        ),
        by_block("(74): the claimed decrease over the length of a round", Phi / Gamma, s**2 * alpha**2 * eta / (8 * iota**4)),
        by_block("the same in chi", Phi / Gamma, per_step),
        line(
            "(75) with the error, which the paper leaves out (printed_75): a normal step decreases F by this much",
            eta / 2 * (grad**2 - err**2),
            ">=",
            sp.Rational(3, 2) * eta * chi**2,
            "Lemma 3, ||grad F|| >= 2 chi, ||nu|| <= chi",
            NonNegative(
                ((eta / 2, grad - 2 * chi, grad + 2 * chi), (eta / 2, chi - err, chi + err)),
                given=(Given(grad - 2 * chi, "step 2"), good_estimate),
            ),
            ranges={err: (0, chi), grad: (2 * chi, 100 * chi)},
        ),
        line(
            "which is more than (74) when s^2 mu^4 >= 4/3",
            sp.Rational(3, 2) * eta * chi**2,
            ">=",
            per_step,
            "s is large",
            NonNegative(
                ((sp.Rational(3, 2) * eta * chi**2 / (s**2 * mu**4), s**2 * mu**4 - sp.Rational(4, 3)),),
                given=(Given(s**2 * mu**4 - sp.Rational(4, 3), "s >= 2"),),
            ),
            ranges={s: (2, 10**6)},
        ),
        line("(76): U over (74)", U * Gamma / Phi, "=", T_EFF, "divide", Substitution({Phi: per_step * Gamma})),
        by_block(
            "(77): the number of escapes, with alpha^3 where it prints chi^3 (printed_77)",
            U / Phi,
            8 * iota**3 * U / s * sp.sqrt(rho / alpha**3),
        ),
        by_block("which is an eighth of the printed number", U / Phi, iota**3 * U / s * sp.sqrt(rho / chi**3)),
        line(
            "(78) with that: each phase may fail with omega / (2 N)",
            escapes * omega_0,
            "=",
            omega / 2,
            "union bound over N phases",
            Substitution({omega_0: omega / (2 * escapes)}),
        ),
        line("(79)", T_EFF * Q, "=", T_PRINTED, "each step is repeated at most Q times", Substitution({Q: Q_PRINTED})),
        words(
            "(79) leaves out the phase that ends the run: the count is at most Q (T_eff + Gamma), see printed_79",
            "a phase that fails takes Q Gamma steps and decreases nothing",
            Reasoned("counting"),
        ),
        by_block("the exponent of the accuracy: -5/2", T_EFF, 8 * U * M**2 * s**4 * mu**6 / (sp.sqrt(rho) * alpha ** sp.Rational(5, 2))),
        words(
            "Theorem 1 adds omega/2 and omega/2, and leaves out 2 exp(-iota) for each escape, see printed_union",
            "Lemma 4 holds with probability 1 - 2 exp(-iota) only, for each tau",
            Reasoned("counting; gauss_psgd.repaired_block has the union"),
        ),
        by_block(
            "the point that the algorithm returns is up to R away from the saddle: M R over alpha",
            M * R / alpha,
            M / (iota ** sp.Rational(3, 2) * sp.sqrt(rho * alpha)),
        ),
    )
