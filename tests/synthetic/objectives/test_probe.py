"""What is seen of an objective: exact where its constants are known, never beyond them, and the same for a twin that knows nothing."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import theory_lab as lab
from synthetic.objectives.own import objective
from synthetic.objectives.probe import CURVED, STEPS, WHOLE, effective_rank, estimate_constants
from synthetic.objectives.sums import SPECTRA
from tests.synthetic.objectives.saddle_cases import SADDLES, make
from theory_lab.methods.record import SADDLE, SUM

seeds = st.integers(0, 2**32 - 1)
LESS = {"samples": 60, "places": 4}

# --- every objective: how one of about so many coordinates is made ----------------------------------------------------------------------
PLAIN = ("quadratic", "pseudo_huber", "cosine", "logistic", "smooth_glm", "kinks", "ball_quadratic")
OTHERS = {
    "linear_slopes": lambda s, d, n, k: lab.linear_slopes(s, d, 2 * n, k, slopes=("opposite", "two")[k % 2], steep=1.5),
    "sparse_quadratic": lambda s, d, n, k: lab.sparse_quadratic(s, d, n, k, support=1, spread=0.5),
    "perceptron": lambda s, d, n, k: lab.perceptron(s, 2 * (d + 3) + 2, n, k, hidden=2),
    "matrix_quadratic": lambda s, d, n, k: lab.matrix_quadratic(s, 2 * d, n, k, m=2, columns="inverse"),
    "low_rank": lambda s, d, n, k: lab.low_rank(s, 3 * d, n, k, m=3, rank=1),
    "matrix_cosine": lambda s, d, n, k: lab.matrix_cosine(s, 2 * d, n, k, m=2),
    "factorisation": lambda s, d, n, k: lab.factorisation(s, d + 1, n, k, m=1, rank=1),
    "matrix_phase_retrieval": lambda s, d, n, k: lab.matrix_phase_retrieval(s, 2 * d, n, k, m=2),
}
EVERYWHERE = ("random_phase_cosines", "slope", "cubic_saddle", "quartic_saddle")  # landscapes whose constants hold there


def made(name, spectrum, d, n, seed):
    """One objective of a name."""
    if name in OTHERS:
        return OTHERS[name](spectrum, d, n, seed)
    more = {"spread": 0.7} if name in ("kinks", "ball_quadratic") else {}
    return getattr(lab, name)(spectrum, d, n, seed, **more)


def beyond(o, found):
    """Return the declared constants that a place contradicts, each with what is declared and what is seen."""
    c, seen, wrong = o.constants, {name: one.value for name, one in found.constants.items()}, {}
    for name in [name for name, one in found.constants.items() if one.side == "at least" and name in c]:
        if seen[name] > c[name] * (1 + 1e-6) + 1e-7 * (1 + seen["ell"]):
            wrong[name] = (c[name], seen[name])
    if "mu" in c and "mu" in seen and seen["mu"] < c["mu"] * (1 - 1e-6):
        wrong["mu"] = (c["mu"], seen["mu"])
    if "growth_mu" in c and "growth_mu" in seen and seen["growth_mu"] < c["growth_mu"] * (1 - 1e-3):
        wrong["growth_mu"] = (c["growth_mu"], seen["growth_mu"])
    if "r" in c and "trace" in seen and math.isfinite(c["ell"]) and c["ell"] > 0:
        least = effective_rank(seen["trace"], max(one.rest for one in found.places if one.trace), c["ell"], o.d)
        if max(least, seen["trace"] / c["ell"]) > c["r"] * (1 + 1e-6):
            wrong["r"] = (c["r"], least)
    return wrong


def told(o, found):
    return f"{o.name}, n = {getattr(o, 'n', '-')}: {beyond(o, found)}"


def test_every_objective_is_looked_at():
    assert {*PLAIN, *OTHERS} == set(SUM.table)
    assert set(EVERYWHERE) < set(SADDLE.table) == set(SADDLES)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", [*PLAIN, *OTHERS])
@given(data=st.data())
@settings(max_examples=8)
def test_no_place_contradicts_what_an_objective_declares(name, data):
    spectrum, d, n = (data.draw(st.sampled_from(one)) for one in (SPECTRA, (1, 2, 3, 5, 9), (2, 5, 30)))
    o = made(name, spectrum, d, n, data.draw(st.integers(0, 2**31)))
    found = estimate_constants(o, radius=data.draw(st.sampled_from([None, 0.1, 3.0, 30.0])), seed=data.draw(seeds), **LESS)
    assert not beyond(o, found), told(o, found)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", EVERYWHERE)
@given(seed=seeds, radius=st.sampled_from([0.1, 3.0, 30.0]))
@settings(max_examples=8)
def test_no_place_contradicts_what_a_landscape_declares(name, seed, radius):
    o = make(name, np.random.default_rng(seed)).o
    found = estimate_constants(o, radius=radius, seed=seed, n=60, **LESS)
    assert not beyond(o, found), told(o, found)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", sorted(SADDLES.keys() - EVERYWHERE))
@given(seed=seeds)
@settings(max_examples=8)
def test_no_place_of_its_region_contradicts_what_a_landscape_declares_there(name, seed):
    """At points between two of the region; the descent may leave it, and does on an octopus."""
    rng = np.random.default_rng(seed)
    case = make(name, rng)
    found = estimate_constants(case.o, points=[(x + y) / 2 for x, y in (case.pair(rng) for _ in range(12))], seed=seed, n=60, **LESS)
    inside = [one for one in found.places if one.kind == "given"]
    c, values = case.o.constants, [one.value for one in inside]
    assert len(inside) == 12
    assert max(one.steepest for one in inside) <= c["L"] * (1 + 1e-6)
    assert max(one.curved for one in inside) <= c["ell"] * (1 + 1e-6)
    assert max(one.bend for one in inside) <= c["rho"] * (1 + 1e-6)
    assert max(values) - min(values) <= c["U"] * (1 + 1e-9)


def test_a_constant_that_is_too_good_is_contradicted():
    """The checks above can fail: each declared constant of a ball, where all are attained, a hundredth better than it is."""
    o = made("ball_quadratic", "flat", 4, 20, 0)
    found = estimate_constants(o, **LESS)
    for name in ("L", "ell", "gap", "B", "sample_spread", "mu", "growth_mu", "r"):
        worse = 1.01 if name in ("mu", "growth_mu") else 0.99
        lie = {**o.constants, name: o.constants[name] * worse}
        assert set(beyond(type(o)(**{**vars(o), "constants": lie}), found)) == {name} | ({"r"} if name == "ell" else set())
    landscape = lab.random_phase_cosines(3)
    seen = estimate_constants(landscape, n=200, places=20)
    for name in ("ell", "rho", "gap"):
        lie = {**landscape.constants, name: landscape.constants[name] * 0.98}
        assert set(beyond(type(landscape)(**{**vars(landscape), "constants": lie}), seen)) == {name}


# --- exact where the constants are known ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("spectrum", [*SPECTRA, [3.0, 0.5, 0.0, 2.0, 1.0, 0.1]])
def test_of_a_quadratic_ell_r_and_gap_are_exact(spectrum):
    o = lab.quadratic(spectrum, 6, 50, 3)
    seen = {name: one.value for name, one in estimate_constants(o, **LESS).constants.items()}
    a = o.eigenvalues
    assert seen["ell"] == pytest.approx(o.constants["ell"], rel=1e-8)
    assert seen["r"] == pytest.approx(o.constants["r"], rel=1e-6)
    assert seen["trace"] == pytest.approx(a.sum(), rel=1e-6)
    assert seen["gap"] == pytest.approx(o.constants["gap"], rel=1e-9)
    assert seen["weak"] < 1e-9
    if a.min() > 0:
        assert seen["mu"] == pytest.approx(a.min(), rel=1e-6)
        assert seen["growth_mu"] == pytest.approx(a.min() / 4, rel=1e-6)
    gradients = [np.linalg.norm(a * (one.x - o.data), axis=1).max() for one in estimate_constants(o, **LESS).places]
    assert seen["L"] == pytest.approx(max(gradients), rel=1e-12)


def test_of_the_cosine_what_places_can_show_is_found():
    """gap exactly, ell and L of samples nearly, and of F the trace sum_j h_j R_j, which is that of H at the minimum."""
    o = lab.cosine("inverse", 8, 200, 1)
    h, R, _ = o.params
    found = estimate_constants(o)
    seen = {name: one.value for name, one in found.constants.items()}
    assert seen["gap"] == pytest.approx(o.constants["gap"], rel=1e-8)
    assert 0.999 < seen["ell"] <= 1 + 1e-9
    assert 0.95 * o.constants["L"] < seen["L"] <= o.constants["L"]
    assert seen["trace"] == pytest.approx(h @ R, rel=1e-6)
    assert 1 + (h @ R - (h * R).max()) / seen["ell"] - 1e-6 <= seen["r"] <= o.constants["r"]
    best = next(one for one in found.places if one.kind == "best")
    assert best.grad_norm < 1e-6
    assert best.norm == pytest.approx((h * R).max(), rel=1e-6)


def test_the_rank_of_logistic_regression_is_that_of_the_lab():
    """The H of the lab is the one that the start shows: Hessians of samples are row row' / 4 there, of length ell = 1/4."""
    o = lab.logistic("inverse", 6, 40, 0)
    seen = {name: one.value for name, one in estimate_constants(o, **LESS).constants.items()}
    assert (seen["ell"], seen["trace"], seen["r"]) == pytest.approx((0.25, 0.25, o.constants["r"]), rel=1e-6)


