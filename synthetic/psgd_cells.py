"""The cells of the second-order experiments: JSON arguments in, arrays out, one thread.

`landscape` are the arguments of `random_phase_cosines`, whatever the cell does on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from synthetic.draws import FloatArray
from synthetic.escapes import couple, escape
from synthetic.psgd import gauss_psgd
from synthetic.saddles import Landscape, random_phase_cosines


def cosines(landscape: Mapping[str, Any]) -> Landscape:
    """Return the landscape that the arguments of a cell describe."""
    phases = landscape.get("phases")
    return random_phase_cosines(**{**landscape, "phases": None if phases is None else np.array(phases)})


def sosp_error(landscape: Landscape, x: FloatArray) -> float:
    """Return the least alpha for which x is an alpha-SOSP: max(|grad F|, b^2 / rho), b the negative part of the smallest eigenvalue."""
    seen = landscape.certify_sosp(x, 1.0)
    return max(seen.grad_norm, min(seen.smallest_eigenvalue, 0.0) ** 2 / landscape.constants["rho"])


def escape_cell(
    *, landscape: Mapping[str, Any], eta: float, sigma: float, zeta: float, R: float, Gamma: int, replicates: int, seed: int
) -> dict[str, np.ndarray]:
    """Return which runs from the saddle came to the distance R within Gamma steps, (replicates,)."""
    runs = escape(cosines(landscape), eta=eta, T=Gamma, sigma=sigma, zeta=zeta, replicates=replicates, seed=seed, threads=1)
    return {"escaped": runs.escaped(R, Gamma)}


def path_cell(
    *, landscape: Mapping[str, Any], eta: float, sigma: float, zeta: float, times: Sequence[int], replicates: int, seed: int
) -> dict[str, np.ndarray]:
    """Return distance from the saddle, drop of F below it and distance within coupled pairs, (replicates, times)."""
    place = cosines(landscape)
    common: dict[str, Any] = {
        "eta": eta,
        "T": max(times),
        "sigma": sigma,
        "zeta": zeta,
        "replicates": replicates,
        "seed": seed,
        "threads": 1,
    }
    runs, pairs, at = escape(place, **common), couple(place, **common), list(times)
    return {"distance": runs.distance[:, at], "drop": runs.value[:, :1] - runs.value[:, at], "apart": pairs.apart[:, at]}


def descent_cell(
    *, landscape: Mapping[str, Any], run: Mapping[str, Any], starts: Sequence[Sequence[float]], seed: int
) -> dict[str, np.ndarray]:
    """Run Gauss-PSGD with the arguments `run` from every start (replicates, d); return one entry a replicate.

    status      of `PsgdRun`
    error       `sosp_error` of the returned point; inf where none was returned, which is how a failure counts
    noise_sq    mean over the steps of the squared error of the gradient estimate
    samples, steps, fresh_calls
    """
    place = cosines(landscape)
    runs = [gauss_psgd(place, **run, x0=np.array(x0), seed=seed + r, threads=1) for r, x0 in enumerate(starts)]
    return {
        "status": np.array([one.status[0] for one in runs]),
        "error": np.array([sosp_error(place, one.x[0]) if one.returned[0] else np.inf for one in runs]),
        "noise_sq": np.array([np.mean(one.error[0] ** 2) for one in runs]),
        "samples": np.array([one.samples[0] for one in runs]),
        "steps": np.array([one.steps[0] for one in runs]),
        "fresh_calls": np.array([one.fresh_calls[0] for one in runs]),
    }
