"""The command ``theory-lab figure``: run the experiments of figures, draw them, and write the files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bounds.strict_json import strict_json
from theory_lab.methods import all_methods, figure_options, figures_by_name
from theory_lab.methods.record import Drawn, Figures, resolved
from theory_lab.own import call_checked, user_entries
from theory_lab.sweeps.computing import add_options as add_computing
from theory_lab.sweeps.computing import check_options, open_workers

if TYPE_CHECKING:
    from synthetic.sweeps.store import Store
    from theory_lab.sweeps.own_cells import OwnFiles


DESCRIBED = "Redraw figures of the papers."


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add the options of `theory-lab figure` to its parser; `modules` are the user's own files."""
    pictures = figures_by_name(all_methods(modules).values())
    parser.add_argument("names", nargs="+", metavar="NAME", choices=tuple(pictures), help=", ".join(pictures))
    parser.add_argument("--preview", action="store_true", help="run a smaller experiment, in about a minute")
    parser.add_argument("--out", type=Path, default=Path("out/figures"), metavar="DIR", help="folder for the files (default: %(default)s)")
    stores = ", ".join(dict.fromkeys(one.store for one in pictures.values()))
    words = f"file that keeps results of finished cells; the same command resumes from it (default, by paper: {stores})"
    parser.add_argument("--store", type=Path, metavar="FILE", help=words)
    add_computing(parser)
    for option in figure_options(pictures).values():
        option.add(parser)
    parser.add_argument("--json", action="store_true", help="print the files and the rows as JSON")
    parser.set_defaults(run="theory_lab.commands.figure:run_figure", known=pictures)


def run_figure(arguments: argparse.Namespace) -> int:
    """Run the command `figure`: draw the named figures and print their files; return 0, or 3 where a process dies repeatedly."""
    from figures import crate, style
    from figures.files import prepare_folder, unwritable_error
    from synthetic.sweeps.store import Store, StoreError
    from synthetic.sweeps.workers import WorkerDied
    from theory_lab.progress import open_reporter

    known: Mapping[str, Figures] = arguments.known
    record = known[arguments.names[0]]
    arguments.store = arguments.store or Path(record.store)  # set here, because the message after an interrupt names it
    names, chosen = arguments.names, getattr(arguments, "methods", None) or ()
    check_options(arguments, carried=bool(chosen))
    check_use(arguments.own, names, chosen)
    if not all(name in record.names for name in arguments.names):
        raise ValueError(
            f"names = {' '.join(arguments.names)}: only figures of a single paper can be drawn together; use one command per paper"
        )
    for name in figure_options(known).keys() - {one.name for one in record.options}:
        if getattr(arguments, name) is not None:
            raise ValueError(f"{name} = {getattr(arguments, name)!r}: the figures {', '.join(record.names)} do not take it; leave it out")
    prepare_folder("out", arguments.out)
    written = {}
    try:
        with Store(arguments.store) as store, open_reporter() as progress, open_workers(arguments) as arguments.workers:
            given = call_checked(
                "the function drawn of the figures", record.drawn, "(arguments, store, progress)", arguments, store, progress
            )
            for name, picture, rows, provenance in given:
                if name not in arguments.names:
                    raise ValueError(
                        f"the function drawn of the figures returned a figure {name!r}; one of {', '.join(arguments.names)} is needed"
                    )
                if provenance.get("preview"):
                    print(f"theory-lab: {name} is a preview: {provenance['preview']}", file=sys.stderr)
                usual = f"{name}-preview" if provenance.get("preview") else name
                stem = crate.free_name(usual, arguments.out, provenance)
                if words := crate.renaming_message(stem, usual, arguments.out):
                    print(f"theory-lab: {words}", file=sys.stderr)
                try:
                    paths = style.save_figure(picture, stem, arguments.out, rows, provenance)
                except OSError as error:
                    raise unwritable_error("out", arguments.out, error) from None
                written[name] = paths, rows, provenance.get("preview", "")
        print(f"theory-lab: {progress.summary(arguments.store, arguments.out)}", file=sys.stderr)
    except StoreError as error:
        raise ValueError(str(error)) from None
    except WorkerDied as error:
        print(f"theory-lab: {error}; the other cells are kept in {arguments.store}, the same command continues", file=sys.stderr)
        return 3
    if arguments.json:
        told = {
            name: {"files": [str(path) for path in paths], "rows": rows} | ({"preview": preview} if preview else {})
            for name, (paths, rows, preview) in written.items()
        }
        print(strict_json(told))
    else:
        for paths, *_ in written.values():
            print(" ".join(str(path) for path in paths))
    return 0


