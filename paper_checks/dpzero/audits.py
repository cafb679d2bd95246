"""Attacks on the noise of the private methods of DPZero: runs in two worlds that differ in one record, and what they certify of epsilon.

The first record's loss is linear, with a long gradient in opposite directions that turn from step to step, and all others are 0: then every
difference is clipped, and the two worlds are 2C/n apart in every step whatever the directions are. An observer of the path knows these,
and replays the kernel without noise: no formula of ours for its sensitivity is used.
Not seen   a record that leaks more where losses are curved: what a clipped mean moves by does not depend on the loss, which
           `dpzero.algorithms.*sensitivity` is about. Floating point: noise is drawn in doubles, whose gaps an attacker could look at.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from bounds.privacy import random_iterate as mixture
from paper_checks.shared.audit import Audit, attack, attacked, audited, opposite
from paper_checks.verdict import Finding
from synthetic.audits.sums import Seen
from synthetic.methods.dpzero import KERNELS
from synthetic.objectives.space import Space

AUDITED: Mapping[str, Mapping[str, Any]] = {"dpzero": {}, "dpgd_0th": {}, "dp_gd": {}}  # by name, what it is attacked with


def audit(method: str, **given: Any) -> Audit:
    """Attack the path of a method: epsilon, delta, T, n, runs, seed and what else `paper_checks.shared.audit.attack` takes."""
    return attack(KERNELS[method], **{**AUDITED[method], **given})


def seen_at_tau(*, sigma: float, T: int, n: int, runs: int, seed: int) -> Seen:
    """Return what observers of (tau, x_tau) see, tau uniform on 0..T-1: the likelihood ratio of the tau releases before it, C = 1.

    In d = T - 1 dimensions x_tau gives all these releases, see `dpzero.last_iterate`, so that the path up to it may be looked at.
    """
    often = np.random.default_rng(seed).multinomial(runs, np.full(T, 1 / T), size=2)
    space = Space(((T - 1,),))
    scores: tuple[list[Any], list[Any]] = ([np.zeros(often[0, 0])], [np.zeros(often[1, 0])])
    for k in range(1, T):
        seen = opposite(KERNELS["dpzero"], T=k, n=n, C=1.0, sigma=sigma, runs=int(often[:, k].max()), seed=seed + k, space=space)
        apart = 2 / n * math.sqrt(k) / sigma
        for held, found, count in zip(scores, (seen.one, seen.two), often[:, k], strict=True):
            held.append(apart * found[:count])
    order = np.random.default_rng(seed + T)
    one, two = (order.permutation(np.concatenate(held)) for held in scores)
    return Seen(one, two, normal=False)


def released_iterate(*, epsilon: float, delta: float, T: int, n: int, runs: int, reach: float, seed: int) -> Finding:
    """Attack x_tau, tau published, with the noise of the mixture over tau."""
    sigma = mixture.sigma_uniform(epsilon=epsilon, delta=delta, T=T, sensitivity=2 / n)
    found = audited(seen_at_tau(sigma=sigma, T=T, n=n, runs=runs, seed=seed), epsilon=epsilon, delta=delta)
    return attacked(found, reach, {"T": T, "n": n, "sigma": sigma}, seed)


def path_with_noise_of_iterate(*, epsilon: float, delta: float, T: int, n: int, runs: int, reach: float, seed: int) -> Finding:
    """Attack the whole path with the noise that the mixture over tau asks for."""
    sigma = mixture.sigma_uniform(epsilon=epsilon, delta=delta, T=T, sensitivity=2 / n)
    found = audit("dpzero", epsilon=epsilon, delta=delta, T=T, n=n, sigma=sigma, runs=runs, seed=seed)
    return attacked(found, reach, {"T": T, "n": n, "sigma": sigma}, seed)
