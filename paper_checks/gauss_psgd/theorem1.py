"""Checks of Theorem 1 and Remark 1: its conditions at its own parameters, and the number of steps."""

from collections.abc import Mapping, Sequence

import sympy as sp

import bounds
from bounds.gauss_psgd.block import Constants, block, round_step_counts
from bounds.gauss_psgd.fixed_point import fixed_point_given_noise
from paper_checks.gauss_psgd import printed as p
from paper_checks.shared.formulas import monomial_exponents
from paper_checks.verdict import Finding, consistent, inconclusive, proved, refuted


def check_free_accuracy() -> Finding:
    """Check whether the accuracy alpha can be chosen freely at a given noise sigma, by how (5) ties it to psi; return a Finding."""
    (in_psi,) = monomial_exponents(p.in_psi(p.alpha), p.psi)
    ratio = p.in_psi(p.alpha) / p.psi
    smallest = p.in_psi(p.alpha).xreplace({p.psi: p.FORMULAS["noise_of_3"]})
    grows = sp.diff(smallest, p.r).is_nonnegative  # r only makes it larger, so alpha is at least its value at r = 0
    floor = sp.simplify(smallest.subs(p.r, 0) / p.sigma)
    numbers = {"power of psi in alpha": str(in_psi), "alpha / psi": p.written(ratio), "least alpha / sigma": p.written(floor)}
    if in_psi == 1 and grows and floor.is_positive and not floor.has(p.alpha):
        least = p.written(floor)
        sentence = f"alpha = ({p.written(ratio)}) psi is fixed by the noise and at least ({least}) sigma: no other alpha can be asked for"
        return proved(sentence, numbers)
    return inconclusive("alpha is not a multiple of psi", numbers)


def check_conditions(*, key: str, version: str, problems: Sequence[Mapping[str, float]]) -> Finding:
    """Check the conditions of Theorem 1, printed or repaired, at its own mu and parameter block for each problem; return a Finding."""
    theorem, constants, worst = bounds.THEOREMS[key], Constants(version=version), 0.0
    checked = 0
    for problem in problems:
        found = fixed_point_given_noise(**problem, constants=constants)
        worst = max(worst, abs(found.log_factor / max(found.entries) - 1))
        evaluation = theorem.evaluate(
            **problem, log_factor=found.log_factor, s=constants.s_used, C_abs=constants.C_abs, c_abs=constants.c_used, L=1e9, curvature=1.0
        )
        failed = [p.told(entry.caveat) for entry in evaluation.checked if not entry.holds and entry.condition.kind == "hypothesis"]
        checked += len(evaluation.checked)
        if failed:
            witness = {
                **p.by_paper_symbol(problem),
                "s": constants.s_used,
                "C": constants.C_abs,
                "mu": found.log_factor,
                "fails": tuple(failed),
            }
            sentence = f"{len(failed)} of {len(evaluation.checked)} conditions fail at its own parameters: {'; '.join(failed)}"
            return refuted(sentence, {"conditions": len(evaluation.checked)}, witness)
    numbers = {"problems": len(problems), "conditions evaluated": checked, "largest |mu / largest entry - 1|": worst}
    if worst > 1e-9:  # `given_noise` is within 1e-12 of the root
        return inconclusive("mu is not the largest of its entries; the fixed point must be looked at", numbers)
    return consistent(f"all conditions hold at the parameters of {len(problems)} problems", numbers)


def check_step_count(*, accuracy: float, s: float, mu: float) -> Finding:
    """Check whether the step count T of the parameter block (5) is below 1e15 at a fixed accuracy and mu; return a Finding."""
    at = block(accuracy=accuracy, s=s, log_factor=mu, ell=1.0, rho=1.0)
    Q, T = round_step_counts(at, s=s, U=1.0, omega=0.1, rho=1.0, log_factor=mu, version="printed", base="e")
    psi = accuracy / (16 * s * mu**2)
    numbers = {"eta": at.eta, "Gamma": at.Gamma, "R": at.radius, "Q": Q, "T": T, "admissible psi": psi}
    if abs(T / p.number(p.FORMULAS["steps_79"], p.problem_values(s=s) | {p.mu: mu, p.psi: psi}) - 1) > 1e-9:
        return inconclusive("the library's T is not that of (79)", numbers)
    if T > 1e15:
        return refuted(f"T = {T:.2g} steps of size eta = {at.eta:.2g}", numbers, {"alpha": accuracy, "s": s, "mu": mu, **numbers})
    return consistent(f"T = {T:.2g}", numbers)
