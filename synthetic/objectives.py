"""Objectives with their constants: F_S(x) = (1/n) sum_i f(x; xi_i).

An objective is what the kernels need (jitted per-sample loss and gradient, their data and parameters) and what a theorem needs
(its constants in closed form, ``inf`` where there is none). Jitted functions get every constant through ``params``, so a new d
or a new spectrum does not recompile a kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from synthetic.compiled import compiling, jitted
from synthetic.draws import FloatArray, data_generator
from synthetic.kernels import losses
from synthetic.memory import room_for
from synthetic.validate import array_of, positive_integer, seed_integer, strict_door

SPECTRA = ("flat", "inverse_sqrt", "inverse")
OURS = ("synthetic.kernels.losses", "synthetic.kernels.lipschitz_losses")
ROWS = 512  # rows of data squared at a time: the squares of all would be a second copy of the data


@dataclass(frozen=True, eq=False)
class Objective:
    """F_S(x) = (1/n) sum_i f(x; xi_i) with everything that is known about it.

    data (n, p)         one sample a row
    params              what the jitted functions receive besides x and the data
    loss                f(x, row, params) -> float
    gradient            g(x, row, params, out) fills out (d,) with the gradient of f(.; row)
    value_gradient      F(x, data, params, out) -> F_S(x), and out (d,) = its gradient
    x0, optimum (d,)    the start, and the minimiser of F_S
    eigenvalues (d,)    of the Hessian of a quadratic; None for other objectives
    constants           glossary name -> value: n d r L ell gap B mu ...
    """

    name: str
    data: FloatArray = field(repr=False)
    params: tuple[Any, ...] = field(repr=False)
    loss: Callable[..., float] = field(repr=False)
    gradient: Callable[..., None] = field(repr=False)
    value_gradient: Callable[..., float] = field(repr=False)
    x0: FloatArray = field(repr=False)
    optimum: FloatArray = field(repr=False)
    constants: Mapping[str, float]
    eigenvalues: FloatArray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Raise ValueError unless every array and function is what a kernel takes for granted: a kernel checks nothing."""
        object.__setattr__(self, "x0", array_of((None,), x0=self.x0))
        object.__setattr__(self, "data", array_of((None, None), data=self.data))
        object.__setattr__(self, "optimum", array_of((self.d,), optimum=self.optimum))
        if self.eigenvalues is not None:
            object.__setattr__(self, "eigenvalues", array_of((self.d,), eigenvalues=self.eigenvalues))
        jitted(loss=self.loss, gradient=self.gradient, value_gradient=self.value_gradient)
        if self.loss.__module__ in OURS:  # whose rows and vectors are as long as x
            array_of((None, self.d), data=self.data)
            for one in self.params:
                if isinstance(one, np.ndarray):
                    array_of((self.d,), params=one)

    @property
    def n(self) -> int:
        """Number of samples."""
        return self.data.shape[0]

    @property
    def d(self) -> int:
        """Dimension of x."""
        return self.x0.shape[0]

    def value_and_gradient(self, x: FloatArray) -> tuple[float, FloatArray]:
        """Return F_S(x) and its gradient (d,); raise ValueError unless x is finite and has the shape (d,)."""
        point, out = array_of((self.d,), x=x), np.empty(self.d)
        with compiling(self.name):
            return float(self.value_gradient(point, self.data, self.params, out)), out


@strict_door
def spectrum_values(spectrum: str | FloatArray, d: int) -> FloatArray:
    """Return the eigenvalues (d,): 1, 1/sqrt(i) or 1/i by name (DPZero, Section 5), or the given non-negative array."""
    positive_integer(d=d)
    room_for(32 * d, d=d)
    i = np.arange(1.0, d + 1.0)
    if isinstance(spectrum, str):
        if spectrum not in SPECTRA:
            raise ValueError(f"spectrum = {spectrum!r}: one of {', '.join(SPECTRA)}, or an array of d eigenvalues, is needed")
        return {"flat": np.ones(d), "inverse_sqrt": 1.0 / np.sqrt(i), "inverse": 1.0 / i}[spectrum]
    a = array_of((d,), spectrum=spectrum)
    if np.any(a < 0) or not np.any(a > 0):
        raise ValueError("spectrum: eigenvalues of at least 0, one of them above 0, are needed")
    return a


@strict_door
def quadratic(spectrum: str | FloatArray, d: int, n: int, seed: int, x0: FloatArray | None = None) -> Objective:
    """Return f(x; x_i) = (x - x_i)' A (x - x_i) / 2, A diagonal, x_i with independent N(1, 1) coordinates.

    The synthetic problem of DPZero, Section 5 and Appendix B.1. Start x_0 = 0 unless given. F_S is a quadratic around the
    sample mean; it is not Lipschitz (L = inf) and not bounded (B = inf), so no theorem of the paper applies to it as it stands.
    """
    positive_integer(d=d, n=n)
    seed_integer(seed=seed)
    room_for(8 * (n + ROWS) * d, n=n, d=d)
    a = spectrum_values(spectrum, d)
    start = np.zeros(d) if x0 is None else array_of((d,), x0=x0)
    data = data_generator(seed).standard_normal((n, d))
    data += 1.0
    mean = data.mean(axis=0)
    blocks = np.split(data, range(ROWS, n, ROWS))
    spread = float(a @ sum(((rows - mean) ** 2).sum(axis=0) for rows in blocks)) / (2 * n)
    return Objective(
        name=f"quadratic, {spectrum if isinstance(spectrum, str) else 'given'} spectrum, d = {d}",
        data=data,
        params=(a, mean, spread),
        loss=losses.quadratic_loss,
        gradient=losses.quadratic_gradient,
        value_gradient=losses.quadratic_value_gradient,
        x0=start,
        optimum=mean,
        eigenvalues=a,
        constants={
            "n": n,
            "d": d,
            "r": float(a.sum() / a.max()),
            "L": np.inf,
            "ell": float(a.max()),
            "gap": float(a @ (start - mean) ** 2) / 2,
            "B": np.inf,
            "mu": float(a.min()),
        },
    )
