"""Single-use permissions to search the archive, spent before the archive is touched."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
import sqlite3

from hfea.errors import HfeaError
from hfea.ledger.desk import Desk, moment, stamp
from memory_core.model import VerdictKind

TICKET_BYTES = 16
LIFE = dt.timedelta(seconds=30)
_OPENING = (VerdictKind.INSUFFICIENT, VerdictKind.CONTRADICTORY)


class TicketRefused(HfeaError):
    """A ticket may not be minted or used; the archive stays closed (invariant 8)."""


class Tickets:
    """128 random bits each, of which only the SHA-256 is stored."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def mint(
        self,
        question_id: str,
        archive_id: str,
        verdict: VerdictKind,
        ttl: dt.timedelta = LIFE,
        klass: str = "answer",
    ) -> str:
        """Return a token for one search of one archive for one question.

        *klass* is `answer` or `shadow`; a shadow is spent after the answer has left and never
        returned, so a sufficient verdict may have one. Raises TicketRefused for a verdict that
        does not open the archive, and for a life that is not positive.
        """
        shadowed = klass == "shadow" and verdict is VerdictKind.SUFFICIENT
        if verdict not in _OPENING and not shadowed:
            msg = f"a verdict `{verdict.value}` does not open the archive"
            raise TicketRefused(msg)
        if ttl <= dt.timedelta(0) or klass not in ("answer", "shadow"):
            msg = "a ticket needs a positive life and a class of its own"
            raise TicketRefused(msg)
        token = secrets.token_hex(TICKET_BYTES)
        now = self._desk.now()
        with self._desk.writing() as db:
            db.execute(
                "INSERT INTO ticket VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    _hash(token),
                    question_id,
                    archive_id,
                    klass,
                    verdict.value,
                    now,
                    stamp(moment(now) + ttl),
                ),
            )
        return token

    def redeem(self, token: str, question_id: str, archive_id: str, now: dt.datetime) -> None:
        """Spend *token*: committed when this returns, and only then may the archive be opened.

        Raises TicketRefused where it is unknown, of another question or archive, not valid at
        *now*, or used already, by whatever process.
        """
        key = _hash(token)
        try:
            with self._desk.writing() as db:
                found = db.execute(
                    "SELECT question, archive, at, expires FROM ticket WHERE hash = ?", (key,)
                ).fetchone()
                _check(found, question_id, archive_id, now)
                db.execute("INSERT INTO ticket_use VALUES (?, ?)", (key, stamp(now)))
        except sqlite3.IntegrityError as error:
            msg = "this ticket has been used"
            raise TicketRefused(msg) from error

    def used(self, question_id: str) -> list[tuple[str, dt.datetime]]:
        """Return (class, time) of each opening of the archive for a question, in order."""
        found = self._desk.rows(
            "SELECT class, ticket_use.at FROM ticket JOIN ticket_use ON ticket = hash"
            " WHERE question = ? ORDER BY ticket_use.at",
            question_id,
        )
        return [(klass, moment(at)) for klass, at in found]


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _check(
    found: tuple[str, str, str, str] | None, question_id: str, archive_id: str, now: dt.datetime
) -> None:
    if found is None:
        msg = "no such ticket"
        raise TicketRefused(msg)
    question, archive, minted, expires = found
    if question != question_id or archive != archive_id:
        msg = "this ticket is for another question or another archive"
        raise TicketRefused(msg)
    if not moment(minted) <= now < moment(expires):
        msg = "this ticket is no longer valid"
        raise TicketRefused(msg)
