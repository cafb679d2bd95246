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

from bounds.derivation import Derivation, Identity, Reasoned, Step
from bounds.dpzero.common import ASSUMPTION_3_5, below_trivial
from bounds.dpzero.sharp_bias import DIFFERENCE, RANK_BIAS
from bounds.dpzero.sharp_clip import K1, K2, K3
from bounds.dpzero.sharp_common import R2, grad, line, numbered, words
from bounds.dpzero.sharp_contents import DERIVATIONS, THEOREMS
from bounds.dpzero.sharp_descent import GENERIC, bias, cross, guarantee, length, shrink
from bounds.dpzero.sharp_numbers import MEASURE, MEASURE_START
from bounds.dpzero.sharp_rough import J1, J2, J3
from bounds.dpzero.sharp_tail import ENOUGH_DIMENSIONS
from bounds.symbols import C, L, Min, alpha, d, ell, gap, lam, r, sigma
from bounds.theorem import Condition, Theorem

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
        **{"method": "dpzero", "notes": (FREE, PRIVACY), **more},
    )


CLIPPED = {
    "shrink": K1 / 2,
    "bias": L * K1 / 2 + REMAINDER,
    "cross": L * K3 + sp.sqrt(r * R2) * REMAINDER,
    "length": L * sp.sqrt(K2) + sp.sqrt(r) * REMAINDER,
}
CLIP_BIAS = _theorem("sharp_clip_bias", "DPZero with clipping counted in the mean", ASSUMPTION_3_5, CLIPPED)

NON_SMOOTH = {
    "shrink": sp.Integer(0),
    "bias": L * J1 + RANK_BIAS,
    "cross": L * J3 + sp.sqrt(R2) * DIFFERENCE,
    "length": L * sp.sqrt(J2) + DIFFERENCE,
}
LIPSCHITZ = _theorem("sharp_lipschitz", "DPZero with Lipschitz samples and any smoothing radius", ROUGH, NON_SMOOTH, ENOUGH_DIMENSIONS)

UNCLIPPED = {"shrink": sp.Integer(0), "bias": RANK_BIAS, "cross": sp.sqrt(R2) * DIFFERENCE, "length": DIFFERENCE}
NEVER_CLIPS = Condition(sp.Ge(C, L * sp.sqrt(d)), "C = {value} is below L sqrt(d) = {limit}, so a difference may be clipped")
NEVER_CLIP = _theorem("sharp_never_clip", "DPZero with C = L sqrt(d), which never clips", ROUGH, UNCLIPPED, NEVER_CLIPS)

DPGD_0TH = _theorem(
    "sharp_dpgd_0th",
    "DPGD-0th with clipping counted in the mean",
    ASSUMPTION_3_5,
    {name: sp.sympify(term).subs(C, C / sp.sqrt(d)) for name, term in CLIPPED.items()},
    method="dpgd_0th",
)
DPGD_0TH_NEVER_CLIP = _theorem(
    "sharp_dpgd_0th_never_clip",
    "DPGD-0th with C = L d, which never clips (Theorems 1 and 2)",
    ROUGH,
    UNCLIPPED,
    Condition(sp.Ge(C, L * d), "C = {value} is below L d = {limit}, so an estimate may be clipped"),
    method="dpgd_0th",
)
FIRST_ORDER = {"shrink": sp.Integer(0), "bias": sp.Integer(0), "cross": sp.Integer(0), "length": sp.Integer(0), "weight": sp.Integer(1)}
DP_GD = _theorem(
    "sharp_dp_gd",
    "DP-GD with C = L, which never clips (the row of Table 1 that the paper does not derive)",
    WITH_GRADIENTS,
    FIRST_ORDER,
    Condition(sp.Ge(C, L), "C = {value} is below L = {limit}, so a gradient may be clipped"),
    method="dp_gd",
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
)

# --- the proofs: each inserts its terms in dpzero.sharp_descent ---------------------------------------------------------------------
p, b, e = sp.symbols("p b e", real=True)
LETTERS = {letter: (-100, 100) for letter in (p, b, e)}
HYPOTHESES = {"shrink": shrink, "bias": bias, "cross": cross, "length": length}


