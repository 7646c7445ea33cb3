"""What every part of the ledger writes with: one connection, one lock, one clock."""

from __future__ import annotations

import datetime as dt
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hfea.clock import Clock
from memory_core import sqlite_kit


class Desk:
    """A connection that the threads of one process share; other processes have their own."""

    def __init__(self, db: sqlite3.Connection, clock: Clock) -> None:
        self._db = db
        self._lock = threading.RLock()
        self._clock = clock

    def now(self) -> str:
        """Return the present moment as the ledger writes times."""
        return stamp(self._clock.now())

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run a block as one transaction; joins one that this thread has already begun."""
        with self._lock:
            if self._db.in_transaction:
                yield self._db
                return
            with sqlite_kit.transaction(self._db):
                yield self._db

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows of a query, so that no read transaction stays open."""
        with self._lock:
            return self._db.execute(sql, values).fetchall()

    def row(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        """Return the first row of a query, or None."""
        found = self.rows(sql, *values)
        return found[0] if found else None

    def checkpoint(self) -> bool:
        """Empty the `-wal`; False where a reader prevents it just now."""
        with self._lock:
            return sqlite_kit.checkpoint(self._db)

    def keep_text(self, text: str) -> int:
        """Store redacted free text in the erasable side table; return its id."""
        with self.writing() as db:
            added = db.execute("INSERT INTO ledger_text (text) VALUES (?)", (text,))
            return int(added.lastrowid or 0)

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._db.close()


def stamp(at: dt.datetime) -> str:
    """Write an aware time in UTC, microseconds always, so that text order is time order."""
    return at.astimezone(dt.UTC).isoformat(timespec="microseconds")


def moment(text: str) -> dt.datetime:
    """Read what `stamp` wrote."""
    return dt.datetime.fromisoformat(text)
