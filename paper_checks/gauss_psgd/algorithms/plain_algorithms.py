"""Reference implementations of Algorithms 1, 2 and 3 in plain Python, line by line, against which kernels are checked and tested.

An oracle has `ask(x, fresh)`, which returns the estimate at x or None when the samples are used up, `state`, all that it remembers from
call to call, and counts. The paper does not say what the oracle remembers when a round starts again at x~, step 8 (erratum E10 of
Gauss-PSGD): "continue" from the last call, "history" as it was when the phase began, "renew" with a fresh gradient for every round.

Source    Gauss-PSGD, Algorithms 1 to 3; steps 1 to 22 of Algorithm 1 are counted without the blank lines of the listing.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from synthetic.draws import FloatArray
from synthetic.objectives.saddles import SaddleObjective
from synthetic.objectives.separable_saddles import random_phase_cosines


@lru_cache(maxsize=16)
def unit_cosine_saddles(d: int, unstable_h: float | None = None, phases: tuple[float, ...] | None = None) -> SaddleObjective:
    """Return the SaddleObjective of random-phase cosines in d dimensions with A = w = h = 1, so L = sqrt(d) and ell = rho = 1."""
    return random_phase_cosines(d, unstable_h=unstable_h, phases=None if phases is None else np.array(phases))


def mean_gradient_of(landscape: SaddleObjective) -> Callable[[FloatArray, FloatArray], FloatArray]:
    """Return the function (x (d,), samples (b, 2 d)) -> mean gradient (d,) over the samples, for random-phase cosines."""
    A, w, signs, _ = landscape.params

    def mean(x: FloatArray, batch: FloatArray) -> FloatArray:
        z = np.arctan2(batch[:, landscape.d :], batch[:, : landscape.d])
        return np.asarray((-A / w * signs * np.sin(w * x + z)).mean(axis=0))

    return mean


class ExactOracle:
    """Oracle of equations (1), (2) with new errors in every step: grad F, a sampling error of norm zeta, and N(0, sigma^2 I)."""

    def __init__(self, gradient: Callable[[FloatArray], FloatArray], rng: np.random.Generator, *, zeta: float, sigma: float) -> None:
        """Store grad F, the generator of all draws, the norm zeta of sampling errors and the deviation sigma of the noise."""
        self.gradient, self.rng, self.zeta, self.sigma = gradient, rng, zeta, sigma
        self.state: dict[str, Any] = {}
        self.calls = self.fresh = self.used = 0

    def ask(self, x: FloatArray, fresh: bool = False) -> FloatArray | None:
        """Return the estimate (d,) of grad F at x with new errors, and count it as a fresh gradient; `fresh` changes nothing."""
        g = self.gradient(x)
        if self.zeta > 0:
            z = self.rng.standard_normal(len(x))
            g = g + self.zeta * z / np.linalg.norm(z)
        if self.sigma > 0:
            g = g + self.sigma * self.rng.standard_normal(len(x))
        self.calls += 1
        self.fresh += 1
        return g


class SampleOracle:
    """Base class of oracles with samples: samples[j] are client j's, used once and in order; `mean(x, batch)` is a mean gradient."""

    def __init__(self, mean: Callable[[FloatArray, Any], FloatArray], samples: Any, rng: np.random.Generator, **numbers: float) -> None:
        """Store the mean gradient, the samples, the generator of noise, and b_1, b_2, sigma_1, sigma_2 and the rule's numbers."""
        self.mean, self.samples, self.rng, self.numbers = mean, samples, rng, numbers
        self.calls = self.fresh = self.used = 0
        self.state: dict[str, Any] = {"first": True, "sent": None, "point": None, "since": 0, "drift": 0.0}

    def batches(self, b: int) -> list[Any] | None:
        """Take the next b samples of every client, in a list of batches; return None, and take none, if fewer are left."""
        if self.used + b > len(self.samples[0]):
            return None
        self.used += b
        return [client[self.used - b : self.used] for client in self.samples]

    def spider_estimate(self, x: FloatArray, ask: bool) -> FloatArray | None:
        """Return the server's mean (d,) of an O_1 (`ask`) or O_2 on every client, and update the state; None if samples run out."""
        k, state, sent = self.numbers, self.state, []
        batches = self.batches(int(k["b_1"] if ask else k["b_2"]))
        if batches is None:
            return None
        for j, batch in enumerate(batches):
            if ask:
                g, scale = self.mean(x, batch), k["sigma_1"]
            else:
                g = state["sent"][j] + (self.mean(x, batch) - self.mean(state["point"], batch))
                scale = k["sigma_2"] * float(np.linalg.norm(x - state["point"]))
            sent.append(g + scale * self.rng.standard_normal(len(x)))
        state["sent"], state["point"], state["first"] = sent, x.copy(), False
        self.calls += 1
        self.fresh += ask
        return np.asarray(np.mean(sent, axis=0))


