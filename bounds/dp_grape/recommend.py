"""Which alpha, T, C, batch, r and sigma to run DP-GRAPE at, and what that promises: printed, repaired, sharp.

    printed     the parameters of Theorem D.10, T and B whole; `bound` is its formula, `certified` what dp_grape.sharp_clip_bias proves
    repaired    the schedule that minimises the corrected theorem: both forms for flattened blocks, the second one for layers
    sharp       the schedule that minimises dp_grape.sharp_clip_bias
    caveats     full sentences: what the numbers do not say by themselves

Setting   neighbours differ in one replaced record, so that a mean over B moves by 2C/B; sigma of the last two columns is exact for full
          batches, and from privacy loss distributions for Poisson batches.
Source    Theorem D.10 and Section 5; `bounds.dp_grape.corrected`, `sharp`, `sharp_numbers`; `bounds.privacy`, `bounds.subsampled`.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

import bounds
from bounds import privacy
from bounds.dp_grape.columns import Plan, Schedule
from bounds.dp_grape.sharp_numbers import SHARE, Problem, clip_loss, clip_spread
from bounds.validate import one_of, positive, positive_integer, shown, strict_door, whole_number

METHODS = ("dp_grape", "dp_grape_blocks")
FORMS = {"dp_grape": ("concentration",), "dp_grape_blocks": ("coordinates", "concentration")}
MEASURE = "E ||grad F(w_tau)||^2, tau uniform on 0..T-1"
LONGEST = 2**60  # as good as infinitely many steps
PRINTED, SHARP = "dp_grape.theorem_d10", "dp_grape.sharp_clip_bias"


@strict_door
def recommend(
    method: str,
    *,
    n: float,
    d: float,
    epsilon: float,
    delta: float,
    L: float,
    ell: float,
    gap: float,
    r: int,
    layers: int = 1,
    block: int | None = None,
    spread: float | None = None,
    batch_size: int | None = None,
    T_max: int | str | None = "printed",
) -> Plan:
    """Return printed, repaired and sharp parameters of DP-GRAPE, or of Algorithm 6 ("dp_grape_blocks"), for one problem.

    L, ell      the paper's Gamma and lambda;   spread   its D, a bound on F - F^* everywhere, which the sharp theorem does not need
    r, layers   dimension of the subspaces, number of projected layers or blocks
    block       rows of the largest layer, or entries of the largest block; None: the root of d, which no smaller side exceeds, or d/layers
    batch_size  samples of a batch of the last two columns, drawn by Poisson sampling; None: all n
    T_max       most steps of the last two columns: "printed" (those of Theorem D.10), a number, or None for as many as help
    Raises ValueError for values that cannot be meant.
    """
    one_of(METHODS, method=method)
    whole_number(n=n, d=d)
    positive(epsilon=epsilon, L=L, ell=ell, gap=gap)
    positive_integer(r=r, layers=layers)
    if layers > d:
        raise ValueError(f"layers = {layers}: at most d = {d:g} are needed")
    if spread is not None and spread < gap:
        raise ValueError(f"spread = {spread!r}: at least gap = {gap!r} is needed, F(w_0) - F^* is one of the values that it bounds")
    k = _block(method, d, layers) if block is None else block
    positive_integer(block=k)
    if not r <= k <= d:
        raise ValueError(f"block = {k}: from r = {r} to d = {d:g} is needed")
    B = int(n) if batch_size is None else batch_size
    positive_integer(batch_size=B)
    if B > n:
        raise ValueError(f"batch_size = {B}: at most n = {n:g} is needed")
    mu = privacy.mu_gaussian(epsilon, delta)
    asked = {"n": n, "d": d, "epsilon": epsilon, "delta": delta, "L": L, "ell": ell, "gap": gap, "spread": spread or gap}
    problem = {**asked, "subspace": r, "layers": layers, "block": k, "batch": B}
    noise = _Noise(int(n), B, epsilon, delta, mu)

    printed, said = _printed(method, problem, mu)
    steps = max(1, printed.T) if T_max == "printed" else LONGEST if T_max is None else T_max
    if isinstance(steps, str):
        raise ValueError(f"T_max = {steps!r}: an integer of at least 1, 'printed', or None for as many steps as help, is needed")
    positive_integer(T_max=steps)
    steps = min(steps, noise.longest)
    repaired = _repaired(method, problem, noise, steps, spread is None)
    sharp = _sharp(method, problem, noise, steps)
    of_printed = [*said, *_noise_caveats(epsilon, delta, mu)]
    of_repaired = list(_promise_caveats("repaired", repaired))
    if spread is None:
        of_repaired.append(
            f"The corrected theorem asks for F - F^* <= D everywhere, and no D (spread) was given: its numbers use gap = {gap:.4g}, the "
            f"least that D can be, and are no guarantee. The sharp theorem needs no D."
        )
    of_sharp = list(_promise_caveats("sharp", sharp))
    shared = list(_standing(method, problem, block is None, sharp, delta))
    columns = [replace(one, caveats=(*own, *shared)) for one, own in ((printed, of_printed), (repaired, of_repaired), (sharp, of_sharp))]
    return Plan(method, problem, *columns, (*of_printed, *of_repaired, *of_sharp, *shared))


def _block(method: str, d: float, layers: int) -> int:
    return math.isqrt(int(d)) if method == "dp_grape" else math.ceil(d / layers)


class _Noise:
    """What sigma is: for C and T steps with exact accounting C sqrt(T) times `rate`."""

    def __init__(self, n: int, B: int, epsilon: float, delta: float, mu: float) -> None:
        self.n, self.B, self.epsilon, self.delta, self.mu = n, B, epsilon, delta, mu
        self.sampling = "full" if n == B else "poisson"
        self.longest = LONGEST if n == B else max(1, min(10**6, int((delta / 100 - 1e-13) / 2e-16)))  # which the transforms resolve
        self.rate = lru_cache(self._rate)

    def _rate(self, T: int | None) -> float:
        """Return the rate for T steps; None: of full batches, which many small steps come close to."""
        if T is None or self.n == self.B:
            return 2 / (self.n * self.mu)
        from bounds.subsampled import sigma_subsampled  # here: what it needs is slow to import

        wanted: dict[str, Any] = {"epsilon": self.epsilon, "delta": self.delta, "T": T, "neighbours": "replace_one"}
        return sigma_subsampled(q=self.B / self.n, sensitivity=2 / self.B, **wanted) / math.sqrt(T)

    def sigma(self, T: int, C: float) -> float:
        """Return sigma itself."""
        if self.n == self.B:
            return privacy.sigma_gaussian(epsilon=self.epsilon, delta=self.delta, T=T, sensitivity=privacy.in_full(2 * C / self.n))
        return self.rate(T) * C * math.sqrt(T)


def _constants(problem: Mapping[str, float], *more: str) -> dict[str, float]:
    return {name: float(problem[name]) for name in ("d", "L", "ell", "gap", *more)}


def _column(method: str, theorem: str, problem: Mapping[str, float], **given: Any) -> Schedule:
    numbers = {"measure": MEASURE, "F": 1, "r": int(problem["subspace"]), "n": int(problem["n"]), "method": method}
    numbers |= {"multiplier": given["batch_size"] * given["sigma"] / given["C"], "constants": _constants(problem), **given}
    return Schedule(theorem, **numbers)


def _printed(method: str, problem: Mapping[str, float], mu: float) -> tuple[Schedule, list[str]]:
    theorem = bounds.THEOREMS[PRINTED]
    found = theorem.evaluate(**{name: problem[name] for name in theorem.parameters})
    at, n, L = found.schedule, int(problem["n"]), problem["L"]
    T, B, whole = max(1, math.floor(at["T"])), min(n, max(1, math.ceil(at["batch"]))), math.sqrt(max(1, math.floor(at["T"])) / at["T"])
    sigma = at["sigma"] * whole
    proved = certified(problem, alpha=at["alpha"], T=T, C=at["C"], sigma=sigma, sampling=0 if B == n else 1 / B)
    sampling = "full" if B == n else "without_replacement"
    given = {"alpha": at["alpha"], "T": T, "C": at["C"], "batch_size": B, "sampling": sampling, "sigma": sigma}
    column = _column(method, PRINTED, problem, bound=found.bound, certified=proved, **given)
    column = replace(column, constants=_constants(problem, "spread"))
    said = [
        f"Theorem D.10 is not proved: the last term of its proof, which is left out, is between 1 and 1.92 whatever n is, where L^2 = {L**2:.4g}. "
        f"At its alpha, T, C and sigma the sharp theorem certifies {proved:.4g}, and the formula says {found.bound:.4g}."
    ]
    if found.bound >= L**2:
        said.append(
            f"The printed bound is {found.bound:.4g}, not below the L^2 = {L**2:.4g} that every point satisfies: its C = {at['C']:.4g} and "
            f"T = {at['T']:.4g} promise nothing."
        )
    said.append(
        f"The printed T = {at['T']:.6g} is rounded down, and the least printed batch, {at['batch']:.4g}, up to a whole number from 1 to n; "
        f"the paper says nothing of either."
    )
    return column, said


def certified(problem: Mapping[str, float], *, alpha: float, T: int, C: float, sigma: float, sampling: float) -> float:
    """Return what the sharp theorem proves at a schedule, at most L^2."""
    at = _numbers(problem, sigma / C / math.sqrt(T), sampling)
    r, ratio = int(problem["subspace"]), C / problem["L"]
    return min(problem["L"] ** 2, float(at.values(alpha, T, C, clip_loss(r, ratio), clip_spread(r, ratio))))


def _numbers(problem: Mapping[str, float], noise: float, sampling: float) -> Problem:
    r = int(problem["subspace"])
    return Problem(**_constants(problem), r=r, stretch=(problem["block"] + r + 1) / r, sampling=sampling, noise=noise)


def _sharp(method: str, problem: Mapping[str, float], noise: _Noise, T_max: int) -> Schedule:
    sampling = 0.0 if noise.sampling == "full" else 1 / noise.B
    first = _numbers(problem, noise.rate(None), sampling)
    table = first.thresholds(0.3, 9, 70)
    T = first.fewest(T_max, table)
    at = replace(first, noise=noise.rate(T))
    best = at.refined(T, at.best(T, table))
    sigma = noise.sigma(T, best.C)
    bound = certified(problem, alpha=best.alpha, T=T, C=best.C, sigma=sigma, sampling=sampling)
    given = {"alpha": best.alpha, "T": T, "C": best.C, "batch_size": noise.B, "sampling": noise.sampling, "sigma": sigma}
    return _column(method, SHARP, problem, bound=best.bound, certified=bound, **given)


def _repaired(method: str, problem: Mapping[str, float], noise: _Noise, T_max: int, guessed: bool) -> Schedule:
    found = [_of_form(form, problem, noise, T_max) for form in FORMS[method]]
    key, given, bound = min(found, key=lambda one: one[2])
    certified = problem["L"] ** 2 if guessed else min(problem["L"] ** 2, bound)
    column = _column(method, key, problem, bound=bound, certified=certified, batch_size=noise.B, sampling=noise.sampling, **given)
    return replace(column, constants=_constants(problem, "spread"))


@lru_cache
def _fast(key: str) -> Callable[..., Any]:
    """Return the bound of a corrected theorem as a function of arrays, by the names of its letters."""
    import sympy as sp

    theorem = bounds.THEOREMS[key]
    expression = theorem.without_abbreviations(theorem.any_schedule)
    names = sorted(expression.free_symbols, key=str)
    erfc = np.frompyfunc(math.erfc, 1, 1)
    function = sp.lambdify(names, expression, modules=[{"erfc": lambda x: np.asarray(erfc(x), dtype=float), "Min": min}, "numpy"])
    return lambda values: function(*[values[str(name)] for name in names])


def _of_form(form: str, problem: Mapping[str, float], noise: _Noise, T_max: int) -> tuple[str, dict[str, Any], float]:
    """Return the key, the schedule and the bound of the best schedule of one form of the corrected theorem: grids that close in."""
    key, L, r = f"dp_grape.corrected_{form}", problem["L"], problem["subspace"]
    largest = r / (problem["block"] + r + 1) / problem["ell"] * (1 - 2.0**-40)  # alpha
    tails = np.geomspace(2.0, 15.0, 40) if form == "coordinates" else math.log(problem["n"]) + np.geomspace(0.5, 80, 40)  # K, or x
    axes = [tails, np.geomspace(1, T_max, 60), largest * np.geomspace(1e-9, 1, 60)]
    rate, best = noise.rate(None), (math.inf, 0.0, 1, 0.0)

    def threshold(tail: Any) -> Any:
        return tail * L if form == "coordinates" else L * np.sqrt(1 + 2 * np.sqrt(tail / r) + 2 * tail / r) * (1 + 2.0**-40)

    for turn in range(6):
        tail, T, alpha = np.meshgrid(axes[0], np.ceil(axes[1]), axes[2], indexing="ij", sparse=True)
        T = np.minimum(T, T_max)
        C = threshold(tail)
        with np.errstate(all="ignore"):
            values = _fast(key)({**problem, "alpha": alpha, "T": T, "C": C, "sigma": rate * C * np.sqrt(T), "tail_x": tail})
        i, j, m = np.unravel_index(int(np.argmin(values)), values.shape)
        best = (float(values[i, j, m]), float(tail[i, 0, 0]), int(T[0, j, 0]), float(alpha[0, 0, m]))
        if turn == 3:  # the steps are chosen, the noise for them is known
            rate = noise.rate(best[2])
        spans = [axis[-1] / axis[0] for axis in axes]
        axes = [np.geomspace(at / span**0.15, at * span**0.15, 25) for at, span in zip(best[1:], spans, strict=True)]
        axes = [axes[0], np.array([best[2]]) if turn >= 3 else np.clip(axes[1], 1, T_max), np.minimum(axes[2], largest)]
    C, T_best = float(threshold(best[1])), best[2]
    given = {"alpha": best[3], "T": T_best, "C": C, "sigma": noise.sigma(T_best, C)}
    theorem = bounds.THEOREMS[key]
    return key, given, theorem.bound_at(**{**problem, **given, "tail_x": best[1]})


def _noise_caveats(epsilon: float, delta: float, mu: float) -> Iterator[str]:
    of_print = epsilon / math.sqrt(math.log(1 / delta))
    if of_print > mu:
        spent = math.exp(privacy.log_delta(epsilon=epsilon, mu=of_print))
        yield (
            f"The printed sigma is too small where a record is replaced: with full batches it spends delta = {spent:.3g} at epsilon = "
            f"{epsilon:.4g}, and must be {of_print / mu:.4g} times as large. The sigma of the other columns is private."
        )


def _promise_caveats(name: str, column: Schedule) -> Iterator[str]:
    trivial = column.constants["L"] ** 2
    if not column.bound < trivial:
        yield (
            f"The {name} bound is {column.bound:.4g}, not below the L^2 = {trivial:.4g} that every point satisfies: nothing is promised; a "
            f"larger n epsilon, or fewer parameters, would."
        )


def _standing(method: str, problem: Mapping[str, float], guessed: bool, sharp: Schedule, delta: float) -> Iterator[str]:
    if guessed:
        yield (
            f"The rows of the largest layer were taken to be {problem['block']}, the root of d, which no smaller side of a layer exceeds; fewer "
            f"rows need fewer steps."
            if method == "dp_grape"
            else f"All blocks were taken to have {problem['block']} entries; larger ones need more steps."
        )
    yield (
        "Every column is for a subspace that is drawn anew in each step (F = 1) and the SGD update: no theorem covers a subspace that is kept "
        "for more steps, or Adam, with which the paper's experiments run; their privacy is the same."
    )
    yield (
        "Neighbouring data sets differ in one replaced record, so that a mean over a batch of B moves by 2 C/B; Section 2.2 of the paper "
        "speaks of a record that is removed, where C/B is meant."
    )
    if sharp.sampling == "poisson":
        yield (
            "Batches of the repaired and the sharp column are drawn by Poisson sampling, each record with probability B/n, and the sum is "
            f"divided by B = {sharp.batch_size}; their steps are at most 10^6, which the accountant resolves."
        )
    yield (
        f"The sharp column takes the fewest steps whose bound is within {100 * SHARE:g} % of the best; with more steps than T_max allows it "
        "might promise more."
    )
    if remark := privacy.delta_remark(delta, problem["n"]):
        yield f"{remark}."
    yield (
        "L, ell, gap and spread must be public upper bounds: a schedule tuned to the private data's own values is not covered by epsilon, "
        "delta."
    )
