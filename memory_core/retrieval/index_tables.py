"""The tables of a row index, and which of its rows may be found."""

from __future__ import annotations

import datetime as dt
import sqlite3
from dataclasses import dataclass


def _m1(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE row (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, thread TEXT NOT NULL,"
        " ord INTEGER NOT NULL, text TEXT NOT NULL, speaker TEXT NOT NULL, at TEXT,"
        " beside TEXT NOT NULL, role TEXT NOT NULL, scope TEXT NOT NULL, data TEXT NOT NULL,"
        " words TEXT NOT NULL,"
        " signs TEXT NOT NULL, size INTEGER NOT NULL) STRICT"
    )
    db.execute("CREATE UNIQUE INDEX row_place ON row (thread, ord)")
    db.execute(
        "CREATE VIRTUAL TABLE row_terms USING"
        " fts5(terms, concepts, starts, tokenize = 'ascii', detail = 'column')"
    )
    db.execute(
        "CREATE TABLE frequency (term TEXT PRIMARY KEY, rows INTEGER NOT NULL)"
        " STRICT, WITHOUT ROWID"
    )
    db.execute(
        "CREATE TABLE total (one INTEGER PRIMARY KEY CHECK (one = 1), rows INTEGER NOT NULL,"
        " size INTEGER NOT NULL) STRICT"
    )
    db.execute("INSERT INTO total VALUES (1, 0, 0)")
    db.execute(
        "CREATE TABLE speaker (name TEXT PRIMARY KEY, rows INTEGER NOT NULL) STRICT, WITHOUT ROWID"
    )
    db.execute("CREATE TABLE thread (name TEXT PRIMARY KEY, stamp TEXT NOT NULL) STRICT")


STEPS = (_m1,)
BM25 = "bm25(row_terms, 1.0, 0.6, 0.3)"


@dataclass(frozen=True, slots=True)
class Only:
    """Which rows may be found; None or empty means any. Times are half-open, aware UTC."""

    since: dt.datetime | None = None
    until: dt.datetime | None = None
    speakers: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    threads: tuple[str, ...] = ()

    def clause(self) -> tuple[str, list[str]]:
        """Return the conditions on table `r` and their values."""
        parts = ["1"]
        values: list[str] = []
        for column, given in (
            ("speaker", self.speakers),
            ("role", self.roles),
            ("scope", self.scopes),
            ("thread", self.threads),
        ):
            if given:
                parts.append(f"r.{column} IN ({', '.join('?' * len(given))})")
                values += given
        for sign, at in ((">=", self.since), ("<", self.until)):
            if at is not None:
                parts.append(f"r.at {sign} ?")
                values.append(stamped(at))
        return " AND ".join(parts), values


def stamped(at: dt.datetime) -> str:
    """Write a time so that text order is time order."""
    return at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
