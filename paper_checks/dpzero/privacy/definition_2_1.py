"""Checks of Definition 2.1 and what the algorithms' privacy rests on: neighbours, sensitivity, the unit of sigma, released values."""

import itertools
import math
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from mpmath import mp

from bounds import privacy
from bounds import symbols as s
from bounds.privacy import random_iterate, subsampled
from bounds.proofs.inequalities import is_zero
from paper_checks.dpzero.privacy.lemma_2_2 import PRINTED_LEMMA, printed_log
from paper_checks.record import Record
from paper_checks.shared.privacy import DIGITS, check_noise_unit, mean_delta
from paper_checks.verdict import Finding, not_testable


def check_sigma_as_variance(*, epsilon: float, delta: float, n: int, T: int, C: float) -> Finding:
    """Check whether noise of variance (not deviation) equal to the printed sigma is private, by the exact delta; return a Finding."""
    computed = privacy.sigma_lemma_2_2(epsilon=epsilon, delta=delta, T=T, sensitivity=2 * C / n)
    with mp.workdps(DIGITS):
        printed, moved = 4 * mp.mpf(C) * mp.sqrt(2 * T * printed_log(epsilon, delta)) / (n * mp.mpf(epsilon)), 2 * mp.mpf(C) / n
    at = {"epsilon": epsilon, "delta": delta, "n": n, "T": T, "C": C}
    return check_noise_unit(printed=printed, epsilon=epsilon, delta=delta, T=T, sensitivity=moved, computed=computed, at=at)


def check_neighbours_as_sets(*, largest_n: int) -> Finding:
    """Check whether data sets that differ as sets by one record keep the sensitivity 2C/n, by exhaustive search; return a Finding.

    A record's clipped gradient is -C or +C. The witness holds the distance in units of 2C/n, at the smallest n where it exceeds 1.
    """
    tried = 0
    for n in range(1, largest_n + 1):
        worst, at = 0.0, {}
        for one, two in itertools.product(itertools.combinations_with_replacement("abc", n), repeat=2):
            if max(len(set(one) - set(two)), len(set(two) - set(one))) != 1:
                continue
            for signs in itertools.product((-1, 1), repeat=3):
                sign = dict(zip("abc", signs, strict=True))
                distance = abs(sum(sign[x] for x in one) - sum(sign[x] for x in two)) / 2
                tried += 1
                if distance > worst:
                    worst, at = distance, {"S": "".join(one), "S'": "".join(two), "gradient / C": sign, "n": n}
        if worst > 1:
            sentence = "S = {S}, S' = {S'}: the clipped means differ by ".format_map(at) + f"{worst:g} times 2C/n"
            return Record({"pairs tried": tried}).refute(sentence, {**at, "distance / (2C/n)": worst})
    return Record({"pairs tried": tried}).conclude(f"at most 2C/n for each of {tried} pairs")


def check_randomised_sensitivity(*, n: int) -> Finding:
    """Check whether ||A(S) - A(S')|| <= 2C/n also for two runs with different directions, by one example; return a Finding."""
    L, d, w = (1.0, 2, np.array([1.0, 1.0]) / math.sqrt(2))  # every record, the replaced one too, has f(x) = L w'x; C = L d
    gradients = [L * float(w @ u) * u for u in math.sqrt(d) * np.eye(d)]
    one, two = (g * min(1.0, L * d / float(np.linalg.norm(g))) for g in gradients)  # each the mean of n equal vectors
    distance, declared = float(np.linalg.norm(one - two)), 2 * L * d / n
    record = Record({"distance": distance, "2C/n": declared})
    if distance > declared:
        witness = {"d": d, "n": n, "f": "L w'x, w = (1, 1)/sqrt(2)", "u": "(sqrt(2), 0)", "u'": "(0, sqrt(2))", **record.numbers}
        differ = f"updates differ by {distance:.4g}, 2C/n = {declared:.4g}"
        record.refute(f"on neighbours of equal losses, with independent directions, {differ}", witness)
    return record.conclude("within 2C/n")


