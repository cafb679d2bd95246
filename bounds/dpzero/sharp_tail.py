"""How rarely a two-point difference is large: the tails of Lemma C.1 (ii), without the factor 4 in the exponent.

Setting   u uniform on the sphere of radius sqrt(d);   h(u) = (f(x + lam u) - f(x - lam u)) / (2 lam), f L-Lipschitz.
Measure   P(|u'a| >= C) for ||a|| <= L, and P(|h| >= C) for every smoothing radius lam > 0.
Lemma     linear      P(|u'a| >= C) <= 2 exp(-C^2 / (2 L^2))                      the paper has 2 sqrt(2 pi) exp(-C^2 / (8 L^2))
          Lipschitz   |h| <= L sqrt(d / (d - 3)) |N| in distribution, d >= 4, so  P(|h| >= C) <= erfc(C sqrt((d - 3) / (2 d)) / L)
Source    ours; the Lipschitz part rests on the isoperimetric inequality of the sphere (Levy 1951).

The linear part is elementary: the even moments of u_1 are below those of N. The Lipschitz part needs no smoothness at all, so no
condition ties C to lam, and it is as sharp: a linear h shows that neither exponent can be improved as d grows.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Cited, Derivation, Given, Identity, NonNegative, Reasoned, Substitution
from bounds.dpzero.sharp_common import THRESHOLD, beyond, c, k, line, numbered, s, words
from bounds.symbols import C, L, d, symbols
from bounds.theorem import Condition, Part, Theorem

(theta,) = symbols("theta")
ENOUGH_DIMENSIONS = Condition(d >= 4, "d = {value} is below {limit}: the Gaussian comparison on the sphere needs d >= 4")

SPREAD = d / (d - 3)  # a Gaussian of this variance dominates u_1, and h / L for every odd 1-Lipschitz h
LINEAR_TAIL = 2 * sp.exp(-(THRESHOLD**2) / 2)
LIPSCHITZ_TAIL = beyond(THRESHOLD / sp.sqrt(SPREAD))

LINEAR = Theorem(
    key="dpzero.sharp_tail_linear",
    title="sub-Gaussian tail of a linear function on the sphere",
    source="ours; in place of DPZero, Lemma C.1 (ii)",
    claim="upper",
    measure="P(|u'a| >= C)",
    assumptions=("u is uniform on the sphere of radius sqrt(d)", "||a|| <= L"),
    bound=LINEAR_TAIL,
)

LIPSCHITZ = Theorem(
    key="dpzero.sharp_tail_lipschitz",
    title="Gaussian tail of a two-point difference, at every smoothing radius",
    source="ours; Levy (1951), Problemes concrets d'analyse fonctionnelle, for the isoperimetric inequality",
    claim="upper",
    measure="P(|f(x + lam u) - f(x - lam u)| >= 2 lam C)",
    assumptions=("u is uniform on the sphere of radius sqrt(d)", "f is L-Lipschitz"),
    bound=LIPSCHITZ_TAIL,
    parts=(Part("variance", "variance of the Gaussian that dominates the difference over L", "=", SPREAD),),
    conditions=(ENOUGH_DIMENSIONS,),
)

ratio = d * (sp.Rational(1, 2) + k) / (d / 2 + k)  # E u_1^(2k+2) / E u_1^(2k)
half, rest = sp.Rational(1, 2), (d - 1) / 2
exact = (
    sp.betainc(half, rest, c**2 / d, 1) * sp.gamma(d / 2) / (sp.gamma(half) * sp.gamma(rest))
)  # P(|u_1| > c): u_1^2 / d ~ Beta(1/2, (d - 1)/2)


def linear_proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.sharp_tail_linear",
        title="the tail of u'a from its moments",
        source="ours",
        proves="dpzero.sharp_tail_linear",
        steps=numbered(
            words(
                "u'a has the law of ||a|| u_1, and u_1^2 / d is Beta(1/2, (d - 1)/2)", "rotation invariance", Reasoned("turn a to an axis")
            ),
            line(
                "consecutive even moments of u_1 have the ratio d (2k + 1) / (d + 2k)",
                ratio,
                "=",
                d * (2 * k + 1) / (d + 2 * k),
                "moments of the Beta law",
                Identity(),
            ),
            line(
                "which is at most 2k + 1, the ratio for a standard normal variable",
                d * (2 * k + 1) / (d + 2 * k),
                "<=",
                2 * k + 1,
                "d <= d + 2k",
                NonNegative(((2 * k + 1, 2 * k, 1 / (d + 2 * k)),)),
            ),
            line(
                "(2k - 1)!! / (2k)! = 1 / (2^k k!), by its ratio; so E exp(s u_1) <= sum_k s^(2k) / (2^k k!) = exp(s^2 / 2)",
                (2 * k + 1) / ((2 * k + 2) * (2 * k + 1)),
                "=",
                1 / (2 * (k + 1)),
                "cancel",
                Identity(),
            ),
            words(
                "P(u'a >= C) <= exp(s^2 L^2 / 2 - s C) for every s > 0",
                "Markov's inequality for exp(s u'a); the moments grow with ||a|| <= L",
                Reasoned("Chernoff's bound"),
            ),
            line(
                "best at s = C / L^2",
                s**2 * L**2 / 2 - s * C,
                "=",
                -(THRESHOLD**2) / 2,
                "insert s",
                Substitution({s: C / L**2}),
            ),
            line(
                "both signs, with c = C / L: the exact Beta tail is below 2 exp(-c^2 / 2)",
                exact,
                "<=",
                2 * sp.exp(-(c**2) / 2),
                "u and -u have the same law",
                Reasoned("union of two events of equal probability"),
                ranges={d: (2, 200), c: (sp.Rational(1, 100), sp.Rational(99, 100) * sp.sqrt(d))},
            ),
            line("in terms of C", 2 * sp.exp(-(c**2) / 2), "=", LINEAR_TAIL, "insert c", Substitution({c: THRESHOLD})),
        ),
    )


z = sp.Symbol("z", positive=True)  # 1 - x^2 / (2 d) or 1 - x^2 / d at the point x of a density: in (0, 1]


def lipschitz_proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.sharp_tail_lipschitz",
        title="the tail of a two-point difference from isoperimetry",
        source="ours",
        proves="dpzero.sharp_tail_lipschitz",
        steps=numbered(
            words(
                "h is odd and L-Lipschitz, so the set {h <= 0} covers at least half of the sphere",
                "x + lam u moves by lam ||u - u'||; u and -u have the same law, and h(-u) = -h(u)",
                Reasoned("P(h <= 0) = P(h >= 0), and the two add up to at least 1"),
            ),
            words(
                "where h(u) > t, every point of {h <= 0} is farther than t / L from u, at an angle above 2 arcsin(t / (2 L sqrt(d)))",
                "h differs by more than t; a chord of length b on the sphere of radius sqrt(d) spans the angle 2 arcsin(b / (2 sqrt(d)))",
                Reasoned("the Lipschitz property, from the far point to any point of the set"),
            ),
            words(
                "among sets that cover half of the sphere, a half-sphere has the smallest neighbourhoods",
                "isoperimetric inequality of the sphere",
                Cited("Levy (1951), Schmidt (1948); see Figiel, Lindenstrauss, Milman (1977), Acta Math. 139"),
            ),
            words(
                "so |h| / L is at most W = 2 sqrt(d) sin(|theta| / 2) in distribution, theta the latitude, with a density in proportion to "
                "cos(theta)^(d-2)",
                "P(h > t) <= P(theta >= 2 arcsin(t / (2 L sqrt(d)))), and the same for -h",
                Reasoned("area of a cap"),
            ),
            line(
                "in W: cos(theta) = 1 - W^2 / (2 d)",
                sp.cos(theta),
                "=",
                1 - 2 * sp.sin(theta / 2) ** 2,
                "half angle; and d theta is d W / sqrt(d (1 - W^2 / (4 d)))",
                Identity(),
            ),
            line(
                "the density of W over that of sqrt(d / (d - 3)) |N| falls: its logarithmic slope is -x/d times the difference",
                (d - 2) / z - 1 / (2 * (1 + z)),
                ">=",
                d - 3,
                "z = 1 - x^2 / (2 d) is in (0, 1]",
                NonNegative(
                    ((d - 3, 1 - z, 1 / z), (2 + z, 1 / (2 * z), 1 / (1 + z))),
                    given=(Given(d - 3, "d >= 4"), Given(1 - z, "z <= 1")),
                ),
                ranges={d: (4, 1e11), z: (sp.Rational(1, 1000), 1)},
            ),
            line(
                "the same for |u_1|, whose density is in proportion to z^((d-3)/2) with z = 1 - x^2 / d",
                (d - 3) / z,
                ">=",
                d - 3,
                "0 < z <= 1",
                NonNegative(((d - 3, 1 - z, 1 / z),), given=(Given(d - 3, "d >= 4"), Given(1 - z, "z <= 1"))),
                ranges={d: (4, 1e11), z: (sp.Rational(1, 1000), 1)},
            ),
            words(
                "so |h| / L and |u_1| are both at most sqrt(d / (d - 3)) |N| in distribution",
                "two densities whose ratio falls cross once, so their tails are ordered",
                Reasoned("monotone likelihood ratio implies stochastic order"),
            ),
            line(
                "for u_1 this is a claim about the exact Beta tail",
                exact,
                "<=",
                beyond(c / sp.sqrt(SPREAD)),
                "the order just shown",
                Reasoned("P(sqrt(d / (d - 3)) |N| > c)"),
                ranges={d: (4, 200), c: (sp.Rational(1, 100), sp.Rational(99, 100) * sp.sqrt(d))},
            ),
            line(
                "and for h the lemma",
                beyond(c / sp.sqrt(SPREAD)),
                "=",
                LIPSCHITZ_TAIL,
                "insert c = C / L",
                Substitution({c: THRESHOLD}),
                ranges={d: (4, 1e11)},
            ),
        ),
    )
