"""Accountants in corners: each moves the right way in every argument, takes its inverse back on the private side, and is above the truth.

The truth is computed here in 50 digits, from the formulas alone.
"""

import math

import pytest
from mpmath import mp

from bounds import privacy
from bounds.dp_zopo import theorem1
from bounds.privacy import accounting, random_iterate, random_shifts
from bounds.privacy.subsampled import delta_subsampled, epsilon_subsampled, sigma_subsampled

UP, DOWN = 1, -1
RELEASE = {"T": UP, "sensitivity": UP}
MORE_NOISE = {"epsilon": DOWN, "delta": DOWN}  # for sigma: a smaller epsilon or delta needs more
SIGMA, DELTA, EPSILON = {**MORE_NOISE, **RELEASE}, {"epsilon": DOWN, "sigma": DOWN, **RELEASE}, {"delta": DOWN, "sigma": DOWN, **RELEASE}
BUDGETS = ((2.0, 1e-6), (1e-3, 1e-3), (0.1, 0.4), (40.0, 1e-15), (3.0, 0.7))  # epsilon, delta
STEPS = (2, 3, 1000)
SETTING = {"n": DOWN, "C": UP}


def points(kind, scale="sensitivity", **more):
    """Arguments of an accountant: of sigma, delta or epsilon, at every budget and number of steps; noise near what the budget needs."""
    for epsilon, delta in BUDGETS:
        for T in STEPS:
            sigma = 0.1 * math.sqrt(T) / privacy.mu_gaussian(epsilon, delta) * 1.3
            given = {"sigma": {"epsilon": epsilon, "delta": delta}, "delta": {"epsilon": epsilon, "sigma": sigma}}
            given["epsilon"] = {"delta": delta, "sigma": sigma}
            yield {**given[kind], "T": T, scale: 0.1, **more}


def of_means(kind, **more):
    for at in points(kind):
        yield {name: value for name, value in at.items() if name != "sensitivity"} | {"n": 20, "batch_size": None, "C": 1.0, **more}


SHIFTS = ({"released": "path"}, {"released": "uniform"}, {"released": "path", "cap": 0.08})
RANDOM = {
    f"{name} of random shifts, {' '.join(map(str, more.values()))}": (
        getattr(random_shifts, f"{name}_random_shifts"),
        {("scale" if key == "sensitivity" else key): way for key, way in ways.items()} | ({"cap": UP} if "cap" in more else {}),
        lambda name=name, more=more: [at for at in points(name, "scale", **more) if at["T"] == 3 and at.get("delta", 0) < 0.5],
    )
    for name, ways in (("sigma", SIGMA), ("delta", DELTA), ("epsilon", EPSILON))
    for more in SHIFTS
}
ACCOUNTANTS = {  # a function, which way it moves when an argument grows, and points
    "sigma": (privacy.sigma_gaussian, SIGMA, lambda: points("sigma")),
    "delta": (privacy.delta_gaussian, DELTA, lambda: points("delta")),
    "epsilon": (privacy.epsilon_gaussian, EPSILON, lambda: points("epsilon")),
    "sigma of Lemma 2.2": (privacy.sigma_lemma_2_2, SIGMA, lambda: points("sigma")),
    "sigma of one iterate": (random_iterate.sigma_uniform, SIGMA, lambda: [*points("sigma")][::3]),
    "delta of one iterate": (random_iterate.delta_uniform, DELTA, lambda: [*points("delta")][::3]),
    "epsilon of one iterate": (random_iterate.epsilon_uniform, EPSILON, lambda: [*points("epsilon")][::3]),
    "sigma of means": (accounting.sigma, {**MORE_NOISE, "T": UP, **SETTING}, lambda: of_means("sigma")),
    "sigma of means, one removed": (
        accounting.sigma, {**MORE_NOISE, "T": UP, **SETTING}, lambda: of_means("sigma", neighbours="add_or_remove_one"),
    ),
    "epsilon of means": (accounting.epsilon, {"delta": DOWN, "sigma": DOWN, "T": UP, **SETTING}, lambda: of_means("epsilon")),
    "noise of directions": (
        theorem1.direction_sigma, {**MORE_NOISE, "T": UP, "directions": UP, **SETTING},
        lambda: of_means("sigma", sampling="full", directions=2),
    ),
    "epsilon of directions": (
        theorem1.spent_epsilon, {"delta": DOWN, "sigma": DOWN, "T": UP, "directions": UP, **SETTING},
        lambda: of_means("epsilon", sampling="full", directions=2),
    ),
    **RANDOM,
}  # fmt: skip
WHOLE = ("T", "n", "directions")
FLAT = {0.0, 1.0, math.inf, random_shifts.LEAST}  # where an answer cannot go on


