"""Hypothesis strategies that draw problems and schedules, for this project's tests and for your own.

    from hypothesis import given
    from bounds.strategies import problems

    @given(problem=problems())
    def test_my_bound_is_monotone(problem):
        ...                                 # problem is a dict: n d r epsilon delta L ell gap B

Every problem makes sense: n and d whole, 1 <= r <= d, 0 < delta < 1, gap <= 2 B. Hypothesis is needed only here (extra ``test``).
"""

import math
from typing import Any

from hypothesis import strategies as st


def log_uniform(low: float, high: float) -> st.SearchStrategy[float]:
    """Return a strategy for floats from low to high, uniform in their logarithm."""
    return st.floats(math.log(low), math.log(high)).map(lambda x: min(max(math.exp(x), low), high))


@st.composite
def problems(
    draw: Any, *, n: tuple[float, float] = (10, 1e9), d: tuple[float, float] = (1, 1e11), epsilon: tuple[float, float] = (1e-2, 20)
) -> dict[str, float]:
    """Strategy that draws a problem as a dict: n, d, r, epsilon, delta, L, ell, gap, B; n, d, epsilon within ranges, n, d integers.

    The default range of epsilon is where Lemma 2.2 of DPZero is proved to be private.
    """
    size = float(round(draw(log_uniform(*d))))
    gap = draw(log_uniform(1e-3, 1e3))
    return {
        "n": float(round(draw(log_uniform(*n)))),
        "d": size,
        "r": draw(log_uniform(1, size)) if size > 1 else 1.0,
        "epsilon": draw(log_uniform(*epsilon)),
        "delta": draw(log_uniform(1e-15, 1e-2)),
        "L": draw(log_uniform(1e-2, 1e2)),
        "ell": draw(log_uniform(1e-2, 1e2)),
        "gap": gap,
        "B": gap * draw(log_uniform(0.5, 10)),
    }


@st.composite
def schedules(draw: Any) -> dict[str, float]:
    """Strategy that draws a schedule as a dict: alpha, C, lam, sigma log-uniform over wide ranges, T a uniform integer to 10^6."""
    return {
        "alpha": draw(log_uniform(1e-6, 10)),
        "T": draw(st.integers(1, 10**6)),
        "C": draw(log_uniform(1e-2, 1e3)),
        "lam": draw(log_uniform(1e-9, 1)),
        "sigma": draw(log_uniform(1e-6, 1e2)),
    }
