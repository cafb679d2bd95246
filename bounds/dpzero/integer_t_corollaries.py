"""Why the floor of T* keeps the printed guarantees of Corollaries F.2, F.3 and F.4, although they prescribe a real T*.

Setting   T is the floor of T* = 8 kappa D log(Y), D = d for F.2 and r + 2 for F.3 and F.4; T* >= 1, Y > 1. R is the rate, 1/(ell Y).
Measure   the certified bound, with sigma computed from the integer T, against the printed bound.
Source    ours. The cut off `excess` makes the first term larger by a factor exp(v), v = excess/(8 kappa D), the noise smaller by more.
"""

from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero import corollary_f4, theorem3
from bounds.dpzero.corollaries_f2_f3 import F2, F3, Corollary
from bounds.dpzero.integer_t import front, log_at_least_1
from bounds.dpzero.pl import D_NOW, PL, meaning_of_Y, of_lam_sq
from bounds.dpzero.shared import CALIBRATED, X_LARGER_THAN_1
from bounds.inequalities import Instance
from bounds.lines import Step, line, times
from bounds.meanings import NOW_ABOVE_LEAST
from bounds.symbols import B, C, L, L_tilde, T, X, Y, alpha, d, ell, gap, grad_sq, kappa, lam, mu, n, r, symbols

D, excess, log_X, R, v, D_last, D_all = symbols("D excess log_X R v D_last D_all")

fall = 8 * L**2 * excess * R / D  # what the noise term of F.2 and F.3 loses
big_X_pl = front * kappa**2 * Y * n * (r + 2) * (d + (8 * ell * (r + 2) + mu) * B / L**2)
first = sp.exp(-mu * alpha * T / 2)
per_step = 1 / (8 * kappa * D)  # times log(Y): the inverse of T*


