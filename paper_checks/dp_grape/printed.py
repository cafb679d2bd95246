"""The paper's symbols under the names of the glossary, and Theorem D.10 as it is printed on the pages of claims.

The paper's Gamma, lambda, eta, L, r, B and D are the glossary's L, ell, alpha, layers, subspace, batch and spread; V and K of its proof are
standard normal and C/(sqrt(L) Gamma).
"""

from paper_checks.pages.as_printed import printed
from paper_checks.shared.symbols import Spelling

FORMULAS = printed("dp_grape")
n, d, epsilon, delta, Gamma, lambda_, eta, T, C = FORMULAS.symbols("n d epsilon delta Gamma lambda_ eta T C")
L, r, B, D, K, sd, Delta, c_2, each_sq = FORMULAS.symbols("L r B D cutoff normal_sd sensitivity c_noise each_sq")
D10 = FORMULAS.of("theorem_d10")
SPELLING = Spelling(
    {
        "L": "Gamma", "ell": "lambda", "alpha": "eta", "layers": "L", "subspace": "r", "batch": "B", "spread": "D", "block": "k",
        "cutoff": "K", "normal_sd": "sigma", "a_sq": "||a||^2", "p_t": "P(Q_t)", "q_t": "P(not Q_t)", "q": "P(not Q)",
        "beyond": "E[V^2 | |V| >= K]", "partial": "1_{B<n}", "grad_sq": "||grad_l F||^2", "sample_grad_sq": "mean of ||grad_l f_j||^2",
        "deviation_sq": "mean of ||grad_l f_j - grad_l F||^2", "sampling_sq": "E ||grad_l f(w; X_t) - grad_l F||^2",
    },
    in_text=("Gamma", "lambda", "eta"),
)  # fmt: skip
