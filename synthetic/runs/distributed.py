"""Algorithm 3 of Gauss-PSGD with its clients in the workers of an executor; the server's loop stays in this process."""

import pickle
from concurrent.futures import Executor
from itertools import repeat
from typing import Any

import numpy as np

from synthetic import kernels
from synthetic.draws import FloatArray
from synthetic.kernels.gradient_oracles import CALLS, FRESH, USED, batch_mean_gradient


def client_message(
    problem: tuple[Any, ...], batch: FloatArray, ask: bool, x: FloatArray, before: FloatArray, previous: FloatArray
) -> FloatArray:
    """Return a client's message without its noise, (d,): O_1(x) if `ask`, else its previous message + O_2(x, before).

    problem   value_gradient, batch_gradient and params of the landscape;   batch (b, p)   the client's samples
    """
    _, batch_gradient, params = problem
    g, old = np.empty_like(x), np.empty_like(x)
    batch_mean_gradient(ask, x, before, batch_gradient, params, batch, g, old)
    return g if ask else g + (previous - old)


def run_clients(
    executor: Executor, problem: tuple[Any, ...], queries: bool, rows: FloatArray, numbers: Any, rules: Any, *given: Any
) -> int:
    """Run Algorithm 1 of Gauss-PSGD on samples (m, n, p), with the m clients' messages computed in an executor; return its status.

    queries         whether the drift sums squared distances between the points of the calls
    The other arguments are those of `kernels.gauss_psgd`, which this equals draw by draw.
    """
    b_1, b_2, sigma_1, sigma_2, kappa, eta = numbers
    m, n, _ = rows.shape
    pickle.dumps(problem)  # a compiled function gets its name when it is first sent, which must not happen in two threads at once

    def oracle(fresh: bool, x: FloatArray, *arguments: Any) -> bool:
        """Write the server's estimate at x to `out`; return False when the samples are used up."""
        memory, drift, counts, rng, out = arguments[-5:]
        distance = float(np.sqrt(np.sum((x - memory[m]) ** 2)))
        moved = drift[0] + (distance**2 if queries else 0.0)
        ask = bool(fresh or moved >= kappa)
        first, b = int(counts[USED]), int(b_1 if ask else b_2)
        if first + b > n:
            return False
        noise = (sigma_1 if ask else sigma_2 * distance) * rng.standard_normal((m, len(x)))
        batches, before = rows[:, first : first + b], memory[m].copy()
        shared = (repeat(problem), batches, repeat(ask), repeat(x.copy()), repeat(before), memory[:m].copy())
        out[:] = 0.0
        for j, sent in enumerate(executor.map(client_message, *shared)):
            memory[j] = sent + noise[j]
            out += memory[j] / m
        memory[m] = x
        counts[USED] += b
        counts[CALLS] += 1
        counts[FRESH] += ask
        drift[0] = (0.0 if ask else moved) + (0.0 if queries else eta**2 * float(out @ out))
        return True

    plain: Any = getattr(kernels.gauss_psgd, "py_func", kernels.gauss_psgd)  # absent when the compiler is off
    return int(plain(oracle, *problem, rows, numbers, rules, *given))
