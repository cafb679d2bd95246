"""With m clients of n samples each: Theorem 3 as far as it holds, Theorem 2 with m n for n and sqrt(m) n epsilon for n epsilon.

Source    Gauss-PSGD, Theorem 3, (118) to (121), with Lemma 9; the setting is that of `theorem2`.
"""

import sympy as sp

from bounds.gauss_psgd.paper import letters

alpha, b_1, b_2, d, epsilon, m, n, N = letters("alpha b_1 b_2 d epsilon m n N_private")

MANY = {n: m * n, epsilon: epsilon / sp.sqrt(m)}  # n -> m n and n epsilon -> sqrt(m) n epsilon: one server's formulas for m clients
