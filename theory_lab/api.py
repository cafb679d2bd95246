"""The calls `grid`, `simulate`, `recommend` and `check`: validate arguments and pass them to theory and simulation."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bounds.plans.side_by_side import several
from bounds.privacy.gaussian import Accountant
from bounds.typeset import html
from bounds.typeset.docstrings import append_docstring
from bounds.validate import positive_integer, short_repr, validated
from synthetic.declared.fields import Declaration
from synthetic.draws import Direction
from synthetic.grids.grid import Precision
from synthetic.objectives.sums import Objective
from synthetic.validate import flag
from theory_lab.calls import docs
from theory_lab.calls import grid as gridding
from theory_lab.calls.estimate import Estimate
from theory_lab.calls.grid import Engine, Grid
from theory_lab.methods import METHODS, find_method, record_of
from theory_lab.methods.record import SUM, Function, Method, resolved

if TYPE_CHECKING:
    from paper_checks.verdict import Verdict


class Verdicts(list["Verdict"]):
    """A list of verdicts; a notebook shows it as a table."""

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self))}]" if len(self) < 4 else f"[{self[0]!r}, ... {len(self)} verdicts]"

    def _repr_html_(self) -> str:
        rows = [(one.claim.key, one.outcome.value, one.claim.expected.value, one.finding.sentence) for one in self]
        return html.table(f"{len(self)} verdicts", ("claim", "outcome", "expected", "result"), rows)


@append_docstring(docs.GRID)
@validated
def grid(
    method: str | type[Declaration] | Method,
    objective: Objective,
    *,
    alphas: Sequence[float],
    horizons: Sequence[int],
    clips: Sequence[float] | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    sigma: float | Sequence[Sequence[float]] | npt.NDArray[np.float64] | None = None,
    lam: float = 1e-4,
    test: Objective | None = None,
    accountant: Accountant | None = None,
    seed: int = 0,
    direction: Direction = "sphere",
    precision: Precision = "double",
    prune: bool = False,
    engine: Engine | None = None,
    threads: int | None = None,
    store: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    **settings: Any,
) -> Grid:
    """Run a method on a sum of losses with every combination of step size, number of steps and clipping threshold.

    Each run of a private method gets the noise that makes it (epsilon, delta)-differentially private.
    """
    record = find_method(method, gridding.grid_methods())
    check_objective(record, objective, list(METHODS), f"an objective is needed, such as {SUM.example}")
    return gridding.run_grid(
        record,
        objective,
        axes={"alphas": alphas, "horizons": horizons, "clips": clips},
        privacy={"epsilon": epsilon, "delta": delta, "sigma": sigma, "accountant": accountant},
        engine=engine,
        test=test,
        lam=lam,
        direction=direction,
        how={"seed": seed, "threads": threads},
        only_exact={"precision": precision, "prune": prune},
        watched={"store": store, "progress": progress},
        settings=settings,
    )


@append_docstring(docs.SIMULATE)
@validated
def simulate(method: str | Declaration | Method, objective: Any = None, *, plan: Any = None, **settings: Any) -> Any:
    """Run a method on an objective, and record loss and gradient norm at every iterate.

    The parameters are given by name, or by a plan of `recommend`.
    """
    if isinstance(method, Declaration):
        settings, method = declared_settings(method, plan, settings), record_of(type(method))
    record = find_method(method, list(METHODS))
    if record.kind:
        check_objective(record, objective, list(METHODS), f"an objective is needed, such as {SUM.example}")
    else:
        refuse_arguments(record, objective=objective, plan=plan)
    called = record.runner or record.name
    if METHODS.get(record.name) is record:
        return resolved(record.run)(called, objective, plan, **settings)
    return call_own(
        record,
        "the function run of the method",
        record.run,
        "the name of the method, an objective and a plan",
        called,
        objective,
        plan,
        **settings,
    )


def declared_settings(given: Declaration, plan: Any, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a declared method with further settings of the run; raise ValueError for what is given twice."""
    found = given.settings()
    for name, value in {**settings, **({} if plan is None else {"plan": plan})}.items():
        if name in found or name == "plan":
            said = f"{type(given).__name__}(...) has the settings of the run; leave it out, or give the method by its name"
            raise ValueError(f"{name} = {short_repr(value)}: {said}")
    return {**found, **settings}


def refuse_arguments(record: Method, **given: Any) -> None:
    """Raise ValueError for an argument, an objective or a plan, that is given to a method whose settings determine everything."""
    for name, value in given.items():
        if value is not None:
            raise ValueError(
                f"{name} = {short_repr(value)}: {record.name} takes no {name}, because its settings determine everything; leave it out"
            )


def call_own(record: Method, what: str, function: Function, needed: str, /, *given: Any, **settings: Any) -> Any:
    """Call a function of a user's own method; wrong arguments and arithmetic errors become a ValueError with a full sentence."""
    from paper_checks.source_location import error_location, user_file
    from theory_lab.own import call_checked

    try:
        return call_checked(f"{what} {record.name}", function, needed, *given, **settings)
    except ArithmeticError as error:  # else `validated` reports that the numbers are too extreme
        where = error_location(error, filter(None, [user_file(resolved(function))]))
        raise ValueError(f"{what} {record.name}: {type(error).__name__}: {error}{f' ({where})' if where else ''}") from error


