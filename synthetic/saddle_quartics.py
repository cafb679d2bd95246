"""Losses of degree 4 with saddles: matrix factorisation and phase retrieval, with constants on a ball."""

from __future__ import annotations

import numpy as np

from synthetic.draws import FloatArray
from synthetic.kernels import saddle_losses as losses
from synthetic.memory import room_for
from synthetic.saddles import Landscape
from synthetic.tilts import tilts
from synthetic.validate import array_of, positive, positive_integer, strict_door


@strict_door
def matrix_factorisation(
    rows: int,
    rank: int,
    *,
    eigenvalues: FloatArray | None = None,
    Lambda: float | None = None,
    spread: float = 0.0,
    clients: int = 1,
    heterogeneity: float = 0.0,
) -> Landscape:
    """Return F(X) = |X X' - M|_F^2 / 4, X (rows, rank), x its rows one after the other, M = diag(eigenvalues): any M, after a rotation.

    `eigenvalues` (rows,) are non-negative, sorted here, by default 1, 1/2, ..., 1/rank, 0, ..., 0. The constants hold on
    |X|^2 <= Lambda (spectral norm; by default 1.5 times the largest eigenvalue, and no less than it) and are attained; k = min(rows, rank):
    ell = 3 Lambda - smallest eigenvalue, because F''[V, V] = |X V' + V X'|^2 / 2 + <X X' - M, V V'>;
    rho = 6 sqrt(Lambda), because F'''[V, V, V] = 6 <X, V V' V>;
    L^2 = sum of the k largest p_i^2, p_i = max(2 (M_ii / 3)^(3/2), sqrt(Lambda) (Lambda - M_ii)), because |grad F|^2 = sum over
    singular values s and left vectors u of X of sum_i u_i^2 s^2 (s^2 - M_ii)^2, and s |s^2 - M_ii| <= p_i;
    U = max F - min F, max F = (sum of M_ii^2 + sum over the k smallest of max(0, Lambda^2 - 2 Lambda M_ii)) / 4, as F is convex in
    X X', and min F = a quarter of the sum of M_ii^2 but the k largest (Eckart and Young).
    `saddle` has the columns 0, sqrt(M_22) e_2, ..., so it lacks the first eigenvector (for rank 1 it is 0); its curvature is the
    largest eigenvalue, as at 0; `x0` is half of it.  Samples as in `synthetic.tilts`.
    Raises ValueError for negative or no positive eigenvalues, or Lambda below the largest.
    """
    positive_integer(rows=rows, rank=rank)
    room_for(64 * rows * rank, rows=rows, rank=rank)
    k = min(rows, rank)
    standard = np.where(np.arange(rows) < k, 1.0 / np.arange(1, rows + 1), 0.0)
    M = -np.sort(-(standard if eigenvalues is None else array_of((rows,), eigenvalues=eigenvalues)))
    if M[-1] < 0 or M[0] <= 0:
        raise ValueError(f"eigenvalues from {float(M[-1])!r} to {float(M[0])!r}: none below 0 and one above 0 are needed")
    ball = 1.5 * float(M[0]) if Lambda is None else Lambda
    positive(Lambda=ball)
    if ball < M[0]:
        raise ValueError(f"Lambda = {ball!r}: at least the largest eigenvalue {float(M[0])!r} is needed")
    d = rows * rank
    draw, longest = tilts(d, spread=spread, clients=clients, heterogeneity=heterogeneity)
    saddle = np.zeros((rows, rank))
    for i in range(1, k):
        saddle[i, i] = np.sqrt(M[i])
    params = (M, rank, float(M @ M))
    steepest = np.maximum(2 * (M / 3) ** 1.5, np.sqrt(ball) * (ball - M))
    smallest = float(M[k:] @ M[k:]) / 4
    largest = (float(M @ M) + float(np.maximum(ball**2 - 2 * ball * M[rows - k :], 0.0).sum())) / 4

    def hessian(x: FloatArray) -> FloatArray:
        X = x.reshape(rows, rank)
        turn = np.einsum("ae,cb->abce", X, X).reshape(d, d)  # V -> X V' X
        return np.kron(np.eye(rows), X.T @ X) + turn + np.kron(X @ X.T - np.diag(M), np.eye(rank))

    return Landscape(
        name=f"matrix factorisation, {rows} x {rank}",
        params=params,
        value_gradient=losses.matrix_value_gradient,
        batch_gradient=losses.matrix_batch_gradient,
        hessian=hessian,
        batch_hessian=lambda x, z: hessian(x),
        draw=draw,
        saddle=saddle.reshape(d),
        x0=saddle.reshape(d) / 2,
        constants={
            "d": d,
            "L": float(np.linalg.norm(np.sort(steepest)[rows - k :])) + longest,
            "ell": 3 * ball - float(M[-1]),
            "rho": 6 * float(np.sqrt(ball)),
            "U": largest - smallest,
            "gap": (float(M[0]) ** 2 + 9 / 16 * float(M[1:k] @ M[1:k])) / 4,
            "curvature": float(M[0]),
        },
        clients=clients,
        where=f"largest singular value of X at most sqrt({ball:g})",
    )


