"""Variants and plans of DPZero and of the methods compared with it: as printed, sharp (as proved), and tuned on a quadratic."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bounds.plans.plan import NOT_PRIVATE, Column, ObjectiveFacts, Rows, format_number
from bounds.plans.plan import Plan as AnyPlan
from bounds.privacy.release import Release

PARAMETERS = ("alpha", "T", "C", "lam", "sigma")
FOR_ONE_D = ("dpzero.sharp_lipschitz",)  # whose bound for a schedule is larger at a smaller d, where clipping is more frequent


@dataclass(frozen=True)
class Schedule(Column):
    """A schedule (alpha, T, C, lam, sigma) with its guarantee; lam is nan for a method without smoothing.

    sigma is calibrated to `n` samples: with fewer, the run is less private than required. The guarantee holds for objectives of which no
    constant is larger than in `constants` (mu: smaller); for theorems in `FOR_ONE_D` at this d only. `caveats` are those of the plan
    without those of the other variant.
    """

    ROWS: ClassVar[tuple[str, ...]] = PARAMETERS
    ACCOUNTED: ClassVar[tuple[str, ...]] = ("T", "C", "sigma", "batch_size")
    FREE = ("alpha", "lam", "direction", "replicates", "seed", "threads", "progress")
    theorem: str
    measure: str
    alpha: float
    T: int
    C: float
    lam: float
    sigma: float
    bound: float
    certified: float
    method: str
    n: float
    constants: Mapping[str, float] = field(hash=False)
    caveats: tuple[str, ...] = ()
    private: bool = True
    release: Release | None = None

    def __repr__(self) -> str:
        values = ((name, getattr(self, name)) for name in PARAMETERS)
        said = ", ".join(f"{name} {value if name == 'T' else format(value, '.3g')}" for name, value in values if not math.isnan(value))
        return f"Schedule({self.theorem}: {said}; {self.describe_certified()})"

    def arguments(self, method: str, place: ObjectiveFacts, /, **settings: Any) -> dict[str, Any]:
        """Return the arguments of a run by name, with `settings` in place of the plan's; ValueError if n is too small or sigma is nan."""
        self.only_for(method)
        if (n := place.constants["n"]) < self.n:
            raise ValueError(
                f"plan = a plan for n = {self.n:g}: its sigma is too small for the objective, which has n = {n}; make a plan for that n"
            )
        if nowhere := [name for name in ("alpha", "C", "sigma") if math.isnan(getattr(self, name))]:
            raise ValueError(f"plan = a plan of {self.theorem}: the theorem gives no {nowhere[0]} for this problem, so it cannot be run")
        return {name: getattr(self, name) for name in PARAMETERS if not math.isnan(getattr(self, name))} | settings

    def beyond(self, place: ObjectiveFacts) -> dict[str, tuple[float, float]]:
        """Return {name: (the objective's, the plan's)} of worse constants; for theorems in `FOR_ONE_D` a smaller d is worse too."""
        own, made = place.constants.get("d", math.nan), self.constants.get("d", math.nan)
        return super().beyond(place) | ({"d": (own, made)} if self.theorem in FOR_ONE_D and own < made else {})

    def doubt(self, place: ObjectiveFacts, settings: Mapping[str, Any], given: Mapping[str, Any]) -> str:
        """Return a sentence why the guarantee does not hold for a run: noise, alpha or lam set by hand, other directions; else ""."""
        if not self.private:
            return f"No (epsilon, delta) is promised for this run: the sigma of {self.theorem} is not private."
        if by_hand := [name for name in ("alpha", "lam") if name in given]:
            return f"What the plan certifies does not apply to this run: {', '.join(by_hand)} not taken from the plan."
        if settings.get("direction", "sphere") != "sphere" and not math.isnan(self.lam):
            return "What the plan certifies does not apply to this run: it is proved for directions on the sphere only."
        return ""


