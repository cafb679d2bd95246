"""The papers' figures, drawn again: a folder for each paper, and what they share.

A figure is `data`, which computes and returns a frozen record, and `draw`, which is handed its axes and computes nothing. `style` has the
look of every figure, `experiments` what experiments do alike, `files` writes whole files, `crate` says where a result comes from;
`gallery/` has the committed pictures.

May import: `paper_checks`, `bounds`, `synthetic`. Start with `dpzero/synthetic.py`, Figures 1 to 3 of DPZero.
"""
