"""Lemma C.1: moments and tail of a direction drawn uniformly from the sphere of radius sqrt(d); the tail bound of Section 4.

Setting   u uniform on the sphere of radius sqrt(d) in R^d, a a fixed vector, H a fixed square matrix.
Measure   moments of u up to order 4, and P(|u'a| >= C).
Source    DPZero, Lemma C.1 (i) to (iv), equations (8) to (10); Section 4 uses the tail with ||a|| <= L.

The tail needs a other than 0. For d = 1 the Beta law below is degenerate, and the moments remain true.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Cited, Derivation, Given, Identity, Instance, NonNegative, Reasoned, Step, Substitution
from bounds.dpzero.common import PAPER
from bounds.symbols import C, L, d, ell, lam, symbols
from bounds.theorem import Part, Theorem

a_sq, a_i, a_j, a_H, trace_H, w_1, w_2, theta, gamma = symbols("a_sq a_i a_j a_H trace_H w_1 w_2 theta gamma")

TAIL = 2 * sp.sqrt(2 * sp.pi) * sp.exp(-(C**2) / (8 * a_sq))
FOURTH_I = 3 * d / (d + 2)  # E u_i^4
FOURTH_IJ = d / (d + 2)  # E u_i^2 u_j^2
DIAGONAL = d / (d + 2) * (2 * a_i**2 + a_sq)
OFF_DIAGONAL = d / (d + 2) * 2 * a_i * a_j
AGAINST_H = d / (d + 2) * (2 * a_H + a_sq * trace_H)

LEMMA_C1 = Theorem(
    key="dpzero.lemma_c1",
    title="Lemma C.1 (moments and tail of the sphere)",
    source=f"{PAPER}, Lemma C.1",
    claim="upper",
    measure="P(|u'a| >= C)",
    assumptions=("u uniform on the sphere of radius sqrt(d)", "a is not 0 and does not depend on u", "H does not depend on u"),
    bound=TAIL,
    parts=(
        Part("i mean", "E u_i", "=", sp.Integer(0)),
        Part("i variance", "E u_i^2", "=", sp.Integer(1)),
        Part("i covariance", "E u_i u_j for i different from j", "=", sp.Integer(0)),
        Part("ii mean", "E u'a", "=", sp.Integer(0)),
        Part("ii variance", "E (u'a)^2", "=", a_sq),
        Part("iii vector", "E (u'a) u_i", "=", a_i),
        Part("iii norm", "E (u'a)^2 ||u||^2", "=", d * a_sq),
        Part("iii diagonal", "E (u'a)^2 u_i^2", "=", DIAGONAL),
        Part("iii off the diagonal", "E (u'a)^2 u_i u_j for i different from j", "=", OFF_DIAGONAL),
        Part("iv trace", "E u'Hu", "=", trace_H),
        Part("iv weighted", "E (u'a)^2 u'Hu", "=", AGAINST_H),
        Part("fourth moment", "E u_i^4", "=", FOURTH_I),
        Part("mixed fourth moment", "E u_i^2 u_j^2 for i different from j", "=", FOURTH_IJ),
    ),
)

SECTION_4_TAIL = Theorem(
    key="dpzero.section4_tail",
    title="Section 4 (size of the finite difference)",
    source=f"{PAPER}, Section 4 and equation (16)",
    claim="upper",
    measure="P(|u'grad f(x; xi)| >= C)",
    assumptions=("f(.; xi) is L-Lipschitz", "f(.; xi) is ell-smooth (for the part on the finite difference)"),
    bound=TAIL.subs(a_sq, L**2),
    parts=(
        Part("remainder", "|f(x + lam u) - f(x - lam u)| / (2 lam) - |u'grad f(x)|", "<=", ell * lam * d / 2),
        Part("worst case", "|f(x + lam u) - f(x - lam u)| / (2 lam)", "<=", L * sp.sqrt(d)),
    ),
)

shape, rest = sp.Rational(1, 2), (d - 1) / 2  # u_i^2 / d ~ Beta(shape, rest)
beta_mean = shape / (shape + rest)
beta_variance = shape * rest / ((shape + rest) ** 2 * (shape + rest + 1))


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.lemma_c1",
        title="moments and tail of the sphere",
        source=f"{PAPER}, Appendix C",
        proves="dpzero.lemma_c1",
        steps=(
            Step(
                1,
                "E u = 0 and E u_i u_j = 0 for i different from j",
                None,
                "=",
                None,
                "the sphere is unchanged when the sign of u, or of one coordinate, is flipped",
                Reasoned("symmetry of the uniform law"),
            ),
            Step(
                2,
                "E u_i^2 = 1: the d coordinates have equal second moments, and the squares add up to d",
                None,
                "=",
                None,
                "||u||^2 = d",
                Reasoned("symmetry of the uniform law"),
            ),
            Step(
                3,
                "hence E (u'a)^2 = ||a||^2, E (u'a) u_i = a_i, E (u'a)^2 ||u||^2 = d ||a||^2 and E u'Hu = Tr(H)",
                None,
                "=",
                None,
                "multiply out and use that the covariance is the identity",
                Reasoned("linearity of the expectation"),
            ),
            Step(
                4,
                "(8) |h(x) - h(y)| <= arccos(x'y) on the unit sphere implies P(|h - E h| >= gamma) <= 2 sqrt(2 pi) exp(-d gamma^2/8)",
                None,
                "<=",
                None,
                "concentration on the sphere",
                Cited("Wainwright (2019), High-Dimensional Statistics, Example 3.12"),
            ),
            Step(
                5,
                "h(x) = x'a/||a|| qualifies: |h(x) - h(y)|^2 <= ||x - y||^2 = 2 (1 - cos(theta)) <= theta^2, with x'y = cos(theta)",
                2 * (1 - sp.cos(theta)),
                "<=",
                theta**2,
                "cos(theta) >= 1 - theta^2/2",
                NonNegative(((2, Instance("cosine", theta)),)),
            ),
            Step(
                6,
                "with u = sqrt(d) x and C = gamma sqrt(d) ||a||, this is the tail bound (ii)",
                2 * sp.sqrt(2 * sp.pi) * sp.exp(-d * gamma**2 / 8),
                "=",
                TAIL,
                "insert gamma",
                Substitution({gamma: C / sp.sqrt(d * a_sq)}),
            ),
            Step(
                7,
                "(9), w_1 = E u_i^4, w_2 = E u_i^2 u_j^2: E (u'a)^2 u_i^2 = a_i^2 w_1 + (||a||^2 - a_i^2) w_2; (10): w_1 + (d - 1) w_2 = d",
                None,
                "=",
                None,
                "odd moments vanish; sum over i and compare with step 3",
                Reasoned("symmetry, and the sum holds for every a"),
            ),
            Step(
                8,
                "u_i^2 / d follows Beta(1/2, (d - 1)/2), which has mean 1/d",
                beta_mean,
                "=",
                1 / d,
                "a normal vector over its norm; chi-square laws are Gamma laws",
                Identity(),
            ),
            Step(
                9,
                "and variance 2 (d - 1) / (d^2 (d + 2))",
                beta_variance,
                "=",
                2 * (d - 1) / (d**2 * (d + 2)),
                "variance of a Beta law",
                Identity(),
            ),
            Step(
                10,
                "w_1 = d^2 (variance + mean^2)",
                d**2 * (2 * (d - 1) / (d**2 * (d + 2)) + 1 / d**2),
                "=",
                FOURTH_I,
                "second moment of u_i^2 / d",
                Identity(),
            ),
            Step(
                11,
                "w_2 = (d - w_1) / (d - 1), for d > 1",
                (d - w_1) / (d - 1),
                "=",
                FOURTH_IJ,
                "(10)",
                Substitution({w_1: FOURTH_I}),
                ranges={d: (2, 1e11)},
            ),
            Step(
                12,
                "(iii), diagonal",
                w_1 * a_i**2 + w_2 * (a_sq - a_i**2),
                "=",
                DIAGONAL,
                "(9) with the two moments",
                Substitution({w_1: FOURTH_I, w_2: FOURTH_IJ}),
            ),
            Step(
                13,
                "(iii), off the diagonal: the pairs (i, j) and (j, i) remain",
                2 * a_i * a_j * w_2,
                "=",
                OFF_DIAGONAL,
                "odd moments vanish",
                Substitution({w_2: FOURTH_IJ}),
            ),
            Step(
                14,
                "the trace of (iii) is E (u'a)^2 ||u||^2 again",
                d / (d + 2) * (2 * a_sq + d * a_sq),
                "=",
                d * a_sq,
                "a check of (iii) against step 3",
                Identity(),
            ),
            Step(
                15,
                "(iv): the trace of H against (iii), where aa' gives a'Ha and the identity gives Tr(H)",
                w_2 * 2 * a_H + w_2 * a_sq * trace_H,
                "=",
                AGAINST_H,
                "u'Hu = Tr(uu'H), and the expectation is linear",
                Substitution({w_2: FOURTH_IJ}),
            ),
        ),
    )


def section_4_proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.section4_tail",
        title="the finite difference is rarely large",
        source=f"{PAPER}, Section 4 and Appendix E, equation (16)",
        proves="dpzero.section4_tail",
        steps=(
            Step(
                1,
                "worst case: |f(x + lam u) - f(x - lam u)| / (2 lam) <= L ||2 lam u|| / (2 lam) = L sqrt(d)",
                L * (2 * lam * sp.sqrt(d)) / (2 * lam),
                "=",
                L * sp.sqrt(d),
                "f is L-Lipschitz, ||u|| = sqrt(d)",
                Identity(),
            ),
            Step(
                2,
                "(16): two Taylor remainders of at most (ell/2) ||lam u||^2 each, over 2 lam",
                2 * (ell / 2 * (lam * sp.sqrt(d)) ** 2) / (2 * lam),
                "=",
                ell * lam * d / 2,
                "f is ell-smooth, ||u|| = sqrt(d), triangle inequality",
                Identity(),
            ),
            Step(
                3,
                "the exponent of the tail is largest where the gradient is longest: a = grad f(x; xi), ||a|| <= L",
                -(C**2) / (8 * a_sq),
                "<=",
                -(C**2) / (8 * L**2),
                "||a||^2 <= L^2",
                NonNegative(((C**2 / (8 * a_sq * L**2), L**2 - a_sq),), given=(Given(L**2 - a_sq, "f is L-Lipschitz"),)),
                ranges={a_sq: (L**2 / 10**6, L**2)},
            ),
            Step(
                4,
                "so the tail of Lemma C.1 (ii) with L in place of ||a||",
                TAIL,
                "=",
                TAIL.subs(a_sq, L**2),
                "x_t is independent of u_t; the exponential is increasing",
                Substitution({a_sq: L**2}),
            ),
        ),
    )
