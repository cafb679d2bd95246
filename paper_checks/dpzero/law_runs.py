"""Settings that are best in law and what they give: the numbers behind the figures `dpzero-scale` and `dpzero-tuned`.

The problem is that of Section 5 at any dimension and any number of samples: `synthetic.in_law` runs it without data. A setting is chosen
by the test gradient norm at x_T in law (`synthetic.tuning`), and told by draws that chose nothing.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from bounds.privacy import ACCOUNTANTS, in_full
from synthetic.grid_settings import Settings
from synthetic.groups import grouped
from synthetic.in_law import Conditions, last
from synthetic.sweep import Cell
from synthetic.tuning import FRESH, tuned

WIDTHS = {"inverse_sqrt": 0.1}  # of bins at d of 10^6 and more, where there would be hundreds of 0.03: the error stays below 1 %
LARGE = 10**6


def noise_of(*, accountant: str, epsilon: float, delta: float, n: float) -> Callable[[int], float]:
    """Return sigma over C as a function of T: T releases of sensitivity 2C/n (replace one record)."""
    calibrate = ACCOUNTANTS[accountant]
    return lambda T: float(calibrate(epsilon=epsilon, delta=delta, T=T, sensitivity=in_full(2 / n)))


def tune_cell(
    *, method: str, spectrum: str, d: int, n: int, T_max: int, replicates: int, seed: int, quick: bool, **budget: Any
) -> dict[str, np.ndarray]:
    """Return the best setting in law, (1,) each, and the measures at x_T of it and of x_0, (replicates, 4); budget as in `noise_of`."""
    width = {"width": WIDTHS[spectrum]} if d >= LARGE and spectrum in WIDTHS else {}
    conditions = Conditions(grouped(spectrum, d, **width), n, replicates=replicates, seed=seed)
    best = tuned(method, conditions, noise_of(n=n, **budget), T_max, quick=quick, threads=1)
    setting = Settings(np.array([best.alpha]), np.array([best.T]), np.array([best.C]), np.array([best.sigma]))
    values = last((method,), setting, replace(conditions, seed=seed + FRESH), threads=1)[method][:, :, 0]
    return {name: np.array([getattr(best, name)]) for name in ("alpha", "T", "C", "sigma")} | {"values": values.T}


def cell(**arguments: Any) -> Cell:
    """Return the cell of a setting."""
    words = f"{arguments['method']}, {arguments['spectrum']}, d = {arguments['d']:g}, n = {arguments['n']:g}"
    size = 1 if arguments["spectrum"] == "flat" else np.log(arguments["d"])
    return Cell("paper_checks.dpzero.law_runs:tune_cell", arguments, float(arguments["T_max"] * size), words)
