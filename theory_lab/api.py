"""The calls that join theory and simulation: a hand-over, no mathematics of their own."""

from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np
import numpy.typing as npt

from bounds import html
from bounds.dp_grape.columns import Plan as GrapePlan
from bounds.dp_grape.columns import Schedule as GrapeSchedule
from bounds.dp_zopo.columns import Plan as ZopoPlan
from bounds.dp_zopo.columns import Schedule as ZopoSchedule
from bounds.dpzero.columns import Plan, Schedule
from bounds.gauss_psgd.columns import Plan as PsgdPlan
from bounds.gauss_psgd.columns import Schedule as PsgdSchedule
from bounds.privacy import ACCOUNTANTS, delta_remark
from bounds.several import Several, several
from bounds.validate import door, inside_unit, one_of, positive, positive_integer, shown
from paper_checks.experiment import sigma_table
from synthetic import grid as engine
from synthetic.grid_settings import Measures
from synthetic.landscape import Landscape
from synthetic.objectives import Objective
from synthetic.psgd import PsgdRun
from synthetic.simulate import Run
from synthetic.validate import flag, positive_array, positive_integers
from theory_lab import signatures as to
from theory_lab.estimation import Estimate
from theory_lab.methods import METHODS
from theory_lab.methods.record import SUM, Function, Method, resolved

if TYPE_CHECKING:
    from paper_checks.verdict import Verdict

NOISE = {"lemma": "Lemma 2.2 of DPZero", "exact": "exact accounting, the least noise"}


class Grid(engine.Grid):
    """A grid that a notebook shows as a table: the best setting by each measure."""

    def _repr_html_(self) -> str:
        rows = []
        for measure in Measures.NAMES:
            if not np.all(np.isnan(values := getattr(self, measure))):
                i, j, k = self.best(measure)
                setting = (float(self.alphas[i]), int(self.horizons[j]), float(self.clips[k]), float(self.sigma[j, k]))
                rows.append((measure, float(values[i, j, k]), *setting))
        return html.table(repr(self), ("best by", "value", "alpha", "T", "C", "sigma"), rows)


class Verdicts(list["Verdict"]):
    """Verdicts that a notebook shows as a table."""

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self))}]" if len(self) < 4 else f"[{self[0]!r}, ... {len(self)} verdicts]"

    def _repr_html_(self) -> str:
        rows = [(one.claim.key, one.outcome.value, one.claim.expected.value, one.finding.sentence) for one in self]
        return html.table(f"{len(self)} verdicts", ("claim", "outcome", "expected", "result"), rows)


@door
def grid(
    method: str,
    objective: Objective,
    *,
    alphas: Sequence[float],
    horizons: Sequence[int],
    clips: Sequence[float],
    epsilon: float,
    delta: float,
    lam: float = 1e-4,
    test: Objective | None = None,
    accountant: to.Accountant = "lemma",
    seed: int = 0,
    direction: to.Direction = "sphere",
    precision: to.Precision = "double",
    prune: bool = False,
    threads: int | None = None,
) -> Grid:
    """Run a method with every (alpha, T, C) on a quadratic, each with the noise that makes it (epsilon, delta)-private.

    The noise has sensitivity 2C/n (replace one record) and T releases; ``accountant="lemma"`` is Lemma 2.2 of DPZero as printed,
    ``"exact"`` the least Gaussian noise. The result has it as ``sigma``, and in ``settings`` which accountant gave it for which privacy,
    with a remark where delta is not well below 1/n. On a quadratic the two-point difference is the same for every lam, so ``lam`` changes
    nothing but rounding; it is checked and otherwise unused. The rest is as in `synthetic.grid.grid`.
    """
    if not isinstance(objective, Objective):
        raise ValueError(f"objective = {shown(objective)}: a quadratic is needed, such as lab.quadratic('inverse', d=20, n=100, seed=0)")
    one_of(tuple(ACCOUNTANTS), accountant=accountant)
    positive(epsilon=epsilon, lam=lam)
    inside_unit(delta=delta)
    steps = positive_integers(horizons=horizons)
    stepsizes, thresholds = positive_array((None,), alphas=alphas), positive_array((None,), clips=clips)
    sigma = sigma_table(accountant=accountant, epsilon=epsilon, delta=delta, n=objective.n, horizons=steps, clips=thresholds)
    axes: dict[str, Any] = {"alphas": stepsizes, "horizons": steps, "clips": thresholds, "sigma": sigma}
    how: dict[str, Any] = {"seed": seed, "direction": direction, "precision": precision, "prune": prune, "threads": threads}
    found = engine.grid(method, objective, **axes, test=test, **how)
    remark = delta_remark(delta, objective.n)
    noise = {"accountant": accountant, "noise": NOISE[accountant], "epsilon": epsilon, "delta": delta, "remark": remark}
    return Grid(**{one.name: getattr(found, one.name) for one in fields(found)} | {"settings": {**found.settings, **noise}})


