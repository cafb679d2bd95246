"""The methods of the papers: METHODS has a light record of each, by name. No heavy library is imported."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from types import ModuleType

from bounds.papers import PAPERS
from synthetic.declared.fields import Declaration
from theory_lab.methods.record import Figures, Method, Option

METHODS: dict[str, Method] = {one.name: one for paper in PAPERS for one in import_module(f"theory_lab.methods.{paper}").METHODS}


def record_of(declared: type[Declaration]) -> Method:
    """Return the record of a declared method: one of the lab's, or what `theory_lab.methods.own.declare` has made of it.

    Raises ValueError for a declaration that no record has.
    """
    found = METHODS.get(declared.key)
    if found and found.declared is declared:
        return found
    if declared.method is None:
        raise ValueError(
            f"method = {declared.__name__}(...): no loop is known for it; METHOD = declare({declared.__name__}, ...) is needed"
        )
    own: Method = declared.method
    return own


def find_method(method: str | type[Declaration] | Method, allowed: Collection[str]) -> Method:
    """Return the record of a method by its name or declaration, or a given record itself; raise ValueError unless it is allowed."""
    if isinstance(method, Method):
        return method
    if isinstance(method, Declaration):
        given = type(method).__name__
        raise ValueError(f"method = {given}(...): the class is needed here, {given}, and the settings as arguments")
    if isinstance(method, type) and issubclass(method, Declaration):
        record = record_of(method)
        if METHODS.get(record.name) is not record:
            return record
        method = record.name
    from synthetic.validate import one_of

    try:
        one_of(tuple(allowed), method=method)
    except ValueError as error:
        raise ValueError(f"{error}; for a method of your own, give its class") from None
    return METHODS[method]


def all_methods(modules: Sequence[ModuleType] = ()) -> dict[str, Method]:
    """Return all methods by name: the lab's, those of the user's files `modules`, each with the objectives that these files add."""
    if not modules:
        return METHODS
    from theory_lab.own import user_entries

    own = user_entries(modules, "METHODS")
    taken = figures_by_name(METHODS.values()).keys() & figures_by_name(own.values()).keys()
    if taken:
        raise ValueError(f"METHOD: the lab already has a figure {min(taken)!r}; another name is needed")
    figure_options(figures_by_name({**METHODS, **own}.values()))
    found = METHODS | own
    for name, one in found.items():
        if one.kind:
            more = {**one.kind.table, **user_entries(modules, one.kind.listed)}
            found[name] = replace(one, kind=replace(one.kind, table=more))
    return found


def figure_options(known: Mapping[str, Figures]) -> dict[str, Option]:
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


def figures_by_name(methods: Iterable[Method]) -> dict[str, Figures]:
    """Return, by the name of each figure, the `Figures` record that it belongs to."""
    return {name: one.figures for one in methods if one.figures for name in one.figures.names}
