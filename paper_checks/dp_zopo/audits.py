"""Attacks on the releases of DP-ZOPO's methods: what runs certify of epsilon, from below, with the noise of the exact accountant.

Attacked   the kernel as it is, by an observer who sees every iterate and knows directions and masks. Full batches, and secret ones.
           P directions of a step are P releases of one number each; of a secret batch they are one release, of length sqrt(P) C.
Batches    one step of batches of fixed size, for which the accountant is exact, and two steps of Poisson batches. These are certified by an
           event alone, which takes more runs: so the share is lower. B = 1 of n = 2: half of the batches have the record.
Not seen   a stage after the first: what it begins with, and its mask, is made of released iterates and of scores without data. A
           regulariser and a ball, which are functions of released iterates. Adaptive data, whose differences depend on x.
"""

from collections.abc import Mapping
from typing import Any

from bounds.contents import found_at
from bounds.validate import one_of
from paper_checks.examine.audit import Audit, examined
from paper_checks.examine.audit_sampled import attack_either, examined_batches
from paper_checks.verdict import Kind, Size, question
from synthetic.space import Space

PLANE, FOUR, EIGHT = Space(((2,),)), Space(((4,),)), Space(((8,),))
AUDITED: Mapping[str, Mapping[str, Any]] = {
    "dp_zoo": {"space": FOUR},
    "dp_zoso": {"space": FOUR},
    "dp_zopo": {"space": FOUR, "rates": 0.5},
}


def kernel(method: str) -> str:
    """Return the address of a method of `AUDITED`; raise ValueError for a name that is not there."""
    one_of(tuple(AUDITED), method=method)
    return f"synthetic.dp_zopo:{method.upper()}"


def audit(method: str, **given: Any) -> Audit:
    """Attack a method of `AUDITED`: epsilon, delta, T, n, runs, seed and what else `attack_either` takes."""
    return attack_either(found_at(kernel(method)), **{**AUDITED[method], **given})


FULL: dict[str, Any] = {"epsilon": 4.0, "delta": 1e-5, "T": 2, "n": 4, "runs": Size(10_000, 100_000), "reach": Size(0.8, 0.93)}
SECRET: dict[str, Any] = {"epsilon": 2.0, "delta": 0.1, "n": 2, "batch_size": 1, "runs": Size(10_000, 100_000), "space": PLANE}
KERNELS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (  # name, method, words, settings
    ("dp_zoo", "dp_zoo", "Algorithm 2", {}),
    ("several_directions", "dp_zoo", "Algorithm 2 with P = 3 directions a step", {"P": 3}),
    ("dp_zoso", "dp_zoso", "A stage of Algorithm 1", {}),
    ("dp_zopo", "dp_zopo", "A stage of Algorithm 5, which tunes half of the coordinates,", {}),
    (
        "dp_zopo_directions",
        "dp_zopo",
        "A stage of Algorithm 5 with P = 2 directions and ranks for weights",
        {"P": 2, "weights": "rank", "space": EIGHT},
    ),
)
CLAIMS = (
    *(
        question(f"dp_zopo.audit.{name}", "ours; Algorithms 1, 2 and 5, full batches", Kind.PRIVACY)
        .says(f"{words} withstands an attack on the declared (4, 1e-5) that certifies nearly all of it")
        .consistent("the accountant is exact for full batches, and the noise is there")
        .examined(examined, method=kernel(method), seed=seed, **FULL, **{**AUDITED[method], **settings})
        for seed, (name, method, words, settings) in enumerate(KERNELS, 61)
    ),
    *(
        question(f"dp_zopo.audit.{name}", f"ours; Algorithm 2 with {words}", Kind.PRIVACY)
        .says(f"Algorithm 2 with {words} withstands an attack on the declared (2, 0.1) that certifies most of it")
        .consistent(why)
        .examined(examined_batches, method=kernel("dp_zoo"), sampling=sampling, T=T, reach=reach, seed=seed, **SECRET, **more)
        for name, words, sampling, T, reach, seed, more, why in (
            ("fixed_batches", "secret batches of fixed size", "without_replacement", 1, Size(0.35, 0.75), 71, {},
             "one step attains the accountant's bound"),
            ("fixed_batches_directions", "secret batches of fixed size and P = 2 directions", "without_replacement", 1, Size(0.35, 0.75),
             72, {"P": 2}, "one step attains the accountant's bound"),
            ("poisson_batches", "secret Poisson batches", "poisson", 2, Size(0.4, 0.8), 73, {},
             "each step attains the accountant's pair"),
        )
    ),
)  # fmt: skip
