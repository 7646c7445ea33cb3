"""Messages on their way from the sources to their days: a private, unnamed database.

It holds redacted messages only, lives in a file that has no name (SQLite removes it at once),
and keeps memory bounded however long the history is.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from memory_core.model import AuthorKind, Message, Origin, Role, Span, ToolUse

_SCHEMA = """
CREATE TABLE message (
    number INTEGER PRIMARY KEY, source TEXT NOT NULL, session TEXT NOT NULL,
    message_id TEXT NOT NULL, identity TEXT NOT NULL, day TEXT, body TEXT NOT NULL,
    UNIQUE (source, session, message_id, identity)
);
CREATE INDEX by_day ON message (day);
"""
_NAMES = tuple(f.name for f in dataclasses.fields(Message))


class Spool:
    """Takes messages unit by unit, gives them back day by day."""

    def __init__(self) -> None:
        # The empty name is a temporary file of this connection alone (sqlite.org/inmemorydb).
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.executescript(_SCHEMA)
        self._db.execute("PRAGMA cache_size = -8000")

    def close(self) -> None:
        """Close it; nothing is left on disk."""
        self._db.close()

    def put(self, message: Message) -> int | None:
        """Store a message that has no day yet; its number, or None where it is there already."""
        added = self._db.execute(
            "INSERT OR IGNORE INTO message (source, session, message_id, identity, body)"
            " VALUES (?, ?, ?, ?, ?)",
            (
                message.source,
                message.session_id,
                message.message_id,
                message.identity,
                _written(message),
            ),
        )
        return added.lastrowid if added.rowcount else None

    def keep(self, numbers: Iterable[tuple[int, dt.date]]) -> None:
        """Give messages their day."""
        self._db.executemany(
            "UPDATE message SET day = ? WHERE number = ?",
            [(day.isoformat(), number) for number, day in numbers],
        )

    def sweep(self) -> None:
        """Throw away what was given no day."""
        self._db.execute("DELETE FROM message WHERE day IS NULL")

    def heard(self) -> dict[dt.date, int]:
        """Return how many messages wait for each day."""
        found = self._db.execute("SELECT day, count(*) FROM message GROUP BY day ORDER BY day")
        return {dt.date.fromisoformat(day): count for day, count in found if day}

    def messages(self, day: dt.date) -> list[Message]:
        """Return the messages of a day in an order that no reading order changes."""
        found = self._db.execute("SELECT body FROM message WHERE day = ?", (day.isoformat(),))
        return sorted((_read(body) for (body,) in found), key=_order)

    def done(self, day: dt.date) -> None:
        """Forget a day's messages: they are archived."""
        self._db.execute("DELETE FROM message WHERE day = ?", (day.isoformat(),))


def _order(message: Message) -> tuple[str, str, int, str, str]:
    talk = message.conversation or message.session_id
    return message.source, talk, message.position, message.message_id, message.identity


def _written(message: Message) -> str:
    values = {name: getattr(message, name) for name in _NAMES}
    values["at"] = message.at.isoformat() if message.at else None
    values["marks"] = sorted(message.marks)
    values["spans"] = [dataclasses.astuple(span) for span in message.spans]
    values["tool"] = dataclasses.astuple(message.tool) if message.tool else None
    return json.dumps(values, ensure_ascii=False)


def _read(body: str) -> Message:
    values: dict[str, Any] = json.loads(body)
    at, tool = values["at"], values["tool"]
    values["at"] = dt.datetime.fromisoformat(at) if at else None
    values["role"] = Role(values["role"])
    values["author_kind"] = AuthorKind(values["author_kind"])
    values["origin"] = Origin(values["origin"])
    values["marks"] = frozenset(values["marks"])
    values["spans"] = tuple(
        Span(start, end, AuthorKind(kind), Origin(origin), *label)
        for start, end, kind, origin, *label in values["spans"]
    )
    values["tool"] = ToolUse(*tool) if tool else None
    return Message(**values)
