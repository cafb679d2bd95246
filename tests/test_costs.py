"""What the tests cost by the record stays within the budgets; the selection of levels and the record do what they say."""

from collections import defaultdict

import pytest

from tests import levels
from tests.levels import Cost

RECORD = levels.read_costs()
BUDGETS = levels.read_budgets()


@pytest.fixture
def allowed(request):
    """Return the budget of each package, in CPU seconds, at the level of this run."""
    level = request.config.getoption("level")
    if level not in BUDGETS:
        pytest.skip("everything runs at this level, whatever it costs")
    return BUDGETS[level]["rooms"]


@pytest.mark.usefixtures("allowed")
def test_every_test_that_was_collected_has_a_record(request):
    """`make costs` measures them."""
    if request.config.getoption("record_costs"):
        pytest.skip("the record is being written")
    names = {levels.case_function(item.nodeid) for item in request.session.items}
    assert sorted(names - RECORD.keys()) == []


def test_what_was_collected_is_within_the_budget_of_its_package(request, allowed):
    """By the record, and not by the clock: a machine that is busy fails nothing. New cases cost what those that are known do."""
    spent = defaultdict(float)
    for item in request.session.items:
        if cost := RECORD.get(levels.case_function(item.nodeid)):
            spent[levels.package_of(item.nodeid)] += cost.each
    assert {room: seconds for room, seconds in spent.items() if seconds > allowed[room]} == {}


def test_the_budgets_add_up_to_what_the_levels_promise():
    for level in ("quick", "test"):
        assert sum(BUDGETS[level]["rooms"].values()) <= BUDGETS[level]["together"]


class Item:
    """A stand-in for a pytest item with a node id and marks."""

    def __init__(self, nodeid, **marks):
        self.nodeid, self.marks = nodeid, {name: pytest.mark.__getattr__(name)(*args).mark for name, args in marks.items()}

    def get_closest_marker(self, name):
        """Return the mark with a name, or None."""
        return self.marks.get(name)


def selected_ids(level, items, costs=None):
    """Return the node ids of the items that run at a level."""
    return [item.nodeid for item in levels.select_tests(level, items, costs or {})]


CASES = [Item(f"tests/bounds/test_a.py::test_b[{k}]", sample=(3,)) for k in range(10)]
DEEP = Item("tests/bounds/test_a.py::test_deep", verify=())
PLAIN = Item("tests/bounds/test_a.py::test_plain")


def test_test_leaves_out_what_is_marked_and_takes_a_fixed_sample():
    chosen = selected_ids("test", [*CASES, DEEP, PLAIN])
    assert PLAIN.nodeid in chosen
    assert DEEP.nodeid not in chosen
    assert len(chosen) == 4
    assert set(selected_ids("test", [*CASES[::-1], PLAIN])) == set(chosen)  # whatever the order
    more = [*CASES, Item("tests/bounds/test_a.py::test_b[new]", sample=(3,))]
    assert len({*selected_ids("test", more), PLAIN.nodeid} - set(chosen)) <= 1  # a new case replaces one at most
    assert selected_ids("verify", [*CASES, DEEP, PLAIN]) == [item.nodeid for item in (*CASES, DEEP, PLAIN)]


def test_quick_takes_what_the_record_shows_to_be_cheap_and_what_is_new():
    case, whole = BUDGETS["quick"]["case"], BUDGETS["quick"]["function"]
    name = "bounds/test_a.py::test_plain"
    assert selected_ids("quick", [PLAIN], {}) == [PLAIN.nodeid]
    assert selected_ids("quick", [PLAIN], {name: Cost(case, 1)}) == [PLAIN.nodeid]
    assert selected_ids("quick", [PLAIN], {name: Cost(1.01 * case, 1)}) == []
    many = 10_000
    assert selected_ids("quick", [PLAIN], {name: Cost(whole, many)}) == [PLAIN.nodeid]
    assert selected_ids("quick", [PLAIN], {name: Cost(1.01 * whole, many)}) == []
    assert selected_ids("quick", [DEEP], {}) == []


def test_a_record_is_read_as_it_was_written(tmp_path):
    costs = {"bounds/test_a.py::test_b": Cost(1.25, 3), "test_c.py::test_d": Cost(0.5, 1)}
    levels.write_costs(costs, tmp_path / "costs.txt")
    assert levels.read_costs(tmp_path / "costs.txt") == costs
    assert levels.read_costs(tmp_path / "none.txt") == {}


def test_costs_of_functions_are_sums_over_their_cases():
    seconds = {"tests/bounds/test_a.py::test_b[1]": 1.0, "tests/bounds/test_a.py::test_b[2-x[y]]": 2.0, "tests/test_c.py::test_d": 0.5}
    assert levels.total_costs(seconds) == {"bounds/test_a.py::test_b": Cost(3.0, 2), "test_c.py::test_d": Cost(0.5, 1)}
    assert [levels.package_of(name) for name in seconds] == ["bounds", "bounds", "all"]


def test_a_quick_run_only_raises_what_is_recorded():
    a, b, c = "test_costs.py::a", "test_costs.py::b", "test_costs.py::c"
    before, now = {a: Cost(1.0, 1), b: Cost(1.0, 1), "gone.py::d": Cost(1.0, 1)}, {a: Cost(2.0, 1), b: Cost(0.5, 1), c: Cost(3.0, 3)}
    assert levels.update_costs(before, now, "quick") == {a: Cost(2.0, 1), b: Cost(1.0, 1), c: Cost(3.0, 3)}
    assert levels.update_costs(before, now, "test") == now
