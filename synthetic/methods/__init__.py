"""Methods on finite sums as records: the kernel of each, its settings, its draws, and what it publishes (`record.Kernel`).

`masks` and `scores` choose which coordinates DP-ZOPO tunes. May import: the modules of `synthetic`, `synthetic.kernels`,
`synthetic.objectives`. Start with `record`, then `dpzero`.
"""
