"""What clipping costs when the samples are Lipschitz only: no smoothness of a sample, no condition that ties C to lam.

Setting   h_i(u) = (f(x + lam u; xi_i) - f(x - lam u; xi_i)) / (2 lam), each f L-Lipschitz;  m the mean of clip_C(h_i), h of the h_i.
          u uniform on the sphere of radius sqrt(d), d >= 4;  p = u' grad F_S,  w = u'Hu,  G = ||grad F_S||.
Measure   E (m - h) p, E (m - h)^2 w and E |m - h| |p| w.
Lemma     with v = d / (d - 3), c = C / (L sqrt(v)) and q = 12
          (i)    |E (m - h) p| <= L G j_1        j_1 = v E (|N| - c)_+ |N|
          (ii)   E (m - h)^2 w <= ell L^2 j_2    j_2 = v (r + q - 1) (E (|N| - c)_+^2)^(1 - 2/q) (E (|N| - c)_+^4)^(1/q)
          (iii)  E |m - h| |p| w <= ell L G j_3  j_3 = v (r + q - 1) (E (|N| - c)_+ |N|)^(1 - 2/q) (E (|N| - c)_+^2 N^2)^(1/q)
Source    ours.

Only the laws of |h_i| and of |p| enter, not how they depend on each other; the worst dependence is that both grow together. Any
integer q >= 2 will do; 12 is within 0.4 % of the best one for 1e3 <= n <= 1e8 and 3 <= r <= 1e3.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero import sharp_numbers
from bounds.dpzero.common import proved, stated
from bounds.dpzero.sharp_bias import w_root
from bounds.dpzero.sharp_clip import BEYOND_SQ_SHOWN, SHOWS, integral, over_sq, over_sq_N, primitive_of, psi_2
from bounds.dpzero.sharp_common import AT, H_IN_LETTERS, RANK, THRESHOLD, beyond, beyond_fourth, beyond_squared, c, k, s, weight
from bounds.dpzero.sharp_tail import DIMENSIONS, ENOUGH_DIMENSIONS, LIPSCHITZ_TAIL, SPREAD, tail_h, tail_u
from bounds.lines import line
from bounds.symbols import C, L, d, ell, introduce, r
from bounds.theorem import Part

HOLDER = sp.Integer(sharp_numbers.HOLDER)

v = introduce("v_spread", "v", "variance d / (d - 3) of the normal variable that dominates the differences", 1e-3, 4, "abbreviation")
j_1 = introduce("j_1", "j_1", "v times the mean of (|N| - c)_+ |N|, what clipping takes from the direction", 1e-30, 10, "abbreviation")
j_2 = introduce("j_2", "j_2", "bound on what clipping adds to the length", 1e-30, 1e12, "abbreviation")
j_3 = introduce("j_3", "j_3", "bound on the cross term of clipping", 1e-30, 1e12, "abbreviation")


SIGNS = {"v_spread": (DIMENSIONS.name,), "j_2": ("beyond_sq", "beyond_fourth"), "j_3": ("beyond_sq_N",)}  # lines that show them
ABBREVIATIONS = {"v_spread": SPREAD, "c_clip": THRESHOLD / sp.sqrt(v), **AT.lipschitz_constants(v, c)}

rough_tilt = introduce("rough_tilt", r"|\mathbb{E}(m-h)p|/G", "how far clipping moves E m p, over G", 0, 1e3, "step")
rough_error = introduce("rough_error", r"\mathbb{E}(m-h)^2w", "mean squared error of clipping the differences, times u'Hu", 0, 1e6, "step")
rough_cross = introduce(
    "rough_cross", r"\mathbb{E}|m-h||p|w/G", "mean of error of clipping the differences times |p| u'Hu, over G", 0, 1e6, "step"
)
over_fourth = introduce("over_fourth", r"\mathbb{E}(|N|-c)_+^4", "mean fourth power of (|N| - c)_+", 1e-300, 3, "proof")
q = introduce("holder_q", "q", "exponent q of Hoelder's inequality", 2, 100, "proof")
inverses = introduce(
    "holder_sum", r"\tfrac{q-2}{q}+\tfrac1q+\tfrac1q", "sum of the inverses of the exponents of Hoelder's inequality", 0, 3, "proof"
)
one = introduce("mean_Z", r"\mathbb{E}Z", "mean of a variable Z", 1e-3, 1e3, "proof")

LEMMA = stated(
    "sharp_clip_lipschitz",
    "mean effect of clipping the two-point differences of Lipschitz functions",
    "ours; isoperimetry through dpzero.sharp_tail_lipschitz",
    measure="|E (m - h) u'g| / ||g||, m the mean of the clipped and h of the unclipped differences",
    assumptions=(
        "u is uniform on the sphere of radius sqrt(d)",
        "every f(.; xi_i) is L-Lipschitz",
        "0 <= H <= ell I, Tr(H) <= r ell, r >= 1",
    ),
    definitions=ABBREVIATIONS,
    bound=L * j_1,
    parts=(
        Part("i", "the same", "<=", L * j_1, rough_tilt),
        Part("ii", "E (m - h)^2 u'Hu", "<=", ell * L**2 * j_2, rough_error),
        Part("iii", "E |m - h| |u'g| u'Hu / ||g||", "<=", ell * L * j_3, rough_cross),
    ),
    conditions=(ENOUGH_DIMENSIONS,),
    measured=rough_tilt,
    in_letters=H_IN_LETTERS,
)

fourth_primitive = -(s**3 - 4 * c * s**2 + (6 * c**2 + 3) * s - 4 * c**3 - 8 * c) * weight(s) - (c**4 + 6 * c**2 + 3) * beyond(s)


def proof() -> Derivation:
    """Write the proof out."""
    by_means = (L**2 * v * beyond_squared(c)) ** (1 - 2 / HOLDER) * (L**4 * v**2 * beyond_fourth(c)) ** (1 / HOLDER) * w_root
    by_means_cross = (L * v * beyond(c)) ** (1 - 2 / HOLDER) * (L**2 * v**2 * (beyond_squared(c) + 2 * beyond(c))) ** (1 / HOLDER) * w_root
    share = 1 / (r + HOLDER - 1)
    rearranged = (
        "write both as integrals of indicators; P(f > a and g > b) is at most the smaller of the two probabilities, and equals it when one "
        "|N| drives both: layer cake, the Hardy-Littlewood rearrangement inequality"
    )
    laws, inequality = ("tail_h", "tail_u", "spread", "threshold"), "Hoelder's inequality with the exponents q/(q - 2), q and q, q = 12"
    clip = "dpzero.sharp_clip"
    facts = (
        RANK,
        DIMENSIONS,
        # the laws, the moments beyond a threshold and those of w
        line("tail_h", tail_h, "<=", LIPSCHITZ_TAIL).says("the law of |h_i|").shown("dpzero.sharp_tail_lipschitz", "bound"),
        line("tail_u", tail_u, "<=", beyond(c / sp.sqrt(SPREAD)))
        .says("the law of |p| / G")
        .shown("dpzero.sharp_tail_lipschitz", "coordinate"),
        line("psi_2", psi_2, "=", beyond(c)).says("E (|N| - c)_+ |N|").shown(clip, "psi_2"),
        line("over_sq", over_sq, "=", beyond_squared(c)).says("E (|N| - c)_+^2").shown(clip, "over_sq"),
        BEYOND_SQ_SHOWN,
        line("over_sq_N", over_sq_N, "=", over_sq + 2 * psi_2).says("E (|N| - c)_+^2 N^2").shown(clip, "over_sq_N_value"),
        integral("over_fourth", over_fourth, "E (|N| - c)_+^4", fourth_primitive),
        line("w_root", w_root, "<=", ell * (r + HOLDER - 1))
        .says("(E w^q)^(1/q) for q = 12")
        .shown("dpzero.sharp_bias", "moments", {k: HOLDER}),
        # what the laws say of the means: E f(|h_i|) g(|p|) is at most that of one |N| that drives both, for f, g that do not fall
        line("rearranged", rough_tilt, "<=", L * v * psi_2)
        .says("|m - h| is at most the mean of (|h_i| - C)_+, so |E (m - h) p| at most E (L sqrt(v) |N| - C)_+ G sqrt(v) |N|")
        .reasoned(f"Jensen's inequality over the samples; {rearranged}", using=laws),
        line("rearranged_error", rough_error, "<=", by_means)
        .says("(m - h)^2 is at most the mean of Z = (|h_i| - C)_+^2, whose first two moments are at most those of (L sqrt(v) |N| - C)_+^2")
        .reasoned(f"{inequality}; {rearranged}", using=(*laws, "over_sq", "over_fourth_value", "inverses", "powers")),
        line("rearranged_cross", rough_cross, "<=", by_means_cross)
        .says("Z = (|h_i| - C)_+ |p| / G has at most the first two moments of (L sqrt(v) |N| - C)_+ sqrt(v) |N|")
        .reasoned(f"{inequality}; {rearranged}", using=(*laws, "psi_2", "over_sq_N_closed", "inverses", "powers")),
        line("holder_sum", inverses, "=", (q - 2) / q + 1 / q + 1 / q)
        .says("the exponents q/(q - 2), q and q")
        .reasoned("their inverses, added"),
    )
    steps = (
        # the steps on Hoelder's inequality and on the fourth power
        line("spread", v * (d - 3), "=", d).says("v_spread is the variance in both laws", "v = d / (d - 3)").identity((d - 3, "v_spread")),
        line("threshold", L * sp.sqrt(v) * c, "=", C)
        .says("L sqrt(v) |N| is above the clipping threshold C where |N| is above c_clip", "c = C / (L sqrt(v))")
        .identity((L * sp.sqrt(v), "c_clip")),
        primitive_of("over_fourth", "E (|N| - c)_+^4", (s - c) ** 4, fourth_primitive),
        line("over_fourth_value", over_fourth, "=", beyond_fourth(c))
        .says("the mean fourth power of (|N| - c)_+", "collect the terms")
        .identity((1, "over_fourth")),
        line("beyond_fourth", beyond_fourth(c), ">", 0)
        .says("the mean fourth power of what |N| is above c_clip, as it is computed, is positive", "it is a mean fourth power")
        .by(over_fourth, modulo=((-1, "over_fourth_value"),)),
        line("over_sq_N_closed", over_sq_N, "=", beyond_squared(c) + 2 * beyond(c))
        .says("the mean of (|N| - c)_+^2 N^2", "insert the two integrals")
        .identity((1, "over_sq_N"), (1, "over_sq"), (2, "psi_2")),
        line("beyond_sq_N", beyond_squared(c) + 2 * beyond(c), ">", 0)
        .says("the mean of its square, |N| above c_clip, times N^2, as it is computed, is positive", "it is a mean of squares")
        .by(over_sq_N, modulo=((-1, "over_sq_N_closed"),)),
        line("inverses", inverses, "=", 1)
        .says("the inverses of the exponents in Hoelder's inequality: their sum", "add")
        .identity((1, "holder_sum")),
        line("powers", one ** (1 - 2 / q) * (one**2) ** (1 / q), "=", one)
        .says("and the powers of Z, whose mean and mean square are those of a constant Z", "the same exponents")
        .identity(),
        # the steps to (iii), (ii) and (i)
        line("error", rough_error, "<=", ell * L**2 * j_2)
        .says("(ii): the mean squared error of clipping the differences", "(E w^q)^(1/q) <= ell (r + q - 1)")
        .by("rearranged_error", (L**2 * j_2 * share, "w_root"), modulo=((L**2 * share * w_root, "j_2"),)),
        line("cross", rough_cross, "<=", ell * L * j_3)
        .says("(iii): the mean of the error of clipping the differences times |p| w, over G", "(E w^q)^(1/q) <= ell (r + q - 1)")
        .by("rearranged_cross", (L * j_3 * share, "w_root"), modulo=((L * share * w_root, "j_3"),)),
        line("bound", rough_tilt, "<=", L * j_1)
        .says("(i): how far clipping moves E m p, over G", "E (|N| - c)_+ |N| = P(|N| > c)")
        .by("rearranged", modulo=((L, "j_1"), (-L * v, "psi_2"))),
    )
    return proved(LEMMA, "clipping bias from the laws of the differences alone", "ours", facts, steps, shows=SHOWS, signs=SIGNS)
