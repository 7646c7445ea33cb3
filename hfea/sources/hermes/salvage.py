"""Reading a table with damaged pages: every row that can be read is read, the rest is counted."""

from __future__ import annotations

import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hfea.sources.hermes import rows
from hfea.sources.hermes.rows import Session

PAGE = 1000  # rows asked for at once
MOST_PROBES = 200_000  # queries spent on one table's damaged stretches
FARTHEST = 2**62


@dataclass
class Loss:
    """Rows that could not be read: at most how many (ids, some of which were never used)."""

    ids: int = 0
    first: int = -1
    probes: int = 0

    def add(self, low: int, high: int) -> None:
        """Count the ids from *low* to *high*, both included."""
        self.ids += high - low + 1
        if self.first < 0:
            self.first = low


@dataclass
class Salvaged:
    """What is left of a database: sessions, prints as rows.fingerprints gives them, and ids."""

    sessions: dict[str, Session] = field(default_factory=dict)
    prints: dict[str, tuple[str, int]] = field(default_factory=dict)
    ids: dict[str, array[int]] = field(default_factory=dict)
    lost: Loss = field(default_factory=Loss)
    lost_sessions: Loss = field(default_factory=Loss)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether *error* says that pages of the file are damaged."""
    text = str(error)
    return "malformed" in text or "corrupt" in text


def salvage(db: sqlite3.Connection) -> Salvaged:
    """Read sessions and the outlines of all messages, around every damaged page."""
    found = Salvaged()
    make, select = rows.session_of(db), rows.session_select(db)
    for row in readable(db, Table("sessions", select), found.lost_sessions):
        session = make(row)
        found.sessions[session.id] = session
    sums: dict[str, list[int]] = {}
    ids: dict[str, array[int]] = defaultdict(lambda: array("q"))
    active, compacted = rows.flags(db)
    select = (
        f"SELECT id, session_id, {active}, {compacted}, length(CAST(content AS BLOB)) FROM messages"
    )
    for number, sid, is_active, is_compacted, size in readable(
        db, Table("messages", select), found.lost
    ):
        ids[str(sid)].append(number)
        had = sums.setdefault(str(sid), [0, 0, 0, 0, 0, 0])
        was = [had[0] + 1, max(had[1], number), had[2] + is_active, had[3] + is_compacted]
        sums[str(sid)] = [*was, had[4] + (size or 0), had[5] + number]
    found.ids = dict(ids)
    found.prints = {sid: (":".join(map(str, s)), s[0]) for sid, s in sums.items()}
    return found


@dataclass(frozen=True, slots=True)
class Table:
    """A table and the SELECT of what is wanted of it, without its WHERE."""

    name: str
    select: str

    def query(self, where: str) -> str:
        """Return the query with the rowid before the columns; its last value is a limit."""
        columns = self.select.removeprefix("SELECT ")
        return f"SELECT rowid, {columns} NOT INDEXED WHERE {where} ORDER BY rowid LIMIT ?"


def readable(db: sqlite3.Connection, table: Table, lost: Loss) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of *table* by rowid; step over what is damaged and count it in *lost*."""
    last = -1
    while True:
        got, whole = _attempt(db.execute, table.query("rowid > ?"), last, PAGE)
        yield from (row[1:] for row in got)
        if got:
            last = got[-1][0]
        if whole and len(got) < PAGE:
            return
        if whole:
            continue
        beyond = _next_readable(db, table, last, lost)
        end = max(_highest(db, table), last + PAGE) if beyond is None else beyond - 1
        yield from _around(db, table, (last + 1, end), lost)
        if beyond is None:
            return
        last = end


def _attempt(
    execute: Callable[..., sqlite3.Cursor], query: str, *values: int
) -> tuple[list[tuple[Any, ...]], bool]:
    """Return the rows until the first damage, and whether there was none."""
    got: list[tuple[Any, ...]] = []
    try:
        got.extend(execute(query, values))
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        return got, False
    return got, True


def _next_readable(db: sqlite3.Connection, table: Table, last: int, lost: Loss) -> int | None:
    """Return the id from which reading succeeds after *last*, found by ever larger steps.

    None where it succeeds nowhere: the damage goes to the end of the table.
    """
    query = f"SELECT rowid FROM {table.name} NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT 1"
    step = 1
    while last + step < FARTHEST:
        lost.probes += 1
        got, whole = _attempt(db.execute, query, last + step)
        if whole:
            return int(got[0][0]) if got else last + step + 1
        step *= 2
    return None


def _highest(db: sqlite3.Connection, table: Table) -> int:
    """Return the highest id that was ever given, where the file keeps it."""
    query = "SELECT seq FROM sqlite_sequence WHERE name = ?"
    try:
        row = db.execute(query, (table.name,)).fetchone()
    except sqlite3.DatabaseError:
        return 0
    return int(row[0]) if row else 0


def _around(
    db: sqlite3.Connection, table: Table, span: tuple[int, int], lost: Loss
) -> Iterator[tuple[Any, ...]]:
    """Yield what can be read within *span* by halving what cannot."""
    within = table.query("rowid BETWEEN ? AND ?")
    waiting = [span]
    while waiting:
        low, high = waiting.pop()
        if low > high:
            continue
        lost.probes += 1
        # The limit keeps SQLite from looking beyond the last row, where the damage may begin.
        got, whole = _attempt(db.execute, within, low, high, high - low + 1)
        if whole:
            yield from (row[1:] for row in got)
        elif low == high or lost.probes > MOST_PROBES:
            lost.add(low, high)
        else:
            middle = (low + high) // 2
            waiting += [(middle + 1, high), (low, middle)]