@overload
def simulate(method: to.Private, objective: Objective, **settings: Unpack[to.Settings]) -> Run: ...
@overload
def simulate(method: to.Private, objective: Objective, *, plan: Schedule, **changed: Unpack[to.Changed]) -> Run: ...
@overload
def simulate(method: Literal["mezo"], objective: Objective, **settings: Unpack[to.MezoSettings]) -> Run: ...
@overload
def simulate(method: Literal["gauss_psgd"], objective: Landscape, **settings: Unpack[to.PsgdSettings]) -> PsgdRun: ...
@overload
def simulate(
    method: Literal["gauss_psgd"], objective: Landscape, *, plan: PsgdSchedule, n: int, **changed: Unpack[to.PsgdChanged]
) -> PsgdRun: ...
@overload
def simulate(method: Literal["frozen_psgd"], objective: Landscape, **settings: Unpack[to.FrozenSettings]) -> PsgdRun: ...
@overload
def simulate(
    method: Literal["frozen_psgd"], objective: Landscape, *, plan: PsgdSchedule, n: int, **changed: Unpack[to.FrozenChanged]
) -> PsgdRun: ...
@overload
def simulate(method: Literal["dp_grape"], objective: Objective, **settings: Unpack[to.GrapeSettings]) -> Run: ...
@overload
def simulate(method: Literal["dp_grape"], objective: Objective, *, plan: GrapeSchedule, **changed: Unpack[to.GrapeChanged]) -> Run: ...
@overload
def simulate(method: Literal["dp_grape_blocks"], objective: Objective, **settings: Unpack[to.BlocksSettings]) -> Run: ...
@overload
def simulate(
    method: Literal["dp_grape_blocks"], objective: Objective, *, plan: GrapeSchedule, **changed: Unpack[to.BlocksChanged]
) -> Run: ...
@overload
def simulate(method: Literal["dp_sgd"], objective: Objective, **settings: Unpack[to.DpSgdSettings]) -> Run: ...
@overload
def simulate(method: Literal["dp_adam"], objective: Objective, **settings: Unpack[to.DpAdamSettings]) -> Run: ...
@overload
def simulate(method: Literal["galore"], objective: Objective, **settings: Unpack[to.GaloreSettings]) -> Run: ...
@overload
def simulate(method: Literal["dp_galore"], objective: Objective, **settings: Unpack[to.DpGaloreSettings]) -> Run: ...
@overload
def simulate(method: Literal["dp_zoo"], objective: Objective, **settings: Unpack[to.ZooSettings]) -> Run: ...
@overload
def simulate(method: Literal["dp_zoo"], objective: Objective, *, plan: ZopoSchedule, **changed: Unpack[to.ZooChanged]) -> Run: ...
@overload
def simulate(method: Literal["dp_zoso"], objective: Objective, **settings: Unpack[to.ZosoSettings]) -> Run: ...
@overload
def simulate(method: Literal["dp_zoso"], objective: Objective, *, plan: ZopoSchedule, **changed: Unpack[to.ZosoChanged]) -> Run: ...
@overload
def simulate(method: Literal["dp_zopo"], objective: Objective, **settings: Unpack[to.ZopoSettings]) -> Run: ...
@overload
def simulate(method: Literal["dp_zopo"], objective: Objective, *, plan: ZopoSchedule, **changed: Unpack[to.ZopoChanged]) -> Run: ...
@overload
def simulate(method: Method, objective: Any = None, *, plan: Any = None, **settings: Any) -> Any: ...


