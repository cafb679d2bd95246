"""Corollary 3, Lemmas 10 to 15, Definitions 6 and 7: laws of errors, their sums, and the absolute constants of the lemmas."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from scipy import stats

import bounds
from bounds.inequalities import is_zero
from bounds.symbols import symbols
from paper_checks.examine.judge import tail
from paper_checks.examine.laws import Instances, absolute, finite, largest_of_normal, length_of_normal, one_of, signs
from paper_checks.examine.proofs import WORDED, whole_proof
from paper_checks.examine.search import Cases, allowances
from paper_checks.examine.witness import at_witness, false_line
from paper_checks.verdict import Finding, Kind, Outcome, Size, claim, consistent, inconclusive, proved, question, reading, refuted

SIGN = 1 / math.sqrt(2 * math.log(2))  # the least norm-subGaussian constant of a sign: (11) at t = 1


@allowances("the tail over that of nSG")
def lemma10(*, constant: float, dimensions: tuple[int, ...]) -> Cases:
    """Compute P(|N(0, I_d)| >= t) exactly over 2 exp(-t^2/(2 constant^2 d)), on a grid of t."""
    for d in dimensions:
        for t in np.linspace(0.01, 12, 400) * math.sqrt(d):
            log_ratio = float(stats.chi2.logsf(t * t, d)) - math.log(2) + t * t / (2 * constant**2 * d)
            yield math.exp(min(log_ratio, 50)) if math.isfinite(log_ratio) else 0.0, {"d": d, "t": float(t), "constant": constant}


@allowances("the probability over e^(-iota)")
def lemma13(*, C: float, iotas: tuple[float, ...], folds: tuple[int, ...]) -> Cases:
    """Take |v|^2 = 2 zeta^2 (log 2 + Exp(1)), the heaviest nSG(zeta) law: exact P(sum > C zeta^2 (p + iota)) over e^(-iota)."""
    for iota, p in itertools.product(iotas, folds):
        probability = float(stats.gamma.sf(C * (p + iota) / 2 - p * math.log(2), p))
        yield probability * math.exp(iota), {"p": p, "iota": iota, "C": C, "probability": probability}


@allowances("the probability over 2 d log(B/b) e^(-iota)")
def lemma12(*, C: float, iota: float, added: float) -> Cases:
    """Take p = d = 1, zeta = b = 1, B slightly above, a symmetric v with P(|v| >= t) = 2 e^(-t^2/2) from t = sqrt(2 log 2) on.

    `added` is what stands beside log(B/b): 0 in the lemma.
    """
    for width in (1e-12, 1e-4, 1.0, 10.0):
        probability = min(1.0, 2 * math.exp(-(C**2) * iota / 2))
        bound = 2 * (added + math.log1p(width)) * math.exp(-iota)
        yield probability / bound, {"C": C, "iota": iota, "b": 1.0, "B - b": width, "probability": probability, "bound": bound}


def lemma15(*, C: float, d: int, ts: tuple[float, ...], runs: int, seed: int) -> Finding:
    """Draw symmetric Gaussian matrices (psi_2 norm sqrt(8/3) an entry), and signs (1/sqrt(log 2)): share above C psi_2 (sqrt(d) + t)."""
    rng, findings = np.random.default_rng(seed), []
    for name, size in (("normal", math.sqrt(8 / 3)), ("sign", 1 / math.sqrt(math.log(2)))):
        drawn = (rng.standard_normal((d, d)) if name == "normal" else rng.choice([-1.0, 1.0], (d, d)) for _ in range(runs))
        norms = np.array([np.linalg.norm(np.triu(one) + np.triu(one, 1).T, 2) for one in drawn])
        for t in ts:
            hits = int(np.sum(norms > C * size * (math.sqrt(d) + t)))
            findings.append(tail(hits, runs, min(1.0, 4 * math.exp(-t * t)), f"{name} entries, t = {t}", seed))
    wrong = [one for one in findings if one.outcome is Outcome.REFUTED]
    sentence = f"{runs} matrices of each of two laws, {len(ts)} values of t, stay within C = {C}"
    return wrong[0] if wrong else replace(findings[-1], sentence=sentence)


def norm_of_gaussian(*, dimensions: Sequence[int], deviations: int) -> Finding:
    """Compare the exact tail of ||N(0, r^2 I)|| with 2 exp(-t^2/(2 c^2)), c the theory's constant of Lemma 10 at r = 1."""
    bound = sp.lambdify(symbols("d added_noise"), bounds.THEOREMS["gauss_psgd.lemma10"].bound, "math")
    cases = []
    for d, k in itertools.product(dimensions, range(1, deviations + 1)):
        constant = bound(d, 1)
        t = constant * 12 * k / deviations
        cases.append((float(stats.chi2.logsf(t**2, d)) - math.log(2) + t**2 / (2 * constant**2), (d, t)))
    worst, at = max(cases, key=lambda case: case[0])
    numbers = {"points": len(cases), "largest log(tail / bound)": worst, "at d, t": at}
    if worst > 0:
        return refuted(f"at d = {at[0]} the tail is above the bound", numbers, {"d": at[0], "t": at[1], "log ratio": worst})
    return consistent(f"for a normal vector the tail is below the bound at {len(cases)} points", numbers)


