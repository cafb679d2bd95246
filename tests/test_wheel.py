"""A wheel built from the tree works where nothing else of ours is; `test_house` sees that what it imports is declared."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_wheel_works_beside_its_dependencies_alone(tmp_path):
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

    def call(*command):
        return subprocess.run([str(c) for c in command], check=True, capture_output=True, encoding="utf-8", cwd=tmp_path, env=clean).stdout

    call(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path / "dist", ROOT)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for package in ("theory_lab", "synthetic", "bounds", "figures", "paper_checks"):
        assert f"{package}/py.typed" in names
    assert not [name for name in names if name.startswith("tests")]
    for part in ("page.html.j2", "derivations.html.j2", "page.css", "page.js"):
        assert f"theory_lab/report/{part}" in names
    assert "theory_lab/lab.mplstyle" in names

    call(sys.executable, "-m", "venv", "--without-pip", tmp_path / "env")
    python = tmp_path / "env" / "bin" / "python"
    call(sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "install", "--no-deps", "--no-index", wheel)
    packages = Path(call(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (packages / "dependencies.pth").write_text(
        sysconfig.get_path("purelib"), encoding="utf-8"
    )  # files named *.pth in there, our own among them, do nothing
    where = call(python, "-c", "import theory_lab, synthetic.kernels.grid; print(theory_lab.__file__, synthetic.__file__)")
    assert [Path(file).is_relative_to(packages) for file in where.split()] == [True, True]
    lab = tmp_path / "env" / "bin" / "theory-lab"
    assert "figure" in call(lab, "--help")
    call(lab, "figure", "dpzero-1", "--dimensions", "20", "--n", "200", "--horizons", "5,10", "--workers", "1")
    assert (tmp_path / "out" / "figures" / "dpzero-1-preview.png").stat().st_size > 1000
