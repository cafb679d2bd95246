"""Facts, the lines that a proof takes without deriving them: whether each may be taken, and what it depends on.

`check_taken`            how a fact is known, in a sentence; Refused if it is not
`closure`                the names of all lines that a line rests on
`required_hypotheses`    what must hold where a line of another derivation is used
"""

from collections.abc import Iterable, Mapping
from typing import Any

import sympy as sp

from bounds.proofs.derivation import Derivation, symbol_limits
from bounds.proofs.inequalities import is_zero
from bounds.proofs.lines import (
    Assumed,
    Case,
    Defined,
    InWords,
    Meaning,
    Shown,
    Source,
    Step,
    Telescoped,
    certificate_expressions,
    is_definition,
    named_lines,
)
from bounds.proofs.meanings import AVERAGES, GIVEN_WHERE_SPOKEN_OF, GIVEN_WHERE_SUMMED, MEANINGS, NAMED, ROUND, RUNS
from bounds.proofs.signs import declared_sign, has_declared_sign
from bounds.symbols import GLOSSARY
from bounds.theorem import HYPOTHESIS


class Refused(Exception):
    """Raised where a line is not accepted; the message gives the reason."""


def check_taken(derivation: Derivation, step: Step, certificate: Source) -> str:
    """Check that a proof may take a fact and return how it is known, as a sentence; raise Refused if it is not.

    The proof of a line that is `Shown` is not checked here.
    """
    theorem = derivation.proves
    if not derivation.is_fact(step):
        raise Refused("a step cannot be taken: it belongs to the facts")
    if isinstance(certificate, Assumed):
        if theorem is not None and not _is_hypothesis(theorem, step):
            raise Refused(f"{theorem.key} has no such assumption or condition: {step.statement}")
        return f"assumed: {step.statement}"
    if isinstance(certificate, Case):
        return f"the case {step.statement}"
    if isinstance(certificate, Meaning):
        free = {letter.name for letter in step.symbols} & {*GLOSSARY} - {letter.name for letter in derivation.defined_symbols}
        table = [*MEANINGS, *(limit for name in sorted(free) for limit in symbol_limits(GLOSSARY[name]))]
        if not any((one.lhs, one.relation, one.rhs) == (step.lhs, step.relation, step.rhs) for one in table):
            raise Refused("the glossary does not state this: bounds.proofs.meanings lists what holds by the meaning of the symbols")
        return f"by meaning: {step.statement}"
    if isinstance(certificate, Defined):
        return _check_definition(derivation, step)
    return _check_shown(derivation, step, certificate)


def _is_hypothesis(theorem: Any, step: Step) -> bool:
    """Return whether a line is an assumption, a condition or a limit of the schedule of a theorem."""
    allowed = [(one.gts - one.lts, one.rel_op in ("<", ">")) for one in hypotheses(theorem) if hasattr(one, "gts")]
    limits = [name for name in theorem.limits if name in theorem.schedule]  # the schedule has the largest allowed value
    allowed += [(theorem.schedule[name] - GLOSSARY[name].symbol, False) for name in limits]
    mine, strict = expand_abbreviations(theorem, step.difference), step.relation in ("<", ">")
    return not step.is_equality and any(strict <= theirs and is_zero(mine - expand_abbreviations(theorem, one)) for one, theirs in allowed)


def hypotheses(theorem: Any) -> list[Any]:
    """Return the relations that a theorem assumes, without its conditions that only limit its scope."""
    return [*theorem.valid_if, *theorem.in_letters, *(one.relation for one in theorem.conditions if one.kind == HYPOTHESIS)]


def expand_abbreviations(theorem: Any, expression: Any) -> Any:
    """Return an expression with the abbreviations of a theorem substituted."""
    return theorem.without_abbreviations(sp.sympify(expression))


