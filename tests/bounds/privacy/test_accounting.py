"""Noise for full, Poisson and fixed-size batches: against 50 digits, direct integrals, enumerated batches, and other accountants."""

import itertools
import math

import mpmath as mp
import numpy as np
import pytest

from bounds import privacy
from bounds.privacy import accounting, subsampled
from bounds.privacy.accounting import epsilon, noise_multiplier, sensitivity, sigma

RELATIONS = ("replace_one", "add_or_remove_one")


def curve_of_one(eps, mu, q):
    """The curve of one step of fixed size, as it is used: at most 1e-4 above the exact one."""
    return subsampled.delta_subsampled(
        epsilon=eps, sigma=1 / mu, T=1, q=q, sensitivity=1.0, neighbours="replace_one", sampling="without_replacement"
    )


SMALL = {"epsilon": 1.5, "delta": 1e-5, "T": 20, "n": 100, "batch_size": 10, "C": 0.7}


def gaussian_delta(eps, mu):
    return mp.ncdf(mu / 2 - eps / mu) - mp.exp(eps) * mp.ncdf(-mu / 2 - eps / mu)


def mixture_delta(eps, mu, q):
    """H of (1-q) N(0) + q N(mu) against N(0), from its best half-line."""
    if eps < 0:
        return 1 - mp.exp(eps) + mp.exp(eps) * mixture_delta(-eps, mu, q)
    x = mp.log((mp.exp(eps) - 1 + q) / q) / mu + mu / 2
    return (1 - q - mp.exp(eps)) * mp.ncdf(-x) + q * mp.ncdf(mu - x)


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize(
    ("eps", "delta", "T", "n"), [(0.01, 1e-5, 7, 50), (1.0, 1e-5, 1000, 1024), (8.0, 1e-6, 20, 3), (300.0, 1e-3, 5, 10)]
)
def test_full_batches_are_on_the_private_side_in_50_digits(eps, delta, T, n, neighbours):
    C, factor = 0.3, 2 if neighbours == "replace_one" else 1
    s = sigma(eps, delta, T, n, None, C, "full", neighbours)
    with mp.workdps(50):
        moved = factor * mp.mpf(C) / n * mp.sqrt(T)
        assert gaussian_delta(mp.mpf(eps), moved / mp.mpf(s)) <= delta
        assert gaussian_delta(mp.mpf(eps), moved / (mp.mpf(s) * (1 - mp.mpf(10) ** -9))) > delta
    assert epsilon(s, delta, T, n, n, C, "full", neighbours) <= eps
    assert noise_multiplier(eps, delta, T, n, n, "full", neighbours) == pytest.approx(s * n / C, rel=1e-14)


@pytest.mark.parametrize(("eps", "mu", "q"), [(0.0, 1.0, 0.5), (0.7, 0.3, 0.02), (2.0, 4.0, 1 / 16), (30.0, 9.0, 0.9)])
def test_delta_and_epsilon_of_one_batch_are_above_50_digits(eps, mu, q):
    given = {"T": 1, "q": q, "sensitivity": 1.0, "neighbours": "replace_one", "sampling": "without_replacement"}
    with mp.workdps(50):
        exact = mixture_delta(mp.mpf(eps), mp.mpf(mu), mp.mpf(q))
        found = subsampled.delta_subsampled(epsilon=eps, sigma=1 / mu, **given)
        assert exact <= found <= float(exact) * (1 + (1e-4 if exact > 1e-20 else 1e-2))  # in the tail less noise counts for more
        if eps and exact > 1e-10:
            least = subsampled.epsilon_subsampled(delta=float(exact), sigma=1 / mu, **given)
            assert mixture_delta(mp.mpf(least), mp.mpf(mu), mp.mpf(q)) <= float(exact)
            assert least < eps * (1 + 1e-3)


@pytest.mark.parametrize("sampling", ["poisson", "without_replacement"])
def test_delta_is_that_of_sigma_and_of_epsilon(sampling):
    given = {"T": 30, "q": 0.1, "sensitivity": 0.4, "neighbours": "replace_one", "sampling": sampling}
    sigma = subsampled.sigma_subsampled(epsilon=1.2, delta=1e-5, **given)
    assert 1e-5 * (1 - 2e-3) < subsampled.delta_subsampled(epsilon=1.2, sigma=sigma, **given) <= 1e-5
    assert subsampled.delta_subsampled(epsilon=1.2, sigma=0.99 * sigma, **given) > 1e-5
    assert subsampled.delta_subsampled(epsilon=0.0, sigma=1e-3, **(given | {"T": 2, "q": 0.01})) == pytest.approx(1 - 0.99**2, rel=1e-12)
    full = privacy.delta_gaussian(epsilon=1.2, sigma=2.0, T=30, sensitivity=0.4)
    assert subsampled.delta_subsampled(epsilon=1.2, sigma=2.0, **(given | {"q": 1})) == full


