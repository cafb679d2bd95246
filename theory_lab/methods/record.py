"""What the front door knows of a method: one light record. Whatever is heavy stands in it by its address, "module:name".

The command line and the Python front door loop over the records and name no method themselves.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bounds.contents import found_at
from theory_lab import NAMES

if TYPE_CHECKING:
    from synthetic.record import Kernel

Function = Callable[..., Any] | str  # itself, or its address


def resolved(where: Any) -> Any:
    """Return what stands at an address, a module where no name follows it; what is no address itself."""
    return found_at(where) if isinstance(where, str) else where


TAKEN = {  # names that the command line uses itself
    *("command", "help", "json", "known", "latex", "method", "module", "names", "objective", "out", "own", "preview", "record"),
    *("run", "store", "watched", "workers"),
}


@dataclass(frozen=True)
class Option:
    """An option of a command: `name` is the keyword of the call, `kind` makes a value of its text; `many` may be given again and again."""

    name: str
    help: str
    kind: Callable[[str], Any] = str
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] | None = None
    metavar: str | None = None
    flag: str = ""
    many: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for a name that the command line uses itself."""
        if self.name in TAKEN or self.written.removeprefix("--") in TAKEN:
            raise ValueError(f"name = {self.name!r}: the command line uses {self.written} itself, give this option another name")

    @property
    def written(self) -> str:
        """The option as it is written on the command line."""
        return self.flag or "--" + self.name.replace("_", "-")

    def add(self, parser: argparse.ArgumentParser) -> None:
        """Give a command this option."""
        parser.add_argument(
            self.written,
            dest=self.name,
            help=self.help,
            type=self.kind,
            required=self.required,
            default=[] if self.many else self.default,
            choices=self.choices,
            metavar=self.metavar,
            action="append" if self.many else "store",
        )


@dataclass(frozen=True)
class Kind:
    """A kind of objective: its class, what is special about it, and an example of it.

    listed    what a file of one's own calls its table of such objectives
    table     name -> the function that makes one, or its address: what --objective allows, by default the first
    """

    of: str
    feature: str
    example: str
    listed: str
    table: Mapping[str, Function]

    def made(self, name: str) -> Callable[..., Any]:
        """Return the function that makes the objective of a name."""
        found: Callable[..., Any] = resolved(self.table[name])
        return found


def made_in(*modules: str) -> dict[str, Function]:
    """Return the names of the front door that stand in these modules, and their addresses."""
    return {name: where for name, where in NAMES.items() if where.partition(":")[0] in modules}


SUM = Kind(
    of="synthetic.objectives:Objective",
    feature="",
    example="lab.quadratic('inverse', d=20, n=100, seed=0)",
    listed="OBJECTIVES",
    table=made_in("synthetic.objectives"),
)
SADDLE = Kind(
    of="synthetic.landscape:Landscape",
    feature="with a saddle",
    example="lab.random_phase_cosines(d)",
    listed="LANDSCAPES",
    table=made_in("synthetic.separable_saddles", "synthetic.coupled_saddles"),
)


@dataclass(frozen=True)
class Plans:
    """How parameters are recommended.

    words, described    in the help of the commands
    call                call(method, **problem) -> a `bounds.plan.Plan`; `options` are its arguments
    columns             the names of the plan's columns, for --plan
    problem             problem(method, objective, given) -> what an objective says of the problem
    """

    words: str
    described: str
    call: Function
    options: tuple[Option, ...]
    columns: tuple[str, ...] = ()
    problem: Function | None = None


