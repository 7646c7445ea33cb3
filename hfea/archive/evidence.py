"""The evidence file: the redacted text of cited messages, as much of it as citations need."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hfea.episode import Citation
from memory_core.model import AuthorKind, Message, Origin, Role

WHOLE = 8000  # bytes of an owner's or agent's message that are kept whole
AROUND = 500  # characters kept around a cited span of hosted or tool text
_OWN_WORDS = frozenset({AuthorKind.OWNER, AuthorKind.AGENT})
Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class CitedText:
    """One kept stretch of a cited message. `offset` is where it begins in the whole content."""

    source: str
    session_id: str
    message_id: str
    at: dt.datetime | None
    role: Role
    author: str
    author_kind: AuthorKind
    origin: Origin
    offset: int
    length: int
    text: str

    @property
    def key(self) -> Key:
        """Which message it is of."""
        return self.source, self.session_id, self.message_id

    def holds(self, start: int, end: int) -> bool:
        """Whether the span lies inside this stretch."""
        return self.offset <= start and end <= self.offset + len(self.text)


def stretches(citations: Iterable[Citation], messages: Mapping[Key, Message]) -> list[CitedText]:
    """Return what is kept of the cited messages, sorted, each stretch once."""
    spans: dict[Key, list[tuple[int, int]]] = {}
    for c in citations:
        key = (c.source, c.session_id, c.message_id)
        if key in messages:
            spans.setdefault(key, []).append((c.start, c.end))
    return [part for key in sorted(spans) for part in _of(messages[key], spans[key])]


def _of(message: Message, spans: Sequence[tuple[int, int]]) -> Iterator[CitedText]:
    whole = len(message.content)
    direct = message.author_kind in _OWN_WORDS and message.origin is Origin.DIRECT
    if direct and len(message.content.encode("utf-8", "surrogatepass")) <= WHOLE:
        yield _part(message, 0, whole)
        return
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        spare = max(0, AROUND - (end - start)) // 2
        left, right = max(0, start - spare), min(whole, end + spare)
        if merged and left <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], right))
        else:
            merged.append((left, right))
    for left, right in merged:
        yield _part(message, left, right)


def _part(m: Message, start: int, end: int) -> CitedText:
    return CitedText(
        source=m.source,
        session_id=m.session_id,
        message_id=m.message_id,
        at=m.at,
        role=m.role,
        author=m.author,
        author_kind=m.author_kind,
        origin=m.origin,
        offset=start,
        length=len(m.content),
        text=m.content[start:end],
    )


def line(part: CitedText) -> str:
    """Return the JSON line of one stretch: readable, but for what an editor would not show."""
    row = {
        "source": part.source,
        "session": part.session_id,
        "message": part.message_id,
        "at": part.at.isoformat() if part.at else None,
        "role": part.role.value,
        "author": part.author,
        "author_kind": part.author_kind.value,
        "origin": part.origin.value,
        "offset": part.offset,
        "length": part.length,
        "text": part.text,
    }
    readable = json.dumps(row, ensure_ascii=False)
    return readable if readable.isprintable() else json.dumps(row)


def read(text: str) -> CitedText:
    """Read one line of an evidence file. Raises ValueError for any other shape."""
    try:
        row: Mapping[str, Any] = json.loads(text)
        return CitedText(
            source=str(row["source"]),
            session_id=str(row["session"]),
            message_id=str(row["message"]),
            at=dt.datetime.fromisoformat(row["at"]) if row["at"] else None,
            role=Role(row["role"]),
            author=str(row["author"]),
            author_kind=AuthorKind(row["author_kind"]),
            origin=Origin(row["origin"]),
            offset=int(row["offset"]),
            length=int(row["length"]),
            text=str(row["text"]),
        )
    except (KeyError, TypeError) as error:
        msg = "not a line of evidence"
        raise ValueError(msg) from error
