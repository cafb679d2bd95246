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

from bounds import mixture
from paper_checks.examine.audit import Audit, attack, attacked, audited, examined, opposite
from paper_checks.verdict import Finding, Kind, Size, question
from synthetic.dpzero import KERNELS
from synthetic.space import Space
from synthetic.worlds import Seen

AUDITED: Mapping[str, Mapping[str, Any]] = {"dpzero": {}, "dpgd_0th": {}, "dp_gd": {}}  # by name, what it is attacked with


def audit(method: str, **given: Any) -> Audit:
    """Attack the path of a method: epsilon, delta, T, n, runs, seed and what else `paper_checks.examine.audit.attack` takes."""
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


SAID = {
    "dpzero": ("Algorithm 2", "The path of DPZero", "the noise along u_t hides 2C/n"),
    "dpgd_0th": ("Algorithm 1", "The path of DPGD-0th", "the noise in every coordinate hides 2C/n along u_t"),
    "dp_gd": ("Section 2.1", "The path of DP-GD", "the noise in every coordinate hides 2C/n"),
}
ENDS = {"epsilon": 2.0, "delta": 1e-6, "T": 4, "n": 3, "seed": 0}
CLAIMS = (
    *(
        question(f"dpzero.audit.{name}", f"{source} (an attack)", Kind.PRIVACY)
        .says(f"{said} with the exact accountant's noise for (2, 1e-6) withstands an attack that comes close to epsilon")
        .consistent(why)
        .examined(examined, method=f"synthetic.dpzero:{name.upper()}", **ENDS, runs=Size(10_000, 400_000), reach=Size(0.6, 0.93))
        for name, (source, said, why) in SAID.items()
    ),
    question("dpzero.audit.released_iterate", "Algorithm 2 (an attack on our accountant)", Kind.PRIVACY)
    .says("x_tau, with tau published and the noise of the mixture over tau for (2, 0.1), withstands an attack on it")
    .consistent("delta of x_tau is the mean of those of k < T releases")
    .examined(released_iterate, epsilon=2.0, delta=0.1, T=4, n=3, seed=10, runs=Size(40_000, 1_000_000), reach=Size(0.5, 0.9)),
    question("dpzero.audit.path_with_noise_of_iterate", "Algorithm 2 (an attack on our accountant)", Kind.PRIVACY)
    .says("The noise that x_tau needs for (2, 1e-6) protects the whole path as well")
    .refuted("the attack certifies more", instead="The path needs the noise of T releases", by="audit.dpzero")
    .examined(path_with_noise_of_iterate, epsilon=2.0, delta=1e-6, T=8, n=3, seed=20, runs=Size(60_000, 200_000), reach=0.9),
)
