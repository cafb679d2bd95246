"""Files of results that were tampered with, damaged, or are not ours: a sentence and new results, never a traceback or a false number."""

import random
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import numpy as np
import pytest

from paper_checks.verdict import Claim, Finding, Kind, Outcome, Verdict
from paper_checks.verdict_store import VerdictStore
from synthetic.sweeps.store import APPLICATION, DamagedCell, Store, StoreError, checksum
from synthetic.sweeps.sweep import run
from tests.synthetic.sweeps.test_sweep import cells

EDITS = {
    "zeroed": "UPDATE arrays SET data = zeroblob(length(data)) WHERE name = 'table'",
    "another value": "UPDATE arrays SET data = (SELECT data FROM arrays WHERE name = 'square' ORDER BY rowid DESC) WHERE name = 'square'",
    "cut": "UPDATE arrays SET data = substr(data, 1, 7)",
    "empty": "UPDATE arrays SET data = x''",
    "text for bytes": "UPDATE arrays SET data = 'hello'",
    "number for bytes": "UPDATE arrays SET data = 7",
    "another shape": "UPDATE arrays SET shape = '3 2' WHERE name = 'table'",
    "a wrong shape": "UPDATE arrays SET shape = '1000000 1000000'",
    "no shape": "UPDATE arrays SET shape = 'two'",
    "another dtype": "UPDATE arrays SET dtype = '<i8'",
    "objects": "UPDATE arrays SET dtype = '|O'",
    "no dtype": "UPDATE arrays SET dtype = 'nonsense'",
    "another name": "UPDATE arrays SET name = 'other' WHERE name = 'square'",
    "no text": "UPDATE arrays SET name = CAST(x'ff80' AS TEXT) WHERE name = 'square'",
    "one array less": "DELETE FROM arrays WHERE name = 'square'",
    "no arrays": "DELETE FROM arrays",
    "one array more": "INSERT INTO arrays SELECT key, 'more', '<f8', '1', zeroblob(8) FROM cells",
    "other seconds": "UPDATE cells SET seconds = 'soon'",
    "other arguments": "UPDATE cells SET arguments = '{}'",
    "no checksum": "DELETE FROM checksums",
    "another checksum": "UPDATE checksums SET sha256 = ''",
    "a checksum that is none": "UPDATE checksums SET sha256 = x'00'",
}


def edit(path, statement):
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement)


@pytest.mark.parametrize("name", EDITS)
def test_what_was_tampered_with_is_computed_again_and_said_in_a_sentence(name, tmp_path, caplog):
    path = tmp_path / "a.sqlite"

    def found():
        with Store(path) as store, ThreadPoolExecutor(1) as pool:
            return run(cells(3), store, pool)

    whole = found()
    edit(path, EDITS[name])
    again = found()
    assert all(np.array_equal(array, again[key][k]) for key, arrays in whole.items() for k, array in arrays.items())
    told = caplog.messages
    assert len(told) == (name != "no checksum")
    assert all("damaged and will be computed again" in message and "\n" not in message for message in told)
    caplog.clear()
    assert found().keys() == whole.keys()
    assert caplog.messages == []


def test_the_cell_itself_is_refused(tmp_path):
    with Store(tmp_path / "a.sqlite") as store:
        store.put("one", "t", "{}", "c", 1.0, {"x": np.zeros(3)})
        store._db.execute("UPDATE cells SET seconds = 2.0")
        with pytest.raises(DamagedCell, match="a stored result is damaged"):
            store.get("one")


def fine():
    return Finding(Outcome.CONSISTENT, "it holds")


CLAIM = Claim("mine.fine", "", "", Kind.SCOPE, Outcome.CONSISTENT, "", fine)


@pytest.mark.parametrize(
    "name", sorted(set(EDITS) - {"another value", "another shape", "one array less", "another name", "no text", "zeroed"})
)
def test_a_finding_that_was_tampered_with_is_not_believed(name, tmp_path):
    with Store(tmp_path / "a.sqlite") as store:
        VerdictStore(store, full=False).store_finding(Verdict(CLAIM, fine(), 1.0))
        assert VerdictStore(store, full=False).stored_findings([CLAIM])
    edit(tmp_path / "a.sqlite", EDITS[name])
    with Store(tmp_path / "a.sqlite") as store:
        assert VerdictStore(store, full=False).stored_findings([CLAIM]) == {}


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", '{"outcome": "SURE", "plot": null}', '{"outcome": "REFUTED", "sentence": "", "plot": null}']
)
def test_a_finding_that_a_stranger_wrote_with_a_checksum_is_not_believed_where_it_is_none(text, tmp_path):
    with Store(tmp_path / "a.sqlite") as store:
        journal = VerdictStore(store, full=False)
        store.put(journal.key(CLAIM), CLAIM.key, "quick", "c", 1.0, {"finding": np.array(text)})
        assert journal.stored_findings([CLAIM]) == {}


