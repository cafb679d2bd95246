"""Checks of Tables 1 and 3 to 13, the figures, and the text about them: the arithmetic, and what it would take to repeat them."""

import math
from itertools import pairwise
from typing import Any

from paper_checks.dp_grape.memory import list_numbers
from paper_checks.dpzero.experiments import tables as dpzero
from paper_checks.shared.findings import check_condition
from paper_checks.shared.tables import check_printed_numbers
from paper_checks.verdict import Finding

Row = tuple[tuple[float, float], ...]  # value and standard error of each column, 0 where none is printed
ADAM, NAIVE, ZERO, GRAPE, LORA = "DP-Adam", "Naive DP-GaLore", "DPZero", "DP-GRAPE", "DP-LoRA"


def parse_rows(text: str) -> dict[str, Row]:
    """Parse lines such as "DPZero 6: 88.2 1.1, 62.4 0.8" and return {method: pairs (value, error)}, error 0 if none is printed."""
    lines = (line.strip().partition(": ") for line in text.strip().splitlines())
    cells = {name: (cell.split() for cell in rest.split(",")) for name, _, rest in lines}
    return {name: tuple((float(one[0]), float(one[1]) if len(one) > 1 else 0.0) for one in row) for name, row in cells.items()}


def parse_rows_by_epsilon(text: str) -> dict[str, Row]:
    """Parse lines of columns, each with the values at epsilon = 1, 2, 4, 8, and return {"method epsilon": pairs (value, 0)}.

    A line looks like "DP-Adam: 97.2 97.5 98.1 98.2, ...".
    """
    lines = (line.strip().partition(": ") for line in text.strip().splitlines())
    whole = {name: [[float(one) for one in column.split()] for column in rest.split(",")] for name, _, rest in lines}
    return {f"{name} {2**k}": tuple((column[k], 0.0) for column in columns) for name, columns in whole.items() for k in range(4)}


