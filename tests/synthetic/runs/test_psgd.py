"""Gauss-PSGD's kernels against their slow twins, draw by draw; what a run counts, and when it stops."""

import pickle
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import uuid4

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthetic.draws import BATCHES, DIRECTIONS, NOISE, OUTPUT, generator
from synthetic.kernels.gradient_oracles import spider_estimate
from synthetic.kernels.vectors import column_sums
from synthetic.objectives.digits import TRAIN
from synthetic.objectives.separable_saddles import random_phase_cosines
from synthetic.runs import escapes, psgd
from synthetic.runs.distributed import client_message
from synthetic.runs.selection import HELD_OUT, RELEASE
from synthetic.sweeps.workers import local_processes
from tests.reference import dpzero as naive

COUNTED = ("steps", "phases", "rounds", "escapes")
SPIDER = {"n": 3000, "b_1": 100, "b_2": 7, "sigma_1": 0.02, "sigma_2": 0.1}
ORACLES = {
    "exact": {"zeta": 0.05, "sigma_1": 0.03, "limit": 200},
    "sgd": {"n": 3000, "b_1": 15, "sigma_1": 0.02},
    "dp_spider": {**SPIDER, "period": 7},
    "ada_dp_spider": {**SPIDER, "kappa": 0.3},
}
DESCENT = {"eta": 0.5, "chi": 0.1, "R": 0.25, "Gamma": 9, "Q": 3}


def sample_gradient(landscape):
    """Gradient of one sample (cos z, sin z), from the formula of the loss."""
    A, w, signs, _ = landscape.params
    d = landscape.d

    def at(x, row):
        z = np.arctan2(row[d:], row[:d])
        return -A / w * signs * np.sin(w * x + z)

    return at


def twin(landscape, oracle, numbers, drift, seed, replicate):
    rng = generator(seed, replicate, NOISE)
    if oracle == "exact":
        return naive.exact(lambda x: landscape.value_and_gradient(x)[1], rng, zeta=numbers["zeta"], sigma=numbers["sigma_1"])
    m, n = landscape.clients, numbers["n"]
    samples = [landscape.draw(generator(seed, replicate, psgd.SAMPLES + j), n, j) for j in range(m)]
    kinds = {"sgd": naive.sgd, "dp_spider": naive.dp_spider}
    kind = kinds.get(oracle, naive.query_dp_spider if drift == "queries" else naive.ada_dp_spider)
    return kind(sample_gradient(landscape), samples, rng, **numbers, eta=DESCENT["eta"])


def test_no_two_roles_share_a_stream_with_a_client_for_every_record():
    clients = range(TRAIN)
    roles = [DIRECTIONS, NOISE, BATCHES, OUTPUT, RELEASE, *(psgd.SAMPLES + j for j in clients), *(HELD_OUT + j for j in clients)]
    assert len(set(roles)) == len(roles)


def same_steps(run, r, landscape, steps):
    """Every step's point and what the run keeps of it are those of the twin; behind the last step there is nothing."""
    k = len(steps)
    points, estimates, in_phase, fresh = (np.array(column) for column in zip(*steps, strict=True))
    exact = [landscape.value_and_gradient(x) for x in points]
    wanted = {
        "points": points, "value": [value for value, _ in exact], "grad_norm": [np.linalg.norm(gradient) for _, gradient in exact],
        "error": [np.linalg.norm(g - gradient) for g, (_, gradient) in zip(estimates, exact, strict=True)],
        "in_phase": in_phase, "fresh": fresh,
    }  # fmt: skip
    for name, values in wanted.items():
        found = getattr(run, name)[r]
        np.testing.assert_allclose(found[:k], values, rtol=0, atol=1e-9, err_msg=name)  # rounding grows at the saddle
        assert np.all(np.isnan(found[k:])), name


