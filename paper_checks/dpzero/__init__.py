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

PRIVACY = (definition_2_1, lemma_2_2, privacy_clause)
ASSUMED = (assumptions, lemma_c1, lemma_c2)
STATED = (theorem1, theorem2, theorem3, section4, remarks_4, corollaries_f, remark_f5, table1, tables)
RUN = (algorithms, randomness, sharper, figures)
CLAIMS = tuple(claim for part in (*PRIVACY, *ASSUMED, *STATED, *RUN) for claim in part.CLAIMS)
