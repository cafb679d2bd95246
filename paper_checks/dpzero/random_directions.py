"""Checks of our privacy bound for Algorithm 2 with Lipschitz losses and random public directions: the curve, an attack, and a plan.

The curve is computed here a second time from its definition: the mean over the chi distribution of the exact curve of one Gaussian
release, in long arithmetic. The attack uses two neighbouring data sets with linear losses, for which the shifts have a known distribution.
"""

import math
from typing import Any

import numpy as np
from mpmath import mp

from bounds.dpzero.sharp_schedule import sharp_plan
from bounds.privacy import random_shifts
from paper_checks.record import Record
from paper_checks.shared.privacy import exact_delta, mean_delta
from paper_checks.verdict import Finding

UNITS = {"L": 1.0, "ell": 1.0, "gap": 1.0}


def chi_mean_delta(epsilon: float, a: float, k: int) -> Any:
    """Return E delta(epsilon; a X), the Gaussian privacy curve averaged over X, the norm of k independent N(0, 1), by quadrature."""
    half = mp.mpf(k) / 2
    centre, size = mp.sqrt(k), mp.mpf(a)

    def weighted(x: Any) -> Any:
        density = 2 * mp.exp((k - 1) * mp.log(x) - x * x / 2 - half * mp.log(2) - mp.loggamma(half))
        return density * exact_delta(mp.mpf(epsilon), size * x)

    return mp.quad(weighted, sorted({mp.mpf(0), *(max(centre + shift, mp.mpf(0)) for shift in (-9, -2, 1, 4, 8, 14))}))


def check_random_shifts_curve(*, points: tuple[tuple[float, float, int], ...]) -> Finding:
    """Check that `random_shifts.delta_random_shifts` is 0 to 1e-5 (relative) above its definition, by quadrature; return a Finding."""
    record, excesses = Record(), []
    if not points:
        return record.leave_open("no point was tried")
    for epsilon, mu, T in points:
        a = mu / math.sqrt(T)
        with mp.workdps(20):
            released = {"path": chi_mean_delta(epsilon, a, T), "uniform": mp.fsum(chi_mean_delta(epsilon, a, k) for k in range(1, T)) / T}
            for name, exact in released.items():
                ours = random_shifts.delta_random_shifts(epsilon=epsilon, sigma=1.0, T=T, scale=a, released=name)  # type: ignore[arg-type]
                excesses.append(float(ours / exact - 1) if exact else 0.0)
                if not 0 <= excesses[-1] < 1e-5:
                    at = {"epsilon": epsilon, "a": a, "T": T, "released": name, "delta": ours, "exact": float(exact)}
                    return record.refute(f"{name}: delta is {excesses[-1]:.3g} above the curve as it is defined", at)
    record.note({"tried": len(excesses), "largest excess": max(excesses)})
    return record.conclude(f"above the curve by at most {max(excesses):.2g} of it at {len(excesses)} points")


def check_linear_losses(*, dimensions: tuple[int, ...], runs: int, T: int, seed: int) -> Finding:
    """Check that linear losses L w'x against -L w'x spend no more delta than our bound, by drawn directions; return a Finding.

    The shifts are (2L/n) |w'u_t|. Given the directions the curve is exact. The mean of `runs` of them, each in [0, 1], is above its
    expectation by more than `error` with a probability below 1e-9 (Hoeffding), at each dimension.
    """
    chance, error, sigma, epsilon, shares = np.random.default_rng(seed), math.sqrt(math.log(1e9) / (2 * runs)), 2 * math.sqrt(T), 0.5, []
    record = Record({"error": error}, seed=seed)
    for d in dimensions:
        directions = chance.standard_normal((runs, T, d))
        along = math.sqrt(d) * directions[..., 0] / np.linalg.norm(directions, axis=2)
        lengths = 2 * np.sqrt((along**2).sum(axis=1)) / sigma
        reached = float(np.mean([float(exact_delta(epsilon, float(mu))) for mu in lengths]))
        bound = random_shifts.delta_random_shifts(epsilon=epsilon, sigma=sigma, T=T, scale=2 * math.sqrt(d / (d - 3)))
        record.note({f"reached / bound, d = {d}": reached / bound})
        shares.append(f"{reached / bound:.3f}")
        if reached > bound + error:
            return record.refute(f"d = {d}: linear losses reach {reached:.4g}, above {bound:.4g}", {"d": d, "T": T, "seed": seed})
    return record.conclude(f"linear losses reach {', '.join(shares)} of the bound at d = {', '.join(map(str, dimensions))}")


def check_lipschitz_plan(*, n: float, d: float, r: float, epsilon: float, delta: float, T_max: int) -> Finding:
    """Check that the sharp plan for Lipschitz losses spends delta, and that its clip alone gives `by_the_clip`; return a Finding."""
    problem: dict[str, Any] = {"n": n, "d": d, "r": r, "epsilon": epsilon, "delta": delta, "T_max": T_max, **UNITS}
    ours, plain = sharp_plan("dpzero", accountant="lipschitz", **problem), sharp_plan("dpzero", **problem)
    if ours.by_the_clip is None:
        return Record().leave_open("publishing x_0 is better here; a larger n would settle it")
    with mp.workdps(20):
        a = 2 * mp.sqrt(mp.mpf(d) / (mp.mpf(d) - 3)) / (n * mp.mpf(ours.sigma))
        spent = mp.fsum(chi_mean_delta(epsilon, float(a), k) for k in range(1, ours.T)) / ours.T
        by_the_clip = mean_delta(mp.mpf(ours.by_the_clip), 2 * mp.mpf(ours.C) / (n * mp.mpf(ours.sigma)), ours.T)
    record = Record({"T": ours.T, "sigma": ours.sigma, "delta spent": float(spent), "C": ours.C, "epsilon by the clip": ours.by_the_clip})
    record.note({"bound": ours.bound, "bound with the clip's noise": plain.bound})
    if spent > delta or spent < 0.999 * delta:
        record.refute(f"the plan's sigma spends {float(spent):.6g}, not delta = {delta:g}", record.numbers)
    if by_the_clip > delta:
        record.refute(f"the clip does not guarantee epsilon = {ours.by_the_clip:.4g}", record.numbers)
    return record.conclude(f"delta is spent, and the clip alone guarantees epsilon = {ours.by_the_clip:.4g} in place of {epsilon:g}")
