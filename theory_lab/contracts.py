"""Check a method or an objective by the contracts of the lab, from Python and from pytest."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from bounds.strict_json import strict_json
from bounds.validate import short_repr
from synthetic import html
from synthetic.contracts.check import FAILED, NO, ContractResult, kernel_contracts, objective_contracts, runner_contracts
from synthetic.methods.record import Kernel
from synthetic.objectives.saddles import SaddleObjective
from synthetic.objectives.sums import Objective
from theory_lab.methods import METHODS, find_method
from theory_lab.methods.record import Method

F = TypeVar("F", bound=Callable[..., Any])


class ContractResults(list[ContractResult]):
    """The results of all contracts of a method or an objective; a notebook shows them as a table."""

    def __init__(self, name: str, results: list[ContractResult]) -> None:
        super().__init__(results)
        self.name = name

    @property
    def failed(self) -> list[ContractResult]:
        """The results of the contracts that failed."""
        return [one for one in self if one.outcome == FAILED]

    @property
    def title(self) -> str:
        """A title with the counts of outcomes."""
        counts = [(word, sum(one.outcome == word for one in self)) for word in ("passed", FAILED, NO)]
        return f"{self.name}: {len(self)} contracts, {', '.join(f'{count} {word}' for word, count in counts if count)}"

    def rows(self) -> list[dict[str, str]]:
        """Return the rows of the table: contract, outcome, and what was found or why it does not apply."""
        return [{"contract": one.contract, "outcome": one.outcome, "found": one.reason} for one in self]

    def json(self) -> str:
        """Return the results as JSON, with the numbers that reproduce a failure; numbers that are not finite are null."""
        told = [
            {"contract": one.contract, "outcome": one.outcome, "demands": one.demands, "found": one.reason, "where": dict(one.where)}
            for one in self
        ]
        return strict_json(json.loads(json.dumps({"name": self.name, "contracts": told}, default=float)))

    def __repr__(self) -> str:
        return f"<{self.title}{''.join(f'; {one.contract}: {one.reason}' for one in self.failed)}>"

    def _repr_html_(self) -> str:
        return html.table(self.title, ("contract", "outcome", "found"), [tuple(row.values()) for row in self.rows()])


def check_method(method: str | Method | Kernel, *, exceptions: Mapping[str, str] | None = None, **settings: Any) -> ContractResults:
    """Check a method by the contracts that every method passes, such as: no noise where sigma = 0, and one record moves a step little.

    Parameters
    ----------
    method
        A method of the lab by name, your own ``METHOD``, or its kernel.
    exceptions
        Contracts that the method is not meant to pass: a dictionary, with the reason for each.
    **settings
        Settings of the method where its defaults are not meant, such as ``F=3`` for DP-GRAPE. They must suit d = 6 and n = 12.

    Returns
    -------
    list of ContractResult
        For each contract ``contract``, ``outcome`` ("passed", "failed" or "does not apply"), ``demands``, ``reason``, and ``where``: the
        seed, replicate, step and numbers that reproduce a failure. The list has ``failed``, ``rows()`` and ``json()``.

    Raises
    ------
    ValueError
        For a method, a setting or an exception that does not exist, or has a value that is not allowed.

    Notes
    -----
    The loop runs on a small objective, 7 steps, one at a time and together. A private step is compared on neighbouring data sets that
    differ in one record, with the same draws: both must give the same result up to a shift of the noise of at most 2 C / (n sigma). A
    pass is no proof, because a few records and steps are tried.

    Examples
    --------
    >>> found = lab.check_method("dp_gd")
    >>> found.title
    'dp_gd: 19 contracts, 19 passed'
    """
    name, contracts = _method_contracts(method, exceptions, settings)
    return ContractResults(name, [contract() for contract in contracts.values()])


def check_objective(objective: Objective | SaddleObjective, *, exceptions: Mapping[str, str] | None = None) -> ContractResults:
    """Check an objective by contracts: its gradients are those of its losses, and its constants are not contradicted at random points.

    Parameters
    ----------
    objective
        An objective of the lab or your own.
    exceptions
        Contracts that it is not meant to pass: a dictionary, with the reason for each.

    Returns
    -------
    list of ContractResult
        As for `check_method`. The contracts are "gradient", "mean", and each declared constant among L, ell, r, gap, B, U, rho and mu.

    Raises
    ------
    ValueError
        For what is no objective, and for an exception that does not exist.

    Examples
    --------
    >>> found = lab.check_objective(lab.cosine("inverse", d=4, n=20, seed=0))
    >>> [one.contract for one in found], found.failed
    (['gradient', 'mean', 'L', 'ell', 'r', 'gap', 'B', 'mu'], [])
    """
    if not isinstance(objective, Objective | SaddleObjective):
        raise ValueError(f"objective = {short_repr(objective)}: an objective is needed, such as lab.cosine('inverse', d=20, n=100, seed=0)")
    contracts = objective_contracts(objective, {} if exceptions is None else exceptions)
    return ContractResults(objective.name, [contract() for contract in contracts.values()])


def method_contracts(method: str | Method | Kernel, *, exceptions: Mapping[str, str] | None = None, **settings: Any) -> Callable[[F], F]:
    """Return a decorator that makes a pytest test of every contract of a method; the test takes `contract` and calls it.

    contract() raises AssertionError with the reason where the contract fails, and skips the test where it does not apply. The other
    arguments are those of `check_method`.
    """
    import pytest

    _, contracts = _method_contracts(method, exceptions, settings)

    def run(contract: Callable[[], ContractResult]) -> None:
        """Run a contract; raise AssertionError where it fails, skip the test where it does not apply."""
        found = contract()
        if found.outcome == NO:
            pytest.skip(found.reason)
        if found.outcome == FAILED:
            raise AssertionError(f"{found.contract}: {found.reason} {dict(found.where)}")

    decorate: Callable[[F], F] = pytest.mark.parametrize("contract", [partial(run, one) for one in contracts.values()], ids=list(contracts))
    return decorate


def _method_contracts(
    method: str | Method | Kernel, exceptions: Mapping[str, str] | None, settings: Mapping[str, Any]
) -> tuple[str, dict[str, Callable[[], ContractResult]]]:
    """Return the name of a method and its contracts by name; raise ValueError as `check_method` does."""
    declared = {} if exceptions is None else exceptions
    record = None if isinstance(method, Kernel) else find_method(method, list(METHODS))
    runner = method if record is None else record.runner
    if isinstance(runner, Kernel):
        return (record.name if record else runner.name), kernel_contracts(runner, declared, settings)
    assert record is not None
    if not callable(runner):
        raise ValueError(f"method = {record.name!r}: its record has no kernel, so there is no loop to check")
    return record.name, runner_contracts(runner, record.name, declared, settings)
