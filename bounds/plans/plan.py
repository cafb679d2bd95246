"""Base classes of plans: a variant is a set of parameters with its guarantee, a plan is a record of variants with caveats.

A paper's variants are frozen dataclasses of numbers that inherit from `Column`; its plan is a frozen dataclass of variants that inherits
from `Plan` (with repr=False, so that all plans are shown alike). Their fields, in order, are the JSON.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import bounds
from bounds.privacy.release import Release
from bounds.renamed import old_names
from bounds.strict_json import strict_json
from bounds.typeset import html

RELATIONS = {"replace_one": "one replaced record", "add_or_remove_one": "one record more or less"}  # in what neighbouring data sets differ
NOTHING, NOT_PRIVATE = "nothing", "not private"  # why a variant certifies nothing
ESTIMATED = "ESTIMATED, not known"  # how the caveat of a plan begins whose constants are estimates
Rows = list[list[tuple[Any, ...]]]
Own = tuple[tuple[str, str], ...]  # names of variants, each with the key of the lab's theorem that it rests on
NUMBERED = re.compile(r"\w+\.(theorem|lemma|corollary)_?[a-z]?_?\d\w*")  # keys of statements of a paper: those of the lab have no number


@dataclass(frozen=True)
class ObjectiveFacts:
    """The facts about an objective that a plan uses: name, constants (with n, d, m), where these hold, and the shapes of its x."""

    name: str
    constants: Mapping[str, float]
    where: str = "everywhere"
    shapes: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Remarks:
    """Sentences about a run of a plan: `against`, why the guarantee does not cover it, and caveats, which hold while its privacy does."""

    against: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()


class Column:
    """One variant of a plan: parameters, their guarantee, and the arguments of a run that uses them.

    theorem     key of the theorem that the guarantee rests on
    constants   of the problem: the guarantee holds for an objective that has no worse constant
    caveats     full sentences on the limits of the guarantee
    release     the release that the noise is calibrated to; None without a schedule, or if the proof counts other releases than T noisy
                means
    runs        the keys of the methods that can run with it, first the one that it was recommended for
    ROWS        names of the numbers that a table shows
    ACCOUNTED   arguments of a run that its privacy depends on; UNACCOUNTED is the text of the remark if one is set by hand
    FREE        arguments that its privacy does not depend on; an argument in neither counts as accounted, unless FREE is empty
    PROMISE     how a sentence names the guarantee
    CHOICE      names of the numbers that a table over several epsilon shows, besides the certified value
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
        """The keys of the methods that can run with this variant, by default the one that it was recommended for."""
        return (self.method,)

    def record(self) -> dict[str, Any]:
        """Return the fields as a dictionary for JSON, with None for values that do not exist."""
        found = asdict(self)
        return found | {"certified": None} if "certified" in found and self.why_nothing() else found

    def why_nothing(self) -> str:
        """Return why nothing is certified: "nothing" without a schedule, "not private" with too little noise; "" if something is."""
        if math.isnan(getattr(self, "sigma", 0.0)):
            return NOTHING
        return "" if getattr(self, "private", True) else NOT_PRIVATE

    def describe_certified(self) -> str:
        """Return a few words such as "certified 0.12", "nothing certified" or "not private"."""
        why = self.why_nothing()
        return f"certified {self.record()['certified']:.3g}" if not why else f"{NOTHING} certified" if why == NOTHING else why

    def numbers(self) -> dict[str, Any]:
        """Return the values of ROWS by name, as a table shows them."""
        found = self.record()
        return {name: format_cell(found[name]) for name in self.ROWS}

    def cells(self, names: Iterable[str]) -> dict[str, Any]:
        """Return the values of `names` by name, as text tables show them: "none" if one does not exist; unknown names are left out."""
        found = self.record()
        shown = {name: format_cell(found[name]) for name in names if name in found}
        nowhere = self.why_nothing() == NOTHING
        missing = ("nan", 0) if nowhere else ("nan",)
        return {name: "none" if is_nan(value) or value in missing else value for name, value in shown.items()}

    def arguments(self, method: str, place: ObjectiveFacts, /, **settings: Any) -> dict[str, Any]:
        """Return the arguments of a run of this variant by one of its methods; explicit `settings` override those of the plan.

        Raises ValueError if the variant cannot be run, or if its noise is too small for the objective.
        """
        raise NotImplementedError

    def only_for(self, method: str) -> None:
        """Check that the method can run with this variant; raise ValueError otherwise."""
        if method not in self.runs:
            raise ValueError(f"plan = a plan of {self.runs[0]}: {method} needs its own plan, lab.recommend({method!r}, ...)")

    def remarks(self, place: ObjectiveFacts, settings: Mapping[str, Any], given: Mapping[str, Any]) -> Remarks:
        """Return the remarks about a run with these settings, of which `given` were set by hand besides the plan."""
        unknown = [name for name in given if name not in (*self.ACCOUNTED, *self.FREE)] if self.FREE else []
        if by_hand := [*(name for name in self.ACCOUNTED if name in given), *unknown]:
            return Remarks((f"No (epsilon, delta) is promised for this run: {', '.join(by_hand)} {self.UNACCOUNTED}.",))
        doubt = self.doubt(place, settings, given) or self.not_for(place)
        return Remarks((doubt,) if doubt else (), self.caveats)

    def doubt(self, place: ObjectiveFacts, settings: Mapping[str, Any], given: Mapping[str, Any]) -> str:
        """Return a sentence why the guarantee does not hold for a run, "" if it does; subclasses override this default ""."""
        return ""

    def not_for(self, place: ObjectiveFacts) -> str:
        """Return a sentence that names the constants of the objective that are worse than the plan's; "" if there are none."""
        worse = [f"{name} = {own:g}, not {made:g}" for name, (own, made) in self.beyond(place).items()]
        return f"{self.PROMISE} does not apply to this objective, which has {', '.join(worse)}." if worse else ""

    def beyond(self, place: ObjectiveFacts) -> dict[str, tuple[float, float]]:
        """Return the constants of the objective that are worse than the plan's, as {name: (the objective's, the plan's)}."""
        pairs = {name: (place.constants[name], made) for name, made in self.constants.items() if name in place.constants}
        return {name: (own, made) for name, (own, made) in pairs.items() if (own < made if name in ("mu", "m") else own > made)}


