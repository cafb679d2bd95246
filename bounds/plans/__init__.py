"""Plans: what a recommendation says, variant by variant (printed, repaired, sharp), and what a variant gives a run.

`plan` has the records that the plans of every paper are made of, `side_by_side` compares plans of one problem at several epsilon. Each
paper makes its plans in `bounds/PAPER/recommend.py`.

May import: the modules of `bounds`, `bounds.privacy`, `bounds.typeset`. Start with `plan`.
"""
