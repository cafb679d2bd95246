"""What is written takes the place of the old when it is whole: an error, an interrupt or a full disk before that leaves the old file."""

import errno
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from matplotlib.figure import Figure

from figures import crate, plans, style
from figures.files import atomic_path
from theory_lab.sweeps import results as of_results

ROWS = [{"a": 1, "b": 0.5}]
OLD = b"old and whole"


def figure():
    made = Figure()
    made.subplots().plot([1, 2])
    return made


def parquet(path):
    of_results.write_parquet(path, ROWS)


WRITERS = {
    "one.csv": lambda path: style.write_rows(path, ROWS),
    **{f"one.{kind}": lambda path: style.save_picture(figure(), path) for kind in style.KINDS},
    "one-ro-crate-metadata.json": lambda path: crate.write_crate("one", path.parent, [], {"figure": "one"}),
    "one.parquet": parquet,
    "plans.svg": lambda path: plans.write_picture(None, path),
}


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch):
    """PyArrow, which need not be there, and the drawing of plans."""
    table = SimpleNamespace(from_pydict=lambda columns: "whole")
    monkeypatch.setitem(sys.modules, "pyarrow", SimpleNamespace(Table=table))
    write = SimpleNamespace(write_table=lambda text, path: Path(path).write_text(text, encoding="utf-8"))
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", write)
    monkeypatch.setattr(plans, "draw_plans", lambda _: figure())


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()], ids=["full disk", "interrupt"])
def test_an_end_before_the_whole_is_written_leaves_the_old_file_and_nothing_besides(name, error, tmp_path, monkeypatch):
    path = tmp_path / name
    path.write_bytes(OLD)

    def ends(part, place):
        assert Path(place) == path
        assert Path(part).parent == tmp_path  # of one file system, so that a name is changed and nothing is copied
        assert Path(part).stat().st_size > 0
        assert path.read_bytes() == OLD  # up to here
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", ends)
        with pytest.raises((type(error), ValueError)):
            WRITERS[name](path)
    assert [one.name for one in tmp_path.iterdir()] == [name]
    assert path.read_bytes() == OLD
    WRITERS[name](path)
    assert path.read_bytes() != OLD
    assert [one.name for one in tmp_path.iterdir()] == [name]


def test_an_error_while_it_is_written_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(OLD)

    def write():
        with atomic_path(path) as part:
            part.write_text("half", encoding="utf-8")
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        write()
    assert path.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_one_and_what_it_leads_to_is_replaced(tmp_path):
    path, link = tmp_path / "a.txt", tmp_path / "b.txt"
    path.write_bytes(OLD)
    link.symlink_to(path)
    with atomic_path(link) as part:
        part.write_text("new", encoding="utf-8")
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == "new"


def test_what_is_no_file_is_written_in_place():
    with atomic_path(Path("/dev/null")) as part:
        assert part == Path("/dev/null")


def test_the_crate_is_of_what_was_written_and_is_written_last(tmp_path, monkeypatch):
    """An end before it leaves files whose crate is the old one, which the hashes show, and no crate of files that are not there."""
    order, replace = [], os.replace
    monkeypatch.setattr(os, "replace", lambda part, place: (order.append(Path(place).name), replace(part, place)))
    paths = style.save_figure(figure(), "one", tmp_path, ROWS, {"figure": "one"})
    assert order == ["one.png", "one.svg", "one.pdf", "one.csv", "one-ro-crate-metadata.json"]
    assert [path.name for path in paths] == order
