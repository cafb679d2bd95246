"""`make verify`: what has passed is not run again, whatever changed sources are runs again, and the table says what happened."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.verify import __main__ as verify
from tests.verify import resume

ROOT = Path(__file__).parents[1]
FILE = """
import os, pytest
@pytest.mark.xdist_group("together")
def test_a(): pass
def test_b(): assert os.environ["B"] == "1"
"""


def run_twice(tmp_path, workers):
    """Run two tests twice with one file of passed tests (test_b fails in the first run only); return both outputs."""
    (tmp_path / "test_it.py").write_text(FILE, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.levels",
        "-p",
        "tests.verify.resume",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        tmp_path,
    ]
    command += [tmp_path, "--resume", tmp_path / "passed", "-n", str(workers), "--dist", "loadgroup"]
    outputs = []
    for b in "01":
        environment = os.environ | {"B": b, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""}
        outputs.append(subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, encoding="utf-8").stdout)
    return outputs


@pytest.mark.parametrize("workers", [0, 2])
def test_what_passed_is_not_run_again(tmp_path, workers):
    first, second = run_twice(tmp_path, workers)
    assert "1 failed, 1 passed" in first
    assert "1 passed" in second
    assert "failed" not in second
    assert resume.read_passed(tmp_path / "passed", resume.fingerprint()) == {"test_it.py::test_a", "test_it.py::test_b"}


def test_nothing_is_kept_for_other_sources_and_a_line_that_was_cut_off_is_not_read(tmp_path):
    path = tmp_path / "passed"
    path.write_text("abc\ntests/a.py::b\ntests/a.py::c", encoding="utf-8")
    assert resume.read_passed(path, "abc") == {"tests/a.py::b"}
    assert resume.read_passed(path, "abd") == set()
    assert resume.read_passed(tmp_path / "none", "abc") == set()


@pytest.mark.parametrize(
    "name", ["bounds/a.py", "tests/a.py", "theory_lab/report/page.css", "docs/howto/a.md", "pyproject.toml", "figures/gallery/dpzero-1.csv"]
)
def test_the_fingerprint_sees_every_source(tmp_path, name):
    for one in (*(f"{folder}/a.py" for folder in resume.FOLDERS), *resume.FILES, name):
        (tmp_path / one).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / one).write_text("1", encoding="utf-8")
    before = resume.fingerprint(tmp_path)
    (tmp_path / "bounds" / "__pycache__").mkdir()
    (tmp_path / "bounds" / "__pycache__" / "a.pyc").write_text("1", encoding="utf-8")
    assert resume.fingerprint(tmp_path) == before
    (tmp_path / name).write_text("2", encoding="utf-8")
    assert resume.fingerprint(tmp_path) != before


def test_every_file_of_a_part_is_there_and_runs_in_one_part_only():
    files = [file for part, (_, several) in verify.PARTS.items() if part != "tests" for file in several]
    assert len(files) == len(set(files))
    assert [file for file in files if not (ROOT / file).exists()] == []
    assert {f"--ignore={file}" for file in files} == set(verify.pytest_files("tests")[1:])


@pytest.mark.parametrize(
    ("result", "word"),
    [
        (verify.Result("faults", 3, 0, 0, 0, 60.0, 90.0, 0), "passed"),
        (verify.Result("faults", 3, 1, 0, 0, 60.0, 90.0, 1), "FAILED"),
        (verify.Result("faults", 0, 0, 0, 7, 60.0, 90.0, verify.NOTHING_LEFT), "passed before"),
        (verify.Result("faults", 0, 0, 0, 0, 60.0, 90.0, verify.NOTHING_LEFT), "FAILED"),  # nothing was collected
        (verify.Result("faults", 3, 0, 0, 0, 60.0, 90.0, 3), "FAILED"),  # pytest itself broke down
    ],
)
def test_the_table_says_what_became_of_a_part(result, word):
    head, row, total = verify.results_table([result]).splitlines()
    assert row.split()[:5] == ["faults", str(result.passed), str(result.kept), str(result.failed), str(result.skipped)]
    assert row.endswith(f"1.0      1.5  {word}")
    assert total.split() == ["together", "1.0", "1.5"]
    assert head.startswith("part")


def test_a_wrong_part_is_a_sentence():
    done = subprocess.run([sys.executable, "-m", "tests.verify", "fault"], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 2
    assert "PART = 'fault': one of faults, checks, galleries" in done.stderr
