"""Attacks on kernels of one's own that are wrong, or right, in ways that an attack must not miss, or must not mistake."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numba import njit

import theory_lab as lab
from paper_checks.shared.audit import attack_secret_batches, epsilon_lower_limit
from synthetic.audits.replay import prepare_replay
from synthetic.audits.sums import neighbour_scores, worst_case_rows
from synthetic.draws import NOISE
from synthetic.kernels.dpzero import record_and_check
from synthetic.methods.dp_grape import DP_GRAPE
from synthetic.methods.dp_zopo import DP_ZOO
from synthetic.methods.dpzero import DPZERO
from synthetic.methods.record import Draw, Kernel, Setting, normal, vector
from synthetic.objectives.space import Space
from synthetic.validate import positive_integer
from theory_lab.examples import own_kernel
from theory_lab.methods import sums

AT = {"epsilon": 2.0, "delta": 1e-6, "T": 4, "n": 3, "runs": 20_000, "confidence": 1 - 1e-9}
ONE = (Draw("z", NOISE, vector),)


def loop(share, asked=1):
    """Return noisy descent with a share of the noise that it should have, share(step, T), that asks for F_S so often a step."""

    @njit
    def kernel(gradient, value_gradient, data, params, x, T, alpha, C, sigma, z, batch, value, grad_norm_sq, clipped, tau, x_tau, t0):
        g = np.empty(x.size)
        for t in range(len(z)):
            if t == tau:
                x_tau[:] = x
            total, rows = np.zeros(x.size), batch[t % len(batch)]
            for i in rows:
                gradient(x, data[i], params, g)
                total += g * min(1.0, C / max(np.sqrt(np.sum(g**2)), 1e-300)) / rows.size
            x -= alpha * (total + share(t0 + t, T) * sigma * z[t])
            clipped[t] = 0.0
            for _ in range(asked if asked else (t0 + t) % 2):
                if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
                    return t
        return len(z)

    return kernel


def record(function, draws=ONE, settings=()):
    return sums.record("own", paper="mine", words="w", kernel=Kernel("own", function, draws=draws, settings=settings))


HONEST = njit(lambda step, T: 1.0)


@pytest.mark.sample(1)
@pytest.mark.parametrize("share", [njit(lambda step, T: 1 / math.sqrt(1 + step)), njit(lambda step, T: min(step, 1) * 1.0)])
def test_noise_that_depends_on_the_step_is_that_of_a_run(share):
    """In a chain all runs but the first would be at later steps."""
    assert lab.audit(record(loop(share)), **AT).convicted


def test_noise_that_grows_with_the_steps_of_a_run_is_private():
    found = lab.audit(record(loop(njit(lambda step, T: math.sqrt(1 + step)))), **AT)
    assert 0.3 < found.share < 0.9


def test_noise_that_depends_on_the_number_of_steps_is_that_of_the_attacked_runs():
    quarter = njit(lambda step, T: math.sqrt(T) / 8)
    assert lab.audit(record(loop(quarter)), **AT).convicted
    assert not lab.audit(record(loop(HONEST)), **AT).convicted


@pytest.mark.parametrize(("asked", "times"), [(2, 8), (0, 2)])
def test_a_kernel_that_does_not_ask_once_a_step_is_told(asked, times):
    sentence = rf"^method = .own.: value_gradient is called {times} times in 4 steps; one call at the end of each step is needed$"
    with pytest.raises(ValueError, match=sentence):
        lab.audit(record(loop(HONEST, asked)), **{**AT, "runs": 100})


@njit
def leaking(gradient, value_gradient, data, params, x, alpha, C, sigma, z, batch, value, grad_norm_sq, clipped, tau, x_tau):
    """Noisy descent that moves x by the exact gradient of the step before too, with what it was given of F_S."""
    g, exact = np.empty(x.size), np.zeros(x.size)
    for t in range(len(z)):
        total = np.zeros(x.size)
        for i in batch[0]:
            gradient(x, data[i], params, g)
            total += g * min(1.0, C / max(np.sqrt(np.sum(g**2)), 1e-300)) / batch.shape[1]
        x -= alpha * (total + sigma * z[t]) + 1e-9 * exact
        clipped[t] = 0.0
        value[t] = value_gradient(x, data, params, exact)
        grad_norm_sq[t] = np.sum(exact**2)
    return len(z)


def test_what_leaks_through_the_gradient_of_f_is_not_passed_over():
    """In a chain a run's first step would move by what the run before leaves; with a gradient of 0 it was certified private."""
    assert lab.audit(record(leaking), **AT).convicted


@njit
def blocks(gradient, value_gradient, data, params, x, shapes, alpha, C, sigma, z, batch, value, grad_norm_sq, clipped, tau, x_tau):
    """Noisy descent whose blocks all have the first numbers of the noise."""
    g = np.empty(x.size)
    for t in range(len(z)):
        total, at = np.zeros(x.size), 0
        for i in batch[0]:
            gradient(x, data[i], params, g)
            total += g * min(1.0, C / max(np.sqrt(np.sum(g**2)), 1e-300)) / batch.shape[1]
        for b in range(len(shapes)):
            size = shapes[b, 0] * shapes[b, 1]
            x[at : at + size] -= alpha * (total[at : at + size] + sigma * z[t, :size])
            at += size
        clipped[t] = 0.0
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return len(z)


def test_a_kernel_that_is_told_the_shapes_is_attacked_on_several():
    found = lab.audit(record(blocks), **AT)
    assert found.convicted
    assert "iterates of other shapes than 2 x 2 and 1" in found.remarks[2]


