"""A figure with an experiment of its own is a line of a record: its options are the fields of its experiment, and it says what it lacks."""

import sys
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace

import pytest
from matplotlib.figure import Figure

from theory_lab.commands.figure import draw_figures
from theory_lab.methods.record import Figures, Option


@dataclass(frozen=True)
class Own:
    points: int = 8
    seed: int = 0


@pytest.fixture
def asked(monkeypatch):
    """The arguments of the command for a figure that shares a record with others, which take epsilon as well."""
    module = ModuleType("figure_of_mine")
    module.PAPER, module.PREVIEW = Own(), Own(points=2)
    module.data = lambda experiment, store, *, workers, progress: experiment
    module.draw = lambda record: Figure()
    module.table = lambda record: [{"points": record.points, "seed": record.seed}]
    module.provenance = lambda record: {"figure": "mine"}
    monkeypatch.setitem(sys.modules, "figure_of_mine", module)
    options = (Option("epsilon", "of the others", kind=float), Option("seed", "of the draws", kind=int))
    record = Figures(names=("mine",), parts={"mine": "figure_of_mine"}, options=options)
    return SimpleNamespace(known={"mine": record}, names=["mine"], preview=True, workers=None, epsilon=None, seed=3), module


def test_it_is_drawn_with_its_own_experiment_and_says_in_what_it_is_less(asked):
    arguments, module = asked
    ((name, _, rows, provenance),) = draw_figures(arguments, None, None)
    assert (name, rows) == ("mine", [{"points": 2, "seed": 3}])
    assert "points" in provenance["preview"]
    module.less = lambda experiment, paper: (f"{experiment.points} of {paper.points} points", "nothing is seen")
    ((*_, provenance),) = draw_figures(arguments, None, None)
    assert provenance["preview"] == "not the full figure: 2 of 8 points; nothing is seen"


def test_an_option_that_is_no_field_of_its_experiment_is_refused(asked):
    arguments, _ = asked
    arguments.epsilon = 2.0
    with pytest.raises(ValueError, match=r"epsilon = 2\.0: the figure mine does not take it; leave it out"):
        list(draw_figures(arguments, None, None))
