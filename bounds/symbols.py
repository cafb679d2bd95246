"""The one glossary: every letter of every theorem, with its LaTeX, its meaning and the range it is tried on.

A formula, a value passed to `Theorem.evaluate`, a constant of an objective and a point of a numerical attack all use these
names. `low` and `high` bound the points at which a proof step is attacked; a `high` that is a name ("d") is that letter's value.
A theorem in a file of your own may need a letter of its own: `introduce` adds it.
"""

from dataclasses import replace
from keyword import iskeyword
from typing import Any

import sympy as sp

from bounds.contents import declared
from bounds.letter import Letter
from bounds.papers import PAPERS

SHARED = (
    # problem constants
    Letter("n", "n", "number of samples", 1, 1e9, "problem"),
    Letter("d", "d", "number of parameters", 1, 1e11, "problem"),
    Letter("r", "r", "effective rank: Tr(H) <= r ||H||", 1, "d", "problem"),
    Letter("epsilon", r"\varepsilon", "privacy parameter epsilon", 1e-3, 1e3, "problem"),
    Letter("delta", r"\delta", "privacy parameter delta", 1e-15, 0.999, "problem"),
    Letter("L", "L", "Lipschitz constant of every sample's loss", 1e-3, 1e3, "problem"),
    Letter("ell", r"\ell", "smoothness constant", 1e-3, 1e3, "problem"),
    Letter("gap", r"\Delta_0", "F_S(x_0) - F_S^*", 0, 1e6, "problem"),
    Letter("B", "B", "bound on |F_S|", 0, 1e6, "problem"),
    Letter("mu", r"\mu", "constant of the PL inequality", 1e-6, "ell", "problem"),
    Letter("rho", r"\rho", "Lipschitz constant of the Hessian", 1e-3, 1e3, "problem"),
    Letter("trace", r"\operatorname{Tr}(H)", "trace of the matrix H that bounds the Hessian", 0, 1e6, "problem"),
    Letter("sensitivity", r"\Delta", "largest change of the released value when one sample is replaced", 1e-9, 1e3, "problem"),
    # schedule
    Letter("alpha", r"\alpha", "step size", 1e-9, 1e2, "schedule"),
    Letter("T", "T", "number of steps", 1, 1e9, "schedule"),
    Letter("C", "C", "clipping threshold", 1e-3, 1e6, "schedule"),
    Letter("lam", r"\lambda", "smoothing radius of the two-point estimate", 1e-12, 1e2, "schedule"),
    Letter("sigma", r"\sigma", "standard deviation per coordinate of the noise added to the mean", 1e-9, 1e3, "schedule"),
    # abbreviations
    Letter("A", "A", "log(e + epsilon/delta), at least 1", 1, 50, "abbreviation"),
    Letter("kappa", r"\kappa", "condition number ell/mu", 1, 1e6, "abbreviation"),
    Letter("X", "X", "argument of the logarithm in the clipping threshold", 1.01, 1e60, "abbreviation"),
    Letter("Y", "Y", "argument of the logarithm in the number of steps under PL", 1.01, 1e30, "abbreviation"),
    Letter("L_tilde", r"\tilde L", "L times the root of a logarithm; differs between theorems", 1e-3, 1e5, "abbreviation"),
    # proofs of descent
    Letter("F_now", "F_S(x_t)", "expected loss at step t", -1e3, 1e3, "step"),
    Letter("F_next", "F_S(x_{t+1})", "expected loss at step t + 1", -1e3, 1e3, "step"),
    Letter("F_first", "F_S(x_0)", "loss at the start", -1e3, 1e3, "proof"),
    Letter("F_last", "F_S(x_T)", "expected loss at the end", -1e3, 1e3, "proof"),
    Letter("F_star", "F_S^*", "smallest value of the loss", -1e3, 1e3, "proof"),
    Letter("grad_sq", r"\|\nabla F_S(x_t)\|^2", "squared norm of the gradient", 0, 1e6, "step"),
    Letter("mean_grad_sq", r"\mathbb{E}\|\nabla F_S(x_\tau)\|^2", "squared gradient norm, averaged over the steps", 0, 1e6, "proof"),
    Letter("a_sq", r"\|a\|^2", "squared norm of a fixed vector a", 1e-6, 1e6, "proof"),
    Letter("a_i", "a_i", "i-th coordinate of a", -1e3, 1e3, "proof"),
    Letter("a_j", "a_j", "j-th coordinate of a, j different from i", -1e3, 1e3, "proof"),
)


LETTERS = (*SHARED, *(letter for paper in PAPERS for letter in declared(paper, "glossary", "LETTERS")))
GLOSSARY = {letter.name: letter for letter in LETTERS}


def introduce(letter: Letter | str, *fields: Any, changes: bool = False) -> Any:
    """Add a letter, or a name and the other fields of one, to the glossary for this process and return its symbol; twice is fine.

    Raises ValueError if the name stands for something else already, cannot be an argument's name, or if `high` names no letter.
    """
    if isinstance(letter, str):
        letter = replace(Letter(letter, *fields), changes=changes)
    known = GLOSSARY.get(letter.name, letter)
    if known != letter:
        raise ValueError(f"name = {letter.name!r}: this letter means {known.words!r} already ({known}); another name is needed")
    if not letter.name.isidentifier() or iskeyword(letter.name):
        raise ValueError(f"name = {letter.name!r}: a name that Python allows for an argument is needed")
    if isinstance(letter.high, str) and letter.high not in GLOSSARY:
        raise ValueError(f"high = {letter.high!r}: a number or the name of a letter of the glossary is needed")
    return GLOSSARY.setdefault(letter.name, letter).symbol


def symbols(names: str) -> tuple[Any, ...]:
    """Return the glossary's symbols for names separated by spaces."""
    return tuple(GLOSSARY[name].symbol for name in names.split())


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
