"""What holds in place of Lemma 5 and Theorem 2, and what is sharper, once more from what the page says in words."""

import math

from tests.papers.hand import At

sqrt, pi = math.sqrt, math.pi
LETTERS = {
    "diameter": (0.3, 3), "young": (0.05, 0.3), "gap_before": (1e-2, 1), "stage_target": (1e-2, 1e-1), "stage_T": (10, 1e3),
    "burn_in": (10, 1e3), "stage_step": (1e-3, 1e-1), "anchor": (0.3, 30), "away_first": (0.3, 3), "growth_mu": (1e-2, 1),
    "weak": (1e-3, 1),
    "noise_ratio": (0.3, 3), "sample_spread": (0.3, 3), "minibatch": (2, 50), "directions": (2, 20), "stage_lam": (1e-3, 1),
}  # fmt: skip
LOWEST = {
    1: "minibatch directions stages stage_T",
    0: """burn_in away_0 away_left away_added gap_before
       true_t mean_true moved_now moved_next moved_first moved_last length_t bias_t est_sq two_directions noise_v
       weak sample_spread away_first""",
}
HIGHEST = {"young": 0.99, "away_taken": 1, "away_left": 1}


def clip(v):
    """B_C."""
    return v.L * math.erfc(v.C / (sqrt(2) * v.L))


def error(v):
    """Lemma 4 corrected."""
    B, sigma = clip(v), v.noise_ratio * v.C / v.minibatch
    return v.d / v.directions * (v.C**2 + sigma**2) + 2 * (v.sample_spread**2 + B**2) / v.minibatch + B**2


def square(v):
    """A pair of one direction with itself, P times, and of two, P (P - 1) times, of P^2."""
    P, sigma = v.directions, v.noise_ratio * v.C / v.minibatch
    return (v.L**2 * (v.d + 2 * sqrt(v.d)) + v.d * sigma**2) / P + (1 - 1 / P) * v.L**2


def start(v):
    return (1 + v.weak * v.stage_step) * v.away_first / (2 * v.stage_step * v.stage_T)


def corrected_stage(v):
    return start(v) + v.stage_step * error(v) + clip(v) * v.diameter


def sharp_stage(v):
    return start(v) + v.stage_step * square(v) / 2 + clip(v) * v.diameter


def corrected_growth(v, eta, T, beta, anchor):
    """||theta_0 - theta^*||^2 is at most gap/(2 mu)."""
    first = v.gap_before / (2 * v.growth_mu)
    smooth = 2 * v.L * beta * sqrt(v.d)
    return first / (2 * eta * T) + v.weak * first / (2 * T) + first / (2 * anchor) + eta * error(v) + clip(v) * v.diameter + smooth


def lost(v):
    """What weak convexity takes of a gap."""
    return v.weak / (4 * v.growth_mu)


def sharp_growth(v):
    mu, T, beta = v.growth_mu, v.stage_T, v.stage_lam
    smooth = v.L * beta * sqrt(v.d) + v.weak * beta**2 * v.d / 2
    each = v.stage_step * square(v) / 2 + smooth + clip(v) ** 2 / (8 * mu * v.young)
    first = v.gap_before / (2 * mu) / (2 * v.stage_step)
    return (1 + lost(v)) * (first + (T + 1) * each) / T / (1 - v.young - lost(v))


def sharp_suffix(v):
    """A step leaves the share 1 - 2 eta 2 mu rate of the squared distance; the mean begins after burn_in of them."""
    mu, eta, beta, rate = v.growth_mu, v.stage_step, v.stage_lam, 1 - v.young - lost(v)
    each = eta * square(v) / 2 + v.L * beta * sqrt(v.d) + v.weak * beta**2 * v.d / 2 + clip(v) ** 2 / (8 * mu * v.young)
    left, limit = (1 - 4 * mu * eta * rate) ** v.burn_in, each / (2 * mu * rate)
    return (1 + lost(v)) * ((limit + left * (v.gap_before / (2 * mu) - limit)) / (2 * eta * v.T) + each) / rate


def corrected_schedule(v):
    eta, anchor = 3 * v.stage_target / (8 * error(v)), 4 / v.growth_mu
    return At(stage_step=eta, anchor=anchor, stage_T=anchor / eta, stage_lam=v.stage_target / (16 * v.L * sqrt(v.d)))


