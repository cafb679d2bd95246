"""A cubic near a saddle, with a slope if asked for: what the witnesses of a proof's steps are made of; it has no global constants."""

from __future__ import annotations

import numpy as np

from synthetic.draws import FloatArray
from synthetic.kernels import saddle_losses as losses
from synthetic.memory import room_for
from synthetic.saddles import Landscape
from synthetic.validate import non_negative, positive, positive_integer, real, strict_door


@strict_door
def local_cubic(d: int, *, gamma: float, rho: float, ell: float, slope: float = 0.0, bent: bool = False, spread: float = 0.0) -> Landscape:
    """Return F(x) = slope x_1 - gamma x_1^2 / 2 + rho |x_1|^3 / 6 + ell (x_2^2 + ...) / 2, f(x; z) = F(x) + z'x, z_i on [-spread, spread].

    A local model: Hessian-Lipschitz with rho everywhere, minima at |x_1| = 2 gamma / rho for slope 0, ell-smooth up to there if
    ell >= gamma, not Lipschitz. `bent` takes -rho x_1^3 / 6 in place of the cubic: the saddle becomes steeper in the direction of positive
    x_1, and F is not bounded below. With gamma = rho = 0 and a slope it is a plane along x_1.  Source: the construction is ours.
    """
    positive_integer(d=d)
    room_for(64 * d, d=d)
    non_negative(gamma=gamma, rho=rho, spread=spread)
    positive(ell=ell)
    real(slope=slope)
    mirror, bend = (0.0, -float(rho)) if bent else (float(rho), 0.0)

    def hessian(x: FloatArray) -> FloatArray:
        diagonal = np.full(d, float(ell))
        diagonal[0] = -gamma + mirror * abs(x[0]) + bend * x[0]
        return np.diag(diagonal)

    def draw(rng: np.random.Generator, n: int, client: int = 0) -> FloatArray:
        return rng.uniform(-spread, spread, (n, d))

    return Landscape(
        name=f"local cubic, d = {d}",
        params=(float(slope), float(gamma), mirror, bend, float(ell)),
        value_gradient=losses.cubic_value_gradient,
        batch_gradient=losses.cubic_batch_gradient,
        hessian=hessian,
        batch_hessian=lambda x, rows: hessian(x),
        draw=draw,
        saddle=np.zeros(d),
        x0=np.zeros(d),
        constants={"d": d, "L": np.inf, "ell": ell, "rho": rho, "U": np.inf, "curvature": gamma},
        where=f"|x_1| <= {2 * gamma / rho:.4g}" if rho > 0 else "everywhere",
    )
