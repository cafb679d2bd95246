"""Which rate (103) gives, for every limit of the drift: the exponents of its four parts to the base A = n^(-1/3).

Setting   G = M = rho = U = 1, constants left out; B = (sqrt(d) / (n epsilon))^(2/5) = A^beta and kappa = A^k.
Source    Gauss-PSGD, Theorem 2, (103) to (105); our proof.

A < 1, so a smaller exponent is a larger error.
"""

from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd.paper import letters, power, proved
from bounds.gauss_psgd.theorem2 import B_RATE, LEFT, NAMES, SQUARES
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
OF_PARTS = dict(zip((e_1, e_2, e_3, e_4), EXPONENTS, strict=True))
low, high = sp.Rational(6, 7), sp.Rational(11, 10)
ENDS = {  # of the cases of beta
    "from_4_5": (">=", sp.Rational(4, 5)),
    "from_6_7": (">=", low),
    "to_11_10": ("<=", high),
    "from_11_10": (">=", high),
    "to_6_5": ("<=", sp.Rational(6, 5)),
}
LIMITS = {  # of the drift: k, and the kappa that it stands for
    "k_first": (sp.Rational(3, 2), "A^(3/2), the first entry of (104)"),
    "k_second": (2 * beta, "B^2, the second entry of (104)"),
    "k_best": (3 * (14 - 5 * beta) / 17, "A^(3 (14 - 5 beta)/17)"),
}
best, mean = (6 + 10 * beta) / 17, sp.Rational(3, 5) + beta / 2


