"""Lemmas D.4 to D.9: conditioning, normal tails, batches without replacement, moments of a projection, moments accounting."""

import itertools
import math
from fractions import Fraction
from typing import Any

import sympy as sp

import bounds
from bounds.inequalities import is_zero
from bounds.privacy import delta_gaussian
from paper_checks.dp_grape import printed as p
from paper_checks.examine.proofs import CERTIFIED, WORDED, whole_proof
from paper_checks.examine.witness import false_line
from paper_checks.verdict import Finding, Kind, Size, claim, consistent, proved, question, refuted


def by_parts() -> Finding:
    """Differentiate sigma^2 P(X >= K) + sigma K phi in K: -K^2 times the density, and 0 at infinity, so it is E[X^2; X >= K]."""
    density = sp.exp(-(p.K**2) / (2 * p.sd**2)) / (p.sd * sp.sqrt(2 * sp.pi))
    (held,) = (one.value for one in bounds.THEOREMS["dp_grape.lemma_d5"].parts if one.name == "true")
    mass = sp.expand(held * p.TAIL_OF_X)
    off = {"P(X >= K)": sp.diff(p.TAIL_OF_X, p.K) + density, "E[X^2; X >= K]": sp.diff(mass, p.K) + p.K**2 * density}
    off |= {"E[X^2; X >= K] at infinity": sp.limit(mass.xreplace({p.sd: sp.Integer(1)}), p.K, sp.oo)}
    if not all(map(is_zero, off.values())):
        at = {name: float(one.xreplace({p.K: sp.Integer(1), p.sd: sp.Integer(2)})) for name, one in off.items()}
        return refuted("the formula in place of Lemma D.5 is not the integral of x^2 times the density", {}, {"K": 1, "sigma": 2, **at})
    return proved("its derivative in K is -K^2 times the density and its limit 0: it is the integral of x^2 times the density from K on")


def subsets(*, sizes: tuple[int, ...]) -> Finding:
    """Add up ||mean||^2 over all subsets of each size m, for letters a_1, ..., a_n that add up to 0; coordinates are alike."""
    for count in sizes:
        free = sp.symbols(f"a_1:{count}", real=True) if count > 1 else ()
        vector = (*free, -sum(free))
        squares = sp.expand(sum(a**2 for a in vector)) / count
        for m in range(1, count + 1):
            chosen = [*itertools.combinations(vector, m)]
            mean = sp.expand(sum(sum(part) ** 2 for part in chosen) / (m**2 * len(chosen)))
            claimed = p.LEMMAS["lemma_d7"].xreplace({p.n: sp.Integer(count), p.B: sp.Integer(m), p.each_sq: squares})
            if not is_zero(mean - claimed) or Fraction(count - m, count - 1) > (m < count):
                at = {one: sp.Integer(2 + i) for i, one in enumerate(free)}
                witness = {"n": count, "m": m, "mean over subsets": float(mean.xreplace(at)), "claimed": float(claimed.xreplace(at))}
                return refuted(f"at n = {count}, m = {m} the mean over all subsets is another", {}, witness)
    return proved(f"equal for all vectors, over all subsets of every size, at n = {sizes[0]} to {sizes[-1]}", {"n, m tried": sum(sizes)})


def normal_mean(polynomial: Any, u: tuple[Any, ...]) -> Any:
    """Return the mean of a polynomial in independent standard normal numbers: E u^(2 k) = (2 k - 1)!!, odd moments are 0."""
    terms = sp.Poly(sp.expand(polynomial), *u).terms()
    moments = {power: 0 if power % 2 else sp.factorial2(power - 1) for powers, _ in terms for power in powers}
    return sp.expand(sum(coefficient * sp.prod([moments[power] for power in powers]) for powers, coefficient in terms))


