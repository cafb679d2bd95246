"""How fast DP-ZOPO's loop is against its plain twin, memory, and itself without a mask: ``python -m tests.bench.zopo``.

d = 50: the run and its NumPy twin on the same draws. d = 100,000: the loop on draws that are there, whose bytes are counted as if each pass
over an array read or wrote it once, against a copy of arrays of that size; and a run with masks against one without, draws included.
"""

import sys

import numpy as np

from synthetic.draws import DIRECTIONS, NOISE, generator
from synthetic.kernels import dp_zoo
from synthetic.methods.dp_zopo import DP_ZOO, DP_ZOPO, DP_ZOSO
from synthetic.objectives.sums import quadratic
from synthetic.runs.simulate import simulate
from tests.bench.psgd import line, seconds
from tests.reference import dp_zopo as naive_zopo

TWIN_RATIO, BANDWIDTH, MASKED = 30.0, 0.5, 0.1  # at d = 50, at d = 100,000, and what a mask may cost besides its share


def against_twin(d=50, n=64, T=20, P=4):
    """A run on 64 samples, 4 directions."""
    o = quadratic("inverse", d, n, 0)
    v, z = (generator(0, 0, role).standard_normal(shape) for role, shape in ((DIRECTIONS, (T, P, d)), (NOISE, (T, P))))
    given = {"C": 1.0, "sigma": 0.1, "anchor": 2.0, "regulariser": "explicit", "radius": None}

    def loss(x, i):
        return np.sum(o.eigenvalues * (x - o.data[i]) ** 2) / 2

    def plain():
        naive_zopo.dp_zoo(loss, o.x0, M=np.ones(d), step=0.01, smoothing=1e-4, v=v, z=z, batches=[range(n)] * T, nominal=n, **given)

    def run():
        simulate(DP_ZOO, o, alpha=0.01, T=T * 50, P=P, threads=1, **given)

    return line(f"dp_zoo, d = {d}", seconds(plain, 3), seconds(run) / 50, TWIN_RATIO)


def against_memory(d=100_000, n=8, T=20, P=2):
    """Steps of the loop on draws that are there."""
    o, none, out = quadratic("inverse", d, n, 0), np.empty(0, dtype=np.int64), np.empty((3, T))
    v, z, x, more = np.random.default_rng(0).standard_normal((T, P, d)), np.zeros((T, P)), o.x0.copy(), np.empty((3, d))
    batch, (one, two) = np.arange(n)[None, :], np.random.default_rng(0).standard_normal((2, 10**7))

    def steps():
        dp_zoo(o.loss, o.value_gradient, o.data, o.params, x, more[0], more[1], none, 1e-9, 1e-4, 0.0, False, np.inf, -1, 1.0, 0.0, v, z,
               batch, n, *out, -1, more[2], 0)  # fmt: skip

    spent, copied = seconds(steps) / T, seconds(lambda: np.copyto(one, two))
    passes = P * (4 + 2 * n * 3 + 3) + 4 + 4 + 2  # points, losses (x, row, a), slopes; step; value and gradient; two lengths
    share = (8 * d * passes / spent) / (16 * 10**7 / copied)
    print(f"dp_zoo, d = {d}: {8 * d * passes / spent / 1e9:.1f} GB/s, a copy {16 * 10**7 / copied / 1e9:.1f}, share {share:.2f} "
          f"(at least {BANDWIDTH} is asked for)", flush=True)  # fmt: skip
    return share >= BANDWIDTH


def masked(d=100_000, n=8, T=200):
    """Runs with masks, whose share of the coordinates is their share of the work, but for what is done once a stage."""
    o, good = quadratic("inverse", d, n, 0), True
    given = {"alpha": 1e-9, "T": T, "C": 1.0, "sigma": 0.1, "threads": 1}
    whole = seconds(lambda: simulate(DP_ZOSO, o, **given))
    for rate in (0.01, 0.1, 0.5):
        ratio = seconds(lambda rate=rate: simulate(DP_ZOPO, o, rates=rate, score=o.eigenvalues, **given)) / whole
        good &= ratio <= rate + MASKED
        print(f"dp_zopo, d = {d}, rate {rate}: {ratio:.3f} of a run without a mask (at most {rate + MASKED:g} is asked for)", flush=True)
    return good


if __name__ == "__main__":
    sys.exit(int(not all([against_twin(), against_memory(), masked()])))
