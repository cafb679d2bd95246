"""Records of methods: `Method` and its parts `Option`, `Kind`, `Plans`, `Figures`, and what the command line does with them.

Records are light: an object that is slow to import is given by its address, "module:name". The command line and the Python calls loop
over the records and name no method themselves.
"""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from bounds.pages.contents import import_object
from theory_lab import NAMES

if TYPE_CHECKING:
    from synthetic.declared.fields import Declaration, Field
    from synthetic.methods.record import Kernel

Function = Callable[..., Any] | str  # a function, or its address "module:name"


def resolved(where: Any) -> Any:
    """Return the object at an address "module:name", or the module for "module"; return anything but text unchanged."""
    return import_object(where) if isinstance(where, str) else where


TAKEN = {  # names that the command line uses itself
    "command", "csv", "help", "json", "known", "latex", "method", "module", "names", "objective", "out", "own", "picture", "preview",
    "record", "run", "scheduler", "store", "watched", "workers",
}  # fmt: skip


@dataclass(frozen=True)
class Option:
    """An option of a command.

    name   the keyword of the Python call;   kind   converts the option's text to a value
    flag   its spelling on the command line, by default --name;   many   whether it may be given several times
    """

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
        """Raise ValueError for a name that is no Python keyword argument or is reserved, and for an invalid flag."""
        if not self.name.isidentifier() or iskeyword(self.name):
            raise ValueError(f"name = {self.name!r}: a Python identifier that is no keyword is needed, such as x2")
        if not re.fullmatch(r"--?[A-Za-z][\w-]*", self.written):
            raise ValueError(f"flag = {self.written!r}: a letter such as -k or a word such as --keep is needed")
        if self.name in TAKEN or self.written == "-h" or self.written.removeprefix("--") in TAKEN:
            raise ValueError(f"name = {self.name!r}: the command line uses {self.written} itself; another name is needed")

    @property
    def written(self) -> str:
        """The option as written on the command line, such as --batch-size."""
        return self.flag or "--" + self.name.replace("_", "-")

    def add(self, parser: argparse.ArgumentParser) -> None:
        """Add this option to an argument parser."""
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


def option_of(one: Field, **changed: Any) -> Option:
    """Return the option of a command that a declared setting gives, with the attributes `changed` in place of its own."""
    kind: Callable[[str], Any] = float if one.kind is float else whole if one.kind is int else str
    if one.rule.stages:
        kind = per_stage(kind, "a whole number" if one.kind is int else "a number")
    said = one.rule.words.replace("%", "%%")
    if not one.needed and one.default is not None and "(default" not in said:
        said += f" (default: {one.default})"
    return replace(Option(one.name, said, kind, choices=one.allowed or None), **changed)


def per_stage(kind: Callable[[str], Any], words: str) -> Callable[[str], Any]:
    """Return a converter of option texts: "0.1" to one number, "0.2,0.1" to a tuple with one number per stage."""

    def convert(text: str) -> Any:
        """Convert the text, or raise ArgumentTypeError."""
        try:
            numbers = tuple(kind(part) for part in text.split(","))
        except (ValueError, argparse.ArgumentTypeError):
            raise argparse.ArgumentTypeError(f"{text!r}: {words}, or one for each stage, joined by commas, is needed") from None
        return numbers[0] if len(numbers) == 1 else numbers

    return convert


EPSILON, DELTA = "privacy parameter epsilon", "privacy parameter delta, between 0 and 1; choose it far below 1/n"  # in the help


def needed(**words: str) -> tuple[Option, ...]:
    """Return required numeric options, one for each name = help text."""
    return tuple(Option(name, said, float, required=True) for name, said in words.items())


