"""Algorithms 1, 2 and 3 line by line in plain Python, one sample at a time, to hold the kernels against.

The readings of what the oracle remembers at step 8 of Algorithm 1 are those of erratum E10: "continue", "history", "renew".
Source    Gauss-PSGD, Algorithms 1 to 3; steps 1 to 22 of Algorithm 1 are counted without the blank lines of the listing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from synthetic.draws import FloatArray
from synthetic.saddles import Landscape


def sample_gradients(landscape: Landscape, x: FloatArray, rows: FloatArray) -> FloatArray:
    """Return grad f(x; z) of random-phase cosines for every sample of rows (b, 2 d), (b, d)."""
    A, w, signs, _ = landscape.params
    z = np.arctan2(rows[:, landscape.d :], rows[:, : landscape.d])
    return np.asarray(-A / w * signs * np.sin(w * x + z))


@dataclass(eq=False)
class AdaDpSpider:
    """Algorithm 2 for one client, Algorithm 3 for m: rows (m, n, p) in the order in which they are used; rng draws client after client."""

    landscape: Landscape
    rows: FloatArray
    b_1: int
    b_2: int
    sigma_1: float
    sigma_2: float
    kappa: float
    eta: float
    rng: np.random.Generator
    used: int = 0
    drift: float = float("inf")
    point: FloatArray = field(default_factory=lambda: np.empty(0))
    sent: list[FloatArray] = field(default_factory=list)
    fresh_calls: int = 0

    def call(self, x: FloatArray, fresh: bool = False) -> FloatArray | None:
        """Return the server's estimate at x, None where the samples are used up."""
        ask = fresh or self.drift >= self.kappa
        b = self.b_1 if ask else self.b_2
        if self.used + b > self.rows.shape[1]:
            return None
        sent = []
        for j, client in enumerate(self.rows):
            batch = client[self.used : self.used + b]
            xi = self.rng.standard_normal(len(x))
            if ask:
                sent.append(sample_gradients(self.landscape, x, batch).mean(axis=0) + self.sigma_1 * xi)
            else:
                O_2 = sample_gradients(self.landscape, x, batch).mean(axis=0) - sample_gradients(self.landscape, self.point, batch).mean(
                    axis=0
                )
                sent.append(self.sent[j] + O_2 + self.sigma_2 * np.linalg.norm(x - self.point) * xi)
        self.used += b
        self.fresh_calls += ask
        self.sent, self.point = sent, x.copy()
        ghat = np.mean(sent, axis=0)
        self.drift = (0.0 if ask else self.drift) + self.eta**2 * float(ghat @ ghat)
        return np.asarray(ghat)


@dataclass
class Exact:
    """Equations (1), (2) without the sampling error: grad F + N(0, sigma^2 I)."""

    landscape: Landscape
    sigma: float
    rng: np.random.Generator
    fresh_calls: int = 0

    def call(self, x: FloatArray, fresh: bool = False) -> FloatArray | None:
        """Return the estimate at x."""
        self.fresh_calls += 1
        return self.landscape.value_and_gradient(x)[1] + self.sigma * self.rng.standard_normal(len(x))


@dataclass(frozen=True, eq=False)
class Walk:
    """What Algorithm 1 did: the points at which the gradients of its steps were taken, x~ and the last iterate where it returned."""

    points: list[FloatArray]
    anchor: FloatArray | None
    last: FloatArray
    phases: int
    rounds: int


def algorithm1(
    oracle: AdaDpSpider | Exact, x: FloatArray, *, eta: float, chi: float, R: float, Gamma: int, Q: int, restart: str, limit: int
) -> Walk:
    """Run Algorithm 1 until it returns, the samples are used up, or `limit` steps are taken."""
    points: list[FloatArray] = []
    phases = rounds = 0
    while True:
        held = memory(oracle)
        ghat = oracle.call(x)  # step 4
        if ghat is None:
            return Walk(points, None, x, phases, rounds)
        if np.linalg.norm(ghat) > 3 * chi:  # step 5; 22
            if len(points) == limit:
                return Walk(points, None, x, phases, rounds)
            points.append(x)
            x = x - eta * ghat
            continue
        tilde, esc = x, False  # step 6
        phases += 1
        for _ in range(Q):
            rounds += 1
            x = tilde  # step 8
            if restart == "history":
                restore(oracle, held)
            for tau in range(1, Gamma + 1):
                ghat = oracle.call(x, restart == "renew" and tau == 1)  # step 10
                if ghat is None or len(points) == limit:
                    return Walk(points, None, x, phases, rounds)
                points.append(x)
                x = x - eta * ghat  # step 11
                if np.linalg.norm(x - tilde) >= R:  # step 12
                    esc = True
                    break
            if esc:
                break
        if not esc:
            return Walk(points, tilde, x, phases, rounds)  # step 20


def memory(oracle: AdaDpSpider | Exact) -> tuple[float, FloatArray, list[FloatArray]] | None:
    """Return what Algorithm 2 carries from call to call: drift, last point, last messages."""
    return (oracle.drift, oracle.point, oracle.sent) if isinstance(oracle, AdaDpSpider) else None


def restore(oracle: AdaDpSpider | Exact, held: tuple[float, FloatArray, list[FloatArray]] | None) -> None:
    """Put back what `memory` took."""
    if isinstance(oracle, AdaDpSpider) and held is not None:
        oracle.drift, oracle.point, oracle.sent = held
