"""The technical lemmas (10 to 17): their absolute constants searched for on laws whose tails are exact, and the arithmetic around them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp
from scipy import special, stats

import bounds
from bounds.derivation import GIVENS, Assumed, Cited, Derivation, Inverse, NonNegative, Reasoned, fact, line, words
from bounds.inequalities import Instance, is_zero
from bounds.symbols import delta, epsilon, symbols
from paper_checks.steps import examine_steps
from paper_checks.verdict import Claim, Finding, Kind, Outcome

SIGN = 1 / math.sqrt(2 * math.log(2))  # the least norm-subGaussian constant of a sign: (11) at t = 1


def least_constant(tail: Callable[[float], float], failure: float, scale: float) -> float:
    """Return the least C with tail(C scale) <= failure, for a tail that falls; 0 where every C will do."""
    if tail(0.0) <= failure:
        return 0.0
    low, high = 0.0, 1.0
    while tail(high * scale) > failure:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle * scale) > failure else (low, middle)
    return high


def _longer(t: float, d: int) -> float:
    """Return P(||N(0, I)|| > t) in d dimensions."""
    return float(stats.chi2.sf(t**2, d))


def _largest(t: float, d: int) -> float:
    """Return P(max |g_i| > t) for d standard normal numbers."""
    return -math.expm1(d * math.log1p(-min(math.erfc(t / math.sqrt(2)), 1 - 1e-16)))


def _share(t: float, inside: Sequence[float], count: int) -> float:
    return sum(size > t * (1 + 1e-12) for size in inside) / count


def _absolute(found: dict[str, float], claimed: float, what: str) -> Finding:
    """Return REFUTED where the largest of the least constants is above the claimed one."""
    at, worst = max(found.items(), key=lambda entry: entry[1])
    numbers = {"instances": len(found), "largest of the least constants": worst, "at": at, "constant asked for": claimed}
    if worst > claimed:
        sentence = f"{what}: {at} needs C = {worst:.4g}, more than {claimed:.4g}"
        return Finding(Outcome.REFUTED, sentence, numbers, {"instance": at, "least C": worst, "claimed C": claimed})
    return Finding(Outcome.CONSISTENT, f"{what}: none of {len(found)} instances needs more than C = {worst:.4g} (at {at})", numbers)


def norm_of_gaussian(*, dimensions: Sequence[int], deviations: int) -> Finding:
    """Compare the exact tail of ||N(0, r^2 I)|| with 2 exp(-t^2/(2 c^2)), c the theory's constant of Lemma 10 at r = 1."""
    (constant_of,) = (bounds.THEOREMS["gauss_psgd.lemma10"].bound,)
    worst, at, tried = -math.inf, (0, 0.0), 0
    for d in dimensions:
        constant = float(constant_of.xreplace(dict(zip(symbols("d added_noise"), (sp.Integer(d), sp.Integer(1)), strict=True))))
        for k in range(1, deviations + 1):
            t = constant * 12 * k / deviations
            excess = float(stats.chi2.logsf(t**2, d)) - math.log(2) + t**2 / (2 * constant**2)
            tried += 1
            if excess > worst:
                worst, at = excess, (d, t)
    numbers = {"points": tried, "largest log(tail / bound)": worst, "at d, t": at}
    if worst > 0:
        return Finding(
            Outcome.REFUTED, f"at d = {at[0]} the tail is above the bound", numbers, {"d": at[0], "t": at[1], "log ratio": worst}
        )
    return Finding(Outcome.CONSISTENT, f"for a normal vector the tail is below the bound at {tried} points", numbers)


def signs(count: int) -> Callable[[float], float]:
    """Return P(|sum of `count` signs| > t)."""
    law = [(abs(2 * k - count), float(special.comb(count, k)) / 2**count) for k in range(count + 1)]
    return lambda t: sum(weight for size, weight in law if size > t * (1 + 1e-12))


def hoeffding(*, counts: Sequence[int], iotas: Sequence[float], claimed: float) -> Finding:
    """Find the least C of (13) for sums of signs (exact) and of normal vectors, whose constants are SIGN and sqrt(d) or less."""
    found = {}
    for iota, count in itertools.product(iotas, counts):
        found[f"{count} signs, iota {iota:g}"] = least_constant(signs(count), 2 * math.exp(-iota), SIGN * math.sqrt(count * iota))
    for iota, d in itertools.product(iotas, (1, 2, 10, 100)):  # N(0, I) is nSG(2 sqrt(2 d)) by Lemma 10
        scale = 2 * math.sqrt(2 * d * iota)
        found[f"normal, d {d}, iota {iota:g}"] = least_constant(partial(_longer, d=d), 2 * d * math.exp(-iota), scale)
    return _absolute(found, claimed, "Lemma 11")


