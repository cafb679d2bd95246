"""Every kernel equals its slow twin step by step on the same draws."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from synthetic.draws import BATCHES, DIRECTIONS, NOISE, OUTPUT, draw_directions, generator
from synthetic.methods.dpzero import DP_GD, DPZERO, KERNELS, MEZO
from synthetic.objectives.sums import quadratic
from synthetic.runs.simulate import simulate
from tests.reference import dpzero as naive

D, N, T = 6, 9, 12


def draws(method, seed, replicate, direction):
    u = draw_directions(generator(seed, replicate, DIRECTIONS), T, D, direction)
    z = generator(seed, replicate, NOISE).standard_normal(T if method == "dpzero" else (T, D))
    return u, z


def twin(method, objective, samples, *, alpha, C, sigma, lam, seed, replicate, direction="sphere", **batches):
    a = objective.eigenvalues
    u, z = draws(method, seed, replicate, direction)

    def loss(x, s):
        return 0.5 * (x - s) @ (a * (x - s))

    def gradient(x, s):
        return a * (x - s)

    x = objective.x0
    if method == "dpzero":
        return naive.dpzero(loss, samples, x, alpha=alpha, C=C, sigma=sigma, lam=lam, u=u, z=z, **batches)
    if method == "dpgd_0th":
        return naive.dpgd_0th(loss, samples, x, alpha=alpha, C=C, sigma=sigma, lam=lam, u=u, z=z, **batches)
    if method == "dp_gd":
        return naive.dp_gd(gradient, samples, x, alpha=alpha, C=C, sigma=sigma, z=z, **batches)
    return naive.mezo(loss, samples, x, alpha=alpha, lam=lam, u=u, **batches)


def private(method, C, sigma):
    return {} if method == "mezo" else {"C": C, "sigma": sigma}


@pytest.mark.parametrize("direction", ["sphere", "gaussian"])
@pytest.mark.parametrize("method", KERNELS)
@pytest.mark.parametrize("C", [0.3, 3.0, 1e3])
def test_kernel_equals_its_slow_twin(method, C, direction):
    objective = quadratic("inverse", D, N, seed=5)
    common = {"alpha": 0.05, "T": T, "lam": 0.5, "replicates": 2, "seed": 3, "direction": direction}
    run = simulate(KERNELS[method], objective, **common, **private(method, C, 0.1))
    for replicate in range(2):
        path, clipped = twin(method, objective, objective.data, alpha=0.05, C=C, sigma=0.1, lam=0.5, seed=3, replicate=replicate,
                             direction=direction)  # fmt: skip
        values = [objective.value_and_gradient(x) for x in path]
        np.testing.assert_allclose(run.x[replicate], path[-1], rtol=1e-11)
        np.testing.assert_allclose(run.x_tau[replicate], path[run.tau[replicate]], rtol=1e-11)
        np.testing.assert_allclose(run.loss[replicate], [v for v, _ in values], rtol=1e-11)
        np.testing.assert_allclose(run.grad_norm_sq[replicate], [g @ g for _, g in values], rtol=1e-10)
        np.testing.assert_allclose(run.clipped[replicate], clipped if method != "mezo" else 0.0, atol=1e-15)


@pytest.mark.parametrize("size", [1, 4])
@pytest.mark.parametrize("sampling", ["without_replacement", "poisson"])
@pytest.mark.parametrize("method", KERNELS)
def test_batches_equal_the_slow_twin_step_by_step(method, sampling, size):
    """The twin takes each batch from the generator of the batches, and divides by the nominal size; Poisson batches may be empty."""
    objective = quadratic("inverse", D, N, seed=5)
    common = {"alpha": 0.05, "T": T, "lam": 0.5, "seed": 3}
    run = simulate(KERNELS[method], objective, **common, batch_size=size, sampling=sampling, **private(method, 1.0, 0.1))
    rng, batches = generator(3, 0, BATCHES), []
    for _ in range(T):
        batches.append(rng.choice(N, rng.binomial(N, size / N) if sampling == "poisson" else size, replace=False))
    assert (min(map(len, batches)) == 0) == (sampling == "poisson" and size == 1)
    given = {"alpha": 0.05, "C": 1.0, "sigma": 0.1, "lam": 0.5, "seed": 3, "replicate": 0, "batches": batches}
    path, clipped = twin(method, objective, objective.data, **given, nominal=size)
    np.testing.assert_allclose(run.x[0], path[-1], rtol=1e-11)
    np.testing.assert_allclose(run.x_tau[0], path[run.tau[0]], rtol=1e-11)
    np.testing.assert_allclose(run.loss[0], [objective.value_and_gradient(x)[0] for x in path], rtol=1e-11)
    np.testing.assert_allclose(run.clipped[0], clipped if method != "mezo" else 0.0, atol=1e-15)
    wrong, _ = twin(method, objective, objective.data, **given, nominal=N)
    assert np.abs(wrong[-1] - path[-1]).max() > 1e-4  # the divisor shows


@pytest.mark.parametrize("method", KERNELS)
def test_an_empty_batch_leaves_the_noise_alone(method):
    objective, empty = quadratic("flat", D, N, seed=5), np.full((1, 3), -1)
    kernel, u, z = KERNELS[method], np.arange(1.0, D + 1)[None, :], np.array([0.5])
    z = z if method == "dpzero" else np.tile(z, (1, D))
    given = {name: getattr(objective, name) for name in ("loss", "gradient", "value_gradient", "data", "params")}
    given |= {"x": np.zeros(D), "alpha": 0.2, "lam": 0.5, "C": 1.0, "sigma": 3.0, "u": u, "z": z, "z_along": z}
    given |= {
        "batch": empty,
        "nominal": 2,
        "value": np.empty(1),
        "grad_norm_sq": np.empty(1),
        "clipped": np.full(1, np.nan),
        "tau": -1,
        "x_tau": np.empty(D),
    }
    assert kernel.function(*(given[name] for name in kernel.takes)) == 1
    moved = {"dpzero": -0.2 * 3.0 * 0.5 * u[0], "mezo": 0.0 * u[0]}.get(method, np.full(D, -0.2 * 3.0 * 0.5))
    np.testing.assert_allclose(given["x"], moved, rtol=1e-15)
    assert method == "mezo" or given["clipped"][0] == 0.0


def test_padding_of_a_batch_changes_nothing():
    """The same samples with and without -1 among them, to the last bit: a chunk is padded to its longest batch."""
    objective = quadratic("inverse", D, N, seed=5)
    given = {name: getattr(objective, name) for name in ("loss", "gradient", "value_gradient", "data", "params")}
    rng = np.random.default_rng(1)
    given |= {"alpha": 0.2, "lam": 0.5, "C": 1.0, "sigma": 0.3, "u": rng.standard_normal((4, D)), "nominal": 3, "tau": -1}
    for kernel in KERNELS.values():
        ends = []
        for batch in (np.array([[2, 0, 5]]), np.array([[-1, 2, -1, 0, 5, -1]])):
            given["z"], given["z_along"] = np.ones((4, D)), np.ones(4)
            given |= {"x": objective.x0.copy(), "value": np.empty(4), "grad_norm_sq": np.empty(4), "clipped": np.zeros(4)}
            given |= {"batch": batch, "x_tau": np.empty(D)}
            assert kernel.function(*(given[name] for name in kernel.takes)) == 4
            ends.append((given["x"], given["clipped"]))
        np.testing.assert_array_equal(ends[0][0], ends[1][0])
        np.testing.assert_array_equal(ends[0][1], ends[1][1])


@pytest.mark.parametrize("method", ["dpzero", "dpgd_0th", "dp_gd"])
def test_a_wrong_clipping_order_would_be_caught(method):
    """The lie: clip the mean instead of the samples. With clipping active it must differ from the kernel."""
    objective = quadratic("flat", D, N, seed=5)
    run = simulate(KERNELS[method], objective, alpha=0.5, T=1, lam=0.5, seed=3, C=1.0, sigma=0.0)
    moved = run.x[0] - objective.x0
    u, _ = draws(method, 3, 0, "sphere")
    if method == "dp_gd":
        lie = -0.5 * naive.clip_norm(np.mean(objective.x0 - objective.data, axis=0), 1.0)
    else:
        s = np.mean((objective.x0 - objective.data) @ u[0])
        lie = -0.5 * (naive.clip_norm(s, 1.0) * u[0] if method == "dpzero" else naive.clip_norm(s * u[0], 1.0))
    assert np.linalg.norm(moved - lie) > 1e-3 * np.linalg.norm(moved)


def test_noise_is_a_standard_deviation_per_coordinate():
    """With C tiny and alpha 1, x_1 - x_0 is the noise: its spread is sigma (DP-GD) and sigma |u| (DPZero) within 6 standard errors."""
    objective, runs, sigma = quadratic("flat", 50, 3, seed=1), 400, 0.7
    common = {"alpha": 1.0, "T": 1, "C": 1e-9, "sigma": sigma, "replicates": runs, "seed": 4}
    vector = simulate(DP_GD, objective, **common).x - objective.x0
    scalar = simulate(DPZERO, objective, **common).x - objective.x0
    assert abs(np.mean(vector**2) / sigma**2 - 1) < 6 * np.sqrt(2 / vector.size)
    assert abs(np.mean(np.sum(scalar**2, axis=1)) / (50 * sigma**2) - 1) < 6 * np.sqrt(2 / runs)


def test_a_replicate_does_not_depend_on_the_number_of_replicates_or_threads():
    objective = quadratic("inverse", D, N, seed=5)
    many = simulate(DPZERO, objective, alpha=0.1, T=T, C=1.0, sigma=0.1, replicates=5, seed=9, threads=2)
    few = simulate(DPZERO, objective, alpha=0.1, T=T, C=1.0, sigma=0.1, replicates=2, seed=9, threads=1)
    np.testing.assert_array_equal(many.x[:2], few.x)
    np.testing.assert_array_equal(many.grad_norm_sq[:2], few.grad_norm_sq)


def test_chunks_of_draws_do_not_change_the_result(monkeypatch):
    objective = quadratic("inverse", D, N, seed=5)
    common = {"alpha": 0.1, "T": T, "C": 1.0, "sigma": 0.1, "replicates": 2, "seed": 9}
    for method in ("dpzero", "dpgd_0th", "dp_gd"):
        whole = simulate(KERNELS[method], objective, **common)
        monkeypatch.setattr("synthetic.draws.CHUNK_BYTES", 8 * D * 5)
        cut = simulate(KERNELS[method], objective, **common)
        monkeypatch.undo()
        np.testing.assert_array_equal(whole.x, cut.x)
        np.testing.assert_array_equal(whole.x_tau, cut.x_tau)
        np.testing.assert_array_equal(whole.loss, cut.loss)


@pytest.mark.parametrize(
    ("method", "alpha", "finite"),
    [("mezo", 1e200, 0), ("dpzero", 1e200, 0), ("dpgd_0th", 1e200, 0), ("dp_gd", 1e200, 0), ("dp_gd", 1e100, 1)],
)
def test_a_replicate_that_leaves_the_finite_numbers_stops_and_says_when(method, alpha, finite):
    """At alpha = 1e200 the first step overflows the loss; DP-GD with alpha = 1e100 squares its distance and needs two."""
    objective = quadratic("flat", D, N, seed=5)
    run = simulate(KERNELS[method], objective, alpha=alpha, T=T, seed=1, lam=0.5, **private(method, 1e308, 0.0))
    assert run.diverged[0]
    assert run.steps[0] == finite
    assert np.all(np.isfinite(run.loss[0, : finite + 1]))
    assert np.all(np.isnan(run.loss[0, finite + 1 :]))
    assert np.isfinite(run.clipped[0, finite])  # the step that fails is taken from a finite point
    assert np.all(np.isnan(run.clipped[0, finite + 1 :]))


@given(d=st.integers(1, 12), T=st.integers(1, 15), seed=st.integers(0, 2**32))
@settings(max_examples=25)
def test_without_noise_and_clipping_dp_gd_contracts_to_the_optimum(d, T, seed):
    """Sure fact: with alpha = 1 / max(a), |x_{t+1} - optimum| <= |x_t - optimum| in every coordinate."""
    objective = quadratic("inverse", d, 4, seed=1)
    run = simulate(DP_GD, objective, alpha=1.0, T=T, C=1e6, sigma=0.0, seed=seed)
    assert np.all(np.diff(run.loss[0]) <= 1e-12 * run.loss[0, 0])
    np.testing.assert_allclose(
        run.x[0] - objective.optimum, (1 - objective.eigenvalues) ** T * (objective.x0 - objective.optimum), atol=1e-12
    )


def test_every_replicate_draws_its_own_tau():
    run = simulate(MEZO, quadratic("flat", 3, 5, 0), alpha=0.01, T=40, replicates=12, seed=9)
    assert list(run.tau) == [generator(9, r, OUTPUT).integers(40) for r in range(12)]
    assert len(set(run.tau)) > 4


def test_a_run_whose_last_step_is_not_finite_diverged():
    run = simulate(MEZO, quadratic("flat", 3, 5, 0), alpha=0.01, T=4, replicates=3)
    assert list(replace(run, steps=np.array([4, 3, 0])).diverged) == [False, True, True]


def test_progress_of_runs_that_diverge_comes_to_its_end():
    told = []
    wild = {"alpha": 1e60, "C": 1e300, "sigma": 0.0, "T": 200, "replicates": 2}
    run = simulate(DP_GD, quadratic("flat", 3, 5, 0), **wild, progress=lambda *one: told.append(one))
    assert run.diverged.all()
    assert told[-1] == (400, 400)


def corrupted(bad):
    """Rows whose first one has a loss and a gradient that are not finite."""
    good = quadratic("flat", D, N, seed=5)

    @njit
    def loss(x, row, params):
        return params[0] if row[0] == 9.0 else 0.5 * np.sum((x - row) ** 2)

    @njit
    def gradient(x, row, params, out):
        for j in range(x.shape[0]):
            out[j] = params[0] if row[0] == 9.0 else x[j] - row[j]

    @njit
    def mean(x, data, params, out):
        out[:] = params[0]
        return params[0]

    data = np.vstack([np.full((1, D), 9.0), good.data])
    return good, replace(good, data=data, loss=loss, gradient=gradient, value_gradient=mean, params=(bad,))


@pytest.mark.sample(2)
@pytest.mark.parametrize("batch_size", [None, N + 1])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("method", ["dpzero", "dpgd_0th", "dp_gd"])
def test_a_sample_that_is_not_finite_counts_as_nothing(method, bad, batch_size):
    """The run ends where that of the other samples does, their mean taken over one more: not even F_S, which is NaN, stops it."""
    good, spoilt = corrupted(bad)
    common = {"T": T, "lam": 0.5, "seed": 3, "sigma": 0.1}
    run = simulate(KERNELS[method], spoilt, alpha=0.05, C=1.0, batch_size=batch_size, **common)
    zero = np.zeros(D)
    u, z = draws(method, 3, 0, "sphere")
    samples = [None, *good.data]

    def loss(x, s):
        return bad if s is None else 0.5 * np.sum((x - s) ** 2)

    x = good.x0
    if method == "dp_gd":
        path, _ = naive.dp_gd(lambda p, s: zero + bad if s is None else p - s, samples, x, alpha=0.05, C=1.0, sigma=0.1, z=z)
    else:
        with np.errstate(invalid="ignore"):
            path, _ = getattr(naive, method)(loss, samples, x, alpha=0.05, C=1.0, sigma=0.1, lam=0.5, u=u, z=z)
    assert np.all(np.isfinite(run.x))
    np.testing.assert_allclose(run.x[0], path[-1], rtol=1e-11)
    np.testing.assert_allclose(run.x_tau[0], path[run.tau[0]], rtol=1e-11)


@pytest.mark.parametrize("method", ["dpzero", "dpgd_0th", "dp_gd"])
def test_one_bad_sample_moves_a_step_by_no_more_than_a_clip(method):
    good, spoilt = corrupted(np.nan)
    step = simulate(KERNELS[method], spoilt, alpha=1.0, T=1, C=0.5, sigma=0.0, seed=3)
    rest = simulate(KERNELS[method], good, alpha=1.0, T=1, C=0.5, sigma=0.0, seed=3)
    assert np.linalg.norm(step.x - good.x0) <= 0.5 * N / (N + 1) * np.sqrt(D)
    np.testing.assert_allclose((step.x - good.x0) * (N + 1), (rest.x - good.x0) * N, rtol=1e-9)


def test_a_threshold_whose_square_vanishes_is_refused():
    with pytest.raises(ValueError, match=r"C = 1e-201: at least 1e-150 is needed"):
        simulate(DP_GD, quadratic("flat", D, N, seed=5), alpha=0.1, T=1, C=1e-201, sigma=0.0)
