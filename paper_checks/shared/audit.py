"""Audit a mechanism by attack: the scores of runs on two neighbouring data sets give a lower bound of its epsilon.

What an event certifies holds with the stated confidence whatever the code does, if its runs are independent. What mu certifies also needs
noise that is standard normal, which the record of a method states, a mu that does not depend on public values, which every run checks, and
releases that are affine in the noise for all noise: that is checked at the noise of every run and extrapolated to rarer noise. A step that
is not affine there, such as a projection that acts once in many runs, can be convicted falsely at a small delta.

Any noise   (epsilon, delta)-DP means P(A) <= e^epsilon Q(A) + delta for every event. The first half of the runs chooses A, scores above
            a threshold, and which data set is P; the second half bounds P(A) from below and Q(A) from above (Clopper, Pearson).
Normal      where scores are normal with one variance on both data sets, which `synthetic.audits.sums` ensures, they are those of mu-GDP,
            mu the distance of the means over the deviation, and its epsilon at delta is exact. mu is bounded from below by intervals for
            the difference of the means (normal, with the largest deviation) and for the deviation (chi-square).
The larger of the two bounds is certified; each may err with half the level, also in its parts.
Batches     that are secret make scores mixtures, to which the bound by mu does not apply: only an event certifies. Without replacement,
            all other records are like the replaced one in the second data set: then one step spends all that `bounds.privacy.subsampled`
            allows for it. Under Poisson sampling they are 0, and both data sets are a coin away from 0. T steps without replacement need
            not spend what T times the worst step does, so less than the declared epsilon can be certified there.
Source      Jagielski, Ullman, Oprea (2020), arXiv:2006.07709 (events); Nasr et al. (2023), arXiv:2302.07956 (mu); Dong, Roth, Su (2022).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy import stats

from bounds.pages.contents import import_object
from bounds.privacy.accounting import of_means
from bounds.privacy.gaussian import epsilon_gaussian
from bounds.privacy.release import Sampling
from paper_checks.record import Record
from paper_checks.shared.findings import clopper_pearson
from paper_checks.verdict import Finding
from synthetic.audits.events import event_scores
from synthetic.audits.replay import ALIKE, NotAffineError
from synthetic.audits.secret_batches import secret_batch_scores
from synthetic.audits.sums import AuditScores, has_same_noise, mean_squared_distance, neighbour_scores, worst_case_rows
from synthetic.draws import FloatArray
from synthetic.methods.record import Kernel
from synthetic.objectives.space import Space

LEVEL = 1e-9
LONG_GRADIENT = 1e9  # lengths of C: a gradient this long is clipped along all but one direction in a billion
MEAN_ROUNDING = 64 * float(
    np.finfo(float).eps
)  # of the largest score: means of equal numbers differ by less, and their deviations need not be 0
CLEARLY = 1.01  # by how much one kind of losses must tell more than the other to be preferred
ROUND_DOWN = 1 - 1e-9  # `epsilon_gaussian` rounds up, by less than this


@dataclass(frozen=True)
class Audit:
    """The result of an attack: a certified lower bound of epsilon, next to the declared (epsilon, delta).

    epsilon, delta     what is declared
    certified          the release is not (e, delta)-DP for any e below it, with confidence 1 - level
    any_noise, normal  the two lower bounds, of which `certified` is the larger;   mu   the lower bound of mu behind `normal`, 0 where
                       scores are not normal
    runs               on each data set
    remark             a sentence about the attack, where it was not the optimal one; else ""
    """

    epsilon: float
    delta: float
    certified: float
    any_noise: float
    normal: float
    mu: float
    runs: int
    level: float
    remark: str = ""

    @property
    def convicted(self) -> bool:
        """Whether the attack certifies more than the declared epsilon, so that the declared (epsilon, delta) is false."""
        return self.certified > self.epsilon

    @property
    def share(self) -> float:
        """The certified epsilon divided by the declared epsilon; above 1 the declaration is false."""
        return self.certified / self.epsilon


def audit_scores(seen: AuditScores, *, epsilon: float, delta: float, level: float = LEVEL) -> Audit:
    """Return the Audit of a declared (epsilon, delta) by the scores of runs on two neighbouring data sets; delta may be 0."""
    any_noise = epsilon_lower_limit(seen.one, seen.two, delta, level / 2)
    mu = (1 - ALIKE) * mu_lower_limit(seen.one, seen.two, level / 2) if seen.normal else 0.0
    normal = ROUND_DOWN * epsilon_of_mu(mu, delta)
    return Audit(epsilon, delta, max(any_noise, normal), any_noise, normal, mu, min(len(seen.one), len(seen.two)), level, seen.remark)


def epsilon_of_mu(mu: float, delta: float) -> float:
    """Return the epsilon of mu-GDP at delta: 0 for mu = 0, else infinite for delta = 0 or infinite mu."""
    if mu == 0:
        return 0.0
    return epsilon_gaussian(delta=delta, sigma=1 / mu, T=1, sensitivity=1.0) if delta > 0 and mu < math.inf else math.inf


def mu_lower_limit(one: FloatArray, two: FloatArray, level: float) -> float:
    """Return a lower confidence limit, at least 0, of (mean of one - mean of two) / deviation; inf if no score varies.

    The samples `one` and `two`, 1-d, are normal with one variance.
    """
    freedom = len(one) + len(two) - 2
    squares = float(np.sum((one - one.mean()) ** 2) + np.sum((two - two.mean()) ** 2))
    largest = math.sqrt(squares / float(stats.chi2.ppf(level / 2, freedom)))
    away, rounding = float(one.mean() - two.mean()), MEAN_ROUNDING * float(np.abs([*one, *two]).max())
    if away <= rounding:
        return 0.0
    if max(np.ptp(one), np.ptp(two)) <= rounding:
        return math.inf
    error = float(stats.norm.isf(level / 2)) * math.sqrt(1 / len(one) + 1 / len(two))
    return max(0.0, away / largest - error)


def epsilon_lower_limit(one: FloatArray, two: FloatArray, delta: float, level: float) -> float:
    """Return a lower confidence limit of epsilon from one event, chosen on the first half of the runs and tested on the second."""
    first, second = ([half[k] for half in map(np.array_split, (one, two), (2, 2))] for k in (0, 1))
    best, chosen = 0.0, (1.0, math.inf, 1)
    for sign, order in product((1.0, -1.0), (1, -1)):
        pair = [np.sort(sign * half) for half in first[::order]]
        for end in np.unique(np.quantile(np.concatenate(pair), np.linspace(0.001, 0.999, 100))):
            found = _epsilon_limit([len(half) - int(np.searchsorted(half, end)) for half in pair], tuple(map(len, pair)), delta, level)
            if found > best:
                best, chosen = found, (sign, float(end), order)
    sign, end, order = chosen
    return _epsilon_limit([int(np.sum(sign * half >= end)) for half in second[::order]], tuple(map(len, second[::order])), delta, level)


def _epsilon_limit(hits: Sequence[int], sizes: Sequence[int], delta: float, level: float) -> float:
    """Return a lower confidence limit of epsilon, at least 0, from an event's counts on two data sets; each interval errs with level/2."""
    low, high = clopper_pearson(hits[0], sizes[0], level)[0], clopper_pearson(hits[1], sizes[1], level)[1]
    return max(0.0, math.log((low - delta) / high)) if low > delta else 0.0


