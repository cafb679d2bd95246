"""The glossary: every symbol of every theorem, with its LaTeX, its meaning and its range of values for numerical attacks.

Formulas, values passed to `Theorem.evaluate`, constants of an objective and points of a numerical attack all use these names. `low` and
`high` bound the points at which a proof step is attacked; a `high` that is a name ("d") means the value of that symbol. A theorem in your
own file may need a further symbol: `introduce` adds it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

import sympy as sp

from bounds.letter import Letter
from bounds.letters import LETTERS
from bounds.pages.store import lab_pages
from bounds.renamed import old_names
from bounds.validate import inside_unit, non_negative, positive, real, short_repr, to_python_number

GLOSSARY = {letter.name: letter for letter in LETTERS}
DECLARED: dict[str, int] = {}  # lower limit of the domain, or 0, of each symbol that only a user's page declares


def introduce(letter: Letter | str, *fields: Any, changes: bool = False) -> Any:
    """Add a symbol to the glossary for this process and return its SymPy symbol; adding the same one again changes nothing.

    `letter` is a `Letter`, or a name followed by the other fields of one. Raises ValueError if the name has another meaning already or
    cannot be the name of an argument, or if `high` names no symbol.
    """
    if isinstance(letter, str):
        letter = replace(Letter(letter, *fields), changes=changes)
    known = GLOSSARY.get(letter.name, letter)
    if known != letter:
        raise ValueError(f"name = {letter.name!r}: this symbol has the meaning {known.words!r} already ({known}); another name is needed")
    if not letter.name.isidentifier() or iskeyword(letter.name):
        raise ValueError(f"name = {letter.name!r}: a Python identifier that is no keyword is needed, such as x2")
    if isinstance(letter.high, str) and letter.high not in GLOSSARY:
        raise ValueError(f"high = {letter.high!r}: a number or the name of a symbol of the glossary is needed")
    return GLOSSARY.setdefault(letter.name, letter).symbol


def symbols(names: str) -> tuple[Any, ...]:
    """Return the SymPy symbols of the glossary for names separated by spaces."""
    return tuple(GLOSSARY[name].symbol for name in names.split())


def paper_symbols(paper: str) -> Callable[[str], tuple[Any, ...]]:
    """Return a function like `symbols` that first looks up names among the symbols that this paper's page declares."""
    declared = lab_pages().page(f"{paper}.symbols").symbols

    def symbols_named(names: str) -> tuple[Any, ...]:
        """Return the symbols for names separated by spaces, names of the paper first."""
        return tuple(GLOSSARY[declared[name].known_as if name in declared else name].symbol for name in names.split())

    return symbols_named


n, d, r, epsilon, delta, L, ell, gap, B, mu, rho, trace, sensitivity = symbols("n d r epsilon delta L ell gap B mu rho trace sensitivity")
alpha, T, C, lam, sigma = symbols("alpha T C lam sigma")
A, kappa, X, Y, L_tilde = symbols("A kappa X Y L_tilde")
F_now, F_next, F_first, F_last, F_star, grad_sq, mean_grad_sq = symbols("F_now F_next F_first F_last F_star grad_sq mean_grad_sq")


class _Unevaluated:
    """Base of `Min` and `Max`, which stay unevaluated until all arguments are numbers: SymPy needs 20 ms for each comparison."""

    def __new__(cls, *args: Any, **_: Any) -> Any:
        return super().__new__(cls, *args, evaluate=all(sp.sympify(arg).is_number for arg in args))  # type: ignore[call-arg]


class Min(_Unevaluated, sp.Min):
    """Minimum of expressions, not evaluated before all of them are numbers."""


class Max(_Unevaluated, sp.Max):
    """Maximum of expressions, not evaluated before all of them are numbers."""


def latex(expression: Any) -> str:
    """Return the LaTeX of an expression, with the LaTeX of the glossary for each symbol."""
    return str(sp.latex(expression, symbol_names={letter.symbol: letter.latex for letter in GLOSSARY.values()}, ln_notation=False))


PROBABILITIES = ("delta", "omega", "omega_0")


def validate_values(key: str, needed: tuple[str, ...], values: Mapping[str, float]) -> dict[str, float]:
    """Check values of symbols against the glossary and return them as floats; ValueError for an unknown, missing or bad one.

    `key` names the theorem in the messages, `needed` the values that must be there.
    """
    values = {name: to_python_number(name, value) for name, value in values.items()}
    for name, value in values.items():
        if name not in GLOSSARY:
            raise ValueError(f"{name} = {short_repr(value)}: not a symbol of the glossary; {key} needs {', '.join(needed)}")
        letter = GLOSSARY[name]
        check = positive if letter.low > 0 else non_negative if letter.low == 0 else real
        check(**{name: value})
        if letter.low == 1 and value < 1:
            raise ValueError(f"{name} = {value!r}: a number of at least 1 is needed")
    inside_unit(**{name: values[name] for name in PROBABILITIES if name in values})
    missing = [name for name in needed if name not in values]
    if missing:
        raise ValueError(f"{missing[0]} is missing: {key} needs {', '.join(needed)}")
    return {name: float(value) for name, value in values.items()}


if not TYPE_CHECKING:  # it would give every misspelt name a type
    __getattr__ = old_names(__name__, letters_of="paper_symbols")
