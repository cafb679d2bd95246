"""Checks of questions about low-rank private training: what a projection saves, what a stale subspace costs, what noise hides.

All of it is about one layer G (m, n) and one step, or steps without noise, drawn with plain NumPy; the moments are those of the theory.
"""

import math
from typing import Any

import numpy as np
import sympy as sp
from scipy import stats
from threadpoolctl import threadpool_limits

from bounds.dp_grape.moments import Projection, stretch
from bounds.symbols import symbols
from paper_checks.compare import LEVEL
from paper_checks.dp_grape.moments import PARTS, Array, squared_lengths
from paper_checks.record import Record
from paper_checks.shared.findings import check_condition, check_sample_means, standard_errors_above
from paper_checks.verdict import Finding

(r,) = symbols("subspace")
one_thread = threadpool_limits.wrap(limits=1, user_api="blas")  # matrices of a hundred rows: a second thread costs more than it brings


def gaussian_projections(rng: np.random.Generator, runs: int, m: int, dimension: int) -> Array:
    """Return drawn projections (runs, m, dimension) with N(0, 1/dimension) entries."""
    return rng.normal(size=(runs, m, dimension)) / math.sqrt(dimension)


def orthonormal_matrices(rng: np.random.Generator, runs: int, m: int, dimension: int) -> Array:
    """Return drawn matrices (runs, m, dimension) with orthonormal columns whose spans are uniform."""
    found: Array = np.linalg.qr(rng.normal(size=(runs, m, dimension)))[0]
    return found


def check_noise_depends_on_r(*, m: int, n: int, dimensions: tuple[int, ...], runs: int, seed: int) -> Finding:
    """Check that the noise of a step, mapped back to the full space, depends on r, by pairings and draws; return a Finding."""
    mapped_back, drawn = PARTS["noise"][0](), dict[str, tuple[Array, float]]()
    for one in dimensions:
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(one,)))
        Z = rng.normal(size=(runs, one, n))
        gaussian, orthonormal = gaussian_projections(rng, runs, m, one), math.sqrt(m / one) * orthonormal_matrices(rng, runs, m, one)
        for name, P in (("Gaussian", gaussian), ("orthonormal", orthonormal)):
            drawn[f"r = {one}, {name}"] = ((P @ Z) ** 2).mean(axis=(1, 2)), 1.0
    words = f"mapped back, the noise is {sp.sstr(mapped_back)} by pairings: r/m of it inside, stretched by m/r"
    return check_sample_means(drawn, check_condition(mapped_back.has(r), words, {"by pairings": sp.sstr(mapped_back)}), seed)


def check_coordinate_scale(*, m: int, n: int, dimensions: tuple[int, ...], runs: int, seed: int) -> Finding:
    """Check that the mean square of an entry of P'G is m/r times that of an entry of G, by draws; return a Finding."""
    rng, drawn = np.random.default_rng(seed), dict[str, tuple[Array, float]]()
    G = rng.normal(size=(m, n))
    for one in dimensions:
        squares = squared_lengths(gaussian_projections(rng, runs, m, one), G) / (one * n)
        drawn[f"r = {one}"] = squares / (G**2).mean(), m / one
    return check_sample_means(drawn, Record().conclude("a coordinate of P'G is larger by sqrt(m/r), its noise is that of any other"), seed)


