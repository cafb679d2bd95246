"""Lemmas 3 and 4: Gaussian smoothing, and the error of the noisy, clipped two-point gradient.

Setting   f(., x) L-Lipschitz for every sample x; v standard normal; gamma^2 the mean squared distance of a sample's smoothed gradient.
Method    a step of Algorithm 2: P directions, which all m samples share; noise of deviation sigma C/m on each scalar, sigma by (13).
Lemma 3   (i) f_beta is L-Lipschitz, (ii) |f_beta - f| <= L beta sqrt(d), (iii) f_beta is sqrt(d) L/beta-smooth, (iv) E g v = grad f_beta
Lemma 4   E ||grad F_beta - grad f^||^2 <= d c_2^2 C^2 P T log(P/delta)/(epsilon n)^2 + (8 d C^2/e + 64 d beta^2 L^4 + gamma^2)/(P m);
          the proof sets C^2 = 2 L^2. It is false as printed: `bounds.dp_zopo.corrected` has what holds, the chain here what its steps give.
Source    DP-ZOPO, Lemma 3, (9); Lemma 4, (14), restated as Lemma 6, (20) to (32).
"""

import sympy as sp

from bounds.dp_zopo.corrected import LIPSCHITZ
from bounds.dp_zopo.paper import letters, stated
from bounds.theorem import Part

C, L, P, T, beta, c_2, d, delta, epsilon, gamma, m, n, sigma = letters("C L P T beta c_2 d delta epsilon gamma m n sigma")
error, form, gap, length, noise, direction_sq = letters(
    "gradient_error smooth_form smoothing_gap direction_length noise_energy direction_sq"
)

SIGMA_SQ = c_2**2 * P**2 * m**2 * T * sp.log(P / delta) / (epsilon**2 * n**2)  # (13), with equality
PRIVACY = d * c_2**2 * C**2 * P * T * sp.log(P / delta) / (epsilon**2 * n**2)
CLIPPING, ZEROTH, SAMPLING = 8 * d * C**2 / (sp.E * P * m), 64 * d * beta**2 * L**4 / (P * m), gamma**2 / (P * m)
LEMMA4 = stated(
    *("Lemma 4 (gradient error)", "(14), (20), (32)"),
    measure="E ||g_t - grad F_beta(theta_t)||^2, g_t the noisy clipped estimate",
    assumptions=(LIPSCHITZ, "noise by (13)", "sample_spread^2 as in Assumption 1"),
    bound=PRIVACY + CLIPPING + ZEROTH + SAMPLING,
    parts=(Part("C of the proof", "C", "=", sp.sqrt(2) * L),),
    notes=("false as printed: samples share their directions and directions their batch; dp_zopo.corrected_gradient_error holds instead",),
    measured=error,
)
