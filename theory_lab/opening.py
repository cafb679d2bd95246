"""The first sentences of a printed recommendation: what to run and what is guaranteed; or that nothing is, and what would help."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import bounds
from bounds.plans.plan import RELATIONS, Column, Plan, format_number, join_words

SHOWN = ("alpha", "T", "stages", "C", "lam", "batch_size", "P", "r", "F", "sigma")  # parameters that the first sentence names
TIMES = (10, 100, 1_000, 10_000, 1_000_000)  # factors of records, or steps, that are tried where nothing is guaranteed
AT_START = "||grad F_S(x_0)||^2"  # the measure of a variant whose proved best is to publish the start
RELEASED = {
    "gaussian": "all iterates may be published",
    "uniform": "only x_tau may be published, tau drawn uniformly from 0..T-1",
    "random_shifts": "only x_tau may be published, and every possible loss must be L-Lipschitz",
}
Replan = Callable[..., Plan]  # again(n=..., T_max=...) returns the plan of the same problem with these changes


def opening_sentences(plan: Plan, again: Replan | None = None, given: Mapping[str, Any] | None = None) -> tuple[str, ...]:
    """Return the first sentences about a plan: parameters, privacy, accuracy and assumptions of its best variant.

    again    again(**changes) plans the same problem with other values, to find what would help where nothing is guaranteed
    given    the values of the problem, as the user gave them

    A plan of another class than `Plan` gets no sentences.
    """
    if not isinstance(plan, Plan) or not {"n", "epsilon", "delta"} <= plan.problem.keys():
        return ()
    promised = certified_variants(plan)
    name = min(promised, key=lambda one: promised[one], default="")
    if not name:
        return no_guarantee_sentences(plan, again, given or {})
    column = plan.columns[name]
    if getattr(column, "measure", "") == AT_START:
        return start_sentences(plan, promised[name], again, given or {})
    return (
        f"Run {plan.method} with {parameter_text(column)} (variant: {name}).{passes_sentence(plan, column)}",
        f"{privacy_sentence(plan, column)} {accuracy_sentence(column, promised[name])}",
        f"Assumed: {assumptions_text(column.theorem)}",
    )


def certified_variants(plan: Plan) -> dict[str, float]:
    """Return, by variant, the certified bound of each variant whose bound is better than what every point satisfies."""
    found = {name: plan.certifies(name) for name in plan.COLUMNS}
    return {name: value for name, value in found.items() if isinstance(value, float | int)}


def parameter_text(column: Column) -> str:
    """Return the parameters of a variant as text, such as "alpha = 0.1, T = 40, C = 1"."""
    numbers = column.numbers()
    known = {name: numbers[name] for name in SHOWN if name in numbers and numbers[name] not in ("none", None)}
    return ", ".join(
        f"{name} = {number_text(value)}" for name, value in known.items() if not (isinstance(value, float) and math.isnan(value))
    )


def number_text(value: Any) -> str:
    """Format a number for a sentence: integers below 10^7 with thousands separators, others to four digits."""
    return f"{value:,}" if isinstance(value, int) and abs(value) < 10**7 else format_number(value)


def passes_sentence(plan: Plan, column: Column) -> str:
    """Return a sentence with the number of passes over the data, "" where it is at most 10."""
    found = getattr(column, "T", 0) * getattr(column, "batch_size", plan.problem["n"]) / plan.problem["n"]
    if not found > 10:
        return ""
    return f" That is {found:{',.0f' if found < 10**7 else '.2g'}} passes over the data."


def privacy_sentence(plan: Plan, column: Column) -> str:
    """Return a sentence on a variant's privacy: epsilon and delta, and, where known, the neighbouring relation and what may be released."""
    epsilon, delta = plan.problem["epsilon"], plan.problem["delta"]
    differ = f" for data sets that differ by {RELATIONS[plan.NEIGHBOURS]}" if plan.NEIGHBOURS else ""
    released = f"; {RELEASED[column.release.mechanism]}" if column.release and column.release.mechanism in RELEASED else ""
    return f"This is ({epsilon:g}, {delta:g})-differentially private{differ}{released}."


