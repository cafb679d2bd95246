"""The figures of DP-GRAPE: their laws against closed forms, brute force and plain sampling; their cells against slow twins."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate, stats

from bounds.privacy.subsampled import epsilon_subsampled
from bounds.strict_json import strict_json
from figures import experiments
from figures.dp_grape import digits, projection, rate
from figures.dp_grape.projection import NoisyLowRank
from synthetic.methods.dp_grape import DP_ADAM
from synthetic.objectives.matrices import digits_network
from synthetic.runs.simulate import simulate
from synthetic.sweeps.store import Store
from tests.figures.gauss_psgd.test_figures import Here
from tests.figures.shown import seeds_asked

PARTS = (rate.RATE, rate.SUBSPACE, projection.SPECTRUM, projection.DIRECTION)
TINY = {
    "grape-rate": rate.RateExperiment(dimensions=(16, 64), d=16, budgets=(300.0, 600.0, 1200.0), budget=600.0, most=3e4, replicates=3),
    "grape-subspace": rate.SubspaceExperiment(
        rows=8, columns=3, r=2, stays=(1, 5, 20), wide=8, ranks=(1, 4), stay=5, subspaces=(1, 3), replicates=4, wide_replicates=3
    ),
    "grape-spectrum": projection.SpectrumExperiment(
        m=20, batch=30, rank=4, shown=8, replicates=2, low=5, long=9, factors=(0.5, 2.0), pairs=3
    ),
    "grape-direction": projection.DirectionExperiment(m=16, rank=2, ranks=(2, 4), snrs=(0.1, 1.0), replicates=3),
}


@pytest.fixture
def here(monkeypatch):
    """Cells run in this process, and are counted."""
    from synthetic.sweeps import sweep

    executor, whole = Here(), sweep.run
    monkeypatch.setattr(experiments, "run", lambda cells, store, pool=None, **how: whole(cells, store, executor, **how))
    return executor


@pytest.mark.sample(2)
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.NAME)
def test_data_resume_from_the_store_and_another_seed_is_another_experiment(part, here, tmp_path):
    tiny = TINY[part.NAME]
    with Store(tmp_path / "a.sqlite") as store:
        record = part.data(tiny, store)
        first = part.table(record)
        computed = here.cells
        assert repr(part.table(part.data(tiny, store))) == repr(first)
        assert computed == here.cells > 0
        other = part.table(part.data(replace(tiny, seed=1), store))
        assert here.cells == 2 * computed
    assert repr(other) != repr(first)
    assert json.loads(strict_json(part.provenance(record)))["figure"] == part.NAME
    assert len({tuple(row) for row in first}) == 1


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.NAME)
def test_no_two_cells_of_a_figure_share_a_seed(part, monkeypatch):
    seeds = seeds_asked(monkeypatch, experiments, part, part.PREVIEW)
    assert len(seeds) == len(set(seeds)) > 2


# --- a low-rank matrix in Gaussian noise ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("ratio", [1.0, 0.25, 0.7])
def test_the_bulk_is_that_of_marchenko_and_pastur(ratio):
    """By SciPy's quadrature of the density of the squared singular values."""
    low, high = (1 - math.sqrt(ratio)) ** 2, (1 + math.sqrt(ratio)) ** 2

    def above(y):
        density = lambda t: math.sqrt(max((high - t * t) * (t * t - low), 0.0)) / (math.pi * ratio * t)
        return integrate.quad(density, y, math.sqrt(high), limit=200)[0]

    y, share = NoisyLowRank(ratio).top()
    assert share[-1] == pytest.approx(1, abs=1e-6)
    for k in (125, 750, 2500, 3750):
        assert share[k] == pytest.approx(above(y[k]), abs=1e-5)
    np.testing.assert_allclose(NoisyLowRank(ratio).values(share[[125, 2500]]), y[[125, 2500]], rtol=1e-6)
    assert NoisyLowRank(ratio).edge == pytest.approx(math.sqrt(high))


