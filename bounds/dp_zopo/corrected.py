"""What holds in place of Lemma 4: moments, clipping bias, smoothness and error of the clipped two-point estimate.

Setting   f(., x) L-Lipschitz for every sample x; v standard normal in d dimensions, g = (f(theta + beta v) - f(theta - beta v))/(2 beta).
          With a mask that keeps k coordinates with weight 1 these are statements about f on them: d is read as k, gradients as theirs.
Method    one step of Algorithm 2: P directions, each with the clipped quotients of the same batch and one noise of deviation sigma C/m.
Lemma     g is odd and L-Lipschitz as a function of v; so are clip(g), g - clip(g), and the mean of clip(g) over a batch. Of any such g:
          corrected_moments     P(|g| >= C) <= erfc(C/(sqrt(2) L)),  E g^2 <= L^2,  E g^4 <= 3 L^4,  E g^2 ||v||^2 <= L^2 (d + 2 sqrt(d))
          corrected_clip_bias   ||E (g - clip g) v|| <= B_C = L erfc(C/(sqrt(2) L)), whatever d is; equality for linear losses
          corrected_smoothness  f_beta is sqrt(2/pi) L/beta-smooth, whatever d is; L|x| attains it
Theorem   corrected_gradient_error   E ||grad F_beta - grad f^||^2 <= (d/P) (C^2 + sigma^2 C^2/m^2) + (2 gamma^2 + 2 B_C^2)/m + B_C^2
          corrected_poisson_error    the same for Poisson batches whose sum is divided by m
Source    ours; Lemma 4 of the paper with its proof repaired.
"""

from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.dp_zopo.paper import keyed, letters, proved
from bounds.lines import Inverse, Step, line
from bounds.symbols import Min
from bounds.theorem import Part, Theorem

C, L, P, beta, d, gamma, m, n, r, sigma = letters("C L P beta d gamma m n r sigma")
quotient_sq, rms, fourth, along, weighted = letters("quotient_sq quotient_rms quotient_fourth quotient_along weighted_quotient")
direction_sq, clip_tail, bias, B_C = letters("direction_sq clip_tail quotient_bias bias_cap")
V_C, clipped, error, noise, given, over = letters("direction_cap weighted_clipped gradient_error noise_energy given_batch over_batches")
size_sq, spread, size, most, mean = letters("size_sq clipped_spread clipped_size most_bias mean_bias")
form, normal_abs, x, clipping_sq = letters("smooth_form normal_abs normal_from clipping_sq")

TAIL = sp.erfc(C / (sp.sqrt(2) * L))
EXPONENTIAL = sp.exp(-(C**2) / (2 * L**2))
WEIGHTED = L**2 * (d + 2 * sp.sqrt(d))
LIPSCHITZ = "f(., x) is L-Lipschitz for every sample x"
NORMAL = "v is standard normal in d dimensions"
MASKED = "with a mask that keeps k coordinates with weight 1, d is k and gradients are those in these coordinates"
MASKS = ({d: d * r},)  # what may stand for d: the number of coordinates that a mask keeps
ABBREVIATED = {"bias_cap": L * TAIL, "direction_cap": Min(d * C**2, WEIGHTED)}

MOMENTS = keyed(
    *("corrected_moments", "moments of the two-point quotient", "ours; in place of (25) to (27) and (29)"),
    measure="E g^2 ||v||^2",
    assumptions=(LIPSCHITZ, NORMAL),
    bound=WEIGHTED,
    parts=(
        Part("tail", "P(|g| >= C)", "<=", TAIL, clip_tail),
        Part("second", "E g^2", "<=", L**2, quotient_sq),
        Part("fourth", "E g^4", "<=", 3 * L**4, fourth),
        Part("root 3", "E g^2 ||v||^2", "<=", sp.sqrt(3) * L**2 * sp.sqrt(d * (d + 2)), weighted),
    ),
    notes=("holds for every odd L-Lipschitz g: clipped quotients, what clipping takes, and means of these over samples", MASKED),
    measured=weighted,
)
CLIP_BIAS = keyed(
    *("corrected_clip_bias", "bias of a clipped two-point estimate", "ours; in place of (21) and (28)"),
    measure="||E (g - clip g) v||",
    assumptions=(LIPSCHITZ, NORMAL),
    bound=L * TAIL,
    parts=(Part("exponential", "||E (g - clip g) v||", "<=", L * EXPONENTIAL, bias),),
    notes=("equality for linear losses; no batch, number of directions or smoothing radius makes it smaller", MASKED),
    measured=bias,
)
SMOOTHNESS = keyed(
    *("corrected_smoothness", "smoothness of a Gaussian smoothing", "ours; Lemma 3 (iii), sharper"),
    measure="u' (Hessian of f_beta) u, u a unit vector",
    assumptions=("f is L-Lipschitz", NORMAL),
    bound=sp.sqrt(2 / sp.pi) * L / beta,
    notes=("attained by L|x| at 0; Lemma 5 may take eta up to sqrt(pi/2) beta/L", "the same bounds minus the second slope, by -f"),
    measured=form,
)


