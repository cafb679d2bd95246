"""Runs in law: their kernels equal slow twins, their weights references, and where nothing is clipped their means exact moments.

The comparison with runs on data is in test_in_law_on_data.py.
"""

import warnings

import mpmath as mp
import numpy as np
import pytest

from bounds.moments.recursion import expected_gap, expected_grad_norm_sq
from synthetic.distribution.first_order import RULE, Transforms
from synthetic.distribution.quadratic import MEASURES, METHODS, Conditions, final_measures, measures_at_steps
from synthetic.grids.settings import Settings
from synthetic.groups import Groups, group_eigenvalues
from synthetic.kernels.clipped_weight import first_order_steps, mean_clip_factors
from synthetic.kernels.in_distribution import clipped_moments, zeroth_order_steps
from tests.reference import in_distribution as naive


def settings(alpha, T, C, sigma):
    alpha, T, C, sigma = (np.array(one) for one in np.broadcast_arrays(*map(np.atleast_1d, (alpha, T, C, sigma))))
    return Settings(alpha.astype(float), T.astype(np.int64), C.astype(float), sigma.astype(float))


# -- the clipped mean ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("s", [0.0, 0.3, -2.0, 7.0])
@pytest.mark.parametrize("v", [0.0, 0.2, 1.0, 5.0])
@pytest.mark.parametrize("C", [0.05, 1.0, 6.0, np.inf])
def test_clipped_moments_are_those_of_quadrature(s, v, C):
    np.testing.assert_allclose(clipped_moments(s, v, C), naive.clipped_moments(s, v, C), rtol=1e-7, atol=1e-11)


def exact_moments(s, v, C):
    """With fifty digits."""
    with mp.workdps(50):
        s, v, C = mp.mpf(s), mp.mpf(v), mp.mpf(C)
        low, high = (-C - s) / v, (C - s) / v
        below, above = mp.ncdf(low), mp.ncdf(-high)
        inside, one, two = 1 - below - above, mp.npdf(low), mp.npdf(high)
        mean = s * inside + v * (one - two) + C * (above - below)
        square = C**2 * (below + above) + (s**2 + v**2) * inside + v * (2 * s * (one - two) + v * (low * one - high * two))
        return float(mean), float(square - mean**2 - (v * inside) ** 2)


@pytest.mark.parametrize("s", [0.0, 0.7, -3.0, 50.0, 1e6])
@pytest.mark.parametrize("C", [1e-14, 1e-9, 1e-6, 0.9999e-4, 1.0001e-4, 1e-2, 1.0, 30.0, 1e8])
def test_clipped_moments_are_right_in_every_corner(s, C):
    """A clip may be 1e-12 of the slopes' deviation: flat, d = 1e12, DPGD-0th. Both sides of where a series takes over."""
    for scale in (1e-6, 1.0, 1e6):
        mean, nonlinear = clipped_moments(s * scale, scale, C * scale)
        exact = exact_moments(s, 1.0, C)
        np.testing.assert_allclose(mean, exact[0] * scale, rtol=1e-7, atol=1e-300)
        np.testing.assert_allclose(nonlinear, exact[1] * scale**2, rtol=1e-5, atol=1e-7 * min(C, 1.0) ** 2 * scale**2)


# -- the twins -------------------------------------------------------------------------------------------------------------------------

SIZES = [1, 2, 3, 4, 9]


def problem(seed=0):
    rng = np.random.default_rng(seed)
    members = [list(range(start, stop)) for start, stop in zip(np.cumsum([0, *SIZES[:-1]]), np.cumsum(SIZES), strict=True)]
    value = np.array([1.0, 0.7, 0.5, 0.4, 0.2])
    D = rng.standard_normal(sum(SIZES))
    axis = np.concatenate([one / np.linalg.norm(one) for one in map(rng.standard_normal, SIZES)])  # where D began, some time ago
    return value, np.repeat(value, SIZES), members, D, axis, rng


