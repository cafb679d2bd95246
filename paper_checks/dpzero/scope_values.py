"""At which values do DPZero's statements say something? Thresholds and bounds at the experiment's settings, and lam in practice."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bounds.dpzero import THEOREMS
from paper_checks.verdict import Claim, Finding, Kind, Outcome, Plot
from synthetic.objectives import spectrum_values

DIMENSIONS = (20, 50, 100, 200, 500, 1000, 2000)  # Table 6
TABLE_6 = {"n": 10_000.0, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 0.0, "B": 0.0}
MODES = {"flat": "mode (a)", "inverse_sqrt": "mode (b)", "inverse": "mode (c)"}


def rank(mode: str, d: int) -> float:
    """Return the effective rank of a mode's spectrum, whose largest eigenvalue is 1."""
    return float(np.sum(spectrum_values(mode, d)))


def log_X(*, n: float, d: float, r: float, epsilon: float, delta: float, L: float, ell: float, gap: float, B: float) -> float:
    """Return log X of Theorem 3, from its formula."""
    A = math.log(math.e + epsilon / delta)
    return math.log(2 * math.sqrt(2 * math.pi) * n**3 * epsilon**2 * (r + 2) * (d + 8 * ell * B * (r + 2) / L**2) / (r * A))


def smaller_threshold(*, dimensions: Sequence[int]) -> Finding:
    """Compare C = 4 L_tilde of Theorem 3 with the worst case L sqrt(d) at the values of Table 6, mode (c), B = 0."""
    theorem, ratio = THEOREMS["dpzero.theorem3"], {}
    for d in dimensions:
        values = {**TABLE_6, "d": float(d), "r": rank("inverse", d)}
        C = theorem.evaluate(**values).schedule["C"]
        if abs(C / (4 * math.sqrt(log_X(**values))) - 1) > 1e-9:
            return Finding(Outcome.INCONCLUSIVE, f"d = {d}: bounds.dpzero computes C = {C:.6g}, the formula gives another")
        ratio[d] = C / math.sqrt(d)
    numbers = {"C / (L sqrt(d))": ratio}
    larger = [d for d in dimensions if ratio[d] >= 1]
    plot = Plot(tuple(map(float, ratio)), {"C / (L sqrt(d))": tuple(ratio.values())}, "d", "threshold over the worst case")
    if not larger:
        return Finding(Outcome.CONSISTENT, "smaller at each dimension of Table 6", numbers, plot=plot)
    d = larger[0]
    witness = {**TABLE_6, "d": d, "r": rank("inverse", d), "C / L": ratio[d] * math.sqrt(d), "sqrt(d)": math.sqrt(d)}
    sentence = f"at d = {d} the threshold is {ratio[d]:.3g} times L sqrt(d); it is not smaller for d = {', '.join(map(str, larger))}"
    return Finding(Outcome.REFUTED, sentence, numbers, witness, plot=plot)


def says_something(*, dimensions: Sequence[int]) -> Finding:
    """Compare (7) with the L^2 that every point satisfies, at the values of Table 6 with Delta_0 = B = 0, its best case."""
    theorem = THEOREMS["dpzero.theorem3"]
    table: dict[str, list[float]] = {}
    for mode, name in MODES.items():
        for d in dimensions:
            values = {**TABLE_6, "d": float(d), "r": rank(mode, d)}
            rho = math.sqrt(values["r"] * math.log(math.e + values["epsilon"] / values["delta"])) / (values["n"] * values["epsilon"])
            bound = (64 * log_X(**values) + 2) * rho
            if abs(theorem.evaluate(**values).bound / bound - 1) > 1e-9:
                return Finding(Outcome.INCONCLUSIVE, f"{name}, d = {d}: bounds.dpzero computes another right side of (7)")
            table.setdefault(name, []).append(bound)
    numbers = {f"(7) / L^2, {name}": [round(value, 4) for value in row] for name, row in table.items()}
    plot = Plot(tuple(map(float, dimensions)), {name: tuple(row) for name, row in table.items()}, "d", "(7) / L^2")
    trivial = [(name, d, value) for name, row in table.items() for d, value in zip(dimensions, row, strict=True) if value >= 1]
    if not trivial:
        return Finding(Outcome.CONSISTENT, "below L^2 in every setting", numbers, plot=plot)
    name, d, value = trivial[0]
    total = len(table) * len(dimensions)
    sentence = f"{name}, d = {d}: (7) is {value:.4g} L^2; it is not below L^2 in {len(trivial)} of {total} settings"
    return Finding(Outcome.REFUTED, sentence, numbers, {**TABLE_6, "mode": name, "d": d, "(7) / L^2": value}, plot=plot)


def synthetic_assumptions(*, d: int, L: float) -> Finding:
    """Look for a point where a sample's gradient of the synthetic loss is longer than L."""
    a = spectrum_values("inverse", d)
    x = np.zeros(d)  # offset from the mean of the samples, which is where F_S is smallest
    x[0] = 2 * L
    length, above_smallest = float(np.linalg.norm(a * x)), float(a @ x**2) / 2
    numbers = {"|grad F_S(x)|": length, "F_S(x) - F_S^*": above_smallest}
    if length > L and above_smallest > L:
        witness = {"A": f"diag(1, ..., 1/{d})", "x": f"mean of the samples + {2 * L:g} e_1", "L": L, **numbers}
        sentence = f"{2 * L:g} away from the mean the gradient has norm {length:.4g}: no L and no B is enough"
        return Finding(Outcome.REFUTED, sentence, numbers, witness)
    return Finding(Outcome.CONSISTENT, "no longer gradient found", numbers)


