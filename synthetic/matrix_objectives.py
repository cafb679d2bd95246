"""Objectives whose parameter is made of matrices, with their constants: what DP-GRAPE and its relatives run on.

They are called as those of `synthetic.objectives`, with a spectrum, d, n and a seed, and with the rows m of a matrix by name; d is the
number of all entries, so that the columns follow. What a projection on random subspaces does depends on the shape.
"""

from dataclasses import replace

import numpy as np

from synthetic.draws import FloatArray, data_generator
from synthetic.kernels import matrix_losses as losses
from synthetic.memory import room_for
from synthetic.objectives import Objective, Spectrum, _word, quadratic, spectrum_values
from synthetic.space import matrices
from synthetic.validate import array_of, door, positive_integer, seed_integer, strict_door


@door
def columns_of(d: int, m: int, layers: int = 1) -> int:
    """Return k of the layers (m, k) that have d entries together; raise ValueError where there is none."""
    positive_integer(d=d, m=m, layers=layers)
    if d % (m * layers):
        raise ValueError(f"d = {d}: a multiple of m * layers = {m * layers} is needed, layers matrices of m rows")
    return d // (m * layers)


@strict_door
def matrix_quadratic(
    spectrum: Spectrum | FloatArray,
    d: int,
    n: int,
    seed: int,
    *,
    m: int,
    layers: int = 1,
    columns: Spectrum | FloatArray = "flat",
    x0: FloatArray | None = None,
) -> Objective:
    """Return F = sum_l tr(K E_l' H E_l) / 2, E_l = W_l - mean of the samples, H = diag(spectrum) of the m rows, K = diag(columns).

    The quadratic of `synthetic.objectives` with eigenvalues h_i k_j, a sample X_l of independent N(1, 1) entries a layer: it is not
    Lipschitz. A Gaussian projection is the same in any basis of the rows, so that the axes are the eigenvectors of H costs nothing.
    """
    k = columns_of(d, m, layers)
    h, across = spectrum_values(spectrum, m), spectrum_values(columns, k)
    made = quadratic(np.tile(np.outer(h, across).ravel(), layers), d, n, seed, x0)
    name = f"matrix quadratic, {_word(spectrum)} spectrum, {layers} x ({m}, {k})"
    return replace(made, name=name, shape=matrices(*[(m, k)] * layers), constants={**made.constants, "layers": layers})


@strict_door
def low_rank(
    spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, m: int, rank: int, layers: int = 1, x0: FloatArray | None = None
) -> Objective:
    """Return the matrix quadratic of which the rows after the first `rank` have no curvature: every gradient has that rank at most."""
    positive_integer(rank=rank)
    if rank > min(m, columns_of(d, m, layers)):
        raise ValueError(f"rank = {rank}: at most {min(m, columns_of(d, m, layers))} is needed, the smaller side of a layer")
    h = np.where(np.arange(m) < rank, spectrum_values(spectrum, m), 0.0)
    made = matrix_quadratic(h, d, n, seed, m=m, layers=layers, x0=x0)
    return replace(made, name=made.name.replace("given spectrum", f"{_word(spectrum)} spectrum, rank {rank}"))


@strict_door
def matrix_cosine(
    spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, m: int, layers: int = 1, x0: FloatArray | None = None
) -> Objective:
    """Return f(W; a, b) = 1 - cos(<a, vec W> - b), |a| = 1, b = <a, vec W*>, entries of W* independent N(0, 1).

    It meets every assumption of the corrected theorem: the gradient is sin(.) a, so L = 1; the Hessian is cos(.) a a', so ell = 1; and
    0 = F^* <= F <= 2, F^* at W*, so B = spread = 2. The entries of a before it is scaled are independent, N(0, spectrum_i) in row i. The
    Hessian of F is at most the mean of a a', of trace 1: raised to 1 in its first direction it has trace 2 at most, so r = 2.
    """
    k = columns_of(d, m, layers)
    positive_integer(n=n)
    seed_integer(seed=seed)
    room_for(24 * n * (d + 1), n=n, d=d)
    rng = data_generator(seed)
    a = rng.standard_normal((n, d)) * np.tile(np.repeat(np.sqrt(spectrum_values(spectrum, m)), k), layers)
    a /= np.linalg.norm(a, axis=1, keepdims=True)
    target = rng.standard_normal(d)
    data = np.column_stack([a, a @ target])
    start = np.zeros(d) if x0 is None else array_of((d,), x0=x0)
    gap = float(np.mean(1 - np.cos(a @ start - data[:, -1])))
    known = {"n": n, "d": d, "r": 2.0, "L": 1.0, "ell": 1.0, "gap": gap, "B": 2.0, "mu": 0.0, "layers": layers, "spread": 2.0}
    name, shape = f"matrix cosine, {_word(spectrum)} spectrum, {layers} x ({m}, {k})", matrices(*[(m, k)] * layers)
    return Objective(name, data, (0.0,), *losses.COSINE, x0=start, optimum=target, constants=known, shape=shape)
