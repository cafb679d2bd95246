"""What is a mutant and what is none, by rule; skipped where Cosmic Ray is not there."""

import ast

import pytest

pytest.importorskip("cosmic_ray")

from tests.mutants import sites
from tests.mutants.rooms import PACKAGES, ROOMS, room_files, room_of

SOURCE = '''"""1 + 1."""
def area(a: int | None, *, b: float = 2.0) -> "int | None":
    if a < 0:
        raise ValueError(f"a = {a + 1}: at least {0} is needed")
    ax.plot(a, b, fontsize=7.5)
    return a * b
'''


def test_types_texts_and_looks_are_no_mutants(tmp_path, monkeypatch):
    (tmp_path / "one.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(sites, "ROOT", tmp_path)
    places = {
        line: sorted(name.split("_")[0].removeprefix("core/") for name, _ in choices)
        for (line, _), choices in sites._mutation_sites("one.py").items()
    }
    assert set(places) == {2, 3, 6}
    assert places[2] == ["NumberReplacer"] * 2  # the default of b, up and down
    assert set(places[6]) == {"ReplaceBinaryOperator"}


def test_a_sample_is_drawn_again_by_its_seed_and_every_mutant_is_another_program():
    room = "sweep"  # the smallest
    drawn = sites.sample_mutants(room, 3, seed=1)
    assert drawn == sites.sample_mutants(room, 3, seed=1) != sites.sample_mutants(room, 3, seed=2)
    for mutant in drawn:
        assert mutant.file in room_files(room)
        original = (sites.ROOT / mutant.file).read_text(encoding="utf-8")
        assert mutant.was == original.splitlines()[mutant.line - 1].strip()
        assert ast.dump(ast.parse(mutant.code())) != ast.dump(ast.parse(original))


def test_every_source_has_a_room():
    assert {room_of(f"{package}/one.py") for package in PACKAGES} <= set(ROOMS)
    assert all(room_files(room) for room in ROOMS)
    assert sum(len(room_files(room)) for room in ROOMS) == sum(len(list((sites.ROOT / package).rglob("*.py"))) for package in PACKAGES)
