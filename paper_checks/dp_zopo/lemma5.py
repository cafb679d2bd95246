"""Lemma 5 = Lemma 7: its proof step by step, and one stage on linear losses, where iterates have exact means and variances.

The losses are a_x theta, d = 1, a = 1 on 30 % of the samples and -3/7 on the others: F = 0, L = 1, gamma^2 = 3/7. The clipped estimate does
not depend on theta, so that theta_{t+1} is linear in theta_t, and its mean settles at -lambda times the mean of the estimate.
"""

import math
from collections.abc import Mapping
from functools import cache

import sympy as sp
from scipy import integrate, special

from paper_checks.dp_zopo import printed as p
from paper_checks.record import Record
from paper_checks.shared.formulas import evaluate_formula
from paper_checks.verdict import Finding

SHARES = ((0.3, 1.0), (0.7, -3 / 7))  # of the samples, and their slopes
AT = {"d": 1.0, "L": 1.0, "minibatch": 64.0, "directions": 1.0, "n": 1e3, "epsilon": 8.0, "delta": 1e-3, "c_noise": 1.0, "away_first": 0.0}


def noise_deviation(at: Mapping[str, float]) -> float:
    """Return sigma C/m, the standard deviation of the noise of a direction, with sigma of (13) at the values `at`."""
    return at["C"] / at["minibatch"] * math.sqrt(evaluate_formula(p.FORMULAS.of("theorem1")["squared"], at))


@cache
def estimate_moments(C: float, noise: float) -> tuple[float, float]:
    """Return (mean, variance) of the gradient estimate: the mean of 64 independent clipped quotients a v times v, plus noise."""

    def second(v: float) -> float:
        """Return the second moment of the mean quotient along v, times v^2 and the normal density."""
        clipped = [(share, max(-C, min(C, a * v))) for share, a in SHARES]
        mean, square = (sum(share * g**k for share, g in clipped) for k in (1, 2))
        return v**2 * (mean**2 + (square - mean**2) / 64) * math.exp(-(v**2) / 2) / math.sqrt(2 * math.pi)

    edges = [C / abs(a) for _, a in SHARES if C / abs(a) < 12]
    mean = sum(share * a * float(special.erf(C / (abs(a) * math.sqrt(2)))) for share, a in SHARES)
    return mean, 2 * float(integrate.quad(second, 0, 12, points=edges, epsabs=1e-13)[0]) + noise**2 - mean**2


def check_stage_bound(*, anchor: float, eta: float, T: int, C: float, output: str, update: str, gamma: float) -> Finding:
    """Check that (33), the bound of Lemma 5 at theta = 0, holds after one stage from 0, by exact moments; return a Finding."""
    at = {**AT, "anchor": anchor, "stage_step": eta, "stage_T": T, "T": T, "C": C, "stage_lam": eta, "sample_spread": gamma}
    bound = evaluate_formula(p.FORMULAS["equation_33"], at)
    drift, variance = estimate_moments(C, noise_deviation(at))
    keep, step = (1 / (1 + eta / anchor), eta / (1 + eta / anchor)) if update == "proximal" else (1 - eta / anchor, eta)
    mean = spread = total = cross = square = 0.0  # E theta, Var theta, E sum of theta, Cov(theta, sum), Var sum
    for _ in range(T):
        mean, spread, cross = keep * mean - step * drift, keep**2 * spread + step**2 * variance, keep * cross
        total, square, cross = total + mean, square + 2 * cross + spread, cross + spread
    gap = (mean**2 + spread) / (2 * anchor) if output == "last" else (total**2 + square) / (2 * anchor * T**2)
    record = Record({"E phi - phi(0)": gap, "(33)": bound, "lambda b^2/2": (limit := anchor * drift**2 / 2), "b": drift})
    record.note({"eta": eta, "T_s": T, "lambda": anchor, "C": C})
    words = f"E[phi_s - phi_s(0)] is {gap:.4g}, and (33) has {bound:.3g}"
    if gap > bound:
        witness = {**p.SPELLING.spell_keys(at), **record.numbers}
        record.refute(f"{words}; it tends to lambda b^2/2 = {limit:.4g}, b = {drift:.4f}", witness)
    return record.conclude(words)


def check_single_run(*, n: float, epsilon: float, eta: float, anchor: float) -> Finding:
    """Check that no single run exceeds (33), by the exact probability for one noisy step on the loss 0; return a Finding.

    The step moves by z v, a product of two normal numbers.
    """
    at = {**AT, "anchor": anchor, "stage_step": eta, "stage_T": 1.0, "T": 1.0, "C": 1.0, "stage_lam": eta, "sample_spread": 0.0}
    at |= {"n": n, "epsilon": epsilon}
    bound, noise = evaluate_formula(p.FORMULAS["equation_33"], at), noise_deviation(at)
    least = math.sqrt(2 * anchor * bound) * (1 + eta / anchor) / (eta * noise)  # of |z v|
    chance = 2 / math.pi * float(integrate.quad(lambda t: float(special.k0(t)), least, math.inf)[0])
    record = Record({"(33)": bound, "probability above": chance, "noise": noise, "eta": eta, "lambda": anchor})
    if chance > 0:
        record.refute(f"one run in {1 / chance:.3g} is above (33)", {**p.SPELLING.spell_keys(at), **record.numbers})
    return record.conclude("no run is above")


def check_monotone_in_beta() -> Finding:
    """Check that (33) increases in beta, and no entry of Theorem 2's eta_s in beta_S, by derivatives; return a Finding."""
    slope = sp.diff(p.FORMULAS["equation_33"], p.beta)
    falls = [sp.diff(one, p.beta_S) for one in p.FORMULAS.of("entries_of_step").values()]
    record = Record()
    if not slope.is_positive or not all(one.is_nonpositive for one in falls):
        record.refute("it falls", {"derivative": str(slope)})
    return record.prove(f"its derivative is {p.SPELLING.expression_text(sp.factor(slope))}, and no entry of eta_s rises with beta_S")
