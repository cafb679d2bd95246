"""Section 5's words about Figures 1 to 3, on a reduced experiment: fewer dimensions and horizons, more fresh runs.

The best of a grid is biased, so only fresh runs of the winners count: one dataset each, t-intervals over datasets (normal means are
assumed). A winner at the largest T says that the reduced grid is too short for it; where words depend on that, nothing is concluded.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from scipy import stats

from paper_checks.compare import LEVEL
from paper_checks.dpzero.synthetic_experiment import METHODS, PAPER, Experiment, Point, conduct
from paper_checks.dpzero.synthetic_experiment import Outcome as Conducted
from paper_checks.verdict import Claim, Finding, Kind, Outcome
from synthetic.objectives import SPECTRA
from synthetic.store import Store

MEASURE = "grad_norm_test"
SATURATED = 0.9  # of the value at x_0 or more
MATCHED = 1.5  # times the other's error or less
EXPONENT_LEVEL = 1e-7  # of an exponent: two of them are a fifth of what a whole run may spend
NEARLY = 0.1  # "nearly independent": at most a factor 1.6 over the paper's range, 20 to 2000; sqrt(d) would be a factor 10


@lru_cache(maxsize=3)
def conducted(
    dimensions: tuple[int, ...], horizons: tuple[int, ...], datasets: int, seed: int,
    methods: tuple[str, ...] = METHODS, spectra: tuple[str, ...] = SPECTRA,
) -> Conducted:  # fmt: skip
    """Run the reduced experiment in this process."""
    reduced = Experiment(dimensions, spectra, horizons=horizons, fresh_datasets=datasets, fresh_replicates=1, seed=seed)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "cells.sqlite") as store, ThreadPoolExecutor(1) as pool:
        return conduct(reduced, store, pool, measures=(MEASURE,), methods=methods)


def ends(p: Point, datasets: int, level: float) -> tuple[float, float]:
    """Return the interval of the fresh mean at another level than the 95 % that it carries."""
    wider = stats.t.isf(level / 2, datasets - 1) / stats.t.ppf(0.975, datasets - 1)
    half = (p.fresh.high - p.fresh.low) / 2 * wider
    return max(p.fresh.value - half, 0.0), p.fresh.value + half


def ordered(pairs: list[tuple[str, Point, Point]], datasets: int, seed: int) -> Finding:
    """Judge pairs (words, larger, smaller): REFUTED where an interval lies the other way, CONSISTENT where most are apart."""
    level, apart = LEVEL / (2 * len(pairs)), 0
    numbers = {words: (one.fresh.value, two.fresh.value) for words, one, two in pairs}
    for words, one, two in pairs:
        (low, high), (low_2, high_2) = ends(one, datasets, level), ends(two, datasets, level)
        apart += low > high_2
        if high < low_2:
            witness = {"pair": words, "claimed larger": one.fresh.value, "claimed smaller": two.fresh.value}
            return Finding(Outcome.REFUTED, f"not so: {words}", numbers, witness, LEVEL, seed)
    sentence = f"{apart} of {len(pairs)} comparisons are apart as claimed at a joint level of 1e-9, none the other way"
    if 2 * apart < len(pairs):
        return Finding(Outcome.INCONCLUSIVE, sentence + "; longer runs would settle it", numbers, {}, LEVEL, seed)
    return Finding(Outcome.CONSISTENT, sentence, numbers, {}, LEVEL, seed)


def order(*, which: str, dimensions: tuple[int, ...], horizons: tuple[int, ...], datasets: int, seed: int) -> Finding:
    """Compare the fresh means that one sentence of Section 5 orders."""
    seen = conducted(dimensions, horizons, datasets, seed)
    at = {(m, s, p.d): p for m in METHODS for s in SPECTRA for p in seen.curve(m, s, MEASURE)}
    first, last = dimensions[0], dimensions[-1]
    problems = [(s, d) for s in SPECTRA for d in dimensions]
    others, steps = ("dpzero", "dp_gd"), list(pairwise(SPECTRA))
    pairs = {
        "rank": [(f"{m}, d = {d}: {a} above {b}", at[m, a, d], at[m, b, d]) for m in METHODS for d in dimensions for a, b in steps],
        "worst": [(f"{s}, d = {d}: DPGD-0th above {m}", at["dpgd_0th", s, d], at[m, s, d]) for s, d in problems for m in others],
        "best": [(f"{s}, d = {d}: DPZero above DP-GD", at["dpzero", s, d], at["dp_gd", s, d]) for s, d in problems],
        "flat": [(f"{m}: d = {b} above {a}", at[m, "flat", b], at[m, "flat", a]) for m in METHODS for a, b in pairwise(dimensions)],
        "strongly": [(f"DPGD-0th, {s}: d = {last} above {first}", at["dpgd_0th", s, last], at["dpgd_0th", s, first]) for s in SPECTRA],
    }
    return ordered(pairs[which], datasets, seed)


def nearly_independent(*, method: str, dimensions: tuple[int, ...], horizons: tuple[int, ...], datasets: int, seed: int) -> Finding:
    """Bracket the exponent in d on eigenvalues 1/i, from the smallest to the largest dimension."""
    curve = conducted(dimensions, horizons, datasets, seed, (method,), ("inverse",)).curve(method, "inverse", MEASURE)
    (low, high), (low_2, high_2) = (ends(p, datasets, EXPONENT_LEVEL / 2) for p in (curve[0], curve[-1]))
    span = math.log(dimensions[-1] / dimensions[0])
    least = math.log(low_2 / high) / span if low_2 else -math.inf
    most = math.log(high_2 / low) / span if low else math.inf
    numbers = {"exponent": math.log(curve[-1].fresh.value / curve[0].fresh.value) / span, "low": least, "high": most, "threshold": NEARLY,
               "T": [p.T for p in curve], "means": [p.fresh.value for p in curve]}  # fmt: skip
    sentence = f"exponent {numbers['exponent']:.2f} in d (between {least:.2f} and {most:.2f} at 1 - 1e-7), threshold {NEARLY}"
    if max(p.T for p in curve) == horizons[-1] < PAPER.horizons[-1]:
        return Finding(Outcome.INCONCLUSIVE, f"{sentence}; the best T is the largest: a longer grid would settle it", numbers, seed=seed)
    if least > NEARLY:
        return Finding(Outcome.REFUTED, sentence, numbers, {"d": list(dimensions), "means": numbers["means"]}, EXPONENT_LEVEL, seed)
    return Finding(Outcome.CONSISTENT, sentence, numbers, {}, EXPONENT_LEVEL, seed)


def saturates(*, dimension: int, horizons: tuple[int, ...], datasets: int, seed: int) -> Finding:
    """Compare DPGD-0th on equal eigenvalues with the value at x_0, where a method that gets nowhere stays."""
    seen = conducted((dimension,), horizons, datasets, seed, ("dpgd_0th",), ("flat",))
    (point,), start = seen.curve("dpgd_0th", "flat", MEASURE), seen.start["flat", dimension, MEASURE]
    low, high = (end / start for end in ends(point, datasets, LEVEL))
    numbers = {"d": dimension, "value at x_0": start, "fresh mean": point.fresh.value, "low / start": low, "high / start": high}
    sentence = (
        f"at d = {dimension} the fresh mean is {point.fresh.value / start:.3f} of the value at x_0 (between {low:.3f} and {high:.3f})"
    )
    if high < SATURATED:
        return Finding(Outcome.REFUTED, sentence, numbers, {"d": dimension, "high / start": high}, LEVEL, seed)
    if low < SATURATED:
        return Finding(Outcome.INCONCLUSIVE, f"{sentence}; more datasets would settle it", numbers, {}, LEVEL, seed)
    return Finding(Outcome.CONSISTENT, sentence, numbers, {}, LEVEL, seed)


def matches(*, dimensions: tuple[int, ...], horizons: tuple[int, ...], datasets: int, seed: int) -> Finding:
    """Bracket the ratio of DPZero to DP-GD on eigenvalues 1/i."""
    seen, level = conducted(dimensions, horizons, datasets, seed), LEVEL / (2 * len(dimensions))
    brackets = {}
    for one, two in zip(seen.curve("dpzero", "inverse", MEASURE), seen.curve("dp_gd", "inverse", MEASURE), strict=True):
        (low, high), (low_2, high_2) = ends(one, datasets, level), ends(two, datasets, level)
        brackets[f"d = {one.d}"] = (low / high_2, one.fresh.value / two.fresh.value, high / low_2 if low_2 else math.inf)
    where, worst = max(brackets.items(), key=lambda entry: entry[1][0])
    sentence = "DPZero / DP-GD is " + ", ".join(
        f"{ratio:.2f} at {d} ({low:.2f} to {high:.2f})" for d, (low, ratio, high) in brackets.items()
    )
    if worst[0] > MATCHED:
        return Finding(Outcome.REFUTED, sentence, brackets, {"at": where, "ratio at least": worst[0]}, LEVEL, seed)
    if max(high for _, _, high in brackets.values()) > MATCHED:
        return Finding(Outcome.INCONCLUSIVE, f"{sentence}; more datasets would settle it", brackets, {}, LEVEL, seed)
    return Finding(Outcome.CONSISTENT, sentence, brackets, {}, LEVEL, seed)


REDUCED: dict[str, Any] = {"dimensions": (20, 60, 200), "horizons": (10, 40, 160, 640), "datasets": 20, "seed": 0}


def _claim(key: str, words: str, why: str, examine: Callable[..., Finding], expected: Outcome = Outcome.CONSISTENT, **more: Any) -> Claim:
    return Claim(
        f"dpzero.figure1.{key}",
        "Section 5, Appendix B.1; Figure 1",
        words,
        Kind.TABLE,
        expected,
        why,
        examine,
        {**REDUCED, **more},
        needs_full=True,
    )


UNSETTLED = Outcome.INCONCLUSIVE
CLAIMS = (
    _claim("smaller_rank", "Every method improves with smaller effective rank", "less noise is felt", order, which="rank"),
    _claim("dpgd_0th_worst", "DPGD-0th is the worst in every mode", "the threshold grows with d", order, which="worst"),
    _claim(
        "dp_gd_best",
        "DP-GD is the best in every mode",
        "only 3 of 9 comparisons are apart at this level and length",
        order,
        UNSETTLED,
        which="best",
    ),
    _claim("all_grow_on_flat", "All methods grow with d when the rank is d", "Table 1", order, which="flat"),
    _claim("dpgd_0th_grows", "DPGD-0th depends on d in every mode", "Table 1", order, which="strongly"),
    Claim(
        "dpzero.figure1.dpgd_0th_saturates",
        "Captions of Figures 1 and 2; Remark F.5",
        "DPGD-0th saturates at large d: with equal eigenvalues and d = 2000 it gets nowhere",
        Kind.TABLE,
        Outcome.CONSISTENT,
        "T* of Theorem 1 falls below 1; the noise of even a few steps costs more than they gain",
        saturates,
        {"dimension": 2000, "horizons": PAPER.horizons, "datasets": 10, "seed": 0},
        needs_full=True,
    ),
    _claim("dpzero_matches_dp_gd", "DPZero matches DP-GD on eigenvalues 1/i", "both feel log(d) only", matches, UNSETTLED),
    _claim(
        "dpzero_nearly_independent",
        "DPZero is nearly independent of d on eigenvalues 1/i, which we read as an exponent of at most 0.1",
        "the error rises threefold from d = 20 to 2000, a power of about 1/4",
        nearly_independent,
        Outcome.REFUTED,
        method="dpzero",
        dimensions=(20, 2000),
        horizons=PAPER.horizons,
        datasets=40,
    ),
    _claim(
        "dp_gd_nearly_independent",
        "DP-GD is nearly independent of d on eigenvalues 1/i, which we read as an exponent of at most 0.1",
        "the reduced grid of T ends too early",
        nearly_independent,
        UNSETTLED,
        method="dp_gd",
    ),
)
