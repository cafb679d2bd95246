"""Nothing reaches a kernel unchecked, and what cannot fit is said before it is tried."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

import theory_lab as lab
from synthetic import memory
from synthetic.memory import available_memory, check_memory, format_bytes
from synthetic.objectives.sums import Objective
from tests.papers import joined

OBJECTIVES = [family("inverse", 4, 10, 0) for family in (lab.quadratic, lab.pseudo_huber, lab.cosine, lab.logistic)]
LANDSCAPES = [lab.random_phase_cosines(4), lab.cubic_saddle(4), lab.octopus(4), lab.matrix_factorisation(2, 2), lab.phase_retrieval(4)]
WRONG = {
    "too long": np.zeros(100_000), "too short": np.zeros(2), "empty": np.zeros(0), "a matrix": np.zeros((2, 2)), "a number": 1.0,
    "NaN": np.array([0, 0, 0, np.nan]), "infinite": np.array([0, 0, 0, np.inf]), "complex": np.zeros(4, complex),
    "masked": np.ma.array(np.zeros(4), mask=[0, 0, 0, 1]), "text": ["0", "0", "0", "0"], "bool": np.zeros(4, bool), "nothing": None,
    "objects": np.array([object()] * 4), "too fine": np.array([2**60 + 1] * 4),
}  # fmt: skip
RIGHT = [
    np.arange(4, dtype=kind) for kind in (np.float32, np.float16, np.int8, np.int64, np.uint16, ">f8", object)
] + [[0, 1, 2, 3], np.arange(8.0)[::2] / 2, np.arange(4.0)[::-1][::-1], np.asfortranarray(np.arange(4.0))]  # fmt: skip


@pytest.mark.parametrize("objective", OBJECTIVES + LANDSCAPES, ids=lambda one: one.name)
def test_a_value_and_a_gradient_are_those_of_a_checked_point(objective):
    """A point of length 100,000 at d = 4 used to corrupt memory, a short one to read what it had not."""
    for x in WRONG.values():
        with pytest.raises(ValueError, match=r"^x"):
            objective.value_and_gradient(x)
    value, gradient = objective.value_and_gradient(np.arange(4.0))
    for x in RIGHT:
        found = objective.value_and_gradient(x)
        assert found[0] == value
        np.testing.assert_array_equal(found[1], gradient)


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda one: one.name)
def test_an_objective_of_the_wrong_shapes_cannot_be_made(objective):
    wrong = {
        "x0": (np.zeros(5), np.zeros((2, 2)), np.zeros(0)), "data": (np.zeros((10, 3)), np.zeros(4), np.zeros((10, 4), complex)),
        "optimum": (np.zeros(3),), "eigenvalues": (np.ones(9),), "params": ((np.ones(3), *objective.params[1:]),),
    }  # fmt: skip
    for name, values in wrong.items():
        for value in values:
            with pytest.raises(ValueError, match=r"shape|array of numbers"):
                replace(objective, **{name: value})
    narrow = replace(objective, data=np.asfortranarray(objective.data, dtype=np.float32))
    assert narrow.data.dtype == np.float64
    assert narrow.data.flags.c_contiguous


@pytest.mark.parametrize("landscape", LANDSCAPES, ids=lambda one: one.name)
def test_what_a_landscape_hands_to_a_kernel_is_checked(landscape):
    for name in ("x0", "saddle"):
        for value in (np.zeros(7), np.full(4, np.nan)):
            with pytest.raises(ValueError, match=name if name == "saddle" or np.isnan(value[0]) else "shape"):
                replace(landscape, **{name: value})
    run = {"oracle": "sgd", "eta": 0.1, "chi": 0.1, "R": 0.1, "Gamma": 2, "Q": 1, "n": 8, "b_1": 4, "sigma_1": 0.1}
    for samples in (np.zeros((3, 4)), np.zeros(8), np.full((8, 4), np.nan)):
        broken = replace(landscape, draw=lambda rng, n, client, samples=samples: samples[:n] if n == 1 else samples)
        with pytest.raises(ValueError, match="samples"):
            lab.simulate("gauss_psgd", broken, **run)
    for call in (lab.escape, lambda one, **more: lab.simulate("gauss_psgd", one, **run, x0=more["x0"])):
        with pytest.raises(ValueError, match="x0 has shape"):
            call(landscape, eta=0.1, T=2, sigma=0.1, x0=np.zeros(100_000))


TOO_LARGE = joined("simulation.TOO_LARGE")


@pytest.mark.parametrize("call", TOO_LARGE.values(), ids=TOO_LARGE)
def test_what_cannot_fit_is_said_before_it_is_tried(call):
    tracemalloc.start()
    with pytest.raises(ValueError, match=r"^\w+ = .*: [\d.e+]+ [TPEZY]B of memory are needed, and [\d.]+ \w+ are available$"):
        call()
    assert tracemalloc.get_traced_memory()[1] < 2**24
    tracemalloc.stop()


def test_the_memory_that_is_there(monkeypatch, tmp_path):
    assert 2**20 < available_memory() < 2**60
    info, limit, used, parts = (tmp_path / name for name in ("meminfo", "max", "current", "stat"))
    info.write_text("MemTotal:  900 kB\nMemAvailable:  500 kB\n", encoding="ascii")
    monkeypatch.setattr(memory, "MEMINFO", info)
    monkeypatch.setattr(memory, "GROUPS", ((limit, used, parts, "inactive_file"),))
    assert available_memory() == 500 * 1024
    limit.write_text("max\n", encoding="ascii")
    used.write_text("5000\n", encoding="ascii")
    parts.write_text("anon 1\ninactive_file 1000\n", encoding="ascii")
    assert available_memory() == 500 * 1024
    limit.write_text("10000\n", encoding="ascii")
    assert available_memory() == 10000 - 5000 + 1000
    check_memory(2**24, n=1)  # below 16 MiB nothing is asked
    with pytest.raises(ValueError, match=r"^n = 3, d = 4: 800 GB of memory are needed, and 6 kB are available$"):
        check_memory(8e11, n=3, d=4)
    assert [format_bytes(size) for size in (0, 999, 1e3, 999_999, 8e11, 1.5e25)] == [
        "0 bytes",
        "999 bytes",
        "1 kB",
        "1 MB",
        "800 GB",
        "15 YB",
    ]


def test_an_estimate_of_memory_is_about_what_is_taken():
    """The room that is asked for is at least what a run takes, and not ten times as much."""
    asked = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("synthetic.objectives.sums.check_memory", lambda size, **_: asked.append(size))
        tracemalloc.start()
        objective: Objective = lab.quadratic("flat", 500, 4_000, 0)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert 0.3 * max(asked) < peak < 1.3 * max(asked), (peak, asked)
    assert objective.d == 500
