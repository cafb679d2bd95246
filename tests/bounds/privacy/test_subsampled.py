"""Against the planner's values, against direct sums over outcomes for one and two steps, and against the exact full batch."""

import math
import subprocess
import sys

import numpy as np
import pytest

from bounds import privacy
from bounds.privacy import subsampled
from bounds.privacy.subsampled import delta_subsampled, epsilon_subsampled, sigma_subsampled

RELATIONS = ("add_or_remove_one", "replace_one")


def normal(o, mean):
    return np.exp(-((o - mean) ** 2) / 2) / math.sqrt(2 * math.pi)


def direct_delta(epsilon, *, sigma, T, q, sensitivity, neighbours):
    """sum max(p - e^epsilon p', 0) over a grid of outcomes of one or two steps, in units of sigma; the larger of both orders.

    p and p' are analytic, and the kink at p = e^epsilon p' costs the trapezoidal rule a relative error of order spacing^2: below 1e-4.
    """
    if neighbours == "replace_one":
        u, v = -sensitivity / sigma / 2, sensitivity / sigma / 2
    else:
        u, v = sensitivity / sigma, 0.0
    spacing = {1: 1e-4, 2: 2e-2}[T]
    o = np.arange(-9, 9 + max(abs(u), v), spacing)
    p, other = ((1 - q) * normal(o, 0) + q * normal(o, shift) for shift in (u, v))
    for _ in range(T - 1):
        p, other = np.multiply.outer(p, p), np.multiply.outer(other, other)
    return spacing**T * max(np.maximum(p - math.exp(epsilon) * other, 0).sum(), np.maximum(other - math.exp(epsilon) * p, 0).sum())


REFERENCES = [  # sigma, q, T, delta, epsilon: the planner's, which are add-or-remove at sensitivity 1
    (1.0, 0.01, 1000, 1e-6, 2.1245),
    (0.8, 0.005, 1000, 1e-6, 2.0041),
    (2.0, 0.05, 1000, 1e-6, 4.1626),
    (1.5, 0.04, 2250, 1e-5, 6.7688),
]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("sigma", "q", "T", "delta", "expected"), REFERENCES)
def test_planned_values(sigma, q, T, delta, expected):
    steps = {"delta": delta, "T": T, "q": q, "sensitivity": 1.0, "neighbours": "add_or_remove_one", "sampling": "poisson"}
    epsilon = epsilon_subsampled(sigma=sigma, **steps)
    assert epsilon == pytest.approx(expected, abs=5e-5 + 3e-5 * expected)  # their last digit, and our excess
    calibrated = sigma_subsampled(epsilon=expected, **steps)
    assert calibrated == pytest.approx(sigma, rel=2e-4)
    assert epsilon_subsampled(sigma=calibrated, **steps) <= expected


ONE_OR_TWO_STEPS = [  # sigma, q, T, delta
    (0.7, 0.05, 1, 1e-4),
    (0.3, 0.2, 1, 1e-3),
    (0.9, 0.3, 2, 1e-4),
]


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize(("sigma", "q", "T", "delta"), ONE_OR_TWO_STEPS)
def test_least_epsilon_by_direct_sums(sigma, q, T, delta, neighbours):
    steps = {"sigma": sigma * 0.02, "T": T, "q": q, "sensitivity": 0.02, "neighbours": neighbours}
    sampling = {"sampling": "poisson"}

    def right(epsilon):
        return direct_delta(epsilon, **steps) <= delta * (1 + 1e-4) and direct_delta(epsilon * (1 - 1e-3), **steps) > delta

    assert right(epsilon_subsampled(delta=delta, **steps, **sampling))
    for lie in (0.5, 2.0):
        assert not right(epsilon_subsampled(delta=delta, **(steps | sampling | {"sensitivity": 0.02 * lie})))
    other = next(r for r in RELATIONS if r != neighbours)
    assert not right(epsilon_subsampled(delta=delta, **(steps | sampling | {"neighbours": other})))


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize(("epsilon", "delta", "T", "q"), [(0.3, 1e-5, 50, 0.1), (3.0, 1e-6, 1, 0.02), (12.0, 1e-3, 300, 0.3)])
def test_sigma_and_epsilon_are_inverse_on_the_private_side(epsilon, delta, T, q, neighbours):
    steps = {"delta": delta, "T": T, "q": q, "sensitivity": 0.05, "neighbours": neighbours, "sampling": "poisson"}
    sigma = sigma_subsampled(epsilon=epsilon, **steps)
    assert epsilon * (1 - 1e-3) < epsilon_subsampled(sigma=sigma, **steps) <= epsilon
    assert epsilon_subsampled(sigma=sigma * 0.999, **steps) > epsilon
    assert sigma < privacy.sigma_gaussian(epsilon=epsilon, delta=delta, T=T, sensitivity=0.05)


