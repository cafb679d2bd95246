"""Theorem 3: pruning costs no privacy.

Setting   as of Theorem 1; the directions of stage s are M v with v standard normal and M diagonal, made by Algorithms 3 and 4.
Measure   a sigma for (epsilon, delta)-DP of all T steps: that of Theorem 1.
Source    DP-ZOPO, Theorem 3.

M is made from theta^0 or theta^{s-1} without data. So it is a function of what was released, and given it a step of DP-ZOPO releases P
clipped means like one of DP-ZOSO: the line "public" of `corrected_noise` in `theorem1`. Choosing the rate or the strategy by what the
data say would be another release.
"""

from bounds.dp_zopo.paper import stated
from bounds.dp_zopo.theorem1 import SUFFICIENT

THEOREM_3 = stated(
    "Theorem 3 (privacy of DP-ZOPO)",
    assumptions=("masks are made from what is released already, without data", "the assumptions of Theorem 1"),
    **SUFFICIENT,
)
