"""Worst pairs of distributions of one subsampled Gaussian step, discretised to finitely many privacy losses.

With the noise as the unit, the densities are phi(x) and (1-q) phi(x) + q phi(x - mu), and their log-ratio is
    l(x) = log(1 - q + q e^(mu (x - mu/2))).
Pairs     "remove"       the mixture against phi                     loss l(x)
          "add"          phi against the mixture, mirrored           loss -l(-x)
          "replace_one"  the mixtures at mu and at -mu               loss l(x) - l(-x)
          "fixed_size"   the mixture against phi where l > 0, phi against the mixture where that loss is below 0, the rest at loss 0:
                         (1-q) (1 - 2 Phi(-mu/2))
Source    `bounds.privacy.subsampled` proves that they are the worst. Atoms between dots: Doroshenko et al. (2022), arXiv:2207.04380.

How a pair is made finite, so that the finite pair is the less private one:
    atoms      An outcome is split into two, at the grid points of the loss on either side of it, so that both its probabilities are kept.
               To merge the two gives the outcome back: the split pair, and T of its copies, are less private (post-processing).
               A cell of length h adds about c (c + 1)/2 h^2/6 to log M(c) of `bounds.privacy.composition`, and h is WIDTH times dL/dx.
               Since d log M / d log sigma is -c (c + 1) E (dL/dx)^2, this costs what a change of sigma by WIDTH^2 / 12 costs.
    tails      Mass above the windows of x counts as mass at infinity, mass below them as mass at their first loss.
    rounding   Each mass is raised by more than its evaluation may lose, relatively: delta is multilinear in the masses, with coefficients
               >= 0. Gauss-Legendre's rule with 8 nodes errs by less than 1e-15 on cells no wider than WIDTH or 2 / mu.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bounds.privacy.composition import UNIT, Array, Atoms

WIDTH = 1 / 90  # of a cell of x, in units of the noise
SHARE = 2e-4  # of the loss: a cell that is not shorter keeps the rounding of its masses small
_SMALL = 1e-290  # smaller masses count as masses at infinity
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)


@dataclass(frozen=True)
class Branch:
    """A part of a pair of distributions where the loss increases with x: density of P and loss on the windows of x."""

    density: Callable[[Array], Array]
    loss: Callable[[Array], Array]
    windows: tuple[tuple[float, float], ...]
    below: float  # mass under the first window
    rate: float


def _thin_grid(loss: list[float], least: float) -> list[int]:
    """Return indices of increasing losses, the first and last among them, at least min(`least`, `SHARE` of the loss) apart."""
    kept = [0]
    for i, value in enumerate(loss):
        if value - loss[kept[-1]] > min(least, SHARE * abs(value)):
            kept.append(i)
    if kept[-1] != len(loss) - 1:
        kept[-1 if len(kept) > 1 else 1 :] = [len(loss) - 1]
    return kept


def _split_window(branch: Branch, window: tuple[float, float]) -> tuple[Array, Array, Array]:
    """Return masses, losses and slopes of the atoms that replace one window of a branch, arrays of one length."""
    low, high = window
    cells = max(1, math.ceil((high - low) / WIDTH))
    finer = max(1, math.ceil(branch.rate * WIDTH / 2))
    edges = np.linspace(low, high, cells * finer + 1)
    half = np.diff(edges)[:, None] / 2
    x = edges[:-1, None] + half * (1 + _NODES)
    mass, loss = branch.density(x) * half * _WEIGHTS, branch.loss(x)
    outer = edges[::finer]
    grid = np.maximum.accumulate(branch.loss(outer))
    steep = np.gradient(grid, outer)
    scale = math.sqrt(float(np.average(steep**2, weights=mass.reshape(cells, -1).sum(1)[np.r_[0:cells, cells - 1]] + _SMALL)))
    kept = _thin_grid(grid.tolist(), 5e-3 * scale)
    grid, slope = grid[kept], steep[kept]
    if grid.size < 2 or not grid[-1] > grid[0]:
        return np.array([mass.sum() * (1 + 1024 * UNIT)]), grid[-1:], slope[-1:]
    gap = np.diff(grid)
    i = np.clip(np.searchsorted(grid, loss, side="right") - 1, 0, gap.size - 1)
    share = np.clip(np.expm1(grid[i] - loss) / np.expm1(-gap)[i], 0, 1)
    flat = i.ravel()
    total = np.bincount(flat + 1, (mass * share).ravel(), grid.size) + np.bincount(flat, (mass * (1 - share)).ravel(), grid.size)
    nearest = np.minimum(np.r_[gap[0], gap], np.r_[gap, gap[-1]])
    lost = 256 + 16 * (np.abs(window).max() + branch.rate) * finer / WIDTH + 16 * np.abs(grid) / nearest
    return total * (1 + UNIT * lost), grid, slope


def collect_atoms(branches: list[Branch], at_zero: float, beyond: float) -> Atoms:
    """Return a discrete privacy loss, sorted: the split branches, `at_zero` at loss 0, `beyond` and negligible masses at infinity."""
    mass, loss, slope = [np.array([at_zero])], [np.zeros(1)], [np.zeros(1)]
    for branch in branches:
        for k, window in enumerate(branch.windows):
            found = _split_window(branch, window)
            if k == 0:
                found[0][0] += branch.below
            for one, part in zip((mass, loss, slope), found, strict=True):
                one.append(part)
    masses, losses, slopes = map(np.concatenate, (mass, loss, slope))
    order = np.argsort(losses, kind="stable")
    kept = order[masses[order] > _SMALL]
    return Atoms(masses[kept], losses[kept], slopes[kept], (beyond + masses.size * _SMALL) * (1 + 16 * UNIT))


def _upper_tail(x: float) -> float:
    """Return P(N > x) of a standard normal N, rounded up."""
    return math.erfc(x / math.sqrt(2)) / 2 * (1 + 64 * UNIT)


def _normal_density(x: Array) -> Array:
    """Return the standard normal density at x."""
    return np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def log_ratio(x: Array, mu: float, q: float) -> Array:
    """Return the log-ratio l(x) of mixture and normal density, with a small relative error also near 0."""
    w = mu * (x - mu / 2)
    with np.errstate(over="ignore"):
        change = q * np.expm1(np.minimum(w, 700.0))
    small = np.abs(change) < 0.5
    if q == 1:
        return w
    large = np.logaddexp(math.log1p(-q), math.log(q) + w)
    return np.where(small, np.log1p(np.where(small, change, 0.0)), large)


def discretise_pair(pair: str, mu: float, q: float, reach: float) -> Atoms:
    """Return a worst pair of one step as `Atoms`; the noise is cut `reach` deviations above, and at most 10 below, its mean."""
    low = -min(reach, 10.0)

    def mixture(x: Array) -> Array:
        return (1 - q) * _normal_density(x) + q * _normal_density(x - mu)

    def loss(x: Array) -> Array:
        return log_ratio(x, mu, q)

    def reversed_loss(x: Array) -> Array:
        return -log_ratio(-x, mu, q)

    apart = mu > reach + 10  # then nothing lies between
    both = ((low, reach), (mu - reach, mu + reach)) if apart else ((low, mu + reach),)
    beyond = (2 if apart else 1) * _upper_tail(reach)
    below = _upper_tail(-low)
    if pair == "remove":
        return collect_atoms([Branch(mixture, loss, both, below, mu)], 0.0, beyond)
    if pair == "replace_one":
        return collect_atoms([Branch(mixture, lambda x: loss(x) + reversed_loss(x), both, below, mu)], 0.0, beyond)
    if pair == "add":
        return collect_atoms([Branch(_normal_density, reversed_loss, ((low, reach),), below, mu)], 0.0, beyond)
    start = mu / 2
    branches, at_zero = [Branch(mixture, loss, ((max(start, mu - reach), mu + reach),), 0.0, mu)], (1 - q) * math.erf(start / math.sqrt(2))
    if -start > low:
        branches.append(Branch(_normal_density, reversed_loss, ((low, -start),), below, mu))
    else:  # the losses below 0 are as rare as what is cut, and count as 0
        at_zero += _upper_tail(start)
    return collect_atoms(branches, at_zero * (1 + 64 * UNIT), 2 * _upper_tail(reach))
