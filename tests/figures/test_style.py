"""The style file gives the look that the committed pictures have, to others too."""

import re
from importlib.metadata import version
from io import BytesIO

import matplotlib as mpl
import matplotlib.style
import numpy as np
import pytest
from matplotlib.figure import Figure

from figures import style
from tests.figures import crates
from tests.figures.test_crate import GALLERY
from theory_lab.cli import main

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def picture(figure):
    file = BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def test_a_picture_in_the_style_looks_as_the_labs_own():
    """Whoever says plt.style.use("theory_lab.lab") has it; without, a picture is another."""
    with style.styled_figure(3.0, 2.0, "", 1, 1) as (own, axes):
        axes[0, 0].plot([1, 2], color="#000000", linestyle="-", label="a")
        axes[0, 0].legend(title="b")
        expected = picture(own)

    def drawn():
        figure = Figure(figsize=(3.0, 2.0), layout="constrained")
        ax = figure.subplots()
        ax.plot([1, 2], color="#000000", linestyle="-", label="a")
        ax.legend(title="b")
        return picture(figure)

    with mpl.style.context("theory_lab.lab"):
        assert drawn() == expected
    assert drawn() != expected


def test_lines_of_the_style_are_told_apart_in_black_and_white_and_by_the_colour_blind():
    with mpl.style.context("theory_lab.lab"):
        looks = [(one["color"], str(one["linestyle"])) for one in mpl.rcParams["axes.prop_cycle"]]
    assert len(looks) >= 6
    assert len({dash for _, dash in looks}) == len(looks)  # in black and white
    assert {color for color, _ in looks} <= {"#000000", "#D55E00", "#56B4E9", "#0072B2", "#009E73", "#E69F00", "#CC79A7"}  # Okabe and Ito
    assert len({color for color, _ in looks}) == len(looks)


def words_and_numbers(file):
    """The text of a file without its numbers, and these; the hashes of coordinates by which a picture names its parts are counted."""
    text = file.read_text(encoding="utf-8")
    names = {name: f"part{k}" for k, name in enumerate(dict.fromkeys(re.findall(r'id="([a-z][0-9a-f]{10})"', text)))}
    text = re.sub(r"\b[a-z][0-9a-f]{10}\b", lambda found: names.get(found[0], found[0]), text)
    return NUMBER.sub("#", text), np.array([float(one) for one in NUMBER.findall(text)])


def test_a_committed_picture_is_drawn_again(tmp_path):
    """Of a figure that needs no simulation; by the same libraries, since others may draw otherwise, up to the rounding of processors."""
    kept = GALLERY / f"grape-memory{crates.END}"
    said = crates.facts(kept)["versions"]
    if any(said[name] != version(name) for name in ("numpy", "matplotlib")):
        pytest.skip("it was drawn with other versions of the libraries")
    assert main(["figure", "grape-memory", "--out", str(tmp_path), "--store", str(tmp_path / "s.sqlite"), "--workers", "1"]) == 0
    for end, close in ((".svg", {"rtol": 0, "atol": 1e-3}), (".csv", {"rtol": 1e-9})):  # a thousandth of a point is not seen
        (words, numbers), (kept_words, kept_numbers) = (words_and_numbers(path / f"grape-memory{end}") for path in (tmp_path, GALLERY))
        assert words == kept_words
        np.testing.assert_allclose(numbers, kept_numbers, **close)