def check_objective(record: Method, objective: Any, names: Sequence[str], needed: str) -> None:
    """Raise ValueError unless the method runs on this objective; the message tells what it needs, or which of `names` run on it."""
    if record.kind and isinstance(objective, resolved(record.kind.of)):
        return
    other = next((one.kind for one in METHODS.values() if one.kind and isinstance(objective, resolved(one.kind.of))), None)
    if other is None:
        raise ValueError(f"objective = {short_repr(objective)}: {needed}")
    if record.kind and record.kind.feature:
        raise ValueError(
            f"objective = {objective.name!r}: {record.name} needs an objective {record.kind.feature}, such as {record.kind.example}"
        )
    others = ", ".join(name for name in names if METHODS[name].kind == other)
    needed = f"it does not run on {objective.name!r}, {f'an objective {other.feature}'.strip()}"
    raise ValueError(f"method = {record.name!r}: {needed}; one of {others} is needed")


@append_docstring(docs.RECOMMEND)
@validated
def recommend(method: str | type[Declaration] | Method, objective: Any = None, **problem: Any) -> Any:
    """Recommend parameters for a private method, with the guarantee that goes with them.

    The problem is given by its constants, or by an objective that has them.
    """
    planned = [name for name, one in METHODS.items() if one.plans]
    record = find_method(method, planned)
    if record.plans is None:
        raise ValueError(f"method = {record.name!r}: it has no plans, so no parameters can be recommended")
    if record.plans.unbatched and "batch_size" in problem:
        raise ValueError(f"batch_size = {short_repr(problem['batch_size'])}: {record.plans.unbatched}")
    estimate, given = (objective, dict(problem)) if isinstance(objective, Estimate) else (None, {})
    if not record.kind:
        refuse_arguments(record, objective=objective)
    elif objective is not None:
        objective = estimate.estimated if estimate else objective
        check_objective(record, objective, planned, "an objective of the lab is needed, or no objective and the constants by name")
        if record.plans.problem:
            problem = resolved(record.plans.problem)(record.name, objective, problem)
    epsilon = problem.get("epsilon")
    many = isinstance(epsilon, list | tuple) or (isinstance(epsilon, np.ndarray) and epsilon.ndim > 0)
    function = record.plans.call_for({*problem, *(["progress"] if many and record.plans.watched else [])})
    call = (
        resolved(function)
        if METHODS.get(record.name) is record
        else partial(call_own, record, "plans of", function, "the name of the method")
    )
    if many:
        every = (lambda *names, **at: estimate.told(call(*names, **at), given)) if estimate else call
        return several(every, problem.pop("epsilon"), record.name, watched=record.plans.watched, **problem)
    plan = call(record.name, **problem)
    return estimate.told(plan, given) if estimate else plan


@validated
def check(*select: str, module: str | Path | None = None, quick: bool = False, workers: int = 1) -> Verdicts:
    """Check claims of the papers: compute evidence for or against each, and return the verdicts.

    Parameters
    ----------
    *select
        Keys or patterns of claims: "dpzero", "dpzero.theorem3", "dpzero.*privacy*". Without one, all claims are checked.
    module
        A Python file, whose CLAIMS are added. Without a pattern these alone are checked.
    quick
        Whether to check with fewer or smaller experiments. Claims that need a full check are left out.
    workers
        Number of processes. With more than one, a script needs ``if __name__ == "__main__":``.

    Returns
    -------
    list of Verdict
        The verdicts, in the order of the claims. Each has ``claim``, ``outcome``, ``finding`` (a sentence and numbers) and ``as_expected``.

    Raises
    ------
    ValueError
        For a pattern that selects nothing, and for a value that is not allowed.
    BrokenRun
        Where the processes that checked a claim died three times or had no memory. It has the other verdicts.

    Notes
    -----
    An outcome is PROVED, CONSISTENT, REFUTED, INCONCLUSIVE or NOT_TESTABLE. CONSISTENT is no proof. A full check of all claims takes hours;
    ``theory-lab check`` keeps its verdicts and continues after an interrupt.

    Examples
    --------
    >>> verdicts = lab.check("dpzero.lemma_2_2.any_epsilon", quick=True)
    >>> verdicts[0].outcome.value, verdicts[0].as_expected
    ('REFUTED', True)
    """
    from paper_checks.run import check_claims, claims_to_check
    from theory_lab import own

    for pattern in select:
        if not isinstance(pattern, str):
            raise ValueError(f"select = {short_repr(pattern)}: words are needed, such as lab.check('dpzero', 'gauss_psgd')")
    if not isinstance(module, str | Path | None):
        raise ValueError(f"module = {short_repr(module)}: the path of a Python file is needed")
    positive_integer(workers=workers)
    flag(quick=quick)
    chosen = claims_to_check(own.select_claims(own.load_files([Path(module)] if module is not None else ()), select), full=not quick)
    return Verdicts(check_claims(chosen, full=not quick, workers=workers))
