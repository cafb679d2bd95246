"""The objectives and the losses with saddles, by the names under which the lab has them: a new one is a line here.

Light: the module of a constructor is loaded when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

OBJECTIVES = {  # which return an `Objective`: samples, and a mean over them
    "quadratic": "synthetic.objectives:quadratic",
    "pseudo_huber": "synthetic.objectives:pseudo_huber",
    "cosine": "synthetic.objectives:cosine",
    "logistic": "synthetic.objectives:logistic",
}
LANDSCAPES = {  # which return a `Landscape`: a distribution of samples, and second derivatives
    "random_phase_cosines": "synthetic.separable_saddles:random_phase_cosines",
    "cubic_saddle": "synthetic.separable_saddles:cubic_saddle",
    "slope": "synthetic.separable_saddles:slope",
    "quartic_saddle": "synthetic.separable_saddles:quartic_saddle",
    "octopus": "synthetic.coupled_saddles:octopus",
    "matrix_factorisation": "synthetic.coupled_saddles:matrix_factorisation",
    "phase_retrieval": "synthetic.coupled_saddles:phase_retrieval",
}


def function_at(where: str) -> Callable[..., Any]:
    """Return the function that "module:name" names; the module is imported for it."""
    module, _, name = where.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


def constructor(name: str) -> Callable[..., Any]:
    """Return the function that makes an objective or a landscape; its signature says what it takes."""
    return function_at({**OBJECTIVES, **LANDSCAPES}[name])
