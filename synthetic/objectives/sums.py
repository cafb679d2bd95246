"""Finite-sum objectives with their constants: F_S(x) = (1/n) sum_i f(x; xi_i).

An objective is what the kernels need (jitted per-sample loss and gradient, their data and parameters) and what a theorem needs
(its constants in closed form, ``inf`` where there is none). Jitted functions get every constant through ``params``, so a new d
or a new spectrum does not recompile a kernel.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from synthetic import html
from synthetic.compiled import check_jitted, explain_compile_errors
from synthetic.draws import FloatArray, data_generator
from synthetic.losses import sums as losses
from synthetic.losses.python import Arguments, params_of_replicate
from synthetic.memory import check_memory
from synthetic.objectives.python_functions import PythonFunctions
from synthetic.objectives.space import Runnable, Space, checked_space
from synthetic.spectra import EXPONENTS, named_eigenvalues
from synthetic.validate import array_of, positive_integer, seed_integer, validated_strictly

if TYPE_CHECKING:
    from synthetic.runs.simulate import Run  # noqa: F401  # the class names it as a string

Spectrum = Literal["flat", "inverse_sqrt", "inverse"] | str  # or power:P
SPECTRA: tuple[Spectrum, ...] = tuple(EXPONENTS)  # those of DPZero's Figure 1
OURS = "synthetic.losses.sums"
ITERATIONS = 500  # at most, of the search for the minimiser of pseudo_huber
ROWS = 512  # rows of data squared at a time: the squares of all would be a second copy of the data


@dataclass(frozen=True, eq=False)
class Objective(Runnable["Run"]):
    """A finite sum F_S(x) = (1/n) sum_i f(x; xi_i): data, jitted functions, start, minimiser and constants.

    data (n, p)         one sample a row;   params   what the jitted functions receive besides x and the data
    loss                f(x, row, params) -> float;   gradient   g(x, row, params, out) fills out (d,) with the gradient of f(.; row)
    value_gradient      F(x, data, params, out) -> F_S(x), and out (d,) = its gradient
    x0, optimum (d,)    the start, and the minimiser of F_S;   eigenvalues (d,)   of the Hessian of a quadratic, else None
    constants           glossary name -> value: n d r L ell gap B mu ...;   shape   of the arrays that x holds; by default x is a vector
    part                part(x, kept) -> data and params of the same functions on x[kept] (k,), the others fixed as in x. It exists only
                        where the gradient in kept coordinates does not depend on the others, and vice versa; None elsewhere
    python              the Python functions that the jitted ones call; None where nothing but compiled code runs
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
    shape: Space = field(default=Space(), repr=False)
    part: Callable[[FloatArray, NDArray[np.int64]], tuple[FloatArray, tuple[Any, ...]]] | None = field(default=None, repr=False)
    python: PythonFunctions | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"Objective(name={self.name!r}, constants={self.constants!r}{f', python={self.python.remark!r}' if self.python else ''})"

    def __post_init__(self) -> None:
        """Raise ValueError unless data is finite (n, p), x0, optimum and eigenvalues (d,), shape fits d and the functions are jitted.

        Kernels check nothing themselves. The arrays become float64; an empty shape becomes that of vectors.
        """
        object.__setattr__(self, "x0", array_of((None,), x0=self.x0))
        object.__setattr__(self, "shape", checked_space(self.name, self.shape, self.d))
        object.__setattr__(self, "data", array_of((None, None), data=self.data))
        object.__setattr__(self, "optimum", array_of((self.d,), optimum=self.optimum))
        if self.eigenvalues is not None:
            object.__setattr__(self, "eigenvalues", array_of((self.d,), eigenvalues=self.eigenvalues))
        check_jitted(loss=self.loss, gradient=self.gradient, value_gradient=self.value_gradient)
        if self.loss.__module__ == OURS:  # whose rows and vectors are as long as x
            array_of((None, self.d), data=self.data)
            for one in self.params:
                if isinstance(one, np.ndarray):
                    array_of((self.d,), params=one)

    def _repr_html_(self) -> str:
        rows = [("n", self.n), ("d", self.d), *self.constants.items(), *([("computed", self.python.remark)] if self.python else [])]
        return html.table(self.name, ("constant", "value"), rows)

    @property
    def n(self) -> int:
        """Number of samples."""
        return self.data.shape[0]

    @property
    def d(self) -> int:
        """Dimension of x."""
        return self.x0.shape[0]

    def for_replicate(self, stopped: NDArray[np.int64]) -> "Objective":
        """Return the objective for one thread; one of Python functions gets a cache of its own, and ends when stopped (1,) is set to 1."""
        return replace(self, params=params_of_replicate(cast(Arguments, self.params), stopped)) if self.python else self

    def value_and_gradient(self, x: FloatArray) -> tuple[float, FloatArray]:
        """Return F_S(x) and its gradient (d,); raise ValueError unless x is finite and has the shape (d,)."""
        point, out = array_of((self.d,), x=x), np.empty(self.d)
        with explain_compile_errors(self.name):
            return float(self.value_gradient(point, self.data, self.params, out)), out


