"""Checks of Table 2 and of what the paper says about memory: recounted from the layers of the models and from its own measurements.

A size is printed in GB; where it matters it is read as 10^9 bytes and as 2^30. Numbers take 4 bytes, as the measured sizes ask.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from bounds.dp_grape.memory import METHODS, Layer, Model, count_stored, model_names, read_model, table_2
from paper_checks.record import Record
from paper_checks.shared.findings import check_condition
from paper_checks.verdict import Finding

GB, GIB = 10**9, 2**30
CARD = 80  # GB of the card of all measurements (caption of Table 4)
VIT, ROBERTA, LARGE = "vit-base", "roberta-large", "opt-6.7b"
R = {VIT: 64, ROBERTA: 16, "opt-1.3b": 16, "opt-2.7b": 32, LARGE: 64}  # Sections C.1 to C.3
SIZES = {  # GB by model, method and batch: Sections C.1 and 5.2
    (VIT, "adam", 500): 63.0, (VIT, "dp_grape", 500): 70.6, (VIT, "dp_adam", 200): 83.9, (VIT, "dp_galore", 200): 83.7,
    (ROBERTA, "dp_adam", 40): 78.1, (ROBERTA, "dp_grape", 40): 24.4,
}  # fmt: skip
# a memory in GB and the batches that "around" and "about" fill it (5.1), with the deviation that these words may hide
SMALL, AROUND = 24, {"dp_grape": (165, 5), "dp_adam": (50, 3)}
HALF = 0.05  # a unit of the last digit is 0.1
TALL = Model("tall", (Layer(2, 9, 4, "projected"), Layer(1, 5, 6, "projected")))  # the 9 x 4 layers are projected from the right
model = cache(read_model)


def list_numbers(found: Mapping[str, float], form: str) -> str:
    """Return numbers by name as one text "name value, name value", each value formatted by `form`."""
    return ", ".join(f"{name} {value:{form}}" for name, value in found.items())


# --- Table 2 ----------------------------------------------------------------------------------------------------------------------------
def table_2_row(method: str, B: int, r: int, sides: list[tuple[int, int]]) -> tuple[int, int, int]:
    """Return (gradient, optimizer states, projectors) of Table 2 as printed; sides are (m_l, n_l) of each layer, m_l <= n_l."""
    mn, n, m = sum(a * b for a, b in sides), sum(b for _, b in sides), [a for a, _ in sides]
    return {
        "adam": (mn, 2 * mn, 0),
        "galore": (mn, 2 * r * n, r * sum(m)),
        "dp_adam": (B * mn, 2 * mn, 0),
        "dp_galore": (B * mn, 2 * r * n, r * sum(m)),
        "dp_grape": (B * r * n, 2 * r * n, r * max(m)),
    }[method]


def count_arrays(method: str, B: int, r: int, sides: list[tuple[int, int]]) -> tuple[int, int, int]:
    """Return (gradient, optimizer states, projectors): sizes of the arrays that Algorithms 1 to 5 name, counted layer by layer."""
    gradients, states, projectors = 0, 0, [0]
    for m, n in sides:
        moment = (m, n) if method in ("adam", "dp_adam") else (r, n)
        rows, columns = moment if method == "dp_grape" else (m, n)
        gradients += rows * columns * (B if method.startswith("dp_") else 1)
        states += 2 * moment[0] * moment[1]
        projectors.append(0 if method in ("adam", "dp_adam") else m * r)
    return gradients, states, max(projectors) if method == "dp_grape" else sum(projectors)


def check_table_2_row(*, method: str, ranks: tuple[int, ...], batches: tuple[int, ...]) -> Finding:
    """Check that a method's row of Table 2 counts the arrays of its algorithm, and that the library does; return a Finding."""
    cases = [(layers, r, B) for layers in (*map(model, model_names()), TALL) for r in ranks for B in batches]
    record = Record({"tried": len(cases)})
    for layers, r, B in cases:
        sides = [(min(s), max(s)) for one in layers.projected_layers for s in [(one.rows, one.columns)] * one.count]
        found: dict[str, tuple[int, ...]] = {"counted": count_arrays(method, B, r, sides), "Table 2": table_2_row(method, B, r, sides)}
        found["ours"] = tuple(table_2(method, layers, r, B).values())
        if len({*found.values()}) > 1:
            words = f"{METHODS[method]} keeps {found['counted']} numbers, Table 2 says {found['Table 2']}"
            record.refute(words, {"model": layers.name, "r": r, "B": B, **found})
    return record.conclude(f"{METHODS[method]}: equal integers for {len(cases)} choices of model, r and B")


