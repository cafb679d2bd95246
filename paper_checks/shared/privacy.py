"""Privacy checks for every paper: sensitivity of a release, delta of Gaussian noise, and privacy clauses.

Sensitivity    `release_distances` replays a release on neighbouring data with the same draws; `check_sensitivity` compares the distances
               with what is stated
Curves         `exact_delta` of Gaussian releases (`attained_delta` by one), `one_step_delta` of one on a Poisson sample,
               `delta_lower_bound` of many, `walk_delta_lower_bound` of a noisy walk of which one point is released, in mpmath, and
               `composed_delta` of the worst mechanisms of a kind: written from the formulas themselves, without `bounds.privacy`, so
               that a fault there shows
Claims         `check_noise_unit` for a printed scale of noise whose unit is in question, `check_privacy_clause` for privacy at given
               epsilon and delta, `check_subsampled_accountant` for the lab's own accountant, `check_clipped_mean_sensitivity` for the
               mean of clipped values
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from mpmath import mp
from scipy import stats
from scipy.special import ndtr

import bounds
from bounds.privacy import subsampled
from bounds.proofs.certificates import Standing
from paper_checks.record import Record
from paper_checks.shared.search import Cases, find_worst
from paper_checks.shared.steps import step_outcomes
from paper_checks.verdict import Finding
from synthetic.draws import FloatArray

DIGITS = 60


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Two neighbouring data sets, as a release takes them.

    measured   function of the difference of the two releases: its size over the stated sensitivity, and the point where it is
    unit       the length that a difference of rounding is compared with
    """

    one: Any
    two: Any
    measured: Callable[[FloatArray], tuple[float, Mapping[str, Any]]]
    unit: float = 1.0


def release_distances(
    pairs: Iterable[Neighbours], release: Callable[[Any], FloatArray], noisy: Callable[[Any], FloatArray] | None = None
) -> Cases:
    """Yield (distance of releases / stated sensitivity, point, {"leak": dependence of the noise so far}) for each pair of neighbours.

    release   what is released on a data set, with the same draws for both of a pair
    noisy     the same with noise: the difference must not change with it, since the noise may not depend on the data
    """
    leak = 0.0
    for pair in pairs:
        moved = release(pair.one) - release(pair.two)
        if noisy is not None:
            leak = max(leak, float(np.linalg.norm(noisy(pair.one) - noisy(pair.two) - moved)) / pair.unit)
        yield *pair.measured(moved), {"leak": leak}


def check_sensitivity(cases: Cases, *, stated: str, seed: int, rounding: float = 1e-8, reach: float = 0.999) -> Finding:
    """Check that no ratio of `release_distances` is above 1 and that the noise ignores the data; return a Finding.

    INCONCLUSIVE below `reach`. `stated` is the sensitivity in words; `rounding` the relative error of one replay.
    """
    found = find_worst(cases)
    leak = found.numbers["leak"]
    numbers = {"pairs": found.tried, "largest distance / declared": found.value, "dependence of the noise on the data": leak}
    record = Record(numbers, seed=seed)
    if not found.value <= 1 + rounding or not leak <= rounding:
        record.refute(f"a pair lies {found.value:.4g} times {stated} apart", {**found.at, "ratio": found.value, "leak": leak})
    if found.value < reach:
        record.leave_open(f"the search came only to {found.value:.4g} of {stated}: a search that reaches 1 would settle it")
    return record.conclude(f"no pair of {found.tried} is further apart than {found.value:.9f} times {stated}")


def exact_delta(epsilon: Any, mu: Any) -> Any:
    """Return delta of mu-GDP at epsilon: Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), in mpmath's digits."""
    return mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu)


def mean_delta(epsilon: Any, mu: Any, T: int) -> Any:
    """Return the mean over k = 0..T-1 of the exact delta of k Gaussian releases with mu each, in mpmath's digits."""
    return mp.fsum(exact_delta(epsilon, mu * mp.sqrt(k)) for k in range(1, T)) / T


