"""A trial: a method with settings, on a small objective, whose loop can be run on chosen records, draws, batches and pieces of a run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from synthetic.compiled import run_loop
from synthetic.contracts.objective import contract_objective, ordinary_records
from synthetic.draws import NOISE, FloatArray, generator
from synthetic.losses.contracts import gradient, loss, value_gradient
from synthetic.methods.record import CALL, Draw, Kernel, Setting
from synthetic.objectives.space import Space, matrix_space, vector_space
from synthetic.objectives.sums import Objective
from synthetic.runs.simulate import rows_of
from synthetic.validate import argument_error, short_repr

N, T = 12, 7  # records, and steps of a run
SHAPES = (Space(((2, 2), (2,))), vector_space(6), matrix_space((2, 3)))  # the first on which the method runs
SETTINGS: dict[str, Any] = {"alpha": 0.1, "T": T, "replicates": 3, "seed": 0}
PRIVATE = {"C": 2.0, "sigma": 0.5}
TRIED = (0.5, 2.0, 1, 2, 3)  # for a setting that has no default, the first value that it allows
PERIOD = 3  # for how many steps a row of a draw lasts, where it is a setting that is not given: it ends inside a run, and in a piece
ROUNDING = 1e-9  # relative


class ContractBroken(Exception):
    """A contract does not hold: a sentence, and the numbers that reproduce it."""

    def __init__(self, sentence: str, **where: Any) -> None:
        super().__init__(sentence)
        self.where = where


class DoesNotApply(Exception):
    """A contract does not apply to a method, for the reason that the message gives."""


@dataclass(frozen=True, eq=False)
class Point:
    """Where a run stands after t0 steps: the iterate x (d,), the method's own state, and with stages the mean that is handed on."""

    t0: int
    x: FloatArray
    state: Mapping[str, FloatArray]

    @property
    def released(self) -> dict[str, FloatArray]:
        """All numbers that go on to the next step, by name."""
        return {"x": self.x, **self.state}


@dataclass(frozen=True, eq=False)
class Piece:
    """Result of some consecutive steps: how many ended finite, the point after them, and what the loop recorded in them, (steps,) each."""

    reached: int
    end: Point
    x_tau: FloatArray
    value: FloatArray
    grad_norm_sq: FloatArray
    clipped: FloatArray


@dataclass(frozen=True, eq=False)
class Trial:
    """A method, its checked settings, and the records, parameters and start of the objective on which it is tried.

    releases   how many clipped numbers or vectors a step publishes, each with noise of its own: the P directions of DP-ZOPO, else 1
    plain      whether its loop runs as plain Python
    """

    method: Kernel
    settings: Mapping[str, Any]
    space: Space
    records: FloatArray = field(repr=False)
    params: tuple[FloatArray, float] = field(repr=False)
    x0: FloatArray = field(repr=False)
    releases: int = 1
    plain: bool = False

    @property
    def objective(self) -> Objective:
        """The objective, as `simulate` takes it."""
        return contract_objective(self.records, self.params, self.x0, self.space)

    @property
    def given(self) -> dict[str, Any]:
        """The settings as `simulate` takes them."""
        return {name: value for name, value in self.settings.items() if self.method.private or name not in PRIVATE}

    def changed(self, **settings: Any) -> "Trial":
        """Return the trial with some settings changed."""
        return replace(self, settings={**self.settings, **settings})

    @property
    def noise(self) -> Draw:
        """The draw of the stream NOISE; raise DoesNotApply for a method that is not private, ContractBroken where there is none."""
        if not self.method.private:
            raise DoesNotApply(f"{self.method.name} is not private: it takes neither C nor sigma")
        if found := [one for one in self.method.draws if one.stream == NOISE]:
            return found[0]
        raise ContractBroken(f"{self.method.name} takes sigma, but none of its draws has the stream NOISE, of which all noise is made")

    @cached_property
    def known(self) -> Mapping[str, Any]:
        """Settings, tables, and what the first stage gives."""
        known = {**self.settings, **{name: table(self.space, self.settings) for name, table in self.method.tables.items()}}
        if stages := self.method.stages:
            rng = generator(self.settings["seed"], 0, stages.stream)
            known |= stages.begin(self.space, self.settings, 0, self.x0, {}, rng)
        return known

    @property
    def steps(self) -> int:
        """Number of steps of the first stage, T without stages."""
        stages = self.method.stages
        return int(stages.lengths(self.space, self.settings)[0] if stages else self.settings["T"])

    def start(self) -> Point:
        """Return the start of a run."""
        state = {name: np.zeros(shape(self.space, self.known)) for name, shape in self.method.state.items()}
        handed = {"handed": np.zeros(len(self.known.get("kept", ())) or self.space.d)} if self.method.stages else {}
        return Point(0, self.x0.copy(), {**state, **handed})

    def draw(self, sizes: Sequence[int], replicate: int = 0) -> Iterator[dict[str, FloatArray]]:
        """Draw the random arrays of consecutive pieces of a run with these numbers of steps; yield those of each piece by name."""
        streams = [generator(self.settings["seed"], replicate, one.stream) for one in self.method.draws]
        done, last = 0, dict[str, FloatArray]()
        for size in sizes:
            for one, stream in zip(self.method.draws, streams, strict=True):
                shape = one.shape(self.space, self.known)
                last[one.name] = rows_of(one, stream, shape, self.known, done, size, last.get(one.name))
            done += size
            yield dict(last)

    def advance(self, point: Point, draws: Mapping[str, FloatArray], steps: int = 1, **changed: Any) -> Piece:
        """Make steps from a point and return a Piece; `changed` are arguments of the loop in place of the usual ones, such as data."""
        x, state = point.x.copy(), {name: one.copy() for name, one in point.state.items()}
        data = changed.get("data", self.records)
        given: dict[str, Any] = {
            **{"loss": loss, "gradient": gradient, "value_gradient": value_gradient, "data": data, "params": self.params, "x": x},
            **{"shapes": np.array([(*shape, 1)[:2] for shape in self.space.shapes]), "centre": self.x0.copy()},
            **{"batch": np.arange(len(data))[None, :], "nominal": len(data), "tau": -1, "x_tau": np.full(x.size, np.nan), "t0": point.t0},
            **{"value": np.full(steps, np.nan), "grad_norm_sq": np.full(steps, np.nan), "clipped": np.zeros(steps)},
            **{**self.known, **state, **draws, **changed},
        }
        function = getattr(self.method.function, "py_func", self.method.function) if self.plain else self.method.function
        with np.errstate(all="ignore"):
            reached = run_loop(self.method.name, function, steps, *(given[name] for name in self.method.takes))
        recorded = (given[name] for name in ("x_tau", "value", "grad_norm_sq", "clipped"))
        return Piece(reached, Point(point.t0 + steps, x, state), *recorded)

    def run(self, sizes: Sequence[int], replicate: int = 0, **changed: Any) -> list[Piece]:
        """Run the method in consecutive pieces with these numbers of steps; return one Piece for each that was begun.

        changed   as for `advance`; the run ends after a piece whose last step is not finite
        """
        found, point = list[Piece](), self.start()
        for size, draws in zip(sizes, self.draw(sizes, replicate), strict=True):
            found.append(self.advance(point, draws, size, **changed))
            if found[-1].reached < size:
                break
            point = found[-1].end
        return found


