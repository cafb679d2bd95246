"""Lemmas 5 and 8 and Theorems 2 and 4 once more, typed by hand."""

import math

from paper_checks.pages.as_printed import printed
from tests.papers.hand import At, printed_value, value_at

sqrt, ceil = math.sqrt, math.ceil
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


ENTRIES = printed("dp_zopo").of("entries_of_step").values()
anchor_weight, step_times_T, order = (printed_value("dp_zopo", name) for name in ("anchor_weight", "step_times_T", "order"))


def stages(v, k):
    """The printed parameters for k parameters."""
    eta = v.stage_target * min(value_at(entry, v | {"d": k}) for entry in ENTRIES)
    number = ceil(math.log2(v.target_0 / v.target))
    return At(stages=number, anchor=anchor_weight(v), stage_step=eta, stage_T=step_times_T(v) / eta)


def printed_theorem(k):
    return {"bound": lambda v: v.target, "complexity": lambda v: order(v | {"d": k(v)})}


def theorem(k):
    return {"stage": lambda v: v.stage_target, "calls": lambda v: v.directions * v.minibatch * stages(v, k(v)).stage_T}


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


PRINTED = {
    **{key: {"bound": printed_value("dp_zopo", name)} for key, name in (("lemma5", "equation_33"), ("lemma8", "equation_48"))},
    "theorem2": printed_theorem(whole), "theorem4": printed_theorem(share),
}  # fmt: skip
STATEMENTS = {"lemma5": {"error": printed_value("dp_zopo", "error")}, "theorem2": theorem(whole), "theorem4": theorem(share)}
SCHEDULES = {"theorem2": lambda v: stages(v, v.d), "theorem4": lambda v: stages(v, v.d * v.tuned)}
CONDITIONS = {
    "lemma5": [lambda v: (v.stage_step, v.stage_lam / (sqrt(v.d) * v.L)), lambda v: (v.weak * v.anchor, 1.0)],
    "theorem2": conditions(whole),
    "theorem4": [*conditions(share), lambda v: (v.d * v.tuned, 1.0)],
}


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
