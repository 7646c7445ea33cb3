"""Databases in every state that their writers leave them in; nothing beside them ever changes."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from source_reading import beside

from hfea.sources import sqlite_reading

# Leaves the file as a killed process does: with its -wal and -shm, or its rollback journal.
DEAD_WAL = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("PRAGMA journal_mode = WAL")
db.execute("CREATE TABLE t (x)")
db.execute("INSERT INTO t VALUES (1)")
db.commit()
os.kill(os.getpid(), 9)
"""
DEAD_JOURNAL = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("PRAGMA cache_size = 1")
db.execute("CREATE TABLE t (x)")
db.execute("INSERT INTO t VALUES (1)")
db.commit()
db.executemany("INSERT INTO t VALUES (?)", [("never committed " * 200,)] * 500)
os.kill(os.getpid(), 9)
"""


def count(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT count(*) FROM t").fetchone()[0])


def left_by(script: str, folder: Path) -> Path:
    """Run a writer that dies in the middle, and return its database."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-c", script, str(folder / "a.db")], check=False)
    return folder / "a.db"


def table(path: Path, rows: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE t (x)")
        db.executemany("INSERT INTO t VALUES (?)", [(n,) for n in range(rows)])
        db.commit()
    return path


@pytest.mark.parametrize("script", [DEAD_WAL, DEAD_JOURNAL])
def test_what_a_killed_writer_left_is_read_as_it_was_committed(tmp_path: Path, script: str) -> None:
    path = left_by(script, tmp_path / "h")
    assert len(list(path.parent.iterdir())) > 1
    before = beside(path.parent)
    assert sqlite_reading.read(path, count) == 1
    assert beside(path.parent) == before


def test_a_finished_journal_that_stays_is_no_journal(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "a.db")) as db:
        db.execute("PRAGMA journal_mode = PERSIST")
        db.execute("CREATE TABLE t (x)")
        db.execute("INSERT INTO t VALUES (1)")
        db.commit()
    assert (tmp_path / "a.db-journal").stat().st_size
    found = sqlite_reading.state(tmp_path / "a.db")
    assert found is not None
    assert found.journal is None
    assert sqlite_reading.read(tmp_path / "a.db", count) == 1


def test_a_read_during_which_the_file_changed_is_discarded(tmp_path: Path) -> None:
    path = table(tmp_path / "a.db", 1)
    seen: list[int] = []

    def disturbed(db: sqlite3.Connection) -> int:
        found = count(db)
        if not seen:
            with closing(sqlite3.connect(path)) as writer:
                writer.execute("INSERT INTO t VALUES ('late')")
                writer.commit()
        seen.append(found)
        return found

    assert sqlite_reading.read(path, disturbed) == 2
    assert seen == [1, 2]


def test_a_damage_seen_while_the_file_changed_is_no_damage(tmp_path: Path) -> None:
    path = table(tmp_path / "a.db", 1)
    tries: list[int] = []

    def torn(db: sqlite3.Connection) -> int:
        tries.append(1)
        if len(tries) == 1:
            table(tmp_path / "b.db", 3).replace(path)
            msg = "database disk image is malformed"
            raise sqlite3.DatabaseError(msg)
        return count(db)

    assert sqlite_reading.read(path, torn) == 3


def test_a_damage_that_stays_is_raised_at_once(tmp_path: Path) -> None:
    path = table(tmp_path / "a.db", 1)
    tries: list[int] = []

    def damaged(_: sqlite3.Connection) -> int:
        tries.append(1)
        msg = "database disk image is malformed"
        raise sqlite3.DatabaseError(msg)

    with pytest.raises(sqlite3.DatabaseError):
        sqlite_reading.read(path, damaged)
    assert tries == [1]


def test_i17_a_live_file_that_was_replaced_during_the_read_is_read_again(tmp_path: Path) -> None:
    path = left_by(DEAD_WAL, tmp_path)
    seen: list[int] = []

    def swapped(db: sqlite3.Connection) -> int:
        found = count(db)
        if not seen:
            table(tmp_path / "other" / "b.db", 5).replace(path)
            for side in ("-wal", "-shm"):
                path.with_name(path.name + side).unlink()
        seen.append(found)
        return found

    assert sqlite_reading.read(path, swapped) == 5
    assert seen == [1, 5]


def test_i17_a_wal_that_was_deleted_and_made_anew_changes_the_stamp(tmp_path: Path) -> None:
    path = table(tmp_path / "a.db", 1)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
    stamps = []
    for n in range(2):
        with closing(sqlite3.connect(path)) as db:
            db.execute("INSERT INTO t VALUES (?)", (n,))
            db.commit()
            found = sqlite_reading.state(path)
            assert found is not None
            assert found.wal is not None
            stamps.append(found.text())
            assert sqlite_reading.read(path, count) == n + 2
    assert stamps[0] != stamps[1]


def test_a_side_file_that_goes_is_trouble_that_passes_and_not_a_missing_source(
    tmp_path: Path,
) -> None:
    path = table(tmp_path / "a.db", 1)

    def gone(_: sqlite3.Connection) -> int:
        raise FileNotFoundError(path.with_name("a.db-wal"))

    with pytest.raises(sqlite_reading.SourceBusy):
        sqlite_reading.read(path, gone)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        sqlite_reading.read(path, count)
