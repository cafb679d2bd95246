"""Audit of methods on finite sums: simulate the iterates on two neighbouring data sets, compute the optimal test between them.

Data       two data sets of linear losses that differ in one row: what a record contributes does not depend on x, so that one long run
           holds many short ones, of T steps each. In step t its gradient is turn_t row, with a public diagonal matrix turn_t drawn
           anew: what a kernel lets steps have in common by mistake, such as their noise, then shows. A composition theorem allows losses
           that change from step to step; of one data set, they are losses whose gradient turns quickly with x.
Observer   sees every iterate and every public draw, such as directions and projections, and knows both data sets. So it knows what each
           step would add to x without noise, on either data set, and where noise can move it: both are found by running the kernel itself
           again, without noise and with one number of it at a time. The remainder of a run is B z with B known and z standard normal:
           the best score is w'(seen - midpoint), w = (B B')^-1 (difference of the data sets), and it is normal on both data sets.
Public     is every draw but that of the role NOISE, which all noise has to be made of.
Not seen   what noise does to an iterate that is no affine function of it (Adam's update of a private mean, which no observer needs: it is
           made of the mean alone): such a kernel is refused, as is one whose runs depend on each other or on their position in the chain.
           Batches that are secret: the batch is all samples. What steps share in the distribution from which their noise is drawn.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from synthetic.compiled import run_loop
from synthetic.draws import NOISE, FloatArray, draw_directions, generator
from synthetic.kernels import neighbours as kernels
from synthetic.memory import check_memory
from synthetic.methods.record import COMMON, Draw, Kernel, normal
from synthetic.objectives.space import Space
from synthetic.runs.simulate import rows_of
from synthetic.validate import array_of, positive_integer, seed_integer, short_repr, validated

PUBLIC = 2  # the stream that both data sets share, of three; 0 and 1 are those of the noise on each
TURN = 2**21  # role of the factors by which gradients are multiplied
STEPS = 2**16  # of one call: x is a random walk, whose length must not swamp the digits of a step
HIDDEN = 1e-6  # relative to the difference of the data sets and to all noise: what moves an iterate by less counts as rounding
ROUNDING = 1e-8  # of an iterate's steps: a hundredth of what is hidden
ALIKE = 1e-5  # relative: runs whose distances between the data sets differ by less differ by rounding alone
AFFINE = "an audit needs iterates that are affine in the noise of their run, in the same way on both data sets. Iterates of Adam are not, "
AFFINE += "nor are those with noise that runs share, that depends on the data or that the loop draws itself. A step that is clipped or "
AFFINE += "normalised can be audited where it is not: with a small C, such as 1e-4, the noise is as small"
PLACE = "an audit needs runs that do not depend on their order; here what a step adds changes with t0 or with earlier runs"


@dataclass(frozen=True, eq=False)
class AuditScores:
    """Scores of audited runs on two neighbouring data sets, large where they indicate the first.

    one, two   (runs,) scores on the first and on the second data set
    normal     whether both are normal with the same variance, and the distance of their means is the same in every run
    """

    one: FloatArray
    two: FloatArray
    normal: bool = True

    def __repr__(self) -> str:
        return f"AuditScores({len(self.one)} and {len(self.two)} runs, means {self.one.mean():.4g} and {self.two.mean():.4g})"


def worst_case_rows(d: int, n: int, length: float) -> tuple[FloatArray, FloatArray]:
    """Return two neighbouring data sets, each (n, d): opposite first rows of norm `length`, all other rows zero.

    The rows are gradients; only the first record's differ.
    """
    one, two = np.zeros((n, d)), np.zeros((n, d))
    one[0], two[0] = length / math.sqrt(d), -length / math.sqrt(d)
    return one, two


@dataclass(frozen=True, eq=False)
class Replay:
    """A method with fixed public draws that can be run again on chosen gradients and with chosen noise.

    noise, known   its draw of noise; its settings, tables, what its first stage gives and all other draws
    turn           (steps, d), what a row is multiplied by in each step: a direction of length sqrt(d);   steps   of one call
    seed, part     determine its streams;   shared   which draw the runs have in common, in words; "" if none
    """

    method: Kernel
    space: Space
    noise: Draw
    known: Mapping[str, Any] = field(repr=False)
    turn: FloatArray = field(repr=False)
    steps: int
    seed: int
    part: int
    shared: str

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
    def zero_noise(self) -> FloatArray:
        """Return zeros in place of the noise of all steps, (steps, *shape of a step's noise)."""
        return np.zeros((self.steps, *self.noise.shape(self.space, self.known)))

    def draw_noise(self, world: int) -> FloatArray:
        """Draw the noise of all steps, (steps, *shape), for the runs on data set `world`, 0 or 1."""
        return _draw_rows(self.noise, self.space, self.known, self.steps, self.seed, 3 * self.part + world)

    def step_increments(self, gradients: FloatArray, z: FloatArray, **batches: Any) -> FloatArray:
        """Run the method on gradients (n, d) with noise z; return what each step adds to x, (steps, d).

        batches   the arguments `batch` and `nominal` of the kernel; by default all records
        """
        path, asked, n, steps = np.zeros((self.steps + 1, self.space.d)), np.ones(1, dtype=np.int64), len(gradients), self.steps
        known = {
            **{
                "loss": kernels.linear_loss,
                "gradient": kernels.linear_gradient,
                "value_gradient": kernels.recording_value_gradient,
                "data": gradients,
            },
            **{"params": (path, asked, self.turn), "x": np.zeros(self.space.d)},
            **{"shapes": np.array([(*shape, 1)[:2] for shape in self.space.shapes])},
            **{"batch": np.arange(n)[None, :], "nominal": n, "value": np.empty(steps), "grad_norm_sq": np.empty(steps)},
            **{"clipped": np.empty(steps), "tau": -1, "x_tau": np.empty(self.space.d), "t0": 0},
            **{"centre": np.zeros(self.space.d), "handed": np.zeros(self.space.d)},
            **{name: np.zeros(shape(self.space, self.known)) for name, shape in self.method.state.items()},
            **self.known,
            **{self.noise.name: z},
            **batches,
        }
        run_loop(self.method.name, self.method.function, steps, *(known[name] for name in self.method.takes))
        times = int(asked[0]) - 1
        if times > steps or (times < steps and np.all(np.isfinite(path[: times + 1]))):
            raise ValueError(
                f"{self.describe}: value_gradient is called {times} times in {steps} steps; one call at the end of each step is needed"
            )
        return np.diff(path, axis=0)

    def is_shift_invariant(self, gradients: FloatArray, z: FloatArray, seen: FloatArray, T: int, **batches: Any) -> bool:
        """Return whether every run after the first makes the same steps when all draws are shifted back by one run, of T steps.

        seen   (steps, d), what all steps add with noise z
        True without a test where a draw lasts longer than a run: such runs count as dependent, see `shared`.
        """
        public = {draw: int(self.known[draw.every]) if draw.every else 1 for draw in self.method.draws if draw is not self.noise}
        if len(seen) == T or any(T % lasts or draw.early(self.known) % lasts for draw, lasts in public.items()):
            return True
        known = {draw.name: np.roll(self.known[draw.name], -T // lasts, axis=0) for draw, lasts in public.items()}
        moved = replace(self, known={**self.known, **known}, turn=np.roll(self.turn, -T, axis=0))
        if len(batches.get("batch", ())) == self.steps:
            batches["batch"] = np.roll(batches["batch"], -T, axis=0)
        again = moved.step_increments(gradients, np.roll(z, -T, axis=0), **batches)
        return bool(np.max(np.abs(again[:-T] - seen[T:])) <= ROUNDING * np.max(np.abs(seen)))

    def noise_effects(self, gradients: FloatArray, quiet: FloatArray, T: int = 1, **batches: Any) -> FloatArray:
        """Return the effect of each number of the noise of T steps on what these add to x, (runs, T d, T width).

        quiet   (runs, T d), what they add without noise on the same gradients and batches
        """
        runs, width = len(quiet), self.noise_size
        where = np.empty((*quiet.shape, T * width))
        for k in range(T * width):
            unit = np.zeros((runs, T * width))
            unit[:, k] = 1.0
            where[:, :, k] = self.step_increments(gradients, unit.reshape(self.zero_noise.shape), **batches).reshape(quiet.shape) - quiet
        return where


def prepare_replay(
    method: Kernel, space: Space, settings: Mapping[str, Any], T: int, runs: int, seed: int, *, part: int = 0, together: int
) -> Replay:
    """Draw the public random numbers of `runs` chained runs of T steps of a method, and check its settings; return a `Replay`.

    together   over how many steps the effect of one step's noise is computed
    part       number of this chain, which selects its streams
    """
    steps = T * runs
    given = {**settings, "T": T}
    if missing := [each.name for each in method.all_settings if each.needed and each.name not in given]:
        raise ValueError(f"{missing[0]} is missing: {method.name} needs {', '.join(missing)}")
    settings = {each.name: each.checked(given.get(each.name, each.default)) for each in method.all_settings}
    known: dict[str, Any] = {**settings, **{name: table(space, settings) for name, table in method.tables.items()}}
    shared = ""
    if method.stages:
        stream = generator(seed, 3 * part + PUBLIC, method.stages.stream)
        before = str(stream.bit_generator.state)
        known |= method.stages.begin(space, settings, 0, np.zeros(space.d), {}, stream)
        shared = "" if str(stream.bit_generator.state) == before else "the start of a stage is drawn once for all runs"
    for draw in method.draws:
        if draw.every and settings[draw.every] > 1 and (T % settings[draw.every] or draw.early(settings) % settings[draw.every]):
            shared = f"{draw.name} is kept for longer than a run"
    noise = next(draw for draw in method.draws if draw.stream == NOISE)
    if noise.every and settings[noise.every] > 1:
        reason = f"the noise {noise.name} of {method.name} is kept for several steps; an audit needs 1"
        raise ValueError(f"{noise.every} = {short_repr(settings[noise.every])}: {reason}")
    numbers = space.d * (together * math.prod(noise.shape(space, known)) + together * space.d + 6)
    check_memory(8 * steps * numbers, T=T)  # not runs, of which few are in one call
    known |= {draw.name: _draw_rows(draw, space, known, steps, seed, 3 * part + PUBLIC) for draw in method.draws if draw is not noise}
    turn = draw_directions(generator(seed, 3 * part + PUBLIC, TURN), steps, space.d, "sphere")
    return Replay(method, space, noise, known, turn, steps, seed, part, shared)


def _draw_rows(draw: Draw, space: Space, known: Mapping[str, Any], steps: int, seed: int, replicate: int) -> FloatArray:
    """Draw all rows of a random array of the kernel for the steps of a replay, from the streams of `replicate`."""
    return rows_of(draw, generator(seed, replicate, draw.stream), draw.shape(space, known), known, 0, steps, None)


@validated
def neighbour_scores(
    method: Kernel, one: FloatArray, two: FloatArray, *, T: int, runs: int, seed: int = 0, space: Space | None = None, **settings: Any
) -> AuditScores:
    """Audit a private method: run it ``runs`` times for T steps on two neighbouring data sets (n, d); return the optimal scores.

    one, two   rows of the n records of each data set: their gradients, up to the factors turn_t
    space      how x is read, a vector (d,) unless given;   settings   those of the method without T; sigma is on the mean over all n
    Raises ValueError where the iterates are no affine function of the noise, and where runs share a public draw on which they depend.
    """
    positive_integer(T=T, runs=runs)
    seed_integer(seed=seed)
    one, two = array_of((None, None), one=one), array_of(np.shape(one), two=two)
    check_memory(24 * runs, T=T, runs=runs)
    space, most = space or Space(((one.shape[1],),)), max(1, STEPS // T)
    parts = []
    for number, done in enumerate(range(0, runs, most)):
        replay = prepare_replay(method, space, settings, T, min(most, runs - done), seed, part=number, together=T)
        parts.append(_call_scores((one, two), T, replay))
    mu = np.concatenate([part[2] for part in parts])
    alike = check_equal_distances(mu, replay)
    one, two = (np.concatenate([part[world] for part in parts]) * (1.0 if alike else mu) for world in (0, 1))
    return AuditScores(one, two, normal=alike and replay.noise.law is normal and not replay.noise.every)


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


def _call_scores(pair: tuple[FloatArray, FloatArray], T: int, replay: Replay) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Run the kernel on both data sets in one replay; return the scores on each, of variance 1, and the distance mu, (runs,) each.

    Log likelihood ratios are mu times the scores.
    """
    one, two = pair
    runs = replay.steps // T
    d, width = replay.space.d, replay.noise_size

    def added(gradients: FloatArray, z: FloatArray) -> FloatArray:
        return replay.step_increments(gradients, z).reshape(runs, T * d)

    quiet = added(one, replay.zero_noise), added(two, replay.zero_noise)
    where = replay.noise_effects(one, quiet[0], T)
    between = quiet[0] - quiet[1]
    scale = np.sum(between**2, axis=1)
    if not np.all(np.isfinite(where)) or not np.all(scale > 0):
        raise ValueError("one and two: finite gradients that make a difference in every run are needed")
    try:
        weight = np.linalg.solve(noise_covariance(where, scale), between[:, :, None])[:, :, 0]
    except np.linalg.LinAlgError:
        raise ValueError(f"{replay.describe}: {AFFINE}") from None
    mu = np.sqrt(np.sum(weight * between, axis=1))
    weight /= mu[:, None]
    scores = []
    for world, gradients in enumerate((one, two)):
        z = replay.draw_noise(world)
        seen = added(gradients, z)
        predicted = quiet[world] + (where @ z.reshape(runs, T * width, 1))[:, :, 0]
        if not matches_prediction(seen, predicted, np.abs(where).max() + math.sqrt(scale.max()), z):
            raise ValueError(f"{replay.describe}: {AFFINE}")
        if not replay.is_shift_invariant(gradients, z, seen.reshape(replay.steps, d), T):
            raise ValueError(f"{replay.describe}: {PLACE}")
        scores.append(np.sum(weight * (seen - (quiet[0] + quiet[1]) / 2), axis=1))
    return scores[0], scores[1], mu
