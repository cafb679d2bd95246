"""Checks of Lemmas D.4 to D.9: conditioning, normal tails, batches without replacement, moments of a projection, moments accounting."""

import itertools
import math
from fractions import Fraction
from typing import Any

import sympy as sp

import bounds
from bounds.privacy.gaussian import delta_gaussian
from bounds.proofs.inequalities import is_zero
from paper_checks.dp_grape import printed as p
from paper_checks.record import Record
from paper_checks.verdict import Finding


def check_normal_tail() -> Finding:
    """Check that sigma^2 P(X >= K) + sigma K phi is E[X^2; X >= K], in place of Lemma D.5, by derivatives; return a Finding."""
    density = sp.exp(-(p.K**2) / (2 * p.sd**2)) / (p.sd * sp.sqrt(2 * sp.pi))
    (held,) = (one.value for one in bounds.THEOREMS["dp_grape.lemma_d5"].parts if one.name == "true")
    mass = sp.expand(held * p.FORMULAS["tail_of_x"])
    off = {"P(X >= K)": sp.diff(p.FORMULAS["tail_of_x"], p.K) + density, "E[X^2; X >= K]": sp.diff(mass, p.K) + p.K**2 * density}
    off |= {"E[X^2; X >= K] at infinity": sp.limit(mass.xreplace({p.sd: sp.Integer(1)}), p.K, sp.oo)}
    record = Record()
    if not all(map(is_zero, off.values())):
        at = {name: float(one.xreplace({p.K: sp.Integer(1), p.sd: sp.Integer(2)})) for name, one in off.items()}
        record.refute("the formula in place of Lemma D.5 is not the integral of x^2 times the density", {"K": 1, "sigma": 2, **at})
    words = "its derivative in K is -K^2 times the density and its limit 0: it is the integral of x^2 times the density from K on"
    return record.prove(words)


def check_subset_means(*, sizes: tuple[int, ...]) -> Finding:
    """Check that the mean square of subset means is that of Lemma D.7, for n symbolic numbers with sum 0; return a Finding."""
    record = Record({"n, m tried": sum(sizes)})
    for count in sizes:
        free = sp.symbols(f"a_1:{count}", real=True) if count > 1 else ()
        vector = (*free, -sum(free))
        squares = sp.expand(sum(a**2 for a in vector)) / count
        for m in range(1, count + 1):
            chosen = [*itertools.combinations(vector, m)]
            mean = sp.expand(sum(sum(part) ** 2 for part in chosen) / (m**2 * len(chosen)))
            claimed = p.FORMULAS.of("lemmas")["lemma_d7"].xreplace({p.n: sp.Integer(count), p.B: sp.Integer(m), p.each_sq: squares})
            if not is_zero(mean - claimed) or Fraction(count - m, count - 1) > (m < count):
                at = {one: sp.Integer(2 + i) for i, one in enumerate(free)}
                found = {"mean over subsets": float(mean.xreplace(at)), "claimed": float(claimed.xreplace(at))}
                record.refute(f"at n = {count}, m = {m} the mean over all subsets is another", {"n": count, "m": m, **found})
    return record.prove(f"equal for all vectors, over all subsets of every size, at n = {sizes[0]} to {sizes[-1]}")


def normal_mean(polynomial: Any, u: tuple[Any, ...]) -> Any:
    """Return the mean of a polynomial in independent standard normal `u`: E u^(2 k) = (2 k - 1)!!, odd moments are 0."""
    terms = sp.Poly(sp.expand(polynomial), *u).terms()
    moments = {power: 0 if power % 2 else sp.factorial2(power - 1) for powers, _ in terms for power in powers}
    return sp.expand(sum(coefficient * sp.prod([moments[power] for power in powers]) for powers, coefficient in terms))


def check_linear_moments(*, dimension: int) -> Finding:
    """Check that E u = 0, E uu' = I and E (u'a) u = a for normal u, by algebra in all coordinates; return a Finding."""
    u, a = (sp.symbols(f"{x}_1:{dimension + 1}", real=True) for x in "ua")
    along = sum(x * y for x, y in zip(u, a, strict=True))
    wanted = [*((x, 0) for x in u), *((x * y, int(x == y)) for x, y in itertools.product(u, u))]
    wanted += [(along * x, y) for x, y in zip(u, a, strict=True)]
    record = Record({"identities": len(wanted)})
    for polynomial, value in wanted:
        if not is_zero((mean := normal_mean(polynomial, u)) - value):
            record.refute(f"E[{polynomial}] is {mean}", {"polynomial": str(polynomial), "claimed": str(value)})
    return record.prove(f"E u = 0, E uu' = I and E (u'a) u = a from the moments of a normal number, d = {dimension}")


def check_lemma_d9_constants(*, c_1: tuple[float, ...], c_2: tuple[float, ...], delta: float, near_one: bool) -> Finding:
    """Check that some pair of constants (c_1, c_2) makes Lemma D.9 private, with B = n, by the exact delta; return a Finding.

    With B = n, T steps are one normal release. At a fixed delta: epsilon = max(16, 4 c_2^2 log(1/delta)), and so many steps that
    epsilon < c_1 T; then mu = epsilon/(c_2 sqrt(log)) is at least 4 times epsilon/mu, and at least 8. `near_one`: epsilon = c_1/2, T = 1,
    and delta = 1 - 2^-k for the first k that fails.
    """
    found, lemma_d9 = dict[str, tuple[float, ...]](), p.FORMULAS.of("lemmas")["lemma_d9"]
    for one, two in itertools.product(c_1, c_2):
        for k in range(2, 50) if near_one else (0,):
            delta = 1 - 0.5**k if near_one else delta
            epsilon = one / 2 if near_one else max(16.0, 4 * two**2 * math.log(1 / delta))
            T = max(1, math.floor(epsilon / one) + 1)
            sigma = float(lemma_d9.subs({p.c_2: two, p.B: 1, p.n: 1, p.Delta: 1, p.T: T, p.epsilon: epsilon, p.delta: delta}))
            if (true := delta_gaussian(epsilon=epsilon, sigma=sigma, T=T, sensitivity=1.0)) > delta:
                found |= {f"c_1 = {one:g}, c_2 = {two:g}: epsilon, T, delta, true delta": (epsilon, T, delta, true)}
                break
        else:
            numbers = {"delta": delta, "pairs that fail": len(found)}
            return Record(numbers).conclude(f"with c_1 = {one:g}, c_2 = {two:g} every case tried is private")
    words = "delta close to 1" if near_one else f"delta = {delta:g} and many steps"
    return Record().refute(f"no pair of constants will do: with all samples in a batch, each of {len(found)} fails at {words}", found)