@strict_door
def phase_retrieval(d: int, *, reach: float = 1.5) -> Landscape:
    """Return f(x; a) = ((a.x)^2 - a_1^2)^2 / 4, a uniform on the sphere of radius sqrt(d): x* = e_1, as any unit vector after a rotation.

    E (a.x)^2 (a.y)^2 = c (|x|^2 |y|^2 + 2 (x.y)^2) with c = d / (d + 2), so F = c (3/4 |x|^4 - |x|^2 / 2 - x_1^2 + 3/4): c times the one
    of Gaussian a, whose samples have no constants. On |x| <= reach, reach >= 1 (which holds the minima +-e_1), per sample and attained:
    L = d^2 reach^3 (at x_1 = 0 along a), ell = 3 d^2 reach^2, rho = 6 d^2 reach, since the Hessian is (3 (a.x)^2 - a_1^2) a a';
    U = c (3/4 reach^4 - reach^2 / 2 + 3/4). F itself has the Hessian c ((3 |x|^2 - 1) I + 6 x x' - 2 e_1 e_1'), so only ell =
    c (9 reach^2 - 1) and rho = 18 c reach. `saddle`: e_2 / sqrt(3), of curvature 2 c; `x0` = e_2; at 0 the curvature is 3 c.
    Raises ValueError for d < 2 or reach < 1.
    """
    positive_integer(d=d)
    room_for(64 * d, d=d)
    positive(reach=reach)
    if d < 2:
        raise ValueError(f"d = {d}: at least 2 is needed, so that a saddle exists")
    if reach < 1:
        raise ValueError(f"reach = {reach!r}: at least 1 is needed, where the minima lie")
    c = d / (d + 2)
    x0 = np.eye(d)[1]

    def hessian(x: FloatArray) -> FloatArray:
        h = c * ((3 * float(x @ x) - 1) * np.eye(d) + 6 * np.outer(x, x))
        h[0, 0] -= 2 * c
        return h

    def batch_hessian(x: FloatArray, rows: FloatArray) -> FloatArray:
        return (rows * (3 * (rows @ x) ** 2 - rows[:, 0] ** 2)[:, None]).T @ rows / len(rows)

    def draw(rng: np.random.Generator, n: int, client: int = 0) -> FloatArray:
        a = rng.standard_normal((n, d))
        a *= np.sqrt(d / np.einsum("ni,ni->n", a, a))[:, None]
        return a

    return Landscape(
        name=f"phase retrieval, d = {d}",
        params=(float(c),),
        value_gradient=losses.phase_value_gradient,
        batch_gradient=losses.phase_batch_gradient,
        hessian=hessian,
        batch_hessian=batch_hessian,
        draw=draw,
        saddle=x0 / np.sqrt(3),
        x0=x0,
        constants={
            "d": d,
            "L": d**2 * reach**3,
            "ell": 3 * d**2 * reach**2,
            "rho": 6 * d**2 * reach,
            "U": c * (0.75 * reach**4 - reach**2 / 2 + 0.75),
            "gap": c,
            "curvature": 2 * c,
        },
        where=f"|x| <= {reach:g}",
    )
