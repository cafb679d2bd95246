"""The stages that DP-ZOPO's checks run: their schedule against the theorem's, their noise against the theorem's multiplier."""

import math

import pytest

import bounds
from paper_checks.dp_zopo import lemma5, theorem2

LETTERS = {**theorem2.AT, "target_0": 0.05, "weak": 0.0, "stage_lam": 0.27}


@pytest.mark.parametrize("S", [1, 2, 4])
def test_stages_are_those_of_the_theorem_and_T_is_their_sum(S):
    C = 2.0
    stages = theorem2.printed_schedule(S, C)
    T = sum(steps for _, _, steps in stages)
    for target, eta, steps in stages:
        at = bounds.THEOREMS["dp_zopo.theorem2"].evaluate(**{**LETTERS, "C": C, "T": T}, stage_target=target, target=stages[-1][0]).schedule
        assert eta == pytest.approx(at["stage_step"], rel=1e-12)
        assert steps == math.ceil(at["stage_T"] * (1 - 1e-12))


def test_the_noise_of_a_direction_is_that_of_theorem_1():
    at = {**theorem2.AT, "C": 1.3, "T": 5000}
    multiplier = bounds.THEOREMS["dp_zopo.theorem1"].evaluate(**at).bound
    assert lemma5.noise_deviation(at) == pytest.approx(1.3 * multiplier / at["minibatch"], rel=1e-12)


def test_runs_on_the_ball_have_the_noise(monkeypatch):
    def after_a_stage(noise):
        monkeypatch.setattr(theorem2, "noise_deviation", lambda at: noise * lemma5.noise_deviation(at))
        return theorem2.simulate_gaps.__wrapped__(1, 1.5, "last", "proximal", 400, 1).mean()

    quiet, loud = after_a_stage(0), after_a_stage(300)
    assert 0 < quiet < loud - 0.004  # a gap is between 0 and 0.05: the standard error of 400 runs is at most 0.00125
