"""Plans: what a recommendation says, column by column, and what a column gives a run. The plans of every paper are made of these.

A paper's column is a frozen dataclass of its numbers that inherits from `Column`; its plan is a frozen dataclass of columns, and of what
goes with them, that inherits from `Plan` (with repr=False, so that all plans are shown alike). Their fields, in order, are the JSON.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, asdict, dataclass
from typing import Any, ClassVar

import bounds
from bounds.privacy.release import Release
from bounds.strict_json import strict_json
from bounds.typeset import html

RELATIONS = {"replace_one": "one replaced record", "add_or_remove_one": "one record more or less"}  # in what neighbouring data sets differ
NOTHING, NOT_PRIVATE = "nothing", "not private"  # why a column certifies none
ESTIMATED = "ESTIMATED, not known"  # how the caveat of a plan begins whose constants are estimates
Rows = list[list[tuple[Any, ...]]]
Own = tuple[tuple[str, str], ...]  # names of columns, each with the theorem of the lab that it rests on
NUMBERED = re.compile(r"\w+\.(theorem|lemma|corollary)_?[a-z]?_?\d\w*")  # keys of what a paper states: ours have words


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
    release     what its noise is calibrated to; None where there is no schedule, or a proof counts other releases than T noisy means
    runs        the methods that run with it, the one that it was recommended for first
    ROWS        the numbers that a table shows
    ACCOUNTED   arguments of a run that its privacy rests on, UNACCOUNTED what is said where one is set by hand
    FREE        arguments that it does not rest on; those that are in neither count as accounted, unless FREE is empty
    PROMISE     how a sentence names what the column promises
    CHOICE      the numbers that a table over several epsilon shows, besides what is certified
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    ROWS: ClassVar[tuple[str, ...]]
    ACCOUNTED: ClassVar[tuple[str, ...]] = ()
    FREE: ClassVar[tuple[str, ...]] = ("replicates", "seed", "threads", "progress")
    UNACCOUNTED: ClassVar[str] = "not taken from the plan"
    PROMISE: ClassVar[str] = "What the plan certifies"
    CHOICE: ClassVar[tuple[str, ...]] = ("T", "sigma")
    theorem: str
    method: str
    constants: Mapping[str, float]
    caveats: tuple[str, ...] = ()
    release: Release | None = None

    @property
    def runs(self) -> tuple[str, ...]:
        """The methods that run with it, by default the one that it was recommended for."""
        return (self.method,)

    def record(self) -> dict[str, Any]:
        """Return the column for JSON, None for what does not exist: nothing is certified without a schedule, or with too little noise."""
        found = asdict(self)
        return found | {"certified": None} if "certified" in found and self.why_nothing() else found

    def why_nothing(self) -> str:
        """Return why no number is called certified: without a schedule "nothing" is, with too little noise it is "not private"; or ""."""
        if math.isnan(getattr(self, "sigma", 0.0)):
            return NOTHING
        return "" if getattr(self, "private", True) else NOT_PRIVATE

    def describe_certified(self) -> str:
        """Return in a few words what is certified, or why nothing is."""
        why = self.why_nothing()
        return f"certified {self.record()['certified']:.3g}" if not why else f"{NOTHING} certified" if why == NOTHING else why

    def numbers(self) -> dict[str, Any]:
        """Return the numbers that a table shows, by name: words where there are several, one for each stage, or none."""
        found = self.record()
        return {name: cell(found[name]) for name in self.ROWS}

    def cells(self, names: Iterable[str]) -> dict[str, Any]:
        """Return what a table for readers shows of some numbers, by name: "none" for those that do not exist, as without a schedule."""
        found = self.record()
        shown = {name: cell(found[name]) for name in names if name in found}
        nowhere = self.why_nothing() == NOTHING
        missing = ("nan", 0) if nowhere else ("nan",)
        return {name: "none" if is_nan(value) or value in missing else value for name, value in shown.items()}

    def arguments(self, method: str, place: Place, /, **settings: Any) -> dict[str, Any]:
        """Return the arguments of a run of the column by one of its methods; what is given besides wins.

        Raises ValueError where the column cannot be run, or its noise is too little for the objective.
        """
        raise NotImplementedError

    def only_for(self, method: str) -> None:
        """Raise ValueError unless a method runs with the column."""
        if method not in self.runs:
            raise ValueError(f"plan = a plan of {self.runs[0]}: {method} needs its own plan, lab.recommend({method!r}, ...)")

    def remarks(self, place: Place, settings: Mapping[str, Any], given: Mapping[str, Any]) -> Remarks:
        """Return what is said of a run with these settings, of which `given` were given besides the plan."""
        unknown = [name for name in given if name not in (*self.ACCOUNTED, *self.FREE)] if self.FREE else []
        if by_hand := [*(name for name in self.ACCOUNTED if name in given), *unknown]:
            return Remarks((f"No (epsilon, delta) is promised for this run: {', '.join(by_hand)} {self.UNACCOUNTED}.",))
        doubt = self.doubt(place, settings, given) or self.not_for(place)
        return Remarks((doubt,) if doubt else (), self.caveats)

    def doubt(self, place: Place, settings: Mapping[str, Any], given: Mapping[str, Any]) -> str:
        """Return why the promise is not for a run, in a sentence, besides what hand-set noise and other constants are; empty if it is."""
        return ""

    def not_for(self, place: Place) -> str:
        """Return in a sentence which constants make an objective another than the plan was made for; empty where none does."""
        worse = [f"{name} = {own:g}, not {made:g}" for name, (own, made) in self.beyond(place).items()]
        return f"{self.PROMISE} does not apply to this objective, which has {', '.join(worse)}." if worse else ""

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

    @property
    def own(self) -> Own:
        """The columns that rest on theorems which are not the paper's but the lab's own, with their keys."""
        return tuple((name, one.theorem) for name, one in self.columns.items() if is_own(one.theorem))

    @property
    def origin(self) -> str:
        """Which columns rest on the lab's own theorems, and how their proofs are printed, in a sentence; "" where none does."""
        return own_words(self.own)

    @property
    def papers(self) -> tuple[str, ...]:
        """The keys of the papers of the lab that its theorems belong to, or are about."""
        keys = (one.theorem.partition(".")[0] for one in self.columns.values() if one.theorem in bounds.THEOREMS)
        return tuple(dict.fromkeys(keys))

    @property
    def estimated(self) -> bool:
        """Whether a caveat says that constants of its problem are estimates."""
        return any(said.startswith(ESTIMATED) for said in self.caveats)

    def __repr__(self) -> str:
        of = ", of estimated constants" if self.estimated else ""
        return f"Plan({self.method}{of}: {self.summary()}; {len(self.caveats)} caveats)"

    def _repr_html_(self) -> str:
        (head,), *groups = self.rows()
        return html.table(self.method, head, [row for rows in groups for row in rows], self.said)

    def trivial(self, name: str) -> float:
        """Return what every point satisfies of that which a column bounds, inf where nothing is known: only less is worth certifying."""
        return math.inf

    def certifies(self, name: str) -> float | str:
        """Return what a column certifies, or in two words why it is nothing: "nothing", or "not private" where its noise is too little."""
        column = self.columns[name]
        if why := column.why_nothing():
            return why
        value = getattr(column, "certified", None)
        return value if value is not None and value < self.trivial(name) and math.isfinite(value) else NOTHING

    @property
    def said(self) -> tuple[str, ...]:
        """All sentences that stand below its table: where theorems are from that are not the paper's, and every caveat."""
        return (*filter(None, [self.origin]), *self.caveats)

    def summary(self) -> str:
        """Return in a few words what the columns promise."""
        return ", ".join(self.COLUMNS)

    def rows(self) -> Rows:
        """Return the plan as groups of rows, the head first: a name or words, then what each column has."""
        numbers = [one.cells(one.ROWS) for one in self.columns.values()]
        names = dict.fromkeys(name for one in numbers for name in one)
        head = ("", *("as printed" if name == "printed" else name for name in self.COLUMNS))
        return [[head], [(name, *(one.get(name, "none") for one in numbers)) for name in names], *self.promises()]

    def table(self) -> list[dict[str, Any]]:
        """Return the rows of the plan as data: the name of each row under "row", then the value of each variant under its name."""
        _, *groups = self.rows()
        return [{"row": str(name), **dict(zip(self.COLUMNS, values, strict=True))} for rows in groups for name, *values in rows]

    def dataframe(self) -> Any:
        """Return the rows as a pandas DataFrame, indexed by their names; raises ValueError where pandas is not installed."""
        try:
            from pandas import DataFrame
        except ImportError:
            said = "pandas is needed: python -m pip install pandas. The method table() has the same rows without it"
            raise ValueError(f"dataframe: {said}") from None
        return DataFrame(self.table()).set_index("row")

    def promises(self) -> Rows:
        """Return the groups of rows below the numbers."""
        return [[(said, *(self.promised(column, name) for column in self.COLUMNS)) for said, name in self.PROMISED.items()]]

    def promised(self, name: str, what: str) -> Any:
        """Return what a row below the numbers shows of a column; why nothing is certified where it is not private or has no schedule."""
        column = self.columns[name]
        if what == "bound" and column.why_nothing() == NOTHING:
            return "none"
        return (what == "certified" and column.why_nothing()) or getattr(column, what)

    def json(self) -> str:
        """Return the plan as JSON; numbers that do not exist, or that JSON does not know, become null."""
        return strict_json(asdict(self) | {name: one.record() for name, one in self.columns.items()} | {"origin": self.origin})

    def latex(self) -> str:
        r"""Return a table for a paper (booktabs) with problem, privacy, every row, every caveat, \label, its source and BibTeX of that."""
        from bounds.typeset import latex as typeset  # here: it needs SymPy, which the numbers do not

        rows = [[(self.IN_PRINT.get(name, name), *values) for name, *values in group] for group in self.rows()]
        differ = "" if self.NEIGHBOURS is None else RELATIONS[self.NEIGHBOURS]
        return typeset.plan(self.method, self.problem, differ, rows, self.caveats, self.own, self.papers)


