"""What can be said of a database copy: its integrity, its full-text indexes, its rows."""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

_MOST_FAULTS = 20
_FTS = re.compile(r"USING\s+[\"'`\[]?fts5[\"'`\]]?\s*\(", re.IGNORECASE)


def row_counts(db: sqlite3.Connection) -> dict[str, int]:
    """Return the number of rows of every real table; shadow tables of indexes count too."""
    names = [
        str(name)
        for name, sql in db.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name"
        )
        if not str(name).startswith("sqlite_") and "VIRTUAL TABLE" not in str(sql).upper()[:40]
    ]
    counted = {}
    for name in names:
        quoted = name.replace('"', '""')
        (counted[name],) = db.execute(f'SELECT count(*) FROM "{quoted}"').fetchone()
    return counted


def counts_of(path: Path) -> dict[str, int]:
    """Return the rows of a copy that nobody else has open. Raises sqlite3.Error."""
    with closing(_still(path)) as db:
        return row_counts(db)


def faults_of(path: Path) -> Iterator[str]:
    """Yield what is wrong with a copy, full-text indexes included (PRAGMA alone misses those).

    The checks run on a copy of the copy: FTS5's own check is written as an insertion.
    """
    with tempfile.TemporaryDirectory(prefix="hfea-check-") as folder:
        scratch = Path(folder) / "copy.sqlite"
        shutil.copyfile(path, scratch)
        try:
            with closing(sqlite3.connect(scratch, isolation_level=None)) as db:
                yield from _faults(db)
        except sqlite3.DatabaseError as error:
            yield f"unreadable: {error}"


def _faults(db: sqlite3.Connection) -> Iterator[str]:
    for (line,) in db.execute(f"PRAGMA integrity_check({_MOST_FAULTS})").fetchall():
        if line != "ok":
            yield f"integrity: {line}"
    tables = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    for name, sql in tables:
        if not _FTS.search(str(sql)):
            continue
        quoted = str(name).replace('"', '""')
        try:
            db.execute(f'INSERT INTO "{quoted}"("{quoted}", rank) VALUES (\'integrity-check\', 1)')
        except sqlite3.DatabaseError as error:
            yield f"full-text index {name}: {error}"


def _still(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True)