TABLE_3 = parse_rows("""
    AdamW: 93.1 0.3, 56.6 0.3, 86.4 0.8, 81.4 0.9, 83.6 1.6, 95.9 0.2
    DP-Adam 6: 91.6 1.2, 49.0 0.3, 81.5 1.4, 76.3 0.9, 77.3 1.1, 89.9 0.8
    DP-Adam 2: 90.5 1.5, 47.5 0.5, 74.6 1.0, 70.3 0.8, 72.8 0.9, 85.0 0.5
    LoRA: 93.3 0.4, 55.3 1.0, 85.9 0.7, 82.2 0.7, 84.2 0.4, 94.6 0.4
    DP-LoRA 6: 91.0 1.3, 48.8 0.5, 81.0 1.5, 72.8 1.8, 74.7 1.3, 89.2 0.8
    DP-LoRA 2: 90.2 1.2, 47.1 0.4, 74.7 1.6, 65.7 0.9, 69.2 1.1, 83.2 2.3
    MeZO: 92.5 0.3, 50.8 0.8, 80.4 0.6, 69.2 0.3, 72.8 1.0, 88.9 0.1
    DPZero 6: 92.2 0.3, 49.3 0.6, 77.8 1.0, 67.4 0.3, 71.9 0.9, 87.6 0.9
    DPZero 2: 91.8 0.1, 47.1 0.9, 73.6 0.9, 62.7 0.9, 70.4 0.7, 82.0 1.6
    DP-GRAPE 6: 93.3 0.4, 49.1 0.1, 83.5 0.4, 76.7 0.4, 76.4 0.8, 92.7 1.0
    DP-GRAPE 2: 92.6 0.5, 44.5 0.4, 79.6 0.4, 68.8 1.2, 72.8 0.9, 88.1 2.2
""")  # SST-2, SST-5, SNLI, MNLI, RTE, TREC
TABLE_4 = parse_rows("""
    MeZO: 88.2 0.9, 63.2 0.8, 91.9 0.5, 65.3 1.3, 93.0 0.2, 67.4 2.3
    DPZero 6: 88.2 1.1, 62.4 0.8, 91.5 1.7, 65.4 1.6, 92.6 0.7, 66.8 1.6
    DPZero 2: 86.8 1.7, 61.6 1.1, 90.5 0.9, 63.7 0.7, 90.6 1.3, 63.7 0.7
    DP-Adam 6: 91.2 0.2, 62.3 0.4, 93.2 0.1, 62.9 0.4
    DP-Adam 2: 85.9 0.8, 59.8 0.7, 92.4 0.04, 62.5 0.3
    DP-GRAPE 6: 90.8 0.5, 62.5 0.3, 93.0 0.5, 62.7 0.6, 94.2 0.3, 63.4 0.8
    DP-GRAPE 2: 90.5 0.3, 62.0 0.4, 92.5 0.3, 61.6 1.3, 91.2 0.2, 63.7 0.2
""")  # SST-2 and BoolQ for 1.3B, 2.7B, 6.7B; DP-Adam is out of memory for the last
TABLE_12 = parse_rows("""
    MeZO: 73.5 1.2, 24.4 0.2, 76.3 0.8, 25.5 1.2, 79.7 1.1, 28.8 0.7
    DPZero 6: 72.6 0.8, 24.7 1.0, 75.7 1.5, 24.6 0.5, 79.5 0.9, 28.4 1.3
    DPZero 2: 70.1 1.6, 23.9 1.2, 71.9 1.2, 23.1 0.9, 77.1 1.0, 27.6 0.7
    DP-Adam 6: 76.9 0.2, 25.9 1.2, 81.4 0.7, 26.3 1.1
    DP-Adam 2: 74.1 0.2, 25.2 1.8, 77.8 0.4, 24.9 0.7
    DP-GRAPE 6: 77.2 0.1, 26.1 1.3, 82.0 0.3, 25.5 1.2, 79.5 0.2, 28.2 1.3
    DP-GRAPE 2: 76.7 0.7, 25.0 1.1, 79.2 0.7, 24.1 0.3, 77.6 0.4, 27.8 0.6
""")  # SQuAD and DROP
TABLE_6 = parse_rows_by_epsilon("""
    DP-Adam: 60.2 71.9 75.5 80.2, 40.4 44.9 49.8 52.4, 11.7 14.5 16.8 20.7
    Naive DP-GaLore: 48.2 55.6 63.5 72.0, 32.5 38.1 42.6 44.3, 8.1 10.4 13.1 15.6
    DP-GRAPE: 63.9 71.7 76.5 80.9, 39.1 42.9 46.3 49.2, 11.2 13.9 17.3 19.0
""")  # MNIST, CIFAR-10, CIFAR-100
TABLE_9 = parse_rows_by_epsilon("""
    DP-Adam: 97.2 97.5 98.1 98.2, 49.7 70.6 77.3 80.8
    Naive DP-GaLore: 96.4 97.0 97.5 97.7, 65.6 78.8 83.8 85.5
    DP-GRAPE: 97.0 97.9 97.8 98.2, 81.4 85.4 86.9 88.1
""")  # CIFAR-10, CIFAR-100
COLUMNS = {"Table 3": "SST-2 SST-5 SNLI MNLI RTE TREC", "Table 6": "MNIST CIFAR-10 CIFAR-100", "Table 9": "CIFAR-10 CIFAR-100"}
NAMED = {"Table 3": TABLE_3, "Table 4": TABLE_4, "Table 6": TABLE_6, "Table 9": TABLE_9, "Table 12": TABLE_12}
BOLD: dict[str, dict[int, str]] = {  # the methods in bold, column by column
    "Table 3": {6: "GRAPE Zero GRAPE GRAPE Adam GRAPE", 2: "GRAPE Adam GRAPE Adam Adam+GRAPE GRAPE"},
    "Table 4": {6: "Adam GRAPE Adam Zero GRAPE Zero", 2: "GRAPE GRAPE GRAPE Zero GRAPE Zero"},
    "Table 12": {6: "GRAPE GRAPE GRAPE Adam Zero Zero", 2: "GRAPE Adam GRAPE Adam GRAPE GRAPE"},
}
HOURS: dict[str, dict[str, tuple[int, float, float]]] = {  # samples of the whole run, samples a second, hours
    "Table 7": {name: (60 * 50_000, *found) for name, found in {
        "Adam": (379, 2.2), ADAM: (219, 3.8), NAIVE: (217, 3.8), GRAPE: (273, 3.1)}.items()},
    "Table 10": {ADAM: (1000 * 64, 71.7, 0.6), ZERO: (10_000 * 64, 268.1, 1.7), GRAPE: (1000 * 64, 75.9, 0.6)},
    "Table 13": {f"{method}, {size}": (steps * 8, *found) for method, steps, sizes in (
        (ZERO, 20_000, {"1.3B": (14.8, 3.0), "2.7B": (8.6, 5.2), "6.7B": (4.1, 11.0)}),
        (ADAM, 3000, {"1.3B": (9.6, 0.7), "2.7B": (4.4, 1.5)}),
        (GRAPE, 2000, {"1.3B": (10.7, 0.4), "2.7B": (5.6, 0.8), "6.7B": (2.5, 1.8)})) for size, found in sizes.items()},
}  # fmt: skip


def paired_rows(table: str, method: str, other: str) -> list[tuple[Row, Row]]:
    """Return (row of `method`, row of `other`) of a table for every epsilon at which it has `method`."""
    return [(row, NAMED[table][name.replace(method, other)]) for name, row in NAMED[table].items() if name.startswith(f"{method} ")]


def check_average_gain(*, table: str, method: str, other: str, within: dict[str, tuple[float, float]]) -> Finding:
    """Check that `method` less `other`, averaged over epsilon, lies within (low, high) by column or "all"; return a Finding."""
    both = paired_rows(table, method, other)
    found = {column: sum(row[k][0] - against[k][0] for row, against in both) / len(both) for k, column in enumerate(COLUMNS[table].split())}
    found["all"] = sum(found.values()) / len(found)
    # 1e-9: the entries are decimals
    holds = all(low - 1e-9 <= found[name] <= high + 1e-9 for name, (low, high) in within.items())
    return check_condition(holds, f"{table}, {method} less {other}: {list_numbers({name: found[name] for name in within}, '+.3f')}", found)


