"""The clipping threshold of Appendix B.2, C = O(L sqrt(log(n d))), against the C of Theorem 3 and the L of first-order methods."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sympy as sp

import bounds
from bounds.derivation import GIVENS, Derivation, NonNegative, line
from bounds.inequalities import Instance, is_zero
from bounds.symbols import GLOSSARY, A, B, C, L, X, d, ell, epsilon, n, r
from paper_checks.dpzero import printed
from paper_checks.dpzero.degenerate import LOWER_X
from paper_checks.dpzero.orders import at_values, logarithm
from paper_checks.steps import examine_parts, examine_steps
from paper_checks.verdict import Claim, Finding, Kind, Outcome

b = B * ell / L**2  # ell B / L^2, which no unit of loss or length changes
X_MOST = 6 * sp.sqrt(2 * sp.pi) * n**3 * d * epsilon**2 * (1 + 24 * b)
front = 2 * sp.sqrt(2 * sp.pi) * n**3 * epsilon**2
THRESHOLD = Derivation(
    key="dpzero.theorem3.threshold",
    title="the threshold of Theorem 3 is of order L sqrt(log(n d))",
    source="our proof, from the printed X",
    steps=(
        line(
            "X_is_at_most",
            "the X of the print, in n, d, epsilon and ell B/L^2",
            printed.X_3,
            "<=",
            X_MOST,
            "A >= 1, 1 <= r <= d",
            NonNegative(
                (
                    (front, 3 / A, d + 8 * b * (r + 2), "A >= 1"),
                    (front, 2 / (r * A), d + 8 * b * (r + 2), "r >= 1"),
                    (front, 24 * b, "r <= d"),
                    (front, 48 * b, "d >= 1"),
                )
            ),
            where=GIVENS,
        ),
        line(
            "log_X",
            "so (C/L)^2 = 16 log X is at most 48 log(n d) and what depends on epsilon and ell B/L^2",
            16 * sp.log(printed.X_3),
            "<=",
            48 * sp.log(n * d) + 16 * sp.log(6 * sp.sqrt(2 * sp.pi) * epsilon**2 * (1 + 24 * b)),
            "e^y >= 1 + y at y = log(X / the bound), and log d >= 0",
            NonNegative(
                (
                    (16, Instance("exponential", sp.log(printed.X_3 / X_MOST))),
                    (16 / X_MOST, "X_is_at_most"),
                    *((32, *term) for term in logarithm(d)),
                )
            ),
            where=GIVENS,
        ),
    ),
)


def threshold_ratio() -> Any:
    """Return C / (L sqrt(log(n d))) of Theorem 3 in constants, as printed."""
    page = printed.PAGES["dpzero.theorem3"]
    return page.in_constants(C) / (L * sp.sqrt(sp.log(n * d)))


def threshold_order(*, samples: int) -> Finding:
    """Prove C <= L sqrt(48 log(n d) + constant), the constant in epsilon and ell B/L^2 alone, and take the limits in n, in d, and r = d."""
    page, theorem = printed.PAGES["dpzero.theorem3"], bounds.THEOREMS["dpzero.theorem3"]
    if not is_zero(theorem.in_constants(C) ** 2 - page.in_constants(C) ** 2):
        return Finding(Outcome.INCONCLUSIVE, "the theory holds another C than the print; comparing the two would settle it")
    finding = examine_steps(THRESHOLD, samples=samples)
    if finding.outcome is not Outcome.PROVED:
        return finding
    squared = threshold_ratio() ** 2
    limits = {
        "n": sp.limit(at_values(squared, keep=n), n, sp.oo),
        "d": sp.limit(at_values(squared, keep=d), d, sp.oo),
        "d = r": sp.limit(at_values(squared.xreplace({r: d}), keep=d), d, sp.oo),
    }
    numbers = {**finding.numbers, **{f"limit of C/(L sqrt(log(n d))) in {name}": float(sp.sqrt(one)) for name, one in limits.items()}}
    if not all(0 < one <= 48 for one in limits.values()):
        return Finding(Outcome.INCONCLUSIVE, f"a limit is not positive, or above what was proved: {limits}", numbers)
    words = ", ".join(f"{float(sp.sqrt(one)):.4g} in {name}" for name, one in limits.items())
    return replace(finding, sentence=f"{finding.sentence}; C/(L sqrt(log(n d))) tends to {words}", numbers=numbers)


def threshold_everywhere(*, constant: float, values: Mapping[str, float]) -> Finding:
    """Let epsilon, and B, grow with n and d fixed: C/(L sqrt(log(n d))) must stay bounded if its constant depends on nothing."""
    ratio, letters = threshold_ratio(), {"epsilon": epsilon, "B": B}
    limits = {name: sp.limit(at_values(ratio**2, keep=one), one, sp.oo) for name, one in letters.items()}
    numbers = {f"limit of (C/L)^2/log(n d) in {name}": sp.sstr(one) for name, one in limits.items()}
    at = {GLOSSARY[name].symbol: sp.Float(value, 40) for name, value in values.items()}
    reached = float(ratio.xreplace(at).evalf(20))
    if all(one == sp.oo for one in limits.values()) and reached > constant:
        sentence = (
            f"C/(L sqrt(log(n d))) grows without end in epsilon and in B; it is {reached:.4g} at n = {values['n']:g}, d = {values['d']:g}"
        )
        return Finding(Outcome.REFUTED, sentence, numbers, {**values, "C/(L sqrt(log(n d)))": reached})
    return Finding(Outcome.CONSISTENT, f"the limits are finite, or {constant:g} is not exceeded: {reached:.4g}", numbers)


def higher_threshold(*, samples: int) -> Finding:
    """Prove C = 4 L sqrt(log X) > 7 L where T* >= 1 and r <= d, from X >= 32 sqrt(2 pi)/3; DP-GD needs no more than L."""
    least, of_T_star = LOWER_X.conclusion.rhs, bounds.DERIVATIONS["dpzero.integer_t_theorem_3"]
    finding = examine_parts(((of_T_star, ("log_argument",)), (LOWER_X, ())), samples=samples)
    page, first_order = printed.PAGES["dpzero.theorem3"], bounds.THEOREMS["dpzero.dp_gd"].schedule["C"]
    if not is_zero((page.schedule["C"].xreplace({printed.L_tilde: page.definitions["L_tilde"]})) - 4 * L * sp.sqrt(sp.log(X))):
        return Finding(Outcome.INCONCLUSIVE, "C of the print is not 4 L sqrt(log X)", finding.numbers)
    factor = 4 * sp.sqrt(sp.log(least))
    numbers = {**finding.numbers, "least C / L": float(factor), "C / L of DP-GD": float(first_order / L)}
    if finding.outcome is not Outcome.PROVED:
        return finding
    if not (factor > 7 and is_zero(first_order - L)):
        return Finding(Outcome.INCONCLUSIVE, f"C is at least {float(factor):.4g} L, DP-GD's {first_order}", numbers)
    return replace(finding, sentence=f"{finding.sentence}; so C >= 4 sqrt(log X) L >= {float(factor):.4g} L", numbers=numbers)


T3, CLIPPING = "dpzero.theorem3", "Appendix B.2, clipping threshold"
CLAIMS = (
    Claim(
        key="dpzero.appendix_b2.threshold_order",
        source=CLIPPING,
        words="The threshold of Theorem 3 is O(L sqrt(log(n d))) as n and d grow, with the constant fixed by epsilon and ell B/L^2",
        latex=r"C \le L\sqrt{48\log(nd) + 16\log\left(6\sqrt{2\pi}\,\varepsilon^2(1 + 24\ell B/L^2)\right)}",
        kind=Kind.INEQUALITY,
        stated="reading",
        expected=Outcome.PROVED,
        why="X grows like n^3 d, and 1 <= r <= d, A >= 1 bound the rest",
        examine=threshold_order,
        arguments={"samples": 60},
        full={"samples": 1000},
        derivations=(T3,),
    ),
    Claim(
        key="dpzero.appendix_b2.threshold_for_every_epsilon",
        source=f"{CLIPPING}, read with a constant that depends on nothing",
        words="The threshold of Theorem 3 is at most a constant times L sqrt(log(n d)), for every epsilon and B",
        latex=r"C = \mathcal{O}(L\sqrt{\log(nd)})",
        kind=Kind.SCOPE,
        stated="reading",
        expected=Outcome.REFUTED,
        why="X holds epsilon^2 and ell B/L^2 as well, and grows with them while n d stays",
        examine=threshold_everywhere,
        arguments={
            "constant": 4 * math.sqrt(3) + 1,  # the largest limit in n or d is 4 sqrt(3)
            "values": {"n": 100, "d": 10, "r": 2, "epsilon": 2, "delta": 1e-6, "L": 1, "ell": 1, "B": 1e6},
        },
        correction="The logarithm is of n d epsilon (1 + ell B/L^2): see the inequality of the claim named here",
        repaired_by="dpzero.appendix_b2.threshold_order",
        derivations=(T3,),
    ),
    Claim(
        key="dpzero.appendix_b2.higher_than_first_order",
        source=CLIPPING,
        words="Where Theorem 3 takes a step, T* >= 1 and r <= d, its threshold is above 7 L, and so above the L of first-order methods",
        latex=r"T^* \ge 1,\ r \le d \;\Rightarrow\; 4\tilde L > 7L",
        kind=Kind.INEQUALITY,
        stated="reading",
        expected=Outcome.PROVED,
        why="X >= 32 sqrt(2 pi)/3; for d below 50 the worst case L sqrt(d) would be enough and is smaller",
        examine=higher_threshold,
        arguments={"samples": 60},
        full={"samples": 1000},
        derivations=(T3,),
    ),
)
