"""Variants and plan of Gauss-PSGD, and the arguments of runs with each oracle and with the earlier method."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from bounds.plans.plan import NOT_PRIVATE, NOTHING, Column, ObjectiveFacts, Remarks, Rows
from bounds.plans.plan import Plan as AnyPlan
from bounds.validate import one_of, positive_integer, short_repr

if TYPE_CHECKING:
    from bounds.gauss_psgd.feasibility import Feasibility
    from bounds.gauss_psgd.scaled import Knobs

OF_BATCHES = ("b_1", "b_2", "fresh", "samples", "drift_limit", "sigma_fresh", "sigma_difference")
OF_BLOCK = ("accuracy", "eta", "chi", "Gamma", "Q", "radius", "drift_limit")


@dataclass(frozen=True)
class Schedule(Column):
    """Parameters of Algorithms 1 and 2 (or 3), integers where required, and the noise of each release.

    T                 planned steps (scaled), or the most steps (printed) or gradient estimates (repaired) in the proof
    fresh             planned O1 calls, or the most in the proof
    calls             O1 and O2 calls after which n samples are used up if `fresh` of them are O1
    samples           needed samples, b_1 fresh + b_2 T; n are available
    sigma_fresh       standard deviation per coordinate of the noise on one mean of b_1 gradients, of each client
    sigma_difference  the same on one mean of b_2 gradient differences, per unit of ||x_{t-1} - x_{t-2}||
    psi               bound on the root mean square error of a gradient estimate (scaled), or the proof's psi
    log_factor        mu; nan for the scaled variant
    constants         of the problem; the noise is sufficient as long as L and ell are no larger
    runnable          whether the steps that are planned can be taken: b_1, b_2 >= 1 and samples <= n. A run may need more steps than
                      planned, and returns nothing where its samples run out first
    """

    ROWS = (*OF_BLOCK, "b_1", "b_2", "T", "fresh", "samples", "sigma_fresh", "sigma_difference", "psi")
    ACCOUNTED = ("b_1", "b_2", "sigma_1", "sigma_2")
    FREE = ()
    UNACCOUNTED = "not taken from the plan, and the noise is calibrated to the plan's batches"
    PROMISE = "What the plan aims at"
    CHOICE = ("accuracy", "T")
    measure: ClassVar[str] = "accuracy, where ||grad F|| <= accuracy and the least eigenvalue is at least -sqrt(rho accuracy)"
    theorem: str
    accuracy: float
    eta: float
    chi: float
    Gamma: int
    Q: int
    radius: float
    drift_limit: float
    b_1: int
    b_2: int
    T: int
    fresh: int
    calls: int
    samples: int
    sigma_fresh: float
    sigma_difference: float
    psi: float
    log_factor: float
    constants: Mapping[str, float] = field(hash=False)
    runnable: bool
    caveats: tuple[str, ...] = ()

    def __repr__(self) -> str:
        said = f"accuracy {self.accuracy:.3g}, eta {self.eta:.3g}, b_1 {self.b_1:.3g}, b_2 {self.b_2:.3g}"
        return f"Schedule({self.theorem}: {said}, T {self.T:.3g}{'' if self.runnable else '; cannot be run'})"

    @property
    def runs(self) -> tuple[str, ...]:
        """The keys of Gauss-PSGD and of the earlier method with the same oracle."""
        return ("gauss_psgd", "frozen_psgd")

    def record(self) -> dict[str, Any]:
        """Return the fields as a dictionary, with None for those of batches if a batch is empty."""
        return asdict(self) if min(self.b_1, self.b_2) >= 1 else asdict(self) | dict.fromkeys(OF_BATCHES)

    def arguments(self, method: str, place: ObjectiveFacts, /, **settings: Any) -> dict[str, Any]:
        """Return the arguments of a run; `settings` must have `n`, and for gauss_psgd itself `oracle`; otherwise as in `Column`.

        The noise is sufficient as long as L and ell are no larger than those of the plan: nothing is clipped.
        """
        self.only_for(method)
        needed = ("n",) if method == "frozen_psgd" else ("oracle", "n")
        if missing := [name for name in needed if name not in settings]:
            raise ValueError(f"{missing[0]} is missing: a run of {method} with this plan needs {' and '.join(needed)}")
        positive_integer(n=settings["n"])
        oracle, d, n = settings.get("oracle", "ada_dp_spider"), int(place.constants["d"]), settings["n"]
        found = self.oracle_arguments(oracle, d, n)
        if not self.runnable and oracle != "exact":
            raise ValueError(f"plan = {short_repr(self)}: it cannot be run, because it needs more samples than there are; use plan.scaled")
        worse = self.beyond(place)
        for name, noise in (("L", "sigma_1"), ("ell", "sigma_2")):
            if name in worse and noise in found and noise not in settings and oracle != "exact":
                own, made = worse[name]
                said = f"its noise is too small for {place.name}, which has {name} = {own:g}"
                raise ValueError(f"plan = a plan for {name} = {made:g}: {said}")
        if method == "frozen_psgd":
            return self.frozen_arguments(d, n) | settings
        return {name: value for name, value in (found | settings).items() if name != "n" or oracle != "exact"}

    def oracle_arguments(self, oracle: str, d: int, n: int) -> dict[str, Any]:
        """Return the arguments of Gauss-PSGD with an oracle, for n samples in d dimensions.

        SGD has batches of the size at which the planned calls use up the samples, with the noise of O_1 for that size; the fixed period is
        the planned number of steps between two fresh gradients; the exact oracle has half of psi^2 as sampling error and half as Gaussian
        noise.
        """
        batch = max(1, n // max(self.calls, 1))
        spider = {"n": n, "b_1": self.b_1, "b_2": self.b_2, "sigma_1": self.sigma_fresh, "sigma_2": self.sigma_difference}
        own: dict[str, dict[str, Any]] = {
            "exact": {"zeta": self.psi / math.sqrt(2), "sigma_1": self.psi / math.sqrt(2 * d), "limit": 4 * self.calls},
            "sgd": {"n": n, "b_1": batch, "sigma_1": self.sigma_fresh * self.b_1 / batch},
            "dp_spider": {**spider, "period": max(1, round(self.T / self.fresh))},
            "ada_dp_spider": {**spider, "kappa": self.drift_limit},
            "distributed_ada_dp_spider": {**spider, "kappa": self.drift_limit},
        }
        one_of(tuple(own), oracle=oracle)
        return {"eta": self.eta, "chi": self.chi, "R": self.radius, "Gamma": self.Gamma, "Q": self.Q, **own[oracle]}

    def frozen_arguments(self, d: int, n: int) -> dict[str, Any]:
        """Return the arguments of `frozen_psgd`: N(0, chi^2/d I) where |estimate| <= 3 chi, at most every Gamma steps; else as planned."""
        same = self.oracle_arguments("ada_dp_spider", d, n)
        own = {"threshold": 3 * self.chi, "extra": self.chi / math.sqrt(d), "frozen_steps": self.Gamma}
        return {name: value for name, value in same.items() if name not in ("chi", "R", "Gamma", "Q")} | own

    def remarks(self, place: ObjectiveFacts, settings: Mapping[str, Any], given: Mapping[str, Any]) -> Remarks:
        """Return the remarks about a run: sigma_1 and sigma_2 are calibrated to b_1 and b_2; the exact oracle is never private."""
        if settings.get("oracle") == "exact":
            seen = "the exact oracle uses the population risk and no samples; its noise is not calibrated to epsilon and delta"
            return Remarks((f"Not private: {seen}.",))
        return super().remarks(place, settings, given)

    def doubt(self, place: ObjectiveFacts, settings: Mapping[str, Any], given: Mapping[str, Any]) -> str:
        """Return a sentence if the constants of the objective, which determine the sensitivity, hold in a region only; else ""."""
        if place.where == "everywhere":
            return ""
        return f"(epsilon, delta) holds only while every point stays in the region where the constants hold: {place.where}."


@dataclass(frozen=True, repr=False)
class Plan(AnyPlan):
    """A recommendation for one problem: the variants printed, repaired and scaled.

    printed_within_budget is `first_n` of the printed block with batches that fit into the n samples.
    """

    COLUMNS: ClassVar = ("printed", "repaired", "scaled")
    NEIGHBOURS: ClassVar = "replace_one"
    IN_PRINT: ClassVar = {
        "fresh": "calls of O_1",
        "sigma_fresh": "noise of O_1",
        "sigma_difference": "noise of O_2 per ||x_{t-1} - x_{t-2}||",
    }
    method: str
    problem: Mapping[str, float]
    knobs: Knobs
    printed: Schedule
    printed_promise: Feasibility
    printed_within_budget: float
    repaired: Schedule
    repaired_promise: Feasibility
    scaled: Schedule
    caveats: tuple[str, ...]

    def trivial(self, name: str) -> float:
        """Return the trivial accuracy min(L, ell^2/rho), from which on the guarantee is vacuous."""
        return self.printed_promise.ceiling

    def certifies(self, name: str) -> float | str:
        """Return the accuracy that a variant is proved to reach, "nothing" if none or a vacuous one is proved, or "not private"."""
        promise = {"printed": self.printed_promise, "repaired": self.repaired_promise}.get(name)
        if name == "printed" and not self.printed_is_private:
            return NOT_PRIVATE
        return NOTHING if promise is None or promise.vacuous else promise.accuracy

    @property
    def printed_is_private(self) -> bool:
        """Whether the noise of Definition 8, which the printed parameters use, is private at epsilon and delta."""
        from bounds.gauss_psgd.recommend import is_private  # here: that module imports this one

        return is_private(self.problem["epsilon"], self.problem["delta"])

    def summary(self) -> str:
        """Return the accuracies of all variants in a few words."""
        return "accuracy " + ", ".join(f"{name} {getattr(self, name).accuracy:.4g}" for name in self.COLUMNS)

    def promises(self) -> Rows:
        """Return the rows below the parameters: theorem, smallest n with a guarantee, and whether the variant can be run."""
        variants = (self.printed, self.repaired, self.scaled)
        first = self.printed_promise.first_n if self.printed_is_private else NOT_PRIVATE
        return [
            [
                ("theorem", *(one.theorem for one in variants)),
                ("smallest n with a promise", first, self.repaired_promise.first_n, "none"),
                ("can be run", *("yes" if one.runnable else "no" for one in variants)),
            ]
        ]
