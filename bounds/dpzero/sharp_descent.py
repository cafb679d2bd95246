"""One step of DPZero in expectation, and what T of them give: the chain that all the sharper theorems share.

Setting   -H <= Hessian of F_S <= H, 0 <= H <= ell I, Tr(H) <= r ell, r >= 1; F_S is Lipschitz and has a smallest value,
          gap = F_S(x_0) - F_S^*.
Method    x_{t+1} = x_t - alpha (m + z) u,  m the mean of the clipped differences, z ~ N(0, sigma^2), u uniform on the sphere.
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0..T-1 and independent of the run.
Lemma     if, at every x and in expectation over u, with p = u' grad F_S, w = u'Hu, G = ||grad F_S||,
              E m p >= (1 - shrink) G^2 - bias G                        (the direction of the step)
              E m^2 w <= ell (R2 G^2 + 2 cross G + length^2)            (its length)
          then, with a = shrink + alpha ell R2 / 2 < 1,
              E ||grad F_S(x_tau)||^2 <= y^2,   y the positive root of
              (1 - a) y^2 - (bias + alpha ell cross) y = gap / (alpha T) + alpha ell (length^2 + r sigma^2) / 2.
Source    ours. No event is conditioned on, so neither a union over n T clippings nor a bound B on the loss appears.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.derivation import Derivation, Identity, Reasoned, Substitution
from bounds.dpzero.sharp_common import R2, grad, largest_root, line, numbered, words
from bounds.symbols import T, alpha, d, ell, gap, r, sigma, symbols

F_now, F_next = symbols("F_now F_next")

shrink, bias, cross, length = sp.symbols("shrink bias cross length", nonnegative=True)
m, z, p = sp.symbols("m z p", real=True)
w, z_squared = sp.symbols("w E(z^2)", nonnegative=True)
descended = sp.Symbol("E(m+z)^2w", nonnegative=True)


def guarantee(*, shrink: Any, bias: Any, cross: Any, length: Any, weight: Any = R2) -> Any:
    """Return y^2, the bound of the lemma, for given clipping and smoothing terms; `weight` is R2 unless the step is first-order."""
    a = shrink + alpha * ell * weight / 2
    return largest_root(a, bias + alpha * ell * cross, gap / (alpha * T) + alpha * ell * (length**2 + r * sigma**2) / 2) ** 2


GENERIC = guarantee(shrink=shrink, bias=bias, cross=cross, length=length)

a, linear, constant, above = sp.symbols("a b R e", positive=True)
root = largest_root(a, linear, constant)
progress = (1 - shrink) * grad**2 - bias * grad  # at most E m p
stretch = ell * (R2 * grad**2 + 2 * cross * grad + length**2)  # at least E m^2 w


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.sharp_descent",
        title="expected descent without conditioning",
        source="ours",
        steps=numbered(
            words(
                "F_S(x_{t+1}) <= F_S(x_t) - alpha (m + z) p + alpha^2 (m + z)^2 w / 2",
                "Taylor's formula with Hessian <= H along alpha (m + z) u",
                Reasoned("second-order upper bound; F_S(x_t) has a mean, because F_S is Lipschitz and every step has Gaussian tails"),
            ),
            line(
                "mean over z: E z = 0, E z^2 = sigma^2",
                (m**2 + 2 * m * z + z_squared) * w,
                "=",
                (m**2 + sigma**2) * w,
                "z is independent of u and of the past",
                Substitution({z: 0, z_squared: sigma**2}),
            ),
            words("E w = Tr(H) <= r ell", "E uu' = I", Reasoned("Lemma C.1 (iv)")),
            line(
                "E p^2 w = d/(d+2) (2 g'Hg + G^2 Tr(H)) is at most ell R2 G^2: this is the leading part of E m^2 w",
                d / (d + 2) * (2 * ell * grad**2 + grad**2 * r * ell),
                "=",
                ell * R2 * grad**2,
                "Lemma C.1 (iv), H <= ell I, Tr(H) <= r ell",
                Identity(),
            ),
            line(
                "insert both hypotheses",
                -alpha * progress + alpha**2 / 2 * (stretch + r * ell * sigma**2),
                "=",
                -alpha
                * (
                    (1 - (shrink + alpha * ell * R2 / 2)) * grad**2
                    - (bias + alpha * ell * cross) * grad
                    - alpha * ell * (length**2 + r * sigma**2) / 2
                ),
                "collect the powers of G",
                Identity(),
            ),
            words(
                "add over t = 0..T-1, divide by alpha T: the mean of (1 - a) G^2 - b G is at most "
                "gap / (alpha T) + alpha ell (length^2 + r sigma^2) / 2",
                "the losses telescope to F_S(x_0) - E F_S(x_T) <= gap",
                Reasoned("tower rule, F_S(x_T) >= F_S^*"),
            ),
            words(
                "the mean of G is at most y = (E ||grad F_S(x_tau)||^2)^(1/2)",
                "so (1 - a) y^2 - b y <= R, with b and R the coefficient and the right-hand side above",
                Reasoned("Jensen's inequality over t and over the run; a < 1"),
            ),
            line(
                "a y above the root breaks that: at root + e the left side exceeds R by e ((1 - a) e + root of the discriminant) > 0",
                (1 - a) * (root + above) ** 2 - linear * (root + above) - constant,
                "=",
                above * ((1 - a) * above + sp.sqrt(linear**2 + 4 * (1 - a) * constant)),
                "the quadratic grows beyond its larger root",
                Identity(),
                ranges={a: (0, sp.Rational(99, 100))},
            ),
            line(
                "hence the lemma",
                root**2,
                "=",
                GENERIC,
                "insert a, b and R",
                Substitution(
                    {
                        a: shrink + alpha * ell * R2 / 2,
                        linear: bias + alpha * ell * cross,
                        constant: gap / (alpha * T) + alpha * ell * (length**2 + r * sigma**2) / 2,
                    }
                ),
                where=(shrink + alpha * ell * R2 / 2 < 1,),
            ),
            ranges={
                **{letter: (0, 1) for letter in (shrink,)},
                **{letter: (0, 100) for letter in (bias, cross, length, w, z_squared)},
                **{letter: (-100, 100) for letter in (m, z, p)},
                **{letter: (sp.Rational(1, 1000), 100) for letter in (a, linear, constant, above)},
            },
        ),
    )
