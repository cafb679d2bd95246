"""The record of a method on sums: a `Kernel` holds its jitted loop and its settings, and `synthetic.runs.simulate` runs it.

A loop receives what its arguments are named after. They can be
    loss, gradient, value_gradient    jitted functions of an objective, with its data and params
    x (d,)                  the iterate, overwritten;   shapes (blocks, 2): rows and columns of its matrices, (d, 1) of a vector
    batch (rows, b)         indices of the samples, -1 where there is none: step t of the chunk uses row t mod rows
    nominal                 size of a batch, under Poisson sampling its mean: what a sum over the batch is divided by
    value, grad_norm_sq     (steps,): F_S and |grad F_S|^2 after each step;   clipped (steps,): fraction of the batch that was clipped in it
    tau, x_tau (d,)         before step tau of this chunk the iterate is copied to x_tau; tau outside the chunk copies nothing
    t0                      steps made before this chunk
    centre (d,), handed (d,)          with stages: the start of the stage, and an array of 0 for the mean that the stage hands on
and the settings of the run (`COMMON` and its own), its tables, its draws, its state and what its stage gives. The loop returns how many
steps ended at an x with finite |x|^2; fewer than the chunk has means that the next step did not. In a private method a sample whose
contribution is not finite has to count as 0, and as clipped: so the sensitivity is that of C for every possible record.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from synthetic.compiled import check_jitted
from synthetic.declared.fields import Declaration, Field
from synthetic.draws import BATCHES, DIRECTION_KINDS, OUTPUT, FloatArray
from synthetic.objectives.space import Space
from synthetic.renamed import old_names
from synthetic.validate import non_negative, one_of, positive, positive_integer, seed_integer, short_repr, to_python_number

Shape = Callable[[Space, Mapping[str, Any]], tuple[int, ...]]  # of an array, from the shape of x, the settings of the run and its tables
Table = Callable[[Space, Mapping[str, Any]], NDArray[np.int64]]  # from the shape of x and the settings
Law = Callable[[np.random.Generator, tuple[int, ...], Mapping[str, Any]], FloatArray]  # rows of these shapes, from the next of a stream

NEEDED = Parameter.empty
LEAST_C = 1e-150  # whose square is far above the least float: below it the squares of a gradient vanish, and nothing would be clipped


@dataclass(frozen=True)
class Setting:
    """A setting of a run: its name, its default and a check of its values.

    check      check(NAME=value) raises ValueError for a value that is not allowed
    default    its default; NEEDED: it must be given; a setting whose default is None may be given as None
    number     float: a kernel receives a float, since an int would compile it again; another type: the value as given
    many       whether a tuple of values is allowed, one for each stage of a run
    optional   whether None is allowed though it is not the default
    per_step   whether an array (T,) is allowed in `simulate`, one number for each step, of which a kernel receives one at a time
    """

    name: str
    check: Callable[..., None] = field(default=positive, repr=False)
    default: Any = field(default_factory=lambda: NEEDED)  # as a plain default it would make the signature show none
    number: type = field(default=float, repr=False)
    many: bool = field(default=False, repr=False)
    per_step: bool = field(default=False, repr=False)
    optional: bool = field(default=False, repr=False)

    @property
    def needed(self) -> bool:
        """Whether it must be given, because it has no default."""
        return self.default is NEEDED

    def checked(self, value: Any) -> Any:
        """Return the value as the kernel receives it, a tuple for several stages; raise ValueError where it is not allowed."""
        if value is None and (self.optional or self.default is None):
            return None
        if self.many and (isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim == 1)):
            return tuple(replace(self, many=False).checked(to_python_number(self.name, one)) for one in value)
        self.check(**{self.name: value})
        return float(value) if self.number is float else value


def declared_setting(one: Field) -> Setting:
    """Return the setting of a kernel that the field of a declaration gives."""
    return Setting(
        one.name,
        one.check,
        NEEDED if one.needed else one.default,
        one.kind,
        many=one.rule.stages,
        per_step=one.rule.steps,
        optional=one.optional,
    )


def _check_threshold(**given: float) -> None:
    """Raise ValueError unless every clipping threshold is at least LEAST_C."""
    positive(**given)
    for name, value in given.items():
        if value < LEAST_C:
            needed = f"at least {LEAST_C:g} is needed, because the squares of shorter gradients underflow"
            raise ValueError(f"{name} = {short_repr(value)}: {needed}")


def choice_setting(name: str, *allowed: str) -> Setting:
    """Return a setting that is one of the allowed words, by default the first."""
    return Setting(name, partial(one_of, allowed), allowed[0], str)


LAM = Setting("lam", default=1e-4, per_step=True)
DIRECTION = choice_setting("direction", *DIRECTION_KINDS)
SAMPLINGS = ("without_replacement", "poisson")
SAMPLING = choice_setting("sampling", *SAMPLINGS)  # of a kernel that is given `nominal`
ZEROTH = (LAM, DIRECTION)  # a kernel has these only if its record names them; the others of `COMMON` are every kernel's
COMMON = (  # in the order in which a run keeps them
    Setting("alpha", per_step=True),
    Setting("T", positive_integer, number=int),
    Setting("C", _check_threshold, None, per_step=True),
    LAM,
    Setting("sigma", non_negative, None, per_step=True),
    Setting("replicates", positive_integer, 1, int),
    Setting("seed", seed_integer, 0, int),
    DIRECTION,
    Setting("batch_size", positive_integer, None, int),
)
COMMON_NAMES = tuple(one.name for one in COMMON)
GIVEN: tuple[str, ...] = ("loss", "gradient", "value_gradient", "data", "params", "x", "shapes", "batch", "nominal")
GIVEN += ("value", "grad_norm_sq", "clipped", "tau", "x_tau", "t0")
OF_STAGE = ("centre", "handed")
UNSTEPPED = ("batch_size", "sampling", "replicates", "seed")  # settings on which a step with full batches does not depend
CALL = ("method", "objective", "threads", "progress")  # what a run is called with besides settings


def scalar(space: Space, settings: Mapping[str, Any]) -> tuple[int, ...]:
    """Return (), the shape of a draw that is one number for each step."""
    return ()


def vector(space: Space, settings: Mapping[str, Any]) -> tuple[int, ...]:
    """Return (d,), the shape of a draw that is as long as x."""
    return (space.d,)


def normal(rng: np.random.Generator, shape: tuple[int, ...], settings: Mapping[str, Any]) -> FloatArray:
    """Draw independent standard normal numbers of this shape."""
    return rng.standard_normal(shape)


def no_offset(settings: Mapping[str, Any]) -> int:
    """Return 0, the offset of a draw whose rows change after exactly `every` steps."""
    return 0


@dataclass(frozen=True)
class Draw:
    """A random array that a kernel receives for each chunk of steps, (rows, *shape).

    stream    the role of `synthetic.draws.generator` from which it comes; no other draw of the kernel may use it
    law       law(rng, (rows, *shape), settings and tables) -> the next rows; the same whether they are drawn at once or in parts
    every     name of the setting that is the number of steps that use one row; "": each step has its own. Step t of the chunk uses row
              (t0 + t + early) // every - (t0 + early) // every. The last row of a chunk is the first of the next where it is still in use
    early     by how many steps rows change sooner than after every, 2 every, ... steps, from the settings
    """

    name: str
    stream: int
    shape: Shape = field(repr=False)
    law: Law = field(default=normal, repr=False)
    every: str = ""
    early: Callable[[Mapping[str, Any]], int] = field(default=no_offset, repr=False)


Begin = Callable[[Space, Mapping[str, Any], int, FloatArray, Mapping[str, Any], np.random.Generator], Mapping[str, Any]]


@dataclass(frozen=True)
class Stages:
    """The stages of a run: consecutive parts, each of which starts where the one before ended.

    lengths   number of steps of each stage, from the shape of x and the settings; ValueError where these do not fit each other
    begin     begin(space, settings, number, x, before, rng) -> numbers and arrays, by name, that the loop receives in stage `number`, from
              0 on; shapes of draws may depend on them. x is the start of the stage, before the result for the stage before, {} in the first
    gives     the names of what `begin` returns. kept (k,) may be among them, coordinates in rising order: the others are fixed in the
              stage; empty: all move. Where an objective has `part` the loop receives only these, x (k,) and so on, and an empty kept
    stream    the role of `synthetic.draws.generator` from which `begin` draws
    mean      from the settings, whether a stage ends at a mean, the first entries of `handed` in its kept coordinates, or at its last x

    A shape that depends on a stage must be its largest where it is asked for before the first stage.
    """

    lengths: Callable[[Space, Mapping[str, Any]], tuple[int, ...]] = field(repr=False)
    begin: Begin = field(repr=False)
    gives: tuple[str, ...]
    stream: int
    mean: Callable[[Mapping[str, Any]], bool] = field(repr=False)


@dataclass(frozen=True)
class Kernel:
    """A method on sums of losses: its jitted loop with the draws, settings, state and tables that the loop receives.

    function    the jitted loop; it receives what its arguments are named after
    draws       its random arrays
    settings    its settings besides those of `COMMON` that every kernel has; one of the same name replaces a common one
    state       arrays of its own, of these shapes, that start at 0 and keep their values from chunk to chunk
    tables      constant integer arrays, from the shape of x and the settings; ValueError where these do not fit each other
    stages      the stages of its runs; None: a run is one stage
    releases    the name of the setting that is the number of releases of a step, each with noise of its own and of sensitivity 2 C / n,
                such as P directions; "": one
    publishes   what each step releases: "x", the iterate, or the name of a state that holds all that was released in a step, at its end,
                such as a noisy mean. All else, x too, must then be computed from what was released and from public draws
    linear_step the step as a plain function of x, the noisy mean g of the clipped gradients at x, the state and settings, by their names,
                that returns x and the state after it; linear and the same in every coordinate (`synthetic.methods.linear`). None: it is not
    declared    the declaration of its settings, see `of`; None where `settings` has them
    """

    name: str
    function: Callable[..., int] = field(repr=False)
    draws: tuple[Draw, ...] = ()
    settings: tuple[Setting, ...] = ()
    state: Mapping[str, Shape] = field(default_factory=dict, repr=False)
    tables: Mapping[str, Table] = field(default_factory=dict, repr=False)
    stages: Stages | None = field(default=None, repr=False)
    publishes: str = "x"
    releases: str = ""
    linear_step: Callable[..., Any] | None = field(default=None, repr=False)
    declared: type[Declaration] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, declared: type[Declaration], function: Callable[..., int], draws: tuple[Draw, ...] = (), **more: Any) -> "Kernel":
        """Return the record of a declared method: its name and settings are those of the declaration; `more` are state, tables, stages."""
        usual = {one.name: one.default for one in COMMON if one not in ZEROTH}
        settings = [
            one
            for one in declared.fields
            if one.name not in usual or one.rule.stages or not (one.needed or one.default == usual[one.name])  # a default of its own
        ]
        return cls(declared.key, function, draws, tuple(declared_setting(one) for one in settings), declared=declared, **more)

    def __post_init__(self) -> None:
        """Raise ValueError unless the loop's arguments are known, and all that the record declares is one of them."""
        check_jitted(function=self.function)
        for what, arrays in (("state", self.state), ("tables", self.tables)):
            for name, one in (arrays if isinstance(arrays, Mapping) else {"": arrays}).items():
                if not callable(one):
                    given = f"{what}[{name!r}] = {short_repr(one)}" if name else f"{what} = {short_repr(one)}"
                    made = "its shape, such as {'velocity': vector}" if what == "state" else "it"
                    raise ValueError(f"kernel {self.name}: {given}: a dictionary is needed that has for each name a function of {made}")
        if not all(isinstance(one, Draw) for one in self.draws):
            raise ValueError(f"kernel {self.name}: draws = {short_repr(self.draws)}: a tuple of synthetic.methods.record.Draw is needed")
        brought = [*(one.name for one in self.draws), *self.state, *self.tables]
        staged = (*OF_STAGE, *self.stages.gives) if self.stages else ()
        names = [*GIVEN, *(one.name for one in self.all_settings), *brought, *staged]
        called, own = [*names, *CALL], [one.name for one in self.settings]
        if twice := [name for name in [*names, *own] if called.count(name) > 1 or own.count(name) > 1]:
            raise ValueError(f"kernel {self.name}: the name {twice[0]!r} occurs twice; use another name")
        if unknown := [name for name in self.takes if name not in names]:
            said = f"its loop takes {unknown[0]!r}, which is not one of {', '.join(names)}"
            raise ValueError(f"kernel {self.name}: {said}; declare it as a setting, a draw, a state or a table")
        if unused := [name for name in brought if name not in self.takes]:
            raise ValueError(f"kernel {self.name}: its loop does not take {unused[0]!r}, which its record declares")
        if ("C" in self.takes) != ("sigma" in self.takes):
            raise ValueError(f"kernel {self.name}: a private method takes both C and sigma, any other method neither")
        streams = [BATCHES, OUTPUT, *(one.stream for one in self.draws), *([self.stages.stream] if self.stages else [])]
        if shared := [one.name for one in self.draws if streams.count(one.stream) > 1]:
            said = "shares its stream with another draw, so its numbers would depend on the chunks; another stream is needed"
            raise ValueError(f"kernel {self.name}: {shared[0]!r} {said}")
        if self.publishes not in ("x", *self.state):
            allowed = ", ".join(("x", *self.state))
            raise ValueError(f"kernel {self.name}: publishes = {short_repr(self.publishes)}: one of {allowed}, x or a state, is needed")
        periods = {one.name for one in self.settings if one.number is int}
        if unset := [one.every for one in self.draws if one.every and one.every not in periods]:
            raise ValueError(f"kernel {self.name}: every = {unset[0]!r}: the name of an integer setting of the kernel is needed")
        if self.releases and self.releases not in periods:
            raise ValueError(f"kernel {self.name}: releases = {self.releases!r}: the name of an integer setting of the kernel is needed")
        if self.stages and periods & {one.every for one in self.draws}:
            raise ValueError(f"kernel {self.name}: in a method with stages, a row of a draw cannot be used for several steps")

        if self.linear_step is not None:
            if not callable(self.linear_step):
                raise ValueError(f"kernel {self.name}: linear_step = {short_repr(self.linear_step)}: a function is needed")
            known = ("x", "g", *self.state, *(one.name for one in self.all_settings if one.name not in UNSTEPPED))
            if strange := [name for name in signature(self.linear_step).parameters if name not in known]:
                said = f"linear_step takes {strange[0]!r}, which is not one of {', '.join(known)}"
                raise ValueError(f"kernel {self.name}: {said}; x, the noisy mean g, state and settings are known")
            if self.stages or self.releases:
                raise ValueError(
                    f"kernel {self.name}: linear_step is for methods without stages that release one mean in a step; leave it out"
                )

    @cached_property
    def takes(self) -> tuple[str, ...]:
        """The names of the arguments of its loop, in their order."""
        return tuple(signature(self.function).parameters)

    @property
    def private(self) -> bool:
        """Whether the method clips and adds noise, so that it takes C and sigma."""
        return "C" in self.takes

    @cached_property
    def all_settings(self) -> tuple[Setting, ...]:
        """All settings of a run, in the order in which a run keeps them."""
        placed = {one.name: one for one in self.settings if one.name in COMMON_NAMES}
        return (*(placed.get(one.name, one) for one in COMMON if one not in ZEROTH or one.name in placed), *self.own)

    @property
    def own(self) -> tuple[Setting, ...]:
        """The settings of this kernel that are not in `COMMON`."""
        return tuple(one for one in self.settings if one.name not in COMMON_NAMES)

    @cached_property
    def call(self) -> Signature:
        """The signature of a call that runs it: method, objective, its settings, threads and progress."""
        places = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in CALL[:2]]
        named = [Parameter(one.name, Parameter.KEYWORD_ONLY, default=one.default) for one in self.all_settings]
        return Signature([*places, *named, *(Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in CALL[2:])])

    def with_defaults(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a run by name: those given, and the defaults of the others that have one."""
        return {one.name: one.default for one in self.all_settings if not one.needed} | dict(given)

    def releases_per_step(self, settings: Mapping[str, Any]) -> int:
        """Return the number of releases of a step, for the noise of a run: that of the setting `releases`.

        A record that names none but has an integer setting P counts as one of P directions, as before: its noise is never too small.
        """
        counts = {one.name: one.default for one in self.settings if one.number is int}
        name = self.releases or ("P" if "P" in counts else "")
        found = settings.get(name, counts.get(name)) if name else 1
        return max((one for one in (found if isinstance(found, tuple) else (found,)) if isinstance(one, int)), default=1)

    def floats(self, space: Space, settings: Mapping[str, Any]) -> int:
        """Return the size per step of the largest random draw, at least d; it limits how many steps are drawn at a time."""
        sizes = [-(-math.prod(one.shape(space, settings)) // settings.get(one.every, 1)) for one in self.draws]
        return max(space.d, *sizes, 1)


if not TYPE_CHECKING:  # it would give every misspelt name a type
    __getattr__ = old_names(__name__, never="no_offset")