class Plan:
    """A recommendation for one method and problem: its variants, each an attribute, and caveats about all of them.

    COLUMNS      the names of the variants, in the order of the tables
    NEIGHBOURS   the neighbouring relation, a key of `RELATIONS`; None if the method is not private
    IN_PRINT     titles of rows in a LaTeX table, by name, if neither the name nor the glossary's letter is to be used
    PROMISED     the rows of guarantees: the title of each, and the field of a variant that it shows
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
        """The variants of the plan, {name: `Column`}, in the order of the tables."""
        return {name: getattr(self, name) for name in self.COLUMNS}

    @property
    def own(self) -> Own:
        """The pairs (variant name, theorem key) of variants that rest on theorems of the lab itself, not of the paper."""
        return tuple((name, one.theorem) for name, one in self.columns.items() if is_lab_theorem(one.theorem))

    @property
    def origin(self) -> str:
        """A sentence that names the variants that rest on the lab's own theorems, and commands that print the proofs; "" if none."""
        return own_theorems_sentence(self.own)

    @property
    def papers(self) -> tuple[str, ...]:
        """The keys of the papers that the theorems of the plan belong to, without repetition."""
        keys = (one.theorem.partition(".")[0] for one in self.columns.values() if one.theorem in bounds.THEOREMS)
        return tuple(dict.fromkeys(keys))

    @property
    def estimated(self) -> bool:
        """Whether a caveat states that constants of the problem are estimates."""
        return any(said.startswith(ESTIMATED) for said in self.caveats)

    def __repr__(self) -> str:
        of = ", of estimated constants" if self.estimated else ""
        return f"Plan({self.method}{of}: {self.summary()}; {len(self.caveats)} caveats)"

    def _repr_html_(self) -> str:
        """Return the table of the plan as HTML for notebooks."""
        (head,), *groups = self.rows()
        return html.table(self.method, head, [row for rows in groups for row in rows], self.said)

    def trivial(self, name: str) -> float:
        """Return the trivial bound of what a variant bounds, which holds at every point; inf if none is known."""
        return math.inf

    def certifies(self, name: str) -> float | str:
        """Return the value that a variant certifies, or "nothing" or "not private" if it certifies none."""
        variant = self.columns[name]
        if why := variant.why_nothing():
            return why
        value = getattr(variant, "certified", None)
        return value if value is not None and value < self.trivial(name) and math.isfinite(value) else NOTHING

    @property
    def said(self) -> tuple[str, ...]:
        """The notes below the plan's table: the source of theorems that are not the paper's, if any, then every caveat."""
        return (*filter(None, [self.origin]), *self.caveats)

    def summary(self) -> str:
        """Return a few words about all variants: here their names; in subclasses their guarantees."""
        return ", ".join(self.COLUMNS)

    def rows(self) -> Rows:
        """Return the table of the plan as groups of rows, the head first: a row is a name and a value for each variant."""
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
        """Return the groups of table rows that show the guarantees: for each title in PROMISED (title, cell of each variant)."""
        return [[(said, *(self.promised(variant, name) for variant in self.COLUMNS)) for said, name in self.PROMISED.items()]]

    def promised(self, name: str, what: str) -> Any:
        """Return the field `what` of the variant `name` for the table; "none" or the reason for a bound or certified value it lacks."""
        variant = self.columns[name]
        if what == "bound" and variant.why_nothing() == NOTHING:
            return "none"
        return (what == "certified" and variant.why_nothing()) or getattr(variant, what)

    def json(self) -> str:
        """Return the plan as JSON text; values that do not exist, inf and nan become null."""
        return strict_json(asdict(self) | {name: one.record() for name, one in self.columns.items()} | {"origin": self.origin})

    def latex(self) -> str:
        r"""Return the plan as a floating LaTeX table (booktabs) with problem, privacy, all rows and caveats, \label, source and BibTeX."""
        from bounds.typeset import latex as typeset  # here: it needs SymPy, which the numbers do not

        rows = [[(self.IN_PRINT.get(name, name), *values) for name, *values in group] for group in self.rows()]
        differ = "" if self.NEIGHBOURS is None else RELATIONS[self.NEIGHBOURS]
        return typeset.plan_table(self.method, self.problem, differ, rows, self.caveats, self.own, self.papers)


