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

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero.common import proved, stated
from bounds.dpzero.sharp_common import AT, H_IN_LETTERS, R2, R4, RANK, k, s
from bounds.dpzero.smoothing import BIAS, e_minus, e_plus
from bounds.lines import Reasoned, line
from bounds.symbols import d, ell, introduce, lam, r, symbols, trace
from bounds.theorem import Part

a_H, bias_norm, u_H = symbols("a_H bias_norm u_H")

# quadratic forms of two vectors a, b and a symmetric M with -H <= M <= H
b_H = introduce("b_H", r"b^{\top}Hb", "quadratic form b'Hb", -1e6, 1e6, "proof")
a_M = introduce("a_M", r"a^{\top}Ma", "quadratic form a'Ma", -1e6, 1e6, "proof")
b_M = introduce("b_M", r"b^{\top}Mb", "quadratic form b'Mb", -1e6, 1e6, "proof")
ab_H = introduce("ab_H", r"a^{\top}Hb", "mixed quadratic form a'Hb", -1e6, 1e6, "proof")
ab_M = introduce("ab_M", r"a^{\top}Mb", "mixed quadratic form a'Mb", -1e6, 1e6, "proof")
Mb_sq = introduce("Mb_sq", r"\|Mb\|^2", "squared length of Mb", 0, 1e6, "proof")
BELOW_H = sp.Le(a_M + 2 * ab_M + b_M, a_H + 2 * ab_H + b_H)  # (a + b)'(H - M)(a + b) >= 0
ABOVE_MINUS_H = sp.Le(2 * ab_M - a_M - b_M, a_H - 2 * ab_H + b_H)  # (a - b)'(H + M)(a - b) >= 0
BETWEEN = (
    line("below_H", BELOW_H.lhs, "<=", BELOW_H.rhs).says("M <= H, along a + b").assumed(),
    line("above_minus_H", ABOVE_MINUS_H.lhs, "<=", ABOVE_MINUS_H.rhs).says("-H <= M, along a - b").assumed(),
)
BETWEEN_IN_LETTERS = (BELOW_H, ABOVE_MINUS_H)

j = introduce("j_factor", "j", "place of a factor of r (r + 2) ... (r + 2k - 2)", 0, 50, "proof")
ball_length = introduce("ball_length", r"\mathbb{E}\|v\|", "mean length of a point of the ball", 0, 1e6, "proof")
ball_sq = introduce("ball_sq", r"\mathbb{E}\|v\|^2", "mean squared length of a point of the ball", 0, 1e12, "proof")
ball_H = introduce("ball_H", r"\mathbb{E}v^{\top}Hv", "mean of v'Hv over the ball", 0, 1e6, "proof")
trace_2 = introduce("trace_2", r"\operatorname{Tr}(H^2)", "trace of the square of H", 0, 1e6, "proof")
trace_3 = introduce("trace_3", r"\operatorname{Tr}(H^3)", "trace of the third power of H", 0, 1e9, "proof")
w_cubed = introduce("w_cubed", r"\mathbb{E}(u^{\top}Hu)^3", "third moment of u'Hu", 0, 1e18, "proof")
normal_cubed = introduce(
    "normal_cubed", r"\mathbb{E}(\zeta^{\top}H\zeta)^3", "third moment of zeta'H zeta, zeta a Gaussian vector", 0, 1e18, "proof"
)
w_root = introduce("w_root", r"(\mathbb{E}(u^{\top}Hu)^k)^{1/k}", "k-th root of the k-th moment of u'Hu", 0, 1e6, "proof")
difference_error = introduce(
    "difference_error", r"\mathbb{E}(h-p)^2w", "mean squared error of the two-point difference of F_S times u'Hu", 0, 1e6, "proof"
)

SMOOTH_BIAS = lam * ell * d ** sp.Rational(3, 2) / (d + 1)
RANK_BIAS = AT.rank_bias
DIFFERENCE = AT.difference  # (E (difference - p)^2 w / ell)^(1/2) is at most this
root_in_mean = "bound on the root of the mean squared error of the difference times u'Hu, over ell"
e_smooth = introduce("e_smooth", r"e_\lambda", root_in_mean, 1e-30, 1e6, "abbreviation")

LEMMA = stated(
    "sharp_bias",
    "bias of the smoothed gradient, by effective rank",
    "ours; in place of DPZero, Lemma C.2 (ii)",
    measure="||grad F_S(x) - grad F_lam(x)||",
    assumptions=("F_S is twice differentiable and -H <= its Hessian <= H everywhere, H <= ell I, Tr(H) <= r ell",),
    bound=RANK_BIAS,
    parts=(
        Part("i", "the bias when F_S is only known to be ell-smooth", "<=", SMOOTH_BIAS, bias_norm),
        Part("ii", "the bias", "<=", RANK_BIAS, bias_norm),
        Part("iii", "E ((F_S(x + lam u) - F_S(x - lam u)) / (2 lam) - u'grad F_S(x))^2 u'Hu", "<=", ell * DIFFERENCE**2, difference_error),
        Part("iv", "E (u'Hu)^3", "<=", ell**3 * r * R2 * R4, w_cubed),
    ),
    measured=bias_norm,
    in_letters=(*H_IN_LETTERS, *BETWEEN_IN_LETTERS),
)


