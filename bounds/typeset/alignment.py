"""Aligned equations in LaTeX, none wider than a page: long sums are broken, and large parts are abbreviated by symbols."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import sympy as sp

from bounds.symbols import latex
from bounds.typeset.latex import latex_list, with_packages
from bounds.typeset.words import math_latex, split_at_comma, text_latex

if TYPE_CHECKING:
    from bounds.proofs.derivation import Derivation
    from bounds.proofs.lines import Step

LINE = 64  # width of a line, in columns of SymPy's drawing of a formula
WIDEST_WORDS = LINE - 10  # a longer label and words together are set on two lines
WIDEST_LEFT = 22  # a longer left side gets a line of its own, because it would push all right sides out
SIGNS = {"O": "=", "<=": r"\le", ">=": r"\ge", "=": "=", "<": "<", ">": ">"}


class Alignment:
    """Collects equations; `latex` returns them as one align* environment."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.pieces: dict[Any, Any] = {}  # parts of long formulas, and the symbols that abbreviate them

    def claim(self, said: str, relation: str, value: Any, label: str = "") -> None:
        """Add the equation "(label) said relation value"; words of `said` after a comma stand on a line of their own.

        Relation "O" means: of that order.
        """
        main, more = split_at_comma(said)
        if label and len(label) + len(main) > WIDEST_WORDS:
            self.lines.append(rf"&\text{{({text_latex(label)})}}")
            label = ""
        self.equation((rf"\text{{({text_latex(label)}) }}" if label else "") + math_latex(main), relation, value)
        if more:
            self.lines += [rf"&\quad\text{{{text_latex(one)}}}" for one in wrap(f"({more})", LINE, break_on_hyphens=False)]

    def equation(self, left: str, relation: str, value: Any) -> None:
        """Add the equation "left relation value", broken into several lines if it is long."""
        sign, taken = SIGNS[relation], len(re.sub(r"\\(?:left|right|text)\b|[{}_^ ]|(?<=\\)[A-Za-z]+", "", left))
        apart = taken > WIDEST_LEFT
        room = LINE - (4 if apart else taken)
        terms = value.as_ordered_terms() if value.is_Add and drawn_width(value) > room and relation != "O" else [value]
        first, *rest = (latex(self.abbreviate(term, room)) for term in terms)
        if relation == "O":
            first = rf"\mathcal{{O}}\left({first}\right)"
        self.lines += [f"&{left}", rf"&\quad {sign} {first}"] if apart else [f"{left} &{sign} {first}"]
        self.lines += [rf"&\quad {term if term.startswith('-') else f'+ {term}'}" for term in rest]

    def step(self, left: Any, relation: str, right: Any) -> None:
        """Add the formula of a proof step, "left relation right", with large parts of the left side abbreviated."""
        self.equation(latex(self.abbreviate(left, LINE // 2)), relation, right)

    def abbreviate(self, expression: Any, room: int) -> Any:
        """Return an expression at most `room` columns wide: symbols abbreviate parts of it, the part that saves most first."""
        expression = expression.xreplace(self.pieces)
        while drawn_width(expression) > room:
            counts = Counter(part for part in sp.preorder_traversal(expression) if part.args and part != expression)
            saved = {part: (drawn_width(part) - 2) * counts[part] for part in counts if 8 < drawn_width(part) <= LINE}
            if not saved:
                return expression
            part = max(saved, key=lambda one: (saved[one], latex(one)))
            self.pieces[part] = sp.Symbol(f"Z_{len(self.pieces) + 1}", real=True)
            expression = expression.xreplace({part: self.pieces[part]})
        return expression

    def latex(self) -> str:
        """Return all equations in LaTeX, followed by the definitions of the abbreviating symbols."""
        named = [f"{latex(letter)} &= {latex(part)}" for part, letter in self.pieces.items()]
        return "\\begin{align*}\n" + " \\\\\n".join([*self.lines, *named]) + "\n\\end{align*}"


@lru_cache(maxsize=4096)
def drawn_width(expression: Any) -> int:
    """Return the width of SymPy's drawing of an expression, in columns."""
    return max(len(line) for line in sp.pretty(expression, wrap_line=False, use_unicode=True).splitlines())


def latex_proof(derivation: Derivation) -> str:
    """Return a derivation in LaTeX: the lines that it takes, then its steps, each with its formula and what it rests on."""
    taken = [_latex_line(one, f"{one.name}: {one.statement}", type(one.certificate).__name__.lower()) for one in derivation.facts]
    steps = [_latex_line(one, f"{one.name}: {one.statement}", one.explanation) for one in derivation.steps]
    parts = [f"\\paragraph{{{text_latex(derivation.title)}, step by step.}}"]
    parts += ["Taken as given:", latex_list(taken)] if taken else []
    return with_packages("\n".join([*parts, latex_list(steps, numbered=True)]))


def _latex_line(line: Step, said: str, rests: str) -> str:
    """Return a line of a proof in LaTeX: its words, its formula, and what it rests on."""
    page = Alignment()
    if line.is_formula:
        page.step(line.lhs, line.relation, line.rhs)
    return "\n".join(part for part in (text_latex(said), page.latex() if page.lines else "", f"({text_latex(rests)})") if part)
