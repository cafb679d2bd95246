"""Checks of Algorithm 1: whether the loop does what is printed, and what the print leaves open."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp

from paper_checks.gauss_psgd import printed as p
from paper_checks.gauss_psgd.algorithms.plain_algorithms import (
    AdaDpSpider,
    ExactOracle,
    mean_gradient_of,
    run_algorithm1,
    unit_cosine_saddles,
)
from paper_checks.record import Record
from paper_checks.shared.findings import check_deviation
from paper_checks.shared.search import find_worst
from paper_checks.shared.symbols import check_listed_inputs
from paper_checks.verdict import Finding
from synthetic.draws import NOISE, generator
from synthetic.losses import counting
from synthetic.objectives.saddles import SaddleObjective
from synthetic.objectives.separable_saddles import local_cubic
from synthetic.runs import psgd
from synthetic.runs.psgd import PsgdRun, gauss_psgd

SPIDER: dict[str, Any] = {"n": 900, "b_1": 60, "b_2": 6, "sigma_1": 0.02, "sigma_2": 0.1, "kappa": 0.3}
DESCENT: dict[str, Any] = {"eta": 0.5, "chi": 0.1, "R": 0.25, "Gamma": 7, "Q": 3}
c_1, c_2, x_0, norm, moved, theta = sp.symbols("c_1 c_2 x_0 norm moved theta", positive=True)
COMPUTED = {norm, moved, theta, p.n, p.d, p.m}  # norms and sizes that are known from the data
ALGORITHMS: Mapping[str, tuple[set[Any], tuple[Any, ...]]] = {  # inputs as listed, and the expressions of the lines
    "1": ({p.omega, x_0, p.eta, p.Q, p.R, p.Gamma}, (x_0, norm - 3 * p.chi, moved - p.R, x_0 - p.eta * theta, p.Q + p.Gamma)),
    "2": (
        {p.epsilon, p.delta, p.T, p.kappa},
        (
            moved - p.kappa,
            c_1 * p.G**2 * sp.log(1 / p.delta) / (p.b_1**2 * p.epsilon**2),
            c_2 * p.M**2 * sp.log(1 / p.delta) / (p.b_2**2 * p.epsilon**2) * moved,
            p.eta**2 * norm**2,
            p.T,
        ),
    ),
    "4": (
        {p.epsilon, p.delta, p.T},
        (
            c_1 * p.G**2 * p.T * sp.log(1 / p.delta) / (p.n**2 * p.epsilon**2),
            c_2 * p.M**2 * p.d * p.T * sp.log(1 / p.delta),
            p.alpha + p.G * sp.log(8 * p.d / p.omega),
            sp.sqrt(p.rho * p.alpha),
        ),
    ),
}


def random_settings(rng: np.random.Generator) -> dict[str, Any]:
    """Return random eta, chi, R, Gamma and Q of Algorithm 1 as a dict, in ranges where some rounds fail and some succeed."""
    ends = {"eta": (0.2, 0.8), "chi": (0.03, 0.25), "R": (0.05, 0.5)}
    drawn = {name: float(rng.uniform(low, high)) for name, (low, high) in ends.items()}
    return {**drawn, "Gamma": int(rng.integers(1, 9)), "Q": int(rng.integers(1, 4))}


def check_printed_lines(*, oracle: str, restart: str, cases: int, seed: int) -> Finding:
    """Check that the kernel and the printed lines of Algorithm 1 give the same points and output on the same draws; return a Finding."""
    landscape, rng, found = unit_cosine_saddles(3), np.random.default_rng(seed), []
    seen = {"phases": 0, "escapes": 0, "returned": 0}
    for k in range(cases):
        chosen, limit = random_settings(rng), 60
        given: dict[str, Any] = {"sigma_1": 0.05, "zeta": 0.0} if oracle == "exact" else SPIDER
        run = gauss_psgd(landscape, oracle=oracle, restart=restart, limit=limit, seed=k, keep_points=True, threads=1, **chosen, **given)
        noise = generator(k, 0, NOISE)
        if oracle == "exact":
            memory: Any = ExactOracle(lambda x: landscape.value_and_gradient(x)[1], noise, zeta=0.0, sigma=0.05)
        else:
            rows = landscape.draw(generator(k, 0, psgd.SAMPLES), given["n"], 0)[None]
            memory = AdaDpSpider(mean_gradient_of(landscape), rows, noise, eta=chosen["eta"], **given)
        slow = run_algorithm1(memory, landscape.x0, restart=restart, limit=limit, **chosen)
        off, steps, counted = math.inf, int(run.steps[0]), (int(run.phases[0]), int(run.rounds[0]))
        if steps == len(slow.steps) and counted == (slow.phases, slow.rounds) and bool(run.returned[0]) == (slow.anchor is not None):
            pairs = [*zip(run.points[0, :steps], (x for x, *_ in slow.steps), strict=True), (run.last[0], slow.last)]
            pairs += [] if slow.anchor is None else [(run.x[0], slow.anchor)]
            off = max(float(np.abs(a - b).max()) for a, b in pairs)
        found.append((off, {"seed": k, "steps": steps, "steps as written": len(slow.steps), **chosen}))
        more = {"phases": slow.phases, "escapes": int(run.escapes[0]), "returned": slow.anchor is not None}
        seen = {name: count + more[name] for name, count in seen.items()}
    if min(seen.values()) == 0:
        return Record(seed=seed).leave_open(f"no case with each of {seen}: other settings would settle it")
    worst, words = find_worst(found), "points and answer of the printed lines"
    return check_deviation(worst.value, worst.at, cases, words, seed, 1e-7, **seen)  # rounding grows where a run escapes


def check_single_use(*, restart: str, drift: str, cases: int, seed: int) -> Finding:
    """Check by logged runs that each sample enters one fresh gradient or one gradient difference, never both; return a Finding."""
    n, rng, found = 600, np.random.default_rng(seed), []
    base, restarts = local_cubic(3, gamma=1.0, rho=1.0, ell=1.0, spread=0.3), 0
    logged: dict[str, Any] = {"value_gradient": counting.logged_value_gradient, "batch_gradient": counting.logged_batch_gradient}
    numbers = {**SPIDER, "n": n, "b_1": 20, "b_2": 3, "kappa": 0.1}

    def numbered(rng: np.random.Generator, n: int, client: int) -> Any:
        return np.hstack([base.draw(rng, n, client), np.arange(1.0, n + 1)[:, None]])

    for k in range(cases):
        log = np.zeros((n + 1, 3))
        landscape: SaddleObjective = replace(base, params=(base.params, log), draw=numbered, **logged)
        chosen = {**random_settings(rng), "chi": 0.15, "Q": 3}
        run = gauss_psgd(landscape, oracle="ada_dp_spider", restart=restart, drift=drift, seed=k, threads=1, **chosen, **numbers)
        uses, used, first = log[1:], int(run.samples[0]), int(run.fresh_calls[0])
        later = int(run.calls[0]) - first
        wrong = int(np.sum(uses[:, 0] > 2)) + int(np.sum(uses[:, 2] - uses[:, 1] > 1)) + int(np.any(uses[used:, 0] > 0))
        wrong += abs(int(np.sum(uses[:, 0] == 1)) - 20 * first) + abs(int(np.sum(uses[:, 0] == 2)) - 3 * later)
        wrong += int(used != 20 * first + 3 * later)
        restarts += int(run.rounds[0] - run.phases[0])
        found.append((wrong, {"seed": k, "samples": used, "O_1": first, "O_2": later, "most uses": float(uses[:, 0].max())}))
    worst = find_worst(found)
    return check_deviation(worst.value, worst.at, cases, f"each sample in one release, over {restarts} restarts", seed)


@lru_cache(maxsize=1)
def run_near_saddle(cases: int, seed: int) -> tuple[SaddleObjective, PsgdRun]:
    """Return (SaddleObjective, PsgdRun): runs of Algorithm 1 that start at a nearly allowed saddle, which gets steeper nearby.

    The start has gradient 0 and smallest eigenvalue -0.95 sqrt(rho alpha), alpha = rho = 1.
    """
    landscape = local_cubic(2, gamma=0.95, rho=1.0, ell=2.0, bent=True)
    knobs: dict[str, Any] = {"eta": 0.25, "chi": 0.25, "R": 0.3, "Gamma": 24, "Q": 2}  # the pilot's values: k_R = 0.3, k_Gamma = 6
    exact: dict[str, Any] = {"oracle": "exact", "zeta": 0.0, "sigma_1": 0.002, "limit": 48}
    return landscape, gauss_psgd(landscape, replicates=cases, seed=seed, threads=1, **exact, **knobs)


def check_returned_point(*, what: str, cases: int, seed: int) -> Finding:
    """Check by simulation that the returned point is an alpha-SOSP, as the start of each run is; return a Finding.

    what   "last", the last iterate, which step 20 prints, on the runs whose x~ is an alpha-SOSP; or "anchor", x~ itself, on all runs

    INCONCLUSIVE if no such run returns.
    """
    landscape, run = run_near_saddle(cases, seed)
    failed, returned, at = 0, 0, {}
    for r in np.flatnonzero(run.returned):
        anchor = landscape.certify_sosp(run.x[r], 1.0)
        judged = landscape.certify_sosp(run.last[r], 1.0) if what == "last" else anchor
        if what == "last" and not anchor.sosp:
            continue
        returned += 1
        if not judged.sosp:
            failed += 1
            at = {"x~": run.x[r].tolist(), "last": run.last[r].tolist(), "smallest eigenvalue": judged.smallest_eigenvalue}
            at |= {"gradient": judged.grad_norm, "F": "-0.95 x^2/2 - x^3/6 + 2 y^2/2", "alpha": 1.0, "rho": 1.0}
    record = Record({"runs that return": returned, "not an alpha-SOSP": failed}, seed=seed)
    if failed:
        record.refute(f"{failed} of {returned} returned points are no alpha-SOSP{', where x~ is one' if what == 'last' else ''}", at)
    if not returned:
        record.leave_open("no run returned: other settings would settle it")
    return record.conclude(f"all of {returned} returned points are alpha-SOSPs")


def check_missing_input(*, seed: int) -> Finding:
    """Check by two runs that Algorithm 1's last iterate does not depend on chi, which is not a printed input; return a Finding."""
    given: dict[str, Any] = {"oracle": "exact", "zeta": 0.05, "sigma_1": 0.02, "limit": 300, "seed": seed, "threads": 1}
    one, two = (gauss_psgd(unit_cosine_saddles(3), **given, **{**DESCENT, "chi": chi}).last[0] for chi in (0.05, 0.1))
    record, apart = Record(seed=seed), float(np.linalg.norm(one - two))
    if apart > 0:
        record.refute(f"two values of chi give points {apart:.3g} apart", {"chi": 0.05, "chi'": 0.1, "results apart by": apart})
    return record.conclude("chi does not matter here")


