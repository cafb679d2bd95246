"""The shape of a parameter: kernels receive every parameter as one vector x (d,), and a space gives the shapes of its arrays."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from synthetic.draws import FloatArray
from synthetic.validate import short_repr, to_python_number

R = TypeVar("R")


class Runnable(Generic[R]):
    """Base class of what methods run on: R is the type of a run on it, for editors and mypy."""


@dataclass(frozen=True)
class Space:
    """The shapes of the arrays that a vector x (d,) holds, one after the other, each row by row."""

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
        """Return the vector (d,) that holds the arrays, the inverse of `parts`."""
        return np.concatenate([np.reshape(part, -1) for part in parts])


def vector_space(d: int) -> Space:
    """Return the space of vectors (d,)."""
    return Space(((d,),))


def matrix_space(*shapes: tuple[int, int]) -> Space:
    """Return the space of lists of matrices of these shapes, such as the weights of a network's layers."""
    return Space(shapes)


def space_of_shapes(shapes: Sequence[Sequence[int]] | None) -> Space:
    """Return the space of arrays of these shapes, vectors (k,) or matrices (m, k); an empty space for None.

    Raises ValueError for other shapes.
    """
    if shapes is None:
        return Space()
    try:
        rows = tuple(tuple(to_python_number("shape", size) for size in one) for one in shapes)
    except TypeError:
        rows = ()
    if not rows or any(len(one) not in (1, 2) or any(type(size) is not int or size < 1 for size in one) for one in rows):
        raise ValueError(f"shape = {short_repr(shapes)}: shapes of vectors and matrices are needed, such as [(3, 4), (4,)]")
    return Space(rows)


def checked_space(name: str, space: Space, d: int) -> Space:
    """Return an objective's space, that of vectors (d,) for an empty one; raise ValueError where it does not have d entries.

    name   of the objective, for the message
    """
    if space.shapes and space.d != d:
        raise ValueError(f"shape: its arrays have {space.d} entries, but x0 of {name!r} has {d}; the two numbers must agree")
    return space if space.shapes else vector_space(d)
