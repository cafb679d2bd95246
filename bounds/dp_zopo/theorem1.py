"""Lemmas 1 and 2, Theorems 1 and 3: the noise that makes all steps private, and that of the P directions together.

Setting   a step draws m of n samples and P directions, and releases for every direction the mean over the batch of the samples' difference
          quotients, each clipped to [-C, C], with normal noise. Directions, masks and the regulariser depend on what is released already.
Method    the printed sigma is a multiplier: the noise on the clipped sum has the standard deviation sigma C, on the mean sigma C/m.
Measure   a sigma for (epsilon, delta)-DP of all T steps.
Source    DP-ZOPO, Lemmas 1 and 2, Theorem 1 (13) and its proof, Theorem 3; `corrected_noise` is ours.

The print splits the budget: each direction has (epsilon/P, delta/P). But the P releases of a step share the batch, so that guarantees
which the sampling has amplified do not add up. Together they are one vector, which a neighbour moves by sqrt(P) times as much as each of
its entries; after a rotation all of that is in one entry. So sqrt(P) times the noise of one direction is enough, which is less than (13).
"""

import math

import sympy as sp

from bounds import accounting
from bounds.derivation import Derivation
from bounds.dp_zopo.paper import PAGES, keyed, letters, stated
from bounds.lines import line
from bounds.symbols import C, T, d, delta, epsilon, introduce, n, sensitivity, sigma, symbols
from bounds.theorem import Condition, Part
from bounds.validate import door, positive_integer

m, P, ratio, c_1, c_2 = letters("m P sigma c_1 c_2")
logs, split_logs, odds, split_ratio, joint_ratio, unit_sigma, entry_sq, moved_sq = symbols(
    "log_inverse log_split odds split_ratio joint_ratio unit_sigma entry_sq moved_sq"
)
sigma_needed = introduce("sigma_needed", r"\sigma_{\min}", "least standard deviation that makes the releases private", 1e-9, 1e6, "proof")

q = m / n
ONE = c_2 * q * sp.sqrt(T * sp.log(1 / delta)) / epsilon
SPLIT = c_2 * P * m * sp.sqrt(T * sp.log(P / delta)) / (epsilon * n)
JOINT = sp.sqrt(P) * ONE
IN_RANGE = Condition(epsilon < c_1 * q**2 * T, "epsilon = {value} is not below c_1 (m/n)^2 T = {limit}")
A_BATCH = Condition(m <= n, "m = {value} is above n = {limit}: there is no such batch")

LEMMA_1 = stated(
    "Lemma 1 (moments accountant)",
    "(5)",
    claim="privacy",
    measure="noise multiplier of DP-SGD",
    assumptions=("every sample is in the batch of a step with probability m/n, independently", "a sample is added or removed"),
    bound=ONE,
    conditions=(IN_RANGE, A_BATCH),
    notes=("c_1 and c_2 exist and are not given; what an accountant finds for c_2 is no constant",),
)
LEMMA_2 = stated(
    "Lemma 2 (amplification by sampling)",
    "(6), (7)",
    measure="epsilon' of an (epsilon, delta)-DP release of a sample at rate m/n",
    assumptions=("each record independently, where one is added or removed; or m of n without replacement, where one is replaced",),
    bound=sp.log(1 + q * (sp.exp(epsilon) - 1)),
    parts=(Part("delta", "delta'", "<=", q * delta),),
    conditions=(A_BATCH,),
    notes=("of one release; it does not say that what holds of T steps with the first sampling holds with the second",),
)
SUFFICIENT = {
    "claim": "privacy",
    "measure": "noise multiplier",
    "bound": SPLIT,
    "parts": (
        Part("squared", "its square, as printed", ">=", SPLIT**2),
        Part("together", "the multiplier with the P directions of a step counted together", ">=", JOINT),
        Part("energy", "mean squared length of the noise of a step with it", "=", d * (SPLIT * C) ** 2 / (P * m**2)),
        Part("energy together", "the same with the P directions counted together", "=", d * (JOINT * C) ** 2 / (P * m**2)),
    ),
    "conditions": (IN_RANGE, A_BATCH),
}
THEOREM_1 = stated(
    "Theorem 1 (privacy of DP-ZOSO)",
    "(13)",
    assumptions=("each difference quotient is clipped to C", "a neighbour moves a clipped sum by at most C"),
    notes=("replacing a sample moves a clipped sum by 2 C; so does removing one where batches have a fixed size: double the multiplier",),
    **SUFFICIENT,
)
THEOREM_3 = stated(
    "Theorem 3 (privacy of DP-ZOPO)", assumptions=("masks are made from what is released already, without data",), **SUFFICIENT
)
CORRECTED_NOISE = keyed(
    "corrected_noise",
    "the noise of P directions together",
    "our proof",
    claim="privacy",
    measure="standard deviation of each direction's noise on the mean over the batch",
    assumptions=(
        "a neighbour moves each clipped mean by at most the sensitivity: C/m where a sample is added or removed, 2 C/m where one is replaced",
        "T steps that release one such mean each are private with the deviation unit_sigma, whatever the data: of an accountant",
    ),
    bound=sp.sqrt(P) * unit_sigma,
    measured=sigma_needed,
)


@door
def noise(
    epsilon: float, delta: float, T: int, n: int, batch_size: int | None, C: float, directions: int = 1,
    sampling: accounting.Sampling = "without_replacement", neighbours: accounting.Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return a standard deviation of each direction's noise on the mean for which T steps are (epsilon, delta)-DP, from above.

    `bounds.accounting.sigma` of vectors of length at most C sqrt(directions): the clipped scalars of a sample, one for each direction.
    """
    positive_integer(directions=directions)
    return accounting.sigma(epsilon, delta, T, n, batch_size, C * math.sqrt(directions), sampling, neighbours)


@door
def spent(
    sigma: float, delta: float, T: int, n: int, batch_size: int | None, C: float, directions: int = 1,
    sampling: accounting.Sampling = "without_replacement", neighbours: accounting.Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return an epsilon for which T steps with this noise of each direction on the mean are (epsilon, delta)-DP, from above."""
    positive_integer(directions=directions)
    return accounting.epsilon(sigma, delta, T, n, batch_size, C * math.sqrt(directions), sampling, neighbours)
