"""Checks of Theorem 1 and Remark 1: its conditions at its own parameters, and the number of steps."""

from collections.abc import Mapping, Sequence

import sympy as sp

import bounds
from bounds.gauss_psgd.block import Constants, block, round_step_counts
from bounds.gauss_psgd.fixed_point import fixed_point_given_noise
from paper_checks.gauss_psgd import printed as p
from paper_checks.record import Record
from paper_checks.shared.formulas import monomial_exponents
from paper_checks.verdict import Finding


def check_free_accuracy() -> Finding:
    """Check by algebra that (5) makes alpha a fixed multiple of psi, so that alpha cannot be chosen at given noise; return a Finding."""
    alpha = p.express_in_psi(p.alpha)
    (in_psi,) = monomial_exponents(alpha, p.psi)
    smallest = alpha.xreplace({p.psi: p.FORMULAS["noise_of_3"]})
    grows = sp.diff(smallest, p.r).is_nonnegative  # r only makes it larger, so alpha is at least its value at r = 0
    floor = sp.simplify(smallest.subs(p.r, 0) / p.sigma)
    ratio, least = p.written(alpha / p.psi), p.written(floor)
    record = Record({"power of psi in alpha": str(in_psi), "alpha / psi": ratio, "least alpha / sigma": least})
    if not (in_psi == 1 and grows and floor.is_positive and not floor.has(p.alpha)):
        record.leave_open("alpha is not a multiple of psi")
    return record.prove(f"alpha = ({ratio}) psi is fixed by the noise and at least ({least}) sigma: no other alpha can be asked for")


def check_conditions(*, key: str, version: str, problems: Sequence[Mapping[str, float]]) -> Finding:
    """Check that the hypotheses of theorem `key` hold at its own mu and parameter block on each of `problems`; return a Finding."""
    theorem, constants, worst, checked = bounds.THEOREMS[key], Constants(version=version), 0.0, 0
    used = {"s": constants.s_used, "C_abs": constants.C_abs, "c_abs": constants.c_used, "L": 1e9, "curvature": 1.0}
    for problem in problems:
        found = fixed_point_given_noise(**problem, constants=constants)
        worst = max(worst, abs(found.log_factor / max(found.entries) - 1))
        entries = theorem.evaluate(**problem, log_factor=found.log_factor, **used).checked
        failed = tuple(p.told(entry.caveat) for entry in entries if not entry.holds and entry.condition.kind == "hypothesis")
        checked += len(entries)
        if failed:
            witness = {**p.spell_keys(problem), "s": used["s"], "C": used["C_abs"], "mu": found.log_factor, "fails": failed}
            sentence = f"{len(failed)} of {len(entries)} conditions fail at its own parameters: {'; '.join(failed)}"
            return Record({"conditions": len(entries)}).refute(sentence, witness)
    record = Record({"problems": len(problems), "conditions evaluated": checked, "largest |mu / largest entry - 1|": worst})
    if worst > 1e-9:  # `given_noise` is within 1e-12 of the root
        record.leave_open("mu is not the largest of its entries; the fixed point must be looked at")
    return record.conclude(f"all conditions hold at the parameters of {len(problems)} problems")


def check_step_count(*, accuracy: float, s: float, mu: float) -> Finding:
    """Check that the step count T of (79) is at most 1e15 at a given accuracy, s and mu; return a Finding."""
    at = block(accuracy=accuracy, s=s, log_factor=mu, ell=1.0, rho=1.0)
    Q, T = round_step_counts(at, s=s, U=1.0, omega=0.1, rho=1.0, log_factor=mu, version="printed", base="e")
    psi = accuracy / (16 * s * mu**2)
    record = Record({"eta": at.eta, "Gamma": at.Gamma, "R": at.radius, "Q": Q, "T": T, "admissible psi": psi})
    if abs(T / p.formula_value(p.FORMULAS["steps_79"], p.problem_values(s=s) | {p.mu: mu, p.psi: psi}) - 1) > 1e-9:
        record.leave_open("the library's T is not that of (79)")
    if T > 1e15:
        record.refute(f"T = {T:.2g} steps of size eta = {at.eta:.2g}", {"alpha": accuracy, "s": s, "mu": mu, **record.numbers})
    return record.conclude(f"T = {T:.2g}")
