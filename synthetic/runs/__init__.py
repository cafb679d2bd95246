"""Runs on data: validate the arguments, draw, call a kernel for every replicate, return a record.

`simulate` runs methods on finite sums, `psgd` Gauss-PSGD on objectives with saddles, `escapes` descent from a saddle, `selection` Algorithm
4 of Gauss-PSGD, `distributed` its Algorithm 3 with clients in other processes; `coupled` repeats a run on its own draws with the
distribution of its samples in place of the samples, and `remarks` writes sentences about a run's numbers.

May import: the modules of `synthetic`, its kernels, methods, objectives. Start with `simulate`.
"""
