"""``lab.predict``: runs on a quadratic of any dimension, simulated from their exact distribution, without data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter, signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bounds.privacy.gaussian import ACCOUNTANTS, Accountant, delta_remark, lemma_2_2_remark, require_full_precision
from bounds.strict_json import strict_json
from bounds.typeset import html
from synthetic.contracts.linear import require_linear_step
from synthetic.declared.fields import Declaration
from synthetic.distribution import quadratic
from synthetic.draws import Direction, FloatArray
from synthetic.estimate import SIZE, Interval, clustered_mean
from synthetic.grids.settings import Settings
from synthetic.groups import LARGEST, Groups, group_eigenvalues
from synthetic.methods.linear import step_matrix
from synthetic.validate import (
    argument_error,
    array_of,
    float_array,
    inside_unit,
    non_negative,
    one_of,
    positive,
    positive_integer,
    short_repr,
    validated,
)
from theory_lab.methods import METHODS, find_method
from theory_lab.methods.record import Method

MOST_STEPS = 10**9  # because every step is simulated
TIMES = 60
COVERAGE = 0.95


@dataclass(frozen=True, eq=False)
class Prediction:
    """Predicted runs of a method: `values` (4, replicates, times) of the four MEASURES, simulated in distribution.

    times      numbers of steps at which the measures are kept, an array (times,): from 0 to T
    settings   method settings, spectrum, noise and seed of the runs
    remarks    sentences about the limits of the prediction
    """

    method: str
    groups: Groups
    settings: Mapping[str, Any]
    times: NDArray[np.int64]
    values: FloatArray
    remarks: tuple[str, ...]

    @property
    def grad_norm_train(self) -> FloatArray:
        """The training gradient norm |grad F_S(x_t)|, an array (replicates, times)."""
        return self.measure("grad_norm_train")

    @property
    def grad_norm_test(self) -> FloatArray:
        """The test gradient norm |grad F_S'(x_t)| for as many test samples S', an array (replicates, times)."""
        return self.measure("grad_norm_test")

    @property
    def loss_train(self) -> FloatArray:
        """The training loss F_S(x_t), an array (replicates, times)."""
        return self.measure("loss_train")

    @property
    def loss_test(self) -> FloatArray:
        """The test loss F_S'(x_t), an array (replicates, times)."""
        return self.measure("loss_test")

    def measure(self, name: str) -> FloatArray:
        """Return the measure of this name, an array (replicates, times)."""
        one_of(quadratic.MEASURES, measure=name)
        return np.asarray(self.values[quadratic.MEASURES.index(name)])

    @cached_property
    def intervals(self) -> Mapping[str, tuple[Interval, ...]]:
        """By measure, the mean over the replicates with its t-interval at each time; NaN where there is none."""
        return {name: tuple(map(_mean_interval, self.measure(name).T)) for name in quadratic.MEASURES}

    @property
    def final(self) -> Mapping[str, Interval]:
        """By measure, the mean at x_T with its interval."""
        return {name: found[-1] for name, found in self.intervals.items()}

    @property
    def start(self) -> Mapping[str, float]:
        """By measure, the mean over the replicates at x_0."""
        return {name: found[0].value for name, found in self.intervals.items()}

    @property
    def title(self) -> str:
        """The method, spectrum, d, n and T, as the title of a table."""
        return f"{self.method} on {self.groups.name}, d = {self.groups.d:.6g}, n = {self.settings['n']:.6g}, T = {self.settings['T']}"

    def __repr__(self) -> str:
        ends = [
            f"{name} {self.start[name]:.4g} to {self.final[name].value:.4g} ({self.final[name].low:.4g} to {self.final[name].high:.4g})"
            for name in ("grad_norm_test", "loss_test")
        ]
        return f"Prediction({self.title}: {', '.join(ends)})"

    def _repr_html_(self) -> str:
        rows = [tuple(row.values()) for row in self.ends()]
        return html.table(self.title, tuple(self.ends()[0]), rows, self.remarks)

    def ends(self) -> list[dict[str, Any]]:
        """Return one row per measure: its mean at x_0, and its mean at x_T with the t-interval."""
        return [
            {"measure": name, "start": self.start[name], "mean": one.value, "low": one.low, "high": one.high}
            for name, one in self.final.items()
        ]

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per time: t, and for each measure the mean and the ends of its interval."""
        rows = []
        for k, t in enumerate(self.times):
            row: dict[str, Any] = {"t": int(t)}
            for name, found in self.intervals.items():
                row |= {name: found[k].value, f"{name}_low": found[k].low, f"{name}_high": found[k].high}
            rows.append(row)
        return rows

    def json(self) -> str:
        """Return settings, start and end values, trajectory and remarks as a JSON text."""
        ends = {row.pop("measure"): row for row in self.ends()}
        told = {"method": self.method, "settings": dict(self.settings), **ends}
        return strict_json(told | {"coverage": COVERAGE, "trajectory": self.rows(), "remarks": self.remarks})


@validated
def predict(
    method: str | type[Declaration] | Method,
    *,
    spectrum: str | ArrayLike | Sequence[tuple[float, int]],
    n: float,
    alpha: float,
    T: int,
    d: int | None = None,
    C: float | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    accountant: Accountant | None = None,
    sigma: float | None = None,
    distance: float = 1.0,
    direction: Direction | None = None,
    replicates: int = 16,
    seed: int = 0,
    times: Sequence[int] | NDArray[np.int64] | None = None,
    threads: int | None = None,
    **settings: Any,
) -> Prediction:
    """Predict runs with full batches on a quadratic of any dimension, from their exact distribution and without data.

    The quadratic is f(x; x_i) = (x - x_i)' A (x - x_i) / 2 with samples x_i ~ N(x*, I). The time does not grow with d, but with the number
    of groups of equal or nearly equal eigenvalues.

    Parameters
    ----------
    method
        "dpzero", "dpgd_0th", "dp_gd" or "mezo", or the class of one of your own that declares a ``linear_step``.
    spectrum
        Eigenvalues of A: "flat", "inverse_sqrt", "inverse" or "power:P" (i^-P); an array; or pairs (value, multiplicity).
    n
        Number of training samples, from 10 to 10^15; there are as many test samples. It may be inf where sigma is given or no noise is
        added.
    alpha
        Step size, above 0.
    T
        Number of steps, at most 10^9.
    d
        Dimension, at most 10^15. It is needed with a spectrum by name.
    C
        Clipping threshold, above 0. MeZO takes none.
    epsilon, delta, accountant
        Privacy from which the noise is computed, as in `grid`: "lemma" (Lemma 2.2 of DPZero as printed, the default) or "exact" (the least
        noise). MeZO takes none.
    sigma
        Standard deviation of the noise per coordinate, in the place of epsilon, delta and accountant.
    distance
        Distance of the start from x* in every coordinate, at least 0.
    direction
        Distribution of the directions, "sphere" (the default) or "gaussian", for methods that have directions.
    replicates
        Number of independent runs.
    seed
        Seed of the runs, an integer of at least 0.
    times
        Numbers of steps after which the measures are kept, besides 0 and T. By default some 60.
    threads
        Threads; the result does not depend on them. By default all cores.
    **settings
        Further settings of a method of your own, such as ``beta``.

    Returns
    -------
    Prediction
        Gradient norm and loss on training and test set, each (replicates, times), with means and 95 % t-intervals: ``final``, ``rows()``,
        ``remarks``.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    Exact, up to the binning of eigenvalues, without clipping for every n, and with clipping for many samples. With clipping the effect of n
    samples is that near the optimum, to first order in 1/n; see `synthetic.distribution.quadratic`. A prediction is no guarantee.

    Examples
    --------
    >>> found = lab.predict("dpzero", spectrum="inverse", d=10**9, n=10**6, alpha=0.03, T=50, C=3.0, sigma=1e-3, replicates=4)
    >>> found.final["grad_norm_test"].value < found.start["grad_norm_test"]
    True
    """
    record = find_method(method, [name for name, one in METHODS.items() if one.law])
    if not record.law:
        raise ValueError(f"method = {record.name}: it declares no linear_step, which a prediction needs; `simulate` runs it on data")
    if record.name not in METHODS and (size := record.runner.with_defaults({})["batch_size"]) is not None:
        raise ValueError(f"method = {record.name}: its batch_size is {size} by default; predictions are for full batches, None")
    taken = {one.name for one in record.law}
    for name, value in {
        "C": C, "epsilon": epsilon, "delta": delta, "accountant": accountant, "sigma": sigma, "direction": direction,
    }.items():  # fmt: skip
        if value is not None and name not in taken:
            raise ValueError(f"{name} = {short_repr(value)}: {record.name} takes no {name}; leave it out")
    own = _own_settings(record, settings)
    positive(alpha=alpha)
    non_negative(distance=distance)
    positive_integer(T=T, replicates=replicates)
    if T > MOST_STEPS:
        raise ValueError(f"T = {short_repr(T)}: an integer of at most 1e9 is needed, because every step is simulated")
    n = int(n) if isinstance(n, float) and n.is_integer() else n
    if not (isinstance(n, float) and n == np.inf):
        positive_integer(n=n)
        if n > LARGEST:
            raise ValueError(f"n = {short_repr(n)}: an integer of at most 1e15 is needed, or inf, with sigma")
    noise, remarks = _noise_settings(record.name, n, T, C, sigma, epsilon, delta, accountant) if "sigma" in taken else ({}, ())
    groups = group_eigenvalues(spectrum if isinstance(spectrum, str) else float_array("spectrum", spectrum), d)
    how: dict[str, Any] = {"direction": direction or "sphere"} if "direction" in taken else {}
    chosen = Settings(*(np.array([one]) for one in (alpha, T, C or np.inf, noise.get("sigma", 0.0))))
    conditions = quadratic.Conditions(groups, n, distance=distance, seed=seed, replicates=replicates, **how)
    steps = _kept_times(T, times)
    if record.name in METHODS:
        values = quadratic.measures_at_steps([record.name], chosen, conditions, steps, threads=threads)[record.name]
    else:
        of_run = {"alpha": alpha, "T": T, **({"C": C, "sigma": noise["sigma"]} if record.runner.private else {}), **own}
        matrix = step_matrix(record.runner, of_run)
        require_linear_step(record.runner, of_run)
        values = quadratic.measures_of_linear(matrix, chosen, conditions, steps, threads=threads)
    values = values[:, :, 0]
    said = {"spectrum": groups.name, "d": int(groups.d), "n": n, "alpha": alpha, "T": T, **({"C": C} if C else {}), **noise}
    said |= {**own, "distance": distance, **how, "replicates": replicates, "seed": seed}
    return Prediction(record.name, groups, said, steps, values, (*_caveats(groups, n, C, values), *remarks))


def _own_settings(record: Method, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the further settings of a method of one's own by name, checked; TypeError for one that it lacks, or has and needs."""
    own = {one.name: one for one in record.runner.all_settings if one.name in record.law_settings} if record.law_settings else {}
    usual = [one for one in signature(predict).parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
    more = [Parameter(one.name, Parameter.KEYWORD_ONLY, default=one.default) for one in own.values()]
    known = [one.replace(default=None) for one in usual]
    if said := argument_error(signature(predict).replace(parameters=[*known, *more]), (), given):
        raise TypeError(said)
    return {name: one.checked(given.get(name, one.default)) for name, one in own.items()}


def _noise_settings(
    method: str, n: float, T: int, C: float | None, sigma: float | None, epsilon: float | None, delta: float | None, accountant: str | None
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return (settings, remarks): sigma as given, or computed with its accountant; ValueError for missing or extra arguments."""
    budget = {"epsilon": epsilon, "delta": delta}
    if C is None:
        raise ValueError(f"C is missing: {method} needs a clipping threshold")
    positive(C=C)
    if sigma is not None:
        if given := {name: value for name, value in {**budget, "accountant": accountant}.items() if value is not None}:
            name, value = next(iter(given.items()))
            raise ValueError(f"{name} = {short_repr(value)}: sigma is given too; give either sigma, or epsilon and delta")
        non_negative(sigma=sigma)
        return {"sigma": sigma}, ()
    if missing := [name for name, value in budget.items() if value is None]:
        raise ValueError(f"{missing[0]} is missing: {method} needs epsilon and delta, from which its noise is computed, or sigma")
    assert epsilon is not None
    assert delta is not None
    accountant = accountant or "lemma"
    one_of(tuple(ACCOUNTANTS), accountant=accountant)
    positive(epsilon=epsilon)
    inside_unit(delta=delta)
    if n == np.inf:
        raise ValueError("n = inf: with infinitely many samples no noise is needed for epsilon and delta; give sigma instead")
    found = ACCOUNTANTS[accountant](epsilon=epsilon, delta=delta, T=T, sensitivity=require_full_precision(2 * C / n))
    remarks = [lemma_2_2_remark(epsilon, delta) if accountant == "lemma" else "", delta_remark(delta, n)]
    return {"sigma": found, "accountant": accountant, **budget}, tuple(f"{one[0].upper()}{one[1:]}." for one in remarks if one)


def _kept_times(T: int, times: Sequence[int] | NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Return the step numbers at which measures are kept, rising from 0 to T; by default about TIMES, spaced geometrically."""
    if times is None:
        chosen = np.rint(np.geomspace(1, T, TIMES))
    else:
        chosen = array_of((None,), times=times)
        if np.any(bad := (chosen < 0) | (chosen > T) | (chosen != np.floor(chosen))):
            raise ValueError(f"times has the entry {float(chosen[bad][0])!r}: integers from 0 to T = {T} are needed")
    return np.unique(np.concatenate([[0], chosen, [T]])).astype(np.int64)


def _mean_interval(values: FloatArray) -> Interval:
    """Return the mean of values (replicates,) with its t-interval; NaN for one replicate, and where a value is not finite."""
    finite = bool(np.all(np.isfinite(values)))
    with np.errstate(over="ignore", invalid="ignore"):  # squares of finite values may overflow
        found = clustered_mean(values[:, None], COVERAGE, SIZE) if finite and len(values) > 1 else None
        if found and np.isfinite(found.high - found.low):
            return found
        return Interval(float(values.mean()) if finite else np.nan, np.nan, np.nan, COVERAGE)


def _caveats(groups: Groups, n: float, C: float | None, values: FloatArray) -> list[str]:
    """Return sentences on the accuracy of a prediction: sampling error, clipping, binning of eigenvalues, diverged runs."""
    said = [
        f"This is a prediction for a quadratic with normal samples, and no guarantee: means over {values.shape[1]} runs, simulated in "
        f"distribution, with {100 * COVERAGE:.0f} % t-intervals."
    ]
    if n != np.inf and C is not None:
        said.append("With clipping, the effect of the number of samples is that near the optimum, to first order in 1/n.")
    if not groups.exact:
        said.append(
            f"The {groups.d:.6g} eigenvalues form {len(groups.value)} groups. Nearly equal ones are replaced by their root mean square."
        )
    if gone := int(np.sum(~np.all(np.isfinite(values), axis=(0, 2)))):
        said.append(f"{gone} of {values.shape[1]} runs diverged to values that are not finite. From there on there is no mean.")
    return said