def compare(landscape, oracle, numbers, *, restart="continue", drift="estimates", seed=0, replicates=3, **more):
    run = psgd.gauss_psgd(
        landscape, oracle=oracle, **DESCENT, **numbers, restart=restart, drift=drift, replicates=replicates, seed=seed,
        keep_points=True, **more,
    )  # fmt: skip
    for r in range(replicates):
        slow = twin(landscape, oracle, numbers, drift, seed, r)
        limit = run.settings["limit"]
        status, x, last, steps, tally = naive.gauss_psgd(slow, landscape.x0, **DESCENT, restart=restart, limit=limit)
        assert psgd.STATUS[run.status[r]] == status
        assert {name: getattr(run, name)[r] for name in COUNTED} == tally
        assert (run.calls[r], run.fresh_calls[r], run.samples[r]) == (slow.calls, slow.fresh, slow.used)
        same_steps(run, r, landscape, steps)
        np.testing.assert_allclose(run.last[r], last, rtol=0, atol=1e-9)
        if status == "returned":
            np.testing.assert_allclose(run.x[r], x, rtol=0, atol=1e-9)
        else:
            assert np.all(np.isnan(run.x[r]))
    return run


@pytest.mark.parametrize("oracle", ORACLES)
@pytest.mark.parametrize("restart", psgd.RESTARTS)
def test_every_oracle_equals_its_twin_draw_by_draw(oracle, restart):
    run = compare(random_phase_cosines(4), oracle, ORACLES[oracle], restart=restart)
    assert run.phases.sum() > 0  # the escape phase has been seen


@pytest.mark.parametrize("restart", psgd.RESTARTS)
def test_the_drift_of_queries_equals_its_twin(restart):
    compare(random_phase_cosines(4), "ada_dp_spider", ORACLES["ada_dp_spider"], restart=restart, drift="queries")


@pytest.mark.parametrize("drift", psgd.DRIFTS)
def test_many_clients_equal_their_twin_in_this_process_and_in_workers(drift):
    landscape = random_phase_cosines(3, phases=np.array([0.3, -0.3, 0.0]))
    run = compare(landscape, "distributed_ada_dp_spider", ORACLES["ada_dp_spider"], drift=drift)
    with ThreadPoolExecutor(2) as pool:
        spread = compare(landscape, "distributed_ada_dp_spider", ORACLES["ada_dp_spider"], drift=drift, executor=pool)
    np.testing.assert_allclose(spread.last, run.last, rtol=0, atol=1e-9)


@pytest.mark.verify
def test_clients_in_other_processes_send_what_they_would_have_sent_here():
    landscape = random_phase_cosines(3, phases=np.array([0.3, -0.3, 0.0]))
    common = {"oracle": "distributed_ada_dp_spider", **ORACLES["ada_dp_spider"], **DESCENT}
    here = psgd.gauss_psgd(landscape, **common)
    with local_processes(2) as executor:
        there = psgd.gauss_psgd(landscape, **common, executor=executor)
    np.testing.assert_allclose(there.last, here.last, rtol=0, atol=1e-12)
    assert there.calls == here.calls


def test_threads_that_send_a_compiled_function_at_once_find_it_named(monkeypatch):
    """A function is named when it is first pickled, and Numba forbids to do so twice: here that is slow, and two threads begin at once."""

    class Sends(ThreadPoolExecutor):
        def map(self, fn, *iterables):
            calls = list(zip(*iterables, strict=False))
            list(super().map(pickle.dumps, calls))
            return [fn(*call) for call in calls]

    def slow():
        time.sleep(0.05)
        return uuid4()

    landscape = random_phase_cosines(3, phases=np.array([0.3, -0.3, 0.0]))
    monkeypatch.setattr("numba.core.dispatcher.uuid.uuid4", slow)
    for one in (landscape.value_gradient, landscape.batch_gradient, column_sums):
        monkeypatch.setattr(one, "_MemoMixin__uuid", None)
    common = {"oracle": "distributed_ada_dp_spider", **ORACLES["ada_dp_spider"], **DESCENT}
    with Sends(2) as executor:
        there = psgd.gauss_psgd(landscape, **common, executor=executor)
    assert there.calls == psgd.gauss_psgd(landscape, **common).calls


