"""An attack on the privacy of a release: what scores of runs in two neighbouring worlds certify about epsilon, from below.

What an event certifies holds with the stated confidence whatever the code does, if its runs are independent. What mu certifies also needs
draws of noise that are standard normal, which their record says, and a mu that does not depend on what is public, looked at in every run.

Any noise   (epsilon, delta)-DP means P(A) <= e^epsilon Q(A) + delta for every event. The first half of the runs chooses A, scores beyond
            some number, and which world is P; the second half bounds P(A) from below and Q(A) from above (Clopper, Pearson).
Normal      where scores are normal with one variance in both worlds, which `synthetic.audits.sums` sees to, they are those of mu-GDP, mu
            the distance of the means over the deviation, and its epsilon at delta is exact. mu is bounded from below by intervals for the
            difference of the means (normal, with the largest deviation) and for the deviation (chi-square).
What is certified is the larger of the two; each may err with half the level, also in its parts.
Batches     that nobody sees make scores mixtures, for which no mean speaks: an event alone certifies. Without replacement all other records
            are like the replaced one in the second world: then one step spends all that `bounds.privacy.subsampled` has for it. Under
            Poisson sampling they are 0, and both worlds are a coin away from 0. T steps without replacement need not spend what T times
            the worst step does, so less than the declared epsilon can be certified there.
Source      Jagielski, Ullman, Oprea (2020), arXiv:2006.07709 (events); Nasr et al. (2023), arXiv:2302.07956 (mu); Dong, Roth, Su (2022).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy import stats

from bounds.pages.contents import found_at
from bounds.privacy.accounting import of_means
from bounds.privacy.gaussian import epsilon_gaussian
from bounds.privacy.release import Sampling
from paper_checks.shared.findings import share
from paper_checks.verdict import Finding, consistent, inconclusive, refuted
from synthetic.audits.secret_batches import sampled
from synthetic.audits.sums import ALIKE, Seen, apart, worlds
from synthetic.draws import FloatArray
from synthetic.methods.record import Kernel
from synthetic.objectives.space import Space

LEVEL = 1e-9
LONG = 1e9  # lengths of C: a gradient this long is clipped along all but one direction in a billion
EQUAL = 64 * float(np.finfo(float).eps)  # of the largest score: means of equal numbers differ by less, and their deviations need not be 0
BELOW = 1 - 1e-9  # `epsilon_gaussian` rounds up, by less than this


@dataclass(frozen=True)
class Audit:
    """What an attack certified.

    epsilon, delta     what is declared
    certified          the release is not (e, delta)-DP for any e below it, with confidence 1 - level
    any_noise, normal  the two ends whose larger one that is;   mu   the lower end of mu behind the second, 0 where scores are not normal
    runs               in each world
    """

    epsilon: float
    delta: float
    certified: float
    any_noise: float
    normal: float
    mu: float
    runs: int
    level: float

    @property
    def convicted(self) -> bool:
        """Whether what is declared is false."""
        return self.certified > self.epsilon

    @property
    def share(self) -> float:
        """How much of the declared epsilon is certified."""
        return self.certified / self.epsilon


def audited(seen: Seen, *, epsilon: float, delta: float, level: float = LEVEL) -> Audit:
    """Return what the scores certify against a declared (epsilon, delta); delta may be 0."""
    any_noise = by_an_event(seen.one, seen.two, delta, level / 2)
    mu = (1 - ALIKE) * least_mu(seen.one, seen.two, level / 2) if seen.normal else 0.0
    normal = BELOW * epsilon_of(mu, delta)
    return Audit(epsilon, delta, max(any_noise, normal), any_noise, normal, mu, min(len(seen.one), len(seen.two)), level)


def epsilon_of(mu: float, delta: float) -> float:
    """Return the epsilon of mu-GDP at delta: infinite at delta = 0 or where mu is, 0 where mu is."""
    if mu == 0:
        return 0.0
    return epsilon_gaussian(delta=delta, sigma=1 / mu, T=1, sensitivity=1.0) if delta > 0 and mu < math.inf else math.inf


def least_mu(one: FloatArray, two: FloatArray, level: float) -> float:
    """Return a lower end of (mean of one - mean of two) / deviation for normal samples of one variance; 0 where there is none above 0."""
    freedom = len(one) + len(two) - 2
    squares = float(np.sum((one - one.mean()) ** 2) + np.sum((two - two.mean()) ** 2))
    largest = math.sqrt(squares / float(stats.chi2.ppf(level / 2, freedom)))
    away, rounding = float(one.mean() - two.mean()), EQUAL * float(np.abs([*one, *two]).max())
    if away <= rounding:
        return 0.0
    if max(np.ptp(one), np.ptp(two)) <= rounding:
        return math.inf
    error = float(stats.norm.isf(level / 2)) * math.sqrt(1 / len(one) + 1 / len(two))
    return max(0.0, away / largest - error)


def by_an_event(one: FloatArray, two: FloatArray, delta: float, level: float) -> float:
    """Return a lower end of epsilon from one event: chosen by the first half of the runs, tested on the second."""
    first, second = ([half[k] for half in map(np.array_split, (one, two), (2, 2))] for k in (0, 1))
    best, chosen = 0.0, (1.0, math.inf, 1)
    for sign, order in product((1.0, -1.0), (1, -1)):
        pair = [np.sort(sign * half) for half in first[::order]]
        for end in np.unique(np.quantile(np.concatenate(pair), np.linspace(0.001, 0.999, 100))):
            found = _end([len(half) - int(np.searchsorted(half, end)) for half in pair], tuple(map(len, pair)), delta, level)
            if found > best:
                best, chosen = found, (sign, float(end), order)
    sign, end, order = chosen
    return _end([int(np.sum(sign * half >= end)) for half in second[::order]], tuple(map(len, second[::order])), delta, level)


def _end(hits: Sequence[int], sizes: Sequence[int], delta: float, level: float) -> float:
    """Return the lower end of epsilon from how often an event was seen in two worlds; each interval errs with half the level."""
    low, high = share(hits[0], sizes[0], level)[0], share(hits[1], sizes[1], level)[1]
    return max(0.0, math.log((low - delta) / high)) if low > delta else 0.0


def least_noise(
    epsilon: float,
    delta: float,
    T: int,
    n: int,
    C: float,
    P: int = 1,
    batch_size: int | None = None,
    sampling: Sampling = "without_replacement",
) -> float:
    """Return the noise of the accountant, replace-one, for T steps over all n records or over secret batches."""
    how = "full" if batch_size is None else sampling
    return of_means(n, batch_size, C, T, how, P=P).for_privacy(epsilon, delta).sigma


def attack(
    method: Kernel, *, epsilon: float, delta: float, T: int, n: int, C: float = 1.0, sigma: float | None = None, runs: int, seed: int,
    level: float = LEVEL, space: Space | None = None, **settings: Any,
) -> Audit:  # fmt: skip
    """Attack T steps of a method on sums over all n records, with the noise of the exact accountant unless sigma is given.

    The worlds differ in one record, whose gradients are long and opposite.
    """
    noise = least_noise(epsilon, delta, T, n, C, settings.get("P", 1)) if sigma is None else sigma
    seen = opposite(method, T=T, n=n, C=C, sigma=noise, runs=runs, seed=seed, space=space, **settings)
    return audited(seen, epsilon=epsilon, delta=delta, level=level)


def opposite(
    method: Kernel, *, T: int, n: int, C: float, sigma: float, runs: int, seed: int, space: Space | None = None, **settings: Any
) -> Seen:
    """Return what is seen of a method in worlds in which the gradients of one record are long and opposite, and all others 0."""
    space = space or Space(((2,),))
    one, two = apart(space.d, n, LONG * C)
    return worlds(method, one, two, T=T, runs=runs, seed=seed, space=space, **filled(method, C, sigma, settings))


def filled(method: Kernel, C: float, sigma: float, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of an attacked method, with a step of 1 and, for function values, a distance of C where none is set."""
    lam = {"lam": C} if "lam" in method.takes or method.stages else {}
    return {"alpha": 1.0, "C": C, "sigma": sigma, **lam, **settings}


