"""The cells of the experiment on digits: JSON arguments in, arrays out, one thread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from synthetic.digits import TRAIN, digits
from synthetic.psgd import frozen_psgd, gauss_psgd


def digits_cell(
    *, method: str, clients: int, beta: float, clip: float, epochs: int, run: Mapping[str, Any], replicates: int, seed: int
) -> dict[str, np.ndarray]:
    """Run "gauss_psgd" or "frozen_psgd" for 1, 2, ..., epochs passes over the same order; return one row a replicate.

    accuracy, loss, train (replicates, epochs + 1)   of the test set and F, at the start and after each epoch
    steps, phases, fresh_calls, returned (replicates,)   of the longest run

    The run of e epochs is the beginning of the longest: same order, same noise. A run that returned a point keeps it.
    """
    place = digits(clients=clients, beta=beta, clip=clip)
    scores = np.empty((3, replicates, epochs + 1))
    x = np.tile(place.landscape.x0, (replicates, 1))
    for epoch in range(epochs + 1):
        if epoch:
            common: dict[str, Any] = {"n": epoch * TRAIN // clients, "replicates": replicates, "seed": seed, "threads": 1, **run}
            if method == "gauss_psgd":
                found = gauss_psgd(place.landscape, oracle="distributed_ada_dp_spider", **common)
            else:
                found = frozen_psgd(place.landscape, **common)
            x = np.where(found.returned[:, None], found.x, found.last)
        for r in range(replicates):
            scores[:2, r, epoch] = place.scores(x[r])
            scores[2, r, epoch] = place.landscape.value_and_gradient(x[r])[0]
    last = {"steps": found.steps, "phases": found.phases, "fresh_calls": found.fresh_calls, "returned": found.returned}
    return {"accuracy": scores[0], "loss": scores[1], "train": scores[2], **last}