def exponents() -> Derivation:
    """Write the parts of (103) as powers of A: what (104) gives, what no kappa can exceed, and what the best one gives."""
    units = tuple(f"unit_{one.name}" for one in (G, M, rho, U))
    of = sp.Rational
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
            *(line(one.name, one, "=", value).says(one.name).defined() for one, value in OF_PARTS.items()),
            *(
                line(f"least_{i}", e_least, "<=", one).says("the largest part").reasoned("a smallest one")
                for i, one in enumerate(OF_PARTS, 1)
            ),
            line("e_best", e_best, "=", best).says("of A^(6/17) B^(10/17)").defined(),
            line("e_mean", e_mean, "=", mean).says("of the third and the second").defined(),
            *(line(name, k, "=", value).says(f"kappa = {words}").case() for name, (value, words) in LIMITS.items()),
            line("beta_one", beta, "=", 1).says("B = A").case(),
            *(line(name, beta, relation, end).says(f"beta {relation} {end}").case() for name, (relation, end) in ENDS.items()),
        ),
        steps=(
            *(
                line(f"part_{NAMES[name]}", (LEFT[name] / LEFT[name].as_coeff_Mul()[0]) ** (1 / SQUARES[name][1]), "=", A**letter)
                .says(f"the exponent of the part {name} of (103), for G = M = rho = U = 1 and without its constant")
                .because("A = n^(-1/3), B = (sqrt(d) / (n epsilon))^(2/5) = A^beta, kappa = A^k")
                .inserting(*units, "A_rate", *(("d",) if "privacy" in name else ()), "kappa", letter.name)
                for name, letter in zip(LEFT, OF_PARTS, strict=True)
            ),
            _equal("first_is_A", "(104) is A^(3/2) when beta >= 3/4: there the first exponent is that of A", e_1, 1, "e_1", "k_first"),
            _equal("second_is_A", "and so is the second exponent", e_2, 1, "e_2", "k_first"),
            line("fourth_against_B", e_4 - beta, "=", of(2, 7) * (of(3, 4) - beta))
            .says("the fourth exponent against that of B, beta: below it when beta > 3/4", "exact arithmetic")
            .inserting("e_4", "k_first"),
            line("fourth_against_A", e_4 - 1, "=", of(5, 7) * (beta - high))
            .says("the fourth exponent against that of A: below it when beta < 11/10", "exact arithmetic")
            .inserting("e_4", "k_first"),
            _equal("third_is_B", "(104) is B^2 when beta <= 3/4: there the third exponent is that of B", e_3, beta, "e_3", "k_second"),
            _equal("fourth_is_B", "and so is the fourth exponent", e_4, beta, "e_4", "k_second"),
            _equal("first_against_B", "the first part is smaller up to beta = 6/7", e_1 - beta, of(7, 3) * (low - beta), "e_1", "k_second"),
            _equal(
                "second_against_B", "the second part too, up to beta = 6/5", e_2 - beta, of(5, 9) * (of(6, 5) - beta), "e_2", "k_second"
            ),
            line("printed_limit")
            .says(
                "so (104) gives max(A, B) for beta <= 3/4 and for beta >= 11/10, and a larger error between; kappa = B^2 gives it up to 6/7"
            )
            .because("the signs of the last steps")
            .reasoned("the smallest of four exponents"),
            _mean(
                "first_and_fourth",
                "every kappa: the least exponent is at most a mean of the first and the fourth",
                {e_1: 3, e_4: 14},
                e_best,
            ),
            _mean("first_and_second", "of the first and the second exponent", {e_1: 1, e_2: 3}, 1),
            _mean("third_and_fourth", "of the third and the fourth exponent", {e_3: 1, e_4: 14}, beta),
            _mean("third_and_second", "of the third and the second exponent", {e_3: 1, e_2: 9}, e_mean),
            line("no_limit")
            .says("so no kappa gives an exponent above min(1, beta, (6 + 10 beta)/17)")
            .because("the smallest of four is at most each mean of two, whatever k")
            .reasoned("weights that add up to 1 and make k cancel", using=("first_and_fourth", "first_and_second", "third_and_fourth")),
            _at_least("mean_above_B", "the last mean never matters: its exponent", e_mean, beta, "to_6_5"),
            _at_least("mean_above_A", "or the mean exponent is at least 1", e_mean, 1, "from_4_5"),
            line("first_is_best", e_1, "=", e_best)
            .says("it is reached in the window: kappa = A^(3 (14 - 5 beta)/17) makes the first exponent this", "exact arithmetic")
            .identity((1, "e_1"), (-of(2, 3), "k_best"), (-1, "e_best")),
            line("fourth_is_best", e_4, "=", e_best)
            .says("and the fourth exponent", "exact arithmetic")
            .identity((1, "e_4"), (of(1, 7), "k_best"), (-1, "e_best")),
            _at_least("third_is_smaller", "the third exponent is larger from 6/7 on", e_3, best, "from_6_7", "k_best"),
            _at_least("second_is_smaller", "the second exponent is larger up to 11/10", e_2, best, "to_11_10", "k_best"),
            _equal("best_against_B", "against B: more than B from beta = 6/7 on", e_best - beta, of(7, 17) * (low - beta), "e_best"),
            _equal("best_against_A", "against A: more than A up to beta = 11/10", e_best - 1, of(10, 17) * (beta - high), "e_best"),
            _at_least("third_below_A", "above 11/10, kappa = A^(3/2): the third exponent is at least 1", e_3, 1, "from_11_10", "k_first"),
            _at_least("fourth_below_A", "and the fourth exponent", e_4, 1, "from_11_10", "k_first"),
            line("third_part", A ** of(6, 17) * B_RATE ** of(10, 17), "=", power(sp.sqrt(d) / (power(n, 3, 2) * epsilon), 4, 17))
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


def _mean(name: str, statement: str, shares: dict[Any, int], rhs: Any) -> Step:
    """Return the step that the least exponent is at most a mean of two, with these shares in it."""
    weights = {letter.name: sp.Rational(share, sum(shares.values())) for letter, share in shares.items()}
    terms = [(weight, one.replace("e_", "least_")) for one, weight in weights.items()]
    modulo = (*((-weight, one) for one, weight in weights.items()), *((1, one.name) for one in (e_best, e_mean) if one == rhs))
    return line(name, e_least, "<=", rhs).says(statement).because("k cancels").by(*terms, modulo=modulo)


def _at_least(name: str, statement: str, letter: Any, rhs: Any, end: str, limit: str = "") -> Step:
    """Return the step that an exponent is at least this in a case of beta, for the mean or at one of the limits of the drift."""
    value = OF_PARTS.get(letter, mean)
    gap = sp.expand((value.xreplace({k: LIMITS[limit][0]}) if limit else value) - rhs)
    modulo = ((1, letter.name), *(((sp.expand(value).coeff(k), limit),) if limit else ()))
    opened = line(name, letter, ">=", rhs).says(statement).because("linear, true at the end and growing from there")
    return opened.by(gap.subs(beta, ENDS[end][1]), (abs(gap.coeff(beta)), end), modulo=modulo)
