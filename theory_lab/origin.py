"""Which lab made a page: its version and the commit of its sources."""

import json
import os
import subprocess
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAME = "dp-theory-lab"
FOLDERS = ("theory_lab", "figures", "paper_checks", "bounds", "synthetic")
UNKNOWN = "unknown"


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
