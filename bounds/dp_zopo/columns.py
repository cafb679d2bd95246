"""Variants and plan of DP-ZOSO and DP-ZOPO: as printed, with Theorem 2 repaired, and sharp (as proved)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bounds.plans.plan import Certified, Column, ObjectiveFacts
from bounds.privacy.release import Release

PROVED_FOR = {"regulariser": "proximal", "direction": "gaussian", "weights": "pruning", "strategy": "static"}
TAIL = 0.5  # share of the iterates whose mean is passed to the next stage, if not all
LEAST = ("growth_mu", "radius")  # constants of which less is worse; a larger radius is worse too: the minimiser may lie outside the ball


@dataclass(frozen=True)
class Schedule(Column):
    """A schedule of DP-ZOSO or DP-ZOPO in stages, with its guarantee.

    alpha, lam   step sizes and smoothing radii, one for each stage;   T   steps of all stages, shared out so that they double
    anchor       the paper's lambda, None where there is no regulariser;   radius   of the ball that each step is projected on
    sigma        standard deviation of the noise on the mean over a batch, along each direction; `noise_ratio`, m sigma/C, is the paper's
    rates        fraction of the coordinates that is tuned: bound and gap are then those of the loss on the coordinates of a static mask
    bound        bound of the theorem;   certified   bound that is proved for these whole numbers, never above L times the diameter
    output       what a stage passes to the next: the "average" of its iterates, or of their "suffix", the last half
    private      whether sigma is shown to be sufficient for the required epsilon and delta
    constants    of the problem: the guarantee is for an objective that has no worse constant; an objective's `tuned` is the least share of
                 its coordinates for which they hold too
    """

    ROWS = ("alpha", "T", "stages", "C", "lam", "batch_size", "P", "anchor", "radius", "rates", "sigma", "noise_ratio", "sampling")
    ACCOUNTED = ("T", "stages", "C", "sigma", "P", "batch_size", "sampling", "noise")
    FREE = (
        *("alpha", "lam", "widening", "anchor", "regulariser", "radius", "output", "tail", "direction", "rates", "strategy", "weights"),
        *("upper", "lower", "score", "score_P", "score_lam", "replicates", "seed", "threads", "progress"),
    )
    theorem: str
    measure: str
    alpha: tuple[float, ...]
    T: int
    lam: tuple[float, ...]
    stages: int
    C: float
    batch_size: int
    sampling: str
    P: int
    anchor: float | None
    radius: float
    rates: float
    sigma: float
    noise_ratio: float
    bound: float
    certified: float
    private: bool
    method: str
    n: int
    constants: Mapping[str, float] = field(hash=False)
    caveats: tuple[str, ...] = ()
    output: str = "average"
    release: Release | None = None

    def __repr__(self) -> str:
        run = f"alpha {self.alpha[0]:.3g}, C {self.C:.3g}, sigma {self.sigma:.3g}, T {self.T} in {self.stages} stages, P {self.P}"
        return f"Schedule({self.theorem}: {run}; {self.describe_certified()})"

    @property
    def output_settings(self) -> dict[str, Any]:
        """The settings of a run that determine what a stage passes to the next."""
        return {"output": self.output} | ({"tail": TAIL} if self.output == "suffix" else {})

    def arguments(self, method: str, place: ObjectiveFacts, /, **settings: Any) -> dict[str, Any]:
        """Return the arguments of a run by name, with `settings` in place of the plan's; ValueError if n is too small or alpha is nan."""
        self.only_for(method)
        if (n := place.constants["n"]) < self.n:
            raise ValueError(
                f"plan = a plan for n = {self.n}: its sigma is too small for the objective, which has n = {n:g}; make a plan for that n"
            )
        if math.isnan(self.alpha[0]):
            raise ValueError(f"plan = a plan of {self.theorem}: the theorem has no schedule for this problem, so it cannot be run")
        one = method == "dp_zoo"
        found: dict[str, Any] = {"alpha": self.alpha[0] if one else self.alpha, "lam": self.lam[0] if one else self.lam}
        found |= {name: getattr(self, name) for name in ("T", "C", "sigma", "P", "anchor", "radius")}
        found |= {} if one else {"stages": self.stages}
        found |= {"regulariser": "proximal", **self.output_settings}
        found |= {"rates": self.rates, "strategy": "static"} if method == "dp_zopo" else {}
        found |= {} if self.sampling == "full" else {"batch_size": self.batch_size, "sampling": self.sampling}
        return found | settings

    def beyond(self, place: ObjectiveFacts) -> dict[str, tuple[float, float]]:
        """Return {name: (the objective's, the plan's)} of worse constants; a smaller growth_mu and any other radius are worse."""
        pairs = {name: (place.constants[name], self.constants[name]) for name in LEAST if name in place.constants}
        others = {name: pair for name, pair in super().beyond(place).items() if name not in LEAST}
        return others | {name: (own, made) for name, (own, made) in pairs.items() if own < made or (name == "radius" and own > made)}

    def doubt(self, place: ObjectiveFacts, settings: Mapping[str, Any], given: Mapping[str, Any]) -> str:
        """Return a sentence why the guarantee does not hold for a run: noise, step, output, mask, growth_mu or L; else ""."""
        if not self.private:
            return f"No (epsilon, delta) is promised for this run: the sigma of {self.theorem} is not shown to be private."
        other = [name for name, proved in (PROVED_FOR | self.output_settings).items() if settings.get(name, proved) != proved]
        other += [name for name in ("alpha", "lam", "widening", "anchor") if name in given]
        other += [name for name in ("radius", "rates") if name in given and settings.get(name) != getattr(self, name)]
        if other:
            return f"{self.PROMISE} does not apply to this run: {', '.join(other)} not taken from the plan."
        if needed := [name for name in ("growth_mu", "L") if name not in place.constants]:
            return f"{self.PROMISE} does not apply to this objective, of which no {needed[0]} is known."
        there = "growth_mu and gap hold for the loss on the coordinates that the mask keeps. This objective does not state that they do"
        return f"{self.PROMISE} applies to this run if {there}." if self.rates < place.constants.get("tuned", 1.0) else ""


@dataclass(frozen=True, repr=False)
class Plan(Certified):
    """A recommendation for one method and problem: the variants printed, repaired and sharp."""

    IN_PRINT: ClassVar = {"noise_ratio": "noise multiplier", "batch_size": "batch", "sampling": "sampling of batches"}
    method: str
    problem: Mapping[str, float]
    printed: Schedule
    repaired: Schedule
    sharp: Schedule
    caveats: tuple[str, ...]

    def trivial(self, name: str) -> float:
        """Return the trivial bound of the gap: L times the diameter of the ball."""
        return 2 * self.problem["L"] * self.problem["radius"]
