"""One step of DPZero in expectation, and what T of them give: the chain that all the sharper theorems share.

Setting   -H <= Hessian of F_S <= H, 0 <= H <= ell I, Tr(H) <= r ell, r >= 1; F_S is Lipschitz and has a smallest value,
          gap = F_S(x_0) - F_S^*.
Method    x_{t+1} = x_t - alpha (m + z) u,  m the mean of the clipped differences, z ~ N(0, sigma^2), u uniform on the sphere.
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0..T-1 and independent of the run.
Lemma     if, at every x and in expectation over u, with p = u' grad F_S, w = u'Hu, G = ||grad F_S||,
              E m p >= (1 - shrink) G^2 - bias G                        (the direction of the step)
              E m^2 w <= ell (stretch G^2 + 2 cross G + length^2)       (its length; stretch is R2, or 1 for a first-order step)
          then, with a = shrink + alpha ell stretch / 2 < 1,
              E ||grad F_S(x_tau)||^2 <= y^2,   y the positive root of
              (1 - a) y^2 - (bias + alpha ell cross) y = gap / (alpha T) + alpha ell (length^2 + r sigma^2) / 2.
Source    ours. No event is conditioned on, so neither a union over n T clippings nor a bound B on the loss appears.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.derivation import GIVENS, Assumed, Defined, Derivation, Inverse, NonNegative, Reasoned, Shown, Step, Telescoped, fact, line
from bounds.dpzero.sharp_common import NORM, R2, RANK, grad, largest_root, lead_unit, unit_H
from bounds.dpzero.sphere import FOURTH_I
from bounds.meanings import GAP, LAST_ABOVE_LEAST, introduce_average
from bounds.symbols import Letter, T, alpha, d, ell, gap, introduce, r, sigma, symbols, trace

F_now, F_next, F_first, F_last, grad_sq, mean_grad_sq = symbols("F_now F_next F_first F_last grad_sq mean_grad_sq")
grad_z, z_H, w_1 = symbols("grad_z z_H w_1")

shrink = introduce(Letter("shrink_term", "k", "what the direction of the step loses of the squared gradient, a share", 0, 1, "proof"))
bias = introduce(Letter("bias_term", "b", "what the direction of the step loses of the gradient", 0, 100, "proof"))
stretch = introduce(Letter("stretch_term", "R_2", "coefficient of the squared gradient in the length of the step", 0, 1e6, "proof"))
cross = introduce(Letter("cross_term", "c", "half the coefficient of the gradient in the length of the step", 0, 100, "proof"))
length = introduce(Letter("length_term", "l", "root of what is left in the length of the step without a gradient", 0, 100, "proof"))
step_along = introduce(Letter("step_along", r"\mathbb{E}mp", "step against the gradient, without noise", -1e6, 1e6, "step"))
step_H = introduce(Letter("step_H", r"\mathbb{E}m^2w", "squared length of the step in the norm of H, without noise", 0, 1e6, "step"))
step_z = introduce(Letter("step_z", r"\mathbb{E}mzw", "step against noise in the norm of H", -1e6, 1e6, "step"))
mean_grad = introduce(
    Letter("mean_grad_size", r"\mathbb{E}\|\nabla F_S(x_\tau)\|", "norm of the gradient, averaged over the steps", 0, 1e3, "proof")
)
introduce_average(grad, mean_grad)
a = introduce(Letter("quad_a", "a", "coefficient a of the quadratic: the square of y loses it", 0, 1e3, "proof"))
linear = introduce(Letter("quad_b", "b", "coefficient b of y in the quadratic", 0, 1e3, "proof"))
constant = introduce(Letter("quad_R", "R", "right side R of the quadratic", 1e-9, 1e6, "proof"))
root_D = introduce(Letter("quad_D", "D", "root D of the discriminant of the quadratic", 1e-9, 1e6, "proof"))
y = sp.sqrt(mean_grad_sq)


def guarantee(*, shrink: Any, bias: Any, cross: Any, length: Any, weight: Any = R2) -> Any:
    """Return y^2, the bound of the lemma, for given clipping and smoothing terms; `weight` is R2 unless the step is first-order."""
    a = shrink + alpha * ell * weight / 2
    return largest_root(a, bias + alpha * ell * cross, gap / (alpha * T) + alpha * ell * (length**2 + r * sigma**2) / 2) ** 2


GENERIC = guarantee(shrink=shrink, bias=bias, cross=cross, length=length, weight=stretch)


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.sharp_descent",
        title="expected descent without conditioning",
        source="ours",
        facts=(*_about_a_step(), *_hypotheses(), *_about_a_run()),
        steps=(*_one_step(), *_average(), *_root()),
        left_open=(shrink, bias, cross, length, stretch),
    )


def _about_a_step() -> tuple[Step, ...]:
    """Return what is taken of one step."""
    return (
        RANK,
        NORM,
        fact("fourth_moment", "Lemma C.1, in the proof of (iii)", w_1, "=", FOURTH_I, Shown("dpzero.lemma_c1", "fourth_moment")),
        fact(
            "weighted",
            "Lemma C.1 (iv) for a unit vector a and every d, d = 1 included: E (u'a)^2 uu' is a multiple of 2 aa' + I",
            lead_unit,
            "=",
            w_1 / 3 * (2 * unit_H + trace),
            Reasoned("fourth moments are symmetric and unchanged by rotations; for a = e_1 the first entry, 3 times the multiple, is w_1"),
        ),
        fact(
            "taylor",
            "Taylor's formula with Hessian <= H along minus alpha (m + z) u, with E p z, E m z w, E z^2 w; for a noise vector z, added to "
            "m u or, by DP-GD, to the gradient g, these are E g'z, E m u'Hz or E g'Hz, and E z'Hz",
            F_next,
            "<=",
            F_now - alpha * (step_along + grad_z) + alpha**2 / 2 * (step_H + 2 * step_z + z_H),
            Reasoned("second-order upper bound; F_S(x_t) has a mean, because F_S is Lipschitz and every step has Gaussian tails"),
        ),
        fact("noise_and_gradient", "z is independent of the past and of u", grad_z, "=", 0, Reasoned("E z = 0")),
        fact("noise_and_step", "z is independent of the past and of u", step_z, "=", 0, Reasoned("E z = 0")),
        fact(
            "noise_length",
            "E z^2 w = sigma^2 E u'Hu, or E z'Hz for a noise vector",
            z_H,
            "=",
            sigma**2 * trace,
            Reasoned("E z^2 = sigma^2, or E zz' = sigma^2 I; E uu' = I"),
        ),
    )


def _hypotheses() -> tuple[Step, ...]:
    """Return the hypotheses of the lemma."""
    return (
        fact("direction", "the step against the gradient", step_along, ">=", (1 - shrink) * grad_sq - bias * grad, Assumed()),
        fact(
            "length",
            "its squared length in the norm of H",
            step_H,
            "<=",
            ell * (stretch * grad_sq + 2 * cross * grad + length**2),
            Assumed(),
        ),
        fact("contraction", "a < 1", shrink + alpha * ell * stretch / 2, "<", 1, Assumed()),
    )


def _about_a_run() -> tuple[Step, ...]:
    """Return what is taken of the run, and the letters of the quadratic."""
    exists = Reasoned("a number above 0 has a root above 0", using=("discriminant",))
    return (
        LAST_ABOVE_LEAST,
        GAP,
        fact("jensen", "the mean of G is at most y", mean_grad, "<=", y, Reasoned("Jensen's inequality over t and over the run")),
        fact("quad_a", "a", a, "=", shrink + alpha * ell * stretch / 2, Defined()),
        fact("quad_b", "b", linear, "=", bias + alpha * ell * cross, Defined()),
        fact("quad_R", "R", constant, "=", gap / (alpha * T) + alpha * ell * (length**2 + r * sigma**2) / 2, Defined()),
        fact("root", "D is the root of the discriminant", root_D, "=", sp.sqrt(linear**2 + 4 * (1 - a) * constant), exists),
        fact("root_squared", "so its square is the discriminant", root_D**2, "=", linear**2 + 4 * (1 - a) * constant, exists),
    )


def _one_step() -> tuple[Step, ...]:
    """Return the steps from Taylor's formula to what it says of one gradient."""
    return (
        line(
            "leading",
            "the mean of (u'a)^2 w, unit vector a: the leading part of E m^2 w",
            lead_unit,
            "<=",
            ell * R2,
            "H <= ell I, Tr(H) <= r ell",
            NonNegative(
                ((2 * d / (d + 2), "norm_of_H"), (d / (d + 2), "effective_rank")),
                modulo=((-1, "weighted"), (-(2 * unit_H + trace) / 3, "fourth_moment")),
            ),
            where=GIVENS,
        ),
        line(
            "in_expectation",
            "the loss F_next in expectation over u and z",
            F_next,
            "<=",
            F_now - alpha * step_along + alpha**2 / 2 * (step_H + sigma**2 * trace),
            "Taylor's formula with the moments of the noise",
            NonNegative(
                (("taylor",),),
                modulo=((alpha, "noise_and_gradient"), (-(alpha**2), "noise_and_step"), (-(alpha**2) / 2, "noise_length")),
            ),
            where=GIVENS,
        ),
        line(
            "one_step",
            "the loss F_next in the norm of the gradient at x_t",
            F_next,
            "<=",
            F_now
            - alpha * ((1 - shrink) * grad_sq - bias * grad)
            + alpha**2 * ell / 2 * (stretch * grad_sq + 2 * cross * grad + length**2 + r * sigma**2),
            "insert both hypotheses, Tr(H) <= r ell",
            NonNegative(
                (
                    ("in_expectation",),
                    (alpha, "direction"),
                    (alpha**2 / 2, "length"),
                    (alpha**2 * sigma**2 / 2, "effective_rank"),
                )
            ),
            where=GIVENS,
        ),
        line(
            "per_step",
            "in the coefficients a and b of the quadratic, for the squared norm of the gradient and the norm",
            (1 - a) * grad_sq - linear * grad,
            "<=",
            (F_now - F_next) / alpha + alpha * ell * (length**2 + r * sigma**2) / 2,
            "collect the powers of G, divide by alpha",
            NonNegative(((1 / alpha, "one_step"),), modulo=((grad_sq, "quad_a"), (grad, "quad_b"))),
            where=GIVENS,
        ),
    )


