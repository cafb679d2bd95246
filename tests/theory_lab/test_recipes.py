"""The recipe for a method is true: in a copy of the packages a method is added as docs/howto/contribute.md says."""

import difflib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("theory_lab", "figures", "paper_checks", "bounds", "synthetic")
DECLARED = '''

class DPZeroTimes(DPZero):
    """DPZero with so many times the step."""

    key = "dpzero_times"
    times: Annotated[float, Positive("how many times the step")] = 2.0
'''
LOOP = '''"""The loop of DPZero with another step."""

from numba import njit

from synthetic.kernels.dpzero import dpzero


@njit(nogil=True, error_model="numpy")
def dpzero_times(loss, value_gradient, data, params, x, alpha, times, lam, C, sigma, u, z_along, batch, nominal, value, grad_norm_sq,
                 clipped, tau, x_tau):
    """Algorithm 2 with so many times the step."""
    out = (value, grad_norm_sq, clipped, tau, x_tau)
    return dpzero(loss, value_gradient, data, params, x, times * alpha, lam, C, sigma, u, z_along, batch, nominal, *out)
'''
KERNEL = """DPZERO_TIMES = Kernel.of(DPZeroTimes, dpzero_times, (U, Z_ALONG))
"""
PLAN = '''
from dataclasses import replace

from bounds.dpzero.recommend import recommend


def recommend_half(method, *, spectrum=None, distance=None, accountant=None, progress=None, **problem):
    """Return the plan of DPZero with half the step, and none that is tuned in law."""
    plan = recommend("dpzero", **problem)
    printed, sharp = (replace(one, method=method, alpha=one.alpha / 2) for one in (plan.printed, plan.sharp))
    return replace(plan, method=method, printed=printed, sharp=sharp)
'''
NEW = {"synthetic/kernels/dpzero_times.py": LOOP, "bounds/dpzero/dpzero_times.py": PLAN}
MORE = {"synthetic/declared/dpzero.py": DECLARED, "synthetic/methods/dpzero.py": KERNEL}  # what is added at the end of a file
LINES = [  # file, a line of it, what stands instead
    (
        "synthetic/declared/dpzero.py",
        "from synthetic.declared.fields import BatchSize,",
        "from typing import Annotated\n\nfrom synthetic.declared.fields import Positive, BatchSize,",
    ),
    (
        "synthetic/methods/dpzero.py",
        "from synthetic.declared.dpzero import DPGD, DPGD0th, DPZero, MeZO\n",
        "from synthetic.declared.dpzero import DPGD, DPGD0th, DPZero, DPZeroTimes, MeZO\n"
        "from synthetic.kernels.dpzero_times import dpzero_times\n",
    ),
    (
        "theory_lab/methods/dpzero.py",
        "from synthetic.declared.dpzero import DPGD, DPGD0th, DPZero, MeZO\n",
        "from synthetic.declared.dpzero import DPGD, DPGD0th, DPZero, DPZeroTimes, MeZO\n",
    ),
    (
        "theory_lab/methods/dpzero.py",
        '    "dp_gd": SHARED,\n',
        '    "dp_gd": SHARED,\n    "dpzero_times": "bounds.dpzero.dpzero_times:recommend_half",\n',
    ),
    ("theory_lab/methods/dpzero.py", "    make_method(MeZO),\n", "    make_method(MeZO),\n    make_method(DPZeroTimes),\n"),
]
SCRIPT = """
import json
import numpy as np
import theory_lab as lab
from theory_lab.cli import main

objective = lab.cosine("flat", d=3, n=40, seed=0)
once, times = (lab.recommend(name, objective, epsilon=1.0, delta=1e-6) for name in ("dpzero", "dpzero_times"))
runs = [lab.simulate(one.method, objective, plan=one.sharp, replicates=2) for one in (once, times)]
np.testing.assert_array_equal(runs[0].x, runs[1].x)
run = "simulate dpzero_times --objective cosine --spectrum flat --d 3 --n 40"
assert main([*run.split(), "--alpha", "0.1", "--T", "4", "--C", "1", "--sigma", "0.1", "--json"]) == 0
assert main([*run.split(), "--plan", "sharp", "--epsilon", "1", "--delta", "1e-6", "--json"]) == 0
problem = "--n 100 --d 3 --epsilon 1 --delta 1e-6 --L 1 --ell 1 --gap 1"
assert main(["recommend", "dpzero_times", *problem.split(), "--json"]) == 0
assert main(["list", "--json"]) == 0
by_hand = [*run.split(), "--alpha", "0.1", "--T", "4", "--C", "1", "--sigma", "0.1", "--json"]
assert main([*by_hand, "--with", "times=0.5"]) == 0
assert main([*by_hand, "--with", "time=0.5"]) == 2
"""


@pytest.fixture
def copied(tmp_path):
    for room in ROOMS:
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__", "gallery"))
    return tmp_path


def test_a_method_touches_one_existing_line_per_room_at_most(copied):
    for name, text in NEW.items():
        (copied / name).write_text(text, encoding="utf-8")
    for name, line, instead in LINES:
        text = (copied / name).read_text(encoding="utf-8")
        assert text.count(line) == 1, line
        (copied / name).write_text(text.replace(line, instead), encoding="utf-8")
    for name, text in MORE.items():
        (copied / name).write_text((copied / name).read_text(encoding="utf-8") + text, encoding="utf-8")
    for room in ROOMS:
        gone = []
        for name in {name for name in {*MORE, *(name for name, *_ in LINES)} if name.startswith(room)}:
            before, after = ((at / name).read_text(encoding="utf-8").splitlines() for at in (ROOT, copied))
            gone += [line for line in difflib.unified_diff(before, after, n=0, lineterm="") if line.startswith("-") and line[:3] != "---"]
        gone = [line for line in gone if not line.startswith("-from ")]  # an import has one name more
        assert len(gone) <= 1, gone

    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=copied, capture_output=True, encoding="utf-8", env=os.environ | {"PYTHONPATH": str(copied)}
    )
    assert done.returncode == 0, done.stderr
    by_hand, planned, plan, listed, halved = map(json.loads, done.stdout.splitlines())
    assert by_hand["method"] == planned["method"] == plan["method"] == "dpzero_times"
    assert planned["plan"]["column"] == "sharp"
    assert "dpzero_times" in listed["methods"]
    assert (by_hand["settings"]["times"], halved["settings"]["times"]) == (2.0, 0.5)
    assert done.stderr.endswith(
        "theory-lab: --with time=...: neither dpzero_times nor cosine takes time; dpzero_times takes sampling, times; cosine takes x0\n"
    )
