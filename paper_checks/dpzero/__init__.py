"""The ledger of DPZero (Zhang, Li, Thekumparampil, Oh, He, ICML 2024; arXiv:2310.09639): every claim, in the order of the paper.

Sources name section, equation, table or line: the texts that the ledger was read from have no pages.
"""

from __future__ import annotations

from paper_checks.dpzero import algorithms, convergence, figure_claims, privacy, randomness, sphere_lemmas, tables

CLAIMS = (
    *privacy.CLAIMS,
    *algorithms.CLAIMS,
    *randomness.CLAIMS,
    *sphere_lemmas.CLAIMS,
    *convergence.CLAIMS,
    *tables.CLAIMS,
    *figure_claims.CLAIMS,
)