def _average() -> tuple[Step, ...]:
    """Return the steps to the quadratic that the mean satisfies."""
    return (
        line(
            "averaged",
            "averaged over t = 0, ..., T - 1, the decreases of F_S telescope",
            (1 - a) * mean_grad_sq - linear * mean_grad,
            "<=",
            (F_first - F_last) / (alpha * T) + alpha * ell * (length**2 + r * sigma**2) / 2,
            "the line holds at every t, and tau is uniform and independent of the run",
            Telescoped("per_step"),
            where=GIVENS,
        ),
        line(
            "quadratic",
            "so y, the root of the averaged squared gradient norm, satisfies the quadratic",
            (1 - a) * mean_grad_sq - linear * y,
            "<=",
            constant,
            "F_S(x_T) >= F_S^*; Jensen's inequality",
            NonNegative(
                (("averaged",), (1 / (alpha * T), "last_above_least"), (linear, "jensen")),
                modulo=((1, "quad_R"), (1 / (alpha * T), "gap")),
            ),
            where=GIVENS,
        ),
    )


def _root() -> tuple[Step, ...]:
    """Return the steps from the quadratic to its larger root."""
    contracts, quarter = Inverse("contracts"), sp.Rational(1, 4)
    return (
        line(
            "contracts",
            "the coefficient a of the quadratic is below 1",
            a,
            "<",
            1,
            "that is assumed",
            NonNegative((("contraction",),), modulo=((-1, "quad_a"),)),
            where=GIVENS,
        ),
        line(
            "discriminant",
            "so the discriminant of the quadratic is positive",
            0,
            "<",
            linear**2 + 4 * (1 - a) * constant,
            "R > 0, because there is noise",
            NonNegative(((linear**2,), (4, "contracts", constant))),
            where=GIVENS,
        ),
        line(
            "larger",
            "and its root D is above the coefficient b",
            linear,
            "<",
            root_D,
            "D^2 - b^2 = 4 (1 - a) R > 0",
            NonNegative(((4, "contracts", constant, 1 / (root_D + linear)),), modulo=((1 / (root_D + linear), "root_squared"),)),
            where=GIVENS,
        ),
        line(
            "divisor",
            "the coefficient b is also below D and 2 (1 - a) y",
            linear,
            "<",
            root_D + 2 * (1 - a) * y,
            "y >= 0",
            NonNegative((("larger",), (2 * y, "contracts"))),
            where=GIVENS,
        ),
        line(
            "below_the_root",
            "2 (1 - a) y is at most the coefficient b and the root D",
            2 * (1 - a) * y,
            "<=",
            linear + root_D,
            "times D - b + 2 (1 - a) y the difference is 4 (1 - a) times that of the quadratic",
            NonNegative((((4), "contracts", "quadratic", Inverse("divisor")),), modulo=(((Inverse("divisor"),), "root_squared"),)),
            where=GIVENS,
        ),
        line(
            "in_D",
            "the averaged squared gradient norm is at most the square of the larger root of the quadratic",
            mean_grad_sq,
            "<=",
            ((linear + root_D) / (2 * (1 - a))) ** 2,
            "the square of the line before",
            NonNegative(
                (
                    (quarter, contracts, contracts, linear + root_D, "below_the_root"),
                    (y / 2, contracts, "below_the_root"),
                )
            ),
            where=GIVENS,
        ),
        line(
            "bound",
            "the averaged squared gradient norm, in the letters of the hypotheses",
            mean_grad_sq,
            "<=",
            GENERIC,
            "insert a, b, R and D",
            NonNegative(
                (("in_D",),),
                at=("quad_a", "quad_b", "quad_R"),
                modulo=(((-linear / 2, contracts, contracts), "root"), ((-quarter, contracts, contracts), "root_squared")),
            ),
            where=GIVENS,
        ),
    )
