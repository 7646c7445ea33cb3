"""The owner's correction of a statement, as an addendum."""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import replace

from hfea.archive.stored import StoredDay
from hfea.episode import Addendum, Link, Relation, Statement, Thread, statement_id
from hfea.errors import UsageError
from memory_core.model import AuthorKind, Kind, Origin, Theme


def correction(stored: StoredDay, statement: str, text: str, *, on: dt.date, by: str) -> Addendum:
    """Return the addendum that says *text* instead of what *statement* says.

    It cites what the corrected statement cites; its author is the owner. *text* is redacted.
    Raises UsageError for an unknown statement and for a text without words.
    """
    day = stored.day
    old = next((s for s in stored.statements() if s.id == statement), None)
    if old is None:
        msg = f"{day.isoformat()} has no statement {statement}; `hfea episodes show` lists them"
        raise UsageError(msg)
    if not text.strip():
        raise UsageError("a correction needs words")
    citations = tuple(replace(c, digest="") for c in old.citations)
    new = Statement(
        id=statement_id(day, Kind.EVENT, text, citations),
        kind=Kind.EVENT,
        theme=old.theme if old.theme is not Theme.MOOD else Theme.OTHER,
        text=text,
        at=old.at,
        author=by,
        author_kind=AuthorKind.OWNER,
        origin=Origin.DIRECT,
        citations=citations,
        links=(Link(Relation.CORRECTS, statement),),
    )
    inputs = hashlib.sha256(f"{statement}\0{text}\0{on}".encode("utf-8", "surrogatepass"))
    thread = Thread("c1", f"Correction of {statement}", "", (), None, None, (new,))
    note = f"{by or 'The owner'} corrects statement {statement}."
    return Addendum(0, on, "correction", note, (thread,), inputs=inputs.hexdigest())
