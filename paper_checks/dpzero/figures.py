"""The words of Section 5 and Appendix B.1 about Figures 1 to 3, on reduced experiments: fewer dimensions or horizons, more fresh runs.

The best of a grid is biased, so only fresh runs of the winners count: one dataset each, t-intervals over datasets (normal means are
assumed). A winner at the largest T says that a reduced grid is too short for it; where words depend on that, nothing is concluded.
"In all figures" (Appendix B.1) says the same of every measure. The losses of Figure 3 contain F_S^*, about Tr(A)/2, which no method
can lower: orders hold for them more easily than for gradients. It grows like log(d) on eigenvalues 1/i, which the paper calls "nearly
dimension-independent" (Remark 4.1); so that is what these words are held to. Winners come from one search: what is said of them is not
said of another search's.
"""

import math
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from scipy import stats

from bounds.dpzero import THEOREMS
from paper_checks.compare import LEVEL
from paper_checks.dpzero.figure_runs import METHODS, PAPER, Conducted, Experiment, Point, conduct
from paper_checks.examine.judge import within
from paper_checks.verdict import Finding, Kind, OpenClaim, Outcome, Size, claim, consistent, inconclusive, refuted
from synthetic.grid_settings import Measures
from synthetic.objectives import SPECTRA, spectrum_values
from synthetic.store import Store

FIGURES = {"figure1": ("grad_norm_test",), "figure2": ("grad_norm_train",), "figure3": ("loss_train", "loss_test")}
GRADIENTS = FIGURES["figure1"] + FIGURES["figure2"]
SATURATED = 0.9  # of the value at x_0 or more, and no more than its inverse
MATCHED = 1.5  # times the other's error or less
ALIKE = 1e-6  # of the mean, or less between all: the rounding of single precision; data sets of their own differ by 1e-4 or more
EXPONENT_LEVEL = 2e-8  # of a claim about an exponent: five of them are a tenth of what a whole run may spend


@lru_cache(maxsize=8)
def conducted(*, datasets: int, methods: tuple[str, ...] = METHODS, measures: tuple[str, ...] = Measures.NAMES, **grid: Any) -> Conducted:
    """Run a reduced experiment in this process: one search, and fresh runs of the winners by each measure.

    `grid` are fields of an experiment: dimensions, horizons, seed and, where they are not the paper's, spectra and n.
    """
    reduced = Experiment(fresh_datasets=datasets, fresh_replicates=1, **grid)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "cells.sqlite") as store, ThreadPoolExecutor(1) as pool:
        return conduct(reduced, store, pool, methods=methods, measures=measures)


def ends(p: Point, datasets: int, level: float) -> tuple[float, float]:
    """Return the interval of the fresh mean at another level than the 95 % that it carries."""
    if p.fresh.half_width <= ALIKE * abs(p.fresh.value):
        raise ValueError(f"the fresh runs of {p.method}, {p.spectrum}, d = {p.d} agree up to rounding: they share their draws")
    wider = stats.t.isf(level / 2, datasets - 1) / stats.t.ppf(0.975, datasets - 1)
    half = p.fresh.half_width * wider
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
            return refuted(f"not so: {words}", numbers, witness, false_alarm=LEVEL, seed=seed)
    sentence = f"{apart} of {len(pairs)} comparisons are apart as claimed at a joint level of 1e-9, none the other way"
    if 2 * apart < len(pairs):
        return inconclusive(sentence + "; more datasets would settle it", numbers, false_alarm=LEVEL, seed=seed)
    return consistent(sentence, numbers, false_alarm=LEVEL, seed=seed)


def order(*, which: str, measures: tuple[str, ...], dimensions: tuple[int, ...], datasets: int, seed: int, **grid: Any) -> Finding:
    """Compare the fresh means that one sentence of Appendix B.1 orders, by every measure of a figure; `grid` as in `conducted`."""
    seen = conducted(dimensions=dimensions, datasets=datasets, seed=seed, **grid)
    pairs = []
    for measure in measures:
        at = {(m, s, p.d): p for m in METHODS for s in SPECTRA for p in seen.curve(m, s, measure)}
        first, last = dimensions[0], dimensions[-1]
        problems = [(s, d) for s in SPECTRA for d in dimensions]
        others, steps = ("dpzero", "dp_gd"), list(pairwise(SPECTRA))
        by_sentence = {
            "rank": [(f"{m}, d = {d}: {a} above {b}", at[m, a, d], at[m, b, d]) for m in METHODS for d in dimensions for a, b in steps],
            "worst": [(f"{s}, d = {d}: DPGD-0th above {m}", at["dpgd_0th", s, d], at[m, s, d]) for s, d in problems for m in others],
            "flat": [(f"{m}: d = {b} above {a}", at[m, "flat", b], at[m, "flat", a]) for m in METHODS for a, b in pairwise(dimensions)],
            "strongly": [(f"DPGD-0th, {s}: d = {last} above {first}", at["dpgd_0th", s, last], at["dpgd_0th", s, first]) for s in SPECTRA],
        }
        pairs += [(f"{measure}, {words}", one, two) for words, one, two in by_sentence[which]]
    return ordered(pairs, datasets, seed)


