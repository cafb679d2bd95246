"""What an attack certifies: its ends against exact laws, and against noise that is too little."""

import math
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from scipy import stats

from bounds import privacy
from bounds.privacy import accounting
from paper_checks.dpzero import audits
from paper_checks.dpzero.experiments import last_iterate
from paper_checks.shared import audit
from paper_checks.shared.audit import attack_secret_batches
from paper_checks.verdict import Outcome
from synthetic.audits.replay import ALIKE, prepare_replay
from synthetic.audits.secret_batches import secret_batch_scores
from synthetic.audits.sums import STEPS, AuditScores, neighbour_scores, worst_case_rows
from synthetic.methods.dp_zopo import DP_ZOO
from synthetic.methods.dpzero import KERNELS
from synthetic.objectives.space import Space

WORDS = {"T": 3, "n": 3, "runs": 20_000, "seed": 5, "level": 1e-6}


def normal(mu, runs, rng):
    return AuditScores(mu / 2 + rng.standard_normal(runs), -mu / 2 + rng.standard_normal(runs))


@pytest.mark.parametrize("mu", [0.1, 0.45, 3.0, 14.0])
def test_the_end_of_mu_is_below_the_truth_as_often_as_it_says_and_close(mu):
    rng, level, tries, runs = np.random.default_rng(1), 0.05, 400, 500
    samples = [normal(mu, runs, rng) for _ in range(tries)]
    ends = [audit.mu_lower_limit(seen.one, seen.two, level) for seen in samples]
    assert np.mean(np.array(ends) > mu) <= level + 3 * math.sqrt(level / tries)
    assert np.mean(ends) > mu - 6 * math.sqrt(2 / runs) * (1 + mu)


def test_an_event_certifies_randomised_response_and_errs_seldom():
    rng, level, tries = np.random.default_rng(2), 0.05, 400
    odds, runs, found = 3.0, 2_000, []
    for _ in range(tries):
        one, two = (rng.random(runs) < share for share in (odds / (1 + odds), 1 / (1 + odds)))
        found.append(audit.epsilon_lower_limit(one.astype(float), two.astype(float), 0.0, level))
    assert np.mean(np.array(found) > math.log(odds)) <= level + 3 * math.sqrt(level / tries)
    assert np.mean(found) > 0.8 * math.log(odds)


def test_an_event_of_probability_delta_certifies_nothing():
    rng = np.random.default_rng(3)
    one, two = (rng.random(20_000) < 0.05).astype(float), np.zeros(20_000)
    assert audit.epsilon_lower_limit(one, two, 0.05, 1e-6) == 0.0
    assert audit.epsilon_lower_limit(one, two, 0.0, 1e-6) > 2.5
    assert audit.epsilon_lower_limit(one, two, 0.03, 1e-6) > 1


def test_worlds_that_are_one_certify_nothing_and_worlds_without_noise_everything():
    rng = np.random.default_rng(4)
    same = audit.audit_scores(normal(0.0, 5_000, rng), epsilon=1.0, delta=1e-5)
    assert (same.certified, same.convicted) == (0.0, False)
    bare = audit.audit_scores(AuditScores(np.ones(5_000), np.zeros(5_000)), epsilon=1.0, delta=1e-5)
    assert bare.mu == math.inf
    assert bare.convicted


def test_a_swap_of_the_worlds_is_no_less_telling_of_an_event():
    rng = np.random.default_rng(5)
    seen = normal(3.0, 20_000, rng)
    there, back = (audit.epsilon_lower_limit(a, b, 1e-3, 1e-6) for a, b in ((seen.one, seen.two), (seen.two, seen.one)))
    assert min(there, back) > 2
    assert there == pytest.approx(back, rel=0.2)


def test_epsilon_of_mu_is_the_exact_one():
    assert audit.epsilon_of_mu(0.7, 1e-6) == privacy.epsilon_gaussian(delta=1e-6, sigma=1.0, T=1, sensitivity=0.7)
    assert (audit.epsilon_of_mu(0.0, 1e-6), audit.epsilon_of_mu(0.7, 0.0)) == (0.0, math.inf)


@pytest.mark.parametrize("name", audits.AUDITED)
def test_the_exact_noise_is_not_convicted_and_half_of_it_is(name):
    sigma = accounting.sigma(4.0, 1e-5, 3, 3, None, 1.0)
    kept = audits.audit(name, epsilon=4.0, delta=1e-5, **WORDS)
    assert 0.8 < kept.share <= 1
    assert audits.audit(name, epsilon=4.0, delta=1e-5, sigma=sigma / 2, **WORDS).convicted


@pytest.mark.parametrize("name", audits.AUDITED)
def test_the_noise_for_a_sensitivity_of_c_over_n_is_convicted(name):
    sigma = privacy.sigma_gaussian(epsilon=4.0, delta=1e-5, T=3, sensitivity=1 / 3)
    assert audits.audit(name, epsilon=4.0, delta=1e-5, sigma=sigma, **WORDS).convicted