def calibrated_sigma(
    epsilon: float,
    delta: float,
    T: int,
    n: int,
    C: float,
    P: int = 1,
    batch_size: int | None = None,
    sampling: Sampling = "without_replacement",
) -> float:
    """Return the noise sigma on a mean with which the replace-one accountant finds T full or secret batches (epsilon, delta)-DP."""
    how = "full" if batch_size is None else sampling
    return of_means(n, batch_size, C, T, how, P=P).calibrate_noise(epsilon, delta).sigma


def attack_full_batches(
    method: Kernel, *, epsilon: float, delta: float, T: int, n: int, C: float = 1.0, sigma: float | None = None, runs: int, seed: int,
    level: float = LEVEL, space: Space | None = None, **settings: Any,
) -> Audit:  # fmt: skip
    """Attack T steps of a method that sums over all n records and return the Audit; sigma = None takes the accountant's noise.

    The data sets differ in one record, whose gradients are long and opposite.
    """
    noise = calibrated_sigma(epsilon, delta, T, n, C, method.releases_per_step(settings)) if sigma is None else sigma
    seen = opposite_gradient_scores(method, T=T, n=n, C=C, sigma=noise, runs=runs, seed=seed, space=space, **settings)
    return audit_scores(seen, epsilon=epsilon, delta=delta, level=level)