def experiment_lam(*, d: float, n: float, epsilon: float, delta: float, lam: float) -> Finding:
    """Compare the experiments' lam with the largest that Theorem 3 allows for any r from 1 to d at L = ell, and both with rounding."""
    largest = 0.0
    for r in (1.0, 200.0, d):
        values = {"n": n, "d": d, "r": r, "epsilon": epsilon, "delta": delta, "L": 1.0, "ell": 1.0, "gap": 0.0, "B": 0.0}
        rho = math.sqrt(r * math.log(math.e + epsilon / delta)) / (n * epsilon)
        rule = min(4 * (2 - math.sqrt(2)) * math.sqrt(log_X(**values)) / d, math.sqrt(rho) / d**1.5)
        if abs(THEOREMS["dpzero.theorem3"].evaluate(**values).schedule["lam"] / rule - 1) > 1e-9:
            return Finding(Outcome.INCONCLUSIVE, f"r = {r:g}: bounds.dpzero computes another lam")
        largest = max(largest, rule)
    lost = {"float32": bool(np.float32(1) + np.float32(largest) == 1), "float64": 1.0 + largest == 1.0}
    numbers = {"largest lam of the rule (L = ell, r = 1, 200, d)": largest, "lam of the experiments": lam, "1 + lam rounds to 1": lost}
    numbers["L / ell that the experiments would need"] = lam / largest
    if lam > largest:
        witness = {"d": d, "n": n, "epsilon": epsilon, "delta": delta, "L / ell": 1.0, "rule": largest, "used": lam}
        sentence = f"Theorem 3 allows lam up to {largest:.2g} L/ell, which single precision does not resolve; the runs use {lam:g}"
        return Finding(Outcome.REFUTED, sentence, numbers, witness)
    return Finding(Outcome.CONSISTENT, "within the rule", numbers)


CLAIMS = (
    Claim(
        key="dpzero.section4.smaller_threshold",
        source="Section 4 and Table 6",
        words="At the experiment's values the threshold 4 L_tilde of Theorem 3 is smaller than the worst case L sqrt(d)",
        latex=r"4\tilde L < L\sqrt d",
        kind=Kind.SCOPE,
        stated="question",
        expected=Outcome.REFUTED,
        why="it needs d > 16 log X, and log X is about 32 here; from d = 1000 on it is true",
        examine=smaller_threshold,
        arguments={"dimensions": DIMENSIONS},
        correction="C = min(4 L_tilde, L sqrt(d)) serves both cases: with L sqrt(d) nothing is clipped either",
        correction_latex=r"C = \min\{4\tilde L, L\sqrt d\}",
    ),
    Claim(
        key="dpzero.theorem3.says_something",
        source="Theorem 3, equation (7), and Table 6",
        words="At the experiment's values, Delta_0 = B = 0, the bound (7) is below the L^2 that every point satisfies",
        latex=r"(64\tilde L^2 + 2L^2)\frac{\sqrt{rA}}{n\varepsilon} < L^2",
        kind=Kind.SCOPE,
        stated="question",
        expected=Outcome.REFUTED,
        why="it needs n epsilon / sqrt(r A) > 64 log X + 2; only mode (c) up to d = 200 reaches that",
        examine=says_something,
        arguments={"dimensions": DIMENSIONS},
        correction="It says something where n epsilon / sqrt(r A) > 64 log X + 2 + 64 ell Delta_0 / L^2",
        correction_latex=r"n\varepsilon/\sqrt{rA} > 64\log X + 2 + 64\ell\Delta_0/L^2",
    ),
    Claim(
        key="dpzero.experiments.synthetic_assumptions",
        source="Section 5 and Appendix B.1, against Assumptions 3.1 and 3.5",
        words="The quadratic loss of the synthetic experiment is L-Lipschitz and bounded for some L and B, here up to a million",
        latex=r"F_S(x) = \tfrac1{2n}\textstyle\sum_i(x-x_i)^\top A(x-x_i)",
        kind=Kind.SCOPE,
        stated="question",
        expected=Outcome.REFUTED,
        why="the gradient of a quadratic grows without bound; no theorem formally applies to the experiment",
        examine=synthetic_assumptions,
        arguments={"d": 20, "L": 1e6},
    ),
    Claim(
        key="dpzero.experiments.lam",
        source="Theorem 3, the rule for lambda, and Table 8",
        words="lambda = 1e-3 on RoBERTa (d = 3.55e8) is within Theorem 3's rule when L = ell",
        latex=r"\lambda \le \frac{L}{\ell d^{3/2}}\Big(\frac{\sqrt{rA}}{n\varepsilon}\Big)^{1/2}",
        kind=Kind.SCOPE,
        stated="question",
        expected=Outcome.REFUTED,
        why="d^(-3/2) is 1.5e-13; L and ell of the network are unknown, but L/ell would have to exceed 10^9",
        examine=experiment_lam,
        arguments={"d": 3.55e8, "n": 1024.0, "epsilon": 2.0, "delta": 1e-5, "lam": 1e-3},
    ),
)
