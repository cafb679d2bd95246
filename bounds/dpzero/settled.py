"""How tight the descent bound is: the share of it that the exact mean on a quadratic of rank r reaches.

Setting   F_S(x) = (ell / 2) ||Px||^2, P a projector of whole rank r: its Hessian ell P has norm ell and trace r ell; gap = F_S(x_0).
Method    Algorithm 2 with constant alpha and sigma that clips nothing, directions on the sphere of radius sqrt(d).
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0..T-1.
Lemma     with a = alpha ell R2 / 2, R2 = d (r + 2) / (d + 2), every line of dpzero.sharp_descent is an equality up to the last value:
              (1 - a) E ||grad F_S(x_tau)||^2 = (gap - E F_S(x_T)) / (alpha T) + alpha ell r sigma^2 / 2,
          because E (u'g)^2 u'Pu = R2 ||g||^2 for g = Pg, and E z^2 u'Pu = sigma^2 r. As ||grad F_S||^2 = 2 ell F_S, E F_S(x_t) moves by
              E F_S(x_{t+1}) = q E F_S(x_t) + alpha^2 ell r sigma^2 / 2,   q = 1 - 2 alpha ell (1 - a),   0 <= q < 1 if a < 1,
          so E F_S(x_T) = s + (gap - s) q^T, s = alpha r sigma^2 / (4 (1 - a)), and the mean is the share
              1 - E F_S(x_T) / (gap + alpha^2 T ell r sigma^2 / 2)
          of the bound; where alpha balances the two terms below, that is 1 - 1 / (4 (1 - a) alpha ell T) - q^T / 2 or more.
Source    ours.

Proved    no valid descent bound for this method, these constants, this output and a whole r is below that share of it: the quadratic is
          the limit of Huber functions as L grows, and the bound does not contain L. How much of the theorems with Lipschitz samples,
          clipping and smoothing is reached, is simulated on the radial Huber function (`synthetic.distribution.radial`), by `theory-lab
          show dpzero.theorem3 --loose worst`: numerical, with a false-alarm probability.
Open      other algorithms, alpha or sigma that change with t, another distribution of tau, the best or last iterate, other assumptions,
          and whether less noise is private. `KNOWN_RATES` lists rates from the literature.
"""

from dataclasses import dataclass

from bounds.dpzero.sharp_numbers import Point
from bounds.validate import non_negative, positive, positive_integer, validated

ARORA = (
    "Arora, Bassily, Gonzalez, Guzman, Menart, Ullah, Faster Rates of Convergence to Stationary Points in DP Optimization, arXiv:2206.00846"
)
LOWY = "Lowy, Ullman, Wright, How to Make the Gradients Small Privately, arXiv:2402.11173"
ABSTRACT = "rate, constants not given in the abstract, which is all that was read"


@dataclass(frozen=True)
class KnownRate:
    """A rate of ||grad|| from the literature: for which problem, in which source, and how much of it is known here."""

    problem: str
    says: str
    source: str
    known: str


KNOWN_RATES = (
    KnownRate("finite sum, Lipschitz and smooth, first-order", "at most O~((sqrt(d) / (n epsilon))^(2/3))", ARORA, ABSTRACT),
    KnownRate("the same, best rate before", "at most O~((sqrt(d) / (n epsilon))^(1/2))", ARORA, ABSTRACT),
    KnownRate("convex, population risk", "exactly Theta~(1 / sqrt(n) + sqrt(d) / (n epsilon)), a lower bound too", ARORA, ABSTRACT),
    KnownRate(
        "finite sum, smooth, not convex, by a warm start",
        "improved rates over those before",
        LOWY,
        "the abstract names no rate: nothing is compared",
    ),
)


@validated
def reached_share(*, alpha: float, T: int, sigma: float, d: int, r: int, ell: float, gap: float) -> float:
    """Return the exact mean on the quadratic of rank r divided by the descent bound; raise ValueError if alpha is too large."""
    positive(alpha=alpha, ell=ell, gap=gap)
    non_negative(sigma=sigma)
    positive_integer(T=T, d=d, r=r)
    if r > d:
        raise ValueError(f"r = {r}: a whole number from 1 to d = {d} is needed")
    a = alpha * ell * Point(alpha, T, 0, 0, sigma, d, r, 0, ell, gap).R2 / 2
    if not a < 1:
        raise ValueError(f"alpha = {alpha!r}: alpha ell R2 / 2 = {a:.4g} must be below 1")
    stays = alpha * r * sigma**2 / (4 * (1 - a))
    left = stays + (gap - stays) * (1 - 2 * alpha * ell * (1 - a)) ** T
    return float(1 - left / (gap + alpha**2 * T * ell * r * sigma**2 / 2))
