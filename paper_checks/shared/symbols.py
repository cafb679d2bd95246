"""A paper's own symbols in evidence: checks compute in the glossary's names, and report in those of the paper.

And a check whether an algorithm lists the symbols that its lines use.
"""

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any

import sympy as sp

from paper_checks.record import Record
from paper_checks.verdict import Finding


@dataclass(frozen=True)
class Spelling:
    """The symbols of a paper for the quantities of the glossary, {glossary name: paper's symbol}, where the two differ.

    `in_text` are those of the paper's symbols of more than one character that may replace a word of a sentence.
    """

    names: Mapping[str, str]
    in_text: tuple[str, ...] = ()

    def paper_symbol(self, symbol: Any) -> str:
        """Return the paper's symbol for a quantity of the glossary, which is the glossary's name where the two agree."""
        return self.names.get(str(symbol), str(symbol))

    def spell_text(self, text: str) -> str:
        """Return a sentence with the glossary's names replaced by the paper's symbols of one letter and those of `in_text`."""
        names = "|".join(name for name, one in self.names.items() if len(one) == 1 or one in self.in_text)
        return re.sub(rf"\b({names})\b", lambda found: self.names[found.group()], text) if names else text

    def spell_keys(self, numbers: Mapping[str, Any]) -> dict[str, Any]:
        """Return a copy of a dict with the glossary's names in its keys replaced by the paper's symbols."""
        return {self.paper_symbol(name): value for name, value in numbers.items()}

    def expression_text(self, expression: Any) -> str:
        """Return a SymPy expression as text in the paper's symbols."""
        held = sp.sympify(expression)
        return str(sp.sstr(held.xreplace({one: sp.Symbol(self.paper_symbol(one)) for one in held.free_symbols})))


def check_listed_inputs(listed: Set[Any], lines: Iterable[Any], *, computed: Set[Any], spelling: Spelling) -> Finding:
    """Check that an algorithm lists as inputs all symbols that its lines use and do not compute; return a Finding."""
    used: set[Any] = set().union(*(sp.sympify(line).free_symbols for line in lines)) - computed
    given, uses, idle, missing = (sorted(map(spelling.paper_symbol, some)) for some in (listed, used, listed - used, used - listed))
    record = Record({"listed": tuple(given), "used": tuple(uses), "listed and not used": idle})
    if missing:
        witness = {"used and not listed": ", ".join(missing), "listed and not used": ", ".join(idle) or "none"}
        record.refute(f"not among the inputs: {', '.join(missing)}", witness)
    return record.conclude("every letter is listed")