@door
def simulate(method: str | Method, objective: Any = None, *, plan: Any = None, **settings: Any) -> Any:
    """Run a method on an objective: `synthetic.simulate.simulate`, or one of `synthetic.psgd` for gauss_psgd and frozen_psgd.

    ``plan`` stands for the parameters of one column of a recommendation; what is given besides wins, and the run has a remark where the
    plan does not vouch for its privacy or its bound, and the plan's own caveats, such as what may be published. For the methods of
    DPZero that is ``lab.recommend("dpzero", ...).sharp`` or ``.printed``, for gauss_psgd ``lab.recommend("gauss_psgd", ...).scaled`` with
    ``oracle`` and ``n``, and with ``n`` for frozen_psgd. ``method`` may also be the record of a method of one's own, a
    `theory_lab.methods.record.Method`.
    """
    record = recorded(method, list(METHODS))
    if record.kind:
        fitting(record, objective, list(METHODS), f"an objective is needed, such as {SUM.example}")
    else:
        unneeded(record, objective=objective, plan=plan)
    called = record.runner or record.name
    return of_record(record, "run", record.run, "the name of the method, an objective and a plan", called, objective, plan, **settings)


def recorded(method: str | Method, allowed: Sequence[str]) -> Method:
    """Return the record of a method that is given by its name, one of those allowed, or by itself."""
    if isinstance(method, Method):
        return method
    one_of(tuple(allowed), method=method)
    return METHODS[method]


def unneeded(record: Method, **given: Any) -> None:
    """Raise ValueError for what is given to a method whose settings say it all."""
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"{name} = {shown(value)}: {record.name} takes none, because its settings determine everything; leave it out")


def of_record(record: Method, what: str, function: Function, needed: str, /, *given: Any, **settings: Any) -> Any:
    """Call a function that a record names; arguments that one of one's own does not take, and its arithmetic, are told in a sentence."""
    if METHODS.get(record.name) is record:
        return resolved(function)(*given, **settings)
    from paper_checks.place import file_of, place
    from theory_lab.own import called

    try:
        return called(f"{what} of {record.name}", function, needed, *given, **settings)
    except ArithmeticError as error:  # else the door says that the numbers are too extreme
        where = place(error, filter(None, [file_of(resolved(function))]))
        raise ValueError(f"{what} of {record.name}: {type(error).__name__}: {error}{f' ({where})' if where else ''}") from error


def fitting(record: Method, objective: Any, names: Sequence[str], needed: str) -> None:
    """Raise ValueError unless a method runs on an objective: what it needs, or which of the named methods run on this one."""
    if record.kind and isinstance(objective, resolved(record.kind.of)):
        return
    other = next((one.kind for one in METHODS.values() if one.kind and isinstance(objective, resolved(one.kind.of))), None)
    if other is None:
        raise ValueError(f"objective = {shown(objective)}: {needed}")
    if record.kind and record.kind.feature:
        raise ValueError(
            f"objective = {objective.name!r}: {record.name} needs an objective {record.kind.feature}, such as {record.kind.example}"
        )
    others = ", ".join(name for name in names if METHODS[name].kind == other)
    raise ValueError(f"method = {record.name!r}: on an objective {other.feature}, one of {others} is needed")


@overload
def recommend(method: to.Private, **problem: Unpack[to.Problem]) -> Plan: ...
@overload
def recommend(
    method: to.Private, objective: Objective | Estimate, *, epsilon: float, delta: float, **more: Unpack[to.Constants]
) -> Plan: ...
@overload
def recommend(method: Literal["gauss_psgd"], **problem: Unpack[to.PsgdProblem]) -> PsgdPlan: ...
@overload
def recommend(
    method: Literal["gauss_psgd"],
    objective: Landscape | Estimate,
    *,
    n: float,
    epsilon: float,
    delta: float,
    **more: Unpack[to.PsgdConstants],
) -> PsgdPlan: ...
@overload
def recommend(method: Literal["dp_grape", "dp_grape_blocks"], **problem: Unpack[to.GrapeProblem]) -> GrapePlan: ...
@overload
def recommend(
    method: Literal["dp_grape", "dp_grape_blocks"],
    objective: Objective | Estimate,
    *,
    epsilon: float,
    delta: float,
    **more: Unpack[to.GrapeConstants],
) -> GrapePlan: ...
@overload
def recommend(method: Literal["dp_zoo", "dp_zoso", "dp_zopo"], **problem: Unpack[to.ZopoProblem]) -> ZopoPlan: ...
@overload
def recommend(
    method: Literal["dp_zoo", "dp_zoso", "dp_zopo"],
    objective: Objective | Estimate,
    *,
    epsilon: float,
    delta: float,
    **more: Unpack[to.ZopoConstants],
) -> ZopoPlan: ...
@overload
def recommend(
    method: str | Method, objective: Any = None, *, epsilon: Sequence[float] | npt.NDArray[np.float64], **problem: Any
) -> Several: ...
@overload
def recommend(method: Method, objective: Any = None, **problem: Any) -> Any: ...


