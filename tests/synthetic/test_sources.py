"""What the key of a stored result holds: the sources that its task uses, and the versions of the libraries that these import."""

import py_compile
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from synthetic import sources
from synthetic.sources import code_version
from synthetic.sweep import Cell

ROOT = Path(__file__).parents[2]
CELLS = sorted(path.stem for path in (ROOT / "synthetic").glob("*cells.py"))


@pytest.fixture(autouse=True)
def fresh():
    clear = [one.cache_clear for one in (code_version, sources._spec, sources._distributions)]
    for one in clear:
        one()
    yield
    for one in clear:
        one()
    for name in [name for name in sys.modules if name.startswith(("own_", "zipped_task", "bare_task"))]:
        del sys.modules[name]


def seen(module, monkeypatch):
    """Return the modules of which the sources count, and the libraries of which the versions do."""
    modules, libraries = set(), set()
    source, version = sources._source, sources.library_version
    monkeypatch.setattr(sources, "_source", lambda spec: modules.add(spec.name) or source(spec))
    monkeypatch.setattr(sources, "library_version", lambda name: libraries.add(name) or version(name))
    code_version(module)
    return modules, libraries


def loaded_by(module):
    """Return which modules of ours a module really loads."""
    script = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout.split()
    return {name for name in loaded if name.split(".")[0] in sources.OURS}


@pytest.mark.parametrize("cells", CELLS)
def test_the_sources_are_those_that_the_task_loads(cells, monkeypatch):
    modules, libraries = seen(f"synthetic.{cells}", monkeypatch)
    assert loaded_by(f"synthetic.{cells}") <= modules
    assert not {"synthetic.sweep", "synthetic.store", "synthetic.workers"} & modules
    assert {"numpy", "numba"} <= libraries


def test_the_libraries_of_the_cells_are_named(monkeypatch):
    assert "scipy" in seen("synthetic.psgd_cells", monkeypatch)[1]
    assert "scipy" in seen("synthetic.selection_cells", monkeypatch)[1]
    code_version.cache_clear()
    assert {"scipy", "sklearn"} <= seen("synthetic.digits_cells", monkeypatch)[1]


@pytest.mark.parametrize("library", ["numpy", "numba", "scipy", "scikit-learn"])
def test_another_version_of_a_library_is_another_key(library, monkeypatch):
    cell = Cell("synthetic.digits_cells:digits_cell", {})
    before, version = cell.key, sources.version
    code_version.cache_clear()
    monkeypatch.setattr(sources, "version", lambda name: "0.0" if name == library else version(name))
    assert cell.key != before


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


FILES = {
    "own_package/__init__.py": "",
    "own_package/task.py": "import json, os.path\nfrom .near import x\ndef go():\n    import own_beside\n",
    "own_package/near.py": "from own_package.deep.down import z as x\n",
    "own_package/deep/__init__.py": "",
    "own_package/deep/down.py": "z = 1\n",
    "own_package/apart.py": "",
    "own_beside.py": "import not_there\nimport mpmath\n",
}


@pytest.mark.parametrize("name", FILES)
def test_a_task_of_ones_own_is_followed_wherever_it_leads(name, tmp_path, monkeypatch):
    write(tmp_path, FILES)
    monkeypatch.syspath_prepend(tmp_path)
    before = code_version("own_package.task")
    write(tmp_path, {name: FILES[name] + "\ny = 2\n"})
    code_version.cache_clear()
    assert (code_version("own_package.task") != before) == (name != "own_package/apart.py")


def test_a_task_that_imports_bounds_depends_on_all_of_it_because_its_pages_are_opened_by_name(tmp_path, monkeypatch):
    write(tmp_path, FILES | {"own_beside.py": FILES["own_beside.py"] + "from bounds import privacy\n"})
    monkeypatch.syspath_prepend(tmp_path)
    modules, libraries = seen("own_package.task", monkeypatch)
    assert {"own_package", "own_package.near", "own_package.deep", "own_beside", "bounds.privacy", "bounds.dpzero.theorem3"} <= modules
    assert {"mpmath", "not_there", "sympy"} <= libraries
    assert not {"json", "os"} & libraries


def test_sources_in_an_archive_count_and_sources_left_out_are_refused(tmp_path, monkeypatch):
    files = {"zipped_task/__init__.py": "", "zipped_task/task.py": "from zipped_task import beside\n", "zipped_task/beside.py": "x = 1\n"}
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    monkeypatch.syspath_prepend(tmp_path / "z.zip")
    assert {"zipped_task.task", "zipped_task.beside"} <= seen("zipped_task.task", monkeypatch)[0]
    write(tmp_path, {"bare.py": "x = 1\n"})
    py_compile.compile(str(tmp_path / "bare.py"), cfile=str(tmp_path / "only" / "bare_task.pyc"))
    monkeypatch.syspath_prepend(tmp_path / "only")
    with pytest.raises(ValueError, match="the source of bare_task cannot be read, so it is not known"):
        code_version("bare_task")


@pytest.mark.parametrize("module", ["not_there_at_all", "synthetic.not_there", "synthetic.cells.grid_cell"])
def test_a_task_that_is_in_no_module_is_a_sentence(module):
    with pytest.raises(ValueError, match=f"task = '{module}': a module that can be imported"):
        code_version(module)
