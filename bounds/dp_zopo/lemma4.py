"""Lemmas 3 and 4: Gaussian smoothing, and the error of the noisy, clipped two-point gradient.

Setting   f(., x) L-Lipschitz for every sample x; v standard normal; gamma^2 the mean squared distance of a sample's smoothed gradient.
Method    a step of Algorithm 2: P directions, which all m samples share; noise of deviation sigma C/m on each scalar, sigma by (13).
Lemma 3   (i) f_beta is L-Lipschitz, (ii) |f_beta - f| <= L beta sqrt(d), (iii) f_beta is sqrt(d) L/beta-smooth, (iv) E g v = grad f_beta
Lemma 4   E ||grad F_beta - grad f^||^2 <= d c_2^2 C^2 P T log(P/delta)/(epsilon n)^2 + (8 d C^2/e + 64 d beta^2 L^4 + gamma^2)/(P m);
          the proof sets C^2 = 2 L^2. It is false as printed: `bounds.dp_zopo.corrected` has what holds, the chain here what its steps give.
Source    DP-ZOPO, Lemma 3, (9); Lemma 4, (14), restated as Lemma 6, (20) to (32).
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dp_zopo.corrected import EXPONENTIAL, LIPSCHITZ, NORMAL, TAIL, WEIGHTED
from bounds.dp_zopo.paper import letters, proved, stated
from bounds.lines import line
from bounds.theorem import Part

C, L, P, T, beta, c_2, d, delta, epsilon, gamma, m, n, sigma = letters("C L P T beta c_2 d delta epsilon gamma m n sigma")
error, form, gap, length, noise, direction_sq = letters(
    "gradient_error smooth_form smoothing_gap direction_length noise_energy direction_sq"
)
quotient_sq, weighted, clipping_sq, clip_tail = letters("quotient_sq weighted_quotient clipping_sq clip_tail")
side, other, cross, side_tail, level = letters("side_sq other_side_sq side_cross side_tail normal_from")

LEMMA3 = stated(
    "Lemma 3 (Gaussian smoothing)",
    measure="u' (Hessian of f_beta) u, u a unit vector",
    assumptions=("f is L-Lipschitz", NORMAL),
    bound=sp.sqrt(d) * L / beta,
    parts=(
        Part("i", "Lipschitz constant of f_beta", "<=", L),
        Part("ii", "|f_beta - f|", "<=", L * beta * sp.sqrt(d), gap),
        Part("iv", "||E g v - grad f_beta||", "=", sp.Integer(0)),
    ),
    notes=("(iii) is loose: dp_zopo.corrected_smoothness has sqrt(2/pi) for sqrt(d)",),
    measured=form,
)
SIGMA_SQ = c_2**2 * P**2 * m**2 * T * sp.log(P / delta) / (epsilon**2 * n**2)  # (13), with equality
PRIVACY = d * c_2**2 * C**2 * P * T * sp.log(P / delta) / (epsilon**2 * n**2)
CLIPPING, ZEROTH, SAMPLING = 8 * d * C**2 / (sp.E * P * m), 64 * d * beta**2 * L**4 / (P * m), gamma**2 / (P * m)
LEMMA4 = stated(
    *("Lemma 4 (gradient error)", "(14), (20), (32)"),
    measure="E ||g_t - grad F_beta(theta_t)||^2, g_t the noisy clipped estimate",
    assumptions=(LIPSCHITZ, "noise by (13)", "sample_spread^2 as in Assumption 1"),
    bound=PRIVACY + CLIPPING + ZEROTH + SAMPLING,
    parts=(Part("C of the proof", "C", "=", sp.sqrt(2) * L),),
    notes=("false as printed: samples share their directions and directions their batch; dp_zopo.corrected_gradient_error holds instead",),
    measured=error,
)


def lemma3() -> Derivation:
    """Average the Lipschitz bound; take the second slope by parts."""
    grows = (L / beta / (sp.sqrt(d) + 1), "d >= 1")
    return proved(
        *("lemma3", "Gaussian smoothing", "Lemma 3"),
        proves=LEMMA3,
        shows={"ii": "close"},
        facts=(
            line("sharper", form, "<=", sp.sqrt(2 / sp.pi) * L / beta).says("R3").shown("dp_zopo.corrected_smoothness", "bound"),
            line("moved", gap, "<=", L * beta * length).says("f_beta is a mean of f at beta v away").reasoned("f is L-Lipschitz"),
            line("jensen", length, "<=", sp.sqrt(d)).says("E ||v||").reasoned("Jensen's inequality, E ||v||^2 = d"),
        ),
        steps=(
            line("close", gap, "<=", L * beta * sp.sqrt(d)).says("(ii): the smoothed loss", "Lipschitz").by("moved", (L * beta, "jensen")),
            line("bound", form, "<=", sp.sqrt(d) * L / beta)
            .says("(iii): the second slope of f_beta along a unit vector", "sqrt(2/pi) < 1 <= sqrt(d)")
            .by("sharper", grows, L / beta * (1 - sp.sqrt(2 / sp.pi))),
        ),
    )


def lemma4() -> Derivation:
    """Go through (22) to (31) with what each step gives; (21) and (28) cannot be kept."""
    grows = (sp.sqrt(d) / (sp.sqrt(d) + 1), "d >= 1")  # d - sqrt(d)
    return proved(
        *("lemma4", "what the steps of the proof of Lemma 4 give", "proof of Lemma 6"),
        facts=(
            line("noise", noise, "=", direction_sq * (sigma * C / m) ** 2 / P).says("Algorithm 2's").reasoned("cross terms have mean 0"),
            line("direction_sq", direction_sq, "=", d).says("E ||v||^2").reasoned("v is standard normal"),
            line("equation_13", sigma**2, "=", SIGMA_SQ).says("(13), with equality").assumed(),
            line("expanded", quotient_sq, "=", (side + other - 2 * cross) / (4 * beta**2))
            .says("the difference of h and h^-, the losses at theta + beta v and theta - beta v, each less E h")
            .reasoned("expand the square"),
            line("square", cross, ">=", -(side + other) / 2).says("the square of their sum is not negative").reasoned("a mean of squares"),
            line("equation_23", other, "=", side).says("(23)").reasoned("v has a symmetric law"),
            line("equation_24", side_tail, "<=", 2 * sp.exp(-(level**2) / (2 * beta**2 * L**2)))
            .says("(24): h is beta L-Lipschitz in v")
            .cited("Gaussian concentration, Proposition 3.2 of the paper's [58]"),
            line("equation_25", side, "<=", 4 * beta**2 * L**2)
            .says("(25): the integral of 2 exp(-c/(2 beta^2 L^2)) over c > 0")
            .reasoned("integration over the levels", using=("equation_24",)),
            line("moments", weighted, "<=", WEIGHTED).says("corrected_moments").shown("dp_zopo.corrected_moments", "bound"),
            line("taken", clipping_sq, "<=", WEIGHTED)
            .says("g - clip g")
            .shown("dp_zopo.corrected_moments", "bound", {weighted: clipping_sq}),
            line("tail", clip_tail, "<=", TAIL).says("isoperimetry").shown("dp_zopo.corrected_moments", "tail"),
            line("erfc", TAIL, "<=", EXPONENTIAL).says("erfc(y) <= exp(-y^2)").shown("dp_zopo.corrected_clip_bias", "erfc"),
            line("choice", C, "=", sp.sqrt(2) * L).says("the proof sets C^2 = 2 L^2").assumed(),
        ),
        steps=(
            line("equation_22", quotient_sq, "<=", (side + other) / (2 * beta**2))
            .says("(22): the mean square of the quotient", "(a - b)^2 <= 2 a^2 + 2 b^2")
            .by((1 / (2 * beta**2), "square"), modulo=((-1, "expanded"),)),
            line("equation_26", quotient_sq, "<=", 4 * L**2)
            .says("in place of (26): the mean square of the quotient; the print has 4 L^4", "(22), (23) and (25)")
            .by("equation_22", (1 / beta**2, "equation_25"), modulo=((-1 / (2 * beta**2), "equation_23"),)),
            line("equation_27", weighted, "<=", 4 * d * L**2)
            .says("in place of (27): the mean of g^2 ||v||^2, of which the left side is a variance", "sqrt(d) <= d")
            .by("moments", (2 * L**2, *grows), d * L**2),
            line("equation_29", clip_tail, "<=", 2 * EXPONENTIAL)
            .says("(29): the probability that the quotient reaches C", "with a factor of 2 to spare")
            .by("tail", "erfc", EXPONENTIAL),
            line("equation_31", clipping_sq, "<=", 8 * d * C**2 / sp.E)
            .says("(31): the mean square of what clipping takes from a sample", "it is at most 3 d L^2, and 16/e > 5.8")
            .by("taken", (2 * L**2, *grows), (16 / sp.E - 3) * d * L**2, modulo=((8 * d / sp.E * (C + sp.sqrt(2) * L), "choice"),)),
            line("noise_term", noise, "=", PRIVACY)
            .says("the noise of a step by (13), the first term of Lemma 6", "d sigma^2 C^2/(P m^2)")
            .identity((1, "noise"), ((sigma * C / m) ** 2 / P, "direction_sq"), (d * C**2 / (P * m**2), "equation_13")),
        ),
    )
