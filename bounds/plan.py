"""Plans: what a recommendation says, column by column, and what a column gives a run. The plans of every paper are made of these.

A paper's column is a frozen dataclass of its numbers that inherits from `Column`; its plan is a frozen dataclass of columns, and of what
goes with them, that inherits from `Plan` (with repr=False, so that all plans are shown alike). Their fields, in order, are the JSON.
"""

from collections.abc import Mapping
from dataclasses import Field, asdict, dataclass
from typing import Any, ClassVar

from bounds import html
from bounds.strict_json import strict_json

RELATIONS = {"replace_one": "one replaced record", "add_or_remove_one": "one record more or less"}  # in what neighbouring data sets differ
Rows = list[list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Place:
    """What a plan asks of an objective: its name, its constants, n, d and m (clients) among them, where these hold, shapes of its x."""

    name: str
    constants: Mapping[str, float]
    where: str = "everywhere"
    shapes: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Remarks:
    """What is said of a run of a plan: `against`, where the plan does not vouch for it, and caveats, which hold while its privacy does."""

    against: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()


class Column:
    """One column of a plan: parameters, what they promise, and what a run of them is given.

    theorem     what the promise rests on
    constants   of the problem: the promise is for an objective of which none is worse
    caveats     full sentences: what the numbers do not say by themselves
    runs        the methods that run with it, the one that it was recommended for first
    ROWS        the numbers that a table shows
    ACCOUNTED   arguments of a run that its privacy rests on, UNACCOUNTED what is said where one is set by hand
    FREE        arguments that it does not rest on; those that are in neither count as accounted, unless FREE is empty
    PROMISE     how a sentence names what the column promises
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    ROWS: ClassVar[tuple[str, ...]]
    ACCOUNTED: ClassVar[tuple[str, ...]] = ()
    FREE: ClassVar[tuple[str, ...]] = ("replicates", "seed", "threads", "progress")
    UNACCOUNTED: ClassVar[str] = "set by hand"
    PROMISE: ClassVar[str] = "What the plan certifies"
    theorem: str
    method: str
    constants: Mapping[str, float]
    caveats: tuple[str, ...] = ()

    @property
    def runs(self) -> tuple[str, ...]:
        """The methods that run with it, by default the one that it was recommended for."""
        return (self.method,)

    def record(self) -> dict[str, Any]:
        """Return the column for JSON, None for what does not exist."""
        return asdict(self)

    def numbers(self) -> dict[str, Any]:
        """Return the numbers that a table shows, by name: words where there are several, one for each stage, or none."""
        found = self.record()
        return {name: cell(found[name]) for name in self.ROWS}

    def arguments(self, method: str, place: Place, /, **settings: Any) -> dict[str, Any]:
        """Return the arguments of a run of the column by one of its methods; what is given besides wins.

        Raises ValueError where the column cannot be run, or its noise is too little for the objective.
        """
        raise NotImplementedError

    def only_for(self, method: str) -> None:
        """Raise ValueError unless a method runs with the column."""
        if method not in self.runs:
            raise ValueError(f"plan = one of {self.runs[0]}: {method} needs one of its own, lab.recommend({method!r}, ...)")

    def remarks(self, place: Place, settings: Mapping[str, Any], given: Mapping[str, Any]) -> Remarks:
        """Return what is said of a run with these settings, of which `given` were given besides the plan."""
        unknown = [name for name in given if name not in (*self.ACCOUNTED, *self.FREE)] if self.FREE else []
        if by_hand := [*(name for name in self.ACCOUNTED if name in given), *unknown]:
            return Remarks((f"No (epsilon, delta) goes with this run: {', '.join(by_hand)} {self.UNACCOUNTED}.",))
        doubt = self.doubt(place, settings, given) or self.not_for(place)
        return Remarks((doubt,) if doubt else (), self.caveats)

    def doubt(self, place: Place, settings: Mapping[str, Any], given: Mapping[str, Any]) -> str:
        """Return why the promise is not for a run, in a sentence, besides what hand-set noise and other constants are; empty if it is."""
        return ""

    def not_for(self, place: Place) -> str:
        """Return in a sentence which constants make an objective another than the plan was made for; empty where none does."""
        worse = [f"{name} = {own:g}, not {made:g}" for name, (own, made) in self.beyond(place).items()]
        return f"{self.PROMISE} is not for this objective, which has {', '.join(worse)}." if worse else ""

    def beyond(self, place: Place) -> dict[str, tuple[float, float]]:
        """Return the constants of an objective that are worse than those of the problem: its own, and the problem's."""
        pairs = {name: (place.constants[name], made) for name, made in self.constants.items() if name in place.constants}
        return {name: (own, made) for name, (own, made) in pairs.items() if (own < made if name in ("mu", "m") else own > made)}


class Plan:
    """A recommendation for one method and problem: columns, each an attribute of its name, and caveats about all of them.

    COLUMNS      the names of the columns, in the order of the tables
    NEIGHBOURS   in what neighbouring data sets differ, a key of `RELATIONS`; None where the method is not private
    IN_PRINT     what a printed table calls a row, where neither its name nor the glossary's letter will do
    PROMISED     what of a column the rows below the numbers show, by what they call it
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    COLUMNS: ClassVar[tuple[str, ...]]
    NEIGHBOURS: ClassVar[str | None] = None
    IN_PRINT: ClassVar[Mapping[str, str]] = {}
    PROMISED: ClassVar[Mapping[str, str]] = {"theorem": "theorem"}
    method: str
    problem: Mapping[str, float]
    caveats: tuple[str, ...]

    @property
    def columns(self) -> dict[str, Column]:
        """The columns by name."""
        return {name: getattr(self, name) for name in self.COLUMNS}

    def __repr__(self) -> str:
        return f"Plan({self.method}: {self.summary()}; {len(self.caveats)} caveats)"

    def _repr_html_(self) -> str:
        (head,), *groups = self.rows()
        return html.table(self.method, head, [row for rows in groups for row in rows], self.caveats)

    def summary(self) -> str:
        """Return in a few words what the columns promise."""
        return ", ".join(self.COLUMNS)

    def rows(self) -> Rows:
        """Return the plan as groups of rows, the head first: a name or words, then what each column has."""
        numbers = [one.numbers() for one in self.columns.values()]
        names = dict.fromkeys(name for one in numbers for name in one)
        head = ("", *("as printed" if name == "printed" else name for name in self.COLUMNS))
        return [[head], [(name, *(one.get(name, "none") for one in numbers)) for name in names], *self.promises()]

    def promises(self) -> Rows:
        """Return the groups of rows below the numbers."""
        return [[(said, *(getattr(one, name) for one in self.columns.values())) for said, name in self.PROMISED.items()]]

    def json(self) -> str:
        """Return the plan as JSON; numbers that do not exist, or that JSON does not know, become null."""
        return strict_json(asdict(self) | {name: one.record() for name, one in self.columns.items()})

    def latex(self) -> str:
        """Return a table for a paper (booktabs) with problem, privacy, every row and every caveat."""
        from bounds import typeset  # here: it needs SymPy, which the numbers do not

        rows = [[(self.IN_PRINT.get(name, name), *values) for name, *values in group] for group in self.rows()]
        differ = "" if self.NEIGHBOURS is None else RELATIONS[self.NEIGHBOURS]
        return typeset.plan(self.method, self.problem, differ, rows, self.caveats)


class Certified(Plan):
    """A plan as printed, repaired and sharp, whose columns have a `measure`, a `bound` and what is `certified`."""

    COLUMNS = ("printed", "repaired", "sharp")
    NEIGHBOURS = "replace_one"
    PROMISED: ClassVar[Mapping[str, str]] = {"theorem": "theorem", "bounds": "measure", "formula": "bound", "certified": "certified"}

    def summary(self) -> str:
        """Return what is certified."""
        return "certified " + ", ".join(f"{name} {getattr(self, name).certified:.4g}" for name in self.COLUMNS)


def cell(value: Any) -> Any:
    """Return what a table shows for the value of a column."""
    if isinstance(value, tuple):
        return ", ".join(f"{one:.4g}" for one in value)
    return "none" if value is None else value
