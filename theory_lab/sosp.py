"""Second-order methods at the front door: a plan becomes the arguments of a run, and the command line's words for both."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bounds.strict_json import strict_json
from theory_lab.arguments import whole

if TYPE_CHECKING:
    from bounds.gauss_psgd.recommend import Plan
    from bounds.gauss_psgd.scaled import Schedule
    from synthetic.psgd import PsgdRun
    from synthetic.saddles import Landscape

METHODS = ("gauss_psgd", "frozen_psgd")
ORACLES = ("ada_dp_spider", "distributed_ada_dp_spider", "dp_spider", "sgd", "exact")
SADDLES = ("random_phase_cosines", "cubic_saddle", "slope", "quartic_saddle", "octopus", "matrix_factorisation", "phase_retrieval")
PARAMETERS = (
    "eta", "chi", "R", "Gamma", "Q", "b_1", "b_2", "sigma_1", "sigma_2", "kappa", "period", "zeta", "limit", "threshold", "extra",
    "frozen_steps",
)  # fmt: skip


def planned(schedule: Schedule, landscape: Landscape, oracle: str, n: int) -> dict[str, Any]:
    """Return the arguments of `synthetic.psgd.gauss_psgd` that a schedule of `bounds.gauss_psgd.recommend` gives for an oracle.

    SGD has batches of the size at which the planned calls use up the samples, with the noise of O_1 for that size; the fixed period is the
    planned number of steps between two fresh gradients; the exact oracle has half of psi^2 as sampling error and half as Gaussian noise.
    """
    from synthetic.psgd import NEEDS  # here: it needs Numba

    batch = max(1, n // max(schedule.calls, 1))
    numbers: dict[str, Any] = {
        "n": n, "b_1": schedule.b_1, "b_2": schedule.b_2, "sigma_1": schedule.sigma_fresh, "sigma_2": schedule.sigma_difference,
        "kappa": schedule.drift_limit, "period": max(1, round(schedule.T / schedule.fresh)),
    }  # fmt: skip
    if oracle == "sgd":
        numbers |= {"b_1": batch, "sigma_1": schedule.sigma_fresh * schedule.b_1 / batch}
    if oracle == "exact":
        numbers |= {"zeta": schedule.psi / math.sqrt(2), "sigma_1": schedule.psi / math.sqrt(2 * landscape.d), "limit": 4 * schedule.calls}
    common = {"eta": schedule.eta, "chi": schedule.chi, "R": schedule.radius, "Gamma": schedule.Gamma, "Q": schedule.Q}
    return common | {name: numbers[name] for name in NEEDS[oracle]}


def problem_of(landscape: Landscape, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the constants of a landscape that `recommend_sosp` asks for; raise ValueError where one that is not given is infinite."""
    known = {name: float(landscape.constants.get(name, math.inf)) for name in ("L", "ell", "rho", "U") if name not in given}
    for name, value in known.items():
        if math.isinf(value):
            raise ValueError(f"objective = {landscape.name!r}: it has no finite {name}, and every theorem here asks for one")
    return known | {"d": landscape.d, "m": landscape.clients}


def build(name: str, d: int, clients: int, heterogeneity: float, more: Mapping[str, float]) -> Landscape:
    """Return the landscape of a name; `more` are further arguments of its constructor."""
    import inspect

    import numpy as np

    import theory_lab as lab

    constructor = getattr(lab, name)
    allowed = inspect.signature(constructor).parameters
    given: dict[str, Any] = dict(more)
    if clients > 1:
        if "phases" in allowed:
            given["phases"] = heterogeneity * np.linspace(-1, 1, clients)
        elif "clients" in allowed:
            given |= {"clients": clients, "heterogeneity": heterogeneity}
        else:
            raise ValueError(f"clients = {clients}: {name} has one client only")
    for word, value in given.items():
        if word not in allowed:
            raise ValueError(f"with = {word}: {name} takes {', '.join(key for key in allowed if key != 'd')}")
        if isinstance(value, float) and "int" in str(allowed[word].annotation) and value.is_integer():
            given[word] = int(value)
    missing = [word for word, one in list(allowed.items())[1:] if one.default is one.empty and word not in given]
    if missing:
        raise ValueError(f"with: {name} needs {', '.join(missing)}, for instance --with {missing[0]}=2")
    landscape: Landscape = constructor(d, **given)
    return landscape


