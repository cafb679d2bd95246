"""Objectives with saddles whose coordinates interact: the octopus, matrix factorisation and phase retrieval."""

import numpy as np

from synthetic.draws import FloatArray
from synthetic.losses import saddles as losses
from synthetic.memory import check_memory
from synthetic.objectives.saddles import SaddleObjective, linear_term_sampler
from synthetic.objectives.space import matrix_space
from synthetic.validate import array_of, positive, positive_integer, validated_strictly

CELLS = 256  # per side of [0, 1]^2: the bounds of `octopus_bounds` are then at most 4 % above the largest values (a test says so)
ANGLES = 32


@validated_strictly
def octopus(
    d: int, *, L: float = 1.0, gamma: float = 0.5, tau: float = 1.0, spread: float = 0.0, clients: int = 1, heterogeneity: float = 0.0
) -> SaddleObjective:
    """Make the octopus function of Du et al., a chain of saddles: each arm begins where the one before it ends.

    F(x) = sum_i (1 - w_i) L x_i^2 + w_i psi(|x_i|), where w_1 = 1 and w_i = w(|x_(i-1)|). A sample is f(x; z) = F(x) + z'x.

    Parameters
    ----------
    d
        Dimension of x and number of arms, at least 2.
    L
        Half the second derivative across an arm, above 0. It is not the Lipschitz constant, which is ``constants["L"]``.
    gamma
        Half the curvature at the saddles, above 0.
    tau
        Unit of length, above 0.
    spread, clients, heterogeneity
        The random part and the clients of the samples, as in `slope`.

    Returns
    -------
    SaddleObjective
        The objective, with its samples, first saddle, start and constants.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name, and for d < 2.

    Notes
    -----
    psi(t) = -gamma t^2 up to tau. From 2 tau on it is L (t - 4 tau)^2 - nu with nu = (37 L + 13 gamma) tau^2 / 6. Between, it is the
    quartic with the same value and two derivatives at both ends. w(s) is 0 up to tau and 1 from 2 tau on. Between, it is the quintic whose
    first two derivatives vanish at both ends.

    The tube is the union over i of 2 tau <= |x_j| <= 6 tau for j < i, |x_i| <= 6 tau, |x_j| <= tau for j > i. There it is the function of
    Du et al. Elsewhere it is the lab's continuation, twice continuously differentiable. Everywhere F >= -d nu.

    The saddles (4 tau, ..., 4 tau, 0, ..., 0) have curvature 2 gamma. At the minima every coordinate is 4 tau or -4 tau. The tube has no
    other critical point: in a transition the derivative along the arm, g_1' - w' (L + gamma) x_(i+1)^2, is negative for all L, gamma > 0.

    The constants L, ell and rho hold along every segment in the tube, which is not convex.
    `synthetic.objectives.coupled_saddles.octopus_bounds` has them for the transition.

    Examples
    --------
    >>> problem = lab.octopus(3)
    >>> at = problem.certify_sosp(np.array([4.0, 4.0, 0.0]), alpha=0.001)
    >>> at.grad_norm, at.smallest_eigenvalue
    (0.0, -1.0)
    """
    draw, longest = linear_term_sampler(d, spread=spread, clients=clients, heterogeneity=heterogeneity)
    positive(L=L, gamma=gamma, tau=tau)
    if d < 2:
        raise ValueError(f"d = {d}: at least 2 is needed")
    params = (float(L), float(gamma), float(tau))
    nu = (37 * L + 13 * gamma) / 6 * tau**2
    steep_block, steep_last, ell, rho = octopus_bounds(L, gamma)
    two_arms = max(steep_block**2, (4 * L) ** 2 + steep_last**2, 2 * (4 * L) ** 2)  # the last transition, the last arm's, the end
    x0 = np.r_[0.0, np.full(d - 1, tau / 2)]

    def hessian(x: FloatArray) -> FloatArray:
        h = np.zeros((d, d))
        weight, first, second = 1.0, 0.0, 0.0
        for i in range(d):
            t = abs(float(x[i]))
            value, slope, curvature = losses.octopus_arm(t, params)
            h[i, i] = (1 - weight) * 2 * L + weight * curvature
            if i > 0:
                h[i - 1, i - 1] += second * (value - L * t**2)
                h[i, i - 1] = h[i - 1, i] = first * (slope - 2 * L * t) * np.copysign(1.0, x[i - 1]) * np.copysign(1.0, x[i])
            weight, first, second = losses.octopus_gate(t, tau)
        return h

    known = {"d": d, "L": tau * float(np.sqrt((d - 2) * (4 * L) ** 2 + two_arms)) + longest, "ell": ell, "rho": rho / tau}
    known |= {"U": (d - 1) * L * tau**2 + d * nu, "gap": (d - 1) * L * (tau / 2) ** 2 + d * nu, "curvature": 2 * gamma}
    where = "along every segment in the tube: for some i, 2 tau <= |x_j| <= 6 tau for j < i, |x_i| <= 6 tau, |x_j| <= tau for j > i"
    return SaddleObjective(f"octopus, d = {d}", params, *losses.OCTOPUS, hessian, draw, np.zeros(d), x0, known, clients, where)


