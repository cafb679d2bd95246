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

from typing import Any

import sympy as sp

from bounds.derivation import GIVENS, Assumed, Cited, Derivation, Identity, NonNegative, Reasoned, Step, fact, line
from bounds.dpzero.sharp_common import (
    H_IN_LETTERS,
    NORM,
    RANK,
    THRESHOLD,
    beyond,
    beyond_squared,
    c,
    grad,
    unit_H,
    weight,
)
from bounds.dpzero.sharp_moments import INTEGRALS, beyond_sq, convexity, integral, over_sq, over_sq_N, primitive_of, psi_2, psi_4
from bounds.symbols import C, L, Letter, ell, introduce, r, symbols, trace
from bounds.theorem import Part, Theorem

(grad_sq,) = symbols("grad_sq")
k_1 = introduce(Letter("k_1", "k_1", "mean (|N| - c)_+ |N|, what clipping takes from the direction", 1e-30, 1, "abbreviation"))
k_2 = introduce(Letter("k_2", "k_2", "mean (|N| - c)_+^2 (N^2 + r - 1), what clipping adds to the length", 1e-30, 1e12, "abbreviation"))
k_3 = introduce(Letter("k_3", "k_3", "mean (|N| - c)_+ |N| (N^2 + r - 1), the cross term of clipping", 1e-30, 1e12, "abbreviation"))


def constants(x: Any) -> dict[str, Any]:
    """Return k_1, k_2 and k_3 at the threshold x."""
    return {
        "k_1": beyond(x),
        "k_2": r * beyond_squared(x) + 2 * beyond(x),
        "k_3": (r + 2) * beyond(x) + x * weight(x),
    }


K1, K2, K3 = constants(THRESHOLD).values()
ABBREVIATIONS = {"c_clip": THRESHOLD, **constants(c)}

clip_tilt = introduce(
    Letter("clip_tilt", r"\frac{|\mathbb{E}mp-(1-k_1/2)G^2|}{G}", "how far E m p is from (1 - k_1/2) G^2, over G", 0, 1e3, "step")
)
clip_along = introduce(Letter("clip_along", r"\mathbb{E}mp", "gradient times the mean of the clipped linear functions", -1e6, 1e6, "step"))
clip_error = introduce(Letter("clip_error", r"\mathbb{E}(m-p)^2w", "mean squared error of clipping, times u'Hu", 0, 1e6, "step"))
clip_cross = introduce(Letter("clip_cross", r"\mathbb{E}|m-p||p|w/G", "mean of error of clipping times |p| u'Hu, over G", 0, 1e6, "step"))
kappa_i = introduce(Letter("kappa_i", r"\kappa_i", "share that clipping takes from the gradient of a sample", 0, 1, "proof"))
along_i = introduce(Letter("along_i", r"a_i^{\top}\hat g", "component of a sample's gradient along the mean gradient", -1e3, 1e3, "proof"))
psi_0 = introduce(Letter("psi_0", r"\mathbb{E}\psi", "mean of psi = (|N| - c)_+ / |N|", 0, 1, "proof"))
pair = introduce(Letter("pair", r"\mathbb{E}\psi|XY|w", "mean of psi |X Y| w", 0, 1e6, "proof"))
psi_X = introduce(Letter("psi_X", r"\mathbb{E}\psi X^2w", "mean of psi X^2 w, X along the sample's gradient", 0, 1e6, "proof"))
psi_Y = introduce(Letter("psi_Y", r"\mathbb{E}\psi Y^2w", "mean of psi Y^2 w, Y along the mean gradient", 0, 1e6, "proof"))
rho_XX = introduce(Letter("rho_XX", r"\rho^2", "squared cosine of the angle between the gradients of a sample and of all", 0, 1, "proof"))
rho_ZZ = introduce(Letter("rho_ZZ", r"1-\rho^2", "squared sine of the angle between the gradients of a sample and of all", 0, 1, "proof"))
rho_XZ = introduce(Letter("rho_XZ", r"\rho\sqrt{1-\rho^2}", "cosine times sine of the angle between the gradients", -1, 1, "proof"))
cross_H = introduce(Letter("cross_H", r"\hat a^{\top}Hz", "a'Hz, z a unit vector orthogonal to the unit vector a", -1e3, 1e3, "proof"))
ortho_H = introduce(Letter("ortho_H", r"z^{\top}Hz", "z'Hz, z a unit vector orthogonal to the unit vector a", 0, 1e3, "proof"))

