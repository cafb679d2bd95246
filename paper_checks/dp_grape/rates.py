"""Checks of the rate of Theorem 4.1 and Remarks 1 to 4: on isotropic quadratics, where the error of every T is known exactly, and in runs.

There sigma^2 = 4 c_2^2 C^2 T log(1/delta)/(n epsilon)^2 with c_2 = sqrt(2), C = 1, delta = 1e-5, F(w_0) - F^* = 1/2 and lambda = 1; the
measure is the average over t < T of E ||grad F(w_t)||^2, at its best T for alpha = 0.2/kappa. Quadratics are not Lipschitz: nothing is
clipped, and the noise is what the theorem asks for at C = 1.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy import stats

import bounds
from bounds.dp_grape.moments import Projection, stretch
from bounds.dp_grape.quadratic import BestT, best_T, expected_error, small_step_limit
from bounds.proofs.inequalities import is_zero
from bounds.symbols import d, delta, epsilon, n, symbols
from paper_checks.compare import LEVEL
from paper_checks.dp_grape.moments import projected_gradients, squared_lengths
from paper_checks.record import Record
from paper_checks.shared.findings import check_condition, check_sample_means
from paper_checks.shared.formulas import difference_witness, monomial_exponents
from paper_checks.shared.runs import check_fitted_exponent
from paper_checks.shared.search import Cases, check_deviations
from paper_checks.verdict import Finding
from synthetic.methods.dp_grape import DP_GRAPE, DP_GRAPE_BLOCKS, DP_SGD
from synthetic.methods.record import Kernel
from synthetic.objectives.matrices import matrix_quadratic
from synthetic.runs.simulate import simulate

layers, r, k, L, ell, spread = symbols("layers subspace block L ell spread")
RATE = sp.sqrt(layers * d * sp.log(1 / delta)) / (n * epsilon)  # Theorem 4.1, of the squared norm
ARORA = (sp.sqrt(d) / (n * epsilon)) ** sp.Rational(2, 3)  # of the norm: the abstract of Arora et al. (2023)
IN_LOG, IN_C = (  # arguments of the logarithms of Theorem D.10: in its bound, and in its C
    (first * L**2 + 64 * d * spread * ell / r) * 2 * sp.sqrt(2 * layers * d) * n**2 * epsilon / sp.sqrt(sp.log(1 / delta))
    for first in (5, 5 * r / (4 * d * ell))
)
KERNEL: dict[Projection, Kernel] = {"none": DP_SGD, "left": DP_GRAPE, "orthonormal": DP_GRAPE, "flattened": DP_GRAPE_BLOCKS}
KINDS: tuple[tuple[Projection, int], ...] = (("none", 1), ("left", 1), ("left", 4), ("orthonormal", 4), ("flattened", 1), ("flattened", 4))


def sigma_unit(n_epsilon: float) -> float:
    """Return sigma / sqrt(T) of the theorem's noise at C = 1 and delta = 1e-5, for a value of n epsilon."""
    return 2 * math.sqrt(2) * math.sqrt(math.log(1e5)) / n_epsilon


def isotropic_quadratic(size: int) -> dict[str, Any]:
    """Return {"rows", "columns", "start"} of the isotropic quadratic of one m x m layer, m = isqrt(size), that starts at F = 1/2."""
    m = math.isqrt(size)
    return {"rows": np.ones(m), "columns": np.ones(m), "start": np.full((m, m), 1 / m)}


@cache
def best_steps(method: Projection, size: int, n_epsilon: float, dimension: int, share: float = 0.2) -> BestT:
    """Return the BestT of a method, its best number of steps and its error there, at a `share` of the largest step size."""
    return best_T(method, r=dimension, unit=sigma_unit(n_epsilon), share=share, **isotropic_quadratic(size))


