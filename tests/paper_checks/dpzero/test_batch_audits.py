"""Attacks on DPZero, DPGD-0th and DP-GD with secret batches: what they certify, and that they convict two mistakes.

Seeds are fixed, and an attack certifies more than is true with a probability of at most `LEVEL`.
"""

import numpy as np
import pytest
from numba import njit

from bounds.privacy.accounting import of_means
from paper_checks.dpzero.audits import AUDITED, audit
from paper_checks.shared.audit import LONG_GRADIENT, attack_settings
from paper_checks.shared.findings import clopper_pearson
from synthetic.audits.secret_batches import secret_batch_scores
from synthetic.audits.sums import prepare_replay, worst_case_rows
from synthetic.kernels import dpzero as dpzero_loop
from synthetic.methods.dpzero import DPZERO
from synthetic.methods.record import Kernel
from synthetic.objectives.space import Space

LEVEL = 1e-4  # probability with which an attack certifies more than is true
DECLARED = {"epsilon": 2.0, "delta": 0.1, "n": 2, "batch_size": 1, "runs": 10_000, "seed": 61, "level": LEVEL}
STEPS = {"poisson": 2, "without_replacement": 1}  # the accountant is exact for these
SHARE = {"poisson": 0.5, "without_replacement": 0.4}  # of the declared epsilon; 100,000 runs certify 0.8


@pytest.mark.parametrize("sampling", STEPS)
@pytest.mark.parametrize("method", AUDITED)
def test_an_attack_on_secret_batches_certifies_much_of_epsilon_and_no_more(method, sampling):
    found = audit(method, **DECLARED, T=STEPS[sampling], sampling=sampling)
    assert not found.convicted
    assert found.share >= SHARE[sampling]


@pytest.mark.parametrize("sampling", STEPS)
@pytest.mark.parametrize("method", AUDITED)
def test_the_noise_of_full_batches_is_convicted(method, sampling):
    """One record of 20 in a batch: the accountant finds epsilon = 14.8 for the noise with which full batches have epsilon = 1."""
    full = of_means(20, None, 1.0).calibrate_noise(1.0, 0.01)
    assert of_means(20, 1, 1.0, 1, "poisson", sigma=full.sigma).epsilon(0.01) > 14
    given = {"epsilon": 1.0, "delta": 0.01, "T": 1, "n": 20, "batch_size": 1, "sampling": sampling, "seed": 62, "level": LEVEL}
    assert audit(method, **given, runs=20_000, sigma=full.sigma).certified > 1.5


@njit(nogil=True, error_model="numpy")
def divided_by_the_actual_size(loss, value_gradient, data, params, x, alpha, lam, C, sigma, u, z_along, batch, nominal, value,
                               grad_norm_sq, clipped, tau, x_tau):  # fmt: skip
    """Run DPZero with the mistake of dividing a sum by the number of samples that the batch has."""
    for t in range(len(u)):
        rows, one = batch[t % len(batch)], slice(t, t + 1)
        size = max(np.sum(rows >= 0), 1)
        if dpzero_loop(loss, value_gradient, data, params, x, alpha, lam, C, sigma, u[one], z_along[one], rows.reshape((1, -1)), size,
                       value[one], grad_norm_sq[one], clipped[one], tau - t, x_tau) < 1:  # fmt: skip
            return t
    return len(u)


WRONG = Kernel("wrong", divided_by_the_actual_size, DPZERO.draws, DPZERO.settings)


def event_counts(method, *, n, batch_size, sigma, threshold, parts, runs=60_000):
    """Return in how many of parts times `runs` single steps the released scalar is above a threshold, on two neighbouring data sets.

    The sign of the scalar is that of the first record's slope on the first data set; all other gradients are 0. The Poisson batches are
    drawn here, coin by coin.
    """
    one, two = worst_case_rows(2, n, LONG_GRADIENT)
    settings = {**attack_settings(method, 1.0, sigma, {"sampling": "poisson"}), "batch_size": batch_size}
    counts = [0, 0]
    for part in range(parts):
        replay = prepare_replay(method, Space(((2,),)), settings, 1, runs, 7, part=part, together=1)
        u = replay.known["u"]
        for world, gradients in enumerate((one, two)):
            coins = np.random.default_rng([part, world]).random((replay.steps, n)) < batch_size / n
            batch = np.where(coins, np.arange(n), -1)
            steps = replay.step_increments(gradients, replay.draw_noise(world), batch=batch, nominal=batch_size)
            scalars = -np.sum(steps * u, axis=1) / 2 * np.sign(np.sum(u * replay.turn * one[0], axis=1))
            counts[world] += int(np.sum(scalars > threshold))
    return counts


def test_a_batch_divided_by_its_actual_size_is_convicted():
    """With the divisor B = 3 a record moves the mean by C/3; alone in a batch that is divided by its size, it moves the mean by C.

    One event, chosen in advance: the released scalar is above 0.75 C.
    """
    sigma = of_means(8, 3, 1.0, 1, "poisson").calibrate_noise(3.0, 0.01).sigma
    least = {}
    for method, parts in ((WRONG, 3), (DPZERO, 1)):
        (first, second), runs = event_counts(method, n=8, batch_size=3, sigma=sigma, threshold=0.75, parts=parts), 60_000 * parts
        low, high = clopper_pearson(first, runs, LEVEL)[0], clopper_pearson(second, runs, LEVEL)[1]
        least[method.name] = np.log(max(low - 0.01, 1e-300) / high)
    assert least["wrong"] > 3.0 > least["dpzero"]


def test_an_audit_refuses_batches_divided_by_their_actual_size():
    settings = attack_settings(WRONG, 1.0, 1.0, {"sampling": "poisson"})
    with pytest.raises(ValueError, match="in the same way on every batch"):
        secret_batch_scores(WRONG, *worst_case_rows(2, 8, LONG_GRADIENT), T=1, runs=500, batch_size=2, **settings)
