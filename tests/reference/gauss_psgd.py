"""Reference implementations of the oracles and loops around Gauss-PSGD: plain NumPy, per-sample gradients, all events kept in lists.

Algorithms 1 to 3 themselves are in the checks of the paper, `paper_checks.gauss_psgd.algorithms.plain_algorithms`; here are, in the same
form, the other oracles and the other loops. An oracle's `ask(x, fresh)` returns an estimate of the gradient, None when out of samples.
`gradient(x)` is that of F, `sample_gradient(x, z)` that of f(.; z), samples[j] the samples of client j.
"""

import numpy as np

from paper_checks.gauss_psgd.algorithms import plain_algorithms


def exact(gradient, rng, *, zeta, sigma):
    """Return the oracle of exact gradients with sampling error of length zeta and Gaussian noise sigma."""
    return plain_algorithms.ExactOracle(gradient, rng, zeta=zeta, sigma=sigma)


class Sampled(plain_algorithms.SampleOracle):
    """An oracle that estimates gradients from batches of samples, given the gradient of a sample."""

    def __init__(self, sample_gradient, samples, rng, **numbers):
        super().__init__(lambda x, batch: np.mean([sample_gradient(x, z) for z in batch], axis=0), samples, rng, **numbers)


class ada_dp_spider(Sampled, plain_algorithms.AdaDpSpider):
    """Ada-DP-SPIDER: Algorithm 2 for one client, Algorithm 3 for several."""


class sgd(Sampled):
    """DP-SGD: every estimate is a fresh noised mean over batches."""

    def ask(self, x, fresh):
        batches = self.batches(self.numbers["b_1"])
        if batches is None:
            return None
        self.calls += 1
        self.fresh += 1
        return np.mean([self.mean(x, batch) + self.numbers["sigma_1"] * self.rng.standard_normal(len(x)) for batch in batches], axis=0)


class dp_spider(Sampled):
    """DP-SPIDER: a fresh gradient after `period` estimates."""

    def ask(self, x, fresh):
        ask = fresh or self.state["first"] or self.state["since"] == self.numbers["period"]
        out = self.spider_estimate(x, ask)
        if out is not None:
            self.state["since"] = 1 if ask else self.state["since"] + 1
        return out


class query_dp_spider(Sampled):
    """DP-SPIDER with a fresh gradient when the squared moves since the last one reach kappa, the move to the query point included."""

    def ask(self, x, fresh):
        moved = 0.0 if self.state["first"] else self.state["drift"] + np.sum((x - self.state["point"]) ** 2)
        ask = fresh or self.state["first"] or moved >= self.numbers["kappa"]
        out = self.spider_estimate(x, ask)
        if out is not None:
            self.state["drift"] = 0.0 if ask else moved
        return out


def gauss_psgd(oracle, x, **settings):
    """Run Algorithm 1; return status, returned point (x~ or the last iterate), last iterate, steps, and counts by name."""
    walk = plain_algorithms.run_algorithm1(oracle, x, **settings)
    tally = {"steps": len(walk.steps), "phases": walk.phases, "rounds": walk.rounds, "escapes": walk.escapes}
    return walk.status, walk.last if walk.anchor is None else walk.anchor, walk.last, walk.steps, tally


def frozen_psgd(oracle, x, rng, *, eta, threshold, extra, frozen_steps, limit):
    """Run the earlier method; return status, last iterate and steps. A step with extra noise counts as part of an escape phase."""
    steps, thaws, g = [], 0, None
    while True:
        near, before = g is not None and np.linalg.norm(g) <= threshold and len(steps) >= thaws, oracle.fresh
        g = oracle.ask(x, near)
        if g is None:
            return "out of samples", x, steps
        if near:
            thaws = len(steps) + frozen_steps
            xi = extra * rng.standard_normal(len(x))
            g = g + xi
            oracle.state["sent"] = [message + xi for message in oracle.state["sent"]]
        if len(steps) == limit:
            return "step limit", x, steps
        steps.append((x, g, near, oracle.fresh > before))
        x = x - eta * g


def perturbed_descent(value, gradient, x, rng, *, eta, zeta, sigma, T):
    """Run T steps of noisy gradient descent from x; return the values and the distances from the start, (T + 1,) each."""
    start, values, distances = x, [value(x)], [0.0]
    noisy = exact(gradient, rng, zeta=zeta, sigma=sigma)
    for _ in range(T):
        x = x - eta * noisy.ask(x, False)
        values.append(value(x))
        distances.append(np.linalg.norm(x - start))
    return values, distances


def coupled_descent(gradient, x, v, rng, *, eta, zeta, sigma, T):
    """Run a coupled pair, whose noise has opposite signs along v; return both distances from the start and that of the pair, (3, T + 1)."""
    start, y, rows = x, x, [(0.0, 0.0, 0.0)]
    for _ in range(T):
        sampling = 0.0
        if zeta > 0:
            z = rng.standard_normal(len(x))
            sampling = zeta * z / np.linalg.norm(z)
        xi = sigma * rng.standard_normal(len(x))
        twin_xi = xi - 2 * (v @ xi) * v
        x, y = x - eta * (gradient(x) + sampling + xi), y - eta * (gradient(y) + sampling + twin_xi)
        rows.append((np.linalg.norm(x - start), np.linalg.norm(y - start), np.linalg.norm(x - y)))
    return np.array(rows).T
