"""Checks of Theorem 2: its fixed point, its promise and its cost at its own parameters, and the privacy of its releases."""

import itertools
import math
from functools import lru_cache
from typing import Any

import mpmath as mp

from bounds import privacy
from bounds.gauss_psgd import feasibility
from bounds.gauss_psgd.block import Constants
from bounds.gauss_psgd.columns import Plan
from bounds.gauss_psgd.fixed_point import BatchFixedPoint, Problem, gaussian_constant, printed_drift_limit
from bounds.gauss_psgd.recommend import exact_constant, recommend
from paper_checks.gauss_psgd import printed as p
from paper_checks.gauss_psgd.lemmas.definition_8_lemmas_16_17 import classical_mu
from paper_checks.gauss_psgd.rates import unit_problem
from paper_checks.record import Record
from paper_checks.shared.findings import ROUNDING
from paper_checks.shared.privacy import DIGITS, attained_delta
from paper_checks.shared.search import Cases, check_deviations
from paper_checks.verdict import Finding, Plot

PROBLEM: dict[str, Any] = {"n": 1e6, "d": 10, "delta": 1e-5, "L": 1.0, "ell": 1.0, "rho": 1.0, "U": 1.0}
C_1 = 8 * math.log(1.25e5) / math.log(1e5)  # of Definition 8 at delta = 1e-5
Row = tuple[float, float, float]


@check_deviations("c_1 = 8 log(1.25/delta)/log(1/delta)")
def check_noise_constant(*, deltas: tuple[float, ...]) -> Cases:
    """Check that the library's c_1 = 8 log(1.25/delta)/log(1/delta) gives the noise variance of Definition 8; return a Finding."""
    for delta, (epsilon, G, b_1) in itertools.product(deltas, ((0.3, 2.0, 7.0), (1.0, 1.0, 100.0), (5.0, 0.1, 3.0))):
        with mp.workdps(DIGITS):
            sigma = 2 * G / b_1 / classical_mu(epsilon, delta)
            constant = sigma**2 * (b_1 * epsilon) ** 2 / (G**2 * mp.log(1 / mp.mpf(delta)))
        ours = gaussian_constant(delta)
        yield abs(float(ours / constant) - 1), {"delta": delta, "c_1": float(constant), "c_1 of the library": ours}


@lru_cache
def recommended_plan(epsilon: float, m: int, n: float) -> Plan:
    """Return the recommended Plan of Gauss-PSGD for PROBLEM with n samples, m clients and this epsilon."""
    return recommend("gauss_psgd", **PROBLEM | {"n": n}, epsilon=epsilon, m=m)


def check_release_privacy(*, plan: str, epsilons: tuple[float, ...], m: int, n: float = PROBLEM["n"]) -> Finding:
    """Check by the exact delta that a plan's fresh gradient and difference are each private at every epsilon; return a Finding.

    `plan` is the name of the variant: "printed", "repaired" or "scaled".
    Batches of less than one sample are skipped: nothing can be released from them.
    """
    worst, at, tried, G, M = 0.0, {}, 0, 1.0, 1.0
    for epsilon in epsilons:
        schedule = getattr(recommended_plan(epsilon, m, n), plan)
        pairs = [("O_1", 2 * G, schedule.b_1, schedule.sigma_fresh), ("O_2", 2 * M, schedule.b_2, schedule.sigma_difference)]
        for name, twice, b, sigma in pairs:
            if b < 1:
                continue  # no such release can be made
            found = float(attained_delta(epsilon, mp.mpf(twice) / b / mp.mpf(sigma)) / PROBLEM["delta"])
            tried += 1
            if found > worst:
                worst, at = found, {"epsilon": epsilon, "release": name, "b": b, "sigma": sigma, "delta attained": found * 1e-5}
    record = Record({"tried": tried, "largest attained / claimed delta": worst})
    if not tried:
        record.leave_open("no batch has a sample, so nothing is released; a larger n would settle it")
    if worst > 1 + ROUNDING:
        record.refute(f"at epsilon = {at['epsilon']:g} the {at['release']} has delta = {at['delta attained']:.3g}", at)
    return record.conclude(f"each of {tried} releases is private; at most {worst:.4g} of the claimed delta")


