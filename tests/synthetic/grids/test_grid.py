"""The exact grid engine equals `simulate` on the same draws, setting by setting."""

import csv
from pathlib import Path

import numpy as np
import pytest

from synthetic.draws import NOISE, generator
from synthetic.grids import first_order, zeroth_order
from synthetic.grids.first_order import Gradients, Samples
from synthetic.grids.grid import grid, grids, last_iterates
from synthetic.grids.settings import Measures, Settings
from synthetic.methods.dpzero import DPGD_0TH, KERNELS
from synthetic.objectives.sums import SPECTRA, quadratic
from synthetic.runs.simulate import simulate

METHODS = ("dpzero", "dpgd_0th", "dp_gd")
D, N = 13, 300
ALPHAS, HORIZONS, CLIPS = np.array([0.001, 0.003, 0.01, 0.1]), np.array([5, 20, 150]), np.array([0.3, 1.0, 3.0, 10.0, 100.0])
SIGMA = 3e-3 * np.outer(np.sqrt(HORIZONS), CLIPS)


def pair(spectrum, d=D, n=N):
    return quadratic(spectrum, d, n, seed=0), quadratic(spectrum, d, n, seed=1)


def by_simulation(method, objective, test, lam):
    """The four measures of every setting, one `simulate` each: the slow twin of the engine."""
    values = np.empty((4, len(ALPHAS), len(HORIZONS), len(CLIPS)))
    clipped = np.empty(values.shape[1:])
    for i, alpha in enumerate(ALPHAS):
        for j, T in enumerate(HORIZONS):
            for k, C in enumerate(CLIPS):
                run = simulate(KERNELS[method], objective, alpha=alpha, T=int(T), C=C, lam=lam, sigma=SIGMA[j, k], seed=3, threads=1)
                for m, (o, what) in enumerate(((objective, 1), (test, 1), (objective, 0), (test, 0))):
                    value, gradient = o.value_and_gradient(run.x[0])
                    values[m, i, j, k] = np.sqrt(gradient @ gradient) if what else value
                clipped[i, j, k] = run.clipped[0].mean()
    return values, clipped


@pytest.fixture(scope="module", params=SPECTRA)
def truth(request):
    """Simulations of every method with lam = 0.5: there the two-point difference of a quadratic is exact to rounding."""
    objective, test = pair(request.param)
    return objective, test, {method: by_simulation(method, objective, test, 0.5) for method in METHODS}


@pytest.mark.sample(8)
@pytest.mark.parametrize(("method", "few"), [("dpzero", 0), ("dpzero", 1000), ("dpgd_0th", 0), ("dpgd_0th", 1000), ("dp_gd", 0)])
def test_the_engine_equals_simulate_to_rounding(truth, method, few, monkeypatch):
    """By sorting and, for few settings, by summing.

    alpha d <= 2 keeps the zeroth-order steps from expanding, so rounding is not amplified; see the unstable case below.
    """
    monkeypatch.setattr(zeroth_order, "FEW", few)
    objective, test, found = truth
    values, clipped = found[method]
    assert clipped.min() == 0
    assert clipped.max() > 0.9
    assert np.any((clipped > 0.05) & (clipped < 0.95))
    g = grid(method, objective, test=test, alphas=ALPHAS, horizons=HORIZONS, clips=CLIPS, sigma=SIGMA, seed=3)
    for name, expected in zip(Measures.NAMES, values, strict=True):
        np.testing.assert_allclose(getattr(g, name), expected, rtol=1e-10)
    assert not g.dropped.any()


