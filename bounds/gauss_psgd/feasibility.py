"""The number of samples from which Gauss-PSGD's parameters guarantee anything, and the samples that a run needs.

Setting   a problem of `bounds.gauss_psgd.fixed_point` without its n.
Measure   first_n: the n at which the accuracy has fallen to min(L, ell^2/rho). Above, the guarantee is vacuous: every point has a
          gradient of norm at most L, and (5) is meant for accuracy <= ell^2/rho (the paper's standing assumption).
Source    Gauss-PSGD, Theorems 2 and 3, (79), (98), Lemma 8; the comparison is ours.
"""

import math
from dataclasses import dataclass

from bounds.gauss_psgd.block import PLAIN, Constants, mu_lower_bounds
from bounds.gauss_psgd.fixed_point import (
    BATCHES,
    BatchFixedPoint,
    Problem,
    accuracy_ratio,
    block_and_counts,
    block_inputs,
    find_root,
    solve_fixed_point,
)
from bounds.validate import one_of


@dataclass(frozen=True)
class Feasibility:
    """The guarantee and the sample use of the parameters at one fixed point.

    accuracy       the paper's alpha;  ceiling: min(L, ell^2/rho);  vacuous: accuracy >= ceiling
    first_n        samples (per client) from which on they guarantee anything, a float: up to 1e35 and more
    fresh_use      b_1 |T| / n with |T| <= (6 eta/kappa) (U + 5 T eta chi^2), the bound in the proof of Lemma 8
    difference_use b_2 T / n with T of (79); single use of every sample asks for fresh_use + difference_use <= 1
    batch_use      b_1 / n: above 1, not even one fresh gradient can be taken
    over_budget    samples that the run may need, over n: both uses, with at most T fresh gradients
    """

    accuracy: float
    ceiling: float
    vacuous: bool
    first_n: float
    fresh_use: float
    difference_use: float
    batch_use: float
    over_budget: float


def first_n(problem: Problem, *, constants: Constants = PLAIN, batches: str = "printed") -> float:
    """Return the n at which the accuracy is min(L, ell^2/rho); the n of `problem` is not used.

    Accuracy and mu there satisfy the same two equations as in `solve_fixed_point`, here with the accuracy given and n unknown; psi
    decreases in n. Raises ValueError if that n is below 1, so that every n guarantees something.
    """
    one_of(tuple(BATCHES), batches=batches)
    choice = BATCHES[batches]

    def at(log_factor: float) -> tuple[float, float]:
        """Return n, and mu minus its largest lower bound."""
        block, _, T = block_and_counts(problem.ceiling, log_factor, problem, constants)
        psi = problem.ceiling / accuracy_ratio(log_factor, constants)
        n = find_root(lambda n: math.log(psi) - math.log(choice(problem.with_samples(n), block, T, constants).psi), 1e6, 1e12)
        r = choice(problem.with_samples(n), block, T, constants).added_noise
        return n, log_factor - max(mu_lower_bounds(block, block_inputs(problem, psi, r, constants), T))

    if at(1.0)[1] >= 0:
        return at(1.0)[0]
    return at(find_root(lambda log_factor: at(log_factor)[1], 1.0, 16.0))[0]


def feasibility(problem: Problem, at: BatchFixedPoint, *, constants: Constants = PLAIN, batches: str = "printed") -> Feasibility:
    """Return the `Feasibility` of `at`, the result of `solve_fixed_point` for the same problem, constants and batches."""
    return Feasibility(
        accuracy=at.block.accuracy,
        ceiling=problem.ceiling,
        vacuous=at.block.accuracy >= problem.ceiling,
        first_n=first_n(problem, constants=constants, batches=batches),
        fresh_use=at.noise.b_1 * at.fresh / problem.n,
        difference_use=at.noise.b_2 * at.T / problem.n,
        batch_use=at.noise.b_1 / problem.n,
        over_budget=(at.noise.b_1 * min(at.fresh, at.T) + at.noise.b_2 * at.T) / problem.n,
    )


def solve_and_check(problem: Problem, *, constants: Constants = PLAIN, batches: str = "printed") -> tuple[BatchFixedPoint, Feasibility]:
    """Solve for the parameters of a problem; return them with their guarantee and sample use, (`BatchFixedPoint`, `Feasibility`)."""
    at = solve_fixed_point(problem, constants=constants, batches=batches)
    return at, feasibility(problem, at, constants=constants, batches=batches)
