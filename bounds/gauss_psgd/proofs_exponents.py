"""Which rate (103) gives, for every limit of the drift: the exponents of its four parts to the base A = n^(-1/3).

Setting   G = M = rho = U = 1, constants left out; B = (sqrt(d) / (n epsilon))^(2/5) = A^beta and kappa = A^k.
Source    Gauss-PSGD, Theorem 2, (103) to (105); our proof.

A < 1, so a smaller exponent is a larger error.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.derivation import GIVENS, Case, Defined, Derivation, Identity, NonNegative, Reasoned, Step, Substitution, fact, line, words
from bounds.gauss_psgd.proofs_block import PAPER, SPELLED, G, M, U, d, epsilon, kappa, n, rho
from bounds.gauss_psgd.proofs_rates import B_RATE, EXPONENTS, LEFT, NAMES, SQUARES, A, beta, k, power
from bounds.symbols import Letter, introduce


def exponent(name: str, latex: str, text: str) -> sp.Symbol:
    """Return the letter for an exponent to the base A."""
    return introduce(Letter(name, latex, f"exponent of {text} to the base of the rate without privacy", -100, 100, "proof"))


e_1, e_2 = exponent("e_1", "e_1", "sampling, fresh"), exponent("e_2", "e_2", "sampling, difference")
e_3, e_4 = exponent("e_3", "e_3", "privacy, fresh"), exponent("e_4", "e_4", "privacy, difference")
e_least, e_mean = exponent("e_least", r"\min_ie_i", "the largest part"), exponent("e_mean", r"\bar e", "a mean of two parts")
e_best = introduce(Letter("e_best", "e^*", "exponent of the rate with the best limit of the drift", 1e-3, 100, "proof"))
LETTERS = e_1, e_2, e_3, e_4

low, high = sp.Rational(6, 7), sp.Rational(11, 10)
third, crossing = sp.Rational(3, 2), 3 * (14 - 5 * beta) / 17
best = (6 + 10 * beta) / 17


def exponents() -> Derivation:
    """Write out what (103) gives for every limit of the drift."""
    return Derivation(
        key="gauss_psgd.exponents",
        title="which rate (103) gives, for every limit of the drift",
        source=f"{PAPER}, Theorem 2, (103) to (105); our proof",
        spelled={**SPELLED, "A": A, "beta": beta, "k": k},
        facts=(
            *(fact(f"unit_{one.name}", f"{one.name} is 1", one, "=", 1, Case()) for one in (G, M, rho, U)),
            fact("A_rate", "A = n^(-1/3)", A, "=", power(n, -1, 3), Defined()),
            fact("d", "B = (sqrt(d) / (n epsilon))^(2/5) = A^beta", d, "=", epsilon**2 * A ** (5 * beta - 6), Case()),
            fact("kappa", "kappa = A^k", kappa, "=", A**k, Defined()),
            *(fact(one.name, one.name, one, "=", value, Defined()) for one, value in zip(LETTERS, EXPONENTS, strict=True)),
            *(fact(f"least_{i}", "the largest part", e_least, "<=", one, Reasoned("a smallest one")) for i, one in enumerate(LETTERS, 1)),
            fact("e_best", "of A^(6/17) B^(10/17)", e_best, "=", best, Defined()),
            fact("e_mean", "of the third and the second", e_mean, "=", sp.Rational(3, 5) + beta / 2, Defined()),
            fact("k_first", "kappa = A^(3/2), the first entry of (104)", k, "=", third, Case()),
            fact("k_second", "kappa = B^2, the second entry of (104)", k, "=", 2 * beta, Case()),
            fact("k_best", "kappa = A^(3 (14 - 5 beta)/17)", k, "=", crossing, Case()),
            fact("beta_one", "B = A", beta, "=", 1, Case()),
            fact("from_4_5", "beta >= 4/5", beta, ">=", sp.Rational(4, 5), Case()),
            fact("from_6_7", "beta >= 6/7", beta, ">=", low, Case()),
            fact("to_11_10", "beta <= 11/10", beta, "<=", high, Case()),
            fact("from_11_10", "beta >= 11/10", beta, ">=", high, Case()),
            fact("to_6_5", "beta <= 6/5", beta, "<=", sp.Rational(6, 5), Case()),
        ),
        steps=(*_parts(), *_printed_limits(), *_every_limit(), *_best_limit(), *_above_the_window(), *_in_n()),
    )


def _equal(name: str, statement: str, lhs: Any, rhs: Any, *at: str) -> Step:
    """Return the step that two sides are equal once the letters of these lines are inserted."""
    return line(name, statement, lhs, "=", rhs, "exact arithmetic", Substitution(at))


def _mean(name: str, statement: str, weights: dict[Any, Any], rhs: Any, *rest: tuple[Any, str]) -> Step:
    """Return the step that the least exponent is at most a mean of two in which k cancels."""
    numbers = {letter: i for i, letter in enumerate(LETTERS, start=1)}
    terms = tuple((weight, f"least_{numbers[letter]}") for letter, weight in weights.items())
    modulo = (*((-weight, letter.name) for letter, weight in weights.items()), *rest)
    return line(name, statement, e_least, "<=", rhs, "k cancels", NonNegative(terms, modulo=modulo), where=GIVENS)


def _at_least(name: str, statement: str, letter: Any, value: Any, rhs: Any, end: str, at: Any, *modulo: tuple[Any, str]) -> Step:
    """Return the step that an exponent, this linear function of beta, is at least another on one side of an end."""
    gap = sp.expand(value - rhs)
    terms = ((gap.subs(beta, at),), (abs(gap.coeff(beta)), end))
    certificate = NonNegative(terms, modulo=((1, letter.name), *modulo))
    return line(name, statement, letter, ">=", rhs, "linear, true at the end and growing from there", certificate, where=GIVENS)


def _parts() -> tuple[Step, ...]:
    """Return the exponents of the four parts."""
    units = tuple(f"unit_{one.name}" for one in (G, M, rho, U))
    return tuple(
        line(
            f"part_{NAMES[name]}",
            f"the exponent of the part {name} of (103), for G = M = rho = U = 1 and without its constant",
            (LEFT[name] / LEFT[name].as_coeff_Mul()[0]) ** (1 / SQUARES[name][1]),
            "=",
            A**letter,
            "A = n^(-1/3), B = (sqrt(d) / (n epsilon))^(2/5) = A^beta, kappa = A^k",
            Substitution((*units, "A_rate", "d", "kappa", letter.name) if "privacy" in name else (*units, "A_rate", "kappa", letter.name)),
        )
        for name, letter in zip(LEFT, LETTERS, strict=True)
    )


def _printed_limits() -> tuple[Step, ...]:
    """Return what the two entries of (104) give."""
    return (
        _equal("first_is_A", "(104) is A^(3/2) when beta >= 3/4: there the first exponent is that of A", e_1, 1, "e_1", "k_first"),
        _equal("second_is_A", "and so is the second exponent", e_2, 1, "e_2", "k_first"),
        _equal(
            "fourth_against_B",
            "the fourth exponent against that of B, beta: below it when beta > 3/4",
            e_4 - beta,
            sp.Rational(2, 7) * (sp.Rational(3, 4) - beta),
            "e_4",
            "k_first",
        ),
        _equal(
            "fourth_against_A",
            "the fourth exponent against that of A: below it when beta < 11/10",
            e_4 - 1,
            sp.Rational(5, 7) * (beta - high),
            "e_4",
            "k_first",
        ),
        _equal("third_is_B", "(104) is B^2 when beta <= 3/4: there the third exponent is that of B", e_3, beta, "e_3", "k_second"),
        _equal("fourth_is_B", "and so is the fourth exponent", e_4, beta, "e_4", "k_second"),
        _equal(
            "first_against_B",
            "the first part is smaller up to beta = 6/7",
            e_1 - beta,
            sp.Rational(7, 3) * (low - beta),
            "e_1",
            "k_second",
        ),
        _equal(
            "second_against_B",
            "the second part too, up to beta = 6/5",
            e_2 - beta,
            sp.Rational(5, 9) * (sp.Rational(6, 5) - beta),
            "e_2",
            "k_second",
        ),
        words(
            "printed_limit",
            "so (104) gives max(A, B) for beta <= 3/4 and for beta >= 11/10, and a larger error between; kappa = B^2 gives it up to 6/7",
            "the signs of the last steps",
            Reasoned("the smallest of four exponents"),
        ),
    )


def _every_limit() -> tuple[Step, ...]:
    """Return what no limit of the drift can do."""
    of, mean = sp.Rational, sp.Rational(3, 5) + beta / 2
    return (
        _mean(
            "first_and_fourth",
            "every kappa: the least exponent is at most a mean of the first and the fourth",
            {e_1: of(3, 17), e_4: of(14, 17)},
            e_best,
            (1, "e_best"),
        ),
        _mean("first_and_second", "of the first and the second exponent", {e_1: of(1, 4), e_2: of(3, 4)}, 1),
        _mean("third_and_fourth", "of the third and the fourth exponent", {e_3: of(1, 15), e_4: of(14, 15)}, beta),
        _mean(
            "third_and_second",
            "of the third and the second exponent",
            {e_3: of(1, 10), e_2: of(9, 10)},
            e_mean,
            (1, "e_mean"),
        ),
        words(
            "no_limit",
            "so no kappa gives an exponent above min(1, beta, (6 + 10 beta)/17)",
            "the smallest of four is at most each mean of two, whatever k",
            Reasoned("weights that add up to 1 and make k cancel", using=("first_and_fourth", "first_and_second", "third_and_fourth")),
        ),
        _at_least("mean_above_B", "the last mean never matters: its exponent", e_mean, mean, beta, "to_6_5", of(6, 5)),
        _at_least("mean_above_A", "or the mean exponent is at least 1", e_mean, mean, 1, "from_4_5", of(4, 5)),
    )


def _best_limit() -> tuple[Step, ...]:
    """Return that the bound is reached in the window."""
    at_best, ninth = [value.xreplace({k: crossing}) for value in EXPONENTS], sp.Rational(1, 9)
    return (
        line(
            "first_is_best",
            "it is reached in the window: kappa = A^(3 (14 - 5 beta)/17) makes the first exponent this",
            e_1,
            "=",
            e_best,
            "exact arithmetic",
            Identity(modulo=((1, "e_1"), (-sp.Rational(2, 3), "k_best"), (-1, "e_best"))),
            where=GIVENS,
        ),
        line(
            "fourth_is_best",
            "and the fourth exponent",
            e_4,
            "=",
            e_best,
            "exact arithmetic",
            Identity(modulo=((1, "e_4"), (sp.Rational(1, 7), "k_best"), (-1, "e_best"))),
            where=GIVENS,
        ),
        _at_least("third_is_smaller", "the third exponent is larger from 6/7 on", e_3, at_best[2], best, "from_6_7", low, (-2, "k_best")),
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
        _equal("best_against_B", "against B: more than B from beta = 6/7 on", e_best - beta, sp.Rational(7, 17) * (low - beta), "e_best"),
        _equal("best_against_A", "against A: more than A up to beta = 11/10", e_best - 1, sp.Rational(10, 17) * (beta - high), "e_best"),
    )


def _above_the_window() -> tuple[Step, ...]:
    """Return that (104) is as good as any above 11/10."""
    at_first = [value.xreplace({k: third}) for value in EXPONENTS]
    return (
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
    )


def _in_n() -> tuple[Step, ...]:
    """Return the same as powers of n."""
    return (
        line(
            "third_part",
            "the rate that the proof gives has a third part, A^(6/17) B^(10/17)",
            A ** sp.Rational(6, 17) * B_RATE ** sp.Rational(10, 17),
            "=",
            power(sp.sqrt(d) / (power(n, 3, 2) * epsilon), 4, 17),
            "insert A and B",
            Substitution(("A_rate",)),
        ),
        line(
            "lost_by_the_printed_limit",
            "at B = A the printed kappa loses a factor n^(1/42): the largest part is n^(-13/42)",
            A**e_4,
            "=",
            power(n, -13, 42),
            "insert",
            Substitution(("A_rate", "e_4", "k_first", "beta_one")),
        ),
        line(
            "lost_by_the_best_limit",
            "and the best kappa n^(1/51)",
            A**e_best / A,
            "=",
            power(n, 1, 51),
            "insert",
            Substitution(("A_rate", "e_best", "beta_one")),
        ),
        words(
            "other_sizes",
            "other batch sizes do not help: single use allows b_1 up to n over the count of O_1 calls, b_2 up to n / T; all parts fall",
            "the printed sizes are these bounds up to constants and logarithms",
            Reasoned("monotone in b_1 and b_2"),
        ),
    )
