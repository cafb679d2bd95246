"""constraints.txt: what `make setup` installs is complete, fits pyproject.toml and is known by its hashes, on every Python and system."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = ("test", "distributed", "docs")  # what is beside them, `make mutants` installs
ENTRY = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;\\]+)(?: ; (?P<when>[^\\]+?))? \\\n(?P<hashes>(?:    --hash=.*\n)+)", re.M)
TEXT = (ROOT / "constraints.txt").read_text(encoding="utf-8")
ENTRIES = list(ENTRY.finditer(TEXT))
ASKED = [
    *PYPROJECT["build-system"]["requires"],
    *PYPROJECT["project"]["dependencies"],
    *(one for extra in EXTRAS for one in PYPROJECT["project"]["optional-dependencies"][extra]),
]


def test_every_line_is_of_a_pinned_file_with_its_hash():
    assert "".join(one[0] for one in ENTRIES) == "".join(line for line in TEXT.splitlines(True) if line[0] != "#")
    for one in ENTRIES:
        lines = one["hashes"].splitlines()
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?", line) for line in lines), one["name"]


@pytest.mark.parametrize("asked", ASKED)
def test_what_is_declared_is_pinned_at_a_version_that_fits(asked):
    """Whoever changes what pyproject.toml asks for runs `make lock`."""
    wanted = Requirement(asked)
    found = [one for one in ENTRIES if canonicalize_name(one["name"]) == canonicalize_name(wanted.name)]
    assert found
    assert all(wanted.specifier.contains(one["version"]) for one in found)
    assert len(found) > 1 or found[0]["when"] is None  # several: one for each range of Pythons


def test_compiled_libraries_have_the_files_of_several_systems_and_pythons():
    for one in ENTRIES:
        if one["name"] in ("numpy", "scipy", "numba", "llvmlite", "matplotlib", "python-flint"):
            assert one["hashes"].count("sha256:") > 10, one["name"]
