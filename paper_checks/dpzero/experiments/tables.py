"""Checks of Tables 2 to 11 and of the text about them: arithmetic on the printed entries, and what cannot be repeated here."""

import math
from itertools import product
from typing import Any

import numpy as np

from bounds import privacy
from paper_checks.dpzero.experiments.figure_runs import PAPER
from paper_checks.record import Record
from paper_checks.shared.tables import check_printed_numbers, row_differences
from paper_checks.verdict import Finding
from synthetic.objectives.sums import spectrum_values

TABLE_2 = {  # accuracy on SST-2, SST-5, SNLI, MNLI, RTE, TREC
    "AdamW": (93.1, 56.6, 86.4, 81.4, 83.6, 95.9),
    "DP-AdamW, 6": (91.6, 49.0, 81.5, 76.3, 77.3, 89.9),
    "DP-AdamW, 2": (90.5, 47.5, 74.6, 70.3, 72.8, 85.0),
    "LoRA": (93.3, 55.3, 85.9, 82.2, 84.2, 94.6),
    "DP-LoRA, 6": (91.0, 48.8, 81.0, 72.8, 74.7, 89.2),
    "DP-LoRA, 2": (90.2, 47.1, 74.7, 65.7, 69.2, 83.2),
    "MeZO": (92.5, 50.8, 80.4, 69.2, 72.8, 88.9),
    "DPZero, 6": (92.2, 49.3, 77.8, 67.4, 71.9, 87.6),
    "DPZero, 2": (91.8, 47.1, 73.6, 62.7, 70.4, 82.0),
}
TABLE_4 = {  # accuracy on SST-2 and BoolQ for 1.3B, 2.7B, 6.7B
    "MeZO": (88.2, 63.2, 91.9, 65.3, 93.0, 67.4),
    "DPZero, 6": (88.2, 62.4, 91.5, 65.4, 92.6, 66.8),
    "DPZero, 2": (86.8, 61.6, 90.5, 63.7, 90.6, 63.7),
}
TABLE_4_ERRORS = {"DPZero, 2": (1.7, 1.1, 0.9, 0.7, 1.3, 0.7)}
TABLE_5 = {  # F1 on SQuAD and DROP for 1.3B, 2.7B, 6.7B
    "MeZO": (73.5, 24.4, 76.3, 25.5, 79.7, 28.8),
    "DPZero, 6": (72.6, 24.7, 75.7, 24.6, 79.5, 28.4),
    "DPZero, 2": (70.1, 23.9, 71.9, 23.1, 77.1, 27.6),
}
TABLE_3 = {  # seconds an iteration, MiB
    "AdamW": (1.25, 15820),
    "DP-AdamW": (2.12, 17126),
    "LoRA": (0.821, 10366),
    "DP-LoRA": (1.05, 10496),
    "MeZO": (0.345, 2668),
    "DPZero": (0.347, 2668),
}
TABLE_7 = {"SST-2": ((92.2, 0.3, 91.8, 0.1), (91.8, 0.1, 91.5, 0.5)), "SST-5": ((49.3, 0.6, 47.1, 0.9), (49.9, 1.3, 47.4, 1.3))}
TABLE_9 = {  # accuracy, seconds an iteration, MiB
    "AdamW": (93.1, 1.25, 15820),
    "DP-AdamW": (90.5, 2.12, 17126),
    "LoRA": (93.3, 0.821, 10366),
    "DP-LoRA": (90.2, 1.05, 10496),
    "MeZO": (92.5, 0.345, 2668),
    "DPZero": (91.8, 0.347, 2668),
}
TABLE_11: dict[str, tuple[int | None, ...]] = {  # MiB for 1.3B, 2.7B, 6.7B, 13B; None is out of memory
    "AdamW": (None, None, None, None),
    "MeZO": (7866, 11602, 20548, None),
    "DPZero": (7866, 11602, 20548, None),
}
TABLE_6: dict[str, Any] = {
    "n": 10_000,
    "n of the test set": 10_000,
    "dimensions": (20, 50, 100, 200, 500, 1000, 2000),
    "epsilon": 2.0,
    "delta": 1e-6,
    "horizons": (10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120),
    "alphas": (1e-5, 3e-5, 1e-4, 3e-4, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0),
    "clips": (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0),
}
TABLE_8: dict[str, Any] = {  # DPZero on RoBERTa (355M)
    "samples per class": 512,
    "test samples": 1000,
    "iterations": 10_000,
    "batch": 64,
    "lam": 1e-3,
    "alpha": 1e-6,
    "clips": (50, 100, 150, 200, 250, 300, 400),
}
# Appendix B.2, Comparison with first-order methods, on RoBERTa (355M)
FIRST_ORDER: dict[str, Any] = {"iterations": 1000, "batch": 64, "clips": (0.1, 0.5, 1, 10)}
TABLE_10 = {"samples": 1000, "iterations": 20_000, "batch": 8}  # DPZero on OPT
CARD = 24  # GiB, the caption of Table 11


