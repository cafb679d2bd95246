"""Is the noise of DPZero's Lemma 2.2 enough? The exact Gaussian curve against the lemma, over the whole domain that it states.

`exact_delta` and `printed_mu` below are written from the formulas themselves, in 60 digits and apart from `bounds.privacy`, so that
a fault there shows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import sympy as sp
from mpmath import mp

from bounds import privacy
from bounds import symbols as s
from bounds.certificates import Outcome as Certificate
from bounds.certificates import verify
from bounds.derivation import Derivation, Identity, NonNegative, Reasoned, line, words
from bounds.dpzero import composition
from bounds.dpzero.common import SIGMA
from bounds.inequalities import is_zero
from paper_checks.dpzero import formulas, printed
from paper_checks.verdict import Claim, Finding, Kind, Outcome

DIGITS = 60


def exact_delta(epsilon: Any, mu: Any) -> Any:
    """Return Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) in the digits that are set: the curve of mu-GDP."""
    return mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu)


def printed_log(epsilon: Any, delta: Any) -> Any:
    """Return A = log(e + epsilon/delta)."""
    return mp.log(mp.e + mp.mpf(epsilon) / mp.mpf(delta))


def printed_mu(epsilon: Any, delta: Any) -> Any:
    """Return mu = sqrt(T) Delta / sigma at the sigma of Lemma 2.2."""
    return mp.mpf(epsilon) / mp.sqrt(8 * printed_log(epsilon, delta))


def lemma_2_2_anywhere(*, lowest: float, highest: float, points: int) -> Finding:
    """Search epsilon in [lowest, highest] and delta in [1e-300, 0.99], ends included, for a point where the lemma is not private."""
    worst, at, failures = -math.inf, (lowest, 0.5), 0
    deltas = np.concatenate([10.0 ** -np.array([300.0, 100.0, 30.0, 15.0]), np.geomspace(1e-10, 0.99, points)])
    for delta in deltas.tolist():
        for epsilon in np.geomspace(lowest, highest, points).tolist():
            excess = log_excess(epsilon, delta)
            failures += excess > 0
            if excess > worst:
                worst, at = excess, (epsilon, delta)
    tried = points * len(deltas)
    numbers = {"tried": tried, "not private": failures, "largest log(attained / claimed)": worst}
    if not failures:
        return Finding(Outcome.CONSISTENT, f"private at each of {tried} points, far ends included", numbers)
    epsilon, delta = rounded_failure(*at)
    attained = delta * math.exp(log_excess(epsilon, delta))
    witness = {"epsilon": epsilon, "delta": delta, "delta attained": attained}
    return Finding(
        Outcome.REFUTED, f"at epsilon = {epsilon:g}, delta = {delta:g} the noise gives only delta = {attained:.4g}", numbers, witness
    )


def log_excess(epsilon: float, delta: float) -> float:
    """Return log(delta attained / delta claimed) with the noise of Lemma 2.2; it depends neither on T nor on the sensitivity."""
    T, sensitivity = 7, 0.3
    sigma = privacy.sigma_lemma_2_2(epsilon=epsilon, delta=delta, T=T, sensitivity=sensitivity)
    return privacy.log_delta(epsilon=epsilon, mu=math.sqrt(T) * sensitivity / sigma) - math.log(delta)


def rounded_failure(epsilon: float, delta: float) -> tuple[float, float]:
    """Return the first failure of the lemma with one significant digit in both numbers, or the given one."""
    for e in (1.0, 10.0, 100.0, 1000.0, 10_000.0, 100_000.0):
        for factor in (1, 2, 5):
            for p in (1, 2, 3, 5, 6):
                if log_excess(factor * e, 10.0**-p) > 0:
                    return factor * e, 10.0**-p
    return epsilon, delta


PRINTED_LEMMA = 2 * s.sensitivity * sp.sqrt(2 * s.T * printed.LOG_TERM) / s.epsilon
PRINTED_SIGMA = printed.SIGMA.xreplace({s.A: printed.LOG_TERM})


def sigma_of_the_algorithms() -> Finding:
    """Compare Lemma 2.2 at sensitivity 2C/n with the sigma of the algorithms, and both with what the library computes."""
    differences = {
        "the two formulas": PRINTED_LEMMA.subs(s.sensitivity, 2 * s.C / s.n) - PRINTED_SIGMA,
        "the variance in the proofs": PRINTED_SIGMA**2 - 32 * s.C**2 * s.T * printed.LOG_TERM / (s.n * s.epsilon) ** 2,
        "bounds.dpzero.composition": composition.LEMMA_2_2.in_constants(composition.LEMMA_2_2.bound) - PRINTED_LEMMA,
        "bounds.dpzero.common": composition.LEMMA_2_2.in_constants(SIGMA) - PRINTED_SIGMA,
    }
    at = {"n": 1024, "T": 10_000, "C": 100.0, "epsilon": 2.0, "delta": 1e-5}
    for name, difference in differences.items():
        if not is_zero(difference):
            value = float(difference.subs({s.sensitivity: 2 * s.C / s.n}).subs({s.GLOSSARY[one].symbol: at[one] for one in at}))
            return Finding(Outcome.REFUTED, f"{name}: the difference is not 0", {}, {**at, "difference": value})
    worst, tried = 0.0, 0
    with mp.workdps(DIGITS):
        for eps in (1e-6, 1e-3, 0.1, 2.0, 50.0, 1e4):
            for dlt in (1e-200, 1e-30, 1e-5, 0.3, 0.99):
                for steps in (1, 7, 10_000):
                    exact = mp.sqrt(8 * steps * printed_log(eps, dlt)) * mp.mpf(0.3) / eps
                    error = abs(privacy.sigma_lemma_2_2(epsilon=eps, delta=dlt, T=steps, sensitivity=0.3) / exact - 1)
                    worst, tried = max(worst, float(error)), tried + 1
    if worst > 1e-13:
        return Finding(Outcome.REFUTED, "bounds.privacy computes another sigma", {"tried": tried}, {"relative difference": worst})
    numbers = {"identities": len(differences), "points": tried, "largest relative rounding error": worst}
    return Finding(Outcome.PROVED, "the difference of the two formulas expands to 0", numbers)


def critical_epsilon(*, delta: float, stated: float, last_digit: float, points: int) -> Finding:
    """Compare the epsilon up to which the lemma holds at this delta with the stated one, and look for other sign changes."""
    found = privacy.lemma_2_2_critical_epsilon(delta)
    low, high = stated - last_digit / 2, stated + last_digit / 2
    numbers = {"delta": delta, "stated": stated, "critical epsilon": found, "tried": points}
    with mp.workdps(DIGITS):
        for eps in [*np.geomspace(1e-6, low, points // 2).tolist(), *np.geomspace(high, 1e5, points // 2).tolist()]:
            attained = exact_delta(mp.mpf(eps), printed_mu(eps, delta))
            if (attained > delta) != (eps > stated):
                return Finding(
                    Outcome.REFUTED,
                    f"at epsilon = {eps:.8g} the noise gives delta = {mp.nstr(attained, 6)}",
                    numbers,
                    {"epsilon": eps, "delta": delta, "delta attained": float(attained)},
                )
    if not low <= found <= high:
        return Finding(Outcome.REFUTED, f"bounds.privacy finds {found:.8g}", numbers, {"delta": delta, "critical epsilon": found})
    return Finding(Outcome.CONSISTENT, f"private up to {found:.7g}, not above, at each of {points} points in {DIGITS} digits", numbers)


def least_critical_epsilon(*, stated: float, last_digit: float, points: int) -> Finding:
    """Minimise the critical epsilon over delta, and compare with the stated least value."""
    far = [*np.geomspace(1e-300, 0.3, points).tolist(), *(1 - np.geomspace(1e-9, 0.3, points)).tolist()]
    near = np.linspace(0.4, 0.6, 2 * points + 1).tolist()
    least, at = min((privacy.lemma_2_2_critical_epsilon(one), one) for one in far + near)
    with mp.workdps(DIGITS):
        below, above = ((mp.mpf(least) + sign * last_digit / 2) for sign in (-1, 1))
        crosses = exact_delta(below, printed_mu(below, at)) <= at < exact_delta(above, printed_mu(above, at))
    numbers = {"least": least, "at delta": at, "deltas tried": len(far + near)}
    if crosses and abs(least - stated) <= last_digit / 2:
        return Finding(Outcome.CONSISTENT, f"the least critical epsilon found is {least:.6g}, at delta = {at:.4g}", numbers)
    return Finding(Outcome.REFUTED, f"the least critical epsilon found is {least:.6g}", numbers, {"delta": at, "critical epsilon": least})


def waste(*, low: float, high: float, points: int) -> Finding:
    """Compare the ratio of the lemma's sigma to the exact one with [low, high] on 0.1 <= epsilon <= 10, 1e-9 <= delta <= 1e-5.

    The ratio is at least `low` where mu = low * printed_mu is still private, and at most `high` where high * printed_mu is not.
    """
    ratios: dict[tuple[float, float], float] = {}
    with mp.workdps(DIGITS):
        for eps in np.geomspace(0.1, 10, points).tolist():
            for dlt in np.geomspace(1e-9, 1e-5, points // 2 + 1).tolist():
                ratio, mu = privacy.lemma_2_2_ratio(eps, dlt), printed_mu(eps, dlt)
                ratios[eps, dlt] = ratio
                e, within = mp.mpf(eps), low <= ratio <= high
                if not within or exact_delta(e, low * mu) > dlt or exact_delta(e, high * mu) <= dlt:
                    witness = {"epsilon": eps, "delta": dlt, "ratio": ratio}
                    return Finding(Outcome.REFUTED, f"the ratio is not between {low} and {high}", {}, witness)
    numbers = {"smallest ratio": min(ratios.values()), "largest ratio": max(ratios.values()), "tried": len(ratios)}
    sentence = f"the lemma's sigma is {numbers['smallest ratio']:.4g} to {numbers['largest ratio']:.4g} times the exact one"
    return Finding(Outcome.CONSISTENT, f"{sentence} at {len(ratios)} points, corners included", numbers)


DELTA_LIMIT = sp.Rational(46, 100)
_y = s.epsilon / composition.m + composition.m / 2
FAILURE = Derivation(
    key="dpzero.lemma_2_2.fails",
    title="Lemma 2.2 fails where epsilon >= 16 A",
    source="our proof",
    steps=(
        line(
            "x_in_factors",
            "delta(epsilon) = Phi(-x) - e^epsilon Phi(-y); x is not positive where epsilon >= 16 A, so that Phi(-x) >= 1/2",
            composition.x,
            "=",
            sp.sqrt(8) / (16 * sp.sqrt(s.A)) * (16 * s.A - s.epsilon),
            "take sqrt(8 A) out",
            Identity(),
        ),
        line(
            "x_of_the_curve",
            "x as in the curve of A",
            s.epsilon / composition.m - composition.m / 2,
            "=",
            composition.x,
            "insert mu",
            Identity(),
        ),
        line(
            "y_squared",
            "y^2 is at least 2 epsilon",
            _y**2,
            ">=",
            2 * s.epsilon,
            "y^2 = x^2 + 2 epsilon",
            NonNegative(((composition.x**2,),)),
        ),
        line(
            "exponents",
            "e^epsilon phi(y) = phi(x): the exponents",
            s.epsilon - _y**2 / 2,
            "=",
            -(composition.x**2) / 2,
            "expand",
            Identity(),
        ),
        words(
            "tail",
            "Phi(-y) <= phi(y)/y, so e^epsilon Phi(-y) <= phi(x)/y <= phi(0)/sqrt(2 epsilon)",
            "the two lines before",
            Reasoned(
                "the integral of phi(s) beyond y is at most that of (s/y) phi(s), which is phi(y)/y", using=("y_squared", "exponents")
            ),
        ),
    ),
)


def fails_far_out(*, points: int) -> Finding:
    """Prove that the lemma fails where epsilon >= 16 A and delta < 0.46, and try it at random points of that region."""
    results = [verify(FAILURE, step.name) for step in FAILURE.steps]
    needed = s.epsilon - 16 * sp.log(sp.E + s.epsilon / DELTA_LIMIT)  # convex, negative at 0 and 80: negative between
    convex = bool(sp.diff(needed, s.epsilon, 2).is_positive)
    ends = [float(needed.subs(s.epsilon, end)) for end in (0, 80)]
    left = 0.5 - 1 / math.sqrt(2 * math.pi * 2 * 80)
    worst, at = mp.inf, (0.0, 0.0)
    with mp.workdps(DIGITS):
        for dlt in [*np.geomspace(1e-200, 0.4599, points).tolist(), 0.459999]:
            edge = mp.mpf(100)
            for _ in range(200):
                edge = 16 * printed_log(edge, dlt)
            for factor in (1, 1.001, 1.1, 2, 10, 1e3):
                eps = edge * factor * (1 + mp.mpf(10) ** -40)
                excess = exact_delta(eps, printed_mu(eps, dlt)) - dlt
                worst, at = min((worst, at), (excess, (float(eps), dlt)))
    numbers = {
        "certified steps": sum(result.outcome is Certificate.CERTIFIED for result in results),
        "points": 6 * (points + 1),
        "delta left at epsilon = 80": left,
        "least excess": float(worst),
    }
    if worst <= 0:
        return Finding(Outcome.REFUTED, "the lemma is private there", numbers, {"epsilon": at[0], "delta": at[1]})
    outcomes = {result.outcome for result in results}
    if outcomes <= {Certificate.CERTIFIED, Certificate.REASONED} and convex and max(ends) < 0 and left > DELTA_LIMIT:
        sentence = f"there epsilon > 80, so delta(epsilon) >= {left:.4f} > 0.46 > delta"
        if outcomes == {Certificate.CERTIFIED}:
            return Finding(Outcome.PROVED, sentence, numbers)
        return Finding(Outcome.CONSISTENT, f"{sentence}; one step of the proof, a bound on a normal tail, is in words", numbers)
    return Finding(Outcome.INCONCLUSIVE, "a step of the proof does not check; a repaired proof would settle it", numbers)


CLAIMS = (
    Claim(
        key="dpzero.lemma_2_2.any_epsilon",
        source="Lemma 2.2",
        words="The noise of Lemma 2.2 gives (epsilon, delta)-DP under T-fold composition for any epsilon > 0 and delta in (0, 1)",
        latex=formulas.LEMMA_2_2,
        kind=Kind.PRIVACY,
        expected=Outcome.REFUTED,
        why="mu = epsilon / sqrt(8 log(e + epsilon/delta)) grows with epsilon; from 83 on it is too much for some delta",
        examine=lemma_2_2_anywhere,
        arguments={"lowest": 1e-6, "highest": 1e6, "points": 25},
        full={"points": 200},
        correction="It holds for every delta when epsilon <= 8 log(e + epsilon/delta), hence for every epsilon up to 27",
        correction_latex=r"\varepsilon \le 8 \log(e + \varepsilon/\delta)",
        repaired_by="dpzero.lemma_2_2.safe_region",
        derivations=("dpzero.lemma_2_2",),
    ),
    Claim(
        key="dpzero.lemma_2_2.up_to_83",
        source="Lemma 2.2 (our finding)",
        words="Up to epsilon = 83.04 the lemma is private for every delta",
        kind=Kind.PRIVACY,
        stated="question",
        expected=Outcome.CONSISTENT,
        why="the least critical epsilon over delta is 83.045",
        examine=lemma_2_2_anywhere,
        arguments={"lowest": 1e-6, "highest": 83.04, "points": 25},
        full={"points": 200},
    ),
    Claim(
        key="dpzero.lemma_2_2.sigma_of_the_algorithms",
        source="Lemma 2.2; Algorithms 1 and 2, line 1",
        words="Lemma 2.2 with the sensitivity 2C/n of a mean of n vectors clipped to C gives the sigma of the algorithms",
        latex=formulas.SIGMA,
        kind=Kind.IDENTITY,
        expected=Outcome.PROVED,
        why="insert the sensitivity",
        examine=sigma_of_the_algorithms,
        derivations=("dpzero.lemma_2_2",),
    ),
    Claim(
        key="dpzero.lemma_2_2.critical_epsilon",
        source="Lemma 2.2 (our finding)",
        words="At delta = 1e-6 the noise of Lemma 2.2 is private for every epsilon up to 188.93 and for none above",
        latex=r"\varepsilon_c(10^{-6}) = 188.93",
        kind=Kind.PRIVACY,
        stated="question",
        expected=Outcome.CONSISTENT,
        why="the exact curve crosses delta there; one sign change was found between 1e-6 and 1e5",
        examine=critical_epsilon,
        arguments={"delta": 1e-6, "stated": 188.93, "last_digit": 0.01, "points": 100},
        full={"points": 4000},
    ),
    Claim(
        key="dpzero.lemma_2_2.least_critical_epsilon",
        source="Lemma 2.2 (our finding)",
        words="The least epsilon at which the lemma fails for some delta is 83.045",
        latex=r"\min_\delta \varepsilon_c(\delta) = 83.045",
        kind=Kind.PRIVACY,
        stated="question",
        expected=Outcome.CONSISTENT,
        why="the least value is at delta near 0.494; it rises on both sides",
        examine=least_critical_epsilon,
        arguments={"stated": 83.045, "last_digit": 0.001, "points": 60},
        full={"points": 1000},
    ),
    Claim(
        key="dpzero.lemma_2_2.waste",
        source="Lemma 2.2 (our finding)",
        words="For 0.1 <= epsilon <= 10 and 1e-9 <= delta <= 1e-5 the sigma of Lemma 2.2 is 2.08 to 2.80 times the least that is enough",
        latex=r"2.08 \le \sigma_{2.2}/\sigma_{\text{exact}} \le 2.80",
        kind=Kind.PRIVACY,
        stated="question",
        expected=Outcome.CONSISTENT,
        why="the lemma is an upper bound with room; its corners give 2.087 at (10, 1e-9) and 2.792 at (0.1, 1e-5)",
        examine=waste,
        arguments={"low": 2.08, "high": 2.80, "points": 13},
        full={"points": 101},
    ),
    Claim(
        key="dpzero.lemma_2_2.fails_far_out",
        source="Lemma 2.2 (our finding)",
        words="Wherever epsilon >= 16 log(e + epsilon/delta) and delta < 0.46 the noise of Lemma 2.2 is not (epsilon, delta)-private",
        latex=r"\varepsilon \ge 16\log(e+\varepsilon/\delta),\ \delta < 0.46 \;\Rightarrow\;"
        r" \delta(\varepsilon) \ge \tfrac12 - \tfrac{1}{\sqrt{4\pi\varepsilon}} > \delta",
        kind=Kind.PRIVACY,
        stated="question",
        expected=Outcome.CONSISTENT,
        why="there x = epsilon/mu - mu/2 <= 0, so half of the mass is beyond epsilon, and little is taken off",
        examine=fails_far_out,
        arguments={"points": 30},
        full={"points": 500},
        derivations=("dpzero.lemma_2_2",),
    ),
)
