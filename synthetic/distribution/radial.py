"""Runs of DPZero on the radial Huber function, exact in distribution at any dimension: `kernels.radial` with its draws.

F(x) = h(sqrt(x'Qx)) with Tr(Q) = r, integer or not, is convex, L-Lipschitz and ell-smooth, and its Hessian is at most ell Q, which has the
effective rank r: ||grad F|| = h'(s) ||Qx|| / s <= L, and beyond s = L / ell the Hessian is at most (L / s) Q. All samples have this loss.
"""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from synthetic.compiled import run_replicates
from synthetic.draws import DIRECTIONS, NOISE, FloatArray, generator
from synthetic.kernels.radial import radial_steps
from synthetic.validate import non_negative, positive, positive_integer, seed_integer, validated

RESTS = 5  # a role of draws, after those of `draws`
CHUNK = 4096  # steps whose draws are held at once


@dataclass(frozen=True)
class Huber:
    """Radial Huber function: dimension d, effective rank r from 1 to d, curvature ell near the minimum, slope L far from it."""

    d: int
    r: float
    ell: float = 1.0
    L: float = 1.0

    def __post_init__(self) -> None:
        """Raise ValueError unless d is a positive integer, r is in [1, d], and ell and L are positive."""
        positive_integer(d=self.d)
        positive(r=self.r, ell=self.ell, L=self.L)
        if not 1 <= self.r <= self.d:
            raise ValueError(f"r = {self.r!r}: a number from 1 to d = {self.d} is needed")

    @property
    def ones(self) -> int:
        """Return the number of coordinates with weight 1."""
        return math.floor(self.r)

    @property
    def extra(self) -> float:
        """Return the weight of one further coordinate, 0 for none."""
        return self.r - self.ones

    def radius(self, gap: float) -> float:
        """Return |x_0| for a start with F(x_0) - min F = gap whose coordinates outside those of weight 1 are 0."""
        return math.sqrt(2 * gap / self.ell) if 2 * self.ell * gap <= self.L**2 else gap / self.L + self.L / (2 * self.ell)


@validated
def mean_grad_norm_sq(
    of: Huber, *, alpha: float, T: int, C: float, lam: float, sigma: float, gap: float, replicates: int, seed: int = 0, threads: int = 1
) -> FloatArray:
    """Run DPZero on a radial Huber function; return the mean of ||grad F(x_t)||^2 over t = 0..T-1 of every run, (replicates,).

    Each mean is a number from 0 to L^2.
    of   the function;   gap   F(x_0) - min F;   the other arguments are as in `simulate`
    """
    positive(alpha=alpha, C=C, lam=lam, gap=gap)
    non_negative(sigma=sigma)
    positive_integer(T=T, replicates=replicates, threads=threads)
    seed_integer(seed=seed)
    settings = (of.extra, float(of.ell), float(of.L), float(alpha), float(lam), float(C), float(sigma))

    def run_replicate(replicate: int) -> float:
        normal, chi, noise = (generator(seed, replicate, role) for role in (DIRECTIONS, RESTS, NOISE))
        state, total = np.array([of.radius(gap), 0.0]), 0.0
        for done in range(0, T, CHUNK):
            b = min(CHUNK, T - done)
            total += radial_steps(*draw_directions(of, normal, chi, b), noise.standard_normal(b), *settings, state)
        return total / T

    return np.array(run_replicates("radial", run_replicate, replicates, threads))


def draw_directions(
    of: Huber, normal: np.random.Generator, chi: np.random.Generator, steps: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draw directions on the sphere of radius sqrt(d) by three parts, each (steps,): `along`, `extra` and the squared length `across`."""
    lengths = partial(_draw_chi_square, chi, steps)
    along, extra = normal.standard_normal((2, steps))
    across = lengths(of.ones - 1)
    if not of.extra:
        extra[:] = 0.0
    scale = of.d / (along**2 + extra**2 + across + lengths(of.d - of.ones - (of.extra > 0)))
    return along * np.sqrt(scale), extra * np.sqrt(scale), across * scale


def _draw_chi_square(chi: np.random.Generator, steps: int, freedom: int) -> FloatArray:
    """Draw chi-square numbers (steps,) with `freedom` degrees of freedom; zeros where there are none."""
    return chi.chisquare(freedom, steps) if freedom > 0 else np.zeros(steps)
