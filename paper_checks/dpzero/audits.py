"""Audits of DPZero's private methods: runs on two neighbouring data sets, and the epsilon that they certify from below.

The first record's loss is linear, with a long gradient whose sign differs between the two data sets and whose direction changes from step
to step; all other losses are 0. Then every difference is clipped, and the two data sets are 2C/n apart in every step whatever the
directions are. The observer of the path knows the directions and replays the kernel without noise, so that no formula of ours for its
sensitivity is used.
Batches     secret batches are attacked by `synthetic.audits.secret_batches`. One event alone certifies their epsilon, which takes more
            runs: so the share is lower.
Not tested  a record that leaks more where losses are curved: the change of a clipped mean does not depend on the loss, as
            `algorithms.check_sensitivity` finds. Floating point: noise is drawn in doubles, whose gaps an attacker could use.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from bounds.privacy import random_iterate
from paper_checks.shared.audit import Audit, attack_method, audit_finding, audit_scores, opposite_gradient_scores
from paper_checks.verdict import Finding
from synthetic.audits.sums import AuditScores
from synthetic.methods.dpzero import KERNELS
from synthetic.objectives.space import Space

AUDITED: Mapping[str, Mapping[str, Any]] = {"dpzero": {}, "dpgd_0th": {}, "dp_gd": {}}  # arguments of the attack, by method


def audit(method: str, **given: Any) -> Audit:
    """Attack the path of a method, "dpzero", "dpgd_0th" or "dp_gd", and return the Audit; `given` are those of `attack_method`."""
    return attack_method(KERNELS[method], **{**AUDITED[method], **given})


def scores_at_tau(*, sigma: float, T: int, n: int, runs: int, seed: int) -> AuditScores:
    """Return the AuditScores of (tau, x_tau) in `runs` runs on each of two neighbouring data sets, tau uniform on 0..T-1, C = 1.

    The score is the likelihood ratio of the tau releases before x_tau. In d = T - 1 dimensions x_tau determines all these releases
    (`last_iterate.check_path_recovery`), so that the path up to x_tau may be used.
    """
    often = np.random.default_rng(seed).multinomial(runs, np.full(T, 1 / T), size=2)
    space = Space(((T - 1,),))
    scores: tuple[list[Any], list[Any]] = ([np.zeros(often[0, 0])], [np.zeros(often[1, 0])])
    for k in range(1, T):
        seen = opposite_gradient_scores(
            KERNELS["dpzero"], T=k, n=n, C=1.0, sigma=sigma, runs=int(often[:, k].max()), seed=seed + k, space=space
        )
        apart = 2 / n * math.sqrt(k) / sigma
        for held, found, count in zip(scores, (seen.one, seen.two), often[:, k], strict=True):
            held.append(apart * found[:count])
    order = np.random.default_rng(seed + T)
    one, two = (order.permutation(np.concatenate(held)) for held in scores)
    return AuditScores(one, two, normal=False)


def check_released_iterate(*, epsilon: float, delta: float, T: int, n: int, runs: int, reach: float, seed: int) -> Finding:
    """Attack (tau, x_tau) under the noise calibrated for a random iterate; return a Finding, REFUTED if more than epsilon is certified.

    REFUTED if the attack certifies more than epsilon, INCONCLUSIVE if it certifies less than the share `reach` of epsilon.
    """
    sigma = random_iterate.sigma_uniform(epsilon=epsilon, delta=delta, T=T, sensitivity=2 / n)
    found = audit_scores(scores_at_tau(sigma=sigma, T=T, n=n, runs=runs, seed=seed), epsilon=epsilon, delta=delta)
    return audit_finding(found, reach, {"T": T, "n": n, "sigma": sigma}, seed)


def check_path_with_iterate_noise(*, epsilon: float, delta: float, T: int, n: int, runs: int, reach: float, seed: int) -> Finding:
    """Check whether the path is (epsilon, delta)-private with the smaller noise for a random iterate, by an attack; return a Finding.

    REFUTED if the attack certifies more than epsilon, INCONCLUSIVE if it certifies less than the share `reach` of epsilon.
    """
    sigma = random_iterate.sigma_uniform(epsilon=epsilon, delta=delta, T=T, sensitivity=2 / n)
    found = audit("dpzero", epsilon=epsilon, delta=delta, T=T, n=n, sigma=sigma, runs=runs, seed=seed)
    return audit_finding(found, reach, {"T": T, "n": n, "sigma": sigma}, seed)
