"""Every planted fault is caught: the score of the ledger on lies is 100 %."""

import multiprocessing
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from paper_checks import papers
from tests.paper_checks.lies import plant
from tests.papers import PAPERS, lies, of

ROOT = Path(__file__).parents[2]
PACKAGES = ("bounds", "synthetic", "paper_checks")
LIES = lies()
# loaded once, before the examiners are forked; ours too, although every examiner loads its own copy: SymPy remembers what it worked out
HEAVY = [
    *("mpmath", "numba", "scipy.optimize", "scipy.special", "scipy.stats", "sympy"),
    *(f"paper_checks.{paper}" for paper in PAPERS),
]
# these claims take many steps and need the compiler; the others are examined without it, which is quicker than compiling
COMPILED = {f"{paper}.{key}" for paper in PAPERS for key in of(paper, "ledger.COMPILED")}


def outcomes(root, keys, until_caught=False):
    """Examine claims with the sources under `root`, in a process of its own in which nothing of ours stays loaded from elsewhere.

    Either all of them, or as many as are needed for one that comes out differently.
    """
    import numba

    numba.config.DISABLE_JIT = not COMPILED & set(keys)
    ours = [name for name in sys.modules if name.split(".")[0] in PACKAGES]
    for name in ours:
        del sys.modules[name]
    sys.path.insert(0, str(root))
    from importlib import import_module

    assert Path(import_module("paper_checks").__file__).is_relative_to(root)
    claims = {claim.key: claim for key in keys for claim in import_module(f"paper_checks.{key.split('.')[0]}").CLAIMS}
    examine = import_module("paper_checks.run").examine
    found = {}
    for key in keys:
        finding, _ = examine(claims[key])
        found[key] = finding.outcome.value, claims[key].expected.value, finding.sentence
        if until_caught and finding.outcome is not claims[key].expected:
            break
    return found


@pytest.fixture(scope="module")
def examiners():
    """One process an examination: what a lie does to a module must not outlive it."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(HEAVY)
    with ProcessPoolExecutor(1, mp_context=context, max_tasks_per_child=1) as pool:
        yield pool


def copy(folder):
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package)


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.name)
def test_a_planted_fault_is_caught(lie, examiners, tmp_path):
    copy(tmp_path)
    plant(tmp_path, lie)
    found = examiners.submit(outcomes, tmp_path, lie.claims, until_caught=True).result()
    assert any(outcome != expected for outcome, expected, _ in found.values()), found


def test_without_a_lie_nothing_is_caught(examiners, tmp_path):
    """The claims that catch lies are at peace with the sources as they are: what they catch is the lie.

    With the compiler `test_ledger` examines those of the quick run; the others and what is examined without it follow here.
    """
    copy(tmp_path)
    keys = {key for lie in LIES for key in lie.claims}
    assert keys >= COMPILED
    compiled = COMPILED - {claim.key for claim in papers.claims() if not claim.needs_full}
    found = {}
    for some in (keys - COMPILED, compiled):
        found |= examiners.submit(outcomes, tmp_path, tuple(sorted(some))).result()
    assert {key: outcome for key, (outcome, _, _) in found.items()} == {key: expected for key, (_, expected, _) in found.items()}


def test_there_are_lies_enough():
    assert len(LIES) >= 40
    assert len({lie.name for lie in LIES}) == len(LIES)