def test_any_damage_to_the_bytes_gives_a_sentence_or_right_results(tmp_path):
    """60 files with random bytes, holes, cuts and swaps: opened, read and written to."""
    path, rng = tmp_path / "a.sqlite", random.Random(0)
    with Store(path) as store, ThreadPoolExecutor(1) as pool:
        whole = run(cells(6), store, pool)
    content, refused = path.read_bytes(), []
    for k in range(60):
        at, size = rng.randrange(len(content)), rng.choice([1, 3, 40, 5000])
        damaged = [
            content[:at] + rng.randbytes(size) + content[at + size :],
            content[:at] + bytes(size) + content[at + size :],
            content[:at],
            content[:at] + rng.randbytes(size) + content[at:],
        ][k % 4]
        path.write_bytes(damaged)
        try:
            with Store(path) as store, ThreadPoolExecutor(1) as pool:
                again = run(cells(6), store, pool)
            assert all(np.array_equal(array, again[key][name]) for key, arrays in whole.items() for name, array in arrays.items())
        except StoreError as error:
            refused.append(str(error))
    assert 10 < len(refused) < 60
    assert not any("\n" in sentence for sentence in refused)


def test_a_file_of_an_earlier_version_is_taken_over_without_its_results(tmp_path):
    path = tmp_path / "a.sqlite"
    with Store(path) as store:
        store.put("one", "t", "{}", "c", 1.0, {"x": np.zeros(3)})
    edit(path, "DROP TABLE checksums")
    with Store(path) as store:
        assert store.keys() == set()
        store.put("one", "t", "{}", "c", 1.0, {"x": np.ones(3)})
        assert store.get("one")["x"].tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE cells DROP COLUMN code",
        "ALTER TABLE arrays ADD COLUMN more",
        "CREATE TRIGGER t AFTER INSERT ON cells BEGIN DELETE FROM cells; END",
        "CREATE VIEW v AS SELECT key FROM cells",
        "ALTER TABLE arrays RENAME data TO d",
    ],
)
def test_tables_of_another_kind_are_refused_before_the_work(statement, tmp_path):
    Store(tmp_path / "a.sqlite").__exit__()
    edit(tmp_path / "a.sqlite", statement)
    with pytest.raises(StoreError, match="the file is damaged; move it away"):
        Store(tmp_path / "a.sqlite")


def test_a_file_that_can_only_be_read_is_refused_before_the_work(tmp_path, monkeypatch):
    path, connect = tmp_path / "a.sqlite", sqlite3.connect
    Store(path).__exit__()
    monkeypatch.setattr(sqlite3, "connect", lambda file, **_: connect(f"file:{file}?mode=ro", uri=True))
    with pytest.raises(StoreError, match="readonly database"):
        Store(path)


@pytest.mark.parametrize("application", [0, 1, APPLICATION - 1, APPLICATION + 1, 2**31 - 1])
def test_a_database_of_another_program_is_refused_and_left_as_it_is(application, tmp_path):
    path = tmp_path / "a.sqlite"
    edit(path, "CREATE TABLE t (x)")
    edit(path, f"PRAGMA application_id = {application}")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="this database was not made by the lab; name another file"):
        Store(path)
    assert path.read_bytes() == before


def test_every_part_of_a_cell_enters_its_checksum():
    cell, rows = ["key", "task", "{}", "code", 1.0], [("a", "<f8", "1", b"12345678"), ("b", "<f8", "1", b"12345678")]
    others = [([*cell[:k], value, *cell[k + 1 :]], rows) for k, value in enumerate(["yek", "other", "{1}", "edoc", 2.0])]
    for k in range(2):
        for changed in (("c", "<f8", "1", b"12345678"), ("a", "<i8", "1", b"12345678"), ("a", "<f8", "1 1", b"12345678"),
                        ("a", "<f8", "1", b"12345679"), ("a", "<f8", "1", b"1234567")):  # fmt: skip
            others.append((cell, [*rows[:k], changed, *rows[k + 1 :]]))
    others += [(cell, rows[:1]), (cell, rows[::-1]), (cell, [])]
    assert len({checksum(*one) for one in [(cell, rows), *others]}) == 1 + len(others)
    assert checksum(tuple(cell), iter(rows)) == checksum(cell, rows)
