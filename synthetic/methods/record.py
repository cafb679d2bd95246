"""What a method on sums brings: a `Kernel`, the record of its jitted loop, from which `synthetic.runs.simulate` runs it.

What a loop may be given, by the names of its arguments
    loss, gradient, value_gradient    jitted functions of an objective, with its data and params
    x (d,)                  the iterate, overwritten;   shapes (blocks, 2): rows and columns of its matrices, (d, 1) of a vector
    batch (rows, b)         indices of the samples, -1 where there is none: step t of the chunk uses row t mod rows
    nominal                 how many samples a batch has, under Poisson sampling in the mean: what a sum over it is divided by
    value, grad_norm_sq     (steps,): F_S and |grad F_S|^2 after each step;   clipped (steps,): fraction of the batch that was clipped in it
    tau, x_tau (d,)         before step tau of this chunk the iterate is copied to x_tau; tau outside the chunk copies nothing
    t0                      steps made before this chunk
    centre (d,), handed (d,)          where its stage began, and 0, for what the stage hands on: of a kernel with stages
and the settings of the run (`COMMON` and its own), its tables, its draws, its state and what its stage gives. It returns how many steps
ended at an x with finite |x|^2; a smaller number than the chunk has means that the next one did not. In a private method a sample whose
contribution is not finite has to count as 0, and as clipped, so that the sensitivity is that of C whatever a record is.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from inspect import Parameter, Signature, signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthetic.compiled import jitted
from synthetic.draws import BATCHES, DIRECTION_LAWS, OUTPUT, FloatArray
from synthetic.objectives.space import Space
from synthetic.validate import non_negative, one_of, plain, positive, positive_integer, seed_integer, shown

Shape = Callable[[Space, Mapping[str, Any]], tuple[int, ...]]  # of an array, from the shape of x, the settings of the run and its tables
Table = Callable[[Space, Mapping[str, Any]], NDArray[np.int64]]  # from the shape of x and the settings
Law = Callable[[np.random.Generator, tuple[int, ...], Mapping[str, Any]], FloatArray]  # rows of these shapes, from the next of a stream

NEEDED = Parameter.empty
LEAST_C = 1e-150  # whose square is far above the least float: below it the squares of a gradient vanish, and nothing would be clipped


@dataclass(frozen=True)
class Setting:
    """A setting of a run.

    check      check(NAME=value) raises ValueError for what it cannot be
    default    what it is where it is not given, NEEDED where it must be; a setting whose default is None may be given as None
    number     float: a kernel is handed a float, since an int would compile it again; another: what was given
    many       whether it can be a tuple of such, for the stages of a run
    """

    name: str
    check: Callable[..., None] = field(default=positive, repr=False)
    default: Any = field(default_factory=lambda: NEEDED)  # as a default of its own it would make the signature say that there is none
    number: type = float
    many: bool = field(default=False, repr=False)

    @property
    def needed(self) -> bool:
        """Whether it must be given."""
        return self.default is NEEDED

    def checked(self, value: Any) -> Any:
        """Return the value as the kernel is handed it; raise ValueError for what it cannot be."""
        if value is None and self.default is None:
            return None
        if self.many and (isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim == 1)):
            return tuple(replace(self, many=False).checked(plain(self.name, one)) for one in value)
        self.check(**{self.name: value})
        return float(value) if self.number is float else value


def _threshold(**given: float) -> None:
    """Raise ValueError unless every threshold is one by which a gradient can be clipped."""
    positive(**given)
    for name, value in given.items():
        if value < LEAST_C:
            needed = f"at least {LEAST_C:g} is needed, because the squares of shorter gradients underflow"
            raise ValueError(f"{name} = {shown(value)}: {needed}")


LAM = Setting("lam", default=1e-4)
DIRECTION = Setting("direction", partial(one_of, DIRECTION_LAWS), "sphere", str)
SAMPLINGS = ("without_replacement", "poisson")
SAMPLING = Setting("sampling", partial(one_of, SAMPLINGS), SAMPLINGS[0], str)  # of a kernel that is given `nominal`
ZEROTH = (LAM, DIRECTION)  # of these a kernel has those that its record names, the others of `COMMON` are every kernel's
COMMON = (  # in the order in which a run keeps them
    Setting("alpha"),
    Setting("T", positive_integer, number=int),
    Setting("C", _threshold, None),
    LAM,
    Setting("sigma", non_negative, None),
    Setting("replicates", positive_integer, 1, int),
    Setting("seed", seed_integer, 0, int),
    DIRECTION,
    Setting("batch_size", positive_integer, None, int),
)
GIVEN: tuple[str, ...] = ("loss", "gradient", "value_gradient", "data", "params", "x", "shapes", "batch", "nominal")
GIVEN += ("value", "grad_norm_sq", "clipped", "tau", "x_tau", "t0")
OF_STAGE = ("centre", "handed")
CALL = ("method", "objective", "threads", "progress")  # what a run is called with besides settings


def scalar(space: Space, settings: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the shape of a number."""
    return ()