def best(
    *, measure: str, dimension: int, horizons: tuple[int, ...], horizons_dp_gd: tuple[int, ...], datasets: int, seed: int, **grid: Any
) -> Finding:
    """Compare DPZero with DP-GD, which gets fewer horizons: a setting of it that wins here is on the whole grid as well."""
    one, two = (
        conducted(dimensions=(dimension,), horizons=some, datasets=datasets, seed=seed, methods=(method,), **grid)
        for method, some in (("dpzero", horizons), ("dp_gd", horizons_dp_gd))
    )
    pairs = [(f"{s}: DPZero above DP-GD", one.curve("dpzero", s, measure)[0], two.curve("dp_gd", s, measure)[0]) for s in SPECTRA]
    found = ordered(pairs, datasets, seed)
    if found.outcome is Outcome.REFUTED and horizons_dp_gd != horizons:
        sentence = f"{found.sentence}, with fewer T for DP-GD; the whole grid would settle it"
        return inconclusive(sentence, found.numbers, false_alarm=LEVEL, seed=seed)
    return found


def logarithm(first: int, last: int) -> float:
    """Return the exponent of log(d) between two dimensions, the "logarithmic dependence" that is "nearly" none in Remark 4.1."""
    return math.log(math.log(last) / math.log(first)) / math.log(last / first)


def nearly_independent(
    *, method: str, judged: tuple[str, ...], dimensions: tuple[int, int], datasets: tuple[int, int], n: int = PAPER.n, **grid: Any
) -> Finding:
    """Bracket the exponents in d of the judged measures on eigenvalues 1/i between two dimensions, each with its own number of datasets.

    They hold for the settings that the one search chose. The experiment's own `measures` may be more, so that claims share it.
    """
    seen = [
        conducted(dimensions=(d,), datasets=k, n=n, methods=(method,), spectra=("inverse",), **grid)
        for d, k in zip(dimensions, datasets, strict=True)
    ]
    seed, horizons = grid["seed"], grid["horizons"]
    span, threshold = math.log(dimensions[1] / dimensions[0]), logarithm(*dimensions)
    numbers: dict[str, Any] = {"d": list(dimensions), "threshold": threshold}
    lows, highs, words, level = [], [], [], EXPONENT_LEVEL / (2 * len(judged))
    for measure in judged:
        points = [one.curve(method, "inverse", measure)[0] for one in seen]
        (low, high), (low_2, high_2) = (ends(p, k, level) for p, k in zip(points, datasets, strict=True))
        lows.append(math.log(low_2 / high) / span if low_2 else -math.inf)
        highs.append(math.log(high_2 / low) / span if low else math.inf)
        means = [p.fresh.value for p in points]
        exponent = math.log(means[1] / means[0]) / span
        numbers[measure] = {"exponent": exponent, "low": lows[-1], "high": highs[-1], "T": [p.T for p in points], "means": means}
        words.append(f"{measure} {exponent:.3f} ({lows[-1]:.3f} to {highs[-1]:.3f})")
    sentence = f"exponent from d = {dimensions[0]} to {dimensions[1]}, at 1 - {EXPONENT_LEVEL:g}: {', '.join(words)}"
    sentence += f"; that of log(d) is {threshold:.3f}"
    if set(judged) & set(FIGURES["figure3"]):
        least = [least_loss(d, n) for d in dimensions]
        numbers["E F_S^*"] = least
        sentence += f", of E F_S^*, the least possible loss, {math.log(least[1] / least[0]) / span:.3f} ({least[0]:.2f} to {least[1]:.2f})"
    if max(max(numbers[measure]["T"]) for measure in judged) == horizons[-1] < PAPER.horizons[-1]:
        return inconclusive(f"{sentence}; the best T is the largest: a longer grid would settle it", numbers, seed=seed)
    witness = {"d": list(dimensions), **{measure: numbers[measure]["means"] for measure in judged}}
    outside = refuted(sentence, numbers, witness, false_alarm=EXPONENT_LEVEL, seed=seed)
    return within((max(lows), max(highs)), (-math.inf, threshold), outside)


