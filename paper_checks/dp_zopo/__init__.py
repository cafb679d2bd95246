"""The ledger of DP-ZOPO (Liu, Lou and others, NDSS 2025, arXiv:2402.07818): a module for a statement or a few.

`printed` has the formulas of the paper, `errata` what is wrong in it. Sources name section, equation, table, algorithm or line: the text
that the ledger was read from has no pages.
"""

from importlib import import_module

from paper_checks.verdict import Claim

MODULES = "algorithms theorems_1_and_3 lemma4 lemma5 theorem2 theorem4 repaired comparison pruning said audits"
CLAIMS: tuple[Claim, ...] = tuple(claim for name in MODULES.split() for claim in import_module(f"{__name__}.{name}").CLAIMS)
