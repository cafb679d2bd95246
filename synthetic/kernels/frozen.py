"""The earlier method that Gauss-PSGD is compared with: SPIDER descent that adds noise at a potential saddle, seldom.

Source    Liu, Ganesh, Oh, Thakurta (2023), as Gauss-PSGD describes it in Section 3.1: a fresh gradient on approaching a potential saddle
          and extra Gaussian noise on top of it, a "Frozen" state that limits how often this happens, every iterate as output. The paper
          gives no parameters of it.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from synthetic.kernels.gradient_oracles import FRESH
from synthetic.kernels.psgd import NOT_FINITE, OUT_OF_SAMPLES, PHASES, STEP_LIMIT, STEPS, record
from synthetic.kernels.vectors import norm_sq


@njit(nogil=True, error_model="numpy")
def frozen_psgd(
    oracle, value_gradient, batch_gradient, params, rows, numbers, eta, threshold, extra, frozen_steps,
    x, memory, drift, counts, rng, trace, points
):  # fmt: skip
    """Descend until the samples or the steps are used up; return OUT_OF_SAMPLES, STEP_LIMIT or NOT_FINITE.

    threshold, extra, frozen_steps   where the last estimate's norm is at most the threshold and no disturbance happened for frozen_steps
                                     steps, a fresh gradient is asked for and N(0, extra^2 I) is added to it, and stays in what follows
    The rest is as in `gauss_psgd`; a disturbance counts as an escape phase.
    """
    d, limit, m = x.shape[0], trace.shape[0], memory.shape[0] - 1
    g, exact = np.empty(d), np.empty(d)
    norm, thaws = np.inf, 0
    while True:
        near = norm <= threshold and counts[STEPS] >= thaws
        before = counts[FRESH]
        if not oracle(near, x, value_gradient, batch_gradient, params, rows, numbers, memory, drift, counts, rng, g):
            return OUT_OF_SAMPLES
        if near:
            counts[PHASES] += 1
            thaws = counts[STEPS] + frozen_steps
            for i in range(d):
                xi = extra * rng.standard_normal()
                g[i] += xi
                for j in range(m):
                    memory[j, i] += xi
        norm = np.sqrt(norm_sq(g))
        if counts[STEPS] == limit:
            return STEP_LIMIT
        record(near, counts[FRESH] > before, x, g, value_gradient, params, counts, trace, points, exact)
        for i in range(d):
            x[i] -= eta * g[i]
        if not np.isfinite(norm_sq(x)):
            return NOT_FINITE
