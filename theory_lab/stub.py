"""The stub of the front door: `python -m theory_lab.stub` prints `theory_lab/__init__.pyi` from the declarations of the methods.

Editors and mypy read the stub in the place of `theory_lab/__init__.py`, where names are loaded on first use. A test compares the two.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from theory_lab import LISTED, NAMES
from theory_lab.methods import METHODS
from theory_lab.methods.record import SADDLE, Method

HEAD = '''"""What editors and mypy see of `theory_lab`: printed by `python -m theory_lab.stub`, not written by hand."""

'''
RESULTS = """Result = TypeVar("Result", default=Any)

"""
RUN = "replicates: int = ..., seed: int = ..., threads: int | None = ..., progress: Callable[[int, int], None] | None = ..."
SADDLES = "x0: FloatArray | None = ..., keep_points: bool = ..., executor: Executor | None = ..."  # of runs on objectives with saddles
IMPORTS = {  # names in printed signatures that the modules of their functions do not import
    "Any": "typing", "Callable": "collections.abc", "Literal": "typing", "Sequence": "collections.abc",
    "TypeVar": "typing_extensions", "overload": "typing", "Executor": "concurrent.futures", "FloatArray": "synthetic.draws",
    "Declaration": "synthetic.declared.fields", "Schedule": "synthetic.declared.fields",
    "Estimate": "theory_lab.calls.estimate", "Method": "theory_lab.methods.record",
    "Objective": "synthetic.objectives.sums", "Runnable": "synthetic.objectives.space",
    "SaddleObjective": "synthetic.objectives.saddles", "Several": "bounds.plans.side_by_side",
}  # fmt: skip


def type_parts(kind: Any) -> dict[str, None]:
    """Return the parts of a type as texts, in order and each once: the words of a `Literal` one by one, None last."""
    if get_origin(kind) in (Union, UnionType):
        return {part: None for one in get_args(kind) for part in type_parts(one)}
    if get_origin(kind) is Literal:
        return {f"Literal[{word!r}]".replace("'", '"'): None for word in get_args(kind)}
    return {
        "None"
        if kind is NoneType
        else kind.__name__
        if isinstance(kind, type) and not get_args(kind)
        else str(kind).replace("typing.", ""): None
    }


def union_text(kinds: Iterable[Any]) -> str:
    """Return the union of types as text, such as 'float | tuple[float, ...]'; words stand in one `Literal`."""
    parts = {part: None for kind in kinds for part in type_parts(kind)}
    if "Any" in parts:
        return "Any"
    words = [part[8:-1] for part in parts if part.startswith("Literal[")]
    others = [part for part in parts if not part.startswith("Literal[") and part != "None"]
    return " | ".join([*others, *([f"Literal[{', '.join(words)}]"] if words else []), *(["None"] if "None" in parts else [])])


def literal_text(names: Iterable[str]) -> str:
    """Return the type of one of these words, as text."""
    return f"Literal[{', '.join(f'{chr(34)}{name}{chr(34)}' for name in names)}]"


def settings_text(methods: Iterable[Method]) -> str:
    """Return the settings of declared methods as keyword arguments, each with the union of its types; all may be left out."""
    kinds: dict[str, list[Any]] = {}
    for one in methods:
        for field in one.declared.fields if one.declared else ():
            kinds.setdefault(field.name, []).append(field.type)
    return ", ".join(f"{name}: {union_text(several)} = ..." for name, several in kinds.items())


def parsed(address: str) -> tuple[ast.FunctionDef, Mapping[str, str]]:
    """Return the definition of the function at an address "module:name", and where its module imports names from."""
    module, _, name = address.partition(":")
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name: str(one.module) for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) for alias in one.names
    }
    imported |= {one.name: module for one in tree.body if isinstance(one, ast.ClassDef)}
    for one in tree.body:
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
            imported.setdefault(one.targets[0].id, module)
    return next(one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == name), imported


def arguments_of(address: str, without: Iterable[str] = (), optional: Iterable[str] | None = None) -> tuple[list[str], dict[str, str]]:
    """Return the keyword arguments of a function as texts, and where the names in their types come from.

    optional   arguments whose default is left open; all but these are printed as they are; None: all are optional
    """
    function, imported = parsed(address)
    found, used = [], dict[str, str]()
    for one, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
        if one.arg in without or one.annotation is None:
            continue
        kind = ast.unparse(one.annotation)
        needed = default is None and optional is not None and one.arg not in optional
        found.append(f"{one.arg}: {kind}{'' if needed else ' = ...'}")
        used |= {node.id: imported[node.id] for node in ast.walk(one.annotation) if isinstance(node, ast.Name) and node.id in imported}
    return found, used


def recommend_text() -> tuple[list[str], dict[str, str]]:
    """Return the overloads of `recommend`, and where the names in them come from: two for each class of plans, one for several epsilon."""
    lines, used = list[str](), dict[str, str]()
    groups: dict[str, list[Method]] = {}
    for one in METHODS.values():
        if one.plans:
            groups.setdefault(str(one.plans.call), []).append(one)
    for address, methods in groups.items():
        call, imported = parsed(address)
        paper, names = methods[0].paper, literal_text(one.name for one in methods)
        result = f"{''.join(word.title() for word in paper.split('_'))}Plan"
        used[f"Plan as {result}"] = imported[ast.unparse(call.returns)] if call.returns else ""
        wider = methods[0].plans.wider[1] if methods[0].plans and methods[0].plans.wider else None
        more, names_of_more = arguments_of(str(wider), without=("progress",)) if wider else ([], {})
        extended = {text.partition(":")[0] for text in more}
        printed, of_printed = arguments_of(address, without=extended, optional=())
        with_objective, _ = arguments_of(address, without=(*extended, "epsilon", "delta"))
        used |= names_of_more | of_printed
        kind = methods[0].kind
        objective = "SaddleObjective" if kind and kind.of == SADDLE.of else "Objective"
        lines += ["@overload", f"def recommend(method: {names}, *, {', '.join([*printed, *more])}) -> {result}: ..."]
        given = ", ".join(["epsilon: float", "delta: float", *with_objective, *more])
        lines += ["@overload", f"def recommend(method: {names}, objective: {objective} | Estimate, *, {given}) -> {result}: ..."]
    several = "method: str | Method, objective: Any = ..., *, epsilon: Sequence[float] | FloatArray, **problem: Any"
    lines += ["@overload", f"def recommend({several}) -> Several: ..."]
    lines += ["@overload", "def recommend(method: Method, objective: Any = ..., **problem: Any) -> Any: ..."]
    return lines, used


def function_text(name: str, methods: Iterable[str], own: str) -> tuple[str, dict[str, str]]:
    """Return the signature of a public function whose first argument is the name of one of these methods, or of the type `own`."""
    function, imported = parsed(NAMES[name])
    kind = ast.parse(" | ".join(filter(None, [literal_text(methods), own])), mode="eval").body
    function.args.args[0].annotation = kind
    function.args.kw_defaults = [default and ast.Constant(...) for default in function.args.kw_defaults]
    used = {node.id: imported[node.id] for node in ast.walk(function.args) if isinstance(node, ast.Name) and node.id in imported}
    assert function.returns is not None
    used |= {node.id: imported[node.id] for node in ast.walk(function.returns) if isinstance(node, ast.Name) and node.id in imported}
    return f"def {name}({ast.unparse(function.args)}) -> {ast.unparse(function.returns)}: ...", used


def stub_lines() -> Iterator[str]:
    """Yield the blocks of the stub."""
    plans, used = recommend_text()
    private = [name for name, one in METHODS.items() if one.private]
    parts = [part for one in METHODS.values() for part in one.parts]
    audit, of_audit = function_text("audit", [*private, *parts], "type[Declaration] | Method")
    predict, of_predict = function_text("predict", [name for name, one in METHODS.items() if one.law], "type[Declaration] | Method")
    used |= of_audit | of_predict
    printed = ("simulate", "recommend", "audit", "predict")
    simulate = (
        f"def simulate(method: {literal_text(METHODS)} | Declaration | type[Declaration] | Method, "
        f"objective: Runnable[Result] = ..., *, plan: Any = ..., "
        f"{settings_text(METHODS.values())}, {RUN}, {SADDLES}) -> Result: ..."
    )
    body = "\n".join([RESULTS, simulate, *plans, audit, predict])
    used |= {name: module for name, module in IMPORTS.items() if name in body}
    used |= {"numpy as np": "", "numpy.typing as npt": ""}
    for name, module in sorted(used.items(), key=lambda one: (one[1], one[0])):
        yield f"from {module} import {name}" if module else f"import {name}"
    yield ""
    for module, names in LISTED.items():
        yield from (f"from {module} import {name} as {name}" for name in names if name not in printed)
    for name, address in NAMES.items():
        if ":" not in address:
            package, _, module = address.rpartition(".")
            yield f"from {package} import {module} as {name}"
    yield from ("", "LISTED: dict[str, tuple[str, ...]]", "NAMES: dict[str, str]", "", body)


if __name__ == "__main__":
    sys.stdout.write(HEAD + "\n".join(stub_lines()) + "\n")
