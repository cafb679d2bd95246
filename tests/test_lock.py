"""constraints*.txt: what runs, tests and the reference need is complete, fits pyproject.toml and is known by its hashes."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PYPROJECT["project"]["optional-dependencies"]
RUN = [*PYPROJECT["build-system"]["requires"], *PYPROJECT["project"]["dependencies"]]
ASKED = {  # what each file pins beside what those need; what is beside them, `make mutants` installs
    "constraints.txt": RUN,
    "constraints-test.txt": [*RUN, *EXTRAS["test"], *EXTRAS["distributed"]],
    "constraints-docs.txt": [*RUN, *EXTRAS["docs"]],
}
ENTRY = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;\\]+)(?: ; (?P<when>[^\\]+?))? \\\n(?P<hashes>(?:    --hash=.*\n)+)", re.M)
TEXTS = {file: (ROOT / file).read_text(encoding="utf-8") for file in ASKED}
ENTRIES = {file: list(ENTRY.finditer(text)) for file, text in TEXTS.items()}


@pytest.mark.parametrize("file", ASKED)
def test_every_line_is_of_a_pinned_file_with_its_hash(file):
    assert "".join(one[0] for one in ENTRIES[file]) == "".join(line for line in TEXTS[file].splitlines(True) if line[0] != "#")
    for one in ENTRIES[file]:
        lines = one["hashes"].splitlines()
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?", line) for line in lines), one["name"]


@pytest.mark.parametrize(("file", "asked"), [(file, one) for file, several in ASKED.items() for one in several])
def test_what_is_declared_is_pinned_at_a_version_that_fits(file, asked):
    """Whoever changes what pyproject.toml asks for runs `make lock`."""
    wanted = Requirement(asked)
    found = [one for one in ENTRIES[file] if canonicalize_name(one["name"]) == canonicalize_name(wanted.name)]
    assert found
    assert all(wanted.specifier.contains(one["version"]) for one in found)
    assert len(found) > 1 or found[0]["when"] is None  # several: one for each range of Pythons


def test_what_the_figures_need_has_the_same_files_wherever_it_is_pinned():
    run, *others = ({one[0] for one in entries} for entries in ENTRIES.values())
    assert all(run <= other for other in others)


@pytest.mark.parametrize("name", ["scikit-learn", "mypy", "dask", "distributed", "pytest", "hypothesis", "sphinx", "ruff"])
def test_what_only_tests_and_documents_need_is_not_installed_for_a_figure(name):
    assert name not in {one["name"] for one in ENTRIES["constraints.txt"]}


def test_compiled_libraries_have_the_files_of_several_systems_and_pythons():
    for one in ENTRIES["constraints.txt"]:
        if one["name"] in ("numpy", "scipy", "numba", "llvmlite", "matplotlib", "python-flint"):
            assert one["hashes"].count("sha256:") > 10, one["name"]
