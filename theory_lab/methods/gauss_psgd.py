"""Records of Gauss-PSGD with its oracles, and of the earlier method that it is compared with."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

from synthetic.declared.gauss_psgd import FrozenPSGD, GaussPSGD, Oracle
from theory_lab.methods.record import DELTA, EPSILON, SADDLE, Figures, Kind, Method, Option, Plans, Told, assigned, needed, option_of, whole

if TYPE_CHECKING:
    from bounds.gauss_psgd.columns import Plan
    from synthetic.declared.fields import Declaration
    from synthetic.objectives.saddles import SaddleObjective
    from synthetic.runs.psgd import PsgdRun

PAPER = "gauss_psgd"
ORACLES = get_args(Oracle)
AuditedPart = Literal[  # parts that can be audited alone: oracles, Algorithm 4 and the baseline of its selection
    "sgd", "dp_spider", "ada_dp_spider", "query_dp_spider", "distributed_sgd", "distributed_dp_spider", "distributed_ada_dp_spider",
    "distributed_query_dp_spider", "select", "above_threshold",
]  # fmt: skip
PARAMETERS = tuple(
    name for name in dict.fromkeys(one.name for one in (*GaussPSGD.fields, *FrozenPSGD.fields) if not one.allowed) if name != "n"
)
WORDS = ", ".join(PARAMETERS)
PROBLEM = (
    Option("d", "dimension (for matrix_factorisation: number of rows)", whole, required=True),
    Option("n", "number of samples of each client; each sample is used once", whole, required=True),
    *needed(epsilon=EPSILON, delta=DELTA),
    Option("alpha", "accuracy (default: the least that the samples allow)", float),
    Option("clients", "number of clients, each with n samples (default: %(default)s)", whole, default=1, metavar="M"),
    Option("heterogeneity", "how far the clients' distributions differ (default: %(default)s)", float, default=0.0),
    Option("more", "an argument of the objective", flag="--with", metavar="NAME=VALUE", many=True),
    Option(
        "changed", f"a parameter of the run, in place of that of the scaled plan: {WORDS}", flag="--set", metavar="NAME=VALUE", many=True
    ),
)
VARIANTS = tuple(
    option_of(one, help="gradient oracle: %(choices)s (default: ada_dp_spider, or its distributed form for several clients)")
    if one.name == "oracle"
    else option_of(one, default=one.default)
    for one in GaussPSGD.fields
    if one.allowed
)
SELECTION = (
    Option("select", "choose a point of each trajectory on N held-out samples (Algorithm 4)", whole, metavar="N"),
    Option(
        "selection",
        "thresholds and noise of Algorithm 4, printed or proved, or the AboveThreshold baseline (default: %(default)s)",
        choices=("printed", "proved", "above_threshold"),
        default="proved",
    ),
    Option("replicates", "independent runs (default: %(default)s)", whole, default=1),
    Option("seed", "seed of samples and noise (default: %(default)s)", whole, default=0),
)
PLANS = Plans(
    words="batches, noise, radius, rounds",
    described="Recommend parameters of Gauss-PSGD.",
    call="bounds.gauss_psgd.recommend:recommend",
    problem="theory_lab.methods.gauss_psgd:problem_constants",
    unbatched="the plans of gauss_psgd choose their batches b_1 and b_2 themselves, so that each sample is used once. No theorem covers "
    "other batches; leave it out",
    options=(
        *needed(n="number of samples of each client", d="dimension", epsilon=EPSILON, delta=DELTA),
        *needed(L="Lipschitz constant of every sample's loss (the paper's G)", ell="smoothness constant (the paper's M)"),
        *needed(rho="Lipschitz constant of the Hessian", U="bound on max F - min F"),
        Option("m", "number of clients (default: %(default)s)", whole, default=1),
        Option("omega", "probability of failure (default: %(default)s)", float, default=0.1),
        Option("alpha", "accuracy of the scaled plan (default: the least that the samples allow)", float),
        Option("s", "absolute constant s of the printed parameters (default: the least that the proof allows)", float),
        Option("C_abs", "absolute constant C of the printed parameters (default: %(default)s)", float, default=1.0),
        Option("base", "base of the paper's logarithm (default: %(default)s)", choices=("e", "2"), default="e"),
    ),
)


def problem_constants(method: str, objective: SaddleObjective, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `recommend` for Gauss-PSGD: d, m, L, ell, rho, U of the objective, or the given values in their place.

    Raises ValueError where a constant that is not given is infinite.
    """
    known = {name: float(objective.constants.get(name, math.inf)) for name in ("L", "ell", "rho", "U") if name not in given}
    for name, value in known.items():
        if math.isinf(value):
            asked = f"every theorem here needs one; give {name}= as well, to lab.recommend or in its constants"
            raise ValueError(f"objective = {objective.name!r}: it has no finite {name}, and {asked}")
    return {"d": objective.d, "m": objective.clients} | known | dict(given)