@validated_strictly
def spectrum_values(spectrum: Spectrum | FloatArray, d: int, name: str = "spectrum") -> FloatArray:
    """Return the eigenvalues (d,): those of a name, DPZero, Section 5; i^-P of "power:P"; or the given non-negative array."""
    positive_integer(d=d)
    check_memory(32 * d, d=d)
    if isinstance(spectrum, str):
        return named_eigenvalues(spectrum, d, name)
    a = array_of((d,), **{name: spectrum})
    if np.any(a < 0) or not np.any(a > 0):
        raise ValueError(f"{name}: eigenvalues of at least 0, one of them above 0, are needed")
    return a


@validated_strictly
def quadratic(spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, x0: FloatArray | None = None) -> Objective:
    """Make a quadratic f(x; x_i) = (x - x_i)' A (x - x_i) / 2 with a diagonal A of a chosen spectrum.

    The samples x_i have independent N(1, 1) coordinates. The mean loss F_S is a quadratic around the mean of the samples.

    Parameters
    ----------
    spectrum
        Eigenvalues of A: "flat" (all 1), "inverse_sqrt" (1/sqrt(i)), "inverse" (1/i), "power:P" (i^-P, P from 0 to 8), or an array (d,) of
        numbers of at least 0, at least one of them above 0.
    d
        Dimension of x.
    n
        Number of samples.
    seed
        Seed of the samples, an integer of at least 0.
    x0
        Start, an array (d,). By default 0.

    Returns
    -------
    Objective
        The objective: data, start, minimiser, eigenvalues and ``constants``, which `recommend` takes.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name, and where the data do not fit into memory.

    Notes
    -----
    The synthetic problem of DPZero, Section 5 and Appendix B.1. The constants are ell, the largest eigenvalue; mu, the smallest;
    r = Tr(A) / ell; and gap = F_S(x0) - min F_S. The loss is neither Lipschitz (L = inf) nor bounded (B = inf), so no theorem of that paper
    applies to it as it stands.

    Examples
    --------
    >>> train = lab.quadratic("inverse", d=20, n=100, seed=0)
    >>> train.constants["ell"], train.constants["mu"], train.constants["L"]
    (1.0, 0.05, inf)
    >>> value, gradient = train.value_and_gradient(train.optimum)
    >>> bool(np.allclose(gradient, 0))
    True
    """
    positive_integer(d=d, n=n)
    seed_integer(seed=seed)
    check_memory(8 * (n + ROWS) * d, n=n, d=d)
    a = spectrum_values(spectrum, d)
    start = np.zeros(d) if x0 is None else array_of((d,), x0=x0)
    data = data_generator(seed).standard_normal((n, d))
    data += 1.0
    mean = data.mean(axis=0)
    blocks = np.split(data, range(ROWS, n, ROWS))
    ell, gap = float(a.max()), float(a @ (start - mean) ** 2) / 2
    spread = float(a @ sum(((rows - mean) ** 2).sum(axis=0) for rows in blocks)) / (2 * n)
    name = f"quadratic, {spectrum_title(spectrum)} spectrum, d = {d}"
    known = {"n": n, "d": d, "r": float(a.sum() / ell), "L": np.inf, "ell": ell, "gap": gap, "B": np.inf, "mu": float(a.min())}

    def part(x: FloatArray, kept: NDArray[np.int64]) -> tuple[FloatArray, tuple[Any, ...]]:
        frozen = np.delete(a * (x - mean) ** 2, kept).sum() / 2
        return data.take(kept, axis=1), (a[kept], mean[kept], spread + float(frozen))

    given: dict[str, Any] = {"x0": start, "optimum": mean, "constants": known, "eigenvalues": a, "part": part}
    return Objective(name, data, (a, mean, spread), *losses.QUADRATIC, **given)


