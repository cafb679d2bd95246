"""Exact expectations of zeroth-order and first-order runs on a quadratic, without simulation.

`recursion` has the second moments of the iterates where no sample is clipped, `clipping` the probability that one is clipped, and
`optimal_quadratic` the step size and the number of steps that are best at a privacy budget.

May import: the modules of `bounds`, `bounds.privacy`. Start with `recursion`, whose functions are the names of this package.
"""

from typing import TYPE_CHECKING

from bounds.moments.recursion import (
    Recursion,
    at_output,
    coefficients,
    derive_recursion,
    direction_moment,
    expected_gap,
    expected_grad_norm_sq,
    fourth_moment,
    mean_offset,
    second_moments,
)
from bounds.renamed import old_names

__all__ = [
    "Recursion",
    "at_output",
    "coefficients",
    "derive_recursion",
    "direction_moment",
    "expected_gap",
    "expected_grad_norm_sq",
    "fourth_moment",
    "mean_offset",
    "second_moments",
]

if not TYPE_CHECKING:  # it would give every misspelt name a type
    __getattr__ = old_names("bounds.moments.recursion", Moves="StepRule", quadratic="check_quadratic", collected="group_eigenvalues")
