"""Curvature from gradients alone: Hessians by central differences, their largest eigenvalue, the trace of their absolute value.

The difference D v = (g(x + h v) - g(x - h v)) / 2h is the Hessian times v, averaged over a segment. So, whatever h and the unit vector v,
|D v| is at most the Lipschitz constant of the gradient, and v'D v is at least minus the constant of weak convexity, up to rounding: the
values found are lower bounds of both constants. Likewise |g(x + h v) - 2 g(x) + g(x - h v)| / h^2 is a lower bound of the Lipschitz
constant of the Hessian. The trace has errors of order h^2; where the Hessian jumps within h of a point it is not even a lower bound,
because the rows of `full_hessian` are averages over different segments.
"""

from collections.abc import Callable

import numpy as np
from scipy.linalg import eigh_tridiagonal
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from synthetic.draws import FloatArray

Gradient = Callable[[FloatArray], FloatArray]

STEP = 6e-6  # about the cube root of a float's rounding, times 1 + max |x|: errors of rounding and of the third derivative are alike
WIDE = 1e-3  # the same for second differences, whose rounding is divided by the square
ROUNDS = 8  # of a power iteration
TOLERANCE = 1e-4  # of the largest eigenvalue, which is then replaced by |D v| of its vector
LANCZOS = 40  # steps: the absolute value is integrated exactly where there are no more different eigenvalues


def difference_step(x: FloatArray, share: float = STEP) -> float:
    """Return the step length h of differences at x (d,), share (1 + max |x|)."""
    return float(share * (1 + np.abs(x).max()))


def hessian_vector_product(gradient: Gradient, x: FloatArray, v: FloatArray) -> FloatArray:
    """Return the Hessian times v at x, (d,), by a central difference of the gradient along v (d,)."""
    h = difference_step(x)
    return (gradient(x + h * v) - gradient(x - h * v)) / (2 * h)


def full_hessian(gradient: Gradient, x: FloatArray) -> FloatArray:
    """Return the symmetrised Hessian (d, d) at x (d,), from 2 d gradients."""
    found = np.array([hessian_vector_product(gradient, x, e) for e in np.eye(len(x))])
    return (found + found.T) / 2


def leading_eigenvector(gradient: Gradient, x: FloatArray, start: FloatArray) -> FloatArray:
    """Return a unit eigenvector (d,) of the Hessian at x for its largest |eigenvalue|, nearly, by Lanczos' method from `start`."""
    d = len(x)
    operator = LinearOperator((d, d), matvec=lambda v: hessian_vector_product(gradient, x, np.ravel(v)), dtype=float)
    try:
        vectors = eigsh(operator, k=1, which="LM", v0=start, tol=TOLERANCE)[1]
    except ArpackNoConvergence as error:
        vectors = error.eigenvectors
    v = vectors[:, -1] if vectors.shape[1] else start
    return np.asarray(v / np.linalg.norm(v))


def power_iteration(gradient: Gradient, x: FloatArray, start: FloatArray) -> tuple[float, float]:
    """Return the largest |D v| and the smallest v'D v of a power iteration with the Hessian at x, from start (d,), which is not 0."""
    norm, least, v = 0.0, np.inf, start / np.linalg.norm(start)
    for _ in range(ROUNDS):
        w = hessian_vector_product(gradient, x, v)
        size = float(np.linalg.norm(w))
        norm, least = max(norm, size), min(least, float(v @ w))
        if size == 0.0 or not np.isfinite(size):
            break
        v = w / size
    return norm, least


def third_derivative_norm(gradient: Gradient, x: FloatArray, start: FloatArray) -> float:
    """Return the largest |second difference of the gradient| / h^2 at x over a power iteration with the third derivative."""
    h, middle, found, v = difference_step(x, WIDE), gradient(x), 0.0, start / np.linalg.norm(start)
    for _ in range(ROUNDS):
        w = (gradient(x + h * v) - 2 * middle + gradient(x - h * v)) / h**2
        size = float(np.linalg.norm(w))
        found = max(found, size)
        if size == 0.0 or not np.isfinite(size):
            break
        v = w / size
    return found


def absolute_traces(gradient: Gradient, x: FloatArray, probes: FloatArray) -> tuple[FloatArray, float, float]:
    """Return an estimate of Tr |Hessian| at x for each random probe, (k,), and the least and largest Ritz value.

    probes (k, d) are independent with E v v' = I. Each estimate is v'|H| v up to the error of Gauss quadrature with LANCZOS points; NaN
    where something is not finite. The Ritz values lie within the spectrum of the Hessian. Source: Ubaru, Chen, Saad (2017), SIAM J. Matrix
    Anal. Appl. 38(4), 1075-1099; vectors are made orthogonal twice.
    """
    values, nodes = zip(*(_lanczos_quadrature(gradient, x, one) for one in probes), strict=True)
    all_nodes = np.concatenate(nodes)
    return np.array(values), float(all_nodes.min()), float(all_nodes.max())


def _lanczos_quadrature(gradient: Gradient, x: FloatArray, probe: FloatArray) -> tuple[float, FloatArray]:
    """Return v'|H| v for one probe v (d,) by Lanczos quadrature, and the nodes, which are Ritz values."""
    square = float(probe @ probe)
    basis = [probe / np.sqrt(square)]
    diagonal, beside = list[float](), list[float]()
    for _ in range(min(LANCZOS, len(x))):
        w = hessian_vector_product(gradient, x, basis[-1])
        if not np.all(np.isfinite(w)):
            return np.nan, np.full(1, np.nan)
        size = float(np.linalg.norm(w))
        diagonal.append(float(basis[-1] @ w))
        known = np.array(basis)
        for _ in range(2):
            w -= known.T @ (known @ w)
        beside.append(float(np.linalg.norm(w)))
        if beside[-1] <= 1e-7 * max(size, max(map(abs, diagonal))):  # what is left is the error of differences
            break
        basis.append(w / beside[-1])
    nodes, vectors = eigh_tridiagonal(np.array(diagonal), np.array(beside[:-1]))
    return square * float(vectors[0] ** 2 @ np.abs(nodes)), np.asarray(nodes)


def trace_lower_bound(hessians: list[FloatArray]) -> float:
    """Return a lower bound of Tr H over all H with -H <= A <= H for every one of the symmetric matrices A (d, d).

    q'H q >= |q'A q| for every A and q. So Tr H is at least the sum over an orthonormal basis q_i of max_A |q_i'A q_i|. The bases tried are
    the axes and the eigenvectors of each A, with which the bound is at least Tr |A|.
    """
    bases = [np.eye(len(hessians[0])), *(np.linalg.eigh(one)[1] for one in hessians)]
    return max(float(np.max([np.abs(np.einsum("ij,ij->j", q, a @ q)) for a in hessians], axis=0).sum()) for q in bases)