@one_thread
def check_stale_subspace(*, m: int, n: int, dimension: int, T: int, F: int, alpha: float, reach: float, runs: int, seed: int) -> Finding:
    """Check that exact descent with a new subspace every F steps leaves about (1 - r/m)^(T/F) of the error; return a Finding."""
    rng = np.random.default_rng(seed)
    E = np.broadcast_to(rng.normal(size=(m, n)), (runs, m, n)).copy()
    first = float((E[0] ** 2).sum())
    for _ in range(T // F):
        U, s, _ = np.linalg.svd(gaussian_projections(rng, runs, m, dimension), full_matrices=False)
        E -= U @ ((1 - (1 - alpha * s**2) ** F)[:, :, None] * (U.transpose(0, 2, 1) @ E))
    left, floor = (E**2).sum(axis=(1, 2)) / first, (1 - dimension / m) ** (T // F)
    off, mean = standard_errors_above(left, floor), float(left.mean())
    numbers = {"E ||e_T||^2 / ||e_0||^2": mean, "(1 - r/m)^(T/F)": floor, "standard errors above": off, "runs": runs}
    words = f"{T // F} subspaces of {dimension} of {m} dimensions: {mean:.4g} is left, {floor:.4g} expected"
    return check_condition(off >= -float(stats.norm.isf(LEVEL)) and mean <= reach * floor, words, numbers, false_alarm=LEVEL, seed=seed)


def check_any_update(*, m: int, dimension: int, T: int, F: int, drawn: tuple[int, int], runs: int, seed: int) -> Finding:
    """Check that any update P X leaves 1 - S r/m of the squared distance, outside the span of S subspaces; return a Finding.

    This includes Adam's and noisy updates. The span of S = ceil(T/F) subspaces has S r dimensions, is uniform and independent of data:
    (1 - S r/m) ||e_0||^2 is outside it. `drawn` are m and r of smaller layers, with the same S.
    """
    S, rng, (small, few) = -(-T // F), np.random.default_rng(seed), drawn
    Q = orthonormal_matrices(rng, runs, small, S * few)
    e = rng.normal(size=(small, 1))
    left, exact = 1 - S * dimension / m, (1 - dimension / m) ** S
    words = f"{S} subspaces span {S * dimension} of {m} dimensions: {100 * left:.1f} % of the squared distance are left by any update"
    record = Record({"left": left, "by exact descent, (1 - r/m)^S": exact})
    smaller = {"left in smaller layers": (1 - squared_lengths(Q, e) / (e**2).sum(), 1 - S * few / small)}
    return check_sample_means(smaller, record.prove(f"{words}, {100 * exact:.1f} % by exact descent in each"), seed)


def check_old_moment(*, m: int, n: int, dimension: int, beta1: float, steps: tuple[int, ...], still: bool, runs: int, seed: int) -> Finding:
    """Check that Adam's first moment points along a constant G at a new subspace (`still`) or recovers soon; return a Finding.

    Mapped back by P_2 it gains 1 - beta1^j along G in j steps.
    still   the claim is that the moment points along G at the change, j = 0; otherwise, that it comes back in about 1/(1 - beta1) steps
    """
    rng, drawn = np.random.default_rng(seed), dict[str, tuple[Array, float]]()
    G, old, new = rng.normal(size=(m, n)), gaussian_projections(rng, runs, m, dimension), gaussian_projections(rng, runs, m, dimension)
    before, fresh, length = old.transpose(0, 2, 1) @ G, new.transpose(0, 2, 1) @ G, (G**2).sum()
    for j in (0, *steps):
        along = ((new @ (beta1**j * before + (1 - beta1**j) * fresh)) * G).sum(axis=(1, 2)) / length
        drawn[f"along G after {j} steps"] = along, 1 - beta1**j
    drawn["squared length at the change, m/r"] = ((new @ before) ** 2).sum(axis=(1, 2)) / length, m / dimension
    changed, folding = cosines(new @ before, G), -1 / math.log(beta1)
    numbers = {"cosine at the change": float(changed.mean()), "in its own subspace": float(cosines(old @ before, G).mean())}
    numbers["e-folding time"] = folding
    words = f"at the change its cosine is {changed.mean():.3f} in the mean"
    words += f"; it comes back like 1 - beta1^j, in {folding:.3g} steps to 1 - 1/e"
    # -1/log(beta1) against 1/(1 - beta1), beta1 = 0.9: 9.49 against 10
    holds = standard_errors_above(changed, 0.0) > float(stats.norm.isf(LEVEL)) if still else abs(folding * (1 - beta1) - 1) <= 0.06
    return check_sample_means(drawn, check_condition(holds, words, numbers), seed)


def cosines(updates: Array, G: Array) -> Array:
    """Return the cosine (runs,) of every update (runs, m, n) with the gradient G (m, n)."""
    found: Array = (updates * G).sum(axis=(1, 2)) / np.sqrt((updates**2).sum(axis=(1, 2)) * (G**2).sum())
    return found


@one_thread
def update_cosines(*, snr: float, m: int, n: int, rank: int, dimension: int, runs: int, seed: int) -> dict[str, Array]:
    """Return {method: cosines (runs,) with G of its updates} for DP-SGD, DP-GRAPE and naive DP-GaLore ("SVD", "random").

    G has `rank` equal singular values, ||G|| = 1, and sigma^2 m n = 1/snr^2. Naive DP-GaLore takes the singular vectors of an earlier noisy
    gradient, or a random subspace. The distributions of noise and of P are the same in every basis: G is diagonal.
    """
    rng, sigma, found = np.random.default_rng(seed), 1 / (snr * math.sqrt(m * n)), dict[str, list[Array]]()
    G = np.zeros((m, n))
    G[range(rank), range(rank)] = 1 / math.sqrt(rank)
    for start in range(0, runs, 50):
        some = min(50, runs - start)
        private, earlier = G + sigma * rng.normal(size=(2, some, m, n))
        P, Q = gaussian_projections(rng, some, m, dimension), orthonormal_matrices(rng, some, m, dimension)
        U = np.linalg.eigh(earlier @ earlier.transpose(0, 2, 1))[1][:, :, -dimension:]
        made = {"DP-SGD": private, "DP-GRAPE": P @ (P.transpose(0, 2, 1) @ G + sigma * rng.normal(size=(some, dimension, n)))}
        made |= {name: one @ (one.transpose(0, 2, 1) @ private) for name, one in (("SVD", U), ("random", Q))}
        for name, one in made.items():
            found.setdefault(name, []).append(cosines(one, G))
    return {name: np.concatenate(one) for name, one in found.items()}


def check_direction_order(*, snrs: tuple[float, ...], rivals: tuple[str, ...], **size: int) -> Finding:
    """Check that DP-GRAPE's mean cosine with G is above its rivals' at every signal-to-noise ratio, by runs; return a Finding."""
    numbers, apart, level = dict[str, Any](), dict[str, float](), float(stats.norm.isf(LEVEL / len(snrs) / len(rivals)))
    for snr in snrs:
        found = update_cosines(snr=snr, **size)
        numbers[f"snr {snr:g}"] = {name: float(one.mean()) for name, one in found.items()}
        apart |= {f"snr {snr:g}, {rival}": standard_errors_above(found["DP-GRAPE"] - found[rival], 0.0) for rival in rivals}
    words = "; ".join(f"{at}: " + ", ".join(f"{name} {one:.3f}" for name, one in row.items()) for at, row in numbers.items())
    numbers["DP-GRAPE ahead, in standard errors"] = apart
    if -level <= min(apart.values()) < level:
        return Record(numbers, seed=size["seed"]).leave_open(f"{words}: too close; more runs would settle it")
    return check_condition(min(apart.values()) >= level, words, numbers, false_alarm=LEVEL, seed=size["seed"])


def check_direction_of_sgd(*, m: int, n: int, dimension: int, snrs: tuple[float, ...]) -> Finding:
    """Check that DP-GRAPE's E<G, u>^2/(||G||^2 E||u||^2) is above DP-SGD's at some signal-to-noise ratio; return a Finding."""
    kinds: tuple[Projection, ...] = ("left", "orthonormal", "none")
    kappa = {one: stretch(one, rows=m, columns=n, r=dimension) for one in kinds}
    found = {snr: {one: (value + snr**-2) ** -0.5 for one, value in kappa.items()} for snr in snrs}
    left, none = (found[max(snrs)][one] for one in ("left", "none"))
    words = f"the cosine of the mean with kappa = {kappa['left']:g} is at snr = {max(snrs):g} {left:.3f}, without a projection {none:.3f}"
    better = any(row["left"] > row["none"] for row in found.values())
    return check_condition(better, words, {"cosines, by snr": found, "kappa": kappa})
