"""Compare simulated runs with a bound, and fit the exponent of an error in a symbol."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bounds.theorem import HYPOTHESIS, Theorem
from paper_checks.compare import check_mean_below
from paper_checks.record import Record
from paper_checks.verdict import Finding, Plot
from synthetic.estimate import loglog_slope
from synthetic.runs.simulate import Run


def failed_hypotheses(theorem: Theorem, values: Mapping[str, float]) -> str:
    """Return the sentences, joined by "; ", on a theorem's hypotheses that fail at these values; "" if all hold."""
    checked = theorem.evaluate(**{name: value for name, value in values.items() if name in theorem.parameters}).checked
    return "; ".join(entry.caveat for entry in checked if entry.condition.kind == HYPOTHESIS and not entry.holds)


def check_run_below(run: Run, bound: float, *, ceiling: float, schedule: Mapping[str, Any], seed: int, where: str) -> Finding:
    """Check that runs' squared gradient norm, averaged over steps, has a mean of at most `bound`; return a Finding.

    `ceiling` is an upper bound on every value; a run that diverged counts as the ceiling. A bound above the ceiling tests nothing.
    """
    samples = np.nan_to_num(run.grad_norm_sq[:, :-1], nan=ceiling).mean(axis=1)
    found = check_mean_below(samples, bound, ceiling=ceiling, seed=seed, where=where)
    numbers = {**found.numbers, **{f"schedule {name}": value for name, value in schedule.items()}, "L^2": ceiling}
    numbers |= {"bound / L^2": bound / ceiling, "diverged": int(run.diverged.sum()), "clipped share": float(np.nanmean(run.clipped))}
    if bound >= ceiling:
        words = "the bound is above L^2, which every run is below: nothing is tested here; a larger n epsilon would"
        return Record(numbers, seed=seed).leave_open(f"{found.sentence}; {words}")
    return replace(found, numbers=numbers)


def check_fitted_exponent(
    letter: str, points: Sequence[float], errors: Sequence[float], claimed: float, *, tolerance: float, shown: str, **times: Sequence[float]
) -> Finding:
    """Check that an error's fitted exponent in a symbol is as claimed: REFUTED above, INCONCLUSIVE below; return a Finding.

    INCONCLUSIVE also where the range is not asymptotic. `times` are lists, by name, of numbers that must be at least 5: a run shorter than
    that has not left its start.
    """
    fit = loglog_slope(np.array(points), np.array(errors))
    local = np.diff(np.log(errors)) / np.diff(np.log(points))
    numbers = {"exponent": fit.value, "claimed": claimed, "tolerance": tolerance, "local exponents": [float(one) for one in local]}
    numbers |= {f"least {name.replace('_', ' ')}": min(some) for name, some in times.items()}
    record = Record(numbers, plot=Plot(tuple(points), {"exact error": tuple(errors)}, letter, shown))
    why = [f"{name.replace('_', ' ')} falls to {min(some):.3g}" for name, some in times.items() if min(some) < 5]
    if why or np.ptp(local) > 2 * tolerance:
        why = why or [f"the local exponents run from {local.min():.2f} to {local.max():.2f}"]
        words = f"the range is not asymptotic ({why[0]}), so the fitted {fit.value:.3f} says nothing"
        record.leave_open(f"{words}; a larger n epsilon would settle it")
    sentence = f"the exact error grows with exponent {fit.value:.3f} in {letter} from {points[0]:g} to {points[-1]:g}, claimed {claimed:g}"
    if fit.value > claimed + tolerance:
        record.refute(sentence, {letter: list(points), "errors": list(errors), "exponent": fit.value})
    if fit.value < claimed - tolerance:
        record.leave_open(f"{sentence}: below it, so another instance must show whether it is attained")
    return record.conclude(sentence)
