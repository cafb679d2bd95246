"""Checks of Definition 8 and Lemmas 16 and 17: the Gaussian mechanism and composition, against exact curves."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import mpmath as mp
import numpy as np
import sympy as sp

import bounds
from bounds import privacy
from bounds.proofs.inequalities import is_zero
from paper_checks.record import Record
from paper_checks.shared.findings import check_deviation
from paper_checks.shared.privacy import DIGITS, attained_delta, composed_delta
from paper_checks.shared.search import Cases, CheckDecorator, check_deviations, check_ratios, find_edge, find_worst
from paper_checks.shared.steps import check_steps
from paper_checks.verdict import Finding, Plot


def classical_mu(epsilon: float, delta: float) -> Any:
    """Return mu, sensitivity over noise deviation in Definition 8: epsilon / sqrt(2 log(1.25/delta)), as an mpmath number."""
    with mp.workdps(DIGITS):
        return mp.mpf(epsilon) / mp.sqrt(2 * mp.log(mp.mpf("1.25") / mp.mpf(delta)))


def check_delta_ratios(wrong: str) -> CheckDecorator:
    """Return a decorator: a generator of (exact / claimed delta, point) becomes a check; `wrong` is its sentence for a ratio above 1."""
    return check_ratios("largest attained / claimed delta", wrong, "private at {tried} points; at most {value:.3g} of the claimed delta")


@check_delta_ratios("at epsilon = {epsilon:.4g}, delta = {delta:g} the mechanism has delta = {delta attained:.4g}")
def check_definition8(*, low: float, high: float, deltas: tuple[float, ...], points: int) -> Cases:
    """Check by the exact delta that Definition 8's Gaussian mechanism is private on a grid of epsilon in [low, high]; return a Finding."""
    for delta, epsilon in itertools.product(deltas, np.geomspace(low, high, points).tolist()):
        found = float(attained_delta(epsilon, classical_mu(epsilon, delta)) / delta)
        yield found, {"epsilon": epsilon, "delta": delta, "delta attained": found * delta}


def check_critical_epsilons(*, values: tuple[tuple[float, float], ...], points: int) -> Finding:
    """Check that each stated (delta, epsilon) has the largest private epsilon of Definition 8, to three decimals; return a Finding."""

    def holds(epsilon: float, delta: float) -> bool:
        return bool(attained_delta(epsilon, classical_mu(epsilon, delta)) <= delta)

    found = {delta: find_edge(partial(holds, delta=delta), 1.0, 2.0)[0] for delta, _ in values}
    for delta, epsilon in itertools.product(found, np.geomspace(1e-3, 100, points).tolist()):
        if holds(epsilon, delta) != (epsilon <= found[delta]):
            return Record().refute("another crossing", {"epsilon": epsilon, "delta": delta})
    off = find_worst((abs(found[delta] - one), {"delta": delta, "critical epsilon": found[delta], "stated": one}) for delta, one in values)
    verdict = check_deviation(off.value, off.at, off.tried, "the critical epsilon of each delta, to three decimals", None, 0.0005)
    plot = Plot(tuple(found), {"critical epsilon": tuple(found.values())}, "delta", "largest private epsilon of Definition 8")
    return replace(verdict, numbers={f"delta = {k:g}": v for k, v in found.items()}, plot=plot)


def check_composition_proof(*, samples: int) -> Finding:
    """Check that Lemma 16's stated epsilon is the one that its proof shows (else INCONCLUSIVE), and that proof; return a Finding."""
    stated, proved = bounds.THEOREMS["gauss_psgd.lemma16"].bound, bounds.page("gauss_psgd.advanced_composition").formula("one")
    if is_zero(stated - proved):
        return check_steps(bounds.DERIVATIONS["gauss_psgd.advanced_composition"], samples=samples)
    sentence = f"the proof is of {sp.sstr(proved)}, and Lemma 16 states {sp.sstr(stated)}: a proof of that one would settle it"
    return Record().leave_open(sentence)


def check_repaired_definition8(*, epsilons: Sequence[float], deltas: Sequence[float]) -> Finding:
    """Check by the exact delta that Definition 8's Gaussian mechanism is private at all `epsilons` and `deltas`; return a Finding."""
    ratios = {at: attained_delta(at[0], classical_mu(*at)) / at[1] for at in itertools.product(epsilons, deltas)}
    at = max(ratios, key=lambda point: ratios[point])
    largest = float(ratios[at])
    record = Record({"points": len(ratios), "largest delta attained / delta": largest, "at epsilon, delta": at})
    if ratios[at] > 1:
        witness = {"epsilon": at[0], "delta": at[1], "delta attained / delta": largest}
        record.refute(f"the exact delta is {largest:.4g} times as large as promised", witness)
    return record.conclude(f"the exact delta is at most {largest:.3f} of the promised one at {len(ratios)} points with epsilon up to 1")


