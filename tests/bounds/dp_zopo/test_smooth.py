"""The stage theorem and the comparison: an independent recursion in many digits, moments by quadrature, and what a search must give."""

import math

import mpmath as mp
import numpy as np
import pytest
from numpy.polynomial.hermite_e import hermegauss

from bounds import THEOREMS
from bounds.dp_zopo.comparison import METHODS, SPLITS, Problem, Stage, compare
from bounds.privacy import accounting

PROBLEM = Problem(n=10**4, d=1e6, epsilon=2.0, delta=1e-5, L=1.3, ell=0.9, r=7.0, mu=0.2, gap=0.8)
ASKED = {"n": 10**4, "d": 1e6, "epsilon": 2.0, "delta": 1e-5, "L": 1.3, "ell": 0.9, "r": 7.0, "mu": 0.2, "gap": 0.8}


def step_by_step(p, alpha, T, C, lam, sigma, P, B):
    """D after all stages, one step after another in 40 digits, at the best split of each stage, from the words of the page."""
    with mp.workdps(40):
        L, ell, r, mu = mp.mpf(p.L), mp.mpf(p.ell), mp.mpf(p.r), mp.mpf(p.mu)
        N = mp.quad(lambda x: (x - C / L) ** 2 * mp.exp(-x * x / 2), [C / L, mp.inf]) * mp.sqrt(2 / mp.pi)
        b = L * mp.erfc(C / L / mp.sqrt(2)) + lam * ell * mp.sqrt(r)
        omega = lam * ell * mp.sqrt(r * (r + 2) * (r + 4)) / 2 + L * mp.sqrt(N * r + 2 * mp.sqrt(N * r))
        batch, two = mp.mpf(p.n - B) / (B * (p.n - 1)), 1 - mp.mpf(1) / P
        D = mp.mpf(p.gap)
        for a, steps in zip(alpha, T, strict=True):
            ends = []
            for k in SPLITS:
                now, w = D, mp.mpf(1) / (1 + mp.mpf(float(k)))
                for _ in range(steps):  # -a <grad F, step> + a^2 ell/2 E (step)^2, the gradient's part split
                    square = a - a * a * ell / 2 * ((r + 2) / P + two)
                    linear = a * b + a * a * ell * (mp.sqrt(r + 2) * omega / P + two * b)
                    rest = (omega**2 + sigma**2 * r) / P + two * b * b + batch * L * L * ((r + 2 * mp.sqrt(r)) / P + two)
                    now = now - 2 * mu * (1 - w) * square * now + linear**2 / (4 * w * square) + a * a * ell / 2 * rest
                ends.append(now)
            D = min(ends)
        return D


@pytest.mark.parametrize(("P", "B"), [(1, 10**4), (3, 50)])
def test_the_bound_is_the_recursion_step_by_step(P, B):
    alpha, T, C, sigma = [0.1, 0.05, 0.02], [5, 9, 30], 3.5, 0.2
    found, lam = PROBLEM.run(alpha, T, C, sigma, P, B)
    assert float(found) == pytest.approx(float(step_by_step(PROBLEM, alpha, T, C, float(lam), sigma, P, B)), rel=1e-10)


def test_the_numbers_are_the_theorems():
    known = {"r": 7.0, "L": 1.3, "ell": 0.9, "mu": 0.2, "gap": 0.8, "alpha": 0.03, "T": 40, "C": 2.5, "lam": 1e-3, "sigma": 0.1}
    one = Stage(**known, d=1e6, P=4, sampling=0.02, split=3.0, spread=1.1)
    stated = THEOREMS["dp_zopo.sharp_smooth"].bound_at(**known, directions=4, zo_sampling=0.02, zo_split=3.0, zo_spread=1.1)
    assert float(one.bound) == pytest.approx(stated, rel=1e-12)
    assert math.isinf(Stage(**{**known, "alpha": 3.0}, d=1e6, P=1, sampling=0.0, split=1.0).bound)


