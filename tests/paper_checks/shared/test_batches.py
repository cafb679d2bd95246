"""Enumerated batches against slow and obvious twins: sums over outcomes, 40 digits, and draws of batches."""

import itertools
import math

import mpmath as mp
import numpy as np
import pytest

from paper_checks.shared import batches
from paper_checks.verdict import Outcome

NEIGHBOURS = [
    ((1, 1, 1, -1), (1, 1, 1, 1)),
    ((-1, 0, 1, 1), (-1, 0, 1, -1)),
    ((-1, 1, 0), (-1, 1, 1)),
    ((0, 0, -1, 1, 1), (0, 0, -1, 1, 0)),
]


def plain(records, batch, sigma, x):
    """The density of a noisy mean of the first `batch` of the records, over all orders that they can be in."""
    orders = list(itertools.permutations(records))
    normal = sum(np.exp(-((x - sum(order[:batch]) / batch) ** 2) / (2 * sigma**2)) for order in orders)
    return normal / (len(orders) * sigma * math.sqrt(2 * math.pi))


def outcomes(sigma, many):
    x = np.linspace(-1 - 8 * sigma, 1 + 8 * sigma, many)
    return x, x[1] - x[0]


@pytest.mark.parametrize(("one", "two"), NEIGHBOURS)
@pytest.mark.parametrize(("batch", "sigma", "epsilon"), [(2, 0.8, 1.0), (1, 0.6, 2.0), (2, 0.3, 0.0)])
def test_one_step_is_a_sum_over_outcomes(one, two, batch, sigma, epsilon):
    x, length = outcomes(sigma, 40_001)
    direct = np.maximum(plain(one, batch, sigma, x) - math.exp(epsilon) * plain(two, batch, sigma, x), 0).sum() * length
    low, high = batches.one_step_delta_bounds(batches.enclosing_pairs(one, two, batch, sigma, 2000), epsilon)
    assert low - 1e-8 <= direct <= high + 1e-8
    assert high - low < 1e-3


@pytest.mark.parametrize(("one", "two"), NEIGHBOURS)
def test_two_steps_on_the_same_records_are_a_sum_over_both_outcomes(one, two):
    batch, sigma, epsilon = 2, 0.7, 0.8
    x, length = outcomes(sigma, 1201)
    p, q = (plain(records, batch, sigma, x) for records in (one, two))
    direct = np.maximum(np.multiply.outer(p, p) - math.exp(epsilon) * np.multiply.outer(q, q), 0).sum() * length**2
    ends = batches.enclosing_pairs(one, two, batch, sigma, 2000)
    low, high = batches.two_step_delta_bounds(ends, [ends], epsilon)
    assert low * (1 - 1e-4) <= direct <= high * (1 + 1e-4)


def test_records_that_answer_are_the_worst_for_each_first_outcome():
    batch, sigma, epsilon = 2, 0.7, 0.8
    pairs = [(one, two) for one, two in NEIGHBOURS if len(one) == 4] + [((1, 1, 1, 1), (1, 1, 1, -1))]
    ends = [batches.enclosing_pairs(one, two, batch, sigma, 2000) for one, two in pairs]
    x, length = outcomes(sigma, 801)
    laws = [(plain(one, batch, sigma, x), plain(two, batch, sigma, x)) for one, two in pairs]
    p, q = laws[0]
    direct = 0.0
    for seen in range(x.size):
        direct += max(np.maximum(p[seen] * after - math.exp(epsilon) * q[seen] * other, 0).sum() for after, other in laws) * length**2
    low, high = batches.two_step_delta_bounds(ends[0], ends, epsilon)
    assert low * (1 - 1e-4) <= direct <= high * (1 + 1e-4)
    assert low > 1.01 * batches.two_step_delta_bounds(ends[0], ends[:1], epsilon)[1]


@pytest.mark.parametrize(("batch", "sigma", "epsilon"), [(2, 1.5, 2.0), (1, 1.0, 1.5), (3, 3.0, 0.1)])
def test_known_records_that_are_alike_are_enclosed_in_40_digits(batch, sigma, epsilon):
    with mp.workdps(40):
        q, mu, eps = mp.mpf(batch) / 4, 2 / (mp.mpf(batch) * mp.mpf(sigma)), mp.mpf(epsilon)
        x = mp.log((mp.exp(eps) - 1 + q) / q) / mu + mu / 2
        exact = float((1 - q - mp.exp(eps)) * mp.ncdf(-x) + q * mp.ncdf(mu - x))
    for cells in (500, 1000, 2000, 4000):
        low, high = batches.one_step_delta_bounds(batches.enclosing_pairs((-1, -1, -1, 1), (-1, -1, -1, -1), batch, sigma, cells), epsilon)
        assert low - 1e-13 <= exact <= high + 1e-13
        assert high - low < 10_000 / cells**2 * exact


