"""Theorem D.10 with its proof repaired, in two forms, for every alpha, T, C, sigma and batch.

Setting   f(.; xi) Gamma-Lipschitz, F lambda-smooth, 0 <= F - F^* <= D everywhere; n samples.
Method    Algorithm 6, or Algorithm 1 with F = 1 and the SGD update: every step has a fresh P, clips after projecting, flat over all
          layers, and adds noise that is independent for each entry; batches without replacement, Poisson, or full.
Measure   E ||grad F(w_tau)||^2, tau uniform on 0..T-1, with kappa = (k + r + 1)/r and alpha <= 1/(lambda kappa).
Theorem   corrected_coordinates     2D/(alpha T) + lambda alpha (d sigma^2 + kappa Gamma^2 1{B<n}/B)
                                    + L n r [2 Gamma^2 (q + 2 K phi(K)) + 2 D T q/alpha],  K = C/Gamma, q = P(|N| > K);
                                    blocks are flattened, k is the size of the largest
          corrected_concentration   the same with 2 Gamma^2 sqrt((1 + 2/r) n e^-x) + 2 D T n e^-x/alpha in place of the last term, for
                                    C >= Gamma sqrt(1 + 2 sqrt(x/r) + 2x/r); k is the size of the largest block, or, for layers that
                                    are projected from the left, the number of rows of the largest
Source    Theorem D.10 and Appendix D.2; the repair is ours. The event is one of a step, Q_t: step t would clip no sample of the n.
          Means over it, E[X; Q_t], take the place of conditional ones, so that losses telescope without an event of the whole run; each
          form holds without the T in its last term.
"""

from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.dp_grape.meanings import TOTAL_DROP
from bounds.dp_grape.paper import PAGES
from bounds.lines import Step, line
from bounds.meanings import ENDS
from bounds.symbols import C, L, Min, T, alpha, d, ell, gap, grad_sq, introduce, mean_grad_sq, n, sigma, symbols
from bounds.theorem import SCOPE, Condition, Part, Theorem

layers, spread, block, subspace, batch, stretch, K = symbols("layers spread block subspace batch stretch clip_ratio")
F_now, F_next, F_first, F_last, sampling, tail_level, any_clipped = symbols("F_now F_next F_first F_last sampling tail_level any_clipped")
on_drop, off_drop, on_along, off_along, plain_sq, noise_back = symbols("on_drop off_drop on_along off_along plain_sq noise_back")
projected_sq, largest_V = symbols("projected_sq largest_V")
point = introduce("cut_point", "s", "point of integration beyond the level K", 1e-2, 100, "proof")

MEASURE = "E ||grad F(w_tau)||^2, tau uniform on 0..T-1"
LIPSCHITZ_AND_SMOOTH = ("f(.; xi) is L-Lipschitz for every xi", "F is ell-smooth", "F has a smallest value")
FRESH = (
    "SGD update; every step draws its P anew (F = 1), clips after projecting, flat over all layers, and adds to each entry of the mean "
    "independent noise of standard deviation sigma"
)
BOUNDED = "0 <= F(w) - F^* <= D for every w"
SAMPLED = {"sampling": Min(1, n - batch) / batch}
STRETCH = {"stretch": (block + subspace + 1) / subspace}
OF_SAMPLING = {"sampling": ("batch <= n",)}
NOT_COVERED = "a subspace that is kept for more than one step, and the Adam update, are covered by no theorem"
STEP = alpha <= 1 / (ell * stretch)
ON_THE_LOSS = sp.Le(gap, spread)


def normal(x: Any) -> Any:
    """Return the density of a standard normal number."""
    return sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)


both = sp.erfc(K / sp.sqrt(2))  # P(|N| > K)
beyond_sq = both + 2 * K * normal(K)  # E[N^2; |N| > K]
smooth_part = ell * alpha * (d * sigma**2 + stretch * L**2 * sampling)
MISSED = {  # what the event costs: 2 E[||P'grad F||^2; not Q_t], and P(not Q_t)
    "coordinates": (2 * layers * n * subspace * L**2 * beyond_sq, layers * n * subspace * both),
    "concentration": (2 * L**2 * sp.sqrt((1 + 2 / subspace) * n * sp.exp(-tail_level)), n * sp.exp(-tail_level)),
}


def bound(form: str, times: Any) -> Any:
    """Return the right side of a form, its last term with T or with 1 in front."""
    along, missed = MISSED[form]
    return 2 * spread / (alpha * T) + smooth_part + along + 2 * spread * times * missed / alpha


