"""From the oracle to a rate: Theorems 2 and 3, as far as they hold, and the single root of Remark 2.

Setting   alpha^2 is a constant times psi^2 = sigma^2 + r^2 d; eta = sqrt(rho alpha) / M^2 and chi = alpha, logarithms and constants
          left out.
Source    Gauss-PSGD, Theorem 2 with (98) to (105), Theorem 3 with (118) to (121), Remark 2.

The rate (105) does not follow from (103) and (104) when A^1.1 < B < A^(3/4), A and B its two parts: `proofs_exponents` has the exact
window, what another limit of the drift can do, and the rate that the proof does give, with a third part of exponent 4/17.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    Substitution,
    fact,
    line,
    words,
)
from bounds.gauss_psgd.proofs_block import (
    PAPER,
    SPELLED,
    T_PRINTED,
    G,
    M,
    T,
    U,
    alpha,
    b_1,
    b_2,
    chi,
    d,
    epsilon,
    eta,
    iota,
    kappa,
    m,
    mu,
    n,
    omega,
    rho,
    s,
)
from bounds.gauss_psgd.proofs_descent import small_step
from bounds.symbols import Letter, introduce, symbols

A, beta, k, N, resets, err = symbols("A_rate beta_exp k_exp N_private resets err_norm")
kappa_1 = introduce(Letter("kappa_1", r"\kappa_1", "first entry of the limit of the drift", 1e-30, 1e3, "proof"))
kappa_2 = introduce(Letter("kappa_2", r"\kappa_2", "second entry of the limit of the drift", 1e-30, 1e3, "proof"))
quarter = sp.Rational(1, 4)


def power(base: Any, top: int, bottom: int) -> Any:
    """Return a rational power."""
    return base ** sp.Rational(top, bottom)


def shares(samples: Any) -> dict[Any, Any]:
    """Return the printed batch sizes for this number of samples."""
    return {b_1: samples * kappa / (2 * U * eta), b_2: samples * eta * chi**2 / (2 * U)}


IN_RATE = {eta: sp.sqrt(rho * alpha) / M**2, chi: alpha}
B_RATE = power(sp.sqrt(d) / (n * epsilon), 2, 5)
KAPPA_1 = power(G, 3, 2) * sp.sqrt(U * rho) / (power(M, 5, 2) * sp.sqrt(n))
KAPPA_2 = power(G, 14, 15) * power(d, 2, 5) * power(U, 4, 5) * power(rho, 8, 15) / (power(M, 34, 15) * power(n * epsilon, 4, 5))
RATE_1 = power(G * U * M / n, 1, 3)
RATE_2 = power(G, 2, 15) * power(U, 2, 5) * power(M, 8, 15) / power(rho, 1, 15) * B_RATE
MANY = {n: m * n, epsilon: epsilon / sp.sqrt(m)}  # n -> m n and n epsilon -> sqrt(m) n epsilon: one server's formulas for m clients

SQUARES = {  # the four parts of psi^2 of Lemma 7, logarithms and constants left out, and the power of alpha that each leaves
    "sampling, fresh": (G**2 / b_1, sp.Rational(3, 2)),
    "sampling, difference": (M**2 * kappa / b_2, sp.Rational(9, 2)),
    "privacy, fresh": (d * G**2 / (b_1**2 * epsilon**2), sp.Integer(1)),
    "privacy, difference": (d * M**2 * kappa / (b_2**2 * epsilon**2), sp.Integer(7)),
}
LEFT = {  # part times alpha^(power - 2), which (102) makes equal to alpha^power: free of alpha
    "sampling, fresh": 2 * G**2 * U * sp.sqrt(rho) / (M**2 * n * kappa),
    "sampling, difference": 2 * M**4 * U * kappa / (n * sp.sqrt(rho)),
    "privacy, fresh": 4 * d * G**2 * U**2 * rho / (M**4 * n**2 * epsilon**2 * kappa**2),
    "privacy, difference": 4 * d * M**6 * U**2 * kappa / (n**2 * epsilon**2 * rho),
}
# the four parts of (103) as powers of A, with B = A^beta and kappa = A^k, in the order of LEFT
EXPONENTS = 2 - 2 * k / 3, (6 + 2 * k) / 9, 5 * beta - 2 * k, (5 * beta + k) / 7
BATCH = {  # what each part is made of
    "sampling, fresh": ("b_1", "eta"),
    "sampling, difference": ("b_2", "eta", "chi"),
    "privacy, fresh": ("b_1", "eta"),
    "privacy, difference": ("b_2", "eta", "chi"),
}
NAMES = {name: name.replace(", ", "_") for name in SQUARES}  # of steps


def sizes() -> tuple[Step, ...]:
    """Return the printed batch sizes, and step size and error as far as they matter for the rate."""
    return (
        fact("b_1", "(9)", b_1, "=", shares(n)[b_1], Defined("(9)")),
        fact("b_2", "(9)", b_2, "=", shares(n)[b_2], Defined("(9)")),
        fact("eta", "the step size of (5) without logarithms", eta, "=", IN_RATE[eta], Defined("(5)")),
        fact("chi", "chi of (5) without constants", chi, "=", IN_RATE[chi], Defined("(5)")),
    )


def limits(at: Mapping[Any, Any]) -> tuple[Step, ...]:
    """Return the two entries of (104); `at` replaces letters first."""
    return (
        fact("kappa_1", "the first entry of (104)", kappa_1, "=", KAPPA_1.xreplace(dict(at)), Defined("(104)")),
        fact("kappa_2", "the second entry of (104)", kappa_2, "=", KAPPA_2.xreplace(dict(at)), Defined("(104)")),
    )


def balances(at: Mapping[Any, Any]) -> list[Step]:
    """Return the steps that each part at the limit of the drift that makes it smallest is its rate; `at` replaces letters first."""
    insert = dict(at)
    steps = []
    cases = [
        ("sampling, fresh", kappa_1, RATE_1, power(2, 2, 3)),
        ("privacy, fresh", kappa_2, RATE_2, 4),
        ("sampling, difference", kappa_1, RATE_1, power(2, 2, 9)),
        ("privacy, difference", kappa_2, RATE_2, power(4, 1, 7)),
    ]
    for name, limit, rate, constant in cases:
        left = LEFT[name].xreplace(insert).xreplace({kappa: limit}) ** (1 / SQUARES[name][1])
        statement = f"(104), the part {name} at its limit of the drift"
        right = (constant * rate).xreplace(insert)
        steps.append(line(f"{NAMES[name]}_balanced", statement, left, "=", right, "its entry of (104)", Substitution((limit.name,))))
    return steps


def theorem2() -> Derivation:
    """Write out what holds of the proof."""
    used = sp.Rational(13, 10) * s**2 * mu**4 * sp.log(16 * iota**3 * U / (s * omega) * sp.sqrt(rho / chi**3))
    calls = 6 * eta / kappa * (U + 5 * T * eta * chi**2)
    samples = (3 + 15 * T * eta * chi**2 / U) * n
    return Derivation(
        key="gauss_psgd.theorem2",
        title="the rate of Gauss-PSGD with Ada-DP-SPIDER, as far as the proof goes",
        source=f"{PAPER}, Theorem 2, (98) to (105)",
        spelled=SPELLED,
        facts=(
            *sizes(),
            *limits({}),
            small_step,
            fact("error", "Lemma 5: every error is at most chi", err, "<=", chi, Assumed()),
            fact("lemma_8", "Lemma 8", resets, "<=", calls, Shown("gauss_psgd.lemma8", "bound")),
        ),
        steps=(
            words(
                "single_use",
                "each sample is used in one release, so the whole is (epsilon, delta)-private when every release is",
                "Lemma 17, provided the run stops when the data are used up",
                Reasoned("parallel composition"),
            ),
            line(
                "difference_calls",
                "(98), O_2 calls: logarithms times n, not n (printed_98)",
                b_2 * T_PRINTED,
                "=",
                used * n,
                "insert b_2",
                Substitution(("b_2",)),
                ranges={rho: (10**3, 10**6), omega: (sp.Rational(1, 10**12), sp.Rational(1, 2))},
            ),
            line(
                "fresh_samples",
                "(98), b_1 times the bound of Lemma 8 on O_1 calls",
                b_1 * calls,
                "=",
                samples,
                "insert b_1",
                Substitution(("b_1",)),
            ),
            line(
                "fresh_calls",
                "(98), O_1 calls: at least 3 n samples are allowed for",
                b_1 * resets,
                "<=",
                samples,
                "Lemma 8",
                NonNegative(((b_1, "lemma_8"),), modulo=((-1, "fresh_samples"),)),
                where=GIVENS,
            ),
            *(
                line(
                    NAMES[name],
                    f"(99) to (102), the part {name}, in the accuracy",
                    value * alpha ** (exponent - 2),
                    "=",
                    LEFT[name],
                    "insert b_1, b_2, eta and chi",
                    Substitution(BATCH[name]),
                )
                for name, (value, exponent) in SQUARES.items()
            ),
            words(
                "largest",
                "(103): alpha is a constant times the largest of the four, each the root of its power of alpha: 2/3, 2/9, 1, 1/7",
                "a sum of four is at most four times the largest, and at least the largest",
                Reasoned("solve alpha^2 = part for each"),
            ),
            *balances({}),
            words(
                "stops",
                "here the printed proof stops: (104) takes the larger of two limits, and each of the four parts must be looked at for both",
                "the fourth part at the first limit can exceed (105), see printed_105 and gauss_psgd.exponents",
                Reasoned("the chain proves (105) at the limit where a part is smallest, not at the larger of the two limits"),
            ),
        ),
    )


def theorem3() -> Derivation:
    """Write out what holds of the proof."""
    clients = {b_1: m * b_1, b_2: m * b_2}
    return Derivation(
        key="gauss_psgd.theorem3",
        title="the rate with m clients, as far as the proof goes",
        source=f"{PAPER}, Theorem 3, (118) to (121), Lemma 9",
        spelled={**SPELLED, "N": N},
        facts=(
            *sizes(),
            *limits(MANY),
            fact("N", "sqrt(m) n epsilon", N, "=", sp.sqrt(m) * n * epsilon, Defined()),
        ),
        steps=(
            *(
                line(
                    NAMES[name],
                    f"(118), the part {name} for m clients: Lemma 9",
                    value.xreplace(clients) if "sampling" in name else value / m,
                    "=",
                    (LEFT[name] * alpha ** (2 - exponent)).xreplace(MANY),
                    "insert b_1, b_2 per client, eta and chi: one server's part with m n for n and sqrt(m) n epsilon for n epsilon",
                    Substitution(BATCH[name]),
                )
                for name, (value, exponent) in SQUARES.items()
            ),
            *balances(MANY),
            line(
                "private_part",
                "(121), the private part, in N = sqrt(m) n epsilon",
                power(sp.sqrt(d) / N, 2, 5),
                "=",
                B_RATE.xreplace(MANY),
                "(105) with N in place of n epsilon",
                Substitution(("N",)),
            ),
            words(
                "same_gaps",
                "the same gaps: (115), and the larger of two limits, with A = (m n)^(-1/3) and B = (sqrt(d) / (sqrt(m) n epsilon))^(2/5)",
                "gauss_psgd.exponents",
                Reasoned("the exponents of A and B are the same"),
            ),
        ),
    )


def remark2() -> Derivation:
    """Write the proof out."""
    total = sum(LEFT[name] / alpha**exponent for name, (_, exponent) in SQUARES.items())
    return Derivation(
        key="gauss_psgd.remark2",
        title="for a fixed logarithmic factor there is exactly one accuracy",
        source=f"{PAPER}, Remark 2 for Theorem 2; our proof",
        spelled=SPELLED,
        steps=(
            line(
                "over_alpha_squared",
                "(102) over alpha^2: four powers with coefficients that are free of alpha, as Theorem 2 has them",
                sum(LEFT[name] * alpha ** (2 - exponent) for name, (_, exponent) in SQUARES.items()) / alpha**2,
                "=",
                total,
                "divide",
                Identity(),
            ),
            line(
                "falls",
                "it is positive and falls strictly: minus alpha times the slope is more than the value",
                -alpha * sp.diff(total, alpha),
                ">",
                total,
                "the powers are at least 1, all but one of them more",
                NonNegative(tuple((exponent - 1, LEFT[name], alpha**-exponent) for name, (_, exponent) in SQUARES.items() if exponent > 1)),
            ),
            words(
                "one_root",
                "from infinity at 0 to 0 at infinity, so it is 1 at exactly one alpha",
                "a continuous function takes every value between",
                Reasoned("intermediate value theorem", using=("falls",)),
            ),
        ),
    )