def proof() -> Derivation:
    """Write the proof out."""
    at_floor = ("certified_F.4", "one_over_X", "first_term", "growth_rank", "noise_falls_F.4", "clipping_falls", "lam_for_bias")
    per_T, T_real = L**2 * T / (8 * kappa * D) + 2 * L_tilde**2 * T / D, 8 * kappa * D * sp.log(Y)
    pages = (("F.2", F2), ("F.3", F3), ("F.4", corollary_f4))
    key, meets = "dpzero.corollary_f4", {"step_size": "step_size_rank", "pl": "pl_all", "C": "C_F.4"}
    facts = (
        *theorem3.ON_THE_LOSS,
        line("kappa", kappa, "=", ell / mu).says("the condition number").defined(),
        line("alpha", alpha, "=", 1 / (4 * ell * D)).says("the printed step size").defined(),
        *(CALIBRATED, NOW_ABOVE_LEAST),
        line("R", R, "=", 1 / (ell * Y)).says("the rate").defined(),
        line("v", v, "=", excess / (8 * kappa * D)).says("the share of T* that is cut off, times log(Y)").defined(),
        line("start", gap, "<=", L**2 / (2 * mu)).says("the PL inequality and the Lipschitz constant give gap <= L^2/(2 mu)").assumed(),
        *(D_NOW, PL),
        line("pl_all", grad_sq, ">=", 2 * mu * D_all).says("the same, clipped or not").assumed(),
        corollary_f4.OVER,
        line("floor", 8 * kappa * D * sp.log(Y), "=", T + excess).says("T is the floor of T*, excess is what is cut off").case(),
        line("Y_at_least_1", Y, ">=", 1).says("Y >= 1, so T* is not negative").assumed(),
        line("less_than_1", excess, "<=", 1).says("T is the floor of T*").case(),
        line("D_is_d", D, "=", d).says("in Corollary F.2").case(),
        line("D_is_rank", D, "=", r + 2).says("in Corollaries F.3 and F.4").case(),
        line("C_is_largest", C, "=", L * d).says("in Corollaries F.2 and F.3").case(),
        *_page_facts(F2, "d"),
        *_page_facts(F3, "rank"),
        # what Corollary F.4 prescribes, and its bound at the printed threshold
        X_LARGER_THAN_1,
        line("X", X, "=", corollary_f4.log_argument).says("in Corollary F.4").defined(),
        line("L_tilde", L_tilde, "=", 8 * L * sp.sqrt(sp.log(X))).says("in Corollary F.4").defined(signs=("X_larger_than_1",)),
        line("log_X", log_X, "=", sp.log(X)).says("the logarithm of X").defined(signs=("X_larger_than_1",)),
        line("C_F.4", C, "=", L_tilde / 2).says("in Corollary F.4").case(),
        line("Y_F.4", Y, "=", corollary_f4.log_argument_T).says("in Corollary F.4").case(),
        line("lam_for_clipping", lam, "<=", corollary_f4.lam_for_clipping).says("in Corollary F.4, the first end of the rule").case(),
        line("lam_for_bias", lam, "<=", corollary_f4.lam_for_bias).says("in Corollary F.4, the second end of the rule").case(),
        line("square", L_tilde**2, "=", 64 * L**2 * sp.log(X)).says("in Corollary F.4").shown(key, "L_tilde_squared"),
        line("one_over_X", sp.exp(-(L_tilde**2) / (64 * L**2)), "<=", 1 / X).says("in Corollary F.4").shown(key, "one_over_X"),
        line("certified_F.4", D_last, "<=", corollary_f4.before_at_threshold)
        .says("Corollary F.4 at the printed threshold, for any T")
        .shown(key, "at_threshold", meets=meets),
    )
    steps = (
        # that the printed schedules are among those of the bounds for any schedule, and what the rates are
        line("threshold", C, ">=", L * d).says("the printed C").because("it is that").inserting("C_is_largest"),
        line("step_size_d", alpha, "<=", 1 / (4 * ell * d)).says("the printed alpha").because("it is that").inserting("alpha", "D_is_d"),
        line("step_size_rank", alpha, "<=", 1 / (4 * ell * (r + 2)))
        .says("the printed alpha", "it is that")
        .inserting("alpha", "D_is_rank"),
        *(meaning_of_Y(page.rate, f"rate_{name}", f"Y_{name}") for name, page in pages),
        *(
            line(f"R_{name}", page.rate, "=", R)
            .says(f"the rate of Corollary {name} is R", "both are 1 / (ell Y)")
            .identity((1, f"rate_{name}"), (-1, "R"))
            for name, page in pages
        ),
        *(
            line(f"noise_{name}", page.noise, "=", 8 * L**2 * page.rate * T / D)
            .says(f"the noise term of Corollary {name} with the printed alpha and C, in T and D", "insert them")
            .inserting("alpha", "C_is_largest", dimension)
            for name, page, dimension in (("F.2", F2, "D_is_d"), ("F.3", F3, "D_is_rank"))
        ),
        # what happens at T = T* - excess: the first term grows by exp(v), the noise term falls
        line("exponent", sp.log(Y), "<=", mu * alpha * T / 2 + v)
        .says("at the floor T, the exponent of the first term, through log(Y) and v")
        .because("insert alpha and T* = 8 kappa D log(Y); the two are equal")
        .by(modulo=((mu * T / 2, "alpha"), (mu * T / (8 * D * ell * kappa), "kappa"), (1, "v"), (-per_step, "floor"))),
        line("first_term", first, "<=", sp.exp(v) / Y)
        .says("so the exponential of -mu alpha T / 2 is at most exp(v) / Y", "the exponential is increasing")
        .by((sp.exp(v) / Y, Instance("decay", ("exponent",)))),
        line("noise_falls", 8 * L**2 * R * T / D, "=", 64 * L**2 * kappa * sp.log(Y) * R - fall)
        .says("the noise term of F.2 and F.3, 64 L^2 kappa log(Y) R T / T*, falls", "T = T* - excess")
        .identity((-8 * L**2 * R / D, "floor")),
        line("small_start", ell * gap, "<=", kappa * L**2 / 2)
        .says("gap at the start: ell gap <= kappa L^2 / 2", "kappa = ell / mu")
        .by((ell, "start"), modulo=((L**2 / 2, "kappa"),)),
        line("kappa_at_least_1", kappa, ">=", 1).says("kappa is at least 1", "mu <= ell").by((1 / mu, "mu <= ell"), modulo=((1, "kappa"),)),
        *_growth("d", ((per_step, "d >= 1"),)),
        *_growth("rank", ((per_step, r + 1),)),
        _keeps(F2, "d"),
        _keeps(F3, "rank"),
        # that L_tilde^2 >= 64 L^2 in Corollary F.4, because log(X) >= 1
        line("log_argument", corollary_f4.log_argument, "=", big_X_pl)
        .says("F.4: the argument of its logarithm with n, kappa and Y", "n^2 epsilon^2 / (r A) = kappa Y")
        .inserting("Y_F.4"),
        line("at_least_e", big_X_pl, ">=", sp.E)
        .says("that, with n >= 1, is at least e when Y >= 1", "kappa, n, d and Y are at least 1")
        .by(
            *times(front * kappa**2 * Y * n * (r + 2), (8 * ell * (r + 2) + mu) * B / L**2, "d >= 1"),
            (front * (r + 2) * Y * n * (kappa + 1), "kappa_at_least_1"),
            (front * (r + 2) * Y, "n >= 1"),
            (front * (r + 2), "Y_at_least_1"),
            front * r,
            2 * front - sp.E,
        ),
        log_at_least_1("log_argument"),
        line("L_tilde_large", L_tilde**2, ">=", 64 * L**2)
        .says("so the square of L_tilde is at least", "L_tilde^2 = 64 L^2 log(X)")
        .by((64 * L**2, "log_at_least_1"), modulo=((1, "square"), (-64 * L**2, "log_X")))
        .claimed_where("L_tilde", "log_X", "log_at_least_1"),
        # that the floor keeps the printed bound of Corollary F.4
        line("noise_F.4", corollary_f4.noise, "=", 2 * L_tilde**2 * corollary_f4.rate * T / D)
        .says("the noise term of Corollary F.4 with the printed alpha and C, in T and D", "insert them")
        .inserting("alpha", "C_F.4"),
        line("noise_falls_F.4", 2 * L_tilde**2 * R * T / D, "<=", 16 * L_tilde**2 * kappa * sp.log(Y) * R - fall)
        .says("the noise term of F.4 falls by 2 L_tilde^2 excess R / D, at least as much as that of F.2", "L_tilde^2 >= 64 L^2 >= 4 L^2")
        .by((2 * excess * R / D, "L_tilde_large"), 120 * L**2 * excess * R / D, modulo=((2 * L_tilde**2 * R / D, "floor"),)),
        line("clipping_F.4", corollary_f4.cost / X, "=", L**2 * corollary_f4.rate * T / (8 * kappa * D))
        .says("the clipping term of Corollary F.4 with the printed alpha and X, in T and D", "insert them")
        .inserting("alpha", "X", "D_is_rank"),
        line("clipping_falls", L**2 * R * T / (8 * kappa * D), "<=", L**2 * sp.log(Y) * R)
        .says("the clipping term L^2 log(Y) R T / T* falls too; lam does not depend on T", "T <= T*")
        .by(L**2 * R * excess / (8 * kappa * D), modulo=((L**2 * R / (8 * kappa * D), "floor"),)),
        line("keeps_F.4", D_last, "<=", corollary_f4.bound)
        .says("Corollary F.4: the expected loss at the end above the smallest one is at most the printed bound")
        .because("what the first term gains, the noise term loses")
        .by(
            "certified_F.4",
            (corollary_f4.cost, "one_over_X"),
            (gap, "first_term"),
            "growth_rank",
            "noise_falls_F.4",
            "clipping_falls",
            (of_lam_sq, "lam_for_bias", corollary_f4.lam_for_bias + lam),
            modulo=(
                (ell * gap + (L**2 + 16 * L_tilde**2 * kappa) * sp.log(Y) - per_T, "R_F.4"),
                (ell * gap * sp.exp(v), "R"),
                *times(-1, "noise_F.4", "clipping_F.4"),
                (-64 * kappa * L**2 * R, "v"),
            ),
        )
        .claimed_where("X", "L_tilde", "Y_F.4", "kappa", "R", "alpha", "C_F.4", "D_is_rank", "floor", "v", *at_floor)
        .within({T: (sp.Max(1, T_real - 1), T_real)}),
    )
    return Derivation("dpzero.integer_t_corollaries", "the floor of T* keeps Corollaries F.2, F.3 and F.4", "our proof", steps, facts)


