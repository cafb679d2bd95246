"""Many subsampled steps: against lower bounds by coarse observation, against exact sums of few losses, and at recorded values.

Lower bounds on delta: what an observer knows who sees each output only up to a cell. Merging outcomes is post-processing, so that the
merged pair is the more private one. Two copies of a pair of N cells have N^2 outcomes; these are merged into N cells of similar loss, and
so on: T = 2^k steps by k doublings. All sums are of positive terms: no transform, no subtraction, no tilt, and each small probability
keeps its digits.
"""

import itertools
import math
import time

import mpmath as mp
import numpy as np
import pytest

from bounds.privacy import composition as compositions
from bounds.privacy import subsampled, subsampled_pairs
from bounds.privacy.composition import Atoms, log_delta_composed
from bounds.privacy.subsampled import delta_subsampled, epsilon_subsampled, sigma_subsampled

WIDTH, SHARE = 0.02, 0.02  # of the first cells, in units of the noise; of later ones, beside the deviation of the loss


def normal(x):
    return np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def output_cells(pair, mu, q, reach=16.0):
    """The masses of P and Q in cells of the output (2, cells): noise 1, shifts mu; `pair` as in `bounds.privacy.subsampled_pairs`."""
    edges = np.arange(-reach - mu, reach + mu, WIDTH)
    if pair == "fixed_size":
        edges = np.arange(mu / 2, reach + mu, WIDTH)
    nodes, weights = np.polynomial.legendre.leggauss(6)
    x = edges[:-1, None] + WIDTH / 2 * (1 + nodes)

    def masses(density):
        return (density(x) * weights).sum(1) * WIDTH / 2

    def mixture(shift):
        return lambda x: (1 - q) * normal(x) + q * normal(x - shift)

    P, Q = {"remove": (mixture(mu), normal), "add": (normal, mixture(mu)), "replace_one": (mixture(mu), mixture(-mu)),
            "fixed_size": (mixture(mu), normal)}[pair]  # fmt: skip
    found = np.array([masses(P), masses(Q)])
    if pair == "fixed_size":  # and the reverse where that is smaller, and what is alike
        rest = (1 - q) * math.erf(mu / 2 / math.sqrt(2))
        found = np.concatenate([found, found[::-1], [[rest], [rest]]], axis=1)
    return found[:, (found > 1e-300).all(0)]


def doubled(cells):
    """Two copies, merged: cells of equal width in asinh of the loss beside its deviation, so that rare large losses have cells too."""
    P, Q = (np.multiply.outer(one, one).ravel() for one in cells)
    kept = (P > 1e-300) & (Q > 1e-300)
    P, Q = P[kept], Q[kept]
    loss = np.log(P / Q)
    deviation = math.sqrt(float(P @ loss**2 / P.sum()))
    cell = np.floor(np.arcsinh(loss / deviation / 4) * 4 / SHARE).astype(int)
    cell -= cell.min()
    merged = np.array([np.bincount(cell, one) for one in (P, Q)])
    return merged[:, (merged > 0).all(0)]


def least_delta(pair, mu, q, doublings, epsilons):
    """A lower bound on delta at each epsilon, of 2^doublings steps."""
    cells = output_cells(pair, mu, q)
    for _ in range(doublings):
        cells = doubled(cells)
    return [float(np.maximum(cells[0] - math.exp(epsilon) * cells[1], 0).sum()) for epsilon in epsilons]


BOTH = {  # what is calibrated, with a shift of 1: the pair that is observed
    "remove": {"sensitivity": 1.0, "neighbours": "add_or_remove_one", "sampling": "poisson"},
    "replace_one": {"sensitivity": 2.0, "neighbours": "replace_one", "sampling": "poisson"},
    "fixed_size": {"sensitivity": 1.0, "neighbours": "replace_one", "sampling": "without_replacement"},
}
SETTINGS = [  # pair, doublings, q, epsilon, delta
    ("remove", 1, 0.1, 1.0, 1e-6),
    ("remove", 10, 0.01, 1e-4, 1e-5),
    ("remove", 10, 1e-4, 0.1, 1e-30),
    ("remove", 17, 1e-3, 0.1, 1e-10),
    ("replace_one", 1, 0.1, 1.0, 1e-6),
    ("replace_one", 10, 0.3, 20.0, 1e-30),
    ("fixed_size", 1, 0.1, 1.0, 1e-6),
    ("fixed_size", 10, 0.3, 20.0, 1e-30),
    ("fixed_size", 17, 1e-3, 0.1, 1e-10),
]


