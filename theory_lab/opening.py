"""How a recommendation begins: what to run and what is promised, in plain sentences; or that nothing is, and what would change it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import bounds
from bounds.plan import RELATIONS, Column, Plan, cell_of

SHOWN = ("alpha", "T", "stages", "C", "lam", "batch_size", "P", "r", "F", "sigma")  # parameters that the first sentence names
TIMES = (10, 100, 1_000, 10_000, 1_000_000)  # as many records are tried where nothing is promised
RELEASED = {
    "gaussian": "all iterates may be published",
    "uniform": "only x_tau may be published, tau drawn uniformly from 0..T-1",
    "random_shifts": "only x_tau may be published, and every possible loss must be L-Lipschitz",
}


def opening(plan: Plan, with_records: Callable[[float], Plan] | None = None) -> tuple[str, ...]:
    """Return the first sentences about a plan; `with_records(n)` is the plan of the same problem with n records, to say what would help.

    A plan of one's own that is no `Plan` gets none.
    """
    if not isinstance(plan, Plan) or not {"n", "epsilon", "delta"} <= plan.problem.keys():
        return ()
    promised = promising(plan)
    if not promised:
        return nothing_promised(plan, with_records)
    name = min(promised, key=lambda one: promised[one])
    column = plan.columns[name]
    return (
        f"Run {plan.method} with {parameters(column)} (variant: {name}).",
        f"{privacy(plan, column)} {accuracy(column, promised[name])}",
        f"Assumed: {assumptions(column.theorem)}",
    )


def promising(plan: Plan) -> dict[str, float]:
    """Return what each variant certifies, of those that certify more than every point has."""
    found = {name: plan.certifies(name) for name in plan.COLUMNS}
    return {name: value for name, value in found.items() if isinstance(value, float | int)}


def parameters(column: Column) -> str:
    """Return the parameters of a variant as words."""
    numbers = column.numbers()
    known = {name: numbers[name] for name in SHOWN if name in numbers and numbers[name] not in ("none", None)}
    return ", ".join(f"{name} = {number(value)}" for name, value in known.items() if not (isinstance(value, float) and math.isnan(value)))


def number(value: Any) -> str:
    """Return a number for a sentence: whole ones with separators, others to four digits."""
    return f"{value:,}" if isinstance(value, int) and abs(value) < 10**7 else cell_of(value)


def privacy(plan: Plan, column: Column) -> str:
    """Return what is promised to the people whose records are in the data."""
    epsilon, delta = plan.problem["epsilon"], plan.problem["delta"]
    differ = f" for data sets that differ by {RELATIONS[plan.NEIGHBOURS]}" if plan.NEIGHBOURS else ""
    released = f"; {RELEASED[column.release.mechanism]}" if column.release and column.release.mechanism in RELEASED else ""
    return f"This is ({epsilon:g}, {delta:g})-differentially private{differ}{released}."


def accuracy(column: Column, certified: float) -> str:
    """Return what is promised about accuracy."""
    measure = getattr(column, "measure", "accuracy")
    return f"Certified: {measure} is at most {certified:.4g}."


def assumptions(key: str) -> str:
    """Return what a theorem assumes, in one sentence with its key."""
    found = bounds.THEOREMS[key].assumptions if key in bounds.THEOREMS else ()
    return f"{'; '.join(found)} ({key})." if found else f"what {key} asks for."


def nothing_promised(plan: Plan, with_records: Callable[[float], Plan] | None) -> tuple[str, ...]:
    """Return that no variant promises accuracy, why, and what would change it."""
    reasons = {name: plan.certifies(name) for name in plan.COLUMNS}
    not_private = [name for name, why in reasons.items() if why == "not private"]
    trivial = plan.trivial(plan.COLUMNS[-1])
    known = f" below {trivial:.4g}, which every point satisfies" if math.isfinite(trivial) else ""
    first = f"Nothing can be promised here: no variant certifies an error{known}."
    if not_private:
        first += f" The noise of the variant {' and '.join(not_private)} is too small for this epsilon and delta."
    if getattr(plan.columns.get("scaled"), "runnable", False):
        first += " The variant scaled can be run, and its noise is private; its accuracy is not promised."
    return (first, what_would_help(plan, with_records))


def what_would_help(plan: Plan, with_records: Callable[[float], Plan] | None) -> str:
    """Return how many records would be enough for a promise, by trying, or that none that were tried are."""
    general = "A larger epsilon, more records n, or smaller constants of the problem can change that."
    first_n = getattr(getattr(plan, "repaired_promise", None), "first_n", None)
    if first_n:
        return f"The variant repaired promises something from n = {first_n:.3g} records on. {general}"
    if with_records is None:
        return general
    n = plan.problem["n"]
    for times in TIMES:
        try:
            more = promising(with_records(n * times))
        except ValueError:
            break
        if more:
            name = min(more, key=lambda one: more[one])
            return f"With {times:,} times as many records, n = {n * times:g}, the variant {name} certifies {more[name]:.4g}. {general}"
    return (
        f"It is still so with {TIMES[-1]:,} times as many records, n = {n * TIMES[-1]:g}; a larger epsilon or smaller constants are needed."
    )


def same_problem(call: Callable[..., Plan], method: str, given: Mapping[str, Any]) -> Callable[[float], Plan]:
    """Return the function that `opening` takes: the plan of a problem with another number of records."""

    def with_records(n: float) -> Plan:
        return call(method, **{**given, "n": int(n) if isinstance(given["n"], int) else n})

    return with_records
