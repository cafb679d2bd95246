"""Records of DP-ZOO, DP-ZOSO and DP-ZOPO: zeroth-order descent with several directions per step, in stages, and with pruning."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bounds.dp_zopo.columns import Plan
from synthetic.declared.dp_zopo import DPZOO, DPZOPO, DPZOSO
from theory_lab.methods.record import DELTA, EPSILON, Figures, Method, Option, Plans, needed, whole
from theory_lab.methods.sums import record

if TYPE_CHECKING:
    from synthetic.declared.fields import Declaration
    from synthetic.objectives.sums import Objective

PAPER = "dp_zopo"


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


def make_method(declared: type[Declaration]) -> Method:
    """Return the record of a declared method: its kernel, plans and figures."""
    kernel = f"synthetic.methods.dp_zopo:{declared.key.upper()}"
    return record(declared, paper=PAPER, kernel=kernel, plans=make_plans(declared.key), figures=FIGURES)


METHODS = tuple(map(make_method, (DPZOO, DPZOSO, DPZOPO)))
