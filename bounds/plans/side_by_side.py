"""Plans of one problem at several epsilon, compared side by side."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bounds.plans.plan import NOT_PRIVATE, NOTHING, RELATIONS, Own, Plan, own_theorems_sentence
from bounds.typeset import html
from bounds.validate import is_real, short_repr

NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?:e[+-]?\d+)?")
NEEDED = "numbers above 0 are needed, each larger than the one before, such as 0.5,1,2,4"
LARGE = 10_000_000  # an integer from here on is shown as a power of ten
PARTS = 100  # parts of a plan in which progress is reported


@dataclass(frozen=True, repr=False)
class Several(Sequence[Plan]):
    """A sequence of plans of one method and problem at increasing epsilon; `rows` compares what they certify."""

    plans: tuple[Plan, ...]

    def __len__(self) -> int:
        return len(self.plans)

    def __getitem__(self, index: Any) -> Any:
        return Several(self.plans[index]) if isinstance(index, slice) else self.plans[index]

    def __iter__(self) -> Iterator[Plan]:
        return iter(self.plans)

    def __repr__(self) -> str:
        return f"Several({self.method}: plans at epsilon = {listed(self.epsilons)})"

    def _repr_html_(self) -> str:
        """Return the table as HTML for notebooks."""
        first, *_ = rows = self.rows()
        return html.table(self.title, tuple(first), [tuple(row.values()) for row in rows], self.said)

    @property
    def method(self) -> str:
        """The key of the method of all plans."""
        return self.plans[0].method

    @property
    def epsilons(self) -> tuple[float, ...]:
        """The epsilon of each plan."""
        return tuple(plan.problem["epsilon"] for plan in self.plans)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the variants of every plan, in the order of the tables."""
        return self.plans[0].COLUMNS

    @property
    def problem(self) -> dict[str, float]:
        """The values of the problem that all plans share, without epsilon."""
        alike = self.plans[0].problem
        return {name: value for name, value in alike.items() if all(plan.problem.get(name) == value for plan in self.plans)}

    @property
    def title(self) -> str:
        """The title of the table: the method and the values of the problem that all plans share."""
        of = "; of estimated constants" if self.estimated else ""
        return f"{self.method}: {', '.join(f'{name} = {value:g}' for name, value in self.problem.items() if name != 'epsilon')}{of}"

    @property
    def estimated(self) -> bool:
        """Whether any constant of the problem is an estimate: the certified bounds then hold only if the estimates are true bounds."""
        return any(plan.estimated for plan in self.plans)

    def trivial(self) -> dict[float, list[str]]:
        """Return {trivial bound: names of the variants it is for}, finite ones only; these bounds hold at every point."""
        found: dict[float, list[str]] = {}
        for name in self.columns:
            if math.isfinite(value := self.plans[0].trivial(name)):
                found.setdefault(value, []).append(name)
        return found

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each epsilon: what each variant certifies, or why nothing, and the numbers of its CHOICE."""
        return [{"epsilon": epsilon} | self._plan_row(plan) for epsilon, plan in zip(self.epsilons, self.plans, strict=True)]

    def _plan_row(self, plan: Plan) -> dict[str, Any]:
        """Return the row of a plan without its epsilon: certified values and the numbers of CHOICE, by title."""
        found: dict[str, Any] = {}
        for name, variant in plan.columns.items():
            found[f"{name} certifies"] = plan.certifies(name)
            found |= {f"{name} {one}": _large_as_float(value) for one, value in variant.cells(variant.CHOICE).items()}
        return found

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each epsilon and variant with the problem and every number of its table, for CSV.

        If a variant certifies nothing, `certifies` is nan and `nothing` has the reason.
        """
        found = []
        for epsilon, plan in zip(self.epsilons, self.plans, strict=True):
            for name, variant in plan.columns.items():
                value = plan.certifies(name)
                why = value if isinstance(value, str) else ""
                row = {"epsilon": epsilon, "column": name, "theorem": variant.theorem}
                row |= {"certifies": math.nan if why else value, "nothing": why}
                row |= {**plan.problem, "epsilon": epsilon} | ({"constants": "estimated"} if plan.estimated else {})
                found.append(row | variant.numbers())
        names = list(dict.fromkeys(name for row in found for name in row))
        return [{name: row.get(name, "none") for name in names} for row in found]

    @property
    def said(self) -> tuple[str, ...]:
        """All sentences below the table: what its words mean, which theorems are the lab's own, and every caveat once."""
        return (*self._explanations(), *filter(None, [own_theorems_sentence(self._own_theorems())]), *self.caveats)

    def _own_theorems(self) -> Own:
        """Return the pairs (variant name, theorem key) of the lab's own theorems, without repetition."""
        return tuple(dict.fromkeys(pair for plan in self.plans for pair in plan.own))

    def measures(self) -> dict[str, str]:
        """Return the measure that each variant bounds, by its name, for variants that certify something and state it."""
        pairs = (pair for plan in self.plans for pair in plan.columns.items() if isinstance(plan.certifies(pair[0]), float))
        return {name: variant.measure for name, variant in pairs if hasattr(variant, "measure")}

    def _explanations(self) -> Iterator[str]:
        """Yield the sentences that explain the table: what the certified numbers bound, "nothing", and "not private"."""
        if found := self.measures():
            alike = len(set(found.values())) == 1
            bounded = next(iter(found.values())) if alike else "; ".join(f"{name} bounds {measure}" for name, measure in found.items())
            yield f"The certified numbers are upper bounds{f' of {bounded}' if alike else f': {bounded}'}."
        said = {value for plan in self.plans for name in self.columns if isinstance(value := plan.certifies(name), str)}
        if NOTHING in said:
            known = "; ".join(f"{value:.4g} for {', '.join(names)}" for value, names in self.trivial().items())
            above = f" (it is {known})" if known else ""
            yield f"A variant certifies nothing where its bound is not below the trivial bound, which holds at every point{above}."
        if NOT_PRIVATE in said:
            yield "A variant is called not private where its noise is not shown to be enough for that epsilon."

    @property
    def caveats(self) -> tuple[str, ...]:
        """Every caveat once; a caveat of some plans only, or with different numbers in each, names its epsilon."""
        found: dict[str, list[tuple[float, str]]] = {}
        for epsilon, plan in zip(self.epsilons, self.plans, strict=True):
            for text in plan.caveats:
                found.setdefault(NUMBER.sub("#", text), []).append((epsilon, text))
        return tuple(self._merge_caveats(ones) for ones in found.values())

    def _merge_caveats(self, ones: Sequence[tuple[float, str]]) -> str:
        """Merge caveats (epsilon, text) that differ in numbers only into one text, which names the epsilon that it holds for."""
        first, text = ones[0]
        where = list(dict.fromkeys(epsilon for epsilon, _ in ones))
        at = "" if len(where) == len(self) else f"epsilon = {listed(where)}"
        numbers = "" if len({text for _, text in ones}) == 1 else f"numbers of epsilon = {first:g}"
        about = "; ".join(filter(None, [at, numbers]))
        return f"({about}) {text}" if about else text

    def json(self) -> str:
        """Return the plans as a JSON list, each as `Plan.json` gives it."""
        return f"[{', '.join(plan.json() for plan in self.plans)}]"

    def latex(self) -> str:
        r"""Return the plans as a floating LaTeX table (booktabs) with problem, privacy, all rows and caveats, \label, source and BibTeX."""
        from bounds.typeset import latex as typeset  # here: it needs SymPy, which the numbers do not

        neighbours = self.plans[0].NEIGHBOURS
        papers = list(dict.fromkeys(paper for plan in self.plans for paper in plan.papers))
        problem = {name: value for name, value in self.problem.items() if name != "epsilon"}
        caption = typeset.problem_caption(self.method, problem, "" if neighbours is None else RELATIONS[neighbours])
        said = [
            *map(typeset.text_latex, self._explanations()),
            *filter(None, [typeset.origin_note(self._own_theorems())]),
            *map(typeset.text_latex, self.caveats),
        ]
        rows = self.rows()
        how: dict[str, Any] = {"label": f"recommend {self.method} epsilon", "papers": papers, "size": typeset.font_size(rows)}
        return typeset.floating_table(caption, typeset.dense_table(rows), said, **how)


