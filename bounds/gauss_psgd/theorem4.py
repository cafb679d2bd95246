"""Choosing among the iterates: Theorem 4, as far as it holds, and Remark 4.

Setting   Algorithm 4 on m clients with n held-out samples each; T gradients and T Hessians are released, and one of T iterates is an
          alpha-stationary point. omega is the paper's omega'.
Measure   the accuracy of the selected iterate, and how large d may be for it to be of the same order.
Source    Gauss-PSGD, Algorithm 4, Theorem 4, (122) to (143), Remark 4; Lemmas 14 to 16, Definition 8.

Thresholds and noise with the constants that make the statement true are in `bounds.gauss_psgd.selection`.
"""

import sympy as sp

from bounds.gauss_psgd.paper import letters

alpha, d, delta, epsilon, G, m, M, n, omega, rho, sensitivity, T = letters("alpha d delta epsilon G m M n omega rho sensitivity T")


EVENT = sp.log(16 * d / omega)  # the paper has 8 d: Lemma 14 lacks a factor 2 (printed_lemma14)
SHARE = sp.sqrt(EVENT / (m * n))
COMPOSED = 128 * sp.log(2 / delta) * sp.log(5 * T / delta) / sp.log(1 / delta)  # the c_1 that Lemma 16 and Definition 8 ask for
