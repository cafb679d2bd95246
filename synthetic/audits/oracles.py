"""Audit of Gauss-PSGD's oracles and selections: simulate their output on two neighbouring data sets, compute the optimal test.

Oracles    The observer sees the server's estimate and every client's message at each call, the points, and the public state: when O_1 is
           asked for, how many samples are used. It knows both data sets and makes every call again from what it saw before it, with the
           oracle's own code: without noise on either data set, and with one number of the noise at a time. Given the past, the remainder is
           Gaussian; the product over the calls is the likelihood ratio, also where points and O_1 depend on what was released before.
           A loop around the oracle, Algorithm 1 or the earlier method, makes its iterates of these releases and of nothing else.
Algorithm 4      one client; the noisy gradient and the upper triangle of the noisy Hessian of all T points, of which a selection compares
                 norm and least eigenvalue. The release is that of `selection.noisy_derivatives`.
AboveThreshold   the number of the chosen point, which is all that is private in it.
Not seen   that a batch is drawn without reuse from the data (samples come in the order of use: an oracle that uses one twice is seen);
           noise in more than the dimension tried; the oracle "exact", which uses no samples. The messages that an oracle does not keep,
           those of `sgd`: there the other clients hand their noise to the observer, so that it knows the first one's message.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from synthetic.audits.sums import HIDDEN, AuditScores
from synthetic.draws import NOISE, FloatArray, generator
from synthetic.kernels import neighbours_psgd as kernels
from synthetic.kernels.selection import first_accepted_queries
from synthetic.memory import check_memory
from synthetic.objectives.saddles import SaddleObjective
from synthetic.runs.selection import mean_derivatives, noisy_derivatives, threshold_query
from synthetic.validate import array_of, one_of, positive, positive_integer, seed_integer, validated

LOOPS = {"descent": kernels.run_descent, "gauss_psgd": kernels.run_gauss_psgd, "frozen_psgd": kernels.run_frozen_psgd}
CHUNK = 2000  # runs at once
ROUNDING = 1e-9  # of a call, between its prediction and what was seen


def worst_case_samples(*, m: int, n: int, d: int, at: int, which: str, length: float) -> tuple[FloatArray, FloatArray]:
    """Return two neighbouring data sets for an oracle audit, each (m, n, d + 1), that differ in sample `at` of the first client.

    The difference is the largest that a Lipschitz constant `length` allows.
    which   "gradient": its gradient is +- a vector of this length; "difference": its gradient is +- length x.  All others are 0
    """
    one, two = np.zeros((m, n, d + 1)), np.zeros((m, n, d + 1))
    for rows, sign in ((one, 1.0), (two, -1.0)):
        if which == "gradient":
            rows[0, at, :d] = sign * length / math.sqrt(d)
        else:
            rows[0, at, d] = sign * length
    return one, two


@validated
def oracle_scores(
    oracle: Callable[..., Any],
    one: FloatArray,
    two: FloatArray,
    *,
    numbers: Sequence[float],
    drift: float,
    loop: str,
    rules: Sequence[float],
    T: int,
    messages: bool,
    runs: int,
    seed: int,
) -> AuditScores:
    """Audit a gradient oracle: run at most T calls on two neighbouring data sets, ``runs`` times; return the optimal test's scores.

    The loop starts from x = (1, ..., 1) / sqrt(d).
    oracle, numbers   a kernel of `gradient_oracles` and its parameters;   drift   initial value, so that the first call is an O_1
    one, two          (m, n, d + 1) samples of the m clients of each data set, (g, c) each: their gradient is g + c x
    loop, rules       "descent" with (eta,), "gauss_psgd" or "frozen_psgd" with the rules of their kernels
    messages          whether the oracle keeps the clients' messages, which are seen; else the other clients' noise is known
    Raises ValueError where a call, made again with the noise that it had, gives something else, and for data that are not of this kind.
    """
    one_of(tuple(LOOPS), loop=loop)
    positive_integer(T=T, runs=runs)
    seed_integer(seed=seed)
    one = array_of((None, None, None), one=one)
    two = array_of(one.shape, two=two)
    m, d = one.shape[0], one.shape[2] - 1
    width = T * d * (m + (loop == "frozen_psgd"))
    check_memory(16 * runs * width, runs=runs, T=T)
    data, start, own = np.stack([one, two]), np.full(d, 1 / math.sqrt(d)), m * d if messages else d
    settings = (tuple(float(value) for value in numbers), tuple(rules), start, float(drift))
    scores, mus = np.empty((2, runs)), np.empty((2, runs))
    for world in range(2):
        rng = generator(seed, world, NOISE)
        for r in range(0, runs, CHUNK):
            z, calls = rng.standard_normal((min(CHUNK, runs - r), width)), (T, m + 1, d)
            k, size = len(z), math.prod(calls)
            quiet, seen, where = np.zeros((2, k, *calls)), np.zeros((k, *calls)), np.zeros((k, width, *calls))
            hidden = np.zeros((k, width), dtype=np.bool_)
            kernels.run_and_replay(
                LOOPS[loop],
                kernels.logging_oracle(oracle),
                oracle,
                data,
                world,
                *settings,
                _empty_log(T, m, d),
                z,
                own,
                quiet,
                seen,
                where,
                hidden,
            )
            flat = quiet.reshape(2, k, size), seen.reshape(k, size), where.reshape(k, width, size)
            worst = kernels.log_likelihood_scores(world, *flat, hidden, z, HIDDEN, scores[world, r : r + k], mus[world, r : r + k])
            if not worst <= ROUNDING:
                raise ValueError(f"oracle: a repeated call gives another result, by {worst:.3g}; the oracle must be affine in its noise")
    return AuditScores(scores[0], scores[1], normal=bool(np.ptp(mus) <= 1e-6 * mus.max()))


def _empty_log(T: int, m: int, d: int) -> tuple[Any, ...]:
    """Return empty arrays for the log of T calls that `kernels.logging_oracle` writes: points, integers, memories and messages."""
    return np.zeros((T, d + 1)), np.zeros((T + 1, 5), dtype=np.int64), np.zeros((T, m + 1, d)), np.zeros((T, m + 1, d))


@validated
def selection_scores(
    *, T: int, n: int, d: int, sigma_gradient: float, sigma_hessian: float, L: float, ell: float, runs: int, seed: int
) -> AuditScores:
    """Audit Algorithm 4's noisy gradients and Hessians of T points on two neighbouring data sets; return the optimal test's scores.

    One client has n held-out samples. One record has opposite gradients of norm L and the Hessians +-ell I, at every point alike. The
    observer makes the release again without noise, and with one number of the noise at a time.
    """
    positive_integer(T=T, n=n, d=d, runs=runs)
    positive(sigma_gradient=sigma_gradient, sigma_hessian=sigma_hessian, L=L, ell=ell)
    seed_integer(seed=seed)
    check_memory(16 * runs * T * d * (d + 1), runs=runs, T=T, d=d)
    upper, exact = (
        np.triu_indices(d),
        [mean_derivatives(_landscape_of_rows(rows, d, L, ell), [rows], np.zeros(d)) for rows in _neighbour_rows(n, d, L, ell)],
    )

    def flat(gradient: FloatArray, hessian: FloatArray) -> FloatArray:
        return np.concatenate([gradient, hessian[upper]])

    def released(rng: Any, pair: tuple[FloatArray, FloatArray]) -> FloatArray:
        return flat(*noisy_derivatives(rng, *pair, 1, sigma_gradient, sigma_hessian)[0])

    quiet, nothing = [flat(*pair) for pair in exact], (np.zeros(d), np.zeros((d, d)))
    between = quiet[0] - quiet[1]
    where = np.array([released(_UnitNoise(k), nothing) for k in range(d + d * d)])
    spread = where.T @ where + HIDDEN**2 * float(between @ between) * np.eye(len(between))
    weight = np.linalg.solve(spread, between)
    weight /= math.sqrt(T * float(weight @ between))
    scores = []
    for world in range(2):
        rng = generator(seed, world, NOISE)
        seen = np.array([released(rng, exact[world]) for _ in range(runs * T)])
        scores.append(((seen - (quiet[0] + quiet[1]) / 2) @ weight).reshape(runs, T).sum(axis=1))
    return AuditScores(scores[0], scores[1])


class _UnitNoise:
    """Replacement for a random generator whose numbers are 0, except the number at index `which`, which is 1."""

    def __init__(self, which: int) -> None:
        self.left = which

    def standard_normal(self, shape: tuple[int, ...]) -> FloatArray:
        """Return the next numbers in an array of this shape."""
        z = np.zeros(math.prod(shape))
        if 0 <= self.left < z.size:
            z[self.left] = 1.0
        self.left -= z.size
        return z.reshape(shape)


def _neighbour_rows(n: int, d: int, L: float, ell: float) -> list[FloatArray]:
    """Return n samples (g, c, h) of two neighbouring data sets that differ in the first, (n, d + 2): gradient g + c x, Hessian h I."""
    one, two = np.zeros((n, d + 2)), np.zeros((n, d + 2))
    one[0, :d], two[0, :d] = L / math.sqrt(d), -L / math.sqrt(d)
    one[0, d + 1], two[0, d + 1] = ell, -ell
    return [one, two]


def _landscape_of_rows(rows: FloatArray, d: int, L: float, ell: float) -> SaddleObjective:
    """Return an objective whose held-out samples are the rows (g, c, h), (n, d + 2): mean gradient g + c x, mean Hessian h I; F is 0."""
    return SaddleObjective(
        "neighbouring data sets", (), kernels.zero_value_gradient, kernels.affine_batch_gradient,
        lambda x: np.zeros((d, d)), lambda rng, n, client: rows, np.zeros(d), np.zeros(d), {"L": L, "ell": ell},
        batch_hessian=lambda x, batch: np.eye(d) * float(batch[:, d + 1].mean()),
    )  # fmt: skip


@validated
def above_threshold_scores(*, T: int, n: int, epsilon: float, first: float, last: float, runs: int, seed: int) -> AuditScores:
    """Audit AboveThreshold on two neighbouring data sets; return scores: 1 for a run that chooses only the last of T points, else 0.

    One record has gradients of norm 1. In the first data set they speak against the first points and for the last one, in the second the
    other way round: both the noise on the limit and that on the last query are needed to hide it.
    first, last   the queries at the T - 1 points and at the last one, midway between the data sets, in units of 4 / epsilon of their change
    """
    positive_integer(T=T, n=n, runs=runs)
    positive(epsilon=epsilon)
    seed_integer(seed=seed)
    check_memory(16 * runs, runs=runs)
    unit, limit = 8 / (n * epsilon), 0.5
    near, far = limit + first * unit, limit + last * unit
    if not 2 / n < min(near, far) <= max(near, far) <= 1 - 2 / n:
        raise ValueError(
            f"n = {n}: the gradient norms {near:.3g} and {far:.3g} must lie between 2/n and 1 - 2/n; more samples, or smaller first or "
            "last, are needed"
        )
    scores = []
    for world, sign in enumerate((-1.0, 1.0)):
        rows = np.zeros((n, 3))
        rows[1:, 0], rows[1:, 1], rows[0, 1] = (far + near) / 2, (far - near) / 2, sign  # gradient at x = -1: near, at 1: far
        rows[1:] *= n / (n - 1)
        place, queries = _landscape_of_rows(rows, 1, 1.0, 1.0), []
        for x in (-1.0, 1.0):
            gradient, hessian = mean_derivatives(place, [rows], np.array([x]))
            queries.append(threshold_query(float(np.linalg.norm(gradient)), float(hessian[0, 0]), limit, 1e3, 1.0, 1.0))
        chosen = np.empty(runs, dtype=np.int64)
        first_accepted_queries(np.array([queries[0]] * (T - 1) + queries[1:]), n, epsilon, generator(seed, world, NOISE), chosen)
        scores.append((chosen == T - 1).astype(float))
    return AuditScores(scores[0], scores[1], normal=False)
