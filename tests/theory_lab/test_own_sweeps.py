"""`--module FILE sweep`: the user's methods and objectives beside the lab's, in cells that carry the file; what cannot be is a sentence."""

import hashlib
import json
from contextlib import contextmanager

import pytest

from bounds.privacy import accounting
from synthetic.sweeps.store import Store
from tests.figures import crates
from tests.tex import latex_faults, named_packages
from tests.theory_lab.sweeps import called, in_this_process, table
from theory_lab.cli import main
from theory_lab.commands import sweep as sweeping

MOMENTUM = '''"""Momentum on noisy clipped gradients."""

import numpy as np
from numba import njit

from synthetic.draws import NOISE
from synthetic.kernels.dpzero import record_and_check
from synthetic.methods.record import Draw, Kernel, Setting, vector
from synthetic.validate import inside_unit
from theory_lab.methods import sums


@njit(nogil=True, error_model="numpy")
def momentum(gradient, value_gradient, data, params, x, alpha, C, sigma, beta, z, velocity, batch, value, grad_norm_sq, clipped):
    g = np.empty(x.size)
    for t in range(len(z)):
        rows, total = batch[t % len(batch)], np.zeros(x.size)
        clipped[t] = 0.0
        for i in rows:
            gradient(x, data[i], params, g)
            norm = np.sqrt(np.sum(g**2))
            clipped[t] += (not norm <= C) / rows.size
            if np.isfinite(norm):
                total += g * (C / max(norm, C))
        velocity[:] = beta * velocity + total / rows.size + sigma * z[t]
        x -= alpha * velocity
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return len(z)


KERNEL = Kernel("NAME", momentum, (Draw("z", NOISE, vector),), (Setting("beta", inside_unit, 0.9),), {"velocity": vector})
METHOD = sums.record("NAME", paper="own", words="momentum on noisy clipped gradients", kernel=KERNEL)
'''
SWEEP = """
method = ["NAME", "dp_gd"]
d = 5
n = 20
alpha = 0.2
T = 4
C = 1.0
replicates = 2
seed = [0, 7]

[with]
beta = [0.5, 0.8]

[privacy]
epsilon = 2
delta = 1e-4
"""


@pytest.fixture(autouse=True)
def here(monkeypatch):
    monkeypatch.setattr(sweeping, "open_workers", in_this_process)


@pytest.fixture
def momentum(written):
    """The path of a file with a method of momentum, and its name."""
    file = written("")
    name = file.rpartition("/")[2].removesuffix(".py")
    with open(file, "w", encoding="utf-8") as out:
        out.write(MOMENTUM.replace("NAME", name))
    return file, name


def swept(text, folder, *argv):
    (folder / "plain.toml").write_text(text, encoding="utf-8")
    return main(called(folder, *argv))


def test_a_method_of_ones_own_is_swept_beside_the_lab_s(momentum, tmp_path, capsys, monkeypatch):
    """Its replicates are those of `simulate`, its noise that of the accountant, [with] reaches it alone, and the file is in the crate."""
    file, name = momentum
    assert swept(SWEEP.replace("NAME", name), tmp_path, "--module", file) == 0
    rows, single = (table(tmp_path / "out" / f"plain{end}.csv") for end in ("", "-replicates"))
    assert [(row["method"], row["beta"]) for row in rows] == [
        (name, "0.5"), (name, "0.8"), ("dp_gd", "")
    ]  # fmt: skip
    sigma = accounting.sigma(2.0, 1e-4, 4, 20, None, 1.0)
    assert {float(row["sigma"]) for row in rows} == {sigma}
    assert f"theory-lab audit {name} attacks that claim" in " ".join(capsys.readouterr().out.split())
    argv = ["simulate", name, "--d", "5", "--n", "20", "--alpha", "0.2", "--T", "4", "--C", "1", "--sigma", repr(sigma)]
    argv += ["--replicates", "2", "--seed", "7", "--with", "beta=0.8", "--json", "--module", file]
    assert main(argv) == 0
    expected = json.loads(capsys.readouterr().out)["replicates"]
    found = [one for one in single if (one["method"], one["beta"], one["seed"]) == (name, "0.8", "7")]
    for one, other in zip(found, expected, strict=True):
        assert {word: float(one[word]) for word in other} == other
    text = MOMENTUM.replace("NAME", name)
    told = crates.facts(tmp_path / "out" / f"plain{crates.END}")["modules"]
    assert told == {name: {"sha256": hashlib.sha256(text.encode()).hexdigest(), "text": text}}

    monkeypatch.setattr("synthetic.sweeps.sweep.execute", None)  # nothing is computed again
    assert swept(SWEEP.replace("NAME", name), tmp_path, "--module", file, "--latex") == 0
    latex = capsys.readouterr().out
    assert latex_faults(latex, named_packages(latex)) == []
    assert r"about DPZero~\cite" in latex  # dp_gd's paper; the user's own is none of the lab's
    alone = SWEEP.replace('["NAME", "dp_gd"]', '"dp_gd"').replace("[with]\nbeta = [0.5, 0.8]\n", "")
    assert swept(alone, tmp_path) == 0  # cells of the lab's methods are the same with the file and without


