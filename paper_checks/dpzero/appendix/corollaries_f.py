"""Checks of Corollaries F.2, F.3 and F.4: the PL condition on all of R^d, the counts, and slips in the texts and the proofs."""

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import sympy as sp
from mpmath import mp

import bounds
from bounds import symbols as s
from bounds.proofs.certificates import Standing
from bounds.proofs.inequalities import is_zero
from bounds.symbols import A, L, X, d, epsilon, kappa, n, r, symbols
from paper_checks.dpzero import printed
from paper_checks.dpzero.statement import limit_at_infinity
from paper_checks.record import Record
from paper_checks.shared.formulas import evaluate_formula
from paper_checks.shared.steps import check_steps, step_outcomes
from paper_checks.verdict import Finding, Outcome, Plot

F_now, grad_sq = symbols("F_now grad_sq")
time_s = sp.Symbol("time_s", real=True)


def check_pl_everywhere(*, mu: float, start: float, B: float | None) -> Finding:
    """Check whether a non-constant f can be Lipschitz and meet PL on all of R^d, by proof and by ascent on log cosh; return a Finding."""
    path, weight, proof = sp.Function("h")(time_s), sp.exp(-2 * s.mu * time_s), bounds.DERIVATIONS["dpzero.pl_leaves_constants"]
    product_rule = sp.expand(sp.diff(weight * path, time_s) - weight * (sp.diff(path, time_s) - 2 * s.mu * path))
    with mp.workdps(30):
        height = lambda x: mp.log(mp.cosh(x))  # noqa: E731  log cosh: L = ell = 1, smallest value 0
        ratio = lambda x: mp.tanh(x) ** 2 / (2 * height(x))  # noqa: E731
        x, steps = mp.mpf(start), 0
        growth = mp.log(min(1 / (2 * mu), math.inf if B is None else 2 * B) / height(x))
        at_most = math.ceil(growth / mp.log(1 + mp.mpf(mu))) + 1
        while ratio(x) >= mu and (B is None or height(x) <= B) and steps <= at_most:
            x, steps = x + mp.tanh(x), steps + 1
        far = {float(at): float(ratio(at)) for at in (0.1, 1, 5, 10, 60, 600)}
        reached = {"|f'|^2 / (2 (f - f*))": float(ratio(x)), "f - f*": float(height(x))}
    plot = Plot(tuple(far), {"log cosh": tuple(far.values())}, "x", "|f'|^2 / (2 (f - f*))")
    record = Record({"steps of the proof": len(proof.steps), "|f'|^2 / (2 (f - f*)) of log cosh": far}, plot=plot)
    if product_rule != 0 or step_outcomes(proof) != {Standing.CERTIFIED} or steps > at_most:
        record.leave_open("a step of the proof does not check; a repaired proof would settle it")
    witness = {"L": 1.0, "ell": 1.0, "mu": mu, "x_0": start, "contradiction at flow time": float(growth / (2 * mu))}
    witness |= {"at the latest after ascent steps": at_most, "log cosh fails after": steps, "at x": float(x), **reached}
    sentence = f"h grows like e^(2 mu s) along the flow, yet 2 mu h <= L^2; log cosh, mu = {mu:g}, breaks at x = {float(x):.4g}"
    return record.refute(sentence, witness)


F4_KEY = "dpzero.corollary_f4"
# by corollary: constant and factor of n T <= constant n factor log(n^2 epsilon^2), and the powers in k of Y = n^2 epsilon^2/k
COUNTS: Mapping[str, tuple[int, Any, tuple[tuple[Any, int], ...]]] = {
    "f2": (8, d * kappa, ((kappa, 1), (d, 3), (A, 1))),
    "f3": (24, r * kappa, ((kappa, 1), (r, 1), (d, 2), (A, 1))),
    "f4": (24, r * kappa, ((kappa, 1), (r, 1), (A, 1))),
}


def check_sample_count(*, corollary: str, samples: int) -> Finding:
    """Check that n T of corollary "f2", "f3" or "f4" is at most its bound in COUNTS, by proof, and of this order in n; return a Finding.

    The bound is constant n factor log(n^2 epsilon^2); the limit of n T over n factor log(n epsilon) in n must be positive and finite.
    """
    page, theorem = (held[f"dpzero.corollary_{corollary}"] for held in (printed.PAGES, bounds.THEOREMS))
    if not is_zero(theorem.schedule["T"] - page.schedule["T"]) or not is_zero(theorem.definitions["Y"] - page.definitions["Y"]):
        return Record().leave_open("the theory holds another T or Y than the print; comparing them would settle it")
    proof, (constant, letters, _) = bounds.DERIVATIONS[f"dpzero.count_{corollary}"], COUNTS[corollary]
    if not is_zero(proof["upper"].rhs - constant * n * letters * sp.log(n**2 * epsilon**2)):
        return Record().leave_open(f"the proof bounds n T by {proof['upper'].rhs}; comparing it with the claim would settle it")
    if (finding := check_steps(proof, samples=samples)).outcome is not Outcome.PROVED:
        return finding
    attained = limit_at_infinity(n, page.in_constants(page.schedule["T"]) / page.in_constants(letters * sp.log(n * epsilon)))
    numbers = {"limit of n T / (n letters log(n epsilon)) in n": float(attained), "at most": 2 * constant}
    if not 0 < attained <= 2 * constant:
        return Record({**finding.numbers, **numbers}).leave_open(f"the limit in n is {attained}, against the constant {2 * constant}")
    return finding.also(f"in n the order is attained, with {float(attained):g}", **numbers)


