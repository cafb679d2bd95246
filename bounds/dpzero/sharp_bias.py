"""What the smoothing radius costs: the bias of the smoothed gradient and the finite difference, by effective rank.

Setting   -H <= Hessian of F_S <= H with 0 <= H <= ell I, Tr(H) <= r ell.
          F_lam(x) = E F_S(x + lam v), v uniform in the ball of radius sqrt(d);   w = u'Hu, u uniform on its surface.
Measure   ||grad F_S - grad F_lam||, and how far (F_S(x + lam u) - F_S(x - lam u)) / (2 lam) is from p = u' grad F_S(x).
Lemma     (i)    ||grad F_S - grad F_lam|| <= lam ell d^(3/2) / (d + 1) if F_S is only known to be ell-smooth
          (ii)   ||grad F_S - grad F_lam|| <= lam ell sqrt(r d / (d + 2))
          (iii)  E (difference - p)^2 w <= ell (ell lam / 2)^2 r R2 R4,   R2 = d (r+2)/(d+2), R4 = d (r+4)/(d+4)
          (iv)   E w^k <= ell^k r (r + 2) ... (r + 2k - 2) <= ell^k (r + k - 1)^k for every integer k >= 1
Source    ours; DPZero, Lemma C.2 (ii), has ell lam d^(3/2) / 2 for (i) and (ii).

(ii) and (iii) do not grow with d: with a low effective rank, lam need not shrink as the model grows.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Derivation, Given, Identity, NonNegative, Reasoned
from bounds.dpzero.sharp_common import R2, R4, k, line, numbered, words
from bounds.symbols import d, ell, lam, r
from bounds.theorem import Part, Theorem

SMOOTH_BIAS = lam * ell * d ** sp.Rational(3, 2) / (d + 1)
RANK_BIAS = lam * ell * sp.sqrt(r * d / (d + 2))
DIFFERENCE = lam * ell / 2 * sp.sqrt(r * R2 * R4)  # (E (difference - p)^2 w / ell)^(1/2) is at most this

LEMMA = Theorem(
    key="dpzero.sharp_bias",
    title="bias of the smoothed gradient, by effective rank",
    source="ours; in place of DPZero, Lemma C.2 (ii)",
    claim="upper",
    measure="||grad F_S(x) - grad F_lam(x)||",
    assumptions=("F_S is twice differentiable and -H <= its Hessian <= H everywhere, H <= ell I, Tr(H) <= r ell",),
    bound=RANK_BIAS,
    parts=(
        Part("i", "the bias when F_S is only known to be ell-smooth", "<=", SMOOTH_BIAS),
        Part("ii", "the bias", "<=", RANK_BIAS),
        Part("iii", "E ((F_S(x + lam u) - F_S(x - lam u)) / (2 lam) - u'grad F_S(x))^2 u'Hu", "<=", ell * DIFFERENCE**2),
        Part("iv", "E (u'Hu)^3", "<=", ell**3 * r * R2 * R4),
    ),
)

# quadratic forms of two vectors a, b and a symmetric M with -H <= M <= H
a_H, b_H, a_M, b_M, H_ab, M_ab = sp.symbols("a'Ha b'Hb a'Ma b'Mb a'Hb a'Mb", real=True)
above = (a_H + 2 * H_ab + b_H) - (a_M + 2 * M_ab + b_M)  # (a + b)'(H - M)(a + b)
below = (a_H - 2 * H_ab + b_H) + (a_M - 2 * M_ab + b_M)  # (a - b)'(H + M)(a - b)
FORMS = {letter: (-100, 100) for letter in (a_H, b_H, a_M, b_M, H_ab, M_ab)}

t1, t2, t3 = sp.symbols("Tr(H) Tr(H^2) Tr(H^3)", nonnegative=True)
TRACES = {t1: (0, r * ell), t2: (0, ell * t1), t3: (0, ell**2 * t1)}
radius = sp.Symbol("radius", nonnegative=True)
j = sp.Symbol("j", nonnegative=True)


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.sharp_bias",
        title="bias and finite difference from the bound on the Hessian",
        source="ours",
        proves="dpzero.sharp_bias",
        steps=numbered(
            line(
                "|v| / sqrt(d) has the density d s^(d-1) on [0, 1], so E ||v|| = d^(3/2) / (d + 1)",
                sp.sqrt(d) * d / (d + 1),
                "=",
                d ** sp.Rational(3, 2) / (d + 1),
                "integrate s^d",
                Identity(),
            ),
            words(
                "(i): grad F_lam - grad F_S is the mean of grad F_S(x + lam v) - grad F_S(x), whose norm is at most ell lam ||v||",
                "differentiate under the mean, then the triangle inequality",
                Reasoned("grad F_S is ell-Lipschitz"),
            ),
            line(
                "it is below the paper's value",
                SMOOTH_BIAS,
                "<=",
                lam * ell * d ** sp.Rational(3, 2) / 2,
                "2 <= d + 1",
                NonNegative(((lam * ell * d ** sp.Rational(3, 2), d - 1, 1 / (2 * (d + 1))),), given=(Given(d - 1, "d >= 1"),)),
            ),
            line(
                "for -H <= M <= H and any a, b:  2 a'Mb <= a'Ha + b'Hb",
                2 * M_ab,
                "<=",
                a_H + b_H,
                "(a + b)'(H - M)(a + b) + (a - b)'(H + M)(a - b) is twice the difference",
                NonNegative(
                    ((sp.Rational(1, 2), above), (sp.Rational(1, 2), below)),
                    given=(Given(above, "M <= H"), Given(below, "-H <= M")),
                ),
                where=(above >= 0, below >= 0),
                ranges=FORMS,
            ),
            words(
                "so |a'Mb| <= sqrt(a'Ha b'Hb), hence ||M b|| <= sqrt(ell b'Hb)",
                "scale a by s and b by 1/s and take the best s; then take a = Mb / ||Mb||, for which a'Ha <= ell",
                Reasoned("the geometric mean is the least arithmetic mean"),
            ),
            line(
                "E vv' = d / (d + 2) I, since E ||v||^2 = d times the integral of d s^(d+1) over [0, 1]",
                d * sp.integrate(d * radius ** (d + 1), (radius, 0, 1)) / d,
                "=",
                d / (d + 2),
                "rotation invariance",
                Identity(),
            ),
            line(
                "(ii): the mean of lam sqrt(ell v'Hv) is at most lam sqrt(ell d Tr(H) / (d + 2))",
                lam * sp.sqrt(ell * r * ell * d / (d + 2)),
                "=",
                RANK_BIAS,
                "the mean value form of grad F_S(x + lam v) - grad F_S(x), Jensen's inequality, Tr(H) <= r ell",
                Identity(),
            ),
            words(
                "|F_S(x +- lam u) - F_S(x) -+ lam p| <= lam^2 w / 2, so the difference is within lam w / 2 of p",
                "Taylor's formula with -H <= Hessian <= H, twice",
                Reasoned("the two remainders are added and divided by 2 lam"),
            ),
            words(
                "for a Gaussian vector the cumulants of zeta'H zeta are 2^(k-1) (k-1)! Tr(H^k), at most ell^k times those of chi^2 with r "
                "degrees of freedom, so its moments are at most ell^k r (r + 2) ... (r + 2k - 2)",
                "Tr(H^k) <= ell^(k-1) Tr(H) <= ell^k r; moments are polynomials in the cumulants with non-negative coefficients",
                Reasoned("independent coordinates in the eigenbasis of H"),
            ),
            line(
                "the third moment written out",
                t1**3 + 6 * t1 * t2 + 8 * t3,
                "<=",
                ell**3 * r * (r + 2) * (r + 4),
                "Tr(H^2) <= ell Tr(H), Tr(H^3) <= ell^2 Tr(H), Tr(H) <= r ell",
                NonNegative(
                    (
                        (6 * t1, ell * t1 - t2),
                        (8, ell**2 * t1 - t3),
                        (r * ell - t1, t1**2),
                        (r * ell - t1, t1 * r * ell),
                        (r * ell - t1, r**2 * ell**2),
                        (r * ell - t1, 6 * ell, t1 + r * ell),
                        (r * ell - t1, 8 * ell**2),
                    ),
                    given=(
                        Given(ell * t1 - t2, "H <= ell I"),
                        Given(ell**2 * t1 - t3, "H <= ell I"),
                        Given(r * ell - t1, "Tr(H) <= r ell"),
                    ),
                ),
                ranges=TRACES,
            ),
            line(
                "on the sphere each moment is smaller by d^k / (d (d + 2) ... (d + 2k - 2)); for k = 3",
                r * (r + 2) * (r + 4) * d**3 / (d * (d + 2) * (d + 4)),
                "=",
                r * R2 * R4,
                "zeta = u times an independent radius, whose square over d has these moments",
                Identity(),
            ),
            line(
                "(iii): (lam / 2)^2 E w^3",
                (lam / 2) ** 2 * ell**3 * r * R2 * R4,
                "=",
                ell * DIFFERENCE**2,
                "the difference is within lam w / 2 of p",
                Identity(),
            ),
            line(
                "(iv): r (r + 2) ... (r + 2k - 2) <= (r + k - 1)^k, pairing the factors r + 2j and r + 2 (k - 1 - j)",
                (r + 2 * j) * (r + 2 * (k - 1 - j)),
                "<=",
                (r + k - 1) ** 2,
                "a product is at most the square of half the sum",
                NonNegative((((k - 1 - 2 * j) ** 2,),)),
            ),
            line("what the theorems use of it", lam * ell * sp.sqrt(r * d / (d + 2)), "=", RANK_BIAS, "(ii)", Identity()),
            ranges={j: (0, 50)},
        ),
    )
