"""A loop of a user that leaves an array, or returns nothing, is an error in a sentence; compiled code would write to other memory."""

import numpy as np
import pytest
from numba import njit

import theory_lab as lab
from synthetic.compiled import add_index_checks, run_loop
from synthetic.draws import NOISE
from synthetic.methods.dpzero import DP_GD
from synthetic.methods.record import Draw, Kernel, vector
from theory_lab.methods import sums

OBJECTIVE = lab.quadratic("flat", d=3, n=5, seed=0)
AT = {"alpha": 0.1, "T": 200, "C": 1.0, "sigma": 0.1}


def record(name, function):
    return sums.record(name, paper="mine", words="a method", kernel=Kernel(name, function, (Draw("z", NOISE, vector),)))


@njit(nogil=True, error_model="numpy")
def too_far(x, x_tau, tau, alpha, T, C, sigma, z, value, grad_norm_sq, clipped):
    for t in range(T):
        if t == tau:
            x_tau[:] = x
        x -= alpha * sigma * z[t]
        value[t] = grad_norm_sq[t] = clipped[t] = 0.0
    return len(z)


@njit(nogil=True, error_model="numpy")
def forgetful(x, x_tau, tau, alpha, C, sigma, z, value, grad_norm_sq, clipped):
    for t in range(len(z)):
        if t == tau:
            x_tau[:] = x
        x -= alpha * sigma * z[t]
        value[t] = grad_norm_sq[t] = clipped[t] = 0.0


def test_a_loop_over_T_in_place_of_its_rows_is_an_error(monkeypatch):
    with pytest.raises(ValueError, match=r"kernel too_far: its loop leaves an array .* write range\(len\(z\)\), not range\(T\)"):
        lab.simulate(record("too_far", too_far), OBJECTIVE, **AT, progress=lambda done, total: None)


def test_a_loop_that_returns_nothing_is_an_error():
    with pytest.raises(ValueError, match="kernel forgetful: its loop must return how many steps ended finite, 0 to 200, not None"):
        lab.simulate(record("forgetful", forgetful), OBJECTIVE, **AT)


@njit(nogil=True, error_model="numpy")
def beyond(x, x_tau, tau, alpha, C, sigma, z, value, grad_norm_sq, clipped):
    for t in range(len(z)):
        x -= alpha * sigma * z[t + 1]
    return len(z)


def test_an_audit_of_such_a_loop_is_an_error_too():
    with pytest.raises(ValueError, match="kernel beyond: its loop leaves an array"):
        lab.audit(record("beyond", beyond), epsilon=2.0, delta=1e-6, T=4, n=3, runs=200)


def test_loops_of_the_lab_are_as_they_are_and_others_give_the_same_numbers():
    assert add_index_checks(DP_GD.function) is DP_GD.function
    loop = njit(nogil=True, error_model="numpy")(lambda z: len(z))
    assert add_index_checks(loop) is not loop
    assert add_index_checks(loop) is add_index_checks(loop)
    assert run_loop("mine", loop, 3, np.zeros(3)) == 3
    with pytest.raises(ValueError, match="0 to 2, not 3"):
        run_loop("mine", loop, 2, np.zeros(3))


def test_a_loop_of_a_file_whose_name_begins_as_the_labs_is_guarded(tmp_path, monkeypatch):
    """Only the package itself is trusted, not synthetic_loops.py."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "synthetic_loops.py").write_text(
        "from numba import njit\n\n\n@njit(nogil=True)\ndef beyond(x):\n    return int(x[len(x)])\n", encoding="utf-8"
    )
    from synthetic_loops import beyond

    with pytest.raises(ValueError, match="its loop leaves an array"):
        run_loop("beyond", beyond, 3, np.zeros(3))


@pytest.mark.parametrize("count", [-1, 4, 2.0, None])
def test_a_count_of_steps_that_cannot_be_is_an_error(count):
    with pytest.raises(ValueError, match="must return how many steps ended finite, 0 to 3, not "):
        run_loop("mine", lambda: count, 3)
    assert run_loop("mine", lambda: 3, 3) == 3
