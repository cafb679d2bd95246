"""Lemmas 1 and 2, Theorem 1: the noise that makes all steps private, and that of the P directions together.

Setting   a step draws m of n samples and P directions, and releases for every direction the mean over the batch of the samples' difference
          quotients, each clipped to [-C, C], with normal noise. Directions, masks and the regulariser depend on what is released already.
Method    the printed sigma is a multiplier: the noise on the clipped sum has the standard deviation sigma C, on the mean sigma C/m.
Measure   a sigma for (epsilon, delta)-DP of all T steps.
Source    DP-ZOPO, Lemmas 1 and 2, Theorem 1 (13) and its proof; `corrected_noise` is ours.

The print splits the budget: each direction has (epsilon/P, delta/P). But the P releases of a step share the batch, so that guarantees
which the sampling has amplified do not add up. Together they are one vector, which a neighbour moves by sqrt(P) times as much as each of
its entries; after a rotation all of that is in one entry. So sqrt(P) times the noise of one direction is enough, which is less than (13).
"""

import sympy as sp

from bounds.accounting import of_means
from bounds.derivation import Derivation
from bounds.dp_zopo.paper import PAGES, keyed, letters, stated
from bounds.inequalities import Instance
from bounds.lines import line
from bounds.meanings import DELTA_BELOW_ONE
from bounds.release import Neighbours, Sampling
from bounds.symbols import C, T, d, delta, epsilon, introduce, n, sensitivity, sigma, symbols
from bounds.theorem import Condition, Part
from bounds.validate import door, positive_integer

m, P, c_1, c_2 = letters("m P c_1 c_2")
logs, split_logs, odds, split_ratio, joint_ratio = symbols("log_inverse log_split odds split_ratio joint_ratio")
unit_sigma, each_move_sq, all_moves_sq = symbols("unit_sigma each_move_sq all_moves_sq")
sigma_needed = introduce("sigma_needed", r"\sigma_{\min}", "least standard deviation that makes the releases private", 1e-9, 1e6, "proof")

q = m / n
ONE = c_2 * q * sp.sqrt(T * sp.log(1 / delta)) / epsilon
SPLIT = c_2 * P * m * sp.sqrt(T * sp.log(P / delta)) / (epsilon * n)
IN_RANGE = Condition(epsilon < c_1 * q**2 * T, "epsilon = {value} is not below c_1 (m/n)^2 T = {limit}")
A_BATCH = Condition(m <= n, "m = {value} is above n = {limit}: there is no such batch")

LEMMA_1 = stated(
    "Lemma 1 (moments accountant)", "(5)", claim="privacy", measure="noise multiplier of DP-SGD",
    assumptions=("every sample is in the batch of a step with probability m/n, independently", "a sample is added or removed"),
    bound=ONE,
    conditions=(IN_RANGE, A_BATCH),
    notes=("c_1 and c_2 exist and are not given; what an accountant finds for c_2 is no constant",),
)  # fmt: skip
LEMMA_2 = stated(
    "Lemma 2 (amplification by sampling)", "(6), (7)", measure="epsilon' of an (epsilon, delta)-DP release of a sample at rate m/n",
    assumptions=("each record independently, where one is added or removed; or m of n without replacement, where one is replaced",),
    bound=sp.log(1 + q * (sp.exp(epsilon) - 1)),
    parts=(Part("delta", "delta'", "<=", q * delta),),
    conditions=(A_BATCH,),
    notes=("of one release; it does not say that what holds of T steps with the first sampling holds with the second",),
)  # fmt: skip
TOGETHER = Part("together", "the multiplier with the P directions of a step counted together", ">=", sp.sqrt(P) * ONE)
SUFFICIENT = {
    "claim": "privacy", "measure": "noise multiplier", "bound": SPLIT, "conditions": (IN_RANGE, A_BATCH),
    "parts": (Part("squared", "its square, as printed", ">=", SPLIT**2), TOGETHER),
}  # fmt: skip
THEOREM_1 = stated(
    "Theorem 1 (privacy of DP-ZOSO)", "(13)", **SUFFICIENT,
    assumptions=("each difference quotient is clipped to C", "a neighbour moves a clipped sum by at most C"),
    notes=("replacing a sample moves a clipped sum by 2 C, and so does removing one where batches have a fixed size",),
)  # fmt: skip
CORRECTED_NOISE = keyed(
    "corrected_noise", "the noise of P directions together", "our proof", claim="privacy",
    measure="standard deviation of each direction's noise on the mean over the batch",
    assumptions=(
        "a neighbour moves each clipped mean by at most the sensitivity: C/m where a sample is added or removed, 2 C/m if replaced",
        "T steps that release one such mean each are private with the deviation unit_sigma, whatever the data: of an accountant",
    ),
    schedule={"sigma": sp.sqrt(P) * unit_sigma},
    in_letters=(each_move_sq <= sensitivity**2,),
    bound=sp.sqrt(P) * unit_sigma,
    measured=sigma_needed,
)  # fmt: skip