def inserted(terms: Mapping[str, Any]) -> Any:
    """Return the bound of dpzero.sharp_descent with these terms in place of its letters."""
    generic = GENERIC if "weight" not in terms else guarantee(**HYPOTHESES, weight=terms["weight"])
    return generic.subs({letter: terms[name] for name, letter in HYPOTHESES.items()}, simultaneous=True)


def _proof(theorem: Theorem, terms: Mapping[str, Any], *steps: Step) -> Derivation:
    # no left side: an attack would expand the square of the root and call erfc some hundred times a point. A test compares instead
    last = Step(
        0, "so dpzero.sharp_descent gives the bound", None, "<=", inserted(terms), "its two hypotheses", Reasoned("insert the terms")
    )
    return Derivation(theorem.key, theorem.title, "ours", numbered(*steps, last, ranges=LETTERS), proves=theorem.key)


SPLIT = line(
    "square m = p + b + e with b = m_0 - p, e = m - m_0",
    (p + b + e) ** 2,
    "=",
    p**2 + 2 * p * b + 2 * p * e + (b + e) ** 2,
    "the means of the four terms against w are bounded one by one, the last by Minkowski's inequality",
    Identity(),
)


def clip_bias_proof() -> Derivation:
    """Write the proof out."""
    return _proof(
        CLIP_BIAS,
        CLIPPED,
        line(
            "a difference is within ell lam d / 2 of u'grad f(x_t; xi_i)  (Eq. 16)",
            2 * ell * lam**2 * d / 2 / (2 * lam),
            "=",
            REMAINDER,
            "two remainders of at most ell lam^2 ||u||^2 / 2 each, over 2 lam",
            Identity(),
        ),
        words(
            "so m is within ell lam d / 2 of m_0, the mean of clip_C(u'grad f(x_t; xi_i))",
            "clip_C moves by no more than its argument",
            Reasoned("clip_C is 1-Lipschitz"),
        ),
        words(
            "E m p >= (1 - k_1/2) G^2 - (L k_1/2 + ell lam d/2) G",
            "dpzero.sharp_clip (i), and E |p| <= G",
            Reasoned("the gradients of the samples have norm at most L and mean grad F_S"),
        ),
        SPLIT,
        words(
            "E p^2 w <= ell R2 G^2;  E |p| |m_0 - p| w <= ell L k_3 G;  E (m_0 - p)^2 w <= ell L^2 k_2",
            "dpzero.sharp_descent, step 4, and dpzero.sharp_clip (ii), (iii)",
            Reasoned("shown there"),
        ),
        line(
            "E |p| |m - m_0| w <= (E p^2 w)^(1/2) (E (m - m_0)^2 w)^(1/2), with (m - m_0)^2 <= (ell lam d / 2)^2 and E w <= r ell",
            sp.sqrt(ell * R2 * grad**2) * sp.sqrt(REMAINDER**2 * r * ell),
            "=",
            ell * sp.sqrt(r * R2) * REMAINDER * grad,
            "Cauchy-Schwarz",
            Identity(),
        ),
    )


def lipschitz_proof() -> Derivation:
    """Write the proof out."""
    return _proof(
        LIPSCHITZ,
        NON_SMOOTH,
        words(
            "E h p >= G^2 - G ||grad F_S - grad F_lam||, h the mean of the unclipped differences",
            "E h u = grad F_lam (Lemma C.2 (i); F_S is continuous), the bias is dpzero.sharp_bias (ii)",
            Reasoned("Cauchy-Schwarz"),
        ),
        words("E m p >= E h p - L G j_1", "dpzero.sharp_clip_lipschitz (i)", Reasoned("shown there, for every lam")),
        SPLIT,
        words(
            "here b = m - h and e = h - p: E |p| |m - h| w <= ell L j_3 G, E (m - h)^2 w <= ell L^2 j_2",
            "dpzero.sharp_clip_lipschitz (ii), (iii)",
            Reasoned("shown there"),
        ),
        line(
            "E |p| |h - p| w <= (E p^2 w)^(1/2) (E (h - p)^2 w)^(1/2)",
            sp.sqrt(ell * R2 * grad**2) * sp.sqrt(ell * DIFFERENCE**2),
            "=",
            ell * sp.sqrt(R2) * DIFFERENCE * grad,
            "Cauchy-Schwarz and dpzero.sharp_bias (iii)",
            Identity(),
        ),
    )


