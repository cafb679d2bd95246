"""Why an integer T keeps the printed guarantees, although the theorems prescribe a real T*.

Setting   the certified bound cert(T): the bound before the schedule is chosen, at the printed alpha, C and lam, with sigma computed
          from the integer T, and capped by the trivial bound (L^2, under PL L^2/(2 mu)).
Measure   cert(T) against the printed bound.
Source    ours; Remark F.5 of DPZero only says T = max(T*, 1) and min(bound, L^2).

Theorems 1, 2   any rounding to an integer of at least 1, because (1 + 2 ell alpha)/2 <= 3/4 leaves a quarter of the lam term.
Theorem 3       the better of floor and ceiling when T* >= 1, for the same quarter. DP-GD too: see `dp_gd.integer_t_proof`.
F.2, F.3, F.4   the floor when T* >= 1 and Y > 1, with the whole lam term.
When T* < 1, T = 1 in the theorems: the output is x_0, no noise is used, and the printed bound exceeds L^2.
"""

from __future__ import annotations

from types import ModuleType

import sympy as sp

from bounds.derivation import Derivation, Given, Instance, NonNegative, Step, Substitution
from bounds.dpzero import corollary_f2, corollary_f3, corollary_f4, theorem1, theorem2, theorem3
from bounds.dpzero.pl import meaning_of_Y
from bounds.symbols import B, C, L, L_tilde, T, Y, alpha, d, ell, gap, kappa, lam, mu, n, r, symbols

T_star, D, slack, excess, a_T, b_T, C_0, log_X, R, v = symbols("T_star D slack excess a_T b_T C_0 log_X R v")

DIMENSION = Given(D - 1, "D is d or r + 2, at least 1")
QUARTER = Given(sp.Rational(3, 4) - slack, "step 8 of the proof of Theorem 1, step 9 of that of Theorem 2")

cert = 16 * ell * D * gap / T + 16 * L**2 * D / T_star * (slack + T / T_star)
claim = 16 * ell * D * gap / T_star + 32 * L**2 * D / T_star


def at_printed(page: ModuleType, dimension: sp.Expr, left: sp.Expr) -> dict[sp.Expr, sp.Expr]:
    """Return the printed schedule of Theorem 1 or 2 with T free, and what the letters of this page stand for there."""
    schedule = {alpha: page.largest_alpha, C: L * d, lam: page.largest_lam}
    return {**schedule, T_star: page.best_T, D: dimension, slack: left}


half = sp.Rational(1, 2)
printed_1 = at_printed(theorem1, d, half + 1 / (4 * d))
printed_2 = at_printed(theorem2, r + 2, half + r / (4 * d * (r + 2)))


