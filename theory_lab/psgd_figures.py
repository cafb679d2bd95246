"""The figures of the second-order paper on the command line."""

from __future__ import annotations

import argparse
import importlib
import json
from dataclasses import replace

MODULES = {
    "psgd-escape": "figures.psgd_escape",
    "psgd-rate": "figures.psgd_rate",
    "psgd-distributed": "figures.psgd_distributed",
    "psgd-selection": "figures.psgd_selection",
    "psgd-digits": "figures.psgd_digits",
}
NOT_TAKEN = ("accountant", "dimensions", "spectra", "horizons", "n", "epsilon", "delta")  # options of the DPZero figures


def run_psgd_figures(arguments: argparse.Namespace) -> int:
    """Conduct the experiments, then draw, write and name the files."""
    from figures import style
    from synthetic.store import Store, StoreError
    from theory_lab.progress import reporter

    for name in NOT_TAKEN:
        if getattr(arguments, name) is not None:
            raise ValueError(f"{name} = {getattr(arguments, name)!r}: the figures {', '.join(MODULES)} do not take it, leave it out")
    for name in arguments.names:
        if name not in MODULES:
            raise ValueError(f"names = {' '.join(arguments.names)}: figures of one paper at a time are needed")
    if arguments.workers is not None and arguments.workers < 1:
        raise ValueError(f"workers = {arguments.workers}: an integer of at least 1 is needed")
    written = {}
    try:
        with Store(arguments.store) as store, reporter() as progress:
            for name in arguments.names:
                module = importlib.import_module(MODULES[name])
                experiment = module.PREVIEW if arguments.preview else module.PAPER
                if arguments.seed is not None:
                    experiment = replace(experiment, seed=arguments.seed)
                record = module.data(experiment, store, workers=arguments.workers, progress=progress)
                rows = module.table(record)
                written[name] = style.save(module.draw(record), name, arguments.out, rows, module.provenance(record)), rows
    except (StoreError, OSError) as error:
        raise ValueError(str(error)) from None
    if arguments.json:
        print(json.dumps({name: {"files": [str(p) for p in paths], "rows": rows} for name, (paths, rows) in written.items()}))
    else:
        for paths, _ in written.values():
            print(" ".join(str(path) for path in paths))
    return 0