def check_wins(*, of: tuple[str, ...], method: str, other: str, printed: int, cells: int, errors: float = 0.0) -> Finding:
    """Check that `method` is above `other`, by more than `errors` standard errors, in `printed` of `cells` cells; return a Finding."""
    above = []
    for row, against in (pair for table in of for pair in paired_rows(table, method, other)):
        above += [round(a - b, 6) > errors * math.hypot(s, t) for (a, s), (b, t) in zip(row, against, strict=False)]
    return check_printed_numbers(f"{method} above {other}", {"cells": len(above), "above": sum(above)}, {"cells": cells, "above": printed})


def check_wins_at_both_epsilons() -> Finding:
    """Check that DP-GRAPE is above DPZero at both epsilons on five data sets of Table 3; return a Finding."""
    above = sum(all(ours[k][0] > other[k][0] for ours, other in paired_rows("Table 3", GRAPE, ZERO)) for k in range(6))
    return check_printed_numbers("Table 3", {"datasets": above}, {"datasets": 5})


def check_monotone_in_epsilon() -> Finding:
    """Check that no method's accuracy falls as epsilon grows, in all tables; return a Finding."""
    falls = dict[str, str]()
    for table, whole in NAMED.items():
        for method in (ADAM, NAIVE, LORA, ZERO, GRAPE):
            by = sorted((int(name.rpartition(" ")[2]), row) for name, row in whole.items() if name.startswith(f"{method} "))
            for (low, before), (high, after) in pairwise(by):
                for k, ((a, _), (b, _)) in enumerate(zip(before, after, strict=True), 1):
                    falls |= {f"{table}, {method}, column {k}, epsilon {low} to {high}": f"{a} to {b}"} if b < a else {}
    return check_condition(not falls, "; ".join(f"{where}: {fall}" for where, fall in falls.items()) or "none falls", falls)


def check_bold(*, table: str) -> Finding:
    """Check that the entries in bold are the best private methods of each column and epsilon of a table; return a Finding."""
    wrong, names = {}, {"Adam": ADAM, "Zero": ZERO, "GRAPE": GRAPE, "LoRA": LORA}
    for epsilon, marked in BOLD[table].items():
        rows_ = {one: NAMED[table].get(f"{name} {epsilon}", ()) for one, name in names.items()}
        for k, cell in enumerate(marked.split()):
            here = {one: row[k][0] for one, row in rows_.items() if len(row) > k}
            best = {one for one, value in here.items() if value == max(here.values())}
            if best != set(cell.split("+")):
                wrong[f"column {k + 1}, epsilon = {epsilon}"] = f"{max(here.values())} of {' and '.join(sorted(best))}, bold: {cell}"
    return check_condition(not wrong, f"{table}: {wrong or 'the best are in bold'}", wrong)


def check_copied_rows() -> Finding:
    """Check that rows said to come from the DPZero paper equal the rows of its own tables; return a Finding."""
    theirs = ((TABLE_3, dpzero.TABLE_2), (TABLE_4, dpzero.TABLE_4), (TABLE_12, dpzero.TABLE_5))
    rows = [(name, ours[name.replace("DP-AdamW", ADAM).replace(",", "")], row) for ours, other in theirs for name, row in other.items()]
    pairs = [(name, tuple(value for value, _ in here), row) for name, here, row in rows]
    wrong = {name: f"{here} against {row}" for name, here, row in pairs if here != row}
    return check_condition(not wrong, f"{len(rows)} rows, {len(wrong)} of them differ", wrong)


def check_hours(*, table: str) -> Finding:
    """Check that a table's hours are samples over throughput, to the rounding of both; return a Finding."""
    found, wrong = dict[str, float](), dict[str, Any]()
    for name, (samples, rate, printed) in HOURS[table].items():
        half = 0.05 if table != "Table 7" else 0.5
        found[name] = samples / rate / 3600
        if not samples / (rate + half) / 3600 - 0.05 <= printed <= samples / (rate - half) / 3600 + 0.05:
            wrong[name] = {"hours": found[name], "printed": printed, "times": printed / found[name]}
    return check_condition(not wrong, list_numbers(found, ".3f"), wrong or found)


def check_speedups(*, of: tuple[tuple[str, str, str], ...], least: float, most: float, by: str) -> Finding:
    """Check that ratios of slow to fast runs, (table, slow, fast), are in [least, most] by each measure of `by`; return a Finding.

    `by`: hours printed or computed, throughput, or steps of equal batches.
    """
    found = dict[str, float]()
    for table, slow, fast in of:
        (samples, rate, printed), (own_samples, own_rate, own) = HOURS[table][slow], HOURS[table][fast]
        ratios = {"hours": printed / own, "computed hours": samples * own_rate / rate / own_samples}
        ratios |= {"throughput": own_rate / rate, "steps": samples / own_samples}
        found |= {f"{table}, {slow} / {fast}, {name}": ratios[name] for name in by.split(", ")}
    return check_condition(all(least <= value <= most for value in found.values()), list_numbers(found, ".3f"), found)
