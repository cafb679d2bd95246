"""The language of pages: a statement, its assumptions, its schedule, its bound and its proof, read from text.

`tokens`, `tree`, `formulas` and `items` read a page as text; `rules` says what it may mean; `store` finds pages by key and resolves their
names; `values` turns them into a `bounds.theorem.Theorem` and a `bounds.proofs.derivation.Derivation`; `writer` prints a page from Python.
The pages themselves stand by paper, `bounds/PAPER/*.page`. Reading a page needs no SymPy; its values do.

May import: the modules of `bounds`, `bounds.proofs`. Start with `store`; `docs/reference/page-language.md` has the grammar.
"""
