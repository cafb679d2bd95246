"""How rarely a two-point difference is large: the tails of Lemma C.1 (ii), without the factor 4 in the exponent.

Setting   u uniform on the sphere of radius sqrt(d);   h(u) = (f(x + lam u) - f(x - lam u)) / (2 lam), f L-Lipschitz.
Measure   P(|u'a| >= C) for ||a|| <= L, and P(|h| >= C) for every smoothing radius lam > 0.
Lemma     linear      P(|u'a| >= C) <= 2 exp(-C^2 / (2 L^2))                      the paper has 2 sqrt(2 pi) exp(-C^2 / (8 L^2))
          Lipschitz   |h| <= L sqrt(d / (d - 3)) |N| in distribution, d >= 4, so  P(|h| >= C) <= erfc(C sqrt((d - 3) / (2 d)) / L)
Source    ours; the Lipschitz part rests on the isoperimetric inequality of the sphere (Levy 1951).

The linear part is elementary: the even moments of u_1 are below those of N. The Lipschitz part needs no smoothness at all, so no
condition ties C to lam, and it is as sharp: a linear h shows that neither exponent can be improved as d grows.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero.common import proved, stated
from bounds.dpzero.sharp_common import THRESHOLD, beyond, c, k
from bounds.dpzero.sphere import tail
from bounds.inequalities import Instance
from bounds.lines import GIVENS, line
from bounds.symbols import C, L, d, introduce, symbols
from bounds.theorem import Condition, Part

theta, a_sq = symbols("theta a_sq")
moment_now = introduce("moment_now", r"\mathbb{E}u_1^{2k}", "moment of order 2k of a coordinate of u", 1e-3, 1e3, "proof")
moment_next = introduce("moment_next", r"\mathbb{E}u_1^{2k+2}", "moment of order 2k + 2 of a coordinate of u", 1e-3, 1e6, "proof")
factor_now = introduce("factor_now", r"\frac{(2k-1)!!}{(2k)!}", "coefficient (2k-1)!! / (2k)! of s^(2k)", 0, 1, "proof")
factor_next = introduce("factor_next", r"\frac{(2k+1)!!}{(2k+2)!}", "coefficient (2k+1)!! / (2k+2)! of s^(2k+2)", 0, 1, "proof")
tilt = introduce("tilt", "s", "parameter s of the exponential moment of u'a", 1e-6, 1e3, "proof")
tilted = introduce("tilted", r"\mathbb{E}e^{su^{\top}a}", "exponential moment of u'a", 1, 1e30, "proof")
one_side = introduce("one_side", r"\mathbb{P}(u^{\top}a\ge C)", "probability of a large u'a, one sign", 0, 1, "probability")
tail_h = introduce("tail_h", r"\mathbb{P}(|h|\ge C)", "probability of a large two-point difference", 0, 1, "probability")
tail_apart = introduce(
    "tail_apart", r"\mathbb{P}(|s-s'|\ge 2C)", "probability that the differences of two records are far apart", 0, 1, "probability"
)
tail_cap = introduce("tail_cap", r"\mathbb{P}(W\ge C/L)", "probability of a large chord W above a great sphere", 0, 1, "probability")
tail_u = introduce("tail_u", r"\mathbb{P}(|u_1|\ge c)", "probability of a large coordinate of u", 0, 1, "probability")
chord = introduce("chord", "W", "chord from a great sphere to the point at latitude theta", 0, 1e6, "proof")
away = introduce("cap_excess", "y", "1/z - 1, z = 1 - x^2/(2 d) for the chord and 1 - x^2/d for a coordinate", 0, 1e3, "proof")
chord_sq = introduce("chord_point", "x^2", "square of the point at which the density of the chord W is taken", 0, 1e12, "proof")
u_sq = introduce("coordinate_point", "x^2", "square of the point at which the density of a coordinate is taken", 0, 1e12, "proof")
slope_W = introduce(
    "slope_W", r"\frac{d\log}{dx^2}", "slope in x^2 of the log-density ratio, the chord W over a normal", -1e6, 1e6, "proof"
)
slope_u = introduce(
    "slope_u", r"\frac{d\log}{dx^2}", "slope in x^2 of the log-density ratio, a coordinate over a normal", -1e6, 1e6, "proof"
)

ENOUGH_DIMENSIONS = Condition(d >= 4, "d = {value} is below {limit}: the Gaussian comparison on the sphere needs d >= 4")
DIMENSIONS = line("dimensions", d, ">=", 4).says("there are at least four dimensions: d >= 4").assumed()

SPREAD = d / (d - 3)  # a Gaussian of this variance dominates u_1, and h / L for every odd 1-Lipschitz h
LINEAR_TAIL = 2 * sp.exp(-(THRESHOLD**2) / 2)
LIPSCHITZ_TAIL = beyond(THRESHOLD / sp.sqrt(SPREAD))

LINEAR = stated(
    "sharp_tail_linear",
    "sub-Gaussian tail of a linear function on the sphere",
    "ours; in place of DPZero, Lemma C.1 (ii)",
    measure="P(|u'a| >= C)",
    assumptions=("u is uniform on the sphere of radius sqrt(d)", "||a|| <= L"),
    bound=LINEAR_TAIL,
    measured=tail,
    in_letters=(sp.Le(a_sq, L**2),),
)

LIPSCHITZ = stated(
    "sharp_tail_lipschitz",
    "Gaussian tail of a two-point difference, at every smoothing radius",
    "ours; Levy (1951), Problemes concrets d'analyse fonctionnelle, for the isoperimetric inequality",
    measure="P(|f(x + lam u) - f(x - lam u)| >= 2 lam C)",
    assumptions=("u is uniform on the sphere of radius sqrt(d)", "f is L-Lipschitz"),
    bound=LIPSCHITZ_TAIL,
    parts=(Part("variance", "variance of the Gaussian that dominates the difference over L", "=", SPREAD),),
    conditions=(ENOUGH_DIMENSIONS,),
    measured=tail_h,
)

half, rest = sp.Rational(1, 2), (d - 1) / 2
exact = (
    sp.betainc(half, rest, c**2 / d, 1) * sp.gamma(d / 2) / (sp.gamma(half) * sp.gamma(rest))
)  # P(|u_1| > c): u_1^2 / d ~ Beta(1/2, (d - 1)/2)


def linear_proof() -> Derivation:
    """Write the proof out."""
    facts = (
        line("length_of_a", a_sq, "<=", L**2).says("||a|| <= L").assumed(),
        line("beta_moments", moment_next, "=", d * (half + k) / (d / 2 + k) * moment_now)
        .says("u'a has the law of ||a|| u_1, and u_1^2 / d is Beta(1/2, (d - 1)/2), or 1 if d = 1: two consecutive moments")
        .cited("the moments of a Beta law; turn a to an axis"),
        line("last_factors", (2 * k + 2) * (2 * k + 1) * factor_next, "=", (2 * k + 1) * factor_now)
        .says("(2k + 2)! is (2k + 2)(2k + 1) (2k)!, and (2k + 1)!! is (2k + 1) (2k - 1)!!")
        .reasoned("the last factors of factorials"),
        line("exponential_moment", tilted, "<=", sp.exp(tilt**2 * a_sq / 2))
        .says("E exp(s ||a|| u_1), term by term")
        .reasoned(
            "E u_1^(2k) <= (2k - 1)!! and (2k - 1)!! / (2k)! = 1 / (2^k k!), both by their ratios; odd moments vanish",
            using=("below_normal", "coefficients"),
        ),
        line("tilt", tilt, "=", C / L**2).says("the best s").defined(),
        line("markov", one_side, "<=", sp.exp(-tilt * C) * tilted)
        .says("u'a >= C only if exp(s u'a) >= exp(s C)")
        .reasoned("Markov's inequality"),
        line("both_signs", tail, "<=", 2 * one_side).says("u and -u have the same law").reasoned("two events of equal probability"),
    )
    steps = (
        line("ratio", moment_next, "=", d * (2 * k + 1) / (d + 2 * k) * moment_now)
        .says("consecutive even moments of a coordinate of u", "twice numerator and denominator")
        .identity((1, "beta_moments")),
        line("below_normal", moment_next, "<=", (2 * k + 1) * moment_now)
        .says("the ratio of two moments is at most that for a standard normal variable", "d <= d + 2k")
        .by((2 * k + 1, 2 * k, 1 / (d + 2 * k), moment_now), modulo=((-1, "ratio"),)),
        line("coefficients", factor_next, "=", factor_now / (2 * (k + 1)))
        .says("the coefficients (2k - 1)!! / (2k)! have the ratio 1 / (2 (k + 1)), as 1 / (2^k k!) have", "cancel 2k + 1")
        .identity((1 / ((2 * k + 2) * (2 * k + 1)), "last_factors")),
        line("exponential_moment_at_L", tilted, "<=", sp.exp(tilt**2 * L**2 / 2))
        .says("so the exponential moment is at most that of a normal variable of deviation L", "||a|| <= L, the exponential is increasing")
        .by("exponential_moment", (sp.exp(tilt**2 * L**2 / 2), Instance("decay", (tilt**2 / 2, "length_of_a")))),
        line("chernoff", one_side, "<=", sp.exp(tilt**2 * L**2 / 2 - tilt * C))
        .says("the probability of one sign, for every s", "Markov's inequality with the exponential moment")
        .by("markov", (sp.exp(-tilt * C), "exponential_moment_at_L")),
        line("one_sign", one_side, "<=", sp.exp(-(THRESHOLD**2) / 2))
        .says("the probability of one sign, at the best s", "insert s")
        .by("chernoff", at=("tilt",)),
        line("exact", exact, "<=", 2 * sp.exp(-(c**2) / 2))
        .says("for ||a|| = L the probability of a large u'a is a Beta tail, with c_clip = C / L", "both signs")
        .reasoned("union of two events of equal probability", using=("one_sign", "both_signs"))
        .claimed_where(*GIVENS)
        .within({d: (2, 200), c: (sp.Rational(1, 100), sp.Rational(99, 100) * sp.sqrt(d))}),
        line("bound", tail, "<=", LINEAR_TAIL)
        .says("both signs: the probability of a large u'a", "twice the probability of one sign")
        .by("both_signs", (2, "one_sign")),
    )
    return proved(LINEAR, "the tail of u'a from its moments", "ours", facts, steps)


def lipschitz_proof() -> Derivation:
    """Write the proof out."""
    x_sq = chord_sq
    log_ratio_W = (d - 2) * sp.log(1 - x_sq / (2 * d)) - sp.log(1 - x_sq / (4 * d)) / 2 + x_sq / (2 * SPREAD)
    log_ratio_u = (d - 3) / 2 * sp.log(1 - u_sq / d) + u_sq / (2 * SPREAD)
    ordered = "two densities whose ratio falls cross once, so their tails are ordered"
    facts = (
        DIMENSIONS,
        line("isoperimetry", tail_h, "<=", tail_cap)
        .says(
            "among sets that cover half of the sphere, a half-sphere has the smallest neighbourhoods; so |h| / L is at most the "
            "chord W in distribution, at a latitude with a density in proportion to cos(theta)^(d-2)"
        )
        .cited("Levy (1951), Schmidt (1948); see Figiel, Lindenstrauss, Milman (1977), Acta Math. 139", using=("half_covered", "far")),
        line("law_of_cosines", chord**2, "=", 2 * d * (1 - sp.cos(theta)))
        .says("the chord W spans the angle theta on a sphere of radius sqrt(d)")
        .reasoned("law of cosines"),
        line("chord_point", chord_sq, "=", 2 * d * away / (1 + away)).says("x^2 = 2 d (1 - z), z = 1 / (1 + y)").defined(),
        line("slope_W", slope_W, "=", sp.diff(log_ratio_W, chord_sq))
        .says("the density of the chord W is in proportion to cos(theta)^(d-2) over the root of 1 - W^2/(4 d), by the two lines on it")
        .reasoned("d theta is d W / sqrt(d (1 - W^2 / (4 d))); differentiate the logarithm", using=("latitude", "jacobian")),
        line("comparison", tail_cap, "<=", beyond(THRESHOLD / sp.sqrt(SPREAD)))
        .says("the chord W is at most sqrt(d / (d - 3)) |N| in distribution")
        .reasoned(ordered, using=("falls_W",)),
        line("coordinate_point", u_sq, "=", d * away / (1 + away)).says("x^2 = d (1 - z), z = 1 / (1 + y)").defined(),
        line("slope_u", slope_u, "=", sp.diff(log_ratio_u, u_sq))
        .says("the density of u_1 is in proportion to (1 - x^2 / d)^((d-3)/2)")
        .cited("u_1^2 / d is Beta(1/2, (d - 1)/2)"),
        line("coordinate", tail_u, "<=", beyond(c / sp.sqrt(SPREAD)))
        .says("|u_1| is at most sqrt(d / (d - 3)) |N| in distribution")
        .reasoned(ordered, using=("falls_u",)),
    )
    steps = (
        # the steps to the law of the chord
        line("half_covered")
        .says("h is odd and L-Lipschitz, so the set {h <= 0} covers at least half of the sphere")
        .because("x + lam u moves by lam ||u - u'||; u and -u have the same law, and h(-u) = -h(u)")
        .reasoned("P(h <= 0) = P(h >= 0), and the two add up to at least 1"),
        line("far")
        .says("where h(u) > t, every point of {h <= 0} is at a chord longer than t / L from u", "h differs by more than t")
        .reasoned("the Lipschitz property, from the far point to any point of the set"),
        line("latitude", sp.cos(theta), "=", 1 - chord**2 / (2 * d))
        .says("the cosine of theta in terms of the chord W", "law of cosines")
        .identity((1 / (2 * d), "law_of_cosines")),
        line("jacobian", 1 - sp.cos(theta) ** 2, "=", chord**2 / d * (1 - chord**2 / (4 * d)))
        .says("the square of the sine of theta, d times the squared slope of W^2/(2 d) in theta", "one minus the square of the cosine")
        .identity((-(sp.cos(theta) + 1 - chord**2 / (2 * d)), "latitude")),
        # the steps from the densities to the tails
        line("falls_W", slope_W, "<=", 0)
        .says("the density of the chord W over that of sqrt(d / (d - 3)) |N| falls: its logarithmic slope is not positive")
        .because("minus 1/(2 d) times (d - 2)/z - 1/(2 (1 + z)) - (d - 3)")
        .by(
            (away / (2 * d), "dimensions"),
            away / (2 * d),
            (1 / (2 * d), (1 + away) * (3 + 2 * away) / (2 * (2 + away))),
            at=("chord_point",),
            modulo=((-1, "slope_W"),),
        ),
        line("falls_u", slope_u, "<=", 0)
        .says("the same for a coordinate of u: the slope is not positive", "minus (d - 3) (1/z - 1) / (2 d)")
        .by((away / (2 * d), "dimensions"), away / (2 * d), at=("coordinate_point",), modulo=((-1, "slope_u"),)),
        line("exact", exact, "<=", beyond(c / sp.sqrt(SPREAD)))
        .says("for a coordinate this is a claim about the exact Beta tail, with c_clip = C / L", "the order just shown")
        .reasoned("P(sqrt(d / (d - 3)) |N| > c)", using=("coordinate",))
        .claimed_where(*GIVENS)
        .within({d: (4, 200), c: (sp.Rational(1, 100), sp.Rational(99, 100) * sp.sqrt(d))}),
        line("bound", tail_h, "<=", LIPSCHITZ_TAIL)
        .says("the probability of a large two-point difference, whatever lam is", "isoperimetry, and the order of the tails")
        .by("isoperimetry", "comparison"),
    )
    of_two = {tail_h: tail_apart, L: 2 * L, C: 2 * C}  # the difference of two losses
    title = "the tail of a two-point difference from isoperimetry"
    return proved(LIPSCHITZ, title, "ours", facts, steps, left_open=(c,), instances=(of_two,))
