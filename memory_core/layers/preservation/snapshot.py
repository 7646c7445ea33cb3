"""Copying a store as it is at one moment: SQLite through its backup API, files whole and hashed.

A copy of a database file alone leaves the rows of its `-wal` behind and may be torn; the backup
API reads one consistent state under load (sqlite.org/backup.html). Counts are taken inside the
very transaction that is copied.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from memory_core.layers.preservation.checks import faults_of, row_counts
from memory_core.layers.preservation.model import (
    FileRecord,
    PreservationError,
    Store,
    StoreRecord,
)

T = TypeVar("T")
# Runs a query on a read-only connection to a database; may run it again if it was disturbed.
Reader = Callable[[Path, Callable[[sqlite3.Connection], T]], T]
_TRIES = 5
_CHUNK = 1024 * 1024
_PASSING = re.compile(
    r".*\.(?:tmp|draft|lock|pid|swp|part)|\..*\.(?:tmp|draft|swp)|.*-(?:wal|shm|journal)"
    r"|.*\.(?:db|sqlite|sqlite3)|__pycache__|\.git|node_modules|venv|.*~"
)


class Unsteady(PreservationError):
    """A file kept changing while it was copied; run the backup again in a quieter moment."""


def read_plainly(path: Path, query: Callable[[sqlite3.Connection], T]) -> T:
    """Run *query* on one of our own databases, read-only."""
    uri = f"{path.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=10, isolation_level=None)) as db:
        return query(db)


def preserve(store: Store, target: Path, read: Reader[StoreRecord]) -> StoreRecord:
    """Copy one store below *target* and say what was copied; a missing one is said to be missing.

    Raises Unsteady, OSError, sqlite3.Error.
    """
    if store.kind == "tree":
        files = tuple(_copied(store, path, target) for path in _files(store.path))
        left_out = tuple(f"link not followed: {path}" for path in _links(store.path))
        missing = not store.path.is_dir()
        return StoreRecord(store.name, store.kind, files, faults=left_out, missing=missing)
    if not store.path.is_file():
        return StoreRecord(store.name, store.kind, (), missing=True)
    if store.kind == "file":
        return StoreRecord(store.name, store.kind, (_copied(store, store.path, target),))
    return read(store.path, lambda db: _database(store, db, target))


def below(target: Path, root: str, place: str) -> Path:
    """Return where a backup keeps the file that belongs at *place* of *root*."""
    return target / root / place


def hashed(path: Path) -> tuple[int, str]:
    """Return the size and SHA-256 of a file."""
    state, size = hashlib.sha256(), 0
    with path.open("rb") as f:
        while chunk := f.read(_CHUNK):
            state.update(chunk)
            size += len(chunk)
    return size, state.hexdigest()


def _database(store: Store, db: sqlite3.Connection, target: Path) -> StoreRecord:
    copy = below(target, store.root, store.place)
    make_folder(copy.parent)
    copy.unlink(missing_ok=True)  # a disturbed reading may have left a part of one
    db.execute("BEGIN")
    try:
        rows = row_counts(db)
        (schema,) = db.execute("PRAGMA user_version").fetchone()
        os.close(os.open(copy, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        with closing(sqlite3.connect(copy, isolation_level=None)) as new:
            db.backup(new)
    finally:
        db.execute("ROLLBACK")
    for side in ("-wal", "-shm", "-journal"):
        copy.with_name(copy.name + side).unlink(missing_ok=True)
    sync(copy)
    size, digest = hashed(copy)
    mode = store.path.stat().st_mode & 0o777
    record = FileRecord(store.root, store.place, size, digest, mode)
    return StoreRecord(store.name, store.kind, (record,), rows, int(schema), tuple(faults_of(copy)))


def _copied(store: Store, path: Path, target: Path) -> FileRecord:
    """Copy one file as it is at one moment."""
    inside = path.relative_to(store.path).as_posix() if store.kind == "tree" else ""
    place = "/".join(filter(None, (store.place, inside)))
    copy = below(target, store.root, place)
    make_folder(copy.parent)
    for _ in range(_TRIES):
        before = path.stat()
        copy.unlink(missing_ok=True)
        fd = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(fd, "wb") as out, path.open("rb") as f:
            while chunk := f.read(_CHUNK):
                out.write(chunk)
            out.flush()
            os.fsync(out.fileno())
        after = path.stat()
        if (before.st_ino, before.st_size, before.st_mtime_ns) == (
            after.st_ino, after.st_size, after.st_mtime_ns,
        ):  # fmt: skip
            size, digest = hashed(copy)
            return FileRecord(store.root, place, size, digest, after.st_mode & 0o777)
    msg = f"{path} kept changing while it was copied"
    raise Unsteady(msg)


def _files(folder: Path) -> Iterator[Path]:
    """Yield a tree's files; links are not followed, passing files and databases are left out."""
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or _PASSING.fullmatch(path.name):
            continue
        if path.is_dir():
            yield from _files(path)
        elif path.is_file():
            yield path


def _links(folder: Path) -> Iterator[str]:
    """Yield the links inside a tree, relative to it: what they lead to is not in the backup."""
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_symlink():
            yield path.relative_to(folder).as_posix()


def make_folder(path: Path) -> None:
    """Make a folder and what it lacks above it, each 0700 under any umask."""
    for folder in reversed([p for p in (path, *path.parents) if not p.exists()]):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o700)


def sync(path: Path) -> None:
    """Make a file or folder durable."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