@door
def noise(
    epsilon: float, delta: float, T: int, n: int, batch_size: int | None, C: float, directions: int = 1,
    sampling: Sampling = "without_replacement", neighbours: Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return a standard deviation of each direction's noise on the mean for which T steps are (epsilon, delta)-DP, from above.

    The clipped scalars of a sample, one for each direction, are a vector of length at most C sqrt(directions).
    """
    positive_integer(directions=directions)
    return of_means(n, batch_size, C, T, sampling, neighbours, P=directions).for_privacy(epsilon, delta).sigma


@door
def spent(
    sigma: float, delta: float, T: int, n: int, batch_size: int | None, C: float, directions: int = 1,
    sampling: Sampling = "without_replacement", neighbours: Neighbours = "replace_one",
) -> float:  # fmt: skip
    """Return an epsilon for which T steps with this noise of each direction on the mean are (epsilon, delta)-DP, from above."""
    positive_integer(directions=directions)
    return of_means(n, batch_size, C, T, sampling, neighbours, sigma, P=directions).epsilon(delta)


LOGS = (
    DELTA_BELOW_ONE,
    line("log_inverse", logs, "=", sp.log(1 / delta)).says("log_inverse is log(1/delta)").defined(signs=(DELTA_BELOW_ONE.name,)),
    line("log_split", split_logs, "=", logs + sp.log(P)).says("log_split is log(P/delta)").defined(signs=("directions >= 1",)),
)
SQUARE = (c_2 * q / epsilon) ** 2 * T  # of what Lemma 1 says, over log(1/delta)


def theorem_1() -> Derivation:
    """Write out the printed argument, where it stops, and what (13) is beside the noise of all directions together."""
    return PAGES.proved(
        "theorem1",
        "what splitting the budget gives, why it is no proof, and that it is more than enough",
        "Theorem 1 and its proof",
        spelled={"log_inverse": logs, "log_split": split_logs, "split_ratio": split_ratio, "joint_ratio": joint_ratio, "x": odds},
        facts=(
            *LOGS,
            line("split_ratio", split_ratio, "=", c_2 * q * sp.sqrt(T * split_logs) * P / epsilon)
            .says("split_ratio, what Lemma 1 says of one direction at (epsilon/P, delta/P)").defined("Lemma 1"),
            line("joint_ratio", joint_ratio, "=", c_2 * q * sp.sqrt(P * T * logs) / epsilon)
            .says("joint_ratio, sqrt(P) times what Lemma 1 says of one direction at (epsilon, delta)").defined("Lemma 1"),
        ),
        steps=(
            line("squared", split_ratio**2, "=", (c_2 * P * m) ** 2 * T * split_logs / (epsilon * n) ** 2)
            .says("the square of split_ratio is the right side of (13)", "insert").inserting("split_ratio"),
            line("shared_batch", 1 + q * (odds**2 - 1), "=", (1 + q * (odds - 1)) ** 2 + q * (1 - q) * (odds - 1) ** 2)
            .says("two releases with odds x of one batch have more than the product of the odds of each", "multiply out").identity(),
            line("no_sum").says("so what each direction satisfies after the sampling does not add up", "P = 2, epsilon = log x")
            .reasoned("both of two releases see the same batch: randomised response attains the left side", using=("shared_batch",)),
            line("less", joint_ratio**2, "<=", split_ratio**2)
            .says("joint_ratio, which is enough, is at most split_ratio", "P >= 1")
            .by((SQUARE * P**2, Instance("exponential", -sp.log(P))), (SQUARE * P, "directions >= 1"),
                (SQUARE * P * logs, "directions >= 1"), at=("split_ratio", "joint_ratio"), modulo=((SQUARE * P**2, "log_split"),)),
            line("times", split_ratio**2, "=", joint_ratio**2 * P * split_logs / logs)
            .says("as squares by the factor P log_split / log_inverse", "insert").inserting("split_ratio", "joint_ratio"),
            line("energy", d * (split_ratio * C) ** 2 / (P * m**2), "=", d * (c_2 * C) ** 2 * P * T * split_logs / (epsilon * n) ** 2)
            .says("with split_ratio the noise of a step has this mean squared length: more directions are more noise", "insert")
            .inserting("split_ratio"),
            line("energy_together", d * (joint_ratio * C) ** 2 / (P * m**2), "=", d * (c_2 * C) ** 2 * T * logs / (epsilon * n) ** 2)
            .says("with joint_ratio it is the same for every P", "insert").inserting("joint_ratio"),
            line("enough").says("so (13) is enough wherever Lemma 1 is, with 2 sqrt(2) c_2 for batches of fixed size")
            .because("their worst pair has twice the shift, and log moments at most twice those of Lemma 1")
            .reasoned("corrected_noise; by integrals over a > 1 of H_a a^(k-2) and H_a a^(-k-1), which is less", using=("less",)),
        ),
    )  # fmt: skip


def corrected_noise() -> Derivation:
    """Write out why sqrt(P) times the noise of one direction is enough for P, and why masks change nothing."""
    return PAGES.proved(
        "corrected_noise",
        "sqrt(P) times the noise that is enough for one direction is enough for P",
        "our proof, in place of that of Theorem 1; Theorem 3",
        spelled={"unit_sigma": unit_sigma, "Delta": sensitivity},
        facts=(
            line("one_direction", each_move_sq, "<=", sensitivity**2)
            .says("a neighbour moves the mean of one direction by at most the sensitivity").assumed(),
            line("all", all_moves_sq, "=", P * each_move_sq).says("all_moves_sq is the sum over the P directions").defined(),
            line("enough", sigma_needed, "<=", sigma)
            .says("over sqrt(P) it is one mean that moves by at most the sensitivity, with noise unit_sigma: so sigma is enough")
            .cited("Zhu, Dong, Wang (2022), Theorem 11, with the worst pair of bounds.subsampled", using=("length", "public", "rotated")),
        ),
        steps=(
            line("length", all_moves_sq, "<=", P * sensitivity**2)
            .says("the squared length all_moves_sq of what a neighbour changes", "every direction alike")
            .by((P, "one_direction"), modulo=((-1, "all"),)),
            line("public").says("directions, masks and the regulariser are functions of what was released, and of draws without data")
            .because("a mask is made from theta^{s-1}, or theta^0, by Algorithms 3 and 4, which are given no data")
            .reasoned("so neighbours have the same ones in a step: the assumption is met whatever the mask is"),
            line("rotated").says("in a basis that begins along the difference neighbours differ in one entry, noise is as before", "rotate")
            .reasoned("N(0, sigma^2 I) is invariant under rotations; given the batch, the other entries have one law, whoever is in it"),
            line("bound", sigma_needed, "<=", sp.sqrt(P) * unit_sigma)
            .says("so sqrt(P) unit_sigma is enough", "insert sigma").by("enough", modulo=((-1, "sigma"),)),
        ),
        proves=CORRECTED_NOISE,
    )  # fmt: skip