@absolute("Lemma 11")
def hoeffding(*, counts: Sequence[int], iotas: Sequence[float]) -> Instances:
    """Find the least C of (13) for sums of signs (exact) and of normal vectors, whose constants are SIGN and sqrt(d) or less."""
    for iota, count in itertools.product(iotas, counts):
        yield f"{count} signs, iota {iota:g}", signs(count), 2 * math.exp(-iota), SIGN * math.sqrt(count * iota)
    for iota, d in itertools.product(iotas, (1, 2, 10, 100)):  # N(0, I) is nSG(2 sqrt(2 d)) by Lemma 10
        yield f"normal, d {d}, iota {iota:g}", length_of_normal(d), 2 * d * math.exp(-iota), 2 * math.sqrt(2 * d * iota)


@absolute("Lemma 13")
def squares(*, counts: Sequence[int], iotas: Sequence[float]) -> Instances:
    """Find the least C of (15) for normal vectors in d = 1, 2, 10: the sum of squares is chi-square."""
    for iota, count, d in itertools.product(iotas, counts, (1, 2, 10)):
        scale = (1 if d == 1 else 8 * d) * (count + iota)  # the constant is 1 at d = 1, since erfc(x) <= exp(-x^2), and Lemma 10's beyond
        yield f"{count} normal, d {d}, iota {iota:g}", partial(stats.chi2.sf, df=count * d), math.exp(-iota), scale


@absolute("Lemma 12")
def random_scales(*, length: int, iotas: Sequence[float], ratio: float) -> Instances:
    """Find the least C of (14) on martingales of signs times scales that depend on the past, every path of signs enumerated.

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
            yield f"{name}, b {b:.3g}, iota {iota:g}", finite(inside), 2 * math.log(ratio) * math.exp(-iota), math.sqrt(iota)


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
        return refuted(sentence, numbers, found)
    return consistent("the allowed failure is not exceeded", numbers)


def matrix_bernstein(*, counts: Sequence[int], dimensions: Sequence[int]) -> Finding:
    """Compare the exact tail of the norm of a sum of diagonal matrices of signs with the theory's (16) with 2 d, at every deviation."""
    (norm,) = (part.value for part in bounds.THEOREMS["gauss_psgd.lemma14"].parts if part.name == "norm")
    bound, cases = sp.lambdify(symbols("d deviation_t matrix_variance matrix_bound"), norm, "math"), []
    for count, d in itertools.product(counts, dimensions):
        one = signs(count)
        for t in range(1, count + 1):
            cases.append((one_of(d, one(t - 0.5)) / bound(d, t, count, 1), {"count": count, "d": d, "t": t}))
    worst, at = max(cases, key=lambda case: case[0])
    numbers = {"deviations": len(cases), "largest tail / bound": worst, "at count, d, t": tuple(at.values())}
    if worst > 1:
        return refuted(f"{at['count']} diagonal matrices of signs are above the bound", numbers, {**at, "tail / bound": worst})
    return consistent(f"the tail is at most {worst:.3f} of the bound at {len(cases)} deviations of sums of signs", numbers)


