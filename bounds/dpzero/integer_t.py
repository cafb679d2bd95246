"""Why an integer T keeps the printed guarantees of Theorems 1, 2 and 3, although they prescribe a real T*.

Setting   the certified bound cert(T): the bound before the schedule is chosen, at the printed alpha, C and lam, with sigma computed
          from the integer T, and capped by the trivial bound (L^2, under PL L^2/(2 mu)). D is d for Theorem 1, r + 2 for Theorems 2, 3.
Measure   cert(T) against the printed bound.
Source    ours; Remark F.5 of DPZero only says T = max(T*, 1) and min(bound, L^2).

Theorems 1, 2   any rounding to an integer of at least 1: (1 + 2 ell alpha)/2 <= 3/4 leaves a quarter of the lam term.
Theorem 3       the better of floor and ceiling when T* >= 1, for the same quarter of the lam term. DP-GD too: `dp_gd.integer_t_proof`.
F.2, F.3, F.4   the floor when T* >= 1 and Y > 1, with the whole lam term: see `integer_t_corollaries`.
When T* < 1, T = 1 in the theorems: the output is x_0, no noise is used, and the printed bound exceeds L^2.
"""

from types import ModuleType
from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero import theorem1, theorem2, theorem3
from bounds.dpzero.shared import CALIBRATED, IN_NORM_OF_H, IS_LIPSCHITZ, LARGER_TERM, WHOLE_T, X_LARGER_THAN_1, lam_rule
from bounds.inequalities import Instance
from bounds.lines import Step, line, times
from bounds.symbols import B, C, L, L_tilde, T, X, alpha, d, ell, gap, lam, n, r, symbols

T_star, D, slack, a_T, b_T, log_X, mean_grad_sq = symbols("T_star D slack a_T b_T log_X mean_grad_sq")
half = sp.Rational(1, 2)
cert = 16 * ell * D * gap / T + 16 * L**2 * D / T_star * (slack + T / T_star)
claim = 16 * ell * D * gap / T_star + 32 * L**2 * D / T_star


def theorems_1_2() -> Derivation:
    """Write the proof out."""
    facts = (
        IS_LIPSCHITZ,
        *IN_NORM_OF_H,
        line("C", C, "=", L * d).says("the printed threshold, in both theorems").defined(),
        CALIBRATED,
        *_printed_facts("1", theorem1, d, 1 / (4 * d)),
        *_printed_facts("2", theorem2, r + 2, r / (4 * d * (r + 2))),
        line("few_steps", T_star, "<=", 4).says("T* <= 4").case(),
        line("more_steps", T_star, ">=", 4).says("T* >= 4").case(),
        line("small_start", ell * gap, "<=", L**2 * T / 4).says("ell gap is small").case(),
        line("large_start", ell * gap, ">=", L**2 * T / 4).says("ell gap is large").case(),
        *WHOLE_T,
    )
    steps = (
        line("threshold", C, ">=", L * d).says("the printed C").because("it is that").inserting("C"),
        *_printed_steps("1", theorem1, ((1, "d >= 1"),), ((1 / (4 * d), "d >= 1"),)),
        *_printed_steps("2", theorem2, ((r + 1,),), ((1 / (4 * d), "d >= 1"), (1 / (2 * d * (r + 2)),))),
        *_any_rounding("1", theorem1),
        *_any_rounding("2", theorem2),
    )
    return Derivation("dpzero.integer_t_theorems_1_2", "any rounding of T* keeps Theorems 1 and 2", "our proof", steps, facts)


