"""Lower bounds on delta for many subsampled steps: what an observer knows who sees each output only up to a cell.

Merging outcomes is post-processing, so that the merged pair is the more private one. Two copies of a pair of N cells have N^2 outcomes;
these are merged into N cells of similar loss, and so on: T = 2^k steps by k doublings. All sums are of positive terms: no transform, no
subtraction, no tilt, and each small probability keeps its digits.
"""

import math

import numpy as np

WIDTH, SHARE = 0.02, 0.02  # of the first cells, in units of the noise; of later ones, beside the deviation of the loss


def normal(x):
    return np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def one_step(pair, mu, q, reach=16.0):
    """The masses of P and Q in cells of the output (2, cells): noise 1, shifts mu; `pair` as in `bounds.privacy.subsampled_pairs`."""
    edges = np.arange(-reach - mu, reach + mu, WIDTH)
    if pair == "fixed_size":
        edges = np.arange(mu / 2, reach + mu, WIDTH)
    nodes, weights = np.polynomial.legendre.leggauss(6)
    x = edges[:-1, None] + WIDTH / 2 * (1 + nodes)

    def masses(density):
        return (density(x) * weights).sum(1) * WIDTH / 2

    def mixture(shift):
        return lambda x: (1 - q) * normal(x) + q * normal(x - shift)

    P, Q = {"remove": (mixture(mu), normal), "add": (normal, mixture(mu)), "replace_one": (mixture(mu), mixture(-mu)),
            "fixed_size": (mixture(mu), normal)}[pair]  # fmt: skip
    found = np.array([masses(P), masses(Q)])
    if pair == "fixed_size":  # and the reverse where that is smaller, and what is alike
        rest = (1 - q) * math.erf(mu / 2 / math.sqrt(2))
        found = np.concatenate([found, found[::-1], [[rest], [rest]]], axis=1)
    return found[:, (found > 1e-300).all(0)]


def doubled(cells):
    """Two copies, merged: cells of equal width in asinh of the loss beside its deviation, so that rare large losses have cells too."""
    P, Q = (np.multiply.outer(one, one).ravel() for one in cells)
    kept = (P > 1e-300) & (Q > 1e-300)
    P, Q = P[kept], Q[kept]
    loss = np.log(P / Q)
    deviation = math.sqrt(float(P @ loss**2 / P.sum()))
    cell = np.floor(np.arcsinh(loss / deviation / 4) * 4 / SHARE).astype(int)
    cell -= cell.min()
    merged = np.array([np.bincount(cell, one) for one in (P, Q)])
    return merged[:, (merged > 0).all(0)]


def least_delta(pair, mu, q, doublings, epsilons):
    """A lower bound on delta at each epsilon, of 2^doublings steps."""
    cells = one_step(pair, mu, q)
    for _ in range(doublings):
        cells = doubled(cells)
    return [float(np.maximum(cells[0] - math.exp(epsilon) * cells[1], 0).sum()) for epsilon in epsilons]
