"""The ledger of DPZero (Zhang, Li, Thekumparampil, Oh, He, ICML 2024; arXiv:2310.09639): every claim, simulations last.

A module per statement: its claims, and the examinations that only it needs. `statement` has what is asked of every statement, `printed`
the formulas of the paper. Sources name section, equation, table or line: the texts that the ledger was read from have no pages.
"""

from importlib import import_module

from paper_checks.verdict import Claim

MODULES = """
    definition_2_1 lemma_2_2 privacy_clause
    assumptions lemma_c1 lemma_c2
    theorems_1_and_2 theorem3 section4 remarks_4 corollaries_f remark_f5 table1 tables
    algorithms randomness sharper figures
"""
CLAIMS: tuple[Claim, ...] = tuple(claim for name in MODULES.split() for claim in import_module(f"{__name__}.{name}").CLAIMS)
