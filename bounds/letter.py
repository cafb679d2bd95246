"""One symbol of the glossary: its name in code, its LaTeX, its meaning in words, and the range of values for numerical attacks."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Letter:
    """One symbol: `name` in code, `latex` on paper, `words` for its meaning, `low` to `high` for the values of a numerical attack."""

    name: str
    latex: str
    words: str
    low: float
    high: float | str
    role: str  # "problem", "schedule", "abbreviation"; in proofs "proof", "probability", or "step": it changes from step to step
    changes: bool = False  # whether it changes from step to step although its role is not "step"; names that end in _t do so too

    @cached_property
    def symbol(self) -> Any:
        """The SymPy symbol of this name, declared positive, nonnegative or real according to `low`."""
        import sympy as sp  # here, because listing the symbols does not need it

        if self.low > 0:
            return sp.Symbol(self.name, positive=True)
        return sp.Symbol(self.name, nonnegative=True) if self.low == 0 else sp.Symbol(self.name, real=True)

    @property
    def per_step(self) -> bool:
        """Whether the symbol has a different value at every step of a run."""
        return self.role == "step" or self.changes or self.name.endswith("_t")