@pytest.mark.parametrize("theta", [0.3, 0.69, 1.0, 2.5])
def test_all_of_a_vector_lies_in_all_of_the_space(theta):
    assert NoisyLowRank(1.0).captured_length(theta, 1.0) == pytest.approx(1, abs=3e-4)
    assert NoisyLowRank(0.3).captured_length(theta, 1.0) == pytest.approx(1, abs=1e-4)
    assert NoisyLowRank(0.3).captured_length(1e-6, 0.4) == pytest.approx(0.4, abs=1e-6)


@pytest.mark.parametrize("factor", [0.6, 1.6, 3.0])
def test_the_laws_of_outliers_against_singular_values_of_a_large_matrix(factor):
    """The mean of four matrices of 150 x 300; what a limit leaves at 150 rows is some percent."""
    m, n = 150, 300
    bulk, rng, share, found = NoisyLowRank(m / n), np.random.default_rng(5), 0.3, []
    theta, top = factor * bulk.threshold, round(share * m) + (factor > 1)
    for _ in range(4):
        noisy = rng.standard_normal((m, n))
        noisy[0, 0] += factor * (m * n) ** 0.25
        left, values, right = np.linalg.svd(noisy, full_matrices=False)
        found.append([left[0, 0] ** 2, right[0, 0] ** 2, np.sum(left[0, :top] ** 2), *values])
    of_left, of_right, captured, *values = np.mean(found, axis=0)
    np.testing.assert_allclose([of_left, of_right], [float(v) for v in bulk.squared_cosines(theta)], atol=0.06)
    assert bulk.captured_length(theta, share) == pytest.approx(captured, abs=0.08)
    if factor > 1:
        assert values[0] / math.sqrt(n) == pytest.approx(bulk.outlier_value(np.array(theta)), rel=0.02)
    np.testing.assert_allclose(np.array(values[20:140:20]) / math.sqrt(n), bulk.values((np.arange(m) + 0.5)[20:140:20] / m), rtol=0.02)


# --- cells against slow twins -----------------------------------------------------------------------------------------------------------
def test_the_noised_means_are_those_of_samples_clipped_one_by_one():
    m, batch, signal, spread, logsd = 5, 7, [0.9, 0.3], 1.3, 0.6
    found = projection.spectrum_cell(m=m, batch=batch, signal=signal, spread=spread, logsd=logsd, shown=5, seed=3)
    rng = np.random.default_rng(3)
    drawn = rng.standard_normal((2, batch, m))
    rho, noise = np.exp(logsd * rng.standard_normal(batch)), rng.standard_normal((m, m))
    G = np.zeros((m, m))
    G[0, 0], G[1, 1] = signal
    for k, (C, multiplier) in enumerate(projection.SETTINGS):
        total, kept, square = np.zeros((m, m)), 0.0, 0.0
        for u, v, scale in zip(*drawn, rho, strict=True):
            one = scale * (G + spread * np.outer(u / np.linalg.norm(u), v / np.linalg.norm(v)))
            clip = min(1.0, C / np.linalg.norm(one)) if C else 1.0
            total, kept, square = total + clip * one, kept + clip * scale, square + (clip * scale) ** 2
        values = np.linalg.svd((total + C * multiplier * noise) / batch, compute_uv=False)
        np.testing.assert_allclose(found["values"][0, k], values, rtol=1e-9, atol=1e-12)
        assert (found["kept"][0, k], found["square"][0, k]) == pytest.approx((kept / batch, square / batch))


def test_the_overlaps_are_those_of_one_planted_direction():
    found = projection.overlap_cell(m=4, n=6, factor=50.0, replicates=3, seed=0)
    assert min(found["left"].min(), found["right"].min()) > 0.99
    below = projection.overlap_cell(m=40, n=60, factor=0.1, replicates=40, seed=0)
    assert below["left"].mean() < 4 / 40  # uniform: 1/40, mean of 40 with deviation sqrt 2 / 40 each


