"""One stage whose mean leaves out its beginning: fewer stages are then enough, and certify less error.

Setting   as in `stages`: f(., x) L-Lipschitz and rho-weakly convex, projected steps in K, f - f^* >= 2 mu ||. - theta^*||^2 in K.
Method    Algorithm 2 with one step size, no regulariser; what it hands on is the mean of theta_b, ..., theta_{b+T-1}, of b + T - 1 steps.
Measure   E f - f^* at that mean, from what it was at theta_0
Theorem   (1 + kappa)/(1 - tau - kappa) (first/(2 eta T) + each),   kappa = rho/(4 mu),   x = 4 mu eta (1 - tau - kappa) <= 1,
          first = (1 - x)^b gap/(2 mu) + 2 eta each (1 - (1 - x)^b)/x >= E ||theta_b - theta^*||^2,
          each = eta V/2 + L beta sqrt(d) + rho beta^2 d/2 + B_C^2/(8 mu tau)
Source    ours. Of sharp_growth's step <= (now - then)/(2 eta) + each, growth makes a contraction, so that the start is forgotten at the
          rate 1 - x; the mean of all iterates, as Lemma 5 takes it, keeps the start as 1/T.
"""

from typing import Any

import sympy as sp

from bounds.dp_zopo.paper import letters
from bounds.dp_zopo.stages import BIAS, CAVEATS, GAP, LEAST, MOMENT, PLAIN, ROOM, SMOOTHED, WEAK, of_stage
from bounds.symbols import T
from bounds.theorem import Condition

B_C, V, eta, mu, rho, tau, b, before = letters("bias_cap second eta mu rho young burn_in gap_before")
x, kept, add = letters("away_taken away_left away_added")
after, true_t, mean_true, now, then, first, last, at_0 = letters("after_gap true_t mean_true away_sq away_next away_first away_last away_0")


def from_start(before: Any, left: Any, taken: Any, added: Any, mu: Any) -> Any:
    """Return the bound of E ||theta_b - theta^*||^2, with left = (1 - taken)^b. For letters, floats and arrays."""
    return left * before / (2 * mu) + added * (1 - left) / taken


def of_mean(reached: Any, each: Any, eta: Any, T: Any, tau: Any, mu: Any, rho: Any) -> Any:
    """Return the bound of the gap at the mean. For letters, floats and arrays."""
    kappa = rho / (4 * mu)
    return (1 + kappa) * (reached / (2 * eta * T) + each) / (1 - tau - kappa)


kappa = rho / (4 * mu)
SHORT, STARTS = sp.Le(4 * mu * eta * (1 - tau - kappa), 1), sp.Le(2 * mu * at_0, before)
TOO_LONG = "4 mu eta (1 - tau - rho/(4 mu)) = {value} is above {limit}: a step goes beyond the minimiser"
reached = from_start(before, kept**b, x, add, mu)
each = eta * V / 2 + SMOOTHED + B_C**2 / (8 * mu * tau)
SUFFIX = of_stage(
    *("sharp_suffix", "One stage, sharper: the mean of its last iterates", "(43) and (44)"),
    of_mean(reached, each, eta, T, tau, mu, rho),
    *(GAP, (PLAIN, WEAK, LEAST, "the stage hands on the mean of theta_b, ..., theta_{b+T-1}, burn_in = b")),
    definitions={
        "bias_cap": BIAS,
        "second": MOMENT,
        "away_taken": 4 * mu * eta * (1 - tau - kappa),
        "away_left": 1 - x,
        "away_added": 2 * eta * each,
    },
    valid_if=(ROOM, SHORT),
    conditions=(Condition(ROOM, CAVEATS[ROOM]), Condition(SHORT, TOO_LONG)),
    in_letters=(STARTS,),
)
