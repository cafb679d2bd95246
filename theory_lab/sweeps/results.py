"""Results of a sweep: rows with means and intervals, the plotted column, tables in LaTeX, and the files that are written."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theory_lab.sweeps.file import OWN, Sweep, SweepFile

if TYPE_CHECKING:
    import numpy as np


REMARKS = "remarks"  # column of warnings about a run, such as that no (epsilon, delta) is guaranteed
COUNTS = ("steps", "samples", "calls", "rounds", "escapes")  # endings of the names of columns that hold counts
FIRST = ("grad_norm_end", "grad_norm")  # default columns of y, in this order


def column_words(name: str) -> str:
    """Return the name of a column as words for a caption, such as "gradient norm end" for grad_norm_end."""
    return " ".join("gradient" if part == "grad" else part for part in name.split("_"))


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
