"""What the ledger of Gauss-PSGD computes on its own, against slow and obvious twins."""

import itertools
import math

import numpy as np
import pytest
from mpmath import mp

from bounds import privacy as accounting
from paper_checks.gauss_psgd import CLAIMS, escaping, privacy
from paper_checks.gauss_psgd.common import at_least, at_most, searched, share, spread, tail
from paper_checks.verdict import Outcome

pytestmark = pytest.mark.slow


def test_there_are_claims_enough_and_each_says_where_it_stands():
    assert len(CLAIMS) >= 70
    assert len({claim.key for claim in CLAIMS}) == len(CLAIMS)
    assert {claim.stated for claim in CLAIMS} == {"printed", "reading", "question"}
    assert all(claim.key.startswith("gauss_psgd.") and claim.source and claim.words and claim.why for claim in CLAIMS)
    refuted = [claim for claim in CLAIMS if claim.expected is Outcome.REFUTED]
    assert all(claim.correction for claim in refuted), [claim.key for claim in refuted if not claim.correction]


def test_the_interval_of_a_share_covers_it():
    rng = np.random.default_rng(0)
    covered = [low <= 0.3 <= high for low, high in (share(int(rng.binomial(40, 0.3)), 40, 0.05) for _ in range(500))]
    assert np.mean(covered) >= 0.95
    assert share(0, 10)[0] == 0
    assert share(10, 10) == (pytest.approx((0.5e-9) ** 0.1), 1.0)


def test_judgements_can_go_either_way():
    assert searched(1.0, {"x": 1}, 3, "", 0).outcome is Outcome.REFUTED
    assert searched(math.nan, {"x": 1}, 3, "", 0).outcome is Outcome.REFUTED  # what is not a number is not within a tolerance
    assert at_most(1.1, {"x": 1}, 3, "", 0).outcome is Outcome.REFUTED
    assert at_most(0.5, {"x": 1}, 3, "", 0, reach=0.9).outcome is Outcome.INCONCLUSIVE
    squares = float(np.sum(np.random.default_rng(1).standard_normal(400) ** 2))
    assert spread(squares, 400, "", 0).outcome is Outcome.CONSISTENT
    assert spread(2 * squares, 400, "", 0).outcome is Outcome.REFUTED
    assert tail(30, 100, 0.01, "", 0).outcome is Outcome.REFUTED
    assert tail(1, 100, 0.01, "", 0).outcome is Outcome.CONSISTENT
    assert at_least(0, 100, 0.9, "", 0).outcome is Outcome.REFUTED
    assert at_least(85, 100, 0.9, "", 0).outcome is Outcome.INCONCLUSIVE


def test_the_curve_is_that_of_the_library():
    for epsilon, mu in ((0.1, 0.01), (2.0, 0.5), (2.0, 3.0), (200.0, 17.0)):
        exact = privacy.attained(epsilon, mp.mpf(mu))
        assert float(exact) == pytest.approx(math.exp(accounting.log_delta(epsilon=epsilon, mu=mu)), rel=1e-9)


@pytest.mark.parametrize(("epsilon", "epsilon_0", "delta_0", "k"), [(0.5, 0.4, 0.0, 3), (1.0, 0.3, 0.01, 5), (0.0, 1.0, 0.0, 2)])
def test_composition_against_all_outcomes(epsilon, epsilon_0, delta_0, k):
    p = 1 / (1 + math.exp(-epsilon_0))
    outcomes = [
        (math.prod(p if heads else 1 - p for heads in one), math.prod(1 - p if heads else p for heads in one))
        for one in itertools.product((True, False), repeat=k)
    ]
    pure = sum(max(a - math.exp(epsilon) * b, 0.0) for a, b in outcomes)
    assert privacy.composed(epsilon, epsilon_0, delta_0, k) == pytest.approx(1 - (1 - delta_0) ** k * (1 - pure), rel=1e-9)


def test_growth_is_the_sum():
    assert escaping.growth(0.1, 0.5, 20) == pytest.approx(math.sqrt(sum(1.05 ** (2 * k) for k in range(20))), rel=1e-12)
