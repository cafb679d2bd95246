"""The octopus of Du, Jin, Lee, Jordan, Singh, Poczos (2017), arXiv:1705.10412: d saddles in a row, each of which slows down descent."""

from __future__ import annotations

import numpy as np

from synthetic.draws import FloatArray
from synthetic.kernels import saddle_losses as losses
from synthetic.memory import room_for
from synthetic.saddles import Landscape
from synthetic.tilts import tilts
from synthetic.validate import positive, positive_integer, strict_door

CELLS = 256  # per side of [0, 1]^2: the bounds of `block_bounds` are then at most 4 % above the largest values (a test says so)
ANGLES = 32


@strict_door
def octopus(
    d: int, *, L: float = 1.0, gamma: float = 0.5, tau: float = 1.0, spread: float = 0.0, clients: int = 1, heterogeneity: float = 0.0
) -> Landscape:
    """Return F(x) = sum_i (1 - w_i) L x_i^2 + w_i psi(|x_i|), w_1 = 1, w_i = w(|x_(i-1)|): an arm is entered where the one before it ends.

    psi(t) = -gamma t^2 up to tau, L (t - 4 tau)^2 - nu from 2 tau on, the quartic with the same value and two derivatives at both ends
    between; nu = (37 L + 13 gamma) tau^2 / 6; w(s) = 0 up to tau, 1 from 2 tau on, the quintic with two vanishing derivatives at both ends
    between. In the tube, the union over i of 2 tau <= |x_j| <= 6 tau for j < i, |x_i| <= 6 tau, |x_j| <= tau for j > i, it is
    the function of Du et al.; elsewhere it is our continuation, twice continuously differentiable. F >= -d nu everywhere.
    Saddles (4 tau, ..., 4 tau, 0, ..., 0) of curvature 2 gamma; minima +-4 tau in every coordinate; no other critical point in the tube,
    for in a transition the derivative along the arm, g_1' - w' (L + gamma) x_(i+1)^2, is negative whatever L, gamma > 0.
    L, ell and rho hold along every segment in the tube (it is not convex); `block_bounds` has them for the transition.
    Samples as in `synthetic.tilts`.  Raises ValueError for d < 2.
    """
    positive_integer(d=d)
    room_for(64 * d, d=d)
    positive(L=L, gamma=gamma, tau=tau)
    if d < 2:
        raise ValueError(f"d = {d}: at least 2 is needed, one arm and the next")
    draw, longest = tilts(d, spread=spread, clients=clients, heterogeneity=heterogeneity)
    params = (float(L), float(gamma), float(tau))
    nu = (37 * L + 13 * gamma) / 6 * tau**2
    steep_block, steep_last, ell, rho = block_bounds(L, gamma)
    two_arms = max(steep_block**2, (4 * L) ** 2 + steep_last**2, 2 * (4 * L) ** 2)  # the last transition, the last arm's, the end
    x0 = np.full(d, tau / 2)
    x0[0] = 0.0

    def hessian(x: FloatArray) -> FloatArray:
        h = np.zeros((d, d))
        weight, first, second = 1.0, 0.0, 0.0
        for i in range(d):
            t = abs(float(x[i]))
            value, slope, curvature = losses.octopus_arm(t, params)
            h[i, i] = (1 - weight) * 2 * L + weight * curvature
            if i > 0:
                h[i - 1, i - 1] += second * (value - L * t**2)
                h[i, i - 1] = h[i - 1, i] = first * (slope - 2 * L * t) * np.copysign(1.0, x[i - 1]) * np.copysign(1.0, x[i])
            weight, first, second = losses.octopus_gate(t, tau)
        return h

    return Landscape(
        name=f"octopus, d = {d}",
        params=params,
        value_gradient=losses.octopus_value_gradient,
        batch_gradient=losses.octopus_batch_gradient,
        hessian=hessian,
        batch_hessian=lambda x, rows: hessian(x),
        draw=draw,
        saddle=np.zeros(d),
        x0=x0,
        constants={
            "d": d,
            "L": tau * float(np.sqrt((d - 2) * (4 * L) ** 2 + two_arms)) + longest,
            "ell": ell,
            "rho": rho / tau,
            "U": (d - 1) * L * tau**2 + d * nu,
            "gap": (d - 1) * L * (tau / 2) ** 2 + d * nu,
            "curvature": 2 * gamma,
        },
        clients=clients,
        where="along every segment in the tube: for some i, 2 tau <= |x_j| <= 6 tau for j < i, |x_i| <= 6 tau, |x_j| <= tau for j > i",
    )


def block_bounds(L: float, gamma: float) -> tuple[float, float, float, float]:
    """Return upper bounds, for tau = 1, of |gradient| and |g_1'| in the transition, and of ell and rho in the whole tube.

    With v = |x_i| - 1 and y = |x_(i+1)|, both in [0, 1], and K = L + gamma, the part of F that depends on them is
    q(v, y) = g(v) + (L - K w(v)) y^2, g = -gamma (1 + v)^2 + A v^3 + B v^4; all other second derivatives in the tube are 2 L or -2 gamma.
    The largest value in a cell is at most that at its centre plus half its diagonal times a bound of the next derivative:
    |4th| <= 24 |B| + (360 + 4 * 120 * 3 sqrt(3) / 16 + 6 * (20 / sqrt(3)) / 4) K, for |w''''| <= 360, |w'''| <= 60, |w''| <= 10 / sqrt(3),
    and cos^3 sin <= 3 sqrt(3) / 16, cos^2 sin^2 <= 1/4 along a unit vector. The third derivative along
    (cos, sin) is a trigonometric polynomial of degree 3, so its largest value is at most that at angles `step` apart over
    cos(3 step / 2) (M. Riesz), and a symmetric tensor's norm is its largest value along a unit vector (Banach).
    """
    K, A, B = L + gamma, (10 * gamma - 14 * L) / 3, (5 * L - 3 * gamma) / 2
    centres = (np.arange(CELLS) + 0.5) / CELLS
    v, y = centres[:, None], centres[None, :]
    half = np.sqrt(0.5) / CELLS
    w, w1, w2, w3 = v**3 * (10 - 15 * v + 6 * v**2), 30 * (v * (1 - v)) ** 2, 60 * v * (1 - v) * (1 - 2 * v), 60 * (1 - 6 * v + 6 * v**2)
    arm1, arm2, arm3 = -2 * gamma * (1 + v) + 3 * A * v**2 + 4 * B * v**3, -2 * gamma + 6 * A * v + 12 * B * v**2, 6 * A + 24 * B * v

    fourth = 24 * abs(B) + (360 + 90 * np.sqrt(3) + 10 * np.sqrt(3)) * K
    third = 0.0
    for angle in np.arange(ANGLES) * np.pi / ANGLES:
        cos, sin = np.cos(angle), np.sin(angle)
        form = (arm3 - K * w3 * y**2) * cos**3 - 6 * K * w2 * y * cos**2 * sin - 6 * K * w1 * cos * sin**2
        third = max(third, float(np.abs(form).max()))
    rho = float(third / np.cos(1.5 * np.pi / ANGLES) + half * fourth)
    xx, xy, yy = arm2 - K * w2 * y**2, -2 * K * w1 * y, 2 * (L - K * w)
    ell = max(2.0 * L, 2.0 * gamma, float((np.abs(xx + yy) / 2 + np.hypot((xx - yy) / 2, xy)).max() + half * rho))
    block = float(np.hypot(arm1 - K * w1 * y**2, 2 * (L - K * w) * y).max() + half * ell)
    return block, float(np.abs(arm1).max() + half * ell), ell, rho