@pytest.mark.sample(9)
@pytest.mark.parametrize(("n", "d"), [(1, 1), (11, 3), (12, 16), (13, 17), (480, 5), (481, 8), (1000, 520), (2005, 33), (300, 1030)])
@pytest.mark.parametrize(("precision", "rtol"), [("double", 1e-11), ("single", 3e-4)])
@pytest.mark.parametrize("spectra", [1, 3])
def test_clipped_mean_gradients_equal_the_plain_sum(n, d, precision, rtol, spectra):
    """Any number of rows, coordinates and columns, shared ones (clipped at 1, all of them) and single ones, of several spectra."""
    rng = np.random.default_rng(n)
    a, centred = rng.uniform(0.1, 1.0, (spectra, d)), rng.standard_normal((n, d))
    centred -= centred.mean(axis=0)
    gradients = Gradients(Samples.from_centred(a, centred, precision), None)
    for columns in (1, 2, 5, 8, 13):
        E = rng.standard_normal((columns, d)) * rng.choice([0.1, 1.0, 30.0], (columns, 1))
        shared = rng.random(columns) < 0.5
        C = np.where(shared, 1.0, np.sqrt(d) * rng.choice([0.03, 0.5, 1.0, 3.0, 100.0], columns))
        of = rng.integers(spectra, size=columns)
        G, nearest = gradients(E, C, shared, of)
        for s in range(columns):
            difference = E[s] - centred * a[of[s]]
            norm = np.linalg.norm(difference, axis=1)
            weight = 1.0 / norm if shared[s] else np.minimum(1.0, C[s] / norm)
            np.testing.assert_allclose(G[s], weight @ difference / n, rtol=rtol, atol=rtol * np.mean(weight * norm))
            np.testing.assert_allclose(nearest[s], norm.min() if shared[s] else np.inf, rtol=rtol)


@pytest.mark.parametrize("method", ["dpzero", "dpgd_0th"])
def test_an_expanding_step_amplifies_rounding_but_not_the_first_steps(method):
    """alpha d = 13: each unclipped step multiplies an error by up to 12, in `simulate` as in the engine. Few steps still agree."""
    objective, _ = pair("flat")
    g = grid(method, objective, alphas=[1.0], horizons=[3], clips=[1e3], sigma=[[0.1]], seed=3)
    run = simulate(KERNELS[method], objective, alpha=1.0, T=3, C=1e3, lam=0.5, sigma=0.1, seed=3)
    np.testing.assert_allclose(g.grad_norm_train[0, 0, 0] ** 2, run.grad_norm_sq[0, -1], rtol=1e-10)


@pytest.mark.parametrize("method", METHODS)
def test_the_paper_lam_changes_only_rounding(method):
    """lam = 1e-4: the difference of two losses of size f loses f eps / lam, here 1e-10 in s; the engine has no such loss."""
    objective, _ = pair("inverse")
    g = grid(method, objective, alphas=[0.01], horizons=[50], clips=[1.0], sigma=[[0.01]], seed=3)
    run = simulate(KERNELS[method], objective, alpha=0.01, T=50, C=1.0, lam=1e-4, sigma=0.01, seed=3)
    np.testing.assert_allclose(g.grad_norm_train[0, 0, 0] ** 2, run.grad_norm_sq[0, -1], rtol=1e-8)


def test_float32_products_and_dropping_change_no_reported_value(truth):
    """What the figures report is the smallest value of each measure: single precision agrees to 1e-4, and its winner is the same."""
    objective, test, _ = truth
    common = {"test": test, "alphas": ALPHAS, "horizons": HORIZONS, "clips": CLIPS, "sigma": SIGMA, "seed": 3}
    exact = grid("dp_gd", objective, **common)
    quick = grid("dp_gd", objective, precision="single", prune=True, **common)
    assert quick.dropped.sum() >= 5
    for name in Measures.NAMES:
        all_values, kept = getattr(exact, name), getattr(quick, name)
        np.testing.assert_allclose(kept[~quick.dropped], all_values[~quick.dropped], rtol=1e-4)
        assert np.all(all_values[quick.dropped] > np.nanmin(kept))
        assert exact.best(name) == quick.best(name)


@pytest.mark.parametrize("spectrum", SPECTRA)
def test_float32_reported_values_at_the_figure_size(spectrum):
    """n = 10,000, d = 200, the paper's alphas, clips and noise, T up to 160: every value that is reported agrees to 1e-4."""
    objective, test = pair(spectrum, d=200, n=10_000)
    horizons, clips = np.array([10, 160]), np.array([0.1, 1.0, 3.0, 30.0])
    sigma = 1.07735e-3 * np.outer(np.sqrt(horizons), clips)
    common = {"test": test, "alphas": [1e-3, 0.03, 0.3, 1.0], "horizons": horizons, "clips": clips, "sigma": sigma, "seed": 3}
    exact = grid("dp_gd", objective, **common)
    quick = grid("dp_gd", objective, precision="single", **common)
    for name in Measures.NAMES:
        np.testing.assert_allclose(getattr(quick, name), getattr(exact, name), rtol=1e-4)
        assert exact.best(name) == quick.best(name)


