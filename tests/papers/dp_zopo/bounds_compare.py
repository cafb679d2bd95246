"""The theorem for a stage once more, from what its page says in words."""

import math

sqrt, exp = math.sqrt, math.exp
LETTERS = {"directions": (1, 30), "zo_sampling": (1e-3, 0.5), "zo_spread": (1, 1.5), "zo_split": (0.3, 30)}
LOWEST = {
    1: """zo_spread zo_square""",
    0: """zo_sampling zo_others zo_tilt zo_rest zo_cross zo_constant zo_pull zo_added zo_length zo_bias zo_bias_smooth zo_own zo_sample
       zo_lead zo_cut zo_root_2""",
}
HIGHEST = {"zo_sampling": 1, "zo_lost": 1, "zo_others": 1, "zo_taken": 1, "zo_kept": 1}


def stage(v):
    """x, what a step adds, and 1 - 1/P written out where P is there."""
    c, one = v.C / (v.L * sqrt(v.zo_spread)), 1 - 1 / v.directions
    missed = math.erfc(c / sqrt(2))
    psi = (1 + c * c) * missed - c * sqrt(2 / math.pi) * exp(-c * c / 2)
    b = v.L * v.zo_spread * missed + v.lam * v.ell * sqrt(v.r)
    y = v.zo_spread * psi * v.r
    omega = v.lam * v.ell * sqrt(v.r * (v.r + 2) * (v.r + 4)) / 2 + v.L * sqrt(y + 2 * sqrt(y))
    K_2, K_1 = (v.r + 2) / v.directions + one, sqrt(v.r + 2) * omega / v.directions + one * b
    y = v.zo_spread * v.r
    drawn = v.L**2 * ((y + 2 * sqrt(y)) / v.directions + one * v.zo_spread) * v.zo_sampling
    K_0 = (omega**2 + v.sigma**2 * v.r) / v.directions + one * b * b + drawn
    A, Q = v.alpha - v.alpha**2 * v.ell * K_2 / 2, v.alpha * b + v.alpha**2 * v.ell * K_1
    share = v.zo_split / (1 + v.zo_split)
    return 2 * v.mu * A * share, Q * Q / (4 * A * (1 - share)) + v.alpha**2 * v.ell * K_0 / 2, v.alpha * v.ell * K_2


def bound(v):
    x, adds, _ = stage(v)
    return (1 - x) ** v["T"] * (v.gap - adds / x) + adds / x


def short(v):
    return {"alpha": 1.7 / (v.ell * (1 + (v.r + 1) / v.directions))}


STATEMENTS = {"sharp_smooth": {"bound": bound}}
ANY_SCHEDULE = {"sharp_smooth": (bound, short)}
CONDITIONS = {
    "sharp_smooth": [
        lambda v: (stage(v)[2], 2.0), lambda v: (v.mu, v.ell), lambda v: (v.gap, v.L**2 / (2 * v.mu)),
        lambda v: (bound(v), v.L**2 / (2 * v.mu)),
    ],
}  # fmt: skip


def changed(key, v):
    """The letters at which conditions are compared where that is not at any point."""
    return short(v)


POINT = {
    "directions": 3.0, "zo_sampling": 0.05, "zo_spread": 1.1, "zo_split": 4.0, "mu": 0.1, "lam": 1e-5, "gap": 0.9, "sigma": 0.1, "C": 3.0,
    "T": 100.0, "alpha": 0.01,
}  # fmt: skip
LIMITS = [
    ("sharp_smooth", "alpha is too large", "alpha", lambda v: 2 / (v.ell * (1 + (v.r + 1) / v.directions)), False),
]