SHORT = sp.Le(along_i**2, L**2)  # ||a_i|| <= L

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
    definitions=ABBREVIATIONS,
    bound=L * k_1 / 2,
    parts=(
        Part("i", "the same", "<=", L * k_1 / 2, clip_tilt),
        Part("ii", "E (m - u'g)^2 u'Hu", "<=", ell * L**2 * k_2, clip_error),
        Part("iii", "E |m - u'g| |u'g| u'Hu / ||g||", "<=", ell * L * k_3, clip_cross),
    ),
    measured=clip_tilt,
    in_letters=(*H_IN_LETTERS, SHORT),
)
SHORT_SAMPLES = fact("short_samples", "||a_i|| <= L, so is its component", SHORT.lhs, "<=", SHORT.rhs, Assumed())

JENSEN = "Jensen's inequality in the squared length S of a Gaussian vector over d, E S = 1: 0 before the kink, rising and convex beyond"


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.sharp_clip",
        title="bias and length of the mean of clipped linear functions",
        source="ours",
        proves=LEMMA,
        shows={"i": "bound", "ii": "error", "iii": "cross"},
        signs={"k_2": ("beyond_sq",)},
        facts=(
            RANK,
            NORM,
            SHORT_SAMPLES,
            *(integral(name, letter, text, primitive) for name, (letter, text, _, primitive) in INTEGRALS.items()),
            *_about_the_direction(),
            *_about_the_length(),
            *_about_the_cross_term(),
        ),
        steps=(*convexity(), *_integrals(), *_length(), *_cross_term(), *_direction()),
    )


def _integrals() -> tuple[Step, ...]:
    """Return the steps to the closed forms of k_1, k_2 and k_3."""
    return (
        line(
            "threshold",
            "L |X| is above the clipping threshold C where |X| is above c_clip",
            L * c,
            "=",
            C,
            "c = C / L",
            Identity(modulo=((L, "c_clip"),)),
            where=GIVENS,
        ),
        *(primitive_of(name, text, integrand, primitive) for name, (_, text, integrand, primitive) in INTEGRALS.items()),
        beyond_sq(),
        line(
            "k_1_value",
            "k_1 is the mean of (|N| - c)_+ |N|",
            k_1,
            "=",
            psi_2,
            "P(|N| > c) both",
            Identity(modulo=((1, "k_1"), (-1, "psi_2"))),
            where=GIVENS,
        ),
        line(
            "over_sq_N_value",
            "the mean of (|N| - c)_+^2 (N^2 - 1) is 2 k_1",
            over_sq_N,
            "=",
            over_sq + 2 * psi_2,
            "the integrals",
            Identity(modulo=((1, "over_sq_N"), (-1, "over_sq"), (-2, "psi_2"))),
            where=GIVENS,
        ),
        line(
            "k_2_value",
            "k_2 is r times the mean square of (|N| - c)_+ and twice k_1",
            k_2,
            "=",
            r * over_sq + 2 * psi_2,
            "the integrals",
            Identity(modulo=((1, "k_2"), (-r, "over_sq"), (-2, "psi_2"))),
            where=GIVENS,
        ),
        line(
            "k_3_value",
            "k_3 is the mean of psi N^4 and r - 1 times that of psi N^2",
            k_3,
            "=",
            psi_4 + (r - 1) * psi_2,
            "the integrals",
            Identity(modulo=((1, "k_3"), (-1, "psi_4"), (1 - r, "psi_2"))),
            where=GIVENS,
        ),
    )


