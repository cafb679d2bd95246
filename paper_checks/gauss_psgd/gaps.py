"""Two places where a proof speaks of less than the algorithm does: rounds that jump back, and the choice among T iterates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import stats

from bounds.gauss_psgd.selection import proved_allowances
from paper_checks.gauss_psgd.common import claim, cosines
from paper_checks.verdict import Finding, Kind, Outcome
from synthetic.psgd import gauss_psgd


def jumps_back(*, runs: int, seed: int) -> Finding:
    """Compare F at x~ with F at the last iterate of the failed round from which step 8 of Algorithm 1 jumps back to x~."""
    landscape = cosines(3)
    run = gauss_psgd(
        landscape, oracle="exact", zeta=0.0, sigma_1=0.05, eta=0.5, chi=0.1, R=0.5, Gamma=5, Q=2, limit=400, replicates=runs, seed=seed
    )
    rises = np.array([
        landscape.value_and_gradient(x)[0] - landscape.value_and_gradient(last)[0] if ok else -math.inf
        for ok, x, last in zip(run.returned, run.x, run.last, strict=True)
    ])  # fmt: skip
    k = int(np.argmax(rises))
    numbers = {"runs": runs, "returned": int(run.returned.sum()), "jumps that raise F": int(np.sum(rises > 1e-9)), "largest rise": rises[k]}
    if rises[k] > 1e-9:  # far above rounding of values of order 1
        witness = {"replicate": k, "x~": run.x[k].tolist(), "last iterate": run.last[k].tolist(), "rise of F": float(rises[k])}
        return Finding(Outcome.REFUTED, f"going back to x~ raises F by up to {rises[k]:.3g}", numbers, witness, seed=seed)
    return Finding(Outcome.CONSISTENT, "no jump back raised F", numbers, seed=seed)


def union(*, T: int, omega: float, uniform: bool) -> Finding:
    """Compute how probable it is that one of T bad iterates, d = 1, passes the gradient test because of its noise alone.

    Bad: the gradient is above the limit of the test by the noise's allowance, so that the noise must overcome that; allowances are those
    with explicit constants, for one iterate or for T of them.
    """
    at: dict[str, Any] = {"n": 1e6, "d": 1, "L": 1.0, "ell": 1.0, "T": T if uniform else 1, "m": 1, "omega": omega}
    allowance = proved_allowances(**at, sigmas=(1.0, 0.0))[0] - proved_allowances(**at, sigmas=(0.0, 0.0))[0]
    one = float(stats.norm.sf(allowance))
    passes = -math.expm1(T * math.log1p(-one))
    numbers = {"allowance / sigma": allowance, "one passes": one, "one of T passes": passes, "T": T, "omega'": omega}
    sentence = f"one of {T} iterates that should not pass does, with probability {passes:.3g}; omega' = {omega}"
    if passes > omega:
        return Finding(Outcome.REFUTED, sentence, numbers, numbers)
    return Finding(Outcome.CONSISTENT, sentence, numbers)


CLAIMS = (
    claim("lemma8.one_path", "Lemma 8, (95) to (97)", "F does not rise when a failed round goes back to x~, as the "
          "telescoping over one path needs", jumps_back, "the last iterate of a failed round can be lower than x~", Kind.ALGORITHM,
          Outcome.REFUTED, "reading", runs=200, seed=95,
          correction="Telescope within rounds, and count what each jump back gives up"),
    claim("theorem4.one_iterate", "Theorem 4, (123) to (126) for x_o", "Allowances for one fixed iterate serve for the one "
          "that is chosen of T = 1e5 = 0.01^(-5/2)", union, "the choice looks at T noises", Kind.CONVERGENCE, Outcome.REFUTED, "reading",
          T=100_000, omega=0.1, uniform=False, correction="omega'/(4 T) for each event, a logarithm more", repaired_by="theorem4.uniform"),
    claim("theorem4.uniform", "ours", "Allowances for T iterates at once serve for the chosen one", union,
          "the union over T iterates", Kind.CONVERGENCE, stated="question", T=100_000, omega=0.1, uniform=True),
)  # fmt: skip
