"""The contract of a declared linear step: it holds for DP-GD and momentum, and each planted difference between loop and step breaks it."""

from dataclasses import replace

import numpy as np
import pytest
from numba import njit

from synthetic.contracts.check import FAILED, NO, PASSED, kernel_contracts
from synthetic.contracts.linear import require_linear_step
from synthetic.draws import NOISE
from synthetic.kernels.dpzero import record_and_check
from synthetic.methods.dpzero import DP_GD, DPZERO
from synthetic.methods.record import Draw, Kernel, Setting, vector
from synthetic.validate import inside_unit


@njit(nogil=True, error_model="numpy")
def nesterov(
    gradient, value_gradient, data, params, x, alpha, C, sigma, beta, z, velocity, batch, value, grad_norm_sq, clipped, tau, x_tau
):
    g = np.empty(x.size)
    for t in range(len(z)):
        if t == tau:
            x_tau[:] = x
        rows, mean = batch[t % len(batch)], sigma * z[t]
        clipped[t] = 0.0
        for i in rows:
            gradient(x, data[i], params, g)
            norm = np.sqrt(np.sum(g**2))
            clipped[t] += (not norm <= C) / rows.size
            if np.isfinite(norm):
                mean += g * (C / max(norm, C)) / rows.size
        velocity[:] = beta * velocity + mean
        x -= alpha * (mean + beta * velocity)
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return len(z)


def right(x, g, velocity, alpha, beta):
    velocity = beta * velocity + g
    return x - alpha * (g + beta * velocity), velocity


def heavy_ball(x, g, velocity, alpha, beta):
    velocity = beta * velocity + g
    return x - alpha * velocity, velocity


def one_step_late(x, g, velocity, alpha, beta):
    return x - alpha * (g + beta * velocity), beta * velocity + g


def other_scale(x, g, velocity, alpha, beta):
    velocity = beta * velocity + (1 - beta) * g
    return x - alpha * (g + beta * velocity) / (1 - beta), velocity


def forgets_state(x, g, velocity, alpha, beta):
    return right(x, g, velocity, alpha, beta)[0], 0.0 * velocity


def adds_noise_of_its_own(x, g, velocity, alpha, beta, sigma):
    x, velocity = right(x, g, velocity, alpha, beta)
    return x + alpha * sigma, velocity


def signs(x, g, velocity, alpha, beta):
    return x - alpha * np.sign(g), velocity


def method(step):
    draws, state = (Draw("z", NOISE, vector),), {"velocity": vector}
    return Kernel("nesterov", nesterov, draws, (Setting("beta", inside_unit, 0.9),), state, linear_step=step)


def outcome(kernel, **settings):
    found = kernel_contracts(kernel, {}, settings, plain=True)["linear_step"]()
    return found.outcome, found.reason


def test_it_holds_for_methods_that_declare_their_step():
    assert outcome(DP_GD) == (PASSED, "2 gradients were clipped")
    assert outcome(method(right))[0] == PASSED
    assert outcome(method(right), C=0.01) == (PASSED, "48 gradients were clipped")  # all 12 records in 4 steps
    assert outcome(method(right), beta=0.3)[0] == PASSED


def test_it_does_not_apply_without_a_declared_step():
    assert outcome(DPZERO) == (NO, "the method declares no linear_step")
    assert outcome(replace(DP_GD, linear_step=None))[0] == NO


@pytest.mark.parametrize("step", [heavy_ball, one_step_late, other_scale, forgets_state])
def test_another_step_than_that_of_the_loop_is_noticed(step):
    verdict, reason = outcome(method(step))
    assert verdict == FAILED
    assert reason.startswith("linear_step and the step of the loop differ: ")


@pytest.mark.parametrize("step", [adds_noise_of_its_own, signs])
def test_a_step_that_is_not_linear_is_noticed(step):
    assert outcome(method(step)) == (
        FAILED,
        "linear_step of nesterov is not linear in x, g and the state: a prediction needs a linear step without constants",
    )


RUN = {"alpha": 0.05, "T": 40, "C": 1e6, "sigma": 0.1}


@njit(nogil=True, error_model="numpy")
def restarted(
    gradient, value_gradient, data, params, x, alpha, C, sigma, beta, z, velocity, batch, value, grad_norm_sq, clipped, tau, x_tau, t0, T
):
    """Nesterov's momentum, in pieces; those of the last steps are without momentum."""
    kept = beta if t0 < T - 1 else 0.0
    rest = (z, velocity, batch, value, grad_norm_sq, clipped, tau, x_tau)
    return nesterov(gradient, value_gradient, data, params, x, alpha, C, sigma, kept, *rest)


def test_what_a_prediction_requires():
    require_linear_step(method(right), {**RUN, "beta": 0.4})
    for step, beta in ((heavy_ball, 0.4), (other_scale, 0.9)):
        with pytest.raises(
            ValueError, match=r"^linear_step of nesterov: linear_step and the step of the loop differ: x\[0\] is .* and .*; "
        ):
            require_linear_step(method(step), {**RUN, "beta": beta})
    require_linear_step(DP_GD, RUN)
    for step in (lambda x, g, alpha, C: x - alpha * g * min(1.0, C / 2), lambda x, g, alpha, C: x - alpha * g * (2 if C > 1e5 else 1)):
        wrong = replace(DP_GD, linear_step=step)
        assert outcome(wrong)[0] == PASSED  # at C = 2; but not where half of the gradients are clipped, or at the C of the run
        with pytest.raises(ValueError, match=r"^linear_step of dp_gd: linear_step and the step of the loop differ"):
            require_linear_step(wrong, RUN)


def test_a_step_that_changes_at_the_end_of_a_run_is_noticed():
    kernel = replace(method(right), function=restarted)
    assert outcome(kernel, T=40)[0] == PASSED  # it tries the first steps alone
    with pytest.raises(ValueError, match=r"^linear_step of nesterov: linear_step and the step of the loop differ"):
        require_linear_step(kernel, {**RUN, "beta": 0.4})


def test_a_loop_that_clips_at_another_threshold_is_noticed():
    loose = replace(DP_GD, linear_step=lambda x, g, alpha, C: x - alpha * g * C)
    assert outcome(loose, C=1.0)[0] == PASSED
    assert outcome(loose, C=2.0)[0] == FAILED
