"""The technical lemmas of Gauss-PSGD: concentration of vectors and matrices (10 to 15, Corollary 3), composition (16, 17).

Setting   norm-subGaussian (nSG) vectors in R^d: P(||v - E v|| >= t) <= 2 exp(-t^2/(2 zeta^2)) for t >= 0; martingale differences v_i with
          nSG constants zeta_i (Condition 1).
Measure   norms of sums; what each of several releases may spend.
Source    Gauss-PSGD, Lemmas 10 to 17, Corollary 3; from Jin et al. (2019, 2021), Tropp (2012), Vershynin (2018), Kairouz et al. (2015).
"""

from __future__ import annotations

import sympy as sp

from bounds.gauss_psgd.common import (
    ABSOLUTE,
    PAPER,
    C_abs,
    added_noise,
    deviation_t,
    entry_scale,
    iota,
    matrix_bound,
    matrix_variance,
    releases,
    scale_high,
    scale_low,
    sum_sq,
    t_count,
    zeta,
)
from bounds.symbols import Max, d, delta, epsilon
from bounds.theorem import Condition, Part, Theorem

FAILURE = "probability of the contrary"
MARTINGALE = "v_i has conditional mean 0 and is norm-subGaussian given the past"

LEMMA_10 = Theorem(
    key="gauss_psgd.lemma10",
    title="Lemma 10 (from subGaussian to norm-subGaussian)",
    source=f"{PAPER}, Lemma 10",
    claim="upper",
    measure="nSG constant of a vector in R^d",
    assumptions=("the vector is subGaussian with constant added_noise",),
    bound=2 * sp.sqrt(2) * added_noise * sp.sqrt(d),
)
LEMMA_11 = Theorem(
    key="gauss_psgd.lemma11",
    title="Lemma 11 (sum of norm-subGaussian differences)",
    source=f"{PAPER}, Lemma 11, (13)",
    claim="upper",
    measure="||sum of v_i||",
    assumptions=(MARTINGALE, "the constants zeta_i are fixed"),
    bound=C_abs * sp.sqrt(sum_sq * iota),
    parts=(Part("failure", FAILURE, "<=", 2 * d * sp.exp(-iota)),),
    notes=(ABSOLUTE,),
)
COROLLARY_3 = Theorem(
    key="gauss_psgd.corollary3",
    title="Corollary 3 (the sum is norm-subGaussian)",
    source=f"{PAPER}, Corollary 3",
    claim="upper",
    measure="nSG constant of the sum of v_i",
    assumptions=LEMMA_11.assumptions,
    bound=C_abs * sp.sqrt(sp.log(d) * sum_sq),
    parts=(Part("with 2 d", "nSG constant that holds for every d", "<=", C_abs * sp.sqrt(sp.log(2 * d) * sum_sq)),),
    conditions=(
        Condition(
            sp.Le(sp.log(2 * d) / sp.log(2), 2 * sp.log(d)),
            "log(2 d)/log(2) = {value} is above 2 log(d) = {limit}: the last step of the proof fails (d <= 6)",
        ),
    ),
    notes=("at d = 1 it says that the sum is constant, which is false; log(2 d) is right", ABSOLUTE),
)
LEMMA_12 = Theorem(
    key="gauss_psgd.lemma12",
    title="Lemma 12 (sum with random constants)",
    source=f"{PAPER}, Lemma 12, (14)",
    claim="upper",
    measure="||sum of v_i|| unless the sum of zeta_i^2 reaches B",
    assumptions=(MARTINGALE, "zeta_i is known given the past"),
    bound=C_abs * sp.sqrt(Max(sum_sq, scale_low) * iota),
    parts=(Part("failure", FAILURE, "<=", 2 * d * sp.log(scale_high / scale_low) * sp.exp(-iota)),),
    conditions=(Condition(scale_high > scale_low, "scale_high = {value} is not above scale_low = {limit}"),),
    notes=(ABSOLUTE,),
)
LEMMA_13 = Theorem(
    key="gauss_psgd.lemma13",
    title="Lemma 13 (sum of squared norms)",
    source=f"{PAPER}, Lemma 13, (15)",
    claim="upper",
    measure="sum of ||v_i||^2",
    assumptions=(MARTINGALE, "t_count terms with the same constant zeta"),
    bound=C_abs * zeta**2 * (t_count + iota),
    parts=(Part("failure", FAILURE, "<=", sp.exp(-iota)),),
    notes=(ABSOLUTE,),
)
TAIL = sp.exp(-(deviation_t**2) / (2 * (matrix_variance + matrix_bound * deviation_t / 3)))
LEMMA_14 = Theorem(
    key="gauss_psgd.lemma14",
    title="Lemma 14 (matrix Bernstein)",
    source=f"{PAPER}, Lemma 14, (16)",
    claim="upper",
    measure="P( ||sum of M_i|| >= t )",
    assumptions=("M_i independent, self-adjoint, mean 0, ||M_i|| <= matrix_bound", "matrix_variance = ||sum of E M_i^2||"),
    bound=d * TAIL,
    parts=(
        Part("eigenvalue", "P( largest eigenvalue of the sum >= t )", "<=", d * TAIL),
        Part("norm", "P( ||sum of M_i|| >= t )", "<=", 2 * d * TAIL),
    ),
    notes=("the factor d is that of the largest eigenvalue; for the norm it is 2 d: M = +-1 with d = 1, t = 1 refutes d",),
)
LEMMA_15 = Theorem(
    key="gauss_psgd.lemma15",
    title="Lemma 15 (norm of a symmetric random matrix)",
    source=f"{PAPER}, Lemma 15, (17)",
    claim="upper",
    measure="||M||",
    assumptions=("entries on and above the diagonal independent, mean 0, subGaussian",),
    bound=C_abs * entry_scale * (sp.sqrt(d) + deviation_t),
    parts=(Part("failure", FAILURE, "<=", 4 * sp.exp(-(deviation_t**2))),),
    notes=(ABSOLUTE,),
)
LEMMA_16 = Theorem(
    key="gauss_psgd.lemma16",
    title="Lemma 16 (advanced composition)",
    source=f"{PAPER}, Lemma 16",
    claim="upper",
    measure="epsilon of each of k releases",
    assumptions=("the k releases may depend on one another",),
    bound=epsilon / (2 * sp.sqrt(2 * releases * sp.log(2 / delta))),
    parts=(Part("delta", "delta of each of k releases", "<=", delta / (2 * releases)),),
    notes=("releases within these limits are (epsilon, delta)-private together",),
)
LEMMA_17 = Theorem(
    key="gauss_psgd.lemma17",
    title="Lemma 17 (parallel composition)",
    source=f"{PAPER}, Lemma 17",
    claim="upper",
    measure="epsilon of all releases together",
    assumptions=("each release is (epsilon, delta)-private and uses data that no other uses",),
    bound=epsilon,
    parts=(Part("delta", "delta of all releases together", "<=", delta),),
)
