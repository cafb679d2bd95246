"""Checks of our own theorems: Theorem D.10 corrected in two forms, and the sharp theorem that replaces it; numbers, proofs, and runs."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from scipy import special, stats
from scipy.optimize import brentq

import bounds
from bounds.dp_grape import sharp_numbers
from bounds.dp_grape.recommend import certified_bound, recommend
from bounds.dp_grape.sharp_numbers import clip_loss, clip_spread
from paper_checks.compare import LEVEL, check_mean_below
from paper_checks.shared.findings import check_condition
from paper_checks.shared.search import Cases, check_allowances
from paper_checks.verdict import Finding, Outcome
from synthetic.methods.dp_grape import DP_GRAPE, DP_GRAPE_BLOCKS
from synthetic.objectives.matrices import matrix_cosine
from synthetic.runs.simulate import simulate

EXAMPLE = {"n": 10**7, "d": 10**4, "epsilon": 1.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0, "spread": 1.0, "layers": 10}
COSINES = cache(lambda steep: matrix_cosine("flat", 4, 2, 4, m=2) if steep else matrix_cosine("flat", 60, 256, 3, m=6, layers=2))
STANDARD_ERRORS = 7.0  # a normal number is further from its mean with probability 3e-12


def check_example(*, said: Mapping[str, float]) -> Finding:
    """Check that the printed formula, the corrected form and the sharp plan give the numbers `said` at EXAMPLE; return a Finding."""
    values = {name: value for name, value in EXAMPLE.items() if name not in ("epsilon", "delta", "gap")} | {"subspace": 8, "block": 1000}
    printed = bounds.THEOREMS["dp_grape.theorem_d10"].evaluate(**EXAMPLE, subspace=8)
    form, batch = bounds.THEOREMS["dp_grape.corrected_coordinates"], math.ceil(printed.schedule["batch"])
    alpha = 8 / 1009 * (1 - 1e-12)

    def corrected(K: float, tau: float) -> float:
        """Return the bound of the corrected form with C = K and T = tau / alpha."""
        sigma = 2 * math.sqrt(2) * K * math.sqrt(tau / alpha * math.log(1 / EXAMPLE["delta"])) / (EXAMPLE["n"] * EXAMPLE["epsilon"])
        return form.bound_at(**values, batch=batch, alpha=alpha, T=tau / alpha, C=K, sigma=sigma)

    first, K, tau = min((corrected(K, tau), K, tau) for K in np.arange(9.2, 10.01, 0.1) for tau in np.arange(1200.0, 1601.0, 40.0))
    plan = recommend("dp_grape_blocks", **EXAMPLE, r=8).sharp  # type: ignore[arg-type]
    beta, omega = clip_loss(8, plan.C), clip_spread(8, plan.C)
    run = {name: getattr(plan, name) for name in ("alpha", "T", "C", "sigma")}
    letters = {**{name: one for name, one in values.items() if name not in ("spread", "layers")}, "gap": EXAMPLE["gap"]}
    sharp = bounds.THEOREMS["dp_grape.sharp_clip_bias"].bound_at(**letters, **run, batch=EXAMPLE["n"], clip_loss=beta, clip_spread=omega)
    found = {"printed": printed.bound, "corrected": first, "sharp": sharp}
    numbers = {**found, "K": K, "tau": tau, **{f"sharp {name}": value for name, value in run.items()}, "beta": beta, "omega": omega}
    holds = all(f"{found[name]:.2g}" == f"{value:.2g}" for name, value in said.items())
    words = f"printed {printed.bound:.4f}, corrected {first:.4f} at K = {K:.1f}, sharp {sharp:.6f} at C = {plan.C:.2f}"
    return check_condition(holds, words, numbers)


@check_allowances("the largest mean share that clipping takes, over beta", reach=0.95)
def check_clip_loss(*, points: int) -> Cases:
    """Check that beta bounds the mean share of a gradient that clipping removes, by quantiles on a grid; return a Finding.

    The share is E (1 - c) ||p_k||^2: p_k has a share of the squared length, the other columns have the rest in equal parts.
    """
    at = (np.arange(points) + 0.5) / points
    for r in (1, 2, 4, 8, 64):
        own = stats.chi2.ppf(at, r + 2)[:, None] / r
        for others in (1, 2, 8):
            rest = stats.chi2.ppf(at, r * others)[None, :] / (r * others)
            for share in (1.0, 0.9, 0.6, 0.3, 0.05):
                squares = share * own + (1 - share) * rest
                for ratio in (0.2, 0.5, 1.0, 1.2, 1.5, 2.0):
                    mean = float(np.maximum(1 - ratio / np.sqrt(squares), 0).mean())
                    if mean > 0.3 / points:  # quantiles miss rarer events
                        yield mean / clip_loss(r, ratio), {"r": r, "others": others, "share": share, "C / Gamma": ratio}


@check_allowances("what clipping takes from a random layer in the mean, less seven standard errors, over beta and omega^2", reach=0.5)
def check_clip_loss_drawn(*, draws: int, seed: int) -> Cases:
    """Check that beta and omega^2 bound what clipping removes from a random layer, by drawn projections; return a Finding."""
    rng = np.random.default_rng(seed)
    for r, rank, ratio in ((1, 1, 1.0), (1, 2, 0.5), (2, 1, 1.0), (2, 3, 1.0), (4, 5, 0.7), (8, 1, 1.2), (8, 2, 1.0), (3, 5, 0.3)):
        G = rng.standard_normal((5, rank)) @ rng.standard_normal((rank, 7)) if rank < 5 else rng.standard_normal((5, 7))
        left, s, right = np.linalg.svd(G / np.linalg.norm(G), full_matrices=False)
        P = rng.standard_normal((draws, 5, r)) / math.sqrt(r)
        R = np.swapaxes(P, 1, 2) @ (left * s @ right)
        lost = np.maximum(1 - ratio / np.sqrt((R**2).sum((1, 2))), 0)[:, None, None] * (P @ R)
        inside = (left.T @ lost @ right.T)[:, :rank, :rank] / s[:rank]
        mean, error = inside.mean(0), inside.std(0) / math.sqrt(draws)
        square = (lost**2).sum((1, 2)) / ((5 + r + 1) / r)
        where = {"r": r, "rank": rank, "C / Gamma": ratio}
        yield float((np.diag(mean - STANDARD_ERRORS * error)).max() / clip_loss(r, ratio)), where
        yield float((square.mean() - STANDARD_ERRORS * square.std() / math.sqrt(draws)) / clip_spread(r, ratio) ** 2), where
        if rank > 1:  # no singular vector is turned into another
            turned = np.abs(mean) / np.where(error > 0, error, np.inf)
            yield float((turned - np.diag(np.diag(turned))).max() / STANDARD_ERRORS), {**where, "of": "other singular vectors"}


@check_allowances("the exact mean of the squared gradient on quadratics, without clipping, over the sharp bound", reach=0.99)
def check_sharp_bound(*, problems: int, seed: int) -> Cases:
    """Check that the exact mean squared gradient is at most the sharp bound, unclipped random quadratics; return a Finding."""
    rng = np.random.default_rng(seed)
    for _ in range(problems):
        r, block = int(rng.integers(1, 9)), int(10.0 ** rng.uniform(0.5, 3))
        d, ell, start, T = block * int(rng.integers(1, 50)), *(10.0 ** rng.uniform(-1, 1, 2)), int(10.0 ** rng.uniform(0.5, 6))
        stretch = (block + r + 1) / r
        alpha = float(10.0 ** rng.uniform(-4, 0)) / (ell * stretch)
        sigma = start * ell * math.sqrt(2 / (d * T)) / (alpha * ell) * float(10.0 ** rng.uniform(-2, 0.3))
        keeps, adds = 1 - 2 * alpha * ell + (alpha * ell) ** 2 * stretch, alpha**2 * sigma**2 * d
        limit = adds / (1 - keeps)
        exact = ell**2 * (limit + (start**2 - limit) * -math.expm1(T * math.log(keeps)) / (1 - keeps) / T)
        known: dict[str, Any] = {"d": d, "L": 1.0, "ell": ell, "gap": ell * start**2 / 2, "stretch": stretch, "sampling": 0.0}
        a, b, R = sharp_numbers.coefficients(alpha=alpha, T=T, sigma=sigma, beta=0.0, omega=0.0, **known)
        where = {"d": d, "r": r, "block": block, "alpha": alpha, "T": T, "sigma": sigma, "ell": ell, "start": start}
        yield exact / float(sharp_numbers.larger_root(a, b, R)) ** 2, where


@check_allowances("the squared gradient at which two kinds of clipped samples balance, over the sharp bound without noise", reach=0.8)
def check_balanced_samples(*, shares: int) -> Cases:
    """Check that the sharp bound without noise holds where two kinds of clipped samples balance; return a Finding.

    The samples have gradients Gamma e and, in the other direction, g e: the mean step is 0 before grad F is.
    """

    def kept(r: int, ratio: float) -> float:  # 1 - E (1 - c) ||p||^2 of one direction, in closed form
        x, k = r * ratio**2 / 2, (r + 2) / 2
        lost = math.sqrt(x) * math.exp(special.gammaln(k - 0.5) - special.gammaln(k)) * special.gammaincc(k - 0.5, x)
        return float(special.gammainc(k, x) + lost)

    for r, ratio in ((1, 0.5), (1, 1.0), (1, 2.0), (1, 3.0), (8, 0.7), (8, 1.0), (8, 1.3), (8, 1.6), (64, 1.0), (64, 1.1), (64, 1.2)):
        beta = clip_loss(r, ratio)
        for p in np.linspace(0.02, 0.49, shares).tolist():
            pull = p * kept(r, ratio)
            g = brentq(lambda g, pull=pull, p=p, r=r, ratio=ratio: (1 - p) * kept(r, ratio / g) * g - pull, 1e-9, 1.0)
            yield ((p - (1 - p) * g) / (beta / (2 - beta))) ** 2, {"r": r, "C / Gamma": ratio, "share of Gamma e": p, "g": g}


@check_allowances("what the sharp theorem proves at the printed alpha, T, C, B and sigma, over the printed bound", reach=0.2)
def check_printed_schedule(*, problems: int, seed: int) -> Cases:
    """Check that the sharp theorem at the printed alpha, T, C, B and sigma proves at most the printed bound; return a Finding.

    Random problems at which the printed bound is below Gamma^2; one block of all parameters, the worst for kappa.
    """
    rng, theorem = np.random.default_rng(seed), bounds.THEOREMS["dp_grape.theorem_d10"]
    for _ in range(problems):
        n, d, r = int(10.0 ** rng.uniform(4, 10)), int(10.0 ** rng.uniform(1, 7)), int(rng.integers(1, 9))
        epsilon, L, ell, spread = (float(one) for one in 10.0 ** rng.uniform(-1, 1, 4))
        asked = {"n": n, "d": d, "epsilon": epsilon, "delta": 1e-6, "L": L, "ell": ell, "spread": spread, "layers": 1, "subspace": r}
        found = theorem.evaluate(**asked)
        at, B = found.schedule, max(1, math.ceil(found.schedule["batch"]))
        if found.bound < L**2 and at["T"] >= 1 and B <= n and r + 1 <= d:
            T = math.floor(at["T"])
            run = {"alpha": at["alpha"], "T": T, "C": at["C"], "sigma": at["sigma"] * math.sqrt(T / at["T"])}
            yield certified_bound({**asked, "gap": spread, "block": d}, **run, sampling=1 / B) / found.bound, {**asked, **run}


def check_cosine_runs(*, method: str, r: int, C: float | None, T: int, batch: int, runs: int, seed: int) -> Finding:
    """Check that runs on the bounded cosine stay below our sharp and corrected bounds, at three sigmas; return a Finding.

    C = None takes the C of the second corrected form.
    """
    one = COSINES(C is not None)
    rows = {60: {"left": 6, "blocks": 30}, 4: {"left": 2, "blocks": 4}}[one.d][method]
    stretch, x, findings = (rows + r + 1) / r, 26.0, []
    threshold = math.sqrt(1 + 2 * math.sqrt(x / r) + 2 * x / r) * (1 + 1e-12) if C is None else C
    kernel, settings = (DP_GRAPE_BLOCKS, {}) if method == "blocks" else (DP_GRAPE, {"side": "left"})
    known = {name: one.constants[name] for name in ("n", "d", "L", "ell", "gap", "spread")} | {"block": rows, "subspace": r, "batch": batch}
    for sigma in (0.0, 0.02, 0.05):
        at = {"alpha": (0.999 if C is None else 0.05) / stretch, "T": T, "C": threshold, "sigma": sigma}
        noisy: dict[str, Any] = {**at, "sigma": max(sigma, 1e-12)}  # the theorems need sigma > 0
        allowed = {"sharp": certified_bound(known, **noisy, sampling=0.0 if batch == one.n else 1 / batch)}
        if C is None:
            allowed["corrected"] = bounds.THEOREMS["dp_grape.corrected_concentration"].bound_at(**known, **noisy, tail_level=x)
        drawn = simulate(kernel, one, **at, r=r, **settings, batch_size=batch, replicates=runs, seed=seed)  # type: ignore[arg-type]
        samples = np.asarray(drawn.grad_norm_sq[:, :-1]).mean(axis=1)
        name, least = min(allowed.items(), key=lambda pair: pair[1])
        found = check_mean_below(samples, least, ceiling=1.0, seed=seed, where=f"sigma = {sigma:g}, {name} theorem")
        findings.append(replace(found, numbers={**found.numbers, **allowed, "clipped share": float(np.nanmean(drawn.clipped))}))
    worst = min(findings, key=lambda found: (Outcome.REFUTED, Outcome.INCONCLUSIVE, Outcome.CONSISTENT).index(found.outcome))
    return replace(worst, sentence="; ".join(found.sentence for found in findings), false_alarm=3 * LEVEL)