def theorems_1_2() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.integer_t_theorems_1_2",
        title="any rounding of T* keeps Theorems 1 and 2",
        source="our proof",
        steps=(
            Step(1, "Theorem 1, D = d: the certified bound", theorem1.kept, "=", cert, "insert alpha, C, lam", Substitution(printed_1)),
            Step(2, "and the printed one", theorem1.bound, "=", claim, "insert T*", Substitution(printed_1)),
            Step(3, "Theorem 2, D = r + 2: the certified bound", theorem2.kept, "=", cert, "insert alpha, C, lam", Substitution(printed_2)),
            Step(4, "and the printed one", theorem2.bound, "=", claim, "insert T*", Substitution(printed_2)),
            Step(
                5,
                "T* <= 4: the printed bound exceeds L^2",
                claim,
                ">",
                L**2,
                "32 D / T* >= 8",
                NonNegative(
                    (
                        (16 * ell * D * gap / T_star,),
                        (32 * L**2 / T_star, D - 1),
                        (L**2 / T_star, 4 - T_star),
                        (28 * L**2 / T_star,),
                    ),
                    given=(DIMENSION, Given(4 - T_star, "this case")),
                ),
                ranges={T_star: (1e-6, 4)},
            ),
            Step(
                6,
                "T* >= 4, T the ceiling",
                cert,
                "<=",
                claim,
                "T* <= T <= T* + 1 <= (5/4) T*",
                NonNegative(
                    (
                        (16 * ell * D * gap / (T * T_star), T - T_star),
                        (16 * L**2 * D / T_star, sp.Rational(3, 4) - slack),
                        (16 * L**2 * D / T_star**2, 5 * T_star / 4 - T),
                    ),
                    given=(QUARTER, Given(T - T_star, "ceiling"), Given(5 * T_star / 4 - T, "ceiling, T* >= 4")),
                ),
                ranges={T_star: (4, 1e9), T: (T_star, T_star + 1)},
            ),
            Step(
                7,
                "T* >= 1, T the floor, ell gap <= L^2 T/4",
                cert,
                "<=",
                claim,
                "what the first term grows by is covered by the quarter",
                NonNegative(
                    (
                        (4 * L**2 * D / T_star, 1 - (T_star - T)),
                        (16 * D / (T * T_star), L**2 * T / 4 - ell * gap, T_star - T),
                        (16 * L**2 * D / T_star, sp.Rational(3, 4) - slack),
                        (16 * L**2 * D / T_star**2, T_star - T),
                    ),
                    given=(
                        QUARTER,
                        Given(1 - (T_star - T), "floor"),
                        Given(T_star - T, "floor"),
                        Given(L**2 * T / 4 - ell * gap, "this case"),
                    ),
                ),
                ranges={T_star: (T, T + 1), gap: (0, L**2 * T / (4 * ell))},
            ),
            Step(
                8,
                "T* >= 1, T the floor, ell gap > L^2 T/4: the printed bound exceeds L^2",
                claim,
                ">",
                L**2,
                "16 ell D gap / T* > 4 D L^2 T/T* >= 2 L^2, since T* < T + 1 <= 2 T",
                NonNegative(
                    (
                        (16 * D / T_star, ell * gap - L**2 * T / 4),
                        (4 * L**2 * T / T_star, D - 1),
                        (2 * L**2 * T / T_star,),
                        (L**2 / T_star, 2 * T - T_star),
                        (32 * L**2 * D / T_star,),
                    ),
                    given=(DIMENSION, Given(ell * gap - L**2 * T / 4, "this case"), Given(2 * T - T_star, "T* < T + 1, T >= 1")),
                ),
                ranges={T_star: (T, T + 1), gap: (L**2 * T / (4 * ell), 10**6 * L**2 * T / ell)},
            ),
        ),
    )


cert_3 = 16 * ell * D * gap / T + (64 * log_X + 1) * L**2 * D * T / (4 * T_star**2) + slack * L**2 * D / (4 * T_star)
claim_3 = 16 * ell * D * gap / T_star + (64 * log_X + 2) * L**2 * D / (4 * T_star)
root = sp.sqrt(sp.log(theorem3.log_argument))
printed_3 = {
    alpha: theorem3.largest_alpha,
    C: 4 * L * root,
    C_0: 2 * sp.sqrt(2) * L * root,
    L_tilde: L * root,
    T_star: theorem3.best_T,
    D: r + 2,
    log_X: root**2,
    slack: half + r / (4 * d * (r + 2)),
}
lam_end = theorem3.lam_for_bias
front = 32 * sp.sqrt(2 * sp.pi)
big_X = front * n * T_star**2 * (d + 8 * ell * B * (r + 2) / L**2) / (r + 2)
up, down = T - T_star, T_star - T  # how far the ceiling is above T*, and the floor below
above_1, above_48, above_floor = log_X - 1, T_star - 48 * log_X, T - T_star + 1


