"""Records of DP-ZOO, DP-ZOSO and DP-ZOPO: zeroth-order descent with several directions per step, in stages, and with pruning."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from bounds.dp_zopo.columns import Plan
from theory_lab.methods.record import DELTA, EPSILON, Figures, Method, Option, Plans, needed, whole
from theory_lab.methods.sums import record

if TYPE_CHECKING:
    from synthetic.objectives.sums import Objective

PAPER = "dp_zopo"


def per_stage(kind: Callable[[str], Any], words: str) -> Callable[[str], Any]:
    """Return a converter of option texts: "0.1" to one number, "0.2,0.1" to a tuple with one number per stage."""

    def convert(text: str) -> Any:
        try:
            numbers = tuple(kind(part) for part in text.split(","))
        except (ValueError, argparse.ArgumentTypeError):
            raise argparse.ArgumentTypeError(f"{text!r}: {words}, or one for each stage, joined by commas, is needed") from None
        return numbers[0] if len(numbers) == 1 else numbers

    return convert


# --- settings of their own, as options of `simulate` ------------------------------------------------------------------------------------
NUMBER, WHOLE = per_stage(float, "a number"), per_stage(whole, "a whole number")
STAGED = (
    Option("alpha", "step size of the first stage, halved in each further stage; or A,A,... for each stage", NUMBER),
    Option("T", "number of steps of all stages, doubling from stage to stage; or T,T,... for each stage", WHOLE),
    Option("lam", "smoothing radius of the first stage, multiplied by widening in each further stage; or L,L,... for each stage", NUMBER),
    Option("stages", "number of stages (default: 1)", whole),
)
SIGMA = Option("sigma", "standard deviation of the noise on the mean over the batch, along each direction", float)
P = Option("P", "directions per step, shared by all samples of the batch (default: 1)", whole)
ANCHOR = Option("anchor", "weight of the regulariser |x - x_0|^2/(2 anchor) of a stage (default: none)", float)
REGULARISER = Option(
    "regulariser",
    "where its gradient is taken: at the old point, as printed, or at the new one (default: explicit)",
    choices=("explicit", "proximal"),
)
DIRECTION = Option("direction", "distribution of the directions (default: gaussian)", choices=("gaussian", "sphere"))
OUTPUT = Option(
    "output",
    "what a stage returns: its last iterate, the mean of all, or the mean of the last ones (default: last)",
    choices=("last", "average", "suffix"),
)
SAMPLING = Option("sampling", "how a batch is drawn (default: without_replacement)", choices=("without_replacement", "poisson"))
LAM = Option("lam", "smoothing of the two-point difference (default: 0.0001)", float)
RATES = Option("rates", "share of the parameters that is tuned; or R,R,... for each stage", NUMBER)
STRATEGY = Option(
    "strategy",
    "one mask, a new mask for each stage, or masks that contain the earlier ones (default: static)",
    choices=("static", "dynamic", "incremental"),
)
WEIGHTS = Option("weights", "weights of the tuned parameters: 1, or by the rank of their score", choices=("pruning", "rank"))
SCORE = Option("score", "score that chooses the parameters (default: synflow)", choices=("synflow", "synflow_exact", "random"))
SHARED = (SIGMA, P, ANCHOR, REGULARISER, DIRECTION, OUTPUT, SAMPLING)
OWN: Mapping[str, tuple[Option, ...]] = {
    "dp_zoo": (LAM, *SHARED),
    "dp_zoso": (*STAGED, *SHARED),
    "dp_zopo": (*STAGED, *SHARED, RATES, STRATEGY, WEIGHTS, SCORE),
}
BY_NAME = ("radius", "tail")  # given by --with
MORE = {"dp_zoo": BY_NAME, "dp_zoso": ("widening", *BY_NAME)}
MORE["dp_zopo"] = (*MORE["dp_zoso"], "upper", "lower", "score_P", "score_lam")
WORDS = {
    "dp_zoo": "Algorithm 2 of DP-ZOPO: private zeroth-order descent, one stage",
    "dp_zoso": "Algorithm 1 of DP-ZOPO: stages with decreasing step sizes",
    "dp_zopo": "Algorithm 5 of DP-ZOPO: stages that tune a part of the parameters, chosen by a mask",
}


# --- recommend --------------------------------------------------------------------------------------------------------------------------
def problem_constants(method: str, objective: Objective, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `recommend` for DP-ZOPO: the objective's finite constants, or the given values in their place.

    Raises ValueError where a constant that the theorems need is missing.
    """
    names = ("L", "growth_mu", "radius", "gap", "weak", "sample_spread", "ell", "r")
    known = {name: value for name in names if (value := objective.constants.get(name)) and math.isfinite(value)}
    known = {"n": objective.n, "d": objective.d} | known | dict(given)
    if missing := [name for name in ("L", "growth_mu", "radius", "gap") if known.get(name) is None]:
        said = f"a plan of {method} needs finite values above 0 of {', '.join(missing)}, for a loss on a ball"
        ways = f"use ball_quadratic, or give lab.recommend {', '.join(f'{name}=' for name in missing)} as well"
        raise ValueError(f"objective = {objective.name!r}: {said}; {ways}")
    return known