def test_the_noise_of_lemma_2_2_is_convicted_at_epsilon_100():
    sigma = privacy.sigma_lemma_2_2(epsilon=100.0, delta=0.1, T=3, sensitivity=2 / 3)
    found = audits.audit("dpzero", epsilon=100.0, delta=0.1, sigma=sigma, **WORDS)
    assert found.convicted
    assert found.any_noise < 10  # no event that is ever seen would tell
    private = privacy.sigma_lemma_2_2(epsilon=50.0, delta=0.1, T=3, sensitivity=2 / 3)
    assert not audits.audit("dpzero", epsilon=50.0, delta=0.1, sigma=private, **WORDS).convicted


def test_the_observer_is_the_one_that_the_algorithm_allows():
    """Algorithm 2 by hand: along u_t it releases C sign(g'u_t) / n, or the negative of it, plus sigma z_t."""
    T, n, sigma, runs = 3, 4, 0.9, 4_000
    one, two = worst_case_rows(2, n, 1e6)
    seen = neighbour_scores(KERNELS["dpzero"], one, two, T=T, runs=runs, seed=7, alpha=0.3, C=2.0, sigma=sigma, lam=0.5)
    mu = 2 * 2.0 / n * math.sqrt(T) / sigma
    for scores, mean in ((seen.one, mu / 2), (seen.two, -mu / 2)):
        assert abs(scores.mean() - mean) < 6 / math.sqrt(runs)
        assert abs(scores.std() - 1) < 6 / math.sqrt(2 * runs)


def laplace(rng, shape, settings):
    return rng.laplace(0.0, 1 / math.sqrt(2), shape)


def test_noise_that_is_not_normal_is_attacked_by_events_alone():
    """One release of Laplace noise of deviation sigma = (2/n) sqrt(2) / epsilon is exactly (epsilon, 0)-DP."""
    kernel = KERNELS["dpzero"]
    u, z = kernel.draws
    other = replace(kernel, name="laplace", draws=(u, replace(z, law=laplace)))
    found = audit.attack_full_batches(other, epsilon=2.0, delta=1e-6, T=1, n=3, sigma=math.sqrt(2) / 3, runs=40_000, seed=5)
    assert (found.normal, found.convicted) == (0.0, False)
    assert found.any_noise > 1.7


def test_runs_share_no_projection_although_the_distance_of_the_worlds_hangs_on_it():
    kernel, space = import_module("synthetic.methods.dp_grape").DP_GRAPE, Space(((2, 2), (1,)))
    one, two = worst_case_rows(5, 3, 0.1)  # too short to be clipped: the projection decides how long it is
    given = {"T": 2, "runs": 50, "space": space, "alpha": 1.0, "C": 1.0, "sigma": 1.0, "r": 1}
    assert not neighbour_scores(kernel, one, two, F=2, **given).normal
    settings = {name: given[name] for name in ("alpha", "C", "sigma", "r")}
    for T, F, rows in ((2, 4, 1), (2, 2, 1), (3, 2, 2)):
        assert not neighbour_scores(kernel, one, two, F=F, **{**given, "T": T}).normal
        replay = prepare_replay(kernel, space, {**settings, "F": F}, T, 50, 0, together=1)
        assert len({tuple(row) for row in replay.known["P"]}) == 50 * rows
        assert replay.separate == bool(T % F)
    assert not secret_batch_scores(kernel, one, two, F=4, batch_size=1, sampling="poisson", **given).normal


def test_more_runs_than_one_call_makes_have_streams_of_their_own():
    one, two = worst_case_rows(1, 2, 1e6)
    runs = STEPS + 100
    seen = neighbour_scores(KERNELS["dp_gd"], one, two, T=1, runs=runs, seed=0, alpha=1.0, C=1.0, sigma=1.0)
    assert len(set(seen.one) | set(seen.two)) == 2 * runs


def test_a_judgement_says_what_is_certified():
    found = audit.audit_scores(normal(1.0, 4_000, np.random.default_rng(6)), epsilon=3.0, delta=1e-3)
    assert audit.audit_finding(found, 0.5, {}, 0).outcome is Outcome.CONSISTENT
    assert audit.audit_finding(found, 0.99, {}, 0).outcome is Outcome.INCONCLUSIVE
    declared = audit.audit_scores(normal(1.0, 4_000, np.random.default_rng(6)), epsilon=1.0, delta=1e-3)
    assert audit.audit_finding(declared, 0.5, {}, 0).outcome is Outcome.REFUTED


OUTSIDE = [  # true and false positives, true and false negatives, delta, level: privacy-estimates 0.1.0.post1, method="beta"
    ((900, 950, 50, 100, 1e-5, 0.05), 2.5992064827528365),
    ((5000, 9900, 100, 5000, 1e-2, 1e-6), 3.3859577697490773),
    ((300, 10000, 0, 9700, 1e-3, 0.01), 3.84552258690845),
]