def proof() -> Derivation:
    """Write the proof out."""
    half = sp.Rational(1, 2)
    taylor = Reasoned("Taylor's formula with -H <= Hessian <= H along lam u")
    powers = Reasoned("0 <= H <= ell I, in the eigenbasis")
    density = "v / sqrt(d) has a length of density d s^(d-1) on [0, 1]; the primitive at 1, for j = "
    facts = (
        RANK,
        *BETWEEN,
        # what is taken for the bias
        line("ball_length", ball_length, "=", sp.sqrt(d) * d / (d + 1)).says("E ||v||").reasoned(f"{density}1", using=("primitive",)),
        line("ball_sq", ball_sq, "=", d * d / (d + 2)).says("E ||v||^2").reasoned(f"{density}2", using=("primitive",)),
        line("ball_H", ball_H, "=", ball_sq / d * trace).says("E vv' is E ||v||^2 / d times I").reasoned("rotation invariance"),
        line("triangle", bias_norm, "<=", ell * lam * ball_length)
        .says("grad F_lam - grad F_S is the mean of grad F_S(x + lam v) - grad F_S(x), whose norm is at most ell lam ||v||")
        .reasoned("differentiate under the mean, then the triangle inequality; grad F_S is ell-Lipschitz"),
        line("chosen_a", ab_M, "=", Mb_sq / ell).says("with a = Mb / ell, a'Mb is ||Mb||^2 / ell").reasoned("M is symmetric"),
        line("chosen_a_H", a_H, "<=", Mb_sq / ell).says("and H <= ell I along this a").reasoned("a'Ha <= ell ||a||^2 = ||Mb||^2 / ell"),
        line("mean_value", bias_norm**2, "<=", lam**2 * ell * ball_H)
        .says("the squared mean of ||M lam v|| is at most the mean of its square, lam^2 ell v'Hv at most")
        .reasoned(
            "the mean value form grad F_S(x + lam v) - grad F_S(x) = M lam v with -H <= M <= H, Jensen's inequality", using=("bent",)
        ),
        # what is taken for the finite difference and the moments of w
        line("taylor_plus", e_plus**2, "<=", (lam**2 * u_H / 2) ** 2)
        .says("|F_S(x + lam u) - F_S(x) - lam p| is at most lam^2 w / 2")
        .certified(taylor),
        line("taylor_minus", e_minus**2, "<=", (lam**2 * u_H / 2) ** 2).says("the same at x - lam u").certified(taylor),
        line("in_mean", difference_error, "<=", lam**2 / 4 * w_cubed)
        .says("E (difference - p)^2 w")
        .reasoned("w times the line for every direction, in expectation", using=("pointwise",)),
        line("normal_cubed", normal_cubed, "=", trace**3 + 6 * trace * trace_2 + 8 * trace_3)
        .says("for a Gaussian vector the cumulants of zeta'H zeta are 2^(k-1) (k-1)! Tr(H^k)")
        .reasoned("independent coordinates in the eigenbasis of H; the third moment in the first three cumulants"),
        line("trace_2", trace_2, "<=", ell * trace).says("Tr(H^2) <= ell Tr(H)").certified(powers),
        line("trace_3", trace_3, "<=", ell**2 * trace).says("Tr(H^3) <= ell^2 Tr(H)").certified(powers),
        line("on_the_sphere_cubed", w_cubed, "=", normal_cubed * d**3 / (d * (d + 2) * (d + 4)))
        .says("on the sphere the k-th moment is smaller by d^k / (d (d + 2) ... (d + 2k - 2)), here k = 3")
        .reasoned("zeta = u times an independent radius, whose square over d has these moments"),
        line("moments", w_root, "<=", ell * (r + k - 1))
        .says(
            "the cumulants of zeta'H zeta are at most ell^k times those of chi^2 with r degrees of freedom, so its k-th moment is at most "
            "ell^k r (r + 2) ... (r + 2k - 2), at most ell^k (r + k - 1)^k; on the sphere it is smaller"
        )
        .reasoned(
            "Tr(H^k) <= ell^(k-1) Tr(H) <= ell^k r; moments are polynomials in the cumulants with non-negative coefficients; pair the "
            "factors r + 2j and r + 2 (k - 1 - j)",
            using=("pairs", "effective_rank"),
        ),
    )
    steps = (
        # the steps on moments of w and of ||v||
        line("primitive", sp.diff(d * s ** (d + j) / (d + j), s), "=", d * s ** (d - 1) * s**j)
        .says("a primitive of the density d s^(d-1) of ||v|| / sqrt(d) times s^j, the j-th power of the length s", "differentiate")
        .identity()
        .within({d: (1, 20), j: (0, 5)}),
        line("normal_third", normal_cubed, "<=", ell**3 * r * (r + 2) * (r + 4))
        .says("the third moment of zeta'H zeta written out", "Tr(H^2) <= ell Tr(H), Tr(H^3) <= ell^2 Tr(H), Tr(H) <= r ell")
        .by(
            (6 * trace, "trace_2"),
            (8, "trace_3"),
            (trace**2 + trace * r * ell + r**2 * ell**2, "effective_rank"),
            (6 * ell, trace + r * ell, "effective_rank"),
            (8 * ell**2, "effective_rank"),
            modulo=((-1, "normal_cubed"),),
        ),
        line("third_moment", w_cubed, "<=", ell**3 * r * R2 * R4)
        .says("(iv): the third moment of u'Hu", "on the sphere it is smaller")
        .by((d**2 / ((d + 2) * (d + 4)), "normal_third"), modulo=((-1, "on_the_sphere_cubed"),)),
        line("pairs", (r + 2 * j) * (r + 2 * (k - 1 - j)), "<=", (r + k - 1) ** 2)
        .says("(iv): r (r + 2) ... (r + 2k - 2) <= (r + k - 1)^k, pairing two factors, of effective rank")
        .because("a product is at most the square of half the sum")
        .by((k - 1 - 2 * j) ** 2),
        # the steps to (i)
        line("smooth_bias", bias_norm, "<=", SMOOTH_BIAS)
        .says("(i): the bias of the smoothed gradient when F_S is only known to be ell-smooth", "insert E ||v||")
        .by("triangle", modulo=((-lam * ell, "ball_length"),)),
        line("below_the_paper", bias_norm, "<=", BIAS)
        .says("so the bias is below the paper's value", "2 <= d + 1")
        .by("smooth_bias", (lam * ell * d ** sp.Rational(3, 2) / (2 * (d + 1)), "d >= 1")),
        # the steps to (iii)
        line("pointwise", ((e_plus - e_minus) / (2 * lam)) ** 2, "<=", (lam * u_H / 2) ** 2)
        .says("the two remainders make an error of the difference, squared, that is at most (lam w / 2)^2, w = u' H u")
        .because("two remainders over 2 lam")
        .by((1 / (2 * lam**2), "taylor_plus"), (1 / (2 * lam**2), "taylor_minus"), (1 / (4 * lam**2), (e_plus + e_minus) ** 2)),
        line("difference", difference_error, "<=", ell * DIFFERENCE**2)
        .says("(iii): the mean squared error of the difference times w", "(lam / 2)^2 times the third moment of w")
        .by("in_mean", (lam**2 / 4, "third_moment")),
        # the steps to (ii)
        line("mixed", 2 * ab_M, "<=", a_H + b_H)
        .says("for -H <= M <= H and any a, b: twice the mixed form a'Mb")
        .because("(a + b)'(H - M)(a + b) + (a - b)'(H + M)(a - b) is twice the difference")
        .by((half, "below_H"), (half, "above_minus_H")),
        line("bent", Mb_sq, "<=", ell * b_H)
        .says("so the squared length of Mb is at most ell b'Hb", "take a = Mb / ell")
        .by((ell, "mixed"), (ell, "chosen_a_H"), modulo=((2 * ell, "chosen_a"),)),
        line("squared", bias_norm**2, "<=", RANK_BIAS**2)
        .says("the square of the bias of the smoothed gradient", "E v'Hv = d Tr(H) / (d + 2), Tr(H) <= r ell")
        .by(
            "mean_value",
            (lam**2 * ell * d / (d + 2), "effective_rank"),
            modulo=((-(lam**2) * ell, "ball_H"), (-(lam**2) * ell * trace / d, "ball_sq")),
        ),
        line("bound", bias_norm, "<=", RANK_BIAS)
        .says("(ii): the norm of the bias of the smoothed gradient", "its square is at most the square of this")
        .by((1 / (RANK_BIAS + bias_norm), "squared")),
    )
    title, every_order = "bias and finite difference from the bound on the Hessian", ({k: sp.Integer(12)},)  # what holds for every order k
    shows = {"i": "smooth_bias", "ii": "bound", "iii": "difference", "iv": "third_moment"}
    return proved(LEMMA, title, "ours", facts, steps, shows=shows, instances=every_order)
