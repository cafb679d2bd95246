"""Checks of DP-ZOPO (Liu, Lou and others, NDSS 2025, arXiv:2402.07818): a page and a module for a statement or a few.

`errata` has what is wrong in the paper. Sources name section, equation, table, algorithm or line: the text that the claims were read
from has no pages.
"""

# the pages of claims, in the order in which they are listed
PAGES = "algorithms theorems_1_and_3 lemma4 lemma5 theorem2 theorem4 repaired comparison pruning said audits"
SAMPLES = (5, 1000)  # random points at which every line of a proof is tried, in a quick run and in a full one
