"""Which steps, stages, C, P and sigma to run DP-ZOSO and DP-ZOPO at, and what that promises.

    printed        Theorem 2, or 4, at the T that it needs itself, where there is one; the statement is false, so nothing is certified
    repaired       dp_zopo.corrected_theorem2 at the least accuracy that it reaches, with a tenth of slack, or at `target`
    sharp          dp_zopo.sharp_growth, stage after stage, at the C, S, T, eta_s and beta_s for which it says least
    known_better   where ell and r are given: DPZero's sharp plan, its squared gradient turned into a gap by growth and convexity

Setting   neighbours differ in one replaced record: the P clipped means of a step, released together, move by 2 C sqrt(P)/m in all; sigma of
          the last columns is exact for full batches, and from the accountant without replacement for others.
Source    Theorems 2 and 4 and (13); `bounds.dp_zopo.stages`, `bounds.accounting`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

import bounds
from bounds import accounting, privacy
from bounds.dp_zopo.columns import Plan, Schedule
from bounds.dp_zopo.stages import GAP, SHARP_GROWTH, from_gap_to_gap, second_moment
from bounds.validate import non_negative, one_of, positive, positive_integer, strict_door, whole_number

METHODS = ("dp_zoo", "dp_zoso", "dp_zopo")
LONGEST, RESOLVED, MOST_STAGES = 2**50, 10**5, 40  # steps: as good as infinitely many; of batches, that the accountant resolves in time
SHARE, SLACK, ROUNDED, C_2 = 0.1, 1.1, 1 + 1e-9, math.sqrt(2)


def split(T: int, S: int) -> tuple[int, ...]:
    """Return the steps of each stage, doubling; the last has what is left."""
    parts = [(2 * T * 2**s + 2**S - 1) // (2 * (2**S - 1)) for s in range(S - 1)]
    return (*parts, T - sum(parts))


@dataclass(frozen=True)
class Problem:
    """A problem in the glossary's letters: d coordinates that are tuned, a ball of diameter D, P directions, batches of m."""

    n: int
    d: int
    epsilon: float
    delta: float
    L: float
    mu: float
    rho: float
    gamma: float
    D: float
    gap: float
    P: int
    m: int

    @property
    def trivial(self) -> float:
        """What every point of the ball satisfies."""
        return self.L * self.D

    def sigma(self, T: int, C: float) -> float:
        """Return the noise on the mean along a direction."""
        drawn = "full" if self.m == self.n else "without_replacement"
        return accounting.sigma(self.epsilon, self.delta, T, self.n, self.m, C * math.sqrt(self.P), drawn)  # type: ignore[arg-type]

    @cached_property
    def rate(self) -> float:
        """Return sigma over C sqrt(T), of full batches."""
        return accounting.sigma(self.epsilon, self.delta, 1, self.n, self.n, math.sqrt(self.P))

    def bias(self, C: Any) -> Any:
        """Return B_C."""
        return self.L * np.frompyfunc(math.erfc, 1, 1)(C / (math.sqrt(2) * self.L))

    def stages(
        self, steps: Sequence[int], C: Any, sigma: Any, run: Sequence[tuple[float, float]] = ()
    ) -> tuple[Any, list[tuple[Any, Any]]]:
        """Return the gap after stages by sharp_growth, with their eta and beta: those of `run`, or the best. Arrays of C broadcast."""
        V, B_C, found = second_moment(self.d, self.L, self.P, sigma, np.sqrt), np.asarray(self.bias(C), dtype=float), []
        at, gap, room = (
            {"V": V, "B_C": B_C, "d": self.d, "L": self.L, "mu": self.mu, "rho": self.rho},
            self.gap,
            1 - self.rho / (4 * self.mu),
        )
        if room <= 0:
            return np.full_like(B_C, self.trivial), [(math.nan, math.nan)] * len(steps)
        for s, T in enumerate(steps):
            before = np.minimum(gap, 2 * self.mu * self.D**2)
            eta = np.sqrt(before / (2 * self.mu * (T + 1) * V))
            eta, beta = run[s] if run else (eta, 0.005 * eta * V / (self.L * math.sqrt(self.d)))
            rest = before / (4 * self.mu * eta * T) + (1 + 1 / T) * (
                eta * V / 2 + self.L * beta * math.sqrt(self.d) + self.rho * beta**2 * self.d / 2
            )
            clip = (1 + 1 / T) * B_C**2 / (8 * self.mu)
            tau = np.maximum((np.sqrt(clip**2 + room * rest * clip) - clip) / rest, 1e-150)
            after = from_gap_to_gap(before, eta, T, beta, tau, at, np.sqrt) * ROUNDED
            gap = np.minimum(after, self.trivial)
            found.append((eta, beta))
        return gap, found

    def best(self, T: int, S: int | None, Cs: Any, rate: float) -> tuple[float, int, float, list[tuple[Any, Any]]]:
        """Return the least bound of T steps, with S, C and the stages; the fewest stages within a fiftieth of it."""
        tried = [S] if S else range(1, min(MOST_STAGES, (T + 1).bit_length() - 1) + 1)
        all_of = {S: self.stages(split(T, S), Cs, rate * Cs * math.sqrt(T))[0] for S in tried}
        least = min(float(one.min()) for one in all_of.values())
        S = next(S for S, one in all_of.items() if one.min() <= 1.02 * least)
        C = float(Cs[int(np.argmin(all_of[S]))])
        gap, found = self.stages(split(T, S), C, rate * C * math.sqrt(T))
        return float(gap), S, C, found


