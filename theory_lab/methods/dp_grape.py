"""Records of DP-GRAPE and the methods compared with it: its flattened form, DP-SGD, DP-Adam, GaLore and naive DP-GaLore."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bounds.dp_grape.columns import Plan, largest_block
from synthetic.declared.dp_grape import DPSGD, DPAdam, DPGaLore, DPGrape, DPGrapeBlocks, GaLore
from theory_lab.methods.dpzero import OF_T, parse_steps
from theory_lab.methods.dpzero import problem_constants as constants
from theory_lab.methods.record import DELTA, EPSILON, MATRICES, Figures, Method, Option, Plans, needed, whole
from theory_lab.methods.sums import record

if TYPE_CHECKING:
    from synthetic.declared.fields import Declaration
    from synthetic.objectives.sums import Objective

PAPER = "dp_grape"
PLANNED = ("dp_grape", "dp_grape_blocks")  # methods whose parameters are recommended


# --- recommend --------------------------------------------------------------------------------------------------------------------------
def problem_constants(method: str, objective: Objective, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `recommend` for DP-GRAPE: constants and layers of the objective, or the given values in their place."""
    known = {name: value for name, value in constants(method, objective, given).items() if name not in ("B", "r") or name in given}
    if "spread" in objective.constants:
        known = {"spread": objective.constants["spread"]} | known
    blocks = [shape for shape in objective.shape.shapes if len(shape) == 2 or method == "dp_grape_blocks"]
    return {"layers": len(blocks), "block": largest_block(method, blocks)} | known if blocks else known


def make_plans(name: str) -> Plans:
    """Return the `Plans` of dp_grape or dp_grape_blocks: the function that recommends their parameters, and its options."""
    return Plans(
        columns=Plan.COLUMNS,
        words="alpha, T, C, batch size, r, F, sigma",
        described=f"Recommend a schedule for {name}.",
        call="bounds.dp_grape.recommend:recommend",
        problem=problem_constants,
        options=(
            *needed(n="number of samples", d="dimension", epsilon=EPSILON, delta=DELTA, L="Lipschitz constant", ell="smoothness constant"),
            *needed(gap="F(w_0) - F^*, or an upper bound of it"),
            Option("r", "dimension of the subspace", whole, required=True),
            Option("layers", "number of layers that are projected (default: 1)", whole, default=1),
            Option("block", "entries of the largest block, or rows of the largest layer (default: a guess, which the plan names)", whole),
            Option("spread", "bound on F - F^* everywhere (only the printed theorem and its repair need it)", float),
            Option("batch_size", "expected samples per step, each drawn with the public rate batch-size/n (default: all)", whole),
            Option("T_max", OF_T.format("repaired and the sharp variant"), parse_steps, default="printed", metavar="T"),
        ),
    )


# --- figures ----------------------------------------------------------------------------------------------------------------------------
MODULES = {
    "grape-rate": "figures.dp_grape.rate:RATE",
    "grape-subspace": "figures.dp_grape.rate:SUBSPACE",
    "grape-spectrum": "figures.dp_grape.projection:SPECTRUM",
    "grape-direction": "figures.dp_grape.projection:DIRECTION",
    "grape-memory": "figures.dp_grape.memory",
    "grape-digits": "figures.dp_grape.digits",
}
FIGURES = Figures(
    names=tuple(MODULES),
    parts=MODULES,
    titles={
        "grape-rate": "error against d and n epsilon, with and without projections",
        "grape-subspace": "error against steps where a subspace is kept for F steps",
        "grape-spectrum": "singular values of a clipped and noisy gradient",
        "grape-direction": "cosine of the update with the gradient against the signal to noise ratio",
        "grape-memory": "memory against batch size, method by method",
        "grape-digits": "accuracy against epsilon on handwritten digits: DP-Adam, DP-GaLore, DP-GRAPE",
    },
    store="results/grape.sqlite",
    options=(Option("seed", "seed of the draws (default: 0)", whole),),
)


def make_method(declared: type[Declaration]) -> Method:
    """Return the record of a declared method; only dp_grape and dp_grape_blocks have plans."""
    name = declared.key
    planned = name in PLANNED
    why = "it is not private" if name == "galore" else "no theorem of the lab recommends its parameters"
    return record(
        declared,
        paper=PAPER,
        kernel=f"synthetic.methods.dp_grape:{name.upper()}",
        kind=MATRICES,
        plans=make_plans(name) if planned else None,
        figures=FIGURES,
        unplanned="" if planned else f"{name} has no plans, {why}; give alpha and T instead",
    )


METHODS = tuple(map(make_method, (DPGrape, DPGrapeBlocks, DPSGD, DPAdam, GaLore, DPGaLore)))
