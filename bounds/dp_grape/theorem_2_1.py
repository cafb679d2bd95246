"""Theorem 2.1: the noise of one Gaussian release.

Setting   a vector is released once; it moves by at most the sensitivity between neighbours.
Method    the release gets noise N(0, covariance I).
Measure   the covariance that is said to give (epsilon, delta)-DP for every epsilon and delta.
Source    DP-GRAPE, Theorem 2.1, there attributed to Dwork, Roth (2014).

The printed covariance is the standard deviation of the theorem that is cited, which asks for epsilon < 1. As a standard deviation it is
more than that of `dp_grape.corrected_noise` at T = 1, so enough where that is; it is not enough for every epsilon.
"""

import sympy as sp

from bounds.dp_grape.paper import keyed
from bounds.papers import PAPERS
from bounds.symbols import delta, epsilon, sensitivity
from bounds.theorem import Condition, Part

FACTOR = sensitivity * sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta)) / epsilon

THEOREM_2_1 = keyed(
    "theorem_2_1",
    "Theorem 2.1 (Gaussian mechanism)",
    f"{PAPERS['dp_grape'].cited}, Theorem 2.1",
    claim="privacy",
    measure="covariance per coordinate for (epsilon, delta)-DP of one release, as printed",
    assumptions=("replacing or removing one record moves the released vector by at most the sensitivity",),
    bound=FACTOR,
    parts=(Part("deviation", "standard deviation where the printed covariance is taken literally", "=", sp.sqrt(FACTOR)),),
    conditions=(Condition(epsilon < 1, "epsilon = {value} is not below 1, which the theorem that is cited asks for"),),
    notes=("the printed expression is the standard deviation of the theorem that is cited, not the covariance",),
)
