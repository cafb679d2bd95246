r"""The statements of DPZero as its texts print them: the schedule, the bound, and the last bound of the proof in which it is still free.

The formulas stand on the pages of claims. The LaTeX there, "as printed", is letter by letter that of the texts. The lab abbreviates:
A = log(e + epsilon/delta), Delta_0 or gap = F_S(x_0) - F_S^*, X and Y for the arguments of the logarithms in \tilde L^2 and in the
corollaries. The paper does none of that, so nothing there does. Where the ICML text, converted from its PDF, and the arXiv text differ,
the name says whose formula it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from bounds.symbols import L_tilde, X, Y, ell, kappa, mu, symbols
from paper_checks.pages.as_printed import printed

FORMULAS = printed("dpzero")
SCHEDULE, DEFINITIONS = ("alpha", "T", "C", "C_0"), ("A", "kappa", "X", "Y", "L_tilde")


@dataclass(frozen=True)
class Page:
    """A statement as printed.

    before        the last bound of the proof in which the schedule is still free, in alpha, T, C, C_0, lam
    schedule      alpha, T, C and, where the proof has one, C_0
    lam           the end of the rule for lam that belongs to the bias;   lam_clipping  the other end, where there is one
    bound         the statement;   definitions  its abbreviations;   power  of s in the bound when f becomes s f: 2 of a squared gradient
    """

    before: Any
    schedule: Mapping[str, Any]
    lam: Any
    bound: Any
    definitions: Mapping[str, Any]
    power: int
    lam_clipping: Any

    @classmethod
    def of(cls, statement: str) -> "Page":
        """Return the statement of this name on the pages of claims."""
        found = FORMULAS.of(statement)
        schedule, definitions = ({name: found[name] for name in names if name in found} for names in (SCHEDULE, DEFINITIONS))
        before, lam, bound, power = (found[name] for name in ("before", "lam", "bound", "power"))
        return cls(before, schedule, lam, bound, definitions, int(power), found.get("lam_clipping"))

    def in_constants(self, expression: Any) -> Any:
        """Return the expression with the schedule and every abbreviation replaced; lam stays."""
        for name, meaning in reversed([*self.definitions.items(), *self.schedule.items()]):
            expression = expression.xreplace({symbols(name)[0]: meaning})
        return expression

    def in_letters(self, expression: Any) -> Any:
        """Return the same with A, log(X) and log(Y) left as letters: quick to expand, and an identity in them is one in the constants."""
        meaning = {symbols(name)[0]: value for name, value in self.definitions.items()}
        for name, value in reversed([*self.schedule.items()]):
            expression = expression.xreplace({symbols(name)[0]: value})
        expression = expression.xreplace({L_tilde: meaning.get(L_tilde, L_tilde), kappa: ell / mu})
        expression = expression.xreplace({sp.log(X): sp.Symbol("log(X)", positive=True), sp.log(Y): sp.Symbol("log(Y)", positive=True)})
        return expression.xreplace({X: meaning.get(X, X), Y: meaning.get(Y, Y)}).xreplace({kappa: ell / mu})


PAGES: Mapping[str, Page] = {f"dpzero.{statement}": Page.of(statement) for statement in FORMULAS.statements}