@dataclass(frozen=True)
class Kind:
    """A kind of objective: its class, its special feature, and an example of it.

    listed    the name of the table of such objectives in a user's own file
    table     name -> the function that builds it, or its address: the choices of --objective, the first is the default
    takes     the arguments that the command passes to this function, in their order; --with gives further ones by name
    """

    of: str
    feature: str
    example: str
    listed: str
    table: Mapping[str, Function]
    takes: tuple[str, ...]

    def made(self, name: str) -> Callable[..., Any]:
        """Return the function that builds the objective of this name."""
        found: Callable[..., Any] = resolved(self.table[name])
        return found

    def built(self, name: str, *given: Any, **more: Any) -> Any:
        """Build the objective of this name from the command's arguments `given` and further ones, `more`.

        A float such as 2.0 becomes an int where the function takes an int.

        Raises ValueError where the function does not accept these arguments, needs others, or returns an object of another class.
        """
        constructor = self.made(name)
        parameters = inspect.signature(constructor).parameters
        try:
            bound = inspect.signature(constructor).bind_partial(*given).arguments
        except TypeError:
            taken = ", ".join(parameters) or "nothing"
            raise ValueError(f"objective = {name!r}: a function of {', '.join(self.takes)} is needed, but it takes {taken}") from None
        rest = {
            word: one for word, one in parameters.items() if word not in bound and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
        }
        anything = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
        types = hints(constructor)
        for word, value in more.items():
            if word in bound or (word not in rest and not anything):
                raise ValueError(f"--with {word}=...: {name} does not take {word} here; it takes {', '.join(rest) or 'nothing more'}")
            if isinstance(value, float) and int in (types.get(word), *get_args(types.get(word))) and value.is_integer():
                more[word] = int(value)
        if missing := [word for word, one in rest.items() if one.default is one.empty and word not in more]:
            first = missing[0]
            instance = f"--with {first}={worded(constructor).get(first, 2)}"
            raise ValueError(f"{first} is missing: {name} needs {', '.join(missing)}, for instance {instance}")
        found = constructor(*given, **more)
        if not isinstance(found, resolved(self.of)):
            raise ValueError(f"objective = {name!r}: its function returns {found!r:.80}, but a {self.of.replace(':', '.')} is needed")
        return found