class Certified(Plan):
    """A plan as printed, repaired and sharp, whose columns have a `measure`, a `bound`, what is `certified`, and are `private` or not."""

    COLUMNS = ("printed", "repaired", "sharp")
    NEIGHBOURS = "replace_one"
    PROMISED: ClassVar[Mapping[str, str]] = {
        "theorem": "theorem",
        "measure": "measure",
        "bound of the theorem": "bound",
        "certified": "certified",
    }

    def summary(self) -> str:
        """Return what is certified."""
        return "certified " + ", ".join(f"{name} {cell_of(self.promised(name, 'certified'))}" for name in self.COLUMNS)


def is_own(key: str) -> bool:
    """Say whether a key is that of a theorem of the lab itself, in place of one of a paper: without opening its page."""
    return key in bounds.THEOREMS and not NUMBERED.fullmatch(key)


def shown_by(key: str) -> str:
    """Return the command that prints the proof of a theorem."""
    return f"theory-lab show {key} --proof"


def own_words(own: Iterable[tuple[str, str]], command: Callable[[str], str] = shown_by) -> str:
    """Return which columns rest on the lab's own theorems, and the commands that print their proofs, in a sentence; "" for none."""
    pairs = tuple(own)
    if not pairs:
        return ""
    columns, keys = (list(dict.fromkeys(part)) for part in zip(*pairs, strict=True))
    few = len(columns) == 1
    said = f"The variant {columns[0]} rests on a theorem" if few else f"The variants {listed(columns)} rest on theorems"
    proofs = "its proof" if len(keys) == 1 else "their proofs"
    return f"{said} of this lab, not of the paper. To print {proofs}: {listed([command(key) for key in keys])}."


def listed(words: Iterable[str]) -> str:
    """Return words as a list in a sentence: a, b and c."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def cell_of(value: Any) -> str:
    """Return a number to four digits, and words as they are."""
    return value if isinstance(value, str) else f"{value:.4g}"


def is_nan(value: Any) -> bool:
    """Say whether a value is the float that is no number."""
    return isinstance(value, float) and math.isnan(value)


def cell(value: Any) -> Any:
    """Return what a table shows for the value of a column."""
    if isinstance(value, tuple):
        return ", ".join(f"{one:.4g}" for one in value)
    return "none" if value is None else value
