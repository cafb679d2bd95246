"""The sharper theorems: DPZero without a bound on the loss, with a threshold of a few L instead of tens, for every alpha, T, C, lam.

Setting   Assumption 3.5, or less; no bound B on the loss, which may be unbounded.
Method    Algorithms 1, 2 and DP-GD with any alpha, T, C, lam, sigma. For (epsilon, delta)-DP of x_tau it is enough to calibrate sigma
          for x_tau, which is more private than the path that it comes from (S5; `bounds.mixture`).
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0..T-1.
Source    ours; the theorems of DPZero with six strengthenings and without the conditioning on "nothing was clipped".

    S1   a two-point difference of Lipschitz samples has a Gaussian tail at every lam: no condition ties C to lam    (`sharp_tail`)
    S2   the bias of the smoothed gradient by the mean length of a point of the ball, and by effective rank          (`sharp_bias`)
    S3   C = L sqrt(d) clips no difference, so that nothing is paid for clipping
    S4   the tail of u'a without the factor 4 in its exponent                                                        (`sharp_tail`)
    S5   sigma by exact accounting, for x_tau alone where nothing else is published                                  (`bounds.mixture`)
    S6   no bound B on the loss: a step moves F_S by no more than its own length allows

    sharp_clip_bias    Assumption 3.5. Elementary throughout.                                         (S4, S5, S6)
    sharp_lipschitz    samples Lipschitz only; lam need not shrink with d. Rests on isoperimetry.     (S1, S2, S5, S6)
    sharp_never_clip   samples Lipschitz only, C = L sqrt(d). Elementary.                             (S2, S3, S5, S6)
    sharp_dpgd_0th, sharp_dpgd_0th_never_clip     the same for DPGD-0th.
in `sharp_first_order`
    sharp_start        T = 1: x_0 itself, which needs no privacy.
    sharp_dp_gd        samples Lipschitz and differentiable: the mean of subgradients need not be grad F_S. Elementary. (S5, S6)

Where they are small: as alpha -> 0 with alpha T = t fixed, the bound of sharp_clip_bias tends to the y^2 with
(1 - k_1/2) y^2 - (k_1 L / 2) y = gap / t + t ell r (2 C / (n mu))^2 / 2, mu = sqrt(T) mu_uniform(epsilon, delta, T), k_1 = P(|N| > C / L):
about 2 C sqrt(2 ell gap r) / (n mu). DP-GD has L in place of C, so with the privacy that the clip gives to any loss the price of two
function values per sample is the factor C / L, 2 to 5. Where the loss of every possible record is L-Lipschitz, sigma need not grow with C
(`random_directions`) and that price is gone: the limit is DP-GD's, with L sqrt(d / (d - 3)) in place of C.
"""

from collections.abc import Mapping
from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero import sharp_clip, sharp_descent
from bounds.dpzero.common import ASSUMPTION_3_5, ON_F_S, below_trivial, stated
from bounds.dpzero.meanings import ON_THE_SPHERE
from bounds.dpzero.shared import IS_LIPSCHITZ, NEVER_CLIPPED, NEVER_CLIPS
from bounds.dpzero.shared import LIPSCHITZ as LIPSCHITZ_SAMPLES
from bounds.dpzero.sharp_bias import BETWEEN, BETWEEN_IN_LETTERS, DIFFERENCE, RANK_BIAS, difference_error, e_smooth
from bounds.dpzero.sharp_clip import ABBREVIATIONS, BEYOND_SQ_SHOWN, SHORT, SHORT_SAMPLES, clip_along, clip_cross, clip_error, k_1, k_2, k_3
from bounds.dpzero.sharp_clip_lipschitz import ABBREVIATIONS as ROUGH_ABBREVIATIONS
from bounds.dpzero.sharp_clip_lipschitz import SIGNS, j_1, j_2, j_3, rough_cross, rough_error, rough_tilt
from bounds.dpzero.sharp_common import AT, H_IN_LETTERS, ON_H, THRESHOLD, beyond, beyond_fourth, beyond_squared, c, grad, lead_unit
from bounds.dpzero.sharp_descent import rest_cross, rest_H, step_along, step_H
from bounds.dpzero.sharp_numbers import MEASURE
from bounds.dpzero.sharp_tail import DIMENSIONS, ENOUGH_DIMENSIONS
from bounds.dpzero.smoothing import e_minus, e_plus
from bounds.lines import Reasoned, Step, line
from bounds.symbols import C, L, d, ell, grad_sq, introduce, lam, mean_grad_sq, r, symbols, trace
from bounds.theorem import Condition, Theorem

