"""Records of the methods of DPZero and of its baselines; their loops are in `synthetic.kernels.dpzero`.

DP-GD uses neither lam nor directions. It accepts both settings like the others, because all four run with the same settings.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from synthetic import kernels
from synthetic.draws import DIRECTIONS, NOISE, FloatArray, draw_directions
from synthetic.methods.record import SAMPLING, ZEROTH, Draw, Kernel, scalar, vector


def draw_named_directions(rng: np.random.Generator, shape: tuple[int, ...], settings: Mapping[str, Any]) -> FloatArray:
    """Draw the next directions, (steps, d), from the distribution that the setting `direction` names."""
    steps, d = shape
    return draw_directions(rng, steps, d, settings["direction"])


U = Draw("u", DIRECTIONS, vector, draw_named_directions)
Z = Draw("z", NOISE, vector)
Z_ALONG = Draw("z_along", NOISE, scalar)
SETTINGS = (*ZEROTH, SAMPLING)

DPZERO = Kernel("dpzero", kernels.dpzero, (U, Z_ALONG), SETTINGS)
DPGD_0TH = Kernel("dpgd_0th", kernels.dpgd_0th, (U, Z), SETTINGS)
DP_GD = Kernel("dp_gd", kernels.dp_gd, (Z,), SETTINGS)
MEZO = Kernel("mezo", kernels.mezo, (U,), SETTINGS)
KERNELS = {one.name: one for one in (DPZERO, DPGD_0TH, DP_GD, MEZO)}
