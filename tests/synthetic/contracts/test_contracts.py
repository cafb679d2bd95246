"""Contracts of methods: the lab's methods pass them, and each planted fault is noticed by the contract that is about it."""

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

from synthetic.contracts import shift
from synthetic.contracts.check import CONTRACTS, FAILED, NO, PASSED, kernel_contracts, runner_contracts
from synthetic.contracts.objective import mean_and_squared_gradient
from synthetic.contracts.privacy import neighbours, noisy_steps
from synthetic.contracts.trial import ContractBroken, compare_numbers, make_trial
from synthetic.methods import dp_grape, dp_zopo, dpzero
from synthetic.runs import psgd
from tests.synthetic.contracts.faulty import FAULTS, faulty

SIMULATED = ("same_seed", "threads_and_order", "results", "plain_python")  # these compile the loop
KERNELS = {**dpzero.KERNELS, **dp_grape.KERNELS, **dp_zopo.KERNELS}
NOT_PRIVATE = {"no_noise", "noise", "noise_size", "sensitivity", "clipping", "not_finite"}
CASES = {  # a method with settings: the contracts that do not apply, and those that fail
    "dpzero": ("dpzero", {}, set(), set()),
    "dpgd_0th": ("dpgd_0th", {"direction": "gaussian"}, set(), set()),
    "dp_gd": ("dp_gd", {}, set(), set()),
    "mezo": ("mezo", {}, NOT_PRIVATE, set()),
    "dp_grape": ("dp_grape", {}, set(), set()),
    "dp_grape of Adam": ("dp_grape", {"update": "adam", "moments": "reprojected", "refresh": "printed", "r": 2}, set(), set()),
    "dp_grape_blocks": ("dp_grape_blocks", {}, set(), set()),
    "dp_grape_blocks, shared noise": ("dp_grape_blocks", {"noise": "shared"}, set(), {"noise_size", "sensitivity", "clipping"}),
    "dp_sgd": ("dp_sgd", {"sampling": "poisson"}, set(), set()),
    "dp_adam": ("dp_adam", {}, set(), set()),
    "galore": ("galore", {}, NOT_PRIVATE, set()),
    "dp_galore": ("dp_galore", {}, {"noise_size"}, set()),
    "dp_galore of Adam": ("dp_galore", {"update": "adam", "F": 3}, {"noise_size"}, set()),
    "dp_zoo": ("dp_zoo", {"P": 3, "anchor": 0.5}, set(), set()),
    "dp_zoso": ("dp_zoso", {"stages": 2, "output": "average"}, set(), set()),
    "dp_zopo": ("dp_zopo", {"stages": 2, "T": 9, "radius": 3.0, "output": "suffix", "weights": "rank"}, set(), set()),
}


def outcomes(contracts, names=tuple(CONTRACTS)):
    return {name: contracts[name]() for name in names}


def of_outcome(found, outcome):
    return {name for name, one in found.items() if one.outcome == outcome}


DEAR = {name for name in KERNELS if name in dp_grape.KERNELS}  # their loops take seconds to compile


@pytest.mark.parametrize("case", [pytest.param(one, marks=pytest.mark.verify if of[0] in DEAR else ()) for one, of in CASES.items()])
def test_the_methods_of_the_lab_pass(case):
    name, settings, no, failed = CASES[case]
    found = outcomes(kernel_contracts(KERNELS[name], {}, settings))
    assert of_outcome(found, FAILED) == failed, {one.contract: one.reason for one in found.values() if one.outcome == FAILED}
    assert of_outcome(found, NO) == no | (set() if KERNELS[name].linear_step else {"linear_step"})


@pytest.mark.parametrize("plain", [True, pytest.param(False, marks=pytest.mark.verify)])
def test_the_right_method_passes(plain):
    names = [one for one in CONTRACTS if not plain or one not in SIMULATED]
    found = outcomes(kernel_contracts(faulty(), {}, {}, plain=plain), names)
    assert of_outcome(found, PASSED) == {*names} - {"linear_step"}
    assert found["linear_step"].outcome == NO
    assert found["sensitivity"].reason == "at most 1 of 2 C / n"


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.verify if fault.compiled else ()) for name, fault in FAULTS.items()])
def test_a_planted_fault_is_noticed_by_the_contract_about_it(name):
    """In plain Python; where the fault shows in compiled runs, in these."""
    fault = FAULTS[name]
    names = [one for one in CONTRACTS if fault.compiled or one not in SIMULATED]
    found = outcomes(kernel_contracts(faulty(name), {}, {}, plain=not fault.compiled), names)
    failed = of_outcome(found, FAILED)
    assert {*fault.breaks} <= failed
    if fault.only:
        assert failed == {*fault.breaks}
    told = [found[one].reason for one in fault.breaks]
    assert any(fault.said in one for one in told), told
    assert all(one.where["seed"] == 0 for one in found.values() if one.outcome == FAILED)
    assert all(one.reason for one in found.values() if one.outcome == FAILED)


def test_every_contract_has_a_fault_that_breaks_it():
    """That of linear steps is broken in test_linear.py."""
    assert {one for fault in FAULTS.values() for one in fault.breaks} == {*CONTRACTS} - {"linear_step"}


def test_a_failure_is_reproduced_by_its_numbers():
    """The step, the record and its two gradients, of a method that divides by n - 1, give the share that the failure reports."""
    found = kernel_contracts(faulty("wrong_n"), {}, {}, plain=True)["sensitivity"]()
    where = found.where
    assert (where["step"], where["record"], where["gradients"]) == (0, 4, "long / long and opposite")
    trial = make_trial(faulty("wrong_n"), {}, plain=True)
    words, one, two = next(neighbours(trial))
    assert words == where["gradients"]
    _, step = next(noisy_steps(trial))
    quiet = trial.changed(sigma=0.0)
    ends = [quiet.advance(step.point, step.draws, data=records).end.x for records in (one, two)]
    moved = np.linalg.norm(ends[0] - ends[1]) / trial.settings["alpha"]
    assert moved / (2 * trial.settings["C"] / len(one)) == pytest.approx(where["share"], rel=1e-9) == pytest.approx(12 / 11)


