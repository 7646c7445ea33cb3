"""The derived index: built from the archive's files, compared with them, never the truth.

A day whose files parse is indexed as they stand; where they differ from their seal (a hand
edit) its state is `edited` and every hit says so. A day that cannot be parsed is `unreadable`:
none of its statements is served until it can be, and freshness and check name it.
"""

from __future__ import annotations

import datetime as dt
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from hfea.archive import index_check, index_rows
from hfea.archive.day_files import files_hash, files_stamp
from hfea.archive.index_check import Check, Freshness, IndexUnreadable
from hfea.archive.index_rows import DayRead, DayStore, Row, cited_texts, day_rows, first_n
from hfea.archive.index_schema import STEPS, empty
from hfea.errors import HfeaError
from memory_core import sqlite_kit

FILE_NAME = "index.sqlite"
CHUNK_DAYS = 30
_STATEMENT = f"INSERT INTO statement VALUES ({', '.join('?' * 18)})"


def batched(days: Iterable[dt.date], size: int) -> Iterator[list[dt.date]]:
    """Yield the days in lists of *size*; the last may be shorter."""
    left = iter(days)
    while chunk := list(islice(left, size)):
        yield chunk


class IndexTooNew(HfeaError):
    """A newer HFEA wrote this index; rebuild it with `hfea index rebuild` (case O08)."""


@dataclass(frozen=True, slots=True)
class Refresh:
    """What bringing the index up to date did."""

    indexed: tuple[dt.date, ...]
    removed: tuple[dt.date, ...]
    unreadable: tuple[dt.date, ...]