@pytest.mark.parametrize(("pair", "doublings", "q", "epsilon", "delta"), SETTINGS)
def test_sigma_is_private_and_within_a_thousandth_of_the_least(pair, doublings, q, epsilon, delta):
    """At this sigma the lower bound on delta is not above delta, and at one 0.1 % smaller it is."""
    sigma = sigma_subsampled(epsilon=epsilon, delta=delta, T=2**doublings, q=q, **BOTH[pair])
    assert least_delta(pair, 1 / sigma, q, doublings, [epsilon])[0] <= delta
    assert least_delta(pair, 1 / (0.999 * sigma), q, doublings, [epsilon])[0] > delta


@pytest.mark.parametrize("pair", ["remove", "add"])
def test_the_worse_of_both_orders_counts(pair):
    given = {"T": 4, "q": 0.4, **BOTH["remove"]}
    for epsilon, below in zip((0.0, 0.5, 2.0), least_delta(pair, 1 / 0.9, 0.4, 2, (0.0, 0.5, 2.0)), strict=True):
        found = delta_subsampled(epsilon=epsilon, sigma=0.9, **given)
        assert below <= found
        if pair == "remove":
            assert found < below * (1 + 2e-3)


LEAST = [  # epsilon, delta, T, q, and the least noise multiplier for add-or-remove, computed elsewhere
    (0.01, 1e-5, 2000, 0.01, 109.06),
    (0.003, 1e-5, 2000, 0.01, 309.5),
    (0.001, 1e-5, 2000, 0.01, 771.1),
    (3e-4, 1e-5, 2000, 0.01, 1963.0),
    (1e-4, 1e-5, 2000, 0.01, 4192.0),
    (1e-5, 1e-5, 2000, 0.01, 12345.0),
    (2.0, 1e-6, 10**6, 1e-3, 2.33857),
]


@pytest.mark.parametrize(("epsilon", "delta", "T", "q", "least"), LEAST)
def test_least_noise_at_small_epsilon(epsilon, delta, T, q, least):
    found = sigma_subsampled(epsilon=epsilon, delta=delta, T=T, q=q, **BOTH["remove"])
    assert found == pytest.approx(least, rel=3e-4)  # they are rounded to 4 digits
    assert delta * (1 - 1e-3) < delta_subsampled(epsilon=epsilon, sigma=found, T=T, q=q, **BOTH["remove"]) <= delta


def test_epsilon_at_a_tiny_delta_and_at_little_noise():
    tiny = epsilon_subsampled(delta=1.1e-18, sigma=4.0, T=10**4, q=0.00033, **BOTH["remove"])
    assert tiny == pytest.approx(0.0672, abs=5e-5)
    little = epsilon_subsampled(delta=1e-5, sigma=0.1, T=1000, q=0.01, **BOTH["remove"])
    assert 1194.751 <= little < 1194.751 * (1 + 1e-3)


