"""Algorithm 3 with its clients in the workers of an executor: the server's loop in this process, the clients' messages elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from itertools import repeat
from typing import Any

import numpy as np

from synthetic import kernels
from synthetic.draws import FloatArray
from synthetic.kernels.gradient_oracles import CALLS, FRESH, USED
from synthetic.saddles import Landscape


def message(
    batch_gradient: Callable[..., None], params: tuple[Any, ...], batch: FloatArray, ask: bool, x: FloatArray, before: FloatArray,
    previous: FloatArray, noise: FloatArray,
) -> FloatArray:  # fmt: skip
    """Return what one client sends, (d,): O_1(x) + noise where `ask`, else its previous message + O_2(x, before) + noise."""
    g, old = np.empty_like(x), np.empty_like(x)
    batch_gradient(x, batch, params, g)
    if not ask:
        batch_gradient(before, batch, params, old)
        g += previous - old
    return g + noise


def run_clients(executor: Executor, landscape: Landscape, queries: bool, rows: FloatArray, numbers: Any, *options: Any) -> int:
    """Run Algorithm 1 with this oracle on rows (m, n, p); the rest is that of `kernels.gauss_psgd`, which it equals draw by draw."""
    b_1, b_2, sigma_1, sigma_2, kappa, eta = numbers
    m, n, _ = rows.shape

    def oracle(
        fresh: bool, x: FloatArray, value_gradient: Any, batch_gradient: Any, params: Any, rows: Any, numbers: Any, memory: Any,
        drift: Any, counts: Any, rng: np.random.Generator, out: FloatArray,
    ) -> bool:  # fmt: skip
        distance = float(np.sqrt(np.sum((x - memory[m]) ** 2)))
        moved = drift[0] + (distance**2 if queries else 0.0)
        ask = bool(fresh or moved >= kappa)
        first, b = int(counts[USED]), int(b_1 if ask else b_2)
        if first + b > n:
            return False
        noise = (sigma_1 if ask else sigma_2 * distance) * rng.standard_normal((m, len(x)))
        batches, before = rows[:, first : first + b], memory[m].copy()
        shared = (repeat(batch_gradient), repeat(params), batches, repeat(ask), repeat(x.copy()), repeat(before), memory[:m].copy(), noise)
        out[:] = 0.0
        for j, sent in enumerate(executor.map(message, *shared)):
            memory[j] = sent
            out += sent / m
        memory[m] = x
        counts[USED] += b
        counts[CALLS] += 1
        counts[FRESH] += ask
        drift[0] = (0.0 if ask else moved) + (0.0 if queries else eta**2 * float(out @ out))
        return True

    plain = getattr(kernels.gauss_psgd, "py_func", kernels.gauss_psgd)  # absent when the compiler is off
    functions = (landscape.value_gradient, landscape.batch_gradient, landscape.params)
    return int(plain(oracle, *functions, rows, numbers, *options))
