"""Tables 1 and 3 to 13, the figures, and what the text says about them: the arithmetic, and what it would take to repeat them."""

import math
from itertools import pairwise
from typing import Any

from paper_checks.dp_grape.memory import NOT, OK, claims_of, listed
from paper_checks.dpzero import tables as dpzero
from paper_checks.examine.judge import decided
from paper_checks.examine.tables import compared, untested
from paper_checks.verdict import Finding, Kind, claim, question, reading

Row = tuple[tuple[float, float], ...]  # value and standard error of each column, 0 where none is printed
ADAM, NAIVE, ZERO, GRAPE, LORA = "DP-Adam", "Naive DP-GaLore", "DPZero", "DP-GRAPE", "DP-LoRA"


def rows(text: str) -> dict[str, Row]:
    """Return the rows of a table from lines such as "DPZero 6: 88.2 1.1, 62.4 0.8"."""
    lines = (line.strip().partition(": ") for line in text.strip().splitlines())
    cells = {name: (cell.split() for cell in rest.split(",")) for name, _, rest in lines}
    return {name: tuple((float(one[0]), float(one[1]) if len(one) > 1 else 0.0) for one in row) for name, row in cells.items()}


def by_epsilon(text: str) -> dict[str, Row]:
    """Return the rows of a table from lines such as "DP-Adam: 97.2 97.5 98.1 98.2, ...": each column at epsilon = 1, 2, 4, 8."""
    lines = (line.strip().partition(": ") for line in text.strip().splitlines())
    whole = {name: [[float(one) for one in column.split()] for column in rest.split(",")] for name, _, rest in lines}
    return {f"{name} {2**k}": tuple((column[k], 0.0) for column in columns) for name, columns in whole.items() for k in range(4)}