def test_a_changed_file_gives_new_cells_and_the_old_ones_stay(written, tmp_path, monkeypatch):
    """The hash of the texts is in the arguments: here that of a module that the file imports."""
    put, real = [], Store.put
    monkeypatch.setattr(Store, "put", lambda *given: put.append(json.loads(given[3])) or real(*given))
    monkeypatch.syspath_prepend(str(tmp_path))
    beside, value = tmp_path / "value_beside.py", "VALUE = {}\n"
    beside.write_text(value.format(1), encoding="utf-8")
    file = written(
        "from theory_lab.methods.record import Method, Option, Told, whole\nfrom value_beside import VALUE\n\n"
        "def run(arguments):\n    return Told({'replicates': [{'y': VALUE}]}, [])\n\n"
        "METHOD = Method(name='valued', paper='own', words='w', described='d', simulated=run, options=(Option('d', 'd', whole),))\n"
    )
    text = 'method = "valued"\nd = [1, 2]\n'
    assert swept(text, tmp_path, "--module", file) == 0
    assert len(put) == 2
    (path,) = put[0]["files"]
    assert path == file
    assert swept(text, tmp_path, "--module", file) == 0
    assert len(put) == 2
    beside.write_text(value.format(2), encoding="utf-8")
    assert swept(text, tmp_path, "--module", file) == 0
    assert len(put) == 4
    assert put[2]["files"][file] != put[0]["files"][file]
    beside.write_text(value.format(1), encoding="utf-8")
    assert swept(text, tmp_path, "--module", file) == 0
    assert len(put) == 4


def test_a_file_that_changes_meanwhile_is_told_and_changes_no_result(momentum, tmp_path, capsys, monkeypatch):
    file, name = momentum
    text = f'method = "{name}"\nd = 3\nn = 9\nalpha = 0.1\nT = 2\nC = 1.0\nsigma = 0.1\n'

    @contextmanager
    def edited(arguments):
        with in_this_process(arguments) as pool, open(file, "a", encoding="utf-8") as out:
            out.write("# more\n")
            out.flush()
            yield pool

    monkeypatch.setattr(sweeping, "open_workers", edited)
    assert swept(text, tmp_path, "--module", file) == 0
    assert f"{file} has changed since the command started; the results are those of the file as it was then" in capsys.readouterr().err
    assert crates.facts(tmp_path / "out" / f"plain{crates.END}")["modules"][name]["text"] == MOMENTUM.replace("NAME", name)
    assert swept(text, tmp_path, "--module", file) == 2
    assert "it has changed since it was imported; restart Python" in capsys.readouterr().err