def error_of(kind: str, title: str, batch: str, bound: Any, sharp: Any, where: tuple[Any, ...] = ()) -> Theorem:
    """Return the theorem for one kind of batches."""
    return keyed(
        *(kind, title, "ours; in place of Lemma 4"),
        measure="E ||g_t - grad F_beta(theta_t)||^2, g_t the noisy clipped estimate",
        assumptions=(
            LIPSCHITZ,
            "directions are standard normal, P in a step, and all samples of a batch share them",
            batch,
            "noise on the mean along a direction has the standard deviation noise_ratio C/m, and is independent of all else",
            "sample_spread^2 is the mean over samples of the squared distance of the smoothed gradient from their mean",
        ),
        definitions=ABBREVIATED,
        bound=bound,
        parts=(Part("sharp", "the same, with the smaller of two second moments", "<=", sharp, error, where),),
        notes=(MASKED,),
        measured=error,
    )


NOISE = d * sigma**2 * C**2 / (P * m**2)
SIZE = 1 + (1 - m / n) / m
GRADIENT_ERROR = error_of(
    *("corrected_gradient_error", "Lemma 4 corrected", "the batch is a uniformly random subset of m of the n samples"),
    d / P * (C**2 + sigma**2 * C**2 / m**2) + (2 * gamma**2 + 2 * B_C**2) / m + B_C**2,
    V_C / P + NOISE + (n - m) / ((n - 1) * m) * (gamma + B_C) ** 2 + B_C**2,
    (n > 1,),
)
POISSON_ERROR = error_of(
    *("corrected_poisson_error", "Lemma 4 corrected, Poisson batches"),
    "each sample is in the batch with probability m/n, independently; the sum over the batch is divided by m",
    d / P * (C**2 * SIZE + sigma**2 * C**2 / m**2) + (1 - m / n) * L**2 / m + B_C**2,
    V_C * SIZE / P + NOISE + (1 - m / n) * L**2 / m + B_C**2,
)


def moments_proof() -> Derivation:
    """Compare with a linear loss by isoperimetry, and take what depends on ||v||^2 by parts."""
    tail_at, bell, root = sp.erfc(x / (sp.sqrt(2) * L)), sp.exp(-(x**2) / (2 * L**2)), sp.sqrt(2 / sp.pi)
    levels = x**4 * tail_at - 3 * L**4 * tail_at - root * (L * x**3 + 3 * L**3 * x) * bell
    parts = sp.sqrt(3) * L**2 * sp.sqrt(d * (d + 2))
    weighted_terms = (((L + rms) * d, "poincare"), (2 * L * sp.sqrt(d), "poincare"), (2, "along"))
    weighted_modulo = ((-1, "by_parts"), (-d, "square"))
    return proved(
        *("corrected_moments", MOMENTS.title, "in place of (25) to (27) and (29)"),
        proves=MOMENTS,
        shows={"tail": "tail", "second": "second", "fourth": "fourth", "root 3": "root_3"},
        instances=(*MASKS, {weighted: clipped}, {weighted: clipping_sq}),
        facts=(
            line("tail", clip_tail, "<=", TAIL)
            .says("g is odd and L-Lipschitz in v, so its median is 0, and |g| exceeds any level at most as often as L|N|")
            .cited("Gaussian isoperimetry (Sudakov, Tsirelson 1974; Borell 1975)"),
            line("levels", fourth, "<=", 3 * L**4)
            .says("E g^4 is the integral of 4 c^3 P(|g| > c); the primitive of 4 x^3 times the tail is -3 L^4 at 0, and 0 at infinity")
            .reasoned("integration over the levels", using=("tail", "primitive")),
            line("poincare", rms, "<=", L).says("g has mean 0").cited("the Gaussian Poincare inequality, E g^2 <= E ||grad g||^2"),
            line("square", quotient_sq, "=", rms**2).says("rms is the root of E g^2").reasoned("what a root is"),
            line("by_parts", weighted, "=", d * quotient_sq + 2 * along)
            .says("E g^2 ||v||^2")
            .reasoned("Stein's identity for the field g^2 v"),
            line("along", along, "<=", L * sp.sqrt(d) * rms).says("|v'grad g| <= L ||v||").reasoned("Cauchy and Schwarz, E ||v||^2 = d"),
        ),
        steps=(
            line("primitive", sp.diff(levels, x), "=", 4 * x**3 * tail_at)
            .says("the slope, in the point of integration, of (x^4 - 3 L^4) P(L|N| > x) less a bell", "differentiate")
            .identity(),
            line("second", quotient_sq, "<=", L**2)
            .says("E g^2, the mean square of the quotient", "Poincare")
            .by((L + rms, "poincare"), modulo=((-1, "square"),)),
            line("fourth", fourth, "<=", 3 * L**4).says("the mean fourth power of the quotient", "over the levels").by("levels"),
            line("root_3", weighted, "<=", parts)
            .says("the mean of g^2 ||v||^2, as the fourth moments would give it by Cauchy and Schwarz", "d + 2 sqrt(d) is smaller")
            .by(*weighted_terms, 2 * L**2 * d * (sp.sqrt(d) - 1) ** 2 / (parts / L**2 + d + 2 * sp.sqrt(d)), modulo=weighted_modulo),
            line("bound", weighted, "<=", WEIGHTED)
            .says("the mean of g^2 times the squared length of v", "E g^2 <= L^2, twice")
            .by(*weighted_terms, modulo=weighted_modulo),
        ),
    )


