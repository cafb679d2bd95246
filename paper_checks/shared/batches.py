"""Enumerate batches of fixed size: exact delta of one and two steps on a few records, compared with an accountant.

Setting    n records on a line, values in [-1, 1]. A step draws `batch` of them without replacement, every such set alike and in secret,
           and releases their mean plus N(0, sigma^2). One record is replaced, the others are known: -1, 0 or 1, so that they add up or
           cancel. In a second step all have the values of the first ("fixed"), or those that do most after what the first released
           ("answering"), as gradients may.
Exact      the output of a step is distributed as a mixture of normals, one for each batch. The line is cut into cells, and each step on
           each data set is enclosed between two pairs of distributions with finitely many outcomes. Below: only the cell is released,
           which is a function of the release. Above: the masses of a cell stand at the two ends of the range of its likelihood ratio,
           which no pair with these masses exceeds, since P max(1 - a r, 0) is convex in the ratio r; the logarithm of the ratio has a
           slope of at most (largest mean - least mean) / sigma^2. Outputs beyond 10 sigma are counted as certain to reveal the data set.
           The two ends differ by the square of the cell's length. Two steps: every outcome of the first with the curve of the second,
           sum of P H(e^epsilon Q/P). Floats err by some 1e-13.
Source     Zhu, Dong, Wang (2022), arXiv:2106.08567 (dominating pairs); Doroshenko et al. (2022), arXiv:2207.04380 (connecting the dots).
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from bounds.privacy.subsampled import delta_subsampled, sigma_subsampled
from paper_checks.record import Record
from paper_checks.verdict import Finding
from synthetic.draws import FloatArray

VALUES = (-1, 0, 1)
Records = tuple[int, ...]
Setting = tuple[int, float, float]  # batch, sigma, epsilon


@dataclass(frozen=True, eq=False)
class Pair:
    """Two distributions with finitely many outcomes: their probabilities p and q, (k,), sorted by q/p."""

    p: FloatArray
    q: FloatArray

    def curve(self, a: FloatArray) -> FloatArray:
        """Return the privacy curve sum max(p - a q, 0) at every a > 0, (m,) for a of shape (m,)."""
        with np.errstate(divide="ignore"):
            taken = np.searchsorted(self.q / self.p, 1 / a)
        sums = [np.concatenate([[0.0], np.cumsum(law)]) for law in (self.p, self.q)]
        return np.maximum(sums[0][taken] - a * sums[1][taken], 0.0)


Ends = tuple[Pair, Pair]


def make_pair(p: FloatArray, q: FloatArray) -> Pair:
    """Return two distributions (k,) as a Pair sorted by q/p, without the outcomes of probability 0 under `p`, which add nothing."""
    p, q = p[p > 0], q[p > 0]
    order = np.argsort(q / p)
    return Pair(p[order], q[order])


def batch_means(records: Records, batch: int) -> tuple[FloatArray, FloatArray]:
    """Return the distinct means of all batches of `batch` records, (k,), and their probabilities without replacement, (k,)."""
    counted = Counter(sum(drawn) for drawn in combinations(records, batch))
    total = math.comb(len(records), batch)
    return np.array(list(counted)) / batch, np.array([count / total for count in counted.values()])


def cell_masses(records: Records, batch: int, sigma: float, edges: FloatArray) -> FloatArray:
    """Return the probabilities of one noisy batch mean in the cells between m edges and in both outer intervals, (m + 1,)."""
    found = np.zeros(edges.size + 1)
    for mean, weight in zip(*batch_means(records, batch), strict=True):
        z = np.concatenate([[-math.inf], (edges - mean) / sigma, [math.inf]])
        found += weight * np.where(z[:-1] > 0, ndtr(-z[:-1]) - ndtr(-z[1:]), ndtr(z[1:]) - ndtr(z[:-1]))
    return found


def release_density(records: Records, batch: int, sigma: float, x: FloatArray) -> FloatArray:
    """Return the density of a noisy batch mean at each x, (m,), up to the factor 1 / (sigma sqrt(2 pi))."""
    found = np.zeros(x.size)
    for mean, weight in zip(*batch_means(records, batch), strict=True):
        found += weight * np.exp(-(((x - mean) / sigma) ** 2) / 2)
    return found


def enclosing_pairs(one: Records, two: Records, batch: int, sigma: float, cells: int) -> Ends:
    """Return (lower, upper) Pairs whose curves bound the privacy curve of one step on two data sets, with `cells` cells of the line."""
    edges = np.linspace(-1 - 10 * sigma, 1 + 10 * sigma, cells + 1)
    p, q = (cell_masses(records, batch, sigma, edges) for records in (one, two))
    ends = [mean for records in (one, two) for mean in batch_means(records, batch)[0]]
    middle, half = (edges[1:] + edges[:-1]) / 2, (edges[1] - edges[0]) / 2
    ratio = release_density(two, batch, sigma, middle) / release_density(one, batch, sigma, middle)
    reach = math.exp((max(ends) - min(ends)) / sigma**2 * half)
    low, high = ratio / reach, ratio * reach
    at_high = np.clip((q[1:-1] - low * p[1:-1]) / np.maximum(high - low, 1e-300), 0.0, p[1:-1])
    at_low = p[1:-1] - at_high
    above = make_pair(np.concatenate([at_low, at_high, [p[0] + p[-1]]]), np.concatenate([low * at_low, high * at_high, [0.0]]))
    return make_pair(p, q), above


def neighbouring_records(n: int) -> list[tuple[Records, Records]]:
    """Return every ordered pair of neighbouring data sets of n records with values -1, 0, 1, up to the order of the records."""
    others = combinations_with_replacement(VALUES, n - 1)
    return [((*known, one), (*known, two)) for known in others for one, two in permutations(VALUES, 2)]


def one_step_delta_bounds(ends: Ends, epsilon: float) -> tuple[float, float]:
    """Return (lower, upper) bounds of the delta of one step at `epsilon`, from the two Pairs that enclose its privacy curve."""
    low, high = (float(pair.curve(np.array([math.exp(epsilon)]))[0]) for pair in ends)
    return low, high


def two_step_delta_bounds(first: Ends, seconds: Sequence[Ends], epsilon: float) -> tuple[float, float]:
    """Return (lower, upper) bounds of delta of two steps, the second on the worst of the pairs `seconds` given the first output."""
    found = []
    for end, pair in enumerate(first):
        a = np.maximum(math.exp(epsilon) * pair.q / pair.p, 1e-300)
        found.append(float(pair.p @ np.max([second[end].curve(a) for second in seconds], axis=0)))
    return found[0], found[1]


def worst_delta_bounds(data: Sequence[tuple[Records, Records]], setting: Setting, steps: str, cells: int) -> tuple[float, float, Any]:
    """Return (lower, upper, pair): bounds of the largest delta over the neighbours in `data`, and the pair of the largest lower bound.

    steps   "one"; "fixed" for two on the same values; "answering" for two of which the second may be on any of the data sets
    """
    batch, sigma, epsilon = setting
    ends = [enclosing_pairs(one, two, batch, sigma, cells) for one, two in data]
    if steps == "one":
        found = [one_step_delta_bounds(each, epsilon) for each in ends]
    else:
        found = [two_step_delta_bounds(each, ends if steps == "answering" else [each], epsilon) for each in ends]
    where = max(range(len(data)), key=lambda k: found[k][0])
    return found[where][0], max(high for _, high in found), data[where]


def needed_sigma(at: tuple[Records, Records], setting: Setting, steps: str, cells: int, delta: float) -> float:
    """Return the sigma at which the upper bound of a pair's delta equals `delta`, sought from 0.5 to 1.01 times the setting's."""
    batch, sigma, epsilon = setting

    def over(deviation: float) -> float:
        """Return log(upper bound of the delta spent / delta) for noise of this deviation."""
        return math.log(worst_delta_bounds([at], (batch, deviation, epsilon), steps, cells)[1] / delta)

    return float(brentq(over, sigma / 2, sigma * 1.01, xtol=1e-5 * sigma))


def check_accountant(*, n: int, settings: Sequence[Setting], steps: int, cells: int, least: float) -> Finding:
    """Check that no n records spend more exact delta without replacement than `bounds.privacy.subsampled` states; return a Finding.

    INCONCLUSIVE where in some setting the exact delta is below `least` times the accountant's, where its two bounds are too far apart,
    or where the Poisson accountant is below the exact delta in no setting. settings: batch, sigma of the noise on the mean, epsilon.
    """
    data, near, ratios, apart, below = neighbouring_records(n), [], [], 0.0, 0
    record = Record()
    for batch, sigma, epsilon in settings:
        given: Any = {"epsilon": epsilon, "sigma": sigma, "T": steps, "q": batch / n, "sensitivity": 2 / batch, "neighbours": "replace_one"}
        ours, poisson = (delta_subsampled(**given, sampling=how) for how in ("without_replacement", "poisson"))
        row = {"accountant": ours, "Poisson's": poisson}
        record.note({f"batch {batch}, sigma {sigma:g}, epsilon {epsilon:g}": row})
        for kind in ("one",) if steps == 1 else ("fixed", "answering"):
            low, high, at = worst_delta_bounds(data, (batch, sigma, epsilon), kind, cells)
            if low > ours:
                sentence = f"batches of {batch} of {n}: {kind} spends delta = {low:.6g}, the accountant says {ours:.6g}"
                return record.refute(sentence, {"records": at[0], "neighbour": at[1], **given, "delta": low, "accountant": ours})
            row[f"exact, {kind}"] = low
            apart = max(apart, high / low - 1)
            if kind == "fixed":
                ratios.append(needed_sigma(at, (batch, sigma, epsilon), kind, cells, ours) / sigma)
                row["sigma that is needed / sigma"] = ratios[-1]
        near.append(low / ours)
        below += poisson < low
    record.note({"exact / accountant": near, "ends apart, relatively": apart, "settings where Poisson's is below the truth": below})
    if min(near) < least or apart > 1e-3 or not below:
        words = f"the exact delta is {min(near):.4g} of the accountant's at least, the ends are {apart:.1g} apart"
        record.leave_open(f"{words}, Poisson's is below the truth in {below} settings: a sharper bound or finer cells would settle it")
    words = f"no data set spends more, the worst {min(near):.5f} to {max(near):.5f} of it"
    if ratios:
        words += f" when records answer; fixed records need {min(ratios):.4f} to {max(ratios):.4f} of the noise"
    return record.conclude(f"{words}; Poisson's accountant is below the truth in {below} of {len(settings)} settings")


def known_data_ratio(*, n: int, batch: int, T: int, epsilon: float, delta: float) -> float:
    """Return the accountant's sigma divided by the sigma that T steps need if all other records are known and equal.

    The ratio is right up to some 1e-4. There each step is the worst pair itself, M against P_0 as in `bounds.privacy.subsampled`,
    or the reverse, the same in every step; these are the two pairs of a Poisson batch from which a record is removed that moves the release
    by as much.
    """
    given: Any = {"epsilon": epsilon, "delta": delta, "T": T, "q": batch / n, "sensitivity": 2 / batch}
    known = sigma_subsampled(**given, neighbours="add_or_remove_one", sampling="poisson")
    return sigma_subsampled(**given, neighbours="replace_one", sampling="without_replacement") / known
