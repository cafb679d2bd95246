"""Audits of methods that keep state: each run begins anew, what a buffer leaks is convicted, and what is published is attacked."""

from dataclasses import replace

import numpy as np
import pytest
from numba import njit

from bounds.privacy import accounting
from paper_checks.shared.audit import attack_full_batches, attack_secret_batches
from synthetic.audits import replay as replays
from synthetic.audits.events import event_scores
from synthetic.audits.replay import NotAffineError, prepare_replay
from synthetic.audits.sums import has_same_noise, neighbour_scores, worst_case_rows
from synthetic.draws import NOISE
from synthetic.kernels.dpzero import record_and_check
from synthetic.methods.dpzero import DPZERO
from synthetic.methods.record import SAMPLING, Draw, Kernel, Setting, vector
from synthetic.objectives.space import Space
from synthetic.validate import non_negative

RULES = ("heavy", "nesterov", "heavy_leak", "feedback", "difference", "difference_leak", "adam", "adam_leak")
HEAVY, NESTEROV, HEAVY_LEAK, FEEDBACK, DIFFERENCE, DIFFERENCE_LEAK, ADAM, ADAM_LEAK = range(8)


@njit(nogil=True, error_model="numpy")
def loop(gradient, value_gradient, data, params, x, alpha, C, sigma, rule, z, a, b, mean, batch, nominal, value, grad_norm_sq, clipped,
         tau, x_tau, t0):  # fmt: skip
    """Do one of the RULES with the noisy clipped mean; a, b are its buffers: momentum, memory, sum of differences or Adam's moments."""
    d = x.shape[0]
    g, before, raw = np.empty(d), np.empty(d), np.empty(d)
    for t in range(len(z)):
        for j in range(d):
            mean[j], raw[j] = sigma * z[t, j], 0.0
            if t == tau:
                x_tau[j] = x[j]
        for i in batch[t % len(batch)]:
            if i < 0:
                continue
            gradient(x, data[i], params, g)
            norm = 0.0
            if rule in (DIFFERENCE, DIFFERENCE_LEAK):
                gradient(b, data[i], params, before)
            for j in range(d):
                if rule in (DIFFERENCE, DIFFERENCE_LEAK) and t0 + t > 0:
                    g[j] -= before[j]
                norm += g[j] ** 2
            scale = min(1.0, C / max(np.sqrt(norm), 1e-300))
            if rule == DIFFERENCE_LEAK and t0 + t > 0:
                scale = 1.0
            for j in range(d):
                mean[j] += scale * g[j] / nominal
                raw[j] += g[j] / nominal
        kept = 0.0
        for j in range(d):
            kept += a[j] ** 2
        memory = min(1.0, C / max(np.sqrt(kept), 1e-300))
        for j in range(d):
            step = 0.0
            if rule == HEAVY:
                a[j] = 0.9 * a[j] + mean[j]
                step = a[j]
            elif rule == NESTEROV:
                a[j] = 0.9 * a[j] + mean[j]
                step = mean[j] + 0.9 * a[j]
            elif rule == HEAVY_LEAK:
                step = mean[j] + 0.9 * a[j]
                a[j] = 0.9 * a[j] + raw[j]
            elif rule == FEEDBACK:
                step = mean[j] + memory * a[j]
                a[j] += raw[j] - (mean[j] - sigma * z[t, j]) - memory * a[j]
            elif rule in (DIFFERENCE, DIFFERENCE_LEAK):
                a[j] += mean[j]
                step = a[j]
                b[j] = x[j]
            else:
                a[j] = 0.9 * a[j] + 0.1 * mean[j]
                b[j] = 0.999 * b[j] + 0.001 * (mean[j] if rule == ADAM else raw[j]) ** 2
                step = a[j] / (1 - 0.9 ** (t0 + t + 1)) / (np.sqrt(b[j] / (1 - 0.999 ** (t0 + t + 1))) + 1e-8)
            x[j] -= alpha * step
        clipped[t] = 0.0
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return len(z)


KERNEL = Kernel(
    "stateful", loop, draws=(Draw("z", NOISE, vector),), settings=(Setting("rule", non_negative, 0, int), SAMPLING),
    state={"a": vector, "b": vector, "mean": vector},
)  # fmt: skip
PUBLISHED = replace(KERNEL, publishes="mean")
DECLARED = {"epsilon": 2.0, "delta": 1e-6, "T": 4, "n": 3}
PLANE = Space(((2,),))
GIVEN = {"alpha": 1.0, "C": 1.0, "sigma": 0.7}
ONE, TWO = worst_case_rows(2, 3, 1e9)


