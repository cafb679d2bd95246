"""Orders that DPZero names in words: counts of the corollaries, noise of Remark 4.2, rate of 4.1, rank of a spectrum.

Where an order speaks of several letters at once, an inequality with explicit constants and its domain says more than limits in one
letter each; the limits then show that the order is attained.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from mpmath import mp

import bounds
from bounds.derivation import GIVENS, Assumed, Case, Derivation, NonNegative, fact, line
from bounds.inequalities import Instance, is_zero
from bounds.symbols import GLOSSARY, A, Y, alpha, d, delta, ell, epsilon, kappa, n, r, sigma
from bounds.theorem import growth
from paper_checks.dpzero import printed
from paper_checks.steps import examine_steps
from paper_checks.verdict import Claim, Finding, Kind, Outcome
from synthetic.objectives import spectrum_values

VALUES = {"n": 1000, "d": 50, "r": 3, "epsilon": 2, "delta": sp.Rational(1, 10**6), "L": 2, "ell": 3, "gap": 1, "B": 5, "mu": 1}


def logarithm(z: Any) -> tuple[tuple[Any, ...], ...]:
    """Return log z, z >= 1 a limit of the glossary, as a sum of non-negative terms: e^(-log z) - 1 + log z, and (z - 1)/z."""
    return (Instance("exponential", -sp.log(z)),), (1 / z, f"{z} >= 1")


# corollary: n T is at most a constant times n times these letters times log(n^2 epsilon^2); what Y divides n^2 epsilon^2 by, with powers
COUNTS: Mapping[str, tuple[int, Any, tuple[tuple[Any, int], ...]]] = {
    "f2": (8, d * kappa, ((kappa, 1), (d, 3), (A, 1))),
    "f3": (24, r * kappa, ((kappa, 1), (r, 1), (d, 2), (A, 1))),
    "f4": (24, r * kappa, ((kappa, 1), (r, 1), (A, 1))),
}


def count_steps(corollary: str) -> Derivation:
    """Return log Y <= log(n^2 epsilon^2), n T <= constant n letters log(n^2 epsilon^2), and n T >= 4 n letters where Y >= e."""
    constant, letters, divisors = COUNTS[corollary]
    page = printed.PAGES[f"dpzero.corollary_{corollary}"]
    log_Y, whole = sp.log(page.definitions["Y"]), sp.log(n**2 * epsilon**2)
    front = sp.cancel(page.schedule["T"] / sp.log(Y))
    total, ranked = n * front * log_Y, r in front.free_symbols
    return Derivation(
        key=f"dpzero.corollary_{corollary}.count",
        title=f"the count of Corollary F.{corollary[1]}",
        source="our proof, from the printed T and Y",
        facts=(
            fact("some_step", "T is not negative: Y >= 1", log_Y, ">=", 0, Assumed()),
            fact("many_steps", "Y >= e", log_Y, ">=", 1, Case()),
        ),
        steps=(
            line(
                "log_Y",
                "the logarithm of Y, which divides n^2 epsilon^2 by letters of at least 1",
                log_Y,
                "<=",
                whole,
                "log z >= 0 for z >= 1",
                NonNegative(tuple((power, *term) for z, power in divisors for term in logarithm(z))),
                where=GIVENS,
            ),
            line(
                "whole",
                "so log(n^2 epsilon^2) is not negative",
                whole,
                ">=",
                0,
                "T is not",
                NonNegative((("log_Y",), ("some_step",))),
                where=GIVENS,
            ),
            line(
                "upper",
                "the count n T",
                total,
                "<=",
                constant * n * letters * whole,
                "the first line, and r + 2 <= 3 r",
                NonNegative(((n * front, "log_Y"), *(((16 * n * kappa, "r >= 1", "whole"),) if ranked else ()))),
                where=GIVENS,
            ),
            line(
                "lower",
                "and where Y >= e it is not of a smaller order than n",
                total,
                ">=",
                4 * n * letters,
                "log Y >= 1",
                NonNegative(((n * front, "many_steps"), (4 * n * letters,), *(((16 * n * kappa,),) if ranked else ()))),
                where=GIVENS,
            ),
        ),
    )


def count(*, corollary: str, samples: int) -> Finding:
    """Prove the explicit inequality for n T of a corollary, compare T and Y with the theory's, and take the limit in n."""
    key = f"dpzero.corollary_{corollary}"
    page, theorem = printed.PAGES[key], bounds.THEOREMS[key]
    if not is_zero(theorem.schedule["T"] - page.schedule["T"]) or not is_zero(theorem.definitions["Y"] - page.definitions["Y"]):
        return Finding(Outcome.INCONCLUSIVE, "the theory holds another T or Y than the print; comparing them would settle it")
    finding = examine_steps(count_steps(corollary), samples=samples)
    if finding.outcome is not Outcome.PROVED:
        return finding
    constant, letters, _ = COUNTS[corollary]
    shape = n * letters * sp.log(n * epsilon)
    ratio = at_values(page.in_constants(n * page.schedule["T"]) / page.in_constants(shape), keep=n)
    attained = sp.limit(ratio, n, sp.oo)
    numbers = {**finding.numbers, "limit of n T / (n letters log(n epsilon)) in n": float(attained), "at most": 2 * constant}
    if not 0 < attained <= 2 * constant:
        return Finding(Outcome.INCONCLUSIVE, f"the limit in n is {attained}, against the constant {2 * constant}", numbers)
    return replace(finding, sentence=f"{finding.sentence}; in n the order is attained, with {float(attained):g}", numbers=numbers)