def _about_the_direction() -> tuple[Step, ...]:
    """Return what is taken for (i)."""
    return (
        fact(
            "share",
            "E clip_C(u'a) u = (1 - kappa) a with kappa ||a||^2 = E (|u'a| - C)_+ |u'a|, which is at most that of a Gaussian vector with "
            "||a|| = L",
            kappa_i,
            "<=",
            psi_2,
            Reasoned(
                f"symmetry about a; kappa grows with ||a|| <= L; {JENSEN}", using=("rising_1", "convex_1", "short_samples", "threshold")
            ),
        ),
        fact(
            "worst_sample",
            "E m p - (1 - k_1/2) G^2 is G times the mean of k_1/2 - kappa_i times the component of a_i; in size at most the worst",
            clip_tilt**2,
            "<=",
            ((kappa_i - k_1 / 2) * along_i) ** 2,
            Reasoned("linearity; the mean of the a_i is g, so that of their components is G"),
        ),
        fact(
            "by_tilt",
            "E m p in terms of how far it is from (1 - k_1/2) G^2",
            clip_along,
            ">=",
            (1 - k_1 / 2) * grad_sq - clip_tilt * grad,
            Reasoned("a number is at least minus its size"),
        ),
    )


def _direction() -> tuple[Step, ...]:
    """Return the steps to (i)."""
    return (
        line(
            "kappa",
            "a sample's share kappa_i is at most k_1",
            kappa_i,
            "<=",
            k_1,
            "k_1 is that mean",
            NonNegative((("share",),), modulo=((1, "k_1_value"),)),
            where=GIVENS,
        ),
        line(
            "centred",
            "a sample that shrinks by kappa_i instead of k_1/2 tilts the direction by at most L k_1 / 2",
            ((kappa_i - k_1 / 2) * along_i) ** 2,
            "<=",
            (L * k_1 / 2) ** 2,
            "0 <= kappa <= k_1, and the component is at most L",
            NonNegative(((along_i**2, kappa_i, "kappa"), (k_1**2 / 4, "short_samples"))),
            where=GIVENS,
        ),
        line(
            "direction",
            "(i): the gradient times the mean of the clipped functions",
            clip_along,
            ">=",
            (1 - k_1 / 2) * grad_sq - L * k_1 / 2 * grad,
            "the worst sample",
            NonNegative((("by_tilt",), (grad / (L * k_1 / 2 + clip_tilt), "worst_sample"), (grad / (L * k_1 / 2 + clip_tilt), "centred"))),
            where=GIVENS,
        ),
        line(
            "bound",
            "(i): how far E m p is from (1 - k_1/2) G^2, over G",
            clip_tilt,
            "<=",
            L * k_1 / 2,
            "the worst sample",
            NonNegative(((1 / (L * k_1 / 2 + clip_tilt), "worst_sample"), (1 / (L * k_1 / 2 + clip_tilt), "centred"))),
            where=GIVENS,
        ),
    )


def _about_the_length() -> tuple[Step, ...]:
    """Return what is taken for (ii)."""
    return (
        fact(
            "gaussian_error",
            "(m - p)^2 is at most the mean of (|u'a_i| - C)_+^2; for a Gaussian vector zeta with X = zeta'a, a of norm 1, w has given X "
            "the mean X^2 a'Ha + Tr(H) - a'Ha",
            clip_error,
            "<=",
            L**2 * ((over_sq_N - over_sq) * unit_H + over_sq * trace),
            Reasoned(
                "Jensen's inequality over the samples; it grows with ||a|| <= L; zeta is X a plus an independent Gaussian vector "
                f"orthogonal to a; {JENSEN}",
                using=("rising_2", "convex_2", "short_samples", "threshold"),
            ),
        ),
    )


def _length() -> tuple[Step, ...]:
    """Return the step to (ii)."""
    return (
        line(
            "error",
            "(ii): the mean squared error of clipping grows with a'Ha <= ell and with Tr(H) <= r ell",
            clip_error,
            "<=",
            ell * L**2 * k_2,
            "E (|N| - c)_+^2 (N^2 - 1) = 2 k_1 >= 0",
            NonNegative(
                (("gaussian_error",), (2 * L**2 * psi_2, "norm_of_H"), (L**2 * over_sq, "effective_rank")),
                modulo=((ell * L**2, "k_2_value"), (-(L**2) * unit_H, "over_sq_N_value")),
            ),
            where=GIVENS,
        ),
    )