def larger(name, value):
    return 2 * value if name in WHOLE else 1 - (1 - value) / 2 if name == "delta" and value > 0.3 else 1.5 * value


DEAR = ("sigma of random shifts, uniform", "epsilon of random shifts, uniform")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.verify] * (name in DEAR)) for name in ACCOUNTANTS])
def test_an_accountant_moves_the_right_way_in_every_argument(name):
    """Strictly, but where the answer is the least or the largest that there is, or one that tau alone decides."""
    function, ways, at = ACCOUNTANTS[name]
    moved = dict.fromkeys(ways, 0)
    for point in at():
        before = function(**point)
        for argument, way in ways.items():
            after = function(**point | {argument: larger(argument, point[argument])})
            if before in FLAT or after in FLAT or (argument == "cap" and after == before):
                assert way * (after - before) >= 0, (argument, point)
                continue
            assert way * (after - before) > 0 or math.isclose(after, before, rel_tol=1e-9), (argument, point)
            moved[argument] += way * (after - before) > 1e-9 * before
    assert all(count >= 2 for count in moved.values()), moved


INVERSES = {  # sigma, delta, epsilon of one setting, and how far the way back may be off, relatively
    "all releases": (privacy.sigma_gaussian, privacy.delta_gaussian, privacy.epsilon_gaussian, "sensitivity", {}, 1e-9),
    "one iterate": (random_iterate.sigma_uniform, random_iterate.delta_uniform, random_iterate.epsilon_uniform, "sensitivity", {}, 1e-6),
    **{
        f"random shifts, {' '.join(map(str, more.values()))}": (
            random_shifts.sigma_random_shifts, random_shifts.delta_random_shifts, random_shifts.epsilon_random_shifts, "scale", more, 1e-4,
        )
        for more in SHIFTS
    },
}  # fmt: skip


@pytest.mark.parametrize("name", INVERSES)
def test_what_sigma_delta_and_epsilon_say_of_one_another(name):
    """The noise for (epsilon, delta) spends no more than that, and with a little less noise it would."""
    sigma_of, delta_of, epsilon_of, scale, more, off = INVERSES[name]
    compared = 0
    for point in points("sigma", scale, **more):
        if name.startswith("random") and (point["T"] != 3 or point["delta"] > 0.5):
            continue
        epsilon, delta = point.pop("epsilon"), point.pop("delta")
        sigma = sigma_of(epsilon=epsilon, delta=delta, **point)
        if sigma == 0 or (name == "one iterate" and point["T"] == 3):
            continue
        compared += 1
        assert delta * (1 - 100 * off) <= delta_of(epsilon=epsilon, sigma=sigma, **point) <= delta
        assert delta_of(epsilon=epsilon, sigma=sigma * (1 - 10 * off), **point) > delta
        assert epsilon_of(delta=delta, sigma=sigma, **point) <= epsilon * (1 + off)
        assert epsilon_of(delta=delta, sigma=sigma * (1 - 10 * off), **point) > epsilon * (1 - off)
    assert compared >= 4


def exact(epsilon, mu):
    """delta(epsilon; mu) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)."""
    return mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu)


CORNERS = [  # epsilon, sigma, T, sensitivity
    (0.0, 1.0, 1, 1.0), (0.0, 1e3, 1, 0.1), (1e-12, 1.0, 1, 1e-6), (1e-6, 1.0, 7, 1.0), (700.0, 1.0, 1, 30.0), (800.0, 0.5, 3, 20.0),
    (5.0, 1.0, 1, 0.2), (5.0, 1e-3, 1, 1e-3), (20.0, 1.0, 10**6, 1e-3), (1.0, 100.0, 10**9, 1e-3), (0.5, 0.01, 1, 1.0), (40.0, 3.0, 2, 5.0),
]  # fmt: skip