def check_least_constant(*, epsilons: tuple[float, ...], delta: float, at_most: float) -> Finding:
    """Check by the exact delta that the least private c_1 in the noise variance is <= `at_most` at all epsilons; return a Finding."""
    least = {}
    for epsilon in epsilons:
        mu = privacy.mu_gaussian(epsilon, delta)
        if not (attained_delta(epsilon, mu) <= delta < attained_delta(epsilon, mu * (1 + 1e-9))):
            return Record().leave_open(f"bounds.privacy calibrates to {mu!r} at epsilon = {epsilon:g}, which is not the edge")
        least[epsilon] = 4 * epsilon**2 / (mu**2 * math.log(1 / delta))
        if abs(exact_constant(epsilon, delta) / least[epsilon] - 1) > ROUNDING:
            return Record().leave_open("the library's constant is another one")
    record = Record({f"least c_1 at epsilon = {k:g}": v for k, v in least.items()})
    worst, largest = max(least.items(), key=lambda entry: entry[1])
    if largest > at_most:
        witness = {"epsilon": worst, "delta": delta, "least c_1": largest, "c_1": at_most}
        record.refute(f"at epsilon = {worst:g} private noise needs c_1 = {largest:.4g}", witness)
    return record.conclude(f"the least c_1 is at most {largest:.4g}, {at_most:.4g} is enough")


@lru_cache
def solve_fixed_point(
    row: Row, s: float, C: float, batches: str = "printed", m: float = 1
) -> tuple[BatchFixedPoint, feasibility.Feasibility]:
    """Return the library's solution of (5), (6), (102) and its Feasibility, for row = (d, n, epsilon), L = ell = rho = U = 1."""
    d, n, epsilon = row
    return feasibility.solve_and_check(unit_problem(n, d, epsilon, m), constants=Constants(s=s, C_abs=C), batches=batches)


@check_deviations("the fixed point satisfies (5), (6), (79), Lemmas 7 and 8 and the theorem's batches", 1e-7)
def check_fixed_point(*, s: float, C: float, rows: tuple[Row, ...], m: float = 1) -> Cases:
    """Check that the library's fixed point satisfies the paper's (5), (6), (79), kappa, batches and Lemmas 8 and 9; return a Finding."""
    for row in rows:
        point, _ = solve_fixed_point(row, s, C, "printed", m)
        noise, at = point.noise, printed_values(row, s, C, point, m)
        pairs = {letter.name: (getattr(point.block, letter.name), p.formula_value(letter, at)) for letter in p.FIVE}
        pairs |= {"psi": (point.psi, p.formula_value(p.FORMULAS["noise_of_3"], at))}
        pairs |= {"mu": (point.log_factor, max(p.formula_value(entry, at) for entry in p.SIX))}
        pairs |= {"kappa": (noise.drift_limit, at[p.kappa]), "b_1": (noise.b_1, at[p.b_1]), "b_2": (noise.b_2, at[p.b_2])}
        pairs |= {"Q": (point.Q, p.formula_value(p.FORMULAS["rounds"], at)), "T": (point.T, at[p.T])}
        pairs |= {"sigma": (noise.sampling_error, at[p.sigma]), "r": (noise.added_noise, at[p.r])}
        pairs |= {"|T|": (point.fresh, p.formula_value(p.FORMULAS.of("lemma8")["bound"], at))}
        entries = enumerate(zip(point.entries, p.SIX, strict=True), start=1)
        pairs |= {f"entry {k} of (6)": (ours, p.formula_value(entry, at)) for k, (ours, entry) in entries}
        name, (ours, theirs) = max(pairs.items(), key=lambda pair: abs(pair[1][0] / pair[1][1] - 1))
        yield abs(ours / theirs - 1), {"d": row[0], "n": row[1], "epsilon": row[2], "parameter": name, "library": ours, "paper": theirs}


