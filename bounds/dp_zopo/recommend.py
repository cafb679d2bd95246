"""Recommend steps, stages, C, P and sigma for DP-ZOSO and DP-ZOPO, with the guarantee: printed, repaired and sharp.

    printed    Theorem 2, or 4, at the T that it needs itself, where there is one; the statement is false, so nothing is certified
    repaired   dp_zopo.corrected_theorem2 at the least accuracy that it reaches, with a tenth of slack, or at `target`
    sharp      dp_zopo.sharp_growth, stage after stage, at the C, S, T, eta_s and beta_s of least bound, or dp_zopo.sharp_suffix
               if its bound is less: each stage passes on the mean of its last half

Setting   neighbours differ in one replaced record: the P clipped means of a step, released together, move by 2 C sqrt(P)/m in all; sigma of
          the last variants is exact for full batches, and from the accountant without replacement for others.
Source    Theorems 2 and 4 and (13); the pages of the repaired and the sharper theorems; `bounds.privacy.accounting`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

import bounds
from bounds import privacy
from bounds.dp_zopo.columns import TAIL, Plan, Schedule
from bounds.dp_zopo.stages import distance_bound, growth_bound, growth_cost, mean_gap_bound, second_moment
from bounds.privacy.accounting import RESOLVED, of_means
from bounds.privacy.release import Release
from bounds.validate import non_negative, one_of, positive, positive_integer, short_repr, validated_strictly, whole_number

METHODS = ("dp_zoo", "dp_zoso", "dp_zopo")
LONGEST, MOST_STAGES = 2**50, 40  # steps: as good as infinitely many
MOST_HALVES = 6  # stages of which each forgets its start: more do not help
RATES_OF_START = np.geomspace(0.1, 1000, 100)  # of 4 mu eta T, that are tried: a run forgets its start like exp of minus half of it
LARGEST = 1e150  # of a constant of the problem: squares of larger ones overflow
SHARE, SLACK, C_2 = 0.1, 1.1, math.sqrt(2)
ROUNDED, EPS = 1 + 1e-9, 1e-15  # of a bound; of 1 - tau - rho/(4 mu), which a bound is divided by
CONSTANTS = ("L", "growth_mu", "radius", "gap", "weak", "sample_spread", "d")
Found = list[tuple[Any, Any]]  # eta and beta of each stage


def split_steps(T: int, S: int) -> tuple[int, ...]:
    """Return the steps of each of S stages, (S,) integers that double and add up to T."""
    parts = [(2 * T * 2**s + 2**S - 1) // (2 * (2**S - 1)) for s in range(S - 1)]
    return (*parts, T - sum(parts))


@dataclass(frozen=True)
class Problem:
    """A problem in the glossary's letters: d tuned coordinates, a ball of diameter D, P directions, batches of m.

    suffix   whether a stage passes on the mean of the last half of its iterates, not of all
    """

    n: int
    d: float
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
    suffix: bool = False

    def sigma(self, T: int, C: float, m: int) -> float:
        """Return a sufficient standard deviation of the noise on the mean over m samples, along each direction."""
        return self.release(T, C, m).calibrate_noise(self.epsilon, self.delta).sigma

    def release(self, T: int, C: float, m: int, sigma: float | None = None) -> Release:
        """Return the release of T steps over batches of m samples, P clipped scalars each."""
        return of_means(self.n, m, C, T, "full" if m == self.n else "without_replacement", sigma=sigma, P=self.P)

    def bound_after(self, steps: Sequence[int], C: Any, sigma: Any, run: Found | None = None) -> tuple[Any, Found]:
        """Return the gap bound after all stages (sharp_suffix if `suffix`, else sharp_growth) and (eta, beta) of each; arrays broadcast."""
        V, mu, rho, found = second_moment(self.d, self.L, self.P, sigma), self.mu, self.rho, list[tuple[Any, Any]]()
        B_C = np.asarray(self.L * np.frompyfunc(math.erfc, 1, 1)(C / (math.sqrt(2) * self.L)), dtype=float)
        at, gap, room = {"V": V, "d": self.d, "L": self.L, "mu": mu, "rho": rho}, self.gap + 0 * B_C, max(0.0, 4 * mu - rho) / (4 * mu)
        for s, T in enumerate(steps):
            if self.suffix and room > 0:
                gap, one = self.suffix_bound(gap, T, V, B_C, room, run[s] if run else None)
                found.append(one)
                continue
            before = np.minimum(gap, 2 * mu * self.D**2)
            eta = np.sqrt(before / (2 * mu * (T + 1) * V))
            eta, beta = run[s] if run else (eta, 0.005 * eta * V / (self.L * math.sqrt(self.d)))
            cost, clip = growth_cost(before, eta, T, beta, **at), (1 + 1 / T) * B_C**2 / (8 * mu)
            tau = np.maximum(room * clip / (np.sqrt(clip**2 + room * cost * clip) + clip + 1e-300), 1e-150)  # at most room/2
            bound = growth_bound(cost, T, tau, B_C, mu, rho) * (ROUNDED + EPS / (room - tau)) if room > 0 else np.inf
            gap = np.minimum(bound, self.L * self.D) + 0 * B_C
            found.append((eta, beta))
        return gap, found

    def suffix_bound(self, gap: Any, steps: int, V: Any, B_C: Any, room: float, run: tuple[Any, Any] | None) -> tuple[Any, tuple[Any, Any]]:
        """Return the gap bound after one stage by sharp_suffix, and its (eta, beta)."""
        mu, rho, T, before = self.mu, self.rho, max(1, round(TAIL * steps)), np.minimum(gap, 2 * self.mu * self.D**2)
        b, tried = steps - T + 1, np.reshape(RATES_OF_START, (-1, *(1 for _ in B_C.shape)))
        eta = tried / (4 * mu * room * steps)
        eta, beta = run or (eta, 0.005 * eta * V / (self.L * math.sqrt(self.d)))
        each, clip = eta * V / 2 + self.L * beta * math.sqrt(self.d) + rho * beta**2 * self.d / 2, B_C**2 / (8 * mu)

        def bounded(tau: Any, each: Any) -> Any:
            taken = 4 * mu * eta * (room - tau)
            left = np.exp(b * np.log1p(-np.minimum(taken, 1 - 1e-16)))
            found = mean_gap_bound(distance_bound(before, left, taken, 2 * eta * each, mu), each, eta, T, tau, mu, rho)
            return np.where(taken <= 1, found * (ROUNDED + EPS / (room - tau)), np.inf)

        cost = bounded(0.0, each) * room * 4 * mu / (4 * mu + rho)  # besides clipping; tau as if it stood under that alone
        tau = np.maximum(room * clip / (np.sqrt(clip**2 + room * cost * clip) + clip + 1e-300), 1e-150)
        if run is None:
            bound = bounded(tau, each + clip / tau)
            best = np.expand_dims(np.argmin(bound, axis=0), 0)
            bound, eta, beta = (np.take_along_axis(np.broadcast_to(one, bound.shape), best, 0)[0] for one in (bound, eta, beta))
        else:
            near, exact = math.log(room / float(tau) - 1), {"method": "bounded", "options": {"xatol": 1e-9}}

            def at(u: float) -> float:
                return float(bounded(room / (1 + math.exp(u)), each + clip * (1 + math.exp(u)) / room))

            share = room / (1 + math.exp(minimize_scalar(at, bounds=(near - 5, near + 5), **exact).x))
            bound = np.fmin(bounded(tau, each + clip / tau), bounded(share, each + clip / share))
        return np.minimum(bound, self.L * self.D) + 0 * B_C, (eta, beta)

    def best_stages(self, T: int, S: int | None, Cs: Any, rate: float) -> tuple[float, int, float, Found]:
        """Return (bound, S, C, [(eta, beta), ...]) of least bound at T steps and sigma = rate C sqrt(T); S is least within 2 %."""
        tried = [S] if S else range(1, min(MOST_HALVES if self.suffix else MOST_STAGES, (T + 1).bit_length() - 1) + 1)
        all_of = {S: self.bound_after(split_steps(T, S), Cs, rate * Cs * math.sqrt(T))[0] for S in tried}
        least = min(float(np.min(one)) for one in all_of.values())
        S = next(S for S, one in all_of.items() if np.min(one) <= 1.02 * least)
        C = float(Cs[int(np.argmin(all_of[S]))])
        gap, found = self.bound_after(split_steps(T, S), C, rate * C * math.sqrt(T))
        return float(gap), S, C, found


@validated_strictly
def recommend(
    method: str, *, n: float, d: float, epsilon: float, delta: float, L: float, growth_mu: float, radius: float, gap: float,
    weak: float = 0.0, sample_spread: float | None = None, stages: int | None = None, P: int = 1, batch_size: int | None = None,
    target: float | None = None, rates: float = 1.0, T_max: int | None = None, ell: float | None = None, r: float | None = None,
) -> Plan:  # fmt: skip
    """Return printed, repaired and sharp parameters of DP-ZOSO, of a single stage ("dp_zoo"), or of DP-ZOPO, for one problem.

    growth_mu       mu of f - f^* >= 2 mu |x - x^*|^2 on the ball;   radius   of the ball;   gap   f - f^* at the start
    weak            rho, of weak convexity;   sample_spread   gamma; None: L, which it never exceeds
    stages, P       number of stages of the sharp variant, None: as many as help; directions of a step
    batch_size      samples of a batch, drawn without replacement; None: all n
    target          accuracy of the printed and the repaired variant; None: what the sharp one certifies, and the least that is reached
    rates           fraction of the coordinates that DP-ZOPO tunes, by one mask;   T_max   most steps of the last variants
    ell, r          smoothness and effective rank: with them a caveat compares with the guarantee of DPZero's sharp plan
    Raises ValueError for values that are not allowed.
    """
    one_of(METHODS, method=method)
    whole_number(n=n, d=d)
    positive(epsilon=epsilon, L=L, growth_mu=growth_mu, radius=radius, gap=gap, rates=rates)
    non_negative(weak=weak)
    positive_integer(P=P, batch_size=int(n) if batch_size is None else batch_size)
    S = 1 if method == "dp_zoo" and stages is None else stages
    positive_integer(**{name: one for name, one in {"stages": S, "T_max": T_max}.items() if one is not None})
    positive(**{name: one for name, one in {"target": target, "sample_spread": sample_spread}.items() if one is not None})
    if max(L, growth_mu, radius, gap, target or 0.0, sample_spread or 0.0) > LARGEST:
        raise OverflowError  # the message that users see names the numbers that are too extreme
    m, gamma = batch_size or int(n), sample_spread or L
    steps = T_max or (LONGEST if m == n else RESOLVED)
    for wrong, said in (
        (method == "dp_zoo" and S != 1, f"stages = {short_repr(S)}: dp_zoo has one stage; use dp_zoso for several"),
        (
            (S or 1) > min(MOST_STAGES, (steps + 1).bit_length() - 1),
            f"stages = {short_repr(S)}: so many stages, each twice as long as the one before, do not fit into {steps} steps; "
            f"at most {min(MOST_STAGES, (steps + 1).bit_length() - 1)} are possible",
        ),
        (m > n, f"batch_size = {short_repr(m)}: at most n = {n:g} is needed"),
        (
            rates > (1 if method == "dp_zopo" else rates) or (rates != 1 and method != "dp_zopo"),
            f"rates = {rates:g}: at most 1 is needed, and only dp_zopo takes a value below 1",
        ),
        ((ell is None) != (r is None), f"ell = {ell}, r = {r}: give both or neither"),
        (gap > 2 * L * radius, f"gap = {gap:g}: at most 2 L radius = {2 * L * radius:g} is possible for an L-Lipschitz loss on the ball"),
    ):
        if wrong:
            raise ValueError(said)
    at = Problem(int(n), float(math.ceil(rates * d)), epsilon, delta, L, growth_mu, weak, gamma, 2 * radius, gap, P, m)
    problem = dict(zip(CONSTANTS, (L, growth_mu, radius, gap, weak, gamma, d), strict=True))
    shared = {"method": method, "rates": rates, "n": int(n), "radius": radius, "P": P, "batch_size": m, "constants": problem}
    measure = bounds.THEOREMS["dp_zopo.sharp_growth"].measure
    shared |= {
        "measure": measure if rates == 1 else f"{measure} on the tuned coordinates",
        "sampling": "full" if m == n else "without_replacement",
    }
    sharp = min((_sharp_variant(one, S, steps, shared) for one in (at, replace(at, suffix=True))), key=lambda found: found.certified)
    aim = max(target or min(sharp.certified, gap / 2), gap / 2 if method == "dp_zoo" else 0.0)  # one stage halves the gap
    variants = {
        "printed": _printed_variant(at, aim, shared, d),
        "repaired": _repaired_variant(at, S, target, steps, shared),
        "sharp": sharp,
    }
    standing = [*_common_caveats(at, method, sharp.output), *([] if ell is None or r is None else [_compare_dpzero(at, d, ell, r)])]
    made: dict[str, Any] = {name: replace(one, caveats=(*one.caveats, *standing)) for name, one in variants.items()}
    problem = {"n": n, "epsilon": epsilon, "delta": delta, **problem, "directions": P, "minibatch": m, "tuned": rates}
    return Plan(method, problem, **made, caveats=(*(text for one in variants.values() for text in one.caveats), *standing))


def _variant(at: Problem, run: Mapping[str, Any], shared: Mapping[str, Any], *caveats: str, **more: Any) -> Schedule:
    """Return the variant (`Schedule`) with parameters `run`, and a caveat if its bound is not below the trivial bound."""
    if more["certified"] >= (trivial := at.L * at.D):
        said = f"{more['theorem']} certifies nothing here: its bound is not below the trivial bound, L times the diameter = {trivial:.4g}."
        caveats = (*caveats, said)
    ratio = at.m * run["sigma"] / run["C"]
    released = None if math.isnan(run["sigma"]) else at.release(run["T"], run["C"], at.m, run["sigma"])
    more |= {"certified": min(trivial, more["certified"]), "noise_ratio": ratio, "release": released}
    return Schedule(**shared, **run, **more, caveats=caveats)


def _empty_variant(at: Problem, C: float, S: int, shared: Mapping[str, Any], theorem: str, *caveats: str) -> Schedule:
    """Return a variant without a schedule (alpha, lam and sigma are nan, T is 0), which certifies nothing."""
    run: dict[str, Any] = {"alpha": (math.nan,), "T": 0, "lam": (math.nan,), "stages": S, "C": C, "sigma": math.nan, "anchor": None}
    return _variant(at, run, shared, *caveats, theorem=theorem, bound=math.inf, certified=math.inf, private=False)


def _sharp_variant(at: Problem, S: int | None, T_max: int, shared: Mapping[str, Any]) -> Schedule:
    """Return the sharp variant, with the fewest steps whose bound is within SHARE of that of T_max."""
    coarse, rate = at.L * np.geomspace(0.7, 6, 40), at.sigma(1, 1.0, at.n)
    enough, low, high = (1 + SHARE) * at.best_stages(T_max, S, coarse, rate)[0], math.log(2 ** (S or 1) - 1), math.log(T_max)
    while high - low > 0.02:
        middle = (low + high) / 2
        low, high = (low, middle) if at.best_stages(math.ceil(math.exp(middle)), S, coarse, rate)[0] <= enough else (middle, high)
    T = min(T_max, math.ceil(math.exp(high)))
    rate = at.sigma(T, 1.0, at.m) / math.sqrt(T)
    C = at.best_stages(T, S, coarse, rate)[2]
    _, number, C, found = at.best_stages(T, S, np.geomspace(C / 1.06, C * 1.06, 25), rate)
    alpha, lam = (tuple(float(one) for one in column) for column in zip(*found, strict=True))
    run: dict[str, Any] = {"alpha": alpha, "lam": lam, "T": T, "stages": number, "C": C, "sigma": rate * C * math.sqrt(T) * ROUNDED}
    proved = certified_bound(at, **run)
    theorem, output = ("sharp_suffix", "suffix") if at.suffix else ("sharp_growth", "average")
    more: dict[str, Any] = {"theorem": f"dp_zopo.{theorem}", "output": output, "private": True}
    return _variant(at, run | {"anchor": None}, shared, bound=proved, certified=proved, **more)


def certified_bound(at: Problem, *, alpha: Sequence[float], lam: Sequence[float], T: int, stages: int, C: float, sigma: float) -> float:
    """Return the bound that sharp_growth or sharp_suffix proves at a schedule without a regulariser."""
    return float(at.bound_after(split_steps(T, stages), C, sigma, list(zip(alpha, lam, strict=True)))[0])


def _repaired_variant(at: Problem, S: int | None, target: float | None, T_max: int, shared: Mapping[str, Any]) -> Schedule:
    """Return the repaired variant, where T solves E = E_0 + e T of corrected Theorem 2; by default at the least accuracy with a T."""
    theorem, of_error = bounds.THEOREMS["dp_zopo.corrected_theorem2"], bounds.THEOREMS["dp_zopo.corrected_gradient_error"]
    letters: dict[str, float] = {"d": at.d, "L": at.L, "directions": at.P, "minibatch": at.m, "sample_spread": at.gamma, "n": at.n}
    spare = 1.02 if at.m == at.n else 1.3  # steps beyond those needed, for noise that full batches do not have

    def needed(accuracy: float) -> tuple[float, int, float, float]:
        number = S or max(1, math.ceil(math.log2(at.gap / accuracy)))
        C = at.L * math.sqrt(2 * math.log(max(math.e, 8 * at.L * at.D / accuracy)))
        start = max(of_error.evaluate(**letters, C=C, noise_ratio=1e-30).bound, cap)
        times = 32 * (2 - 2.0 ** (1 - number)) / (3 * at.mu * accuracy)  # steps of all stages, over E
        left = 1 - at.d * (rate * C) ** 2 / at.P * times
        return start * times / left if left > 0 else math.inf, number, C, times

    cap, rate = 6 * math.sqrt(2 * at.d / math.pi) * at.L**2, at.sigma(1, 1.0, at.n)  # a smaller E would give steps above the cap of Lemma 5
    low, high = math.log(at.gap / 2 ** (S or MOST_STAGES)), math.log(at.gap / 2)
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (low, middle) if needed(math.exp(middle))[0] * spare <= T_max else (middle, high)
    accuracy = target or min(at.gap / 2, SLACK * math.exp(high))
    steps, number, C, times = needed(accuracy)
    T = math.ceil(min(steps, 2 * T_max) * spare) + number
    sigma = at.sigma(T, C, at.m) if T <= T_max else math.inf
    E = max(cap, of_error.evaluate(**letters, C=C, noise_ratio=at.m * sigma / C).bound) if T <= T_max else math.inf
    if E * times > T or at.rho > at.mu / 4:
        why = f"Theorem 2 corrected has no schedule of at most {T_max} steps for the accuracy {accuracy:.4g}, or rho is above mu/4."
        return _empty_variant(at, C, number, shared, theorem.key, why)
    aims, gap = [accuracy * 2.0 ** (number - s) for s in range(1, number + 1)], at.gap
    lam, alpha = tuple(aim / (16 * at.L * math.sqrt(at.d)) for aim in aims), tuple(3 * aim / (8 * E) for aim in aims)
    run = {"alpha": alpha, "lam": lam, "T": T, "stages": number, "C": C, "sigma": sigma, "anchor": 4 / at.mu}
    known = {"d": at.d, "L": at.L, "weak": at.rho, "growth_mu": at.mu, "diameter": at.D, "C": C, "error_cap": E, "anchor": 4 / at.mu}
    for T_s, eta, beta in zip(split_steps(T, number), alpha, lam, strict=True):
        gap = theorem.bound_at(**known, gap_before=gap, stage_step=eta, stage_T=T_s, stage_lam=beta) * ROUNDED
    return _variant(at, run, shared, theorem=theorem.key, bound=accuracy, certified=gap, private=True)


def _printed_variant(at: Problem, target: float, shared: Mapping[str, Any], d: float) -> Schedule:
    """Return the printed variant (Theorem 2 or 4) at the T that its own formula requires, or without a schedule if no T does."""
    theorem = bounds.THEOREMS["dp_zopo.theorem4" if shared["method"] == "dp_zopo" else "dp_zopo.theorem2"]
    C, S = math.sqrt(2) * at.L, max(1, math.ceil(math.log2(at.gap / target)))
    values: dict[str, float] = {"n": at.n, "d": d, "epsilon": at.epsilon, "delta": at.delta, "L": at.L, "growth_mu": at.mu, "C": C}
    values |= {"sample_spread": at.gamma, "minibatch": at.m, "directions": at.P, "c_noise": C_2, "tuned": shared["rates"]}
    values |= {"target": target, "target_0": at.gap, "stage_target": at.gap / 2**S}

    def schedule(T: float, lam: float) -> tuple[float, float]:
        found = theorem.evaluate(**values, T=max(1.0, T), last_lam=lam).schedule
        return found["stage_T"] * (2 - 2.0 ** (1 - S)), found["stage_step"]

    beta = math.sqrt(d) * at.L * schedule(1.0, 1e-30)[1] * 2 ** (S - 1)
    T, step = schedule(1.0, beta) if beta > 0 else (math.inf, 0.0)
    if not math.isfinite(T):
        raise OverflowError  # the message that users see names the numbers that are too extreme
    false = (
        "Theorems 2 and 4 are false as printed, on a ball too, so nothing is certified at their parameters. The paper gives no value for "
        "c_2; sqrt(2) is used here. For lam, the smallest value that Lemma 5 allows in the first stage is used."
    )
    if schedule(T, beta)[0] > ROUNDED * T:
        why = (
            "The printed T stands on both sides of its own formula, and here no T satisfies it: the noise does not allow the accuracy "
            f"{target:.4g}."
        )
        return _empty_variant(at, C, S, shared, theorem.key, false, why)
    whole = math.ceil(T) + S
    sigma = C_2 * at.P * C * math.sqrt(whole * math.log(at.P / at.delta)) / (at.epsilon * at.n)
    run = {"alpha": tuple(step * 2.0 ** (S - s) for s in range(1, S + 1)), "lam": (beta,) * S, "T": whole, "stages": S, "C": C}
    if not math.isfinite(sigma):
        raise OverflowError
    run |= {"sigma": sigma, "anchor": 7 / (2 * at.mu)}
    spends = at.release(whole, C, at.m, sigma).epsilon(at.delta)
    said = f"The printed sigma is not shown to be private where a record is replaced: our accountant finds epsilon = {spends:.4g}."
    more = [] if spends <= at.epsilon else [said]
    return _variant(at, run, shared, false, *more, theorem=theorem.key, bound=target, certified=math.inf, private=not more)


def _compare_dpzero(at: Problem, d: float, ell: float, r: float) -> str:
    """Return a sentence with the guarantee of DPZero's sharp plan for the same problem."""
    from bounds.dpzero.recommend import recommend as of_dpzero  # here: its pages are needed only for this sentence

    asked: dict[str, Any] = {"n": at.n, "d": d, "r": r, "epsilon": at.epsilon, "delta": at.delta, "L": at.L, "ell": ell, "gap": at.gap}
    found = of_dpzero("dpzero", **asked, T_max=None).sharp.certified
    return (
        f"For comparison, if the loss is convex and ell-smooth with effective rank r on all of R^d: DPZero with the same epsilon and delta "
        f"certifies {found:.4g} for the mean squared gradient. By growth that is {found / (2 * at.mu):.4g} for the gap, at iterates in the "
        "ball."
    )