def _check_definition(derivation: Derivation, step: Step) -> str:
    """Check that a line is an allowed definition of a symbol and return how it is known; raise Refused if it is not."""
    letter, theorem = step.lhs, derivation.proves
    if not (isinstance(letter, sp.Symbol) and step.relation == "="):
        raise Refused("a definition is an equality with a single symbol on the left")
    if letter in step.rhs.free_symbols:
        raise Refused(f"{letter} is defined by itself")
    if letter.name in GLOSSARY and GLOSSARY[letter.name].role == "problem":
        raise Refused(f"{letter} is a constant of the problem: no definition may choose it")
    if _has_meaning(theorem, letter) and (letter, step.rhs) not in NAMED:
        raise Refused(f"{letter} stands for something already, in a table of meanings or in the theorem: no page may say what it is")
    if letter in ROUND and any(is_quantity(one) for name in deep_closure(derivation, step.name) for one in derivation[name].symbols):
        raise Refused(f"{letter} is a number that is chosen: it is not defined by what happens")
    twice = [one for one in derivation.lines.values() if isinstance(one.certificate, Defined) and one.lhs == letter]
    if len(twice) > 1:
        raise Refused(f"{letter} is defined twice")
    if (
        theorem is not None
        and letter.name in {**theorem.definitions, **theorem.schedule}
        and step.name in {one.name for one in derivation.facts}
    ):
        raise Refused(f"{theorem.key} says what {letter} is: a page cannot define it again")
    if why := _conditioning_error(derivation, step):
        raise Refused(why)
    check_sign(derivation, step)
    return f"defined: {step.statement}"


def _conditioning_error(derivation: Derivation, step: Step) -> str:
    """Return why a definition contradicts a line that holds given an event only (`bounds.proofs.meanings`); "" if none does."""
    letter = step.lhs
    summed, spoken_of = (
        next((plain for one, plain in table if one == letter and plain in step.rhs.free_symbols), None)
        for table in (GIVEN_WHERE_SUMMED, GIVEN_WHERE_SPOKEN_OF)
    )
    for one in derivation.lines.values():
        if summed is not None and isinstance(one.certificate, Telescoped) and summed in derivation[one.certificate.line].symbols:
            return f"{one.name!r} sums {summed} over all steps, which is given the event of {letter} here"
        if spoken_of is not None and isinstance(one.certificate, Meaning) and letter in one.symbols:
            return f"{one.name!r} speaks of {letter} given an event, which is no plain difference of losses"
    return ""


def _has_meaning(theorem: Any, letter: Any) -> bool:
    """Return whether a symbol has a meaning already, in a table of meanings or in the theorem, so that no page may define it."""
    role = GLOSSARY[letter.name].role if letter.name in GLOSSARY else "proof"
    tables = {*AVERAGES, *AVERAGES.values(), *(one for run in RUNS for one in run)}.union(*(one.symbols for one in MEANINGS)) - ROUND
    if theorem is None or letter.name in {**theorem.definitions, **theorem.schedule}:
        return letter in tables
    if role == "schedule":
        return True
    relations = [*theorem.valid_if, *theorem.in_letters, *(one.relation for one in theorem.conditions)]
    parts = [one for part in theorem.parts for one in (part.value, part.measured) if one is not None]
    said = [theorem.bound, *parts, *theorem.definitions.values(), *theorem.schedule.values(), *relations]
    return letter in tables | {theorem.measured} | set().union(*(sp.sympify(one).free_symbols for one in said))


def check_sign(derivation: Derivation, step: Step) -> None:
    """Check that a defined value has the sign of its symbol, by itself or by the lines that the definition names; else Refused."""
    said = [derivation[name] for name in getattr(step.certificate, "signs", ())]
    if any(one.is_equality for one in said):
        raise Refused("a sign is said by an inequality")
    if said and has_declared_sign(step.lhs, step.rhs):
        raise Refused(f"the sign of {step.lhs} is seen without {said[0].name}: signs that are not needed are left out")
    check_signs({step.lhs: step.rhs}, tuple((one.difference, one.relation in ("<", ">")) for one in said))


def _check_shown(derivation: Derivation, step: Step, certificate: Shown) -> str:
    """Check that a line is a line of another derivation with symbols replaced and hypotheses met; raise Refused if it is not."""
    lemma = lemma_of(derivation, certificate)
    if certificate.line not in lemma.lines:
        raise Refused(f"{certificate.derivation} has no line {certificate.line!r}")
    source, instance = lemma[certificate.line], {letter: sp.sympify(value) for letter, value in certificate.instance.items()}

    def instantiate(one: Step) -> tuple[str, Any]:
        """Return the relation and difference of a line of the lemma after replacing symbols."""
        return one.relation, one.difference.xreplace(instance)

    check_signs(instance)
    moved = _replacements_to_justify(derivation, lemma, certificate)
    inside = symbols_used(lemma, certificate.line)
    whole = [{letter: value for letter, value in one.items() if letter in inside} for one in lemma.instances]
    if moved and moved not in whole:
        raise Refused(f"{certificate.derivation} does not say that it holds for {moved}")
    if source.relation != step.relation or not is_zero(step.difference - instantiate(source)[1]):
        raise Refused(f"{certificate.derivation}, {source.name}, does not say this")
    further = lemma_limits(lemma, certificate.line)
    for there, name in required_hypotheses(derivation, certificate).items():
        hypothesis, met = lemma.lines.get(there) or further[there], derivation.lines.get(name)
        if (
            met is None
            or not met.is_formula
            or met.relation != hypothesis.relation
            or not is_zero(met.difference - instantiate(hypothesis)[1])
        ):
            raise Refused(f"the hypothesis {there!r} of {certificate.derivation} is not met here: {hypothesis.statement}")
    return f"shown: {certificate.derivation}, {source.name}"


