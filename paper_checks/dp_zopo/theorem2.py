"""Theorem 2 = Theorem 5: its proof step by step, its hypotheses, all stages on a ball, and what the stages gain.

On the ball |theta| <= 1 the losses are a_x theta + 0.05 theta^2, a = 1 on 30 % of the samples and -3/7 on the others, d = 1: L = 1.1,
theta^* = 0 for every radius, mu = 0.1/4, gamma^2 = 3/7, F - F^* = 0.05 at the start. Every quotient is (a + 0.1 theta) v, whatever beta is.
"""

import math
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from scipy import optimize, special

import bounds
from bounds.proofs.inequalities import is_zero
from paper_checks.compare import LEVEL, mean_interval
from paper_checks.dp_zopo import printed as p
from paper_checks.dp_zopo.lemma5 import noise_deviation
from paper_checks.record import Record
from paper_checks.shared.findings import ROUNDING, check_condition
from paper_checks.shared.formulas import evaluate_formula
from paper_checks.verdict import Finding

CURVE, L, SLOPES = 0.1, 1.1, ((0.3, 1.0), (0.7, -3 / 7))
AT = {"d": 1.0, "L": L, "C": math.sqrt(2) * L, "growth_mu": CURVE / 4, "sample_spread": math.sqrt(3 / 7), "directions": 1.0}
# epsilon <= m^2 T/n^2 for the T of three stages and more, as Theorem 1 assumes
AT |= {"last_lam": 0.27, "minibatch": 200.0, "n": 1e4, "epsilon": 2.0, "delta": 1e-4, "c_noise": 1.0}
BALL: dict[str, Any] = {f"a on {share:.0%} of the samples": str(Fraction(a).limit_denominator(7)) for share, a in SLOPES}
BALL |= {"F": f"mean a theta + {CURVE / 2:g} theta^2", "|theta| at most": 1, "theta^0": 1, "alpha_0": CURVE / 2}


def check_transcription() -> Finding:
    """Check that Lemmas 5 and 8 and Theorems 2 and 4 of the theory are the printed formulas, by algebra; return a Finding."""
    held = {name: bounds.THEOREMS[f"dp_zopo.{name}"] for name in ("lemma5", "lemma8", "theorem2", "theorem4")}
    pairs = {"(33)": (held["lemma5"].bound, p.FORMULAS["equation_33"]), "(48)": (held["lemma8"].bound, p.FORMULAS["equation_48"])}
    for name, dim in (("theorem2", p.d), ("theorem4", p.d * p.r)):
        one, there = held[name], {p.d: dim}
        entries = [entry.xreplace(there) for entry in p.FORMULAS.of("entries_of_step").values()]
        (largest,) = one.schedule["stage_step"].atoms(sp.Max)
        given = [one.schedule["stage_step"].xreplace({largest: term}) for term in largest.args]
        for i, entry in enumerate(entries):
            match = next((one for one in given if is_zero(one - p.alpha_s * entry)), sp.Integer(0))
            pairs |= {f"{name}: entry {i + 1} of eta_s": (match, p.alpha_s * entry)}
        pairs |= {f"{name}: lambda": (one.schedule["anchor"], p.FORMULAS["anchor_weight"]), f"{name}: alpha": (one.bound, p.alpha)}
        pairs |= {f"{name}: eta_s T_s": (one.schedule["stage_T"] * p.eta, p.FORMULAS["step_times_T"])}
        complexity = next(part.value for part in one.parts if part.name == "complexity")
        pairs |= {f"{name}: complexity": (complexity, p.FORMULAS["order"].xreplace(there))}
    return p.compare_transcriptions(pairs)


def printed_schedule(S: int, C: float) -> list[tuple[float, float, int]]:
    """Return (alpha_s, eta_s, T_s) of each of S stages as printed, alpha_0 = 0.05, at the T that is the sum of all T_s."""

    def stages(T: int) -> list[tuple[float, float, int]]:
        """Return the schedule for a given total number of steps T."""
        at = {**AT, "C": C, "T": T}
        entry = min(evaluate_formula(one, at) for one in p.FORMULAS.of("entries_of_step").values())
        eta_T = evaluate_formula(p.FORMULAS["step_times_T"], at)
        return [(target, target * entry, math.ceil(eta_T / (target * entry))) for target in (0.05 / 2**s for s in range(1, S + 1))]

    T = 1
    while (total := total_steps(stages(T))) != T:
        T = total
    return stages(T)