def _large_as_float(value: Any) -> Any:
    """Return an integer of at least LARGE as a float, anything else unchanged."""
    return float(value) if isinstance(value, int) and abs(value) >= LARGE else value


def listed(values: Sequence[float]) -> str:
    """Join numbers with commas for a sentence, such as "0.5, 1, 2"."""
    return ", ".join(f"{value:g}" for value in values)


def several(
    call: Callable[..., Any],
    epsilons: Sequence[float],
    *given: Any,
    progress: Callable[[int, int], None] | None = None,
    watched: bool = False,
    **problem: Any,
) -> Several:
    """Return a `Several` of the plans that `call` makes for one problem at increasing epsilon.

    call       call(*given, epsilon=..., **problem) -> a `bounds.plans.plan.Plan`; watched   whether it takes progress(done, total) itself
    progress   progress(done, total), called for each plan, and within a plan if the call is watched
    Raises ValueError if epsilons do not increase, and, with the epsilon named, if a plan cannot be made.
    """
    numbers = list(epsilons)
    if not numbers or not all(is_real(one) and one > 0 for one in numbers) or any(a >= b for a, b in pairwise(numbers)):
        raise ValueError(f"epsilon = {short_repr(numbers)}: {NEEDED}")
    plans, told, each = list[Plan](), progress or (lambda done, total: None), PARTS if watched else 1
    for k, epsilon in enumerate(numbers):
        more = {"progress": _part_progress(told, k, len(numbers))} if watched else {}
        told(k * each, len(numbers) * each)
        try:
            plan = call(*given, epsilon=epsilon, **problem, **more)
        except ValueError as error:
            raise ValueError(f"epsilon = {epsilon:g} of {listed(numbers)}: {error}") from error
        if not isinstance(plan, Plan):
            said = f"this method makes no bounds.plans.plan.Plan (it returned {short_repr(plan)}), so give a single epsilon"
            raise ValueError(f"epsilon = {listed(numbers)}: {said}")
        plans.append(plan)
    told(len(numbers) * each, len(numbers) * each)
    return Several(tuple(plans))


def _part_progress(told: Callable[[int, int], None], k: int, count: int) -> Callable[[int, int], None]:
    """Return the progress callback for the k-th plan of `count`, which reports to the callback of all plans."""
    return lambda done, total: told(PARTS * k + (PARTS - 1) * done // max(total, 1), PARTS * count)