def sharp_schedule(v):
    eta = 9 * v.stage_target / (16 * square(v))
    return At(stage_step=eta, stage_T=4 / (3 * v.growth_mu) / eta)


STATEMENTS = {
    "corrected_stage": {"bound": corrected_stage},
    "corrected_theorem2": {"bound": lambda v: v.stage_target},
    "sharp_moment": {"bound": square},
    "sharp_stage": {"bound": sharp_stage},
    "sharp_growth": {"bound": sharp_growth},
    "sharp_suffix": {"bound": sharp_suffix},
    "sharp_theorem2": {"bound": lambda v: v.stage_target},
}
SCHEDULES = {"corrected_theorem2": corrected_schedule, "sharp_theorem2": sharp_schedule}


def allowed(v):
    """Parameters that the theorems allow."""
    return {"stage_step": 0.9 * sqrt(pi / 2) * v.stage_lam / v.L, "weak": min(0.9 / v.anchor, v.growth_mu)}


ANY_SCHEDULE = {
    "corrected_stage": (corrected_stage, allowed),
    "sharp_stage": (sharp_stage, allowed),
    "sharp_growth": (sharp_growth, allowed),
    "sharp_suffix": (sharp_suffix, lambda v: {**allowed(v), "stage_step": 0.9 / (4 * v.growth_mu)}),
    "corrected_theorem2": (lambda v: corrected_growth(v, v.stage_step, v.stage_T, v.stage_lam, v.anchor), allowed),
}


def cap(v):
    return v.stage_step, sqrt(pi / 2) * v.stage_lam / v.L


def convex(v):
    return v.weak, 1 / v.anchor


def before(v):
    return v.gap_before, 2 * v.stage_target


CONDITIONS = {
    "corrected_stage": [cap, convex],
    "sharp_stage": [convex],
    "sharp_growth": [lambda v: (v.young + lost(v), 1.0)],
    "sharp_suffix": [
        lambda v: (v.young + lost(v), 1.0),
        lambda v: (4 * v.growth_mu * v.stage_step * (1 - v.young - lost(v)), 1.0),
    ],
    "corrected_theorem2": [
        before,
        lambda v: (corrected_schedule(v).stage_step, sqrt(pi / 2) * v.stage_target / (16 * v.L**2 * sqrt(v.d))),
        lambda v: (v.weak, v.growth_mu / 4),
        lambda v: (clip(v) * v.diameter, v.stage_target / 8),
        lambda v: (corrected_schedule(v).stage_T, 1.0),
    ],
    "sharp_theorem2": [
        before,
        lambda v: (clip(v) ** 2, v.growth_mu * v.stage_target / 64),
        lambda v: (v.L * v.stage_lam * sqrt(v.d) + v.weak * v.stage_lam**2 * v.d / 2, v.stage_target / 32),
        lambda v: (sharp_schedule(v).stage_T, 7.0),
        lambda v: (v.weak, 2 * v.growth_mu / 7),
    ],
}
POINT = {
    "stage_step": 1e-3, "stage_lam": 0.1, "weak": 0.01, "anchor": 3.0, "growth_mu": 0.2, "gap_before": 0.1, "stage_target": 0.05,
    "diameter": 1.0, "young": 0.2,
}  # fmt: skip
LIMITS = [
    ("corrected_stage", "where the proof ends", "stage_step", lambda v: sqrt(pi / 2) * v.stage_lam / v.L, False),
    ("corrected_stage", "phi_s need not be convex", "weak", lambda v: 1 / v.anchor, False),
    ("sharp_stage", "phi_s need not be convex", "weak", lambda v: 1 / v.anchor, False),
    ("sharp_growth", "does not pay for weak convexity and clipping", "weak", lambda v: 4 * v.growth_mu * (1 - v.young), False),
    ("sharp_suffix", "does not pay for weak convexity and clipping", "weak", lambda v: 4 * v.growth_mu * (1 - v.young), False),
    ("sharp_suffix", "beyond the minimiser", "stage_step", lambda v: 1 / (4 * v.growth_mu * (1 - v.young - lost(v))), False),
    ("corrected_theorem2", "gap before the stage", "gap_before", lambda v: 2 * v.stage_target, False),
    ("sharp_theorem2", "gap before the stage", "gap_before", lambda v: 2 * v.stage_target, False),
    ("sharp_theorem2", "for weak convexity", "weak", lambda v: 2 * v.growth_mu / 7, False),
]