def attained_delta(epsilon: Any, mu: Any) -> Any:
    """Return the exact delta at epsilon of one Gaussian release, in 60 digits; mu is the sensitivity over the deviation."""
    with mp.workdps(DIGITS):
        return exact_delta(mp.mpf(epsilon), mp.mpf(mu))


def composed_delta(epsilon: float, epsilon_0: float, delta_0: float, k: int) -> float:
    """Return the exact delta at epsilon of k composed worst (epsilon_0, delta_0)-DP mechanisms (Kairouz et al. 2015, Theorem 3.3)."""
    heads = np.arange(k + 1)
    loss = (2 * heads - k) * epsilon_0
    mass = stats.binom.pmf(heads, k, 1 / (1 + math.exp(-epsilon_0)))
    pure = float(np.sum(mass * -np.expm1(np.minimum(epsilon - loss, 0.0))))
    return -math.expm1(k * math.log1p(-delta_0) + math.log1p(-min(pure, 1 - 1e-16)))


def half_line_delta_lower_bound(*, epsilon: Any, shift: Any, sigma: Any, T: int, last: bool) -> Any:
    """Return P(x < b) - e^epsilon Q(x < b), a lower bound on delta, for a walk from 0 with drift -shift (P) or +shift (Q).

    `last` is for the last point x_T; otherwise x_tau with tau uniform on 0..T-1, where tau = 0 adds nothing because b < 0.
    """
    b = -epsilon * sigma**2 / (2 * shift)
    times = [T] if last else range(1, T)

    def below(drift: Any) -> Any:
        """Return the probability that the walk with this drift ends below b."""
        return mp.fsum(mp.ncdf((b - drift * t) / (sigma * mp.sqrt(t))) for t in times) / (1 if last else T)

    return below(-shift) - mp.exp(epsilon) * below(shift)


def long_walk_delta_lower_bound(*, epsilon: Any, shift: Any, sigma: Any, T: int) -> Any:
    """Return a closed-form lower bound on delta of x_tau, tau uniform on 0..T-1, for Gaussian walks with drift -shift and +shift.

    The drift of Q is away from the half-line: each of its terms is at most the largest, Phi(-2 sqrt(shift |b|) / sigma) at
    t = |b| / shift. A term of P with shift t >= |b| is at least 1/2. Twice the |b| of the best set makes e^epsilon Q tiny.
    """
    b = epsilon * sigma**2 / shift
    beyond = max(T - 1 - math.floor(b / shift), 0)
    return mp.mpf(beyond) / (2 * T) - mp.exp(epsilon) * mp.ncdf(-2 * mp.sqrt(shift * b) / sigma)


def walk_delta_lower_bound(*, epsilon: Any, shift: Any, sigma: Any, T: int, last: bool, summed: int = 2000) -> Any:
    """Return a lower bound on the delta of a point of a noisy walk: x_T if `last`, else x_tau with tau uniform on 0..T-1.

    For x_tau, if the sum over T has more than `summed` terms, it is replaced by a bound without a sum.
    """
    if summed < T and not last:
        return long_walk_delta_lower_bound(epsilon=epsilon, shift=shift, sigma=sigma, T=T)
    return half_line_delta_lower_bound(epsilon=epsilon, shift=shift, sigma=sigma, T=T, last=last)


