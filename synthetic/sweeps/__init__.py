"""Sweeps: many cells of work on any executor, with results that survive a killed process.

`sweep` runs cells, `store` keeps finished cells in one SQLite file, from which a sweep resumes, `sources` computes on which code a result
depends, `identity` that of objects in memory, `workers` are local processes, `cluster` those of Dask, `carried` brings a user's own modules
to both, `pace` estimates the remaining time.

May import: the modules of `synthetic`. Start with `sweep`.
"""
