"""Records are values: every dataclass of the packages is frozen, but for the few that hold the state of a run."""

import importlib
from dataclasses import is_dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for package in ("bounds", "synthetic", "figures", "paper_checks", "theory_lab")
    for path in sorted((ROOT / package).rglob("*.py"))
    if "@dataclass" in path.read_text(encoding="utf-8")
]
STATE = {"synthetic.grid_first": ["Columns"], "paper_checks.gauss_psgd.written": ["AdaDpSpider", "Exact"]}


@pytest.mark.parametrize("name", MODULES)
def test_every_dataclass_is_frozen(name):
    module = importlib.import_module(name)
    ours = [one for one in vars(module).values() if isinstance(one, type) and one.__module__ == name and is_dataclass(one)]
    assert ours
    assert [one.__name__ for one in ours if not one.__dataclass_params__.frozen] == STATE.get(name, [])


def test_the_repr_of_what_a_person_holds_is_no_wall():
    """Data, functions and parameters of an objective and of a landscape are left out."""
    from synthetic.objectives import quadratic
    from synthetic.saddles import random_phase_cosines

    for one in (quadratic("inverse", 3, 5, 0), random_phase_cosines(3)):
        assert one.name in repr(one)
        assert not any(word in repr(one) for word in ("data=", "params=", "gradient=", "function", "CPUDispatcher", "draw=", "hessian="))