def test_the_earlier_method_equals_its_twin():
    landscape, numbers = random_phase_cosines(4), ORACLES["ada_dp_spider"]
    descent = {"eta": 0.5, "threshold": 0.3, "extra": 0.05, "frozen_steps": 5}
    run = psgd.frozen_psgd(landscape, **descent, **numbers, replicates=3, keep_points=True)
    for r in range(3):
        slow = twin(landscape, "ada_dp_spider", numbers, "estimates", 0, r)
        status, last, steps = naive.frozen_psgd(slow, landscape.x0, slow.rng, **descent, limit=run.settings["limit"])
        disturbed = sum(in_phase for _, _, in_phase, _ in steps)
        assert psgd.STATUS[run.status[r]] == status == "out of samples"
        assert (run.steps[r], run.phases[r], run.fresh_calls[r], run.samples[r]) == (len(steps), disturbed, slow.fresh, slow.used)
        same_steps(run, r, landscape, steps)
        np.testing.assert_allclose(run.last[r], last, rtol=0, atol=1e-9)
    assert run.phases.min() > 1  # disturbed, frozen, disturbed again


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), chi=st.floats(0.02, 0.3), R=st.floats(0.05, 0.6), Gamma=st.integers(1, 12), Q=st.integers(1, 4))
def test_what_a_run_counts_adds_up(seed, chi, R, Gamma, Q):
    n = 2000
    numbers = ORACLES["ada_dp_spider"] | {"n": n}
    run = psgd.gauss_psgd(
        random_phase_cosines(3), oracle="ada_dp_spider", **{**DESCENT, "chi": chi, "R": R, "Gamma": Gamma, "Q": Q}, **numbers, seed=seed
    )
    b_1, b_2 = numbers["b_1"], numbers["b_2"]
    assert run.samples[0] == b_1 * run.fresh_calls[0] + b_2 * (run.calls[0] - run.fresh_calls[0]) <= n
    assert run.calls[0] == run.steps[0] + run.phases[0]  # each phase asks once more than it steps
    assert run.escapes[0] <= run.phases[0] <= run.rounds[0] <= Q * run.phases[0]
    if run.status[0] == 0:
        assert run.phases[0] == run.escapes[0] + 1
    else:
        assert n - run.samples[0] < max(b_1, b_2)
    in_phase = np.nansum(run.in_phase[0])
    assert in_phase <= Gamma * run.rounds[0]


def test_without_noise_a_run_at_the_saddle_returns_it():
    """The control of the spec: exact gradients never leave x_1 = 0."""
    landscape = random_phase_cosines(5)
    run = psgd.gauss_psgd(landscape, oracle="exact", zeta=0, sigma_1=0, limit=2000, **DESCENT)
    assert run.returned[0]
    assert run.x[0, 0] == 0
    assert not run.sosp(landscape, 0.4)[0]
    assert landscape.certify_sosp(run.x[0], 0.4).saddle


def test_both_readings_of_what_is_returned():
    landscape = random_phase_cosines(4)
    common = {"oracle": "exact", **ORACLES["exact"], **DESCENT, "replicates": 2}
    anchor, last = (psgd.gauss_psgd(landscape, output=output, **common) for output in psgd.OUTPUTS)
    assert np.all(anchor.returned)
    np.testing.assert_array_equal(anchor.last, last.last)
    np.testing.assert_array_equal(last.x, last.last)
    assert np.all(np.linalg.norm(anchor.x - last.x, axis=1) > 0)
    assert np.all(np.linalg.norm(anchor.x - last.x, axis=1) < DESCENT["R"])


def test_the_draws_of_a_replicate_do_not_depend_on_how_many_there_are_nor_on_threads():
    landscape = random_phase_cosines(4)
    common = {"oracle": "ada_dp_spider", **ORACLES["ada_dp_spider"], **DESCENT}
    few, many = (psgd.gauss_psgd(landscape, replicates=k, threads=t, **common) for k, t in ((2, 1), (5, 2)))
    np.testing.assert_array_equal(few.last, many.last[:2])