@pytest.mark.parametrize(("epsilon", "sigma", "T", "sensitivity"), CORNERS)
def test_delta_in_corners_is_just_above_the_truth(epsilon, sigma, T, sensitivity):
    given = {"sigma": sigma, "T": T, "sensitivity": sensitivity}
    with mp.workdps(50):
        mu = mp.sqrt(T) * mp.mpf(sensitivity) / mp.mpf(sigma)
        truth = exact(mp.mpf(epsilon), mu)
        of_one = (
            mp.fsum(exact(mp.mpf(epsilon), mp.sqrt(k) * mp.mpf(sensitivity) / mp.mpf(sigma)) for k in range(1, T)) / T if T < 10 else None
        )
    found = privacy.delta_gaussian(epsilon=epsilon, **given)
    assert truth <= found <= truth * (1 + mp.mpf(10) ** -9) or found >= math.nextafter(1, 0)
    if of_one:
        found = random_iterate.delta_uniform(epsilon=epsilon, **given)
        assert of_one <= found <= of_one * (1 + mp.mpf(10) ** -9)


@pytest.mark.parametrize("T", [1, 2, 5])
@pytest.mark.parametrize(("epsilon", "delta"), [*BUDGETS, (1e-9, 1e-9), (700.0, 1e-300)])
def test_sigma_in_corners_is_just_above_the_truth(epsilon, delta, T):
    sigma = privacy.sigma_gaussian(epsilon=epsilon, delta=delta, T=T, sensitivity=0.3)
    with mp.workdps(50):
        mu = mp.sqrt(T) * mp.mpf(0.3) / mp.mpf(sigma)
        assert exact(mp.mpf(epsilon), mu) <= delta < exact(mp.mpf(epsilon), mu * (1 + mp.mpf(10) ** -6))
        back = privacy.epsilon_gaussian(delta=delta, sigma=sigma, T=T, sensitivity=0.3)
        assert exact(mp.mpf(back), mu) <= delta
        if T > 1:
            one = random_iterate.sigma_uniform(epsilon=epsilon, delta=delta, T=T, sensitivity=0.3)
            with mp.workdps(50):
                spent = mp.fsum(exact(mp.mpf(epsilon), mp.sqrt(k) * mp.mpf(0.3) / mp.mpf(one)) for k in range(1, T)) / T if one else 0
            assert spent <= delta


@pytest.mark.parametrize("T", [2, 3, 10])
def test_one_iterate_needs_no_noise_from_the_delta_on_with_which_it_is_another_than_the_start(T):
    """tau = 0 publishes x_0, so that delta = 1 - 1/T is spent at most."""
    most = 1 - 1 / T
    given = {"epsilon": 1.0, "T": T, "sensitivity": 1.0}
    assert random_iterate.sigma_uniform(delta=most * (1 + 1e-12), **given) == 0.0
    assert random_iterate.sigma_uniform(delta=most * (1 - 1e-12), **given) > 0
    assert random_iterate.delta_uniform(sigma=1e-9, **given) == pytest.approx(most, abs=1e-15)
    assert random_iterate.delta_uniform(sigma=1e-9, **given) >= most
    assert random_iterate.delta_uniform(epsilon=1.0, sigma=1e-9, T=1, sensitivity=1.0) == random_iterate.epsilon_uniform(
        delta=1e-9, sigma=1e-9, T=1, sensitivity=1.0
    )


@pytest.mark.verify
@pytest.mark.parametrize("sampling", ["poisson", "without_replacement"])
def test_a_record_that_is_drawn_with_probability_delta_needs_no_noise_and_one_that_is_drawn_more_often_does(sampling):
    """1 - (1 - q)^T is how often it is drawn at all."""
    q, T = 1e-3, 4
    drawn = -math.expm1(T * math.log1p(-q))
    given = {"T": T, "q": q, "sensitivity": 1.0, "neighbours": "replace_one", "sampling": sampling}
    assert epsilon_subsampled(delta=drawn * (1 + 1e-12), sigma=0.05, **given) == 0.0
    assert sigma_subsampled(epsilon=1.0, delta=drawn * (1 + 1e-12), **given) == 0.0
    assert epsilon_subsampled(delta=drawn * 0.999, sigma=0.05, **given) > 0
    assert drawn <= delta_subsampled(epsilon=1.0, sigma=0.02, **given) <= drawn * (1 + 1e-12)


@pytest.mark.parametrize(("C", "n"), [(5e-324, 10), (1e308, 1)])
def test_a_sensitivity_that_leaves_floating_point_is_refused(C, n):
    with pytest.raises(ValueError, match=r"C = .*: the sensitivity overflows or underflows; a less extreme"):
        accounting.sensitivity(n, None, C, "full", "replace_one")
