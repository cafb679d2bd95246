"""Theorem 2, (5), (6), (13) and (15): DPGD-0th with a low rank, and Remark 3.6."""

from __future__ import annotations

import sympy as sp

import bounds
from bounds.inequalities import is_zero
from bounds.symbols import d, ell, lam, r, sigma, symbols
from paper_checks.dpzero.statement import equation, formulas_of, runs, whole_chain
from paper_checks.dpzero.theorem1 import one_step
from paper_checks.verdict import Finding, Kind, claim, inconclusive, proved

T2 = "dpzero.theorem2"


def shrinks_by_rank() -> Finding:
    """Divide the step and the noise in the norm of H, as bounded under Assumption 3.5, by those in the Euclidean norm times ell."""
    trace, grad_sq = r * ell, symbols("grad_sq")[0]
    step = (2 * ell * (r + 2) * grad_sq) / (ell * 2 * d * grad_sq)  # (15) against (12), lam -> 0
    noise = sigma**2 * trace / (ell * d * sigma**2)
    held = [bounds.DERIVATIONS["dpzero.theorem2"]["curvature"].rhs.xreplace({lam: sp.Integer(0)}), 2 * ell * (r + 2) * grad_sq]
    if is_zero(held[0] - held[1]) and is_zero(step - (r + 2) / d) and is_zero(noise - r / d):
        return proved("the bounds shrink by (r + 2)/d and by r/d", {"step": "(r + 2)/d", "noise": "r/d"})
    return inconclusive("the theory bounds the step by another constant than the paper; comparing the two would settle it")


TO_5 = ("averaged", "noise_term", "kept", "quarter", "any_schedule", "alpha_T", "first_term", "noise_at_schedule", "bound")
COUNT_TEX = r"nT = \mathcal{O}(n^2\sqrt r/d)"
CLAIMS = (
    *formulas_of("theorem2", "Theorem 2", COUNT_TEX, {"n": ("2", 0), "d": ("-1", 0), "r": ("1/2", 0)}),
    whole_chain("theorem2", "Theorem 2, Appendix D", "The whole chain of Theorem 2, from the algorithm to (5)"),
    equation("5", "Theorem 2", "(5) follows from (15) with the printed alpha, T, C and lambda, once the decreases telescope", {T2: TO_5}),
    *one_step("6", "Remark 3.6, equation (6)", "15", T2, r"c\,\alpha^2rd^2"),
    equation(
        "13", "Appendix D", "(13) follows from Taylor's theorem and the moments of the noise", {T2: ("noise_averaged",)}, Kind.IDENTITY
    ),
    equation("15", "Appendix D", "(15) follows from (13), (14) and Lemmas C.1 and C.2", {T2: ("curvature", "one_step")}),
    claim("dpzero.remark_3_6.factor", "Remark 3.6", Kind.EXPONENT)
    .says("In the norm of H, step and noise are smaller by a factor of order r/d", r"\mathcal{O}(r/d)")
    .proved("(r + 2)/d and r/d")
    .derived("dpzero.theorem2")
    .examined(shrinks_by_rank),
    *runs("theorem2", "Theorem 2, Eq. (5)", fails=("quadratic",), d=2),
)