def hints(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the type hints of a function's arguments by name; {} if a name in them cannot be resolved."""
    try:
        return get_type_hints(function)
    except (NameError, TypeError, AttributeError):
        return {}


def worded(function: Callable[..., Any]) -> dict[str, str]:
    """Return the arguments of a function whose type is a choice of words, each with its first word."""
    found = {name: get_args(kind) for name, kind in hints(function).items()}
    return {name: allowed[0] for name, allowed in found.items() if allowed and all(isinstance(one, str) for one in allowed)}


def made_in(*modules: str) -> dict[str, Function]:
    """Return the addresses of the public names of `theory_lab` that are defined in these modules, by name."""
    return {name: where for name, where in NAMES.items() if where.partition(":")[0] in modules}


SUM = Kind(
    of="synthetic.objectives.sums:Objective",
    feature="",
    example="lab.quadratic('inverse', d=20, n=100, seed=0)",
    listed="OBJECTIVES",
    table={**made_in("synthetic.objectives.sums"), **made_in("synthetic.objectives.stages"), **made_in("synthetic.objectives.matrices")},
    takes=("spectrum", "d", "n", "seed"),
)
MATRICES = replace(  # the same objectives; those whose parameter is a list of matrices come first
    SUM,
    example="lab.matrix_quadratic('inverse', d=32, n=100, seed=0, m=4)",
    table={**made_in("synthetic.objectives.matrices"), **made_in("synthetic.objectives.sums"), **made_in("synthetic.objectives.stages")},
)
SADDLE = Kind(
    of="synthetic.objectives.saddles:SaddleObjective",
    feature="with a saddle",
    example="lab.random_phase_cosines(d)",
    listed="LANDSCAPES",
    table=made_in("synthetic.objectives.separable_saddles", "synthetic.objectives.coupled_saddles"),
    takes=("d",),
)


@dataclass(frozen=True)
class Plans:
    """How parameters of a method are recommended.

    words, described    texts for the help of the commands
    call                call(method, **problem) -> a `bounds.plans.plan.Plan`; `options` are its arguments
    wider               names of further arguments, and the call that takes these too; it is made where one of them is given
    columns             the names of the plan's variants, for --plan
    problem             problem(method, objective, given) -> the arguments of `call` for an objective
    watched             whether `call` also takes progress(done, total), because it may take long
    unbatched           the reason why `call` takes no batch_size, a sentence; "" where it does, or nobody will ask
    batched             the name of the variant that a plan has only where batch_size is given; "" if there is none
    """

    words: str
    described: str
    call: Function
    options: tuple[Option, ...] = field(repr=False)
    columns: tuple[str, ...] = ()
    problem: Function | None = field(default=None, repr=False)
    watched: bool = field(default=False, repr=False)
    unbatched: str = field(default="", repr=False)
    batched: str = field(default="", repr=False)
    wider: tuple[frozenset[str], Function] | None = field(default=None, repr=False)

    def call_for(self, given: Iterable[str]) -> Function:
        """Return the function that recommends parameters where arguments with these names are given."""
        names, wider = self.wider or (frozenset(), self.call)
        return self.call if names.isdisjoint(given) else wider

    def need(self, method: str, objective: Any, given: Mapping[str, Any], written: str) -> None:
        """Raise ValueError for an argument that `call` needs and that neither the objective nor `given` provides.

        `written` tells how a user gives the argument, such as "--{name} too".
        """
        known = resolved(self.problem)(method, objective, given) if self.problem else None
        for one in self.options:
            if known is not None and one.required and known.get(one.name) is None:
                raise ValueError(f"{one.name} is missing: a plan of {method} needs {written.format(name=one.name)} ({one.help})")


@dataclass(frozen=True)
class Figures:
    """Figures that one command draws together.

    drawn    drawn(arguments, store, progress) yields (name, picture, rows, provenance) for each requested name
    parts    for `theory_lab.commands.figure.draw_figures`: name -> a module of `figures`, or a value in one, with PAPER, PREVIEW, data,
             draw, table, provenance, and optionally less(experiment, PAPER), else `figures.style.preview_differences`. It returns in what
             respect an experiment is smaller, or "", and what its figure then does not show. `options` must be fields of the experiment
    store    file of finished cells;  `options`   besides those of every figure
    titles   name -> what it shows, in a line
    """

    names: tuple[str, ...]
    drawn: Function = "theory_lab.commands.figure:draw_figures"
    parts: Mapping[str, str] = field(default_factory=dict, repr=False)
    store: str = "results/own.sqlite"
    options: tuple[Option, ...] = field(default=(), repr=False)
    titles: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Raise ValueError where two options have the same name or flag."""
        once(self.options, f"figures {', '.join(self.names)}")


@dataclass(frozen=True)
class Method:
    """A method, as the commands and the Python calls see it.

    paper        the key of its paper;  words, described   texts for the help of the commands
    run          run(method, objective, plan, **settings) -> the result of a simulation, which reports on its plan, if any;
                 `method` is the kernel, or the name of a method without kernel
    kernel       of a method on sums of losses the record of its loop, of another the function that runs it; or its address
    simulated    simulated(arguments) -> `Told`, for the command `simulate`; `options` are its options
    kind         of the objectives that it runs on; None where its options determine everything: it takes neither objective nor plan
    plans        how its parameters are recommended, or None;  figures   figures that show it, or None
    law          options of `predict`, if `synthetic.distribution.quadratic` simulates its name, or its kernel declares a linear step
    law_settings names of those among them that are settings of one's own method
    unplanned    the reason why its command `simulate` takes no --plan, a sentence
    parts        names of its parts that can be audited alone, such as oracles; `paper_checks.PAPER.audits` knows them
    declared     the declaration of its settings (`synthetic.declared`), or None
    """

    name: str
    paper: str
    words: str
    described: str
    options: tuple[Option, ...]
    simulated: Function
    run: Function = "paper_checks.experiment:run"
    kernel: Kernel | Function | None = None
    kind: Kind | None = None
    plans: Plans | None = None
    figures: Figures | None = None
    unplanned: str = ""
    law: tuple[Option, ...] = ()
    law_settings: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    declared: type[Declaration] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Raise ValueError where two options of a command have the same name or flag."""
        for options in (self.options, self.plans.options if self.plans else (), self.law):
            once(options, self.name)

    def __repr__(self) -> str:
        has = [word for word in ("kind", "plans", "figures", "law", "parts") if getattr(self, word)]
        return f"Method({self.name} of {self.paper}: {len(self.options)} options{''.join(f', {word}' for word in has)})"

    @property
    def runner(self) -> Any:
        """The kernel, imported if it is an address; None where there is none. Raises ValueError for an invalid address."""
        try:
            return resolved(self.kernel)
        except (ImportError, AttributeError) as error:
            said = f"{self.kernel!r} is not the address of a kernel, 'module:name' ({type(error).__name__}: {error})"
            raise ValueError(f"kernel of {self.name}: {said}") from error

    @property
    def private(self) -> bool:
        """Whether the declared method adds noise; without a declaration, whether its kernel does."""
        if self.declared:
            return any(one.name in ("sigma", "sigma_1") for one in self.declared.fields)
        return bool(getattr(self.runner, "private", False))

    def choices(self, name: str) -> tuple[str, ...]:
        """Return the allowed words of an option of `simulate`, () where it has none or there is no such option."""
        return next((one.choices or () for one in self.options if one.name == name), ())


@dataclass(frozen=True)
class Told:
    """The output of the command `simulate`: data for JSON; tables, each a title and its rows; and sentences printed below them."""

    json: Mapping[str, Any]
    tables: Sequence[tuple[str, Sequence[Mapping[str, Any]]]]
    notes: Sequence[str] = ()


def once(options: Sequence[Option], whose: str) -> None:
    """Raise ValueError where two options have the same name or flag; `whose` names their owner in the message."""
    for words in ([one.name for one in options], [one.written for one in options]):
        if twice := {word for word in words if words.count(word) > 1}:
            raise ValueError(f"options of {whose}: {min(twice)!r} occurs twice; another name is needed")


Drawn = Iterator[tuple[str, Any, list[dict[str, Any]], dict[str, Any]]]  # name, picture, rows, provenance


# --- what the command line takes for a value --------------------------------------------------------------------------------------------
def whole(text: str) -> int:
    """Parse a text such as "100" or "1e2" as an integer. Its range is checked where the integer is used."""
    with suppress(ValueError):
        return int(text)
    with suppress(ValueError, OverflowError):
        if (number := float(text)) == int(number):
            return int(number)
    raise argparse.ArgumentTypeError(f"{text!r}: a whole number is needed, such as 100 or 1e2")


def assigned(pairs: Sequence[str], words: Collection[str] = ()) -> dict[str, Any]:
    """Parse texts NAME=VALUE into a dictionary: {"h": 0.5} for ["h=0.5"].

    An integer without a point, such as 100 or 1e2, becomes an int. Values of the names in `words` stay text.
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        if name in words and text:
            found[name] = text
            continue
        try:
            value = float(text)
        except ValueError:
            raise ValueError(f"{pair!r}: NAME=VALUE with a number is needed") from None
        found[name] = int(value) if value.is_integer() and "." not in text and abs(value) < 2**53 else value
    return found


def wholes(text: str) -> tuple[int, ...]:
    """Parse a text such as "20,50,100" as a tuple of integers."""
    try:
        return tuple(whole(part) for part in text.split(","))
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text!r}: integers joined by commas are needed") from None
