"""Ours: what holds in place of Lemma 5 and Theorem 2, and what is sharper; the proofs, runs, and how tight the bounds are."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

import bounds
from bounds.dp_zopo.recommend import Problem, certified_bound, recommend, split_steps
from bounds.theorem import Theorem
from paper_checks.compare import LEVEL, check_mean_below
from paper_checks.shared.findings import check_condition
from paper_checks.shared.search import Cases, check_allowances, check_deviations
from paper_checks.verdict import Finding, Outcome
from synthetic.methods.dp_zopo import DP_ZOSO, stage_arguments, stage_lengths
from synthetic.objectives.space import vector_space
from synthetic.objectives.stages import ball_quadratic
from synthetic.runs.simulate import simulate

EXAMPLE = {"n": 10**5, "d": 50, "epsilon": 1.0, "delta": 1e-6, "L": 1.0, "growth_mu": 0.25, "radius": 1.0, "gap": 0.5}
NODES = np.polynomial.hermite_e.hermegauss(200)
HALF = {"alpha": 1.0, "lam": 1.0, "anchor": None, "radius": None, "regulariser": "proximal", "output": "suffix", "tail": 0.5}


@cache
def _ball_objective(kind: str) -> Any:
    """Return the quadratic on a ball where the printed Theorem 2 stalls ("stalls"), else one with five coordinates of curvature 1."""
    if kind == "stalls":
        return ball_quadratic(np.array([0.1]), 1, 10, 0, spread=math.sqrt(3 / 7), slopes="two")
    return ball_quadratic(np.ones(5), 5, 20, 0, spread=0.5)


def _plan_problem(one: Any, P: int) -> Problem:
    """Return an objective as the Problem of a plan, with P directions and full batches; its epsilon and delta are not used."""
    known = {name: one.constants[name] for name in ("L", "growth_mu", "sample_spread", "radius", "gap")}
    values = (known["L"], known["growth_mu"], 0.0, known["sample_spread"], 2 * known["radius"], known["gap"])
    return Problem(one.n, one.d, 1.0, 1e-6, *values, P, one.n)


def check_example(*, said: Mapping[str, float | str]) -> Finding:
    """Check that three variants of a plan certify `said`, {name: number, or why there is none}, at EXAMPLE; return a Finding."""
    plan = recommend("dp_zoso", **EXAMPLE, T_max=10**7, target=0.02)  # type: ignore[arg-type]
    found: dict[str, Any] = {f"{name} certified": plan.certifies(name) for name in plan.COLUMNS}
    found |= {f"{name} steps": float(getattr(plan, name).T) for name in plan.COLUMNS} | {"printed formula": plan.printed.bound}
    holds = all(_rounded_text(found[name], 2) == _rounded_text(value, 2) for name, value in said.items())
    return check_condition(holds, ", ".join(f"{name} {_rounded_text(value, 4)}" for name, value in found.items()), found)


def _rounded_text(value: float | str, digits: int) -> str:
    """Return a number as text in `digits` significant digits; a text as it is."""
    return value if isinstance(value, str) else f"{value:.{digits}g}"


def check_sharp_runs(*, kind: str, P: int, sigma: float, T: int, runs: int, seed: int, output: str = "average") -> Finding:
    """Check that the best schedule's gap after each stage is below sharp_growth, or sharp_suffix, by runs; return a Finding."""
    one = _ball_objective(kind)
    at = replace(_plan_problem(one, P), suffix=output == "suffix")
    C = 2.5 * at.L
    S = at.best_stages(T, None, np.array([C]), sigma / C / math.sqrt(T))[1]
    found = at.bound_after(split_steps(T, S), C, sigma)[1]
    alpha, lam = (tuple(float(value) for value in column) for column in zip(*found, strict=True))
    settings: dict[str, Any] = {"alpha": alpha, "lam": lam, "T": T, "stages": S, "C": C, "sigma": sigma, "P": P}
    limits = [float(at.bound_after(split_steps(T, S)[:s], C, sigma, found)[0]) for s in range(1, S + 1)]
    return _check_stages(one, limits, settings, seed, runs, output)


