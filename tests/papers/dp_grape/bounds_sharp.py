"""The corrected and the sharp theorems once more, from what their pages say in words: bounds, parts, conditions, and where these end."""

import math

sqrt, exp, pi = math.sqrt, math.exp, math.pi
LETTERS = {  # from, to, where the statements are evaluated
    "block": (10, 50), "tail_level": (1, 30), "clip_loss": (1e-4, 0.3), "clip_spread": (1e-3, 0.5), "tangent_mean": (1e-4, 0.3),
    "tangent_sq": (1e-4, 0.3),
}  # fmt: skip
LOWEST = {
    1: """tangent rank_G""",
    0: """sampling any_clipped on_along off_along plain_sq noise_back projected_sq largest_V clip_share tangent_sq tangent_mean sample_size
       lost_sq grad_length mean_grad_length step_tilt mean_sq step_sq coef_a coef_b""",
}
HIGHEST = {"sampling": 1, "clip_loss": 1, "clip_spread": 1, "clip_share": 1}


def kappa(v):
    return 1 + (v.block + 1) / v.subspace


def drawn(v):
    """1{B<n}/B."""
    return 1 / v.batch if v.batch < v.n else 0.0


def corrected(v, along, missed, times):
    """2 D/(alpha T), noise and sampling, 2 E[||P'grad F||^2; not Q_t], and 2 D/alpha times P(not Q_t) times T or 1."""
    free = 2 * v.spread / (v.alpha * v.T) + v.ell * v.alpha * v.d * v.sigma**2
    return free + v.ell * v.alpha * kappa(v) * v.L**2 * drawn(v) + along + 2 * v.spread / v.alpha * missed * times


def coordinates(v, times):
    """q = P(|N| > K) and K phi(K), K = C/Gamma, for L n r coordinates."""
    K, count = v.C / v.L, v.layers * v.n * v.subspace
    q, phi = math.erfc(K / sqrt(2)), exp(-K * K / 2) / sqrt(2 * pi)
    return corrected(v, 2 * v.L**2 * count * (q + 2 * K * phi), count * q, times)


def concentration(v, times):
    missed = v.n * exp(-v.tail_level)
    return corrected(v, 2 * v.L**2 * sqrt((1 + 2 / v.subspace) * missed), missed, times)


def threshold(v):
    return v.L * sqrt(1 + 2 * sqrt(v.tail_level / v.subspace) + 2 * v.tail_level / v.subspace)


def lost(v):
    """The a of the quadratic."""
    return v.clip_loss / 2 + v.alpha * v.ell * kappa(v) / 2


def sharp(v):
    """y^2 for the y > 0 with (1 - a) y^2 - b y = R, by halving; nan where a >= 1 and there is none."""
    a, b = lost(v), v.L * (v.clip_loss / 2 + v.alpha * v.ell * kappa(v) * v.clip_spread)
    steps = v.alpha * v.ell * (v.d * v.sigma**2 + kappa(v) * v.L**2 * (v.clip_spread**2 + drawn(v))) / 2
    R, low, high = v.gap / (v.alpha * v.T) + steps, 0.0, 1e9
    for _ in range(200):
        y = (low + high) / 2
        low, high = (low, y) if (1 - a) * y * y - b * y >= R else (y, high)
    return high**2


STATEMENTS = {
    "corrected_coordinates": {"bound": lambda v: coordinates(v, v["T"]), "without T": lambda v: coordinates(v, 1)},
    "corrected_concentration": {"bound": lambda v: concentration(v, v["T"]), "without T": lambda v: concentration(v, 1)},
    "sharp_clip": {
        "bound": lambda v: v.tangent_mean, "i": lambda v: v.tangent_mean, "ii": lambda v: kappa(v) * v.L**2 * v.tangent_sq,
    },
    "sharp_clip_bias": {"bound": sharp},
}  # fmt: skip


def small(v):
    """A step that the theorems allow, and a threshold high enough; kappa is no letter of its own here."""
    return {"alpha": 0.9 / (v.ell * kappa(v)), "C": 1.1 * threshold(v), "stretch": kappa(v)}


ANY_SCHEDULE = {
    "corrected_coordinates": (lambda v: coordinates(v, v["T"]), small),
    "corrected_concentration": (lambda v: concentration(v, v["T"]), small),
    "sharp_clip_bias": (sharp, small),
}


def step(v):
    return v.alpha, 1 / (v.ell * kappa(v))


CONDITIONS = {
    "corrected_coordinates": [step, lambda v: (coordinates(v, v["T"]), v.L**2)],
    "corrected_concentration": [step, lambda v: (v.C, threshold(v)), lambda v: (concentration(v, v["T"]), v.L**2)],
    "sharp_clip_bias": [lambda v: (lost(v), 1.0), lambda v: (sharp(v), v.L**2)],
}


def changed(key, v):
    """The letters at which conditions are compared where that is not at any point."""
    return small(v)


POINT = {
    "layers": 2.0, "spread": 0.9, "gap": 0.9, "subspace": 3.0, "batch": 50.0, "block": 8.0, "tail_level": 9.0, "clip_loss": 0.1,
    "clip_spread": 0.1, "C": 3.0, "T": 100.0, "alpha": 0.1, "sigma": 0.1,
}  # fmt: skip
LIMITS = [
    *(
        (f"corrected_{form}", "where the proof ends", "alpha", lambda v: 1 / (v.ell * kappa(v)), False)
        for form in ("coordinates", "concentration")
    ),
    ("corrected_concentration", "is clipped with probability above", "C", threshold, True),
    ("sharp_clip_bias", "the bound means nothing", "alpha", lambda v: (2 - v.clip_loss) / (v.ell * kappa(v)), False),
]
