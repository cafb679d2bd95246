"""Every key of a sweep's file reaches its runs, as the command `simulate` has it; every axis, seed and word of the file is in its cells."""

import pytest

from synthetic.sweeps.sweep import Cell
from tests.papers import joined
from theory_lab.cli import main
from theory_lab.methods import METHODS
from theory_lab.sweeps import cells as of_cells
from theory_lab.sweeps import results as of_results
from theory_lab.sweeps.file import parse_sweep, read_sweep, simulate_options

TRIED, REQUIRED = joined("commands.TRIED"), joined("commands.REQUIRED")
BUDGET = {"plan", "epsilon", "delta"}  # together: in [privacy]


@pytest.fixture(autouse=True)
def one_version(monkeypatch):
    """The sources of all packages, which a key depends on, need not be read for this."""
    monkeypatch.setattr("synthetic.sweeps.sweep.code_version", lambda task: "one")


def line(name, value):
    """Return a line of TOML; numbers of stages are a word with commas, as on the command line."""
    if isinstance(value, tuple):
        value = ",".join(map(str, value))
    return f'{name} = "{value}"\n' if isinstance(value, str) else f"{name} = {value}\n"


def sweep(tmp_path, text):
    path = tmp_path / "one.toml"
    path.write_text(text, encoding="utf-8")
    return parse_sweep(read_sweep(path), METHODS)


def needed(method, but=()):
    """What a run of a method has to have, but for what is given besides."""
    tried = TRIED["simulate", method]
    names = REQUIRED["simulate", method] | ({"alpha", "T", "C", "sigma"} & simulate_options(METHODS[method]).keys())
    return {name: tried[name] for name in sorted(names - set(but)) if name in tried}


@pytest.mark.parametrize("method", METHODS)
def test_every_option_of_a_method_is_a_key_that_reaches_its_run(method, tmp_path):
    tried, options = TRIED["simulate", method], simulate_options(METHODS[method])
    private = "epsilon" in options and "plan" not in options
    for name in options.keys() - BUDGET - {"seed"}:
        given = {one: value for one, value in {**needed(method), name: tried[name]}.items() if one not in BUDGET}
        text = f'method = "{method}"\n' + "".join(line(*one) for one in given.items())
        text += "[privacy]\nepsilon = 2\ndelta = 1e-5\n" if private else ""
        ((_, found, more, place),) = sweep(tmp_path, text).runs
        assert found[name] == tried[name], (method, name)
        assert set(found) == {*given, *(("epsilon", "delta") if private else ())}
        assert (more, place) == ({}, {"method": method})
    assert not options.keys() & {"more", "changed"}


def test_values_seeds_and_arguments_of_the_objective_are_those_of_the_cells(tmp_path):
    """Two values of each of three keys, one in [with], and two seeds: every combination once, in cells that share nothing."""
    text = 'method = "dp_gd"\nd = [3, 5]\nn = 20\nalpha = [0.1, 0.2]\nT = 2\nC = 1.0\nsigma = 0.5\nseed = [4, 9]\n[with]\nw = [0.5, 0.7]\n'
    found = sweep(tmp_path, text)
    assert (found.axes, found.seeds, found.name) == (("d", "alpha", "w"), (4, 9), "one")
    cells = {(k, seed): of_cells.make_cell(found, k, seed) for k in range(len(found.runs)) for seed in found.seeds}
    assert len(found.runs) == 8
    seen = set()
    for (k, seed), cell in cells.items():
        assert isinstance(cell, Cell)
        a, place = cell.arguments, found.runs[k][3]
        assert set(a) == {"method", "options", "more"}
        wanted = {"d": place["d"], "n": 20, "alpha": place["alpha"], "T": 2, "C": 1.0, "sigma": 0.5, "seed": seed}
        assert (a["method"], a["options"], a["more"]) == ("dp_gd", wanted, {"w": place["w"]})
        assert of_results.axis_values(found, place) == {"method": "dp_gd", "d": place["d"], "alpha": place["alpha"], "w": place["w"]}
        for word in (f"d = {place['d']}", f"alpha = {place['alpha']}", f"w = {place['w']}", f"seed = {seed}"):
            assert word in cell.label
        seen.add(cell.key)
    assert len(seen) == 16
    dear = max(cells.values(), key=lambda cell: cell.cost)
    assert dear.arguments["options"]["d"] == 5  # the dearest start first


@pytest.mark.parametrize(
    ("more", "x", "by"),
    [
        ("", "d", ["alpha"]), ('[plot]\nx = "alpha"\n', "alpha", ["d"]), ('[plot]\nx = "d"\nby = "alpha"\n', "d", ["alpha"]),
        ('[plot]\nby = ["alpha", "d"]\n', "d", ["alpha"]), ('[plot]\ny = "loss_end"\n', "d", ["alpha"]),
    ],
)  # fmt: skip
def test_the_axes_of_the_picture_are_those_of_the_file(more, x, by, tmp_path):
    text = f'method = "dp_gd"\nd = [3, 5]\nn = 20\nalpha = [0.1, 0.2]\nT = 2\nC = 1.0\nsigma = 0.5\n{more}'
    found = sweep(tmp_path, text)
    assert of_results.picture_axes(found) == (x, by)
    assert found.plot.get("y") == ("loss_end" if "loss_end" in more else None)


def test_seeds_are_no_axis_and_none_stands_twice(tmp_path):
    plain = 'method = "dp_gd"\nd = 3\nn = 20\nalpha = 0.1\nT = 2\nC = 1.0\nsigma = 0.5\n'
    assert sweep(tmp_path, plain).seeds == (0,)
    assert sweep(tmp_path, plain + "seed = 7\n").seeds == (7,)
    assert sweep(tmp_path, plain + "seed = [7, 8]\n").axes == ()
    for twice in ("[7, 7]", '[7, "7"]'):
        with pytest.raises(ValueError, match="twice"):
            sweep(tmp_path, plain + f"seed = {twice}\n")


def test_the_noise_of_a_budget_is_in_the_cell_so_that_another_budget_is_another_cell(tmp_path):
    plain = 'method = "dp_gd"\nd = 3\nn = 20\nalpha = 0.1\nT = 2\nC = 1.0\n[privacy]\ndelta = 1e-4\n'
    keys, sigmas = [], []
    for more in ("epsilon = 1\n", "epsilon = 2\n", 'epsilon = 1\naccountant = "lemma"\n'):
        found = sweep(tmp_path, plain + more)
        cell = of_cells.make_cell(found, 0, 0)
        keys.append(cell.key)
        sigmas.append(cell.arguments["options"]["sigma"])
    assert len(set(keys)) == 3
    assert sigmas[1] < sigmas[0] < sigmas[2]


@pytest.mark.parametrize("method", ["gauss_psgd", "frozen_psgd"])
def test_a_way_of_selecting_without_samples_to_select_on_is_refused(method, capsys):
    """It would be ignored."""
    words = ["--d", "3", "--n", "20000", "--epsilon", "8", "--delta", "1e-5", "--selection", "printed"]
    assert main(["simulate", method, *words]) == 2
    assert capsys.readouterr().err == "theory-lab: selection = 'printed': it is for --select only; give --select too, or leave it out\n"