def check_corrected_runs(*, kind: str, P: int, sigma: float, targets: int, runs: int, seed: int) -> Finding:
    """Check that the corrected theorem's schedule halves the gap in each of `targets` stages, by runs; return a Finding."""
    one, theorem = _ball_objective(kind), bounds.THEOREMS["dp_zopo.corrected_theorem2"]
    at = _plan_problem(one, P)
    aims = [at.gap / 2**s for s in range(1, targets + 1)]
    C = at.L * math.sqrt(2 * math.log(8 * at.L * at.D / aims[-1]))
    values: dict[str, float] = {"n": at.n, "d": at.d, "L": at.L, "growth_mu": at.mu, "sample_spread": at.gamma, "directions": P}
    values |= {"minibatch": one.n, "C": C, "noise_ratio": one.n * sigma / C, "diameter": at.D, "weak": 0.0}
    found = [theorem.evaluate(**values, stage_target=aim, gap_before=2 * aim) for aim in aims]
    steps = tuple(math.ceil(each.schedule["stage_T"]) for each in found)
    if unmet := [text for each in found for text in each.caveats]:
        return check_condition(False, f"a condition is not met: {unmet[0]}", {"steps": steps})
    settings: dict[str, Any] = {"alpha": tuple(each.schedule["stage_step"] for each in found), "T": steps, "stages": targets, "C": C}
    settings |= {"lam": tuple(each.schedule["stage_lam"] for each in found), "anchor": 4 / at.mu, "sigma": sigma, "P": P}
    return _check_stages(one, [each.bound for each in found], settings, seed, runs)


def _check_stages(one: Any, limits: list[float], settings: Mapping[str, Any], seed: int, runs: int, output: str = "average") -> Finding:
    """Check that runs of DP-ZOSO have a mean gap after each stage of at most its limit, by simulation; return one Finding."""
    run = {**settings, "regulariser": "proximal", "output": output, "radius": one.constants["radius"], "replicates": runs, "seed": seed}
    gaps, at = np.asarray(simulate(DP_ZOSO, one, **run).stage_loss), {"ceiling": one.constants["B"], "seed": seed}
    found = [check_mean_below(gaps[:, s], limit, **at, where=f"stage {s + 1}") for s, limit in enumerate(limits)]
    # an early stage may be far below, if nothing is above
    worst = next((each for each in found if each.outcome is Outcome.REFUTED), found[-1])
    ratios = limits / gaps.mean(0)
    more = {"bounds": tuple(limits), "means": tuple(gaps.mean(0)), "steps": settings["T"]}
    told = worst.also(f"by stage the bound over the mean is {', '.join(f'{ratio:.3g}' for ratio in ratios)}", **more)
    return replace(told, false_alarm=len(limits) * LEVEL)


def _least_bound(theorem: Theorem, values: Mapping[str, float], room: float) -> float:
    """Return the least bound of a theorem at `values` over its free parameter `young`, between 0 and `room`."""

    def bound_at(u: float) -> float:  # at the logarithm of the share: the best is tiny where hardly anything is clipped
        return theorem.bound_at(**values, young=room / (1 + math.exp(u)))

    return float(minimize_scalar(bound_at, bounds=(-25, 60), method="bounded", options={"xatol": 1e-9}).fun)


