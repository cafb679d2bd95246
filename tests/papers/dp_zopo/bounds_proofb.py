"""Lemmas 5 and 8 and Theorems 2 and 4 once more, typed by hand."""

import math

from tests.papers.hand import At

sqrt, log, ceil = math.sqrt, math.log, math.ceil
LETTERS = {  # from, to
    "anchor": (0.3, 30), "stage_step": (1e-3, 1e-1), "stage_T": (10, 1e3), "stage_lam": (1e-3, 1), "last_lam": (1e-3, 1),
    "away_first": (0.3, 3), "growth_mu": (1e-2, 1), "weak": (1e-3, 1), "target": (1e-3, 1e-2), "target_0": (0.3, 3),
    "stage_target": (1e-2, 1e-1), "tuned": (0.1, 1), "minibatch": (2, 50), "directions": (2, 20), "sample_spread": (0.3, 3),
}  # fmt: skip
LOWEST = {
    1: "minibatch directions stages stage_T",
    0: """weak sample_spread error_level error_sq anchor_next anchor_at move_sq away_sq away_next away_first away_last stage_moved_sq
       before_gap carried_gap best_excess gap_here off_mask_sq on_mask_sq masked_gap""",
}


def errors(v, k, radius):
    """The four terms of Lemma 4 for k parameters: noise, clipping, smoothing, sampling."""
    shared = v.directions * v.minibatch
    noise = k * v.c_noise**2 * v.C**2 * v.directions * v["T"] * log(v.directions / v.delta) / (v.epsilon * v.n) ** 2
    return noise, 8 * k * v.C**2 / (math.e * shared), 64 * k * radius**2 * v.L**4 / shared, v.sample_spread**2 / shared


def lemma5(v):
    first = (1 / (2 * v.stage_step * v.stage_T) + 1 / (2 * v.stage_T * v.anchor)) * v.away_first
    return first + v.stage_step * sum(errors(v, v.d, v.stage_lam))


def stages(v, k):
    """The printed parameters for k parameters."""
    Pm = v.directions * v.minibatch
    noise = v.epsilon**2 * v.n**2 / (7 * k * v.c_noise**2 * v.C**2 * v.directions * v["T"] * log(v.directions / v.delta))
    entries = (Pm / (7 * v.sample_spread**2), Pm * math.e / (56 * k * v.C**2), noise, Pm / (448 * k * v.last_lam**2 * v.L**4))
    eta, anchor = v.stage_target * min(entries), 7 / (2 * v.growth_mu)
    return At(stages=ceil(math.log2(v.target_0 / v.target)), anchor=anchor, stage_step=eta, stage_T=anchor / eta)


def complexity(v, k):
    noise = k * v.C**2 * v.directions**2 * v.minibatch * log(v.directions / v.delta) / (v.epsilon * v.n) ** 2
    return (v.sample_spread**2 + k * v.C**2 + k * v.last_lam**2 * v.L**4 + noise) / (v.growth_mu * v.target)


def theorem(k):
    return {
        "bound": lambda v: v.target, "stage": lambda v: v.stage_target, "complexity": lambda v: complexity(v, k(v)),
        "calls": lambda v: v.directions * v.minibatch * stages(v, k(v)).stage_T,
    }  # fmt: skip


def conditions(k):
    return [
        lambda v: (stages(v, k(v)).stage_step, v.stage_lam / (sqrt(v.d) * v.L)),
        lambda v: (v.weak * 7 / (2 * v.growth_mu), 1.0),
        lambda v: (stages(v, k(v)).stage_T, 1.0),
    ]


def whole(v):
    return v.d


def share(v):
    return v.d * v.tuned


STATEMENTS = {
    "lemma5": {"bound": lemma5, "error": lambda v: sum(errors(v, v.d, v.stage_lam))},
    "lemma8": {"bound": lambda v: sum(errors(v, v.d * v.tuned, v.stage_lam))},
    "theorem2": theorem(whole),
    "theorem4": theorem(share),
}
SCHEDULES = {"theorem2": lambda v: stages(v, v.d), "theorem4": lambda v: stages(v, v.d * v.tuned)}
ANY_SCHEDULE: dict[str, object] = {}
CONDITIONS = {
    "lemma5": [lambda v: (v.stage_step, v.stage_lam / (sqrt(v.d) * v.L)), lambda v: (v.weak * v.anchor, 1.0)],
    "theorem2": conditions(whole),
    "theorem4": [*conditions(share), lambda v: (v.d * v.tuned, 1.0)],
}


def changed(key, v):
    """Nothing: the conditions are compared at any point."""
    return {}


POINT = {
    "last_lam": 0.1,
    "stage_lam": 0.1,
    "sample_spread": 1.0,
    "growth_mu": 0.1,
    "weak": 0.01,
    "tuned": 0.5,
    "c_noise": 1.0,
    "minibatch": 20.0,
    "directions": 4.0,
    "C": 1.0,
}
# statement, words of the sentence, letter, its limit, whether the letter must be at least the limit
LIMITS = [
    ("lemma5", "the term of smoothness", "stage_lam", lambda v: v.stage_step * sqrt(v.d) * v.L, True),
    ("lemma5", "need not be convex", "weak", lambda v: 1 / v.anchor, False),
    ("theorem2", "Lemma 5 asks for it", "stage_lam", lambda v: stages(v, v.d).stage_step * sqrt(v.d) * v.L, True),
    ("theorem2", "rho <= 2 mu/7", "weak", lambda v: 2 * v.growth_mu / 7, False),
    ("theorem2", "no step can be taken", "growth_mu", lambda v: 7 / (2 * stages(v, v.d).stage_step), False),
    ("theorem4", "no parameter is tuned", "tuned", lambda v: 1 / v.d, True),
]