def test_of_random_phase_cosines_ell_lies_between_that_of_F_and_that_of_samples():
    """By its formulas: |Hessian| of F is A sin(h)/h at the saddle, and no sample has more than A."""
    for A, w, h in ((1.0, 1.0, 1.0), (2.5, 0.4, 2.0)):
        o = lab.random_phase_cosines(4, A=A, w=w, h=h)
        found = estimate_constants(o, n=300)
        seen = {name: one.value for name, one in found.constants.items()}
        assert max(one.norm for one in found.places) == pytest.approx(A * math.sin(h) / h, rel=1e-3)
        assert A * math.sin(h) / h <= seen["ell"] <= A
        assert seen["ell"] > 0.95 * A
        assert 0.9 * A * w < seen["rho"] <= A * w * (1 + 1e-6)
        assert seen["gap"] == pytest.approx(o.constants["gap"], rel=1e-6)  # from the saddle's own ridge, by the second descent


def test_the_range_of_a_landscape_is_that_of_all_places():
    """From a start below the others it is more than the gap."""
    o = lab.quartic_saddle(2)
    found = estimate_constants(o, n=20, places=2, points=[o.x0 + 5.0])
    values = [one.value for one in found.places]
    assert found.constants["U"].value == max(values) - min(values) > found.constants["gap"].value == values[0] - min(values)


