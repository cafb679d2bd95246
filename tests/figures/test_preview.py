"""A figure of a smaller grid than the paper's says so in its picture and in its JSON."""

from dataclasses import replace

import pytest

from figures import style
from figures.dpzero import synthetic as dpzero_synthetic
from figures.dpzero.synthetic import METHODS, ROWS
from figures.gauss_psgd import rate as psgd_rate
from paper_checks.dpzero.experiments.figure_runs import PAPER, PREVIEW, ExperimentResult, Point
from synthetic.estimate import Interval
from theory_lab.cli import build_parser
from theory_lab.commands.figure import draw_figures as dpzero_figures
from theory_lab.commands.figure import mark_picture


def drawn_from_nothing(experiment, name):
    """An outcome with made-up values in place of runs."""
    places = [(spectrum, d, measure) for spectrum in experiment.spectra for d in experiment.dimensions for measure in ROWS[name]]
    points = tuple(
        Point(method, spectrum, d, measure, 0.1 * d, 0.1, 10, 1.0, 0.1, 1, 0, Interval(0.2 * d, 0.1 * d, 0.3 * d, 0.95), 10)
        for method in METHODS for spectrum, d, measure in places
    )  # fmt: skip
    return ExperimentResult(experiment, points, dict.fromkeys(places, 500.0))


@pytest.mark.parametrize("name", ROWS)
def test_a_preview_is_not_titled_like_the_figure(name):
    full, less = (dpzero_synthetic.GridFigure(name).draw(drawn_from_nothing(e, name)) for e in (PAPER, PREVIEW))
    assert full.get_suptitle().startswith(f"DPZero, Figure {name[-1]}: ")
    assert less.get_suptitle().startswith(f"DPZero, preview of Figure {name[-1]}: ")


def test_what_is_less_stands_above_the_picture_and_in_the_json():
    said = dpzero_synthetic.grid_differences(PREVIEW)
    assert said == "dimensions 20 to 200 (4) instead of 20 to 2000 (7), horizons 10 to 320 (6) instead of 10 to 5120 (10)"
    picture = dpzero_synthetic.GridFigure("dpzero-1").draw(drawn_from_nothing(PREVIEW, "dpzero-1"))
    record = mark_picture(picture, said, dpzero_synthetic.preview_limits(PREVIEW))
    assert [text.get_text() for text in picture.texts if "PREVIEW" in text.get_text()] == [f"PREVIEW, not the full figure: {said}"]
    assert record["preview"].startswith(f"not the full figure: {said}; settings of more than 320 steps are missing")
    assert "neither its exponents in d" in record["preview"]


def test_the_full_figure_is_not_marked():
    picture = dpzero_synthetic.GridFigure("dpzero-1").draw(drawn_from_nothing(PAPER, "dpzero-1"))
    assert mark_picture(picture, dpzero_synthetic.grid_differences(PAPER), "") == {}
    assert not [text for text in picture.texts if "PREVIEW" in text.get_text()]
    assert dpzero_synthetic.grid_differences(replace(PAPER, epsilon=8.0, seed=3)) == ""  # the title has epsilon


def test_fewer_dimensions_alone_miss_no_steps():
    fewer = replace(PAPER, dimensions=(20, 50))
    assert dpzero_synthetic.grid_differences(fewer) == "dimensions 20 to 50 (2) instead of 20 to 2000 (7)"
    assert "steps" not in dpzero_synthetic.preview_limits(fewer)


def test_the_previews_of_the_other_paper_are_known_too():
    said = style.field_differences(psgd_rate.PREVIEW, psgd_rate.PAPER)
    assert "replicates" in said
    assert style.field_differences(replace(psgd_rate.PAPER, seed=9), psgd_rate.PAPER) == ""


@pytest.mark.parametrize(
    ("n", "said"),
    [(10_000, ""), (1_000_000, "With delta = 1e-06, not well below 1/n = 1e-06, the guarantee is weak")],
)
def test_a_large_delta_is_remarked_in_the_json_of_a_figure(n, said, monkeypatch, capsys):
    arguments = build_parser().parse_args(["figure", "dpzero-1", "--n", str(n), "--dimensions", "20"])
    drawn = drawn_from_nothing(replace(PAPER, n=n), "dpzero-1")
    monkeypatch.setattr("paper_checks.dpzero.experiments.figure_runs.run_experiment", lambda *_, **__: drawn)
    ((_, _, _, record),) = dpzero_figures(arguments, None, None)
    assert record.get("remark", "").startswith(said)
    assert ("remark" in record) == bool(said)
    assert capsys.readouterr().err.startswith(f"theory-lab: {said}" if said else "")


@pytest.mark.parametrize("name", ["dimensions", "horizons", "alphas", "clips"])
def test_fewer_of_any_part_of_the_grid_is_said(name):
    fewer = replace(PAPER, **{name: getattr(PAPER, name)[:-1]})
    assert dpzero_synthetic.grid_differences(fewer).startswith(f"{name} ")


@pytest.mark.parametrize(("delta", "said"), [(1e-5, "10^{-5}"), (1e-6, "10^{-6}"), (3e-6, "3e-06"), (0.02, "0.02")])
def test_the_delta_of_a_title_is_the_one_that_was_run(delta, said):
    assert style.number_latex(delta) == said
