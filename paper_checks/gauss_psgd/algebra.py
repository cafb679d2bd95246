"""The algebra of Gauss-PSGD, in the order of the paper's argument: statements, proofs, lines that are false as printed, rates."""

from __future__ import annotations

from paper_checks.gauss_psgd import chains, concentration, printed_false, rates, readings, repaired, statements, windows

CLAIMS = (
    *statements.CLAIMS,
    *chains.CLAIMS,
    *printed_false.CLAIMS,
    *repaired.CLAIMS,
    *concentration.CLAIMS,
    *windows.CLAIMS,
    *rates.CLAIMS,
    *readings.CLAIMS,
)