@pytest.mark.parametrize("pair", BOTH)
def test_the_whole_range_in_less_than_two_seconds_and_on_the_private_side(pair):
    """A third of the kernel and less width are still upper bounds: there sigma less 0.1 % is not private either."""
    settings = [
        (1e-5, 1e-30, 10**7, 1e-4),
        (0.3, 1e-30, 10**7, 1e-6),
        (1e-5, 1e-5, 10**7, 0.9),
        (50.0, 1e-10, 10**5, 1e-3),
        (1.0, 1e-30, 10**5, 1e-6),
        (1e-3, 0.3, 30, 0.5),
        (0.01, 1e-100, 10, 1e-4),
        (3.0, 1e-12, 10**9, 1e-4),
    ]
    for epsilon, delta, T, q in settings if pair == "remove" else settings[1:6:2]:
        start = time.process_time()
        sigma = sigma_subsampled(epsilon=epsilon, delta=delta, T=T, q=q, **BOTH[pair])
        assert time.process_time() - start < 2
        assert delta_subsampled(epsilon=epsilon, sigma=sigma, T=T, q=q, **BOTH[pair]) <= delta
        with pytest.MonkeyPatch.context() as finer:
            finer.setattr(compositions, "KERNEL", 3e-6)
            finer.setattr(subsampled_pairs, "WIDTH", 1 / 128)
            assert delta_subsampled(epsilon=epsilon, sigma=0.999 * sigma, T=T, q=q, **BOTH[pair]) > delta


def exact_delta(mass, loss, T, epsilon):
    """By the counts of each loss."""
    total = mp.mpf(0)
    for counts in itertools.product(range(T + 1), repeat=len(mass) - 1):
        if (first := T - sum(counts)) >= 0:
            every = (first, *counts)
            summed = mp.fsum(n * mp.mpf(float(x)) for n, x in zip(every, loss, strict=True))
            if summed > epsilon:
                probability = mp.factorial(T) * mp.fprod(mp.mpf(float(m)) ** n / mp.factorial(n) for n, m in zip(every, mass, strict=True))
                total += probability * -mp.expm1(mp.mpf(epsilon) - summed)
    return total


def test_the_inversion_is_never_below_exact_sums():
    """Few losses, of all sizes and probabilities: all at once and by bands, with a kernel that hardly matters."""
    draw, close = np.random.default_rng(4), 0
    for _ in range(120):
        k, T = int(draw.integers(2, 4)), int(draw.integers(2, 7))
        scale = 10 ** draw.uniform(-6, 1.5)
        loss = np.sort(scale * draw.normal(size=k) * 10 ** draw.uniform(-3, 1, size=k))
        mass = 10 ** draw.uniform(-draw.choice([2, 12, 30]), 0, size=k)
        mass[0] = 1
        epsilon = float(draw.uniform(0, 1.1) * T * max(loss[-1], 0))
        pair = Atoms(mass / mass.sum(), loss, np.full(k, np.ptp(loss) * 10 ** draw.uniform(-1.5, 0)), 1e-280)
        with mp.workdps(60):
            exact = exact_delta(pair.mass, loss, T, epsilon)
            least = float(mp.log(exact)) if exact else -math.inf
        slack = 1e-13 * abs(least) if exact else 0.0
        assert log_delta_composed(pair, T, epsilon) >= least - slack
        if compositions._log_delta_small_losses(float(loss[-1]), T, epsilon) is None:
            every = compositions._Band(pair, T, 0, k)
            whole, bands = every.log_delta(epsilon, every.tilt(epsilon), 2**17)[0], compositions._log_delta_by_bands(pair, T, epsilon)
            assert min(whole, bands) >= least - slack
            close += bands < least + 1e-5
    assert close > 50


@pytest.mark.parametrize("q", [1e-5, 0.03, 0.9])
@pytest.mark.parametrize("mu", [1e-3, 0.7, 6.0, 30.0])
@pytest.mark.parametrize("pair", ["remove", "add", "replace_one", "fixed_size"])
def test_one_step_of_each_pair_in_50_digits(pair, mu, q):
    """The atoms alone: what they add to delta is what a sigma 0.01 % smaller does."""
    atoms = subsampled_pairs.discretise_pair(pair, mu, q, 14.0)
    assert (np.diff(atoms.loss) >= 0).all()
    with mp.workdps(50):
        rarer = np.cumsum(atoms.mass[::-1])[::-1]
        for rare in (0.5, 1e-3, 1e-8, 1e-20, 1e-33)[: 3 if pair == "add" else 5]:  # its losses are bounded, and there "remove" counts
            epsilon = max(0.0, float(atoms.loss[np.searchsorted(-rarer, -rare) - 1]) * (1 - 1e-3))
            exact, nearby = (one_step(pair, mp.mpf(mu) * by, mp.mpf(q), mp.mpf(epsilon)) for by in (1, mp.mpf("1.0001")))
            found = math.exp(log_delta_composed(atoms, 1, epsilon))
            assert exact <= found <= nearby * (1 + mp.mpf(10) ** -4) + mp.mpf(10) ** -40


