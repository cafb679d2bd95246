"""The handwritten digits of scikit-learn, and a smooth network on them that meets Assumption 1 of Gauss-PSGD.

Model     f(W; a, y) = -log softmax(V tanh(W a))_y: k = 9 tanh units, fixed output layer V (10, 9), only W (9, 17) is trained. The
          columns of V are orthogonal of norm beta, and orthogonal to (1, ..., 1): a simplex code, V'V = beta^2 I.
Data      1797 images of 8 x 8 pixels, averaged over 2 x 2, scaled to norm 1, with a constant 1, all over sqrt(2): 17 features, |a| = 1.
          Every record is transformed by itself, so this costs no privacy. The last 397 images in the file's order are the test set.

Constants. With h = W a, s = softmax(V tanh(h)), D = diag(tanh'(h)), |D| <= 1, |a| = 1, a derivative in W is one in h along w = dW a,
|w| <= |dW|. The residual s - e_y has norm at most sqrt(2), so each entry of V'(s - e_y) is at most sqrt(2) beta.
    L    gradient D V'(s - e_y):  sqrt(2) beta
    ell  Hessian D V'(diag(s) - s s')V D + diag(tanh''(h)) diag(V'(s - e_y));  |diag(s) - s s'| <= 1/2, |tanh''| <= 4/(3 sqrt(3)):
         beta^2/2 + 4 sqrt(2) beta/(3 sqrt(3))
    rho  third derivative along w, with z' = V D w, z'' = V tanh''(h) w^2, z''' = V tanh'''(h) w^3: kappa_3(z') + 3 cov_s(z', z'') +
         (s - e_y)'z'''. The entries of z' lie within sqrt(2) |z'| of each other, and the third central moment of numbers in [0, 1] is at
         most 1/(6 sqrt(3)), attained by two points; cov <= |z'| |z''|/2, |tanh'''| <= 2, sum |w_i|^3 <= 1:
         (sqrt(2) beta)^3/(6 sqrt(3)) + 2 beta^2/sqrt(3) + 2 sqrt(2) beta
A symmetric trilinear form is largest on a diagonal (w, w, w), so rho is that of the Hessian in operator norm.

Privacy   every record's gradient is clipped to norm C before averaging. Clipping is the projection on a ball, which is 1-Lipschitz: the
          clipped gradients of a record at x and y differ by at most ell |x - y|, like the gradients. So with one record replaced O_1
          moves by at most 2 C/b_1 and O_2 by at most 2 ell |x - y|/b_2. Epochs repeat the same order, so a batch of at most n records
          holds each record once, and in k epochs a record is in at most k releases.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from synthetic.draws import FloatArray, data_generator
from synthetic.losses import tanh_network
from synthetic.objectives.saddles import SaddleObjective
from synthetic.objectives.space import matrix_space
from synthetic.runs.psgd import frozen_psgd, gauss_psgd
from synthetic.validate import positive, positive_integer, validated

CLASSES, UNITS, FEATURES = 10, 9, 17
TRAIN = 1400
BEND = 4 / (3 * np.sqrt(3))  # max |tanh''|


def load_images() -> tuple[FloatArray, FloatArray]:
    """Return the 1797 images (1797, 64), pixels from 0 to 16, and their classes (1797,), in the file's order."""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise ValueError("scikit-learn, which has the digits, is not installed: python -m pip install scikit-learn") from None
    pixels, classes = load_digits(return_X_y=True)
    return pixels, classes.astype(float)


def load_rows() -> tuple[FloatArray, FloatArray]:
    """Return training rows (1400, 18) and test rows (397, 18), each 17 features of norm 1 and the class."""
    pixels, classes = load_images()
    pooled = pixels.reshape(-1, 4, 2, 4, 2).mean(axis=(2, 4)).reshape(-1, 16)
    unit = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
    rows = np.column_stack([unit / np.sqrt(2), np.full(len(unit), 1 / np.sqrt(2)), classes])
    return np.ascontiguousarray(rows[:TRAIN]), np.ascontiguousarray(rows[TRAIN:])


@validated
def simplex_code(beta: float) -> FloatArray:
    """Return the output layer V (10, 9) with V'V = beta^2 I and columns that sum to 0: Helmert's contrasts."""
    V = np.zeros((CLASSES, UNITS))
    for i in range(UNITS):
        V[: i + 1, i] = 1.0
        V[i + 1, i] = -(i + 1.0)
    return beta * V / np.linalg.norm(V, axis=0)


@validated
def smoothness_constants(beta: float) -> dict[str, float]:
    """Return the constants L, ell and rho of every record's loss, derived in the module's docstring."""
    positive(beta=beta)
    root = np.sqrt(2) * beta
    return {"L": root, "ell": beta**2 / 2 + BEND * root, "rho": root**3 / (6 * np.sqrt(3)) + 1.5 * BEND * beta**2 + 2 * root}


