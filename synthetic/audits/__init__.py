"""Audits: what a method releases on two neighbouring data sets that differ in one record, and the best test between them.

`sums` audits methods on finite sums, `secret_batches` the same where each step draws a batch that nobody sees, `oracles` the oracles and
selections of Gauss-PSGD. The test becomes a lower bound on epsilon in `paper_checks`.

May import: the modules of `synthetic`, its kernels, methods, runs. Start with `sums`.
"""