def theorem_3() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.integer_t_theorem_3",
        title="the better of floor and ceiling of T* keeps Theorem 3",
        source="our proof",
        steps=(
            Step(
                1,
                "D = r + 2: the certified bound, for every lam up to the second end of the rule",
                theorem3.kept,
                "<=",
                cert_3,
                "insert alpha, C, C_0; the schedule has the smaller of two ends for lam",
                NonNegative(
                    ((ell**2 * d**2 * (d + 2 * ell * alpha * r) / 2, lam_end - lam, lam_end + lam),),
                    given=(Given(lam_end - lam, "the rule for lam"),),
                    at=printed_3,
                ),
                ranges={lam: (lam_end / 10**9, lam_end)},
            ),
            Step(2, "and the printed one", theorem3.bound, "=", claim_3, "insert T* and L_tilde", Substitution(printed_3)),
            Step(
                3,
                "the argument of the logarithm, through T*",
                theorem3.log_argument,
                "=",
                big_X,
                "n^2 epsilon^2 / (r A) = 16 T*^2 / (r + 2)^2",
                Substitution({T_star: theorem3.best_T}),
            ),
            Step(
                4,
                "is at least e when T* >= 1, so its logarithm is at least 1",
                big_X,
                ">=",
                sp.E,
                "r <= d gives d/(r + 2) >= 1/3",
                NonNegative(
                    (
                        (8 * front * n * T_star**2 * ell * B / L**2,),
                        (front * d / (r + 2), n * T_star**2 - 1),
                        (front / (3 * (r + 2)), d - r),
                        (2 * front / (3 * (r + 2)), d - 1),
                        (front / 3 - sp.E,),
                    ),
                    given=(Given(n * T_star**2 - 1, "n >= 1, T* >= 1"), Given(d - r, "r <= d"), Given(d - 1, "d >= 1")),
                ),
                ranges={T_star: (1, 1e9)},
            ),
            Step(
                5,
                "T* <= 16 D log(X): the printed bound exceeds L^2",
                claim_3,
                ">",
                L**2,
                "16 D log(X) / T* >= 1",
                NonNegative(
                    ((16 * ell * D * gap / T_star,), (L**2 / T_star, 16 * D * log_X - T_star), (L**2 * D / (2 * T_star),)),
                    given=(Given(16 * D * log_X - T_star, "this case"),),
                ),
                ranges={T_star: (1, 16 * D * log_X)},
            ),
            Step(
                6,
                "a/T + b T at the ceiling, when a >= b T*^2",
                a_T / T + b_T * T,
                "<=",
                a_T / T_star + b_T * T_star + b_T / T,
                "the excess is at most b (T - T*)^2 / T",
                NonNegative(
                    ((1 / (T * T_star), up, a_T - b_T * T_star**2), (b_T / T, 1 - up), (b_T / T, 1 - up, up)),
                    given=(Given(up, "ceiling"), Given(1 - up, "ceiling"), Given(a_T - b_T * T_star**2, "this case")),
                ),
                ranges={T_star: (1, 1e9), T: (T_star, T_star + 1), a_T: (b_T * T_star**2, 100 * b_T * T_star**2 + 1)},
            ),
            Step(
                7,
                "a/T + b T at the floor, when a < b T*^2",
                a_T / T + b_T * T,
                "<=",
                a_T / T_star + b_T * T_star + b_T / T,
                "the excess is at most b (T* - T)^2 / T",
                NonNegative(
                    ((1 / (T * T_star), down, b_T * T_star**2 - a_T), (b_T / T, 1 - down), (b_T / T, 1 - down, down)),
                    given=(Given(down, "floor"), Given(1 - down, "floor"), Given(b_T * T_star**2 - a_T, "this case")),
                ),
                ranges={T_star: (T, T + 1), a_T: (0, b_T * T_star**2)},
            ),
            Step(
                8,
                "T* > 16 D log(X) >= 48 log(X): b/T is at most a quarter of L^2 rate, that is",
                4 * (64 * log_X + 1),
                "<=",
                T * T_star,
                "T >= T* - 1 and log(X) >= 1",
                NonNegative(
                    (
                        (T_star, above_floor),
                        (1996,),
                        (4304, above_1),
                        (2304, above_1, above_1),
                        (95, above_48),
                        (96, above_1, above_48),
                        (above_48, above_48),
                    ),
                    given=(Given(above_floor, "floor or ceiling"), Given(above_1, "step 4"), Given(above_48, "this case, D >= 3")),
                ),
                ranges={T_star: (48 * log_X, 10**6 * log_X), T: (T_star - 1, T_star + 1)},
            ),
            Step(
                9,
                "so cert(T) <= cert(T*) + L^2 rate / 4, which is at most the printed bound",
                cert_3.subs(T, T_star) + L**2 * D / (16 * T_star),
                "<=",
                claim_3,
                "a quarter of the lam term is unused",
                NonNegative(((L**2 * D / (4 * T_star), sp.Rational(3, 4) - slack),), given=(QUARTER,)),
            ),
        ),
    )


f = excess  # T* - floor(T*)
fall = 8 * L**2 * f * R / D
small = sp.Rational(1, 8) - v
covered = kappa * L**2 / 2 - ell * gap
at_floor = {alpha: 1 / (4 * ell * D), T: 8 * kappa * D * sp.log(Y) - f, mu: ell / kappa}
big_X_pl = front * kappa**2 * Y * n * (r + 2) * (d + (8 * ell * (r + 2) + mu) * B / L**2)


