"""What a sweep finds out before it works: what a file says wrong is told before a step is made, and what is asked for twice is not."""

from types import SimpleNamespace

import pytest

from synthetic.sweeps.store import Store
from tests.theory_lab.sweeps import in_this_process, run
from theory_lab.commands import sweep as sweeping
from theory_lab.methods import METHODS
from theory_lab.sweeps import cells as of_cells
from theory_lab.sweeps import rehearsal
from theory_lab.sweeps.file import parse_sweep, read_sweep


@pytest.fixture(autouse=True)
def here(monkeypatch):
    monkeypatch.setattr(sweeping, "open_workers", in_this_process)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("batch_size = 12", "batch_size = 12: at most n = 9 is needed"),
        ('objective = "quadratics"', "objective = 'quadratics': one of"),
        ("[with]\nradius = 2", "[with] radius=...: neither dp_gd nor quadratic takes radius; dp_gd takes sampling; quadratic takes x0"),
        ('[plot]\ny = "foo"', "y = 'foo': one of clipped"),
        ("C = -1", "C = -1"),
    ],
)
def test_what_a_file_says_wrong_is_told_before_the_long_runs(text, said, tmp_path, capsys, monkeypatch):
    asked, put = [], Store.put
    monkeypatch.setattr(Store, "put", lambda *given: asked.append(given[3]) or put(*given))
    file = 'method = ["dp_gd", "mezo"]\nd = 3\nn = 9\nalpha = 0.1\nC = 1.0\nsigma = 0.1\nT = [2, 100000000]\n'
    name = text.split(" =")[0]
    file = "\n".join(line for line in file.splitlines() if line.split(" =")[0] != name)
    assert run(f"{file}\n{text}\n", tmp_path) == 2
    assert said in capsys.readouterr().err
    assert len(asked) <= 2  # only of the two shortest runs, one of each method, by which the columns are known
    assert not any("100000000" in one for one in asked)


def test_a_missing_step_and_an_objective_that_needs_more_are_told_first(tmp_path, capsys):
    whole = 'method = "dpzero"\nobjective = "cosine"\nd = 3\nn = 9\nT = 1000000000\nC = 1.0\nsigma = 0.1\n'
    assert run(whole, tmp_path) == 2
    assert "alpha" in capsys.readouterr().err
    assert run(whole.replace("T = 1000000000", "alpha = 0.1"), tmp_path) == 2
    assert "T" in capsys.readouterr().err
    assert run(whole.replace('"cosine"', '"matrix_quadratic"') + "alpha = 0.1\n[with]\nm = 7\n", tmp_path) == 2  # d = 3 has no 7 rows
    assert "d = 3: a multiple of m * layers = 7 is needed" in capsys.readouterr().err


def test_the_columns_are_judged_by_the_least_work_of_each_method_and_the_rest_follows(tmp_path):
    file = tmp_path / "s.toml"
    file.write_text('method = ["dp_gd", "mezo"]\nd = 3\nn = 9\nalpha = 0.1\nC = 1.0\nsigma = 0.1\nT = [20, 2, 7]\n', encoding="utf-8")
    sweep = parse_sweep(read_sweep(file), METHODS)
    cells = {(k, seed): of_cells.make_cell(sweep, k, seed) for k in range(len(sweep.runs)) for seed in sweep.seeds}
    judged = []
    first, then, expected = rehearsal.split_cells(sweep, cells, judged.append)
    assert [(one.arguments["method"], one.arguments["options"]["T"]) for one in first] == [("dp_gd", 2), ("mezo", 2)]
    assert list(then(first[1].key, {"y": 1})) == judged == []
    rest = then(first[0].key, {"y": 2})
    assert len(judged) == 1
    assert {one.key for one in rest} | {one.key for one in first} == {one.key for one in cells.values()}
    assert len(rest) == 4 == len(expected)
    assert {where: told["y"] for where, told in judged[0].items()} == {(1, 0): 2, (4, 0): 1}  # both, each with its place
    assert list(then(rest[0].key, {})) == list(then(first[0].key, {"y": 2})) == []


@pytest.fixture
def rehearsed(tmp_path, monkeypatch):
    """A function that rehearses a file, some of its cells being stored, and returns the method and seed of each run that was begun."""

    def rehearse(text, done=(), largest=None):
        (tmp_path / "s.toml").write_text(text, encoding="utf-8")
        sweep = parse_sweep(read_sweep(tmp_path / "s.toml"), METHODS)
        cells = {(k, seed): of_cells.make_cell(sweep, k, seed) for k in range(len(sweep.runs)) for seed in sweep.seeds}
        begun, real = [], of_cells.simulate_json

        def spy(method, options, more, **watched):
            with pytest.raises(rehearsal.SettingsChecked):  # no step is made
                real(method, options, more, **watched)
            begun.append((method.name, options["seed"]))
            raise rehearsal.SettingsChecked

        monkeypatch.setattr(of_cells, "simulate_json", spy)
        if largest is not None:
            monkeypatch.setattr(rehearsal, "LARGEST", largest)
        rehearsal.check_runs(sweep, cells, SimpleNamespace(keys=lambda: {cells[where].key for where in done}))
        monkeypatch.setattr(of_cells, "simulate_json", real)
        return begun

    return rehearse


def test_every_run_is_begun_once_with_the_first_seed_and_makes_no_step(rehearsed):
    text = 'method = ["dp_gd", "dp_zoo"]\nd = 3\nn = 9\nalpha = 0.1\nC = 1.0\nsigma = 0.1\nT = 10\nseed = [5, 6]\n'
    assert rehearsed(text) == [("dp_gd", 5), ("dp_zoo", 5)]
    assert rehearsed(text, done=[(0, 6)]) == [("dp_zoo", 5)]  # any seed of it is stored: it has begun before
    assert rehearsed(text, done=[(0, 5), (1, 6)]) == []
    assert rehearsed(text, largest=26) == []  # d n = 27: too large to be made twice
    assert rehearsed(text, largest=27) == [("dp_gd", 5), ("dp_zoo", 5)]
