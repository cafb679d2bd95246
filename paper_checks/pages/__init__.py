"""Pages of claims: read them, check pages of users, and evaluate formulas as the papers print them.

`claims` reads a page; `blocks`, `arguments` and `standard` are the parts of its language; `as_printed` has the formulas that a paper
prints; `own` checks a page that a user wrote. `docs/reference/claim-pages.md` defines the language.

May import: `bounds`, `paper_checks.verdict`. Start with `claims`.
"""
