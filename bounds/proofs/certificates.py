"""First checker of proofs: whether the certificate of a line proves it from the lines that it may use.

verify(derivation, name)      the result for one line
verify_all(derivation)        the results for all lines

A program that shares no code with this one checks the same again, from an export: `paper_checks.recheck_export`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import sympy as sp

from bounds.proofs.derivation import Derivation
from bounds.proofs.facts import Refused, check_sign, check_signs, check_taken, closure, deep_closure, lemma_of
from bounds.proofs.inequalities import INEQUALITIES, Instance, is_proved, is_zero, x
from bounds.proofs.lines import (
    GIVENS,
    Assumed,
    Case,
    Cited,
    Identity,
    Inverse,
    InWords,
    Made,
    Meaning,
    NonNegative,
    Reasoned,
    Shown,
    Source,
    Step,
    Substitution,
    Telescoped,
    factor_lines,
    factors_of,
    inserted_lines,
    is_definition,
    named_lines,
)
from bounds.proofs.meanings import AVERAGES, RUNS
from bounds.proofs.signs import is_non_negative, is_positive, replace_signed_parts
from bounds.proofs.wellformed import check_exact
from bounds.symbols import GLOSSARY, LETTERS


class Standing(Enum):
    """Outcome of the check of a line: certified, taken as given, cited, argued in words, or failed."""

    CERTIFIED = "certified"
    TAKEN = "taken"
    CITED = "cited"
    REASONED = "argued in words"
    FAILED = "failed"


WELL_KNOWN = {one.name: one.symbol for one in LETTERS}  # without symbols that pages introduce: those depend on which pages are open
SHOWN = (Standing.CERTIFIED, Standing.CITED, Standing.REASONED)  # allowed outcomes of a line of another derivation that is used


@dataclass(frozen=True)
class Result:
    """Result of the check of one line: its outcome, and a sentence that explains it."""

    step: Step
    outcome: Standing
    how: str


def verify(derivation: Derivation, name: str) -> Result:
    """Check the certificate of one line of a derivation and return a `Result`."""
    step = derivation[name]
    certificate = step.certificate
    try:
        _check_form(derivation, step)
        if isinstance(certificate, Cited):
            return Result(step, Standing.CITED, f"not proved here: {certificate.source}")
        if isinstance(certificate, Reasoned):
            return Result(step, Standing.REASONED, certificate.why)
        if isinstance(certificate, Source):
            return Result(step, Standing.TAKEN, _verify_premise(derivation, step, certificate))
        if isinstance(certificate, NonNegative):
            return _verify_sum(derivation, step, certificate)
        if isinstance(certificate, Telescoped):
            return _verify_average(derivation, step, certificate)
        return _verify_equality(derivation, step, certificate)
    except Refused as why:
        return Result(step, Standing.FAILED, str(why))
    except RecursionError:
        return Result(step, Standing.FAILED, "its lemmas rest on each other")


def verify_all(derivation: Derivation) -> tuple[Result, ...]:
    """Check the certificates of all lines, facts and definitions of the theorem included; return a tuple of `Result`."""
    return tuple(verify(derivation, name) for name in derivation.lines)


def _verify_premise(derivation: Derivation, step: Step, certificate: Source) -> str:
    """Check a fact and return how it is known; for a line of another derivation, check that it is shown there."""
    how = check_taken(derivation, step, certificate)
    if isinstance(certificate, Shown):
        lemma = lemma_of(derivation, certificate)
        for name in closure(lemma, certificate.line):
            result = verify(lemma, name)
            if result.outcome not in (SHOWN if name == certificate.line else (*SHOWN, Standing.TAKEN)):
                raise Refused(f"{certificate.derivation}, {name}, is not shown there: {result.how}")
    return how


# --- what every line must be -------------------------------------------------------------------------------------------------------


def _check_form(derivation: Derivation, step: Step) -> None:
    """Check what every line must satisfy: names, order, exact expressions, defined values; raise Refused otherwise."""
    in_words = isinstance(step.certificate, InWords)
    known = derivation.usable_by(step)
    meant = [name for letter, name in derivation.meaning.items() if letter in step.rhs.free_symbols] if is_definition(step) else []
    for name in (*named_lines(step.certificate), *(() if step.where == GIVENS else step.where), *meant):
        if name not in known:
            raise Refused(f"no line before this one is named {name!r}")
        if not known[name].is_formula and not in_words:
            raise Refused(f"the line {name!r} is in words only: there is nothing to use")
        if step.name in (deep_closure if is_definition(step) else closure)(derivation, name):
            raise Refused(f"the line {name!r} rests on this one")
    if step.is_formula and step.lhs == step.rhs and not in_words:
        raise Refused("both sides are the same expression: nothing is claimed")
    if not step.is_formula and not in_words:
        raise Refused("there is no formula to certify")
    if step.is_formula and step.relation not in ("=", "<=", ">=", "<", ">"):
        raise Refused(f"{step.relation!r} is no relation that is known here")
    if step.is_formula and not in_words:
        check_exact(step.lhs), check_exact(step.rhs)
    if isinstance(step.certificate, Made) and step.is_formula:
        _check_defined(derivation, step)
    for letter in step.symbols:
        if letter.name in WELL_KNOWN and WELL_KNOWN[letter.name] != letter:
            raise Refused(f"{letter} is not the symbol that the glossary has under this name")
    if derivation.is_fact(step) and not isinstance(step.certificate, Source | InWords):
        raise Refused("a fact is taken: what is made belongs to the steps")
    if step.is_formula and not derivation.is_fact(step) and (why := wording_error(derivation, step)):
        raise Refused(why)


def wording_error(derivation: Derivation, step: Step) -> str:
    """Return why the words of a step do not fit its formula, or "" if they do.

    The words must name a symbol of the formula or use a word that the glossary has for one. A symbol that they name must occur in the
    proof. A theorem, lemma or equation that they name must be a source of the proof or have been named by one of its facts.
    """
    own = set().union(*(one.symbols for one in derivation.lines.values()))
    spelled = {**{one.name: one for one in own}, **derivation.spelled}
    names = {name for name in re.findall(r"[A-Za-z][A-Za-z0-9_]*", step.statement)}
    spoken = {spelled[name] for name in names if name in spelled}
    words = [GLOSSARY[letter.name].words if letter.name in GLOSSARY else letter.name for letter in step.symbols]
    meant = {word[:5].lower() for text in words for word in re.findall(r"[A-Za-z]{4,}", text)}
    stems = {name[:5].lower() for name in names if len(name) > 3}
    if step.symbols and not spoken & step.symbols and not stems & meant:
        return "its text names no symbol of its formula, and no word that the glossary uses for one"
    foreign = sorted(name for name in names - set(spelled) if name in GLOSSARY and len(name) > 1 and not name.isalpha())
    if foreign:
        return f"its text speaks of {foreign[0]}, which the proof does not have"
    sources = " ".join([derivation.title, derivation.source, *(f"{one.statement} {one.reason}" for one in derivation.facts)])
    sources += " ".join(getattr(one.certificate, "source", "") for one in (*derivation.facts, *derivation.steps))
    for label in re.findall(r"\b(?:Theorem|Lemma|Corollary) [A-Z]?\.?\d+(?:\.\d+)*", step.statement):
        if label not in sources:
            return f"its text speaks of {label}, which is no source of the proof"
    return ""


def _check_defined(derivation: Derivation, step: Step) -> None:
    """Check that no denominator of a step can be 0 and every logarithm has a positive argument; raise Refused otherwise.

    Known are the declared signs of symbols, the assumptions of the theorem, the meanings of symbols, and the lines that the step names.
    """
    cited = {*named_lines(step.certificate), *(() if step.where == GIVENS else step.where)}
    lines = [one for name, one in derivation.lines.items() if name in cited or isinstance(one.certificate, Assumed | Meaning)]
    known = tuple((one.difference, one.relation in ("<", ">")) for one in lines if one.is_formula and not one.is_equality)
    for base in _denominators(step.lhs, step.rhs):
        if not (
            replace_signed_parts(base, known).is_nonzero
            or any(strict and replace_signed_parts(sp.cancel(base / one)).is_nonzero for one, strict in known)
        ):
            raise Refused(f"the denominator {sp.sstr(base)} may be 0: name a line that says it is not")
    for inner in _log_arguments(step.lhs, step.rhs):
        if not (
            replace_signed_parts(inner, known).is_positive or any(strict and is_positive(sp.cancel(inner / one)) for one, strict in known)
        ):
            raise Refused(f"the logarithm of {sp.sstr(inner)} may not exist: name a line that says it is positive")


def _denominators(*expressions: Any) -> list[Any]:
    """Return what must not be 0 for the expressions to exist: bases of powers whose exponents may be negative."""
    powers = (part for one in expressions for part in sp.preorder_traversal(one) if isinstance(part, sp.Pow))
    return list(dict.fromkeys(power.base for power in powers if not power.exp.is_nonnegative))


def _log_arguments(*expressions: Any) -> list[Any]:
    """Return the arguments of all logarithms, which must be positive for the expressions to exist."""
    return list(dict.fromkeys(part.args[0] for one in expressions for part in sp.preorder_traversal(one) if isinstance(part, sp.log)))


# --- steps -------------------------------------------------------------------------------------------------------------------------


def insertion_values(derivation: Derivation, names: tuple[str, ...]) -> dict[Any, Any]:
    """Return the value of each symbol by the named equalities, each inserted into the others; Refused where that is impossible."""
    values: dict[Any, Any] = {}
    for name in names:
        one = derivation[name]
        if not (one.is_equality and isinstance(one.lhs, sp.Symbol)):
            raise Refused(f"the line {name!r} is not an equality with a single symbol on the left")
        if one.lhs in values:
            raise Refused(f"two of the lines that are inserted say what {one.lhs} is")
        values[one.lhs] = one.rhs
    for _ in values:
        values = {letter: value.xreplace({other: values[other] for other in values if other != letter}) for letter, value in values.items()}
    if any(value.free_symbols & set(values) for value in values.values()):
        raise Refused("the equalities that are inserted depend on each other in a circle")
    shown = {derivation[name].lhs for name in names if getattr(derivation[name].certificate, "signs", ())}
    check_signs({letter: value for letter, value in values.items() if letter not in shown})
    return values


def _verify_equality(derivation: Derivation, step: Step, certificate: Identity | Substitution) -> Result:
    """Check a step with an Identity or Substitution certificate: the difference of its sides must expand to 0."""
    if step.relation not in ("=", "<=", ">="):
        raise Refused(f"an identity does not prove {step.relation}")
    values = insertion_values(derivation, inserted_lines(certificate))
    difference = step.difference.xreplace(values)
    if isinstance(certificate, Identity):
        difference -= _sum_of_multiples(derivation, certificate.modulo, values)
    if not is_zero(difference):
        raise Refused(f"{sp.sstr(difference)} is not 0")
    return Result(step, Standing.CERTIFIED, "the difference of the two sides expands to 0")


def _sum_of_multiples(derivation: Derivation, modulo: tuple[tuple[Any, str], ...], values: Mapping[Any, Any]) -> Any:
    """Return the sum of the multiples of equalities, each of which is 0; raise Refused for a multiplier that may be infinite."""
    total = sp.Integer(0)
    for multiplier, name in modulo:
        if not derivation[name].is_equality:
            raise Refused(f"the line {name!r} is no equality, so multiples of it cannot be added")
        if is_definition(derivation[name]):
            check_sign(derivation, derivation[name])
        product = derivation[name].difference.xreplace(values)
        for factor in factors_of(multiplier):
            if isinstance(factor, Inverse | Instance | str):
                product *= _factor(derivation, factor, values)[0]
                continue
            value = check_exact(factor).xreplace(values)
            below = [part for base in (*_denominators(value), sp.denom(sp.together(value))) for part in sp.Mul.make_args(base)]
            if not all(part.is_nonzero for part in below) or not all(map(is_positive, _log_arguments(value))):
                raise Refused(f"the multiplier {sp.sstr(value)} of {name!r} may be infinite")
            product *= value
        total += product
    return total


def _verify_sum(derivation: Derivation, step: Step, certificate: NonNegative) -> Result:
    """Check a step with a NonNegative certificate: the difference of its sides must be the sum of the terms."""
    if step.relation not in ("<=", "<", ">=", ">"):
        raise Refused(f"a sum of non-negative terms does not prove {step.relation}")
    values = insertion_values(derivation, certificate.at)
    terms = [[_factor(derivation, factor, values) for factor in term] for term in certificate.terms]
    total = sp.Add(*[sp.Mul(*[value for value, _ in term]) for term in terms]) + _sum_of_multiples(derivation, certificate.modulo, values)
    difference = step.difference.xreplace(values)
    if not is_zero(difference - total):
        raise Refused(f"the given terms miss the difference by {sp.sstr(difference - total)}")
    if step.relation in ("<", ">") and not any(all(strict for _, strict in term) for term in terms):
        raise Refused("no term is known to be positive, so the inequality is not known to be strict")
    alone = _sole_line(certificate)
    if alone:
        source = derivation[alone]
        kind = verify(derivation, alone).outcome
        if kind in (Standing.CITED, Standing.REASONED):
            return Result(step, kind, f"says what {alone} says, which is not proved here")
        inserted = certificate.at and not _holds_without_insertion(derivation, step, certificate)
        if not isinstance(source.certificate, Shown) and kind is Standing.TAKEN and not inserted:
            raise Refused(f"{alone} implies this alone: what is taken is not proved by taking it")
    return Result(step, Standing.CERTIFIED, f"the difference is a sum of {len(certificate.terms)} non-negative terms")


def _holds_without_insertion(derivation: Derivation, step: Step, certificate: NonNegative) -> bool:
    """Return whether the terms add up to the difference of a line even without the inserted equalities."""
    terms = [sp.Mul(*[_factor(derivation, factor, {})[0] for factor in term]) for term in certificate.terms]
    return is_zero(step.difference - sp.Add(*terms))


def _factor(derivation: Derivation, factor: Any, values: Mapping[Any, Any]) -> tuple[Any, bool]:
    """Return a non-negative factor after insertion, and whether it is known to be positive."""
    if isinstance(factor, str):
        one = derivation[factor]
        if one.is_equality:
            raise Refused(f"the line {factor!r} is an equality, not an inequality: use it modulo")
        return one.difference.xreplace(values), one.relation in ("<", ">")
    if isinstance(factor, Inverse):
        value, strict = _factor(derivation, factor.name, values)
        if not strict:
            raise Refused(f"the line {factor.name!r} is not strict, so one over its difference may be infinite")
        return 1 / value, True
    if isinstance(factor, Instance):
        if factor.name not in INEQUALITIES:
            raise Refused(f"no inequality is named {factor.name!r}; there are {', '.join(INEQUALITIES)}")
        inequality = INEQUALITIES[factor.name]
        if inequality.letter == x:
            argument = check_exact(factor.argument).xreplace(values)
            if not argument.is_extended_real:
                raise Refused(f"{sp.sstr(argument)} is not known to be real, as {inequality.words} needs")
        else:
            argument = sp.Mul(*[_factor(derivation, one, values)[0] for one in factors_of(factor.argument)])
        if not is_proved(inequality):
            raise Refused(f"{inequality.words} is not proved")
        return inequality.function.subs(inequality.letter, argument), False
    value = check_exact(factor).xreplace(values)
    if not is_non_negative(value):
        raise Refused(f"{sp.sstr(value)} is not known to be non-negative")
    return value, is_positive(value)


def _sole_line(certificate: NonNegative) -> str:
    """Return the name of the line whose multiples are the only terms of a certificate, so that it implies the step; "" if none."""
    terms = [term for term in certificate.terms if not any(not isinstance(one, str | Inverse | Instance) and one == 0 for one in term)]
    if certificate.modulo or any(isinstance(factor, Instance) for term in terms for factor in term):
        return ""
    names = [tuple(name for factor in term for name in factor_lines(factor)) for term in terms]
    return names[0][0] if len(set(names)) == 1 and len(names[0]) == 1 else ""


def _expand_definitions(derivation: Derivation, letters: set[Any]) -> set[Any]:
    """Return the symbols together with all symbols in their definitions."""
    meant = {one.lhs: one.rhs.free_symbols for one in derivation.lines.values() if is_definition(one)}
    for _ in meant:
        letters = letters | set().union(*(meant.get(letter, set()) for letter in letters))
    return letters


def _verify_average(derivation: Derivation, step: Step, certificate: Telescoped) -> Result:
    """Check a step with a Telescoped certificate: it must be the average of the named line over t = 0, ..., T - 1."""
    source, T = derivation[certificate.line], GLOSSARY["T"].symbol
    cases = [derivation[one] for one in deep_closure(derivation, source.name) if isinstance(derivation[one].certificate, Case)]
    if any(letter.name in GLOSSARY and GLOSSARY[letter.name].per_step for one in cases for letter in one.symbols):
        raise Refused(f"{source.name} holds in a case of some steps only, and is averaged over all of them")
    means = {letter: mean for letter, mean in AVERAGES.items() if letter in source.symbols}
    runs = [run for run in RUNS if {run[0], run[1]} <= source.symbols]
    moving = {*means, *(letter for run in runs for letter in run[:2])}
    rates = {letter: sp.diff(source.difference, letter) for letter in moving}
    still = sp.expand(source.difference - sum(rate * letter for letter, rate in rates.items()))
    rest = _expand_definitions(derivation, set().union(still.free_symbols, *(rate.free_symbols for rate in rates.values())))
    if any(letter in moving or letter.name not in GLOSSARY or GLOSSARY[letter.name].per_step for letter in rest):
        raise Refused(f"{source.name} is not linear in what changes from step to step")
    average = still + sum(rates[letter] * mean for letter, mean in means.items())
    for now, after, first, last in runs:
        if not is_zero(rates[now] + rates[after]):
            raise Refused(f"{now} and {after} do not telescope in {source.name}")
        average += rates[now] * (first - last) / T
    if source.relation != step.relation:
        raise Refused(f"{source.name} is a {source.relation}")
    if not is_zero(average - step.difference):
        raise Refused(f"the average of {source.name} differs by {sp.sstr(sp.expand(average - step.difference))}")
    return Result(step, Standing.CERTIFIED, f"the average of {source.name} over t = 0, ..., T - 1")
