"""`figure dpzero-1 --methods`: a subset is drawn from the same runs; a user's method is tuned and judged as the lab's are."""

import csv
import hashlib
import itertools
import sys
from pathlib import Path

import pytest

from figures.dpzero import synthetic
from figures.dpzero.synthetic import FIGURE_1, LOOKS, METHODS, OWN_LOOKS, OwnGridFigure
from paper_checks.dpzero.experiments.figure_runs import Experiment, FurtherMethod, grid_cells
from tests.figures import crates
from tests.figures.test_preview import drawn_from_nothing
from tests.theory_lab.sweeps import in_this_process
from theory_lab.cli import main
from theory_lab.commands import figure as drawing

TWIN = """
from theory_lab.methods import sums

METHOD = sums.record("twin", paper="own", words="DPZero under another name", kernel="synthetic.methods.dpzero:DPZERO", own=("lam",))
"""
NUMBERS = itertools.count()  # a module is imported once per process
SMALL = ["--dimensions", "3", "--n", "30", "--spectra", "flat,inverse", "--horizons", "2,4,7", "--workers", "1"]
OTHER = """
from theory_lab.methods import sums

METHODS = {
    "free": sums.record("free", paper="own", words="w", kernel="synthetic.methods.dpzero:MEZO"),
    "staged": sums.record("staged", paper="own", words="w", kernel="synthetic.methods.dp_zopo:DP_ZOSO"),
    "ranked": sums.record("ranked", paper="own", words="w", kernel="synthetic.methods.dp_grape:DP_GALORE"),
}
"""


@pytest.fixture
def written(tmp_path, monkeypatch):
    """A function that writes a file of this name and returns its path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(drawing, "open_workers", in_this_process)

    def write(name, text):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        return str(tmp_path / f"{name}.py")

    return write


def further(name):
    return FurtherMethod(name, ("a.b:c", "a.b:d"), {})


def test_the_lab_s_method_under_another_name_gets_the_same_points(written, capsys):
    """The twin is run setting by setting by `simulate`: the same winners and errors as the engine of the grid; fresh runs to float32."""
    file = written("a_twin", TWIN)
    assert main(["--module", file, "figure", "dpzero-1", "--methods", "twin,dpzero", *SMALL]) == 0
    err = capsys.readouterr().err
    assert "theory-lab audit twin attacks that claim" in err
    with open("out/figures/dpzero-1-preview.csv", encoding="utf-8") as out:
        rows = list(csv.DictReader(out))
    assert {row["method"] for row in rows} == {"twin", "dpzero"}  # dpgd_0th shares cells of dpzero, and is not drawn
    for spectrum in ("flat", "inverse"):
        one, two = ({row["method"]: row for row in rows if row["spectrum"] == spectrum}[name] for name in ("twin", "dpzero"))
        assert all(one[name] == two[name] for name in ("d", "alpha", "T", "C", "sigma", "settings", "fresh_runs", "at_x0"))
        assert float(one["best_of_grid"]) == pytest.approx(float(two["best_of_grid"]), rel=1e-9)
        for name in ("fresh_mean", "fresh_low", "fresh_high"):
            assert float(one[name]) == pytest.approx(float(two[name]), rel=1e-4)
    told = crates.facts(Path(f"out/figures/dpzero-1-preview{crates.END}"))
    assert told["methods"] == ["twin", "dpzero"]
    assert told["modules"]["a_twin"] == {"sha256": hashlib.sha256(TWIN.encode()).hexdigest(), "text": TWIN}
    assert told["own methods"]["twin"] == {"lam": 1e-4, "direction": "sphere", "sampling": "without_replacement"}


def test_a_subset_has_the_cells_of_all_and_its_own_lines():
    e = Experiment(dimensions=(3,), horizons=(2,))
    assert {cell.key for cell in grid_cells(e, ("dpzero", "dp_gd")).values()} == {cell.key for cell in grid_cells(e).values()}
    part = FIGURE_1.with_methods(dict.fromkeys(("dp_gd", "dpzero")))
    ax = part.draw(drawn_from_nothing(e, "dpzero-1")).axes[0]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["value at $x_0$", "DP-GD", "DPZero"]
    assert {row["method"] for row in part.table(drawn_from_nothing(e, "dpzero-1"))} == {"dp_gd", "dpzero"}
    assert FIGURE_1.with_methods(dict.fromkeys(METHODS)) == FIGURE_1
    assert "methods" not in FIGURE_1.provenance(drawn_from_nothing(e, "dpzero-1"))


def test_own_methods_have_looks_of_their_own_and_a_coarser_preview_for_all():
    part = FIGURE_1.with_methods({"dpzero": None, "dp_gd": None, **{name: further(name) for name in "abc"}})
    looks = part.looks.values()
    assert len({one.marker for one in looks} | {one.marker for one in LOOKS.values()}) == 6
    assert len({(one.color, one.dash) for one in looks}) == 5
    assert not {dash for *_, dash in OWN_LOOKS} & {"-", ":"}  # of the lab's methods, and of the value at x_0
    assert part.PREVIEW is synthetic.COARSE
    assert isinstance(part, OwnGridFigure)
    assert "beyond those of its grid" in synthetic.preview_limits(part.PREVIEW)
    assert FIGURE_1.with_methods({"dpzero": None}).PREVIEW is FIGURE_1.PREVIEW
    with pytest.raises(ValueError, match=r"^methods = a,b,c,d: 4 methods of your own; at most 3 are distinguishable$"):
        FIGURE_1.with_methods({name: further(name) for name in "abcd"})


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["dpzero-1"], "figure dpzero-1 uses nothing of it; draw its method with --methods dpzero,free, or leave --module out"),
        (
            ["dpzero-1", "--methods", "dpzero,freed"],
            "'freed' is unknown to dpzero-1; some of dpgd_0th, dpzero, dp_gd, or of your file,",
        ),
        (["dpzero-1", "--methods", "free,free"], "free occurs twice"),
        (["dpzero-1", "--methods", "free"], "methods = free: dpzero-1 cannot draw it, because it takes no C and sigma"),
        (["dpzero-2", "--methods", "staged"], "methods = staged: dpzero-2 cannot draw it, because it has stages"),
        (["dpzero-3", "--methods", "ranked"], "methods = ranked: dpzero-3 cannot draw it, because its setting r has no default"),
        (["dpzero-1", "dpzero-scale", "--methods", "free"], "methods = free: the methods of the figure dpzero-scale cannot be chosen"),
        (["grape-rate", "--methods", "free"], "the figures grape-rate, "),
    ],
)
def test_what_cannot_be_drawn_is_a_sentence_before_any_work(argv, said, written, capsys, monkeypatch):
    monkeypatch.setattr("synthetic.sweeps.sweep.execute", None)
    file = written(f"others_of_mine_{next(NUMBERS)}", OTHER)
    assert main(["--module", file, "figure", *argv]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_a_method_needs_a_file(written, capsys):
    written("none", "")
    assert main(["figure", "dpzero-1", "--methods", "dpzero,momentum"]) == 2
    assert "or a METHOD of your own file, which --module names, are needed" in capsys.readouterr().err
