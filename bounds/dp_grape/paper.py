"""The paper's letters.

Source    Mulrooney, Gupta, Flemings, Zhang, Annavaram, Razaviyayn, Zhang, "Memory-Efficient Differentially Private Training with Gradient
          Random Projection", Sections 2 and 4, Appendix D.

On the pages a name is the paper's letter: Gamma is the Lipschitz constant, lambda_ its smoothness, eta the step size, L the number of
layers, r the dimension of the subspace, B the size of a batch, D the bound on F - F^*. To evaluate, and in plans, they go by the names of
the glossary: L, ell, alpha, layers, subspace, batch, spread. sigma is always the standard deviation, per coordinate, of the noise on the
*mean* over the batch; the noise multiplier of Algorithm 1 is B sigma / C.
"""

from bounds.pages import Pages

LETTERS = "Gamma L, lambda_ ell, eta alpha, L layers, r subspace, B batch, D spread, k block, kappa stretch, K clip_ratio"
PAGES = Pages("dp_grape", dict(pair.split() for pair in LETTERS.split(", ")))
letters, keyed = PAGES.letters, PAGES.keyed
