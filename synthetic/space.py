"""The shape of a parameter. Kernels see every parameter as one vector x (d,); a space says how that vector is read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from synthetic.draws import FloatArray


@dataclass(frozen=True)
class Space:
    """Arrays of these shapes, each row by row, one after the other in x."""

    shapes: tuple[tuple[int, ...], ...] = ()

    @property
    def d(self) -> int:
        """Length of x."""
        return sum(math.prod(shape) for shape in self.shapes)

    def parts(self, x: FloatArray) -> list[FloatArray]:
        """Return the arrays that x (d,) holds, as views of it."""
        ends = np.cumsum([math.prod(shape) for shape in self.shapes])
        return [part.reshape(shape) for part, shape in zip(np.split(x, ends[:-1]), self.shapes, strict=True)]

    def flat(self, parts: Sequence[FloatArray]) -> FloatArray:
        """Return the vector that holds the arrays: what `parts` takes apart."""
        return np.concatenate([np.reshape(part, -1) for part in parts])


def vector(d: int) -> Space:
    """Return the space of vectors."""
    return Space(((d,),))


def matrices(*shapes: tuple[int, int]) -> Space:
    """Return the space of lists of matrices, such as the weights of the layers of a network."""
    return Space(shapes)


def space_of(name: str, space: Space, d: int) -> Space:
    """Return the space of an objective whose x has d entries, by default vectors; raise ValueError where it is not as long."""
    if space.shapes and space.d != d:
        raise ValueError(f"shape: {space.d} entries, and x0 of {name!r} has {d}; as many are needed")
    return space if space.shapes else vector(d)
