"""What a proof may contain: exact expressions in known functions, and lemmas that exist and do not rest on each other.

`check_exact`   returns an expression, or raises Refused
`form_error`    returns why a proof cannot be checked, "" if it can
"""

import re
from collections.abc import Iterator
from typing import Any

import sympy as sp

from bounds.proofs.derivation import Derivation
from bounds.proofs.facts import Refused
from bounds.proofs.lines import Shown, Step, certificate_expressions
from bounds.symbols import Max, Min

NAME, SIGNS = re.compile(r"[A-Za-z][A-Za-z0-9_]*"), ("positive", "nonnegative", "real")
FUNCTIONS = (sp.betainc, sp.gamma, sp.exp, sp.log, sp.erf, sp.erfc, sp.cos, sp.sin, sp.ceiling, sp.Max, sp.Min, Max, Min)


def check_exact(expression: Any) -> Any:
    """Check that an expression has only exact numbers, proper symbols and known functions; return it, or raise Refused."""
    if isinstance(expression, str):
        raise Refused(f"{expression!r} is a text: an expression is needed")
    expression = sp.sympify(expression)
    if expression.atoms(sp.Float):
        raise Refused(f"{sp.sstr(expression)} has a decimal number: an exact one is needed")
    for part in sp.preorder_traversal(expression):
        if isinstance(part, sp.Symbol):
            if not (NAME.fullmatch(part.name) and part in (sp.Symbol(part.name, **{sign: True}) for sign in SIGNS)):
                needed = "ASCII letters, digits and _ are needed, declared only as positive, nonnegative or real"
                raise Refused(f"{part.name!r} is not allowed as a symbol: {needed}")
            continue
        known = part.is_Rational or part in (sp.pi, sp.E) or part.is_Add or part.is_Mul or part.is_Pow or part.func in FUNCTIONS
        if not (isinstance(part, sp.Expr) and known):
            raise Refused(f"{sp.sstr(part)} is no real number, symbol, sum, product, power or known function")
    return expression


def form_error(derivation: Derivation) -> str:
    """Return why a proof cannot be checked (an unreadable line, a missing or circular lemma); "" if it can."""
    for line in derivation.lines.values():
        try:
            for expression in _line_expressions(line):
                check_exact(expression)
        except (Refused, sp.SympifyError) as why:
            return f"{line.name!r} cannot be read: {why}"
    return _lemma_error(derivation, ())


def _line_expressions(line: Step) -> Iterator[Any]:
    """Yield all expressions of a line, those of its certificate included."""
    certificate = line.certificate
    yield from (line.lhs, line.rhs) if line.is_formula else ()
    if isinstance(certificate, Shown):
        yield from (*certificate.instance, *certificate.instance.values())
    yield from certificate_expressions(certificate)


def _lemma_error(derivation: Derivation, above: tuple[str, ...]) -> str:
    """Return which lemma of a proof, or of its lemmas, is missing or rests on itself, as a sentence; "" if none."""
    for key in sorted({one.certificate.derivation for one in derivation.lines.values() if isinstance(one.certificate, Shown)}):
        lemma = derivation.lemma(key)
        if lemma is None:
            return f"{derivation.key}: there is no derivation {key!r} to take a line from"
        if key in (derivation.key, *above):
            return f"{derivation.key}: its lemma {key!r} rests on it"
        if found := _lemma_error(lemma, (derivation.key, *above)):
            return found
    return ""
