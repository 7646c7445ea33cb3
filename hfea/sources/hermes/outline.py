"""What of a row decides whether it is a copy, kept small: a session of any length fits memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from hfea.sources.hermes import rows
from hfea.sources.hermes.rows import Row

CHUNK_ROWS = 256
CHUNK_CHARACTERS = 4_000_000


class Line(Protocol):
    """A whole row, or its outline."""

    @property
    def id(self) -> int:
        """The row's id, which is its place."""
        ...

    @property
    def visible(self) -> bool:
        """Whether it is history."""
        ...

    @property
    def summary(self) -> bool:
        """Whether it is or carries a compaction summary."""
        ...

    @property
    def todo(self) -> bool:
        """Whether it is the task list that follows a summary."""
        ...

    def key(self) -> bytes:
        """Return what it has in common with its copies."""
        ...

    def twin(self) -> bytes:
        """Return what it has in common with itself stored twice."""
        ...


L = TypeVar("L", bound=Line)


@dataclass(frozen=True, slots=True)
class Outline:
    """A row without its text; `size` is the text's length in characters."""

    id: int
    visible: bool
    summary: bool
    todo: bool
    size: int
    same: bytes
    stored: bytes

    def key(self) -> bytes:
        """Return what it has in common with its copies."""
        return self.same

    def twin(self) -> bytes:
        """Return what it has in common with itself stored twice."""
        return self.stored


def of(row: Row) -> Outline:
    """Return the outline of *row*."""
    return Outline(row.id, row.visible, row.summary, row.todo, len(row.text), row.key(), row.twin())


def by_session(
    db: sqlite3.Connection, session: str, expected: int
) -> tuple[list[Outline], dict[int, Row]]:
    """Return the outlines of a session, and its rows where all of them fit one stretch.

    Raises sqlite3.DatabaseError where its index is damaged. A damaged index may leave rows out
    without an error: where it gives fewer than *expected*, they are counted in the table too,
    in the same transaction.
    """
    db.execute("BEGIN")
    found: list[Outline] = []
    kept: dict[int, Row] | None = {}
    held = 0
    for row in rows.messages(db, session):
        found.append(of(row))
        held += len(row.text)
        if len(found) > CHUNK_ROWS or held > CHUNK_CHARACTERS:
            kept = None
        if kept is not None:
            kept[row.id] = row
    if len(found) < expected:
        query = "SELECT count(*) FROM messages NOT INDEXED WHERE session_id = ?"
        (count,) = db.execute(query, (session,)).fetchone()
        if count > len(found):
            msg = "malformed index: it leaves out messages of this session"
            raise sqlite3.DatabaseError(msg)
    return found, kept or {}


def by_id(db: sqlite3.Connection, ids: Iterable[int]) -> tuple[list[Outline], list[int]]:
    """Return the outlines of the rows of these ids, without any index, and the unreadable ids."""
    found, lost = [], []
    for number in ids:
        try:
            found += [of(row) for row in rows.by_id(db, [number]).values()]
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            lost.append(number)
    return found, lost


def chunks(sizes: Sequence[int]) -> Iterator[slice]:
    """Part rows of these sizes into stretches that are read and held at once."""
    start = held = 0
    for place, size in enumerate(sizes):
        if place > start and (place - start >= CHUNK_ROWS or held + size > CHUNK_CHARACTERS):
            yield slice(start, place)
            start, held = place, 0
        held += size
    if start < len(sizes):
        yield slice(start, len(sizes))