def at_values(expression: Any, *, keep: Any) -> Any:
    """Return the expression at VALUES with one letter left."""
    return expression.xreplace({one: sp.sympify(VALUES[one.name]) for one in expression.free_symbols if one != keep})


def noise_at_own_T(*, ranks: Sequence[int]) -> Finding:
    """Insert Theorem 3's own T in E ||z_t u_t||_H^2 = sigma^2 Tr(H) where Tr(H) = r ell, the most that Assumption 3.5 admits.

    Its order is read in r = d; the final error holds alpha times it.
    """
    page = printed.PAGES["dpzero.theorem3"]
    noise = page.in_constants((sigma**2 * r * ell).xreplace({sigma: printed.SIGMA}))
    in_error = page.in_constants((2 * alpha * sigma**2 * r * ell).xreplace({sigma: printed.SIGMA}))
    own, error = (growth(one.xreplace({r: d}), d) for one in (noise, in_error))
    limit = sp.limit(at_values((noise / (r ** sp.Rational(3, 2) * sp.log(r))).xreplace({r: d}), keep=d), d, sp.oo)
    numbers: dict[str, Any] = {"E ||z_t u_t||_H^2 where Tr(H) = r ell": own.words("r"), "limit over r^(3/2) log(r)": float(limit),
                               "2 alpha times it, in the final error": error.words("r")}  # fmt: skip
    if own.power == 1:
        return Finding(Outcome.PROVED, f"it is of order {own.words('r')}", numbers)
    if not 0 < limit < sp.oo or own.power != sp.Rational(3, 2) or error.power != sp.Rational(1, 2):
        return Finding(Outcome.INCONCLUSIVE, f"the order {own.words('r')} is not certified by its limit {limit}", numbers)
    at = [float(at_values((noise / r).xreplace({r: d}), keep=d).xreplace({d: sp.Integer(one)})) for one in ranks]
    witness: dict[str, Any] = {name: str(value) for name, value in VALUES.items() if name not in ("d", "r", "gap", "mu")}
    witness |= {f"E ||z_t u_t||_H^2 / r at r = d = {one}": value for one, value in zip(ranks, at, strict=True)}
    sentence = f"where Tr(H) = r ell it is of order {own.words('r')}, as T grows with r; alpha brings the error back to {error.words('r')}"
    return Finding(Outcome.REFUTED, sentence, numbers, witness)


def hidden_factor() -> tuple[Any, Any]:
    """Return what (7) leaves when it is divided by the order of Remark 4.1 with the parenthesis of the ICML and of the arXiv text."""
    inside = sp.sqrt(r * sp.log(1 / delta))
    bound = printed.PAGES["dpzero.theorem3"].in_constants(printed.EQUATIONS["7"])
    return bound * (n * epsilon) / inside, bound / (inside / (n * epsilon))


def parenthesis() -> Finding:
    """Divide (7) by both forms of the order: the quotients must be the same, and of power 0 in every letter, 1/delta included."""
    icml, arxiv = hidden_factor()
    if not is_zero(icml - arxiv):
        return Finding(Outcome.REFUTED, "the two forms differ", {}, {"quotient of the two": sp.sstr(sp.simplify(icml / arxiv))})
    w = sp.Symbol("w", positive=True)  # 1/delta
    of_w = icml.xreplace({sp.log(1 / delta): sp.log(w)}).xreplace({delta: 1 / w})
    cases = (("n", icml, n), ("d", icml, d), ("d = r", icml.xreplace({r: d}), d), ("epsilon", icml, epsilon), ("1/delta", of_w, w))
    numbers, powers, words = dict[str, Any](), [], []
    for name, factor, letter in cases:
        order, slope = growth(factor, letter), sp.limit(at_values(sp.log(factor), keep=letter) / sp.log(letter), letter, sp.oo)
        numbers[f"hidden in {name}, and the limit of its exponent"] = (order.words(str(letter)), sp.sstr(slope))
        powers += [order.power, slope]
        words += [f"logarithms to the power {order.logs} in {name}"] if order.logs else []
    if any(powers):
        return Finding(Outcome.REFUTED, "more than logarithms is hidden", numbers, numbers)
    return Finding(Outcome.PROVED, f"(7) divided by either form leaves the same factor: {', '.join(words)}, and no power of any", numbers)


