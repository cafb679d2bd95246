"""The statements of DP-GRAPE on privacy once more, as printed, and the noise that is proved in their place."""

import math

from paper_checks.dp_grape.printed import D10
from tests.papers.hand import At, printed_value, value_at

log, sqrt = math.log, math.sqrt
LETTERS = {"layers": (1, 9), "subspace": (1, 9), "batch": (5, 50)}  # from, to, where the statements are evaluated
POINT = {"layers": 4.0, "subspace": 2.0, "batch": 20.0}


def printed(v):
    """Theorem 4.1: T, and sigma for that T."""
    T = value_at(D10["T"], v)
    return At(T=T, sigma=value_at(D10["sigma"], v | {"T": T}))


def enough(v):
    return v.sensitivity * sqrt(2 * v.T * log(1 / v.delta)) / v.epsilon


def root(v):
    """sqrt(L log(1/delta)/(2 d)), which both entries of a condition on B have."""
    return sqrt(v.layers * log(1 / v.delta) / (2 * v.d))


factor = printed_value("dp_grape", "gaussian")
PRINTED = {
    "theorem_2_1": {"bound": factor},
    "theorem_4_1": {"bound": printed_value("dp_grape", "rate"), "printed batch": lambda v: value_at(D10["B_first"], v) ** 2},
}
STATEMENTS = {
    "theorem_2_1": {"deviation": lambda v: sqrt(factor(v))},
    "theorem_4_1": {
        "multiplier": lambda v: v.batch / v.C * printed(v).sigma,
        "range": lambda v: 2 * v.batch**2 * printed(v)["T"] / v.n**2,
        "batch": lambda v: v.n * v.subspace / 4 * root(v),
    },
    "corrected_noise": {
        "bound": enough, "clipped mean": lambda v: 2 * sqrt(2) * v.C * sqrt(v.T * log(1 / v.delta)) / (v.n * v.epsilon),
    },
}  # fmt: skip
SCHEDULES = {"theorem_4_1": printed, "corrected_noise": lambda v: {"sigma": enough(v)}}
CONDITIONS = {
    "theorem_2_1": [lambda v: (v.epsilon, 1.0)],
    "theorem_4_1": [
        lambda v: (v.epsilon, 2 * log(2 / v.delta)),
        lambda v: (v.epsilon, 2 * v.batch**2 * printed(v)["T"] / v.n**2),
        lambda v: (v.batch, v.n),
        lambda v: (printed(v)["T"], 1.0),
    ],
    "corrected_noise": [
        lambda v: (v.epsilon, 2.0), lambda v: (v.epsilon, log(1 / v.delta)), lambda v: (log(1 / v.delta), 1.0),
    ],
}  # fmt: skip
# statement, words of the sentence, letter, its limit, whether the letter must be at least the limit
LIMITS = [
    ("theorem_2_1", "which the theorem that is cited asks for", "epsilon", lambda v: 1.0, False),
    ("theorem_4_1", "where Theorem 4.1 ends", "epsilon", lambda v: 2 * log(2 / v.delta), False),
    ("theorem_4_1", "which its proof of privacy covers", "batch", lambda v: sqrt(v.n * v.subspace / 4 * root(v)), True),
    ("theorem_4_1", "there is no such batch", "batch", lambda v: v.n, False),
    ("theorem_4_1", "no step can be taken", "subspace", lambda v: printed(v)["T"] * v.subspace, False),
    ("corrected_noise", "is above 2", "epsilon", lambda v: 2.0, False),
    ("corrected_noise", "is above log(1/delta)", "delta", lambda v: math.exp(-v.epsilon), False),
    ("corrected_noise", "is below 1", "delta", lambda v: math.exp(-1), False),
]
