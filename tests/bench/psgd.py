"""Benchmark Gauss-PSGD against reference implementations and memory speed, in one process: ``python -m tests.bench.psgd``."""

import statistics
import sys
import time

import numpy as np

from synthetic import kernels
from synthetic.draws import NOISE, generator
from synthetic.kernels.psgd import COUNTS
from synthetic.objectives.separable_saddles import cubic_saddle, random_phase_cosines
from synthetic.runs import escapes
from tests.reference import gauss_psgd as naive_psgd

ESCAPE_SECONDS = 5.0  # target at d = 1000, 10,000 steps, 64 replicates, two cores
REFERENCE_RATIO = 30.0  # target at d = 10
BANDWIDTH_RATIO = 0.5  # target at d = 10,000


def median_seconds(call, times=5):
    """Return the median seconds of several calls, after one call that compiles."""
    call()
    measured = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        measured.append(time.perf_counter() - began)
    return statistics.median(measured)


def time_escape():
    """Time `time_escape` with 640 million coordinate steps on two losses; return whether the polynomial one reaches the target."""
    good = True
    for landscape in (cubic_saddle(1000), random_phase_cosines(1000)):
        escapes.escape(landscape, eta=0.1, T=2, sigma=1e-3)  # compiles
        began = time.perf_counter()
        runs = escapes.escape(landscape, eta=0.1, T=10_000, sigma=1e-3, replicates=64)
        took, share = time.perf_counter() - began, runs.escaped(0.5, 10_000).mean()
        print(
            f"escape: {landscape.name}, 10,000 steps, 64 replicates: {took:.2f} s (under {ESCAPE_SECONDS} is asked for), {share:.0%} escape"
        )
        good &= took < ESCAPE_SECONDS or landscape.name.startswith("random")  # its sines and cosines make it slower: shown for comparison
    return good


def compare_with_references():
    """Time perturbed descent, and Algorithm 1 with each oracle, against the references at d = 10; return whether all reach the target."""
    landscape, T, good = random_phase_cosines(10), 3000, True
    value, distance = np.empty(T + 1), np.empty(T + 1)
    fast = median_seconds(
        lambda: kernels.perturbed_descent(
            landscape.value_gradient, landscape.params, landscape.saddle.copy(), 0.1, 0.1, 0.1, generator(0, 0, NOISE), value, distance
        )
    )
    slow = median_seconds(lambda: naive_psgd.perturbed_descent(
        lambda x: plain_value(landscape, x), lambda x: plain_gradient(landscape, x), landscape.saddle, generator(0, 0, NOISE),
        eta=0.1, zeta=0.1, sigma=0.1, T=T), 3)  # fmt: skip
    good &= print_ratio("perturbed_descent", slow, fast, REFERENCE_RATIO)

    n, sizes = 40_000, {"b_1": 1000, "b_2": 100, "sigma_1": 0.02, "sigma_2": 0.1}
    descent = {"eta": 0.5, "chi": 0.1, "R": 0.25, "Gamma": 20, "Q": 8}
    rows = landscape.draw(generator(0, 0, 16), n, 0)[None]
    cases = {
        "sgd": (kernels.sgd, naive_psgd.sgd, {"b_1": 100, "sigma_1": 0.02}),
        "dp_spider": (kernels.dp_spider, naive_psgd.dp_spider, {**sizes, "period": 20}),
        "ada_dp_spider": (kernels.ada_dp_spider, naive_psgd.ada_dp_spider, {**sizes, "kappa": 0.3, "eta": 0.5}),
    }
    for name, (oracle, twin, numbers) in cases.items():
        settings = tuple(float(v) for v in numbers.values())

        def run(oracle=oracle, settings=settings):
            x, last, limit = landscape.x0.copy(), np.empty(10), n // 100
            state = (np.zeros((2, 10)), np.full(1, np.inf), np.zeros(COUNTS, dtype=np.int64), generator(0, 0, NOISE))
            problem = (landscape.value_gradient, landscape.batch_gradient, landscape.params)
            trace, points = np.empty((limit, 5)), np.empty((0, 10))
            return kernels.gauss_psgd(oracle, *problem, rows, settings, (*descent.values(), 0), x, last, state, trace, points)

        def plain(twin=twin, numbers=numbers):
            slow = twin(lambda x, row: plain_sample(landscape, x, row), rows, generator(0, 0, NOISE), **numbers)
            return naive_psgd.gauss_psgd(slow, landscape.x0, **descent, restart="continue", limit=n // 100)

        good &= print_ratio(f"gauss_psgd, {name}", median_seconds(plain, 1), median_seconds(run), REFERENCE_RATIO)
    return good


def compare_with_memory():
    """Time a gradient over 1000 samples at d = 10,000 against NumPy's sum over the same 160 MB; return whether it reaches the target."""
    landscape = random_phase_cosines(10_000)
    rows = landscape.draw(np.random.default_rng(0), 1000, 0)
    x, out = np.ones(10_000), np.empty(10_000)
    fast = median_seconds(lambda: landscape.batch_gradient(x, rows, landscape.params, out), 9)
    reading = median_seconds(lambda: rows.sum(), 9)
    ratio = reading / fast
    speed = rows.nbytes / fast / 1e9
    print(f"batch_gradient: d = 10,000: {speed:.1f} GB/s, {ratio:.2f} of what numpy.sum reads (at least {BANDWIDTH_RATIO} is asked for)")
    return ratio >= BANDWIDTH_RATIO


def print_ratio(name, slow, fast, wanted):
    """Print the ratio of two timings; return whether it is at least the wanted one."""
    print(f"{name}: plain {slow:.4f} s, kernel {fast:.5f} s, ratio {slow / fast:,.0f} (at least {wanted:.0f} is asked for)", flush=True)
    return slow / fast >= wanted


def plain_value(landscape, x):
    """Return F(x) of random-phase cosines in NumPy."""
    A, w, signs, mean_cos = landscape.params
    return A / w**2 * np.sum(signs * mean_cos * np.cos(w * x))


def plain_gradient(landscape, x):
    """Return the gradient of F at x in NumPy."""
    A, w, signs, mean_cos = landscape.params
    return -A / w * signs * mean_cos * np.sin(w * x)


def plain_sample(landscape, x, row):
    """Return the gradient of the loss of a sample at x in NumPy."""
    A, w, signs, _ = landscape.params
    return -A / w * signs * (np.sin(w * x) * row[: len(x)] + np.cos(w * x) * row[len(x) :])


if __name__ == "__main__":
    sys.exit(int(not all([time_escape(), compare_with_references(), compare_with_memory()])))
