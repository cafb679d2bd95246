"""Findings that a run wrote down: the same on the page, those of a finished run when it ends, void when anything changes."""

import importlib
import math
import re
import sys
from dataclasses import replace
from runpy import run_path

import numpy as np
import pytest
import sympy as sp

from paper_checks import papers
from paper_checks import verdict_store as j
from paper_checks.run import check_claim, error_finding
from paper_checks.verdict import Finding, Outcome, Plot, Verdict
from synthetic.sweeps.sources import code_version
from synthetic.sweeps.store import Store
from theory_lab.report.page import evidence_text

CLAIMS = {claim.key: claim for claim in papers.claims()}
SOME = ("dpzero.lemma_2_2.any_epsilon", "dpzero.equation_3.derived", "gauss_psgd.lemma4.printed_71", "dpzero.table4.identical_cells")


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "checks.sqlite") as opened:
        yield opened


@pytest.mark.parametrize("key", SOME)
def test_a_finding_comes_back_as_the_page_shows_it(key, store):
    claim, journal = CLAIMS[key], j.VerdictStore(store, full=False)
    finding, seconds = check_claim(claim)
    journal.store_finding(Verdict(claim, finding, seconds))
    again, again_seconds, _ = journal.stored_findings([claim])[key]
    assert again_seconds == seconds
    assert (again.outcome, again.sentence, again.false_alarm, again.seed) == (
        finding.outcome, finding.sentence, finding.false_alarm, finding.seed,
    )  # fmt: skip
    for before, after in ((finding.numbers, again.numbers), (finding.witness, again.witness)):
        assert list(map(str, before)) == list(after)
        assert [evidence_text(value) for value in before.values()] == [evidence_text(value) for value in after.values()]


def test_curves_and_strange_numbers_come_back():
    plot = Plot((1.0, np.float64(10.0)), {"a": (math.nan, 2.0)}, "d", "error", log=False)
    numbers = {
        "x": np.float64(0.5),
        "flag": np.bool_(True),
        "root": sp.sqrt(2),
        "many": (1, math.inf),
        "none": None,
        3: {"deep": np.int64(7)},
    }
    found = Finding(Outcome.REFUTED, "no", numbers, {"x": 1}, 1e-9, 5, plot)
    again = j.finding_from_json({"finding": np.array(j.finding_to_json(found))})
    assert (again.plot.x, again.plot.log, again.plot.series["a"][1]) == ([1.0, 10.0], False, 2.0)
    assert math.isnan(again.plot.series["a"][0])
    assert [evidence_text(value) for value in again.numbers.values()] == [evidence_text(value) for value in numbers.values()]


def test_quick_and_full_other_sources_and_other_claims_are_other_keys(store, monkeypatch):
    one, two = (CLAIMS[key] for key in SOME[:2])
    quick, full = j.VerdictStore(store, full=False), j.VerdictStore(store, full=True)
    assert len({quick.key(one), full.key(one), quick.key(two), quick.key(one, finished=True)}) == 4
    before = quick.key(one)
    assert quick.key(replace(one, arguments={**one.arguments, "other": 1})) != before
    assert quick.key(replace(one, full={"other": 1})) == before
    assert full.key(replace(one, full={"other": 1})) != full.key(one)
    for name, other in (("sources_hash", lambda examine: "other"), ("library_versions", lambda: ("3.11", "numpy 1"))):
        with monkeypatch.context() as changed:
            changed.setattr(j, name, other)
            assert quick.key(one) != before
    assert quick.key(one) == before


def test_the_arguments_of_every_claim_are_the_same_text_in_every_process():
    assert [claim.key for claim in CLAIMS.values() for full in (False, True) if " at 0x" in j.arguments_text(claim, full=full)] == []
    hidden = [replace(CLAIMS[SOME[0]], arguments={"f": f}) for f in (lambda x: x, lambda x: -x)]
    assert len({j.arguments_text(claim, full=False) for claim in hidden}) == 2  # which of both it is nothing but the address says


def test_the_sources_are_those_of_the_lab_and_of_ones_own_file(tmp_path):
    file = tmp_path / "own_sources.py"
    file.write_text("def examine():\n    return 1\n", encoding="utf-8")
    first = j.sources_hash(run_path(str(file))["examine"])
    assert first != j.sources_hash(CLAIMS[SOME[0]].examine)
    assert j.sources_hash(CLAIMS[SOME[0]].examine) == j.sources_hash(CLAIMS[SOME[2]].examine)
    j.cached_hash.cache_clear()
    (tmp_path / "beside.py").write_text("X = 1\n", encoding="utf-8")
    assert j.sources_hash(run_path(str(file))["examine"]) != first


