"""Contracts that every method on sums passes, the lab's and a user's: each is tried on a small objective, step by step.

May import: the modules of `synthetic`, its methods, objectives and runs. Start with `trial`, which runs a loop on chosen records and draws,
then `check`, which lists the contracts.
"""
