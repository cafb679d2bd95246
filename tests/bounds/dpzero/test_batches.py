"""The variant of DPZero's plans for batches: its privacy, the argument for its bound, and what is said of both."""

import itertools
import json
import math

import numpy as np
import pytest

import theory_lab as lab
from bounds.dpzero.batches import SAMPLINGS, batch_variance
from bounds.dpzero.recommend import METHODS, recommend
from bounds.dpzero.sharp_schedule import certified_bound_at
from bounds.privacy import accounting
from synthetic.methods.dpzero import KERNELS
from synthetic.runs.simulate import simulate

PROBLEM = {"n": 10_000, "d": 100, "r": 8.18, "epsilon": 4.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0}
SHARE = {"dpzero": 1.0, "dpgd_0th": 1 / 100, "dp_gd": 1 / 8.18}


def batches_with_probabilities(n, B, sampling):
    """Yield every batch of n samples with its probability."""
    for size in range(n + 1):
        for batch in itertools.combinations(range(n), size):
            if sampling == "poisson":
                yield batch, (B / n) ** size * (1 - B / n) ** (n - size)
            elif size == B:
                yield batch, 1 / math.comb(n, B)


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize(("n", "B"), [(4, 1), (4, 3), (5, 2), (6, 6)])
def test_a_batch_changes_a_mean_by_nothing_on_average_and_by_its_variance_at_most(n, B, sampling):
    """All batches are enumerated. C, -C, C, ... attains the bound, for batches of fixed size where their mean is 0."""
    drawn, C = list(batches_with_probabilities(n, B, sampling)), 1.5
    rng = np.random.default_rng(0)
    bound, squares = batch_variance(n, B, C, sampling), []
    for values in [*rng.uniform(-C, C, (5, n)), C * (-1.0) ** np.arange(n)]:
        change = [(sum(values[i] for i in batch) / B - values.mean(), probability) for batch, probability in drawn]
        assert abs(sum(one * probability for one, probability in change)) < 1e-12
        squares.append(sum(one**2 * probability for one, probability in change))
        assert squares[-1] <= bound + 1e-12
    if sampling == "poisson" or n % 2 == 0:
        assert squares[-1] == pytest.approx(bound, abs=1e-12)


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("method", METHODS)
def test_the_variant_has_the_noise_of_its_accountant_and_the_bound_that_is_argued(method, sampling):
    plan = recommend(method, **PROBLEM, T_max=300, batch_size=500, sampling=sampling)
    one = plan.batched
    assert one.sigma == accounting.sigma(4.0, 1e-6, one.T, 10_000, 500, one.C, sampling)
    release = one.release
    assert (release.neighbours, release.divisor, release.rate, release.sensitivity) == ("replace_one", 500, 0.05, 2 * one.C / 500)
    assert 3.99 < release.epsilon(1e-6) <= 4.0
    missing = 0.95 if sampling == "poisson" else 9500 / 9999
    whole = math.sqrt(one.sigma**2 + SHARE[method] * missing * one.C**2 / 500)
    theorem = next(word for word in plan.caveats[-1].split() if word.startswith("dpzero.sharp_"))
    at = {"alpha": one.alpha, "T": one.T, "C": one.C, "lam": 0.0 if math.isnan(one.lam) else one.lam}
    known = {name: PROBLEM[name] for name in ("d", "r", "L", "ell", "gap")}
    assert one.argued == pytest.approx(certified_bound_at(theorem, sigma=whole, **at, **known), rel=1e-9)
    assert plan.sharp.certified < one.argued < 1
    for alpha in (one.alpha / 2, one.alpha * 2):  # the schedule is for this noise and these batches
        assert certified_bound_at(theorem, sigma=whole, **{**at, "alpha": alpha}, **known) > one.argued


