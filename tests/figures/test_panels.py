"""What stands on the axes of every figure: scales, labels, titles, legends and named ticks, against a list that a person has read.

The experiments are small ones whose numbers are not those of the full figures, so that a title with the number of another field is seen.
What is fitted or averaged is no matter here and stands as #.
"""

import re
from pathlib import Path

import pytest
from matplotlib.ticker import FixedLocator

from tests.figures.made_up import SMALL, conducted
from tests.figures.test_every_field import MODULES

TEXT = (Path(__file__).parent / "panels.txt").read_text(encoding="utf-8")
PANELS = {block.partition("\n")[0]: block.partition("\n")[2].strip("\n") for block in TEXT.split("\n## ")[1:]}
FITS = re.compile(r"-?\d+\.\d\d \[[^\]]*\]|\$-?\d+\.\d\d \\pm \d+\.\d\d\$|too few points")
MEANS = re.compile(r"-?\d+\.\d{3}( \[[^\]]*\])?")


def words(figure):
    """Return what is written in a figure, a line for each text of a panel."""
    found = [f"title: {MEANS.sub('#', figure.get_suptitle())}", *([f"below: {figure.get_supxlabel()}"] if figure.get_supxlabel() else [])]
    for k, ax in enumerate(figure.axes):
        found.append(f"panel {k + 1}: {ax.get_title()}")
        found.append(f"  x: {ax.get_xscale()} | {ax.get_xlabel()}")
        found.append(f"  y: {ax.get_yscale()} | {ax.get_ylabel()}")
        for letter, axis in (("x", ax.get_xaxis()), ("y", ax.get_yaxis())):
            marks = [text.get_text() for text in axis.get_ticklabels()] if isinstance(axis.get_major_locator(), FixedLocator) else []
            if any(marks) and not (letter == "y" and all(re.fullmatch(r"[\d.e-]+", one) for one in marks)):
                found.append(f"  {letter} ticks: {', '.join(marks)}")
        found += [f"  text: {MEANS.sub('#', text.get_text())}" for text in ax.texts]
        found += [f"  - {text.get_text()}" for text in (ax.get_legend().get_texts() if ax.get_legend() else [])]
    for legend in figure.legends:
        found += [f"- {text.get_text()}" for text in legend.get_texts()]
    return FITS.sub("#", "\n".join(line.rstrip() for one in found for line in one.split("\n")))


@pytest.mark.parametrize("name", MODULES)
def test_axes_titles_and_legends_are_those_of_the_list(name, monkeypatch):
    part = MODULES[name]
    record = conducted(part, SMALL[name], monkeypatch)[0] if name in SMALL else part.data(part.PREVIEW)
    assert words(part.draw(record)) == PANELS[name]


def test_the_list_is_of_the_figures_that_there_are():
    assert set(PANELS) == set(MODULES)
