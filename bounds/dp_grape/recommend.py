"""Recommend alpha, T, C, batch, r and sigma for DP-GRAPE, with the guarantee: printed, repaired and sharp.

    printed     the parameters of Theorem D.10 with integer T and B; `bound` is its formula, `certified` what dp_grape.sharp_clip_bias
                proves
    repaired    the schedule that minimises the corrected theorem: both forms for flattened blocks, the second one for layers
    sharp       the schedule that minimises dp_grape.sharp_clip_bias

Setting   neighbours differ in one replaced record, so that a mean over B moves by 2C/B; sigma of the last two variants is exact for full
          batches, and from privacy loss distributions for Poisson batches.
Source    Theorem D.10 and Section 5; pages `corrected_*.page`, `sharp_*.page`; `bounds.privacy`, `bounds.privacy.subsampled`.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

import bounds
from bounds import privacy
from bounds.dp_grape.columns import Plan, Schedule
from bounds.dp_grape.sharp_numbers import SHARE, Problem, clip_loss, clip_spread
from bounds.privacy.accounting import RESOLVED, of_means
from bounds.privacy.budget import Budget
from bounds.privacy.gaussian import largest_mu
from bounds.privacy.release import Release
from bounds.validate import one_of, positive, positive_integer, validated_strictly, whole_number

FORMS = {"dp_grape": ("concentration",), "dp_grape_blocks": ("coordinates", "concentration")}
METHODS = tuple(FORMS)
MEASURE = "E ||grad F(w_tau)||^2, tau uniform on 0..T-1"
LONGEST = 2**60  # as good as infinitely many steps


@validated_strictly
def recommend(
    method: str, *, n: float, d: float, epsilon: float, delta: float, L: float, ell: float, gap: float, r: int, layers: int = 1,
    block: int | None = None, spread: float | None = None, batch_size: int | None = None, T_max: int | str | None = "printed",
) -> Plan:  # fmt: skip
    """Return printed, repaired and sharp parameters of DP-GRAPE, or of Algorithm 6 ("dp_grape_blocks"), for one problem.

    L, ell      the paper's Gamma and lambda;   spread   its D, a bound on F - F^* everywhere, which the sharp theorem does not need
    r, layers   dimension of the subspaces, number of projected layers or blocks
    block       rows of the largest layer, or entries of the largest block; None: the root of d, which no smaller side exceeds, or d/layers
    batch_size  samples of a batch of the last two variants, drawn by Poisson sampling; None: all n
    T_max       most steps of the last two variants: "printed" (those of Theorem D.10), a number, or None for as many as help
    Raises ValueError for values that are not allowed.
    """
    one_of(METHODS, method=method)
    whole_number(n=n, d=d)
    positive(L=L, ell=ell, gap=gap)
    budget = Budget(epsilon, delta)
    positive_integer(r=r, layers=layers)
    if layers > d:
        raise ValueError(f"layers = {layers}: at most d = {d:g} layers are needed")
    if spread is not None:
        positive(spread=spread)
    if spread is not None and spread < gap:
        raise ValueError(f"spread = {spread!r}: at least gap = {gap!r} is needed, because spread bounds F(w_0) - F^* too")
    k = (math.isqrt(int(d)) if method == "dp_grape" else math.ceil(d / layers)) if block is None else block
    B = int(n) if batch_size is None else batch_size
    positive_integer(block=k, batch_size=B)
    if not r <= k <= d:
        raise ValueError(f"block = {k}: an integer from r = {r} to d = {d:g} is needed")
    if B > n:
        raise ValueError(f"batch_size = {B}: at most n = {n:g} is needed")
    noise = Noise(int(n), B, budget)
    problem = {"n": n, "d": d, "epsilon": epsilon, "delta": delta, "L": L, "ell": ell, "gap": gap, "spread": spread or gap}
    problem |= {"subspace": r, "layers": layers, "block": k, "batch": B}
    printed, of_printed = _printed_variant(method, problem, noise)
    steps = LONGEST if T_max is None else max(1, printed.T) if isinstance(T_max, str) and T_max == "printed" else T_max
    if isinstance(steps, str):
        raise ValueError(f"T_max = {steps!r}: an integer of at least 1, 'printed', or None for as many steps as help, is needed")
    positive_integer(T_max=steps)
    repaired, of_repaired = _repaired_variant(method, problem, noise, min(steps, noise.longest), spread is None)
    sharp, of_sharp = _sharp_variant(method, problem, noise, min(steps, noise.longest))
    shared = list(_common_caveats(method, problem, noise, block is None))
    made = {"printed": (printed, of_printed), "repaired": (repaired, of_repaired), "sharp": (sharp, of_sharp)}
    variants = {name: replace(one, caveats=(*said, *shared)) for name, (one, said) in made.items()}
    return Plan(method, problem, **variants, caveats=(*of_printed, *of_repaired, *of_sharp, *shared))


@dataclass(frozen=True)
class Noise:
    """The exactly calibrated noise of T steps as C sqrt(T) times `rate`, for n samples in batches of B."""

    n: int
    B: int
    budget: Budget

    @property
    def full(self) -> bool:
        """Whether every batch has all n samples, so that there is no sampling."""
        return self.n == self.B

    @property
    def sampling(self) -> float:
        """The most that sampling of a batch adds to the variance of a mean, in units of L^2."""
        return 0.0 if self.full else 1 / self.B

    @property
    def longest(self) -> int:
        """The largest number of steps for which the accountant is accurate."""
        return LONGEST if self.full else RESOLVED

    @cache  # noqa: B019  # a plan has one of these
    def rate(self, T: int | None) -> float:
        """Return sigma / (C sqrt(T)) for T steps; for T = None that of full batches, the limit of many small steps."""
        if T is None or self.full:
            return 2 / (self.n * largest_mu(self.budget))
        return self.release(T, 1.0).sigma / math.sqrt(T)

    def release(self, T: int, C: float) -> Release:
        """Return the `Release` of T steps clipped at C, with the sigma that the budget requires."""
        return of_means(self.n, self.B, C, T, "full" if self.full else "poisson").calibrate_noise(self.budget.epsilon, self.budget.delta)

    def describe_batches(self) -> str:
        """Return a text on how batches are drawn and which numbers are public constants."""
        said = of_means(self.n, self.B, 1.0, sampling="poisson").describe()
        return said[0].lower() + said[1:]

    def sigma(self, T: int, C: float) -> float:
        """Return a sufficient standard deviation of the noise on the mean for T steps with clipping at C."""
        if self.full:
            return self.release(T, C).sigma
        return self.rate(T) * C * math.sqrt(T)


def _sharp_problem(problem: Mapping[str, Any], noise: float, sampling: float) -> Problem:
    """Return the `Problem` of the sharp theorem; `noise` is sigma/(C sqrt(T)), `sampling` 0 for full batches, else 1/B."""
    known, r = {name: float(problem[name]) for name in ("d", "L", "ell", "gap")}, int(problem["subspace"])
    return Problem(**known, r=r, stretch=(problem["block"] + r + 1) / r, sampling=sampling, noise=noise)


def certified_bound(problem: Mapping[str, Any], *, alpha: float, T: int, C: float, sigma: float, sampling: float) -> float:
    """Return the bound on E ||grad F(w_tau)||^2 that dp_grape.sharp_clip_bias proves at a schedule; inf if it proves none."""
    at, ratio = _sharp_problem(problem, sigma / C / math.sqrt(T), sampling), C / problem["L"]
    return float(at.bound_values(alpha, T, C, clip_loss(at.r, ratio), clip_spread(at.r, ratio)))


def _variant(method: str, theorem: str, problem: Mapping[str, Any], run: Mapping[str, Any], B: int, *more: str, **given: Any) -> Schedule:
    """Return the variant with the parameters in `run`; `more` names further constants of the problem that its guarantee rests on."""
    own = {name: float(problem[name]) for name in ("d", "L", "ell", "gap", *more)}
    given |= {"measure": MEASURE, "F": 1, "r": int(problem["subspace"]), "n": int(problem["n"]), "block": int(problem["block"])}
    given |= {"constants": own, **run}
    given |= {"certified": min(problem["L"] ** 2, given["certified"]), "multiplier": B * run["sigma"] / run["C"], "batch_size": B}
    if not math.isnan(run["C"]):
        given["release"] = of_means(given["n"], B, run["C"], run["T"], given["sampling"], sigma=run["sigma"])
    return Schedule(theorem, method=method, **given)


def _printed_variant(method: str, problem: Mapping[str, Any], noise: Noise) -> tuple[Schedule, list[str]]:
    """Return the printed variant (Theorem D.10) with integer T and batch size, and the list of its caveats."""
    theorem, n, L = bounds.THEOREMS["dp_grape.theorem_d10"], noise.n, problem["L"]
    found = theorem.at({name: float(problem[name]) for name in theorem.parameters})
    at = found.schedule
    T, B = max(1, math.floor(at["T"])), min(n, max(1, math.ceil(at["batch"])))
    drawn, sampling = ("full", 0.0) if B == n else ("without_replacement", 1 / B)
    run = {"alpha": at["alpha"], "T": T, "C": at["C"], "sigma": at["sigma"] * math.sqrt(T / at["T"])}
    proved = L**2 if math.isnan(at["C"]) else certified_bound(problem, **run, sampling=sampling)
    private, on_noise = (True, []) if math.isnan(at["C"]) else _printed_privacy(noise, B, run)
    own: dict[str, Any] = {"sampling": drawn, "bound": found.bound, "certified": proved, "private": private}
    variant = _variant(method, theorem.key, problem, run, B, "spread", **own)
    said = [
        "The proof of Theorem D.10 leaves out its last term, between 1 and 1.92 for every n. So it does not prove the printed bound. At "
        f"the printed alpha, T, C and sigma the sharp theorem proves {variant.certified:.4g}; the printed bound is {found.bound:.4g}.",
        f"The printed T = {at['T']:.6g} is rounded down. The least printed batch, {at['batch']:.4g}, is rounded up to a whole number from "
        "1 to n. The paper does not say how to round.",
    ]
    if found.bound >= L**2:
        said.append(
            f"The printed bound is {found.bound:.4g}. It is not below the trivial bound L^2 = {L**2:.4g}, which every point satisfies: "
            f"the printed C = {at['C']:.4g} and T = {at['T']:.4g} promise nothing."
        )
    if math.isnan(at["C"]):
        said.append("The argument of the logarithm in the printed C is not above 1, so there is no such C and no printed schedule.")
    return variant, [*said, *on_noise]


def _printed_privacy(noise: Noise, B: int, run: Mapping[str, Any]) -> tuple[bool, list[str]]:
    """Return whether the printed noise of `run` in batches of B is shown private, and the caveats if it is not."""
    if B == noise.n:
        of_print = noise.budget.epsilon / math.sqrt(math.log(1 / noise.budget.delta))  # mu of all releases together
        spent = math.exp(privacy.log_delta(epsilon=noise.budget.epsilon, mu=of_print))
        why = f"with full batches it gives delta = {spent:.3g} at epsilon = {noise.budget.epsilon:.4g}. It must be "
        why += f"{of_print / largest_mu(noise.budget):.4g} times as large"
        private = of_print <= largest_mu(noise.budget)
    else:
        spent = of_means(noise.n, B, run["C"], run["T"], "without_replacement", sigma=run["sigma"]).epsilon(noise.budget.delta)
        private, why = spent <= noise.budget.epsilon, f"with batches of fixed size, B = {B}, our accountant finds epsilon = {spent:.4g}"
    said = f"The printed sigma is not shown to be private where a record is replaced: {why}. The sigma of the other variants is private."
    return private, [] if private else [said]


def _sharp_variant(method: str, problem: Mapping[str, Any], noise: Noise, T_max: int) -> tuple[Schedule, list[str]]:
    """Return the sharp variant, with the fewest steps whose bound is nearly that of T_max, and its caveats."""
    first = _sharp_problem(problem, noise.rate(None), noise.sampling)
    table = first.threshold_table(0.3, 9, 70)
    T = first.fewest_steps(T_max, table)
    at = replace(first, noise=noise.rate(T))
    best = at.refine_schedule(T, at.best_schedule(T, table))
    run: dict[str, Any] = {"alpha": best.alpha, "T": T, "C": best.C, "sigma": noise.sigma(T, best.C)}
    bound = certified_bound(problem, **run, sampling=noise.sampling)
    return _calibrated_variant(method, "dp_grape.sharp_clip_bias", problem, noise, run, bound, bound)


def _calibrated_variant(
    method: str, key: str, problem: Mapping[str, Any], noise: Noise, run: Mapping[str, Any], bound: float, proved: float, *more: str
) -> tuple[Schedule, list[str]]:
    """Return the repaired variant (if `more` names constants) or the sharp one, and a list with a caveat if its bound is trivial."""
    drawn, trivial = "full" if noise.full else "poisson", problem["L"] ** 2
    variant = _variant(method, key, problem, run, noise.B, *more, sampling=drawn, bound=bound, certified=proved, private=True)
    said = f"The {'repaired' if more else 'sharp'} bound is {bound:.4g}, not below the trivial bound L^2 = {trivial:.4g}, "
    help_ = "which every point satisfies. So nothing is promised. A larger n or epsilon, or fewer parameters, makes the bound smaller."
    return variant, [] if bound < trivial else [said + help_]


def _repaired_variant(method: str, problem: Mapping[str, Any], noise: Noise, T_max: int, guessed: bool) -> tuple[Schedule, list[str]]:
    """Return the repaired variant, of the better form of the corrected theorem, and its caveats; `guessed`: no spread was given."""
    key, run, bound = min((_best_form_schedule(form, problem, noise, T_max) for form in FORMS[method]), key=lambda found: found[2])
    variant, said = _calibrated_variant(method, key, problem, noise, run, bound, math.inf if guessed else bound, "spread")
    no_spread = (
        "The corrected theorem asks for F - F^* <= D everywhere, and no D (spread) was given. Its numbers use gap = "
        f"{problem['gap']:.4g}, the smallest possible D, and are no guarantee. The sharp theorem needs no D."
    )
    return variant, [*said, no_spread] if guessed else said


@cache
def _compile_bound(key: str) -> Callable[..., Any]:
    """Compile the bound of a corrected theorem to a function of a dictionary from names of symbols to arrays."""
    import sympy as sp

    theorem, erfc = bounds.THEOREMS[key], np.frompyfunc(math.erfc, 1, 1)
    expression = theorem.without_abbreviations(theorem.any_schedule)
    names = sorted(expression.free_symbols, key=str)
    function = sp.lambdify(names, expression, modules=[{"erfc": lambda x: np.asarray(erfc(x), dtype=float), "Min": min}, "numpy"])
    return lambda values: function(*[values[str(name)] for name in names])


def _best_form_schedule(form: str, problem: Mapping[str, Any], noise: Noise, T_max: int) -> tuple[str, dict[str, Any], float]:
    """Return (theorem key, schedule, bound) of least bound on a grid, for a form ("coordinates", "concentration") of the theorem."""
    key, L, r, rate = f"dp_grape.corrected_{form}", problem["L"], problem["subspace"], noise.rate(None)
    largest = r / (problem["block"] + r + 1) / problem["ell"] * (1 - 2.0**-40)  # alpha
    levels = np.geomspace(2.0, 15.0, 80) if form == "coordinates" else math.log(problem["n"]) + np.geomspace(0.5, 80, 80)  # K, or x
    steps, best = np.unique(np.ceil(np.geomspace(1, T_max, 200))), (1.0, 1, 1.0)

    def threshold(level: Any) -> Any:
        return level * L if form == "coordinates" else L * np.sqrt(1 + 2 * np.sqrt(level / r) + 2 * level / r) * (1 + 2.0**-40)

    for _ in range(2):  # the second time the steps are chosen, and the noise for them is known
        level, T, alpha = np.meshgrid(levels, np.minimum(steps, T_max), largest * np.geomspace(1e-4, 1, 40), indexing="ij", sparse=True)
        with np.errstate(all="ignore"):
            sigma = rate * threshold(level) * np.sqrt(T)
            values = _compile_bound(key)({**problem, "alpha": alpha, "T": T, "C": threshold(level), "sigma": sigma, "tail_level": level})
        i, j, m = np.unravel_index(int(np.argmin(values)), values.shape)
        best = (float(level[i, 0, 0]), int(T[0, j, 0]), float(alpha[0, 0, m]))
        rate, steps = noise.rate(best[1]), np.array([best[1]])
    C = float(threshold(best[0]))
    run = {"alpha": best[2], "T": best[1], "C": C, "sigma": noise.sigma(best[1], C)}
    return key, run, bounds.THEOREMS[key].bound_at(**{**problem, **run, "tail_level": best[0]})


def _common_caveats(method: str, problem: Mapping[str, Any], noise: Noise, guessed: bool) -> Iterator[str]:
    """Yield the caveats of all DP-GRAPE variants: F = 1 and SGD, neighbours, batches, constants; `guessed`: no block was given."""
    k = problem["block"]
    if guessed and method == "dp_grape":
        yield (
            f"The largest layer is assumed to have {k} rows, the root of d: the smaller side of a layer is never longer. If it has fewer "
            "rows, give block; fewer steps are then enough."
        )
    elif guessed:
        yield f"All blocks are assumed to have at most {k} entries. If one is larger, nothing that is certified holds: give block."
    yield (
        "Every variant is for a subspace that is drawn afresh in each step (F = 1) and for the SGD update. No theorem covers a subspace "
        "that is kept for several steps, nor Adam, which the paper's experiments use. Their privacy is the same."
    )
    yield (
        "Neighbouring data sets differ in one replaced record, so a mean over a batch of B moves by up to 2 C/B. Section 2.2 of the paper "
        "speaks of a removed record, for which C/B is meant."
    )
    if not noise.full:
        words = noise.describe_batches()
        yield (
            f"Batches of the repaired and the sharp variant: {words} These variants take at most {noise.longest} steps; up to there the "
            "accountant is within 0.1 % of the least noise."
        )
    yield f"The sharp variant takes the fewest steps whose bound is within about {100 * SHARE:g} % of the best that T_max allows."
    if remark := privacy.delta_remark(noise.budget.delta, noise.n):
        yield f"{remark}."
    yield (
        "L, ell, gap and spread must be public upper bounds. Values that are computed from the private data are not covered by epsilon, "
        "delta."
    )
