"""Checks of the text of Section 5 and Appendix B.1 about Figures 1 to 3, on reduced experiments: fewer dimensions or horizons.

The best of a grid is biased, so only fresh runs of the winners count: one data set each, t-intervals over data sets (normal means are
assumed). A winner at the largest T means that a reduced grid is too short for it; where a claim depends on that, nothing is concluded.
"In all figures" (Appendix B.1) makes the same claim for every measure. The losses of Figure 3 contain F_S^*, about Tr(A)/2, which no
method can lower: orders hold for them more easily than for gradients. It grows like log(d) on eigenvalues 1/i, which the paper calls
"nearly dimension-independent" (Remark 4.1); so log(d) is the limit for this claim. Winners come from one search: the conclusions are
about them, and not about the winners of another search.
"""

import math
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from scipy import stats

from bounds.dpzero import THEOREMS
from paper_checks.compare import LEVEL
from paper_checks.dpzero.experiments.figure_runs import METHODS, PAPER, Experiment, ExperimentResult, Point, run_experiment
from paper_checks.record import Record
from paper_checks.shared.findings import check_interval
from paper_checks.verdict import Finding, Outcome
from synthetic.grids.settings import Measures
from synthetic.objectives.sums import SPECTRA, spectrum_values
from synthetic.sweeps.store import Store

FIGURES = {"figure1": ("grad_norm_test",), "figure2": ("grad_norm_train",), "figure3": ("loss_train", "loss_test")}
SATURATED = 0.9  # "saturated": at least this share of the value at x_0, and at most its inverse
MATCHED = 1.5  # "match": at most this many times the other's error
ALIKE = 1e-6  # relative spread that is rounding of single precision; runs on different data sets differ by 1e-4 or more
Bracket = tuple[float, float, float]  # a mean, and the two ends of its interval
EXPONENT_LEVEL = 2e-8  # false alarm of a claim about an exponent: five of them are a tenth of what all checks may spend


@lru_cache(maxsize=8)
def run_reduced(
    *, datasets: int, methods: tuple[str, ...] = METHODS, measures: tuple[str, ...] = Measures.NAMES, **grid: Any
) -> ExperimentResult:
    """Run a reduced experiment in this process and return its ExperimentResult: one grid search, and fresh runs of the winners.

    The winners are those by each measure. `grid` are fields of an experiment: dimensions, horizons, seed and, where they are not the
    paper's, spectra and n.
    """
    reduced = Experiment(fresh_datasets=datasets, fresh_replicates=1, **grid)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "cells.sqlite") as store, ThreadPoolExecutor(1) as pool:
        return run_experiment(reduced, store, pool, methods=methods, measures=measures)


def fresh_interval(p: Point, datasets: int, level: float) -> tuple[float, float]:
    """Return the interval (low, high) of a point's mean over fresh data sets, with error probability `level`; low is at least 0.

    ValueError where the fresh runs agree up to rounding, because then they share their draws.
    """
    if p.fresh.half_width <= ALIKE * abs(p.fresh.value):
        raise ValueError(f"the fresh runs of {p.method}, {p.spectrum}, d = {p.d} agree up to rounding: they share their draws")
    half = p.fresh.half_width * (stats.t.isf(level / 2, datasets - 1) / stats.t.ppf(0.975, datasets - 1))
    return max(p.fresh.value - half, 0.0), p.fresh.value + half


def fresh_bracket(p: Point, datasets: int, level: float) -> Bracket:
    """Return the Bracket (fresh mean, low, high) of a point, with the interval of `fresh_interval`."""
    return p.fresh.value, *fresh_interval(p, datasets, level)


def check_point_pairs(pairs: list[tuple[str, Point, Point]], datasets: int, seed: int) -> Finding:
    """Check that in each pair (words, larger Point, smaller Point) the fresh means are in this order, by intervals; return a Finding.

    REFUTED where the intervals are in the other order, CONSISTENT where those of at least half of the pairs are in this order.
    """
    level = LEVEL / (2 * len(pairs))
    record = Record({words: (one.fresh.value, two.fresh.value) for words, one, two in pairs}, seed=seed, false_alarm=LEVEL)
    brackets = ((words, fresh_bracket(one, datasets, level), fresh_bracket(two, datasets, level)) for words, one, two in pairs)
    return check_bracket_pairs(brackets, record)


def check_bracket_pairs(
    pairs: Iterable[tuple[str, Bracket, Bracket]], record: Record, opening: str = "", settles: str = "more datasets"
) -> Finding:
    """Check that in each pair (words, larger Bracket, smaller Bracket) the means are in this order; note them, and return a Finding.

    REFUTED by the first pair in the other order, CONSISTENT where the intervals of at least half of the pairs are in this order.
    """
    tried = apart = 0
    for words, (one, low, high), (two, low_2, high_2) in pairs:
        record.note({words: (one, two)})
        tried, apart = tried + 1, apart + (low > high_2)
        if high < low_2:
            return record.refute(f"not so: {words}", {"pair": words, "claimed larger": one, "claimed smaller": two})
    sentence = f"{opening}{apart} of {tried} comparisons are apart as claimed at a joint level of 1e-9, none the other way"
    if 2 * apart < tried:
        record.leave_open(f"{sentence}; {settles} would settle it")
    return record.conclude(sentence)


