"""Sweeps: many cells of work on any executor, with results that survive a killed process.

`sweep` runs cells, `store` keeps finished ones in one SQLite file and is where a sweep resumes, `sources` says on which code a result
depends, `workers` are local processes, `cluster` those of Dask, `pace` says how long the rest takes.

May import: the modules of `synthetic`. Start with `sweep`.
"""