def logarithms_of_the_argument() -> Finding:
    """Read O~(g) as O(g polylog(g)): with n, then d, growing alone, the g inside decides whether log X may be hidden."""
    icml, _ = hidden_factor()
    grows = {name: growth(icml, letter) for name, letter in (("n", n), ("d", d))}
    inside = {"ICML": sp.sqrt(r * sp.log(1 / delta)), "arXiv": sp.sqrt(r * sp.log(1 / delta)) / (n * epsilon)}
    covered = {text: {name: g.has(GLOSSARY[name].symbol) or grows[name].logs == 0 for name in grows} for text, g in inside.items()}
    limits = {name: sp.limit(at_values(icml, keep=one) / sp.log(one), one, sp.oo) for name, one in (("n", n), ("d", d))}
    numbers: dict[str, Any] = {
        "hidden factor in n": grows["n"].words("n"),
        "in d": grows["d"].words("d"),
        "covered by logarithms of g": covered,
    }
    numbers |= {f"limit of the hidden factor over log({name})": float(one) for name, one in limits.items()}
    if all(covered["ICML"].values()) or not all(0 < one < sp.oo for one in limits.values()):
        return Finding(Outcome.CONSISTENT, "the logarithms are those of the argument", numbers)
    sentence = (
        "with r, epsilon and delta fixed, g = sqrt(r log(1/delta)) stays as it is while (7) n epsilon / g grows like log(n) and log(d); "
        "the arXiv form covers log(n), and log(d) no more than the other"
    )
    witness: dict[str, Any] = {name: str(value) for name, value in VALUES.items() if name not in ("n", "d", "mu")}
    return Finding(Outcome.REFUTED, sentence, numbers, {**witness, **numbers})


HARMONIC = Derivation(
    key="dpzero.spectra.harmonic_rank",
    title="the rank of the eigenvalues ell/i, by induction on d; at d = 1 both bounds hold, log 2 <= 1 = 1 + log 1",
    source="our proof",
    steps=(
        line(
            "no_more",
            "from d to d + 1 the rank grows by 1/(d + 1), 1 + log(d) by log(d + 1) - log(d), which is no less",
            1 / (d + 1),
            "<=",
            sp.log(1 + 1 / d),
            "e^(-y) >= 1 - y at y = log(1 + 1/d)",
            NonNegative(((Instance("exponential", -sp.log(1 + 1 / d)),),)),
        ),
        line(
            "no_less",
            "and log(1 + d) from below: from d - 1 to d it grows by no more than the rank",
            sp.log(1 + 1 / d),
            "<=",
            1 / d,
            "e^y >= 1 + y at y = log(1 + 1/d)",
            NonNegative(((Instance("exponential", sp.log(1 + 1 / d)),),)),
        ),
    ),
)


ADDITIONS = 1e-12  # relative rounding of a float sum of up to 3000 positive terms, 3000 * 2^-53, with room


def harmonic_rank(*, exact: int, points: int, samples: int) -> Finding:
    """Prove log(d + 1) <= r(d) <= 1 + log d for the eigenvalues ell/i by induction on d; compare with sums, exact up to `exact`."""
    finding = examine_steps(HARMONIC, samples=samples)
    if finding.outcome is not Outcome.PROVED:
        return finding
    total, tried = Fraction(0), 0
    with mp.workdps(30):
        for one in range(1, exact + 1):
            total += Fraction(1, one)
            rank = float(np.sum(spectrum_values("inverse", one)))
            if abs(rank / float(total) - 1) > ADDITIONS or not math.log(one + 1) <= total <= 1 + math.log(one):
                witness = {"d": one, "Tr(H)/||H||": float(total), "of the objective": rank, "1 + log(d)": 1 + math.log(one)}
                return Finding(Outcome.REFUTED, f"d = {one}: the rank is {rank:.6g}", finding.numbers, witness)
            tried += 1
        for one in np.geomspace(exact, 1e11, points).round().tolist():  # the largest d of the glossary
            if not mp.log(one + 1) <= mp.harmonic(one) <= 1 + mp.log(one):
                witness = {"d": one, "Tr(H)/||H||": float(mp.harmonic(one)), "1 + log(d)": float(1 + mp.log(one))}
                return Finding(Outcome.REFUTED, f"d = {one:g}: the rank is above 1 + log(d)", finding.numbers, witness)
            tried += 1
    sentence = f"{finding.sentence}; by induction log(d + 1) <= r(d) <= 1 + log(d), and so it is for each of {tried} values of d"
    return replace(finding, sentence=sentence, numbers={**finding.numbers, "dimensions": tried})