def octopus_bounds(L: float, gamma: float) -> tuple[float, float, float, float]:
    """Return upper bounds of the octopus for tau = 1: |gradient| and |g_1'| in the transition, ell and rho in the whole tube.

    With v = |x_i| - 1 and y = |x_(i+1)|, both in [0, 1], and K = L + gamma, the part of F that depends on them is
    q(v, y) = g(v) + (L - K w(v)) y^2, g = -gamma (1 + v)^2 + A v^3 + B v^4; all other second derivatives in the tube are 2 L or -2 gamma.
    The largest value in a cell is at most that at its centre plus half its diagonal times a bound of the next derivative:
    |4th| <= 24 |B| + (360 + 4 * 120 * 3 sqrt(3) / 16 + 6 * (20 / sqrt(3)) / 4) K, for |w''''| <= 360, |w'''| <= 60, |w''| <= 10 / sqrt(3),
    and cos^3 sin <= 3 sqrt(3) / 16, cos^2 sin^2 <= 1/4 along a unit vector. The third derivative along
    (cos, sin) is a trigonometric polynomial of degree 3, so its largest value is at most that at angles `step` apart over
    cos(3 step / 2) (M. Riesz), and a symmetric tensor's norm is its largest value along a unit vector (Banach).
    """
    K, A, B = L + gamma, (10 * gamma - 14 * L) / 3, (5 * L - 3 * gamma) / 2
    centres = (np.arange(CELLS) + 0.5) / CELLS
    v, y = centres[:, None], centres[None, :]
    half = np.sqrt(0.5) / CELLS
    w, w1, w2, w3 = v**3 * (10 - 15 * v + 6 * v**2), 30 * (v * (1 - v)) ** 2, 60 * v * (1 - v) * (1 - 2 * v), 60 * (1 - 6 * v + 6 * v**2)
    arm1, arm2, arm3 = -2 * gamma * (1 + v) + 3 * A * v**2 + 4 * B * v**3, -2 * gamma + 6 * A * v + 12 * B * v**2, 6 * A + 24 * B * v

    fourth = 24 * abs(B) + (360 + 90 * np.sqrt(3) + 10 * np.sqrt(3)) * K
    third = 0.0
    for angle in np.arange(ANGLES) * np.pi / ANGLES:
        cos, sin = np.cos(angle), np.sin(angle)
        form = (arm3 - K * w3 * y**2) * cos**3 - 6 * K * w2 * y * cos**2 * sin - 6 * K * w1 * cos * sin**2
        third = max(third, float(np.abs(form).max()))
    rho = float(third / np.cos(1.5 * np.pi / ANGLES) + half * fourth)
    xx, xy, yy = arm2 - K * w2 * y**2, -2 * K * w1 * y, 2 * (L - K * w)
    ell = max(2.0 * L, 2.0 * gamma, float((np.abs(xx + yy) / 2 + np.hypot((xx - yy) / 2, xy)).max() + half * rho))
    block = float(np.hypot(arm1 - K * w1 * y**2, 2 * (L - K * w) * y).max() + half * ell)
    return block, float(np.abs(arm1).max() + half * ell), ell, rho


