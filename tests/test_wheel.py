"""A wheel built from the tree works in an empty environment."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_the_wheel_works_in_an_empty_environment(tmp_path):
    def call(*command, **extra):
        return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True, cwd=tmp_path, **extra).stdout

    call(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path / "dist", ROOT)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for package in ("theory_lab", "synthetic", "bounds", "figures", "paper_checks"):
        assert f"{package}/py.typed" in names
    assert not [name for name in names if name.startswith("tests")]
    call(sys.executable, "-m", "venv", tmp_path / "env")
    python = tmp_path / "env" / "bin" / "python"
    call(python, "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", "-c", ROOT / "constraints.txt", wheel)
    lab = tmp_path / "env" / "bin" / "theory-lab"
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    assert "figure" in call(lab, "--help", env=clean)
    call(lab, "figure", "dpzero-1", "--dimensions", "20", "--n", "200", "--horizons", "5,10", "--workers", "1", env=clean)
    assert (tmp_path / "out" / "figures" / "dpzero-1.png").stat().st_size > 1000
