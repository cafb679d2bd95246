"""What the key of a stored result holds: the sources that its task uses, and the versions of the libraries that these import."""

import platform
import py_compile
import subprocess
import sys
import sysconfig
import zipfile
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from synthetic.sweeps import sources
from synthetic.sweeps.sources import code_version
from synthetic.sweeps.sweep import Cell

ROOT = Path(__file__).parents[3]
CELLS = ("objectives.digits", "runs.escapes", "grids.grid", "runs.psgd", "runs.selection")


@pytest.fixture(autouse=True)
def fresh():
    clear = [one.cache_clear for one in (code_version, sources._module_spec, sources._distributions)]
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
    source, version = sources._source_text, sources.version_of
    monkeypatch.setattr(sources, "_source_text", lambda spec: modules.add(spec.name) or source(spec))
    monkeypatch.setattr(sources, "version_of", lambda name: libraries.add(name) or version(name))
    code_version(module)
    return modules, libraries


def loaded_by(module):
    """Return which modules of ours a module really loads."""
    script = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout.split()
    return {name for name in loaded if name.split(".")[0] in sources.OURS}


@pytest.mark.sample(2)
@pytest.mark.parametrize("cells", CELLS)
def test_the_sources_are_those_that_the_task_loads(cells, monkeypatch):
    modules, libraries = seen(f"synthetic.{cells}", monkeypatch)
    assert loaded_by(f"synthetic.{cells}") <= modules
    assert not {"synthetic.sweeps.sweep", "synthetic.sweeps.store", "synthetic.sweeps.workers"} & modules
    assert {"numpy", "numba"} <= libraries


def test_the_libraries_of_the_cells_are_named(monkeypatch):
    assert "scipy" in seen("synthetic.runs.psgd", monkeypatch)[1]
    assert "scipy" in seen("synthetic.runs.selection", monkeypatch)[1]
    code_version.cache_clear()
    assert {"scipy", "sklearn"} <= seen("synthetic.objectives.digits", monkeypatch)[1]


@pytest.mark.parametrize("library", ["numpy", "numba", "scipy", "scikit-learn"])
def test_another_version_of_a_library_is_another_key(library, monkeypatch):
    cell = Cell("synthetic.objectives.digits:digits_cell", {})
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
    assert {"own_package", "own_package.near", "own_package.deep", "own_beside", "bounds.privacy", "bounds.dpzero.recommend"} <= modules
    assert {"mpmath", "not_there", "sympy"} <= libraries
    assert not {"json", "os"} & libraries
    before, read = code_version("own_package.task"), Path.read_bytes
    assert "bounds/dpzero/theorem3.page" in dict(sources._pages(["bounds"]))
    monkeypatch.setattr(Path, "read_bytes", lambda file: read(file) + b"# 2\n" * (file.name == "theorem3.page"))
    code_version.cache_clear()
    assert code_version("own_package.task") != before


def test_a_page_of_ones_own_package_counts(tmp_path, monkeypatch):
    found = []
    for text in ("theory-page 1\n", "theory-page 1\n# 2\n"):
        write(tmp_path, FILES | {"own_package/deep/one.page": text})
        monkeypatch.syspath_prepend(tmp_path)
        code_version.cache_clear()
        found.append(code_version("own_package.task"))
    assert found[0] != found[1]


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


@pytest.mark.parametrize("module", ["not_there_at_all", "synthetic.not_there", "synthetic.grids.grid.grid_cell"])
def test_a_task_that_is_in_no_module_is_a_sentence(module):
    with pytest.raises(ValueError, match=f"task = '{module}': a module that can be imported"):
        code_version(module)


def test_what_a_source_imports_is_found_wherever_it_stands_and_however_it_is_named():
    source = "import a.b, c\nfrom d.e import f, g\nfrom . import h\nfrom .i import j\nfrom ..k import l\ndef go():\n    from .. import m\n"
    assert list(sources._imported_names(source, "top.inner")) == [
        "a.b", "c", "d.e", "d.e.f", "d.e.g", "top.inner", "top.inner.h", "top.inner.i", "top.inner.i.j", "top.k", "top.k.l", "top", "top.m",
    ]  # fmt: skip
    assert list(sources._imported_names("from . import h", "top")) == ["top", "top.h"]


def test_libraries_are_told_from_sources_that_count(tmp_path, monkeypatch):
    write(
        tmp_path, {"own_file.py": "", "own_folder/inside.py": "", "site-packages/own_installed.py": "", "dist-packages/own_system.py": ""}
    )
    for folder in (tmp_path, tmp_path / "site-packages", tmp_path / "dist-packages"):
        monkeypatch.syspath_prepend(folder)
    ours = {"own_file", "own_folder", "own_folder.inside", "own_top.one", "bounds.privacy", "theory_lab"}
    others = {"own_installed", "own_system", "numpy", "json", "os.path", "sys", "not_there_at_all"}
    assert {name for name in ours | others if sources._is_followed(name, "own_top")} == ours
    for kind in ("purelib", "platlib", "stdlib", "platstdlib"):
        assert sources._is_installed(str(Path(sysconfig.get_path(kind)) / "one.py"))
    assert not sources._is_installed(str(tmp_path / "one.py"))


def test_all_modules_of_a_package_at_any_depth(tmp_path, monkeypatch):
    write(tmp_path, FILES)
    monkeypatch.syspath_prepend(tmp_path)
    inside = ["apart", "deep", "deep.down", "near", "task"]
    assert sorted(sources._submodules("own_package")) == [f"own_package.{name}" for name in inside]
    assert sources._submodules("own_not_there") == []


def test_the_versions_of_a_library_are_those_of_all_that_give_it(monkeypatch):
    def version(name):
        if name == "gone":
            raise PackageNotFoundError
        return f"1.{len(name)}"

    monkeypatch.setattr(sources, "version", version)
    monkeypatch.setattr(sources, "_distributions", lambda: {"lib": ["two-b", "one", "one"], "half": ["gone"]})
    assert [sources.version_of(name) for name in ("lib", "half", "other")] == ["one 1.3, two-b 1.5", "gone absent", "other 1.5"]


def test_another_python_is_another_key(monkeypatch):
    before = code_version("synthetic.estimate")
    assert len(before) == 16
    assert set(before) <= set("0123456789abcdef")
    code_version.cache_clear()
    assert code_version("synthetic.estimate") == code_version("synthetic.estimate:mean") == before
    code_version.cache_clear()
    monkeypatch.setattr(platform, "python_version", lambda: "2.7")
    assert code_version("synthetic.estimate") != before


@pytest.mark.parametrize("name", ["table.txt", "theorem.page"])
def test_a_table_beside_the_sources_counts_for_workers(name, tmp_path, monkeypatch):
    package = tmp_path / "with_a_table_of_its_own"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sources, "OURS", (package.name,))
    found = []
    for text in ("93.1\n", "93.2\n"):
        (package / name).write_text(text, encoding="utf-8")
        found.append(sources.fingerprint.__wrapped__())
    assert found[0] != found[1]
