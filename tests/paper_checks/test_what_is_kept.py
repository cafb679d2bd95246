"""What is kept from one call, or one run, to the next: it depends on all that decides it, and an end in between loses one claim at most."""

import ast
import dataclasses
import importlib
import platform
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from paper_checks import papers
from paper_checks import verdict_store as j
from paper_checks.run import check_claims
from paper_checks.verdict import Claim, Finding, Kind, Outcome, Plot, Verdict
from synthetic.sweeps.store import Store

ROOT = Path(__file__).parents[2]
CLAIM = next(claim for claim in papers.claims() if claim.key == "dpzero.lemma_2_2.any_epsilon")


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "checks.sqlite") as opened:
        yield opened


def said(claim, sentence="yes"):
    return Verdict(claim, Finding(Outcome.CONSISTENT, sentence), 1.0)


# --- in a process -----------------------------------------------------------------------------------------------------------------------
def keeps(node):
    """Whether a function is decorated to keep what it returned."""
    names = [one.func if isinstance(one, ast.Call) else one for one in node.decorator_list]
    return {ast.unparse(name).rpartition(".")[2] for name in names} & {"cache", "lru_cache", "cached_property"}


def methods_that_keep():
    for folder in ("bounds", "paper_checks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if path.name == "recheck.py":  # it makes its objects anew for every check
                continue
            for node in ast.parse(text).body if "cache" in text else ():
                for one in node.body if isinstance(node, ast.ClassDef) else ():
                    if isinstance(one, ast.FunctionDef) and keeps(one):
                        yield ".".join(path.relative_to(ROOT).with_suffix("").parts), node.name, one.name


@pytest.mark.parametrize(("module", "name", "method"), [*methods_that_keep()])
def test_a_method_that_keeps_its_answers_belongs_to_a_record_that_cannot_change(module, name, method):
    """And where the record is a part of the key, records that differ in a field are not equal."""
    record = getattr(importlib.import_module(module), name)
    assert dataclasses.is_dataclass(record)
    assert record.__dataclass_params__.frozen
    if hasattr(vars(record)[method], "cache_info") and record.__dataclass_params__.eq:
        assert all(one.compare for one in fields(record))
        assert all(one.hash is not False for one in fields(record))


def test_records_that_differ_in_a_field_are_not_equal():
    left_out = []
    for folder in ("bounds", "paper_checks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            calls = [node for node in ast.walk(ast.parse(text if "compare" in text else "")) if isinstance(node, ast.Call)]
            words = [word for call in calls if ast.unparse(call.func) == "field" for word in call.keywords]
            left_out += [path.name for word in words if word.arg == "compare" and ast.unparse(word.value) != "True"]
    assert left_out == []


# --- in a journal -----------------------------------------------------------------------------------------------------------------------
def keys(store, claim=CLAIM):
    return {
        (full, finished): j.VerdictStore(store, full=full).key(claim, finished=finished)
        for full in (False, True)
        for finished in (False, True)
    }


PARTS = {  # what decides a finding: how another is put in its place, and the kinds of runs whose keys change
    "key": (lambda patch: replace(CLAIM, key="dpzero.other"), (False, True)),
    "arguments": (lambda patch: replace(CLAIM, arguments={**CLAIM.arguments, "more": 1}), (False, True)),
    "arguments of a full run": (lambda patch: replace(CLAIM, full={**CLAIM.full, "more": 1}), (True,)),
    "sources": (lambda patch: patch.setattr(j, "cached_hash", lambda *folders: "others"), (False, True)),
    "Python": (lambda patch: patch.setattr(platform, "python_version", lambda: "3.99"), (False, True)),
    **{
        name: (lambda patch, name=name: patch.setattr(j, "version_of", lambda one: "9" if one == name else "1"), (False, True))
        for name in ("numpy", "scipy", "sympy", "numba", "mpmath", "flint")
    },
}


@pytest.mark.parametrize("name", PARTS)
def test_a_key_changes_with_each_part_of_what_decides_a_finding(name, store, monkeypatch):
    j.library_versions.cache_clear()
    if name in j.LIBRARIES:
        monkeypatch.setattr(j, "version_of", lambda one: "1")
    before = keys(store)
    j.library_versions.cache_clear()
    changed, kinds = PARTS[name][0](monkeypatch) or CLAIM, PARTS[name][1]
    after = keys(store, changed)
    j.library_versions.cache_clear()
    assert len(set(before.values())) == 4
    assert {full for full, finished in before if before[full, finished] != after[full, finished]} == {*kinds}
    assert [before[full, True] != after[full, True] for full in kinds] == [True] * len(kinds)


@pytest.mark.parametrize("what", ["name", "content", "more", "less", "deeper"])
def test_a_hash_of_sources_changes_with_every_file_and_its_name(what, tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "b.py").write_text("y = 1\n", encoding="utf-8")
    before = j.hash_folders(tmp_path)
    if what == "name":
        (tmp_path / "b.py").rename(tmp_path / "c.py")
    elif what == "content":
        (tmp_path / "b.py").write_text("y = 2\n", encoding="utf-8")
    elif what == "more":
        (tmp_path / "c.py").write_text("", encoding="utf-8")
    elif what == "less":
        (tmp_path / "b.py").unlink()
    else:  # only what stands directly in a folder of one's own counts
        (tmp_path / "inside").mkdir()
        (tmp_path / "inside" / "c.py").write_text("", encoding="utf-8")
    assert (j.hash_folders(tmp_path) == before) == (what == "deeper")


def test_each_folder_counts(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        (folder / "a.py").write_text(f"name = {folder.name!r}\n", encoding="utf-8")
    assert len({j.hash_folders(one), j.hash_folders(two), j.hash_folders(one, two)}) == 3


def test_a_finished_finding_with_other_sources_of_its_own_is_taken_out_when_the_claim_is_found_anew(store, monkeypatch):
    """The lab is the same: only the file that the claim is in was edited."""
    journal = j.VerdictStore(store, full=False)
    for sources in ("before", "after"):
        monkeypatch.setattr(j, "sources_hash", lambda examine, sources=sources: sources)
        journal.store_finding(said(CLAIM, sources))
        assert journal.finish([CLAIM])
    assert len(store.keys()) == 1
    assert journal.stored_findings([CLAIM], finished=True)[CLAIM.key].finding.sentence == "after"
    monkeypatch.setattr(j, "sources_hash", lambda examine: "before")
    assert journal.stored_findings([CLAIM], finished=True) == {}


def test_every_field_of_a_finding_is_written_down_and_read():
    plot = Plot((1.0, 2.0), {"a": (3.0, 4.0)}, "across", "up", log=False)
    finding = Finding(Outcome.REFUTED, "so", {"n": 1}, {"w": 2}, 0.25, 5, plot)
    for record in (finding, plot):
        defaults = {one.name: one.default for one in fields(record)}
        assert not [name for name, default in defaults.items() if getattr(record, name) == default], "each field is another than by default"
    again = j.finding_from_json({"finding": np.array(j.finding_to_json(finding))})
    assert {one.name: getattr(again, one.name) for one in fields(finding) if one.name != "plot"} == {
        one.name: getattr(finding, one.name) for one in fields(finding) if one.name != "plot"
    }
    for one in fields(plot):
        found, wanted = getattr(again.plot, one.name), getattr(plot, one.name)
        assert repr(found).replace("[", "(").replace("]", ")") == repr(wanted), one.name


def test_what_is_kept_says_how_long_it_took_and_of_which_run_it_is(store):
    for full, seconds in ((False, 1.5), (True, 2.5)):
        j.VerdictStore(store, full=full).store_finding(replace(said(CLAIM, str(full)), seconds=seconds))
    for full, seconds in ((False, 1.5), (True, 2.5)):
        found = j.VerdictStore(store, full=full).stored_findings([CLAIM])[CLAIM.key]
        assert (found.finding.sentence, found.seconds) == (str(full), seconds)


# --- during a run -----------------------------------------------------------------------------------------------------------------------
HAPPENED = []


def takes(key):
    HAPPENED.append(f"examine {key}")
    if key == "p.interrupted":
        raise KeyboardInterrupt
    return Finding(Outcome.CONSISTENT, key)


def claim(key):
    return Claim(key, "here", "words", Kind.SCOPE, Outcome.CONSISTENT, "why", takes, {"key": key})


def progress(done, total, verdict):
    HAPPENED.append(f"tell {verdict.claim.key} {done}/{total}")


def test_each_verdict_is_handed_on_before_the_next_claim_is_examined():
    HAPPENED.clear()
    check_claims([claim("p.a"), claim("p.b")], workers=1, progress=progress)
    assert HAPPENED == ["examine p.a", "tell p.a 1/2", "examine p.b", "tell p.b 2/2"]


def test_an_interrupt_loses_the_claim_that_it_meets_and_no_other():
    HAPPENED.clear()
    with pytest.raises(KeyboardInterrupt):
        check_claims([claim("p.a"), claim("p.interrupted"), claim("p.b")], workers=1, progress=progress)
    assert HAPPENED == ["examine p.a", "tell p.a 1/3", "examine p.interrupted"]


def test_what_is_known_is_not_examined_and_counts_as_done():
    HAPPENED.clear()
    known = {"p.a": (Finding(Outcome.REFUTED, "known", {}, {"x": 1}), 3.5), "p.else": (Finding(Outcome.PROVED, "of another run"), 1.0)}
    verdicts = check_claims([claim("p.a"), claim("p.b")], workers=1, progress=progress, known=known)
    assert HAPPENED == ["examine p.b", "tell p.b 2/2"]
    assert [(one.claim.key, one.finding.sentence) for one in verdicts] == [("p.a", "known"), ("p.b", "p.b")]
    assert verdicts[0].seconds == 3.5
