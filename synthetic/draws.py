"""Random draws: one SeedSequence per run, with a child for each replicate and role.

Replicate r of a run with seed s draws its directions from ``SeedSequence(s, spawn_key=(r, DIRECTIONS))`` and its noise from
``(r, NOISE)``. So the draws of a replicate depend neither on the number of replicates, nor on the number of steps (a longer run
continues the same stream), nor on how the stream is cut into chunks. `simulate` and the grid engine both draw here, so that
they can be compared on the same draws.
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Direction = Literal["sphere", "gaussian"]

DIRECTIONS, NOISE, BATCHES, OUTPUT = range(4)  # roles; a kernel may have others, from 4 on
DATA = 2**32 - 1  # spawn key of a dataset; no replicate has this number
CHUNK_BYTES = 2**23
DIRECTION_KINDS = get_args(Direction)


def generator(seed: int, replicate: int, role: int) -> np.random.Generator:
    """Return the random generator of one role (DIRECTIONS, NOISE, BATCHES, ...) of one replicate of the run with this seed."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(replicate, role)))


def data_generator(seed: int) -> np.random.Generator:
    """Return the random generator from which the data set of this seed is drawn."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(DATA,)))


def draw_directions(rng: np.random.Generator, steps: int, d: int, kind: str) -> FloatArray:
    """Draw the next directions, (steps, d): uniform on the sphere of radius sqrt(d) for kind "sphere", else N(0, I_d)."""
    u = rng.standard_normal((steps, d))
    if kind == "sphere":
        u *= np.sqrt(d) / np.sqrt(np.einsum("td,td->t", u, u))[:, None]
    return u


def steps_per_chunk(T: int, d: int) -> int:
    """Return how many of T steps to draw at a time, at least 1, so that their vectors of length d take at most 8 MiB."""
    return max(1, min(T, CHUNK_BYTES // (8 * d)))