TABLE_3 = rows("""
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
TABLE_4 = rows("""
    MeZO: 88.2 0.9, 63.2 0.8, 91.9 0.5, 65.3 1.3, 93.0 0.2, 67.4 2.3
    DPZero 6: 88.2 1.1, 62.4 0.8, 91.5 1.7, 65.4 1.6, 92.6 0.7, 66.8 1.6
    DPZero 2: 86.8 1.7, 61.6 1.1, 90.5 0.9, 63.7 0.7, 90.6 1.3, 63.7 0.7
    DP-Adam 6: 91.2 0.2, 62.3 0.4, 93.2 0.1, 62.9 0.4
    DP-Adam 2: 85.9 0.8, 59.8 0.7, 92.4 0.04, 62.5 0.3
    DP-GRAPE 6: 90.8 0.5, 62.5 0.3, 93.0 0.5, 62.7 0.6, 94.2 0.3, 63.4 0.8
    DP-GRAPE 2: 90.5 0.3, 62.0 0.4, 92.5 0.3, 61.6 1.3, 91.2 0.2, 63.7 0.2
""")  # SST-2 and BoolQ for 1.3B, 2.7B, 6.7B; DP-Adam is out of memory for the last
TABLE_12 = rows("""
    MeZO: 73.5 1.2, 24.4 0.2, 76.3 0.8, 25.5 1.2, 79.7 1.1, 28.8 0.7
    DPZero 6: 72.6 0.8, 24.7 1.0, 75.7 1.5, 24.6 0.5, 79.5 0.9, 28.4 1.3
    DPZero 2: 70.1 1.6, 23.9 1.2, 71.9 1.2, 23.1 0.9, 77.1 1.0, 27.6 0.7
    DP-Adam 6: 76.9 0.2, 25.9 1.2, 81.4 0.7, 26.3 1.1
    DP-Adam 2: 74.1 0.2, 25.2 1.8, 77.8 0.4, 24.9 0.7
    DP-GRAPE 6: 77.2 0.1, 26.1 1.3, 82.0 0.3, 25.5 1.2, 79.5 0.2, 28.2 1.3
    DP-GRAPE 2: 76.7 0.7, 25.0 1.1, 79.2 0.7, 24.1 0.3, 77.6 0.4, 27.8 0.6
""")  # SQuAD and DROP
TABLE_6 = by_epsilon("""
    DP-Adam: 60.2 71.9 75.5 80.2, 40.4 44.9 49.8 52.4, 11.7 14.5 16.8 20.7
    Naive DP-GaLore: 48.2 55.6 63.5 72.0, 32.5 38.1 42.6 44.3, 8.1 10.4 13.1 15.6
    DP-GRAPE: 63.9 71.7 76.5 80.9, 39.1 42.9 46.3 49.2, 11.2 13.9 17.3 19.0
""")  # MNIST, CIFAR-10, CIFAR-100
TABLE_9 = by_epsilon("""
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


def average(*, table: str, method: str, other: str, within: dict[str, tuple[float, float]]) -> Finding:
    """Recompute by how much a method is above another, averaged over epsilon: by column, or over "all". It must be within the bounds."""
    whole, found = NAMED[table], dict[str, float]()
    both = [(row, whole[name.replace(method, other)]) for name, row in whole.items() if name.startswith(f"{method} ")]
    for k, column in enumerate(COLUMNS[table].split()):
        found[column] = sum(row[k][0] - against[k][0] for row, against in both) / len(both)
    found["all"] = sum(found.values()) / len(found)
    # 1e-9: the entries are decimals
    holds = all(low - 1e-9 <= found[name] <= high + 1e-9 for name, (low, high) in within.items())
    return decided(holds, f"{table}, {method} less {other}: {listed({name: found[name] for name in within}, '+.3f')}", found)


def wins(*, of: tuple[str, ...], method: str, other: str, printed: int, cells: int, errors: float = 0.0) -> Finding:
    """Count the cells in which a method is above another, by more than so many standard errors of the difference."""
    above = []
    for table in of:
        for name in (one for one in NAMED[table] if one.startswith(f"{method} ")):
            for (a, s), (b, t) in zip(NAMED[table][name], NAMED[table][name.replace(method, other)], strict=False):
                above.append(round(a - b, 6) > errors * math.hypot(s, t))
    return compared(f"{method} above {other}", {"cells": len(above), "above": sum(above)}, {"cells": cells, "above": printed})


def above_in_both() -> Finding:
    """Count the datasets of Table 3 on which DP-GRAPE is above DPZero at both epsilons."""
    pairs = [(TABLE_3[f"{GRAPE} {epsilon}"], TABLE_3[f"{ZERO} {epsilon}"]) for epsilon in (2, 6)]
    return compared("Table 3", {"datasets": sum(all(ours[k][0] > other[k][0] for ours, other in pairs) for k in range(6))}, {"datasets": 5})


def monotone() -> Finding:
    """Look for a method whose accuracy falls as epsilon grows."""
    falls = dict[str, str]()
    for table, whole in NAMED.items():
        for method in (ADAM, NAIVE, LORA, ZERO, GRAPE):
            by = sorted((int(name.rpartition(" ")[2]), row) for name, row in whole.items() if name.startswith(f"{method} "))
            for (low, before), (high, after) in pairwise(by):
                for k, ((a, _), (b, _)) in enumerate(zip(before, after, strict=True), 1):
                    falls |= {f"{table}, {method}, column {k}, epsilon {low} to {high}": f"{a} to {b}"} if b < a else {}
    return decided(not falls, "; ".join(f"{where}: {fall}" for where, fall in falls.items()) or "none falls", falls)


def bold(*, table: str) -> Finding:
    """Compare what is in bold with the best private methods of each column and epsilon."""
    wrong, names = {}, {"Adam": ADAM, "Zero": ZERO, "GRAPE": GRAPE, "LoRA": LORA}
    for epsilon, marked in BOLD[table].items():
        rows_ = {one: NAMED[table].get(f"{name} {epsilon}", ()) for one, name in names.items()}
        for k, cell in enumerate(marked.split()):
            here = {one: row[k][0] for one, row in rows_.items() if len(row) > k}
            best = {one for one, value in here.items() if value == max(here.values())}
            if best != set(cell.split("+")):
                wrong[f"column {k + 1}, epsilon = {epsilon}"] = f"{max(here.values())} of {' and '.join(sorted(best))}, bold: {cell}"
    return decided(not wrong, f"{table}: {wrong or 'the best are in bold'}", wrong)


def copies() -> Finding:
    """Compare the rows that are said to come from the DPZero paper with that paper's own, which stand in its ledger."""
    theirs = ((TABLE_3, dpzero.TABLE_2), (TABLE_4, dpzero.TABLE_4), (TABLE_12, dpzero.TABLE_5))
    wrong, count = {}, 0
    for ours, other in theirs:
        for name, row in other.items():
            here = tuple(value for value, _ in ours[name.replace("DP-AdamW", ADAM).replace(",", "")])
            count += 1
            if here != row:
                wrong[name] = f"{here} against {row}"
    return decided(not wrong, f"{count} rows, {len(wrong)} of them differ", wrong)


def hours(*, table: str) -> Finding:
    """Recompute hours from samples and throughput, to the rounding of both."""
    found, wrong = dict[str, float](), dict[str, Any]()
    for name, (samples, rate, printed) in HOURS[table].items():
        half = 0.05 if table != "Table 7" else 0.5
        found[name] = samples / rate / 3600
        if not samples / (rate + half) / 3600 - 0.05 <= printed <= samples / (rate - half) / 3600 + 0.05:
            wrong[name] = {"hours": found[name], "printed": printed, "times": printed / found[name]}
    return decided(not wrong, listed(found, ".3f"), wrong or found)


def faster(*, of: tuple[tuple[str, str, str], ...], least: float, most: float, by: str) -> Finding:
    """Compare a slow run with a fast one, by table: by hours printed or computed, by throughput, or by the steps, of equal batches."""
    found = dict[str, float]()
    for table, slow, fast in of:
        (samples, rate, printed), (own_samples, own_rate, own) = HOURS[table][slow], HOURS[table][fast]
        ratios = {"hours": printed / own, "computed hours": samples * own_rate / rate / own_samples}
        ratios |= {"throughput": own_rate / rate, "steps": samples / own_samples}
        found |= {f"{table}, {slow} / {fast}, {name}": ratios[name] for name in by.split(", ")}
    return decided(all(least <= value <= most for value in found.values()), listed(found, ".3f"), found)


INF, OPT, SPEEDS = math.inf, ("Table 4", "Table 12"), ("Table 13", f"{ZERO}, 6.7B", f"{GRAPE}, 6.7B")
OWN = (
    ("Table 7", ADAM, GRAPE),
    ("Table 10", ADAM, GRAPE),
    *(("Table 13", f"{ADAM}, {one}", f"{GRAPE}, {one}") for one in ("1.3B", "2.7B")),
)
AVERAGES: tuple[tuple[Any, ...], ...] = (
    # key, place; words; expected, why, what instead; table, method, another, bounds. Those of a printed number are those of its last digit
    (claim, "section5_2.over_dpzero", "Section 5.2; Table 3", "DP-GRAPE is above DPZero by 3.7 on average",
     OK, "3.69", "", "Table 3", GRAPE, ZERO, {"all": (3.65, 3.75)}),
    (claim, "section5_2.over_dp_adam", "Section 5.2; Table 3", "DP-GRAPE is above DP-Adam by 1.0 on average",
     OK, "0.98", "", "Table 3", GRAPE, ADAM, {"all": (0.95, 1.05)}),
    (claim, "introduction.dp_lora", "Section 1; Table 3", "DP-LoRA falls short of DP-Adam in fine-tuning",
     OK, "by 1.56 on average", "", "Table 3", LORA, ADAM, {"all": (-INF, 0)}),
    (claim, "introduction.zeroth_order", "Section 1; Table 3", "DPZero is below DP-Adam in fine-tuning",
     OK, "by 2.71 on average", "", "Table 3", ZERO, ADAM, {"all": (-INF, 0)}),
    (claim, "section5_1.grape", "Section 5.1; Table 6", "DP-GRAPE is 1.3 above DP-Adam on MNIST, 2.5 below on CIFAR-10, 0.6 on CIFAR-100",
     OK, "+1.3, -2.5 and -0.575", "",
     "Table 6", GRAPE, ADAM, {"MNIST": (1.25, 1.35), "CIFAR-10": (-2.55, -2.45), "CIFAR-100": (-0.65, -0.55)}),
    (claim, "section5_1.naive", "Section 5.1; Table 6", "Naive DP-GaLore is below DP-Adam by 12.1 on MNIST and 4.1 on CIFAR-100",
     OK, "12.125 and 4.125", "", "Table 6", NAIVE, ADAM, {"MNIST": (-12.15, -12.05), "CIFAR-100": (-4.15, -4.05)}),
    (claim, "section5_1.naive_cifar10", "Section 5.1; Table 6", "Naive DP-GaLore is below DP-Adam by 7.8 on CIFAR-10",
     NOT, "7.9, 6.8, 7.2 and 8.1 have the mean 7.5", "7.5", "Table 6", NAIVE, ADAM, {"CIFAR-10": (-7.85, -7.75)}),
    (claim, "section5_1.fine_tuned", "Section 5.1; Table 9", "Fine-tuned, DP-GRAPE is similar to DP-Adam on CIFAR-10, better on CIFAR-100",
     OK, "-0.03 and +15.9", "", "Table 9", GRAPE, ADAM, {"CIFAR-10": (-1, 1), "CIFAR-100": (1, INF)}),
    (question, "abstract.accuracy", "Abstract; Table 6", "No accuracy is sacrificed: none is below DP-Adam's, averaged over epsilon",
     NOT, "from scratch, on CIFAR-10 and CIFAR-100", "by 2.5 at most",
     "Table 6", GRAPE, ADAM, dict.fromkeys(("MNIST", "CIFAR-10", "CIFAR-100"), (0, INF))),
    (claim, "introduction.naive", "Section 1; Table 9", "To privatise before projecting is not competitive to DP-Adam",
     NOT, "fine-tuned on CIFAR-100, naive DP-GaLore is 8.8 above DP-Adam", "it is below in Table 6, and on CIFAR-10 in Table 9",
     "Table 9", NAIVE, ADAM, {"CIFAR-10": (-INF, 0), "CIFAR-100": (-INF, 0)}),
)  # fmt: skip
SHORT: tuple[tuple[Any, ...], ...] = (  # key, place; words; expected, why, what instead; examination with its arguments
    *((*one[:7], average, dict(zip(("table", "method", "other", "within"), one[7:], strict=True))) for one in AVERAGES),
    (claim, "section3_1.order", "Sections 3.1, 3.2 and 5.1; Tables 6 and 9", "To privatise after projecting gives the better utility",
     OK, "in all 20 cells", "", wins, {"of": ("Table 6", "Table 9"), "method": GRAPE, "other": NAIVE, "printed": 20, "cells": 20}),
    (claim, "section5_2.all_but_one", "Section 5.2; Table 3", "At both epsilons DP-GRAPE is above DPZero on all but one of six datasets",
     OK, "SST-5", "", above_in_both, {}),
    (claim, "section5_3.over_dpzero", "Section 5.3; Tables 4 and 12", "DP-GRAPE is above DPZero on 18 of 24 combinations",
     OK, "8 and 10, with two ties", "", wins, {"of": OPT, "method": GRAPE, "other": ZERO, "printed": 18, "cells": 24}),
    (claim, "section5_3.over_dp_adam", "Section 5.3; Tables 4 and 12", "DP-GRAPE is above DP-Adam on 9 of 16 combinations",
     OK, "4 and 5", "", wins, {"of": OPT, "method": GRAPE, "other": ADAM, "printed": 9, "cells": 16}),
    (question, "section5_3.beyond_errors", "Tables 4 and 12", "Each of these 18 is by more than two standard errors of the difference",
     NOT, "with three seeds most are not", "8 are",
     wins, {"of": OPT, "method": GRAPE, "other": ZERO, "printed": 18, "cells": 24, "errors": 2.0}),
    (question, "table9.monotone", "Tables 3, 4, 6, 9 and 12", "No accuracy falls as epsilon grows",
     NOT, "two of DP-GRAPE's do", "they fall by 0.1 in Table 9, and by 0.3 in Table 4, within its standard errors", monotone, {}),
    *((claim, f"{table.lower().replace(' ', '')}.bold", f"Caption of {table}",
       "The best private result of each column and epsilon is in bold", outcome, why, instead, bold, {"table": table})
      for table, outcome, why, instead in (
        ("Table 3", OK, "ties too", ""),
        ("Table 4", NOT, "of the tie on BoolQ with 6.7B at epsilon = 2 one is", "63.7 of DPZero and of DP-GRAPE"),
        ("Table 12", NOT, "of the tie on SQuAD with 6.7B at epsilon = 6 one is", "79.5 of DPZero and of DP-GRAPE"))),
    (claim, "section_c2.copies", "Sections C.2 and 5.3; Tables 3, 4 and 12", "The rows of other methods come from Zhang et al. (2024)",
     OK, "its tables, in the ledger of that paper", "", copies, {}),
    *((claim, f"{table.lower().replace(' ', '')}.hours", place, words, outcome, why, instead, hours, {"table": table})
      for table, place, words, outcome, why, instead in (
        ("Table 7", "Table 7; Section C.1", "Hours are those of 60 epochs at the throughput", OK, "50,000 samples", ""),
        ("Table 10", "Table 10 and its caption", "Hours are those of all steps, of 64 samples, at the throughput",
         NOT, "they are 2.4 to 2.6 times as long", "0.25, 0.66 and 0.23 hours"),
        ("Table 13", "Table 13 and its caption", "Hours are those of all steps, of 8 samples, at the throughput",
         OK, "to the rounding of both", ""))),
    (claim, "section5_1.throughput", "Section 5.1; Table 7", "DP-GRAPE has 25 % more throughput than DP-Adam",
     OK, "273/219", "", faster, {"of": OWN[:1], "least": 1.245, "most": 1.255, "by": "throughput"}),
    (reading, "section5_2.three_times", "Section 5.2; Table 10", "DPZero takes almost 3 times as long, which we read as 2.75 to 3",
     OK, "2.83, by either", "", faster, {"of": (("Table 10", ZERO, GRAPE),), "least": 2.75, "most": 3.0, "by": "hours, computed hours"}),
    (claim, "introduction.six_times", "Sections 1 and 5.3; Table 13", "DP-GRAPE trains OPT-6.7B more than 6 times as fast as DPZero",
     OK, "6.1, by either; the throughput is rounded by 2 %", "",
     faster, {"of": (SPEEDS,), "least": 6.0, "most": INF, "by": "hours, computed hours"}),
    (claim, "abstract.training_time", "Abstract; Tables 7, 10 and 13", "DP-GRAPE takes no more time than DP-Adam",
     OK, "wherever the hours of both are printed", "", faster, {"of": OWN, "least": 1.0, "most": INF, "by": "hours"}),
    (claim, "section5_3.iterations", "Section 5.3; captions of Tables 10 and 13", "DP-GRAPE takes 10 times fewer iterations than DPZero",
     OK, "1000 against 10,000, and 2000 against 20,000", "",
     faster, {"of": (("Table 10", ZERO, GRAPE), SPEEDS), "least": 10.0, "most": 10.0, "by": "steps"}),
)  # fmt: skip
GPU = ", its data and a GPU of 80 GB; none of them is here. The arithmetic of the printed numbers is checked by other claims"
OF_MODELS: tuple[tuple[str, ...], ...] = (  # key, place, words, what it would take
    ("table1.marks", "Table 1", "Which methods have high utility, low-memory states, and can pre-train",
     "the marks, which the text has lost, and Bu et al.'s models"),
    ("introduction.random_or_svd", "Section 1", "A random projection does as well as one by SVD", "training ViT-Base with both"),
    ("figure1.spectra", "Figure 1; Section 3.2", "Clipping and noise flatten the singular values", "gradients of ViT-Base and OPT-1.3B"),
    ("figures_2_to_4.memory", "Figures 2 to 4", "Memory against the batch and r", "measuring ViT-Base, RoBERTa-Large and OPT"),
    ("figure5.steps", "Figure 5", "DPZero takes about 10 times as many iterations", "training RoBERTa-Large with both"),
    ("tables.accuracies", "Tables 3, 4, 6, 9 and 12; Figure 2", "Accuracies and F1", "training ViT-Base, RoBERTa-Large and OPT"),
    ("tables.searched", "Tables 5, 8 and 11; Section C.4", "The best learning rates, C, r and F", "the searches with these models"),
    ("tables.measured", "Tables 7, 10 and 13", "Samples a second and sizes in GB", "measuring ViT-Base, RoBERTa-Large and OPT"),
)  # fmt: skip
BY_READING: tuple[tuple[str, ...], ...] = (  # key, place, words, what is found by reading
    ("section5_1.final", "Section 5.1; Tables 6 and 9", "Accuracies are final ones",
     "Tables 6 and 9 have the best during training, on the test set"),
    ("section_c4.citation", "Section C.4", "Small r were used for RoBERTa-Base in [1]",
     "the references have no numbers; by more by more than (Section 1)"),
)  # fmt: skip
OPEN: tuple[tuple[Any, ...], ...] = (
    *((*one, Kind.TABLE, "no such model can be trained or measured here", f"it takes {what}{GPU}") for *one, what in OF_MODELS),
    *((*one, Kind.SCOPE, "found by reading, nothing is computed", f"{one[2]}: {found}") for *one, found in BY_READING),
)
CLAIMS = (
    *claims_of(SHORT),
    *(
        claim(f"dp_grape.{key}", place, kind).says(words).not_testable(why).examined(untested, sentence=sentence)
        for key, place, words, kind, why, sentence in OPEN
    ),
)
