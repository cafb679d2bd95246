"""The command ``theory-lab sweep FILE``: run methods over a grid of options, keep finished cells, and write rows and a picture.

A cell is one call of `simulate` for one seed, with all of its replicates. A row is a setting: the mean and its interval over the seeds,
whose data are independent. With a single seed the interval is over the replicates, on fixed data.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from theory_lab.sweeps.computing import add_options as add_computing
from theory_lab.sweeps.computing import check_options, open_workers
from theory_lab.sweeps.file import OWN, Run, Sweep, SweepFile, batch_sampling, parse_sweep, read_sweep, simulate_options
from theory_lab.sweeps.rehearsal import check_runs, split_cells

if TYPE_CHECKING:
    import numpy as np

    from synthetic.sweeps.sweep import Cell
    from theory_lab.methods.record import Method
    from theory_lab.sweeps.own_cells import OwnFiles

DESCRIBED = (
    "Run methods over a grid that a TOML file describes. Keys above all tables: method, and options of simulate, each with one value or a "
    "list. [with]: what --with takes. [privacy]: epsilon, delta and accountant, which determine sigma. [plot]: x, y and by. Writes CSV, "
    "provenance and, if there is an x, a picture."
)
REMARKS = "remarks"  # column of warnings about a run, such as that no (epsilon, delta) is guaranteed
COUNTS = ("steps", "samples", "calls", "rounds", "escapes")  # endings of the names of columns that hold counts
MOST_SAID = 3  # largest number of releases that each get a remark
BATCHES = (
    "n and the batch size B of a run determine the rate B/n and the divisor B of its batches. Both are public constants: they do not "
    "change with the actual number of records."
)
PLANNED = (
    "The epsilon and delta of a plan may hold for one point of a run only, such as x_tau, and not for its end or its path. The command "
    "theory-lab recommend tells what may be published."
)
FIRST = ("grad_norm_end", "grad_norm")  # default columns of y, in this order


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


def column_words(name: str) -> str:
    """Return the name of a column as words for a caption, such as "gradient norm end" for grad_norm_end."""
    return " ".join("gradient" if part == "grad" else part for part in name.split("_"))


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


def latex_table(
    title: str, file: SweepFile, sweep: Sweep, rows: Sequence[Mapping[str, Any]], remarks: Sequence[str], papers: Sequence[str]
) -> str:
    """Return rows as a table in LaTeX about these papers, with the settings that all runs share in its caption and the remarks below."""
    from bounds.typeset import latex as typeset

    given = [(name, file.values_of(table, name)) for table in ("", "with", "privacy") for name in file.tables[table] if name not in OWN]
    named = {name: column_words(name) for name in rows[0] if name.startswith("grad_")}
    alike = [
        f"{name} = {values[0]:g}" if isinstance(values[0], float) else f"{name} = {values[0]}" for name, values in given if len(values) == 1
    ]
    said = [one.removesuffix(".") for one in remarks]
    shown = [{named.get(name, name): value for name, value in row.items()} for row in rows]
    return typeset.table_of_rows("; ".join([title, ", ".join(alike)]), shown, said, label=f"sweep {sweep.name}", papers=papers)


def make_cell(sweep: Sweep, k: int, seed: int, files: Mapping[str, str] | None = None) -> Cell:
    """Return the cell that computes run number k of a sweep with this seed; its cost is the product of T, d, n and replicates.

    files   {path: version} of the user's files that the run uses
    """
    from synthetic.sweeps.sweep import Cell
    from theory_lab.sweeps.file import label_text

    method, options, more, row = sweep.runs[k]
    arguments: dict[str, Any] = {"method": method, "options": {**options, "seed": seed}, "more": dict(more)}
    arguments |= {"files": dict(files)} if files else {}
    sizes = (options.get(name, 1) for name in ("T", "d", "n", "replicates"))
    totals = (sum(one) if isinstance(one, tuple) else one for one in sizes)
    size = math.prod(float(min(max(1, one), 10**18)) for one in totals)  # invalid values are reported by the run itself
    return Cell("theory_lab.commands.sweep:simulate_cell", arguments, cost=size, label=label_text({**row, "seed": seed}, [*row, "seed"]))


def simulate_json(record: Method, options: Mapping[str, Any], more: Mapping[str, Any], **watched: Any) -> Mapping[str, Any]:
    """Run `theory-lab simulate` in this process with these options, and return its JSON result as a dictionary.

    Raises ValueError where the method's own function does not return what it must.
    """
    from theory_lab.methods.record import Told
    from theory_lab.own import call_checked

    given = {one.name: [] if one.many else one.default for one in record.options} | {
        one.name: one.default for one in simulate_options(record).values()
    }
    named = {**given, **options, "more": [f"{name}={value}" for name, value in more.items()]}
    arguments = argparse.Namespace(**named, method=record.name, record=record, watched=watched)
    what = f"the function simulated of the method {record.name}"
    found = call_checked(what, record.simulated, "the arguments of the command", arguments)
    rows = found.json.get("replicates") if isinstance(found, Told) and isinstance(found.json, Mapping) else None
    if not rows or any(not isinstance(row, Mapping) or row.keys() != rows[0].keys() for row in rows):
        needed = 'a Told is needed, whose json has "replicates": for each run a dictionary of its results, with the same names'
        raise ValueError(f"{what} gives a sweep no columns: {needed}")
    told: Mapping[str, Any] = found.json
    return told


def simulate_cell(
    *, method: str, options: Mapping[str, Any], more: Mapping[str, Any], files: Mapping[str, str] | None = None
) -> dict[str, np.ndarray]:
    """Simulate one cell and return its results by column, each an array (replicates,): the task that sweep processes call.

    files   {path: version} of the user's files that it uses, which the call carries

    Where a run diverges, its values at the end are infinite.
    """
    import numpy as np

    from theory_lab.sweeps.own_cells import methods_of, readable_errors

    with readable_errors(files or {}):
        told = simulate_json(methods_of(files or {})[method], options, more)
    rows = told["replicates"]
    columns = [name for name, value in rows[0].items() if name != "replicate" and isinstance(value, int | float | str)]
    found = {name: np.array([row[name] for row in rows]) for name in columns}
    if not any(array.dtype.kind in "biuf" for array in found.values()):
        raise ValueError(f"the function simulated of the method {method} gives a sweep no columns: its results have no number")
    if "finite_steps" in found:  # for a diverged run, `simulate` reports the last finite iterate
        left = found["finite_steps"] < np.sum(told["settings"]["T"])
        found |= {name: np.where(left, np.inf, array) for name, array in found.items() if name.endswith("_end")}
    against = [told.get("unaccounted", "")]  # from gauss_psgd; other methods report in remarks that a plan does not cover the run
    against += told.get("remarks", ()) if options.get("plan") and "plan" not in told else ()
    if text := " ".join(one for one in against if one):
        found[REMARKS] = np.array([text] * len(rows))
    return found


def plotted_column(file: SweepFile, sweep: Sweep, arrays: Mapping[Any, Mapping[str, np.ndarray]]) -> str:
    """Return the name of the column that is plotted and printed as y; raise ValueError if it is missing or not numeric."""
    columns = [name for name, array in next(iter(arrays.values())).items() if array.dtype.kind in "biuf"]
    both = [name for name in columns if all(name in one for one in arrays.values())]
    if not both:
        raise ValueError(f"{file.path}: its methods have no result in common; use one file per method")
    y = sweep.plot.get("y", next((name for name in FIRST if name in both), both[0]))
    if y not in both:
        raise file.error_at("plot", "y", f"y = {y!r}: one of {', '.join(both)} is needed")
    return str(y)


def summary_rows(sweep: Sweep, arrays: Mapping[Any, Mapping[str, np.ndarray]]) -> list[dict[str, Any]]:
    """Return one row per run: its settings on the axes, and for each numeric column mean, interval and the count of non-finite values."""
    import numpy as np

    rows = []
    for k, (_, options, _, place) in enumerate(sweep.runs):
        row: dict[str, Any] = axis_values(sweep, place) | {"sigma": options.get("sigma", ""), "seeds": len(sweep.seeds)}
        of_seeds = [arrays[k, seed] for seed in sweep.seeds]
        row |= {"replicates": len(next(iter(of_seeds[0].values()))), "not_finite": 0}
        for name, first in of_seeds[0].items():
            if first.dtype.kind in "biuf":
                values = np.array([one[name] for one in of_seeds], dtype=float)
                bad = ~np.isfinite(values)
                row["not_finite"] = max(row["not_finite"], int(bad.sum()))
                row |= mean_columns(name, values, bool(bad.any()))
        rows.append(row)
    names = list(dict.fromkeys(name for row in rows for name in row))
    return [{name: row.get(name, "") for name in names} for row in rows]


def axis_values(sweep: Sweep, place: Mapping[str, Any]) -> dict[str, Any]:
    """Return the method and the axis values of a run, as a dictionary; "" for an axis that its method does not have."""
    return {name: place.get(name, "") for name in ("method", *(axis for axis in sweep.axes if axis != "method"))}


def mean_columns(name: str, values: np.ndarray, bad: bool) -> dict[str, float]:
    """Return the mean of values (seeds, replicates) and the ends of its 95 % interval, as columns name, name_low, name_high.

    All are infinite where `bad`, that is, where a value is not finite. The ends are NaN for a single value.
    """
    from figures.style import interval_columns
    from synthetic.estimate import Interval, clustered_mean

    if bad:
        return interval_columns(**{name: Interval(math.inf, math.inf, math.inf, 0.95)})
    clusters = values if len(values) > 1 else values.T
    if len(clusters) == 1:
        return interval_columns(**{name: Interval(float(values[0, 0]), math.nan, math.nan, 0.95)})
    return interval_columns(**{name: clustered_mean(clusters, within=column_range(name))})


def column_range(name: str) -> tuple[float, float]:
    """Return the range (low, high) of possible values of a column, to which intervals of its mean are limited."""
    from synthetic.estimate import ANY, SHARE, SIZE

    return SIZE if "grad_norm" in name or name.endswith(COUNTS) else SHARE if name == "clipped" else ANY


def replicate_rows(sweep: Sweep, arrays: Mapping[Any, Mapping[str, np.ndarray]]) -> list[dict[str, Any]]:
    """Return one row per run, seed and replicate, with all columns."""
    rows = []
    for (k, seed), columns in arrays.items():
        first = axis_values(sweep, sweep.runs[k][3])
        for r in range(len(next(iter(columns.values())))):
            rows.append(first | {"seed": seed, "replicate": r} | {name: array[r].item() for name, array in columns.items()})
    names = list(dict.fromkeys(name for row in rows for name in row))
    return [{name: row.get(name, "") for name in names} for row in rows]


def interval_basis(sweep: Sweep, arrays: Mapping[Any, Mapping[str, np.ndarray]]) -> str:
    """Return in words what the intervals are computed over, such as "5 seeds"."""
    if len(sweep.seeds) > 1:
        return f"{len(sweep.seeds)} seeds"
    counts = sorted({len(next(iter(columns.values()))) for columns in arrays.values()})
    words = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])
    return f"{words} replicates on the data of one seed" if counts[-1] > 1 else "one run, which has none"


def picture_axes(sweep: Sweep) -> tuple[str, list[str]]:
    """Return (x, by): the axis of the picture, "" for no picture, and the axes whose values distinguish its lines.

    By default x is the first numeric axis. Without x and by in [plot], a sweep with too many lines is not drawn.
    """
    from figures.sweep import MAX_LINES

    numbers = (axis for axis in sweep.axes if all(isinstance(run[3].get(axis), int | float) for run in sweep.runs))
    x = sweep.plot.get("x") or next(numbers, "")
    by = [axis for axis in sweep.plot.get("by", sweep.axes) if axis != x]
    lines = {tuple(run[3].get(axis) for axis in by) for run in sweep.runs}
    return "" if not sweep.plot.keys() & {"x", "by"} and len(lines) > MAX_LINES else x, by


def write_results(
    out: Path,
    file: SweepFile,
    sweep: Sweep,
    y: str,
    rows: Sequence[Mapping[str, Any]],
    single: Sequence[Mapping[str, Any]],
    remarks: Sequence[str],
    own: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write the rows, the replicates, a picture if there is an x axis, and the crate that lists them; return the paths.

    own   checksum and text of the user's modules, by name, for the provenance
    """
    from figures import crate, style
    from figures.sweep import draw_sweep

    provenance: dict[str, Any] = {"sweep": sweep.name, "file": file.text, "seeds": list(sweep.seeds), "y": y, REMARKS: list(remarks)}
    provenance |= {"modules": own} if own else {}
    x, by = picture_axes(sweep)
    name = crate.free_name(sweep.name, out, provenance)
    if words := crate.renaming_message(name, sweep.name, out):
        print(f"theory-lab: {words}", file=sys.stderr)
    beside = [style.write_rows(out / f"{name}-replicates.csv", single), *write_parquet(out / f"{name}-replicates.parquet", single)]
    if x:
        picture, exponents = draw_sweep(sweep.name, rows, x, y, by)
        return style.save_figure(picture, name, out, rows, provenance | {"x": x, "exponents": exponents}, beside)
    files = [style.write_rows(out / f"{name}.csv", rows), *beside]
    return [*files, crate.write_crate(name, out, files, provenance)]


def write_parquet(path: Path, rows: Sequence[Mapping[str, Any]]) -> list[Path]:
    """Write rows as a Parquet file if pyarrow is installed; return a list with its path, or an empty list."""
    try:
        from pyarrow import Table
        from pyarrow.parquet import write_table
    except ImportError:
        return []
    from figures.files import atomic_path

    columns = {name: [None if row[name] == "" else row[name] for row in rows] for name in rows[0]}
    for name, values in columns.items():
        if len({isinstance(value, str) for value in values if value is not None}) > 1:  # "0.2,0.1" beside 0.1
            columns[name] = [None if value is None else str(value) for value in values]
    with atomic_path(path) as part:
        write_table(Table.from_pydict(columns), part)
    return [path]
