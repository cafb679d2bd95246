"""Records of the methods of DPZero and of its baselines; their loops are in `synthetic.kernels.dpzero`.

DP-GD uses neither lam nor directions. It accepts both settings like the others, because all four run with the same settings.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from synthetic import kernels
from synthetic.declared.dpzero import DPGD, DPGD0th, DPZero, MeZO
from synthetic.draws import DIRECTIONS, NOISE, FloatArray, draw_directions
from synthetic.methods.record import Draw, Kernel, scalar, vector


def draw_named_directions(rng: np.random.Generator, shape: tuple[int, ...], settings: Mapping[str, Any]) -> FloatArray:
    """Draw the next directions, (steps, d), from the distribution that the setting `direction` names."""
    steps, d = shape
    return draw_directions(rng, steps, d, settings["direction"])


U = Draw("u", DIRECTIONS, vector, draw_named_directions)
Z = Draw("z", NOISE, vector)
Z_ALONG = Draw("z_along", NOISE, scalar)


def gradient_step(x: Any, g: Any, alpha: Any) -> Any:
    """Return x after a step of DP-GD along the noisy mean g of the clipped gradients."""
    return x - alpha * g


DPZERO = Kernel.of(DPZero, kernels.dpzero, (U, Z_ALONG))
DPGD_0TH = Kernel.of(DPGD0th, kernels.dpgd_0th, (U, Z))
DP_GD = Kernel.of(DPGD, kernels.dp_gd, (Z,), linear_step=gradient_step)
MEZO = Kernel.of(MeZO, kernels.mezo, (U,))
KERNELS = {one.name: one for one in (DPZERO, DPGD_0TH, DP_GD, MEZO)}