@validated_strictly
def matrix_factorisation(
    rows: int,
    rank: int,
    *,
    eigenvalues: FloatArray | None = None,
    Lambda: float | None = None,
    spread: float = 0.0,
    clients: int = 1,
    heterogeneity: float = 0.0,
) -> SaddleObjective:
    """Make a matrix factorisation loss F(X) = |X X' - M|^2 / 4 (Frobenius norm), where M has chosen eigenvalues.

    M = diag(eigenvalues), which stands for every M after a rotation. A sample is f(x; z) = F(X) + z'x, where x holds X row by row.

    Parameters
    ----------
    rows, rank
        Shape of X.
    eigenvalues
        Eigenvalues of M, an array (rows,) of numbers of at least 0, one of them above 0. By default 1, 1/2, ..., 1/rank, 0, ..., 0.
    Lambda
        The constants hold where |X|^2 <= Lambda (spectral norm). At least the largest eigenvalue; by default 1.5 times that.
    spread, clients, heterogeneity
        The random part and the clients of the samples, as in `slope`.

    Returns
    -------
    SaddleObjective
        The objective, with its samples, saddle, start and constants.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    The eigenvalues are sorted here, M_11 first, and k = min(rows, rank). The constants of F are attained. For samples only L is larger, by
    spread + heterogeneity.

    ell = 3 Lambda - (smallest eigenvalue), because F''[V, V] = |X V' + V X'|^2 / 2 + <X X' - M, V V'>. And rho = 6 sqrt(Lambda), because
    F'''[V, V, V] = 6 <X, V V' V>.

    L^2 is the sum of the k largest p_i^2, with p_i = max(2 (M_ii / 3)^(3/2), sqrt(Lambda) (Lambda - M_ii)). With singular values s and left
    vectors u of X, |grad F|^2 is the sum over them of sum_i u_i^2 s^2 (s^2 - M_ii)^2, and s |s^2 - M_ii| <= p_i.

    U = max F - min F. As F is convex in X X', max F = (sum of M_ii^2 + sum over the k smallest of max(0, Lambda^2 - 2 Lambda M_ii)) / 4. By
    Eckart and Young, min F is a quarter of the sum of M_ii^2 without the k largest.

    The saddle has the columns 0, sqrt(M_22) e_2, ..., so it lacks the first eigenvector; for rank 1 it is 0. Its curvature is the largest
    eigenvalue, as at 0. The start is half of it.

    Examples
    --------
    >>> problem = lab.matrix_factorisation(3, 2)
    >>> problem.constants["ell"], problem.constants["curvature"]
    (4.5, 1.0)
    """
    positive_integer(rows=rows, rank=rank)
    check_memory(64 * rows * rank, rows=rows, rank=rank)
    k = min(rows, rank)
    standard = np.where(np.arange(rows) < k, 1.0 / np.arange(1, rows + 1), 0.0)
    M = -np.sort(-(standard if eigenvalues is None else array_of((rows,), eigenvalues=eigenvalues)))
    if M[-1] < 0 or M[0] <= 0:
        raise ValueError(f"eigenvalues from {float(M[-1])!r} to {float(M[0])!r}: numbers of at least 0, one of them above 0, are needed")
    ball = 1.5 * float(M[0]) if Lambda is None else Lambda
    positive(Lambda=ball)
    if ball < M[0]:
        raise ValueError(f"Lambda = {ball!r}: at least the largest eigenvalue {float(M[0])!r} is needed")
    shape = matrix_space((rows, rank))
    d = shape.d
    draw, longest = linear_term_sampler(d, spread=spread, clients=clients, heterogeneity=heterogeneity)
    saddle = np.zeros((rows, rank))
    for i in range(1, k):
        saddle[i, i] = np.sqrt(M[i])
    params = (M, rank, float(M @ M))
    steepest = np.maximum(2 * (M / 3) ** 1.5, np.sqrt(ball) * (ball - M))
    smallest = float(M[k:] @ M[k:]) / 4
    largest = (float(M @ M) + float(np.maximum(ball**2 - 2 * ball * M[rows - k :], 0.0).sum())) / 4

    def hessian(x: FloatArray) -> FloatArray:
        (X,) = shape.parts(x)
        swapped = np.einsum("ae,cb->abce", X, X).reshape(d, d)  # V -> X V' X
        return np.kron(np.eye(rows), X.T @ X) + swapped + np.kron(X @ X.T - np.diag(M), np.eye(rank))

    known = {
        "d": d,
        "L": float(np.linalg.norm(np.sort(steepest)[rows - k :])) + longest,
        "ell": 3 * ball - float(M[-1]),
        "rho": 6 * float(np.sqrt(ball)),
        "U": largest - smallest,
        "gap": (float(M[0]) ** 2 + 9 / 16 * float(M[1:k] @ M[1:k])) / 4,
        "curvature": float(M[0]),
    }
    name, where, at = f"matrix factorisation, {rows} x {rank}", f"largest singular value of X at most sqrt({ball:g})", saddle.reshape(d)
    return SaddleObjective(name, params, *losses.MATRIX, hessian, draw, at, at / 2, known, clients, where, shape=shape)


