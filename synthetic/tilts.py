"""Samples f(x; z) = F(x) + z.x of a loss whose F is given: z has mean 0, so F is their mean; Hessians do not depend on z.

A difference of two gradients of the same sample is then free of sampling error, unlike that of `random_phase_cosines`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from synthetic.draws import FloatArray
from synthetic.memory import room_for
from synthetic.validate import door, non_negative, positive_integer

Draw = Callable[[np.random.Generator, int, int], FloatArray]


@door
def tilts(d: int, *, spread: float, clients: int, heterogeneity: float) -> tuple[Draw, float]:
    """Return draw(rng, n, client) -> n vectors z (n, d), and the largest |z|, by which every sample's Lipschitz constant exceeds that of F.

    z = shift of the client + spread times a point uniform on the unit sphere. The shifts are multiples of (1, ..., 1) / sqrt(d), evenly
    spaced from -heterogeneity to heterogeneity, and sum to 0.  Raises ValueError for a negative length or fewer clients than needed.
    """
    positive_integer(clients=clients)
    room_for(32 * clients, clients=clients)
    non_negative(spread=spread, heterogeneity=heterogeneity)
    if heterogeneity > 0 and clients == 1:
        raise ValueError(f"clients = 1: heterogeneity = {heterogeneity!r} needs at least 2 clients, whose shifts sum to 0")
    steps = (2 * np.arange(clients) - (clients - 1)) / max(clients - 1, 1)  # exactly antisymmetric
    shifts = heterogeneity / np.sqrt(d) * steps

    def draw(rng: np.random.Generator, n: int, client: int = 0) -> FloatArray:
        if spread == 0:
            return np.full((n, d), shifts[client])
        z = rng.standard_normal((n, d))
        z *= (spread / np.sqrt(np.einsum("ni,ni->n", z, z)))[:, None]
        z += shifts[client]
        return z

    return draw, float(spread + heterogeneity)