def build_objective(
    name: str, d: int, clients: int, heterogeneity: float, more: Mapping[str, float], kind: Kind = SADDLE
) -> SaddleObjective:
    """Return the objective with saddles of this name; `more` are further arguments of its constructor."""
    import inspect

    import numpy as np

    allowed = inspect.signature(kind.made(name)).parameters
    given: dict[str, Any] = dict(more)
    if clients > 1:
        if "phases" in allowed:
            given["phases"] = heterogeneity * np.linspace(-1, 1, clients)
        elif "clients" in allowed:
            given |= {"clients": clients, "heterogeneity": heterogeneity}
        else:
            raise ValueError(f"clients = {clients}: {name} has a single client; leave clients out")
    landscape: SaddleObjective = kind.built(name, d, **given)
    return landscape


def simulate_command(arguments: argparse.Namespace) -> Told:
    """Run the command `simulate` of Gauss-PSGD at its scaled plan; return a `Told` with a row for each replicate and its point."""
    if arguments.select is None and arguments.selection != SELECTION[1].default:
        raise ValueError(f"selection = {arguments.selection!r}: it is for --select only; give --select too, or leave it out")
    import numpy as np

    import theory_lab as lab

    landscape = build_objective(
        arguments.objective, arguments.d, arguments.clients, arguments.heterogeneity, assigned(arguments.more), arguments.record.kind
    )
    plan = lab.recommend("gauss_psgd", landscape, **{name: getattr(arguments, name) for name in ("n", "epsilon", "delta", "alpha")})
    alpha, changed = plan.scaled.accuracy, assigned(arguments.changed)
    for name in changed:
        if name not in PARAMETERS:
            raise ValueError(f"--set {name}={changed[name]}: there is no parameter {name}; the parameters are {WORDS}")
    settings: dict[str, Any] = {"replicates": arguments.replicates, "seed": arguments.seed, "keep_points": arguments.select is not None}
    if arguments.method == "gauss_psgd":
        settings |= {one.name: getattr(arguments, one.name) for one in VARIANTS}
        settings["oracle"] = arguments.oracle or ("distributed_ada_dp_spider" if arguments.clients > 1 else "ada_dp_spider")
    run = lab.simulate(arguments.method, landscape, plan=plan.scaled, n=arguments.n, **settings, **changed, **arguments.watched)
    rows = [replicate_row(run, landscape, alpha, r) for r in range(arguments.replicates)]
    unaccounted = " ".join(run.remarks)
    if arguments.select is not None:
        for r, one in enumerate(rows):
            one |= select_point(run, landscape, plan, arguments, r)
    of_delta = [text for text in plan.caveats if text.startswith("With delta =") and run.settings.get("oracle") != "exact"]
    remarks = [remark for remark in (selection_warning(rows, alpha), *of_delta) if remark]
    told = {"objective": run.objective, "alpha": alpha, "unaccounted": unaccounted, "remarks": remarks}
    told |= {"settings": run.settings, "replicates": rows}
    plain = [{name: value for name, value in one.items() if not name.startswith("chosen")} for one in rows]
    tables = [(f"{arguments.method} on {run.objective}, n = {arguments.n}, alpha = {alpha:.4g}, psi = {run.psi:.3g}", plain)]
    if arguments.select is not None:
        ours = [{name: value for name, value in one.items() if name == "replicate" or name.startswith("chosen")} for one in rows]
        tables.append((f"chosen on {arguments.select} held-out samples ({arguments.selection}; -1: none)", ours))
    notes = [] if np.all(run.returned) else ["Where no point was returned, the last iterate is shown. Nothing is promised about it."]
    notes += [unaccounted] if unaccounted else []
    return Told(told, tables, [*notes, *remarks, *(caveat for caveat in plan.caveats if caveat.startswith("Scaled"))])


def point_kind(judged: Any) -> str:
    """Return "SOSP", "saddle" or "neither" for a `Certificate` of a point by exact derivatives."""
    return "SOSP" if judged.sosp else "saddle" if judged.saddle else "neither"


def replicate_row(run: PsgdRun, landscape: SaddleObjective, alpha: float, r: int) -> dict[str, Any]:
    """Return the row of replicate r: status, its returned point or else last iterate, checked by exact derivatives, and counts."""
    from synthetic.runs.psgd import STATUS

    point = run.x[r] if run.returned[r] else run.last[r]
    judged = landscape.certify_sosp(point, alpha)
    return {
        "replicate": r,
        "status": STATUS[run.status[r]],
        "point": point_kind(judged),
        "grad_norm": judged.grad_norm,
        "smallest_eigenvalue": judged.smallest_eigenvalue,
        **{name: int(getattr(run, name)[r]) for name in ("steps", "samples", "fresh_calls", "rounds", "escapes")},
    }