@door
def recommend(method: str | Method, objective: Any = None, **problem: Any) -> Any:
    """Return plans for a problem, given by its constants or by an objective that carries them.

    ``lab.recommend("dpzero", objective, epsilon=2.0, delta=1e-6)`` takes n, d, r, L, ell, gap and B from the objective,
    ``lab.recommend("gauss_psgd", landscape, n=10**6, epsilon=2.0, delta=1e-6)`` d, m, L, ell, rho and U; values that are given as well
    win. An estimate, `lab.estimate(objective)`, stands for its objective with the constants that were seen, and the plan says that they are
    estimated. With several epsilon that rise, ``epsilon=[0.5, 1, 2]``, all of their plans are returned, a `bounds.several.Several`: a
    sequence of plans that has ``rows()``, ``records()``, ``json()`` and ``latex()``. The rest is as in
    `bounds.dpzero.recommend.recommend` and `bounds.gauss_psgd.recommend.recommend`.
    """
    planned = [name for name, one in METHODS.items() if one.plans]
    record = recorded(method, planned)
    if record.plans is None:
        raise ValueError(f"method = {record.name!r}: it has no plans, so no parameters can be recommended")
    if record.plans.unbatched and "batch_size" in problem:
        raise ValueError(f"batch_size = {shown(problem['batch_size'])}: {record.plans.unbatched}")
    estimate, given = (objective, dict(problem)) if isinstance(objective, Estimate) else (None, {})
    if not record.kind:
        unneeded(record, objective=objective)
    elif objective is not None:
        objective = estimate.estimated if estimate else objective
        fitting(record, objective, planned, "an objective of the lab is needed, or no objective and the constants by name")
        if record.plans.problem:
            problem = resolved(record.plans.problem)(record.name, objective, problem)
    call = partial(of_record, record, "plans", record.plans.call, "the name of the method")

    def plan_of(*names: Any, **at: Any) -> Any:
        plan = call(*names, **at)
        return estimate.told(plan, given) if estimate else plan

    epsilon = problem.get("epsilon")
    if isinstance(epsilon, list | tuple) or (isinstance(epsilon, np.ndarray) and epsilon.ndim):
        return several(plan_of, problem.pop("epsilon"), record.name, watched=record.plans.watched, **problem)
    return plan_of(record.name, **problem)


for one in (simulate, recommend):
    vars(one)["__signature__"] = to.completed(one)  # which notebooks complete; the calls themselves are as they were


@door
def check(*select: str, module: str | Path | None = None, quick: bool = False, workers: int = 1) -> Verdicts:
    """Examine the claims that the patterns select ("dpzero", "dpzero.theorem3", "dpzero.*privacy*"; all without one).

    With ``module``, a Python file, its CLAIMS are added; without a pattern these alone are examined.
    With more than one worker the claims are spread over processes; a script then needs ``if __name__ == "__main__":``.
    Raises ValueError for a pattern that selects nothing, and BrokenRun, which has the other verdicts, where the processes that examined
    a claim died three times or had no memory.
    """
    from paper_checks.run import due, run
    from theory_lab import own

    for pattern in select:
        if not isinstance(pattern, str):
            raise ValueError(f"select = {shown(pattern)}: words are needed, such as lab.check('dpzero', 'gauss_psgd')")
    if not isinstance(module, str | Path | None):
        raise ValueError(f"module = {shown(module)}: the path of a Python file is needed")
    positive_integer(workers=workers)
    flag(quick=quick)
    chosen = due(own.chosen(own.load([Path(module)] if module is not None else ()), select), full=not quick)
    return Verdicts(run(chosen, full=not quick, workers=workers))
