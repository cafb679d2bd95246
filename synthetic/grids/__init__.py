"""Grids on data: every setting (alpha, T, C) of a method, on shared draws, exactly as if each were run alone.

`general` runs any method on any objective, one run for each setting. `grid` is the fast engine of three methods on quadratics: it holds
the entry points; `zeroth_order` runs DPZero and DPGD-0th, `first_order` DP-GD with `columns` and `windows`; `candidates`
finds the settings that are likely the best; `settings` has the settings and the measures at x_T.

May import: the modules of `synthetic`, its kernels, methods, objectives, runs. Start with `general`.
"""