def printed_values(row: Row, s: float, C: float, point: BatchFixedPoint, m: float = 1) -> dict[Any, float]:
    """Return {symbol: number}, what the paper's formulas give at the mu and psi of a fixed point, with unit constants."""
    at = p.problem_values(d=row[0], n=row[1], epsilon=row[2], s=s, C=C, m=m) | {p.mu: point.log_factor, p.psi: point.psi}
    at[p.kappa] = max(p.formula_value(entry, at) for entry in p.KAPPA_3)
    at |= {letter: p.formula_value(p.FORMULAS[name], at) for letter, name in ((p.b_1, "batch_1"), (p.b_2, "batch_2"), (p.T, "steps_79"))}
    lemma9 = p.FORMULAS.of("lemma9")
    return at | {p.sigma: p.formula_value(lemma9["bound"], at), p.r: math.sqrt(C_1) * p.formula_value(lemma9["r"], at)}


def check_nonvacuous_accuracy(*, s: float, C: float, rows: tuple[Row, ...], batches: str = "printed", m: float = 1) -> Finding:
    """Check that alpha < min(G, M^2/rho) = 1, so that something is guaranteed, at some of the rows (d, n, epsilon); return a Finding."""
    found = {row: solve_fixed_point(row, s, C, batches, m)[1] for row in rows}
    record = Record({f"alpha, d = {d}, n = {n:g}, epsilon = {epsilon}": one.accuracy for (d, n, epsilon), one in found.items()})
    record.note({f"first n, d = {d}, epsilon = {epsilon}": one.first_n for (d, _, epsilon), one in found.items()})
    if all(one.vacuous and one.first_n > n for (_, n, _), one in found.items()):
        (d, n, epsilon), best = min(found.items(), key=lambda entry: entry[1].accuracy)
        witness = {"d": d, "n": n, "epsilon": epsilon, "alpha": best.accuracy, "G": 1.0, "first n": best.first_n}
        record.plot = Plot(tuple(n for _, n, _ in rows), {"alpha": tuple(one.accuracy for one in found.values())}, "n", "alpha, G = 1")
        record.refute(f"alpha is {best.accuracy:.3g} at best, G = 1; something is promised from n = {best.first_n:.2g} on", witness)
    return record.conclude("some row promises something")


def check_sample_budget(*, s: float, C: float, rows: tuple[Row, ...]) -> Finding:
    """Check that the theorem's batches use at most n samples, b_1 |T| + b_2 T <= n, at some row (d, n, epsilon); return a Finding.

    T is that of (79), and |T| the bound in Lemma 8's proof, which T cuts off.
    """
    record, least = Record({"rows": len(rows)}), math.inf
    for row in rows:
        point, found = solve_fixed_point(row, s, C)
        at = printed_values(row, s, C, point)
        T, (d, n, epsilon) = at[p.T], row
        use = (at[p.b_1] * min(p.formula_value(p.FORMULAS.of("lemma8")["bound"], at), T) + at[p.b_2] * T) / n
        if abs(use / found.over_budget - 1) > 1e-7:
            return record.leave_open(f"the library counts {found.over_budget:.6g} n, the paper's formulas {use:.6g} n")
        if use < least:
            least, where = use, {"d": d, "n": n, "epsilon": epsilon, "b_2 T / n": at[p.b_2] * T / n, "(b_1 |T| + b_2 T) / n": use}
    if least > 1:
        record.note(where)
        record.refute(f"up to {least:.3g} n samples or more, where n are there", where)
    return record.conclude("within n")


@check_deviations("kappa of Theorems 2 and 3")
def check_drift_limits(*, points: tuple[tuple[float, ...], ...]) -> Cases:
    """Check that the library's kappa equals the kappa printed in Theorems 2 and 3, at constants other than 1; return a Finding."""
    for n, d, epsilon, G, M, rho, U, m in points:
        ours = printed_drift_limit(Problem(n=n, d=d, epsilon=epsilon, delta=1e-5, L=G, ell=M, rho=rho, U=U, m=m))
        theirs = max(
            p.formula_value(entry, p.problem_values(n=n, d=d, epsilon=epsilon, G=G, M=M, rho=rho, U=U, m=m)) for entry in p.KAPPA_3
        )
        yield abs(ours / theirs - 1), {"n": n, "d": d, "G": G, "M": M, "rho": rho, "U": U, "m": m, "library": ours, "paper": theirs}