def add_recommend(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``recommend gauss_psgd``."""
    for name, words in (("n", "samples, of each client"), ("d", "dimension"), ("epsilon", "privacy"), ("delta", "privacy"),
                        ("L", "Lipschitz constant of every sample's loss (the paper's G)"), ("ell", "smoothness (the paper's M)"),
                        ("rho", "Lipschitz constant of the Hessian"), ("U", "bound on max F - min F")):  # fmt: skip
        parser.add_argument(f"--{name}", type=float, required=True, help=words)
    parser.add_argument("--m", type=whole, default=1, help="clients (default: %(default)s)")
    parser.add_argument("--omega", type=float, default=0.1, help="probability of failure (default: %(default)s)")
    parser.add_argument("--alpha", type=float, help="accuracy of the scaled plan (default: the least that the samples allow)")
    parser.add_argument("--s", type=float, help="absolute constant s of the printed parameters (default: the least that the proof allows)")
    parser.add_argument("--C-abs", type=float, default=1.0, help="absolute constant C of the printed parameters (default: %(default)s)")
    parser.add_argument("--base", choices=("e", "2"), default="e", help="base of the paper's logarithm (default: %(default)s)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="print a table for a paper")
    form.add_argument("--json", action="store_true", help="print the plan as JSON")
    parser.set_defaults(run=run_recommend, method="gauss_psgd")


def run_recommend(arguments: argparse.Namespace) -> int:
    """Print printed, repaired and scaled parameters side by side, with caveats."""
    from bounds.gauss_psgd.recommend import recommend_sosp

    keys = ("n", "d", "epsilon", "delta", "L", "ell", "rho", "U", "m", "omega", "alpha", "s", "C_abs", "base")
    plan = recommend_sosp(arguments.method, **{key: getattr(arguments, key) for key in keys})
    if arguments.json:
        print(plan.json())
    elif arguments.latex:
        print(plan.latex())
    else:
        from theory_lab.tables import print_plan

        print_plan(plan)
    return 0


def add_simulate(parser: argparse.ArgumentParser, method: str) -> None:
    """Add the arguments of ``simulate gauss_psgd`` or ``simulate frozen_psgd``."""
    parser.add_argument("--objective", choices=SADDLES, default=SADDLES[0], help="%(choices)s (default: %(default)s)")
    parser.add_argument("--d", type=whole, required=True, help="dimension (of matrix_factorisation: its rows)")
    parser.add_argument("--n", type=whole, required=True, help="samples of each client; each is used once")
    parser.add_argument("--epsilon", type=float, required=True, help="privacy")
    parser.add_argument("--delta", type=float, required=True, help="privacy")
    parser.add_argument("--alpha", type=float, help="accuracy (default: the least that the samples allow)")
    parser.add_argument("--clients", type=whole, default=1, metavar="M", help="clients, each with n samples (default: %(default)s)")
    parser.add_argument("--heterogeneity", type=float, default=0.0, help="how far the clients' distributions differ (default: %(default)s)")
    parser.add_argument("--with", dest="more", action="append", default=[], metavar="NAME=VALUE", help="an argument of the objective")
    parser.add_argument("--set", dest="changed", action="append", default=[], metavar="NAME=VALUE",
                        help=f"a parameter of the run instead of the scaled plan's: {', '.join(PARAMETERS)}")  # fmt: skip
    if method == "gauss_psgd":
        parser.add_argument("--oracle", choices=ORACLES, help="%(choices)s (default: ada_dp_spider, distributed for more clients)")
        parser.add_argument("--restart", choices=("continue", "history", "renew"), default="continue",
                            help="the oracle's memory at the start of a round (default: %(default)s)")  # fmt: skip
        parser.add_argument("--drift", choices=("estimates", "queries"), default="estimates", help="what drift sums (default: as printed)")
        parser.add_argument("--output", choices=("anchor", "last"), default="anchor", help="the returned point (default: %(default)s)")
    parser.add_argument("--select", type=whole, metavar="N", help="choose a point of each trajectory on N held-out samples (Algorithm 4)")
    parser.add_argument("--selection", choices=("printed", "proved", "above_threshold"), default="proved",
                        help="thresholds and noise of Algorithm 4, or the AboveThreshold baseline (default: %(default)s)")  # fmt: skip
    parser.add_argument("--replicates", type=whole, default=1, help="independent runs (default: %(default)s)")
    parser.add_argument("--seed", type=whole, default=0, help="seed of samples and noise (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(run=run_simulate, method=method)


def assigned(pairs: list[str]) -> dict[str, float]:
    """Return {"h": 0.5} for ["h=0.5"]; a number without a point, such as 100 or 1e2, is an integer if it is whole."""
    found = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        try:
            value = float(text)
        except ValueError:
            raise ValueError(f"{pair!r}: NAME=VALUE with a number is needed") from None
        found[name] = int(value) if value.is_integer() and "." not in text and abs(value) < 2**53 else value
    return found


def run_simulate(arguments: argparse.Namespace) -> int:
    """Run a second-order method with the scaled plan's parameters; print what each replicate did and what its point is."""
    import numpy as np

    from bounds.gauss_psgd.recommend import recommend_sosp
    from synthetic import psgd

    landscape = build(arguments.objective, arguments.d, arguments.clients, arguments.heterogeneity, assigned(arguments.more))
    privacy = {name: getattr(arguments, name) for name in ("n", "epsilon", "delta")}
    plan = recommend_sosp("gauss_psgd", **problem_of(landscape, {}), **privacy, alpha=arguments.alpha)
    alpha, changed = plan.scaled.accuracy, assigned(arguments.changed)
    for name in changed:
        if name not in PARAMETERS:
            raise ValueError(f"{name} = {changed[name]}: one of {', '.join(PARAMETERS)} is needed")
    shared = {"replicates": arguments.replicates, "seed": arguments.seed, "keep_points": arguments.select is not None}
    if arguments.method == "gauss_psgd":
        oracle = arguments.oracle or ("distributed_ada_dp_spider" if arguments.clients > 1 else "ada_dp_spider")
        options: dict[str, Any] = planned(plan.scaled, landscape, oracle, arguments.n) | changed
        run = psgd.gauss_psgd(
            landscape, oracle=oracle, restart=arguments.restart, drift=arguments.drift, output=arguments.output, **options, **shared
        )
    else:
        options = planned(plan.scaled, landscape, "ada_dp_spider", arguments.n)
        options |= {"threshold": 3 * options["chi"], "extra": options["chi"] / math.sqrt(landscape.d), "frozen_steps": options["Gamma"]}
        options = {name: value for name, value in options.items() if name not in ("chi", "R", "Gamma", "Q")} | changed
        run = psgd.frozen_psgd(landscape, **options, **shared)
    rows = [row(run, landscape, alpha, r) for r in range(arguments.replicates)]
    unaccounted = not_private(landscape, run.settings, changed)
    if arguments.select is not None:
        for r, one in enumerate(rows):
            one |= chosen(run, landscape, plan, arguments, r)
    of_delta = [text for text in plan.caveats if text.startswith("With delta =") and run.settings.get("oracle") != "exact"]
    remarks = [remark for remark in (wrongly_chosen(rows, alpha), *of_delta) if remark]
    if arguments.json:
        told = {
            "objective": run.objective,
            "alpha": alpha,
            "unaccounted": unaccounted,
            "remarks": remarks,
            "settings": run.settings,
            "replicates": rows,
        }
        print(strict_json(told))
        return 0
    from theory_lab.tables import print_rows

    plain = [{name: value for name, value in one.items() if not name.startswith("chosen")} for one in rows]
    print_rows(f"{arguments.method} on {run.objective}, n = {arguments.n}, alpha = {alpha:.4g}, psi = {run.psi:.3g}", plain)
    if arguments.select is not None:
        ours = [{name: value for name, value in one.items() if name == "replicate" or name.startswith("chosen")} for one in rows]
        print_rows(f"chosen on {arguments.select} held-out samples ({arguments.selection}; -1: none)", ours)
    if not np.all(run.returned):
        print("- Where nothing was returned, the point is the last iterate, and nothing is claimed of it.")
    if unaccounted:
        print(f"- {unaccounted}")
    for said in (*remarks, *(caveat for caveat in plan.caveats if caveat.startswith("Scaled"))):
        print(f"- {said}")
    return 0


def not_private(landscape: Landscape, settings: Mapping[str, Any], changed: Mapping[str, float]) -> str:
    """Return why a run has no (epsilon, delta), in a sentence; empty where batches and noise are those of the plan.

    sigma_1 is calibrated to b_1 and sigma_2 to b_2: a batch or a noise set by hand leaves the pair without an account.
    """
    if settings.get("oracle") == "exact":
        return "Not private: the exact oracle sees the population risk and no samples; its noise is not calibrated to epsilon and delta."
    by_hand = [name for name in ("b_1", "b_2", "sigma_1", "sigma_2") if name in changed]
    if by_hand:
        return f"No (epsilon, delta) goes with this run: {', '.join(by_hand)} set by hand, and noise is calibrated to the plan's batches."
    if landscape.where != "everywhere":
        return f"(epsilon, delta) holds only while every point stays where the constants do: {landscape.where}."
    return ""


def kind_of(judged: Any) -> str:
    """Return what exact derivatives say of a point."""
    return "SOSP" if judged.sosp else "saddle" if judged.saddle else "neither"


def row(run: PsgdRun, landscape: Landscape, alpha: float, r: int) -> dict[str, Any]:
    """Return what one replicate did, and what exact derivatives say of its point: the returned one, or else the last iterate."""
    from synthetic.psgd import STATUS

    point = run.x[r] if run.returned[r] else run.last[r]
    judged = landscape.certify_sosp(point, alpha)
    return {
        "replicate": r, "status": STATUS[run.status[r]], "point": kind_of(judged), "grad_norm": judged.grad_norm,
        "smallest_eigenvalue": judged.smallest_eigenvalue, "steps": int(run.steps[r]), "samples": int(run.samples[r]),
        "fresh_calls": int(run.fresh_calls[r]), "rounds": int(run.rounds[r]), "escapes": int(run.escapes[r]),
    }  # fmt: skip


def chosen(run: PsgdRun, landscape: Landscape, plan: Plan, arguments: argparse.Namespace, r: int) -> dict[str, Any]:
    """Return which point of a trajectory a private selection chose, and what it is."""
    from bounds.gauss_psgd.selection import above_threshold_limits
    from bounds.gauss_psgd.selection import select as tests
    from synthetic.selection import above_threshold, select

    points = run.points[r, : run.steps[r]]
    problem: dict[str, Any] = {name: plan.problem[name] for name in ("d", "epsilon", "L", "ell", "rho", "omega")}
    problem |= {"n": arguments.select, "T": len(points), "accuracy": plan.scaled.accuracy}
    shared: dict[str, Any] = {"n": arguments.select, "seed": arguments.seed, "replicate": r}
    if arguments.selection == "above_threshold":
        gradient, hessian = above_threshold_limits(**problem)
        shared |= {"gradient_limit": gradient, "curvature_limit": hessian}
        found = above_threshold(landscape, points, epsilon=arguments.epsilon, **shared)
    else:
        limits = tests(arguments.selection, **problem, delta=plan.problem["delta"], m=int(plan.problem["m"]))
        shared |= {"gradient_limit": limits.gradient, "curvature_limit": limits.hessian}
        found = select(landscape, points, sigma_gradient=limits.sigma_gradient, sigma_hessian=limits.sigma_hessian, **shared)
    if found.chosen is None:
        return {"chosen": -1, "chosen_point": "none", "chosen_grad_norm": math.nan, "chosen_eigenvalue": math.nan}
    judged = landscape.certify_sosp(points[found.chosen], plan.scaled.accuracy)
    return {
        "chosen": found.chosen, "chosen_point": kind_of(judged), "chosen_grad_norm": judged.grad_norm,
        "chosen_eigenvalue": judged.smallest_eigenvalue,
    }  # fmt: skip


def wrongly_chosen(rows: Sequence[Mapping[str, Any]], alpha: float) -> str:
    """Return which replicates chose a point that is no second-order stationary point, in a sentence; empty where none did."""
    wrong = [str(one["replicate"]) for one in rows if one.get("chosen_point") in ("saddle", "neither")]
    if not wrong:
        return ""
    return (
        f"The point chosen in {'replicate' if len(wrong) == 1 else 'replicates'} {', '.join(wrong)} is no second-order stationary point at "
        f"alpha = {alpha:.4g}, by its exact gradient and Hessian: the selection passes what is within its own limits, noise included."
    )