@dataclass(frozen=True, eq=False)
class DigitsObjective:
    """The training loss on the digits, an objective with saddles, and the test rows (397, 18)."""

    landscape: SaddleObjective
    test: FloatArray

    def scores(self, x: FloatArray) -> tuple[float, float]:
        """Return test accuracy and mean test loss of the weights x (153,)."""
        V = self.landscape.params[0]
        (W,) = self.landscape.shape.parts(x)
        logits = np.tanh(self.test[:, :-1] @ W.T) @ V.T
        classes = self.test[:, -1].astype(int)
        top = logits.max(axis=1, keepdims=True)
        loss = np.log(np.exp(logits - top).sum(axis=1)) + top[:, 0] - logits[np.arange(len(classes)), classes]
        return float(np.mean(logits.argmax(axis=1) == classes)), float(loss.mean())


@validated
def digits_objective(*, clients: int = 1, beta: float = 2.0, clip: float | None = None, seed: int = 0) -> DigitsObjective:
    """Make the digits objective of m clients, who share the 1400 training records evenly in an order drawn from the seed.

    clip   norm to which a record's gradient is clipped in `batch_gradient`; None: L, where nothing is clipped. F is never clipped
    `draw` repeats a client's records epoch after epoch in an order drawn once, so that a shorter run is the beginning of a longer one.
    The start is W = 0; no saddle is known, `saddle` is the start. U is not known in closed form, inf.
    """
    positive_integer(clients=clients)
    known = smoothness_constants(beta)
    limit = known["L"] if clip is None else clip
    positive(clip=limit)
    if TRAIN % clients:
        raise ValueError(f"clients = {clients}: a divisor of {TRAIN} is needed")
    train, test = load_rows()
    V = simplex_code(beta)
    parts = train[data_generator(seed).permutation(TRAIN)].reshape(clients, TRAIN // clients, FEATURES + 1)

    def draw(rng: np.random.Generator, n: int, client: int = 0) -> FloatArray:
        order = rng.permutation(TRAIN // clients)
        return np.ascontiguousarray(parts[client][np.resize(order, n)])

    def batch_hessian(x: FloatArray, rows: FloatArray) -> FloatArray:
        a, y = rows[:, :-1], rows[:, -1].astype(int)
        u = np.tanh(a @ x.reshape(UNITS, FEATURES).T)
        logits = u @ V.T
        s = np.exp(logits - logits.max(axis=1, keepdims=True))
        s /= s.sum(axis=1, keepdims=True)
        J = V[None] * (1 - u**2)[:, None, :]  # d logits / d h, (b, 10, 9)
        inner = np.einsum("bci,bc,bcj->bij", J, s, J) - np.einsum("bci,bc,bdj,bd->bij", J, s, J, s, optimize=True)
        residual = (s - np.eye(CLASSES)[y]) @ V
        inner[:, np.arange(UNITS), np.arange(UNITS)] += -2 * u * (1 - u**2) * residual
        whole = np.einsum("bij,bp,bq->ipjq", inner, a, a, optimize=True) / len(rows)
        return whole.reshape(UNITS * FEATURES, UNITS * FEATURES)

    start = np.zeros(UNITS * FEATURES)
    params: tuple[Any, ...] = (V, float(limit), train)
    name = f"digits, {clients} client{'s' if clients > 1 else ''}, beta = {beta:g}, clip = {limit:g}"
    functions = (tanh_network.tanh_value_gradient, tanh_network.tanh_batch_gradient, lambda x: batch_hessian(x, train), draw)
    known = {"d": len(start), **known, "U": float("inf"), "curvature": 0.0}
    read: dict[str, Any] = {"shape": matrix_space((UNITS, FEATURES)), "batch_hessian": batch_hessian}
    return DigitsObjective(
        SaddleObjective(name, params, *functions, saddle=start, x0=start.copy(), constants=known, clients=clients, **read), test
    )


def digits_cell(
    *, method: str, clients: int, beta: float, clip: float, epochs: int, run: Mapping[str, Any], replicates: int, seed: int
) -> dict[str, np.ndarray]:
    """Run "gauss_psgd" or "frozen_psgd" for 1, 2, ..., epochs passes over the digits; return scores and counts by replicate.

    accuracy, loss, train (replicates, epochs + 1)   on the test set, and F, at the start and after each epoch
    steps, phases, fresh_calls, returned (replicates,)   of the longest run

    The run of e epochs is the beginning of the longest, with the same order and the same noise. A run that returned a point keeps it.
    """
    place = digits_objective(clients=clients, beta=beta, clip=clip)
    scores = np.empty((3, replicates, epochs + 1))
    x = np.tile(place.landscape.x0, (replicates, 1))
    for epoch in range(epochs + 1):
        if epoch:
            common: dict[str, Any] = {"n": epoch * TRAIN // clients, "replicates": replicates, "seed": seed, "threads": 1, **run}
            if method == "gauss_psgd":
                found = gauss_psgd(place.landscape, oracle="distributed_ada_dp_spider", **common)
            else:
                found = frozen_psgd(place.landscape, **common)
            x = np.where(found.returned[:, None], found.x, found.last)
        for r in range(replicates):
            scores[:2, r, epoch] = place.scores(x[r])
            scores[2, r, epoch] = place.landscape.value_and_gradient(x[r])[0]
    last = {"steps": found.steps, "phases": found.phases, "fresh_calls": found.fresh_calls, "returned": found.returned}
    return {"accuracy": scores[0], "loss": scores[1], "train": scores[2], **last}