def select_point(run: PsgdRun, landscape: SaddleObjective, plan: Plan, arguments: argparse.Namespace, r: int) -> dict[str, Any]:
    """Choose a point of the trajectory of replicate r by private selection; return its index and its exact check, as columns."""
    from bounds.gauss_psgd.fixed_point import Problem
    from bounds.gauss_psgd.selection import above_threshold_limits, selection_tests
    from synthetic.runs.selection import above_threshold, select

    points = run.points[r, : run.steps[r]]
    problem = Problem(**{**plan.problem, "n": arguments.select})
    goal: dict[str, Any] = {"T": len(points), "accuracy": plan.scaled.accuracy}
    shared: dict[str, Any] = {"n": arguments.select, "seed": arguments.seed, "replicate": r}
    if arguments.selection == "above_threshold":
        gradient, hessian = above_threshold_limits(problem, **goal)
        shared |= {"gradient_limit": gradient, "curvature_limit": hessian}
        found = above_threshold(landscape, points, epsilon=arguments.epsilon, **shared)
    else:
        limits = selection_tests(arguments.selection, problem, **goal)
        shared |= {"gradient_limit": limits.gradient, "curvature_limit": limits.hessian}
        found = select(landscape, points, sigma_gradient=limits.sigma_gradient, sigma_hessian=limits.sigma_hessian, **shared)
    if found.chosen is None:
        return {"chosen": -1, "chosen_point": "none", "chosen_grad_norm": math.nan, "chosen_eigenvalue": math.nan}
    judged = landscape.certify_sosp(points[found.chosen], plan.scaled.accuracy)
    return {
        "chosen": found.chosen,
        "chosen_point": point_kind(judged),
        "chosen_grad_norm": judged.grad_norm,
        "chosen_eigenvalue": judged.smallest_eigenvalue,
    }


def selection_warning(rows: Sequence[Mapping[str, Any]], alpha: float) -> str:
    """Return a warning that names the replicates whose chosen point is no second-order stationary point; "" if there are none."""
    wrong = [str(one["replicate"]) for one in rows if one.get("chosen_point") in ("saddle", "neither")]
    if not wrong:
        return ""
    return (
        f"The point chosen in {'replicate' if len(wrong) == 1 else 'replicates'} {', '.join(wrong)} is no second-order stationary point at "
        f"alpha = {alpha:.4g}, by its exact gradient and Hessian. The selection accepts points within its own limits, which include noise."
    )


# --- figures ----------------------------------------------------------------------------------------------------------------------------
MODULES = {
    "psgd-escape": "figures.gauss_psgd.escape",
    "psgd-rate": "figures.gauss_psgd.rate",
    "psgd-distributed": "figures.gauss_psgd.distributed",
    "psgd-selection": "figures.gauss_psgd.selection",
    "psgd-digits": "figures.gauss_psgd.digits",
}
FIGURES = Figures(
    names=tuple(MODULES),
    parts=MODULES,
    titles={
        "psgd-escape": "escape from a strict saddle: distance, value, coupled runs, probability of escape",
        "psgd-rate": "error of the point that Gauss-PSGD returns against n and epsilon, beside the claimed exponents",
        "psgd-distributed": "noise and error against the number of clients",
        "psgd-selection": "what private selection of an iterate costs as the dimension grows",
        "psgd-digits": "accuracy and loss on handwritten digits, Gauss-PSGD and the earlier method",
    },
    store="results/psgd.sqlite",
    options=(Option("seed", "seed of the draws (default: 0)", whole),),
)


def make_method(declared: type[Declaration], options: tuple[Option, ...], plans: Plans | None, parts: tuple[str, ...] = ()) -> Method:
    """Return the record of gauss_psgd or frozen_psgd; `parts` are the oracles and selections that can be audited alone."""
    name = declared.key
    return Method(
        name=name,
        paper=PAPER,
        words=declared.words(),
        described=f"Run {name} on an objective with a saddle.",
        options=options,
        simulated="theory_lab.methods.gauss_psgd:simulate_command",
        kernel=f"synthetic.runs.psgd:{name}",
        kind=SADDLE,
        plans=plans,
        figures=FIGURES,
        unplanned=f"{name} always runs the scaled plan of gauss_psgd for its epsilon and delta; leave --plan out",
        parts=parts,
        declared=declared,
    )


METHODS = (
    make_method(GaussPSGD, PROBLEM + VARIANTS + SELECTION, PLANS, get_args(AuditedPart)),
    make_method(FrozenPSGD, PROBLEM + SELECTION, None),
)
