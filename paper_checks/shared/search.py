"""Search for the worst case and report it: a generator yields the cases, and a decorator turns it into a check."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from paper_checks.record import Record
from paper_checks.shared.findings import ROUNDING, check_deviation, check_ratio
from paper_checks.verdict import Finding

Cases = Iterator[tuple[Any, ...]]  # of a search: a value, its point and, if any, further evidence by name


@dataclass(frozen=True)
class WorstCase:
    """The largest value that a search found, its point, the number of cases, and the evidence of the last case."""

    value: float
    at: Mapping[str, Any]
    tried: int
    numbers: Mapping[str, Any] = field(default_factory=dict)


def find_worst(cases: Iterable[tuple[Any, ...]], least: float = 0.0) -> WorstCase:
    """Return the WorstCase of all cases, (value, point) or (value, point, evidence), above `least`; nan counts as the largest.

    Where no value is above `least`, the WorstCase has the value `least` and an empty point.
    """
    value, at, tried, numbers = least, dict[str, Any](), 0, dict[str, Any]()
    for found, where, *more in cases:
        tried += 1
        if value == value and not found <= value:
            value, at = float(found), where
        numbers = more[0] if more else numbers
    return WorstCase(value, at, tried, numbers)


def find_edge(holds: Callable[[float], bool], low: float, high: float) -> tuple[float, float]:
    """Return (low, high) with holds(low) and not holds(high): `high` is doubled, then the interval halved 60 times.

    holds(low) is assumed at the start. The two ends need not be neighbouring floats.
    """
    while holds(high):
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high


FindingRule = Callable[[WorstCase, Mapping[str, Any]], Finding]  # of the worst case of a search and of the arguments of the check
CheckDecorator = Callable[[Callable[..., Cases]], Callable[..., Finding]]


def check_worst_case(judge: FindingRule) -> CheckDecorator:
    """Return a decorator that turns a generator of cases into a check, which returns the Finding of `judge` on the worst case."""

    def decorate(cases: Callable[..., Cases]) -> Callable[..., Finding]:
        """Return the check of a generator of cases."""

        @functools.wraps(cases)
        def check(**arguments: Any) -> Finding:
            """Find the worst case of the generator and return the Finding about it."""
            return judge(find_worst(cases(**arguments)), arguments)

        return check

    return decorate


def check_deviations(words: str, tolerance: float = ROUNDING) -> CheckDecorator:
    """Return a decorator that turns a generator of deviations into a check that none exceeds the tolerance, with a Finding.

    `words` is the sentence that holds if nothing deviates, with the arguments of the check: "{method}" stands for one of them.
    """
    return check_worst_case(
        lambda found, arguments: check_deviation(
            found.value, found.at, found.tried, words.format(**arguments), arguments.get("seed"), tolerance, **found.numbers
        )
    )


def check_allowances(words: str, *, reach: float = 0.0, rounding: float = 0.0) -> CheckDecorator:
    """Return a decorator that turns a generator of ratios, value / allowed, into a check that none exceeds 1, with a Finding.

    INCONCLUSIVE if no ratio reaches `reach`. `words` names the ratio, with the arguments of the check: "{what}" stands for one of them.
    Values may be above 1 by the rounding.
    """
    return check_worst_case(
        lambda found, arguments: check_ratio(
            found.value / (1 + rounding), found.at, found.tried, words.format(**arguments), arguments.get("seed"), reach=reach
        )
    )


def check_ratios(name: str, above: str, below: str, limit: float = 1.0) -> CheckDecorator:
    """Return a decorator that turns a generator of ratios, value / allowed, into a check that none exceeds `limit`, with a Finding.

    `name` is the key of the largest ratio among the numbers. `above` and `below` are the two sentences, in which "{value}", "{tried}" and
    the names of the point stand for their values.
    """

    def judge(found: WorstCase, arguments: Mapping[str, Any]) -> Finding:
        """Return a Finding: REFUTED if the largest ratio is above the limit, else CONSISTENT."""
        record = Record({"tried": found.tried, name: found.value, **found.numbers}, seed=arguments.get("seed"))
        values = {**found.at, "value": found.value, "tried": found.tried}
        if not found.value <= limit:
            return record.refute(above.format(**values), found.at)
        return record.conclude(below.format(**values))

    return check_worst_case(judge)