grad_smooth, bias_norm, slope, u_norm = symbols("grad_smooth bias_norm slope u_norm")

ROUGH = ("f(.; xi) is L-Lipschitz for every xi", *ON_F_S)
FREE = "alpha, T, C and lam are free: bounds.dpzero.sharp_schedule.sharp_plan picks them; T is an integer"
PRIVACY = "sigma need only make x_tau private, tau published or not, if neither the last iterate nor the path is published (bounds.mixture)"

REMAINDER = AT.remainder  # |difference - u'grad f| for one smooth sample
CONTRACTS = "alpha is too large or C too small: 1 - a must be positive, a = {value}, or the bound means nothing"


def sharp_theorem(
    key: str, title: str, *conditions: Condition, assumptions: tuple[str, ...], terms: Mapping[str, Any], **more: Any
) -> Theorem:
    """Return the bound of dpzero.sharp_descent with these terms as a theorem."""
    bound, a = AT.descent(**terms)
    return stated(
        key,
        title,
        "ours; DPZero's chain without conditioning",
        measure=MEASURE,
        assumptions=assumptions,
        bound=bound,
        any_schedule=bound,
        valid_if=(a < 1, *(one.relation for one in conditions)),
        step_size=a < 1,
        conditions=(Condition(a < 1, CONTRACTS), *conditions, below_trivial(bound)),
        measured=mean_grad_sq,
        **{"method": "dpzero", "notes": (FREE, PRIVACY), **more},
    )


CLIPPED = AT.clipped(k_1, k_2, k_3)
SMOOTH = dict[str, Any](assumptions=ASSUMPTION_3_5, terms=CLIPPED, definitions=ABBREVIATIONS, in_letters=(*H_IN_LETTERS, SHORT))
SCALED = SMOOTH | {"method": "dpgd_0th", "definitions": {**ABBREVIATIONS, "c_clip": THRESHOLD / sp.sqrt(d)}}
CLIP_BIAS = sharp_theorem("sharp_clip_bias", "DPZero with clipping counted in the mean", **SMOOTH)
DPGD_0TH = sharp_theorem("sharp_dpgd_0th", "DPGD-0th with clipping counted in the mean", **SCALED)
size_p = introduce("size_p", r"\mathbb{E}|p|", "mean of |u'grad F_S(x_t)|", 0, 1e3, "step")
shift = introduce("shift", r"\max|m-m_0|", "most that the remainders change the mean of the clipped differences", 0, 1e3, "step")
scalar_along = introduce("scalar_along", r"\mathbb{E}mp", "the same as step_along for DPZero, which clips differences", -1e6, 1e6, "step")
scalar_H = introduce("scalar_H", r"\mathbb{E}m^2w", "the same as step_H for DPZero, which clips differences", 0, 1e6, "step")


OF_SAMPLES = (*ON_H, SHORT_SAMPLES, BEYOND_SQ_SHOWN)