def squares(*, counts: Sequence[int], iotas: Sequence[float], claimed: float) -> Finding:
    """Find the least C of (15) for normal vectors in d = 1, 2, 10: the sum of squares is chi-square."""
    found = {}
    for iota, count, d in itertools.product(iotas, counts, (1, 2, 10)):
        scale = (1 if d == 1 else 8 * d) * (count + iota)  # the constant is 1 at d = 1, since erfc(x) <= exp(-x^2), and Lemma 10's beyond
        found[f"{count} normal, d {d}, iota {iota:g}"] = least_constant(partial(stats.chi2.sf, df=count * d), math.exp(-iota), scale)
    return _absolute(found, claimed, "Lemma 13")


def random_scales(*, length: int, iotas: Sequence[float], ratio: float, claimed: float) -> Finding:
    """Find the least C of (14) on martingales of signs times scales that depend on the past, every path of signs enumerated.

    B/b = `ratio`: the failure allowed is 2 log(B/b) exp(-iota).
    """
    rules: dict[str, Callable[[float, float], float]] = {
        "constant": lambda total, _: 1.0,
        "double when behind": lambda total, last: 2.0 if total < 0 else 1.0,
        "grow with the distance": lambda total, last: 1.0 + abs(total) / 4,
        "stop when ahead": lambda total, last: 1.0 if total <= 2 else 1e-9,
    }
    found = {}
    for name, rule in rules.items():
        sizes = []  # of |sum| over the root of max(sum of squares, b), and whether the sum of squares is below B
        for path in itertools.product((1, -1), repeat=length):
            total, spent, last = 0.0, 0.0, 1.0
            for sign in path:
                last = rule(total, last)
                total += sign * last
                spent += (last * SIGN) ** 2
            sizes.append((abs(total), spent))
        for share in (0.25, 1.0):
            b = share * length * SIGN**2
            inside = [size / math.sqrt(max(spent, b)) for size, spent in sizes if spent < ratio * b]
            for iota in iotas:
                found[f"{name}, b {b:.3g}, iota {iota:g}"] = least_constant(
                    partial(_share, inside=inside, count=len(sizes)),
                    2 * math.log(ratio) * math.exp(-iota),
                    math.sqrt(iota),
                )
    return _absolute(found, claimed, "Lemma 12")