@check_deviations("the steps of stages are those of a run, and what a plan certifies is sharp_growth after sharp_growth", 1e-6)
def check_plan_bound(*, problems: int, seed: int) -> Cases:
    """Check that a plan certifies what the theorem sharp_growth states stage by stage, on random schedules; return a Finding.

    Schedules are random; the theorem is taken at the best value of the share that it leaves free. Stage lengths are those of a run.
    """
    rng, theorem = np.random.default_rng(seed), bounds.THEOREMS["dp_zopo.sharp_growth"]
    for _ in range(problems):
        S, d, P, m = int(rng.integers(1, 6)), int(rng.integers(1, 40)), int(rng.integers(1, 4)), int(rng.integers(1, 50))
        T = int(rng.integers(2**S, 10**6))
        L, mu, C, sigma = (float(one) for one in 10.0 ** rng.uniform(-0.5, 0.5, 4))
        rho, gap = mu * float(rng.uniform(0, 1)), float(rng.uniform(0.1, 1)) * L**2 / mu
        alpha = tuple(float(one) for one in 10.0 ** rng.uniform(-4, -1, S))
        yield float(split_steps(T, S) != stage_lengths(vector_space(1), {"T": T, "stages": S})), {"T": T, "stages": S}
        for T_s, eta in zip(split_steps(T, S), alpha, strict=True):
            at = Problem(100, d, 1.0, 1e-6, L, mu, rho, L, L / mu, gap, P, m)
            own = certified_bound(at, alpha=(eta,), lam=(1e-3,), T=T_s, stages=1, C=C, sigma=sigma)
            values: dict[str, float] = {"d": d, "L": L, "growth_mu": mu, "weak": rho, "C": C, "minibatch": m, "directions": P}
            values |= {"noise_ratio": m * sigma / C, "stage_step": eta, "stage_T": T_s, "stage_lam": 1e-3}
            values |= {"gap_before": min(gap, 2 * L**2 / mu), "bias_cap": L * math.erfc(C / (math.sqrt(2) * L))}
            stated = _least_bound(theorem, values, 1 - rho / (4 * mu))
            yield abs(own / min(stated, L * at.D) - 1), {**values, "plan": own, "statement": stated}
            gap = own


@check_deviations("what a plan of one stage certifies is sharp_suffix, whose mean begins in the middle", 1e-6)
def check_suffix_plan(*, problems: int, seed: int) -> Cases:
    """Check that a plan of one stage certifies what the theorem sharp_suffix states, on random schedules; return a Finding.

    The kernel of dp_zoo starts its mean after half of the steps, rounded.
    """
    rng, theorem = np.random.default_rng(seed), bounds.THEOREMS["dp_zopo.sharp_suffix"]
    for _ in range(problems):
        d, P, m, T = int(rng.integers(1, 40)), int(rng.integers(1, 4)), int(rng.integers(1, 50)), int(10.0 ** rng.uniform(2, 5))
        L, mu, clip, sigma = (float(one) for one in 10.0 ** rng.uniform(-0.5, 0.5, 4))
        C = 3 * clip * L  # so that not all is clipped, and the bound is below the trivial one
        rho, gap, eta = mu * float(rng.uniform(0, 1)), float(rng.uniform(0.1, 1)) * L**2 / mu, float(10.0 ** rng.uniform(-4, -2))
        at = Problem(100, d, 1.0, 1e-6, L, mu, rho, L, L / mu, gap, P, m, suffix=True)
        own = certified_bound(at, alpha=(eta,), lam=(1e-3,), T=T, stages=1, C=C, sigma=sigma)
        started = stage_arguments(vector_space(1), {**HALF, "T": T}, 0, np.zeros(1), {}, rng)["first"]  # steps before the first of the mean
        values: dict[str, float] = {"d": d, "L": L, "growth_mu": mu, "weak": rho, "C": C, "minibatch": m, "directions": P}
        values |= {"noise_ratio": m * sigma / C, "stage_step": eta, "stage_lam": 1e-3, "T": T - started, "burn_in": started + 1}
        values |= {"gap_before": gap, "bias_cap": L * math.erfc(C / (math.sqrt(2) * L))}
        stated = _least_bound(theorem, values, 1 - rho / (4 * mu))
        ratio = own / min(stated, L * at.D)
        yield max(1 / ratio - 1, ratio - 1), {**values, "plan": own, "statement": stated}


