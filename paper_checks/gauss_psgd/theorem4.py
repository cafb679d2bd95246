"""Checks of Theorem 4, Remarks 4 and 5: the accuracy of the selected point, its privacy, and the dimensions that it reaches."""

import itertools
import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
import sympy as sp
from scipy import stats

import bounds
from bounds.gauss_psgd import selection
from bounds.gauss_psgd.fixed_point import Problem
from bounds.gauss_psgd.rates import largest_dimension
from bounds.gauss_psgd.selection import proved_allowances
from bounds.proofs.inequalities import is_zero
from paper_checks.gauss_psgd import printed as p
from paper_checks.gauss_psgd.algorithms.plain_algorithms import unit_cosine_saddles
from paper_checks.gauss_psgd.rates import unit_problem
from paper_checks.record import Record
from paper_checks.shared.findings import check_condition
from paper_checks.shared.privacy import attained_delta
from paper_checks.shared.search import Cases, check_allowances, check_deviations
from paper_checks.shared.tails import probability_of_any
from paper_checks.verdict import Finding
from synthetic.runs import selection as drawn


def check_selection_privacy(*, accountant: str, epsilons: tuple[float, ...], delta: float, horizons: tuple[int, ...]) -> Finding:
    """Check by the exact delta that Algorithm 4's 2 T releases are private, with a constant that T does not raise; return a Finding."""
    worst, at, constants, n, d = 0.0, {}, {}, 1000.0, 7.0
    for epsilon, T in itertools.product(epsilons, horizons):
        c = constants[epsilon, T] = selection.noise_constant(accountant, epsilon=epsilon, delta=delta, T=T)
        gradient, hessian = selection.noise_scales(n=n, d=d, epsilon=epsilon, delta=delta, L=2.0, ell=3.0, T=T, constant=c)
        mu_sq = T * ((2 * 2.0 / n / gradient) ** 2 + (2 * 3.0 * math.sqrt(d) / n / hessian) ** 2)
        found = float(attained_delta(epsilon, mp.sqrt(mu_sq)) / delta)
        if found > worst:
            worst, at = found, {"epsilon": epsilon, "delta": delta, "T": T, "c_1 = c_2": c, "delta attained": found * delta}
    record = Record({f"c_1, epsilon = {e:g}, T = {T}": c for (e, T), c in constants.items()} | {"largest attained / claimed delta": worst})
    if worst > 1 + 1e-6:  # T enters mu^2 and sigma^2, whose quotient is rounded
        record.refute(f"{2 * at['T']} releases with c_1 = c_2 = {at['c_1 = c_2']:.4g} have delta = {at['delta attained']:.3g}", at)
    if max(constants[e, horizons[-1]] / constants[e, horizons[0]] for e in epsilons) > 1 + 1e-9:
        needed = [constants[epsilons[0], T] for T in horizons]
        witness = {"T": list(horizons), "c_1": needed, "epsilon": epsilons[0], "delta": delta}
        record.refute(f"c_1 grows with T, from {needed[0]:.0f} to {needed[-1]:.0f}", witness)
    return record.conclude(f"private with a constant that T does not change; at most {worst:.4g} of the delta")


def check_bernstein_condition(*, claimed: str) -> Finding:
    """Check that matrix Bernstein's exponent at 4 M sqrt(E/(m n)), B = 2 M, is >= E from m n = `claimed` E on; return a Finding."""
    E, N = sp.symbols("E N", positive=True)
    t = N * 4 * p.M * sp.sqrt(E / N)
    exponent = t**2 / (2 * (4 * N * p.M**2 + 2 * p.M * t / 3))
    ratios = [sp.simplify(one / E) for one in sp.solve(sp.simplify(exponent / E - 1), N)]
    relations = (entry.relation for entry in bounds.THEOREMS["gauss_psgd.theorem4"].conditions)
    (condition,) = (one for one in relations if one.lhs.has(p.m) and one.rhs.has(sp.log))
    theory = condition.rhs / sp.log(8 * p.d / p.omega)
    grows = bool(sp.simplify(sp.diff(exponent, N)).is_positive)
    record = Record({"least m n over the logarithm": sp.sstr(ratios), "in the theory": sp.sstr(theory), "exponent grows with m n": grows})
    if not grows or not is_zero(theory - sp.Rational(claimed)):
        record.leave_open("the theory or the exponent is another one than expected")
    if ratios != [sp.Rational(claimed)]:
        record.refute(f"the least factor is {ratios}", {"factor": sp.sstr(ratios), "claimed": claimed})
    return record.prove(f"the exponent reaches the logarithm at m n = {claimed} of it, and grows from there on")


