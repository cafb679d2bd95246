"""What the audits of Gauss-PSGD convict: too little noise, noise that is shared, a record that is used twice and accounted once."""

import numpy as np
import pytest
from numba import njit

from bounds import privacy
from paper_checks.gauss_psgd.audits import AUDITED, PARTS, audit
from paper_checks.shared.audit import audit_scores
from synthetic import kernels
from synthetic.audits.oracles import above_threshold_scores, oracle_scores, selection_scores, worst_case_samples
from synthetic.kernels.gradient_oracles import USED
from synthetic.kernels.selection import accept_query
from tests.claims import page_claims

DECLARED = {"epsilon": 4.0, "delta": 1e-5}
RUNS = 3000


TRUE, SAME_AT_EVERY_CALL, USED_AGAIN, SAME_FOR_BOTH_CLIENTS = range(4)


@njit
def sgd(fresh, x, value_gradient, gradient, params, rows, numbers, memory, drift, counts, rng, out):
    """SGD with a fault, the last of the numbers; that for clients keeps their messages.

    SAME_AT_EVERY_CALL      the noise begins anew;   USED_AGAIN   a batch is the last batch, over and over
    SAME_FOR_BOTH_CLIENTS   two clients, both with the noise of the first
    """
    b, sigma, fault = int(numbers[0]), numbers[1], numbers[2]
    if fault == SAME_AT_EVERY_CALL:
        rng.at = 0
    before, noise = counts[USED], rng.at
    if not kernels.sgd(fresh, x, value_gradient, gradient, params, rows, (numbers[0], sigma), memory, drift, counts, rng, out):
        return False
    if fault == USED_AGAIN:
        counts[USED] = before
    if fault == SAME_FOR_BOTH_CLIENTS:
        g = np.empty(x.shape[0])
        for j in range(2):
            gradient(x, rows[j, before : before + b], params, g)
            for i in range(x.shape[0]):
                memory[j, i] = g[i] + sigma * rng.z[noise + i]
    return True


def attack(fault, *, m=1, sensitivity=2.0):
    """Attack three calls of SGD whose noise is for a sensitivity of this over b."""
    b, T = 4, 3
    sigma = privacy.sigma_gaussian(**DECLARED, T=1, sensitivity=sensitivity / b)
    one, two = worst_case_samples(m=m, n=b * T, d=2, at=b - 1, which="gradient", length=1.0)
    plan = {"numbers": (b, sigma, fault), "drift": 0.0, "loop": "descent", "rules": (0.3,), "T": T, "messages": m > 1}
    return audit_scores(oracle_scores(sgd, one, two, **plan, runs=RUNS, seed=5), **DECLARED)


@pytest.mark.verify
def test_true_noise_is_not_convicted_and_noise_for_half_the_sensitivity_is():
    true, half = attack(TRUE), attack(TRUE, sensitivity=1.0)
    assert 0.7 < true.share <= 1
    assert not true.convicted
    assert half.convicted
    assert half.share > 1.5


def test_a_record_in_two_batches_that_is_accounted_for_once():
    found = attack(USED_AGAIN)
    assert found.convicted
    assert found.mu > 1.4 * attack(TRUE).mu


def test_noise_that_is_shared_between_calls():
    """Given the first answer, which all later ones repeat the noise of, nothing hides the record."""
    assert attack(SAME_AT_EVERY_CALL).share > 100


def test_noise_that_is_shared_between_clients():
    assert attack(SAME_FOR_BOTH_CLIENTS, m=2).share > 100


@pytest.mark.verify
@pytest.mark.parametrize("settings", [{"place": "gradient"}, {"place": "difference"}], ids=lambda given: given["place"])
def test_half_the_noise_of_spider_of_two_clients(settings):
    common = {**DECLARED, **settings, "runs": RUNS, "seed": 6, "m": 2}
    assert not audit("distributed_query_dp_spider", **common).convicted
    assert audit("distributed_query_dp_spider", **common, noise=0.5).convicted


def test_algorithm_4_with_half_its_noise_and_with_the_noise_that_is_printed():
    common = {"epsilon": 8.0, "delta": 1e-5, "runs": 1000, "seed": 7}
    assert not audit("select", **common).convicted
    assert audit("select", **common, noise=0.5).convicted
    assert audit("select", **common, accountant="printed").convicted  # that of one release, for four


def test_above_threshold_with_half_its_noise():
    common = {"epsilon": 2.0, "delta": 0.0, "runs": 1_000_000, "seed": 8}
    assert not audit("above_threshold", **common).convicted
    assert audit("above_threshold", **common, noise=0.5).convicted


@njit
def without_noise_on_the_limit(query, n, epsilon, rng, chosen):
    """AboveThreshold whose limit is exact: every turned-down point tells the same about it again."""
    for r in range(chosen.shape[0]):
        chosen[r] = -1
        for t in range(query.shape[0]):
            accepted, _ = accept_query(query[t], 0.0, n, epsilon, rng)
            if accepted:
                chosen[r] = t
                break