def make_trial(method: Kernel, settings: Mapping[str, Any], *, plain: bool = False) -> Trial:
    """Return the trial of a method with the given settings; others have their default or, where they have none, a value that is allowed.

    Raises ValueError for a setting that does not exist or has a value that is not allowed, and where none is found for one without default.
    """
    settable = [one for name, one in method.call.parameters.items() if name not in CALL]
    if said := argument_error(method.call.replace(parameters=settable), (), {**_needed(method), **settings}):
        raise ValueError(said)
    periods = {one.every for one in method.draws if one.every}
    found: dict[str, Any] = {}
    for one in method.all_settings:
        if not method.private and one.name in PRIVATE:
            found[one.name] = None
            continue
        usual = SETTINGS | PRIVATE | dict.fromkeys(periods, PERIOD)
        value = settings.get(one.name, usual.get(one.name, one.default))
        found[one.name] = one.checked(_allowed_value(method, one) if value is one.default and one.needed else value)
    if settings.get("batch_size") is not None:
        raise ValueError(f"batch_size = {settings['batch_size']}: contracts choose their batches themselves; leave it out")
    found["batch_size"] = None
    if not isinstance(found["T"], int) or found["T"] < T:
        raise ValueError(f"T = {short_repr(found['T'])}: a number of at least {T} is needed")
    errors = list[ValueError]()
    for space in SHAPES:
        d = space.d
        made = Trial(
            method,
            found,
            space,
            ordinary_records(N, d, 0),
            (1.0 / np.arange(1, d + 1), 1.0),
            0.25 + np.arange(d) / 8,
            releases=int(found.get(method.releases) or 1),
            plain=plain,
        )
        try:
            assert made.start().x.size == d
            next(made.draw([1]))
        except ValueError as error:
            errors.append(error)
            continue
        return made
    raise errors[0]


def _needed(method: Kernel) -> dict[str, Any]:
    """Return the names of a method's settings without default, as arguments of a call that has all of them."""
    return dict.fromkeys((one.name for one in method.all_settings if one.needed), 1)


def _allowed_value(method: Kernel, setting: Setting) -> Any:
    """Return the first value of TRIED that a setting allows; raise ValueError where it allows none."""
    for value in TRIED:
        if setting.number is int and not isinstance(value, int):
            continue
        try:
            return setting.checked(value)
        except ValueError:
            continue
    raise ValueError(f"{setting.name} is missing: {method.name} needs it, and none of {', '.join(map(str, TRIED))} is allowed")


def compare_numbers(
    what: str, one: Mapping[str, FloatArray], two: Mapping[str, FloatArray], rounding: float = ROUNDING, /, **where: Any
) -> None:
    """Raise ContractBroken for the first array that differs by more than rounding, relative to its largest finite number.

    what   a sentence about what the difference means;   where   seed, replicate, step of the comparison
    """
    for name, first in one.items():
        second = two[name]
        if first.shape != second.shape:
            raise ContractBroken(f"{what}: {name} has the shapes {first.shape} and {second.shape}", **where)
        size = max((float(np.abs(each[np.isfinite(each)]).max(initial=0.0)) for each in (first, second)), default=0.0)
        same = (first == second) | (np.isnan(first) & np.isnan(second))
        with np.errstate(invalid="ignore"):
            wrong = ~(same | (np.abs(first - second) <= rounding * size))
        if np.any(wrong):
            at = tuple(int(k) for k in np.argwhere(wrong)[0])
            pair = f"{float(first[at]):.9g} and {float(second[at]):.9g}"
            raise ContractBroken(
                f"{what}: {name}{list(at)} is {pair}", **where, name=name, index=list(at), values=[float(first[at]), float(second[at])]
            )
