"""What shape a parameter has: taken apart and put together, and said by every objective."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthetic.objectives.matrices import layer_shape, matrix_quadratic
from synthetic.objectives.space import Space, matrix_space, vector_space
from synthetic.objectives.sums import quadratic
from theory_lab.methods.record import SADDLE, SUM

SIZES = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=4)


@given(shapes=SIZES)
def test_a_vector_is_taken_apart_into_views_and_put_together_again(shapes):
    space = matrix_space(*shapes)
    x = np.arange(float(space.d))
    parts = space.parts(x)
    assert [part.shape for part in parts] == shapes
    np.testing.assert_array_equal(space.flat(parts), x)
    parts[-1][-1, -1] = -1.0
    assert x[-1] == -1.0


MATRICES = {  # objectives of matrices: the arguments besides d and so on, and their shapes
    "matrix_quadratic": ({"m": 2}, [(2, 3)]),
    "low_rank": ({"m": 1, "rank": 1, "layers": 2}, [(1, 3), (1, 3)]),
    "matrix_cosine": ({"m": 1, "layers": 3}, [(1, 2), (1, 2), (1, 2)]),
    "factorisation": ({"m": 2, "rank": 1}, [(2, 1), (4, 1)]),
    "matrix_phase_retrieval": ({"m": 3}, [(3, 2)]),
    "perceptron": ({"hidden": 1}, [(1, 1), (1,), (2, 1), (2,)]),
}
NEEDED = {"linear_slopes": {"slopes": "two"}, "sparse_quadratic": {"support": 2}}  # of vectors


@pytest.mark.parametrize("name", [*SUM.table, *SADDLE.table])
def test_every_objective_says_what_shape_its_parameter_has(name):
    arguments = {"matrix_factorisation": (5, 2)}.get(name, ("flat", 6, 8, 0) if name in SUM.table else (6,))
    more, shapes = MATRICES.get(name, ({}, [(5, 2)] if name == "matrix_factorisation" else []))
    o = (SUM if name in SUM.table else SADDLE).made(name)(*arguments, **more, **NEEDED.get(name, {}))
    assert o.shape == (Space(tuple(shapes)) if shapes else vector_space(6))
    assert o.shape.d == o.d


def test_a_shape_of_another_size_is_refused():
    said = "shape: its arrays have 6 entries, but x0 of 'quadratic, flat spectrum, d = 5' has 5; the two numbers must agree"
    with pytest.raises(ValueError, match=said):
        replace(quadratic("flat", 5, 4, 0), shape=matrix_space((2, 3)))


def test_a_shape_that_is_too_small_is_refused():
    with pytest.raises(ValueError, match="shape: its arrays have 4 entries, but x0 of "):
        replace(quadratic("flat", 5, 4, 0), shape=matrix_space((2, 2)))


@pytest.mark.parametrize(
    ("d", "layers", "shape"), [(12, 1, (3, 4)), (16, 1, (4, 4)), (7, 1, (1, 7)), (24, 2, (3, 4)), (1, 1, (1, 1)), (30, 1, (5, 6))]
)
def test_without_rows_matrices_are_as_square_as_can_be(d, layers, shape):
    assert layer_shape(d, layers=layers) == shape == layer_shape(d, shape[0], layers)
    assert matrix_quadratic("inverse", d, 4, 0, layers=layers).shape.shapes == (shape,) * layers


def test_layers_that_do_not_share_out_d_are_refused():
    with pytest.raises(ValueError, match="d = 7: a multiple of m"):
        layer_shape(7, layers=2)
