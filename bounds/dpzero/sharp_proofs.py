"""The proofs of the sharper theorems: each derives the two hypotheses of dpzero.sharp_descent for its terms, and inserts them.

Setting   that of `bounds.dpzero.sharp_terms`, which has the lines that the proofs share.
Source    ours.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import GIVENS, Assumed, Cited, Derivation, Identity, NonNegative, Reasoned, Shown, Step, fact, line
from bounds.dpzero import sharp
from bounds.dpzero.shared import IS_LIPSCHITZ, NEVER_CLIPS, never_clipped
from bounds.dpzero.sharp import CLIPPED, FIRST_ORDER, NON_SMOOTH, REMAINDER, UNCLIPPED, sample_norm, start_sq
from bounds.dpzero.sharp_bias import BETWEEN, DIFFERENCE, RANK_BIAS, difference_error, e_smooth
from bounds.dpzero.sharp_clip import SHORT_SAMPLES, clip_along, clip_cross, clip_error, k_1, k_2, k_3
from bounds.dpzero.sharp_common import NORM, RANK, beyond, beyond_fourth, beyond_squared, c, grad, lead_unit, unit_H
from bounds.dpzero.sharp_descent import bias, cross, length, shrink, step_along, step_H, stretch
from bounds.dpzero.sharp_moments import beyond_sq_shown
from bounds.dpzero.sharp_rough import SIGNS, j_1, j_2, j_3, rough_cross, rough_error, rough_tilt
from bounds.dpzero.sharp_tail import DIMENSIONS
from bounds.dpzero.sharp_terms import (
    CAUCHY,
    LEADING,
    SQUARE,
    direction_step,
    joint_steps,
    length_step,
    minkowski,
    proof_of,
    rest_cross,
    rest_cross_step,
    rest_H,
    split,
)
from bounds.dpzero.smoothing import e_minus, e_plus
from bounds.meanings import GAP, ON_THE_SPHERE
from bounds.symbols import C, L, Letter, d, ell, gap, introduce, lam, r, symbols, trace
from bounds.theorem import Theorem

F_first, F_star, grad_sq = symbols("F_first F_star grad_sq")
grad_smooth, bias_norm, slope, u_norm = symbols("grad_smooth bias_norm slope u_norm")
size_p = introduce(Letter("size_p", r"\mathbb{E}|p|", "mean of |u'grad F_S(x_t)|", 0, 1e3, "step"))
shift = introduce(Letter("shift", r"\max|m-m_0|", "most that the remainders change the mean of the clipped differences", 0, 1e3, "step"))
scalar_along = introduce(
    Letter("scalar_along", r"\mathbb{E}mp", "the same as step_along for DPZero, which clips differences", -1e6, 1e6, "step")
)
scalar_H = introduce(Letter("scalar_H", r"\mathbb{E}m^2w", "the same as step_H for DPZero, which clips differences", 0, 1e6, "step"))


K_2 = {"k_2": ("beyond_sq",)}  # lines that show the signs of what the theorems abbreviate


# --- samples that are smooth --------------------------------------------------------------------------------------------------------
def clip_bias_proof() -> Derivation:
    """Write the proof out."""
    clip = "dpzero.sharp_clip"
    facts = (
        RANK,
        NORM,
        SHORT_SAMPLES,
        beyond_sq_shown(),
        fact(
            "remainder",
            "Eq. (16): a difference is within ell lam d / 2 of u'grad f(x_t; xi_i), two remainders over 2 lam",
            ((e_plus - e_minus) / (2 * lam)) ** 2,
            "<=",
            REMAINDER**2,
            Shown("dpzero.lemma_c2", "error"),
        ),
        fact(
            "shift",
            "so m is near m_0, the mean of clip_C(u'grad f(x_t; xi_i))",
            shift**2,
            "<=",
            ((e_plus - e_minus) / (2 * lam)) ** 2,
            Reasoned("clip_C is 1-Lipschitz; the worst sample and direction", using=("remainder",)),
        ),
        fact("along", "E m p is that of m_0 up to |m - m_0|", step_along, ">=", clip_along - shift * size_p, Reasoned("|m - m_0| |p|")),
        fact("size_p", "E |p| is at most the root of E p^2 = G^2", size_p, "<=", grad, Reasoned("Lemma C.1 (ii), Jensen's inequality")),
        fact(
            "clip_direction",
            "the direction of m_0",
            clip_along,
            ">=",
            (1 - k_1 / 2) * grad_sq - L * k_1 / 2 * grad,
            Shown(clip, "direction"),
        ),
        fact("clip_cross", "E |p| |m_0 - p| w over G", clip_cross, "<=", ell * L * k_3, Shown(clip, "cross")),
        fact("clip_error", "E (m_0 - p)^2 w", clip_error, "<=", ell * L**2 * k_2, Shown(clip, "error")),
        LEADING,
        CAUCHY,
        split(clip_cross),
        minkowski(clip_error),
        fact("rest_by_shift", "E (m - m_0)^2 w, as E w = Tr(H)", rest_H, "<=", shift**2 * trace, Reasoned("E uu' = I")),
    )
    size = sp.sqrt(r) * REMAINDER
    steps = (
        line(
            "shift_value",
            "the remainders change the mean of the clipped differences by at most ell lam d / 2",
            shift,
            "<=",
            REMAINDER,
            "its square is at most the square of this",
            NonNegative(((1 / (REMAINDER + shift), "shift"), (1 / (REMAINDER + shift), "remainder"))),
            where=GIVENS,
        ),
        direction_step(
            "the direction of m_0, up to the remainders",
            ("along",),
            ("clip_direction",),
            (REMAINDER, "size_p"),
            (size_p, "shift_value"),
        ),
        SQUARE,
        line(
            "rest",
            "the mean of e^2 w, the part by smoothing",
            rest_H,
            "<=",
            ell * size**2,
            "(m - m_0)^2 <= (ell lam d / 2)^2, Tr(H) <= r ell",
            NonNegative((("rest_by_shift",), (trace, "shift"), (trace, "remainder"), (REMAINDER**2, "effective_rank"))),
            where=GIVENS,
        ),
        rest_cross_step(size),
        *joint_steps(clip_error, "clip_error", L * sp.sqrt(k_2), size),
        length_step(
            "the four terms, with dpzero.sharp_clip (ii), (iii)",
            ("split",),
            (grad_sq, "leading"),
            (2 * grad, "clip_cross"),
            (2 * grad, "rest_cross"),
            ("joint",),
        ),
    )
    along_scalar = {C: C / sp.sqrt(d), step_along: scalar_along, step_H: scalar_H}
    return proof_of(sharp.CLIP_BIAS, CLIPPED, facts, steps, signs=K_2, instances=(along_scalar,))


def dpgd_0th_proof() -> Derivation:
    """Write the proof out: dpzero.sharp_clip_bias at C / sqrt(d), and a noise vector, which dpzero.sharp_descent allows for."""
    at = {C: C / sp.sqrt(d), step_along: scalar_along, step_H: scalar_H}
    same = Reasoned("clip_C(s u) = clip_{C/sqrt(d)}(s) u, one scale factor; same directions, same m", using=("same_scale",))
    facts = (
        RANK,
        NORM,
        SHORT_SAMPLES,
        beyond_sq_shown(),
        ON_THE_SPHERE,
        fact(
            "scalar_direction",
            "dpzero.sharp_clip_bias at C / sqrt(d)",
            scalar_along,
            ">=",
            (1 - shrink) * grad_sq - bias * grad,
            Shown("dpzero.sharp_clip_bias", "direction", at),
        ),
        fact(
            "scalar_length",
            "dpzero.sharp_clip_bias at C / sqrt(d)",
            scalar_H,
            "<=",
            ell * (stretch * grad_sq + 2 * cross * grad + length**2),
            Shown("dpzero.sharp_clip_bias", "length", at),
        ),
        fact("same_along", "the step is m u, m the mean of differences clipped at C / sqrt(d)", step_along, "=", scalar_along, same),
        fact("same_H", "the step is m u, m the mean of differences clipped at C / sqrt(d)", step_H, "=", scalar_H, same),
    )
    steps = (
        line(
            "same_scale",
            "Algorithm 1 clips as Algorithm 2 at C / sqrt(d): the size of a difference times ||u|| over C is that over C / sqrt(d)",
            slope * u_norm / C,
            "=",
            slope / (C / sp.sqrt(d)),
            "||u|| = sqrt(d)",
            Identity(modulo=((slope / C, "on_the_sphere"),)),
            where=GIVENS,
        ),
        direction_step("that of the other algorithm", ("scalar_direction",), modulo=((1, "same_along"),)),
        length_step("that of the other algorithm", ("scalar_length",), modulo=((-1, "same_H"),)),
    )
    return proof_of(sharp.DPGD_0TH, CLIPPED, facts, steps, signs=K_2)


# --- samples that are Lipschitz only ------------------------------------------------------------------------------------------------
SMOOTHED = (
    RANK,
    NORM,
    *BETWEEN,
    fact(
        "smoothed",
        "E h u is the gradient of F_lam (Lemma C.2 (i); F_S is continuous), so E h p is the gradient times the smoothed one",
        grad_smooth,
        ">=",
        grad_sq - bias_norm * grad,
        Reasoned("Cauchy-Schwarz"),
    ),
    fact("bias", "dpzero.sharp_bias (ii)", bias_norm, "<=", RANK_BIAS, Shown("dpzero.sharp_bias", "bound")),
    fact("difference", "dpzero.sharp_bias (iii)", difference_error, "<=", ell * DIFFERENCE**2, Shown("dpzero.sharp_bias", "difference")),
    fact("rest_is_difference", "e = h - p", rest_H, "=", difference_error, Reasoned("the same mean")),
    LEADING,
    CAUCHY,
)
REST = line(
    "rest",
    "the mean of e^2 w, the part by smoothing",
    rest_H,
    "<=",
    ell * e_smooth**2,
    "dpzero.sharp_bias (iii)",
    NonNegative((("difference",),), at=("e_smooth",), modulo=((-1, "rest_is_difference"),)),
    where=GIVENS,
)


def lipschitz_proof() -> Derivation:
    """Write the proof out."""
    rough = "dpzero.sharp_clip_lipschitz"
    facts = (
        *SMOOTHED,
        DIMENSIONS,
        beyond_sq_shown(),
        fact("beyond_fourth", "E (|N| - c)_+^4 as it is computed", beyond_fourth(c), ">", 0, Shown(rough, "beyond_fourth")),
        fact("beyond_sq_N", "E (|N| - c)_+^2 N^2", beyond_squared(c) + 2 * beyond(c), ">", 0, Shown(rough, "beyond_sq_N")),
        fact(
            "along",
            "E m p is E h p up to what clipping moves",
            step_along,
            ">=",
            grad_smooth - rough_tilt * grad,
            Reasoned("|E (m - h) p|"),
        ),
        fact("rough_tilt", "dpzero.sharp_clip_lipschitz (i), for every lam", rough_tilt, "<=", L * j_1, Shown(rough, "bound")),
        fact("rough_error", "E (m - h)^2 w", rough_error, "<=", ell * L**2 * j_2, Shown(rough, "error")),
        fact("rough_cross", "E |m - h| |p| w over G", rough_cross, "<=", ell * L * j_3, Shown(rough, "cross")),
        split(rough_cross),
        minkowski(rough_error),
    )
    steps = (
        direction_step("clipping and smoothing", ("along",), ("smoothed",), (grad, "bias"), (grad, "rough_tilt")),
        SQUARE,
        REST,
        rest_cross_step(e_smooth),
        *joint_steps(rough_error, "rough_error", L * sp.sqrt(j_2), e_smooth),
        length_step(
            "the four terms, with dpzero.sharp_clip_lipschitz (ii), (iii)",
            ("split",),
            (grad_sq, "leading"),
            (2 * grad, "rough_cross"),
            (2 * grad, "rest_cross"),
            ("joint",),
        ),
    )
    return proof_of(sharp.LIPSCHITZ, NON_SMOOTH, facts, steps, signs=SIGNS)


def _unclipped(theorem: Theorem, facts: tuple[Step, ...], never: Step) -> Derivation:
    """Return the proof where nothing is clipped: m = h, so b = 0."""
    using = (never.name, "square")
    return proof_of(
        theorem,
        UNCLIPPED,
        (
            *SMOOTHED,
            *facts,
            fact("along", "m = h, so E m p = E h p", step_along, "=", grad_smooth, Reasoned("nothing is clipped", using=(never.name,))),
            fact(
                "split",
                "m = p + e: the means of the three terms of m^2 w",
                step_H,
                "<=",
                grad_sq * lead_unit + 2 * grad * rest_cross + rest_H,
                Reasoned("the expectation of the square times w, b = m - h = 0", using=using),
            ),
        ),
        (
            never,
            direction_step("smoothing alone", ("smoothed",), (grad, "bias"), modulo=((1, "along"),)),
            SQUARE,
            REST,
            rest_cross_step(e_smooth),
            length_step("the three terms", ("split",), (grad_sq, "leading"), (2 * grad, "rest_cross"), ("rest",)),
        ),
    )


def never_clip_proof() -> Derivation:
    """Write the proof out."""
    never = line(
        "never_clipped",
        "no difference is clipped: the size of a two-point difference is at most C",
        slope,
        "<=",
        C,
        "|difference| <= L ||u|| = L sqrt(d)",
        NonNegative((("threshold",), ("lipschitz",)), modulo=((-L, "on_the_sphere"),)),
        where=GIVENS,
    )
    threshold = fact("threshold", "C >= L sqrt(d)", C, ">=", L * sp.sqrt(d), Assumed())
    return _unclipped(sharp.NEVER_CLIP, (IS_LIPSCHITZ, threshold, ON_THE_SPHERE), never)


def dpgd_0th_never_clip_proof() -> Derivation:
    """Write the proof out: as `never_clip_proof`, same directions, same m, a noise vector as in `dpgd_0th_proof`."""
    return _unclipped(sharp.DPGD_0TH_NEVER_CLIP, NEVER_CLIPS, never_clipped())


# --- first order, and no step at all ------------------------------------------------------------------------------------------------
def dp_gd_proof() -> Derivation:
    """Write the proof out."""
    unclipped = "the step is along grad F_S + z, z ~ N(0, sigma^2 I), and"
    using = ("never_clipped",)
    facts = (
        RANK,
        NORM,
        fact("short_samples", "the gradient of a sample is at most L long", sample_norm, "<=", L, Assumed()),
        fact("threshold", "C >= L", C, ">=", L, Assumed()),
        fact(
            "along",
            f"{unclipped} the mean of the samples' gradients is grad F_S",
            step_along,
            "=",
            grad_sq,
            Reasoned("f(.; xi) is differentiable; subgradients would do for the bound L, not for the mean", using),
        ),
        fact(
            "in_norm_of_H",
            f"{unclipped} g'Hg is G^2 times that of a unit vector",
            step_H,
            "=",
            grad_sq * unit_H,
            Reasoned("g = G a", using),
        ),
    )
    steps = (
        line(
            "never_clipped",
            "nothing is clipped: the norm of the gradient of a sample is at most C",
            sample_norm,
            "<=",
            C,
            "||grad f|| <= L <= C",
            NonNegative((("short_samples",), ("threshold",))),
            where=GIVENS,
        ),
        direction_step("it is along the gradient", modulo=((1, "along"),)),
        length_step("H <= ell I", (grad_sq, "norm_of_H"), modulo=((-1, "in_norm_of_H"),)),
    )
    return proof_of(sharp.DP_GD, FIRST_ORDER, facts, steps)


def start_proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        sharp.START.key,
        sharp.START.title,
        "ours",
        facts=(
            fact("lipschitz", "F_S is L-Lipschitz: its gradient at x_0 is at most L long", start_sq, "<=", L**2, Assumed()),
            fact(
                "descent",
                "F_S^* <= F_S(x_0 - g / ell) <= F_S(x_0) - ||g||^2 / (2 ell), g the gradient at x_0",
                F_star,
                "<=",
                F_first - start_sq / (2 * ell),
                Cited("the descent lemma, Nesterov (2018), Lemma 1.2.3: F_S is ell-smooth on all of R^d"),
            ),
            GAP,
        ),
        steps=(
            line(
                "steep",
                "the squared norm of the gradient at the start",
                start_sq,
                "<=",
                2 * ell * gap,
                "2 ell times the descent lemma",
                NonNegative(((2 * ell, "descent"),), modulo=((2 * ell, "gap"),)),
                where=GIVENS,
            ),
            line(
                "bound",
                "the squared norm of the gradient at the start, by both",
                start_sq,
                "<=",
                sharp.START.bound,
                "the smaller of two upper bounds",
                Reasoned("what is at most both is at most the smaller", using=("lipschitz", "steep")),
                where=GIVENS,
            ),
        ),
        proves=sharp.START,
    )
