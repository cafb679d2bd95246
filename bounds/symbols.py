"""The one glossary: every letter of every theorem, with its LaTeX, its meaning and the range it is tried on.

A formula, a value passed to `Theorem.evaluate`, a constant of an objective and a point of a numerical attack all use these
names. `low` and `high` bound the points at which a proof step is attacked; a `high` that is a name ("d") is that letter's value.
A theorem in a file of your own may need a letter of its own: `introduce` adds it.
"""

from collections.abc import Callable
from dataclasses import replace
from keyword import iskeyword
from typing import Any

import sympy as sp

from bounds.letter import Letter
from bounds.letters import LETTERS
from bounds.pages.store import lab

GLOSSARY = {letter.name: letter for letter in LETTERS}
DECLARED: dict[str, int] = {}  # symbols that pages declare and LETTERS does not have: the number from which their domain goes up, or 0


def introduce(letter: Letter | str, *fields: Any, changes: bool = False) -> Any:
    """Add a letter, or a name and the other fields of one, to the glossary for this process and return its symbol; twice is fine.

    Raises ValueError if the name stands for something else already, cannot be an argument's name, or if `high` names no letter.
    """
    if isinstance(letter, str):
        letter = replace(Letter(letter, *fields), changes=changes)
    known = GLOSSARY.get(letter.name, letter)
    if known != letter:
        raise ValueError(f"name = {letter.name!r}: this symbol has the meaning {known.words!r} already ({known}); another name is needed")
    if not letter.name.isidentifier() or iskeyword(letter.name):
        raise ValueError(f"name = {letter.name!r}: a name that Python allows for an argument is needed")
    if isinstance(letter.high, str) and letter.high not in GLOSSARY:
        raise ValueError(f"high = {letter.high!r}: a number or the name of a symbol of the glossary is needed")
    return GLOSSARY.setdefault(letter.name, letter).symbol


def symbols(names: str) -> tuple[Any, ...]:
    """Return the glossary's symbols for names separated by spaces."""
    return tuple(GLOSSARY[name].symbol for name in names.split())


def letters_of(paper: str) -> Callable[[str], tuple[Any, ...]]:
    """Return a function like `symbols` that takes the paper's own letters, as its page of symbols declares them, or the glossary's."""
    declared = lab().page(f"{paper}.symbols").symbols

    def letters(names: str) -> tuple[Any, ...]:
        return tuple(GLOSSARY[declared[name].known_as if name in declared else name].symbol for name in names.split())

    return letters


n, d, r, epsilon, delta, L, ell, gap, B, mu, rho, trace, sensitivity = symbols("n d r epsilon delta L ell gap B mu rho trace sensitivity")
alpha, T, C, lam, sigma = symbols("alpha T C lam sigma")
A, kappa, X, Y, L_tilde = symbols("A kappa X Y L_tilde")
F_now, F_next, F_first, F_last, F_star, grad_sq, mean_grad_sq = symbols("F_now F_next F_first F_last F_star grad_sq mean_grad_sq")


class _AsWritten:
    """Of expressions, left as written until they are numbers: SymPy's own minimum takes 20 ms each time to try to compare them."""

    def __new__(cls, *args: Any, **_: Any) -> Any:
        return super().__new__(cls, *args, evaluate=all(sp.sympify(arg).is_number for arg in args))  # type: ignore[call-arg]


class Min(_AsWritten, sp.Min):
    """The smaller of expressions."""


class Max(_AsWritten, sp.Max):
    """The larger of expressions."""


def latex(expression: Any) -> str:
    """Return LaTeX in the glossary's letters."""
    return str(sp.latex(expression, symbol_names={letter.symbol: letter.latex for letter in GLOSSARY.values()}, ln_notation=False))
