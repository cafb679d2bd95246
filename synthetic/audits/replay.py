"""Replays for audits: a method run again on linear losses, with chosen gradients and noise, many short runs in one call.

Runs       There are two ways to run a method many times, with the same draws. A chain is one call of its loop, of which every T steps count
           as a run: right for a loop that keeps nothing from step to step but x, which linear losses do not depend on. Separate runs are a
           call each: x, t0 and the method's state begin at 0, and each has rows of its own of every draw.
Independent   Separate runs are independent and have the same distribution: a run is a function of the data set and of its own rows of
           the draws, since the loop is compiled, draws nothing itself, and what it writes to is reset; and rows of different runs are
           independent. The same holds given the public draws, which the observer knows: a run depends on its own part of them only. For
           a chain it is tested, by shifting the draws by one run.
Gradient   In step t the gradient of a record is turn_t row, at x_t and at all other points but earlier iterates of the run. There it is
           what it was: so differences of gradients along the path, which a method may keep, are not 0.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from synthetic.compiled import add_index_checks, call_driver, run_loop
from synthetic.draws import NOISE, FloatArray, draw_directions, generator
from synthetic.kernels import neighbours as kernels
from synthetic.memory import check_memory
from synthetic.methods.record import COMMON, Draw, Kernel
from synthetic.objectives.space import Space
from synthetic.runs.simulate import rows_of
from synthetic.validate import short_repr

PUBLIC = 2  # the stream that both data sets share, of three; 0 and 1 are those of the noise on each
TURN = 2**21  # role of the factors by which gradients are multiplied
HIDDEN = 1e-6  # relative to the difference of the data sets and to all noise: what moves an iterate by less counts as rounding
ROUNDING = 1e-8  # of an iterate's steps: a hundredth of what is hidden
ALIKE = 1e-5  # relative: runs whose distances between the data sets differ by less differ by rounding alone
FEW = 1000  # separate runs that are plain calls: compiling a loop over them takes as long


class NotAffineError(ValueError):
    """What a method releases is no affine function of the noise of its run, in the same way on both data sets."""


@dataclass(frozen=True, eq=False)
class Replay:
    """A method with fixed public draws that can be run again on chosen gradients and with chosen noise.

    noise, known   its draw of noise; its settings, tables, what its first stage gives and all other draws
    turn           (steps, d), what a row is multiplied by in each step: a direction of length sqrt(d)
    T, runs        steps of a run, and runs;   separate   whether each run is a call of its own, else they are a chain
    seed, part     determine its streams;   shared   which draw the runs have in common, in words; "" if none
    """

    method: Kernel
    space: Space
    noise: Draw
    known: Mapping[str, Any] = field(repr=False)
    turn: FloatArray = field(repr=False)
    T: int
    runs: int
    separate: bool
    seed: int
    part: int
    shared: str

    @property
    def steps(self) -> int:
        """Return the number of steps of all runs."""
        return self.T * self.runs

    @property
    def describe(self) -> str:
        """Return the method's name and its own settings that are not the default, as words for an error message."""
        common = {each.name for each in COMMON}
        own = [each for each in self.method.settings if each.name not in common]
        own = [each for each in own if short_repr(self.known[each.name]) != short_repr(each.default)]
        return ", ".join(
            [f"method = {short_repr(self.method.name)}", *(f"{each.name} = {short_repr(self.known[each.name])}" for each in own)]
        )

    @property
    def noise_size(self) -> int:
        """Return how many random numbers the noise of one step has."""
        return math.prod(self.noise.shape(self.space, self.known))

    @property
    def released_size(self) -> int:
        """Return how many numbers a step releases: d, or the size of the state that the record publishes."""
        shown = self.method.publishes
        return self.space.d if shown == "x" else math.prod(self.method.state[shown](self.space, self.known))

    @property
    def zero_noise(self) -> FloatArray:
        """Return zeros in place of the noise of all steps, (steps, *shape of a step's noise)."""
        return np.zeros((self.steps, *self.noise.shape(self.space, self.known)))

    def draw_noise(self, world: int) -> FloatArray:
        """Draw the noise of all steps, (steps, *shape), for the runs on data set `world`, 0 or 1."""
        return _draw_rows(self.noise, self.space, self.known, (self.runs, self.T), self.separate, self.seed, 3 * self.part + world)

    def step_increments(self, gradients: FloatArray, z: FloatArray, **batches: Any) -> FloatArray:
        """Run the method on gradients (n, d) with noise z; return what each step releases, (steps, size).

        That is what it adds to x, or the state that the record publishes, as it is at the end of the step.
        batches   the arguments `batch` and `nominal` of the kernel; by default all records
        """
        added, published = self.run(gradients, z, **batches)
        return added if self.method.publishes == "x" else published

    def run(self, gradients: FloatArray, z: FloatArray, **batches: Any) -> tuple[FloatArray, FloatArray]:
        """Run the method as `step_increments` does; return what each step adds to x, (steps, d), and the state that it publishes."""
        draws = {draw.name: self.known[draw.name] for draw in self.method.draws if draw is not self.noise} | {self.noise.name: z}
        calls, steps = (self.runs, self.T) if self.separate else (1, self.steps)
        rows = [np.ascontiguousarray(each, dtype=np.float64) for each in (*draws.values(), self.turn)]
        taken = [np.zeros((len(each) // calls, *each.shape[1:])) for each in rows]
        batch = np.asarray(batches.get("batch", np.arange(len(gradients))[None, :]))
        of_call = np.empty((steps if len(batch) == self.steps else len(batch), batch.shape[1]), dtype=np.int64)
        given = self._arguments(gradients, steps, {**batches, **dict(zip(draws, taken, strict=False)), "batch": of_call}, taken[-1])
        path, asked, _, _, seen, _ = given["params"]
        reset = [given[name] for name in ("x", "x_tau", "centre", "handed", "value", "grad_norm_sq", "clipped", *self.method.state)]
        points, released = np.empty((calls, *path.shape)), np.empty((calls, *seen.shape))
        times = np.empty(calls, dtype=np.int64)
        first = calls if calls <= FEW else 1  # plain calls, which also check what the loop returns
        for function, part in ((None, slice(0, first)), (add_index_checks(self.method.function), slice(first, calls))):
            if part.start == part.stop:
                continue
            driver = kernels.run_separately if function else getattr(kernels.run_separately, "py_func", kernels.run_separately)
            call_driver(
                self.method.name,
                driver,
                function or partial(run_loop, self.method.name, self.method.function, steps),
                tuple(each.reshape(-1) for each in (*reset, path, seen)),
                tuple(each.reshape(-1) for each in taken),
                tuple(each.reshape(calls, -1)[part] for each in rows),
                of_call.reshape(-1),
                np.ascontiguousarray(batch, dtype=np.int64).reshape(-1, of_call.size)[part if len(batch) == self.steps else slice(None)],
                asked,
                path,
                seen,
                points[part],
                released[part],
                times[part],
                tuple(given[name] for name in self.method.takes),
            )
        self._check_times(times, points, steps)
        return np.diff(points, axis=1).reshape(self.steps, -1), released[:, 1:].reshape(self.steps, -1)

    def _arguments(self, gradients: FloatArray, steps: int, given: Mapping[str, Any], turn: FloatArray) -> dict[str, Any]:
        """Return all that the loop can take in one call of `steps` steps, by name, with `given` in place of draws and batches."""
        d, n = self.space.d, len(gradients)
        state = {name: np.zeros(shape(self.space, self.known)) for name, shape in self.method.state.items()}
        shown = np.empty(0) if self.method.publishes == "x" else state[self.method.publishes].reshape(-1)
        path, seen, asked = np.zeros((steps + 1, d)), np.zeros((steps + 1, len(shown))), np.ones(1, dtype=np.int64)
        return {
            **{"loss": kernels.linear_loss, "gradient": kernels.linear_gradient, "value_gradient": kernels.recording_value_gradient},
            **{"data": gradients, "params": (path, asked, turn, shown, seen, self.T if self.separate else 0)},
            **{"x": np.zeros(d), "shapes": np.array([(*shape, 1)[:2] for shape in self.space.shapes]), "nominal": n},
            **{"value": np.zeros(steps), "grad_norm_sq": np.zeros(steps), "clipped": np.zeros(steps)},
            **{"tau": -1, "x_tau": np.zeros(d), "t0": 0, "centre": np.zeros(d), "handed": np.zeros(d)},
            **state,
            **self.known,
            **given,
        }

    def _check_times(self, times: Any, points: FloatArray, steps: int) -> None:
        """Raise ValueError unless every call of the loop evaluated F once in each step, up to the first x that is not finite."""
        for count, path in zip(times, points, strict=True):
            if count > steps or (count < steps and np.all(np.isfinite(path[: count + 1]))):
                raise ValueError(
                    f"{self.describe}: value_gradient is called {count} times in {steps} steps; one call at the end of each step is needed"
                )

    def is_shift_invariant(self, gradients: FloatArray, z: FloatArray, seen: FloatArray, **batches: Any) -> bool:
        """Return whether every run after the first makes the same steps when all draws are shifted back by one run, of T steps.

        seen   (steps, size), what all steps release with noise z
        """
        T = self.T
        if len(batches.get("batch", ())) == self.steps:
            batches["batch"] = np.roll(batches["batch"], -T, axis=0)
        again = self.shifted_by_a_run().step_increments(gradients, np.roll(z, -T, axis=0), **batches)
        return bool(np.max(np.abs(again[:-T] - seen[T:]), initial=0.0) <= ROUNDING * np.max(np.abs(seen)))

    def shifted_by_a_run(self) -> "Replay":
        """Return the replay whose run r has the public draws of run r + 1, and whose last run has those of the first."""
        known = {
            draw.name: np.roll(self.known[draw.name], -len(self.known[draw.name]) // self.runs, axis=0)
            for draw in self.method.draws
            if draw is not self.noise
        }
        return replace(self, known={**self.known, **known}, turn=np.roll(self.turn, -self.T, axis=0))

    def noise_effects(self, gradients: FloatArray, quiet: FloatArray, T: int = 1, **batches: Any) -> FloatArray:
        """Return the effect of each number of the noise of T steps on what these release, (runs, T size, T width).

        quiet   (runs, T size), what they release without noise on the same gradients and batches
        An entry is the effect of a number of one step on another step too, through what the method keeps: a run's covariance follows.
        """
        runs, width = len(quiet), self.noise_size
        where = np.empty((*quiet.shape, T * width))
        for k in range(T * width):
            unit = np.zeros((runs, T * width))
            unit[:, k] = 1.0
            where[:, :, k] = self.step_increments(gradients, unit.reshape(self.zero_noise.shape), **batches).reshape(quiet.shape) - quiet
        return where


def prepare_replay(
    method: Kernel,
    space: Space,
    settings: Mapping[str, Any],
    T: int,
    runs: int,
    seed: int,
    *,
    part: int = 0,
    together: int,
    separate: bool = False,
    still: bool = False,
) -> Replay:
    """Draw the public random numbers of `runs` runs of T steps of a method, and check its settings; return a `Replay`.

    together   over how many steps the effect of one step's noise is computed
    part       number of this replay, which selects its streams
    separate   whether each run is a call of its own; it is also where the method keeps state, or where a chain would share a draw
    still      whether turn_t is the same in all steps of a run, so that what the steps keep of a gradient adds up
    """
    steps = T * runs
    given = {**settings, "T": T}
    if missing := [each.name for each in method.all_settings if each.needed and each.name not in given]:
        raise ValueError(f"{missing[0]} is missing: {method.name} needs {', '.join(missing)}")
    settings = {each.name: each.checked(given.get(each.name, each.default)) for each in method.all_settings}
    known: dict[str, Any] = {**settings, **{name: table(space, settings) for name, table in method.tables.items()}}
    separate |= any(math.prod(shape(space, known)) for shape in method.state.values())
    for draw in method.draws:
        lasts = settings[draw.every] if draw.every else 1
        separate |= bool(lasts > 1 and (T % lasts or draw.early(settings) % lasts))
    shared = ""
    if method.stages:
        stream = generator(seed, 3 * part + PUBLIC, method.stages.stream)
        before = str(stream.bit_generator.state)
        known |= method.stages.begin(space, settings, 0, np.zeros(space.d), {}, stream)
        shared = "" if str(stream.bit_generator.state) == before else "the start of a stage is drawn once for all runs"
    noise = next(draw for draw in method.draws if draw.stream == NOISE)
    if noise.every and settings[noise.every] > 1:
        reason = f"the noise {noise.name} of {method.name} is kept for several steps; an audit needs 1"
        raise ValueError(f"{noise.every} = {short_repr(settings[noise.every])}: {reason}")
    numbers = space.d * (together * math.prod(noise.shape(space, known)) + together * space.d + 6)
    check_memory(8 * steps * numbers, T=T)  # not runs, of which few are in one call
    public = [draw for draw in method.draws if draw is not noise]
    known |= {draw.name: _draw_rows(draw, space, known, (runs, T), separate, seed, 3 * part + PUBLIC) for draw in public}
    turn = draw_directions(generator(seed, 3 * part + PUBLIC, TURN), runs if still else steps, space.d, "sphere")
    turn = np.repeat(turn, T, axis=0) if still else turn
    return Replay(method, space, noise, known, turn, T, runs, separate, seed, part, shared)


def _draw_rows(
    draw: Draw, space: Space, known: Mapping[str, Any], sizes: tuple[int, int], separate: bool, seed: int, replicate: int
) -> FloatArray:
    """Draw all rows of a random array of the kernel for runs of T steps, `sizes`, from the streams of `replicate`.

    Separate runs share no row, also where a row lasts for several steps.
    """
    (runs, T), shape, stream = sizes, draw.shape(space, known), generator(seed, replicate, draw.stream)
    every = known[draw.every] if draw.every else 1
    if not separate:
        return rows_of(draw, stream, shape, known, 0, runs * T, None)
    begun = draw.early(known)
    return draw.law(stream, (runs * ((begun + T - 1) // every - begun // every + 1), *shape), known)


def check_equal_distances(mu: FloatArray, replay: Replay) -> bool:
    """Return whether the distance mu (runs,) between the data sets is equal in all runs; ValueError if not and runs share a draw."""
    alike = bool(np.ptp(mu) <= ALIKE * mu.max())
    if replay.shared and not alike:
        raise ValueError(
            f"{replay.describe}: {replay.shared} and decides how far apart the two data sets are, so runs would depend on each other"
        )
    return alike


def noise_covariance(where: FloatArray, scale: FloatArray) -> FloatArray:
    """Return the covariance of ``where @ z`` for each run, (runs, k, k), with a margin for rounding; z standard normal.

    scale   (runs,) squared distance between the data sets
    """
    hidden = HIDDEN**2 * (scale + np.sum(where**2, axis=(1, 2)))
    return where @ np.swapaxes(where, 1, 2) + hidden[:, None, None] * np.eye(where.shape[1])


def matches_prediction(seen: FloatArray, foreseen: FloatArray, size: float, z: FloatArray) -> bool:
    """Return whether the steps `seen` equal their prediction `foreseen`, up to rounding relative to `size` and to the largest |z|."""
    return bool(np.max(np.abs(seen - foreseen)) <= ROUNDING * size * max(1.0, float(np.abs(z).max())))