@pytest.mark.parametrize("sampling", ["poisson", "without_replacement"])
def test_a_record_that_is_drawn_with_probability_delta_gets_noise(sampling):
    """Whether a float q is below the share of batches is not known to its last digit."""
    given = {"delta": 1e-3, "T": 1, "q": 1e-3, "sensitivity": 1.0, "neighbours": "replace_one", "sampling": sampling}
    assert subsampled.sigma_subsampled(epsilon=1.0, **given) > 0
    assert subsampled.sigma_subsampled(epsilon=1.0, **(given | {"q": 1e-3 * (1 - 1e-15)})) == 0


@pytest.mark.parametrize(("eps", "delta", "q"), [(2.0, 1e-5, 1 / 16), (0.5, 1e-6, 0.01), (6.0, 1e-3, 0.5)])
def test_one_batch_of_fixed_size_in_50_digits(eps, delta, q):
    n, batch = 1000, round(1000 * q)
    s = sigma(eps, delta, 1, n, batch, 1.0, "without_replacement")
    with mp.workdps(50):
        mu = 2 / (batch * mp.mpf(s))
        assert delta * (1 - 2e-3) < mixture_delta(mp.mpf(eps), mu, mp.mpf(batch) / n) <= delta


def test_two_batches_of_fixed_size_by_direct_sums():
    """The pair with the curve: M against P_0 where M is larger, the reverse where smaller, at no loss for the rest; two of its steps."""
    q, mu, eps = 0.3, 1.4, 0.8
    x = np.linspace(mu / 2, mu + 9, 2001)
    step = x[1] - x[0]
    weight = np.full_like(x, step)
    weight[[0, -1]] /= 2
    zero, moved = (np.exp(-((x - m) ** 2) / 2) / math.sqrt(2 * math.pi) for m in (0, mu))
    mixed = (1 - q) * zero + q * moved
    loss = np.log(mixed / zero)
    losses = np.concatenate([loss, -loss, [0.0]])
    mass = np.concatenate([mixed * weight, zero * weight, [0.0]])
    mass[-1] = 1 - mass.sum()
    assert mass[-1] > 0
    direct = float((np.maximum(-np.expm1(eps - np.add.outer(losses, losses)), 0) * np.multiply.outer(mass, mass)).sum())
    given = {"T": 2, "q": q, "sensitivity": 1.0, "neighbours": "replace_one", "sampling": "without_replacement"}
    found = subsampled.epsilon_subsampled(delta=direct, sigma=1 / mu, **given)
    assert eps * (1 - 1e-6) < found < eps * (1 + 2e-3)


def test_no_enumerated_batch_is_worse_than_the_curve():
    """Every data set of 4 records in {-1, 0, 1} and its neighbours, batches of 2: the exact mixtures, integrated."""
    n, batch, deviation = 4, 2, 0.6
    x = np.linspace(-1 - 9 * deviation, 1 + 9 * deviation, 6001)

    def law(records):
        means = [sum(one) / batch for one in itertools.combinations(records, batch)]
        return sum(np.exp(-(((x - m) / deviation) ** 2) / 2) for m in means) / len(means) / deviation / math.sqrt(2 * math.pi)

    worst = dict.fromkeys((0.0, 0.7, 2.0), 0.0)
    for rest in itertools.combinations_with_replacement((-1, 0, 1), n - 1):
        others = [law((*rest, one)) for one in (-1, 0, 1)] + [law(rest)]
        for p, other in itertools.permutations(others, 2):
            for eps in worst:
                worst[eps] = max(worst[eps], float(np.maximum(p - math.exp(eps) * other, 0).sum() * (x[1] - x[0])))
    for eps, found in worst.items():
        curve = curve_of_one(eps, 2 / batch / deviation, batch / n)
        assert curve * (1 - 1e-4) < found < curve * (1 + 1e-5)


