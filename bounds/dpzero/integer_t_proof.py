"""Why an integer T keeps the printed guarantees, although the theorems prescribe a real T*: Theorem 3.

Setting   the certified bound cert(T): the bound before the schedule is chosen, at the printed alpha, C and lam, with sigma computed
          from the integer T, and capped by the trivial bound (L^2, under PL L^2/(2 mu)).
Measure   cert(T) against the printed bound.
Source    ours; Remark F.5 of DPZero only says T = max(T*, 1) and min(bound, L^2).

Theorems 1, 2   any rounding to an integer of at least 1: see `integer_t_any`.
Theorem 3       the better of floor and ceiling when T* >= 1, for the same quarter of the lam term. DP-GD too: `dp_gd.integer_t_proof`.
F.2, F.3, F.4   the floor when T* >= 1 and Y > 1, with the whole lam term: see `integer_t_corollaries`.
When T* < 1, T = 1 in the theorems: the output is x_0, no noise is used, and the printed bound exceeds L^2.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import GIVENS, Case, Defined, Derivation, Identity, NonNegative, Shown, Step, Substitution, fact, line
from bounds.dpzero import theorem3
from bounds.dpzero.integer_t_any import half
from bounds.dpzero.shared import CALIBRATED, CEILING, FLOOR, X_above_one, lam_rule
from bounds.inequalities import Instance
from bounds.symbols import B, C, L, L_tilde, T, X, alpha, d, ell, gap, lam, n, r, symbols

T_star, D, slack, a_T, b_T, log_X, mean_grad_sq = symbols("T_star D slack a_T b_T log_X mean_grad_sq")

cert_3 = 16 * ell * D * gap / T + (64 * log_X + 1) * L**2 * D * T / (4 * T_star**2) + slack * L**2 * D / (4 * T_star)
claim_3 = 16 * ell * D * gap / T_star + (64 * log_X + 2) * L**2 * D / (4 * T_star)
lam_end = theorem3.lam_for_bias
front = 32 * sp.sqrt(2 * sp.pi)
big_X = front * n * T_star**2 * (d + 8 * ell * B * (r + 2) / L**2) / (r + 2)
LOGARITHM = ("L_tilde", "log_X")  # the definitions behind "square", which alone does not say what one letter is
rounded, at_real_T = a_T / T + b_T * T, a_T / T_star + b_T * T_star + b_T / T


def theorem_3() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.integer_t_theorem_3",
        title="the better of floor and ceiling of T* keeps Theorem 3",
        source="our proof",
        facts=(
            *theorem3.HYPOTHESES,
            *lam_rule(theorem3.lam_for_clipping, lam_end),
            X_above_one()[0],
            fact("alpha", "the printed step size", alpha, "=", theorem3.largest_alpha, Defined()),
            fact("C", "the printed threshold", C, "=", 4 * L_tilde, Defined()),
            CALIBRATED,
            fact("X", "the printed argument of the logarithm", X, "=", theorem3.log_argument, Defined()),
            fact("L_tilde", "as printed", L_tilde, "=", L * sp.sqrt(sp.log(X)), Defined(signs=("X_larger_than_1",))),
            fact("log_X", "the logarithm itself", log_X, "=", sp.log(X), Defined(signs=("X_larger_than_1",))),
            fact("T_star", "the printed T", T_star, "=", theorem3.best_T, Defined()),
            fact("D", "r + 2", D, "=", r + 2, Defined()),
            fact("slack", "what is left of the lam term", slack, "=", half + r / (4 * d * (r + 2)), Defined()),
            fact("a_T", "what is divided by T", a_T, "=", 16 * ell * D * gap, Defined()),
            fact("b_T", "what is multiplied by T", b_T, "=", (64 * log_X + 1) * L**2 * D / (4 * T_star**2), Defined()),
            fact(
                "kept",
                "Theorem 3 at the printed threshold, for any T",
                mean_grad_sq,
                "<=",
                theorem3.kept_at_threshold,
                Shown("dpzero.theorem3", "kept_at_threshold"),
            ),
            fact(
                "square",
                "the square of L_tilde, as in Theorem 3",
                L_tilde**2,
                "=",
                L**2 * sp.log(X),
                Shown("dpzero.theorem3", "L_tilde_squared"),
            ),
            fact("one_over_X", "as in Theorem 3", sp.exp(-(L_tilde**2) / L**2), "<=", 1 / X, Shown("dpzero.theorem3", "one_over_X")),
            fact("a_step", "T* >= 1", T_star, ">=", 1, Case()),
            fact("few_steps", "T* <= 16 D log(X)", T_star, "<=", 16 * D * log_X, Case()),
            fact("more_steps", "T* >= 16 D log(X)", T_star, ">=", 16 * D * log_X, Case()),
            fact("first_larger", "the first term is the larger one at T*", a_T, ">=", b_T * T_star**2, Case()),
            fact("first_smaller", "the first term is the smaller one at T*", a_T, "<=", b_T * T_star**2, Case()),
            *CEILING,
            *FLOOR,
        ),
        steps=(*_certified_3(), *_logarithm(), *_better_rounding(), *_keeps_3()),
    )


def _certified_3() -> tuple[Step, ...]:
    """Return the steps to the certified bound and the printed one, in T, T*, D, slack and the logarithm."""
    return (
        line(
            "first_term",
            "the term of gap with the printed alpha",
            4 * gap / (alpha * T),
            "=",
            16 * ell * D * gap / T,
            "insert alpha",
            Substitution(("alpha", "D")),
        ),
        line(
            "noise_term",
            "the noise term with the printed alpha and C, in L_tilde",
            theorem3.noise,
            "=",
            16 * L_tilde**2 * D * T / T_star**2,
            "insert them",
            Substitution(("alpha", "C", "T_star", "D")),
        ),
        line(
            "L_tilde_squared",
            "the square of L_tilde",
            L_tilde**2,
            "=",
            L**2 * log_X,
            "write log_X for the logarithm",
            Identity(modulo=((1, "square"), (-(L**2), "log_X"))),
            where=LOGARITHM,
        ),
        line(
            "clipping_term",
            "the clipping term with the printed alpha and X",
            theorem3.cost / X,
            "=",
            L**2 * D * T / (4 * T_star**2),
            "insert them",
            Substitution(("alpha", "X", "T_star", "D")),
        ),
        line(
            "lam_term",
            "the term of lam with slack, at the second end of the rule",
            ell**2 * lam_end**2 * d**2 * (d + 2 * ell * alpha * r) / 2,
            "=",
            slack * L**2 * D / (4 * T_star),
            "insert alpha",
            Substitution(("alpha", "slack", "T_star", "D")),
        ),
        line(
            "certified",
            "so the average of the squared gradient norms is at most the certified bound, for every lam up to the second end of the rule",
            mean_grad_sq,
            "<=",
            cert_3,
            "the schedule has the smaller of two ends for lam",
            NonNegative(
                (
                    ("kept",),
                    (theorem3.cost, "one_over_X"),
                    (ell**2 * d**2 * (d + 2 * ell * alpha * r) / 2, "lam_for_bias", lam_end + lam),
                ),
                modulo=(
                    *((-1, name) for name in ("first_term", "noise_term", "clipping_term", "lam_term")),
                    (-16 * D * T / T_star**2, "L_tilde_squared"),
                ),
            ),
            where=(*LOGARITHM, "alpha", "C", "X", "T_star", "D", "slack", "kept", "one_over_X", "lam_for_bias"),
        ),
        line(
            "printed_terms",
            "and the printed bound, in T*, D and L_tilde",
            theorem3.bound,
            "=",
            claim_3.subs(log_X, L_tilde**2 / L**2),
            "insert T*",
            Substitution(("T_star", "D")),
        ),
        line(
            "printed",
            "that is, in T*, D and the logarithm of X",
            theorem3.bound,
            "=",
            claim_3,
            "insert L_tilde",
            Identity(modulo=((1, "printed_terms"), (16 * D / T_star, "L_tilde_squared"))),
            where=(*LOGARITHM, "T_star", "D"),
        ),
    )


def _logarithm() -> tuple[Step, ...]:
    """Return the steps to log(X) >= 1, and to the case in which the printed bound exceeds L^2."""
    return (
        line(
            "log_argument",
            "the argument of the logarithm with n and T*",
            theorem3.log_argument,
            "=",
            big_X,
            "n^2 epsilon^2 / (r A) = 16 T*^2 / (r + 2)^2",
            Substitution(("T_star",)),
        ),
        line(
            "at_least_e",
            "that, with n >= 1, is at least e when T* >= 1",
            big_X,
            ">=",
            sp.E,
            "r <= d gives d/(r + 2) >= 1/3",
            NonNegative(
                (
                    (8 * front * n * T_star**2 * ell * B / L**2,),
                    (front * d / (r + 2), T_star**2, "n >= 1"),
                    (front * d / (r + 2), T_star + 1, "a_step"),
                    (front / (3 * (r + 2)), "r <= d"),
                    (2 * front / (3 * (r + 2)), "d >= 1"),
                    (front / 3 - sp.E,),
                )
            ),
            where=GIVENS,
        ),
        log_at_least_1("log_argument"),
        line(
            "few_steps_trivial",
            "T* <= 16 D log(X): the printed bound exceeds L^2",
            claim_3,
            ">",
            L**2,
            "16 D log(X) / T* >= 1",
            NonNegative(((16 * ell * D * gap / T_star,), (L**2 / T_star, "few_steps"), (L**2 * D / (2 * T_star),))),
            where=GIVENS,
        ),
    )


def log_at_least_1(argument: str) -> Step:
    """Return the step that log(X) is at least 1, from "at_least_e", for X as in the line named `argument`."""
    return line(
        "log_at_least_1",
        "so log_X, the logarithm of X, is at least 1",
        log_X,
        ">=",
        1,
        "exp(y) >= 1 + y at y = 1 - log(X), and exp(y) = e/X <= 1",
        NonNegative(
            ((Instance("exponential", 1 - sp.log(X)),), (1 / X, "at_least_e")),
            modulo=((1 / X, "X"), (1 / X, argument), (1, "log_X")),
        ),
        where=GIVENS,
    )


def _better_rounding() -> tuple[Step, ...]:
    """Return the steps on a/T + b T at the ceiling and at the floor, and on b/T."""
    above_48 = "at_least_48"
    return (
        line(
            "up",
            "a_T/T + b_T T at the ceiling, when a >= b T*^2",
            rounded,
            "<=",
            at_real_T,
            "the excess is at most b (T - T*)^2 / T",
            NonNegative(
                (
                    (1 / (T * T_star), "ceiling", "first_larger"),
                    (b_T / T, "ceiling_below"),
                    (b_T / T, "ceiling_below", "ceiling"),
                )
            ),
            where=GIVENS,
        ),
        line(
            "down",
            "a_T/T + b_T T at the floor, when a <= b T*^2",
            rounded,
            "<=",
            at_real_T,
            "the excess is at most b (T* - T)^2 / T",
            NonNegative(
                (
                    (1 / (T * T_star), "floor", "first_smaller"),
                    (b_T / T, "floor_above"),
                    (b_T / T, "floor_above", "floor"),
                )
            ),
            where=GIVENS,
        ),
        line(
            above_48,
            "T_star >= 16 D log(X) is at least 48 log(X)",
            T_star,
            ">=",
            48 * log_X,
            "D >= 3",
            NonNegative((("more_steps",), (16 * log_X, "r >= 1")), modulo=((16 * log_X, "D"),)),
            where=GIVENS,
        ),
        line(
            "steps_above_ceiling",
            "the ceiling T is no less than the floor, so the next line is for both",
            T,
            ">=",
            T_star - 1,
            "T >= T*",
            NonNegative((("ceiling",), (1,))),
            where=GIVENS,
        ),
        *(
            line(
                f"enough_{name}",
                f"b/T is at most a quarter of L^2 rate, that is, T T* against log_X, at the {name}",
                4 * (64 * log_X + 1),
                "<=",
                T * T_star,
                "T >= T* - 1 and log(X) >= 1",
                NonNegative(
                    (
                        (T_star, above_floor),
                        (1996,),
                        (4304, "log_at_least_1"),
                        (2304, "log_at_least_1", "log_at_least_1"),
                        (95, above_48),
                        (96, "log_at_least_1", above_48),
                        (above_48, above_48),
                    )
                ),
                where=GIVENS,
            )
            for name, above_floor in (("ceiling", "steps_above_ceiling"), ("floor", "floor_above"))
        ),
        line(
            "quarter",
            "slack leaves a quarter of the lam term",
            slack,
            "<=",
            sp.Rational(3, 4),
            "d >= 1",
            NonNegative(((1 / (4 * d), "d >= 1"), (1 / (2 * d * (r + 2)),)), modulo=((-1, "slack"),)),
            where=GIVENS,
        ),
    )


def _keeps_3() -> tuple[Step, ...]:
    """Return for ceiling and floor that cert(T) <= cert(T*) + L^2 rate / 4, which is at most the printed bound."""
    steps: list[Step] = []
    for name, excess in (("ceiling", "up"), ("floor", "down")):
        steps += [
            line(
                f"cert_{name}",
                f"a >= b T*^2 at the ceiling, a <= b T*^2 at the floor: cert(T) at the {name} is at most the printed bound",
                cert_3,
                "<=",
                claim_3,
                "cert(T) <= cert(T*) + L^2 rate / 4, and a quarter of the lam term is unused",
                NonNegative(
                    ((excess,), (L**2 * D / (16 * T * T_star**2), f"enough_{name}"), (L**2 * D / (4 * T_star), "quarter")),
                    modulo=((1 / T - 1 / T_star, "a_T"), (T - T_star - 1 / T, "b_T")),
                ),
                where=GIVENS,
            ),
            line(
                f"keeps_{name}",
                "so the average of the squared gradient norms is at most the printed bound",
                mean_grad_sq,
                "<=",
                theorem3.bound,
                "the certified bound is at most the printed one",
                NonNegative((("certified",), (f"cert_{name}",)), modulo=((1, "printed"),)),
                where=(*LOGARITHM, "T_star", "D", "certified", f"cert_{name}"),
            ),
        ]
    return tuple(steps)