def linear_moments(*, dimension: int) -> Finding:
    """Compute E u_i, E u_i u_j and E (u'a) u_i with all coordinates written out, for a of letters."""
    u, a = (sp.symbols(f"{x}_1:{dimension + 1}", real=True) for x in "ua")
    along = sum(x * y for x, y in zip(u, a, strict=True))
    pairs = [(x * y, int(x == y)) for x, y in itertools.product(u, u)]
    wanted = [*((x, 0) for x in u), *pairs, *((along * x, y) for x, y in zip(u, a, strict=True))]
    for polynomial, value in wanted:
        if not is_zero(normal_mean(polynomial, u) - value):
            return refuted(f"E[{polynomial}] is {normal_mean(polynomial, u)}", {}, {"polynomial": str(polynomial), "claimed": str(value)})
    return proved(f"E u = 0, E uu' = I and E (u'a) u = a from the moments of a normal number, d = {dimension}", {"identities": len(wanted)})


def every_constant(*, c_1: tuple[float, ...], c_2: tuple[float, ...], delta: float, near_one: bool) -> Finding:
    """Look, for every pair of constants, for a case of Lemma D.9 with B = n, where T steps are one normal release, that is not private.

    At a fixed delta: epsilon = max(16, 4 c_2^2 log(1/delta)), and so many steps that epsilon < c_1 T; then mu = epsilon/(c_2 sqrt(log))
    is at least 4 times epsilon/mu, and at least 8. `near_one`: epsilon = c_1/2, T = 1, and delta = 1 - 2^-k for the first k that fails.
    """
    found = dict[str, tuple[float, ...]]()
    for one, two in itertools.product(c_1, c_2):
        for k in range(2, 50) if near_one else (0,):
            delta = 1 - 0.5**k if near_one else delta
            epsilon = one / 2 if near_one else max(16.0, 4 * two**2 * math.log(1 / delta))
            T = max(1, math.floor(epsilon / one) + 1)
            sigma = float(p.LEMMAS["lemma_d9"].subs({p.c_2: two, p.B: 1, p.n: 1, p.Delta: 1, p.T: T, p.epsilon: epsilon, p.delta: delta}))
            if (true := delta_gaussian(epsilon=epsilon, sigma=sigma, T=T, sensitivity=1.0)) > delta:
                found |= {f"c_1 = {one:g}, c_2 = {two:g}: epsilon, T, delta, true delta": (epsilon, T, delta, true)}
                break
        else:
            words = f"with c_1 = {one:g}, c_2 = {two:g} every case tried is private"
            return consistent(words, {"delta": delta, "pairs that fail": len(found)})
    words = "delta close to 1" if near_one else f"delta = {delta:g} and many steps"
    return refuted(f"no pair of constants will do: with all samples in a batch, each of {len(found)} fails at {words}", {}, found)


