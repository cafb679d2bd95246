"""What several directions, batches, large gaps and weak convexity do to certified rows and plans of DP-ZOPO: each at a point of its own."""

import math
import re
from dataclasses import replace

import pytest

import bounds
from bounds.dp_zopo.columns import PROVED_FOR
from bounds.dp_zopo.comparison import Found, compare
from bounds.dp_zopo.comparison import Problem as Compared
from bounds.dp_zopo.recommend import Problem, certified_bound, recommend
from bounds.plans.plan import ObjectiveFacts
from bounds.privacy.accounting import of_means
from bounds.privacy.release import Release

COMPARED = Compared(n=10**4, d=1e6, epsilon=2.0, delta=1e-5, L=1.3, ell=0.9, r=7.0, mu=0.2, gap=0.8)
ASKED = {"n": 10**5, "d": 50, "epsilon": 8.0, "delta": 1e-6, "L": 1.0, "growth_mu": 0.25, "radius": 1.0, "gap": 0.5, "T_max": 3000}


@pytest.mark.parametrize(("B", "sampling"), [(10**4, "full"), (50, "poisson")])
def test_the_noise_and_the_values_of_a_row_are_those_of_all_its_directions(B, sampling, monkeypatch):
    asked = []
    monkeypatch.setattr(Release, "calibrate_noise", lambda self, *budget: asked.append((self, *budget)) or replace(self, sigma=0.3))
    row = COMPARED.certified("dp_zoso", Found(0.0, 31.0, 3, B, 2, 0.05, 3.0), poisson=True)
    assert asked == [(of_means(10**4, B, 3.0, 31, sampling, P=3), 2.0, 1e-5)]
    assert asked[0][0].C == pytest.approx(3 * math.sqrt(3))
    assert (row.T, row.sampling, row.function_values, row.sigma) == ((10, 21), sampling, 2 * 3 * B * 31, 0.3)
    assert row.bound == pytest.approx(float(COMPARED.run(row.alpha, row.T, 3.0, 0.3, 3, B)[0]), rel=1e-8)


def test_every_row_has_the_directions_that_are_asked_for():
    rows = compare(n=10**4, d=1e6, epsilon=2.0, delta=1e-5, L=1.3, ell=0.9, r=7.0, mu=0.2, gap=0.8, P=3, batches=(False,), values=1e7)
    assert [(row.P, row.function_values) for row in rows] == [(3, 6 * 10**4 * sum(row.T)) for row in rows]


def test_the_distance_of_a_stage_is_that_of_the_gap_up_to_the_diameter():
    """A gap between mu D^2 and 2 mu D^2, of which growth alone says how far the start is: the statement, over a grid of shares."""
    at, eta, T = Problem(100, 5, 1.0, 1e-6, 2.0, 0.25, 0.0, 1.0, 2.0, 1.5, 1, 100), 0.02, 300
    assert at.mu * at.D**2 < at.gap < 2 * at.mu * at.D**2
    own = certified_bound(at, alpha=(eta,), lam=(1e-3,), T=T, stages=1, C=8.0, sigma=0.1)
    known = {"d": 5, "L": 2.0, "growth_mu": 0.25, "weak": 0.0, "C": 8.0, "minibatch": 100, "directions": 1, "noise_ratio": 100 * 0.1 / 8}
    known |= {"gap_before": 1.5, "stage_step": eta, "stage_T": T, "stage_lam": 1e-3}
    stated = min(bounds.THEOREMS["dp_zopo.sharp_growth"].bound_at(**known, young=k / 2000) for k in range(1, 200))
    assert own == pytest.approx(stated, rel=1e-3)
    assert own < at.L * at.D


@pytest.mark.parametrize("epsilon", [8.0, 0.5])
def test_the_printed_noise_has_all_directions_and_is_asked_about_together(epsilon, monkeypatch):
    asked, P, spend = [], 4, Release.epsilon
    monkeypatch.setattr(Release, "epsilon", lambda self, delta: asked.append((self, delta)) or spend(self, delta))
    one = recommend("dp_zoso", **ASKED | {"epsilon": epsilon}, target=0.2, P=P).printed
    assert one.sigma == pytest.approx(math.sqrt(2) * P * math.sqrt(2) * math.sqrt(one.T * math.log(P / 1e-6)) / (epsilon * 10**5))
    assert asked == [(of_means(10**5, None, one.C, one.T, sigma=one.sigma, P=P), 1e-6)]
    assert asked[0][0].C == pytest.approx(one.C * math.sqrt(P))
    assert one.private == (spend(*asked[0]) <= epsilon)


def test_dpzeros_gap_is_its_gradient_over_twice_mu():
    (text,) = {one for one in recommend("dp_zoso", **ASKED, ell=1.0, r=2.0).sharp.caveats if "DPZero" in one}
    slope, gap = map(float, re.search(r"certifies (\S+) for .* that is (\S+) for", text).groups())
    assert gap == pytest.approx(slope / (2 * 0.25), rel=1e-3)


@pytest.mark.parametrize(("weak", "there"), [(0.06, True), (0.07, False)])
def test_growth_has_to_pay_for_weak_convexity(weak, there):
    """mu = 1/4: the corrected theorem has a schedule up to rho = 1/16."""
    repaired = recommend("dp_zoso", **ASKED | {"d": 5, "epsilon": 50.0, "T_max": 10**7}, weak=weak, target=0.25).repaired
    assert math.isfinite(repaired.alpha[0]) == there


def test_a_run_of_a_column_is_the_one_that_is_proved():
    """The mask is static, and whatever is set otherwise takes the promise away."""
    place = ObjectiveFacts(
        "ball", {"n": 10**5, "d": 50, "L": 1.0, "growth_mu": 0.25, "radius": 1.0, "gap": 0.5, "weak": 0.0, "sample_spread": 0.3}
    )
    one = recommend("dp_zopo", **ASKED, rates=0.1, stages=3).sharp
    run = one.arguments("dp_zopo", place)
    assert {name: run[name] for name in ("strategy", "regulariser", "output")} == {
        "strategy": "static", "regulariser": "proximal", "output": "suffix",
    }  # fmt: skip
    other = {"regulariser": "explicit", "output": "last", "direction": "sphere", "weights": "rank", "strategy": "dynamic"}
    assert other.keys() == {*PROVED_FOR, "output"}
    for name, value in other.items():
        assert name in one.remarks(place, run | {name: value}, {name: value}).against[0]
    for name in ("growth_mu", "L"):
        unknown = {key: value for key, value in place.constants.items() if key != name}
        assert name in one.remarks(replace(place, constants=unknown), run, {}).against[0]
