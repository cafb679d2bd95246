"""Reproduce the figures of the papers: a folder for each paper, and the code that they share.

A figure is two functions: `data` computes and returns a frozen record, and `draw` draws that record and computes nothing. `style` has the
look of every figure, `experiments` what all experiments do alike; `files` writes files atomically, `crate` writes the provenance of a
result; `gallery/` has the committed pictures.

May import: `paper_checks`, `bounds`, `synthetic`. Start with `dpzero/synthetic.py`, Figures 1 to 3 of DPZero.
"""
