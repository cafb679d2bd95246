"""The sharper bounds that take no two-point difference: DP-GD with C = L, which never clips, and the starting point itself (T = 1).

Setting   that of `bounds.dpzero.sharp`.
Source    ours; the row of DP-GD in Table 1, which the paper does not derive, and what stands in place of Remark F.5.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero.common import ON_F_S, proved, stated
from bounds.dpzero.sharp import sharp_theorem
from bounds.dpzero.sharp_common import H_IN_LETTERS, ON_H, unit_H
from bounds.dpzero.sharp_descent import direction_step, length_step, proof_of, step_along, step_H
from bounds.dpzero.sharp_numbers import MEASURE_START
from bounds.lines import GIVENS, line
from bounds.meanings import GAP
from bounds.symbols import C, F_first, F_star, L, Min, ell, gap, grad_sq, introduce
from bounds.theorem import Condition

sample_norm = introduce("sample_norm", r"\|\nabla f(x_t;\xi_i)\|", "norm of the gradient of a sample", 0, 1e3, "proof", changes=True)
start_sq = introduce("start_sq", r"\|\nabla F_S(x_0)\|^2", "squared norm of the gradient at the start", 0, 1e6, "proof")
WITH_GRADIENTS = ("f(.; xi) is L-Lipschitz and differentiable for every xi", *ON_F_S)  # their mean is grad F_S
FIRST_ORDER = {"shrink": 0, "bias": 0, "cross": 0, "length": 0, "weight": sp.Integer(1)}
DP_GD = sharp_theorem(
    "sharp_dp_gd",
    "DP-GD with C = L, which never clips (the row of Table 1 that the paper does not derive)",
    Condition(sp.Ge(C, L), "C = {value} is below L = {limit}, so a gradient may be clipped"),
    assumptions=WITH_GRADIENTS,
    terms=FIRST_ORDER,
    method="dp_gd",
    in_letters=(*H_IN_LETTERS, sp.Le(sample_norm, L)),
)
START = stated(
    "sharp_start",
    "the starting point, published as it is (T = 1)",
    "ours; in place of Remark F.5",
    measure=MEASURE_START,
    assumptions=("F_S is L-Lipschitz and ell-smooth", "F_S has a smallest value"),
    bound=Min(L**2, 2 * ell * gap),
    any_schedule=Min(L**2, 2 * ell * gap),
    method="dpzero",
    notes=("x_0 does not depend on the data: no noise, no step",),
    measured=start_sq,
    in_letters=(sp.Le(start_sq, L**2),),
)


def dp_gd_proof() -> Derivation:
    """Write the proof out."""
    unclipped = "the step is along grad F_S + z, z ~ N(0, sigma^2 I), and"
    using = ("never_clipped",)
    facts = (
        *ON_H,
        line("short_samples", sample_norm, "<=", L).says("the gradient of a sample is at most L long").assumed(),
        line("threshold", C, ">=", L).says("C >= L").assumed(),
        line("along", step_along, "=", grad_sq)
        .says(f"{unclipped} the mean of the samples' gradients is grad F_S")
        .reasoned("f(.; xi) is differentiable; subgradients would do for the bound L, not for the mean", using),
        line("in_norm_of_H", step_H, "=", grad_sq * unit_H)
        .says(f"{unclipped} g'Hg is G^2 times that of a unit vector")
        .reasoned("g = G a", using),
    )
    steps = (
        line("never_clipped", sample_norm, "<=", C)
        .says("nothing is clipped: the norm of the gradient of a sample is at most C", "||grad f|| <= L <= C")
        .by("short_samples", "threshold"),
        direction_step("it is along the gradient", modulo=((1, "along"),)),
        length_step("H <= ell I", (grad_sq, "norm_of_H"), modulo=((-1, "in_norm_of_H"),)),
    )
    return proof_of(DP_GD, FIRST_ORDER, facts, steps)


def start_proof() -> Derivation:
    """Write the proof out."""
    facts = (
        line("lipschitz", start_sq, "<=", L**2).says("F_S is L-Lipschitz: its gradient at x_0 is at most L long").assumed(),
        line("descent", F_star, "<=", F_first - start_sq / (2 * ell))
        .says("F_S^* <= F_S(x_0 - g / ell) <= F_S(x_0) - ||g||^2 / (2 ell), g the gradient at x_0")
        .cited("the descent lemma, Nesterov (2018), Lemma 1.2.3: F_S is ell-smooth on all of R^d"),
        GAP,
    )
    steps = (
        line("steep", start_sq, "<=", 2 * ell * gap)
        .says("the squared norm of the gradient at the start", "2 ell times the descent lemma")
        .by((2 * ell, "descent"), modulo=((2 * ell, "gap"),)),
        line("bound", start_sq, "<=", START.bound)
        .says("the squared norm of the gradient at the start, by both", "the smaller of two upper bounds")
        .reasoned("what is at most both is at most the smaller", using=("lipschitz", "steep"))
        .claimed_where(*GIVENS),
    )
    return proved(START, START.title, "ours", facts, steps)
