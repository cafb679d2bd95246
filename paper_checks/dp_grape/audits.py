"""Audits of DP-GRAPE's methods: the epsilon that runs on neighbouring data sets certify from below, with the exact accountant's noise.

Attacked   the kernels as they are, by an observer who sees every iterate and knows the projections. Full batches, and secret batches.
Adam       phi = 1e12 makes an update M / (sqrt V + phi) that is affine in the private means to one part in 1e12; alpha is as large as
           phi. beta1 = beta2 = 0, or beta1 = 0.9, with which the first moment lasts from step to step. With other settings the update is a
           function of private means, and reveals no more than they do.
GaLore     of rank r = 2 of 2 x 2 its subspaces lose nothing, and a step shows the private mean; of lower rank it is a function of it.
Batches    one step of batches of fixed size, for which the accountant is exact, and two steps of Poisson batches. One event alone
           certifies their epsilon, which takes more runs: so the share is lower. B = 1 of n = 2: half of the batches have the record.
Not tested adaptive data, whose gradients depend on x: the accountant's composition covers them, here they do not. Subspaces that
           change within a run at steps other than its first (F = 1, F = T); second moments that last.
"""

from collections.abc import Mapping
from typing import Any

from bounds.validate import one_of
from paper_checks.shared.audit import Audit, attack_method
from synthetic.methods.dp_grape import KERNELS
from synthetic.objectives.space import Space

SPACE, MATRIX = Space(((2, 2), (1,))), Space(((2, 2),))
AFFINE: Mapping[str, Any] = {"beta1": 0.0, "beta2": 0.0, "phi": 1e12, "alpha": 1e12}
AUDITED: Mapping[str, Mapping[str, Any]] = {
    "dp_grape": {"space": SPACE, "r": 1},
    "dp_grape_blocks": {"space": SPACE, "r": 1},
    "dp_sgd": {"space": SPACE},
    "dp_adam": {"space": SPACE, **AFFINE},
    "dp_galore": {"space": SPACE, "r": 2},
}


def audit(method: str, **given: Any) -> Audit:
    """Attack a method of `AUDITED` and return the Audit; `given` has epsilon, delta, T, n, runs, seed and options of `attack_method`."""
    one_of(tuple(AUDITED), method=method)
    return attack_method(KERNELS[method], **{**AUDITED[method], **given})
