"""Benchmark DP-GRAPE and related methods against reference implementations and matrix products: ``python -m tests.bench.grape``.

Small layers: the kernel and its NumPy reference on the same draws. A large layer: a whole step of the kernel, whose per-sample gradients
are matrix products, against NumPy's time for the same products (gradients and their projections) alone.
"""

import sys

import numpy as np
from numba import njit

from synthetic.draws import NOISE, generator
from synthetic.methods.dp_grape import DP_ADAM, DP_GALORE, DP_GRAPE, DP_GRAPE_BLOCKS, DP_SGD, GALORE, PROJECTIONS
from synthetic.objectives.matrices import matrix_quadratic
from synthetic.objectives.space import matrix_space
from synthetic.objectives.sums import Objective
from synthetic.runs.simulate import simulate
from tests.bench.psgd import median_seconds, print_ratio
from tests.reference import dp_grape as naive_grape

REFERENCE_RATIO = 30.0  # target on layers of 16 x 8
PRODUCT_RATIO = 0.5  # target at 1024 x 1024, r = 16, B = 64
PRIVATE = {"C": 1.0, "sigma": 0.1}
ADAM = {"beta1": 0.9, "beta2": 0.999, "phi": 1e-8}
OPTIONS = {"update": "adam", "F": 10, "refresh": "start", "moments": "kept", "side": "smaller", **ADAM}


@njit(nogil=True, error_model="numpy")
def tokens_gradient(x, row, params, out):
    """Write the gradient U'V of f(W; U, V) = <U'V, W> to `out`, with U (q, m) and V (q, k) in `row`, as for q tokens of a linear layer."""
    m, k, q = params[1].shape[0], params[1].shape[1], params[0]
    np.dot(row[: q * m].reshape(q, m).T, row[q * m :].reshape(q, k), out.reshape(m, k))


@njit(nogil=True, error_model="numpy")
def tokens_loss(x, row, params):
    """Return the loss <U'V, W> of the sample in `row`."""
    out = np.empty(x.shape[0])
    tokens_gradient(x, row, params, out)
    return np.dot(out, x)


@njit(nogil=True, error_model="numpy")
def tokens_value_gradient(x, data, params, out):
    """Return the full loss <mean, W> and write its gradient to `out`; params = (q, mean)."""
    mean = params[1].reshape(-1)
    total = 0.0
    for j in range(x.shape[0]):
        out[j] = mean[j]
        total += mean[j] * x[j]
    return total


def token_objective(m, k, n, q):
    """Return the objective of one linear layer (m, k) with n samples of q tokens."""
    data = np.random.default_rng(0).standard_normal((n, q * (m + k))) / np.sqrt(m * k)
    U, V = data[:, : q * m].reshape(n * q, m), data[:, q * m :].reshape(n * q, k)
    functions, zero = (tokens_loss, tokens_gradient, tokens_value_gradient), np.zeros(m * k)
    return Objective("tokens", data, (q, U.T @ V / n), *functions, x0=zero, optimum=zero, constants={}, shape=matrix_space((m, k)))


def compare_with_references(n=64, T=20, r=4):
    """Time all kernels against their references on two layers of 16 x 8, batches of n; return whether all reach the target."""
    o = matrix_quadratic("inverse", 256, n, 0, m=16, layers=2)
    W, parts = o.shape.parts(o.x0), o.shape.parts
    sides = {"dp_grape": (8, 8), "dp_grape_blocks": (128, 128)}
    batches, good = [range(n)] * T, True

    def gradient(W, k):
        return parts(o.eigenvalues * (o.shape.flat(W) - o.data[k]))

    def noise(size):
        return generator(0, 0, NOISE).standard_normal((T, size))

    def projections(name):
        drawn = generator(0, 0, PROJECTIONS).standard_normal((T, sum(sides[name]) * r)) / np.sqrt(r)
        return [[part.reshape(-1, r) for part in np.split(one, 2)] for one in drawn]

    common = {"alpha": 0.1, "batches": batches, "nominal": n}
    cases = (
        (DP_GRAPE, {"r": r, **OPTIONS, **PRIVATE}, lambda: naive_grape.dp_grape(
            gradient, W, P=projections("dp_grape"), z=noise(2 * 16 * r), **common, **OPTIONS, **PRIVATE)),
        (DP_GRAPE_BLOCKS, {"r": r, **PRIVATE}, lambda: naive_grape.dp_grape_blocks(
            gradient, W, P=projections("dp_grape_blocks"), z=noise(2 * r), **common, **PRIVATE)),
        (DP_SGD, PRIVATE, lambda: naive_grape.dp_sgd(gradient, W, z=noise(256), **common, **PRIVATE)),
        (DP_ADAM, {**ADAM, **PRIVATE}, lambda: naive_grape.dp_adam(gradient, W, z=noise(256), **common, **ADAM, **PRIVATE)),
        (GALORE, {"r": r, **OPTIONS}, lambda: naive_grape.galore(gradient, W, r=r, **common, **OPTIONS)),
        (DP_GALORE, {"r": r, **OPTIONS, **PRIVATE}, lambda: naive_grape.dp_galore(
            gradient, W, r=r, z=noise(256), **common, **OPTIONS, **PRIVATE)),
    )  # fmt: skip
    for kernel, settings, plain in cases:

        def run(kernel=kernel, settings=settings):
            return simulate(kernel, o, alpha=0.1, T=T * 50, threads=1, **settings)

        good &= print_ratio(f"{kernel.name}, 2 x (16, 8)", median_seconds(plain, 3), median_seconds(run) / 50, REFERENCE_RATIO)
    return good


def compare_with_products(m=1024, r=16, B=64, q=64):
    """Time a step of DP-GRAPE on one layer against its 2 B matrix products alone; return whether the ratio reaches the target."""
    o = token_objective(m, m, B, q)
    rows = [(row[: q * m].reshape(q, m), row[q * m :].reshape(q, m)) for row in o.data]
    P = np.random.default_rng(1).standard_normal((m, r))

    def products():
        for U, V in rows:
            P.T @ (U.T @ V)

    T = 3
    plain = median_seconds(products)
    kernel = median_seconds(lambda: simulate(DP_GRAPE, o, alpha=0.1, T=T, r=r, threads=1, **PRIVATE)) / T
    flops, ratio = 2 * B * m * m * (q + r), plain / kernel
    print(f"dp_grape, ({m}, {m}), r = {r}, B = {B}: {flops / kernel / 1e9:.0f} GFlop/s, the products alone {flops / plain / 1e9:.0f}, "
          f"ratio {ratio:.2f} (at least {PRODUCT_RATIO} is asked for)", flush=True)  # fmt: skip
    return ratio >= PRODUCT_RATIO


if __name__ == "__main__":
    sys.exit(int(not all([compare_with_references(), compare_with_products()])))
