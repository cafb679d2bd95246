"""Brackets of the least error among the settings of a grid in law, and what is judged by them."""

from dataclasses import replace

import numpy as np
import pytest

from paper_checks.dpzero.experiments import figures_in_distribution as f
from paper_checks.verdict import Outcome
from synthetic.distribution.quadratic import MEASURES, Conditions, final_measures
from synthetic.grids.settings import Settings
from synthetic.groups import group_eigenvalues

HOW = {"n": 10_000, "longest": 5120, "replicates": (16, 64), "seed": 0}


def test_ends_are_t_intervals_and_a_low_end_holds_for_heavy_tails():
    rng = np.random.default_rng(0)
    values = np.empty((4, 40, 3))
    values[:, :, 0] = rng.normal(5.0, 1.0, (4, 40))
    values[:, :, 1] = np.where(rng.random((4, 40)) < 0.1, 1e4, 4.0)  # a mean of 1000, near 4 but for a tenth
    values[:, :, 2] = np.inf
    low, mean, high = f.mean_intervals(values, 0.05)
    one = values[:, :, 0]
    half = 2.0226909 * one.std(axis=1, ddof=1) / np.sqrt(40)  # t-quantile at 97.5 %, 39 degrees of freedom
    np.testing.assert_allclose(np.stack([low, high])[:, :, 0], [one.mean(axis=1) - half, one.mean(axis=1) + half], rtol=1e-6)
    cut = np.minimum(values[:, :, 1], f.CAP * mean.min(axis=1)[:, None])
    half = 2.0226909 * cut.std(axis=1, ddof=1) / np.sqrt(40)
    np.testing.assert_allclose(low[:, 1], cut.mean(axis=1) - half, rtol=1e-6)
    assert np.all(low[:, 2] > 2.9 * mean.min(axis=1))  # cut off at three times the least
    assert np.all(np.isinf(high[:, 2]))
    assert np.all(np.isinf(mean[:, 2]))


def test_errors_are_the_measures_less_the_least_losses():
    settings = Settings(np.array([0.1, 9.0]), np.array([5, 300]), np.array([1.0, np.inf]), np.array([0.1, 0.1]))
    c = Conditions(group_eigenvalues("inverse", 6), 100, seed=3, replicates=20)
    found, whole = f.setting_errors("dpzero", settings, c), final_measures(("dpzero",), settings, c)["dpzero"]
    np.testing.assert_array_equal(found[:2, :, 0], whole[:2, :, 0])
    above = whole[2:, :, 0] - found[2:, :, 0]
    trace = group_eigenvalues("inverse", 6).trace
    assert np.all(found[:, :, 0] > 0)
    assert above.shape == (2, 20)
    np.testing.assert_allclose(above.mean(), trace / 2 * 0.99, rtol=0.05)  # E F_S^* = (1 - 1/n) Tr(A)/2; five standard errors
    assert np.all(np.isinf(found[:, :, 1]) | (found[:, :, 1] > 1e3))


@pytest.mark.parametrize("method", ["dpzero", "dp_gd"])
def test_the_bracket_holds_the_least_error_of_the_whole_grid(method, monkeypatch):
    """Every setting of a small grid with other draws: the least mean is within the bracket and its own error, four standard errors."""
    monkeypatch.setattr(f, "PAPER", replace(f.PAPER, horizons=(10, 40), alphas=(0.01, 0.1, 1.0), clips=(0.1, 1.0, 10.0)))
    f.least_errors.cache_clear()
    bracket = f.least_errors(method=method, spectrum="inverse", d=12, **HOW)
    f.least_errors.cache_clear()
    settings = Settings.product(*(np.array(one) for one in (f.PAPER.alphas, f.PAPER.horizons, f.PAPER.clips)), f.PAPER.sigma())
    values = f.setting_errors(method, settings, Conditions(group_eigenvalues("inverse", 12), 10_000, seed=99, replicates=400))
    mean, error = values.mean(axis=1), values.std(axis=1) / 20
    for k in range(4):
        best = int(mean[k].argmin())
        assert bracket[k].low - 4 * error[k, best] < mean[k, best] < bracket[k].high + 4 * error[k, best]
        assert bracket[k].low < bracket[k].value < bracket[k].high < 3 * bracket[k].value
        chosen = np.flatnonzero((settings.alpha == bracket[k].alpha) & (settings.T == bracket[k].T) & (settings.C == bracket[k].C))
        assert mean[k, chosen[0]] < mean[k, best] * 1.2


@pytest.fixture
def made_up(monkeypatch):
    """Let the least error have the given value at (method, spectrum, d), known to a percent."""

    def make(value):
        def least(*, method, spectrum, d, n, longest, replicates, seed):
            one = value(method, spectrum, d)
            return (f.LeastError(0.99 * one, one, 1.01 * one, 0.1, 10, 1.0),) * len(MEASURES)

        monkeypatch.setattr(f, "least_errors", least)

    return make


