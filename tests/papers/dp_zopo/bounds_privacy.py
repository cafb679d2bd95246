"""The statements of DP-ZOPO on privacy once more, as printed, the noise of all directions together, and the privacy floor."""

import math

from tests.papers.hand import printed_statements

log, sqrt = math.log, math.sqrt
LETTERS = {  # from, to, where the statements are evaluated
    "minibatch": (2, 50), "directions": (2, 20), "unit_sigma": (0.3, 3),
    "stages": (1, 6), "growth_mu": (0.3, 3), "tuned": (0.01, 1), "stage_target": (0.01, 10),
}  # fmt: skip
LOWEST = {1: "minibatch directions stages stage_T odds", 0: "weak sample_spread each_move_sq all_moves_sq"}
HIGHEST = {"stages": 60, "tuned": 1}
POINT = {"minibatch": 20.0, "directions": 4.0, "stages": 3.0, "c_noise": 1.0, "c_range": 1.0, "growth_mu": 1.0, "tuned": 0.1}


def floor(v, scale):
    return 49 * (1 - 2.0**-v.stages) * v.d * v.c_noise**2 * v.C**2 * scale / (v.growth_mu * v.epsilon**2 * v.n**2)


def printed(v):
    return floor(v, v.directions * log(v.directions / v.delta))


def joint(v):
    return floor(v, log(1 / v.delta))


PRINTED = printed_statements("dp_zopo")
one, squared = PRINTED["lemma1"]["bound"], PRINTED["theorem1"]["squared"]  # (5), (13)
ENOUGH = {"bound": lambda v: sqrt(squared(v)), "together": lambda v: sqrt(v.directions) * one(v)}
STATEMENTS = {
    "theorem1": ENOUGH,
    "theorem3": ENOUGH,
    "corrected_noise": {"bound": lambda v: sqrt(v.directions) * v.unit_sigma},
    "floor": {
        "bound": printed, "together": joint, "masks": lambda v: v.tuned * printed(v), "together with masks": lambda v: v.tuned * joint(v),
    },
}  # fmt: skip
SCHEDULES = {"corrected_noise": lambda v: {"sigma": sqrt(v.directions) * v.unit_sigma}}


def reach(v):
    return v.c_range * (v.minibatch / v.n) ** 2 * v["T"]


IN_RANGE = [lambda v: (v.epsilon, reach(v)), lambda v: (v.minibatch, v.n)]
CONDITIONS = {
    "lemma1": IN_RANGE, "lemma2": IN_RANGE[1:], "theorem1": IN_RANGE, "theorem3": IN_RANGE,
    "floor": [lambda v: (v.stage_target, printed(v))],
}  # fmt: skip
# statement, words of the sentence, letter, its limit, whether the letter must be at least the limit
LIMITS = [
    *((key, "is not below c_1 (m/n)^2 T", "epsilon", reach, False) for key in ("lemma1", "theorem1", "theorem3")),
    *((key, "there is no such batch", "minibatch", lambda v: v.n, False) for key in ("lemma1", "lemma2", "theorem1", "theorem3")),
    ("floor", "no step size, stage length and noise fit together", "stage_target", printed, True),
]
AT_LEAST = ("floor",)