@validated_strictly
def phase_retrieval(d: int, *, reach: float = 1.5) -> SaddleObjective:
    """Make a phase retrieval loss f(x; a) = ((a'x)^2 - a_1^2)^2 / 4, where a is uniform on the sphere of radius sqrt(d).

    The solution is e_1 or -e_1, which stands for any unit vector after a rotation.

    Parameters
    ----------
    d
        Dimension of x, at least 2.
    reach
        The constants hold where |x| <= reach; at least 1, so that the minima are there.

    Returns
    -------
    SaddleObjective
        The objective, with its samples, saddle, start and constants.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name: d < 2 or reach < 1.

    Notes
    -----
    With c = d / (d + 2), E (a'x)^2 (a'y)^2 = c (|x|^2 |y|^2 + 2 (x'y)^2). So F = c (3/4 |x|^4 - |x|^2 / 2 - x_1^2 + 3/4), which is c times
    the objective of Gaussian a, whose samples have no constants.

    The constants are those of samples, and attained. The Hessian of a sample is (3 (a'x)^2 - a_1^2) a a', so L = d^2 reach^3 (at x_1 = 0
    along a), ell = 3 d^2 reach^2 and rho = 6 d^2 reach. U = c (3/4 reach^4 - reach^2 / 2 + 3/4).

    F itself has the Hessian c ((3 |x|^2 - 1) I + 6 x x' - 2 e_1 e_1'), so for it ell = c (9 reach^2 - 1) and rho = 18 c reach suffice. The
    saddle e_2 / sqrt(3) has curvature 2 c, and the start is e_2. At 0 the curvature is 3 c.

    Examples
    --------
    >>> problem = lab.phase_retrieval(3)
    >>> problem.value_and_gradient(np.array([1.0, 0.0, 0.0]))[0]
    0.0
    >>> problem.constants["curvature"]
    1.2
    """
    positive_integer(d=d)
    check_memory(64 * d, d=d)
    positive(reach=reach)
    if d < 2:
        raise ValueError(f"d = {d}: at least 2 is needed, else there is no saddle")
    if reach < 1:
        raise ValueError(f"reach = {reach!r}: at least 1 is needed, the norm of the minima")
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

    known = {"d": d, "L": d**2 * reach**3, "ell": 3 * d**2 * reach**2, "rho": 6 * d**2 * reach}
    known |= {"U": c * (0.75 * reach**4 - reach**2 / 2 + 0.75), "gap": c, "curvature": 2 * c}
    name, functions, saddle = f"phase retrieval, d = {d}", (*losses.PHASE, hessian, draw), x0 / np.sqrt(3)
    return SaddleObjective(name, (float(c),), *functions, saddle, x0, known, where=f"|x| <= {reach:g}", batch_hessian=batch_hessian)
