"""All contracts by name, and the check of a method by them: for each contract whether it holds, with what failed on which draw."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from synthetic.compiled import explain_compile_errors
from synthetic.contracts import constants, linear, privacy, runs, saddles, units
from synthetic.contracts.trial import ContractBroken, DoesNotApply, Trial, make_trial
from synthetic.methods.record import Kernel
from synthetic.objectives.saddles import SaddleObjective
from synthetic.objectives.sums import Objective
from synthetic.validate import one_of, short_repr

PASSED, FAILED, NO = "passed", "failed", "does not apply"
Contract = Callable[[Trial], str]
LISTED: tuple[Contract, ...] = (
    *(runs.same_seed, runs.threads_and_order, runs.pieces, runs.plain_python, runs.results, runs.recorded, runs.x_tau, runs.steps),
    *(runs.step_size, units.loss_units, units.x_units, privacy.batches, privacy.no_noise, privacy.noise, privacy.noise_size),
    *(privacy.sensitivity, privacy.clipping, privacy.not_finite, linear.linear_step),
)
CONTRACTS: dict[str, Contract] = {one.__name__: one for one in LISTED}


@dataclass(frozen=True)
class ContractResult:
    """The outcome of a contract: passed, failed, or does not apply.

    demands   what the contract demands
    reason    what failed, or why it does not apply; of a contract that holds, what was seen, or ""
    where     numbers that reproduce a failure: seed, replicate, step and others
    """

    contract: str
    outcome: str
    demands: str
    reason: str = ""
    where: Mapping[str, Any] = field(default_factory=dict)


def demand(contract: Callable[..., Any]) -> str:
    """Return what a contract demands: the first line of its docstring after the words "Check that"."""
    return (contract.__doc__ or "").strip().split("\n")[0].removeprefix("Check that ").removesuffix(".")


def check_contract(
    name: str, demands: str, contract: Callable[[], str], exceptions: Mapping[str, str], subject: str, seed: int = 0
) -> ContractResult:
    """Return the result of one contract, a function without arguments; `exceptions` are reasons, by name, why it does not apply.

    subject   name of the method or objective, for errors of the compiler
    """
    if name in exceptions:
        return ContractResult(name, NO, demands, f"declared: {exceptions[name]}")
    try:
        with explain_compile_errors(subject):
            return ContractResult(name, PASSED, demands, contract())
    except ContractBroken as error:
        return ContractResult(name, FAILED, demands, str(error), error.where)
    except DoesNotApply as error:
        return ContractResult(name, NO, demands, str(error))
    except (ValueError, ArithmeticError, IndexError) as error:  # of the loop, its draws, tables or settings
        return ContractResult(name, FAILED, demands, str(error), {"seed": seed, "error": type(error).__name__})


def check_exceptions(exceptions: Mapping[str, str], names: Sequence[str]) -> None:
    """Raise ValueError unless exceptions are reasons, sentences, by the name of a contract."""
    if not isinstance(exceptions, Mapping):
        raise ValueError(f"exceptions = {short_repr(exceptions)}: a dictionary is needed, with a reason for each contract")
    for name, reason in exceptions.items():
        one_of(tuple(names), exceptions=name)
        if not isinstance(reason, str) or not reason.strip():
            raise ValueError(f"exceptions[{name!r}] = {short_repr(reason)}: a sentence is needed, why it does not apply")


def kernel_contracts(
    method: Kernel, exceptions: Mapping[str, str], settings: Mapping[str, Any], *, plain: bool = False
) -> dict[str, Callable[[], ContractResult]]:
    """Return the contracts of a method on sums by name: functions without arguments, each of which returns its result.

    settings     of the method, where its defaults are not meant;   exceptions   contract -> the reason why it does not apply
    plain        whether its loop runs as plain Python, but for runs on threads
    Raises ValueError for a setting or an exception that is not allowed.
    """
    check_exceptions(exceptions, tuple(CONTRACTS))
    trial = make_trial(method, settings, plain=plain)
    seed = trial.settings["seed"]
    return {
        name: partial(check_contract, name, demand(one), partial(one, trial), exceptions, method.name, seed)
        for name, one in CONTRACTS.items()
    }


def runner_contracts(
    runner: Callable[..., Any], name: str, exceptions: Mapping[str, str], settings: Mapping[str, Any]
) -> dict[str, Callable[[], ContractResult]]:
    """Return the contracts of a function that runs a method on objectives with saddles, by name, as `kernel_contracts`."""
    check_exceptions(exceptions, tuple(CONTRACTS))
    trial = saddles.make_runner_trial(runner, name, settings)
    apply = {one.__name__: one for one in saddles.LISTED}
    found: dict[str, Callable[[], ContractResult]] = {}
    for key, one in CONTRACTS.items():
        if key in apply:
            found[key] = partial(check_contract, key, demand(apply[key]), partial(apply[key], trial), exceptions, name)
        else:
            found[key] = partial(ContractResult, key, NO, demand(one), saddles.STEPWISE)
    return found


def objective_contracts(objective: Objective | SaddleObjective, exceptions: Mapping[str, str]) -> dict[str, Callable[[], ContractResult]]:
    """Return the contracts of an objective by name, as `kernel_contracts`: its functions, and each declared constant."""
    names = constants.declared_constants(objective)
    check_exceptions(exceptions, ("gradient", "mean", *names))
    found: dict[str, Callable[[], ContractResult]] = {}
    for one in (constants.gradient, constants.mean):
        found[one.__name__] = partial(check_contract, one.__name__, demand(one), partial(one, objective), exceptions, objective.name)
    measured = cache(partial(constants.measured, objective))
    for name in names:
        contract = partial(_constant_contract, objective, name, measured)
        demands = f"no point contradicts the declared {name}"
        found[name] = partial(check_contract, name, demands, contract, exceptions, objective.name)
    return found


def _constant_contract(objective: Objective | SaddleObjective, name: str, measured: Callable[[], Any]) -> str:
    """Return what is seen of a declared constant, as `constants.constant`; the points are measured at the first call."""
    return constants.constant(objective, name, measured())