@pytest.mark.sample(1)
@pytest.mark.parametrize("spectrum", SPECTRA)
def test_float32_fresh_runs_of_the_winners_agree(spectrum):
    """The settings that win at d = 200 in Figure 1, on fresh data: every measure agrees with float64 to 1e-4."""
    with (Path(__file__).parents[3] / "figures" / "gallery" / "dpzero-1.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["spectrum"] == spectrum and row["d"] == "200"]
    zeroth = [row for row in rows if row["method"] != "dp_gd"]
    settings = Settings(*(np.array([kind(row[name]) for row in zeroth]) for name, kind in
                          (("alpha", float), ("T", int), ("C", float), ("sigma", float))))  # fmt: skip
    assert len(settings) == 2
    objective, test = quadratic(spectrum, 200, 10_000, seed=2), quadratic(spectrum, 200, 10_000, seed=3)
    measures = Measures.from_objectives(objective, test)
    both = [last_iterates(("dpzero", "dpgd_0th"), objective, settings, seed=1, precision=p) for p in ("double", "single")]
    for method in ("dpzero", "dpgd_0th"):
        exact, quick = (measures.evaluate(found[method][0]) for found in both)
        won = [row["method"] == method for row in zeroth]  # the other method's winner is run along, and need not be stable
        np.testing.assert_allclose(quick[:, won], exact[:, won], rtol=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_threads_do_not_change_a_bit(method):
    objective, test = pair("inverse_sqrt", d=40, n=3000)
    common = {"test": test, "alphas": [0.01, 0.1, 1.0], "horizons": [3, 200], "clips": [0.3, 3.0, 10.0], "seed": 1}
    common["sigma"] = np.full((2, 3), 0.1)
    one, three = (grid(method, objective, threads=threads, **common) for threads in (1, 3))
    for name, array in one.arrays().items():
        np.testing.assert_array_equal(array, three.arrays()[name])


def test_methods_together_equal_methods_alone():
    objective, test = pair("inverse")
    common = {"test": test, "alphas": ALPHAS, "horizons": HORIZONS, "clips": CLIPS, "sigma": SIGMA, "seed": 3}
    together = grids(METHODS, objective, **common)
    for method in METHODS:
        np.testing.assert_allclose(together[method].loss_test, grid(method, objective, **common).loss_test, rtol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_replicates_use_their_own_draws(method):
    objective, _ = pair("inverse")
    settings = Settings(np.array([0.1, 0.01]), np.array([7, 30]), np.array([1.0, 3.0]), np.array([0.1, 0.2]))
    D = last_iterates((method,), objective, settings, seed=8, replicates=3)[method]
    for s in range(2):
        run = simulate(KERNELS[method], objective, alpha=settings.alpha[s], T=int(settings.T[s]), C=settings.C[s], lam=0.5,
                       sigma=settings.sigma[s], replicates=3, seed=8)  # fmt: skip
        np.testing.assert_allclose(D[:, s] + objective.optimum, run.x, rtol=1e-9, atol=1e-10)


def test_gaussian_directions_and_long_runs_across_segments():
    objective, _ = pair("inverse")
    g = grid("dpgd_0th", objective, alphas=[0.02], horizons=[300], clips=[5.0], sigma=[[0.05]], seed=2, direction="gaussian")
    run = simulate(DPGD_0TH, objective, alpha=0.02, T=300, C=5.0, lam=0.5, sigma=0.05, seed=2, direction="gaussian")
    np.testing.assert_allclose(g.grad_norm_train[0, 0, 0] ** 2, run.grad_norm_sq[0, -1], rtol=1e-10)


def test_the_bound_behind_dropping_is_a_lower_bound():
    """Random points in a ball never fall below `Measures.least` of the ball."""
    objective, test = pair("inverse_sqrt")
    measures, rng = Measures.from_objectives(objective, test), np.random.default_rng(0)
    D = rng.standard_normal((5, 13))
    for radius in (0.0, 0.3, 2.0, 3.5, 50.0):
        floor = measures.lower_bounds(D, np.full(5, radius))
        for _ in range(300):
            h = rng.standard_normal((5, 13))
            h *= radius * rng.random((5, 1)) / np.linalg.norm(h, axis=1, keepdims=True)
            assert np.all(measures.evaluate(D + h) >= floor - 1e-12)
        towards = measures.evaluate(D * (1 - np.minimum(radius / np.linalg.norm(D, axis=1, keepdims=True), 1)))
        assert np.all(towards >= floor - 1e-12)


def test_without_a_test_set_only_training_measures_are_known():
    objective, _ = pair("flat")
    g = grid("dpzero", objective, alphas=[0.1], horizons=[3], clips=[1.0], sigma=[[0.1]])
    assert np.all(np.isnan(g.grad_norm_test))
    assert np.all(np.isfinite(g.loss_train))
    assert g.best("loss_train") == (0, 0, 0)
    with pytest.raises(ValueError, match="measure = 'loss_test'"):
        g.best("loss_test")


def test_dropping_counts_the_steps_that_are_left(monkeypatch):
    """A column is dropped at t only where T - t steps of length alpha C, after the noise that is still to come, cannot reach the best."""
    objective, test = pair("inverse")
    z = generator(3, 0, NOISE).standard_normal((int(HORIZONS.max()), D))
    real, seen = first_order._provably_worse, []

    def spy(columns, t, horizons, sums, so_far, best, measures):
        np.testing.assert_allclose(so_far[0], z[:t].sum(axis=0), atol=1e-12)
        np.testing.assert_allclose(sums[0], [z[:T].sum(axis=0) for T in horizons], atol=1e-12)
        assert np.all(t < columns.T)
        found = real(columns, t, horizons, sums, so_far, best, measures)
        ahead = np.array([columns.spread[c] * z[t : columns.T[c]].sum(axis=0) for c in range(len(columns))])
        floor = measures.lower_bounds(columns.D - ahead, columns.step * columns.C * (columns.T - t))
        seen.append((t, int(found.sum())))
        np.testing.assert_array_equal(found, np.all(floor > best[0][:, None] * (1 + 1e-6), axis=0))
        return found

    monkeypatch.setattr(first_order, "_provably_worse", spy)
    g = grid("dp_gd", objective, test=test, alphas=ALPHAS, horizons=HORIZONS, clips=CLIPS, sigma=SIGMA, seed=3, prune=True)
    assert g.dropped.any()
    assert {5, 20, 32} <= {t for t, _ in seen}  # where settings end, and every 32 steps
    assert sum(count for _, count in seen) > 0


@pytest.mark.parametrize(("best", "dropped"), [(6.999, True), (7.001, False)])
def test_a_column_is_dropped_up_to_the_last_place_that_it_can_reach(best, dropped):
    """One coordinate at 10, four steps of at most 0.5 and noise that takes it by 1: it can end at 7."""
    measures = Measures(np.ones(1), np.zeros(1), 0.0, 0.0)
    one = np.ones(1)
    zero = np.array([0])
    columns = first_order.Columns(np.array([[10.0]]), 0.25 * one, 2.0 * one, one < 0, 0.5 * one, np.array([9]), zero, zero, [[0]])
    bests = np.array([[best, best, best**2 / 2, best**2 / 2]])
    found = first_order._provably_worse(columns, 5, np.array([5, 9]), np.array([[[0.3], [2.5]]]), np.array([[0.5]]), bests, measures)
    assert found.tolist() == [dropped]


def test_settings_that_differ_in_their_noise_alone_are_kept_apart():
    """The same alpha C and T, with sigmas a millionth and a half apart: each ends where it does alone."""
    objective, _ = pair("inverse")
    alpha, C, sigma = np.array([0.1, 0.05, 0.1, 0.1]), np.array([0.3, 0.6, 0.3, 0.3]), np.array([0.2, 0.4, 0.2 * (1 + 1e-6), 0.3])
    together = last_iterates(("dp_gd",), objective, Settings(alpha, np.full(4, 20), C, sigma), seed=2)["dp_gd"][0]
    for s in range(4):
        one = Settings(alpha[s : s + 1], np.array([20]), C[s : s + 1], sigma[s : s + 1])
        np.testing.assert_allclose(together[s], last_iterates(("dp_gd",), objective, one, seed=2)["dp_gd"][0, 0], rtol=1e-10, atol=1e-13)
    assert np.all(together[2] != together[0])


def test_a_grid_says_what_it_was_run_with():
    objective, test = pair("inverse")
    how = {"seed": 3, "direction": "gaussian", "precision": "single", "prune": True}
    found = grid("dp_gd", objective, test=test, alphas=ALPHAS[:1], horizons=HORIZONS[:1], clips=CLIPS[:1], sigma=[[0.1]], threads=1, **how)
    assert found.settings == {"objective": objective.name, "engine": "exact", **how}