def check_memory_ratio() -> Finding:
    """Check that gradients and states of DP-GRAPE are r/m of DP-Adam's for models whose layers share m; return a Finding."""
    found, holds = dict[str, float](), True
    for name, r in R.items():
        (m,) = {one.smaller for one in model(name).projected_layers}
        low, full = table_2("dp_grape", model(name), r, 8), table_2("dp_adam", model(name), r, 8)
        found[name] = m / r
        holds &= all(full[part] * r == low[part] * m for part in ("gradient", "states"))
    return check_condition(holds, f"m/r: {list_numbers(found, 'g')}", found)


def check_omitted_arrays(*, part: str, at: str) -> Finding:
    """Check that DP-GRAPE holds less than 1.1 times what Table 2 counts for a sample, with the arrays `part`; return a Finding.

    part: "kept" adds the layers that are not projected, "one_layer" the gradients of one layer before it is projected.
    """
    said, found = dict[str, int](), dict[str, float]()
    for name, r in R.items():
        said[name], has = table_2("dp_grape", model(name), r, 1)["gradient"], count_stored("dp_grape", model(name), r, 1)
        found[name] = (has["samples"] if part == "kept" else said[name] + has["one_layer"]) / said[name]
    record, words = Record(found), f"what is held over what Table 2 says: {list_numbers(found, '.2f')}"
    if not max(found.values()) < 1.1:
        held = round(found[at] * said[at])
        record.refute(words, {"model": at, "r": R[at], "Table 2, a sample": said[at], "held, a sample": held})
    return record.conclude(words)


def check_sample_gradients(*, batches: tuple[int, ...]) -> Finding:
    """Check that the library counts DP-GRAPE's sample gradients as a backward pass does, in integers; return a Finding."""
    cases = [(layers, r, B) for layers in map(model, model_names()) for r in (1, 16) for B in batches]
    record = Record({"tried": len(cases)})
    for layers, r, B in cases:
        each = [(one.kind, min(one.rows, one.columns), max(one.rows, one.columns)) for one in layers.layers for _ in range(one.count)]
        stay = sum(B * (r if kind == "projected" else m) * n for kind, m, n in each)
        at_once, ours = max(B * m * n for kind, m, n in each if kind == "projected"), count_stored("dp_grape", layers, r, B)
        if (stay, at_once) != (ours["samples"], ours["one_layer"]):
            record.refute("other numbers", {"model": layers.name, "r": r, "B": B, "stay": stay, "at once": at_once})
    return record.conclude(f"equal integers for {len(cases)} choices of model, r and B")


# --- sizes ------------------------------------------------------------------------------------------------------------------------------
def total_bytes(method: str, name: str, B: int, one_layer: bool = True) -> int:
    """Return the bytes held without activations; `one_layer` counts the gradients of one layer before they are projected."""
    parts = count_stored(method, model(name), R[name], B)
    return 4 * (sum(parts.values()) - (0 if one_layer else parts["one_layer"]))


def activation_bytes(name: str, method: str, B: int) -> Iterator[tuple[str, int, bool, float]]:
    """Yield (words, bytes per GB, one_layer, activation bytes per sample) implied by a measured size: GB or GiB, layer counted or not."""
    for unit, size in (("GB", GB), ("GiB", GIB)):
        for one_layer in (True, False):
            a = (SIZES[name, method, B] * size - total_bytes(method, name, B, one_layer)) / B
            yield f"{unit}, {'with' if one_layer else 'without'} one layer", size, one_layer, a


def size_reduction(name: str, B: int, one_layer: bool, a: float) -> float:
    """Return by how many percent DP-GRAPE's size is below DP-Adam's at a batch of B, with `a` bytes of activations a sample."""
    grape, adam = (total_bytes(method, name, B, one_layer) + B * a for method in ("dp_grape", "dp_adam"))
    return 100 * (1 - grape / adam)


