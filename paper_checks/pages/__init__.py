"""Pages of claims as text, and formulas as the papers print them.

`claims` reads a page; `blocks` and `arguments` are the parts of its language; `as_printed` has the formulas that a paper prints; `own`
checks a page of one's own. `docs/reference/claim-pages.md` defines the language.

May import: `bounds`, `paper_checks.verdict`. Start with `claims`.
"""
