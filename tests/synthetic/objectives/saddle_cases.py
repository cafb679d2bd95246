"""One random instance of every loss with a saddle: its twin, its minima, and pairs of points between which its constants hold."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from synthetic.objectives.saddles import SaddleObjective
from tests.reference import saddles as naive
from theory_lab.methods.record import SADDLE

SADDLES = {name: SADDLE.made(name) for name in SADDLE.table}


@dataclass(frozen=True)
class Case:
    o: SaddleObjective
    arguments: dict[str, Any]
    F: Callable  # twin of F
    f: Callable  # twin of f(x; row)
    minima: list
    saddles: list
    pair: Callable  # rng -> two points whose segment lies where the constants hold


def size(rng):
    """A positive number from 0.2 to 5, as often below 1 as above."""
    return float(np.exp(rng.uniform(-1.6, 1.6)))


def ball(rng, d, radius):
    """A point in a ball, one time in three on its boundary."""
    v = rng.standard_normal(d)
    return v / np.linalg.norm(v) * radius * min(1.0, 1.5 * rng.random())


def two(draw):
    """Two points of a convex set: far apart, or close together."""

    def pair(rng):
        x, y = draw(rng), draw(rng)
        return x, x + (y - x) * float(10 ** rng.uniform(-5, 0))

    return pair


def make(name, rng, **sampling):
    """A random instance of the loss; `sampling` are spread, clients, heterogeneity, where it has them."""
    d = int(rng.integers(2, 6))
    e = np.eye(d)
    anywhere = two(lambda rng: rng.uniform(-30, 30, d))
    if name == "random_phase_cosines":
        arguments = {"A": size(rng), "w": size(rng), "h": rng.uniform(0.1, 3.0)}
        if rng.random() < 0.5:
            arguments["unstable_h"] = float(rng.choice([0.0, 0.7]))
        o = SADDLES[name](d, **arguments, phases=[0.4, -0.4, 0.0] if sampling.get("clients", 1) > 1 else None)
        phases = (0.4, -0.4, 0.0) if sampling.get("clients", 1) > 1 else (0.0,)
        F = lambda x: naive.cosines(x, **arguments, phases=phases)
        f = lambda x, row: naive.cosines_sample(x, row, A=arguments["A"], w=arguments["w"])
        top = np.pi / arguments["w"]
        return Case(o, arguments, F, f, [top * e[0], -top * e[0]], [o.saddle, top * (e[0] + e[1])], anywhere)
    if name == "phase_retrieval":
        arguments = {"reach": rng.uniform(1.0, 2.0)}
        o = SADDLES[name](d, **arguments)
        pair = two(lambda rng: ball(rng, d, arguments["reach"]))
        return Case(o, arguments, naive.phase_retrieval, naive.phase_sample, [e[0], -e[0]], [o.saddle, -o.saddle, 0 * e[0]], pair)
    if name == "matrix_factorisation":
        rows, rank = int(rng.integers(1, 4)), int(rng.integers(1, 4))
        eigenvalues = np.array([size(rng) for _ in range(rows)]) * np.concatenate([[1.0], rng.integers(0, 2, rows - 1)])
        arguments = {"eigenvalues": eigenvalues, "Lambda": eigenvalues.max() * rng.uniform(1.0, 2.0)}
        o = SADDLES[name](rows, rank, **arguments, **sampling)
        F = lambda x: naive.matrix_factorisation(x, eigenvalues=eigenvalues, rank=rank)
        best = np.zeros((rows, rank))
        for i, value in enumerate(np.sort(eigenvalues)[::-1][: min(rows, rank)]):
            best[i, i] = np.sqrt(value)

        def inside(rng):
            u, s, v = np.linalg.svd(rng.standard_normal((rows, rank)), full_matrices=False)
            return ((u * np.sqrt(arguments["Lambda"]) * np.minimum(1.0, 1.5 * rng.random(len(s)))) @ v).ravel()

        minima = [best.ravel(), -best.ravel()]
        return Case(o, arguments, F, lambda x, z: naive.tilted_loss(F, x, z), minima, [o.saddle, 0 * o.saddle], two(inside))
    if name == "slope":
        arguments = {"g": size(rng), "A_0": size(rng)}
        o = SADDLES[name](d, **arguments, **sampling)
        F = lambda x: naive.slope_term(x, **arguments)
        minima, saddles, pair = [-o.saddle, 3 * o.saddle], [o.saddle], anywhere
    elif name == "cubic_saddle":
        arguments = {"curvature": size(rng), "rho": size(rng), "stable": size(rng)}
        o = SADDLES[name](d, **arguments, **sampling)
        F = lambda x: naive.cubic_saddle(x, **arguments)
        low = 2 * arguments["curvature"] / arguments["rho"]
        minima, saddles, pair = [low * e[0], -low * e[0]], [o.saddle, 2 * low * e[0]], anywhere
    elif name == "quartic_saddle":
        arguments = {"curvature": size(rng), "k": size(rng), "stable": size(rng)}
        low = float(np.sqrt(arguments["curvature"] / arguments["k"]))
        if rng.random() < 0.7:
            arguments["reach"] = low * rng.uniform(1.0, 2.0)
        o = SADDLES[name](d, **arguments, **sampling)
        F = lambda x: naive.quartic_saddle(x, **arguments)
        minima, saddles, pair = [low * e[0], -low * e[0]], [o.saddle], anywhere
    else:
        arguments = {"L": size(rng), "gamma": size(rng), "tau": size(rng)}
        o = SADDLES["octopus"](d, **arguments, **sampling)
        F = lambda x: naive.octopus(x, **arguments)
        tau = arguments["tau"]

        def pair(rng):
            """Both ends in the convex piece of the tube that the i-th arm is."""
            i, signs = int(rng.integers(d)), rng.choice([-1.0, 1.0], d)

            def piece(rng):
                x = rng.uniform(-tau, tau, d)
                x[:i] = signs[:i] * rng.uniform(2 * tau, 6 * tau, i)
                x[i] = rng.uniform(-6 * tau, 6 * tau) if rng.random() < 0.3 else signs[i] * rng.uniform(0.9 * tau, 2.1 * tau)
                return x

            return two(piece)(rng)

        minima = [rng.choice([-4.0, 4.0], d) * tau for _ in range(3)]
        saddles = [np.where(np.arange(d) < i, 4 * tau, 0.0) for i in range(d)]
    return Case(o, arguments, F, lambda x, z: naive.tilted_loss(F, x, z), minima, saddles, pair)
