"""Declarations of DP-ZOO, DP-ZOSO and DP-ZOPO: zeroth-order descent with several directions per step, in stages, and with pruning."""

from typing import Annotated, Any, Literal

from synthetic.declared.fields import (
    AtLeast,
    BatchSize,
    Declaration,
    Positive,
    Rule,
    Sampling,
    Share,
    Steps,
)  # fmt: skip

Score = Literal["synflow", "synflow_exact", "random"]


class Step(Declaration):
    """What every step of the three methods does."""

    C: Annotated[float, Positive("clipping threshold", unit="loss / x", check="synthetic.methods.record:_check_threshold")]
    sigma: Annotated[float, AtLeast(0, "standard deviation of the noise on the mean over the batch, along each direction", unit="loss / x")]
    batch_size: BatchSize = None
    P: Annotated[int, AtLeast(1, "directions per step, shared by all samples of the batch")] = 1
    anchor: Annotated[
        float | None, Positive("weight of the regulariser |x - x_0|^2/(2 anchor) of a stage (default: none)", unit="x^2 / loss")
    ] = None
    regulariser: Annotated[
        Literal["explicit", "proximal"], Rule("where its gradient is taken: at the old point, as printed, or at the new one")
    ] = "explicit"
    direction: Annotated[Literal["gaussian", "sphere"], Rule("distribution of the directions")] = "gaussian"
    radius: Annotated[float | None, Positive("radius of a ball around 0 on which each step is projected (default: no ball)", unit="x")] = (
        None
    )
    output: Annotated[
        Literal["last", "average", "suffix"], Rule("what a stage returns: its last iterate, the mean of all, or the mean of the last ones")
    ] = "last"
    tail: Annotated[float, Share("share of the iterates of a stage that the output suffix averages")] = 0.5
    sampling: Sampling = "without_replacement"


class DPZOO(Step):
    """Private zeroth-order descent, one stage: Algorithm 2 of DP-ZOPO."""

    key = "dp_zoo"
    alpha: Annotated[float, Positive("step size", unit="x^2 / loss")]
    T: Steps
    lam: Annotated[float, Positive("smoothing of the two-point difference", unit="x")] = 1e-4


class Staged(Declaration):
    """Step sizes, steps and smoothing of a run in stages."""

    alpha: Annotated[
        float | tuple[float, ...],
        Positive("step size of the first stage, halved in each further stage; or A,A,... for each stage", unit="x^2 / loss", stages=True),
    ]
    T: Annotated[
        int | tuple[int, ...],
        AtLeast(1, "number of steps of all stages, doubling from stage to stage; or T,T,... for each stage", stages=True),
    ]
    lam: Annotated[
        float | tuple[float, ...],
        Positive(
            "smoothing radius of the first stage, multiplied by widening in each further stage; or L,L,... for each stage",
            unit="x",
            stages=True,
        ),
    ] = 1e-4
    stages: Annotated[int, AtLeast(1, "number of stages")] = 1
    widening: Annotated[float, Positive("factor of the smoothing radius from stage to stage")] = 1.0


class DPZOSO(Step, Staged):
    """Stages with decreasing step sizes: Algorithm 1 of DP-ZOPO."""

    key = "dp_zoso"


class DPZOPO(DPZOSO):
    """Stages that tune a part of the parameters, chosen by a mask: Algorithm 5 of DP-ZOPO."""

    key = "dp_zopo"
    rates: Annotated[float | tuple[float, ...], Share("share of the parameters that is tuned; or R,R,... for each stage", stages=True)]
    strategy: Annotated[
        Literal["static", "dynamic", "incremental"], Rule("one mask, a new mask for each stage, or masks that contain the earlier ones")
    ] = "static"
    weights: Annotated[Literal["pruning", "rank"], Rule("weights of the tuned parameters: 1, or by the rank of their score")] = "pruning"
    upper: Annotated[float, Positive("weight of the largest score, with weights by rank")] = 1.2
    lower: Annotated[float, Positive("weight below the smallest score that is tuned, with weights by rank")] = 0.8
    score: Annotated[
        Score | Any,
        Rule(
            "score that chooses the parameters; in Python also an array (d,) or (stages, d)", check="synthetic.methods.dp_zopo:check_score"
        ),
    ] = "synflow"
    score_P: Annotated[int, AtLeast(1, "directions of the score synflow")] = 1
    score_lam: Annotated[float, Positive("smoothing radius of the score synflow")] = 1e-3
