"""The reader of planted faults, where one is planted, and the sample."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.faults.memory import change_text
from tests.faults.plant import plant
from tests.faults.sample import SHARE, sample_faults
from tests.faults.text import Fault, load_faults, read_faults

BLOCK = "half\nin bounds\n- 4 * C\n+ 2 * C\nnoticed by one.claim, another.claim\n"
HALF = Fault("half", "bounds", "4 * C", "2 * C", ("one.claim", "another.claim"), "dpzero", "privacy")
CODE = {
    "one.py": "def f(a):\n    return [\n        a,\n        2,\n    ]\n\n\nclass Grid:\n    def f(self):\n        return [a, 2]\n",
    "two.py": "b = 3\n",
    "three.page": (
        "theory-page 1\n\nlemma a.one\n\nlet\n  cost = 2 q         -- in q\n\nassume\n  only one: small: q <= 2 q_2\n"
        "    -- in q\n\nproof -- of 2 q\n  # 2 q\n  scope cost (3): cost <=\n      2 q\n  next: cost = 1\n    by 2 q [cost]\n"
    ),
    "four.page": (
        "theory-page 1\n\nclaims a.one -- w\n\nprinted -- w\n  rate = 3 q\n  other = 3 q\n\nprinted small -- w\n  T = 3 q\n\n"
        "claim a.one.x: scope\n  source -- 3 q\n  check one.f(a = 3)\n"
    ),
}


def test_a_block_is_a_fault():
    assert read_faults(f"# subject\n\n{BLOCK}\n\n# part\n{BLOCK}", "dpzero", "privacy") == (HALF, HALF)


def test_a_text_may_have_lines_and_the_new_one_may_be_missing():
    (fault,) = read_faults("in the end\nin bounds\n- if a:\n-     b\n-\n- c - d\nnoticed by one.claim")
    assert (fault.name, fault.old, fault.new) == ("in the end", "if a:\n    b\n\nc - d", "")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("half\n", "", "line 1: the fault 'in bounds' needs a place"),
        ("half\n", "+ half\n", "line 1: a fault begins with its name, not with '\\+ half'"),
        ("in bounds\n", "", "line 1: the fault 'half' needs a place"),
        ("- 4 * C\n", "", "line 1: the fault 'half' needs an old text"),
        ("noticed by one.claim, another.claim\n", "", "line 1: the fault 'half' needs claims"),
        ("in bounds\n- 4 * C\n", "- 4 * C\nin bounds\n", "line 3: a fault has its place, its old text, .* in this order"),
        ("in bounds\n", "in bounds\nin bounds\n", "line 3: .* in this order"),
        ("+ 2 * C\n", "+ 2 * C\n* 3\n", "line 5: '\\* 3' is none of"),
        ("+ 2 * C\n", "+ 4 * C\n", "line 1: the fault 'half' changes nothing"),
        ("one.claim, ", "one.claim,, ", "a comma too many"),
    ],
)
def test_what_is_no_fault_is_refused_with_its_line(old, new, words):
    assert old in BLOCK
    with pytest.raises(ValueError, match=f"^dpzero/privacy.txt, {words if 'comma' not in words else '.*' + words}"):
        read_faults(BLOCK.replace(old, new), "dpzero", "privacy")


def test_two_faults_of_one_name_are_refused(tmp_path):
    for paper in ("one", "two"):
        (tmp_path / paper).mkdir()
        (tmp_path / paper / "a.txt").write_text(BLOCK, encoding="utf-8")
    with pytest.raises(ValueError, match="'half': two planted faults have this name"):
        load_faults(tmp_path)


@pytest.fixture
def root(tmp_path):
    (tmp_path / "code").mkdir()
    for name, text in CODE.items():
        (tmp_path / "code" / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("place", "old", "new", "where", "text"),
    [
        ("code", "b = 3", "b = 4", "two.py", "b = 4\n"),
        ("code/two.py:b", "3", "", "two.py", "b = \n"),
        ("code/one.py:f", "[a, 2]", "[a, 3]", "one.py", CODE["one.py"].replace("[\n        a,\n        2,\n    ]", "[a, 3]")),
        ("code/one.py:Grid.f", "[a,2,]", "[a, 3]", "one.py", CODE["one.py"].replace("[a, 2]", "[a, 3]")),
        ("code", "cost = 2 q", "cost = q", "three.page", CODE["three.page"].replace("cost = 2 q", "cost = q")),
        ("code/three.page:let", "2 q", "q", "three.page", CODE["three.page"].replace("cost = 2 q", "cost = q")),
        ("code/three.page:small", "2 q_2", "q", "three.page", CODE["three.page"].replace("2 q_2", "q")),
        ("code/three.page:next", "2 q", "q", "three.page", CODE["three.page"].replace("by 2 q", "by q")),
        ("code/four.page:rate", "3 q", "q", "four.page", CODE["four.page"].replace("rate = 3 q", "rate = q")),
        ("code/four.page:T", "3 q", "q", "four.page", CODE["four.page"].replace("T = 3 q", "T = q")),
        ("code/four.page:a.one.x", "3 q", "q", "four.page", CODE["four.page"].replace("source -- 3 q", "source -- q")),
        ("code/three.page:cost", "<= 2 q", "<= q", "three.page", CODE["three.page"].replace("<=\n      2 q", "<= q")),
    ],
)
def test_a_fault_is_found_by_what_the_code_says(root, place, old, new, where, text):
    assert plant(root, Fault("it", place, old, new, ())) == (root / "code" / where, text)


@pytest.mark.parametrize(
    ("place", "old", "times"),
    [
        ("code", "[a, 2]", 2),
        ("code/one.py", "b = 3", 0),
        ("code/one.py:Grid", "def f(a)", 0),
        ("code/three.page:proof", "2 q", 4),
        ("code/three.page:cost", "2 q", 2),
        ("code/three.page:let", "by 2 q", 0),
    ],
)
def test_a_fault_without_its_one_place_is_refused(root, place, old, times):
    with pytest.raises(AssertionError, match=f"occurs {times} times"):
        plant(root, Fault("it", place, old, "x", ()))


def test_a_changed_table_or_page_is_read_in_place_of_the_file(root, monkeypatch):
    monkeypatch.setattr(Path, "read_text", Path.read_text)  # which is put back at the end
    change_text(root / "code" / "two.py", "b = 4\n")
    assert [(root / "code" / name).read_text(encoding="utf-8") for name in ("one.py", "two.py")] == [CODE["one.py"], "b = 4\n"]


def test_the_sample_has_its_share_of_each_paper_and_package_and_is_stable():
    faults = load_faults()
    chosen = sample_faults(faults)
    assert chosen == sample_faults(reversed(faults))
    for paper in {one.paper for one in faults}:
        for package in ("bounds", "synthetic", "paper_checks"):
            ours, all_of_it = (sum(one.paper == paper and one.place.startswith(package) for one in some) for some in (chosen, faults))
            assert abs(ours - SHARE * all_of_it) <= 2, (paper, package)
    more = sample_faults((*faults, replace(faults[0], name="a new one")))
    assert len({*chosen} ^ {*more}) <= 2