@pytest.mark.parametrize(("power", "outcome"), [(0.3, "REFUTED"), (0.202, "INCONCLUSIVE"), (0.1, "CONSISTENT")])
def test_nearly_independent_is_a_logarithm_at_most(made_up, power, outcome):
    made_up(lambda _method, _spectrum, d: d**power)
    found = f.check_dimension_exponent(method="dpzero", judged=("grad_norm_test", "grad_norm_train"), dimensions=(20, 2000), **HOW)
    assert found.outcome is Outcome[outcome]
    assert found.numbers["grad_norm_test"]["low"] < power < found.numbers["grad_norm_test"]["high"]
    assert ("more replicates would settle it" in found.sentence) is (outcome == "INCONCLUSIVE")


@pytest.mark.parametrize(("ratio", "outcome"), [(2.0, "REFUTED"), (1.5, "INCONCLUSIVE"), (1.4, "CONSISTENT"), (0.3, "CONSISTENT")])
def test_matching_is_a_ratio_of_three_halves(made_up, ratio, outcome):
    made_up(lambda method, _spectrum, d: ratio if method == "dpzero" and d == 200 else 1.0)
    found = f.check_errors_match(measure="grad_norm_test", dimensions=(20, 200), **HOW)
    assert found.outcome is Outcome[outcome]
    low, value, high = found.numbers["d = 200"]
    assert low < ratio == value < high


def test_the_best_is_below_everywhere_and_above_nowhere(made_up):
    arguments = {"measures": ("loss_train", "loss_test"), "dimensions": (20, 200), **HOW}
    made_up(lambda method, *_: 1.1 if method == "dpzero" else 1.0)
    assert f.check_best_method(**arguments).outcome is Outcome.CONSISTENT
    made_up(lambda method, spectrum, d: 0.9 if (method, spectrum, d) == ("dpzero", "inverse", 200) else 1.1 if method == "dpzero" else 1.0)
    assert f.check_best_method(**arguments).outcome is Outcome.REFUTED
    made_up(lambda *_: 1.0)
    assert f.check_best_method(**arguments).outcome is Outcome.INCONCLUSIVE


@pytest.mark.parametrize(("share", "outcome"), [(1.0, "CONSISTENT"), (0.9, "INCONCLUSIVE"), (0.5, "REFUTED"), (2.0, "REFUTED")])
def test_nowhere_is_at_the_start(made_up, share, outcome):
    made_up(lambda _method, spectrum, d: share * (np.sqrt(d) if spectrum == "flat" else np.sqrt(np.pi**2 / 6)))
    found = f.check_saturation(measure="grad_norm_test", dimension=10**9, spectra=("flat", "inverse"), **HOW)
    assert found.outcome is Outcome[outcome]


def test_one_spectrum_that_gets_somewhere_refutes(made_up):
    made_up(lambda _method, spectrum, d: np.sqrt(d) / 2 if spectrum == "flat" else np.sqrt(np.pi**2 / 6))
    found = f.check_saturation(measure="grad_norm_test", dimension=10**9, spectra=("inverse", "flat"), **HOW)
    assert found.outcome is Outcome.REFUTED
    np.testing.assert_allclose([found.witness["shares"][name][1] for name in ("flat", "inverse")], [0.5, 1.0], rtol=2e-3)


def test_the_worst_measure_decides(monkeypatch, made_up):
    made_up(lambda method, *_: 1.01 if method == "dpzero" else 1.0)  # the brackets meet
    assert f.check_best_method(measures=("loss_train",), dimensions=(20,), **HOW).outcome is Outcome.INCONCLUSIVE
    least = lambda *, d, **_: [f.LeastError(0.99 * d**power, d**power, 1.01 * d**power, 0.1, 10, 1.0) for power in (0.1, 0.202, 0.1, 0.1)]
    monkeypatch.setattr(f, "least_errors", least)
    found = f.check_dimension_exponent(method="dpzero", judged=("grad_norm_train", "grad_norm_test"), dimensions=(20, 2000), **HOW)
    assert found.outcome is Outcome.INCONCLUSIVE


def test_the_intervals_of_a_bracket_are_within_its_level_and_each_stage_has_its_draws(monkeypatch):
    levels, seeds, ends = [], [], f.mean_intervals
    monkeypatch.setattr(f, "setting_errors", lambda _, settings, c: seeds.append(c.seed) or np.ones((4, c.replicates, len(settings))))
    monkeypatch.setattr(f, "mean_intervals", lambda values, level: levels.append(level * values[:, 0].size) or ends(values, level))
    f.least_errors.__wrapped__(method="dpzero", spectrum="flat", d=5, **HOW)
    assert sum(levels) <= f.EACH
    assert len(set(seeds)) == 1 + len(levels) == 3


def test_brackets_of_a_claim_are_together_within_the_level():
    """No claim has more than 12 brackets: two methods, three spectra, two dimensions, each with all measures."""
    assert 12 * f.EACH < f.LEVEL