def examined(method: str, *, epsilon: float, delta: float, T: int, n: int, runs: int, reach: float, seed: int, **more: Any) -> Finding:
    """Attack a method, named by the address of its kernel, and judge what is certified."""
    audit = attack(found_at(method), epsilon=epsilon, delta=delta, T=T, n=n, runs=runs, seed=seed, **more)
    return attacked(audit, reach, {"T": T, "n": n}, seed)


def attacked(audit: Audit, reach: float, at: Mapping[str, Any], seed: int) -> Finding:
    """Judge an attack: REFUTED where it certifies more than is declared, INCONCLUSIVE below `reach` of it.

    at   the values at which it was made
    """
    numbers = {**at, "declared epsilon": audit.epsilon, "delta": audit.delta, "certified epsilon": audit.certified, "runs": audit.runs}
    numbers |= {"by an event": audit.any_noise, "by mu": audit.normal, "share": audit.share}
    said = f"{audit.runs} runs in each world certify epsilon = {audit.certified:.4g}"
    if audit.convicted:
        return refuted(f"{said}, above the declared {audit.epsilon:g}", numbers, numbers, false_alarm=audit.level, seed=seed)
    if audit.share < reach:
        words = f"{said}, less than {reach:g} of the declared {audit.epsilon:g}: more runs would settle it"
        return inconclusive(words, numbers, false_alarm=audit.level, seed=seed)
    return consistent(f"{said}, {audit.share:.3f} of the declared {audit.epsilon:g}", numbers, false_alarm=audit.level, seed=seed)


