"""Integer T: the certified bound against the printed one, where the proof says that it is kept and where it is not."""

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.dpzero import THEOREMS, integer_T
from bounds.dpzero.remark_f5 import ROUNDED, certified_bound

VALUES = dict(n=10_000, d=2_000, r=8.18, epsilon=2.0, delta=1e-6, L=1.0, ell=1.0, gap=1.0, B=1.0, mu=0.5)


def problem(chance, pl):
    d = 10 ** chance.uniform(0, 4)
    r = d ** chance.random()
    L, ell = 10 ** chance.uniform(-1, 1), 10 ** chance.uniform(-1, 1)
    mu = ell * 10 ** chance.uniform(-3, 0)
    gap = L**2 / (2 * mu) * 10 ** chance.uniform(-6, 0) if pl else L**2 / ell * 10 ** chance.uniform(-3, 4)
    return dict(
        n=10 ** chance.uniform(0, 8), d=d, r=r, epsilon=10 ** chance.uniform(-2, 1), delta=10 ** chance.uniform(-9, -0.01),
        L=L, ell=ell, gap=gap, B=gap * chance.uniform(0.5, 2), mu=mu,
    )  # fmt: skip


@pytest.mark.parametrize("key", ["dpzero.theorem1", "dpzero.theorem2", "dpzero.theorem3", "dpzero.dp_gd"])
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_the_theorems_keep_their_bound_at_the_integer(key, seed):
    values = problem(random.Random(seed), pl=False)
    if not THEOREMS[key].evaluate(**values).holds:
        return
    got = integer_T(key, **values)
    assert got.T >= 1
    assert got.keeps
    assert got.bound <= math.nextafter(values["L"] ** 2, math.inf)  # L^2 rounded up


@pytest.mark.parametrize("key", ["dpzero.corollary_f2", "dpzero.corollary_f3", "dpzero.corollary_f4"])
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_the_corollaries_keep_their_bound_at_the_floor(key, seed):
    values = problem(random.Random(seed), pl=True)
    at_real_T = THEOREMS[key].evaluate(**values)
    if not at_real_T.holds:
        return
    got = integer_T(key, **values)
    assert math.floor(at_real_T.schedule["T"]) == got.T
    assert got.keeps


def test_dp_gd_keeps_its_bound_only_because_the_last_noise_is_never_used():
    values = {**VALUES, "n": 2037, "d": 50, "r": 5, "epsilon": 1.0, "delta": 1e-5, "gap": 16}
    got, theorem = integer_T("dpzero.dp_gd", **values), THEOREMS["dpzero.dp_gd"]
    assert got.printed == pytest.approx(0.23837862, abs=1e-8)
    assert got.keeps
    whole = replace(theorem, at_integer_T=replace(theorem.at_integer_T, bound=theorem.any_schedule))
    assert min(certified_bound(whole, T, values) for T in (268, 269)) > got.printed * (1 + 1e-6)


def test_a_hypothesis_that_fails_is_carried_along():
    values = dict(n=1e6, d=1, epsilon=1, delta=1e-5, L=1, ell=1, gap=1e-3, mu=20)
    got, printed = integer_T("dpzero.corollary_f2", **values), THEOREMS["dpzero.corollary_f2"].evaluate(**values)
    assert got.keeps
    assert not got.holds
    assert got.caveats == printed.caveats
    assert "mu = 20 is above ell = 1" in got.caveats[0]
    assert integer_T("dpzero.theorem3", **{**VALUES, "n": 1}).holds  # fewer than one step: in scope only


def test_the_ceiling_would_break_a_corollary():
    theorem, worst, chance = THEOREMS["dpzero.corollary_f2"], 0.0, random.Random(0)
    for _ in range(60):
        values = problem(chance, pl=True)
        at_real_T = theorem.evaluate(**values)
        if at_real_T.holds:
            ceiling = math.ceil(at_real_T.schedule["T"])
            worst = max(worst, certified_bound(theorem, ceiling, values) / at_real_T.bound)
    assert 1.0 < worst < 2.0


def test_below_one_step_the_output_is_the_start():
    got = integer_T("dpzero.theorem3", **{**VALUES, "n": 1})
    assert (got.T, got.bound, got.keeps) == (1, 1.0, True)
    real = THEOREMS["dpzero.theorem3"].evaluate(**{**VALUES, "n": 1}).schedule["T"]
    assert got.reason == f"T = 1, because T* = {real:.4g} is below 1; the trivial bound is smaller than what the theorem proves there"


