"""The ledger of DPZero (Zhang, Li, Thekumparampil, Oh, He, ICML 2024; arXiv:2310.09639): every claim, cheap ones first.

Sources name section, equation, table or line: the texts that the ledger was read from have no pages.
"""

from __future__ import annotations

from paper_checks.dpzero import (
    algebra,
    algorithms,
    clipping,
    convergence,
    degenerate,
    figure_claims,
    integer_steps,
    orders,
    privacy,
    privacy_algorithms,
    privacy_clause,
    randomness,
    scope,
    scope_values,
    sphere_lemmas,
    tables,
    thresholds,
)

CLAIMS = (
    *privacy.CLAIMS,
    *privacy_clause.CLAIMS,
    *privacy_algorithms.CLAIMS,
    *algebra.CLAIMS,
    *integer_steps.CLAIMS,
    *degenerate.CLAIMS,
    *orders.CLAIMS,
    *thresholds.CLAIMS,
    *scope.CLAIMS,
    *scope_values.CLAIMS,
    *tables.CLAIMS,
    *algorithms.CLAIMS,
    *clipping.CLAIMS,
    *randomness.CLAIMS,
    *sphere_lemmas.CLAIMS,
    *convergence.CLAIMS,
    *figure_claims.CLAIMS,
)
