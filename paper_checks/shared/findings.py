"""Turn the result of a search or a sample into a Finding, with its false-alarm probability."""

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from paper_checks.compare import LEVEL
from paper_checks.verdict import Finding, Outcome, consistent, inconclusive, refuted

ROUNDING = 1e-9  # numbers of order 1, some hundred operations; what is wrong differs by far more


def check_condition(holds: bool, words: str, found: Mapping[str, Any], **more: Any) -> Finding:
    """Return a CONSISTENT finding if `holds`, else a REFUTED one with `found` as its witness; `words` is the sentence."""
    return consistent(words, found, **more) if holds else refuted(words, found, found, **more)


def standard_errors(samples: NDArray[np.float64], stated: float) -> float:
    """Return how many standard errors the mean of independent samples (n,) is above the stated mean."""
    return float((samples.mean() - stated) / (samples.std(ddof=1) / sqrt(len(samples))))


def check_sample_means(drawn: Mapping[str, tuple[NDArray[np.float64], float]], found: Finding, seed: int) -> Finding:
    """Return `found` if independent samples have their stated means, {name: (samples, mean)}; else another Finding.

    REFUTED where one of the means, which are normal for as many samples as are drawn, is further off than chance allows for all together;
    INCONCLUSIVE instead if `found` is a refutation, which the samples then no longer support.
    """
    off = {name: standard_errors(samples, stated) for name, (samples, stated) in drawn.items()}
    means = {f"{name}: mean, stated": (float(samples.mean()), stated) for name, (samples, stated) in drawn.items()}
    found = replace(found, numbers={**found.numbers, **means}, false_alarm=LEVEL, seed=seed)
    if all(abs(one) <= float(stats.norm.isf(LEVEL / 2 / len(off))) for one in off.values()):
        return found
    words = f"draws do not agree: {found.sentence}"
    if found.outcome is Outcome.REFUTED:
        return inconclusive(f"{words}; more of them would settle it", {**found.numbers, "standard errors off": off}, seed=seed)
    return refuted(words, found.numbers, {"standard errors off": off}, false_alarm=LEVEL, seed=seed)


def clopper_pearson(hits: int, runs: int, level: float = LEVEL) -> tuple[float, float]:
    """Return the Clopper-Pearson interval (low, high) of a probability; it misses it with probability at most `level`."""
    low = float(stats.beta.ppf(level / 2, hits, runs - hits + 1)) if hits else 0.0
    high = float(stats.beta.isf(level / 2, hits + 1, runs - hits)) if hits < runs else 1.0
    return low, high


def check_deviation(
    worst: float, at: Mapping[str, Any], tried: int, words: str, seed: int | None, tolerance: float = ROUNDING, **numbers: Any
) -> Finding:
    """Check that the largest deviation of a search is at most the tolerance (rounding): CONSISTENT, else REFUTED with its point."""
    evidence = {"tried": tried, "largest deviation": worst, **numbers}
    if not worst <= tolerance:
        return refuted(f"not so: {words}; missed by {worst:.3g}", evidence, {**at, "deviation": worst}, seed=seed)
    return consistent(f"{words}: at most {worst:.2g} off in {tried} cases", evidence, seed=seed)


def check_ratio(ratio: float, at: Mapping[str, Any], tried: int, words: str, seed: int | None, reach: float = 0.0) -> Finding:
    """Check that the largest value over what is allowed is at most 1: REFUTED above, INCONCLUSIVE if the search stayed below `reach`."""
    numbers = {"tried": tried, "largest / allowed": ratio}
    if not ratio <= 1 + ROUNDING:
        return refuted(f"{words}: {ratio:.6g} times as much", numbers, {**at, "ratio": ratio}, seed=seed)
    if ratio < reach:
        return inconclusive(f"{words}: the search came only to {ratio:.4g} of it; one that reaches 1 would settle it", numbers, seed=seed)
    return consistent(f"{words}: at most {ratio:.6g} of it in {tried} cases", numbers, seed=seed)


def check_interval(interval: tuple[float, float], wanted: tuple[float, float], outside: Finding, settles: str = "more datasets") -> Finding:
    """Check that the number of a confidence interval lies in the wanted interval; return `outside` where all of it lies outside.

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
    """Check that a sum of squares over the stated variance is chi-square with these degrees of freedom, two-sided at 1e-9.

    The test is two-sided, at 1e-9.
    """
    low, high = float(stats.chi2.ppf(LEVEL / 2, degrees)), float(stats.chi2.isf(LEVEL / 2, degrees))
    ratio, low, high = squares / degrees, low / degrees, high / degrees
    numbers = {"measured / stated variance": ratio, "from": low, "to": high, "squares": degrees, **numbers}
    if not low <= ratio <= high:
        witness = {"measured / stated variance": ratio, "squares": degrees}
        return refuted(
            f"{words}: the measured variance is {ratio:.5g} times the stated one", numbers, witness, false_alarm=LEVEL, seed=seed
        )
    sentence = f"{words}: measured over stated variance {ratio:.4f}; outside {low:.3f} to {high:.3f} is refuted"
    return consistent(sentence, numbers, false_alarm=LEVEL, seed=seed)


def check_tail(hits: int, runs: int, bound: float, words: str, seed: int, **numbers: Any) -> Finding:
    """Check that a probability is at most `bound`: REFUTED if its 1e-9 confidence interval from hits / runs lies above."""
    low, high = clopper_pearson(hits, runs)
    numbers = {"hits": hits, "runs": runs, "low": low, "high": high, "bound": bound, **numbers}
    if low > bound:
        return refuted(f"{words}: {hits} of {runs} runs, above {bound:.4g}", numbers, numbers, false_alarm=LEVEL, seed=seed)
    return consistent(f"{words}: {hits} of {runs} runs, the bound is {bound:.4g}", numbers, false_alarm=LEVEL, seed=seed)


def check_at_least(hits: int, runs: int, bound: float, words: str, seed: int, **numbers: Any) -> Finding:
    """Check that a probability is at least `bound`: REFUTED if its interval lies below it, INCONCLUSIVE if only hits / runs does."""
    low, high = clopper_pearson(hits, runs)
    numbers = {"hits": hits, "runs": runs, "low": low, "high": high, "bound": bound, **numbers}
    if high < bound:
        return refuted(f"{words}: {hits} of {runs} runs, below {bound:.4g}", numbers, numbers, false_alarm=LEVEL, seed=seed)
    sentence = f"{words}: {hits} of {runs} runs (between {low:.3g} and {high:.3g}); at least {bound:.4g} is claimed"
    if hits < bound * runs:
        return inconclusive(sentence + "; more runs would settle it", numbers, false_alarm=LEVEL, seed=seed)
    return consistent(sentence, numbers, false_alarm=LEVEL, seed=seed)
