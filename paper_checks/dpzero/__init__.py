"""The ledger of DPZero (Zhang, Li, Thekumparampil, Oh, He, ICML 2024; arXiv:2310.09639): every claim, simulations last.

A module per statement: its claims, and the examinations that only it needs. `statement` has what is asked of every statement, `printed`
the formulas of the paper. Sources name section, equation, table or line: the texts that the ledger was read from have no pages.
"""

from __future__ import annotations

from paper_checks.dpzero import (
    algorithms,
    assumptions,
    corollaries_f,
    definition_2_1,
    figures,
    lemma_2_2,
    lemma_c1,
    lemma_c2,
    privacy_clause,
    randomness,
    remark_f5,
    remarks_4,
    section4,
    sharper,
    table1,
    tables,
    theorem1,
    theorem2,
    theorem3,
)

CLAIMS = (
    *definition_2_1.CLAIMS,
    *lemma_2_2.CLAIMS,
    *privacy_clause.CLAIMS,
    *assumptions.CLAIMS,
    *lemma_c1.CLAIMS,
    *lemma_c2.CLAIMS,
    *theorem1.CLAIMS,
    *theorem2.CLAIMS,
    *theorem3.CLAIMS,
    *section4.CLAIMS,
    *remarks_4.CLAIMS,
    *corollaries_f.CLAIMS,
    *remark_f5.CLAIMS,
    *table1.CLAIMS,
    *tables.CLAIMS,
    *algorithms.CLAIMS,
    *randomness.CLAIMS,
    *sharper.CLAIMS,
    *figures.CLAIMS,
)
