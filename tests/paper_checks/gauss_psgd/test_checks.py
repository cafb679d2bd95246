"""Examiners given results of our choice: what each counts, what it compares, and where its judgement turns."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from bounds import THEOREMS
from bounds.privacy import gaussian as accounting
from bounds.symbols import C as C_letter
from paper_checks.dpzero import algorithms, printed, statement
from paper_checks.dpzero.appendix import lemma_c2
from paper_checks.dpzero.privacy import lemma_2_2
from paper_checks.gauss_psgd import discussion, rates, scaled, theorem4
from paper_checks.gauss_psgd import theorem3 as psgd_theorem3
from paper_checks.gauss_psgd.algorithms import algorithm1, algorithms_2_and_3
from paper_checks.gauss_psgd.lemmas import corollary_3_lemmas_10_to_15, lemmas_1_and_2
from paper_checks.shared.formulas import evaluate_formula
from paper_checks.verdict import Outcome
from synthetic.kernels import psgd as codes
from synthetic.runs import simulate as runner


@pytest.mark.parametrize("relation", ["replace", "remove"])
@pytest.mark.parametrize("method", ["dpzero", "dpgd_0th", "dp_gd"])
def test_neighbours_differ_in_one_record_as_far_as_can_be(method, relation, monkeypatch):
    """Of three pairs one is far out along the step and its mirror image, one a record and its mirror image, one any two records."""
    asked, real = [], algorithms.replay

    def replay(name, on, **given):
        asked.append((on.rows.copy(), on.x, on.u[0], given.get("sigma", 0.0)))
        return real(name, on, **given)

    monkeypatch.setattr(algorithms, "replay", replay)
    found = algorithms.check_sensitivity(method=method, cases=9, seed=3, relation=relation)
    assert found.numbers["pairs"] == 9
    replays = [0.0, 0.0, 1.0, 1.0] if relation == "replace" else [0.0, 0.0]
    assert [sigma for *_, sigma in asked] == replays * 9
    for k in range(9):
        (rows, x, u, _), (other, *_) = asked[len(replays) * k :][:2]
        if relation == "remove":
            assert len(other) == len(rows) - 1 >= 1
            continue
        (changed,) = np.flatnonzero(np.any(rows != other, axis=1))
        if k % 3 < 2:
            np.testing.assert_allclose(rows[changed] + other[changed], 2 * x)
        if k % 3 == 0:
            np.testing.assert_allclose(rows[changed], x - 1e4 * u)


def test_an_anchor_that_is_no_second_order_point_is_not_passed_over(monkeypatch):
    """The last iterate is judged where the anchor is such a point; the anchor on every run that returns."""
    landscape, run = algorithm1.run_near_saddle(6, 24)
    moved = replace(run, x=run.x + 0.5, status=np.full(6, codes.RETURNED))
    assert not any(landscape.certify_sosp(x, 1.0).sosp for x in moved.x)
    monkeypatch.setattr(algorithm1, "run_near_saddle", lambda cases, seed: (landscape, moved))
    anchor, last = (algorithm1.check_returned_point(what=what, cases=6, seed=24) for what in ("anchor", "last"))
    assert (anchor.outcome, anchor.numbers) == (Outcome.REFUTED, {"runs that return": 6, "not an alpha-SOSP": 6})
    assert (last.outcome, last.numbers["runs that return"]) == (Outcome.INCONCLUSIVE, 0)


@pytest.mark.parametrize(
    ("frozen", "fresh", "outcome"),
    [
        ((0.1, 0.2), (0.3, 0.4), Outcome.REFUTED),
        ((0.1, 0.3), (0.3, 0.4), Outcome.INCONCLUSIVE),
        ((0.2, 0.4), (0.1, 0.3), Outcome.INCONCLUSIVE),
        ((0.3, 0.4), (0.1, 0.3), Outcome.INCONCLUSIVE),
        ((0.31, 0.4), (0.1, 0.3), Outcome.CONSISTENT),
    ],
)
def test_frozen_noise_is_faster_only_where_the_intervals_are_apart(frozen, fresh, outcome, monkeypatch):
    asked = []
    monkeypatch.setattr(lemmas_1_and_2, "count_frozen_escapes", lambda mu, runs, seed: 7)
    monkeypatch.setattr(lemmas_1_and_2, "count_escapes", lambda mu, runs, seed: 5)
    monkeypatch.setattr(
        lemmas_1_and_2, "clopper_pearson", lambda hits, runs, level: asked.append((hits, runs, level)) or (frozen if hits == 7 else fresh)
    )
    found = lemmas_1_and_2.check_frozen_noise(mu=8.0, runs=10, seed=3)
    assert found.outcome is outcome
    assert asked == [(7, 10, 5e-10), (5, 10, 5e-10)]  # two intervals, half of the level each
    if outcome is not Outcome.INCONCLUSIVE:
        assert found.numbers == {"mu": 8.0, "frozen": 7, "independent": 5, "runs": 10}
        assert (found.false_alarm, found.seed) == (1e-9, 3)


def used(monkeypatch, change=lambda log: None, **numbers):
    """What is found where a run of one O_1 of 20 samples and five O_2 of 3 has left this log: uses, first and last call of each sample."""

    def run(landscape, **_):
        log = landscape.params[1][1:]
        log[:20, 0] = 1
        log[20:35] = (2, 4, 5)
        change(log)
        made = {"samples": 35, "fresh_calls": 1, "calls": 6, "rounds": 3, "phases": 1} | numbers
        return SimpleNamespace(**{name: np.array([value]) for name, value in made.items()})

    monkeypatch.setattr(algorithm1, "gauss_psgd", run)
    return algorithm1.check_single_use(restart="last", drift="reset", cases=2, seed=0)


def test_a_sample_in_one_release_is_what_is_counted(monkeypatch):
    found = used(monkeypatch)
    assert (found.outcome, found.numbers["largest deviation"]) == (Outcome.CONSISTENT, 0.0)
    assert "over 4 restarts" in found.sentence  # two cases


def test_every_other_use_of_a_sample_is_a_deviation(monkeypatch):
    def thrice(log):
        log[20, 0] = 3

    def late(log):
        log[20, 2] = 6

    def beyond(log):
        log[40, 0] = 1

    def twice_beyond(log):
        log[599, 0] = 2

    for change, deviation in ((thrice, 2.0), (late, 1.0), (beyond, 2.0), (twice_beyond, 2.0)):
        found = used(monkeypatch, change)
        assert found.outcome is Outcome.REFUTED
        assert found.witness["deviation"] == deviation
    # 20 more of an O_1 and 3 fewer of an O_2 are missed, and used is not 40 + 12
    assert used(monkeypatch, fresh_calls=2).witness["deviation"] == 24.0
    assert used(monkeypatch, calls=7).witness["deviation"] == 4.0
    assert used(monkeypatch, samples=36).witness["deviation"] == 1.0
    assert used(monkeypatch, samples=34).witness["deviation"] == 2.0


@pytest.mark.parametrize(
    ("m", "claimed_is_less"),
    [(1.0, False), (1.0 + 1e-8, True), (4.0, True)],
)
def test_the_rate_of_the_introduction_is_compared_to_rounding(m, claimed_is_less):
    found = psgd_theorem3.check_introduction_rate(m=m, n=1e6, d=10.0, epsilon=2.0)
    assert (found.outcome is Outcome.REFUTED) == claimed_is_less
    assert found.numbers["introduction"] == pytest.approx((10**0.5 / (2e6 * m)) ** 0.4)
    assert found.numbers["Theorem 3"] == pytest.approx((10**0.5 / (2e6 * m**0.5)) ** 0.4)


@pytest.mark.parametrize(("tolerance", "outcome"), [(0.0601, Outcome.CONSISTENT), (0.0599, Outcome.REFUTED)])
def test_a_slope_is_refuted_beyond_its_tolerance(tolerance, outcome, monkeypatch):
    """Roots 1e20 and 1e32 to the powers -0.34."""
    monkeypatch.setattr(rates.rates, "balance_terms", lambda problem, **given: SimpleNamespace(accuracy=problem.n**-0.34))
    found = rates.check_rate_exponent(p=0.0, stated_slope=-0.4, tolerance=tolerance)
    assert found.outcome is outcome
    assert found.numbers == {"slope": pytest.approx(-0.34), "stated": -0.4, "sqrt(d)/epsilon = n^p, p": 0.0}


def test_a_slope_moves_the_dimension_with_n(monkeypatch):
    asked = []
    monkeypatch.setattr(
        rates.rates, "balance_terms", lambda problem, **given: asked.append((problem, given)) or SimpleNamespace(accuracy=0.5)
    )
    rates.check_rate_exponent(p=0.25, stated_slope=-0.4, tolerance=0.1)
    rates.check_rate_exponent(p=0.0, stated_slope=-0.4, tolerance=0.1, limit="best", step="exact_gradients")
    at = [(one.n, one.d, one.epsilon, one.m, one.L, one.ell, one.rho, one.U, one.delta) for one, _ in asked]
    ones = (1.0, 1, 1.0, 1.0, 1.0, 1.0, 1e-5)
    assert at == [(n, pytest.approx(d), *ones) for n, d in ((1e20, 1e10), (1e32, 1e16), (1e20, 1.0), (1e32, 1.0))]
    assert [given for _, given in asked] == [dict(p=0.25, drift_limit="printed", step="printed")] * 2 + [
        dict(p=0.0, drift_limit="best", step="exact_gradients")
    ] * 2


@pytest.mark.parametrize(
    ("clip", "norm", "outcome"),
    [
        (1.0, 0.0161, Outcome.CONSISTENT),  # 100 coordinates: 2/6000 4.8448 10 = 0.01615, within 0.03
        (1.0, 0.0212, Outcome.INCONCLUSIVE),  # the printed norm is another
        (5.0, 0.0807, Outcome.REFUTED),  # of 100 coordinates none of 0.0807 +- 0.0057 is within 0.03
    ],
)
def test_whether_a_test_can_fire(clip, norm, outcome):
    found = discussion.check_test_can_pass(clip=clip, settings=((1.0, 1.0, norm),), parameters=100)
    assert found.outcome is outcome
    if outcome is not Outcome.INCONCLUSIVE:
        assert found.numbers["noise norm, m = 1, epsilon = 1"] == pytest.approx(norm, abs=1e-4)


@pytest.mark.parametrize(
    ("r", "outcome"),
    [(0.0999, Outcome.REFUTED), (0.1, Outcome.CONSISTENT), (0.05, Outcome.REFUTED), (0.2, Outcome.CONSISTENT)],
)
def test_an_order_as_a_lower_bound(r, outcome):
    """sigma/sqrt(d) = 0.1; an r just below it meets the upper bound with the constant 1."""
    found = discussion.check_lower_bound_from_order(sigma=1.0, alpha=0.1, d=100, r=r)
    assert found.outcome is outcome
    assert found.numbers["sqrt((sigma^2 + alpha^(3/2))/d)"] == pytest.approx(((1 + 0.1**1.5) / 100) ** 0.5)


def test_the_moments_of_an_isotropic_vector_meet_their_bound_with_equality_whatever_the_directions():
    """The excess of (10) is 0 up to the rounding of squares, which have no sign; with unequal variances it is a witness."""
    for seed in range(8):
        found = corollary_3_lemmas_10_to_15.check_isotropy(variances=(2.0, 2.0, 2.0), length=50, seed=seed)
        assert found.outcome is Outcome.CONSISTENT
        assert corollary_3_lemmas_10_to_15.check_isotropy(variances=(1.0, 3.0), length=50, seed=seed).outcome is Outcome.REFUTED


def test_the_bias_is_searched_in_one_dimension_up_to_a_thousand(monkeypatch):
    """At every lam up to where a step is 30 long, on both spectra, at the steepest point and at a random one in turn."""
    asked, real = [], lemma_c2.cosine_mean
    monkeypatch.setattr(lemma_c2, "cosine_mean", lambda d, lam, in_ball: asked.append((d, lam, in_ball)) or real(d, lam, in_ball))
    found = lemma_c2.check_bias_and_moment(points=3, seed=1)
    bias, square = asked[::2], asked[1::2]
    assert [d for d, *_ in bias] == [d for d in (1, 2, 3, 10, 100, 1000) for _ in range(6)]
    assert [lam for _, lam, _ in bias[:6:2]] == pytest.approx([0.01, (0.01 * 30) ** 0.5, 30.0])
    assert bias[-1][1] == pytest.approx(30 / 1000**0.5)
    assert square == [(d, pytest.approx(2 * lam), False) for d, lam, _ in bias]
    assert all(in_ball for *_, in_ball in bias)
    assert found.numbers["tried"] == 36


def test_the_sample_that_is_replaced_goes_from_one_extreme_to_the_other(monkeypatch):
    """Of random-phase cosines: every sine from 1 to -1, the largest change of the gradient, or every cosine, that of the Hessian."""
    asked, real = [], theorem4.drawn.mean_derivatives

    def means(landscape, rows, x):
        asked.append((rows[0].copy(), x))
        return real(landscape, rows, x)

    monkeypatch.setattr(theorem4.drawn, "mean_derivatives", means)
    found = theorem4.check_scalar_queries(dimensions=(2, 5), cases=4, seed=0)
    assert found.outcome is Outcome.CONSISTENT
    assert len(asked) == 2 * 4 * 2
    for k, ((rows, x), (other, again)) in enumerate(zip(asked[::2], asked[1::2], strict=True)):
        d = 2 if k < 4 else 5
        assert np.array_equal(x, again)
        assert np.array_equal(rows[1:], other[1:])
        assert len(rows) == 12
        angles = [np.arctan2(one[0, d:], one[0, :d]) + x for one in (rows, other)]  # of a sample with phases z: cos z, sin z
        seen = [np.sin(one) if k % 2 else np.cos(one) for one in angles]
        np.testing.assert_allclose(seen, [np.ones(d), -np.ones(d)], atol=1e-12)


@pytest.mark.parametrize(
    "change", [{"used": 1}, {"used": -1}, {"fresh": 1}, {"fresh": -1}, {"drift": 1e-6}, {"messages": -1e-6}, {"estimates": 1e-6}]
)
def test_an_oracle_that_counts_or_computes_otherwise_is_noticed(change, monkeypatch):
    real = algorithms_2_and_3.replay_oracle

    def play(*given, **numbers):
        seen = real(*given, **numbers)
        ((name, by),) = change.items()
        if name != "fresh":
            return replace(seen, **{name: getattr(seen, name) + by})
        fresh = seen.fresh.copy()
        fresh[np.flatnonzero(fresh == (by < 0))[0]] = by > 0
        return replace(seen, fresh=fresh)

    assert algorithms_2_and_3.check_printed_lines(cases=2, seed=1).outcome is Outcome.CONSISTENT
    monkeypatch.setattr(algorithms_2_and_3, "replay_oracle", play)
    assert algorithms_2_and_3.check_printed_lines(cases=2, seed=1).outcome is Outcome.REFUTED


@pytest.mark.parametrize(
    ("factor", "outcome"), [(1.0, Outcome.CONSISTENT), (0.5, Outcome.REFUTED), (2.0, Outcome.REFUTED), (1.001, Outcome.REFUTED)]
)
def test_a_critical_epsilon_that_is_too_small_or_too_large_is_refuted(factor, outcome, monkeypatch):
    """Above it the noise must not be private, below it it must be, also where the library finds the stated one."""
    exact = accounting.lemma_2_2_critical_epsilon(0.1)
    monkeypatch.setattr(lemma_2_2.privacy, "lemma_2_2_critical_epsilon", lambda delta: factor * exact)
    found = lemma_2_2.check_critical_epsilon(delta=0.1, stated=factor * exact, last_digit=1e-4 * exact, points=20)
    assert found.outcome is outcome
    assert "epsilon" in found.witness or outcome is Outcome.CONSISTENT


@pytest.mark.parametrize(("found", "outcome"), [(1.0, Outcome.CONSISTENT), (1.0002, Outcome.REFUTED), (0.9998, Outcome.REFUTED)])
def test_the_library_has_to_find_the_critical_epsilon_too(found, outcome, monkeypatch):
    exact = accounting.lemma_2_2_critical_epsilon(0.1)
    monkeypatch.setattr(lemma_2_2.privacy, "lemma_2_2_critical_epsilon", lambda delta: found * exact)
    assert lemma_2_2.check_critical_epsilon(delta=0.1, stated=exact, last_digit=2e-4 * exact, points=20).outcome is outcome


def test_the_printed_threshold_of_theorem_3_is_that_of_the_theory_at_any_constants():
    """C = 4 L sqrt(log X), at constants that are neither 0 nor 1 nor 2."""
    at = {"n": 9e4, "d": 70.0, "r": 5.0, "epsilon": 0.7, "delta": 1e-5, "L": 1.7, "ell": 0.6, "gap": 0.4, "B": 1.3}
    for changed in ({}, {"epsilon": 3.0}, {"L": 0.2, "B": 5.0}, {"ell": 4.0, "r": 60.0}):
        values = at | changed
        C = THEOREMS["dpzero.theorem3"].evaluate(**values).schedule["C"]
        assert evaluate_formula(printed.PAGES["dpzero.theorem3"].in_constants(C_letter), values) == pytest.approx(C, rel=1e-12)


def test_one_matrix_of_a_sign_is_as_long_as_1_with_certainty():
    """P(|sign| >= 1) = 1 over 2 exp(-1/(2 (1 + 1/3)))."""
    found = corollary_3_lemmas_10_to_15.check_matrix_bernstein(counts=(1,), dimensions=(1,))
    assert found.numbers["largest tail / bound"] == pytest.approx(math.exp(3 / 8) / 2, rel=1e-9)


def test_the_mean_over_tau_has_the_start_and_not_the_last_iterate(monkeypatch):
    real = runner.simulate

    def simulate(method, one, **settings):
        found = real(method, one, **settings)
        path = np.zeros_like(found.grad_norm_sq)
        path[:, 0], path[:, -1] = 1.0, 0.5
        return replace(found, grad_norm_sq=path)

    monkeypatch.setattr(runner, "simulate", simulate)
    given = {"objective": "logistic", "d": 5, "n": 500, "epsilon": 2.0, "delta": 1e-5, "runs": 3, "seed": 1}
    found = statement.check_runs_below_bound(theorem="dpzero.dp_gd", **given)
    assert found.numbers["mean"] == pytest.approx(1 / found.numbers["schedule T"], rel=1e-12)


def test_the_interval_that_a_pilot_prints_is_that_of_95_percent(monkeypatch):
    """Clopper and Pearson, 10 of 10: the low end is 0.025^(1/10)."""
    ones = np.ones(10)
    run = SimpleNamespace(returned=ones, steps=ones, fresh_calls=ones, samples=ones, error=ones, settings={"chi": 1.0})
    monkeypatch.setattr(scaled, "run_setting", lambda setting: (ones, run))
    found = scaled.check_success_rate(often=True, runs=10, seed=1, d=1, n=100, epsilon=1.0)
    assert found.numbers["95 % interval"] == pytest.approx([0.025**0.1, 1.0], rel=1e-12)
    assert found.sentence.startswith("10 of 10 runs end in an alpha-SOSP (95 % interval 0.69 to 1.00)")
    assert found.numbers["low"] < 0.2