@pytest.mark.parametrize("neighbours", RELATIONS)
def test_full_batch_is_exact_and_the_limit(neighbours):
    steps = {"delta": 1e-5, "T": 20, "sensitivity": 0.3, "neighbours": neighbours, "sampling": "poisson"}
    exact = privacy.epsilon_gaussian(delta=1e-5, sigma=1.0, T=20, sensitivity=0.3)
    assert epsilon_subsampled(sigma=1.0, q=1, **steps) == exact
    assert sigma_subsampled(epsilon=exact, q=1.0, **steps) == privacy.sigma_gaussian(epsilon=exact, delta=1e-5, T=20, sensitivity=0.3)
    assert epsilon_subsampled(sigma=1.0, q=1 - 1e-9, **steps) == pytest.approx(exact, rel=1e-4)


def test_monotone_in_every_argument():
    base = {"delta": 1e-5, "sigma": 1.0, "T": 50, "q": 0.1, "sensitivity": 1.0, "neighbours": "replace_one", "sampling": "poisson"}
    here = epsilon_subsampled(**base)
    for name, value in (("delta", 1e-6), ("sigma", 0.9), ("T", 60), ("q", 0.12), ("sensitivity", 1.1)):
        assert epsilon_subsampled(**(base | {name: value})) > here, name


def test_replacing_costs_at_least_one_removal_and_at_most_two():
    steps = {"sigma": 1.0, "T": 100, "q": 0.05, "sampling": "poisson"}
    clip = 1.0
    replaced = epsilon_subsampled(delta=1e-5, sensitivity=2 * clip, neighbours="replace_one", **steps)
    removed = epsilon_subsampled(delta=1e-5, sensitivity=clip, neighbours="add_or_remove_one", **steps)
    # remove, then add, is a replacement: (e, d) twice gives (2e, (1 + e^e) d)
    fine = epsilon_subsampled(delta=1e-5 / (1 + math.exp(removed * 1.5)), sensitivity=clip, neighbours="add_or_remove_one", **steps)
    assert fine <= removed * 1.5
    assert removed < replaced <= 2 * fine


@pytest.mark.parametrize("q", [0.05, 0.5, 1.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.5])
def test_no_other_pair_of_records_is_worse(q, epsilon):
    """The proof in the module's docstring, attacked: pairs u, v in the unit disc against u = (-1, 0), v = (1, 0), at sigma = 1."""
    o = np.linspace(-6, 6, 201)
    across, along = np.meshgrid(o, o, indexing="ij")
    grid_error = 5e-4  # of the kink where the integrand becomes positive

    def delta(u, v):
        zero, at_u, at_v = (normal(across, a) * normal(along, b) for a, b in ((0, 0), u, v))
        gain = (1 - q) * zero + q * at_u - math.exp(epsilon) * ((1 - q) * zero + q * at_v)
        return np.maximum(gain, 0).sum() * (o[1] - o[0]) ** 2

    def in_disc(radius, turn):
        return radius * math.cos(turn), radius * math.sin(turn)

    worst = delta((-1, 0), (1, 0))
    rng = np.random.default_rng(0)
    for radii, turns in zip(np.minimum(rng.uniform(0, 2, (40, 2)), 1), rng.uniform(0, 2 * math.pi, (40, 2)), strict=True):
        assert delta(*map(in_disc, radii, turns)) <= worst + grid_error
    if q == 1:
        assert worst == pytest.approx(privacy.delta_gaussian(epsilon=epsilon, sigma=1.0, T=1, sensitivity=2.0), abs=grid_error)
        assert delta((-1.1, 0), (1.1, 0)) > worst + grid_error  # the attack would have seen a worse pair