def check_order(*, which: str, measures: tuple[str, ...], dimensions: tuple[int, ...], datasets: int, seed: int, **grid: Any) -> Finding:
    """Check that fresh means have the order that sentence `which` of Appendix B.1 claims, by each measure; return a Finding.

    `which` is "rank" (a larger effective rank gives a larger error), "worst" (DPGD-0th has the largest error), "flat" (the error grows
    with d on equal eigenvalues) or "strongly" (DPGD-0th's error grows with d on each spectrum).
    """
    seen = run_reduced(dimensions=dimensions, datasets=datasets, seed=seed, **grid)
    pairs = []
    for measure in measures:
        at = {(m, s, p.d): p for m in METHODS for s in SPECTRA for p in seen.curve(m, s, measure)}
        first, last = dimensions[0], dimensions[-1]
        problems, others, steps = [*product(SPECTRA, dimensions)], ("dpzero", "dp_gd"), [*pairwise(SPECTRA)]
        by_sentence = {
            "rank": [(f"{m}, d = {d}: {a} above {b}", at[m, a, d], at[m, b, d]) for m in METHODS for d in dimensions for a, b in steps],
            "worst": [(f"{s}, d = {d}: DPGD-0th above {m}", at["dpgd_0th", s, d], at[m, s, d]) for s, d in problems for m in others],
            "flat": [(f"{m}: d = {b} above {a}", at[m, "flat", b], at[m, "flat", a]) for m in METHODS for a, b in pairwise(dimensions)],
            "strongly": [(f"DPGD-0th, {s}: d = {last} above {first}", at["dpgd_0th", s, last], at["dpgd_0th", s, first]) for s in SPECTRA],
        }
        pairs += [(f"{measure}, {words}", one, two) for words, one, two in by_sentence[which]]
    return check_point_pairs(pairs, datasets, seed)


def check_best_method(
    *, measure: str, dimension: int, horizons: tuple[int, ...], horizons_dp_gd: tuple[int, ...], datasets: int, seed: int, **grid: Any
) -> Finding:
    """Check that DP-GD's fresh mean is below DPZero's on each spectrum, at one dimension, by runs; return a Finding.

    DP-GD gets fewer horizons: a setting of it that wins here is on the whole grid as well.
    """
    one, two = (
        run_reduced(dimensions=(dimension,), horizons=some, datasets=datasets, seed=seed, methods=(method,), **grid)
        for method, some in (("dpzero", horizons), ("dp_gd", horizons_dp_gd))
    )
    pairs = [(f"{s}: DPZero above DP-GD", one.curve("dpzero", s, measure)[0], two.curve("dp_gd", s, measure)[0]) for s in SPECTRA]
    found = check_point_pairs(pairs, datasets, seed)
    if found.outcome is Outcome.REFUTED and horizons_dp_gd != horizons:
        sentence = f"{found.sentence}, with fewer T for DP-GD; the whole grid would settle it"
        return replace(found, outcome=Outcome.INCONCLUSIVE, sentence=sentence, witness={})
    return found


def logarithm_exponent(first: int, last: int) -> float:
    """Return log(log(last)/log(first)) / log(last/first), the mean exponent p at which log(d) grows like d^p from first to last."""
    return math.log(math.log(last) / math.log(first)) / math.log(last / first)


def note_exponent(record: Record, measure: str, one: Bracket, two: Bracket, span: float, **more: Any) -> tuple[str, float, float]:
    """Add a measure's exponent in d, from Brackets at two dimensions, and `more` to `record`; return (words, low, high).

    `span` is the logarithm of the ratio of the dimensions.
    """
    (mean, low, high), (mean_2, low_2, high_2) = one, two
    exponent, least = math.log(mean_2 / mean) / span, math.log(low_2 / high) / span if low_2 else -math.inf
    most = math.log(high_2 / low) / span if low else math.inf
    record.note({measure: {"exponent": exponent, "low": least, "high": most, **more}})
    return f"{measure} {exponent:.3f} ({least:.3f} to {most:.3f})", least, most


