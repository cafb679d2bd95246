"""Lemma 5 = Lemma 7, one stage: the printed bound, and the chain to it, in which clipping leaves a term that the print sets to 0.

Setting   F_beta L-Lipschitz and sqrt(d) L/beta-smooth, F rho-weakly convex, lambda <= 1/rho.
Method    theta_{t+1} minimises eta (<est, .> + r_s) + ||. - theta_t||^2/2, est the estimate, r_s = ||. - theta^{s-1}||^2/(2 lambda).
Measure   E[phi_s(theta^s) - phi_s(theta)], phi_s = F_beta + r_s, theta^s the average of theta_1, ..., theta_{T_s}, theta any point.
Source    DP-ZOPO, Lemma 5, equations (15) and (33) to (40).

Delta_t is grad F_beta less the estimate, b_t its mean given the past: the error that clipping leaves on average. Everything is an
expectation. `lemma5_steps` is the chain for any bound on the mean squared error and any number T of steps.
"""

from typing import Any

from bounds.dp_zopo.lemma4 import CLIPPING, PRIVACY, SAMPLING, ZEROTH
from bounds.dp_zopo.paper import letters

eta, T, T_s, beta, lambda_, P, rho, d, L, delta = letters("eta T T_s beta lambda_ P rho d L delta")
away_next, away_first, away_last, phi_gap, mean_phi_gap, stage_gap = letters(
    "away_next away_first away_last phi_gap mean_phi_gap stage_gap"
)


def four_terms(dimension: Any, radius: Any) -> dict[str, Any]:
    """Return the four terms of Lemma 4 by what each is due to."""
    named = {"noise": PRIVACY, "clipping": CLIPPING, "smoothing": ZEROTH, "sampling": SAMPLING}
    return {name: term.xreplace({d: dimension, beta: radius}) for name, term in named.items()}


FOUR = sum(four_terms(d, beta).values())
FIRST = (1 / (2 * eta * T_s) + 1 / (2 * T_s * lambda_)) * away_first
BOUND = FIRST + eta * FOUR
