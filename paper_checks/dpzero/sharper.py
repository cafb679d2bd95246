"""Checks of our own theorems: DP-GD of Table 1 and the sharper theorems that replace the paper's, by proof and by exact means of runs."""

import math
from typing import Any

import numpy as np

import bounds
from bounds.moments import recursion as moments
from bounds.theorem import Theorem
from paper_checks.record import Record
from paper_checks.shared.proofs import SUPPORTED, check_proof
from paper_checks.shared.search import Cases, find_worst
from paper_checks.verdict import Finding


def check_proof_and_means(*, key: str, samples: int, runs: int, seed: int) -> Finding:
    """Check the proof of theorem `key`, and that exact means on random quadratics without clipping are below its bound; return a Finding.

    Without clipping the proofs use no Lipschitz constant, so a quadratic is a fair objective: its moments are exact. C is so large
    that the term of the bound for clipping is 0; the runs test all other terms.
    """
    if (finding := check_proof(key=key, samples=samples)).outcome not in SUPPORTED:
        return finding
    theorem = bounds.THEOREMS[key]
    found = find_worst(mean_to_bound_ratios(theorem, runs, np.random.default_rng(seed)))
    record = Record({**finding.numbers, "runs": found.tried, "largest exact mean / bound": found.value}, seed=seed)
    if found.value > 1 + 1e-9:
        record.refute(f"on a quadratic the exact mean is {found.value:.4g} times the bound of {theorem.title}", found.at)
    words = f"on {found.tried} quadratics without clipping the exact mean is at most {found.value:.3f} of the bound"
    sentence = f"{finding.sentence}; {words}"
    return record.conclude(sentence) if found.tried else record.leave_open(sentence)


def mean_to_bound_ratios(theorem: Theorem, runs: int, rng: np.random.Generator) -> Cases:
    """Yield (exact mean squared gradient norm / bound of `theorem`, parameters) for `runs` random quadratics, if the bound is finite."""
    for _ in range(runs):
        d = int(rng.choice([4, 5, 8, 30]))
        eigenvalues = np.sort(10.0 ** rng.uniform(-3, 0, d) if rng.random() < 0.5 else np.arange(1, d + 1) ** -rng.uniform(0, 3))[::-1]
        ell, r = float(eigenvalues[0]), float(eigenvalues.sum() / eigenvalues[0])
        offset = rng.normal(size=d) * (rng.random(d) < rng.uniform(0, 1)) * 10.0 ** rng.uniform(-2, 2)
        alpha, T = float(10.0 ** rng.uniform(-3, 0.3) / (ell * (r + 2))), int(10.0 ** rng.uniform(0, 2.5))
        schedule: dict[str, Any] = {"alpha": alpha, "T": T, "sigma": float(rng.uniform(0.001, 2))}
        values = {"n": 10.0, "d": d, "r": r, "ell": ell, "L": 1.0, "gap": float(eigenvalues @ offset**2) / 2}
        bound = theorem.bound_at(C=1e4, lam=1e-12, **schedule, **values)
        if math.isfinite(bound):
            path = moments.expected_grad_norm_sq(theorem.method or "dpzero", eigenvalues=eigenvalues, offset=offset, **schedule)
            reached = moments.at_output(path, "uniform")
            yield reached / bound, {**values, **schedule, "exact mean": reached, "bound": bound}