def opposite_gradient_scores(
    method: Kernel, *, T: int, n: int, C: float, sigma: float, runs: int, seed: int, space: Space | None = None, **settings: Any
) -> AuditScores:
    """Return the AuditScores of a method on two data sets whose first records have long, opposite gradients, all others 0.

    They are those of the optimal test where what is released is an affine function of the noise, the same on these data sets and on one
    without a gradient. Elsewhere they are scores for an event, on the two data sets or on the first one and that without a gradient.
    """
    space = space or Space(((2,),))
    one, two = worst_case_rows(space.d, n, LONG_GRADIENT * C)
    nothing = np.zeros_like(one)
    given = {"T": T, "seed": seed, "space": space, **attack_settings(method, C, sigma, settings)}
    try:
        if has_same_noise(method, one, nothing, **given):
            tells = [mean_squared_distance(method, one, two, still=still, **given) for still in (False, True)]
            return neighbour_scores(method, one, two, runs=runs, still=tells[1] > CLEARLY * tells[0], **given)
    except (NotAffineError, np.linalg.LinAlgError):
        pass
    return event_scores(method, [(one, two), (one, nothing)], runs=runs, **given)


def attack_settings(method: Kernel, C: float, sigma: float, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of an attack: alpha = 1, C, sigma, lam = C if the method has lam or stages; `settings` override them."""
    lam = {"lam": C} if "lam" in method.takes or method.stages else {}
    return {"alpha": 1.0, "C": C, "sigma": sigma, **lam, **settings}


def check_full_batch_audit(
    method: str, *, epsilon: float, delta: float, T: int, n: int, runs: int, reach: float, seed: int, **more: Any
) -> Finding:
    """Check that an attack on full batches certifies at most the declared epsilon of a method's kernel address; return a Finding."""
    audit = attack_full_batches(import_object(method), epsilon=epsilon, delta=delta, T=T, n=n, runs=runs, seed=seed, **more)
    return audit_finding(audit, reach, {"T": T, "n": n}, seed)


def audit_finding(audit: Audit, reach: float, at: Mapping[str, Any], seed: int) -> Finding:
    """Return the Finding of an Audit: REFUTED if it certifies more than is declared, INCONCLUSIVE below the share `reach` of it.

    at   the values at which the attack was made
    """
    numbers = {**at, "declared epsilon": audit.epsilon, "delta": audit.delta, "certified epsilon": audit.certified, "runs": audit.runs}
    numbers |= {"by an event": audit.any_noise, "by mu": audit.normal, "share": audit.share}
    record = Record(numbers, false_alarm=audit.level, seed=seed)
    said = f"{audit.runs} runs in each world certify epsilon = {audit.certified:.4g}"
    if audit.convicted:
        record.refute(f"{said}, above the declared {audit.epsilon:g}", numbers)
    if audit.share < reach:
        record.leave_open(f"{said}, less than {reach:g} of the declared {audit.epsilon:g}: more runs would settle it")
    return record.conclude(f"{said}, {audit.share:.3f} of the declared {audit.epsilon:g}")


def attack_secret_batches(
    method: Kernel, *, epsilon: float, delta: float, T: int, n: int, batch_size: int, sampling: Sampling = "without_replacement",
    C: float = 1.0, sigma: float | None = None, runs: int, seed: int, level: float = LEVEL, space: Space | None = None, **settings: Any,
) -> Audit:  # fmt: skip
    """Attack T steps of a method that sums over secret batches and return the Audit; sigma = None takes the accountant's noise."""
    P = method.releases_per_step(settings)
    noise = calibrated_sigma(epsilon, delta, T, n, C, P, batch_size, sampling) if sigma is None else sigma
    space = space or Space(((2,),))
    one, two = worst_case_rows(space.d, n, LONG_GRADIENT * C)
    if sampling == "without_replacement":
        one[1:] = two[1:] = two[0]
    settings = attack_settings(method, C, noise, {"sampling": sampling, **settings})
    seen = secret_batch_scores(method, one, two, T=T, runs=runs, batch_size=batch_size, seed=seed, space=space, **settings)
    return audit_scores(seen, epsilon=epsilon, delta=delta, level=level)


def attack_method(method: Kernel, *, level: float = LEVEL, **asked: Any) -> Audit:
    """Attack a method and return the Audit: on secret batches if `batch_size` is given, else on all n records in every step.

    sigma is the noise on the mean over a batch.
    """
    how = attack_full_batches if asked.get("batch_size") is None else attack_secret_batches
    return how(method, level=level, **asked)


def check_secret_batch_audit(
    method: str, *, epsilon: float, delta: float, T: int, n: int, batch_size: int, runs: int, reach: float, seed: int, **more: Any
) -> Finding:
    """Check that an attack on secret batches certifies at most the declared epsilon of a method's kernel address; return a Finding."""
    audit = attack_secret_batches(
        import_object(method), epsilon=epsilon, delta=delta, T=T, n=n, batch_size=batch_size, runs=runs, seed=seed, **more
    )
    return audit_finding(audit, reach, {"T": T, "n": n, "batch size": batch_size}, seed)