# --- samples that are smooth --------------------------------------------------------------------------------------------------------
def clip_bias_proof() -> Derivation:
    """Write the proof out."""
    clip = "dpzero.sharp_clip"
    facts = (
        *OF_SAMPLES,
        line("remainder", ((e_plus - e_minus) / (2 * lam)) ** 2, "<=", REMAINDER**2)
        .says("Eq. (16): a difference is within ell lam d / 2 of u'grad f(x_t; xi_i), two remainders over 2 lam")
        .shown("dpzero.lemma_c2", "error"),
        line("shift", shift**2, "<=", ((e_plus - e_minus) / (2 * lam)) ** 2)
        .says("so m is near m_0, the mean of clip_C(u'grad f(x_t; xi_i))")
        .reasoned("clip_C is 1-Lipschitz; the worst sample and direction", using=("remainder",)),
        line("along", step_along, ">=", clip_along - shift * size_p).says("E m p is that of m_0 up to |m - m_0|").reasoned("|m - m_0| |p|"),
        line("size_p", size_p, "<=", grad).says("E |p| is at most the root of E p^2 = G^2").reasoned("Lemma C.1 (ii), Jensen's inequality"),
        line("clip_direction", clip_along, ">=", (1 - k_1 / 2) * grad_sq - L * k_1 / 2 * grad)
        .says("the direction of m_0")
        .shown(clip, "direction"),
        line("clip_cross", clip_cross, "<=", ell * L * k_3).says("E |p| |m_0 - p| w over G").shown(clip, "cross"),
        line("clip_error", clip_error, "<=", ell * L**2 * k_2).says("E (m_0 - p)^2 w").shown(clip, "error"),
        sharp_descent.LEADING,
        sharp_descent.CAUCHY,
        *sharp_descent.four_terms(clip_cross, clip_error),
        line("rest_by_shift", rest_H, "<=", shift**2 * trace).says("E (m - m_0)^2 w, as E w = Tr(H)").reasoned("E uu' = I"),
    )
    size = sp.sqrt(r) * REMAINDER
    steps = (
        line("shift_value", shift, "<=", REMAINDER)
        .says("the remainders change the mean of the clipped differences by at most ell lam d / 2")
        .because("its square is at most the square of this")
        .by((1 / (REMAINDER + shift), "shift"), (1 / (REMAINDER + shift), "remainder")),
        sharp_descent.direction_step(
            "the direction of m_0, up to the remainders", "along", "clip_direction", (REMAINDER, "size_p"), (size_p, "shift_value")
        ),
        sharp_descent.SQUARE,
        line("rest", rest_H, "<=", ell * size**2)
        .says("the mean of e^2 w, the part by smoothing", "(m - m_0)^2 <= (ell lam d / 2)^2, Tr(H) <= r ell")
        .by("rest_by_shift", (trace, "shift"), (trace, "remainder"), (REMAINDER**2, "effective_rank")),
        *sharp_descent.length_steps(clip, "clip", clip_error, L * sp.sqrt(k_2), size),
    )
    along_scalar = {C: C / sp.sqrt(d), step_along: scalar_along, step_H: scalar_H}
    return sharp_descent.proof_of(CLIP_BIAS, CLIPPED, facts, steps, signs=sharp_clip.K_2, instances=(along_scalar,))