def total_steps(stages: list[tuple[float, float, int]]) -> int:
    """Return the total number of steps T of all stages of a schedule."""
    return sum(steps for _, _, steps in stages)


def clipped_slope(theta: float, C: float) -> float:
    """Return the mean of the clipped gradient estimate at theta for threshold C; that of clip(a v) v is a P(|a v| <= C)."""
    slopes = [(share, a + CURVE * theta) for share, a in SLOPES]
    return sum(share * a * float(special.erf(C / (abs(a) * math.sqrt(2)))) for share, a in slopes)


def check_clipped_minimum(*, C: float) -> Finding:
    """Check that the clipped estimate has mean 0 at the minimum theta = 0, by solving for its root; return a Finding."""
    found = float(optimize.brentq(lambda x: clipped_slope(x, C), -0.9, 0.9, xtol=1e-14))
    gap = CURVE / 2 * found**2
    numbers = {"C": C, "theta": found, "F - F^*": gap, "mean of the estimate at 0": clipped_slope(0.0, C)}
    return check_condition(abs(found) < 1e-9, f"the mean of the estimate is 0 at theta = {found:.4g}, where F - F^* is {gap:.4g}", numbers)


@cache
def simulate_gaps(S: int, C: float, output: str, update: str, replicates: int, seed: int) -> NDArray[np.float64]:
    """Return F(theta^s) - F^* after every stage of every run, (S, replicates), by exact simulation of batches.

    The number of slopes 1 in a batch is hypergeometric.
    """
    rng, theta, found = np.random.default_rng(seed), np.ones(replicates), []
    anchor, m, n = evaluate_formula(p.FORMULAS["anchor_weight"], AT), int(AT["minibatch"]), int(AT["n"])
    stages, steep_ones = printed_schedule(S, C), round(SLOPES[0][0] * n)
    noise = noise_deviation({**AT, "C": C, "T": total_steps(stages)})
    for _, eta, T in stages:
        start, total, pull = theta.copy(), np.zeros(replicates), eta / anchor
        for _ in range(T):
            v, z = rng.standard_normal((2, replicates))
            bent, share = CURVE * theta, rng.hypergeometric(steep_ones, n - steep_ones, m, replicates) / m
            steep, flat = (np.clip((a + bent) * v, -C, C) for _, a in SLOPES)
            g = (share * steep + (1 - share) * flat + noise * z) * v
            moved = (theta - eta * g + pull * start) / (1 + pull) if update == "proximal" else theta - eta * g - pull * (theta - start)
            theta = np.clip(moved, -1, 1)
            total += theta
        theta = total / T if output == "average" else theta
        found.append(CURVE / 2 * theta**2)
    return np.array(found)


def check_ball_runs(*, S: int, C: float, output: str, update: str, replicates: int, seed: int) -> Finding:
    """Check that runs with the printed parameters have a mean gap of at most alpha_S after the last stage; return a Finding."""
    stages, found = printed_schedule(S, C), simulate_gaps(S, C, output, update, replicates, seed)
    target, (low, high) = stages[-1][0], mean_interval(found[-1], CURVE / 2)
    numbers = {"alpha_S": target, "mean gap from": low, "to": high, "runs": replicates, "S": S, "C": C, "T_S": stages[-1][2]}
    numbers |= {f"mean gap after stage {s + 1}": float(one.mean()) for s, one in enumerate(found)}
    record = Record(numbers, seed=seed, false_alarm=LEVEL)
    words = f"after {S} stages the mean gap is {found[-1].mean():.3g}, and alpha_S is {target:.3g}"
    if low > target:
        at = {**BALL, **p.SPELLING.spell_keys(AT), "T": total_steps(stages), "theta^s": output, "update": update, **numbers}
        record.refute(words, at)
    if high > target:
        record.leave_open(f"{words}; more runs would settle it")
    return record.conclude(words)


def check_smoothed_minimum(*, radii: tuple[float, ...], mu: float) -> Finding:
    """Check that the smoothed max(x, -2 x) has its minimum at one point for all `radii`, by its derivative; return a Finding."""
    slope = {radius: partial(lambda x, r: 1.5 * special.erf(x / (r * math.sqrt(2))) - 0.5, r=radius) for radius in radii}
    least = {radius: float(optimize.brentq(one, -radius, radius, xtol=1e-15)) for radius, one in slope.items()}
    numbers = {f"least at, beta = {radius:g}": x for radius, x in least.items()}
    ratios = {x / radius for radius, x in least.items()}
    numbers |= {"over beta": max(ratios), "2 L sqrt(d) (beta + beta')": 4 * sum(radii), "mu": mu}
    one = math.isclose(max(least.values()), min(least.values()), rel_tol=ROUNDING)
    return check_condition(one, f"theta^* is {max(ratios):.4f} beta, another for every radius", numbers)


