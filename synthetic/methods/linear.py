"""Linear steps: a first-order method as a matrix, from the function `linear_step` of its record.

With the noisy mean g of the clipped gradients at x, a step computes x and the state from x, g and the state, in every coordinate by the
same linear formula. Momentum is one: v <- beta v + g, x <- x - alpha v. Adam is none.
"""

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any

import numpy as np

from synthetic.draws import FloatArray
from synthetic.methods.record import Kernel
from synthetic.objectives.space import vector_space
from synthetic.validate import short_repr

ROUNDING = 1e-9  # relative
TRIED = np.sqrt([[2.0, 7.0, 17.0], [3.0, 11.0, 19.0], [5.0, 13.0, 23.0]])  # no small integers relate them


def take_linear_step(method: Kernel, x: Any, g: Any, state: Sequence[Any], settings: Mapping[str, Any]) -> list[FloatArray]:
    """Return x and the arrays of the state after the declared linear step, in the order of the record; x, g and state are alike in shape.

    Raises ValueError where the method declares none, or its function returns anything else.
    """
    if method.linear_step is None:
        raise ValueError(f"method = {method.name}: it declares no linear_step, which a prediction needs; `simulate` runs it on data")
    given = {"x": x, "g": g, **dict(zip(method.state, state, strict=True)), **settings}
    try:
        found = method.linear_step(*(given[name] for name in signature(method.linear_step).parameters))
    except (TypeError, ValueError, ArithmeticError) as error:
        raise ValueError(
            f"linear_step of {method.name}: {type(error).__name__}: {error}; a formula of floats and arrays is needed"
        ) from error
    values = found if isinstance(found, tuple) else (found,)
    try:
        if len(values) == 1 + len(method.state):
            return [np.broadcast_to(np.asarray(one, dtype=float), np.shape(x)) for one in values]
    except (TypeError, ValueError):
        pass
    names = ", ".join(("x", *method.state))
    raise ValueError(
        f"linear_step of {method.name} returns {short_repr(found)}: ({names}) after the step is needed, in shapes like those of x"
    )


def step_matrix(method: Kernel, settings: Mapping[str, Any]) -> FloatArray:
    """Return the matrix (m, m + 1) of the declared linear step: x and the m - 1 arrays of the state after it, from those before it and g.

    Raises ValueError where the method declares none, where its settings are not numbers, and where the function is not linear.
    """
    space, m = vector_space(5), 1 + len(method.state)
    for name, shape in method.state.items():
        if shape(space, settings) != (space.d,):
            raise ValueError(
                f"state {name} of {method.name} is not as long as x; with a linear_step all state has one number per coordinate"
            )
    mixed = np.resize(TRIED, (m + 1, 3)) * np.arange(1, m + 2)[:, None] * [1.0, -1.0, 100.0]
    with np.errstate(all="ignore"):  # a step that is not linear may divide by 0
        columns = [take_linear_step(method, one[0], one[-1], one[1:-1], settings) for one in np.eye(m + 1).tolist()]  # of x, state, g
        matrix = np.array(columns, dtype=float).T
        seen = np.array(take_linear_step(method, mixed[0].copy(), mixed[-1].copy(), [one.copy() for one in mixed[1:-1]], settings))
        at_zero = np.array(take_linear_step(method, 0.0, 0.0, [0.0] * (m - 1), settings))
        expected = matrix @ mixed
        if np.any(at_zero != 0) or not np.all(np.abs(seen - expected) <= ROUNDING * float(np.abs(expected).max())):  # false for nan
            raise ValueError(
                f"linear_step of {method.name} is not linear in x, g and the state: a prediction needs a linear step without constants"
            )
    return matrix