@check_delta_ratios("k = {k}, epsilon = {epsilon:g}: delta = {delta attained:.3g}")
def check_lemma16(*, epsilons: tuple[float, ...], deltas: tuple[float, ...], folds: tuple[int, ...]) -> Cases:
    """Check that k composed worst-case mechanisms have at most the delta of Lemma 16, advanced composition, exactly; return a Finding."""
    for epsilon, delta, k in itertools.product(epsilons, deltas, folds):
        whole = composed_delta(epsilon, epsilon / (2 * math.sqrt(2 * k * math.log(2 / delta))), delta / (2 * k), k)
        yield whole / delta, {"epsilon": epsilon, "delta": delta, "k": k, "delta attained": whole}


@check_deviations("the delta of the pair is at most that of its parts")
def check_lemma17(*, tries: int, seed: int) -> Cases:
    """Check Lemma 17: that a pair of random mechanisms on disjoint data has at most the delta of either, exactly; return a Finding."""
    rng = np.random.default_rng(seed)
    for _ in range(tries):
        k, epsilon = int(rng.integers(2, 5)), float(rng.uniform(0, 2))
        first = rng.dirichlet(np.ones(k), 2)  # distribution of M_1 on D_1 and on D_1'
        second = rng.dirichlet(np.ones(k), (2, k))  # distribution of M_2 given M_1's output, on D_2 and on D_2'

        def stick(p: Any, q: Any, epsilon: float = epsilon) -> float:
            return float(np.maximum(p - math.exp(epsilon) * q, 0).sum())

        alone = max(stick(first[0], first[1]), *(stick(second[0, i], second[1, i]) for i in range(k)))
        both = first[0][:, None] * second[0]
        for other in (first[1][:, None] * second[0], first[0][:, None] * second[1]):
            whole = stick(both, other)
            yield whole - alone, {"epsilon": epsilon, "delta of the parts": alone, "delta of the pair": whole}


def check_reused_samples(*, epsilon: float, delta: float, uses: int) -> Finding:
    """Check by the exact delta that noise for one release stays private if each sample is used `uses` times; return a Finding."""
    mu = classical_mu(epsilon, delta)
    whole = privacy.epsilon_gaussian(delta=delta, sigma=float(1 / mu), T=uses, sensitivity=1.0)
    found = float(attained_delta(epsilon, mu * mp.sqrt(uses)))
    record = Record({"epochs": uses, "epsilon": epsilon, "delta attained at epsilon": found, "epsilon attained at delta": whole})
    if found > delta:
        record.refute(f"after {uses} epochs epsilon is {whole:.3g}, not {epsilon:g}", record.numbers)
    return record.conclude("within the budget")


def check_parallel_composition(*, parts: int) -> Finding:
    """Check by enumeration that randomised response on `parts` disjoint records is private with the epsilon of one; return a Finding."""
    truth = Fraction(3, 4)  # exp(epsilon) = 3

    def law(data: tuple[int, ...], answer: tuple[int, ...]) -> Fraction:
        return math.prod((truth if a == b else 1 - truth for a, b in zip(data, answer, strict=True)), start=Fraction(1))

    cube = tuple(itertools.product((0, 1), repeat=parts))
    worst, cases = Fraction(0), len(cube) ** 2 * parts
    for data, answer, i in itertools.product(cube, cube, range(parts)):
        other = tuple(1 - value if j == i else value for j, value in enumerate(data))
        worst = max(worst, law(data, answer) / law(other, answer))
    # without disjointness: the same answers, all about one record
    shared = max(law((0,) * parts, answer) / law((1,) * parts, answer) for answer in cube)
    record = Record({"exp(epsilon)": 3, "largest ratio": float(worst), "about one record that all use": float(shared), "cases": cases})
    if worst > 3:
        record.refute(f"the ratio reaches {worst}", {"ratio": float(worst)})
    sentence = f"cited; in all {cases} cases of {parts} parts the ratio is at most 3 = exp(epsilon), and {shared} without disjointness"
    return record.conclude(sentence)