def accuracy_sentence(column: Column, certified: float) -> str:
    """Return a sentence with the certified bound of a variant."""
    measure = getattr(column, "measure", "accuracy")
    return f"Certified: {measure} is at most {certified:.4g}."


def assumptions_text(key: str) -> str:
    """Return the assumptions of a theorem, with its key, as text."""
    found = bounds.THEOREMS[key].assumptions if key in bounds.THEOREMS else ()
    return f"{'; '.join(found)} ({key})." if found else f"what {key} asks for."


def start_sentences(plan: Plan, certified: float, again: Replan | None, given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return sentences: publish the start x_0 unchanged, what it satisfies, and which change of the problem would help."""
    return (
        "Nothing can be promised beyond the start: no schedule with this privacy is proved to do better than x_0. Publish x_0 itself, "
        "without steps and without noise.",
        f"x_0 satisfies {AT_START} <= {certified:.4g} by the assumptions alone. {suggest_change(plan, again, given)}",
    )


def no_guarantee_sentences(plan: Plan, again: Replan | None, given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return sentences: no variant guarantees accuracy, why, what holds for privacy, and which change would help."""
    reasons = {name: plan.certifies(name) for name in plan.COLUMNS}
    trivial = plan.trivial(plan.COLUMNS[-1])
    known = f" below {trivial:.4g}, which every point satisfies" if math.isfinite(trivial) else ""
    said = [f"Nothing can be promised about accuracy here: no variant certifies an error{known}."]
    if not_private := [name for name, why in reasons.items() if why == "not private"]:
        said.append(f"The noise of the variant {join_words(not_private)} is too small for this epsilon and delta.")
    with_noise = [name for name, one in plan.columns.items() if reasons[name] != "not private" and not one.why_nothing() and has_steps(one)]
    if with_noise:
        said.append(f"Privacy does not depend on this: the noise of the variant {join_words(with_noise)} is private.")
    return (" ".join(said), suggest_change(plan, again, given))


def has_steps(column: Column) -> bool:
    """Return whether a variant has a schedule of at least one step."""
    return bool(getattr(column, "runnable", True)) and getattr(column, "measure", "") != AT_START


def suggest_change(plan: Plan, again: Replan | None, given: Mapping[str, Any]) -> str:
    """Return a sentence with a change of the problem that gives a guarantee, found by trying; or with the changes tried in vain."""
    first_n = getattr(getattr(plan, "repaired_promise", None), "first_n", None)
    if first_n:
        return f"The variant repaired promises something from n = {first_n:.3g} records on."
    general = "A larger epsilon, more records n, more steps (T_max) or smaller constants of the problem may change that."
    if again is None:
        return general
    tried = []
    for words, changes in candidate_changes(plan, given):
        tried.append(words)
        try:
            more = again(**changes)
        except ValueError:
            continue
        found = {name: value for name, value in certified_variants(more).items() if getattr(more.columns[name], "measure", "") != AT_START}
        if found:
            name = min(found, key=lambda one: found[one])
            return f"{words}, the variant {name} certifies {found[name]:.4g}."
    return (
        f"Nothing is promised {' or '.join(one[0].lower() + one[1:] for one in (tried[0], tried[-1]))} either. {general}"
        if tried
        else general
    )


def candidate_changes(plan: Plan, given: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield changes of a problem as (words, values): more steps if T_max was given, then more records."""
    most = given.get("T_max")
    if isinstance(most, int | float):
        yield from ((f"With --T-max {most * times:g}", {"T_max": int(most * times)}) for times in TIMES)
    n = plan.problem["n"]
    whole = isinstance(given.get("n"), int)
    for times in TIMES:
        yield f"With {times:,} times as many records, n = {n * times:g}", {"n": int(n * times) if whole else n * times}


def replanning_function(call: Callable[..., Plan], method: str, given: Mapping[str, Any]) -> Replan:
    """Return a function again(**changes) that calls `call` for the same method and problem with these changes."""

    def again(**changes: Any) -> Plan:
        return call(method, **{**given, **changes})

    return again
