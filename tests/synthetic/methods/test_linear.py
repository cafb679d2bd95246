"""Linear steps as matrices, and what is said of functions that give none."""

import math
from dataclasses import replace

import numpy as np
import pytest

from synthetic.methods.dpzero import DP_GD, DPZERO
from synthetic.methods.linear import step_matrix
from tests.synthetic.contracts.test_linear import forgets_state, method, right


def test_a_step_is_its_matrix():
    assert np.array_equal(step_matrix(DP_GD, {"alpha": 0.3}), [[1.0, -0.3]])
    found = step_matrix(method(right), {"alpha": 0.5, "beta": 0.8})
    np.testing.assert_allclose(found, [[1.0, -0.5 * 0.64, -0.5 * 1.8], [0.0, 0.8, 1.0]], rtol=1e-15)
    assert np.array_equal(step_matrix(method(forgets_state), {"alpha": 0.5, "beta": 0.8})[1], [0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (lambda x, g, velocity: x, "returns .*: .x, velocity. after the step is needed, in shapes like those of x"),
        (lambda x, g, velocity: (x, velocity, g), "returns .*: .x, velocity. after the step is needed"),
        (lambda x, g, velocity: ("x", velocity), "returns .*: .x, velocity. after the step is needed"),
        (lambda x, g, velocity: (x + 1, velocity), "is not linear in x, g and the state"),
        (lambda x, g, velocity: (x + 1e-9, velocity), "is not linear in x, g and the state"),
        (lambda x, g, velocity: (x * g, velocity), "is not linear in x, g and the state"),
        (lambda x, g, velocity: (x - abs(g), velocity), "is not linear in x, g and the state"),
        (lambda x, g, velocity: (x - g / np.sqrt(g * g), velocity), "is not linear in x, g and the state"),
        (lambda x, g, velocity, alpha: (x - g * (1 / (alpha - 0.5)), velocity), "ZeroDivisionError: .*; a formula of floats"),
        (lambda x, g, velocity: (math.sqrt(x), velocity), "[A-Za-z]*Error: .*; a formula of floats and arrays is needed"),
        (lambda x, g, velocity: (x * math.inf, velocity), "is not linear in x, g and the state"),
    ],
)  # fmt: skip
def test_what_is_no_linear_step_is_said(step, said):
    with pytest.raises(ValueError, match=f"^linear_step of nesterov:? ?{said}"), np.errstate(all="ignore"):
        step_matrix(method(step), {"alpha": 0.5, "beta": 0.8})


def test_a_method_without_a_step_or_with_other_state_has_no_matrix():
    with pytest.raises(
        ValueError, match=r"^method = dpzero: it declares no linear_step, which a prediction needs; `simulate` runs it on data$"
    ):
        step_matrix(DPZERO, {"alpha": 0.5})
    short = replace(method(right), state={"velocity": lambda space, settings: (2,)})
    with pytest.raises(ValueError, match=r"^state velocity of nesterov is not as long as x; with a linear_step "):
        step_matrix(short, {"alpha": 0.5, "beta": 0.8})


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"linear_step": 3}, "kernel nesterov: linear_step = 3: a function is needed"),
        ({"linear_step": lambda x, seed: x}, "kernel nesterov: linear_step takes 'seed', which is not one of x, g, velocity, alpha, "),
        ({"linear_step": lambda x, h: x}, "kernel nesterov: linear_step takes 'h', which is not one of x, g, velocity, alpha, "),
    ],
)
def test_a_record_with_a_wrong_step_is_refused(changed, said):
    with pytest.raises(ValueError, match=f"^{said}"):
        replace(method(right), **changed)
