"""A private method of your own in one file, which can be run and audited.

    theory-lab --module own_kernel.py simulate noisy_descent --d 20 --n 1000 --alpha 0.5 --T 100 --C 1 --sigma 0.01
    theory-lab --module own_kernel.py audit noisy_descent --epsilon 2 --delta 1e-6 --T 4 --n 3
    theory-lab --module own_kernel.py audit noisy_descent --epsilon 2 --delta 1e-6 --T 4 --n 3 --with reuse=2

Noisy descent on clipped gradients. With reuse = 2 two steps share one noise, as happens where a seed is set again. No accountant sees
this, but the audit does: the second command certifies 1.91 of the declared 2, the third 9.02.
"""

import numpy as np
from numba import njit

from theory_lab.methods.own import Annotated, AtLeast, PrivateDescent, Z, declare, record_and_check


# The settings of a run: those of every private method, and one more. Options, checks and what editors complete follow from them.
class NoisyDescent(PrivateDescent):
    """Noisy descent on clipped gradients."""

    key = "noisy_descent"
    reuse: Annotated[int, AtLeast(1, "number of steps that share one noise")] = 1


# A kernel is a loop on arrays: it takes random draws, checks nothing and raises nothing. `synthetic/methods/record.py` lists its arguments.
@njit(nogil=True, error_model="numpy")
def noisy_descent(  # type: ignore[no-untyped-def]
    gradient, value_gradient, data, params, x, alpha, C, sigma, reuse, z, batch, value, grad_norm_sq, clipped, tau, x_tau
):
    """Run x_(t+1) = x_t - alpha (mean of the clipped gradients + sigma z_t) and return the number of steps that stayed finite.

    x (d,) is overwritten; z (T, d) standard normal; batch, value, grad_norm_sq and clipped have a row or an entry per step.
    """
    g = np.empty(x.size)
    for t in range(len(z)):
        if t == tau:
            x_tau[:] = x
        rows, total = batch[t % len(batch)], np.zeros(x.size)
        clipped[t] = 0.0
        for i in rows:
            gradient(x, data[i], params, g)
            norm = np.sqrt(np.sum(g**2))
            clipped[t] += (not norm <= C) / rows.size
            if np.isfinite(norm):  # whatever a record is, it adds at most C
                total += g * min(1.0, C / max(norm, C))
        x -= alpha * (total / rows.size + sigma * z[t - t % reuse])  # t counts from the first row of z
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return len(z)


METHOD = declare(NoisyDescent, noisy_descent, draws=(Z,))