def corrected(form: str, title: str, definitions: dict[str, Any], *conditions: Condition, note: str) -> Theorem:
    """Return a form of the corrected theorem."""
    return PAGES.keyed(
        *(f"corrected_{form}", title, "ours; Theorem D.10 with its proof repaired"),
        measure=MEASURE,
        assumptions=(*LIPSCHITZ_AND_SMOOTH, BOUNDED, FRESH),
        definitions={**definitions, **STRETCH, **SAMPLED},
        bound=bound(form, T),
        any_schedule=bound(form, T),
        valid_if=(STEP, *(one.relation for one in conditions)),
        step_size=STEP,
        conditions=(
            Condition(STEP, "alpha = {value} is above 1/(ell kappa) = {limit}, where the proof ends"),
            *conditions,
            Condition(bound(form, T) < L**2, "the bound {value} is not below L^2 = {limit}, which every point satisfies", SCOPE),
        ),
        parts=(Part("without T", "the same, by events of one step", "<=", bound(form, 1), mean_grad_sq),),
        method="dp_grape_blocks" if form == "coordinates" else "dp_grape",
        notes=(note, NOT_COVERED),
        measured=mean_grad_sq,
        in_letters=(ON_THE_LOSS,),
    )


THRESHOLD = L * sp.sqrt(1 + 2 * sp.sqrt(tail_level / subspace) + 2 * tail_level / subspace)
COORDINATES = corrected(
    *("coordinates", "Theorem D.10 corrected, by events of coordinates", {"clip_ratio": C / L}),
    note="blocks are flattened; k is the number of entries of the largest",
)
CONCENTRATION = corrected(
    *("concentration", "Theorem D.10 corrected, by concentration of chi-square", {}),
    Condition(sp.Ge(C, THRESHOLD), "C = {value} is below {limit}, where a sample is clipped with probability above exp(-x)"),
    note="k is the number of rows of the largest layer where layers are projected from the left, of entries where they are flattened",
)


def _proof(form: str, theorem: Theorem, facts: tuple[Step, ...], steps: tuple[Step, ...]) -> Derivation:
    """Return the proof of a form from its lines "no_clip", "union" and "off"."""
    along, missed = MISSED[form]
    rest = smooth_part + along + 2 * spread * missed / alpha
    taken = (
        *facts,
        line("step_size", alpha, "<=", 1 / (ell * stretch)).says("the step size is at most 1/(ell kappa)").assumed(),
        line("taylor", on_drop, ">=", alpha * on_along - alpha**2 * ell / 2 * (plain_sq + noise_back))
        .says(
            "on Q_t the step is -alpha (PP'g + P z_t), g the mean gradient of the batch: F is ell-smooth, z_t and batch are independent of "
            "w_t, P and so of Q_t, z_t has mean 0 and g has mean grad F; second moments over Q_t are at most those over all"
        )
        .reasoned("the descent lemma, in the mean over Q_t", using=("no_clip",)),
        line("unbiased", on_along + off_along, "=", grad_sq)
        .says("E PP' = I, as P is fresh: the squared length of P'grad F has the mean ||grad F||^2, over Q_t and its complement")
        .reasoned("moments of P, independent of w_t"),
        line("batch_moment", plain_sq, "<=", stretch * (grad_sq + L**2 * sampling))
        .says("E ||PP'a||^2 is at most kappa ||a||^2, and a batch's gradient varies by at most L^2 1{B<n}/B")
        .reasoned("moments of P for each layer; Lemma D.7 without replacement, (1 - B/n)/B times the mean square for Poisson batches"),
        line("noise_moment", noise_back, "=", d * sigma**2)
        .says("the noise that is mapped back has sigma^2 for each of d parameters")
        .reasoned("E PP' = I, and z_t has independent entries"),
        TOTAL_DROP,
        line("bounded", off_drop, ">=", -spread * any_clipped).says("no step lowers F, or raises it, by more than D").reasoned(BOUNDED),
        *ENDS,
        line("gap_in_spread", gap, "<=", spread).says("0 <= F - F^* <= D at w_0").assumed(),
    )
    made = (
        *steps,
        line("per_step", grad_sq, "<=", 2 / alpha * (F_now - F_next) + rest)
        .says("the squared norm of the gradient at step t, by what it takes off the loss", "all of the above; alpha ell kappa <= 1")
        .by(
            *((2 / alpha, "taylor"), (2, "off"), (alpha * ell, "batch_moment"), (2 / alpha, "bounded")),
            *((2 * spread / alpha, "union"), (grad_sq * ell * stretch, "step_size")),
            modulo=((2, "unbiased"), (-alpha * ell, "noise_moment"), (2 / alpha, "total_drop")),
        ),
        line("averaged", mean_grad_sq, "<=", 2 / (alpha * T) * (F_first - F_last) + rest)
        .says("averaged over t = 0, ..., T - 1, the losses telescope", "the line holds at every t")
        .averaging("per_step"),
        line("without_T", mean_grad_sq, "<=", bound(form, 1))
        .says("the squared norm of the gradient, averaged over the steps: by events of one step", "F(w_0) - F(w_T) <= D")
        .by("averaged", (2 / (alpha * T), "last_above_least"), (2 / (alpha * T), "gap_in_spread"), modulo=((2 / (alpha * T), "gap"),)),
        line("bound", mean_grad_sq, "<=", bound(form, T))
        .says("the squared norm of the gradient, averaged over the steps: with the T of the paper's union over steps", "T >= 1")
        .by("without_T", (2 * spread * missed / alpha, "T >= 1")),
    )
    return PAGES.proved(
        f"corrected_{form}", theorem.title, "Theorem D.10, repaired", facts=taken, steps=made, proves=theorem, signs=OF_SAMPLING,
        shows={"without T": "without_T"},
    )  # fmt: skip


