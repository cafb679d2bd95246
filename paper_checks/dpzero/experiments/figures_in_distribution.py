"""Checks of what the paper says about dimension, in distribution: its 880 settings on its quadratics without data, d from 20 to 10^12.

On data a winner is the best of 880 noisy runs, and twenty data sets leave its error uncertain by a fifth. In distribution the least
expected error of all settings is bracketed: by t-intervals of all settings that come near it, at once. The intervals assume normal means,
so their levels are nominal. The results hold for quadratics and many samples: the effect of clipping with n samples is computed to first
order in 1/n, which runs on data confirm within a per cent or two. Losses are those above F_S^*, which no method changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import inf, log, sqrt
from typing import Any

import numpy as np
from scipy import stats

from paper_checks.compare import LEVEL
from paper_checks.dpzero.experiments.figure_runs import PAPER
from paper_checks.dpzero.experiments.figures import MATCHED, SATURATED, Bracket, check_bracket_pairs, logarithm_exponent, note_exponent
from paper_checks.record import Record
from paper_checks.shared.findings import check_interval
from paper_checks.verdict import Finding, Outcome
from synthetic.distribution.quadratic import MEASURES, Conditions, final_measures, measures_at_steps
from synthetic.distribution.samples import Sample
from synthetic.draws import FloatArray
from synthetic.grids.settings import Settings
from synthetic.groups import group_eigenvalues
from synthetic.objectives.sums import SPECTRA, Spectrum

FAR, FEW = 2.0, 16  # settings whose mean over FEW runs is FAR times the least are dropped: the means have errors of 9 % at most
CAP = 3.0  # low ends use errors cut off at this many times the least mean, which does not raise the mean
ROUGH, CLOSE = 0.1, 0.01  # tolerance of DP-GD's weights while settings are dropped, and later: their error is at most half of it
EACH = LEVEL / 40  # false alarm of one bracket; a claim has at most 12
SETTLES = "more replicates"


@dataclass(frozen=True)
class LeastError:
    """The least expected error of all settings: its interval [low, high], its estimate, and the alpha, T, C that seem to attain it."""

    low: float
    value: float
    high: float
    alpha: float
    T: int
    C: float

    @property
    def bracket(self) -> Bracket:
        """The estimate of the least error and the two ends of its interval, a Bracket (value, low, high)."""
        return self.value, self.low, self.high


@lru_cache(maxsize=64)
def least_errors(
    *, method: str, spectrum: str, d: int, n: int, longest: int, replicates: tuple[int, ...], seed: int
) -> tuple[LeastError, ...]:
    """Return a LeastError for each of the 4 MEASURES: the least expected value among the settings of Table 6 with T up to `longest`.

    replicates   numbers of runs, one a stage: each stage keeps the settings whose intervals meet that of the least
    """
    horizons = np.array([T for T in PAPER.horizons if longest >= T])
    kept = Settings.product(np.array(PAPER.alphas), horizons, np.array(PAPER.clips), PAPER.sigma()[: len(horizons)] * PAPER.n / n)
    conditions = Conditions(group_eigenvalues(spectrum, d), n, seed=seed, replicates=FEW, tolerance=ROUGH)
    mean = setting_errors(method, kept, conditions).mean(axis=1)
    near = np.any(mean <= FAR * mean.min(axis=1, keepdims=True), axis=0)
    for stage, count in enumerate(replicates):
        kept = kept.take(np.flatnonzero(near))
        conditions = replace(conditions, seed=seed + 1 + stage, replicates=count, tolerance=CLOSE)
        low, mean, high = mean_intervals(setting_errors(method, kept, conditions), EACH / (2 * len(MEASURES) * len(kept) * len(replicates)))
        near = np.any(low <= high.min(axis=1, keepdims=True), axis=0)
    best = np.argmin(mean, axis=1)
    places = zip(low.min(axis=1), mean.min(axis=1), high.min(axis=1), kept.alpha[best], kept.T[best], kept.C[best], strict=True)
    return tuple(LeastError(*(one.item() for one in place)) for place in places)


def setting_errors(method: str, settings: Settings, conditions: Conditions) -> FloatArray:
    """Return the measures at x_T, (4, replicates, settings), the two losses less F_S^*; inf for a run that diverges."""
    found, c = final_measures((method,), settings, conditions, threads=1)[method], conditions
    above = np.array([Sample.draw_replicate(c.groups, c.n, c.distance, c.seed, k).least for k in range(c.replicates)])
    found[2:] -= above.T[:, :, None]
    return np.nan_to_num(found, nan=inf, posinf=inf)


def mean_intervals(values: FloatArray, level: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return (low, mean, high), each (4, settings), of t-intervals of values (4, replicates, settings); low uses values cut at CAP.

    CAP counts in units of a measure's least mean. `level` is the error probability of one interval; low is at least 0.
    """
    count = values.shape[1]
    times = float(stats.t.isf(level / 2, count - 1)) / sqrt(count)
    mean = values.mean(axis=1)
    cut = np.minimum(values, CAP * mean.min(axis=1)[:, None, None])
    with np.errstate(invalid="ignore"):
        high = np.nan_to_num(mean + times * values.std(axis=1, ddof=1), nan=inf)
    return np.maximum(cut.mean(axis=1) - times * cut.std(axis=1, ddof=1), 0.0), mean, high


