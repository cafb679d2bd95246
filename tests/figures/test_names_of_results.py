"""What lies in a folder is replaced by a result of the same inputs alone: all else gets a name of its own."""

import json

import pytest

from figures import crate
from theory_lab.cli import main
from theory_lab.sweeps import results as of_results

RUNS = {"figure": "a", "experiment": {"seed": 0, "d": (20, 50), "rate": 0.5}}
OTHERS = [
    {"figure": "a", "experiment": {"seed": 1, "d": (20, 50), "rate": 0.5}},
    {"figure": "a", "experiment": {"seed": 0, "d": (20,), "rate": 0.5}},
    {"figure": "a", "experiment": {"seed": 0, "d": (20, 50), "rate": 0.5000001}},
    {"figure": "a", "experiment": {"seed": 0, "d": (20, 50)}},
    {"figure": "a"},
]


def write(folder, name, facts):
    (folder / f"{name}.csv").write_text("x\n1\n", encoding="utf-8")
    crate.write_crate(name, folder, [folder / f"{name}.csv"], facts)


@pytest.mark.parametrize("other", OTHERS)
def test_a_result_of_other_inputs_has_a_name_of_its_own(tmp_path, other):
    assert crate.free_name("a", tmp_path, RUNS) == "a"
    write(tmp_path, "a", RUNS)
    assert crate.free_name("a", tmp_path, RUNS) == "a"
    assert crate.free_name("a", tmp_path, RUNS | {"remark": "what is said of it"}) == "a"
    assert crate.free_name("a", tmp_path, other) == "a-2"
    write(tmp_path, "a-2", other)
    assert [crate.free_name("a", tmp_path, one) for one in (RUNS, other)] == ["a", "a-2"]
    assert crate.free_name("a", tmp_path, {"experiment": {"seed": 99}}) == "a-3"


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"@graph": 3}', '{"@graph": [3]}'])
def test_what_is_no_crate_is_something_else(tmp_path, text):
    (tmp_path / "a-ro-crate-metadata.json").write_text(text, encoding="utf-8")
    assert crate.free_name("a", tmp_path, RUNS) == "a-2"


@pytest.mark.parametrize("ending", [".csv", ".png", ".pdf", ".svg"])
def test_a_file_of_somebody_else_stays(tmp_path, ending):
    (tmp_path / f"a{ending}").write_text("mine", encoding="utf-8")
    assert crate.free_name("a", tmp_path, RUNS) == "a-2"


def test_of_the_file_of_a_sweep_what_it_runs_counts(tmp_path):
    facts = {"file": 'method = "dpzero"\nT = [1, 2]\n[plot]\ny = "loss"\n', "seeds": [0]}
    write(tmp_path, "a", facts)
    assert crate.free_name("a", tmp_path, facts | {"file": '# again\nT = [1, 2]\nmethod = "dpzero"\n'}) == "a"
    assert crate.free_name("a", tmp_path, facts | {"file": 'method = "dpzero"\nT = [1, 3]\n'}) == "a-2"
    assert crate.free_name("a", tmp_path, facts | {"seeds": [0, 1]}) == "a-2"


def test_of_the_file_of_a_sweep_its_privacy_counts(tmp_path):
    """It gives the noise: another epsilon is another result."""
    facts = {"file": 'method = "dpzero"\nT = 1\n[privacy]\nepsilon = 2\ndelta = 1e-5\n', "seeds": [0]}
    write(tmp_path, "a", facts)
    for old, new in (("epsilon = 2", "epsilon = 1"), ("delta = 1e-5", "delta = 1e-6"), ("[privacy]", "[with]")):
        assert crate.free_name("a", tmp_path, facts | {"file": facts["file"].replace(old, new)}) == "a-2"


def test_what_stays_and_what_the_new_result_is_called_is_said(tmp_path):
    assert crate.renaming_message("a", "a", tmp_path) == ""
    assert (
        crate.renaming_message("a-2", "a", tmp_path)
        == f"{tmp_path / 'a'} is of something else and stays as it is: this result is called a-2"
    )


def test_sweeps_of_two_files_with_one_name_keep_their_results(tmp_path, capsys, monkeypatch):
    parquets = []
    monkeypatch.setattr(of_results, "write_parquet", lambda path, rows: parquets.append(path.name) or [])  # it is written where pyarrow is
    out, store = tmp_path / "out", tmp_path / "s.sqlite"
    files = []
    for folder, T in (("one", "[1, 2]"), ("two", "[3, 4]")):
        (tmp_path / folder).mkdir()
        files.append(tmp_path / folder / "mine.toml")
        files[-1].write_text(f'method = "dpzero"\nT = {T}\nn = 10\nd = 3\nalpha = 0.1\nC = 1\nsigma = 1.0\n', encoding="utf-8")
    said = []
    for file in (*files, files[0]):
        assert main(["sweep", str(file), "--out", str(out), "--store", str(store), "--workers", "1", "--json"]) == 0
        told, err = capsys.readouterr()
        said.append((sorted(json.loads(told)["files"]), "stays as it is" in err))
    first, second, again = said
    assert first[0] == again[0]
    assert not set(first[0]) & set(second[0])
    assert [words for _, words in said] == [False, True, False]
    assert parquets == ["mine-replicates.parquet", "mine-2-replicates.parquet", "mine-replicates.parquet"]
    assert "\n1," in (out / "mine.csv").read_text(encoding="utf-8") or ",1," in (out / "mine.csv").read_text(encoding="utf-8")


def test_a_preview_and_other_seeds_leave_the_figure(tmp_path, capsys):
    call = ["figure", "grape-memory", "--out", str(tmp_path), "--store", str(tmp_path / "s.sqlite"), "--workers", "1"]
    assert main(call) == 0
    full = (tmp_path / "grape-memory.csv").read_text(encoding="utf-8")
    assert main([*call, "--preview"]) == 0
    assert (tmp_path / "grape-memory.csv").read_text(encoding="utf-8") == full
    assert 1 < len((tmp_path / "grape-memory-preview.csv").read_text(encoding="utf-8").splitlines()) < len(full.splitlines())
    assert main(call) == 0
    assert not (tmp_path / "grape-memory-2.csv").exists()
    (tmp_path / "grape-memory-preview-ro-crate-metadata.json").unlink()
    (tmp_path / "grape-memory-preview.csv").write_text("mine", encoding="utf-8")
    assert main([*call, "--preview"]) == 0
    assert (tmp_path / "grape-memory-preview.csv").read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "grape-memory-preview-2.csv").exists()
