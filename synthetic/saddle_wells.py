"""Losses that are a sum over the coordinates: a slope, and saddles with wells on both sides.

The wells are polynomials near the saddle, where all experiments happen, continued so that every constant holds everywhere. A
polynomial well has neither L nor U; growing linearly, it would still have no U. So it is continued by a top, as a cosine
is: all critical points stay strict saddles, minima or strict maxima, and none is flat.
"""

from __future__ import annotations

import numpy as np

from synthetic.draws import FloatArray
from synthetic.kernels import saddle_losses as losses
from synthetic.memory import room_for
from synthetic.saddles import Landscape
from synthetic.tilts import tilts
from synthetic.validate import held, positive, positive_integer, strict_door

Profile = tuple[float, ...]


@strict_door
def slope(d: int, *, g: float = 1.0, A_0: float = 1.0, spread: float = 0.0, clients: int = 1, heterogeneity: float = 0.0) -> Landscape:
    """Return F(x) = A_0 sin(g x_1 / A_0), and g x_1 for A_0 = inf; samples as in `synthetic.tilts`.

    Everywhere L = g, ell = g^2 / A_0, rho = g^3 / A_0^2, U = 2 A_0. It starts at 0, where the slope is steepest: a run travels far and
    gains little, which Lemma 4 of Gauss-PSGD excludes. There is no strict saddle near: `saddle` is the crest x_1 = pi A_0 / (2 g), of
    curvature ell, to which no descent comes from `x0`; for A_0 = inf there is none, and `saddle` is 0.
    """
    positive_integer(d=d)
    room_for(64 * d, d=d)
    positive(g=g)
    if not (isinstance(A_0, float) and np.inf == A_0):
        positive(A_0=A_0)
    draw, longest = tilts(d, spread=spread, clients=clients, heterogeneity=heterogeneity)
    w = g / A_0
    crest = np.zeros(d)
    crest[0] = held(np.pi / (2 * w) if w > 0 else 0.0)[0]

    def hessian(x: FloatArray) -> FloatArray:
        h = np.zeros((d, d))
        h[0, 0] = -g * w * np.sin(w * x[0])
        return h

    return Landscape(
        name=f"slope, d = {d}",
        params=(float(g), float(w)),
        value_gradient=losses.slope_value_gradient,
        batch_gradient=losses.slope_batch_gradient,
        hessian=hessian,
        batch_hessian=lambda x, rows: hessian(x),
        draw=draw,
        saddle=crest,
        x0=np.zeros(d),
        constants={"d": d, "L": g + longest, "ell": g * w, "rho": g * w**2, "U": 2 * A_0, "gap": A_0, "curvature": g * w},
        clients=clients,
    )


@strict_door
def cubic_saddle(
    d: int,
    *,
    curvature: float = 1.0,
    rho: float = 1.0,
    stable: float = 1.0,
    spread: float = 0.0,
    clients: int = 1,
    heterogeneity: float = 0.0,
) -> Landscape:
    """Return F(x) = -curvature x_1^2 / 2 + rho |x_1|^3 / 6 + stable (x_2^2 + ... + x_d^2) / 2 for |x_i| <= reach = 2 curvature / rho.

    Beyond, the second derivative of each coordinate's part goes on with slope -rho (see `profile`), so that everywhere
    ell = max(curvature, stable), L^2 = (curvature^2 / (2 rho))^2 + (d - 1) (stable reach + stable^2 / (2 rho))^2, and U is finite.
    The second derivative along x_1 is a triangle wave: |F'''| = rho wherever there is one. Minima |x_1| = reach of depth
    2 curvature^3 / (3 rho^2) and second derivative `curvature`.  Samples as in `synthetic.tilts`.
    With curvature = sqrt(rho alpha) it is the hardest case of Gauss-PSGD's Lemma 1.
    """
    positive_integer(d=d)
    room_for(64 * d, d=d)
    positive(curvature=curvature, rho=rho, stable=stable)
    reach = 2 * curvature / rho
    return _wells(
        f"cubic saddle, d = {d}", d, profile(-curvature, e=rho, b=reach, rho=rho, lowest_at=reach), profile(stable, b=reach, rho=rho),
        steepest=curvature**2 / (2 * rho), spread=spread, clients=clients, heterogeneity=heterogeneity,
    )  # fmt: skip


