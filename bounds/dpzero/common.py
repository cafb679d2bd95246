"""What the pages of the DPZero paper share: the noise of Lemma 2.2, and the hypotheses and limits that the statements leave unsaid."""

from typing import Any

import sympy as sp

from bounds.pages import Pages
from bounds.papers import PAPERS
from bounds.symbols import A, C, L, T, delta, epsilon, n
from bounds.theorem import SCOPE, Condition

PAPER = PAPERS["dpzero"].cited
stated = Pages("dpzero").keyed

LOG_TERM = sp.log(sp.E + epsilon / delta)  # A
SIGMA = 4 * C * sp.sqrt(2 * T * A) / (n * epsilon)  # Lemma 2.2 with sensitivity 2 C / n: the standard deviation of Algorithms 1, 2

ON_F_S = (
    "F_S is twice differentiable and -H <= its Hessian <= H everywhere, ||H|| <= ell, Tr(H) <= r ||H||",
    "F_S has a smallest value",
)  # what Assumption 3.5 says of F_S

PRIVATE = Condition(
    epsilon <= 8 * A,
    "epsilon = {value} is above 8 log(e + epsilon/delta) = {limit}: outside the region where the noise of Lemma 2.2 is proved to be enough",
)


def below_trivial(bound: Any) -> Condition:
    """Return the condition that a bound on the squared gradient norm says more than the Lipschitz constant does."""
    return Condition(bound < L**2, "the bound {value} is not below L^2 = {limit}, which every point satisfies", SCOPE)