def vector(space: Space, settings: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the shape of x."""
    return (space.d,)


def normal(rng: np.random.Generator, shape: tuple[int, ...], settings: Mapping[str, Any]) -> FloatArray:
    """Return independent standard normal numbers."""
    return rng.standard_normal(shape)


def never(settings: Mapping[str, Any]) -> int:
    """Return by how many steps a row changes sooner that does not."""
    return 0


@dataclass(frozen=True)
class Draw:
    """A random array that a kernel is given for each chunk of steps, (rows, *shape).

    stream    the role of `synthetic.draws.generator` from which it comes, of which no other draw of the kernel takes any
    law       law(rng, (rows, *shape), settings and tables) -> the next rows; the same whether they are drawn at once or in parts
    every     the setting that says for how many steps a row stays; "": each step has its own. Step t of the chunk uses row
              (t0 + t + early) // every - (t0 + early) // every, and a row that a chunk ends with is the first of the next where it stays
    early     by how many steps rows change sooner than after every, 2 every, ... steps, from the settings
    """

    name: str
    stream: int
    shape: Shape = field(repr=False)
    law: Law = field(default=normal, repr=False)
    every: str = ""
    early: Callable[[Mapping[str, Any]], int] = field(default=never, repr=False)


Begin = Callable[[Space, Mapping[str, Any], int, FloatArray, Mapping[str, Any], np.random.Generator], Mapping[str, Any]]


@dataclass(frozen=True)
class Stages:
    """Parts of a run, one after the other, that begin where the one before ended.

    lengths   how many steps each has, from the shape of x and the settings; ValueError where these do not fit each other
    begin     begin(space, settings, number, x, before, rng) -> what the loop is given in stage `number` = 0, 1, ...: numbers and arrays, on
              which the shapes of draws may depend; x is where it begins, before what the stage before was given, {} in the first
    gives     the names of what `begin` returns. Among them may be kept (k,), coordinates in rising order: the others stay in this stage;
              none: all move. Where an objective has `part` the loop sees these alone, x (k,) and so on, and its kept is empty
    stream    the role of `synthetic.draws.generator` from which `begin` draws
    mean      whether a stage hands on, of its kept coordinates in their order, the first entries of `handed`; if not, its last x

    A shape that depends on a stage has to be its largest where it is asked for before the first.
    """

    lengths: Callable[[Space, Mapping[str, Any]], tuple[int, ...]] = field(repr=False)
    begin: Begin = field(repr=False)
    gives: tuple[str, ...]
    stream: int
    mean: Callable[[Mapping[str, Any]], bool] = field(repr=False)


@dataclass(frozen=True)
class Kernel:
    """A method on sums of losses.

    function    its jitted loop, which is given what its arguments are named after
    draws       the random arrays that it is given
    settings    what it has besides those of `COMMON` that are every kernel's; with stages, one of a name of theirs in its place
    state       arrays of its own, of these shapes, that start at 0 and that it finds in the next chunk as it left them
    tables      integers that it is given as they are, from the shape of x and the settings; ValueError where these do not fit each other
    stages      into which its runs are cut; None: a run is one
    """

    name: str
    function: Callable[..., int] = field(repr=False)
    draws: tuple[Draw, ...] = ()
    settings: tuple[Setting, ...] = ()
    state: Mapping[str, Shape] = field(default_factory=dict, repr=False)
    tables: Mapping[str, Table] = field(default_factory=dict, repr=False)
    stages: Stages | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Raise ValueError unless every argument of the loop is something that it can be given, and all that it is given is one."""
        jitted(function=self.function)
        brought = [*(one.name for one in self.draws), *self.state, *self.tables]
        staged = (*OF_STAGE, *self.stages.gives) if self.stages else ()
        names = [*GIVEN, *(one.name for one in self.all_settings), *brought, *staged]
        called = [*names, *CALL]
        if twice := [name for name in names if called.count(name) > 1]:
            raise ValueError(f"kernel {self.name}: the name {twice[0]!r} occurs twice; use another name")
        if unknown := [name for name in self.takes if name not in names]:
            raise ValueError(f"kernel {self.name}: its loop takes {unknown[0]!r}, which is not one of {', '.join(names)}")
        if unused := [name for name in brought if name not in self.takes]:
            raise ValueError(f"kernel {self.name}: its loop does not take {unused[0]!r}, which its record declares")
        if ("C" in self.takes) != ("sigma" in self.takes):
            raise ValueError(f"kernel {self.name}: a private method takes both C and sigma, any other method neither")
        streams = [BATCHES, OUTPUT, *(one.stream for one in self.draws), *([self.stages.stream] if self.stages else [])]
        if shared := [one.name for one in self.draws if streams.count(one.stream) > 1]:
            said = "shares its stream with another draw, so its numbers would depend on the chunks; another stream is needed"
            raise ValueError(f"kernel {self.name}: {shared[0]!r} {said}")
        periods = {one.name for one in self.settings if one.number is int}
        if unset := [one.every for one in self.draws if one.every and one.every not in periods]:
            raise ValueError(f"kernel {self.name}: every = {unset[0]!r}: the name of an integer setting of the kernel is needed")
        if self.stages and periods & {one.every for one in self.draws}:
            raise ValueError(f"kernel {self.name}: in a method with stages, a row of a draw cannot be used for several steps")

    @cached_property
    def takes(self) -> tuple[str, ...]:
        """The names of the arguments of its loop, in their order."""
        return tuple(signature(self.function).parameters)

    @property
    def private(self) -> bool:
        """Whether it clips and adds noise: it takes C and sigma."""
        return "C" in self.takes

    @cached_property
    def all_settings(self) -> tuple[Setting, ...]:
        """What a run of it has, in the order in which a run keeps it."""
        placed = {one.name: one for one in self.settings if one not in self.own}
        return (*(placed.get(one.name, one) for one in COMMON if one not in ZEROTH or one.name in placed), *self.own)

    @property
    def own(self) -> tuple[Setting, ...]:
        """Its settings that are not common ones."""
        common = [one.name for one in COMMON] if self.stages else []
        return tuple(one for one in self.settings if one not in ZEROTH and one.name not in common)

    @cached_property
    def call(self) -> Signature:
        """How a run of it is called."""
        places = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in CALL[:2]]
        named = [Parameter(one.name, Parameter.KEYWORD_ONLY, default=one.default) for one in self.all_settings]
        return Signature([*places, *named, *(Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in CALL[2:])])

    def floats(self, space: Space, settings: Mapping[str, Any]) -> int:
        """Return the most numbers that a step takes of one draw, and at least d: by it steps are cut into chunks."""
        sizes = [-(-math.prod(one.shape(space, settings)) // settings.get(one.every, 1)) for one in self.draws]
        return max(space.d, *sizes, 1)
