"""Audits: simulate what a method releases on two neighbouring data sets, and compute the optimal test between them.

`sums` audits methods on finite sums, `secret_batches` the same with batches that the observer does not see, `events` those without an
optimal test; `replay` runs a method again for them. `oracles` audits the oracles and selections of Gauss-PSGD. The test becomes a lower
bound on epsilon in `paper_checks`.

May import: the modules of `synthetic`, its kernels, methods, runs. Start with `sums`.
"""
