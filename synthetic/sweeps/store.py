"""Store of finished cells in one SQLite file: a transaction per cell, so that a killed run loses nothing that was finished.

A checksum stands beside each cell: a cell that was changed since it was written is not used, but computed again.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

APPLICATION = 0x4C41_4231  # "LAB1", in the header of the file: distinguishes our files from other programs' databases
TABLES = {
    "cells": "key TEXT PRIMARY KEY, task TEXT NOT NULL, arguments TEXT NOT NULL, code TEXT NOT NULL, seconds REAL NOT NULL",
    "arrays": "cell TEXT NOT NULL REFERENCES cells (key), name TEXT NOT NULL, dtype TEXT NOT NULL, shape TEXT NOT NULL, "
    "data BLOB NOT NULL, PRIMARY KEY (cell, name)",
    "checksums": "cell TEXT PRIMARY KEY REFERENCES cells (key), sha256 TEXT NOT NULL",
}
Cell = tuple[str, str, str, str, float, Mapping[str, np.ndarray]]  # key, task, arguments, code, seconds, arrays
KINDS = "biufcSU"  # kinds of dtype that a cell may return
LOG = logging.getLogger(__name__)


def is_storable(array: object) -> bool:
    """Return whether an object is an array that a store can keep exactly: numbers, booleans or text; no masks, objects, dates."""
    return isinstance(array, np.ndarray | np.generic) and array.dtype.kind in KINDS and not isinstance(array, np.ma.MaskedArray)


class StoreError(Exception):
    """Error: the file of results cannot be read or written; the message is one sentence for the user."""


class DamagedCell(StoreError):
    """Error: a stored cell differs from what was written."""


class Store:
    """Results of cells by key, in one SQLite file that is created if missing; use as a context manager."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=60.0)
            self._db.text_factory = lambda text: text.decode(errors="replace")  # damaged text then fails its checksum
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                if not self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    self._db.execute(f"PRAGMA application_id = {APPLICATION}")
                application = self._db.execute("PRAGMA application_id").fetchone()[0]
                if application == APPLICATION:
                    self._db.execute(f"PRAGMA application_id = {APPLICATION}")  # a write, which fails if the file is read-only
                    for name, columns in TABLES.items():
                        self._db.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")  # an earlier version had no checksums
            broken = self._db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok" or (
                application == APPLICATION and not self._has_expected_tables()
            )
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"store = {self.path}: cannot be opened as a file of results ({error})") from None
        if application != APPLICATION:
            raise StoreError(f"store = {self.path}: this database was not made by the lab; name another file")
        if broken:
            raise StoreError(f"store = {self.path}: the file is damaged; move it away and run the same command again")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def _has_expected_tables(self) -> bool:
        """Return whether the tables have the expected columns, and the file has no views or triggers."""
        with closing(sqlite3.connect(":memory:")) as fresh:
            for name, columns in TABLES.items():
                fresh.execute(f"CREATE TABLE {name} ({columns})")
            shapes = [[db.execute(f"PRAGMA table_info({name})").fetchall() for name in TABLES] for db in (fresh, self._db)]
        others = "SELECT count(*) FROM sqlite_master WHERE type IN ('view', 'trigger')"
        return shapes[0] == shapes[1] and not self._db.execute(others).fetchone()[0]

    def keys(self) -> set[str]:
        """Return the set of keys of the finished cells."""
        return {row[0] for row in self._read("SELECT key FROM cells JOIN checksums ON cell = key")}

    def get(self, key: str) -> dict[str, np.ndarray]:
        """Return the arrays of a finished cell by name; raise KeyError if there is none, and DamagedCell if it was changed."""
        cell = self._read(
            "SELECT key, task, arguments, code, seconds, sha256 FROM cells JOIN checksums ON cell = key WHERE key = ?", (key,)
        )
        if not cell:
            raise KeyError(key)
        rows = self._read("SELECT name, dtype, shape, data FROM arrays WHERE cell = ? ORDER BY name", (key,))
        try:
            *values, written = cell[0]
            if written != checksum(values, rows):
                raise ValueError("its checksum differs")
            return {name: _decode_array(dtype, shape, data) for name, dtype, shape, data in rows}
        except (ValueError, TypeError) as error:
            raise DamagedCell(f"store = {self.path}: a stored result is damaged ({error})") from None

    def intact_cells(self, keys: Iterable[str]) -> dict[str, dict[str, np.ndarray]]:
        """Return the arrays of the finished cells among `keys`, by key; delete damaged cells, with a warning."""
        finished = self.keys()
        found: dict[str, dict[str, np.ndarray]] = {}
        damaged = []
        for key in keys:
            if key in finished:
                try:
                    found[key] = self.get(key)
                except DamagedCell:
                    damaged.append(key)
        if damaged:
            results = "1 stored result is" if len(damaged) == 1 else f"{len(damaged)} stored results are"
            LOG.warning("store = %s: %s damaged and will be computed again", self.path, results)
            self.forget(damaged)
        return found

    def seconds(self, key: str) -> float:
        """Return how many seconds a finished cell took."""
        return float(self._read("SELECT seconds FROM cells WHERE key = ?", (key,))[0][0])

    def cell_records(self) -> dict[str, tuple[str, str, str]]:
        """Return (task, arguments, code) of every finished cell, by key."""
        rows = self._read("SELECT key, task, arguments, code FROM cells JOIN checksums ON cell = key")
        return {key: (task, arguments, code) for key, task, arguments, code in rows}

    def put(self, key: str, task: str, arguments: str, code: str, seconds: float, arrays: Mapping[str, np.ndarray]) -> None:
        """Write a finished cell in one transaction, replacing one with the same key: its description, seconds and arrays."""
        self.exchange((), [(key, task, arguments, code, seconds, arrays)])

    def exchange(self, gone: Iterable[str], cells: Iterable[Cell]) -> None:
        """Delete the cells with the keys `gone` and write other cells, in one transaction."""
        try:
            with self._db:
                self._delete_rows(gone)
                for key, task, arguments, code, seconds, arrays in cells:
                    cell, rows = (key, task, arguments, code, float(seconds)), [_encode_array(*one) for one in sorted(arrays.items())]
                    self._delete_rows([key])
                    self._db.execute("INSERT INTO cells VALUES (?, ?, ?, ?, ?)", cell)
                    self._db.executemany("INSERT INTO arrays VALUES (?, ?, ?, ?, ?)", [(key, *row) for row in rows])
                    self._db.execute("INSERT INTO checksums VALUES (?, ?)", (key, checksum(cell, rows)))
        except sqlite3.Error as error:
            raise StoreError(
                f"store = {self.path}: a result cannot be written ({error}). Earlier cells are kept. "
                "Free some space, or name another file, and run the same command again"
            ) from None

    def forget(self, keys: Iterable[str]) -> None:
        """Delete the cells with the given keys; keys that are not stored are ignored."""
        try:
            with self._db:
                self._delete_rows(keys)
        except sqlite3.Error as error:
            raise StoreError(f"store = {self.path}: a result cannot be deleted ({error})") from None

    def _delete_rows(self, keys: Iterable[str]) -> None:
        """Delete the rows of the given cells from all tables, within the caller's transaction."""
        rows = [(key,) for key in keys]
        for table, column in (("checksums", "cell"), ("arrays", "cell"), ("cells", "key")):
            self._db.executemany(f"DELETE FROM {table} WHERE {column} = ?", rows)

    def _read(self, query: str, values: tuple[str, ...] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query; raise StoreError if the file cannot be read."""
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"store = {self.path}: cannot be read ({error})") from None


def checksum(cell: Sequence[Any], rows: Iterable[tuple[str, str, str, bytes]]) -> str:
    """Return the SHA-256 of a cell (key, task, arguments, code, seconds) and its array rows (name, dtype, shape, data)."""
    digest = hashlib.sha256(json.dumps(list(cell)).encode())
    for name, dtype, shape, data in rows:
        digest.update(json.dumps([name, dtype, shape, len(data)]).encode() + data)
    return digest.hexdigest()


def _encode_array(name: str, array: np.ndarray) -> tuple[str, str, str, bytes]:
    """Return an array as it is stored: name, dtype, shape as text, and bytes."""
    return name, array.dtype.str, " ".join(map(str, array.shape)), np.ascontiguousarray(array).tobytes()


def _decode_array(dtype: str, shape: str, data: bytes) -> np.ndarray:
    """Return the array of a stored dtype, shape and bytes; ValueError for a dtype that is never stored."""
    kind = np.dtype(dtype)
    if kind.kind not in KINDS:
        raise ValueError(f"dtype = {dtype!r}")
    return np.frombuffer(data, kind).reshape([int(k) for k in shape.split()]).copy()
