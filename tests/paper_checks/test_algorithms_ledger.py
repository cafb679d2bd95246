import numpy as np
import pytest
from scipy.stats import beta

from paper_checks.dpzero import algorithms, clipping, convergence, figure_claims, randomness, sphere_lemmas, tables
from paper_checks.run import examine
from paper_checks.verdict import Outcome

CLAIMS = (
    *algorithms.CLAIMS, *clipping.CLAIMS, *randomness.CLAIMS, *sphere_lemmas.CLAIMS, *convergence.CLAIMS, *tables.CLAIMS,
    *figure_claims.CLAIMS,
)  # fmt: skip


def test_keys_are_unique_and_every_claim_says_where_it_stands():
    assert len({claim.key for claim in CLAIMS}) == len(CLAIMS)
    assert all(claim.source and claim.words and claim.why for claim in CLAIMS)


@pytest.mark.slow
@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if not claim.needs_full], ids=lambda claim: claim.key)
def test_the_quick_run_finds_what_the_ledger_records(claim):
    finding, _ = examine(claim)
    assert finding.outcome is claim.expected, finding.sentence


@pytest.mark.parametrize("d", [2, 3])
def test_the_rule_on_the_sphere_is_exact(d):
    u, weights = sphere_lemmas.sphere_rule(d, 8)
    np.testing.assert_allclose(np.linalg.norm(u, axis=1), np.sqrt(d))
    np.testing.assert_allclose((weights[:, None] * u).T @ u, np.eye(d), atol=1e-14)
    assert weights @ u[:, 0] ** 4 == pytest.approx(3 * d / (d + 2))


@pytest.mark.parametrize("d", [2, 5, 40])
def test_damping_is_the_mean_of_the_cosine(d):
    share = (np.arange(200_000) + 0.5) / 200_000
    squares = d * beta(0.5, (d - 1) / 2).ppf(share)  # of u_1
    assert np.cos(1.3 * np.sqrt(squares)).mean() == pytest.approx(sphere_lemmas.damping(d, 1.3, False), abs=1e-4)


def test_equal_noise_is_seen():
    rng = np.random.default_rng(0)
    a = rng.standard_normal(200)
    assert randomness.correlated(a, a) < 1e-20
    assert randomness.correlated(a, np.ones(200)) == 0.0
    assert randomness.correlated(a, rng.standard_normal(200)) > 1e-3


def test_an_objective_that_fails_an_assumption_is_named():
    found = convergence.bound_against_runs(
        theorem="dpzero.theorem3", objective="pseudo_huber", d=2, n=10, epsilon=1.0, delta=0.1, runs=2, seed=0
    )
    assert found.outcome is Outcome.NOT_TESTABLE
    assert "not bounded" in found.sentence


def test_a_wrong_table_entry_is_refuted(monkeypatch):
    monkeypatch.setitem(tables.TABLE_2, "DPZero, 6", (92.2, 49.3, 76.8, 67.4, 71.9, 87.6))
    assert tables.largest_drop_dpzero().outcome is Outcome.REFUTED