def check_noise_unit(
    *, printed: Any, epsilon: float, delta: float, T: int, sensitivity: Any, computed: float, at: Mapping[str, Any], name: str = "s"
) -> Finding:
    """Check that T releases whose noise has the *variance* `printed` spend at most delta, by the exact delta; return a Finding.

    printed       the scale, an mpmath number;   computed   the deviation of `bounds.privacy`, which the same number is expected to be
    sensitivity   of one release;   at   the values that anyone can substitute
    """
    with mp.workdps(DIGITS):
        attained = {
            unit: exact_delta(mp.mpf(epsilon), mp.sqrt(T) * sensitivity / deviation)
            for unit, deviation in (("variance", mp.sqrt(printed)), ("standard deviation", printed))
        }
        same = abs(computed / printed - 1) < 1e-12
    record = Record({name: float(printed), **{f"delta attained, {name} as {unit}": float(value) for unit, value in attained.items()}})
    if not same:
        record.leave_open(f"bounds.privacy computes {computed!r} for the printed {float(printed)!r}")
    if attained["variance"] > delta:
        sentence = f"with variance {name} = {float(printed):.4g} the {T} releases spend delta = {float(attained['variance']):.4g}"
        record.refute(sentence, {**at, "delta attained": float(attained["variance"])})
    return record.conclude("private at the experiment's values with either reading")


def check_privacy_clause(
    points: Sequence[tuple[float, float]], runs: Callable[[float, float], Sequence[Mapping[str, Any]]], *, words: str
) -> Finding:
    """Check that a counterexample spends at most delta in some reading at every point (epsilon, delta); return a Finding.

    `runs` returns, at a point, the runs under each reading of what the paper leaves open: their values, "delta spent is at least", a text,
    and "fails". `words` is the sentence; "{epsilon}" and "{delta}" stand for the point and "{spent}" for what is spent.
    """
    record, tried = Record(), 0
    for epsilon, delta in points:
        found = runs(epsilon, delta)
        tried += len(found)
        record.note({"tried": tried})
        if all(run["fails"] for run in found):
            record.note({"digits": DIGITS})
            spent = " or ".join(run["delta spent is at least"] for run in found)
            witness = {name: value for name, value in found[0].items() if name != "fails"}
            return record.refute(words.format(epsilon=f"{epsilon:g}", delta=f"{delta:g}", spent=spent), witness)
    return record.conclude(f"the counterexample spends at most delta at each of {tried} points")


def one_step_delta(epsilon: float, *, q: float, sigma: float, shift: float, both: bool) -> Any:
    """Return the exact delta at epsilon of one Poisson-subsampled Gaussian release, in mpmath's digits.

    `both` compares (1-q) N(0) + q N(shift) with (1-q) N(0) + q N(-shift), both ways alike; otherwise with N(0), the worse of the two
    orders. The likelihood ratio grows with x, so the best set is a half-line, whose end is found by bisection.
    """
    dev, v, k = mp.mpf(sigma), mp.mpf(shift), mp.mpf(q)

    def law(x: Any, mean: Any) -> tuple[Any, Any]:
        """Return (tail beyond x, density at x over that of N(0)) of the mixture whose second part has this mean."""
        tail = (1 - k) * mp.ncdf(-x / dev) + k * mp.ncdf((mean - x) / dev)
        return tail, (1 - k) + k * mp.exp((2 * mean * x - mean**2) / (2 * dev**2))

    pairs = [(v, -v, 1)] if both else [(v, mp.mpf(0), 1), (mp.mpf(0), v, -1)]
    worst = mp.mpf(0)
    for one, two, side in pairs:
        low, high = -200 * (dev + v), 200 * (dev + v)
        for _ in range(200):
            middle = (low + high) / 2
            above = law(middle, one)[1] > mp.exp(epsilon) * law(middle, two)[1]
            low, high = (low, middle) if above == (side > 0) else (middle, high)
        tails = law(low, one)[0], law(low, two)[0]
        masses = tails if side > 0 else (1 - tails[0], 1 - tails[1])
        worst = max(worst, masses[0] - mp.exp(epsilon) * masses[1])
    return worst