def least_loss(d: int, n: int) -> float:
    """Return E F_S^* on eigenvalues 1/i, (1 - 1/n) Tr(A)/2: no method, on the training or the test set, has a smaller expected loss."""
    return (1 - 1 / n) * float(spectrum_values("inverse", d).sum()) / 2


def saturates(*, measure: str, dimension: int, datasets: int, seed: int, n: int = PAPER.n, **grid: Any) -> Finding:
    """Compare DPGD-0th on equal eigenvalues with the value at x_0, where a method that gets nowhere stays."""
    which = {"dimensions": (dimension,), "methods": ("dpgd_0th",), "spectra": ("flat",)}
    seen = conducted(datasets=datasets, seed=seed, n=n, **which, **grid)
    (point,), start = seen.curve("dpgd_0th", "flat", measure), seen.start["flat", dimension, measure]
    low, high = (end / start for end in ends(point, datasets, LEVEL))
    at = {"n": n, "d": dimension, "epsilon": PAPER.epsilon, "delta": PAPER.delta, "L": 1.0, "ell": 1.0, "gap": 0.0}
    theory = THEOREMS["dpzero.theorem1"].evaluate(**at)
    numbers: dict[str, Any] = {"d": dimension, "value at x_0": start, "fresh mean": point.fresh.value, "low / start": low}
    numbers |= {"high / start": high, "T* of Theorem 1": theory.schedule["T"], "its bound over L^2, at least": theory.bound}
    ratio, witness = point.fresh.value / start, {"d": dimension, "low / start": low, "high / start": high}
    sentence = f"at d = {dimension} the fresh mean is {ratio:.3f} of the value at x_0 (between {low:.3f} and {high:.3f})"
    return within((low, high), (SATURATED, 1 / SATURATED), refuted(sentence, numbers, witness, false_alarm=LEVEL, seed=seed))


def losses_match(
    *, measures: tuple[str, ...], dimensions: tuple[int, ...], datasets: int, seed: int, n: int = PAPER.n, **grid: Any
) -> Finding:
    """Bound the ratio of DPZero's losses to DP-GD's on eigenvalues 1/i, with the least possible loss in place of DP-GD's."""
    seen = conducted(dimensions=dimensions, datasets=datasets, seed=seed, n=n, **grid)
    level, points = LEVEL / (len(dimensions) * len(measures)), [(m, p) for m in measures for p in seen.curve("dpzero", "inverse", m)]
    ratios = {f"{m}, d = {p.d}": ends(p, datasets, level)[1] / least_loss(p.d, n) for m, p in points}
    worst = max(ratios.values())
    sentence = f"DPZero's losses are at most {worst:.3f} times the least possible loss, which DP-GD's are not below"
    if worst > MATCHED:
        return inconclusive(f"{sentence}; runs of DP-GD would settle it", ratios, false_alarm=LEVEL, seed=seed)
    return consistent(sentence, ratios, false_alarm=LEVEL, seed=seed)