def check_dimension_exponent(*, method: str, judged: tuple[str, ...], dimensions: tuple[int, int], seed: int, **how: Any) -> Finding:
    """Check that a method's least errors on eigenvalues 1/i grow in d no faster than log(d), in distribution; return a Finding."""
    span, threshold = log(dimensions[1] / dimensions[0]), logarithm_exponent(*dimensions)
    record = Record({"d": list(dimensions), "threshold": threshold}, seed=seed, false_alarm=LEVEL)
    found, least = [], {}
    for measure in judged:
        one, two = (least_error(method, "inverse", d, measure, seed=seed, **how) for d in dimensions)
        least[measure] = [one.value, two.value]
        said, low, high = note_exponent(record, measure, one.bracket, two.bracket, span, T=[one.T, two.T], least=least[measure])
        found.append((f"{said}, a factor {two.value / one.value:.2f}", low, high))
    words, lows, highs = zip(*found, strict=True)
    sentence = f"exponent of the least error in law from d = {dimensions[0]:,} to {dimensions[1]:,}, at 1 - {LEVEL:g}, means "
    times = log(dimensions[1]) / log(dimensions[0])
    sentence += f"taken as normal: {', '.join(words)}; that of log(d) is {threshold:.3f}, a factor {times:.2f}"
    outside = record.refute(sentence, {"d": list(dimensions), **least})
    return check_interval((max(lows), max(highs)), (-inf, threshold), outside, settles=SETTLES)


def least_error(method: str, spectrum: str, d: int, measure: str, **how: Any) -> LeastError:
    """Return the LeastError of one measure for a method, a spectrum and d; `how` are the other arguments of `least_errors`."""
    return least_errors(method=method, spectrum=spectrum, d=d, **how)[MEASURES.index(measure)]


def check_errors_match(*, measure: str, dimensions: tuple[int, ...], seed: int, **how: Any) -> Finding:
    """Check that DPZero's least error is at most MATCHED = 1.5 times DP-GD's on eigenvalues 1/i, in distribution; return a Finding."""
    brackets = {}
    for d in dimensions:
        one, two = (least_error(method, "inverse", d, measure, seed=seed, **how) for method in ("dpzero", "dp_gd"))
        brackets[f"d = {d:,}"] = one.low / two.high, one.value / two.value, one.high / two.low if two.low else inf
    sentence = "DPZero / DP-GD, least errors in law, is "
    sentence += ", ".join(f"{ratio:.2f} at {d} ({low:.2f} to {high:.2f})" for d, (low, ratio, high) in brackets.items())
    where, worst = max(brackets.items(), key=lambda entry: entry[1][0])
    largest = worst[0], max(high for *_, high in brackets.values())
    outside = Record(brackets, seed=seed, false_alarm=LEVEL).refute(sentence, {"at": where, "ratio at least": worst[0]})
    return check_interval(largest, (0.0, MATCHED), outside, settles=SETTLES)


def check_best_method(*, measures: tuple[str, ...], dimensions: tuple[int, ...], seed: int, **how: Any) -> Finding:
    """Check that DP-GD's least error is below DPZero's for each measure, spectrum and d, in distribution; return a Finding."""

    def brackets() -> Iterator[tuple[str, Bracket, Bracket]]:
        """Yield the pairs to compare, each with its words."""
        for measure, spectrum, d in product(measures, SPECTRA, dimensions):
            one, two = (least_error(method, spectrum, d, measure, seed=seed, **how) for method in ("dpzero", "dp_gd"))
            yield f"{measure}, {spectrum}, d = {d}: DPZero above DP-GD", one.bracket, two.bracket

    return check_bracket_pairs(brackets(), Record(seed=seed, false_alarm=LEVEL), "in law ", SETTLES)


def check_saturation(*, measure: str, dimension: int, spectra: tuple[Spectrum, ...], seed: int, n: int, **how: Any) -> Finding:
    """Check that DPGD-0th's least error is 0.9 to 1/0.9 times its value at x_0 on each spectrum, in distribution; return a Finding."""
    brackets = {}
    for spectrum in spectra:
        one = least_error("dpgd_0th", spectrum, dimension, measure, seed=seed, n=n, **how)
        nothing = Settings(np.ones(1), np.ones(1, np.int64), np.ones(1), np.zeros(1))
        conditions = Conditions(group_eigenvalues(spectrum, dimension), n, seed=seed)
        at_start = measures_at_steps(("dpgd_0th",), nothing, conditions, np.zeros(1, np.int64), threads=1)["dpgd_0th"]
        start = at_start[MEASURES.index(measure)].mean()
        brackets[spectrum] = one.low / start, one.value / start, one.high / start
    sentence = f"at d = {dimension:,} the least error of DPGD-0th in law is, of the value at x_0, "
    sentence += ", ".join(f"{share:.3f} ({low:.3f} to {high:.3f}) on {name}" for name, (low, share, high) in brackets.items())
    outside = Record(brackets, seed=seed, false_alarm=LEVEL).refute(sentence, {"d": dimension, "shares": brackets})
    judged = [check_interval((low, high), (SATURATED, 1 / SATURATED), outside, settles=SETTLES) for low, _, high in brackets.values()]
    return next((one for outcome in (Outcome.REFUTED, Outcome.INCONCLUSIVE) for one in judged if one.outcome is outcome), judged[0])
