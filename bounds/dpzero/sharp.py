"""The sharper theorems: DPZero without a bound on the loss, with a threshold of a few L instead of tens, for every alpha, T, C, lam.

Setting   Assumption 3.5, or less; no bound B on the loss, which may be unbounded.
Method    Algorithms 1, 2 and DP-GD with any alpha, T, C, lam, sigma. For (epsilon, delta)-DP of x_tau it is enough to calibrate sigma
          exactly, for the T - 1 releases that x_tau can depend on (S5; `bounds.privacy.releases_before_uniform_iterate`).
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0..T-1.
Source    ours; the theorems of DPZero with the strengthenings S1 to S6 and without the conditioning on "nothing was clipped".

    sharp_clip_bias    Assumption 3.5. Elementary throughout.                                         (S4, S5, S6)
    sharp_lipschitz    samples Lipschitz only; lam need not shrink with d. Rests on isoperimetry.     (S1, S2, S5, S6)
    sharp_never_clip   samples Lipschitz only, C = L sqrt(d). Elementary.                             (S2, S3, S5, S6)
    sharp_start        T = 1: x_0 itself, which needs no privacy.
    sharp_dpgd_0th, sharp_dpgd_0th_never_clip     the same for DPGD-0th.
    sharp_dp_gd        samples Lipschitz and differentiable: the mean of subgradients need not be grad F_S. Elementary. (S5, S6)

Where they are small: as alpha -> 0 with alpha T = t fixed, the bound of sharp_clip_bias tends to the y^2 with
(1 - k_1/2) y^2 - (k_1 L / 2) y = gap / t + t ell r (2 C / (n mu))^2 / 2, mu = mu_gaussian(epsilon, delta), k_1 = P(|N| > C / L): about
2 C sqrt(2 ell gap r) / (n mu). DP-GD has L in place of C, so the price of two function values per sample is the factor C / L, 2 to 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from bounds.dpzero.common import ASSUMPTION_3_5, below_trivial
from bounds.dpzero.shared import LIPSCHITZ as LIPSCHITZ_SAMPLES
from bounds.dpzero.sharp_bias import BETWEEN_IN_LETTERS, DIFFERENCE, RANK_BIAS, e_smooth
from bounds.dpzero.sharp_clip import ABBREVIATIONS, SHORT, k_1, k_2, k_3
from bounds.dpzero.sharp_common import H_IN_LETTERS, R2, THRESHOLD
from bounds.dpzero.sharp_contents import DERIVATIONS, THEOREMS
from bounds.dpzero.sharp_descent import guarantee
from bounds.dpzero.sharp_numbers import MEASURE, MEASURE_START
from bounds.dpzero.sharp_rough import ABBREVIATIONS as ROUGH_ABBREVIATIONS
from bounds.dpzero.sharp_rough import j_1, j_2, j_3
from bounds.dpzero.sharp_tail import ENOUGH_DIMENSIONS
from bounds.symbols import C, L, Letter, Min, alpha, d, ell, gap, introduce, lam, r, symbols
from bounds.theorem import Condition, Theorem

(mean_grad_sq,) = symbols("mean_grad_sq")
sample_norm = introduce(Letter("sample_norm", r"\|\nabla f(x_t;\xi_i)\|", "norm of the gradient of a sample", 0, 1e3, "proof"))
start_sq = introduce(Letter("start_sq", r"\|\nabla F_S(x_0)\|^2", "squared norm of the gradient at the start", 0, 1e6, "proof"))

ROUGH = ("f(.; xi) is L-Lipschitz for every xi", *ASSUMPTION_3_5[1:])
WITH_GRADIENTS = ("f(.; xi) is L-Lipschitz and differentiable for every xi", *ASSUMPTION_3_5[1:])  # their mean is grad F_S
FREE = "alpha, T, C and lam are free: bounds.choose.sharp_plan picks them; T is an integer"
PRIVACY = "sigma need only cover T - 1 releases, and only if x_tau alone is published, not the last iterate and not the path"

REMAINDER = ell * lam * d / 2  # |difference - u'grad f| for one smooth sample


CONTRACTS = "alpha is too large or C too small: 1 - a must be positive, a = {value}, or the bound means nothing"


def _theorem(key: str, title: str, assumptions: tuple[str, ...], terms: Mapping[str, Any], *conditions: Condition, **more: Any) -> Theorem:
    bound, a = guarantee(**terms), terms["shrink"] + alpha * ell * terms.get("weight", R2) / 2
    return Theorem(
        key=f"dpzero.{key}",
        title=title,
        source="ours; DPZero's chain without conditioning",
        claim="upper",
        measure=MEASURE,
        assumptions=assumptions,
        bound=bound,
        any_schedule=bound,
        valid_if=(a < 1, *(one.relation for one in conditions)),
        conditions=(Condition(a < 1, CONTRACTS), *conditions, below_trivial(bound)),
        measured=mean_grad_sq,
        **{"method": "dpzero", "notes": (FREE, PRIVACY), **more},
    )


CLIPPED = {
    "shrink": k_1 / 2,
    "bias": L * k_1 / 2 + REMAINDER,
    "cross": L * k_3 + sp.sqrt(r * R2) * REMAINDER,
    "length": L * sp.sqrt(k_2) + sp.sqrt(r) * REMAINDER,
}
CLIP_BIAS = _theorem(
    "sharp_clip_bias",
    "DPZero with clipping counted in the mean",
    ASSUMPTION_3_5,
    CLIPPED,
    definitions=ABBREVIATIONS,
    in_letters=(*H_IN_LETTERS, SHORT),
)

NON_SMOOTH = {
    "shrink": sp.Integer(0),
    "bias": L * j_1 + RANK_BIAS,
    "cross": L * j_3 + sp.sqrt(R2) * e_smooth,
    "length": L * sp.sqrt(j_2) + e_smooth,
}
LIPSCHITZ = _theorem(
    "sharp_lipschitz",
    "DPZero with Lipschitz samples and any smoothing radius",
    ROUGH,
    NON_SMOOTH,
    ENOUGH_DIMENSIONS,
    definitions={**ROUGH_ABBREVIATIONS, "e_smooth": DIFFERENCE},
    in_letters=(*H_IN_LETTERS, *BETWEEN_IN_LETTERS),
)

UNCLIPPED = {"shrink": sp.Integer(0), "bias": RANK_BIAS, "cross": sp.sqrt(R2) * e_smooth, "length": e_smooth}
UNCLIPPED_IN_LETTERS = (*H_IN_LETTERS, *BETWEEN_IN_LETTERS, LIPSCHITZ_SAMPLES)
NEVER_CLIPS = Condition(sp.Ge(C, L * sp.sqrt(d)), "C = {value} is below L sqrt(d) = {limit}, so a difference may be clipped")
NEVER_CLIP = _theorem(
    "sharp_never_clip",
    "DPZero with C = L sqrt(d), which never clips",
    ROUGH,
    UNCLIPPED,
    NEVER_CLIPS,
    definitions={"e_smooth": DIFFERENCE},
    in_letters=UNCLIPPED_IN_LETTERS,
)

DPGD_0TH = _theorem(
    "sharp_dpgd_0th",
    "DPGD-0th with clipping counted in the mean",
    ASSUMPTION_3_5,
    CLIPPED,
    method="dpgd_0th",
    definitions={**ABBREVIATIONS, "c_clip": THRESHOLD / sp.sqrt(d)},
    in_letters=(*H_IN_LETTERS, SHORT),
)
DPGD_0TH_NEVER_CLIP = _theorem(
    "sharp_dpgd_0th_never_clip",
    "DPGD-0th with C = L d, which never clips (Theorems 1 and 2)",
    ROUGH,
    UNCLIPPED,
    Condition(sp.Ge(C, L * d), "C = {value} is below L d = {limit}, so an estimate may be clipped"),
    method="dpgd_0th",
    definitions={"e_smooth": DIFFERENCE},
    in_letters=UNCLIPPED_IN_LETTERS,
)
FIRST_ORDER = {"shrink": sp.Integer(0), "bias": sp.Integer(0), "cross": sp.Integer(0), "length": sp.Integer(0), "weight": sp.Integer(1)}
DP_GD = _theorem(
    "sharp_dp_gd",
    "DP-GD with C = L, which never clips (the row of Table 1 that the paper does not derive)",
    WITH_GRADIENTS,
    FIRST_ORDER,
    Condition(sp.Ge(C, L), "C = {value} is below L = {limit}, so a gradient may be clipped"),
    method="dp_gd",
    in_letters=(*H_IN_LETTERS, sp.Le(sample_norm, L)),
)
START = Theorem(
    key="dpzero.sharp_start",
    title="the starting point, published as it is (T = 1)",
    source="ours; in place of Remark F.5",
    claim="upper",
    measure=MEASURE_START,
    assumptions=("F_S is L-Lipschitz and ell-smooth", "F_S has a smallest value"),
    bound=Min(L**2, 2 * ell * gap),
    any_schedule=Min(L**2, 2 * ell * gap),
    method="dpzero",
    notes=("x_0 does not depend on the data: no noise, no step",),
    measured=start_sq,
    in_letters=(sp.Le(start_sq, L**2),),
)

__all__ = ["DERIVATIONS", "THEOREMS"]
