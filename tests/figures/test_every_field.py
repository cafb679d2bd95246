"""Every field of the experiment of every figure changes what is run or what is shown; and what a figure says of its size is its own.

Nothing is simulated: `tests.figures.made_up` gives each cell numbers that depend on its task and arguments alone. So a field that is
ignored, a cell that has the seed of another and a summary of the wrong cells are seen in all figures.
"""

from dataclasses import fields, replace

import pytest

from bounds.gauss_psgd.scaled import Knobs
from tests.figures.made_up import SMALL, conducted
from theory_lab.methods import METHODS
from theory_lab.methods.record import resolved

MODULES = {name: resolved(where) for one in METHODS.values() if one.figures for name, where in one.figures.parts.items()}
COUNTED = ("grape-memory",)  # without cells: its rows are counts, and `test_grape_memory` has them
OTHER = {  # where half as much again, or the list without its first, cannot be meant or changes nothing that can be seen at this size
    "accountant": "exact", "direction": "gaussian", "knobs": Knobs(k_R=0.8), "accuracy": 0.3, "share": 0.3, "q": 0.1, "omega": 0.3,
    "epsilon": 2.5, "delta": 1e-6, "seed": 8, "dimensions": (3, 8), "spectra": ("inverse_sqrt",), "clients": (1, 4),
    ("grape-rate", "dimensions"): (16, 81), ("grape-rate", "d"): 25, ("grape-rate", "most"): 1e9, ("dpzero-tuned", "narrow"): 0.5,
    ("dpzero-tuned", "most"): 9, ("dpzero-scale", "data"): (3, 7), ("psgd-rate", "fit_epsilon"): 0.1, ("grape-spectrum", "rank"): 3,
    ("grape-direction", "rank"): 1, ("grape-direction", "m"): 24, ("grape-direction", "ranks"): (2, 5), ("dpzero-scale", "datasets"): 3,
    ("grape-subspace", "r"): 3, ("zopo-floor", "tuned"): 0.03, ("dpzero-tuned", "delta"): 1e-3, ("psgd-escape", "points"): 15,
    ("grape-spectrum", "low"): 6,
}  # fmt: skip

UNUSED = {"dpzero-tuned": ("fresh_datasets", "fresh_replicates")}  # fields of Figure 1's experiment; here `most` and `narrow` say how many


def another(name, field, value):
    """Return another value that the field can have."""
    if (name, field) in OTHER or field in OTHER:
        return OTHER.get((name, field), OTHER.get(field))
    if isinstance(value, tuple):
        return value[1:] if len(value) > 2 else tuple(type(one)(2 * one) for one in value)
    return type(value)(1.5 * value + (1 if isinstance(value, int) else 0))


def shown(part, found):
    record, cells = found
    return sorted(map(repr, cells)), repr(part.table(record))


def test_every_figure_with_cells_is_tried():
    assert set(SMALL) == set(MODULES) - set(COUNTED)


@pytest.mark.parametrize("name", SMALL)
def test_every_field_changes_what_is_run_or_what_is_shown(name, monkeypatch):
    part, small = MODULES[name], SMALL[name]
    plain = shown(part, conducted(part, small, monkeypatch))
    assert shown(part, conducted(part, small, monkeypatch)) == plain
    for field in fields(small):
        if field.name in UNUSED.get(name, ()):
            continue
        value = another(name, field.name, getattr(small, field.name))
        assert value != getattr(small, field.name), field.name
        assert shown(part, conducted(part, replace(small, **{field.name: value}), monkeypatch)) != plain, field.name