def sizes(full: Mapping[str, Any], small: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the arguments of an experiment: at its full size with fresh draws and, where there is one, at a small size for tests."""
    full = {**full, "n": PAPER.n, "seed": FRESH_SEED}
    return {name: Size({**full, **(small or {}), "seed": 0}[name], value) for name, value in full.items()}


FRESH_SEED = 20261122  # the sizes below were chosen with seed 0; the full run has draws that chose nothing
REDUCED = {"dimensions": (20, 60, 200), "horizons": (10, 40, 160, 640), "datasets": 25}
LARGE = {"dimension": 500, "horizons": PAPER.horizons, "horizons_dp_gd": (10, 40, 160), "datasets": 18, "measures": GRADIENTS}
EQUAL = {"dimension": 2000, "horizons": PAPER.horizons, "datasets": 10, "measures": GRADIENTS}
WIDE = {"dimensions": (20, 2000), "horizons": PAPER.horizons, "datasets": (40, 20), "measures": FIGURES["figure3"]}
ONE_OVER_I = {"dimensions": (20, 200), "horizons": PAPER.horizons, "datasets": (120, 56), "measures": FIGURES["figure3"]}
# small experiments that come to the same outcome, for tests: with few samples the noise is large at every d
SMALL = {"dimensions": (2, 50), "horizons": (10,), "datasets": 12, "n": 500}
SMALL_EQUAL = {"dimension": 100, "horizons": (10, 40), "datasets": 30, "n": 300}
SHARED = "figures 1 to 3, reduced grid"


def said(figure: str, key: str, words: str, together: str = SHARED, place: str = "", stated: str = "printed") -> OpenClaim:
    """Open a claim about a figure, for the full run only, on an experiment that it shares with others."""
    opened = claim(f"dpzero.{figure}.{key}", f"{place or 'Section 5, Appendix B.1'}; Figure {figure[-1]}", Kind.TABLE).says(words)
    return opened.stated_as(stated).only_in_full().sharing(together)


SHOWN = {"figure1": "gradient norm on the test set", "figure2": "gradient norm on the training set", "figure3": "training and test loss"}
IN_ALL_FIGURES = (
    ("rank", "smaller_rank", "Every method improves with smaller effective rank", "less noise is felt, and Tr(A)/2 is smaller"),
    ("worst", "dpgd_0th_worst", "DPGD-0th is the worst in every mode", "its threshold and its noise grow with d"),
    ("flat", "all_grow_on_flat", "All methods grow with d when the rank is d", "Table 1"),
)
OF_GRADIENTS = (  # figure, what it shows, where it is said to saturate
    ("figure1", "test gradient", "Caption (arXiv); Remark F.5"),
    ("figure2", "training gradient", "Caption; Remark F.5"),
)
BEST = "DP-GD is the best in every mode"
GROWS = "DPGD-0th has a strong dimension dependence in every mode, of which we test that it grows from d = 20 to 200"
SATURATES = "DPGD-0th saturates at large d, which we read as 0.9 of the value at x_0 or more (equal eigenvalues, d = 2000)"
COSTLY = "the noise of even a few steps costs more than they gain; T* of Theorem 1 is above 1, its bound far above L^2"
MATCHES = "DPZero matches DP-GD on eigenvalues 1/i, which we read as a ratio of at most 1.5"
READ = "nearly dimension-independent on eigenvalues 1/i, which we read as growing no faster than log(d)"
FASTER = "F_S^* grows like log(d), and what DPZero leaves above it grows faster"
ON_1_OVER_I = (  # method, what, expected, why
    ("dpzero", "The losses of DPZero are", Outcome.REFUTED, FASTER),
    ("dp_gd", "The losses of DP-GD are", Outcome.CONSISTENT, "they are near F_S^*, about Tr(A)/2, which grows like log(d)"),
)
RUN_ON_1_OVER_I = {  # method: the experiment, which claims share it, and what the words add on its dimensions
    "dpzero": (WIDE, "figure 3, DPZero on 1/i", ""),
    "dp_gd": (ONE_OVER_I, "figure 3, DP-GD on 1/i", ", from d = 20 to 200"),
}
CLAIMS = (
    *(
        said(figure, key, f"{words} ({SHOWN[figure]})")
        .consistent(why)
        .examined(order, which=which, measures=FIGURES[figure], **sizes(REDUCED, SMALL if which == "flat" else None))
        for figure in FIGURES
        for which, key, words, why in IN_ALL_FIGURES
    ),
    *(
        said(figure, "dp_gd_best", f"{BEST} ({shown}, d = 500)", "figures 1 and 2, d = 500")
        .consistent("it needs fewer steps for the same accuracy")
        .examined(best, measure=FIGURES[figure][0], **sizes(LARGE))
        for figure, shown, _ in OF_GRADIENTS
    ),
    said("figure1", "dpgd_0th_grows", GROWS, place="Caption", stated="reading")
    .consistent("Table 1")
    .examined(order, which="strongly", measures=FIGURES["figure1"], **sizes(REDUCED)),
    *(
        said(figure, "dpgd_0th_saturates", SATURATES, "figures 1 and 2, saturation", place, "reading")
        .consistent(COSTLY)
        .examined(saturates, measure=FIGURES[figure][0], **sizes(EQUAL, SMALL_EQUAL))
        for figure, _, place in OF_GRADIENTS
    ),
    said("figure3", "dpzero_matches_dp_gd", f"{MATCHES}, from d = 20 to 200", stated="reading")
    .consistent("both are near F_S^*, which is most of the loss: x_0 itself has a ratio of 2")
    .examined(losses_match, measures=FIGURES["figure3"], **sizes(REDUCED)),
    *(
        said("figure3", f"{method}_nearly_independent", f"{what} {READ}{added}", shared, stated="reading")
        .expected(expected, why)
        .examined(nearly_independent, method=method, judged=FIGURES["figure3"], **sizes(experiment))
        for method, what, expected, why in ON_1_OVER_I
        for experiment, shared, added in (RUN_ON_1_OVER_I[method],)
    ),
)