def _printed_facts(number: str, page: ModuleType, dimension: Any, left: Any) -> tuple[Step, ...]:
    """Return the printed schedule of Theorem 1 or 2 with T free, what the letters of this page stand for there, and its certified bound."""
    case, meets = f"in Theorem {number}", {"step_size": f"step_size_{number}"}
    return (
        line(f"alpha_{number}", alpha, "=", page.largest_alpha).says(case).case(),
        line(f"lam_{number}", lam, "=", page.largest_lam).says(case).case(),
        line(f"T_star_{number}", T_star, "=", page.best_T).says(case).case(),
        line(f"D_{number}", D, "=", dimension).says(case).case(),
        line(f"slack_{number}", slack, "=", half + left).says(case).case(),
        line(f"kept_{number}", mean_grad_sq, "<=", page.kept).says(case).shown(f"dpzero.theorem{number}", "kept", meets=meets),
    )


def _printed_steps(number: str, page: ModuleType, dimension: tuple[Any, ...], quarter: tuple[Any, ...]) -> tuple[Step, ...]:
    """Return the certified and the printed bound of Theorem 1 or 2 in T, T*, D and slack, and what D and slack are at least and at most.

    `dimension` are terms of D - 1, `quarter` those of 3/4 - slack.
    """
    return (
        line(f"step_size_{number}", alpha, "<=", page.largest_alpha)
        .says(f"alpha in Theorem {number}", "it is that")
        .inserting(f"alpha_{number}"),
        line(f"dimension_{number}", D, ">=", 1)
        .says(f"D in Theorem {number}", "the dimensions are")
        .by(*dimension, modulo=((1, f"D_{number}"),)),
        line(f"quarter_{number}", slack, "<=", sp.Rational(3, 4))
        .says(f"slack in Theorem {number}: at least a quarter of the lam term is left", "d >= 1")
        .by(*quarter, modulo=((-1, f"slack_{number}"),)),
        line(f"certified_{number}", page.kept, "=", cert)
        .says(f"Theorem {number}: the certified bound, in T, T*, D and slack", "insert alpha, C, lam")
        .inserting(f"alpha_{number}", "C", f"lam_{number}", f"T_star_{number}", f"D_{number}", f"slack_{number}"),
        line(f"printed_{number}", page.bound, "=", claim)
        .says(f"Theorem {number}: and the printed one, in T* and D", "insert T*")
        .inserting(f"T_star_{number}", f"D_{number}"),
    )


def _any_rounding(number: str, page: ModuleType) -> tuple[Step, ...]:
    """Return the comparison of the two bounds, or of the printed one with L^2, in each case, and what follows."""
    dimension, quarter, place = f"dimension_{number}", f"quarter_{number}", f"Theorem {number}"
    first, unit = 16 * ell * D * gap / T_star, L**2 * D / T_star
    return (
        line(f"few_steps_trivial_{number}", claim, ">", L**2)
        .says(f"{place}: T* <= 4: the printed bound exceeds L^2", "32 D / T* >= 8")
        .by(first, (32 * L**2 / T_star, dimension), (L**2 / T_star, "few_steps"), 28 * L**2 / T_star),
        line(f"at_ceiling_{number}", cert, "<=", claim)
        .says(f"{place}: T* >= 4, T the ceiling", "T* <= T <= T* + 1 <= (5/4) T*")
        .by((first / T, "ceiling"), (16 * unit, quarter), (16 * unit / T_star, "ceiling_below"), (4 * unit / T_star, "more_steps")),
        line(f"at_floor_{number}", cert, "<=", claim)
        .says(f"{place}: T* >= 1, T the floor, ell gap <= L^2 T/4", "what the first term grows by is covered by the quarter")
        .by(
            (4 * unit, "floor_above"), (16 * D / (T * T_star), "small_start", "floor"), (16 * unit, quarter), (16 * unit / T_star, "floor")
        ),
        line(f"large_start_trivial_{number}", claim, ">", L**2)
        .says(f"{place}: T* >= 1, T the floor, ell gap >= L^2 T/4: the printed bound exceeds L^2")
        .because("16 ell D gap / T* >= 4 D L^2 T/T* >= 2 L^2, since T* <= T + 1 <= 2 T")
        .by(
            (16 * D / T_star, "large_start"),
            (4 * L**2 * T / T_star, dimension),
            2 * L**2 * T / T_star,
            *times(L**2 / T_star, "floor_above", "T >= 1"),
            32 * unit,
        ),
        *(
            line(f"keeps_{at}_{number}", mean_grad_sq, "<=", page.bound)
            .says(f"{place}: so the average of the squared gradient norms is at most the printed bound")
            .because("the certified bound is at most the printed one")
            .by(f"kept_{number}", f"at_{at}_{number}", modulo=((-1, f"certified_{number}"), (1, f"printed_{number}")))
            for at in ("ceiling", "floor")
        ),
    )


