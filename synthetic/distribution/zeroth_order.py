"""Runs of DPZero, DPGD-0th and MeZO in distribution: many settings at once, at any dimension (`kernels.in_distribution` and its draws)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import factorial

import numpy as np
from numpy.polynomial.hermite_e import hermevander
from numpy.typing import NDArray
from scipy import special

from synthetic.distribution.samples import chunk_ranges, draw_chi_square
from synthetic.draws import DIRECTIONS, NOISE, FloatArray
from synthetic.grids.settings import Settings
from synthetic.groups import Groups
from synthetic.kernels.in_distribution import zeroth_order_steps

VECTOR_NOISE = {"dpzero": False, "dpgd_0th": True, "mezo": False}
RESTS, VECTORS, VECTOR_RESTS, ERRORS = range(5, 9)  # roles, after those of `draws` and of the sample
CHUNK_BYTES = 2**21  # draws that stay in the second-level cache while the settings pass over them
PAIRS = 4000  # of directions, for the excess: its error, some hundredths, is small beside the 1 that it is added to
ORDERS = range(3, 33, 2)  # of Hermite polynomials in a clipped value
HEAVY = 0.01  # share of Tr A^2 from which a group is more than a small perturbation of the direction's rest


@dataclass(frozen=True, eq=False)
class Directions:
    """Directions u of b steps, by their parts in each group of eigenvalues: along, across, rest (b, G), and |u|, length (b,)."""

    along: FloatArray
    across: FloatArray
    rest: FloatArray
    length: FloatArray

    @staticmethod
    def draw_steps(groups: Groups, normal: np.random.Generator, chi: np.random.Generator, steps: int, law: str) -> Directions:
        """Draw the directions of the next steps, uniform on the sphere of radius sqrt(d) or Gaussian, by their parts in each group."""
        k = groups.size
        along, across = np.moveaxis(normal.standard_normal((steps, 2, len(k))), 1, 0).copy()
        across[:, k < 2] = 0.0
        rest = np.sqrt(draw_chi_square(chi, k - 2, steps))
        length = np.sqrt(np.einsum("tg,tg->t", along, along) + np.einsum("tg,tg->t", across, across) + np.einsum("tg,tg->t", rest, rest))
        if law == "sphere":
            for part in (along, across, rest):
                part *= (np.sqrt(groups.d) / length)[:, None]
            length[:] = np.sqrt(groups.d)
        return Directions(along, across, rest, length)

    def scaled_lengths(self, a: FloatArray) -> FloatArray:
        """Return |A u| of every direction, (b,), for eigenvalues a (G,)."""
        return np.sqrt(
            ((self.along**2 + self.across**2 + self.rest**2) * a**2).sum(axis=-1)
        )  # a matrix product would round differently for other numbers of steps


@dataclass(frozen=True, eq=False)
class ZerothOrder:
    """Runs of zeroth-order methods in distribution: settings by falling T, and the effect of clipping with n samples on each.

    vector (settings,)      whether the noise has an entry for each coordinate (DPGD-0th)
    excess (settings, G)    n times what clipping adds to the variance of a centre;   spread (settings,): see the kernel
    """

    groups: Groups
    settings: Settings
    vector: NDArray[np.bool_]
    n: float
    direction: str
    excess: FloatArray
    spread: FloatArray

    @staticmethod
    def prepare_runs(
        groups: Groups, settings: Settings, methods: NDArray[np.str_], n: float, direction: str, own: bool = True
    ) -> ZerothOrder:
        """Prepare the runs of settings, by falling T, with their methods (settings,), for spectrum groups and n samples.

        own   whether clipping makes errors of its own
        """
        vector, plain = np.array([VECTOR_NOISE[one] for one in methods]), methods == "mezo"
        settings = replace(settings, C=np.where(plain, np.inf, settings.C), sigma=np.where(plain, 0.0, settings.sigma))
        clips = [(float(C), bool(one)) for C, one in zip(settings.C, vector, strict=True)]
        if not (own and np.isfinite(n)):
            return ZerothOrder(groups, settings, vector, n, direction, np.zeros((len(clips), len(groups.value))), np.zeros(len(clips)))
        known = {key: clipping_excess(groups, *key, direction) for key in dict.fromkeys(clips)}
        extra, left = np.array([known[key][0] for key in clips]), np.array([known[key][1] for key in clips])
        return ZerothOrder(groups, settings, vector, n, direction, extra, left / n)

    def states(
        self, start: FloatArray, ends: list[int], stream: Callable[[int], np.random.Generator], late: bool = False
    ) -> Iterator[tuple[int, FloatArray, FloatArray]]:
        """Run zeroth-order settings from p = start (settings, G); yield at every end t > 0: t, p and q (live, G) of those that run there.

        stream   stream(role) returns the generator of a role;   late   see `samples.chunk_ranges`
        """
        settings, groups, a = self.settings, self.groups, self.groups.value
        p, q = start.copy(), np.zeros_like(start)
        normal, chi, along, everywhere, left, errors = map(stream, (DIRECTIONS, RESTS, NOISE, VECTORS, VECTOR_RESTS, ERRORS))
        steps = max(1, CHUNK_BYTES // (8 * len(a) * (7 if self.vector.any() else 3)))
        for begin, stop, live in chunk_ranges(ends, settings.T, steps, late):
            b = stop - begin
            u = Directions.draw_steps(groups, normal, chi, b, self.direction)
            z, sampled, noisy = along.standard_normal(b), errors.standard_normal(b), bool(self.vector[:live].any())
            w = _draw_vector_noise(groups, everywhere, left, b) if noisy else np.zeros((0, 4, len(a)))
            v = u.scaled_lengths(a) * np.sqrt(1 - 1 / self.n)  # samples about their own mean
            chosen = (settings.alpha[:live], settings.C[:live], settings.sigma[:live], self.vector[:live], self.spread[:live])
            zeroth_order_steps(a, u.along, u.across, u.rest, v, u.length, z, w, sampled, *chosen, p[:live], q[:live])
            if stop in ends:
                yield stop, p[:live], q[:live]


def _draw_vector_noise(groups: Groups, normal: np.random.Generator, chi: np.random.Generator, steps: int) -> FloatArray:
    """Draw the noise of b steps in every coordinate, by groups, (b, 4, G): along p, along q, along the rest of u, and elsewhere.

    The last entry is the length of the noise in all other coordinates.
    """
    k, w = groups.size, np.empty((steps, 4, len(groups.size)))
    w[:, :3] = normal.standard_normal((steps, 3, len(k)))
    w[:, 1, k < 2] = 0.0
    w[:, 2, k < 3] = 0.0
    w[:, 3] = np.sqrt(draw_chi_square(chi, k - 3, steps))
    return w


@lru_cache(maxsize=4)
def direction_pairs(groups: Groups, direction: str) -> tuple[Directions, Directions, FloatArray]:
    """Draw PAIRS independent pairs of directions u, u'; return both, and their inner product in every group, (PAIRS, G).

    By isotropy the product is computed as if u lay along p.
    """
    rng = np.random.default_rng(PAIRS)
    one, two = (Directions.draw_steps(groups, rng, rng, PAIRS, direction) for _ in range(2))
    return one, two, np.sqrt(one.along**2 + one.across**2 + one.rest**2) * two.along


@lru_cache(maxsize=256)
def clipping_excess(groups: Groups, C: float, vector: bool, direction: str) -> tuple[FloatArray, float]:
    """Return n times the variance that clipping at C adds to a centre's coordinate, (G,), and the share of error left in a step.

    At the optimum the slopes y ~ N(0, v^2) of a direction are clipped to h(y) = sum over odd k of h_k He_k(y / v) / k!. The terms k >= 3 of
    two directions have the covariance h_k h_k' rho^k / k! / n, rho = u'A^2 u' / (v v'). The part that all directions share, E[u u' of it],
    moves the zero of the mean field E[P(|y| < C) u u'] A D; the rest is an error of each step, a share of the variance of those terms.
    """
    if not np.isfinite(C):
        return np.zeros(len(groups.value)), 0.0
    a, k = groups.value, groups.size
    one, two, product = direction_pairs(groups, direction)
    v, v_two = one.scaled_lengths(a), two.scaled_lengths(a)
    rho = product @ a**2 / (v * v_two)
    c, c_two = ((C / u.length if vector else C) / size for u, size in ((one, v), (two, v_two)))
    density, outside = np.exp(-(c**2) / 2) / np.sqrt(2 * np.pi), 2 * special.ndtr(-c)
    linear = (1 - outside) @ (one.along**2 + one.across**2 + one.rest**2) / (k * PAIRS)  # a direction clips the more the longer u_g is
    both = 4 * v * v_two * density * np.exp(-(c_two**2) / 2) / np.sqrt(2 * np.pi)
    covariance, slope = np.zeros(PAIRS), np.zeros(PAIRS)
    He = [hermevander(x, ORDERS[-1] - 2) for x in (c, c_two)]
    for order in ORDERS:
        h = both * He[0][:, order - 2] * He[1][:, order - 2] / factorial(order)
        covariance += h * rho**order
        slope += h * order * rho ** (order - 1)
    variance = v**2 * (1 - outside - 2 * c * density + c**2 * outside - (1 - outside) ** 2)  # of min(|y|, C), less the linear part
    shared = (product * covariance[:, None]).mean(axis=0) / k
    light = a**2 * np.mean(slope / (v * v_two))
    shared = np.maximum(np.where(a**2 * k > HEAVY * (a**2 @ k), shared, light), 0.0)
    total = float(variance.mean())
    left = max(0.0, 1 - float(shared @ k) / total) if total > 0 else 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(a > 0, shared / (linear * a) ** 2, 0.0), left
