"""From the oracle to a rate: Theorems 2 and 3, as far as they hold, the exponents of (103), and the single root of Remark 2.

Setting   alpha^2 is a constant times psi^2 = sigma^2 + r^2 d; eta = sqrt(rho alpha) / M^2 and chi = alpha, logarithms and constants
          left out.
Source    Gauss-PSGD, Theorem 2 with (98) to (105), Theorem 3 with (118) to (121), Remark 2.

The rate (105) does not follow from (103) and (104) when A^1.1 < B < A^(3/4), A and B its two parts: `exponents` has the exact window,
what another limit of the drift can do, and the rate that the proof does give, with a third part of exponent 4/17.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.derivation import Derivation, Given, Identity, NonNegative, Reasoned, Substitution
from bounds.gauss_psgd.proofs_block import (
    PAPER,
    T_PRINTED,
    G,
    M,
    T,
    U,
    alpha,
    b_1,
    b_2,
    chain,
    chi,
    d,
    epsilon,
    eta,
    iota,
    kappa,
    line,
    m,
    mu,
    n,
    omega,
    rho,
    s,
    words,
)
from bounds.symbols import symbols

A, beta, k, N, e_first, e_second = symbols("A_rate beta_exp k_exp N_private e_first e_second")
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


def balances(at: dict[Any, Any] | None = None) -> list[Any]:
    """Return the steps that each part at the limit of the drift that makes it smallest is its rate; `at` replaces letters first."""
    insert = at or {}
    steps = []
    cases = [
        ("sampling, fresh", KAPPA_1, RATE_1, power(2, 2, 3)),
        ("privacy, fresh", KAPPA_2, RATE_2, 4),
        ("sampling, difference", KAPPA_1, RATE_1, power(2, 2, 9)),
        ("privacy, difference", KAPPA_2, RATE_2, power(4, 1, 7)),
    ]
    for name, limit, rate, constant in cases:
        lhs = (LEFT[name] ** (1 / SQUARES[name][1])).xreplace(insert)
        rhs = (constant * rate).xreplace(insert)
        steps.append(
            line(f"(104), the part {name}", lhs, "=", rhs, "its limit of the drift", Substitution({kappa: limit.xreplace(insert)}))
        )
    return steps


def theorem2() -> Derivation:
    """Write out what holds of the proof."""
    used = sp.Rational(13, 10) * s**2 * mu**4 * sp.log(16 * iota**3 * U / (s * omega) * sp.sqrt(rho / chi**3))
    return chain(
        "theorem2",
        "the rate of Gauss-PSGD with Ada-DP-SPIDER, as far as the proof goes",
        f"{PAPER}, Theorem 2, (98) to (105)",
        words(
            "each sample is used in one release, so the whole is (epsilon, delta)-private when every release is",
            "Lemma 17, provided the run stops when the data are used up",
            Reasoned("parallel composition"),
        ),
        line(
            "(98), O_2 calls: logarithms times n, not n (printed_98)",
            b_2 * T_PRINTED,
            "=",
            used * n,
            "insert b_2",
            Substitution({b_2: shares(n)[b_2]}),
            ranges={rho: (10**3, 10**6), omega: (1e-12, 0.5)},
        ),
        line(
            "(98), O_1 calls, with the bound of Lemma 8: at least 3 n",
            b_1 * 6 * eta / kappa * (U + 5 * T * eta * chi**2),
            "=",
            (3 + 15 * T * eta * chi**2 / U) * n,
            "insert b_1",
            Substitution({b_1: shares(n)[b_1]}),
        ),
        *(
            line(
                f"(99) to (102), the part {name}",
                value * alpha ** (exponent - 2),
                "=",
                LEFT[name],
                "insert b_1, b_2, eta and chi",
                Substitution({letter: size.xreplace(IN_RATE) for letter, size in shares(n).items()}),
            )
            for name, (value, exponent) in SQUARES.items()
        ),
        words(
            "(103): alpha is a constant times the largest of the four, each the root of its power of alpha: 2/3, 2/9, 1, 1/7",
            "a sum of four is at most four times the largest, and at least the largest",
            Reasoned("solve alpha^2 = part for each"),
        ),
        *balances(),
        words(
            "here the printed proof stops: (104) takes the larger of two limits, and each of the four parts has to be looked at for both",
            "the fourth part at the first limit can exceed (105), see printed_105 and gauss_psgd.exponents",
            Reasoned("the chain proves (105) at the limit where a part is smallest, not at the larger of the two limits"),
        ),
    )


def theorem3() -> Derivation:
    """Write out what holds of the proof."""
    clients = {"b_1": m * b_1, "b_2": m * b_2}
    return chain(
        "theorem3",
        "the rate with m clients, as far as the proof goes",
        f"{PAPER}, Theorem 3, (118) to (121)",
        *(
            line(
                f"(118), the part {name}: Lemma 9",
                value.xreplace({b_1: clients["b_1"], b_2: clients["b_2"]}) if "sampling" in name else value / m,
                "=",
                (LEFT[name] * alpha ** (2 - exponent)).xreplace(MANY),
                "insert b_1, b_2 per client, eta and chi: one server's part with m n for n and sqrt(m) n epsilon for n epsilon",
                Substitution({letter: size.xreplace(IN_RATE) for letter, size in shares(n).items()}),
            )
            for name, (value, exponent) in SQUARES.items()
        ),
        *balances(MANY),
        line(
            "(121), the private part: sqrt(m) n epsilon",
            power(sp.sqrt(d) / N, 2, 5),
            "=",
            B_RATE.xreplace(MANY),
            "(105) with N in place of n epsilon",
            Substitution({N: sp.sqrt(m) * n * epsilon}),
        ),
        words(
            "the same two gaps: (115), and the larger of two limits, with A = (m n)^(-1/3) and B = (sqrt(d) / (sqrt(m) n epsilon))^(2/5)",
            "gauss_psgd.exponents",
            Reasoned("the exponents of A and B are the same"),
        ),
    )


def remark2() -> Derivation:
    """Write the proof out."""
    total = sum(LEFT[name] / alpha**exponent for name, (_, exponent) in SQUARES.items())
    return chain(
        "remark2",
        "for a fixed logarithmic factor there is exactly one accuracy",
        f"{PAPER}, Remark 2; our proof",
        line(
            "(102) over alpha^2: four powers with coefficients that are free of alpha (Theorem 2, steps 4 to 7)",
            sum(LEFT[name] * alpha ** (2 - exponent) for name, (_, exponent) in SQUARES.items()) / alpha**2,
            "=",
            total,
            "divide",
            Identity(),
        ),
        line(
            "it is positive and falls strictly: minus alpha times the slope is more than the value",
            -alpha * sp.diff(total, alpha),
            ">",
            total,
            "the powers are at least 1, all but one of them more",
            NonNegative(tuple((exponent - 1, LEFT[name], alpha**-exponent) for name, (_, exponent) in SQUARES.items() if exponent > 1)),
        ),
        words(
            "from infinity at 0 to 0 at infinity, so it is 1 at exactly one alpha",
            "a continuous function takes every value between",
            Reasoned("intermediate value theorem"),
        ),
    )


# the four parts of (103) as powers of A, with B = A^beta and kappa = A^k, in the order of LEFT
EXPONENTS = fresh, difference, private_fresh, private_difference = 2 - 2 * k / 3, (6 + 2 * k) / 9, 5 * beta - 2 * k, (5 * beta + k) / 7


def exponents() -> Derivation:
    """Write out what (103) gives for every limit of the drift. A < 1, so a smaller exponent is a larger error."""
    unit = {G: 1, M: 1, rho: 1, U: 1, n: A**-3, d: epsilon**2 * A ** (5 * beta - 6), kappa: A**k}
    third, best = sp.Rational(3, 2), (6 + 10 * beta) / 17
    crossing = 3 * (14 - 5 * beta) / 17

    def equal(statement: str, lhs: Any, rhs: Any, limit: Any = None) -> Any:
        certificate = Identity() if limit is None else Substitution({k: limit})
        return line(statement, lhs, "=", rhs, "exact arithmetic", certificate)

    def mean(statement: str, weight: Any, one: Any, other: Any, rhs: Any) -> Any:
        values = {e_first: one, e_second: other}
        return line(statement, weight * e_first + (1 - weight) * e_second, "=", rhs, "k cancels", Substitution(values))

    def at_least(statement: str, lhs: Any, rhs: Any, end: Any, side: int) -> Any:
        """Return the step that one linear function of beta is at least another above (side 1) or below (side -1) the end."""
        gap = sp.expand(lhs - rhs)
        beyond = Given(side * (beta - end), f"beta {'>=' if side > 0 else '<='} {end}")
        terms = ((gap.subs(beta, end),), (side * gap.coeff(beta), beyond.expression))
        inside = end + side * sp.Rational(1, 10**9)  # the end as a float may lie just outside, and some of the gaps are 0 at the end
        ranges = {beta: (inside, 10) if side > 0 else (sp.Rational(1, 100), inside)}
        return line(
            statement, lhs, ">=", rhs, "linear, true at the end and growing from there", NonNegative(terms, given=(beyond,)), ranges=ranges
        )

    low, high = sp.Rational(6, 7), sp.Rational(11, 10)
    steps = [
        *(
            line(
                f"the exponent of the part {name} of (103), for G = M = rho = U = 1 and without its constant",
                ((LEFT[name] / LEFT[name].as_coeff_Mul()[0]) ** (1 / SQUARES[name][1])),
                "=",
                A**exponent,
                "A = n^(-1/3), B = (sqrt(d) / (n epsilon))^(2/5) = A^beta, kappa = A^k",
                Substitution(unit),
            )
            for name, exponent in zip(LEFT, EXPONENTS, strict=True)
        ),
        equal("(104) is A^(3/2) when beta >= 3/4: there the first part is A", fresh, 1, limit=third),
        equal("and so is the second", difference, 1, limit=third),
        equal(
            "the fourth against B: below it when beta > 3/4",
            private_difference - beta,
            sp.Rational(2, 7) * (sp.Rational(3, 4) - beta),
            limit=third,
        ),
        equal("the fourth against A: below it when beta < 11/10", private_difference - 1, sp.Rational(5, 7) * (beta - high), limit=third),
        equal("(104) is B^2 when beta <= 3/4: there the third part is B", private_fresh, beta, limit=2 * beta),
        equal("and so is the fourth", private_difference, beta, limit=2 * beta),
        equal("the first is smaller up to beta = 6/7", fresh - beta, sp.Rational(7, 3) * (low - beta), limit=2 * beta),
        equal("the second too, up to beta = 6/5", difference - beta, sp.Rational(5, 9) * (sp.Rational(6, 5) - beta), limit=2 * beta),
        words(
            "so (104) gives max(A, B) for beta <= 3/4 and for beta >= 11/10, and a larger error between; kappa = B^2 gives it up to 6/7",
            "the signs of the last steps",
            Reasoned("the smallest of four exponents"),
        ),
        mean("every kappa: a mean of the first and the fourth", sp.Rational(3, 17), fresh, private_difference, best),
        mean("of the first and the second", quarter, fresh, difference, 1),
        mean("of the third and the fourth", sp.Rational(1, 15), private_fresh, private_difference, beta),
        mean("of the third and the second", sp.Rational(1, 10), private_fresh, difference, sp.Rational(3, 5) + beta / 2),
        words(
            "so no kappa gives an exponent above min(1, beta, (6 + 10 beta)/17)",
            "the smallest of four is at most each mean of two, whatever k",
            Reasoned("weights that add up to 1 and make k cancel"),
        ),
        at_least("the last mean never matters: at least beta", sp.Rational(3, 5) + beta / 2, beta, sp.Rational(6, 5), -1),
        at_least("or at least 1", sp.Rational(3, 5) + beta / 2, 1, sp.Rational(4, 5), 1),
        equal("it is reached in the window: kappa = A^(3 (14 - 5 beta)/17) makes the first part this", fresh, best, limit=crossing),
        equal("and the fourth", private_difference, best, limit=crossing),
        at_least("the third is smaller from 6/7 on", private_fresh.subs(k, crossing), best, low, 1),
        at_least("the second is smaller up to 11/10", difference.subs(k, crossing), best, high, -1),
        line(
            "against B: more than B from beta = 6/7 on",
            e_first - beta,
            "=",
            sp.Rational(7, 17) * (low - beta),
            "exact arithmetic",
            Substitution({e_first: best}),
        ),
        line(
            "against A: more than A up to beta = 11/10",
            e_first - 1,
            "=",
            sp.Rational(10, 17) * (beta - high),
            "exact arithmetic",
            Substitution({e_first: best}),
        ),
        at_least("above 11/10, kappa = A^(3/2): the third is at most A", private_fresh.subs(k, third), 1, high, 1),
        at_least("and the fourth", private_difference.subs(k, third), 1, high, 1),
        line(
            "the rate that the proof gives has a third part, A^(6/17) B^(10/17)",
            A ** sp.Rational(6, 17) * B_RATE ** sp.Rational(10, 17),
            "=",
            power(sp.sqrt(d) / (power(n, 3, 2) * epsilon), 4, 17),
            "insert A and B",
            Substitution({A: power(n, -1, 3)}),
        ),
        line(
            "at B = A the printed kappa loses a factor n^(1/42): the largest part is n^(-13/42)",
            A**private_difference,
            "=",
            power(n, -13, 42),
            "insert",
            Substitution({A: power(n, -1, 3), k: third, beta: 1}),
        ),
        line(
            "and the best kappa n^(1/51)",
            A**best / A,
            "=",
            power(n, 1, 51),
            "insert",
            Substitution({A: power(n, -1, 3), beta: 1}),
        ),
        words(
            "other batch sizes do not help: single use allows b_1 up to n over the count of O_1 calls, b_2 up to n / T; all parts fall",
            "the printed sizes are these bounds up to constants and logarithms",
            Reasoned("monotone in b_1 and b_2"),
        ),
    ]
    return chain(
        "exponents", "which rate (103) gives, for every limit of the drift", f"{PAPER}, Theorem 2, (103) to (105); our proof", *steps
    )