def test_cosines_without_noise_are_those_of_the_projections():
    """At snr = 1e9: DP-SGD and the SVD have the gradient, a uniform subspace has a cosine of sqrt(share), DP-GRAPE |P'G|^2 / |PP'G|."""
    found = projection.direction_cell(m=24, rank=2, ranks=[2, 6], snr=1e9, replicates=150, seed=1)
    for name in ("sgd", "earlier"):
        np.testing.assert_allclose(found[name], 1.0, rtol=1e-6)
    for j, r in enumerate((2, 6)):
        limits = {"random": math.sqrt(r / 24), "grape": math.sqrt(r / (24 + r + 1))}
        for name, value in limits.items():
            assert found[name][:, j].mean() == pytest.approx(value, rel=0.08)  # a ratio of means, of 24 rows


def test_the_laws_of_the_cosines_are_those_of_the_specified_case():
    """m = n = 128, r = 8, rank 4: at snr 0.1 and 1 DP-SGD .100 and .707, DP-GRAPE .092 and .235, naive SVD at 1: .955."""
    e = projection.DirectionExperiment()
    assert [e.predicted_cosine("sgd", 8, snr) for snr in (0.1, 1.0)] == pytest.approx([1 / math.sqrt(101), math.sqrt(0.5)])
    assert [e.predicted_cosine("grape", 8, snr) for snr in (0.1, 1.0)] == pytest.approx([(137 / 8 + 100) ** -0.5, (137 / 8 + 1) ** -0.5])
    assert e.predicted_cosine("random", 8, 0.1) == pytest.approx(math.sqrt(8 / 128 / 101))
    assert e.predicted_cosine("earlier", 8, 1.0) == pytest.approx(0.955, abs=0.002)
    assert e.predicted_cosine("earlier", 8, 1e-3) == pytest.approx(e.predicted_cosine("random", 8, 1e-3), rel=1e-3)
    drawn = projection.direction_cell(m=128, rank=4, ranks=[8], snr=0.3, replicates=10, seed=2)
    for name in projection.UPDATES:  # 4.5 standard errors, and 3 % for what a ratio of means and 128 rows leave
        error, law = drawn[name].std(ddof=1) / math.sqrt(10), e.predicted_cosine(name, 8, 0.3)
        assert abs(drawn[name].mean() - law) < 4.5 * error + 0.03 * law


def test_a_ratio_of_means_covers_as_often_as_it_says():
    """200 intervals of 95 %: at most 20 miss, which happens to a right one with probability 0.1 %."""
    rng, missed = np.random.default_rng(0), 0
    for _ in range(200):
        b = 1 + 0.3 * rng.standard_normal(60)
        one = projection.ratio_of_means(2 * b + 0.5 * rng.standard_normal(60), b)
        missed += not one.low <= 2 <= one.high
    assert stats.binom.sf(20, 200, 0.05) < 2e-3
    assert 0 < missed <= 20


# --- runs on quadratics -----------------------------------------------------------------------------------------------------------------
def recursion(T, alpha, kappa, sigma, d, start):
    """The mean square of the error of an isotropic quadratic with h = 1, step by step."""
    e = [start]
    for _ in range(T):
        e.append(e[-1] * (1 - 2 * alpha + alpha**2 * kappa) + alpha**2 * sigma**2 * d)
    return np.array(e)


@pytest.mark.parametrize(("kind", "r", "kappa"), [("none", 1, 1.0), ("left", 2, (4 + 3) / 2), ("flattened", 3, (24 + 4) / 3)])
def test_averages_of_runs_are_those_of_the_recursion(kind, r, kappa):
    """Within four standard errors: false alarms 6e-5 a kind."""
    T, alpha, sigma = 30, 0.3 / kappa, 0.2
    run = {"alpha": alpha, "T": T, "sigma": sigma} | ({} if kind == "none" else {"r": r})
    found = rate.quadratic_cell(projection=kind, m=4, columns=6, run=run, replicates=400, seed=3, times=(0, T))
    wanted = recursion(T, alpha, kappa, sigma, 24, 1.0)
    np.testing.assert_allclose(found["at"][:, 0], 1.0)
    for values, value in ((found["mean"], wanted[:-1].mean()), (found["at"][:, 1], wanted[-1])):
        assert abs(values.mean() - value) < 4 * values.std(ddof=1) / math.sqrt(len(values))