def test_a_sweep_that_was_broken_off_goes_on_where_it_was(momentum, tmp_path, capsys, monkeypatch):
    file, name = momentum
    put, real = [], Store.put

    def broken(*given):
        if len(put) == 1:
            raise KeyboardInterrupt
        put.append(given[1])
        real(*given)

    text = SWEEP.replace("NAME", name).replace("[0, 7]", "0")
    with monkeypatch.context() as patched:
        patched.setattr(Store, "put", broken)
        assert swept(text, tmp_path, "--module", file) == 130
    assert swept(text, tmp_path, "--module", file) == 0
    assert "2 cells computed and 1 taken from the store" in capsys.readouterr().err


def test_a_cluster_gets_the_text_of_the_file(momentum, tmp_path, monkeypatch):
    file, name = momentum
    sent = []

    @contextmanager
    def cluster(address):
        with in_this_process(type("", (), {"scheduler": None})) as pool:
            submit = pool.submit
            pool.submit = lambda *given: sent.append(given) or submit(*given)
            yield pool

    monkeypatch.setattr("synthetic.sweeps.cluster.cluster", cluster)
    text = f'method = "{name}"\nd = 3\nn = 9\nalpha = 0.1\nT = 2\nC = 1.0\nsigma = 0.1\n'
    (tmp_path / "plain.toml").write_text(text, encoding="utf-8")
    argv = [*called(tmp_path), "--scheduler", "tcp://there:8786", "--module", file]
    argv = [one for one, before in zip(argv, ["", *argv], strict=False) if "--workers" not in (one, before)]
    assert main(argv) == 0
    ((_, carried, *_),) = sent
    assert [(one.file, one.text) for one in carried.modules] == [(file, MOMENTUM.replace("NAME", name))]


NO_KERNEL = """
from theory_lab.methods.record import SUM, Method
METHOD = Method(name="NAME", paper="own", words="w", described="d", simulated="theory_lab.methods.sums:simulated", options=(), kind=SUM)
"""
NO_COLUMNS = """
from theory_lab.methods.record import Method, Told
METHOD = Method(name="NAME", paper="own", words="w", described="d", simulated=lambda arguments: Told(TOLD, []), options=())
"""
RAISES = """
from theory_lab.methods.record import Method
def run(arguments):
    return [1][2]
METHOD = Method(name="NAME", paper="own", words="w", described="d", simulated=run, options=())
"""


@pytest.mark.parametrize(
    ("source", "sweep", "said"),
    [
        (NO_KERNEL, 'method = "NAME"', "plain.toml, line 1: method = 'NAME': it cannot be run; its kernel must be a"),
        (NO_COLUMNS.replace("TOLD", "{}"), 'method = "NAME"', "the function simulated of the method NAME gives a sweep no columns: a Told"),
        (NO_COLUMNS.replace("TOLD", "{'replicates': [{'a': 'word'}]}"), 'method = "NAME"', "no columns: its results have no number"),
        (RAISES, 'method = "NAME"', "IndexError: list index out of range (FILE:4)"),
        (RAISES, 'method = "mezo"\nd = 3\nn = 9\nT = 2\nalpha = 0.1', "nothing of it is used here; it defines NAME; leave --module out"),
        (NO_KERNEL, 'method = "NAMED"', "plain.toml, line 1: method = 'NAMED': one of dpzero,"),
    ],
)
def test_what_cannot_be_swept_is_a_sentence(source, sweep, said, written, tmp_path, capsys):
    file = written(source.replace("NAME", "unswept"))
    assert swept(sweep.replace("NAME", "unswept"), tmp_path, "--module", file) == 2
    err = capsys.readouterr().err
    assert said.replace("NAME", "unswept").replace("FILE", file) in err.splitlines()[-1]
    assert "Traceback" not in err


def test_a_page_is_not_swept(tmp_path, capsys):
    (tmp_path / "mine.page").write_text("theorem mine.one\n", encoding="utf-8")
    assert swept('method = "mezo"\nd = 3\nn = 9\nT = 2\nalpha = 0.1', tmp_path, "--module", str(tmp_path / "mine.page")) == 2
    assert "Traceback" not in capsys.readouterr().err
