"""Why the floor of T* keeps the printed guarantees of Corollaries F.2, F.3 and F.4, although they prescribe a real T*.

Setting   T is the floor of T* = 8 kappa D log(Y), D = d for F.2 and r + 2 for F.3 and F.4; T* >= 1, Y > 1. R is the rate, 1/(ell Y).
Measure   the certified bound, with sigma computed from the integer T, against the printed bound.
Source    ours. The cut off `excess` makes the first term larger by a factor exp(v), v = excess/(8 kappa D), the noise smaller by more.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import sympy as sp

from bounds.derivation import GIVENS, Assumed, Case, Defined, Derivation, Identity, NonNegative, Shown, Step, Substitution, fact, line
from bounds.dpzero import corollary_f2, corollary_f3, corollary_f4, theorem3
from bounds.dpzero.integer_t_proof import front, log_at_least_1
from bounds.dpzero.pl import meaning_of_Y
from bounds.dpzero.shared import CALIBRATED, X_above_one
from bounds.inequalities import Instance
from bounds.meanings import STEP_ABOVE_LEAST
from bounds.symbols import B, C, L, L_tilde, T, X, Y, alpha, d, ell, gap, kappa, lam, mu, n, r, symbols

D, excess, log_X, R, v, D_last, D_now, D_all, D_over = symbols("D excess log_X R v D_last D_now D_all D_over")
F_now, F_star, grad_sq = symbols("F_now F_star grad_sq")

fall = 8 * L**2 * excess * R / D  # what the noise term of F.2 and F.3 loses
big_X_pl = front * kappa**2 * Y * n * (r + 2) * (d + (8 * ell * (r + 2) + mu) * B / L**2)
first = sp.exp(-mu * alpha * T / 2)


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.integer_t_corollaries",
        title="the floor of T* keeps Corollaries F.2, F.3 and F.4",
        source="our proof",
        facts=(
            *theorem3.HYPOTHESES[:-1],
            fact("kappa", "the condition number", kappa, "=", ell / mu, Defined()),
            fact("alpha", "the printed step size", alpha, "=", 1 / (4 * ell * D), Defined()),
            *(CALIBRATED, STEP_ABOVE_LEAST[0]),
            fact("R", "the rate", R, "=", 1 / (ell * Y), Defined()),
            fact("v", "the share of T* that is cut off, times log(Y)", v, "=", excess / (8 * kappa * D), Defined()),
            fact("start", "the PL inequality and the Lipschitz constant give gap <= L^2/(2 mu)", gap, "<=", L**2 / (2 * mu), Assumed()),
            fact("D_now", "D_t is how far the loss is above F_S^*", D_now, "=", F_now - F_star, Defined(signs=("now_above_least",))),
            fact("pl", "the PL inequality, in expectation", grad_sq, ">=", 2 * mu * D_now, Assumed()),
            fact("pl_all", "the same, clipped or not", grad_sq, ">=", 2 * mu * D_all, Assumed()),
            fact("over", "|F_S| <= B and |F_S^*| <= B", D_over, "<=", 2 * B, Assumed()),
            fact("floor", "T is the floor of T*, excess is what is cut off", 8 * kappa * D * sp.log(Y), "=", T + excess, Case()),
            fact("Y_at_least_1", "Y >= 1, so T* is not negative", Y, ">=", 1, Assumed()),
            fact("less_than_1", "T is the floor of T*", excess, "<=", 1, Case()),
            fact("D_is_d", "in Corollary F.2", D, "=", d, Case()),
            fact("D_is_rank", "in Corollaries F.3 and F.4", D, "=", r + 2, Case()),
            fact("C_is_largest", "in Corollaries F.2 and F.3", C, "=", L * d, Case()),
            *_page_facts("F.2", corollary_f2, "d", corollary_f2.log_argument),
            *_page_facts("F.3", corollary_f3, "rank", corollary_f3.log_argument),
            *_facts_f4(),
        ),
        steps=(
            *_schedules(),
            *_at_floor(),
            line(
                "kappa_at_least_1",
                "kappa is at least 1",
                kappa,
                ">=",
                1,
                "mu <= ell",
                NonNegative(((1 / mu, "mu <= ell"),), modulo=((1, "kappa"),)),
                where=GIVENS,
            ),
            *_growth("d", ((1 / (8 * kappa * D), "d >= 1"),)),
            *_growth("rank", ((1 / (8 * kappa * D), r + 1),)),
            *_keeps("F.2", corollary_f2, "d"),
            *_keeps("F.3", corollary_f3, "rank"),
            *_logarithm(),
            *_keeps_f4(),
        ),
    )


def _page_facts(name: str, page: ModuleType, dimension: str, argument: Any) -> tuple[Step, ...]:
    """Return what Corollary F.2 or F.3 prescribes, and its bound before the schedule is chosen."""
    case, meets = f"in Corollary {name}", {"step_size": f"step_size_{dimension}"}
    key = f"dpzero.corollary_{name.replace('.', '').lower()}"
    return (
        fact(f"Y_{name}", case, Y, "=", argument, Case()),
        fact(f"lam_{name}", case, lam, "<=", page.largest_lam, Case()),
        fact(f"certified_{name}", f"Corollary {name} for any schedule", D_last, "<=", page.before, Shown(key, "any_schedule", meets=meets)),
    )


def _facts_f4() -> tuple[Step, ...]:
    """Return what Corollary F.4 prescribes, and its bound at the printed threshold."""
    key, meets = "dpzero.corollary_f4", {"step_size": "step_size_rank", "pl": "pl_all", "C": "C_F.4"}
    return (
        X_above_one()[0],
        fact("X", "in Corollary F.4", X, "=", corollary_f4.log_argument, Defined()),
        fact("L_tilde", "in Corollary F.4", L_tilde, "=", 8 * L * sp.sqrt(sp.log(X)), Defined(signs=("X_larger_than_1",))),
        fact("log_X", "the logarithm of X", log_X, "=", sp.log(X), Defined(signs=("X_larger_than_1",))),
        fact("C_F.4", "in Corollary F.4", C, "=", L_tilde / 2, Case()),
        fact("Y_F.4", "in Corollary F.4", Y, "=", corollary_f4.log_argument_T, Case()),
        fact("lam_for_clipping", "in Corollary F.4, the first end of the rule", lam, "<=", corollary_f4.lam_for_clipping, Case()),
        fact("lam_for_bias", "in Corollary F.4, the second end of the rule", lam, "<=", corollary_f4.lam_for_bias, Case()),
        fact("square", "in Corollary F.4", L_tilde**2, "=", 64 * L**2 * sp.log(X), Shown(key, "L_tilde_squared")),
        fact("one_over_X", "in Corollary F.4", sp.exp(-(L_tilde**2) / (64 * L**2)), "<=", 1 / X, Shown(key, "one_over_X")),
        fact(
            "certified_F.4",
            "Corollary F.4 at the printed threshold, for any T",
            D_last,
            "<=",
            corollary_f4.before_at_threshold,
            Shown(key, "at_threshold", meets=meets),
        ),
    )


def _schedules() -> tuple[Step, ...]:
    """Return that the printed schedules are among those of the bounds for any schedule, and what the rates are."""
    pages = (("F.2", corollary_f2), ("F.3", corollary_f3), ("F.4", corollary_f4))
    return (
        line("threshold", "the printed C", C, ">=", L * d, "it is that", Substitution(("C_is_largest",))),
        line("step_size_d", "the printed alpha", alpha, "<=", 1 / (4 * ell * d), "it is that", Substitution(("alpha", "D_is_d"))),
        line(
            "step_size_rank", "the printed alpha", alpha, "<=", 1 / (4 * ell * (r + 2)), "it is that", Substitution(("alpha", "D_is_rank"))
        ),
        *(meaning_of_Y(page.rate, f"rate_{name}", f"Y_{name}") for name, page in pages),
        *(
            line(
                f"R_{name}",
                f"the rate of Corollary {name} is R",
                page.rate,
                "=",
                R,
                "both are 1 / (ell Y)",
                Identity(modulo=((1, f"rate_{name}"), (-1, "R"))),
                where=GIVENS,
            )
            for name, page in pages
        ),
        *(
            line(
                f"noise_{name}",
                f"the noise term of Corollary {name} with the printed alpha and C, in T and D",
                page.noise,
                "=",
                8 * L**2 * page.rate * T / D,
                "insert them",
                Substitution(("alpha", "C_is_largest", dimension)),
            )
            for name, page, dimension in (("F.2", corollary_f2, "D_is_d"), ("F.3", corollary_f3, "D_is_rank"))
        ),
    )


def _at_floor() -> tuple[Step, ...]:
    """Return what happens at T = T* - excess: the first term grows by exp(v), the noise term falls."""
    return (
        line(
            "exponent",
            "at the floor T, the exponent of the first term, through log(Y) and v",
            sp.log(Y),
            "<=",
            mu * alpha * T / 2 + v,
            "insert alpha and T* = 8 kappa D log(Y); the two are equal",
            NonNegative(
                (),
                modulo=(
                    (mu * T / 2, "alpha"),
                    (mu * T / (8 * D * ell * kappa), "kappa"),
                    (1, "v"),
                    (-1 / (8 * kappa * D), "floor"),
                ),
            ),
            where=GIVENS,
        ),
        line(
            "first_term",
            "so the exponential of -mu alpha T / 2 is at most exp(v) / Y",
            first,
            "<=",
            sp.exp(v) / Y,
            "the exponential is increasing",
            NonNegative(((sp.exp(v) / Y, Instance("decay", ("exponent",))),)),
            where=GIVENS,
        ),
        line(
            "noise_falls",
            "the noise term of F.2 and F.3, 64 L^2 kappa log(Y) R T / T*, falls",
            8 * L**2 * R * T / D,
            "=",
            64 * L**2 * kappa * sp.log(Y) * R - fall,
            "T = T* - excess",
            Identity(modulo=((-8 * L**2 * R / D, "floor"),)),
            where=GIVENS,
        ),
        line(
            "small_start",
            "gap at the start: ell gap <= kappa L^2 / 2",
            ell * gap,
            "<=",
            kappa * L**2 / 2,
            "kappa = ell / mu",
            NonNegative(((ell, "start"),), modulo=((L**2 / 2, "kappa"),)),
            where=GIVENS,
        ),
    )


def _growth(dimension: str, terms: tuple[tuple[Any, ...], ...]) -> tuple[Step, ...]:
    """Return that the first term grows by no more than the noise term falls; `terms` add up to (D - 1) / (8 kappa D)."""
    small, case = f"small_{dimension}", f"D_is_{dimension}"
    return (
        line(
            small,
            "v = excess / (8 kappa D) is at most 1/8",
            v,
            "<=",
            sp.Rational(1, 8),
            "excess <= 1, kappa >= 1, D >= 1",
            NonNegative(
                ((1 / (8 * kappa * D), "less_than_1"), (sp.Rational(1, 8) / kappa, "kappa_at_least_1"), *terms),
                modulo=((-1, "v"), (1 / (8 * kappa * D), case)),
            ),
            where=GIVENS,
        ),
        line(
            f"growth_{dimension}",
            "the first term grows by no more than the noise term falls, in v",
            ell * gap * R * (sp.exp(v) - 1),
            "<=",
            64 * kappa * L**2 * R * v,
            "ell gap <= kappa L^2 / 2, and exp(v) - 1 <= 128 v on [0, 1/8]",
            NonNegative(
                (
                    (R, "small_start", Instance("exponential", v)),
                    (R, "small_start", v),
                    (kappa * L**2 * R / 2, sp.exp(v), Instance("exponential", -v)),
                    (64 * kappa * L**2 * R, v, sp.exp(v), Instance("exponential", -v)),
                    (64 * kappa * L**2 * R, v, sp.exp(v), small),
                    (sp.Rational(111, 2) * kappa * L**2 * R, v, sp.exp(v)),
                )
            ),
            where=GIVENS,
        ),
    )


def _keeps(name: str, page: ModuleType, dimension: str) -> tuple[Step, ...]:
    """Return that the floor keeps the printed bound of Corollary F.2 or F.3."""
    return (
        line(
            f"keeps_{name}",
            f"Corollary {name}: the expected loss at the end above the smallest one is at most the printed bound; lam does not depend on T",
            D_last,
            "<=",
            page.bound,
            "what the first term gains, the noise term loses",
            NonNegative(
                (
                    (f"certified_{name}",),
                    (gap, "first_term"),
                    (f"growth_{dimension}",),
                    (ell**2 * d**3 / (2 * mu), f"lam_{name}", page.largest_lam + lam),
                ),
                modulo=(
                    (ell * gap + 64 * L**2 * kappa * sp.log(Y) - 8 * L**2 * T / D, f"R_{name}"),
                    (ell * gap * sp.exp(v), "R"),
                    (-1, f"noise_{name}"),
                    (-1, "noise_falls"),
                    (-64 * kappa * L**2 * R, "v"),
                ),
            ),
            where=GIVENS,
        ),
    )


def _logarithm() -> tuple[Step, ...]:
    """Return that L_tilde^2 >= 64 L^2 in Corollary F.4, because log(X) >= 1."""
    return (
        line(
            "log_argument",
            "F.4: the argument of its logarithm with n, kappa and Y",
            corollary_f4.log_argument,
            "=",
            big_X_pl,
            "n^2 epsilon^2 / (r A) = kappa Y",
            Substitution(("Y_F.4",)),
        ),
        line(
            "at_least_e",
            "that, with n >= 1, is at least e when Y >= 1",
            big_X_pl,
            ">=",
            sp.E,
            "kappa, n, d and Y are at least 1",
            NonNegative(
                (
                    (front * kappa**2 * Y * n * (r + 2), (8 * ell * (r + 2) + mu) * B / L**2),
                    (front * kappa**2 * Y * n * (r + 2), "d >= 1"),
                    (front * (r + 2) * Y * n * (kappa + 1), "kappa_at_least_1"),
                    (front * (r + 2) * Y, "n >= 1"),
                    (front * (r + 2), "Y_at_least_1"),
                    (front * r,),
                    (2 * front - sp.E,),
                )
            ),
            where=GIVENS,
        ),
        log_at_least_1("log_argument"),
        line(
            "L_tilde_large",
            "so the square of L_tilde is at least",
            L_tilde**2,
            ">=",
            64 * L**2,
            "L_tilde^2 = 64 L^2 log(X)",
            NonNegative(((64 * L**2, "log_at_least_1"),), modulo=((1, "square"), (-64 * L**2, "log_X"))),
            where=("L_tilde", "log_X", "log_at_least_1"),
        ),
    )


def _keeps_f4() -> tuple[Step, ...]:
    """Return that the floor keeps the printed bound of Corollary F.4."""
    at_floor = ("certified_F.4", "one_over_X", "first_term", "growth_rank", "noise_falls_F.4", "clipping_falls", "lam_for_bias")
    per_T, T_real = L**2 * T / (8 * kappa * D) + 2 * L_tilde**2 * T / D, 8 * kappa * D * sp.log(Y)
    return (
        line(
            "noise_F.4",
            "the noise term of Corollary F.4 with the printed alpha and C, in T and D",
            corollary_f4.noise,
            "=",
            2 * L_tilde**2 * corollary_f4.rate * T / D,
            "insert them",
            Substitution(("alpha", "C_F.4")),
        ),
        line(
            "noise_falls_F.4",
            "the noise term of F.4 falls by 2 L_tilde^2 excess R / D, at least as much as that of F.2",
            2 * L_tilde**2 * R * T / D,
            "<=",
            16 * L_tilde**2 * kappa * sp.log(Y) * R - fall,
            "L_tilde^2 >= 64 L^2 >= 4 L^2",
            NonNegative(
                ((2 * excess * R / D, "L_tilde_large"), (120 * L**2 * excess * R / D,)),
                modulo=((2 * L_tilde**2 * R / D, "floor"),),
            ),
            where=GIVENS,
        ),
        line(
            "clipping_F.4",
            "the clipping term of Corollary F.4 with the printed alpha and X, in T and D",
            corollary_f4.cost / X,
            "=",
            L**2 * corollary_f4.rate * T / (8 * kappa * D),
            "insert them",
            Substitution(("alpha", "X", "D_is_rank")),
        ),
        line(
            "clipping_falls",
            "the clipping term L^2 log(Y) R T / T* falls too; lam does not depend on T",
            L**2 * R * T / (8 * kappa * D),
            "<=",
            L**2 * sp.log(Y) * R,
            "T <= T*",
            NonNegative(((L**2 * R * excess / (8 * kappa * D),),), modulo=((L**2 * R / (8 * kappa * D), "floor"),)),
            where=GIVENS,
        ),
        line(
            "keeps_F.4",
            "Corollary F.4: the expected loss at the end above the smallest one is at most the printed bound",
            D_last,
            "<=",
            corollary_f4.bound,
            "what the first term gains, the noise term loses",
            NonNegative(
                (
                    ("certified_F.4",),
                    (corollary_f4.cost, "one_over_X"),
                    (gap, "first_term"),
                    ("growth_rank",),
                    ("noise_falls_F.4",),
                    ("clipping_falls",),
                    (ell**2 * d**3 / (2 * mu), "lam_for_bias", corollary_f4.lam_for_bias + lam),
                ),
                modulo=(
                    (ell * gap + (L**2 + 16 * L_tilde**2 * kappa) * sp.log(Y) - per_T, "R_F.4"),
                    (ell * gap * sp.exp(v), "R"),
                    (-1, "noise_F.4"),
                    (-1, "clipping_F.4"),
                    (-64 * kappa * L**2 * R, "v"),
                ),
            ),
            where=("X", "L_tilde", "Y_F.4", "kappa", "R", "alpha", "C_F.4", "D_is_rank", "floor", "v", *at_floor),
            ranges={T: (sp.Max(1, T_real - 1), T_real)},
        ),
    )
