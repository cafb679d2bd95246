r"""The statements of DPZero as printed: the schedule, the bound, and the bound of the proof before the schedule is inserted.

The formulas are read from the pages of claims, where the LaTeX "as printed" copies the texts letter by letter. The code abbreviates:
A = log(e + epsilon/delta), Delta_0 or gap = F_S(x_0) - F_S^*, and X and Y for the arguments of the logarithms in \tilde L^2 and in the
corollaries. The paper has no such abbreviations, so the printed LaTeX has none either. Where the ICML text, converted from its PDF, and
the arXiv text differ, the name of the formula says which text it is from.
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
class PrintedStatement:
    """A statement as printed: its schedule, its bound, and the last bound of its proof before the schedule is inserted.

    before        the last bound of the proof in which the schedule is still free, in alpha, T, C, C_0, lam
    schedule      alpha, T, C and, where the proof has one, C_0
    lam           the limit on lam that comes from the bias;   lam_clipping  the limit on lam from clipping, or None
    bound         the right side of the statement;   definitions  its abbreviations
    power         the power of s by which the bound grows when every loss is multiplied by s: 2 for a squared gradient
    """

    before: Any
    schedule: Mapping[str, Any]
    lam: Any
    bound: Any
    definitions: Mapping[str, Any]
    power: int
    lam_clipping: Any

    @classmethod
    def of(cls, statement: str) -> "PrintedStatement":
        """Return the printed statement with this name, for instance "theorem3", read from the pages of claims."""
        found = FORMULAS.of(statement)
        schedule, definitions = ({name: found[name] for name in names if name in found} for names in (SCHEDULE, DEFINITIONS))
        before, lam, bound, power = (found[name] for name in ("before", "lam", "bound", "power"))
        return cls(before, schedule, lam, bound, definitions, int(power), found.get("lam_clipping"))

    def in_constants(self, expression: Any) -> Any:
        """Return the expression with the schedule and all abbreviations replaced by the problem's constants; lam stays."""
        for name, meaning in reversed([*self.definitions.items(), *self.schedule.items()]):
            expression = expression.xreplace({symbols(name)[0]: meaning})
        return expression

    def in_letters(self, expression: Any) -> Any:
        """Return the expression with the schedule replaced by constants, but A, log(X) and log(Y) kept as symbols.

        This is quick to expand, and an identity in these symbols is also an identity in the constants.
        """
        meaning = {symbols(name)[0]: value for name, value in self.definitions.items()}
        for name, value in reversed([*self.schedule.items()]):
            expression = expression.xreplace({symbols(name)[0]: value})
        expression = expression.xreplace({L_tilde: meaning.get(L_tilde, L_tilde), kappa: ell / mu})
        expression = expression.xreplace({sp.log(X): sp.Symbol("log(X)", positive=True), sp.log(Y): sp.Symbol("log(Y)", positive=True)})
        return expression.xreplace({X: meaning.get(X, X), Y: meaning.get(Y, Y)}).xreplace({kappa: ell / mu})


PAGES: Mapping[str, PrintedStatement] = {f"dpzero.{statement}": PrintedStatement.of(statement) for statement in FORMULAS.statements}
