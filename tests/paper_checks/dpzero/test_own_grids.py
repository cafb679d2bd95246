"""Cells of a user's method give what the cells of the paper's methods give where the method is theirs, and notice a changed file."""

import numpy as np
import pytest

from paper_checks.dpzero.experiments.own_grids import load_kernel, method_version, own_grid_cell, own_replay_cell
from synthetic.grids.grid import grid_cell, replay_cell
from synthetic.sweeps.store import Store
from synthetic.sweeps.sweep import Cell, run

FILE = """
from synthetic.kernels.dpzero import dp_gd
from synthetic.draws import NOISE
from synthetic.methods.record import Draw, Kernel, vector
from theory_lab.methods import sums

KERNEL = Kernel("mine", dp_gd, draws=(Draw("z", NOISE, vector),))
METHOD = sums.record("mine", paper="own", words="DP-GD under another name", kernel=KERNEL)
METHODS = {"bare": KERNEL, "lab's": "synthetic.methods.dpzero:DP_GD", "none": object()}
"""
DATA = {"d": 6, "n": 30, "dataset": 1, "seed": 4}
AXES = {"alphas": [0.01, 0.1], "horizons": [4, 9, 5], "clips": [0.5, 2.0], "sigma": [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]}
REPLAY = {"spectrum": ["inverse", "flat"], "alpha": [0.1, 0.05], "T": [7, 3], "C": [1.0, 2.0], "sigma": [0.1, 0.2], "replicates": 2}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "own_method_37.py"
    path.write_text(FILE, encoding="utf-8")
    return str(path)


def test_the_cells_equal_those_of_the_papers_method(file):
    own = {"file": file, "method": "mine", "version": method_version(file, "mine")}
    found = own_grid_cell(**own, spectrum="inverse", **DATA, **AXES)
    known = grid_cell(methods=["dp_gd"], spectrum="inverse", **DATA, **AXES)
    assert {name.replace("mine/", "dp_gd/") for name in found} == set(known)
    for name, values in known.items():
        np.testing.assert_allclose(found[name.replace("dp_gd/", "mine/")], values, rtol=1e-10)
    replayed = own_replay_cell(**own, **DATA, **REPLAY)["measures"]
    exact = replay_cell(method=["dp_gd"] * 2, **DATA, **REPLAY, direction="sphere", precision="double")["measures"]
    np.testing.assert_allclose(replayed, exact, rtol=1e-10)


def test_a_worker_process_loads_the_file(file, tmp_path):
    arguments = {"file": file, "method": "mine", "version": method_version(file, "mine"), "spectrum": "inverse", **DATA, **AXES}
    with Store(tmp_path / "cells.sqlite") as store:
        (found,) = run([Cell("paper_checks.dpzero.experiments.own_grids:own_grid_cell", arguments)], store, workers=1).values()
    for name, values in own_grid_cell(**arguments).items():
        np.testing.assert_array_equal(found[name], values)


def test_what_cannot_be_run_is_said(file):
    assert load_kernel(file, "bare").name == "mine"
    assert load_kernel(file, "lab's").name == "dp_gd"
    assert method_version(file, "bare") == method_version(file, "mine") != method_version(file, "lab's")
    with pytest.raises(ValueError, match=r"^method = 'her': .* has no method of this name; it has bare, lab's, none, mine$"):
        load_kernel(file, "her")
    with pytest.raises(ValueError, match=r"^method = 'none': a grid needs a method with a kernel, "):
        load_kernel(file, "none")
    with pytest.raises(ValueError, match=r"^file = .*: the code of mine is not the one that the sweep was started with; start it again$"):
        own_grid_cell(file=file, method="mine", version="0", spectrum="inverse", **DATA, **AXES)
