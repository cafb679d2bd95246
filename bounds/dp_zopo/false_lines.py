"""Lines of the paper that are false as printed, each with what holds instead and a point at which anyone can substitute both.

Source    DP-ZOPO, Sections III and IV, Appendices B and C; the line is named in `where`, the number of the erratum is ours.
"""

from bounds.false_line import FalseLine

GRADIENT_ERROR: list[FalseLine] = []  # Lemmas 4 and 6
STAGES: list[FalseLine] = []  # Lemmas 5, 7 and 8, Theorems 2 and 4
PRINTED_FALSE = [*GRADIENT_ERROR, *STAGES]
