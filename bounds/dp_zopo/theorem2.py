"""Theorem 2 = Theorem 5, all stages of DP-ZOSO: the printed parameters, the induction with what clipping adds, and what is assumed.

Setting   as Lemma 5, and F_beta - F_beta^* >= 2 mu ||theta - theta^*||^2 at every stage (Assumption 2), F_beta_0 - F_beta_0^* <= alpha_0.
Method    DP-ZOSO: stage s has T_s steps of size eta_s from theta^{s-1}, which the regulariser is centred at.
Measure   E[f_{beta_S}(theta^S) - f_{beta_S}(theta^*)] after S stages.
Source    DP-ZOPO, Theorem 2, equations (16), (17) and (41) to (47).

The print has eta_s = alpha_s min{...} of four numbers, 1/7 over the four terms of Lemma 4: here 1/7 over the largest of them.
"""

from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.dp_zopo.lemma5 import four_terms, of_lemma4
from bounds.dp_zopo.paper import letters, proved, stated
from bounds.inequalities import Instance
from bounds.lines import Step, line
from bounds.symbols import Max
from bounds.theorem import Condition, Part, Theorem

eta, T, T_s, beta, lambda_, m, P, S, mu, rho, gamma = letters("eta T T_s beta lambda_ m P S mu rho gamma")
d, L, C, c_2, epsilon, n, delta, alpha, alpha_s, alpha_0 = letters("d L C c_2 epsilon n delta alpha alpha_s alpha_0")
last_beta, previous_beta, stage_bias, away_first, moved_sq = letters("last_lam previous_lam stage_bias away_first stage_moved_sq")
V, stage_gap, smooth_gap, before_gap, carried_gap = letters("error_level stage_gap smooth_gap before_gap carried_gap")
value_shift, best_shift, best_excess, from_best, gap_here = letters("value_shift best_shift best_excess from_best gap_here")

LAMBDA = 7 / (2 * mu)
STAGES = sp.ceiling(sp.log(alpha_0 / alpha) / sp.log(2))
PER_STAGE = (1 / lambda_ + 1 / (eta * T_s) + 1 / (T_s * lambda_)) / (4 * mu)  # of (44), before the excess of the stage before


def complexity(dimension: Any) -> Any:
    """Return what (17) has in its O(.), for a number of parameters."""
    noise = dimension * C**2 * P**2 * m * sp.log(P / delta) / (epsilon**2 * n**2)
    return (gamma**2 + dimension * C**2 + dimension * last_beta**2 * L**4 + noise) / (mu * alpha)


def statement(title: str, equations: str, dimension: Any, notes: tuple[str, ...], extra: tuple[Condition, ...] = ()) -> Theorem:
    """Return the statement for a number of parameters that are tuned."""
    step = alpha_s / (7 * Max(*four_terms(dimension, last_beta).values()))
    return stated(
        title,
        equations,
        method="dp_zoso",
        measure="E[f_{beta_S}(theta^S) - f_{beta_S}(theta^*)]",
        assumptions=(
            "f(.; x) is L-Lipschitz and weak-convex with constant weak for every x",
            "samples' gradients have the mean squared distance sample_spread^2 from their mean",
            "F_beta - F_beta^* >= 2 growth_mu ||theta - theta^*||^2 at every stage, with one theta^* (not among the hypotheses as printed)",
            "F - F^* <= target_0 at the start; C^2 = 2 L^2 (both only in the proof)",
            "the noise is that of Theorem 1, and its T the number of steps of all stages",
        ),
        schedule={"stages": STAGES, "anchor": LAMBDA, "stage_step": step, "stage_T": 7 / (2 * mu * eta)},
        bound=alpha,
        parts=(
            Part("stage", "E[f_{beta_s}(theta^s) - f_{beta_s}(theta^*)], the induction", "<=", alpha_s),
            Part("calls", "P m T_s, half the values of f that a stage takes", "=", P * m * T_s),
            Part("complexity", "total number of values of f, as printed", "O", complexity(dimension)),
        ),
        conditions=(
            Condition(eta <= beta / (sp.sqrt(d) * L), "eta_s = {value} is above beta_s/(sqrt(d) L) = {limit}: Lemma 5 asks for it"),
            Condition(rho * lambda_ <= 1, "rho lambda = {value} is above 1: rho <= 2 mu/7 is needed, for a convex phi_s"),
            Condition(T_s >= 1, "T_s = {value} is below 1: no step can be taken, and the first bracket is above 3/7 alpha_s"),
            *extra,
        ),
        notes=(
            "false: the average of <b_t, theta_{t+1} - theta^*>, by which clipping biases a stage, is left out",
            "no loss meets all of it on R^d: growth and slope together keep theta within L/(2 mu) of theta^*",
            "the base of the logarithm in S is not printed; with that of 2 alpha_S <= alpha follows",
            "T, the number of steps of all stages, stands in eta_s, on which it depends: the printed complexity has lost it",
            *notes,
        ),
    )


