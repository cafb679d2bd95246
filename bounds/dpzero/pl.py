"""What Corollaries F.2, F.3 and F.4 share: a recursion D_{t+1} <= (1 - x) D_t + b with x = mu alpha / 2, resolved.

Source    DPZero, Appendix F. There Y is the number with alpha T = (2/mu) log(Y), so that exp(-mu alpha T / 2) = 1/Y.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.derivation import GIVENS, Assumed, Defined, Identity, NonNegative, Reasoned, Step, Substitution, fact, line
from bounds.inequalities import Instance
from bounds.symbols import Letter, T, Y, alpha, ell, gap, introduce, mu, symbols

power, b_step, x_step, D_first, D_last = symbols("power b_step x_step D_first D_last")
shrink = introduce(Letter("shrink", "1-x", "contraction factor of a step", 0.875, 1, "proof"))

contraction = mu * alpha / 2
after_t = power * D_first + b_step * (1 - power) / x_step  # the claim after t steps, power = (1 - x)^t


Y_ABOVE_ONE = fact("Y_larger_than_1", "Y > 1, so T is positive", Y, ">", 1, Assumed())


def recursion_facts(added: Any, last: Any) -> tuple[Step, ...]:
    """Return what the letters of the recursion are, b = `added`, and what induction says of `last`, which is D_T."""
    return (
        fact("x_step", "one minus the contraction factor of a step", x_step, "=", contraction, Defined()),
        fact("b_step", "what one step adds", b_step, "=", added, Defined()),
        fact("shrink", "the contraction factor of a step", shrink, "=", 1 - x_step, Defined(signs=("contraction_factor",))),
        fact("power", "its T-th power", power, "=", shrink**T, Defined()),
        fact(
            "after_T",
            "the recursion T times, from D_0",
            last,
            "<=",
            after_t,
            Reasoned("induction over t, where 1 - x >= 0 is used", using=("recursion", "induction_step", "contraction_factor")),
        ),
    )


def contraction_factor(dimension: Any, *terms: tuple[Any, ...]) -> Step:
    """Return the step that x is below 1, where alpha is at most 1/(4 ell dimension) and `terms` add up to dimension - 1."""
    return line(
        "contraction_factor",
        "x_step is at most 1/8, so the contraction factor is positive",
        x_step,
        "<",
        1,
        "mu <= ell and alpha <= 1/(4 ell), or less",
        NonNegative(
            (
                (mu / 2, "step_size"),
                (1 / (8 * ell * dimension), "mu <= ell"),
                *((1 / (8 * dimension), *term) for term in terms),
                (sp.Rational(7, 8),),
            ),
            modulo=((-1, "x_step"),),
        ),
        where=GIVENS,
    )


def resolved(last: Any, answer: Any) -> tuple[Step, ...]:
    """Return the steps from the recursion to exp(-x T) D_0 + `answer`."""
    return (
        line(
            "induction_step",
            "if D_t <= (1 - x)^t D_0 + b (1 - (1 - x)^t) / x, one more step of the recursion is the same with t + 1; power is (1 - x)^t",
            (1 - x_step) * after_t + b_step,
            "=",
            after_t.subs(power, (1 - x_step) * power),
            "the geometric sum",
            Identity(),
        ),
        line(
            "logarithms",
            "(1 - x)^T <= exp(-x T); here are the logarithms, with shrink = 1 - x",
            T * sp.log(shrink),
            "<=",
            -x_step * T,
            "exp(y) >= 1 + y at y = log(1 - x)",
            NonNegative(((T, Instance("exponential", sp.log(shrink))),), modulo=((-T, "shrink"),)),
            where=GIVENS,
        ),
        line(
            "power_at_most",
            "so the power is at most exp(-x T)",
            power,
            "<=",
            sp.exp(-x_step * T),
            "the exponential is increasing",
            NonNegative(((sp.exp(-x_step * T), Instance("decay", ("logarithms",))),), at=("power",)),
            where=GIVENS,
        ),
        line(
            "summed",
            f"{last} after T steps, the geometric sum at most b / x",
            last,
            "<=",
            sp.exp(-x_step * T) * D_first + b_step / x_step,
            "(1 - x)^T >= 0",
            NonNegative((("after_T",), (D_first, "power_at_most"), (b_step / x_step, power))),
            where=GIVENS,
        ),
        line(
            "geometric_sum",
            "the sum b_step / x_step with x = mu alpha / 2",
            b_step / x_step,
            "=",
            answer,
            "insert b and x",
            Substitution(("b_step", "x_step")),
        ),
    )


def first_term(rate: Any, dimension: Any) -> tuple[Step, ...]:
    """Return the steps from alpha = 1/(4 ell dimension) and T = 8 kappa dimension log(Y) to the first term, ell gap times the rate."""
    return (
        line(
            "alpha_T",
            "the printed T makes alpha T = (2/mu) log(Y)",
            alpha * T,
            "=",
            2 / mu * sp.log(Y),
            "insert alpha, T and kappa",
            Identity(modulo=((T, "alpha"), (1 / (4 * ell * dimension), "T"), (2 / ell * sp.log(Y), "kappa"))),
            where=GIVENS,
        ),
        line(
            "enough_steps",
            "what is used of alpha T",
            alpha * T,
            ">=",
            2 / mu * sp.log(Y),
            "the two sides are equal",
            NonNegative((), modulo=((1, "alpha_T"),)),
            where=GIVENS,
        ),
        line(
            "contracted",
            "so the exponential of -mu alpha T / 2 is at most the inverse of Y",
            sp.exp(-mu * alpha * T / 2),
            "<=",
            1 / Y,
            "the exponential is increasing",
            NonNegative(((1 / Y, Instance("decay", (mu / 2, "enough_steps"))),)),
            where=GIVENS,
        ),
        meaning_of_Y(rate),
        line(
            "first_term",
            "the first term, that of gap, at the printed alpha and T",
            sp.exp(-mu * alpha * T / 2) * gap,
            "<=",
            ell * gap * rate,
            "exp(-mu alpha T/2) <= 1/Y",
            NonNegative(((gap, "contracted"),), modulo=((ell * gap, "rate"),)),
            where=GIVENS,
        ),
    )


def meaning_of_Y(rate: Any, name: str = "rate", meaning: str = "Y") -> Step:
    """Return the step that the rate of a corollary is 1 / (ell Y), where the line named `meaning` says what Y is."""
    return line(name, "the rate is 1 / (ell Y)", rate, "=", 1 / (ell * Y), "insert Y and kappa", Substitution((meaning, "kappa")))