def coordinates_proof() -> Derivation:
    """Write the first form's proof out."""
    facts = (
        line("projected", projected_sq, "<=", L**2 * largest_V**2)
        .says("||R_j||^2 is the sum over blocks of ||grad_l f_j||^2/r times r squares of V; the ||grad_l f_j||^2 add up to L^2 at most")
        .reasoned("V = sqrt(r) p'grad_l f_j/||grad_l f_j|| is standard normal; one Lipschitz constant for all blocks, so no root of L"),
        line("on_Q", largest_V, "<=", K).says("on Q_t every |V| of every sample is at most K").reasoned("Q_t is that event"),
        line("union", any_clipped, "<=", layers * n * subspace * both)
        .says("P(not Q_t), L n r standard normal coordinates")
        .reasoned("the union bound"),
        line("beyond", off_along, "<=", L**2 * any_clipped * beyond_sq / both)
        .says("||P'grad F||^2 is at most the mean over samples of the sums of ||grad_l f_j||^2 V^2/r")
        .reasoned("Jensen; E[V^2 | not Q_t] <= E[V^2 | |V| > K] (Lemma D.6), which is 1 + 2 K phi(K)/q", using=("primitive",)),
    )
    steps = (
        line("primitive", sp.diff(point * normal(point), point), "=", (1 - point**2) * normal(point))
        .says("the slope of s phi(s) at cut_point, so that E[V^2; |V| > K] is q + 2 K phi(K)", "differentiate")
        .identity(),
        line("no_clip", projected_sq, "<=", C**2)
        .says("so the squared length of a projected gradient is at most C^2: no sample is clipped", "C = K L")
        .by("projected", (L**2 * (K + largest_V), "on_Q"), modulo=((-(L**2) * (K + C / L), "clip_ratio"),)),
        line("off", off_along, "<=", MISSED["coordinates"][0] / 2)
        .says("the squared length of P'grad F where some sample is clipped", "the union bound")
        .by("beyond", (L**2 * beyond_sq / both, "union")),
    )
    return _proof("coordinates", COORDINATES, facts, steps)


def concentration_proof() -> Derivation:
    """Write the second form's proof out."""
    along = MISSED["concentration"][0] / 2
    facts = (
        line("threshold", C, ">=", THRESHOLD).says("C is at least the level that ||R_j|| exceeds with probability exp(-x)").assumed(),
        line("no_clip", projected_sq, "<=", C**2).says("on Q_t no ||R_j|| is above C").reasoned("Q_t is that event"),
        line("union", any_clipped, "<=", n * sp.exp(-tail_level))
        .says("P(not Q_t): ||R_j||^2 is a sum of squares with weights s_k^2/r, each r times, and the s_k^2 add up to L^2 at most")
        .cited("Laurent and Massart (2000), Lemma 1, and the union bound over n samples", using=("threshold",)),
        line("cauchy_schwarz", off_along**2, "<=", L**4 * (1 + 2 / subspace) * any_clipped)
        .says("E ||P'grad F||^4 is at most (1 + 2/r) ||grad F||^4, and ||grad F|| <= L")
        .reasoned("Cauchy and Schwarz; the variance of ||P'G||^2 is 2/r times the sum of the s_k^4"),
    )
    share = 1 / (along + off_along)
    off = (
        line("off", off_along, "<=", along)
        .says("the squared length of P'grad F where some sample is clipped", "its square is at most the square of this")
        .by((share, "cauchy_schwarz"), (share * L**4 * (1 + 2 / subspace), "union"))
    )
    return _proof("concentration", CONCENTRATION, facts, (off,))
