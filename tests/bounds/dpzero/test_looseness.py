"""How loose a theorem is: the numbers by hand, the exact mean by simulation, the truth below both bounds, and lies that are caught."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.dpzero.looseness import METHODS, RANKS, SPECTRA, against_quadratic, against_sharper, eigenvalues, printed_descent, sharp_descent
from bounds.dpzero.recommend import recommend
from bounds.dpzero.remark_f5 import integer_T
from bounds.dpzero.sharp_schedule import sharp_plan
from bounds.moments.recursion import at_output, expected_grad_norm_sq

ONES = {"epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0}
LETTERS = ("alpha", "T", "sigma", "d", "r")


def test_the_problems_of_the_grid_are_those_of_a_recommendation():
    ((one, two),) = [against_sharper(ranks=[(2_000.0, 8.18)], samples=(1e4, 1e6))]
    plan, free = (recommend("dpzero", n=1e4, d=2_000.0, r=8.18, B=1.0, T_max=most, **ONES) for most in ("printed", None))
    assert (one.printed, one.sharp, one.sharp_free) == (plan.printed.bound, plan.sharp.bound, free.sharp.bound)
    assert one.ratio == pytest.approx(155.0, abs=0.1)
    assert one.ratio_free == pytest.approx(284.0, abs=0.1)
    assert two.n == 1e6


def test_the_printed_bound_by_hand():
    (found,) = against_sharper(ranks=[(20.0, 3.6)], samples=(1e5,))
    n, d, r, A = 1e5, 20.0, 3.6, math.log(math.e + 2e6)
    X = 2 * math.sqrt(2 * math.pi) * n**3 * 4 * (r + 2) * (d + 8 * (r + 2)) / (r * A)
    assert found.printed == pytest.approx((64 * (1 + math.log(X)) + 2) * math.sqrt(r * A) / (2 * n), rel=1e-12)
    sharp = sharp_plan("dpzero", n=n, d=d, r=r, **ONES).bound
    assert found.ratio == pytest.approx(found.printed / sharp, rel=1e-2)  # T is rounded up here and down there


def test_the_ranks_of_the_grid_are_harmonic_numbers():
    for d, r in RANKS:
        harmonic = eigenvalues("inverse", int(d)).sum() if d <= 1e6 else math.log(d) + 0.5772156649 + 1 / (2 * d)
        assert r == pytest.approx(harmonic, abs=0.06)


@pytest.mark.parametrize("method", sorted(set(METHODS.values())))
def test_every_theorem_of_a_method_is_looser_than_ours(method):
    for theorem in [key for key in METHODS if METHODS[key] == method]:
        for row in against_sharper(theorem, ranks=[(200.0, 5.9)], samples=(1e6,)):
            assert row.ratio > 1
            assert row.ratio_free >= 0.999 * row.ratio
        for row in against_quadratic(theorem, dimensions=(20,), spectra=("inverse",)):
            assert 1 <= row.sharp_over_exact <= row.printed_over_exact * (1 + 1e-12)


def by_hand(theorem, alpha, T, sigma, d, r, ell, gap):
    if theorem == "dpzero.dp_gd":
        return 2 * gap / (alpha * T) + ell * alpha * r * sigma**2
    return 4 * gap / (alpha * T) + 2 * ell * alpha * (d if theorem == "dpzero.theorem1" else r) * sigma**2


AT = {"alpha": 0.004, "T": 300.0, "sigma": 0.3, "d": 40.0, "r": 5.0, "ell": 1.5, "gap": 0.7}


@pytest.mark.parametrize("theorem", METHODS)
def test_the_descent_parts_by_hand(theorem):
    assert printed_descent(theorem, **AT) == pytest.approx(by_hand(theorem, **AT), rel=1e-12)
    weight = 1.0 if theorem == "dpzero.dp_gd" else 40 * 7 / 42
    a = 0.004 * 1.5 * weight / 2
    ours = (0.7 / (0.004 * 300) + 0.004 * 1.5 * 5 * 0.09 / 2) / (1 - a)
    assert sharp_descent(METHODS[theorem], **AT) == pytest.approx(ours, rel=1e-12)


def test_a_step_that_is_too_long_has_no_bound():
    for theorem, largest in {"dpzero.theorem1": 1 / 240, "dpzero.theorem3": 1 / 42, "dpzero.dp_gd": 1 / 1.5}.items():
        assert printed_descent(theorem, **{**AT, "alpha": largest}) < math.inf
        assert printed_descent(theorem, **{**AT, "alpha": 1.001 * largest}) == math.inf
    assert sharp_descent("dpzero", **{**AT, "alpha": 1.0}) == math.inf
    for method, alpha in {"dpzero": 0.25, "dp_gd": 1.5}.items():  # a = 1.25 and 1.125
        assert sharp_descent(method, **{**AT, "alpha": alpha}) == math.inf


def test_the_exact_mean_by_simulation():
    """Algorithm 2 without clipping, written out, on the quadratic of a row: within 5 standard errors (false alarm below 1e-6)."""
    row = against_quadratic(dimensions=(5,), spectra=("inverse_sqrt",), n=30.0)[0]
    assert row.schedule == "printed"
    draw, runs = np.random.default_rng(7), 20_000
    a = 1 / np.sqrt(np.arange(1, 6))
    e, total = np.full((runs, 5), math.sqrt(2 / a.sum())), np.zeros(runs)
    assert row.start == pytest.approx(float(np.sum((a * e[0]) ** 2)))
    for _ in range(row.T):
        total += np.sum((a * e) ** 2, axis=1) / row.T
        u = draw.standard_normal((runs, 5))
        u *= math.sqrt(5) / np.linalg.norm(u, axis=1, keepdims=True)
        e -= row.alpha * (np.sum(u * a * e, axis=1, keepdims=True) + row.sigma * draw.standard_normal((runs, 1))) * u
    assert abs(total.mean() - row.exact) < 5 * total.std() / math.sqrt(runs)
    assert abs(total.mean() - 1.2 * row.exact) > 5 * total.std() / math.sqrt(runs)  # the test can tell


def exact_mean(theorem, a, alpha, T, sigma):
    offset = np.full(a.size, math.sqrt(2 / a.sum()))
    return at_output(expected_grad_norm_sq(METHODS[theorem], eigenvalues=a, offset=offset, alpha=alpha, T=T, sigma=sigma), "uniform")


@pytest.mark.parametrize("theorem", METHODS)
@settings(max_examples=60)
@given(
    spectrum=st.sampled_from(SPECTRA), d=st.integers(1, 40), T=st.integers(1, 300), share=st.floats(1e-3, 1), noise=st.floats(0, 5)
)  # fmt: skip
def test_the_truth_is_below_ours_and_ours_below_the_printed_descent(theorem, spectrum, d, T, share, noise):
    a = eigenvalues(spectrum, d)
    r = float(a.sum())
    largest = {"dpzero.theorem1": 1 / (4 * d), "dpzero.dp_gd": 1.0}.get(theorem, 1 / (4 * (r + 2)))
    at = {"alpha": share * largest, "T": float(T), "sigma": noise, "d": float(d), "r": r, "ell": 1.0, "gap": 1.0}
    exact = exact_mean(theorem, a, at["alpha"], T, noise)
    assert exact <= sharp_descent(METHODS[theorem], **at) * (1 + 1e-12)
    assert sharp_descent(METHODS[theorem], **at) <= printed_descent(theorem, **at) * (1 + 1e-12)


@pytest.mark.parametrize(
    ("lie", "changes"),
    [
        ("ours without 1 / (1 - a)", lambda at: by_hand("dpzero.dp_gd", **at) / 2),
        ("ours with half of the noise", lambda at: sharp_descent("dpzero", **{**at, "sigma": at["sigma"] / math.sqrt(2)})),
        ("ours with T + 20 percent", lambda at: sharp_descent("dpzero", **{**at, "T": 1.2 * at["T"]})),
        ("ours with rank r - 1", lambda at: sharp_descent("dpzero", **{**at, "r": at["r"] - 1})),
        ("the printed descent over 4", lambda at: printed_descent("dpzero.theorem3", **at) / 4),
    ],
)
def test_a_descent_that_promises_too_much_is_caught(lie, changes):
    a, points = eigenvalues("flat", 4), []
    for T in (2_000, 20):
        for sigma in (0.0, 1.0, 20.0):
            for alpha in (1 / 24, 0.005):
                at = {"alpha": alpha, "T": float(T), "sigma": sigma, "d": 4.0, "r": 4.0, "ell": 1.0, "gap": 1.0}
                points.append(exact_mean("dpzero.theorem3", a, alpha, T, sigma) / changes(at))
    assert max(points) > 1.001, lie


def test_where_publishing_the_start_is_best_the_sharp_plan_has_no_row():
    rows = against_quadratic("dpzero.theorem2", dimensions=(200,), spectra=("flat",))
    assert [row.schedule for row in rows] == ["printed"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: against_sharper("dpzero.lemma_c1"), "theorem = 'dpzero.lemma_c1': one of dpzero.theorem1"),
        (lambda: against_quadratic("dpzero.table1_dpzero"), "theorem = 'dpzero.table1_dpzero'"),
        (lambda: against_quadratic(spectra=("steep",)), "spectrum = 'steep'"),
        (lambda: against_quadratic(dimensions=(0,)), "d = 0"),
        (lambda: against_quadratic(delta=1.0), "delta = 1.0"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_the_quadratic_has_the_gap_that_is_asked_for():
    a = eigenvalues("inverse", 20)
    (row, *_) = against_quadratic(dimensions=(20,), spectra=("inverse",), gap=3.0)
    assert row.start == pytest.approx(float(np.sum(a**2) * 2 * 3.0 / a.sum()), rel=1e-12)
    whole = integer_T("dpzero.theorem3", **ONES | {"gap": 3.0}, n=1e4, d=20.0, r=float(a.sum()), B=3.0)
    assert (row.alpha, row.T, row.sigma) == (whole.schedule["alpha"], whole.T, whole.schedule["sigma"])


def test_the_printed_bound_is_that_of_the_given_B():
    at = {"epsilon": 2.0, "delta": 1e-6, "L": 2.0, "ell": 0.5, "gap": 3.0, "B": 50.0}
    (found,) = against_sharper(ranks=[(20.0, 3.6)], samples=(1e5,), **at)
    assert found.printed == recommend("dpzero", n=1e5, d=20.0, r=3.6, **at).printed.bound
