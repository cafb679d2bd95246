"""Parse values on pages of claims: numbers, text, tuples and tables, like Python literals; no code is executed."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from bounds.pages.tokens import Mistake, nearest
from paper_checks.verdict import Size

LONGEST = 20_000  # characters of one value, and the end of a range
LARGEST = 1000  # base and exponent of a power of whole numbers


def quotient(one: Any, other: Any) -> Any:
    """Return one / other: a float if one of them is a float, else an exact Fraction."""
    return one / other if isinstance(one, float) or isinstance(other, float) else Fraction(one) / Fraction(other)


def power(base: Any, exponent: Any) -> Any:
    """Return base**exponent; raise ValueError if the exponent, or an integer base, is above LARGEST in size."""
    if abs(exponent) > LARGEST or (isinstance(base, int) and abs(base) > LARGEST):
        raise ValueError(f"base and exponent of at most {LARGEST} are needed")
    return base**exponent


OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    **{ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul},
    **{ast.Div: quotient, ast.Pow: power},
}
FUNCTIONS: dict[str, Callable[[Any], Any]] = {"sqrt": math.sqrt, "log": math.log, "exp": math.exp}
CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf}
RESERVED = (*FUNCTIONS, *CONSTANTS, "range")


class Reference(NamedTuple):
    """A reference to an object of a module of checks by its path, or to an entry of that object."""

    path: str
    entry: Any = None


@dataclass(frozen=True)
class CheckCall:
    """A call of a check function on a page: its path and its arguments by name."""

    function: str
    arguments: Mapping[str, Any]


def parse_value(text: str, line: int, names: Mapping[str, Any]) -> Any:
    """Return the value that a text on a page denotes; raise Mistake, with line and column on the page, for any other text.

    `line` is the line of the page where the text begins; `names` holds the values that the page has named.
    """
    return Reader(line, names).of(syntax_tree(text, line))


def parse_call(text: str, line: int, names: Mapping[str, Any]) -> CheckCall:
    """Return the CheckCall that a text "module.function(name = value, ...)" denotes; raise Mistake for anything else."""
    read, node = Reader(line, names), syntax_tree(text, line)
    if not isinstance(node, ast.Call) or node.args or any(one.arg is None for one in node.keywords):
        raise Mistake(line, 1, "check module.function(name = value, ...) is needed")
    path = dotted_name(node.func)
    if "." not in path or path.startswith("bounds."):
        raise read.mistake(node.func, "module.function of the checks is needed")
    return CheckCall(path, {str(one.arg): read.of(one.value) for one in node.keywords})


def syntax_tree(text: str, line: int) -> ast.expr:
    """Return the Python syntax tree of an expression; raise Mistake, with its line on the page, if it cannot be parsed."""
    if len(text) > LONGEST:
        raise Mistake(line, 1, f"a value of {len(text)} characters: at most {LONGEST} are allowed")
    if not text.strip():
        raise Mistake(line, 1, "a value of a page is needed")
    try:
        return ast.parse(f"({text}\n)", mode="eval").body
    except SyntaxError as error:
        at, column = error.lineno or 1, error.offset or 1
        raise Mistake(line + at - 1, max(1, column - (at == 1)), f"a value of a page is needed ({error.msg})") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Mistake(line, 1, f"a value of a page is needed ({error})") from None


def dotted_name(node: ast.expr) -> str:
    """Return the text "a.b.c" of a name or attribute node, "" for any other node."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (before := dotted_name(node.value)):
        return f"{before}.{node.attr}"
    return ""


class Reader:
    """Evaluator of the syntax trees of values on a page; `names` holds the values that the page has named."""

    def __init__(self, line: int, names: Mapping[str, Any]) -> None:
        self.line, self.names = line, names

    def mistake(self, node: ast.expr, message: str) -> Mistake:
        """Return a Mistake with a message, at the line and column on the page where a node begins."""
        return Mistake(self.line + node.lineno - 1, node.col_offset + (node.lineno > 1), message)

    def of(self, node: ast.expr) -> Any:
        """Return the value of a node: number, text, tuple, table, Size or Reference; raise Mistake if it denotes none."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return fill_placeholders(node.value, self.names, self.line)
        if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float | None):
            return node.value
        if isinstance(node, ast.Tuple):
            return tuple(map(self.of, node.elts))
        if isinstance(node, ast.Call) and dotted_name(node.func) == "range" and len(node.args) == 2 and not node.keywords:
            return tuple(range(*map(self.evaluate_integer, node.args)))
        if isinstance(node, ast.Dict) and None not in node.keys:
            return {self.of(key): self.of(one) for key, one in zip(node.keys, node.values, strict=True) if key is not None}
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self.number(node.operand)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return Size(self.of(node.left), self.of(node.right))
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
            return self.compute(node, OPERATIONS[type(node.op)], node.left, node.right)
        if isinstance(node, ast.Call) and dotted_name(node.func) in FUNCTIONS and len(node.args) == 1 and not node.keywords:
            return self.compute(node, FUNCTIONS[dotted_name(node.func)], node.args[0])
        if isinstance(node, ast.Name):
            return CONSTANTS[node.id] if node.id in CONSTANTS else self.named(node)
        if isinstance(node, ast.Attribute) and (path := dotted_name(node)):
            return Reference(path)
        if isinstance(node, ast.Subscript) and (path := dotted_name(node.value)) and isinstance(node.slice, ast.Constant):
            return Reference(path, node.slice.value)
        raise self.mistake(node, f"{ast.unparse(node):.40} is no value: a number, text in quotes, a tuple or a table is needed")

    def number(self, node: ast.expr) -> Any:
        """Return the value of a node that must denote a number, no boolean; raise Mistake otherwise."""
        found = self.of(node)
        if isinstance(found, bool) or not isinstance(found, int | float | Fraction):
            raise self.mistake(node, f"{ast.unparse(node):.40} is no number")
        return found

    def compute(self, node: ast.expr, how: Callable[..., Any], *of: ast.expr) -> Any:
        """Return how(*numbers) for the numbers that the nodes `of` denote; raise Mistake for an arithmetic error."""
        numbers = [self.number(one) for one in of]
        try:
            return how(*numbers)
        except (ArithmeticError, ValueError) as error:
            raise self.mistake(node, f"{ast.unparse(node):.40}: {error}") from None

    def evaluate_integer(self, node: ast.expr) -> int:
        """Return the value of a node that must be an integer of size at most LONGEST; raise Mistake otherwise."""
        found = self.of(node)
        if not isinstance(found, int) or abs(found) > LONGEST:
            raise self.mistake(node, f"{ast.unparse(node):.40} is no whole number of at most {LONGEST}")
        return found

    def named(self, node: ast.Name) -> Any:
        """Return the value that the page has given to a name; raise Mistake, with the nearest name, if there is none."""
        if node.id not in self.names:
            raise self.mistake(node, f"{node.id!r} is no value of this page{nearest(node.id, self.names)}")
        return self.names[node.id]


def fill_placeholders(text: str, names: Mapping[str, Any], line: int) -> str:
    """Return a text with each <name> or <name:format> filled in, unknown names unchanged; raise Mistake for a wrong format."""

    def formatted_value(found: re.Match[str]) -> str:
        """Return the text for one placeholder; the placeholder itself if its name is unknown."""
        if found[1] not in names:
            return found[0]
        try:
            return format(names[found[1]], found[2] or "")
        except (TypeError, ValueError) as error:
            raise Mistake(line, 1, f"{found[0]}: {error}") from None

    return re.sub(r"<(\w+)(?::([^<>]+))?>", formatted_value, text)
