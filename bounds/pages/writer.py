"""Print a theorem and its proof that are written in Python as the text of a page, to be completed by its author.

`theory-lab show KEY --page --module FILE.py` prints it. Some things stand on a page and not in Python, such as where each assumption is
written in symbols. The author adds them; `theory-lab check` lists what is missing.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from bounds.letter import Letter
from bounds.pages.store import lab_pages
from bounds.pages.tokens import FORMAT, RESERVED
from bounds.pages.values import CLAIMS, FUNCTIONS
from bounds.papers import PAPERS
from bounds.proofs.derivation import Derivation
from bounds.proofs.inequalities import Instance
from bounds.proofs.lines import (
    GIVENS,
    Assumed,
    Case,
    Cited,
    Defined,
    Identity,
    Inverse,
    Meaning,
    NonNegative,
    Open,
    Reasoned,
    Shown,
    Step,
    Substitution,
    Telescoped,
    certificate_expressions,
)
from bounds.proofs.meanings import AVERAGES, RUNS
from bounds.symbols import GLOSSARY
from bounds.theorem import SCOPE, Part, Theorem

SHARED, WIDTH = "shared.symbols", 130
NAMES = {function: name for name, function in FUNCTIONS.items()} | {sp.Min: "min", sp.Max: "max"}
SIGNS = {claim: sign for sign, claim in CLAIMS.items()} | {"privacy": "<="}
SUM, PRODUCT, POWER, ATOM = range(4)  # kinds of expressions: one of a lower number needs brackets inside one of a higher


class FormulaWriter:
    """Writer of SymPy expressions in the grammar of pages; `names` maps names of symbols to those used on the page."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def text_of(self, expression: Any, within: int = SUM) -> str:
        """Return an expression as text, in brackets where it stands as a part of something that binds more tightly."""
        text, kind = self._parts(sp.sympify(expression))
        return text if kind >= within else f"({text})"

    def relation(self, relation: Any) -> str:
        """Return a SymPy relation as text of a page, "left <= right"."""
        return f"{self.text_of(relation.lhs)} {'=' if relation.rel_op == '==' else relation.rel_op} {self.text_of(relation.rhs)}"

    def _parts(self, e: Any) -> tuple[str, int]:
        """Return an expression as text and its kind, one of SUM, PRODUCT, POWER and ATOM."""
        if e.is_Symbol:
            return self.names.get(e.name, e.name), ATOM
        if e is sp.E or e is sp.pi:
            return ("e" if e is sp.E else "pi"), ATOM
        if e.is_Integer and e >= 0:
            return str(e), ATOM
        if e.is_Float:
            raise ValueError(f"{e} is a decimal number: a page has exact ones, such as sp.Rational(1, 3)")
        if e.is_Add:
            first, *rest = e.as_ordered_terms()
            return self.text_of(first) + "".join(self._term(one) for one in rest), SUM
        if e.could_extract_minus_sign() and (e.is_Mul or e.is_Number):
            return f"-{self.text_of(-e, PRODUCT)}", SUM
        if e.is_Mul or e.is_Rational or (e.is_Pow and e.exp.is_Rational and e.exp < 0):
            return self._product(e)
        if e.is_Pow and e.exp == sp.Rational(1, 2):
            return f"sqrt({self.text_of(e.base)})", ATOM
        if e.is_Pow:
            return f"{self.text_of(e.base, ATOM)}^{self.text_of(e.exp, ATOM)}", POWER
        if e.func not in NAMES:
            raise ValueError(f"{e.func.__name__} is no function of a page: {', '.join(FUNCTIONS)}")
        return f"{NAMES[e.func]}({', '.join(map(self.text_of, e.args))})", ATOM

    def _term(self, term: Any) -> str:
        """Return a term of a sum after the first as text with its sign, such as " + 2 x" or " - y"."""
        minus = term.could_extract_minus_sign()
        return f" {'-' if minus else '+'} {self.text_of(-term if minus else term, PRODUCT)}"

    def _product(self, e: Any) -> tuple[str, int]:
        """Return a product or quotient as (text, kind), the kind being PRODUCT or POWER."""
        above, below = sp.fraction(e)
        factors = [one for one in above.as_ordered_factors() if one != 1] or [sp.Integer(1)]
        text = " ".join(self.text_of(one, POWER) for one in factors)
        if below == 1:
            return (text, PRODUCT) if len(factors) > 1 else (self.text_of(e, POWER), POWER)
        return f"{text}/{self.text_of(below, POWER if not below.is_Mul else ATOM)}", PRODUCT


