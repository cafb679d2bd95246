"""Theorem 1 and Remark 1: its conditions at its own parameters, what fails in all, and the number of steps."""

from collections.abc import Mapping, Sequence

import sympy as sp

import bounds
from bounds.gauss_psgd.block import Constants, block, counts
from bounds.gauss_psgd.fixed_point import given_noise
from paper_checks.examine.formulas import monomial
from paper_checks.examine.witness import false_line
from paper_checks.gauss_psgd import printed as p
from paper_checks.verdict import Finding, Kind, claim, consistent, inconclusive, proved, question, reading, refuted


def not_comparable() -> Finding:
    """Read how alpha moves with psi in (5), and whether a smaller alpha can be had at a given sigma."""
    (in_psi,) = monomial(p.in_psi(p.alpha), p.psi)
    ratio = p.in_psi(p.alpha) / p.psi
    smallest = p.in_psi(p.alpha).xreplace({p.psi: p.THREE})
    grows = sp.diff(smallest, p.r).is_nonnegative  # r only makes it larger, so alpha is at least its value at r = 0
    floor = sp.simplify(smallest.subs(p.r, 0) / p.sigma)
    numbers = {"power of psi in alpha": str(in_psi), "alpha / psi": p.written(ratio), "least alpha / sigma": p.written(floor)}
    if in_psi == 1 and grows and floor.is_positive and not floor.has(p.alpha):
        least = p.written(floor)
        sentence = f"alpha = ({p.written(ratio)}) psi is fixed by the noise and at least ({least}) sigma: no other alpha can be asked for"
        return proved(sentence, numbers)
    return inconclusive("alpha is not a multiple of psi", numbers)


def at_own_parameters(*, key: str, version: str, problems: Sequence[Mapping[str, float]]) -> Finding:
    """Evaluate the conditions of Theorem 1, printed or repaired, at the mu and the block that it defines for a problem."""
    theorem, constants, worst = bounds.THEOREMS[key], Constants(version=version), 0.0
    checked = 0
    for problem in problems:
        found = given_noise(**problem, constants=constants)
        worst = max(worst, abs(found.log_factor / max(found.entries) - 1))
        evaluation = theorem.evaluate(
            **problem, log_factor=found.log_factor, s=constants.s_used, C_abs=constants.C_abs, c_abs=constants.c_used, L=1e9, curvature=1.0
        )
        failed = [p.told(entry.caveat) for entry in evaluation.checked if not entry.holds and entry.condition.kind == "hypothesis"]
        checked += len(evaluation.checked)
        if failed:
            witness = {**p.lettered(problem), "s": constants.s_used, "C": constants.C_abs, "mu": found.log_factor, "fails": tuple(failed)}
            sentence = f"{len(failed)} of {len(evaluation.checked)} conditions fail at its own parameters: {'; '.join(failed)}"
            return refuted(sentence, {"conditions": len(evaluation.checked)}, witness)
    numbers = {"problems": len(problems), "conditions evaluated": checked, "largest |mu / largest entry - 1|": worst}
    if worst > 1e-9:  # given_noise promises 1e-12 beyond the root
        return inconclusive("mu is not the largest of its entries; the fixed point must be looked at", numbers)
    return consistent(f"all conditions hold at the parameters of {len(problems)} problems", numbers)


def own_parameters(*, accuracy: float, s: float, mu: float) -> Finding:
    """Compute (5), Q and T at a fixed accuracy and mu, and compare the steps with 1e15: years of any computer."""
    at = block(accuracy=accuracy, s=s, log_factor=mu, ell=1.0, rho=1.0)
    Q, T = counts(at, s=s, U=1.0, omega=0.1, rho=1.0, log_factor=mu, version="printed", base="e")
    psi = accuracy / (16 * s * mu**2)
    numbers = {"eta": at.eta, "Gamma": at.Gamma, "R": at.radius, "Q": Q, "T": T, "admissible psi": psi}
    if abs(T / p.number(p.T_79, p.problem(s=s) | {p.mu: mu, p.psi: psi}) - 1) > 1e-9:
        return inconclusive("the library's T is not that of (79)", numbers)
    if T > 1e15:
        return refuted(f"T = {T:.2g} steps of size eta = {at.eta:.2g}", numbers, {"alpha": accuracy, "s": s, "mu": mu, **numbers})
    return consistent(f"T = {T:.2g}", numbers)


PROBLEMS = tuple(
    {"psi": psi, "added_noise": psi * share / d**0.5, "d": d, "ell": ell, "rho": 1.0, "U": U, "omega": 0.1}
    for psi, share, d, ell, U in (
        (1e-17, 0.7, 10.0, 1.0, 1.0),
        (1e-18, 0.1, 1000.0, 1.0, 10.0),
        (1e-15, 1e-3, 2.0, 10.0, 1.0),
        (1e-17, 1.0, 1.0, 1.0, 1e3),
    )
)
CLAIMS = (
    claim("gauss_psgd.remark1.alpha_is_an_output", "Remark 1", Kind.SCOPE)
    .says("The two step counts cannot be compared: here alpha is fixed by sigma and r")
    .formula(r"\psi := \sqrt{\sigma^2 + r^2d},\quad \chi := 4\sqrt Cs\mu^2\psi,\quad \alpha := 4\chi")
    .proved("(3) inserted in (5)")
    .examined(not_comparable),
    reading("gauss_psgd.theorem1.at_its_parameters", "Theorem 1 with (5), (6)", Kind.INEQUALITY)
    .says("With (5), (6) and s = 51200 every step of the proof goes through")
    .refuted("(42), (71) and the second entry of (6) fail")
    .corrected("With one more iota in eta and in Phi, another second entry and an entry for all escapes", by="repaired.at_its_parameters")
    .examined(at_own_parameters, key="gauss_psgd.theorem1", version="printed", problems=PROBLEMS),
    question("gauss_psgd.theorem1.runnable", "Theorem 1 at alpha = 0.1; s = 51200, mu = 10", Kind.SCOPE)
    .says("Its number of steps can be taken")
    .refuted("T has s^4", instead="Scaled parameters can be run")
    .examined(own_parameters, accuracy=0.1, s=51_200.0, mu=10.0),
    *reading("gauss_psgd.theorem1.printed_union", "proof of Lemma 6, for Theorem 1", Kind.INEQUALITY)
    .says("What fails has probability omega in all: omega/2 by Lemma 5, omega/2 by Lemma 2, and nothing by Lemma 4")
    .formula(r"\frac\omega2 + \frac\omega2 + \frac U\Phi2e^{-\iota} \le \omega")
    .refuted("2 exp(-iota) of Lemma 4 at every escape is not counted; it is next to nothing at s = 51200, where iota is at least 51200")
    .corrected(
        "With a further entry log(4 Q N/omega)/s of mu, for N = 1 + U/Phi phases of Q rounds, they add up to 3 omega/2",
        r"\frac\omega2 + \frac\omega2 + QN2e^{-\iota} \le \frac32\omega \text{ for } "
        r"\mu \ge \frac1s\log\frac{4QN}\omega,\ N = 1 + \frac U\Phi",
    )
    .closed(false_line, "repaired_block: rounds_fail phases_fail failure"),
)