def test_the_moments_by_quadrature():
    """E X^2 v'Hv for X = clip and what it takes of |v_1 + s v_2|-like losses, in two dimensions; linear losses at r = 1 attain it."""
    x, w = hermegauss(120)
    weights = np.outer(w, w) / (2 * math.pi)
    v1, v2 = np.meshgrid(x, x, indexing="ij")
    kink = np.abs(v1 + 0.5) - np.abs(v1 - 0.5)
    bent = np.maximum(v1, v2) + np.minimum(v1, v2) / 9
    losses = ((v1, 1.0), ((v1 + v2) / math.sqrt(2), 1.0), (np.sin(v1), 1.0), (kink, 2.0), (bent, 1.01))
    for h, slope in losses:  # slope is the Lipschitz constant
        for H in ((1.0, 0.0), (1.0, 1.0)):
            at = Stage(alpha=1, T=1, C=1.0, lam=0.0, sigma=0, d=2, r=sum(H), L=slope, ell=1, gap=1, P=1, sampling=0, split=1, mu=1)
            form, kept, terms = H[0] * v1**2 + H[1] * v2**2, np.clip(h, -1, 1), at.terms()
            assert (weights * kept**2 * form).sum() <= at.of_samples(1.0)
            assert (weights * (h - kept) ** 2 * form).sum() <= terms["zo_rest"] ** 2 * 1.01
            assert abs((weights * (h - kept) * v1).sum()) <= terms["zo_tilt"] * 1.01
    one = Stage(alpha=1, T=1, C=50.0, lam=0.0, sigma=0, d=2, r=1.0, L=1.0, ell=1, gap=1, P=1, sampling=0, split=1, mu=1)
    assert (weights * v1**4).sum() == pytest.approx(one.of_samples(1.0), rel=1e-9)


def test_a_certified_row_has_the_noise_of_the_accountant_and_its_own_bound():
    for row in compare(**ASKED, target=5e-3, batches=(False,), kept=(3.0, 1e-4, 0.1)):
        steps = sum(row.T)
        assert row.function_values == 2 * row.P * row.batch_size * steps
        assert row.sigma == pytest.approx(accounting.sigma(2.0, 1e-5, steps, 10**4, None, row.C), rel=1e-12)
        r, gap, lost = (3.0, 0.8 - 1e-4, 1e-4) if row.method == "dp_zopo" else (7.0, 0.8, 0.0)
        D = gap
        for alpha, T in zip(row.alpha, row.T, strict=True):
            known = {"r": r, "L": 1.3, "ell": 0.9, "mu": 0.1 if row.method == "dp_zopo" else 0.2, "gap": D, "alpha": alpha, "T": T}
            known |= {"C": row.C, "lam": row.lam, "sigma": row.sigma}
            near = [float(Stage(**known, d=1e6, P=row.P, sampling=0.0, split=float(k)).bound) for k in SPLITS]
            split = float(SPLITS[int(np.argmin(near))])
            D = THEOREMS["dp_zopo.sharp_smooth"].bound_at(**known, directions=row.P, zo_sampling=0.0, zo_split=split, zo_spread=1.0)
        assert row.bound == pytest.approx(D + lost, rel=1e-7)
        assert row.bound <= 5e-3


def test_the_noise_does_not_depend_on_the_number_of_directions():
    least = [PROBLEM.least("dp_zoso", P=P).bound for P in (1, 2, 8)]
    assert max(least) / min(least) < 1.05  # what is left is what clipping does to single directions
    assert PROBLEM.noise(np.array([100.0]), 4, np.array([50.0])) < 2.2 * PROBLEM.noise(np.array([100.0]), 1, np.array([50.0]))


@pytest.mark.parametrize("B", [20, 200])
def test_the_noise_that_is_searched_with_is_near_the_accountants(B):
    found = PROBLEM.noise(np.array([20_000.0]), 1, np.array([float(B)]))[0]
    assert found == pytest.approx(accounting.sigma(2.0, 1e-5, 20_000, 10**4, B, 1.0, "poisson"), rel=0.02)


def test_more_function_values_and_more_freedom_never_harm():
    for method in METHODS:
        bounds = [PROBLEM.least(method, values).bound for values in (1e7, 1e8, 1e9, math.inf)]
        assert bounds == sorted(bounds, reverse=True)
    least = {method: PROBLEM.least(method).bound for method in METHODS}
    assert least["decreasing"] <= least["dp_zoso"] <= least["dpzero"]


def test_what_no_number_of_values_reaches_is_said():
    with pytest.raises(ValueError, match="dpzero certifies no less than"):
        compare(**ASKED, target=1e-6, batches=(False,))
    with pytest.raises(ValueError, match="mu = 0"):
        compare(**{**ASKED, "mu": 0})


def test_a_target_that_takes_few_steps_ends():
    """Three per cent more of 33 steps are 33 again."""
    rows = compare(**ASKED | {"n": 10**4}, target=0.1, P=3, batches=(False,))
    assert all(row.bound <= 0.1 for row in rows)