def _common_caveats(at: Problem, method: str, output: str) -> list[str]:
    """Return the caveats of all DP-ZOPO variants: growth on a ball, public constants, the mask, batches, and a large delta."""
    said = [
        "Growth is assumed on the ball only, because on all of R^d it contradicts L-Lipschitz losses. Each step is projected on the ball. "
        f"A stage returns the mean of its iterates{', in the sharp variant of their last half' if output == 'suffix' else ''}. "
        "Algorithm 2 of the paper does neither.",
        "L, growth_mu, gap and sample_spread must be public. Values that are computed from the private data are not covered by epsilon, "
        "delta.",
    ]
    if method == "dp_zopo":
        said.append(
            "Bounds are for the loss on the coordinates of one static 0/1 mask. growth_mu and gap must hold for that loss; those of the "
            "whole loss do not imply it. How far its least value is from that over all coordinates is not known. No theorem covers masks "
            "that change from stage to stage."
        )
    if at.m < at.n:
        said.append(
            f"Batches of m = {at.m} samples are drawn without replacement, afresh in each step, and a sum is divided by m. n and m are "
            "public constants; sigma of the repaired and the sharp variant is calibrated to them. At most "
            f"{RESOLVED:,} steps are taken unless T_max gives another number."
        )
    remark = privacy.delta_remark(at.delta, at.n)
    return [*said, *([f"{remark}."] if remark else [])]
