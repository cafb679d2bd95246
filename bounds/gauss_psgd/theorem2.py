"""From the oracle to a rate: Theorem 2 as far as it holds, what Theorem 3 has alike, and the single root of Remark 2.

Setting   alpha^2 is a constant times psi^2 = sigma^2 + r^2 d; eta = sqrt(rho alpha) / M^2 and chi = alpha, logarithms and constants
          left out.
Source    Gauss-PSGD, Theorem 2, (9), (98) to (105), Remark 2.

The rate (105) does not follow from (103) and (104) when A^1.1 < B < A^(3/4), A and B its two parts: `exponents` has the exact
window, what another limit of the drift can do, and the rate that the proof does give, with a third part of exponent 4/17. And b_1, b_2 as
printed need not fit into n samples: `feasibility` says by how much.
"""

from types import SimpleNamespace

import sympy as sp

from bounds.gauss_psgd import paper
from bounds.gauss_psgd.fixed_point import drift_limits
from bounds.gauss_psgd.paper import letters, power
from bounds.gauss_psgd.rates import terms

alpha, b_1, b_2, chi, d, epsilon, eta, G, kappa, M, m, mu, n = letters("alpha b_1 b_2 chi d epsilon eta G kappa M m mu n")
N, omega, resets, rho, s, T, U = letters("N_private omega resets rho s T U")

ONE_SERVER = SimpleNamespace(**{**vars(paper.ALL), "m": sp.Integer(1)})
SHARES = {b_1: n * kappa / (2 * U * eta), b_2: n * eta * chi**2 / (2 * U)}  # (9)


B_RATE = power(sp.sqrt(d) / (n * epsilon), 2, 5)
KAPPA_1, KAPPA_2 = drift_limits(ONE_SERVER, paper.SYMBOLS)  # (104)
RATE_1, RATE_2, _ = terms(ONE_SERVER, paper.SYMBOLS)  # (105)
LEFT = {  # part times alpha^(power - 2), which (102) makes equal to alpha^power: free of alpha
    "sampling, fresh": 2 * G**2 * U * sp.sqrt(rho) / (M**2 * n * kappa),
    "sampling, difference": 2 * M**4 * U * kappa / (n * sp.sqrt(rho)),
    "privacy, fresh": 4 * d * G**2 * U**2 * rho / (M**4 * n**2 * epsilon**2 * kappa**2),
    "privacy, difference": 4 * d * M**6 * U**2 * kappa / (n**2 * epsilon**2 * rho),
}
