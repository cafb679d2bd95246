"""Find the mutants of the sources, where operators of Cosmic Ray apply, and draw a random sample of them for each room.

By rule, these are not mutated: types, error texts (inside `raise`), docstrings, decorators that only save time, numbers that only change
the look of a figure (`LOOKS`; tests check that limits of axes cut nothing off), `strict` of `zip`, and the cost of a cell, which only
orders the queue.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

from tests.mutants.rooms import ROOT, room_files

ARITHMETIC = ("Add", "Sub", "Mul", "Div", "Pow")
ORDER = ("Eq", "NotEq", "Lt", "LtE", "Gt", "GtE")
PAIRS = [
    *((f"ReplaceBinaryOperator_{a}_{b}") for a, b in permutations(ARITHMETIC, 2)),
    *((f"ReplaceBinaryOperator_{a}") for a in ("FloorDiv_Div", "Mod_Mul", "Mod_FloorDiv", "BitOr_BitAnd", "BitAnd_BitOr", "BitOr_BitXor")),
    *((f"ReplaceComparisonOperator_{a}_{b}") for a, b in permutations(ORDER, 2)),
    *((f"ReplaceComparisonOperator_{a}") for a in ("Is_IsNot", "IsNot_Is")),
    *((f"ReplaceUnaryOperator_{a}") for a in ("USub_UAdd", "Delete_Not", "Delete_Invert")),
    "AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr", "ReplaceOrWithAnd", "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak", "ExceptionReplacer", "NumberReplacer", "RemoveDecorator", "ZeroIterationForLoop",
]  # fmt: skip
OPERATORS = tuple(f"core/{name}" for name in PAIRS)
FASTER = {"njit", "cache", "lru_cache", "overload"}
LOOKS = {
    "figsize", "fontsize", "linewidth", "markersize", "markeredgewidth", "elinewidth", "capsize", "columnspacing", "handletextpad",
    "bbox_to_anchor", "labelsize", "xytext", "ncol", "alpha", "rotation", "width", "pad", "bottom", "labelbottom", "xlim", "ylim",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A mutant: room, file, operator and which occurrence in the file, the line number (from 1), and the line before and after."""

    room: str
    file: str
    operator: str
    occurrence: int
    line: int
    was: str
    becomes: str

    @property
    def name(self) -> str:
        """The name of the mutant, unique among all mutants of the same sources."""
        return f"{self.file}:{self.line} {self.operator} {self.occurrence}: {self.was} -> {self.becomes}"

    def code(self) -> str:
        """Return the source of the whole file with the mutant applied."""
        found = mutate_code((ROOT / self.file).read_text(encoding="utf-8"), get_operator(self.operator)(), self.occurrence)
        assert found is not None, self.name
        return found


def sample_mutants(room: str, count: int, seed: int) -> list[Mutant]:
    """Draw at most `count` mutants of a room: positions without replacement, and one of the operators that apply at each."""
    rng, drawn = random.Random(f"{seed} {room}"), []
    places = [(file, place, choices) for file in room_files(room) for place, choices in _mutation_sites(file).items()]
    rng.shuffle(places)
    for file, (line, _), choices in places:
        operator, occurrence = rng.choice(choices)
        found = _make_mutant(room, file, operator, occurrence, line)
        if found is not None:
            drawn.append(found)
        if len(drawn) == count:
            break
    return drawn


def _make_mutant(room: str, file: str, operator: str, occurrence: int, line: int) -> Mutant | None:
    """Return the mutant of one operator occurrence, or None where it gives the same program or no valid one."""
    source = (ROOT / file).read_text(encoding="utf-8")
    try:
        code = mutate_code(source, get_operator(operator)(), occurrence)
        if code is None or ast.dump(ast.parse(code)) == ast.dump(ast.parse(source)):
            return None
    except (SyntaxError, AttributeError):  # the operator for exceptions does not know names with a dot
        return None
    before, after = source.splitlines(), code.splitlines()
    k = next((k for k, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(after))
    return Mutant(room, file, operator, occurrence, line, before[line - 1].strip(), after[k].strip() if k < len(after) else "")


def _mutation_sites(file: str) -> dict[tuple[int, int], list[tuple[str, int]]]:
    """Return the positions (line, column) of a file where operators apply, each with its (operator, occurrence) pairs."""
    source = (ROOT / file).read_text(encoding="utf-8")
    # Operators, keywords and numbers are leaves of the tree; all else is in these kinds of node.
    kinds = {"factor", "not_test", "comparison", "comp_op", "test", "if_stmt", "while_stmt", "for_stmt", "except_clause", "decorator"}
    nodes = [n for n in ast_nodes(get_ast(source)) if n.type in {"operator", "keyword", "number", *kinds}]
    hidden, found = list(_excluded_spans(source)), {}
    for name in OPERATORS:
        operator, occurrence = _operator(name), 0
        for node in nodes:
            for start, _ in operator.mutation_positions(node):
                if not any(low <= start < high for low, high in hidden):
                    found.setdefault(start, []).append((name, occurrence))
                occurrence += 1
    return dict(sorted(found.items()))


@cache
def _operator(name: str):
    """Return the Cosmic Ray operator with a name."""
    return get_operator(name)()


def _excluded_spans(source: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the spans (from, to) in which nothing is mutated, as (line, column)."""
    for node in ast.walk(ast.parse(source)):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.Raise):
            parts = [node]
        elif isinstance(node, ast.FunctionDef):
            every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
            parts = [node.returns, *(arg.annotation for arg in every if arg)]
            parts += [d for d in node.decorator_list if {n.id for n in ast.walk(d) if isinstance(n, ast.Name)} & FASTER]
            parts += [d for d in node.decorator_list if {n.attr for n in ast.walk(d) if isinstance(n, ast.Attribute)} & FASTER]
            if node.args.kwonlyargs and not node.args.vararg:  # the star itself
                first = node.args.kwonlyargs[0]
                yield (node.lineno, node.col_offset), (first.lineno, first.col_offset)
        elif isinstance(node, ast.AnnAssign):
            parts = [node.annotation]
        elif isinstance(node, ast.Assign):
            parts = [node.value if ast.unparse(node.targets[0]) == "cost" else None]
        elif isinstance(node, ast.keyword) and node.arg in {*LOOKS, "strict"}:  # strict=True of zip only guards against programming errors
            parts = [node.value]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Cell":
            parts = [*node.args[2:3]]
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            parts = [node]
        for part in parts:
            if part is not None:
                yield (part.lineno, part.col_offset - isinstance(node, ast.FunctionDef)), (part.end_lineno, part.end_col_offset)
