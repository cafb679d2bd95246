"""Checks that every paper may use; the page of a claim names them as `shared.orders.check_order(...)`.

Formulas: `formulas`, `orders`, `rounding`, `tables`, `symbols`. Proofs: `proofs`, `steps`, `witness`, `shrink`. Simulation: `search`,
`runs`, `draws`, `tails`, and `findings`, which turns what a search or a sample found into a finding. Privacy: `privacy`, `batches`,
`audit`.

May import: `bounds`, `synthetic`, `paper_checks.record`. Start with `findings`.
"""