def check_always_returns(*, seed: int) -> Finding:
    """Check on one run that Algorithm 1 returns a point when its samples run out within an escape phase; return a Finding."""
    run = gauss_psgd(unit_cosine_saddles(3), oracle="ada_dp_spider", seed=seed, threads=1, **{**DESCENT, "Q": 50}, **{**SPIDER, "n": 400})
    status, steps = psgd.STATUS[run.status[0]], int(run.steps[0])
    record = Record({"status": status, "samples": int(run.samples[0]), "n": 400, "steps": steps}, seed=seed)
    if not run.returned[0]:
        record.refute(f"{status} after {steps} steps: nothing is returned", record.numbers)
    return record.conclude("a point is returned")


def check_restart_readings(*, one: str, two: str, seed: int) -> Finding:
    """Check that the readings `one` and `two` of the oracle's memory at step 8 give the same points, draw by draw; return a Finding."""
    given: dict[str, Any] = {"oracle": "ada_dp_spider", "seed": seed, "keep_points": True, "threads": 1, **DESCENT, **SPIDER}
    runs = [gauss_psgd(unit_cosine_saddles(3), restart=restart, **given) for restart in (one, two)]
    steps = int(min(run.steps[0] for run in runs))
    apart = np.linalg.norm(runs[0].points[0, :steps] - runs[1].points[0, :steps], axis=1)
    record = Record({"steps": steps}, seed=seed)
    if apart.max() > 0:
        first, calls = int(np.flatnonzero(apart > 0)[0]), [int(run.fresh_calls[0]) for run in runs]
        witness = {"first step that differs": first + 1, "apart by": float(apart[first]), "O_1 calls": calls}
        record.refute(f"'{one}' and '{two}' part at step {first + 1}", witness)
    return record.conclude("the same points")


def check_inputs(*, algorithm: str) -> Finding:
    """Check that the listed inputs of an algorithm, a key of `ALGORITHMS`, contain all symbols that its lines use; return a Finding."""
    listed, lines = ALGORITHMS[algorithm]
    return check_listed_inputs(listed, lines, computed=COMPUTED, spelling=p.SPELLING)