def test_a_subspace_that_stays_leaves_what_is_orthogonal_to_it():
    run = {"alpha": 0.1, "T": 600, "sigma": 0.0, "r": 2, "F": 200, "side": "left"}
    found = rate.quadratic_cell(projection="left", m=8, columns=4, run=run, replicates=300, seed=0, times=(200, 400, 600))["at"]
    for k, values in enumerate(found.T, start=1):
        assert abs(values.mean() - 0.75**k) < 4 * values.std(ddof=1) / math.sqrt(300)


@pytest.mark.parametrize(("d", "value"), [(64, 0.0282), (256, 0.0561), (1024, 0.1105), (4096, 0.2146)])
def test_the_best_averages_are_the_same_for_all_methods(d, value):
    for kind, r in rate.METHODS:
        assert rate.best_schedule(kind, r, d, 3000.0)[1].value == pytest.approx(value, rel=0.005)
    assert rate.asymptotic_best(d, 3000.0)[0] * (1 - 0.1) == pytest.approx(
        2 * math.sqrt(2) * math.sqrt(2) * math.sqrt(0.5 * d * math.log(1e5)) / 3000
    )


def test_the_best_T_is_that_of_a_search_and_grows_with_kappa():
    kappas = {("none", 1): 1.0, ("left", 1): 34.0, ("left", 4): 37 / 4, ("flattened", 1): 1026.0, ("flattened", 4): 1029 / 4}
    for method, kappa in kappas.items():
        found, one = rate.best_schedule(*method, 1024, 3000.0)
        assert found == pytest.approx(kappa)
        assert one.alpha == pytest.approx(0.2 / kappa)
        assert one.T == pytest.approx(rate.asymptotic_best(1024, 3000.0)[1] * kappa / 0.2, rel=0.02)
    T = range(20, 90)
    values = [recursion(t, 0.2, 1.0, rate.step_noise(3000.0) * math.sqrt(t), 1024, 1.0)[:-1].mean() for t in T]
    one = rate.best_schedule("none", 1, 1024, 3000.0)[1]
    assert (one.T, one.value) == (T[int(np.argmin(values))], pytest.approx(min(values)))


@pytest.mark.parametrize(
    ("make", "given", "sentence"),
    [
        (rate.RateExperiment, {"dimensions": (64, 65)}, "d = 65: the square of an integer"),
        (rate.RateExperiment, {"budget": -1.5}, "budget = -1.5"),
        (rate.SubspaceExperiment, {"stays": (0, 3)}, "stays has the entry 0.0"),
        (projection.SpectrumExperiment, {"rank": 99}, "rank = 99, shown = 64"),
        (projection.DirectionExperiment, {"ranks": (2, 8)}, "ranks = (2, 8): at least two numbers from rank = 4"),
    ],
)
def test_an_experiment_that_cannot_be_meant_is_one_sentence(make, given, sentence):
    with pytest.raises(ValueError, match="^" + sentence.replace("(", r"\(").replace(")", r"\)")):
        make(**given)


# --- digits -----------------------------------------------------------------------------------------------------------------------------
DIGITS = digits.Experiment(epsilons=(1.0, 3.0), epochs=3, q=0.25, Cs=(0.5, 2.0), alphas=(0.01, 0.1), search_replicates=2, replicates=4)


