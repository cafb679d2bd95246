"""Which rate (103) gives, for every limit of the drift: the exponents of its four parts to the base A = n^(-1/3).

Setting   G = M = rho = U = 1, constants left out; B = (sqrt(d) / (n epsilon))^(2/5) = A^beta and kappa = A^k.
Source    Gauss-PSGD, Theorem 2, (103) to (105); our proof.

A < 1, so a smaller exponent is a larger error.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd.paper import letters, proved
from bounds.gauss_psgd.theorem2 import B_RATE, LEFT, NAMES, SQUARES, power
from bounds.lines import Step, line
from bounds.symbols import introduce

A, d, epsilon, G, kappa, M, n, rho, U, beta, k = letters("A_rate d epsilon G kappa M n rho U beta_exp k_exp")

# the four parts of (103) as powers of A, with B = A^beta and kappa = A^k, in the order of LEFT
EXPONENTS = 2 - 2 * k / 3, (6 + 2 * k) / 9, 5 * beta - 2 * k, (5 * beta + k) / 7


def exponent(name: str, latex: str, text: str) -> sp.Symbol:
    """Return the letter for an exponent to the base A."""
    return introduce(name, latex, f"exponent of {text} to the base of the rate without privacy", -100, 100, "proof")


e_1, e_2 = exponent("e_1", "e_1", "sampling, fresh"), exponent("e_2", "e_2", "sampling, difference")
e_3, e_4 = exponent("e_3", "e_3", "privacy, fresh"), exponent("e_4", "e_4", "privacy, difference")
e_least, e_mean = exponent("e_least", r"\min_ie_i", "the largest part"), exponent("e_mean", r"\bar e", "a mean of two parts")
e_best = introduce("e_best", "e^*", "exponent of the rate with the best limit of the drift", 1e-3, 100, "proof")
LETTERS = e_1, e_2, e_3, e_4
low, high = sp.Rational(6, 7), sp.Rational(11, 10)
third, crossing = sp.Rational(3, 2), 3 * (14 - 5 * beta) / 17
best = (6 + 10 * beta) / 17


def exponents() -> Derivation:
    """Write the parts of (103) as powers of A: what (104) gives, what no kappa can exceed, and what the best one gives."""
    units = tuple(f"unit_{one.name}" for one in (G, M, rho, U))
    of, mean = sp.Rational, sp.Rational(3, 5) + beta / 2
    at_best, ninth = [value.xreplace({k: crossing}) for value in EXPONENTS], sp.Rational(1, 9)
    at_first = [value.xreplace({k: third}) for value in EXPONENTS]
    return proved(
        "exponents",
        "which rate (103) gives, for every limit of the drift",
        "Theorem 2, (103) to (105); our proof",
        spelled={"A": A, "beta": beta, "k": k},
        facts=(
            *(line(f"unit_{one.name}", one, "=", 1).says(f"{one.name} is 1").case() for one in (G, M, rho, U)),
            line("A_rate", A, "=", power(n, -1, 3)).says("A = n^(-1/3)").defined(),
            line("d", d, "=", epsilon**2 * A ** (5 * beta - 6)).says("B = (sqrt(d) / (n epsilon))^(2/5) = A^beta").case(),
            line("kappa", kappa, "=", A**k).says("kappa = A^k").defined(),
            *(line(one.name, one, "=", value).says(one.name).defined() for one, value in zip(LETTERS, EXPONENTS, strict=True)),
            *(
                line(f"least_{i}", e_least, "<=", one).says("the largest part").reasoned("a smallest one")
                for i, one in enumerate(LETTERS, 1)
            ),
            line("e_best", e_best, "=", best).says("of A^(6/17) B^(10/17)").defined(),
            line("e_mean", e_mean, "=", sp.Rational(3, 5) + beta / 2).says("of the third and the second").defined(),
            line("k_first", k, "=", third).says("kappa = A^(3/2), the first entry of (104)").case(),
            line("k_second", k, "=", 2 * beta).says("kappa = B^2, the second entry of (104)").case(),
            line("k_best", k, "=", crossing).says("kappa = A^(3 (14 - 5 beta)/17)").case(),
            line("beta_one", beta, "=", 1).says("B = A").case(),
            line("from_4_5", beta, ">=", sp.Rational(4, 5)).says("beta >= 4/5").case(),
            line("from_6_7", beta, ">=", low).says("beta >= 6/7").case(),
            line("to_11_10", beta, "<=", high).says("beta <= 11/10").case(),
            line("from_11_10", beta, ">=", high).says("beta >= 11/10").case(),
            line("to_6_5", beta, "<=", sp.Rational(6, 5)).says("beta <= 6/5").case(),
        ),
        steps=(
            *tuple(
                line(f"part_{NAMES[name]}", (LEFT[name] / LEFT[name].as_coeff_Mul()[0]) ** (1 / SQUARES[name][1]), "=", A**letter)
                .says(f"the exponent of the part {name} of (103), for G = M = rho = U = 1 and without its constant")
                .because("A = n^(-1/3), B = (sqrt(d) / (n epsilon))^(2/5) = A^beta, kappa = A^k")
                .inserting(
                    *((*units, "A_rate", "d", "kappa", letter.name) if "privacy" in name else (*units, "A_rate", "kappa", letter.name))
                )
                for name, letter in zip(LEFT, LETTERS, strict=True)
            ),
            _equal("first_is_A", "(104) is A^(3/2) when beta >= 3/4: there the first exponent is that of A", e_1, 1, "e_1", "k_first"),
            _equal("second_is_A", "and so is the second exponent", e_2, 1, "e_2", "k_first"),
            line("fourth_against_B", e_4 - beta, "=", sp.Rational(2, 7) * (sp.Rational(3, 4) - beta))
            .says("the fourth exponent against that of B, beta: below it when beta > 3/4", "exact arithmetic")
            .inserting("e_4", "k_first"),
            line("fourth_against_A", e_4 - 1, "=", sp.Rational(5, 7) * (beta - high))
            .says("the fourth exponent against that of A: below it when beta < 11/10", "exact arithmetic")
            .inserting("e_4", "k_first"),
            _equal("third_is_B", "(104) is B^2 when beta <= 3/4: there the third exponent is that of B", e_3, beta, "e_3", "k_second"),
            _equal("fourth_is_B", "and so is the fourth exponent", e_4, beta, "e_4", "k_second"),
            line("first_against_B", e_1 - beta, "=", sp.Rational(7, 3) * (low - beta))
            .says("the first part is smaller up to beta = 6/7", "exact arithmetic")
            .inserting("e_1", "k_second"),
            line("second_against_B", e_2 - beta, "=", sp.Rational(5, 9) * (sp.Rational(6, 5) - beta))
            .says("the second part too, up to beta = 6/5", "exact arithmetic")
            .inserting("e_2", "k_second"),
            line("printed_limit")
            .says(
                "so (104) gives max(A, B) for beta <= 3/4 and for beta >= 11/10, and a larger error between; kappa = B^2 gives it up to 6/7"
            )
            .because("the signs of the last steps")
            .reasoned("the smallest of four exponents"),
            _mean(
                "first_and_fourth",
                "every kappa: the least exponent is at most a mean of the first and the fourth",
                {e_1: of(3, 17), e_4: of(14, 17)},
                e_best,
                (1, "e_best"),
            ),
            _mean("first_and_second", "of the first and the second exponent", {e_1: of(1, 4), e_2: of(3, 4)}, 1),
            _mean("third_and_fourth", "of the third and the fourth exponent", {e_3: of(1, 15), e_4: of(14, 15)}, beta),
            _mean("third_and_second", "of the third and the second exponent", {e_3: of(1, 10), e_2: of(9, 10)}, e_mean, (1, "e_mean")),
            line("no_limit")
            .says("so no kappa gives an exponent above min(1, beta, (6 + 10 beta)/17)")
            .because("the smallest of four is at most each mean of two, whatever k")
            .reasoned("weights that add up to 1 and make k cancel", using=("first_and_fourth", "first_and_second", "third_and_fourth")),
            _at_least("mean_above_B", "the last mean never matters: its exponent", e_mean, mean, beta, "to_6_5", of(6, 5)),
            _at_least("mean_above_A", "or the mean exponent is at least 1", e_mean, mean, 1, "from_4_5", of(4, 5)),
            line("first_is_best", e_1, "=", e_best)
            .says("it is reached in the window: kappa = A^(3 (14 - 5 beta)/17) makes the first exponent this", "exact arithmetic")
            .identity((1, "e_1"), (-sp.Rational(2, 3), "k_best"), (-1, "e_best")),
            line("fourth_is_best", e_4, "=", e_best)
            .says("and the fourth exponent", "exact arithmetic")
            .identity((1, "e_4"), (sp.Rational(1, 7), "k_best"), (-1, "e_best")),
            _at_least(
                "third_is_smaller", "the third exponent is larger from 6/7 on", e_3, at_best[2], best, "from_6_7", low, (-2, "k_best")
            ),
            _at_least(
                "second_is_smaller",
                "the second exponent is larger up to 11/10",
                e_2,
                at_best[1],
                best,
                "to_11_10",
                high,
                (2 * ninth, "k_best"),
            ),
            _equal(
                "best_against_B", "against B: more than B from beta = 6/7 on", e_best - beta, sp.Rational(7, 17) * (low - beta), "e_best"
            ),
            _equal(
                "best_against_A", "against A: more than A up to beta = 11/10", e_best - 1, sp.Rational(10, 17) * (beta - high), "e_best"
            ),
            _at_least(
                "third_below_A",
                "above 11/10, kappa = A^(3/2): the third exponent is at least 1",
                e_3,
                at_first[2],
                1,
                "from_11_10",
                high,
                (-2, "k_first"),
            ),
            _at_least("fourth_below_A", "and the fourth exponent", e_4, at_first[3], 1, "from_11_10", high, (sp.Rational(1, 7), "k_first")),
            line(
                "third_part",
                A ** sp.Rational(6, 17) * B_RATE ** sp.Rational(10, 17),
                "=",
                power(sp.sqrt(d) / (power(n, 3, 2) * epsilon), 4, 17),
            )
            .says("the rate that the proof gives has a third part, A^(6/17) B^(10/17)", "insert A and B")
            .inserting("A_rate"),
            line("lost_by_the_printed_limit", A**e_4, "=", power(n, -13, 42))
            .says("at B = A the printed kappa loses a factor n^(1/42): the largest part is n^(-13/42)", "insert")
            .inserting("A_rate", "e_4", "k_first", "beta_one"),
            line("lost_by_the_best_limit", A**e_best / A, "=", power(n, 1, 51))
            .says("and the best kappa n^(1/51)", "insert")
            .inserting("A_rate", "e_best", "beta_one"),
            line("other_sizes")
            .says(
                "other batch sizes do not help: single use allows b_1 up to n over the count of O_1 calls, b_2 up to n / T; all parts fall"
            )
            .because("the printed sizes are these bounds up to constants and logarithms")
            .reasoned("monotone in b_1 and b_2"),
        ),
    )


def _equal(name: str, statement: str, lhs: Any, rhs: Any, *at: str) -> Step:
    return line(name, lhs, "=", rhs).says(statement).because("exact arithmetic").inserting(*at)


def _mean(name: str, statement: str, weights: dict[Any, Any], rhs: Any, *rest: tuple[Any, str]) -> Step:
    numbers = {letter: i for i, letter in enumerate(LETTERS, start=1)}
    terms = tuple((weight, f"least_{numbers[letter]}") for letter, weight in weights.items())
    modulo = (*((-weight, letter.name) for letter, weight in weights.items()), *rest)
    return line(name, e_least, "<=", rhs).says(statement).because("k cancels").by(*terms, modulo=modulo)


def _at_least(name: str, statement: str, letter: Any, value: Any, rhs: Any, end: str, at: Any, *modulo: tuple[Any, str]) -> Step:
    gap = sp.expand(value - rhs)
    opened = line(name, letter, ">=", rhs).says(statement).because("linear, true at the end and growing from there")
    return opened.by(gap.subs(beta, at), (abs(gap.coeff(beta)), end), modulo=((1, letter.name), *modulo))
