"""Lemma C.2: bias and second moment of the two-point gradient.

Setting   f differentiable; u uniform on the sphere and v on the ball of radius sqrt(d); lam > 0.
Method    g(x) = (f(x + lam u) - f(x - lam u)) / (2 lam) u;  f_lam(x) = E f(x + lam v).
Measure   ||grad f - grad f_lam|| and E ||g||^2.
Source    DPZero, Lemma C.2 (i), (ii), equations (11) and (14).

Part (i) is stated for any f. It needs continuity: the step function at 0 in one dimension has an f_lam with two kinks.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Cited, Derivation, Identity, NonNegative, Reasoned, Step
from bounds.dpzero.common import PAPER
from bounds.symbols import d, ell, lam, symbols
from bounds.theorem import Part, Theorem

a_sq, a_i, a_j = symbols("a_sq a_i a_j")  # ||grad f(x)||^2, and two real numbers

REMAINDER = ell / 2 * lam**2 * d  # |f(x +- lam u) - f(x) -+ lam u'grad f(x)| is at most this
BIAS = ell / 2 * lam * d ** sp.Rational(3, 2)


def second_moment(grad_sq: sp.Expr) -> sp.Expr:
    """Return the bound on E ||g||^2 where the squared gradient norm is `grad_sq`."""
    return 2 * d * grad_sq + ell**2 / 2 * lam**2 * d**3


LEMMA_C2 = Theorem(
    key="dpzero.lemma_c2",
    title="Lemma C.2 (bias and second moment of the two-point gradient)",
    source=f"{PAPER}, Lemma C.2",
    claim="upper",
    measure="||grad f(x) - grad f_lam(x)||",
    assumptions=("f is ell-smooth", "u uniform on the sphere, v on the ball of radius sqrt(d)"),
    bound=BIAS,
    parts=(
        Part("ii second moment", "E ||g(x)||^2", "<=", second_moment(a_sq)),
        Part("14", "((f(x + lam u) - f(x - lam u)) / (2 lam))^2 - 2 (u'grad f(x))^2", "<=", ell**2 / 2 * lam**2 * d**2),
    ),
    notes=("(i): E g(x) = grad f_lam(x), for continuous f", "a_sq is ||grad f(x)||^2"),
)


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.lemma_c2",
        title="bias and second moment of the two-point gradient",
        source=f"{PAPER}, Appendix C",
        proves="dpzero.lemma_c2",
        steps=(
            Step(1, "E g(x) = E f(x + lam u) u / lam", None, "=", None, "u and -u have the same law", Reasoned("symmetry of the sphere")),
            Step(
                2,
                "on the unit sphere and ball, E f(x + s u) u = (s/d) grad E f(x + s v), for continuous f",
                None,
                "=",
                None,
                "the divergence theorem",
                Cited("Flaxman, Kalai, McMahan (2005), Lemma 2.1"),
            ),
            Step(
                3,
                "with s = sqrt(d) lam the factors are one: E g = grad f_lam, which is (i)",
                (sp.sqrt(d) / lam) * (sp.sqrt(d) * lam / d),
                "=",
                sp.Integer(1),
                "u = sqrt(d) times a unit vector; the step 1 factor times the step 2 factor",
                Identity(),
            ),
            Step(
                4,
                "Taylor: |f(x +- lam u) - f(x) -+ lam u'grad f(x)| <= (ell/2) ||lam u||^2",
                ell / 2 * (lam * sp.sqrt(d)) ** 2,
                "=",
                REMAINDER,
                "f is ell-smooth and ||u|| = sqrt(d)",
                Identity(),
            ),
            Step(
                5,
                "bias: E ||(difference quotient - u'grad f) u|| <= sqrt(d)/(2 lam) times two remainders",
                sp.sqrt(d) / (2 * lam) * 2 * REMAINDER,
                "=",
                BIAS,
                "E (u'grad f) u = grad f by Lemma C.1, Jensen, triangle inequality",
                Identity(),
            ),
            Step(
                6,
                "(a + b)^2 <= 2 a^2 + 2 b^2",
                (a_i + a_j) ** 2,
                "<=",
                2 * a_i**2 + 2 * a_j**2,
                "(a - b)^2 >= 0",
                NonNegative((((a_i - a_j) ** 2,),)),
            ),
            Step(
                7,
                "(14): step 6 twice, on (2 lam u'grad f) + (both remainders) and on the two remainders",
                2 * (2 * (REMAINDER**2 + REMAINDER**2)) / (2 * lam) ** 2,
                "=",
                ell**2 / 2 * lam**2 * d**2,
                "divided by (2 lam)^2",
                Identity(),
            ),
            Step(
                8,
                "(11): d times (14), and E (u'grad f)^2 = ||grad f||^2",
                d * (2 * a_sq + ell**2 / 2 * lam**2 * d**2),
                "=",
                second_moment(a_sq),
                "||u||^2 = d and Lemma C.1 (ii)",
                Identity(),
            ),
        ),
    )
