"""Invariant 1: sources are read-only, and nothing appears, changes or goes beside them."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from hfea.sources.base import Problem, RawMessage
from hfea.sources.hermes import HermesSource

WRITER = """
import os, sqlite3, sys
path, mode, end = sys.argv[1:]
db = sqlite3.connect(path)
db.execute(f"PRAGMA journal_mode = {mode}")
db.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, started_at REAL)")
db.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT,"
           " content TEXT, timestamp REAL)")
db.execute("INSERT INTO sessions VALUES ('s', 'cli', 1772798400)")
db.execute("INSERT INTO messages VALUES (1, 's', 'user', 'one', 1772798400)")
db.commit()
if end == "killed":
    os.kill(os.getpid(), 9)
if end == "waits":
    print("ready", flush=True)
    sys.stdin.read()
"""


def look(folder: Path, *, but: str = "") -> dict[str, tuple[int, int, bytes]]:
    """Return inode, mtime and bytes of every file; *but* leaves names with that ending out."""
    return {
        p.name: (p.stat().st_ino, p.stat().st_mtime_ns, p.read_bytes())
        for p in sorted(folder.iterdir())
        if not but or not p.name.endswith(but)
    }


def texts(folder: Path) -> list[str]:
    items = list(HermesSource(folder).scan({}))
    assert [i for i in items if isinstance(i, Problem)] == []
    return [i.text for i in items if isinstance(i, RawMessage)]


@pytest.mark.parametrize(
    ("mode", "end"), [("DELETE", "closes"), ("WAL", "closes"), ("WAL", "killed")]
)
def test_inv_01_a_source_without_a_writer_keeps_every_byte_and_every_time(
    tmp_path: Path, mode: str, end: str
) -> None:
    path = str(tmp_path / "state.db")
    subprocess.run([sys.executable, "-c", WRITER, path, mode, end], check=False)
    before = look(tmp_path)
    assert texts(tmp_path) == ["one"]
    assert look(tmp_path) == before


def test_inv_01_a_wal_without_its_index_gets_none(tmp_path: Path) -> None:
    path = str(tmp_path / "state.db")
    subprocess.run([sys.executable, "-c", WRITER, path, "WAL", "killed"], check=False)
    (tmp_path / "state.db-shm").unlink()
    before = look(tmp_path)
    assert texts(tmp_path) == ["one"]
    assert look(tmp_path) == before


def test_inv_01_a_living_writer_keeps_its_wal_and_can_go_on(tmp_path: Path) -> None:
    """The -shm is the writer's and its readers' common memory: only its presence is compared."""
    path = str(tmp_path / "state.db")
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, path, "WAL", "waits"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        before, names = look(tmp_path, but="-shm"), sorted(p.name for p in tmp_path.iterdir())
        assert texts(tmp_path) == ["one"]
        assert look(tmp_path, but="-shm") == before
        assert sorted(p.name for p in tmp_path.iterdir()) == names
        other = sqlite3.connect(path)
        other.execute("UPDATE messages SET content = 'two'")
        other.commit()
        other.close()
        assert texts(tmp_path) == ["two"]
        writer.communicate(b"")