def check_exponent(*, letter: str, method: Projection, dimension: int, points: Sequence[int], claimed: float, tolerance: float) -> Finding:
    """Check that the best exact error has the exponent `claimed` in d (n epsilon = 30,000) or n epsilon (d = 256); return a Finding."""
    found = [best_steps(method, one, 3e4, dimension) if letter == "d" else best_steps(method, 256, one, dimension) for one in points]
    errors, times, shown = [one.value for one in found], [one.T for one in found], "average of the squared gradient"
    return check_fitted_exponent(letter, points, errors, claimed, tolerance=tolerance, shown=shown, number_of_steps=times)


def check_equal_errors(*, sizes: tuple[int, ...], n_epsilon: float, allowed: float) -> Finding:
    """Check that the best errors of all methods and all r agree, and tend to one limit for small steps; return a Finding.

    At a share s of the largest step the exact average is (2 (F(w_0) - E F(w_T))/tau + lambda d u^2 tau)/(2 - s), the same formula for all;
    only E F(w_T) and whole numbers of steps are left to differ.
    """
    values, off, apart_most = dict[str, Any](), {0.2: 0.0, 0.05: 0.0}, 0.0
    for size in sizes:
        limit = small_step_limit(unit=sigma_unit(n_epsilon), **isotropic_quadratic(size))[1]
        for share in off:
            errors = {f"{one}, r = {q}": best_steps(one, size, n_epsilon, q, share).value for one, q in KINDS}
            off[share] = max(off[share], *(abs(one * (1 - share / 2) / limit - 1) for one in errors.values()))
            if share == 0.2:
                values[f"d = {size}"], apart_most = errors, max(apart_most, max(errors.values()) / min(errors.values()) - 1)
    words = f"the best errors of {len(KINDS)} methods and r differ by {apart_most:.1e} at most, and tend to one limit without r"
    words = f"{words}: {off[0.2]:.1e} off it at a share of 0.2, {off[0.05]:.1e} at 0.05"
    holds = apart_most <= allowed and off[0.05] <= max(allowed, off[0.2] / 2)
    return check_condition(holds, words, {**values, "off the limit, by share": off})


@check_deviations("the best T over kappa is the same for every method and every r", tolerance=0.03)
def check_steps_over_stretch(*, size: int, n_epsilon: float, least: int) -> Cases:
    """Check that best T / kappa is tau / 0.2 within 3 %, for all methods and r with T >= `least`, kappa the stretch; return a Finding."""
    tau, m = small_step_limit(unit=sigma_unit(n_epsilon), **isotropic_quadratic(size))[0], math.isqrt(size)
    for method, dimension in (*KINDS, ("left", 2), ("left", 16), ("orthonormal", 16), ("flattened", 16)):
        T, kappa = best_steps(method, size, n_epsilon, dimension).T, stretch(method, rows=m, columns=m, r=dimension)
        if least <= T:
            yield abs(T / kappa / (tau / 0.2) - 1), {"method": method, "r": dimension, "T": T, "kappa": kappa}


def run_averages(method: Projection, size: int, n_epsilon: float, dimension: int, runs: int, seed: int) -> tuple[Any, float]:
    """Return (averages (runs,) over t < T of ||grad F||^2 in runs at the best T, their exact expectation)."""
    at, start = best_steps(method, size, n_epsilon, dimension), isotropic_quadratic(size)
    plain = matrix_quadratic("flat", size, 2, seed, m=math.isqrt(size))
    begun = replace(plain, x0=plain.optimum + start["start"].ravel())
    own: dict[str, Any] = {} if method == "none" else {"r": dimension}
    run = simulate(KERNEL[method], begun, alpha=at.alpha, T=at.T, C=1e100, sigma=at.sigma, replicates=runs, seed=seed, **own)
    exact = expected_error(method, r=dimension, alpha=at.alpha, T=at.T, sigma=at.sigma, measure="grad_norm_sq", **start)
    return run.grad_norm_sq[:, :-1].mean(axis=1), float(exact[:-1].mean())