def attacked(kernel, rule, *, runs=4000, seed=0, **more):
    return attack_full_batches(kernel, **{**DECLARED, **more}, rule=RULES.index(rule), runs=runs, seed=seed)


# --- methods that are private, and methods that leak through their state ----------------------------------------------------------------
@pytest.mark.parametrize("rule", ["heavy", "nesterov", "difference"])
def test_state_that_is_made_of_noisy_means_is_not_convicted_over_seeds_and_nearly_all_is_certified(rule):
    """The false alarm of each audit is 1e-9. 4,000 runs certify a share of about 0.65, and 20,000 one of 0.85."""
    for seed, runs, least in ((0, 4000, 0.5), (1, 4000, 0.5), (2, 20_000, 0.8)):
        found = attacked(KERNEL, rule, seed=seed, runs=runs)
        assert least < found.share <= 1
        assert found.normal == found.certified
        assert not found.remark


@pytest.mark.parametrize("rule", ["heavy_leak", "feedback", "difference_leak", "adam_leak"])
def test_a_leak_through_state_is_convicted(rule):
    for seed in range(2):
        found = attacked(KERNEL, rule, seed=seed, runs=4000)
        assert found.certified > 1.5 * found.epsilon


def test_half_the_noise_of_momentum_is_convicted():
    sigma = accounting.sigma(2.0, 1e-6, 4, 3, None, 1.0) / 2
    assert attacked(KERNEL, "heavy", sigma=sigma).convicted


def test_iterates_of_adam_are_attacked_by_an_event_and_this_is_said():
    """An event of a linear score is a weak attack; an eighth of the noise is convicted by it."""
    found = attacked(KERNEL, "adam")
    assert (found.normal, found.convicted) == (0.0, False)
    assert attacked(KERNEL, "adam", sigma=accounting.sigma(2.0, 1e-6, 4, 3, None, 1.0) / 8).convicted
    assert "An event certifies epsilon, of a score that other runs chose" in found.remark


def test_a_leak_that_depends_on_lengths_alone_is_no_affine_function_of_the_same_noise():
    """Opposite gradients have the same squares: on them alone this Adam passes, with noise in the same places."""
    given = {"T": 3, "seed": 0, "space": PLANE, **GIVEN}
    for other, same in ((TWO, True), (np.zeros_like(ONE), False)):
        assert has_same_noise(KERNEL, ONE, other, rule=ADAM_LEAK, **given) == same
    assert has_same_noise(KERNEL, ONE, np.zeros_like(ONE), rule=HEAVY, **given)


# --- what is published ------------------------------------------------------------------------------------------------------------------
def test_adam_that_publishes_its_noisy_mean_is_attacked_by_the_optimal_test():
    found = attacked(PUBLISHED, "adam")
    assert 0.6 < found.share <= 1
    assert found.normal == found.certified
    sigma = accounting.sigma(2.0, 1e-6, 4, 3, None, 1.0) / 2
    assert attacked(PUBLISHED, "adam", sigma=sigma).convicted


def test_the_mean_of_momentum_is_as_telling_as_its_iterates():
    given = {"T": 3, "runs": 200, "seed": 4, "space": PLANE, **GIVEN}
    for rule in (HEAVY, NESTEROV):
        published, seen = (neighbour_scores(kernel, ONE, TWO, rule=rule, **given) for kernel in (PUBLISHED, KERNEL))
        np.testing.assert_allclose(published.one, seen.one, atol=1e-5)
        np.testing.assert_allclose(published.two, seen.two, atol=1e-5)


@pytest.mark.parametrize("rule", ["heavy_leak", "feedback", "adam_leak"])
def test_iterates_that_know_more_than_what_is_published_are_an_error(rule):
    words = r"^method = .stateful., rule = .: publishes = .mean.: the iterates differ between data sets for which it is the same"
    with pytest.raises(ValueError, match=words):
        attacked(PUBLISHED, rule, runs=200)


def test_a_record_publishes_x_or_a_state():
    with pytest.raises(ValueError, match=r"^kernel stateful: publishes = 'm': one of x, a, b, mean, x or a state, is needed$"):
        replace(KERNEL, publishes="m")


