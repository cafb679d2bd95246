"""Checks of Corollary 3, Lemmas 10 to 15, Definitions 6 and 7: tails of errors and of their sums, and the lemmas' absolute constants."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import sympy as sp
from scipy import stats

import bounds
from bounds.proofs.inequalities import is_zero
from bounds.symbols import symbols
from paper_checks.record import Record
from paper_checks.shared.findings import check_probability_at_most
from paper_checks.shared.search import Cases, check_allowances
from paper_checks.shared.tails import (
    Instances,
    check_absolute_constant,
    finite_tail,
    normal_maximum_tail,
    normal_norm_tail,
    probability_of_any,
    sign_sum_tail,
)
from paper_checks.verdict import Finding, Outcome

SIGN = 1 / math.sqrt(2 * math.log(2))  # the least norm-subGaussian constant of a sign: (11) at t = 1


@check_allowances("the tail over that of nSG")
def check_lemma10_constant(*, constant: float, dimensions: tuple[int, ...]) -> Cases:
    """Check that N(0, I_d) is norm-subGaussian with `constant` sqrt(d), by its exact tail on a grid; return a Finding."""
    for d in dimensions:
        for t in np.linspace(0.01, 12, 400) * math.sqrt(d):
            log_ratio = float(stats.chi2.logsf(t * t, d)) - math.log(2) + t * t / (2 * constant**2 * d)
            yield math.exp(min(log_ratio, 50)) if math.isfinite(log_ratio) else 0.0, {"d": d, "t": float(t), "constant": constant}


@check_allowances("the probability over e^(-iota)")
def check_lemma13_heaviest(*, C: float, iotas: tuple[float, ...], folds: tuple[int, ...]) -> Cases:
    """Check exactly that P(sum |v|^2 > C zeta^2 (p + iota)) <= e^(-iota), Lemma 13, for the heaviest tails; return a Finding.

    p norm-subGaussian vectors with the heaviest tail have |v|^2 = 2 zeta^2 (log 2 + Exp(1)), and their sum is a gamma variable.
    """
    for iota, p in itertools.product(iotas, folds):
        probability = float(stats.gamma.sf(C * (p + iota) / 2 - p * math.log(2), p))
        yield probability * math.exp(iota), {"p": p, "iota": iota, "C": C, "probability": probability}


@check_allowances("the probability over 2 d log(B/b) e^(-iota)")
def check_lemma12_near_b(*, C: float, iota: float, added: float) -> Cases:
    """Check that P(|v| > C sqrt(iota)) <= 2 (added + log(B/b)) e^(-iota), Lemma 12 with B slightly above b = 1; return a Finding.

    p = d = 1, zeta = b = 1, and a symmetric v with P(|v| >= t) = 2 e^(-t^2/2) from t = sqrt(2 log 2) on. `added` is added to
    log(B/b): 0 in the lemma.
    """
    for width in (1e-12, 1e-4, 1.0, 10.0):
        probability = min(1.0, 2 * math.exp(-(C**2) * iota / 2))
        bound = 2 * (added + math.log1p(width)) * math.exp(-iota)
        yield probability / bound, {"C": C, "iota": iota, "b": 1.0, "B - b": width, "probability": probability, "bound": bound}


def check_lemma15_simulated(*, C: float, d: int, ts: tuple[float, ...], runs: int, seed: int) -> Finding:
    """Check by simulation that P(|M| > C psi_2 (sqrt(d) + t)) <= 4 e^(-t^2), Lemma 15, for Gaussian and sign entries; return a Finding.

    The psi_2 norm of an entry is sqrt(8/3), or 1/sqrt(log 2) for a sign.
    """
    rng, findings = np.random.default_rng(seed), []
    for name, size in (("normal", math.sqrt(8 / 3)), ("sign", 1 / math.sqrt(math.log(2)))):
        drawn = (rng.standard_normal((d, d)) if name == "normal" else rng.choice([-1.0, 1.0], (d, d)) for _ in range(runs))
        norms = np.array([np.linalg.norm(np.triu(one) + np.triu(one, 1).T, 2) for one in drawn])
        for t in ts:
            hits = int(np.sum(norms > C * size * (math.sqrt(d) + t)))
            findings.append(check_probability_at_most(hits, runs, min(1.0, 4 * math.exp(-t * t)), f"{name} entries, t = {t}", seed))
    wrong = [one for one in findings if one.outcome is Outcome.REFUTED]
    sentence = f"{runs} matrices of each of two laws, {len(ts)} values of t, stay within C = {C}"
    return wrong[0] if wrong else replace(findings[-1], sentence=sentence)


def check_gaussian_norm(*, dimensions: Sequence[int], deviations: int) -> Finding:
    """Check that P(|N(0, I_d)| > t) <= 2 exp(-t^2/(2 c^2)), c the theory's constant of Lemma 10, by the exact tail; return a Finding."""
    bound, logs = sp.lambdify(symbols("d added_noise"), bounds.THEOREMS["gauss_psgd.lemma10"].bound, "math"), {}
    for d, k in itertools.product(dimensions, range(1, deviations + 1)):
        constant = bound(d, 1)
        t = constant * 12 * k / deviations
        logs[d, t] = float(stats.chi2.logsf(t**2, d)) - math.log(2) + t**2 / (2 * constant**2)
    at = max(logs, key=lambda point: logs[point])
    record = Record({"points": len(logs), "largest log(tail / bound)": logs[at], "at d, t": at})
    if logs[at] > 0:
        record.refute(f"at d = {at[0]} the tail is above the bound", {"d": at[0], "t": at[1], "log ratio": logs[at]})
    return record.conclude(f"for a normal vector the tail is below the bound at {len(logs)} points")


