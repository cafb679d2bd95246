"""Checks by runs of the whole algorithm on random-phase cosines, with the exponents of (5) and adjustable constants.

A = w = h = 1, start (0, 1, ..., 1), from which descent comes to the saddle at 0; alpha = 0.3, k_eta = 1, k_R = 0.3, k_Gamma = 6, Q = 8,
kappa = 0.5, b_1 = n/40, b_2 = n/600, every sample used once, noise of Definition 8 at delta = 1e-5, output x~.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paper_checks.compare import LEVEL
from paper_checks.gauss_psgd.algorithms.plain_algorithms import unit_cosine_saddles
from paper_checks.record import Record
from paper_checks.shared.findings import clopper_pearson
from paper_checks.verdict import Finding
from synthetic.runs.psgd import PsgdRun, gauss_psgd


@dataclass(frozen=True)
class Setting:
    """Settings of repeated runs of Gauss-PSGD on random-phase cosines: problem, oracle, loop parameters, noise and seed.

    noise off: no DP noise;  quiet_axis: samples do not disturb the escape direction;  exact: neither sampling errors nor noise
    at_saddle: start at the saddle itself
    The oracle "exact" has errors of the same size without their memory: zeta and sigma_1 of an O_1.
    """

    d: int
    n: int
    epsilon: float
    runs: int
    seed: int
    oracle: str = "ada_dp_spider"
    restart: str = "continue"
    Q: int = 8
    alpha: float = 0.3
    k_eta: float = 1.0
    k_R: float = 0.3
    k_Gamma: float = 6.0
    kappa: float = 0.5
    noise: bool = True
    quiet_axis: bool = False
    exact: bool = False
    at_saddle: bool = False


def run_setting(one: Setting) -> tuple[NDArray[np.bool_], PsgdRun]:
    """Run Gauss-PSGD at a Setting; return which runs end in an alpha-SOSP by exact derivatives, booleans (runs,), and the PsgdRun."""
    landscape = unit_cosine_saddles(one.d, 0.0 if one.quiet_axis else None)
    G, M, rho = (landscape.constants[name] for name in ("L", "ell", "rho"))
    eta = one.k_eta * math.sqrt(rho * one.alpha) / M**2
    scale = math.sqrt(2 * math.log(1.25 / 1e-5)) / one.epsilon if one.noise else 0.0
    b_1, b_2 = one.n // 40, one.n // 600
    Gamma = math.ceil(one.k_Gamma / (eta * math.sqrt(rho * one.alpha)) - 1e-9)
    chosen: dict[str, Any] = {"eta": eta, "chi": one.alpha / 4, "R": one.k_R * math.sqrt(one.alpha / rho), "Gamma": Gamma, "Q": one.Q}
    if one.exact:
        chosen |= {"oracle": "exact", "zeta": 0.0, "sigma_1": 0.0, "limit": 2000}
    elif one.oracle == "exact":
        chosen |= {"oracle": "exact", "zeta": G / math.sqrt(b_1), "sigma_1": 2 * G / b_1 * scale, "limit": 2000}
    else:
        chosen |= {"oracle": one.oracle, "restart": one.restart, "n": one.n, "b_1": b_1, "b_2": b_2, "kappa": one.kappa}
        chosen |= {"sigma_1": 2 * G / b_1 * scale, "sigma_2": 2 * M / b_2 * scale}
    x0 = landscape.saddle if one.at_saddle else None
    run = gauss_psgd(landscape, x0=x0, replicates=one.runs, seed=one.seed, threads=1, **chosen)
    return run.sosp(landscape, one.alpha), run


def check_success_rate(*, often: bool, runs: int, seed: int, **setting: Any) -> Finding:
    """Check by simulation that runs end in an alpha-SOSP with probability >= 0.9 (`often`) or <= 0.1; return a Finding."""
    good, run = run_setting(Setting(runs=runs, seed=seed, **setting))
    hits = int(good.sum())
    (low, high), near = clopper_pearson(hits, runs), clopper_pearson(hits, runs, 0.05)
    record = Record({"alpha-SOSP": hits, "runs": runs, "low": low, "high": high, "95 % interval": list(near)}, seed=seed, false_alarm=LEVEL)
    spans = {name: [int(one.min()), int(one.max())] for name, one in (("steps", run.steps), ("O_1 calls", run.fresh_calls))}
    record.note({"returned": int(run.returned.sum()), **spans, "share of the samples": float(run.samples.max() / setting["n"])})
    record.note({"worst |nu_t| / chi": float(np.nanmax(run.error) / run.settings["chi"]), **setting})
    words = f"{hits} of {runs} runs end in an alpha-SOSP (95 % interval {near[0]:.2f} to {near[1]:.2f})"
    if high < 0.9 if often else low > 0.1:
        record.refute(words, {"alpha-SOSP": hits, "runs": runs, **setting})
    if (hits < 0.9 * runs) if often else (hits > 0.1 * runs):
        record.leave_open(f"{words}: more runs would settle it")
    return record.conclude(words)