def test_a_record_hardly_ever_sampled_needs_no_noise():
    steps = {"delta": 1e-3, "T": 9, "q": 1e-4, "sensitivity": 1.0, "neighbours": "replace_one", "sampling": "poisson"}
    assert sigma_subsampled(epsilon=0.1, **steps) == 0.0
    assert epsilon_subsampled(sigma=0.01, **steps) == 0.0
    assert sigma_subsampled(epsilon=0.1, **(steps | {"T": 100})) > 0.0


GOOD = {
    "epsilon": 1.0,
    "sigma": 1.0,
    "delta": 1e-5,
    "T": 10,
    "q": 0.1,
    "sensitivity": 1.0,
    "neighbours": "replace_one",
    "sampling": "poisson",
}
BAD = {
    "epsilon": (0.0, -1.0, math.nan),
    "sigma": (0.0, math.inf),
    "delta": (0.0, 1.0, 1e-150),
    "T": (0, 1.5),
    "q": (0.0, 1.1, -0.1, math.nan, True),
    "sensitivity": (0.0, -1.0),
    "neighbours": ("replace", None),
    "sampling": ("full", None),
}


FUNCTIONS = [(epsilon_subsampled, "epsilon"), (sigma_subsampled, "sigma"), (delta_subsampled, "delta")]


@pytest.mark.parametrize(("function", "absent"), FUNCTIONS)
def test_bad_input_is_named(function, absent):
    good = {k: v for k, v in GOOD.items() if k != absent}
    for name in good:
        for value in BAD[name]:
            if (absent, name, value) == ("delta", "epsilon", 0.0):
                continue  # delta at 0 is the distance in total variation
            with pytest.raises(ValueError, match=rf"^{name} = "):
                function(**(good | {name: value}))


@pytest.mark.parametrize(("function", "absent"), FUNCTIONS)
@pytest.mark.parametrize(
    ("missing", "allowed"), [("neighbours", "add_or_remove_one, replace_one"), ("sampling", "poisson, without_replacement")]
)
def test_relation_and_sampling_have_no_default(missing, allowed, function, absent):
    given = {name: value for name, value in GOOD.items() if name not in (absent, missing)}
    with pytest.raises(TypeError, match=f"^{missing} is missing: .* are needed; {missing} is one of {allowed}$"):
        function(**given)


def test_scipy_is_imported_late_and_no_other_accountant_is():
    code = "import sys, bounds.privacy.subsampled; sys.exit('scipy' in sys.modules or 'dp_accounting' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("sampling", ["poisson", "without_replacement"])
def test_what_rounding_may_cost_is_on_the_private_side(sampling, monkeypatch):
    """The noise is taken smaller, and batches larger."""
    made, split = [], subsampled.discretise_pair

    def record(pair, mu, q, reach):
        made.append((mu, q))
        return split(pair, mu, q, reach)

    monkeypatch.setattr(subsampled, "discretise_pair", record)
    steps = {"T": 10, "q": 0.1, "sensitivity": 2.0 if sampling == "poisson" else 1.0, "neighbours": "replace_one", "sampling": sampling}
    epsilon_subsampled(delta=1e-5, sigma=1.0, **steps)
    assert len(made) == 1
    assert all(1 < mu < 1 + 1e-14 and 0.1 < q < 0.1 * (1 + 1e-14) for mu, q in made)


@pytest.mark.parametrize("neighbours", RELATIONS)
def test_below_and_near_another_accountant(neighbours):
    """dp-accounting's privacy loss distributions are upper bounds by other arithmetic, here on a grid that adds some 1e-4."""
    from dp_accounting import NeighboringRelation
    from dp_accounting.pld import privacy_loss_distribution

    replace = neighbours == "replace_one"
    loss = privacy_loss_distribution.from_gaussian_mechanism(
        standard_deviation=1.3,
        sensitivity=1.0,
        sampling_prob=0.02,
        value_discretization_interval=5e-4,
        neighboring_relation=NeighboringRelation.REPLACE_ONE if replace else NeighboringRelation.ADD_OR_REMOVE_ONE,
    ).self_compose(300)
    steps = {"sigma": 1.3, "T": 300, "q": 0.02, "sensitivity": 2.0 if replace else 1.0, "neighbours": neighbours, "sampling": "poisson"}
    for delta in (1e-3, 1e-6, 1e-9):
        other = loss.get_epsilon_for_delta(delta)
        assert other * (1 - 1e-3) < epsilon_subsampled(delta=delta, **steps) < other * (1 + 1e-4)
