"""Every proof as a whole: all steps of each derivation, and whether it ends at the bound that it is said to prove.

PROVED says that the statement follows by computer algebra alone; where a line of the chain, or of another chain whose lines it uses, is
cited or argued in words, no more than CONSISTENT is said.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

import bounds
from bounds import moments
from paper_checks.dpzero.privacy import log_excess
from paper_checks.steps import examine_steps
from paper_checks.verdict import Claim, Finding, Kind, Outcome


def chain(*, key: str, samples: int) -> Finding:
    """Examine all lines of a derivation, and whether it ends at the theorem that it proves."""
    return examine_steps(bounds.DERIVATIONS[key], samples=samples)


def chain_and_runs(*, key: str, samples: int, runs: int, seed: int) -> Finding:
    """Examine a chain as `chain` does, and compare its bound with exact means of runs that clip nothing.

    Without clipping the proofs use no Lipschitz constant, so a quadratic is a fair objective: its moments are exact. C is so large
    that what the bound adds for clipping is 0; the runs attack everything else in it.
    """
    finding = chain(key=key, samples=samples)
    if finding.outcome not in (Outcome.PROVED, Outcome.CONSISTENT):
        return finding
    theorem, rng = bounds.THEOREMS[key], np.random.default_rng(seed)
    worst, at, tried = 0.0, dict[str, Any](), 0
    for _ in range(runs):
        d = int(rng.choice([4, 5, 8, 30]))
        eigenvalues = np.sort(10.0 ** rng.uniform(-3, 0, d) if rng.random() < 0.5 else np.arange(1, d + 1) ** -rng.uniform(0, 3))[::-1]
        ell, r = float(eigenvalues[0]), float(eigenvalues.sum() / eigenvalues[0])
        offset = rng.normal(size=d) * (rng.random(d) < rng.uniform(0, 1)) * 10.0 ** rng.uniform(-2, 2)
        alpha, T, sigma = (
            float(10.0 ** rng.uniform(-3, 0.3) / (ell * (r + 2))),
            int(10.0 ** rng.uniform(0, 2.5)),
            float(rng.uniform(0.001, 2)),
        )
        values = {"n": 10.0, "d": d, "r": r, "ell": ell, "L": 1.0, "gap": float(eigenvalues @ offset**2) / 2}
        bound = theorem.bound_at(alpha=alpha, T=T, C=1e4, lam=1e-12, sigma=sigma, **values)
        if not math.isfinite(bound):
            continue
        path = moments.expected_grad_norm_sq(
            theorem.method or "dpzero", eigenvalues=eigenvalues, offset=offset, alpha=alpha, T=T, sigma=sigma
        )
        reached, tried = moments.at_output(path, "uniform"), tried + 1
        if reached > worst * bound:
            worst, at = reached / bound, {**values, "alpha": alpha, "T": T, "sigma": sigma, "exact mean": reached, "bound": bound}
    numbers = {**finding.numbers, "runs": tried, "largest exact mean / bound": worst}
    if worst > 1 + 1e-9:
        sentence = f"on a quadratic the exact mean is {worst:.4g} times the bound of {theorem.title}"
        return Finding(Outcome.REFUTED, sentence, numbers, at, seed=seed)
    sentence = f"{finding.sentence}; on {tried} quadratics without clipping the exact mean is at most {worst:.3f} of the bound"
    outcome = Outcome.CONSISTENT if tried else Outcome.INCONCLUSIVE
    return Finding(outcome, sentence, numbers, seed=seed)


def safe_region(*, key: str, samples: int, points: int) -> Finding:
    """Examine the proof of the safe region of Lemma 2.2, and the exact privacy curve over that region, its edge included."""
    finding = examine_steps(bounds.DERIVATIONS[key], samples=samples)
    if finding.outcome not in (Outcome.PROVED, Outcome.CONSISTENT):
        return finding
    worst, at, tried = -math.inf, (0.0, 0.0), 0
    for i in range(points):
        delta = 0.999 * 10.0 ** (-14 * (i / (points - 1)) ** 2)
        edge = largest_epsilon(delta)
        for k in range(points):
            epsilon = edge * 10.0 ** (-6 * k / (points - 1))
            excess = log_excess(epsilon, delta)
            tried += 1
            if excess > worst:
                worst, at = excess, (epsilon, delta)
    numbers = {**finding.numbers, "points of the region": tried, "largest log(attained / claimed)": worst}
    if worst > 0:
        witness = {"epsilon": at[0], "delta": at[1], "delta attained": at[1] * math.exp(worst)}
        return Finding(Outcome.REFUTED, "the exact curve is above delta inside the region", numbers, witness)
    sentence = f"{finding.sentence}; the exact curve is below delta at {tried} points of the region"
    return replace(finding, sentence=sentence, numbers=numbers)


def largest_epsilon(delta: float) -> float:
    """Return the largest epsilon with epsilon <= 8 log(e + epsilon/delta), from below."""
    low, high = 1.0, 1e6
    while high / low > 1 + 1e-12:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if middle <= 8 * math.log(math.e + middle / delta) else (low, middle)
    return low


WORDED = "some lines are cited or argued in words, or shown by proofs that rest on such; the rest is certified"
CERTIFIED = "every step is certified by computer algebra, from the equations and lemmas that it takes as given"
PAPER = {
    "lemma_c1": ("Lemma C.1", "Moments and tail of the sphere: the whole chain", False),
    "lemma_c2": ("Lemma C.2", "Bias and second moment of the two-point gradient: the whole chain", False),
    "section4_tail": (
        "Section 4",
        "The remainder, the worst case and the tail with L follow from Lemma C.1 (ii) and Taylor remainders",
        False,
    ),
    "theorem1": ("Theorem 1, Appendix D", "The whole chain of Theorem 1, from the algorithm to (3)", False),
    "theorem2": ("Theorem 2, Appendix D", "The whole chain of Theorem 2, from the algorithm to (5)", False),
    "theorem3": ("Theorem 3, Appendix E", "The whole chain of Theorem 3, from the algorithm to (7)", False),
    "corollary_f2": ("Corollary F.2, Appendix F", "Corollary F.2 follows from (12) and the PL inequality", False),
    "corollary_f3": ("Corollary F.3, Appendix F", "Corollary F.3 follows from (15) and the PL inequality", False),
    "corollary_f4": (
        "Corollary F.4, Appendix F",
        "Corollary F.4, as the arXiv text prints it, follows from (23) and the PL inequality",
        False,
    ),
}
OURS = {
    "dp_gd": ("Table 1, row DP-GD", "Our proof of the row: (2 ell gap + 32 L^2) sqrt(r A) / (n epsilon)", False),
    "integer_t_dp_gd": ("Table 1, row DP-GD", "The better of floor and ceiling of T* keeps the bound of DP-GD", False),
    "integer_t_theorems_1_2": ("Theorems 1 and 2, Remark F.5", "Any rounding of T* to an integer of at least 1 keeps (3) and (5)", False),
    "integer_t_theorem_3": ("Theorem 3, Remark F.5", "The better of floor and ceiling of T* keeps (7) when T* >= 1", False),
    "integer_t_corollaries": ("Corollaries F.2 to F.4, Remark F.5", "The floor of T* keeps F.2, F.3 and F.4 when T* >= 1 and Y > 1", False),
    "sharp_tail_linear": ("Lemma C.1 (ii)", "A sharper tail: P(|u'a| >= C) <= 2 exp(-C^2 / (2 ||a||^2)), elementary", False),
    "sharp_tail_lipschitz": ("equation (16)", "A tail for the two-point difference of a Lipschitz function, for every lam", False),
    "sharp_bias": ("Lemma C.2 (ii)", "A smaller bias of the smoothed gradient", False),
    "sharp_clip": ("Appendix E", "What clipping costs on average, instead of conditioning on no clipping", False),
    "sharp_clip_lipschitz": ("Appendix E", "The same for samples that are Lipschitz only", False),
    "sharp_descent": ("Appendix E", "One step and the sum over steps, for any bias and length of the step", False),
    "sharp_event": ("Theorem 3", "Theorem 3 without B and without smooth samples, by conditioning", False),
    "sharp_clip_bias": ("Theorem 3", "Theorem 3 without B, with clipping counted in the mean", False),
    "sharp_lipschitz": ("Theorem 3", "Theorem 3 for samples that are Lipschitz only, with any lam", False),
    "sharp_never_clip": ("Theorem 3", "Theorem 3 with C = L sqrt(d), which never clips", False),
    "sharp_dpgd_0th": ("Theorem 2", "Theorem 2 with a threshold below L d", False),
    "sharp_dpgd_0th_never_clip": ("Theorems 1 and 2", "Theorems 1 and 2 for every schedule with C = L d", False),
    "sharp_dp_gd": ("Table 1, row DP-GD", "The row of Table 1 for every schedule with C = L", False),
    "sharp_start": ("Remark F.5", "The start alone: ||grad F_S(x_0)||^2 <= min(L^2, 2 ell gap)", False),
}

RUNS = (
    "sharp_event", "sharp_clip_bias", "sharp_lipschitz", "sharp_never_clip", "sharp_dpgd_0th", "sharp_dpgd_0th_never_clip", "sharp_dp_gd",
)  # fmt: skip


def _claim(name: str, place: str, words: str, proved: bool, ours: bool) -> Claim:
    return Claim(
        key=f"dpzero.{name}.chain",
        source=f"ours; in place of {place}" if ours else place,
        words=words,
        kind=Kind.INEQUALITY,
        stated="question" if ours else "printed",
        expected=Outcome.PROVED if proved else Outcome.CONSISTENT,
        why=CERTIFIED if proved else WORDED,
        examine=chain_and_runs if name in RUNS else chain,
        arguments={"key": f"dpzero.{name}", "samples": 40, **({"runs": 60, "seed": 0} if name in RUNS else {})},
        full={"samples": 1000, **({"runs": 2000} if name in RUNS else {})},
        derivations=(f"dpzero.{name}",),
    )


CLAIMS = (
    Claim(
        key="dpzero.lemma_2_2.safe_region",
        source="Lemma 2.2",
        words="The noise of Lemma 2.2 is enough wherever epsilon <= 8 log(e + epsilon/delta), hence for every epsilon up to 27",
        stated="question",
        latex=r"\varepsilon \le 8\log(e + \varepsilon/\delta) \;\Rightarrow\; (\varepsilon, \delta)\text{-DP}",
        kind=Kind.PRIVACY,
        expected=Outcome.CONSISTENT,
        why="our proof; composition and the privacy curve are cited, two bounds on the normal tail argued in words",
        examine=safe_region,
        arguments={"key": "dpzero.lemma_2_2", "samples": 40, "points": 15},
        full={"samples": 1000, "points": 60},
        derivations=("dpzero.lemma_2_2",),
    ),
    *(_claim(name, *entry, ours=False) for name, entry in PAPER.items()),
    *(_claim(name, *entry, ours=True) for name, entry in OURS.items()),
)
