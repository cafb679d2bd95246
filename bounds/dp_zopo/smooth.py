"""One theorem for DPZero, DP-ZOSO and DP-ZOPO: a stage of private zeroth-order steps under the PL inequality, with any P and batch.

Setting   f(.; xi) L-Lipschitz; -H <= Hessian of F <= H, 0 <= H <= ell I, Tr(H) <= r ell; E ||grad F||^2 >= 2 mu E[F - F^*]
          at the iterates, mu <= ell. Nothing more is asked of a sample: it need not be smooth. With PL at every point of R^d nothing
          is left but constants, as for the paper's growth; in the mean, where the run goes, it is less and enough.
Method    x+ = x - alpha s, s the mean over P directions v of (m + z) v, m the mean over a batch of clip_C((f(x + lam v; xi) -
          f(x - lam v; xi)) / (2 lam)), z ~ N(0, sigma^2) a direction; the directions share the batch. They are Gaussian (v = 1) or on the
          sphere of radius sqrt(d) (v = d/(d - 3), d >= 4). No regulariser. Batches are full (sampling = 0), Poisson or of fixed size B
          (sampling = (n - B)/(B (n - 1))).
Measure   E F(x_T) - F^* after T steps of one size; a schedule is stages one after another, `gap` what the one before leaves.
Theorem   for alpha ell K_2 < 2 and every k > 0, E F(x_T) - F^* <= (1 - x)^T gap + add (1 - (1 - x)^T) / x,
          x = 2 mu A k/(1 + k),   add = Q^2 (1 + k)/(4 A) + alpha^2 ell K_0/2,   A = alpha (1 - alpha ell K_2/2),
          Q = alpha (b + alpha ell K_1),   c = C/(L sqrt(v)),   psi = E (|N| - c)_+^2,   b = L v P(|N| > c) + lam ell sqrt(r),
          K_2 = 1 + (r + 1)/P,   K_1 = sqrt(r + 2) omega/P + (1 - 1/P) b,   w(y) = L^2 (y r + 2 sqrt(y r)),
          K_0 = omega^2/P + (1 - 1/P) b^2 + sampling (w(v)/P + (1 - 1/P) v L^2) + sigma^2 r/P,
          omega = lam ell sqrt(r (r + 2) (r + 4))/2 + sqrt(w(v psi)).
Source    ours. d enters nowhere but through v. DPZero is one stage with P = 1, DP-ZOSO halves alpha and doubles T from stage to stage,
          DP-ZOPO has the H and the mu of the kept coordinates and the smallest F that these reach, which is above F^*.

For the joint release of P scalars sigma^2 is proportional to P, so that the noise does not depend on P. K_2 falls with P: steps may be P
times as long and the number of function values of full batches does not change, until P is about r.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dp_zopo.comparison import Stage
from bounds.dpzero.common import GAP_UNDER_PL, ON_F_S, PL_IS_VACUOUS, WELL_CONDITIONED, below_trivial_gap
from bounds.dpzero.sharp_clip import BEYOND_SQ_SHOWN
from bounds.dpzero.sharp_common import NORM, RANK, c, grad, unit_H
from bounds.dpzero.sharp_numbers import Functions
from bounds.lines import line
from bounds.meanings import GAP, STEP_ABOVE_LEAST
from bounds.pages import Pages
from bounds.symbols import C, F_next, F_now, F_star, L, T, alpha, d, ell, gap, grad_sq, lam, mu, r, sigma, symbols, trace
from bounds.theorem import Condition

P, v, k, sampling, psi, b, omega, others = symbols("directions zo_spread zo_split zo_sampling zo_lost zo_tilt zo_rest zo_others")
K_2, K_1, K_0, A, Q, along, length, bias = symbols("zo_square zo_cross zo_constant zo_slope zo_pull zo_along zo_length zo_bias")
smooth_bias, own, pair, sample, lead, cut = symbols("zo_bias_smooth zo_own zo_pair zo_sample zo_lead zo_cut")
root_2, kept = symbols("zo_root_2 zo_kept")
D_now, D_next, D_last, taken, added = symbols("D_now D_next D_last zo_taken zo_added")

OURS = Pages("dp_zopo")
FUNCTIONS = Functions(sp.sqrt, sp.exp, sp.erfc, sp.pi, sp.Integer)
AT = Stage(alpha, T, C, lam, sigma, d, r, L, ell, gap, FUNCTIONS, P=P, sampling=sampling, split=k, mu=mu, spread=v)
NAMES = "c_clip zo_lost zo_tilt zo_rest zo_others zo_square zo_cross zo_constant zo_slope zo_pull zo_taken zo_added zo_kept"
ABBREVIATIONS = AT.terms(dict(zip(NAMES.split(), symbols(NAMES), strict=True)))
SHORT = alpha * ell * K_2 < 2
BOUND = kept**T * gap + added * (1 - kept**T) / taken
THEOREM = OURS.keyed(
    *("sharp_smooth", "A stage of private zeroth-order steps under the PL inequality", "ours; in place of Theorems 2 and 4"),
    measure="E F(x_T) - F^*",
    assumptions=(
        "f(.; xi) is L-Lipschitz for every xi",
        *ON_F_S,
        "E ||grad F(x_t)||^2 >= 2 mu E[F(x_t) - F^*] for t < T: the PL inequality at the iterates, in the mean",
        "zo_spread is 1 for Gaussian directions, d/(d - 3), d > 3, on the sphere",
        "zo_sampling is 0 for full batches, (n - B)/(B (n - 1)) for others",
    ),
    definitions=ABBREVIATIONS,
    bound=BOUND,
    any_schedule=BOUND,
    valid_if=(SHORT, mu <= ell),
    step_size=SHORT,
    conditions=(
        Condition(SHORT, "alpha is too large: alpha ell K_2 = {value} is not below {limit}"),
        *(WELL_CONDITIONED, GAP_UNDER_PL, below_trivial_gap(BOUND)),
    ),
    notes=(
        "a schedule is stages one after another, gap is what the stage before leaves",
        f"asked for at every point it would be void: {PL_IS_VACUOUS}",
    ),
    measured=D_last,
    in_letters=(sp.Ge(grad_sq, 2 * mu * D_now), sp.Le(trace, r * ell), sp.Le(unit_H, ell)),
)


def proof() -> Derivation:
    """Write the proof out."""
    by_parts = "E X^2 w = Tr(H) E X^2 + 2 E X <grad X, Hv> by parts (on the sphere v'Hv - Tr(H) is harmonic), Cauchy and Schwarz"
    root_r, cut_sq = sp.sqrt(r), AT.of_samples(v * psi)
    cut_root, lead_root, smooth_size = sp.sqrt(cut_sq), sp.sqrt(r + 2), lam * ell * sp.sqrt(r)
    X, Y = grad * lead + AT.curved + cut, grad * lead_root + omega
    in_words = (  # name, left, relation, right, what it says, why
        ("norm", grad_sq, "=", grad**2, "the squared norm of the gradient", "it is a norm"),
        ("root_2_sq", root_2**2, "<=", ell * trace, "Tr(H^2) <= ell Tr(H)", "0 <= H <= ell I, in the eigenbasis"),
        ("taylor", F_next, "<=", F_now - alpha * along + alpha**2 / 2 * length, "Taylor's formula with Hessian <= H, given x_t",
         "second-order upper bound; F is Lipschitz and steps have finite moments, so the means exist"),
        ("cauchy", along, ">=", grad_sq - bias * grad, "the mean step is bias away from the gradient; noise has mean 0",
         "Cauchy and Schwarz"),
        ("two_biases", bias, "<=", L * v * AT.beyond(c) + smooth_bias, "E h v is the gradient of F_lam, and for every unit vector a "
         "|E (m - h) v'a| is at most E (L sqrt(v) |N| - C)_+ sqrt(v) |N| = L v P(|N| > c)", "Stein's identity, or Lemma C.2 of DPZero; by "
         "isoperimetry |h_i| and |v'a| have at most the tails of L sqrt(v) |N| and sqrt(v) |N|, and the worst is one N for both; triangle "
         "inequality"),
        ("smooth_bias", smooth_bias**2, "<=", lam**2 * ell * trace, "the part by smoothing, squared: the mean of ||M lam v||^2 at most, "
         "-H <= M <= H, at most lam^2 ell E v'Hv", "mean value form, Jensen's inequality, dpzero.sharp_bias (ii); E vv' <= I"),
        ("parts", length, "=", own / P + others * pair + sigma**2 * trace / P, "directions and noises are independent, E z^2 = sigma^2",
         "the square of a mean over P directions, in expectation; E vv' = I"),
        ("own", own, "<=", ell * X**2 + sampling * sample, "one direction: the mean over all samples is p + (h - p) + (m - h), a batch "
         "adds its variance, given the direction; E (h - p)^2 w <= (lam/2)^2 E w^3", "Minkowski's inequality; variance of a fixed batch "
         "and of a Poisson one; dpzero.sharp_bias (iii), (iv), and for Gaussian v E w^3 <= ell^3 r (r + 2) (r + 4)"),
        ("pair", pair, "<=", ell * ((grad + bias) ** 2 + sampling * v * L**2), "two directions: ell times the square, over batches, of the "
         "mean step given the batch: that of the mean, and a variance", "H <= ell I; triangle inequality; ||E clip(h_i) v|| <= L sqrt(v)"),
        ("sample", sample, "<=", L**2 * (v * trace + 2 * sp.sqrt(v) * root_2), "X = clip(h_i) is odd and L-Lipschitz, E X^2 <= v L^2",
         f"{by_parts}; Poincare's inequality"),
        ("lead", ell * lead**2, "<=", trace + 2 * unit_H, "E (v'a)^2 v'Hv = Tr(H) + 2 a'Ha for a unit vector a, less on the sphere",
         "fourth moments; Lemma C.1 (iv) of DPZero"),
        ("cut", ell * cut**2, "<=", L**2 * (v * psi * trace + 2 * sp.sqrt(v * psi) * root_2), "what clipping takes from a sample, "
         "X = (|h_i| - C)_+ with the sign of h_i, is L-Lipschitz, E X^2 <= v L^2 psi", f"{by_parts}; tails of |h_i|; Jensen's inequality"),
    )  # fmt: skip
    facts = (
        *(RANK, NORM, BEYOND_SQ_SHOWN, *STEP_ABOVE_LEAST, GAP),
        line("short", alpha * ell * K_2, "<", 2).says("alpha is small enough").assumed(),
        line("mu <= ell", mu, "<=", ell).says("no ell-smooth function has a larger PL constant").assumed(),
        line("pl", grad_sq, ">=", 2 * mu * D_now).says("the PL inequality").assumed(),
        line("D_now", D_now, "=", F_now - F_star).says("D_t is how far the loss is above F^*").defined(signs=("now_above_least",)),
        line("D_next", D_next, "=", F_next - F_star).says("the same after the step").defined(signs=("next_above_least",)),
        *(line(name, left, relation, right).says(words).reasoned(why) for name, left, relation, right, words, why in in_words),
        line("after_T", D_last, "<=", BOUND)
        .says("the recursion T times, from gap")
        .reasoned("induction over t, where 1 - x >= 0 is used", using=("gap", "recursion", "induction_step", "contraction_factor")),
    )
    over_rank, over_smooth, over_cut = 1 / (ell * root_r + root_2), 1 / (smooth_size + smooth_bias), 1 / ell / (cut_root + cut)
    cut_terms = (1, "cut"), (L**2 * v * psi, "effective_rank"), (2 * L**2 * sp.sqrt(v * psi), "root_2")
    square = "its square is at most the square of this"
    made = (  # name, left, relation, right, what it says, why, terms
        ("smoothing", smooth_bias, "<=", smooth_size, "the part of the bias by smoothing", f"Tr(H) <= r ell; {square}",
         ((over_smooth, "smooth_bias"), (lam**2 * ell * over_smooth, "effective_rank"))),
        ("bias", bias, "<=", L * v * AT.beyond(c) + smooth_size, "the distance of the mean step from the gradient", "both parts",
         ("two_biases", "smoothing")),
        ("root_2", root_2, "<=", ell * root_r, "the root of Tr(H^2)", f"Tr(H) <= r ell; {square}",
         ((over_rank, "root_2_sq"), (ell * over_rank, "effective_rank"))),
        ("sample_value", sample, "<=", ell * AT.of_samples(v), "one sample's part in the norm of H, squared", "Tr(H) <= r ell and the root",
         ("sample", (v * L**2, "effective_rank"), (2 * sp.sqrt(v) * L**2, "root_2"))),
        ("lead_value", lead, "<=", lead_root, "the root of the length of the linear part", f"Tr(H) <= r ell; {square}",
         tuple((n / ell / (lead_root + lead), name) for n, name in ((1, "lead"), (1, "effective_rank"), (2, "norm_of_H")))),
        ("cut_value", cut, "<=", cut_root, "the root of the length of what clipping changes", square,
         tuple((share * over_cut, name) for share, name in cut_terms)),
    )  # fmt: skip
    steps = (
        *(line(name, left, is_, right).says(words, why).by(*terms) for name, left, is_, right, words, why, terms in made),
        line("own_value", own, "<=", ell * Y**2 + sampling * ell * AT.of_samples(v))
        .says("the squared length of one direction's part in the norm of H", "the roots, and the batch")
        .by(
            *("own", (sampling, "sample_value"), (ell * (X + Y) * grad, "lead_value"), (ell * (X + Y), "cut_value")),
            modulo=((ell * (X + Y), "zo_rest"),),
        ),
        line("pair_value", pair, "<=", ell * ((grad + b) ** 2 + sampling * v * L**2))
        .says("the product of two directions' parts in the norm of H", "insert the bias")
        .by("pair", (ell * (2 * grad + b + bias), "bias"), modulo=((ell * (2 * grad + b + bias), "zo_tilt"),)),
        line("length", length, "<=", ell * (K_2 * grad_sq + 2 * K_1 * grad + K_0))
        .says("the squared length of the step in the norm of H, in the norm of the gradient", "all parts, with Tr(H) <= r ell")
        .by(
            *((1 / P, "own_value"), (others, "pair_value"), (sigma**2 / P, "effective_rank")),
            at=("zo_square", "zo_cross", "zo_constant"),
            modulo=((-1, "parts"), (ell * (1 + (r + 1) / P), "norm"), (-ell * grad**2, "zo_others")),
        ),
        line("one_step", F_next, "<=", F_now - A * grad_sq + Q * grad + alpha**2 * ell * K_0 / 2)
        .says("the loss after the step F_next in the norm of the gradient", "Taylor's formula, collected")
        .by(
            *("taylor", (alpha, "cauchy"), (alpha * grad, "bias"), (alpha**2 / 2, "length")),
            modulo=((alpha * grad, "zo_tilt"), (-grad_sq, "zo_slope"), (grad, "zo_pull")),
        ),
        line("split", Q * grad, "<=", A * grad_sq / (1 + k) + Q**2 * (1 + k) / (4 * A))
        .says("the part of the norm of the gradient is split", "the difference is a square")
        .by((A / (1 + k), (grad - Q * (1 + k) / (2 * A)) ** 2), modulo=((A / (1 + k), "norm"),)),
        line("recursion", D_next, "<=", kept * D_now + added)
        .says("D_next in terms of D_now, in expectation", "the PL inequality; the line is linear, so that it holds in the mean over x_t")
        .by(
            *("one_step", "split", (A * k / (1 + k), "pl")),
            modulo=((1, "D_now"), (-1, "D_next"), (-D_now, "zo_taken"), (1, "zo_added"), (D_now, "zo_kept")),
        ),
        line("contraction_factor", taken, "<", 1)
        .says("what a step takes off, zo_taken, is below 1, so that the factor of the recursion is positive")
        .because("1 - 2 mu A is (1 - alpha ell)^2 + (alpha ell)^2 (r + 1)/P + 2 A (ell - mu)")
        .by(
            *((k / (1 + k) * 2 * A, "mu <= ell"), (k / (1 + k), (1 - ell * alpha) ** 2)),
            *((k / (1 + k) * (ell * alpha) ** 2 * (r + 1) / P,), (1 / (1 + k),)),
            modulo=((-1, "zo_taken"), (-2 * ell * k / (1 + k), "zo_slope"), (k / (1 + k) * (ell * alpha) ** 2, "zo_square")),
        ),
        line("induction_step", kept * BOUND + added, "=", BOUND.xreplace({T: T + 1}))
        .says("one more step of the recursion is the same with T + 1", "the geometric sum")
        .identity((added / taken, "zo_kept")),
        line("bound", D_last, "<=", BOUND)
        .says("the expected loss at the end above the smallest one", "the recursion T times")
        .by("after_T"),
    )
    signs = {"zo_kept": ("contraction_factor",), "zo_lost": ("beyond_sq",), "zo_others": ("directions >= 1",), "zo_slope": ("short",)}
    return OURS.proved("sharp_smooth", THEOREM.title, "ours", facts=facts, steps=steps, proves=THEOREM, signs=signs)
