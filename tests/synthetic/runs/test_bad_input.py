"""One sentence with the name, the value and what is allowed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthetic.estimate import clustered_mean, loglog_slope
from synthetic.grids.grid import grid
from synthetic.methods.dpzero import DPZERO, MEZO
from synthetic.objectives.sums import quadratic
from synthetic.runs.simulate import simulate

OBJECTIVE = quadratic("flat", 3, 5, seed=0)
GOOD = {"alpha": 0.1, "T": 3, "C": 1.0, "lam": 1e-4, "sigma": 0.1}
GRID = {"alphas": [0.1], "horizons": [3], "clips": [1.0], "sigma": [[0.1]]}

not_positive = st.one_of(
    st.floats(max_value=0.0, allow_nan=False),
    st.just(float("nan")),
    st.just(float("inf")),
    st.just(float("-inf")),
    st.just("1"),
    st.just(True),
)
not_positive_integer = st.one_of(st.integers(max_value=0), st.floats(allow_nan=True), st.just("3"), st.just(True), st.none())
many = settings(max_examples=25)


@given(name=st.sampled_from(["alpha", "C", "lam"]), value=not_positive)
@many
def test_simulate_refuses_what_is_not_positive(name, value):
    with pytest.raises(ValueError, match=f"^{name} = "):
        simulate(DPZERO, OBJECTIVE, **{**GOOD, name: value})


@given(name=st.sampled_from(["T", "replicates", "batch_size"]), value=not_positive_integer)
@many
def test_simulate_refuses_counts_that_are_none(name, value):
    if name == "batch_size" and value is None:
        return
    with pytest.raises(ValueError, match=f"^{name} = "):
        simulate(DPZERO, OBJECTIVE, **{**GOOD, name: value})


@given(name=st.sampled_from(["d", "n"]), value=not_positive_integer)
@many
def test_quadratic_refuses_sizes_that_are_none(name, value):
    with pytest.raises(ValueError, match=f"^{name} = "):
        quadratic("flat", **{"d": 3, "n": 5, "seed": 0, name: value})


@given(
    name=st.sampled_from(["alphas", "clips"]), value=st.one_of(not_positive.filter(lambda v: not isinstance(v, str | bool)), st.just("x"))
)
@many
def test_grid_refuses_settings_that_are_not_positive(name, value):
    with pytest.raises(ValueError, match=f"^{name}"):
        grid("dpzero", OBJECTIVE, **{**GRID, name: [value]})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"alphas": []}, "alphas has shape (0,): shape (any length) is needed, with at least one entry"),
        ({"horizons": [2.5]}, "horizons has the entry 2.5: integers of at least 1 are needed"),
        ({"horizons": [[3]]}, "horizons has shape (1, 1): shape (any length) is needed, with at least one entry"),
        ({"sigma": [0.1]}, "sigma has shape (1,): shape (1, 1) is needed, with at least one entry"),
        ({"sigma": [[-0.1]]}, "sigma has the entry -0.1: numbers of at least 0 are needed"),
        ({"sigma": [[np.nan]]}, "sigma has 1 entries that are NaN or infinite: finite numbers are needed"),
        ({"direction": "cube"}, "direction = 'cube': one of sphere, gaussian is needed"),
        ({"precision": "half"}, "precision = 'half': one of double, single is needed"),
        ({"seed": -1}, "seed = -1: an integer of at least 0 is needed"),
        ({"threads": 0}, "threads = 0: an integer of at least 1 is needed"),
        ({"test": quadratic("inverse", 3, 5, 1)}, "test: a quadratic with the eigenvalues of the training objective is needed"),
    ],
)
def test_grid_says_what_is_wrong(change, sentence):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        grid("dpzero", OBJECTIVE, **{**GRID, **change})
    assert str(error.value) == sentence


def test_methods_are_named():
    for call in (lambda: simulate("dpzero", OBJECTIVE, **GOOD), lambda: grid("mezo", OBJECTIVE, **GRID)):
        with pytest.raises(ValueError, match=r"^method = .* is needed"):
            call()


def test_what_a_method_has_is_asked_for_and_what_it_has_not_is_refused():
    with pytest.raises(ValueError, match=r"dpzero needs both"):
        simulate(DPZERO, OBJECTIVE, alpha=0.1, T=3)
    with pytest.raises(ValueError, match=r"mezo neither clips nor adds noise"):
        simulate(MEZO, OBJECTIVE, alpha=0.1, T=3, C=1.0)
    with pytest.raises(ValueError, match=r"sigma = -1"):
        simulate(DPZERO, OBJECTIVE, **{**GOOD, "sigma": -1.0})
    with pytest.raises(ValueError, match=r"batch_size = 6: at most n = 5"):
        simulate(DPZERO, OBJECTIVE, **GOOD, batch_size=6)


def test_starts_of_the_wrong_shape():
    for x0 in ([1.0], [1.0, np.inf, 0.0], "abc", [[1.0, 2.0, 3.0]]):
        with pytest.raises(ValueError, match=r"^x0"):
            quadratic("flat", 3, 5, 0, x0=x0)


def test_estimates_refuse_too_little():
    with pytest.raises(ValueError, match=r"1 cluster"):
        clustered_mean([[1.0, 2.0]])
    with pytest.raises(ValueError, match=r"at least 3 different"):
        loglog_slope([1.0, 2.0, 2.0], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"y has the entry 0.0"):
        loglog_slope([1.0, 2.0, 3.0], [1.0, 0.0, 3.0])