@strict_door
def recommend(
    method: str, *, n: float, d: float, epsilon: float, delta: float, L: float, growth_mu: float, radius: float, gap: float,
    weak: float = 0.0, sample_spread: float | None = None, stages: int | None = None, P: int = 1, batch_size: int | None = None,
    target: float | None = None, kept: float = 1.0, T_max: int | None = None, ell: float | None = None, r: float | None = None,
) -> Plan:  # fmt: skip
    """Return printed, repaired and sharp parameters of DP-ZOSO, of its stages alone ("dp_zoo"), or of DP-ZOPO, for one problem.

    growth_mu       mu of f - f^* >= 2 mu |x - x^*|^2 on the ball;   radius   of the ball;   gap   f - f^* at the start
    weak            rho, of weak convexity;   sample_spread   gamma; None: L, which it never exceeds
    stages, P       how many stages of the sharp column, None: as many as help; directions of a step
    batch_size      samples of a batch, drawn without replacement; None: all n
    target          accuracy of the printed and the repaired column; None: what the sharp one certifies, and the least that is reached
    kept            fraction of the coordinates that DP-ZOPO tunes, by one mask;   T_max   most steps of the last columns
    ell, r          smoothness and effective rank, for a plan of DPZero beside them
    Raises ValueError for values that cannot be meant.
    """
    one_of(METHODS, method=method)
    whole_number(n=n, d=d)
    positive(epsilon=epsilon, L=L, growth_mu=growth_mu, radius=radius, gap=gap, kept=kept)
    non_negative(weak=weak)
    positive_integer(P=P)
    S, m, gamma = (
        1 if method == "dp_zoo" else stages,
        int(n) if batch_size is None else batch_size,
        L if sample_spread is None else sample_spread,
    )
    positive_integer(batch_size=m, **({} if S is None else {"stages": S}), **({} if T_max is None else {"T_max": T_max}))
    positive(**({} if target is None else {"target": target}), sample_spread=gamma)
    if method == "dp_zoo" and stages not in (None, 1):
        raise ValueError(f"stages = {stages}: dp_zoo is one stage, dp_zoso has several")
    if m > n or kept > 1 or (kept < 1 and method != "dp_zopo"):
        raise ValueError(
            f"batch_size = {m}, kept = {kept:g}: at most n = {n:g}, and at most 1, or 1 for a method without masks, are needed"
        )
    if (ell is None) != (r is None):
        raise ValueError(f"ell = {ell}, r = {r}: both are needed for a plan of DPZero, or none")
    if gap > 2 * L * radius:
        raise ValueError(f"gap = {gap:g}: at most 2 L radius = {2 * L * radius:g} is possible for an L-Lipschitz loss on the ball")
    k = math.ceil(kept * d)
    at = Problem(int(n), k, epsilon, delta, L, growth_mu, weak, gamma, 2 * radius, gap, P, m)
    problem = {
        "n": n,
        "d": d,
        "epsilon": epsilon,
        "delta": delta,
        "L": L,
        "growth_mu": growth_mu,
        "radius": radius,
        "gap": gap,
        "weak": weak,
    }
    problem |= {"sample_spread": gamma, "directions": P, "minibatch": m, "tuned": kept}
    steps = min(T_max or LONGEST, LONGEST if m == n else T_max or RESOLVED)
    shared = {"method": method, "kept": kept, "n": int(n), "radius": radius, "P": P, "batch_size": m, "measure": GAP}
    shared |= {
        "constants": {
            **{name: float(problem[name]) for name in ("L", "growth_mu", "radius", "gap", "weak", "sample_spread")},
            "d": float(d),
        }
    }
    shared |= {"sampling": "full" if m == n else "without_replacement"}
    sharp = _sharp(at, S, steps, shared)
    reached = min(sharp.certified, gap / 2) if target is None else target
    columns = {"printed": _printed(at, reached, shared, d), "repaired": _repaired(at, S, target, steps, shared), "sharp": sharp}
    standing = _standing(at, method)
    made: dict[str, Any] = {name: replace(one, caveats=(*one.caveats, *standing)) for name, one in columns.items()}
    caveats = (*(text for one in columns.values() for text in one.caveats), *standing)
    return Plan(method, problem, **made, caveats=caveats)


