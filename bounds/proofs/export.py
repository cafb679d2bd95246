"""Export of proofs to JSON for the second checker, which shares no code with this package.

expressions    "x" a symbol; ["q", "3/4"] a rational number; ["pi"]; ["+", ...], ["*", ...], ["^", base, exponent] and
               [function, arguments]
factors        an expression, or {"line": name}, {"inverse": name}, {"instance": inequality, "argument": [factors]}
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from bounds.proofs.derivation import Derivation, symbol_limits
from bounds.proofs.facts import hypotheses, is_quantity, lemma_of, required_hypotheses
from bounds.proofs.inequalities import INEQUALITIES, Instance, x
from bounds.proofs.lines import GIVENS, Defined, Inverse, Made, Shown, Step, Telescoped, factors_of, inserted_lines, used_lines
from bounds.proofs.meanings import AVERAGES, MEANINGS, NAMED, ROUND, RUNS
from bounds.proofs.signs import declared_sign
from bounds.proofs.support import CONCLUDES
from bounds.symbols import GLOSSARY

WEAKER = ["<=", ">="]  # relations in which any hypothesis, strict or not, may be used
HEADS = {sp.Add: "+", sp.Mul: "*", sp.Pow: "^", sp.exp: "exp", sp.log: "log", sp.erfc: "erfc", sp.cos: "cos", sp.sin: "sin"}


def expression_tree(expression: Any) -> Any:
    """Return a SymPy expression as nested lists, such as ["+", "x", ["q", "3/4"]]; ValueError for an undefined function."""
    expression = sp.sympify(expression)
    if expression.atoms(AppliedUndef):
        raise ValueError(f"{sp.sstr(expression)} has a function that nobody defined: one of SymPy's is needed")
    if isinstance(expression, sp.Symbol):
        return expression.name
    if expression.is_Rational:
        return ["q", str(expression)]
    if expression.is_Float:
        return ["q", str(sp.Rational(str(expression)))]
    if expression in (sp.pi, sp.E):
        return ["pi"] if expression == sp.pi else ["exp", ["q", "1"]]
    return [HEADS.get(expression.func, expression.func.__name__.lower()), *(expression_tree(one) for one in expression.args)]


def export_proofs(derivations: Iterable[Derivation]) -> dict[str, Any]:
    """Return derivations and everything that they use (lemmas, theorems, symbols) as nested dicts for JSON."""
    found: dict[str, Derivation] = {}
    waiting = list(derivations)
    while waiting:
        one = waiting.pop(0)
        if one.key not in found:
            found[one.key] = one
            lemmas = [lemma_of(one, fact.certificate) for fact in one.facts if isinstance(fact.certificate, Shown)]
            waiting += [lemma for lemma in lemmas if lemma.key not in found]
    theorems: dict[str, Any] = {}
    letters = {letter for one in found.values() for line in one.lines.values() for letter in line.symbols}
    for one in found.values():
        if one.proves is not None:
            if theorems.setdefault(one.proves.key, one.proves) is not one.proves:
                raise ValueError(f"theorem = {one.proves.key!r}: two proofs that are used together prove two theorems of this key")
            letters |= {GLOSSARY[name].symbol for name in one.proves.definitions} | {one.proves.measured} - {None}
        letters |= {GLOSSARY[name].symbol for name in ("T", "lam")}
        letters |= set(one.spelled.values())
    letters |= {one for run in RUNS if run[0] in letters for one in run} | {AVERAGES[one] for one in AVERAGES if one in letters}
    twice = [name for name, count in Counter(letter.name for letter in letters).items() if count > 1]
    if twice:
        raise ValueError(f"letter = {min(twice)!r}: two symbols of this name, with different signs, occur in proofs that are used together")
    limits = [limit for letter in letters if letter.name in GLOSSARY for limit in symbol_limits(GLOSSARY[letter.name])]
    return {
        "letters": {letter.name: _symbol_dict(letter) for letter in sorted(letters, key=str)},
        "meanings": [_formula_trees(line) for line in MEANINGS],
        "limits": [_formula_trees(line) for line in limits],
        "named": [[letter.name, expression_tree(value)] for letter, value in NAMED],
        "averages": {one.name: mean.name for one, mean in AVERAGES.items() if one in letters},
        "runs": [[letter.name for letter in run] for run in RUNS if run[0] in letters],
        "theorems": {key: _theorem_dict(one) for key, one in theorems.items()},
        "derivations": {key: _derivation_dict(one) for key, one in found.items()},
    }


def _formula_trees(step: Step) -> list[Any]:
    """Return the formula of a line as [left tree, relation, right tree]."""
    return [expression_tree(step.lhs), step.relation, expression_tree(step.rhs)]


def _symbol_dict(letter: Any) -> dict[str, Any]:
    """Return a symbol as a dict: its sign, and what the glossary has about it."""
    known = GLOSSARY.get(letter.name)
    entry = {"role": known.role, "words": known.words, "latex": known.latex} if known else {"role": "proof", "words": letter.name}
    return {"sign": declared_sign(letter), **entry, "chosen": not is_quantity(letter), "per_step": not known or known.per_step}


def _theorem_dict(theorem: Any) -> dict[str, Any]:
    """Return a theorem as a dict: bound, definitions, hypotheses and parts."""
    limits = [name for name in theorem.limits if name in theorem.schedule]  # the schedule has the largest allowed value
    smoothing = [[expression_tree(theorem.schedule[name]), name, WEAKER] for name in limits]
    return {
        "title": theorem.title,
        "relations": list(CONCLUDES[theorem.claim]),
        "measure": theorem.measure,
        "measured": theorem.measured.name if theorem.measured is not None else None,
        "bound": expression_tree(theorem.bound),
        "abbreviations": {name: expression_tree(value) for name, value in theorem.definitions.items()},
        "prescribed": {name: expression_tree(e) for name, e in {**theorem.definitions, **theorem.schedule}.items() if name not in limits},
        "hypotheses": [
            [expression_tree(one.gts), expression_tree(one.lts), sorted({*WEAKER, *(("<", ">") if one.rel_op in ("<", ">") else ())})]
            for one in hypotheses(theorem)
            if hasattr(one, "gts")
        ]
        + smoothing,
        "where": [],
        "schedule": [name for name, letter in GLOSSARY.items() if letter.role == "schedule"],
        "parts": {part.name: _part_dict(part) for part in theorem.parts if part.measured is not None},
    }


def _part_dict(part: Any) -> dict[str, Any]:
    """Return a part of a theorem as a dict: measured quantity, relation, bound and cases."""
    cases = [[expression_tree(one.lhs), "=" if one.rel_op == "==" else one.rel_op, expression_tree(one.rhs)] for one in part.where]
    return {"measured": expression_tree(part.measured), "relations": [part.relation], "bound": expression_tree(part.value), "where": cases}


def _derivation_dict(one: Derivation) -> dict[str, Any]:
    """Return a derivation as a dict for JSON: title, theorem, instances, names of facts and steps, and all lines."""
    return {
        "title": one.title,
        "source": one.source,
        "proves": one.proves.key if one.proves is not None else None,
        "shows": dict(one.shows),
        "spelled": {name: letter.name for name, letter in one.spelled.items()},
        "instances": [{letter.name: expression_tree(value) for letter, value in allowed.items()} for allowed in one.instances],
        "may_say": [letter.name for letter in sorted(ROUND, key=str)] if one.proves is None else [],
        "left_open": [letter.name for letter in one.left_open],
        "facts": [name for name, line in one.lines.items() if one.is_fact(line)],
        "steps": [step.name for step in one.steps],
        "lines": {name: _line_dict(one, line) for name, line in one.lines.items()},
    }


def _line_dict(derivation: Derivation, step: Step) -> dict[str, Any]:
    """Return a line of a proof as a dict: statement, formula, reason, domain, ranges and certificate."""
    names = used_lines(step.certificate) if step.where == GIVENS else step.where
    return {
        "statement": step.statement,
        "formula": _formula_trees(step) if step.is_formula else None,
        "reason": step.reason,
        "where": list(names),
        "ranges": {letter.name: [expression_tree(low), expression_tree(high)] for letter, (low, high) in step.ranges.items()},
        "certificate": _certificate_dict(derivation, step.certificate),
    }


def _certificate_dict(derivation: Derivation, certificate: Any) -> dict[str, Any]:
    """Return a certificate as a dict with its kind and the lines and factors that it uses."""
    kind = {"kind": type(certificate).__name__}
    if isinstance(certificate, Made):
        terms = [[_factor_tree(one) for one in term] for term in getattr(certificate, "terms", ())]
        modulo = [[[_factor_tree(one) for one in factors_of(by)], _factor_tree(name)] for by, name in getattr(certificate, "modulo", ())]
        return {
            "kind": "Made",
            "by": kind["kind"],
            "at": [_factor_tree(one) for one in inserted_lines(certificate)],
            "terms": terms,
            "modulo": modulo,
        }
    if isinstance(certificate, Telescoped):
        return kind | {"average": _factor_tree(certificate.line)}
    if isinstance(certificate, Shown):
        instance = {letter.name: expression_tree(value) for letter, value in certificate.instance.items()}
        met = {there: _factor_tree(here) for there, here in required_hypotheses(derivation, certificate).items()}
        return kind | {"derivation": certificate.derivation, "lemma": certificate.line, "instance": instance, "meets": met}
    if isinstance(certificate, Defined):
        return kind | {"source": certificate.source, "signs": [_factor_tree(name) for name in certificate.signs]}
    said = {name: getattr(certificate, name) for name in ("source", "why") if hasattr(certificate, name)}
    return kind | said | {"using": [_factor_tree(one) for one in getattr(certificate, "using", ())]}


def _factor_tree(factor: Any) -> Any:
    """Return a factor of a certificate for JSON: an expression tree, or a dict {"line": ...}, {"inverse": ...}, {"instance": ...}."""
    if isinstance(factor, str):
        return {"line": factor}
    if isinstance(factor, Inverse):
        return {"inverse": factor.name}
    if isinstance(factor, Instance):
        everywhere = factor.name in INEQUALITIES and INEQUALITIES[factor.name].letter == x
        argument = [expression_tree(factor.argument)] if everywhere else [_factor_tree(one) for one in factors_of(factor.argument)]
        return {"instance": factor.name, "argument": argument}
    return expression_tree(factor)
