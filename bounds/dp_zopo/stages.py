"""One stage, and stages one after another: what holds in place of Lemma 5 and Theorem 2, and what is sharper.

Setting   f(., x) L-Lipschitz on R^d, K a convex set of diameter D, theta^* the least point of f in K; f - f^* >= 2 mu ||. - theta^*||^2
          in K where growth is asked for. On R^d that contradicts Lipschitz losses; on K it is asked of f, not of each smoothed loss.
Method    Algorithm 2 with the proximal step of its proof and a projection on K; batches of fixed size m; what a stage hands on is the mean
          of theta_1, ..., theta_T. With a static 0/1 mask of k coordinates: the same in theta^0 + range(M), d read as k, theta^* its own.
Measure   E phi_s - phi_s(theta) at the mean of a stage, for any theta of K; E f - f^* after it, from what it was before
Theorem   corrected_stage      (1/eta + rho) ||theta_0 - theta||^2/(2 T) + eta E + B_C D, E the corrected Lemma 4; eta <= sqrt(pi/2) beta/L
          corrected_theorem2   eta_s = 3 alpha_s/(8 E), lambda = eta_s T_s = 4/mu, beta_s = alpha_s/(16 L sqrt(d)) halve the gap
          sharp_moment         E ||g^||^2 <= V = (L^2 (d + 2 sqrt(d)) + d sigma^2 C^2/m^2 + (P - 1) L^2)/P
          sharp_stage          (1/eta + rho) ||theta_0 - theta||^2/(2 T) + eta V/2 + B_C D, whatever eta and beta are
          sharp_growth         no regulariser and no diameter: growth pays for weak convexity, and for what clipping takes
          sharp_theorem2       eta_s = 9 alpha_s/(16 V), eta_s T_s = 4/(3 mu) halve the gap
Source    ours. Lemma 5 sets to 0 what clipping takes from <grad F - grad f^, theta_{t+1} - theta>: B_C D is that. A second moment in place
          of an error needs no smoothness, hence no cap on eta, and half of it enters.
"""

from typing import Any

import sympy as sp

from bounds.dp_zopo.corrected import ABBREVIATED
from bounds.dp_zopo.paper import keyed, letters
from bounds.theorem import Condition, Theorem

C, L, P, beta, d, m, sigma, eta, lambda_, mu, rho = letters("C L P beta d m sigma eta lambda_ mu rho")
T_s, alpha_s, B_C, V, E, D, tau = letters("T_s alpha_s bias_cap second error_cap diameter young")
before, after, phi, phi_t, mean_phi, true_t, mean_true = letters("gap_before after_gap stage_gap phi_gap mean_phi_gap true_t mean_true")
now, then, first, last = letters("away_sq away_next away_first away_last")


def second_moment(d: Any, L: Any, P: Any, noise: Any, sqrt: Any = sp.sqrt) -> Any:
    """Return V; `noise` is the standard deviation of the noise on the mean along a direction. For letters, floats and arrays."""
    return (L**2 * (d + 2 * sqrt(d)) + d * noise**2 + (P - 1) * L**2) / P


def spent(before: Any, eta: Any, T: Any, beta: Any, at: dict[str, Any], sqrt: Any = sp.sqrt) -> Any:
    """Return what start, estimate and smoothing cost in sharp_growth, with V and the constants in `at`. For letters, floats and arrays."""
    V, d, L, mu, rho = (at[name] for name in ("V", "d", "L", "mu", "rho"))
    return before / (4 * mu * eta * T) + (1 + 1 / T) * (eta * V / 2 + L * beta * sqrt(d) + rho * beta**2 * d / 2)


def from_gap_to_gap(cost: Any, T: Any, tau: Any, B_C: Any, mu: Any, rho: Any) -> Any:
    """Return the bound of sharp_growth, with what is spent besides clipping. For letters, floats and arrays."""
    kappa = rho / (4 * mu)
    return (1 + kappa) * (cost + (1 + 1 / T) * B_C**2 / (8 * mu * tau)) / (1 - tau - kappa)