def _column(at: Problem, run: Mapping[str, Any], shared: Mapping[str, Any], *caveats: str, **more: Any) -> Schedule:
    """Return a column; one that has no schedule, or promises no more than every point has, says so."""
    if more["certified"] >= at.trivial:
        caveats = (*caveats, f"{more['theorem']} promises no more here than the L times diameter = {at.trivial:.4g} that every point has.")
    ratio = at.m * run["sigma"] / run["C"]
    return Schedule(**shared, **run, **{**more, "certified": min(at.trivial, more["certified"])}, noise_ratio=ratio, caveats=caveats)


def _nowhere(at: Problem, C: float, S: int, shared: Mapping[str, Any], theorem: str, *caveats: str) -> Schedule:
    run: dict[str, Any] = {"alpha": (math.nan,), "T": 0, "lam": (math.nan,), "stages": S, "C": C, "sigma": math.nan, "anchor": None}
    return _column(at, run, shared, *caveats, theorem=theorem, bound=math.inf, certified=math.inf, private=False)


def _sharp(at: Problem, S: int | None, T_max: int, shared: Mapping[str, Any]) -> Schedule:
    """Take the fewest steps whose bound is within SHARE of that of T_max; more never harm by more than rounding."""
    coarse = at.L * np.geomspace(0.7, 6, 40)
    enough, low, high = (1 + SHARE) * at.best(T_max, S, coarse, at.rate)[0], math.log(2 ** (S or 1) - 1), math.log(T_max)
    while high - low > 0.02:
        middle = (low + high) / 2
        low, high = (low, middle) if at.best(math.ceil(math.exp(middle)), S, coarse, at.rate)[0] <= enough else (middle, high)
    T = min(T_max, math.ceil(math.exp(high)))
    rate = at.sigma(T, 1.0) / math.sqrt(T)
    C = at.best(T, S, coarse, rate)[2]
    _, number, C, found = at.best(T, S, np.geomspace(C / 1.06, C * 1.06, 25), rate)
    run: dict[str, Any] = {"alpha": tuple(float(eta) for eta, _ in found), "lam": tuple(float(beta) for _, beta in found), "T": T, "C": C}
    run |= {"stages": number, "sigma": at.sigma(T, C), "anchor": None}
    proved = certified(at, **{name: run[name] for name in ("alpha", "lam", "T", "stages", "C", "sigma")})
    return _column(at, run, shared, theorem=SHARP_GROWTH.key, bound=proved, certified=proved, private=True)