NEVER = words("no difference is clipped", "|difference| <= L ||u|| = L sqrt(d) <= C", Reasoned("f(.; xi) is L-Lipschitz"))


def never_clip_proof() -> Derivation:
    """Write the proof out."""
    return _proof(
        NEVER_CLIP,
        UNCLIPPED,
        NEVER,
        words(
            "so m = h, and the terms are those of dpzero.sharp_lipschitz without j_1, j_2, j_3",
            "steps 1 and 3 to 5 there",
            Reasoned("m - h = 0"),
        ),
    )


VECTOR_NOISE = words(
    "E z'Hz = sigma^2 Tr(H) for z ~ N(0, sigma^2 I): the same term as E z^2 w with a scalar z, and E z = 0 again",
    "Lemma C.1 (iv)",
    Reasoned("independent coordinates"),
)


def dpgd_0th_proof() -> Derivation:
    """Write the proof out."""
    return _proof(
        DPGD_0TH,
        {name: sp.sympify(term).subs(C, C / sp.sqrt(d)) for name, term in CLIPPED.items()},
        words(
            "clip_C(s u) = clip_{C/sqrt(d)}(s) u: Algorithm 1 clips as Algorithm 2 at C / sqrt(d)",
            "||u|| = sqrt(d)",
            Reasoned("one scale factor"),
        ),
        VECTOR_NOISE,
        words(
            "everything else is dpzero.sharp_clip_bias at the threshold C / sqrt(d)",
            "steps 1 to 6 there",
            Reasoned("same directions, same m"),
        ),
    )


def dpgd_0th_never_clip_proof() -> Derivation:
    """Write the proof out."""
    return _proof(
        DPGD_0TH_NEVER_CLIP,
        UNCLIPPED,
        words("no estimate is clipped", "||g_lam(x; xi)|| <= L ||u||^2 = L d <= C (Remark 3.4)", Reasoned("f(.; xi) is L-Lipschitz")),
        VECTOR_NOISE,
        words("the rest is dpzero.sharp_never_clip", "same directions, same m", Reasoned("shown there")),
    )


def dp_gd_proof() -> Derivation:
    """Write the proof out."""
    return _proof(
        DP_GD,
        FIRST_ORDER,
        words(
            "the step is along grad F_S + z, z ~ N(0, sigma^2 I): nothing is clipped",
            "||grad f|| <= L <= C, and the mean of the samples' gradients is grad F_S",
            Reasoned("f(.; xi) is L-Lipschitz and differentiable; subgradients would do for the first, not for the second"),
        ),
        line(
            "Taylor's formula, mean over z",
            -alpha * grad**2 + alpha**2 / 2 * (ell * grad**2 + r * ell * sigma**2),
            "=",
            -alpha * ((1 - alpha * ell / 2) * grad**2 - alpha * ell * r * sigma**2 / 2),
            "g'Hg <= ell G^2, Tr(H) <= r ell: the shape of dpzero.sharp_descent, step 5, with 1 in place of R2",
            Identity(),
        ),
    )


def start_proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        START.key,
        START.title,
        "ours",
        numbered(
            words(
                "F_S^* <= F_S(x_0 - g / ell) <= F_S(x_0) - ||g||^2 / (2 ell)",
                "g = grad F_S(x_0)",
                Reasoned("F_S is ell-smooth on all of R^d"),
            ),
            line(
                "so ||g||^2 <= 2 ell gap, and ||g||^2 <= L^2 besides",
                grad**2,
                "<=",
                START.bound,
                "F_S is L-Lipschitz",
                Reasoned("the smaller of two upper bounds"),
                where=(grad <= L, grad**2 <= 2 * ell * gap),
            ),
        ),
        proves=START.key,
    )


__all__ = ["DERIVATIONS", "THEOREMS"]