def clip_bias_proof() -> Derivation:
    """By parts the bias is a mean of slopes where |g| is above C."""
    return proved(
        *("corrected_clip_bias", CLIP_BIAS.title, "in place of (21) and (28)"),
        proves=CLIP_BIAS,
        shows={"exponential": "exponential"},
        instances=({bias: most},),
        facts=(
            line("tail", clip_tail, "<=", TAIL).says("P(|g| >= C)").shown("dp_zopo.corrected_moments", "tail"),
            line("by_parts", bias, "<=", L * clip_tail)
            .says("E (g - clip g) v is the mean of grad g where |g| is above C")
            .reasoned("Stein's identity for g - clip g, and ||grad g|| <= L"),
            line("erfc", TAIL, "<=", EXPONENTIAL)
            .says("erfc(y) <= exp(-y^2), y = C/(sqrt(2) L)")
            .reasoned("erfc(y) is 2/sqrt(pi) times the integral of exp(-(y + s)^2) over s > 0, and (y + s)^2 >= y^2 + s^2"),
        ),
        steps=(
            line("exponential", bias, "<=", L * EXPONENTIAL)
            .says("the bias of the estimate of a sample", "by the tail of a normal number")
            .by("by_parts", (L, "tail"), (L, "erfc")),
            line("bound", bias, "<=", L * TAIL)
            .says("the bias of the estimate of a sample is at most B_C", "isoperimetry")
            .by("by_parts", (L, "tail")),
        ),
    )


def smoothness_proof() -> Derivation:
    """By parts the second slope is a mean of <grad f, u> <v, u>."""
    return proved(
        *("corrected_smoothness", SMOOTHNESS.title, "Lemma 3 (iii), sharper"),
        proves=SMOOTHNESS,
        facts=(
            line("by_parts", form, "<=", L / beta * normal_abs)
            .says("it is E <grad f(theta + beta v), u> <v, u> / beta, f is differentiable almost everywhere, and |<grad f, u>| <= L")
            .reasoned("<v, u> is standard normal"),
            line("mean_abs", normal_abs, "=", sp.sqrt(2 / sp.pi)).says("E |N|").reasoned("the primitive of x exp(-x^2/2) is -exp(-x^2/2)"),
        ),
        steps=(
            line("bound", form, "<=", sp.sqrt(2 / sp.pi) * L / beta)
            .says("the second slope of f_beta along a unit vector", "no dimension enters")
            .by("by_parts", modulo=((-L / beta, "mean_abs"),)),
        ),
    )


