"""What DPZero's public random directions hide where losses are Lipschitz: a release moves by some L in most directions, not by L sqrt(d).

Setting   Algorithm 2 with public u_t, uniform on the sphere of radius sqrt(d), fresh and independent of the past; d >= 4. Step t releases
          u_t and mean_i clip_C(h_i(u_t)) + N(0, sigma^2), h_i the two-point difference of f(.; xi_i) at x_t, at any lam.
Relation  replace one record, n fixed; f(.; xi) is L-Lipschitz on all of R^d for *every possible record* xi, the replaced one included.
Measure   P(|Delta_t| >= 2 C / n), Delta_t the amount by which the released mean moves; whatever the past is.
Theorem   with s = (2 L / n) sqrt(d / (d - 3)), |Delta_t| <= min(2 C / n, s |N|) in distribution, so that `bounds.random_shifts` holds at
          scale s and cap 2 C / n:
          all T releases      delta(epsilon) <= E delta_G(epsilon; (s / sigma) chi_T)
          x_tau and tau       delta(epsilon) <= the average over k = 0..T-1 of E delta_G(epsilon; (s / sigma) chi_k)
          C may be so large that nothing is clipped. Algorithm 1 releases the scalar times u_t: s is sqrt(d) times as large, and the cap is
          2 C / n with its own C, which bounds the length of what is released.
Source    ours; the tail is that of `bounds.dpzero.sharp_tail`, which rests on isoperimetry.

The proof bounds the tail at 2 C / n; it holds with any threshold below that in place of C, since the bound on |s - s'| does, and beyond
that there is no tail. The clip's own guarantee, sensitivity 2C/n in every step, stands beside it and needs no assumption. At a record
whose loss is steeper than L the theorem says nothing and the clip is all there is.
"""

from bounds.derivation import Derivation
from bounds.dpzero.common import proved, stated
from bounds.dpzero.sharp_tail import DIMENSIONS, ENOUGH_DIMENSIONS, LIPSCHITZ_TAIL, SPREAD, tail_apart, tail_h
from bounds.lines import line
from bounds.symbols import C, L, introduce
from bounds.theorem import Part

tail_shift = introduce(
    "tail_shift", r"\mathbb{P}(n|\Delta_t|\ge 2C)", "probability that a replaced record moves the mean far", 0, 1, "probability"
)

LEMMA = stated(
    "random_directions",
    "how far a replaced record moves the released mean in a random direction",
    "ours; isoperimetry through dpzero.sharp_tail_lipschitz",
    measure="P(|Delta_t| >= 2 C / n), given the past",
    assumptions=(
        "u_t is uniform on the sphere of radius sqrt(d), public, and independent of the past",
        "f(.; xi) is L-Lipschitz for every possible record xi",
    ),
    bound=LIPSCHITZ_TAIL,
    parts=(Part("variance", "variance of the normal variable that dominates n Delta_t / (2 L)", "=", SPREAD),),
    conditions=(ENOUGH_DIMENSIONS,),
    measured=tail_shift,
)


def proof() -> Derivation:
    """Write the proof out."""
    facts = (
        DIMENSIONS,
        line("tail_of_two", tail_apart, "<=", LIPSCHITZ_TAIL)
        .says("s - s' is the two-point difference along u_t of g = f(.; xi) - f(.; xi'), which is 2L-Lipschitz: its tail at 2C")
        .shown("dpzero.sharp_tail_lipschitz", "bound", {tail_h: tail_apart, L: 2 * L, C: 2 * C}),
        line("moved", tail_shift, "<=", tail_apart)
        .says("n |Delta_t| = |clip_C(s) - clip_C(s')| is at most |s - s'|, and at most 2C")
        .reasoned("clip_C is 1-Lipschitz; given the past, x_t and u_t are the same for neighbours and the other n - 1 terms equal"),
    )
    steps = (
        line("one_step")
        .says("given the past, the curve of (u_t, release) is at most the mean of the Gaussian curve at min(2 C / n, s |N|) / sigma")
        .because("the curve of a mixture with its label published is the mean of the curves; the Gaussian curve increases in the shift")
        .reasoned("stochastic order under an increasing function, for every real epsilon", using=("moved", "tail_of_two")),
        line("composition")
        .says("T steps are dominated by T independent pairs (|N_t|, N(s |N_t| / sigma, 1)) and (|N_t|, N(0, 1)), adaptively")
        .because("the bound of one step holds for every past")
        .reasoned(
            "Zhu, Dong, Wang (2022), Theorem 10; given the |N_t| the pairs are one Gaussian pair at (s / sigma) chi_T", using=("one_step",)
        ),
        line("output")
        .says("for x_tau with tau published the curve is the average over tau of that of the first tau releases")
        .because("tau is drawn independently of the data; x_tau is a function of the directions and the first tau releases")
        .reasoned("post-processing, and disjoint values of tau", using=("composition",)),
        line("bound", tail_shift, "<=", LIPSCHITZ_TAIL)
        .says("the probability that a replaced record moves the released mean by 2C/n or more", "the tail of a difference")
        .by("moved", "tail_of_two"),
    )
    return proved(LEMMA, "a replaced record, seen along a random direction", "ours", facts, steps)