def delta_lower_bound(at_epsilon: float, *, shift: float, q: float, steps: int, spacing: float) -> float:
    """Return a lower bound on the delta of `steps` releases of (1-q) N(0, 1) + q N(shift, 1) against N(0, 1), for q < 1.

    Every loss is rounded down, what is beyond 12 deviations left out, and 1e-11 subtracted for the transform. The grid starts at the least
    possible sum, so that what is beyond its end comes back as a smaller loss.
    """
    x = np.linspace(-12, 12 + shift, 400_001)
    mass = np.diff((1 - q) * ndtr(x) + q * ndtr(x - shift))
    least = math.floor(math.log1p(-q) / spacing)
    cell = np.floor(np.log1p(q * np.expm1(shift * x[:-1] - shift**2 / 2)) / spacing).astype(int) - least
    size = 1 << math.ceil(math.log2(max((at_epsilon + 10) / spacing - steps * least, cell.max() + 1)))
    summed = np.fft.irfft(np.fft.rfft(np.bincount(cell, weights=mass, minlength=size)) ** steps, size)
    total = spacing * (np.arange(size) + steps * least)
    return float(np.sum(summed[total > at_epsilon] * -np.expm1(at_epsilon - total[total > at_epsilon]))) - 1e-11


def check_subsampled_accountant(*, points: tuple[tuple[float, float, float], ...], sampling: str) -> Finding:
    """Check that the accountant's sigma for one step is private and 0.1% less is not, by the exact curve; return a Finding.

    `sampling` is Poisson, under both relations, or batches of fixed size, whose worst pair is again a mixture against its own first part,
    with the whole sensitivity between the two parts.
    """
    loosest, tried, record = 0.0, 0, Record()
    by_poisson = {"replace_one": (True, 0.5), "add_or_remove_one": (False, 1.0)}
    worst_pairs = {"replace_one": (False, 1.0)} if sampling == "without_replacement" else by_poisson
    for epsilon, delta, q in points:
        for neighbours, (both, shift) in worst_pairs.items():
            given: Any = {"T": 1, "q": q, "sensitivity": 1.0, "neighbours": neighbours, "sampling": sampling}
            sigma = subsampled.sigma_subsampled(epsilon=epsilon, delta=delta, **given)
            with mp.workdps(40):
                spent = one_step_delta(epsilon, q=q, sigma=sigma, shift=shift, both=both)
                less = one_step_delta(epsilon, q=q, sigma=sigma * 0.999, shift=shift, both=both)
            tried += 1
            loosest = max(loosest, float(1 - spent / delta))
            if spent > delta or less < delta:
                witness = {"epsilon": epsilon, "delta": delta, "q": q, "neighbours": neighbours, "sigma": sigma, "spent": float(spent)}
                return record.refute(f"{neighbours}: sigma = {sigma:.6g} is not the least private one", witness)
    record.note({"tried": tried, "unspent part of delta": loosest})
    return record.conclude(f"private, and 0.1% less is not, at {tried} settings")


def check_clipped_mean_sensitivity(*, tries: int, seed: int) -> Finding:
    """Check that a replaced record moves a mean of clipped vectors by at most 2C/n, by proof and search; return a Finding."""
    chance, worst = np.random.default_rng(seed), 0.0
    for trial in range(tries):
        a = chance.standard_normal(1 + trial % 7) * 10.0 ** chance.uniform(-3, 3)
        b = -a if trial % 3 == 0 else chance.standard_normal(a.size) * 10.0 ** chance.uniform(-3, 3)
        clipped = [v * min(1.0, 1.0 / float(np.linalg.norm(v))) for v in (a, b)]
        worst = max(worst, float(np.linalg.norm(clipped[0] - clipped[1])) / 2)
    proof = bounds.DERIVATIONS["dpzero.clipped_mean"]
    record = Record({"tried": tries, "largest distance / 2C": worst, "steps": len(proof.steps)}, seed=seed)
    if worst > 1 + 1e-12:
        record.refute("two clipped vectors are further apart than 2C", {"distance / 2C": worst})
    if step_outcomes(proof) != {Standing.CERTIFIED, Standing.REASONED}:
        record.leave_open("a step does not check; a repaired proof would settle it")
    return record.conclude("2C/n is certified for one term, and attained by opposite gradients; that the other terms are equal is in words")
