"""A letter of the glossary: its name in code, on paper and in words, and the range that it is tried on."""

from dataclasses import dataclass, field
from typing import Any

import sympy as sp


@dataclass(frozen=True)
class Letter:
    """One symbol: `name` in code, `latex` on paper, `words` for a reader, `low` to `high` for an attack."""

    name: str
    latex: str
    words: str
    low: float
    high: float | str
    role: str  # "problem", "schedule", "abbreviation"; in proofs "proof", "probability", or "step" for what changes from step to step
    changes: bool = False  # stands for something else at every step although its role is another; so do names that end in _t
    symbol: Any = field(init=False, compare=False)

    def __post_init__(self) -> None:
        if self.low > 0:
            symbol = sp.Symbol(self.name, positive=True)
        elif self.low == 0:
            symbol = sp.Symbol(self.name, nonnegative=True)
        else:
            symbol = sp.Symbol(self.name, real=True)
        object.__setattr__(self, "symbol", symbol)

    @property
    def per_step(self) -> bool:
        """Whether the letter stands for something else at every step."""
        return self.role == "step" or self.changes or self.name.endswith("_t")