def test_no_pair_of_shifts_is_worse_than_the_curve():
    """The proof in the module's docstring, attacked: P_u, P_v with |u|, |v|, |u - v| <= s in the plane."""
    o, draw, s, q = np.linspace(-7, 8, 151), np.random.default_rng(3), 1.1, 0.3
    X, Y = np.meshgrid(o, o)
    area = (o[1] - o[0]) ** 2 / (2 * math.pi)

    def mixture(u):
        return (1 - q) * np.exp(-(X**2 + Y**2) / 2) + q * np.exp(-((X - u[0]) ** 2 + (Y - u[1]) ** 2) / 2)

    tried, curve = 0, {eps: curve_of_one(eps, s, q) for eps in (0.0, 0.5, 1.5)}
    while tried < 60:
        u, v = draw.uniform(-s, s, (2, 2))
        if max(math.hypot(*u), math.hypot(*v), math.hypot(*(u - v))) > s:
            continue
        tried += 1
        for eps in (0.0, 0.5, 1.5):
            assert np.maximum(mixture(u) - math.exp(eps) * mixture(v), 0).sum() * area <= curve[eps] * (1 + 1e-3)


@pytest.mark.parametrize(("sampling", "neighbours"), [("poisson", "add_or_remove_one"), ("without_replacement", "replace_one")])
def test_monotone(sampling, neighbours):
    given = SMALL | {"sampling": sampling, "neighbours": neighbours}
    here = sigma(**given)
    for name, value, larger in (("epsilon", 1.4, True), ("delta", 1e-6, True), ("T", 25, True), ("C", 0.8, True), ("n", 120, False)):
        assert (sigma(**(given | {name: value})) > here) == larger, name
    multiplier = {name: one for name, one in given.items() if name != "C"}
    assert noise_multiplier(**(multiplier | {"batch_size": 12})) > noise_multiplier(**multiplier)
    assert sigma(**(given | {"C": 1.4})) == pytest.approx(2 * here, rel=1e-3)


def test_relations_and_samplings_in_their_order():
    """One removal against a replacement; a batch of fixed size is between the one-sided pair and the full batch with its mu per step."""
    of = {(s, r): sigma(**SMALL, sampling=s, neighbours=r) for s in ("poisson", "without_replacement") for r in RELATIONS}
    assert of["poisson", "add_or_remove_one"] < of["poisson", "replace_one"] < of["without_replacement", "replace_one"]
    assert of["without_replacement", "replace_one"] == of["without_replacement", "add_or_remove_one"]
    assert 2 * of["poisson", "add_or_remove_one"] < of["without_replacement", "replace_one"]  # the instance that is attacked
    every = privacy.sigma_gaussian(epsilon=1.5, delta=1e-5, T=20, sensitivity=2 * 0.7 / 10)
    assert of["without_replacement", "replace_one"] < every


def test_all_records_in_a_batch_are_a_full_batch():
    given = SMALL | {"n": 100, "batch_size": 100}
    full = sigma(**(given | {"batch_size": None}))
    for sampling in ("full", "poisson", "without_replacement"):
        assert sigma(**given, sampling=sampling) == full
    near = sigma(**(given | {"n": 10_000, "batch_size": 9_999, "C": 70.0}), sampling="without_replacement")
    assert near == pytest.approx(full, rel=1e-3)


@pytest.mark.parametrize("sampling", ["poisson", "without_replacement"])
def test_epsilon_takes_sigma_back(sampling):
    given = {name: one for name, one in SMALL.items() if name != "epsilon"}
    found = epsilon(sigma(**SMALL, sampling=sampling), **given, sampling=sampling)
    assert 1.5 * (1 - 1e-3) < found <= 1.5


def test_below_the_renyi_accountants_of_another_library():
    """RDP bounds both kinds of batches from above; it is not far off (Wang, Balle, Kasiviswanathan 2019, for batches of fixed size)."""
    import dp_accounting as dp
    from dp_accounting.rdp import RdpAccountant

    n, batch, T, delta = 1024, 64, 200, 1e-5
    for sampling, neighbours, relation, factor in (
        ("poisson", "add_or_remove_one", dp.NeighboringRelation.ADD_OR_REMOVE_ONE, 1),
        ("without_replacement", "replace_one", dp.NeighboringRelation.REPLACE_ONE, 2),
    ):
        s = sigma(2.0, delta, T, n, batch, 1.0, sampling, neighbours)
        one = dp.GaussianDpEvent(s * batch / factor)  # noise over the sensitivity
        event = dp.PoissonSampledDpEvent(batch / n, one) if factor == 1 else dp.SampledWithoutReplacementDpEvent(n, batch, one)
        accountant = RdpAccountant(range(2, 128), relation)
        accountant.compose(event, T)
        assert 2.0 < accountant.get_epsilon(delta) < (2.4 if factor == 1 else 9.0)


