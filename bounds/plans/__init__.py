"""Plans: recommended parameters with their guarantees, variant by variant (printed, repaired, sharp), and how runs use them.

`plan` has the base classes of the plans of every paper, `side_by_side` compares plans of one problem at several epsilon. Each paper
computes its plans in `bounds/PAPER/recommend.py`.

May import: the modules of `bounds`, `bounds.privacy`, `bounds.typeset`. Start with `plan`.
"""
