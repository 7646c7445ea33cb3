"""Whether the index can be trusted: against itself, and against the files it came from."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hfea.archive.day_files import files_hash, files_stamp
from hfea.errors import Unavailable
from memory_core.text import index_terms

CANARIES = 3


class IndexUnreadable(Unavailable):
    """The index is not there or damaged; `hfea index rebuild` makes it anew."""


@dataclass(frozen=True, slots=True)
class Freshness:
    """How the index stands to the files: days whose files changed, came, went, cannot be read."""

    days: int
    statements: int
    behind: tuple[dt.date, ...] = ()
    unindexed: tuple[dt.date, ...] = ()
    gone: tuple[dt.date, ...] = ()
    unreadable: tuple[dt.date, ...] = ()
    edited: tuple[dt.date, ...] = ()

    @property
    def pending(self) -> int:
        """How many days an answer may miss or misstate."""
        return len(self.behind) + len(self.unindexed) + len(self.gone) + len(self.unreadable)

    @property
    def current(self) -> bool:
        """Whether an empty answer means that nothing is there."""
        return self.pending == 0


@dataclass(frozen=True, slots=True)
class Check:
    """What a check found wrong, in sentences, and what it counted."""

    faults: tuple[str, ...]
    days: int
    statements: int
    canaries_found: int

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def must_be_sound(self) -> None:
        """Raise IndexUnreadable with the faults, if there are any (case S20)."""
        if self.faults:
            raise IndexUnreadable("the index is out of step: " + "; ".join(self.faults))


def freshness(db: sqlite3.Connection, root: Path, days: Iterable[dt.date]) -> Freshness:
    """Compare the index with the files of *days* (all days on disk), by stat then hash."""
    found = db.execute("SELECT day, state, stamp, files, statements FROM day").fetchall()
    known = {dt.date.fromisoformat(row[0]): row for row in found}
    on_disk = set(days)
    behind = [
        day
        for day in sorted(on_disk & set(known))
        if known[day][2] != files_stamp(root, day) and known[day][3] != files_hash(root, day)
    ]
    with_state = {state: _in_state(known.items(), state) for state in ("unreadable", "edited")}
    return Freshness(
        days=len(known),
        statements=sum(row[4] for row in found),
        behind=tuple(behind),
        unindexed=tuple(sorted(on_disk - set(known))),
        gone=tuple(sorted(set(known) - on_disk)),
        unreadable=with_state["unreadable"],
        edited=with_state["edited"],
    )


def _in_state(
    known: Iterable[tuple[dt.date, tuple[str, str, str, str, int]]], state: str
) -> tuple[dt.date, ...]:
    return tuple(sorted(day for day, row in known if row[1] == state))


def check(db: sqlite3.Connection) -> Check:
    """Check SQLite's pages, FTS5 against its content (rank 1), counts, texts, and canaries.

    A canary is a statement that must be found by its own rarest words; which ones is a function
    of the index, so that a failure can be repeated.
    """
    faults = [*_pages(db), *_full_text(db), *_counts(db), *_texts(db)]
    canaries = _canaries(db)
    found = 0
    for n, text in canaries:
        if _finds(db, n, text):
            found += 1
        else:
            faults.append(f"statement {n} is not found by its own words")
    (days,) = db.execute("SELECT count(*) FROM day").fetchone()
    (statements,) = db.execute("SELECT count(*) FROM statement").fetchone()
    return Check(tuple(faults), days, statements, found)


def _pages(db: sqlite3.Connection) -> Iterator[str]:
    try:
        for (line,) in db.execute("PRAGMA integrity_check(10)"):
            if line != "ok":
                yield f"SQLite: {line}"
    except sqlite3.DatabaseError as error:
        yield f"SQLite: {error}"


def _full_text(db: sqlite3.Connection) -> Iterator[str]:
    try:
        # Rank 1 compares FTS5 with its content table too (SQLite documentation, FTS5 §6.4).
        db.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    except sqlite3.DatabaseError as error:
        yield f"FTS5: {error}"


def _counts(db: sqlite3.Connection) -> Iterator[str]:
    (statements,) = db.execute("SELECT count(*) FROM statement").fetchone()
    (terms,) = db.execute("SELECT count(*) FROM terms").fetchone()
    (by_day,) = db.execute("SELECT coalesce(sum(statements), 0) FROM day").fetchone()
    if not statements == terms == by_day:
        yield f"{statements} statements, {terms} with terms, {by_day} by the days' own count"
    (apart,) = db.execute(
        "SELECT count(*) FROM statement LEFT JOIN terms USING (n) WHERE terms.n IS NULL"
    ).fetchone()
    if apart:
        yield f"{apart} statements have no terms"


def _texts(db: sqlite3.Connection) -> Iterator[str]:
    if days := days_out_of_step(db):
        yield f"the terms of statements on {len(days)} days are not those of their texts"


def days_out_of_step(db: sqlite3.Connection) -> list[dt.date]:
    """Return the days with statements whose indexed terms are not those of their text."""
    rows = db.execute("SELECT day, text, said FROM statement JOIN terms USING (n)")
    wrong = {day for day, text, said in rows if " ".join(index_terms(text)) != said}
    return sorted(map(dt.date.fromisoformat, wrong))


def _canaries(db: sqlite3.Connection) -> list[tuple[int, str]]:
    """Choose three statements spread over the index: the first, one half way, the last."""
    # Two subqueries: SQLite finds each end by itself at once, but scans for both together.
    (low, high) = db.execute(
        "SELECT (SELECT min(n) FROM statement), (SELECT max(n) FROM statement)"
    ).fetchone()
    if low is None:
        return []
    places = [low + (high - low) * i // (CANARIES - 1) for i in range(CANARIES)]
    sql = "SELECT n, text FROM statement WHERE n >= ? ORDER BY n LIMIT 1"
    return sorted({db.execute(sql, (place,)).fetchone() for place in places})


def _finds(db: sqlite3.Connection, n: int, text: str) -> bool:
    terms = dict.fromkeys(index_terms(text))
    if not terms:
        return True
    match = " AND ".join('"' + term.replace('"', '""') + '"' for term in terms)
    sql = "SELECT 1 FROM words WHERE words MATCH ? AND rowid = ?"
    try:
        return db.execute(sql, (match, n)).fetchone() is not None
    except sqlite3.DatabaseError:
        return False