@dataclass(frozen=True)
class Predicted(Schedule):
    """A schedule tuned on a quadratic from exact expectations, with the error that is predicted for it; it certifies nothing.

    predicted, low, high    E |grad F(x_T)|, F the loss on a test set of n samples, and its 95 % interval
    spectrum, distance      of the quadratic: its spectrum and |x_0 - x*| / sqrt(d)
    """

    PROMISE = "What the plan predicts"
    CHOICE = ("predicted", "T", "sigma")
    predicted: float = math.nan
    low: float = math.nan
    high: float = math.nan
    spectrum: str = ""
    distance: float = math.nan

    def __repr__(self) -> str:
        said = ", ".join(f"{name} {getattr(self, name):.3g}" for name in PARAMETERS if not math.isnan(getattr(self, name)))
        return f"Predicted(for {self.spectrum}: {said}; |grad F(x_T)| {self.predicted:.3g})"

    def doubt(self, place: ObjectiveFacts, settings: Mapping[str, Any], given: Mapping[str, Any]) -> str:
        """Return the sentence that the plan certifies nothing, because it is a prediction for a quadratic."""
        return f"The plan certifies nothing: it is a prediction for a quadratic with the spectrum {self.spectrum}."


@dataclass(frozen=True)
class MisjudgedConstant:
    """The certified bounds of both schedules if the true constant is twice the assumed one.

    Never above the trivial bound L^2 on the squared gradient norm; inf where nothing is proved (under PL).
    If the true constant is smaller than assumed, the stated guarantee stands as it is.
    """

    constant: str
    printed: float
    sharp: float


@dataclass(frozen=True, repr=False)
class Plan(AnyPlan):
    """A recommendation for one method and problem: the variants printed and sharp."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("printed", "sharp")
    NEIGHBOURS: ClassVar = "replace_one"
    PROMISED: ClassVar = {
        "theorem": "theorem",
        "measure": "measure",
        "bound of the theorem": "bound",
        "certified at this T": "certified",
    }
    method: str
    problem: Mapping[str, float]
    printed: Schedule
    sharp: Schedule
    caveats: tuple[str, ...]
    misjudged: tuple[MisjudgedConstant, ...]

    def trivial(self, name: str) -> float:
        """Return the trivial bound: L^2 of the squared gradient norm; of the loss under PL L^2/(2 mu), or 2 B if less."""
        problem, of_gradient = self.problem, self.problem["L"] ** 2
        if name != "printed" or "mu" not in problem:
            return of_gradient
        B = problem.get("B", math.inf) if math.isfinite(self.printed.certified) else math.inf  # inf: it is a guess
        return min(of_gradient / (2 * problem["mu"]), 2 * B)

    def summary(self) -> str:
        """Return T and the certified values as text, such as "T = 100, certified: printed nothing, sharp 0.5"."""
        certified = ", ".join(f"{name} {format_number(self.promised(name, 'certified'))}" for name in ("printed", "sharp"))
        return f"T = {self.printed.T}, certified: {certified}"

    def promises(self) -> Rows:
        """Return the rows of guarantees, and of what they become if a constant was assumed too small by a factor of 2."""

        def printed(one: MisjudgedConstant) -> float | str:
            return one.printed if self.printed.private else NOT_PRIVATE

        return [
            *super().promises(),
            [(f"if the true {one.constant} is twice as large", printed(one), one.sharp) for one in self.misjudged],
        ]


@dataclass(frozen=True)
class WrongGuess:
    """The cost of a wrong spectrum: the error predicted for the tuned schedule if `truth` holds, and the best one for that truth."""

    truth: str
    predicted: float
    best: float


@dataclass(frozen=True, repr=False)
class TunedPlan(Plan):
    """A plan with a third variant, tuned on a quadratic; `predictions` are the predicted errors of all variants on its spectrum."""

    COLUMNS: ClassVar[tuple[str, ...]] = (*Plan.COLUMNS, "tuned")
    tuned: Predicted
    predictions: tuple[float, ...]
    guesses: tuple[WrongGuess, ...]

    def summary(self) -> str:
        """Return T and the certified values of the plan, and T and the predicted error of the tuned variant, as text."""
        return f"{super().summary()}; tuned T = {self.tuned.T}, predicted {self.tuned.predicted:.4g}"

    def promises(self) -> Rows:
        """Return the rows of guarantees and predictions, and of what both become if an assumption was wrong."""
        certified, misjudged = super().promises()
        nowhere = (math.nan, math.nan)
        return [
            certified,
            [(*row, math.nan) for row in misjudged],
            [("predicted |grad F(x_T)|", *self.predictions)],
            [
                (words, *nowhere, value)
                for one in self.guesses
                for words, value in ((f"if the true {one.truth}", one.predicted), ("  best for that truth", one.best))
            ],
        ]