def test_batches_that_are_drawn_spend_what_is_enumerated():
    """delta is the mean of max(1 - e^epsilon q/p, 0) over releases; Hoeffding's inequality, wrong with probability 1e-9 at most."""
    one, two, batch, sigma, epsilon, runs = (1, 1, 1, -1), (1, 1, 1, 1), 2, 0.4, 1.0, 100_000
    draw = np.random.default_rng(11)
    order = np.argsort(draw.random((runs, 4)), axis=1)[:, :batch]
    released = np.array(one)[order].mean(axis=1) + sigma * draw.standard_normal(runs)
    gains = np.maximum(1 - math.exp(epsilon) * plain(two, batch, sigma, released) / plain(one, batch, sigma, released), 0)
    half = math.sqrt(math.log(2e9) / (2 * runs))
    low, high = batches.one_step_delta_bounds(batches.enclosing_pairs(one, two, batch, sigma, 2000), epsilon)
    assert low - half <= gains.mean() <= high + half
    assert low > 10 * half


def test_all_neighbours_of_a_few_records():
    found = batches.neighbouring_records(3)
    assert len(found) == len({*found}) == 6 * 6
    for one, two in found:
        assert sum(a != b for a, b in zip(one, two, strict=True)) == 1
    everything = itertools.product(batches.VALUES, repeat=3)
    assert {tuple(sorted(one)) for one, _ in found} == {tuple(sorted(one)) for one in everything}


GIVEN = {"n": 4, "settings": ((2, 0.8, 1.0),), "cells": 1500}


@pytest.mark.parametrize(("steps", "least"), [(1, 0.999), (2, 0.95)])
def test_an_accountant_that_says_too_little_or_far_too_much_is_seen(steps, least, monkeypatch):
    alike = [((one, one, one, -one), (one,) * 4) for one in (-1, 1)]

    def answers(fixed, poisson=0.5):
        true = {1: 0.06590, 2: 0.14197}[steps]
        values = {"without_replacement": fixed * true, "poisson": poisson * true}
        monkeypatch.setattr(batches, "delta_subsampled", lambda *, sampling, **_: values[sampling])
        monkeypatch.setattr(batches, "neighbouring_records", lambda n: [*alike, *(pair[::-1] for pair in alike)])
        monkeypatch.setattr(batches, "needed_sigma", lambda at, setting, kind, cells, delta: setting[1])
        return batches.check_accountant(**GIVEN, steps=steps, least=least)

    assert answers(1.0005).outcome is Outcome.CONSISTENT
    found = answers(0.98)
    assert found.outcome is Outcome.REFUTED
    low = batches.worst_delta_bounds(
        [(found.witness["records"], found.witness["neighbour"])], (2, 0.8, 1.0), "one" if steps == 1 else "answering", 1500
    )
    assert steps == 2 or low[0] == found.witness["delta"]
    assert answers(1.1).outcome is Outcome.INCONCLUSIVE
    assert answers(1.0005, poisson=1.1).outcome is Outcome.INCONCLUSIVE


def test_the_noise_that_fixed_records_need():
    at, setting = ((-1, -1, -1, 1), (-1, -1, -1, -1)), (2, 0.8, 1.0)
    delta = batches.worst_delta_bounds([at], setting, "fixed", 1000)[1]
    assert batches.needed_sigma(at, (2, 0.83, 1.0), "fixed", 1000, delta) == pytest.approx(0.8, rel=1e-4)


def test_the_upper_end_of_the_worst_is_the_largest_of_all(monkeypatch):
    ends = {(0,): (0.2, 0.21), (1,): (0.1, 0.3)}
    monkeypatch.setattr(batches, "enclosing_pairs", lambda one, *_: one)
    monkeypatch.setattr(batches, "one_step_delta_bounds", lambda each, epsilon: ends[each])
    assert batches.worst_delta_bounds([((0,), (1,)), ((1,), (0,))], (1, 1.0, 1.0), "one", 10) == (0.2, 0.3, ((0,), (1,)))


@pytest.mark.parametrize("batch", [1, 3])
def test_one_step_on_known_data_needs_all_of_the_accountants_noise(batch):
    assert batches.known_data_ratio(n=8, batch=batch, T=1, epsilon=1.0, delta=1e-2) == pytest.approx(1, abs=1e-3)