# --- Theorem 3 ----------------------------------------------------------------------------------------------------------------------
cert_3 = 16 * ell * D * gap / T + (64 * log_X + 1) * L**2 * D * T / (4 * T_star**2) + slack * L**2 * D / (4 * T_star)
claim_3 = 16 * ell * D * gap / T_star + (64 * log_X + 2) * L**2 * D / (4 * T_star)
lam_end = theorem3.lam_for_bias
front = 32 * sp.sqrt(2 * sp.pi)
big_X = front * n * T_star**2 * (d + 8 * ell * B * (r + 2) / L**2) / (r + 2)
LOGARITHM = ("L_tilde", "log_X")  # the definitions behind "square", which alone does not say what one letter is
rounded, at_real_T = a_T / T + b_T * T, a_T / T_star + b_T * T_star + b_T / T


def theorem_3() -> Derivation:
    """Write the proof out."""
    above_48 = "at_least_48"
    facts = (
        *theorem3.HYPOTHESES,
        *lam_rule(theorem3.lam_for_clipping, lam_end),
        X_LARGER_THAN_1,
        line("alpha", alpha, "=", theorem3.largest_alpha).says("the printed step size").defined(),
        line("C", C, "=", 4 * L_tilde).says("the printed threshold").defined(),
        CALIBRATED,
        line("X", X, "=", theorem3.log_argument).says("the printed argument of the logarithm").defined(),
        line("L_tilde", L_tilde, "=", L * sp.sqrt(sp.log(X))).says("as printed").defined(signs=("X_larger_than_1",)),
        line("log_X", log_X, "=", sp.log(X)).says("the logarithm itself").defined(signs=("X_larger_than_1",)),
        line("T_star", T_star, "=", theorem3.best_T).says("the printed T").defined(),
        line("D", D, "=", r + 2).says("r + 2").defined(),
        line("slack", slack, "=", half + r / (4 * d * (r + 2))).says("what is left of the lam term").defined(),
        line("a_T", a_T, "=", 16 * ell * D * gap).says("what is divided by T").defined(),
        line("b_T", b_T, "=", (64 * log_X + 1) * L**2 * D / (4 * T_star**2)).says("what is multiplied by T").defined(),
        line("kept", mean_grad_sq, "<=", theorem3.kept_at_threshold)
        .says("Theorem 3 at the printed threshold, for any T")
        .shown("dpzero.theorem3", "kept_at_threshold"),
        line("square", L_tilde**2, "=", L**2 * sp.log(X))
        .says("the square of L_tilde, as in Theorem 3")
        .shown("dpzero.theorem3", "L_tilde_squared"),
        line("one_over_X", sp.exp(-(L_tilde**2) / L**2), "<=", 1 / X).says("as in Theorem 3").shown("dpzero.theorem3", "one_over_X"),
        line("a_step", T_star, ">=", 1).says("T* >= 1").case(),
        line("few_steps", T_star, "<=", 16 * D * log_X).says("T* <= 16 D log(X)").case(),
        line("more_steps", T_star, ">=", 16 * D * log_X).says("T* >= 16 D log(X)").case(),
        *LARGER_TERM,
        *WHOLE_T,
    )
    steps = (
        # the steps to the certified bound and the printed one, in T, T*, D, slack and the logarithm
        line("first_term", 4 * gap / (alpha * T), "=", 16 * ell * D * gap / T)
        .says("the term of gap with the printed alpha", "insert alpha")
        .inserting("alpha", "D"),
        line("noise_term", theorem3.noise, "=", 16 * L_tilde**2 * D * T / T_star**2)
        .says("the noise term with the printed alpha and C, in L_tilde", "insert them")
        .inserting("alpha", "C", "T_star", "D"),
        line("L_tilde_squared", L_tilde**2, "=", L**2 * log_X)
        .says("the square of L_tilde", "write log_X for the logarithm")
        .identity((1, "square"), (-(L**2), "log_X"))
        .claimed_where(*LOGARITHM),
        line("clipping_term", theorem3.cost / X, "=", L**2 * D * T / (4 * T_star**2))
        .says("the clipping term with the printed alpha and X", "insert them")
        .inserting("alpha", "X", "T_star", "D"),
        line("lam_term", ell**2 * lam_end**2 * d**2 * (d + 2 * ell * alpha * r) / 2, "=", slack * L**2 * D / (4 * T_star))
        .says("the term of lam with slack, at the second end of the rule", "insert alpha")
        .inserting("alpha", "slack", "T_star", "D"),
        line("certified", mean_grad_sq, "<=", cert_3)
        .says("so the average of the squared gradient norms is at most the certified bound, for every lam up to the second end of the rule")
        .because("the schedule has the smaller of two ends for lam")
        .by(
            "kept",
            (theorem3.cost, "one_over_X"),
            (ell**2 * d**2 * (d + 2 * ell * alpha * r) / 2, "lam_for_bias", lam_end + lam),
            modulo=(
                *((-1, name) for name in ("first_term", "noise_term", "clipping_term", "lam_term")),
                (-16 * D * T / T_star**2, "L_tilde_squared"),
            ),
        )
        .claimed_where(*LOGARITHM, "alpha", "C", "X", "T_star", "D", "slack", "kept", "one_over_X", "lam_for_bias"),
        line("printed_terms", theorem3.bound, "=", claim_3.subs(log_X, L_tilde**2 / L**2))
        .says("and the printed bound, in T*, D and L_tilde", "insert T*")
        .inserting("T_star", "D"),
        line("printed", theorem3.bound, "=", claim_3)
        .says("that is, in T*, D and the logarithm of X", "insert L_tilde")
        .identity((1, "printed_terms"), (16 * D / T_star, "L_tilde_squared"))
        .claimed_where(*LOGARITHM, "T_star", "D"),
        # the steps to log(X) >= 1, and to the case in which the printed bound exceeds L^2
        line("log_argument", theorem3.log_argument, "=", big_X)
        .says("the argument of the logarithm with n and T*", "n^2 epsilon^2 / (r A) = 16 T*^2 / (r + 2)^2")
        .inserting("T_star"),
        line("at_least_e", big_X, ">=", sp.E)
        .says("that, with n >= 1, is at least e when T* >= 1", "r <= d gives d/(r + 2) >= 1/3")
        .by(
            8 * front * n * T_star**2 * ell * B / L**2,
            *times(front * d / (r + 2), (T_star**2, "n >= 1"), (T_star + 1, "a_step")),
            (front / (3 * (r + 2)), "r <= d"),
            (2 * front / (3 * (r + 2)), "d >= 1"),
            front / 3 - sp.E,
        ),
        log_at_least_1("log_argument"),
        line("few_steps_trivial", claim_3, ">", L**2)
        .says("T* <= 16 D log(X): the printed bound exceeds L^2", "16 D log(X) / T* >= 1")
        .by(16 * ell * D * gap / T_star, (L**2 / T_star, "few_steps"), L**2 * D / (2 * T_star)),
        # the steps on a/T + b T at the ceiling and at the floor, and on b/T
        line("up", rounded, "<=", at_real_T)
        .says("a_T/T + b_T T at the ceiling, when a >= b T*^2", "the excess is at most b (T - T*)^2 / T")
        .by((1 / (T * T_star), "ceiling", "first_larger"), (b_T / T, "ceiling_below"), (b_T / T, "ceiling_below", "ceiling")),
        line("down", rounded, "<=", at_real_T)
        .says("a_T/T + b_T T at the floor, when a <= b T*^2", "the excess is at most b (T* - T)^2 / T")
        .by((1 / (T * T_star), "floor", "first_smaller"), (b_T / T, "floor_above"), (b_T / T, "floor_above", "floor")),
        line(above_48, T_star, ">=", 48 * log_X)
        .says("T_star >= 16 D log(X) is at least 48 log(X)", "D >= 3")
        .by("more_steps", (16 * log_X, "r >= 1"), modulo=((16 * log_X, "D"),)),
        line("steps_above_ceiling", T, ">=", T_star - 1)
        .says("the ceiling T is no less than the floor, so the next line is for both", "T >= T*")
        .by("ceiling", 1),
        *(
            line(f"enough_{name}", 4 * (64 * log_X + 1), "<=", T * T_star)
            .says(f"b/T is at most a quarter of L^2 rate, that is, T T* against log_X, at the {name}", "T >= T* - 1 and log(X) >= 1")
            .by(
                (T_star, above_floor),
                1996,
                (4304, "log_at_least_1"),
                (2304, "log_at_least_1", "log_at_least_1"),
                (95, above_48),
                (96, "log_at_least_1", above_48),
                (above_48, above_48),
            )
            for name, above_floor in (("ceiling", "steps_above_ceiling"), ("floor", "floor_above"))
        ),
        line("quarter", slack, "<=", sp.Rational(3, 4))
        .says("slack leaves a quarter of the lam term", "d >= 1")
        .by((1 / (4 * d), "d >= 1"), 1 / (2 * d * (r + 2)), modulo=((-1, "slack"),)),
        *_keeps_3(),
    )
    return Derivation("dpzero.integer_t_theorem_3", "the better of floor and ceiling of T* keeps Theorem 3", "our proof", steps, facts)


