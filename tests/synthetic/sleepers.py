"""Tasks for the tests of the sweep."""

import time

import numpy as np


def slow_square(*, x, seconds):
    time.sleep(seconds)
    return {"square": np.array([float(x) ** 2]), "table": np.random.default_rng(x).standard_normal((2, 3))}


def fails(*, x):
    raise ValueError(f"x = {x}: never allowed")
