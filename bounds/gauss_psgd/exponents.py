"""Which rate (103) gives, for every limit of the drift: the exponents of its four parts to the base A = n^(-1/3).

Setting   G = M = rho = U = 1, constants left out; B = (sqrt(d) / (n epsilon))^(2/5) = A^beta and kappa = A^k.
Source    Gauss-PSGD, Theorem 2, (103) to (105); our proof.

A < 1, so a smaller exponent is a larger error.
"""

from bounds.gauss_psgd.paper import letters

A, d, epsilon, G, kappa, M, n, rho, U, beta, k = letters("A_rate d epsilon G kappa M n rho U beta_exp k_exp")

# the four parts of (103) as powers of A, with B = A^beta and kappa = A^k, in the order of LEFT
EXPONENTS = 2 - 2 * k / 3, (6 + 2 * k) / 9, 5 * beta - 2 * k, (5 * beta + k) / 7
