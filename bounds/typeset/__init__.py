"""Printed forms of the theory: LaTeX of formulas, words and tables (`latex`, `words`, `alignment`), citations, tables of notebooks.

May import: the modules of `bounds`, `bounds.proofs`. Start with `latex`.
"""
