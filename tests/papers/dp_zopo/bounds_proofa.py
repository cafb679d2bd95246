"""Lemmas 3 and 4 and what holds in their place once more, typed by hand."""

import math

from tests.papers.hand import At, printed_value

sqrt, exp, erfc, pi = math.sqrt, math.exp, math.erfc, math.pi
LETTERS = {  # from, to
    "minibatch": (2, 50), "directions": (2, 20), "noise_ratio": (0.3, 3), "sample_spread": (0.3, 3), "stage_lam": (1e-3, 1),
}  # fmt: skip
LOWEST = {
    1: "minibatch directions stages stage_T",
    0: """quotient_sq quotient_rms quotient_fourth weighted_quotient direction_sq direction_length quotient_bias bias_cap direction_cap
       weighted_clipped gradient_error noise_energy given_batch over_batches size_sq clipped_spread clipped_size most_bias mean_bias
       normal_abs smoothing_gap side_sq other_side_sq clipping_sq clip_tail side_tail sample_spread weak""",
}


def moved(v):
    """B_C, V_C and the noise."""
    bias = v.L * erfc(v.C / (sqrt(2) * v.L))
    smaller = min(v.d * v.C**2, v.L**2 * v.d + 2 * v.L**2 * sqrt(v.d))
    return At(B=bias, V=smaller, noise=v.d * (v.noise_ratio * v.C / v.minibatch) ** 2 / v.directions)


def subset(v, sharp):
    at, m, P = moved(v), v.minibatch, v.directions
    if sharp:
        return at.V / P + at.noise + (v.n - m) / (v.n - 1) / m * (v.sample_spread + at.B) ** 2 + at.B**2
    return v.d * v.C**2 / P + at.noise + 2 * (v.sample_spread**2 + at.B**2) / m + at.B**2


def poisson(v, sharp):
    at, m, P, left_out = moved(v), v.minibatch, v.directions, 1 - v.minibatch / v.n
    second = at.V if sharp else v.d * v.C**2
    return second * (1 + left_out / m) / P + at.noise + left_out * v.L**2 / m + at.B**2


PRINTED = {"lemma4": {"bound": printed_value("dp_zopo", "error")}}
STATEMENTS = {
    "lemma3": {"iv": lambda v: 0},
    "lemma4": {"C of the proof": lambda v: sqrt(2) * v.L},
    "corrected_moments": {
        "bound": lambda v: v.L**2 * (v.d + 2 * sqrt(v.d)), "tail": lambda v: erfc(v.C / (sqrt(2) * v.L)), "second": lambda v: v.L**2,
        "fourth": lambda v: 3 * v.L**4, "root 3": lambda v: sqrt(3) * v.L**2 * sqrt(v.d * (v.d + 2)),
    },
    "corrected_clip_bias": {
        "bound": lambda v: moved(v).B, "exponential": lambda v: v.L * exp(-(v.C**2) / (2 * v.L**2)),
    },
    "corrected_smoothness": {"bound": lambda v: sqrt(2 / pi) * v.L / v.stage_lam},
    "corrected_gradient_error": {"bound": lambda v: subset(v, False), "sharp": lambda v: subset(v, True)},
    "corrected_poisson_error": {"bound": lambda v: poisson(v, False), "sharp": lambda v: poisson(v, True)},
}  # fmt: skip
POINT = {"minibatch": 20.0, "directions": 4.0, "C": 1.0}