PAIRS = {"c_1": (0.01, 0.1, 1.0, 2.0, 10.0), "c_2": (0.5, 1.0, 2.0, 10.0, 100.0)}
D5 = r"\mathbb E[X^2|X \ge K] = \sigma^2\Big[1 + \frac1{\mathbb P[X \ge K]\sqrt{2\pi}}e^{-\frac{K^2}{2\sigma^2}}\Big]"
D7 = r"\mathbb E\Big\|\frac1m\sum_{l\in\mathcal S}a_l\Big\|^2 = \frac{n-m}{(n-1)m}\frac1n\sum_{l=1}^n\|a_l\|^2"
D9 = r"\sigma \ge c_2\frac{B\Delta\sqrt{T\log(1/\delta)}}{n\varepsilon}"
CLAIMS = (
    whole_proof("dp_grape.lemma_d4", "Lemma D.4", "E[X | Q] <= E[X]/P(Q) for X >= 0", CERTIFIED),
    *claim("dp_grape.lemma_d5.printed_d5", "Lemma D.5", Kind.IDENTITY)
    .says("E[X^2 | X >= K] = sigma^2 [1 + exp(-K^2/(2 sigma^2)) / (P(X >= K) sqrt(2 pi))] for X normal with deviation sigma", D5)
    .refuted("a factor K/sigma of the second term is missing", instead="The second term times K/sigma",
             latex=r"\sigma^2\Big[1 + \frac K\sigma\frac{e^{-K^2/2\sigma^2}}{\mathbb P[X \ge K]\sqrt{2\pi}}\Big]")
    .closed(false_line, "lemma_d5: one_sided"),
    question("dp_grape.lemma_d5.by_parts", "ours; in place of Lemma D.5", Kind.IDENTITY)
    .says("E[X^2 | X >= K] P(X >= K) = sigma^2 P(X >= K) + sigma K exp(-K^2/(2 sigma^2))/sqrt(2 pi)")
    .proved("differentiated in K", "dp_grape.lemma_d5")
    .examined(by_parts),
    *claim("dp_grape.equation_4.printed_star", "(4), the last line before it, by Lemma D.5", Kind.IDENTITY)
    .says("E[V^2 | |V| >= K] = 1 + exp(-K^2/2) / (P(|V| >= K) sqrt(2 pi)), V standard normal", rf"= \|\nabla_\ell F(w_t)\|^2{p.STAR}")
    .refuted("Lemma D.5 is of one side, and lacks the factor K; of two sides it is 2 K, an extra root of the logarithm")
    .corrected("1 + 2 K exp(-K^2/2) / (P(|V| >= K) sqrt(2 pi))", r"1 + \frac{2K}{\mathbb P[|V| \ge K]\sqrt{2\pi}}e^{-K^2/2}")
    .closed(false_line, "lemma_d5: two_sided"),
    whole_proof("dp_grape.lemma_d5", "Lemma D.5, corrected", "The second moment of a normal tail, on one side and on both", WORDED),
    whole_proof("dp_grape.lemma_d6", "Lemma D.6", "E[X | Q] <= E[X | X >= t] where X >= t implies Q", WORDED),
    claim("dp_grape.lemma_d7.subsets", "Lemma D.7", Kind.IDENTITY)
    .says("The mean over a random subset of m of n vectors that add up to 0 has the mean square (n - m)/((n - 1) m) times theirs", D7)
    .proved("all subsets are added up, for all vectors", "dp_grape.lemma_d7")
    .examined(subsets, sizes=Size((2, 3, 4, 5, 6), (2, 3, 4, 5, 6, 7, 8))),
    whole_proof("dp_grape.lemma_d7", "Lemma D.7", "The same for every n above 1, and the bound with 1_{m<n}", WORDED),
    claim("dp_grape.lemma_d8.linear", "Lemma D.8 (i), (ii)", Kind.IDENTITY)
    .says("E u = 0, E uu' = I and E (u'a) u = a", r"\mathbb E[u] = 0,\ \mathbb E[uu^\top] = I_d,\ \mathbb E_u[(u^\top a)u] = a")
    .proved("moments of independent normal numbers")
    .examined(linear_moments, dimension=4),
    *claim("dp_grape.lemma_d8.printed_d8", "Lemma D.8 (ii)", Kind.IDENTITY)
    .says("E (u'a)^2 ||u||^2 = d ||a||^2 for u standard normal", r"\mathbb E_u[(u^\top a)^2\|u\|^2] = d\|a\|^2")
    .refuted("d holds on the sphere of radius sqrt(d), DPZero's setting", instead="(d + 2) ||a||^2", latex=r"(d+2)\|a\|^2")
    .closed(false_line, "lemma_d8: weighted"),
    whole_proof("dp_grape.lemma_d8", "Lemma D.8, corrected", "Moments of a normal direction, of a projection and its transpose", WORDED),
    claim("dp_grape.lemma_d9.all_samples", "Lemma D.9", Kind.PRIVACY)
    .says("There are constants c_1, c_2 with which the noise is private for every epsilon < c_1 (B/n)^2 T, for B = n too", D9)
    .refuted("at B = n the steps are one normal release, whose epsilon grows with mu^2/2 where mu is large")
    .corrected("Rare sampling has to be asked for, or epsilon limited by log(1/delta); the exact curve of all samples says what is enough")
    .examined(every_constant, **PAIRS, delta=1e-5, near_one=False),
    claim("dp_grape.lemma_d9.any_delta", "Lemma D.9: for any delta", Kind.PRIVACY)
    .says("There are constants c_1, c_2 with which the noise is private for every delta below 1", D9)
    .refuted("the noise vanishes as delta tends to 1, and with it any overlap", instead="delta must stay away from 1, as with delta <= 1/2")
    .examined(every_constant, **PAIRS, delta=0.5, near_one=True),
)  # fmt: skip
