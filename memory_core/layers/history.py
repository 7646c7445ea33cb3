"""History: the declared window of recent sessions, as the same sources give them to the night."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator

from memory_core.model import AuthorKind, Message
from memory_core.passages import Passage

LAYER = "history"
LONGEST = 2000  # characters of one message that are searched
# Never evidence (invariant 13): what the machine said to itself, and what was undone.
SILENT = frozenset({"machine", "own_output", "undone", "error_notice", "summary", "branch_copy"})


def window(asked_at: dt.datetime, days: int | None) -> tuple[dt.datetime, dt.datetime] | None:
    """Return the half-open UTC window of the last *days*; None for all of it, empty for 0."""
    if days is None:
        return None
    end = asked_at.astimezone(dt.UTC)
    return end - dt.timedelta(days=days), end


def passages(messages: Iterable[Message]) -> Iterator[Passage]:
    """Yield each message that may be evidence, with its author kind and origin kept."""
    for m in messages:
        if m.at is None or m.marks & SILENT or m.author_kind is AuthorKind.SYSTEM:
            continue
        text = m.content.strip()[:LONGEST]
        if text:
            yield Passage(
                layer=LAYER,
                key=f"{m.source}/{m.session_id}/{m.message_id}",
                text=text,
                subject=m.title,
                at=m.at,
                author=m.author,
                author_kind=m.author_kind,
                origin=m.origin,
                message_ids=(m.message_id,),
            )
