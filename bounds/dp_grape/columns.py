"""Variants and plan of DP-GRAPE: as printed, with Theorem D.10 repaired, and sharp (as proved)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bounds.plans.plan import Certified, Column, ObjectiveFacts
from bounds.privacy.release import Release

PROVED_FOR = {"F": 1, "update": "sgd", "projection": "gaussian", "side": "smaller"}  # settings of a run that the guarantees are for
UNCOVERED = ("F", "update")  # settings of which no theorem covers another value
PARAMETERS = ("alpha", "T", "C", "batch_size", "r", "F", "sigma")


@dataclass(frozen=True)
class Schedule(Column):
    """A schedule of DP-GRAPE (alpha, T, C, batch, r, F, sigma) with its guarantee.

    sigma       standard deviation per coordinate of the noise on the mean over the batch; `multiplier`, B sigma / C, is that of Algorithm 1
    sampling    "full", "poisson" or "without_replacement": how a batch is drawn; the noise is calibrated to it, and to `n` samples
    bound       bound of the theorem;   certified   bound that is proved at this schedule, private or not, and never above L^2
    private     whether sigma is shown to be sufficient for the required epsilon and delta
    block       size of the largest block, as `largest_block` computes it
    constants   of the problem: the guarantee is for an objective of which none is larger
    """

    ROWS = (*PARAMETERS, "multiplier", "sampling")
    ACCOUNTED = ("T", "C", "sigma", "batch_size", "sampling", "noise")
    FREE = (
        *("alpha", "r", "F", "update", "beta1", "beta2", "phi", "moments", "projection", "side", "refresh"),
        *("replicates", "seed", "threads", "progress"),
    )
    theorem: str
    measure: str
    alpha: float
    T: int
    C: float
    batch_size: int
    sampling: str
    r: int
    F: int
    sigma: float
    multiplier: float
    bound: float
    certified: float
    private: bool
    method: str
    n: int
    block: int
    constants: Mapping[str, float] = field(hash=False)
    caveats: tuple[str, ...] = ()
    release: Release | None = None

    def __repr__(self) -> str:
        said = ", ".join(f"{name} {getattr(self, name):.3g}" for name in ("alpha", "C", "sigma"))
        return f"Schedule({self.theorem}: {said}, T {self.T}, r {self.r}, batch {self.batch_size}; {self.describe_certified()})"

    def arguments(self, method: str, place: ObjectiveFacts, /, **settings: Any) -> dict[str, Any]:
        """Return the arguments of a run by name, with `settings` in place of the plan's; ValueError if n is too small or C is nan."""
        self.only_for(method)
        if (n := place.constants["n"]) < self.n:
            raise ValueError(
                f"plan = a plan for n = {self.n}: its sigma is too small for the objective, which has n = {n:g}; make a plan for that n"
            )
        if math.isnan(self.C):
            raise ValueError(f"plan = a plan of {self.theorem}: the theorem gives no C for this problem, so it cannot be run")
        found = {name: getattr(self, name) for name in ("alpha", "T", "C", "sigma", "r")}
        found |= {"F": self.F} if method == "dp_grape" else {}
        found |= {} if self.sampling == "full" else {"batch_size": self.batch_size, "sampling": self.sampling}
        return found | settings

    def doubt(self, place: ObjectiveFacts, settings: Mapping[str, Any], given: Mapping[str, Any]) -> str:
        """Return a sentence why the guarantee does not hold for a run: noise, largest block, alpha, r, F, update or projection; else ""."""
        if not self.private:
            return f"No (epsilon, delta) is promised for this run: the sigma of {self.theorem} is not shown to be private."
        if (found := largest_block(self.method, place.shapes)) > self.block:
            return f"{self.PROMISE} does not apply to this objective, whose largest block is {found}, not {self.block}."
        other = [name for name, proved in PROVED_FOR.items() if settings.get(name, proved) != proved]
        other += [name for name in ("alpha", "r") if given.get(name, getattr(self, name)) != getattr(self, name)]
        said = ", ".join(f"{name} = {given.get(name, settings.get(name))}" for name in other)
        more = ": no theorem covers it" if {*other} & {*UNCOVERED} else ""
        return f"{self.PROMISE} does not apply to this run, with {said}{more}." if other else ""


def largest_block(method: str, shapes: Sequence[Sequence[int]]) -> int:
    """Return the largest projected size: of any array for "dp_grape_blocks", else the smaller side of a matrix; 0 for none."""
    sizes = [math.prod(one) for one in shapes] if method == "dp_grape_blocks" else [min(one) for one in shapes if len(one) == 2]
    return max(sizes, default=0)


@dataclass(frozen=True, repr=False)
class Plan(Certified):
    """A recommendation for one method and problem: the variants printed, repaired and sharp."""

    IN_PRINT: ClassVar = {"multiplier": "noise multiplier", "batch_size": "batch", "sampling": "sampling of batches"}
    method: str
    problem: Mapping[str, float]
    printed: Schedule
    repaired: Schedule
    sharp: Schedule
    caveats: tuple[str, ...]

    def trivial(self, name: str) -> float:
        """Return L^2, the trivial bound of the squared gradient norm, whatever the variant `name`."""
        return self.problem["L"] ** 2