class PageWriter:
    """Writer of the page of one theorem and its proof."""

    def __init__(self, theorem: Theorem | None, proof: Derivation | None) -> None:
        self.theorem, self.proof = theorem, proof
        self.pages = [lab_pages().page(SHARED), *(lab_pages().page(f"{paper}.symbols") for paper in PAPERS)]
        self.used, self.own = self._select_pages({one.name for one in self._symbols()})
        self.assumed = [one for one in proof.facts if isinstance(one.certificate, Assumed)] if proof else []
        self.names = {one.known_as: one.name for page in reversed(self.used) for one in page.symbols.values()}
        self.formulas, self.stated = FormulaWriter(self.names), self._stated()

    def _symbols(self) -> set[Any]:
        """Return the set of all SymPy symbols that occur in the theorem and its proof."""
        lines = self.proof.lines.values() if self.proof else ()
        found = set[Any]().union(*(one.symbols for one in lines))
        certified = [sp.sympify(part) for step in lines for part in certificate_expressions(step.certificate)]
        found |= {one for expression in certified for one in expression.free_symbols}
        if theorem := self.theorem:
            stated = [theorem.bound, theorem.any_schedule, theorem.measured, *theorem.definitions.values(), *theorem.schedule.values()]
            stated += [*theorem.in_letters, *theorem.valid_if, *(one.relation for one in theorem.conditions)]
            stated += [e for part in theorem.parts for e in (part.value, part.measured, *part.where)]
            stated += [theorem.at_integer_T.bound, theorem.at_integer_T.trivial] if theorem.at_integer_T else []
            found |= {one for e in stated if e is not None for one in sp.sympify(e).free_symbols}
            found |= {GLOSSARY[name].symbol for name in (*theorem.definitions, *theorem.schedule)}
        runs = {one for run in RUNS if {*run} & found for one in run}
        return found | runs | {mean for of, mean in AVERAGES.items() if of in found}

    def _select_pages(self, missing: set[str]) -> tuple[list[Any], list[Letter]]:
        """Choose pages greedily until no page declares a missing name; return them and the glossary entries of the names left."""
        declared = [(page, {one.known_as for one in page.declared.values()}) for page in self.pages]
        used = list[Any]()
        while missing & set().union(*(names for _, names in declared)):
            best, covered = max(declared, key=lambda one: len(missing & one[1]))
            used, missing = [*used, best], missing - covered
        return used, [GLOSSARY[name] for name in sorted(missing)]

    def page(self) -> Iterator[str]:
        """Yield the text lines of the whole page: head, symbols, assumptions, statement and proof."""
        stated: Any = self.theorem or self.proof
        yield from (FORMAT, "", f"{'theorem' if self.theorem else 'lemma'} {stated.key} -- {stated.title}", f"source -- {stated.source}")
        if self.used:
            yield f"uses {', '.join(page.key for page in self.used)}"
        if self.theorem and self.theorem.method:
            yield f"method {self.theorem.method}"
        yield from section_lines("setting", [f"assumption{words_suffix(one)}" for one in self.theorem.assumptions] if self.theorem else [])
        yield from section_lines("symbols", map(self.declaration, self.own))
        yield from section_lines("assume", self.assumptions())
        yield from self.statement() if self.theorem else ()
        yield from self.derivation() if self.proof else ()

    def declaration(self, letter: Letter) -> str:
        """Return the declaration of a glossary entry as text of a page: name, domain, properties and words."""
        symbol, properties = letter.symbol, list[str]()
        kind = "above 0" if symbol.is_positive else "at least 0" if symbol.is_nonnegative else "real"
        if letter.role == "probability":
            kind = "positive probability" if symbol.is_positive else "probability"
        if letter.per_step:
            properties.append("of a step")
        for run in RUNS:
            if run[0] == symbol:
                properties += [f"{kind} {one.name}" for kind, one in zip(("next", "first", "last"), run[1:], strict=True)]
        if symbol in AVERAGES:
            properties.append(f"average {AVERAGES[symbol].name}")
        if not isinstance(letter.high, str) and letter.role != "probability":
            properties.append(f"tried {exact_number(letter.low)} to {exact_number(letter.high)}")
        if letter.latex != letter.name:
            properties.append(f'written "{letter.latex}"')
        return f"{letter.name}: {', '.join((kind, *properties))} -- {letter.words}"

    def assumptions(self) -> Iterator[str]:
        """Yield the assumptions in symbols: those of the theorem, then those that only the proof names."""
        for k, relation in enumerate(self.theorem.in_letters if self.theorem else (), start=1):
            if not any(is_same_relation(one, relation) for one in self.assumed):
                yield f"assumption_{k}: {self.formulas.relation(relation)}"
        for one in self.assumed:
            if one.name not in self.stated.values():
                yield f"{self.line(one.name)}: {self.formula(one)}{words_suffix(one.statement)}"

    def statement(self) -> Iterator[str]:
        """Yield the lines of the statement: definitions, schedule, bound, parts, conditions and notes."""
        theorem, f = self.theorem, self.formulas
        assert theorem is not None
        yield from section_lines("where", [self.prescribed(*one) for one in theorem.definitions.items()])
        yield from section_lines("schedule", [self.prescribed(*one) for one in theorem.schedule.items()])
        measured = f"{f.text_of(theorem.measured)} " if theorem.measured is not None else ""
        said = "" if theorem.measured is not None and theorem.claim != "privacy" else words_suffix(theorem.measure)
        yield from (
            "",
            f"{'privacy' if theorem.claim == 'privacy' else 'bound'} {measured}{SIGNS[theorem.claim]} {f.text_of(theorem.bound)}{said}",
        )
        if theorem.any_schedule is not None:
            yield f"any_schedule {f.text_of(theorem.any_schedule)}"
            yield from (f"  {self.item_name('limit', k)}: {f.relation(one)}" for k, one in enumerate(theorem.valid_if, start=1))
        per_step = next((one.name for one in self.proof.steps if one.rhs == theorem.per_step), "") if self.proof else ""
        if theorem.per_step is not None and per_step:
            yield from ("", f"per_step {self.line(per_step)}")
        if whole := theorem.at_integer_T:
            values = {"bound": whole.bound, "trivial": whole.trivial}
            yield from section_lines(f"integer_T {whole.rounding}", [f"{name} = {f.text_of(value)}" for name, value in values.items()])
        yield from section_lines("parts", map(self.part, theorem.parts))
        rows = [("scope " if one.kind == SCOPE else "", k, one) for k, one in enumerate(theorem.conditions, start=1)]
        conditions = [f"{scope}{self.item_name('condition', k)}: {f.relation(one.relation)} -- {one.caveat}" for scope, k, one in rows]
        yield from section_lines("conditions", conditions)
        yield from section_lines("notes", [f"note -- {one}" for one in theorem.notes])

    def part(self, part: Part) -> str:
        """Return a part as text: a claim with its cases and the line that shows it, or a number evaluated beside the bound."""
        name, f = re.sub(r"\W+", "_", part.name), self.formulas
        called = f' called "{part.name}"' if part.name != name.replace("_", " ") else ""
        sign = part.relation.replace("O", "~")
        if part.measured is None:
            return f"{name} {sign} {f.text_of(part.value)}{called}{words_suffix(part.words)}"
        shown = self.proof.shows.get(part.name) if self.proof else None
        more = f" where {', '.join(map(f.relation, part.where))}" if part.where else ""
        more += f" shown by {self.line(shown)}" if shown else ""
        return f"{name}: {f.text_of(part.measured)} {sign} {f.text_of(part.value)}{more}{called}"

    def prescribed(self, name: str, value: Any) -> str:
        """Return the definition of a symbol as text, with the lines that its sign rests on."""
        signs = self.proof.signs.get(name, ()) if self.proof else ()
        return f"{self.names.get(name, name)} = {self.formulas.text_of(value)}" + (f" signs {self.lines(signs)}" if signs else "")

    def _stated(self) -> dict[tuple[str, int], str]:
        """Return the names of assumed proof lines that equal limits or conditions of the theorem, by ("limit" or "condition", number)."""
        found = dict[tuple[str, int], str]()
        kinds = {"limit": self.theorem.valid_if, "condition": [one.relation for one in self.theorem.conditions]} if self.theorem else {}
        for kind, k, relation in [(kind, k, one) for kind, several in kinds.items() for k, one in enumerate(several, start=1)]:
            same = [one.name for one in self.assumed if is_same_relation(one, relation) and one.name not in found.values()]
            if same:
                found[kind, k] = same[0] if kind == "limit" else same[-1]
        return found

    def item_name(self, kind: str, k: int) -> str:
        """Return the name of the k-th limit or condition on the page."""
        return self.line(self.stated.get((kind, k), f"{kind}_{k}"))

    def derivation(self) -> Iterator[str]:
        """Yield the lines of the proof: what it takes, then its steps."""
        proof, f = self.proof, self.formulas
        assert proof is not None
        instances = [", ".join(f"{f.text_of(one)} = {f.text_of(value)}" for one, value in values.items()) for values in proof.instances]
        yield from section_lines("instances", [f"instance_{k}: {values}" for k, values in enumerate(instances, start=1)])
        if proof.left_open:
            yield from ("", f"open {', '.join(map(f.text_of, proof.left_open))}")
        yield from ("", f"proved -- {proof.source}")
        taken = [one for one in proof.facts if not isinstance(one.certificate, Assumed) and one.name not in self._theorem_definitions]
        yield from section_lines("given", map(self.item, taken))
        partial = "partial " if self.theorem and proof.proves is None else ""
        yield from section_lines(f"proof {partial}-- {proof.title}", map(self.item, proof.steps))

    def item(self, step: Step) -> str:
        """Return a line of the proof as text for the page, with its reason on the next line."""
        if isinstance(step.certificate, Defined) and getattr(step.lhs, "name", "") == step.name:
            head = f"{self.names.get(step.name, step.name)} = {self.formulas.text_of(step.rhs)}"
        else:
            head = f"{self.line(step.name)}: {self.formula(step)}" if step.is_formula else self.line(step.name)
        if isinstance(step.certificate, Meaning):
            raise ValueError(f"{step.name}: what holds by what symbols are stands on pages of facts of the lab, and is quoted with 'known'")
        usual = Open("").certified(step.certificate).where
        claimed = f" claimed where {self.lines(step.where)}" if step.where not in (usual, GIVENS) else ""
        ends = [(self.formulas.text_of(one), *map(self.formulas.text_of, ends)) for one, ends in step.ranges.items()]
        tried = " tried " + ", ".join(f"{one} from {low} to {high}" for one, low, high in ends) if ends else ""
        said = getattr(step.certificate, "why", "") or getattr(step.certificate, "source", "") or step.reason
        return f"{head}{words_suffix(step.statement)}\n    {self.reason(step.certificate)}{claimed}{tried}{words_suffix(said)}"

    def reason(self, how: Any) -> str:
        """Return the reason for a certificate as text, without its words."""
        using = f" using {self.lines(how.using)}" if isinstance(how, Cited | Reasoned) and how.using else ""
        made: dict[type, Callable[[], str]] = {
            Cited: lambda: f"cited{using}",
            Reasoned: lambda: f"argued{using}",
            Defined: lambda: "defined" + (f" signs {self.lines(how.signs)}" if how.signs else ""),
            Case: lambda: "case",
            Substitution: lambda: f"inserting {self.lines(how.at)}",
            Telescoped: lambda: f"average of {self.line(how.line)}",
            Identity: lambda: f"by {self.sum((), how.modulo)}" if how.modulo else "equal",
            NonNegative: lambda: f"by {self.sum(how.terms, how.modulo)}" + (f" inserting {self.lines(how.at)}" if how.at else ""),
            Shown: lambda: self.lemma_reason(how),
        }
        return made[type(how)]()

    def lemma_reason(self, how: Shown) -> str:
        """Return the reason of a line that is taken from another page, "from LINE of KEY ..."."""
        values = ", ".join(f"{self.formulas.text_of(letter)} = {self.formulas.text_of(value)}" for letter, value in how.instance.items())
        met = ", ".join(" = ".join(f"[{one}]" if " " in one else one for one in pair) for pair in how.meets.items())
        return f"from {how.line} of {how.derivation}" + (f" with {values}" if values else "") + (f" where {met}" if met else "")

    def sum(self, terms: Iterable[tuple[Any, ...]], modulo: Iterable[tuple[Any, str]]) -> str:
        """Return terms and multiples of equalities as the text of a sum, with names of lines in brackets; "0" for none."""
        found = [*terms, *((*(how if isinstance(how, tuple) else (how,)), name) for how, name in modulo)]
        return " + ".join(self.product(one) for one in found).replace("+ -", "- ") or "0"

    def product(self, factors: tuple[Any, ...]) -> str:
        """Return a product as text; a coefficient 1 before a line is left out."""
        plain = [one for one in factors if not isinstance(one, str | Inverse | Instance)]
        signed = sp.Mul(*plain) if plain else sp.Integer(1)
        minus = "-" if signed.could_extract_minus_sign() else ""
        first = [self.formulas.text_of(-signed if minus else signed, POWER)] if abs(signed) != 1 or len(plain) == len(factors) else []
        return minus + " ".join([*first, *(self.special_factor(one) for one in factors if isinstance(one, str | Inverse | Instance))])

    def special_factor(self, factor: Any) -> str:
        """Return a factor as text that is a line, the inverse of a line, or an elementary inequality."""
        if isinstance(factor, Instance):
            inner = factor.argument
            return f"{factor.name}({self.product(inner) if isinstance(inner, tuple) else self.formulas.text_of(inner)})"
        return f"(1/[{self.line(factor.name)}])" if isinstance(factor, Inverse) else f"[{self.line(factor)}]"

    def formula(self, step: Step) -> str:
        """Return the formula of a proof line as text of a page, "left relation right"."""
        return f"{self.formulas.text_of(step.lhs)} {step.relation} {self.formulas.text_of(step.rhs)}"

    def line(self, name: str) -> str:
        """Return the name that a proof line has on the page; definitions and limits use the page's names of symbols."""
        first, *rest = name.split()
        called = self.names.get(first, first) if rest or first in self._theorem_definitions else first
        called = re.sub(r"\W", "_", called)
        return " ".join([f"{called}_line" if called in RESERVED else called, *(self.names.get(one, one) for one in rest)])

    @property
    def _theorem_definitions(self) -> set[str]:
        """Names that the theorem defines, in its definitions and its schedule."""
        return {*self.theorem.definitions, *self.theorem.schedule} if self.theorem else set()

    def lines(self, names: Iterable[str]) -> str:
        """Return the names that proof lines have on the page as text, separated by commas."""
        return ", ".join(map(self.line, names))