def lemma_of(derivation: Derivation, certificate: Shown) -> Derivation:
    """Return the derivation that a line is taken from; raises Refused if there is none."""
    lemma = derivation.lemma(certificate.derivation)
    if lemma is None:
        raise Refused(f"there is no derivation {certificate.derivation!r} to take a line from")
    return lemma


def _replacements_to_justify(derivation: Derivation, lemma: Derivation, certificate: Shown) -> dict[Any, Any]:
    """Return the replaced symbols, with their values, for which a lemma must explicitly state that it holds.

    These are quantities of a proof that are replaced, or defined here and not in the lemma. They are all replaced symbols if the line
    rests on words or on a sum over steps, which are about one problem and one run; also if, in a lemma of the lemma, it rests on the
    meaning of symbols, which is not checked here.
    """
    inside = symbols_used(lemma, certificate.line) - {*lemma.left_open}
    named = {one.lhs: one.rhs for one in derivation.lines.values() if is_definition(one) and is_quantity(one.lhs)}
    here = {letter: value for letter, value in named.items() if letter in inside - lemma.defined_symbols}
    values = {letter: sp.sympify(value) for letter, value in certificate.instance.items() if letter != value and letter in inside}
    words = InWords | Telescoped
    spoken = rests_on(lemma, certificate.line, words, words | Meaning)
    return {**here, **{letter: value for letter, value in values.items() if spoken or is_quantity(letter)}}


def lemmas_of(derivation: Derivation, name: str) -> list[tuple[Derivation, Shown]]:
    """Return pairs (derivation, certificate) for the lines of other derivations that a line rests on."""
    taken = [derivation[one].certificate for one in closure(derivation, name)]
    return [(lemma_of(derivation, one), one) for one in taken if isinstance(one, Shown)]


def symbols_used(lemma: Derivation, name: str) -> set[Any]:
    """Return the set of symbols of all lines of a lemma that one of its lines rests on."""
    return set().union(*(lemma[one].symbols for one in closure(lemma, name)))


def lemma_quantities(derivation: Derivation, certificate: Shown) -> set[Any]:
    """Return quantities that are replaced or defined where a line is taken and occur in lemmas of its lemma.

    `required_hypotheses` covers the meaning of quantities in the lemma itself, not in the lemmas that it takes lines from.
    """
    lemma = lemma_of(derivation, certificate)
    moved = (derivation.defined_symbols - lemma.defined_symbols) | set(certificate.instance)
    return set(filter(is_quantity, moved & _lemma_symbols(lemma, certificate.line)))


def _lemma_symbols(derivation: Derivation, name: str) -> set[Any]:
    """Return the symbols that the lemmas of a line, and their lemmas, use."""
    lemmas = lemmas_of(derivation, name)
    return set().union(*(symbols_used(lemma, one.line) | _lemma_symbols(lemma, one.line) for lemma, one in lemmas))


def rests_on(derivation: Derivation, name: str, kinds: Any, further: Any) -> bool:
    """Return whether a line rests on a certificate of these kinds here, or of the kinds `further` in a lemma that it uses."""
    return any(isinstance(derivation[one].certificate, kinds) for one in closure(derivation, name)) or any(
        rests_on(lemma, one.line, further, further) for lemma, one in lemmas_of(derivation, name)
    )


def is_quantity(letter: Any) -> bool:
    """Return whether a symbol is a quantity that a proof is about, not a constant or parameter that the reader chooses."""
    return letter.name not in GLOSSARY or GLOSSARY[letter.name].role not in ("problem", "schedule", "abbreviation")


