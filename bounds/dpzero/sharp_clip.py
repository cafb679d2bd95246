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

from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero.common import proved, stated
from bounds.dpzero.sharp_common import AT, H_IN_LETTERS, ON_H, THRESHOLD, beyond, beyond_squared, c, grad, s, unit_H, weight
from bounds.lines import Cited, Reasoned, Step, line
from bounds.symbols import C, L, ell, grad_sq, introduce, r, trace
from bounds.theorem import Part

k_1 = introduce("k_1", "k_1", "mean (|N| - c)_+ |N|, what clipping takes from the direction", 1e-30, 1, "abbreviation")
k_2 = introduce("k_2", "k_2", "mean (|N| - c)_+^2 (N^2 + r - 1), what clipping adds to the length", 1e-30, 1e12, "abbreviation")
k_3 = introduce("k_3", "k_3", "mean (|N| - c)_+ |N| (N^2 + r - 1), the cross term of clipping", 1e-30, 1e12, "abbreviation")
ABBREVIATIONS = {"c_clip": THRESHOLD, **AT.clip_constants(c)}
K_2 = {"k_2": ("beyond_sq",)}  # lines that show the signs of what is abbreviated
SHOWS = {"i": "bound", "ii": "error", "iii": "cross"}  # the parts of a lemma on clipping

psi_2 = introduce("psi_2", r"\mathbb{E}\psi N^2", "mean of psi N^2 = (|N| - c)_+ |N|", 0, 1, "proof")
psi_4 = introduce("psi_4", r"\mathbb{E}\psi N^4", "mean of psi N^4 = (|N| - c)_+ |N|^3", 0, 3, "proof")
over_sq = introduce("over_sq", r"\mathbb{E}(|N|-c)_+^2", "mean square of (|N| - c)_+", 1e-300, 1, "proof")
over_sq_N = introduce("over_sq_N", r"\mathbb{E}(|N|-c)_+^2N^2", "mean of (|N| - c)_+^2 N^2", 1e-300, 3, "proof")

# moments beyond the threshold: letter, in words, integrand over s from c on, antiderivative that vanishes at infinity
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
    return line(name, letter, "=", -primitive.subs(s, c)).says(text).reasoned("minus the primitive at c; it is 0 at infinity", using)


def primitive_of(name: str, text: str, integrand: Any, primitive: Any) -> Step:
    """Return the step that a function is a primitive, times the density of |N|."""
    text = f"{text}: a primitive at the point of integration s"
    return line(f"primitive_{name}", sp.diff(primitive, s), "=", integrand * weight(s)).says(text).because("differentiate").identity()


BEYOND_SQ = (
    line("beyond_sq", beyond_squared(c), ">", 0)
    .says("the mean square of what |N| is above c_clip, as it is computed, is positive", "it is a mean square")
    .by(over_sq, modulo=((-1, "over_sq"),))
)


BEYOND_SQ_SHOWN = (
    line("beyond_sq", beyond_squared(c), ">", 0).says("E (|N| - c)_+^2 as it is computed").shown("dpzero.sharp_clip", "beyond_sq")
)


# --- convexity in the squared length s, beyond the kink where x sqrt(s) = C + y, y >= 0 ---------------------------------------------
y = introduce("past_kink", "y", "how far x sqrt(s) is beyond the clipping threshold", 0, 100, "proof")
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
            steps.append(line(f"{kind}_{name}", left, ">=", 0).says(text).because("x sqrt(s) = C + y with y >= 0").by(value))
    return tuple(steps)


