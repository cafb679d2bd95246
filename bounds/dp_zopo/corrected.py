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

from bounds.dp_zopo.paper import keyed, letters
from bounds.symbols import Min
from bounds.theorem import Part, Theorem

C, L, P, beta, d, gamma, m, n, r, sigma = letters("C L P beta d gamma m n r sigma")
direction_sq, clip_tail, bias, B_C = letters("direction_sq clip_tail quotient_bias bias_cap")
V_C, clipped, error, noise, given, over = letters("direction_cap weighted_clipped gradient_error noise_energy given_batch over_batches")

TAIL = sp.erfc(C / (sp.sqrt(2) * L))
WEIGHTED = L**2 * (d + 2 * sp.sqrt(d))
LIPSCHITZ = "f(., x) is L-Lipschitz for every sample x"
MASKED = "with a mask that keeps k coordinates with weight 1, d is k and gradients are those in these coordinates"
ABBREVIATED = {"bias_cap": L * TAIL, "direction_cap": Min(d * C**2, WEIGHTED)}


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
GRADIENT_ERROR = error_of(
    *("corrected_gradient_error", "Lemma 4 corrected", "the batch is a uniformly random subset of m of the n samples"),
    d / P * (C**2 + sigma**2 * C**2 / m**2) + (2 * gamma**2 + 2 * B_C**2) / m + B_C**2,
    V_C / P + NOISE + (n - m) / ((n - 1) * m) * (gamma + B_C) ** 2 + B_C**2,
    (n > 1,),
)
