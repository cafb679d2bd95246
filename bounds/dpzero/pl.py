"""What Corollaries F.2, F.3 and F.4 share: a recursion D_{t+1} <= (1 - x) D_t + b with x = mu alpha / 2, resolved.

Source    DPZero, Appendix F. There Y is the number with alpha T = (2/mu) log(Y), so that exp(-mu alpha T / 2) = 1/Y.
"""

from typing import Any

import sympy as sp

from bounds.inequalities import Instance
from bounds.lines import Step, line
from bounds.meanings import FIRST_ABOVE_LEAST, GAP
from bounds.symbols import T, Y, alpha, d, ell, gap, introduce, mu, symbols

power, b_step, x_step, D_first, D_now, F_now, F_star, grad_sq = symbols("power b_step x_step D_first D_now F_now F_star grad_sq")
shrink = introduce("shrink", "1-x", "contraction factor of a step", 0.875, 1, "proof")

contraction = mu * alpha / 2
of_lam_sq = ell**2 * d**3 / (2 * mu)  # times lam^2 it is the term of lam
after_t = power * D_first + b_step * (1 - power) / x_step  # the claim after t steps, power = (1 - x)^t


D_NOW = line("D_now", D_now, "=", F_now - F_star).says("D_t is how far the loss is above F_S^*").defined(signs=("now_above_least",))
PL = line("pl", grad_sq, ">=", 2 * mu * D_now).says("the PL inequality, in expectation").assumed()
Y_ABOVE_ONE = line("Y_larger_than_1", Y, ">", 1).says("Y > 1, so T is positive").assumed()

START = (FIRST_ABOVE_LEAST, Y_ABOVE_ONE, GAP)


def recursion_facts(added: Any, last: Any) -> tuple[Step, ...]:
    """Return what the letters of the recursion are, b = `added`, and what induction says of `last`, which is D_T."""
    return (
        line("x_step", x_step, "=", contraction).says("one minus the contraction factor of a step").defined(),
        line("b_step", b_step, "=", added).says("what one step adds").defined(),
        line("shrink", shrink, "=", 1 - x_step).says("the contraction factor of a step").defined(signs=("contraction_factor",)),
        line("power", power, "=", shrink**T).says("its T-th power").defined(),
        line("after_T", last, "<=", after_t)
        .says("the recursion T times, from D_0")
        .reasoned("induction over t, where 1 - x >= 0 is used", using=("recursion", "induction_step", "contraction_factor")),
    )


def contraction_factor(dimension: Any, *terms: tuple[Any, ...]) -> Step:
    """Return the step that x is below 1, where alpha is at most 1/(4 ell dimension) and `terms` add up to dimension - 1."""
    return (
        line("contraction_factor", x_step, "<", 1)
        .says("x_step is at most 1/8, so the contraction factor is positive", "mu <= ell and alpha <= 1/(4 ell), or less")
        .by(
            (mu / 2, "step_size"),
            (1 / (8 * ell * dimension), "mu <= ell"),
            *((1 / (8 * dimension), *term) for term in terms),
            sp.Rational(7, 8),
            modulo=((-1, "x_step"),),
        )
    )


def resolved(last: Any, answer: Any) -> tuple[Step, ...]:
    """Return the steps from the recursion to exp(-x T) D_0 + `answer`."""
    return (
        line("induction_step", (1 - x_step) * after_t + b_step, "=", after_t.subs(power, (1 - x_step) * power))
        .says("if D_t <= (1 - x)^t D_0 + b (1 - (1 - x)^t) / x, one more step of the recursion is the same with t + 1; power is (1 - x)^t")
        .because("the geometric sum")
        .identity(),
        line("logarithms", T * sp.log(shrink), "<=", -x_step * T)
        .says("(1 - x)^T <= exp(-x T); here are the logarithms, with shrink = 1 - x", "exp(y) >= 1 + y at y = log(1 - x)")
        .by((T, Instance("exponential", sp.log(shrink))), modulo=((-T, "shrink"),)),
        line("power_at_most", power, "<=", sp.exp(-x_step * T))
        .says("so the power is at most exp(-x T)", "the exponential is increasing")
        .by((sp.exp(-x_step * T), Instance("decay", ("logarithms",))), at=("power",)),
        line("summed", last, "<=", sp.exp(-x_step * T) * D_first + b_step / x_step)
        .says(f"{last} after T steps, the geometric sum at most b / x", "(1 - x)^T >= 0")
        .by("after_T", (D_first, "power_at_most"), (b_step / x_step, power)),
        line("geometric_sum", b_step / x_step, "=", answer)
        .says("the sum b_step / x_step with x = mu alpha / 2", "insert b and x")
        .inserting("b_step", "x_step"),
    )


def first_term(rate: Any, dimension: Any) -> tuple[Step, ...]:
    """Return the steps from alpha = 1/(4 ell dimension) and T = 8 kappa dimension log(Y) to the first term, ell gap times the rate."""
    return (
        line("alpha_T", alpha * T, "=", 2 / mu * sp.log(Y))
        .says("the printed T makes alpha T = (2/mu) log(Y)", "insert alpha, T and kappa")
        .identity((T, "alpha"), (1 / (4 * ell * dimension), "T"), (2 / ell * sp.log(Y), "kappa")),
        line("enough_steps", alpha * T, ">=", 2 / mu * sp.log(Y))
        .says("what is used of alpha T", "the two sides are equal")
        .by(modulo=((1, "alpha_T"),)),
        line("contracted", sp.exp(-mu * alpha * T / 2), "<=", 1 / Y)
        .says("so the exponential of -mu alpha T / 2 is at most the inverse of Y", "the exponential is increasing")
        .by((1 / Y, Instance("decay", (mu / 2, "enough_steps")))),
        meaning_of_Y(rate),
        line("first_term", sp.exp(-mu * alpha * T / 2) * gap, "<=", ell * gap * rate)
        .says("the first term, that of gap, at the printed alpha and T", "exp(-mu alpha T/2) <= 1/Y")
        .by((gap, "contracted"), modulo=((ell * gap, "rate"),)),
    )


def meaning_of_Y(rate: Any, name: str = "rate", meaning: str = "Y") -> Step:
    """Return the step that the rate of a corollary is 1 / (ell Y), where the line named `meaning` says what Y is."""
    return line(name, rate, "=", 1 / (ell * Y)).says("the rate is 1 / (ell Y)").because("insert Y and kappa").inserting(meaning, "kappa")
