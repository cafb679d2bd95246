"""``theory-lab figure``: conduct the experiments behind the figures of one paper, then draw, write and name the files."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.strict_json import strict_json

if TYPE_CHECKING:
    from synthetic.store import Store
    from synthetic.sweep import Progress

    Report = Callable[[str, Progress], None]
    Drawn = tuple[str, Any, list[dict[str, Any]], dict[str, Any]]  # name, picture, rows, provenance

PSGD = {
    "psgd-escape": "figures.psgd_escape",
    "psgd-rate": "figures.psgd_rate",
    "psgd-distributed": "figures.psgd_distributed",
    "psgd-selection": "figures.psgd_selection",
    "psgd-digits": "figures.psgd_digits",
}
DPZERO = ("dpzero-1", "dpzero-2", "dpzero-3")
FIGURES = (*DPZERO, *PSGD)
OF_DPZERO = ("accountant", "dimensions", "spectra", "horizons", "n", "epsilon", "delta")  # options that its figures alone take


def default_store(names: list[str]) -> Path:
    """Return where the finished cells of these figures are kept."""
    return Path("results/psgd.sqlite" if names[0] in PSGD else "results/dpzero.sqlite")


def run_figure(arguments: argparse.Namespace) -> int:
    """Draw what was asked for and print the files, or the files and rows as JSON; return 3 where a process dies again and again."""
    from figures import style
    from figures.files import ready, unwritable
    from synthetic.store import Store, StoreError
    from synthetic.workers import WorkerDied
    from theory_lab.progress import reporter

    if arguments.workers is not None and arguments.workers < 1:
        raise ValueError(f"workers = {arguments.workers}: an integer of at least 1 is needed")
    ours = [name in PSGD for name in arguments.names]
    if any(ours) != all(ours):
        raise ValueError(f"names = {' '.join(arguments.names)}: figures of one paper at a time are needed")
    draw = psgd_figures if all(ours) else dpzero_figures
    ready("out", arguments.out)
    written = {}
    try:
        with Store(arguments.store) as store, reporter() as progress:
            for name, picture, rows, provenance in draw(arguments, store, progress):
                if provenance.get("preview"):
                    print(f"theory-lab: {name} is a preview: {provenance['preview']}", file=sys.stderr)
                try:
                    paths = style.save(picture, name, arguments.out, rows, provenance)
                except OSError as error:
                    raise unwritable("out", arguments.out, error) from None
                written[name] = paths, rows, provenance.get("preview", "")
    except StoreError as error:
        raise ValueError(str(error)) from None
    except WorkerDied as error:
        print(f"theory-lab: {error}; the other cells are kept in {arguments.store}, the same command goes on", file=sys.stderr)
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


def dpzero_figures(arguments: argparse.Namespace, store: Store, progress: Report) -> Iterator[Drawn]:
    """Give the figures of the DPZero paper, which share one experiment."""
    from bounds.privacy import delta_remark
    from figures import dpzero_synthetic
    from paper_checks.dpzero.synthetic_experiment import PAPER, PREVIEW, conduct

    given = {name: getattr(arguments, name) for name in (*OF_DPZERO, "seed") if getattr(arguments, name) is not None}
    experiment = replace(PREVIEW if arguments.preview else PAPER, **given)
    measures = tuple(dict.fromkeys(measure for name in arguments.names for measure in dpzero_synthetic.ROWS[name]))
    outcome = conduct(experiment, store, measures=measures, workers=arguments.workers, progress=progress)
    less, remark = dpzero_synthetic.smaller_grid(experiment), delta_remark(experiment.delta, experiment.n)
    if remark:
        print(f"theory-lab: {remark}", file=sys.stderr)
    for name in arguments.names:
        picture, record = dpzero_synthetic.draw(outcome, name), dpzero_synthetic.record(outcome, name)
        record |= {"remark": remark} if remark else {}
        yield name, picture, dpzero_synthetic.table(outcome, name), record | marked(picture, less, dpzero_synthetic.cannot_show(experiment))


def psgd_figures(arguments: argparse.Namespace, store: Store, progress: Report) -> Iterator[Drawn]:
    """Give the figures of the second-order paper, an experiment each."""
    from figures.style import departures

    for name in OF_DPZERO:
        if getattr(arguments, name) is not None:
            raise ValueError(f"{name} = {getattr(arguments, name)!r}: the figures {', '.join(PSGD)} do not take it, leave it out")
    for name in arguments.names:
        module = importlib.import_module(PSGD[name])
        experiment = module.PREVIEW if arguments.preview else module.PAPER
        if arguments.seed is not None:
            experiment = replace(experiment, seed=arguments.seed)
        record = module.data(experiment, store, workers=arguments.workers, progress=progress)
        picture, less = module.draw(record), departures(experiment, module.PAPER)
        yield name, picture, module.table(record), module.provenance(record) | marked(picture, less, FEWER_RUNS)


FEWER_RUNS = "with fewer runs and settings its intervals are wider, and what the full figure shows may not be seen in it"


def marked(picture: Any, less: str, cannot_show: str) -> dict[str, str]:
    """Write above a picture in what it is less than the full figure; return what its provenance says of that, nothing for nothing."""
    from figures.style import mark_preview

    if not less:
        return {}
    mark_preview(picture, less)
    return {"preview": f"not the full figure: {less}; {cannot_show}"}