def corollaries() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.integer_t_corollaries",
        title="the floor of T* keeps Corollaries F.2, F.3 and F.4",
        source="our proof",
        steps=(
            meaning_of_Y(corollary_f2, corollary_f2.log_argument, 1),
            meaning_of_Y(corollary_f3, corollary_f3.log_argument, 2),
            meaning_of_Y(corollary_f4, corollary_f4.log_argument_T, 3),
            Step(
                4,
                "at T = T* - f, where T* = 8 kappa D log(Y), the first term",
                sp.exp(-mu * alpha * T / 2) * gap,
                "=",
                gap / Y * sp.exp(f / (8 * kappa * D)),
                "insert alpha and T",
                Substitution(at_floor),
            ),
            Step(
                5,
                "the noise term of F.2 and F.3, 64 L^2 kappa log(Y) R T / T*, falls",
                64 * L**2 * kappa * sp.log(Y) * R * T / (8 * kappa * D * sp.log(Y)),
                "=",
                64 * L**2 * kappa * sp.log(Y) * R - fall,
                "insert T",
                Substitution(at_floor),
            ),
            Step(
                6,
                "with v = f / (8 kappa D) <= 1/8, the first term grows by no more than the noise term falls",
                ell * gap * R * (sp.exp(v) - 1),
                "<=",
                fall,
                "ell gap <= kappa L^2 / 2, and exp(v) - 1 <= 128 v on [0, 1/8]",
                NonNegative(
                    (
                        (R, covered, Instance("exponential", v)),
                        (R, covered, v),
                        (kappa * L**2 * R / 2, sp.exp(v), Instance("exponential", -v)),
                        (64 * kappa * L**2 * R, v, sp.exp(v), Instance("exponential", -v)),
                        (64 * kappa * L**2 * R, v, sp.exp(v), small),
                        (sp.Rational(111, 2) * kappa * L**2 * R, v, sp.exp(v)),
                    ),
                    given=(
                        Given(covered, "PL and the Lipschitz constant give gap <= L^2/(2 mu)"),
                        Given(small, "f < 1, kappa >= 1, D >= 1"),
                    ),
                    at={f: 8 * kappa * D * v},
                ),
                ranges={gap: (0, kappa * L**2 / (2 * ell))},
            ),
            Step(
                7,
                "F.4: the argument of its logarithm, through Y",
                corollary_f4.log_argument,
                "=",
                big_X_pl,
                "n^2 epsilon^2 / (r A) = kappa Y",
                Substitution({Y: corollary_f4.log_argument_T}),
            ),
            Step(
                8,
                "is at least e when Y >= 1, so its logarithm is at least 1",
                big_X_pl,
                ">=",
                sp.E,
                "kappa, n and d are at least 1",
                NonNegative(
                    (
                        (front * kappa**2 * Y * n * (r + 2), (8 * ell * (r + 2) + mu) * B / L**2),
                        (front * kappa**2 * Y * n * (r + 2), d - 1),
                        (front * (r + 2), kappa**2 * Y * n - 1),
                        (front * r,),
                        (2 * front - sp.E,),
                    ),
                    given=(Given(d - 1, "d >= 1"), Given(kappa**2 * Y * n - 1, "kappa, Y, n >= 1")),
                ),
            ),
            Step(
                9,
                "its noise term, 16 L_tilde^2 kappa log(Y) R T / T*, falls by 2 L_tilde^2 f R / D, at least as much as that of F.2",
                16 * L_tilde**2 * kappa * sp.log(Y) * R * T / (8 * kappa * D * sp.log(Y)),
                "<=",
                16 * L_tilde**2 * kappa * sp.log(Y) * R - fall,
                "L_tilde^2 = 64 L^2 log(X) >= 4 L^2",
                NonNegative(
                    ((128 * L**2 * f * R / D, log_X - 1), (120 * L**2 * f * R / D,)),
                    given=(Given(log_X - 1, "step 8"),),
                    at={T: 8 * kappa * D * sp.log(Y) - f, L_tilde: 8 * L * sp.sqrt(log_X)},
                ),
            ),
            Step(
                10,
                "its clipping term, L^2 log(Y) R T / T*, falls too; the lam terms do not depend on T",
                L**2 * sp.log(Y) * R * T / (8 * kappa * D * sp.log(Y)),
                "<=",
                L**2 * sp.log(Y) * R,
                "T <= T*",
                NonNegative(
                    ((L**2 * R / (8 * kappa * D), 8 * kappa * D * sp.log(Y) - T),),
                    given=(Given(8 * kappa * D * sp.log(Y) - T, "floor"),),
                ),
                ranges={T: (8 * kappa * D * sp.log(Y) / 10**6, 8 * kappa * D * sp.log(Y))},
            ),
        ),
    )