def test_what_is_searched_is_chosen_on_images_held_out_and_run_afresh(monkeypatch):
    """The arrays are made up: on the test images another setting than the chosen one is best."""
    asked, monkey = {}, {}

    def compute(words, cells, store, **_):
        stage, _, number = words.partition(" (stage ")
        assert number == f"{1 + len(asked)} of 2)"
        asked[stage] = cells
        for k, (key, group) in enumerate(cells.items()):
            runs = len(group[0].arguments["seeds"])
            good = key[1:] == (2.0, 0.01) if key[0] == "dp_grape" else key[1:] == (0.5, 0.1)
            monkey[stage, key] = {"test": 0.1 * k + 0.01 * np.arange(runs), "held_out": np.full(runs, 0.9 if good else 0.1 + 0.01 * k)}
        return {key: monkey[stage, key] for key in cells}

    monkeypatch.setattr(experiments, "compute_groups", compute)
    record = digits.data(DIGITS, None)
    search, final = asked["search"], asked["digits"]
    assert len(search) == 3 * 4
    for (method, C, alpha), (cell,) in search.items():
        run = cell.arguments["run"]
        assert (run["C"], run["alpha"], run["T"], run["batch_size"], cell.arguments["n"]) == (C, alpha, 12, 280, 1120)
        spent = epsilon_subsampled(
            delta=1e-5, sigma=run["sigma"], T=12, q=280 / 1120, sensitivity=C / 280, neighbours="add_or_remove_one", sampling="poisson"
        )
        assert spent == pytest.approx(2.0, rel=2e-3)
        assert spent <= 2.0
        assert ("r" in run) == (method != "dp_adam")
    chosen = {"dp_adam": (0.5, 0.1), "dp_grape": (2.0, 0.01), "dp_galore": (0.5, 0.1)}
    for (method, epsilon), (cell,) in final.items():
        run = cell.arguments["run"]
        assert (cell.arguments["n"], run["batch_size"]) == (1400, 350)
        if epsilon is None:
            assert (run["sigma"], run["C"], run["alpha"]) == (0.0, 1e100, 0.1)
            continue
        assert (run["C"], run["alpha"]) == chosen[method]
        spent = epsilon_subsampled(
            delta=1e-5, sigma=run["sigma"], T=12, q=0.25, sensitivity=run["C"] / 350, neighbours="add_or_remove_one", sampling="poisson"
        )
        assert epsilon * (1 - 2e-3) < spent <= epsilon
    seeds = {stage: {tuple(cell.arguments["seeds"]) for (cell,) in cells.values()} for stage, cells in asked.items()}
    assert {stage: len(one) for stage, one in seeds.items()} == {"search": 1, "digits": 1}  # all methods share them
    assert not {*next(iter(seeds["search"]))} & {*next(iter(seeds["digits"]))}
    for p in record.points_with(panel="difference"):
        key = p["method"], p["epsilon"]
        apart = monkey["digits", key]["test"] - monkey["digits", ("dp_adam", p["epsilon"])]["test"]
        assert p["value"].value == pytest.approx(apart.mean())
    assert {(p["method"], p["C"], p["alpha"]) for p in record.points_with(panel="search", chosen=True)} == {
        (m, *one) for m, one in chosen.items()
    }
    assert len(record.points_with(panel="accuracy")) == 7


def test_images_held_out_are_those_that_were_not_trained_on():
    """Their accuracy and that of the test images, by the network written out."""
    run = {"alpha": 0.05, "T": 3, "C": 1.0, "sigma": 0.001, "batch_size": 100}
    found = digits.digits_cell(method="dp_adam", hidden=4, n=1300, run=run, seeds=[3, 8])
    part, whole = digits_network(hidden=4, n=1300, seed=8), digits_network(hidden=4, seed=8)
    np.testing.assert_array_equal(part.train.data, whole.train.data[:1300])
    np.testing.assert_array_equal(part.train.x0, whole.train.x0)
    x = simulate(DP_ADAM, part.train, **run, sampling="poisson", seed=8).x[0]
    W, b, V, c = x[:256].reshape(4, 64), x[256:260], x[260:300].reshape(10, 4), x[300:]
    for name, rows in (("test", whole.test.data), ("held_out", whole.train.data[1300:])):
        right = [np.argmax(V @ np.tanh(W @ row[:64] + b) + c) == row[64] for row in rows]
        assert found[name][1] == pytest.approx(np.mean(right))
    assert np.isnan(digits.digits_cell(method="dp_adam", hidden=4, n=1400, run=run, seeds=[3])["held_out"]).all()
