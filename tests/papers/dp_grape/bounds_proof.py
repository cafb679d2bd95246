"""Theorem D.10 and Lemmas D.4 to D.9 once more, as printed or by hand: bounds, parts, schedule, conditions, and where these end."""

import math
from functools import partial

import sympy as sp

from paper_checks.dp_grape.printed import D10, FORMULAS, D
from tests.papers.hand import At, value_at

log, sqrt, exp, pi = math.log, math.sqrt, math.exp, math.pi
LETTERS = {  # from, to, where the statements are evaluated
    "layers": (1, 9), "spread": (0.3, 3), "subspace": (1, 9), "batch": (5, 50), "W": (0.3, 3), "p_t": (0.3, 0.9), "cutoff": (0.3, 3),
    "normal_sd": (0.3, 3), "mean_above": (0.3, 3), "each_sq": (0.3, 3), "partial": (0.5, 1), "c_range": (0.3, 3), "c_noise": (0.3, 3),
}  # fmt: skip
LOWEST = {
    1: "layers block subspace batch stretch",
    0: """share_above square_mass square_above beyond in_batch two_in_batch each_sq batch_sq partial u_square u_fourth
       u_mixed weighted_sq same_column two_columns kept_sq back_sq inner_G inner_G_clear inner_G_clipped V_sq_clipped mapped_sq
       mapped_sq_clear mapped_sq_clipped noise_sq noise_sq_clear noise_sq_clipped batch_grad_sq sampling_sq sample_grad_sq
       deviation_sq column_sq V_max R_sq R_sq_layers returned_sq projected_mean""",
}


def tail(x):
    """P(V >= x) of a standard normal number."""
    return math.erfc(x / sqrt(2)) / 2


def bell(x):
    return exp(-(x**2) / 2) / sqrt(2 * pi)


(X,) = (one.args[0] for one in D10["C"].atoms(sp.log) if one.has(D))


def d10(v):
    """The printed parameters, the argument X of the logarithm in C, and the bound."""
    eta, T, C, first, second, argument, bound = (
        value_at(formula, v) for formula in (*(D10[name] for name in ("eta", "T", "C", "B_first", "B_second")), X, D10["bound"])
    )
    batch, sigma = max(first, second), value_at(D10["sigma"], v | {"C": C, "T": T})
    largest = (first, second).index(batch)
    return At(alpha=eta, T=T, C=C, batch=batch, largest=largest, sigma=sigma, X=argument, bound=bound)


def display(v):
    """(19): what its first expectation is at most, with the noise and the sampling; and the tail."""
    return sum(value_at(D10[name], v) for name in ("first", "noise", "sampling")), value_at(D10["tail"], v)


def at_schedule(v):
    return display(v | d10(v) | {"partial": 1})


def sd_tail(v):
    return tail(v.cutoff / v.normal_sd)


def given_both(v, times):
    return 1 + times * bell(v.cutoff) / (2 * tail(v.cutoff))


PRINTED = {key: {"bound": partial(value_at, formula)} for key, formula in FORMULAS.of("lemmas").items()}
PRINTED["theorem_d10"] = {"bound": partial(value_at, D10["bound"])}
STATEMENTS = {
    "lemma_d5": {
        "true": lambda v: v.normal_sd**2 + v.normal_sd * v.cutoff * bell(v.cutoff / v.normal_sd) / sd_tail(v),
        "two-sided as used": lambda v: given_both(v, 1), "two-sided true": lambda v: given_both(v, 2 * v.cutoff),
    },
    "lemma_d7": {"at most": lambda v: v.partial * v.each_sq / v.batch},
    "lemma_d8": {
        "true": lambda v: (v.d + 2) * v.a_sq, "kept": lambda v: v.a_sq,
        "mapped back": lambda v: ((v.d + 2) + (v.subspace - 1)) / v.subspace * v.a_sq,
    },
    "theorem_d10": {"three terms": lambda v: at_schedule(v)[0], "tail": lambda v: at_schedule(v)[1]},
}  # fmt: skip
SCHEDULES = {"theorem_d10": d10}
ANY_SCHEDULE = {
    "theorem_d10": (
        lambda v: sum(display(v)),
        lambda v: {"alpha": 0.7 * d10(v).alpha, "C": 2 * v.L * sqrt(v.layers)},
    )
}
CONDITIONS = {
    "lemma_d7": [lambda v: (v.n, 1.0)],
    "lemma_d9": [lambda v: (v.epsilon, v.c_range * v.batch**2 * v.T / v.n**2)],
    "theorem_d10": [
        lambda v: (d10(v).X, 1.0),
        lambda v: (d10(v)["T"], 1.0),
        lambda v: (d10(v).batch, v.n),
        lambda v: (v.epsilon, 2 * d10(v).batch ** 2 * d10(v)["T"] / v.n**2),
        lambda v: (v.subspace + 1, v.d),
        lambda v: (d10(v).bound, v.L**2),
    ],
}


POINT = {"layers": 2.0, "spread": 0.9, "subspace": 3.0, "batch": 50.0, "c_range": 1.5, "T": 100.0}


def below_one_step(v):
    """The epsilon at which T is 1."""
    return v.subspace * sqrt(v.layers * log(1 / v.delta)) / (2 * sqrt(2 * v.d) * v.n)


# statement, words of the sentence, letter, its limit, whether the letter must be at least the limit
LIMITS = [
    ("lemma_d9", "is not below c_1", "c_range", lambda v: v.epsilon * v.n**2 / (v.batch**2 * v.T), True),
    ("theorem_d10", "no step can be taken", "epsilon", below_one_step, True),
    ("theorem_d10", "a batch has at most all samples", "epsilon", lambda v: 2 * sqrt(2 * v.d * log(1 / v.delta)), False),
    ("theorem_d10", "the constants of (5)", "subspace", lambda v: v.d - 1, False),
]