def one_step(pair, mu, q, epsilon):
    """The hockey-stick divergence of one step, from its best half-line."""

    def mixture(x, shift):  # P(output > x)
        return (1 - q) * mp.ncdf(-x) + q * mp.ncdf(shift - x)

    def excess(x):
        return mp.log(1 - q + q * mp.exp(mu * x - mu**2 / 2)) - mp.log(1 - q + q * mp.exp(-mu * x - mu**2 / 2)) - epsilon

    if pair == "replace_one":
        x = mp.findroot(excess, (0, mu + 20), solver="bisect", tol=1e-45, maxsteps=400, verify=False) if epsilon else mp.mpf(0)
        return mixture(x, mu) - mp.exp(epsilon) * mixture(x, -mu)
    if pair == "add":
        if mp.exp(-epsilon) <= 1 - q:
            return mp.mpf(0)
        x = mp.log((mp.exp(-epsilon) - 1 + q) / q) / mu + mu / 2
        return mp.ncdf(x) - mp.exp(epsilon) * ((1 - q) * mp.ncdf(x) + q * mp.ncdf(x - mu))
    x = mp.log((mp.exp(epsilon) - 1 + q) / q) / mu + mu / 2
    return mixture(x, mu) - mp.exp(epsilon) * mp.ncdf(-x)


def test_what_cannot_be_composed_is_bounded_otherwise():
    """Next to no noise, more steps than rounding allows, and a loss that is out of reach."""
    given = {"T": 10, "q": 0.1, **BOTH["remove"]}
    drawn = 1 - 0.9**10
    assert drawn <= delta_subsampled(epsilon=1.0, sigma=1e-6, **given) <= drawn * (1 + 1e-12)
    assert epsilon_subsampled(delta=1e-5, sigma=1e-6, **given) == subsampled.epsilon_gaussian(delta=1e-5, sigma=1e-6, T=10, sensitivity=1.0)
    many = given | {"T": 10**13}
    assert sigma_subsampled(epsilon=1.0, delta=1e-5, **many) == subsampled.sigma_gaussian(
        epsilon=1.0, delta=1e-5, T=10**13, sensitivity=1.0
    )
    pair = Atoms(np.array([0.5, 0.5]), np.array([-1.0, 0.25]), np.ones(2), 1e-30)
    assert math.exp(log_delta_composed(pair, 4, 1.1)) == pytest.approx(4e-30, rel=1e-9)
    assert log_delta_composed(pair, 4, 1.0) < math.log(1e-7)
    never = Atoms(np.array([0.9]), np.array([0.0]), np.ones(1), 0.1)  # a loss without end, in one of ten
    assert 0.19 <= math.exp(log_delta_composed(never, 2, 0.5)) <= 0.2 * (1 + 1e-12)


def test_few_records_drawn_a_few_times_are_composed_by_bands():
    """Nothing of the sum is normal, and delta is nearly the chance of ever being drawn; `least` is of an 8-fold FFT on a fine grid."""
    given = {"T": 8, "q": 0.022206551709302903, "sensitivity": 1.0, "neighbours": "add_or_remove_one", "sampling": "without_replacement"}
    delta, least = 0.16402560909706015, 0.165558
    assert delta < 1 - (1 - given["q"]) ** 8
    found = sigma_subsampled(epsilon=0.003, delta=delta, **given)
    assert least * (1 - 1e-4) <= found <= least * 1.001
    assert 0.0027 < epsilon_subsampled(delta=delta, sigma=found, **given) <= 0.003 * (1 + 1e-12)