def page_text(theorem: Theorem | None, proof: Derivation | None) -> str:
    """Return a theorem and its proof, or one of them, as the text of a page; ValueError for what a page cannot express."""
    lines = [line for lines in PageWriter(theorem, proof).page() for line in lines.split("\n")]
    return "\n".join(one for line in lines for one in wrap_line(line)) + "\n"


def wrap_line(line: str) -> list[str]:
    """Split a long line into several: formulas are continued before a sign, words stand below."""
    formula, dashes, said = line.partition(" -- ")
    if len(line) <= WIDTH:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    found = [formula]
    while len(found[-1]) > WIDTH and (at := max(found[-1].rfind(sign, 0, WIDTH) for sign in (" + ", " - "))) > len(indent):
        found[-1:] = [found[-1][:at], indent + found[-1][at + 1 :]]
    return [*found, *(textwrap.wrap(said, WIDTH - 10, initial_indent=f"{indent}-- ", subsequent_indent=f"{indent}-- ") if dashes else ())]


def is_same_relation(step: Step, relation: Any) -> bool:
    """Return whether a line of a proof has the same sides and relation as a SymPy relation."""
    return bool(step.relation == relation.rel_op.replace("==", "=") and step.lhs == relation.lhs and step.rhs == relation.rhs)


def section_lines(head: str, items: Iterable[str]) -> list[str]:
    """Return the lines of a section of a page: an empty line, the head, the indented items; [] if it has no items."""
    found = [f"  {one}" for one in items]
    return ["", head, *found] if found else []


def words_suffix(text: str) -> str:
    """Return words as they follow a formula on a page, " -- words", with -- replaced by -; "" for no words."""
    return f" -- {' '.join(text.replace('--', '-').split())}" if text else ""


def exact_number(value: float) -> str:
    """Return a float as exact text without a decimal point, "1/1000" or "10^6"."""
    exact = Fraction(repr(float(value)))
    above, below = (
        re.sub(r"^10(0{3,})$", lambda found: f"10^{len(found[1]) + 1}", str(one)) for one in (exact.numerator, exact.denominator)
    )
    return above if below == "1" else f"{above}/{below}"
