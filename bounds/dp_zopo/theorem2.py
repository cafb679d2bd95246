"""Theorem 2 = Theorem 5, all stages of DP-ZOSO: the printed parameters, the induction with what clipping adds, and what is assumed.

Setting   as Lemma 5, and F_beta - F_beta^* >= 2 mu ||theta - theta^*||^2 at every stage (Assumption 2), F_beta_0 - F_beta_0^* <= alpha_0.
Method    DP-ZOSO: stage s has T_s steps of size eta_s from theta^{s-1}, which the regulariser is centred at.
Measure   E[f_{beta_S}(theta^S) - f_{beta_S}(theta^*)] after S stages.
Source    DP-ZOPO, Theorem 2, equations (16), (17) and (41) to (47).

The print has eta_s = alpha_s min{...} of four numbers, 1/7 over the four terms of Lemma 4: here 1/7 over the largest of them.
"""

from typing import Any

import sympy as sp

from bounds.dp_zopo.lemma5 import four_terms
from bounds.dp_zopo.paper import letters, stated
from bounds.symbols import Max
from bounds.theorem import Condition, Part, Theorem

eta, T, T_s, beta, lambda_, m, P, S, mu, rho, gamma = letters("eta T T_s beta lambda_ m P S mu rho gamma")
d, L, C, c_2, epsilon, n, delta, alpha, alpha_s, alpha_0 = letters("d L C c_2 epsilon n delta alpha alpha_s alpha_0")
last_beta, previous_beta, stage_bias, away_first, moved_sq = letters("last_lam previous_lam stage_bias away_first stage_moved_sq")

LAMBDA = 7 / (2 * mu)
STAGES = sp.ceiling(sp.log(alpha_0 / alpha) / sp.log(2))


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
