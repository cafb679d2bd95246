"""Which runs of Gauss-PSGD have no (epsilon, delta), and why."""

from dataclasses import replace

import pytest

import theory_lab as lab
from bounds.plans.plan import ObjectiveFacts, Remarks

ANYWHERE, BALL = (ObjectiveFacts("any", {"L": 2.0, "d": 3}, where) for where in ("everywhere", "|x| <= 3"))
MADE = lab.recommend("gauss_psgd", n=20_000, d=3, epsilon=8.0, delta=1e-5, L=1.75, ell=1.0, rho=1.0, U=6.0).scaled
PLAN = replace(MADE, constants={"L": 2.0, "d": 3})
ORACLES = ("ada_dp_spider", "distributed_ada_dp_spider")


@pytest.mark.parametrize("oracle", [*ORACLES, None])
def test_a_planned_run_has_its_budget_as_long_as_the_constants_hold(oracle):
    settings = {} if oracle is None else {"oracle": oracle}
    for changed in ({}, {"kappa": 0.1, "eta": 0.2, "Q": 3}):
        assert PLAN.remarks(ANYWHERE, settings, changed) == Remarks()
        assert PLAN.remarks(BALL, settings, changed).against == (
            "(epsilon, delta) holds only while every point stays in the region where the constants hold: |x| <= 3.",
        )


@pytest.mark.parametrize("name", ["b_1", "b_2", "sigma_1", "sigma_2"])
def test_a_batch_or_a_noise_set_by_hand_has_no_account(name):
    said = PLAN.remarks(BALL, {"oracle": ORACLES[0]}, {"eta": 0.1, name: 1.0}).against
    assert said == (
        f"No (epsilon, delta) is promised for this run: {name} not taken from the plan, and the noise is calibrated to the plan's batches.",
    )


def test_all_that_is_set_by_hand_is_named():
    assert ": b_1, sigma_2 not taken from the plan" in PLAN.remarks(ANYWHERE, {}, {"sigma_2": 1.0, "b_1": 2.0}).against[0]


def test_the_exact_oracle_is_not_private_whatever_else_holds():
    for landscape in (ANYWHERE, BALL):
        for changed in ({}, {"b_1": 3.0}):
            (said,) = PLAN.remarks(landscape, {"oracle": "exact"}, changed).against
            assert said.startswith("Not private: the exact oracle uses the population risk")


def test_a_plan_for_another_landscape_is_named():
    other = replace(PLAN, constants={"L": 3.0, "d": 2, "rho": 1.0})
    assert other.remarks(ANYWHERE, {}, {}).against == ("What the plan aims at does not apply to this objective, which has d = 3, not 2.",)