def near_scales(*, constants: Sequence[int]) -> Finding:
    """Take one normal number with b = 1 and B a little above: (14) then fails with more than 2 log(B/b) exp(-iota), whatever C is."""
    rows = {}
    for C in constants:
        missed = math.erfc(C / math.sqrt(2))  # P(|v| > C sqrt(iota)), iota = 1, v ~ N(0, 1) with the constant 1: erfc(x) <= exp(-x^2)
        ratio = 10.0 ** math.floor(math.log10(missed))  # B/b - 1, a power of ten
        allowed = 2 * math.log1p(ratio / 10) * math.exp(-1)
        rows[C] = (ratio / 10, missed, allowed)
    numbers = {f"C = {C}: B/b - 1, failure, allowed": row for C, row in rows.items()}
    if all(missed > allowed for _, missed, allowed in rows.values()):
        C = constants[len(constants) // 2]
        found = {"v": "one standard normal number, zeta = 1", "d": 1, "p": 1, "b": 1, "B - 1": rows[C][0], "iota": 1, "C": C}
        found |= {"probability of failure": rows[C][1], "allowed": rows[C][2]}
        sentence = f"with C = {C} the failure is {rows[C][1]:.3g}, and {rows[C][2]:.3g} is allowed; the same for every C tried"
        return Finding(Outcome.REFUTED, sentence, numbers, found)
    return Finding(Outcome.CONSISTENT, "the allowed failure is not exceeded", numbers)


def matrix_bernstein(*, counts: Sequence[int], dimensions: Sequence[int]) -> Finding:
    """Compare the exact tail of the norm of a sum of diagonal matrices of signs with the theory's (16) with 2 d, at every deviation."""
    norm = next(part for part in bounds.THEOREMS["gauss_psgd.lemma14"].parts if part.name == "norm").value
    letters = symbols("d deviation_t matrix_variance matrix_bound")
    bound = sp.lambdify(letters, norm, "math")
    worst, at, tried = 0.0, (0, 0, 0), 0
    for count, d in itertools.product(counts, dimensions):
        one = signs(count)
        for t in range(1, count + 1):
            ratio = -math.expm1(d * math.log1p(-min(one(t - 0.5), 1 - 1e-16))) / bound(d, t, count, 1)
            tried += 1
            if ratio > worst:
                worst, at = ratio, (count, d, t)
    numbers = {"deviations": tried, "largest tail / bound": worst, "at count, d, t": at}
    if worst > 1:
        found = dict(zip(("count", "d", "t"), at, strict=True)) | {"tail / bound": worst}
        return Finding(Outcome.REFUTED, f"{at[0]} diagonal matrices of signs are above the bound", numbers, found)
    return Finding(Outcome.CONSISTENT, f"the tail is at most {worst:.3f} of the bound at {tried} deviations of sums of signs", numbers)


def symmetric_matrix(*, dimensions: Sequence[int], deviations: Sequence[float], claimed: float) -> Finding:
    """Find the least C of (17) for diagonal normal matrices, whose norm is the largest of d numbers; ||N(0, 1)||_psi2 = sqrt(8/3)."""
    found = {}
    for d, t in itertools.product(dimensions, deviations):
        found[f"d {d}, t {t:g}"] = least_constant(
            partial(_largest, d=d),
            4 * math.exp(-(t**2)),
            math.sqrt(8 / 3) * (math.sqrt(d) + t),
        )
    return _absolute(found, claimed, "Lemma 15")


def composition(*, samples: int) -> Finding:
    """Insert Lemma 16's shares in the composition theorem that it comes from, epsilon below 1."""
    (k,) = symbols("releases")
    theorem = bounds.THEOREMS["gauss_psgd.lemma16"]
    one, spent = theorem.bound, theorem.parts[0].value
    ranges = {epsilon: (sp.Rational(1, 1000), 1), delta: (sp.Rational(1, 10**12), sp.Rational(999, 1000))}
    log, delta_half = sp.log(2 / delta), sp.log(delta / 2)
    proof = Derivation(
        "gauss_psgd.lemma16.composition",
        "the shares of Lemma 16 in advanced composition",
        "our proof",
        facts=(
            fact("epsilon_below_1", "epsilon < 1", epsilon, "<", 1, Assumed()),
            fact("delta_below_1", "delta < 1", delta, "<", 1, Assumed()),
        ),
        steps=(
            words(
                "advanced_composition",
                "k releases are (sqrt(2 k log(1/delta'')) e + k e (exp(e) - 1), k d + delta'')-private",
                "advanced composition",
                Cited("Dwork, Roth (2014), The Algorithmic Foundations of Differential Privacy, Theorem 3.20"),
            ),
            words("shares", f"delta'' = delta/2 and k times {spent} add up to delta", "insert", Reasoned("delta/2 + delta/2 = delta")),
            words("root", "sqrt(2 k log(2/delta)) epsilon' is half of epsilon", "insert", Reasoned("epsilon over 2 of them")),
            line(
                "chord",
                "exp(e) - 1 <= 2 e for e up to 1, and the e of k releases and epsilon is below 1",
                sp.exp(one) - 1,
                "<=",
                2 * one,
                "a convex function is below its chord from 0 to 1",
                Reasoned("exp(1) - 1 < 2"),
                ranges=ranges,
            ),
            line(
                "positive",
                "log(2/delta) is positive",
                log,
                ">",
                0,
                "e^y >= 1 + y at y = log(delta/2)",
                NonNegative(((Instance("exponential", delta_half),), (sp.Rational(1, 2), "delta_below_1"), (sp.Rational(1, 2),))),
                where=GIVENS,
            ),
            line(
                "room",
                "2 log(2/delta) is above epsilon",
                2 * log,
                ">=",
                epsilon,
                "the same, twice, and epsilon < 1",
                NonNegative(((2, Instance("exponential", delta_half)), ("delta_below_1",), ("epsilon_below_1",))),
                where=GIVENS,
            ),
            line(
                "rest",
                "so the rest, of k releases, is at most the other half of epsilon",
                2 * k * one**2,
                "<=",
                epsilon / 2,
                "2 k e^2 = epsilon^2 / (4 log(2/delta))",
                NonNegative(((epsilon / 4, Inverse("positive"), "room"),)),
                where=GIVENS,
            ),
        ),
    )
    return examine_steps(proof, samples=samples)


def parallel(*, parts: int) -> Finding:
    """Release one answer of randomised response from each part of the data, flip one record, and take the largest ratio exactly."""
    truth = Fraction(3, 4)  # exp(epsilon) = 3

    def law(data: tuple[int, ...], answer: tuple[int, ...]) -> Fraction:
        return math.prod((truth if a == b else 1 - truth for a, b in zip(data, answer, strict=True)), start=Fraction(1))

    cube = tuple(itertools.product((0, 1), repeat=parts))
    worst, shared = Fraction(0), Fraction(0)
    for data, answer, i in itertools.product(cube, cube, range(parts)):
        other = tuple(1 - value if j == i else value for j, value in enumerate(data))
        worst = max(worst, law(data, answer) / law(other, answer))
    for answer in cube:  # the same answers, all about one record: what disjointness is for
        shared = max(shared, law((0,) * parts, answer) / law((1,) * parts, answer))
    numbers = {
        "exp(epsilon)": 3,
        "largest ratio": float(worst),
        "about one record that all use": float(shared),
        "cases": len(cube) ** 2 * parts,
    }
    if worst > 3:
        return Finding(Outcome.REFUTED, f"the ratio reaches {worst}", numbers, {"ratio": float(worst)})
    sentence = (
        f"cited; in all {numbers['cases']} cases of {parts} parts the ratio is at most 3 = exp(epsilon), and {shared} without disjointness"
    )
    return Finding(Outcome.CONSISTENT, sentence, numbers)


def base_of_corollary_3(*, base: int) -> Finding:
    """Compare log(2 d)/log(2), the supremum over omega of the ratio in the proof of Corollary 3, with 2 log(d) to the given base."""
    letter = sp.Symbol("d", positive=True)
    unit = sp.Integer(1) if base == 0 else sp.log(base)
    ratio = sp.log(2 * letter) / sp.log(2)
    fails = [k for k in range(1, 100) if not bool(sp.N(2 * sp.log(k) / unit - ratio.subs(letter, k), 30) >= 0)]
    slope_ok = is_zero(sp.diff(2 * sp.log(letter) / unit - ratio, letter) - (2 / unit - 1 / sp.log(2)) / letter) and 2 / unit > 1 / sp.log(
        2
    )
    numbers: dict[str, Any] = {"fails at d": tuple(fails), "difference grows in d": bool(slope_ok)}
    if [d for d in fails if d > 1]:
        at = {"d": fails[-1], "log(2 d)/log(2)": float(ratio.subs(letter, fails[-1])), "2 log(d)": float(2 * sp.log(fails[-1]) / unit)}
        return Finding(Outcome.REFUTED, f"false for d = {fails[0]} to {fails[-1]}", numbers, at)
    if not slope_ok:
        return Finding(Outcome.INCONCLUSIVE, "the difference is not known to grow", numbers)
    return Finding(Outcome.PROVED, "true at d = 2, and the difference grows with d; false at d = 1 only", numbers)


ABSOLUTE = "cited; C is not given in the paper, and 3 is ours: what the search would refute is a C that has to grow"
IOTAS = (0.5, 1.0, 2.0, 5.0, 20.0)


def _claim(name: str, place: str, words: str, latex: str, expected: Outcome, why: str, examine: Any, arguments: Any, **more: Any) -> Claim:
    return Claim(
        key=f"gauss_psgd.{name}", source=place, words=words, latex=latex, kind=more.pop("kind", Kind.INEQUALITY), expected=expected,
        why=why,
        examine=examine, arguments=arguments, **more,
    )  # fmt: skip


CLAIMS = (
    _claim("lemma10.normal", "Lemma 10", "A normal vector N(0, r^2 I), which is SG(r), is nSG(2 sqrt(2) r sqrt(d))",
           r"\mathrm{SG}(r) \Rightarrow \mathrm{nSG}(2\sqrt2\,r\sqrt d)", Outcome.CONSISTENT, "cited; the tail of a normal vector is exact",
           norm_of_gaussian, {"dimensions": (1, 2, 3, 10, 1000), "deviations": 40}, full={"deviations": 4000}),
    _claim("lemma11.constant", "Lemma 11, (13)", "(13) holds with an absolute constant C: 3 for sums of signs and of normal vectors",
           r"\|\textstyle\sum v_i\| \le C\sqrt{\sum\zeta_i^2\,\iota}", Outcome.CONSISTENT, ABSOLUTE, hoeffding,
           {"counts": (1, 2, 7, 30, 200), "iotas": IOTAS, "claimed": 3.0}, full={"counts": tuple(range(1, 301))}),
    _claim("lemma12.constant", "Lemma 12, (14)", "(14) holds with an absolute constant C where B = e b: 3 for martingales of signs",
           r"\|\textstyle\sum v_i\| \le C\sqrt{\max\{\sum\zeta_i^2, b\}\,\iota}", Outcome.CONSISTENT, ABSOLUTE, random_scales,
           {"length": 9, "iotas": IOTAS, "ratio": math.e, "claimed": 3.0}, full={"length": 15}, stated="reading"),
    _claim("lemma12.near_b", "Lemma 12, for every iota > 0 and B > b > 0",
           "The failure of (14) is at most 2 d log(B/b) exp(-iota) for every B > b, with one absolute constant C",
           r"\mathbb{P}\Big[\sum_{i=1}^p\zeta_i^2 \ge B \text{ or } \|\sum_{i=i}^pv_i\| \le "
           r"C\cdot\sqrt{\max\{\sum_i^p\zeta_i^2, b\}\cdot\iota}\Big] \ge 1 - 2d\log\Big(\frac Bb\Big)\cdot e^{-\iota}",
           Outcome.REFUTED,
           "log(B/b) tends to 0 as B tends to b, and the failure of one normal number does not; harmless, since B/b is large where it is "
           "used", near_scales, {"constants": tuple(range(1, 11))}, full={"constants": tuple(range(1, 31))},
           correction="For B >= e b", correction_latex=r"B \ge e\,b", repaired_by="gauss_psgd.lemma12.constant"),
    _claim("lemma13.constant", "Lemma 13, (15)", "(15) holds with an absolute constant C: 3 for normal vectors",
           r"\textstyle\sum\|v_i\|^2 \le C\zeta^2(p + \iota)", Outcome.CONSISTENT, ABSOLUTE, squares,
           {"counts": (1, 2, 7, 100), "iotas": IOTAS, "claimed": 3.0}, full={"counts": tuple(range(1, 200))}),
    _claim("lemma14.signs", "Lemma 14, (16), with 2 d", "P(||sum M_i|| >= t) <= 2 d exp(-t^2/(2 (sigma^2 + B t/3)))",
           r"\mathbb{P}(\|\textstyle\sum\mathbf{M}_i\| \ge t) \le 2d\,e^{-t^2/(2(\sigma^2 + Bt/3))}", Outcome.CONSISTENT,
           "cited, with the factor 2; exact tails of diagonal matrices of signs", matrix_bernstein,
           {"counts": (1, 2, 3, 10, 50), "dimensions": (1, 2, 10)}, full={"counts": tuple(range(1, 201)), "dimensions": (1, 2, 3, 10, 100)},
           stated="question"),
    _claim("lemma15.constant", "Lemma 15, (17)", "(17) holds with an absolute constant C: 3 for diagonal normal matrices",
           r"\|\mathbf{M}\| \le C\max\|\mathbf{M}_{ij}\|_{\psi_2}(\sqrt d + t)", Outcome.CONSISTENT, ABSOLUTE, symmetric_matrix,
           {"dimensions": (1, 2, 10, 1000), "deviations": (0.1, 0.5, 1.2, 3.0), "claimed": 3.0},
           full={"dimensions": (1, 2, 5, 10, 100, 1000, 10**6), "deviations": tuple(k / 10 for k in range(1, 51))}),
    _claim("lemma16.arithmetic", "Lemma 16",
           "epsilon/(2 sqrt(2 k log(2/delta))) and delta/(2 k) in each of k releases are enough, epsilon < 1",
           r"\epsilon' = \frac{\epsilon}{2\sqrt{2k\ln(2/\delta)}},\ \delta' = \frac{\delta}{2k}", Outcome.CONSISTENT,
           "follows from advanced composition, which is cited; one step is convexity, in words", composition, {"samples": 20},
           full={"samples": 1000}, kind=Kind.PRIVACY),
    _claim("lemma17.flips", "Lemma 17", "Private releases from disjoint parts of the data are together as private as one of them",
           "", Outcome.CONSISTENT, "cited; every case of randomised response, exactly", parallel, {"parts": 3},
           full={"parts": 6}, kind=Kind.PRIVACY),
    _claim("corollary3.base_2", "proof of Corollary 3, log to base 2",
           "log(2 d/omega)/log(2/omega) <= 2 log_2(d) for d >= 2 and all omega < 1",
           r"\log\tfrac{2d}\omega/\log\tfrac2\omega \le 2\log_2d,\ d \ge 2", Outcome.PROVED, "1 + log_2(d) <= 2 log_2(d) from d = 2 on",
           base_of_corollary_3, {"base": 2}, stated="reading"),
)  # fmt: skip