def check_reductions(found: dict[str, float], least: float, words: str) -> Finding:
    """Check that all reductions in percent are above `least`; return a Finding, INCONCLUSIVE if only some of them are."""
    low, high = min(found.values()), max(found.values())
    sentence = f"{words}: {low:.2f} to {high:.2f} %"
    if low <= least < high:
        return Record(found).leave_open(f"{sentence}; the measured runs behind the figure would settle it")
    return check_condition(low > least, sentence, found)


def check_vit_measured_reduction(*, least: float) -> Finding:
    """Check that DP-GRAPE saves over `least` % for ViT-Base at a batch of 200, from the paper's sizes; return a Finding.

    DP-GRAPE's size there is on the line through its two measurements.
    """
    (around, off), at, adam = AROUND["dp_grape"], SIZES[VIT, "dp_grape", 500], SIZES[VIT, "dp_adam", 200]
    there = {b: SMALL + (at - SMALL) * (200 - b) / (500 - b) for b in (around - off, around, around + off)}
    return check_reductions({f"{b} in {SMALL} GB": 100 * (1 - size / adam) for b, size in there.items()}, least, "at a batch of 200")


def check_vit_computed_reduction(*, least: float) -> Finding:
    """Check that DP-GRAPE saves over `least` % for ViT-Base at a batch of 200, by layers and fitted activations; return a Finding."""
    found = {how: size_reduction(VIT, 200, one_layer, a) for how, _, one_layer, a in activation_bytes(VIT, "adam", 500)}
    return check_reductions(found, least, "at a batch of 200")


def check_largest_batches() -> Finding:
    """Check that 24 GB hold about 165 samples for DP-GRAPE and 50 for DP-Adam, by layers and activations; return a Finding.

    The model may be off by as much as it is on the other measurements of these two methods.
    """
    found, holds = {}, True
    for how, size, one_layer, a in activation_bytes(VIT, "adam", 500):
        runs = ((VIT, "dp_adam", 200), (VIT, "dp_grape", 500))
        slack = max(abs((total_bytes(method, name, B, one_layer) + B * a) / size / SIZES[name, method, B] - 1) for name, method, B in runs)
        for method, (said, off) in AROUND.items():
            none = total_bytes(method, VIT, 0, one_layer)
            batch = (SMALL * size - none) / (total_bytes(method, VIT, 1, one_layer) - none + a)
            found[f"{METHODS[method]}, {how}"] = batch
            holds &= (said - off) / (1 + slack) <= batch <= (said + off) * (1 + slack)
    return check_condition(holds, list_numbers(found, ".0f"), found)


def check_galore_improvement(*, most: float) -> Finding:
    """Check that naive DP-GaLore saves less than the share `most` of DP-Adam's size, ViT-Base, batch 200; return a Finding."""
    adam, naive = (total_bytes(method, VIT, 200) for method in ("dp_adam", "dp_galore"))
    found = {"counted": 1 - naive / adam, "measured": 1 - SIZES[VIT, "dp_galore", 200] / SIZES[VIT, "dp_adam", 200]}
    words = f"less by {list_numbers(found, '.2%')} ({naive / GB:.1f} of {adam / GB:.1f} GB)"
    return check_condition(max(found.values()) < most, words, found)


def rounded_reductions(gone: float = 0.0) -> dict[str, float]:
    """Return {sizes: percent by which DP-GRAPE's is below DP-Adam's} for the sizes of Section 5.2 over their rounding."""
    grape, adam = SIZES[ROBERTA, "dp_grape", 40], SIZES[ROBERTA, "dp_adam", 40]
    return {f"{grape + off:.2f} of {adam - off:.2f} GB": 100 * (1 - (grape + off - gone) / (adam - off)) for off in (HALF, 0, -HALF)}


