"""The objective on which contracts are tried: a quadratic loss plus a linear one in each record, so that a record can be made anything.

f(x; row) = size (w / 2 sum_j h_j (x_j - a_j)^2 + <b, x>), row = (w, a, b), params = (h, size). With w = 0 a record has the gradient
size b at every x: as long as wanted, zero, or not finite. Size and the units of x are free, for contracts about units.
"""

import numpy as np

from synthetic.draws import FloatArray, data_generator
from synthetic.losses.contracts import gradient, loss, value_gradient
from synthetic.objectives.space import Space
from synthetic.objectives.sums import Objective


def mean_and_squared_gradient(x: FloatArray, data: FloatArray, params: tuple[FloatArray, float]) -> tuple[float, float]:
    """Return F_S(x) and |grad F_S(x)|^2 by NumPy, apart from the jitted functions."""
    h, size = params
    w, a, b = data[:, 0], data[:, 1 : 1 + x.size], data[:, 1 + x.size :]
    value = np.mean(w * (((x - a) ** 2) @ h) / 2 + b @ x)
    slope = np.mean(w[:, None] * h * (x - a) + b, axis=0)
    return float(size * value), float(size**2 * slope @ slope)


def ordinary_records(n: int, d: int, seed: int) -> FloatArray:
    """Return n records (w, a, b) of quadratic losses, (n, 1 + 2 d): w = 1, a of N(1, 1) numbers, b = 0."""
    return np.hstack([np.ones((n, 1)), 1.0 + data_generator(seed).standard_normal((n, d)), np.zeros((n, d))])


def linear_record(b: FloatArray) -> FloatArray:
    """Return the record (1 + 2 d,) whose gradient is b (d,) at every x."""
    return np.concatenate([[0.0], np.zeros(b.size), b])


def contract_objective(records: FloatArray, params: tuple[FloatArray, float], x0: FloatArray, space: Space) -> Objective:
    """Return the objective of these records (n, 1 + 2 d), which needs one with w > 0."""
    d = x0.size
    best = (records[:, :1] * records[:, 1 : 1 + d] - records[:, 1 + d :] / params[0]).sum(axis=0) / records[:, 0].sum()
    known = {"n": float(len(records)), "d": float(d)}
    return Objective("contracts", records, params, loss, gradient, value_gradient, x0=x0, optimum=best, constants=known, shape=space)
