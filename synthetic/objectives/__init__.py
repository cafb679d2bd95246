"""Objectives: functions with their start, their samples and their constants (L, ell, r, gap, rho, ...) in closed form.

`sums` has sums over samples, F_S(x) = (1/n) sum_i f(x; xi_i), whose parameter is a vector; `matrices` those of matrices; `stages` those
that methods in stages need; `saddles`, `separable_saddles` and `coupled_saddles` functions with strict saddles; `own` makes one from your
loss and gradient, with `compilation`, or `python_functions` and `frameworks` where Numba cannot compile them; `probe` and `curvature`
estimate its constants. `synthetic.losses` has the values and gradients that kernels call.

May import: the modules of `synthetic`, `synthetic.losses`. Start with `sums`, whose functions are the names of this package.
"""

from synthetic.objectives.sums import Objective, Spectrum, cosine, logistic, pseudo_huber, quadratic, spectrum_values

__all__ = ["Objective", "Spectrum", "cosine", "logistic", "pseudo_huber", "quadratic", "spectrum_values"]
