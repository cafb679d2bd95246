"""Proof as a value: a list of named lines, facts that it takes and steps that it derives, each with its certificate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy as sp

from bounds.proofs.lines import GIVENS, Step, is_definition, line, used_lines
from bounds.renamed import old_names
from bounds.symbols import DECLARED, GLOSSARY, LETTERS, Letter, latex
from bounds.typeset import html


@dataclass(frozen=True)
class Derivation:
    """A proof: `facts` that it takes, `steps` that it derives, and the theorem that it `proves` (None for a lemma).

    `shows` maps parts of the theorem to the lines that show them. `spelled` maps the paper's names of symbols to symbols, where they
    differ from the glossary's. `instances` lists which quantities may replace which symbols of the proof where one of its lines is used
    elsewhere: the proof holds for them as well. `left_open` are the symbols that a page which uses a line of this proof may define or
    replace freely: the proof knows only hypotheses about them, which have to be met there, or it holds for all their values. `signs` maps
    symbols of the theorem's schedule to lines that give their sign, like `Defined.signs`. `lemmas` are a user's own proofs from which
    this one takes lines, by key; those of the lab are known.
    """

    key: str
    title: str
    source: str
    steps: tuple[Step, ...]
    facts: tuple[Step, ...] = ()
    proves: Any = None
    shows: Mapping[str, str] = field(default_factory=dict)
    spelled: Mapping[str, Any] = field(default_factory=dict)
    instances: tuple[Mapping[Any, Any], ...] = ()
    left_open: tuple[Any, ...] = ()
    signs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lemmas: Mapping[str, Derivation] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Derivation({self.key}: {self.title}; {len(self.facts)} facts, {len(self.steps)} steps; show())"

    def _repr_html_(self) -> str:
        """Return the steps as an HTML table for notebooks: name, statement, formula and explanation."""
        formulas = [f"{sp.sstr(step.lhs)} {step.relation} {sp.sstr(step.rhs)}" if step.is_formula else "" for step in self.steps]
        rows = [(step.name, step.statement, formula, step.explanation) for step, formula in zip(self.steps, formulas, strict=True)]
        return html.table(f"{self.key}: {self.title}", ("step", "states", "formula", "follows by"), rows, (f"source: {self.source}",))

    def _repr_latex_(self) -> str:
        """Return the steps as aligned equations in LaTeX."""
        sign = {"<=": r"\le", ">=": r"\ge"}
        lines = [rf"{latex(step.lhs)} &{sign.get(step.relation, step.relation)} {latex(step.rhs)} && \text{{{step.name.replace('_', ' ')}}}"
                 for step in self.steps if step.is_formula]  # fmt: skip
        return r"$\begin{aligned} " + r" \\ ".join(lines) + r" \end{aligned}$"

    @cached_property
    def lines(self) -> dict[str, Step]:
        """All lines by name, in the order of the proof: limits of symbols, definitions of the theorem, facts, steps."""
        known: dict[str, Step] = {}
        for one in (*self._theorem_definitions(), *self.facts, *self.steps):
            if one.name in known:
                raise ValueError(f"{self.key}: two lines are named {one.name!r}")
            known[one.name] = one
        letters = set().union(*(one.symbols for one in known.values())) - {one.lhs for one in known.values() if is_definition(one)}
        limits = [limit for letter in sorted(letters, key=str) if letter.name in GLOSSARY for limit in symbol_limits(GLOSSARY[letter.name])]
        return {**{one.name: one for one in limits}, **known}

    @cached_property
    def meaning(self) -> dict[Any, str]:
        """Mapping from each symbol that the page or the theorem defines to the name of the line that defines it."""
        return {one.lhs: one.name for one in self.lines.values() if is_definition(one)}

    @property
    def defined_symbols(self) -> frozenset[Any]:
        """The symbols that the page or the theorem defines; limits from the glossary are not definitions."""
        return frozenset(self.meaning)

    def lemma(self, key: str) -> Derivation | None:
        """Return the derivation of a key, from the lab or among `lemmas`; None if there is none."""
        import bounds  # here, because the tables of contents import the pages, which import this module

        return bounds.DERIVATIONS.get(key) or self.lemmas.get(key)

    def _theorem_definitions(self) -> Iterator[Step]:
        """Yield the abbreviations and the schedule of the theorem as lines."""
        if self.proves is None:
            return
        for role, named in (("abbreviation", self.proves.definitions), ("schedule", self.proves.schedule)):
            for name, value in named.items():
                if name in self.proves.limits:  # its value is the largest allowed, so the line is a hypothesis, no equation
                    continue
                source = f"{role} of {self.proves.title}"
                yield (
                    line(name, GLOSSARY[name].symbol, "=", value)
                    .says(f"{name} as in the {source}")
                    .defined(source, self.signs.get(name, ()))
                )

    def __getitem__(self, name: str) -> Step:
        """Return the line of a name; raises KeyError with the names of all lines if there is none."""
        if name not in self.lines:
            raise KeyError(f"{self.key}: no line is named {name!r}; there are {', '.join(self.lines)}")
        return self.lines[name]

    @cached_property
    def _made(self) -> frozenset[str]:
        """Names of the steps of the proof, without its facts and definitions."""
        return frozenset(step.name for step in self.steps)

    def is_fact(self, line: Step) -> bool:
        """Return whether a line is a fact, which is taken, and not a step, which is derived."""
        return line.name not in self._made

    def number(self, name: str) -> int:
        """Return the position of a step among the steps, from 1; ValueError for a fact, which has none."""
        return [step.name for step in self.steps].index(name) + 1

    def usable_by(self, step: Step) -> dict[str, Step]:
        """Return the lines that a line may use, by name: all lines for a fact, the lines before it for a step."""
        names = list(self.lines)
        return {name: self.lines[name] for name in (names if self.is_fact(step) else names[: names.index(step.name)])}

    def with_line(self, changed: Step) -> Derivation:
        """Return a copy of the derivation in which this line replaces the line of the same name."""
        facts, steps = (tuple(changed if one.name == changed.name else one for one in lines) for lines in (self.facts, self.steps))
        return replace(self, facts=facts, steps=steps)

    def givens(self, step: Step) -> tuple[Step, ...]:
        """Return the formulas that the certificate of a step uses as given, without the equalities that it inserts."""
        return tuple(self[name] for name in used_lines(step.certificate) if self[name].is_formula)

    def domain(self, step: Step) -> tuple[Step, ...]:
        """Return the formulas that define the domain on which a step is claimed."""
        names = used_lines(step.certificate) if step.where == GIVENS else step.where
        return tuple(self[name] for name in names if self[name].is_formula)

    def kinds(self) -> dict[str, int]:
        """Return the number of steps for each kind of certificate, by the name of the kind."""
        return dict(Counter(type(step.certificate).__name__ for step in self.steps))

    @property
    def conclusion(self) -> Step:
        """The last step of the proof; in the proof of a theorem it must be the bound."""
        return self.steps[-1]

    def show(self) -> str:
        """Return the proof as text for a terminal: source, facts, and numbered steps."""
        text = [f"{self.key}   {self.title}", f"  source  {self.source}"]
        for one in self.facts:
            text.append(f"  taken ({type(one.certificate).__name__.lower()}) {one.name}: {one.statement}")
            text.append(f"      {sp.sstr(one.lhs)}  {one.relation}  {sp.sstr(one.rhs)}")
        for number, step in enumerate(self.steps, start=1):
            text.append(f"  {number:>2}. {step.name}: {step.statement}")
            if step.is_formula:
                text.append(f"      {sp.sstr(step.lhs)}  {step.relation}  {sp.sstr(step.rhs)}")
            text.append(f"      {step.explanation}")
        return "\n".join(text)


def symbol_limits(letter: Letter) -> Iterator[Step]:
    """Yield the limits of a symbol that hold by its meaning as lines, such as n >= 1, r <= d, or a probability <= 1."""
    known = letter in LETTERS
    if not known and (least := DECLARED.get(letter.name, 0)):
        yield line(f"{letter.name} >= {least}", letter.symbol, ">=", least).says(f"{letter.name}: {letter.words}").meaning()
    if known and letter.low == 1 and letter.role != "proof":
        yield line(f"{letter.name} >= 1", letter.symbol, ">=", 1).says(f"{letter.name}: {letter.words}").meaning()
    # a symbol that Python code introduced, and no page declares, has no limit that is another symbol
    if isinstance(letter.high, str) and (letter.role != "proof" if known else letter.name in DECLARED):
        high = GLOSSARY[letter.high].symbol
        yield line(f"{letter.name} <= {letter.high}", letter.symbol, "<=", high).says(f"{letter.name}: {letter.words}").meaning()
    if letter.role == "probability":
        yield line(f"{letter.name} <= 1", letter.symbol, "<=", 1).says(f"{letter.name}: {letter.words}").meaning()


if not TYPE_CHECKING:  # it would give every misspelt name a type
    __getattr__ = old_names(__name__, limits_of="symbol_limits")
