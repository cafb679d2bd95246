"""What the mean effect of clipping needs of a Gaussian vector: moments beyond a threshold, and convexity in its squared length.

Setting   N standard normal, c >= 0, psi = (|N| - c)_+ / |N|;   the density of |N| is `weight` of `bounds.dpzero.sharp_common`.
          zeta = sqrt(S) u is a Gaussian vector in R^d, S = ||zeta||^2 / d independent of u, E S = 1.
Measure   E (|N| - c)_+ |N|, E (|N| - c)_+^2, E (|N| - c)_+^2 N^2 and E (|N| - c)_+ |N|^3, each by its antiderivative;
          (x sqrt(s) - C)_+ x sqrt(s), (x sqrt(s) - C)_+^2 s and (x sqrt(s) - C)_+ s^(3/2) as functions of s, x fixed.
Source    ours: integration by parts; differentiation.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.derivation import GIVENS, Identity, NonNegative, Reasoned, Shown, Step, fact, line
from bounds.dpzero.sharp_common import beyond, beyond_squared, c, s, weight
from bounds.symbols import C, Letter, introduce

psi_2 = introduce(Letter("psi_2", r"\mathbb{E}\psi N^2", "mean of psi N^2 = (|N| - c)_+ |N|", 0, 1, "proof"))
psi_4 = introduce(Letter("psi_4", r"\mathbb{E}\psi N^4", "mean of psi N^4 = (|N| - c)_+ |N|^3", 0, 3, "proof"))
over_sq = introduce(Letter("over_sq", r"\mathbb{E}(|N|-c)_+^2", "mean square of (|N| - c)_+", 1e-300, 1, "proof"))
over_sq_N = introduce(Letter("over_sq_N", r"\mathbb{E}(|N|-c)_+^2N^2", "mean of (|N| - c)_+^2 N^2", 1e-300, 3, "proof"))

# letter, in words, integrand over s from c on, antiderivative that vanishes at infinity
INTEGRALS: dict[str, tuple[Any, str, Any, Any]] = {
    "psi_2": (psi_2, "E (|N| - c)_+ |N|", (s - c) * s, -(s - c) * weight(s) - beyond(s)),
    "over_sq": (over_sq, "E (|N| - c)_+^2", (s - c) ** 2, -(s - 2 * c) * weight(s) - (1 + c**2) * beyond(s)),
    "over_sq_N": (
        over_sq_N,
        "E (|N| - c)_+^2 N^2",
        (s - c) ** 2 * s**2,
        -((s - c) ** 2 * s + 3 * s - 4 * c) * weight(s) - (3 + c**2) * beyond(s),
    ),
    "psi_4": (psi_4, "E (|N| - c)_+ |N|^3", (s - c) * s**3, -((s - c) * s**2 + 3 * s - 2 * c) * weight(s) - 3 * beyond(s)),
}


def integral(name: str, letter: Any, text: str, primitive: Any) -> Step:
    """Return the fact that a letter is an integral from c on, by its primitive."""
    using = (f"primitive_{name}",)
    return fact(name, text, letter, "=", -primitive.subs(s, c), Reasoned("minus the primitive at c; it is 0 at infinity", using))


def primitive_of(name: str, text: str, integrand: Any, primitive: Any) -> Step:
    """Return the step that a function is a primitive, times the density of |N|."""
    text = f"{text}: a primitive at the point of integration s"
    return line(f"primitive_{name}", text, sp.diff(primitive, s), "=", integrand * weight(s), "differentiate", Identity())


def beyond_sq() -> Step:
    """Return the step that the mean square of (|N| - c)_+, as it is computed, is positive."""
    return line(
        "beyond_sq",
        "the mean square of what |N| is above c_clip, as it is computed, is positive",
        beyond_squared(c),
        ">",
        0,
        "it is a mean square",
        NonNegative(((over_sq,),), modulo=((-1, "over_sq"),)),
        where=GIVENS,
    )


def beyond_sq_shown() -> Step:
    """Return the same as a fact."""
    return fact("beyond_sq", "E (|N| - c)_+^2 as it is computed", beyond_squared(c), ">", 0, Shown("dpzero.sharp_clip", "beyond_sq"))


# --- convexity in the squared length s, beyond the kink where x sqrt(s) = C + y, y >= 0 ---------------------------------------------
y = introduce(Letter("past_kink", "y", "how far x sqrt(s) is beyond the clipping threshold", 0, 100, "proof"))
x = sp.Symbol("x", positive=True)
RAYS = {  # the function of s, then its slope and second derivative beyond the kink
    "1": (s * x**2 - C * x * sp.sqrt(s), (C + y) * (C / 2 + y) / s, C * (C + y) / (4 * s**2)),  # (x sqrt(s) - C) x sqrt(s)
    "2": (s**2 * x**2 - 2 * C * x * s ** sp.Rational(3, 2) + C**2 * s, y * (C + 2 * y), (C + y) * (C / 2 + 2 * y) / s),  # squared, times s
    "3": (s**2 * x - C * s ** sp.Rational(3, 2), (C / 2 + 2 * y) * sp.sqrt(s), (sp.Rational(5, 4) * C + 2 * y) / sp.sqrt(s)),
}


def convexity() -> tuple[Step, ...]:
    """Return the steps that make Jensen's inequality in S apply: beyond the kink each function rises and is convex, before it is 0."""
    at = (C + y) / sp.sqrt(s)
    steps = []
    for name, (ray, slope, curvature) in RAYS.items():
        for order, kind, value in ((1, "rising", slope), (2, "convex", curvature)):
            what = "slope" if order == 1 else "second derivative"
            text = f"({'i' * int(name)}): its {what} in the squared length s beyond the clipping threshold is not negative"
            left = sp.diff(ray, s, order).subs(x, at)
            steps.append(line(f"{kind}_{name}", text, left, ">=", 0, "x sqrt(s) = C + y with y >= 0", NonNegative(((value,),))))
    return tuple(steps)