def test_what_an_own_file_imports_from_elsewhere_counts_too(tmp_path, monkeypatch):
    for name, text in {"here/own_claims.py": "import own_helper\ndef examine():\n    return 1\n", "there/own_helper.py": "x = 1\n"}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="utf-8")
    for folder in ("here", "there"):
        monkeypatch.syspath_prepend(tmp_path / folder)
    examine = importlib.import_module("own_claims").examine
    first = j.sources_hash(examine)
    (tmp_path / "there" / "own_helper.py").write_text("x = 2\n", encoding="utf-8")
    code_version.cache_clear()
    assert j.sources_hash(examine) != first


def test_where_the_sources_of_the_lab_are_no_files_nothing_is_kept_for_the_next_run(tmp_path, monkeypatch):
    monkeypatch.setattr(j, "PACKAGES", (tmp_path,))
    assert j.cached_hash.__wrapped__(tmp_path) != j.cached_hash.__wrapped__(tmp_path)


def yes(claim, sentence="yes"):
    return Verdict(claim, Finding(Outcome.CONSISTENT, sentence), 1.0)


def test_what_a_finished_run_found_is_kept_apart(store):
    one, two = (CLAIMS[key] for key in SOME[:2])
    journal = j.VerdictStore(store, full=False)
    for claim in (one, two):
        journal.store_finding(yes(claim))
    assert journal.stored_findings([one, two], finished=True) == {}
    before = journal.stored_findings([one])[one.key]
    journal.finish([one])
    assert set(journal.stored_findings([one, two])) == {two.key}
    assert journal.stored_findings([one, two], finished=True) == {one.key: before}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", before.when)
    assert j.VerdictStore(store, full=True).stored_findings([one, two], finished=True) == {}


def test_the_last_finished_run_of_a_kind_stands_in_place_of_the_one_before(store):
    one, two = (CLAIMS[key] for key in SOME[:2])
    quick, full = (j.VerdictStore(store, full=full) for full in (False, True))
    for journal, claim, said in ((quick, one, "first"), (quick, two, "first"), (full, one, "full"), (quick, one, "second")):
        journal.store_finding(yes(claim, said))
        journal.finish([one, two])
    assert {key: found.finding.sentence for key, found in quick.stored_findings([one, two], finished=True).items()} == {
        one.key: "second", two.key: "first",
    }  # fmt: skip
    assert full.stored_findings([one], finished=True)[one.key].finding.sentence == "full"
    assert len(store.keys()) == 3


@pytest.mark.parametrize(("name", "other"), [("cached_hash", lambda *folders: "other"), ("library_versions", lambda: ("3.11", "numpy 1"))])
def test_findings_of_another_code_are_not_given_and_taken_out_when_a_run_ends(name, other, store, monkeypatch):
    one, two = (CLAIMS[key] for key in SOME[:2])
    quick, full = (j.VerdictStore(store, full=full) for full in (False, True))
    for journal in (quick, full):
        journal.store_finding(yes(one))
        journal.finish([one])
    store.put("a figure", "figures.sweep:cell", "{}", "another code", 1.0, {"x": np.zeros(2)})
    monkeypatch.setattr(j, name, other)
    assert quick.stored_findings([one], finished=True) == {}
    quick.store_finding(yes(two))
    assert len(store.keys()) == 4
    quick.finish([two])
    assert store.keys() == {quick.key(two, finished=True), "a figure"}


def test_a_finished_finding_that_was_changed_since_is_not_given(store):
    claim, journal = CLAIMS[SOME[0]], j.VerdictStore(store, full=False)
    journal.store_finding(yes(claim))
    journal.finish([claim])
    with store._db as db:
        db.execute("UPDATE arrays SET data = replace(data, 'y', 'n')")
    assert journal.stored_findings([claim], finished=True) == {}


def test_an_examination_that_broke_off_is_not_kept(store):
    claim, journal = CLAIMS[SOME[0]], j.VerdictStore(store, full=False)
    journal.store_finding(Verdict(claim, error_finding(OSError("no room")), 1.0))
    journal.finish([claim])
    assert journal.stored_findings([claim]) == journal.stored_findings([claim], finished=True) == {}