def log_loss(x, row):
    return np.log1p(np.exp(-(x @ row)))


def log_gradient(x, row):
    return -row / (1.0 + np.exp(x @ row))


@pytest.mark.verify
def test_a_twin_that_declares_nothing_gives_the_same():
    """Logistic regression of the lab, and its two functions written down in a line each."""
    o = lab.logistic("inverse_sqrt", 5, 30, 2)
    twin = objective(o.data, log_loss, log_gradient, x0=o.x0)
    one, two = (estimate_constants(each, seed=4).constants for each in (o, twin))
    assert list(one) == list(two)
    for name in one.keys() - {"mu", "growth_mu", "weak"}:
        assert two[name].value == pytest.approx(one[name].value, rel=1e-5), name
        assert (two[name].side, two[name].seen) == (one[name].side, one[name].seen)
    assert two["mu"].value == pytest.approx(one["mu"].value, rel=1e-2)  # near the minimum both differences are small


# --- high dimension ---------------------------------------------------------------------------------------------------------------------
def turned(seed, d):
    """A quadratic with eigenvalues 1/i in axes at random, as two functions, and its matrix."""
    q = np.linalg.qr(np.random.default_rng(seed).standard_normal((d, d)))[0]
    signs = np.where(np.arange(d) % 3 == 2, -1.0, 1.0)  # a third of it is concave
    A = (q * (signs / np.arange(1, d + 1))) @ q.T

    def loss(x, row, params):
        u = x - row
        return 0.5 * (u @ (params[0] @ u))

    def gradient(x, row, params, out):
        out[:] = params[0] @ (x - row)

    return objective(np.zeros((1, d)), loss, gradient, x0=np.zeros(d), params=(A,), optimum=np.zeros(d), name="turned"), A


