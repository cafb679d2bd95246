"""The methods of the papers: METHODS has a light record of each, by name. No heavy library is imported."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from types import ModuleType

from bounds.papers import PAPERS
from theory_lab.methods.record import Figures, Method, Option

METHODS: dict[str, Method] = {one.name: one for paper in PAPERS for one in import_module(f"theory_lab.methods.{paper}").METHODS}


def known(modules: Sequence[ModuleType] = ()) -> dict[str, Method]:
    """Return all methods by name: the lab's, those of the user's files `modules`, each with the objectives that these files add."""
    if not modules:
        return METHODS
    from theory_lab.own import table

    own = table(modules, "METHODS")
    taken = figures(METHODS.values()).keys() & figures(own.values()).keys()
    if taken:
        raise ValueError(f"METHOD: the lab already has a figure {min(taken)!r}; another name is needed")
    of_figures(figures({**METHODS, **own}.values()))
    found = METHODS | own
    for name, one in found.items():
        if one.kind:
            more = {**one.kind.table, **table(modules, one.kind.listed)}
            found[name] = replace(one, kind=replace(one.kind, table=more))
    return found


def of_figures(known: Mapping[str, Figures]) -> dict[str, Option]:
    """Return the options that figures take, by name; raise ValueError if two figures give one name or flag two meanings."""
    found: dict[str, Option] = {}
    for option in (one for record in known.values() for one in record.options):
        for other in found.values():
            same = (option.name, option.written, option.kind, option.choices, option.many) == (
                other.name, other.written, other.kind, other.choices, other.many,
            )  # fmt: skip
            if not same and (option.name == other.name or option.written == other.written):
                raise ValueError(
                    f"options of figures: {option.written} is taken, it means {other.help!r}; another name for {option.name!r} is needed"
                )
        found.setdefault(option.name, option)
    return found


def figures(methods: Iterable[Method]) -> dict[str, Figures]:
    """Return, by the name of each figure, the `Figures` record that it belongs to."""
    return {name: one.figures for one in methods if one.figures for name in one.figures.names}
