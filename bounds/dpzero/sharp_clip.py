"""What clipping costs in expectation: no event, no union over samples and steps, no bound on the loss.

Setting   samples with gradients a_1..a_n, ||a_i|| <= L, mean grad F_S, G = ||grad F_S||;  s_i = clip_C(u'a_i),  m = mean of the s_i.
          u uniform on the sphere of radius sqrt(d);  p = u' grad F_S,  w = u'Hu,  0 <= H <= ell I, Tr(H) <= r ell, r >= 1.
Measure   E m p against G^2 (the direction of the step) and E m^2 w (its length in the norm of H).
Lemma     with c = C / L and N standard normal
          (i)    E m p >= (1 - k_1/2) G^2 - (k_1/2) L G      k_1 = E (|N| - c)_+ |N|                = P(|N| > c)
          (ii)   E (m - p)^2 w <= ell L^2 k_2                k_2 = E (|N| - c)_+^2 (N^2 + r - 1)    = r E (|N| - c)_+^2 + 2 k_1
          (iii)  E |m - p| |p| w <= ell L G k_3              k_3 = E (|N| - c)_+ |N| (N^2 + r - 1)  = (r + 2) k_1 + c weight(c)
Source    ours.

(i) Clipping a linear function shrinks it: E clip_C(u'a) u = (1 - kappa) a with kappa between 0 and k_1. If every sample shrank alike the
direction would not change at all; centring kappa at k_1/2 leaves k_1 L / 2 of bias, at worst. The sphere enters through Jensen's
inequality only: a Gaussian vector is u times an independent random length, and all three functions are convex in the square of it.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Derivation, Given, Identity, NonNegative, Reasoned, Step, Substitution
from bounds.dpzero.sharp_common import THRESHOLD, beyond, beyond_squared, c, line, numbered, s, weight, words
from bounds.symbols import C, L, ell, r
from bounds.theorem import Part, Theorem

K1 = beyond(THRESHOLD)
K2 = r * beyond_squared(THRESHOLD) + 2 * K1
K3 = (r + 2) * K1 + THRESHOLD * weight(THRESHOLD)

LEMMA = Theorem(
    key="dpzero.sharp_clip",
    title="mean effect of clipping linear functions on the sphere",
    source="ours",
    claim="upper",
    measure="|g'(E m u) - (1 - k_1/2) ||g||^2| / ||g||, g the mean gradient, m the mean of the clipped u'a_i",
    assumptions=(
        "u is uniform on the sphere of radius sqrt(d)",
        "||a_i|| <= L for every sample, g is their mean",
        "0 <= H <= ell I, Tr(H) <= r ell, r >= 1",
    ),
    bound=L * K1 / 2,
    parts=(
        Part("i", "the same", "<=", L * K1 / 2),
        Part("ii", "E (m - u'g)^2 u'Hu", "<=", ell * L**2 * K2),
        Part("iii", "E |m - u'g| |u'g| u'Hu / ||g||", "<=", ell * L * K3),
    ),
)

# --- one-dimensional integrals over s from c on, by their antiderivatives -----------------------------------------------------------
INTEGRALS = {  # integrand, antiderivative that vanishes at infinity, integral from c on
    "E (|N| - c)_+ |N|": ((s - c) * s, -(s - c) * weight(s) - beyond(s), beyond(c)),
    "E (|N| - c)_+^2": ((s - c) ** 2, -(s - 2 * c) * weight(s) - (1 + c**2) * beyond(s), beyond_squared(c)),
    "E (|N| - c)_+^2 N^2": (
        (s - c) ** 2 * s**2,
        -((s - c) ** 2 * s + 3 * s - 4 * c) * weight(s) - (3 + c**2) * beyond(s),
        beyond_squared(c) + 2 * beyond(c),
    ),
    "E (|N| - c)_+ |N|^3": (
        (s - c) * s**3,
        -((s - c) * s**2 + 3 * s - 2 * c) * weight(s) - 3 * beyond(s),
        3 * beyond(c) + c * weight(c),
    ),
}


def _integral_steps() -> list[Step]:
    steps = []
    for name, (integrand, primitive, value) in INTEGRALS.items():
        slope = sp.diff(primitive, s)
        steps.append(line(f"{name}: a primitive", slope, "=", integrand * weight(s), "differentiate", Identity()))
        steps.append(
            line(f"{name}: its value", -primitive.subs(s, c), "=", value, "minus the primitive at c; it is 0 at infinity", Identity())
        )
    return steps


# --- convexity in the squared length s, beyond the kink where x sqrt(s) = C + y, y >= 0 ---------------------------------------------
y = sp.Symbol("y", nonnegative=True)
x_of_y = (C + y) / sp.sqrt(s)
x = sp.Symbol("x", positive=True)
RAYS = {
    "kappa": s * x**2 - C * x * sp.sqrt(s),  # (x sqrt(s) - C) x sqrt(s)
    "(ii)": s**2 * x**2 - 2 * C * x * s ** sp.Rational(3, 2) + C**2 * s,  # (x sqrt(s) - C)^2 s
    "(iii)": s**2 * x - C * s ** sp.Rational(3, 2),  # (x sqrt(s) - C) sqrt(s) s
}
CURVATURE = {
    "kappa": C * (C + y) / (4 * s**2),
    "(ii)": (C + y) * (C / 2 + 2 * y) / s,
    "(iii)": (sp.Rational(5, 4) * C + 2 * y) / sp.sqrt(s),
}


def _convexity_steps() -> list[Step]:
    return [
        line(
            f"{name}: its second derivative beyond the kink is positive",
            sp.diff(ray, s, 2).subs(x, x_of_y),
            "=",
            CURVATURE[name],
            "x sqrt(s) = C + y with y >= 0",
            Identity(),
            ranges={y: (0, 100), C: (sp.Rational(1, 1000), 100)},
        )
        for name, ray in RAYS.items()
    ]


# --- (iii): the two moments that Cauchy-Schwarz compares, psi = (|X| - c)_+ / |X|, m_j = E psi |X|^j -------------------------------
m_2, excess_4, short_0, h = sp.symbols("m_2 e_4 s_0 h", nonnegative=True)  # e_4 = m_4 - 3 m_2, s_0 = m_2 - m_0
m_4, m_0 = 3 * m_2 + excess_4, m_2 - short_0
MOMENTS = {m_2: (0, 10), excess_4: (0, 10), short_0: (0, m_2), h: (0, 1)}
first, second = m_4 - m_2, m_4 - m_2 - 2 * m_0 * h  # what is left of the two diagonal entries, the first over 1 - a'Ha

kappa, rest, inner, product = sp.symbols("kappa kappa_rest g'a LG", real=True)  # one sample's share in (i); rest = k_1 - kappa
SHARES = {kappa: (0, 1), rest: (0, 1 - kappa), product: (0, 100), inner: (-product, product)}
trace, a_Ha = sp.symbols("Tr(H) a'Ha", nonnegative=True)


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.sharp_clip",
        title="bias and length of the mean of clipped linear functions",
        source="ours",
        proves="dpzero.sharp_clip",
        steps=numbered(
            words(
                "zeta = sqrt(S) u with S independent of u and E S = 1 is a standard Gaussian vector; for f(S) convex, E f(S) >= f(1)",
                "S = ||zeta||^2 / d; so the sphere's expectation of each function below is at most the Gaussian one",
                Reasoned("Jensen's inequality, for each direction u"),
            ),
            *_convexity_steps(),
            words(
                "before the kink each of the three is 0, and its slope just beyond the kink is not negative, so each is convex on s > 0",
                "the slopes at y = 0 are C^2/(2s), 0 and C s^(1/2) / 2 in this order",
                Reasoned("a convex function may start with a constant piece"),
            ),
            *_integral_steps(),
            words(
                "E clip_C(u'a) u = (1 - kappa) a with kappa ||a||^2 = E (|u'a| - C)_+ |u'a|, so 0 <= kappa <= k_1",
                "the vector is unchanged by rotations about a; kappa grows with ||a|| <= L, and the Gaussian value at L is k_1",
                Reasoned("symmetry; for d = 1 the reflection a -> -a"),
            ),
            line(
                "a sample's share in g'(E m u): shrinking by kappa instead of k_1/2 costs at most k_1 L G / 2  (k_1 = kappa + kappa_rest)",
                (kappa - (kappa + rest) / 2) * inner,
                "<=",
                (kappa + rest) / 2 * product,
                "|g'a| <= L G, 0 <= kappa <= k_1",
                NonNegative(
                    ((kappa / 2, product - inner), (rest / 2, product + inner)),
                    given=(
                        Given(kappa / 2, "0 <= kappa"),
                        Given(rest / 2, "kappa <= k_1"),
                        Given(product - inner, "g'a <= L G"),
                        Given(product + inner, "-g'a <= L G"),
                    ),
                ),
                ranges=SHARES,
            ),
            words("(i): average over the samples", "the mean of the a_i is g", Reasoned("linearity")),
            words(
                "(m - p)^2 is at most the mean of (|u'a_i| - C)_+^2; if ||a|| = 1, given X = zeta'a, w has the mean "
                "X^2 a'Ha + Tr(H) - a'Ha",
                "Jensen's inequality over the samples; zeta is X a plus an independent Gaussian vector orthogonal to a",
                Reasoned("conditional expectation"),
            ),
            line(
                "(ii): its mean grows with a'Ha <= ell and with Tr(H) <= r ell",
                2 * beyond(c) * a_Ha + beyond_squared(c) * trace,
                "<=",
                2 * beyond(c) * ell + beyond_squared(c) * r * ell,
                "E (|N| - c)_+^2 (N^2 - 1) = 2 k_1 >= 0",
                NonNegative(
                    ((2 * beyond(c), ell - a_Ha), (beyond_squared(c), r * ell - trace)),
                    given=(
                        Given(beyond(c) * 2, "a probability"),
                        Given(ell - a_Ha, "H <= ell I"),
                        Given(beyond_squared(c), "the mean of a square"),
                        Given(r * ell - trace, "Tr(H) <= r ell"),
                    ),
                ),
                ranges={a_Ha: (0, ell), trace: (0, r * ell), c: (0, 8)},
            ),
            words(
                "(iii): (|X| - c)_+ |Y| w = psi |X| |Y| w; by Cauchy-Schwarz its mean is at most the root of E psi X^2 w times E psi Y^2 w",
                "Y = zeta'g / ||g|| = rho X + sqrt(1 - rho^2) Z with Z independent of X",
                Reasoned("Cauchy-Schwarz with the weight psi w"),
            ),
            words(
                "E psi Y^2 w is a quadratic form in (rho, sqrt(1 - rho^2)) with the entries m_4 a'Ha + m_2 (Tr(H) - a'Ha), 2 m_2 a'Hz and "
                "m_2 a'Ha + m_0 (Tr(H) - a'Ha + 2 z'Hz); both means are at most ell (m_4 + (r - 1) m_2) if that form is",
                "z the direction of Z; odd powers vanish, and rho = 1 gives E psi X^2 w",
                Reasoned("moments of independent Gaussian coordinates"),
            ),
            words(
                "m_2 >= m_0 and m_4 >= 3 m_2: write m_0 = m_2 - s_0, m_4 = 3 m_2 + e_4",
                "psi grows with |X|, so it is positively correlated with X^2, under the law of X and under that law weighted by X^2",
                Reasoned("Chebyshev's association inequality; E X^2 = 1, E X^4 = 3"),
            ),
            line(
                "with ell = 1, h = z'Hz and a'Ha = 1 - q, Tr(H) <= r: the first diagonal entry is short by at least (m_4 - m_2) q, the "
                "second by at least m_4 - m_2 - 2 m_0 h, both non-negative, and (a'Hz)^2 <= q (1 - h), so the form is below when",
                4 * m_2**2 * (1 - h),
                "<=",
                first * second,
                "the determinant of what is left, divided by q",
                NonNegative(
                    (
                        (2 * m_2, 2 * short_0 * h + excess_4),
                        (excess_4, 2 * m_2, 1 - h),
                        (excess_4, 2 * short_0 * h + excess_4),
                    ),
                    given=(Given(1 - h, "H <= ell I"),),
                ),
                ranges=MOMENTS,
            ),
            line(
                "k_3: m_4 + (r - 1) m_2 with m_2 = E (|N| - c)_+ |N| and m_4 = E (|N| - c)_+ |N|^3",
                3 * beyond(c) + c * weight(c) + (r - 1) * beyond(c),
                "=",
                (r + 2) * beyond(c) + c * weight(c),
                "the integrals above",
                Identity(),
            ),
            line("(i) in terms of C", L * beyond(c) / 2, "=", LEMMA.bound, "insert c = C / L", Substitution({c: THRESHOLD})),
            ranges={**SHARES, **MOMENTS, x: (sp.Rational(1, 100), 100)},
        ),
    )