LIPSCHITZ = "f(., x) is L-Lipschitz on R^d for every sample x"
METHOD = "P normal directions, shared by a batch of m samples of fixed size; quotients clipped to C; noise noise_ratio C/m on their mean"
PLAIN = "theta_{t+1} is the point of a convex set K that is closest to theta_t - eta g: no regulariser"
WEAK = "f(., x) is rho-weakly convex"
LEAST = "theta^* is the least point of f in K, and f - f^* >= 2 mu ||. - theta^*||^2 in K"
HANDED = "the stage hands on the mean of theta_1, ..., theta_T"
MASKED = "with a static 0/1 mask all holds in theta^0 + range(M), with the kept coordinates for d and its own theta^*, f^* and growth"
CAP, CONVEX = sp.Le(eta, sp.sqrt(sp.pi / 2) * beta / L), sp.Le(rho, 1 / lambda_)
GROWS, HALVES = sp.Le(2 * mu * first, before), sp.Le(before, 2 * alpha_s)
smooth = L * sp.sqrt(d)
SMOOTHED, ROOM = smooth * beta + rho * beta**2 * d / 2, sp.Lt(tau + rho / (4 * mu), 1)
LASTS, LONG, WEAKLY, LITTLE_BIAS = sp.Ge(T_s, 1), sp.Ge(T_s, 7), sp.Le(rho, 2 * mu / 7), sp.Le(B_C * D, alpha_s / 8)
SMALL_BIAS, SMALL_LAM = sp.Le(B_C**2, mu * alpha_s / 64), sp.Le(SMOOTHED, alpha_s / 32)
MOMENT, BIAS = second_moment(d, L, P, sigma * C / m), ABBREVIATED["bias_cap"]
WITH_V: dict[str, Any] = {"bias_cap": BIAS, "second": MOMENT, "T": T_s + 1}
GAP = "E f(theta^s) - f(theta^*)"
start, kappa = (1 / eta + rho) * first / (2 * T_s), rho / (4 * mu)
at_stage = {"V": V, "d": d, "L": L, "mu": mu, "rho": rho}
CAVEATS = {
    CAP: "eta = {value} is above sqrt(pi/2) beta/L = {limit}, where the proof ends",
    CONVEX: "rho = {value} is above 1/lambda = {limit}: phi_s need not be convex",
    ROOM: "tau + rho/(4 mu) = {value} is not below {limit}: growth does not pay for weak convexity and clipping",
    HALVES: "the gap before the stage, {value}, is above 2 alpha_s = {limit}",
    LITTLE_BIAS: "B_C D = {value} is above alpha_s/8 = {limit}: C = L sqrt(2 log(8 L D/alpha_s)) is enough",
    SMALL_BIAS: "B_C^2 = {value} is above mu alpha_s/64 = {limit}: C = L sqrt(log(64 L^2/(mu alpha_s))) is enough",
    SMALL_LAM: "L beta sqrt(d) + rho beta^2 d/2 = {value} is above alpha_s/32 = {limit}: beta is too large",
    LASTS: "the stage has {value} steps, fewer than {limit}: alpha_s is too large",
    LONG: "the stage has {value} steps, fewer than {limit}",
    WEAKLY: "rho = {value} is above 2 mu/7 = {limit}: growth does not pay for weak convexity",
}


def of_stage(name: str, title: str, place: str, bound: Any, measure: str, assumes: tuple[str, ...], *needs: Any, **more: Any) -> Theorem:
    """Return a statement about a stage."""
    return keyed(
        *(name, title, f"ours; in place of {place}"), measure=measure, assumptions=(LIPSCHITZ, METHOD, *assumes), bound=bound,
        **{"valid_if": needs, "conditions": tuple(Condition(one, CAVEATS[one]) for one in needs), "any_schedule": bound,
           "notes": (MASKED,), "measured": after, "in_letters": (GROWS,), **more},
    )  # fmt: skip


SHARP_GROWTH = of_stage(
    *("sharp_growth", "One stage from gap to gap, sharper: no regulariser, no diameter", "(43) and (44)"),
    from_gap_to_gap(spent(before, eta, T_s, beta, at_stage), T_s, tau, B_C, mu, rho),
    *(GAP, (PLAIN, WEAK, LEAST, HANDED)),
    *(ROOM,),
    definitions=WITH_V,
)
