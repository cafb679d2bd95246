"""The strongest test of the kernels: their mean equals the exact moments of `bounds.moments`, which know nothing of them.

Each comparison is a z-test at |z| < 6.5 on the mean over the replicates of |grad F_S(x_t)|^2 at four steps: with 48 z's and normal
means the false-alarm probability is below 48 * 8e-11; seeds are fixed.
"""

import numpy as np
import pytest

from bounds.moments.recursion import expected_grad_norm_sq
from synthetic.methods.dpzero import KERNELS
from synthetic.objectives.sums import quadratic
from synthetic.runs.simulate import simulate

D, N, T, REPLICATES, ALPHA, SIGMA = 8, 5, 60, 3000, 0.05, 3.0
STEPS = [1, 5, 20, 60]


def z_values(run, expected):
    values = run.grad_norm_sq[:, STEPS]
    return (values.mean(axis=0) - expected[STEPS]) / (values.std(axis=0, ddof=1) / np.sqrt(len(values)))


@pytest.mark.sample(5)
@pytest.mark.parametrize("direction", ["sphere", "gaussian"])
@pytest.mark.parametrize("method", KERNELS)
def test_kernels_have_the_exact_moments(method, direction):
    if method == "dp_gd" and direction == "gaussian":
        pytest.skip("DP-GD has no directions")
    o = quadratic("inverse_sqrt", D, N, seed=2)

    private = {} if method == "mezo" else {"C": 1e9, "sigma": SIGMA}
    run = simulate(KERNELS[method], o, alpha=ALPHA, T=T, lam=0.3, replicates=REPLICATES, seed=11, direction=direction, **private)
    common = {"eigenvalues": o.eigenvalues, "offset": o.x0 - o.optimum, "alpha": ALPHA, "T": T, "direction": direction}
    noise = 0.0 if method == "mezo" else SIGMA
    expected = expected_grad_norm_sq(method, sigma=noise, **common)
    assert np.all(np.abs(z_values(run, expected)) < 6.5)
    # the lies: noise 20 % too small, and steps 10 % too long
    if method != "mezo":
        assert np.max(np.abs(z_values(run, expected_grad_norm_sq(method, sigma=0.8 * noise, **common)))) > 6.5
    assert np.max(np.abs(z_values(run, expected_grad_norm_sq(method, sigma=noise, **{**common, "alpha": 1.1 * ALPHA})))) > 6.5