@njit
def twofold(gradient, value_gradient, data, params, x, alpha, C, sigma, z, w, batch, value, grad_norm_sq, clipped, tau, x_tau):
    """Noisy descent whose noise is made of two draws, of which one has another role."""
    g = np.empty(x.size)
    for t in range(len(z)):
        total = np.zeros(x.size)
        for i in batch[0]:
            gradient(x, data[i], params, g)
            total += g * min(1.0, C / max(np.sqrt(np.sum(g**2)), 1e-300)) / batch.shape[1]
        x -= alpha * (total + sigma * (z[t] + w[t]) / np.sqrt(2.0))
        clipped[t] = 0.0
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return len(z)


def test_the_draws_that_are_taken_as_public_are_named():
    found = lab.audit(record(twofold, (*ONE, Draw("w", 5, vector))), **AT)
    assert found.remarks[1] == "Released are all iterates, and the draws w, which count as public. The observer knows both data sets."
    assert lab.audit(record(loop(HONEST)), **AT).remarks[1] == "Released are all iterates. The observer knows both data sets."


def doubled(rng, shape, settings):
    return np.repeat(normal(rng, (-(-shape[0] // 2), *shape[1:]), settings), 2, axis=0)[: shape[0]]


def test_a_law_of_noise_is_not_attacked_and_that_is_said():
    sentence = "The rows of z have a distribution of their own. The audit takes them as independent, and attacks nothing else in it."
    assert sentence in lab.audit(record(loop(HONEST), (Draw("z", NOISE, vector, doubled),)), **AT).remarks
    assert sentence not in lab.audit(record(loop(HONEST)), **AT).remarks


def test_noise_that_lasts_and_stages_and_arrays_are_told():
    lasting = record(loop(HONEST), (Draw("z", NOISE, vector, every="F"),), (Setting("F", positive_integer, 1, int),))
    with pytest.raises(ValueError, match=r"^F = 2: the noise z of own is kept for several steps; an audit needs 1$"):
        lab.audit(lasting, **AT, F=2)
    with pytest.raises(ValueError, match=r"^stages = 2: an audit of dp_zoso has no setting stages; it takes"):
        lab.audit("dp_zoso", **AT, stages=2)
    assert "An event certifies epsilon" in "".join(lab.audit("dp_zopo", **AT, score=np.arange(4.0), radius=1e-3).remarks)


def test_settings_of_the_paper_s_audits_are_shown():
    found = lab.audit("dp_adam", **{**AT, "runs": 200})
    assert {**found.settings, "sigma": 0} == {"T": 4, "n": 3, "C": 1.0, "sigma": 0, "beta1": 0.0, "beta2": 0.0, "phi": 1e12, "alpha": 1e12}
    assert found.title.endswith("beta1 = 0.0, beta2 = 0.0, phi = 1000000000000.0, alpha = 1000000000000.0")


def test_where_runs_differ_in_how_far_worlds_are_apart_the_score_is_the_likelihood_ratio():
    """Gradients that no clip makes alike: an event of large ratios certifies more than one of large normalised scores."""
    seen = neighbour_scores(DPZERO, *worst_case_rows(3, 4, 6.0), T=1, runs=20_000, seed=1, alpha=1.0, sigma=1.0, lam=1.0, C=1e3)
    assert not seen.normal
    assert abs(np.var(seen.one) / 2 / seen.one.mean() - 1) > 0.1  # not one normal law
    assert np.mean(np.exp(-seen.one)) == pytest.approx(1.0, abs=0.2)  # E of dQ/dP under P
    assert epsilon_lower_limit(seen.one, seen.two, 0.05, 0.01) > 5


def test_subspaces_that_change_within_a_run_at_other_steps_are_its_own():
    given = {"T": 2, "runs": 50, "space": Space(((2, 2), (1,))), "alpha": 1.0, "C": 1.0, "sigma": 1.0, "r": 1, "F": 2}
    assert not neighbour_scores(DP_GRAPE, *worst_case_rows(5, 3, 0.1), **given, refresh="printed").normal
    assert not neighbour_scores(DP_GRAPE, *worst_case_rows(5, 3, 0.1), **given).normal
    assert neighbour_scores(replace(DP_GRAPE), *worst_case_rows(5, 3, 1e9), **given).normal


@pytest.mark.parametrize("sampling", ["poisson", "without_replacement"])
def test_secret_batches_of_a_kernel_of_ones_own(sampling):
    own = sums.record("mine", paper="mine", words="w", kernel=DP_ZOO)
    given = {"epsilon": 2.0, "delta": 0.1, "T": 2, "n": 3, "batch_size": 1, "sampling": sampling, "runs": 2000, "seed": 3}
    found = lab.audit(own, **given)
    assert found.audit == attack_secret_batches(DP_ZOO, **given, level=1 - 0.99)
    assert found.bound == "an event"
    assert "Each step is over a batch of 1, drawn " in found.remarks[0]


@pytest.mark.parametrize("bad", [math.inf, math.nan])
def test_the_example_adds_no_more_than_c_of_a_record_without_a_gradient(bad):
    given = {"alpha": 1.0, "C": 1.0, "sigma": 1.0}
    replay = prepare_replay(own_kernel.METHOD.runner, Space(((2,),)), given, 1, 3, 0, together=1)
    assert np.all(np.abs(replay.step_increments(np.array([[bad, 1.0], [0.0, 0.0]]), replay.zero_noise)) <= 1)
