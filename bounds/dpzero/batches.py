"""The variant `batched` of the plans of DPZero, DPGD-0th and DP-GD: a schedule for runs with batches.

Setting   each step adds up what the samples of a batch contribute, clipped to C, and divides by the batch size B. n and B are public:
          they fix the rate B/n and the divisor B. Neighbouring data sets differ in one replaced record.
Proved    privacy: sigma is that of `bounds.privacy.accounting.of_means` for all T noisy means, hence for the whole path x_0, ..., x_T.
Argued    accuracy. Given x_t and u_t the mean over a batch is m + e, m the mean over all samples, E e = 0. Poisson batches:
          E |e|^2 = (1 - B/n)/B times the mean of |c_i|^2 <= C^2; of fixed size: at most (n - B)/(n - 1) C^2/B. So E e p = 0 and
          E m e u'Hu = 0, as for the noise, and in dpzero.sharp_descent the line noise_length has E (sigma z + e)^2 u'Hu, which is at
          most (sigma^2 + E e^2) Tr(H); for DPGD-0th e = e' u with |e'| sqrt(d) = |e|, for DP-GD E e'He <= ell E |e|^2. No other line has
          sigma. So every sharp bound holds with sigma^2 + share E |e|^2 in place of sigma^2, share = 1, 1/d, 1/r.
          No page of the lab has this proof, so that no checker has seen it: nothing is certified.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar

import numpy as np

from bounds.dpzero.columns import PARAMETERS, Plan, Schedule
from bounds.dpzero.sharp_noise import ClipNoise
from bounds.dpzero.sharp_numbers import START
from bounds.dpzero.sharp_schedule import best_plan
from bounds.plans.plan import ObjectiveFacts, Rows
from bounds.privacy.accounting import RESOLVED, of_means
from bounds.privacy.budget import Budget
from bounds.privacy.gaussian import largest_mu
from bounds.privacy.release import Release, Sampling
from bounds.validate import one_of, positive_integer, validated

SAMPLINGS: tuple[Sampling, ...] = ("poisson", "without_replacement")


@dataclass(frozen=True, repr=False)
class Batched(Schedule):
    """A schedule for batches of `batch_size` samples, drawn by `sampling`: sigma is calibrated to them, certified is nan.

    argued    the bound that is argued in words in `bounds.dpzero.batches`; nan without a schedule
    """

    ROWS = (*PARAMETERS, "batch_size", "sampling")
    ACCOUNTED = (*Schedule.ACCOUNTED, "sampling")
    batch_size: int = 0
    sampling: str = "poisson"
    argued: float = math.nan

    def arguments(self, method: str, place: ObjectiveFacts, /, **settings: Any) -> dict[str, Any]:
        """Return the arguments of a run by name, batch_size and sampling among them, with `settings` in place of the plan's."""
        if math.isnan(self.alpha):
            raise ValueError("plan = a variant batched without a schedule: none is found to be better than x_0, so it cannot be run")
        return {"batch_size": self.batch_size, "sampling": self.sampling} | super().arguments(method, place, **settings)

    def doubt(self, place: ObjectiveFacts, settings: Mapping[str, Any], given: Mapping[str, Any]) -> str:
        """Return the sentence that the run is private and that nothing is certified about its accuracy."""
        return "The plan certifies the privacy of this run and nothing about its accuracy: no proof that is checked covers batches."


@dataclass(frozen=True, repr=False)
class BatchedPlan(Plan):
    """A plan with the variant `batched` for runs with batches."""

    COLUMNS: ClassVar[tuple[str, ...]] = (*Plan.COLUMNS, "batched")
    IN_PRINT: ClassVar = {"batch_size": "batch", "sampling": "sampling of batches"}
    batched: Batched

    def summary(self) -> str:
        """Return T and the certified values of the plan, and T and sigma of the variant batched, as text."""
        return f"{super().summary()}; batched T = {self.batched.T}, sigma = {self.batched.sigma:.4g}"

    def promises(self) -> Rows:
        """Return the rows of guarantees, and what is argued for the variant batched, which has none."""
        certified, misjudged = super().promises()
        argued = ("argued for batches, not certified", math.nan, math.nan, self.batched.argued)
        return [certified, [(*row, math.nan) for row in misjudged], [argued]]


@dataclass(frozen=True)
class BatchNoise(ClipNoise):
    """What noise and batches together add to a step, as the sigma of full batches that adds as much; it is proportional to C.

    share    of the mean square of the change by a batch that counts: 1 for DPZero, 1/d for DPGD-0th, 1/r for DP-GD
    """

    batch_size: int
    sampling: Sampling
    share: float

    def approximate_sigma(self, T: Any, C: Any) -> Any:
        """Return an approximate sigma for a search, with the noise of full batches, the limit of many small steps."""
        return C * np.sqrt(T * (2 / (self.n * largest_mu(self.budget))) ** 2 + self.added)

    def sigma(self, T: int, C: float) -> float:
        """Return the sigma of full batches that adds as much to a step as the noise of T steps and a batch, rounded up."""
        return C * math.sqrt(self.unit_sigma(T) ** 2 + self.added) * (1 + 2.0**-49)

    def path_sigma(self, T: int, C: float) -> float:
        """Return `sigma`: it is for the whole path."""
        return self.sigma(T, C)

    def release(self, T: int, C: float) -> Release:
        """Return the release of T steps with this C, with the least sigma that the accountant finds to be private."""
        release = of_means(int(self.n), self.batch_size, C, T, self.sampling)
        return release.calibrate_noise(self.budget.epsilon, self.budget.delta)

    @cache  # noqa: B019  # a plan has one of these
    def unit_sigma(self, T: int) -> float:
        """Return the noise of T steps for C = 1."""
        return self.release(T, 1.0).sigma

    @property
    def added(self) -> float:
        """The square of what a batch adds, for C = 1."""
        return self.share * batch_variance(self.n, self.batch_size, 1.0, self.sampling)


