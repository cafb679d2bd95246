"""DP-GRAPE, moments of projections and quadratics: the statements once more, by hand."""

import math

LETTERS = {
    "block": (20, 90), "subspace": (2, 9), "columns": (2, 9), "layer_sq": (0.3, 3), "layer_fourth": (0.1, 3), "tail_level": (0.5, 9),
    "stretch": (1.5, 9), "a_H": (0.3, 3), "trace_H": (1, 9),
}  # fmt: skip
LOWEST = {1: "columns", 0: "layer_fourth"}


def beta_square(v):
    """The mean square of a diagonal entry of the projector to r of k dimensions, and of another entry."""
    k, r = v.block, v.subspace
    mean, variance = r / k, r / k * (1 - r / k) / (k / 2 + 1)
    along = mean**2 + variance
    return along, (mean - along) / (k - 1)


def orthonormal(v):
    along, across = beta_square(v)
    return (v.block / v.subspace) ** 2 * ((along - across) * v.a_H + across * v.a_sq * v.trace_H)


def averaged(v):
    """2 (F(W_0) - F^*)/(alpha T) and the noise, over what a step keeps of its descent."""
    return (2 * v.gap / (v.alpha * v.T) + v.alpha * v.ell * v.d * v.sigma**2) / (2 - v.alpha * v.ell * v.stretch)


STATEMENTS = {
    "moments": {
        "bound": lambda v: ((v.block + 1) / v.subspace + 1) * v.layer_sq, "unbiased": lambda v: v.layer_sq,
        "gram": lambda v: v.block / v.subspace, "variance": lambda v: 2 / v.subspace * v.layer_fourth,
        "weighted": lambda v: (v.subspace + 1) / v.subspace * v.a_H + v.trace_H / v.subspace * v.a_sq,
        "noise": lambda v: v.sigma**2 * v.block * v.columns,
    },
    "moments_orthonormal": {
        "bound": lambda v: v.block / v.subspace * v.layer_sq, "unbiased": lambda v: v.layer_sq,
        "sure": lambda v: v.block / v.subspace * v.layer_sq, "weighted": orthonormal,
    },
    "moments_tail": {
        "bound": lambda v: math.exp(-v.tail_level),
        "threshold": lambda v: v.layer_sq * ((1 + math.sqrt(v.tail_level / v.subspace)) ** 2 + v.tail_level / v.subspace),
    },
    "quadratic": {
        "bound": averaged,
        "contraction": lambda v: (1 - v.alpha * v.ell) ** 2 + (v.alpha * v.ell) ** 2 * (v.stretch - 1),
        "floor": lambda v: (v.alpha * v.sigma) ** 2 * v.d / (1 - (1 - v.alpha * v.ell) ** 2 - (v.alpha * v.ell) ** 2 * (v.stretch - 1)),
    },
}  # fmt: skip
CONDITIONS = {
    "moments_orthonormal": [lambda v: (v.subspace, v.block)],
    "quadratic": [lambda v: (v.alpha * v.ell * v.stretch, 2.0)],
}
LIMITS = [  # statement, words of the sentence, letter, its limit, whether the letter must be at least the limit
    ("moments_orthonormal", "no r orthonormal ones", "subspace", lambda v: v.block, False),
    ("quadratic", "grows without limit", "alpha", lambda v: 2 / (v.ell * v.stretch), False),
]
