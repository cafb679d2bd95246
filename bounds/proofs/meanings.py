"""Tables of what holds by the meaning of symbols: facts, runs and averages, read from the lab's pages.

Facts stand on `shared.facts` and `PAPER.facts`, runs and averages where symbols are declared. Limits of a symbol (n >= 1, r <= d, a
probability is at most 1) are lines already, see `bounds.proofs.derivation.symbol_limits`.
"""

from collections.abc import Iterator
from typing import Any

from bounds.pages.store import Page, lab_pages
from bounds.pages.values import PageValues
from bounds.papers import PAPERS
from bounds.proofs.lines import Defined, Meaning, Step
from bounds.symbols import GLOSSARY


def _pages_of_kind(kind: str) -> list[Page]:
    """Return the lab's pages of a kind, "symbols" or "facts": the shared page first, then one of each paper that has it."""
    keys = [f"{place}.{kind}" for place in ("shared", *PAPERS)]
    return [lab_pages().page(key) for key in keys if key in lab_pages().files]


def _facts_by_certificate(certificate: type[Any]) -> Iterator[tuple[Step, dict[str, Any]]]:
    """Yield pairs (line, item on the page) for the facts with a certificate of this type."""
    for page in _pages_of_kind("facts"):
        for item in page.items("given"):
            step = PageValues(page).step(item)
            if isinstance(step.certificate, certificate):
                yield step, item


def _symbols_named(page: Page, *names: str) -> tuple[Any, ...]:
    """Return the SymPy symbols of names on a page."""
    return tuple(map(PageValues(page).symbol, names))


def _step_symbol(expression: Any) -> Any:
    """Return a symbol in the expression that changes from step to step: F_now if it occurs, else any of them."""
    return min((one for one in expression.free_symbols if GLOSSARY[one.name].per_step), key=lambda one: one.name != "F_now")


MEANINGS: tuple[Step, ...] = tuple({(one.name, one.lhs, one.rhs): one for one, _ in _facts_by_certificate(Meaning)}.values())
DEFINITIONS = tuple(_facts_by_certificate(Defined))
NAMED = tuple((step.lhs, step.rhs) for step, _ in DEFINITIONS)  # definitions that a page may give of symbols in these tables
_DECLARED = [(page, name, one.domain) for page in _pages_of_kind("symbols") for name, one in page.declared.items()]
ROUND = {PageValues(page).symbol(name) for page, name, domain in _DECLARED if "set" in domain}  # a lemma may define these
AVERAGES = dict(
    _symbols_named(page, name, domain["average"]) for page, name, domain in _DECLARED if "average" in domain
)  # over t = 0, ..., T - 1
RUNS = list(
    dict.fromkeys(
        _symbols_named(page, name, domain["next"], domain["first"], domain["last"]) for page, name, domain in _DECLARED if "next" in domain
    )
)  # symbols for one quantity at t, t + 1, 0 and T: its differences telescope

# Pairs (symbol, plain quantity): a page may define the symbol by the quantity. It is the quantity given an event if a proof ...
_UNLESS = [(step.lhs, _step_symbol(step.rhs), item["reason"]["unless"][0]) for step, item in DEFINITIONS if "unless" in item["reason"]]
GIVEN_WHERE_SUMMED = tuple((letter, plain) for letter, plain, word in _UNLESS if word == "averaged")  # ... sums it over all steps
GIVEN_WHERE_SPOKEN_OF = tuple((letter, plain) for letter, plain, word in _UNLESS if word == "known")  # ... takes a fact about the symbol


def introduce_average(of: Any, mean: Any) -> None:
    """Register for this process that one symbol is the average of another over the steps; repeating it changes nothing.

    Raises ValueError if the average of that symbol has another name already, or if `of` is not a symbol of a step.
    """
    others = {other for letter, other in AVERAGES.items() if letter != of}
    if mean in others or GLOSSARY[mean.name].per_step or AVERAGES.get(of, mean) != mean or not GLOSSARY[of.name].per_step:
        raise ValueError(f"mean = {mean}: a symbol of a step, {of}, and a symbol that stands for its average only are needed")
    AVERAGES[of] = mean


def introduce_run(now: Any, after: Any, first: Any, last: Any) -> None:
    """Register for this process the symbols of one quantity at t, t + 1, 0 and T; repeating it changes nothing.

    Raises ValueError if one of the first two belongs to another run already, or is not a symbol of a step.
    """
    run = (now, after, first, last)
    taken = [one for one in RUNS if {now, after} & {*one[:2]} and one != run]
    ends = {one for other in RUNS for one in other[2:]}
    meant = set().union(*(one.symbols for one in MEANINGS)) - ends
    if taken or meant & {*run} or not all(GLOSSARY[one.name].per_step for one in (now, after)):
        raise ValueError(f"now = {now}: two symbols of a step that belong to no other run are needed")
    if run not in RUNS:
        RUNS.append(run)
