"""The ledger: one append-only database of nights, messages seen, questions, tickets, costs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from hfea.clock import Clock
from hfea.errors import HfeaError, Unavailable
from hfea.ledger.budget import Budget
from hfea.ledger.desk import Desk
from hfea.ledger.heads import Heads
from hfea.ledger.nights import Nights
from hfea.ledger.promotions import Promotions
from hfea.ledger.questions import Questions
from hfea.ledger.schema import STEPS
from hfea.ledger.seen import Seen
from hfea.ledger.sources import Sources
from hfea.ledger.tickets import Tickets
from memory_core import sqlite_kit

FILE_NAME = "ledger.sqlite"


class LedgerTooNew(HfeaError):
    """A newer HFEA wrote this ledger; it is left as it is (case O08)."""


class LedgerUnreadable(Unavailable):
    """The ledger is not there, not a database, or damaged."""


class Ledger:
    """The ledger's parts, each with its own small interface, on one connection."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.nights = Nights(desk)
        self.seen = Seen(desk)
        self.sources = Sources(desk)
        self.heads = Heads(desk)
        self.budget = Budget(desk)
        self.questions = Questions(desk)
        self.tickets = Tickets(desk)
        self.promotions = Promotions(desk)

    @classmethod
    def open(cls, path: Path, clock: Clock, *, readonly: bool = False) -> Self:
        """Open the ledger file, creating and migrating it unless *readonly*.

        Raises LedgerTooNew with both versions named, before any write; LedgerUnreadable.
        """
        try:
            return cls(Desk(sqlite_kit.open_store(path, STEPS, readonly=readonly), clock))
        except sqlite_kit.NewerSchema as error:
            raise LedgerTooNew(str(error)) from error
        except (sqlite_kit.OlderSchema, sqlite3.Error, OSError) as error:
            msg = f"the ledger {path} cannot be opened: {error}"
            raise LedgerUnreadable(msg) from error

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make everything written inside the block one transaction, all or nothing."""
        with self._desk.writing():
            yield

    def keep_text(self, text: str) -> int:
        """Store redacted free text in the erasable side table; return its id."""
        return self._desk.keep_text(text)

    def text_containing(self, words: str) -> list[int]:
        """Return the ids of the free texts that contain *words*, for erasure."""
        found = self._desk.rows("SELECT id FROM ledger_text WHERE instr(text, ?) > 0", words)
        return [number for (number,) in found]

    def erase_text(self, ids: Iterable[int]) -> int:
        """Blank these free texts for good, also in the `-wal`; return how many were blanked.

        Their rows and everything that refers to them stay. Raises LedgerUnreadable where a
        reader keeps the old pages alive: call again, nothing is lost.
        """
        now, blanked = self._desk.now(), 0
        with self._desk.writing() as db:
            for number in ids:
                done = db.execute(
                    "UPDATE ledger_text SET text = '', erased = ? WHERE id = ? AND erased IS NULL",
                    (now, number),
                )
                blanked += done.rowcount
        if not self.checkpoint():
            msg = "a reader keeps the erased text's old pages; close it and erase again"
            raise LedgerUnreadable(msg)
        return blanked

    def checkpoint(self) -> bool:
        """Empty the `-wal`; False where a reader prevents it just now (case O04)."""
        return self._desk.checkpoint()

    def close(self) -> None:
        """Close the connection."""
        self._desk.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
