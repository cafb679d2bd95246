"""The style file gives the look that the committed pictures have, to others too."""

from importlib.metadata import version
from io import BytesIO

import matplotlib as mpl
import matplotlib.style
import pytest
from matplotlib.figure import Figure

from figures import style
from tests.figures import crates
from tests.figures.test_crate import GALLERY
from theory_lab.cli import main


def picture(figure):
    file = BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def test_a_picture_in_the_style_looks_as_the_labs_own():
    """Whoever says plt.style.use("figures.lab") has it; without, a picture is another."""
    with style.sheet(3.0, 2.0, "", 1, 1) as (own, axes):
        axes[0, 0].plot([1, 2], label="a")
        axes[0, 0].legend(title="b")
        expected = picture(own)

    def drawn():
        figure = Figure(figsize=(3.0, 2.0), layout="constrained")
        ax = figure.subplots()
        ax.plot([1, 2], label="a")
        ax.legend(title="b")
        return picture(figure)

    with mpl.style.context("figures.lab"):
        assert drawn() == expected
    assert drawn() != expected


def test_a_committed_picture_is_drawn_again_to_the_last_byte(tmp_path):
    """Of a figure that needs no simulation; by the same libraries, since others may draw and round otherwise."""
    kept = GALLERY / f"grape-memory{crates.END}"
    said = crates.facts(kept)["versions"]
    if any(said[name] != version(name) for name in ("numpy", "matplotlib")):
        pytest.skip("it was drawn with other versions of the libraries")
    assert main(["figure", "grape-memory", "--out", str(tmp_path), "--store", str(tmp_path / "s.sqlite"), "--workers", "1"]) == 0
    again = tmp_path / kept.name
    for end in (".svg", ".csv"):
        ours, theirs = (crates.entities(path)[f"#grape-memory{end}"]["sha256"] for path in (again, kept))
        assert ours == theirs
