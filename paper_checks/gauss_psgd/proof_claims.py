"""Claims about the proofs of Gauss-PSGD: that one holds as a whole, and printed lines that fail at a point, with what holds in their place.

The witnesses, with the printed and the true formula, are those of `bounds.gauss_psgd.false_lines` under the same names. The witness is
substituted in 50 digits, and so is what holds instead; that itself is examined by lines of derivations.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import mpmath as mp
import sympy as sp

import bounds
from bounds.derivation import Derivation
from bounds.inequalities import Instance, is_zero
from bounds.lines import Identity, Substitution, line
from bounds.symbols import symbols
from paper_checks.examine.proofs import chain
from paper_checks.gauss_psgd import printed as p
from paper_checks.steps import examine_parts
from paper_checks.verdict import Claim, Finding, Kind, OpenClaim, Outcome, claim, consistent, inconclusive, question, refuted

DIGITS = 50
WORDED = "some steps are cited or argued in words; the rest is certified"
STOPS = "goes as far as the printed proof holds; some steps are cited or argued in words, the rest is certified"
CERTIFIED = "every step is certified by computer algebra, from what it takes as given"


def whole_proof(name: str, source: str, words: str, why: str, stated: str = "printed") -> Claim:
    """Return the claim "gauss_psgd.NAME.chain" about the derivation of that name; `why` is WORDED, STOPS or CERTIFIED."""
    key = f"gauss_psgd.{name}"
    return (
        claim(f"{key}.chain", source, Kind.INEQUALITY)
        .says(words)
        .expected(Outcome.PROVED if why == CERTIFIED else Outcome.CONSISTENT, why)
        .stated_as(stated)
        .derived(key)
        .in_full(samples=1000)
        .examined(chain, key=key, samples=20)
    )


@cache
def entries() -> dict[str, Any]:
    """Return the lines with their formulas and witnesses; loaded when first asked for, because listing the claims needs none of them."""
    from bounds.gauss_psgd.false_lines import PRINTED_FALSE

    return {one.key: one for one in PRINTED_FALSE}


def holds(relation: str, left: Any, right: Any) -> bool:
    """Return whether two numbers of 50 digits are in a relation; ten digits are left for the rounding of what made them."""
    with mp.workdps(DIGITS + 20):
        slack = mp.mpf(10) ** (10 - DIGITS) * (abs(left) + abs(right))
        if relation in ("=", "=="):
            return bool(abs(left - right) <= slack)
        gap = right - left if relation in ("<=", "<") else left - right
        return bool(gap > slack) if relation in ("<", ">") else bool(gap >= -slack)


def at_witness(*, key: str) -> Finding:
    """Substitute the witness in the premises, in the printed line and in what holds instead."""
    one = entries()[key]
    left, right, true = one.values(DIGITS)
    numbers = {"digits": DIGITS, "left side": _short(left), "printed right side": _short(right), "what holds instead": _short(true)}
    if key in p.RIGHT and not is_zero(sp.sympify(one.rhs - p.RIGHT[key])):
        said = f"the entry has {p.written(one.rhs)} where the paper prints {p.written(p.RIGHT[key])}"
        return inconclusive(f"{said}: comparing the two would settle it", numbers)
    for relation, a, b in one.premise_sides(DIGITS):
        if not holds(relation, a, b):
            broken = f"{_short(a)} {relation} {_short(b)}"
            return inconclusive(f"the witness breaks a premise, {broken}: another one must be looked for", numbers)
    if not holds(one.true_relation, left, true):
        return inconclusive(f"what is said to hold instead fails too: {_short(left)} {one.true_relation} {_short(true)}", numbers)
    if holds(one.relation, left, right):
        return consistent(f"the printed line holds at the witness: {_short(left)} {one.relation} {_short(right)}", numbers)
    sentence = f"{one.claim}: {_short(left)} {one.relation} {_short(right)} is false; {one.true_relation} {_short(true)} holds"
    at = {p.letter(x): _plain(value) for x, value in sorted(one.witness.items(), key=lambda entry: str(entry[0]))}
    return refuted(sentence, numbers, {**at, "left side": _short(left), "printed right side": _short(right)})


def _plain(value: Any) -> int | float:
    exact = value if isinstance(value, int) else int(value) if value == int(value) else None
    return float(value) if exact is None or abs(exact) >= 10**15 else exact


def _short(value: Any) -> str:
    return str(mp.nstr(value, 6))


(resets,) = symbols("resets")
reach = 4 * p.C ** sp.Rational(1, 4) / p.s * sp.sqrt(p.psi / p.rho)
step_root = sp.sqrt(p.eta * p.r) / (40 * sp.sqrt(2))
share = sp.Symbol("share", positive=True)
est, err = symbols("est_norm err_norm")
OWN = Derivation(
    key="gauss_psgd.in_place",
    title="what holds in place of printed lines, where no chain has it",
    source="ours",
    facts=(
        line("a_call", resets, ">", 0).says("some fresh gradient is asked for").assumed(),
        line("b_1", p.b_1, "=", p.n / (2 * resets)).says("the samples of a fresh gradient").defined(signs=("a_call",)),
        line("b_2", p.b_2, "=", p.n / (2 * p.T)).says("the samples of a difference").defined(),
        line("R", p.R, "=", reach / sp.sqrt(p.mu)).says("R of (5) in psi").defined("(5)"),
        line("entry_to_base_2", 2**p.mu, ">=", sp.exp(p.SIX[1])).says("mu is at least the second entry of (6) with log_2").assumed(),
        line("enough_samples", share, "<=", 1).says("sqrt(d) <= n epsilon").assumed(),
        line("passes", est, ">=", 3 * p.chi).says("no escape phase is entered").assumed(),
        line("error", err, "<=", p.chi).says("Lemma 5: every error is at most chi").assumed(),
        line("short_step", p.eta * p.M, "<=", sp.Rational(8, 9)).says("eta is at most (8/9)/M").assumed(),
    ),
    steps=(
        line("steps_with_the_last_phase", p.Q * p.Gamma, "<=", p.Q * (p.T_76 + p.Gamma))
        .says("a run that starts where it ends takes Q Gamma steps, which Q (T_eff + Gamma) covers", "T_eff is not negative")
        .by((p.Q, p.T_76))
        .claimed_where(),
        line("budget", p.b_1 * resets + p.b_2 * p.T, "=", p.n)
        .says("the samples of |T| fresh gradients and of T differences add up to n", "cancel")
        .inserting("b_1", "b_2"),
        line("to_base_2", 2**p.mu * step_root, ">=", p.R)
        .says("the last inequality of (53): 2^mu sqrt(eta r)/(40 sqrt(2)) is at least R, even at least sqrt(mu) R")
        .because("the entry times sqrt(eta r)/(40 sqrt(2)) is sqrt(mu) R, and mu is at least 1")
        .by((step_root, "entry_to_base_2"), (reach / (p.mu + sp.sqrt(p.mu)), "log_factor >= 1"), at=("R",)),
        line("without_lemma_3", p.eta * (est**2 - est * err) - p.M * p.eta**2 * est**2 / 2, ">=", 2 * p.eta * p.chi**2)
        .says("(75) from M-smoothness: with g_hat = grad F + nu a normal step lowers F by the left side at least, and that by 2 eta chi^2")
        .because("<grad F, g_hat> is at least ||g_hat||^2 - ||nu|| ||g_hat||")
        .by(
            (p.eta, sp.Rational(5, 9) * est + sp.Rational(2, 3) * p.chi, "passes"),
            (p.eta * est, "error"),
            (p.eta * est**2 / 2, "short_step"),
        ),
        line("logarithm_of_share", sp.log(share), "<=", 0)
        .says("the logarithm of the share is not positive", "e^y >= 1 + y at y = log(share)")
        .by(Instance("exponential", sp.log(share)), "enough_samples"),
        line("three_sevenths", share ** sp.Rational(3, 7), "<=", share ** sp.Rational(2, 5))
        .says("a power of the share, a number below 1, falls with the exponent", "3/7 - 2/5 = 1/35")
        .by((share ** sp.Rational(2, 5), Instance("decay", (sp.Rational(1, 35), "logarithm_of_share")))),
    ),
)


def named(steps: str) -> list[tuple[Derivation, str]]:
    """Return the lines that "lemma1: needed slope; to_base_2" names, each with its derivation: of the theory, or OWN where none is said."""
    found = []
    for part in steps.split(";"):
        key, _, names = part.rpartition(":")
        derivation = bounds.DERIVATIONS[f"gauss_psgd.{key.strip()}"] if key else OWN
        found += [(derivation, name) for name in names.split()]
    return found


def steps_hold(*, steps: str, samples: int) -> Finding:
    """Examine the named lines."""
    return examine_parts([(proof, (name,)) for proof, name in named(steps)], samples=samples)


def instead(*, key: str, steps: str, samples: int) -> Finding:
    """Examine the lines that hold in place of a printed one; an equality that is said to hold is certified itself as well."""
    one = entries()[key]
    parts: list[tuple[Derivation, tuple[str, ...]]] = [(proof, (name,)) for proof, name in named(steps)]
    if one.relation == "=" and one.true_relation == "=":
        facts = tuple(line(letter.name, letter, "=", value).says(f"(5): {letter.name}").assumed() for letter, value in one.at.items())
        letters = " ".join(sorted(letter.name for letter in one.lhs.free_symbols | one.true_rhs.free_symbols))
        certificate = Substitution(tuple(fact.name for fact in facts)) if facts else Identity()
        true = line("holds", one.lhs, "=", one.true_rhs).says(f"{one.claim} (in {letters})").because("what holds instead")
        parts.append((Derivation(f"gauss_psgd.{key}", one.claim, one.where, (true.certified(certificate),), facts), ()))
    return examine_parts(parts, samples=samples)


def derivations_of(steps: str) -> tuple[str, ...]:
    """Return the keys of the derivations of the theory that named steps belong to."""
    return tuple(dict.fromkeys(f"gauss_psgd.{part.partition(':')[0].strip()}" for part in steps.split(";") if ":" in part))


def true_line(printed: OpenClaim, steps: str) -> tuple[Claim]:
    """Close the claim of a line that the named steps certify."""
    certified = printed.proved("certified by computer algebra").derived(*derivations_of(steps)).in_full(samples=1000)
    return (certified.examined(steps_hold, steps=steps, samples=20),)


def false_line(printed: OpenClaim, steps: str, proved: bool = True) -> tuple[Claim, Claim]:
    """Close the claim of a line that is false as printed, and with it the claim that its correction holds, by the named steps.

    The key ends with ".printed_NAME", NAME being that of the entry; `proved` says whether every step is certified.
    """
    place, _, name = printed.key.rpartition(".printed_")
    derivations, words, latex = derivations_of(steps), printed.given["correction"], printed.given["correction_latex"]
    by = f"{place}.repaired_{name}".removeprefix("gauss_psgd.")
    return (
        printed.corrected(words, latex, by=by).derived(*derivations).examined(at_witness, key=f"printed_{name}"),
        question(f"gauss_psgd.{by}", f"ours; in place of {printed.source}", Kind.INEQUALITY)
        .says(words, latex)
        .expected(
            Outcome.PROVED if proved else Outcome.CONSISTENT,
            "certified by computer algebra, what it takes as given apart" if proved else "one of its steps is argued in words",
        )
        .derived(*derivations)
        .in_full(samples=1000)
        .examined(instead, key=f"printed_{name}", steps=steps, samples=20),
    )