@check_absolute_constant("Lemma 11")
def check_lemma11_constant(*, counts: Sequence[int], iotas: Sequence[float]) -> Instances:
    """Check exactly that C = `claimed` suffices in Lemma 11, on sums of vectors, for signs and normal vectors; return a Finding."""
    for iota, count in itertools.product(iotas, counts):
        yield f"{count} signs, iota {iota:g}", sign_sum_tail(count), 2 * math.exp(-iota), SIGN * math.sqrt(count * iota)
    for iota, d in itertools.product(iotas, (1, 2, 10, 100)):  # N(0, I) is nSG(2 sqrt(2 d)) by Lemma 10
        yield f"normal, d {d}, iota {iota:g}", normal_norm_tail(d), 2 * d * math.exp(-iota), 2 * math.sqrt(2 * d * iota)


@check_absolute_constant("Lemma 13")
def check_lemma13_normal(*, counts: Sequence[int], iotas: Sequence[float]) -> Instances:
    """Check exactly that C = `claimed` suffices in Lemma 13, on sums of squared norms, for normal vectors; return a Finding."""
    for iota, count, d in itertools.product(iotas, counts, (1, 2, 10)):
        scale = (1 if d == 1 else 8 * d) * (count + iota)  # the constant is 1 at d = 1, since erfc(x) <= exp(-x^2), and Lemma 10's beyond
        yield f"{count} normal, d {d}, iota {iota:g}", partial(stats.chi2.sf, df=count * d), math.exp(-iota), scale


@check_absolute_constant("Lemma 12")
def check_lemma12_constant(*, length: int, iotas: Sequence[float], ratio: float) -> Instances:
    """Check exactly that C = `claimed` suffices in Lemma 12 for signs times scales that depend on the past; return a Finding.

    B/b = `ratio`: the failure allowed is 2 log(B/b) exp(-iota).
    """
    rules: dict[str, Callable[[float], float]] = {
        "constant": lambda total: 1.0,
        "double when behind": lambda total: 2.0 if total < 0 else 1.0,
        "grow with the distance": lambda total: 1.0 + abs(total) / 4,
        "stop when ahead": lambda total: 1.0 if total <= 2 else 1e-9,
    }
    for name, rule in rules.items():
        sizes = []  # |sum|, and the sum of squares
        for path in itertools.product((1, -1), repeat=length):
            total = spent = 0.0
            for sign in path:
                scale = rule(total)
                total += sign * scale
                spent += (scale * SIGN) ** 2
            sizes.append((abs(total), spent))
        for share, iota in itertools.product((0.25, 1.0), iotas):
            b = share * length * SIGN**2
            inside = [(size / math.sqrt(max(spent, b)), 0.5**length) for size, spent in sizes if spent < ratio * b]
            yield f"{name}, b {b:.3g}, iota {iota:g}", finite_tail(inside), 2 * math.log(ratio) * math.exp(-iota), math.sqrt(iota)