def _about_the_cross_term() -> tuple[Step, ...]:
    """Return what is taken for (iii)."""
    independent = Reasoned("moments of independent Gaussian coordinates; odd powers vanish")
    grows = Cited("Chebyshev's association inequality: psi grows with |X|, E X^2 = 1, E X^4 = 3")
    return (
        fact(
            "gaussian_cross",
            "(|X| - c)_+ |Y| w = psi |X| |Y| w with Y = zeta'g / ||g||, X = zeta'a, a of norm 1",
            clip_cross,
            "<=",
            L * pair,
            Reasoned(
                f"the mean over the samples; it grows with ||a|| <= L; {JENSEN}",
                using=("rising_3", "convex_3", "short_samples", "threshold"),
            ),
        ),
        fact("pair", "2 |X| |Y| is at most X^2 + Y^2", pair, "<=", (psi_X + psi_Y) / 2, Reasoned("psi w is not negative")),
        fact("psi_X", "w has given X the mean X^2 a'Ha + Tr(H) - a'Ha", psi_X, "=", psi_4 * unit_H + psi_2 * (trace - unit_H), independent),
        fact(
            "psi_Y",
            "Y = rho X + sqrt(1 - rho^2) Z with Z = zeta'z independent of X",
            psi_Y,
            "=",
            rho_XX * (psi_4 * unit_H + psi_2 * (trace - unit_H))
            + 4 * rho_XZ * psi_2 * cross_H
            + rho_ZZ * (psi_2 * unit_H + psi_0 * (trace - unit_H + 2 * ortho_H)),
            independent,
        ),
        fact("unit", "Y has variance 1", rho_ZZ, "=", 1 - rho_XX, Reasoned("g / ||g|| is a unit vector")),
        fact(
            "norm_along_g",
            "H <= ell I along g / ||g|| = rho a + sqrt(1 - rho^2) z",
            rho_XX * unit_H + 2 * rho_XZ * cross_H + rho_ZZ * ortho_H,
            "<=",
            ell,
            Reasoned("norm_of_H for the unit vector g / ||g||, multiplied out"),
        ),
        fact("association", "psi is positively correlated with X^2", psi_0, "<=", psi_2, grows),
        fact("association_2", "so it is under the law weighted by X^2", 3 * psi_2, "<=", psi_4, grows),
    )


def _cross_term() -> tuple[Step, ...]:
    """Return the steps to (iii)."""
    largest = ell * (psi_4 + (r - 1) * psi_2)
    return (
        line(
            "along_the_sample",
            "the mean of psi X^2 w is largest at a'Ha = ell and Tr(H) = r ell",
            psi_X,
            "<=",
            largest,
            "m_4 >= m_2, in the moments m of psi",
            NonNegative(
                (("association_2", "norm_of_H"), (2 * psi_2, "norm_of_H"), (psi_2, "effective_rank")),
                modulo=((-1, "psi_X"),),
            ),
            where=GIVENS,
        ),
        line(
            "along_the_mean",
            "the mean of psi Y^2 w is not larger, whatever the angle between the gradients",
            psi_Y,
            "<=",
            largest,
            "2 m_2 times (ell - g'Hg / ||g||^2), and what is left is non-negative term by term",
            NonNegative(
                (
                    (2 * psi_2, "norm_along_g"),
                    (rho_XX, "association_2", "norm_of_H"),
                    (rho_XX * psi_2, "effective_rank"),
                    (rho_ZZ * ell, "association_2"),
                    (2 * rho_ZZ * ortho_H, "association"),
                    (rho_ZZ, "association", "norm_of_H"),
                    (rho_ZZ * ell, "r >= 1", "association"),
                    (rho_ZZ * psi_0, "effective_rank"),
                ),
                modulo=((-1, "psi_Y"), (2 * psi_2 * ell - largest, "unit")),
            ),
            where=GIVENS,
        ),
        line(
            "cross",
            "(iii): the mean of the error of clipping times |p| w, over G",
            clip_cross,
            "<=",
            ell * L * k_3,
            "half the sum of the two means",
            NonNegative(
                (("gaussian_cross",), (L, "pair"), (L / 2, "along_the_sample"), (L / 2, "along_the_mean")),
                modulo=((ell * L, "k_3_value"),),
            ),
            where=GIVENS,
        ),
    )