# --- runs -------------------------------------------------------------------------------------------------------------------------------
def test_runs_are_those_that_begin_anew_in_a_loop_written_by_hand():
    T, runs = 3, 5
    replay = prepare_replay(KERNEL, PLANE, {**GIVEN, "rule": HEAVY}, T, runs, 1, together=T)
    z, expected = replay.draw_noise(0), []
    for r in range(runs):
        velocity = np.zeros(2)
        for t in range(r * T, r * T + T):
            g = replay.turn[t] * ONE[0]
            velocity = 0.9 * velocity + g / np.linalg.norm(g) / 3 + 0.7 * z[t]
            expected.append(-velocity)
    np.testing.assert_allclose(replay.step_increments(ONE, z), expected, atol=1e-12)


def test_compiled_runs_are_those_of_plain_calls(monkeypatch):
    replay = prepare_replay(KERNEL, PLANE, {**GIVEN, "rule": ADAM}, 3, 20, 2, together=3)
    assert replay.separate
    z = replay.draw_noise(1)
    plain = replay.run(TWO, z)
    monkeypatch.setattr(replays, "FEW", 2)
    for one, other in zip(plain, replay.run(TWO, z), strict=True):
        np.testing.assert_array_equal(one, other)


def test_separate_runs_of_a_method_without_state_are_those_of_the_chain():
    space, given = Space(((3,),)), {**GIVEN, "lam": 1.0}
    chain, separate = (prepare_replay(DPZERO, space, given, 2, 6, 3, together=2, separate=each) for each in (False, True))
    assert (chain.separate, separate.separate) == (False, True)
    one, z = worst_case_rows(3, 4, 1e9)[0], chain.draw_noise(0)
    np.testing.assert_array_equal(z, separate.draw_noise(0))
    np.testing.assert_allclose(chain.step_increments(one, z), separate.step_increments(one, z), atol=1e-10)


def test_a_run_does_not_depend_on_the_runs_beside_it():
    replay = prepare_replay(KERNEL, PLANE, {**GIVEN, "rule": ADAM}, 3, 6, 5, together=3)
    z = replay.draw_noise(0)
    other = z.copy()
    other[:3] += 1
    one, two = (replay.step_increments(ONE, each).reshape(6, -1) for each in (z, other))
    assert np.any(one[0] != two[0])
    np.testing.assert_array_equal(one[1:], two[1:])
    assert replay.is_shift_invariant(ONE, z, one.reshape(18, 2))


def test_noise_has_an_effect_on_later_steps_of_its_run_through_the_state():
    replay = prepare_replay(KERNEL, PLANE, {**GIVEN, "rule": HEAVY}, 2, 1, 5, together=2)
    quiet = replay.step_increments(ONE, replay.zero_noise).reshape(1, -1)
    where = replay.noise_effects(ONE, quiet, 2)[0]
    np.testing.assert_allclose(where, -0.7 * np.kron([[1, 0], [0.9, 1]], np.eye(2)), atol=1e-9)


def test_scores_of_events_hold_for_a_method_without_noise_in_its_release_and_refuse_what_runs_share(monkeypatch):
    given = {"T": 2, "runs": 300, "seed": 1, "space": PLANE, **GIVEN, "rule": HEAVY}
    seen = event_scores(KERNEL, [(ONE, TWO), (ONE, 0 * ONE)], **given)
    assert not seen.normal
    assert seen.one.mean() - seen.two.mean() > seen.one.std()
    run, calls = replays.Replay.run, iter(range(1000))
    monkeypatch.setattr(replays.Replay, "run", lambda self, rows, z, **more: [each + next(calls) for each in run(self, rows, z, **more)])
    with pytest.raises(ValueError, match="an audit needs runs that are a function of the data and of their own draws"):
        event_scores(KERNEL, [(ONE, TWO)], **given)


# --- secret batches ---------------------------------------------------------------------------------------------------------------------
def test_secret_batches_of_a_method_with_state_are_attacked_where_it_publishes_their_mean():
    given = {"epsilon": 2.0, "delta": 0.1, "T": 2, "n": 2, "batch_size": 1, "sampling": "poisson", "runs": 10_000, "seed": 1}
    found = attack_secret_batches(PUBLISHED, rule=HEAVY, **given)
    assert 0.3 < found.share <= 1
    half = accounting.sigma(2.0, 0.1, 2, 2, 1, 1.0, "poisson") / 2
    assert attack_secret_batches(PUBLISHED, rule=ADAM, **given, sigma=half).convicted
    with pytest.raises(NotAffineError, match="a step may depend on earlier noise through a and b and mean, which the loop keeps"):
        attack_secret_batches(KERNEL, rule=HEAVY, **{**given, "runs": 200})
    with pytest.raises(ValueError, match="publishes = 'mean': the iterates differ"):
        attack_secret_batches(PUBLISHED, rule=HEAVY_LEAK, **{**given, "runs": 200})
