import numpy as np
import pytest
from scipy.stats import beta

from paper_checks.dpzero import statement
from paper_checks.dpzero.appendix import lemma_c2
from paper_checks.dpzero.experiments import tables
from paper_checks.run import check_claim
from paper_checks.shared import draws
from paper_checks.verdict import Outcome
from tests.claims import page_claims


@pytest.mark.parametrize("d", [2, 3])
def test_the_rule_on_the_sphere_is_exact(d):
    u, weights = lemma_c2.sphere_quadrature(d, 8)
    np.testing.assert_allclose(np.linalg.norm(u, axis=1), np.sqrt(d))
    np.testing.assert_allclose((weights[:, None] * u).T @ u, np.eye(d), atol=1e-14)
    assert weights @ u[:, 0] ** 4 == pytest.approx(3 * d / (d + 2))


@pytest.mark.parametrize("d", [2, 5, 40])
def test_damping_is_the_mean_of_the_cosine(d):
    share = (np.arange(200_000) + 0.5) / 200_000
    squares = d * beta(0.5, (d - 1) / 2).ppf(share)  # of u_1
    assert np.cos(1.3 * np.sqrt(squares)).mean() == pytest.approx(lemma_c2.cosine_mean(d, 1.3, False), abs=1e-4)


def test_equal_noise_is_seen():
    rng = np.random.default_rng(0)
    a = rng.standard_normal(200)
    assert draws.correlation_p_value(a, a) < 1e-20
    for constant in (1.0, 0.1, 1 / 3, -7.7e5):  # the deviation of equal numbers need not be 0
        assert draws.correlation_p_value(a, np.full(200, constant)) == 0.0
        assert draws.correlation_p_value(np.full(200, constant), a) == 0.0
        assert draws.correlation_p_value(a, constant * (1 + 1e-15 * rng.standard_normal(200))) == 0.0
    assert draws.correlation_p_value(a, 0 * a) == 0.0
    assert draws.correlation_p_value(a, rng.standard_normal(200)) > 1e-3


def test_an_objective_that_fails_an_assumption_is_named():
    found = statement.check_runs_below_bound(
        theorem="dpzero.theorem3", objective="pseudo_huber", d=2, n=10, epsilon=1.0, delta=0.1, runs=2, seed=0
    )
    assert found.outcome is Outcome.NOT_TESTABLE
    assert "not bounded" in found.sentence


WRONG_ENTRIES = [
    ("table2.drop_first_order", "TABLE_2", "DP-LoRA, 6", (91.0, 48.8, 81.0, 72.8, 74.8, 89.2)),
    ("table2.drop_dpzero", "TABLE_2", "DPZero, 6", (92.2, 49.3, 76.8, 67.4, 71.9, 87.6)),
    ("table4.drop_opt", "TABLE_5", "DPZero, 6", (72.6, 24.7, 75.7, 24.5, 79.5, 28.4)),
    ("table4.identical_cells", "TABLE_4", "DPZero, 2", (86.8, 61.6, 90.5, 63.7, 90.6, 63.8)),
    ("table3.near_zero_cost", "TABLE_3", "DPZero", (0.347, 2669)),
    ("table3.considerable_memory", "TABLE_3", "DP-LoRA", (1.05, 10896)),
    ("table9.agrees", "TABLE_9", "LoRA", (93.3, 0.812, 10366)),
    ("table11.memory", "TABLE_11", "DPZero", (7866, 11602, 20549, None)),
    ("table11.memory", "TABLE_11", "AdamW", (20000, None, None, None)),
    ("table6.grid", "TABLE_6", "delta", 1e-5),
    ("table6.grid", "TABLE_6", "n of the test set", 1000),
    ("table7.directions", "TABLE_7", "SST-2", ((92.2, 0.3, 91.8, 0.1), (90.2, 0.1, 91.5, 0.5))),
    ("table8.iterations", "TABLE_8", "iterations", 100_000),
    ("table8.iterations", "FIRST_ORDER", "batch", 46),
    ("table8.thresholds", "FIRST_ORDER", "clips", (0.1, 0.5, 1, 100)),
    ("table10.samples_seen", "TABLE_10", "batch", 64),
]


@pytest.mark.parametrize(("key", "table", "row", "entry"), WRONG_ENTRIES, ids=lambda value: value if isinstance(value, str) else "")
def test_a_wrong_table_entry_is_noticed(key, table, row, entry, monkeypatch):
    claim = next(claim for claim in page_claims("dpzero.tables") if claim.key == f"dpzero.{key}")
    monkeypatch.setitem(getattr(tables, table), row, entry)
    assert check_claim(claim)[0].outcome is not claim.expected


def test_only_what_is_computed_from_the_experiment_takes_no_entry():
    checked = {f"dpzero.{key}" for key, *_ in WRONG_ENTRIES}
    left = {claim.key for claim in page_claims("dpzero.tables") if claim.expected is not Outcome.NOT_TESTABLE} - checked
    assert left == {"dpzero.table6.noise", "dpzero.table6.spectra"}


def test_the_full_comparison_of_a_theorem_with_runs_has_four_times_as_many():
    runs = [one for one in page_claims("dpzero.theorems_1_and_2") if one.key.startswith("dpzero.theorem2.runs_on_")]
    compared = [one for one in runs if one.expected is Outcome.CONSISTENT]
    assert [one.key.rpartition("_on_")[2] for one in compared] == ["cosine", "pseudo_huber", "logistic"]
    assert {(one.arguments_of(full=False)["runs"], one.arguments_of(full=True)["runs"]) for one in compared} == {(150, 600)}
