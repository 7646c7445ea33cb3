"""Reading somebody else's SQLite file in place, leaving nothing beside it (invariant 1).

With a live `-wal` the file is opened `mode=ro` with `query_only`, in short transactions, and its
`-shm` read-only too: a reader would rebuild the one that a dead writer left. Without a `-wal` it is
opened `immutable=1`, which locks nothing and creates nothing; what was read is then discarded and
read again if the file changed or a `-wal` appeared meanwhile. What cannot be read in place without
leaving a trace (a `-wal` without its `-shm`, a rollback journal that is still to be played back) is
read from a private copy that is gone afterwards.
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
    """What identifies a database file and its state: device, inode, size, mtime; and its sides.

    `wal` and `journal` are (inode, size, mtime) of a side file that holds anything, else None.
    """

    device: int
    inode: int
    size: int
    mtime: int
    wal: tuple[int, int, int] | None
    journal: tuple[int, int, int] | None = None

    @property
    def identity(self) -> tuple[int, int]:
        """The device and inode: another file under the same name has another."""
        return self.device, self.inode

    def text(self) -> str:
        """Return the state as one short string, for stamps."""
        main = f"{self.device}:{self.inode}:{self.size}:{self.mtime}:{self.wal}"
        return f"{main}:{self.journal}" if self.journal else main


def state(path: Path) -> FileState | None:
    """Return the state of *path*, or None where there is no such file."""
    try:
        main = path.stat()
    except FileNotFoundError:
        return None
    return FileState(
        main.st_dev,
        main.st_ino,
        main.st_size,
        main.st_mtime_ns,
        _side(_beside(path, "-wal")),
        _hot(_beside(path, "-journal")),
    )


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _side(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return (found.st_ino, found.st_size, found.st_mtime_ns) if found.st_size else None


def _hot(path: Path) -> tuple[int, int, int] | None:
    """Return the state of a rollback journal; one that was finished begins with zeros."""
    found = _side(path)
    if found is None:
        return None
    try:
        with path.open("rb") as f:
            return found if f.read(1) not in (b"", b"\0") else None
    except FileNotFoundError:
        return None


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
        in_place = before.wal is not None and before.journal is None
        in_place = in_place and _beside(path, "-shm").exists()
        try:
            with _opened(path, before, in_place=in_place) as db:
                result = query(db)
        except (sqlite3.DatabaseError, OSError) as error:
            # A side file may go between a look and its opening, a page be half written, and a
            # writer that resets its -wal makes a read fail with an I/O error for a moment.
            if attempt + 1 == TRIES or not (_passing(error) or state(path) != before):
                _give_up(path, error)
                raise
        else:
            if _undisturbed(before, state(path), in_place=in_place):
                return result
        time.sleep(PAUSE_SECONDS)
    raise SourceBusy(str(path))


def _undisturbed(before: FileState, after: FileState | None, *, in_place: bool) -> bool:
    """Whether what was read is one state; in place SQLite sees to that, if the file is the same."""
    if in_place:
        return after is not None and after.identity == before.identity
    return after == before


def _passing(error: Exception) -> bool:
    if isinstance(error, FileNotFoundError):
        return True
    words = ("disk I/O", "locked", "busy", "unable to open", "readonly")
    return isinstance(error, sqlite3.OperationalError) and any(w in str(error) for w in words)


def _give_up(path: Path, error: Exception) -> None:
    """Raise SourceBusy where only a side file is gone: the source itself is there."""
    if isinstance(error, FileNotFoundError) and path.exists():
        raise SourceBusy(str(path)) from error


@contextlib.contextmanager
def _opened(path: Path, found: FileState, *, in_place: bool) -> Iterator[sqlite3.Connection]:
    if in_place:
        with contextlib.closing(_open(path, "mode=ro&readonly_shm=1")) as db:
            yield db
    elif found.wal is None and found.journal is None:
        with contextlib.closing(_open(path, "mode=ro&immutable=1")) as db:
            yield db
    else:
        # Its last writer died, or it was copied so: opening it here would create or delete a
        # file beside the source, and immutable=1 would lose what only the side file holds.
        with tempfile.TemporaryDirectory(prefix="hfea-read-") as folder:
            copy = Path(folder) / path.name
            sides = [("-wal", found.wal), ("-journal", found.journal)]
            for suffix in ("", *(name for name, side in sides if side)):
                shutil.copyfile(_beside(path, suffix), _beside(copy, suffix))
            with contextlib.closing(_open(copy, "mode=rw")) as db:
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