def check_last_release(*, steps: int) -> Finding:
    """Check that x_t depends on z_0, ..., z_{t-1} only, so that x_tau uses at most T - 1 releases, by symbolic runs; return a Finding."""
    x_0, alpha, u, record = sp.Symbol("x_0"), sp.Symbol("alpha"), sp.Function("u"), Record({"steps run": steps})
    mean, z = sp.Function("mean"), [sp.Symbol(f"z_{t}") for t in range(steps)]
    for scalar_noise in (False, True):
        iterates = [x_0]
        for t in range(steps):
            x = iterates[-1]
            iterates.append(x - alpha * ((mean(x, u(t)) + z[t]) * u(t) if scalar_noise else mean(x, u(t)) + z[t]))
        for t, x in enumerate(iterates):
            if x.free_symbols & {*z} != {*z[:t]}:
                record.refute(f"x_{t} depends on other noises", {"t": t, "x_t": str(x)})
    for T in range(1, steps + 1):
        used = max(len(iterates[tau].free_symbols & set(z)) for tau in range(T))  # tau in 0..T-1
        if used != T - 1:
            record.refute(f"x_tau uses {used} of {T} releases", {"T": T, "used": used})
    ratio = PRINTED_LEMMA.subs(s.T, s.T - 1) / PRINTED_LEMMA
    sigma = partial(privacy.sigma_gaussian, epsilon=2.0, delta=1e-5, sensitivity=1.0)
    exact = [sigma(T=T - 1) / sigma(T=T) / math.sqrt((T - 1) / T) for T in (2, 10, 10_000)]
    record.note({"exact sigma ratio over sqrt((T-1)/T)": exact})
    if not is_zero(ratio**2 - (s.T - 1) / s.T) or not max(abs(one - 1) for one in exact) < 1e-12:
        record.leave_open("the ratio of the two sigmas is another one")
    return record.prove("x_t depends on z_0, ..., z_{t-1}, and sigma grows like sqrt(T)")


def check_random_iterate_noise(*, points: tuple[tuple[float, float, int], ...]) -> Finding:
    """Check that `random_iterate.sigma_uniform` is the least private sigma for x_tau, to 0.01 %, by exact delta; return a Finding.

    The exact delta is the mean of T Gaussian curves, which a walk on a line attains.
    """
    record = Record()
    for epsilon, delta, T in points:
        sigma = random_iterate.sigma_uniform(epsilon=epsilon, delta=delta, T=T, sensitivity=1.0)
        with mp.workdps(30):
            true, less = (mean_delta(mp.mpf(epsilon), 1 / mp.mpf(deviation), T) for deviation in (sigma, 0.9999 * sigma))
        if true > delta or less < delta:
            at = {"epsilon": epsilon, "delta": delta, "T": T, "sigma / sensitivity": sigma, "delta spent": float(true)}
            record.refute(f"sigma = {sigma:.6g} sensitivities is not the least that is private for x_tau", at)
        path = privacy.sigma_gaussian(epsilon=epsilon, delta=delta, T=T, sensitivity=1.0)
        record.note({f"sigma over that of the path at ({epsilon:g}, {delta:g}), T = {T}": sigma / path})
    return record.conclude(f"private, and 0.01% less is not, at {len(points)} settings")


def report_minibatch_noise(*, epsilon: float, delta: float, n: int, T: int, C: float, batch: int, relations: tuple[str, ...]) -> Finding:
    """Return a NOT_TESTABLE Finding: what the paper leaves open on mini-batch runs, and sigma / C for Poisson sampling there."""
    numbers: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "n": n, "batch": batch, "T": T}
    for neighbours in relations:
        sensitivity = (2 if neighbours == "replace_one" else 1) / batch
        batches: Any = {"q": batch / n, "sensitivity": sensitivity, "neighbours": neighbours, "sampling": "poisson"}
        numbers[f"sigma / C, Poisson, {neighbours}"] = subsampled.sigma_subsampled(epsilon=epsilon, delta=delta, T=T, **batches)
    others = (
        ("Lemma 2.2, full batch", privacy.sigma_lemma_2_2, n),
        ("exact, full batch", privacy.sigma_gaussian, n),
        ("Lemma 2.2, batch, no amplification", privacy.sigma_lemma_2_2, batch),
    )
    numbers |= {f"sigma / C, {name}": noise(epsilon=epsilon, delta=delta, T=T, sensitivity=2 / size) for name, noise, size in others}
    sentence = "sampling scheme, sigma and accountant of the mini-batch runs are not stated; Lemma 2.2 covers the full batch only"
    return not_testable(sentence, numbers)