@pytest.mark.parametrize(("counted", "epsilon"), OUTSIDE)
def test_the_end_of_an_event_is_that_of_another_library(counted, epsilon):
    """privacy-estimates finds its ends of both probabilities by its own code, and takes the better of the event and its complement."""
    TP, TN, FP, FN, delta, level = counted
    assert audit._epsilon_limit([TP, FP], [TP + FN, FP + TN], delta, level) == pytest.approx(epsilon, rel=1e-9)


def test_the_runs_that_choose_an_event_do_not_test_it_and_those_that_test_it_do_not_choose():
    apart, alike = (np.ones(500), np.zeros(500)), (np.zeros(500), np.zeros(500))
    for first, second in ((apart, alike), (alike, apart)):
        one, two = (np.concatenate(halves) for halves in zip(first, second, strict=True))
        assert audit.epsilon_lower_limit(one, two, 0.0, 1e-3) == 0.0
    assert audit.epsilon_lower_limit(np.ones(1000), np.zeros(1000), 0.0, 1e-3) > 4


def test_each_of_the_two_ends_has_half_the_level():
    seen = normal(2.0, 2_000, np.random.default_rng(7))
    found = audit.audit_scores(seen, epsilon=3.0, delta=1e-3, level=0.02)
    assert found.any_noise == audit.epsilon_lower_limit(seen.one, seen.two, 1e-3, 0.01)
    assert found.mu == pytest.approx(audit.mu_lower_limit(seen.one, seen.two, 0.01), rel=2 * ALIKE)
    assert found.mu < audit.mu_lower_limit(seen.one, seen.two, 0.01)
    assert found.level == 0.02


def test_both_intervals_of_mu_are_those_of_student_and_of_chi_square():
    """With half the level each: with the deviation known the end of the means alone, with many runs of one that of the deviation."""
    one, two, level = np.array([2.0, 3.0, 4.0, 7.0]), np.array([-1.0, 0.0, 2.0]), 0.2
    pooled = np.sum((one - 4) ** 2) + np.sum((two - 1 / 3) ** 2)
    largest = math.sqrt(pooled / stats.chi2.ppf(0.1, 5))
    end = (4 - 1 / 3) / largest - stats.norm.ppf(0.9) * math.sqrt(1 / 4 + 1 / 3)
    assert end == pytest.approx(audit.mu_lower_limit(one, two, level), abs=1e-12) if end > 0 else audit.mu_lower_limit(one, two, level) == 0
    far = audit.mu_lower_limit(one + 50, two, level)
    assert far == pytest.approx((54 - 1 / 3) / largest - stats.norm.ppf(0.9) * math.sqrt(1 / 4 + 1 / 3), rel=1e-12)


def test_scores_without_noise_certify_all_or_nothing():
    """Means of as many equal numbers, and of more, agree up to rounding only, and their deviations need not be 0."""
    for score in (0.0, 1.0, 0.1, -1 / 3, 7.7e5):
        for many in (7, 10):
            one, two = np.full(10, score), np.full(many, score)
            assert audit.mu_lower_limit(one, two, 0.01) == audit.mu_lower_limit(two, one, 0.01) == 0.0
            assert audit.mu_lower_limit(one * (1 + 1e-15), two, 0.01) == 0.0
            assert audit.mu_lower_limit(one + 1e-3, two, 0.01) == math.inf
            assert audit.mu_lower_limit(one, two + 1e-3, 0.01) == 0.0


@pytest.mark.parametrize("sampling", ["without_replacement", "poisson"])
def test_an_attack_on_batches_has_the_level_that_is_asked_for(sampling):
    given = {"epsilon": 2.0, "delta": 0.1, "T": 1, "n": 3, "batch_size": 1, "sampling": sampling, "runs": 3_000, "seed": 1}
    sure, less = (attack_secret_batches(DP_ZOO, **given, level=level) for level in (1e-9, 0.1))
    assert (sure.level, less.level) == (1e-9, 0.1)
    assert sure.certified < less.certified


def test_each_size_of_a_leak_has_its_share_of_the_level_and_all_must_leak(monkeypatch):
    levels, shares = [], iter([1.0, 1e-9, 1.0, 1.0])

    def told(values, level):
        levels.append(level)
        return next(shares)

    monkeypatch.setattr(last_iterate, "mean_lower_limit", told)
    given = {"epsilon": 2.0, "delta": 1e-6, "share": 0.75, "sizes": ((2, 8), (3, 9)), "runs": 3, "seed": 1}
    assert last_iterate.check_last_iterate_noise(**given).outcome is Outcome.CONSISTENT  # one of the two leaks
    assert last_iterate.check_last_iterate_noise(**given).outcome is Outcome.REFUTED  # both
    assert levels == [last_iterate.LEVEL / 2] * 4