def test_above_threshold_with_an_exact_limit(monkeypatch):
    monkeypatch.setattr("synthetic.audits.oracles.first_accepted_queries", without_noise_on_the_limit)
    assert audit("above_threshold", epsilon=2.0, delta=0.0, runs=1_000_000, seed=9, T=7).convicted


def test_every_part_has_a_claim_and_is_listed_with_its_settings():
    audited_parts = {claim.arguments["method"] for claim in page_claims("gauss_psgd.audits")}
    assert audited_parts >= set(AUDITED) - {"distributed_dp_spider", "distributed_query_dp_spider"}  # as those of Algorithm 3
    assert dict(PARTS)["select"] == ("T", "n", "d", "accountant", "noise")


@pytest.mark.parametrize(
    ("method", "given", "said"),
    [
        ("exact", {}, "not private"),
        ("svrg", {}, "one of sgd"),
        ("sgd", {"m": 2}, "m = 2: sgd has no setting m; it takes "),
        ("sgd", {"noise": 0.0}, "noise = 0.0"),
        ("dp_spider", {"place": "batch"}, "place = 'batch'"),
        ("above_threshold", {"n": 4}, "n = 4"),
    ],
)
def test_what_cannot_be_attacked_is_refused_in_a_sentence(method, given, said):
    with pytest.raises(ValueError, match=said):
        audit(method, **DECLARED, runs=10, seed=0, **given)


def test_worlds_that_are_further_apart_in_some_runs_are_not_normal():
    """A record of the second batch whose gradient is +-c x: where x is, the first answer's noise decides."""
    plan = {"numbers": (2, 0.5, TRUE), "drift": 0.0, "loop": "descent", "rules": (0.3,), "T": 2, "messages": False, "runs": 50, "seed": 5}
    one, two = worst_case_samples(m=1, n=4, d=2, at=2, which="difference", length=1.0)
    assert not oracle_scores(sgd, one, two, **plan).normal
    one, two = worst_case_samples(m=1, n=4, d=2, at=2, which="gradient", length=1.0)
    assert oracle_scores(sgd, one, two, **plan).normal


def test_the_queries_of_above_threshold_are_where_they_are_said_to_be(monkeypatch):
    asked, T, n, epsilon = [], 4, 40, 2.0
    monkeypatch.setattr("synthetic.audits.oracles.first_accepted_queries", lambda query, *_: asked.append(query))
    above_threshold_scores(T=T, n=n, epsilon=epsilon, first=0.5, last=-1.0, runs=2, seed=0)
    midway, change = (asked[0] + asked[1]) / 2, asked[0] - asked[1]
    unit = 2 / n * 4 / epsilon
    np.testing.assert_allclose(midway, [0.5 * unit] * (T - 1) + [-unit], rtol=0, atol=1e-12)
    np.testing.assert_allclose(change, [2 / n] * (T - 1) + [-2 / n], rtol=0, atol=1e-12)


def test_the_other_clients_noise_is_known_and_no_more():
    """Without messages only the first client's noise hides its record: T calls of mean distance 2/b over sigma."""
    b, T, sigma, runs = 4, 3, 1.0, 2000
    one, two = worst_case_samples(m=3, n=b * T, d=2, at=b - 1, which="gradient", length=1.0)
    plan = {"numbers": (b, sigma), "drift": 0.0, "loop": "descent", "rules": (0.3,), "T": T, "messages": False}
    seen = oracle_scores(kernels.sgd, one, two, **plan, runs=runs, seed=5)
    for scores, mean in ((seen.one, 1 / b), (seen.two, -1 / b)):
        assert abs(scores.mean() - mean / sigma) < 6.2 / np.sqrt(runs)
        assert abs(scores.std() - 1) < 6.2 / np.sqrt(2 * runs)


def test_scores_of_algorithm_4_are_normal_at_half_the_distance_and_independent():
    """The false alarm is 1e-8: five z-values of 6.2."""
    T, n, d, runs = 2, 4, 2, 4000
    seen = selection_scores(T=T, n=n, d=d, sigma_gradient=0.9, sigma_hessian=1.1, L=1.0, ell=1.5, runs=runs, seed=3)
    mu = np.sqrt(T * ((2 / n / 0.9) ** 2 + d * (3 / n / 1.1) ** 2))
    for scores, mean in ((seen.one, mu / 2), (seen.two, -mu / 2)):
        assert abs(scores.mean() - mean) < 6.2 / np.sqrt(runs)
        assert abs(scores.std() - 1) < 6.2 / np.sqrt(2 * runs)
    assert abs(np.corrcoef(seen.one, seen.two)[0, 1]) < 6.2 / np.sqrt(runs)
