"""Turn the result of a search or a sample into a Finding, with its false-alarm probability."""

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from paper_checks.compare import LEVEL
from paper_checks.record import Record
from paper_checks.verdict import Finding, Outcome

ROUNDING = 1e-9  # numbers of order 1, some hundred operations; what is wrong differs by far more


def check_condition(holds: bool, words: str, found: Mapping[str, Any], **more: Any) -> Finding:
    """Return a CONSISTENT Finding if `holds`, else a REFUTED Finding with `found` as its witness; `words` is the sentence."""
    record = Record(found, **more)
    return record.conclude(words) if holds else record.refute(words, found)


def standard_errors_above(samples: NDArray[np.float64], stated: float) -> float:
    """Return how many standard errors the mean of independent samples (n,) is above the stated mean; negative if it is below."""
    return float((samples.mean() - stated) / (samples.std(ddof=1) / sqrt(len(samples))))


def check_sample_means(drawn: Mapping[str, tuple[NDArray[np.float64], float]], found: Finding, seed: int) -> Finding:
    """Check that samples have their stated means, {name: (samples, mean)}; return `found` with these means, or another Finding.

    REFUTED where one of the means, which are normal for as many samples as are drawn, is further off than chance allows for all together;
    INCONCLUSIVE instead if `found` is a refutation, which the samples then no longer support.
    """
    off = {name: standard_errors_above(samples, stated) for name, (samples, stated) in drawn.items()}
    means = {f"{name}: mean, stated": (float(samples.mean()), stated) for name, (samples, stated) in drawn.items()}
    found = replace(found, numbers={**found.numbers, **means}, false_alarm=LEVEL, seed=seed)
    if all(abs(one) <= float(stats.norm.isf(LEVEL / 2 / len(off))) for one in off.values()):
        return found
    record, words = Record(found.numbers, false_alarm=LEVEL, seed=seed), f"draws do not agree: {found.sentence}"
    if found.outcome is not Outcome.REFUTED:
        return record.refute(words, {"standard errors off": off})
    record.note({"standard errors off": off})
    return record.leave_open(f"{words}; more of them would settle it")


def clopper_pearson(hits: int, runs: int, level: float = LEVEL) -> tuple[float, float]:
    """Return the Clopper-Pearson interval (low, high) of a probability, which it misses with probability at most `level`."""
    low = float(stats.beta.ppf(level / 2, hits, runs - hits + 1)) if hits else 0.0
    high = float(stats.beta.isf(level / 2, hits + 1, runs - hits)) if hits < runs else 1.0
    return low, high


def check_deviation(
    worst: float, at: Mapping[str, Any], tried: int, words: str, seed: int | None, tolerance: float = ROUNDING, **numbers: Any
) -> Finding:
    """Check that the largest deviation `worst` of a search is at most the tolerance; return a Finding, REFUTED at the point `at`."""
    record = Record({"tried": tried, "largest deviation": worst, **numbers}, seed=seed)
    if not worst <= tolerance:
        record.refute(f"not so: {words}; missed by {worst:.3g}", {**at, "deviation": worst})
    return record.conclude(f"{words}: at most {worst:.2g} off in {tried} cases")


def check_ratio(ratio: float, at: Mapping[str, Any], tried: int, words: str, seed: int | None, reach: float = 0.0) -> Finding:
    """Check that the largest value / allowed of a search is at most 1; return a Finding, INCONCLUSIVE if it is below `reach`."""
    record = Record({"tried": tried, "largest / allowed": ratio}, seed=seed)
    if not ratio <= 1 + ROUNDING:
        record.refute(f"{words}: {ratio:.6g} times as much", {**at, "ratio": ratio})
    if ratio < reach:
        record.leave_open(f"{words}: the search came only to {ratio:.4g} of it; one that reaches 1 would settle it")
    return record.conclude(f"{words}: at most {ratio:.6g} of it in {tried} cases")


def check_interval(interval: tuple[float, float], wanted: tuple[float, float], outside: Finding, settles: str = "more datasets") -> Finding:
    """Check that a confidence interval lies inside `wanted`; return a Finding: the refutation `outside` if the two do not meet.

    `outside` is a refutation. CONSISTENT with the same numbers where the whole interval lies inside; INCONCLUSIVE where a part of it does;
    `settles` is what would settle it.
    """
    (low, high), (least, most) = interval, wanted
    if high < least or low > most:
        return outside
    if low >= least and high <= most:
        return replace(outside, outcome=Outcome.CONSISTENT, witness={})
    return replace(outside, outcome=Outcome.INCONCLUSIVE, sentence=f"{outside.sentence}; {settles} would settle it", witness={})


def check_variance(squares: float, degrees: int, words: str, seed: int, **numbers: Any) -> Finding:
    """Test at level 1e-9 that squares over the stated variance sum to a chi-square with `degrees` degrees; return a Finding."""
    low, high = float(stats.chi2.ppf(LEVEL / 2, degrees)) / degrees, float(stats.chi2.isf(LEVEL / 2, degrees)) / degrees
    ratio = squares / degrees
    numbers = {"measured / stated variance": ratio, "from": low, "to": high, "squares": degrees, **numbers}
    record = Record(numbers, false_alarm=LEVEL, seed=seed)
    if not low <= ratio <= high:
        witness = {"measured / stated variance": ratio, "squares": degrees}
        record.refute(f"{words}: the measured variance is {ratio:.5g} times the stated one", witness)
    return record.conclude(f"{words}: measured over stated variance {ratio:.4f}; outside {low:.3f} to {high:.3f} is refuted")


def _record_frequency(hits: int, runs: int, bound: float, seed: int, numbers: Mapping[str, Any]) -> tuple[Record, float, float]:
    """Return (Record of a frequency and a bound, low, high), with the confidence interval of the probability."""
    low, high = clopper_pearson(hits, runs)
    numbers = {"hits": hits, "runs": runs, "low": low, "high": high, "bound": bound, **numbers}
    return Record(numbers, false_alarm=LEVEL, seed=seed), low, high


def check_probability_at_most(hits: int, runs: int, bound: float, words: str, seed: int, **numbers: Any) -> Finding:
    """Check that a probability is at most `bound`; return a Finding, REFUTED if the 1e-9 interval from hits / runs lies above it."""
    record, low, _ = _record_frequency(hits, runs, bound, seed, numbers)
    if low > bound:
        record.refute(f"{words}: {hits} of {runs} runs, above {bound:.4g}", record.numbers)
    return record.conclude(f"{words}: {hits} of {runs} runs, the bound is {bound:.4g}")


def check_probability_at_least(hits: int, runs: int, bound: float, words: str, seed: int, **numbers: Any) -> Finding:
    """Check that a probability is at least `bound`; return a Finding, REFUTED if its 1e-9 interval lies below it."""
    record, low, high = _record_frequency(hits, runs, bound, seed, numbers)
    if high < bound:
        record.refute(f"{words}: {hits} of {runs} runs, below {bound:.4g}", record.numbers)
    sentence = f"{words}: {hits} of {runs} runs (between {low:.3g} and {high:.3g}); at least {bound:.4g} is claimed"
    if hits < bound * runs:
        record.leave_open(sentence + "; more runs would settle it")
    return record.conclude(sentence)
