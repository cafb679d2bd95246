"""The release record: what is public, what each mechanism's accountant is, and what a rate that follows the data spends."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, norm

import theory_lab as lab
from bounds import privacy
from bounds.privacy import random_iterate, random_shifts, subsampled
from bounds.privacy.accounting import of_means
from bounds.privacy.release import Release

DECLARED, DELTA = 1.2, 1e-5


def laws(m, last, q, B):
    """Values and weights of a step's mean, before noise: of m - 1 records of +1 and one of `last`; every record with probability q."""
    k = np.arange(m)
    weights = binom.pmf(k, m - 1, q)
    return np.concatenate([k, k + last]) / B, np.concatenate([(1 - q) * weights, q * weights])


def spent(one, other, sigma, T, delta):
    """epsilon of T steps, each a mixture of normals, by the losses on a fine grid and their T-fold convolution by FFT."""
    (a, p), (b, w) = one, other
    y = np.linspace(min(a.min(), b.min()) - 12 * sigma, max(a.max(), b.max()) + 12 * sigma, 200_001)
    P, Q = (sum(weight * norm.pdf(y, x, sigma) for x, weight in zip(*law, strict=True) if weight > 1e-25) for law in ((a, p), (b, w)))
    mass, loss = P * (y[1] - y[0]), np.log(P / Q)
    if T == 1:
        found = lambda eps: float(np.sum(mass * np.maximum(-np.expm1(eps - loss), 0)))
    else:
        width, cells = 60.0, 2**20
        step = 2 * width / cells
        counts = np.bincount(np.clip(np.round(loss / step), -cells // 2, cells // 2 - 1).astype(int) % cells, mass, cells)
        sums = np.fft.irfft(np.fft.rfft(counts) ** T, cells)
        at = np.fft.fftfreq(cells, 1 / cells) * step
        found = lambda eps: float(np.sum(sums * np.maximum(-np.expm1(np.minimum(eps - at, 0)), 0)))
    return brentq(lambda eps: found(eps) - delta, 0, 20, xtol=1e-6) if found(0.0) > delta else 0.0


@pytest.mark.parametrize(("n", "B", "T", "right"), [(2, 1, 1, 2.62), (2, 1, 4, 2.61), (10, 5, 10, 2.41), (100, 10, 100, 1.77)])
def test_a_rate_that_follows_the_number_of_records_spends_more_than_the_public_one(n, B, T, right):
    released = of_means(n, B, 1.0, T, "poisson", "add_or_remove_one").calibrate_noise(DECLARED, DELTA)
    assert (released.rate, released.divisor, released.sensitivity) == (B / n, B, 1 / B)
    assert "q = " in released.describe()
    assert f"by {B}. These numbers are public constants, and stay the same where a record is added or removed" in released.describe()
    without = lambda q: (np.arange(n) / B, binom.pmf(np.arange(n), n - 1, q))

    def worst(q, of_neighbour):
        pairs = [(laws(n, last, q, B), without(of_neighbour)) for last in (-1, 1)]
        return max(spent(*ends, released.sigma, T, DELTA) for one, other in pairs for ends in ((one, other), (other, one)))

    assert worst(B / n, B / (n - 1)) == pytest.approx(right, abs=0.006)  # its own rate on each data set: much more
    assert worst(B / n, B / n) <= DECLARED * (1 + 1e-4)  # the same public rate on both: what is declared; the grid's error
    alone = (np.array([0.0, 1.0 / B]), np.array([1 - B / n, B / n])), (np.zeros(1), np.ones(1))
    assert max(spent(*ends, released.sigma, T, DELTA) for ends in (alone, alone[::-1])) == pytest.approx(DECLARED, rel=1e-3)  # tight


def test_every_mechanism_has_its_own_accountant():
    given = {"epsilon": 0.9, "delta": 1e-6, "T": 50}
    full = of_means(100, None, 0.5, 50)
    batches = {"q": 0.1, "neighbours": "replace_one", "sensitivity": 0.1}
    for released, expected in (
        (full, privacy.sigma_gaussian(**given, sensitivity=0.01)),
        (
            Release("replace_one", "full", 1.0, 100, 0.5, 0.01, 50, mechanism="uniform"),
            random_iterate.sigma_uniform(**given, sensitivity=0.01),
        ),
        (
            Release("replace_one", "full", 1.0, 100, 0.5, 0.01, 50, mechanism="random_shifts"),
            random_shifts.sigma_random_shifts(**given, scale=0.01, released="uniform"),
        ),
        *(
            (of_means(100, 10, 0.5, 50, sampling), subsampled.sigma_subsampled(**given, **batches, sampling=sampling))
            for sampling in ("poisson", "without_replacement")
        ),
    ):
        found = released.calibrate_noise(0.9, 1e-6)
        assert found.sigma == expected
        assert 0.9 * (1 - 1e-3) < found.epsilon(1e-6) <= 0.9 * (1 + 1e-12)
        assert 1e-6 * (1 - 5e-3) < found.delta(0.9) <= 1e-6 * (1 + 1e-12)
        assert found.multiplier == pytest.approx(found.sigma * found.divisor / 0.5, rel=1e-15)


@pytest.mark.parametrize("sampling", ["full", "poisson", "without_replacement"])
@pytest.mark.parametrize("neighbours", ["replace_one", "add_or_remove_one"])
def test_words_say_which_numbers_are_public(sampling, neighbours):
    B = 20 if sampling == "full" else 4
    said = of_means(20, B, 3.0, 7, sampling, neighbours).describe()
    assert f"divides the sum of their clipped vectors by {B}. These numbers are public constants" in said
    assert ("and stay the same where a record is added or removed" in said) == (neighbours == "add_or_remove_one")
    times = 1 if neighbours == "add_or_remove_one" and sampling != "without_replacement" else 2
    assert f"If a batch contains it, the mean moves by at most {times} C/{B}." in said  # whatever C is: plans have several
    assert f"differ in one record that is {'exchanged for another' if neighbours == 'replace_one' else 'added or removed'}." in said
    drawn = {
        "full": "Each step takes all records, and",
        "poisson": "Each step takes every record with probability q = 0.2, independently of the others, and",
        "without_replacement": "Each step draws 4 records afresh, without replacement, at rate q = 0.2, and",
    }
    assert said.startswith(drawn[sampling])


def test_directions_are_one_vector():
    assert of_means(20, 5, 3.0, 7, "poisson", P=4) == of_means(20, 5, 6.0, 7, "poisson")


PROBLEM = {"n": 20_000, "d": 5_000, "epsilon": 1.5, "delta": 1e-6, "L": 1.0, "gap": 1.0}
SMOOTH, GROWTH = {"ell": 1.0}, {"growth_mu": 0.1, "radius": 2.0}
ASKED = [
    *(("dpzero", SMOOTH | {"r": 8.0, "B": 1.0} | more) for more in ({}, {"accountant": "lipschitz"}, {"epsilon": 40.0}, {"T_max": 1})),
    *(("dpgd_0th", SMOOTH | more) for more in ({}, {"accountant": "lipschitz"})),
    ("dp_gd", SMOOTH),
    *(("dp_grape", SMOOTH | {"r": 8} | more) for more in ({}, {"batch_size": 500}, {"batch_size": 20_000})),
    *(("dp_grape_blocks", SMOOTH | {"r": 8, "batch_size": 700}),),
    *(("dp_zoso", GROWTH | more) for more in ({}, {"P": 3}, {"batch_size": 400, "T_max": 500})),
    ("dp_zoso", GROWTH | {"batch_size": 19_000, "epsilon": 10.0, "target": 0.5, "P": 4}),  # private as printed
    ("dp_zoso", GROWTH | {"batch_size": 5_000, "epsilon": 10.0, "target": 0.5}),  # not
    *(("dp_zopo", GROWTH | more) for more in ({}, {"rates": 0.5, "P": 2})),
]


@pytest.mark.parametrize(("method", "more"), ASKED, ids=[f"{method}-{'-'.join(map(str, more.values()))}" for method, more in ASKED])
def test_a_column_is_private_exactly_where_its_release_is(method, more):
    asked = PROBLEM | more
    plan = lab.recommend(method, **asked)
    for name, column in plan.columns.items():
        released = column.release
        if released is None:
            assert not math.isfinite(getattr(column, "sigma", math.nan)) or not isinstance(column.C, float) or math.isnan(column.C)
            continue
        assert (released.T, released.sigma, released.neighbours) == (column.T, column.sigma, plan.NEIGHBOURS)
        assert released.sampling == getattr(column, "sampling", "full")
        assert released.divisor == getattr(column, "batch_size", asked["n"])
        assert released.rate == released.divisor / asked["n"]
        assert released.C == pytest.approx(column.C * math.sqrt(asked.get("P", 1)), rel=1e-15)
        spends = released.epsilon(asked["delta"])
        assert (spends <= asked["epsilon"] * (1 + 1e-9)) == (plan.certifies(name) != "not private"), (name, spends)
        assert column.record()["release"]["rate"] == released.rate


def test_the_printed_batches_of_dp_grape_are_of_fixed_size_in_their_release():
    plan = lab.recommend("dp_grape", n=1e5, d=100, epsilon=0.5, delta=1e-9, L=1.0, ell=1.0, gap=1.0, r=4, T_max=50)
    released = plan.printed.release
    assert (released.sampling, released.divisor, released.rate) == ("without_replacement", 389, 0.00389)
    assert released.epsilon(1e-9) == subsampled.epsilon_subsampled(
        delta=1e-9, sigma=released.sigma, T=released.T, q=0.00389, sensitivity=2 * plan.printed.C / 389,
        neighbours="replace_one", sampling="without_replacement",
    )  # fmt: skip
    assert released.epsilon(1e-9) == pytest.approx(0.61604, rel=1e-4)
    assert not plan.printed.private


def test_a_plan_of_lipschitz_losses_whose_clip_decides_is_accounted_by_the_clip():
    """In few dimensions the random shifts of a direction hide less than the clip: sigma is the uniform iterate's."""
    asked = {"epsilon": 15.745869612689123, "delta": 3.843490910898129e-09, "L": 1.0, "ell": 0.2558035578629643, "r": 3.8964404166946087}
    plan = lab.recommend("dpgd_0th", n=100_000, d=4, gap=0.07378154735275434, T_max=5, accountant="lipschitz", **asked)
    assert plan.sharp.release.mechanism == "uniform"
    assert plan.sharp.release.sensitivity == 2 * plan.sharp.C / 100_000
    assert 0.999 * asked["epsilon"] < plan.sharp.release.epsilon(asked["delta"]) <= asked["epsilon"]


def test_a_plan_of_one_step_publishes_x_0_and_its_noise_is_of_one_gaussian_release():
    released = lab.recommend("dpzero", n=2, d=100, epsilon=0.1, delta=1e-6, L=1.0, ell=1.0, gap=1.0, r=2.0, T_max=10).sharp.release
    assert (released.mechanism, released.T) == ("gaussian", 1)
    assert released.epsilon(1e-6) == pytest.approx(0.1, rel=1e-3)


def test_the_rows_of_the_record_are_what_an_objective_runs_with():
    plan = lab.recommend("dp_grape", **PROBLEM, **SMOOTH, r=8, batch_size=500)
    (said,) = {one for one in plan.caveats if "every record with probability q = 0.025" in one}
    assert "by 500" in said
    assert "the mean moves by at most 2 C/500." in said
    for column in (plan.repaired, plan.sharp):  # whose thresholds are not 1, and not alike
        assert column.release.sensitivity == pytest.approx(2 * column.C / 500, rel=1e-15)


def test_what_a_release_cannot_be():
    for given, said in (
        ({"batch_size": 30}, "batch_size = 30: exactly n = 20 is needed with sampling = 'full'"),
        ({"batch_size": 30, "sampling": "poisson"}, "batch_size = 30: at most n = 20 is needed with sampling = 'poisson'"),
        ({"batch_size": 20, "sampling": "without_replacement", "neighbours": "add_or_remove_one"}, "fewer than n = 20 are needed"),
        *(({"batch_size": None, name: wrong}, f"{name} = {wrong}") for name in ("P", "T") for wrong in (0, -1, 1.5)),
        *(({"batch_size": None, "sigma": wrong}, f"sigma = {wrong}") for wrong in (0.0, -1.0, math.nan)),
        *(({"batch_size": wrong}, f"batch_size = {wrong}") for wrong in (0, 2.5)),
        ({"batch_size": None, "sampling": "shuffled"}, "sampling = 'shuffled'"),
        ({"batch_size": None, "neighbours": "zero"}, "neighbours = 'zero'"),
    ):
        with pytest.raises(ValueError, match=said.replace("(", r"\(")):
            of_means(20, C=1.0, **given)
