"""The committed pictures are those of the experiments that the code now holds, and every panel of theirs shows all its points."""

import csv
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from bounds import origin
from bounds.strict_json import strict_json
from figures import crate, style
from paper_checks.dpzero.experiments import figure_runs
from tests.figures import crates
from tests.papers import PAPERS, joined, of
from theory_lab.methods import METHODS
from theory_lab.methods.record import resolved

GALLERY = Path(__file__).parents[2] / "figures" / "gallery"
MODULES = {name: resolved(where) for one in METHODS.values() if one.figures for name, where in one.figures.parts.items()}
RECORDS, LESS = joined("commands.RECORDS"), joined("commands.LESS")


@pytest.mark.parametrize("name", MODULES)
def test_the_committed_figure_is_that_of_the_defaults(name):
    kept = crates.facts(GALLERY / f"{name}{crates.END}")
    assert kept["experiment"] == json.loads(json.dumps(asdict(MODULES[name].PAPER)))
    assert kept["figure"] == name
    assert set(kept["versions"]) == set(origin.installed_versions(crate.LIBRARIES))


@pytest.mark.parametrize("name", RECORDS)
def test_a_figure_says_of_itself_what_the_committed_one_says(name):
    """In the same words, whatever the numbers."""
    said = json.loads(strict_json(MODULES[name].provenance(resolved(RECORDS[name])())))
    kept = crates.facts(GALLERY / f"{name}{crates.END}")
    assert set(kept) == {*said, "versions"}
    for key, words in said.items():
        assert type(words) is type(kept[key])
        if isinstance(words, str):
            assert words == kept[key]


@pytest.mark.parametrize("name", MODULES)
def test_the_previews_are_smaller(name):
    assert style.field_differences(MODULES[name].PREVIEW, MODULES[name].PAPER) == LESS[name].replace(" of ", " instead of ")


def test_the_files_of_a_figure_are_each_of_its_kind(tmp_path):
    """The picture in three formats, the rows as CSV with a head, and where they come from as JSON."""
    from matplotlib.figure import Figure

    figure = Figure()
    figure.subplots().plot([1, 2])
    rows = [{"a": 1, "b": 0.1 + 0.2}, {"a": 2, "b": ""}]
    paths = style.save_figure(figure, "one", tmp_path / "deep" / "er", rows, {"figure": "one", "seed": 3})
    assert [path.name for path in paths] == ["one.png", "one.svg", "one.pdf", "one.csv", f"one{crates.END}"]
    kept = [path.read_bytes() for path in paths]
    assert kept[0].startswith(b"\x89PNG")
    assert b"<svg" in kept[1]
    assert kept[2].startswith(b"%PDF")
    assert b"<dc:date>" not in kept[1]
    assert b"CreationDate" not in kept[2]
    with paths[3].open(newline="", encoding="utf-8") as file:
        assert list(csv.DictReader(file)) == [{"a": "1", "b": "0.30000000000000004"}, {"a": "2", "b": ""}]
    assert crates.facts(paths[4]) == {"figure": "one", "seed": 3, "versions": origin.installed_versions(crate.LIBRARIES)}
    assert crates.wrong(paths[4]) == []
    assert [
        path.read_bytes() for path in style.save_figure(figure, "one", tmp_path / "deep" / "er", rows, {"figure": "one", "seed": 3})
    ] == kept


def test_departures_name_the_ends_of_lists_and_only_what_differs():
    e = figure_runs.Experiment
    assert (
        style.field_differences(e(clips=(1.0, 2.0), n=5, seed=7), e()) == "n 5 instead of 10000, clips 1 to 2 (2) instead of 0.1 to 300 (8)"
    )
    assert style.field_differences(e(clips=(1.0,), n=5), e(), ("clips", "alphas")) == "clips 1 instead of 0.1 to 300 (8)"


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
    figures = [picture for paper in PAPERS for picture in of(paper, "commands.pictures")().values()]
    for figure in figures:
        for ax in figure.axes:
            assert all_shown(ax) == []
            low, high = sorted(ax.get_ylim())
            inside = [y for line in ax.get_lines() for y in np.asarray(line.get_ydata(), dtype=float) if low <= y <= high]
            assert len(inside) > 2
            if ax.get_yscale() == "log":  # and the points take up a good part of the height
                assert np.log(max(inside) / min(inside)) > 0.25 * np.log(high / low)