THEOREM_2 = statement("Theorem 2 (DP-ZOSO)", "(16), (17), (41) and (47)", d, ())


STAGE = line("stage", stage_gap, "<=", (1 / eta + 1 / lambda_) / (2 * T_s) * away_first + eta * V + stage_bias)


def induction(dimension: Any) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Return facts and steps of one stage of the induction, (43) to (45) and (16), for a number of parameters that are tuned.

    The page has to say what V is, the right side of Lemma 4 for that number, and why a stage gives STAGE.
    """
    terms = four_terms(dimension, last_beta)
    four = sum(terms.values())
    facts = (
        line("phi_s", stage_gap, "=", smooth_gap + (moved_sq - away_first) / (2 * lambda_))
        .says("phi_s is F_beta_s and a squared distance from theta^{s-1}, at theta^s and at theta^*")
        .reasoned("what phi_s is"),
        line("growth", away_first, "<=", before_gap / (2 * mu)).says("(12) at beta_{s-1}, with the theta^* of this stage").assumed(),
        line("before", before_gap, "<=", 2 * alpha_s).says("the stage before is done: alpha_{s-1} = 2 alpha_s").case(),
        line("radii", beta, "<=", last_beta).says("beta_s is at most beta_S").assumed(),
        line("anchor", lambda_, "=", LAMBDA).says("lambda as prescribed").defined("Theorem 2"),
        line("stage_step", eta, "=", 7 / (2 * mu * T_s)).says("eta_s T_s = 7/(2 mu)").defined("Theorem 2"),
        *(
            line(name, 7 * eta * term, "<=", alpha_s).says(f"eta_s is at most its entry of {name}").assumed()
            for name, term in terms.items()
        ),
        line("smallest", alpha_s, "<=", 7 * eta * four).says("eta_s is one of its entries, alpha_s over 7 of these").assumed(),
        line("enough_stages", sp.log(alpha_0 / alpha), "<=", S * sp.log(2)).says("S is at least log_2(alpha_0/alpha)").assumed(),
    )
    made = (
        line("equation_43", smooth_gap, "<=", 2 * mu * PER_STAGE * away_first + eta * V + stage_bias)
        .says("(43) with stage_bias: the excess after a stage", "a squared distance is not negative")
        .by("stage", moved_sq / (2 * lambda_), modulo=((1, "phi_s"),)),
        line("equation_44", smooth_gap, "<=", PER_STAGE * before_gap + eta * V + stage_bias)
        .says("(44) with stage_bias: the excess by that of the stage before, where theta^* is one", "(12)")
        .by("equation_43", (2 * mu * PER_STAGE, "growth")),
        line("entries", eta * V, "<=", 4 * alpha_s / 7)
        .says("eta_s V is at most four times alpha_s/7, one for each entry of eta_s", "beta_s is at most beta_S")
        .by(
            *((sp.Rational(1, 7), name) for name in terms),
            (64 * eta * dimension * L**4 * (beta + last_beta) / (P * m), "radii"),
            modulo=((-eta, "error_level"),),
        ),
        line("first_bracket", 2 * PER_STAGE * alpha_s, "=", (2 * T_s + 1) / (7 * T_s) * alpha_s)
        .says("the first bracket of (44) at lambda = eta_s T_s = 7/(2 mu), over T_s", "insert them")
        .inserting("anchor", "stage_step"),
        line("equation_45", smooth_gap, "<=", (6 * T_s + 1) / (7 * T_s) * alpha_s + stage_bias)
        .says("(45) before it is rounded, with stage_bias: the first bracket and the four entries, over T_s", "their sum")
        .by("equation_44", (PER_STAGE, "before"), "entries", modulo=((-1, "first_bracket"),)),
        line("induction", smooth_gap, "<=", alpha_s + stage_bias)
        .says("(45) with stage_bias: the excess after the stage", "T_s is at least 1")
        .by("equation_45", (alpha_s / (7 * T_s), "stage_T >= 1")),
        line("second_bracket", (1 / (eta * T_s) + 1 / (T_s * lambda_)) / (2 * mu) * alpha_s, "=", (T_s + 1) / (7 * T_s) * alpha_s)
        .says("the same for phi_s, without the first of three, over T_s", "insert them")
        .inserting("anchor", "stage_step"),
        line("equation_16", stage_gap, "<=", (5 * T_s + 1) / (7 * T_s) * alpha_s + stage_bias)
        .says("(16) with stage_bias, for any stage: the excess of phi_s", "(40), (12) and the four entries")
        .by(
            *("stage", "entries", ((1 / eta + 1 / lambda_) / (2 * T_s), "growth"), ((1 / eta + 1 / lambda_) / (4 * T_s * mu), "before")),
            modulo=((-1, "second_bracket"),),
        ),
        line("last_stage", alpha_0 / 2**S, "<=", alpha)
        .says("alpha_S = alpha_0/2^S is at most alpha after log_2(alpha_0/alpha) stages", "2^x >= 1 + x log 2")
        .by(
            (alpha_0 / 2**S, Instance("exponential", S * sp.log(2) - sp.log(alpha_0 / alpha))),
            (alpha_0 / 2**S, "enough_stages"),
        ),
        line("calls", P * m * T_s, "<=", 49 * P * m / (2 * mu * alpha_s) * four)
        .says("P m T_s by the four terms, of which that of the noise has T, the number of all steps", "eta_s is the smallest entry")
        .by((7 * P * m / (2 * mu * eta * alpha_s), "smallest"), modulo=((-P * m * T_s / eta, "stage_step"),)),
    )
    return facts, made


def scope() -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Return what Assumptions 1 and 2 say together, and what (44) costs where every radius has its own minimiser."""
    both = sp.sqrt(d) * L * (previous_beta + beta)
    facts = (
        line("growth_here", 2 * mu * from_best**2, "<=", gap_here).says("(12) at any point").assumed(),
        line("slope_here", gap_here, "<=", L * from_best).says("F_beta is L-Lipschitz: the excess at any point").assumed(),
        line("next_minimiser", carried_gap, "=", before_gap + value_shift + best_shift - best_excess)
        .says("the excess at beta_s, by way of values at beta_{s-1}")
        .reasoned("each value is added and taken off"),
        line("value_near", value_shift, "<=", both).says("what the radius moves: a value").cited("Lemma 3 (ii), twice"),
        line("best_near", best_shift, "<=", both).says("the same at the next minimiser").cited("Lemma 3 (ii), twice"),
        line("own_growth", away_first, "<=", carried_gap / (2 * mu)).says("(12) at beta_s, with its own theta^*").assumed(),
    )
    made = (
        line("inside_ball", from_best, "<=", L / (2 * mu))
        .says("no point has a distance from_best above L/(2 mu): Assumptions 1 and 2 exclude R^d", "slope against growth")
        .by((1 / (2 * mu * from_best), "growth_here"), (1 / (2 * mu * from_best), "slope_here")),
        line("two_minima", away_first, "<=", (before_gap + 2 * both) / (2 * mu))
        .says("(12) for two minimisers: the squared distance away_first, with what the two radii add", "a minimum is the least value")
        .by(
            *("own_growth", (1 / (2 * mu), "value_near"), (1 / (2 * mu), "best_near"), best_excess / (2 * mu)),
            modulo=((-1 / (2 * mu), "next_minimiser"),),
        ),
    )
    return facts, made


def proof() -> Derivation:
    """Write the induction out, with the term that clipping adds to every stage."""
    facts, made = induction(d)
    stage = STAGE.says("(40) with stage_bias, at theta^*, T_s steps").shown("dp_zopo.lemma5_steps", "equation_40", {T: T_s})
    more, further = scope()
    return proved(
        *("theorem2", "the induction over stages, with what clipping adds", "Theorem 2, (43) to (46), Lemmas 3 to 5"),
        facts=(*of_lemma4(), stage, *facts, *more),
        steps=(*made, *further),
    )
