"""Runs in distribution: simulated from their exact distribution on a quadratic, without data, at any dimension.

The state of a run is a Markov chain of two numbers for each eigenvalue (`quadratic`); `zeroth_order` draws DPZero and DPGD-0th,
`first_order` DP-GD, `radial` DPZero on a radial Huber function; `samples` has what n samples do to a run, `tuning` the best settings.

May import: the modules of `synthetic`, its kernels and methods. Start with `quadratic`.
"""
