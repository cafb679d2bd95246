"""The call `grid`: choose the engine that runs the grid, and compute the noise of its privacy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Literal, get_args

import numpy as np

from bounds.privacy.gaussian import ACCOUNTANTS, delta_remark, lemma_2_2_remark
from bounds.typeset import html
from paper_checks.experiment import batch_sigma_table, check_covered, sigma_table
from synthetic.compiled import check_progress
from synthetic.draws import FloatArray
from synthetic.grids import general
from synthetic.grids import grid as exact
from synthetic.grids.settings import Measures
from synthetic.methods.record import Kernel
from synthetic.objectives.sums import Objective
from synthetic.validate import inside_unit, one_of, positive, positive_array, positive_integers, short_repr
from theory_lab.methods import METHODS
from theory_lab.methods.record import SUM, Method

Engine = Literal["exact", "general"]
NOISE = {"lemma": "Lemma 2.2 of DPZero", "exact": "exact accounting, the least noise"}
BATCHES = "the accountant of random batches"
ONLY_EXACT = {"precision": "double", "prune": False}  # arguments of the exact engine, and what leaves them out


class Grid(exact.Grid):
    """The result of `grid`; a notebook shows it as a table with the best setting by each measure."""

    def _repr_html_(self) -> str:
        rows = []
        for measure in Measures.NAMES:
            if not np.all(np.isnan(values := getattr(self, measure))):
                i, j, k = self.best(measure)
                setting = (float(self.alphas[i]), int(self.horizons[j]), float(self.clips[k]), float(self.sigma[j, k]))
                rows.append((measure, float(values[i, j, k]), *setting))
        return html.table(repr(self), ("best by", "value", "alpha", "T", "C", "sigma"), rows)


def grid_methods() -> list[str]:
    """Return the names of the lab's methods on sums of losses, of which `grid` knows all."""
    return [name for name, one in METHODS.items() if one.kind and one.kind.of == SUM.of]


def run_grid(
    record: Method,
    objective: Objective,
    *,
    axes: Mapping[str, Any],
    privacy: Mapping[str, Any],
    engine: str | None,
    test: Objective | None,
    lam: float,
    direction: str,
    how: Mapping[str, Any],
    only_exact: Mapping[str, Any],
    watched: Mapping[str, Any],
    settings: Mapping[str, Any],
) -> Grid:
    """Run a grid of a method on an objective by the engine that is asked for, by default the exact one where there is one.

    axes        alphas, horizons, clips;   privacy   epsilon, delta, sigma, accountant, as they were given
    how         seed and threads;   only_exact   precision and prune;   watched   store and progress;   settings   those of the method
    """
    kernel = record.runner
    if not isinstance(kernel, Kernel):
        raise ValueError(f"method = {record.name!r}: it has no kernel, and a grid needs one, a synthetic.methods.record.Kernel")
    if engine is not None:
        one_of(get_args(Engine), engine=engine)
    positive(lam=lam)
    if kernel.private and not kernel.stages and axes["clips"] is None:
        raise ValueError(f"clips is missing: {record.name} is private and clips, so thresholds C are needed, such as clips=[1.0, 3.0]")
    general.check_test(objective, test)
    general.check_axes(kernel, objective, axes["alphas"], axes["horizons"], axes["clips"], *_no_noise_yet(kernel, axes))
    sigma, noise = _noise(kernel, objective, axes, privacy, settings)
    reason = why_not_exact(kernel, objective, test, settings)
    if engine == "exact" and reason:
        raise ValueError(f"engine = 'exact': {reason}; leave engine out, or take 'general'")
    if engine == "general" or reason:
        why = reason or "engine = 'general' is asked for"
        for name, value in only_exact.items():
            if value != ONLY_EXACT[name]:
                raise ValueError(f"{name} = {value!r}: only the exact engine has it, but {why}; leave it out")
        named = {"lam": (lam, 1e-4), "direction": (direction, "sphere")}
        has = {one.name for one in kernel.all_settings}
        for name, (value, default) in named.items():
            if name not in has and value != default:
                raise ValueError(f"{name} = {value!r}: {record.name} has no setting {name}; leave it out")
        more: dict[str, Any] = {name: value for name, (value, _) in named.items() if name in has}
        found = general.general_grid(kernel, objective, **axes, sigma=sigma, test=test, **how, **watched, **more, **settings)
    else:
        found = _exact_grid(kernel.name, objective, {**axes, "sigma": sigma}, test, {**how, **only_exact, "direction": direction}, watched)
    return Grid(**{one.name: getattr(found, one.name) for one in fields(found)} | {"settings": {**found.settings, **noise}})