def batch_variance(n: float, batch_size: int, C: float, sampling: str) -> float:
    """Return a bound of the mean square by which a batch changes a mean of n numbers or vectors of length at most C.

    The sum over the batch is divided by batch_size, so the change has mean 0. sampling   one of `SAMPLINGS`
    """
    missing = 1 - batch_size / n if sampling == "poisson" else (n - batch_size) / max(n - 1, 1)
    return missing * C**2 / batch_size


@validated
def check_batches(n: float, batch_size: int | None, sampling: str | None) -> None:
    """Raise ValueError unless batches of this size can be drawn in this way from n samples, or there are to be none."""
    if sampling is not None:
        one_of(SAMPLINGS, sampling=sampling)
    if batch_size is None:
        if sampling is not None:
            raise ValueError(f"sampling = {sampling!r}: batch_size is needed with it")
        return
    positive_integer(batch_size=batch_size)
    if batch_size > n:
        raise ValueError(f"batch_size = {batch_size}: at most n = {n:g} is needed")


def add_batches(plan: Plan, T_max: int | None, lam: float | None, batch_size: int, sampling: str | None) -> BatchedPlan:
    """Return the plan with the variant batched, of at most T_max steps, None for as many as help; sampling None is "poisson"."""
    of, method, drawn = plan.problem, plan.method, SAMPLINGS[sampling == "without_replacement"]
    share = {"dpzero": 1.0, "dpgd_0th": 1 / of["d"], "dp_gd": 1 / of["r"]}[method]
    noise = BatchNoise(float(of["n"]), Budget(of["epsilon"], of["delta"]), batch_size, drawn, share)
    known: dict[str, Any] = {name: of[name] for name in ("n", "d", "r", "L", "ell", "gap")}
    most = RESOLVED if T_max is None else T_max
    best = best_plan(method, noise.budget, **known, T_max=most, lam=lam, accountant="exact", noise=noise)
    shared = tuple(one for one in plan.sharp.caveats if one in plan.printed.caveats)
    common: dict[str, Any] = {"theorem": "none", "bound": math.nan, "certified": math.nan, "batch_size": batch_size, "sampling": drawn}
    common |= {"method": method, "n": plan.sharp.n, "constants": plan.sharp.constants, "measure": plan.sharp.measure}
    if best.theorem == START:
        said: tuple[str, ...] = ("The variant batched has no schedule: none of at most T_max steps is found to be better than x_0.",)
        numbers: dict[str, Any] = dict.fromkeys(("alpha", "C", "lam", "sigma"), math.nan) | {"T": 0}
    else:
        release = noise.release(best.T, best.C)
        said = _caveats(method, best.theorem, best.bound, release, noise)
        numbers = {"alpha": best.alpha, "T": best.T, "C": best.C, "lam": math.nan if method == "dp_gd" else best.lam}
        numbers |= {"sigma": release.sigma, "release": release, "argued": best.bound}
    return BatchedPlan(
        **{one.name: getattr(plan, one.name) for one in fields(plan) if one.name != "caveats"},
        caveats=(*plan.caveats, *said),
        batched=Batched(**common, **numbers, caveats=(*said, *shared)),
    )


def _caveats(method: str, theorem: str, bound: float, release: Release, noise: BatchNoise) -> tuple[str, ...]:
    """Return the caveats of the variant batched: how batches are drawn, what is proved of its privacy, what is argued of its error."""
    how, what = release.describe(), "number" if method == "dpzero" else "vector"
    square = batch_variance(noise.n, noise.batch_size, release.C, noise.sampling)
    secret = "which records are in a batch, and how many" if noise.sampling == "poisson" else "which records are in a batch"
    return (
        f"Batches of the variant batched: {how[0].lower()}{how[1:]}",
        f"Proved for the variant batched is privacy: with sigma = {release.sigma:.4g} all of x_0, ..., x_T may be published. It must stay "
        f"secret {secret}.",
        "Nothing is certified about the error of the variant batched: the theorems are for steps over all n samples. A batch changes the "
        f"mean over all samples by a random {what} of mean 0 and root mean square at most {math.sqrt(square):.4g}. By an argument in "
        f"words, the bound of {theorem} holds with sigma^2 + {noise.share * square:.4g} in place of sigma^2, and is {bound:.4g}. No proof "
        "page has this argument, so no checker has seen it.",
    )
