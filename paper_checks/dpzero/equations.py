"""The numbered equations (3) to (23) of DPZero: the steps from one to the next, certified and attacked, and compared with the print.

What an equation rests on is the equations and lemmas before it, which have claims of their own; a claim here is about the step in
between. `chains` examines every proof as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sympy as sp
from scipy import special

import bounds
from bounds.dpzero.smoothing import grad_f_sq
from bounds.inequalities import is_zero
from bounds.symbols import A, C, L, T, alpha, d, ell, epsilon, lam, n, r, sigma
from paper_checks.dpzero import formulas, printed
from paper_checks.steps import examine_parts
from paper_checks.verdict import Claim, Finding, Kind, Outcome


def derived(*, equation: str, lines: Mapping[str, tuple[str, ...]], samples: int) -> Finding:
    """Examine the lines, by name within their derivations, that lead to an equation, and compare the last one with the print."""
    finding = examine_parts([(bounds.DERIVATIONS[key], names) for key, names in lines.items()], samples=samples)
    if finding.outcome not in (Outcome.PROVED, Outcome.CONSISTENT):
        return finding
    key, names = list(lines.items())[-1]
    last = bounds.DERIVATIONS[key][names[-1]]
    if f"({equation})" not in last.statement or not is_zero(last.rhs.xreplace({grad_f_sq: printed.a_sq}) - printed.EQUATIONS[equation]):
        sentence = f"what is derived is not the formula printed as ({equation}): {sp.sstr(last.rhs)}; comparing the two would settle it"
        return Finding(Outcome.INCONCLUSIVE, sentence, finding.numbers)
    return replace(finding, sentence=f"{finding.sentence}; the result is the formula printed as ({equation})")


def concentration(*, dimensions: tuple[int, ...], points: int) -> Finding:
    """Compare the exact tails of two functions that meet the hypothesis of (8) with its right-hand side."""
    tail = sp.lambdify([printed.d, printed.gamma], printed.EQUATIONS["8"], "math")
    worst, at, tried = 0.0, (0, 0.0), 0
    for dimension in dimensions:
        for k in range(points + 1):
            angle = k / points * sp.pi.evalf() / 2
            for gamma, reached in ((float(angle), float(sp.sin(angle))), (float(sp.sin(angle)), float(sp.sin(angle)))):
                exact = float(special.betainc((dimension - 1) / 2, 0.5, 1 - reached**2))
                tried += 1
                if exact > worst * tail(dimension, gamma):
                    worst, at = exact / tail(dimension, gamma), (dimension, gamma)
    numbers: dict[str, Any] = {"tried": tried, "largest tail / bound": worst}
    if worst > 1:
        witness: dict[str, Any] = {"d": at[0], "gamma": at[1], "tail / bound": worst}
        return Finding(Outcome.REFUTED, f"at d = {at[0]}, gamma = {at[1]:g} the exact tail exceeds the bound", numbers, witness)
    sentence = (
        f"cited, not proved here; for h(x) = x_1 and for the angle to the equator, which grows as fast as (8) allows, the exact tail "
        f"never exceeds {worst:.3f} of the bound at {tried} points"
    )
    return Finding(Outcome.CONSISTENT, sentence, numbers)


def one_step_with_c(*, equation: str) -> Finding:
    """Expand (12) or (15) at lam = 0, C = L d and the paper's sigma, and compare with (4) or (6), c = 16 ell L^2 T A / (n epsilon)^2."""
    source, shape = {"4": ("12", d**3), "6": ("15", r * d**2)}[equation]
    c = 16 * ell * L**2 * T * A / (n**2 * epsilon**2)
    at = printed.EQUATIONS[source].xreplace({sigma: printed.SIGMA}).xreplace({C: L * d, lam: sp.Integer(0)})
    slope = {"4": 1 - 2 * d * ell * alpha, "6": 1 - 2 * (r + 2) * ell * alpha}[equation]
    claimed = printed.F_now - alpha / 2 * slope * printed.grad_sq + c * alpha**2 * shape
    if is_zero(at - claimed) and not c.has(alpha, d, r):
        sentence = (
            f"({source}) at lam = 0, C = L d is ({equation}) with c = 16 ell L^2 T A / (n epsilon)^2, which holds T but neither alpha nor d"
        )
        return Finding(Outcome.PROVED, sentence, {"c": sp.sstr(c)})
    point = {letter: sp.Integer(2 + i) for i, letter in enumerate(sorted((at - claimed).free_symbols, key=str))}
    witness: dict[str, Any] = {letter.name: int(value) for letter, value in point.items()}
    witness |= {f"({source})": float(at.xreplace(point)), f"({equation})": float(claimed.xreplace(point))}
    return Finding(Outcome.REFUTED, f"({source}) at lam = 0 differs from ({equation})", {"c": sp.sstr(c)}, witness)


CERTIFIED = "each step is an identity or a sum of non-negative terms"


def _claim(equation: str, place: str, words: str, lines: Mapping[str, tuple[str, ...]]) -> Claim:
    return Claim(
        key=f"dpzero.equation_{equation}.derived",
        source=f"{place}, equation ({equation})",
        words=words,
        latex=formulas.EQUATIONS[equation],
        kind=Kind.IDENTITY if equation in ("13", "17") else Kind.INEQUALITY,
        expected=Outcome.PROVED,
        why=CERTIFIED,
        examine=derived,
        arguments={"equation": equation, "lines": lines, "samples": 40},
        full={"samples": 1000},
        derivations=tuple(lines),
    )


