"""Bounds of the sharper stage theorems of DP-ZOPO as functions of floats and arrays.

Source    `sharp_growth.page`, `sharp_suffix.page` and `sharp_moment.page`, whose formulas these are; a test compares the two.

T is the number of steps of a stage, tau the share of growth that compensates clipping (Young's inequality), kappa = rho/(4 mu).
"""

from math import sqrt
from typing import Any


def second_moment(d: float, L: float, P: int, noise: Any) -> Any:
    """Return V, the mean squared norm of a gradient estimate; `noise` is the noise on the mean along each direction."""
    return (L**2 * (d + 2 * sqrt(d)) + d * noise**2 + (P - 1) * L**2) / P


def growth_cost(before: Any, eta: Any, T: Any, beta: Any, *, V: Any, d: float, L: float, mu: float, rho: float) -> Any:
    """Return the terms of the gap bound of sharp_growth without clipping: those of the start, the estimates and the smoothing."""
    return before / (4 * mu * eta * T) + (1 + 1 / T) * (eta * V / 2 + L * beta * sqrt(d) + rho * beta**2 * d / 2)


def growth_bound(cost: Any, T: Any, tau: Any, B_C: Any, mu: float, rho: float) -> Any:
    """Return the gap bound of sharp_growth after a stage, given `cost` from `growth_cost` and the bound B_C on clipping."""
    kappa = rho / (4 * mu)
    return (1 + kappa) * (cost + (1 + 1 / T) * B_C**2 / (8 * mu * tau)) / (1 - tau - kappa)


def distance_bound(before: Any, left: Any, taken: Any, added: Any, mu: float) -> Any:
    """Return the bound of sharp_suffix on E ||theta_b - theta^*||^2, given left = (1 - taken)^b."""
    return left * before / (2 * mu) + added * (1 - left) / taken


def mean_gap_bound(reached: Any, each: Any, eta: Any, T: Any, tau: Any, mu: float, rho: float) -> Any:
    """Return the bound of sharp_suffix on the gap at the mean of the last T iterates."""
    kappa = rho / (4 * mu)
    return (1 + kappa) * (reached / (2 * eta * T) + each) / (1 - tau - kappa)