@absolute("Lemma 15")
def symmetric_matrix(*, dimensions: Sequence[int], deviations: Sequence[float]) -> Instances:
    """Find the least C of (17) for diagonal normal matrices, whose norm is the largest of d numbers; ||N(0, 1)||_psi2 = sqrt(8/3)."""
    for d, t in itertools.product(dimensions, deviations):
        yield f"d {d}, t {t:g}", largest_of_normal(d), 4 * math.exp(-(t**2)), math.sqrt(8 / 3) * (math.sqrt(d) + t)


@allowances("the probability over the bound")
def corollary3(*, log_of: float, C: float, dimensions: tuple[int, ...]) -> Cases:
    """Take one v = +-e_1, nSG(1): P(|v| >= 1) = 1 over 2 exp(-1/(2 C^2 log(log_of d)))."""
    for d in dimensions:
        width = C**2 * math.log(log_of * d)
        bound = 2 * math.exp(-1 / (2 * width)) if width > 0 else 0.0
        at = {"d": d, "v": "+-e_1 with probability 1/2", "C": C, "P(|v| >= 1)": 1.0, "bound": bound}
        yield 1 / bound if bound > 0 else math.inf, at


def base_of_corollary_3(*, base: int) -> Finding:
    """Compare log(2 d)/log(2), the supremum over omega of the ratio in the proof of Corollary 3, with 2 log(d) to the given base."""
    letter = sp.Symbol("d", positive=True)
    unit = sp.Integer(1) if base == 0 else sp.log(base)
    ratio = sp.log(2 * letter) / sp.log(2)
    difference, slope = 2 * sp.log(letter) / unit - ratio, 2 / unit - 1 / sp.log(2)
    fails = [k for k in range(1, 100) if not bool(sp.N(difference.subs(letter, k), 30) >= 0)]
    slope_ok = is_zero(sp.diff(difference, letter) - slope / letter) and slope > 0
    numbers: dict[str, Any] = {"fails at d": tuple(fails), "difference grows in d": bool(slope_ok)}
    if [d for d in fails if d > 1]:
        at = {"d": fails[-1], "log(2 d)/log(2)": float(ratio.subs(letter, fails[-1])), "2 log(d)": float(2 * sp.log(fails[-1]) / unit)}
        return refuted(f"false for d = {fails[0]} to {fails[-1]}", numbers, at)
    if not slope_ok:
        return inconclusive("the difference is not known to grow", numbers)
    return proved("true at d = 2, and the difference grows with d; false at d = 1 only", numbers)


def anisotropic(*, variances: tuple[float, ...], length: int, seed: int) -> Finding:
    """Take N(0, diag(variances)), whose moment generating function is known, and see whether (10) holds and whether it is isotropic."""
    rng, spread = np.random.default_rng(seed), np.array(variances)
    zeta_sq = float(spread.max())
    u = rng.standard_normal((length, len(spread))) * 10 ** rng.uniform(-3, 3, (length, 1))
    excess = np.sum(u**2 * spread, axis=1) / 2 - np.sum(u**2, axis=1) * zeta_sq / 2  # of the logarithms of both sides of (10)
    numbers = {"directions": length, "largest excess of (10), in logarithms": float(excess.max()), "variances": variances}
    if excess.max() > 1e-9 * float(np.sum(u**2)):
        return inconclusive("the vector is not SG(zeta); another one must be looked for", numbers, seed=seed)
    if spread.max() > spread.min():
        witness = {"v": f"N(0, diag{variances})", "zeta": math.sqrt(zeta_sq), "(10)": "u'Vu/2 <= zeta^2 |u|^2/2 for every u"}
        return refuted(f"N(0, diag{variances}) meets (10) with zeta = {math.sqrt(zeta_sq):g}", numbers, witness, seed=seed)
    return consistent("this vector is isotropic", numbers, seed=seed)


