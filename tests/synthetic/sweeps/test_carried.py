"""A user's modules in worker processes: from the text that was packed, whatever happens to the files, and never another version."""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from synthetic.sweeps import carried as carried_modules
from synthetic.sweeps.carried import Carried, CarriedModule, Carrying, install, pack
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell, execute, run
from synthetic.sweeps.workers import local_processes

TASK = """
import numpy as np
from {name}_beside import FACTOR

def cell(*, x):
    return {{"y": np.array(FACTOR * x)}}

def wrong():
    raise KeyError(__file__)
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A function that writes a module of this name and one beside it, which it imports, with a factor."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(carried_modules, "FINDER", carried_modules.CarriedFinder())

    def write(name, factor=2):
        (tmp_path / f"{name}_beside.py").write_text(f"FACTOR = {factor}\n", encoding="utf-8")
        (tmp_path / f"{name}.py").write_text(TASK.format(name=name), encoding="utf-8")
        return tmp_path / f"{name}.py"

    yield write
    for name in [name for name, one in sys.modules.items() if str(tmp_path) in str(getattr(one, "__file__", ""))]:
        del sys.modules[name]


def test_a_process_computes_with_the_text_that_was_packed_although_the_files_are_gone(mine, tmp_path):
    file = mine("carried_away")
    packed = pack(["carried_away"])
    (tmp_path / "carried_away_beside.py").write_text("FACTOR = 99\n", encoding="utf-8")
    file.unlink()
    with local_processes(1) as pool:
        carrying = Carrying(pool, packed)
        assert carrying.workers == 1  # which the estimate of the time left asks for
        assert carrying.submit(execute, "carried_away:cell", {"x": 3}).result()[1] == {"y": 6}
        error = carrying.submit(execute, "carried_away:wrong", {}).exception()
    assert error.args == (str(file),)
    assert f'File "{file}", line 9, in wrong' in str(error.__cause__)  # what its process printed


def test_what_is_packed_is_the_file_and_what_stands_beside_it_and_the_version_is_of_both(mine):
    mine("first")
    packed = pack(["first"])
    assert [one.name for one in packed.modules] == ["first", "first_beside"]
    assert packed.libraries == ()  # numpy is the lab's own, which a cluster compares already
    assert pack(["first"]) == packed
    mine("first", factor=3)  # the file itself is the same
    changed = pack(["first"])
    assert changed.modules[0] == packed.modules[0]
    assert changed.versions != packed.versions
    mine("second")
    assert dict(pack(["first", "second"]).versions)["first"] == dict(changed.versions)["first"]


def test_a_worker_that_lives_on_forgets_the_version_before(mine, tmp_path):
    file = mine("again")
    before = pack(["again"])
    mine("again", factor=5)
    after = pack(["again"])
    file.unlink()
    with ThreadPoolExecutor(1) as pool:
        seen = [Carrying(pool, one).submit(execute, "again:cell", {"x": 1}).result()[1]["y"] for one in (before, after, before)]
    assert seen == [2, 5, 2]


def test_what_a_worker_cannot_import_is_a_sentence(mine, tmp_path):
    packed = pack([mine("json_of_mine").stem])
    named = replace(packed, modules=(CarriedModule("json", "/away/json.py", "x = 1\n"),))
    with pytest.raises(ValueError, match=r"^/away/json.py: a worker has another module called 'json' \(.*\); rename the file$"):
        install(named)
    with pytest.raises(
        ValueError, match=r"^a worker has pytest \d.*, and the caller pytest 0.1: its results would differ; install the same"
    ):
        install(replace(packed, libraries=(("pytest", "pytest 0.1"),)))
    assert carried_modules.FINDER.carried == Carried()  # neither came to be


def test_a_package_and_what_is_in_it_are_carried(mine, tmp_path):
    (tmp_path / "parcel" / "inner").mkdir(parents=True)
    (tmp_path / "parcel" / "inner" / "leaf.py").write_text("VALUE = 7\n", encoding="utf-8")
    (tmp_path / "opener.py").write_text(
        "import numpy as np\nfrom parcel.inner import leaf\n\ndef cell():\n    return {'y': np.array(leaf.VALUE)}\n", encoding="utf-8"
    )
    packed = pack(["opener"])
    assert [(one.name, one.package) for one in packed.modules] == [
        ("opener", False), ("parcel", True), ("parcel.inner", True), ("parcel.inner.leaf", False)
    ]  # fmt: skip
    sys.path.remove(str(tmp_path))
    with ThreadPoolExecutor(1) as pool:
        assert Carrying(pool, packed).submit(execute, "opener:cell", {}).result()[1]["y"] == 7


def test_a_sweep_runs_on_it(mine, tmp_path):
    mine("swept_of_mine")
    cells = [Cell("swept_of_mine:cell", {"x": x}) for x in (1, 2)]
    with Store(tmp_path / "s.sqlite") as store, ThreadPoolExecutor(1) as pool:
        found = run(cells, store, Carrying(pool, pack(["swept_of_mine"])))
    assert [found[one.key]["y"] for one in cells] == [2, 4]
