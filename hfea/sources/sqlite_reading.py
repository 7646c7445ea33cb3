"""Reading somebody else's SQLite file in place, leaving nothing beside it (invariant 1).

With a live `-wal` the file is opened `mode=ro` with `query_only`, in short transactions. Without
one it is opened `immutable=1`, which locks nothing and creates nothing; what was read is then
discarded and read again if the file changed or a `-wal` appeared meanwhile.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

BUSY_SECONDS = 10.0
TRIES = 4
PAUSE_SECONDS = 0.05
T = TypeVar("T")


class SourceBusy(Exception):
    """The file kept changing under every attempt to read it; the next pass tries again."""


@dataclass(frozen=True, slots=True)
class FileState:
    """What identifies a database file and its state: device, inode, size, mtime; and its -wal."""

    device: int
    inode: int
    size: int
    mtime: int
    wal: tuple[int, int, int] | None

    @property
    def identity(self) -> tuple[int, int]:
        """The device and inode: another file under the same name has another."""
        return self.device, self.inode

    def text(self) -> str:
        """Return the state as one short string, for stamps."""
        return f"{self.device}:{self.inode}:{self.size}:{self.mtime}:{self.wal}"


def state(path: Path) -> FileState | None:
    """Return the state of *path*, or None where there is no such file."""
    try:
        main = path.stat()
    except FileNotFoundError:
        return None
    wal = None
    with contextlib.suppress(FileNotFoundError):
        side = path.with_name(path.name + "-wal").stat()
        if side.st_size:
            wal = (side.st_ino, side.st_size, side.st_mtime_ns)
    return FileState(main.st_dev, main.st_ino, main.st_size, main.st_mtime_ns, wal)


def read(path: Path, query: Callable[[sqlite3.Connection], T]) -> T:
    """Run *query* on a read-only connection to *path*; its result must be complete in itself.

    *query* may run several times: it must not have effects outside its result. Raises
    sqlite3.DatabaseError where the file is damaged, FileNotFoundError where it is gone, and
    SourceBusy where no undisturbed reading succeeded.
    """
    for attempt in range(TRIES):
        before = state(path)
        if before is None:
            raise FileNotFoundError(path)
        try:
            with _opened(path, live=before.wal is not None) as db:
                result = query(db)
        except sqlite3.OperationalError as error:
            # A writer that resets its -wal can make a read fail with an I/O error for a moment.
            if attempt + 1 < TRIES and _passing(error):
                time.sleep(PAUSE_SECONDS)
                continue
            raise
        if before.wal is not None or state(path) == before:
            return result
        time.sleep(PAUSE_SECONDS)
    raise SourceBusy(str(path))


def _passing(error: sqlite3.OperationalError) -> bool:
    text = str(error)
    return any(word in text for word in ("disk I/O", "locked", "busy", "unable to open"))


@contextlib.contextmanager
def _opened(path: Path, *, live: bool) -> Iterator[sqlite3.Connection]:
    if live and not path.with_name(path.name + "-shm").exists():
        # Its last writer died, or it was copied so: opening it here would create a -shm beside
        # the source, and immutable=1 would lose what only the -wal holds. A private copy may
        # be opened as one likes.
        with tempfile.TemporaryDirectory(prefix="hfea-read-") as folder:
            copy = Path(folder) / path.name
            for suffix in ("", "-wal"):
                shutil.copyfile(
                    path.with_name(path.name + suffix), Path(folder) / (path.name + suffix)
                )
            with contextlib.closing(_open(copy, "mode=rw")) as db:
                yield db
        return
    with contextlib.closing(_open(path, "mode=ro" if live else "mode=ro&immutable=1")) as db:
        yield db


def _open(path: Path, how: str) -> sqlite3.Connection:
    db = sqlite3.connect(
        f"{path.resolve().as_uri()}?{how}", uri=True, timeout=BUSY_SECONDS, isolation_level=None
    )
    db.execute("PRAGMA query_only = 1")
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return db


def columns(db: sqlite3.Connection, table: str) -> frozenset[str]:
    """Return the column names of *table*; none where there is no such table."""
    return frozenset(str(row[1]) for row in db.execute(f"PRAGMA table_info({table})"))