class Certified(Plan):
    """A plan with variants printed, repaired and sharp, each with `measure`, `bound`, `certified` and `private`."""

    COLUMNS = ("printed", "repaired", "sharp")
    NEIGHBOURS = "replace_one"
    PROMISED: ClassVar[Mapping[str, str]] = {
        "theorem": "theorem",
        "measure": "measure",
        "bound of the theorem": "bound",
        "certified": "certified",
    }

    def summary(self) -> str:
        """Return the certified values of all variants as text, such as "certified printed nothing, repaired 1.2, sharp 0.5"."""
        return "certified " + ", ".join(f"{name} {format_number(self.promised(name, 'certified'))}" for name in self.COLUMNS)


def is_lab_theorem(key: str) -> bool:
    """Return whether a key is that of a theorem of the lab itself, not of a paper; its page is not opened."""
    return key in bounds.THEOREMS and not NUMBERED.fullmatch(key)


def proof_command(key: str) -> str:
    """Return the command line that prints the proof of a theorem."""
    return f"theory-lab show {key} --proof"


def own_theorems_sentence(own: Iterable[tuple[str, str]], command: Callable[[str], str] = proof_command) -> str:
    """Return a sentence that names variants resting on the lab's own theorems and the commands that print the proofs; "" if none."""
    pairs = tuple(own)
    if not pairs:
        return ""
    variants, keys = (list(dict.fromkeys(part)) for part in zip(*pairs, strict=True))
    few = len(variants) == 1
    said = f"The variant {variants[0]} rests on a theorem" if few else f"The variants {join_words(variants)} rest on theorems"
    proofs = "its proof" if len(keys) == 1 else "their proofs"
    return f"{said} of this lab, not of the paper. To print {proofs}: {join_words([command(key) for key in keys])}."


def join_words(words: Iterable[str]) -> str:
    """Join words as in a sentence, "a, b and c"; there must be at least one."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def format_number(value: Any) -> str:
    """Return a number as text with four significant digits, and text unchanged."""
    return value if isinstance(value, str) else f"{value:.4g}"


def is_nan(value: Any) -> bool:
    """Return whether a value is a float nan."""
    return isinstance(value, float) and math.isnan(value)


def format_cell(value: Any) -> Any:
    """Return a value as tables show it: a tuple as text, None as "none", anything else unchanged."""
    if isinstance(value, tuple):
        return ", ".join(f"{one:.4g}" for one in value)
    return "none" if value is None else value


if not TYPE_CHECKING:  # it would give every misspelt name a type
    __getattr__ = old_names(
        __name__, Place="ObjectiveFacts", is_own="is_lab_theorem", own_words="own_theorems_sentence", shown_by="proof_command",
        listed="join_words", cell_of="format_number", cell="format_cell",
    )  # fmt: skip
