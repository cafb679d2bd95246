"""Lemma C.1: moments and tail of a direction drawn uniformly from the sphere of radius sqrt(d); the tail bound of Section 4.

Setting   u uniform on the sphere of radius sqrt(d) in R^d, a a fixed vector, H a fixed square matrix.
Measure   moments of u up to order 4, and P(|u'a| >= C).
Source    DPZero, Lemma C.1 (i) to (iv), equations (8) to (10); Section 4 uses the tail with ||a|| <= L.

The tail needs a other than 0. For d = 1 the Beta law below is degenerate, and the moments remain true.
"""

import sympy as sp

from bounds.dpzero.common import PAPER, stated
from bounds.symbols import C, d, introduce, symbols
from bounds.theorem import Part

a_sq, a_i, a_j, a_H, trace_H, w_1, w_2, theta, gamma, u_norm, slope = symbols("a_sq a_i a_j a_H trace_H w_1 w_2 theta gamma u_norm slope")
coordinate_sq = introduce("coordinate_sq", r"\mathbb{E}u_i^2", "mean square of a coordinate of u", 0, 1e3, "proof")
along_sq = introduce("along_sq", r"\mathbb{E}(u^{\top}a)^2", "mean square of u'a", 0, 1e6, "step")
diagonal = introduce("diagonal", r"\mathbb{E}(u^{\top}a)^2u_i^2", "mean of (u'a)^2 u_i^2", 0, 1e6, "proof")
off_diagonal = introduce("off_diagonal", r"\mathbb{E}(u^{\top}a)^2u_iu_j", "mean of (u'a)^2 u_i u_j", -1e6, 1e6, "proof")
against_H = introduce("against_H", r"\mathbb{E}(u^{\top}a)^2u^{\top}Hu", "mean of (u'a)^2 u'Hu", -1e6, 1e6, "proof")
tail = introduce("tail", r"\mathbb{P}(|u^{\top}a|\ge C)", "probability of a large u'a", 0, 1, "probability")

FOURTH_I = 3 * d / (d + 2)  # E u_i^4
TAIL = 2 * sp.sqrt(2 * sp.pi) * sp.exp(-(C**2) / (8 * a_sq))
FOURTH_IJ = d / (d + 2)  # E u_i^2 u_j^2
DIAGONAL = d / (d + 2) * (2 * a_i**2 + a_sq)
OFF_DIAGONAL = d / (d + 2) * 2 * a_i * a_j
AGAINST_H = d / (d + 2) * (2 * a_H + a_sq * trace_H)

LEMMA_C1 = stated(
    "lemma_c1",
    "Lemma C.1 (moments and tail of the sphere)",
    f"{PAPER}, Lemma C.1",
    measure="P(|u'a| >= C)",
    assumptions=("u uniform on the sphere of radius sqrt(d)", "a is not 0 and does not depend on u", "H does not depend on u"),
    bound=TAIL,
    parts=(
        Part("i mean", "E u_i", "=", sp.Integer(0)),
        Part("i variance", "E u_i^2", "=", sp.Integer(1), coordinate_sq),
        Part("i covariance", "E u_i u_j for i different from j", "=", sp.Integer(0)),
        Part("ii mean", "E u'a", "=", sp.Integer(0)),
        Part("ii variance", "E (u'a)^2", "=", a_sq, along_sq),
        Part("iii vector", "E (u'a) u_i", "=", a_i),
        Part("iii norm", "E (u'a)^2 ||u||^2", "=", d * a_sq),
        Part("iii diagonal", "E (u'a)^2 u_i^2", "=", DIAGONAL, diagonal, (d > 1,)),
        Part("iii off the diagonal", "E (u'a)^2 u_i u_j for i different from j", "=", OFF_DIAGONAL, off_diagonal, (d > 1,)),
        Part("iv trace", "E u'Hu", "=", trace_H),
        Part("iv weighted", "E (u'a)^2 u'Hu", "=", AGAINST_H, against_H, (d > 1,)),
        Part("fourth moment", "E u_i^4", "=", FOURTH_I, w_1),
        Part("mixed fourth moment", "E u_i^2 u_j^2 for i different from j", "=", FOURTH_IJ, w_2, (d > 1,)),
    ),
    measured=tail,
)