def test_a_diverged_run_says_so():
    run = psgd.gauss_psgd(random_phase_cosines(2), oracle="exact", **{**DESCENT, "eta": 1e308}, zeta=0, sigma_1=1e3, limit=50)
    assert psgd.STATUS[run.status[0]] == "not finite"
    assert np.all(np.isnan(run.x))


@pytest.mark.parametrize("zeta", [0.0, 0.2])
def test_perturbed_and_coupled_descent_equal_their_twins(zeta):
    landscape, T = random_phase_cosines(4), 40
    numbers = {"eta": 0.4, "sigma": 0.05, "zeta": zeta, "T": T}
    runs = escapes.escape(landscape, **numbers, replicates=2, seed=3)
    pairs = escapes.couple(landscape, **numbers, replicates=2, seed=3)
    v = np.eye(4)[0]
    for r in range(2):
        values, distances = naive.perturbed_descent(
            lambda x: landscape.value_and_gradient(x)[0], lambda x: landscape.value_and_gradient(x)[1], landscape.saddle,
            generator(3, r, NOISE), **numbers,
        )  # fmt: skip
        np.testing.assert_allclose(runs.value[r], values, rtol=0, atol=1e-9)
        np.testing.assert_allclose(runs.distance[r], distances, rtol=0, atol=1e-9)
        rows = naive.coupled_descent(lambda x: landscape.value_and_gradient(x)[1], landscape.saddle, v, generator(3, r, NOISE), **numbers)
        for seen, wanted in zip((pairs.distance[r], pairs.twin_distance[r], pairs.apart[r]), rows, strict=True):
            np.testing.assert_allclose(seen, wanted, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(runs.distance, pairs.distance)  # the first of a couple is a run of its own


def test_after_a_step_that_is_not_finite_there_is_nothing():
    landscape, numbers = random_phase_cosines(2), {"eta": 1e200, "sigma": 1e120, "T": 5, "replicates": 2}
    runs, pairs = escapes.escape(landscape, **numbers), escapes.couple(landscape, **numbers)
    for rows in (runs.distance, pairs.distance, pairs.twin_distance, pairs.apart):
        assert np.all(rows[:, 0] == 0)
        assert np.all(np.isnan(rows[:, 1:]))
    assert np.all(np.isfinite(runs.value[:, 0]))
    assert np.all(np.isnan(runs.value[:, 1:]))


def test_escaped_counts_the_first_steps_only():
    runs = escapes.escape(random_phase_cosines(3), eta=0.5, T=60, sigma=0.05, replicates=8)
    furthest = np.maximum.accumulate(runs.distance, axis=1)
    assert np.array_equal(runs.escaped(0.5, 20), furthest[:, 20] >= 0.5)
    assert runs.escaped(0.5, 60).all()
    assert not runs.escaped(0.5, 1).any()


def test_escaped_looks_at_the_steps_from_one_to_gamma():
    """R itself counts; what is reached at the start or after Gamma does not."""
    distance = np.array(
        [[0.0, 0.2, 0.5, 0.1], [0.0, 0.2, 0.4, 0.9], [0.9, 0.1, 0.1, 0.1], [0.0, 0.5, np.nan, np.nan], [0.0, 0.1, 0.49, 0.1]]
    )
    runs = escapes.Escapes("made up", {}, np.zeros_like(distance), distance)
    assert runs.escaped(0.5, 2).tolist() == [True, False, False, True, False]
    assert runs.escaped(0.5, 3).tolist() == [True, True, False, True, False]
    assert runs.escaped(0.5, 1).tolist() == [False, False, False, True, False]


WRONG = [
    ({"oracle": "adam"}, "oracle = 'adam'"),
    ({"kappa": None}, "kappa = None: the oracle ada_dp_spider needs it"),
    ({"period": 3}, "period = 3: the oracle ada_dp_spider does not use it"),
    ({"b_1": 4000}, "b_1 = 4000: at most n = 3000"),
    ({"b_2": 2.5}, "b_2 = 2.5"),
    ({"sigma_1": -1.0}, "sigma_1 = -1.0"),
    ({"chi": 0.0}, "chi = 0.0"),
    ({"restart": "never"}, "restart = 'never'"),
    ({"x0": np.zeros(7)}, "x0 has shape"),
    ({"oracle": "sgd", "kappa": None, "b_2": None, "sigma_2": None, "drift": "queries"}, "drift = 'queries'"),
]


@pytest.mark.parametrize(("wrong", "said"), WRONG, ids=[said for _, said in WRONG])
def test_mistakes_are_named(wrong, said):
    arguments = {"oracle": "ada_dp_spider", **DESCENT, **ORACLES["ada_dp_spider"]} | wrong
    with pytest.raises(ValueError, match=said.replace("(", r"\(")):
        psgd.gauss_psgd(random_phase_cosines(3), **arguments)


def test_clients_need_the_distributed_oracle():
    landscape = random_phase_cosines(3, phases=np.array([0.3, -0.3]))
    with pytest.raises(ValueError, match="2 clients; distributed_ada_dp_spider is needed"):
        psgd.gauss_psgd(landscape, oracle="ada_dp_spider", **DESCENT, **ORACLES["ada_dp_spider"])


@pytest.mark.parametrize("oracle", ["sgd", "dp_spider", "ada_dp_spider"])
def test_a_record_whose_gradient_has_no_finite_norm_counts_as_0(oracle):
    """(cos z, sin z) = 0 has the gradient 0; what is NaN in the samples is refused before."""
    clean = random_phase_cosines(3)

    def draws(value):
        def draw(rng, n, client=0):
            rows = clean.draw(rng, n, client)
            rows[::10] = value
            return rows

        return draw

    run = {**DESCENT, **ORACLES[oracle], "replicates": 2, "seed": 4, "keep_points": True}
    zero, odd = (psgd.gauss_psgd(replace(clean, draw=draws(value)), oracle=oracle, **run) for value in (0.0, 1e200))
    assert zero.steps.min() > 20
    np.testing.assert_allclose(odd.points[:, :20], zero.points[:, :20], rtol=1e-9, atol=1e-12)


@numba.njit
def breaks_beyond_one(x, rows, params, out):
    """Mean of x z, which is NaN for z > 5 where x_1 > 1."""
    out[:] = 0.0
    for k in range(rows.shape[0]):
        for i in range(x.shape[0]):
            out[i] += np.nan if rows[k, 0] > 5 and x[0] > 1 else x[i] * rows[k, 0]
    for i in range(x.shape[0]):
        out[i] /= rows.shape[0]


@pytest.mark.parametrize(("here", "before"), [(2.0, 0.5), (0.5, 2.0), (2.0, 3.0), (0.5, 0.25)])
def test_in_a_difference_a_record_counts_as_0_in_both_parts(here, before):
    rows = np.array([[[1.0], [10.0], [2.0], [0.5]]])
    x, out = np.array([here, 0.0]), np.empty(2)
    memory = np.array([[7.0, 0.0], [before, 0.0]])
    assert spider_estimate(
        False, x, breaks_beyond_one, (), rows, 4, 4, 0.0, 0.0, memory, np.zeros(7, np.int64), np.random.default_rng(0), out
    )
    kept = 1.0 + 2.0 + 0.5 + (10.0 if max(here, before) <= 1 else 0.0)
    np.testing.assert_allclose(out, [7.0 + (here - before) * kept / 4, 0.0], rtol=1e-14)
    of_a_worker = client_message((None, breaks_beyond_one, ()), rows[0], False, x, np.array([before, 0.0]), np.array([7.0, 0.0]))
    np.testing.assert_allclose(of_a_worker, out, rtol=1e-14)
