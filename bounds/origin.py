"""Which lab made a page: its version, the commit of its sources, and the libraries that it computes with."""

import json
import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAME = "dp-theory-lab"
FOLDERS = ("theory_lab", "figures", "paper_checks", "bounds", "synthetic")
UNKNOWN = "unknown"
LIBRARIES = ("numpy", "scipy", "sympy", "numba", "mpmath", "dp-accounting")  # on which numbers depend


def versions() -> dict[str, str]:
    """Return the versions of the lab, of Python and of the libraries on which numbers depend; "unknown" for what is not installed."""
    found = {"Python": platform.python_version()}
    for name in (NAME, *LIBRARIES):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = UNKNOWN
    return found


def commit() -> str:
    """Return the commit of the sources: of git where they are in a work tree, else what the installer wrote down, else "unknown".

    Where sources were changed since that commit it says so.
    """
    head = git("rev-parse", "HEAD") if (ROOT / ".git").exists() else ""
    if not head:
        return installed()
    changed = git("status", "--porcelain", "--untracked-files=all", "--", *FOLDERS, ":(exclude)figures/gallery")
    return f"{head}, with changes that are not committed" if changed else head


def git(*arguments: str) -> str:
    """Return what git says about the folder of the sources, "" where it says nothing or is not there."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, env=clean, capture_output=True, timeout=20, check=True, encoding="utf-8")
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def installed() -> str:
    """Return the commit that pip wrote down when it installed the lab from a repository, "unknown" where it did not."""
    try:
        written = distribution(NAME).read_text("direct_url.json")
        return str(json.loads(written or "{}")["vcs_info"]["commit_id"])
    except (PackageNotFoundError, KeyError, ValueError):
        return UNKNOWN