ABSOLUTE = "cited; C is not given in the paper, and 3 is ours: what the search would refute is a C that has to grow"
IOTAS = (0.5, 1.0, 2.0, 5.0, 20.0)
CLAIMS = (
    claim("gauss_psgd.lemma10.constant", "Lemma 10", Kind.INEQUALITY)
    .says("N(0, r^2 I) is nSG(2 sqrt(2) r sqrt(d))")
    .consistent("the chi-square tail")
    .examined(lemma10, constant=2 * math.sqrt(2), dimensions=(1, 2, 3, 10, 100)),
    question("gauss_psgd.lemma10.smaller", "Lemma 10 with another constant", Kind.INEQUALITY)
    .says("It is nSG(0.9 r sqrt(d))")
    .refuted("at d = 1 the tail is e^(-t^2/2)", instead="The constant cannot be below 1", by="lemma10.constant")
    .examined(lemma10, constant=0.9, dimensions=(1, 2, 3, 10, 100)),
    reading("gauss_psgd.lemma13.heaviest", "Lemma 13, C = 4 log 3", Kind.INEQUALITY)
    .says("sum |v_i|^2 <= C zeta^2 (p + iota) with probability 1 - e^(-iota), for the heaviest nSG law")
    .consistent("E exp(|v|^2/(4 zeta^2)) <= 3")
    .examined(lemma13, C=4 * math.log(3), iotas=(0.01, 0.1, 1.0, 10.0, 100.0), folds=(1, 2, 10, 1000)),
    question("gauss_psgd.lemma13.half", "Lemma 13, C = 1.5", Kind.INEQUALITY)
    .says("The same with C = 1.5")
    .refuted("one sample alone has the tail 2 e^(-C iota/2)", instead="C = 4 log 3 is enough", by="lemma13.heaviest")
    .examined(lemma13, C=1.5, iotas=(0.01, 0.1, 1.0, 10.0, 100.0), folds=(1, 2, 10)),
    question("gauss_psgd.lemma12.wide", "Lemma 12 with 1 + log(B/b)", Kind.INEQUALITY)
    .says("(14) with 1 + log(B/b) for log(B/b) holds for every B > b, C = 4, iota = 1")
    .consistent("the factor stays above 1")
    .examined(lemma12, C=4.0, iota=1.0, added=1.0),
    reading("gauss_psgd.lemma15.drawn", "Lemma 15, C = 1.3", Kind.INEQUALITY)
    .says("|M| <= C psi_2 (sqrt(d) + t) with probability 1 - 4 e^(-t^2)")
    .consistent("2 sqrt(d) is the edge of the spectrum")
    .examined(lemma15, C=1.3, d=30, ts=(0.0, 1.0, 2.0), runs=Size(150, 3000), seed=86),
    claim("gauss_psgd.lemma10.normal", "Lemma 10", Kind.INEQUALITY)
    .says("A normal vector N(0, r^2 I), which is SG(r), is nSG(2 sqrt(2) r sqrt(d))")
    .formula(r"\mathrm{SG}(r) \Rightarrow \mathrm{nSG}(2\sqrt2\,r\sqrt d)")
    .consistent("cited; the tail of a normal vector is exact")
    .examined(norm_of_gaussian, dimensions=(1, 2, 3, 10, 1000), deviations=Size(40, 4000)),
    claim("gauss_psgd.lemma11.constant", "Lemma 11, (13)", Kind.INEQUALITY)
    .says("(13) holds with an absolute constant C: 3 for sums of signs and of normal vectors")
    .formula(r"\|\textstyle\sum v_i\| \le C\sqrt{\sum\zeta_i^2\,\iota}")
    .consistent(ABSOLUTE)
    .examined(hoeffding, counts=Size((1, 2, 7, 30, 200), tuple(range(1, 301))), iotas=IOTAS, claimed=3.0),
    reading("gauss_psgd.lemma12.constant", "Lemma 12, (14)", Kind.INEQUALITY)
    .says("(14) holds with an absolute constant C where B = e b: 3 for martingales of signs")
    .formula(r"\|\textstyle\sum v_i\| \le C\sqrt{\max\{\sum\zeta_i^2, b\}\,\iota}")
    .consistent(ABSOLUTE)
    .examined(random_scales, length=Size(9, 15), iotas=IOTAS, ratio=math.e, claimed=3.0),
    claim("gauss_psgd.lemma12.near_b", "Lemma 12, for every iota > 0 and B > b > 0", Kind.INEQUALITY)
    .says(
        "The failure of (14) is at most 2 d log(B/b) exp(-iota) for every B > b, with one absolute constant C",
        r"\mathbb{P}\Big[\sum_{i=1}^p\zeta_i^2 \ge B \text{ or } \|\sum_{i=i}^pv_i\| \le "
        r"C\cdot\sqrt{\max\{\sum_i^p\zeta_i^2, b\}\cdot\iota}\Big] \ge 1 - 2d\log\Big(\frac Bb\Big)\cdot e^{-\iota}",
    )
    .refuted(
        "log(B/b) tends to 0 as B tends to b, and the failure of one normal number does not; harmless, since B/b is large where it is used"
    )
    .corrected("For B >= e b", r"B \ge e\,b", by="lemma12.constant")
    .examined(near_scales, constants=Size(tuple(range(1, 11)), tuple(range(1, 31)))),
    claim("gauss_psgd.lemma13.constant", "Lemma 13, (15)", Kind.INEQUALITY)
    .says("(15) holds with an absolute constant C: 3 for normal vectors", r"\textstyle\sum\|v_i\|^2 \le C\zeta^2(p + \iota)")
    .consistent(ABSOLUTE)
    .examined(squares, counts=Size((1, 2, 7, 100), tuple(range(1, 200))), iotas=IOTAS, claimed=3.0),
    question("gauss_psgd.lemma14.signs", "Lemma 14, (16), with 2 d", Kind.INEQUALITY)
    .says("P(||sum M_i|| >= t) <= 2 d exp(-t^2/(2 (sigma^2 + B t/3)))")
    .formula(r"\mathbb{P}(\|\textstyle\sum\mathbf{M}_i\| \ge t) \le 2d\,e^{-t^2/(2(\sigma^2 + Bt/3))}")
    .consistent("cited, with the factor 2; exact tails of diagonal matrices of signs")
    .in_full(counts=tuple(range(1, 201)), dimensions=(1, 2, 3, 10, 100))
    .examined(matrix_bernstein, counts=(1, 2, 3, 10, 50), dimensions=(1, 2, 10)),
    claim("gauss_psgd.lemma15.constant", "Lemma 15, (17)", Kind.INEQUALITY)
    .says("(17) holds with an absolute constant C: 3 for diagonal normal matrices")
    .formula(r"\|\mathbf{M}\| \le C\max\|\mathbf{M}_{ij}\|_{\psi_2}(\sqrt d + t)")
    .consistent(ABSOLUTE)
    .in_full(dimensions=(1, 2, 5, 10, 100, 1000, 10**6), deviations=tuple(k / 10 for k in range(1, 51)))
    .examined(symmetric_matrix, dimensions=(1, 2, 10, 1000), deviations=(0.1, 0.5, 1.2, 3.0), claimed=3.0),
    claim("gauss_psgd.lemma14.printed_lemma14", "(16), Lemma 14", Kind.INEQUALITY)
    .says("P(||sum M_i|| >= t) <= d exp(-t^2/(2 (sigma^2 + B t/3)))")
    .formula(r"\mathbb{P}\Big[\|\sum_{i\in[k]}\mathbf{M}_i\|_2 \ge t\Big] \le d\exp\Big(-\frac{t^2}{2(\sigma^2 + Bt/3)}\Big)")
    .refuted("d is the factor of the largest eigenvalue; the norm has two sides", instead="2 d in front", by="lemma14.signs")
    .corrected_formula(r"\mathbb{P}\Big[\|\sum_{i\in[k]}\mathbf{M}_i\|_2 \ge t\Big] \le 2d\exp\Big(-\frac{t^2}{2(\sigma^2 + Bt/3)}\Big)")
    .examined(at_witness, key="gauss_psgd.printed_lemma14"),
    question("gauss_psgd.corollary3.two_d", "Corollary 3 with log(2 d)", Kind.INEQUALITY)
    .says("One sign vector obeys it with log(2 d), C = 2")
    .consistent("log 2 > 0")
    .examined(corollary3, log_of=2.0, C=2.0, dimensions=(1, 2, 10)),
    reading("gauss_psgd.corollary3.base_2", "proof of Corollary 3, log to base 2", Kind.INEQUALITY)
    .says("log(2 d/omega)/log(2/omega) <= 2 log_2(d) for d >= 2 and all omega < 1")
    .formula(r"\log\tfrac{2d}\omega/\log\tfrac2\omega \le 2\log_2d,\ d \ge 2")
    .proved("1 + log_2(d) <= 2 log_2(d) from d = 2 on")
    .examined(base_of_corollary_3, base=2),
    claim("gauss_psgd.definition6.isotropy", "after Definition 7", Kind.SCOPE)
    .says("Sub-Gaussian vectors are isotropic")
    .formula(r"\mathbb{E}[\exp(\langle u, v - \mathbb{E}[v]\rangle)] \le \exp\Big(\frac{\|u\|_2^2\zeta^2}2\Big),\ \forall u")
    .refuted("(10) bounds every direction and asks nothing else")
    .corrected("Leave it out; SG(zeta) is nSG(2 sqrt(2) zeta sqrt(d)) by Lemma 10")
    .examined(anisotropic, variances=(1.0, 0.0), length=200, seed=91),
    whole_proof(
        "gauss_psgd.corollary3",
        "ours; Corollary 3",
        "A sum of norm-subGaussian errors is norm-subGaussian, with log(2 d)",
        WORDED,
        stated="question",
    ),
    *claim("gauss_psgd.definition7.printed_definition7", "(11), Definition 7", Kind.INEQUALITY)
    .says("P(||v - E v|| >= t) <= 2 exp(-t^2/(2 zeta^2)) for all real t")
    .formula(r"\mathbb{P}[\|v - \mathbb{E}[v]\| \ge t] \le 2\exp\Big(-\frac{t^2}{2\zeta^2}\Big),\quad \forall t \in \mathbb{R}")
    .refuted("for t below 0 the left side is 1, and the right side less for t below -zeta sqrt(2 log(2))")
    .corrected("For all t >= 0; an error of norm at most G then has the constant G / sqrt(2 log 2)")
    .corrected_formula(r"\mathbb{P}[\|v - \mathbb{E}[v]\| \ge t] \le 2\exp\Big(-\frac{t^2}{2\zeta^2}\Big),\quad \forall t \ge 0")
    .closed(false_line, "corollary3: one_error"),
    *reading("gauss_psgd.corollary3.printed_corollary3", "proof of Corollary 3, with the natural logarithm", Kind.INEQUALITY)
    .says("log(2 d/omega) / log(2/omega) <= 2 log(d) for every omega in (0, 1)")
    .formula(r"\frac{\log\frac{2d}\omega}{\log\frac2\omega} \le 2\log d,\quad \forall \omega \in (0, 1)")
    .refuted("it tends to log(2 d)/log(2) as omega tends to 1: false up to d = 6")
    .corrected("At most 2 log(2) log(2 d) with natural logarithms is what the proof needs: log(2 d) in place of log(d)")
    .corrected_formula(r"\sqrt{\log(2d)\textstyle\sum\zeta_i^2}")
    .closed(false_line, "corollary3: above_half larger"),
    *claim("gauss_psgd.corollary3.printed_zeta", "proof of Corollary 3", Kind.INEQUALITY)
    .says(
        "zeta_+ := sqrt(C log(d) sum zeta_i) has zeta_+^2 >= (C^2/2) (sum zeta_i^2) log(2 d/omega) / log(2/omega)",
        r"\zeta_+ := \sqrt{C\log(d)\sum_{i=1}^k\zeta_i}, \quad "
        r"\zeta_+^2 \ge \frac{C^2}2\Big(\sum_{i=i}^p\zeta_i^2\Big)\frac{\log\frac{2d}\omega}{\log\frac2\omega}",
    )
    .refuted("the squares of C and of zeta_i are missing, so that zeta_+ has not the unit of zeta_i")
    .corrected("zeta_+ = C sqrt(log(2 d) sum zeta_i^2)", r"\zeta_+ = C\sqrt{\log(2d)\textstyle\sum\zeta_i^2}")
    .closed(false_line, "corollary3: above_half larger"),
    reading("gauss_psgd.corollary3.printed_corollary3_d1", "Corollary 3 at d = 1", Kind.IDENTITY)
    .says("In one dimension the sum has the constant C sqrt(log(1) sum zeta_i^2) = 0")
    .formula(r"\sum_{i=1}^pv_i \text{ is } \operatorname{nSG}\Big(C\cdot\sqrt{\log(d)\sum_{i=1}^k\zeta_i^2}\Big)")
    .refuted("a sum of signs is not constant", instead="C sqrt(log(2 d) sum zeta_i^2)", by="corollary3.chain")
    .corrected_formula(r"\sum v_i \text{ is } \operatorname{nSG}\Big(C\sqrt{\log(2d)\sum\zeta_i^2}\Big)")
    .examined(at_witness, key="gauss_psgd.printed_corollary3_d1"),
)