@check_allowances("the exact second moment of the estimate on linear losses, over the bound", reach=0.95)
def check_second_moment(*, directions: int) -> Cases:
    """Check that the exact second moment of the estimate on linear losses is at most the bound, by quadrature; return a Finding.

    The quadrature is over the slope along the gradient, with clipping or without, for equal samples.
    """
    x, weights = NODES[0], NODES[1] / NODES[1].sum()
    for d in (1, 2, 5, 20, 1000, 10**6):
        for P in range(1, directions + 1):
            for C in (0.5, 1.0, 2.0, 6.0):
                for sigma in (1e-9, 1.0, 10.0):
                    c = np.clip(x, -C, C)
                    exact = (weights @ (c**2 * (x**2 + d - 1)) + d * sigma**2 + (P - 1) * (weights @ (c * x)) ** 2) / P
                    at = {"d": d, "L": 1.0, "directions": P, "minibatch": 1, "C": C, "noise_ratio": sigma / C}
                    yield exact / bounds.THEOREMS["dp_zopo.sharp_moment"].evaluate(**at).bound, {**at, "exact": exact}


@check_allowances("the exact gap at the mean of a stage on quadratics, over the sharp bound", reach=0.25)
def check_quadratics(*, problems: int, seed: int) -> Cases:
    """Check that the exact gap at the mean of all iterates is at most the sharp bound, random quadratics; return a Finding."""
    yield from _quadratic_ratios(problems, seed, suffix=False)


@check_allowances("the exact gap at the mean of the last half on quadratics, over the sharp bound", reach=0.125)
def check_quadratics_suffix(*, problems: int, seed: int) -> Cases:
    """Check that the exact gap at the mean of the last half is at most the sharp bound, random quadratics; return a Finding."""
    yield from _quadratic_ratios(problems, seed, suffix=True)


def _quadratic_ratios(problems: int, seed: int, *, suffix: bool) -> Cases:
    """Yield (exact gap at the mean iterate / sharp bound, case) for random f = 2 mu |x|^2; `suffix`: the mean of the last half.

    Neither clipping nor the ball has an effect there.
    """
    rng = np.random.default_rng(seed)
    for _ in range(problems):
        d, P, T = int(10 ** rng.uniform(0, 3)), int(rng.integers(1, 5)), int(10.0 ** rng.uniform(1.5, 4))
        mu, start, sigma = 0.25, float(10.0 ** rng.uniform(-3, -1)), float(10.0 ** rng.uniform(-1, 2))
        at = Problem(10, d, 1.0, 1e-6, 4 * mu, mu, 0.0, 0.0, 2.0, 2 * mu * start**2, P, 1, suffix)
        eta = float(at.bound_after((T,), 6 * at.L, sigma)[1][0][0] * 10.0 ** rng.uniform(-0.5, 0.5))
        keeps, turns = 1 - 4 * mu * eta, 1 - 8 * mu * eta + (4 * mu * eta) ** 2 * (d + 1 + P) / P
        if abs(keeps) >= 1 or turns >= 1:
            continue
        limit = eta**2 * d * sigma**2 / P / (1 - turns)
        sq = limit + (start**2 - limit) * turns ** np.arange(1, T + 1)  # E |x_t|^2, and E <x_t, x_s> = keeps^(s - t) times it
        kept = round(T / 2) if suffix else T
        later = (1 - keeps ** np.arange(kept - 1, -1, -1.0)) / (1 - keeps) * keeps
        exact = 2 * mu * float((sq[T - kept :] * (1 + 2 * later)).sum()) / kept**2
        bound = float(at.bound_after((T,), 6 * at.L, sigma, [(eta, 1e-12)])[0])
        if 9 * sq.max() < 1:  # the ball has no effect
            yield exact / bound, {"d": d, "P": P, "T": T, "start": start, "sigma": sigma, "eta": eta, "exact": exact}