def why_not_exact(kernel: Kernel, objective: Objective, test: Objective | None, settings: Mapping[str, Any]) -> str:
    """Return why the exact engine cannot run a method on an objective, in words; "" if it can."""
    named = METHODS.get(kernel.name)
    if kernel.name not in exact.METHODS or named is None or named.runner is not kernel:
        return f"it runs {', '.join(exact.METHODS)}, not {kernel.name if named is None or named.runner is kernel else 'your own method'}"
    if objective.eigenvalues is None:
        return f"it runs on quadratics, not on {objective.name!r}"
    if test is not None and (test.eigenvalues is None or not np.array_equal(test.eigenvalues, objective.eigenvalues)):
        return "its test set is a quadratic with the eigenvalues of the training set"
    if given := [name for name, value in settings.items() if value is not None]:
        return f"it has no setting {given[0]}"
    return ""


def _no_noise_yet(kernel: Kernel, axes: Mapping[str, Any]) -> tuple[FloatArray | None]:
    """Return noise of the right shape, for a check of the axes alone."""
    if not kernel.private or axes["clips"] is None:
        return (None,)
    return (np.zeros((np.size(axes["horizons"]), np.size(axes["clips"]))),)


def _exact_grid(
    name: str, objective: Objective, axes: Mapping[str, Any], test: Objective | None, how: dict[str, Any], watched: Mapping[str, Any]
) -> exact.Grid:
    """Run a grid by the exact engine, which keeps nothing in a store and reports only its beginning and end."""
    if watched["store"] is not None:
        said = "the exact engine is quick and keeps no results; leave store out, or take engine='general'"
        raise ValueError(f"store = {short_repr(watched['store'])}: {said}")
    check_progress(progress := watched["progress"])
    total = int(np.sum(axes["horizons"])) * np.size(axes["alphas"]) * np.size(axes["clips"])
    if progress:
        progress(0, total)
    found = exact.grid(name, objective, **axes, test=test, **how)
    if progress:
        progress(total, total)
    return found


def _noise(
    kernel: Kernel, objective: Objective, axes: Mapping[str, Any], privacy: Mapping[str, Any], settings: Mapping[str, Any]
) -> tuple[FloatArray | None, dict[str, Any]]:
    """Return sigma (h, c) of a grid, None if the method is not private, and what its settings tell about it."""
    epsilon, delta, sigma, accountant = (privacy[name] for name in ("epsilon", "delta", "sigma", "accountant"))
    given = {name: value for name, value in privacy.items() if value is not None}
    if not kernel.private:
        for name, value in given.items():
            raise ValueError(f"{name} = {short_repr(value)}: {kernel.name} is not private, leave {name} out")
        return None, {}
    shape = (np.size(axes["horizons"]), np.size(axes["clips"]))
    if sigma is not None:
        if rest := [name for name in given if name != "sigma"]:
            raise ValueError(f"{rest[0]} = {short_repr(given[rest[0]])}: sigma is given and fixes the noise; leave {rest[0]} out, or sigma")
        return (np.full(shape, float(sigma)) if isinstance(sigma, int | float) else sigma), {}
    for name in ("epsilon", "delta"):
        if name not in given:
            raise ValueError(f"{name} is missing: {kernel.name} is private, so epsilon and delta are needed, or sigma")
    positive(epsilon=epsilon)
    inside_unit(delta=delta)
    if accountant is not None:
        one_of(tuple(ACCOUNTANTS), accountant=accountant)
    known, P = kernel.with_defaults(settings), kernel.releases_per_step(settings)
    check_covered(known)
    budget: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "n": objective.n, "P": P}
    budget |= {"horizons": positive_integers(horizons=axes["horizons"]), "clips": positive_array((None,), clips=axes["clips"])}
    remark = {"epsilon": epsilon, "delta": delta, "remark": delta_remark(delta, objective.n)}
    batch_size = known["batch_size"]
    if batch_size is None:
        accountant = accountant or "lemma"
        said = lemma_2_2_remark(epsilon, delta) if accountant == "lemma" else ""
        remark["remark"] = "; ".join(filter(None, [said, remark["remark"]]))
        return sigma_table(accountant=accountant, **budget), {"accountant": accountant, "noise": NOISE[accountant], **remark}
    if accountant == "lemma":
        raise ValueError("accountant = 'lemma': Lemma 2.2 is about full batches; leave accountant out, or batch_size")
    table = batch_sigma_table(batch_size=batch_size, sampling=known.get("sampling", "without_replacement"), **budget)
    return table, {"accountant": "exact", "noise": BATCHES, **remark}