def check_use(modules: Sequence[ModuleType], names: Sequence[str], methods: Sequence[str]) -> None:
    """Raise ValueError for a file of the user of which nothing is drawn: neither are its figures named nor its methods chosen."""
    if set(methods) - set(all_methods(modules)):  # `choose_parts` reports it
        return
    for module in modules:
        own = user_entries([module], "METHODS")
        if not {*own, *figures_by_name(own.values())} & {*names, *methods}:
            words = f"figure {' '.join(names)} uses nothing of it"
            way = f"draw its method with --methods dpzero,{next(iter(own))}, or leave --module out" if own else "leave --module out"
            raise ValueError(f"module = {module.__file__!r}: {words}; {way}")


def draw_figures(arguments: argparse.Namespace, store: Store, progress: Any) -> Drawn:
    """Yield (name, picture, rows, provenance) for each requested figure, from its experiment with the options of the command line."""
    from figures.style import preview_differences

    record: Figures = arguments.known[arguments.names[0]]
    given = {one.name: getattr(arguments, one.name) for one in record.options if getattr(arguments, one.name) is not None}
    parts, more, own = choose_parts(arguments.names, record, given.pop("methods", ()), getattr(arguments, "own", ()))
    for name, part in parts.items():
        for option in given.keys() - {one.name for one in fields(part.PAPER)}:
            raise ValueError(f"{option} = {given[option]!r}: the figure {name} does not take it; leave it out")
    with own.carrying(arguments.workers) if own else nullcontext(arguments.workers) as workers:
        for name, part in parts.items():
            experiment = replace(part.PREVIEW if arguments.preview else part.PAPER, **given)
            found = part.data(experiment, store, workers=workers, progress=progress)
            picture, provenance = part.draw(found), part.provenance(found) | more
            for said in (*([provenance["remark"]] if "remark" in provenance else []), *more.get("remarks", ())):
                print(f"theory-lab: {said}", file=sys.stderr)
            less = mark_picture(picture, *getattr(part, "less", preview_differences)(experiment, part.PAPER))
            yield name, picture, part.table(found), provenance | less
    for said in own.changed() if own else ():
        print(f"theory-lab: {said}", file=sys.stderr)


def choose_parts(
    names: Sequence[str], record: Figures, chosen: Sequence[str], modules: Sequence[ModuleType]
) -> tuple[dict[str, Any], dict[str, Any], OwnFiles | None]:
    """Return the parts that compute and draw these figures, by name, with the methods `chosen`; and what the provenance says of these.

    The third is the user's files, None where none of their methods is drawn. Raises ValueError for a figure whose methods cannot be chosen.
    """
    parts = {name: resolved(record.parts[name]) for name in names}
    if not chosen:
        return parts, {}, None
    from theory_lab.sweeps.own_cells import noise_remark, read_own
    from theory_lab.sweeps.own_grid import chosen_methods, own_settings

    for name, part in parts.items():
        if not hasattr(part, "with_methods"):
            raise ValueError(f"methods = {','.join(chosen)}: the methods of the figure {name} cannot be chosen; leave it out")
    own, methods = read_own(modules), all_methods(modules)
    found = chosen_methods(chosen, methods, own, " ".join(names))
    mine = {name: own_settings(methods[name].runner) for name, one in found.items() if one}
    more = {"own methods": mine, "modules": own.provenance(), "remarks": list(map(noise_remark, mine))} if mine else {}
    return {name: part.with_methods(found) for name, part in parts.items()}, more, own if mine else None


def mark_picture(picture: Any, less: str, cannot_show: str) -> dict[str, str]:
    """Mark a preview in its picture and return {"preview": text} for its provenance; do nothing and return {} for a full figure."""
    from figures.style import mark_preview

    if not less:
        return {}
    mark_preview(picture, less)
    return {"preview": f"not the full figure: {less}; {cannot_show}"}