@validated_strictly
def pseudo_huber(spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, x0: FloatArray | None = None) -> Objective:
    """Make a pseudo-Huber loss f(x; x_i) = sqrt(1 + (x - x_i)' A (x - x_i)), where A is diagonal with largest eigenvalue 1.

    The samples x_i have independent N(1, 1) coordinates. Every sample's loss is Lipschitz, with L = 1.

    Parameters
    ----------
    spectrum
        Eigenvalues of A, by name or as an array (d,), as in `quadratic`. They are divided by the largest.
    d, n, seed
        Dimension of x, number of samples, seed of the samples.
    x0
        Start, an array (d,). By default 0.

    Returns
    -------
    Objective
        The objective, with its constants.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name, and where the data do not fit into memory.

    Notes
    -----
    Let v = x - x_i and q = v' A v. A sample's squared gradient norm is v' A^2 v / (1 + q) < 1, so L = 1. Its Hessian is A / sqrt(1 + q)
    minus the rank-one matrix A v v' A / (1 + q)^(3/2). It lies between 0 and A, so ell = 1 and r = Tr(A). No bound B of the loss exists (B
    = inf).

    The minimiser is a weighted mean of the samples and lies in their box. With that, ``constants["gap"]`` is a certified upper bound of
    F_S(x0) - min F_S.

    Examples
    --------
    >>> train = lab.pseudo_huber("inverse", d=20, n=100, seed=0)
    >>> train.constants["L"], train.constants["ell"], train.constants["B"]
    (1.0, 1.0, inf)
    """
    a, start, data = _common_inputs(spectrum, d, n, seed, x0)
    data += 1.0
    x = data.mean(axis=0)
    for _ in range(ITERATIONS):  # weighted means of the samples decrease F_S (Weiszfeld); each is a better start for the certificate
        weights = 1.0 / np.sqrt(1.0 + ((x - data) ** 2) @ a)
        previous, x = x, weights @ data / weights.sum()
        if np.max(np.abs(x - previous)) <= 1e-13 * (1 + np.max(np.abs(x))):
            break
    gradient = np.empty(d)
    value = float(losses.pseudo_huber_value_gradient(x, data, (a,), gradient))
    furthest = np.maximum(data.max(axis=0) - x, x - data.min(axis=0))
    smallest = value - float(np.abs(gradient) @ furthest)  # F_S(y) >= F_S(x) + gradient'(y - x) for every y in the box
    gap = float(losses.pseudo_huber_value_gradient(start, data, (a,), gradient)) - smallest
    name = f"pseudo-Huber, {spectrum_title(spectrum)} spectrum, d = {d}"
    known = {"n": n, "d": d, "r": float(a.sum()), "L": 1.0, "ell": 1.0, "gap": gap, "B": np.inf, "mu": 0.0}
    return Objective(name, data, (a,), *losses.PSEUDO_HUBER, x0=start, optimum=x, constants=known)