def check_exponent_in_runs(
    *, letter: str, method: Projection, dimension: int, points: tuple[int, ...], claimed: float, runs: int, seed: int
) -> Finding:
    """Check that runs have the claimed exponent in d or n epsilon, and their expected means, at best schedules; return a Finding."""
    found = {}
    for i, one in enumerate(points):
        size, n_epsilon = (one, 3000.0) if letter == "d" else (64, float(one))
        found[f"{letter} = {one}"] = run_averages(method, size, n_epsilon, dimension, runs, seed + i)
    x = np.log(points) - np.mean(np.log(points))
    weights, means = x / (x @ x), np.array([samples.mean() for samples, _ in found.values()])  # slope: the sum of weights times log means
    slope, ours = float(weights @ np.log(means)), float(weights @ np.log([exact for _, exact in found.values()]))
    errors = np.array([samples.std(ddof=1) for samples, _ in found.values()]) / math.sqrt(runs) / means
    half = float(stats.norm.isf(LEVEL / 2) * np.linalg.norm(weights * errors))
    numbers = {"exponent": slope, "from": slope - half, "to": slope + half, "of the exact values": ours, "claimed": claimed}
    sentence = f"exponent {slope:.3f} in {letter}, between {slope - half:.3f} and {slope + half:.3f}; exact {ours:.3f}"
    agreed = check_condition(abs(slope - ours) <= half, f"{sentence}; each mean of {runs} runs agrees with its expectation", numbers)
    if abs(ours - claimed) > 0.05:
        agreed = Record(numbers).leave_open(f"the exact exponent is {ours:.3f} here; a larger n epsilon would settle it")
    return replace(check_sample_means(found, agreed, seed), false_alarm=2 * LEVEL)


@check_deviations("the floor is alpha sigma^2 d/(2 - alpha kappa), and what is expected stays bounded for alpha kappa < 2 only", 1e-9)
def check_stability(*, m: int, columns: int, dimension: int, sigma: float, T: int) -> Cases:
    """Check that a quadratic's floor is alpha sigma^2 d/(2 - alpha kappa), stable for alpha kappa < 2 only; return a Finding."""
    start: dict[str, Any] = {"rows": np.ones(m), "columns": np.ones(columns), "start": np.ones((m, columns)), "r": dimension}
    for method in KERNEL:
        kappa = stretch(method, rows=m, columns=columns, r=dimension)
        ends = [expected_error(method, alpha=2 / kappa * side, sigma=sigma, T=T, **start)[-1] for side in (0.25, 0.98, 1.02)]
        low, below, above = (2 * float(one) for one in ends)
        values = {"alpha": 0.5 / kappa, "ell": 1.0, "stretch": kappa, "d": m * columns, "sigma": sigma, "T": T, "gap": 1.0}
        floor = bounds.THEOREMS["dp_grape.quadratic"].evaluate(**values).parts["floor"]
        off = abs(low / floor - 1) if below < 1e6 < above else math.inf
        yield off, {"method": method, "r": dimension, "floor": floor, "at a quarter": low, "below": below, "above": above}


def check_nonconvex_exponents() -> Finding:
    """Check that Theorem 4.1 has the exponents of d and n epsilon of the paper that Remark 1 cites; return a Finding."""
    ours, theirs = (monomial_exponents(one.xreplace({delta: sp.exp(-1)}), d, n, epsilon) for one in (RATE, ARORA**2))
    at = {d: sp.Integer(10**4), n: sp.Integer(10**6), epsilon: sp.Integer(1), delta: sp.exp(-1), layers: sp.Integer(1)}
    values = {"Theorem 4.1": float(RATE.xreplace(at)), "Arora et al. (2023)": float((ARORA**2).xreplace(at))}
    words = f"sqrt(d)/(n epsilon) to the power {-ours[1]}; the paper cited has {-theirs[1]}, and less is smaller"
    return check_condition(ours == theirs, words, {"d": 10**4, "n": 10**6, "epsilon": 1, "log(1/delta)": 1, "L": 1, **values})