@pytest.mark.parametrize("key", ["dpzero.theorem1", "dpzero.dp_gd"])
def test_at_exactly_one_step_nothing_is_below_one(key):
    """T* is proportional to n: next to the n with T* = 1 is a float with T* = 1, for some gap at least."""
    found = []
    for gap in (0.5, 0.6, 0.7, 0.9, 1.0, 1.1, 1.3, 1.7):
        values = {**VALUES, "gap": gap, "n": 1.0}
        n = 1 / THEOREMS[key].evaluate(**values).schedule["T"]
        for near in (n, math.nextafter(n, 0), math.nextafter(n, math.inf)):
            if THEOREMS[key].evaluate(**{**values, "n": near}).schedule["T"] == 1:
                found.append(integer_T(key, **{**values, "n": near}))
    assert found
    assert {(got.T, got.schedule["T"]) for got in found} == {(1, 1.0)}
    assert all("the better of floor and ceiling of T* = 1;" in got.reason for got in found)


def test_the_repr_is_a_sentence_without_the_conditions_that_hold():
    got = integer_T("dpzero.theorem3", **VALUES)
    assert repr(got).startswith(f"IntegerT(dpzero.theorem3: bound = {got.bound:.6g} at T = {got.T}; T = {got.T}, the better of floor and ")
    assert repr(got).count("not met") == bool(got.caveats)
    assert len(repr(got)) < 400


def test_without_a_logarithm_there_is_no_threshold_and_only_the_trivial_bound():
    got = integer_T("dpzero.theorem3", n=1, d=1, r=1, epsilon=1e-3, delta=0.5, L=1, ell=1, gap=0, B=0)
    assert (got.T, got.bound, got.keeps) == (1, 1.0, False)
    assert math.isnan(got.schedule["C"])


def test_the_noise_is_that_of_the_integer():
    got = integer_T("dpzero.theorem3", **VALUES)
    real = THEOREMS["dpzero.theorem3"].evaluate(**VALUES)
    assert abs(got.T - real.schedule["T"]) < 1
    assert got.schedule["T"] == got.T
    assert got.schedule["sigma"] == pytest.approx(real.schedule["sigma"] * math.sqrt(got.T / real.schedule["T"]))
    assert all(got.schedule[name] == pytest.approx(real.schedule[name], rel=1e-15) for name in ("alpha", "C", "lam"))
    assert got.printed == real.bound


@pytest.mark.parametrize("key", ROUNDED)
def test_every_case_runs_far_out(key):
    got = integer_T(key, **{**VALUES, "n": 1e9, "d": 100, "delta": 1e-15, "mu": 0.5})
    assert got.T >= 1
    assert 0 < got.bound <= got.printed * 1.01


def test_an_unknown_key_is_named():
    with pytest.raises(ValueError, match=r"key = 'dpzero.lemma_c1'"):
        integer_T("dpzero.lemma_c1", **VALUES)


TRIVIAL = {  # what every point satisfies: by the Lipschitz constant, by PL besides, by the bound on the loss
    **{f"dpzero.{key}": lambda L, mu, B: L**2 for key in ("theorem1", "theorem2", "theorem3", "dp_gd")},
    **{f"dpzero.corollary_{key}": lambda L, mu, B: L**2 / (2 * mu) for key in ("f2", "f3")},
    "dpzero.corollary_f4": lambda L, mu, B: min(L**2 / (2 * mu), 2 * B),
}


@pytest.mark.parametrize("key", TRIVIAL)
@pytest.mark.parametrize("B", [0.7, 70.0])
def test_with_few_samples_the_trivial_bound_is_left(key, B):
    L, mu = 1.3, 0.11
    few = dict(n=3.0, d=40.0, r=6.0, epsilon=0.3, delta=1e-6, L=L, ell=0.9, gap=1.2, B=B, mu=mu)
    found = integer_T(key, **few)
    assert found.T == 1
    assert found.bound == pytest.approx(TRIVIAL[key](L, mu, B), rel=1e-12)
    assert "the trivial bound is smaller" in found.reason
