"""What the privacy and scope ledgers compute on their own, against slow and obvious twins."""

import math

import numpy as np
import pytest
from mpmath import mp
from scipy.integrate import quad
from scipy.stats import norm

from bounds import privacy
from paper_checks.dpzero.appendix import remark_f5 as steps
from paper_checks.dpzero.privacy import privacy_clause as clause
from paper_checks.shared import privacy as curves
from paper_checks.shared import rounding
from paper_checks.verdict import Outcome


def by_quadrature(p, q, epsilon, low, high):
    """The integral of the positive part of p - e^epsilon q."""
    return quad(lambda x: max(p(x) - math.exp(epsilon) * q(x), 0.0), low, high, limit=2000, epsabs=1e-13)[0]


def test_the_curve_is_that_of_the_library():
    for epsilon, mu in ((0.1, 0.01), (2.0, 0.5), (2.0, 3.0), (200.0, 17.0)):
        assert float(curves.exact_delta(mp.mpf(epsilon), mp.mpf(mu))) == pytest.approx(
            math.exp(privacy.log_delta(epsilon=epsilon, mu=mu)), rel=1e-9, abs=0
        )


@pytest.mark.parametrize(("epsilon", "sigma", "T"), [(0.5, 3.0, 6), (2.0, 2.0, 12), (5.0, 0.9, 9)])
def test_delta_of_the_mixture_against_quadrature(epsilon, sigma, T):
    def mixture(sign):
        return lambda x: sum(norm.pdf(x, sign * t, sigma * math.sqrt(t)) for t in range(1, T)) / T

    # the atom at t = 0 is the same on both sides, so it adds nothing where epsilon > 0
    want = by_quadrature(mixture(-1), mixture(1), epsilon, -T - 12 * sigma * math.sqrt(T), 0.0)
    got = curves.half_line_delta_lower_bound(epsilon=mp.mpf(epsilon), shift=mp.mpf(1), sigma=mp.mpf(sigma), T=T, last=False)
    assert float(got) == pytest.approx(want, rel=1e-6)


def test_the_bound_for_long_walks_is_below_the_sum():
    with mp.workdps(40):
        at = {"epsilon": mp.mpf(50), "shift": mp.mpf(1), "sigma": mp.mpf(2), "T": 400}
        exact = curves.half_line_delta_lower_bound(**at, last=False)
        assert 0 < curves.long_walk_delta_lower_bound(**at) < exact


def test_the_counterexample_meets_the_assumptions():
    """psi' falls from 1 to 0 along a smoothstep of width 2 L/ell: f is ell-smooth, and L M + 2 L^2/ell bounds it."""
    s = np.linspace(0, 1, 10_001)
    slope = 1 - (3 * s**2 - 2 * s**3)
    assert abs(np.gradient(slope, s)).max() / 2 <= 1  # times L / (2 L/ell), at most ell
    assert slope.mean() * 2 <= 2
    run = clause.counterexample("dpzero.theorem3", epsilon=1e6, delta=1e-5, last=False, up=False, B=1e6)
    assert run["largest |F_S|"] <= run["B"]


def test_a_private_point_is_not_refuted():
    found = clause.check_counterexample(key="dpzero.theorem1", points=((2.0, 1e-5), (20.0, 0.1)))
    assert found.outcome is Outcome.CONSISTENT


@pytest.mark.parametrize(("both", "shift"), [(True, 0.5), (False, 1.0)])
def test_delta_of_one_subsampled_step_against_quadrature(both, shift):
    q, sigma, epsilon = 0.2, 0.8, 0.7

    def law(mean):
        return lambda x: (1 - q) * norm.pdf(x, 0, sigma) + q * norm.pdf(x, mean, sigma)

    pairs = [(law(shift), law(-shift))] if both else [(law(shift), law(0.0)), (law(0.0), law(shift))]
    want = max(by_quadrature(one, two, epsilon, -12, 12) for one, two in pairs)
    with mp.workdps(30):
        got = float(curves.one_step_delta(epsilon, q=q, sigma=sigma, shift=shift, both=both))
    assert got == pytest.approx(want, abs=1e-9)


def test_the_two_evaluations_of_cert_agree():
    values = {name: value[:1] for name, value in steps.edge_problems(4, 0).items()}
    point = {name: float(value[0]) for name, value in values.items()}
    for rule in ("floor", "ceil"):
        _, ratio = rounding.bound_ratio("dpzero.theorem3", rule, values)
        assert float(rounding.precise_bound_ratio("dpzero.theorem3", rule, point)[1]) == pytest.approx(float(ratio[0]), rel=1e-12)