def check_table_4_cells() -> Finding:
    """Check whether OPT-2.7B and OPT-6.7B have the same mean and error on BoolQ in Table 4, epsilon = 2; return a Finding."""
    (*_, cell, _, other), (*_, error, _, other_error) = TABLE_4["DPZero, 2"], TABLE_4_ERRORS["DPZero, 2"]
    if (cell, error) != (other, other_error):
        return Record({"2.7B": cell, "6.7B": other}).conclude("the two cells differ")
    drop = row_differences(TABLE_4, "DPZero, 2", "MeZO")
    sentence = (
        f"OPT-2.7B and OPT-6.7B on BoolQ are both {cell} +- {error} at epsilon = 2: equal cells can be chance or a copy; the three "
        f"seeds' accuracies, or a run of OPT-6.7B, would settle it (its drop, {drop[5]:.1f}, is the largest of the row)"
    )
    return Record({"cell": cell, "error": error, "drops": drop}).leave_open(sentence)


def cost_ratios() -> dict[tuple[str, str], float]:
    """Return the private over the non-private time and memory in Table 3, by (private method, "time" or "memory")."""
    pairs, units = (("DP-AdamW", "AdamW"), ("DP-LoRA", "LoRA"), ("DPZero", "MeZO")), ("time", "memory")
    return {(private, what): TABLE_3[private][k] / TABLE_3[public][k] for private, public in pairs for k, what in enumerate(units)}


def check_dpzero_overhead() -> Finding:
    """Check that DPZero takes at most 1 % more time than MeZO and the same memory, by the entries of Table 3; return a Finding."""
    found = {f"{private} {what}": ratio for (private, what), ratio in cost_ratios().items()}
    sentence = ", ".join(f"{name} {value:.3f}" for name, value in found.items())
    record = Record(found)
    if found["DPZero time"] > 1.01 or found["DPZero memory"] != 1:  # 1 %: three digits are printed, one unit of the last is 0.3 %
        record.refute(f"DPZero costs more than MeZO: {sentence}", found)
    return record.conclude(f"private / non-private: {sentence}")


def check_first_order_overheads() -> Finding:
    """Check that privacy costs DP-AdamW and DP-LoRA at least 5 % of time and memory in Table 3, "considerable"; return a Finding.

    The paper gives no number; below 5 % a reader may well disagree.
    """
    found = {f"{private}, {what}": ratio - 1 for (private, what), ratio in cost_ratios().items() if private != "DPZero"}
    sentence = "over the same without privacy: " + ", ".join(f"{name} + {100 * value:.3g} %" for name, value in found.items())
    record = Record(found)
    if min(found.values()) < 0.05:
        record.leave_open(f"{sentence}; a number for 'considerable' would settle it")
    return record.conclude(sentence)


