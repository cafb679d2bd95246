"""What Corollaries F.2, F.3 and F.4 share: a recursion D_{t+1} <= (1 - x) D_t + b with x = mu alpha / 2, resolved.

Source    DPZero, Appendix F. There Y is the number with alpha T = (2/mu) log(Y), so that exp(-mu alpha T / 2) = 1/Y.
"""

from __future__ import annotations

from types import ModuleType

import sympy as sp

from bounds.derivation import Given, Identity, Instance, NonNegative, Step, Substitution
from bounds.symbols import T, Y, alpha, ell, gap, kappa, mu, symbols

power, b_step, x_step, D_now = symbols("power b_step x_step D_now")

contraction = mu * alpha / 2
after_t = power * gap + b_step * (1 - power) / x_step  # the claim after t steps, power = (1 - x)^t


def resolved(first: int, added: sp.Expr, answer: sp.Expr) -> tuple[Step, ...]:
    """Return the four steps from the recursion with b = `added` to exp(-mu alpha T / 2) gap + `answer`."""
    return (
        Step(
            first,
            "by induction, D_t <= (1 - x)^t D_0 + b (1 - (1 - x)^t) / x: one more step of the recursion",
            (1 - x_step) * after_t + b_step,
            "=",
            after_t.subs(power, (1 - x_step) * power),
            "the geometric sum",
            Identity(),
        ),
        Step(
            first + 1,
            "the sum is at most b / x",
            b_step * (1 - power) / x_step,
            "<=",
            b_step / x_step,
            "(1 - x)^t >= 0",
            NonNegative(((b_step / x_step, power),)),
        ),
        Step(
            first + 2,
            "and (1 - x)^T <= exp(-x T); here are the logarithms",
            T * sp.log(1 - x_step),
            "<=",
            -x_step * T,
            "exp(y) >= 1 + y at y = log(1 - x)",
            NonNegative(((T, Instance("exponential", sp.log(1 - x_step))),)),
        ),
        Step(
            first + 3,
            "with x = mu alpha / 2",
            b_step / x_step,
            "=",
            answer,
            "insert b and x",
            Substitution({b_step: added, x_step: contraction}),
        ),
    )


def contracted(number: int, added: sp.Expr, grad_sq: sp.Expr) -> Step:
    """Return the step that turns a decrease by alpha/4 times the squared gradient into a contraction."""
    return Step(
        number,
        "the PL inequality turns the gradient into a contraction",
        D_now - alpha / 4 * grad_sq + added,
        "<=",
        (1 - contraction) * D_now + added,
        "||grad F_S||^2 >= 2 mu (F_S - F_S^*)",
        NonNegative(((alpha / 4, grad_sq - 2 * mu * D_now),), given=(Given(grad_sq - 2 * mu * D_now, "the PL inequality"),)),
        ranges={grad_sq: (2 * mu * D_now, 2 * mu * D_now + 1000)},
    )


def meaning_of_Y(page: ModuleType, argument: sp.Expr, number: int) -> Step:
    """Return the step that the rate of a corollary is 1 / (ell Y)."""
    return Step(
        number,
        f"{page.THEOREM.title}: its rate R",
        page.rate,
        "=",
        1 / (ell * Y),
        "insert Y and kappa = ell/mu",
        Substitution({Y: argument.subs(kappa, ell / mu)}),
    )
