"""The paper's formulas in plain floats, written apart from `bounds.gauss_psgd`, so that a fault there shows.

Source    Gauss-PSGD, (5), (6), (79), (102), Lemmas 6, 7, 8, Theorems 2 and 3; G, M are the glossary's L, ell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """A problem and what the paper leaves open."""

    n: float
    d: float
    epsilon: float
    delta: float = 1e-5
    G: float = 1.0
    M: float = 1.0
    rho: float = 1.0
    U: float = 1.0
    m: float = 1.0
    omega: float = 0.1
    s: float = 1.0
    C: float = 1.0


def equation_5(case: Case, mu: float, psi: float) -> dict[str, float]:
    """Return iota, chi, alpha, Gamma, R, Phi and eta at mu and psi."""
    s, M, rho = case.s, case.M, case.rho
    iota = s * mu
    chi = 4 * math.sqrt(case.C) * s * mu**2 * psi
    alpha = 4 * chi
    eta = math.sqrt(rho * alpha) / (M**2 * iota**2)
    return {
        "iota": iota, "chi": chi, "accuracy": alpha, "eta": eta, "Gamma": iota / (s * eta * math.sqrt(rho * alpha)),
        "radius": math.sqrt(alpha / rho) / iota**1.5, "decrease": s / (8 * iota**3) * math.sqrt(alpha**3 / rho),
    }  # fmt: skip


def rounds_and_steps(case: Case, mu: float, at: dict[str, float]) -> tuple[float, float]:
    """Return Q of Lemma 6 and T of (79), natural logarithm."""
    log = math.log(16 * at["iota"] ** 3 * case.U / (case.s * case.omega) * math.sqrt(case.rho / at["chi"] ** 3))
    return 26 / 5 * log, 13 * case.U * case.s**2 * mu**4 / (5 * at["chi"] ** 2 * at["eta"]) * log


def equation_6(case: Case, at: dict[str, float], psi: float, r: float, T: float) -> tuple[float, ...]:
    """Return the four entries of (6), natural logarithm."""
    s, C, rho, eta = case.s, case.C, case.rho, at["eta"]
    inner = math.log(4 * C**0.25 / (s * eta * r) * math.sqrt(psi / rho))
    return (
        math.log(9 * case.d * inner / (C**0.25 * eta * math.sqrt(s * rho * psi))) / s,
        math.log(160 * math.sqrt(2) * C**0.25 / (s * math.sqrt(eta * r)) * math.sqrt(psi / rho)),
        (C * math.log(4 * T / case.omega)) ** 0.25 / (2**0.75 * math.sqrt(s)),
        1.0,
    )


def kappa(case: Case) -> float:
    """Return the drift limit of Theorem 2, or Theorem 3 for m > 1."""
    G, M, U, rho, n, m = case.G, case.M, case.U, case.rho, case.n, case.m
    first = G**1.5 * U**0.5 * rho**0.5 / (M**2.5 * (m * n) ** 0.5)
    second = G ** (14 / 15) * case.d**0.4 * U**0.8 * rho ** (8 / 15) / (M ** (34 / 15) * (math.sqrt(m) * n * case.epsilon) ** 0.8)
    return max(first, second)


def lemma_7(case: Case, b_1: float, b_2: float, limit: float, c: float) -> tuple[float, float, float]:
    """Return sigma, r and psi of Lemma 7, or Lemma 9 for m > 1, with absolute constants 1 and c_1 = c_2 = c."""
    sigma = math.log(case.d) * math.sqrt((case.G**2 / b_1 + case.M**2 * limit / b_2) / case.m)
    log = math.log(1 / case.delta) / case.epsilon**2
    r = math.sqrt(c * log * (case.G**2 / b_1**2 + case.M**2 * limit / b_2**2) / case.m)
    return sigma, r, math.sqrt(sigma**2 + r**2 * case.d)


def batches(case: Case, at: dict[str, float]) -> tuple[float, float]:
    """Return b_1 = n kappa/(2 U eta) and b_2 = n eta chi^2/(2 U)."""
    return case.n * kappa(case) / (2 * case.U * at["eta"]), case.n * at["eta"] * at["chi"] ** 2 / (2 * case.U)


def lemma_8(case: Case, at: dict[str, float], T: float) -> float:
    """Return (6 eta/kappa) (U + 5 T eta chi^2), the bound on the number of O_1 calls."""
    return 6 * at["eta"] / kappa(case) * (case.U + 5 * T * at["eta"] * at["chi"] ** 2)
