"""The cells of the experiment on private selection: JSON arguments in, arrays out, one thread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from synthetic.psgd import gauss_psgd
from synthetic.psgd_cells import cosines, sosp_error
from synthetic.selection import above_threshold, select


def selection_cell(
    *,
    landscape: Mapping[str, Any],
    run: Mapping[str, Any],
    T: int,
    n: int,
    rules: Mapping[str, Mapping[str, float]],
    replicates: int,
    seed: int,
) -> dict[str, np.ndarray]:
    """Choose among the first T points of runs of Gauss-PSGD by each rule; return one entry a replicate.

    run      arguments of `gauss_psgd`, which keeps at most T steps;   n   held-out samples of each client
    rules    arguments of `select`, or, for the name "above_threshold", of that function
    own/error, RULE/error   `sosp_error` of the point that the run itself returns, and of the chosen one; inf where there is none
    RULE/chosen             its number, -1 where none
    RULE/gradient_noise, RULE/hessian_noise   norms of the noise at the first look, which no choice has touched
    """
    place = cosines(landscape)
    found = gauss_psgd(place, **run, limit=T, keep_points=True, replicates=replicates, seed=seed, threads=1)
    out: dict[str, list[float]] = {"own/error": []}
    with threadpool_limits(1):  # one thread a cell, in the eigenvalues too
        for r in range(replicates):
            out["own/error"].append(sosp_error(place, found.x[r]) if found.returned[r] else np.inf)
            points = found.points[r, : found.steps[r]]
            for name, numbers in rules.items():
                rule: Any = above_threshold if name == "above_threshold" else select
                seen = rule(place, points, n=n, **numbers, seed=seed, replicate=r)
                values = {
                    "chosen": -1 if seen.chosen is None else seen.chosen,
                    "error": np.inf if seen.chosen is None else sosp_error(place, points[seen.chosen]),
                    "gradient_noise": seen.gradient_noise[0],
                    "hessian_noise": seen.hessian_noise[0],
                }
                for key, value in values.items():
                    out.setdefault(f"{name}/{key}", []).append(float(value))
    return {name: np.array(values) for name, values in out.items()}
