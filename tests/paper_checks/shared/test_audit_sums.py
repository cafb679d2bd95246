"""What the audits of methods on sums convict: each fault here is certified above what is declared, with confidence 1 - 1e-9."""

import numpy as np
import pytest

from bounds.privacy import accounting
from paper_checks.dp_grape import audits as grape
from paper_checks.dp_grape.theorem_4_1 import printed_noise as printed
from paper_checks.dp_zopo import audits as zopo
from paper_checks.dpzero import audits as dpzero
from synthetic.audits.replay import Replay

DECLARED = {"epsilon": 4.0, "delta": 1e-5, "T": 2, "n": 4}
RUNS = {"runs": 4_000, "seed": 1}
BATCHES = {"epsilon": 2.0, "delta": 0.1, "T": 1, "n": 2, "batch_size": 1, "runs": 20_000, "seed": 1}


def needed(T=2, **more):
    return accounting.sigma(4.0, 1e-5, T, 4, None, 1.0, **more)


@pytest.mark.parametrize(("page", "method"), [(grape, "dp_grape"), (zopo, "dp_zoo")])
def test_half_the_noise_is_convicted_and_all_of_it_is_not(page, method):
    assert page.audit(method, **DECLARED, **RUNS, sigma=needed() / 2).convicted
    honest = page.audit(method, **DECLARED, **RUNS)
    assert not honest.convicted
    assert honest.share > 0.6


def test_the_sensitivity_of_one_record_more_is_convicted_where_one_is_replaced():
    assert zopo.audit("dp_zoo", **DECLARED, **RUNS, sigma=needed(neighbours="add_or_remove_one")).convicted


@pytest.mark.verify
def test_noise_that_blocks_share_is_convicted():
    assert grape.audit("dp_grape_blocks", **DECLARED, runs=8_000, seed=1, noise="shared").convicted


@pytest.mark.sample(4)
@pytest.mark.parametrize(("page", "method"), [(page, method) for page in (dpzero, grape, zopo) for method in page.AUDITED])
def test_noise_that_steps_share_is_convicted(page, method, monkeypatch):
    """Gradients turn from step to step, or the sum of two steps with one noise would say no more than one of them."""
    added = Replay.step_increments
    monkeypatch.setattr(Replay, "step_increments", lambda self, rows, z: added(self, rows, z[np.arange(len(z)) // 2 * 2]))
    if method == "dp_zopo":  # one mask for all runs decides what its steps have in common: nothing is certified then
        with pytest.raises(ValueError, match=r"^method = .dp_zopo., rates = 0.5: the start of a stage is drawn once for all runs"):
            page.audit(method, **DECLARED, runs=20_000, seed=1)
    else:
        assert page.audit(method, **DECLARED, runs=20_000, seed=1).convicted


def test_several_directions_that_are_accounted_as_one_are_convicted():
    assert zopo.audit("dp_zoo", **DECLARED, **RUNS, P=3, sigma=needed()).convicted
    assert not zopo.audit("dp_zoo", **DECLARED, **RUNS, P=3, sigma=needed(T=6)).convicted


def test_the_printed_noise_of_dp_grape_is_convicted_at_8():
    """Theorem 4.1 holds its sigma to be enough up to epsilon = 2 log(2/delta), 24 here."""
    at, T, n = (8.0, 1e-5), 2, 4
    found = grape.audit("dp_grape", epsilon=8.0, delta=1e-5, T=T, n=n, **RUNS, sigma=printed(at=at, steps=T, samples=n))
    assert found.convicted
    assert found.certified > 10


@pytest.mark.parametrize("sampling", ["without_replacement", "poisson"])
def test_secret_batches_with_half_the_noise_are_convicted(sampling):
    sigma = accounting.sigma(2.0, 0.1, 1, 2, 1, 1.0, sampling) / 2
    assert zopo.audit("dp_zoo", **BATCHES, sampling=sampling, sigma=sigma).convicted
    assert not zopo.audit("dp_zoo", **BATCHES, sampling=sampling).convicted


def test_poisson_noise_for_batches_of_fixed_size_is_convicted():
    """Another record takes the place of one that is not drawn, and where all of them are opposite to it, it is twice as far away."""
    sigma = accounting.sigma(2.0, 0.1, 1, 2, 1, 1.0, "poisson")
    assert zopo.audit("dp_zoo", **BATCHES, sampling="without_replacement", sigma=sigma).convicted


@pytest.mark.parametrize("page", [grape, zopo])
def test_a_method_that_is_not_audited_is_named(page):
    with pytest.raises(ValueError, match=r"^method = 'galore': one of dp_"):
        page.audit("galore", **DECLARED, **RUNS)
