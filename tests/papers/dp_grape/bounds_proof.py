"""Theorem D.10 and Lemmas D.4 to D.9 once more, typed from the paper: bounds, parts, schedule, both sides of conditions, their ends."""

import math

from tests.papers.hand import At

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
HIGHEST: dict[str, float] = {}


def tail(x):
    """P(V >= x) of a standard normal number."""
    return math.erfc(x / sqrt(2)) / 2


def bell(x):
    return exp(-(x**2) / 2) / sqrt(2 * pi)


def d10(v):
    """The printed parameters, and what stands in the proof."""
    logs = log(1 / v.delta)
    count = 2 * sqrt(2 * v.layers * v.d) * v.n**2 * v.epsilon / sqrt(logs)
    eta = v.subspace / (4 * v.d * v.ell)
    T = 2 * sqrt(2 * v.d) * v.n * v.epsilon / (v.subspace * sqrt(v.layers * logs))
    X = (5 * eta * v.L**2 + 64 * v.d * v.spread * v.ell / v.subspace) * count
    C = v.L * sqrt(2 * v.layers * log(X))
    entries = (
        sqrt(v.subspace / (8 * v.n)) * (v.layers * logs / (2 * v.d)) ** 0.25,
        v.n * v.epsilon / (2 * sqrt(2 * v.d * logs)),
    )
    in_bound = (5 * v.L**2 + 64 * v.d * v.spread * v.ell / v.subspace) * count
    rate = 4 * sqrt(2 * v.d * logs) / (v.n * v.epsilon)
    bound = (v.ell * sqrt(v.layers) * v.spread + (2 + 2 * sqrt(v.layers) * log(in_bound)) * v.L**2) * rate
    B = max(entries)
    return At(
        alpha=eta,
        T=T,
        X=X,
        C=C,
        batch=B,
        largest=entries.index(B),
        sigma=2 * C * sqrt(T * logs) / (v.n * v.epsilon),
        bound=bound,
        rate=rate,
    )


def display(v, eta, T, C, B, partial):
    """(19), whose first expectation is at most D."""
    noise = 8 * v.ell * eta * T * v.d * log(1 / v.delta) / (v.n * v.epsilon) ** 2 * C**2
    sampling = 16 * v.d * eta * partial * v.L**2 * v.ell / (B * v.subspace)
    factor = 4 * (2 + 1 / sqrt(2 * pi)) * eta * v.L**2 + 16 * v.spread / eta
    clips = factor * T * v.layers * v.n * v.subspace * exp(-(C**2) / (2 * v.layers * v.L**2))
    return 4 * v.spread / (eta * T) + noise + sampling, clips


def at_schedule(v):
    s = d10(v)
    return display(v, s.alpha, s.T, s.C, s.batch, 1)


def sd_tail(v):
    return tail(v.cutoff / v.normal_sd)


def given_both(v, times):
    return 1 + times * bell(v.cutoff) / (2 * tail(v.cutoff))


STATEMENTS = {
    "lemma_d4": {"bound": lambda v: v.W / v.p_t},
    "lemma_d5": {
        "bound": lambda v: v.normal_sd**2 * (1 + bell(v.cutoff / v.normal_sd) / sd_tail(v)),
        "true": lambda v: v.normal_sd**2 + v.normal_sd * v.cutoff * bell(v.cutoff / v.normal_sd) / sd_tail(v),
        "two-sided as used": lambda v: given_both(v, 1), "two-sided true": lambda v: given_both(v, 2 * v.cutoff),
    },
    "lemma_d6": {"bound": lambda v: v.mean_above},
    "lemma_d7": {
        "bound": lambda v: (v.n - v.batch) / ((v.n - 1) * v.batch) * v.each_sq, "at most": lambda v: v.partial * v.each_sq / v.batch,
    },
    "lemma_d8": {
        "bound": lambda v: v.d * v.a_sq, "true": lambda v: (v.d + 2) * v.a_sq, "kept": lambda v: v.a_sq,
        "mapped back": lambda v: ((v.d + 2) + (v.subspace - 1)) / v.subspace * v.a_sq,
    },
    "lemma_d9": {"bound": lambda v: v.c_noise * v.batch * v.sensitivity * sqrt(v.T * log(1 / v.delta)) / (v.n * v.epsilon)},
    "theorem_d10": {
        "bound": lambda v: d10(v).bound, "three terms": lambda v: at_schedule(v)[0], "tail": lambda v: at_schedule(v)[1],
    },
}  # fmt: skip
SCHEDULES = {"theorem_d10": d10}
ANY_SCHEDULE = {
    "theorem_d10": (
        lambda v: sum(display(v, v.alpha, v.T, v.C, v.batch, v.partial)),
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


def changed(key, v):
    """Nothing: the conditions are compared at any point."""
    return {}


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
AT_LEAST: tuple[str, ...] = ()
ELSEWHERE: tuple[str, ...] = ()
PARTS_ELSEWHERE: dict[str, tuple[str, ...]] = {}
