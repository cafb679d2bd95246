"""A parameter block with which the steps that fail in Lemmas 1, 4, 20 and Theorem 1 go through, over a whole run.

Block     `WHOLE`, for every integer Gamma of at least `LEAST_ROUND`; what chi, mu, s, Q and T must be at least is what the proof assumes.
          c_31 is the c of (31), N = 1 + U / Phi the escape phases, T the gradient estimates.
Source    ours, after Gauss-PSGD, Sections 4 and 5.

Against (5): one more iota under the step size and under the decrease. The powers of alpha, rho, M and psi are those of the paper. c is the
constant of (65). The errors are still martingale differences with fresh Gaussian noise in every step, as in Theorem 1: this repairs nothing
for the oracle of Algorithms 2 and 3, and it proves none of Lemmas 10 to 13 again.

Q, N, Gamma, eta and T depend on mu, and mu must be at least entries that depend on them. The proof takes any mu that is; that there is
one, and how one is found, is said in `bounds.gauss_psgd.fixed_point`. `theorem1` has the entries for the block that is rounded.
"""

from bounds.gauss_psgd import paper
from bounds.gauss_psgd.paper import letters, root

alpha, C, c, change, chi, d, err_norm, escapes, eta, F_next, F_now = letters("alpha C c change chi d err_norm escapes eta F_next F_now")
Gamma, Gamma_whole, iota, M, mu, omega, p_fail, p_noise, p_one = letters("Gamma Gamma_whole iota M mu omega p_fail p_noise p_one")
p_pair, phases, Phi, psi, Q, Q_whole, R, r, rho, s, scale_high = letters("p_pair phases Phi psi Q Q_whole R r rho s scale_high")

LEAST_ROUND = paper.MENDED[Gamma]  # M^2 s^3 mu^4 / (rho alpha)
WHOLE = {  # Gamma is any number of at least LEAST_ROUND, eta smaller by the factor by which it is longer
    iota: paper.REPAIRED[iota],
    alpha: 4 * chi,
    eta: mu / (Gamma * root),
    R: paper.REPAIRED[R],
    Phi: paper.REPAIRED[Phi],
}
FOUR_PARTS = 4 * Q * escapes / omega
