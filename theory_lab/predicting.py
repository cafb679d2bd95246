"""``theory-lab predict``: runs in law on the terminal. Not prediction.py, which is heavy: the help must not open it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from theory_lab.methods.record import Method

SHOWN = 12  # of the times, in the table on the terminal
WORDS = "what runs on a quadratic do, at any dimension"
NEEDED = "a value, or a value and its multiplicity, is needed"


def add_options(parser: argparse.ArgumentParser, record: Method) -> None:
    """Give the command of a method its options."""
    for option in record.law:
        option.add(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print the trajectory as CSV")
    form.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.set_defaults(run="theory_lab.predicting:run_predict", record=record)


def run_predict(arguments: argparse.Namespace) -> int:
    """Predict runs and print start, end and trajectory of the four measures, with what is to be said of them."""
    import theory_lab as lab

    given: dict[str, Any] = {one.name: getattr(arguments, one.name) for one in arguments.record.law}
    file = given.pop("spectrum_file")
    if file is not None and given["spectrum"] is not None:
        raise ValueError(f"spectrum = {given['spectrum']!r}: --spectrum-file gives it, leave one of the two out")
    given["spectrum"] = spectrum_of(file) if file is not None else given["spectrum"] or "inverse"
    found = lab.predict(arguments.record.name, **given)
    if arguments.json:
        print(found.json())
        return 0
    rows = found.rows()
    if arguments.csv:
        from figures.style import csv_rows

        print(csv_rows(rows), end="")
        return 0
    from theory_lab.tables import console, print_rows

    print_rows(repr(found).partition(":")[0].removeprefix("Prediction("), found.ends())
    every = -(-(len(rows) - 1) // SHOWN)
    some = [rows[0], *rows[len(rows) - 1 :: -every][::-1]]
    names = [row["measure"] for row in found.ends()]
    print_rows("means along the way", [{"t": row["t"], **{name: row[name] for name in names}} for row in some])
    notes = [f"sigma = {found.settings['sigma']:.6g}."] if "sigma" in found.settings else []
    for said in (*notes, *found.remarks):
        console().print(f"- {said}")
    return 0


def spectrum_of(file: Path) -> list[float] | list[tuple[float, float]]:
    """Return the eigenvalues that a file has, one a line, or pairs of them with their multiplicities; what follows # is a remark."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"spectrum-file = {str(file)!r}: it cannot be read as text ({error})") from None
    found = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].replace(",", " ").split()
        try:
            values = [float(word) for word in words]
        except ValueError:
            values = [0.0] * 3
        if len(values) > 2:
            raise ValueError(f"spectrum-file = {str(file)!r}: line {number}: {line.strip()!r:.60}: {NEEDED}")
        if values:
            found.append(values)
    if not found:
        raise ValueError(f"spectrum-file = {str(file)!r}: it has no line with an eigenvalue; {NEEDED}")
    if all(len(one) == 1 for one in found):
        return [value for (value,) in found]
    return [(one[0], one[1] if len(one) == 2 else 1.0) for one in found]
