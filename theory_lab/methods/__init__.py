"""The methods: a module for each paper, in it a record for each method. They import nothing heavy."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from types import ModuleType

from bounds.papers import PAPERS
from theory_lab.methods.record import Figures, Method

METHODS: dict[str, Method] = {one.name: one for paper in PAPERS for one in import_module(f"theory_lab.methods.{paper}").METHODS}


def known(modules: Iterable[ModuleType] = ()) -> dict[str, Method]:
    """Return all methods by name: the lab's, and the METHOD of each module that has one."""
    found = dict(METHODS)
    for module in modules:
        one = getattr(module, "METHOD", None)
        if one is None:
            continue
        if not isinstance(one, Method) or one.name in found:
            why = f"the lab has a method {one.name!r}" if isinstance(one, Method) else "a theory_lab.methods.record.Method is needed"
            raise ValueError(f"METHOD in {module.__file__}: {why}")
        found[one.name] = one
    return found


def figures(methods: Iterable[Method]) -> dict[str, Figures]:
    """Return, for the name of every figure, the record that it belongs to."""
    return {name: one.figures for one in methods if one.figures for name in one.figures.names}
