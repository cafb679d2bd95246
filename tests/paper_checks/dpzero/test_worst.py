"""What is settled: the closed form by hand, the worst instances, and what the last iterate reveals."""

import math

import numpy as np
import pytest

from bounds.dpzero.settled import KNOWN_RATES, reached_share
from bounds.moments.recursion import at_output, expected_grad_norm_sq
from paper_checks.dpzero.experiments.last_iterate import check_path_recovery, projection_lengths
from paper_checks.dpzero.experiments.worst import NOTES, PILOT, SHARES, measure_tightness


def test_the_share_by_hand():
    # d = r = 1: R2 = 1, alpha ell = 1 is Newton's step, a = 1/2, q = 0: E F(x_T) = sigma^2 / 2, the bound has gap + T sigma^2 / 2
    assert math.isclose(reached_share(alpha=1, T=3, sigma=2, d=1, r=1, ell=1, gap=5), 1 - 2 / 11)
    # without noise nothing but q^T is left
    assert math.isclose(reached_share(alpha=0.5, T=2, sigma=0, d=1, r=1, ell=1, gap=5), 1 - 0.25**2)


def test_the_balanced_share_is_at_least_what_the_page_says():
    d, r, ell, gap, alpha, T = 50, 5, 2.0, 0.3, 0.004, 700
    sigma = math.sqrt(2 * gap / (alpha**2 * T * ell * r))
    a = alpha * ell * d * (r + 2) / (d + 2) / 2
    least = 1 - 1 / (4 * (1 - a) * alpha * ell * T) - (1 - 2 * alpha * ell * (1 - a)) ** T / 2
    share = reached_share(alpha=alpha, T=T, sigma=sigma, d=d, r=r, ell=ell, gap=gap)
    assert least <= share < least + 0.01
    start = np.repeat([math.sqrt(2 * gap / (ell * r)), 0.0], [r, d - r])
    path = expected_grad_norm_sq("dpzero", eigenvalues=np.repeat([ell, 0.0], [r, d - r]), offset=start, alpha=alpha, T=T, sigma=sigma)
    bound = (gap / (alpha * T) + alpha * ell * r * sigma**2 / 2) / (1 - a)
    assert math.isclose(at_output(path, "uniform") / bound, share, rel_tol=1e-9)


@pytest.mark.parametrize(("name", "value"), [("alpha", 2.0), ("alpha", -1), ("r", 8), ("d", 0), ("T", 1.5), ("sigma", -1), ("gap", 0)])
def test_the_share_refuses_what_cannot_be_meant(name, value):
    good = {"alpha": 0.1, "T": 5, "sigma": 1.0, "d": 7, "r": 3, "ell": 1.0, "gap": 1.0}
    with pytest.raises(ValueError, match=name):
        reached_share(**{**good, name: value})


def test_a_worst_instance_is_close_to_the_bound_and_below_it():
    (row,) = measure_tightness(spectra=["inverse"], dimensions=[2000], runs=200)
    assert row.low < row.mean < row.bound
    assert 1.0 < row.descent < row.ratio < min(1.2, row.at_most) < 1.3
    (longer,) = measure_tightness(spectra=["inverse"], dimensions=[2000], runs=200, T_max=40_000)
    assert longer.ratio < 1.2
    assert longer.descent < 1.05
    assert longer.bound < row.bound


@pytest.mark.parametrize("seed", [0, 7])
def test_the_runs_that_pick_an_instance_do_not_measure_it(monkeypatch, seed):
    """Each instance is tried by as many runs of one seed; the largest mean is measured by runs of another."""
    made = []

    def simulated(instance, *, replicates, seed, **schedule):
        made.append((instance, replicates, seed))
        return np.full(replicates, (0.4 if instance.L == 0.7 else 0.3) if replicates == PILOT else 0.2)

    monkeypatch.setattr("paper_checks.dpzero.experiments.worst.mean_grad_norm_sq", simulated)
    (row,) = measure_tightness(spectra=["flat"], dimensions=[20], runs=200, seed=seed)
    *tried, (measured, runs, fresh) = made
    assert len(tried) == len({one for one, _, _ in tried}) == len(SHARES)
    assert {replicates for _, replicates, _ in tried} == {PILOT}
    assert fresh == seed
    assert fresh not in {one for _, _, one in tried}
    assert (measured.L, runs, row.L, row.mean) == (0.7, 200, 0.7, pytest.approx(0.2))


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("theorem", "dpzero.dp_gd", "theorem"),
        ("runs", 0, "runs"),
        ("spectra", ["round"], "spectrum"),
        ("dimensions", [0], "d"),
        ("n", -1, "n"),
    ],
)
def test_the_search_refuses_what_cannot_be_meant(name, value, named):
    with pytest.raises(ValueError, match=rf"^{named} = "):
        measure_tightness(**{"dimensions": [20], "spectra": ["flat"], name: value})


def test_what_others_prove_has_its_source():
    assert all("arXiv:" in one.source for one in KNOWN_RATES)
    assert all(any(one.source in note for note in NOTES) for one in KNOWN_RATES)


def test_the_last_iterate_reveals_the_scalars():
    finding = check_path_recovery(largest=3, cases=30, seed=5)
    assert finding.outcome.value == "PROVED"
    assert finding.numbers["runs"] > 10
    assert finding.numbers["largest deviation"] < 1e-5


@pytest.mark.verify
def test_up_to_d_steps_the_last_iterate_shows_all_of_the_scalars_and_beyond_the_stated_share():
    rng = np.random.default_rng(3)
    assert projection_lengths(7, 5, 50, rng) == pytest.approx(math.sqrt(5), rel=1e-9)
    for d, share in ((2, 2 * math.sqrt(2) / math.pi), (400, math.sqrt(2 / math.pi))):
        seen = projection_lengths(d, 20 * d, 4, rng) / math.sqrt(20 * d)
        assert share - 0.02 <= seen.mean() < 0.93