def make_plans(name: str) -> Plans:
    """Return the `Plans` of dp_zoo, dp_zoso or dp_zopo: the function that recommends their parameters, and its options."""
    return Plans(
        columns=Plan.COLUMNS,
        words="alpha, T, lam, C, batch size, P, stages, sigma",
        described=f"Recommend a schedule for {name}.",
        call="bounds.dp_zopo.recommend:recommend",
        problem=problem_constants,
        options=(
            *needed(n="number of samples", d="dimension", epsilon=EPSILON, delta=DELTA, L="Lipschitz constant"),
            *needed(growth_mu="growth constant: F - F^* is at least 2 growth_mu times the squared distance from the minimiser"),
            *needed(radius="radius of the ball on which the problem is posed", gap="F(x_0) - F^*, or an upper bound of it"),
            Option("weak", "constant of weak convexity (default: 0, convex)", float, default=0.0),
            Option("sample_spread", "root mean squared distance of a sample's gradient from the mean one (default: L)", float),
            *(() if name == "dp_zoo" else (Option("stages", "number of stages (default: as many as help)", whole),)),
            Option("P", "directions per step (default: 1)", whole, default=1),
            Option("batch_size", "samples per step, drawn without replacement (default: all)", whole),
            Option("target", "accuracy of the printed and the repaired variant (default: the least possible)", float),
            *((Option("rates", "share of the parameters that is tuned (default: all)", float, default=1.0),) if name == "dp_zopo" else ()),
            Option("T_max", "most steps of the repaired and the sharp variant (default: as many as help)", whole, metavar="T"),
            Option("ell", "smoothness constant; with r too, the bound of DPZero is printed for comparison", float),
            Option("r", "effective rank, Tr(H) <= r ||H||; with ell too, the bound of DPZero is printed for comparison", float),
        ),
    )


# --- figures ----------------------------------------------------------------------------------------------------------------------------
MODULES = {
    "zopo-lemma4": "figures.dp_zopo.theory:LEMMA_4",
    "zopo-floor": "figures.dp_zopo.theory:FLOOR",
    "zopo-stages": "figures.dp_zopo.stages",
    "zopo-pruning": "figures.dp_zopo.pruning:PRUNING",
    "zopo-scores": "figures.dp_zopo.pruning:SCORES",
    "zopo-digits": "figures.dp_zopo.digits",
}
FIGURES = Figures(
    names=tuple(MODULES),
    parts=MODULES,
    titles={
        "zopo-lemma4": "error of one step against batch, directions, L and beta: as printed and true",
        "zopo-floor": "steps that Theorem 2 asks for, and the accuracy below which none exist",
        "zopo-stages": "gaps after each stage, the bias that clipping leaves, stages against a constant step",
        "zopo-pruning": "four pruning strategies on sparse, spread and moving truths",
        "zopo-scores": "overlap of zeroth-order scores with exact ones",
        "zopo-digits": "accuracy against epsilon on handwritten digits, four pruning strategies",
    },
    store="results/zopo.sqlite",
    options=(Option("seed", "seed of the draws (default: 0)", whole),),
)


def make_method(name: str) -> Method:
    """Return the record of dp_zoo, dp_zoso or dp_zopo: kernel, options, plans and figures."""
    return record(
        name,
        paper=PAPER,
        words=WORDS[name],
        kernel=f"synthetic.methods.dp_zopo:{name.upper()}",
        plans=make_plans(name),
        figures=FIGURES,
        own=(*(one.name for one in OWN[name]), *MORE[name]),
        zeroth=False,
        options=OWN[name],
    )


METHODS = tuple(make_method(name) for name in OWN)
