"""Runs of DP-GD, and of other methods with linear steps, in distribution: many settings at once, at any dimension.

This is `kernels.clipped_weight` with its tables and draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray
from scipy import special

from synthetic.distribution.samples import chunk_ranges, draw_chi_square
from synthetic.draws import NOISE, FloatArray
from synthetic.grids.settings import Settings
from synthetic.groups import Groups
from synthetic.kernels.clipped_weight import TILT, first_order_steps, mean_clip_factors

METHODS = ("dp_gd",)
NOISE_RESTS = 9  # a role of draws, after those of `zeroth_order`
CHUNK_BYTES = 2**21
NODES, SPREAD = 384, 2.0  # of the transform: omega = SPREAD / deviation of q times (y / (1 - y))^2, y by Gauss and Legendre's rule
SCALES = 1.25 ** np.arange(60)  # times the least deviation of q, for which nodes are kept: up to 650,000 times
RULE = leggauss(48)
POINTS = 10  # Chebyshev's points in a^2, from 0 to the largest


@dataclass(frozen=True)
class Transforms:
    """Laplace transforms for the clipping weights of a spectrum: the tables that do not depend on the state of a run.

    q is the squared norm of a sample's gradient. All tables are by levels of the deviation of q.
    """

    groups: Groups

    @cached_property
    def extra(self) -> FloatArray:
        """Return the values of a^2 at which weights are computed, (P,): Chebyshev's points, or every a^2 of few groups."""
        if len(self.groups.value) <= POINTS:
            return self.groups.value**2
        return self.groups.value.max() ** 2 * (1 - np.cos(np.pi * (np.arange(POINTS) + 0.5) / POINTS)) / 2

    @cached_property
    def basis(self) -> FloatArray:
        """Return the Lagrange polynomials of the points `extra` at the a^2 of every group, (P, G)."""
        a_sq, x = self.groups.value**2, self.extra
        if len(a_sq) <= POINTS:
            return np.eye(len(a_sq))
        others = [np.delete(x, j) for j in range(POINTS)]
        return np.array([np.prod((a_sq[:, None] - rest) / (x[j] - rest), axis=1) for j, rest in enumerate(others)])

    @cached_property
    def levels(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the deviations of q (levels,), and for each the quadrature nodes omega and masses over pi, (levels, NODES)."""
        y, mass = special.roots_legendre(NODES)  # a thousand times faster than leggauss
        y, mass = (y + 1) / 2, mass / 2
        scales = np.sqrt(2 * self.groups.value**4 @ self.groups.size) * SCALES
        unit = SPREAD / scales[:, None]
        return scales, unit * (y / (1 - y)) ** 2, unit * 2 * y / (1 - y) ** 3 * mass / np.pi

    @cached_property
    def line(self) -> NDArray[np.complex128]:
        """Return the points s = c + i omega of the complex line on which transforms are integrated, (levels, NODES)."""
        scales, omega, _ = self.levels
        return TILT / scales[:, None] + 1j * omega

    @cached_property
    def log_phi(self) -> NDArray[np.complex128]:
        """Return log E exp(s q) at the points s for a state at the optimum, E = 0, (levels, NODES)."""
        a_sq, k = self.groups.value**2, self.groups.size
        return np.stack([-np.log1p(-2 * s[:, None] * a_sq) @ (k / 2) for s in self.line])

    def weight_transform(self, C: float, power: int) -> NDArray[np.complex128]:
        """Return the transform of the weight min(1, C / sqrt(q))^power, times the masses, (levels, NODES)."""
        s, mass = self.line, self.levels[2]
        clipped = -np.expm1(-s * C**2) / s
        beyond = {1: lambda: C * np.sqrt(np.pi / s) * special.erfc(C * np.sqrt(s)), 2: lambda: C**2 * special.exp1(s * C**2)}
        return mass * (clipped + beyond[power]())

    def tables(self, clips: FloatArray, power: int = 1) -> tuple[Any, ...]:
        """Return the tables that the kernel needs for finite thresholds clips (clips,): power, levels, nodes and transforms."""
        scales, omega, _ = self.levels
        H = np.array([self.weight_transform(float(C), power) for C in clips])
        parts = (self.log_phi.real, self.log_phi.imag, H.real, H.imag)
        return power, scales, omega, *(np.ascontiguousarray(part) for part in parts)

    def optimum_weights(self, C: float, power: int) -> FloatArray:
        """Return E min(1, C / sqrt(q'))^power in every group at the optimum, (G,); q' has two more degrees of freedom in that group."""
        _, *shared, real, imaginary = self.tables(np.array([C]), power)
        a, found = self.groups.value, np.empty(len(self.extra))
        mean_clip_factors(a**2, self.groups.size, np.zeros(len(a)), C, power, *shared, real[0], imaginary[0], *RULE, self.extra, found)  # type: ignore[call-arg]
        return found @ self.basis


transforms_of = lru_cache(maxsize=4)(Transforms)


@lru_cache(maxsize=256)
def clipping_excess(groups: Groups, C: float) -> FloatArray:
    """Return n times the variance that clipping at C adds per coordinate to the centre where DP-GD settles, (G,); 0 for infinite C."""
    if not np.isfinite(C):
        return np.zeros(len(groups.value))
    mean, square = (transforms_of(groups).optimum_weights(C, power) for power in (1, 2))
    return np.maximum(square / mean**2 - 1, 0.0)


@dataclass(frozen=True, eq=False)
class FirstOrder:
    """Runs of DP-GD in distribution, or of another linear step: settings by falling T, the effect of clipping, and transform tables.

    matrix (settings, m, m + 1)   the step, as in `kernels.clipped_weight.first_order_steps`
    excess (settings, G)          n times what clipping adds to the variance of a centre
    clip (settings,)              index of the tables for the setting's C
    tolerance                     relative change of E q up to which a weight is kept: its error is at most half of that
    """

    transforms: Transforms
    settings: Settings
    matrix: FloatArray
    excess: FloatArray
    clip: NDArray[np.int64]
    tables: tuple[Any, ...]
    tolerance: float

    @staticmethod
    def prepare_runs(groups: Groups, settings: Settings, n: float, tolerance: float, matrix: FloatArray | None = None) -> FirstOrder:
        """Prepare the runs of settings, by falling T, for spectrum groups and n samples, with a tolerance of the weights.

        matrix   (m, m + 1), the step of every setting; None: that of DP-GD, D - alpha g
        """
        transforms = transforms_of(groups)
        clips, clip = np.unique(np.where(np.isfinite(settings.C), settings.C, 1.0), return_inverse=True)
        rows = np.array([clipping_excess(groups, float(C)) if np.isfinite(n) else np.zeros(len(groups.value)) for C in settings.C])
        steps = np.stack([np.array([[1.0, -alpha]]) if matrix is None else matrix for alpha in settings.alpha])
        return FirstOrder(transforms, settings, steps, rows, clip, transforms.tables(clips), tolerance)

    def states(
        self, start: FloatArray, ends: list[int], stream: Callable[[int], np.random.Generator], late: bool = False
    ) -> Iterator[tuple[int, FloatArray, FloatArray]]:
        """Run settings from x = 0, p = start (settings, G); yield at every end t > 0: t, p and q (live, G) of those that run there.

        stream   stream(role) returns the generator of a role;   late   see `samples.chunk_ranges`
        """
        settings, k, m = self.settings, self.transforms.groups.size, self.matrix.shape[1]
        along, rest = np.zeros((len(start), m, len(k))), np.zeros((len(start), m, m, len(k)))
        along[:, 0] = start
        factor, at = np.ones_like(start), np.full(len(start), np.nan)
        normal, chi = stream(NOISE), stream(NOISE_RESTS)
        axes = np.arange(m + 1)[:, None]
        steps = max(1, CHUNK_BYTES // (8 * (m + 2) * len(k)))
        for begin, stop, live in chunk_ranges(ends, settings.T, steps, late):
            b = stop - begin
            w = np.empty((b, m + 2, len(k)))
            w[:, :-1] = np.where(axes < k, normal.standard_normal((b, m + 1, len(k))), 0.0)
            w[:, -1] = np.sqrt(draw_chi_square(chi, k - 1 - m, b))
            chosen = (self.matrix[:live], settings.C[:live], settings.sigma[:live], self.clip[:live])
            rules = (self.tables, RULE, self.transforms.extra, self.transforms.basis, self.tolerance)
            state = (-start[:live], along[:live], rest[:live], factor[:live], at[:live])
            first_order_steps(self.transforms.groups.value, k, w, *chosen, *rules, *state)
            if stop in ends:
                yield stop, along[:live, 0], rest[:live, 0, 0]
