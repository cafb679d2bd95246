"""Every committed figure is drawn again, at its full size, and its numbers are compared with the committed ones."""

import csv
import math
from pathlib import Path

import pytest

from tests.figures import crates
from theory_lab.cli import main
from theory_lab.methods import METHODS

ROOT = Path(__file__).parents[2]
GALLERY, OUT = ROOT / "figures" / "gallery", ROOT / "out" / "verify" / "gallery"
FIGURES = {name: one.figures for one in METHODS.values() if one.figures for name in one.figures.parts}
# Figures of one module may share cells, as Figures 1 to 3 of DPZero do: one process draws them, after one another.
CASES = [pytest.param(name, marks=pytest.mark.xdist_group(one.parts[name].split(":")[0])) for name, one in FIGURES.items()]
# Runs of thousands of steps carry the rounding of one processor further than that of another: 2.3e-8 is the largest relative difference
# that was seen on two kinds of them. What is discrete, such as a number of steps, is the same or another whole number.
PRECISION = 1e-5
pytestmark = [pytest.mark.verify, pytest.mark.timeout(14400)]


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def as_number(text):
    try:
        return float(text)
    except ValueError:
        return None


def same(committed, drawn):
    """Whether two entries of a table agree: numbers up to PRECISION, all else to the letter."""
    a, b = as_number(committed), as_number(drawn)
    if a is None or b is None:
        return committed == drawn
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=PRECISION, abs_tol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_a_figure_drawn_again_has_the_committed_numbers(name):
    store = OUT / Path(FIGURES[name].store).name
    assert main(["figure", name, "--out", str(OUT), "--store", str(store), "--workers", "1"]) == 0
    committed, drawn = rows_of(GALLERY / f"{name}.csv"), rows_of(OUT / f"{name}.csv")
    assert [row.keys() for row in drawn] == [row.keys() for row in committed]
    pairs = [(k, column, row[column], drawn[k][column]) for k, row in enumerate(committed) for column in row]
    assert [pair for pair in pairs if not same(*pair[2:])] == []
    assert crates.wrong(OUT / f"{name}{crates.END}") == []
    for ending in (".png", ".svg", ".pdf"):
        size = (OUT / f"{name}{ending}").stat().st_size
        assert 0.5 < size / (GALLERY / f"{name}{ending}").stat().st_size < 2, ending


def test_a_changed_number_and_a_changed_word_are_noticed():
    assert same("0.5", "0.5000001")
    assert not same("0.5", "0.50001")
    assert not same("dpzero", "dp_gd")
    assert not same("nan", "0.5")
    assert not same("", "0.5")
