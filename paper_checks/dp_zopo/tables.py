"""Tables I to XXI: how their numbers compare with each other, with the text and with chance.

An address such as "II/DP-ZOPO/4/SST-5" names cells: table, row, group and column, of which the last two may be left out for all of them;
names joined by "+" stand for the best of them. Chance is that of test sets alone: an accuracy p on N examples has the variance p (1 - p)/N,
and two of them differ as independent ones do. A common test set makes the differences of like methods smaller than that.
"""

import math
from collections.abc import Mapping
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize, special, stats

from paper_checks.record import Record
from paper_checks.shared.findings import check_condition
from paper_checks.shared.tables import check_printed_numbers
from paper_checks.verdict import Finding

Pairs = tuple[tuple[str, str], ...]
TASKS = ("SST-2", "SST-5", "SNLI", "MNLI", "TREC")
INF, RARE = math.inf, 1e-9  # RARE: what is less probable does not count as chance


class Table(NamedTuple):
    """A printed table: names of groups and columns, and rows, {name: cells of each group}."""

    groups: tuple[str, ...]
    columns: tuple[str, ...]
    rows: dict[str, tuple[tuple[float, ...], ...]]


def read_tables(text: str) -> dict[str, Table]:
    """Parse a text of tables and return {number: Table}; raise ValueError for a row with a wrong number of cells or twice.

    A row has a cell for each column, once or for each group.
    """
    found: dict[str, Table] = {}
    for line in (one for one in text.splitlines() if not one.startswith("#")):
        if ";" in line:
            number, _, groups, columns = (one.strip() for one in line.split(";"))
            table = found[number] = Table(tuple(groups.split()) or ("",), tuple(columns.split()), {})
            continue
        name, _, rest = line.partition(": ")
        cells = tuple(tuple(map(float, group.split())) for group in rest.split("|"))
        if len(cells) not in (1, len(table.groups)) or (table.columns and {*map(len, cells)} != {len(table.columns)}) or name in table.rows:
            raise ValueError(f"row = {number}, {name}: {len(table.columns)} cells in each of {len(table.groups)} groups are needed, once")
        table.rows[name] = cells if len(cells) > 1 else cells * len(table.groups)
    return found


@cache
def paper_tables() -> dict[str, Table]:
    """Return the tables of the paper, {number: Table}, read from tables.txt."""
    return read_tables((Path(__file__).parent / "tables.txt").read_text(encoding="utf-8"))


def find_cells(address: str) -> dict[str, float]:
    """Return the cells that an address names as {"group column": number}; of names joined by "+" the largest number counts."""
    number, row, group, column = [*address.split("/"), "", ""][:4]
    table, found = paper_tables()[number], dict[str, float]()
    for k in [table.groups.index(group)] if group else range(len(table.groups)):
        best = [max(one) for one in zip(*(table.rows[name][k] for name in row.split("+")), strict=True)]
        named = dict(zip(table.columns, best, strict=True))
        named = {column: max(named[one] for one in column.split("+"))} if column else named
        found |= {f"{table.groups[k]} {name}".strip(): value for name, value in named.items()}
    return found


def paired_cells(pairs: Pairs) -> dict[str, tuple[float, float]]:
    """Return the two numbers of every common cell for each pair of addresses, {"a - b, cell": (first, second)}."""
    found: dict[str, tuple[float, float]] = {}
    for a, b in pairs:
        found |= {f"{a} - {b}, {name}": (v, w) for (name, v), w in zip(find_cells(a).items(), find_cells(b).values(), strict=True)}
    return found


def check_differences(*, printed: tuple[tuple[str, str, Mapping[str, float]], ...]) -> Finding:
    """Check that printed differences of two rows, (row, row, {group and column: difference}), are computed ones; return a Finding."""
    said = {(f"{a}/{place}", f"{b}/{place}"): value for a, b, places in printed for place, value in places.items()}
    found = {name: round(a - b, 6) for name, (a, b) in paired_cells(tuple(said)).items()}
    return check_printed_numbers("differences", found, dict(zip(found, said.values(), strict=True)))


