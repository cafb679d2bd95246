"""Conditions that are not met become sentences: each just beyond its limit, which is computed by hand, and not just before it."""

import math

import pytest

import bounds
from tests.bounds.test_statements_by_hand import At, batches, block, points

POINT = next(points(1)) | {
    "n": 1e5,
    "d": 30.0,
    "r": 5.0,
    "epsilon": 0.5,
    "delta": 1e-6,
    "L": 1.3,
    "ell": 0.7,
    "gap": 0.9,
    "B": 1.1,
    "mu": 0.2,
}
AT = At(
    POINT | {"s": 20.0, "log_factor": 9.0, "C_abs": 0.6, "rho": 0.8, "psi": 1e-3, "m": 3.0, "U": 4.0, "eta": 0.1, "chi": 0.2, "omega": 0.1}
)


def spent(v):
    return math.log(math.e + v.epsilon / v.delta)


def largest_epsilon(v):
    """The epsilon with epsilon = 8 log(e + epsilon/delta)."""
    epsilon = 100.0
    for _ in range(100):
        epsilon = 8 * math.log(math.e + epsilon / v.delta)
    return epsilon


def resolved(unit):
    """The L at which the smoothing radius of Theorem 1, 4 L/(ell d) sqrt(sqrt(d A)/(n epsilon)), is `unit`."""
    return lambda v: unit * v.ell * v.d / 4 / math.sqrt(math.sqrt(v.d * spent(v)) / (v.n * v.epsilon))


# statement, words of the sentence, letter, its limit, whether the letter must be at least the limit
ROWS = [
    *((f"dpzero.{key}", "outside the region", "epsilon", largest_epsilon, False) for key in ("lemma_2_2", "theorem1", "theorem3", "dp_gd")),
    ("dpzero.theorem1", "so no step can be taken", "n", lambda v: math.sqrt(v.d * spent(v)) / v.epsilon, True),
    ("dpzero.theorem2", "so no step", "n", lambda v: v.d * math.sqrt(v.r * spent(v)) / ((v.r + 2) * v.epsilon), True),
    ("dpzero.theorem3", "so no step", "n", lambda v: 4 * math.sqrt(v.r * spent(v)) / ((v.r + 2) * v.epsilon), True),
    ("dpzero.dp_gd", "so no step", "n", lambda v: math.sqrt(v.r * spent(v)) / v.epsilon, True),
    ("dpzero.theorem1", "below 2^-23", "L", resolved(2.0**-23), True),
    ("dpzero.theorem1", "below 2^-52", "L", resolved(2.0**-52), True),
    ("dpzero.theorem3", "is above 2 B", "gap", lambda v: 2 * v.B, False),
    ("dpzero.corollary_f4", "is above 2 B", "gap", lambda v: 2 * v.B, False),
    ("dpzero.corollary_f2", "no ell-smooth function", "mu", lambda v: v.ell, False),
    ("dpzero.corollary_f3", "exclude such a start", "gap", lambda v: v.L**2 / (2 * v.mu), False),
    ("dpzero.corollary_f2", "T would not be positive", "n", lambda v: math.sqrt(spent(v) * v.d**3 * v.ell / v.mu) / v.epsilon, True),
    ("dpzero.corollary_f4", "T would not be positive", "n", lambda v: math.sqrt(spent(v) * v.r * v.ell / v.mu) / v.epsilon, True),
    ("dpzero.sharp_tail_lipschitz", "needs d >= 4", "d", lambda v: 4.0, True),
    ("gauss_psgd.lemma3", "descent lemma is of no use", "eta", lambda v: 1 / v.ell, False),
    ("gauss_psgd.lemma7", "proved to be private only there", "epsilon", lambda v: 1.0, False),
    ("gauss_psgd.theorem3", "proved to be private only there", "epsilon", lambda v: 1.0, False),
    ("gauss_psgd.theorem1", "standing assumption", "ell", lambda v: math.sqrt(v.rho * block(v).accuracy), True),
    ("gauss_psgd.theorem1", "no gradient is longer", "L", lambda v: block(v).accuracy, True),
    ("gauss_psgd.lemma20", "(41) of Lemma 20", "s", lambda v: 160 * math.sqrt(2), True),  # eta rho R Gamma sqrt(iota) = 1/s
    ("gauss_psgd.repaired", "(160 c C)^2", "s", lambda v: 204_800 * v.C_abs**2, True),
    ("gauss_psgd.theorem2", "b_1 = ", "eta", lambda v: v.n * batches(v, 1)["drift_limit"] / (2 * v.U), False),
    ("gauss_psgd.theorem3", "not one fresh gradient", "eta", lambda v: batches(v, v.m)["drift_limit"] / (2 * v.U), True),
    ("gauss_psgd.theorem2", "b_2 = ", "chi", lambda v: math.sqrt(2 * v.U / (v.n * v.eta)), True),
    ("gauss_psgd.theorem4", "(4/9) log(8 d/omega)", "n", lambda v: 4 / 9 * math.log(8 * v.d / v.omega) / v.m, True),
    ("gauss_psgd.lemma12", "is not above scale_low", "scale_high", lambda v: v.scale_low, True),
    ("gauss_psgd.lemma19", "which the normal tail needs", "c_abs", lambda v: 2 * math.sqrt(2), True),
    ("gauss_psgd.lemma19", "is above 1", "curvature", lambda v: 1 / v.eta, False),
]


@pytest.mark.parametrize("row", range(len(ROWS)), ids=[f"{key}-{letter}-{k}" for k, (key, _, letter, *_) in enumerate(ROWS)])
def test_a_condition_ends_at_its_limit(row):
    key, words, letter, limit, at_least = ROWS[row]
    end = limit(AT)
    for side, met in ((1 + 1e-9, at_least), (1 - 1e-9, not at_least)):
        found = bounds.THEOREMS[key].evaluate(**(AT | {letter: end * side}))
        assert any(words in caveat for caveat in found.caveats) != met