@pytest.mark.verify
def test_in_high_dimension_the_trace_has_an_interval_that_covers_it():
    """Twelve vectors on 3 matrices, d = 130: the t-interval covers Tr |A|, and the largest eigenvalue is found to 1e-6."""
    for seed in range(3):
        o, A = turned(seed, 130)
        found = estimate_constants(o, seed=seed, places=2, radius=1.0)
        trace = found.constants["trace"]
        assert trace.low < trace.value < trace.high
        assert trace.low <= float(np.abs(np.linalg.eigvalsh(A)).sum()) <= trace.high
        assert trace.side == "near"
        assert found.constants["ell"].value == pytest.approx(1.0, rel=1e-6)
        assert found.constants["weak"].value == pytest.approx(1 / 3, rel=0.02)
        r = found.constants["r"]
        assert r.low < r.value < r.high
        rest = max(one.rest for one in found.places if one.trace)
        wide = trace.high - trace.value
        least, most = (effective_rank(trace.value + by, rest + by, found.constants["ell"].value, 130) for by in (-wide, wide))
        assert (r.low, r.high) == pytest.approx((least, most))
        assert sum(one.trace is not None for one in found.places) <= 3
        assert all(one.hessian is None for one in found.places)


def test_at_the_dimension_of_the_figures_the_constants_are_those_that_are_declared():
    for o in (lab.quadratic("inverse", 2000, 50, 0), lab.quadratic("flat", WHOLE + 1, 50, 0)):
        seen = {name: one.value for name, one in estimate_constants(o, samples=50, places=1).constants.items()}
        for name in ("ell", "r", "gap"):
            assert seen[name] == pytest.approx(o.constants[name], rel=1e-5), name


def test_of_an_indefinite_hessian_both_ends_are_left_out_of_the_rest():
    """|H| - |A| may be as much as the other end of A: see the rank of [[0, 1], [1, 0]] in test_curvature."""
    A = np.diag([2.0, -1.0, 0.5, -0.25])

    def loss(x, row, params):
        return 0.5 * (x @ (params[0] @ x))

    def gradient(x, row, params, out):
        out[:] = params[0] @ x

    o = objective(np.zeros((1, 4)), loss, gradient, x0=np.full(4, 0.1), optimum=np.zeros(4), params=(A,))
    for one in estimate_constants(o, places=2, radius=1.0).places:
        assert one.trace.value == pytest.approx(3.75, rel=1e-6)
        assert one.rest == pytest.approx(0.75, rel=1e-6)


# --- places -----------------------------------------------------------------------------------------------------------------------------
def test_the_places_are_those_that_are_asked_for():
    o = lab.cosine("flat", 4, 20, 0)
    found = estimate_constants(o, radius=0.5, places=5, points=[[9.0, 0.0, 0.0, 0.0]], seed=1)
    kinds = [one.kind for one in found.places]
    assert kinds[0] == "x0"
    assert {kind: kinds.count(kind) for kind in ("best", "flattest", "random", "given")} == {
        "best": 1,
        "flattest": 1,
        "random": 5,
        "given": 1,
    }
    np.testing.assert_array_equal(found.places[0].x, o.x0)
    np.testing.assert_array_equal(found.places[-1].x, [9.0, 0.0, 0.0, 0.0])
    centres = [one.x for one in found.places if one.kind in ("x0", "path", "best")]
    away = [min(np.linalg.norm(one.x - c) for c in centres) for one in found.places if one.kind == "random"]
    assert 0 < max(away) <= 0.5 + 1e-12
    assert found.settings == {"radius": 0.5, "places": 5, "samples": 20, "seed": 1, "given": 1}
    assert estimate_constants(o).settings["radius"] == pytest.approx(np.linalg.norm(o.optimum - o.x0), rel=1e-5)
    assert STEPS > 6 < CURVED