@validated_strictly
def cosine(spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, x0: FloatArray | None = None) -> Objective:
    """Make a sum of cosines f(x; x_i) = sum_j h_j (1 - cos(x_j - x_ij)), where h is the spectrum with largest value 1.

    The samples x_i have independent N(1, 1) coordinates. The loss is Lipschitz, smooth and bounded, and not convex.

    Parameters
    ----------
    spectrum
        The numbers h_j, by name or as an array (d,), as in `quadratic`. They are divided by the largest.
    d, n, seed
        Dimension of x, number of samples, seed of the samples.
    x0
        Start, an array (d,). By default 0.

    Returns
    -------
    Objective
        The objective, with its constants, all of which are finite.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name, and where the data do not fit into memory.

    Notes
    -----
    A sample's gradient has the entries h_j sin(x_j - x_ij), so L = |h|. Its Hessian is diag(h_j cos(x_j - x_ij)), so ell = 1 and r =
    sum(h).

    Let R_j exp(i theta_j) be the mean of exp(i x_ij) over the samples. Then F_S = sum_j h_j (1 - R_j cos(x_j - theta_j)). Its minimum,
    sum_j h_j (1 - R_j), is at theta, and 0 <= F_S <= sum_j h_j (1 + R_j) = B.

    Examples
    --------
    >>> train = lab.cosine("flat", d=4, n=100, seed=0)
    >>> train.constants["L"], train.constants["r"]
    (2.0, 4.0)
    """
    h, start, data = _common_inputs(spectrum, d, n, seed, x0)
    data += 1.0
    mean = np.exp(1j * data).mean(axis=0)
    R, theta = np.abs(mean), np.angle(mean)
    gap, largest = float(h @ (R * (1.0 - np.cos(start - theta)))), float(h @ (1.0 + R))
    name = f"cosine, {spectrum_title(spectrum)} spectrum, d = {d}"
    known = {"n": n, "d": d, "r": float(h.sum()), "L": float(np.sqrt(h @ h)), "ell": 1.0, "gap": gap, "B": largest, "mu": 0.0}
    return Objective(name, data, (h, R, theta), *losses.COSINE, x0=start, optimum=theta, constants=known)


@validated_strictly
def logistic(spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, x0: FloatArray | None = None) -> Objective:
    """Make a logistic loss f(x; row) = log(1 + exp(-row'x)), where every row has length 1.

    A row is a label, 1 or -1, times the features of a sample. Feature j is sqrt(a_j / Tr A) with a random sign; a is the spectrum.

    Parameters
    ----------
    spectrum
        The numbers a_j, by name or as an array (d,), as in `quadratic`.
    d, n, seed
        Dimension of x, number of samples, seed of features and labels.
    x0
        Start, an array (d,). By default 0.

    Returns
    -------
    Objective
        The objective, with its constants.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name, and where the data do not fit into memory.

    Notes
    -----
    A label is 1 with probability 1 / (1 + exp(-features'w)), where w = (1, ..., 1). A sample's gradient is shorter than its row, so L = 1.
    Its Hessian is at most row row' / 4, so ell = 1/4.

    The Hessian of F_S is at most M, the mean of row row' / 4, which has trace 1/4 and largest eigenvalue m. Raised to 1/4 in its first
    direction, M becomes a bound with norm ell and trace 1/4 + 1/4 - m, so r = 2 - 4 m.

    ``constants["gap"]`` is a certified upper bound of F_S(x0) - min F_S. It comes from Newton's method and the self-concordance of the loss
    (Bach 2010, Proposition 1), or from F_S >= 0 where these give nothing.

    Examples
    --------
    >>> train = lab.logistic("inverse", d=20, n=100, seed=0)
    >>> train.constants["L"], train.constants["ell"]
    (1.0, 0.25)
    >>> bool(np.allclose(np.linalg.norm(train.data, axis=1), 1))
    True
    """
    a, start, normals = _common_inputs(spectrum, d, n, seed, x0)
    features = np.sign(normals) * np.sqrt(a / a.sum())
    chance = data_generator(seed + 2**40).random(n)
    data = features * np.where(chance < 1.0 / (1.0 + np.exp(-features.sum(axis=1))), 1.0, -1.0)[:, None]
    check_memory(32 * min(d, n) ** 2, n=n, d=d)
    largest = float(np.linalg.eigvalsh(data.T @ data if d <= n else data @ data.T)[-1]) / (4 * n)
    x, smallest = _logistic_minimum(data)
    gradient = np.empty(d)
    gap = float(losses.logistic_value_gradient(start, data, (0.0,), gradient)) - smallest
    name = f"logistic, {spectrum_title(spectrum)} spectrum, d = {d}"
    known = {"n": n, "d": d, "r": max(1.0, 2.0 - 4.0 * largest), "L": 1.0, "ell": 0.25, "gap": gap, "B": np.inf, "mu": 0.0}
    return Objective(name, data, (0.0,), *losses.LOGISTIC, x0=start, optimum=x, constants=known)


