"""One line each: statements, citations, dates and links as `docs/format.md` spells them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from zoneinfo import ZoneInfo

from hfea.archive.escape import field, inline
from hfea.episode import Citation, DateNote, LeftOut, Link, Missing, Statement
from memory_core.model import Kind, Origin, Polarity, Theme

NOBODY = "—"
NO_TIME = "--:--"
ONE_DAY = dt.timedelta(days=1)


class Notes:
    """Numbers citations in the order of their first use; equal citations share a number."""

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._numbers: dict[Citation, int] = {}

    def mark(self, citation: Citation) -> str:
        """Return the footnote mark of *citation*."""
        number = self._numbers.setdefault(citation, len(self._numbers) + 1)
        return f"[^{self._prefix}{number}]"

    def lines(self) -> Iterator[str]:
        """Yield the footnotes in order."""
        for citation, number in self._numbers.items():
            yield f"[^{self._prefix}{number}]: {footnote(citation)}"


def footnote(c: Citation) -> str:
    """Return the words of a footnote: where the cited words stand, when, and their hash."""
    at = c.at.isoformat() if c.at else "no time"
    return (
        f"{field(c.source)} · {field(c.session_id)} · {field(c.message_id)} · {at}"
        f" · {c.start}–{c.end} · {c.digest or 'unsealed'}"
    )


def clock(at: dt.datetime | None, zone: ZoneInfo) -> str:
    """Return the local time of day."""
    return at.astimezone(zone).strftime("%H:%M") if at else NO_TIME


def statement(s: Statement, notes: Notes, zone: ZoneInfo) -> Iterator[str]:
    """Yield the list item of a statement, and one nested item for each of its extras."""
    author = field(s.author) if s.author else NOBODY
    marks = "".join(notes.mark(c) for c in s.citations)
    yield (
        f"- **{clock(s.at, zone)} {author}** ({', '.join(_facets(s))}):"
        f" {inline(s.text)} {marks} `{s.id}`"
    )
    if s.at != s.citations[0].at:
        yield f"  - at: {s.at.isoformat() if s.at else 'no time'}"
    if s.words:
        yield f"  - shown by: {inline(s.words)}"
    for note in s.dates:
        yield f"  - date: {date_note(note)}"
    for link in s.links:
        yield f"  - {link_words(link)}"


def _facets(s: Statement) -> Iterator[str]:
    yield s.author_kind.value
    if s.origin is not Origin.DIRECT:
        yield f"origin {s.origin.value}"
    yield s.kind.value
    if s.theme is not Theme.OTHER:
        yield s.theme.value
    if s.polarity is not Polarity.AFFIRMED:
        yield s.polarity.value
    if s.provisional:
        yield "provisional"
    if s.outcome is not None:
        yield f"outcome {s.outcome.value}"
    if s.times != 1:
        yield f"times {s.times}"
    if s.holder:
        yield f"of {field(s.holder)}"


def date_note(note: DateNote) -> str:
    """Return a relative date: the original words and every reading, days inclusive."""
    readings = " or ".join(
        first.isoformat()
        if after - first == ONE_DAY
        else f"{first.isoformat()}..{(after - ONE_DAY).isoformat()}"
        for first, after in note.readings
    )
    return f'"{field(note.words)}" = {readings or "undetermined"}'


def link_words(link: Link) -> str:
    """Return a relation to another statement, with its day where that is another one."""
    day = f" ({link.day.isoformat()})" if link.day else ""
    return f"{link.relation.value}: `{link.statement}`{day}"


def left_out(parts: Iterable[LeftOut]) -> Iterator[str]:
    """Yield the tally: a line a reason, and below it the messages, session by session."""
    for part in parts:
        yield f"- {field(part.reason)} · {len(part.messages)}"
        place, ids = ("", ""), list[str]()
        for source, session, message in part.messages:
            if ids and (source, session) != place:
                yield f"  - {field(place[0])} · {field(place[1])} · {', '.join(ids)}"
                ids = []
            place = (source, session)
            ids.append(field(message))
        if ids:
            yield f"  - {field(place[0])} · {field(place[1])} · {', '.join(ids)}"


def missing(parts: Iterable[Missing]) -> Iterator[str]:
    """Yield what the day should have held and does not."""
    for part in parts:
        yield f"- {field(part.code)} · {field(part.where)} · {inline(part.detail)}"


def is_hosted(s: Statement) -> bool:
    """Whether a statement is set apart in a block quote: it came from outside."""
    return s.kind is Kind.HOSTED