def certified(at: Problem, *, alpha: Sequence[float], lam: Sequence[float], T: int, stages: int, C: float, sigma: float) -> float:
    """Return what sharp_growth proves at a schedule without a regulariser, whatever its numbers are."""
    return float(at.stages(split(T, stages), C, sigma, list(zip(alpha, lam, strict=True)))[0])


def _repaired(at: Problem, S: int | None, target: float | None, T_max: int, shared: Mapping[str, Any]) -> Schedule:
    """Solve E = E_0 + e T for the T of the corrected theorem, whose noise has T; search the least accuracy that has a solution."""
    theorem, of_error = bounds.THEOREMS["dp_zopo.corrected_theorem2"], bounds.THEOREMS["dp_zopo.corrected_gradient_error"]
    letters: dict[str, float] = {"d": at.d, "L": at.L, "directions": at.P, "minibatch": at.m, "sample_spread": at.gamma, "n": at.n}

    def needed(accuracy: float, rate: float) -> tuple[float, int, float, float]:
        number = S or max(1, math.ceil(math.log2(at.gap / accuracy)))
        C = at.L * math.sqrt(2 * math.log(max(math.e, 8 * at.L * at.D / accuracy)))
        start = of_error.evaluate(**letters, C=C, noise_ratio=1e-30).bound
        per_step, times = at.d * (rate * C) ** 2 / at.P, 32 * (2 - 2.0 ** (1 - number)) / (3 * at.mu * accuracy)
        E = max(start / (1 - per_step * times), 6 * math.sqrt(2 * at.d / math.pi) * at.L**2) if per_step * times < 1 else math.inf
        return E * times, number, C, E

    low, high = math.log(at.gap / 2 ** (S or MOST_STAGES)), math.log(at.gap / 2)
    exists = at.rho <= at.mu / 4 and needed(math.exp(high), at.rate)[0] <= T_max
    while exists and high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (low, middle) if needed(math.exp(middle), at.rate)[0] <= T_max else (middle, high)
    accuracy = min(at.gap / 2, SLACK * math.exp(high)) if target is None else target
    steps, number, C, _ = needed(accuracy, at.rate)
    if not exists or steps > T_max:
        why = f"Theorem 2 corrected has no schedule here for an accuracy of {accuracy:.4g} in at most {T_max} steps, or rho is above mu/4."
        return _nowhere(at, C, number, shared, theorem.key, why)
    rate = at.sigma(math.ceil(steps), 1.0) / math.sqrt(math.ceil(steps))
    steps, number, C, E = needed(accuracy, rate)
    if not steps <= T_max:
        return _nowhere(
            at, C, number, shared, theorem.key, f"With the noise of such batches an accuracy of {accuracy:.4g} is out of reach."
        )
    T, aims = math.ceil(steps) + number, [accuracy * 2.0 ** (number - s) for s in range(1, number + 1)]
    lam, alpha = tuple(aim / (16 * at.L * math.sqrt(at.d)) for aim in aims), tuple(3 * aim / (8 * E) for aim in aims)
    run: dict[str, Any] = {"alpha": alpha, "lam": lam, "T": T, "stages": number, "C": C, "sigma": at.sigma(T, C), "anchor": 4 / at.mu}
    ratio, gap = at.m * run["sigma"] / C, at.gap
    level = max(E, of_error.evaluate(**letters, C=C, noise_ratio=ratio).bound)
    values = {
        **{name: letters[name] for name in ("d", "L")},
        "weak": at.rho,
        "growth_mu": at.mu,
        "diameter": at.D,
        "C": C,
        "error_cap": level,
    }
    for T_s, eta, beta in zip(split(T, number), alpha, lam, strict=True):
        gap = theorem.bound_at(**values, gap_before=gap, stage_step=eta, stage_T=T_s, stage_lam=beta, anchor=4 / at.mu) * ROUNDED
    return _column(at, run, shared, theorem=theorem.key, bound=accuracy, certified=gap, private=True)