def test_a_claim_whose_function_is_the_labs_has_the_sources_of_the_loaded_files_in_its_key(tmp_path, monkeypatch):
    """What the file hands to the function may be changed where its `repr` does not show it."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    file, claim = tmp_path / "own_hidden_proof.py", CLAIMS[SOME[1]]
    keys = []
    for text in ("CLAIMS = ()  # true\n", "CLAIMS = ()  # a lie\n"):
        file.write_text(text, encoding="utf-8")
        monkeypatch.setattr(papers, "LOADED_FILES", {})
        monkeypatch.setattr(j, "LOADED_FILES", papers.LOADED_FILES)
        for one in (j.cached_hash, code_version):
            one.cache_clear()
        sys.modules.pop(file.stem, None)
        papers.load(file)
        keys.append(j.sources_hash(claim.examine))
    assert len({*keys, j.cached_hash(*j.PACKAGES)}) == 3


def test_a_page_of_ones_own_that_was_changed_is_another_key(tmp_path, monkeypatch):
    monkeypatch.setattr(papers, "LOADED_FILES", {})
    monkeypatch.setattr(j, "LOADED_FILES", papers.LOADED_FILES)
    file = tmp_path / "mine.page"
    text = (j.PACKAGES[0].parent / "theory_lab/new_theorem.page").read_text(encoding="utf-8").replace("my.NAME", "my.own")
    keys = []
    for one in (text, f"{text}# changed\n"):
        file.write_text(one, encoding="utf-8")
        module = papers.load(file)
        keys.append(j.sources_hash(module.CLAIMS[0].examine))
    assert keys[0] != keys[1]


def test_a_folder_and_an_editors_lock_beside_a_file_are_no_sources(tmp_path):
    (tmp_path / "mine.py").write_text("x = 1\n", encoding="utf-8")
    alone = j.cached_hash.__wrapped__(tmp_path)
    (tmp_path / "folder.py").mkdir()
    (tmp_path / ".#mine.py").symlink_to("somebody@somewhere.1234")
    assert j.cached_hash.__wrapped__(tmp_path) == alone


@pytest.mark.parametrize("name", ["table.txt", "theorem.page"])
def test_a_table_or_page_that_a_claim_reads_counts_as_its_source_does(name, tmp_path, monkeypatch):
    """And where a file stands: pages, DP-ZOPO's tables and the models of DP-GRAPE decide verdicts, and no line of Python has them."""
    monkeypatch.setattr(j, "PACKAGES", (tmp_path,))
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside/reads.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / name).write_text("93.1\n", encoding="utf-8")
    found = [j.hash_folders(tmp_path)]
    (tmp_path / name).write_text("93.2\n", encoding="utf-8")
    found.append(j.hash_folders(tmp_path))
    (tmp_path / "inside").rename(tmp_path / "other")
    found.append(j.hash_folders(tmp_path))
    assert len(set(found)) == 3
    (tmp_path / "other/reads.py").unlink()  # only a table is left: no sources
    assert j.hash_folders(tmp_path) != j.hash_folders(tmp_path)


def test_no_package_holds_a_file_that_does_not_count():
    there = [one for package in j.PACKAGES for one in package.rglob("*") if one.is_file() and "__pycache__" not in one.parts]
    assert {one.suffix for one in there} - {*j.SOURCE_SUFFIXES} == {".typed"}


def test_what_is_found_while_the_sources_change_is_not_kept(store, tmp_path, monkeypatch):
    """Not even for the sources of its beginning, if they come back: a page that was opened late was another."""
    claim, file = CLAIMS[SOME[0]], tmp_path / "late.py"
    file.write_text("x = 1\n", encoding="utf-8")
    monkeypatch.setattr(j, "PACKAGES", (tmp_path,))
    j.cached_hash.cache_clear()
    journal = j.VerdictStore(store, full=False)
    journal.store_finding(yes(claim))
    file.write_text("x = 2\n", encoding="utf-8")
    assert not journal.finish([claim])
    file.write_text("x = 1\n", encoding="utf-8")
    assert journal.stored_findings([claim]) == journal.stored_findings([claim], finished=True) == {}
    journal.store_finding(yes(claim))
    assert journal.finish([claim])
    assert set(journal.stored_findings([claim], finished=True)) == {claim.key}


def test_the_versions_of_all_that_decides_a_verdict_are_in_its_key(monkeypatch):
    monkeypatch.setattr(j, "version_of", lambda name: f"version of {name}")
    assert {f"version of {name}" for name in ("numpy", "scipy", "sympy", "numba", "mpmath", "flint")} <= {*j.library_versions.__wrapped__()}