def check_table_9() -> Finding:
    """Check that every row of Table 9 repeats the entries of Tables 2 and 3, accuracy at epsilon = 2; return a Finding."""
    wanted = {"AdamW": "AdamW", "DP-AdamW": "DP-AdamW, 2", "LoRA": "LoRA", "DP-LoRA": "DP-LoRA, 2", "MeZO": "MeZO", "DPZero": "DPZero, 2"}
    off = {name: 0.0 for name in TABLE_9 if TABLE_9[name] == (TABLE_2[wanted[name]][0], *TABLE_3[name])}
    return check_printed_numbers("rows of Table 9 that agree with Tables 2 and 3", {"rows": len(off)}, {"rows": len(TABLE_9)})


def check_table_11() -> Finding:
    """Check that in Table 11 DPZero has MeZO's memory, both fit all models but 13B on the card, AdamW none; return a Finding."""
    memory = {name: [0.0 if one is None else one / 1024 for one in row] for name, row in TABLE_11.items()}
    ratios = [b / a for a, b in zip(memory["MeZO"][:3], memory["DPZero"][:3], strict=True)]
    found = {
        "models that AdamW fits": sum(one is not None for one in TABLE_11["AdamW"]),
        "models that MeZO fits": sum(one is not None for one in TABLE_11["MeZO"][:3]),
        "DPZero / MeZO, largest": max(ratios),
        "DPZero / MeZO, smallest": min(ratios),
        "entries of 13B": sum(row[3] is not None for row in TABLE_11.values()),
        "entries above the card": sum(one > CARD for row in memory.values() for one in row),
        "6.7B in GiB": memory["DPZero"][2],
        "weights of 13B in half precision, GiB": 13e9 * 2 / 2**30,
    }
    if found["weights of 13B in half precision, GiB"] < CARD:  # so the table must print "-" for 13B
        return Record(found).refute("13B parameters fit the card, the table says that they do not", found)
    printed = {"models that AdamW fits": 0, "models that MeZO fits": 3, "DPZero / MeZO, largest": 1, "DPZero / MeZO, smallest": 1}
    return check_printed_numbers("Table 11", found, printed | {"entries of 13B": 0, "entries above the card": 0})


def check_table_6() -> Finding:
    """Check that Table 6 is the default Experiment, with 880 settings, 18,480 runs and 18.9 million steps; return a Finding."""
    ours = {name: PAPER.n if name == "n of the test set" else getattr(PAPER, name) for name in TABLE_6}
    differ = {name: f"{ours[name]} against {value}" for name, value in TABLE_6.items() if ours[name] != value}
    if differ:
        return Record().refute(f"the experiment is not Table 6's: {', '.join(differ)} differ", differ)
    problems = len(PAPER.spectra) * len(TABLE_6["dimensions"])
    others = len(TABLE_6["alphas"]) * len(TABLE_6["clips"])
    settings, steps = others * len(TABLE_6["horizons"]), others * sum(TABLE_6["horizons"]) * problems
    found = {"settings": settings, "runs": settings * problems, "steps in millions": round(steps / 1e6, 1)}
    return check_printed_numbers(
        "Table 6 is the experiment; a method has", found, {"settings": 880, "runs": 18_480, "steps in millions": 18.9}
    )


def check_synthetic_noise() -> Finding:
    """Check that sigma / C = 1.07735e-3 sqrt(T) at Table 6, by Lemma 2.2, Algorithm 1 and the experiment; return a Finding."""
    found = {
        "from the lemma": privacy.sigma_lemma_2_2(epsilon=2.0, delta=1e-6, T=1, sensitivity=2e-4),
        "from Algorithm 1": 4 * math.sqrt(2 * math.log(math.e + 2e6)) / (1e4 * 2),
        "T = 10": float(PAPER.sigma()[0, 2]),
        "T = 5120": float(PAPER.sigma()[-1, 2]),
    }
    printed = {"from the lemma": 1.07735e-3, "from Algorithm 1": 1.07735e-3, "T = 10": 0.003407, "T = 5120": 0.077089}
    return check_printed_numbers("sigma / C", found, printed, digits=5e-7)