def test_the_variant_certifies_nothing_and_says_what_is_proved():
    plan, plain = recommend("dpzero", **PROBLEM, T_max=300, batch_size=500), recommend("dpzero", **PROBLEM, T_max=300)
    assert (plan.printed, plan.sharp, plan.caveats[: len(plain.caveats)]) == (plain.printed, plain.sharp, plain.caveats)
    assert plan.COLUMNS == ("printed", "sharp", "batched")
    assert plan.batched.sampling == "poisson"
    assert plan.certifies("batched") == "nothing"
    assert json.loads(plan.json())["batched"]["certified"] is None
    how, private, argued = plan.caveats[len(plain.caveats) :]
    assert "every record with probability q = 0.05" in how
    assert "divides the sum of their clipped vectors by 500. These numbers are public constants" in how
    assert "differ in one record that is exchanged for another" in how
    assert private == (
        f"Proved for the variant batched is privacy: with sigma = {plan.batched.sigma:.4g} all of x_0, ..., x_T may be published. It must "
        "stay secret which records are in a batch, and how many."
    )
    assert argued.startswith("Nothing is certified about the error of the variant batched: the theorems are for steps over all n samples.")
    assert f"and is {plan.batched.argued:.4g}. No proof page has this argument, so no checker has seen it." in argued
    assert {how, private, argued, plain.caveats[-1]} <= {*plan.batched.caveats}
    rows = {name: values for group in plan.rows() for name, *values in group}
    assert rows["batch_size"] == ["none", "none", 500]
    assert rows["argued for batches, not certified"][2] == plan.batched.argued
    assert "argued for batches" in plan.latex()
    assert math.isnan(rows["if the true L is twice as large"][2])


def test_fixed_batches_need_more_noise_and_larger_ones_have_a_smaller_bound():
    poisson, fixed = (recommend("dpzero", **PROBLEM, T_max=100, batch_size=500, sampling=one).batched for one in SAMPLINGS)
    assert fixed.sigma / fixed.C > 1.2 * poisson.sigma / poisson.C
    large = recommend("dpzero", **PROBLEM, T_max=100, batch_size=5_000).batched
    assert large.argued < poisson.argued


def test_where_nothing_is_better_than_the_start_there_is_no_schedule():
    plan = recommend("dpzero", **PROBLEM | {"n": 20}, batch_size=2)
    assert math.isnan(plan.batched.alpha)
    assert plan.batched.why_nothing() == "nothing"
    assert plan.batched.caveats[0].startswith("The variant batched has no schedule")
    with pytest.raises(ValueError, match="a variant batched without a schedule"):
        lab.simulate("dpzero", lab.cosine("flat", d=100, n=20, seed=0), plan=plan.batched)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"sampling": "poisson"}, "sampling = 'poisson': batch_size is needed with it"),
        ({"batch_size": 10, "sampling": "shuffled"}, "sampling = 'shuffled': one of poisson, without_replacement is needed"),
        ({"batch_size": 0}, "batch_size = 0: an integer of at least 1 is needed"),
        ({"batch_size": 10_001}, "batch_size = 10001: at most n = 10000 is needed"),
    ],
)
def test_wrong_batches_are_a_sentence(given, sentence):
    with pytest.raises(ValueError) as found:  # noqa: PT011
        recommend("dpzero", **PROBLEM, **given)
    assert str(found.value) == sentence


@pytest.mark.parametrize("method", METHODS)
def test_a_bound_that_forgets_the_batches_is_refuted_by_runs_and_that_with_them_is_not(method):
    """Hardly any noise, batches of one sample, a start at the smallest loss: what is left is what batches do.

    Means are taken as normal, at five standard errors.
    """
    start = lab.pseudo_huber("flat", d=4, n=60, seed=0)
    x0 = start.x0
    for _ in range(300):
        x0 = x0 - start.value_and_gradient(x0)[1]
    objective = lab.pseudo_huber("flat", d=4, n=60, seed=0, x0=x0)
    run = {"alpha": 0.05, "T": 400, "C": {"dpzero": 2.5, "dpgd_0th": 4.5, "dp_gd": 1.001}[method], "sigma": 1e-3, "lam": 1e-4}
    found = simulate(KERNELS[method], objective, **run, batch_size=1, sampling="poisson", replicates=40, seed=5)
    each = found.grad_norm_sq[:, :-1].mean(axis=1)
    error = each.std(ddof=1) / math.sqrt(each.size)
    key = {"dpzero": "dpzero.sharp_clip_bias", "dpgd_0th": "dpzero.sharp_dpgd_0th", "dp_gd": "dpzero.sharp_dp_gd"}[method]
    known = {name: objective.constants[name] for name in ("d", "r", "L", "ell")} | {"gap": 1e-9}
    added = {"dpzero": 1.0, "dpgd_0th": 1 / 4, "dp_gd": 1 / known["r"]}[method] * batch_variance(60, 1, run["C"], "poisson")
    forgets = certified_bound_at(key, **run, **known)
    whole = certified_bound_at(key, **{**run, "sigma": math.sqrt(run["sigma"] ** 2 + added)}, **known)
    assert each.mean() - 5 * error > forgets
    assert each.mean() + 5 * error < whole
    assert whole < 1