class AdaDpSpider(SampleOracle):
    """Oracle of Algorithm 2 (one client) or 3 (several): a fresh gradient O_1 where the drift has reached kappa, else a difference O_2."""

    def ask(self, x: FloatArray, fresh: bool = False) -> FloatArray | None:
        """Return the server's estimate (d,) at x and update the drift; None if samples run out; `fresh` forces an O_1."""
        ask = fresh or self.state["first"] or self.state["drift"] >= self.numbers["kappa"]
        out = self.spider_estimate(x, ask)
        if out is not None:
            self.state["drift"] = (0.0 if ask else self.state["drift"]) + self.numbers["eta"] ** 2 * float(out @ out)
        return out


@dataclass(frozen=True, eq=False)
class PsgdTrace:
    """Trace of a run of Algorithm 1: how it ended, its output, its steps and its counts.

    status   "returned", "out of samples" or "step limit";  anchor  x~ where it returned;  last  the last iterate
    steps    (where the step began, its estimate, whether it belongs to an escape phase, whether the estimate was an O_1)
    """

    status: str
    anchor: FloatArray | None
    last: FloatArray
    steps: list[tuple[FloatArray, FloatArray, bool, bool]]
    phases: int
    rounds: int
    escapes: int


def run_algorithm1(
    oracle: Any, x: FloatArray, *, eta: float, chi: float, R: float, Gamma: int, Q: int, restart: str, limit: int | None
) -> PsgdTrace:
    """Run Algorithm 1 from x until it returns, the samples run out, or `limit` steps are taken; return its PsgdTrace."""
    steps: list[tuple[FloatArray, FloatArray, bool, bool]] = []
    phases = rounds = escapes = 0

    def ends(status: str, anchor: FloatArray | None = None) -> PsgdTrace:
        return PsgdTrace(status, anchor, x, steps, phases, rounds, escapes)

    while True:
        held, before = copy.deepcopy(oracle.state), oracle.fresh
        ghat = oracle.ask(x, False)  # step 4
        if ghat is None:
            return ends("out of samples")
        if np.linalg.norm(ghat) > 3 * chi:  # step 5; 22
            if len(steps) == limit:
                return ends("step limit")
            steps.append((x, ghat, False, oracle.fresh > before))
            x = x - eta * ghat
            continue
        tilde, esc = x, False  # step 6
        phases += 1
        for _ in range(Q):
            rounds += 1
            x = tilde  # step 8
            if restart == "history":
                oracle.state = copy.deepcopy(held)
            for tau in range(1, Gamma + 1):
                before = oracle.fresh
                ghat = oracle.ask(x, restart == "renew" and tau == 1)  # step 10
                if ghat is None:
                    return ends("out of samples")
                if len(steps) == limit:
                    return ends("step limit")
                steps.append((x, ghat, True, oracle.fresh > before))
                x = x - eta * ghat  # step 11
                if np.linalg.norm(x - tilde) >= R:  # step 12
                    esc = True
                    break
            if esc:
                break
        if not esc:
            return ends("returned", tilde)  # step 20
        escapes += 1
