"""The loop "look for the worst case, and judge it": a generator says what it tries, and what it finds is kept and judged here."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from paper_checks.shared.findings import ROUNDING, at_most, searched
from paper_checks.verdict import Finding, consistent, refuted

Cases = Iterator[tuple[Any, ...]]  # of a search: a value, where it was found and, where there is any, further evidence by name


@dataclass(frozen=True)
class Worst:
    """The largest value that a search found, where, how many cases it tried, and the further evidence of the last of them."""

    value: float
    at: Mapping[str, Any]
    tried: int
    numbers: Mapping[str, Any] = field(default_factory=dict)


def worst(cases: Iterable[tuple[Any, ...]], least: float = 0.0) -> Worst:
    """Try all cases and keep the largest value above `least`; what is not a number is larger than any that is."""
    value, at, tried, numbers = least, dict[str, Any](), 0, dict[str, Any]()
    for found, where, *more in cases:
        tried += 1
        if value == value and not found <= value:
            value, at = float(found), where
        numbers = more[0] if more else numbers
    return Worst(value, at, tried, numbers)


def edge(holds: Callable[[float], bool], low: float, high: float) -> tuple[float, float]:
    """Return two neighbouring numbers from `low` on, the first the last at which it holds: `high` is doubled, then the gap halved."""
    while holds(high):
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high


Judge = Callable[[Worst, Mapping[str, Any]], Finding]  # of what a search found, and of the arguments of the examination
Examination = Callable[[Callable[..., Cases]], Callable[..., Finding]]


def judged(judge: Judge) -> Examination:
    """Make an examination of a generator: its worst case is found, and judged."""

    def examination(cases: Callable[..., Cases]) -> Callable[..., Finding]:
        @functools.wraps(cases)
        def examine(**arguments: Any) -> Finding:
            return judge(worst(cases(**arguments)), arguments)

        return examine

    return examination


def deviations(words: str, tolerance: float = ROUNDING) -> Examination:
    """Make an examination of a generator of deviations: REFUTED where the largest is above the tolerance, CONSISTENT otherwise.

    The words say what is so where nothing deviates, in the examination's arguments: "{method}" stands for one of them.
    """
    return judged(
        lambda found, arguments: searched(
            found.value, found.at, found.tried, words.format(**arguments), arguments.get("seed"), tolerance, **found.numbers
        )
    )


def allowances(words: str, *, reach: float = 0.0, rounding: float = 0.0) -> Examination:
    """Make an examination of a generator of values over what is allowed: REFUTED above 1, INCONCLUSIVE where none came up to `reach`.

    The words name the ratio, in the examination's arguments: "{what}" stands for one of them. Values may be above by the rounding.
    """
    return judged(
        lambda found, arguments: at_most(
            found.value / (1 + rounding), found.at, found.tried, words.format(**arguments), arguments.get("seed"), reach=reach
        )
    )


def ratios(name: str, above: str, below: str, limit: float = 1.0) -> Examination:
    """Make an examination of a generator of ratios, what is found over what is allowed: REFUTED where the largest is above the limit.

    `name` is what the largest is called among the numbers. `above` and `below` are the two sentences, in which "{value}", "{tried}" and the
    names of where it was found stand for what they are.
    """

    def judge(found: Worst, arguments: Mapping[str, Any]) -> Finding:
        numbers = {"tried": found.tried, name: found.value, **found.numbers}
        told = {**found.at, "value": found.value, "tried": found.tried}
        if not found.value <= limit:
            return refuted(above.format(**told), numbers, found.at, seed=arguments.get("seed"))
        return consistent(below.format(**told), numbers, seed=arguments.get("seed"))

    return judged(judge)