def _printed(at: Problem, target: float, shared: Mapping[str, Any], d: float) -> Schedule:
    """Find the T that the printed parameters need themselves: that of the other three terms, if it pays for the noise."""
    theorem = bounds.THEOREMS["dp_zopo.theorem4" if shared["method"] == "dp_zopo" else "dp_zopo.theorem2"]
    C, S = math.sqrt(2) * at.L, max(1, math.ceil(math.log2(at.gap / target)))
    last = at.gap / 2**S
    values: dict[str, float] = {"n": at.n, "d": d, "epsilon": at.epsilon, "delta": at.delta, "L": at.L, "growth_mu": at.mu, "C": C}
    values |= {"sample_spread": at.gamma, "minibatch": at.m, "directions": at.P, "c_noise": C_2, "tuned": shared["kept"]}
    values |= {"target": target, "target_0": at.gap, "stage_target": last}

    def schedule(T: float, lam: float) -> Mapping[str, float]:
        return theorem.evaluate(**values, T=max(1.0, T), last_lam=lam).schedule

    def steps(T: float, lam: float) -> float:
        return schedule(T, lam)["stage_T"] * (2 - 2.0 ** (1 - S))

    beta = math.sqrt(d) * at.L * schedule(1.0, 1e-30)["stage_step"] * 2 ** (S - 1)  # the least that Lemma 5 allows for the first stage
    T = steps(1.0, beta)
    false = (
        "Theorem 2 is false as printed, also on a ball, and Theorem 4 besides where the mask is not all: nothing is certified at their "
        "parameters. They do not name c_2, for which sqrt(2) is taken, nor the radii, for which the least that Lemma 5 allows is."
    )
    if steps(T, beta) > ROUNDED * T:
        why = f"The printed T stands on both sides, and no T solves it: the accuracy {target:.4g} is below the floor of the noise."
        return _nowhere(at, C, S, shared, theorem.key, false, why)
    whole = math.ceil(T) + S
    sigma = C_2 * at.P * C * math.sqrt(whole * math.log(at.P / at.delta)) / (at.epsilon * at.n)
    run: dict[str, Any] = {"alpha": tuple(schedule(T, beta)["stage_step"] * 2.0 ** (S - s) for s in range(1, S + 1)), "lam": (beta,) * S}
    run |= {"T": whole, "stages": S, "C": C, "sigma": sigma, "anchor": 7 / (2 * at.mu)}
    private = at.m == at.n and accounting.epsilon(sigma, at.delta, whole, at.n, at.m, C * math.sqrt(at.P)) <= at.epsilon
    said = (
        "" if private else "The printed sigma is not shown to be private where a record is replaced: with full batches it must be larger, "
    )
    more = (said + "and with others no accountant was asked.",) if said else ()
    return _column(at, run, shared, false, *more, theorem=theorem.key, bound=target, certified=math.inf, private=private)


def _standing(at: Problem, method: str) -> tuple[str, ...]:
    """Return what is to be said of every column."""
    said = [
        "Growth is asked for on the ball alone: on all of R^d it contradicts L-Lipschitz losses. Every step is projected on the ball, and a "
        "stage hands on the mean of its iterates, which Algorithm 2 does not.",
        "L, growth_mu, gap and sample_spread must be public: a schedule tuned to the private data is not covered by epsilon, delta.",
    ]
    if method == "dp_zopo":
        said.append(
            "Bounds are for the loss on the coordinates of one static 0/1 mask, its own minimiser and growth: how far that is from the least "
            "loss of all coordinates is not known, and masks that change from stage to stage are covered by no theorem."
        )
    if remark := privacy.delta_remark(at.delta, at.n):
        said.append(f"{remark}.")
    return tuple(said)
