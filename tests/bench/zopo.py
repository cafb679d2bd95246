"""Benchmark DP-ZOPO's loop against its reference implementation, memory speed and runs without masks: ``python -m tests.bench.zopo``.

d = 50: the run and its NumPy reference on the same draws. d = 100,000: the loop on existing draws, where each pass over an array counts as
reading or writing its bytes once, against a copy of arrays; and a run with masks against one without, draws included.
"""

import sys

import numpy as np

from synthetic.draws import DIRECTIONS, NOISE, generator
from synthetic.kernels import dp_zoo
from synthetic.methods.dp_zopo import DP_ZOO, DP_ZOPO, DP_ZOSO
from synthetic.objectives.sums import quadratic
from synthetic.runs.simulate import simulate
from tests.bench.psgd import median_seconds, print_ratio
from tests.reference import dp_zopo as naive_zopo

REFERENCE_RATIO, BANDWIDTH, MASKED = 30.0, 0.5, 0.1  # targets at d = 50 and d = 100,000, and the time of a mask beyond its rate


def compare_with_reference(d=50, n=64, T=20, P=4):
    """Time a run against its reference, with P directions a step; return whether the ratio reaches the target."""
    o = quadratic("inverse", d, n, 0)
    v, z = (generator(0, 0, role).standard_normal(shape) for role, shape in ((DIRECTIONS, (T, P, d)), (NOISE, (T, P))))
    given = {"C": 1.0, "sigma": 0.1, "anchor": 2.0, "regulariser": "explicit", "radius": None}

    def loss(x, i):
        return np.sum(o.eigenvalues * (x - o.data[i]) ** 2) / 2

    def plain():
        naive_zopo.dp_zoo(loss, o.x0, M=np.ones(d), step=0.01, smoothing=1e-4, v=v, z=z, batches=[range(n)] * T, nominal=n, **given)

    def run():
        simulate(DP_ZOO, o, alpha=0.01, T=T * 50, P=P, threads=1, **given)

    return print_ratio(f"dp_zoo, d = {d}", median_seconds(plain, 3), median_seconds(run) / 50, REFERENCE_RATIO)


def compare_with_memory(d=100_000, n=8, T=20, P=2):
    """Time steps of the loop on existing draws against a memory copy; return whether the bandwidth reaches the target."""
    o, none, out = quadratic("inverse", d, n, 0), np.empty(0, dtype=np.int64), np.empty((3, T))
    v, z, x, more = np.random.default_rng(0).standard_normal((T, P, d)), np.zeros((T, P)), o.x0.copy(), np.empty((3, d))
    batch, (one, two) = np.arange(n)[None, :], np.random.default_rng(0).standard_normal((2, 10**7))

    def steps():
        dp_zoo(o.loss, o.value_gradient, o.data, o.params, x, more[0], more[1], none, 1e-9, 1e-4, 0.0, False, np.inf, -1, 1.0, 0.0, v, z,
               batch, n, *out, -1, more[2], 0)  # fmt: skip

    spent, copied = median_seconds(steps) / T, median_seconds(lambda: np.copyto(one, two))
    passes = P * (4 + 2 * n * 3 + 3) + 4 + 4 + 2  # points, losses (x, row, a), slopes; step; value and gradient; two lengths
    share = (8 * d * passes / spent) / (16 * 10**7 / copied)
    print(f"dp_zoo, d = {d}: {8 * d * passes / spent / 1e9:.1f} GB/s, a copy {16 * 10**7 / copied / 1e9:.1f}, share {share:.2f} "
          f"(at least {BANDWIDTH} is asked for)", flush=True)  # fmt: skip
    return share >= BANDWIDTH


def time_masks(d=100_000, n=8, T=200):
    """Time runs with masks over a run without; return whether all ratios are at most the rate of the mask plus MASKED."""
    o, good = quadratic("inverse", d, n, 0), True
    given = {"alpha": 1e-9, "T": T, "C": 1.0, "sigma": 0.1, "threads": 1}
    whole = median_seconds(lambda: simulate(DP_ZOSO, o, **given))
    for rate in (0.01, 0.1, 0.5):
        ratio = median_seconds(lambda rate=rate: simulate(DP_ZOPO, o, rates=rate, score=o.eigenvalues, **given)) / whole
        good &= ratio <= rate + MASKED
        print(f"dp_zopo, d = {d}, rate {rate}: {ratio:.3f} of a run without a mask (at most {rate + MASKED:g} is asked for)", flush=True)
    return good


if __name__ == "__main__":
    sys.exit(int(not all([compare_with_reference(), compare_with_memory(), time_masks()])))
