"""Lemmas D.4 to D.9: conditioning, normal tails, sampling without replacement, moments of a projection, moments accounting.

Source    DP-GRAPE, Appendix D, Lemmas D.4 to D.9.

Lemmas D.5 and D.8 (ii) stand as printed, which is false; the parts that are called "true" are what their proofs here give.
"""

import sympy as sp

from bounds.dp_grape.paper import letters
from bounds.papers import PAPERS

normal_sd, cutoff, upper, square_mass, square_above, exceeds, beyond = letters(
    "normal_sd cutoff upper square_mass square_above exceeds beyond"
)

CITED = PAPERS["dp_grape"].cited
UPPER = sp.erfc(cutoff / (sp.sqrt(2) * normal_sd)) / 2  # P(X >= K) of N(0, sigma^2)
BELL = sp.exp(-(cutoff**2) / (2 * normal_sd**2))
BOTH_SIDES = sp.erfc(cutoff / sp.sqrt(2))  # P(|V| >= K) of N(0, 1)
DENSITY = sp.exp(-(cutoff**2) / 2) / sp.sqrt(2 * sp.pi)  # of N(0, 1) at K
