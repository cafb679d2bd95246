"""Lemma C.2: bias and second moment of the two-point gradient.

Setting   f differentiable; u uniform on the sphere and v on the ball of radius sqrt(d); lam > 0.
Method    g(x) = (f(x + lam u) - f(x - lam u)) / (2 lam) u;  f_lam(x) = E f(x + lam v).
Measure   ||grad f - grad f_lam|| and E ||g||^2.
Source    DPZero, Lemma C.2 (i), (ii), equations (11) and (14).

Part (i) is stated for any f. It needs continuity: the step function at 0 in one dimension has an f_lam with two kinks.
"""

import sympy as sp

from bounds.dpzero.common import PAPER, stated
from bounds.symbols import d, ell, introduce, lam, symbols
from bounds.theorem import Part

a_sq, bias_sq, bias_norm, u_norm, G_sq, grad_sq = symbols("a_sq bias_sq bias_norm u_norm G_sq grad_sq")
grad_f_sq = introduce("grad_f_sq", r"\|\nabla f\|^2", "squared norm of the gradient of f", 0, 1e6, "step")

BIAS = ell / 2 * lam * d ** sp.Rational(3, 2)


def second_moment(grad_sq: sp.Expr) -> sp.Expr:
    """Return the bound on E ||g||^2 where the squared gradient norm is `grad_sq`."""
    return 2 * d * grad_sq + ell**2 / 2 * lam**2 * d**3


LEMMA_C2 = stated(
    "lemma_c2",
    "Lemma C.2 (bias and second moment of the two-point gradient)",
    f"{PAPER}, Lemma C.2",
    measure="||grad f(x) - grad f_lam(x)||",
    assumptions=("f is ell-smooth", "u uniform on the sphere, v on the ball of radius sqrt(d)"),
    bound=BIAS,
    parts=(
        Part("ii second moment", "E ||g(x)||^2", "<=", second_moment(a_sq)),
        Part("14", "((f(x + lam u) - f(x - lam u)) / (2 lam))^2 - 2 (u'grad f(x))^2", "<=", ell**2 / 2 * lam**2 * d**2),
    ),
    notes=("(i): E g(x) = grad f_lam(x), for continuous f", "a_sq is ||grad f(x)||^2"),
    measured=bias_norm,
)
