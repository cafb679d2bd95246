"""The algebra of DPZero: equations, lemmas, chains, statements and orders, in the order of the paper's argument."""

from __future__ import annotations

from paper_checks.dpzero import chains, equations, lemmas, rates, statements

CLAIMS = (*lemmas.CLAIMS, *equations.CLAIMS, *chains.CLAIMS, *statements.CLAIMS, *rates.CLAIMS)
