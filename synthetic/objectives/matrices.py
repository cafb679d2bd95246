"""Objectives with matrix parameters and their constants, for DP-GRAPE and related methods.

They are called like those of `synthetic.objectives`, with a spectrum, d, n and a seed, and the number of rows m of a matrix by name. d is
the number of all entries, which gives the columns; without m the matrices are as square as possible. The effect of a projection on random
subspaces depends on the shape.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from synthetic.draws import FloatArray, data_generator
from synthetic.losses import matrices as losses
from synthetic.memory import check_memory
from synthetic.objectives.digits import CLASSES, TRAIN, load_images
from synthetic.objectives.space import Space, matrix_space
from synthetic.objectives.sums import Objective, Spectrum, quadratic, spectrum_title, spectrum_values
from synthetic.validate import array_of, positive_integer, seed_integer, validated, validated_strictly


@validated
def layer_shape(d: int, m: int | None = None, layers: int = 1) -> tuple[int, int]:
    """Return the shape (m, k) of each of `layers` equal matrices with d entries in all; without m, as square as possible, m <= k.

    Raises ValueError where there is none.
    """
    positive_integer(d=d, layers=layers)
    if m is None:
        entries = d // layers
        m = next((one for one in range(math.isqrt(entries), 0, -1) if entries % one == 0), 1)
    positive_integer(m=m)
    if d % (m * layers):
        raise ValueError(f"d = {d}: a multiple of m * layers = {m * layers} is needed")
    return m, d // (m * layers)


@validated_strictly
def matrix_quadratic(
    spectrum: Spectrum | FloatArray,
    d: int,
    n: int,
    seed: int,
    *,
    m: int | None = None,
    layers: int = 1,
    columns: Spectrum | FloatArray = "flat",
    x0: FloatArray | None = None,
) -> Objective:
    """Make a quadratic of matrices, sum_l tr(K E_l' H E_l) / 2, where E_l is layer W_l minus its mean over the samples.

    H = diag(spectrum) acts on the m rows of a layer and K = diag(columns) on its columns. F_S is this sum plus a constant.

    Parameters
    ----------
    spectrum
        Eigenvalues of H, by name or as an array (m,), as in `quadratic`.
    d
        Number of entries of all layers, a multiple of m * layers.
    n, seed
        Number of samples, seed of the samples.
    m
        Rows of a layer. By default the layers are as square as possible, and not higher than wide.
    layers
        Number of layers, all of the same shape.
    columns
        Eigenvalues of K, by name or as an array with one number for each column.
    x0
        Start, an array (d,), the layers one after the other, row by row. By default 0.

    Returns
    -------
    Objective
        The objective, with its constants and the shapes of its layers.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    It is the objective `quadratic` with the eigenvalues h_i k_j; a sample has independent N(1, 1) entries. It is not Lipschitz (L = inf). A
    Gaussian projection has the same distribution in every basis of the rows. So it is no restriction that H is diagonal.

    Examples
    --------
    >>> train = lab.matrix_quadratic("inverse", d=32, n=100, seed=0, m=4)
    >>> train.shape.shapes
    ((4, 8),)
    >>> train.constants["ell"], train.constants["L"]
    (1.0, inf)
    """
    m, k = layer_shape(d, m, layers)
    positive_integer(n=n)
    check_memory(8 * (n + 4) * d, n=n, d=d)
    h, across = spectrum_values(spectrum, m), spectrum_values(columns, k, "columns")
    made = quadratic(np.tile(np.outer(h, across).ravel(), layers), d, n, seed, x0)
    name = f"matrix quadratic, {spectrum_title(spectrum)} spectrum, {layers} x ({m}, {k})"
    return replace(made, name=name, shape=matrix_space(*[(m, k)] * layers), constants={**made.constants, "layers": layers})


@validated_strictly
def low_rank(
    spectrum: Spectrum | FloatArray,
    d: int,
    n: int,
    seed: int,
    *,
    m: int | None = None,
    rank: int,
    layers: int = 1,
    x0: FloatArray | None = None,
) -> Objective:
    """Make a quadratic of matrices in which only the first rows have curvature, so that every gradient has a low rank.

    It is `matrix_quadratic` with the eigenvalues of all rows after the first ``rank`` set to 0.

    Parameters
    ----------
    spectrum
        Eigenvalues of the rows, by name or as an array (m,), as in `quadratic`.
    d, n, seed
        Number of entries of all layers, number of samples, seed of the samples.
    m
        Rows of a layer. By default the layers are as square as possible, and not higher than wide.
    rank
        Rows with curvature, at most the smaller side of a layer. No gradient has a higher rank.
    layers
        Number of layers, all of the same shape.
    x0
        Start, an array (d,). By default 0.

    Returns
    -------
    Objective
        The objective, with its constants and the shapes of its layers.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Examples
    --------
    >>> train = lab.low_rank("flat", d=32, n=100, seed=0, m=4, rank=2)
    >>> value, gradient = train.value_and_gradient(train.x0)
    >>> int(np.linalg.matrix_rank(gradient.reshape(4, 8)))
    2
    """
    positive_integer(rank=rank)
    m, k = layer_shape(d, m, layers)
    if rank > min(m, k):
        raise ValueError(f"rank = {rank}: at most {min(m, k)} is needed, the smaller side of a layer")
    h = np.where(np.arange(m) < rank, spectrum_values(spectrum, m), 0.0)
    made = matrix_quadratic(h, d, n, seed, m=m, layers=layers, x0=x0)
    return replace(made, name=made.name.replace("given spectrum", f"{spectrum_title(spectrum)} spectrum, rank {rank}"))


@validated_strictly
def matrix_cosine(
    spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, m: int | None = None, layers: int = 1, x0: FloatArray | None = None
) -> Objective:
    """Make the loss f(W; a, b) = 1 - cos(<a, vec W> - b) of matrices W, where a has length 1 and b = <a, vec W*>.

    The entries of W* are independent N(0, 1). Entries of a in row i are N(0, spectrum_i), independent, before a is scaled to length 1.

    Parameters
    ----------
    spectrum
        Variances by row, by name or as an array (m,), as in `quadratic`.
    d, n, seed
        Number of entries of all layers, number of samples, seed of a and W*.
    m
        Rows of a layer. By default the layers are as square as possible, and not higher than wide.
    layers
        Number of layers, all of the same shape.
    x0
        Start, an array (d,). By default 0.

    Returns
    -------
    Objective
        The objective, with its constants and the shapes of its layers.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    It meets every assumption of the corrected theorem of DP-GRAPE. A sample's gradient is sin(.) a and its Hessian cos(.) a a', so L = 1
    and ell = 1. The smallest value is 0, at W*, and the loss is at most 2, so B = spread = 2. The Hessian of F is at most the mean of a a',
    which has trace 1. Raised to 1 in its first direction it has trace 2 at most, so r = 2.

    Examples
    --------
    >>> train = lab.matrix_cosine("inverse", d=32, n=100, seed=0, m=4)
    >>> [train.constants[name] for name in ("L", "ell", "B", "spread", "r")]
    [1.0, 1.0, 2.0, 2.0, 2.0]
    """
    m, k = layer_shape(d, m, layers)
    positive_integer(n=n)
    seed_integer(seed=seed)
    check_memory(24 * n * (d + 1), n=n, d=d)
    rng = data_generator(seed)
    a = rng.standard_normal((n, d)) * np.tile(np.repeat(np.sqrt(spectrum_values(spectrum, m)), k), layers)
    a /= np.linalg.norm(a, axis=1, keepdims=True)
    target = rng.standard_normal(d)
    data = np.column_stack([a, a @ target])
    start = np.zeros(d) if x0 is None else array_of((d,), x0=x0)
    gap = float(np.mean(1 - np.cos(a @ start - data[:, -1])))
    known = {"n": n, "d": d, "r": 2.0, "L": 1.0, "ell": 1.0, "gap": gap, "B": 2.0, "mu": 0.0, "layers": layers, "spread": 2.0}
    name, shape = f"matrix cosine, {spectrum_title(spectrum)} spectrum, {layers} x ({m}, {k})", matrix_space(*[(m, k)] * layers)
    return Objective(name, data, (0.0,), *losses.COSINE, x0=start, optimum=target, constants=known, shape=shape)


@validated_strictly
def factorisation(
    spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, m: int, rank: int, x0: FloatArray | None = None
) -> Objective:
    """Make a matrix factorisation loss f(U, V; X) = |U V' - X|^2 / 2 (Frobenius norm) with noisy samples X of a fixed matrix.

    A sample is X = A + 0.1 Z. The entries of Z are independent N(0, 1), and the singular values of A are the spectrum.

    Parameters
    ----------
    spectrum
        Singular values of A, by name or as an array (min(m, k),), as in `quadratic`.
    d
        Number of entries of U (m, rank) and V (k, rank): d = (m + k) * rank, which fixes k.
    n, seed
        Number of samples, seed of the samples.
    m, rank
        Rows of U, and columns of U and V; m and k are at least the rank.
    x0
        Start, an array (d,), U before V, each row by row. By default 0.

    Returns
    -------
    Objective
        The objective; its ``optimum`` is a minimiser of F_S.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name, such as a d that does not fit.

    Notes
    -----
    The start 0 is a saddle: every sample's gradient is 0 there, so only noise leaves it. The smallest eigenvalue of the Hessian there is
    -s_1, where s are the singular values of the mean of the samples. The minimum is that of the best approximation of the mean by a matrix
    of this rank (Eckart and Young). The loss is neither Lipschitz nor smooth (L = ell = inf).

    Examples
    --------
    >>> train = lab.factorisation("inverse", d=14, n=100, seed=0, m=4, rank=2)
    >>> train.shape.shapes
    ((4, 2), (3, 2))
    >>> value, gradient = train.value_and_gradient(train.x0)
    >>> float(abs(gradient).max())
    0.0
    """
    positive_integer(d=d, n=n, m=m, rank=rank)
    seed_integer(seed=seed)
    k = d // rank - m
    if d % rank or rank > min(m, k):
        raise ValueError(f"d = {d}: d = (m + k) rank = ({m} + k) {rank} is needed, with m and an integer k of at least rank = {rank}")
    check_memory(24 * n * m * k, n=n, m=m, k=k)
    A = np.zeros((m, k))
    np.fill_diagonal(A, spectrum_values(spectrum, min(m, k)))
    data = A.ravel() + 0.1 * data_generator(seed).standard_normal((n, m * k))
    mean = data.mean(axis=0)
    spread = float(np.mean(np.sum((data - mean) ** 2, axis=1))) / 2
    left, s, right = np.linalg.svd(mean.reshape(m, k), full_matrices=False)
    best = np.concatenate([(left[:, :rank] * np.sqrt(s[:rank])).ravel(), (right[:rank].T * np.sqrt(s[:rank])).ravel()])
    start, params = np.zeros(d) if x0 is None else array_of((d,), x0=x0), (mean.reshape(m, k), rank, spread)
    gap = float(losses.product_mean_value_gradient(start, data, params, np.empty(d))) - float(np.sum(s[rank:] ** 2)) / 2 - spread
    known = {"n": n, "d": d, "L": np.inf, "ell": np.inf, "gap": gap, "B": np.inf, "mu": 0.0, "layers": 2}
    name, shape = f"factorisation, {spectrum_title(spectrum)} spectrum, ({m}, {rank}) and ({k}, {rank})", matrix_space((m, rank), (k, rank))
    return Objective(name, data, params, *losses.PRODUCT, x0=start, optimum=best, constants=known, shape=shape)


@validated_strictly
def matrix_phase_retrieval(
    spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, *, m: int | None = None, x0: FloatArray | None = None
) -> Objective:
    """Make a phase retrieval loss f(X; a, y) = (|X'a|^2 - y)^2 / 4 of a matrix X, where y = |X*'a|^2.

    The vectors a are N(0, diag(spectrum)). The entries of X* (m, k) are independent N(0, 1/m).

    Parameters
    ----------
    spectrum
        Variances of the entries of a, by name or as an array (m,), as in `quadratic`.
    d, n, seed
        Number of entries m k of X, number of samples, seed of a and X*.
    m
        Rows of X. By default X is as square as possible, and not higher than wide.
    x0
        Start, an array (d,), X row by row. By default 0.

    Returns
    -------
    Objective
        The objective; its ``optimum`` is X*, where F_S = 0.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    A sample's gradient has rank 1. At the start X = 0 all gradients are 0, and no direction has positive curvature. The loss is neither
    Lipschitz nor smooth (L = ell = inf).

    Examples
    --------
    >>> train = lab.matrix_phase_retrieval("flat", d=32, n=100, seed=0, m=4)
    >>> train.value_and_gradient(train.optimum)[0] < 1e-20
    True
    """
    m, k = layer_shape(d, m)
    positive_integer(n=n)
    seed_integer(seed=seed)
    check_memory(24 * n * m, n=n, m=m)
    rng = data_generator(seed)
    a = rng.standard_normal((n, m)) * np.sqrt(spectrum_values(spectrum, m))
    target = rng.standard_normal((m, k)) / np.sqrt(m)
    data = np.column_stack([a, np.sum((a @ target) ** 2, axis=1)])
    start = np.zeros(d) if x0 is None else array_of((d,), x0=x0)
    gap = float(losses.phase_retrieval_value_gradient(start, data, (0.0,), np.empty(d)))
    known = {"n": n, "d": d, "L": np.inf, "ell": np.inf, "gap": gap, "B": np.inf, "mu": 0.0, "layers": 1}
    name, shape = f"matrix phase retrieval, {spectrum_title(spectrum)} spectrum, ({m}, {k})", matrix_space((m, k))
    return Objective(name, data, (0.0,), *losses.PHASE, x0=start, optimum=target.ravel(), constants=known, shape=shape)


@dataclass(frozen=True)
class DigitsNetwork:
    """Training and test loss of a network on the handwritten digits, as two objectives with the same start."""

    train: Objective
    test: Objective

    def accuracy(self, x: FloatArray, rows: FloatArray | None = None) -> float:
        """Return the share of rows (n, 65), by default the test set, that the network with parameters x (d,) classifies correctly."""
        W, b, V, c = self.train.shape.parts(array_of((self.train.d,), x=x))
        rows = self.test.data if rows is None else rows
        return float(np.mean((np.tanh(rows[:, :-1] @ W.T + b) @ V.T + c).argmax(axis=1) == rows[:, -1]))


@validated_strictly
def digits_network(*, hidden: int = 32, n: int = TRAIN, seed: int = 0) -> DigitsNetwork:
    """Make the cross-entropy loss -log softmax(V tanh(W a + b) + c)_y of a network with one hidden layer on the digits.

    a are the 64 pixels scaled to 0..1; W (hidden, 64) and V (10, hidden) are matrices, b and c biases.
    The last 397 images are the test set; n of the others, in an order drawn from the seed, the training set. The start, entries of W and V
    independent N(0, 1/64) and N(0, 1/hidden), is drawn from it too. Neither constants nor the minimiser are known in closed form: gap is F
    at the start, an upper bound because F^* >= 0, and `optimum` is the start.
    """
    positive_integer(hidden=hidden, n=n)
    seed_integer(seed=seed)
    if n > TRAIN:
        raise ValueError(f"n = {n}: at most {TRAIN} is needed, the number of training images")
    check_memory(40 * hidden * (64 + CLASSES), hidden=hidden)
    pixels, classes = load_images()
    rows, rng = np.column_stack([pixels / 16, classes]), data_generator(seed)
    train = rows[rng.permutation(TRAIN)[:n]]
    W, V = rng.standard_normal((hidden, 64)) / 8, rng.standard_normal((CLASSES, hidden)) / np.sqrt(hidden)
    shape = Space(((hidden, 64), (hidden,), (CLASSES, hidden), (CLASSES,)))
    start = shape.flat([W, np.zeros(hidden), V, np.zeros(CLASSES)])

    def make(data: FloatArray, words: str) -> Objective:
        """Return the mean loss over data (n, 65) as an objective."""
        gap = float(losses.network_value_gradient(start, data, (hidden, CLASSES), np.empty(len(start))))
        known = {"n": len(data), "d": len(start), "L": np.inf, "ell": np.inf, "gap": gap, "B": np.inf, "mu": 0.0, "layers": 2}
        name, params = f"digits network, {hidden} hidden units, {words}", (hidden, CLASSES)
        return Objective(name, data, params, *losses.NETWORK, x0=start, optimum=start, constants=known, shape=shape)

    return DigitsNetwork(make(train, f"{n} images"), make(rows[TRAIN:], "test"))