def _page_facts(page: Corollary, dimension: str) -> tuple[Step, ...]:
    """Return what Corollary F.2 or F.3 prescribes, and its bound before the schedule is chosen."""
    name, meets = page.number, {"step_size": f"step_size_{dimension}"}
    any_schedule = line(f"certified_{name}", D_last, "<=", page.before).says(f"Corollary {name} for any schedule")
    return (
        line(f"Y_{name}", Y, "=", page.log_argument).says(f"in Corollary {name}").case(),
        line(f"lam_{name}", lam, "<=", page.largest_lam).says(f"in Corollary {name}").case(),
        any_schedule.shown(page.THEOREM.key, "any_schedule", meets=meets),
    )


def _growth(dimension: str, terms: tuple[tuple[Any, ...], ...]) -> tuple[Step, ...]:
    """Return that the first term grows by no more than the noise term falls; `terms` add up to (D - 1) / (8 kappa D)."""
    small, case = f"small_{dimension}", f"D_is_{dimension}"
    return (
        line(small, v, "<=", sp.Rational(1, 8))
        .says("v = excess / (8 kappa D) is at most 1/8", "excess <= 1, kappa >= 1, D >= 1")
        .by((per_step, "less_than_1"), (sp.Rational(1, 8) / kappa, "kappa_at_least_1"), *terms, modulo=((-1, "v"), (per_step, case))),
        line(f"growth_{dimension}", ell * gap * R * (sp.exp(v) - 1), "<=", 64 * kappa * L**2 * R * v)
        .says("the first term grows by no more than the noise term falls, in v")
        .because("ell gap <= kappa L^2 / 2, and exp(v) - 1 <= 128 v on [0, 1/8]")
        .by(
            *times(R, ("small_start", Instance("exponential", v)), ("small_start", v)),
            (kappa * L**2 * R / 2, sp.exp(v), Instance("exponential", -v)),
            *times(64 * kappa * L**2 * R, (v, sp.exp(v), Instance("exponential", -v)), (v, sp.exp(v), small)),
            (sp.Rational(111, 2) * kappa * L**2 * R, v, sp.exp(v)),
        ),
    )


def _keeps(page: Corollary, dimension: str) -> Step:
    """Return that the floor keeps the printed bound of Corollary F.2 or F.3."""
    name, words = page.number, "the expected loss at the end above the smallest one is at most the printed bound; lam does not depend on T"
    return (
        line(f"keeps_{name}", D_last, "<=", page.bound)
        .says(f"Corollary {name}: {words}", "what the first term gains, the noise term loses")
        .by(
            f"certified_{name}",
            (gap, "first_term"),
            f"growth_{dimension}",
            (of_lam_sq, f"lam_{name}", page.largest_lam + lam),
            modulo=(
                (ell * gap + 64 * L**2 * kappa * sp.log(Y) - 8 * L**2 * T / D, f"R_{name}"),
                (ell * gap * sp.exp(v), "R"),
                *times(-1, f"noise_{name}", "noise_falls"),
                (-64 * kappa * L**2 * R, "v"),
            ),
        )
    )
