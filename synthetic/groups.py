"""Spectra of any dimension in groups: equal eigenvalues form one group, nearly equal eigenvalues one bin.

What is measured on a quadratic depends on an eigenvalue through its square. So the value of a bin is the root mean square of its members,
which keeps Tr A^2. The members of a bin differ by at most a share `width` of their size. Bins are wider where the remaining, smaller
eigenvalues hold little of Tr A^2: by the factor (Tr A^2 / their part of it)^(1/3), with which all bins contribute alike to the error, up to
a width of WIDEST. Eigenvalues that have a bin to themselves are exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from synthetic.draws import FloatArray
from synthetic.memory import check_memory
from synthetic.spectra import spectrum_exponent
from synthetic.validate import array_of, float_array, inside_unit, positive_integer, validated_strictly

WIDTH = 0.03
WIDEST = 0.5
FEW = 200  # the terms of a power law below this index are added up one by one; for the others a formula has all digits
LARGEST = 10**15  # of a dimension: floats hold all integers up to it


@dataclass(frozen=True, eq=False)
class Groups:
    """A spectrum of d eigenvalues, sorted into groups of equal or nearly equal ones.

    value (G,)   eigenvalue of each group, falling; root mean square of a bin;   size (G,)   number of eigenvalues in each group
    exact        whether every group holds equal eigenvalues only
    """

    name: str
    value: FloatArray
    size: FloatArray
    exact: bool

    @property
    def d(self) -> float:
        """The dimension: the number of eigenvalues, an integer stored as a float."""
        return float(self.size.sum())

    @property
    def trace(self) -> float:
        """Tr A, the sum of all eigenvalues; of bins, size times root mean square, which is slightly larger unless `exact`."""
        return float(self.value @ self.size)

    @property
    def rank(self) -> float:
        """The effective rank Tr A / ||A||."""
        return self.trace / float(self.value.max())

    def with_wider_bins(self, width: float) -> Groups:
        """Return the spectrum with fewer groups, in bins of a larger relative width."""
        return _bin_eigenvalues(self.name, self.value, self.size, width, self.exact)


@validated_strictly
def group_eigenvalues(spectrum: str | npt.ArrayLike | Sequence[tuple[float, int]], d: int | None = None, *, width: float = WIDTH) -> Groups:
    """Return the `Groups` of a spectrum: its eigenvalues, sorted into groups of equal or nearly equal ones.

    spectrum   "flat", "inverse_sqrt", "inverse" or "power:P", eigenvalues i^-P for i = 1..d; an array (d,); or pairs (value, multiplicity),
               which are not binned;   d is needed with a name, and optional otherwise
    width      of a bin, as a share of its eigenvalues
    Raises ValueError for what is no spectrum, or does not have d eigenvalues.
    """
    inside_unit(width=width)
    if d is not None:
        positive_integer(d=d)
        if d > LARGEST:
            raise ValueError(f"d = {d}: an integer of at most 1e15 is needed")
    if isinstance(spectrum, str):
        exponent = spectrum_exponent(spectrum)
        if d is None:
            raise ValueError(f"d is missing: spectrum = {spectrum!r} needs the number of eigenvalues")
        return _power_law_groups(spectrum, exponent, d, width)
    found = _groups_of_array(spectrum, width)
    if d is not None and found.d != d:
        raise ValueError(f"d = {d}: the spectrum has {found.d:.0f} eigenvalues; give d = {found.d:.0f}, or leave d out")
    return found


def _groups_of_array(spectrum: Any, width: float) -> Groups:
    """Return the groups of an array (d,) of eigenvalues, binned, or of pairs (k, 2) of value and multiplicity, as they are."""
    needed = "eigenvalues of at least 0, one of them above 0, are needed"
    array = float_array("spectrum", spectrum)
    if array.ndim == 2 and array.shape[1:] == (2,):
        value, size = array_of((None, 2), spectrum=array).T
        if np.any(size < 1) or np.any(size != np.floor(size)) or size.sum() > LARGEST:
            raise ValueError("spectrum: multiplicities that are whole numbers of at least 1, at most 1e15 in all, are needed")
        if np.any(value < 0) or not np.any(value > 0):
            raise ValueError(f"spectrum: {needed}")
        order = np.argsort(-value, kind="stable")
        return Groups("given pairs", value[order], size[order], True)
    value = -np.sort(-array_of((None,), spectrum=array))
    if value[-1] < 0 or not value[0] > 0:
        raise ValueError(f"spectrum: {needed}")
    check_memory(24 * len(value), spectrum=len(value))
    return _bin_eigenvalues("given array", value, np.ones(len(value)), width, True)


def _bin_eigenvalues(name: str, value: FloatArray, size: FloatArray, width: float, exact: bool) -> Groups:
    """Sort falling eigenvalues value (k,), with multiplicities size (k,), into bins of a relative width; return the groups."""
    left = np.cumsum((value**2 * size)[::-1])[::-1]  # of Tr A^2, from this value on
    with np.errstate(divide="ignore"):
        log = np.log(value)
    edges = [0]
    while edges[-1] < len(value):
        start = edges[-1]
        wide = min(WIDEST, width * np.cbrt(left[0] / left[start])) if left[start] > 0 else WIDEST
        # falling values: the first that is below the start by more than the width
        edges.append(int(np.searchsorted(-log, -(log[start] + np.log1p(-wide)), side="right")) if np.isfinite(log[start]) else len(value))
    starts = np.array(edges[:-1])
    sizes = np.add.reduceat(size, starts)
    mean_square = np.add.reduceat(value**2 * size, starts) / sizes
    last = value[np.array(edges[1:]) - 1]
    same = last == value[starts]
    return Groups(name, np.where(same, value[starts], np.sqrt(mean_square)), sizes, exact and bool(np.all(same)))


def _power_law_groups(name: str, exponent: float, d: int, width: float) -> Groups:
    """Return the eigenvalues i^-exponent, i = 1..d, in bins of a relative width, without an array of length d."""
    if exponent == 0.0:
        return Groups(name, np.ones(1), np.array([float(d)]), True)
    total = _tail_sum(exponent, 1, d)
    edges = [1]
    while edges[-1] <= d:
        i = edges[-1]
        wide = min(WIDEST, width * float(np.cbrt(total / _tail_sum(exponent, i, d))))
        reach = -math.log1p(-wide) / exponent  # of log i, within which the eigenvalues fall by the share
        edges.append(d + 1 if reach > math.log((d + 1) / i) else max(i + 1, min(d + 1, math.floor(i * math.exp(reach)) + 1)))
    first, stop = np.array(edges[:-1], dtype=float), np.array(edges[1:], dtype=float)
    size = stop - first
    squares = _power_sums(2 * exponent, first, stop)
    return Groups(name, np.where(size == 1, first**-exponent, np.sqrt(squares / size)), size, bool(np.all(size == 1)))


def _tail_sum(exponent: float, i: int, d: int) -> float:
    """Return the sum of k^(-2 exponent) over k = i..d."""
    return float(_power_sums(2 * exponent, np.array([float(i)]), np.array([d + 1.0]))[0])


def _power_sums(power: float, first: FloatArray, stop: FloatArray) -> FloatArray:
    """Return the sums of k^-power over k = first..stop-1, for arrays first and stop.

    Terms below FEW are added up one by one, the others by `_euler_maclaurin_sums`.
    """
    left = np.append(np.cumsum(np.arange(FEW - 1.0, 0.0, -1.0) ** -power)[::-1], 0.0)  # from 1, from 2, ... on, up to FEW - 1
    few = left[np.minimum(first, FEW).astype(int) - 1] - left[np.minimum(stop, FEW).astype(int) - 1]
    low = np.maximum(first, FEW)
    return few + _euler_maclaurin_sums(power, low, np.maximum(stop, low))


def _euler_maclaurin_sums(power: float, first: FloatArray, stop: FloatArray) -> FloatArray:
    """Return the sums of k^-power over k = first..stop-1 by the Euler-Maclaurin formula at the half-integers, to k^-(power + 3)."""
    low, high = first - 0.5, stop - 0.5
    ratio = np.log1p((stop - first) / low)  # of high to low, which may be next to each other
    integral = low ** (1 - power) * (ratio if power == 1 else np.expm1((1 - power) * ratio) / (1 - power))
    slopes = power * (low ** (-power - 1) - high ** (-power - 1))  # f'(high) - f'(low)
    return integral - slopes / 24
