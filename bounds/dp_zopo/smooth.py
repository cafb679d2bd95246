"""One theorem for DPZero, DP-ZOSO and DP-ZOPO: a stage of private zeroth-order steps under the PL inequality, with any P and batch.

Setting   f(.; xi) L-Lipschitz; -H <= Hessian of F <= H, 0 <= H <= ell I, Tr(H) <= r ell; ||grad F||^2 >= 2 mu (F - F^*), mu <= ell.
          Nothing more is asked of a sample: it need not be smooth.
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
          DP-ZOPO has the H of the kept coordinates and the smallest F that these reach, which is above F^*.

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
from bounds.meanings import FIRST_ABOVE_LEAST, GAP, STEP_ABOVE_LEAST
from bounds.pages import Pages
from bounds.symbols import C, F_next, F_now, F_star, L, T, alpha, d, ell, gap, grad_sq, lam, mu, r, sigma, symbols, trace
from bounds.theorem import Condition

P, v, k, sampling, psi, b, omega, others = symbols("directions zo_spread zo_split sampling zo_lost zo_tilt zo_rest zo_others")
K_2, K_1, K_0, A, Q, along, length, bias = symbols("zo_square zo_cross zo_constant zo_slope zo_pull zo_along zo_length zo_bias")
clip_bias, smooth_bias, own, pair, mean = symbols("zo_bias_clip zo_bias_smooth zo_own zo_pair zo_mean")
sample, lead, curved, cut, root_2, over, kept = symbols("zo_sample zo_lead zo_curved zo_cut zo_root_2 zo_over zo_kept")
D_now, D_next, D_last, taken, added = symbols("D_now D_next D_last zo_taken zo_added")

OURS = Pages("dp_zopo")
FUNCTIONS = Functions(sp.sqrt, sp.exp, sp.erfc, sp.pi, sp.Integer)
AT = Stage(alpha, T, C, lam, sigma, d, r, L, ell, gap, FUNCTIONS, P=P, sampling=sampling, split=k, mu=mu, spread=v)
NAMES = "c_clip zo_lost zo_tilt zo_rest zo_others zo_square zo_cross zo_constant zo_slope zo_pull zo_taken zo_added zo_kept".split()
ABBREVIATIONS = AT.terms({name: letter for name, letter in zip(NAMES, symbols(" ".join(NAMES)), strict=True)})
SHORT = alpha * ell * K_2 < 2
BOUND = kept**T * gap + added * (1 - kept**T) / taken
THEOREM = OURS.keyed(
    *("sharp_smooth", "A stage of private zeroth-order steps under the PL inequality", "ours; in place of Theorems 2 and 4"),
    measure="E F(x_T) - F^*",
    assumptions=(
        "f(.; xi) is L-Lipschitz for every xi",
        *ON_F_S,
        "||grad F(x)||^2 >= 2 mu (F(x) - F^*) for every x",
        "zo_spread is 1 for Gaussian directions, d/(d - 3) with d >= 4 on the sphere; sampling is 0 for full batches, else (n - B)/(B (n - 1))",
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
    notes=("a schedule is stages one after another, gap is what the stage before leaves", PL_IS_VACUOUS),
    measured=D_last,
    in_letters=(sp.Ge(grad_sq, 2 * mu * D_now), sp.Le(trace, r * ell), sp.Le(unit_H, ell)),
)


def proof() -> Derivation:
    """Write the proof out."""
    parts_of_X = "for X L-Lipschitz, E X^2 w = Tr(H) E X^2 + 2 E X <grad X, Hv>, by parts; on the sphere v'Hv - Tr(H) is harmonic of order 2"
    smooth_root, cut_root = AT.curved, sp.sqrt(AT.of_samples(v * psi))
    root_r, cut_size = sp.sqrt(r), L * sp.sqrt(v * psi)
    X, Y = grad * lead + curved + cut, grad * sp.sqrt(r + 2) + omega
    facts = (
        *(RANK, NORM, BEYOND_SQ_SHOWN, *STEP_ABOVE_LEAST, FIRST_ABOVE_LEAST, GAP),
        line("short", alpha * ell * K_2, "<", 2).says("alpha is small enough").assumed(),
        line("mu <= ell", mu, "<=", ell).says("no ell-smooth function has a larger PL constant").assumed(),
        line("pl", grad_sq, ">=", 2 * mu * D_now).says("the PL inequality").assumed(),
        line("D_now", D_now, "=", F_now - F_star).says("D_t is how far the loss is above F^*").defined(signs=("now_above_least",)),
        line("D_next", D_next, "=", F_next - F_star).says("the same after the step").defined(signs=("next_above_least",)),
        line("norm", grad_sq, "=", grad**2).says("the squared norm of the gradient").reasoned("it is a norm"),
        line("root_2_sq", root_2**2, "<=", ell * trace).says("Tr(H^2) <= ell Tr(H)").reasoned("0 <= H <= ell I, in the eigenbasis"),
        # the mean step
        line("taylor", F_next, "<=", F_now - alpha * along + alpha**2 / 2 * length)
        .says("Taylor's formula with Hessian <= H, given x_t")
        .reasoned("second-order upper bound; F is Lipschitz and steps have finite moments, so the means exist"),
        line("cauchy", along, ">=", grad_sq - bias * grad)
        .says("the mean step is as far from the gradient as the mean over all samples: noise has mean 0, a batch the mean of all")
        .reasoned("Cauchy and Schwarz"),
        line("two_biases", bias, "<=", clip_bias + smooth_bias)
        .says("E h v is the gradient of F_lam, so the distance has two parts")
        .reasoned("Stein's identity, or Lemma C.2 of DPZero on the sphere; triangle inequality"),
        line("clip_bias", clip_bias, "<=", L * v * AT.beyond(c))
        .says("by clipping: |E (m - h) v'a| <= E (L sqrt(v) |N| - C)_+ sqrt(v) |N| for every unit vector a, which is L v P(|N| > c)")
        .reasoned("isoperimetry: |h_i| and |v'a| have at most the tails of L sqrt(v) |N| and sqrt(v) |N|; the worst is one N for both"),
        line("smooth_bias", smooth_bias**2, "<=", lam**2 * ell * trace)
        .says("by smoothing, squared: at most the mean of ||M lam v||^2 with -H <= M <= H, which is at most lam^2 ell E v'Hv")
        .reasoned("mean value form, Jensen's inequality, dpzero.sharp_bias (ii); E vv' <= I"),
        # the length of the step
        line("parts", length, "=", own / P + others * pair + sigma**2 * trace / P)
        .says("the directions and the noises are independent, E z^2 = sigma^2, E vv' = I")
        .reasoned("the square of a mean over P directions, in expectation"),
        line("own", own, "<=", ell * X**2 + sampling * sample)
        .says("one direction: the mean over all samples is p + (h - p) + (m - h), and a batch adds its variance, given the direction")
        .reasoned("Minkowski's inequality; variances of a batch of fixed size and of a Poisson one"),
        line("pair", pair, "<=", ell * (mean**2 + sampling * v * L**2))
        .says("two directions: ell times the square, over batches, of the mean step given the batch: that of the mean, and a variance")
        .reasoned("H <= ell I; ||E clip(h_i) v|| <= L sqrt(v), as clip(h_i) is odd and L-Lipschitz"),
        line("mean", mean, "<=", grad + bias).says("the mean step is at most bias longer than the gradient").reasoned("triangle inequality"),
        line("sample", sample, "<=", L**2 * (v * trace + 2 * sp.sqrt(v) * root_2))
        .says("one sample, X = clip(h_i): E X^2 <= v L^2, and the rest is at most 2 sqrt(v) L^2 times the root of E ||Hv||^2")
        .reasoned(f"{parts_of_X}; Poincare's inequality; Cauchy and Schwarz"),
        line("lead", ell * lead**2, "<=", trace + 2 * unit_H)
        .says("E (v'a)^2 v'Hv = Tr(H) + 2 a'Ha for a unit vector a and Gaussian v, less on the sphere")
        .reasoned("fourth moments; Lemma C.1 (iv) of DPZero"),
        line("curved", curved**2, "<=", smooth_root**2)
        .says("E (h - p)^2 w <= (lam/2)^2 E w^3")
        .reasoned("dpzero.sharp_bias (iii) and (iv); for Gaussian v the third moment of w is at most ell^3 r (r + 2) (r + 4)"),
        line("cut", ell * cut**2, "<=", over**2 * trace + 2 * L * over * root_2)
        .says("what clipping takes from a sample, X = (|h_i| - C)_+ with the sign of h_i, is L-Lipschitz")
        .reasoned(f"{parts_of_X}; Cauchy and Schwarz; Jensen's inequality over the samples"),
        line("over_sq", over**2, "<=", L**2 * v * psi).says("its mean square").reasoned("the tails of |h_i|, as for the bias"),
        line("after_T", D_last, "<=", BOUND)
        .says("the recursion T times, from gap")
        .reasoned("induction over t, where 1 - x >= 0 is used", using=("recursion", "induction_step", "contraction_factor")),
    )
    rank_root, smooth_size = 1 / (ell * root_r + root_2), lam * ell * root_r
    steps = (
        line("smoothing", smooth_bias, "<=", smooth_size)
        .says("the part of the bias by smoothing", "Tr(H) <= r ell; its square is at most the square of this")
        .by((1 / (smooth_size + smooth_bias), "smooth_bias"), (lam**2 * ell / (smooth_size + smooth_bias), "effective_rank")),
        line("bias", bias, "<=", b)
        .says("the distance of the mean step from the gradient", "both parts")
        .by("two_biases", "clip_bias", "smoothing", at=("zo_tilt",)),
        line("direction", along, ">=", grad_sq - b * grad)
        .says("the step against the gradient, with the norm of the gradient", "insert the bias")
        .by("cauchy", (grad, "bias")),
        line("root_2", root_2, "<=", ell * root_r)
        .says("the root of Tr(H^2)", "its square is at most ell Tr(H) <= r ell^2")
        .by((rank_root, "root_2_sq"), (ell * rank_root, "effective_rank")),
        line("sample_value", sample, "<=", ell * AT.of_samples(v))
        .says("the squared length of one sample's part in the norm of H", "Tr(H) <= r ell and the root of Tr(H^2)")
        .by("sample", (v * L**2, "effective_rank"), (2 * sp.sqrt(v) * L**2, "root_2")),
        line("lead_value", lead, "<=", sp.sqrt(r + 2))
        .says("the root of the length of the linear part", "Tr(H) <= r ell, H <= ell I; its square is at most r + 2")
        .by(*((share / ell / (sp.sqrt(r + 2) + lead), name) for share, name in ((1, "lead"), (1, "effective_rank"), (2, "norm_of_H")))),
        line("curved_value", curved, "<=", smooth_root)
        .says("the root of the length of what smoothing changes", "its square is at most the square of this")
        .by((1 / (smooth_root + curved), "curved")),
        line("over", over, "<=", cut_size)
        .says("the root of the mean square of what clipping takes from a sample", "its square is at most the square of this")
        .by((1 / (cut_size + over), "over_sq")),
        line("cut_value", cut, "<=", cut_root)
        .says("the root of the length of what clipping changes", "its square is at most the square of this")
        .by(
            *(
                (share / ell / (cut_root + cut), *name)
                for share, name in (
                    (1, ("cut",)), (over**2, ("effective_rank",)), (r * ell, ("over_sq",)), (2 * L * over, ("root_2",)),
                    (2 * L * ell * root_r, ("over",)),
                )
            )
        ),
        line("own_value", own, "<=", ell * Y**2 + sampling * ell * AT.of_samples(v))
        .says("the squared length of one direction's part in the norm of H", "the three roots, and the batch")
        .by(
            *("own", (sampling, "sample_value"), (ell * (X + Y) * grad, "lead_value")),
            *((ell * (X + Y), name) for name in ("curved_value", "cut_value")),
            modulo=((ell * (X + Y), "zo_rest"),),
        ),
        line("pair_value", pair, "<=", ell * ((grad + b) ** 2 + sampling * v * L**2))
        .says("the product of two directions' parts in the norm of H", "insert the bias")
        .by("pair", *((ell * (grad + b + mean), name) for name in ("mean", "bias"))),
        line("length", length, "<=", ell * (K_2 * grad_sq + 2 * K_1 * grad + K_0))
        .says("the squared length of the step in the norm of H, in the norm of the gradient", "all parts, with Tr(H) <= r ell")
        .by(
            *((1 / P, "own_value"), (others, "pair_value"), (sigma**2 / P, "effective_rank")),
            at=("zo_square", "zo_cross", "zo_constant"),
            modulo=((-1, "parts"), (ell * (1 + (r + 1) / P), "norm"), (-ell * grad**2, "zo_others")),
        ),
        line("one_step", F_next, "<=", F_now - A * grad_sq + Q * grad + alpha**2 * ell * K_0 / 2)
        .says("the loss after the step F_next in the norm of the gradient", "Taylor's formula, collected")
        .by("taylor", (alpha, "direction"), (alpha**2 / 2, "length"), modulo=((-grad_sq, "zo_slope"), (grad, "zo_pull"))),
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