def required_hypotheses(derivation: Derivation, certificate: Shown) -> dict[str, str]:
    """Return the hypotheses of a line taken from a lemma, mapped to the lines here that meet them.

    Hypotheses are: the assumptions of the lemma; the meaning of symbols that are replaced, or that this derivation defines and the lemma
    does not; definitions of the lemma whose symbols are visible outside. A symbol is visible if it is replaced, if it occurs in the line
    or in another hypothesis, or if it is a parameter that words, sums over steps, meanings or further lemmas use. Limits of symbols are
    required through all lemmas of a lemma, down to the page that uses them.
    """
    lemma = lemma_of(derivation, certificate)
    if certificate.line not in lemma.lines:
        return dict(certificate.meets)
    rests = [lemma[one] for one in closure(lemma, certificate.line)]
    moved = set(certificate.instance)
    said = moved | (derivation.defined_symbols - lemma.defined_symbols)
    of_words = InWords | Telescoped | Meaning | Shown  # these use the parameters as they are chosen
    chosen = {letter for one in rests if isinstance(one.certificate, of_words) for letter in one.symbols if not is_quantity(letter)}
    needed, seen = dict[str, str](), lemma[certificate.line].symbols | moved | chosen
    for one in rests * len(rests):
        assumed, defined = isinstance(one.certificate, Assumed | Case), isinstance(one.certificate, Defined)
        if assumed or (defined and one.lhs in seen) or (isinstance(one.certificate, Meaning) and one.symbols & said):
            needed[one.name], seen = certificate.meets.get(one.name, one.name), seen | one.symbols
    limits = [name for name, one in lemma_limits(lemma, certificate.line).items() if one.symbols & said]
    return {**{name: certificate.meets.get(name, name) for name in limits}, **needed}


def lemma_limits(derivation: Derivation, name: str) -> dict[str, Step]:
    """Return the limits of symbols, by name, that the lemmas of a line use, and their lemmas in turn.

    A limit of a symbol that is replaced or defined on the way is met there, so it is not returned.
    """
    found = dict[str, Step]()
    for lemma, one in lemmas_of(derivation, name):
        if one.line not in lemma.lines:
            continue
        inside = [lemma[line] for line in closure(lemma, one.line)]
        limits = {step.name: step for step in inside if isinstance(step.certificate, Meaning) and is_limit(step)}
        met = set(one.instance) | (derivation.defined_symbols - lemma.defined_symbols)
        found |= {there: step for there, step in {**lemma_limits(lemma, one.line), **limits}.items() if not step.symbols & met}
    return found


def is_limit(step: Step) -> bool:
    """Return whether a line is a limit of a symbol that holds by its meaning, such as n >= 1."""
    return any(
        step.name == limit.name for letter in step.symbols if letter.name in GLOSSARY for limit in symbol_limits(GLOSSARY[letter.name])
    )


def lines_on_unproved_lemmas(derivation: Derivation, names: Iterable[str]) -> tuple[str, ...]:
    """Return those of the named lines that are taken from proofs in which they rest on something cited or argued in words."""
    shown = {name: one for name in names if isinstance(one := derivation[name].certificate, Shown)}
    return tuple(name for name, one in shown.items() if rests_on(lemma_of(derivation, one), one.line, InWords, InWords))


def check_signs(values: Mapping[Any, Any], known: tuple[tuple[Any, bool], ...] = ()) -> None:
    """Check that each value has the declared sign of its symbol; raise Refused for a sign that is not known."""
    for letter, value in values.items():
        if not has_declared_sign(letter, value, known):
            raise Refused(f"{letter} is {declared_sign(letter)}, and {sp.sstr(value)}, which is inserted for it, is not known to be")


def closure(derivation: Derivation, name: str) -> tuple[str, ...]:
    """Return the names of all lines that a line rests on, including itself."""
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one not in found and one in derivation.lines:
            found[one] = None
            certificate = derivation[one].certificate
            waiting += named_lines(certificate)
            waiting += required_hypotheses(derivation, certificate).values() if isinstance(certificate, Shown) else ()
    return tuple(found)


def deep_closure(derivation: Derivation, name: str) -> tuple[str, ...]:
    """Return the closure of a line with the definitions of all symbols in it, on which also the signs of the symbols rest."""
    found, waiting = dict[str, None](), [name]
    while waiting:
        new = [one for one in closure(derivation, waiting.pop()) if one not in found]
        found |= dict.fromkeys(new)
        for one in map(derivation.__getitem__, new):
            letters = one.symbols.union(
                *(part.free_symbols for part in certificate_expressions(one.certificate) if isinstance(part, sp.Basic))
            )
            waiting += [derivation.meaning[letter] for letter in letters if letter in derivation.meaning]
    return tuple(found)
