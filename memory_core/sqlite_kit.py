"""The one place that opens HFEA's own SQLite files: pragmas, file modes, migrations."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

Migration = Callable[[sqlite3.Connection], object]
BUSY_MILLISECONDS = 10_000
WAL_LIMIT_BYTES = 16 * 1024 * 1024
_HEADER_BYTES = 100
_ASKED_AGAIN = 5
_PAUSE_SECONDS = 0.02
# One thread at a time opens a store, so that no descriptor is closed under another's locks.
_OPENING = threading.RLock()


class NewerSchema(Exception):
    """The file was written by a newer HFEA; nothing is touched (case O08)."""

    def __init__(self, path: str, found: int, known: int) -> None:
        super().__init__(
            f"{path} has schema {found}, this HFEA knows up to {known};"
            " install the newer HFEA or restore a backup made before the upgrade"
        )
        self.found, self.known = found, known


class OlderSchema(Exception):
    """A read-only visitor found a file that its owner has still to migrate."""

    def __init__(self, path: str, found: int, known: int) -> None:
        super().__init__(
            f"{path} has schema {found} and {known} is needed; run any writing HFEA command first"
        )
        self.found, self.known = found, known


def connect(path: Path | None, *, readonly: bool = False) -> sqlite3.Connection:
    """Open *path* (None: in memory) with every pragma set; files are created 0600.

    Autocommit mode: transactions are explicit, see `transaction`. A read-only connection to a
    missing file raises sqlite3.OperationalError and creates nothing. Raises sqlite3.Error.
    """
    with _OPENING:
        return _connected(path, readonly=readonly)


def _connected(path: Path | None, *, readonly: bool) -> sqlite3.Connection:
    if path is None:
        db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    elif readonly:
        uri = f"{path.resolve().as_uri()}?mode=ro"
        db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        db.execute("PRAGMA query_only = 1")
    else:
        _create(path)
        path.chmod(0o600)
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        db.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        db.execute("PRAGMA foreign_keys = 1")
        # REPLACE deletes rows; without this its deletions would slip past the triggers.
        db.execute("PRAGMA recursive_triggers = 1")
        if path is not None and not readonly:
            _durable(db)
    except BaseException:
        db.close()
        raise
    return db


def _create(path: Path) -> None:
    """Make an empty file, 0600: SQLite gives -wal and -shm the mode of the main file.

    Never opened where it exists: closing any descriptor of a file drops every lock that this
    process holds on it, also those of SQLite's other connections, and two writers then corrupt
    it (SQLite, "How To Corrupt An SQLite Database File", 2.2).
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def _durable(db: sqlite3.Connection) -> None:
    (mode,) = db.execute("PRAGMA journal_mode").fetchone()
    if mode != "wal":
        db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute(f"PRAGMA journal_size_limit = {WAL_LIMIT_BYTES}")
    # What is erased must leave no bytes behind in free pages (invariant 14).
    db.execute("PRAGMA secure_delete = 1")


def open_store(
    path: Path, steps: Sequence[Migration], *, readonly: bool = False
) -> sqlite3.Connection:
    """Open one of our stores at the schema of *steps*, migrating it unless *readonly*.

    A file of a newer schema is refused before SQLite may write anything: its bytes, also those
    of a pending `-wal`, stay as they are. Raises NewerSchema, OlderSchema, sqlite3.Error.
    """
    found = schema_number(path) if path.exists() else 0
    if found > len(steps):
        raise NewerSchema(str(path), found, len(steps))
    if readonly and found < len(steps):
        raise OlderSchema(str(path), found, len(steps))
    db = connect(path, readonly=readonly)
    try:
        if not readonly:
            migrate(db, steps, path=str(path))
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Run a block as one immediate transaction; any exception rolls it back."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def migrate(db: sqlite3.Connection, steps: Sequence[Migration], *, path: str = "the store") -> int:
    """Bring *db* up to date; a step and its record commit together or not at all.

    Returns the schema number. Raises NewerSchema before any write where *db* is ahead of us.
    Two processes may migrate at once: each step re-reads the number inside its transaction.
    """
    (done,) = db.execute("PRAGMA user_version").fetchone()
    if done > len(steps):
        raise NewerSchema(path, done, len(steps))
    for number, step in enumerate(steps[done:], start=done + 1):
        with transaction(db):
            (now,) = db.execute("PRAGMA user_version").fetchone()
            if now < number:
                step(db)
                db.execute(f"PRAGMA user_version = {number:d}")
    return len(steps)


def schema_number(path: Path) -> int:
    """Return the schema number of a file without writing to it; 0 where it is no database yet.

    While any connection is open (a `-shm` is there) SQLite is asked, read-only; else the header's
    bytes 60..63 say it (SQLite file format, section 1.3.13), and nothing appears beside the file.
    A descriptor of our own is only closed while this process has no connection to the file: see
    `_create`. Raises sqlite3.Error, OSError.
    """
    with _OPENING:
        if _pending(path) or path.with_name(path.name + "-shm").exists():
            return _asked(path)
        with path.open("rb") as f:
            header = f.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES or not header.startswith(b"SQLite format 3\0"):
        return 0
    return int.from_bytes(header[60:64], "big")


def _asked(path: Path) -> int:
    """Ask SQLite; again where another connection has just folded its `-wal` into the file."""
    uri = f"{path.resolve().as_uri()}?mode=ro"
    for again in reversed(range(_ASKED_AGAIN)):
        try:
            with closing(sqlite3.connect(uri, uri=True)) as db:
                db.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
                return int(db.execute("PRAGMA user_version").fetchone()[0])
        except sqlite3.OperationalError:
            if not again:
                raise
            time.sleep(_PAUSE_SECONDS)
    return 0


def _pending(path: Path) -> bool:
    try:
        return path.with_name(path.name + "-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


def checkpoint(db: sqlite3.Connection) -> bool:
    """Move the whole `-wal` into the database and empty it; False where a reader prevents it."""
    (busy, _, _) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy
