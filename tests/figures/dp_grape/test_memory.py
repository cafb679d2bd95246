"""The figure of memory shows what the model says, and the sizes that the paper prints where it prints them."""

import pytest

from figures import style
from figures.dp_grape import memory as grape_memory
from paper_checks.dp_grape.memory import SIZES, R
from theory_lab import memory
from theory_lab.commands.figure import mark_picture


def memory_record():
    """The record of the preview, which takes no time."""
    return grape_memory.data(grape_memory.PREVIEW)


def test_the_rows_are_what_the_call_says():
    rows = grape_memory.table(memory_record())
    assert {row["model"] for row in rows} == set(R)
    activations = {"vit-base": (63e9 - 16 * 85_806_346) / 500, "roberta-large": None}
    for row in rows:
        if row["model"] in ("vit-base", "opt-2.7b"):
            given = {"model": row["model"], "r": row["r"], "batch": row["batch"], "activations": activations.get(row["model"], 0)}
            assert memory(row["method"], **given).asked.bytes == row["bytes"]
    fitted = [row for row in rows if (row["model"], row["method"], row["batch"], row["r"]) == ("roberta-large", "dp_grape", 40, 16)]
    assert [row["bytes"] for row in fitted] == [pytest.approx(24.4e9, abs=40)]  # the bytes of a sample are whole
    printed = {(row["model"], row["method"], row["batch"]): row["printed_GB"] for row in rows if row["printed_GB"] != ""}
    assert printed == SIZES


def test_the_panels_show_the_curves_and_the_printed_sizes():
    record = grape_memory.data(grape_memory.PAPER)
    panels = {ax.get_title(): ax for ax in grape_memory.draw(record).axes}
    assert len(panels) == 6
    points = {}
    for title, ax in panels.items():
        for line in ax.get_lines():
            x, y = (list(map(float, v)) for v in line.get_data())
            if len(x) == 1:
                points[title, line.get_marker(), x[0], y[0]] = line.get_markerfacecolor() != "white"
    looks = {method: look.marker for method, look in grape_memory.LOOKS.items()}
    assert {key for key, filled in points.items() if filled} == {
        *(("ViT-Base, r = 64", looks[method], float(batch), size) for (model, method, batch), size in SIZES.items() if model == "vit-base"),
        ("RoBERTa-Large, r = 16", looks["dp_adam"], 40.0, 78.1), ("RoBERTa-Large, r = 16", looks["dp_grape"], 40.0, 24.4),
        ("RoBERTa-Large, DP-GRAPE for several r", looks["dp_adam"], 40.0, 78.1),
    }  # fmt: skip
    assert {key[1:] for key, filled in points.items() if not filled} == {("o", 165.0, 24.0), ("s", 50.0, 24.0)}
    curves = {line.get_label(): line for line in panels["OPT-2.7B, r = 32"].get_lines()}
    x, y = curves["DP-Adam"].get_data()
    assert list(y) == [4 * 2_651_596_800 * (batch + 4) / 1e9 for batch in x] == [v for v in y if v <= 100]


def test_wrong_experiments_are_refused():
    for wrong in ({"vit": (0,)}, {"several": (1.5,)}):
        with pytest.raises(ValueError, match=rf"^{next(iter(wrong))} has the entry"):
            grape_memory.Experiment(**wrong)
    with pytest.raises(ValueError, match="r = 2000: at most 1024"):
        grape_memory.data(grape_memory.Experiment(several=(2000,)))


def test_a_preview_says_so():
    picture = grape_memory.draw(memory_record())
    less = style.preview_differences(grape_memory.PREVIEW, grape_memory.PAPER)
    assert mark_picture(picture, *less)["preview"].startswith("not the full figure: vit 1 to 500 (4) instead of 1 to 500 (21)")