def check_dimension_exponent(
    *, method: str, judged: tuple[str, ...], dimensions: tuple[int, int], datasets: tuple[int, int], n: int = PAPER.n, **grid: Any
) -> Finding:
    """Check that the `judged` measures on eigenvalues 1/i grow in d no faster than log(d) between two d, by runs; return a Finding.

    Each dimension has its own number of data sets. The exponents hold for the settings that the one search chose. The experiment's own
    `measures` may be more than those that are judged, so that claims share it.
    """
    seen = [
        run_reduced(dimensions=(d,), datasets=k, n=n, methods=(method,), spectra=("inverse",), **grid)
        for d, k in zip(dimensions, datasets, strict=True)
    ]
    span, threshold = math.log(dimensions[1] / dimensions[0]), logarithm_exponent(*dimensions)
    record = Record({"d": list(dimensions), "threshold": threshold}, seed=grid["seed"], false_alarm=EXPONENT_LEVEL)
    found, means, longest, level = [], {}, 0, EXPONENT_LEVEL / (2 * len(judged))
    for measure in judged:
        points = [one.curve(method, "inverse", measure)[0] for one in seen]
        T, means[measure] = [p.T for p in points], [p.fresh.value for p in points]
        longest = max(longest, *T)
        one, two = (fresh_bracket(p, k, level) for p, k in zip(points, datasets, strict=True))
        found.append(note_exponent(record, measure, one, two, span, T=T, means=means[measure]))
    words, lows, highs = zip(*found, strict=True)
    sentence = f"exponent from d = {dimensions[0]} to {dimensions[1]}, at 1 - {EXPONENT_LEVEL:g}: {', '.join(words)}"
    sentence += f"; that of log(d) is {threshold:.3f}"
    if set(judged) & set(FIGURES["figure3"]):
        least = [least_loss(d, n) for d in dimensions]
        record.note({"E F_S^*": least})
        sentence += f", of E F_S^*, the least possible loss, {math.log(least[1] / least[0]) / span:.3f} ({least[0]:.2f} to {least[1]:.2f})"
    if longest == grid["horizons"][-1] < PAPER.horizons[-1]:
        return record.leave_open(f"{sentence}; the best T is the largest: a longer grid would settle it")
    outside = record.refute(sentence, {"d": list(dimensions), **means})
    return check_interval((max(lows), max(highs)), (-math.inf, threshold), outside)


def least_loss(d: int, n: int) -> float:
    """Return E F_S^* = (1 - 1/n) Tr(A)/2 on eigenvalues 1/i, below which no method's expected loss can be."""
    return (1 - 1 / n) * float(spectrum_values("inverse", d).sum()) / 2


def check_saturation(*, measure: str, dimension: int, datasets: int, seed: int, n: int = PAPER.n, **grid: Any) -> Finding:
    """Check that DPGD-0th's fresh mean on equal eigenvalues is 0.9 to 1/0.9 times its value at x_0, by runs; return a Finding."""
    which = {"dimensions": (dimension,), "methods": ("dpgd_0th",), "spectra": ("flat",)}
    seen = run_reduced(datasets=datasets, seed=seed, n=n, **which, **grid)
    (point,), start = seen.curve("dpgd_0th", "flat", measure), seen.start["flat", dimension, measure]
    ratio, low, high = (end / start for end in fresh_bracket(point, datasets, LEVEL))
    at = {"n": n, "d": dimension, "epsilon": PAPER.epsilon, "delta": PAPER.delta, "L": 1.0, "ell": 1.0, "gap": 0.0}
    theory = THEOREMS["dpzero.theorem1"].evaluate(**at)
    ends = {"low / start": low, "high / start": high}
    record = Record({"d": dimension, "value at x_0": start, "fresh mean": point.fresh.value, **ends}, seed=seed, false_alarm=LEVEL)
    record.note({"T* of Theorem 1": theory.schedule["T"], "its bound over L^2, at least": theory.bound})
    sentence = f"at d = {dimension} the fresh mean is {ratio:.3f} of the value at x_0 (between {low:.3f} and {high:.3f})"
    return check_interval((low, high), (SATURATED, 1 / SATURATED), record.refute(sentence, {"d": dimension, **ends}))


def check_losses_match(
    *, measures: tuple[str, ...], dimensions: tuple[int, ...], datasets: int, seed: int, n: int = PAPER.n, **grid: Any
) -> Finding:
    """Check that DPZero's losses are at most MATCHED = 1.5 times the least possible loss on eigenvalues 1/i, by runs; return a Finding.

    DP-GD's losses cannot be below the least possible loss, so they need no runs.
    """
    seen = run_reduced(dimensions=dimensions, datasets=datasets, seed=seed, n=n, **grid)
    level, points = LEVEL / (len(dimensions) * len(measures)), [(m, p) for m in measures for p in seen.curve("dpzero", "inverse", m)]
    ratios = {f"{m}, d = {p.d}": fresh_interval(p, datasets, level)[1] / least_loss(p.d, n) for m, p in points}
    record, worst = Record(ratios, seed=seed, false_alarm=LEVEL), max(ratios.values())
    sentence = f"DPZero's losses are at most {worst:.3f} times the least possible loss, which DP-GD's are not below"
    if worst > MATCHED:
        record.leave_open(f"{sentence}; runs of DP-GD would settle it")
    return record.conclude(sentence)


REDUCED = {"dimensions": (20, 60, 200), "horizons": (10, 40, 160, 640), "datasets": 25}
