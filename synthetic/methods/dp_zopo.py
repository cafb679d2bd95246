"""Records of DP-ZOPO: one stage, several stages, and stages that tune a part of the coordinates; their loop is `kernels.dp_zopo`.

DP_ZOO is Algorithm 2, DP_ZOSO Algorithm 1, DP_ZOPO Algorithm 5 with `synthetic.methods.scores` (3) and `synthetic.methods.masks` (4). sigma
is the deviation of the scalar noise of each direction, on the mean over the batch: Algorithm 2's multiplier is batch_size sigma / C.

Settings
    P           directions of a step, 1 by default;   direction   "gaussian" (the default) or "sphere", of radius sqrt(k) in k coordinates
    anchor      weight lambda of the regulariser |x - centre|^2 / (2 lambda), whose centre is the start of the stage; None: no regulariser
    regulariser "explicit": its gradient at the old iterate, Algorithm 2; "proximal": at the new one, as in the proof of Lemma 5
    radius      of a ball around 0 on which each step is projected; None: no ball
    output      the point from which the next stage starts: "last" iterate, "average" of the iterates without the start, or average of a
                "suffix", the last share `tail` of them
    sampling    of batches of batch_size: "without_replacement", or "poisson": a sum is divided by batch_size, which is the mean size
and of methods with several stages
    stages      how many
    alpha       of the first, halved from stage to stage, or one for each;   T   of all, divided so that stages double, or one for each
    lam         of the first, multiplied by `widening` from stage to stage, or one for each
    rates       share of the coordinates that is tuned, or one for each stage
    strategy    "static": the mask of the first stage stays; "dynamic": each stage has its own; "incremental": each contains the one before
    weights, upper, lower   "pruning" or "rank": see `synthetic.methods.masks.importance_weights`
    score       "synflow": Algorithm 3, with score_P directions and smoothing score_lam; "synflow_exact"; "random"; or an array of scores,
                (d,) or (stages, d)
Scores depend on no data. Their random numbers come from a stream of their own.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, get_args

import numpy as np

from synthetic import kernels
from synthetic.declared.dp_zopo import DPZOO, DPZOPO, DPZOSO, Score
from synthetic.draws import DIRECTIONS, NOISE, FloatArray, draw_directions
from synthetic.memory import check_memory
from synthetic.methods.masks import importance_weights
from synthetic.methods.record import Draw, Kernel, Stages
from synthetic.methods.scores import estimate_synflow_scores, synflow_scores
from synthetic.objectives.space import Space
from synthetic.validate import array_of, one_of, short_repr

SCORES = 4  # role of the stream of the scores


def check_score(score: object) -> None:
    """Raise ValueError unless score is one of the words of `Score` or a finite array of one or two dimensions."""
    if isinstance(score, str):
        one_of(get_args(Score), score=score)
    else:
        array_of((None,) * max(1, min(2, np.ndim(np.asarray(score)))), score=score)


def stage_lengths(space: Space, settings: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the number of steps of each stage; raise ValueError where the settings of stages do not fit each other."""
    S, T = settings.get("stages", 1), settings["T"]
    for name in ("alpha", "T", "lam", "rates"):
        if isinstance(one := settings.get(name), tuple) and len(one) != S:
            raise ValueError(f"{name} = {short_repr(one)}: a number, or {S} of them, one for each stage, is needed")
    if not isinstance(T, tuple) and S >= (T + 1).bit_length():
        raise ValueError(
            f"T = {short_repr(T)}, stages = {short_repr(S)}: at least 2^{short_repr(S)} - 1 steps are needed, because stages double"
        )
    if "rates" in settings:
        _check_masks(space, settings, S)
    if isinstance(T, tuple):
        return T
    parts, whole = [2**s for s in range(S - 1)], 2**S - 1
    doubled = [(2 * T * part + whole) // (2 * whole) for part in parts]  # T part / whole, rounded
    return (*doubled, T - sum(doubled))


def _check_masks(space: Space, settings: Mapping[str, Any], S: int) -> None:
    """Raise ValueError where the settings of masks do not fit each other or the space, for S stages."""
    rates, strategy = stage_values(settings["rates"], S), settings["strategy"]
    if strategy == "static" and len(set(rates)) > 1:
        raise ValueError(f"rates = {short_repr(rates)}: one number is needed, because the static mask never changes")
    if strategy == "incremental" and any(a > b for a, b in pairwise(rates)):
        raise ValueError(
            f"rates = {short_repr(rates)}: rates that do not decrease are needed, because an incremental mask contains the one before"
        )
    if settings["lower"] > settings["upper"]:
        raise ValueError(f"upper = {settings['upper']}, lower = {settings['lower']}: an upper weight of at least the lower one is needed")
    if not isinstance(given := settings["score"], str) and (shape := np.shape(given)) not in ((space.d,), (S, space.d)):
        raise ValueError(f"score has shape {shape}: shape {(space.d,)}, or {(S, space.d)}, is needed")
    check_memory(8 * settings["score_P"] * space.d, score_P=settings["score_P"], d=space.d)


def stage_values(value: Any, S: int, factor: float = 1.0) -> tuple[Any, ...]:
    """Return a setting's value in each of S stages: the given tuple, or a number times 1, factor, factor^2, ..."""
    return value if isinstance(value, tuple) else tuple(value * factor**s for s in range(S))


def stage_arguments(
    space: Space, settings: Mapping[str, Any], number: int, x: FloatArray, before: Mapping[str, Any], rng: np.random.Generator
) -> dict[str, Any]:
    """Return the kernel's arguments in stage `number`, by name, see `Stages`; raise ValueError for a start outside the ball."""
    S, steps = settings.get("stages", 1), stage_lengths(space, settings)
    found = stage_mask(space, settings, number, x, before, rng) if "rates" in settings else {"kept": np.empty(0, dtype=np.int64)}
    step, anchor, radius, kept = stage_values(settings["alpha"], S, 0.5)[number], settings["anchor"], settings["radius"], found["kept"]
    share = {"average": 1.0, "suffix": settings["tail"]}.get(settings["output"], 0.0)
    reach, frozen = np.inf if radius is None else radius, float(x @ x - x[kept] @ x[kept]) if len(kept) else 0.0
    if np.linalg.norm(x) > reach * (1 + 1e-9):
        raise ValueError(f"radius = {radius:g}: at least |x0| = {np.linalg.norm(x):.6g} is needed, because the run starts in the ball")
    found |= {"step": step, "smoothing": stage_values(settings["lam"], S, settings.get("widening", 1.0))[number]}
    found |= {"pull": step / anchor if anchor else 0.0, "proximal": settings["regulariser"] == "proximal"}
    found |= {"reach": float(np.sqrt(max(0.0, reach**2 - frozen))) if np.isfinite(reach) else np.inf}
    return found | {"first": sum(steps[: number + 1]) - max(1, round(share * steps[number])) if share else -1}


def stage_mask(
    space: Space, settings: Mapping[str, Any], number: int, x: FloatArray, before: Mapping[str, Any], rng: np.random.Generator
) -> dict[str, Any]:
    """Return the coordinates that stage `number` tunes, {"kept": indices (k,), "scales": weights (k,)}, from the scores at x."""
    if number and settings["strategy"] == "static":
        return {name: before[name] for name in ("kept", "scales")}
    score, rate = settings["score"], stage_values(settings["rates"], settings["stages"])[number]
    if not isinstance(score, str):
        scores = np.atleast_2d(np.asarray(score, dtype=float))[number if np.ndim(score) > 1 else 0]
    elif score == "synflow":
        scores = estimate_synflow_scores(x, space, rng.standard_normal((settings["score_P"], space.d)), settings["score_lam"])
    else:
        scores = rng.standard_normal(space.d) if score == "random" else synflow_scores(x, space)
    if not np.all(np.isfinite(scores)):
        of = f"score_lam = {settings['score_lam']!r}" if score == "synflow" else f"score = {score!r}"
        raise ValueError(f"{of}: the scores overflow at this x; an x at which all scores are finite is needed")
    last = None
    if number and settings["strategy"] == "incremental":
        last = np.zeros(space.d)
        last[before["kept"]] = before["scales"]
    found = importance_weights(scores, rate, before=last, **{name: settings[name] for name in ("weights", "upper", "lower")})
    kept = np.flatnonzero(found)
    return {"kept": kept, "scales": found[kept]}


def direction_shape(space: Space, known: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the shape (P, k) of the directions of a step, in the k coordinates that are tuned."""
    return (known["P"], len(known.get("kept", ())) or space.d)


def noise_shape(space: Space, known: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the shape (P,) of the noise of a step: one number for each direction."""
    return (known["P"],)


def draw_weighted_directions(rng: np.random.Generator, shape: tuple[int, ...], known: Mapping[str, Any]) -> FloatArray:
    """Draw the next directions in the tuned coordinates, (steps, P, k); with weights by rank each coordinate is multiplied by its own."""
    steps, P, k = shape
    drawn = draw_directions(rng, steps * P, k, known["direction"])
    if known.get("weights") == "rank":
        with np.errstate(over="ignore"):  # the run ends where numbers are not finite
            drawn *= known["scales"]
    return drawn.reshape(shape)


GIVES = ("kept", "step", "smoothing", "pull", "proximal", "reach", "first")
STAGES = Stages(stage_lengths, stage_arguments, GIVES, SCORES, lambda settings: bool(settings["output"] != "last"))
DRAWS = (Draw("v", DIRECTIONS, direction_shape, draw_weighted_directions), Draw("z", NOISE, noise_shape))

DP_ZOO = Kernel.of(DPZOO, kernels.dp_zoo, DRAWS, stages=STAGES, releases="P")
DP_ZOSO = Kernel.of(DPZOSO, kernels.dp_zoo, DRAWS, stages=STAGES, releases="P")
DP_ZOPO = Kernel.of(DPZOPO, kernels.dp_zoo, DRAWS, stages=replace(STAGES, gives=(*GIVES, "scales")), releases="P")
KERNELS = {one.name: one for one in (DP_ZOO, DP_ZOSO, DP_ZOPO)}
