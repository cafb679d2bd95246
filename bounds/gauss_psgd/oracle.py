"""Ada-DP-SPIDER: noise of its estimates, number of fresh gradients, and the rates of Theorems 2 and 3 (Lemmas 7, 8, 9).

Setting   estimates by O1 from b_1 samples where the drift has reached drift_limit, else corrected by O2 from b_2 samples; for m > 1
          clients the server averages. Neighbours differ in one replaced record.
Measure   sigma and r of Lemma 7 for Theorem 1; the accuracy of Theorems 2 and 3 in n, d, epsilon.
Source    Gauss-PSGD, Lemmas 7, 8, 9, Theorems 2, 3, (9), (98) to (105), (115) to (121).

The rate of Theorems 2 and 3 does not follow from their proof where the third entry of `bounds.gauss_psgd.rates` is the largest, and
b_1, b_2 as printed need not fit into n samples: `bounds.gauss_psgd.feasibility` says by how much.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.gauss_psgd.common import (
    ASSUMPTION_1,
    ASSUMPTION_2,
    CLASSICAL,
    GAUSSIAN_C,
    PAPER,
    TILDE,
    U,
    b_1,
    b_2,
    chi,
    drift_limit,
    eta,
    m,
)
from bounds.symbols import L as G
from bounds.symbols import Max, T, d, delta, epsilon, n, rho, symbols
from bounds.symbols import ell as M
from bounds.theorem import Condition, Part, Theorem

resets, err_norm = symbols("resets err_norm")
INSIDE = "every O2 call is made while the drift, all displacements since the last O1 call counted, is below drift_limit"
SIZES = (
    "the error of an estimate is carried on from one O1 call to the next",
    "sampling is from the data without replacement, although Algorithms 2 and 3 say from the distribution",
    "at d = 1 the sampling error comes out as 0, because Corollary 3 has log(d) where its proof needs log(2 d)",
)


def sampling(m: Any) -> Any:
    """Return sigma of Lemma 7 (m = 1) or Lemma 9, absolute constants 1."""
    return sp.log(d) * sp.sqrt(G**2 / (m * b_1) + M**2 * drift_limit / (m * b_2))


def added(m: Any, c: Any = 1) -> Any:
    """Return r of Lemma 7 (m = 1) or Lemma 9 with c in place of c_1 = c_2."""
    return sp.sqrt(c * sp.log(1 / delta) / (m * epsilon**2) * (G**2 / b_1**2 + M**2 * drift_limit / b_2**2))


def lemma(number: int, title: str, m: Any) -> Theorem:
    """Return Lemma 7 or 9."""
    return Theorem(
        key=f"gauss_psgd.lemma{number}",
        title=title,
        source=f"{PAPER}, Lemma {number}",
        claim="rate",
        measure="sampling error sigma of an estimate (nSG constant)",
        method="gauss_psgd",
        assumptions=(*ASSUMPTION_1, INSIDE),
        bound=sampling(m),
        parts=(
            Part("r", "added noise r of an estimate", "O", added(m)),
            Part("r by Definition 8", "added noise r of an estimate", "<=", added(m, GAUSSIAN_C)),
            Part("psi", "sqrt(sigma^2 + r^2 d)", "<=", sp.sqrt(sampling(m) ** 2 + d * added(m, GAUSSIAN_C) ** 2)),
        ),
        conditions=(CLASSICAL,),
        notes=(TILDE, "only an upper bound on r; escape needs r from below", *SIZES),
    )


LEMMA_7 = lemma(7, "Lemma 7 (error of Ada-DP-SPIDER)", 1)
LEMMA_9 = lemma(9, "Lemma 9 (error of distributed Ada-DP-SPIDER)", m)

SHARPER = 6 * eta / drift_limit * (U + sp.Rational(3, 4) * T * eta * chi**2)
LEMMA_8 = Theorem(
    key="gauss_psgd.lemma8",
    title="Lemma 8 (number of fresh gradients)",
    source=f"{PAPER}, Lemma 8, (93) to (97)",
    claim="upper",
    measure="times the drift reaches drift_limit",
    method="gauss_psgd",
    assumptions=(*ASSUMPTION_1, *ASSUMPTION_2, "eta <= 1/ell", "||nu_t|| <= chi for all t <= T", "no step is taken back"),
    bound=6 * eta / drift_limit * (U + 5 * T * eta * chi**2),
    measured=resets,
    in_letters=(sp.Le(err_norm, chi), sp.Le(eta, 1 / M)),
    parts=(
        Part("order", "the same, as the lemma states it", "O", U * eta / drift_limit),
        Part("sharper", "the same with the least constant that the proof allows", "<=", SHARPER, resets),
    ),
    notes=(
        "one more O1 call is made at the start",
        "a failed round of escape puts x back to its start, which can raise F: the telescoping sum (97) does not cover that",
    ),
)

DISTRIBUTED = ("each of m clients has n samples of its own", "clients may differ in any way")


def privacy_size(m: Any) -> Any:
    """Return sqrt(d)/(sqrt(m) n epsilon)."""
    return sp.sqrt(d) / (sp.sqrt(m) * n * epsilon)


def rate_terms(m: Any) -> tuple[Any, Any, Any]:
    """Return the two terms of (105) or (121), and the value at which the first and the fourth entry of (103) cross."""
    third, fifteen = sp.Rational(1, 3), sp.Rational(1, 15)
    first = (G * U * M / (m * n)) ** third
    second = G ** (2 * fifteen) * U ** (6 * fifteen) * M ** (8 * fifteen) / rho**fifteen * privacy_size(m) ** (6 * fifteen)
    crossing = (G**2 * U * sp.sqrt(rho) / (M**2 * m * n) * M**6 * U**2 * privacy_size(m) ** 2 / rho) ** sp.Rational(2, 17)
    return first, second, crossing


def kappa_entries(m: Any) -> tuple[Any, Any]:
    """Return the two entries of the printed kappa."""
    half, fifteen = sp.Rational(1, 2), sp.Rational(1, 15)
    first = G ** (3 * half) * sp.sqrt(U * rho / (m * n)) / M ** (5 * half)
    reach = sp.sqrt(m) * n * epsilon
    second = G ** (14 * fifteen) * d ** (6 * fifteen) * U ** (12 * fifteen) * rho ** (8 * fifteen)
    return first, second / (M ** (34 * fifteen) * reach ** (12 * fifteen))


def theorem(number: int, title: str, m: Any, equation: str, extra: tuple[str, ...]) -> Theorem:
    """Return Theorem 2 or 3."""
    first, second, crossing = rate_terms(m)
    measure = "accuracy of the returned second-order stationary point"
    return Theorem(
        key=f"gauss_psgd.theorem{number}",
        title=title,
        source=f"{PAPER}, Theorem {number}, {equation}",
        claim="rate",
        measure=measure,
        method="gauss_psgd",
        assumptions=(*ASSUMPTION_1, *ASSUMPTION_2, *extra),
        schedule={
            "drift_limit": Max(*kappa_entries(m)),
            "b_1": n * drift_limit / (2 * U * eta),
            "b_2": n * eta * chi**2 / (2 * U),
        },
        bound=first + second,
        parts=(
            Part("sampling", "the part without privacy", "O", first),
            Part("privacy", "the part of privacy", "O", second),
            Part("proof", "what the proof gives with the best kappa", "O", first + second + crossing),
        ),
        conditions=(
            CLASSICAL,
            Condition(
                sp.Le(crossing, Max(first, second)),
                "the crossing {value} of two entries of (103) is above both terms of the rate, {limit}: the rate does not follow "
                "from the proof with any kappa",
            ),
            Condition(sp.Ge(b_1, 1), "b_1 = {value} is below 1"),
            Condition(sp.Ge(b_2, 1), "b_2 = {value} is below 1"),
            Condition(sp.Le(b_1, n), "b_1 = {value} is above n = {limit}: not one fresh gradient can be taken"),
        ),
        notes=(
            TILDE,
            "b_1 and b_2 are for eta and chi at the accuracy itself; bounds.gauss_psgd.fixed_point finds them (Remark 2)",
            "b_1 |T| + b_2 T is of the order of n up to logarithms only, and must be at most n for the privacy argument",
            "the error of Ada-DP-SPIDER is not independent from step to step, as Theorem 1 needs",
        ),
    )


THEOREM_2 = theorem(2, "Theorem 2 (Gauss-PSGD with Ada-DP-SPIDER)", sp.Integer(1), "(105)", ())
THEOREM_3 = theorem(3, "Theorem 3 (distributed Gauss-PSGD)", m, "(121)", DISTRIBUTED)
