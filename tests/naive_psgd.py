"""Slow, obvious twins of Gauss-PSGD and its oracles: plain NumPy, per-sample gradients, everything that happened kept in lists.

An oracle is a class with `ask(x, fresh)`, which returns the estimate or None when the samples are used up; `copy.deepcopy` of its `state`
is its memory. `gradient(x)` is that of F, `sample_gradient(x, z)` that of f(.; z), samples[j] the list of client j's samples.
"""

import copy

import numpy as np


class exact:
    def __init__(self, gradient, rng, *, zeta, sigma):
        self.gradient, self.rng, self.zeta, self.sigma = gradient, rng, zeta, sigma
        self.state, self.calls, self.fresh, self.used = {}, 0, 0, 0

    def ask(self, x, fresh):
        g = self.gradient(x)
        if self.zeta > 0:
            z = self.rng.standard_normal(len(x))
            g = g + self.zeta * z / np.linalg.norm(z)
        if self.sigma > 0:
            g = g + self.sigma * self.rng.standard_normal(len(x))
        self.calls += 1
        self.fresh += 1
        return g


class Sampled:
    """What the oracles with samples share: each client hands out its samples once, from the front."""

    def __init__(self, sample_gradient, samples, rng, **numbers):
        self.sample_gradient, self.rng, self.numbers = sample_gradient, rng, numbers
        self.waiting = [list(client) for client in samples]
        self.calls = self.fresh = self.used = 0
        self.state = {"first": True, "sent": None, "point": None, "since": 0, "drift": 0.0}

    def batches(self, b):
        if len(self.waiting[0]) < b:
            return None
        taken = [client[:b] for client in self.waiting]
        self.waiting = [client[b:] for client in self.waiting]
        self.used += b
        return taken

    def mean(self, x, batch):
        return np.mean([self.sample_gradient(x, z) for z in batch], axis=0)

    def spider(self, x, ask):
        """One call of SPIDER on every client; None without samples."""
        k, state = self.numbers, self.state
        batches = self.batches(k["b_1"] if ask else k["b_2"])
        if batches is None:
            return None
        sent = []
        for j, batch in enumerate(batches):
            if ask:
                g, scale = self.mean(x, batch), k["sigma_1"]
            else:
                g = state["sent"][j] + self.mean(x, batch) - self.mean(state["point"], batch)
                scale = k["sigma_2"] * np.linalg.norm(x - state["point"])
            sent.append(g + scale * self.rng.standard_normal(len(x)))
        state["sent"], state["point"], state["first"] = sent, x.copy(), False
        self.calls += 1
        self.fresh += ask
        return np.mean(sent, axis=0)


class sgd(Sampled):
    def ask(self, x, fresh):
        batches = self.batches(self.numbers["b_1"])
        if batches is None:
            return None
        self.calls += 1
        self.fresh += 1
        return np.mean([self.mean(x, batch) + self.numbers["sigma_1"] * self.rng.standard_normal(len(x)) for batch in batches], axis=0)


class dp_spider(Sampled):
    def ask(self, x, fresh):
        ask = fresh or self.state["first"] or self.state["since"] == self.numbers["period"]
        out = self.spider(x, ask)
        if out is not None:
            self.state["since"] = 1 if ask else self.state["since"] + 1
        return out


class ada_dp_spider(Sampled):
    def ask(self, x, fresh):
        ask = fresh or self.state["first"] or self.state["drift"] >= self.numbers["kappa"]
        out = self.spider(x, ask)
        if out is not None:
            self.state["drift"] = (0 if ask else self.state["drift"]) + self.numbers["eta"] ** 2 * np.sum(out**2)
        return out


class query_dp_spider(Sampled):
    def ask(self, x, fresh):
        moved = 0.0 if self.state["first"] else self.state["drift"] + np.sum((x - self.state["point"]) ** 2)
        ask = fresh or self.state["first"] or moved >= self.numbers["kappa"]
        out = self.spider(x, ask)
        if out is not None:
            self.state["drift"] = 0.0 if ask else moved
        return out


def gauss_psgd(oracle, x, *, eta, chi, R, Gamma, Q, restart, limit):
    """Algorithm 1 line by line. Return (status, x~ or the last iterate, last iterate, steps, tally).

    A step is (where it began, its estimate, whether it belongs to an escape phase, whether the estimate was an O_1).
    """
    steps, tally = [], {"steps": 0, "phases": 0, "rounds": 0, "escapes": 0}
    while True:
        held, before = copy.deepcopy(oracle.state), oracle.fresh
        g = oracle.ask(x, False)
        if g is None:
            return "out of samples", x, x, steps, tally
        if np.linalg.norm(g) <= 3 * chi:
            tally["phases"] += 1
            anchor, esc = x, False
            for _ in range(Q):
                tally["rounds"] += 1
                x = anchor
                if restart == "history":
                    oracle.state = copy.deepcopy(held)
                for tau in range(1, Gamma + 1):
                    before = oracle.fresh
                    g = oracle.ask(x, restart == "renew" and tau == 1)
                    if g is None:
                        return "out of samples", x, x, steps, tally
                    if tally["steps"] == limit:
                        return "step limit", x, x, steps, tally
                    steps.append((x, g, True, oracle.fresh > before))
                    x = x - eta * g
                    tally["steps"] += 1
                    if np.linalg.norm(x - anchor) >= R:
                        esc = True
                        break
                if esc:
                    break
            if not esc:
                return "returned", anchor, x, steps, tally
            tally["escapes"] += 1
        else:
            if tally["steps"] == limit:
                return "step limit", x, x, steps, tally
            steps.append((x, g, False, oracle.fresh > before))
            x = x - eta * g
            tally["steps"] += 1


def frozen_psgd(oracle, x, rng, *, eta, threshold, extra, frozen_steps, limit):
    """The earlier method. Return (status, last iterate, steps as above); a disturbed step counts as one of an escape phase."""
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
    """Return the values and the distances from the start of T steps."""
    start, values, distances = x, [value(x)], [0.0]
    noisy = exact(gradient, rng, zeta=zeta, sigma=sigma)
    for _ in range(T):
        x = x - eta * noisy.ask(x, False)
        values.append(value(x))
        distances.append(np.linalg.norm(x - start))
    return values, distances


def coupled_descent(gradient, x, v, rng, *, eta, zeta, sigma, T):
    """Return the distances of both runs from their start, and from each other."""
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