def check_lemma12_any_constant(*, constants: Sequence[int]) -> Finding:
    """Check that some C of `constants` makes Lemma 12 hold for one normal number with b = 1 and B slightly above; return a Finding."""
    rows = {}
    for C in constants:
        missed = math.erfc(C / math.sqrt(2))  # P(|v| > C sqrt(iota)), iota = 1, v ~ N(0, 1) with the constant 1: erfc(x) <= exp(-x^2)
        width = 10.0 ** math.floor(math.log10(missed)) / 10  # B/b - 1, a power of ten
        rows[C] = (width, missed, 2 * math.log1p(width) * math.exp(-1))
    record = Record({f"C = {C}: B/b - 1, failure, allowed": row for C, row in rows.items()})
    if all(missed > allowed for _, missed, allowed in rows.values()):
        C = constants[len(constants) // 2]
        width, missed, allowed = rows[C]
        witness = {"v": "one standard normal number, zeta = 1", "d": 1, "p": 1, "b": 1, "B - 1": width, "iota": 1, "C": C}
        witness |= {"probability of failure": missed, "allowed": allowed}
        record.refute(f"with C = {C} the failure is {missed:.3g}, and {allowed:.3g} is allowed; the same for every C tried", witness)
    return record.conclude("the allowed failure is not exceeded")


def check_matrix_bernstein(*, counts: Sequence[int], dimensions: Sequence[int]) -> Finding:
    """Check exactly that matrix Bernstein, (16) with factor 2 d, bounds the tail of sums of diagonal sign matrices; return a Finding."""
    (norm,) = (part.value for part in bounds.THEOREMS["gauss_psgd.lemma14"].parts if part.name == "norm")
    bound, ratios = sp.lambdify(symbols("d deviation_t matrix_variance matrix_bound"), norm, "math"), {}
    for count, d in itertools.product(counts, dimensions):
        one = sign_sum_tail(count)
        for t in range(1, count + 1):
            ratios[count, d, t] = probability_of_any(d, one(t - 0.5)) / bound(d, t, count, 1)
    at = max(ratios, key=lambda point: ratios[point])
    record = Record({"deviations": len(ratios), "largest tail / bound": ratios[at], "at count, d, t": at})
    if ratios[at] > 1:
        witness = {**dict(zip(("count", "d", "t"), at, strict=True)), "tail / bound": ratios[at]}
        record.refute(f"{at[0]} diagonal matrices of signs are above the bound", witness)
    return record.conclude(f"the tail is at most {ratios[at]:.3f} of the bound at {len(ratios)} deviations of sums of signs")


@check_absolute_constant("Lemma 15")
def check_lemma15_constant(*, dimensions: Sequence[int], deviations: Sequence[float]) -> Instances:
    """Check exactly that C = `claimed` suffices in Lemma 15, on norms of symmetric matrices, for diagonal normal ones; return a Finding.

    Their norm is the largest of d numbers; ||N(0, 1)||_psi2 = sqrt(8/3).
    """
    for d, t in itertools.product(dimensions, deviations):
        yield f"d {d}, t {t:g}", normal_maximum_tail(d), 4 * math.exp(-(t**2)), math.sqrt(8 / 3) * (math.sqrt(d) + t)


@check_allowances("the probability over the bound")
def check_corollary3_sign(*, log_of: float, C: float, dimensions: tuple[int, ...]) -> Cases:
    """Check that P(|v| >= 1) <= 2 exp(-1/(2 C^2 log(log_of d))), Corollary 3's tail, for a sign vector v = +-e_1; return a Finding."""
    for d in dimensions:
        width = C**2 * math.log(log_of * d)
        bound = 2 * math.exp(-1 / (2 * width)) if width > 0 else 0.0
        yield 1 / bound if bound > 0 else math.inf, {"d": d, "v": "+-e_1 with probability 1/2", "C": C, "P(|v| >= 1)": 1.0, "bound": bound}


def check_logarithm_base(*, base: int) -> Finding:
    """Check that log(2 d)/log(2) <= 2 log(d) for integers d > 1, the last log to `base` (0: natural), by algebra; return a Finding.

    The left side is the supremum over omega of the ratio in the proof of Corollary 3.
    """
    letter = sp.Symbol("d", positive=True)
    unit = sp.Integer(1) if base == 0 else sp.log(base)
    ratio = sp.log(2 * letter) / sp.log(2)
    difference, slope = 2 * sp.log(letter) / unit - ratio, 2 / unit - 1 / sp.log(2)
    fails = [k for k in range(1, 100) if not bool(sp.N(difference.subs(letter, k), 30) >= 0)]
    slope_ok = is_zero(sp.diff(difference, letter) - slope / letter) and slope > 0
    record = Record({"fails at d": tuple(fails), "difference grows in d": bool(slope_ok)})
    if [d for d in fails if d > 1]:
        at = {"d": fails[-1], "log(2 d)/log(2)": float(ratio.subs(letter, fails[-1])), "2 log(d)": float(2 * sp.log(fails[-1]) / unit)}
        record.refute(f"false for d = {fails[0]} to {fails[-1]}", at)
    if not slope_ok:
        record.leave_open("the difference is not known to grow")
    return record.prove("true at d = 2, and the difference grows with d; false at d = 1 only")


def check_isotropy(*, variances: tuple[float, ...], length: int, seed: int) -> Finding:
    """Check that a vector that is sub-Gaussian by (10) must be isotropic, on N(0, diag(variances)); return a Finding."""
    rng, spread = np.random.default_rng(seed), np.array(variances)
    zeta_sq = float(spread.max())
    u = rng.standard_normal((length, len(spread))) * 10 ** rng.uniform(-3, 3, (length, 1))
    excess = np.sum(u**2 * spread, axis=1) / 2 - np.sum(u**2, axis=1) * zeta_sq / 2  # of the logarithms of both sides of (10)
    most = float(excess.max())
    record = Record({"directions": length, "largest excess of (10), in logarithms": most, "variances": variances}, seed=seed)
    if most > 1e-9 * float(np.sum(u**2)):
        record.leave_open("the vector is not SG(zeta); another one must be looked for")
    if spread.max() > spread.min():
        witness = {"v": f"N(0, diag{variances})", "zeta": math.sqrt(zeta_sq), "(10)": "u'Vu/2 <= zeta^2 |u|^2/2 for every u"}
        record.refute(f"N(0, diag{variances}) meets (10) with zeta = {math.sqrt(zeta_sq):g}", witness)
    return record.conclude("this vector is isotropic")
