"""Checks of Section 4 and Appendix B.2: the threshold C of DPZero against the worst case, O(L sqrt(log(n d))) and the experiments."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp

import bounds
from bounds.proofs.inequalities import is_zero
from bounds.symbols import B, C, L, L_tilde, X, d, epsilon, n, r
from paper_checks.dpzero import printed
from paper_checks.dpzero.algorithms import ROUNDING
from paper_checks.dpzero.statement import limit_at_infinity
from paper_checks.dpzero.theorem3 import T3, TABLE_6, effective_rank
from paper_checks.record import Record
from paper_checks.shared.formulas import evaluate_formula
from paper_checks.shared.search import Cases, check_ratios
from paper_checks.shared.steps import check_proof_parts, check_steps
from paper_checks.verdict import Finding, Outcome, Plot
from synthetic import draws
from synthetic.objectives import sums as lipschitz


def check_smaller_threshold(*, dimensions: Sequence[int]) -> Finding:
    """Check that Theorem 3's C = 4 L_tilde is below L sqrt(d) for eigenvalues 1/i, at Table 6 for each d; return a Finding."""
    ratio, C_printed = dict[int, float](), printed.PAGES[T3].in_constants(C)
    for dimension in dimensions:
        values = {**TABLE_6, "d": float(dimension), "r": effective_rank("inverse", dimension)}
        threshold = bounds.THEOREMS[T3].evaluate(**values).schedule["C"]
        if abs(threshold / evaluate_formula(C_printed, values) - 1) > 1e-9:
            return Record().leave_open(f"d = {dimension}: bounds.dpzero computes C = {threshold:.6g}, the formula gives another")
        ratio[dimension] = threshold / math.sqrt(dimension)
    plot = Plot(tuple(map(float, ratio)), {"C / (L sqrt(d))": tuple(ratio.values())}, "d", "threshold over the worst case")
    record = Record({"C / (L sqrt(d))": ratio}, plot=plot)
    if larger := [dimension for dimension in dimensions if ratio[dimension] >= 1]:
        first, root, where = larger[0], math.sqrt(larger[0]), ", ".join(map(str, larger))
        witness = {**TABLE_6, "d": first, "r": effective_rank("inverse", first), "C / L": ratio[first] * root, "sqrt(d)": root}
        record.refute(f"at d = {first} the threshold is {ratio[first]:.3g} times L sqrt(d); it is not smaller for d = {where}", witness)
    return record.conclude("smaller at each dimension of Table 6")


def check_experiment_lam(*, d: float, n: float, epsilon: float, delta: float, lam: float) -> Finding:
    """Check whether the experiments' `lam` is allowed by Theorem 3 at r = 1, 200 or d and L = ell, by evaluation; return a Finding.

    Allowed is `lam` up to the largest of the three values of Theorem 3's rule.
    """
    largest, page = 0.0, printed.PAGES[T3]
    for rank_now in (1.0, 200.0, d):
        values = {"n": n, "d": d, "r": rank_now, "epsilon": epsilon, "delta": delta, "L": 1.0, "ell": 1.0, "gap": 0.0, "B": 0.0}
        rule = min(evaluate_formula(page.in_constants(end), values) for end in (page.lam, page.lam_clipping))
        if abs(bounds.THEOREMS[T3].evaluate(**values).schedule["lam"] / rule - 1) > 1e-9:
            return Record().leave_open(f"r = {rank_now:g}: bounds.dpzero computes another lam")
        largest = max(largest, rule)
    lost = {"float32": bool(np.float32(1) + np.float32(largest) == 1), "float64": 1.0 + largest == 1.0}
    record = Record({"largest lam of the rule (L = ell, r = 1, 200, d)": largest, "lam of the experiments": lam})
    record.note({"1 + lam rounds to 1": lost, "L / ell that the experiments would need": lam / largest})
    if lam > largest:
        witness = {"d": d, "n": n, "epsilon": epsilon, "delta": delta, "L / ell": 1.0, "rule": largest, "used": lam}
        allowed = f"Theorem 3 allows lam up to {largest:.2g} L/ell, which single precision does not resolve"
        record.refute(f"{allowed}; the runs use {lam:g}", witness)
    return record.conclude("within the rule")


def check_no_clipping_bound(*, largest: int) -> Finding:
    """Check whether P(no clipping) is at most the printed bound on f(x) = L x, at C_0 = L, ..., `largest` L; return a Finding."""
    for multiple in range(1, largest + 1):
        bound = float(printed.FORMULAS["tail_at_L"].xreplace({C: sp.Integer(multiple), L: sp.Integer(1)}))
        differences = [abs((1.0 * (0.5 + 0.1 * u) - 1.0 * (0.5 - 0.1 * u)) / (2 * 0.1)) for u in (1, -1)]
        not_clipped = sum(one <= multiple for one in differences) / len(differences)
        if not_clipped > bound:
            at = {"f(x)": "L x", "d": 1, "L": 1, "C_0": multiple, "C": "any that is large enough"}
            sentence = f"for f = L x, d = 1, C >= C_0 = {multiple} L nothing is ever clipped, and the bound is {bound:.3g}"
            return Record().refute(sentence, {**at, "P(Q)": not_clipped, "printed bound": bound, "P(not Q)": 1 - not_clipped})
    return Record().leave_open(f"no multiple of L up to {largest} refutes it")


