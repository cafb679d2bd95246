"""The losses with saddles, by the names under which the lab has them."""

from __future__ import annotations

from collections.abc import Callable

from synthetic.saddle_octopus import octopus
from synthetic.saddle_quartics import matrix_factorisation, phase_retrieval
from synthetic.saddle_wells import cubic_saddle, quartic_saddle, slope
from synthetic.saddles import Landscape, random_phase_cosines

SADDLES: dict[str, Callable[..., Landscape]] = {
    "random_phase_cosines": random_phase_cosines,
    "cubic_saddle": cubic_saddle,
    "slope": slope,
    "quartic_saddle": quartic_saddle,
    "octopus": octopus,
    "matrix_factorisation": matrix_factorisation,
    "phase_retrieval": phase_retrieval,
}
