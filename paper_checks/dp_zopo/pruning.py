"""Algorithms 3 to 5 and the claims about pruning: what a mask changes, by runs of DP-ZOPO and by exact formulas.

On F = (x - x*)' A (x - x*) / 2 without clipping, a run with weights M moves the coordinates M z of x - x0 as a run without weights moves z
where the curvature is M A M: so the exact moments of an unmasked run are those of a masked one too, in the coordinates that are tuned.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from scipy import integrate, optimize, stats

from bounds.moments.recursion import expected_gap
from paper_checks.compare import LEVEL, check_mean_below, mean_interval
from paper_checks.record import Record
from paper_checks.shared.findings import check_condition, check_interval, check_sample_means
from paper_checks.shared.search import Cases, check_deviations
from paper_checks.verdict import Finding
from synthetic.draws import FloatArray
from synthetic.methods.dp_zopo import DP_ZOPO
from synthetic.methods.masks import importance_weights
from synthetic.methods.scores import estimate_synflow_scores, synflow_scores
from synthetic.objectives.space import matrix_space
from synthetic.objectives.stages import drifting_quadratics, smoothed_kinks, sparse_quadratic
from synthetic.objectives.sums import Objective
from synthetic.runs.simulate import Run, simulate

DOUBLING = (0.05, 0.1, 0.2)  # rates of three stages
UNCLIPPED: dict[str, Any] = {"C": 1e9, "stages": 1}


def first_mask(k: int, d: int) -> FloatArray:
    """Return the mask (d,) that is 1 on the first k coordinates and 0 on all others."""
    return np.where(np.arange(d) < k, 1.0, 0.0)


def gap_on_mask(a: FloatArray, offset: FloatArray, M: FloatArray, **run: Any) -> FloatArray:
    """Return the exact mean of F - min F over x0 + range(M) at every step of a run with weights M, (T + 1,)."""
    on = M > 0
    return expected_gap("dpzero", eigenvalues=(M**2 * a)[on], offset=offset[on] / M[on], direction="gaussian", **run)


def loss_off_mask(o: Objective, M: Any) -> FloatArray:
    """Return min F over x0 + range(M) for masks M (..., d), where F^* = 0: the loss that no run with M can remove."""
    return np.asarray((np.asarray(M) == 0) @ (np.asarray(o.eigenvalues) * (o.x0 - o.optimum) ** 2) / 2)


def check_exact_means(*, d: int, T: int, runs: int, seed: int) -> Finding:
    """Check that runs have the exact mean F, halfway and at the end, without and with masks or weights; return a Finding."""
    o, scores = sparse_quadratic("inverse_sqrt", d, 1, seed, support=d // 2), np.random.default_rng(seed).standard_normal(d)
    drawn = dict[str, tuple[FloatArray, float]]()
    for rate, upper, lower in ((1.0, 1.0, 1.0), (0.3, 1.0, 1.0), (0.5, 1.2, 0.8), (0.5, 1.8, 0.2)):
        at: dict[str, Any] = {"alpha": 0.6 / (rate * d + 2), "T": T, "sigma": 0.5}
        masked: dict[str, Any] = {"rates": rate, "score": scores, "weights": "rank", "upper": upper, "lower": lower, "lam": 0.1}
        run = simulate(DP_ZOPO, o, replicates=runs, seed=seed + len(drawn), **UNCLIPPED, **at, **masked)
        M = np.asarray(run.kept)[0, 0]
        exact = gap_on_mask(np.asarray(o.eigenvalues), o.x0 - o.optimum, M, **at) + float(loss_off_mask(o, M))
        drawn |= {f"rate {rate}, {upper} to {lower}, step {t}": (run.loss[:, t], float(exact[t])) for t in (T // 2, T)}
    found = Record({"d": d}).conclude(f"the means of {runs} runs are the computed ones at {len(drawn)} places")
    return check_sample_means(drawn, found, seed)


def count_steps(share: float, a: FloatArray, e: FloatArray, M: FloatArray, alpha: float, T: int) -> int:
    """Return how many of the T + 1 iterates of a run without noise have an exact mean gap above `share` of the gap at the start."""
    gap = gap_on_mask(a, e, M, alpha=alpha, T=T, sigma=0.0)
    return int(np.count_nonzero(gap > share * gap[0]))


def check_dimension_dependence(*, small: int, large: int, said: float) -> Finding:
    """Check that steps to 5 % do not grow with d for eigenvalues i^-2, and grow like d for eigenvalues 1; return a Finding.

    Eigenvalues i^-2 start from x_i - x*_i = i^(-1/2), at eta = 0.2; eigenvalues 1 from 1s, at eta = 0.8 / (d + 2).
    """
    found = dict[int, tuple[int, int]]()
    for d in (small, large):
        i, one = np.arange(1.0, d + 1), np.ones(d)
        found[d] = count_steps(0.05, i**-2, i**-0.5, one, 0.2, 5 * d), count_steps(0.05, one, one, one, 0.8 / (d + 2), 5 * d)
    free, linear = (b / a for a, b in zip(found[small], found[large], strict=True))
    words = f"steps at i^-2 and at 1: {', '.join(f'{one} for d = {d}' for d, one in found.items())}"
    return check_condition(free <= said and abs(linear * small / large - 1) < 0.1, words, {"i^-2": free, "all 1": linear})


def check_mask_speed(*, kept: Sequence[int], d: int) -> Finding:
    """Check that steps to 1 % grow like k + 2 for masks of k coordinates that hold all of the truth; return a Finding."""
    found = {k: count_steps(0.01, np.ones(d), first_mask(min(kept), d), first_mask(k, d), 0.5 / (k + 2), 8 * k + 20) for k in kept}
    per = [one / (k + 2) for k, one in found.items()]
    words = f"steps over k + 2 are from {min(per):.3f} to {max(per):.3f} for k from {min(kept)} to {max(kept)} of d = {d}"
    return check_condition(max(per) <= 1.02 * min(per), words, {"steps": found})


@check_deviations("the mean gap ends at eta s^2 k / (4 - 2 eta (k + 2))")
def check_floor(*, tries: int, seed: int) -> Cases:
    """Check that the mean gap on k tuned coordinates tends to eta s^2 k / (4 - 2 eta (k + 2)), by exact means; return a Finding.

    Runs have as many steps as make the start vanish.
    """
    rng = np.random.default_rng(seed)
    for _ in range(tries):
        d, s = int(rng.integers(1, 60)), float(10.0 ** rng.uniform(-1, 1))
        k = int(rng.integers(1, d + 1))
        eta = float(rng.uniform(0.1, 1.5)) / (k + 2)
        run = {"alpha": eta, "T": math.ceil(25 / (2 * eta - eta**2 * (k + 2))), "sigma": s}
        found = float(gap_on_mask(np.ones(d), np.full(d, s * 1e-3), first_mask(k, d), **run)[-1])
        yield abs(found / (eta * s**2 * k / (4 - 2 * eta * (k + 2))) - 1), {"d": d, "k": k, **run}


@check_deviations("runs end at half the squared distance off the coordinates that some stage tunes, and these alone move", 1e-6)
def check_noiseless_ends(*, d: int, seed: int) -> Cases:
    """Check that runs without noise end at the loss off all their masks, for every strategy; return a Finding.

    Masks are random, or hold all of the truth, or tune all coordinates.
    """
    o = sparse_quadratic("flat", d, 1, seed, support=d // 10)
    masks: list[tuple[str, Any]] = [(one, rates) for one in ("dynamic", "incremental") for rates in (0.1, DOUBLING)]
    for strategy, rates in [*masks, ("static", 0.1), ("static", 0.2), ("static", 1.0)]:
        k = d * (max(rates) if isinstance(rates, tuple) else rates) + 2
        run = simulate(DP_ZOPO, o, alpha=(0.5 / k,) * 3, T=(math.ceil(40 * k),) * 3, **UNCLIPPED | {"stages": 3}, sigma=0.0, rates=rates,
                       strategy=strategy, score=np.abs(o.optimum) if rates == 0.2 else "random", replicates=4, seed=seed)  # fmt: skip
        tuned = np.asarray(run.kept).any(axis=1)
        off = np.abs(run.loss[:, -1] - loss_off_mask(o, tuned)).max() / o.constants["gap"]
        still = (run.x[~tuned] == np.tile(o.x0, (4, 1))[~tuned]).all()
        yield (float(off) if still else np.inf), {"strategy": strategy, "rates": rates, "left": loss_off_mask(o, tuned).tolist()}


@cache
def run_at_theorem(strategy: str, rates: Any, d: int, stages: int, runs: int, seed: int) -> tuple[Objective, Run]:
    """Run DP-ZOPO on random masks with the theorem's parameters, mu = 1/4, lambda = 7 / (2 mu); return (objective, Run).

    Updates are proximal, outputs averages, on a ball. The noise is what the theorem allows, eta_s sigma^2 k = alpha_s / 7, alpha_s of the
    share of the start that a mask holds.
    """
    o, rate = sparse_quadratic("flat", d, 1, seed, support=d // 10), max(rates) if isinstance(rates, tuple) else rates
    alpha = 0.5 / (d * rate + 2)
    run = simulate(DP_ZOPO, o, alpha=alpha, T=tuple(round(14 / alpha * 2**s) for s in range(stages)), **UNCLIPPED | {"stages": stages},
                   sigma=math.sqrt(o.constants["gap"] / (14 * alpha * d)), radius=2 * math.sqrt(d // 10), anchor=14.0, output="average",
                   regulariser="proximal", rates=rates, strategy=strategy, score="random", replicates=runs, seed=seed)  # fmt: skip
    return o, run


def check_accuracy(*, strategy: str, rates: Any, d: int, stages: int, runs: int, seed: int, above: bool = False) -> Finding:
    """Check that the mean gap after the last stage is at most alpha_S, where every stage halves it, by runs; return a Finding.

    With `above` the gap is above the least value over x0 + range(M).
    """
    o, run = run_at_theorem(strategy, rates, d, stages, runs, seed)
    left, gap = loss_off_mask(o, np.asarray(run.kept).any(axis=1)), o.constants["gap"]
    found, start = np.asarray(run.stage_loss) - above * left[:, None], gap - above * float(left.mean())
    where = f"{strategy} masks, after {stages} stages"
    verdict = check_mean_below(found[:, -1], start / 2**stages, ceiling=9 * gap, seed=seed, where=where)
    return replace(verdict, numbers={**verdict.numbers, "by stage": found.mean(axis=0).tolist(), "off the masks": float(left.mean())})


def best_step_decrease(e: FloatArray, M: FloatArray, s: float) -> float:
    """Return the largest mean decrease of F = |e|^2 / 2 in one step with weights M and noise s, over all step sizes."""
    return -float(optimize.minimize_scalar(lambda eta: float(np.diff(gap_on_mask(np.ones(len(e)), e, M, alpha=eta, T=1, sigma=s))[0]),
                                           bounds=(1e-12, 2 / (M @ M + 2)), method="bounded", options={"xatol": 1e-14}).fun)  # fmt: skip


@check_deviations("a mask gains in a step of the best size from a share of |grad F|^2 on that is above k/d, which a random one has", 1e-6)
def check_threshold(*, tries: int, seed: int) -> Cases:
    """Check that a mask gains in one best step only above a share of |grad F|^2 that random masks miss; return a Finding.

    The share is the root p of p^2 (d + 2 + noise d) = (k + 2) p + noise k, noise = s^2 / |grad F|^2: there both steps are equal.
    """
    rng = np.random.default_rng(seed)
    for _ in range(tries):
        d, noise = int(rng.integers(3, 60)), float(10.0 ** rng.uniform(-3, 3))
        k = int(rng.integers(1, d))
        p = float(np.roots([d + 2 + noise * d, -(k + 2), -noise * k]).max())
        e, ends = np.sqrt(np.where(first_mask(k, d) > 0, p / k, (1 - p) / (d - k))), sorted([(k + 2) / (d + 2), math.sqrt(k / d)])
        ratio = best_step_decrease(e, first_mask(k, d), math.sqrt(noise)) / best_step_decrease(e, np.ones(d), math.sqrt(noise))
        known = k / d < p and ends[0] * (1 - 1e-12) <= p <= ends[1] * (1 + 1e-12)
        random = np.mean([np.roll(first_mask(k, d), j) @ e**2 for j in range(d)])  # of masks that tune every coordinate as often
        off = max(abs(ratio - 1), abs(random - k / d)) if known else np.inf
        yield off, {"k": k, "d": d, "s^2 / |grad F|^2": noise, "share needed": p}


def check_mask_recovery(
    *, m: int, P: int, networks: int, rate: float, wanted: tuple[float, float], seed: int, beyond: bool = False
) -> Finding:
    """Check that Algorithm 3 selects a share in `wanted` of the exact score's top `rate`, on random networks; return a Finding.

    `beyond`: the excess of this share over the share that noise times theta selects.
    """
    space, found = matrix_space(*[(m, m)] * 3), np.empty((networks, 3))
    for k in range(networks):
        rng = np.random.default_rng((seed, k))
        x = rng.standard_normal(space.d) / math.sqrt(m)
        exact, noise = importance_weights(synflow_scores(x, space), rate), importance_weights(x * rng.standard_normal(space.d), rate)
        one, two = (importance_weights(estimate_synflow_scores(x, space, rng.standard_normal((P, space.d)), 1e-3), rate) for _ in range(2))
        found[k] = [float(a @ b / b.sum()) for a, b in ((one, exact), (noise, exact), (one, two))]
    low, high = (one - beyond for one in mean_interval(found[:, 0] + beyond * (1 - found[:, 1]), 1.0 + beyond))
    means = dict(zip(("of the exact", "noise times theta", "of another draw"), found.mean(axis=0).tolist(), strict=True))
    words = f"P = {P}, {space.d} weights: {', '.join(f'{one:.3f} {name}' for name, one in means.items())}; from {low:.3f} to {high:.3f}"
    record = Record({"low": low, "high": high, "P": P, **means}, seed=seed, false_alarm=LEVEL)
    return check_interval((low, high), wanted, record.refute(words, record.numbers))


def repeat_ratio(rate: float) -> float:
    """Return how much more often than by chance noise times one theta ~ N(0, I) selects the same coordinates twice.

    `rate` is the share of coordinates that is selected, of many.
    """
    u = np.linspace(1e-9, 12, 20_001)

    def mean(t: float, power: int) -> float:
        """Return the mean of P(|z u| > t)^power for a standard normal u."""
        return float(2 * integrate.trapezoid(stats.norm.sf(t / u) ** power * stats.norm.pdf(u), u))

    return mean(float(optimize.brentq(lambda t: mean(t, 1) - rate, 1e-3, 20.0)), 2) / rate**2


def check_repeat_ratios(*, said: Mapping[float, float], d: int, pairs: int, seed: int) -> Finding:
    """Check how much oftener than by chance noise times one theta selects a coordinate twice, {rate: ratio}; return a Finding."""
    exact, rng, drawn = {rate: repeat_ratio(rate) for rate in said}, np.random.default_rng(seed), np.empty(pairs)
    for k in range(pairs):
        theta = rng.standard_normal(d)
        one, two = (importance_weights(theta * rng.standard_normal(d), 0.08) for _ in range(2))
        drawn[k] = one @ two / one.sum() / 0.08
    words = f"by quadrature {', '.join(f'{one:.2f}' for one in exact.values())} times chance"
    found = check_condition(all(f"{exact[rate]:.1f}" == f"{one:.1f}" for rate, one in said.items()), words, {"exact": list(exact.values())})
    return check_sample_means({"rate 0.08": (drawn, exact[0.08])}, found, seed)


@check_deviations("an incremental mask grows to the last rate; the union of dynamic ones is no smaller, and their last has the best scores")
def check_mask_unions(*, d: int, tries: int, seed: int) -> Cases:
    """Check that incremental masks only grow to the last rate, and that unions of dynamic masks are no smaller; return a Finding."""
    for k in range(tries):
        rng, grown, fresh = np.random.default_rng((seed, k)), list[FloatArray](), list[FloatArray]()
        for o, rate in zip(
            drifting_quadratics("flat", d, 1, seed + k, support=d // 50, stages=3, moved=d // 100), (0.01, 0.02, 0.04), strict=True
        ):
            scores = np.abs(o.optimum) + k % 4 * rng.standard_normal(d)
            grown.append(importance_weights(scores, rate, before=grown[-1] if grown else None))
            fresh.append(importance_weights(scores, rate))
        (a, b, c), union = grown, [int(np.any(some, axis=0).sum()) for some in (grown, fresh)]
        best = fresh[2] @ scores >= c @ scores * (1 - 1e-12)  # sums over one mask, too, are equal up to rounding only
        holds = union[0] == round(0.04 * d) <= union[1] and (a <= b).all() and (b <= c).all() and best
        yield float(not holds), {"case": k}, {"unions": union}


@check_deviations("the squared weights of ranks sum to the stated multiple of those of a mask", 1e-12)
def check_rank_weights(*, kept: Sequence[int]) -> Cases:
    """Check that squared rank weights sum to the stated multiple of k, for the intervals of Table V; return a Finding.

    The multiple is (1 + D / 2k)^2 + (1 - 1 / k^2) D^2 / 12 with D = A - B.
    """
    for k, upper in ((k, upper) for k in kept for upper in (1.3, 1.2, 1.1)):
        M, D = importance_weights(np.arange(4.0 * k), 0.25, weights="rank", upper=upper, lower=2 - upper), 2 * (upper - 1)
        at = {"k": k, "A": upper, "measured": float(M @ M) / k}
        yield abs(at["measured"] - (1 + D / (2 * k)) ** 2 - D**2 * (1 - 1 / k**2) / 12), at, {f"A = {upper}, k = {k}": at["measured"]}


def check_masked_estimator(*, draws: int, seed: int) -> Finding:
    """Check that the two-point estimate along v = M w has mean M^2 grad f_(beta, M), by draws; return a Finding.

    The mean of |v|^2 must be the sum of M_ii^2.
    """
    rng, lam, x = np.random.default_rng(seed), 0.5, np.array([0.3, -0.2, 0.1, 0.4])
    M = importance_weights(np.array([4.0, 3.0, 2.0, 1.0]), 0.75, weights="rank", upper=1.6, lower=0.4)
    v = rng.standard_normal((draws, 4)) * M
    ahead, behind = (np.maximum(y, -2 * y).sum(axis=1) for y in (x + lam * v, x - lam * v))
    mean = [(j, float(M[j] ** 2 * smoothed_kinks("flat", x[j : j + 1], lam * M[j])[1][0])) for j in np.flatnonzero(M)]
    drawn = {f"coordinate {j}": ((ahead - behind) / (2 * lam) * v[:, j], one) for j, one in mean}
    drawn["|v|^2"] = (v**2).sum(axis=1), float(M @ M)
    return check_sample_means(drawn, Record({"M": M.tolist()}).conclude(f"means of {draws} draws agree"), seed)