T1, T2, T3 = "dpzero.theorem1", "dpzero.theorem2", "dpzero.theorem3"
C1, C2, TAIL = "dpzero.lemma_c1", "dpzero.lemma_c2", "dpzero.section4_tail"
TO_7 = (
    "clips", "failure", "averaged", "noise_term", "kept", "enough_threshold", "square_at_threshold", "exponential", "kept_at_threshold",
    "alpha_T", "first_term", "noise_at_schedule", "L_tilde_squared", "L_tilde_at_least", "one_over_X", "clipping_at_schedule", "bound",
)  # fmt: skip

CLAIMS = (
    _claim("3", "Theorem 1", "(3) follows from (12) with the printed alpha, T, C and lambda, once the decreases telescope",
           {T1: ("averaged", "noise_term", "kept", "quarter", "any_schedule", "first_term", "noise_at_schedule", "bound")}),
    Claim(
        key="dpzero.equation_4.derived",
        source="Remark 3.3, equation (4)",
        words="With lambda -> 0 and C = L d, (12) is (4) with a c that depends neither on alpha nor on d as long as T is kept fixed",
        latex=formulas.EQUATIONS["4"],
        kind=Kind.IDENTITY,
        stated="reading",
        expected=Outcome.PROVED,
        why="c = 16 ell L^2 T A / (n epsilon)^2",
        examine=one_step_with_c,
        arguments={"equation": "4"},
        derivations=(T1,),
    ),
    _claim("5", "Theorem 2", "(5) follows from (15) with the printed alpha, T, C and lambda, once the decreases telescope",
           {T2: ("averaged", "noise_term", "kept", "quarter", "any_schedule", "alpha_T", "first_term", "noise_at_schedule", "bound")}),
    Claim(
        key="dpzero.equation_6.derived",
        source="Remark 3.6, equation (6)",
        words="With lambda -> 0 and C = L d, (15) is (6) with a c that depends neither on alpha nor on d as long as T is kept fixed",
        latex=formulas.EQUATIONS["6"],
        kind=Kind.IDENTITY,
        stated="reading",
        expected=Outcome.PROVED,
        why="c = 16 ell L^2 T A / (n epsilon)^2",
        examine=one_step_with_c,
        arguments={"equation": "6"},
        derivations=(T2,),
    ),
    _claim("7", "Theorem 3", "(7) follows from (23), the tail bound and the union bound with the printed alpha, T, C and lambda",
           {T3: TO_7}),
    Claim(
        key="dpzero.equation_8.tail",
        source="Appendix C, equation (8)",
        words="A function on the sphere that changes by no more than the angle has the tail 2 sqrt(2 pi) exp(-d gamma^2/8)",
        latex=formulas.EQUATIONS["8"],
        kind=Kind.INEQUALITY,
        expected=Outcome.CONSISTENT,
        why="cited from Wainwright (2019), Example 3.12; the exact tails of two such functions stay far below it",
        examine=concentration,
        arguments={"dimensions": (2, 3, 4, 5, 7, 10, 20, 100, 1000, 100_000), "points": 25},
        full={"points": 400},
        derivations=(C1,),
    ),
    _claim("11", "Appendix C", "(11), the second moment of the two-point gradient, follows from two Taylor remainders and Lemma C.1",
           {C2: ("square", "second_moment")}),
    _claim("12", "Appendix D", "(12) follows from the descent lemma and Lemma C.2",
           {T1: ("noise_averaged", "one_step")}),
    _claim("13", "Appendix D", "(13) follows from Taylor's theorem and the moments of the noise",
           {T2: ("noise_averaged",)}),
    _claim("14", "Appendix D", "(14) follows from two Taylor remainders",
           {C2: ("square",)}),
    _claim("15", "Appendix D", "(15) follows from (13), (14) and Lemmas C.1 and C.2",
           {T2: ("curvature", "one_step")}),
    _claim("16", "Appendix E", "(16): two Taylor remainders of an ell-smooth sample over 2 lambda are ell lambda d/2",
           {TAIL: ("remainder",)}),
    _claim("17", "Appendix E", "(17) follows from Taylor's theorem and the moments of the noise, given that step t clips nothing",
           {T3: ("noise_averaged",)}),
    _claim("18", "Appendix E", "(18): a non-negative variable has E[W | Q_t] <= E[W] / P(Q_t)", {T3: ("conditioned",)}),
    _claim("19", "Appendix E", "(19) follows from (18) and the bound on E G'HG in the proof of Theorem 2",
           {T2: ("curvature",), T3: ("curvature_given_Q_t",)}),
    _claim("20", "Appendix E", "(20) follows from (18), Lemma C.1 (iv) and the effective rank", {T3: ("direction_given_Q_t",)}),
    _claim("21", "Appendix E", "(21) follows from total probability, Lemma C.2 and the Lipschitz constant",
           {T3: ("estimate_at_most", "worst_case", "inner_product")}),
    _claim("22", "Appendix E", "(22) follows from (17), (19), (20) and (21)", {T3: ("one_step",)}),
    _claim("23", "Appendix E", "(23) follows from (22) at alpha = 1/(4 ell (r + 2)) and |F_S| <= B",
           {T3: ("per_step", "split", "given_Q")}),
)  # fmt: skip