def test_a_ball_is_not_left():
    o = lab.ball_quadratic("inverse", 3, 20, 0, radius=2.0, spread=0.5)
    found = estimate_constants(o, radius=50.0, points=[[30.0, 0.0, 0.0]])
    assert max(np.linalg.norm(one.x) for one in found.places) <= 2 * (1 + 1e-12)
    np.testing.assert_allclose(found.places[-1].x, [2.0, 0.0, 0.0])


def test_seeds_and_samples():
    o = lab.cosine("flat", 3, 50, 0)
    one, same, other = (estimate_constants(o, seed=seed, places=3) for seed in (0, 0, 1))
    assert {name: c.value for name, c in one.constants.items()} == {name: c.value for name, c in same.constants.items()}
    assert one.constants["growth_mu"].value != other.constants["growth_mu"].value
    some = estimate_constants(o, samples=7, places=3)
    assert some.settings["samples"] == 7
    assert some.constants["L"].value <= one.constants["L"].value
    assert (some.constants["sample_spread"].side, one.constants["sample_spread"].side) == ("near", "at least")
    assert len({estimate_constants(o, samples=7, places=1, seed=seed).places[0].steepest for seed in (0, 1, 2)}) == 3  # others, at random
    assert "over 7 samples" in some.constants["sample_spread"].seen
    done = []
    estimate_constants(o, places=2, progress=lambda *told: done.append(told))
    assert done[-1] == (len(done), len(done))


def far_loss(x, row):
    return 0.5 * np.sum((x - row) ** 2) if np.sum(x * x) < 4.0 else np.inf


def far_gradient(x, row):
    return x - row


@pytest.mark.verify
def test_places_where_nothing_is_finite_are_left_out_and_counted():
    o = objective(0.1 * np.ones((3, 2)), far_loss, far_gradient, x0=np.zeros(2))
    found = estimate_constants(o, radius=40.0, places=4)
    assert found.left_out > 0
    assert all(np.isfinite(one.value) for one in found.places)
    assert found.constants["ell"].value == pytest.approx(1.0)


def test_without_curvature_there_is_no_rank():
    found = estimate_constants(lab.linear_slopes("flat", 3, 10, 0, slopes="opposite")).constants
    assert found["ell"].value < 1e-9
    assert found["L"].value == pytest.approx(1.0)
    assert found["gap"].value < 1e-12
    assert "mu" not in found


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"radius": 0.0}, "radius = 0.0: a finite number above 0"),
        ({"places": 0}, "places = 0: an integer of at least 1"),
        ({"samples": 1.5}, "samples = 1.5: an integer of at least 1"),
        ({"seed": -1}, "seed = -1: an integer of at least 0"),
        ({"n": 5}, "n = 5: 'cosine, flat spectrum, d = 3' has its samples already"),
        ({"points": [[1.0, 2.0]]}, r"points .*\(any length, 3\)"),
        ({"places": 10**13}, "places = 10000000000000: .* of memory are needed"),
        ({"progress": 3}, "progress = 3: a function"),
    ],
)
def test_what_cannot_be_is_a_sentence(given, sentence):
    with pytest.raises(ValueError, match=f"^.*{sentence}"):
        estimate_constants(lab.cosine("flat", 3, 10, 0), **given)


def test_what_is_no_objective_is_a_sentence():
    with pytest.raises(ValueError, match="objective = 3: an objective is needed"):
        estimate_constants(3)
    with pytest.raises(ValueError, match="n = 0: an integer of at least 1"):
        estimate_constants(lab.random_phase_cosines(2), n=0)
    with pytest.raises(ValueError, match=r"^n = .* of memory are needed"):
        estimate_constants(lab.random_phase_cosines(2), n=10**13)