@dataclass(frozen=True)
class Figures:
    """Figures that one command draws together.

    drawn    drawn(arguments, store, progress) gives for each name: name, picture, rows, provenance
    parts    for `theory_lab.drawing.drawn`: name -> a module of `figures`, or a value in one, with PAPER, PREVIEW, data, draw, table,
             provenance, and, where it is not `figures.style.less`, less(experiment, PAPER) -> in what an experiment is less, or "",
             and what its figure then does not show; `options` that are no field of its experiment are refused
    store    where their finished cells are kept;  `options` besides those of every figure
    """

    names: tuple[str, ...]
    drawn: Function = "theory_lab.drawing:drawn"
    parts: Mapping[str, str] = field(default_factory=dict)
    store: str = "results/own.sqlite"
    options: tuple[Option, ...] = ()


@dataclass(frozen=True)
class Method:
    """A method.

    paper        the key of its paper;  words, described   in the help of the commands
    run          run(method, objective, plan, **settings) -> what a simulation saw, and, where there is a plan, what it says of it;
                 `method` is its kernel, or its name where it has none
    kernel       of a method on sums of losses: the record of its loop, or its address
    simulated    simulated(arguments) -> `Told`, the command `simulate`; `options` are its options
    kind         of the objectives that it runs on; None where its options say it all
    plans        how its parameters are recommended, None where nobody knows;  figures   that it is in
    """

    name: str
    paper: str
    words: str
    described: str
    options: tuple[Option, ...] = field(repr=False)
    simulated: Function = field(repr=False)
    run: Function = field(default="paper_checks.experiment:run", repr=False)
    kernel: Kernel | str | None = None
    kind: Kind | None = field(default=None, repr=False)
    plans: Plans | None = field(default=None, repr=False)
    figures: Figures | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Raise ValueError where two options of one command have the same name."""
        for options in (self.options, self.plans.options if self.plans else ()):
            names = [one.name for one in options]
            if twice := {name for name in names if names.count(name) > 1}:
                raise ValueError(f"options of {self.name}: {min(twice)!r} is there twice")

    def choices(self, name: str) -> tuple[str, ...]:
        """Return the words that an option of `simulate` allows, none where it has no such option."""
        return next((one.choices or () for one in self.options if one.name == name), ())


@dataclass(frozen=True)
class Told:
    """What a simulation tells: as JSON; as tables, each a title and its rows; and sentences below them."""

    json: Mapping[str, Any]
    tables: Sequence[tuple[str, Sequence[Mapping[str, Any]]]]
    notes: Sequence[str] = ()


Drawn = Iterator[tuple[str, Any, list[dict[str, Any]], dict[str, Any]]]  # name, picture, rows, provenance


# --- what the command line takes for a value --------------------------------------------------------------------------------------------
def whole(text: str) -> int:
    """Return the integer that a text means, 100 for "100" and "1e2"; what its size may be is checked where it is used."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
        if number == int(number):
            return int(number)
    except (ValueError, OverflowError):
        pass
    raise argparse.ArgumentTypeError(f"{text!r}: a whole number is needed, such as 100 or 1e2")


def assigned(pairs: Sequence[str]) -> dict[str, float]:
    """Return {"h": 0.5} for ["h=0.5"]; a number without a point, such as 100 or 1e2, is an integer if it is whole."""
    found = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        try:
            value = float(text)
        except ValueError:
            raise ValueError(f"{pair!r}: NAME=VALUE with a number is needed") from None
        found[name] = int(value) if value.is_integer() and "." not in text and abs(value) < 2**53 else value
    return found


def wholes(text: str) -> tuple[int, ...]:
    """Return the integers that a text such as "20,50,100" means."""
    try:
        return tuple(whole(part) for part in text.split(","))
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text!r}: integers joined by commas are needed") from None


def words(allowed: Sequence[str]) -> Callable[[str], tuple[str, ...]]:
    """Return a converter of "flat,inverse" to a tuple of allowed words."""

    def convert(text: str) -> tuple[str, ...]:
        parts = tuple(text.split(","))
        wrong = [part for part in parts if part not in allowed]
        if wrong:
            raise argparse.ArgumentTypeError(f"{wrong[0]!r}: one of {', '.join(allowed)} is needed")
        return parts

    return convert
