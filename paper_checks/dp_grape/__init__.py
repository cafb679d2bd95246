"""The ledger of DP-GRAPE (Mulrooney, Gupta, Flemings, Zhang and others, arXiv:2506.15588): a module for a statement or a few.

`printed` has the formulas of the paper, `errata` what is wrong in it. Sources name section, equation, table, algorithm or line: the text
that the ledger was read from has no pages.
"""

from importlib import import_module

from paper_checks.verdict import Claim

MODULES = """
    algorithms privacy theorem_4_1 audits
    lemmas_d4_to_d9 theorem_d10 sharper moments rates projections memory experiments
"""
CLAIMS: tuple[Claim, ...] = tuple(claim for name in MODULES.split() for claim in import_module(f"{__name__}.{name}").CLAIMS)
