"""Lemma C.2: bias and second moment of the two-point gradient.

Setting   f differentiable; u uniform on the sphere and v on the ball of radius sqrt(d); lam > 0.
Method    g(x) = (f(x + lam u) - f(x - lam u)) / (2 lam) u;  f_lam(x) = E f(x + lam v).
Measure   ||grad f - grad f_lam|| and E ||g||^2.
Source    DPZero, Lemma C.2 (i), (ii), equations (11) and (14).

Part (i) is stated for any f. It needs continuity: the step function at 0 in one dimension has an f_lam with two kinks.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero.common import PAPER, proved, stated
from bounds.dpzero.meanings import BIAS_IS_A_NORM, ON_THE_SPHERE
from bounds.dpzero.sphere import NEAR_A_PLANE, along_sq
from bounds.lines import line, times
from bounds.symbols import d, ell, introduce, lam, symbols
from bounds.theorem import Part

a_sq, bias_sq, bias_norm, u_norm, G_sq, grad_sq = symbols("a_sq bias_sq bias_norm u_norm G_sq grad_sq")
g_sq = introduce("g_sq", r"\mathbb{E}\|g_\lambda\|^2", "mean square of the two-point gradient", 0, 1e6, "step")
grad_f_sq = introduce("grad_f_sq", r"\|\nabla f\|^2", "squared norm of the gradient of f", 0, 1e6, "step")
along = introduce("along", r"u^{\top}\nabla f", "slope of f along u", -1e3, 1e3, "step")
TWO_POINT = r"\frac{f(x+\lambda u)-f(x-\lambda u)}{2\lambda}"  # on paper
slope_signed = introduce("slope_signed", TWO_POINT, "two-point difference", -1e3, 1e3, "step")
slope_sq = introduce("slope_sq", rf"\mathbb{{E}}\left({TWO_POINT}\right)^2", "mean square of the two-point difference", 0, 1e6, "step")
e_plus = introduce("e_plus", r"e_+", "remainder of Taylor's formula at x + lam u", -1e3, 1e3, "step")
e_minus = introduce("e_minus", r"e_-", "remainder of Taylor's formula at x - lam u", -1e3, 1e3, "step")
off = rf"\mathbb{{E}}\left|{TWO_POINT}-u^{{\top}}\nabla f\right|"
mean_error = introduce("mean_error", off, "mean error of the two-point difference", 0, 1e6, "step")

REMAINDER = ell / 2 * lam**2 * d  # |f(x +- lam u) - f(x) -+ lam u'grad f(x)| is at most this
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


def proof() -> Derivation:
    """Write the proof out."""
    root_d = sp.sqrt(d)
    facts = (
        ON_THE_SPHERE,
        line("taylor_plus", e_plus**2, "<=", (ell / 2 * (lam * u_norm) ** 2) ** 2)
        .says("|f(x + lam u) - f(x) - lam u'grad f|, f is ell-smooth")
        .certified(NEAR_A_PLANE),
        line("taylor_minus", e_minus**2, "<=", (ell / 2 * (lam * u_norm) ** 2) ** 2).says("the same at x - lam u").certified(NEAR_A_PLANE),
        line("quotient", slope_signed, "=", along + (e_plus - e_minus) / (2 * lam))
        .says("the two-point difference, f(x) cancels")
        .reasoned("definition of the two remainders"),
        line("mean_square", slope_sq, "<=", 2 * along_sq + ell**2 / 2 * lam**2 * d**2)
        .says("(14) in expectation over u")
        .reasoned("the expectation of (14)", using=("square",)),
        line("along_mean", along_sq, "=", grad_f_sq).says("Lemma C.1 (ii), where the gradient is 0 too").reasoned("E uu' = I"),
        line("length", g_sq, "=", d * slope_sq).says("||g|| = |difference| ||u||").reasoned("||u||^2 = d"),
        line("jensen", bias_norm, "<=", u_norm * mean_error)
        .says("||E (difference - u'grad f) u||, E (u'grad f) u = grad f by Lemma C.1")
        .reasoned("E g = grad f_lam, Jensen's inequality", using=("gradient_of_mean",)),
        line("mean_error", mean_error, "<=", ell / 2 * lam * d)
        .says("E |difference - u'grad f|")
        .reasoned("the expectation of what holds for every u", using=("error",)),
        BIAS_IS_A_NORM,
    )
    steps = (
        line("symmetry").says("E g(x) = E f(x + lam u) u / lam").because("u and -u have the same law").reasoned("symmetry of the sphere"),
        line("divergence")
        .says("on the unit sphere and ball, E f(x + s u) u = (s/d) grad E f(x + s v), for continuous f", "the divergence theorem")
        .cited("Flaxman, Kalai, McMahan (2005), Lemma 2.1"),
        line("gradient_of_mean", u_norm / lam * (root_d * lam / d), "=", 1)
        .says("(i): with s = sqrt(d) lam, the length of u over lam times s/d is one, so E g = grad f_lam")
        .because("u = sqrt(d) times a unit vector; the factors of the two lines before")
        .inserting("on_the_sphere"),
        line("square", slope_signed**2, "<=", 2 * along**2 + ell**2 / 2 * lam**2 * d**2)
        .says("(14): the squared difference along_sq is nearly at most twice (u'grad f)^2")
        .because("(a + b)^2 <= 2 a^2 + 2 b^2, on u'grad f and the remainders, and on the two remainders")
        .by(
            (along - (e_plus - e_minus) / (2 * lam)) ** 2,
            *times(1 / lam**2, "taylor_plus", "taylor_minus"),
            (1 / (2 * lam**2), (e_plus + e_minus) ** 2),
            at=("on_the_sphere", "quotient"),
        ),
        line("error", ((e_plus - e_minus) / (2 * lam)) ** 2, "<=", (ell / 2 * lam * d) ** 2)
        .says("the two remainders make an error of the difference, squared, for every direction", "two remainders over 2 lam")
        .by(*times(1 / (2 * lam**2), "taylor_plus", "taylor_minus"), (1 / (4 * lam**2), (e_plus + e_minus) ** 2), at=("on_the_sphere",)),
        line("second_moment", g_sq, "<=", second_moment(grad_f_sq))
        .says("(11): the mean square of the two-point gradient, d times (14)", "||u||^2 = d")
        .by((d, "mean_square"), modulo=((-1, "length"), (-2 * d, "along_mean"))),
        line("bias_squared", bias_sq, "<=", BIAS**2)
        .says("the square of the bias", "the square of the next line")
        .by(
            (BIAS + bias_norm, "jensen"), (BIAS + bias_norm, root_d, "mean_error"), at=("on_the_sphere",), modulo=((-1, "bias_is_a_norm"),)
        ),
        line("bias", bias_norm, "<=", BIAS)
        .says("(ii): the norm of the bias", "Jensen's inequality and the mean error")
        .by("jensen", (root_d, "mean_error"), at=("on_the_sphere",)),
    )
    of_the_mean = ({g_sq: G_sq, grad_f_sq: grad_sq},)  # the mean G over the samples, by Jensen's inequality, and F_S for f
    title = "bias and second moment of the two-point gradient"
    return proved(LEMMA_C2, title, f"{PAPER}, Appendix C", facts, steps, instances=of_the_mean)
