"""Theorem 3: pruning costs no privacy, as the line "public" of `corrected_noise` in `theorem1` says.

Source    DP-ZOPO, Theorem 3. A mask is made from theta^0 or theta^{s-1} without data, so it is a function of what was released. To choose
          rates or strategies by what the data say would be another release.
"""

from bounds.dp_zopo.paper import stated
from bounds.dp_zopo.theorem1 import SUFFICIENT

THEOREM_3 = stated(
    "Theorem 3 (privacy of DP-ZOPO)",
    assumptions=("masks are made from what is released already, without data", "the assumptions of Theorem 1"),
    **SUFFICIENT,
)
