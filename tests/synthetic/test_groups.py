"""Spectra in groups: Tr A^2 is kept, what is alone is exact, and a bin makes an error that is measured here."""

import numpy as np
import pytest

from bounds.moments.recursion import second_moments
from synthetic.groups import WIDTH, Groups, group_eigenvalues

NAMES = {"flat": 0.0, "inverse_sqrt": 0.5, "inverse": 1.0, "power:0.01": 0.01, "power:0.3": 0.3, "power:2": 2.0, "power:8": 8.0}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("d", [1, 2, 20, 199, 200, 201, 3000])
@pytest.mark.parametrize("width", [0.003, WIDTH, 0.9])
def test_power_laws_keep_the_trace_of_the_square(name, d, width):
    a = np.arange(1.0, d + 1) ** -NAMES[name]
    g = group_eigenvalues(name, d, width=width)
    assert g.d == d
    assert np.all(np.diff(g.value) < 0)
    np.testing.assert_allclose(g.value**2 @ g.size, a @ a, rtol=2e-11)
    if width == WIDTH:
        np.testing.assert_allclose(g.trace, a.sum(), rtol=0.01)
    edges = np.concatenate([[0], np.cumsum(g.size)]).astype(int)
    for value, start, stop in zip(g.value, edges[:-1], edges[1:], strict=True):
        members = a[start:stop]
        np.testing.assert_allclose(value, np.sqrt(np.mean(members**2)), rtol=1e-7)
        assert members[-1] >= members[0] * 0.5 * (1 - 1e-12) or width < 0.5
        if len(members) == 1:
            assert value == members[0]
    assert g.exact == (len(g.size) == d or name == "flat")


@pytest.mark.parametrize(("name", "limit"), [("inverse", np.pi**2 / 6), ("power:2", np.pi**4 / 90), ("power:0.75", 2.6123753486854883)])
def test_the_largest_dimension(name, limit):
    """10^15 eigenvalues: the sum of squares is the zeta function but for the tail, in a few hundred groups."""
    g = group_eigenvalues(name, 10**15)
    exponent = NAMES.get(name, 0.75)
    tail = (1e15 + 0.5) ** (1 - 2 * exponent) / (2 * exponent - 1)
    np.testing.assert_allclose(g.value**2 @ g.size, limit - tail, rtol=1e-10)
    assert g.d == 1e15
    assert len(g.size) < 400
    np.testing.assert_allclose(group_eigenvalues("inverse_sqrt", 10**15).value ** 2 @ group_eigenvalues("inverse_sqrt", 10**15).size,
                               np.log(1e15) + np.euler_gamma, rtol=1e-11)  # fmt: skip


def test_the_last_bin_may_hold_two_of_many():
    """Two members next to each other, far out: their mean square is between them."""
    for d in range(10**14, 10**14 + 3):
        g = group_eigenvalues("inverse", d)
        assert 1 / d <= g.value[-1] <= 1 / (d - g.size[-1] + 0.9)


@pytest.mark.parametrize("width", [0.003, WIDTH, 0.2])
def test_an_array_is_grouped_as_its_name_is(width):
    for name in ("inverse", "inverse_sqrt", "power:2"):
        a = np.arange(1.0, 2001) ** -NAMES[name]
        given, named = group_eigenvalues(np.random.default_rng(0).permutation(a), width=width), group_eigenvalues(name, 2000, width=width)
        np.testing.assert_array_equal(given.size.sum(), named.size.sum())
        np.testing.assert_allclose(given.value**2 @ given.size, a @ a, rtol=1e-12)
        assert abs(len(given.size) - len(named.size)) <= 2


@pytest.mark.parametrize("name", ["flat", "inverse", "inverse_sqrt", "power:2"])
def test_wider_bins_are_fewer_and_keep_dimension_and_trace_of_the_square(name):
    g = group_eigenvalues(name, 10**9)
    w = g.with_wider_bins(0.15)
    assert w.d == g.d
    assert w.name == g.name
    np.testing.assert_allclose(w.value**2 @ w.size, g.value**2 @ g.size, rtol=1e-12)
    assert np.all(np.diff(w.value) < 0)
    assert len(w.size) < (0.75 if name.startswith("inverse") else 1.01) * len(g.size)
    assert w.exact is (name == "flat")
    assert np.all(np.isin(np.cumsum(w.size), np.cumsum(g.size)))  # a bin holds whole groups
    pairs = group_eigenvalues([(1.0, 2), (0.9, 5), (0.1, 1)])
    np.testing.assert_allclose(pairs.with_wider_bins(0.2).value, [np.sqrt((2 + 5 * 0.81) / 7), 0.1])
    assert not pairs.with_wider_bins(0.2).exact
    assert pairs.with_wider_bins(0.05).size.tolist() == [2, 5, 1]
    assert pairs.with_wider_bins(0.05).exact