def check_row_above(*, pairs: Pairs, need: str = "all", least: float = 1e-6, most: float = INF) -> Finding:
    """Check that the first row of each pair is above the second by `least` to `most`, in all or most cells; return a Finding."""
    off = {name: round(a - b, 6) for name, (a, b) in paired_cells(pairs).items()}
    wrong = {name: one for name, one in off.items() if not least <= one <= most}
    won, ties, higher = len(off) - len(wrong), sum(one == 0 for one in off.values()), sum(one > 0 for one in off.values())
    chance = float(stats.binomtest(higher, max(len(off) - ties, 1)).pvalue)
    words = f"{won} of {len(off)} cells, {ties} ties, differences from {min(off.values()):+g} to {max(off.values()):+g}"
    words += f"; like methods have as uneven a split with probability {chance:.2g}" if need == "most" else ""
    words += "".join(f"; {name}: {one:+g}" for name, one in [*wrong.items()][:3]) if need == "all" else ""
    found = {"cells": len(off), "in so many": won, "ties": ties, "sign test": chance, "not in": wrong}
    return check_condition(not wrong if need == "all" else 2 * won > len(off), words, found)


def check_text_numbers(*, table: str, printed: tuple[float, ...], row: str = "", model: int = 0) -> Finding:
    """Check that numbers in the text are those of a table's row, or its numbers of groups and columns; return a Finding."""
    have = paper_tables()[table].rows[row][model] if row else (len(paper_tables()[table].groups), len(paper_tables()[table].columns))
    return check_condition(have == printed, f"Table {table} has {have}, the text {printed}", {"table": have, "text": printed})


def check_epsilon_range(*, sizes: Mapping[str, tuple[int, int, int]], budget: float) -> Finding:
    """Check that the largest batch is in Theorem 1's range of epsilon with c_1 <= 1, in every setting; return a Finding."""
    batches = [max(one) for one in paper_tables()["X-XII"].rows["DP-ZOPO BS"]]
    found = {name: budget / (batches[model] / n) ** 2 / T for name, (model, n, T) in sizes.items()}
    above = sum(one > 1 for one in found.values())
    words = f"{above} of {len(found)} settings need more than c_1 = 1: " + ", ".join(f"{name} {one:.3g}" for name, one in found.items())
    return check_condition(above == 0, words, found)


def check_clipped_share(*, difference: float, half: float, C: float) -> Finding:
    """Check that the printed percentage of clipped differences fits a normal number with the printed mean; return a Finding.

    `difference` is the printed mean of |f(x + beta v) - f(x - beta v)|, right to +-`half`.
    """
    sd = ((difference + off) / 2e-6 * math.sqrt(math.pi / 2) for off in (-half, 0, half))
    low, value, high = (100 * math.erfc(C / one / math.sqrt(2)) for one in sd)
    printed = find_cells("I/clipped")["1e-6"]
    found = {"clipped": value, "low": low, "high": high, "printed": printed}
    return check_condition(low <= printed <= high, f"{value:.2f} %, {low:.2f} to {high:.2f} by rounding, printed {printed}", found)


def union_totals() -> dict[str, dict[str, float]]:
    """Return {row: {"printed", "least", "suggested": total in percent}} of Table VI, "suggested" by its rates."""
    found = {}  # suggested: what stage 2 drops returns as often as what it keeps stays
    for name, ((first, second, total, _),) in paper_tables()["VI"].rows.items():
        r = [float(one) for one in name.rstrip("*").split("-")]
        two = r[0] + r[1] - r[0] * first / 100
        found[name] = {"printed": total, "least": max(two, r[2]), "suggested": two + r[2] - second / 100 * two}
    return found


def check_union_totals(*, rows: Pairs, over: str, low: float = 0.0, high: float = INF) -> Finding:
    """Check that totals of Table VI over `over` totals of other rows are from `low` to `high`; return a Finding."""
    found = {f"{a} / {b}": union_totals()[a]["printed"] / union_totals()[b][over] for a, b in rows}
    words = f"printed over {over}: {min(found.values()):.3f} to {max(found.values()):.3f}"
    wrong = {name: one for name, one in found.items() if not low <= one <= high}
    return check_condition(not wrong, f"{words}, {len(wrong)} of {len(found)} outside {low:g} to {high:g}", wrong or found)


def fixed_weight_ratio(first: float, second: float) -> float:
    """Return P(selected again) / `second` for scores w z, with normal w kept and normal z redrawn; shares `first`, `second`."""
    w = np.linspace(1e-4, 12, 6001)
    density, kept = 2 * stats.norm.pdf(w) * (w[1] - w[0]), list[Any]()
    for share in (first, second):
        edge = optimize.brentq(lambda t, share=share: density @ special.ndtr(-t / w) - share, 1e-3, 60)
        kept.append(special.ndtr(-edge / w))
    return float(density @ (kept[0] * kept[1]) / first / second)