def _logistic_minimum(data: FloatArray) -> tuple[FloatArray, float]:
    """Return x (d,), near the minimiser of the mean logistic loss if d <= n, else 0, and a proved lower bound >= 0 of the minimum.

    Along a segment of length s the third derivative of the logistic loss bounds the Hessian from below by exp(-s max|row|) times
    the one at x (Bach 2010, Electronic Journal of Statistics 4, Proposition 1). So on the ball of radius 1 / max|row| F_S is
    mu-strongly convex, mu = (smallest eigenvalue at x) / e; if |gradient| < mu / (2 max|row|) the minimiser lies in that ball and
    F_S^* >= F_S(x) - |gradient|^2 / (2 mu).
    """
    n, d = data.shape
    x, gradient = np.zeros(d), np.empty(d)
    value = float(losses.logistic_value_gradient(x, data, (0.0,), gradient))
    lowest = 0.0
    for _ in range(60 if d <= n else 0):
        share = 1.0 / (1.0 + np.exp(data @ x))
        hessian = (data * (share * (1 - share))[:, None]).T @ data / n
        least = float(np.linalg.eigvalsh(hessian)[0]) - 1e-14
        mu, length = least / math.e, float(np.linalg.norm(gradient))
        if least > 0 and length < mu / 2:
            lowest = max(lowest, value - length**2 / (2 * mu) - 1e-14)
        if least <= 0 or length <= 1e-14:
            break
        step, scale = np.linalg.solve(hessian, gradient), 1.0
        while scale > 1e-6 and float(losses.logistic_value_gradient(x - scale * step, data, (0.0,), gradient)) > value:
            scale /= 2
        x = x - scale * step
        value = float(losses.logistic_value_gradient(x, data, (0.0,), gradient))
    return x, lowest


def _common_inputs(
    spectrum: Spectrum | FloatArray, d: int, n: int, seed: int, x0: FloatArray | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the spectrum scaled to largest value 1, the start (d,), and standard normal draws (n, d), from checked arguments."""
    positive_integer(d=d, n=n)
    seed_integer(seed=seed)
    check_memory(32 * n * d, n=n, d=d)  # the largest: data, their exponentials, which are complex, and one more
    a = spectrum_values(spectrum, d)
    start = np.zeros(d) if x0 is None else array_of((d,), x0=x0)
    return a / a.max(), start, data_generator(seed).standard_normal((n, d))


def spectrum_title(spectrum: Spectrum | FloatArray) -> str:
    """Return the name of a spectrum for titles, "given" for an array."""
    return spectrum if isinstance(spectrum, str) else "given"
