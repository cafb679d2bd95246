"""Lemma C.1: moments and tail of a direction drawn uniformly from the sphere of radius sqrt(d); the tail bound of Section 4.

Setting   u uniform on the sphere of radius sqrt(d) in R^d, a a fixed vector, H a fixed square matrix.
Measure   moments of u up to order 4, and P(|u'a| >= C).
Source    DPZero, Lemma C.1 (i) to (iv), equations (8) to (10); Section 4 uses the tail with ||a|| <= L.

The tail needs a other than 0. For d = 1 the Beta law below is degenerate, and the moments remain true.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero.common import PAPER, proved, stated
from bounds.dpzero.glossary import TWO_POINT_SIZE
from bounds.dpzero.meanings import ON_THE_SPHERE
from bounds.inequalities import Instance
from bounds.lines import Cited, Inverse, Reasoned, line
from bounds.symbols import C, L, d, ell, introduce, lam, symbols
from bounds.theorem import Part

a_sq, a_i, a_j, a_H, trace_H, w_1, w_2, theta, gamma, u_norm, slope = symbols("a_sq a_i a_j a_H trace_H w_1 w_2 theta gamma u_norm slope")
coordinate_sq = introduce("coordinate_sq", r"\mathbb{E}u_i^2", "mean square of a coordinate of u", 0, 1e3, "proof")
along_sq = introduce("along_sq", r"\mathbb{E}(u^{\top}a)^2", "mean square of u'a", 0, 1e6, "step")
diagonal = introduce("diagonal", r"\mathbb{E}(u^{\top}a)^2u_i^2", "mean of (u'a)^2 u_i^2", 0, 1e6, "proof")
off_diagonal = introduce("off_diagonal", r"\mathbb{E}(u^{\top}a)^2u_iu_j", "mean of (u'a)^2 u_i u_j", -1e6, 1e6, "proof")
against_H = introduce("against_H", r"\mathbb{E}(u^{\top}a)^2u^{\top}Hu", "mean of (u'a)^2 u'Hu", -1e6, 1e6, "proof")
tail = introduce("tail", r"\mathbb{P}(|u^{\top}a|\ge C)", "probability of a large u'a", 0, 1, "probability")
chord_sq = introduce("chord_sq", r"\|x-y\|^2", "squared distance of two points of the unit sphere", 0, 4, "proof")
beyond = rf"{TWO_POINT_SIZE}-|u^{{\top}}\nabla f|"
worst = introduce("remainder_size", beyond, "how far the difference is beyond |u'grad f|", -1e3, 1e3, "proof")
remainder = r"\left|f(x\pm\lambda u)-f(x)\mp\lambda u^{\top}\nabla f\right|"
taylor_size = introduce("taylor_size", remainder, "size of a remainder of Taylor's formula", 0, 1e3, "proof")

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

SECTION_4_TAIL = stated(
    "section4_tail",
    "Section 4 (size of the finite difference)",
    f"{PAPER}, Section 4 and equation (16)",
    measure="P(|u'grad f(x; xi)| >= C)",
    assumptions=("f(.; xi) is L-Lipschitz", "f(.; xi) is ell-smooth (for the part on the finite difference)"),
    bound=TAIL.subs(a_sq, L**2),
    parts=(
        Part("remainder", "|f(x + lam u) - f(x - lam u)| / (2 lam) - |u'grad f(x)|", "<=", ell * lam * d / 2, worst),
        Part("worst case", "|f(x + lam u) - f(x - lam u)| / (2 lam)", "<=", L * sp.sqrt(d), slope),
    ),
    measured=tail,
    in_letters=(sp.Le(slope, L * u_norm), sp.Le(a_sq, L**2)),
)

# what other pages take from here
FOURTH_MOMENT = line("fourth_moment", w_1, "=", FOURTH_I).says("Lemma C.1, in the proof of (iii)").shown("dpzero.lemma_c1", "fourth_moment")
UNCHANGED_BY_ROTATIONS = Reasoned(
    "fourth moments are symmetric and unchanged by rotations; for a = e_1 the first entry, 3 times the multiple, is w_1"
)
NEAR_A_PLANE = Cited("the descent lemma and its mirror image, Nesterov (2018), Lemma 1.2.3")  # an ell-smooth f is near its tangent plane

shape, rest = sp.Rational(1, 2), (d - 1) / 2  # u_i^2 / d ~ Beta(shape, rest)
beta_mean = shape / (shape + rest)
beta_variance = shape * rest / ((shape + rest) ** 2 * (shape + rest + 1))


def proof() -> Derivation:
    """Write the proof out."""
    symmetric = Reasoned("the sphere is unchanged when coordinates are exchanged, or the sign of one is flipped")
    facts = (
        ON_THE_SPHERE,
        line("equal_shares", coordinate_sq, "=", u_norm**2 / d).says("the coordinates have equal mean squares").certified(symmetric),
        line("uncorrelated", along_sq, "=", coordinate_sq * a_sq)
        .says("E u_i u_j = 0, so only the squares are left of (u'a)^2")
        .certified(symmetric),
        line("beta_law", w_1, "=", d**2 * (beta_variance + beta_mean**2))
        .says("u_i^2 / d follows Beta(1/2, (d - 1)/2); w_1 is d^2 times its variance plus squared mean")
        .cited("a normal vector over its norm has this law; mean and variance of a Beta law"),
        line("equation_10", w_1 + (d - 1) * w_2, "=", d).says("(10): sum (9) over i and compare").certified(symmetric),
        line("equation_9", diagonal, "=", a_i**2 * w_1 + (a_sq - a_i**2) * w_2).says("(9): odd moments vanish").certified(symmetric),
        line("pairs", off_diagonal, "=", 2 * a_i * a_j * w_2).says("the pairs (i, j) and (j, i) remain").certified(symmetric),
        line("against", against_H, "=", w_2 * (2 * a_H + a_sq * trace_H))
        .says("E (u'a)^2 uu' is d/(d + 2) (2 aa' + ||a||^2 I) by (iii); take its inner product with H")
        .reasoned("the expectation is linear", using=("diagonal", "off_diagonal")),
        line("two_coordinates", d, ">", 1).says("there are two different coordinates").case(),
        line("angle", chord_sq, "=", 2 * (1 - sp.cos(theta)))
        .says("2 (1 - cos) of the angle between the points")
        .reasoned("law of cosines"),
        line("gamma", gamma, "=", C / sp.sqrt(d * a_sq)).says("the deviation on the unit sphere for C, with u = sqrt(d) x").defined(),
        line("concentration", tail, "<=", 2 * sp.sqrt(2 * sp.pi) * sp.exp(-d * gamma**2 / 8))
        .says("(8) for h(x) = x'a/||a||, which changes by no more than the angle")
        .cited("Wainwright (2019), High-Dimensional Statistics, Example 3.12", using=("chord",)),
    )
    steps = (
        line("means").says("E u = 0 and E u_i u_j = 0 for i different from j").because("symmetry").certified(symmetric),
        line("variance_of_a_coordinate", coordinate_sq, "=", 1)
        .says("the mean square of a coordinate", "d equal ones add up to d")
        .identity((1, "equal_shares"), ((u_norm + sp.sqrt(d)) / d, "on_the_sphere")),
        line("variance", along_sq, "=", a_sq)
        .says("(ii): the mean square of u'a", "multiply out")
        .identity((1, "uncorrelated"), (a_sq, "variance_of_a_coordinate")),
        line("fourth_moment", w_1, "=", FOURTH_I).says("w_1 = E u_i^4").because("the Beta law").identity((1, "beta_law")),
        line("mixed_moment", w_2, "=", FOURTH_IJ)
        .says("w_2 = E u_i^2 u_j^2, for d > 1", "(10)")
        .identity(((1, Inverse("two_coordinates")), "equation_10"), ((-1, Inverse("two_coordinates")), "fourth_moment")),
        line("diagonal", diagonal, "=", DIAGONAL)
        .says("(iii): the mean of (u'a)^2 u_i^2", "(9) with the two moments")
        .identity((1, "equation_9"), (a_i**2, "fourth_moment"), (a_sq - a_i**2, "mixed_moment")),
        line("off_diagonal", off_diagonal, "=", OFF_DIAGONAL)
        .says("(iii): the mean of (u'a)^2 u_i u_j", "the pairs with the mixed moment")
        .identity((1, "pairs"), (2 * a_i * a_j, "mixed_moment")),
        line("weighted", against_H, "=", AGAINST_H)
        .says("(iv): the mean of (u'a)^2 u'Hu", "(iii) against H")
        .identity((1, "against"), (2 * a_H + a_sq * trace_H, "mixed_moment")),
        line("chord", chord_sq, "<=", theta**2)
        .says("h(x) = x'a/||a|| changes by no more than the angle theta: its change is at most the chord", "cos(theta) >= 1 - theta^2/2")
        .by((2, Instance("cosine", theta)), modulo=((-1, "angle"),)),
        line("exponent", d * gamma**2 / 8, "=", C**2 / (8 * a_sq))
        .says("the exponent at the gamma for C", "insert gamma")
        .inserting("gamma"),
        line("bound", tail, "<=", TAIL)
        .says("(ii): the probability of a large u'a", "(8) at that gamma")
        .by("concentration", at=("gamma",)),
    )
    shows = {
        "i variance": "variance_of_a_coordinate",
        "ii variance": "variance",
        "iii diagonal": "diagonal",
        "iii off the diagonal": "off_diagonal",
        "iv weighted": "weighted",
        "fourth moment": "fourth_moment",
        "mixed fourth moment": "mixed_moment",
    }
    return proved(LEMMA_C1, "moments and tail of the sphere", f"{PAPER}, Appendix C", facts, steps, shows=shows)


def section_4_proof() -> Derivation:
    """Write the proof out."""
    facts = (
        ON_THE_SPHERE,
        line("lipschitz", slope, "<=", L * u_norm).says("f is L-Lipschitz, so its difference along u is at most").assumed(),
        line("gradient", a_sq, "<=", L**2).says("f is L-Lipschitz, so is its gradient a = grad f(x; xi) at most L long").assumed(),
        line("taylor", taylor_size, "<=", ell / 2 * (lam * u_norm) ** 2)
        .says("each of the two remainders, f is ell-smooth")
        .certified(NEAR_A_PLANE),
        line("two", worst, "<=", 2 * taylor_size / (2 * lam)).says("two remainders over 2 lam").reasoned("triangle inequality"),
        line("tail", tail, "<=", TAIL).says("Lemma C.1 (ii); x_t is independent of u_t").shown("dpzero.lemma_c1", "bound"),
    )
    steps = (
        line("worst_case", slope, "<=", L * sp.sqrt(d))
        .says("the size of the two-point difference is never above", "||u|| = sqrt(d)")
        .by("lipschitz", modulo=((-L, "on_the_sphere"),)),
        line("remainder", worst, "<=", ell * lam * d / 2)
        .says("(16): how far the difference is beyond |u'grad f|", "||u|| = sqrt(d)")
        .by("two", (1 / lam, "taylor"), at=("on_the_sphere",)),
        line("bound", tail, "<=", TAIL.subs(a_sq, L**2))
        .says("so the probability of a large u'a is that of Lemma C.1 (ii) with L in place of the norm of a")
        .because("the exponential is increasing")
        .by("tail", (2 * sp.sqrt(2 * sp.pi) * sp.exp(-(C**2) / (8 * L**2)), Instance("decay", (C**2 / (8 * a_sq * L**2), "gradient")))),
    )
    source, shows = f"{PAPER}, Section 4 and Appendix E, equation (16)", {"worst case": "worst_case", "remainder": "remainder"}
    return proved(SECTION_4_TAIL, "the finite difference is rarely large", source, facts, steps, shows=shows, left_open=(C,))
