"""What a day's consolidation is given and what it returns; ordering and digests."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from hfea.episode import Episode, Missing, Statement
from memory_core.model import AuthorKind, Message

NARRATOR_VERSION = "1"


@dataclass(frozen=True, slots=True)
class DayInput:
    """The messages of one local day (or those that came late), and what is known to lack."""

    day: dt.date
    zone: str
    start: dt.datetime
    end: dt.datetime
    messages: tuple[Message, ...]
    missing: tuple[Missing, ...] = ()

    @property
    def tz(self) -> ZoneInfo:
        """The zone as an object."""
        return ZoneInfo(self.zone)


Prior = Sequence[tuple[dt.date, Statement]]


@dataclass(frozen=True, slots=True)
class Consolidated:
    """An episode, and how many statements verification demoted or dropped, by reason."""

    episode: Episode
    dropped: Mapping[str, int] = field(default_factory=dict)


def in_order(messages: Sequence[Message]) -> list[Message]:
    """Return the messages in the order of the day, whatever order they came in.

    Within a conversation positions decide; a message without a usable time follows the one
    before it. Conversations are interleaved by time.
    """
    by_talk: dict[tuple[str, str, str], list[Message]] = {}
    for m in sorted(set(messages), key=_place):
        by_talk.setdefault((m.source, m.conversation or m.session_id, m.session_id), []).append(m)
    keyed: list[tuple[dt.datetime, tuple[str, str, str, int, str], Message]] = []
    for talk in by_talk.values():
        latest = next((m.at for m in talk if m.at), dt.datetime.min.replace(tzinfo=dt.UTC))
        for m in talk:
            latest = max(latest, m.at or latest)
            keyed.append((latest, _place(m), m))
    return [m for _, _, m in sorted(keyed, key=lambda k: k[:2])]


def _place(m: Message) -> tuple[str, str, str, int, str]:
    return m.source, m.conversation or m.session_id, m.session_id, m.position, m.message_id


def digest(day: DayInput, extra: Sequence[str] = ()) -> str:
    """Return the hex SHA-256 of everything an episode is a function of."""
    rows = sorted(
        [
            m.source,
            m.session_id,
            m.message_id,
            m.identity,
            m.at.isoformat() if m.at else "",
            str(m.position),
            m.author_kind.value,
            m.origin.value,
            *sorted(m.marks),
        ]
        for m in set(day.messages)
    )
    lacking = sorted([m.code, m.where, m.detail] for m in day.missing)
    head = [day.day.isoformat(), day.zone, day.start.isoformat(), day.end.isoformat()]
    body = json.dumps([NARRATOR_VERSION, head, rows, lacking, list(extra)])
    return hashlib.sha256(body.encode()).hexdigest()


def own_words(messages: Sequence[Message]) -> str:
    """Return the owner's own text of the day, for its language."""
    parts = []
    for m in messages:
        if m.author_kind is AuthorKind.OWNER:
            at = 0
            for span in sorted(m.spans, key=lambda s: s.start):
                parts.append(m.content[at : span.start])
                at = max(at, span.end)
            parts.append(m.content[at:])
    return "\n".join(parts)