def check_llama_layers(*, claimed: int, hidden: int, inner: int, heads: int, shared: int, words: int, stated: float) -> Finding:
    """Check that Llama 3 405B with `claimed` layers of its published sizes has the stated parameters; return a Finding.

    Source: Grattafiori et al. (2024), Table 3.
    """
    layer = 2 * hidden**2 + 2 * hidden * hidden // heads * shared + 3 * hidden * inner + 2 * hidden
    billions = (layer * claimed + 2 * words * hidden + hidden) / 1e9
    numbers = {"L": claimed, "billions": billions, "stated billions": stated, "heads": heads, "weight matrices": 7 * claimed}
    sentence = f"{claimed} layers of the published sizes make {billions:.1f} billion parameters, its heads are {heads}"
    return check_condition(math.floor(billions) == stated, sentence, numbers)  # 405.9 is called 405


def check_logarithm_in_r(*, argument: Any, turns: bool) -> Finding:
    """Check that a logarithm's argument falls in r, or turns at some r (`turns`), by its derivative; return a Finding."""
    slope = sp.factor(sp.diff(argument.xreplace({delta: sp.exp(-1)}), r))  # log(1/delta) > 0 is a factor
    turning = [one for one in sp.solve(sp.numer(sp.together(slope)), r) if one.is_positive]
    sign = "negative" if slope.is_negative else "positive" if slope.is_positive else "of no sign that is seen"
    words = f"it turns at r = {turning[0]}" if turning else f"its derivative in r is {sign} at every r"
    record = Record({"derivative": sp.sstr(slope)})
    if not (turning if turns else slope.is_negative):
        at = {one: sp.Integer(2) for one in argument.free_symbols} | {delta: sp.exp(-1)}
        values = {f"at r = {one}": float(argument.xreplace(at | {r: sp.Integer(one)})) for one in (1, 10**3, 10**6)}
        record.refute(words, {"log(1/delta)": 1, "all other letters": 2, **values})
    return record.prove(words)


def check_steps_in_r() -> Finding:
    """Check that T(1)/T(r) = kappa(1)/kappa(r) is between r/2 and r for r <= k + 3, by algebra; return a Finding."""
    factor = (k + 2) * r / (k + 1 + r)
    for above, expected in ((r - factor, r * (r - 1) / (k + 1 + r)), (factor - r / 2, r * (k + 3 - r) / (2 * (k + 1 + r)))):
        if not is_zero(above - expected):
            witness = difference_witness(above, expected, ("found", "expected"))
            return Record({"T(1)/T(r)": sp.sstr(factor)}).refute("the factor is another", witness)
    return Record().prove("T(1)/T(r) = r - r (r - 1)/(k + r + 1), which is r/2 or more for r <= k + 3: r times for r << k")


def check_truncated_projections(*, m: int, dimension: int, cuts: tuple[float, ...], runs: int, seed: int) -> Finding:
    """Check that truncated normal entries give a projection the stretch (m + r + w - 2)/r, by draws; return a Finding."""
    rng, means, record = np.random.default_rng(seed), dict[str, Any](), Record(seed=seed)
    a = np.full((m, 1), 1 / math.sqrt(m))  # the sure bound on the norm is tight for this vector
    for b in cuts:
        law = stats.truncnorm(-b, b)
        scale, w = float(law.std()), float(law.moment(4) / law.var() ** 2)
        P = law.rvs(size=(runs, m, dimension), random_state=rng) / scale / math.sqrt(dimension)
        means[f"b = {b:g}, ||P'a||^2"] = squared_lengths(P, a), 1.0
        means[f"b = {b:g}, stretch"] = (projected_gradients(P, a) ** 2).sum(axis=(1, 2)), (m + dimension + w - 2) / dimension
        limit, longest = b / scale * math.sqrt(m), math.sqrt(float(squared_lengths(P, a).max()))
        record.note({f"b = {b:g}: C over Gamma": limit})
        if w > 3 or longest > limit:
            return record.refute("truncated entries are not bounded as they should be", {"b": b, "w": w, "longest": longest})
    words = "such entries keep E PP' = I, stretch less than Gaussian ones, and ||P'g|| is at most b sqrt(k) Gamma over their scale"
    return check_sample_means(means, record.conclude(f"{words}; so C must grow like sqrt(k), which Gaussian tails do not ask"), seed)