@check_allowances("the bound of the best schedule, over that of random lengths and steps with the same C, T and stages", reach=0.9)
def check_schedules(*, problems: int, seed: int) -> Cases:
    """Check that no random schedule has a bound more than 2 % below that of stages of doubling length; return a Finding."""
    rng = np.random.default_rng(seed)
    for _ in range(problems):
        S, T, C = int(rng.integers(1, 5)), int(10.0 ** rng.uniform(3, 6)), float(rng.uniform(2, 4))
        at = Problem(100, int(rng.integers(1, 50)), 1.0, 1e-6, 1.0, 0.25, 0.0, 1.0, 2.0, 0.5, 1, 1)
        best = at.bound_after(split_steps(T, S), C, 0.1)[0]
        weights = np.array(split_steps(T, S)) * np.exp(rng.uniform(-0.6, 0.6, S))
        other = tuple(max(1, int(one)) for one in T * weights / weights.sum())
        run = [(eta * math.exp(rng.uniform(-0.5, 0.5)), beta) for eta, beta in at.bound_after(other, C, 0.1)[1]]
        yield float(best / at.bound_after(other, C, 0.1, run)[0]) / 1.02, {"S": S, "T": T, "C": C, "other": other}


def check_averaging(*, sizes: tuple[int, ...], least: float, most: float) -> Finding:
    """Check that several stages certify an error `least` to `most` times below one stage, means of last halves; return a Finding.

    Each has its best threshold. `least` and `most` are the limits of the gain of several stages.
    """
    found, T, Cs = dict[str, dict[str, float]](), 10**14, np.geomspace(1, 6, 60)
    for n in sizes:
        at = Problem(n, 50, 1.0, 1e-6, 1.0, 0.25, 0.0, 1.0, 2.0, 0.5, 1, n)
        rate, half = at.sigma(1, 1.0, n), replace(at, suffix=True)
        row = {"one, last half": half.best_stages(T, 1, Cs, rate)[0], "one, all of it": at.best_stages(T, 1, Cs, rate)[0]}
        row |= {"stages, last halves": min(half.best_stages(T, S, Cs, rate)[0] for S in range(1, 7))}
        row |= {"stages, all of them": min(at.best_stages(T, S, Cs, rate)[0] for S in range(1, 20))}
        found[f"n = {n:g}"] = row
    gains = [row["one, last half"] / row["stages, last halves"] for row in found.values()]
    halves = [row["stages, all of them"] / row["stages, last halves"] for row in found.values()]
    wholes = [row["one, all of it"] / row["stages, all of them"] for row in found.values()]
    words = (
        f"{', '.join(f'{one:.3g}' for one in gains)} times the error of stages, which with means of all their iterates have "
        f"{min(halves):.3g} to {max(halves):.3g} times as much; one mean of all has {min(wholes):.3g} to {max(wholes):.3g} times that"
    )
    holds = min(gains) >= least and max(gains) <= most and min(halves) > 1.1
    return check_condition(holds, words, {**found, "gains": gains, "halves": halves})


def check_work(*, halvings: int) -> Finding:
    """Check that alpha T_S of both theorems is constant as alpha halves, and smaller for the sharp theorem; return a Finding.

    Neither noise nor C changes.
    """
    values: dict[str, float] = {"n": 10, "d": 20, "L": 1.0, "growth_mu": 0.25, "sample_spread": 1.0, "directions": 1, "minibatch": 10}
    values |= {"C": 6.0, "noise_ratio": 1e-9, "diameter": 2.0, "weak": 0.0, "stage_lam": 1e-9}
    found = {}
    for name in ("corrected_theorem2", "sharp_theorem2"):
        theorem = bounds.THEOREMS[f"dp_zopo.{name}"]
        asked = {key: value for key, value in values.items() if key not in theorem.schedule}
        found[name] = tuple(theorem.evaluate(**asked, stage_target=0.1 / 2**s).schedule["stage_T"] * 0.1 / 2**s for s in range(halvings))
    corrected, sharp = (products[0] for products in found.values())
    same = all(abs(one / products[0] - 1) < 1e-9 for products in found.values() for one in products)
    words = f"alpha T_S is {corrected:.4g} corrected and {sharp:.4g} sharper, {corrected / sharp:.3g} times less"
    return check_condition(same and corrected / sharp > 1, words, {**found, "ratio": corrected / sharp})
