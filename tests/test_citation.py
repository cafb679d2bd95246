"""What people who cite the lab read: CITATION.cff, CHANGELOG.md and `theory-lab --version` agree with the lab."""

import platform
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import yaml

from bounds import origin
from bounds.papers import PAPERS

ROOT = Path(__file__).parents[1]
CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_citation_is_of_this_version_and_of_all_papers():
    assert (CITED["version"], CITED["license"]) == (PROJECT["version"], PROJECT["license"])
    assert [one["title"] for one in CITED["references"]] == [paper.title for paper in PAPERS.values()]
    for one, paper in zip(CITED["references"], PAPERS.values(), strict=True):
        assert [f"{author['given-names']} {author['family-names']}" for author in one["authors"]] == list(paper.authors)
        assert f"arXiv:{one['url'].rpartition('/')[2]}" in paper.published
        assert str(one["year"]) in paper.published or one["url"].rpartition("/")[2].startswith(str(one["year"])[2:])


def test_the_changes_end_with_those_of_this_version_or_are_not_released():
    sections = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert PROJECT["version"] in sections
    assert sections[0] in ("Not released yet", PROJECT["version"])


def test_the_version_is_told_without_anything_heavy():
    script = (
        "import sys\nfrom theory_lab.cli import main\ntry:\n    main(['--version'])\nexcept SystemExit as end:\n    assert not end.code\n"
        "heavy = {'numpy', 'scipy', 'sympy', 'numba', 'matplotlib', 'rich'} & set(sys.modules)\nassert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, encoding="utf-8", cwd=ROOT)
    first, second = done.stdout.splitlines()
    assert first == f"theory-lab {version('dp-theory-lab')} (commit {origin.commit()})"
    assert second.startswith(f"Python {platform.python_version()}, ")
    for name in origin.LIBRARIES:
        assert f"{name} {version(name)}" in second