def check_network_dimension(*, settings: Sequence[Mapping[str, float]], layers: Sequence[int]) -> Finding:
    """Check that a network with these `layers` has at most Remark 4's largest number of parameters in some setting; return a Finding."""
    parameters, limits = sum((one + 1) * two for one, two in pairwise(layers)), p.FORMULAS.of("remark4").values()
    record, rows = Record({"parameters": parameters}), {}
    for at in settings:
        limit = min(float(entry.subs({letter: at[letter.name] for letter in entry.free_symbols})) for entry in limits)
        problem = Problem(d=10.0, delta=1e-5, L=1.0, ell=1.0, rho=1.0, U=1.0, **at)
        if not math.isclose(limit, largest_dimension(problem), rel_tol=1e-12):
            return record.leave_open("the theory has another limit than the print; comparing the two would settle it")
        rows[f"n {at['n']:g}, m {at['m']:g}, epsilon {at['epsilon']:g}"] = limit
    record.note({f"largest d, {name}": limit for name, limit in rows.items()})
    setting, largest = max(rows.items(), key=lambda row: row[1])
    if parameters > largest:
        witness = {"parameters": parameters, "setting": setting, "largest d of Remark 4": largest}
        record.refute(f"the model has {parameters} parameters, Remark 4 allows at most {largest:.0f}", witness)
    return record.conclude(f"the model has {parameters} parameters")


def check_chosen_point(*, points: int, omega: float) -> Finding:
    """Check that a bound that fails at each point with probability omega fails at the worst of `points` no more often; return a Finding."""
    missed, union = (1 - (1 - at_each) ** points for at_each in (omega, omega / points))
    record = Record({"fails at a fixed point": omega, "fails at the worst point": missed, "with omega / T at each": union})
    if missed > omega >= union:
        sentence = f"of {points} points that each fail with {omega:g}, one fails with {missed:.3f}; a union over the points needs omega / T"
        record.refute(sentence, {"T": points, "omega": omega, "errors": "independent standard normal", "fails at the worst": missed})
    return record.conclude("no loss by choosing")


def check_noise_exponents(*, dimensions: tuple[int, ...], draws: int, seed: int) -> Finding:
    """Check by simulation that noise grows as d on a Hessian and as d^(1/2) on one Hessian-vector product; return a Finding."""
    rng, matrix, vector = np.random.default_rng(seed), [], []
    for d in dimensions:
        _, sigma = selection.noise_scales(n=6000.0, d=d, epsilon=1.0, delta=1e-5, L=1.0, ell=1.0, T=100, constant=16.0)
        product = sigma / math.sqrt(d)  # the printed variance has d for the entries; a product's change is bounded by the operator norm
        norms = [float(np.abs(np.linalg.eigvalsh(np.triu(one) + np.triu(one, 1).T)).max()) for one in rng.standard_normal((draws, d, d))]
        matrix.append(sigma * float(np.mean(norms)))
        vector.append(product * float(np.mean(np.linalg.norm(rng.standard_normal((draws, d)), axis=1))))
    of_matrix, of_vector = (float(np.polyfit(np.log(dimensions), np.log(one), 1)[0]) for one in (matrix, vector))
    record = Record({"exponent of d, Hessian": of_matrix, "exponent of d, product": of_vector, "dimensions": dimensions}, seed=seed)
    if max(abs(of_matrix - 1), abs(of_vector - 0.5)) > 0.05:  # norms of small matrices differ from their limit by a few percent
        record.refute("the exponents are others", record.numbers)
    return record.conclude(f"exponents {of_matrix:.3f} and {of_vector:.3f} of d")


@check_allowances("the change of a scalar query over 2 G/n, 2 M/n", rounding=1e-12)
def check_scalar_queries(*, dimensions: tuple[int, ...], cases: int, seed: int) -> Cases:
    """Check by search that one replaced sample changes |grad f_S| by <= 2 G/n and the least eigenvalue by <= 2 M/n; return a Finding."""
    n, rng = 12, np.random.default_rng(seed)
    for d, k in itertools.product(dimensions, range(cases)):
        landscape, x = unit_cosine_saddles(d), rng.uniform(-2, 2, d)
        rows, pair = landscape.draw(rng, n, 0), []
        for sign in (1, -1):
            other, z = rows.copy(), (sign * math.pi / 2 if k % 2 else math.pi / 2 * (1 - sign)) - x  # the largest changes of either kind
            other[0] = np.concatenate([np.cos(z), np.sin(z)])
            gradient, hessian = drawn.mean_derivatives(landscape, [other], x)
            pair.append((float(np.linalg.norm(gradient)), float(np.linalg.eigvalsh(hessian)[0])))
        changes = zip(("gradient", "eigenvalue"), np.abs(np.diff(pair, axis=0))[0], ("L", "ell"), strict=True)
        ratio, name = max((float(change) / (2 * landscape.constants[limit] / n), name) for name, change, limit in changes)
        yield ratio, {"d": d, "what": name, "change / (2 G/n or 2 M/n)": ratio}