def _count(corollary: str, letters: str) -> Claim:
    constant = COUNTS[corollary][0]
    latex = letters.replace(" ", "").replace("kappa", r"\kappa")
    return Claim(
        key=f"dpzero.corollary_{corollary}.count_explicit",
        source=f"Corollary F.{corollary[1]}, number of zeroth-order gradients",
        words=f"Where Y >= 1, the count n T is at most {constant} n {letters} log(n^2 epsilon^2), which is O~(n {letters}); where Y >= e, "
        f"it is at least 4 n {letters}",
        latex=rf"nT \le {constant}\,n{latex}\log(n^2\varepsilon^2)",
        kind=Kind.INEQUALITY,
        stated="reading",
        expected=Outcome.PROVED,
        why="Y divides n^2 epsilon^2 by letters that are at least 1",
        examine=count,
        arguments={"corollary": corollary, "samples": 60},
        full={"samples": 1000},
        derivations=(f"dpzero.corollary_{corollary}",),
    )


T3 = "dpzero.theorem3"
CLAIMS = (
    _count("f2", "d kappa"),
    _count("f3", "r kappa"),
    _count("f4", "r kappa"),
    Claim(
        key="dpzero.remark_4_2.noise_at_own_T",
        source="Remark 4.2",
        words="With Theorem 3's own T, E ||z_t u_t||_H^2 is of order r up to logarithms",
        latex=r"\mathbb{E}\|z_tu_t\|_H^2 = \tilde{\mathcal{O}}(r)",
        kind=Kind.EXPONENT,
        stated="reading",
        expected=Outcome.REFUTED,
        why="sigma^2 holds T, and T grows like sqrt(r)",
        examine=noise_at_own_T,
        arguments={"ranks": (1, 100, 10_000)},
        correction="It is of order r for fixed T, r^(3/2) with Theorem 3's T; times alpha, as in the error, it is of order sqrt(r)",
        correction_latex=r"\mathbb{E}\|z_tu_t\|_H^2 \le \frac{32C^2TAr\ell}{n^2\varepsilon^2}",
        repaired_by="dpzero.remark_4_2.noise",
        derivations=(T3,),
    ),
    Claim(
        key="dpzero.remark_4_1.parenthesis",
        source="Remark 4.1 in the ICML text, whose parenthesis closes before /(n epsilon), and in the arXiv text",
        words="Both forms are the same order, and (7) has it as one of n, d, d = r, epsilon, 1/delta grows: only logarithms are hidden",
        latex=r"\tilde{\mathcal{O}}(\sqrt{r\log(1/\delta)})/(n\varepsilon) = \tilde{\mathcal{O}}(\sqrt{r\log(1/\delta)}/(n\varepsilon))",
        kind=Kind.EXPONENT,
        stated="question",
        expected=Outcome.PROVED,
        why="n epsilon is positive, so dividing by it inside or outside is the same, as long as O~ hides logarithms of any letter",
        examine=parenthesis,
        derivations=(T3,),
    ),
    Claim(
        key="dpzero.remark_4_1.logarithms_of_the_argument",
        source="Remark 4.1 in the ICML text, with the usual O~(g) = O(g polylog(g)) in place of Section 2's, which hides any logarithm",
        words="(7) is sqrt(r log(1/delta)) times logarithms of that root, over n epsilon",
        latex=r"\tilde{\mathcal{O}}(\sqrt{r\log(1/\delta)})/(n\varepsilon)",
        kind=Kind.EXPONENT,
        stated="question",
        expected=Outcome.REFUTED,
        why="log X holds log n and log d, which are no logarithms of r or 1/delta",
        examine=logarithms_of_the_argument,
        correction="The hidden logarithms are of n, d, r and epsilon, as the paper's 'hides additional logarithmic terms' allows",
        repaired_by="dpzero.remark_4_1.parenthesis",
        derivations=(T3,),
    ),
    Claim(
        key="dpzero.assumption_3_5.harmonic_spectrum",
        source="Section 3.2, example after Assumption 3.5; Appendix B.1, mode (c)",
        words="Where the i-th largest eigenvalue of a full-rank H is ell/i, the effective rank is of order log(d)",
        latex=r"r = \mathcal{O}(\log d)",
        kind=Kind.INEQUALITY,
        expected=Outcome.PROVED,
        why="1/(d + 1) <= log(1 + 1/d) <= 1/d, summed up",
        examine=harmonic_rank,
        arguments={"exact": 300, "points": 20, "samples": 60},
        full={"exact": 3000, "points": 200, "samples": 1000},
    ),
)
