"""The command ``theory-lab sweep FILE``: run methods over a grid of options, keep finished cells, and write rows and a picture.

A cell is one call of `simulate` for one seed, with all of its replicates. A row is a setting: the mean and its interval over the seeds,
whose data are independent. With a single seed the interval is over the replicates, on fixed data.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from theory_lab.sweeps.cells import make_cell
from theory_lab.sweeps.computing import add_options as add_computing
from theory_lab.sweeps.computing import check_options, open_workers
from theory_lab.sweeps.file import Run, Sweep, SweepFile, batch_sampling, parse_sweep, read_sweep
from theory_lab.sweeps.rehearsal import check_runs, split_cells
from theory_lab.sweeps.results import (
    REMARKS,
    axis_values,
    column_words,
    interval_basis,
    latex_table,
    picture_axes,
    plotted_column,
    replicate_rows,
    summary_rows,
    write_results,
)  # fmt: skip

if TYPE_CHECKING:
    from theory_lab.methods.record import Method
    from theory_lab.sweeps.own_cells import OwnFiles

DESCRIBED = (
    "Run methods over a grid that a TOML file describes. Keys above all tables: method, and options of simulate, each with one value or a "
    "list. [with]: what --with takes. [privacy]: epsilon, delta and accountant, which determine sigma. [plot]: x, y and by. Writes CSV, "
    "provenance and, if there is an x, a picture."
)
MOST_SAID = 3  # largest number of releases that each get a remark
BATCHES = (
    "n and the batch size B of a run determine the rate B/n and the divisor B of its batches. Both are public constants: they do not "
    "change with the actual number of records."
)
PLANNED = (
    "The epsilon and delta of a plan may hold for one point of a run only, such as x_tau, and not for its end or its path. The command "
    "theory-lab recommend tells what may be published."
)


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add the options of `theory-lab sweep` to its parser."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a TOML file that describes the sweep; docs/howto/sweep.md has one")
    parser.add_argument("--out", type=Path, default=Path("out/sweeps"), metavar="DIR", help="folder for the files (default: %(default)s)")
    words = "file that keeps results of finished cells; the same command resumes from it (default: %(default)s)"
    parser.add_argument("--store", type=Path, default=Path("results/sweeps.sqlite"), metavar="FILE", help=words)
    add_computing(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="print the table for a paper")
    form.add_argument("--json", action="store_true", help="print the files and the rows as JSON")
    parser.set_defaults(run="theory_lab.commands.sweep:run_sweep")


def run_sweep(arguments: argparse.Namespace) -> int:
    """Run the command `sweep`: compute the cells, print and write the results; return 0, or 3 where a process dies repeatedly."""
    from bounds.strict_json import strict_json
    from figures.files import prepare_folder, unwritable_error
    from figures.sweep import MAX_LINES, group_rows
    from synthetic.sweeps.cluster import OtherCode
    from synthetic.sweeps.store import Store, StoreError
    from synthetic.sweeps.sweep import run
    from synthetic.sweeps.workers import WorkerDied
    from theory_lab.methods import all_methods
    from theory_lab.progress import open_reporter
    from theory_lab.sweeps.own_cells import read_own

    check_options(arguments, carried=True)
    file, methods = read_sweep(arguments.file), all_methods(arguments.own)
    sweep = parse_sweep(file, methods)
    check_kernels(file, sweep, methods)
    own = read_own(arguments.own)
    used = [run_files(own, methods, run) for run in sweep.runs]
    own.only(path for files in used for path in files)
    x, by = picture_axes(sweep)
    if x:  # an impossible picture is an error before the work starts
        group_rows([axis_values(sweep, place) for *_, place in sweep.runs], x, by)
    elif len(sweep.runs) > MAX_LINES:
        most = f"at most {MAX_LINES} lines are distinguishable; x in [plot] asks for one"
        words = f"no picture of {len(sweep.runs)} settings is drawn, because {most}"
        print(f"theory-lab: {words}", file=sys.stderr)
    cells = {(k, seed): make_cell(sweep, k, seed, used[k]) for k in range(len(sweep.runs)) for seed in sweep.seeds}
    prepare_folder("out", arguments.out)
    try:
        with Store(arguments.store) as store, open_reporter() as progress, open_workers(arguments) as given, own.carrying(given) as workers:
            try:
                check_runs(sweep, cells, store, methods)
                first, then, expected = split_cells(sweep, cells, lambda arrays: plotted_column(file, sweep, arrays))
                found = run(first, store, workers=workers, progress=lambda p: progress(sweep.name, p), then=then, expected=expected)
            except OtherCode:
                raise
            except ValueError as error:  # raised by a run
                said = str(error).replace("--with ", "[with] ")  # the table of the file
                raise ValueError(said if said.startswith(str(arguments.file)) else f"{arguments.file}: {said}") from None
    except StoreError as error:
        raise ValueError(str(error)) from None
    except WorkerDied as error:
        print(f"theory-lab: {error}; the other cells are kept in {arguments.store}, the same command continues", file=sys.stderr)
        return 3
    arrays = {where: found[one.key] for where, one in cells.items()}
    y = plotted_column(file, sweep, arrays)
    rows, single = summary_rows(sweep, arrays), replicate_rows(sweep, arrays)
    of_runs = [str(one) for columns in arrays.values() for one in columns.get(REMARKS, ())]
    remarks = list(dict.fromkeys([*plan_remarks(sweep), *batch_remarks(file, sweep), *delta_remarks(file, sweep), *of_runs]))
    remarks += own_remarks(file, sweep, methods)
    try:
        paths = write_results(arguments.out, file, sweep, y, rows, single, remarks, own.provenance())
    except OSError as error:
        raise unwritable_error("out", arguments.out, error) from None
    for said in (*own.changed(), progress.summary(arguments.store, arguments.out)):
        print(f"theory-lab: {said}", file=sys.stderr)
    if arguments.json:
        print(strict_json({"files": [str(path) for path in paths], "rows": rows} | ({REMARKS: remarks} if remarks else {})))
        return 0
    columns = ("method", *sweep.axes, y, f"{y}_low", f"{y}_high", "not_finite")
    shown = [{name: value for name, value in row.items() if name in columns} for row in rows]
    means = f"mean and 95 % interval over {interval_basis(sweep, arrays)}"
    if arguments.latex:
        papers = list(dict.fromkeys(methods[method].paper for method, *_ in sweep.runs))
        print(latex_table(f"{column_words(y)}, {means}", file, sweep, shown, remarks, papers))
        return 0
    from theory_lab.tables import print_rows

    print_rows(f"{sweep.name}: {y}, {means}", shown)
    for said in remarks:
        print(f"- {said}")
    print(" ".join(str(path) for path in paths))
    return 0


def plan_remarks(sweep: Sweep) -> list[str]:
    """Return the remark that a plan's privacy may not hold for the end of a run, in a list; empty where no run uses a plan."""
    return [PLANNED] if any(options.get("plan") for _, options, *_ in sweep.runs) else []