def check_spectra_sizes() -> Finding:
    """Check that Tr(A) and the gradient norm at x_0 = 0 are as stated, for each spectrum at d = 20 and 2000; return a Finding."""
    found: dict[str, float] = {}
    for name, d in product(PAPER.spectra, (20, 2000)):
        a = spectrum_values(name, d)
        found |= {f"Tr {name} {d}": float(a.sum()), f"gradient {name} {d}": float(np.sqrt(a @ a))}
    printed: dict[str, Any] = {"Tr flat 20": 20, "Tr flat 2000": 2000, "Tr inverse_sqrt 20": 7.595255, "Tr inverse_sqrt 2000": 87.993544}
    printed |= {"Tr inverse 20": 3.597740, "Tr inverse 2000": 8.178368, "gradient flat 20": 4.47214, "gradient flat 2000": 44.72136}
    printed |= {"gradient inverse_sqrt 20": 1.89677, "gradient inverse_sqrt 2000": 2.85978, "gradient inverse 20": 1.26339}
    printed |= {"gradient inverse 2000": 1.28235}
    return check_printed_numbers("Tr(A) and |A 1|", found, printed, digits=6e-6)


def check_table_7() -> Finding:
    """Check that the sphere and Gaussian columns of Table 7 differ by at most 6 standard errors; return a Finding."""
    units = [abs(g[k] - s[k]) / math.hypot(g[k + 1], s[k + 1]) for g, s in TABLE_7.values() for k in (0, 2)]
    sentence, record = f"the {len(units)} differences are {min(units):.2f} to {max(units):.2f} standard errors", Record({"units": units})
    if max(units) > 6:  # six seeds in all: a t statistic with 4 degrees of freedom is beyond 6 in 0.4 % of cases
        record.leave_open(sentence + "; more seeds would settle it")
    return record.conclude(sentence + ", too few seeds for more")


def check_search_settings() -> Finding:
    """Check that ten settings in the text on the RoBERTa runs agree with Table 8 and the first-order search; return a Finding."""
    rows = {  # the row, and the text: Section 5, Number of iterations; Appendix B.2, Hyper-parameter selection; caption of Table 8
        "iterations of DPZero": (TABLE_8["iterations"], 10_000),
        "iterations of first-order methods": (FIRST_ORDER["iterations"], 1000),
        "batch of DPZero": (TABLE_8["batch"], 64),
        "batch of first-order methods": (FIRST_ORDER["batch"], 64),
        "samples per class": (TABLE_8["samples per class"], 512),
        "test samples": (TABLE_8["test samples"], 1000),
        "lam": (TABLE_8["lam"], 1e-3),
        "alpha": (TABLE_8["alpha"], 1e-6),
        "smallest C": (min(TABLE_8["clips"]), 50),
        "largest C": (max(TABLE_8["clips"]), 400),
    }
    found, text = ({name: row[k] for name, row in rows.items()} for k in (0, 1))
    return check_printed_numbers("Table 8 and Appendix B.2", found, text)


def check_searched_thresholds() -> Finding:
    """Check that every C searched for DPZero on RoBERTa is above every C for first-order methods, by Table 8; return a Finding."""
    zeroth, first = min(TABLE_8["clips"]), max(FIRST_ORDER["clips"])
    record = Record({"smallest C searched for DPZero": zeroth, "largest C searched for first-order methods": first})
    if not zeroth > first:
        record.leave_open(f"the two searches overlap ({zeroth:g} is not above {first:g}): the chosen thresholds would settle it")
    return record.conclude(f"every C searched for DPZero, {zeroth:g} at least, is above {first:g}")


def check_sample_passes() -> Finding:
    """Check that a run uses each sample 625 times (RoBERTa, SST-2) and 160 times (OPT), by Tables 8 and 10; return a Finding."""
    classes = 2
    roberta = TABLE_8["iterations"] * TABLE_8["batch"] / (classes * TABLE_8["samples per class"])
    opt = TABLE_10["iterations"] * TABLE_10["batch"] / TABLE_10["samples"]
    return check_printed_numbers(
        "times that a sample is seen", {"RoBERTa, SST-2": roberta, "OPT": opt}, {"RoBERTa, SST-2": 625, "OPT": 160}
    )
