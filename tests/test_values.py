"""Records are values: every dataclass of the packages is frozen, but for the few that hold the state of a run."""

import importlib
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from bounds.dpzero.recommend import Schedule, recommend
from bounds.gauss_psgd.recommend import recommend as recommend_psgd
from bounds.gauss_psgd.scaled import Schedule as Scaled
from paper_checks import papers
from theory_lab.examples import own_paper
from theory_lab.methods import METHODS

ROOT = Path(__file__).parents[1]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for package in ("bounds", "synthetic", "figures", "paper_checks", "theory_lab")
    for path in sorted((ROOT / package).rglob("*.py"))
    if "@dataclass" in path.read_text(encoding="utf-8")
]
STATE = {"synthetic.grids.columns": ["Columns"], "synthetic.distribution.tuning": ["Search"]}


# they hold no arrays, but fields that may not be comparable, or formulas that are slow to compare
BY_IDENTITY = (".Cell", ".Neighbours", ".Replay", ".Store", ".Theorem", ".pages.store.Page")


def dataclasses_of(name):
    """Return the dataclasses that a module defines."""
    ours = [one for one in vars(importlib.import_module(name)).values() if isinstance(one, type) and one.__module__ == name]
    return [one for one in ours if is_dataclass(one)]


@pytest.mark.parametrize("name", MODULES)
def test_every_dataclass_is_frozen(name):
    ours = dataclasses_of(name)
    assert ours
    assert [one.__name__ for one in ours if not one.__dataclass_params__.frozen] == STATE.get(name, [])


@pytest.mark.parametrize("name", MODULES)
def test_a_record_that_holds_arrays_is_compared_by_identity(name):
    """Entry by entry, the answer would be an array, which is neither true nor false."""
    for one in dataclasses_of(name):
        types = [str(field.type) for field in fields(one) if "Callable" not in str(field.type)]  # a function of arrays is none
        arrays = any(word in text for text in types for word in ("Array", "ndarray"))
        by_identity = arrays or f"{one.__module__}.{one.__name__}".endswith(BY_IDENTITY)
        assert (one.__eq__ is object.__eq__) == by_identity, one


def test_methods_schedules_and_claims_are_shown_in_one_line():
    shared = {"n": 10**6, "d": 2000.0, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0}
    plans = [recommend(name, **shared, gap=1.0, B=B) for name in ("dpzero", "dpgd_0th", "dp_gd") for B in (None, 1.0)]
    plans += [recommend("dpzero", **shared, gap=1.0, mu=0.1)]
    plans += [recommend_psgd("gauss_psgd", **shared, rho=1.0, U=1.0)]
    schedules = [one for plan in plans for one in vars(plan).values() if isinstance(one, Schedule | Scaled)]
    assert len(schedules) == 2 * 7 + 3
    for one in (*METHODS.values(), own_paper.METHOD, *schedules, *papers.claims(), *own_paper.CLAIMS):
        named = getattr(one, "theorem", "") or getattr(one, "name", "") or one.key
        assert repr(one).startswith(f"{type(one).__name__}({named}")
        assert "\n" not in repr(one)
        assert len(repr(one)) <= 120, repr(one)
    for one in METHODS.values():
        assert max(len(repr(part)) for part in (one.plans, one.figures)) <= 240, one.name  # their options are left out


def test_the_repr_of_what_a_person_holds_is_no_wall():
    """Data, functions and parameters of an objective and of a landscape are left out."""
    from synthetic.objectives.separable_saddles import random_phase_cosines
    from synthetic.objectives.sums import quadratic

    for one in (quadratic("inverse", 3, 5, 0), random_phase_cosines(3)):
        assert one.name in repr(one)
        assert not any(word in repr(one) for word in ("data=", "params=", "gradient=", "function", "CPUDispatcher", "draw=", "hessian="))


def test_the_repr_of_a_kernel_is_a_line():
    from synthetic.methods.dpzero import KERNELS

    for one in KERNELS.values():
        assert f"name={one.name!r}" in repr(one)
        assert len(repr(one)) < 300
        assert not any(word in repr(one) for word in ("\n", "function", "Dispatcher", "Option("))