clip_tilt = introduce(
    "clip_tilt", r"\frac{|\mathbb{E}mp-(1-k_1/2)G^2|}{G}", "how far E m p is from (1 - k_1/2) G^2, over G", 0, 1e3, "step"
)
clip_along = introduce("clip_along", r"\mathbb{E}mp", "gradient times the mean of the clipped linear functions", -1e6, 1e6, "step")
clip_error = introduce("clip_error", r"\mathbb{E}(m-p)^2w", "mean squared error of clipping, times u'Hu", 0, 1e6, "step")
clip_cross = introduce("clip_cross", r"\mathbb{E}|m-p||p|w/G", "mean of error of clipping times |p| u'Hu, over G", 0, 1e6, "step")
kappa_i = introduce("kappa_i", r"\kappa_i", "share that clipping takes from the gradient of a sample", 0, 1, "proof")
along_i = introduce("along_i", r"a_i^{\top}\hat g", "component of a sample's gradient along the mean gradient", -1e3, 1e3, "proof")
psi_0 = introduce("psi_0", r"\mathbb{E}\psi", "mean of psi = (|N| - c)_+ / |N|", 0, 1, "proof")
pair = introduce("pair", r"\mathbb{E}\psi|XY|w", "mean of psi |X Y| w", 0, 1e6, "proof")
psi_X = introduce("psi_X", r"\mathbb{E}\psi X^2w", "mean of psi X^2 w, X along the sample's gradient", 0, 1e6, "proof")
psi_Y = introduce("psi_Y", r"\mathbb{E}\psi Y^2w", "mean of psi Y^2 w, Y along the mean gradient", 0, 1e6, "proof")
rho_XX = introduce("rho_XX", r"\rho^2", "squared cosine of the angle between the gradients of a sample and of all", 0, 1, "proof")
rho_ZZ = introduce("rho_ZZ", r"1-\rho^2", "squared sine of the angle between the gradients of a sample and of all", 0, 1, "proof")
rho_XZ = introduce("rho_XZ", r"\rho\sqrt{1-\rho^2}", "cosine times sine of the angle between the gradients", -1, 1, "proof")
cross_H = introduce("cross_H", r"\hat a^{\top}Hz", "a'Hz, z a unit vector orthogonal to the unit vector a", -1e3, 1e3, "proof")
ortho_H = introduce("ortho_H", r"z^{\top}Hz", "z'Hz, z a unit vector orthogonal to the unit vector a", 0, 1e3, "proof")

SHORT = sp.Le(along_i**2, L**2)  # ||a_i|| <= L

