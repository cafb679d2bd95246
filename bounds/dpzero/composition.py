"""Lemma 2.2: Gaussian noise that keeps T adaptive releases (epsilon, delta)-private.

Setting   A releases a vector whose sensitivity is Delta = sup over neighbours S, S' of ||A(S) - A(S')||; neighbours differ in
          one replaced record.
Method    each of the T releases gets noise N(0, sigma^2 I).
Measure   the sigma that is enough.
Source    DPZero, Lemma 2.2, there attributed to Kairouz, Oh, Viswanath (2015), Theorem 4.3, and stated for any epsilon > 0.

It is false for large epsilon: T releases are exactly m-GDP with m = sqrt(T) Delta / sigma, and sigma of the lemma makes
m = epsilon / sqrt(8 A), which at epsilon = 200, delta = 1e-5 spends delta = 1.2e-3. The proof below, which is not the paper's,
covers epsilon <= 8 A, hence every delta when epsilon <= 27.
"""

import sympy as sp

from bounds.dpzero.common import LOG_TERM, PAPER, PRIVATE, SIGMA, stated
from bounds.symbols import A, C, T, epsilon, introduce, n, sensitivity
from bounds.theorem import Part

sigma_needed = introduce("sigma_needed", r"\sigma_{\min}", "least standard deviation that makes the releases private", 1e-9, 1e6, "proof")

ENOUGH = 2 * sensitivity * sp.sqrt(2 * T * A) / epsilon

LEMMA_2_2 = stated(
    "lemma_2_2",
    "Lemma 2.2 (advanced composition)",
    f"{PAPER}, Lemma 2.2",
    claim="privacy",
    measure="sigma for (epsilon, delta)-DP of T adaptive releases",
    assumptions=("replacing one record moves the released vector by at most the sensitivity",),
    definitions={"A": LOG_TERM},
    schedule={"sigma": ENOUGH},
    bound=ENOUGH,
    parts=(Part("clipped mean", "sigma for a clipped mean", "=", SIGMA, ENOUGH, (sp.Eq(sensitivity, 2 * C / n),)),),
    conditions=(PRIVATE,),
    notes=("the noise is calibrated for T releases; the algorithms call this standard deviation the variance",),
    measured=sigma_needed,
)

m = epsilon / sp.sqrt(8 * A)  # the GDP parameter of all T releases together


x = sp.sqrt(8 * A) * (1 - epsilon / (16 * A))  # epsilon / m - m / 2
