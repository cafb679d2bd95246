"""How rarely a two-point difference is large: the tails of Lemma C.1 (ii), without the factor 4 in the exponent.

Setting   u uniform on the sphere of radius sqrt(d);   h(u) = (f(x + lam u) - f(x - lam u)) / (2 lam), f L-Lipschitz.
Measure   P(|u'a| >= C) for ||a|| <= L, and P(|h| >= C) for every smoothing radius lam > 0.
Lemma     linear      P(|u'a| >= C) <= 2 exp(-C^2 / (2 L^2))                      the paper has 2 sqrt(2 pi) exp(-C^2 / (8 L^2))
          Lipschitz   |h| <= L sqrt(d / (d - 3)) |N| in distribution, d >= 4, so  P(|h| >= C) <= erfc(C sqrt((d - 3) / (2 d)) / L)
Source    ours; the Lipschitz part rests on the isoperimetric inequality of the sphere (Levy 1951).

The linear part is elementary: the even moments of u_1 are below those of N. The Lipschitz part needs no smoothness at all, so no
condition ties C to lam, and it is as sharp: a linear h shows that neither exponent can be improved as d grows.
"""

import sympy as sp

from bounds.dpzero.sharp_common import THRESHOLD, beyond
from bounds.symbols import d
from bounds.theorem import Condition

ENOUGH_DIMENSIONS = Condition(d >= 4, "d = {value} is below {limit}: the Gaussian comparison on the sphere needs d >= 4")

SPREAD = d / (d - 3)  # a Gaussian of this variance dominates u_1, and h / L for every odd 1-Lipschitz h
LIPSCHITZ_TAIL = beyond(THRESHOLD / sp.sqrt(SPREAD))
