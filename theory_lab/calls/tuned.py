"""Plans for DPZero, DPGD-0th and DP-GD, with a variant that is tuned on simulated runs, without data.

Given a spectrum, or a guess of its power, and the distance to the optimum, alpha, T <= T_max and C are chosen for the least predicted
gradient norm at x_T (`synthetic.distribution.tuning`). sigma is the least that is private for x_0, ..., x_T, or the paper's. The runs are
simulated from their exact distribution. No data are used, so no privacy is spent. The result is a prediction for a quadratic and no
guarantee; the plan also predicts its error where the guess is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from bounds.dpzero import recommend as certified
from bounds.dpzero.columns import Plan, Predicted, TunedPlan, WrongGuess
from bounds.privacy.gaussian import ACCOUNTANTS
from bounds.validate import one_of, positive, validated

if TYPE_CHECKING:
    from synthetic.distribution.quadratic import Conditions
    from synthetic.distribution.tuning import TunedSetting

MEASURE = "E |grad F(x_T)|"
LONGEST = 20_480  # limit of the steps of a prediction, because more take minutes
REPLICATES = 64
LAM = 1e-4  # smoothing radius, which has no effect on a quadratic

Spectrum = str | npt.ArrayLike | Sequence[tuple[float, int]]


@validated
def recommend(
    method: str,
    *,
    spectrum: Spectrum | None = None,
    distance: float | None = None,
    accountant: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    **problem: Any,
) -> Plan:
    """Return the plan of `bounds.dpzero.recommend.recommend` for a problem; with a spectrum, add the variant tuned by simulation.

    spectrum     of the Hessian, as in `synthetic.groups.group_eigenvalues`;   distance   |x_0 - x*| / sqrt(d), by default 1
    accountant   of the tuned variant's noise: exact (the default) or lemma; lipschitz: of the sharp variant's, and exact for the tuned one
    progress     called as progress(done, total) after each search
    """
    one_of((*ACCOUNTANTS, "lipschitz"), accountant=accountant or "exact")
    if accountant == "lipschitz":
        problem, accountant = problem | {"accountant": accountant}, None
    plan = certified.recommend(method, **problem)
    if spectrum is None:
        for name, value, usual in (("distance", distance, 1.0), ("accountant", accountant, "exact")):
            if value not in (None, usual):
                raise ValueError(f"{name} = {value!r}: it is for the variant tuned only; give spectrum too, or leave it out")
        return plan
    from paper_checks.experiment import noise_over_clip
    from synthetic.distribution.quadratic import Conditions
    from synthetic.distribution.tuning import FRESH, tune
    from synthetic.groups import group_eigenvalues

    if problem.get("batch_size") is not None:
        raise ValueError(f"batch_size = {problem['batch_size']!r}: the variant tuned is for full batches; leave batch_size or spectrum out")
    distance, accountant = 1.0 if distance is None else distance, accountant or "exact"
    positive(distance=distance)
    d, n = int(plan.problem["d"]), float(plan.problem["n"])
    conditions = Conditions(group_eigenvalues(spectrum, d), n, distance, replicates=REPLICATES)

    noise = noise_over_clip(accountant=accountant, n=n, **{name: plan.problem[name] for name in ("epsilon", "delta")})
    asked = problem.get("T_max", "printed")
    T_max = max(1, min(LONGEST, {"printed": plan.sharp.T, None: LONGEST}.get(asked, asked)))
    truths, told = _other_conditions(spectrum, conditions), progress or (lambda done, total: None)
    told(0, 1 + len(truths))
    best = tune(method, conditions, noise, T_max)
    column = _tuned_variant(plan, best, conditions, accountant, T_max)
    judges = replace(conditions, seed=FRESH)  # the draws that gave the tuned variant's error too
    least = noise_over_clip(accountant="exact", n=n, **{name: plan.problem[name] for name in ("epsilon", "delta")})
    others = [
        predict_error(method, judges, alpha=one.alpha, T=one.T, C=one.C, sigma=max(one.sigma, least(one.T) * one.C))
        for one in (plan.printed, plan.sharp)
    ]
    guesses: list[WrongGuess] = []
    for words, truth in truths:
        told(1 + len(guesses), 1 + len(truths))
        guesses.append(_guess_errors(method, words, best, truth, noise))
    told(1 + len(truths), 1 + len(truths))
    known = {name: getattr(plan, name) for name in ("method", "problem", "printed", "sharp", "misjudged")}
    caveats = (*plan.caveats, *column.caveats)
    return TunedPlan(**known, caveats=caveats, tuned=column, predictions=(*others, best.error.value), guesses=tuple(guesses))


def _tuned_variant(plan: Plan, best: TunedSetting, conditions: Conditions, accountant: str, T_max: int) -> Predicted:
    """Return the tuned variant of a plan, with its prediction and caveats, from the best setting that the search found."""
    name = conditions.groups.name
    caveats = (
        f"The variant tuned is a prediction for a quadratic with the spectrum {name}, samples N(x*, I) and every coordinate of x_0 at the "
        f"distance {conditions.distance:g} from x*. It certifies nothing.",
        f"It was chosen among {best.searched} settings with T <= {T_max:,}, by runs simulated in distribution. No data were used, so no "
        "privacy was spent. A spectrum or distance that is computed from the private data is not covered by epsilon, delta.",
        f"Its sigma ({accountant}) protects the whole path x_0, ..., x_T. The prediction is for x_T. So are the predictions for the other "
        "variants; they use at least the sigma that x_T needs with their clipping threshold.",
    )
    numbers: dict[str, Any] = {"alpha": best.alpha, "T": best.T, "C": best.C, "sigma": best.sigma}
    numbers |= {"lam": math.nan if math.isnan(plan.sharp.lam) else LAM, "bound": math.nan, "certified": math.nan}
    numbers |= {"predicted": best.error.value, "low": best.error.low, "high": best.error.high}
    place: dict[str, Any] = {"method": plan.method, "n": float(plan.problem["n"]), "constants": {"d": float(plan.problem["d"])}}
    return Predicted("none", MEASURE, **numbers, **place, caveats=caveats, spectrum=name, distance=conditions.distance)


def predict_error(method: str, conditions: Conditions, *, alpha: float, T: int, C: float, sigma: float) -> float:
    """Return the predicted test gradient norm at x_T of one setting; NaN if T > LONGEST, a value is not finite, or runs diverge."""
    if T > LONGEST or not all(map(math.isfinite, (alpha, C, sigma))):
        return math.nan
    import numpy as np

    from synthetic.distribution.quadratic import MEASURES, final_measures
    from synthetic.grids.settings import Settings

    settings = Settings(np.array([alpha]), np.array([T]), np.array([C]), np.array([sigma]))
    value = float(final_measures((method,), settings, conditions)[method][MEASURES.index("grad_norm_test")].mean())
    return value if math.isfinite(value) else math.nan


def _other_conditions(spectrum: Spectrum, assumed: Conditions) -> list[tuple[str, Conditions]]:
    """Return (words, conditions) for each alternative: distance or eigenvalues doubled, a power spectrum's power halved or doubled."""
    from synthetic.groups import group_eigenvalues
    from synthetic.spectra import HIGH, spectrum_exponent

    groups, d = assumed.groups, int(assumed.groups.d)
    found = [("distance is twice as large", replace(assumed, distance=2 * assumed.distance))]
    twice = replace(groups, value=2 * groups.value)
    found.append(("eigenvalues are twice as large", replace(assumed, groups=twice)))
    if isinstance(spectrum, str) and (power := spectrum_exponent(spectrum)):
        for factor, words in ((0.5, "half"), (2.0, "twice")):
            if factor * power <= HIGH:
                other = group_eigenvalues(f"power:{factor * power!r}", d)
                found.append((f"power is {words} of {power:g}", replace(assumed, groups=other)))
    return found


def _guess_errors(method: str, words: str, best: TunedSetting, truth: Conditions, noise: Callable[[int], float]) -> WrongGuess:
    """Return the predicted error of the tuned setting under other conditions, beside the error when tuned for these conditions."""
    from synthetic.distribution.tuning import FRESH, tune

    error = predict_error(method, replace(truth, seed=FRESH), alpha=best.alpha, T=best.T, C=best.C, sigma=best.sigma)
    return WrongGuess(words, error, tune(method, truth, noise, best.T, fixed=True).error.value)
