"""What the proofs of the sharper theorems share: the two hypotheses of dpzero.sharp_descent as lines, and how the terms are inserted.

Setting   m = p + b + e is the mean of the clipped differences, h that of the unclipped ones, m_0 that of clip_C(u'grad f(x_t; xi_i));
          b = m_0 - p and e = m - m_0 for smooth samples, b = m - h and e = h - p for Lipschitz ones;
          p, w and G as in `bounds.dpzero.sharp_common`.
Chain     direction   E m p against the squared gradient norm;
          length      the means of the four terms of m^2 against w are bounded one by one, the last by Minkowski's inequality;
          descent     dpzero.sharp_descent in the letters of the terms; the last step inserts what the letters stand for.
Source    ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from bounds.derivation import GIVENS, Assumed, Defined, Derivation, Identity, NonNegative, Reasoned, Shown, Step, fact, line
from bounds.dpzero.sharp_common import R2, grad, lead_unit
from bounds.dpzero.sharp_descent import GENERIC, bias, cross, length, shrink, step_along, step_H, stretch
from bounds.symbols import GLOSSARY, Letter, alpha, ell, introduce, symbols
from bounds.theorem import Theorem

grad_sq, mean_grad_sq = symbols("grad_sq mean_grad_sq")
p_u = introduce(Letter("p_u", "p", "u'grad F_S(x_t)", -1e3, 1e3, "step"))
b_u = introduce(Letter("b_u", "b", "part b of the mean difference m = p + b + e, by clipping", -1e3, 1e3, "step"))
e_u = introduce(Letter("e_u", "e", "part e of the mean difference m = p + b + e, by smoothing", -1e3, 1e3, "step"))
rest_H = introduce(Letter("rest_H", r"\mathbb{E}e^2w", "mean of e^2 u'Hu, the part by smoothing", 0, 1e6, "step"))
rest_cross = introduce(Letter("rest_cross", r"\mathbb{E}|p||e|w/G", "mean of |p| |e| u'Hu over G, the part by smoothing", 0, 1e6, "step"))
joint = introduce(Letter("joint", r"\mathbb{E}(b+e)^2w", "mean of (b + e)^2 u'Hu, the parts by clipping and by smoothing", 0, 1e6, "step"))

LETTERS = {"shrink": shrink, "bias": bias, "cross": cross, "length": length, "weight": stretch}


def proof_of(
    theorem: Theorem,
    terms: Mapping[str, Any],
    facts: tuple[Step, ...],
    steps: tuple[Step, ...],
    **more: Any,
) -> Derivation:
    """Return the proof whose facts and steps give the lines "direction" and "length" in the letters of the terms."""
    values = {"weight": R2, **terms}
    named = tuple(letter.name for letter in LETTERS.values())
    weight, loss = values["weight"], values["shrink"]
    return Derivation(
        theorem.key,
        theorem.title,
        "ours",
        facts=(
            *(
                fact(letter.name, f"here: {GLOSSARY[letter.name].words}", letter, "=", values[name], Defined())
                for name, letter in LETTERS.items()
            ),
            fact("contraction", "a < 1", loss + alpha * ell * weight / 2, "<", 1, Assumed()),
            *facts,
            fact(
                "descent",
                "dpzero.sharp_descent: its hypotheses are met by the lines on direction, length and a < 1",
                mean_grad_sq,
                "<=",
                GENERIC,
                Shown("dpzero.sharp_descent", "bound", meets={"contraction": "contracts"}),
            ),
        ),
        steps=(
            *steps,
            line(
                "contracts",
                "a < 1 in the letters of the terms, with alpha and ell",
                shrink + alpha * ell * stretch / 2,
                "<",
                1,
                "that is assumed",
                NonNegative((("contraction",),), modulo=((-1, shrink.name), (-alpha * ell / 2, stretch.name))),
                where=GIVENS,
            ),
            line(
                "any_schedule",
                "the averaged squared gradient norm",
                mean_grad_sq,
                "<=",
                theorem.bound,
                "insert the terms",
                NonNegative((("descent",),), at=named),
                where=GIVENS,
            ),
        ),
        proves=theorem,
        **more,
    )


def direction_step(reason: str, *terms: tuple[Any, ...], modulo: tuple[tuple[Any, str], ...] = ()) -> Step:
    """Return the first hypothesis of dpzero.sharp_descent."""
    return line(
        "direction",
        "the step against the gradient, without noise",
        step_along,
        ">=",
        (1 - shrink) * grad_sq - bias * grad,
        reason,
        NonNegative(terms, at=(shrink.name, bias.name), modulo=modulo),
        where=GIVENS,
    )


def length_step(reason: str, *terms: tuple[Any, ...], modulo: tuple[tuple[Any, str], ...] = ()) -> Step:
    """Return the second hypothesis of dpzero.sharp_descent."""
    return line(
        "length",
        "the squared length of the step in the norm of H, without noise",
        step_H,
        "<=",
        ell * (stretch * grad_sq + 2 * cross * grad + length**2),
        reason,
        NonNegative(terms, at=(stretch.name, cross.name, length.name), modulo=modulo),
        where=GIVENS,
    )


# --- the length of m = p + b + e ----------------------------------------------------------------------------------------------------
LEADING = fact("leading", "E p^2 w over G^2", lead_unit, "<=", ell * R2, Shown("dpzero.sharp_descent", "leading"))
CAUCHY = fact(
    "cauchy_schwarz",
    "E |p| |e| w is at most the root of E p^2 w times E e^2 w",
    rest_cross**2,
    "<=",
    lead_unit * rest_H,
    Reasoned("Cauchy-Schwarz, divided by G^2; both are 0 at G = 0"),
)
SQUARE = line(
    "square",
    "the square of the mean difference m = p + b + e",
    (p_u + b_u + e_u) ** 2,
    "=",
    p_u**2 + 2 * p_u * b_u + 2 * p_u * e_u + (b_u + e_u) ** 2,
    "multiply out",
    Identity(),
)


def split(by_clipping: Any) -> Step:
    """Return the fact that E m^2 w is at most the means of its four terms, that of |p| |b| w over G being `by_clipping`."""
    return fact(
        "split",
        "the means of the four terms of m^2 w, two of them over G",
        step_H,
        "<=",
        grad_sq * lead_unit + 2 * grad * by_clipping + 2 * grad * rest_cross + joint,
        Reasoned("the expectation of the square times w", using=("square",)),
    )


def minkowski(by_clipping: Any) -> Step:
    """Return the fact on E (b + e)^2 w, E b^2 w being `by_clipping`."""
    text = "the root of E (b + e)^2 w is at most the sum of the roots of E b^2 w and E e^2 w"
    return fact("minkowski", text, joint, "<=", (sp.sqrt(by_clipping) + sp.sqrt(rest_H)) ** 2, Reasoned("Minkowski's inequality"))


def rest_cross_step(size: Any) -> Step:
    """Return the step from the line "rest", rest_H <= ell size^2, to E |p| |e| w."""
    value = ell * sp.sqrt(R2) * size
    share = 1 / (value + rest_cross)
    return line(
        "rest_cross",
        "the mean of |p| |e| w over G, the part by smoothing",
        rest_cross,
        "<=",
        value,
        "Cauchy-Schwarz, E p^2 w <= ell R2 G^2",
        NonNegative(((share, "cauchy_schwarz"), (share * rest_H, "leading"), (share * ell * R2, "rest"))),
        where=GIVENS,
    )


def joint_steps(error: Any, name: str, clipping: Any, size: Any) -> tuple[Step, ...]:
    """Return the steps to E (b + e)^2 w from the line `name`, error <= ell clipping^2, and the line "rest", rest_H <= ell size^2."""
    roots = sp.sqrt(ell) * (clipping + size) + sp.sqrt(error) + sp.sqrt(rest_H)
    by_clipping, by_smoothing = sp.sqrt(ell) * clipping, sp.sqrt(ell) * size
    return (
        line(
            "root_of_clipping",
            "the root of the mean squared error of clipping",
            sp.sqrt(error),
            "<=",
            by_clipping,
            "it is at most the square of this",
            NonNegative(((1 / (by_clipping + sp.sqrt(error)), name),)),
            where=GIVENS,
        ),
        line(
            "root_of_rest",
            "the root of the mean of e^2 w, the part by smoothing",
            sp.sqrt(rest_H),
            "<=",
            by_smoothing,
            "it is at most the square of this",
            NonNegative(((1 / (by_smoothing + sp.sqrt(rest_H)), "rest"),)),
            where=GIVENS,
        ),
        line(
            "joint",
            "the mean of (b + e)^2 w, the parts by clipping and by smoothing",
            joint,
            "<=",
            ell * (clipping + size) ** 2,
            "Minkowski's inequality with both roots",
            NonNegative((("minkowski",), (roots, "root_of_clipping"), (roots, "root_of_rest"))),
            where=GIVENS,
        ),
    )
