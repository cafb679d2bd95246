"""Losses with saddles, for second-order stationary points: F(x) = E f(x; z), its samples, its saddle and its constants.

Constants are those of Assumptions 1 and 2 of Gauss-PSGD under the names of the glossary: L (its G) and ell (its M) and rho hold for
every sample f(.; z) where `where` says, U >= max F - min F there, gap = F(x0) - min F, curvature = -(smallest eigenvalue of the Hessian
at the saddle).
A constant is inf where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.linalg import eigh

from synthetic.compiled import compiling, jitted
from synthetic.draws import FloatArray
from synthetic.kernels import saddle_losses as losses
from synthetic.memory import room_for
from synthetic.validate import array_of, non_negative, plain, positive, positive_integer, strict_door


@dataclass(frozen=True)
class Certificate:
    """What exact derivatives say of a point.

    grad_norm             |grad F(x)|
    smallest_eigenvalue   of the Hessian of F at x
    sosp                  both within accuracy alpha: grad_norm <= alpha and smallest_eigenvalue >= -sqrt(rho alpha) (Definition 2)
    saddle                grad_norm <= alpha but smallest_eigenvalue <= -sqrt(rho alpha)
    """

    grad_norm: float
    smallest_eigenvalue: float
    sosp: bool
    saddle: bool


@dataclass(frozen=True, eq=False)
class Landscape:
    """A loss with a saddle.

    params           what the jitted functions receive besides x and the samples
    value_gradient   F(x, params, out) -> F(x), and out (d,) = grad F(x)
    batch_gradient   g(x, rows, params, out): out (d,) = mean of grad f(x; z) over the samples rows (b, p)
    hessian          x -> Hessian of F, (d, d)
    batch_hessian    (x, rows) -> mean Hessian of f(.; z) over rows, (d, d)
    draw             (rng, n, client) -> n samples of a client's distribution, (n, p); F is the mean over the clients
    saddle, x0 (d,)  the saddle, and a start from which descent comes to it
    clients          number of clients m
    where            the region in which the constants hold
    """

    name: str
    params: tuple[Any, ...] = field(repr=False)
    value_gradient: Callable[..., float] = field(repr=False)
    batch_gradient: Callable[..., None] = field(repr=False)
    hessian: Callable[[FloatArray], FloatArray] = field(repr=False)
    batch_hessian: Callable[[FloatArray, FloatArray], FloatArray] = field(repr=False)
    draw: Callable[[np.random.Generator, int, int], FloatArray] = field(repr=False)
    saddle: FloatArray = field(repr=False)
    x0: FloatArray = field(repr=False)
    constants: Mapping[str, float]
    clients: int = 1
    where: str = "everywhere"

    def __post_init__(self) -> None:
        """Raise ValueError unless every array and function is what a kernel takes for granted: a kernel checks nothing."""
        object.__setattr__(self, "x0", array_of((None,), x0=self.x0))
        object.__setattr__(self, "saddle", array_of((self.d,), saddle=self.saddle))
        jitted(value_gradient=self.value_gradient, batch_gradient=self.batch_gradient)
        positive_integer(clients=self.clients)

    @property
    def d(self) -> int:
        """Dimension of x."""
        return self.x0.shape[0]

    def value_and_gradient(self, x: FloatArray) -> tuple[float, FloatArray]:
        """Return F(x) and its gradient (d,); raise ValueError unless x is finite and has the shape (d,)."""
        point, out = array_of((self.d,), x=x), np.empty(self.d)
        with compiling(self.name):
            return float(self.value_gradient(point, self.params, out)), out

    def certify_sosp(self, x: FloatArray, alpha: float) -> Certificate:
        """Judge a point (d,) by the exact gradient and the smallest eigenvalue of the exact Hessian; alpha > 0."""
        alpha = plain("alpha", alpha)
        positive(alpha=alpha)
        room_for(32 * self.d**2, d=self.d)
        point = array_of((self.d,), x=x)
        grad_norm = float(np.linalg.norm(self.value_and_gradient(point)[1]))
        smallest = float(eigh(self.hessian(point), eigvals_only=True, subset_by_index=[0, 0])[0])
        floor = -float(np.sqrt(self.constants["rho"] * alpha))
        return Certificate(grad_norm, smallest, grad_norm <= alpha and smallest >= floor, grad_norm <= alpha and smallest <= floor)


@strict_door
def random_phase_cosines(
    d: int, *, A: float = 1.0, w: float = 1.0, h: float = 1.0, unstable_h: float | None = None, phases: FloatArray | None = None
) -> Landscape:
    """Return f(x; z) = (A / w^2) sum_i s_i cos(w x_i + z_i), s = (1, -1, ..., -1), z_i uniform on phase + [-h, h].

    Every constant holds everywhere and for every sample: L = A sqrt(d) / w, ell = A, rho = A w. At 0 the Hessian is A c diag(-1, 1, ...)
    with c = sin(h) / h, a strict saddle; F is lowest at x_1 = +-pi / w. `unstable_h` is the h of x_1 alone: with 0 the samples do not
    disturb the escape direction. `phases` (m,) makes m clients with phases of their own, whose sines must sum to 0 (else the critical
    points move).  Source: Gauss-PSGD's Assumptions 1 and 2; the construction is ours.
    """
    positive_integer(d=d)
    room_for(64 * d, d=d)
    positive(A=A, w=w, h=h)
    first = h if unstable_h is None else unstable_h
    non_negative(unstable_h=first)
    shift = np.zeros(1) if phases is None else array_of((None,), phases=phases)
    if abs(float(np.sum(np.sin(shift)))) > 1e-9 * len(shift):
        raise ValueError(f"phases: their sines sum to {float(np.sum(np.sin(shift))):.3g}; a sum of 0 is needed")
    widths = np.full(d, h)
    widths[0] = first
    tilt = float(np.mean(np.cos(shift)))
    if tilt <= 0:
        raise ValueError(f"phases: their cosines have the mean {tilt:.3g}; a mean above 0 is needed")
    mean_cos = np.sinc(widths / np.pi) * tilt
    if np.any(mean_cos <= 0):
        name, width = ("h", h) if d > 1 and mean_cos[1] <= 0 else ("unstable_h" if unstable_h is not None else "h", first)
        raise ValueError(f"{name} = {width!r}: its sine over itself must be above 0, a width below pi is needed")
    signs = -np.ones(d)
    signs[0] = 1.0
    x0 = np.ones(d) / w
    x0[0] = 0.0

    def hessian(x: FloatArray) -> FloatArray:
        return np.diag(-A * signs * mean_cos * np.cos(w * x))

    def batch_hessian(x: FloatArray, rows: FloatArray) -> FloatArray:
        mean = rows.mean(axis=0)
        return np.diag(-A * signs * (np.cos(w * x) * mean[:d] - np.sin(w * x) * mean[d:]))

    def draw(rng: np.random.Generator, n: int, client: int = 0) -> FloatArray:
        z = rng.random((n, d))
        z *= 2 * widths
        z += shift[client] - widths
        rows = np.empty((n, 2 * d))
        np.cos(z, out=rows[:, :d])
        np.sin(z, out=rows[:, d:])
        return rows

    return Landscape(
        name=f"random-phase cosines, d = {d}",
        params=(float(A), float(w), signs, mean_cos),
        value_gradient=losses.cosines_value_gradient,
        batch_gradient=losses.cosines_batch_gradient,
        hessian=hessian,
        batch_hessian=batch_hessian,
        draw=draw,
        saddle=np.zeros(d),
        x0=x0,
        constants={
            "d": d,
            "L": A * float(np.sqrt(d)) / w,
            "ell": A,
            "rho": A * w,
            "U": 2 * A * float(mean_cos.sum()) / w**2,
            "gap": A / w**2 * float(2 * mean_cos[0] + (1 - np.cos(1.0)) * mean_cos[1:].sum()),
            "curvature": A * float(mean_cos[0]),
        },
        clients=len(shift),
    )