def dpgd_0th_proof() -> Derivation:
    """Write the proof out: dpzero.sharp_clip_bias at C / sqrt(d), and a noise vector, which dpzero.sharp_descent allows for."""
    at = {C: C / sp.sqrt(d), step_along: scalar_along, step_H: scalar_H}
    same = Reasoned("clip_C(s u) = clip_{C/sqrt(d)}(s) u, one scale factor; same directions, same m", using=("same_scale",))
    facts = (
        *OF_SAMPLES,
        ON_THE_SPHERE,
        line("scalar_direction", scalar_along, ">=", sharp_descent.ALONG)
        .says("dpzero.sharp_clip_bias at C / sqrt(d)")
        .shown("dpzero.sharp_clip_bias", "direction", at),
        line("scalar_length", scalar_H, "<=", sharp_descent.IN_NORM_OF_H)
        .says("dpzero.sharp_clip_bias at C / sqrt(d)")
        .shown("dpzero.sharp_clip_bias", "length", at),
        line("same_along", step_along, "=", scalar_along)
        .says("the step is m u, m the mean of differences clipped at C / sqrt(d)")
        .certified(same),
        line("same_H", step_H, "=", scalar_H).says("the step is m u, m the mean of differences clipped at C / sqrt(d)").certified(same),
    )
    steps = (
        line("same_scale", slope * u_norm / C, "=", slope / (C / sp.sqrt(d)))
        .says("Algorithm 1 clips as Algorithm 2 at C / sqrt(d): the size of a difference times ||u|| over C is that over C / sqrt(d)")
        .because("||u|| = sqrt(d)")
        .identity((slope / C, "on_the_sphere")),
        sharp_descent.direction_step("that of the other algorithm", "scalar_direction", modulo=((1, "same_along"),)),
        sharp_descent.length_step("that of the other algorithm", "scalar_length", modulo=((-1, "same_H"),)),
    )
    return sharp_descent.proof_of(DPGD_0TH, CLIPPED, facts, steps, signs=sharp_clip.K_2)


# --- samples that are Lipschitz only ------------------------------------------------------------------------------------------------
NON_SMOOTH = AT.lipschitz(j_1, j_2, j_3, e_smooth)
IN_LETTERS = (*H_IN_LETTERS, *BETWEEN_IN_LETTERS)
LIPSCHITZ = sharp_theorem(
    "sharp_lipschitz",
    "DPZero with Lipschitz samples and any smoothing radius",
    ENOUGH_DIMENSIONS,
    assumptions=ROUGH,
    terms=NON_SMOOTH,
    definitions={**ROUGH_ABBREVIATIONS, "e_smooth": DIFFERENCE},
    in_letters=IN_LETTERS,
)

UNCLIPPED = AT.unclipped(e_smooth)
NEVER = dict[str, Any](
    assumptions=ROUGH, terms=UNCLIPPED, definitions={"e_smooth": DIFFERENCE}, in_letters=(*IN_LETTERS, LIPSCHITZ_SAMPLES)
)
NONE_ABOVE_C = Condition(sp.Ge(C, L * sp.sqrt(d)), "C = {value} is below L sqrt(d) = {limit}, so a difference may be clipped")
NEVER_CLIP = sharp_theorem("sharp_never_clip", "DPZero with C = L sqrt(d), which never clips", NONE_ABOVE_C, **NEVER)
DPGD_0TH_NEVER_CLIP = sharp_theorem(
    "sharp_dpgd_0th_never_clip",
    "DPGD-0th with C = L d, which never clips (Theorems 1 and 2)",
    Condition(sp.Ge(C, L * d), "C = {value} is below L d = {limit}, so an estimate may be clipped"),
    **NEVER | {"method": "dpgd_0th"},
)
SMOOTHED = (
    *ON_H,
    *BETWEEN,
    line("smoothed", grad_smooth, ">=", grad_sq - bias_norm * grad)
    .says("E h u is the gradient of F_lam (Lemma C.2 (i); F_S is continuous), so E h p is the gradient times the smoothed one")
    .reasoned("Cauchy-Schwarz"),
    line("bias", bias_norm, "<=", RANK_BIAS).says("dpzero.sharp_bias (ii)").shown("dpzero.sharp_bias", "bound"),
    line("difference", difference_error, "<=", ell * DIFFERENCE**2)
    .says("dpzero.sharp_bias (iii)")
    .shown("dpzero.sharp_bias", "difference"),
    line("rest_is_difference", rest_H, "=", difference_error).says("e = h - p").reasoned("the same mean"),
    sharp_descent.LEADING,
    sharp_descent.CAUCHY,
)
REST = (
    line("rest", rest_H, "<=", ell * e_smooth**2)
    .says("the mean of e^2 w, the part by smoothing", "dpzero.sharp_bias (iii)")
    .by("difference", at=("e_smooth",), modulo=((-1, "rest_is_difference"),))
)


