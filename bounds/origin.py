"""Provenance of results: version of the lab, commit and date of its sources, versions of the numerical libraries."""

import json
import os
import platform
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAME = "dp-theory-lab"
UNKNOWN = "unknown"
LIBRARIES = ("numpy", "scipy", "sympy", "numba", "mpmath")  # that can change a computed number


def installed_version(name: str) -> str:
    """Return the version of an installed distribution, or "unknown" if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return UNKNOWN


def installed_versions(libraries: Iterable[str] = LIBRARIES) -> dict[str, str]:
    """Return the versions of Python, of the lab and of the libraries, by name; "unknown" for what is not installed."""
    return {"Python": platform.python_version(), **{name: installed_version(name) for name in (NAME, *libraries)}}


def source_commit() -> str:
    """Return the commit of the sources: from git in a work tree, else as recorded by the installer, else "unknown".

    If sources were changed since that commit, the text ends with ", with changes that are not committed".
    """
    head = git_in_work_tree("rev-parse", "HEAD")
    if not head:
        return installed_commit()
    ours = sorted(one.parent.name for one in ROOT.glob("*/__init__.py") if one.parent.name != "tests")
    changed = run_git("status", "--porcelain", "--untracked-files=all", "--", *ours, ":(exclude)figures/gallery")
    return f"{head}, with changes that are not committed" if changed else head


def commit_day() -> str:
    """Return the date of the source commit as YYYY-MM-DD, so that reports of one commit agree; without a work tree today's in UTC."""
    return git_in_work_tree("show", "--no-patch", "--format=%cs", "HEAD") or datetime.now(UTC).date().isoformat()


def git_in_work_tree(*arguments: str) -> str:
    """Return the output of a git command if the sources are the root of a work tree, else ""."""
    return run_git(*arguments) if (ROOT / ".git").exists() else ""


def run_git(*arguments: str) -> str:
    """Run git in the folder of the sources and return its output without surrounding spaces; "" if it fails or is not installed."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, env=clean, capture_output=True, timeout=20, check=True, encoding="utf-8")
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def installed_commit() -> str:
    """Return the commit that pip recorded when it installed the lab from a repository, or "unknown"."""
    try:
        written = distribution(NAME).read_text("direct_url.json")
        return str(json.loads(written or "{}")["vcs_info"]["commit_id"])
    except (PackageNotFoundError, KeyError, ValueError):
        return UNKNOWN