@pytest.mark.parametrize("C", [0.4, 3.0, np.inf])
@pytest.mark.parametrize("vector", [False, True])
def test_zeroth_order_steps_equal_vectors_in_space(vector, C):
    """Groups of 1, 2, 3, 4 and 9 coordinates: the numbers that the kernel is given are taken from vectors u, w and D."""
    value, a, members, D, axis, rng = problem()
    T, d = 25, len(a)
    u, w = rng.standard_normal((2, T, d))
    z, sampled = rng.standard_normal((2, T))
    numbers = {"alpha": 0.05, "C": C * (np.sqrt(d) if vector else 1.0), "sigma": 0.4, "vector": vector, "spread": 0.02}
    path, given = naive.zeroth_order_steps(a, D, axis, members, u=u, z=z, w=w, sampled=sampled, shrink=np.sqrt(0.9), **numbers)
    p, q = (one[None].copy() for one in naive.axis_components(D, axis, members))
    chosen = [np.array([numbers[name]]) for name in ("alpha", "C", "sigma", "vector", "spread")]
    for D_t, step in zip(path[1:], given, strict=True):
        along, across, rest, v, length, z_t, w_t, g = (np.array([one]) for one in step)
        assert np.all(across[0, :1] == 0)
        assert np.all(rest[0, :2] < 1e-9)
        zeroth_order_steps(value, along, across, rest, v, length, z_t, w_t, g, *chosen, p, q)
        expected_p, expected_q = naive.axis_components(D_t, axis, members)
        np.testing.assert_allclose(p[0], expected_p, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(q[0], expected_q, rtol=1e-7, atol=1e-9)


def weights_of(groups, E, C, power=1):
    """The weights of the groups by the engine, (G,)."""
    transforms = Transforms(groups)
    found = np.empty(len(transforms.extra))
    _, scales, omega, real, imaginary, H_real, H_imaginary = transforms.tables(np.array([C]), power)
    tables = (scales, omega, real, imaginary, H_real[0], H_imaginary[0])
    mean_clip_factors(groups.value**2, groups.size, np.asarray(E, dtype=float), C, power, *tables, *RULE, transforms.extra, found)
    return found @ transforms.basis


KEPT = 1e-4


STEPS = {
    "dp_gd": [[1.0, -0.2]],
    "momentum": [[1.0, -0.16, -0.2], [0.0, 0.8, 1.0]],
    "three": [[0.9, 0.2, -0.1, -0.2], [0.1, 0.5, -0.3, 0.7], [0.0, 0.4, 0.6, -0.3]],
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", list(STEPS))
@pytest.mark.parametrize("C", [0.5, 1.8, 6.0])
def test_first_order_steps_equal_vectors_in_space(name, C):
    """Every weight by a fast Fourier transform of the density of q. The kernel keeps a weight while E q changes by less than KEPT."""
    value, a, members, D, axis, rng = problem(1)
    k, T = np.array(SIZES, dtype=float), 12
    z = rng.standard_normal((T, len(a)))

    def factor_of(D):
        E = np.array([D[m] @ D[m] for m in members])
        return np.repeat([naive.mean_clip_factor(value**2, k, E, one**2, C) for one in value], SIZES)

    matrix = np.array(STEPS[name])
    vectors = np.zeros((len(matrix), len(a)))  # the state starts at 0
    vectors[0] = D
    along_axis = np.array([0.7, -0.4, 1.1, 0.2, -0.9, 0.5])[: len(k)]
    centre = np.repeat(along_axis, SIZES) * axis
    path = naive.linear_steps(a, vectors, factor_of, z=z, matrix=matrix, sigma=0.3, centre=centre)
    transforms = Transforms(Groups("", value, k, True))
    along, rest = np.zeros((1, len(matrix), len(k))), np.zeros((1, len(matrix), len(matrix), len(k)))
    along[0, 0], rest[0, 0, 0] = naive.axis_components(D, axis, members)
    factor, at = np.ones((1, len(k))), np.full(1, np.nan)
    for before, after, z_t in zip(path[:-1], path[1:], z, strict=True):
        e = np.array([axis, *naive.orthogonal_axes(before, axis, members)])
        w = np.array([[[z_t[m] @ one[m] for m in members] for one in e]
                      + [[np.linalg.norm(z_t[m] - e[:, m].T @ (e[:, m] @ z_t[m])) for m in members]]])  # fmt: skip
        assert np.all(w[0, -1, : len(matrix)] < 1e-7)  # a group of so few coordinates has no further direction
        one = [np.array([number]) for number in (C, 0.3)]
        first_order_steps(value, k, w, matrix[None], *one, np.zeros(1, dtype=np.int64), transforms.tables(np.array([C])), RULE,
                          transforms.extra, transforms.basis, KEPT, along_axis[None], along, rest, factor, at)  # fmt: skip
        for i, vector in enumerate(after):
            expected_p, expected_q = naive.axis_components(vector, axis, members)
            np.testing.assert_allclose(along[0, i], expected_p, rtol=3e-5, atol=3e-5)
            np.testing.assert_allclose(np.linalg.norm(rest[0, i], axis=0), expected_q, rtol=3e-5, atol=3e-5)
        for i, j in np.ndindex(len(matrix), len(matrix)):  # angles, too
            inner = [after[i][m] @ after[j][m] for m in members]
            found = along[0, i] * along[0, j] + (rest[0, i] * rest[0, j]).sum(axis=0)
            np.testing.assert_allclose(found, inner, rtol=3e-4, atol=3e-4)


# -- the weights -----------------------------------------------------------------------------------------------------------------------

CLIPS = np.array([0.01, 0.1, 0.5, 0.9, 1.0, 1.1, 1.5, 4.0, 30.0, 1000.0])  # times the root of E q


@pytest.mark.sample(3)
@pytest.mark.parametrize(("d", "power"), [(1, 1), (2, 1), (3, 1), (8, 1), (2, 2), (3, 2)])
@pytest.mark.parametrize("E", [0.0, 0.5, 6.0])
def test_weights_of_few_coordinates_are_those_of_a_noncentral_chi_square(d, power, E):
    for C in CLIPS[1:] * np.sqrt(d + E):
        expected = naive.one_group_clip_factor(d + 2, E, C, power)
        np.testing.assert_allclose(weights_of(group_eigenvalues("flat", d), [E], C, power), expected, rtol=2e-5)


SPECTRA = [  # name, d, relative error that is allowed: by the transform, and by cumulants where more than CONCENTRATED
    ("flat", 30, 1e-5), ("flat", 280, 1e-5), ("flat", 290, 1e-5), ("flat", 7200, 1e-5), ("inverse_sqrt", 300, 1e-5),
    ("inverse_sqrt", 10**6, 1e-5), ("inverse", 10**12, 4e-4), ("power:0.4", 10**4, 5e-4), ("power:0.4", 10**7, 1e-4),
    ("inverse_sqrt", 10**9, 5e-4), ("inverse_sqrt", 10**12, 5e-4),
]  # fmt: skip


@pytest.mark.sample(1)
@pytest.mark.parametrize(("name", "d", "rtol"), SPECTRA)
@pytest.mark.parametrize("away", [0.0, 1.0])
def test_weights_of_many_coordinates(name, d, rtol, away):
    """Mean over deviation of q from 1 to 60; 1e-4 but for skewed laws just where cumulants take over."""
    g = group_eigenvalues(name, d)
    E = away * g.size
    for C in CLIPS * np.sqrt(g.value**2 @ (g.size + E)):
        found = weights_of(g, E, C)
        for j in sorted({0, len(g.size) - 1}):
            np.testing.assert_allclose(found[j], naive.mean_clip_factor(g.value**2, g.size, E, g.value[j] ** 2, C), rtol=rtol)


@pytest.mark.parametrize(("name", "d"), [("flat", 30), ("flat", 280), ("flat", 290), ("inverse_sqrt", 300)])
def test_weights_are_within_their_accuracy_on_both_sides_of_concentrated(name, d):
    g = group_eigenvalues(name, d)
    mean = g.value**2 @ g.size
    for C in np.array([0.3, 1.0, 3.0, 1000.0]) * np.sqrt(mean):
        expected = naive.mean_clip_factor(g.value**2, g.size, 0 * g.size, g.value[0] ** 2, C)
        np.testing.assert_allclose(weights_of(g, 0 * g.size, C)[0], expected, rtol=1e-5)


# -- exact means, where nothing is clipped ---------------------------------------------------------------------------------------------

PAIRS = group_eigenvalues([(1.0, 2), (0.5, 5), (0.25, 1), (0.1, 12)])


def z_value(values, expected):
    return (values.mean() - expected) / (values.std(ddof=1) / np.sqrt(len(values)))


@pytest.mark.sample(4)
@pytest.mark.parametrize(("n", "late"), [(np.inf, False), (50, False), (50, True)])
@pytest.mark.parametrize("direction", ["sphere", "gaussian"])
@pytest.mark.parametrize("method", METHODS)
def test_means_are_exact_where_nothing_is_clipped(method, direction, n, late):
    """|grad F_S|^2, F_S and both on the test set; |z| < 6 for 2 x 4 numbers, false alarms below 1e-8 each; and a lie is noticed."""
    g, T, alpha = PAIRS, np.array([1, 6, 30]), 0.06
    sigma = 0.0 if method == "mezo" else 4.0
    of = Conditions(g, float(n), distance=1.5, direction=direction, seed=4, replicates=800)
    found = final_measures((method,), settings(alpha, T, np.inf, sigma), of, late=late)[method]
    a, inverse = np.repeat(g.value, g.size.astype(int)), 0.0 if np.isinf(n) else 1 / n
    offset = np.sqrt(np.full(len(a), 1.5**2 + inverse))  # E (x_0 - m)^2: the recursion is linear in it
    common = {"eigenvalues": a, "alpha": alpha, "T": 30, "direction": direction}
    least = a.sum() / 2 * (1 - inverse)
    # test: x - m' = (x - m) + (m - m'), where m - x* moves with x_0 - m
    still = np.array([(2 * inverse + 2 * -inverse * (1 - alpha * a) ** t) for t in T])

    def all_z(sigma):
        squares = expected_grad_norm_sq(method, offset=offset, sigma=sigma, **common)[T]
        gaps = expected_gap(method, offset=offset, sigma=sigma, **common)[T]
        for j in range(len(T)):
            yield z_value(found[0, :, j] ** 2, squares[j])
            yield z_value(found[1, :, j] ** 2, squares[j] + a**2 @ still[j])
            yield z_value(found[2, :, j], gaps[j] + least)
            yield z_value(found[3, :, j], gaps[j] + a @ still[j] / 2 + least)

    assert np.max(np.abs(list(all_z(sigma)))) < 6
    if method != "mezo":
        assert np.max(np.abs(list(all_z(0.8 * sigma)))) > 6


def test_dp_gd_without_noise_of_a_law_is_the_recursion_itself():
    """n = inf, C = inf, sigma = 0: p = (1 - alpha a)^t p_0 to rounding, also at d = 1e12."""
    for g in (PAIRS, group_eigenvalues("inverse", 10**12)):
        found = measures_at_steps(("dp_gd",), settings(0.3, 20, np.inf, 0.0), Conditions(g, np.inf, replicates=1), np.array([0, 1, 20]))[
            "dp_gd"
        ]
        for j, t in enumerate((0, 1, 20)):
            square = (1 - 0.3 * g.value) ** (2 * t) * g.size
            np.testing.assert_allclose(found[:2, 0, 0, j] ** 2, g.value**2 @ square, rtol=1e-12)
            np.testing.assert_allclose(found[2:, 0, 0, j], g.value @ (square + g.size) / 2, rtol=1e-12)


def test_a_large_clip_is_none():
    """Within the accuracy of weights: C a thousand times the longest gradient and C = inf end alike."""
    for g in (group_eigenvalues("flat", 5), group_eigenvalues("inverse", 10)):
        C = 1000 * np.sqrt(2 * g.value**2 @ g.size)
        found = final_measures(METHODS, settings(0.01, 15, [C, np.inf], 0.0), Conditions(g, 500, replicates=2))
        for method in METHODS:
            np.testing.assert_allclose(found[method][..., 0], found[method][..., 1], rtol=1e-7)


# -- the same draws --------------------------------------------------------------------------------------------------------------------

SEVERAL = settings([0.02, 0.05, 0.02, 0.1], [40, 7, 90, 40], [1.0, 3.0, 0.3, np.inf], [0.1, 0.0, 0.2, 0.1])
OF = Conditions(group_eigenvalues("inverse", 12), 300, seed=3, replicates=3)


def same(one, other):
    for method in one:
        np.testing.assert_array_equal(one[method], other[method])


def test_threads_replicates_order_and_company_change_nothing():
    found = final_measures(METHODS, SEVERAL, OF, threads=1)
    same(found, final_measures(METHODS, SEVERAL, OF, threads=3))
    fewer = final_measures(METHODS, SEVERAL, Conditions(OF.groups, 300, seed=3, replicates=2))
    same({m: v[:, :2] for m, v in found.items()}, fewer)
    same(
        {m: v[:, 1:] for m, v in found.items()}, final_measures(METHODS, SEVERAL, Conditions(OF.groups, 300, seed=3, replicates=2, first=1))
    )
    order = np.array([2, 0, 3, 1])
    turned = Settings(*(getattr(SEVERAL, name)[order] for name in ("alpha", "T", "C", "sigma")))
    same({m: v[:, :, order] for m, v in found.items()}, final_measures(METHODS, turned, OF))
    for method in METHODS:
        same({method: found[method]}, final_measures((method,), SEVERAL, OF))
    assert len({found["dpzero"][0, r, 0] for r in range(3)}) == 3
    assert np.all(found["dpzero"] != final_measures(("dpzero",), SEVERAL, Conditions(OF.groups, 300, seed=4, replicates=3))["dpzero"])


@pytest.mark.parametrize("size", [None, 2**12])
def test_runs_that_end_together_share_their_last_draws(size, monkeypatch):
    """The longest is what it was; one that begins later ends near it, where both have forgotten how they began."""
    if size is not None:
        for module in ("zeroth_order", "first_order"):
            monkeypatch.setattr(f"synthetic.distribution.{module}.CHUNK_BYTES", size)
    every, c = settings(0.06, [900, 700, 30, 1], [2.0], 0.1), Conditions(group_eigenvalues("flat", 6), 300, seed=3, replicates=4)
    early, late = final_measures(METHODS, every, c), final_measures(METHODS, every, c, late=True)
    alone = final_measures(METHODS, every.take(np.array([0, 2])), c, late=True)
    for method in METHODS:
        np.testing.assert_array_equal(late[method][..., 0], early[method][..., 0])
        np.testing.assert_array_equal(late[method][..., [0, 2]], alone[method])
        far = {name: np.abs(one[method][0, :, 1] / one[method][0, :, 0] - 1).max() for name, one in (("early", early), ("late", late))}
        if method != "mezo":  # without noise and all but at the optimum
            assert far["late"] < 1e-2 < far["early"]
        np.testing.assert_allclose(late[method][0, :, 3], np.sqrt(6), rtol=0.6)  # one step from the start


@pytest.mark.parametrize("size", [None, 2**12])
def test_a_longer_run_goes_on_with_the_same_draws(size, monkeypatch):
    """And the length of a chunk of draws is nobody's business."""
    times = np.array([0, 1, 50, 99, 100])
    one = measures_at_steps(METHODS, settings(0.03, 100, [0.5, 2.0], 0.1), OF, times)
    if size is not None:
        for module in ("zeroth_order", "first_order"):
            monkeypatch.setattr(f"synthetic.distribution.{module}.CHUNK_BYTES", size)
    two = measures_at_steps(METHODS, settings(0.03, 200, [0.5, 2.0], 0.1), OF, np.append(times, 200))
    same(one, {method: values[..., :-1] for method, values in two.items()})
    ends = final_measures(METHODS, settings(0.03, [100, 50], 0.5, 0.1), OF)
    for method in METHODS:
        np.testing.assert_array_equal(ends[method][..., 0], one[method][:, :, 0, 4])
        np.testing.assert_array_equal(ends[method][..., 1], one[method][:, :, 0, 2])


def test_what_is_asked_beyond_the_end_of_a_run_is_not_known():
    """T = 90, 40, 40, 7, seen at times at which none of them ends."""
    times = np.array([70, 0, 30, 300, 5])
    found = measures_at_steps(METHODS, SEVERAL, OF, times)
    for values in found.values():
        known = times[None] <= SEVERAL.T[:, None]
        np.testing.assert_array_equal(np.isfinite(values), np.broadcast_to(known, values.shape))
    start = measures_at_steps(("dpzero",), SEVERAL, OF, np.array([0]))["dpzero"]
    np.testing.assert_array_equal(start[..., 0], found["dpzero"][..., 1])


def test_a_run_that_diverges_says_so_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = final_measures(METHODS, settings(50.0, 3000, [np.inf, 1.0], 0.1), OF)
    for method in METHODS:
        assert not np.any(np.isfinite(found[method][..., 0]))
    assert np.all(np.isfinite(found["dp_gd"][..., 1]))


def test_dimensions_beyond_any_memory():
    found = final_measures(METHODS, settings(1e-13, 20, 1.0, 0.1), Conditions(group_eigenvalues("flat", 10**12), 10**4, replicates=2))
    for values in found.values():
        np.testing.assert_allclose(values[:2], 1e6, rtol=1e-3)
    assert MEASURES == ("grad_norm_train", "grad_norm_test", "loss_train", "loss_test")


GOOD = {"alpha": 0.1, "T": 3, "C": 1.0, "sigma": 0.1}


@pytest.mark.parametrize(("call", "words"), [
    (lambda: Conditions("inverse", 100), "groups = 'inverse': a spectrum from synthetic.groups.group_eigenvalues is needed"),
    (lambda: Conditions(PAIRS, 9), "n = 9: a whole number of at least 10 samples"), (lambda: Conditions(PAIRS, 10.5), "n = 10.5"),
    (lambda: Conditions(PAIRS, np.nan), "n = nan"), (lambda: Conditions(PAIRS, "100"), "n = '100'"),
    (lambda: Conditions(PAIRS, 100, distance=-1.0), "distance = -1.0"),
    (lambda: Conditions(PAIRS, 100, direction="cube"), "direction = 'cube'"),
    (lambda: Conditions(PAIRS, 100, seed=-1), "seed = -1"), (lambda: Conditions(PAIRS, 100, replicates=0), "replicates = 0"),
    (lambda: Conditions(PAIRS, 100, first=-1), "first = -1"),
    (lambda: final_measures(("sgd",), SEVERAL, OF), "method = 'sgd': one of dpzero"), (lambda: final_measures(METHODS, SEVERAL, OF,
        threads=0), "threads = 0"),
    (lambda: final_measures(METHODS, settings(**GOOD | {"alpha": [-0.1]}), OF), "alpha has the entry -0.1"),
    (lambda: final_measures(METHODS, settings(**GOOD | {"T": [0]}), OF), "T has the entry 0"),
    (lambda: final_measures(METHODS, settings(**GOOD | {"C": [np.nan]}), OF), "C has the entry nan"),
    (lambda: final_measures(METHODS, settings(**GOOD | {"C": [0.0]}), OF), "C has the entry 0.0"),
    (lambda: final_measures(METHODS, settings(**GOOD | {"sigma": [-1.0]}), OF), "sigma = -1.0"),
    (lambda: measures_at_steps(METHODS, SEVERAL, OF, np.array([-1])), "steps has the entry -1"),
])  # fmt: skip
def test_what_cannot_be_meant_is_refused_in_a_sentence(call, words):
    with pytest.raises(ValueError, match=r"\w") as error:
        call()
    assert words in str(error.value)
