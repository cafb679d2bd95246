"""Remarks on finished runs: sentences about losses that rose and about two-point differences that are rounding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthetic.draws import FloatArray

UNIT = 2.0**-53  # relative rounding of a float
SHARE = 0.1  # of the gradient norm: a larger rounding error of a difference deserves a remark


def rise_steps(loss: FloatArray) -> NDArray[np.int64]:
    """Return the first step from which F_S stayed above F_S(x_0) to the end, (replicates,), from losses (replicates, T+1).

    0 for a run that did not end above F_S(x_0).
    """
    not_above = ~(loss > loss[:, :1])  # a NaN is after the end of a run
    steps = loss.shape[1] - 1
    last: NDArray[np.int64] = steps - np.argmax(not_above[:, ::-1], axis=1)
    return np.where(last < steps, last + 1, 0)


def loss_remarks(loss: FloatArray) -> list[str]:
    """Return a list with a sentence on how many runs ended above their initial loss, or []; loss (replicates, T+1)."""
    first = rise_steps(loss)
    worse = first > 0
    if not worse.any():
        return []
    many = f"{int(worse.sum())} of {len(loss)} runs" if len(loss) > 1 else "The run"
    most = float(loss[worse, -1].max())
    since = f"the first has been above it since step {int(first[worse].min())}" if len(loss) > 1 else f"above it since step {int(first[0])}"
    return [
        f"{many} ended with a larger loss than at x_0 ({'at most ' if len(loss) > 1 else ''}{most:.4g}, from {loss[0, 0]:.4g}), {since}."
    ]


def smoothing_remarks(lam: float, x: FloatArray, loss: FloatArray, grad_norm_sq: FloatArray) -> list[str]:
    """Return a list with a sentence if the smoothing lam is so small that two-point differences are rounding errors, else [].

    lam is compared with the size of x, and the rounding of F_S over lam with |grad F_S|.
    x (points, d);   loss, grad_norm_sq (points,)
    """
    size = float(np.max(np.abs(x), initial=0.0))
    if lam <= UNIT * size:
        return [
            f"lam = {lam:.3g} is below the rounding of x, whose largest entry is {size:.3g}: x + lam u rounds to x, so the difference is 0."
        ]
    finite = np.isfinite(loss) & np.isfinite(grad_norm_sq)
    if not np.any(finite):
        return []
    loss, grad_norm_sq = loss[finite], grad_norm_sq[finite]
    error = UNIT * np.abs(loss) / lam  # of f(x + lam u) and f(x - lam u), over 2 lam
    worst = int(np.argmax(error - SHARE * np.sqrt(grad_norm_sq)))
    norm = float(np.sqrt(grad_norm_sq[worst]))
    if error[worst] <= SHARE * norm:
        return []
    return [
        f"lam = {lam:.3g} is so small that the rounding of the loss, {loss[worst]:.3g}, changes a difference over 2 lam by about "
        f"{error[worst]:.2g}, where the gradient norm is {norm:.2g}."
    ]


def run_remarks(
    settings: Mapping[str, Any], start: FloatArray, x: FloatArray, loss: FloatArray, grad_norm_sq: FloatArray
) -> tuple[str, ...]:
    """Return the remarks on runs from start (d,) to x (replicates, d), with losses and squared gradient norms (replicates, T+1)."""
    sentences = loss_remarks(loss)
    if (lam := settings.get("lam")) is not None:
        smallest = float(np.min(lam))
        ends = np.flatnonzero(np.isfinite(loss[:, -1]) & np.isfinite(grad_norm_sq[:, -1]))
        ends = ends[np.isfinite(x[ends]).all(axis=1)]
        points, values = np.vstack([start[None], x[ends]]), [np.append(of[0, 0], of[ends, -1]) for of in (loss, grad_norm_sq)]
        sentences += smoothing_remarks(smallest, points, *values)
    return tuple(sentences)
