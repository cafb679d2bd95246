"""The language of pages: a page of text holds a statement, its assumptions, its schedule, its bound and its proof.

`tokens`, `tree`, `formulas` and `items` parse the text of a page; `rules` checks its meaning; `store` finds pages by key and resolves
their names; `values` converts them to a `bounds.theorem.Theorem` and a `bounds.proofs.derivation.Derivation`; `writer` prints a page from
Python. The pages are sorted by paper, `bounds/PAPER/*.page`. Parsing a page needs no SymPy; its values do.

May import: the modules of `bounds`, `bounds.proofs`. Start with `store`; `docs/reference/page-language.md` has the grammar.
"""
