"""Objectives with saddles, for second-order stationary points: F(x) = E f(x; z), with samples, saddle and constants.

Constants are those of Assumptions 1 and 2 of Gauss-PSGD under the names of the glossary: L (its G), ell (its M) and rho hold for
every sample f(.; z) in the region `where`, U >= max F - min F there, gap = F(x0) - min F, curvature = -(smallest eigenvalue of the Hessian
at the saddle).
A constant is inf where there is none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.linalg import eigh

from synthetic import html
from synthetic.compiled import check_jitted, explain_compile_errors
from synthetic.draws import FloatArray
from synthetic.memory import check_memory
from synthetic.objectives.space import Runnable, Space, checked_space
from synthetic.validate import array_of, non_negative, positive, positive_integer, short_repr, to_python_number, validated

if TYPE_CHECKING:
    from synthetic.runs.psgd import PsgdRun  # noqa: F401  # the class names it as a string


@dataclass(frozen=True)
class Certificate:
    """Whether a point is a second-order stationary point or a saddle, from exact derivatives.

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
class SaddleObjective(Runnable["PsgdRun"]):
    """An objective with a saddle: jitted functions, samples, start, saddle and constants.

    params           what the jitted functions receive besides x and the samples
    value_gradient   F(x, params, out) -> F(x), and out (d,) = grad F(x)
    batch_gradient   g(x, rows, params, out): out (d,) = mean of grad f(x; z) over the samples rows (b, p)
    hessian          x -> Hessian of F, (d, d)
    draw             (rng, n, client) -> n samples of a client's distribution, (n, p); F is the mean over the clients
    saddle, x0 (d,)  the saddle, and a start from which descent comes to it
    clients          number of clients m
    where            the region in which the constants hold
    batch_hessian    (x, rows) -> mean Hessian of f(.; z) over rows, (d, d); by default that of F, which no sample changes
    shape            shapes of the arrays that x holds; by default x is a vector
    """

    name: str
    params: tuple[Any, ...] = field(repr=False)
    value_gradient: Callable[..., float] = field(repr=False)
    batch_gradient: Callable[..., None] = field(repr=False)
    hessian: Callable[[FloatArray], FloatArray] = field(repr=False)
    draw: Callable[[np.random.Generator, int, int], FloatArray] = field(repr=False)
    saddle: FloatArray = field(repr=False)
    x0: FloatArray = field(repr=False)
    constants: Mapping[str, float]
    clients: int = 1
    where: str = "everywhere"
    batch_hessian: Callable[[FloatArray, FloatArray], FloatArray] = field(default=None, repr=False)  # type: ignore[assignment]
    shape: Space = field(default=Space(), repr=False)

    def __post_init__(self) -> None:
        """Raise ValueError unless x0 and saddle are finite (d,), shape fits d, the functions are jitted and clients >= 1.

        Kernels check nothing themselves. Arrays become float64, an empty shape that of vectors, a missing batch_hessian that of F.
        """
        object.__setattr__(self, "x0", array_of((None,), x0=self.x0))
        object.__setattr__(self, "shape", checked_space(self.name, self.shape, self.d))
        if self.batch_hessian is None:
            object.__setattr__(self, "batch_hessian", lambda x, rows: self.hessian(x))
        object.__setattr__(self, "saddle", array_of((self.d,), saddle=self.saddle))
        check_jitted(value_gradient=self.value_gradient, batch_gradient=self.batch_gradient)
        positive_integer(clients=self.clients)

    def _repr_html_(self) -> str:
        rows = [("d", self.d), *self.constants.items()]
        return html.table(self.name, ("constant", "value"), rows)

    @property
    def d(self) -> int:
        """Dimension of x."""
        return self.x0.shape[0]

    def value_and_gradient(self, x: FloatArray) -> tuple[float, FloatArray]:
        """Return F(x) and its gradient (d,); raise ValueError unless x is finite and has the shape (d,)."""
        point, out = array_of((self.d,), x=x), np.empty(self.d)
        with explain_compile_errors(self.name):
            return float(self.value_gradient(point, self.params, out)), out

    def certify_sosp(self, x: FloatArray, alpha: float) -> Certificate:
        """Check with exact derivatives whether x (d,) is a second-order stationary point within alpha > 0; return a `Certificate`."""
        alpha = to_python_number("alpha", alpha)
        positive(alpha=alpha)
        check_memory(32 * self.d**2, d=self.d)
        point = array_of((self.d,), x=x)
        grad_norm = float(np.linalg.norm(self.value_and_gradient(point)[1]))
        smallest = smallest_eigenvalue(self.hessian(point))
        floor = -float(np.sqrt(self.constants["rho"] * alpha))
        return Certificate(grad_norm, smallest, grad_norm <= alpha and smallest >= floor, grad_norm <= alpha and smallest <= floor)

    def sosp_error(self, x: FloatArray) -> float:
        """Return the least alpha for which x is an alpha-SOSP: max(|grad F|, b^2 / rho), b = min(0, smallest eigenvalue)."""
        seen = self.certify_sosp(x, 1.0)
        return max(seen.grad_norm, min(seen.smallest_eigenvalue, 0.0) ** 2 / self.constants["rho"])


def smallest_eigenvalue(matrix: FloatArray) -> float:
    """Return the smallest eigenvalue of a symmetric matrix (d, d)."""
    return float(eigh(matrix, eigvals_only=True, subset_by_index=[0, 0])[0])


def check_saddle_objective(landscape: object) -> None:
    """Raise ValueError unless the argument is an objective with a saddle."""
    if not isinstance(landscape, SaddleObjective):
        raise ValueError(f"landscape = {short_repr(landscape)}: a loss with a saddle is needed, such as random_phase_cosines(d)")


Draw = Callable[[np.random.Generator, int, int], FloatArray]


@validated
def linear_term_sampler(d: int, *, spread: float, clients: int, heterogeneity: float) -> tuple[Draw, float]:
    """Return a sampler draw(rng, n, client) -> vectors z (n, d) of the linear terms z'x of samples, and the largest |z|.

    The Lipschitz constant of every sample exceeds that of F by at most the largest |z|.
    z = offset of the client + spread times a point uniform on the unit sphere. The offsets are multiples of (1, ..., 1) / sqrt(d), evenly
    spaced from -heterogeneity to heterogeneity, and sum to 0.  Raises ValueError for a negative length or fewer clients than needed.
    """
    positive_integer(d=d, clients=clients)
    check_memory(64 * d, d=d)
    check_memory(32 * clients, clients=clients)
    non_negative(spread=spread, heterogeneity=heterogeneity)
    if heterogeneity > 0 and clients == 1:
        raise ValueError(f"clients = 1: heterogeneity = {heterogeneity!r} needs at least 2 clients, whose shifts sum to 0")
    steps = (2 * np.arange(clients) - (clients - 1)) / max(clients - 1, 1)  # exactly antisymmetric
    shifts = heterogeneity / np.sqrt(d) * steps

    def draw(rng: np.random.Generator, n: int, client: int = 0) -> FloatArray:
        if spread == 0:
            return np.full((n, d), shifts[client])
        z = rng.standard_normal((n, d))
        z *= (spread / np.sqrt(np.einsum("ni,ni->n", z, z)))[:, None]
        z += shifts[client]
        return z

    return draw, float(spread + heterogeneity)
