"""Attacks on the releases of DP-GRAPE's methods: what runs certify of epsilon, from below, with the noise of the exact accountant.

Attacked   the kernels as they are, by an observer who sees every iterate and knows the projections. Full batches, and secret ones.
Adam       beta1 = beta2 = 0 and phi = 1e12 make an update M / (sqrt V + phi) that is affine in the private mean to one part in 1e12;
           alpha is as large as phi. With other settings the update is a function of private means, which an observer has no use for.
GaLore     of rank r = 2 of 2 x 2 its subspaces lose nothing, and a step shows the private mean; of lower rank it is a function of it.
Batches    one step of batches of fixed size, for which the accountant is exact, and two steps of Poisson batches. These are certified by an
           event alone, which takes more runs: so the share is lower. B = 1 of n = 2: half of the batches have the record.
Not seen   adaptive data, whose gradients depend on x: the accountant's composition covers them, here they do not. Subspaces that
           change within a run at steps other than its first (F = 1, F = T); moments that last.
"""

from collections.abc import Mapping
from typing import Any

from bounds.contents import found_at
from bounds.validate import one_of
from paper_checks.examine.audit import Audit, examined
from paper_checks.examine.audit_sampled import attack_either, examined_batches
from paper_checks.verdict import Kind, Size, question, reading
from synthetic.space import Space

SPACE, MATRIX = Space(((2, 2), (1,))), Space(((2, 2),))
AFFINE: Mapping[str, Any] = {"beta1": 0.0, "beta2": 0.0, "phi": 1e12, "alpha": 1e12}
AUDITED: Mapping[str, Mapping[str, Any]] = {
    "dp_grape": {"space": SPACE, "r": 1},
    "dp_grape_blocks": {"space": SPACE, "r": 1},
    "dp_sgd": {"space": SPACE},
    "dp_adam": {"space": SPACE, **AFFINE},
    "dp_galore": {"space": SPACE, "r": 2},
}


def kernel(method: str) -> str:
    """Return the address of a method of `AUDITED`; raise ValueError for a name that is not there."""
    one_of(tuple(AUDITED), method=method)
    return f"synthetic.dp_grape:{method.upper()}"


def audit(method: str, **given: Any) -> Audit:
    """Attack a method of `AUDITED`: epsilon, delta, T, n, runs, seed and what else `attack_either` takes."""
    return attack_either(found_at(kernel(method)), **{**AUDITED[method], **given})


FULL: dict[str, Any] = {"epsilon": 4.0, "delta": 1e-5, "n": 4, "runs": Size(10_000, 100_000), "reach": Size(0.78, 0.93)}
SECRET: dict[str, Any] = {"epsilon": 2.0, "delta": 0.1, "n": 2, "batch_size": 1, "runs": Size(10_000, 100_000), "r": 1, "space": MATRIX}
KERNELS: tuple[tuple[str, str, str, int, dict[str, Any]], ...] = (  # name, method, words, steps, settings
    ("dp_grape", "dp_grape", "Algorithm 1 with a new subspace each step (F = 1)", 2, {}),
    ("one_subspace", "dp_grape", "Algorithm 1 with one subspace for all steps (F = T)", 3, {"F": 3, "space": MATRIX}),
    ("orthonormal", "dp_grape", "Algorithm 1 with orthonormal projections", 2, {"projection": "orthonormal", "space": MATRIX}),
    ("by_adam", "dp_grape", "Algorithm 1 with the update of Algorithm 2 without memory", 2, {**AFFINE, "space": MATRIX}),
    ("dp_grape_blocks", "dp_grape_blocks", "Algorithm 6 with noise of its own in each block", 2, {}),
    ("dp_sgd", "dp_sgd", "DP-SGD, which is Algorithm 3 by SGD,", 2, {}),
    ("dp_adam", "dp_adam", "Algorithm 3, DP-Adam, without memory", 2, {}),
    ("dp_galore", "dp_galore", "Algorithm 5, DP-GaLore, at full rank", 1, {"space": MATRIX, "runs": Size(5_000, 60_000)}),
)
OURS = "ours; Algorithms 1 to 6, full batches"
CLAIMS = (
    *(
        question(f"dp_grape.audit.{name}", OURS, Kind.PRIVACY)
        .says(f"{words} withstands an attack on the declared (4, 1e-5) that certifies nearly all of it")
        .consistent("the accountant is exact for full batches, and the noise is there")
        .examined(examined, method=kernel(method), T=T, seed=seed, **{**FULL, **AUDITED[method], **settings})
        for seed, (name, method, words, T, settings) in enumerate(KERNELS, 41)
    ),
    *(
        question(f"dp_grape.audit.{name}", f"ours; Algorithm 1 with {words}", Kind.PRIVACY)
        .says(f"Algorithm 1 with {words} withstands an attack on the declared (2, 0.1) that certifies most of it")
        .consistent(why)
        .examined(examined_batches, method=kernel("dp_grape"), sampling=sampling, T=T, reach=reach, seed=seed, **SECRET)
        for name, words, sampling, T, reach, seed, why in (
            ("fixed_batches", "secret batches of fixed size", "without_replacement", 1, Size(0.35, 0.75), 51,
             "one step attains the accountant's bound"),
            ("poisson_batches", "secret Poisson batches", "poisson", 2, Size(0.4, 0.8), 52,
             "each step attains the accountant's pair"),
        )
    ),
    reading("dp_grape.audit.shared_noise", "Proof of Theorem D.10, P_t z_t with z_t in R^r; Algorithm 6, line 10", Kind.PRIVACY)
    .says("With one z_t in R^r for all blocks, runs of Algorithm 6 cannot be told apart beyond the declared (4, 1e-5)")
    .refuted("the difference of two blocks is released without noise", instead="Each block has a z of its own", by="audit.dp_grape_blocks")
    .examined(examined, method=kernel("dp_grape_blocks"), T=1, seed=53, noise="shared", **FULL, **AUDITED["dp_grape_blocks"]),
)  # fmt: skip