def log_at_least_1(argument: str) -> Step:
    """Return the step that log(X) is at least 1, from "at_least_e", for X as in the line named `argument`."""
    return (
        line("log_at_least_1", log_X, ">=", 1)
        .says("so log_X, the logarithm of X, is at least 1", "exp(y) >= 1 + y at y = 1 - log(X), and exp(y) = e/X <= 1")
        .by(Instance("exponential", 1 - sp.log(X)), (1 / X, "at_least_e"), modulo=((1 / X, "X"), (1 / X, argument), (1, "log_X")))
    )


def _keeps_3() -> tuple[Step, ...]:
    """Return for ceiling and floor that cert(T) <= cert(T*) + L^2 rate / 4, which is at most the printed bound."""
    steps: list[Step] = []
    for name, excess in (("ceiling", "up"), ("floor", "down")):
        steps += [
            line(f"cert_{name}", cert_3, "<=", claim_3)
            .says(f"a >= b T*^2 at the ceiling, a <= b T*^2 at the floor: cert(T) at the {name} is at most the printed bound")
            .because("cert(T) <= cert(T*) + L^2 rate / 4, and a quarter of the lam term is unused")
            .by(
                excess,
                (L**2 * D / (16 * T * T_star**2), f"enough_{name}"),
                (L**2 * D / (4 * T_star), "quarter"),
                modulo=((1 / T - 1 / T_star, "a_T"), (T - T_star - 1 / T, "b_T")),
            ),
            line(f"keeps_{name}", mean_grad_sq, "<=", theorem3.bound)
            .says("so the average of the squared gradient norms is at most the printed bound")
            .because("the certified bound is at most the printed one")
            .by("certified", f"cert_{name}", modulo=((1, "printed"),))
            .claimed_where(*LOGARITHM, "T_star", "D", "certified", f"cert_{name}"),
        ]
    return tuple(steps)
