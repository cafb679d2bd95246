"""Attacks on the releases of DP-ZOPO's methods: certified lower bounds of epsilon, with the noise of the exact accountant.

Attacked   the kernel as it is, by an observer who sees every iterate and knows directions and masks. Full batches, and secret ones.
           P directions of a step are P releases of one number each; of a secret batch they are one release, of length sqrt(P) C.
Batches    one step of batches of fixed size, for which the accountant is exact, and two steps of Poisson batches. These are certified by an
           event alone, which takes more runs: so the share is lower. B = 1 of n = 2: half of the batches have the record.
Left out   a stage after the first: its start and its mask are computed from released iterates and from scores without data. A
           regulariser and a ball, which are functions of released iterates. Adaptive data, whose differences depend on x.
"""

from collections.abc import Mapping
from typing import Any

from bounds.validate import one_of
from paper_checks.shared.audit import Audit, attack_method
from synthetic.methods.dp_zopo import KERNELS
from synthetic.objectives.space import Space

PLANE, FOUR, EIGHT = Space(((2,),)), Space(((4,),)), Space(((8,),))
AUDITED: Mapping[str, Mapping[str, Any]] = {
    "dp_zoo": {"space": FOUR},
    "dp_zoso": {"space": FOUR},
    "dp_zopo": {"space": FOUR, "rates": 0.5},
}


def audit(method: str, **given: Any) -> Audit:
    """Attack a method of `AUDITED` and return the Audit; `given` has epsilon, delta, T, n, runs, seed and options of `attack_method`."""
    one_of(tuple(AUDITED), method=method)
    return attack_method(KERNELS[method], **{**AUDITED[method], **given})