def check_step_cap(*, beta: float, d: float, slope: float, rate: float) -> Finding:
    """Check that a learning rate of the experiments is at most the largest step size that Lemma 5 allows; return a Finding."""
    printed, sharp = beta / (math.sqrt(d) * slope), math.sqrt(math.pi / 2) * beta / slope
    numbers = {"cap": printed, "with sqrt(2/pi) L/beta": sharp, "learning rate": rate, "beta": beta, "d": d, "L": slope}
    words = f"the cap is {printed:.2g}, {sharp:.2g} with the sharp constant, and the learning rate {rate:.2g}"
    return check_condition(rate <= printed, words, numbers)


def check_hypotheses(*, letter: str, value: float, words: str) -> Finding:
    """Check that Theorem 2, on the ball with `letter` set to `value`, has no caveat with `words` in it; return a Finding."""
    at = {**AT, "target_0": 0.05, "target": 0.01, "stage_target": 0.025, "weak": 0.0, "stage_lam": 0.2, letter: value}
    theorem = bounds.THEOREMS["dp_zopo.theorem2"]
    first = theorem.evaluate(**at, T=1.0).schedule  # the noise has no part in T_1 here
    at |= {"T": float(sum(math.ceil(first["stage_T"] * 2**s) for s in range(int(first["stages"]))))}
    found = theorem.evaluate(**at)
    caveat = next((one for one in found.caveats if words in one), "")
    numbers = p.SPELLING.spell_keys({**at, **found.schedule})
    return check_condition(not caveat, caveat or "all of it is met", {**numbers, "caveat": caveat} if caveat else numbers)


def quadratic_loss(steps: tuple[tuple[float, int], ...], *, tail: int, average: bool, anchor: float) -> float:
    """Return the exact E F at the output of stages (eta, T), F = |theta|^2/2 in d = 50, from |theta| = 5.

    Noise on each scalar has deviation 1: moments are linear in t. Each stage hands on its last iterate or, if `average`, the mean of its
    last `tail` iterates, of all for tail = 0.
    """
    d, size = 50, 25.0
    for eta, T in steps:
        a = eta / anchor
        first = T - tail if tail else 0
        now, to_start, start = size, size, size  # E of |theta|^2, theta'start, |start|^2
        total, across, sum_start = 0.0, 0.0, 0.0  # E of |sum|^2, theta'sum, start'sum
        for t in range(T):
            mixed = (1 - a) * now + a * to_start  # theta'((1 - a) theta + a start)
            kept = (1 - a) ** 2 * now + 2 * a * (1 - a) * to_start + a**2 * start
            across = (1 - a - eta) * across + a * sum_start
            now = kept - 2 * eta * mixed + eta**2 * ((d + 2) * now + d)
            to_start = (1 - a - eta) * to_start + a * start
            if t >= first:
                total, across, sum_start = total + 2 * across + now, across + now, sum_start + to_start
        size = total / (T - first) ** 2 if average else now
    return size / 2


def check_stage_gain(*, anchor: float) -> Finding:
    """Check that three stages beat constant steps averaged over the last 4000 by 1.25, exactly on a quadratic; return a Finding."""
    runs: dict[str, Any] = {"stages": ((0.008, 1000), (0.004, 2000), (0.002, 4000))}
    runs |= {f"constant {eta}": ((eta, 7000),) for eta in (0.004, 0.002)}
    found = {}
    for output, tail in (("average", 0), ("last", 0), ("average of the last 4000", 4000)):
        for name in [*runs][bool(tail) :]:  # stages have no mean of the last 4000
            pull = anchor if name == "stages" else math.inf
            found[f"{name}, {output}"] = quadratic_loss(runs[name], tail=tail, average=output != "last", anchor=pull)
    best = min(value for name, value in found.items() if "4000" in name)
    three, constant = (found[f"{name}, average"] for name in ("stages", "constant 0.004"))
    words = f"three stages {three:.4f}, a constant step {constant:.4f}, and {best:.4f} averaged over its last 4000"
    return check_condition(1.25 * three < best, words, {**found, "lambda": anchor})