def test_published_settings():
    """What a numerical accountant needs at the sizes of the experiments, from a second one (privacy buckets, rounded both ways)."""
    assert noise_multiplier(2.0, 1e-5, 1000, 1024, 64, "poisson", "add_or_remove_one") == pytest.approx(4.050, rel=1e-3)
    assert noise_multiplier(6.0, 1e-5, 2000, 1000, 8, "poisson", "add_or_remove_one") == pytest.approx(0.658, rel=1e-3)
    assert noise_multiplier(2.0, 1e-5, 1000, 1024, 64, "without_replacement") == pytest.approx(8.634, rel=1e-3)


BAD = [
    ({"batch_size": 101}, "batch_size = 101: at most n = 100"),
    ({"batch_size": 0}, "batch_size = 0: an integer of at least 1"),
    ({"batch_size": 10.5}, "batch_size = 10.5: an integer of at least 1"),
    ({"n": 0}, "n = 0: an integer"),
    ({"C": 0.0}, "C = 0.0: a finite number above 0"),
    ({"epsilon": -1.0}, "epsilon = -1.0"),
    ({"delta": 0.0}, "delta = 0.0: a number strictly between"),
    ({"delta": 1e-150}, "delta = 1e-150: a number of at least"),
    ({"T": 0}, "T = 0: an integer"),
    ({"sampling": "shuffled"}, "sampling = 'shuffled': one of full, poisson, without_replacement"),
    ({"neighbours": "both"}, "neighbours = 'both': one of add_or_remove_one, replace_one"),
    ({"sampling": "full"}, "batch_size = 10: exactly n = 100"),
    ({"batch_size": 100, "neighbours": "add_or_remove_one"}, "batch_size = 100: fewer than n = 100"),
    ({"C": 1e308}, "C = 1e.308: the sensitivity overflows or underflows; a less extreme number"),
    ({"C": 5e-324}, "C = 5e-324: the sensitivity overflows or underflows; a less extreme number"),
]


@pytest.mark.parametrize(("changed", "said"), BAD, ids=[said for _, said in BAD])
def test_bad_input_in_one_sentence(changed, said):
    with pytest.raises(ValueError, match=said.replace("(", r"\(")) as error:
        sigma(**(SMALL | {"sampling": "without_replacement"} | changed))
    assert "\n" not in str(error.value)


def test_bad_sampling_of_the_accountant():
    with pytest.raises(ValueError, match="sampling = 'fixed': one of poisson, without_replacement"):
        subsampled.sigma_subsampled(epsilon=1.0, delta=1e-5, T=1, q=0.5, sensitivity=1.0, neighbours="replace_one", sampling="fixed")


def test_what_a_record_moves():
    assert sensitivity(100, 10, 3.0, "poisson", "replace_one") == 0.6
    assert sensitivity(100, 10, 3.0, "poisson", "add_or_remove_one") == 0.3
    assert sensitivity(100, 10, 3.0, "without_replacement", "add_or_remove_one") == 0.6
    assert sensitivity(100, None, 3.0, "full", "replace_one") == 0.06


def test_a_record_that_is_hardly_ever_drawn_needs_no_noise():
    assert sigma(1.0, 0.01, 2, 1000, 1, 1.0, "without_replacement") == 0
    assert accounting.epsilon(1e-3, 0.01, 2, 1000, 1, 1.0, "without_replacement") == 0


@pytest.mark.parametrize("sampling", ["poisson", "without_replacement"])
@pytest.mark.parametrize("sigma", [5e-324, 1e-300])
def test_a_noise_that_is_next_to_none_is_named(sampling, sigma):
    with pytest.raises(ValueError, match=f"^sigma = {sigma}, .* cannot be computed in floating point"):
        accounting.epsilon(sigma, 1e-6, 10, 100, 10, 1.0, sampling)
