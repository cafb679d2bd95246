"""Cells of a sweep: one call of `simulate` for one seed, with all of its replicates, as processes run it."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from theory_lab.methods.record import Method
from theory_lab.sweeps.file import Sweep, simulate_options
from theory_lab.sweeps.results import REMARKS

if TYPE_CHECKING:
    import numpy as np

    from synthetic.sweeps.sweep import Cell


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
    return Cell("theory_lab.sweeps.cells:simulate_cell", arguments, cost=size, label=label_text({**row, "seed": seed}, [*row, "seed"]))


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