def lipschitz_proof() -> Derivation:
    """Write the proof out."""
    rough = "dpzero.sharp_clip_lipschitz"
    facts = (
        *SMOOTHED,
        DIMENSIONS,
        BEYOND_SQ_SHOWN,
        line("beyond_fourth", beyond_fourth(c), ">", 0).says("E (|N| - c)_+^4 as it is computed").shown(rough, "beyond_fourth"),
        line("beyond_sq_N", beyond_squared(c) + 2 * beyond(c), ">", 0).says("E (|N| - c)_+^2 N^2").shown(rough, "beyond_sq_N"),
        line("along", step_along, ">=", grad_smooth - rough_tilt * grad)
        .says("E m p is E h p up to what clipping moves")
        .reasoned("|E (m - h) p|"),
        line("rough_tilt", rough_tilt, "<=", L * j_1).says("dpzero.sharp_clip_lipschitz (i), for every lam").shown(rough, "bound"),
        line("rough_error", rough_error, "<=", ell * L**2 * j_2).says("E (m - h)^2 w").shown(rough, "error"),
        line("rough_cross", rough_cross, "<=", ell * L * j_3).says("E |m - h| |p| w over G").shown(rough, "cross"),
        *sharp_descent.four_terms(rough_cross, rough_error),
    )
    steps = (
        sharp_descent.direction_step("clipping and smoothing", "along", "smoothed", (grad, "bias"), (grad, "rough_tilt")),
        sharp_descent.SQUARE,
        REST,
        *sharp_descent.length_steps(rough, "rough", rough_error, L * sp.sqrt(j_2), e_smooth),
    )
    return sharp_descent.proof_of(LIPSCHITZ, NON_SMOOTH, facts, steps, signs=SIGNS)


def _unclipped(theorem: Theorem, facts: tuple[Step, ...], never: Step) -> Derivation:
    """Return the proof where nothing is clipped: m = h, so b = 0."""
    using = (never.name, "square")
    return sharp_descent.proof_of(
        theorem,
        UNCLIPPED,
        (
            *SMOOTHED,
            *facts,
            line("along", step_along, "=", grad_smooth).says("m = h, so E m p = E h p").reasoned("nothing is clipped", using=(never.name,)),
            line("split", step_H, "<=", grad_sq * lead_unit + 2 * grad * rest_cross + rest_H)
            .says("m = p + e: the means of the three terms of m^2 w")
            .reasoned("the expectation of the square times w, b = m - h = 0", using=using),
        ),
        (
            never,
            sharp_descent.direction_step("smoothing alone", "smoothed", (grad, "bias"), modulo=((1, "along"),)),
            sharp_descent.SQUARE,
            REST,
            sharp_descent.rest_cross_step(e_smooth),
            sharp_descent.length_step("the three terms", "split", (grad_sq, "leading"), (2 * grad, "rest_cross"), "rest"),
        ),
    )


def never_clip_proof() -> Derivation:
    """Write the proof out."""
    never = (
        line("never_clipped", slope, "<=", C)
        .says("no difference is clipped: the size of a two-point difference is at most C", "|difference| <= L ||u|| = L sqrt(d)")
        .by("threshold", "lipschitz", modulo=((-L, "on_the_sphere"),))
    )
    threshold = line("threshold", C, ">=", L * sp.sqrt(d)).says("C >= L sqrt(d)").assumed()
    return _unclipped(NEVER_CLIP, (IS_LIPSCHITZ, threshold, ON_THE_SPHERE), never)


def dpgd_0th_never_clip_proof() -> Derivation:
    """Write the proof out: as `never_clip_proof`, same directions, same m, a noise vector as in `dpgd_0th_proof`."""
    return _unclipped(DPGD_0TH_NEVER_CLIP, NEVER_CLIPS, NEVER_CLIPPED)
