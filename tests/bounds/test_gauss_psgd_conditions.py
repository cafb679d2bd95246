"""The conditions of Gauss-PSGD's statements: both sides by hand from (5), (6) and the proofs, at constants that are not 1."""

import math

import pytest
import sympy as sp

from bounds.gauss_psgd import THEOREMS
from bounds.gauss_psgd.paper import mu as log_factor
from bounds.theorem import number
from tests.bounds.test_statements_by_hand import At, batches, block, points, rate

log, sqrt = math.log, math.sqrt


def accuracy_at_most(v, repaired=False):
    return block(v, repaired).accuracy, v.ell**2 / v.rho


def union(v):
    """First entry of (6): log(9 d log(4 C^(1/4) sqrt(psi/rho)/(s eta r)) / (C^(1/4) eta sqrt(s rho psi))) / s."""
    eta, quarter = block(v).eta, v.C_abs**0.25
    inner = log(4 * quarter * sqrt(v.psi / v.rho) / (v.s * eta * v.added_noise))
    return v.log_factor, log(9 * v.d * inner / (quarter * eta * sqrt(v.s * v.rho * v.psi))) / v.s


def second(v):
    """Second entry of (6) as printed."""
    return v.log_factor, log(160 * sqrt(2) * v.C_abs**0.25 * sqrt(v.psi / (v.rho * block(v).eta * v.added_noise)) / v.s)


def escapes(v):
    """What Lemma 1 needs instead: 2^mu >= 40 sqrt(2) R (rho alpha)^(1/4)/(r sqrt(eta))."""
    at = block(v)
    return v.log_factor, log(40 * sqrt(2) * at.radius * (v.rho * at.accuracy) ** 0.25 / (v.added_noise * sqrt(at.eta))) / log(2)


def step_41(v, repaired=False):
    at = block(v, repaired)
    return at.eta * v.rho * at.radius * at.Gamma * sqrt(at.iota), 1 / (160 * sqrt(2))


def step_42(v):
    at = block(v)
    return at.eta * v.ell * sqrt(at.Gamma) * at.iota, 1 / (160 * sqrt(2))


def step_71(v, repaired=False):
    at = block(v, repaired)
    return -(at.radius**2) / (4 * at.eta * at.Gamma) + v.c_abs * at.eta * v.psi**2 * (at.Gamma + at.iota), -at.decrease


def events(T):
    """Third entry of (6): (C log(4 T/omega)/8)^(1/4)/sqrt(s)."""
    return lambda v: (v.log_factor, (v.C_abs * log(4 * T(v) / v.omega) / 8) ** 0.25 / sqrt(v.s))


def crossing(m):
    """The root alpha of sampling/kappa^(2/3) = difference kappa^(1/7), up to powers, against the two terms of the rate."""

    def sides(v):
        sampling = v.L**2 * v.U * sqrt(v.rho) / (v.ell**2 * m(v) * v.n)
        difference = v.ell**6 * v.U**2 * v.d / (m(v) * (v.n * v.epsilon) ** 2) / v.rho
        return (sampling * difference) ** (2 / 17), max(rate(v, m(v))[:2])

    return sides


def repaired_union(v):
    at = block(v, True)
    whole = at.Gamma + 1  # rounding up costs at most one step, and the step size goes with it
    return v.log_factor, log(36 * v.d * whole * log(2 * at.radius / (at.eta * at.Gamma / whole * v.added_noise))) / v.s


def repaired_escapes(v):
    at = block(v, True)
    eta = at.eta * at.Gamma / (at.Gamma + 1)
    return v.log_factor, log(40 * sqrt(2) * at.radius * (v.rho * at.accuracy) ** 0.25 / (v.added_noise * sqrt(eta))) / log(2)


def repaired_phases(v):
    at = block(v, True)
    return v.log_factor, log(4 * (at.Q + 1) * (1 + v.U / at.decrease) / v.omega) / v.s


