"""Distributions with exact tails, and the least absolute constant with which a tail bound holds for them."""

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from scipy import special, stats

from paper_checks.record import Record
from paper_checks.shared.search import find_edge
from paper_checks.verdict import Finding

Tail = Callable[[float], float]  # t -> the probability of a size above t
Instances = Iterator[tuple[str, Tail, float, float]]  # name, tail, allowed failure probability, scale (the constant's factor)


def probability_of_any(count: int, probability: float) -> float:
    """Return the probability that at least one of `count` independent events of the given probability happens."""
    return -math.expm1(count * math.log1p(-min(probability, 1 - 1e-16)))


def normal_norm_tail(d: int) -> Tail:
    """Return the function t -> P(||N(0, I)|| > t) in d dimensions."""
    return lambda t: float(stats.chi2.sf(t**2, d))


def normal_maximum_tail(d: int) -> Tail:
    """Return the function t -> P(max |g_i| > t) for d independent standard normal numbers."""
    return lambda t: probability_of_any(d, math.erfc(t / math.sqrt(2)))


def finite_tail(law: Sequence[tuple[float, float]]) -> Tail:
    """Return the function t -> P(X > t) for X with pairs (size, probability); the remaining probability is at 0."""
    return lambda t: sum(weight for size, weight in law if size > t * (1 + 1e-12))


def sign_sum_tail(count: int) -> Tail:
    """Return the function t -> P(|sum of `count` random signs| > t)."""
    return finite_tail([(abs(2 * k - count), float(special.comb(count, k)) / 2**count) for k in range(count + 1)])


def least_constant(tail: Tail, failure: float, scale: float) -> float:
    """Return the least C >= 0 with tail(C scale) <= failure, by bisection for a decreasing tail; 0 if every C will do."""
    return 0.0 if tail(0.0) <= failure else find_edge(lambda C: tail(C * scale) > failure, 0.0, 1.0)[1]


def check_absolute_constant(lemma: str) -> Callable[[Callable[..., Instances]], Callable[..., Finding]]:
    """Return a decorator that turns a generator of instances into a check that none needs a constant above `claimed`.

    REFUTED where the largest of the instances' least constants is above the `claimed` one.
    """

    def decorate(instances: Callable[..., Instances]) -> Callable[..., Finding]:
        """Return the check of a generator of instances."""

        @functools.wraps(instances)
        def check(*, claimed: float, **arguments: Any) -> Finding:
            """Check that no instance needs a constant above `claimed`; return a Finding."""
            found = {name: least_constant(law, failure, scale) for name, law, failure, scale in instances(**arguments)}
            at, worst = max(found.items(), key=lambda entry: entry[1])
            record = Record({"instances": len(found), "largest of the least constants": worst, "at": at, "constant asked for": claimed})
            if worst > claimed:
                witness = {"instance": at, "least C": worst, "claimed C": claimed}
                record.refute(f"{lemma}: {at} needs C = {worst:.4g}, more than {claimed:.4g}", witness)
            return record.conclude(f"{lemma}: none of {len(found)} instances needs more than C = {worst:.4g} (at {at})")

        return check

    return decorate