def _error_proof(theorem: Theorem, whole: Any, facts: tuple[Step, ...], over_batch: Any, sharper: Any) -> Derivation:
    """Return the proof for one kind of batches: `whole` is the mean squared size over m^2, the last arguments what a batch adds."""
    scalar = (sigma * C / m) ** 2 / P
    taken = (
        line("split", error, "=", noise + given + over + mean**2)
        .says("noise, what directions cause given the batch, what the batch causes, and the bias of the mean over all samples")
        .reasoned("orthogonality: each has mean 0 given those after it"),
        line("noise", noise, "=", direction_sq * scalar).says("P scalars of deviation sigma C/m").reasoned("cross terms have mean 0"),
        line("direction_sq", direction_sq, "=", d).says("E ||v||^2, 1 for each coordinate").reasoned("v is standard normal"),
        line("given", given, "<=", size_sq * clipped / P).says("P independent copies").reasoned("a variance is at most a second moment"),
        line("size", size_sq, "=", whole).says("the squared size of a batch, over m^2, in the mean").reasoned("how a batch is drawn"),
        line("clipped", clipped, "<=", C**2 * direction_sq).says("a mean of clips is at most C").reasoned("|clip g| <= C"),
        line("odd", clipped, "<=", WEIGHTED).says("so is c").shown("dp_zopo.corrected_moments", "bound", {weighted: clipped}),
        line("smaller", clipped, "<=", V_C).says("V_C is the smaller one").reasoned("it is at most both", using=("clipped", "odd")),
        line("of_one", most, "<=", L * TAIL).says("of every sample").shown("dp_zopo.corrected_clip_bias", "bound", {bias: most}),
        line("of_all", mean, "<=", most).says("a mean is no longer than the longest").reasoned("the triangle inequality"),
        *facts,
    )
    biased, split = ((mean + most, "of_all"), (most + B_C, "bias")), ((-1, "split"), (-1, "noise"))
    (more, modulo), (less, exact) = over_batch, sharper
    steps = (
        line("bias", most, "<=", B_C).says("the bias of every sample, B_C", "Stein").by("of_one", modulo=((1, "bias_cap"),)),
        line("sharp", error, "<=", next(part.value for part in theorem.parts))
        .says("the mean squared error of the estimate, with V_C", "all of the above")
        .by(
            *((1, "given"), (size_sq / P, "smaller"), *biased, *less),
            modulo=(*split, (-scalar, "direction_sq"), (-V_C / P, "size"), *exact),
        ),
        line("bound", error, "<=", theorem.bound)
        .says("the mean squared error of the estimate, with C^2 for clips", "(a + b)^2 <= 2 a^2 + 2 b^2")
        .by(
            *((1, "given"), (size_sq / P, "clipped"), *biased, *more),
            modulo=(*split, (-scalar - C**2 * size_sq / P, "direction_sq"), (-(C**2) * d / P, "size"), *modulo),
        ),
    )
    return proved(
        *(theorem.key.removeprefix("dp_zopo."), theorem.title, "Lemma 4, repaired"),
        facts=taken, steps=steps, proves=theorem, shows={"sharp": "sharp"}, instances=MASKS,
    )  # fmt: skip


def error_proof() -> Derivation:
    """Batches without replacement: the means of clipped estimates differ by gamma and twice the bias, by Minkowski by gamma + B_C."""
    left = ("minibatch <= n", 1 / m, Inverse("many"))
    facts = (
        line("many", n, ">", 1).says("n > 1: there are two different samples").case(),
        line("batch", (n - 1) * m * over, "=", (n - m) * spread).says("of the h_i of a batch").reasoned("sampling without replacement"),
        line("at_most", over, "<=", spread / m).says("the same where n is 1 too").reasoned("(n - m)/(n - 1) <= 1, and 0 for n = 1"),
        line("minkowski", spread, "<=", (gamma + most) ** 2)
        .says("h_i, the mean clipped estimate of a sample, is its smoothed gradient less its bias, which deviates by most_bias at most")
        .reasoned("Minkowski's inequality over the samples"),
    )
    over_batch = ((1, "at_most"), (1 / m, "minkowski"), ((gamma - most) ** 2 / m,), (2 / m * (most + B_C), "bias"))
    sharper = ((*left, "minkowski"), (*left, 2 * gamma + most + B_C, "bias"))
    exact = (((-1 / m, Inverse("many")), "batch"),)
    return _error_proof(GRADIENT_ERROR, sp.Integer(1), facts, (over_batch, ()), (sharper, exact))


def poisson_proof() -> Derivation:
    """Poisson batches: every sample counts by its whole mean clipped estimate, which is at most L long."""
    facts = (
        line("batch", over, "=", (1 - m / n) / m * size)
        .says("the sum over a batch of the samples' mean clipped estimates h_i, over m")
        .reasoned("independent choices: n (m/n) (1 - m/n)/m^2 times the mean square"),
        line("long", size, "<=", L**2).says("h_i is the mean of the gradient of clip(g)").reasoned("Stein's identity"),
    )
    adds = ((("minibatch <= n", 1 / (n * m), "long"),), ((-1, "batch"),))
    return _error_proof(POISSON_ERROR, SIZE, facts, adds, adds)