def attack_batches(
    method: Kernel, *, epsilon: float, delta: float, T: int, n: int, batch_size: int, sampling: Sampling = "without_replacement",
    C: float = 1.0, sigma: float | None = None, runs: int, seed: int, level: float = LEVEL, space: Space | None = None, **settings: Any,
) -> Audit:  # fmt: skip
    """Attack T steps of a method on sums over secret batches, with the noise of the accountant, replace-one, unless sigma is given."""
    noise = least_noise(epsilon, delta, T, n, C, settings.get("P", 1), batch_size, sampling) if sigma is None else sigma
    space = space or Space(((2,),))
    one, two = apart(space.d, n, LONG * C)
    if sampling == "without_replacement":
        one[1:] = two[1:] = two[0]
    settings = filled(method, C, noise, {"sampling": sampling, **settings})
    seen = sampled(method, one, two, T=T, runs=runs, batch_size=batch_size, seed=seed, space=space, **settings)
    return audited(seen, epsilon=epsilon, delta=delta, level=level)


def attack_either(method: Kernel, *, level: float = LEVEL, **asked: Any) -> Audit:
    """Attack a method on secret batches where a batch_size is given, which sigma is on the mean over, else on full ones."""
    how = attack if asked.get("batch_size") is None else attack_batches
    return how(method, level=level, **asked)


def examined_batches(
    method: str, *, epsilon: float, delta: float, T: int, n: int, batch_size: int, runs: int, reach: float, seed: int, **more: Any
) -> Finding:
    """Attack a method on secret batches, named by the address of its kernel, and judge what is certified."""
    audit = attack_batches(found_at(method), epsilon=epsilon, delta=delta, T=T, n=n, batch_size=batch_size, runs=runs, seed=seed, **more)
    return attacked(audit, reach, {"T": T, "n": n, "batch size": batch_size}, seed)