def b_at(k, m):
    return lambda v: batches(v, m(v))[f"b_{k}"]


ESCAPE = [accuracy_at_most, union, second, escapes, step_41, step_42]
CLASSICAL = [lambda v: (v.epsilon, 1.0)]
STEP = [lambda v: (v.eta, 1 / v.ell)]
CONDITIONS = {
    "lemma1": ESCAPE,
    "corollary1": ESCAPE,
    "lemma2": [lambda v: ((7 / 8) ** (26 / 5 * log(1 / v.omega_0)), v.omega_0)],
    "lemma3": STEP,
    "corollary2": STEP,
    "lemma4": [accuracy_at_most, lambda v: (block(v).eta, 1 / v.ell), step_71],
    "lemma5": [events(lambda v: v.T), lambda v: (v.C_abs * sqrt(2 * log(4 * v.T / v.omega)) * v.psi, block(v).chi * (1 + 1e-12))],
    "lemma6": [*ESCAPE, events(lambda v: v.T), step_71, lambda v: (block(v).Q, 1.0)],
    "theorem1": [*ESCAPE, events(lambda v: block(v)["T"]), step_71, lambda v: (block(v).Q, 1.0), lambda v: (block(v).accuracy, v.L)],
    "repaired": [
        lambda v: accuracy_at_most(v, True),
        lambda v: (log(2 * block(v, True).radius / (v.added_noise * block(v, True).eta)), 1.0),
        repaired_union,
        repaired_escapes,
        events(lambda v: block(v, True)["T"]),
        repaired_phases,
        lambda v: (v.s, 4 * 51_200 * v.C_abs**2),
        lambda v: step_41(v, True),
        lambda v: (block(v, True).eta * v.ell * sqrt(block(v, True).Gamma) * block(v, True).iota * 320 * sqrt(2) * v.C_abs, 1 + 1e-12),
        lambda v: step_71(v, True),
        lambda v: (block(v, True).accuracy, v.L),
    ],
    "lemma7": CLASSICAL,
    "lemma9": CLASSICAL,
    **{
        key: [
            *CLASSICAL, crossing(m), lambda v, b=b_at(1, m): (b(v), 1.0), lambda v, b=b_at(2, m): (b(v), 1.0),
            lambda v, b=b_at(1, m): (b(v), v.n),
        ]
        for key, m in (("theorem2", lambda v: 1), ("theorem3", lambda v: v.m))
    },
    "theorem4": [*CLASSICAL, lambda v: (v.m * v.n, 4 / 9 * log(8 * v.d / v.omega))],
    "corollary3": [lambda v: (log(2 * v.d) / log(2), 2 * log(v.d))],
    "lemma12": [lambda v: (v.scale_high, v.scale_low)],
    "lemma19": [lambda v: (v.c_abs, 2 * sqrt(2)), lambda v: (v.eta * v.curvature, 1.0)],
    "lemma20": [accuracy_at_most, step_41, step_42],
}  # fmt: skip


def test_every_statement_that_has_conditions_is_here():
    counted = {key.removeprefix("gauss_psgd."): len(theorem.conditions) for key, theorem in THEOREMS.items() if theorem.conditions}
    assert counted == {key: len(each) for key, each in CONDITIONS.items()}


@pytest.mark.parametrize("key", CONDITIONS)
def test_both_sides_of_every_condition(key):
    theorem = THEOREMS[f"gauss_psgd.{key}"]
    for at in points(5):
        v = At(at)
        for condition, by_hand in zip(theorem.conditions, CONDITIONS[key], strict=True):
            relation = condition.relation
            found = [number(theorem.in_constants(side), v) for side in (relation.lhs, relation.rhs)]
            assert found == [pytest.approx(side, rel=1e-9, abs=1e-300) for side in by_hand(v)], relation
            if relation.lhs == log_factor:  # every entry of (6) is a lower bound on mu
                assert isinstance(relation, sp.Ge)