@strict_door
def quartic_saddle(
    d: int,
    *,
    curvature: float = 1.0,
    k: float = 1.0,
    stable: float = 1.0,
    reach: float | None = None,
    spread: float = 0.0,
    clients: int = 1,
    heterogeneity: float = 0.0,
) -> Landscape:
    """Return F(x) = -curvature x_1^2 / 2 + k x_1^4 / 4 + stable (x_2^2 + ... + x_d^2) / 2 for |x_i| <= reach.

    Beyond, the second derivative of each coordinate's part goes on with slope -rho (see `profile`), so that everywhere
    ell = max(curvature, 3 k reach^2 - curvature, stable), rho = 6 k reach, and L and U are finite. Minima |x_1| = sqrt(curvature / k) of
    depth curvature^2 / (4 k) and second derivative 2 curvature.  `reach` is by default the smallest that holds the minima.
    Samples as in `synthetic.tilts`.  Raises ValueError if reach is smaller.
    """
    positive_integer(d=d)
    room_for(64 * d, d=d)
    positive(curvature=curvature, k=k, stable=stable)
    minimum = float(np.sqrt(curvature / k))
    held(minimum)
    edge = minimum if reach is None else reach
    positive(reach=edge)
    if edge < minimum:
        raise ValueError(f"reach = {edge!r}: at least sqrt(curvature / k) = {minimum!r} is needed, where the minima lie")
    rho = 6 * k * edge
    return _wells(
        f"quartic saddle, d = {d}", d, profile(-curvature, k=k, b=edge, rho=rho, lowest_at=minimum), profile(stable, b=edge, rho=rho),
        steepest=2 * curvature / 3 * float(np.sqrt(curvature / (3 * k))), spread=spread, clients=clients, heterogeneity=heterogeneity,
    )  # fmt: skip


def profile(a: float, *, e: float = 0.0, k: float = 0.0, b: float, rho: float, lowest_at: float = 0.0) -> Profile:
    """Return the numbers from which `losses.wave` computes an even periodic function q of one variable, lowest at +-lowest_at in its core.

    core          q = a t^2 / 2 + e t^3 / 6 + k t^4 / 4 for 0 <= t <= b
    shoulder      q''' = -rho until q'' = 0, at c = b + q''(b) / rho; there q is steepest, q'(c) = q'(b) + q''(b)^2 / (2 rho)
    mirror        q(2 c - t) = 2 q(c) - q(t), until q' = 0, at the top p = 2 c - lowest_at
    then          even about p, so of period 2 p

    q, q' and q'' are continuous. If |q'''| <= rho on the core, q'' is rho-Lipschitz everywhere, and |q''| <= max |q''| on the core.
    """
    slope_b = a * b + e / 2 * b**2 + k * b**3
    curvature_b = a + e * b + 3 * k * b**2
    value_b = a / 2 * b**2 + e / 6 * b**3 + k / 4 * b**4
    width = curvature_b / rho
    c = b + width
    value_c = value_b + slope_b * width + curvature_b * width**2 / 3
    return held(a, e, k, b, rho, curvature_b, slope_b, value_b, c, value_c, 2 * c - lowest_at)


def _wells(
    name: str, d: int, unstable: Profile, stable: Profile, *, steepest: float, spread: float, clients: int, heterogeneity: float
) -> Landscape:
    """Return the landscape of two profiles; `steepest` is the largest |q'| between the saddle and the minimum of the unstable one."""
    draw, longest = tilts(d, spread=spread, clients=clients, heterogeneity=heterogeneity)
    shoulder = max(steepest, losses.wave(unstable[8], unstable)[1]), losses.wave(stable[8], stable)[1]
    depth = -losses.wave(2 * unstable[8] - unstable[10], unstable)[0]
    top, stable_top = losses.wave(unstable[10], unstable)[0], losses.wave(stable[10], stable)[0]
    x0 = np.full(d, stable[3] / 2)
    x0[0] = 0.0

    def hessian(x: FloatArray) -> FloatArray:
        return np.diag([losses.wave(float(t), stable if i else unstable)[2] for i, t in enumerate(x)])

    return Landscape(
        name=name,
        params=(unstable, stable),
        value_gradient=losses.wells_value_gradient,
        batch_gradient=losses.wells_batch_gradient,
        hessian=hessian,
        batch_hessian=lambda x, rows: hessian(x),
        draw=draw,
        saddle=np.zeros(d),
        x0=x0,
        constants={
            "d": d,
            "L": float(np.hypot(shoulder[0], np.sqrt(d - 1) * shoulder[1])) + longest,
            "ell": max(-unstable[0], unstable[5], stable[0]) if d > 1 else max(-unstable[0], unstable[5]),
            "rho": unstable[4],
            "U": depth + max(0.0, top) + (d - 1) * stable_top,
            "gap": depth + (d - 1) * stable[0] * (stable[3] / 2) ** 2 / 2,
            "curvature": -unstable[0],
        },
        clients=clients,
    )
