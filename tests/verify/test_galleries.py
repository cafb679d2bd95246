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
# Training with steps that are too large amplifies rounding, until two processors end at different weights. For such settings of a search,
# none of which was chosen, each mean must lie within the interval of the other.
AMPLIFIED = {"zopo-digits": {"panel": "search", "chosen": "False"}}
MEANS = ("value", "value_low", "value_high")
# Figures with settings searched in distribution, and the prefix of their columns. Where every sample is clipped, only alpha C and alpha
# sigma matter, and a search may end at any setting with the same products. A grid has a rule that chooses among such settings.
SEARCHED = {"dpzero-scale": "", "dpzero-tuned": "tuned_"}
pytestmark = [pytest.mark.verify, pytest.mark.timeout(14400)]


def read_rows(path):
    """Read the rows of a CSV file."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def as_number(text):
    """Return the number that a text holds, or None."""
    try:
        return float(text)
    except ValueError:
        return None


def entries_agree(committed, drawn):
    """Return whether two table entries agree: numbers up to PRECISION, other text exactly."""
    a, b = as_number(committed), as_number(drawn)
    if a is None or b is None:
        return committed == drawn
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=PRECISION, abs_tol=1e-12)


def differences(name, committed, drawn):
    """Return the columns in which two rows of a figure differ, with both entries; accepted differences are left out."""
    found = {column: (committed[column], drawn[column]) for column in committed if not entries_agree(committed[column], drawn[column])}
    if name in SEARCHED:
        setting = [f"{SEARCHED[name]}{letter}" for letter in ("alpha", "C", "sigma")]
        return {} if found.keys() == set(setting) and same_products(setting, committed, drawn) else found
    amplifies = name in AMPLIFIED and AMPLIFIED[name].items() <= committed.items()
    return {} if amplifies and found.keys() <= set(MEANS) and means_overlap(committed, drawn) else found


def same_products(setting, committed, drawn):
    """Return whether two rows agree in alpha C and alpha sigma; `setting` names the columns of alpha, C and sigma."""
    ours, theirs = ([float(row[column]) for column in setting] for row in (committed, drawn))
    return all(math.isclose(ours[0] * a, theirs[0] * b, rel_tol=PRECISION) for a, b in zip(ours[1:], theirs[1:], strict=True))


def means_overlap(committed, drawn):
    """Return whether each row's mean lies in the interval of the other."""
    (a, low_a, high_a), (b, low_b, high_b) = ([float(row[column]) for column in MEANS] for row in (committed, drawn))
    return low_a <= b <= high_a and low_b <= a <= high_b


@pytest.mark.parametrize("name", CASES)
def test_a_figure_drawn_again_has_the_committed_numbers(name):
    store = OUT / Path(FIGURES[name].store).name
    assert main(["figure", name, "--out", str(OUT), "--store", str(store), "--workers", "1"]) == 0
    committed, drawn = read_rows(GALLERY / f"{name}.csv"), read_rows(OUT / f"{name}.csv")
    assert [row.keys() for row in drawn] == [row.keys() for row in committed]
    assert {k: found for k, row in enumerate(committed) if (found := differences(name, row, drawn[k]))} == {}
    assert crates.wrong(OUT / f"{name}{crates.END}") == []
    for ending in (".png", ".svg", ".pdf"):
        size = (OUT / f"{name}{ending}").stat().st_size
        assert 0.5 < size / (GALLERY / f"{name}{ending}").stat().st_size < 2, ending


LAW = {"alpha": "92.0", "C": "0.005", "sigma": "0.0002", "value": "0.05"}
SEARCH = {"panel": "search", "chosen": "False", "C": "5.0", "value": "0.50", "value_low": "0.3", "value_high": "0.7"}


def test_settings_that_are_one_and_searches_that_amplify_rounding_are_told_from_changes():
    assert differences("dpzero-scale", LAW, LAW | {"alpha": "9.2", "C": "0.05", "sigma": "0.002"}) == {}
    assert differences("dpzero-scale", LAW, LAW | {"alpha": "9.2", "C": "0.06", "sigma": "0.002"})
    tuned = {f"tuned_{name}": value for name, value in LAW.items()}
    assert differences("dpzero-tuned", tuned, tuned | {"tuned_alpha": "9.2", "tuned_C": "0.05", "tuned_sigma": "0.002"}) == {}
    assert differences("dpzero-tuned", tuned, tuned | {"tuned_alpha": "9.2", "tuned_C": "0.05"})
    assert differences("dpzero-scale", LAW, LAW | {"alpha": "9.2", "C": "0.05", "sigma": "0.003"})
    assert differences("dpzero-1", LAW, LAW | {"alpha": "9.2", "C": "0.05", "sigma": "0.002"})
    assert differences("dpzero-scale", LAW, LAW | {"alpha": "9.2", "C": "0.05", "sigma": "0.002", "value": "0.051"})
    other = {"value": "0.45", "value_low": "0.2", "value_high": "0.7"}
    assert differences("zopo-digits", SEARCH, SEARCH | other) == {}
    assert differences("zopo-digits", SEARCH | {"chosen": "True"}, SEARCH | {"chosen": "True"} | other)
    assert differences("zopo-digits", SEARCH, SEARCH | {"value": "0.2", "value_low": "0.1", "value_high": "0.4"})
    assert differences("zopo-digits", SEARCH, SEARCH | other | {"C": "6.0"})
    assert differences("grape-digits", SEARCH, SEARCH | other)


def test_a_changed_number_and_a_changed_word_are_noticed():
    assert entries_agree("0.5", "0.5000001")
    assert not entries_agree("0.5", "0.50001")
    assert not entries_agree("dpzero", "dp_gd")
    assert not entries_agree("nan", "0.5")
    assert not entries_agree("", "0.5")