def check_icml_f4(*, values: dict[str, float], scales: int) -> Finding:
    """Check whether Corollary F.4 in the ICML text is ever below the proved bound, for f times 1, 1/10, 1/100, ...; return a Finding.

    PROVED if the two bounds are the same; INCONCLUSIVE if they differ but the printed one is below at none of `scales` factors.
    """
    page, misprint, record = printed.PAGES[F4_KEY], printed.FORMULAS["f4_icml"], Record()
    held, misprinted = (bounds.THEOREMS[key].bound for key in (F4_KEY, f"{F4_KEY}_as_printed"))
    formulas = [page.in_constants(one) for one in (page.bound, misprint)]
    if not is_zero(misprinted - misprint) or not is_zero(held - page.bound):
        return record.leave_open("the theory holds other forms of F.4 than the two texts; comparing them would settle it")
    if is_zero(page.in_letters(page.bound) - page.in_letters(misprint)):
        return record.prove("the two forms are the same")
    for k in range(scales):
        at = {name: value * (10.0**-k if name in ("L", "ell", "mu", "gap", "B") else 1) for name, value in values.items()}
        ours, theirs = (evaluate_formula(formula, at) for formula in formulas)
        record.note({f"f times 1e-{k}: proved, printed": (ours, theirs)})
        if theirs < ours:
            far = tuple(evaluate_formula(formula, {**at, "n": at["n"] * 1e6}) for formula in formulas)
            record.note({"n times 1e6: proved, printed": far})
            sentence = (
                f"the proof gives {ours:.4g}, the printed form {theirs:.4g}: too small there, too large elsewhere, not scaling with f; "
                f"and with 1e6 times the samples it is still {far[1]:.2g}"
            )
            return record.refute(sentence, {**at, "proved": ours, "printed": theirs})
    return record.leave_open("the two differ, but no scale was found at which the printed one is too small")


def check_thresholds() -> Finding:
    """Check that the thresholds C of Theorem 3 and Corollary F.4 are both 4 L sqrt(log X), by algebra; return a Finding."""
    meant, record = 4 * L * sp.sqrt(sp.log(X)), Record({"identities": 4})
    for key, held in product(("dpzero.theorem3", F4_KEY), (printed.PAGES, bounds.THEOREMS)):
        threshold = held[key].schedule["C"]
        if not is_zero(threshold.xreplace({s.L_tilde: held[key].definitions["L_tilde"]}) - meant):
            record.leave_open(f"{key}: C is {threshold}, not 4 L sqrt(log X); the formula must be looked up")
    return record.prove("C = 4 L_tilde there and L_tilde/2 here are both 4 L sqrt(log X), each with its own X")


def check_loss_as_gradient(*, key: str, largest: int) -> Finding:
    """Check whether the printed line with ||F_S||^2 for ||grad F_S||^2 holds for constant losses F_S = 1 to `largest`; return a Finding."""
    values = dict.fromkeys(("d", "r", "ell", "lam", "sigma"), 1)
    at = dict.fromkeys(symbols(" ".join(values)), sp.Integer(1))
    step = printed.PAGES[key].schedule["alpha"].xreplace(at)
    line_at = printed.FORMULAS["equation_12" if key == "dpzero.corollary_f2" else "equation_15"].xreplace({**at, s.alpha: step})
    added = line_at.xreplace({grad_sq: sp.Integer(0), F_now: sp.Integer(0)})
    for constant in range(1, largest + 1):
        right = line_at.xreplace({grad_sq: sp.Integer(constant) ** 2, F_now: sp.Integer(constant)})
        coarse = constant - step / 4 * constant**2 + 2 * added  # the corollary's additive term is at most twice that of (12), (15)
        if constant > coarse and constant > right:
            sides = {"alpha": float(step), "left side": constant, "right side": float(coarse)}
            sentence = f"F_S = {constant} for every x: the left side is {constant}, the right side at most {float(coarse):.4g}"
            record = Record({"with F_S + c in place of F_S": "||grad F_S|| stays, ||F_S|| does not"})
            return record.refute(sentence, {"F_S(x)": f"{constant} for every x", **values, **sides})
    return Record().leave_open(f"no constant up to {largest} refutes it")


def check_bound_equality(*, key: str, at: dict[str, float]) -> Finding:
    """Check whether the last sum of a proof equals the printed bound for each lam, at the largest lam and half of it; return a Finding."""
    page = printed.PAGES[key]
    largest, bound = (evaluate_formula(page.in_constants(one), at) for one in (page.lam, page.bound))
    sums = [evaluate_formula(page.in_constants(page.before), {**at, "lam": share * largest}) for share in (1, 1 / 2)]
    record = Record({"the sum at the largest lam": sums[0], "the bound": bound})
    if not math.isclose(sums[0], bound, rel_tol=1e-12):  # some thousand roundings
        record.leave_open("the two sides differ at the largest lam too: comparing them would settle it")
    if math.isclose(sums[1], bound, rel_tol=1e-12):
        record.leave_open("the two sides agree at half of the largest lam; another lam would settle it")
    sentence = f"at half of the largest lam the sum is {sums[1]:.6g}, the bound {bound:.6g}; at the largest the two agree"
    return record.refute(sentence, {**at, "lam": largest / 2, "left side": sums[1], "right side": bound})