def test_arrays_with_equal_ones_zeros_and_pairs():
    g = group_eigenvalues([0.5, 1.0, 0.5, 0.0, 0.5, 0.0], 6)
    assert (g.value.tolist(), g.size.tolist(), g.exact) == ([1.0, 0.5, 0.0], [1.0, 3.0, 2.0], True)
    g = group_eigenvalues([(0.5, 10**14), (1.0, 3)])
    assert (g.value.tolist(), g.size.tolist(), g.exact, g.name) == ([1.0, 0.5], [3.0, 1e14], True, "given pairs")
    assert g.rank == g.trace == 3 + 0.5e14
    assert not group_eigenvalues([1.0, 0.99]).exact
    assert group_eigenvalues([1.0, 0.99], width=0.005).exact


def error_of(width, name, method):
    """Relative error of E |grad F|^2 and of E F - F* after T steps, from bins instead of all 2000 eigenvalues."""
    d, T = 2000, 200
    a, g = np.arange(1.0, d + 1) ** -NAMES[name], group_eigenvalues(name, d, width=width)
    alpha = 0.5 / (a.sum() if method != "dp_gd" else 1.0)
    binned = np.repeat(g.value, g.size.astype(int))
    m, other = (second_moments(method, eigenvalues=one, offset=np.ones(d), alpha=alpha, T=T, sigma=0.05) for one in (a, binned))
    return max(abs((one @ other) / (two @ m) - 1) for one, two in ((binned**2, a**2), (binned, a)))


@pytest.mark.parametrize(("name", "most"), [("inverse", 0.007), ("inverse_sqrt", 0.0007), ("power:2", 0.022)])
@pytest.mark.parametrize("method", ["dpzero", "dp_gd"])
def test_the_error_of_bins_is_small_and_falls_with_their_width(name, method, most):
    """Of steep spectra it is largest: what has not converged after 200 steps is in the wide bins of the tail."""
    taken, narrow = (error_of(width, name, method) for width in (WIDTH, 0.003))
    assert taken < most
    assert narrow < taken / 4


@pytest.mark.parametrize(("arguments", "words"), [
    (("cubic", 5), "spectrum = 'cubic': one of flat, inverse_sqrt, inverse, power:P"), (("power:9", 5), "spectrum = 'power:9'"),
    (("power:nan", 5), "power:P with P from 0 to 8"), (("power:", 5), "spectrum = 'power:'"), (("flat:1", 5), "spectrum = 'flat:1'"),
    (("flat",), "d is missing: spectrum = 'flat' needs the number of eigenvalues"), (("flat", 0), "d = 0"), (("flat", 10**15 + 1), "1e15"),
    (([1.0, 2.0], 3), "d = 3: the spectrum has 2 eigenvalues; give d = 2, or leave d out"), (([-1.0, 2.0],), "eigenvalues of at least 0"),
    (([0.0, 0.0],), "one of them above 0"), (([(1.0, 0)],), "multiplicities"), (([(1.0, 1.5)],), "whole numbers"),
    (([(-1.0, 2), (1.0, 1)],), "eigenvalues of at least 0"), (([(0.0, 2)],), "one of them above 0"), (([(1.0, 2e15)],), "at most 1e15"),
    (([np.nan, 1.0],), "NaN or infinite"), ((["1", "2"],), "array of numbers"), ((np.array([1j, 2]),), "array of numbers"),
    ((object(),), "spectrum"), ((np.ones((2, 3)),), "spectrum has shape"),
])  # fmt: skip
def test_what_is_no_spectrum_is_refused_in_a_sentence(arguments, words):
    with pytest.raises(ValueError, match=r"spectrum|d ?[=:]") as error:
        group_eigenvalues(*arguments)
    assert words in str(error.value)


def test_a_width_is_a_share():
    for width in (0.0, 1.0, -1.0, np.nan):
        with pytest.raises(ValueError, match="width = "):
            group_eigenvalues("inverse", 10, width=width)
    assert isinstance(group_eigenvalues("power:1e-5", 10**12), Groups)  # all in one bin