def test_a_shift_is_that_of_the_means():
    """For noise in every coordinate the shift is the difference of the means of clipped gradients, in units of sigma."""
    trial = make_trial(KERNELS["dp_gd"], {"sigma": 0.3}, plain=True)
    for _, step in noisy_steps(trial, (0, 2)):
        for _, one, two in neighbours(trial):
            found = shift.noise_shift(step, one, two)
            np.testing.assert_allclose(found.numbers, step.mean_difference(one, two), atol=1e-6)
            assert found.full_rank
            assert found.shortest


@pytest.mark.parametrize("sigma", [0.05, 5.0])
def test_sensitivity_does_not_depend_on_sigma(sigma):
    found = kernel_contracts(KERNELS["dp_gd"], {}, {"sigma": sigma}, plain=True)
    assert found["sensitivity"]().reason == "at most 1 of 2 C / n"


def test_declared_exceptions_do_not_apply_and_are_checked():
    reason = "its noise is larger on purpose"
    found = kernel_contracts(faulty("noise_times_T"), {"noise_size": reason}, {}, plain=True)["noise_size"]()
    assert (found.outcome, found.reason) == (NO, f"declared: {reason}")
    with pytest.raises(ValueError, match=r"^exceptions = 'size': one of"):
        kernel_contracts(faulty(), {"size": reason}, {})
    with pytest.raises(ValueError, match=r"^exceptions\['noise'\] = '': a sentence is needed"):
        kernel_contracts(faulty(), {"noise": ""}, {})


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"betas": 0.5}, "^betas = 0.5: no such argument; the nearest is beta"),
        ({"beta": 2.0}, "^beta = 2.0: "),
        ({"batch_size": 3}, "^batch_size = 3: contracts choose their batches"),
        ({"T": 3}, "^T = 3: a number of at least 7"),
    ],
)
def test_wrong_settings_are_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        kernel_contracts(faulty(), {}, settings)


def test_settings_without_default_get_a_value_that_is_allowed():
    assert make_trial(dp_grape.DP_GRAPE, {}).settings["r"] == 1
    assert make_trial(dp_zopo.DP_ZOPO, {}).settings["rates"] == 0.5
    assert make_trial(dp_grape.DP_GRAPE, {}).settings["F"] == 3  # so that a subspace ends inside a run and inside a piece


def test_numbers_are_compared_with_the_place_where_they_differ():
    one = {"x": np.array([1.0, math.nan, 3.0])}
    compare_numbers("", one, {"x": np.array([1.0 + 1e-12, math.nan, 3.0])})
    with pytest.raises(ContractBroken, match=r"^they differ: x\[2\] is 3 and 3.001$") as error:
        compare_numbers("they differ", one, {"x": np.array([1.0, math.nan, 3.001])}, seed=5)
    assert error.value.where == {"seed": 5, "name": "x", "index": [2], "values": [3.0, 3.001]}
    with pytest.raises(ContractBroken, match=r"x\[1\] is nan and 2"):
        compare_numbers("they differ", one, {"x": np.array([1.0, 2.0, 3.0])})


def test_the_recorded_mean_of_the_objective_is_that_of_its_jitted_functions():
    trial = make_trial(KERNELS["dp_gd"], {})
    trial = replace(trial, params=(trial.params[0], 3.0), records=next(neighbours(trial))[1])
    x = np.linspace(-1, 2, 6)
    value, slope = trial.objective.value_and_gradient(x)
    assert mean_and_squared_gradient(x, trial.records, trial.params) == pytest.approx((value, slope @ slope), rel=1e-9)


@pytest.mark.verify
@pytest.mark.parametrize("name", ["gauss_psgd", "frozen_psgd"])
def test_methods_for_saddles_pass_what_applies_to_them(name):
    found = outcomes(runner_contracts(getattr(psgd, name), name, {}, {}))
    assert not of_outcome(found, FAILED), found
    assert of_outcome(found, PASSED) == {"same_seed", "threads_and_order", "results"} | ({"no_noise"} if name == "gauss_psgd" else set())


@dataclass
class Result:
    last: np.ndarray
    steps: np.ndarray


FAULTY_RUNNERS = {
    "": lambda rng, r, replicates: rng.normal(),
    "no seed": lambda rng, r, replicates: next(COUNT),
    "neighbours": lambda rng, r, replicates: rng.normal() * replicates,
    "not finite": lambda rng, r, replicates: math.nan,
}
BROKEN = {"": set(), "no seed": {"same_seed", "threads_and_order"}, "neighbours": {"threads_and_order"}, "not finite": {"results"}}
COUNT = itertools.count()


@pytest.mark.parametrize("fault", FAULTY_RUNNERS)
def test_faults_of_methods_that_run_as_a_whole_are_noticed(fault):
    def run(objective, *, replicates, seed, threads=None):
        rows = [FAULTY_RUNNERS[fault](np.random.default_rng((seed, r)), r, replicates) for r in range(replicates)]
        return Result(np.array(rows)[:, None] * np.ones(objective.d), np.full(replicates, 7))

    found = outcomes(runner_contracts(run, "mine", {}, {}))
    assert of_outcome(found, FAILED) == BROKEN[fault]
    assert of_outcome(found, NO) == {*CONTRACTS} - {"same_seed", "threads_and_order", "results"}