def check_roberta_reduction(*, what: str, least: float) -> Finding:
    """Check that DP-GRAPE saves over `least` % for RoBERTa-Large (Section 5.2), computed as `what` chooses; return a Finding.

    what: "printed", to its rounding; "any_r", without what is projected; "any_batch", by the model.
    """
    if what != "any_batch":
        q = table_2("dp_grape", model(ROBERTA), R[ROBERTA], 1)["gradient"]
        gone = 4 * (40 + 3) * q / GB if what == "any_r" else 0.0  # gradients of the samples, their sum, and two states
        without = f", without the {gone:.3f} GB of what is projected" if gone else ""
        return check_reductions(rounded_reductions(gone), least, f"at a batch of 40, to the rounding of the sizes{without}")
    found = {  # in B the quotient of two straight lines is monotone: its ends are the extremes
        f"{METHODS[fit]}, {how}": max(size_reduction(ROBERTA, B, one_layer, a) for B in (1, 10**9))
        for fit in ("dp_adam", "dp_grape")
        for how, _, one_layer, a in activation_bytes(ROBERTA, fit, 40)
    }
    return check_reductions(found, least, "at the best batch, activations fitted to either size")


def check_percentage(*, printed: float) -> Finding:
    """Check that the reduction 1 - 24.4/78.1 rounds to the printed percentage; return a Finding."""
    low, value, high = rounded_reductions().values()
    words = f"it is {value:.2f} %; of sizes before their rounding {low:.2f} to {high:.2f}"
    return check_condition(round(value, 1) == printed, words, {"computed": value, "low": low, "high": high, "printed": printed})


def check_gap_to_adam() -> Finding:
    """Check that DP-GRAPE needs more memory than Adam, but for RoBERTa-Large not without unprojected gradients; return a Finding."""
    found = {}
    for name, method, B in ((VIT, "adam", 500), (ROBERTA, "dp_grape", 40)):
        a = next(a for *_, a in activation_bytes(name, method, B))
        adam, grape = (total_bytes(one, name, 40) + 40 * a for one in ("adam", "dp_grape"))
        found[name] = grape / adam - 1
        found[f"{name} without what is kept"] = (grape - 4 * 40 * model(name).size("kept")) / adam - 1
    holds = found[ROBERTA] > found[VIT] > 0 > found[f"{ROBERTA} without what is kept"]
    return check_condition(holds, f"DP-GRAPE over Adam: {list_numbers(found, '+.0%')}", found)


def check_fits_card(*, fit: tuple[tuple[str, str, int], ...] = (), too_large: tuple[tuple[str, str, int], ...] = ()) -> Finding:
    """Check that cases (method, model, batch) of `fit` fit 80 GiB and those of `too_large` do not, by arrays; return a Finding.

    A case in `too_large` does not fit whatever its activations; a case in `fit` leaves the rest of the card to them.
    """
    found = {f"{METHODS[one[0]]}, {one[1]}, batch {one[2]}:": total_bytes(*one) / GB for one in (*fit, *too_large)}
    holds = all(total_bytes(*one) < CARD * GIB for one in fit) and all(total_bytes(*one) > CARD * GIB for one in too_large)
    return check_condition(holds, f"{list_numbers(found, '.1f')} GB, the card has {CARD * GIB / GB:.1f} at most", found)


def check_size_units() -> Finding:
    """Check that the largest measured size, in GB, is at most the card's size in GB; return a Finding."""
    largest = max(SIZES.values())
    found = {"largest, GB": largest, "in GiB": largest * GB / GIB, "card": CARD}
    words = f"{largest} GB on a card of {CARD} GB; 10^9 bytes against 2^30 would make {found['in GiB']:.1f}"
    return check_condition(largest <= CARD, words, found)


def check_saturated_sizes() -> Finding:
    """Check that the two measured sizes of DP-Adam differ; return a Finding, INCONCLUSIVE if they agree to rounding.

    Near the end of a card the reserved size is what the card has, not what is needed.
    """
    vit, other = SIZES[VIT, "dp_adam", 200] * GB / GIB, SIZES[ROBERTA, "dp_adam", 40]
    record = Record({"ViT-Base, GiB": vit, "RoBERTa-Large": other, "card": CARD})
    if not abs(vit - other) > HALF:
        record.leave_open(f"both are {other} if ViT's is read in GiB: chance, or the card's end; sizes allocated would settle it")
    return record.conclude(f"they differ: {vit:.2f} GiB and {other}")
