"""Losses and gradients of the objectives as Numba kernels: f(x, row, params), g(x, row, params, out), F(x, data, params, out).

`python` calls Python functions in their place. May import: `synthetic.kernels.vectors`. Start with `sums`.
"""
