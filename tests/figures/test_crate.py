"""The crate beside a result says what is there: its files by their hashes, and every fact with its number."""

import json
import math
import shutil
from pathlib import Path

import pytest

from bounds import origin
from figures import crate
from tests.figures import crates

GALLERY = Path(__file__).parents[2] / "figures" / "gallery"
COMMITTED = sorted(GALLERY.glob(f"*{crates.END}"))
FACTS = {
    "figure": "one",
    "experiment": {"n": 3, "alphas": [0.1, 1e-300], "clips": (2.0,), "private": True, "none": [], "spectrum": "1/i, a # and 100 %"},
    "exponents": {"a/b": [1.5, math.nan, math.inf], "c": None},
    "nests": [{"x": 1}, [2, 3]],
    "seed": 7,
}


def made(folder, facts=FACTS, names=("one.png", "one.csv", "two of #1.csv")):
    for name in names:
        (folder / name).write_text(f"{name}\n", encoding="utf-8")
    return crate.write_crate("one", folder, [folder / name for name in names], facts)


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.name.removesuffix(crates.END))
def test_a_committed_crate_is_of_the_files_beside_it(path):
    assert crates.wrong(path) == []
    root = crates.entities(path)["./"]
    assert root["name"].startswith(f"{path.name.removesuffix(crates.END)}, by ")
    assert crates.facts(path)["versions"]["dp-theory-lab"].count(".") == 2


def test_every_committed_file_is_in_a_crate_or_is_a_report():
    named = [one["localPath"] for path in COMMITTED for one in crates.entities(path).values() if one["@type"] == "File"]
    assert len(set(named)) == len(named)
    assert {path.name for path in GALLERY.iterdir()} - {path.name for path in COMMITTED} - set(named) == {
        path.name for path in GALLERY.glob("*-report.html")
    }


def test_what_went_into_a_result_is_told_from_what_came_out(tmp_path):
    facts = {"file": "method = 1", "seeds": [0, 1], "seed": 7, "experiment": {"n": 3}, "exponents": {"a": [1.5, 0.1]}, "y": "loss_end"}
    entities = crates.entities(made(tmp_path, facts))
    given, said = (entities[place][key] for place, key in (("#run", "object"), ("./", "additionalProperty")))
    assert [one["@id"] for one in given] == ["#fact/file", "#fact/seeds", "#fact/seed", "#fact/experiment"]
    assert [one["@id"] for one in said] == ["#fact/exponents", "#fact/y"]


def test_a_crate_of_other_files_is_found_out(tmp_path):
    for path in GALLERY.glob("psgd-escape*"):
        shutil.copy(path, tmp_path)
    path = tmp_path / f"psgd-escape{crates.END}"
    assert crates.wrong(path) == []
    picture = tmp_path / "psgd-escape.png"
    content = picture.read_bytes()
    picture.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert crates.wrong(path) == ["#psgd-escape.png: the file is another"]
    picture.write_bytes(content + b"\n")
    assert crates.wrong(path) == ["#psgd-escape.png: the file is another"]
    picture.unlink()
    assert crates.wrong(path) == ["#psgd-escape.png: no such file"]
    picture.write_bytes(content)
    kept = json.loads(path.read_text(encoding="utf-8"))
    for lost in ("#fact/experiment/d", "#numpy", "#authors", "https://spdx.org/licenses/MIT"):
        less = kept | {"@graph": [one for one in kept["@graph"] if one["@id"] != lost]}
        path.write_text(json.dumps(less), encoding="utf-8")
        assert crates.wrong(path) == [f"{lost} is not there"]
    more = kept | {"@graph": [*kept["@graph"], {"@id": "#more", "@type": "PropertyValue"}]}
    path.write_text(json.dumps(more), encoding="utf-8")
    assert crates.wrong(path) == ["nothing refers to #more"]


def test_every_fact_is_read_again_as_it_was_given(tmp_path):
    path = made(tmp_path)
    assert crates.wrong(path) == []
    found = crates.facts(path)
    assert found["experiment"] == {**FACTS["experiment"], "clips": [2.0]}
    assert found["exponents"] == {"a/b": {"0": 1.5, "1": None, "2": None}, "c": None}  # JSON has no NaN; parts have a name each
    assert found["nests"] == {"0": {"x": 1}, "1": [2, 3]}
    assert (found["figure"], found["seed"]) == ("one", 7)
    assert "NaN" not in path.read_text(encoding="utf-8")


def test_what_went_into_a_result_is_told_from_what_is_said_of_it(tmp_path):
    graph = crates.entities(made(tmp_path))
    assert [one["@id"] for one in graph["#run"]["object"]] == ["#fact/experiment", "#fact/seed"]
    assert crates.entities(made(tmp_path, {"figure": "one", "seed": 3}))["#run"]["object"] == {"@id": "#fact/seed"}  # as it is compacted
    assert [one["@id"] for one in graph["./"]["additionalProperty"]] == ["#fact/figure", "#fact/exponents", "#fact/nests"]


def test_the_lab_is_told_with_version_commit_day_and_libraries(tmp_path, monkeypatch):
    monkeypatch.setattr(origin, "version", lambda name: f"1.{len(name)}")
    monkeypatch.setattr(origin, "source_commit", lambda: "abc, with changes that are not committed")
    monkeypatch.setattr(origin, "commit_day", lambda: "2001-02-03")
    path = made(tmp_path)
    graph = crates.entities(path)
    assert graph["./"]["datePublished"] == "2001-02-03"
    assert (graph["#lab"]["name"], graph["#lab"]["version"]) == (crate.LAB, "1.13")
    assert graph["#commit"]["value"] == "abc, with changes that are not committed"
    assert graph["#lab"]["identifier"] == {"@id": "#commit"}
    versions = crates.facts(path)["versions"]
    assert versions.items() >= {"numpy": "1.5", "scipy": "1.5", "numba": "1.5", "matplotlib": "1.10"}.items()
    monkeypatch.setattr(origin, "source_commit", lambda: origin.UNKNOWN)
    assert crates.wrong(made(tmp_path)) == []
    assert "#commit" not in crates.entities(path)


def test_the_same_sources_write_the_same_crate(tmp_path):
    assert made(tmp_path).read_bytes() == made(tmp_path).read_bytes()
    assert "Time" not in made(tmp_path).read_text(encoding="utf-8")


def test_the_day_is_that_of_the_commit_or_today(tmp_path, monkeypatch):
    monkeypatch.setattr(origin, "ROOT", tmp_path)
    assert origin.commit_day().count("-") == 2
    (tmp_path / ".git").mkdir()
    monkeypatch.setattr(origin, "run_git", lambda *arguments: "2001-02-03" if arguments[0] == "show" else "")
    assert origin.commit_day() == "2001-02-03"