class Index:
    """The index database, open for writing. One writer at a time (the night lock)."""

    def __init__(self, path: Path, root: Path | None = None) -> None:
        """Open *path* beside the files, or give the archive's *root*.

        Raises IndexTooNew before any write, IndexUnreadable.
        """
        self.path = path
        self.root = root or path.parent
        try:
            self._db = sqlite_kit.open_store(path, STEPS)
        except sqlite_kit.NewerSchema as error:
            raise IndexTooNew(str(error)) from error
        except (sqlite3.Error, OSError) as error:
            msg = f"the index {path} cannot be opened ({error}); `hfea index rebuild` remakes it"
            raise IndexUnreadable(msg) from error
        # The index is disposable: a power cut may cost its last commits, never its shape.
        self._db.execute("PRAGMA synchronous = NORMAL")

    def add_day(self, stored: DayRead) -> int:
        """Replace one day by what *stored* says, in one transaction; return its statements."""
        stamp, files = files_stamp(self.root, stored.day), files_hash(self.root, stored.day)
        with sqlite_kit.transaction(self._db) as db:
            _delete_day(db, stored.day)
            return _insert_day(db, stored, stamp, files)

    def remove_day(self, day: dt.date) -> None:
        """Take one day out; an unknown one changes nothing."""
        with sqlite_kit.transaction(self._db) as db:
            _delete_day(db, day)

    def rebuild(self, archive: DayStore, tick: Callable[[dt.date], None] | None = None) -> int:
        """Make everything but the vectors anew from the files; return the statements indexed.

        Ends by checking itself: raises IndexUnreadable where anything is out of step.
        """
        with sqlite_kit.transaction(self._db) as db:
            empty(db)
        total = 0
        for chunk in batched(sorted(archive.days()), CHUNK_DAYS):
            total += self._insert(archive, chunk, tick)
        self.check().must_be_sound()
        return total

    def refresh(
        self,
        archive: DayStore,
        *,
        deep: bool = False,
        tick: Callable[[dt.date], None] | None = None,
    ) -> Refresh:
        """Bring the index up to date with the files, reading only days that changed.

        A day is compared by stat, with *deep* by the hash of its bytes (at start-up, and now
        and then). A day that reads the same keeps its rows.
        """
        known, on_disk = self._files(), set(archive.days())
        gone = sorted(set(known) - on_disk)
        for day in gone:
            self.remove_day(day)
        changed = [day for day in sorted(on_disk) if self._differs(day, known.get(day), deep=deep)]
        for chunk in batched(changed, CHUNK_DAYS):
            self._insert(archive, chunk, tick)
        unreadable = tuple(day for day in changed if self._state(day) == "unreadable")
        return Refresh(tuple(changed), tuple(gone), unreadable)

    def _differs(self, day: dt.date, known: tuple[str, str] | None, *, deep: bool) -> bool:
        if known is None:
            return True
        if not deep and known[0] == files_stamp(self.root, day):
            return False
        return known[1] != files_hash(self.root, day)

    def _insert(
        self, archive: DayStore, days: Iterable[dt.date], tick: Callable[[dt.date], None] | None
    ) -> int:
        total = 0
        with sqlite_kit.transaction(self._db) as db:
            for day in days:
                # Taken before the read: an edit in between makes the day stale, never trusted.
                stamp, files = files_stamp(self.root, day), files_hash(self.root, day)
                _delete_day(db, day)
                total += _insert_day(db, archive.read(day), stamp, files)
                if tick:
                    tick(day)
        return total

    def _files(self) -> dict[dt.date, tuple[str, str]]:
        found = self._db.execute("SELECT day, stamp, files FROM day").fetchall()
        return {dt.date.fromisoformat(day): (stamp, files) for day, stamp, files in found}

    def _state(self, day: dt.date) -> str:
        found = self._db.execute("SELECT state FROM day WHERE day = ?", (day.isoformat(),))
        row = found.fetchone()
        return str(row[0]) if row else ""

    def state(self) -> dict[dt.date, str]:
        """Return the archive's digest of each indexed day, as it was read."""
        found = self._db.execute("SELECT day, digest FROM day ORDER BY day").fetchall()
        return {dt.date.fromisoformat(day): digest for day, digest in found}

    def freshness(self, days: Iterable[dt.date]) -> Freshness:
        """Compare the index with the files of *days* (those on disk), by stat then hash."""
        return index_check.freshness(self._db, self.root, days)

    def check(self) -> Check:
        """Check the whole index against itself: see `index_check.check`."""
        return index_check.check(self._db)

    def repair(self, archive: DayStore) -> Check:
        """Rebuild FTS5 from its content, read days out of step again, and check (case S09)."""
        with sqlite_kit.transaction(self._db) as db:
            db.execute("INSERT INTO words (words) VALUES ('rebuild')")
        on_disk = set(archive.days())
        wrong = [day for day in index_check.days_out_of_step(self._db) if day in on_disk]
        for chunk in batched(wrong, CHUNK_DAYS):
            self._insert(archive, chunk, None)
        return self.check()

    def checkpoint(self) -> bool:
        """Empty the `-wal`; False where a reader prevents it just now."""
        return sqlite_kit.checkpoint(self._db)

    def erase(self) -> None:
        """Make sure that what was removed has left no bytes behind (invariant 14).

        Merges FTS5's segments, so that no deleted term lingers in one, vacuums, and empties the
        `-wal`. Raises IndexUnreadable where a reader keeps old pages alive.
        """
        with sqlite_kit.transaction(self._db) as db:
            db.execute("INSERT INTO words (words) VALUES ('optimize')")
            db.execute(
                "DELETE FROM vector WHERE text_hash NOT IN (SELECT text_hash FROM statement)"
            )
        self._db.execute("VACUUM")
        if not self.checkpoint():
            msg = "a reader keeps erased pages of the index alive; close it and erase again"
            raise IndexUnreadable(msg)

    def put_vector(self, text: str, model: str, vector: Sequence[float]) -> None:
        """Keep the vector of a statement's text; spaces of two models never mix."""
        body = array("f", vector).tobytes()
        with sqlite_kit.transaction(self._db) as db:
            db.execute(
                "INSERT OR REPLACE INTO vector VALUES (?, ?, ?, ?)",
                (index_rows.text_hash(text), model, len(vector), body),
            )

    def pending_vectors(self, model: str) -> int:
        """Return how many statements have no vector of *model*."""
        found = self._db.execute(
            "SELECT count(*) FROM statement WHERE NOT EXISTS (SELECT 1 FROM vector"
            " WHERE vector.text_hash = statement.text_hash AND model = ?)",
            (model,),
        )
        return int(found.fetchone()[0])

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _delete_day(db: sqlite3.Connection, day: dt.date) -> None:
    first, after = first_n(day), first_n(day + dt.timedelta(days=1))
    for table in ("link", "terms", "statement"):
        db.execute(f"DELETE FROM {table} WHERE n >= ? AND n < ?", (first, after))
    db.execute("DELETE FROM day WHERE day = ?", (day.isoformat(),))


def _insert_day(db: sqlite3.Connection, stored: DayRead, stamp: str, files: str) -> int:
    rows: list[Row] = []
    state, detail = "unreadable", "; ".join(str(f) for f in stored.findings)[:500]
    if stored.episode is not None:
        state = "edited" if stored.findings else "sealed"
        texts = cited_texts(stored.evidence)
        rows = list(day_rows(stored.day, stored.episode, stored.addenda, texts))
    db.executemany(_STATEMENT, map(index_rows.statement_values, rows))
    db.executemany("INSERT INTO terms VALUES (?, ?, ?, ?, ?)", map(index_rows.terms_values, rows))
    links = [link for row in rows for link in index_rows.link_values(row)]
    db.executemany("INSERT INTO link VALUES (?, ?, ?, ?)", links)
    terms = sum(len(row.said) for row in rows)
    db.execute(
        "INSERT INTO day VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (stored.day.isoformat(), stored.digest, state, len(rows), terms, detail, stamp, files),
    )
    return len(rows)