@check_ratios(
    "largest length / threshold",
    "an estimate has {value:.6g} times the length of the threshold",
    "no estimate of {tried} is longer than {value:.9f} times the threshold",
    limit=1 + ROUNDING,
)
def check_estimate_lengths(*, cases: int, seed: int, method: str) -> Cases:
    """Check that random pseudo-Huber samples have |s| <= L sqrt(d) for the estimate s u, or |gradient| <= L (DP-GD); return a Finding."""
    rng = np.random.default_rng(seed)
    sizes: tuple[tuple[int, lipschitz.Spectrum], ...] = ((1, "flat"), (2, "flat"), (5, "inverse"), (20, "flat"))
    objectives = [lipschitz.pseudo_huber(spectrum, dimension, 3, seed) for dimension, spectrum in sizes]
    for k in range(cases):
        one = objectives[k % len(objectives)]
        u, most = draws.draw_directions(rng, 1, one.d, "sphere")[0], one.constants["L"]
        row, lam = rng.standard_normal(one.d), float(10.0 ** rng.uniform(-2, 1))
        x = row + 10.0 ** rng.uniform(-1, 4) * (u if k % 2 else rng.standard_normal(one.d))
        if method == "dp_gd":
            gradient = np.empty(one.d)
            one.gradient(x, row, one.params, gradient)
            ratio = float(np.linalg.norm(gradient)) / most
        else:
            s = (one.loss(x + lam * u, row, one.params) - one.loss(x - lam * u, row, one.params)) / (2 * lam)
            ratio = abs(float(s)) * math.sqrt(one.d) / (most * one.d)  # |s u| / (L d), the same as |s| / (L sqrt(d))
        yield ratio, {"d": one.d, "lam": lam, "length / threshold": ratio}


def threshold_ratio() -> Any:
    """Return C / (L sqrt(log(n d))) of Theorem 3 as printed, a SymPy expression in the problem's constants."""
    return printed.PAGES[T3].in_constants(C) / (L * sp.sqrt(sp.log(n * d)))


def check_threshold_order(*, samples: int) -> Finding:
    """Check that Theorem 3's C is of the order L sqrt(log(n d)), by proof and by limits in n, d and r = d; return a Finding.

    The proof gives C <= L sqrt(48 log(n d) + constant), where the constant depends on epsilon and ell B/L^2 alone.
    """
    if not is_zero(bounds.THEOREMS[T3].in_constants(C) ** 2 - printed.PAGES[T3].in_constants(C) ** 2):
        return Record().leave_open("the theory holds another C than the print; comparing the two would settle it")
    if not is_zero(bounds.page("dpzero.threshold_order").formula("X_3") - printed.PAGES[T3].definitions["X"]):
        return Record().leave_open("the proof is about another X than the print; comparing the two would settle it")
    if (finding := check_steps(bounds.DERIVATIONS["dpzero.threshold_order"], samples=samples)).outcome is not Outcome.PROVED:
        return finding
    squared = threshold_ratio() ** 2
    limits = {
        "n": limit_at_infinity(n, squared),
        "d": limit_at_infinity(d, squared),
        "d = r": limit_at_infinity(d, squared.xreplace({r: d})),
    }
    if not all(0 < one <= 48 for one in limits.values()):
        return Record(finding.numbers).leave_open(f"a limit is not positive, or above what was proved: {limits}")
    roots = {f"limit of C/(L sqrt(log(n d))) in {name}": float(sp.sqrt(one)) for name, one in limits.items()}
    words = ", ".join(f"{root:.4g} in {name}" for name, root in zip(limits, roots.values(), strict=True))
    return finding.also(f"C/(L sqrt(log(n d))) tends to {words}", **roots)


def check_threshold_constant(*, constant: float, values: Mapping[str, float]) -> Finding:
    """Check whether C/(L sqrt(log(n d))) stays below `constant` as epsilon or B grows, by limits and at `values`; return a Finding."""
    ratio = threshold_ratio()
    limits = {one.name: limit_at_infinity(one, ratio**2) for one in (epsilon, B)}
    record = Record({f"limit of (C/L)^2/log(n d) in {name}": sp.sstr(one) for name, one in limits.items()})
    reached = evaluate_formula(ratio, values)
    if all(one == sp.oo for one in limits.values()) and not reached <= constant:
        words = f"{reached:.4g} at n = {values['n']:g}, d = {values['d']:g}"
        witness = {**values, "C/(L sqrt(log(n d)))": reached}
        record.refute(f"C/(L sqrt(log(n d))) grows without end in epsilon and in B; it is {words}", witness)
    return record.conclude(f"the limits are finite, or {constant:g} is not exceeded: {reached:.4g}")


def check_higher_threshold(*, samples: int) -> Finding:
    """Check that DPZero's C is above 7 L if T* >= 1 and r <= d, while DP-GD needs C = L, by proof; return a Finding.

    C = 4 L sqrt(log X), and X >= 32 sqrt(2 pi)/3.
    """
    lower_x, of_T_star = bounds.DERIVATIONS["dpzero.lower_x"], bounds.DERIVATIONS["dpzero.integer_t_theorem_3"]
    factor = 4 * sp.sqrt(sp.log(lower_x.conclusion.rhs))
    finding = check_proof_parts(((of_T_star, ("log_argument",)), (lower_x, ())), samples=samples)
    page, first_order = printed.PAGES[T3], bounds.THEOREMS["dpzero.dp_gd"].schedule["C"]
    if not is_zero(page.schedule["C"].xreplace({L_tilde: page.definitions["L_tilde"]}) - 4 * L * sp.sqrt(sp.log(X))):
        return Record(finding.numbers).leave_open("C of the print is not 4 L sqrt(log X)")
    if finding.outcome is not Outcome.PROVED:
        return finding
    if not (factor > 7 and is_zero(first_order - L)):
        return Record(finding.numbers).leave_open(f"C is at least {float(factor):.4g} L, DP-GD's {first_order}")
    numbers = {"least C / L": float(factor), "C / L of DP-GD": float(first_order / L)}
    return finding.also(f"so C >= 4 sqrt(log X) L >= {float(factor):.4g} L", **numbers)