def check_overlaps() -> Finding:
    """Check that successive masks of Table VI overlap, relative to chance, as much as for noise times fixed weights; return a Finding."""
    found = dict[str, tuple[float, float]]()
    for name, ((*shares, _, _),) in paper_tables()["VI"].rows.items():
        r = [float(one) / 100 for one in name.split("-")] if "*" not in name else []
        found |= {f"{name}, {k + 1}": (shares[k] / 100 / two[1], fixed_weight_ratio(*two)) for k, two in enumerate(pairwise(r))}
    short, (times, limits) = {name: one for name, one in found.items() if one[0] < one[1]}, zip(*found.values(), strict=True)
    words = f"{min(times):.2f} to {max(times):.2f} times chance, {len(short)} of {len(found)} below {min(limits):.2f} to {max(limits):.1f}"
    return check_condition(not short, words, short or found)


def example_count(name: str) -> int:
    """Return the number of test examples of the task in a name: 500 for TREC, 1000 for all others.

    The paper states 1000 for TREC as well, which a claim refutes.
    """
    return 500 if "TREC" in name else 1000


def check_significance(*, pairs: Pairs, tried: int = 1) -> Finding:
    """Check that most differences of paired cells are beyond the 95 % range of chance, best of `tried` runs; return a Finding."""
    z, off = float(stats.norm.isf((1 - 0.95 ** (1 / tried)) / 2)), dict[str, float]()
    for name, (a, b) in paired_cells(pairs).items():
        off[name] = (a - b) / math.sqrt((a * (100 - a) + b * (100 - b)) / example_count(name))
    some, plain = (sum(bool(abs(one) > limit) for one in off.values()) for limit in (z, stats.norm.isf(0.025)))
    words = f"{some} of {len(off)} differences are above {z:.2f} standard errors, {plain} above 1.96, of like methods {len(off) / 20:g} are"
    return check_condition(2 * some > len(off), words, {"comparisons": len(off), "beyond": some, "not for the best of several": plain})


def check_repeated_cells(*, of: str, rows: str) -> Finding:
    """Check that no more cells repeat at another budget than independent runs explain, by a Poisson tail; return a Finding."""
    expected, seen = 0.0, list[str]()
    for name, task in product(rows.split("+"), TASKS):
        row, N = [*find_cells(f"{of}/{name}//{task}").values()], example_count(task)
        counts = [stats.binom.pmf(np.arange(N + 1), N, (a + b) / 200) for a, b in combinations(row, 2)]
        expected += sum(float(one @ one) for one in counts)
        seen += [f"{name}, {task}: {one}" for k, one in enumerate(row) if one in row[:k]]
    found = {"equal": seen, "expected": expected, "probability": float(stats.poisson.sf(len(seen) - 1, expected))}
    words = f"{len(seen)} equal cells, at most {expected:.1f} are expected: of independent runs with probability {found['probability']:.2g}"
    return chance_finding(words, found, "the logs of the runs")


def chance_finding(words: str, found: Mapping[str, Any], what: str) -> Finding:
    """Return a Finding: REFUTED where found["probability"] is below RARE = 1e-9, INCONCLUSIVE below 1 %, else CONSISTENT.

    `what` would settle an inconclusive case.
    """
    record = Record(found)
    if found["probability"] < RARE:
        record.refute(words, found)
    if found["probability"] < 0.01:
        record.leave_open(f"{words}; {what} would settle it")
    return record.conclude(words)


def check_multiples(*, of: tuple[str, ...], step: int) -> Finding:
    """Check that accuracies are not all multiples of `step` tenths of a percent, rare on 1000 examples; return a Finding.

    All are with probability step^-runs.
    """
    tenths = [round(10 * one) for address in of for one in find_cells(address).values()]
    whole, chance = sum(one % step == 0 for one in tenths), float(step) ** -len(tenths)
    found = {"runs": len(tenths), "multiples": whole, "probability": chance if whole == len(tenths) else 1.0}
    words = f"{whole} of {len(tenths)} runs are multiples of {step / 10:g} %; on 1000 examples all are with probability {chance:.2g}"
    return chance_finding(words, found, "the sizes of the test sets")


def run_addresses(task: str) -> tuple[str, ...]:
    """Return the addresses of all distinct runs on a task with RoBERTa-large; other cells of the tables repeat these runs."""
    rows = [f"{name}/{one}" for name in ("XVIII", "XIX") for one in paper_tables()[name].rows]
    rows += [f"II/{one}" for one in ("FT", "FT-prefix", "DPZero", "DP-ZOSO")]
    intervals = [f"V/{task}//{one}" for one in paper_tables()["V"].columns[:-1]]
    return (f"II/Zero-shot/2/{task}", *(f"{one}//{task}" for one in rows), *intervals)
