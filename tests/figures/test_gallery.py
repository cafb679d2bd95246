"""The committed pictures are those of the experiments that the code now holds, and every panel of theirs shows all its points."""

import csv
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from bounds.strict_json import strict_json
from figures import psgd_digits, psgd_distributed, psgd_escape, psgd_rate, psgd_selection, style
from paper_checks.dpzero import figure_runs

GALLERY = Path(__file__).parents[2] / "figures" / "gallery"
PAPERS = {
    **{f"dpzero-{k}": figure_runs.PAPER for k in (1, 2, 3)},
    **{one.NAME: one.PAPER for one in (psgd_digits, psgd_distributed, psgd_escape, psgd_rate, psgd_selection)},
}  # fmt: skip


@pytest.mark.parametrize("name", PAPERS)
def test_the_committed_figure_is_that_of_the_defaults(name):
    kept = json.loads((GALLERY / f"{name}.json").read_text(encoding="utf-8"))
    assert kept["experiment"] == json.loads(json.dumps(asdict(PAPERS[name])))
    assert kept["figure"] == name
    assert set(kept["versions"]) == set(style.versions())


@pytest.mark.parametrize("name", ["psgd-digits", "psgd-distributed", "psgd-escape", "psgd-rate", "psgd-selection"])
def test_a_figure_says_of_itself_what_the_committed_one_says(name):
    """In the same words, whatever the numbers."""
    from tests.figures import test_psgd_drawn as some
    from tests.figures import test_psgd_drawn_others as others

    record = {
        "psgd-digits": others.digits_record, "psgd-distributed": some.distributed_record, "psgd-escape": others.escape_record,
        "psgd-rate": some.rate_record, "psgd-selection": others.selection_record,
    }[name]()  # fmt: skip
    module = {one.NAME: one for one in (psgd_digits, psgd_distributed, psgd_escape, psgd_rate, psgd_selection)}[name]
    kept, said = json.loads((GALLERY / f"{name}.json").read_text(encoding="utf-8")), json.loads(strict_json(module.provenance(record)))
    assert set(kept) == {*said, "versions"}
    for key, words in said.items():
        assert type(words) is type(kept[key])
        if isinstance(words, str):
            assert words == kept[key]


LESS = {
    **{f"dpzero-{k}": "dimensions 20 to 200 (4) of 20 to 2000 (7), horizons 10 to 320 (6) of 10 to 5120 (10)" for k in (1, 2, 3)},
    "psgd-digits": "epsilons 0.5 to 2 (2) of 0.5 to 2 (3), clients 1 to 5 (2) of 1 to 5 (3), epochs 4 of 10, replicates 3 of 12",
    "psgd-distributed": "d 5 of 10, n 30000 of 60000, clients 1 to 8 (4) of 1 to 16 (5), replicates 12 of 24",
    "psgd-escape": "log_factors 5 to 9 (4) of 5 to 12 (10), replicates 400 of 10000, path_log_factor 8 of 9, path_replicates 200 of 1000",
    "psgd-rate": "large_n 30000 to 300000 (3) of 30000 to 4000000 (8), small_n 250000 to 1000000 (3) of 250000 to 6000000 (7), "
    "n 300000 of 1000000, epsilons 0.025 to 1 (4) of 0.015 to 4 (8), replicates 12 of 24",
    "psgd-selection": "dimensions 5 to 60 (3) of 5 to 120 (7), replicates 10 of 30",
}  # fmt: skip


@pytest.mark.parametrize("name", PAPERS)
def test_the_previews_are_smaller(name):
    modules = {one.NAME: one for one in (psgd_digits, psgd_distributed, psgd_escape, psgd_rate, psgd_selection)}
    preview = modules.get(name, figure_runs).PREVIEW
    assert style.departures(preview, PAPERS[name]) == LESS[name].replace(" of ", " instead of ")


def test_the_files_of_a_figure_are_each_of_its_kind(tmp_path):
    """The picture in three formats, the rows as CSV with a head, and where they come from as JSON."""
    from matplotlib.figure import Figure

    figure = Figure()
    figure.subplots().plot([1, 2])
    rows = [{"a": 1, "b": 0.1 + 0.2}, {"a": 2, "b": ""}]
    paths = style.save(figure, "one", tmp_path / "deep" / "er", rows, {"figure": "one", "seed": 3})
    assert [path.name for path in paths] == ["one.png", "one.svg", "one.pdf", "one.csv", "one.json"]
    kept = [path.read_bytes() for path in paths]
    assert kept[0].startswith(b"\x89PNG")
    assert b"<svg" in kept[1]
    assert kept[2].startswith(b"%PDF")
    assert b"<dc:date>" not in kept[1]
    assert b"CreationDate" not in kept[2]
    with paths[3].open(newline="", encoding="utf-8") as file:
        assert list(csv.DictReader(file)) == [{"a": "1", "b": "0.30000000000000004"}, {"a": "2", "b": ""}]
    assert kept[4].startswith(b'{\n "figure": "one",\n "seed": 3,')
    assert json.loads(kept[4]) == {"figure": "one", "seed": 3, "versions": style.versions()}
    assert [path.read_bytes() for path in style.save(figure, "one", tmp_path / "deep" / "er", rows, {"figure": "one", "seed": 3})] == kept


def test_departures_name_the_ends_of_lists_and_only_what_differs():
    e = figure_runs.Experiment
    assert style.departures(e(clips=(1.0, 2.0), n=5, seed=7), e()) == "n 5 instead of 10000, clips 1 to 2 (2) instead of 0.1 to 300 (8)"
    assert style.departures(e(clips=(1.0,), n=5), e(), ("clips", "alphas")) == "clips 1 instead of 0.1 to 300 (8)"


def all_shown(ax) -> list:
    """What of a panel's lines and bars is finite and outside of its limits."""
    (left, right), (low, high) = sorted(ax.get_xlim()), sorted(ax.get_ylim())
    outside = []
    for line in ax.get_lines():
        if line.get_transform() == ax.transData and line.get_label() != "_nolegend_":  # the caps of bars
            x, y = (np.asarray(v, dtype=float) for v in line.get_data())
            seen = np.isfinite(x) & np.isfinite(y)
            outside += [
                (line.get_label(), a, b) for a, b in zip(x[seen], y[seen], strict=True) if not (left <= a <= right and low <= b <= high)
            ]
    return outside


def test_every_panel_shows_all_its_points():
    """The limits of an axis that a figure sets itself cut nothing off but intervals without an end."""
    from figures import dpzero_synthetic
    from tests.figures import test_dpzero_drawn, test_psgd_drawn, test_psgd_drawn_others

    figures = [
        *(dpzero_synthetic.draw(test_dpzero_drawn.OUTCOME, f"dpzero-{k}") for k in (1, 2, 3)),
        psgd_rate.draw(test_psgd_drawn.rate_record()),
        psgd_escape.draw(test_psgd_drawn_others.escape_record()), psgd_selection.draw(test_psgd_drawn_others.selection_record()),
        psgd_digits.draw(test_psgd_drawn_others.digits_record()),
    ]  # fmt: skip
    for figure in figures:
        for ax in figure.axes:
            assert all_shown(ax) == []
            low, high = sorted(ax.get_ylim())
            inside = [y for line in ax.get_lines() for y in np.asarray(line.get_ydata(), dtype=float) if low <= y <= high]
            assert len(inside) > 2
            if ax.get_yscale() == "log":  # and the points take up a good part of the height
                assert np.log(max(inside) / min(inside)) > 0.25 * np.log(high / low)
