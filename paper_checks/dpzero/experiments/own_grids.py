"""Cells of a sweep for a method of a user's own file, on the data sets and settings of DPZero's synthetic experiment.

They return what `grid_cell` and `replay_cell` of `synthetic.grids.grid` return for the paper's methods, from runs of `simulate`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bounds.pages.contents import import_object
from paper_checks import papers
from synthetic.grids.general import general_grid, point_measures
from synthetic.grids.grid import train_test_quadratics
from synthetic.grids.settings import Measures
from synthetic.methods.record import Kernel
from synthetic.objectives.sums import Spectrum
from synthetic.runs.simulate import simulate
from synthetic.sweeps.identity import digest


def load_kernel(file: str, method: str) -> Kernel:
    """Import a user's file and return the kernel of its METHOD, or of the entry of METHODS, with this name.

    Raises ValueError where there is none, and for a method that has stages or no kernel.
    """
    module = papers.load(Path(file))
    found = dict(getattr(module, "METHODS", {}))
    if (one := getattr(module, "METHOD", None)) is not None:
        found[one.name] = one
    if method not in found:
        raise ValueError(f"method = {method!r}: {file} has no method of this name; it has {', '.join(found) or 'none'}")
    record = import_object(found[method]) if isinstance(found[method], str) else found[method]
    kernel = record if isinstance(record, Kernel) else getattr(record, "runner", None)
    if not isinstance(kernel, Kernel):
        raise ValueError(f"method = {method!r}: a grid needs a method with a kernel, a synthetic.methods.record.Kernel")
    return kernel


def method_version(file: str, method: str) -> str:
    """Return a hash of the code of a user's method: an argument of its cells, so that their keys change with the file."""
    return digest("method", load_kernel(file, method))


def own_grid_cell(
    *,
    file: str,
    method: str,
    version: str,
    spectrum: Spectrum,
    d: int,
    n: int,
    dataset: int,
    alphas: Sequence[float],
    horizons: Sequence[int],
    clips: Sequence[float] | None,
    sigma: Sequence[Sequence[float]] | None,
    seed: int,
    settings: Mapping[str, Any] | None = None,
) -> dict[str, np.ndarray]:
    """Run a grid of a user's method; return its measures, (alphas, horizons, clips), as "method/measure", at x_0 as "start/measure".

    file, version   path of the user's file, and `method_version` of the method in it; ValueError if the file has another one now
    settings        further settings of the method;   the other arguments are those of `grid_cell`
    """
    kernel, (train, test) = _same_kernel(file, method, version), train_test_quadratics(spectrum, d, n, dataset)
    axes: dict[str, Any] = {"alphas": alphas, "horizons": horizons, "clips": clips, "sigma": sigma}
    found = general_grid(kernel, train, **axes, test=test, seed=seed, threads=1, **(settings or {}))
    at_start = point_measures(train, test, train.x0)
    return {
        **{f"{method}/{name}": getattr(found, name) for name in Measures.NAMES},
        **{f"start/{name}": np.array(value) for name, value in zip(Measures.NAMES, at_start, strict=True)},
    }


def own_replay_cell(
    *,
    file: str,
    method: str,
    version: str,
    spectrum: Sequence[Spectrum],
    alpha: Sequence[float],
    T: Sequence[int],
    C: Sequence[float] | None,
    sigma: Sequence[float] | None,
    d: int,
    n: int,
    dataset: int,
    seed: int,
    replicates: int,
    settings: Mapping[str, Any] | None = None,
) -> dict[str, np.ndarray]:
    """Run lists of settings (spectrum, alpha, T, C, sigma) of a user's method on a fresh data set; return measures at x_T.

    The key of the result is "measures", (4, replicates, settings), inf where a run diverged. C and sigma are None for a method that is not
    private. `replay_cell` returns the same for the paper's methods.
    """
    kernel, values = _same_kernel(file, method, version), np.empty((4, replicates, len(alpha)))
    for k, one in enumerate(spectrum):
        train, test = train_test_quadratics(one, d, n, dataset)
        noise: dict[str, Any] = {} if C is None or sigma is None else {"C": C[k], "sigma": sigma[k]}
        run = simulate(kernel, train, alpha=alpha[k], T=T[k], **noise, replicates=replicates, seed=seed, threads=1, **(settings or {}))
        for r in range(replicates):
            values[:, r, k] = np.inf if run.diverged[r] else point_measures(train, test, run.x[r])
    return {"measures": values}


def _same_kernel(file: str, method: str, version: str) -> Kernel:
    """Return the kernel of a user's method; raise ValueError if its code is not of this version."""
    kernel = load_kernel(file, method)
    if digest("method", kernel) != version:
        raise ValueError(f"file = {file!r}: the code of {method} is not the one that the sweep was started with; start it again")
    return kernel
