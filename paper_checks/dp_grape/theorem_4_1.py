r"""Checks of Theorem 4.1's noise: exact curves at full batch, attacks on batches of fixed size, ranges, and what holds instead.

At full batch T steps are one Gaussian release with mu = Delta sqrt(T)/sigma, and sigma = c_2 B Delta sqrt(T log(1/delta))/(n epsilon) makes
mu = epsilon/(c_2 sqrt(log(1/delta))); the paper has c_2 = 1. All curves are in 60 digits and apart from `bounds.privacy`.

The instance that is attacked has linear losses <xi, w>, so that gradients do not depend on w: every sample has xi = G e_1 but one, which
has -G e_1 in X and G e_1 in X'. G is so large that P' G e_1 is always clipped, to a vector v of length C that is known, since P is. A step
releases v - 2 v b/B + noise with b = 1 where the batch has that sample: in the direction of -v it is (1-q) N(0) + q N(2C/B) against N(0),
q = B/n. With L the sum of the losses, delta = E (1 - e^(epsilon - L))_+ >= P(L > epsilon + log 2)/2 over runs on X.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from mpmath import mp
from scipy import stats

from bounds.privacy import accounting
from paper_checks.compare import LEVEL
from paper_checks.dp_grape import printed as p
from paper_checks.record import Record
from paper_checks.shared.findings import clopper_pearson
from paper_checks.shared.formulas import evaluate_formula
from paper_checks.shared.privacy import DIGITS, attained_delta, delta_lower_bound, exact_delta
from paper_checks.shared.search import Cases, check_deviations, find_edge
from paper_checks.verdict import Finding
from synthetic.draws import FloatArray


def printed_noise(*, at: tuple[float, float], steps: int, samples: int, c_2: float = 1.0) -> float:
    """Return c_2 times the printed sigma at (epsilon, delta) = `at`: the deviation of the noise on the mean, in units of C."""
    return c_2 * evaluate_formula(p.D10["sigma"], {"C": 1, "T": steps, "n": samples, "epsilon": at[0], "delta": at[1]})


def delta_spent(at: tuple[float, float], c_2: float | None) -> Any:
    """Return the exact delta that T full batches spend at the nominal (epsilon, delta) with this c_2.

    c_2 = None: the delta of one release with Theorem 2.1's factor sqrt(2 log(1.25/delta)).
    """
    with mp.workdps(DIGITS):
        log = mp.log(1 / mp.mpf(at[1])) if c_2 is not None else 2 * mp.log(mp.mpf(1.25) / mp.mpf(at[1]))
        return exact_delta(mp.mpf(at[0]), at[0] / (mp.mpf(1 if c_2 is None else c_2) * mp.sqrt(log)))


def check_spent_delta(*, points: Sequence[tuple[float, float]], c_2: float | None = 1.0) -> Finding:
    """Check that full batches spend at most delta at nominal points (epsilon, delta), by the exact delta; return a Finding."""
    found = {at: delta_spent(at, c_2) for at in points}
    record = Record({f"delta spent at {at}": float(value) for at, value in list(found.items())[:20]})
    if failing := [at for at, value in found.items() if value > at[1]]:
        words, at = ", ".join(f"{mp.nstr(found[at], 3)} at {at}" for at in failing[:3]), failing[0]
        record.refute(f"delta spent is {words}", {"epsilon": at[0], "delta": at[1], "c_2": c_2, "delta spent": float(found[at])})
    return record.conclude(f"at most delta is spent at each of {len(points)} points")


@check_deviations("the c_2 that is needed at full batch", tolerance=5e-4)
def check_needed_constants(*, points: Mapping[tuple[float, float], float]) -> Cases:
    """Check that full batches spend exactly delta with the stated c_2, for each (epsilon, delta); return a Finding."""
    for at, stated in points.items():
        low, high = find_edge(lambda c_2, at=at: delta_spent(at, c_2) > at[1], 0.5, 4.0)  # type: ignore[misc]
        yield abs(low / 2 + high / 2 - stated), {"epsilon": at[0], "delta": at[1], "needed": high, "stated": stated}


@check_deviations("the epsilon up to which the noise is enough", tolerance=5e-3)
def check_largest_epsilons(*, c_2: float | None, stated: Mapping[float, float], points: int) -> Cases:
    """Check that full batches spend at most delta up to the stated epsilon and more above it, for each delta; return a Finding."""
    for dlt, end in stated.items():
        low, _ = find_edge(lambda eps, dlt=dlt: delta_spent((eps, dlt), c_2) <= dlt, 1e-4, 0.1)  # type: ignore[misc]
        tried = (*np.geomspace(1e-3, end - 5e-3, points), *np.geomspace(end + 5e-3, 50, points))
        wrong = [eps for eps in tried if (delta_spent((eps, dlt), c_2) <= dlt) != (eps < end)]
        yield max(abs(low - end), float(bool(wrong))), {"delta": dlt, "largest epsilon": low, "stated": end, "wrong at": wrong[:1]}


def check_random_iterate(*, points: Sequence[tuple[float, float]], steps: int, rank: int) -> Finding:
    """Check that W_tau alone is private, tau uniform on 1..T or 0..T-1, by an attack on one record -+G e_1; return a Finding.

    There are as many dimensions as the rank. G is so large that all is clipped. An observer who knows neither tau nor the P_t asks whether
    the first coordinate lies beyond the point where a walk of plain Gaussian steps has likelihood ratio e^epsilon, which is the same point
    after every step. Where the noise is enough, P(beyond) - e^epsilon P'(beyond) is at most delta.
    """
    record = Record({"T": steps, "r = d": rank})
    for at in points:
        deviation = printed_noise(at=at, steps=steps, samples=1)
        limit = at[0] * deviation**2 / 2
        each = walk_tail(limit, deviation, steps, rank) - math.exp(at[0]) * (1 - walk_tail(-limit, deviation, steps, rank))
        both = float(each.sum()) / steps, float(each[:-1].sum()) / steps
        record.note({f"delta is at least, at {at}": both})
        if min(both) > at[1]:
            of = {"T": steps, "n": 1, "d": rank, "r": rank, "xi": "-+G e_1", "delta is at least": both}
            words = f"at {at} the released W_tau spends a delta of about {both[0]:.3g} or {both[1]:.3g}, or more"
            return record.refute(words, {"epsilon": at[0], "delta": at[1], **of})
    return record.conclude(f"at most delta is seen at {len(points)} points")


def walk_tail(limit: float, deviation: float, steps: int, rank: int) -> FloatArray:
    """Return P(first coordinate of a walk from 0 > limit) after each of 1..T steps, (steps,), in units of C times the step size.

    A step adds rho (1 + deviation g), where rho = |P' e_1|, rank rho^2 is chi-square and g is normal. The characteristic function of a
    step is an integral over rho; its powers are inverted (Gil-Pelaez) by the midpoint rule, which is exact up to rounding here.
    """
    nodes, weights = np.polynomial.legendre.leggauss(200)
    rho = 2 * (nodes + 1)  # rho > 4 is negligible: rank * 16 is far in the tail
    weights = 2 * weights * stats.chi.pdf(rho * math.sqrt(rank), rank) * math.sqrt(rank)
    spacing = 60 / deviation / 8192
    u = (np.arange(8192) + 0.5) * spacing
    step = np.exp(1j * np.outer(u, rho) - np.outer(u**2, rho**2) * deviation**2 / 2) @ weights
    turned, found = np.exp(-1j * u * limit) / u, np.empty(steps)
    for t in range(steps):
        turned = turned * step
        found[t] = 0.5 + turned.imag.sum() * spacing / math.pi
    return found


def check_linear_instance(
    *, n: int, batch: int, T: int, at: tuple[float, float], runs: int, spacing: float, seed: int, c_2: float = 1.0
) -> Finding:
    """Check that the linear instance is private with the printed noise, r = 2, by runs and by its exact curve; return a Finding."""
    (eps, dlt), q, deviation = at, batch / n, printed_noise(at=at, steps=T, samples=n, c_2=c_2)
    chance, total = np.random.default_rng(seed), np.zeros(runs)
    for _ in range(T):
        projected = chance.standard_normal((runs, 2)) / math.sqrt(2) * 1e9  # P'G e_1
        clipped = projected * np.minimum(1, 1 / np.linalg.norm(projected, axis=1))[:, None]
        drawn = chance.random(runs) < q
        release = clipped * (1 - 2 * drawn / batch)[:, None] + deviation * chance.standard_normal((runs, 2))
        towards = -np.sum((release - clipped) * clipped, axis=1)  # the clipped vectors have length 1
        total += np.log1p(q * np.expm1((towards - 1 / batch) * 2 / batch / deviation**2))
    low, shift = clopper_pearson(int((total > eps + math.log(2)).sum()), runs)[0] / 2, 2 / (batch * deviation)
    curve = (
        float(attained_delta(eps, shift * math.sqrt(T))) if q == 1 else delta_lower_bound(eps, shift=shift, q=q, steps=T, spacing=spacing)
    )
    numbers = {"runs": runs, "delta is at least, by runs": low, "delta is at least, by the instance's curve": curve, "sigma / C": deviation}
    record = Record({**numbers, "range of the proof": 2 * batch**2 * T / n**2}, seed=seed, false_alarm=LEVEL)
    if low > dlt and curve > dlt and eps <= record.numbers["range of the proof"]:
        witness = {"epsilon": eps, "delta": dlt, "n": n, "B": batch, "T": T, "r": 2, "delta is at least": low}
        record.refute(f"the instance spends delta >= {low:.3g} in runs, {curve:.3g} by its curve", witness)
    return record.conclude(f"runs show delta >= {low:.2g}, the curve {curve:.2g}")


def check_batch_noise(
    *, n: int, batch: int, T: int, at: tuple[float, float], spacing: float, c_2: float | None = None, removed: bool = False
) -> Finding:
    """Check that c_2 times the printed sigma, or Poisson's (None), is private by the linear instance's curve; return a Finding.

    Batches are of fixed size and one record is replaced; `removed`: Poisson batches, and one record removed.
    """
    (eps, dlt), sampling = at, "poisson" if removed else "without_replacement"
    relation, shift = ("add_or_remove_one", 1) if removed else ("replace_one", 2)
    poisson, enough = (accounting.noise_multiplier(eps, dlt, T, n, batch, how, relation) for how in ("poisson", sampling))  # type: ignore[arg-type]
    given = poisson if c_2 is None else batch * printed_noise(at=at, steps=T, samples=n, c_2=c_2)
    least, still = (delta_lower_bound(eps, shift=shift / one, q=batch / n, steps=T, spacing=spacing) for one in (given, enough))
    record = Record({"multiplier": given, "delta is at least": least, "multiplier of the lab": enough, "delta there": still})
    if still > dlt or enough < given:
        return record.leave_open("the lab's own multiplier is too small; a corrected accountant would settle it")
    really = accounting.epsilon(given / batch, dlt, T, n, batch, 1.0, sampling, relation)  # type: ignore[arg-type]
    if least > dlt and really > eps:
        witness = {"epsilon": eps, "delta": dlt, "n": n, "B": batch, "T": T, **record.numbers, "epsilon by the accountant": really}
        record.refute(f"the multiplier {given:.4g} spends delta >= {least:.3g}; its epsilon is {really:.4g}", witness)
    return record.conclude(f"the instance spends {least:.3g}; epsilon is {really:.4g}")


def check_literal_sigma(*, n: int, batch: int, T: int, at: tuple[float, float], C: float) -> Finding:
    """Check that the printed sigma, taken as the multiplier of Algorithm 1, is private, by an attack; return a Finding."""
    multiplier, lab = printed_noise(at=at, steps=T, samples=n) * C, ("poisson", "add_or_remove_one")
    with mp.workdps(40):
        q, shift, cut = mp.mpf(batch) / n, 1 / mp.mpf(multiplier), mp.mpf(6)  # one record more, sensitivity C: the milder relation
        seen = 1 - ((1 - q) * mp.ncdf(cut) + q * mp.ncdf(cut - shift)) ** T
        value = float(seen - mp.exp(at[0]) * (1 - mp.ncdf(cut) ** T))
    record = Record({"multiplier, literal": multiplier, "multiplier, consistent": batch / C * multiplier})
    record.note({"multiplier, exact (add or remove)": accounting.noise_multiplier(*at, T, n, batch, *lab)})  # type: ignore[arg-type]
    record.note({"epsilon, literal": accounting.epsilon(multiplier / batch, at[1], T, n, batch, 1.0, *lab)})  # type: ignore[arg-type]
    if not value <= at[1]:
        witness = {"n": n, "B": batch, "T": T, "C": C, "epsilon": at[0], "delta": at[1], "delta is at least": value}
        record.refute(f"the multiplier {multiplier:.3g} spends delta >= {value:.4f} at epsilon = {at[0]:g}", witness)
    return record.conclude(f"the largest release shows delta >= {value:.3g}")


def check_epsilon_ranges(*, n: int, batch: int, T: int, dlt: float) -> Finding:
    """Check that Theorem 4.1, Theorem D.10 and its proof state one range of epsilon; return a Finding."""
    found = {"2 log(2/delta)": 2 * math.log(2 / dlt), "any": math.inf, "2 B^2 T/n^2": 2 * batch**2 * T / n**2}
    record = Record(found)
    if len(set(found.values())) > 1:
        words = f"epsilon may be up to {', '.join(f'{value:.4g} ({name})' for name, value in found.items())}"
        record.refute(words, {"n": n, "B": batch, "T": T, "delta": dlt, **found})
    return record.conclude("one range")


def check_printed_batch(*, at: Mapping[str, float]) -> Finding:
    """Check that the printed batch size's first entry allows the epsilon of a problem by the proof's range; return a Finding.

    The second entry has the root of log(1 delta).
    """
    first, steps = (evaluate_formula(p.D10[name], at) for name in ("B_first", "T"))
    reach, needs = 2 * first**2 * steps / at["n"] ** 2, at["n"] * math.sqrt(at["epsilon"] / (2 * steps))
    record = Record({"first entry": first, "the range needs": needs, "log(1 delta)": math.log(at["delta"])})
    if not reach >= at["epsilon"]:
        words = f"the first entry, {first:.3g}, allows epsilon <= {reach:.3g}; B >= {needs:.4g} is needed"
        record.refute(words, {**p.SPELLING.spell_keys(at), "2 B^2 T/n^2": reach})
    return record.conclude("the proof's range follows")


REMOVAL = [(e, p) for e in (0.01, 0.1, 1.0, 4.0, 8.0) for p in (0.1, 1e-3, 1e-5, 1e-9, 1e-15)]
