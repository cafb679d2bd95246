"""Why any rounding of T* to an integer of at least 1 keeps Theorems 1 and 2, although they prescribe a real T*.

Setting   the certified bound cert(T): the bound before the schedule is chosen, at the printed alpha, C and lam, with sigma computed
          from the integer T, and capped by the trivial bound L^2. D is d for Theorem 1, r + 2 for Theorem 2.
Measure   cert(T) against the printed bound.
Source    ours: (1 + 2 ell alpha)/2 <= 3/4 leaves a quarter of the lam term.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import sympy as sp

from bounds.derivation import GIVENS, Case, Defined, Derivation, NonNegative, Shown, Step, Substitution, fact, line
from bounds.dpzero import theorem1, theorem2
from bounds.dpzero.shared import CALIBRATED, CEILING, FLOOR, IN_NORM_OF_H, IS_LIPSCHITZ
from bounds.symbols import C, L, T, alpha, d, ell, gap, lam, r, symbols

T_star, D, slack, mean_grad_sq = symbols("T_star D slack mean_grad_sq")

half = sp.Rational(1, 2)
cert = 16 * ell * D * gap / T + 16 * L**2 * D / T_star * (slack + T / T_star)
claim = 16 * ell * D * gap / T_star + 32 * L**2 * D / T_star


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.integer_t_theorems_1_2",
        title="any rounding of T* keeps Theorems 1 and 2",
        source="our proof",
        facts=(
            IS_LIPSCHITZ,
            *IN_NORM_OF_H,
            fact("C", "the printed threshold, in both theorems", C, "=", L * d, Defined()),
            CALIBRATED,
            *_printed_facts("1", theorem1, d, 1 / (4 * d)),
            *_printed_facts("2", theorem2, r + 2, r / (4 * d * (r + 2))),
            fact("few_steps", "T* <= 4", T_star, "<=", 4, Case()),
            fact("more_steps", "T* >= 4", T_star, ">=", 4, Case()),
            fact("small_start", "ell gap is small", ell * gap, "<=", L**2 * T / 4, Case()),
            fact("large_start", "ell gap is large", ell * gap, ">=", L**2 * T / 4, Case()),
            *CEILING,
            *FLOOR,
        ),
        steps=(
            line("threshold", "the printed C", C, ">=", L * d, "it is that", Substitution(("C",))),
            *_printed_steps("1", theorem1, ((1, "d >= 1"),), ((1 / (4 * d), "d >= 1"),)),
            *_printed_steps("2", theorem2, ((r + 1,),), ((1 / (4 * d), "d >= 1"), (1 / (2 * d * (r + 2)),))),
            *_any_rounding("1", theorem1),
            *_any_rounding("2", theorem2),
        ),
    )


def _printed_facts(number: str, page: ModuleType, dimension: Any, left: Any) -> tuple[Step, ...]:
    """Return the printed schedule of Theorem 1 or 2 with T free, what the letters of this page stand for there, and its certified bound."""
    case, meets = f"in Theorem {number}", {"step_size": f"step_size_{number}"}
    return (
        fact(f"alpha_{number}", case, alpha, "=", page.largest_alpha, Case()),
        fact(f"lam_{number}", case, lam, "=", page.largest_lam, Case()),
        fact(f"T_star_{number}", case, T_star, "=", page.best_T, Case()),
        fact(f"D_{number}", case, D, "=", dimension, Case()),
        fact(f"slack_{number}", case, slack, "=", half + left, Case()),
        fact(f"kept_{number}", case, mean_grad_sq, "<=", page.kept, Shown(f"dpzero.theorem{number}", "kept", meets=meets)),
    )


def _printed_steps(number: str, page: ModuleType, dimension: tuple[Any, ...], quarter: tuple[Any, ...]) -> tuple[Step, ...]:
    """Return the certified and the printed bound of Theorem 1 or 2 in T, T*, D and slack, and what D and slack are at least and at most.

    `dimension` are terms of D - 1, `quarter` those of 3/4 - slack.
    """
    return (
        line(
            f"step_size_{number}",
            f"alpha in Theorem {number}",
            alpha,
            "<=",
            page.largest_alpha,
            "it is that",
            Substitution((f"alpha_{number}",)),
        ),
        line(
            f"dimension_{number}",
            f"D in Theorem {number}",
            D,
            ">=",
            1,
            "the dimensions are",
            NonNegative(dimension, modulo=((1, f"D_{number}"),)),
            where=GIVENS,
        ),
        line(
            f"quarter_{number}",
            f"slack in Theorem {number}: at least a quarter of the lam term is left",
            slack,
            "<=",
            sp.Rational(3, 4),
            "d >= 1",
            NonNegative(quarter, modulo=((-1, f"slack_{number}"),)),
            where=GIVENS,
        ),
        line(
            f"certified_{number}",
            f"Theorem {number}: the certified bound, in T, T*, D and slack",
            page.kept,
            "=",
            cert,
            "insert alpha, C, lam",
            Substitution((f"alpha_{number}", "C", f"lam_{number}", f"T_star_{number}", f"D_{number}", f"slack_{number}")),
        ),
        line(
            f"printed_{number}",
            f"Theorem {number}: and the printed one, in T* and D",
            page.bound,
            "=",
            claim,
            "insert T*",
            Substitution((f"T_star_{number}", f"D_{number}")),
        ),
    )


def _any_rounding(number: str, page: ModuleType) -> tuple[Step, ...]:
    """Return the comparison of the two bounds, or of the printed one with L^2, in each case, and what follows."""
    dimension, quarter, place = f"dimension_{number}", f"quarter_{number}", f"Theorem {number}"
    return (
        line(
            f"few_steps_trivial_{number}",
            f"{place}: T* <= 4: the printed bound exceeds L^2",
            claim,
            ">",
            L**2,
            "32 D / T* >= 8",
            NonNegative(
                (
                    (16 * ell * D * gap / T_star,),
                    (32 * L**2 / T_star, dimension),
                    (L**2 / T_star, "few_steps"),
                    (28 * L**2 / T_star,),
                )
            ),
            where=GIVENS,
        ),
        line(
            f"at_ceiling_{number}",
            f"{place}: T* >= 4, T the ceiling",
            cert,
            "<=",
            claim,
            "T* <= T <= T* + 1 <= (5/4) T*",
            NonNegative(
                (
                    (16 * ell * D * gap / (T * T_star), "ceiling"),
                    (16 * L**2 * D / T_star, quarter),
                    (16 * L**2 * D / T_star**2, "ceiling_below"),
                    (4 * L**2 * D / T_star**2, "more_steps"),
                )
            ),
            where=GIVENS,
        ),
        line(
            f"at_floor_{number}",
            f"{place}: T* >= 1, T the floor, ell gap <= L^2 T/4",
            cert,
            "<=",
            claim,
            "what the first term grows by is covered by the quarter",
            NonNegative(
                (
                    (4 * L**2 * D / T_star, "floor_above"),
                    (16 * D / (T * T_star), "small_start", "floor"),
                    (16 * L**2 * D / T_star, quarter),
                    (16 * L**2 * D / T_star**2, "floor"),
                )
            ),
            where=GIVENS,
        ),
        line(
            f"large_start_trivial_{number}",
            f"{place}: T* >= 1, T the floor, ell gap >= L^2 T/4: the printed bound exceeds L^2",
            claim,
            ">",
            L**2,
            "16 ell D gap / T* >= 4 D L^2 T/T* >= 2 L^2, since T* <= T + 1 <= 2 T",
            NonNegative(
                (
                    (16 * D / T_star, "large_start"),
                    (4 * L**2 * T / T_star, dimension),
                    (2 * L**2 * T / T_star,),
                    (L**2 / T_star, "floor_above"),
                    (L**2 / T_star, "T >= 1"),
                    (32 * L**2 * D / T_star,),
                )
            ),
            where=GIVENS,
        ),
        *(
            line(
                f"keeps_{at}_{number}",
                f"{place}: so the average of the squared gradient norms is at most the printed bound",
                mean_grad_sq,
                "<=",
                page.bound,
                "the certified bound is at most the printed one",
                NonNegative(((f"kept_{number}",), (f"at_{at}_{number}",)), modulo=((-1, f"certified_{number}"), (1, f"printed_{number}"))),
                where=GIVENS,
            )
            for at in ("ceiling", "floor")
        ),
    )