LEMMA = stated(
    "sharp_clip",
    "mean effect of clipping linear functions on the sphere",
    "ours",
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
SHORT_SAMPLES = line("short_samples", SHORT.lhs, "<=", SHORT.rhs).says("||a_i|| <= L, so is its component").assumed()

JENSEN = "Jensen's inequality in the squared length S of a Gaussian vector over d, E S = 1: 0 before the kink, rising and convex beyond"


def proof() -> Derivation:
    """Write the proof out."""
    along_X, along_Z = psi_4 * unit_H + psi_2 * (trace - unit_H), psi_2 * unit_H + psi_0 * (trace - unit_H + 2 * ortho_H)
    largest = ell * (psi_4 + (r - 1) * psi_2)
    independent = Reasoned("moments of independent Gaussian coordinates; odd powers vanish")
    grows = Cited("Chebyshev's association inequality: psi grows with |X|, E X^2 = 1, E X^4 = 3")
    facts = (
        *ON_H,
        SHORT_SAMPLES,
        *(integral(name, letter, text, primitive) for name, (letter, text, _, primitive) in INTEGRALS.items()),
        # what is taken for (i)
        line("share", kappa_i, "<=", psi_2)
        .says(
            "E clip_C(u'a) u = (1 - kappa) a with kappa ||a||^2 = E (|u'a| - C)_+ |u'a|, which is at most that of a Gaussian vector with "
            "||a|| = L"
        )
        .reasoned(f"symmetry about a; kappa grows with ||a|| <= L; {JENSEN}", using=("rising_1", "convex_1", "short_samples", "threshold")),
        line("worst_sample", clip_tilt**2, "<=", ((kappa_i - k_1 / 2) * along_i) ** 2)
        .says("E m p - (1 - k_1/2) G^2 is G times the mean of k_1/2 - kappa_i times the component of a_i; in size at most the worst")
        .reasoned("linearity; the mean of the a_i is g, so that of their components is G"),
        line("by_tilt", clip_along, ">=", (1 - k_1 / 2) * grad_sq - clip_tilt * grad)
        .says("E m p in terms of how far it is from (1 - k_1/2) G^2")
        .reasoned("a number is at least minus its size"),
        # what is taken for (ii)
        line("gaussian_error", clip_error, "<=", L**2 * ((over_sq_N - over_sq) * unit_H + over_sq * trace))
        .says(
            "(m - p)^2 is at most the mean of (|u'a_i| - C)_+^2; for a Gaussian vector zeta with X = zeta'a, a of norm 1, w has given X "
            "the mean X^2 a'Ha + Tr(H) - a'Ha"
        )
        .reasoned(
            "Jensen's inequality over the samples; it grows with ||a|| <= L; zeta is X a plus an independent Gaussian vector "
            f"orthogonal to a; {JENSEN}",
            using=("rising_2", "convex_2", "short_samples", "threshold"),
        ),
        # what is taken for (iii)
        line("gaussian_cross", clip_cross, "<=", L * pair)
        .says("(|X| - c)_+ |Y| w = psi |X| |Y| w with Y = zeta'g / ||g||, X = zeta'a, a of norm 1")
        .reasoned(
            f"the mean over the samples; it grows with ||a|| <= L; {JENSEN}", using=("rising_3", "convex_3", "short_samples", "threshold")
        ),
        line("pair", pair, "<=", (psi_X + psi_Y) / 2).says("2 |X| |Y| is at most X^2 + Y^2").reasoned("psi w is not negative"),
        line("psi_X", psi_X, "=", along_X).says("w has given X the mean X^2 a'Ha + Tr(H) - a'Ha").certified(independent),
        line("psi_Y", psi_Y, "=", rho_XX * along_X + 4 * rho_XZ * psi_2 * cross_H + rho_ZZ * along_Z)
        .says("Y = rho X + sqrt(1 - rho^2) Z with Z = zeta'z independent of X")
        .certified(independent),
        line("unit", rho_ZZ, "=", 1 - rho_XX).says("Y has variance 1").reasoned("g / ||g|| is a unit vector"),
        line("norm_along_g", rho_XX * unit_H + 2 * rho_XZ * cross_H + rho_ZZ * ortho_H, "<=", ell)
        .says("H <= ell I along g / ||g|| = rho a + sqrt(1 - rho^2) z")
        .reasoned("norm_of_H for the unit vector g / ||g||, multiplied out"),
        line("association", psi_0, "<=", psi_2).says("psi is positively correlated with X^2").certified(grows),
        line("association_2", 3 * psi_2, "<=", psi_4).says("so it is under the law weighted by X^2").certified(grows),
    )
    steps = (
        *convexity(),
        # the steps to the closed forms of k_1, k_2 and k_3
        line("threshold", L * c, "=", C)
        .says("L |X| is above the clipping threshold C where |X| is above c_clip", "c = C / L")
        .identity((L, "c_clip")),
        *(primitive_of(name, text, integrand, primitive) for name, (_, text, integrand, primitive) in INTEGRALS.items()),
        BEYOND_SQ,
        line("k_1_value", k_1, "=", psi_2)
        .says("k_1 is the mean of (|N| - c)_+ |N|", "P(|N| > c) both")
        .identity((1, "k_1"), (-1, "psi_2")),
        line("over_sq_N_value", over_sq_N, "=", over_sq + 2 * psi_2)
        .says("the mean of (|N| - c)_+^2 (N^2 - 1) is 2 k_1", "the integrals")
        .identity((1, "over_sq_N"), (-1, "over_sq"), (-2, "psi_2")),
        line("k_2_value", k_2, "=", r * over_sq + 2 * psi_2)
        .says("k_2 is r times the mean square of (|N| - c)_+ and twice k_1", "the integrals")
        .identity((1, "k_2"), (-r, "over_sq"), (-2, "psi_2")),
        line("k_3_value", k_3, "=", psi_4 + (r - 1) * psi_2)
        .says("k_3 is the mean of psi N^4 and r - 1 times that of psi N^2", "the integrals")
        .identity((1, "k_3"), (-1, "psi_4"), (1 - r, "psi_2")),
        # the step to (ii)
        line("error", clip_error, "<=", ell * L**2 * k_2)
        .says("(ii): the mean squared error of clipping grows with a'Ha <= ell and with Tr(H) <= r ell")
        .because("E (|N| - c)_+^2 (N^2 - 1) = 2 k_1 >= 0")
        .by(
            "gaussian_error",
            (2 * L**2 * psi_2, "norm_of_H"),
            (L**2 * over_sq, "effective_rank"),
            modulo=((ell * L**2, "k_2_value"), (-(L**2) * unit_H, "over_sq_N_value")),
        ),
        # the steps to (iii)
        line("along_the_sample", psi_X, "<=", largest)
        .says("the mean of psi X^2 w is largest at a'Ha = ell and Tr(H) = r ell", "m_4 >= m_2, in the moments m of psi")
        .by(("association_2", "norm_of_H"), (2 * psi_2, "norm_of_H"), (psi_2, "effective_rank"), modulo=((-1, "psi_X"),)),
        line("along_the_mean", psi_Y, "<=", largest)
        .says("the mean of psi Y^2 w is not larger, whatever the angle between the gradients")
        .because("2 m_2 times (ell - g'Hg / ||g||^2), and what is left is non-negative term by term")
        .by(
            (2 * psi_2, "norm_along_g"),
            (rho_XX, "association_2", "norm_of_H"),
            (rho_XX * psi_2, "effective_rank"),
            (rho_ZZ * ell, "association_2"),
            (2 * rho_ZZ * ortho_H, "association"),
            (rho_ZZ, "association", "norm_of_H"),
            (rho_ZZ * ell, "r >= 1", "association"),
            (rho_ZZ * psi_0, "effective_rank"),
            modulo=((-1, "psi_Y"), (2 * psi_2 * ell - largest, "unit")),
        ),
        line("cross", clip_cross, "<=", ell * L * k_3)
        .says("(iii): the mean of the error of clipping times |p| w, over G", "half the sum of the two means")
        .by("gaussian_cross", (L, "pair"), (L / 2, "along_the_sample"), (L / 2, "along_the_mean"), modulo=((ell * L, "k_3_value"),)),
        # the steps to (i)
        line("kappa", kappa_i, "<=", k_1)
        .says("a sample's share kappa_i is at most k_1", "k_1 is that mean")
        .by("share", modulo=((1, "k_1_value"),)),
        line("centred", ((kappa_i - k_1 / 2) * along_i) ** 2, "<=", (L * k_1 / 2) ** 2)
        .says("a sample that shrinks by kappa_i instead of k_1/2 tilts the direction by at most L k_1 / 2")
        .because("0 <= kappa <= k_1, and the component is at most L")
        .by((along_i**2, kappa_i, "kappa"), (k_1**2 / 4, "short_samples")),
        line("direction", clip_along, ">=", (1 - k_1 / 2) * grad_sq - L * k_1 / 2 * grad)
        .says("(i): the gradient times the mean of the clipped functions", "the worst sample")
        .by("by_tilt", (grad / (L * k_1 / 2 + clip_tilt), "worst_sample"), (grad / (L * k_1 / 2 + clip_tilt), "centred")),
        line("bound", clip_tilt, "<=", L * k_1 / 2)
        .says("(i): how far E m p is from (1 - k_1/2) G^2, over G", "the worst sample")
        .by((1 / (L * k_1 / 2 + clip_tilt), "worst_sample"), (1 / (L * k_1 / 2 + clip_tilt), "centred")),
    )
    return proved(LEMMA, "bias and length of the mean of clipped linear functions", "ours", facts, steps, shows=SHOWS, signs=K_2)
