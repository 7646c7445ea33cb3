"""The heads of the seal chain as they were made, so that a rolled-back archive shows."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from hfea.errors import HfeaError
from hfea.ledger.desk import Desk


class HeadMoved(HfeaError):
    """A seal sequence number was recorded before with another head: forged or rolled back."""


@dataclass(frozen=True, slots=True)
class Head:
    """One seal: its number in sealing order, the day it belongs to, its keyed hash in hex."""

    sequence: int
    day: dt.date
    hex: str


class Heads:
    """The seal heads, append-only."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def record(self, sequence: int, day: dt.date, head: str) -> None:
        """Append a head; the same one again changes nothing. Raises HeadMoved on another."""
        with self._desk.writing() as db:
            known = self.at(sequence)
            if known is None:
                db.execute(
                    "INSERT INTO head VALUES (?, ?, ?, ?)",
                    (sequence, day.isoformat(), head, self._desk.now()),
                )
            elif known != Head(sequence, day, head):
                msg = f"seal {sequence} was {known.day} {known.hex}, now {day} {head}"
                raise HeadMoved(msg)

    def at(self, sequence: int) -> Head | None:
        """Return the head recorded for a sequence number."""
        found = self._desk.row("SELECT sequence, day, hex FROM head WHERE sequence = ?", sequence)
        return _head(found) if found else None

    def newest(self) -> Head | None:
        """Return the head with the highest sequence number."""
        found = self._desk.row("SELECT sequence, day, hex FROM head ORDER BY sequence DESC LIMIT 1")
        return _head(found) if found else None

    def all(self) -> list[Head]:
        """Return every head in sealing order."""
        return [
            _head(row)
            for row in self._desk.rows("SELECT sequence, day, hex FROM head ORDER BY sequence")
        ]


def _head(row: tuple[int, str, str]) -> Head:
    sequence, day, digest = row
    return Head(sequence, dt.date.fromisoformat(day), digest)