def batch_remarks(file: SweepFile, sweep: Sweep) -> list[str]:
    """Return remarks on n and the batch size as public constants, for runs with noise from [privacy]; one in all for many settings."""
    from bounds.privacy.accounting import of_means

    given = [{**options, **more} for _, options, more, _ in sweep.runs if file.tables["privacy"] and "sigma" in options]
    drawn = [(one["n"], one["batch_size"], batch_sampling(one)) for one in given if one.get("batch_size")]
    said = list(dict.fromkeys(of_means(n, B, 1.0, sampling=sampling).describe() for n, B, sampling in drawn))
    return said if len(said) <= MOST_SAID else [BATCHES]


def delta_remarks(file: SweepFile, sweep: Sweep) -> list[str]:
    """Return a remark for each delta of the file that is not well below 1/n."""
    from bounds.privacy.gaussian import delta_remark

    deltas = [one for table in ("", "privacy") if "delta" in file.tables[table] for one in file.values_of(table, "delta")]
    sizes = dict.fromkeys(options["n"] for _, options, *_ in sweep.runs if options.get("n"))
    return [f"{said}." for delta, n in product(deltas, sizes) if (said := delta_remark(float(delta), float(n)))]


def own_remarks(file: SweepFile, sweep: Sweep, methods: Mapping[str, Method]) -> list[str]:
    """Return a remark for each method of the user whose noise [privacy] determines: what the accountant takes it to release."""
    from theory_lab.methods import METHODS
    from theory_lab.sweeps.own_cells import noise_remark

    if not file.tables["privacy"]:
        return []
    own = dict.fromkeys(name for name, options, *_ in sweep.runs if name not in METHODS and "sigma" in options)
    return [noise_remark(name) for name in own if getattr(methods[name].runner, "private", False)]


def check_kernels(file: SweepFile, sweep: Sweep, methods: Mapping[str, Method]) -> None:
    """Raise ValueError for a method that cannot be run: the lab's command runs a kernel, and the method has none."""
    from synthetic.methods.record import Kernel
    from theory_lab.sweeps.rehearsal import runs_kernel

    for name in dict.fromkeys(name for name, *_ in sweep.runs):
        if runs_kernel(methods[name]) and not isinstance(methods[name].runner, Kernel):
            said = "its kernel must be a synthetic.methods.record.Kernel, or its `simulated` a function of your own"
            raise file.error_at("", "method", f"method = {name!r}: it cannot be run; {said}")


def run_files(own: OwnFiles, methods: Mapping[str, Method], run: Run) -> dict[str, str]:
    """Return {path: version} of the user's files that a run uses, for its method and its objective."""
    method, options, *_ = run
    kind = methods[method].kind
    return own.of_run(method, kind.listed, options.get("objective", next(iter(kind.table)))) if kind else own.of_run(method)
