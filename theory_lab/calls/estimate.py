"""``lab.estimate``: estimates of the constants that a recommendation needs, from values and gradients of an objective."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bounds.plans.plan import ESTIMATED, Plan
from bounds.strict_json import strict_json
from bounds.typeset import html
from synthetic.objectives.probe import KINDS, ConstantEstimates, PointMeasurements, estimate_constants
from synthetic.objectives.saddles import SaddleObjective
from synthetic.objectives.sums import Objective
from synthetic.validate import is_real, short_repr, validated

SMALLER = ("mu", "growth_mu")  # constants for which smaller is worse
PRIVATE = "Constants that are estimated on private data spend privacy that no plan accounts for. Use public data."
TRACE = (
    "Tr |Hessian| and r are estimated with random vectors at three points, and may be above the true values. The 95 % t-interval covers "
    "the randomness of these vectors at these points. It does not cover other points, nor the error of the quadrature."
)


@dataclass(frozen=True)
class Estimate:
    """Estimated constants of an objective; `lab.recommend(method, estimate, ...)` uses them, and its plan reports that they are estimated.

    objective   the objective;   probed   the seen values, by constant and by point (`synthetic.objectives.probe`)
    factor      safety factor at least 1: constants are the seen values times it, mu and growth_mu divided by it
    """

    objective: Objective | SaddleObjective
    probed: ConstantEstimates
    factor: float

    @property
    def constants(self) -> dict[str, float]:
        """The estimated constants by name, made worse by the factor; r is at most d."""
        found = {one.name: one.value / self.factor if one.name in SMALLER else one.value * self.factor for one in self._seen_values()}
        if "r" in found:
            found["r"] = min(found["r"], float(self.objective.d))
        return found

    def _seen_values(self) -> list[Any]:
        """Return the seen value of each constant, as records of the probe."""
        return list(self.probed.constants.values())

    @property
    def estimated(self) -> Objective | SaddleObjective:
        """The objective with the estimated constants in place of its own. A plan of it does not report that they are estimates."""
        return replace(self.objective, constants={**self.objective.constants, **self.constants})

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about the limits of the estimates."""
        settings, left = self.probed.settings, self.probed.left_out
        what, drawn = (
            "; ".join(f"{one.name}: {one.seen}" for one in self._seen_values()),
            any(math.isfinite(one.low) for one in self._seen_values()),
        )
        ranked = "r" in self.probed.constants and not drawn
        ranks = "; then r times ell is at most the true r times the true ell" if ranked else ""
        said = [
            f"These are estimates and no bounds. Each is the largest or smallest value at {len(self.probed.places)} points (x_0, a "
            f"descent, and {settings['places']} random points within {settings['radius']:.4g} of them) and over {settings['samples']} "
            f"samples. Where the true value is reported as at least this, as for L, ell and gap, the seen value is never above it, up to "
            f"rounding{ranks}. A guarantee made with the estimates holds only if they are true bounds.",
            PRIVATE,
            f"What each estimate is: {what}.",
        ]
        if self.factor != 1:
            said.append(
                f"All constants are worse than the seen values by the factor {self.factor:g}, as requested. No proof says that this is "
                "enough."
            )
        if drawn:
            said.append(TRACE)
        if left:
            said.append(f"{left} of {left + len(self.probed.places)} points were left out, because values there are not finite.")
        declared = {name: float(value) for name, value in self.objective.constants.items() if name in self.constants}
        if known := ", ".join(f"{name} = {value:g}" for name, value in declared.items()):
            said.append(f"The objective itself declares {known}. Plans of the objective use these, plans of the estimate do not.")
        if isinstance(self.objective, SaddleObjective) and self.objective.where != "everywhere":
            said.append(
                f"The constants that the objective declares hold only in a region: {self.objective.where}. The points of the estimate may "
                "lie outside."
            )
        return tuple(said)

    def __repr__(self) -> str:
        words = ", ".join(f"{name} {value:.4g}" for name, value in self.constants.items())
        by = "" if self.factor == 1 else f", factor {self.factor:g}"
        return f"Estimate(of {self.objective.name}{by}: {words})"

    def _repr_html_(self) -> str:
        rows = self.rows()
        return html.table(self.title, tuple(rows[0]), [tuple(row.values()) for row in rows], self.remarks)

    @property
    def title(self) -> str:
        """The title of the table of constants."""
        return f"estimated constants of {self.objective.name}"

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per constant: observed value, value with safety factor, any interval, side of the true value, where observed."""
        drawn, found = any(math.isfinite(one.low) for one in self._seen_values()), []
        for one in self._seen_values():
            more = {} if self.factor == 1 else {f"with factor {self.factor:g}": self.constants[one.name]}
            ends = {"low": one.low, "high": one.high} if drawn else {}
            true = {"at least": "at least this", "at most": "at most this", "near": "either side"}[one.side]
            found.append({"constant": one.name, "seen": one.value, **more, **ends, "true value": true, "seen at": one.at})
        return found

    def visited(self) -> list[dict[str, Any]]:
        """Return one row per evaluated point: distance from x0, value, and norms of gradient and Hessian."""
        return [_point_row(one, self.objective.x0) for one in self.probed.places]

    def json(self) -> str:
        """Return the constants, the seen values, the points and the remarks as a JSON text; null for values that were not computed."""
        told = {"objective": self.objective.name, "estimated": True, "factor": self.factor, "constants": self.constants}
        seen = {one.name: {f.name: getattr(one, f.name) for f in fields(one) if f.name != "name"} for one in self._seen_values()}
        return strict_json(told | {"seen": seen, "places": self.visited(), "settings": self.probed.settings, "remarks": self.remarks})

    def latex(self) -> str:
        """Return the table of constants in LaTeX (booktabs), with the remarks."""
        from bounds.typeset import latex as typeset  # imported here, because it loads SymPy

        return typeset.table_of_rows(
            self.title, self.rows(), [said.removesuffix(".") for said in self.remarks], label=f"estimate {self.objective.name}"
        )

    def told(self, plan: Any, given: Mapping[str, Any]) -> Any:
        """Return a plan with a caveat, also in each variant, that lists its estimated constants; those in `given` are left out.

        Raises ValueError for a plan that is not a `bounds.plans.plan.Plan`, because no caveat can be added to it.
        """
        if not isinstance(plan, Plan) or not is_dataclass(plan):
            raise ValueError(f"plan = {short_repr(plan)}: with an estimate a plan of the class bounds.plans.plan.Plan is needed")
        used = {name: value for name, value in self.constants.items() if name in plan.problem and given.get(name) is None}
        if not used:
            return plan
        by = "" if self.factor == 1 else f", the factor {self.factor:g} included"
        said = (
            f"{ESTIMATED}: {', '.join(f'{name} = {value:.4g}' for name, value in used.items())}{by}. The guarantees of the plan hold only "
            "if these are true bounds. The same is true of its privacy wherever the noise is calibrated to L or ell and not to a clipping "
            f"threshold alone; then they must be bounds for every possible record. {PRIVATE}"
        )
        columns = {
            name: replace(one, caveats=(said, *one.caveats))
            for name, one in plan.columns.items()
            if any(field.name == "caveats" for field in fields(one))
        }
        return replace(plan, caveats=(said, *plan.caveats), **columns)


def _point_row(one: PointMeasurements, x0: Any) -> dict[str, Any]:
    """Return the table row of an evaluated point: its kind, distance from x0, F, norms of gradients and Hessians, Tr |Hessian|."""
    trace = one.trace.value if one.trace else math.nan
    return {
        "place": KINDS[one.kind],
        "distance": float(np.linalg.norm(one.x - x0)),
        "F": one.value,
        "|grad F|": one.grad_norm,
        "longest sample": one.steepest,
        "|Hessian|": one.norm,
        "of samples": one.curved,
        "Tr |Hessian|": trace,
        "ratio": trace / one.norm if one.norm > 0 else math.nan,
    }


@validated
def estimate(
    objective: Objective | SaddleObjective,
    *,
    radius: float | None = None,
    places: int = 8,
    samples: int = 10_000,
    n: int | None = None,
    points: ArrayLike | None = None,
    seed: int = 0,
    factor: float = 1.0,
    progress: Callable[[int, int], None] | None = None,
) -> Estimate:
    """Estimate the constants of an objective that `recommend` asks for, from its values and gradients at some points.

    `recommend` takes the result in the place of an objective, and its plan reports that the constants are estimated. Use public data:
    constants that are estimated on private data spend privacy that no plan counts.

    Parameters
    ----------
    objective
        An objective on sums, or one with a saddle.
    radius
        Radius of the random points around the path of a descent, above 0. By default the distance from x0 to the best point found, or 1
        where that is 0.
    places
        Number of random points.
    samples
        At most this many samples are looked at, chosen at random where there are more.
    n
        Samples to draw of each client of an objective with a saddle, 1000 by default. Other objectives have their samples already.
    points
        More points to look at, an array (k, d), such as iterates of a run.
    seed
        Seed of points and samples, an integer of at least 0.
    factor
        At least 1. The constants are made worse by it: multiplied, but mu and growth_mu are divided.
    progress
        Called as ``progress(done, total)`` after each point.

    Returns
    -------
    Estimate
        ``constants`` by name: L, ell, r, trace, gap, B, spread, sample_spread, weak, mu and growth_mu. For an objective with a saddle they
        are L, ell, r, trace, gap, U and rho.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name, and where the loss, a gradient or a Hessian is not finite at x0.

    Notes
    -----
    What is seen is no bound: between the points a constant may be worse. So nothing that a plan certifies from estimates is guaranteed.
    Points where something is not finite are left out. For an objective on a ball, points outside are moved to its rim; the radius of the
    ball itself cannot be estimated. The same seed gives the same numbers. `synthetic.objectives.probe` describes how each constant is
    found.

    Examples
    --------
    >>> found = lab.estimate(lab.cosine("flat", d=4, n=50, seed=0))
    >>> 1.0 < found.constants["L"] <= 2.0  # the true L is 2
    True
    """
    if not (is_real(factor) and factor >= 1):
        raise ValueError(f"factor = {short_repr(factor)}: a finite number of at least 1 is needed")
    found = estimate_constants(objective, radius=radius, places=places, samples=samples, n=n, points=points, seed=seed, progress=progress)
    return Estimate(objective, found, factor)
