"""One SQLite file of finished cells: a transaction per cell, so that a killed run loses nothing that was finished."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

APPLICATION = 0x4C41_4231  # "LAB1", in the header of the file: tells our files from other programs' databases
TABLES = """
CREATE TABLE cells (key TEXT PRIMARY KEY, task TEXT NOT NULL, arguments TEXT NOT NULL, code TEXT NOT NULL, seconds REAL NOT NULL);
CREATE TABLE arrays (cell TEXT NOT NULL REFERENCES cells (key), name TEXT NOT NULL, dtype TEXT NOT NULL, shape TEXT NOT NULL,
                     data BLOB NOT NULL, PRIMARY KEY (cell, name));
"""


class StoreError(Exception):
    """The file of results cannot be read or written; the message is one sentence for the user."""


class Store:
    """The results of cells by key, in one file; use as a context manager."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=60.0)
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                if not self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    self._db.execute(f"PRAGMA application_id = {APPLICATION}")
                    for statement in TABLES.strip().split(";\n"):
                        self._db.execute(statement)
            application = self._db.execute("PRAGMA application_id").fetchone()[0]
            broken = self._db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok"
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

    def keys(self) -> set[str]:
        """Return the keys of the finished cells."""
        return {row[0] for row in self._read("SELECT key FROM cells")}

    def get(self, key: str) -> dict[str, np.ndarray]:
        """Return the arrays of a finished cell."""
        rows = self._read("SELECT name, dtype, shape, data FROM arrays WHERE cell = ? ORDER BY name", (key,))
        if not rows:
            raise KeyError(key)
        return {
            name: np.frombuffer(data, np.dtype(dtype)).reshape([int(k) for k in shape.split()]).copy() for name, dtype, shape, data in rows
        }

    def seconds(self, key: str) -> float:
        """Return how long a finished cell took."""
        return float(self._read("SELECT seconds FROM cells WHERE key = ?", (key,))[0][0])

    def put(self, key: str, task: str, arguments: str, code: str, seconds: float, arrays: Mapping[str, np.ndarray]) -> None:
        """Write a finished cell, whole or not at all."""
        rows = [(key, name, a.dtype.str, " ".join(map(str, a.shape)), np.ascontiguousarray(a).tobytes()) for name, a in arrays.items()]
        try:
            with self._db:
                self._db.execute("INSERT OR REPLACE INTO cells VALUES (?, ?, ?, ?, ?)", (key, task, arguments, code, seconds))
                self._db.executemany("INSERT OR REPLACE INTO arrays VALUES (?, ?, ?, ?, ?)", rows)
        except sqlite3.Error as error:
            raise StoreError(
                f"store = {self.path}: a result cannot be written ({error}); the cells before it are kept, "
                "make room or name another file and run the same command again"
            ) from None

    def forget(self, keys: Iterable[str]) -> None:
        """Take finished cells out."""
        rows = [(key,) for key in keys]
        try:
            with self._db:
                self._db.executemany("DELETE FROM arrays WHERE cell = ?", rows)
                self._db.executemany("DELETE FROM cells WHERE key = ?", rows)
        except sqlite3.Error as error:
            raise StoreError(f"store = {self.path}: a result cannot be taken out ({error})") from None

    def _read(self, query: str, values: tuple[str, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"store = {self.path}: cannot be read ({error})") from None