def last_error_terms(N: float, d: float, products: float) -> tuple[float, tuple[float, float, float]]:
    """Return alpha = (sqrt(d)/N)^(2/5) and Theorem 4's last three error terms, with Hessian-vector products in place of Hessians."""
    alpha = (math.sqrt(d) / N) ** 0.4
    noise = math.sqrt(d) / N * alpha ** (-5 / 4 - products / 2)
    return alpha, (math.sqrt(d) / (N * alpha**1.25), math.sqrt(alpha) * noise, noise**2)


def check_limit_with_products(*, powers: tuple[float, ...], products: float) -> Finding:
    """Check that Remark 4's limit on d is needed with Remark 5's Hessian-vector products too, for d up to N^2; return a Finding.

    alpha reaches 1 at d = N^2. alpha^(-products) releases for each Hessian multiply the deviation of its noise by the root of that.
    """
    rows = []
    for power, share in itertools.product(powers, (0.1, 0.5, 0.9, 1.0)):
        N, d = 10.0**power, (10.0**power) ** (2 * share)
        alpha, terms = last_error_terms(N, d, products)
        rows.append((max(terms) / alpha, {"N": N, "d": d, "alpha": alpha, "terms": terms}))
    worst, at = max(rows, key=lambda row: row[0])
    record = Record({"largest term / alpha": worst, "products, power of 1/alpha": products, **at})
    if worst <= 1 + 1e-9:
        alpha, terms = last_error_terms(1e6, 1e6, products)
        witness = {"N": 1e6, "d": 1e6, "N^(6/13), the limit of Remark 4": 1e6 ** (6 / 13), "alpha": alpha, "terms": terms}
        record.refute(f"for every d up to N^2 the three terms are at most alpha: {worst:.4g} of it", witness)
    return record.conclude(f"some term is {worst:.4g} times alpha")


def check_defined_symbols(*, used: tuple[str, ...], defined: tuple[str, ...]) -> Finding:
    """Check that every symbol in `used` is among the symbols in `defined`; return a Finding."""
    record, missing = Record(), [letter for letter in used if letter not in defined]
    if missing:
        record.refute(f"not defined: {', '.join(missing)}", {"used": used, "defined in (122)": defined})
    return record.conclude("every letter is defined")


def check_union_bound(*, T: int, omega: float, uniform: bool) -> Finding:
    """Check exactly that noise makes one of T bad iterates (d = 1) pass the gradient test with probability <= omega; return a Finding.

    Bad: the gradient is above the limit of the test by the noise's allowance, so that the noise must overcome that; allowances are those
    with explicit constants, for one iterate or for T of them (`uniform`).
    """
    at: dict[str, Any] = {"n": 1e6, "d": 1, "L": 1.0, "ell": 1.0, "T": T if uniform else 1, "m": 1, "omega": omega}
    allowance = proved_allowances(**at, sigmas=(1.0, 0.0))[0] - proved_allowances(**at, sigmas=(0.0, 0.0))[0]
    one = float(stats.norm.sf(allowance))
    passes = probability_of_any(T, one)
    numbers = {"allowance / sigma": allowance, "one passes": one, "one of T passes": passes, "T": T, "omega'": omega}
    words = f"one of {T} iterates that should not pass does, with probability {passes:.3g}; omega' = {omega}"
    return check_condition(not passes > omega, words, numbers)


@check_allowances("the last three terms over alpha")
def check_remark4(*, powers: tuple[float, ...], factor: float) -> Cases:
    """Check that Theorem 4's last three error terms are at most alpha at d = factor N^(6/13), N = 10^power; return a Finding."""
    for power in powers:
        N = 10.0**power
        d = factor * largest_dimension(unit_problem(N, 1.0, 1.0))
        alpha = (math.sqrt(d) / N) ** 0.4
        terms = math.sqrt(d) / (N * alpha**1.25), d / (N * alpha**0.75), d**2 / (N**2 * alpha**2.5)
        yield max(terms) / alpha, {"N": N, "d": d, "alpha": alpha, "largest term": max(terms)}


@check_deviations("the largest d, rounded", 0.5)
def check_largest_dimension(*, values: tuple[tuple[float, int], ...]) -> Cases:
    """Check that the integer of each stated (N, integer) is Remark 4's largest dimension N^(6/13), rounded; return a Finding."""
    for N, value in values:
        found = largest_dimension(unit_problem(N, 1.0, 1.0))
        yield abs(found - value), {"N": N, "d": found, "stated": value}
